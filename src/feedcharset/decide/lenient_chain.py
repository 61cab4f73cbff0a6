"""The lenient chain, as data: the steps L0-L7 and the principles that an answer must pass.

L0-L4 are the published chain (ROME's XmlReader, "lenient"); the principles are this library's: an answer
that cannot be true for these bytes is no answer, so the chain goes on. While everything seen is ASCII, only
principles 1 and 2 are asked and the answer stands provisionally; the first octet over 7F, or ESC, opens a
window, and the chain is asked again with all of them.

No bytes come here: the numbers come from `Numbers`, one question at a time, and are recorded in the facts,
from which `replay` repeats the decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.decide.interpreter import Answer, apply_rules, steps_of
from feedcharset.decide.principles import PRINCIPLES, Candidate, Case, Numbers, in_order, named
from feedcharset.decide.thresholds import tolerable_utf8
from feedcharset.results.display import counted
from feedcharset.results.facts import Damage, Facts, PlainCount, Utf8Count
from feedcharset.results.resolution import Resolution, Step, Verdict

__all__ = ["STEPS", "WINDOWED", "ChainStep", "decide", "is_mixture", "replay", "shape_of"]


class ChainStep(NamedTuple):
    """One step of the chain."""

    id: str
    sentence: str
    origin: str


STEPS: tuple[ChainStep, ...] = (
    ChainStep("L0", "what the strict rules say", "ROME XmlReader"),
    ChainStep("L1", "text/html as text/xml, and the strict rules again", "ROME XmlReader"),
    ChainStep("L2", "what is declared", "ROME XmlReader"),
    ChainStep("L3", "the charset parameter", "ROME XmlReader"),
    ChainStep("L4", "the caller's default, then UTF-8", "ROME XmlReader"),
    ChainStep("L5", "what the BOM, the body's pattern or a misplaced declaration says", "XML 1.0 Appendix F"),
    ChainStep("L6", "what the caller's detector says", "feedcharset"),
    ChainStep("L7", "of those that merely do not decode, the one with the least damage", "feedcharset"),
)

WESTERN = "windows-1252"
"""What octets are read as that nothing named fits: the default of the web (HTML, "fallback encoding")."""


def decide(
    facts: Facts,
    numbers: Numbers | None,
    *,
    policy: str = "rfc3023",
    default_encoding: str | None = None,
) -> Resolution:
    """The lenient decision. Always answers.

    Args:
        facts: what was seen.
        numbers: the window that the first octet over 7F, or ESC, opened; None while there is none.
        policy: the tables of L0 and L1.
        default_encoding: replaces the default of the rules 1.0, 2.1 and 3.6 and of L4.
    """
    trial = _Trial(Case(facts, shape_of(facts), numbers))
    proposals = _proposals(facts, policy, default_encoding, trial.case.shape)
    winner = trial.first_of(proposals) or _without_bom(trial) or _by_shape(trial)
    if winner is None:
        assert numbers is not None  # with another shape, L5 answers
        winner = trial.first_of(_detected(numbers)) or _least_damage(trial)
    return _resolution(trial, winner, policy)


class _Trial:
    """One run of the chain: the steps so far, and the candidates that principle 3 refused."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.steps: list[Step] = []
        self.damaged: list[Candidate] = []

    def first_of(self, proposals: Iterator[Candidate | Step]) -> Candidate | None:
        """The first candidate that every principle lets pass."""
        for proposal in proposals:
            if isinstance(proposal, Step):
                self.steps.append(proposal)
            elif self.passes(proposal):
                return proposal
        return None

    def passes(self, candidate: Candidate) -> bool:
        """Hold a candidate against the principles, and record what came of it."""
        for principle in PRINCIPLES:
            if (principle.always or self.case.numbers) and (why := principle.refuses(candidate, self.case)):
                self.record(candidate, "refused", f"principle {principle.id}: {why}")
                if principle.id == 3:
                    self.damaged.append(candidate)
                return False
        self.answer(candidate)
        return True

    def answer(self, candidate: Candidate, why: str = "") -> None:
        """Record that a candidate won."""
        facts, shape, numbers = self.case
        final = numbers is not None or shape not in WINDOWED or facts.body.complete
        why = why or candidate.why or SENTENCES[candidate.step]
        self.record(
            candidate,
            "answer" if final else "provisional",
            why if final else f"{why}; everything seen so far is US-ASCII",
        )

    def record(self, candidate: Candidate, verdict: Verdict, why: str) -> None:
        """Record a step."""
        name = candidate.charset.name if candidate.charset else candidate.label
        self.steps.append(Step(candidate.rule, verdict, name, why, candidate.spec))


