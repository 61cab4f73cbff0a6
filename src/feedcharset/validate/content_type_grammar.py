"""The grammar of Content-Type, as strict as it is published.

    media-type      = type "/" subtype parameters                       RFC 9110 §8.3.1
    parameters      = *( OWS ";" OWS [ parameter ] )                    §5.6.6
    parameter       = parameter-name "=" parameter-value
    parameter-value = ( token / quoted-string )
    quoted-string   = DQUOTE *( qdtext / quoted-pair ) DQUOTE           §5.6.4

What is read is wider: evidence/content_type names the tolerances.
"""

from __future__ import annotations

import re

from feedcharset.evidence.content_type import parse_content_type

__all__ = ["content_type_flaws"]

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]++"
_QUOTED = r'"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*+"'
_PARAMETER = rf"({_TOKEN})=(?:{_TOKEN}|{_QUOTED})"
_MEDIA_TYPE = re.compile(rf"[ \t]*+{_TOKEN}/{_TOKEN}")
_NEXT = re.compile(rf"[ \t]*+;[ \t]*+(?:{_PARAMETER})?")
_END = re.compile(r"[ \t]*+\Z")


def content_type_flaws(value: str) -> tuple[str, ...]:
    """What the grammar does not allow, one sentence each; () where the field is in grammar."""
    flaws = parse_content_type(value).tolerances
    at, names = _parse(value)
    if at is not None and not flaws:
        flaws = (f"it cannot be read from character {at + 1} on",)
    if names.count("charset") > 1:
        flaws += ("the charset stands twice; the first one counts",)
    return flaws


def _parse(value: str) -> tuple[int | None, list[str]]:
    """Where the grammar is left, or None; the names of the parameters up to there."""
    names: list[str] = []
    match = _MEDIA_TYPE.match(value)
    if match is None:
        return 0, names
    at = match.end()
    while match := _NEXT.match(value, at):
        if match[1]:
            names.append(match[1].lower())
        at = match.end()
    return None if _END.match(value, at) else at, names
