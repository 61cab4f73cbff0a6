"""gzip members on the way in: a feed stored as feed.xml.gz."""

from __future__ import annotations

import io
import zlib
from typing import Any

from feedcharset.errors import TooLarge, TruncatedBody
from feedcharset.reading.prefixed_stream import ByteSource

__all__ = ["FREE", "GZIP_MAGIC", "RATIO", "GunzipStream"]

GZIP_MAGIC = b"\x1f\x8b\x08"

RATIO = 1000
"""Octets out for each octet in: deflate reaches 1032:1 (RFC 1951), feeds 20:1."""

FREE = 1 << 20
"""Octets out before the ratio is looked at: a short feed of one repeated item is no bomb."""

PIECE = 64 * 1024
"""Octets of gzip that are read at once."""


class GunzipStream(io.RawIOBase):
    """What the gzip members of a stream hold, in constant memory.

    A broken member ends the document: with `strict` by an exception, else quietly, and `broken` says why.
    What follows the last member and is no gzip is ignored, as gzip(1) does.

    Raises:
        TooLarge: the ratio is over RATIO after the first MiB.
        TruncatedBody: with `strict`, a member that is cut off or broken.
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
        """True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; 0 at the end."""
        data = self._more(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _more(self, most: int) -> bytes:
        while not self._ended:
            if not self._rest and not self._inflate.eof:
                self._rest = self._stream.read(PIECE) or b""
                self._taken += len(self._rest)
                if not self._rest:
                    return self._break("the gzip member is cut off")
            if self._inflate.eof and not self._next_member():
                break
            try:
                data = self._inflate.decompress(self._rest, most)
            except zlib.error as error:
                return self._break(f"the gzip member is broken: {error}")
            self._rest = self._inflate.unconsumed_tail or self._inflate.unused_data
            if data:
                return self._bounded(data)
        return b""

    def _next_member(self) -> bool:
        """Begin the next member where one follows."""
        while len(self._rest) < len(GZIP_MAGIC) and (more := self._stream.read(PIECE)):
            self._taken += len(more)
            self._rest += more
        self._ended = not self._rest.startswith(GZIP_MAGIC)
        self._inflate = zlib.decompressobj(31)
        return not self._ended

    def _bounded(self, data: bytes) -> bytes:
        self._given += len(data)
        if self._given > FREE and self._given > RATIO * self._taken:
            raise TooLarge(
                f"gzip grows more than {RATIO}:1 ({self._taken} bytes in, {self._given} out); "
                "if you trust it, unpack it yourself and pass gunzip=False",
                limit="ratio",
            )
        return data

    def _break(self, why: str) -> bytes:
        self._ended = True
        self.broken = why
        if self._strict:
            raise TruncatedBody(
                f"{why}, after {self._given} bytes; read with lenient=True to take what there is"
            )
        return b""
