"""`Inflater`: gzip, zlib and deflate data, unpacked as far as it can be.

zlib's `decompress` drops what it has unpacked in a call that ends at damage. So where it fails, the call is
repeated from a copy of the state in the smallest steps: the result is everything before the damage, the same
however the data is cut into pieces.
"""

from __future__ import annotations

import zlib
from contextlib import suppress

__all__ = ["GZIP", "RAW", "ZLIB", "Inflater"]

GZIP = 31  # zlib's wbits for a stream of RFC 1952
ZLIB = 15  # the same of RFC 1950
RAW = -15  # the same of RFC 1951, without a container


class Inflater:
    """One gzip member, zlib stream or bare deflate stream."""

    def __init__(self, container: int) -> None:
        self._engine = zlib.decompressobj(container)
        self.rest: bytes = b""
        """The bytes of the last piece that were not used: there was enough output, or the end mark."""
        self.error: str | None = None
        """Why no more can be unpacked, or None."""

    @property
    def eof(self) -> bool:
        """The end mark was read."""
        return self._engine.eof

    def decompress(self, data: bytes, most: int) -> bytes:
        """Return at most `most` bytes of output; set `rest`, and `error` where the data is damaged."""
        before = self._engine.copy()
        try:
            out = self._engine.decompress(data, most)
        except zlib.error as error:
            self.error = str(error)
            self.rest = b""
            return _until_damage(before, data)
        self.rest = self._engine.unused_data if self._engine.eof else self._engine.unconsumed_tail
        return out


def _until_damage(engine: zlib._Decompress, data: bytes) -> bytes:
    """Return what is unpacked from the data until zlib fails: byte by byte in, then byte by byte out."""
    again = engine.copy()
    pieces = []
    index = 0
    with suppress(zlib.error):
        for index in range(len(data)):
            pieces.append(engine.decompress(data[index : index + 1]))
    again.decompress(data[:index])
    rest = data[index : index + 1]
    with suppress(zlib.error):
        while (out := again.decompress(rest, 1)) or again.unconsumed_tail:
            pieces.append(out)
            rest = again.unconsumed_tail
    return b"".join(pieces)
