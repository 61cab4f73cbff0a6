"""The document is found whatever stands before it, and what was passed over is reported."""

from __future__ import annotations

import gzip
import io
import random
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support.cases import load
from support.each import each
from support.field_reports import FieldReport, read_field_reports
from support.streams import dripping

from feedcharset import NoDocument, Recovery, XmlReader, iterparse, parse
from feedcharset.parsing import document_start
from feedcharset.parsing.document_start import SPAN, DocumentStart
from feedcharset.parsing.recovery_log import RecoveryLog
from feedcharset.parsing.tag_syntax import HTML
from feedcharset.text.source_positions import RepairLog

CASES = load("document_starts")
BEHIND_DEBRIS = [row for row in read_field_reports() if row.id.startswith("junk-")]
PARTS = [
    *(
        "<rss>",
        "<feed>",
        "<html>",
        "<br/>",
        "<b>x</b>",
        "<item>",
        "</item>",
        "<?xml version='1.0'?>",
        "<?p?>",
    ),
    *(
        "x",
        "\n",
        " ",
        "<",
        "<!-- c -->",
        "<!--",
        "<!DOCTYPE rss>",
        "<!DOCTYPE",
        "<![CDATA[<rss>]]>",
        "<catalog>",
    ),
    *(
        "</catalog>",
        "<rdf:RDF xmlns='http://purl.org/rss/1.0/'>",
        "&#65279;",
        "<x y='>'>",
        "<?xml",
        "?>",
        ">",
    ),
]


def found(pieces: list[str]) -> tuple[str, tuple[Recovery, ...]]:
    log = RecoveryLog(RepairLog())
    start = DocumentStart(log)
    text = "".join([*[start.feed(piece) for piece in pieces], start.feed("", True)])
    return text, log.recovered


@pytest.mark.parametrize(("number", "feeds"), [(10, 1), (11, 2)])
def test_ten_document_types_are_considered(number: int, feeds: int) -> None:
    """The tags in the first one are kept with it, those in the others are removed; one more is text."""
    text, _ = found(["<!DOCTYPE rss [<!ENTITY a '<feed>x</feed>'>]>" * number + "<rss><channel/></rss>"])
    assert (text.count("<feed>"), text[-10:]) == (feeds, "el/></rss>")


@each("case", CASES, ids=lambda case: case["id"])
def test_the_root_and_the_title(case: dict[str, Any]) -> None:
    body = case["text"].encode()
    with XmlReader(body) as reader:
        root = parse(reader).getroot()
    assert root.tag == case["root"]
    assert root.findtext(".//{*}title") == case["title"]
    assert [
        [entry.found, entry.line, entry.column]
        for entry in reader.recovered
        if entry.kind == "before-document"
    ] == case["passed"]
    expected = [(element.tag, element.text) for element in root.iter("*")]
    elements = iterparse(body)
    list(elements)
    assert [(element.tag, element.text) for element in elements.root.iter("*")] == expected
    assert [e.findtext(".") for _, e in iterparse(body, case["root"])] == [root.findtext(".")]


@each("case", CASES, ids=lambda case: case["id"])
def test_lines_and_columns_do_not_change(case: dict[str, Any]) -> None:
    text, _ = found([case["text"]])
    assert [len(line) for line in text.split("\n")][1:] == [len(line) for line in case["text"].split("\n")][
        1:
    ]


@pytest.mark.parametrize(
    "prolog", ["", "<?xml version='1.0'?>\n", "<?xml version='1.0'?>\t<!-- - c -->", "<?xml\n?><?p?>"]
)
def test_the_usual_start_is_returned_at_once(prolog: str) -> None:
    """As it came, and without the tag's end."""
    start = DocumentStart(RecoveryLog(RepairLog()))
    text = f"{prolog}<rss version="
    assert start.feed(text) is text
    assert start.feed("'2.0'>") == "'2.0'>"


