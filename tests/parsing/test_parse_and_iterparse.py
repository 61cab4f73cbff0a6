"""`iterparse` gives what `parse` gives, however damaged the document is and however its bytes come."""

from __future__ import annotations

import io
import pickle
import random
from itertools import repeat
from typing import Any

import pytest
from hypothesis import strategies as st
from lxml import etree
from support.cases import FIXTURES
from support.each import each
from support.generated import generated
from support.streams import Dripping, dripping

from feedcharset import FeedcharsetError, NoDocument, XmlReader, iterparse, parse
from feedcharset.parsing import parsers
from feedcharset.parsing.libxml2 import REPORTED
from feedcharset.parsing.markup_repair import MarkupRepairer

FEEDS = sorted((FIXTURES / "feeds").glob("*.xml"))
PASTED = [
    *(
        b"<",
        b">",
        b"&",
        b"</",
        b"/>",
        b"]]>",
        b"<!",
        b"<!-",
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"<?",
        b"?>",
        b"'",
        b'"',
    ),
    *(b"<![endif]-->", b"<!DOCTYPE html>", b"<!if>", b"<![if !mso]>", b"<o:p></o:p>", b"<\xc2\xa0", b"<\xd7"),
    *(b"<?xml version='1.0'?>", b"<br/>", b"<p>", b"</item>", b"<rss>", b"</rss>", b"<a b=c>", b"<x y='<?'>"),
    *(
        b"&nbsp;",
        b"&#8;",
        b"&x;",
        b"\x00",
        b"\xff",
        b"\r",
        b"\x85",
        b"<!-- - --",
        b"<!DOCTYPE r [<!ENTITY x '<i/>'>]>",
    ),
]
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from([0, 0, 0, 1, 30]), st.sampled_from([*PASTED, b""])), max_size=6
)


def edited(body: bytes, edits: list[tuple[float, int, bytes]]) -> bytes:
    """A document with bytes taken out and others put in."""
    for place, removed, added in edits:
        index = int(place * len(body))
        body = body[:index] + added + body[index + removed :]
    return body


def shown(element: Any) -> tuple[Any, ...]:
    """An element without its children."""
    attributes = sorted(element.attrib.items()) if isinstance(element.tag, str) else None
    return str(element.tag), element.text, element.tail, attributes


def parsed(source: Any, **options: Any) -> tuple[Any, ...]:
    """What `parse` gives: the elements, what was repaired; or the error."""
    with XmlReader(source, **options) as reader:
        try:
            elements = [shown(element) for element in parse(reader).iter()]
        except etree.XMLSyntaxError as error:
            return type(error), str(error)
        return elements, reader.recovered, reader.repairs


def iterated(source: Any, **options: Any) -> tuple[Any, ...]:
    """The same of `iterparse`."""
    with XmlReader(source, **options) as reader:
        try:
            elements = iterparse(reader)
            assert len(list(elements)) == len(list(elements.root.iter("*")))
        except etree.XMLSyntaxError as error:
            return type(error), str(error)
        everything = elements.root.getroottree().iter()
        return [shown(element) for element in everything], reader.recovered, reader.repairs


def iterated_in_pieces(body: bytes, *sizes: int) -> list[tuple[Any, ...]]:
    """The different results of `iterparse`: with so many bytes at each read; with so many characters, where
    nothing is at hand."""
    found = [iterated(dripping(body, size)) for size in sizes]
    for size in sizes:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("feedcharset.parsing.parsers.TEXT_SIZE", size)
            patch.setattr("feedcharset.reading.decoded_stream.DecodedStream.never_waits", False)
            found.append(iterated(body))
    return [one for at, one in enumerate(found) if one not in found[:at]]


@generated(20, 75, st.sampled_from(FEEDS), EDITS)
def test_same_elements_and_same_text(feed: Any, edits: list[tuple[float, int, bytes]]) -> None:
    """`iterparse` gives the elements that `parse` gives, always."""
    body = edited(feed.read_bytes(), edits)
    assert iterated(body) == parsed(body)


@generated(5, 75, st.sampled_from(FEEDS), EDITS, st.data())
def test_however_the_bytes_come(
    feed: Any, edits: list[tuple[float, int, bytes]], data: st.DataObject
) -> None:
    """`recovered` and `repairs` are the same however the bytes came, and so are the elements."""
    body = edited(feed.read_bytes(), edits)
    expected = parsed(body)
    for size in (1 if len(body) < 2000 else 7, data.draw(st.integers(2, 5000))):
        assert parsed(dripping(body, size)) == expected
        assert iterated(dripping(body, size)) == expected


