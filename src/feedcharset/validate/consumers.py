"""The four kinds of consumer, as data, and the encoding that each of them uses."""

from __future__ import annotations

from typing import NamedTuple

from feedcharset.charsets.lookup import Charset
from feedcharset.decide.published_tables import Row
from feedcharset.decide.strict_decision import ERRORS, apply_rules, readable, resolve_strictly
from feedcharset.errors import ResolutionError
from feedcharset.results.facts import Facts
from feedcharset.results.report import Reading

__all__ = ["CONSUMERS", "Consumer", "StrictAnswer", "describe_reading", "strict_answers"]


class Consumer(NamedTuple):
    """One kind of consumer."""

    id: str
    title: str
    policy: str | None
    """The tables that it follows; None: the lenient chain."""
    http: bool
    """It knows the Content-Type."""
    sentence: str


CONSUMERS: tuple[Consumer, ...] = (
    Consumer("rfc3023", "RFC 3023", "rfc3023", True, "follows RFC 3023: text/xml alone is US-ASCII"),
    Consumer("rfc7303", "RFC 7303", "rfc7303", True, "follows RFC 7303: a BOM outranks the charset"),
    Consumer("no-http", "without HTTP", "rfc3023", False, "an XML parser that is given the saved document"),
    Consumer("lenient", "lenient", None, True, "corrects wrong labels, as this library does"),
)


class StrictAnswer(NamedTuple):
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


def describe_reading(reading: Reading) -> tuple[str, str]:
    """A reading for people: the consumer, and what it reads; without markup."""
    title = next(consumer.title for consumer in CONSUMERS if consumer.id == reading.consumer)
    if reading.outcome == "refuses":
        return title, f"refuses it by rule {reading.rule}: {reading.why}"
    position = f"at byte {reading.offset} (line {reading.line}, column {reading.column})"
    what = {
        "same": "the lenient text" if reading.consumer != "lenient" else "the text",
        "differs": f"another text from {position[3:]} on",
        "stops": f"the lenient text up to {position[3:]}, where a byte does not decode",
    }[reading.outcome]
    return title, f"{reading.encoding} by rule {reading.rule}: {what}"


def strict_answers(facts: Facts) -> dict[str, StrictAnswer]:
    """The answers of the three strict consumers on facts that were gathered strictly."""
    alone = facts._replace(content_type=None, media_type=None, media_class="NONE", charset=None)
    return {
        consumer.id: _answer(consumer.id, facts if consumer.http else alone, consumer.policy)
        for consumer in CONSUMERS
        if consumer.policy is not None
    }


def _answer(consumer: str, facts: Facts, policy: str) -> StrictAnswer:
    answer = apply_rules(facts, policy)
    row = answer.rows[-1]
    if row.then in ERRORS:
        return StrictAnswer(consumer, None, answer.rule, None, row.why, row)
    resolution = resolve_strictly(facts, policy=policy)
    try:
        charset = readable(resolution)
    except ResolutionError as error:
        why = str(error).rpartition("; correct the label")[0]
        return StrictAnswer(consumer, resolution.encoding, resolution.rule, None, why)
    return StrictAnswer(consumer, resolution.encoding, resolution.rule, charset)
