"""docs/reference/consumers.md: what title comes out of each consumer for each document, with this library
and without.

`PYTHONPATH=src:tests python -m support.consumer_table` writes the page.
"""

from __future__ import annotations

import os
import platform
import tempfile
import unicodedata
import urllib.request
import warnings
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any
from unittest.mock import patch
from xml.parsers import expat

from support import recipes, without
from support.documents import Document, fixtures, served, stale
from support.local_server import LocalServer, Row
from support.pages import DOCS

__all__ = [
    "PAGE",
    "RIGHT",
    "client_column",
    "client_documents",
    "page",
    "parser_column",
    "parser_documents",
    "versions",
]

PAGE = DOCS / "reference" / "consumers.md"
RIGHT = "✓"
PACKAGES = (
    *("lxml", "defusedxml", "feedparser", "beautifulsoup4", "xmltodict", "pandas"),
    *("requests", "httpx", "aiohttp", "Scrapy"),
)
NAMES = {
    "elementtree": "ElementTree", "sax": "xml.sax", "beautifulsoup": "Beautiful Soup", "scrapy": "Scrapy",
}  # fmt: skip

LEFT_OUT = {"pandas"}
"""Consumers whose errors alone make no row: this one reads UTF-8 alone."""

Cells = dict[str, list[str]]
"""Columns, by the consumer's page; a cell for each document."""


@cache
def parser_documents() -> list[Document]:
    """Every fixture, and the documents with a stale label."""
    rows = [
        Document(Path(row.file).stem, row.path.read_bytes(), row.title, row.encoding, None)
        for row in fixtures()
    ]
    return rows + stale()


@cache
def client_documents() -> list[Document]:
    """A document in each encoding with one header or another, and some with a stale label."""
    return served()


@cache
def parser_column(name: str, *, library: bool, step: int = 1) -> list[str]:
    """What a parser makes of documents in files: of each `step`-th."""
    calls = _recipes(name, "source") if library else [without.PARSERS[name]]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "feed.xml")
        return [
            _cell(calls, str(path), document.title)
            for document in parser_documents()[::step]
            if path.write_bytes(document.octets)
        ]


@cache
def client_column(name: str, *, library: bool, step: int = 1) -> list[str]:
    """What a client makes of documents that a server sends: of each `step`-th."""
    documents = client_documents()[::step]
    takes = "response" if name == "scrapy" else "url"
    calls = _recipes(name, takes) if library else [without.CLIENTS[name]]
    rows = {f"/{at}": Row.typed(one.octets, one.content_type) for at, one in enumerate(documents)}
    # httpx reads the system's certificates for each client, which would take longer than all else here.
    quick = patch.dict(os.environ, {"SSL_CERT_DIR": str(DOCS), "SSL_CERT_FILE": ""})
    with quick, LocalServer(rows) as server:
        arguments: list[Any] = list(map(server.url, rows))
        if name == "scrapy":
            arguments = list(map(_scrapys, arguments))
        pairs = zip(arguments, documents, strict=True)
        return [_cell(calls, argument, document.title) for argument, document in pairs]


def _recipes(name: str, takes: str) -> list[Callable[[Any], Any]]:
    found = [recipe.call for recipe in recipes.recipes(name, takes)]
    assert found, name
    return found


def _scrapys(url: str) -> Any:
    """The response that Scrapy makes of what a server sends."""
    from scrapy.http import Headers
    from scrapy.responsetypes import responsetypes

    with urllib.request.urlopen(url) as answer:
        headers, body = Headers(answer.headers.items()), answer.read()
    kind = responsetypes.from_args(headers=headers, url=url, body=body)
    return kind(url=url, headers=headers, body=body)


def _cell(calls: list[Callable[[Any], Any]], argument: Any, title: str) -> str:
    """RIGHT where every call gives the right title; else what one of them gives instead."""
    for call in calls:
        try:
            got = call(argument)
        except Exception:
            return "error"
        got = without.title_of(got) if got and "<" in got else got
        if got != title:
            return _shown(got)
    return RIGHT


def _shown(title: str | None) -> str:
    """A wrong title, so that it can stand in a table: nothing in it moves or hides what is around it."""
    safe = {"L", "N", "P", "S"}
    shown = "".join(char if unicodedata.category(char)[0] in safe else "·" for char in (title or "")[:7])
    return f"“{shown.replace('|', '·')}”" if shown else "nothing"


# -- the page ---------------------------------------------------------------------------------------------


def versions() -> str:
    """What the wrong cells depend on."""
    from lxml import etree

    libxml2 = ".".join(map(str, etree.LIBXML_VERSION))
    found = [f"{name} {version(name)}" for name in PACKAGES]
    python = f"Python {platform.python_version().rpartition('.')[0]}"
    return ", ".join([python, f"expat {expat.EXPAT_VERSION.partition('_')[2]}", f"libxml2 {libxml2}", *found])


def page() -> str:
    """The page."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain_files = {name: parser_column(name, library=False) for name in recipes.PARSERS}
        plain_web = {name: client_column(name, library=False) for name in recipes.CLIENTS}
    files = {name: parser_column(name, library=True) for name in recipes.PARSERS}
    web = {name: client_column(name, library=True) for name in recipes.CLIENTS}
    rows = fixtures()
    return _PAGE.format(
        languages=len({Path(row.file).name.partition("-rss")[0].partition("-atom")[0] for row in rows}),
        encodings=len({row.encoding for row in rows}),
        versions="".join(f"- {name}\n" for name in versions().split(", ")),
        files=_table(parser_documents(), files, plain_files),
        web=_table(client_documents(), web, plain_web),
    )


def _table(documents: list[Document], cells: Cells, plain: Cells) -> str:
    head = ["document", *(["Content-Type"] if documents[0].content_type else ["title"])]
    head += [NAMES.get(name, name) for name in cells]
    rows = [head, ["---"] * len(head)]
    for number, document in enumerate(documents):
        told = f"`{document.content_type}`" if document.content_type else document.title
        assert {cells[name][number] for name in cells} == {RIGHT}, document.name
        shown = {name: plain[name][number] for name in plain}
        if {cell for name, cell in shown.items() if name not in LEFT_OUT} != {RIGHT}:
            rows.append([document.name, told, *shown.values()])
    for words, columns in ("with this library", cells), ("without it", plain):
        right = [str(column.count(RIGHT)) for column in columns.values()]
        rows.append([f"**right {words}, of {len(documents)}**", "", *right])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


_PAGE = """\
# Consumers

Which title comes out of each consumer for each document *without* this library. ✓ is the right title; a wrong
one is quoted; "error" is an exception. With the library every cell is ✓. A document that every consumer reads
rightly has no row; pandas, which reads UTF-8 alone unless it is given an encoding, does not count for that.

The tests make the tables: with the library they run every recipe of the page for a consumer; without it they
call the same packages as their own documentation says.

The documents are the fixtures ({languages} languages, {encodings} encodings, each with an honest label or,
where XML allows that, none), and some whose label is stale: "as UTF-8, KOI8-R" was converted to UTF-8 and
still says KOI8-R.

## Parsers

{files}

## HTTP clients

Without the library, it is the text that the client gives: `.text`; for urllib, the body decoded by the
header's charset, or else as UTF-8.

{web}

## Made with

The cells without the library vary with the versions; those with it do not.

{versions}"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