@pytest.mark.parametrize("stream", [bytes, io.BytesIO, lambda body: dripping(body, 1 << 16)])
@pytest.mark.parametrize(("size", "within"), [((1 << 20) - 1, True), (1 << 20, False)])
def test_how_far_the_end_tag_of_a_br_may_be(stream: Any, size: int, within: bool) -> None:
    """As many characters as decoding holds back; then the element is empty."""
    tree = parse(stream(b"<a>&<br>" + b"x" * size + b"</br></a>"))
    assert (len(tree.getroot()[0].text or ""), len(tree.getroot()[0].tail or "")) == (
        (size, 0) if within else (0, size)
    )


@each(
    ("body", "entries"),
    [
        # The start tag that has lost its `<` is repaired once more: it is one entry, in the source's words.
        (
            b"<!---->feed =><t</>",
            [
                ("tag", "feed =>", "<feed>", 1, 8, 1),
                ("less-than", "<t", "<", 1, 15, 1),
                ("end-tag", "</>", "", 1, 17, 1),
            ],
        ),
        (
            b"<!---->feed a=b><feed a=b>\n<feed a=b>",
            [("tag", "feed a=b>", '<feed a="b">', 1, 8, 1), ("tag", "<feed a=b>", '<feed a="b">', 1, 17, 2)],
        ),
        (
            b"<!---->\nrss version=2.0><a b=c>&nbsp;</a>\n<a b=c /></rss>",
            [
                ("tag", "rss version=2.0>", '<rss version="2.0">', 2, 1, 1),
                ("tag", "<a b=c>", '<a b="c">', 2, 17, 1),
                ("entity", "&nbsp;", "\xa0", 2, 24, 1),
                ("tag", "<a b=c />", '<a b="c"/>', 3, 1, 1),
            ],
        ),
        (
            b'x feed a="b">\n <br/>feed a="&x;"><i>&nbsp;',
            [
                ("before-document", 'x feed a="b">\n <br/>', "", 1, 1, 1),
                ("tag", 'feed a="&x;">', '<feed a="&x;">', 2, 7, 1),
                ("ampersand", "&", "&", 2, 15, 1),
                ("entity", "&nbsp;", "\xa0", 2, 23, 1),
            ],
        ),
        # A declaration gets its end.
        *(
            (
                b"x<?xml version='1.0'" + end + b"<rss a=b><i></p>\n</p></i></rss>",
                [
                    ("before-document", "x", "", 1, 1, 1),
                    ("unclosed", "<?xml", "?>", 1, 2, 1),
                    ("tag", "<rss a=b>", '<rss a="b">', 1, 21 + len(end), 1),
                    ("end-tag", "</p>", "", 1, 33 + len(end), 2),
                ],
            )
            for end in (b"", b" ", b">", b" >")
        ),
        # Text is held back behind an end tag that was dropped before.
        (
            b"<feed>a < b </p>c</p><!-- d\n--> </item </e",
            [
                ("less-than", "<", "<", 1, 9, 1),
                ("end-tag", "</p>", "", 1, 13, 2),
                ("end-tag", "</item ", "", 2, 5, 1),
            ],
        ),
    ],
)
def test_places_in_the_source_however_it_comes(body: bytes, entries: list[tuple[Any, ...]]) -> None:
    _, recovered, _ = expected = parsed(body)
    assert [tuple(entry) for entry in recovered if entry.kind != "markup"] == entries
    assert iterated_in_pieces(body, 1, 2, 3, 7, 1000) == [expected]


def test_a_repair_that_depends_on_later_text_counts_once() -> None:
    body = b"<rss><channel>\n<item a=b>\n<item c=d>\n" + b"<b>y</b>\n" * 1000 + b"</b></channel></rss>"
    _, recovered, _ = expected = parsed(body)
    assert [tuple(entry) for entry in recovered] == [
        ("tag", "<item a=b>", '<item a="b">', 2, 1, 1),
        ("tag", "<item c=d>", '<item c="d">', 3, 1, 1),
        ("unclosed", "<item>", "</item>", 3, 1, 2),
        ("end-tag", "</b>", "", 1004, 1, 1),
    ]
    assert iterated_in_pieces(body, 100, 1000) == [expected]


