"""`resolve`: from a document's head and its Content-Type to a decision."""

from __future__ import annotations

from codecs import utf_8_decode
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.decide.interpreter import apply_rules, refusal, steps_of
from feedcharset.decide.lenient_chain import WINDOWED, decide, replay, shape_of
from feedcharset.decide.principles import fits_shape
from feedcharset.decide.rules import POLICIES
from feedcharset.errors import EncodingConflict, ResolutionError, UnknownEncoding
from feedcharset.evidence.detector import Detector, find_detector
from feedcharset.evidence.facts import gather_facts
from feedcharset.evidence.window import LOOKAHEAD, Window, first_high
from feedcharset.results.facts import Body, Facts, Utf8Count
from feedcharset.results.resolution import Resolution

__all__ = [
    "REMEMBERED",
    "Opening",
    "as_bytes",
    "check_options",
    "conclude",
    "forced",
    "may_remember",
    "open_document",
    "opening_octets",
    "readable",
    "remembered",
    "resolve",
    "resolve_strictly",
    "well_formed",
]

ESC = 0x1B

WELL_FORMED = Utf8Count(None, 0)

REMEMBERED = 128
"""First decisions that are kept. A crawler that goes from site to site gains nothing from more."""

LONGEST_REMEMBERED = 256
"""Bytes of a declaration, and characters of a Content-Type, that are remembered: with REMEMBERED they bound
the memory. Real ones stay under 100."""


def resolve(
    head: bytes,
    content_type: str | None = None,
    *,
    lenient: bool = True,
    policy: str = "rfc3023",
    default_encoding: str | None = None,
    detector: Detector | Literal["chardet"] | None = None,
    complete: bool = False,
) -> Resolution:
    """Decide the encoding of a document from its first octets.

    Args:
        head: the document's first octets, 4 KB or more where there are as many; all of them are looked at.
        content_type: the Content-Type field's value; None: the transport said nothing (a file); "": an HTTP
            message without the field.
        lenient: the chain of L0-L7, which always answers; else the strict rules of `policy`.
        policy: "rfc3023" or "rfc7303".
        default_encoding: replaces the default of the rules 1.0, 2.1 and 3.6 and of the step L4.
        detector: asked at step L6, with the octets from the first one over 7F, or ESC, on; a label or None.
            "chardet" takes that package (pip install 'feedcharset[detect]').
        complete: `head` is the whole document.

    Raises:
        ResolutionError: strict, where a rule is an error (1.3-1.7, 2.2, 2.4, 2.6; by RFC 7303 3.2 and 3.9).
        ValueError: for an unknown policy or default_encoding.
    """
    if policy not in POLICIES or default_encoding is not None:
        check_options(policy, default_encoding)
    if isinstance(detector, str):
        detector = find_detector(detector)
    if not isinstance(head, bytes):
        head = as_bytes(head)
    opening = open_document(head, content_type, lenient, policy, default_encoding, complete)
    at_first = opening.decision
    if not lenient or shape_of(at_first.facts) not in WINDOWED:
        return at_first
    start = at_first.facts.body.start
    high = first_high(head[start:] if start else head)
    if high < 0:
        return opening.if_ascii if complete else at_first
    high += start
    octets = head[high : high + LOOKAHEAD]
    ends = complete and len(head) <= high + LOOKAHEAD
    if opening.if_utf8 and octets[0] != ESC and _is_utf8(octets, ends):
        return well_formed(opening.if_utf8, high, ends)
    before = head[start:high]
    window = Window(octets, ends=ends, before=before, opening=before, detector=find_detector(detector))
    return conclude(at_first.facts, high, window, policy=policy, default_encoding=default_encoding)


def as_bytes(octets: bytes | bytearray | memoryview) -> bytes:
    """Bytes-like octets as bytes.

    Raises:
        TypeError: text was passed, which is decoded already.
    """
    if isinstance(octets, str):
        raise TypeError("a str is decoded already; pass the document's bytes")
    return bytes(octets)


