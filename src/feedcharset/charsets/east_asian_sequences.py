"""What characters look like in the East Asian charsets of one to four octets a character, and where Python's
codecs are not to be trusted.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.undecodable_bytes import MARKS

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Shape", "damaged", "shape_of", "windows_kanji"]

_EUC = r"[\xa1-\xfe]"


class Shape(NamedTuple):
    """What characters look like in a charset, and where its Python codec is not to be trusted."""

    codec: str
    token: re.Pattern[bytes]
    """A run of ASCII; a character of several octets, known or not; the beginning of one at the end; or any
    one octet."""
    partial: re.Pattern[bytes]
    """The beginning of a character."""
    special: dict[bytes, str]
    """What single characters are read as instead of what the codec says; a mark makes them damage."""
    suspects: tuple[str, ...]
    """Characters of the codec that a special one replaces: text with one of them is read with care."""
    suspect_octets: bytes
    """Octets that the codec reads in its own way."""
    more: Callable[[bytes], str | None] | None
    """What knows characters that the codec does not."""


# Octets of whole characters, and of their beginnings. The trail octets are those of the charset's
# definition, not only those that the codec knows a character for.
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

# Windows reads these as private characters; neither Windows-31J as registered nor the Encoding Standard knows
# them.
_NOT_SHIFT_JIS = {bytes([octet]): MARKS[octet] for octet in (0xA0, 0xFD, 0xFE, 0xFF)}

# Python's euc_kr takes A4D4 for the beginning of eight octets that spell one syllable (KS X 1001 annex 3),
# and for nothing else. Browsers, iconv and Python's own cp949 know it as the filler U+3164.
_HANGUL_FILLER = {b"\xa4\xd4": "\u3164"}

# cp936 and the Encoding Standard read 80 as the euro sign.
_EURO = {b"\x80": "€"}


def windows_kanji(row: int, cell: int) -> str | None:
    """The character of a row and a cell (from 0) of JIS X 0208, as Windows-31J has it; None for no such.

    Windows adds NEC's row 13 (①, ㈱) and, in rows 89-92, NEC's selection of IBM's kanji (髙, 﨑).
    """
    lead = 0x81 + row // 2 + (0x40 if row > 61 else 0)
    trail = cell + 0x9F if row % 2 else cell + 0x40 + (cell > 62)
    try:
        return bytes((lead, trail)).decode("cp932")
    except UnicodeDecodeError:
        return None


def _more_of_euc_jp(token: bytes) -> str | None:
    """What documents in EUC-JP hold beside JIS X 0208 and 0212: first what Windows adds (code page 51932,
    and browsers), whose rows 89-92 JIS X 0213 gave to other kanji; then JIS X 0213."""
    if len(token) == 2 and token[0] > 0xA0:
        found = windows_kanji(token[0] - 0xA1, token[1] - 0xA1)
        if found is not None:
            return found
    try:
        return token.decode("euc_jis_2004")
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

_SPECIAL = {
    "cp932": _NOT_SHIFT_JIS,
    "euc_kr": _HANGUL_FILLER,
    "big5hkscs": _NOT_HKSCS,
}


@lru_cache(maxsize=32)  # at most two for each of the 12 codecs
def shape_of(codec: str, lenient: bool) -> Shape:
    """The shape of the charset that a codec decodes; `lenient`: with what documents under its label add."""
    whole, partial = _FORMS[codec]
    return Shape(
        codec,
        re.compile(rf"[\x00-\x7f]+|{whole}|(?:{partial})\Z|.".encode("ascii"), re.DOTALL),
        re.compile(partial.encode("ascii")),
        _EURO if lenient and codec == "gb18030" else _SPECIAL.get(codec, {}),
        ("\uf8f0", "\uf8f1", "\uf8f2", "\uf8f3") if codec == "cp932" else (),
        b"\xa4\xd4" if codec == "euc_kr" else b"",
        _more_of_euc_jp if lenient and codec == "euc_jp" else None,
    )


def damaged(token: bytes) -> str:
    """The text of a character that the charset does not know: marks, but ASCII octets stay themselves."""
    return "".join(chr(octet) if octet < 0x80 else MARKS[octet] for octet in token)