@each(
    ("body", "root", "kinds"),
    [
        # A feed's root that has lost its `<`, before text.
        (b'<!--\nc\n-->\nfeed a="b">\n  \xf0x://y#">\n<sub', "feed", ["tag", "markup", "markup"]),
        (b'<!-- c -->\nrss a="b">t\n<sub/></rss>', "rss", ["tag"]),
        (b'rss a="b">\n', "rss", ["tag", "markup"]),
        # Not where a tag is before it or a feed follows, nor without an attribute within the grammar.
        (b'<data>x</data>feed a="b">t\n<i/>', "data", ["markup"]),
        (b'feed a="b">t\n<rss><i/></rss>', "rss", ["before-document"]),
        (b"feed a=b -> t\n<data><i/></data>", "data", ["before-document"]),
        # Nor before what only begins as markup does.
        *(
            (b"<p></p>rss version=2><" + begun + b">", "p", ["markup"])
            for begun in (b"!eed", b"![id", b"http://x", b"?!DOCTYPE x")
        ),
        # The name of an instruction goes on behind `xml`.
        *(
            (f"<?xml{name}?><!DOCTYPE e PUBLIC '' ''><e d=''><a/></e>".encode(), "e", [])
            for name in ("\ufffd", "\u203f", "\xb7", "-a", "a b='c'", "\xe9")
        ),
        # The end of a script follows; what is in it is no root.
        (b"<script<feed a='Atom'>]?>&x;</feed></script", "script", ["tag", "ampersand", "markup"]),
    ],
)
def test_the_root_however_it_comes(body: bytes, root: str, kinds: list[str]) -> None:
    elements, recovered, _ = expected = parsed(body)
    tags = [element[0] for element in elements if not element[0].startswith("<")]
    assert (tags[0], [entry.kind for entry in recovered]) == (root, kinds)
    assert iterated_in_pieces(body, 1, 2, 3, 7, 1000) == [expected]
    for cut in range(1, len(body)):
        assert iterated(Dripping(body, [cut, *repeat(len(body), 9)])) == expected


TOKENS = [
    *(
        b"<rss>",
        b"<channel>",
        b"</channel>",
        b"<item>",
        b"</item>",
        b"<title>",
        b"</title>",
        b"<title>News</title>",
    ),
    *(
        b"<link/>",
        b"<feed>",
        b"<entry>",
        b"</entry>",
        b"<id>1</id>",
        b"<media:x/>",
        b"<p>",
        b"<b>",
        b"</b>",
        b"<br>",
    ),
    *(
        b"<a href=x>",
        b"<x a='b' a='c'>",
        b"<x a='b",
        b"<item ",
        b"</item ",
        b"title>",
        b"</titel>",
        b"<itme>",
        b"<script>",
    ),
    *(
        b"feed a='b'>",
        b"rss version=2>",
        b"<html>",
        b"<table>",
        b"<!-- c -->",
        b"<![CDATA[x]]>",
        b"<?p q?>",
        b"\n",
        b" ",
    ),
    *(
        b"words ",
        b"a < b ",
        b"AT&T",
        b"caf\xe9",
        b"caf\xc3\xa9",
        b"\xef\xbf\xbd",
        b"&#55357;",
        b"&#56846;",
        b"--->",
        b"-",
    ),
]


def made(seed: int) -> bytes:
    """A feed with some damage, or damage alone."""
    rnd = random.Random(seed)
    pasted = TOKENS + PASTED
    if rnd.random() < 0.6:
        return b"".join(rnd.choices(pasted, k=rnd.randrange(3, rnd.choice((12, 30, 80)))))
    body = rnd.choice(FEEDS).read_bytes()[: rnd.choice((300, 1000, 3000))]
    edits = [
        (
            rnd.random() ** 2,
            rnd.choice((0, 0, 1, 40)),
            rnd.choice((*pasted, b"", body[:200], body[-90:] * 50)),
        )
        for _ in range(rnd.randrange(1, 5))
    ]
    return edited(body, edits)


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(100 * at, marks=pytest.mark.long) for at in range(1, 5))]
)
def test_made_documents_in_pieces(first: int) -> None:
    for seed in range(first, first + (100 if first else 10)):
        body = made(seed)
        expected = parsed(body)
        sizes = (1, 3, 29, 1000) if len(body) < 1000 else (100, 1000)
        assert iterated_in_pieces(body, *sizes) == [expected], (seed, body)


@pytest.mark.parametrize(
    "debris",
    [b"<![endif]-->", b"<!DOCTYPE html>", b"<!if>", b"<!if gte mso 9>", b"<\xc2\xa0", b"<!", b"<\xc3\x97"],
)
def test_what_ended_iterparse_once(debris: bytes) -> None:
    body = b"<rss><item><title>a" + debris + b"5 b</title></item><item><title>c</title></item></rss>"
    titles = [element.text for _, element in iterparse(body, "title")]
    assert titles == parse(body).xpath("//title/text()")
    assert len(titles) == 2
    assert titles[0].startswith("a")
    assert titles[0].endswith("5 b")