def _is_utf8(octets: bytes, ends: bool) -> bool:
    try:
        utf_8_decode(octets, "strict", ends)
    except UnicodeDecodeError:
        return False
    return True


class Opening(NamedTuple):
    """What a document's beginning and the Content-Type allow."""

    decision: Resolution
    """Final when strict, or where the document is not ASCII-compatible; else provisional."""
    if_ascii: Resolution
    """The decision if the document turns out to be ASCII to its end."""
    if_utf8: Resolution | None
    """The decision if the window turns out to be well-formed UTF-8, but for where it opened (`well_formed`);
    None where another charset comes first."""


def open_document(
    head: bytes,
    content_type: str | None,
    lenient: bool,
    policy: str,
    default_encoding: str | None,
    complete: bool,
) -> Opening:
    """Decide as far as the head allows."""
    opening = opening_octets(head)
    if opening is None or not may_remember(content_type):
        return _open(head, content_type, lenient, policy, default_encoding, complete)
    return remembered(opening, content_type, lenient, policy, default_encoding)


def may_remember(content_type: str | None) -> bool:
    """It is short enough."""
    return content_type is None or len(content_type) <= LONGEST_REMEMBERED


def opening_octets(head: bytes) -> bytes | None:
    """A UTF-8 BOM, if any, and an XML declaration of ordinary length; None where there is no such thing."""
    at = 3 if head.startswith(b"\xef\xbb\xbf") else 0
    if not head.startswith(b"<?xml", at):
        return None
    stop = head.find(b"?>", at, LONGEST_REMEMBERED)
    return head[: stop + 2] if stop >= 0 else None


def _open(
    head: bytes,
    content_type: str | None,
    lenient: bool,
    policy: str,
    default_encoding: str | None,
    complete: bool = False,
) -> Opening:
    facts = gather_facts(head, content_type, lenient=lenient, complete=complete)
    if not lenient:
        decision = resolve_strictly(facts, policy=policy, default_encoding=default_encoding)
        return Opening(decision, decision, None)
    decision = decide(facts, None, policy=policy, default_encoding=default_encoding)
    if shape_of(facts) not in WINDOWED:
        return Opening(decision, decision, None)
    if_ascii = _to_the_end(facts, policy, default_encoding)
    if decision.encoding != "UTF-8":
        return Opening(decision, if_ascii, None)
    # UTF-8 that decodes passes every principle: none of them asks for another number.
    body = facts.body._replace(high=0, utf8=WELL_FORMED)
    if_utf8 = replay(facts._replace(body=body), policy=policy, default_encoding=default_encoding)
    return Opening(decision, if_ascii, if_utf8)


def _to_the_end(facts: Facts, policy: str, default_encoding: str | None) -> Resolution:
    """The lenient decision on a document that has been seen to its end, all of it ASCII."""
    facts = facts._replace(body=facts.body._replace(complete=True))
    return decide(facts, None, policy=policy, default_encoding=default_encoding)


remembered = lru_cache(maxsize=REMEMBERED)(_open)
"""`_open`, for documents that begin with an ASCII declaration: that and the Content-Type are all it depends
on then, and the documents of a site begin alike."""


def well_formed(if_utf8: Resolution, high: int, ends: bool) -> Resolution:
    """`Opening.if_utf8`, for a window that opened at byte `high` and holds all the rest or not."""
    encoding, codec, rule, steps, facts, policy, lenient = if_utf8
    bom, guess, declared, content_type, media_type, media_class, charset, body = facts
    start, pattern, page, kind, _, _, *numbers = body
    # Past the constructors of NamedTuple: this is on the way of every feed, and they take twice the time.
    body = _tuple(Body, (start, pattern, page, kind, high, ends, *numbers))
    facts = _tuple(Facts, (bom, guess, declared, content_type, media_type, media_class, charset, body))
    resolution: Resolution = _tuple(Resolution, (encoding, codec, rule, steps, facts, policy, lenient))
    return resolution


