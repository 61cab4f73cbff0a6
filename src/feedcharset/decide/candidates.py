"""Candidates: the encodings that the steps of the lenient chain propose, and what they are tested against."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.results.facts import CommonCount, Damage, Detected, Facts, SequenceCount, Utf8Count

__all__ = ["WINDOWED", "Candidate", "Case", "WindowCounts", "byte_form", "fits_form", "in_order", "named"]

WINDOWED = (None, "ASCII", "UTF-8", "ISO-2022-JP")
"""Byte forms under which the first non-ASCII byte, or ESC, opens a window; with the others the decision is
final at once."""


Decides = Callable[[SequenceCount], bool]
"""Returns True where counts decide a question, and higher counts would decide it alike."""


class WindowCounts(Protocol):
    """The counts of the window. Each call with the same arguments returns the same counts.

    `decodes` is `damage(charset).places == 0` without the other numbers. `sequences` may end counting where
    the numbers decide; `utf8_bounds` may give bounds that prove that the window is not UTF-8.
    """

    def utf8(self) -> Utf8Count: ...
    def utf8_bounds(self) -> Utf8Count: ...
    def decodes(self, charset: Charset) -> bool: ...
    def damage(self, charset: Charset) -> Damage: ...
    def sequences(self, charset: Charset, decides: Decides | None = None) -> SequenceCount: ...
    def common(self, charset: Charset) -> CommonCount: ...
    def misplaced(self) -> str | None: ...
    def detected(self) -> Detected | None: ...


class Candidate(NamedTuple):
    """An encoding that a step proposes."""

    step: str
    rule: str
    label: str | None
    source: str
    """What names it: "BOM", "guess", "declaration", "charset", "default", "body" or "detector"."""
    charset: Charset | None
    """The charset that the label names; a generic name is already in the byte order that was found."""
    why: str = ""
    """The reason of the row that proposes it; "" where the step's own sentence is enough."""
    spec: str = ""


class Case(NamedTuple):
    """All that a principle may use."""

    facts: Facts
    form: str | None
    """The encoding of the BOM, or the pattern of the first bytes (`byte_form`); None: ASCII, so far."""
    counts: WindowCounts | None
    """None while everything seen is ASCII."""


def byte_form(facts: Facts) -> str | None:
    """Return the encoding of the BOM, unless the bytes after it are of another family; else the pattern of
    the first bytes; else None."""
    if facts.bom is None:
        return facts.body.pattern or _labelled_order(facts)
    if facts.guess is not None and facts.guess != facts.bom:
        return "ASCII" if facts.guess == "UTF-8" else facts.guess
    return facts.body.pattern or facts.bom


def _labelled_order(facts: Facts) -> str | None:
    """Return the UTF-16 or UTF-32 that the header names and whose order the NULs have."""
    order = facts.body.nulls
    if order is None or facts.charset is None:
        return None
    charset = lookup(facts.charset, lenient=True)
    return order if charset and charset.name in (order, order[:6]) else None


def fits_form(charset: Charset, form: str | None) -> bool:
    """Return True where bytes of this form can be in the charset."""
    if form is None or form == "ASCII":
        return charset.ascii_compatible
    if form == "EBCDIC":
        return charset.family == "EBCDIC"
    return charset.name == form


def in_order(charset: Charset | None, form: str | None) -> Charset | None:
    """Return a generic UTF-16 or UTF-32 in the byte order of the form; any other charset as it is."""
    if charset is None or form is None or charset.name not in ("UTF-16", "UTF-32"):
        return charset
    family = "UTF-32" if form.startswith("UCS-4") else form[:6]
    return by_name(form) if charset.name == family else charset


def named(step: str, label: str | None, source: str, form: str | None) -> Candidate | None:
    """Return the candidate that a label names, or None where there is no label."""
    if label is None:
        return None
    return Candidate(step, step, label, source, in_order(lookup(label, lenient=True), form))
