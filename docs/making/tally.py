"""How many documents of fixtures/ are read rightly, by this library and by its peers.

    python docs/making/tally.py

prints the table of explanation/comparison.md. It needs feedparser, w3lib, beautifulsoup4 and lxml. A document
counts as read rightly when its title, as it was written, is in the text.
"""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable
from email.message import Message
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "fixtures"))

from reading import read_feeds, read_reports  # noqa: E402

__all__ = ["PEERS", "main"]


class Document(NamedTuple):
    """A document, how it is sent, and its title."""

    body: bytes
    content_type: str | None
    title: str


class Peer(NamedTuple):
    """One way to read a document."""

    package: str
    how: str
    read: Callable[[Document], str]


def with_feedcharset(document: Document) -> str:
    import feedcharset

    return feedcharset.decode(document.body, document.content_type).text


def with_feedparser(document: Document) -> str:
    import feedparser

    headers = {"content-type": document.content_type} if document.content_type else {}
    return str(feedparser.parse(io.BytesIO(document.body), response_headers=headers).feed.get("title", ""))


def with_w3lib(document: Document) -> str:
    from w3lib.encoding import html_to_unicode

    return html_to_unicode(document.content_type or None, document.body, default_encoding="utf-8")[1]


def with_dammit(document: Document) -> str:
    from bs4.dammit import UnicodeDammit

    message = Message()
    message["Content-Type"] = (document.content_type or "").encode("ascii", "replace").decode()
    charset = message.get_content_charset()
    known = [charset] if charset else []
    return UnicodeDammit(document.body, known_definite_encodings=known, is_html=False).unicode_markup or ""


def with_lxml(document: Document) -> str:
    from lxml import etree

    return "".join(etree.fromstring(document.body).itertext())


PEERS = (
    Peer("feedcharset", "`decode(body, content_type)`", with_feedcharset),
    Peer("w3lib", '`html_to_unicode(content_type, body, default_encoding="utf-8")`', with_w3lib),
    Peer("beautifulsoup4", "`UnicodeDammit(body, known_definite_encodings=[charset])`", with_dammit),
    Peer("feedparser", "`parse(body, response_headers=…).feed.title`", with_feedparser),
    Peer("lxml", "`etree.fromstring(body)`; without the Content-Type", with_lxml),
)


def honest() -> list[Document]:
    """Feeds whose labels are true, and that strict reading reads."""
    rows = [row for row in read_feeds() if row.mode == "both"]
    return [Document(row.path.read_bytes(), row.content_type, row.title) for row in rows]


def reported() -> list[Document]:
    """Documents modelled on what feed readers got wrong."""
    return [
        Document(row.body, row.content_type, row.title)
        for row in read_reports()
        if row.title and row.kind is None and len(row.body) < 1 << 20
    ]


def count(peer: Peer, documents: list[Document]) -> int:
    """How many of them it reads rightly."""
    return sum(_is_right(peer, document) for document in documents)


def _is_right(peer: Peer, document: Document) -> bool:
    try:
        return document.title in peer.read(document)
    except Exception:  # whatever a peer raises, it has not read the document
        return False


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    columns = honest(), reported()
    print(f"| reader | how it was called | honest, of {len(columns[0])} | reported, of {len(columns[1])} |")
    print("|---|---|---|---|")
    for peer in PEERS:
        counts = " | ".join(f"{count(peer, documents):,}" for documents in columns)
        print(f"| {peer.package} {version(peer.package)} | {peer.how} | {counts} |")


if __name__ == "__main__":
    main()
