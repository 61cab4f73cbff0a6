"""Mixtures: items in UTF-8 and items in a western charset, pasted into one document."""

from __future__ import annotations

from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.decide.lenient_principles import WindowCounts
from feedcharset.evidence.utf8_sequences import IN_A_ROW
from feedcharset.results import Resolution, Step
from feedcharset.results.explanation import counted
from feedcharset.results.facts import SequenceCount

__all__ = ["WESTERN", "find_mixture", "is_mixture", "is_watched", "may_be_mixed", "watch_step"]

WESTERN = "windows-1252"
"""The charset of bytes that no label explains: the default of the web (HTML, "fallback encoding")."""

BEHIND_THE_WINDOW = "behind the window"
"""The step of a document of which more is to come."""

MIXED_PAGES = (WESTERN, "windows-1254", "ISO-8859-15")
"""Western pages (supersets) of which a document may be mixed with UTF-8."""


def is_mixture(resolution: Resolution) -> bool:
    """Return True where UTF-8 sequences are read as UTF-8, all other bytes by the encoding's page."""
    return any(step.id == "mixture" for step in resolution.steps)


def is_watched(resolution: Resolution) -> bool:
    """Return True where the document goes on behind the window, and UTF-8 may begin there."""
    return resolution.steps[-1].id == BEHIND_THE_WINDOW


def _proves_utf8(found: SequenceCount) -> bool:
    return found.pasted > 0 or found.in_a_row >= IN_A_ROW


def find_mixture(charset: Charset, counts: WindowCounts | None) -> Step | None:
    """Return the step that reads a document as a mixture: it is read by a western page, and the window holds
    both bytes of the page and sequences that prove UTF-8; else None."""
    if counts is None or not may_be_mixed(charset):
        return None
    page = charset.superset
    bounds = counts.utf8_bounds()
    if not bounds.damaged or not bounds.sequences:
        return None
    if not _proves_utf8(counts.sequences(by_name(page), _proves_utf8)):
        return None
    count = counts.utf8()
    sequences, runs = counted(count.sequences, "UTF-8 sequence"), counted(count.damaged, "run")
    why = f"{sequences} beside {runs} of {page} bytes: sequences are read as UTF-8, the rest as {page}"
    return Step("mixture", "answer", charset.name, why)


def may_be_mixed(charset: Charset) -> bool:
    """Return True for the charsets whose page is one of MIXED_PAGES."""
    return charset.superset in MIXED_PAGES and charset.family == "single"


def watch_step(charset: Charset) -> Step:
    """Return the step of a document that goes on behind the window, and is read by a western page."""
    why = (
        "the document goes on behind the window: from the first sequence there that proves UTF-8, sequences "
        'are read as UTF-8 and counted as repairs of kind "utf-8"'
    )
    return Step(BEHIND_THE_WINDOW, "nothing", charset.name, why)
