"""UTF-8 sequences under a legacy label."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load, octets
from support.effort import effort

from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import NAMES, by_name, lookup
from feedcharset.charsets.single_byte import byte_table
from feedcharset.evidence.scripts import common_in
from feedcharset.evidence.utf8_sequences import (
    CLOSING_MARKS,
    ENOUGH,
    SEQUENCE,
    count_sequences,
    describe,
    page_of,
)
from feedcharset.results import SequenceCount

CASES = load("sequences")
NOTHING = dict.fromkeys(SequenceCount._fields[1:], 0)
PAGES = [by_name(name) for name in NAMES if by_name(name).family in ("single", "CJK")]


def count(text: bytes, label: str) -> SequenceCount:
    """The count under a label."""
    charset = lookup(label)
    assert charset is not None
    return count_sequences(text, charset)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_table(case: dict[str, Any]) -> None:
    found = count(octets(case["octets"]), case["label"])
    assert found._asdict() == {"charset": case["label"], **NOTHING, **case["expected"]}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_table_with_ascii_around_it(case: dict[str, Any]) -> None:
    text = b"<title> " + octets(case["octets"]) + b" </title>"
    assert count(text, case["label"]) == count(octets(case["octets"]), case["label"])


@given(
    st.lists(
        st.sampled_from([*range(0x7E, 0x82), *range(0x8E, 0x92), *range(0x9E, 0xA2), *range(0xBE, 0x100)])
    )
)
def test_a_sequence_is_what_utf8_has(values: list[int]) -> None:
    """Unicode, table 3-7: well-formed UTF-8 byte sequences."""
    text = bytes(values)
    read = text.decode("utf-8", "surrogateescape")
    beyond = [char.encode() for char in read if char > "\x7f" and not "\udc80" <= char <= "\udcff"]
    assert SEQUENCE.findall(text) == beyond


def test_every_character_is_a_sequence() -> None:
    text = "".join(map(chr, [*range(0x80, 0xD800), *range(0xE000, 0x3000), *range(0xFF00, 0x10FFFF, 97)]))
    assert SEQUENCE.findall(text.encode()) == [char.encode() for char in text]


@given(st.text(max_size=30), st.sampled_from(PAGES))
def test_the_numbers_fit_each_other(text: str, charset: Any) -> None:
    """Every number counts some of the sequences, or distinct ones."""
    found = count_sequences(text.encode("utf-8", "ignore"), charset)
    beyond = [char for char in text if char > "\x7f" and not "\ud800" <= char <= "\udfff"]
    assert found.sequences == len(beyond)
    assert found.distinct == len(set(beyond))
    assert found.within_word <= found.after_letter <= found.in_use <= found.sequences
    assert (
        max(found.distinctive, found.in_page, found.sure, found.pasted, found.after_lower) <= found.sequences
    )
    assert found.one_script <= found.distinct
    assert (found.in_a_row > 0) == (found.sequences > 0)


def test_counting_ends() -> None:
    text = "é".encode() * (ENOUGH + 5)
    assert count(text, "windows-1252").sequences == ENOUGH
    assert count_sequences(text, by_name("windows-1252"), 3).in_a_row == 3


def test_a_million_sequences_cost_no_more_than_enough_of_them() -> None:
    def look(times: int) -> None:
        count_sequences("é".encode() * times, by_name("windows-1252"))

    assert effort(look, 1_000_000) < 10 * effort(look, ENOUGH)


@pytest.mark.parametrize("charset", PAGES, ids=lambda charset: charset.name)
def test_the_page_of_a_charset(charset: Any) -> None:
    """The characters of its superset, as lenient decoding has them."""
    page = page_of(charset)
    if charset.family == "CJK":
        assert page[:-1] == (frozenset(), page.letters, page.capitals, page.lower, frozenset(), frozenset())
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
