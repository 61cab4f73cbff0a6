"""The opening of a document: the decision that its head and the Content-Type allow.

`resolve`, `decode`, `XmlDecoder` and `check` begin here. `open_document` decides as far as the head allows.
Where the first non-ASCII byte can still change the decision (`Opening.windowed`), `Opening.well_formed` gives
the decision for a window that is UTF-8, and `conclude` the decision for any other window.

Two measures make this fast, since every feed passes here. Openings are remembered by their first bytes: the
documents of a site begin alike, and deciding anew takes 60 times as long as a look-up. A document without a
declaration begins with a tag, and its name changes nothing (`_START_TAG`): 1 µs instead of 45. `well_formed`
builds its three tuples with `tuple.__new__`: the constructors of NamedTuple take twice the time.
"""

import re
from functools import lru_cache
from typing import Any, NamedTuple

from feedcharset.decide.lenient_chain import decide, replay
from feedcharset.decide.lenient_principles import WINDOWED, byte_form
from feedcharset.decide.strict_decision import resolve_strictly
from feedcharset.evidence.head_facts import gather_facts
from feedcharset.evidence.window import Window
from feedcharset.results import Resolution
from feedcharset.results.facts import Body, Facts, Utf8Count

__all__ = ["ESC", "Opening", "as_bytes", "conclude", "open_document"]

ESC = 0x1B

WELL_FORMED = Utf8Count(None, 0)

REMEMBERED = 128
"""Openings that are kept. A crawler that goes from site to site gains nothing from more."""

LONGEST_REMEMBERED = 256
"""Bytes of a declaration, and characters of a Content-Type, that are remembered: with REMEMBERED they bound
the memory. Real ones stay under 100."""


class Opening(NamedTuple):
    """What a document's head and the Content-Type allow."""

    decision: Resolution
    """Final when strict, or where the document is not ASCII-compatible; else provisional."""
    if_ascii: Resolution
    """The decision if the document is ASCII to its end."""
    if_utf8: Resolution | None
    """The decision if the window is well-formed UTF-8, but for its position (`well_formed`); None where it
    depends on more counts than that."""
    windowed: bool
    """The decision is provisional: the first non-ASCII byte, or ESC, opens the look-ahead window."""
    declaration: bytes | None
    """The BOM and the XML declaration (or as many bytes of a tag), where the opening depends on these bytes
    alone; else None."""
    simple: bool = False
    """The document may be decoded without stages (text/whole_document.py): `declaration` is known and ASCII,
    nothing is to be reported before it, and the document is ASCII-compatible (strict: UTF-8)."""

    def well_formed(self, high: int, ends: bool) -> Resolution:
        """The decision for a window of well-formed UTF-8; only where `if_utf8` is not None.

        Args:
            high: offset of the first non-ASCII byte, where the window opened.
            ends: the window holds the rest of the document.
        """
        assert self.if_utf8 is not None
        decision, facts, body = self.if_utf8, self.if_utf8.facts, self.if_utf8.facts.body
        body = _tuple(Body, (*body[:4], high, ends, *body[6:]))
        facts = _tuple(Facts, (*facts[:7], body))
        resolution: Resolution = _tuple(Resolution, (*decision[:4], facts, *decision[5:]))
        return resolution


_tuple: Any = tuple.__new__


def open_document(
    head: bytes,
    content_type: str | None,
    *,
    lenient: bool = True,
    policy: str = "rfc3023",
    default_encoding: str | None = None,
    complete: bool = False,
) -> Opening:
    """Decide as far as the head allows.

    Args:
        head: the document's first bytes.
        content_type: the field's value; None: the transport gave none; "": no such field.
        lenient: the lenient chain; else the strict rules of `policy`.
        policy: "rfc3023" or "rfc7303".
        default_encoding: replaces the default of the rules 1.0, 2.1 and 3.6 and of the step L4.
        complete: `head` is the whole document.

    Raises:
        ResolutionError: strict, where a rule is an error.
    """
    declaration = _declaration(head)
    if declaration is None or not (content_type is None or len(content_type) <= LONGEST_REMEMBERED):
        return _open(head, content_type, lenient, policy, default_encoding, complete)
    return _remembered(declaration, content_type, lenient, policy, default_encoding)


_START_TAG = re.compile(rb"(?:\xef\xbb\xbf)?<[ac-gi-zAC-GI-Z_]")
"""A document that begins so has no declaration, no pattern and no kind, whatever follows. (`<html>` and
`<body>` are a kind.)"""


