"""One row: a body and its Content-Type in, the values of the output columns out; never an exception."""

from __future__ import annotations

from typing import Any

from feedcharset.batch.output_columns import Row
from feedcharset.decide.resolve import resolve
from feedcharset.errors import DecodeError, FeedcharsetError, ResolutionError
from feedcharset.evidence.declaration import DECLARATION_LIMIT
from feedcharset.fetch.gunzip import GZIP_MAGIC, OverLimit, gunzip
from feedcharset.fetch.limits import Limits
from feedcharset.results import Decoded
from feedcharset.results.explanation import visible
from feedcharset.text.decode_in_memory import decode
from feedcharset.text.options import DecoderOptions

__all__ = ["RowDecoder", "too_large"]

ERROR_LIMIT = 500
"""Characters of an error: a message may quote a label, and a label may be long."""

PACKED = {"gzip": "a gzip file inside gzip", "zip": "a zip archive", "zstd": "a zstd file"}
"""Bodies that hold no text before they are unpacked, by the kind that `Facts` names."""


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
        self.max_bytes = max_bytes
        self._ratio = ratio
        self._lenient = options.get("lenient", True)

    def decode(self, value: memoryview | None, content_type: str | None) -> Row:
        """Decode a body of at most `max_bytes`. What cannot be decoded gives null text and an error.

        No body, and an empty one, give nulls.
        """
        if not value:
            return _NULL
        body = bytes(value)
        if body.startswith(GZIP_MAGIC):
            return self._decode_gzip(body, content_type)
        try:
            return _row(decode(body, content_type, **self._options), body, value)
        except Exception as error:
            return self._failed(body, content_type, error)

    def _decode_gzip(self, body: bytes, content_type: str | None) -> Row:
        try:
            body, broken = self._gunzip(body)
            row = _row(decode(body, content_type, **self._options), body, memoryview(body))
        except Exception as error:
            return self._failed(body, content_type, error)
        return (*row[:3], row[3] + 1, None) if broken and row[3] is not None else row

    def _failed(self, body: bytes, content_type: str | None, error: Exception) -> Row:
        """The row of a document that raised: by lenient=False, by a limit, by a detector of the caller's.

        Any exception becomes an error of the row. A defect must not cost the job.
        """
        if isinstance(error, DecodeError):
            return self._undecodable(body, content_type, error)
        rule = error.rule or None if isinstance(error, ResolutionError) else None
        return None, None, rule, None, _message(error)

    def _gunzip(self, body: bytes) -> tuple[bytes, bool]:
        """Unpack gzip within the limits; whether it ended early (lenient: what there is counts)."""
        try:
            unpacked, broken = gunzip(body, Limits(decoded=self.max_bytes, ratio=self._ratio))
        except OverLimit as error:
            if error.name == "ratio":
                raise _Refused(f"gzip grows more than {self._ratio}:1 ({len(body)} bytes in)") from None
            raise _Refused(f"the body unpacks to more than max_bytes={self.max_bytes}") from None
        if broken is not None and not self._lenient:
            raise _Refused(
                f"{broken}, after {len(unpacked)} bytes; read with lenient=True to take what there is"
            )
        return unpacked, broken is not None

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


def _row(decoded: Decoded, body: bytes, value: memoryview) -> Row:
    text, resolution, repairs = decoded
    encoding, rule, count = resolution.encoding, resolution.rule, repairs.count
    if resolution.facts.body.kind in PACKED:
        raise _Refused(f"the body is {PACKED[resolution.facts.body.kind]}, not XML; unpack it first")
    if count == 0 and encoding == "UTF-8" and body.startswith(b"<") and (end := _declaration_end(text, body)):
        # The bytes of clean UTF-8 need not be encoded again.
        return (text[:end].encode(), value[end:]), encoding, rule, 0, None
    try:
        data = text.encode()
    except UnicodeEncodeError:  # a lone surrogate, under xml_chars="keep": no UTF-8 has it
        data = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
    return (data,), encoding, rule, count, None


def _declaration_end(text: str, body: bytes) -> int:
    """Up to where a clean UTF-8 document can differ from its bytes; 0 where that cannot be seen.

    Only the declaration can, which was blanked, a space for each character. Its last character is its first
    `>`. It is not seen where it was blanked wholly, or a character in it is not ASCII.
    """
    end = text.find(">", 0, DECLARATION_LIMIT) + 1
    return end if text.startswith("<") and body[:end].isascii() else 0
