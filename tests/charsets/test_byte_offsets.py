"""Byte counters: from a character back to the bytes before it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedcharset.charsets.byte_offsets import PieceCounter, WidthCounter


def width(text: str) -> int:
    return len(text.encode())


@given(st.text(max_size=30), st.lists(st.integers(0, 30), max_size=8))
def test_any_order_of_indexes_gives_the_same(text: str, indexes: list[int]) -> None:
    counter = WidthCounter(text, width)
    for index in indexes:
        assert counter(min(index, len(text))) == width(text[: min(index, len(text))])


def test_ascending_indexes_measure_each_part_once() -> None:
    measured: list[str] = []

    def count(part: str) -> int:
        measured.append(part)
        return len(part)

    counter = WidthCounter("abcdef", count)
    assert [counter(2), counter(4), counter(6), counter(1)] == [2, 4, 6, 1]
    assert measured == ["ab", "cd", "ef", "a"]


class Doubled(PieceCounter):
    """Every character is two bytes."""

    def bytes_before(self, index: int) -> int:
        return 2 * index


@pytest.mark.parametrize(
    ("parts", "counts"),
    [
        (["ab", "c", "d"], [4, 2, 2]),
        (["abcd", "ab"], [8, 4]),  # another text that begins the piece: counted anew
        (["ab", "x"], [4, None]),
        (["", "a"], [0, 2]),
    ],
)
def test_texts_that_follow_one_another(parts: list[str], counts: list[int | None]) -> None:
    counter = Doubled(b"aabbccdd", "abcd")
    assert [counter.byte_count(part) for part in parts] == counts