def _declaration(head: bytes) -> bytes | None:
    """A UTF-8 BOM, if any, and an XML declaration of usual length, or `<a` for any tag; else None."""
    at = 3 if head.startswith(b"\xef\xbb\xbf") else 0
    if head.startswith(b"<?xml", at):
        stop = head.find(b"?>", at, LONGEST_REMEMBERED)
        return head[: stop + 2] if stop >= 0 else None
    return head[:at] + b"<a" if _START_TAG.match(head) else None


def _open(
    head: bytes,
    content_type: str | None,
    lenient: bool,
    policy: str,
    default_encoding: str | None,
    complete: bool,
    declaration: bytes | None = None,
) -> Opening:
    facts = gather_facts(head, content_type, lenient=lenient, complete=complete)
    if not lenient:
        decision = resolve_strictly(facts, policy=policy, default_encoding=default_encoding)
        simple = decision.codec == "utf_8" and _is_plain(facts, declaration)
        return Opening(decision, decision, None, False, declaration, simple)
    decision = decide(facts, None, policy=policy, default_encoding=default_encoding)
    if byte_form(facts) not in WINDOWED:
        return Opening(decision, decision, None, False, declaration)
    if_ascii = _decide_to_the_end(facts, policy, default_encoding)
    if_utf8 = _decide_if_utf8(facts, policy, default_encoding)
    return Opening(decision, if_ascii, if_utf8, True, declaration, _is_plain(facts, declaration))


def _is_plain(facts: Facts, declaration: bytes | None) -> bool:
    """Return True where the document begins with at most a UTF-8 BOM and an ASCII declaration, or a tag."""
    if declaration is None or facts.body.pattern is not None or facts.bom not in (None, "UTF-8"):
        return False
    start = facts.body.start
    return start == (3 if facts.bom else 0) and declaration[start:].isascii() and b"\x1b" not in declaration


def _decide_to_the_end(facts: Facts, policy: str, default_encoding: str | None) -> Resolution:
    """The lenient decision on a document that was seen to its end, all of it ASCII."""
    facts = facts._replace(body=facts.body._replace(complete=True))
    return decide(facts, None, policy=policy, default_encoding=default_encoding)


def _decide_if_utf8(facts: Facts, policy: str, default_encoding: str | None) -> Resolution | None:
    """The lenient decision if the window is well-formed UTF-8; None where it depends on other counts, or is
    another charset."""
    body = facts.body._replace(first_non_ascii=0, utf8=WELL_FORMED)
    try:
        decision = replay(facts._replace(body=body), policy=policy, default_encoding=default_encoding)
    except LookupError:
        return None
    return decision if decision.encoding == "UTF-8" else None


@lru_cache(maxsize=REMEMBERED)
def _remembered(
    declaration: bytes, content_type: str | None, lenient: bool, policy: str, default_encoding: str | None
) -> Opening:
    """The opening of every document that begins with this ASCII declaration: it depends on nothing else."""
    return _open(declaration, content_type, lenient, policy, default_encoding, False, declaration)


def conclude(
    facts: Facts, high: int, window: Window, *, policy: str = "rfc3023", default_encoding: str | None = None
) -> Resolution:
    """The lenient decision on a window, with the numbers that it took.

    Args:
        facts: those of the opening.
        high: offset of the byte at which the window opened.
        window: the window.
        policy: "rfc3023" or "rfc7303".
        default_encoding: as for `open_document`.
    """
    facts = facts._replace(body=facts.body._replace(first_non_ascii=high, complete=window.ends))
    if facts.body.pattern is None and window.escapes():
        facts = facts._replace(body=facts.body._replace(pattern="ISO-2022-JP"))
    resolution = decide(facts, window, policy=policy, default_encoding=default_encoding)
    return resolution._replace(facts=facts._replace(body=window.record(facts.body)))


def as_bytes(data: bytes | bytearray | memoryview) -> bytes:
    """Bytes-like data as bytes.

    Raises:
        TypeError: something that is not bytes-like; text is decoded already.
    """
    if isinstance(data, str):
        raise TypeError("a str is decoded already; pass the document's bytes")
    try:
        return memoryview(data).tobytes()
    except TypeError:
        raise TypeError(f"pass the document's bytes, not {type(data).__name__}") from None
