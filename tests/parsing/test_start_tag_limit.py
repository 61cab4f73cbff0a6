"""Documents of start tags that do not end are refused before libxml2 takes quadratic time; feeds are not."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from feedcharset import XmlReader, iterparse, parse
from feedcharset.parsing.lxml_input import Utf8Input
from feedcharset.parsing.start_tag_limit import LEAST, SPAN, StartTagLimit, _open_mark

UNITS = ("<a b='", '<a b="', "<a\n", "<a '>'", "<a b='>'", "<a/", "<a b", "<:", "<a xmlns='", "<a b=' c=\"")


def document(unit: str, size: int) -> bytes:
    """A document of bad tags, after a good one."""
    return f"<r>{unit * (size // len(unit))}</r>".encode()


class Pieces(BytesIO):
    """A stream that gives 1,000 bytes at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(1000 if size is None or size < 0 else min(size, 1000))


def elements(source: Any) -> None:
    for _ in iterparse(source, "item"):
        pass


WAYS: dict[str, Any] = {
    "parse": parse,
    "iterparse": elements,
    "iterparse, every element": lambda data: list(iterparse(data)),
    "parse, in pieces": lambda data: parse(Pieces(data)),
    "iterparse, in pieces": lambda data: elements(Pieces(data)),
}


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("way", WAYS)
def test_a_document_beyond_the_limit_is_refused(way: str, unit: str) -> None:
    with pytest.raises(etree.XMLSyntaxError, match="Too many start tags that do not end") as caught:
        WAYS[way](document(unit, 140_000))
    assert caught.value.code == etree.ErrorTypes.ERR_RESOURCE_LIMIT


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("way", WAYS)
def test_a_document_below_the_limit_is_parsed(way: str, unit: str) -> None:
    WAYS[way](document(unit, LEAST * SPAN // 2))


def test_the_error_comes_again() -> None:
    """`iterparse` reads on after looking for the root element, and gets the error then."""
    with XmlReader(document("<a '>'", 200_000)) as reader:
        text = Utf8Input(reader, clean=False)
        for _ in range(2):
            with pytest.raises(etree.XMLSyntaxError, match="line 1, column"):
                text.read()


@pytest.mark.parametrize("share", [2, 4, 9])
def test_bad_tags_among_good_ones_are_found(share: int) -> None:
    """One bad tag of some: `<b '>'` is hidden to the tags before it, which stay open."""
    limit = StartTagLimit()
    text = ("<a '>'" + "'<b>'" * (share - 1)) * 100_000
    assert any(limit.exceeded(text[start : start + 65_536]) for start in range(0, len(text), 65_536))


FEEDS = {
    "a quotation mark is missing": '<item><a href="x>text</a><b title="y">it\'s</b></item>\n',
    "less-than signs in attributes": "<item><a title=\"a < b > c\">don't</a> <img alt='<b>'/></item>\n",
    "apostrophes": "<item><p>it's don't 'tis</p></item>\n",
    "data in attributes": f'<item><img src="data:{"x" * 6000}"/></item>\n',
    "code in CDATA": "<item><![CDATA[for (i=0;i<n;i++) { print('<a>') if (a<b) it's }]]></item>\n",
    "comments": "<item><!-- <a <b <c 'd \" --></item>\n",
    "one long text": "x" * 5000,
}


@pytest.mark.parametrize("feed", FEEDS)
def test_no_feed_is_refused(feed: str) -> None:
    limit = StartTagLimit()
    text = "<rss>" + FEEDS[feed] * (2_000_000 // len(FEEDS[feed])) + "</rss>"
    assert not any(limit.exceeded(text[start : start + 65_536]) for start in range(0, len(text), 65_536))


def test_a_feed_without_one_closing_mark_is_not_refused() -> None:
    """One quotation mark is missing, and all after it seems quoted: one tag is open to the end."""
    text = '<rss><a href="x>' + '<item a="b"><c d="e">text</c></item>' * 60_000 + "</rss>"
    for _ in range(20):
        assert not StartTagLimit().exceeded(text)


@given(st.text(alphabet="<>'\"ab", max_size=60), st.sampled_from(["", "'", '"']))
def test_the_end_of_a_tag_is_the_first_one_outside_quotation_marks(text: str, mark: str) -> None:
    """libxml2, xmlParseLookupGt: the first `>` outside quotation marks."""
    assert _open_mark(text, 0, len(text), mark) == _plainly(text, mark)
    assert _open_mark(f"x{text}>", 1, len(text) + 1, mark) == _plainly(text, mark)


def _plainly(text: str, mark: str) -> str | None:
    for character in text:
        if mark:
            mark = "" if character == mark else mark
        elif character in "'\"":
            mark = character
        elif character == ">":
            return None
    return mark
