"""Time and work grow with the document: four times the bytes never take much more than four times as long.

Quadratic work takes 16 times as long for four times the bytes; the bound of 9 is far from both. What is
compared are the least of several processor times, in one process.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from support.effort import growth
from support.growing_documents import GROWING

from feedcharset import XmlDecoder, XmlReader, decode, detect, repair

SIZE = 32_000
MOST = 9


def _in_pieces(data: bytes) -> None:
    decoder = XmlDecoder()
    for start in range(0, len(data), 1000):
        decoder.decode(data[start : start + 1000])
    decoder.decode(b"", True)


def _lines(data: bytes) -> None:
    with XmlReader(data) as reader:
        for _ in reader:
            pass


WAYS: dict[str, Callable[[bytes], object]] = {
    "decode": decode,
    "XmlDecoder": _in_pieces,
    "lines": _lines,
    "repair": lambda data: repair(data, cesu8="join"),
    "detect": detect,
}


@pytest.mark.parametrize("document", GROWING)
@pytest.mark.parametrize("way", WAYS)
def test_four_times_the_bytes(document: str, way: str) -> None:
    make = GROWING[document]
    assert growth(WAYS[way], make(SIZE), make(4 * SIZE), most=MOST) < MOST


@pytest.mark.parametrize("document", GROWING)
def test_a_document_that_comes_byte_by_byte_costs_calls_in_proportion(document: str) -> None:
    """Counted work: three times the bytes take less than five times as many calls."""
    make = GROWING[document]
    # The head, 4,096 bytes and more, is held back with fewer calls: sizes beyond it.
    assert calls(make(36_000)) <= 5 * calls(make(12_000))


def calls(data: bytes) -> int:
    """The calls, of Python and of C functions, that decoding takes byte by byte."""
    count = 0

    def tally(frame: object, event: str, argument: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    decoder = XmlDecoder()
    sys.setprofile(tally)
    try:
        for start in range(len(data)):
            decoder.decode(data[start : start + 1])
        decoder.decode(b"", True)
    finally:
        sys.setprofile(None)
    return count
