"""Documents that are hard to check or to parse: four times the bytes take at most five times as long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from inputs import MIXED, feed
from measuring import Measured, Row, calls
from size import Size

from feedcharset import check, decode, parse

__all__ = ["growth_rows"]

MOST = 5
SMALL = 250_000


def _repeated(label: str, unit: bytes) -> Callable[[int], bytes]:
    head = f'<?xml version="1.0" encoding="{label}"?><a>'.encode()
    return lambda size: head + unit * ((size - len(head)) // len(unit)) + b"</a>"


def _parsed(body: bytes) -> None:
    with suppress(SyntaxError):  # lxml's XMLSyntaxError is one
        parse(body)


_TWICE = "<p>d\u00c3\u00a9j\u00c3\u00a0 vu, l\u00e2\u20ac\u2122\u00c3\u00a9t\u00c3\u00a9</p>"


DOCUMENTS: dict[str, tuple[Callable[[bytes], object], Callable[[int], bytes]]] = {
    "check: clean UTF-8": (check, lambda size: feed(MIXED, size)),
    "check: doubly encoded": (check, _repeated("UTF-8", _TWICE.encode())),
    "check: damage in Shift_JIS": (check, _repeated("Shift_JIS", b"\x81\xff<")),
    "check: damage in GBK": (check, _repeated("GBK", b"\xff\x81 ")),
    "check: escapes": (check, _repeated("ISO-2022-JP", b"\x1b$B\x1b(B")),
    "parse: start tags that do not end": (_parsed, _repeated("UTF-8", b"<a b='")),
    "parse: ampersands": (_parsed, _repeated("UTF-8", b"&")),
}


def growth_rows(size: Size) -> Iterator[Row]:
    """A megabyte of each, a quarter of it, and `decode` of the megabyte."""
    for name, (function, make) in DOCUMENTS.items():
        small, large = make(SMALL), make(4 * SMALL)
        contestants: dict[str, Callable[[], object]] = {
            "1 MB": partial(function, large),
            "250 KB": partial(function, small),
            "decode, 1 MB": partial(decode, large),
        }
        measured: list[Measured] = calls(contestants, seconds=size.seconds)
        yield Row(name, measured, f"at most {MOST}x, linear", measured[0].ratio <= MOST)
