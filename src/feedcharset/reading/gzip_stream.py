"""A gzip source (feed.xml.gz), unpacked as it is read."""

from __future__ import annotations

import io
import zlib
from typing import Any

from feedcharset.errors import TooLarge, TruncatedBody
from feedcharset.reading.prefixed_stream import ByteSource

__all__ = ["GZIP_MAGIC", "RATIO", "RATIO_FREE", "GunzipStream"]

GZIP_MAGIC = b"\x1f\x8b\x08"

RATIO = 1000
"""Most bytes out for each byte in: deflate reaches 1032:1 (zlib's Technical Details), feeds 20:1."""

RATIO_FREE = 1 << 20
"""Bytes out before the ratio is checked: a short feed of one repeated item is no bomb."""

PIECE = 64 * 1024
"""Bytes of gzip that are read at once."""


class GunzipStream(io.RawIOBase):
    """The unpacked gzip members of a stream, in constant memory.

    A damaged member ends the document: with an exception if `strict`, else without, and `broken` has the
    reason. Bytes after the last member that are not gzip are ignored, as by gzip(1).

    Raises:
        TooLarge: the ratio is over RATIO after the first MiB.
        TruncatedBody: with `strict`, a member that is cut off or damaged.
    """

    def __init__(self, stream: ByteSource, *, strict: bool) -> None:
        self._stream = stream
        self._strict = strict
        self._inflate = zlib.decompressobj(31)
        self._rest = b""
        self._taken = self._given = 0
        self.broken: str | None = None
        """Why the document ends early, or None."""
        self._ended = False

    def readable(self) -> bool:
        """Return True: the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; return the number of bytes, 0 at the end."""
        data = self._more(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _more(self, most: int) -> bytes:
        while not self._ended:
            if not self._rest and not self._inflate.eof:
                self._rest = self._stream.read(PIECE) or b""
                self._taken += len(self._rest)
                if not self._rest:
                    return self._end_early("the gzip member is cut off")
            if self._inflate.eof and not self._next_member():
                break
            try:
                data = self._inflate.decompress(self._rest, most)
            except zlib.error as error:
                return self._end_early(f"the gzip member is broken: {error}")
            self._rest = self._inflate.unconsumed_tail or self._inflate.unused_data
            if data:
                return self._bounded(data)
        return b""

    def _next_member(self) -> bool:
        """Start the next member, if one follows."""
        while len(self._rest) < len(GZIP_MAGIC) and (more := self._stream.read(PIECE)):
            self._taken += len(more)
            self._rest += more
        self._ended = not self._rest.startswith(GZIP_MAGIC)
        self._inflate = zlib.decompressobj(31)
        return not self._ended

    def _bounded(self, data: bytes) -> bytes:
        self._given += len(data)
        if self._given > RATIO_FREE and self._given > RATIO * self._taken:
            raise TooLarge(
                f"gzip grows more than {RATIO}:1 ({self._taken} bytes in, {self._given} out); "
                "if you trust it, unpack it yourself and pass gunzip=False",
                limit="ratio",
            )
        return data

    def _end_early(self, why: str) -> bytes:
        self._ended = True
        self.broken = why
        if self._strict:
            raise TruncatedBody(
                f"{why}, after {self._given} bytes; read with lenient=True to take what there is"
            )
        return b""
