"""The functions that the page's worker calls: bytes and strings in, JSON out."""

from __future__ import annotations

import json
from typing import Any

from document_report import document_report, media_type_of, repaired_document
from pasted_input import (
    DECLARED,
    as_curl_prints,
    bytes_of_hex,
    bytes_of_text,
    declared_encoding,
    refuse_what_is_no_document,
    split_response,
    without_prompt,
)

from feedcharset.fetch.gunzip import GZIP_BEGINNINGS

__all__ = ["check_document", "read_file", "read_paste", "repair_document"]


def read_file(data: Any) -> tuple[bytes, str | None, str | None, str]:
    """Return the document in a dropped file, the Content-Type where the file is an HTTP response, the media
    type that the document should be sent with (None for gzip, which is a file), and ""."""
    content_type, body = split_response(_bytes(data))
    return body, content_type, None if body[:3] in GZIP_BEGINNINGS else media_type_of(body), ""


def read_paste(text: str, form: str, encoding: str) -> tuple[bytes, str | None, str, str]:
    """Return the same of what was pasted, and the encoding in which text was written.

    Args:
        text: what stands in the field.
        form: "hex" or "text".
        encoding: for text, `DECLARED` or one of `TEXT_ENCODINGS`.
    """
    written = ""
    if form == "hex":
        content_type, body = split_response(bytes_of_hex(text))
    else:
        data = without_prompt(text.encode("utf-8", "surrogatepass"))  # a header is in no UTF-16
        content_type, body = split_response(data)
        if content_type is None:
            content_type, body = split_response(as_curl_prints(data))
        if content_type is None:
            refuse_what_is_no_document(body)
        document = body.decode("utf-8", "surrogatepass")
        written = encoding
        if encoding == DECLARED:  # a terminal shows the letters of UTF-8
            written = declared_encoding(document) if content_type is None else "UTF-8"
        body = bytes_of_text(document, written)
    return body, content_type, media_type_of(body), written


def check_document(body: Any, content_type: str | None) -> str:
    """Return the report as JSON."""
    return json.dumps(document_report(_bytes(body), content_type))


def repair_document(body: Any, content_type: str | None) -> tuple[bytes, str, bool]:
    """Return the UTF-8 copy, its header, and whether it is clean."""
    return repaired_document(_bytes(body), content_type)


def _bytes(data: Any) -> bytes:
    """Return the bytes of a Uint8Array, or of bytes."""
    return data if isinstance(data, bytes) else bytes(data.to_py())