_tuple: Any = tuple.__new__


def conclude(
    facts: Facts, high: int, window: Window, *, policy: str = "rfc3023", default_encoding: str | None = None
) -> Resolution:
    """The lenient decision on a window that opened at byte `high`, with the numbers that it took."""
    facts = facts._replace(body=facts.body._replace(high=high, complete=window.ends))
    if facts.body.pattern is None and window.escapes():
        facts = facts._replace(body=facts.body._replace(pattern="ISO-2022-JP"))
    resolution = decide(facts, window, policy=policy, default_encoding=default_encoding)
    return resolution._replace(facts=facts._replace(body=window.record(facts.body)))


def resolve_strictly(
    facts: Facts, *, policy: str = "rfc3023", default_encoding: str | None = None
) -> Resolution:
    """What the rules of the policy say, exactly as published.

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
        EncodingConflict: a generic UTF-16 or UTF-32 that nothing orders, or the default of the rules 1.0 and
            3.6 over octets that are visibly something else.
    """
    facts = resolution.facts
    charset = lookup(resolution.encoding)
    if charset is None or charset.refused:
        why = charset.refused if charset else "no charset of that name is known"
        raise _unreadable(
            UnknownEncoding, resolution, f"encoding {resolution.encoding[:64]!r} cannot be read: {why}"
        )
    if charset.codec is None and charset.family in ("UTF-16", "UTF-32"):
        what = f"{charset.name} is named, but neither a BOM nor the first octets order it"
        raise _unreadable(EncodingConflict, resolution, what)
    rule, pattern = resolution.rule, facts.body.pattern
    if rule.endswith(("1.0", "3.6")) and pattern is not None and not fits_shape(charset, pattern):
        what = f"rule {rule} says {charset.name}, but the octets are visibly {pattern}"
        raise _unreadable(EncodingConflict, resolution, what)
    return charset


def _unreadable(kind: type[ResolutionError], resolution: Resolution, what: str) -> ResolutionError:
    return kind(
        f"{what}; correct the label, pass encoding=, or read with lenient=True",
        facts=resolution.facts,
        rule=resolution.rule,
        steps=resolution.steps,
    )


def check_options(policy: str, default_encoding: str | None) -> None:
    """Refuse options that nothing can be decided with.

    Raises:
        ValueError: for an unknown policy.
        UnknownEncoding: for a default_encoding that is no charset of the table, or is never decoded.
    """
    if policy not in POLICIES:
        raise ValueError(f"policy is {policy!r}; pass 'rfc3023' or 'rfc7303'")
    if default_encoding is not None:
        charset = lookup(default_encoding)
        if charset is None or charset.refused:
            what = f"default_encoding is {default_encoding!r}"
            raise UnknownEncoding(f"{what}, which names no charset that can be read")


def forced(encoding: str, facts: Facts, *, policy: str, lenient: bool) -> Resolution:
    """The resolution for `encoding=`: the caller's word, whatever the document says.

    A generic UTF-16 or UTF-32 takes the order of the BOM or of the pattern, else big-endian (RFC 2781 §4.3).

    Raises:
        UnknownEncoding: for an encoding that is no charset of the table, or is never decoded.
    """
    charset = lookup(encoding, lenient=True)
    if charset is None or charset.refused:
        what = f"encoding is {encoding!r}, which names no charset that can be read"
        raise UnknownEncoding(what, facts=facts)
    if charset.codec is None and charset.name in ("UTF-16", "UTF-32"):
        shape = facts.bom or facts.body.pattern or facts.guess or ""
        charset = by_name(shape if shape.startswith(charset.name) else f"{charset.name}BE")
    codec = by_name(charset.superset).codec if lenient else charset.codec
    return Resolution(charset.name, codec, "forced", (), facts, policy, lenient)