RANDOM = random.Random(1)
NOISE = [RANDOM.randbytes(size) for size in (200, 2000, 2000, 20000, 300000)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "body",
    [
        *NOISE,
        gzip.compress(gzip.compress(NOISE[2])),
        zlib.compress(NOISE[3]),
        b"\r\n" + gzip.compress(NOISE[1]),
    ],
)
def test_binary_data_is_no_document(body: bytes) -> None:
    """Random bytes have a `<` and a letter in 1,260."""
    for source in (body, dripping(body, 4000)):
        with pytest.raises(NoDocument):
            parse(source)
    for tag in (None, "x"):
        with pytest.raises(NoDocument):
            list(iterparse(body, tag))


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("<?xml version='1.0'?><!-- <item>x</item>", ""),
        ("<!-- <b>x</b", ""),
        ("<!-- a --><!-- see <math>x</math> and <svg>", ""),
        ("<!-- made by <b>x</b>, in an", ""),
        ("<!-- made by x\n<data><a/></data>\n", "data"),
        ("<!-- see <b>x</b>\n<opml><body><outline", "opml"),
        ("<!-- made by x\n<rss><channel><title>A", "rss"),
        ("<!-- <rss><channel/></rss>", "rss"),
        ("<br/><!-- <br><rss><item/></rss>", "rss"),
        ("<!-- see </b><feed/>", "feed"),
        ("<!-- by <b>x</b> <?xml version='1.0'?><data>", "data"),
    ],
)
def test_a_comment_before_the_root_that_has_no_end(text: str, root: str) -> None:
    """The document is cut in it, or the comment has lost its end."""
    body = text.encode()
    for source in (body, dripping(body, 1)):
        if root:
            assert parse(source).getroot().tag == root
        else:
            with pytest.raises(NoDocument):
                parse(source)
    if not root:
        with pytest.raises(NoDocument):
            list(iterparse(body))


def test_a_comment_full_of_what_is_no_character_does_not_make_binary_data_of_a_document() -> None:
    text = f"<!--{chr(0xFFFD) * 100}--><data/>"
    assert DocumentStart(RecoveryLog(RepairLog())).feed(text, True) == text


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("rss version='2.0'> a <item/></rss>", "rss"),
        ("<b>x</b> rss version='2.0'> a <item/></b>", "item"),
        ("<p/>rss version='2.0'> a <b/></p>", "p"),
    ],
)
def test_a_root_without_its_less_than_sign_stands_before_all_tags(text: str, root: str) -> None:
    for source in (text.encode(), dripping(text.encode(), 1)):
        assert parse(source).getroot().tag == root


@pytest.mark.parametrize("noise", [b"\0\0\0\0", b"\0" * 1000, bytes(8), b"\xef\xbb\xbf\0", NOISE[0]])
@pytest.mark.parametrize(
    "document",
    [
        b"<rss><item>x",
        b"<?xml version='1.0'?><data>x",
        b"<data><row>x</row>",
        b"<data a='b'>x",
        b"<d>x</d>",
        b"<urlset>",
        b"<item>x",
    ],
)
def test_a_document_behind_binary_data_is_one(noise: bytes, document: bytes) -> None:
    assert parse(noise + document).getroot() is not None


def test_a_second_document_is_reported() -> None:
    body = b"<feed><title>a</title></feed>\n<?xml version='1.0'?><feed><title>b</title></feed>"
    with XmlReader(body) as reader:
        tree = parse(reader)
    assert tree.xpath("//title/text()") == ["a"]
    places = [(entry.kind, entry.line, entry.column) for entry in reader.recovered]
    assert places == [("declaration", 2, 1), ("markup", 2, 22)]
    assert etree.tostring(etree.fromstring(etree.tostring(tree))) == etree.tostring(tree)


