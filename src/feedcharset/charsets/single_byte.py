"""The decoder of single-byte charsets, EBCDIC included: one table lookup in C for each piece.

The table has 256 characters. A byte that the charset leaves undefined has its surrogate there
(undecodable_bytes.py), so decoding never fails.
"""

from __future__ import annotations

from codecs import charmap_decode
from functools import lru_cache
from typing import TYPE_CHECKING

from feedcharset.charsets.lookup import Charset
from feedcharset.charsets.undecodable_bytes import SURROGATES

if TYPE_CHECKING:
    from feedcharset.charsets.byte_offsets import ByteCounter

__all__ = ["SingleByteDecoder", "byte_table", "single_byte_decoder"]

# IBM1047 is IBM037 but for these bytes (IBM CDRA, code page 1047); 15 and 25, LF and NEL, are exchanged as
# on Unix System Services.
_IBM1047 = {0x15: "\n", 0x25: "\x85", 0x5F: "^", 0xAD: "[", 0xB0: "¬", 0xBA: "Ý", 0xBB: "¨", 0xBD: "]"}

# Python's cp864 has the Arabic percent sign at 25. All ASCII-compatible charsets have "%" there, and markup
# and URLs need it.
_IBM864 = {0x25: "%"}


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

    def byte_count(self, text: str) -> int:
        """Return how many bytes `text` was decoded from."""
        return len(text)

    def byte_counter(self) -> ByteCounter:
        """Return the byte counter of the last piece."""
        return _same_number


def _same_number(index: int) -> int:
    return index


def single_byte_decoder(charset: Charset, *, lenient: bool) -> SingleByteDecoder:
    """Return the decoder of a charset whose family is US-ASCII, single or EBCDIC, as it is named.

    Args:
        charset: the charset.
        lenient: decode the bytes 80-9F that a Windows page leaves undefined to the C1 control of that number,
            as the index files of the Encoding Standard do.
    """
    table = byte_table(charset.name, charset.codec, lenient and charset.name.startswith("windows-"))
    return SingleByteDecoder(table, ascii_compatible=charset.ascii_compatible)


@lru_cache(maxsize=256)  # at most two for each row of the closed table
def byte_table(name: str, codec: str | None, controls: bool) -> str:
    """Return the 256 characters of a charset.

    Args:
        name: the charset's name.
        codec: its Python codec; None for a charset that is made here.
        controls: put C1 controls where the bytes 80-9F are undefined.
    """
    if name == "IBM1047":
        return _replaced(byte_table("IBM037", "cp037", False), _IBM1047)
    table = "".join(_character(byte, codec or "ascii", controls) for byte in range(256))
    return _replaced(table, _IBM864) if name == "IBM864" else table


def _character(byte: int, codec: str, controls: bool) -> str:
    try:
        return bytes([byte]).decode(codec)
    except UnicodeDecodeError:
        return chr(byte) if controls and byte < 0xA0 else SURROGATES[byte]


def _replaced(table: str, characters: dict[int, str]) -> str:
    return "".join(characters.get(byte, character) for byte, character in enumerate(table))
