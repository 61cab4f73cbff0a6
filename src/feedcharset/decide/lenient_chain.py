"""The lenient chain, as data (`STEPS`), and the run through its steps.

L0-L4 are the published chain (ROME's XmlReader, "lenient"); the principles are this library's: an answer that
cannot be true for these bytes is no answer, so the chain goes on. While everything seen is ASCII, only
principles 1 and 2 are tested and the answer is provisional; the first non-ASCII byte, or ESC, opens a window,
and the chain runs again with all principles.

This module sees no bytes: it takes the counts of the window from `WindowCounts`. They are recorded in the
facts, and `replay` repeats the decision from the facts alone.
"""

from collections.abc import Iterator
from typing import NamedTuple

from feedcharset.charsets.lookup import by_name, lookup
from feedcharset.decide.candidates import (
    WINDOWED,
    Candidate,
    Case,
    WindowCounts,
    byte_form,
    in_order,
    named,
)
from feedcharset.decide.chain_run import ChainRun
from feedcharset.decide.interpreter import Answer, apply_rules, steps_of
from feedcharset.decide.last_steps import detected, from_bytes, least_undecodable
from feedcharset.decide.mixture import find_mixture, may_be_mixed, watch_step
from feedcharset.decide.recorded_counts import RecordedCounts
from feedcharset.decide.thresholds import tolerable_utf8
from feedcharset.results.facts import Facts
from feedcharset.results.resolution import Resolution, Step

__all__ = ["STEPS", "ChainStep", "decide", "replay"]


class ChainStep(NamedTuple):
    """One step of the chain."""

    id: str
    sentence: str
    origin: str


STEPS: tuple[ChainStep, ...] = (
    ChainStep("L0", "the strict rules", "ROME XmlReader"),
    ChainStep("L1", "text/html as text/xml, and the strict rules again", "ROME XmlReader"),
    ChainStep("L2", "the declared encoding", "ROME XmlReader"),
    ChainStep("L3", "the charset parameter", "ROME XmlReader"),
    ChainStep("L4", "the caller's default, then UTF-8", "ROME XmlReader"),
    ChainStep("L5", "the BOM, the pattern of the bytes or a misplaced declaration", "XML 1.0 Appendix F"),
    ChainStep(
        "L6", "a detector (chardet, or the caller's), where L7 would answer by convention", "feedcharset"
    ),
    ChainStep(
        "L7",
        "among the candidates refused only for undecodable bytes, the one with the fewest of them; "
        "where that is UTF-8 with more damage than sequences, windows-1252 by convention",
        "feedcharset",
    ),
)

SENTENCES = {step.id: step.sentence for step in STEPS}


def decide(
    facts: Facts,
    counts: WindowCounts | None,
    *,
    policy: str = "rfc3023",
    default_encoding: str | None = None,
) -> Resolution:
    """Decide leniently. There is always an answer.

    Args:
        facts: what was seen.
        counts: those of the window that the first non-ASCII byte, or ESC, opened; None while there is none.
        policy: the tables of L0 and L1.
        default_encoding: replaces the default of the rules 1.0, 2.1 and 3.6 and of L4.
    """
    run = ChainRun(Case(facts, byte_form(facts), counts))
    proposals = _proposals(facts, policy, default_encoding, run.case.form)
    winner = run.first_accepted(proposals) or _without_bom(run) or from_bytes(run)
    if winner is None:
        assert counts is not None  # with any other form, L5 answers
        winner = detected(run) or least_undecodable(run)
    return _resolution(run, winner, policy)


def _proposals(
    facts: Facts, policy: str, default_encoding: str | None, form: str | None
) -> Iterator[Candidate | Step]:
    """Yield the candidates of L0 to L4, and a step for each that has none."""
    answer = apply_rules(facts, policy, default_encoding=default_encoding, lenient=True)
    yield from _from_rules("L0", answer, form)
    if facts.media_class == "HTML":
        as_text = facts._replace(media_class="TEXT-XML")
        answer = apply_rules(as_text, policy, default_encoding=default_encoding, lenient=True)
        yield from _from_rules("L1", answer, form)
    yield _labelled("L2", facts.declared, "declaration", form) or _no_candidate("L2", "nothing is declared")
    yield _labelled("L3", facts.charset, "charset", form) or _no_candidate(
        "L3", "there is no charset parameter"
    )
    if default_encoding is not None:
        default = in_order(lookup(default_encoding), form)
        yield Candidate("L4", "L4", default_encoding, "default", default, SENTENCES["L4"])
    yield Candidate("L4", "L4", "UTF-8", "default", by_name("UTF-8"), SENTENCES["L4"])


def _labelled(step: str, label: str | None, source: str, form: str | None) -> Candidate | None:
    candidate = named(step, label, source, form)
    return candidate and candidate._replace(why=SENTENCES[step])


def _no_candidate(step: str, why: str) -> Step:
    return Step(step, "nothing", None, why)


def _from_rules(step: str, answer: Answer, form: str | None) -> Iterator[Candidate | Step]:
    if answer.label is None:
        yield from steps_of(answer)
    else:
        rule = answer.rule if step == "L0" else f"{step}/{answer.rule}"
        row = answer.rows[-1]
        charset = in_order(answer.charset, form)
        yield Candidate(step, rule, answer.label, answer.source, charset, row.why, row.spec)


def _without_bom(run: ChainRun) -> Candidate | None:
    """Skip a UTF-8 BOM before bytes that are not UTF-8, where a named label can be true."""
    facts, form, counts = run.case
    if form != "UTF-8" or counts is None or tolerable_utf8(counts.utf8_bounds()):
        return None
    bare = ChainRun(Case(facts._replace(bom=None), facts.body.pattern, counts))
    for candidate in (
        named("L2", facts.declared, "declaration", None),
        named("L3", facts.charset, "charset", None),
    ):
        if candidate and bare.accepts(candidate):
            run.answer(candidate, f"the bytes after the UTF-8 BOM are not UTF-8; {SENTENCES[candidate.step]}")
            return candidate
    return None


def _resolution(run: ChainRun, winner: Candidate, policy: str) -> Resolution:
    charset = winner.charset
    assert charset is not None
    mixture = find_mixture(charset, run.case.counts)
    if mixture is not None:
        run.steps.append(mixture)
    elif run.case.counts is not None and may_be_mixed(charset) and not run.case.facts.body.complete:
        run.steps.append(watch_step(charset))
    codec = None if mixture else by_name(charset.superset).codec
    return Resolution(charset.name, codec, winner.rule, tuple(run.steps), run.case.facts, policy, True)


def replay(facts: Facts, *, policy: str = "rfc3023", default_encoding: str | None = None) -> Resolution:
    """Decide again, leniently, from recorded facts alone."""
    windowed = facts.body.first_non_ascii is not None and byte_form(facts) in WINDOWED
    counts = RecordedCounts(facts.body) if windowed else None
    return decide(facts, counts, policy=policy, default_encoding=default_encoding)
