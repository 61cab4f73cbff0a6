"""A reader's text as UTF-8, for parsers that want octets."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from feedcharset.text.xmlchars import clean

if TYPE_CHECKING:
    from feedcharset.reader import XmlReader

__all__ = ["Utf8Stream"]

PIECE = 64 * 1024
"""Bytes that read1 gives at the most without a size."""

LONGEST = 4
"""Octets of the longest character (RFC 3629)."""


class Utf8Stream(io.BufferedIOBase):
    """UTF-8 without BOM and, unless the reader keeps it, without the stale label. Not seekable.

    Closing it closes the reader.
    """

    def __init__(self, reader: XmlReader, xml_chars: str) -> None:
        self._reader = reader
        self._xml_chars = xml_chars
        self._rest = b""

    def readable(self) -> bool:
        """True."""
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """At most `size` bytes; fewer only at the end; all that are left without a size."""
        self._check_open()
        if size is None or size < 0:
            data, self._rest = self._rest + self._take(-1), b""
            return data
        pieces = [self._rest]
        missing = size - len(self._rest)
        while missing > 0 and (piece := self._take(max(1, missing // LONGEST))):
            pieces.append(piece)
            missing -= len(piece)
        data = b"".join(pieces)
        self._rest = data[size:]
        return data[:size]

    def read1(self, size: int = -1, /) -> bytes:
        """At most `size` bytes, with one read of the source at most."""
        return self.read(PIECE if size < 0 else size)

    def readline(self, size: int | None = -1, /) -> bytes:
        """The next line, to its LF, at most `size` bytes of it."""
        self._check_open()
        pieces = [self._rest]
        while not pieces[-1].endswith(b"\n") and (line := self._reader.readline()):
            pieces.append(self._utf8(line))
        octets = b"".join(pieces)
        stop = len(octets) if size is None or size < 0 else size
        self._rest = octets[stop:]
        return octets[:stop]

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer as far as there is text."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _take(self, size: int) -> bytes:
        """At most `size` characters, as UTF-8. No more are taken from the reader than are given."""
        while text := self._reader.read(size):
            if octets := self._utf8(text):
                return octets
        return b""  # the end, or all that was left had to be dropped

    def _utf8(self, text: str) -> bytes:
        if self._xml_chars != "keep":
            text, count = clean(text, self._xml_chars)
            if count:
                self._reader._decoder.log.add("xml-chars", count)
        return text.encode("utf-8")

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on a closed stream")

    def close(self) -> None:
        """Close the stream and the reader."""
        if not self.closed:
            self._reader.close()
        super().close()
