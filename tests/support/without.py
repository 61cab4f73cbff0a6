"""The same consumers without this library, called as their own documentation says."""

from __future__ import annotations

import asyncio
import html
import re
import urllib.request
import xml.dom.minidom
import xml.parsers.expat
import xml.sax
import xml.sax.handler
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

__all__ = ["CLIENTS", "PARSERS", "title_of"]


def title_of(text: str) -> str:
    """The first title of a feed, by nothing but its tags."""
    found = re.search(r"<title[^>]*>([^<]*)</title>", text)
    return html.unescape(found[1]) if found else ""


def lxml(path: str) -> Any:
    from lxml import etree

    return etree.parse(path).findtext(".//{*}title")


def elementtree(path: str) -> Any:
    return ElementTree.parse(path).findtext(".//{*}title")


class _Titles(xml.sax.handler.ContentHandler):
    def __init__(self) -> None:
        super().__init__()
        self.titles: list[str] = []
        self.inside = False

    def startElement(self, name: str, attrs: Any) -> None:
        self.inside = name.endswith("title")
        if self.inside:
            self.titles.append("")

    def endElement(self, name: str) -> None:
        self.inside = False

    def characters(self, content: str) -> None:
        if self.inside:
            self.titles[-1] += content


def sax(path: str) -> Any:
    handler = _Titles()
    xml.sax.parse(path, handler)
    return handler.titles[0]


def _text_of(document: Any) -> str:
    return "".join(node.data for node in document.getElementsByTagNameNS("*", "title")[0].childNodes)


def minidom(path: str) -> Any:
    return _text_of(xml.dom.minidom.parse(path))


def expat(path: str) -> Any:
    handler = _Titles()
    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = handler.startElement
    parser.EndElementHandler = handler.endElement
    parser.CharacterDataHandler = handler.characters
    with open(path, "rb") as stream:
        parser.ParseFile(stream)
    return handler.titles[0]


def defusedxml(path: str) -> Any:
    import defusedxml.ElementTree

    return defusedxml.ElementTree.parse(path).findtext(".//{*}title")


def feedparser(path: str) -> Any:
    import feedparser

    return feedparser.parse(path).feed.get("title", "")


def beautifulsoup(path: str) -> Any:
    from bs4 import BeautifulSoup

    with open(path, "rb") as stream:
        title = BeautifulSoup(stream, "xml").find("title")
    return title.string if title else ""


def xmltodict(path: str) -> Any:
    import xmltodict

    found: list[Any] = []

    def item(around: Any, value: Any) -> bool:
        return True

    with open(path, "rb") as stream:
        document = xmltodict.parse(stream)
    waiting = [document]
    while waiting and not found:
        node = waiting.pop(0)
        for name, value in node.items() if isinstance(node, dict) else ():
            if name.rpartition(":")[2] == "title":
                found.append(value["#text"] if isinstance(value, dict) else value)
            elif isinstance(value, dict):
                waiting.append(value)
    return found[0]


def pandas(path: str) -> Any:
    import pandas

    return pandas.read_xml(path, xpath="(//*[local-name() = 'title'])[1]/..")["title"][0]


PARSERS: dict[str, Callable[[str], Any]] = {
    "lxml": lxml,
    "elementtree": elementtree,
    "sax": sax,
    "minidom": minidom,
    "expat": expat,
    "defusedxml": defusedxml,
    "feedparser": feedparser,
    "beautifulsoup": beautifulsoup,
    "xmltodict": xmltodict,
    "pandas": pandas,
}


def requests(url: str) -> str:
    import requests

    return requests.get(url, timeout=10).text


def httpx(url: str) -> str:
    import httpx

    return httpx.get(url).text


def aiohttp(url: str) -> str:
    import aiohttp

    async def text() -> str:
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            return await response.text()

    return asyncio.run(text())


def from_urllib(url: str) -> str:
    with urllib.request.urlopen(url) as response:
        octets: bytes = response.read()
        return octets.decode(response.headers.get_content_charset("utf-8"))


def scrapy(response: Any) -> str:
    text: str = response.text
    return text


CLIENTS: dict[str, Callable[[Any], str]] = {
    "requests": requests,
    "httpx": httpx,
    "aiohttp": aiohttp,
    "urllib": from_urllib,
    "scrapy": scrapy,
}
