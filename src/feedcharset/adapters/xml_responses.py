"""Which HTTP responses are XML documents, and how large the body of one may be."""

from __future__ import annotations

import re

from feedcharset.decide.resolve import resolve
from feedcharset.errors import TooLarge
from feedcharset.fetch.limits import Limits

__all__ = ["MAX_BYTES", "BodyBuffer", "is_xml_response", "is_xml_type"]

MAX_BYTES = Limits().decoded
"""Bytes of one body, after its Content-Encoding was removed: the default of `Limits.decoded`."""

_HEAD = 1024
"""Bytes in which the root element of a feed without an XML declaration is looked for."""

_XML_CLASSES = ("APP-XML", "TEXT-XML")
_ROOT = re.compile(rb"[\s\xef\xbb\xbf]*+<(?:rss|feed|rdf:RDF)[\s>]")
"""The root elements of RSS 2.0, Atom and RSS 1.0."""


def is_xml_type(content_type: str) -> bool:
    """Return True where the Content-Type names an XML media type (RFC 7303 §4)."""
    return resolve(b"", content_type).facts.media_class in _XML_CLASSES


def is_xml_response(body: bytes, content_type: str) -> bool:
    """Return True for an XML media type, and for a body that starts as an XML document or a feed does.

    An XHTML page that is sent as text/html is HTML (HTML Living Standard §13), whatever it starts with.

    Args:
        body: the body, or at least its first 1,024 bytes.
        content_type: the value of the field; "" where there is none.
    """
    head = bytes(body[:_HEAD])
    facts = resolve(head, content_type).facts
    if facts.media_class in _XML_CLASSES or _ROOT.match(head):
        return True
    return facts.guess is not None and b"<html" not in head.replace(b"\0", b"").lower()


class BodyBuffer:
    """Collects the pieces of a body and refuses more than `max_bytes`.

    Args:
        max_bytes: the greatest number of bytes; None: no limit.
        url: for the message of the error.
    """

    def __init__(self, max_bytes: int | None, url: str) -> None:
        self._max_bytes = max_bytes
        self._url = url
        self._pieces: list[bytes] = []
        self._size = 0

    def add(self, piece: bytes) -> None:
        """Add the next piece.

        Raises:
            TooLarge: the body has more than `max_bytes` bytes. `.partial` has those that arrived before.
        """
        if self._max_bytes is not None and self._size + len(piece) > self._max_bytes:
            raise TooLarge(
                f"{self._url}: the body has more than {self._max_bytes:,} bytes; pass a larger max_bytes=",
                url=self._url,
                partial=self.body(),
                limit="decoded",
            )
        self._size += len(piece)
        self._pieces.append(piece)

    def body(self) -> bytes:
        """Return the bytes collected until now."""
        return b"".join(self._pieces)