def shape_of(facts: Facts) -> str | None:
    """The BOM, unless what follows it is of another family; else the pattern of the octets; else None."""
    if facts.bom is None:
        return facts.body.pattern
    if facts.guess is not None and facts.guess != facts.bom:
        return "ASCII" if facts.guess == "UTF-8" else facts.guess
    return facts.body.pattern or facts.bom


def _proposals(
    facts: Facts, policy: str, default_encoding: str | None, shape: str | None
) -> Iterator[Candidate | Step]:
    """L0 to L4: a candidate each, or the steps that have nothing to say."""
    answer = apply_rules(facts, policy, default_encoding=default_encoding, lenient=True)
    yield from _from_rules("L0", answer, shape)
    if facts.media_class == "HTML":
        as_text = facts._replace(media_class="TEXT-XML")
        answer = apply_rules(as_text, policy, default_encoding=default_encoding, lenient=True)
        yield from _from_rules("L1", answer, shape)
    yield named("L2", facts.declared, "declaration", shape) or _silence("L2", "nothing is declared")
    yield named("L3", facts.charset, "charset", shape) or _silence("L3", "there is no charset parameter")
    if default_encoding is not None:
        yield Candidate("L4", "L4", default_encoding, "default", in_order(lookup(default_encoding), shape))
    yield Candidate("L4", "L4", "UTF-8", "default", by_name("UTF-8"))


def _silence(step: str, why: str) -> Step:
    return Step(step, "nothing", None, why)


def _from_rules(step: str, answer: Answer, shape: str | None) -> Iterator[Candidate | Step]:
    if answer.label is None:
        yield from steps_of(answer)
    else:
        rule = answer.rule if step == "L0" else f"{step}/{answer.rule}"
        row = answer.rows[-1]
        charset = in_order(answer.charset, shape)
        yield Candidate(step, rule, answer.label, answer.witness, charset, row.why, row.spec)


def _without_bom(trial: _Trial) -> Candidate | None:
    """A UTF-8 BOM before octets that are not UTF-8 is skipped where a named label holds."""
    facts, shape, numbers = trial.case
    if shape != "UTF-8" or numbers is None or tolerable_utf8(numbers.utf8()):
        return None
    bare = _Trial(Case(facts._replace(bom=None), facts.body.pattern, numbers))
    for candidate in (
        named("L2", facts.declared, "declaration", None),
        named("L3", facts.charset, "charset", None),
    ):
        if candidate and bare.passes(candidate):
            why = f"the octets after the UTF-8 BOM are not UTF-8; {SENTENCES[candidate.step]}"
            trial.answer(candidate, why)
            return candidate
    return None


def _by_shape(trial: _Trial) -> Candidate | None:
    """L5."""
    facts, shape, numbers = trial.case
    if shape is None or shape == "ASCII":
        assert numbers is not None  # while all is ASCII, L4 passes
        return trial.first_of(_misplaced(numbers))
    charset = by_name((facts.body.code_page or "IBM037") if shape == "EBCDIC" else shape)
    winner = Candidate("L5", "L5", charset.name, "BOM" if shape == facts.bom else "body", charset)
    trial.answer(winner, "what the BOM or the body's pattern says")
    return winner


def _misplaced(numbers: Numbers) -> Iterator[Candidate | Step]:
    """A declaration that is none. A charset that fills all octets must not stand against UTF-8 that is merely
    damaged."""
    candidate = named("L5", numbers.misplaced(), "body", None)
    count = numbers.utf8()
    if candidate is None:
        yield _silence("L5", "neither a BOM nor a pattern says anything")
    elif candidate.charset and not candidate.charset.self_proving and count.damaged <= (count.sequences or 0):
        yield _silence("L5", "a misplaced declaration is not enough against UTF-8 that is damaged")
    else:
        yield candidate._replace(why="a declaration that is misplaced or misspelt says so")


def _detected(numbers: Numbers) -> Iterator[Candidate | Step]:
    """L6."""
    yield named("L6", numbers.detected(), "detector", None) or _silence("L6", "no detector answered")


