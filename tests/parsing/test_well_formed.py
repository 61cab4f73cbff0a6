"""A document that lxml opens strictly is never changed, whatever its names, its length, its entities."""

from __future__ import annotations

import gzip
import io
from itertools import product
from typing import Any

import pytest
from hypothesis import strategies as st
from lxml import etree
from support.each import each
from support.generated import generated
from support.streams import dripping

from feedcharset import XmlReader, iterparse, parse
from feedcharset.parsing.document_start import SPAN, DocumentStart, has_page_around
from feedcharset.parsing.held_text import REACH
from feedcharset.parsing.recovery_log import RecoveryLog
from feedcharset.parsing.tag_syntax import HTML, VOID
from feedcharset.text.source_positions import RepairLog

NAMES = st.sampled_from(
    [
        *sorted(HTML),
        *sorted(VOID),
        "item",
        "channel",
        "catalog",
        "route",
        "wbr",
        "x:p",
        "x:br",
        "\u00e9t\u00e9",
    ]
)
TEXTS = st.sampled_from(
    [
        *("", " ", "\n", "text", "a &amp; b", "&lt;p&gt;", "&#160;", "]]&gt;", "\u6f22", "&e;", "&m;", "&n;"),
        *("<!-- <br> </p> & -->", "<![CDATA[</p><br> & <rss>]]>", "<?x </p> & ?>", "x" * 5000, "> ' \""),
        *("<!-- <rss version='2.0'> -->", "<?x <feed> ?>", "<?xmlx <rss>?>"),
    ]
)
ATTRIBUTES = st.sampled_from(
    [
        "",
        "",
        " a='1'",
        ' b=">]]>"',
        " xmlns='urn:u'",
        " c = '&e;&amp;&n;'",
        "\n d='\"'",
        " x:a='' xml:lang='ru'",
        " e='/>'",
        " f='>&lt;rss>' xml:space='foo'",
    ]
)
SUBSET = """<!DOCTYPE r [<!ENTITY e 'v&#233;'><!ENTITY n "&#10;"><!-- ]> -->
<!ENTITY m '<item>1</item><br/>&e;'>]>"""
PROLOGS = st.sampled_from(
    ["", "", "<?xml version='1.0'?>", "<?xml version='1.1'?>", "<!-- <rss> -->", SUBSET]
)
EPILOGS = st.sampled_from(
    ["", "", "<!--<rss>-->", "<!-- for <feed xmlns='http://www.w3.org/2005/Atom'> -->", "<?x <rss/> ?>"]
)


@st.composite
def elements(draw: st.DrawFn, depth: int = 0) -> str:
    name = draw(NAMES)
    children = elements(depth + 1) if depth < 4 else TEXTS  # type: ignore[call-arg]
    content = "".join(draw(st.lists(st.one_of(TEXTS, children), max_size=4)))
    attributes = draw(ATTRIBUTES) + (" xmlns:x='urn:x'" if not depth else "")
    return f"<{name}{attributes}>{content}</{name} >" if content else f"<{name}{attributes}/>"


def canonical(tree: Any) -> bytes:
    return etree.tostring(tree, method="c14n")


@generated(16, 125, PROLOGS, elements(), EPILOGS, st.sampled_from([1, 7, 100, 1 << 20]))
def test_the_tree_and_the_elements_are_lxmls(prolog: str, element: str, epilog: str, size: int) -> None:
    body = (prolog + element + epilog).encode()
    parser = etree.XMLParser(resolve_entities="internal")  # type: ignore[arg-type]
    try:
        expected = etree.fromstring(body, parser).getroottree()
    except etree.XMLSyntaxError:
        return
    for source in (body, dripping(body, size)):
        with XmlReader(source) as reader:
            assert canonical(parse(reader)) == canonical(expected)
            assert reader.recovered == ()
    tags = [one.tag for one in expected.iter("*")]
    for source in (body, dripping(body, size)):
        found = iterparse(source)
        assert sorted(one.tag for _, one in found) == sorted(tags)
        assert canonical(found.root.getroottree()) == canonical(expected)
    for source in (body, dripping(body, size)):
        assert sorted(one.tag for _, one in iterparse(source, "{*}item")) == sorted(
            tag for tag in tags if tag.endswith("item")
        )


