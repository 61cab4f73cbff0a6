"""The caller's own options: `encoding=`, which forces a charset, `default_encoding=` and `policy=`."""

from __future__ import annotations

from feedcharset.charsets.lookup import by_name, lookup
from feedcharset.decide.rules import POLICIES
from feedcharset.errors import UnknownEncoding
from feedcharset.results.facts import Facts
from feedcharset.results.resolution import Resolution

__all__ = ["check_options", "forced"]


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
