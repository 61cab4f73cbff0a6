"""From a character of the text back to its byte."""

from __future__ import annotations

import pytest

from feedcharset.text.byte_replacement import replaced_unit, utf8_byte_counter
from feedcharset.text.source_offsets import SourceOffsets

UNIT = replaced_unit("UTF-8", "replace")


def add(offsets: SourceOffsets, data: bytes, at: int) -> str:
    """Record a piece of UTF-8 as the decoder does; its text."""
    escaped = data.decode("utf-8", "surrogateescape")
    text = data.decode("utf-8", "replace")
    unit = UNIT if text != escaped else None
    offsets.add(len(text), at, escaped, unit, utf8_byte_counter(escaped))
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
