"""Lenient parsing of markup that is none: a tree, elements, or lxml's own error; never anything else."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import strategies as st
from lxml import etree
from support.generated import generated

from feedcharset import XmlReader, iterparse, parse

PARTS = [
    *(
        "<r>",
        "</r>",
        "<i>",
        "</i>",
        "<i/>",
        "<i a='1'>",
        "<i a=1 a=2>",
        "<a:i>",
        "<i xmlns='u'>",
        "<",
        ">",
        "</",
        "/>",
    ),
    *(
        "text",
        " ",
        "\n",
        "\r",
        "&nbsp;",
        "&#8;",
        "&amp;",
        "&x;",
        "&",
        "\x0b",
        "é",
        "'",
        '"',
        "]]>",
        "<!-- - -->",
    ),
    *("<!--", "-->", "<![CDATA[&nbsp;]]>", "<![CDATA[", "<?p i?>", "<?xml version='1.0'?>", "<!DOCTYPE r>"),
    *("<!DOCTYPE r [<!ENTITY x '<i>&nbsp;</i>'>]>", "<!DOCTYPE r [", "]>", "<!ENTITY y '&x;'>"),
]
SOUP = st.lists(st.sampled_from(PARTS), max_size=25).map("".join)


def elements(text: str, tag: Any, **options: Any) -> list[str]:
    return [element.tag for _, element in iterparse(text.encode(), tag, **options)]


@generated(16, 150, SOUP, st.sampled_from(["", "<r>", "<?xml version='1.0'?><!DOCTYPE r><r>"]))
def test_soup(text: str, start: str) -> None:
    document = (start + text).encode()
    with XmlReader(document) as reader:
        with suppress(etree.XMLSyntaxError):
            assert etree.tostring(parse(reader)).startswith(b"<")
        assert all(entry.count > 0 for entry in reader.recovered)
    for tag in ("i", "{*}*", "{*}i", "nothing", None):
        depth = 0
        with suppress(etree.XMLSyntaxError):
            for event, _ in iterparse(document, tag, events=("start", "end")):
                depth += 1 if event == "start" else -1
                assert depth >= 0


@generated(40, 150, SOUP)
def test_well_formed_soup_is_the_same_either_way(text: str) -> None:
    """Where strict reading accepts, lenient reading finds the same, and nothing to mend."""
    document = f"<r>{text}</r>".encode()
    try:
        strict = etree.tostring(parse(document, lenient=False))
    except etree.XMLSyntaxError:
        return
    with XmlReader(document) as reader:
        assert etree.tostring(parse(reader)) == strict
    assert reader.recovered == ()
    assert [etree.tostring(e) for _, e in iterparse(document, "r", lenient=False)][-1] == strict


NAMES = ["a", "b", "row", "cbc:Amount", "Größe", "имя", "p", "col_1.x"]
ATTRIBUTES = ["", "", " x='1'", ' y="a b" z="http://x/"']
BEGINS = st.tuples(st.sampled_from(NAMES), st.sampled_from(ATTRIBUTES))
TREES: st.SearchStrategy[str] = st.recursive(
    BEGINS.map(lambda found: f"<{found[0]}{found[1]}/>"),
    lambda inner: st.tuples(BEGINS, st.lists(inner, min_size=1, max_size=3), st.sampled_from(["", "\n"])).map(
        lambda found: "<{0}{1}>{3}{2}{3}</{0}>".format(*found[0], found[2].join(found[1]), found[2])
    ),
    max_leaves=9,
)


@generated(40, 500, TREES, st.sampled_from([">", "/>"]), st.integers(0, 3))
def test_what_lxml_recovers_behind_a_lost_end_of_a_tag(tree: str, end: str, chosen: int) -> None:
    """Each element of a document in which a start tag before a tag that is no end tag has lost its `>`, or
    `/>`."""
    lost_end = re.compile(rf"<[^<>/]([^<>]*[^<>/])?({end})\n?<(?!/)")
    places = [found.span(2) for found in lost_end.finditer(tree.replace("http://", "http:__"))]
    for start, stop in places[chosen:][:1]:
        document = f"<r xmlns:cbc='u'>{tree[:start]}{tree[stop:]}</r>".encode()
        recovered = etree.fromstring(document, etree.XMLParser(recover=True))
        lost = Counter(e.tag for e in recovered.iter()) - Counter(e.tag for e in parse(document).iter())
        assert not lost


@pytest.mark.parametrize("tag", ["i", None])
def test_elements_that_do_not_end_end_with_the_document(tag: str | None) -> None:
    assert elements("<r><i>1</i><i>2<i>3", tag) == (["i"] * 3 if tag else ["i", "i", "i", "r"])
