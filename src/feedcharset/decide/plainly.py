"""Is a document under a legacy label plainly UTF-8? The thresholds, as data.

The numbers are those of `PlainCount`. A row holds when each of its numbers is reached; the document is
plainly UTF-8 when one row of its page holds. They were set so that honest legacy text, in which a capital and
a closing quotation mark happen to be well-formed UTF-8, stays what its label says; the measurement is kept in
benchmarks/.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from feedcharset.evidence.charsets import Charset
from feedcharset.results import PlainCount, Utf8Count

__all__ = ["THRESHOLDS", "TOLERANCE", "Threshold", "Tolerance", "page_kind", "plainly_utf8", "tolerable_utf8"]


class Tolerance(NamedTuple):
    """How much damage a self-proving charset survives."""

    least: int
    """Sequences (characters) that must stand in the window."""
    per_place: int
    """UTF-8: sequences for each damaged place. The others: characters for each damaged place after the
    first."""


TOLERANCE = {"UTF-8": Tolerance(7, 4), "CJK": Tolerance(20, 50), "ISO-2022-JP": Tolerance(20, 50)}
"""Honest legacy text, read as UTF-8, reaches 0.9 sequences for each damaged place."""


CUT_IN_TWO = 2
"""Places that one damaged character leaves: its octets before and after what stands in it. Any `least`
sequences outweigh one character."""


class Threshold(NamedTuple):
    """One row: pages, the numbers to reach, and the share of all sequences that must be in page."""

    pages: tuple[str, ...]
    reach: Mapping[str, int]
    why: str
    share: float = 0.0


SINGLE = ("western", "macintosh", "central", "latin", "cyrillic", "greek", "hebrew", "arabic", "thai", "")
CAPITALS = ("western", "central")
LATIN = ("central", "latin")
OTHER = ("cyrillic", "greek", "hebrew", "arabic", "thai", "")

THRESHOLDS: tuple[Threshold, ...] = (
    Threshold((*SINGLE, "cjk"), {"sequences": 20, "distinct": 3}, "20 sequences, 3 distinct"),
    Threshold(SINGLE, {"sure": 1}, "a sequence that no text of the page holds"),
    Threshold(("western", "macintosh"), {"telling": 1}, "a sequence of the page's own letters"),
    Threshold(("western", "macintosh"), {"distinct_in_page": 3}, "3 distinct sequences in page"),
    Threshold(("western", "macintosh"), {"distinct_odd": 3}, "3 distinct sequences unlike a word's end"),
    Threshold(CAPITALS, {"after_lower": 1}, "a sequence straight after a lower-case letter"),
    Threshold(LATIN, {"in_page": 2}, "2 sequences in page, more than half of all", 0.5),
    Threshold(LATIN, {"distinct": 3}, "3 distinct sequences"),
    Threshold(OTHER, {"in_page": 4}, "4 sequences in page, more than half of all", 0.5),
    Threshold(OTHER, {"between_lower": 1}, "a sequence between two lower-case letters"),
    Threshold(OTHER, {"distinct": 7}, "7 distinct sequences"),
    Threshold(("cjk",), {"in_page": 2}, "2 CJK characters, at least half of all sequences", 0.499),
    Threshold(("cjk",), {"distinct": 7}, "7 distinct sequences"),
)


def page_kind(charset: Charset) -> str:
    """The pages of THRESHOLDS; macintosh holds its capitals elsewhere than the other western pages."""
    if charset.family == "CJK":
        return "cjk"
    return "macintosh" if charset.name == "macintosh" else charset.page


def plainly_utf8(charset: Charset, count: PlainCount) -> Threshold | None:
    """The first row that holds, or None."""
    kind = page_kind(charset)
    for row in THRESHOLDS:
        if (
            kind in row.pages
            and all(getattr(count, name) >= least for name, least in row.reach.items())
            and (not row.share or count.in_page > row.share * count.sequences)
        ):
            return row
    return None


def tolerable_utf8(count: Utf8Count) -> bool:
    """The window is UTF-8, damaged at the most as TOLERANCE allows."""
    least, per_place = TOLERANCE["UTF-8"]
    sequences = count.sequences or 0
    enough = least if count.damaged <= CUT_IN_TWO else per_place * count.damaged
    return count.damaged == 0 or sequences >= max(least, enough)
