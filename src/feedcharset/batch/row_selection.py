"""Which rows of a crawl are taken: what looks like XML, what like a feed, and the conditions of `--where`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from fnmatch import translate
from typing import NamedTuple
from urllib.parse import urlsplit

from feedcharset.adapters.xml_responses import begins_as_xml, is_feed_head, is_xml_type
from feedcharset.evidence.content_type import parse_content_type


class CrawlRow(NamedTuple):
    """What is known of a response before its body is taken."""

    url: str | None
    status: int | None
    content_type: str
    """The header field's value; "" where the response has none."""
    payload_type: str | None
    """What the crawler found by looking (WARC-Identified-Payload-Type)."""
    head: bytes
    """The first HEAD_BYTES of the body, unpacked where it is gzip."""


def is_xml(candidate: CrawlRow) -> bool:
    """Whether the type or the first bytes look like XML.

    An HTML page that begins with an XML declaration, as XHTML 1.0 pages do, is taken only where its type is
    one of XML.
    """
    types = (candidate.content_type, candidate.payload_type or "")
    return any(map(is_xml_type, types)) or begins_as_xml(candidate.head, candidate.content_type)


# -- conditions -------------------------------------------------------------------------------------------

CONDITION_FIELDS: dict[str, Callable[[CrawlRow], str]] = {
    "url": lambda row: row.url or "",
    "host": lambda row: _host(row.url or ""),
    "type": lambda row: parse_content_type(row.content_type).media_type or "",
    "status": lambda row: "" if row.status is None else str(row.status),
}
NAMED_CONDITIONS: dict[str, Callable[[CrawlRow], bool]] = {
    "xml": is_xml,
    "feed": lambda candidate: is_feed_head(candidate.head, candidate.content_type),
    "all": lambda candidate: True,
}
"""Conditions with a name: looks like XML, is RSS or Atom, everything."""

_CONDITION = re.compile(r"([a-z]+)(!?=)(.*)", re.DOTALL)


def parse_condition(text: str) -> Callable[[CrawlRow], bool]:
    """A condition: `xml`, `feed`, `all`, or FIELD=PATTERN or FIELD!=PATTERN with url, host, type or status.

    In a pattern `*` and `?` are those of the shell, `[` is itself. Case does not count.

    Raises:
        ValueError: another word.
    """
    if text in NAMED_CONDITIONS:
        return NAMED_CONDITIONS[text]
    match = _CONDITION.fullmatch(text)
    if match is None or match[1] not in CONDITION_FIELDS:
        raise ValueError(
            f"{text!r} is no condition; write {', '.join(NAMED_CONDITIONS)}, or FIELD=PATTERN or "
            f"FIELD!=PATTERN, where FIELD is one of {', '.join(CONDITION_FIELDS)}"
        )
    field, negated = CONDITION_FIELDS[match[1]], match[2] == "!="
    pattern = re.compile(translate(match[3].lower().replace("[", "[[]")))
    return lambda row: (pattern.match(field(row).lower()) is not None) != negated


def all_of(conditions: Sequence[str]) -> Callable[[CrawlRow], bool]:
    """All conditions together."""
    chosen = [parse_condition(text) for text in conditions]
    return lambda candidate: all(one(candidate) for one in chosen)


def _host(url: str) -> str:
    """The host of a URL, "" where it has none."""
    with suppress(ValueError):
        return urlsplit(url).hostname or ""
    return ""
