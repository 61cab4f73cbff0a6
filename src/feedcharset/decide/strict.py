"""Strict resolution: what the rules of a policy give, exactly as published, and whether it can be read."""

from __future__ import annotations

from feedcharset.charsets.lookup import Charset, lookup
from feedcharset.decide.candidates import fits_form
from feedcharset.decide.interpreter import apply_rules, refusal, steps_of
from feedcharset.errors import EncodingConflict, ResolutionError, UnknownEncoding
from feedcharset.results.facts import Facts
from feedcharset.results.resolution import Resolution

__all__ = ["readable", "resolve_strictly"]


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
        f"{what}; correct the label, pass encoding=, or read with lenient=True",
        facts=resolution.facts,
        rule=resolution.rule,
        steps=resolution.steps,
    )
