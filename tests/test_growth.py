"""Time and work grow with the document: four times the bytes never take much more than four times as long.

Where the work is done in C, times are compared: the least of several processor times, in one process.
Quadratic work takes 16 times as long for four times the bytes; the bound of 9 is far from both. Where it is
done in Python, the calls are counted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO

import pytest
from lxml.etree import XMLSyntaxError
from support.each import each
from support.effort import growth
from support.growing_documents import BYTES, GROWING

from feedcharset import XmlDecoder, XmlReader, check, decode, detect, iterparse, parse, repair, resolve
from feedcharset.parsing.tag_syntax import bound_prefixes

pytestmark = pytest.mark.long

SIZE = 8_000
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


class _Pieces(BytesIO):
    """A stream that returns 1,000 bytes at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(1000 if size is None or size < 0 else min(size, 1000))


def _parse(data: bytes) -> None:
    with suppress(XMLSyntaxError):
        parse(data)


def _iterparse(data: bytes) -> None:
    with suppress(XMLSyntaxError):
        for _ in iterparse(_Pieces(data), "item"):
            pass


WAYS: dict[str, Callable[[bytes], object]] = {
    "decode": decode,
    "XmlDecoder": _in_pieces,
    "lines": _lines,
    "repair": lambda data: repair(data, cesu8="join"),
    "detect": detect,
    "parse": _parse,
    "iterparse": _iterparse,
    "check": check,
}


@pytest.mark.parametrize("way", WAYS)
@each("document", GROWING, parts=3)
def test_four_times_the_bytes(document: str, way: str) -> None:
    make = GROWING[document]
    assert growth(WAYS[way], make(SIZE), make(4 * SIZE), most=MOST) < MOST


@each("document", BYTES, parts=3)
def test_a_document_that_comes_byte_by_byte_costs_calls_in_proportion(document: str) -> None:
    """Counted work: three times the bytes take less than five times as many calls."""
    make = GROWING[document]
    # The head, 4,096 bytes and more, is held back with fewer calls: sizes beyond it.
    assert calls(_byte_by_byte, make(18_000)) <= 5 * calls(_byte_by_byte, make(6_000))


def _byte_by_byte(data: bytes) -> None:
    decoder = XmlDecoder()
    for start in range(len(data)):
        decoder.decode(data[start : start + 1])
    decoder.decode(b"", True)


@each("document", GROWING, parts=3)
def test_check_and_resolve_take_calls_in_proportion(document: str) -> None:
    """Counted work: four times the bytes take at most five times as many calls."""
    small, large = GROWING[document](2_000), GROWING[document](8_000)
    check(small)  # what is made once is made now
    for judge in (check, lambda data: resolve(data, complete=True)):
        assert calls(judge, large) <= 5 * max(calls(judge, small), FEW)


FEW = 500
"""Calls that a document takes whatever its size."""


def calls(function: Callable[[bytes], object], data: bytes) -> int:
    """The calls, of Python and of C functions, that a document takes."""
    count = 0

    def tally(frame: object, event: str, argument: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    sys.setprofile(tally)
    try:
        function(data)
    finally:
        sys.setprofile(None)
    return count


def test_many_declarations_of_prefixes_in_one_tag() -> None:
    def make(count: int) -> str:
        return "<a" + "".join(f" xmlns:b{number}='c'" for number in range(count)) + ">"

    def bound(tag: str) -> object:
        return bound_prefixes(tag, frozenset())

    assert growth(bound, make(5_000), make(20_000), most=MOST) < MOST
