"""`iterparse`: a document element by element."""

from __future__ import annotations

import gc
import gzip
import io
import logging
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from support.cases import FIXTURES
from support.each import each
from support.streams import dripping

import feedcharset.parsing.markup_repair
import feedcharset.parsing.parsers
from feedcharset import DecodeError, Recovery, XmlReader, iterparse, parse

FEED = FIXTURES / "feeds" / "ru-rss20-windows-1251.xml"
NESTED = b"""<?xml version='1.0'?><!-- c -->
<a:feed xmlns:a='urn:a' xmlns='urn:b' version='1'>head<title>t</title>
<list n='1'><item>1<item>1.1</item>tail<x/></item>one</list><a:item>2</a:item><?pi x?>
<list n='2'>two<!-- c --><item><y>3</y></item></list>end</a:feed><!-- d -->"""
TAGS = [
    *(
        "{urn:b}item",
        "{*}item",
        "{urn:a}*",
        "{urn:b}*",
        "{*}*",
        "*",
        "item",
        "{}item",
        "{*}nothing",
        "{urn:a}feed",
    ),
    *("{*}feed", ["{urn:a}item", "{urn:b}y"], ("{*}list", "{*}item"), ["{*}feed", "{*}y"]),
]


def shown(pairs: Iterator[tuple[str, object]]) -> list[tuple[str, str]]:
    """What the elements hold at the time they are given."""
    return [
        (
            event,
            etree.tostring(thing, with_tail=False, encoding="unicode")
            if hasattr(thing, "tag")
            else repr(thing),
        )
        for event, thing in pairs
    ]


