"""A reader's text as UTF-8, for parsers that want octets."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from feedcharset.text.option_values import XML_CHARS, check_option
from feedcharset.text.xml_characters import clean

if TYPE_CHECKING:
    from feedcharset.reading.xml_reader import XmlReader

__all__ = ["Utf8Stream"]

_C0 = bytes([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20)])

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
        self._width = 1.0
        """Octets for each character, by the last text."""
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
        while size and not octets:
            # About as many characters as fit, going by those before; what does not fit is given back.
            text = self._reader._read1(int(size / self._width) + 1)
            if not text:
                break
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
        octets = text.encode("utf-8")
        dirty = self._xml_chars != "keep" and _holds_forbidden(octets)
        if dirty and self._xml_chars == "replace":
            octets = clean(text, "replace")[0].encode("utf-8")  # U+FFFD is longer than what it replaces
        self._width = len(octets) / len(text)
        if len(octets) > size:
            end = size
            while end < len(octets) and octets[end] & 0xC0 == 0x80:  # RFC 3629: inside a character
                end += 1
            back = len(str(octets[end:], "utf-8"))
            self._reader._give_back(back)
            octets, text = octets[:end], text[: len(text) - back]
        if dirty:
            octets = self._utf8(text)
        self._rest = octets[size:]
        return octets[:size]

    def _utf8(self, text: str) -> bytes:
        octets = text.encode("utf-8")
        if self._xml_chars != "keep" and _holds_forbidden(octets):
            text, count = clean(text, self._xml_chars)
            self._reader._decoder.log.add("xml-chars", count)
            octets = text.encode("utf-8")
        return octets

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


def _holds_forbidden(octets: bytes) -> bool:
    """Whether UTF-8 holds a character that XML 1.0 §2.2 forbids.

    29 searches for an octet are 25 times as fast as one for a class of them; one for three octets takes as
    long as 80.
    """
    return any(octet in octets for octet in _C0) or (
        0xEF in octets and (b"\xef\xbf\xbe" in octets or b"\xef\xbf\xbf" in octets)
    )
