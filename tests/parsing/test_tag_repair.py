"""Which tags are repaired before the parser sees them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from support.cases import load

import feedcharset.parsing.tag_repair
from feedcharset import XmlReader, iterparse, parse
from feedcharset.parsing.recovery_log import PositionLog
from feedcharset.parsing.section_ends import SPAN
from feedcharset.parsing.tag_repair import TagRepairer
from feedcharset.parsing.tag_syntax import WINDOW
from feedcharset.parsing.tag_tokens import DEEP, DEEPEST

CASES = load("tag_repairs")
PARTS = [
    *("<rss>", "</rss>", "<item>", "</item>", "<title>", "</title>", "<p>", "</p>", "<br>", "</br>"),
    *("<br/>", "<a b c='1'>", "<a>"),
    *("<a b='1'>", "<a b='", '<a b="', "<a b=c>", "<a b", "<a ", "</a", "</a>", "</", "<"),
    ">",
    *("/>", "'", '"'),
    *(
        "text",
        " ",
        "\n",
        "=",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?x ",
        "?>",
        "<?xml:namespace a />",
        "<!x>",
    ),
    *("<!DOCTYPE r [", "]>", "<?xml version='1.0'?>", "é", "<é>", "<1>", "x" * 100),
]
DOCUMENTS = st.lists(st.sampled_from(PARTS), max_size=30).map("".join)


def repaired(pieces: list[str]) -> tuple[str, list[Any]]:
    log = PositionLog()
    repairer = TagRepairer(log)
    text = "".join([*[repairer.feed(piece) for piece in pieces], repairer.feed("", True)])
    return text, sorted(log.entries(), key=lambda entry: (entry.line or 0, entry.column or 0))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_repairs(case: dict[str, Any]) -> None:
    text, recovered = repaired([case["text"]])
    assert text == case["repaired"]
    assert [list(entry) for entry in recovered] == case["recovered"]
    for cut in range(len(case["text"]) + 1):
        assert repaired([case["text"][:cut], "", case["text"][cut:]]) == (text, recovered)
    assert repaired(list(case["text"])) == (text, recovered)


@settings(max_examples=300)
@given(DOCUMENTS, st.sampled_from(["", "<rss>", "<?xml version='1.0'?><r>"]), st.data())
def test_the_pieces_do_not_matter(text: str, start: str, data: st.DataObject) -> None:
    text = start + text
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert repaired(pieces) == repaired([text]) == repaired(list(text))


@settings(max_examples=300)
@given(DOCUMENTS)
def test_well_formed_documents_are_not_changed(text: str) -> None:
    """XML 1.0 §2.1: a textual object is a well-formed XML document if it matches the production labeled
    document and meets the well-formedness constraints."""
    for document in (text, f"<rss>{text}</rss>"):
        try:
            etree.fromstring(document.encode(), etree.XMLParser(resolve_entities=False))
        except etree.XMLSyntaxError:
            continue
        assert repaired([document]) == (document, [])


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PARTS[:13]), max_size=30).map("".join))
def test_every_element_ends_where_it_is_within_its_parent(text: str) -> None:
    """XML 1.0 §2.1: the elements, delimited by start- and end-tags, nest properly within each other."""
    document, _ = repaired([f"<r>{text}"])
    tree = parse(document.encode())
    with XmlReader(document.encode()) as reader:
        parse(reader)
    assert not [entry for entry in reader.recovered if "mismatch" in entry.found]
    assert tree.getroot().tag == "r"


def test_far_ends() -> None:
    """What is decided by text far behind is decided the same in every cut; farther text is not looked at."""
    for gap, ends in ((SPAN - 100, 1), (SPAN + 100, 2)):
        text = f"<rss>a</rss>{' ' * gap}<item>b</item></rss>"
        found = repaired([text])
        assert found[0].count("</rss>") == ends
        assert repaired([text[at : at + 5000] for at in range(0, len(text), 5000)]) == found
    for gap in (WINDOW - 100, WINDOW + 100):
        text = f"<rss><br>{'x' * gap}</br><a b='{'x' * gap}>c</a></rss>"
        assert repaired([text[at : at + 500] for at in range(0, len(text), 500)]) == repaired([text])
    long = f"<rss><p>{'<![CDATA[' + 'x' * SPAN}</p><item/></rss>"
    assert repaired([long]) == repaired([long[at : at + 5000] for at in range(0, len(long), 5000)])


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tag without its end is held up to a limit, and so are open elements; what follows is not repaired."""
    monkeypatch.setattr(feedcharset.parsing.tag_repair, "LIMIT", 1000)
    tag = f"<r><a b='{'x' * 1000}"
    pieces = [*[tag[at : at + 100] for at in range(0, len(tag), 100)], "'></p></a></r>"]
    assert repaired(pieces) == ("".join(pieces), [])
    deep = "<a>" * (DEEPEST + 2) + "</p>"
    assert repaired([deep]) == repaired(list(deep)) == (deep, [])


