"""`resolve`: from a document's head and its Content-Type to a decision; and the caller's own options:
`encoding=`, which forces a charset, `default_encoding=` and `policy=`."""

from __future__ import annotations

from feedcharset.charsets.lookup import by_name, lookup
from feedcharset.decide.opening import as_bytes, conclude, open_document
from feedcharset.decide.published_tables import POLICIES, Policy
from feedcharset.errors import UnknownEncoding
from feedcharset.evidence.content_type import as_field
from feedcharset.evidence.detector import Detector, check_detector
from feedcharset.evidence.window import LOOKAHEAD, Window, first_non_ascii
from feedcharset.results import Resolution
from feedcharset.results.facts import Facts

__all__ = ["check_options", "forced", "resolve"]


def resolve(
    head: bytes | bytearray | memoryview,
    content_type: str | bytes | None = None,
    *,
    lenient: bool = True,
    policy: Policy = "rfc3023",
    default_encoding: str | None = None,
    detector: Detector | None = "letters",
    complete: bool = False,
) -> Resolution:
    """Decide the encoding of a document from its first bytes.

    Args:
        head: the document's first bytes, 4 KB or more where there are as many; all of them are looked at.
        content_type: the Content-Type field's value; None: the transport gave none (a file); "": an HTTP
            message without the field.
        lenient: the chain of L0-L7, which always decides; else the strict rules of `policy`.
        policy: "rfc3023" or "rfc7303".
        default_encoding: replaces the default of the rules 1.0, 2.1 and 3.6 and of the step L4.
        detector: used at step L6: "letters", None, or a callable that is passed the bytes from the first
            non-ASCII byte, or ESC, on, and returns a label or None.
        complete: `head` is the whole document.

    Raises:
        ResolutionError: strict, where a rule is an error (1.3-1.7, 2.2, 2.4, 2.6; by RFC 7303 3.2 and 3.9).
        ValueError: for an unknown policy or default_encoding.
    """
    if policy not in POLICIES or default_encoding is not None:
        check_options(policy, default_encoding)
    check_detector(detector)
    if not isinstance(head, bytes):
        head = as_bytes(head)
    field = content_type if isinstance(content_type, str) else as_field(content_type)
    opening = open_document(
        head,
        field,
        lenient=lenient,
        policy=policy,
        default_encoding=default_encoding,
        complete=complete,
    )
    if not opening.windowed:
        return opening.decision
    start = opening.decision.facts.body.start
    high = first_non_ascii(head[start:] if start else head)
    if high < 0:
        return opening.if_ascii if complete else opening.decision
    high += start
    before = head[start:high]
    window = Window(
        head[high : high + LOOKAHEAD],
        ends=complete and len(head) <= high + LOOKAHEAD,
        before=before,
        opening=before,
        detector=detector,
    )
    return conclude(opening, high, window, policy=policy, default_encoding=default_encoding)


def check_options(policy: str, default_encoding: str | None) -> None:
    """Refuse options that no decision can be made with.

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
    """The resolution for `encoding=`, whatever the document's labels are.

    A generic UTF-16 or UTF-32 takes the byte order of the BOM or of the pattern, else big-endian
    (RFC 2781 §4.3).

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
