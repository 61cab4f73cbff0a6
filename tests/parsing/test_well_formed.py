"""A document that lxml opens strictly is never changed, whatever its names, its length, its entities."""

from __future__ import annotations

import pytest
from support.streams import dripping

from feedcharset import XmlReader, iterparse, parse
from feedcharset.parsing.document_start import SPAN


@pytest.mark.parametrize("name", ["body", "table", "a", "html", "p", "title"])
def test_a_root_with_a_name_of_html(name: str) -> None:
    for count in (2, SPAN):
        body = b"<%s>" % name.encode() + b"<route>1</route>" * count + b"</%s>" % name.encode()
        for source in (body, dripping(body, 5000)):
            assert len(parse(source).getroot()) == count
        assert sum(1 for _ in iterparse(dripping(body, 5000), "route")) == count


def test_a_well_formed_page_around_a_feed_is_passed_over() -> None:
    feeds = {
        "<rss><channel/></rss>": "rss",
        "<f:feed xmlns:f='http://www.w3.org/2005/Atom'/>": "{http://www.w3.org/2005/Atom}feed",
        "<feed>1</feed><feed>2</feed>": "html",
        "<f:rss xmlns:f='u'/>": "{u}rss",
    }
    for feed, root in feeds.items():
        body = f"<html><body>{feed}</body></html>".encode()
        assert parse(body).getroot().tag == parse(dripping(body, 1)).getroot().tag == root


def test_rss_1_behind_a_page() -> None:
    feed = b"<rdf:RDF xmlns:rdf='u' xmlns='http://purl.org/rss/1.0/'><item><title>a</title></item></rdf:RDF>"
    for page in (b"<html><body>", b"<html><body><br>x</p>", b"<p>Warning</p>"):
        for source in (page + feed, dripping(page + feed, 3)):
            with XmlReader(source) as reader:
                assert parse(reader).getroot().tag == "{u}RDF"
            assert [entry.kind for entry in reader.recovered][:1] == ["before-document"]
    assert parse(b"<html>" + feed.replace(b"purl.org/rss", b"x") + b"</html>").getroot().tag == "html"
