"""UTF-8 sequences under a legacy label."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load, octets
from support.each import each
from support.effort import growth

from feedcharset.charsets.lookup import NAMES, by_name, lookup
from feedcharset.evidence import utf8_sequences
from feedcharset.evidence.sequence_description import describe, page_of
from feedcharset.evidence.utf8_sequences import ENOUGH, SEQUENCE, count_sequences, find_sequences
from feedcharset.results import SequenceCount

CASES = load("sequences")
NOTHING = dict.fromkeys(SequenceCount._fields[1:], 0)
PAGES = [by_name(name) for name in NAMES if by_name(name).family in ("single", "CJK")]


def count(text: bytes, label: str) -> SequenceCount:
    """The count under a label."""
    charset = lookup(label)
    assert charset is not None
    return count_sequences(text, charset)


@each("case", CASES, ids=lambda case: case["why"])
def test_table(case: dict[str, Any]) -> None:
    found = count(octets(case["octets"]), case["label"])
    assert found._asdict() == {"charset": case["label"], **NOTHING, **case["expected"]}


@each("case", CASES, ids=lambda case: case["why"])
def test_table_with_ascii_around_it(case: dict[str, Any]) -> None:
    text = b"<title> " + octets(case["octets"]) + b" </title>"
    assert count(text, case["label"]) == count(octets(case["octets"]), case["label"])


HONEST = [case for case in CASES if "honest" in case["why"].partition(":")[0]]


@each("case", HONEST, ids=lambda case: case["why"])
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
    assert count_sequences(text, by_name("windows-1252")).in_a_row == ENOUGH


def test_a_million_sequences_cost_no_more_than_enough_of_them() -> None:
    def look(times: int) -> None:
        count_sequences("é".encode() * times, by_name("windows-1252"))

    assert growth(look, ENOUGH, 1_000_000, most=40) < 40


@given(
    st.lists(
        st.sampled_from(
            [b"\xc3\xa9", b"\xe4\xb8\xad", b"\xf0\x9f\x98\x80", b"\xed\xa0\xbd\xed\xb8\x8e", b"\xed\x95\x9c"]
            + [bytes([byte]) for byte in b"\xc3\xa9\xe2\x80\xed\xf0\xff\xc0 a"]
        ),
        max_size=30,
    ).map(b"".join),
    st.sampled_from([1, 2, 3, 7, 1000]),
)
def test_the_sequences_are_those_of_the_expression(data: bytes, part: int) -> None:
    """Also where a sequence begins in one part and ends in another."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(utf8_sequences, "FIRST_CLASSED", part)
        assert list(find_sequences(data)) == [match.span() for match in SEQUENCE.finditer(data)]


@pytest.mark.parametrize(("asked", "counted"), [(0, 16), (1, 128), (2, ENOUGH)])
@pytest.mark.parametrize("least", [0, 16])
def test_counting_ends_where_the_numbers_decide(asked: int, counted: int, least: int) -> None:
    """It asks at 16 and at 128, and ends at ENOUGH; never again where it has asked before."""
    seen: list[int] = []

    def decides(count: SequenceCount) -> bool:
        seen.append(count.sequences)
        return len(seen) > asked

    count = count_sequences("é ".encode() * 3000, by_name("GBK"), decides, least=least)
    expected = [number for number in (16, 128) if number > least]
    assert seen == expected[: asked + 1]
    assert count.more
    assert count.sequences == ([*expected, ENOUGH][asked] if asked < len(expected) else ENOUGH)
    few = count_sequences("é ".encode() * 17, by_name("GBK"))
    assert (few.sequences, few.more) == (17, False)
