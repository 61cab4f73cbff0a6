"""Engines for UTF-8, UTF-16, UTF-32 and the odd octet orders of UCS-4 (XML 1.0 Appendix F.1).

Each piece goes through one strict C codec; only where that fails is it read again with the damage marked.
UTF-16 and UTF-32 have a byte order here: -BE or -LE, as the BOM or the pattern of the document says.
"""

from __future__ import annotations

import re
from codecs import (
    utf_8_decode,
    utf_16_be_decode,
    utf_16_le_decode,
    utf_32_be_decode,
    utf_32_le_decode,
)
from struct import unpack
from typing import TYPE_CHECKING, Literal

from feedcharset.charsets.byte_offsets import Slices
from feedcharset.charsets.undecodable_bytes import MARKS, mark

if TYPE_CHECKING:
    from feedcharset.charsets.byte_offsets import Measure

__all__ = ["Ucs4Engine", "Utf8Engine", "Utf16Engine", "Utf32Engine"]

_CHUNK = 4096
"""Octets that are read unit by unit around damage in UTF-32; the chunks beside it stay with the codec."""

_SURROGATES = re.compile("[\ud800-\udfff]+")

Order = Literal["little", "big"]


class Utf8Engine:
    """UTF-8."""

    __slots__ = ("_pending", "_text")

    def __init__(self) -> None:
        self._pending = b""
        self._text = ""

    def decode(self, octets: bytes | memoryview, final: bool = False) -> str:
        """The characters that are complete with these octets."""
        if self._pending:
            octets = self._pending + octets
        try:
            text, used = utf_8_decode(octets, "strict", final)
        except UnicodeDecodeError:
            text, used = utf_8_decode(octets, "surrogateescape", final)
        self._pending = bytes(octets[used:])
        self._text = text
        return text

    @property
    def pending(self) -> bytes:
        """The beginning of a character whose end has not come yet: at most 3 octets."""
        return self._pending

    def width(self, text: str) -> int:
        """How many octets `text` was decoded from."""
        return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))

    def measure(self) -> Measure:
        """Where the characters of the last piece begin."""
        return Slices(self._text, self.width)


class Utf16Engine:
    """UTF-16 of a known byte order. Lone surrogates are undecodable (Unicode ch. 3, D91)."""

    __slots__ = ("_codec", "_decode", "_pending", "_text")

    def __init__(self, order: Order) -> None:
        self._codec = "utf-16-le" if order == "little" else "utf-16-be"
        self._decode = utf_16_le_decode if order == "little" else utf_16_be_decode
        self._pending = b""
        self._text = ""

    def decode(self, octets: bytes | memoryview, final: bool = False) -> str:
        """The characters that are complete with these octets."""
        if self._pending:
            octets = self._pending + octets
        try:
            text, used = self._decode(octets, "strict", False)
        except UnicodeDecodeError:
            text, used = self._decode(octets, "surrogatepass", False)
            text = _SURROGATES.sub(self._mark, text)
        self._pending = bytes(octets[used:])
        if final and self._pending:
            text += mark(self._pending)
            self._pending = b""
        self._text = text
        return text

    def _mark(self, surrogates: re.Match[str]) -> str:
        return mark(surrogates[0].encode(self._codec, "surrogatepass"))

    @property
    def pending(self) -> bytes:
        """Half a unit, or a high surrogate (and half a unit): at most 3 octets."""
        return self._pending

    def width(self, text: str) -> int:
        """How many octets `text` was decoded from."""
        characters = text.encode(self._codec, "ignore")
        marks = len(text) - len(characters.decode(self._codec))
        return len(characters) + marks

    def measure(self) -> Measure:
        """Where the characters of the last piece begin."""
        return Slices(self._text, self.width)


class Utf32Engine:
    """UTF-32 of a known byte order. Surrogates and numbers above 10FFFF are undecodable (D90)."""

    __slots__ = ("_decode", "_form", "_pending", "_shifts", "_text")

    def __init__(self, order: Order) -> None:
        self._decode = utf_32_le_decode if order == "little" else utf_32_be_decode
        self._form = "<" if order == "little" else ">"
        self._shifts = (0, 8, 16, 24) if order == "little" else (24, 16, 8, 0)
        """Where a unit has the octets of its four, in the order of the document."""
        self._pending = b""
        self._text = ""

    def decode(self, octets: bytes | memoryview, final: bool = False) -> str:
        """The characters that are complete with these octets."""
        if self._pending:
            octets = self._pending + octets
        whole = len(octets) & ~3
        units = self._arrange(octets[:whole])
        self._pending = bytes(octets[whole:])
        try:
            text = self._decode(units, "strict", True)[0]
        except UnicodeDecodeError:
            text = self._mend(units)
        if final and self._pending:
            text += mark(self._pending)
            self._pending = b""
        self._text = text
        return text

    def _arrange(self, units: bytes | memoryview) -> bytes | memoryview:
        """The octets of whole units in the codec's order."""
        return units

    def _mend(self, units: bytes | memoryview) -> str:
        parts = []
        for start in range(0, len(units), _CHUNK):
            chunk = units[start : start + _CHUNK]
            try:
                parts.append(self._decode(chunk, "strict", True)[0])
            except UnicodeDecodeError:
                parts.extend(map(self._character, unpack(f"{self._form}{len(chunk) // 4}I", chunk)))
        return "".join(parts)

    def _character(self, unit: int) -> str:
        if unit < 0xD800 or 0xDFFF < unit < 0x110000:
            return chr(unit)
        first, second, third, fourth = self._shifts
        return (
            MARKS[unit >> first & 0xFF]
            + MARKS[unit >> second & 0xFF]
            + MARKS[unit >> third & 0xFF]
            + MARKS[unit >> fourth & 0xFF]
        )

    @property
    def pending(self) -> bytes:
        """The beginning of a unit: at most 3 octets."""
        return self._pending

    def width(self, text: str) -> int:
        """How many octets `text` was decoded from."""
        characters = len(text.encode("utf-32-le", "ignore")) // 4
        return 4 * characters + len(text) - characters

    def measure(self) -> Measure:
        """Where the characters of the last piece begin."""
        return Slices(self._text, self.width)


class Ucs4Engine(Utf32Engine):
    """UCS-4 whose octets come in the order 2143 or 3412: put in order, then UTF-32BE."""

    __slots__ = ("_permutation",)

    def __init__(self, order: Literal["2143", "3412"]) -> None:
        super().__init__("big")
        self._permutation = (1, 0, 3, 2) if order == "2143" else (2, 3, 0, 1)
        self._shifts = (16, 24, 0, 8) if order == "2143" else (8, 0, 24, 16)

    def _arrange(self, units: bytes | memoryview) -> bytes | memoryview:
        arranged = bytearray(len(units))
        for to, origin in enumerate(self._permutation):
            arranged[to::4] = units[origin::4]
        return bytes(arranged)
