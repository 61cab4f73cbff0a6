"""Who reads feeds, and which encoding each of them takes: four rows of data, and a function."""

from __future__ import annotations

from typing import NamedTuple

from feedcharset.charsets.lookup import Charset
from feedcharset.decide.interpreter import ERRORS, apply_rules
from feedcharset.decide.resolve import readable, resolve_strictly
from feedcharset.decide.rules import Row
from feedcharset.errors import ResolutionError
from feedcharset.results.facts import Facts
from feedcharset.results.report import Reading

__all__ = ["CONSUMERS", "Consumer", "Verdict", "strict_verdicts", "tell"]


class Consumer(NamedTuple):
    """One kind of consumer."""

    id: str
    title: str
    policy: str | None
    """The tables that it obeys; None: the lenient chain."""
    http: bool
    """It knows the Content-Type."""
    sentence: str


CONSUMERS: tuple[Consumer, ...] = (
    Consumer("rfc3023", "RFC 3023", "rfc3023", True, "obeys the RFC of 2001: text/xml alone is US-ASCII"),
    Consumer("rfc7303", "RFC 7303", "rfc7303", True, "obeys the RFC of 2014: a BOM outranks the charset"),
    Consumer("no-http", "without HTTP", "rfc3023", False, "an XML parser that is given the saved document"),
    Consumer("lenient", "lenient", None, True, "finds the right text even where labels lie: this library"),
)


class Verdict(NamedTuple):
    """What a strict consumer does with a document's beginning."""

    consumer: str
    encoding: str | None
    """None where a rule is an error."""
    rule: str
    charset: Charset | None
    """What it decodes with; None where it refuses."""
    why: str = ""
    """Why it refuses."""
    row: Row | None = None
    """The row that is an error."""


def tell(reading: Reading) -> tuple[str, str]:
    """A reading for people: who, and what they read; without markup."""
    title = next(consumer.title for consumer in CONSUMERS if consumer.id == reading.consumer)
    if reading.outcome == "refuses":
        return title, f"refuses it by rule {reading.rule}: {reading.why}"
    place = f"at byte {reading.offset} (line {reading.line}, column {reading.column})"
    what = {
        "same": "the lenient text" if reading.consumer != "lenient" else "the text",
        "differs": f"another text from {place[3:]} on",
        "stops": f"the lenient text up to {place[3:]}, where an octet does not decode",
    }[reading.outcome]
    return title, f"{reading.encoding} by rule {reading.rule}: {what}"


def strict_verdicts(facts: Facts) -> dict[str, Verdict]:
    """The verdicts of the three strict consumers on facts that were gathered strictly."""
    alone = facts._replace(content_type=None, media_type=None, media_class="NONE", charset=None)
    return {
        consumer.id: _verdict(consumer.id, facts if consumer.http else alone, consumer.policy)
        for consumer in CONSUMERS
        if consumer.policy is not None
    }


def _verdict(consumer: str, facts: Facts, policy: str) -> Verdict:
    answer = apply_rules(facts, policy)
    row = answer.rows[-1]
    if row.then in ERRORS:
        return Verdict(consumer, None, answer.rule, None, row.why, row)
    resolution = resolve_strictly(facts, policy=policy)
    try:
        charset = readable(resolution)
    except ResolutionError as error:
        why = str(error).rpartition("; correct the label")[0]
        return Verdict(consumer, resolution.encoding, resolution.rule, None, why)
    return Verdict(consumer, resolution.encoding, resolution.rule, charset)
