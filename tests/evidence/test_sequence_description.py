"""One UTF-8 sequence between its neighbours, under the label of a page."""

from __future__ import annotations

from typing import Any

import pytest
from support.cases import octets
from support.each import each

from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import NAMES, by_name
from feedcharset.charsets.single_byte import byte_table
from feedcharset.decide.resolve import resolve
from feedcharset.evidence.scripts import common_in
from feedcharset.evidence.sequence_description import CLOSING_MARKS, describe, page_of

PAGES = [by_name(name) for name in NAMES if by_name(name).family in ("single", "CJK")]


@each("charset", PAGES, ids=lambda charset: charset.name)
def test_the_page_of_a_charset(charset: Any) -> None:
    """The characters of its superset, as lenient decoding has them."""
    page = page_of(charset)
    if charset.family == "CJK":
        assert page[:-1] == (frozenset(), page.letters, page.capitals, page.lower, *3 * [frozenset()])
        for pair in page.rare:
            text = pair.decode("utf-8") + charset_decoder(charset, lenient=True).decode(pair, True)
            assert len(text) == 2
            assert common_in(text[1]) == []
        assert page.letters == page.capitals | page.lower
        assert bytes(sorted(page.letters)).decode("ascii").isalpha()
        assert bytes(sorted(page.capitals)).isupper()
        assert bytes(sorted(page.lower)).islower()
        return
    table = byte_table(charset.superset, True)
    for octet in range(0x80, 0x100):
        char = table[octet] if not "\udc80" <= table[octet] <= "\udcff" else ""
        assert (octet in page.letters) == char.isalpha()
        assert (octet in page.capitals) == char.isupper()
        assert (octet in page.lower) == char.islower()
        assert (octet in page.closing) == (char in CLOSING_MARKS and char != "")
        assert (octet in page.apostrophes) == (char == "’")
        assert not char or char in page.characters
    assert {octet for octet in page.letters if octet < 0x80} == set(range(0x41, 0x5B)) | set(
        range(0x61, 0x7B)
    )
    assert not any(char.isascii() or "\ud800" <= char <= "\udfff" for char in page.characters)


def test_the_pages_are_remembered_all() -> None:
    assert len(NAMES) <= page_of.cache_parameters()["maxsize"]


@pytest.mark.parametrize(
    ("before", "sequence", "pasted"),
    [
        (" ", "[C3 A9]", False),  # as a text about encodings quotes it
        (" ", "[E2 80 99]", False),
        (">", "[C3 A9]", False),
        (" ", "[E2 80 93]", True),
        ("(", "[C3 A9]", False),
        ("7", "[C3 A9]", True),
        ("A", "[C3 A9]", True),
        ("[ED]", "[C3 A9]", True),
        (" ", "[C4 8D]", False),
        (" ", "[ED A0 BD ED B8 8E]", True),
        (" ", "[ED 95 9C]", False),
        ("F", "[C9 A0]", False),
        ("M", "[C2 A0]", False),  # honest-looking here, though it is distinctive where all else is UTF-8
        (" ", "[C2 A0]", True),
        (" ", "[F0 9F 98 80]", True),
        (" ", "[F1 80 80 80]", False),
        ("x", "[C9 A0]", True),
        ("x", "[DF 85]", False),
        ("x", "[E2 80 9C]", True),
        ("m", "[E1 9A 85]", False),
    ],
)
def test_what_shows_utf8_among_other_bytes(before: str, sequence: str, pasted: bool) -> None:
    page = page_of(by_name("windows-1252"))
    assert describe(octets(sequence), octets(before)[0], 0x20, page).pasted is pasted


@pytest.mark.parametrize(
    ("before", "after", "combining"),
    [
        ("e", " ", True),
        ("e", "a", True),
        ("E", "a", True),
        ("E", " ", False),
        ("E", "A", False),
        (" ", "a", False),
    ],
)
def test_a_combining_mark_follows_an_ascii_letter(before: str, after: str, combining: bool) -> None:
    """A capital stands before it where a lower-case letter follows: `NÍŽE` in windows-1250 has none."""
    page = page_of(by_name("windows-1252"))
    assert describe("\u0301".encode(), ord(before), ord(after), page).combining is combining


@pytest.mark.parametrize(("neighbour", "alone"), [(0x20, True), (0x7F, True), (0x80, False), (0xFF, False)])
def test_a_rare_character_of_a_cjk_charset_is_alone_among_ascii(neighbour: int, alone: bool) -> None:
    """`à` is 脿 in GBK, common in no standard; beside other bytes it can be a part of two characters."""
    page = page_of(by_name("GBK"))
    assert describe("à".encode(), neighbour, 0x20, page).alone is alone
    assert describe("à".encode(), 0x20, neighbour, page).alone is alone


@pytest.mark.parametrize("label", ["GBK", "EUC-KR"])
@pytest.mark.parametrize("lead", range(0xC2, 0xC6))
def test_each_lead_of_latin_letters_is_alone_under_a_cjk_label(label: str, lead: int) -> None:
    """C2 to C5 lead the signs and letters of Latin-1 and Latin Extended-A; the label has characters there
    that are common in no standard. Of those of C2 GBK has controls only, EUC-KR also the no-break space."""
    page = page_of(by_name(label))
    rare = {pair for pair in page.rare if pair[0] == lead}
    assert len(rare) >= 20
    described = [describe(pair, 0x20, 0x20, page) for pair in rare]
    assert all(one.alone for one in described if one.script in ("latin", "sign") and not one.honest)
    assert any(one.alone for one in described) or (label, lead) == ("GBK", 0xC2)


@pytest.mark.parametrize("label", ["GBK", "EUC-KR"])
@pytest.mark.parametrize("sign", ["£", "©", "°", "«", "»", "®"])
def test_a_sign_under_a_cjk_label_is_utf8(label: str, sign: str) -> None:
    body = f"<?xml version='1.0' encoding='{label}'?><a>10 {sign} 5</a>".encode()
    decoded = charset_decoder(by_name(label), lenient=True).decode(sign.encode(), True)
    rare = len(decoded) == 1 and decoded.isalpha() and not common_in(decoded)
    assert resolve(body, complete=True).encoding == ("UTF-8" if rare else by_name(label).name)
