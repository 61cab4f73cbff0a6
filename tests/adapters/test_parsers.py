"""feedcharset.adapters.pandas and .beautifulsoup on the documents of the table of consumers."""

from __future__ import annotations

import gzip

import pytest
from support.consumer_table import parser_documents


def test_pandas() -> None:
    pytest.importorskip("pandas")
    from feedcharset.adapters.pandas import read_xml

    for document in parser_documents():
        for options in (
            {"xpath": "(//*[local-name() = 'title'])[1]/.."},
            {"xpath": ".//{*}title/..", "parser": "etree"},
        ):
            assert read_xml(document.octets, **options)["title"][0] == document.title, document.name


def test_pandas_is_given_the_header() -> None:
    pytest.importorskip("pandas")
    from feedcharset.adapters.pandas import read_xml

    body = "<a><b><t>Погода</t></b></a>".encode("koi8-r")
    assert read_xml(body, content_type="text/xml; charset=koi8-r")["t"][0] == "Погода"


@pytest.mark.parametrize("name", ["encoding", "compression"])
def test_pandas_is_told_no_encoding(name: str) -> None:
    """It gets UTF-8: with an encoding it would read that as something else."""
    pytest.importorskip("pandas")
    from feedcharset.adapters.pandas import read_xml

    with pytest.raises(TypeError, match=f"pass no {name}=: pandas gets UTF-8"):
        read_xml(b"<r><i><t>x</t></i></r>", **{name: "gzip"})


def test_pandas_of_gzip_that_is_damaged(caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("pandas")
    from feedcharset.adapters.pandas import read_xml

    packed = gzip.compress(b"<a><b><t>text 1</t></b></a>", 0, mtime=0)
    for data, text, told in ((packed, "text 1", 0), (packed.replace(b"text 1", b"text 2"), "text 2", 1)):
        assert read_xml(data)["t"][0] == text
        assert [record.levelname for record in caplog.records] == ["WARNING"] * told


def test_beautiful_soup_of_gzip_that_is_cut_off(caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("bs4")
    from feedcharset.adapters.beautifulsoup import make_soup

    packed = gzip.compress(b"<a>" + b"".join(b"<b>%d</b>" % (at * at) for at in range(999)) + b"</a>")
    for data, kinds in ((packed, ()), (packed[:-100], (("gzip", 1),))):
        soup = make_soup(data)
        assert (len(soup.find_all("b")) == 999) == (not kinds)
        assert vars(soup)["repairs"].kinds == kinds
        assert bool(caplog.messages) == bool(kinds)


def test_beautiful_soup() -> None:
    pytest.importorskip("bs4")
    from feedcharset.adapters.beautifulsoup import make_soup

    for document in parser_documents():
        soup = make_soup(document.octets)
        assert soup.find("title").string == document.title, document.name
        assert soup.original_encoding
    body = "<a><t>Погода\x08</t></a>".encode("koi8-r")
    soup = make_soup(body, content_type="text/xml; charset=koi8-r")
    assert (soup.t.string, soup.original_encoding) == ("Погода\ufffd", "KOI8-R")