DAMAGED = {
    "</p></p> in a description": (b"<p>x</p></p></p>", ["a", "b", "c"]),
    "an open quotation mark": (b'<a href="http://x>y</a>', ["a", "b", "c"]),
    "<br> without its end": (b"x<br>y<br>z", ["a", "b", "c"]),
    "300 of them": (b"x<br>" * 300, ["a", "b", "c"]),
    "300 <p> without their ends": (b"<p>x" * 300, ["a", "b", "c"]),
    "a table without any end": (b"<tr><td><p>x<td>y" * 300, ["a", "b", "c"]),
    "<p> and <li> without their ends": (b"<p>x<p>y<ul><li>z<li>", ["a", "b", "c"]),
    "the end of the root": (b"x</rss>", ["a", "b", "c"]),
    "a tag that does not end": (b"1 <b and 2", ["a", "b", "c"]),
    "an address": (b"Joe <joe@example.org>", ["a", "b", "c"]),
    "Word's namespace": (b'<?xml:namespace prefix = o ns = "urn:x" />x', ["a", "b", "c"]),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_no_item_is_lost(damage: str) -> None:
    inner, titles = DAMAGED[damage]
    items = [b"<item><title>%c</title><description>" % title + inner + b"</description><link>l</link></item>"
             for title in b"abc"]  # fmt: skip
    body = b"<rss version='2.0'><channel><title>t</title>" + b"".join(items) + b"</channel></rss>"
    with XmlReader(body) as reader:
        found = list(parse(reader).iter("item"))
    assert [item.findtext("title") for item in found] == titles
    assert [item.findtext("link") for item in found] == ["l"] * 3
    assert {item.getparent().tag for item in found} == {"channel"}
    assert reader.recovered
    assert all(entry.line for entry in reader.recovered)
    assert [item.findtext("title") for _, item in iterparse(body, "item")] == titles


@pytest.mark.parametrize(
    "unit",
    ["<a b='", '<a b="', "<a\n", "<a '>'", "<a b='>'", "<a/", "<a b", "<:", "<a xmlns='", "<a b=' c=\""],
)
def test_start_tags_that_do_not_end(unit: str) -> None:
    """libxml2's push parser would look for the end of each through the rest of the document."""
    for end in ("", "</a>"):
        text, _ = repaired(["<r>", *[f"{unit}{end}"] * 100, "</r>"])
        quoted = re.sub(r"\"[^\"]*\"|'[^']*'", "", text)
        assert not re.search("<[^>]*<", quoted)


def test_a_well_formed_document_nested_deep_is_not_changed() -> None:
    """Up to 32 elements below the parser's own limit."""
    deep = "<r>" + "<p>x" * (DEEP - 2) + "</p>" * (DEEP - 2) + "</r>"
    assert repaired([deep]) == (deep, [])
    assert repaired(["<r>" + "<p>x" * 300 + "</r>"])[0].count("<p>x</p>") > 300 - DEEP
