"""Undecodable octets in text: how they are marked, found, and mended.

A decoder writes each undecodable octet n as the lone surrogate U+DC00+n, its mark (what Python's
"surrogateescape" does for 80-FF). No decoder writes a lone surrogate otherwise: in UTF-16, too, a lone
surrogate is two undecodable octets. What the caller's `errors=` makes of a mark is decided here.

Marks are mended by `str.replace`, one call for each of the 128 octets: CPython searches a character at
some 60 GB/s, so the absent ones cost little, and at any density of damage it is faster than a regular
expression with a function (ten times) or `bytes.replace` on the "surrogatepass" spelling (twice).
"""

from __future__ import annotations

import re
from codecs import charmap_decode, utf_16_le_encode
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.byte_offsets import Slices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.charsets.byte_offsets import Measure

__all__ = ["first_mark", "mend", "mend_utf8", "offsets", "unit_of", "utf8_measure", "utf8_width"]

_MARK = re.compile("[\udc00-\udcff]")

_UNITS = {
    # Unicode 15.0, section 3.9, "U+FFFD Substitution of Maximal Subparts", with table 3-7: an initial
    # subsequence of a well-formed sequence is one unit, any other octet is one by itself.
    "UTF-8": re.compile(
        "\udce0[\udca0-\udcbf]|[\udce1-\udcec\udcee\udcef][\udc80-\udcbf]|\udced[\udc80-\udc9f]"
        "|\udcf0[\udc90-\udcbf][\udc80-\udcbf]?|[\udcf1-\udcf3][\udc80-\udcbf]{1,2}"
        "|\udcf4[\udc80-\udc8f][\udc80-\udcbf]?|[\udc80-\udcff]"
    ),
    "UTF-16": re.compile("[\udc00-\udcff]{1,2}"),
    "UTF-32": re.compile("[\udc00-\udcff]{1,4}"),
    "UCS-4": re.compile("[\udc00-\udcff]{1,4}"),
}


def unit_of(family: str, errors: str) -> re.Pattern[str]:
    """What is mended, and counted, as one: a run of marks for "replace", else a mark.

    For charsets other than UTF-8, "latin-1" and "windows-1252" mean "replace".
    """
    octetwise = errors == "space" or (family == "UTF-8" and errors != "replace")
    return _MARK if octetwise else _UNITS.get(family, _MARK)


def first_mark(text: str) -> int:
    """Index of the first mark (of any lone surrogate), or -1.

    CPython's UTF-16 encoder finds surrogates at several GB/s, a character class of `re` at 0.4.
    """
    if not text.isascii():
        try:
            utf_16_le_encode(text)
        except UnicodeEncodeError as error:
            return error.start
    return -1


def mend(marked: str, family: str, errors: str) -> tuple[str, int]:
    """The text without marks, and how many replacements that took; for any charset."""
    if family == "UTF-8":
        return mend_utf8(marked, marked.encode("utf-8", "surrogateescape"), errors)[:2]
    return unit_of(family, errors).subn(" " if errors == "space" else "\ufffd", marked)


class Mended(NamedTuple):
    """Text without marks."""

    text: str
    replaced: int
    """Replacements that took."""
    utf8: bytes | None = None
    """The text as UTF-8, where that was at hand."""


def mend_utf8(marked: str, octets: bytes | memoryview, errors: str) -> Mended:
    """Mend UTF-8.

    Args:
        marked: `octets` decoded as UTF-8 with "surrogateescape".
        octets: no more than what `marked` was decoded from.
        errors: a policy other than "strict".
    """
    if errors == "replace":
        text = str(octets, "utf-8", "replace")
        return Mended(text, text.count("\ufffd") - marked.count("\ufffd"))
    if len(marked) == len(octets):  # every character is one octet: there is no UTF-8 sequence at all
        return _read_as_page(octets, errors)
    page = _page(errors)
    text = marked
    for octet in range(0x80, 0x100):
        text = text.replace(chr(0xDC00 + octet), page[octet])
    # With "surrogatepass" a mark is three octets; it was one.
    return Mended(text, (len(marked.encode("utf-8", "surrogatepass")) - len(octets)) // 2)


def _read_as_page(octets: bytes | memoryview, errors: str) -> Mended:
    """Octets without any UTF-8 sequence: each one over 7F is mended.

    They are counted by what they add to the length in UTF-8: one octet each, or two.
    """
    octets = bytes(octets)
    text = charmap_decode(octets, "strict", _page(errors))[0]
    utf8 = text.encode()
    if errors == "space":
        return Mended(text, len(octets) - len(octets.translate(None, _HIGH)), utf8)
    twice = sum(octets.count(octet) for octet in _three_octets(errors) if octet in octets)
    return Mended(text, len(utf8) - len(octets) - twice, utf8)


@lru_cache(maxsize=3)
def _page(errors: str) -> str:
    """The 256 characters that single octets stand for."""
    if errors == "space":
        return bytes(range(0x80)).decode("ascii") + " " * 0x80
    octets = bytes(range(0x100))
    if errors == "latin-1":
        return octets.decode("latin-1")
    # 81 8D 8F 90 9D: the C1 control of that number, as the WHATWG's windows-1252 has it.
    return "".join(octets[n : n + 1].decode("cp1252", "ignore") or chr(n) for n in range(0x100))


_HIGH = bytes(range(0x80, 0x100))


@lru_cache(maxsize=3)
def _three_octets(errors: str) -> bytes:
    """The octets whose characters take three octets in UTF-8, like the windows-1252 quotes."""
    page = _page(errors)
    return bytes(octet for octet in _HIGH if page[octet] > "\u07ff")


def utf8_width(text: str) -> int:
    """How many octets of UTF-8 `text`, marks included, was decoded from."""
    return len(text.encode("utf-8", "surrogateescape"))


def utf8_measure(text: str) -> Measure:
    """How many octets of UTF-8 stand before a character of `text`, by its index."""
    return Slices(text, utf8_width)


def offsets(marked: str, unit: re.Pattern[str], measure: Measure, start: int) -> Iterator[int]:
    """The byte offset of each unit of marks.

    Args:
        marked: text with marks.
        unit: what counts as one.
        measure: how many octets stand before a character of `marked`.
        start: the byte offset of the text's first character.
    """
    return (start + measure(match.start()) for match in unit.finditer(marked))
