"""The interpreter of the tables: the first row that fits decides."""

from collections.abc import Iterable
from typing import NamedTuple

from feedcharset.charsets.lookup import Charset, lookup
from feedcharset.decide.rules import Row, tables
from feedcharset.decide.vocabulary import Words, reduce_facts
from feedcharset.errors import EncodingConflict, NotXmlMediaType, ResolutionError
from feedcharset.results.facts import Facts
from feedcharset.results.resolution import Step

__all__ = ["Answer", "apply_rules", "fired_rows", "first_fit", "refusal"]

ERRORS: dict[str, type[ResolutionError]] = {
    "EncodingConflict": EncodingConflict,
    "NotXmlMediaType": NotXmlMediaType,
}


class Answer(NamedTuple):
    """The answer of a table."""

    rows: tuple[Row, ...]
    """The rows that fired, in order; the last one decided."""
    label: str | None
    """The label or name of the encoding; None for an error."""
    charset: Charset | None
    """The charset that it names; None where it is unknown."""
    source: str
    """What named it: "BOM", "guess", "declaration", "charset", "default", or "" for an error."""

    @property
    def rule(self) -> str:
        """The ids of the rows: "2.0/1.2"."""
        return "/".join(row.id for row in self.rows)

    @property
    def encoding(self) -> str | None:
        """The IANA name, or the label as written where it is unknown; None for an error."""
        return self.charset.name if self.charset else self.label


def first_fit(rows: Iterable[Row], words: Words) -> Row:
    """Return the first row that fits these words. The tables are total: there is always one."""
    for row in rows:
        if all(getattr(words, column) in allowed for column, allowed in row.when.items()):
            return row
    raise AssertionError(f"no row for {words}")  # pragma: no cover - a test computes that it cannot happen


_FIRED: dict[tuple[str, Words], tuple[Row, ...]] = {}
"""Rows already found. Its keys are the closed vocabulary, so it cannot grow beyond that."""


def fired_rows(policy: str, words: Words) -> tuple[Row, ...]:
    """Return the rows that fire for these words under a policy."""
    rows = _FIRED.get((policy, words))
    if rows is None:
        raw, http = tables(policy)
        row = first_fit(raw if words.transport == "raw" else http, words)
        rows = (row, first_fit(raw, words)) if row.then == "the raw rules" else (row,)
        _FIRED[policy, words] = rows
    return rows


def apply_rules(
    facts: Facts, policy: str = "rfc3023", *, default_encoding: str | None = None, lenient: bool = False
) -> Answer:
    """Apply the tables of a policy to these facts; `lenient` affects the look-up of labels only."""
    rows = fired_rows(policy, reduce_facts(facts, lenient=lenient))
    then = rows[-1].then
    if then == "the declared":
        label, source = facts.declared, "declaration"
    elif then == "the charset":
        label, source = facts.charset, "charset"
    elif then == "the BOM":
        label, source = facts.bom, "BOM"
    elif then == "the guess":
        label, source = facts.guess, "guess"
    elif then in ("UTF-8", "US-ASCII"):
        label, source = default_encoding or then, "default"
    else:
        return Answer(rows, None, None, "")
    return Answer(rows, label, lookup(label or "", lenient=lenient), source)


def refusal(answer: Answer, facts: Facts) -> ResolutionError:
    """Return the exception for a row whose outcome is an error."""
    row = answer.rows[-1]
    seen = ", ".join(
        f"{what} {value!r}"[:120]
        for what, value in (
            ("BOM", facts.bom),
            ("first bytes", facts.guess),
            ("declaration", facts.declared),
            ("Content-Type", facts.content_type),
        )
        if value is not None
    )
    return ERRORS[row.then](
        f"rule {answer.rule}: {row.why} ({row.spec}); seen: {seen}; "
        f"{_ADVICE[row.then]}, or read with lenient=True",
        facts=facts,
        rule=answer.rule,
        steps=steps_of(answer),
    )


_ADVICE = {
    "EncodingConflict": "make the BOM, the declaration and the charset agree, or leave the wrong one out",
    "NotXmlMediaType": "send an XML media type such as application/atom+xml",
}


def steps_of(answer: Answer) -> tuple[Step, ...]:
    """Return the rows that fired, as steps."""
    last = len(answer.rows) - 1
    return tuple(
        Step(
            row.id,
            "nothing" if at < last else ("error" if row.then in ERRORS else "answer"),
            answer.encoding if at == last else None,
            row.why,
            row.spec,
        )
        for at, row in enumerate(answer.rows)
    )