def _least_damage(trial: _Trial) -> Candidate:
    """L7: of the candidates that only principle 3 refused, UTF-8 among them, never US-ASCII.

    Where principle 4 would refuse one of them too, UTF-8 has passed at L4. UTF-8 with more damage than
    sequences is no UTF-8 at all: a multi-byte charset that decodes something goes before it, however few the
    places (runs of octets) are.
    """
    numbers = trial.case.numbers
    assert numbers is not None
    ranked = [candidate for candidate in trial.damaged if candidate.charset != by_name("US-ASCII")]
    count = numbers.utf8()
    hopeless = count.damaged > (count.sequences or 0)
    if hopeless and any(_decodes_something(numbers, candidate) for candidate in ranked):
        ranked = [candidate for candidate in ranked if candidate.charset != by_name("UTF-8")]
    best = min(ranked, key=lambda candidate: _places(numbers, candidate.charset))
    places = _places(numbers, best.charset)
    why = f"{counted(places, 'damaged place')}, the fewest, to be repaired"
    if best.charset == by_name("UTF-8") and hopeless:
        best = best._replace(label=WESTERN, charset=by_name(WESTERN))
        sequences = counted(count.sequences, "UTF-8 sequence")
        why = f"more damage ({counted(places, 'place')}) than {sequences}: read as {WESTERN}"
    winner = best._replace(step="L7", rule="L7", spec="")
    trial.answer(winner, why)
    return winner


DECODED = 2
"""Characters for each damaged place that a multi-byte charset must decode to go before windows-1252. With 1
to 6 no more Latin texts under such a label were read rightly; with 1 and 2 most damaged texts of its own
were."""


def _decodes_something(numbers: Numbers, candidate: Candidate) -> bool:
    charset = candidate.charset
    if charset is None or charset.family not in ("CJK", "ISO-2022-JP"):
        return False
    damage = numbers.damage(charset)
    return damage.characters >= DECODED * damage.places


def _places(numbers: Numbers, charset: Charset | None) -> int:
    assert charset is not None
    return numbers.utf8().damaged if charset.family == "UTF-8" else numbers.damage(charset).places


def is_mixture(resolution: Resolution) -> bool:
    """The document is read as UTF-8 where it is UTF-8, and as windows-1252 elsewhere."""
    return any(step.id == "mixture" for step in resolution.steps)


def _shows_mixture(trial: _Trial, charset: Charset) -> bool:
    """Items pasted together: octets of windows-1252 beside sequences that show UTF-8."""
    numbers = trial.case.numbers
    if numbers is None or charset.superset != WESTERN or charset.family != "single":
        return False
    count = numbers.utf8()
    if not count.damaged or not count.sequences:
        return False
    plain = numbers.plain(by_name(WESTERN))
    if not plain.pasted and plain.in_a_row < IN_A_ROW:
        return False
    sequences = counted(count.sequences, "UTF-8 sequence")
    why = f"{sequences} beside {counted(count.damaged, 'place')} of {WESTERN}: each is read as what it is"
    trial.steps.append(Step("mixture", "answer", charset.name, why))
    return True


IN_A_ROW = 3
"""Adjacent sequences that are UTF-8 whatever they spell."""


def _resolution(trial: _Trial, winner: Candidate, policy: str) -> Resolution:
    charset = winner.charset
    assert charset is not None
    mixture = _shows_mixture(trial, charset)
    codec = None if mixture else by_name(charset.superset).codec
    return Resolution(charset.name, codec, winner.rule, tuple(trial.steps), trial.case.facts, policy, True)


SENTENCES = {step.id: step.sentence for step in STEPS}


class _Recorded:
    """The numbers that a resolution recorded."""

    def __init__(self, facts: Facts) -> None:
        self.body = facts.body

    def utf8(self) -> Utf8Count:
        assert self.body.utf8 is not None
        return self.body.utf8

    def damage(self, charset: Charset) -> Damage:
        return next(damage for damage in self.body.damage if damage.charset == charset.name)

    def plain(self, charset: Charset) -> PlainCount:
        return next(plain for plain in self.body.plain if plain.charset == charset.name)

    def misplaced(self) -> str | None:
        return self.body.misplaced

    def detected(self) -> str | None:
        return self.body.detected


def replay(facts: Facts, *, policy: str = "rfc3023", default_encoding: str | None = None) -> Resolution:
    """Decide again, leniently, from recorded facts alone."""
    asked = facts.body.high is not None and shape_of(facts) in WINDOWED
    numbers = _Recorded(facts) if asked else None
    return decide(facts, numbers, policy=policy, default_encoding=default_encoding)


WINDOWED = (None, "ASCII", "UTF-8", "ISO-2022-JP")
"""Shapes under which the first octet over 7F, or ESC, opens a window; the others are settled at once."""
