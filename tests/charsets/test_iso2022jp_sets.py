"""The character sets of ISO-2022-JP, one by one."""

from __future__ import annotations

import pytest
from support.encoding_standard import index

from feedcharset.charsets.iso2022jp_sets import (
    SINGLE_BYTE_SETS,
    TO_ASCII,
    TO_KATAKANA,
    TO_ROMAN,
    TwoByteSet,
)
from feedcharset.charsets.undecodable_bytes import SURROGATES


def test_ascii_and_roman() -> None:
    """Encoding Standard §12.2.1: Roman has ¥ at 5C and ‾ at 7E. ESC is undecodable by itself."""
    ascii_set, roman = SINGLE_BYTE_SETS[TO_ASCII], SINGLE_BYTE_SETS[TO_ROMAN]
    assert ascii_set[:0x1B] + ascii_set[0x1C:0x80] == "".join(chr(at) for at in range(128) if at != 0x1B)
    assert ascii_set[0x1B] + ascii_set[0x80:] == SURROGATES[0x1B] + SURROGATES[0x80:]
    differing = {at: roman[at] for at in range(256) if roman[at] != ascii_set[at]}
    assert differing == {0x5C: "¥", 0x7E: "‾"}


def test_katakana() -> None:
    """21 to 5F are half-width katakana; LF stays itself, all other bytes are undecodable."""
    known = {at: char for at, char in enumerate(SINGLE_BYTE_SETS[TO_KATAKANA]) if char != SURROGATES[at]}
    assert known == {0x0A: "\n"} | {at: chr(0xFF61 - 0x21 + at) for at in range(0x21, 0x60)}


def test_every_pair_of_the_standard() -> None:
    kanji = TwoByteSet(lenient=True)
    pairs = {data: text for data, text in index("EUC-JP").items() if len(data) == 2 and data[0] > 0xA0}
    for data, text in pairs.items():
        pair = bytes(byte & 0x7F for byte in data)
        assert kanji.text_of(pair) == kanji.text_of(pair + b"\n")[:-1] == text


@pytest.mark.parametrize(
    ("data", "lenient", "strict"),
    [
        (b'$"', "あ", "あ"),
        (b"!A", "～", "〜"),
        (b"-!", "①", "\udc2d\udd21"),
        (b"$\n", "\udc24\n", "\udc24\n"),
        (b"$ ", "\udc24\udd20", "\udc24\udc20"),
        (b"\t", "\udc09", "\t"),
        (b"", "", ""),
    ],
)
def test_two_byte_set(data: bytes, lenient: str, strict: str) -> None:
    assert TwoByteSet(lenient=True).text_of(data) == lenient
    assert TwoByteSet(lenient=False).text_of(data) == strict


@pytest.mark.parametrize(
    ("data", "incomplete"), [(b"", b""), (b"$", b"$"), (b'$"', b""), (b'$"$', b"$"), (b"$\n", b"")]
)
def test_incomplete_pair(data: bytes, incomplete: bytes) -> None:
    for lenient in (False, True):
        assert TwoByteSet(lenient=lenient).incomplete(data) == incomplete


@pytest.mark.parametrize("lenient", [True, False])
def test_long_damage_is_divided_as_short_damage(lenient: bool) -> None:
    """The pieces in which many pairs are decoded do not show."""
    pairs = TwoByteSet(lenient=lenient)
    for before in ([], [b"\n"]):
        units = [*before, *[b"\x30\x21", b"\x7e\x7e", b"\x80"] * 3000]
        data = b"".join(units)
        assert pairs.text_of(data) == "".join(map(pairs.text_of, units))
        assert pairs.incomplete(data + b"\x30") == b"\x30"
