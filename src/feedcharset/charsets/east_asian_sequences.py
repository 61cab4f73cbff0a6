"""The byte sequences of the East Asian charsets, and which of them Python's codecs do not decode as we do.

Lenient decoding is the Encoding Standard's: codec_differences.py lists what Python's codecs read otherwise.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.codec_differences import ADDITIONS, REPLACEMENTS, SEQUENCES
from feedcharset.charsets.undecodable_bytes import SURROGATES, as_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ByteSequences", "sequences_of", "standard_additions", "undecodable_sequence"]


class ByteSequences(NamedTuple):
    """How a charset writes characters, and where its Python codec is not used."""

    codec: str
    subset: str
    """A faster codec that knows fewer sequences and decodes them in the same way; "" for none."""
    sequence: re.Pattern[bytes]
    """A run of ASCII; a sequence of several bytes, assigned or not; the beginning of one at the end; or any
    one byte. It divides damage as the Encoding Standard does."""
    beginning: re.Pattern[bytes]
    """The beginning of a sequence."""
    readings: dict[bytes, str]
    """Sequences that are not decoded by the codec; a surrogate makes a sequence undecodable."""
    replacements: tuple[tuple[str, str], ...]
    """Characters of the codec, and the characters that stand for them."""
    suspects: tuple[tuple[str, bytes], ...]
    """A character that the codec returns for a sequence of `readings`, and that sequence. Text with the
    character from bytes with the sequence is decoded sequence by sequence."""
    additional: Callable[[bytes], str | None] | None
    """Decodes sequences that neither the codec nor `readings` know."""


# The sequences of several bytes, and their beginnings. After a lead byte that makes no character with the
# next byte, an ASCII byte is read again; any other byte belongs to the damage (Encoding Standard, sections
# 10-13).
_GBK = (r"[\x81-\xfe][\x40-\x7e\x80-\xff]", r"[\x81-\xfe]")
_EUC_JP = (
    r"\x8f[\xa1-\xfe][\x80-\xff]|\x8f[\xa1-\xfe](?=[\x00-\x7f])|\x8f[\x80-\xa0\xff]|[\x8e\xa1-\xfe][\x80-\xff]",
    r"\x8f[\xa1-\xfe]?|[\x8e\xa1-\xfe]",
)
_SHIFT_JIS = (r"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xff]", r"[\x81-\x9f\xe0-\xfc]")
_EUC_KR = (r"[\x81-\xfe][\x41-\x5a\x61-\x7a\x80-\xff]", r"[\x81-\xfe]")
_FORMS = {
    "gb2312": _GBK,
    "gbk": _GBK,
    "gb18030": (
        r"[\x81-\xfe](?:[\x40-\x7e\x80-\xff]|[0-9][\x81-\xfe][0-9])",
        r"[\x81-\xfe](?:[0-9][\x81-\xfe]?)?",
    ),
    "big5": _GBK,
    "big5hkscs": _GBK,
    "cp950": _GBK,
    "shift_jis": _SHIFT_JIS,
    "cp932": _SHIFT_JIS,
    "shift_jis_2004": _SHIFT_JIS,
    "euc_jp": _EUC_JP,
    "euc_jis_2004": _EUC_JP,
    "euc_kr": _EUC_KR,
    "cp949": _EUC_KR,
}

# cp932 has private-use characters for these bytes. Windows-31J as registered and the Encoding Standard do not
# define them.
_NOT_SHIFT_JIS = {"\uf8f0": b"\xa0", "\uf8f1": b"\xfd", "\uf8f2": b"\xfe", "\uf8f3": b"\xff"}

# Python's shift_jis_2004 has JIS X 0201 for ASCII. Documents have the backslash and the tilde there.
_NOT_ROMAN = (("\xa5", "\\"), ("\u203e", "~"))

# For Python's euc_kr, A4D4 begins eight bytes that spell one syllable (KS X 1001 annex 3) and is nothing
# else. For browsers, iconv and Python's own cp949 it is the filler U+3164.
_HANGUL_FILLER = b"\xa4\xd4"


def _jis_x_0213(sequence: bytes) -> str | None:
    """Decode what documents in EUC-JP hold beyond the Encoding Standard: JIS X 0213."""
    try:
        return sequence.decode("euc_jis_2004")
    except UnicodeDecodeError:
        return None


@lru_cache(maxsize=32)  # at most two for each of the 13 codecs
def sequences_of(codec: str, lenient: bool) -> ByteSequences:
    """Return the byte sequences of the charset that a codec decodes.

    Args:
        codec: the Python codec of an East Asian charset of the table.
        lenient: as the Encoding Standard decodes it, and JIS X 0213 in EUC-JP. Otherwise as the codec does.
    """
    complete, beginning = _FORMS[codec]
    readings: dict[bytes, str] = {}
    replacements: tuple[tuple[str, str], ...] = ()
    suspects: tuple[tuple[str, bytes], ...] = ()
    if codec == "cp932":
        readings = {byte: SURROGATES[byte[0]] for byte in _NOT_SHIFT_JIS.values()}
        suspects = tuple(_NOT_SHIFT_JIS.items())
    elif codec == "euc_kr":
        readings, suspects = {_HANGUL_FILLER: "\u3164"}, (("", _HANGUL_FILLER),)
    elif codec == "shift_jis_2004":
        replacements = _NOT_ROMAN
    elif lenient and codec in REPLACEMENTS:
        pairs = REPLACEMENTS[codec]
        replacements = tuple(zip(pairs[::2], pairs[1::2], strict=True))
        listed = {bytes.fromhex(one): text for one, text in SEQUENCES[codec].items()}
        readings = standard_additions(codec) | {one: text[1] for one, text in listed.items()}
        suspects = tuple((text[0], one) for one, text in listed.items())
    return ByteSequences(
        codec,
        "gbk" if codec == "gb18030" else "",
        re.compile(rf"[\x00-\x7f]+|{complete}|(?:{beginning})\Z|.".encode("ascii"), re.DOTALL),
        re.compile(beginning.encode("ascii")),
        readings,
        replacements,
        suspects,
        _jis_x_0213 if lenient and codec == "euc_jp" else None,
    )


def standard_additions(codec: str) -> dict[bytes, str]:
    """Return the sequences that the Encoding Standard defines and a codec does not know."""
    found: dict[bytes, str] = {}
    for first, characters in ADDITIONS[codec].items():
        lead, last = bytes.fromhex(first)[:-1], bytes.fromhex(first)[-1]
        found.update((lead + bytes([last + at]), text) for at, text in enumerate(characters))
    return found


def undecodable_sequence(sequence: bytes) -> str:
    """Return the text of an undecodable sequence; an ASCII byte after a lead byte stays itself."""
    if len(sequence) == 2 and sequence[1] < 0x80:
        return SURROGATES[sequence[0]] + chr(sequence[1])
    return as_surrogates(sequence)
