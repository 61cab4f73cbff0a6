"""One run of the lenient chain: the steps tried so far, and the principles applied to each candidate."""

from __future__ import annotations

from collections.abc import Iterator

from feedcharset.decide.candidates import WINDOWED, Candidate, Case
from feedcharset.decide.principles import AS_TESTED
from feedcharset.results.resolution import Step, Verdict

__all__ = ["ChainRun"]


class ChainRun:
    """The steps so far, and the candidates that only principle 3 refused."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.steps: list[Step] = []
        self.undecodable: list[Candidate] = []

    def first_accepted(self, proposals: Iterator[Candidate | Step]) -> Candidate | None:
        """Return the first candidate that every principle accepts."""
        for proposal in proposals:
            if isinstance(proposal, Step):
                self.steps.append(proposal)
            elif self.accepts(proposal):
                return proposal
        return None

    def accepts(self, candidate: Candidate) -> bool:
        """Test a candidate against the principles, and record the result."""
        for principle in AS_TESTED:
            if (principle.always or self.case.counts) and (why := principle.refuses(candidate, self.case)):
                self._record(candidate, "refused", f"principle {principle.id}: {why}")
                if principle.id == 3:
                    self.undecodable.append(candidate)
                return False
        self.answer(candidate, candidate.why)
        return True

    def answer(self, candidate: Candidate, why: str) -> None:
        """Record that a candidate is the answer."""
        facts, form, counts = self.case
        if counts is not None or form not in WINDOWED or facts.body.complete:
            self._record(candidate, "answer", why)
        else:
            self._record(candidate, "provisional", f"{why}; everything seen so far is US-ASCII")

    def _record(self, candidate: Candidate, verdict: Verdict, why: str) -> None:
        name = candidate.charset.name if candidate.charset else candidate.label
        self.steps.append(Step(candidate.rule, verdict, name, why, candidate.spec))
