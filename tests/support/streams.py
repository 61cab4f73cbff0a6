"""Binary streams that give little at once."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import repeat


class Dripping(io.RawIOBase):
    """A stream that is neither in memory nor a file, and gives the next of `sizes` bytes at each read."""

    def __init__(self, body: bytes, sizes: Iterable[int]) -> None:
        self._body = io.BytesIO(body)
        self._sizes: Iterator[int] = iter(sizes)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        wanted = next(self._sizes)
        return self._body.read(wanted if size < 0 else min(wanted, size))


def dripping(body: bytes, size: int) -> Dripping:
    """The body, `size` bytes at each read."""
    return Dripping(body, repeat(size))
