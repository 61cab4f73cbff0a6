"""A stream with the bytes that were already read from it put back in front."""

from __future__ import annotations

import io
from typing import Any, Protocol

__all__ = ["ByteSource", "PrefixedStream"]


class ByteSource(Protocol):
    """The methods of a binary stream that reading needs."""

    def read(self, size: int, /) -> bytes | None: ...
    def close(self) -> None: ...


class PrefixedStream(io.RawIOBase):
    """Bytes that were read from a stream, then the rest of the stream; not seekable."""

    def __init__(self, taken: bytes, stream: ByteSource, *, closes: ByteSource | None = None) -> None:
        """Make a stream.

        Args:
            taken: the bytes that were read.
            stream: the rest.
            closes: what is closed with this stream: the source, where it is owned.
        """
        self._taken = memoryview(taken)
        self._stream = stream
        self._closes = closes

    def readable(self) -> bool:
        """Return True: the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; return the number of bytes, 0 at the end."""
        piece = self._taken[: len(buffer)]
        if piece:
            self._taken = self._taken[len(piece) :]
        else:
            piece = memoryview(self._stream.read(len(buffer)) or b"")
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        """Close; also the source, if it is owned."""
        try:
            if not self.closed and self._closes is not None:
                self._closes.close()
        finally:
            super().close()
