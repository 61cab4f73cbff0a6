"""The byte sequences of the East Asian charsets, and which of them Python's codecs read otherwise."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.undecodable_bytes import SURROGATES

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ByteSequences", "sequences_of", "undecodable_sequence", "windows_kanji"]

_EUC = r"[\xa1-\xfe]"


class ByteSequences(NamedTuple):
    """How a charset writes characters, and where its Python codec is not used."""

    codec: str
    sequence: re.Pattern[bytes]
    """A run of ASCII; a character of several bytes, assigned or not; the beginning of one at the end; or any
    one byte."""
    beginning: re.Pattern[bytes]
    """The beginning of a character."""
    own_readings: dict[bytes, str]
    """Sequences that are not read as the codec reads them; a surrogate makes a sequence undecodable."""
    suspect_characters: tuple[str, ...]
    """Characters that the codec returns for a sequence of `own_readings`."""
    suspect_bytes: bytes
    """Bytes that the codec reads in its own way."""
    additional: Callable[[bytes], str | None] | None
    """Decodes sequences that the codec does not know."""


# The bytes of complete characters, and of their beginnings. The trail bytes are those of the charset's
# definition, not only those for which the codec has a character.
_FORMS = {
    "gb2312": (f"{_EUC}{{2}}", _EUC),
    "gbk": (r"[\x81-\xfe][\x40-\x7e\x80-\xfe]", r"[\x81-\xfe]"),
    "gb18030": (
        r"[\x81-\xfe](?:[\x40-\x7e\x80-\xfe]|[0-9][\x81-\xfe][0-9])",
        r"[\x81-\xfe](?:[0-9][\x81-\xfe]?)?",
    ),
    "big5": (r"[\x81-\xfe][\x40-\x7e\xa1-\xfe]", r"[\x81-\xfe]"),
    "big5hkscs": (r"[\x81-\xfe][\x40-\x7e\xa1-\xfe]", r"[\x81-\xfe]"),
    "cp950": (r"[\x81-\xfe][\x40-\x7e\xa1-\xfe]", r"[\x81-\xfe]"),
    "shift_jis": (r"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]", r"[\x81-\x9f\xe0-\xfc]"),
    "cp932": (r"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]", r"[\x81-\x9f\xe0-\xfc]"),
    "euc_jp": (rf"\x8f{_EUC}{{2}}|[\x8e\xa1-\xfe]{_EUC}", rf"\x8f{_EUC}?|[\x8e\xa1-\xfe]"),
    "euc_jis_2004": (rf"\x8f{_EUC}{{2}}|[\x8e\xa1-\xfe]{_EUC}", rf"\x8f{_EUC}?|[\x8e\xa1-\xfe]"),
    "euc_kr": (f"{_EUC}{{2}}", _EUC),
    "cp949": (r"[\x81-\xfe][\x41-\x5a\x61-\x7a\x81-\xfe]", r"[\x81-\xfe]"),
}

# Windows reads these as private-use characters. Windows-31J as registered and the Encoding Standard do not
# define them.
_NOT_SHIFT_JIS = {bytes([byte]): SURROGATES[byte] for byte in (0xA0, 0xFD, 0xFE, 0xFF)}

# For Python's euc_kr, A4D4 begins eight bytes that spell one syllable (KS X 1001 annex 3) and is nothing
# else. For browsers, iconv and Python's own cp949 it is the filler U+3164.
_HANGUL_FILLER = {b"\xa4\xd4": "\u3164"}

# cp936 and the Encoding Standard read 80 as the euro sign.
_EURO = {b"\x80": "€"}


def windows_kanji(row: int, cell: int) -> str | None:
    """Return the character of Windows-31J at a row and a cell (from 0) of JIS X 0208; None where it has none.

    Windows adds NEC's row 13 (①, ㈱) and, in rows 89-92, NEC's selection of IBM's kanji (髙, 﨑).
    """
    lead = 0x81 + row // 2 + (0x40 if row > 61 else 0)
    trail = cell + 0x9F if row % 2 else cell + 0x40 + (cell > 62)
    try:
        return bytes((lead, trail)).decode("cp932")
    except UnicodeDecodeError:
        return None


def _additional_of_euc_jp(sequence: bytes) -> str | None:
    """Decode what documents in EUC-JP hold besides JIS X 0208 and 0212.

    First what Windows adds (code page 51932, and browsers), whose rows 89-92 JIS X 0213 gave to other kanji;
    then JIS X 0213.
    """
    if len(sequence) == 2 and sequence[0] > 0xA0:
        found = windows_kanji(sequence[0] - 0xA1, sequence[1] - 0xA1)
        if found is not None:
            return found
    try:
        return sequence.decode("euc_jis_2004")
    except UnicodeDecodeError:
        return None


# Pairs that Python's big5hkscs refuses, as cp950 reads them.
_NOT_HKSCS = {
    b"\xa3\xe1": "€",
    b"\xc6\xcf": "に",
    b"\xc6\xd3": "は",
    b"\xc6\xd5": "ぱ",
    b"\xc6\xd7": "び",
    b"\xc6\xde": "ぺ",
    b"\xc6\xdf": "ほ",
}

_OWN_READINGS = {
    "cp932": _NOT_SHIFT_JIS,
    "euc_kr": _HANGUL_FILLER,
    "big5hkscs": _NOT_HKSCS,
}


@lru_cache(maxsize=32)  # at most two for each of the 12 codecs
def sequences_of(codec: str, lenient: bool) -> ByteSequences:
    """Return the byte sequences of the charset that a codec decodes.

    Args:
        codec: the Python codec of an East Asian charset of the table.
        lenient: with what documents under the charset's label add.
    """
    complete, beginning = _FORMS[codec]
    return ByteSequences(
        codec,
        re.compile(rf"[\x00-\x7f]+|{complete}|(?:{beginning})\Z|.".encode("ascii"), re.DOTALL),
        re.compile(beginning.encode("ascii")),
        _EURO if lenient and codec == "gb18030" else _OWN_READINGS.get(codec, {}),
        ("\uf8f0", "\uf8f1", "\uf8f2", "\uf8f3") if codec == "cp932" else (),
        b"\xa4\xd4" if codec == "euc_kr" else b"",
        _additional_of_euc_jp if lenient and codec == "euc_jp" else None,
    )


def undecodable_sequence(sequence: bytes) -> str:
    """Return the text of an undecodable sequence: surrogates, but ASCII bytes stay themselves."""
    return "".join(chr(byte) if byte < 0x80 else SURROGATES[byte] for byte in sequence)
