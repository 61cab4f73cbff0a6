"""Feeds that a client's own rules do not find: behind debris, under other media types, in gzip."""

from __future__ import annotations

import asyncio
import gzip
from contextlib import suppress
from typing import Any

import pytest
import requests
from support.each import each
from support.local_server import LocalServer, Row

from feedcharset import TooLarge, TruncatedBody, XmlReader
from feedcharset.adapters import feedparser as feedparser_adapter
from feedcharset.adapters.requests import XmlResponse, use_feedcharset
from feedcharset.adapters.xml_responses import decode_body, unpacked

FEED = "<rss version='2.0'><channel><title>Погода</title><item><title>Дождь</title></item></channel></rss>"
BODY = FEED.encode()

FOUND: list[tuple[str, bytes, str, bool]] = [
    ("a document type", b"<!DOCTYPE rss [<!ENTITY a 'b'>]>\n" + BODY, "text/html", True),
    ("a comment", b"<!-- made by x -->" + BODY, "text/html; charset=ISO-8859-1", True),
    (
        "a message of PHP",
        b"<br />\n<b>Warning</b>: a in <b>/b.php</b> on line <b>1</b><br />\n" + BODY,
        "text/html",
        True,
    ),
    ("a notice without markup", b"Notice: Undefined index in /b.php on line 1\n" + BODY, "text/plain", True),
    ("a message and a declaration", b"<b>Notice</b>: <?xml version='1.0'?>" + BODY, "text/html", True),
    ("no media type", b"<!-- -->" + BODY, "", True),
    ("gzip", gzip.compress(BODY), "text/html", True),
    ("gzip under its own type", gzip.compress(b"\n<!-- -->" + BODY), "application/gzip", True),
    ("damaged gzip", gzip.compress(b"<x/>" * 999)[:30], "application/gzip", False),
    (
        "a page",
        b"<!DOCTYPE html><html><head><title>x</title></head><body><rss version='2.0'>",
        "text/html",
        False,
    ),
    ("a page without a root", b"<!DOCTYPE html><title>x</title><p>text", "text/html", False),
    ("JSON", b'{"text": "<rss version=\'2.0\'>"}', "application/json", False),
    ("a script", b"x = \"<feed xmlns='a'>\"", "text/javascript", False),
]


@each(("what", "body", "content_type", "found"), FOUND, ids=[row[0] for row in FOUND])
def test_hook(what: str, body: bytes, content_type: str, found: bool) -> None:
    response: Any = requests.Response()
    response._content = body
    response.headers["Content-Type"] = content_type
    seen: Any = use_feedcharset(response)
    assert isinstance(seen, XmlResponse) is found
    if found:
        assert "Погода" in seen.text
        assert seen.encoding == "UTF-8"


def test_every_client_unpacks_gzip_without_a_label() -> None:
    rows = {"/feed": Row(gzip.compress(BODY), (("Content-Type", "application/rss+xml"),))}
    with LocalServer(rows) as server, requests.Session() as session:
        session.hooks["response"].append(use_feedcharset)
        assert "Погода" in session.get(server.url("/feed")).text
        assert feedparser_adapter.parse(server.url("/feed")).feed.title == "Погода"
        with XmlReader(server.url("/feed")) as reader:
            assert feedparser_adapter.parse_reader(reader).feed.title == "Погода"


PACKED = gzip.compress(BODY, mtime=0)
DAMAGED = {"cut": PACKED[:-30], "without its trailer": PACKED[:-8], "of a wrong CRC": PACKED[:-8] + bytes(8)}


