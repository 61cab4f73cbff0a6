"""ISO-2022-JP: its states, and what this library reads beyond the Encoding Standard."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load, octets
from support.each import each
from support.encoding_standard import index

import feedcharset
from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.iso2022jp import (
    ESCAPES_FOR_DAMAGE,
    ESCAPES_FOR_STRAY,
    SINGLE_BYTE_SETS,
    JisX0208,
    has_escapes,
)
from feedcharset.charsets.lookup import by_name
from feedcharset.charsets.undecodable_bytes import SURROGATES

JP = by_name("ISO-2022-JP")
PARTS = [
    b"\x1b(B",
    b"\x1b(J",
    b"\x1b(I",
    b"\x1b$B",
    b"\x1b$@",
    b"\x1b",
    b"abc",
    b"\x24\x22",
    b"\x5c",
    b"\n",
    b"\xff",
    b"<a>",
]


def decode(pieces: list[bytes], lenient: bool = True) -> str:
    decoder = charset_decoder(JP, lenient=lenient)
    return "".join(decoder.decode(piece) for piece in pieces) + decoder.decode(b"", True)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\x1b$B\x46\x7c\x4b\x5c\x1b(B<a>", "日本<a>"),
        (b"\x1b(J\x5c\x7e\x1b(B\x5c", "¥‾\\"),
        (b"\x1b(I\x31\x1b(B", "ｱ"),
        (b"\x1b$@\x46\x7c\x1b(B", "日"),
        ("日本語ニュース".encode("iso2022_jp"), "日本語ニュース"),
    ],
)
def test_the_states(data: bytes, text: str) -> None:
    assert decode([data]) == text
    for cut in range(len(data) + 1):
        assert decode([data[:cut], data[cut:]]) == text


@given(st.lists(st.sampled_from(PARTS), max_size=10).map(b"".join), st.integers(0, 40))
def test_damage_in_every_cut(data: bytes, cut: int) -> None:
    decoder = charset_decoder(JP, lenient=True)
    whole = decoder.decode(data, True)
    assert decode([data[:cut], data[cut:]]) == whole
    assert decode([data[at : at + 1] for at in range(len(data))]) == whole


def test_a_line_end_within_kanji_is_kept() -> None:
    """Beyond the standard: no line is lost where a document forgets to return to ASCII."""
    assert "\n" in decode([b"\x1b$B\x24\x22\n\x24\x22\x1b(B"])


def test_ascii_and_roman() -> None:
    """Encoding Standard §12.2.1: Roman has ¥ at 5C and ‾ at 7E. ESC is undecodable by itself."""
    ascii_set, roman = SINGLE_BYTE_SETS[b"\x1b(B"], SINGLE_BYTE_SETS[b"\x1b(J"]
    assert ascii_set[:0x1B] + ascii_set[0x1C:0x80] == "".join(chr(at) for at in range(128) if at != 0x1B)
    assert ascii_set[0x1B] + ascii_set[0x80:] == SURROGATES[0x1B] + SURROGATES[0x80:]
    differing = {at: roman[at] for at in range(256) if roman[at] != ascii_set[at]}
    assert differing == {0x5C: "¥", 0x7E: "‾"}


def test_katakana() -> None:
    """21 to 5F are half-width katakana; LF stays itself, all other bytes are undecodable."""
    known = {at: char for at, char in enumerate(SINGLE_BYTE_SETS[b"\x1b(I"]) if char != SURROGATES[at]}
    assert known == {0x0A: "\n"} | {at: chr(0xFF61 - 0x21 + at) for at in range(0x21, 0x60)}


def test_every_pair_of_the_standard() -> None:
    kanji = JisX0208(lenient=True)
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
        (b"\x1f", "\udc1f", "\x1f"),
        (b"", "", ""),
    ],
)
def test_two_byte_set(data: bytes, lenient: str, strict: str) -> None:
    assert JisX0208(lenient=True).text_of(data) == lenient
    assert JisX0208(lenient=False).text_of(data) == strict


@pytest.mark.parametrize(
    ("data", "incomplete"), [(b"", b""), (b"$", b"$"), (b'$"', b""), (b'$"$', b"$"), (b"$\n", b"")]
)
def test_incomplete_pair(data: bytes, incomplete: bytes) -> None:
    for lenient in (False, True):
        assert JisX0208(lenient=lenient).incomplete(data) == incomplete


@pytest.mark.parametrize("lenient", [True, False])
def test_long_damage_is_divided_as_short_damage(lenient: bool) -> None:
    """The pieces in which many pairs are decoded do not show."""
    pairs = JisX0208(lenient=lenient)
    for before in ([], [b"\n"]):
        units = [*before, *[b"\x30\x21", b"\x7e\x7e", b"\x80"] * 3000]
        data = b"".join(units)
        assert pairs.text_of(data) == "".join(map(pairs.text_of, units))
        assert pairs.incomplete(data + b"\x30") == b"\x30"


def test_strictly_an_escape_sequence_may_follow_another_one() -> None:
    data = b'\x1b$B\x1b(B\x1b$B$"\x1b(B\xff'
    assert decode([data], lenient=False) == "あ\udcff"
    assert decode([data[:3], data[3:]], lenient=False) == "あ\udcff"
    assert decode([data]) == "\udc1b\udd28\udd42\udc1b\udd24\udd42あ\udcff"


@each("case", load("escapes"), ids=lambda case: case["why"])
def test_escapes(case: dict[str, Any]) -> None:
    data = octets(case["octets"])
    assert has_escapes(data, True) is case["expected"]
    assert has_escapes(data, False) is case.get("unnamed", case["expected"])


def test_escapes_at_every_cut() -> None:
    """The bytes of a true document prove it as soon as the first escape is whole, or the first character
    where no label names it."""
    text = "日本語<b>日本</b>ﾆﾎﾝ".encode("iso2022_jp_ext") + b" plain"
    for cut in range(3, len(text) + 1):
        assert has_escapes(text[:cut], True)
        assert has_escapes(text[:cut], False) is (cut > 4)


def test_every_character_of_iso_2022_jp_is_text_of_its_set() -> None:
    """All characters that lenient reading decodes, those of Windows included."""
    pairs = [bytes((lead, trail)) for lead in range(0x21, 0x7F) for trail in range(0x21, 0x7F)]
    kanji = JisX0208(lenient=True)
    texts = [kanji.text_of(pair) for pair in pairs]
    known = [pair for pair, text in zip(pairs, texts, strict=True) if len(text) == 1]
    assert len(known) > 7000
    assert has_escapes(b"\x1b$B" + b"".join(known) + b"\x1b(B", False)


def test_a_damaged_byte_among_escapes() -> None:
    """One that became another, or was put in, anywhere; so many of them, and no other damage."""
    title = "<title>図書館の新しい本</title>".encode("iso2022_jp")
    text = title * ESCAPES_FOR_STRAY
    escapes = {found.start() + at for found in re.finditer(rb"\x1b", title) for at in range(3)}
    for at in range(len(title + text)):
        before, behind = (title + text)[:at] + b"\xe9", (title + text)[at:]
        assert has_escapes(before + behind, False)
        assert has_escapes(before + behind[1:], False) or at % len(title) in escapes
    assert has_escapes(text + b"\xe9", False)
    assert not has_escapes(title * (ESCAPES_FOR_STRAY - 1) + b"\xe9", False)
    assert not has_escapes(text + b"\xe9\xe9", False)
    assert has_escapes(b"\x1b$B\x1b(B\xa9", True)  # without any kanji
    assert not has_escapes(b"\x1b$B\x1b(B\xe9", True)
    assert not has_escapes(text + b"\xe9\x1b$Ba title", False)
    kanji = "図書館の新しい本"
    assert has_escapes(title + b"\xe9" * (len(kanji) - 1), True)
    assert not has_escapes(title + b"\xe9" * len(kanji), True)
    assert has_escapes(title + kanji[1:].encode(), True)
    assert not has_escapes(title + kanji.encode(), True)
    assert has_escapes(title * 2 + b"\x1b[0m", True)
    assert not has_escapes(title + b"\x1b[0m", True)
    damaged = title.replace(b"7$", b"7\0", 1)
    assert b"\0" in damaged
    assert has_escapes(title * (ESCAPES_FOR_DAMAGE - 1) + damaged, False)
    assert not has_escapes(title * (ESCAPES_FOR_DAMAGE - 2) + damaged, False)
    found = feedcharset.decode(b"\xe9" + text)
    assert found.resolution.encoding == "ISO-2022-JP"
    assert found.text == "\ufffd" + "<title>図書館の新しい本</title>" * ESCAPES_FOR_STRAY
    assert feedcharset.decode("é".encode() + text).resolution.encoding == "UTF-8"


@each("before", ["", "a", "plain words ", "\x1b$B4A;z\x1b(B "])
@each(
    "tail",
    [
        "</title></channel></rss>",
        "</title></entry></feed>",
        "</content></entry></feed>",
        "</summary></entry></feed>",
        "</title>\x1b(B</channel></rss>",
        "</a:b-1.c></a>",
    ],
)
def test_a_stray_escape_before_end_tags_takes_none_of_them_for_kanji(before: str, tail: str) -> None:
    data = f"{before}\x1b$B{tail}".encode()
    assert not has_escapes(data, False)
    assert has_escapes(data, True)
    body = b"<rss><channel><title>" + data
    assert feedcharset.decode(body, "application/rss+xml; charset=utf-8").text.endswith(tail[-6:])


@each("pairs", ["</", "</ab", "</ab>0", "</1>", "</ab>0</ab"])
def test_kanji_with_the_bytes_of_an_end_tag_are_kanji(pairs: str) -> None:
    assert has_escapes(f"\x1b$B{pairs}\x1b(B</title>".encode(), False)
