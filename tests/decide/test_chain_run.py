"""One run of the chain: what is accepted, what is recorded."""

from __future__ import annotations

import pytest

from feedcharset.decide.lenient_chain import ChainRun
from feedcharset.decide.lenient_principles import Case, named
from feedcharset.evidence.window import Window
from feedcharset.results.facts import Body, Facts
from feedcharset.results.resolution import Step

NOTHING = Step("L3", "nothing", None, "there is no charset parameter")


def run(data: bytes | None = None, *, complete: bool = False, form: str | None = None) -> ChainRun:
    counts = None if data is None else Window(data, ends=True)
    return ChainRun(Case(Facts(body=Body(complete=complete)), form, counts))


def candidate(label: str):
    found = named("L2", label, "declaration", None)
    assert found is not None
    return found


def test_the_first_that_is_accepted_ends_the_chain() -> None:
    chain = run()
    proposals = iter([NOTHING, candidate("nope"), candidate("koi8-r"), candidate("utf-8")])
    accepted = chain.first_accepted(proposals)
    assert accepted is not None
    assert accepted.label == "koi8-r"
    assert [(step.id, step.verdict) for step in chain.steps] == [
        ("L3", "nothing"),
        ("L2", "refused"),
        ("L2", "provisional"),
    ]
    assert chain.steps[1].encoding == "nope"
    assert chain.steps[1].why.startswith("principle 1: ")
    assert [left.label for left in proposals] == ["utf-8"]


def test_none_is_accepted() -> None:
    chain = run()
    assert chain.first_accepted(iter([candidate("nope")])) is None


@pytest.mark.parametrize(
    ("data", "complete", "verdict"),
    [(None, False, "provisional"), (None, True, "answer"), ("ж".encode(), False, "answer")],
)
def test_an_answer_is_provisional_while_all_is_ascii(
    data: bytes | None, complete: bool, verdict: str
) -> None:
    chain = run(data, complete=complete)
    assert chain.accepts(candidate("utf-8"))
    assert chain.steps[-1].verdict == verdict


def test_only_principle_3_makes_a_candidate_of_the_last_step() -> None:
    chain = run(b"\xff\xfe\xff")
    assert not chain.accepts(candidate("utf-8"))
    assert not chain.accepts(candidate("nope"))
    assert [left.label for left in chain.undecodable] == ["utf-8"]
