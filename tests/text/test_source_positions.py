"""Where a change stands: the log of repairs, byte offsets of decoded text, line and column."""

from __future__ import annotations

import re
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedcharset.results import Repairs
from feedcharset.text.byte_replacement import Utf8ByteCounter, replaced_unit
from feedcharset.text.source_positions import OFFSETS, LinePosition, RepairLog, SourceOffsets


def test_nothing_was_changed() -> None:
    assert RepairLog().repairs == Repairs()
    assert not RepairLog().repairs


def test_kinds_are_counted_and_their_offsets_merged() -> None:
    log = RepairLog()
    log.add("xml-chars", 2, (7, 30))
    log.add("bytes", 1, (3,))
    log.add("bytes", 1, (9,))
    log.add("gzip", 1)
    assert log.repairs == Repairs(5, (3, 7, 9, 30), (("bytes", 2), ("gzip", 1), ("xml-chars", 2)))


def test_no_more_offsets_are_read_than_are_kept() -> None:
    log, endless = RepairLog(), count()
    log.add("bytes", 10**9, endless)
    log.add("bytes", 1, endless)
    assert log.repairs.offsets == tuple(range(OFFSETS))
    assert next(endless) == OFFSETS


def test_each_kind_keeps_its_own_first_offsets() -> None:
    log = RepairLog()
    log.add("mojibake", OFFSETS, range(1000, 1000 + OFFSETS))
    log.add("bytes", 1, (5,))
    assert log.repairs.offsets[0] == 5
    assert len(log.repairs.offsets) == OFFSETS


UNIT = replaced_unit("UTF-8", "replace")


def add(offsets: SourceOffsets, data: bytes, at: int) -> str:
    """Record a piece of UTF-8 as the decoder does; its text."""
    escaped = data.decode("utf-8", "surrogateescape")
    text = data.decode("utf-8", "replace")
    unit = UNIT if text != escaped else None
    offsets.add(len(text), at, escaped, unit, Utf8ByteCounter(escaped))
    return text


@pytest.mark.parametrize("data", ["žluť".encode(), b"a\xffb\xe1\x80c\xc5\xbed", b"abc"])
def test_every_character_finds_its_byte(data: bytes) -> None:
    offsets = SourceOffsets()
    text = add(offsets, data, 50)
    expected, at = [], 0
    for character in text:
        expected.append(50 + at)
        if character == "\ufffd":
            at += 2 if data[at] == 0xE1 else 1
        else:
            at += len(character.encode())
    assert [offsets.offset(index) for index in range(len(text))] == expected


def test_pieces_that_have_passed_are_dropped() -> None:
    offsets = SourceOffsets()
    for at in range(0, 100, 10):
        add(offsets, b"0123456789", at)
    add(offsets, b"", 100)
    assert [offsets.offset(index) for index in (0, 9, 10, 99)] == [0, 9, 10, 99]
    offsets.forget(55)
    assert len(offsets._pieces) == 5
    assert [offsets.offset(index) for index in (55, 99)] == [55, 99]


@given(st.lists(st.text(st.sampled_from("ab\r\n\né"), max_size=8), max_size=6))
def test_a_line_ends_at_lf_crlf_or_cr(parts: list[str]) -> None:
    """However the text is cut, the position is that in the whole text; a copy moves by itself."""
    position = LinePosition()
    for part in parts:
        before = position.copy()
        position.advance(part)
        before.advance(part)
        assert (before.line, before.column) == (position.line, position.column)
    text = "".join(parts)
    lines = re.split("\r\n|\r|\n", text)
    assert (position.line, position.column) == (len(lines), len(lines[-1]) + 1)
