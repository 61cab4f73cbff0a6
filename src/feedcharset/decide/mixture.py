"""Mixtures: items in UTF-8 and items in windows-1252, pasted into one document."""

from __future__ import annotations

from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.decide.candidates import WindowCounts
from feedcharset.results.display import counted
from feedcharset.results.resolution import Resolution, Step

__all__ = ["IN_A_ROW", "WESTERN", "find_mixture", "is_mixture"]

WESTERN = "windows-1252"
"""The charset of bytes that no label explains: the default of the web (HTML, "fallback encoding")."""

IN_A_ROW = 3
"""Adjacent sequences that are UTF-8, whatever characters they are."""


def is_mixture(resolution: Resolution) -> bool:
    """Return True where UTF-8 sequences are read as UTF-8, and all other bytes as windows-1252."""
    return any(step.id == "mixture" for step in resolution.steps)


def find_mixture(charset: Charset, counts: WindowCounts | None) -> Step | None:
    """Return the step that reads a document as a mixture: it is read as windows-1252, and the window holds
    both bytes of windows-1252 and sequences that prove UTF-8; else None."""
    if counts is None or charset.superset != WESTERN or charset.family != "single":
        return None
    count = counts.utf8()
    if not count.damaged or not count.sequences:
        return None
    found = counts.sequences(by_name(WESTERN))
    if not found.pasted and found.in_a_row < IN_A_ROW:
        return None
    sequences, runs = counted(count.sequences, "UTF-8 sequence"), counted(count.damaged, "run")
    why = f"{sequences} beside {runs} of {WESTERN} bytes: sequences are read as UTF-8, the rest as {WESTERN}"
    return Step("mixture", "answer", charset.name, why)
