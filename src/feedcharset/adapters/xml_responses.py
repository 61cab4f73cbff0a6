"""Which HTTP responses are XML documents, and how large the body of one may be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Self, Unpack

from feedcharset.errors import FetchError, TooLarge, TruncatedBody
from feedcharset.evidence.content_type import classify, parse_content_type
from feedcharset.evidence.declaration import guess_family
from feedcharset.evidence.document_head import sniff_bom
from feedcharset.fetch.gunzip import GZIP_BEGINNINGS, BrokenGzip, Gunzip, OverLimit, gunzip
from feedcharset.fetch.limits import DEFAULT_LIMITS, FILE_LIMITS
from feedcharset.fetch.urls import shown, without_userinfo
from feedcharset.results import Decoded
from feedcharset.text.options import DecoderOptions
from feedcharset.text.xml_decoder import XmlDecoder, decode

__all__ = [
    "HEAD_BYTES",
    "MAX_BYTES",
    "BodyBuffer",
    "begins_as_xml",
    "decode_body",
    "head_of",
    "is_declared",
    "is_feed_head",
    "is_xml_response",
    "is_xml_type",
    "unpacked",
]

MAX_BYTES = DEFAULT_LIMITS.decoded
"""Bytes of one body, after its Content-Encoding was removed: the default of `Limits.decoded`."""

HEAD_BYTES = 4096
"""Bytes of a body that are looked at: as far as a declaration may go. Messages of a server before it have
200."""

_XML_CLASSES = ("APP-XML", "TEXT-XML")
_PAGE_TYPES = ("", "text/html", "text/plain", "application/octet-stream", "application/gzip")
"""Media types of feeds from servers that know none for them; others are taken at their word."""

_MARKUP_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)

_ROOT = re.compile(
    rb"[\s\x85\xef\xbb\xbf\xfe\xff]*+(?:<(?:\?"
    rb"|!(?!doctype\s++html\b(?![^<>]*+>[\s\x85]*+<(?:rss|feed|rdf:rdf)\b)))[^<>]*+>[\s\x85]*+)*+"
    rb"<(?:!doctype\s++)?+([a-z_][\w.:-]*+)",
    re.IGNORECASE,
)
"""The name of the root element behind processing instructions and a document type; that in the latter where
it is HTML's, and no feed follows, or declares entities."""

_FEED_ELEMENTS = frozenset((b"rss", b"feed", b"rdf", b"channel"))
_XML_ELEMENTS = _FEED_ELEMENTS | {b"opml", b"urlset", b"sitemapindex"}

_ROOT_BEHIND = re.compile(rb"<(rss|feed|rdf:RDF|opml|urlset|sitemapindex)\s[^<>]*?(?:version|xmlns)[^<>=]*+=")
"""Those with what they always have, behind messages of the server."""

_PAGE = re.compile(rb"<(?:html|head|body)\b", re.IGNORECASE)


def is_xml_type(content_type: str) -> bool:
    """Return True where the Content-Type names an XML media type (RFC 7303 §4)."""
    return classify(parse_content_type(content_type).media_type) in _XML_CLASSES


def is_xml_response(body: bytes, content_type: str) -> bool:
    """Return True for an XML media type, and for a body that starts as an XML document or a feed does.

    An XHTML page that is sent as text/html is HTML (HTML Living Standard §13), whatever it starts with.
    """
    return is_xml_type(content_type) or begins_as_xml(head_of(body), content_type)


def head_of(body: bytes) -> bytes:
    """Return the first HEAD_BYTES of a body; where it is gzip, of what as many packed bytes hold."""
    head = bytes(body[:HEAD_BYTES])
    if head[:3] in GZIP_BEGINNINGS:
        with suppress(BrokenGzip):
            head = next(Gunzip((head,), FILE_LIMITS), b"")[:HEAD_BYTES]
    return head


def begins_as_xml(head: bytes, content_type: str) -> bool:
    """Return True where a body begins with an XML declaration and is no HTML page, or with the root element
    of a feed, OPML or a sitemap; also behind messages of the server."""
    roots = _roots(head, content_type)
    return (b"html" not in roots and is_declared(head)) or not roots.isdisjoint(_XML_ELEMENTS)


def is_declared(head: bytes) -> bool:
    """Return True where a body begins with an XML declaration."""
    return guess_family(head[sniff_bom(head)[1] :].lstrip()) is not None


