"""One row: a body and its Content-Type in, the values of the output columns out; never an exception."""

from __future__ import annotations

import io
from typing import Any

from feedcharset.batch.output_columns import Row
from feedcharset.decide.resolve import resolve
from feedcharset.errors import DecodeError, FeedcharsetError, ResolutionError
from feedcharset.evidence.declaration import DECLARATION_LIMIT
from feedcharset.reading.gzip_stream import GZIP_MAGIC, RATIO_FREE, GunzipStream
from feedcharset.results.display import visible
from feedcharset.results.repairs import Decoded
from feedcharset.text.decode_in_memory import decode
from feedcharset.text.option_types import DecoderOptions

__all__ = ["RowDecoder", "too_large"]

ERROR_LIMIT = 500
"""Characters of an error: a message may quote a label, and a label may be long."""

PACKED = {"gzip": "a gzip file inside gzip", "zip": "a zip archive", "zstd": "a zstd file"}
"""Bodies that hold no text before they are unpacked, by the kind that `Facts` names."""

BOM = b"\xef\xbb\xbf"


class _Refused(Exception):
    """Why a body is not decoded."""


_NULL: Row = (None, None, None, None, None)


def too_large(size: int, max_bytes: int) -> Row:
    """The row of a body that is over the limit."""
    return (None, None, None, None, f"the body has {size} bytes, more than max_bytes={max_bytes}")


class RowDecoder:
    """Decodes rows under one set of options.

    Args:
        options: of `decode`.
        max_bytes: bytes of a body, packed or unpacked.
        ratio: bytes out for each byte of gzip in, after the first MiB.
    """

    def __init__(self, options: DecoderOptions, max_bytes: int, ratio: int) -> None:
        self._options = options
        self._empty: dict[str | None, Row] = {}
        self.max_bytes = max_bytes
        self._ratio = ratio
        self._lenient = options.get("lenient", True)

    def decode(self, value: memoryview | None, content_type: str | None) -> Row:
        """Decode a body. What cannot be decoded gives null text and an error."""
        if value is None:
            return _NULL
        if len(value) > self.max_bytes:
            return too_large(len(value), self.max_bytes)
        body = bytes(value)
        if not body:
            return self._decode_empty(content_type)
        return self._decode(body, value, content_type)

    def _decode_empty(self, content_type: str | None) -> Row:
        """A crawl has many empty bodies, and few of their Content-Types; one is remembered."""
        if content_type not in self._empty:
            self._empty = {content_type: self._decode(b"", memoryview(b""), content_type)}
        return self._empty[content_type]

    def _decode(self, body: bytes, value: memoryview, content_type: str | None) -> Row:
        broken = False
        try:
            if body.startswith(GZIP_MAGIC):
                body, broken = self._gunzip(body)
                value = memoryview(body)
            return _row(decode(body, content_type, **self._options), value, broken)
        except (_Refused, MemoryError) as error:
            return (None, None, None, None, _message(error))
        except ResolutionError as error:
            return (None, None, error.rule or None, None, _message(error))
        except DecodeError as error:
            return self._undecodable(body, content_type, error)
        except Exception as error:  # a detector of the caller's, or a defect: it must not cost the job
            return (None, None, None, None, _message(error))

    def _gunzip(self, body: bytes) -> tuple[bytes, bool]:
        """Unpack gzip within the limits; whether it ended early (lenient: what there is counts)."""
        allowed = max(RATIO_FREE, len(body) * self._ratio)
        most = min(self.max_bytes, allowed)
        stream = GunzipStream(io.BytesIO(body), strict=not self._lenient)
        unpacked = io.BufferedReader(stream).read(most + 1)
        if len(unpacked) > allowed:
            raise _Refused(f"gzip grows more than {self._ratio}:1 ({len(body)} bytes in)")
        if len(unpacked) > most:
            raise _Refused(f"the body unpacks to more than max_bytes={self.max_bytes}")
        return unpacked, stream.broken is not None

    def _undecodable(self, body: bytes, content_type: str | None, error: DecodeError) -> Row:
        given: dict[str, Any] = {**self._options}
        names = ("lenient", "policy", "default_encoding", "detector")
        options = {name: given[name] for name in names if name in given}
        encoding, rule = self._options.get("encoding"), "forced"
        if encoding is None:
            resolution = resolve(body, content_type, complete=True, **options)
            encoding, rule = resolution.encoding, resolution.rule
        return (None, encoding, rule, None, _message(error))


def _message(error: BaseException) -> str:
    """A sentence that every string column can hold."""
    known = isinstance(error, FeedcharsetError | _Refused)
    text = str(error) if known else f"{type(error).__name__}: {error}"
    return visible(text if len(text) <= ERROR_LIMIT else text[:ERROR_LIMIT] + "...")


def _row(decoded: Decoded, body: memoryview, broken: bool) -> Row:
    text, resolution, repairs = decoded
    kind = resolution.facts.body.kind
    if kind in PACKED:
        raise _Refused(f"the body is {PACKED[kind]}, not XML; unpack it first")
    count = repairs.count + broken
    if count == 0 and resolution.encoding == "UTF-8" and not text.isascii():
        pieces = _same_bytes(text, body)
        if pieces is not None:
            return (pieces, resolution.encoding, resolution.rule, 0, None)
    try:
        data = text.encode()
    except UnicodeEncodeError:  # a lone surrogate, under xml_chars="keep": no UTF-8 has it
        data = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
    return ((data,), resolution.encoding, resolution.rule, count, None)


def _same_bytes(text: str, body: memoryview) -> tuple[bytes, memoryview] | None:
    """The text of a clean UTF-8 document without encoding it again: its bytes are the body's.

    Only the declaration may differ, which was blanked, a space for each character. It holds no `>` but its
    last character. None where that cannot be seen: the document does not begin at its first byte or after a
    BOM, the declaration was blanked wholly, or a character in it is not ASCII.
    """
    start = len(BOM) if body[: len(BOM)] == BOM else 0
    end = text.find(">", 0, DECLARATION_LIMIT) + 1
    head = bytes(body[start : start + end])
    if not head.startswith(b"<") or not text.startswith("<") or not head.isascii():
        return None
    return text[:end].encode(), body[start + end :]
