"""feedcharset.adapters.feedparser: feedparser's results with the right text."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from support.consumer_table import parser_documents
from support.documents import served
from support.each import each
from support.local_server import LocalServer, Row

import feedcharset
from feedcharset import XmlReader
from feedcharset.adapters.beautifulsoup import make_soup

feedparser = pytest.importorskip("feedparser")

from feedcharset.adapters import feedparser as adapter  # noqa: E402

FEED = (
    '<?xml version="1.0" encoding="{}"?><rss version="2.0"><channel><title>{}</title>'
    "<link>here</link></channel></rss>"
)
HEADERS = (
    ("Content-Type", "text/xml; charset=windows-1251"),
    ("ETag", '"1"'),
    ("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT"),
)


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.long)])
def test_every_title_is_right(step: int, tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    for document in parser_documents()[::step]:
        path.write_bytes(document.octets)
        assert adapter.parse(str(path)).feed.title == document.title, document.name
        assert adapter.parse(document.octets).feed.title == document.title, document.name
        assert adapter.parse(io.BytesIO(document.octets)).feed.title == document.title, document.name


@pytest.mark.long
def test_every_title_over_http_is_right() -> None:
    rows = {f"/{at}": Row.typed(one.octets, one.content_type) for at, one in enumerate(served())}
    with LocalServer(rows) as server:
        for path, document in zip(rows, served(), strict=True):
            assert adapter.parse(server.url(path)).feed.title == document.title, document.name
            with XmlReader(server.url(path)) as reader:
                assert adapter.parse_reader(reader).feed.title == document.title, document.name


@pytest.mark.parametrize("character", ["\x0b", "\x00", "\x08", "\ufffe", "\uffff"])
def test_a_character_that_xml_forbids_is_replaced(character: str) -> None:
    """In both ways: with it, feedparser's strict parser would refuse the document."""
    body = FEED.format("utf-8", f"Žižkov{character}Praha").encode()
    with XmlReader(body) as reader:
        read = adapter.parse_reader(reader)
    for parsed in (adapter.parse(body), adapter.parse(io.BytesIO(body)), read):
        assert (parsed.feed.title, bool(parsed.bozo)) == ("Žižkov\ufffdPraha", False)


def test_status_validators_and_address_are_kept() -> None:
    body = FEED.format("windows-1251", "Погода").encode("cp1251")
    with LocalServer({"/feed": Row(body, HEADERS)}) as server:
        url = server.url("/feed")
        with XmlReader(url) as reader:
            read = adapter.parse_reader(reader)
        for parsed in (adapter.parse(url), read):
            assert parsed.feed.title == "Погода"
            assert (parsed.status, parsed.etag, parsed.href) == (200, '"1"', url)
            assert parsed.modified == "Thu, 01 Jan 2026 00:00:00 GMT"
            assert parsed.headers["content-type"] == "text/xml; charset=windows-1251"
            assert parsed.feed.link == server.url("/here")
            assert parsed.encoding == "windows-1251"


def test_a_redirect_and_an_error_status() -> None:
    body = FEED.format("utf-8", "Žižkov").encode()
    rows = {
        "/old": Row(b"", (("Location", "/new"),), 301),
        "/new": Row.typed(body, "application/rss+xml"),
        "/gone": Row.typed(b"<p>gone", "text/html")._replace(status=410),
    }
    with LocalServer(rows) as server:
        moved = adapter.parse(server.url("/old"))
        assert (moved.status, moved.href, moved.feed.title) == (301, server.url("/new"), "Žižkov")
        assert adapter.parse(server.url("/gone")).status == 410


BOZO = [
    # Content-Type, declared, encoding of the bytes, what feedparser itself reports
    ("application/rss+xml", "utf-8", "utf-8", None),
    ("text/xml; charset=utf-8", "utf-8", "utf-8", None),
    ("text/html; charset=utf-8", "utf-8", "utf-8", "NonXMLContentType"),
    ("text/html; charset=utf-8", "windows-1251", "utf-8", "NonXMLContentType"),
    ("application/rss+xml", "ascii", "utf-8", "CharacterEncodingOverride"),
    ("text/xml", "utf-8", "utf-8", "CharacterEncodingOverride"),
]


@pytest.mark.parametrize(("content_type", "declared", "codec", "expected"), BOZO)
def test_bozo_is_what_feedparser_says(
    content_type: str, declared: str, codec: str, expected: str | None
) -> None:
    body = FEED.format(declared, "Žižkov").encode(codec)
    headers = {"content-type": content_type}
    for parse in (feedparser.parse, adapter.parse):
        parsed = parse(io.BytesIO(body), response_headers=headers)
        assert type(parsed.get("bozo_exception")).__name__ == str(expected or "NoneType")
        assert bool(parsed.bozo) is (expected is not None)


@pytest.mark.parametrize(("content_type", "declared", "codec", "expected"), BOZO)
def test_bozo_of_a_reader(content_type: str, declared: str, codec: str, expected: str | None) -> None:
    body = FEED.format(declared, "Žižkov").encode(codec)
    with LocalServer({"/": Row.typed(body, content_type)}) as server, XmlReader(server.url("/")) as reader:
        parsed = adapter.parse_reader(reader)
        assert type(parsed.get("bozo_exception")).__name__ == str(expected or "NoneType")
        assert bool(parsed.bozo) is (expected is not None)