def is_feed_head(head: bytes, content_type: str) -> bool:
    """Return True where a body begins with the root element of a feed, whatever its type; or where one begins
    behind messages of the server, in a body whose type names no other format: XML, a page or none."""
    return not _roots(head, content_type).isdisjoint(_FEED_ELEMENTS)


def _roots(head: bytes, content_type: str) -> set[bytes]:
    """Return the names of the element with which a body begins and of one behind messages, in lower case and
    without a prefix. NULs of UTF-16 are passed over; letters are the same in all EBCDIC pages."""
    if guess_family(head) == "EBCDIC":
        head = head.decode("cp037").encode("latin-1")
    plain = _MARKUP_COMMENT.sub(b"", head.replace(b"\0", b""))
    page = _PAGE.search(plain)
    media_type = parse_content_type(content_type).media_type or ""
    is_open = media_type in _PAGE_TYPES or classify(media_type) in _XML_CLASSES
    end = (page.start() if page else len(plain)) if is_open else 0
    found = _ROOT.match(plain), _ROOT_BEHIND.search(plain, 0, end)
    return {one[1].lower().rpartition(b":")[2] for one in found if one}


def unpacked(body: bytes, max_bytes: int | None, url: str) -> tuple[bytes, BrokenGzip | None, bool]:
    """Return a body without the gzip that no Content-Encoding names, why it ends early or None, and whether
    other bytes follow that.

    Raises:
        TooLarge: there are more bytes than `max_bytes`, or the ratio is over 1,000:1.
    """
    if body[:3] not in GZIP_BEGINNINGS:
        return body, None, False
    try:
        return gunzip(body, FILE_LIMITS._replace(decoded=max_bytes))
    except OverLimit as error:
        url, found = without_userinfo(url), error
    advice = "unpack it yourself if you trust it"
    raise TooLarge(
        f"{shown(url)}: {found}" if url else str(found),
        url=url,
        partial=found.partial,
        limit=found.name,
        advice=advice,
    )


def decode_body(
    body: bytes,
    content_type: str,
    max_bytes: int | None,
    url: str,
    *,
    is_cut: bool = False,
    **options: Unpack[DecoderOptions],
) -> Decoded:
    """Unpack and decode a body, as `XmlReader` does: gzip that is damaged is a repair, with lenient=False an
    error. So is a body whose Content-Encoding was cut off (`is_cut`). Bytes behind gzip are a repair."""
    data, broken, has_rest = unpacked(body, max_bytes, url)
    is_cut = is_cut or broken is not None
    if not (is_cut or has_rest):
        return decode(data, content_type, **options)
    if is_cut and not options.get("lenient", True):
        url, advice = without_userinfo(url), "read with lenient=True to take what there is"
        what = broken or "the compressed body was cut off"
        raise TruncatedBody(f"{shown(url)}: {what}", url=url, partial=data, advice=advice)
    decoder = XmlDecoder(content_type, **options)
    decoder.note_broken_gzip()
    return Decoded(decoder.decode(data, True), decoder.resolution, decoder.repairs)


class BodyBuffer:
    """Collects the pieces of a body and refuses more than `max_bytes`. In its `with` block the errors of a
    download get the header of the response."""

    def __init__(self, max_bytes: int | None, url: str, headers: Mapping[str, str]) -> None:
        self._max_bytes = max_bytes
        self._url = without_userinfo(url)
        self._headers = headers
        self.data: bytearray = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, FetchError):
            error.headers = self._headers

    def add(self, piece: bytes) -> None:
        """Add the next piece.

        Raises:
            TooLarge: the body has more than `max_bytes` bytes. `.partial` has those that arrived before.
        """
        if self._max_bytes is not None and len(self.data) + len(piece) > self._max_bytes:
            what = f"{shown(self._url)}: the body has more than {self._max_bytes:,} bytes"
            advice, data = "pass a larger max_bytes=", bytes(self.data)
            raise TooLarge(what, url=self._url, partial=data, limit="decoded", advice=advice)
        self.data += piece

    def decoded(self, content_type: str, options: DecoderOptions) -> Decoded:
        """Return the body, unpacked and decoded."""
        return decode_body(bytes(self.data), content_type, self._max_bytes, self._url, **options)
