"""A text is split into character data and markup in turn; nothing is lost, and nothing is refused."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support.each import each

from feedcharset.text.xml_text import ATTRIBUTE, LONGEST_DECLARATION, TAGS, TAGS_AT_ONCE, XML_MARKUP, XML_NAME

SPLIT = [
    ("", [""]),
    ("a > b", ["a > b"]),
    ("a<b>c</b >d", ["a", "<b>", "c", "</b >", "d"]),
    ("<a\tb = '>' c:d=\"'\"\n/>x", ["", "<a\tb = '>' c:d=\"'\"\n/>", "x"]),
    ("<été·̀ 漢=''/>", ["", "<été·̀ 漢=''/>", ""]),
    ("<!-- <a> - -- -->x-->", ["", "<!-- <a> - -- -->", "x-->"]),
    ("<![CDATA[ </a> ]] ]>]]]>x", ["", "<![CDATA[ </a> ]] ]>]]]>", "x"]),
    ("<?a <b> ? > ?>x", ["", "<?a <b> ? > ?>", "x"]),
    ("<!-- a <b>", ["", "<!-- a <b>", ""]),
    ("<![CDATA[ a ]]", ["", "<![CDATA[ a ]]", ""]),
    ("<?a ?", ["", "<?a ?", ""]),
    ("<!DOCTYPE a><![if !b]>", ["", "<!DOCTYPE a>", "", "<![if !b]>", ""]),
    ("<!DOCTYPE a [<b>]>", ["", "<", "!DOCTYPE a [", "<b>", "]>"]),
    ("<![cdata[ a ]]>", ["", "<", "![cdata[ a ]]>"]),
    (
        "a < b <1> <? <a b> <a b='<'>",
        ["a ", "<", " b ", "<", "1> ", "<", "? ", "<", "a b> ", "<", "a b='", "<", "'>"],
    ),
    ("<a b='1'c='2'><a<b></><", ["", "<", "a b='1'c='2'>", "<", "a", "<b>", "", "<", "/>", "<", ""]),
]


@each(("text", "parts"), SPLIT)
def test_split(text: str, parts: list[str]) -> None:
    assert XML_MARKUP.split(text) == parts


@given(st.text("<>/!?-[]CDAT ab='\"\n", max_size=40))
def test_nothing_is_lost(text: str) -> None:
    """Markup begins with `<`, character data has none."""
    parts = XML_MARKUP.split(text)
    assert "".join(parts) == text
    assert not any("<" in part for part in parts[::2])
    assert all(part.startswith("<") for part in parts[1::2])


@given(st.text("aé_-.·0\u0300\u2040\xd7\U00010000\U000f0000 ", min_size=1, max_size=4))
def test_names_are_those_of_lxml(name: str) -> None:
    """libxml2 knows the names of the Fifth Edition."""
    try:
        known = etree.fromstring(f"<{name}/>").tag == name
    except etree.XMLSyntaxError:
        known = False
    assert (re.fullmatch(XML_NAME, name) is not None) is known


def test_the_longest_declaration() -> None:
    fits = f"<!{'x' * LONGEST_DECLARATION}>"
    assert XML_MARKUP.split(fits) == ["", fits, ""]
    assert XML_MARKUP.split(fits.replace(">", "x>"))[1] == "<"


def test_attributes() -> None:
    assert re.findall(ATTRIBUTE, "<a b='1' c = \"2\" d=e>") == [" b='1'", ' c = "2"']


SEVERAL = [
    ("a</b> \n<c><d:e>f", "</b> \n<c><d:e>"),
    ("<a>b<c></a>", "<a>"),
    ("<a><b c=''><d>", "<a>"),
    ('<a><b c="d"><e>', '<a><b c="d"><e>'),
    ('<a><b c="d1"><e>', "<a>"),
    ("<a><b/><c>", "<a>"),
    ("<a><!-- b --><c>", "<a>"),
    ("<a></b ><c>", "<a>"),
    ("<a> <b", "<a>"),
    ("<a b='>'><c><d>", "<a b='>'>"),
    ("<!-- <b><c> --><d>", "<!-- <b><c> -->"),
    ("<b>" * (TAGS_AT_ONCE + 1), "<b>" * TAGS_AT_ONCE),
]


@each(("text", "first"), SEVERAL)
def test_several_tags_at_once(text: str, first: str) -> None:
    """Tags without attributes, or with one whose value is a word; nothing but white space between them."""
    assert TAGS.split(text)[1] == first


@given(
    st.lists(st.sampled_from([*"<>/!?-[] ab='\"\n", "<a>", "</b>", "<b/>", "<!--", "-->", "]]>"])).map(
        "".join
    )
)
def test_several_tags_are_the_tags_one_by_one(text: str) -> None:
    parts = TAGS.split(text)
    for at in range(len(parts) - 2, 0, -2):
        if parts[at][1:2] not in ("!", "?"):
            parts[at : at + 1] = XML_MARKUP.split(parts[at])[1:-1]
    assert parts == XML_MARKUP.split(text)