@pytest.mark.parametrize("damage", DAMAGED)
def test_every_client_tells_damaged_gzip_without_a_label(damage: str) -> None:
    """As XmlReader: what can be unpacked is read, and a repair; strictly it is an error."""

    def by_httpx(url: str, **options: Any) -> Any:
        with httpx.stream("GET", url, verify=False) as response:
            streamed = httpx_adapter.read_response(response, **options)
        assert httpx_adapter.read_response(httpx.get(url, verify=False), **options) == streamed
        return streamed

    async def by_aiohttp(url: str, **options: Any) -> Any:
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            return await aiohttp_adapter.aread_response(response, **options)

    with LocalServer({"/feed": Row.typed(DAMAGED[damage], "application/rss+xml")}) as server:
        url = server.url("/feed")
        with XmlReader(url) as reader:
            expected = (reader.read(), reader.resolution, reader.repairs)
        assert ("gzip", 1) in expected[2].kinds
        hooked: Any = requests.get(url, hooks={"response": use_feedcharset}, timeout=10)
        assert (hooked.text, hooked.resolution, hooked.repairs) == expected
        parsed = feedparser_adapter.parse(url)
        assert parsed.bozo
        read_strictly: list[Any] = []
        with suppress(ModuleNotFoundError):
            import httpx

            from feedcharset.adapters import httpx as httpx_adapter

            assert by_httpx(url) == expected
            read_strictly.append(by_httpx)
        with suppress(ModuleNotFoundError):
            import aiohttp

            from feedcharset.adapters import aiohttp as aiohttp_adapter

            assert asyncio.run(by_aiohttp(url)) == expected
            read_strictly.append(lambda url, **options: asyncio.run(by_aiohttp(url, **options)))
        for read in read_strictly:
            with pytest.raises(TruncatedBody, match=f"^{url}: the gzip member is ") as caught:
                read(url, lenient=False)
            assert caught.value.partial.startswith(b"<rss version")


def test_parse_reader_keeps_the_status_of_a_redirect() -> None:
    """As feedparser.parse: 301 is a reason to store another URL."""
    rows = {
        "/old": Row(b"", (("Location", "/older"),), 301),
        "/older": Row(b"", (("Location", "/new"),), 302),
        "/new": Row.typed(BODY, "application/rss+xml"),
    }
    with LocalServer(rows) as server:
        with XmlReader(server.url("/old")) as reader:
            read = feedparser_adapter.parse_reader(reader)
        parsed = feedparser_adapter.parse(server.url("/old"))
        assert (read.status, read.href) == (parsed.status, parsed.href) == (301, server.url("/new"))


def test_what_is_unpacked_is_bounded() -> None:
    packed = gzip.compress(b"x" * 100_000)
    assert unpacked(packed, 100_000, "u") == (b"x" * 100_000, None, False)
    assert unpacked(packed, None, "u") == (b"x" * 100_000, None, False)
    assert unpacked(b"plain", 1, "u") == (b"plain", None, False)
    with pytest.raises(TooLarge, match="u: gzip holds more than 99,999 bytes; unpack it yourself") as caught:
        unpacked(packed, 99_999, "u")
    assert caught.value.partial == b"x" * 99_999
    data, broken, _ = unpacked(packed[:-9], None, "u")
    assert (data, str(broken)) == (b"x" * 100_000, "the gzip member is cut off")
    with pytest.raises(TooLarge, match="gzip grows more than 1000:1; unpack it yourself") as caught:
        unpacked(gzip.compress(bytes(8 << 20)), None, "http://user:secret@u/")
    assert (caught.value.limit, caught.value.url) == ("ratio", "http://u/")


@pytest.mark.parametrize("lenient", [True, False])
def test_bytes_behind_a_gzip_file_are_a_repair_in_all_ways(lenient: bool) -> None:
    body = gzip.compress(b"<a>x</a>") + b"JUNK"
    with XmlReader(body, content_type="text/xml", lenient=lenient) as reader:
        expected = reader.read(), reader.repairs
    assert expected[1].kinds == (("gzip", 1),)
    found = decode_body(body, "text/xml", None, "http://u/", lenient=lenient)
    assert (found.text, found.repairs) == expected


def test_a_body_that_was_cut_off_is_an_error_of_strict_reading() -> None:
    """Its coding was removed elsewhere: what is left is no gzip."""
    with pytest.raises(TruncatedBody, match="http://u/: the compressed body was cut off") as caught:
        decode_body(b"<a>text", "text/xml", None, "http://u/", lenient=False, is_cut=True)
    assert caught.value.partial == b"<a>text"
