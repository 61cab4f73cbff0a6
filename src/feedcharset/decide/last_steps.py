"""The last steps of the lenient chain, L5 to L7, for documents in which no label can be true."""

from collections.abc import Iterator
from typing import NamedTuple

from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.decide.candidates import Candidate, WindowCounts, named
from feedcharset.decide.chain_run import ChainRun
from feedcharset.decide.mixture import WESTERN
from feedcharset.decide.thresholds import enough_detected, hopeless_utf8
from feedcharset.results.display import counted
from feedcharset.results.resolution import Step

__all__ = ["detected", "from_bytes", "least_undecodable"]


def from_bytes(run: ChainRun) -> Candidate | None:
    """L5: the BOM, the pattern of the bytes, or a misplaced declaration."""
    facts, form, counts = run.case
    if form is None or form == "ASCII":
        assert counts is not None  # while all is ASCII, L4 is accepted
        return run.first_accepted(_misplaced(counts))
    charset = by_name((facts.body.code_page or "IBM037") if form == "EBCDIC" else form)
    winner = Candidate("L5", "L5", charset.name, "BOM" if form == facts.bom else "body", charset)
    run.answer(winner, "the BOM, or the pattern of the bytes")
    return winner


def _misplaced(counts: WindowCounts) -> Iterator[Candidate | Step]:
    """Yield the encoding of a misplaced declaration. A charset that decodes any bytes is not accepted against
    UTF-8 that is merely damaged."""
    candidate = named("L5", counts.misplaced(), "body", None)
    count = counts.utf8()
    if candidate is None:
        yield Step("L5", "nothing", None, "there is neither a BOM nor a pattern nor a misplaced declaration")
    elif candidate.charset and not candidate.charset.self_proving and not hopeless_utf8(count):
        yield Step(
            "L5", "nothing", None, "a misplaced declaration is not enough evidence against damaged UTF-8"
        )
    else:
        yield candidate._replace(why="a declaration that is misplaced or misspelt names it")


def detected(run: ChainRun) -> Candidate | None:
    """L6: the detector's label, if L7 would answer by convention."""
    counts = run.case.counts
    assert counts is not None
    fallback = _fallback(run)
    if not fallback.convention:
        why = f"not called: {fallback.charset.name} is named, and decodes most of the bytes"
        run.steps.append(Step("L6", "nothing", None, why))
        return None
    return run.first_accepted(_detected(counts))


def _detected(counts: WindowCounts) -> Iterator[Candidate | Step]:
    answer = counts.detected()
    candidate = named("L6", answer.label if answer else None, "detector", None)
    if answer is None or candidate is None:
        yield Step("L6", "nothing", None, "no detector answered")
    elif answer.detector == "caller" or candidate.charset is None:
        yield candidate._replace(why="the caller's detector names it")
    elif why := enough_detected(candidate.charset, answer):
        yield Step("L6", "nothing", None, why)
    else:
        why = f"chardet names it; it was shown {answer.non_ascii} non-ASCII bytes"
        yield candidate._replace(why=why)


def least_undecodable(run: ChainRun) -> Candidate:
    """L7: among the candidates that only principle 3 refused (UTF-8 is one of them, US-ASCII never), the one
    with the fewest undecodable runs of bytes; by convention windows-1252 where that is UTF-8 without hope."""
    fallback = _fallback(run)
    winner = Candidate("L7", "L7", fallback.charset.name, fallback.source, fallback.charset)
    run.answer(winner, fallback.why)
    return winner


class _Fallback(NamedTuple):
    charset: Charset
    source: str
    convention: bool
    """No label names the charset: it is windows-1252 by convention."""
    why: str


def _fallback(run: ChainRun) -> _Fallback:
    """Where principle 4 would refuse one of the candidates too, UTF-8 was accepted at L4. UTF-8 with more
    damage than sequences is no UTF-8 at all: a multi-byte charset that decodes something goes before it,
    however few the runs of undecodable bytes are.
    """
    counts = run.case.counts
    assert counts is not None
    ranked = [candidate for candidate in run.undecodable if candidate.charset != by_name("US-ASCII")]
    count = counts.utf8()
    hopeless = hopeless_utf8(count)
    if hopeless and any(_decodes_something(counts, candidate) for candidate in ranked):
        ranked = [candidate for candidate in ranked if candidate.charset != by_name("UTF-8")]
    best = min(ranked, key=lambda candidate: _undecodable_runs(counts, candidate.charset))
    runs = _undecodable_runs(counts, best.charset)
    if best.charset == by_name("UTF-8") and hopeless:
        sequences = counted(count.sequences, "UTF-8 sequence")
        why = (
            f"no label names the charset of these bytes ({sequences}, {counted(runs, 'damaged run')}): "
            f"{WESTERN} by convention"
        )
        return _Fallback(by_name(WESTERN), "default", True, why)
    assert best.charset is not None
    why = f"{counted(runs, 'undecodable run')} of bytes, the fewest; they are replaced"
    return _Fallback(best.charset, best.source, False, why)


DECODED = 2
"""Characters for each undecodable run of bytes that a multi-byte charset must decode to go before
windows-1252. With 1 to 6 no more Latin texts under such a label were read rightly; with 1 and 2 most damaged
texts of its own were."""


def _decodes_something(counts: WindowCounts, candidate: Candidate) -> bool:
    charset = candidate.charset
    if charset is None or charset.family not in ("CJK", "ISO-2022-JP"):
        return False
    damage = counts.damage(charset)
    return (damage.characters or 0) >= DECODED * damage.places


def _undecodable_runs(counts: WindowCounts, charset: Charset | None) -> int:
    assert charset is not None
    return counts.utf8().damaged if charset.family == "UTF-8" else counts.damage(charset).places
