"""The media type of a feed, by its root element."""

from __future__ import annotations

import re

from feedcharset.results.facts import Facts

__all__ = ["FEED_TYPES", "media_type_for", "root_element"]

FEED_TYPES = {
    "rss": "application/rss+xml",
    "feed": "application/atom+xml",
    "rdf": "application/rdf+xml",
}
"""The media type of a format, by the local name of its root element in lower case (RFC 4287 §7,
RFC 3870; that of RSS is used but not registered)."""

_PROLOG = re.compile(r"\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?:\[[^\]]*+\]\s*)?>", re.DOTALL)
_START_TAG = re.compile(r"<(?![!?])(?:[^\s<>/:\"'=]{1,64}:)?([^\s<>/:\"'=]{1,64})(?=[\s/>])")


def root_element(head: str) -> str | None:
    """The local name of the root element, if it is in the head."""
    at = 0
    while match := _PROLOG.match(head, at):
        at = match.end()
    start = _START_TAG.match(head, at)
    return start[1] if start else None


def media_type_for(facts: Facts, root: str | None) -> str:
    """The media type to send: the present one, where it is a specific XML type; else by the root element."""
    known = FEED_TYPES.get((root or "").lower())
    if known and facts.media_type in ("application/rss+xml", known):
        # RSS 1.0 is sent as either.
        return known if root == "feed" else facts.media_type
    if facts.media_class == "APP-XML" and facts.media_type and facts.media_type not in FEED_TYPES.values():
        return facts.media_type
    return known or "application/xml"
