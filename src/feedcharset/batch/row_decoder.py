"""One row: a body and its Content-Type in, the added columns out; no exception but MemoryError."""

from __future__ import annotations

from typing import Any, Literal

import pyarrow as pa

from feedcharset.decide.resolve import resolve
from feedcharset.errors import DecodeError, ResolutionError
from feedcharset.evidence.declaration import DECLARATION_LIMIT
from feedcharset.evidence.document_head import BINARY_FORMATS, document_kind
from feedcharset.fetch.gunzip import GZIP_BEGINNINGS, OverLimit, gunzip
from feedcharset.fetch.limits import Limits
from feedcharset.results import Decoded
from feedcharset.results.explanation import visible
from feedcharset.text.options import DecoderOptions, check_number
from feedcharset.text.xml_decoder import decode

ErrorCode = Literal[
    "too-large", "gzip-ratio", "gzip-broken", "coding-broken", "no-text", "refused", "undecodable", "failed"
]
"""Why there is no text; with `gzip-broken` and `coding-broken`, why there is not all of it.

- `too-large`: the body, as received or unpacked, has more than `max_bytes`.
- `gzip-ratio`: gzip grows more than `ratio`.
- `gzip-broken`: gzip is damaged or cut off. The text is that of what could be unpacked; with lenient=False
  there is none. Or other bytes follow it: they are ignored.
- `coding-broken`: br, zstd, deflate or chunked data of an archive is damaged or cut off, or a body is no gzip
  that is labelled so, or the record is damaged, cut off or has a wrong Content-Length. The
  text is that of what could be read; with lenient=False there is none. Or other bytes follow: as for gzip.
- `no-text`: an image, a PDF document, an archive, audio, video or a program.
- `refused`: the rules have no answer; with lenient=False.
- `undecodable`: bytes that do not decode; with errors="strict", the default of lenient=False.
- `failed`: anything else, such as an exception of the caller's detector.
"""

BODY_LIMIT = 64 << 20
"""Bytes of one body, packed or unpacked. The largest feeds of a crawl have a few MiB; Common Crawl cuts a
body at 5 MiB. The text of one body takes up to four times as much memory while it is decoded."""

GZIP_GROWTH = 100
"""Bytes out for each byte of gzip in, as in `Limits`: feeds reach 20:1, bombs 1000:1."""

SENTENCE_LIMIT = 500
"""Characters of an error: a message may quote a label, and a label may be long."""

IGNORED = ", and are ignored"
"""How a sentence ends about bytes that follow data that is whole."""

DecodedRow = tuple[Any, ...]
"""The values of a row in the order of SCHEMA; the text as UTF-8, in parts. None: null."""

NO_BODY: DecodedRow = (None,) * 7


class _NotDecoded(Exception):
    """Why a body is not decoded. Its arguments are an error code and a sentence."""