@each("row", BEHIND_DEBRIS, ids=lambda row: row.id)
def test_the_titles_of_reported_feeds(row: FieldReport) -> None:
    """Another feed reader finds 16 of these 17 titles."""
    title = row.text.partition("<title>")[2].partition("</title>")[0]
    with XmlReader(row.body, content_type=row.content_type) as reader:
        assert parse(reader).findtext("channel/title") == title
    assert any(entry.kind == "before-document" for entry in reader.recovered)
    titles = [element.text for _, element in iterparse(row.body, "title", content_type=row.content_type)]
    assert titles == [title, "Item"]


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join), st.data())
def test_the_pieces_do_not_matter(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert found(pieces) == found([text]) == found(list(text))


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_lines_after_the_first_keep_their_length(text: str) -> None:
    result, _ = found([text])
    assert [len(line) for line in result.split("\n")][1:] == [len(line) for line in text.split("\n")][1:]


@pytest.mark.parametrize("sizes", [(SPAN - 1, SPAN + 1), pytest.param((1000, SPAN), marks=pytest.mark.long)])
@pytest.mark.sampled(3)
@pytest.mark.parametrize("debris", ["x" * 3 * SPAN, "<br/>" + "x\n" * SPAN, "<i>x</i>\n" * (SPAN // 5)])
def test_debris_that_is_long(debris: str, sizes: tuple[int, ...]) -> None:
    feed = "<?xml version='1.0'?><rss><title>t</title></rss>"
    with XmlReader(io.BytesIO((debris + feed).encode())) as reader:
        tree = parse(reader)
    if debris.startswith("x"):
        assert tree.findtext("title") == "t"
        assert tree.getroot().sourceline == 1
    else:
        assert tree.getroot().tag in ("br", "i")
    whole = found([debris + feed])
    for size in sizes:
        pieces = [debris[at : at + size] for at in range(0, len(debris), size)]
        assert found([*pieces, feed]) == whole


def test_strict_reading_passes_nothing_over() -> None:
    for body in (b"x<rss/>", b"<br/><?xml version='1.0'?><rss/>"):
        with pytest.raises(etree.XMLSyntaxError):
            parse(body, lenient=False)


ROWS = "<row><cell>1 & 2</cell></row><row/>"
DECLARED = "<?xml version='1.0'?>"
RSS = "<rss><channel><title>a</title></channel></rss>"
ATOM = "<feed xmlns='http://www.w3.org/2005/Atom'><title>a</title></feed>"


@each(
    "text, root, elements",
    [
        # The element of HTML around the first that is not: no element is lost.
        *(
            (f"{before}<{name}>{ROWS}</{name}>", name, 4)
            for before in ("", DECLARED)
            for name in sorted(HTML)
            if name not in ("html", "script", "style")
        ),
        (f"<TABLE a='1' xmlns='u'>{ROWS}</TABLE>\n<!-- c -->", "{u}TABLE", 4),
        (f"<!DOCTYPE table>\n<table>{ROWS}", "table", 4),
        (f"<table>{ROWS}</table> text <p/>", "table", 4),
        (f"<br /><b>Warning</b>: x<br />\n<table>{ROWS}</table>", "table", 4),
        (f"<br /><b>Warning</b>: x<br />\n<p>y<p>z\n<table>{ROWS}</table>", "table", 4),
        ("<div><h2>a & b</h2><svg><circle/></svg><p>y</p></div>", "div", 5),
        ("<ul><li>a & b<li><x/></ul><x/>", "ul", 4),
        ("<table><row>1</row><row>2", "table", 3),
        (f"{DECLARED}<table><row>1</row>", "table", 2),
        ("<title>x & y</title><item>a</item><entry>b</entry></rss>", "title", 3),
        # One that is complete, or never ended, before the root is none.
        (f"<div>no & <a>b</a></div>\n<data>{ROWS}</data>", "data", 4),
        (f"<p>no<data>{ROWS}</data>\n", "data", 4),
        (f"<br>no<data>{ROWS}", "data", 4),
        (f"<hr><img><data>{ROWS}", "data", 4),
        (f"<pre><urlset>{ROWS}</urlset></pre>", "urlset", 4),
        (f"see <http://x/?a=b>, <ftp://x/> <data>{ROWS}", "data", 4),
        (f"<br>x{DECLARED}<table><tr><td>a & b</td></tr></table>\n", "table", 3),
        (f"<div>a & b{DECLARED}<p>c</p></div>", "div", 2),
        (f"<div>{ROWS}</div>{DECLARED}<div>{ROWS}</div>", "div", 4),
        # So is any other one before a feed.
        *(
            (f"{before}<{name}>no</{name}>\n{between}{RSS}", "rss", 3)
            for name in ("section", "svg", "FIGURE")
            for before in ("", DECLARED)
            for between in ("", DECLARED)
        ),
        *(
            (f"{before}<{name}>no<{name} a='b'/></{name}>\n{between}{feed}", root, size)
            for before in ("", "<!DOCTYPE html>", "<?xml-stylesheet href='x'?>")
            for name in ("error", "message", "data")
            for between in ("", DECLARED)
            for feed, root, size in ((RSS, "rss", 3), (ATOM, "{http://www.w3.org/2005/Atom}feed", 2))
        ),
        (f"<header>x</header><nav><a>1</a></nav>{DECLARED}{RSS}", "rss", 3),
        (f"<svg><svg><g/></svg></svg>{DECLARED}<data>{ROWS}</data>", "data", 4),
        # Not where it may be a document itself, or is around the feed.
        (f"{DECLARED}<data>1</data>{DECLARED}{RSS}", "data", 1),
        (f"<data>1</data>{DECLARED}<data>2</data>", "data", 1),
        *((f"{DECLARED}<{name}>1</{name}>{DECLARED}<data>2</data>", name, 1) for name in ("article", "svg")),
        *(
            (f"{DECLARED}<{name}>{ROWS}</{name}>\n{DECLARED}<{other}>2</{other}>", name, 4)
            for name, other in (("table", "data"), ("style", "data"), ("form", "form"))
        ),
        (f"{DECLARED}<table>{ROWS}</table>{DECLARED}{RSS}", "rss", 3),
        (f"{DECLARED}<table><tr/></table>{DECLARED}<data>{ROWS}</data>", "data", 4),
        (f"{DECLARED}<html>{ROWS}</html>{DECLARED}<data>{ROWS}</data>", "data", 4),
        (f"{DECLARED}<div>{ROWS}</div> x {DECLARED}<data>{ROWS}</data>", "data", 4),
        # What a section, or an element within, holds of a feed is no part of one.
        *(
            (f"<{name}><row>a & b</row><row>1</row>{section}{end}", name, size)
            for name in ("table", "form")
            for section, size in (
                (f"<row><![CDATA[{RSS}]]></row>", 4),
                (f"<!-- {RSS} --><row/>", 4),
                ("<row><?php </channel> ?></row>", 4),
            )
            for end in ("", f"</{name}>")
        ),
        (f"<table><row>a & b</row><other>{RSS}</other></table>", "table", 6),
        *(
            (f"{RSS}\n<{other}><TITLE>b</TITLE><{item}>c</{item}></{other}>", "rss", 3)
            for other, item in (("CHANNEL", "ITEM"), ("gmd:URL", "x"), ("RSS", "channel"))
        ),
        # A comment before the root that has lost its end.
        *(
            (f"<!-- x{end}<{root}><{item}>A</{item}><!-- y --><{item}>B</{item}></{root}>", root, 3)
            for end in (" ", " -> ", " --\n")
            for root, item in (("urlset", "url"), ("sitemapindex", "sitemap"), ("r", "a"), ("rss", "item"))
        ),
        *(
            (f"<!-- x{sign}<{root}><{item}>A --> B</{item}><{item}/></{root}>", root, 3)
            for sign in (" ", "\n")
            for root, item in (("rss", "item"), ("feed", "entry"), ("urlset", "url"), ("r", "a"))
        ),
        ("<?xml version='1.0'?><!-- x\n<rss><item>&lt;!-- y() //--></item><item/></rss>", "rss", 3),
        ("<!-- <data>old</data> --><dat><a/></data>", "dat", 2),
        ("<!-- <r>old</r> <!-- x --><r><a/></r>", "r", 2),
        ("<!-- <data><a/></data> <!-- x --><r>B</r>", "r", 1),
        # `url` is an item of a sitemap, and a field of many other documents.
        *((f"{RSS}\n<status><{one}>u</{one}></status>", "rss", 3) for one in ("url", "sitemap", "outline")),
        ("<feed><entry/></feed>\n<project><url>u</url></project>", "feed", 2),
        ("<channel><item/></channel>\n<project><url>u</url></project>", "channel", 2),
        ("<urlset><url/></urlset>\n<url><loc>u</loc></url>", "urlset", 4),
        (f"{RSS.upper()}\n<ITEM><TITLE>b</TITLE></ITEM>", "RSS", 5),
        # An item in another document is no part of the first one.
        ("<data>1</data>\n<other><x/><entry>2</entry></other>", "data", 1),
        (f"<data>1</data>\n<other>{'<x/>' * 5000}<entry>2</entry></other>", "data", 1),
        ("<data>1</data>\n<other>2</other><entry>3</entry>", "data", 3),
        ("<data>1</data>\n<ent/><entry>2</entry>", "data", 3),
        ("<data>1</data>\n<other/><entry>2</entry>", "data", 3),
        ("<data>1</data>\n<div><entry>2</entry></div>", "data", 3),
        ("<rss><item>1</item></rss>\n<other><item>2</item></other>", "rss", 4),
        (f"<data>1</data><feed>{ROWS}</feed>", "data", 1),
        ("<div><item><br></item><feeds></div>", "div", 4),
        (f"<opml>1</opml>{RSS}", "opml", 1),
        *((f"<{name}>&{feed}<x/></{name}>\n", name, 5) for name in ("data", "section") for feed in (RSS,)),
        (f"<data><data/>{ATOM}<x/>", "data", 5),
        (f"<data><x/></data>{ATOM}<x/></data>", "data", 2),
    ],
    every=3,
)
def test_the_root_is_the_element_around_the_document(text: str, root: str, elements: int) -> None:
    for source in (text.encode(), dripping(text.encode(), 7)):
        tree = parse(source)
        assert (tree.getroot().tag, len(list(tree.iter("*")))) == (root, elements)
    for source in (text.encode(), dripping(text.encode(), 7)):
        found = iterparse(source)
        assert (len(list(found)), found.root.tag) == (elements, root)


ITEMS_OF_FEED = (
    "<rss><channel><title>T</title><item>1</item><item>2</item><!-- x --><item>3</item></channel></rss>"
)


@pytest.mark.parametrize("end", ["->", "-- >", "--!>", ">", "", "-", "--"])
@pytest.mark.parametrize("before", ["", "<?xml version='1.0'?>\n", "<?xml version='1.0'?><!DOCTYPE rss>"])
def test_a_comment_before_the_root_that_lost_its_end(end: str, before: str) -> None:
    """Not the items up to the end of the next comment are lost, as with libxml2."""
    for inner in (ITEMS_OF_FEED, ITEMS_OF_FEED.replace("<!-- x -->", "<![CDATA[<!--more-->]]>")):
        document = f'{before}<!-- generator="wp" {end}\n{inner}'.encode()
        root = parse(document).getroot()
        assert (root.tag, len(root.findall("channel/item"))) == ("rss", 3)
        assert sum(1 for _ in iterparse(io.BytesIO(document), "item")) == 3


def test_an_instruction_before_the_root_that_lost_its_end() -> None:
    inner = ITEMS_OF_FEED.replace("<!-- x -->", "<?php x ?>")
    document = f"<?xml version='1.0'?><?xml-stylesheet href='x'>\n{inner}".encode()
    assert len(parse(document).findall("channel/item")) == 3
    assert sum(1 for _ in iterparse(io.BytesIO(document), "item")) == 3


@pytest.mark.parametrize(
    ("document", "root"),
    [
        ("<?php echo '<rss>' ?><data><x/></data>", "data"),
        ("<!-- <rss><channel/></rss> --><data/>", "data"),
        ("<!-- <rss><!-- x --> --><rss><channel/></rss>", "rss"),
        # The root's tag is misspelt or lost, and a comment quotes it.
        ("<!-- a <feed> --><fead xmlns='a'><entry/></feed>", "{a}fead"),
        ("<!-- see <rss> --><channel><item/></channel></rss>", "channel"),
        ("<!-- use <rss> --><rss_ a='b'><channel><item/></channel></rss>", "rss_"),
        ("<?php echo '<rss>' ?><channel><item/></channel></rss>", "channel"),
        ("<!-- <rss><item>1</item> --><item>2</item></rss>", "rss"),  # it may have lost its end
    ],
)
def test_a_feed_in_a_comment_or_an_instruction_is_none(document: str, root: str) -> None:
    assert parse(document.encode()).getroot().tag == root


@pytest.mark.parametrize("name", ["soap", "item", "a:b"])
def test_the_first_of_two_feeds_may_have_an_element_around_it(name: str) -> None:
    first, second = (f"<rss><channel><title>{title}</title></channel></rss>" for title in "AB")
    for end in ("", " ", "<x/>"):
        document = f"<{name} xmlns:a='a'>{first}</{name}>\n{second}{end}"
        assert parse(document.encode()).findtext(".//title") == "A", end
    page = f"<{name} xmlns:a='a'>no feed</{name}>\n{second}"  # as an error before the feed
    assert parse(page.encode()).findtext(".//title") == "B"


@each("damage", ["--", "-", "->", "--!>", ">", ""])
@each("behind", ["", "<!-- L -->", "\n<?end?>\n"])
def test_a_comment_before_the_root_that_has_lost_its_end(behind: str, damage: str) -> None:
    """Whatever ends it further on, and in any pieces: the end of the text shows which element the root is."""
    items = "".join(f"<item>{number}</item>\n" for number in range(9))
    for root in ("rss", "r"):
        for inner in ("text -->", "<!-- c -->"):
            document = (
                f"<?xml version='1.0'?>\n<!-- x {damage}\n<{root}>{items}{inner}{items}</{root}>{behind}"
            )
            data = document.encode()
            wanted = [element.text for element in parse(data).iter("item")]
            for size in (1, 33, 100, 150, 500):
                read = [element.text for _, element in iterparse(dripping(data, size), "item")]
                assert read == wanted, (root, inner, size)
            assert len(wanted) == 18, (root, inner)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("declaration", ["", "<?xml version='1.0'?>"])
@pytest.mark.parametrize("space", [" ", "\n", "<!-- c --> "])
def test_what_stands_before_the_root_is_searched_in_proportion(
    space: str, declaration: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a stream, each search ended one SPAN further on: 20 MB of spaces took two minutes."""
    searched: list[int] = []

    class Counted(document_start._Search):
        def __init__(self, text: str, last: bool, *, whole: bool) -> None:
            searched.append(len(text))
            super().__init__(text, last, whole=whole)

    monkeypatch.setattr(document_start, "_Search", Counted)
    start, piece = DocumentStart(RecoveryLog(RepairLog())), space * (SPAN // 2 // len(space))
    parts = [declaration, *[piece] * 20, "<body><item/></body>"]
    read = "".join(start.feed(part) for part in parts) + start.feed("", True)
    assert read == "".join(parts)
    assert sum(searched) < 6 * len(read)


@each("name", ["qq", "pq", "p.b", "p-b", "p_b", "pé", "p1"])
@each("end", ["-- >", "->", "--", ""])
def test_a_comment_that_has_lost_its_end_before_a_name_that_begins_as_the_root_s(name: str, end: str) -> None:
    document = f"<p><{name}>t</{name}><!-- c --><d/></p>"
    assert etree.tostring(parse(f"<!-- L {end}{document}".encode()), encoding="unicode") == document
