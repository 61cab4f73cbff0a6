"""Which responses of a web archive look like XML, and which like a feed."""

from __future__ import annotations

import re
from typing import NamedTuple

from feedcharset.evidence.content_type import classify, parse_content_type
from feedcharset.evidence.declaration import guess_family

__all__ = ["HEAD_BYTES", "Candidate", "is_feed", "is_xml"]

HEAD_BYTES = 4096
"""Bytes of a body that are looked at: as far as a declaration may go."""

_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff", b"\xff\xfe", b"\xfe\xff")
_ROOT = re.compile(rb"<([A-Za-z_][A-Za-z0-9_.:-]*+)")
_HTML_DOCTYPE = re.compile(rb"<!doctype[ \t\r\n]++html", re.IGNORECASE)
_FEED_ROOTS = frozenset((b"rss", b"feed", b"rdf:rdf", b"channel"))
_XML_ROOTS = _FEED_ROOTS | {b"opml", b"urlset", b"sitemapindex"}
_FEED_TYPES = re.compile(r"[+/.-](?:rss|atom|rdf)(?:\+xml)?\Z")


class Candidate(NamedTuple):
    """What is known of a response before its body is taken."""

    url: str | None
    status: int | None
    content_type: str
    """The header field's value; "" where the response has none."""
    payload_type: str | None
    """What the crawler found by looking (WARC-Identified-Payload-Type)."""
    head: bytes
    """The first HEAD_BYTES of the body."""


def is_xml(candidate: Candidate) -> bool:
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
    return root in _XML_ROOTS or guess_family(_after_bom(candidate.head).lstrip()) is not None


def is_feed(candidate: Candidate) -> bool:
    """Whether the first element is that of RSS, Atom or RDF, or the media type names one of them."""
    root = _root(candidate.head)
    if root is not None:
        return root in _FEED_ROOTS
    media_type = parse_content_type(candidate.content_type).media_type or ""
    return _FEED_TYPES.search(media_type) is not None and is_xml(candidate)


def _root(head: bytes) -> bytes | None:
    """The name of the first element in lower case, NULs of UTF-16 passed over; None where none is seen."""
    plain = _after_bom(head).replace(b"\0", b"")
    if _HTML_DOCTYPE.search(plain):
        return b"html"
    found = _ROOT.search(plain)
    return found[1].lower() if found else None


def _after_bom(head: bytes) -> bytes:
    for bom in _BOMS:
        if head.startswith(bom):
            return head[len(bom) :]
    return head
