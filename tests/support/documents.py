"""The documents that consumers are given: every fixture, and documents whose label is stale.

A label goes stale when somebody converts a document and leaves its declaration alone, or serves it under
another charset than it has.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

from support.cases import FIXTURES

sys.path.insert(0, str(FIXTURES))
from reading import FeedRow, read_feeds

__all__ = ["Document", "fixtures", "reference", "served", "stale"]


class Document(NamedTuple):
    """A document and what its title is."""

    name: str
    octets: bytes
    title: str
    encoding: str
    """What it is in."""
    label: str | None
    """What it says it is in."""
    content_type: str | None = None


_DECLARED = re.compile(r"""<\?xml[^>]*encoding=["']([^"']*)["']""")

# The fixture, what it is converted to, the label that is left over or put on it.
_STALE = """
ru-rss20-windows-1251       UTF-8         windows-1251
ru-rss092-koi8-r            UTF-8         KOI8-R
uk-rss20-windows-1251       UTF-8         windows-1251
bg-rss091-iso-8859-5        UTF-8         ISO-8859-5
fr-rss20-iso-8859-1-crlf    UTF-8         ISO-8859-1
de-rss20-windows-1252       UTF-8         windows-1252
es-rss20-iso-8859-15        UTF-8         ISO-8859-15
pl-rss20-iso-8859-2         UTF-8         ISO-8859-2
cs-rss10-windows-1250       UTF-8         windows-1250
el-rss20-iso-8859-7         UTF-8         ISO-8859-7
tr-rss20-iso-8859-9         UTF-8         ISO-8859-9
th-rss20-windows-874        UTF-8         windows-874
ja-rss20-shift_jis          UTF-8         Shift_JIS
ja-rss10-euc-jp             UTF-8         EUC-JP
zh-Hans-rss20-gb2312        UTF-8         GB2312
zh-Hant-rss20-big5          UTF-8         Big5
ko-rss20-euc-kr             UTF-8         EUC-KR
fr-atom10-utf-8-silent      windows-1252  UTF-8
de-rss20-windows-1252       windows-1252  UTF-8
fr-rss20-iso-8859-1-crlf    ISO-8859-1    US-ASCII
ru-atom10-utf-8             UTF-8         UTF-16
ru-atom10-utf-8             UTF-8         x-unknown
ru-atom10-utf-8             UTF-16LE      UTF-8
ja-atom10-utf-8             UTF-16BE      UTF-8
"""

# The same over HTTP, where the header says what it is in.
_SERVED = """
ru-rss20-windows-1251       KOI8-R        windows-1251  text/xml;charset=koi8-r
ru-rss20-windows-1251       windows-1251  KOI8-R        application/rss+xml;charset=windows-1251
pl-rss20-iso-8859-2         windows-1250  ISO-8859-2    text/xml;charset=windows-1250
ja-rss10-euc-jp             Shift_JIS     EUC-JP        application/xml;charset=Shift_JIS
ru-rss20-windows-1251       UTF-8         windows-1251  text/xml;charset=utf-8
ru-atom10-utf-8             UTF-8         UTF-8         application/atom+xml;charset=ISO-8859-1
ru-rss20-windows-1251       windows-1251  windows-1251  text/xml;charset=ISO-8859-1
ru-rss20-windows-1251       windows-1251  windows-1251  text/html;charset=UTF-8
"""


def fixtures() -> list[FeedRow]:
    """One row of feeds.tsv for each file."""
    return list({row.file: row for row in reversed(read_feeds())}.values())[::-1]


def reference(row: FeedRow) -> str:
    """The right text of a fixture: what tests/test_fixtures.py holds against Python's codecs."""
    from feedcharset import decode

    return decode(row.path.read_bytes(), encoding=row.encoding, declaration="keep").text


def stale() -> list[Document]:
    """Documents whose label is wrong, and which can be read all the same."""
    return [_converted(*line.split()) for line in _STALE.strip().splitlines()]


def served() -> list[Document]:
    """A document over HTTP in each encoding, with one header or another, and some whose label is stale."""
    documents: dict[str, list[tuple[int, FeedRow]]] = {}
    for number, row in enumerate(row for row in read_feeds() if row.content_type is not None):
        documents.setdefault(row.encoding, []).append((number, row))
    chosen = [rows[at % len(rows)][1] for at, rows in enumerate(documents.values())]
    return [
        *[
            Document(
                Path(row.file).stem, row.path.read_bytes(), row.title, row.encoding, None, row.content_type
            )
            for row in chosen
        ],
        *[_converted(*line.split()) for line in _SERVED.strip().splitlines()],
    ]


def _converted(name: str, encoding: str, label: str, content_type: str | None = None) -> Document:
    row = next(row for row in fixtures() if row.file == f"feeds/{name}.xml")
    text = reference(row)
    declared = _DECLARED.match(text)
    if declared:
        text = text[: declared.start(1)] + label + text[declared.end(1) :]
    else:
        text = text.replace("?>", f' encoding="{label}"?>', 1)
    bom = "\ufeff" if encoding.startswith("UTF-16") else ""
    octets = (bom + text).encode(encoding, "xmlcharrefreplace")
    return Document(f"{name} as {encoding}, {label}", octets, row.title, encoding, label, content_type)