def test_fields_of_stored_bytes_are_given() -> None:
    """The base of relative links, as `feedparser.parse` takes it; what a response has goes first."""
    body = b"<feed xmlns='http://www.w3.org/2005/Atom'><link href='/a'/></feed>"
    given = {"content-location": "http://example.org/", "content-type": "application/atom+xml"}
    with XmlReader(body, content_type=given["content-type"]) as reader:
        read = adapter.parse_reader(reader, response_headers=given)
    assert read.feed.link == feedparser.parse(io.BytesIO(body), response_headers=given).feed.link
    assert (read.feed.link, read.bozo) == ("http://example.org/a", False)
    with LocalServer({"/": Row.typed(body, "text/xml; charset=utf-8")}) as server:
        with XmlReader(server.url("/")) as reader:
            read = adapter.parse_reader(reader, response_headers={"Content-Type": "text/plain"})
        assert (read.feed.link, read.bozo) == (server.url("/a"), False)


def test_a_charset_that_rfc_3023_refuses_is_overridden() -> None:
    """UTF-16 without a BOM (rule 2.4)."""
    body = FEED.format("utf-8", "Ž").encode()
    headers = {"content-type": "text/xml; charset=utf-16"}
    with LocalServer({"/": Row.typed(body, headers["content-type"])}) as server:
        with XmlReader(server.url("/")) as reader:
            read = adapter.parse_reader(reader)
        for parsed in (adapter.parse(io.BytesIO(body), response_headers=headers), read):
            assert str(parsed.bozo_exception) == "document declared as utf-16, but parsed as UTF-8"


def test_a_hostile_declaration_takes_linear_time() -> None:
    """feedparser's own expression for the declaration takes cubic time on such a line."""
    body = b"<?xml " + b"encoding='" * 4000 + b"<rss><channel><title>a</title></channel></rss>"
    assert adapter.parse(body).entries == []
    with XmlReader(body) as reader:
        assert adapter.parse_reader(reader).entries == []


def test_an_override_that_feedparser_does_not_see() -> None:
    body = FEED.format("windows-1251", "Погода").encode()
    headers = {"content-type": "application/rss+xml; charset=koi8-r"}
    assert feedparser.parse(io.BytesIO(body), response_headers=headers).feed.title != "Погода"
    parsed = adapter.parse(io.BytesIO(body), response_headers=headers)
    assert str(parsed.bozo_exception) == "document declared as KOI8-R, but parsed as UTF-8"
    assert parsed.feed.title == "Погода"


def test_feedparser_itself_is_not_changed() -> None:
    stale = FEED.format("windows-1251", "Погода").encode()
    assert feedparser.parse(stale).feed.title != "Погода"
    assert adapter.parse(stale).feed.title == "Погода"
    assert feedparser.parse(stale).feed.title != "Погода"


def test_what_a_program_changes_in_feedparser_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = b"<rss><channel><title>a & b</title></channel></rss>"
    assert adapter.parse(broken).bozo
    monkeypatch.setattr(feedparser.api, "_XML_AVAILABLE", False)
    assert not adapter.parse(broken).bozo


def test_hostile_text_does_not_leave_a_declaration_behind() -> None:
    """The declaration is replaced once, and only where it is one."""
    for body, title in (
        (b"\n <?xml version='1.0' encoding='latin-1'?><rss><channel><title>a</title></channel></rss>", "a"),
        (b"<rss><channel><title>&lt;?xml version='1.0'?></title></channel></rss>", "<?xml version='1.0'?>"),
        (b"<?xml version='1.0' encoding='zlib'?><rss><channel><title>b</title></channel></rss>", "b"),
    ):
        assert adapter.parse(body).feed.get("title", "") == title


@each(
    ("written", "meant"),
    [
        ("A &#xD83D;&#xDE00; B", "A \U0001f600 B"),  # as Java and JavaScript write emoji
        ("A &#55357;&#56832; B", "A \U0001f600 B"),
        ("A &#xD83D; B", "A \ufffd B"),
        ("A &#99999999; B", "A \ufffd B"),
        ("A &#0; B", "A \ufffd B"),
    ],
)
@each("section", ["{}", "<![CDATA[{}]]>"])
def test_references_to_halves_of_characters(written: str, meant: str, section: str) -> None:
    """feedparser and Beautiful Soup raise for some of them; then no item is left."""
    title = f"<title>{section.format(written)}</title>"
    feed = f"<rss version='2.0'><channel><item>{title}</item></channel></rss>".encode()
    assert [entry.title for entry in adapter.parse(feed).entries] == [meant]
    with XmlReader(feed) as reader:
        assert [entry.title for entry in adapter.parse_reader(reader).entries] == [meant]
    if section == "{}":
        assert "é" in str(make_soup(feed.replace(b"A ", b"A &#233; ")))
        assert [found.string for found in make_soup(feed).find_all("title")] == [meant]
        assert [found.text for found in feedcharset.parse(feed).iter("title")] == [meant]