@pytest.mark.parametrize("count", [2, pytest.param(SPAN, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["body", "table", "a", "html", "br", "p", "title"])
def test_a_root_with_a_name_of_html(name: str, count: int) -> None:
    body = b"<%s>" % name.encode() + b"<route>1</route>" * count + b"</%s>" % name.encode()
    for source in (body, dripping(body, 5000)):
        assert len(parse(source).getroot()) == count
    assert sum(1 for _ in iterparse(dripping(body, 5000), "route")) == count


@each("name", ["div", "html", "table", "p", "rss"])
@each("behind", ["", "<!--<rss>-->", "<!-- <feed xmlns='http://www.w3.org/2005/Atom'> -->"])
@each("attributes", ["a='/>'", "xmlns='rel' a='/>'", "xml:space='x' a='/>'", "a='>&lt;rss>'"], every=4)
@each("prolog", ["", "<?xml version='1.1'?>"])
def test_neither_a_comment_nor_a_warning_of_the_parser_hides_the_root(
    name: str, behind: str, attributes: str, prolog: str
) -> None:
    body = f"{prolog}<{name} {attributes}><row>x</row></{name}>{behind}".encode()
    expected = etree.fromstring(body)
    tags = [one.tag for one in expected.iter("*")]
    for size in (7, len(body)):
        assert etree.tostring(parse(dripping(body, size))) == etree.tostring(expected.getroottree())
        assert sorted(one.tag for _, one in iterparse(dripping(body, size))) == sorted(tags)
        assert [one.tag for _, one in iterparse(dripping(body, size), "{*}row")] == tags[1:]
    assert etree.tostring(parse(body)) == etree.tostring(expected.getroottree())
    assert [one.tag for _, one in iterparse(body, "{*}row")] == tags[1:]


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


def test_a_page_is_searched_where_it_may_hold_a_feed() -> None:
    """The quick test of a page gives the answer of the search."""
    rdf = "xmlns:rdf='u' xmlns='http://purl.org/rss/1.0/'"
    inside = (
        "<p/>",
        "<rss/>",
        "<RSS/>",
        "<x:rss xmlns:x='u'/>",
        "<feed/>",
        "<feed xmlns='http://www.w3.org/2005/Atom'/>",
    )
    inside += (
        f"<rdf:RDF {rdf}/>",
        f"<r:RDF {rdf} xmlns:r='v'/>",
        "<!-- <rss> -->",
        "<![CDATA[<rss>]]>",
        "<feeds/>",
    )
    answers = set()
    for one, other, end in product(inside, inside, ("", "<rss\n/>")):
        page = f"<html><body>{one}<script>x</script>{other}</body>{end}</html>"
        searched = DocumentStart(RecoveryLog(RepairLog())).feed(page, True) != page
        assert has_page_around(page) is searched, page
        answers.add(searched)
    assert answers == {True, False}


def test_rss_1_behind_a_page() -> None:
    feed = b"<rdf:RDF xmlns:rdf='u' xmlns='http://purl.org/rss/1.0/'><item><title>a</title></item></rdf:RDF>"
    for page in (b"<html><body>", b"<html><body><br>x</p>", b"<p>Warning</p>"):
        for source in (page + feed, dripping(page + feed, 3)):
            with XmlReader(source) as reader:
                assert parse(reader).getroot().tag == "{u}RDF"
            assert [entry.kind for entry in reader.recovered][:1] == ["before-document"]
    assert parse(b"<html>" + feed.replace(b"purl.org/rss", b"x") + b"</html>").getroot().tag == "html"


@each("name", ["item", "url", "entry"])
@each("behind", ["", "<x/>" * 9, "<y>"])
@each("end", ["", "\n<!-- z -->", "<?x y?>"])
@each("size", [7, 50_000])
def test_an_inner_element_of_the_roots_name_does_not_end_it(
    name: str, behind: str, end: str, size: int
) -> None:
    closed = behind.replace("<y>", "</y>") if behind == "<y>" else ""
    body = f"<{name}><{name}>1</{name}>{behind}<rss/>{closed}</{name}>{end}".encode()
    found = iterparse(dripping(body, size))
    assert [one.tag for _, one in found] == [one.tag for _, one in etree.iterwalk(etree.fromstring(body))]
    assert not found.reader.recovered


@pytest.mark.long
@each("start", ["<!DOCTYPE r><rss>", "<r>", "<?xml version='1.0'?><body>", "<item>"])
@each("inner", ["<item><item>{}</item></item>", "<item><br>{}</br></item>"])
def test_an_end_that_is_far(start: str, inner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Farther than repaired text is searched, in a document that is not held as a whole."""
    monkeypatch.setattr("feedcharset.parsing.parsers.IN_MEMORY", 1)
    name = start[start.rfind("<") + 1 : -1]
    body = f"{start}{inner.format('x' * REACH + '<title>t</title>')}<item/></{name}>".encode()
    expected = [etree.tostring(one) for _, one in etree.iterwalk(etree.fromstring(body), tag="item")]
    for source in (body, io.BytesIO(body), XmlReader(gzip.compress(body))):
        found = iterparse(source, "item")
        assert [etree.tostring(one) for _, one in found] == expected
        assert not found.reader.recovered
        found.reader.close()


@pytest.mark.parametrize("name", ["p", "li"])
def test_deep_elements(name: str) -> None:
    """libxml2 goes to 256 elements within one another."""
    for depth in (223, 230, 255):
        body = f"<r>{f'<{name}>x' * depth}{f'</{name}>y' * depth}</r>".encode()
        for source in (body, dripping(body, 100)):
            with XmlReader(source) as reader:
                assert canonical(parse(reader)) == canonical(etree.fromstring(body).getroottree())
            assert reader.recovered == ()


@pytest.mark.parametrize("target", ["xml-stylesheet", "xmlx", "x"])
def test_an_instruction_behind_white_space_is_no_declaration(target: str) -> None:
    """Its name begins with that of an XML declaration."""
    body = f"\n <?{target} href='a.xsl'?>\n<rss/>".encode()
    expected = etree.tostring(etree.fromstring(body).getroottree(), method="c14n")
    assert etree.tostring(parse(body), method="c14n") == expected
    elements = iterparse(body, "rss")
    assert [element.tag for _, element in elements] == ["rss"]
    assert not elements.reader.recovered


OLD = "<rss><channel><item><title>old</title></item></channel></rss> "
LONG = "x" * (2 * SPAN)


@each("before", ["", "<?xml version='1.0'?>\n", "<!DOCTYPE rss>", "<!-- <rss> --><?a b?>\n<!DOCTYPE rss>"])
@each("section", [f"<!-- {OLD}{LONG} -->", f"<!-- {LONG}{OLD} -->", f"<?x {OLD}{LONG}{OLD} ?>"])
def test_a_long_section_before_the_root_hides_nothing_in_a_stream(section: str, before: str) -> None:
    document = f"{before}{section}<rss><channel><item><title>new</title></item></channel></rss>".encode()
    found = iterparse(dripping(document, 8192), "item")
    assert [item.findtext("title") for _, item in found] == ["new"]
    assert not found.reader.recovered
