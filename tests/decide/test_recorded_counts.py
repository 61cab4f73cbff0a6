"""The counts of a resolution, for its replay."""

from __future__ import annotations

import pytest

from feedcharset import resolve
from feedcharset.charsets.lookup import by_name
from feedcharset.decide.lenient_chain import RecordedCounts
from feedcharset.results.facts import Body, Damage, Utf8Count


def test_what_was_recorded_is_returned() -> None:
    body = Body(
        utf8=Utf8Count(3, 1), damage=(Damage("GBK", 5, 0, 0), Damage("Big5", 2, 4, 0)), misplaced="gbk"
    )
    counts = RecordedCounts(body)
    assert counts.utf8() == counts.utf8_bounds() == Utf8Count(3, 1)
    assert counts.damage(by_name("Big5")) == Damage("Big5", 2, 4, 0)
    assert (counts.decodes(by_name("GBK")), counts.decodes(by_name("Big5"))) == (True, False)
    assert (counts.misplaced(), counts.detected()) == ("gbk", None)


def test_what_was_not_recorded_is_an_error() -> None:
    counts = RecordedCounts(Body())
    with pytest.raises(LookupError):
        counts.damage(by_name("GBK"))
    with pytest.raises(LookupError):
        counts.sequences(by_name("GBK"))
    with pytest.raises(AssertionError):
        counts.utf8()


def test_the_counts_of_a_decision() -> None:
    body = b"<?xml version='1.0' encoding='iso-8859-1'?><a>" + "Žluťoučký kůň".encode() + b"</a>"
    facts = resolve(body, complete=True).facts
    assert RecordedCounts(facts.body).sequences(by_name("ISO-8859-1")).sequences >= 4
