"""What a cut document ends with is no text: each element has the text that it has in the whole document, up
to the cut."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from hypothesis import strategies as st
from lxml import etree
from support.cases import FIXTURES
from support.each import each
from support.generated import generated

from feedcharset import XmlReader, decode, iterparse, parse

FEEDS = sorted((FIXTURES / "feeds").glob("*.xml"))
LABEL = re.compile(r"<\?xml[^>]*\?>")


def of_parse(body: bytes) -> tuple[Any, tuple[Any, ...]]:
    with XmlReader(body) as reader:
        return parse(reader).getroot(), reader.recovered


def of_iterparse(body: bytes) -> tuple[Any, tuple[Any, ...]]:
    with XmlReader(io.BytesIO(body)) as reader:
        elements = iterparse(reader)
        for _ in elements:
            pass
        return elements.root, reader.recovered


def cut(text: str) -> tuple[Any, tuple[Any, ...]]:
    """The root of a cut document, and what was recovered: both functions give the same."""
    root, recovered = of_parse(text.encode())
    other, also = of_iterparse(text.encode())
    assert etree.tostring(other) == etree.tostring(root)
    assert also == recovered
    return root, recovered


def text_of(text: str) -> str:
    root, _ = cut(text)
    found: str = root.xpath("string()")
    return found


def qualified(element: Any) -> str:
    name = element.tag.rpartition("}")[2]
    return f"{element.prefix}:{name}" if element.prefix else name


@pytest.mark.long
@each("feed", FEEDS, ids=lambda feed: feed.name, parts=2)
def test_each_element_has_a_prefix_of_its_text(feed: Any) -> None:
    """Cut in every 197th place, in each feed in others."""
    gap = 197
    text = LABEL.sub("", decode(feed.read_bytes()).text).replace("\r\n", "\n")
    whole = list(parse(text.encode()).iter("*"))
    root = re.search(r"<[A-Za-z][^ \n>]*", text)
    assert root
    for end in range(root.end() + FEEDS.index(feed) % gap, len(text), gap):
        elements = list(cut(text[:end])[0].iter("*"))
        assert len(elements) <= len(whole)
        for element, other in zip(elements, whole, strict=False):
            # The name of the last one may be cut, too.
            is_cut = element is elements[-1] and qualified(other).startswith(qualified(element))
            assert element.tag == other.tag or (is_cut and not element.text)
            assert dict(element.attrib).items() <= dict(other.attrib).items(), text[:end][-80:]
            assert (other.text or "").startswith(element.text or ""), text[:end][-80:]
            assert (other.tail or "").startswith(element.tail or ""), text[:end][-80:]


RDF = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:dc='http://purl.org/dc/elements/1.1/'"
NESTED = {
    "RDF": f"""<rdf:RDF {RDF}><rdf:Description rdf:about="#a"><dc:title>t</dc:title>
        <dc:creator><rdf:Seq><rdf:li>N</rdf:li></rdf:Seq></dc:creator><dc:date>d</dc:date></rdf:Description>
        </rdf:RDF>""",
    "XMP": f"""<x:xmpmeta xmlns:x="adobe:ns:meta/" {RDF}><rdf:RDF><rdf:Description rdf:about="">
        <dc:title><rdf:Alt><rdf:li xml:lang="x">T</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF>
        </x:xmpmeta>""",
    "SVG": f"""<svg {RDF} xmlns:cc="http://web.resource.org/cc/"><metadata><rdf:RDF><cc:Work rdf:about="">
        <dc:creator><cc:Agent><dc:title>n</dc:title></cc:Agent></dc:creator><cc:license rdf:resource="h"/>
        </cc:Work><cc:License rdf:about="h"><cc:permits rdf:resource="r > s"/></cc:License></rdf:RDF>
        </metadata></svg>""",
    "RSS": f"""<rss {RDF}><channel><item><title>t</title><dc:subject><rdf:Bag><rdf:li>x</rdf:li></rdf:Bag>
        </dc:subject><dc:creator><rdf:Description><rdf:value>n</rdf:value></rdf:Description></dc:creator>
        <link>l</link></item><item rdf:about='a'><enclosure url="u?a=1&amp;b" length='1'/></item></channel>
        </rss>""",
    "Atom": """<feed xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:media="http://search.yahoo.com/mrss/"><entry>
        <link href="a"><xhtml:link href="b"/><media:content><media:thumbnail url="c"><img alt="d"/>
        </media:thumbnail></media:content></link><title>t</title></entry></feed>""",
}
"""Documents in which elements of feeds hold others."""


def shape(root: Any) -> list[tuple[Any, ...]]:
    """Of each element the name of its parent, its own, and its attributes."""
    return [(getattr(one.getparent(), "tag", ""), one.tag, dict(one.attrib)) for one in root.iter("*")]


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", NESTED)
def test_the_elements_and_attributes_are_those_that_lxml_recovers(kind: str, step: int) -> None:
    """No element is ended before the cut, and half a value is none."""
    text = NESTED[kind]
    for end in range(text.index(">") + 1, len(text), step):
        recovered = etree.fromstring(text[:end], etree.XMLParser(recover=True))
        assert shape(cut(text[:end])[0]) == shape(recovered), text[:end][-80:]


VALUES = ["", "a", "a > b", "]]>", "&amp;", "it's", "x=y", "/>", "http://x/?a=1&amp;b=2"]
ATTRIBUTES = [f' a{at}="{value}"' for at, value in enumerate(VALUES)]
CONTENTS = ["a", " ", "]", "]]", "[1]", "&am", "<b c='", "</", ">", "\n"]
TEXTS = ["News", " ", "\n", "]", "]]", ">", "a=b", "'", '"', "/", ";", "#8", "é", "漢", "😀"]
REFERENCES = {"&amp;": "&", "&lt;": "<", "&#233;": "é", "&#xe9;": "é", "&own;": "word", "&#128512;": "😀"}
WITHOUT_TEXT = [
    *("<!-- a - b -->", "<!---->", "<!-- <b>t</b> c -->", "<!--<br/>t-->", "<!-- </b> t -->"),
    *("<?x a?b ?>", "<?x?>", "<?php echo '<b>t</b>' ?>", "<?x <?>"),
]
Token = tuple[str, str]
"""Its source, and the text in it."""


@st.composite
def tokens(draw: st.DrawFn) -> list[Token]:
    found: list[Token] = []
    inner: list[str] = []
    for _ in range(draw(st.integers(1, 12))):
        attributes = "".join(draw(st.lists(st.sampled_from(ATTRIBUTES), max_size=3, unique=True)))
        space = draw(st.sampled_from(["", " ", "\n"]))
        name = draw(st.sampled_from(["item", "title", "media:x", "a", "section"]))
        content = "".join(draw(st.lists(st.sampled_from(CONTENTS), max_size=4)))
        content = "" if "]]>" in f"{content}]]"[:-1] else content
        word = "".join(draw(st.lists(st.sampled_from(TEXTS), max_size=4))).replace("]]>", "")
        reference = draw(st.sampled_from(sorted(REFERENCES)))
        kind = draw(st.sampled_from(["begin", "empty", "end", "text", "cdata", "reference", "other"]))
        if kind == "begin":
            inner.append(name)
            found.append((f"<{name}{attributes}{space}>", ""))
        elif kind == "empty":
            found.append((f"<{draw(st.sampled_from([name, 'br']))}{attributes}{space}/>", ""))
        elif kind == "end" and inner:
            found.append((f"</{inner.pop()}{space}>", ""))
        elif kind == "text":
            found.append((word, word))
        elif kind == "cdata":
            found.append((f"<![CDATA[{content}]]>", content))
        elif kind == "reference":
            found.append((reference, REFERENCES[reference]))
        else:
            found.append((draw(st.sampled_from(WITHOUT_TEXT)), ""))
    return found


START = "<!DOCTYPE rss [<!ENTITY own 'word'>]><rss xmlns:media='http://search.yahoo.com/mrss/' version='2.0'"


def test_a_start_tag_that_is_cut_is_no_text() -> None:
    for end in range(START.index("<rss") + len("<rss"), len(START) + 1):
        assert text_of(START[:end]) == ""


@pytest.mark.long
@generated(2, 20, tokens())
def test_what_is_cut_is_no_text_and_all_before_it_is(found: list[Token]) -> None:
    """However a well-formed document is cut."""
    before, text = f"{START}>", ""
    for source, meant in found:
        for end in range(len(source)):
            got = text_of(before + source[:end])
            if source.startswith("<![CDATA["):
                begun = source[len("<![CDATA[") : max(end, len("<![CDATA["))]
                got, left = got[: len(text)], got[len(text) :]
                assert begun.startswith(left)
                assert not begun[len(left) :].strip("]> \n"), begun  # what the end may begin with
                assert not left.endswith("]") or begun != left
            assert got == text + (source[:end] if source == meant else "")
        before, text = before + source, text + meant
        assert "]]>" in text or text_of(before) == text


CUT = [
    ('<link href="http://x/" rel="alternate" ti', ""),
    ('<link href="http://x/" rel="alternate" title', ""),
    ('<link href="http://x/" rel="alternate"\n  title =', ""),
    ('<link href="http://x/" title="a > b', ""),
    ("<a href=x cla", ""),
    ("<a href=x class ", ""),
    ("<br /", ""),
    ("<br\n/", ""),
    ("<link h", ""),
    ("News &", "News "),
    ("News &am", "News "),
    ("News &amp", "News "),
    ("News &amp\ufffd", "News "),  # a part of a character behind it
    ("News &amp;\ufffd", "News &\ufffd"),
    ("News &#xD83D;\ufffd", "News "),
    ("News\ufffd", "News\ufffd"),
    ("News &amp;", "News &"),
    ("News &nbs", "News "),
    ("News &nbsp;", "News \xa0"),
    ("News &#", "News "),
    ("News &#23", "News "),
    ("News &#x1F60", "News "),
    ("News &#X1f", "News "),
    ("News &#55357;&#568", "News "),
    ("News &#55357;", "News "),
    ("News &#55357;&#56832;", "News 😀"),
    ("AT&T", "AT"),
    ("AT&T ", "AT&T "),
    ("AT&Tx", "AT&Tx"),
    ("M&Ms", "M&Ms"),
    ("a &1", "a &1"),
    ("a &#1z", "a &#1z"),
    ("a &;", "a &;"),
    ("<![CDATA[News]", "News"),
    ("<![CDATA[News]]", "News"),
    ("<![CDATA[News]]]", "News]"),
    ("<![CDATA[News]]\n", "News"),
    ("<![CDATA[[1] News", "[1] News"),
    ("<![CDATA[News &am", "News &am"),
    ("<![CDATA[]", ""),
    ("<!-- a <b>t", ""),
    ("a<?b<i>t", "a<?bt"),
    ("News<!-- <item><title>t</title> <b", "News"),
    ("News<!-- <b>t -", "News"),
    ("News<!-- a -> b", "News"),
    ("News<!--\n<item><title>t</title></item> <item>", "News"),
    ("News<!-- a <item><title>t</title></item>", "Newst"),  # items are behind a comment without its end
    ('News<?php echo "<a', "News"),
    ("News<?php if ($a > 1) { echo $a", "News"),
    ('News<?php echo "<a href=x>t</a>" ?', "News"),
    # What follows a tag without its `>` is text; so is more than a name.
    ('<link href="x" News of the day', " News of the day"),
    ('<link href="x"News', "News"),
    ("<a href=x> News", " News"),
]


@each(("end", "text"), CUT)
def test_a_cut_end(end: str, text: str) -> None:
    for start in ("<rss>", "<rss><channel><title>One</title>", "<rss><channel><link/>"):
        before = "One" * ("One" in start)
        root, recovered = cut(start + end)
        assert root.xpath("string()") == before + text
        assert len(recovered) >= 1


@pytest.mark.parametrize("ends", ["</title>", "</title></item>", "</item>", "<b>u</b></title>"])
@pytest.mark.parametrize("opener", ["<!-- a", '<?php echo "'])
def test_a_section_without_its_end_is_not_cut_where_an_element_ends_behind_it(opener: str, ends: str) -> None:
    text = text_of(f"<rss><channel><item><title>{opener}<b>t{ends}<item><title>News")
    assert text.startswith("t" if opener == "<!-- a" else f"{opener}t")
    assert text.endswith("News")


@each("end", ["AT&T", "News &am", "News &", "<![CDATA[News]</title><title>", '<link a="b" ti'])
def test_a_document_that_is_whole_is_not_cut(end: str) -> None:
    """What looks like a cut is text in a document whose root is closed."""
    for behind in ("", "\n", " &am", "\n<!-- a &am"):
        words = text_of(f"<rss><channel><title>{end}</title></channel></rss>{behind}")
        assert words == re.sub(r"<!\[CDATA\[|<[^\]]*?>|<link a=\"b\"", "", end)


def test_what_was_cut_is_recovered() -> None:
    _, recovered = cut("<rss>\n<title>News &am")
    assert tuple(recovered[0]) == ("reference", "&am", "", 2, 13, 1)
    _, recovered = cut('<rss>\n<link href="x" re')
    assert tuple(recovered[0]) == ("tag", '<link href="x" re', '<link href="x">', 2, 1, 1)
    _, recovered = cut("<rss>&#8;<title><![CDATA[News]")
    assert [entry.kind for entry in recovered] == ["reference", "unclosed", "markup"]
