"""Which rows of a crawl are taken: what looks like XML, what like a feed, and the conditions of `--where`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from fnmatch import translate
from typing import NamedTuple
from urllib.parse import urlsplit

from feedcharset.adapters.xml_responses import MARKUP_COMMENT, has_feed_behind
from feedcharset.evidence.content_type import classify, parse_content_type
from feedcharset.evidence.declaration import guess_family
from feedcharset.evidence.document_head import sniff_bom
from feedcharset.fetch.gunzip import FILE_LIMITS, GZIP_MAGIC, BrokenGzip, Gunzip

HEAD_BYTES = 4096
"""Bytes of a body that are looked at: as far as a declaration may go."""

_ROOT = re.compile(rb"<(?:!doctype[ \t\r\n]++)?+([a-z_][a-z0-9_.:-]*+)", re.IGNORECASE)
_FEED_ELEMENTS = frozenset((b"rss", b"feed", b"rdf", b"channel"))
_XML_ELEMENTS = _FEED_ELEMENTS | {b"opml", b"urlset", b"sitemapindex"}


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


def head_of(body: bytes) -> bytes:
    """The first HEAD_BYTES of a body; where it is gzip, of what as many packed bytes hold."""
    head = body[:HEAD_BYTES]
    if head.startswith(GZIP_MAGIC):
        with suppress(BrokenGzip):
            head = next(Gunzip((head,), FILE_LIMITS), b"")[:HEAD_BYTES]
    return head


def is_xml(candidate: CrawlRow) -> bool:
    """Whether the type or the first bytes look like XML.

    An HTML page that begins with an XML declaration, as XHTML 1.0 pages do, is taken only where its type is
    one of XML.
    """
    for value in (candidate.content_type, candidate.payload_type or ""):
        if classify(parse_content_type(value).media_type) in ("APP-XML", "TEXT-XML"):
            return True
    root = _root(candidate.head)
    if root == b"html":
        return False
    after_bom = candidate.head[sniff_bom(candidate.head)[1] :]
    return root in _XML_ELEMENTS or guess_family(after_bom.lstrip()) is not None or _is_behind(candidate)


def is_feed(candidate: CrawlRow) -> bool:
    """Whether the first element is that of RSS, Atom or RDF, whatever the media type says; or stands behind
    messages of the server."""
    return _root(candidate.head) in _FEED_ELEMENTS or _is_behind(candidate)


def _is_behind(candidate: CrawlRow) -> bool:
    return has_feed_behind(candidate.head, parse_content_type(candidate.content_type).media_type or "")


def _root(head: bytes) -> bytes | None:
    """The name of the first element (or in the DOCTYPE before it) in lower case, without a prefix, or None.

    NULs of UTF-16 are passed over; the letters of a name are the same in all EBCDIC pages.
    """
    if guess_family(head) == "EBCDIC":
        head = head.decode("cp037").encode("latin-1")
    found = _ROOT.search(MARKUP_COMMENT.sub(b"", head.replace(b"\0", b"")))
    return found[1].lower().rpartition(b":")[2] if found else None


# -- conditions -------------------------------------------------------------------------------------------

CONDITION_FIELDS: dict[str, Callable[[CrawlRow], str]] = {
    "url": lambda row: row.url or "",
    "host": lambda row: _host(row.url or ""),
    "type": lambda row: parse_content_type(row.content_type).media_type or "",
    "status": lambda row: "" if row.status is None else str(row.status),
}
NAMED_CONDITIONS: dict[str, Callable[[CrawlRow], bool]] = {
    "xml": is_xml,
    "feed": is_feed,
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
