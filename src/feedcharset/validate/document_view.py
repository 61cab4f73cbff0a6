"""What a page about one document shows: its first bytes, and its text as each consumer reads it."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import NamedTuple

from feedcharset.charsets.lookup import Charset
from feedcharset.results.report import Reading
from feedcharset.validate.reading_comparison import ReadingComparison, read_head

__all__ = ["ByteRow", "ConsumerText", "byte_rows", "consumer_texts"]

ROW = 16
"""Bytes in a row of hexadecimal numbers, as `hexdump -C` shows them."""

ROWS = 8
"""Rows from the beginning: 128 bytes hold the BOM and nearly every declaration."""

NEAR = 2
"""Rows before and after the first non-ASCII byte, where that is further on."""

BEFORE, AFTER = 60, 120
"""Characters of the text before and after the place that is shown."""

_UNDECODABLE_BYTE = re.compile("[\ud800-\udfff]")


class ByteRow(NamedTuple):
    """Some bytes of the document."""

    offset: int
    data: bytes
    marks: tuple[str, ...]
    """For each byte "bom", "declaration", "non-ascii" or ""."""


class ConsumerText(NamedTuple):
    """The text that one consumer reads around a place."""

    consumer: str
    characters: tuple[tuple[str, bool], ...]
    """Each character, and whether it differs from that of lenient reading. U+FFFD for an undecodable byte."""


def byte_rows(comparison: ReadingComparison) -> list[ByteRow]:
    """The first rows of the document, and those around its first non-ASCII byte, if that is in the head."""
    head, place = comparison.head, comparison.first_non_ascii
    numbers = set(range(min(ROWS, -(-len(head) // ROW))))
    if place is not None and place.offset < len(head):
        row = place.offset // ROW
        numbers |= set(range(max(0, row - NEAR), min(row + NEAR + 1, -(-len(head) // ROW))))
    return [_row(comparison, number * ROW) for number in sorted(numbers)]


def _row(comparison: ReadingComparison, start: int) -> ByteRow:
    data = comparison.head[start : start + ROW]
    declared = _declaration_end(comparison)
    marks = []
    for at in range(start, start + len(data)):
        if at < comparison.bom_length:
            marks.append("bom")
        elif comparison.facts.body.start <= at < declared:
            marks.append("declaration")
        else:
            marks.append("non-ascii" if comparison.head[at] > 0x7F else "")
    return ByteRow(start, data, tuple(marks))


def _declaration_end(comparison: ReadingComparison) -> int:
    """The byte after the XML declaration; 0 where there is none."""
    end = comparison.head_block.text.find("?>") + 2
    return comparison.head_block.offset(end) if comparison.declaration is not None and end >= 2 else 0


def consumer_texts(comparison: ReadingComparison, readings: tuple[Reading, ...]) -> list[ConsumerText]:
    """The text of each consumer around the first place where one differs; around the first non-ASCII byte
    where none does. [] where that is beyond the head."""
    offsets = [reading.offset for reading in readings if reading.offset is not None]
    place = comparison.first_non_ascii
    start = comparison.facts.body.start
    offset = min(offsets) if offsets else place.offset if place is not None else start
    if offset >= len(comparison.head):
        return []
    lenient = _around(comparison.main_charset, True, comparison, offset)
    texts = []
    for reading in readings:
        if reading.consumer == "lenient":
            characters = lenient
        else:
            charset = comparison.answers[reading.consumer].charset
            characters = _around(charset, False, comparison, offset) if charset is not None else ""
        texts.append(ConsumerText(reading.consumer, _compared(lenient, characters)))
    return texts


def _compared(lenient: str, characters: str) -> tuple[tuple[str, bool], ...]:
    """The characters, and whether each differs from the lenient text."""
    matcher = SequenceMatcher(None, lenient, characters, autojunk=False)
    same = {at for block in matcher.get_matching_blocks() for at in range(block.b, block.b + block.size)}
    return tuple((char, at not in same) for at, char in enumerate(characters))


def _around(charset: Charset | None, lenient: bool, comparison: ReadingComparison, offset: int) -> str:
    """The text of the head around a byte."""
    assert charset is not None
    block = read_head(comparison, charset, lenient=lenient)
    index, text = block.index(offset), _UNDECODABLE_BYTE.sub("\ufffd", block.text)
    start = max(text.rfind("\n", 0, index) + 1, text.rfind("\r", 0, index) + 1, index - BEFORE, 0)
    return re.split("[\r\n]", text[start : index + AFTER], maxsplit=1)[0]