@each("lenient", [True, False])
@each(
    ("body", "why"),
    [
        (b"", "it is empty, or was read before, line 1, column 1"),
        (b" \n", "no tag begins here, line 2, column 1"),
        (b"\xef\xbb\xbf", "it is empty, or was read before, line 1, column 1"),
        (b"hello", "no tag begins here, line 1, column 1"),
        (b"<?xml version='1.0'?>", "no tag begins here, line 1, column 22"),
        (b"<!-- x -->", "no tag begins here, line 1, column 11"),
    ],
)
def test_no_document(body: bytes, why: str, lenient: bool) -> None:
    message = (
        f"no element in the document: {why}; look at what the source sends (line {why.split()[-3][:-1]})"
    )
    for function in (
        parse,
        lambda *a, **o: list(iterparse(*a, **o)),
        lambda b, **o: list(iterparse(b, "x", **o)),
    ):
        with pytest.raises(NoDocument) as caught:
            function(body, lenient=lenient)
        assert str(caught.value) == message
        assert isinstance(caught.value, etree.XMLSyntaxError)
        assert isinstance(caught.value, FeedcharsetError)
        assert caught.value.position[0] >= 1
        again = pickle.loads(pickle.dumps(caught.value))
        assert (str(again), again.position, again.code) == (str(caught.value), caught.value.position, 4)


def test_a_document_that_is_not_well_formed_is_one() -> None:
    with pytest.raises(etree.XMLSyntaxError) as caught:
        parse(b"<r>", lenient=False)
    assert not isinstance(caught.value, NoDocument)


@pytest.mark.parametrize(
    "value",
    [
        "&#38;#xD800;",
        "&#38;#38;#xD800;",
        "&#x26;#55296;",
        "&#38;#8;",
        "&#38;#xFFFE;",
        "&#38;&#35;xD800;",
        "&#38;#x&#68;800;",
    ],
)
def test_every_tree_can_be_written(value: str) -> None:
    """`etree.tostring` works on every tree that `parse` returns."""
    body = f"<!DOCTYPE r [<!ENTITY x '{value}'><!ENTITY y '&x;'>]><r a='&x;'>&x;&y;</r>".encode()
    tree = parse(body)
    etree.tostring(tree)
    etree.tostring(tree, encoding="unicode", method="text")
    assert [(element.text, element.tail) for _, element in iterparse(body)]


@pytest.mark.parametrize(
    "error", ["</b>", "<a b=c>d</a>", "]]>", "<a x='1' x='2'/>", "<?XML?>", "<x:y>z</x:y>", "</>"]
)
def test_predefined_references_after_an_error(error: str) -> None:
    """libxml2 reads `&amp;` as nothing in a document in which it has found an error."""
    text = "a &amp; b &lt; c &gt; d &quot;e&quot; f&apos;g"
    body = f"<r><w><v>{error}<t a='1 &amp; 2'>{text}</t></v></w></r>".encode()
    title = parse(body).find(".//t")
    assert (title.text, title.get("a")) == ('a & b < c > d "e" f\'g', "1 & 2")
    assert [element.text for _, element in iterparse(body, "t")] == [title.text]


def test_declared_characters_after_an_error() -> None:
    subset = (
        "<!ENTITY nbsp '&#160;'><!ENTITY e \"é\"><!ENTITY x '&#xD7;'><!ENTITY lt2 '&#60;'><!ENTITY e 'z'>"
    )
    more = "<!ENTITY long 'two words'><!-- <!ENTITY q 'r'> --><!ENTITY f SYSTEM 'g'>"
    for error in ("", "<a b=c>"):
        body = (
            f"<!DOCTYPE r [{subset}{more}]><r><w>{error}<t u='&e;'>a&nbsp;b&e;c&x;d&q;</t></w></r>".encode()
        )
        title = parse(body).find(".//t")
        assert (title.text, title.get("u")) == ("a\xa0béc\xd7d&q;", "é")
        assert [element.text for _, element in iterparse(body, "t")] == [title.text]
    assert parse(f"<!DOCTYPE r [{subset}{more}]><r>&long;</r>".encode()).getroot().text == "two words"


