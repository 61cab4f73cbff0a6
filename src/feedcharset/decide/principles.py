"""The five principles: an answer that cannot be true for these bytes is no answer.

Each is a row with an id, a sentence and a test. A test gives the reason for which it refuses a candidate,
with the numbers it used, or None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.decide.thresholds import TOLERANCE, plainly_utf8, tolerable_damage, tolerable_utf8
from feedcharset.results.display import counted
from feedcharset.results.facts import Damage, Facts, PlainCount, Utf8Count

__all__ = ["PRINCIPLES", "Candidate", "Case", "Numbers", "Principle", "fits_shape", "in_order", "named"]


class Numbers(Protocol):
    """What the window can be asked. Each answer is the same however often it is asked."""

    def utf8(self) -> Utf8Count: ...
    def damage(self, charset: Charset) -> Damage: ...
    def plain(self, charset: Charset) -> PlainCount: ...
    def misplaced(self) -> str | None: ...
    def detected(self) -> str | None: ...


class Candidate(NamedTuple):
    """An encoding that a step proposes."""

    step: str
    rule: str
    label: str | None
    witness: str
    charset: Charset | None
    """What the label names; a generic name is already in the order that the BOM or the pattern shows."""
    why: str = ""
    """The reason of the row that proposes it; "" where the step's own sentence says all."""
    spec: str = ""


class Case(NamedTuple):
    """Everything that a principle may look at."""

    facts: Facts
    shape: str | None
    """The BOM, or the body's pattern; None: ASCII, as far as can be seen."""
    numbers: Numbers | None
    """None while everything seen is ASCII."""


class Principle(NamedTuple):
    """One test of a candidate. `refuses` gives the reason, with numbers, or None."""

    id: int
    name: str
    sentence: str
    always: bool
    """Asked even while everything seen is ASCII."""
    refuses: Callable[[Candidate, Case], str | None]
    """Asked in order: all but the first find a charset, and 3 to 5 the numbers of a window."""


SERVER_DEFAULTS = ("ISO-8859-1", "US-ASCII")
"""Charsets that servers and frameworks add without looking (RFC 2616 §3.7.1, RFC 2046 §4.1.2)."""


def _unknown(candidate: Candidate, case: Case) -> str | None:
    charset = candidate.charset
    if charset is None:
        return f"{_quoted(candidate.label)} names no charset that this library knows"
    if charset.refused:
        return f"{charset.name} is refused: {charset.refused}"
    return None


def _misshaped(candidate: Candidate, case: Case) -> str | None:
    charset, shape = candidate.charset, case.shape
    assert charset is not None
    if fits_shape(charset, shape):
        return None
    if shape is None:
        return f"the octets are ASCII-compatible, {charset.name} is not"
    return f"{'the BOM' if shape == case.facts.bom else 'the pattern of the octets'} says {shape}"


def _undecodable(candidate: Candidate, case: Case) -> str | None:
    charset, numbers = candidate.charset, case.numbers
    assert charset is not None
    assert numbers is not None
    if charset.family == "US-ASCII":
        return "an octet over 7F, or ESC, is no US-ASCII"
    if charset.fills:
        return None
    if charset.family == "UTF-8":
        count = numbers.utf8()
        if tolerable_utf8(count):
            return None
        damaged = counted(count.damaged, "damaged place")
        return f"{damaged} beside {counted(count.sequences, 'UTF-8 sequence')}"
    damage = numbers.damage(charset)
    if damage.places == 0 or (charset.family != "single" and _tolerable(damage, charset, candidate, case)):
        return None
    places, characters = counted(damage.places, "place"), counted(damage.characters, "character")
    return f"{charset.name} cannot decode {places}; it decodes {characters}"


def _tolerable(damage: Damage, charset: Charset, candidate: Candidate, case: Case) -> bool:
    if tolerable_damage(charset, damage):
        return True
    return (
        damage.places == 1 and candidate.witness == "declaration" and _server_default(case.facts) is not None
    )


def _plainly(candidate: Candidate, case: Case) -> str | None:
    charset, numbers = candidate.charset, case.numbers
    assert charset is not None
    assert numbers is not None
    if charset.family not in ("single", "CJK"):
        return None
    count = numbers.utf8()
    if not tolerable_utf8(count):
        return None
    plain = numbers.plain(charset)
    row = plainly_utf8(charset, plain)
    if row is not None:
        return f"the octets are plainly UTF-8: {row.why}"
    if plain.sequences >= TOLERANCE["UTF-8"].least and _somebody_says_utf8(case.facts):
        return f"the octets are UTF-8, {plain.sequences} sequences of it, and another label says so"
    return None


def _somebody_says_utf8(facts: Facts) -> bool:
    labels = (facts.bom, facts.declared, facts.charset)
    return any((charset := lookup(label or "", lenient=True)) and charset.name == "UTF-8" for label in labels)


def _mere_default(candidate: Candidate, case: Case) -> str | None:
    default = _server_default(case.facts)
    if candidate.witness != "charset" or default is None:
        return None
    declared = named("L2", case.facts.declared, "declaration", case.shape)
    if declared is None or declared.charset in (None, candidate.charset):
        return None
    if any(principle.refuses(declared, case) for principle in PRINCIPLES[:4]):
        return None
    assert declared.charset is not None
    assert case.numbers is not None
    if case.numbers.damage(declared.charset).controls:
        return None
    return f"a charset of {default} is often a server's default; the declared encoding holds"


def _server_default(facts: Facts) -> str | None:
    charset = lookup(facts.charset or "", lenient=True)
    return charset.name if charset and charset.name in SERVER_DEFAULTS else None


PRINCIPLES: tuple[Principle, ...] = (
    Principle(
        1,
        "known",
        "its label is known and may be decoded",
        True,
        _unknown,
    ),
    Principle(
        2,
        "shaped",
        "it agrees with the BOM, or else with the pattern of the octets",
        True,
        _misshaped,
    ),
    Principle(
        3,
        "decodes",
        "the window decodes",
        False,
        _undecodable,
    ),
    Principle(
        4,
        "not plainly UTF-8",
        "it is no legacy label over octets that are plainly UTF-8",
        False,
        _plainly,
    ),
    Principle(
        5,
        "not merely a server's default",
        "an HTTP charset of ISO-8859-1 or US-ASCII yields to a declaration that holds",
        False,
        _mere_default,
    ),
)


def fits_shape(charset: Charset, shape: str | None) -> bool:
    """A charset is of the shape that the BOM or the pattern shows."""
    if shape is None or shape == "ASCII":
        return charset.ascii_compatible
    if shape == "EBCDIC":
        return charset.family == "EBCDIC"
    return charset.name == shape


def in_order(charset: Charset | None, shape: str | None) -> Charset | None:
    """A generic UTF-16 or UTF-32 in the order that the shape shows; any other charset as it is."""
    if charset is None or shape is None or charset.name not in ("UTF-16", "UTF-32"):
        return charset
    family = "UTF-32" if shape.startswith("UCS-4") else shape[:6]
    return by_name(shape) if charset.name == family else charset


def named(step: str, label: str | None, witness: str, shape: str | None) -> Candidate | None:
    """The candidate that a label names, or None where there is no label."""
    if label is None:
        return None
    return Candidate(step, step, label, witness, in_order(lookup(label, lenient=True), shape))


def _quoted(label: str | None) -> str:
    return repr(label if label is None or len(label) <= 64 else label[:61] + "...")
