"""feedcharset.adapters.scrapy in a real crawl of a real server."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from support.documents import served
from support.local_server import LocalServer, Row

from feedcharset import FetchError

pytest.importorskip("scrapy")

from feedcharset.adapters import scrapy as adapter

CRAWL = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess

class Titles(scrapy.Spider):
    name = "titles"
    start_urls = json.loads(sys.argv[1])
    custom_settings = {
        "DOWNLOADER_MIDDLEWARES": {"feedcharset.adapters.scrapy.FeedcharsetMiddleware": 585},
        "LOG_LEVEL": "WARNING", "TELNETCONSOLE_ENABLED": False, "RETRY_ENABLED": False,
        "FEEDS": {sys.argv[2]: {"format": "jsonlines"}},
    }
    def parse(self, response):
        found = response.xpath("//*[local-name() = 'title']/text()").get()
        yield {"url": response.url, "title": found, "flags": response.flags,
               "encoding": response.meta["feedcharset"].encoding}

process = CrawlerProcess()
process.crawl(Titles)
process.start()
"""


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
def test_a_crawl(step: int, tmp_path: Path) -> None:
    documents = served()[::step]
    rows = {f"/{at}": Row.typed(one.octets, one.content_type) for at, one in enumerate(documents)}
    rows["/robots.txt"] = Row(b"", (), 404)
    out = tmp_path / "titles.jsonl"
    with LocalServer(rows) as server:
        urls = {server.url(f"/{at}"): document for at, document in enumerate(documents)}
        subprocess.run([sys.executable, "-c", CRAWL, json.dumps(list(urls)), str(out)], check=True)
    items = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert {item["url"]: item["title"] for item in items} == {url: one.title for url, one in urls.items()}
    assert all(item["flags"] == [f"feedcharset:{item['encoding']}"] for item in items)


def test_a_content_encoding_that_scrapy_has_left() -> None:
    """HttpCompressionMiddleware takes out of the field what it has removed."""
    from scrapy.http import Request, XmlResponse

    packed, plain = b"\x28\xb5\x2f\xfd<rss/>", b"<rss/>"
    for coding, body, is_read in (
        ("zstd", packed, False),
        ("foo", packed[:4], False),
        ("foo", plain, True),
        ("gzip, br", packed, False),
        ("aws-chunked", plain, True),
        ("gzip", gzip.compress(plain), True),
        ("none", packed, True),
    ):
        headers = {"Content-Type": "text/xml", "Content-Encoding": coding.split(", ")}
        response = XmlResponse("http://u:s3c@h/", headers=headers, body=body)
        error = pytest.raises(FetchError, match=r"^http://h/: Scrapy has not removed the Content-Encoding")
        with nullcontext() if is_read else error:
            seen = adapter.FeedcharsetMiddleware().process_response(Request("http://h/"), response)
            assert "<rss/>" in seen.text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Content-Disposition", b'attachment; filename="caf\xe9.xml"'),
        ("Set-Cookie", b"a=\xe9"),
        ("Content-Type", b"application/rss+xml; charset=\xff"),
        ("Content-Type", b"\xff\xfe"),
        ("Content-Encoding", b"\xe9"),
    ],
)
def test_a_field_that_is_not_utf8(name: str, value: bytes) -> None:
    """Scrapy decodes all of them at once, and raises."""
    from scrapy.http import Request, XmlResponse

    response = XmlResponse("http://127.0.0.1/", headers={name: value}, body=b"<rss>caf\xe9</rss>")
    found = adapter.FeedcharsetMiddleware().process_response(Request(response.url), response)
    assert (found.text, found.headers[name]) == ("<rss>café</rss>", value)


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("text/html", b"<html><p>a</p></html>"),
        ("application/json", b"{}"),
        ("text/xml", b""),
        (None, b"\0\1"),
    ],
)
def test_other_responses_stay_as_they_are(content_type: str | None, body: bytes) -> None:
    from scrapy.http import Request, Response

    headers = {"Content-Type": content_type} if content_type else {}
    response = Response("http://127.0.0.1/", headers=headers, body=body)
    request = Request("http://127.0.0.1/")
    assert adapter.FeedcharsetMiddleware().process_response(request, response) is response
    assert "feedcharset" not in request.meta


@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "application/octet-stream", None])
def test_xml_without_a_declaration_is_xml(content_type: str | None) -> None:
    from scrapy.http import HtmlResponse, Request, XmlResponse

    headers = {"Content-Type": content_type} if content_type else {}
    for body in (b"<!-- x -->\n<rss><channel/></rss>", b"<opml><head/></opml>", b"<urlset><url/></urlset>"):
        response = HtmlResponse("http://127.0.0.1/", headers=headers, body=body)
        found = adapter.FeedcharsetMiddleware().process_response(Request(response.url), response)
        assert type(found) is XmlResponse


def test_a_feed_is_xml_under_the_type_of_a_page() -> None:
    from scrapy.http import HtmlResponse, Request, XmlResponse

    for body in (b"<rss><channel/></rss>", '<?xml version="1.0" encoding="UTF-16"?><rss/>'.encode("utf-16")):
        headers = {"Content-Type": "application/xhtml+xml"}
        response = HtmlResponse("http://127.0.0.1/", headers=headers, body=body)
        found = adapter.FeedcharsetMiddleware().process_response(Request(response.url), response)
        assert type(found) is XmlResponse


def test_an_xhtml_page_stays_a_page_with_links() -> None:
    from scrapy.http import HtmlResponse, Request, XmlResponse
    from scrapy.linkextractors import LinkExtractor

    body = '<?xml version="1.0" encoding="UTF-8"?><html><a href="/é">é</a></html>'.encode()
    for kind, made, content_type in (
        (HtmlResponse, HtmlResponse, "application/xhtml+xml"),
        (HtmlResponse, XmlResponse, "text/xml"),
        (XmlResponse, XmlResponse, "application/xhtml+xml"),
        (XmlResponse, XmlResponse, ""),  # Scrapy: the URL ends with .xml
    ):
        headers = {"Content-Type": content_type} if content_type else {}
        response = kind("http://127.0.0.1/", headers=headers, body=body.replace(b"UTF-8", b"ISO-8859-1"))
        found = adapter.FeedcharsetMiddleware().process_response(Request(response.url), response)
        assert type(found) is made
        assert "é" in found.text
        if made is HtmlResponse:
            assert [link.text for link in LinkExtractor().extract_links(found)] == ["é"]
