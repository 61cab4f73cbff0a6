"""What makes text of a feed: a function for each way to call a peer; body and Content-Type in, text out."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

__all__ = ["READERS", "Reader", "Tree"]

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE)


class Tree(str):
    """The character data of a parsed document."""


class Reader(NamedTuple):
    """One way to read."""

    name: str
    needs: str
    """The package."""
    read: Callable[[bytes, str | None], str | None]
    """None where the tool says that it does not know."""

    def present(self) -> bool:
        """The package is installed."""
        return importlib.util.find_spec(self.needs) is not None


def _feedcharset(body: bytes, content_type: str | None) -> str:
    with import_module("feedcharset").XmlReader(body, content_type=content_type) as reader:
        text: str = reader.read()
    return text


def _charset(content_type: str | None) -> str | None:
    """The label in the header, as simply as clients find it."""
    match = _CHARSET.search(content_type or "")
    return match[1] if match else None


def _feedparser(body: bytes, content_type: str | None) -> str | None:
    encodings = import_module("feedparser.encodings")
    unknown = import_module("feedparser.exceptions").CharacterEncodingUnknown
    result: dict[str, object] = {}
    data = encodings.convert_to_utf8({"content-type": content_type} if content_type else {}, body, result)
    if isinstance(result.get("bozo_exception"), unknown):
        return None
    return data.decode("utf-8") if isinstance(data, bytes) else str(data)


def _w3lib(body: bytes, content_type: str | None) -> str:
    text: str = import_module("w3lib.encoding").html_to_unicode(content_type, body, default_encoding="utf-8")[
        1
    ]
    return text


def _dammit(body: bytes, content_type: str | None) -> str | None:
    charset = _charset(content_type)
    known = [charset] if charset else []
    text: str | None = import_module("bs4.dammit").UnicodeDammit(body, known, is_html=False).unicode_markup
    return text


def _scrapy(body: bytes, content_type: str | None) -> str:
    headers = {"Content-Type": content_type} if content_type else {}
    text: str = import_module("scrapy.http").XmlResponse("http://a/", headers=headers, body=body).text
    return text


def _requests(body: bytes, content_type: str | None) -> str:
    requests = import_module("requests")
    response = requests.Response()
    response._content = body
    if content_type:
        response.headers["content-type"] = content_type
    response.encoding = requests.utils.get_encoding_from_headers(response.headers)
    text: str = response.text
    return text


def _httpx(body: bytes, content_type: str | None) -> str:
    headers = {"content-type": content_type.encode("latin-1")} if content_type else {}
    text: str = import_module("httpx").Response(200, headers=headers, content=body).text
    return text


def _lxml(body: bytes, content_type: str | None) -> Tree:
    etree = import_module("lxml.etree")
    return Tree("".join(etree.fromstring(body, etree.XMLParser(huge_tree=True)).itertext()))


def _lxml_with_charset(body: bytes, content_type: str | None) -> Tree | None:
    """With the header's charset, which overrides the declaration, and recovering."""
    etree = import_module("lxml.etree")
    parser = etree.XMLParser(encoding=_charset(content_type), recover=True, huge_tree=True)
    root = etree.fromstring(body, parser)
    return None if root is None else Tree("".join(root.itertext()))


def _expat(body: bytes, content_type: str | None) -> Tree:
    return Tree("".join(import_module("xml.etree.ElementTree").fromstring(body).itertext()))


def _chardet(body: bytes, content_type: str | None) -> str | None:
    encoding = import_module("chardet").detect(body)["encoding"]
    return body.decode(encoding) if encoding else None


def _resiliparse(body: bytes, content_type: str | None) -> str:
    encoding = import_module("resiliparse.parse.encoding")
    label = _charset(content_type) or encoding.detect_encoding(body, from_html_meta=True)
    text: str = encoding.bytes_to_str(body, label, errors="replace")
    return text


def _normalizer(body: bytes, content_type: str | None) -> str | None:
    best = import_module("charset_normalizer").from_bytes(body).best()
    return None if best is None else str(best)


READERS = (
    Reader("feedcharset XmlReader", "feedcharset", _feedcharset),
    Reader("w3lib html_to_unicode", "w3lib", _w3lib),
    Reader("Scrapy XmlResponse", "scrapy", _scrapy),
    Reader("bs4 UnicodeDammit", "bs4", _dammit),
    Reader("feedparser convert_to_utf8", "feedparser", _feedparser),
    Reader("requests Response.text", "requests", _requests),
    Reader("httpx Response.text", "httpx", _httpx),
    Reader("lxml", "lxml", _lxml),
    Reader("lxml, with the header's charset", "lxml", _lxml_with_charset),
    Reader("xml.etree (expat)", "xml", _expat),
    Reader("resiliparse", "resiliparse", _resiliparse),
    Reader("chardet", "chardet", _chardet),
    Reader("charset-normalizer", "charset_normalizer", _normalizer),
)
