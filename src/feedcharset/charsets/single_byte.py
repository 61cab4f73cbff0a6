"""The decoder of single-byte charsets, EBCDIC included: one table lookup in C for each piece.

The table has 256 characters. A byte that the charset leaves undefined has its surrogate there
(undecodable_bytes.py), so decoding never fails.
"""

from __future__ import annotations

from codecs import charmap_decode
from functools import lru_cache
from typing import TYPE_CHECKING

from feedcharset.charsets.ebcdic_pages import EBCDIC_PAGES
from feedcharset.charsets.lookup import WINDOWS_PAGES, Charset, by_name
from feedcharset.charsets.undecodable_bytes import SURROGATES

if TYPE_CHECKING:
    from feedcharset.charsets.utf import ByteCounter

__all__ = ["SingleByteDecoder", "byte_table", "single_byte_decoder"]

# IBM1047 is IBM037 but for these bytes (IBM CDRA, code page 1047); 15 and 25, LF and NEL, are exchanged as
# on Unix System Services.
_IBM1047 = {0x15: "\n", 0x25: "\x85", 0x5F: "^", 0xAD: "[", 0xB0: "¬", 0xBA: "Ý", 0xBB: "¨", 0xBD: "]"}

# Python's cp864 has the Arabic percent sign at 25. All ASCII-compatible charsets have "%" there, and markup
# and URLs need it.
_IBM864 = {0x25: "%"}

# What the Encoding Standard's indexes have and Python's codecs do not: the Belarusian letter of KOI8-U, a
# Hebrew point of windows-1255.
_STANDARD = {"KOI8-U": {0xAE: "ў", 0xBE: "Ў"}, "windows-1255": {0xCA: "\u05ba"}}


class SingleByteDecoder:
    """Decodes one byte to one character."""

    __slots__ = ("_ascii_compatible", "_table")

    def __init__(self, table: str, *, ascii_compatible: bool) -> None:
        self._table = table
        self._ascii_compatible = ascii_compatible

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the characters of these bytes; an undefined byte becomes its surrogate."""
        if self._ascii_compatible and isinstance(data, bytes) and data.isascii():
            return data.decode("ascii")
        return charmap_decode(data, "strict", self._table)[0]

    @property
    def pending(self) -> bytes:
        """Return no bytes: nothing is held back."""
        return b""

    def byte_counter(self) -> ByteCounter:
        """Return the byte counter of the last piece."""
        return _same_number


def _same_number(index: int) -> int:
    return index


def single_byte_decoder(charset: Charset, *, lenient: bool, xml_1_1: bool = False) -> SingleByteDecoder:
    """Return the decoder of a charset whose family is US-ASCII, single or EBCDIC.

    Args:
        charset: the charset.
        lenient: decode as `byte_table` describes.
        xml_1_1: the document is XML 1.1.
    """
    table = byte_table(charset.name, lenient, xml_1_1)
    return SingleByteDecoder(table, ascii_compatible=charset.ascii_compatible)


@lru_cache(maxsize=512)  # at most three for each row of the closed table
def byte_table(name: str, lenient: bool, xml_1_1: bool = False) -> str:
    """Return the 256 characters of a charset.

    Args:
        name: the charset's name.
        lenient: as the Encoding Standard has them: the bytes 80-9F that a Windows page leaves undefined are
            the C1 control of that number. But those of an ISO-8859 page are read as in the Windows page.
        xml_1_1: the document is XML 1.1, where 85 is a line end (NEL) in an ISO-8859 page.
    """
    if name == "IBM1047":
        return _replaced(byte_table("IBM037", False), _IBM1047)
    if name in EBCDIC_PAGES:
        items = EBCDIC_PAGES[name].split(" ")
        return _replaced(byte_table("IBM037", False), {int(item[:2], 16): item[2:] for item in items})
    codec = by_name(name).codec or "ascii"
    table = "".join(_character(byte, codec) for byte in range(256))
    if name == "IBM864":
        return _replaced(table, _IBM864)
    if not lenient:
        return table
    if name in WINDOWS_PAGES:
        windows = byte_table(WINDOWS_PAGES[name], True)
        return (
            table[:0x80]
            + windows[0x80:0x85]
            + (table if xml_1_1 else windows)[0x85]
            + windows[0x86:0xA0]
            + table[0xA0:]
        )
    if name.startswith("windows-"):
        table = _replaced(
            table, {byte: chr(byte) for byte in range(0x80, 0xA0) if table[byte] == SURROGATES[byte]}
        )
    return _replaced(table, _STANDARD.get(name, {}))


def _character(byte: int, codec: str) -> str:
    try:
        return bytes([byte]).decode(codec)
    except UnicodeDecodeError:
        return SURROGATES[byte]


def _replaced(table: str, characters: dict[int, str]) -> str:
    return "".join(characters.get(byte, character) for byte, character in enumerate(table))