@each("between", ["", " ", "&amp;", "<!-- c -->", "<![CDATA[c - ]] ]]>", "<![CDATA[]]>" * 3])
@pytest.mark.parametrize("size", [10, pytest.param(3000, marks=pytest.mark.long)])
def test_a_section_that_is_none_before_one_with_other_sections(
    between: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the document is too long to be held as a whole."""
    monkeypatch.setattr("feedcharset.parsing.parsers.IN_MEMORY", 1)
    content = f"<content><![CDATA[{'a' * size}]]>{between}<![CDATA[{'b' * size}]]></content>"
    entries = [f"<entry><title>{at}</title>{content}</entry>" for at in range(9)]
    body = f"<feed>{'<![CDATA[ x'.join(entries)}</feed>".encode()
    titles = [element.findtext("title") for element in parse(body).iter("entry")]
    assert titles == [str(at) for at in range(9)]
    assert [entry.findtext("title") for _, entry in iterparse(io.BytesIO(body), "entry")] == titles


@each(
    "behind",
    [
        "",
        "<dc:subject>a</dc:subject>",
        "<b>a</b><!-- c --><c/> ",
        "<![CDATA[</channel>]]><br>",
        "<br>",
        "<!-- <d> -->" + "<b>a</b>" * 100,
    ],
)
@each("size", [1, 7, 1000], every=3)
def test_a_section_that_goes_on_in_an_element_of_the_same_name(behind: str, size: int) -> None:
    """The end tag behind it is that of the open element, but the next one that of no open element: no
    well-formed document has both, in a stream as well."""
    item = f"<item><title>t</title><description><![CDATA[d]]></description>{behind}</item>"
    feed = f"<rss><channel><description><![CDATA[all</description>{item * 9}</channel></rss>"
    found = [element.findtext("title") for _, element in iterparse(dripping(feed.encode(), size), "item")]
    assert found == [item.findtext("title") for item in parse(feed.encode()).iter("item")] == ["t"] * 9


@each("between", ["", "<b/>", "<description/>", "<b><description>a</description></b>", "<!-- </item> -->"])
def test_a_section_that_holds_elements(between: str) -> None:
    """A well-formed document, which a stream does not change, whatever its section looks like."""
    held = "a</description></item><item><description><![CDATA[b"
    item = f"<item><description><![CDATA[{held}]]></description >{between}</item>"
    feed = f"<rss><channel>{item * 3}</channel></rss>".encode()
    assert etree.fromstring(feed).findtext(".//item/description") == held
    found = [element.findtext("description") for _, element in iterparse(dripping(feed, 50), "item")]
    assert found == [held] * 3


@each(
    "faults",
    [
        *("\x01", "<br>\x01</p>", "\x01 AT&T", "<x:a/>\x01", "\x01</p><!DOCTYPE r>", "<a b='1' b='2'/>\x01"),
        "<x:a/>" * REPORTED + "\x01",  # so many errors are reported, and a fatal one
    ],
)
@each("behind", ["</r>", ""])
def test_an_error_that_stays_costs_no_reference(
    behind: str, faults: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind an error libxml2 reads references by names as nothing. A repaired document is first parsed with
    these as they are; where an error stays that is not at its end, again: then they are numbers, and each
    repair counts once."""
    monkeypatch.setattr(parsers, "clean", lambda text, xml_chars: (text, 0))
    body = f"<r>{faults}&lt;b&gt; &amp; c{behind}".encode()
    tree, stream = parse(body, xml_chars="keep"), iterparse(dripping(body, 3), "r", xml_chars="keep")
    with iterparse(body, "r", xml_chars="keep") as whole:
        for elements in (
            tree.iter("r"),
            (element for _, element in whole),
            (element for _, element in stream),
        ):
            assert "".join(next(elements).itertext()).endswith("<b> & c")
        list(whole)
    list(stream)
    for reader in (whole.reader, stream.reader):
        assert {one.count for one in reader.recovered if len(faults) < REPORTED} <= {1}
        assert "markup" in {one.kind for one in reader.recovered}


def test_a_document_that_is_cut_off_is_repaired_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """That it has no end would be found when all of it was parsed."""
    fed: list[int] = []

    def counted(repairer: MarkupRepairer, text: str, final: bool = False) -> Any:
        fed.append(len(text))
        return feed(repairer, text, final)

    feed = MarkupRepairer.feed
    monkeypatch.setattr(MarkupRepairer, "feed", counted)
    for body in (b"<r><a>&lt;b&gt; c", b"<r><br><a>AT&T &lt;b&gt; c", b"<r><x:a/><br>&lt;b&gt; c"):
        fed.clear()
        assert "".join(parse(body).getroot().itertext()).endswith("<b> c")
        assert sum(fed) == len(body)


def test_an_error_that_the_parser_finds_when_the_document_ends_costs_no_reference() -> None:
    root = parse(b"<r><a>x</a><gene&copy;&lt;b&gt; c").getroot()
    assert "".join(root.itertext()) == "x©<b> c"
