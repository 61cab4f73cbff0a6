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
from struct import unpack
from typing import Literal

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.charsets.undecodable_bytes import CharsetDecoder, as_surrogates

__all__ = ["Ucs4Decoder", "Utf8CharsetDecoder", "Utf16Decoder", "Utf32Decoder"]

_UNITS_AT_ONCE = 4096
"""Bytes that are decoded one by one around damage in UTF-32; the codec decodes the other chunks. Also
characters of UTF-16 in which surrogates are replaced at once."""

_LONE_SURROGATE = lazy_pattern("[\ud800-\udfff]")

Order = Literal["little", "big"]


class Utf8CharsetDecoder(CharsetDecoder):
    """UTF-8."""

    def _decoded(self, data: bytes | memoryview) -> tuple[str, bytes]:
        try:
            text, used = utf_8_decode(data)
        except UnicodeDecodeError:
            text, used = utf_8_decode(data, "surrogateescape")
        return text, bytes(data[used:])

    def _cut(self, data: bytes) -> str:
        return data.decode("utf-8", "surrogateescape")


class Utf16Decoder(CharsetDecoder):
    """UTF-16 of a known byte order. Lone surrogates are undecodable (Unicode ch. 3, D91)."""

    def __init__(self, order: Order) -> None:
        self._arguments = (order,)
        self._codec = "utf-16-le" if order == "little" else "utf-16-be"
        self._decode = utf_16_le_decode if order == "little" else utf_16_be_decode

    def _decoded(self, data: bytes | memoryview) -> tuple[str, bytes]:
        try:
            text, used = self._decode(data)
        except UnicodeDecodeError:
            text, used = self._decode(data, "surrogatepass")
            parts = (text[start : start + _UNITS_AT_ONCE] for start in range(0, len(text), _UNITS_AT_ONCE))
            text = "".join([_LONE_SURROGATE.sub(self._as_bytes, part) for part in parts])
        return text, bytes(data[used:])

    def _as_bytes(self, surrogate: re.Match[str]) -> str:
        return as_surrogates(surrogate[0].encode(self._codec, "surrogatepass"))


class Utf32Decoder(CharsetDecoder):
    """UTF-32 of a known byte order. Surrogates and numbers above 10FFFF are undecodable (D90)."""

    def __init__(self, order: Order) -> None:
        self._arguments = (order,)
        self._decode = utf_32_le_decode if order == "little" else utf_32_be_decode
        self._form = "<" if order == "little" else ">"
        self._shifts = (0, 8, 16, 24) if order == "little" else (24, 16, 8, 0)
        """By how many bits to shift a character for each of its bytes, in the order of the document."""

    def _decoded(self, data: bytes | memoryview) -> tuple[str, bytes]:
        complete = len(data) & ~3
        units = self._in_codec_order(data[:complete])
        try:
            text = self._decode(units)[0]
        except UnicodeDecodeError:
            text = self._decode_each(units)
        return text, bytes(data[complete:])

    def _in_codec_order(self, units: bytes | memoryview) -> bytes | memoryview:
        """Return whole characters in the byte order of the codec."""
        return units

    def _decode_each(self, units: bytes | memoryview) -> str:
        parts = []
        for start in range(0, len(units), _UNITS_AT_ONCE):
            chunk = units[start : start + _UNITS_AT_ONCE]
            try:
                parts.append(self._decode(chunk)[0])
            except UnicodeDecodeError:
                characters = unpack(f"{self._form}{len(chunk) // 4}I", chunk)
                parts.append("".join(map(self._character, characters)))
        return "".join(parts)

    def _character(self, unit: int) -> str:
        if unit < 0xD800 or 0xDFFF < unit < 0x110000:
            return chr(unit)
        return as_surrogates(bytes([unit >> shift & 0xFF for shift in self._shifts]))


class Ucs4Decoder(Utf32Decoder):
    """UCS-4 with the bytes in the order 2143 or 3412: they are put in order and decoded as UTF-32BE."""

    def __init__(self, order: Literal["2143", "3412"]) -> None:
        super().__init__("big")
        self._arguments = (order,)
        self._permutation = (1, 0, 3, 2) if order == "2143" else (2, 3, 0, 1)
        self._shifts = (16, 24, 0, 8) if order == "2143" else (8, 0, 24, 16)

    def _in_codec_order(self, units: bytes | memoryview) -> bytes | memoryview:
        ordered = bytearray(len(units))
        for to, origin in enumerate(self._permutation):
            ordered[to::4] = units[origin::4]
        return bytes(ordered)
