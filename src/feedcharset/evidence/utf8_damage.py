"""Two kinds of damage in UTF-8 whose cause is known: characters cut by bytes, and surrogate pairs (CESU-8).

Both are looked for in text that was decoded with "surrogateescape": an undecodable byte n is the lone
surrogate U+DC00 + n.

A cut character is the beginning of a sequence without its end, as PHP's `substr` leaves it before `...` or a
tag. In UTF-8 text with a word pasted from windows-1252 the same bytes are honest letters (`café`, `é”`), so a
beginning counts as cut only where no honest word ends like that. The rules were measured on the words of 63
languages (benchmarks/measure_cuts.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["CESU8_PAIR", "CONTEXT", "Damage", "cut_characters", "join_pairs", "known_damage", "unfinished"]

CONTEXT = 32
"""Characters before a beginning that are looked at: its word, or as much of it as shows where it comes
from."""

CESU8_PAIR = "\udced[\udca0-\udcaf][\udc80-\udcbf]\udced[\udcb0-\udcbf][\udc80-\udcbf]"
"""A character beyond U+FFFF as two surrogates of three bytes each (Unicode Technical Report 26)."""

_BEGINNING = (
    # Unicode 15.0, table 3-7: the first bytes of a sequence, without its last.
    "(?<![\udc80-\udcff])(?:[\udcc2-\udcdf]|\udce0[\udca0-\udcbf]?|[\udce1-\udcec\udcee\udcef][\udc80-\udcbf]?"
    "|\udced[\udc80-\udc9f]?|\udcf0(?:[\udc90-\udcbf][\udc80-\udcbf]?)?"
    "|[\udcf1-\udcf3](?:[\udc80-\udcbf][\udc80-\udcbf]?)?|\udcf4(?:[\udc80-\udc8f][\udc80-\udcbf]?)?)"
    "(?![\udc80-\udcff])"
)
_KNOWN = re.compile(f"(?P<pair>{CESU8_PAIR})|{_BEGINNING}")
_CUT = re.compile(_BEGINNING)
_UNFINISHED = re.compile(
    # The end of a piece: up to three escaped bytes may be a cut character, depending on what follows, and up to
    # five the beginning of a pair.
    "(?:\udced(?:[\udca0-\udcaf](?:[\udc80-\udcbf](?:\udced[\udcb0-\udcbf]?)?)?)?"
    "|(?<![\udc80-\udcff])[\udcc2-\udcf4][\udc80-\udcbf]{0,2})\\Z"
)
_CLOSING = frozenset(0xDC00 + byte for byte in "…‘’“”–—™›«»ª®°²³¹º\u00a0".encode("cp1252"))
"""Marks that may close a word, as bytes of windows-1252."""

_AFTER_LOWER = frozenset([*range(0xC2, 0xD7), *range(0xD8, 0xDF), 0xE2])
"""Leads that close no word after a lower-case letter: capitals of windows-1252, and `â`, which is the lead of
quotation marks and dashes. `×` (D7) stands between any two words."""
_AFTER_OTHERS = frozenset((0xC2, 0xE2))
"""Leads that stand nowhere at the end: `Â` and `â`."""
_ALONE = frozenset((0xC2, 0xC3, 0xCE, 0xCF, 0xD0, 0xD1, 0xD9, 0xE2, 0xE3, 0xEB, 0xEC, 0xEE, 0xEF))
"""Leads that are no word of one letter: `É`, `Å`, `à`, `í` are."""


class Damage(NamedTuple):
    """One place of known damage in a piece of text."""

    start: int
    """Index in the text."""
    end: int
    character: str
    """What it is read as: U+FFFD for a cut character."""


def known_damage(escaped: str, before: str = "") -> Iterator[Damage]:
    """Yield the cut characters and the surrogate pairs of a text, in their order.

    Args:
        escaped: the text; nothing of it is `unfinished`, unless the document ends there.
        before: the characters before it, CONTEXT of them or less.
    """
    for match in _KNOWN.finditer(escaped):
        start, end = match.span()
        if match["pair"] is not None:
            yield Damage(start, end, join_pairs(match[0]))
        elif _is_cut(escaped, start, end, before):
            yield Damage(start, end, "\ufffd")


def cut_characters(escaped: str, before: str = "") -> int:
    """Count the cut characters of a text."""
    return sum(1 for match in _CUT.finditer(escaped) if _is_cut(escaped, *match.span(), before))


def join_pairs(escaped: str) -> str:
    """Return the characters that surrogate pairs of escaped bytes mean."""
    surrogates = escaped.encode("utf-8", "surrogateescape").decode("utf-8", "surrogatepass")
    return surrogates.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def unfinished(escaped: str) -> int:
    """Return the number of escaped bytes at the end whose meaning depends on what follows."""
    match = _UNFINISHED.search(escaped, max(0, len(escaped) - 5))
    return len(escaped) - match.start() if match else 0


def _is_cut(escaped: str, start: int, end: int, before: str) -> bool:
    """Return True where no honest word of windows-1252 looks like the beginning escaped[start:end]."""
    if escaped[end : end + 1].isalnum():
        return False
    lead = ord(escaped[start]) - 0xDC00
    context = (before + escaped[max(0, start - CONTEXT) : start])[-CONTEXT:]
    previous = context[-1:]
    if (
        not previous.isascii()
        or escaped.startswith("\udcf0\udc9f", start)
        or not _last_word(context).isascii()
    ):
        return True
    if end - start > 1:
        return any(ord(byte) not in _CLOSING for byte in escaped[start + 1 : end])
    if previous.islower():
        return lead in _AFTER_LOWER
    return lead in (_AFTER_OTHERS if previous.isalnum() else _ALONE)


def _last_word(context: str) -> str:
    """Return the letters at the end of a text."""
    at = len(context)
    while at and context[at - 1].isalnum():
        at -= 1
    return context[at:]
