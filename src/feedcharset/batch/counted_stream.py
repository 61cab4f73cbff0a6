"""A stream that counts the bytes that are read of it: FastWARC needs the position, and a pipe has none."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

__all__ = ["CountedStream"]


class CountedStream(io.RawIOBase):
    """A binary stream for reading whose position is known, whatever the stream below can do.

    Args:
        stream: has `.read(n)`. It is not closed.
        advance: called with the number of bytes of each read. What it raises, the read raises.
    """

    def __init__(self, stream: Any, advance: Callable[[int], object] = bool) -> None:
        self._stream = stream
        self._advance = advance
        self.position: int = 0
        self.name: str = getattr(stream, "name", "the stream")

    def readable(self) -> bool:
        """Return True: the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; return the number of bytes, 0 at the end."""
        data = self._stream.read(len(buffer)) or b""
        buffer[: len(data)] = data
        self.position += len(data)
        self._advance(len(data))
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Give the position; it cannot be changed."""
        if (offset, whence) != (0, io.SEEK_CUR):
            raise io.UnsupportedOperation("seek")
        return self.position
