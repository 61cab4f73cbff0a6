"""Engines for charsets of one octet a character, EBCDIC among them: one table lookup in C for each piece.

The table has 256 characters, and an octet that the charset leaves undefined has its mark there, so that
nothing can fail.
"""

from __future__ import annotations

from codecs import charmap_decode
from functools import lru_cache
from typing import TYPE_CHECKING

from feedcharset.charsets.lookup import Charset
from feedcharset.charsets.undecodable_bytes import MARKS

if TYPE_CHECKING:
    from feedcharset.charsets.byte_offsets import Measure

__all__ = ["TableEngine", "octet_table", "table_engine"]

# IBM1047 is IBM037 with these octets of another meaning (IBM CDRA, code page 1047); 15 and 25, LF and NEL,
# are exchanged as on Unix System Services.
_IBM1047 = {0x15: "\n", 0x25: "\x85", 0x5F: "^", 0xAD: "[", 0xB0: "¬", 0xBA: "Ý", 0xBB: "¨", 0xBD: "]"}

# Python's cp864 has the Arabic percent sign where all ASCII-compatible charsets have this one; markup and
# URLs need it.
_IBM864 = {0x25: "%"}


class TableEngine:
    """One octet, one character."""

    __slots__ = ("_ascii", "_table")

    def __init__(self, table: str, *, ascii_compatible: bool) -> None:
        self._table = table
        self._ascii = ascii_compatible

    def decode(self, octets: bytes | memoryview, final: bool = False) -> str:
        """The characters of these octets; marks for those that are undefined."""
        if self._ascii and isinstance(octets, bytes) and octets.isascii():
            return octets.decode("ascii")
        return charmap_decode(octets, "strict", self._table)[0]

    @property
    def pending(self) -> bytes:
        """Nothing is ever held back."""
        return b""

    def width(self, text: str) -> int:
        """How many octets `text` was decoded from."""
        return len(text)

    def measure(self) -> Measure:
        """Each character is one octet."""
        return _as_many


def _as_many(index: int) -> int:
    return index


def table_engine(charset: Charset, *, lenient: bool) -> TableEngine:
    """The engine of a charset whose family is US-ASCII, single or EBCDIC, as it is named.

    Args:
        charset: the charset.
        lenient: whether 80-9F that a Windows page leaves undefined are the C1 controls of that number, as
            in the Encoding Standard's index files.
    """
    table = octet_table(charset.name, charset.codec, lenient and charset.name.startswith("windows-"))
    return TableEngine(table, ascii_compatible=charset.ascii_compatible)


@lru_cache(maxsize=256)  # at most two for each row of the closed table
def octet_table(name: str, codec: str | None, controls: bool) -> str:
    """The 256 characters of a charset; `controls`: with C1 controls where 80-9F are undefined."""
    if name == "IBM1047":
        return _exchange(octet_table("IBM037", "cp037", False), _IBM1047)
    table = "".join(_character(octet, codec or "ascii", controls) for octet in range(256))
    return _exchange(table, _IBM864) if name == "IBM864" else table


def _character(octet: int, codec: str, controls: bool) -> str:
    try:
        return bytes([octet]).decode(codec)
    except UnicodeDecodeError:
        return chr(octet) if controls and octet < 0xA0 else MARKS[octet]


def _exchange(table: str, characters: dict[int, str]) -> str:
    return "".join(characters.get(octet, character) for octet, character in enumerate(table))
