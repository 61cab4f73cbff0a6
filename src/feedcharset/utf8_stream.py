"""A reader's text as UTF-8, for parsers that want octets."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from feedcharset.text.options import XML_CHARS, check_option
from feedcharset.text.xmlchars import clean

if TYPE_CHECKING:
    from feedcharset.reader import XmlReader

__all__ = ["Utf8Stream"]

PIECE = 64 * 1024
"""Bytes that read1 gives at the most without a size, as much as a reader takes from its source at once."""


class Utf8Stream(io.BufferedIOBase):
    """UTF-8 without BOM and, unless the reader keeps it, without the stale label. Not seekable.

    It has no text of its own: what it gives, the reader has given, up to the last character that was begun.
    Closing it closes the reader; when it is merely dropped, the reader stays open.
    """

    def __init__(self, reader: XmlReader, xml_chars: str) -> None:
        """Take the text of a reader.

        Args:
            reader: the text, from where it stands.
            xml_chars: what becomes of characters that XML forbids: "keep", "replace", "space", "drop".

        Raises:
            ValueError: for another `xml_chars`.
        """
        check_option("xml_chars", xml_chars, XML_CHARS)
        self._reader = reader
        self._xml_chars = xml_chars
        self._rest = b""
        """The end of a character whose beginning was given."""

    @property
    def name(self) -> str | None:
        """The path or URL of the document, which parsers put in their messages."""
        return self._reader.name

    def readable(self) -> bool:
        """True."""
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """At most `size` bytes; fewer only at the end; all that are left without a size.

        Raises:
            DecodeError, FetchError, OSError: as `XmlReader.read`.
            ValueError: the stream is closed.
        """
        self._check_open()
        if size is None or size < 0:
            octets, self._rest = self._rest + self._utf8(self._reader.read()), b""
            return octets
        pieces = []
        while piece := self.read1(size):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces) if len(pieces) != 1 else pieces[0]

    def read1(self, size: int = -1, /) -> bytes:
        """At most `size` bytes, with one read of the source, unless that gives none; b"" only at the end."""
        self._check_open()
        size = PIECE if size < 0 else size
        octets = self._take_rest(size)
        while size and not octets and (text := self._reader._read1(size)):
            octets = self._fitted(text, size)  # nothing, where all of it had to be dropped
        return octets

    def readline(self, size: int | None = -1, /) -> bytes:
        """The next line, to its LF, at most `size` bytes of it."""
        self._check_open()
        missing = sys.maxsize if size is None or size < 0 else size
        pieces = [self._take_rest(missing)]
        while missing := missing - len(pieces[-1]):
            if pieces[-1].endswith(b"\n") or not (text := self._reader.readline(missing)):
                break
            pieces.append(self._fitted(text, missing))
        return b"".join(pieces)

    def _take_rest(self, size: int) -> bytes:
        octets, self._rest = self._rest[:size], self._rest[size:]
        return octets

    def _fitted(self, text: str, size: int) -> bytes:
        """The text as octets, `size` of them at the most; the other characters go back to the reader.

        Args:
            text: what was read from the reader last.
            size: more than 0.
        """
        cleaned, count = self._cleaned(text)
        if len(cleaned) > size or not cleaned.isascii():
            measured = cleaned if len(cleaned) == len(text) else text
            fits = _begun(measured.encode("utf-8"), size)
            if fits < len(text):
                self._reader._give_back(len(text) - fits)
                cleaned, count = self._cleaned(text[:fits])
        self._count(count)
        self._rest = cleaned.encode("utf-8")
        return self._take_rest(size)

    def _utf8(self, text: str) -> bytes:
        text, count = self._cleaned(text)
        self._count(count)
        return text.encode("utf-8")

    def _cleaned(self, text: str) -> tuple[str, int]:
        return (text, 0) if self._xml_chars == "keep" else clean(text, self._xml_chars)

    def _count(self, count: int) -> None:
        if count:
            self._reader._decoder.log.add("xml-chars", count)

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on a closed stream")

    def close(self) -> None:
        """Close the stream and the reader."""
        if not self.closed:
            self._reader.close()
        super().close()

    def __del__(self) -> None:
        """Leave the reader open, unlike other streams: it is whoever opened it who closes it."""


def _begun(octets: bytes, size: int) -> int:
    """How many characters begin within the first `size` octets of UTF-8."""
    while size < len(octets) and octets[size] & 0xC0 == 0x80:  # RFC 3629: not the first octet of a character
        size += 1
    return len(str(octets[:size], "utf-8"))
