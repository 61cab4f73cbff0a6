"""A stream read again from its beginning: the octets already taken, then the rest."""

from __future__ import annotations

import io
from typing import Any, Protocol

__all__ = ["ByteSource", "Replay"]


class ByteSource(Protocol):
    """As much of a binary stream as reading needs."""

    def read(self, size: int, /) -> bytes | None: ...
    def close(self) -> None: ...


class Replay(io.RawIOBase):
    """Octets that were taken from a stream, then what is left of it; not seekable."""

    def __init__(self, taken: bytes, stream: ByteSource, *, owned: bool) -> None:
        self._taken = memoryview(taken)
        self._stream = stream
        self._owned = owned

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; 0 at the end."""
        piece = self._taken[: len(buffer)]
        if piece:
            self._taken = self._taken[len(piece) :]
        else:
            piece = memoryview(self._stream.read(len(buffer)) or b"")
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        """Close; the stream below too, where it is ours."""
        if not self.closed and self._owned:
            self._stream.close()
        super().close()
