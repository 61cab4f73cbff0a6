"""The strict decision: what the published tables give for the facts of a document.

First the facts are reduced to a closed vocabulary (`Words`): "the declaration contradicts the BOM" is
established there, once, and no row compares strings. Then the first row that fits decides (`apply_rules`).
`resolve_strictly` gives what the rules say, exactly as published; `readable` the charset with which that can
be read. The lenient chain begins with the same tables (its steps L0 and L1).
"""

from collections.abc import Iterable
from functools import cache
from typing import Literal, NamedTuple

from feedcharset.charsets.lookup import Charset, lookup
from feedcharset.decide.published_tables import RFC3023_HTTP, RFC3023_RAW, RFC7303, Row
from feedcharset.errors import EncodingConflict, NotXmlMediaType, ResolutionError, UnknownEncoding
from feedcharset.evidence.document_head import fits_form
from feedcharset.results import Resolution, Step
from feedcharset.results.facts import Facts, MediaClass

CharsetWord = Literal["none", "UTF-16", "UTF-16BE/LE", "UTF-32", "UTF-32BE/LE", "other"]
BomWord = Literal["none", "UTF-8", "UTF-16", "UTF-32"]
GuessWord = Literal["none", "UTF-16", "UTF-32", "other", "agrees", "contradicts"]
DeclaredWord = Literal["none", "generic", "other", "agrees", "contradicts"]


def tables(policy: str) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """The rows for a document without, and with, a Content-Type.

    Raises:
        ValueError: for a policy that is none of POLICIES.
    """
    if policy == "rfc3023":
        return RFC3023_RAW, RFC3023_HTTP
    if policy == "rfc7303":
        return RFC7303, RFC7303
    raise ValueError(f"policy is {policy!r}; pass 'rfc3023' or 'rfc7303'")


class Words(NamedTuple):
    """The facts in the words of the tables."""

    transport: Literal["raw", "http"]
    media: MediaClass
    charset: CharsetWord
    bom: BomWord
    guess: GuessWord
    """With a BOM: whether it agrees; without: its family."""
    declared: DeclaredWord
    """With a BOM: whether it agrees, the generic name of the BOM's family agreeing too. Without:
    "generic" is UTF-16 under a UTF-16 guess, or UTF-32 under a UTF-32 guess."""


_FAMILY: dict[str | None, BomWord] = {
    None: "none",
    "UTF-8": "UTF-8",
    "UTF-16BE": "UTF-16",
    "UTF-16LE": "UTF-16",
    "UTF-32BE": "UTF-32",
    "UTF-32LE": "UTF-32",
}

_CHARSET_WORD: dict[str, CharsetWord] = {
    "UTF-16": "UTF-16",
    "UTF-32": "UTF-32",
    "UTF-16BE": "UTF-16BE/LE",
    "UTF-16LE": "UTF-16BE/LE",
    "UTF-32BE": "UTF-32BE/LE",
    "UTF-32LE": "UTF-32BE/LE",
}


def family_of(encoding: str | None) -> str:
    """ "UTF-16" for UTF-16BE and UTF-16LE, "UTF-32" likewise; any other BOM or guess by its own name."""
    return _FAMILY.get(encoding, "other")


def reduce_facts(facts: Facts, *, lenient: bool = False) -> Words:
    """Return the words for these facts; `lenient`: also labels that are misspelt."""
    charset = facts.charset
    known = None if charset is None else lookup(charset, lenient=lenient)
    return Words(
        "raw" if facts.content_type is None else "http",
        facts.media_class,
        "none" if charset is None else _CHARSET_WORD.get(known.name if known else "", "other"),
        _FAMILY[facts.bom],
        _guess_word(facts),
        "none" if facts.declared is None else _declared_word(facts, lookup(facts.declared, lenient=lenient)),
    )


def _guess_word(facts: Facts) -> GuessWord:
    if facts.guess is None:
        return "none"
    if facts.bom is not None:
        return "agrees" if facts.guess == facts.bom else "contradicts"
    family = _FAMILY.get(facts.guess, "none")
    return family if family in ("UTF-16", "UTF-32") else "other"


def _declared_word(facts: Facts, declared: Charset | None) -> DeclaredWord:
    name = declared.name if declared else ""
    if facts.bom is not None:
        return "agrees" if name in (facts.bom, _FAMILY[facts.bom]) else "contradicts"
    return "generic" if name in ("UTF-16", "UTF-32") and name == family_of(facts.guess) else "other"


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


@cache  # its arguments are a closed vocabulary
def fired_rows(policy: str, words: Words) -> tuple[Row, ...]:
    """Return the rows that fire for these words under a policy."""
    raw, http = tables(policy)
    row = first_fit(raw if words.transport == "raw" else http, words)
    return (row, first_fit(raw, words)) if row.then == "the raw rules" else (row,)


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
        f"rule {answer.rule}: {row.why} ({row.spec}); seen: {seen}",
        advice=f"{_ADVICE[row.then]}, or read with lenient=True",
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


def resolve_strictly(
    facts: Facts, *, policy: str = "rfc3023", default_encoding: str | None = None
) -> Resolution:
    """Apply the rules of the policy.

    Raises:
        EncodingConflict, NotXmlMediaType: where the rule is an error.
    """
    answer = apply_rules(facts, policy, default_encoding=default_encoding)
    if answer.encoding is None:
        raise refusal(answer, facts)
    codec = answer.charset.codec if answer.charset else None
    return Resolution(answer.encoding, codec, answer.rule, steps_of(answer), facts, policy, False)


def readable(resolution: Resolution) -> Charset:
    """The charset with which a strict resolution can be read.

    Raises:
        UnknownEncoding: the label is unknown, or refused for decoding.
        EncodingConflict: a generic UTF-16 or UTF-32 without a byte order, or the default of the rules 1.0 and
            3.6 over bytes that are visibly something else.
    """
    facts = resolution.facts
    charset = lookup(resolution.encoding)
    if charset is None or charset.refused:
        why = charset.refused if charset else "no charset of that name is known"
        raise _unreadable(
            UnknownEncoding, resolution, f"encoding {resolution.encoding[:64]!r} cannot be read: {why}"
        )
    if charset.codec is None and charset.family in ("UTF-16", "UTF-32"):
        what = f"{charset.name} is named, but neither a BOM nor the first bytes give the byte order"
        raise _unreadable(EncodingConflict, resolution, what)
    rule, pattern = resolution.rule, facts.body.pattern
    if rule.endswith(("1.0", "3.6")) and pattern is not None and not fits_form(charset, pattern):
        what = f"rule {rule} gives {charset.name}, but the bytes are visibly {pattern}"
        raise _unreadable(EncodingConflict, resolution, what)
    return charset


def _unreadable(kind: type[ResolutionError], resolution: Resolution, what: str) -> ResolutionError:
    return kind(
        what,
        advice="correct the label, pass encoding=, or read with lenient=True",
        facts=resolution.facts,
        rule=resolution.rule,
        steps=resolution.steps,
    )
