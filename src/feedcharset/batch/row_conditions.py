"""`--where`: which rows of a crawl are taken, by conditions that are read from text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fnmatch import translate
from urllib.parse import urlsplit

from feedcharset.batch.xml_selection import Candidate, is_feed, is_xml
from feedcharset.evidence.content_type import parse_content_type

__all__ = ["ConditionError", "all_of", "host_of", "parse_condition"]

FIELDS = ("url", "host", "type", "status")
SETS: dict[str, Callable[[Candidate], bool]] = {
    "xml": is_xml,
    "feed": is_feed,
    "all": lambda candidate: True,
}
"""Conditions with a name: looks like XML, is RSS or Atom, everything."""

_CONDITION = re.compile(r"([a-z]+)(!?=)(.*)", re.DOTALL)


class ConditionError(ValueError):
    """A condition that is not understood."""


def parse_condition(text: str) -> Callable[[Candidate], bool]:
    """A condition: `xml`, `feed`, `all`, or FIELD=PATTERN or FIELD!=PATTERN with url, host, type or status.

    A pattern is one of the shell (`*`, `?`), in any case.

    Raises:
        ConditionError: another word.
    """
    if text in SETS:
        return SETS[text]
    match = _CONDITION.fullmatch(text)
    if match is None or match[1] not in FIELDS:
        raise ConditionError(
            f"{text!r} is no condition; write {', '.join(SETS)}, or FIELD=PATTERN or FIELD!=PATTERN, "
            f"where FIELD is one of {', '.join(FIELDS)}"
        )
    field, negated, pattern = match[1], match[2] == "!=", re.compile(translate(match[3].lower()))

    def holds(candidate: Candidate) -> bool:
        return (pattern.match(_value(field, candidate).lower()) is not None) != negated

    return holds


def all_of(conditions: Sequence[str]) -> Callable[[Candidate], bool]:
    """All conditions together; without one that names a set, `xml` is among them."""
    chosen = [parse_condition(text) for text in conditions]
    if not any(text in SETS for text in conditions):
        chosen.append(is_xml)
    return lambda candidate: all(one(candidate) for one in chosen)


def _value(field: str, candidate: Candidate) -> str:
    if field == "url":
        return candidate.url or ""
    if field == "host":
        return host_of(candidate.url)
    if field == "type":
        return parse_content_type(candidate.content_type).media_type or ""
    return "" if candidate.status is None else str(candidate.status)


def host_of(url: str | None) -> str:
    """The host of a URL, "" where it has none."""
    try:
        return urlsplit(url or "").hostname or ""
    except ValueError:
        return ""
