"""UTF-8 sequences under a legacy label."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load, octets
from support.effort import growth

from feedcharset.charsets.lookup import NAMES, by_name, lookup
from feedcharset.evidence.sequence_description import describe, page_of
from feedcharset.evidence.utf8_sequences import ENOUGH, SEQUENCE, count_sequences
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


HONEST = [case for case in CASES if "honest" in case["why"].partition(":")[0]]


@pytest.mark.parametrize("case", HONEST, ids=lambda case: case["why"])
def test_a_case_is_honest_where_it_claims_to_be(case: dict[str, Any]) -> None:
    """Some honest sequences count as others do, because documents hardly hold their characters."""
    data, charset = b" " + octets(case["octets"]) + b" ", lookup(case["label"])
    match = SEQUENCE.search(data)
    assert charset is not None
    assert match is not None
    found = describe(match[0], data[match.start() - 1], data[match.end()], page_of(charset))
    assert found.honest is not case["why"].startswith("not honest")


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

    assert growth(look, ENOUGH, 1_000_000, most=40) < 40
