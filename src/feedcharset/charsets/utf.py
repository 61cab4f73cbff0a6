"""Decoders of UTF-8, UTF-16, UTF-32 and the unusual byte orders of UCS-4 (XML 1.0 Appendix F.1).

Each piece is decoded by one strict C codec; only where that fails is it decoded again with surrogates for
the undecodable bytes. UTF-16 and UTF-32 have a byte order here: the one of the BOM or of the first bytes.
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
from collections.abc import Callable
from struct import unpack
from typing import Literal

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.charsets.undecodable_bytes import as_surrogates

__all__ = ["ByteCounter", "Ucs4Decoder", "Utf8CharsetDecoder", "Utf16Decoder", "Utf32Decoder", "WidthCounter"]

_UNITS_AT_ONCE = 4096
"""Bytes that are decoded one by one around damage in UTF-32; the codec decodes the other chunks. Also
characters of UTF-16 in which surrogates are replaced at once."""

_LONE_SURROGATE = lazy_pattern("[\ud800-\udfff]")

Order = Literal["little", "big"]

ByteCounter = Callable[[int], int]
"""From the index of a character in a piece of text to the number of bytes before it. A decoder makes it for
the piece that it decoded last; it keeps what it needs, so it stays right while the decoder goes on."""


class WidthCounter:
    """A byte counter for encodings in which a character alone determines how many bytes it takes.

    Ascending indices are cheap: each count continues from the one before.

    Args:
        text: the piece; an undecodable byte is a lone surrogate.
        byte_count: returns how many bytes a part of the text was decoded from.
    """

    __slots__ = ("_byte_count", "_bytes", "_index", "_text")

    def __init__(self, text: str, byte_count: Callable[[str], int]) -> None:
        self._text = text
        self._byte_count = byte_count
        self._index = self._bytes = 0

    def __call__(self, index: int) -> int:
        """Return the number of bytes before the character at `index`."""
        if index < self._index:
            self._index = self._bytes = 0
        self._bytes += self._byte_count(self._text[self._index : index])
        self._index = index
        return self._bytes


class Utf8CharsetDecoder:
    """UTF-8."""

    __slots__ = ("_pending", "_text")

    def __init__(self) -> None:
        self._pending = b""
        self._text = ""

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the characters that are complete with these bytes."""
        if self._pending:
            data = self._pending + data
        try:
            text, used = utf_8_decode(data, "strict", final)
        except UnicodeDecodeError:
            text, used = utf_8_decode(data, "surrogateescape", final)
        self._pending = bytes(data[used:])
        self._text = text
        return text

    @property
    def pending(self) -> bytes:
        """Return the incomplete character at the end: at most 3 bytes."""
        return self._pending

    def _byte_count(self, text: str) -> int:
        """Return how many bytes `text` was decoded from."""
        return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))

    def byte_counter(self) -> ByteCounter:
        """Return the byte counter of the last piece."""
        return WidthCounter(self._text, self._byte_count)


