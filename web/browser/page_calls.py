"""The functions that the page's worker calls: bytes and strings in, JSON out."""

from __future__ import annotations

import json
from typing import Any

from document_report import document_report, media_type_of, repaired_document
from pasted_input import bytes_of_hex, bytes_of_text, refuse_other_headers, split_response

__all__ = ["check_document", "read_file", "read_paste", "repair_document"]


def read_file(data: Any) -> tuple[bytes, str | None, str]:
    """Return the document in a dropped file, the Content-Type where the file is an HTTP response, and the
    media type that the document should be sent with."""
    content_type, body = split_response(_bytes(data))
    return body, content_type, media_type_of(body)


def read_paste(text: str, form: str, encoding: str) -> tuple[bytes, str | None, str]:
    """Return the same of what was pasted.

    Args:
        text: what stands in the field.
        form: "hex" or "text".
        encoding: for text, one of `TEXT_ENCODINGS`.
    """
    if form == "hex":
        content_type, body = split_response(bytes_of_hex(text))
    else:
        content_type, body = split_response(text.encode("utf-8", "surrogatepass"))  # a header is in no UTF-16
        if content_type is None:
            refuse_other_headers(body)
        body = bytes_of_text(body.decode("utf-8", "surrogatepass"), encoding)
    return body, content_type, media_type_of(body)


def check_document(body: Any, content_type: str | None) -> str:
    """Return the report as JSON."""
    return json.dumps(document_report(_bytes(body), content_type))


def repair_document(body: Any, content_type: str | None) -> tuple[bytes, str, bool]:
    """Return the UTF-8 copy, its header, and whether it is clean."""
    return repaired_document(_bytes(body), content_type)


def _bytes(data: Any) -> bytes:
    """Return the bytes of a Uint8Array, or of bytes."""
    return data if isinstance(data, bytes) else bytes(data.to_py())
