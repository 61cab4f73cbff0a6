"""The five principles: an answer that cannot be true for these bytes is no answer.

Each is a row with an id, a sentence and a test. A test returns the reason for which a candidate is refused,
with the numbers it used, or None.
"""

from collections.abc import Callable
from typing import NamedTuple

from feedcharset.charsets.lookup import Charset, lookup
from feedcharset.decide.candidates import Candidate, Case, WindowCounts, fits_form, named
from feedcharset.decide.thresholds import (
    TOLERANCE,
    common_enough,
    tolerable_controls,
    tolerable_damage,
    tolerable_utf8,
    utf8_is_certain,
    utf8_threshold,
    words_enough,
)
from feedcharset.evidence.scripts import WORDS
from feedcharset.results.display import counted
from feedcharset.results.facts import Damage, Facts, SequenceCount

__all__ = ["AS_TESTED", "PRINCIPLES", "SERVER_DEFAULTS", "Principle"]


class Principle(NamedTuple):
    """One test of a candidate."""

    id: int
    name: str
    sentence: str
    always: bool
    """Tested even while everything seen is ASCII."""
    refuses: Callable[[Candidate, Case], str | None]
    """The reason for which a candidate is refused, or None. The tests run in order: all but the first rely on
    a charset, and 3 to 5 on the counts of a window."""


SERVER_DEFAULTS = ("ISO-8859-1", "US-ASCII")
"""Charsets that servers and frameworks add by default (RFC 2616 §3.7.1, RFC 2046 §4.1.2)."""


def _unknown(candidate: Candidate, case: Case) -> str | None:
    charset = candidate.charset
    if charset is None:
        return f"{_quoted(candidate.label)} is the name of no charset that this library knows"
    if charset.refused:
        return f"{charset.name} is refused: {charset.refused}"
    return None


def _of_another_form(candidate: Candidate, case: Case) -> str | None:
    charset, form = candidate.charset, case.form
    assert charset is not None
    if fits_form(charset, form):
        return None
    if form is None:
        return f"the bytes are ASCII-compatible, {charset.name} is not"
    return f"{'the BOM' if form == case.facts.bom else 'the pattern of the bytes'} is that of {form}"


def _undecodable(candidate: Candidate, case: Case) -> str | None:
    charset, counts = candidate.charset, case.counts
    assert charset is not None
    assert counts is not None
    if charset.family == "US-ASCII":
        return "US-ASCII has no non-ASCII bytes and no ESC"
    if charset.decodes_every_byte:
        return None
    if charset.family == "UTF-8":
        count = counts.utf8()
        if tolerable_utf8(count):
            return None
        damaged = counted(count.damaged, "damaged run")
        return f"{damaged} of bytes beside {counted(count.sequences, 'UTF-8 sequence')}"
    if counts.decodes(charset):
        return None
    damage = counts.damage(charset)
    if _tolerable(damage, charset, candidate, case):
        return None
    places, characters = counted(damage.places, "run"), counted(damage.characters, "character")
    return f"{charset.name} cannot decode {places} of bytes; it decodes {characters}"


def _tolerable(damage: Damage, charset: Charset, candidate: Candidate, case: Case) -> bool:
    if tolerable_damage(charset, damage):
        return True
    return (
        damage.places == 1 and candidate.source == "declaration" and _server_default(case.facts) is not None
    )


def _plainly_utf8(candidate: Candidate, case: Case) -> str | None:
    charset, counts = candidate.charset, case.counts
    assert charset is not None
    assert counts is not None
    if charset.family not in ("single", "CJK"):
        return None
    if not tolerable_utf8(counts.utf8_bounds()) or not tolerable_utf8(counts.utf8()):
        return None
    least = TOLERANCE["UTF-8"].least if _names_utf8(case.facts) else None

    def decides(count: SequenceCount) -> bool:
        return (least is not None and count.sequences >= least) or utf8_is_certain(charset, count)

    count = counts.sequences(charset, decides)
    row = utf8_threshold(charset, count)
    if row is not None:
        return f"the bytes are plainly UTF-8: {row.why}"
    if least is not None and count.sequences >= least:
        at_least = "at least " if count.more else ""
        return f"the bytes are UTF-8 ({at_least}{count.sequences} sequences), and another label names UTF-8"
    return None


def _names_utf8(facts: Facts) -> bool:
    labels = (facts.bom, facts.declared, facts.charset)
    return any((charset := lookup(label or "", lenient=True)) and charset.name == "UTF-8" for label in labels)


def _server_default_only(candidate: Candidate, case: Case) -> str | None:
    charset = candidate.charset
    if candidate.source != "charset" or charset is None or charset.page not in ("western", "central"):
        return None
    declared = named("L2", case.facts.declared, "declaration", case.form)
    if declared is None or declared.charset in (None, charset):
        return None
    if any(principle.refuses(declared, case) for principle in AS_TESTED[:4]):
        return None
    assert declared.charset is not None
    assert case.counts is not None
    if charset.name in SERVER_DEFAULTS:
        if not tolerable_controls(case.counts.damage(declared.charset)):
            return None
        return (
            f"a charset of {charset.name} is often a server's default, and the declared encoding can be true"
        )
    return _declaration_proves_itself(charset, declared.charset, case.counts)


def _declaration_proves_itself(charset: Charset, declared: Charset, counts: WindowCounts) -> str | None:
    if declared.family == "CJK":
        common = counts.common(declared)
        if not common_enough(common):
            return None
        return f"the bytes are {declared.name}: {common.common} of {common.characters} characters are common"
    if declared.page in WORDS and words_enough(words := counts.common(declared)):
        return f"the bytes are {declared.name}: {words.common} of {words.characters} characters are in words"
    controls = counts.damage(charset).controls if charset.page == "western" else 0
    if not controls or counts.damage(declared).controls:
        return None
    return f"{counted(controls, 'C1 control')} under {charset.name}, none under the declared {declared.name}"


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
        "of the bytes' form",
        "it agrees with the BOM, or else with the pattern of the bytes",
        True,
        _of_another_form,
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
        "it is no legacy label over bytes that are plainly UTF-8",
        False,
        _plainly_utf8,
    ),
    Principle(
        5,
        "not merely a server's default",
        "an HTTP charset of ISO-8859-1 or US-ASCII loses to a declaration that can be true; any western one "
        "loses to a declared multi-byte charset whose characters are common, to a declared charset of another"
        " script if the bytes are words of it, and to a declared charset without C1 controls where its own "
        "reading has some",
        False,
        _server_default_only,
    ),
)


AS_TESTED = (*PRINCIPLES[:2], PRINCIPLES[3], PRINCIPLES[2], PRINCIPLES[4])
"""The order in which the principles are tested. Where 4 refuses a label, UTF-8 is accepted later, so it does
not matter whether 3 would refuse the label, too; and to decode UTF-8 as GBK takes 100 times as long (5 ms of
60 KB)."""


def _quoted(label: str | None) -> str:
    return repr(label if label is None or len(label) <= 64 else label[:61] + "...")