@pytest.mark.parametrize("tag", [None, *TAGS], ids=str)
@pytest.mark.parametrize("size", [1, 5, 100_000])
def test_the_same_elements_as_lxmls(tag, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = shown(etree.iterparse(io.BytesIO(NESTED), tag=tag))
    monkeypatch.setattr(feedcharset.parsing.parsers, "TEXT_SIZE", size)
    assert shown(iterparse(NESTED, tag)) == expected


@pytest.mark.parametrize("tag", [None, "{*}item"])
def test_the_same_events_as_lxmls(tag) -> None:
    for events in (("end",), ("start", "end"), ("start",), ("comment", "pi"), ("start-ns", "end-ns", "end")):
        expected = [
            (event, getattr(thing, "tag", thing))
            for event, thing in etree.iterparse(io.BytesIO(NESTED), events, tag=tag)
        ]
        assert [
            (event, getattr(thing, "tag", thing)) for event, thing in iterparse(NESTED, tag, events=events)
        ] == expected
    with pytest.raises(ValueError, match="invalid event"):
        iterparse(NESTED, tag, events=("begin",))


@pytest.mark.parametrize(
    ("option", "value", "example"),
    [
        ("events", "end", "end"),
        ("events", None, "end"),
        ("tag", 5, "item"),
        ("tag", b"item", "item"),
        ("tag", [b"a"], "item"),
    ],
)
def test_names_that_are_no_names(option: str, value: Any, example: str) -> None:
    with pytest.raises(
        TypeError, match=rf"^{option} is .*; pass names in a sequence, as in {option}=\('{example}',\)"
    ):
        iterparse(NESTED, **{option: value})
    assert list(iterparse(NESTED, "{*}y", events=iter(("end",))))


class OneWay:
    """A stream that can be read once."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = iter(pieces)

    def read(self, size: int = -1) -> bytes:
        return next(self._pieces)


@each("lenient", [True, False])
@each("tag", [None, "*"])
@each(
    "document",
    [b"<a><b/></a>", b"<a>1<b>2</b> x <b>3</b> y </a>", b"<!DOCTYPE a [<!ENTITY e '<b/>'>]><a>&e;</a>"],
)
def test_every_element_may_be_moved_to_another_document(
    lenient: bool, tag: str | None, document: bytes
) -> None:
    """From what cannot be read twice, too, as with `lxml.etree.iterparse`."""
    expected = [element.tag for _, element in iterparse(document, tag, lenient=lenient)]
    found, kept = [], []
    for _, element in iterparse(OneWay(document, b"", b""), tag, lenient=lenient):
        found.append(element.tag)
        kept.append(etree.Element("kept"))
        kept[-1].append(element)
    assert found == expected


def test_a_stream_that_raises_stop_iteration_is_not_at_its_end() -> None:
    """In a loop over lines it would be (PEP 479)."""
    pieces = b"<rss>\n" + b"a\n" * 2000, b"b\n</rss>"
    for read in (list, XmlReader.read, lambda reader: list(iterparse(reader))):
        with XmlReader(OneWay(*pieces)) as reader, pytest.raises(RuntimeError, match="raised StopIteration"):
            read(reader)


def test_what_was_passed_is_freed_and_what_is_around_keeps_its_attributes() -> None:
    ((_, element),) = iterparse(NESTED, "{urn:b}y")
    assert element.tag == "{urn:b}y"
    for source in (NESTED, dripping(NESTED, 1)):
        seen = []
        for _, element in iterparse(source, "{urn:b}y"):
            around = list(element.iterancestors())
            seen.append([(node.tag.partition("}")[2], dict(node.attrib), len(node)) for node in around])
        assert seen == [[("item", {}, 1), ("list", {"n": "2"}, 1), ("feed", {"version": "1"}, 1)]]


def test_an_element_is_freed_when_the_next_one_is_asked_for() -> None:
    items = iterparse(FEED, "item")
    _, first = next(items)
    assert first.findtext("title")
    next(items)
    assert len(first) == 0
    next(items)
    assert first.getparent() is None
    items.close()


def test_without_a_tag_nothing_is_freed() -> None:
    elements = iterparse(FEED)
    count = len(list(elements))
    assert elements.root.tag == "rss"
    assert len(list(elements.root.iter("*"))) == count


def test_a_tree_does_not_grow_with_what_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedcharset.parsing.parsers, "MOST_TAGS", 4 * 2000)
    monkeypatch.setattr(feedcharset.parsing.parsers, "TEXT_SIZE", 100)
    passed = b"<a><b>x</b>y</a>z" * 1000
    for start in (b"<r>", b"<r><r/>"):  # an element of the root's name is not the root
        elements = iterparse(
            start + passed + b"<want/>" + passed + b"</r>", ("want", "nothing"), events=("start",)
        )
        (found,) = [len(list(element.getroottree().getroot().iter())) for _, element in elements]
        assert found < 60
        assert len(list(elements.root.iter())) < 60


@pytest.fixture
def fed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the repair of markup gets; each document is a long one."""
    monkeypatch.setattr(feedcharset.parsing.parsers, "IN_MEMORY", 1)
    texts: list[str] = []
    feed = feedcharset.parsing.parsers.MarkupRepairer.feed

    def counted(self: Any, text: str, final: bool = False) -> Iterator[str]:
        texts.append(text)
        return feed(self, text, final)

    monkeypatch.setattr(feedcharset.parsing.parsers.MarkupRepairer, "feed", counted)
    return texts


@pytest.mark.long
@each(
    ("text", "is_repaired"),
    [
        ("<rss><item>a &amp; b</item><p/></rss>", False),
        ("<?xml version='1.0' encoding='UTF-16'?><r><item>\u00e9</item></r>", False),
        ("<rss><item>a & b</item></rss>", True),
        ("<rss><item>a</rss>", True),
        ("<rss><item>a\x01b</item></rss>", False),  # what the parser gets is well-formed, as in `parse`
        ("<rss><item>a<dc:b/></item></rss>", True),
        ("<html><rss><item>a</item></rss></html>", True),
        ("<!DOCTYPE html><html><rss><item>a</item></rss></html>", True),
        ("<html><item>a</item></html>", False),
        ("<?xml version='1.0'?><body><item>a</item></body>", False),
        ("<data><item>a</item></data>", False),
        ("<!DOCTYPE rss><rss><item>a</item></rss>", False),
        ("<!DOCTYPE r [<!ENTITY e 'x'>]><r><item>&e;</item></r>", False),
        ("<!DOCTYPE r [<!ENTITY e '<item>x</item>'>]><r>&e;</r>", False),
        ("<!DOCTYPE r><r><item>&e;</item></r>", True),
        ("<!DOCTYPE r SYSTEM 'x'><r><item>&e;</item></r>", True),
    ],
)
@each("behind", ["\n" * 150_000, ""])
def test_a_long_document_that_is_well_formed_is_not_repaired(
    text: str, is_repaired: bool, behind: str, tmp_path: Path, fed: list[str]
) -> None:
    """It is known once it was read to its end, so a source of which no end was seen is read twice."""
    body = (text + behind).encode("utf-16" if "UTF-16" in text else "utf-8")
    path = tmp_path / "feed.xml"
    path.write_bytes(body)
    texts = [element.text for element in parse(body).iter("item")]
    later = io.BytesIO(b"before" + body)
    later.seek(len(b"before"))
    packed = gzip.compress(body)
    files = [body, path, str(path), path.open("rb"), path.open("r+b"), io.BytesIO(body), later, packed]
    readers = [XmlReader(source) for source in (body, path, io.BytesIO(body), packed)]
    sources = [*files, *readers, dripping(body, 5000)]
    for source in sources:
        fed.clear()
        elements = iterparse(source, "item")
        assert [element.text for _, element in elements] == texts
        elements.reader.close()
        assert bool(fed) == (is_repaired or source is sources[-1])


def test_a_reader_that_was_read_in_part_is_not_read_from_its_start(fed: list[str]) -> None:
    body = b"<r>\n<channel>" + b"<item>a</item>" * 20_000 + b"</channel></r>"
    for source in (body, gzip.compress(body)):
        with XmlReader(source) as reader:
            assert reader.readline() == "<r>\n"
            assert len(list(iterparse(reader, "item"))) == 20_000
        assert fed
        fed.clear()


@pytest.mark.parametrize("most", [3, 5])
def test_a_document_that_is_too_long_is_not_read_twice(
    most: int, fed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first element would come late."""
    monkeypatch.setattr(feedcharset.parsing.parsers, "MOST_JUDGED", most)
    size = feedcharset.parsing.parsers.TEXT_SIZE
    body = b"<rss><item>" + b"x" * (3 * size - len("<rss><item></item></rss>")) + b"</item></rss>"
    assert len(list(iterparse(body, "item"))) == 1
    assert bool(fed) == (most < 5)


def test_a_detector_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedcharset.parsing.parsers, "IN_MEMORY", 1)
    asked: list[bytes] = []

    def detector(data: bytes) -> str:
        asked.append(data)
        return "windows-1251"

    body = "<?xml version='1.0'?><r><item>\u0412\u0435\u0441\u0442\u0438</item></r>".encode("cp1251")
    found = [element.text for _, element in iterparse(body, "item", detector=detector)]
    assert (found, len(asked)) == (["\u0412\u0435\u0441\u0442\u0438"], 1)


def test_prefixes_that_are_not_bound() -> None:
    """They are found by the name that `parse` gives them, and by no other."""
    body = b"<r><foo:bar>1</foo:bar><bar>2</bar><x:r/></r>"
    for source in (lambda: body, lambda: dripping(body, 1)):
        for tag, texts in (("foo:bar", ["1"]), ("bar", ["2"]), ("{*}bar", ["2"]), ("x:r", [None])):
            assert [element.text for _, element in iterparse(source(), tag)] == texts
            assert [element.text for element in parse(source()).iter(tag)] == texts
    assert [element.text for _, element in iterparse(body, ("foo:bar", "bar"))] == ["1", "2"]


@pytest.mark.parametrize("name", ["dc:", ":dc", ":", "a:b:c", "a::b", "a:b:", "zz:-x"])
def test_names_outside_of_namespaces(name: str) -> None:
    """Colons at the ends of a name, or several: as `parse` gives them, however the bytes come."""
    body = f"<r><{name}>1</{name}></b><c>2</c><{name}>3</{name}></r>".encode()
    for source in (body, dripping(body, 1), dripping(body, 1000)):
        assert [element.text for _, element in iterparse(source, name)] == ["1", "3"]
    assert [element.text for element in parse(body).iter(name)] == ["1", "3"]


@pytest.mark.parametrize("root", ["r", "foo:r", "a:b:c", "dc:"])
def test_what_was_passed_is_freed_in_a_root_whose_prefix_is_not_bound(root: str) -> None:
    body = f"<{root}>{'<a/>' * 2_000}<i>1</i>{'<a/>' * 2_000}</{root}>".encode()
    elements = iterparse(dripping(body, 100), "i")
    assert [element.text for _, element in elements] == ["1"]
    assert len(elements.root) < 300


def test_items_without_their_ends() -> None:
    """Beyond the depth at which libxml2 stops, the next item ends the one before."""
    for item in ("item", "entry"):
        body = f"<rss><channel>{f'<{item}><title>x</title>' * 400}</channel></rss>".encode()
        with XmlReader(body) as reader:
            assert len(list(parse(reader).iter(item))) == 400
        assert {entry.kind for entry in reader.recovered} == {"unclosed"}
        assert sum(1 for _ in iterparse(dripping(body, 1000), item)) == 400


@pytest.mark.parametrize(("longest", "kept"), [(4999, 1), (1, 2001), (4000, 2001)])
def test_a_root_that_is_far_away(longest: int, kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was passed is freed where the root begins within LONGEST_PROLOG, else with the element."""
    body = b"<!--x-->" * 500 + b"<r>" + b"<a/>" * 2_000 + b"<i>1</i>" + b"<a/>" * 2_000 + b"</r>"
    monkeypatch.setattr(feedcharset.parsing.parsers, "LONGEST_PROLOG", longest)
    monkeypatch.setattr(feedcharset.parsing.parsers, "TEXT_SIZE", 1000)
    elements = iterparse(body, "i", lenient=False)
    assert shown(elements) == [("end", "<i>1</i>")]
    assert len(elements.root) == kept


def test_every_kind_of_source() -> None:
    titles = [element.text for _, element in iterparse(FEED, "title")]
    assert titles[0] == "Вестник Заречья"
    body = FEED.read_bytes()
    assert [element.text for _, element in iterparse(body, "title")] == titles
    assert [element.text for _, element in iterparse(io.BytesIO(body), "title")] == titles
    with XmlReader(FEED) as reader:
        assert [element.text for _, element in iterparse(reader, "title")] == titles
        assert not reader.closed
        with pytest.raises(TypeError, match="pass encoding when you open it"):
            iterparse(reader, encoding="utf-8")


# -- closing ----------------------------------------------------------------------------------------------


def test_it_closes_what_it_opened() -> None:
    streams = []

    def stream() -> io.BytesIO:
        streams.append(io.BytesIO(FEED.read_bytes()))
        return streams[-1]

    list(iterparse(stream(), "item"))
    iterparse(stream(), "item").close()
    with iterparse(stream(), "item") as items:
        next(items)
    for _ in iterparse(stream(), "item"):
        break
    with pytest.raises(ValueError, match="invalid event"):
        iterparse(stream(), events=("begin",))
    with pytest.raises(etree.XMLSyntaxError):
        list(iterparse(io.BytesIO(b"<a>"), lenient=False))
    gc.collect()
    assert [stream.closed for stream in streams] == [True] * 5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        iterparse(FEED, "item")
        gc.collect()


def test_after_its_end_there_is_nothing() -> None:
    items = iterparse(b"<r><i/></r>", "i")
    assert len(list(items)) == 1
    assert list(items) == []
    closed = iterparse(b"<r><i/></r>", "i")
    closed.close()
    assert list(closed) == []


# -- what goes wrong --------------------------------------------------------------------------------------


BROKEN = b"<rss>\r<i>a&nbsp;</i><i>1 < 2 & \x0b</i><j></k>\n<i>cut of"


def test_lenient_repairs_and_logs(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "feedcharset"):
        items = iterparse(BROKEN, "i")
        assert [element.text for _, element in items] == ["a\xa0", "1 < 2 & \ufffd", "cut of"]
    *text, dropped, markup = items.reader.recovered
    assert text == [
        Recovery("xml-chars", "", "", None, None, 1),
        Recovery("entity", "&nbsp;", "\xa0", 2, 5, 1),
        Recovery("less-than", "<", "<", 2, 20, 1),
        Recovery("ampersand", "&", "&", 2, 24, 1),
    ]
    assert (dropped.kind, markup.kind) == ("end-tag", "markup")
    assert items.reader.repairs.offsets == (31,)
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith(
        "bytes: repaired 1 x xml-chars; 1 x &nbsp; (first at line 2, column 5); "
    )


def test_it_says_so_once_when_it_is_left_early(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "feedcharset"), iterparse(BROKEN, "i") as items:
        next(items)
        items.close()
    assert len(caplog.messages) == 1


def test_a_reader_keeps_the_characters_that_its_owner_wants_kept() -> None:
    with XmlReader(b"<r><i>\x0b</i></r>") as reader:
        assert [element.text for _, element in iterparse(reader, "i")] == ["\ufffd"]
        assert reader.repairs.count == 1


@pytest.mark.parametrize("tag", [None, "i"])
def test_strict_says_what_lxml_says(tag) -> None:
    with pytest.raises(etree.XMLSyntaxError, match="Entity 'nbsp' not defined, line 2, column 11") as caught:
        list(iterparse(BROKEN, tag, lenient=False))
    assert caught.value.position == (2, 11)
    with pytest.raises(DecodeError):
        list(iterparse(b"<r>" + b" " * 100_000 + b"\xff", tag, lenient=False))
    with pytest.raises(etree.XMLSyntaxError, match="Premature end"):
        list(iterparse(b"<r><i>1</i>", tag, lenient=False))


@pytest.mark.parametrize("tag", [None, "i"])
@pytest.mark.parametrize("lenient", [True, False])
@pytest.mark.parametrize("body", [b"", b"hello", b"<?xml version='1.0'?>", b"<!-- x -->"])
def test_where_there_is_no_element(body: bytes, lenient: bool, tag, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "feedcharset"), pytest.raises(etree.XMLSyntaxError):
        list(iterparse(body, tag, lenient=lenient))
    assert caplog.messages == []


@pytest.mark.parametrize("depth", [200, 260, 400])
def test_a_document_that_is_too_deep_is_never_cut_silently(depth: int) -> None:
    """libxml2 reports 100 errors (here: no namespace has the prefix), then not even that it stops."""
    body = b"<rss><channel>" + b"<x:node>" * depth + b"</channel></rss>"
    if depth == 200:
        assert len(parse(body).getroot().xpath("//*")) == sum(1 for _ in iterparse(body)) == depth + 2
        return
    with pytest.raises(etree.XMLSyntaxError, match="Excessive depth in document: 256"):
        parse(body)
    with pytest.raises(etree.XMLSyntaxError, match="Excessive depth in document: 256"):
        list(iterparse(body, "node"))


def test_elements_within_entities_are_freed_once(capfd: pytest.CaptureFixture[str]) -> None:
    """lxml frees elements of events twice, where an entity in which they stand exceeds a limit."""
    entities = "".join(f'<!ENTITY e{at + 1} "<e{at}>&e{at};</e{at}>">' for at in range(500))
    body = f'<!DOCTYPE r [{entities}<!ENTITY e0 "x">]><r>&e500;</r>'.encode()
    for tag in (None, "r", "e7"):
        with pytest.raises(etree.XMLSyntaxError):
            list(iterparse(body, tag))
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("value", "count"),
    [("<item/>", 2), ("&#60;item/>", 2), ("&#x3c;item/>", 2), ("&i;", 2), ("x", 0), ("&#233;", 0)],
)
def test_entities_that_hold_elements(value: str, count: int) -> None:
    body = f"<!DOCTYPE r [<!ENTITY i '<item/>'><!ENTITY e \"{value}\">]><r>&e;&e;</r>".encode()
    for source in (body, io.BytesIO(body)):
        assert len(list(iterparse(source, "item"))) == count
    assert len(parse(body).findall("item")) == count


@pytest.mark.parametrize(("value", "kept"), [("x", 1), ("&#233;", 1), ("<item/>", 5000)])
def test_only_entities_that_hold_elements_keep_what_was_passed(value: str, kept: int) -> None:
    body = f'<!DOCTYPE r [<!ENTITY e "{value}">]><r>'.encode() + b"<item>&e;</item>" * 5000 + b"</r>"
    items = iterparse(dripping(body, 7000), "item")
    assert len(list(items)) == (10_000 if "<" in value else 5000)
    assert len(items.root) == kept


@pytest.mark.long
@pytest.mark.parametrize("size", [1, 2, 7])
def test_line_ends_at_the_ends_of_pieces(size: int) -> None:
    """XML 1.0 §2.11: CRLF, and CR that LF does not follow, are translated to a single LF."""
    body = b"<r>" + b"a\r\nb\rc\r\r\n" * 3000 + b"</r>"
    texts = [element.text for _, element in iterparse(dripping(body, size), "r")]
    assert texts == ["a\nb\nc\n\n" * 3000]