class RowDecoder:
    """Decodes rows under one set of options, those of `decode_arrays`. They are checked before the first row.

    Raises:
        TypeError, ValueError: an option that makes no sense.
    """

    def __init__(self, max_bytes: int, ratio: int, options: DecoderOptions) -> None:
        check_number("max_bytes", max_bytes, "bytes", 1)
        check_number("ratio", ratio, "bytes for one that is packed", 1)
        decode(b"", **options)
        self.max_bytes = max_bytes
        self._ratio = ratio
        self._options = options

    def decode(
        self, value: pa.Buffer | None, content_type: str | None, damage: str | None = None
    ) -> DecodedRow:
        """Decode a body. What cannot be decoded gives null text and an error; an empty one nulls. `damage` is
        a sentence where its coding was removed up to a damaged place, or its record is damaged."""
        if value is None or not (value.size or damage):
            return NO_BODY
        body, broken, where, repairs = b"", None, "", 0
        code: ErrorCode = "coding-broken"
        try:
            if value.size > self.max_bytes:  # it is not copied
                # one byte more may be where it was cut
                size = f"{value.size} bytes, more" if value.size - self.max_bytes > 1 else "more"
                raise _NotDecoded("too-large", f"the body has {size} than max_bytes={self.max_bytes}")
            if damage:
                broken, repairs = self._damaged(code, damage, value.size)
            body = value.to_pybytes()
            if not body.startswith(b"<"):
                if body[:3] in GZIP_BEGINNINGS:
                    (body, flaw), where = self._gunzip(body), " inside gzip"
                    if flaw:
                        code = "gzip-broken"
                        broken, repairs = self._damaged(code, flaw, len(body))
                if not body:
                    return NO_BODY
                if what := BINARY_FORMATS.get(document_kind(body, 0, complete=True) or ""):
                    unpack = "; unpack it first" if what.endswith(("file", "archive")) else ""
                    raise _NotDecoded("no-text", f"the body is {what}{where}, not XML{unpack}")
            row = _text_row(decode(body, content_type, **self._options), body)
        except MemoryError:
            raise  # it is no fault of the row
        except Exception as error:
            return self._failed(body, content_type, error)
        return (*row[:4], (row[4] or 0) + repairs, code, broken) if broken else row

    def _gunzip(self, body: bytes) -> tuple[bytes, str]:
        """Unpack gzip within the limits; also a sentence where it ended early, or other bytes follow it."""
        try:
            unpacked, broken, has_rest = gunzip(body, Limits(decoded=self.max_bytes, ratio=self._ratio))
        except OverLimit as error:
            if error.name == "ratio":
                sentence = f"gzip grows more than {self._ratio}:1 ({len(body)} bytes in)"
                raise _NotDecoded("gzip-ratio", sentence) from None
            sentence = f"the body unpacks to more than max_bytes={self.max_bytes}"
            raise _NotDecoded("too-large", sentence) from None
        rest = f"bytes that are no gzip follow the gzip data{IGNORED}" if has_rest else ""
        return unpacked, str(broken) if broken else rest

    def _damaged(self, code: ErrorCode, what: str, size: int) -> tuple[str, int]:
        """Return the sentence about a body of which `size` bytes could be read, where they count: up to the
        damage, or all of them (a wrong checksum); and how many repairs that is. What is ignored is none."""
        if what.endswith(IGNORED) and size:
            return what, 0
        sentence = f"{what}; {size} bytes could be read"
        if not size:
            raise _NotDecoded(code, sentence)
        if not self._options.get("lenient", True):
            raise _NotDecoded(code, f"{sentence}; read with lenient=True to take them")
        return f"{sentence}, which are the text", 1

    def _failed(self, body: bytes, content_type: str | None, error: Exception) -> DecodedRow:
        """The row of a document that raised: by lenient=False, by a limit, by a detector of the caller's.

        Any other exception becomes an error of the row, too. A defect must not cost the job.
        """
        code: ErrorCode = "failed"
        sentence = str(error)
        encoding = declared = rule = None
        if isinstance(error, _NotDecoded):
            code, sentence = error.args
        elif isinstance(error, ResolutionError):
            code, rule = "refused", error.rule
            declared = None if error.facts is None else error.facts.declared
        elif isinstance(error, DecodeError):
            code = "undecodable"
            given: dict[str, Any] = {**self._options}
            encoding, rule = given.get("encoding"), "forced"
            if encoding is None:
                names = ("lenient", "policy", "default_encoding", "detector")
                options = {name: given[name] for name in names if name in given}
                found = resolve(body, content_type, complete=True, **options)
                encoding, declared, rule = found.encoding, found.facts.declared, found.rule
        else:
            sentence = f"{type(error).__name__}: {error}"
        if len(sentence) > SENTENCE_LIMIT:
            sentence = sentence[:SENTENCE_LIMIT] + "..."
        return None, encoding, declared, rule, None, code, visible(sentence)


def _text_row(decoded: Decoded, body: bytes) -> DecodedRow:
    """The row of a text.

    The bytes of clean UTF-8 are not encoded again: half of the time of a Cyrillic document. They can differ
    from the text in the declaration alone, which was blanked, a space for each character. Its last character
    is its first `>`. It is not seen where it was blanked wholly, or a character in it is not ASCII.
    """
    text, resolution, repairs = decoded
    encoding, declared, count = resolution.encoding, resolution.facts.declared, repairs.count
    end = 0
    if count == 0 and encoding == "UTF-8" and body.startswith(b"<") and text.startswith("<"):
        end = text.find(">", 0, DECLARATION_LIMIT) + 1
    same = end > 0 and body[:end].isascii()
    data = (text[:end].encode(), memoryview(body)[end:]) if same else (text.encode(),)
    return data, encoding, declared, resolution.rule, count, None, None