class Utf16Decoder:
    """UTF-16 of a known byte order. Lone surrogates are undecodable (Unicode ch. 3, D91)."""

    __slots__ = ("_codec", "_decode", "_pending", "_text")

    def __init__(self, order: Order) -> None:
        self._codec = "utf-16-le" if order == "little" else "utf-16-be"
        self._decode = utf_16_le_decode if order == "little" else utf_16_be_decode
        self._pending = b""
        self._text = ""

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the characters that are complete with these bytes."""
        if self._pending:
            data = self._pending + data
        try:
            text, used = self._decode(data, "strict", False)
        except UnicodeDecodeError:
            text, used = self._decode(data, "surrogatepass", False)
            parts = (text[start : start + _UNITS_AT_ONCE] for start in range(0, len(text), _UNITS_AT_ONCE))
            text = "".join([_LONE_SURROGATE.sub(self._as_bytes, part) for part in parts])
        self._pending = bytes(data[used:])
        if final and self._pending:
            text += as_surrogates(self._pending)
            self._pending = b""
        self._text = text
        return text

    def _as_bytes(self, surrogate: re.Match[str]) -> str:
        return as_surrogates(surrogate[0].encode(self._codec, "surrogatepass"))

    @property
    def pending(self) -> bytes:
        """Return half a code unit, or a high surrogate (and half a unit): at most 3 bytes."""
        return self._pending

    def _byte_count(self, text: str) -> int:
        """Return how many bytes `text` was decoded from."""
        characters = text.encode(self._codec, "ignore")
        undecodable = len(text) - len(characters.decode(self._codec))
        return len(characters) + undecodable

    def byte_counter(self) -> ByteCounter:
        """Return the byte counter of the last piece."""
        return WidthCounter(self._text, self._byte_count)


class Utf32Decoder:
    """UTF-32 of a known byte order. Surrogates and numbers above 10FFFF are undecodable (D90)."""

    __slots__ = ("_decode", "_form", "_pending", "_shifts", "_text")

    def __init__(self, order: Order) -> None:
        self._decode = utf_32_le_decode if order == "little" else utf_32_be_decode
        self._form = "<" if order == "little" else ">"
        self._shifts = (0, 8, 16, 24) if order == "little" else (24, 16, 8, 0)
        """By how many bits to shift a character for each of its bytes, in the order of the document."""
        self._pending = b""
        self._text = ""

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the characters that are complete with these bytes."""
        if self._pending:
            data = self._pending + data
        complete = len(data) & ~3
        units = self._in_codec_order(data[:complete])
        self._pending = bytes(data[complete:])
        try:
            text = self._decode(units, "strict", True)[0]
        except UnicodeDecodeError:
            text = self._decode_each(units)
        if final and self._pending:
            text += as_surrogates(self._pending)
            self._pending = b""
        self._text = text
        return text

    def _in_codec_order(self, units: bytes | memoryview) -> bytes | memoryview:
        """Return whole characters in the byte order of the codec."""
        return units

    def _decode_each(self, units: bytes | memoryview) -> str:
        parts = []
        for start in range(0, len(units), _UNITS_AT_ONCE):
            chunk = units[start : start + _UNITS_AT_ONCE]
            try:
                parts.append(self._decode(chunk, "strict", True)[0])
            except UnicodeDecodeError:
                characters = unpack(f"{self._form}{len(chunk) // 4}I", chunk)
                parts.append("".join(map(self._character, characters)))
        return "".join(parts)

    def _character(self, unit: int) -> str:
        if unit < 0xD800 or 0xDFFF < unit < 0x110000:
            return chr(unit)
        return as_surrogates(bytes([unit >> shift & 0xFF for shift in self._shifts]))

    @property
    def pending(self) -> bytes:
        """Return the incomplete character at the end: at most 3 bytes."""
        return self._pending

    def _byte_count(self, text: str) -> int:
        """Return how many bytes `text` was decoded from."""
        characters = len(text.encode("utf-32-le", "ignore")) // 4
        return 4 * characters + len(text) - characters

    def byte_counter(self) -> ByteCounter:
        """Return the byte counter of the last piece."""
        return WidthCounter(self._text, self._byte_count)


class Ucs4Decoder(Utf32Decoder):
    """UCS-4 with the bytes in the order 2143 or 3412: they are put in order and decoded as UTF-32BE."""

    __slots__ = ("_permutation",)

    def __init__(self, order: Literal["2143", "3412"]) -> None:
        super().__init__("big")
        self._permutation = (1, 0, 3, 2) if order == "2143" else (2, 3, 0, 1)
        self._shifts = (16, 24, 0, 8) if order == "2143" else (8, 0, 24, 16)

    def _in_codec_order(self, units: bytes | memoryview) -> bytes | memoryview:
        ordered = bytearray(len(units))
        for to, origin in enumerate(self._permutation):
            ordered[to::4] = units[origin::4]
        return bytes(ordered)
