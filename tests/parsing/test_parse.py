"""`parse`: a document as lxml's tree."""

from __future__ import annotations

import gzip
import io
import logging
import pickle
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from support.cases import FIXTURES, load
from support.each import each
from support.streams import dripping

import feedcharset.parsing.parsers
from feedcharset import DecodeError, NotXmlMediaType, Recovery, XmlReader, check, iterparse, parse

FEED = FIXTURES / "feeds" / "ru-rss20-windows-1251.xml"
BROKEN = "<rss>\r<title>a&nbsp;&#8;b\r\n & \x0bc</title>\n<x>1 < 2</y>\n</rss>".encode("cp1251")


def test_a_tree_with_the_right_text_and_the_documents_own_lines() -> None:
    tree = parse(FEED)
    assert isinstance(tree, etree._ElementTree)
    title = tree.find("channel/title")
    assert title.text == "Вестник Заречья"
    lines = FEED.read_bytes().splitlines()
    assert title.text.encode("cp1251") in lines[title.sourceline - 1]
    assert str(FEED) == tree.docinfo.URL
    assert tree.docinfo.encoding.upper() == "UTF-8"


def test_every_kind_of_source() -> None:
    expected = etree.tostring(parse(FEED))
    body = FEED.read_bytes()
    stream = io.BytesIO(body)
    assert etree.tostring(parse(body)) == expected
    assert etree.tostring(parse(str(FEED))) == expected
    assert etree.tostring(parse(stream, closefd=False)) == expected
    assert not stream.closed
    assert etree.tostring(parse(io.BytesIO(body))) == expected
    assert etree.tostring(parse(FEED, lenient=False)) == expected
    with XmlReader(FEED) as reader:
        assert etree.tostring(parse(reader)) == expected
        assert not reader.closed
        assert reader.recovered == ()
        assert reader.read() == ""


def test_options_are_the_readers() -> None:
    body = "<r>Погода</r>".encode("cp1251")
    assert parse(body, encoding="windows-1251").getroot().text == "Погода"
    assert parse(b"<r>caf\xe9</r>", encoding="UTF-8", errors="space").getroot().text == "caf "
    assert parse(b"<r>a\x08b</r>", xml_chars="space").getroot().text == "a b"
    assert parse("<r>Ð¿Ñ€Ð¸Ð²ÐµÑ‚, cafÃ©</r>".encode(), mojibake="fix").getroot().text == "привет, café"
    with pytest.raises(NotXmlMediaType):
        parse(b"<r/>", content_type="text/plain", lenient=False)
    with XmlReader(b"<r/>") as reader, pytest.raises(TypeError, match="pass lenient when you open it"):
        parse(reader, lenient=False)
    with pytest.raises(TypeError, match=r"parse\(\) has no option 'huge_tree'"):
        parse(b"<r/>", huge_tree=True)


def test_a_reader_that_was_read_from_goes_on_where_it_stands() -> None:
    with XmlReader(b"<?xml version='1.0' encoding='utf-8'?>junk\n<r>x</r>") as reader:
        reader.readline()
        assert parse(reader).getroot().text == "x"


def test_the_stale_label_is_not_obeyed_even_where_it_is_kept() -> None:
    body = "<?xml version='1.0' encoding='windows-1251'?><r>Вести с полей, дожди</r>".encode()
    for options in ({}, {"declaration": "keep"}):
        assert parse(body, **options).getroot().text == "Вести с полей, дожди"


def test_a_label_that_cannot_be_true_is_not_obeyed() -> None:
    body = "<?xml version='1.0' encoding='UTF-16'?><r>ü</r>".encode()
    assert parse(body).getroot().text == "ü"


# -- lenient ----------------------------------------------------------------------------------------------


@each("case", load("declarations"), ids=lambda case: case["why"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_declaration_out_of_grammar_is_recorded(codec: str, case: dict[str, Any]) -> None:
    """Of one that only lenient reading knows, nothing is left that the parser could refuse."""
    declared = case["expected"]
    try:
        body = f"{case['text']}<r/>".encode(codec)
    except UnicodeEncodeError:
        return
    if declared is None:
        return
    recovery = Recovery("declaration", "<?xml", "", 1, 1, 1)
    with XmlReader(body) as whole, XmlReader(body) as streamed:
        parse(whole)
        list(iterparse(streamed, "r"))
        assert whole.recovered == streamed.recovered
        assert (recovery in whole.recovered) == bool(declared["flaws"])
    with XmlReader(body, declaration="keep") as kept:
        parse(kept)
        assert recovery not in kept.recovered


def test_repairs_are_recorded_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "feedcharset"), XmlReader(BROKEN, encoding="windows-1251") as reader:
        tree = parse(reader)
    assert tree.findtext("title") == "a\xa0\ufffdb\n & \ufffdc"
    assert tree.findtext("x") == "1 < 2\n"
    assert list(reader.recovered) == [
        Recovery("xml-chars", "", "", None, None, 1),
        Recovery("entity", "&nbsp;", "\xa0", 2, 9, 1),
        Recovery("reference", "&#8;", "\ufffd", 2, 15, 1),
        Recovery("ampersand", "&", "&", 3, 2, 1),
        Recovery("less-than", "<", "<", 4, 6, 1),
        Recovery("end-tag", "</y>", "", 4, 9, 1),
        Recovery("unclosed", "<x>", "</x>", 5, 1, 1),
    ]
    assert dict(reader.repairs.kinds) == {"xml-chars": 1}
    assert pickle.loads(pickle.dumps(reader.recovered)) == reader.recovered
    (record,) = [record for record in caplog.records if record.levelno == logging.INFO]
    assert record.name == "feedcharset"
    assert record.getMessage() == (
        "bytes: repaired 1 x xml-chars; 1 x &nbsp; (first at line 2, column 9); "
        "1 x &#8; (first at line 2, column 15); 1 x & (first at line 3, column 2); "
        "1 x < (first at line 4, column 6); and 2 more"
    )


def test_nothing_is_said_where_nothing_was_mended(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "feedcharset"), XmlReader(FEED) as reader:
        parse(reader)
    assert reader.recovered == ()
    assert caplog.messages == []


def test_the_log_holds_nothing_hostile(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "feedcharset"):
        parse("<r><\u202ea\u0085></r>".encode())
    assert caplog.messages
    assert all(message.isprintable() for message in caplog.messages)


def test_characters_are_replaced_with_their_places_where_the_reader_is_opened_here() -> None:
    with XmlReader(b"<r>\x08a\x0b</r>", xml_chars="replace") as reader:
        parse(reader)
    assert (reader.repairs.count, reader.repairs.offsets) == (2, (3, 5))
    with XmlReader(b"<r>\x08a\x0b</r>") as reader:
        assert parse(reader).getroot().text == "\ufffda\ufffd"
    assert reader.repairs.count == 2
    assert reader.recovered == (Recovery("xml-chars", "", "", None, None, 2),)


@pytest.mark.parametrize("options", [{}, {"xml_chars": "keep"}, {"xml_chars": "replace"}])
@pytest.mark.parametrize(
    "body",
    [b"<a><scr\x0bipt>x</scr\x0bipt></a>", b"<a>\x00b</a>", b"<a b='\x08'/>", b"<a>\xef\xbf\xbf<b></a>"],
)
def test_the_parser_sees_no_character_that_xml_forbids(body: bytes, options: Any) -> None:
    """Whether the reader is opened here or keeps them: deleting would join what stands around them."""
    with XmlReader(body) as reader:
        expected = etree.tostring(parse(reader))
    assert b"&#65533;" in expected
    assert etree.tostring(parse(body, **options)) == expected
    for source in (body, dripping(body, 3)):
        with iterparse(source, **options) as elements:
            *_, (_, root) = elements
        assert etree.tostring(root) == expected


def test_errors_of_the_markup_are_counted_by_message() -> None:
    with XmlReader(b"<r>\n<a:b/>\n<a:b/>\n<c:d/><c:e/></r>") as reader:
        parse(reader)
    assert all(entry.kind == "markup" for entry in reader.recovered)
    assert [entry.line for entry in reader.recovered] == sorted(entry.line for entry in reader.recovered)
    assert sum(entry.count for entry in reader.recovered) >= 3


def test_neither_warnings_nor_repaired_octets_are_recoveries() -> None:
    with XmlReader(b"<?xml version='1.1'?><r xml:space='x'>\xe9</r>", encoding="UTF-8") as reader:
        assert parse(reader).getroot().text == "é"
    assert dict(reader.repairs.kinds) == {"bytes": 1}
    assert reader.recovered == ()


def test_an_entity_from_outside_is_lost_and_that_is_said() -> None:
    with XmlReader(b"<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><r>a&x;b</r>") as reader:
        assert parse(reader).getroot().xpath("string()") == "ab"
    assert [(entry.kind, entry.found) for entry in reader.recovered] == [
        ("markup", "Entity 'x' is external, and was not loaded")
    ]


@pytest.mark.parametrize("body", [b"", b"  ", b"hello", b"\xef\xbb\xbf", b"<?xml version='1.0'?>", b"&nbsp;"])
def test_where_there_is_no_element_there_is_no_tree(body: bytes) -> None:
    for options in ({}, {"lenient": False}):
        with pytest.raises(etree.XMLSyntaxError) as caught:
            parse(body, **options)
        assert caught.value.lineno == 1


def test_a_document_that_is_cut_off_is_what_there_is_of_it() -> None:
    with XmlReader(b"<rss><item><title>a</title></item><item><title>b") as reader:
        assert parse(reader).xpath("//title/text()") == ["a", "b"]
    assert [entry.kind for entry in reader.recovered] == ["markup"]


@each("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_that_has_lost_a_byte_loses_a_word(codec: str) -> None:
    items = "".join(f"<item><title>News {number} of the day</title></item>" for number in range(100))
    body = f"\ufeff<rss><channel>{items}</channel></rss>".encode(codec)
    for at in (500, 501, 5000, 5001):
        with XmlReader(body[:at] + body[at + 1 :]) as reader:
            titles = parse(reader).xpath("//title/text()")
        assert sum(title.startswith("News ") for title in titles) >= 99
        assert ("bytes", 1) in reader.repairs.kinds
        assert at - 2 <= reader.repairs.offsets[0] <= at + 16


# -- strict -----------------------------------------------------------------------------------------------


@each("end", ["\n", "\r\n", "\r"])
@each("charset", ["utf-8", "cp1251", "utf-16", "cp037"])
def test_strict_says_what_lxml_says_with_the_documents_own_line_and_column(end: str, charset: str) -> None:
    label = {"cp037": "ibm037", "cp1251": "windows-1251"}.get(charset, charset)
    lines = [f"<?xml version='1.0' encoding='{label}'?>", "<rss>", "  <a>Ж&nbsp;</a></rss>"]
    if charset == "cp037":
        lines[2] = lines[2].replace("Ж", "é")
    with pytest.raises(etree.XMLSyntaxError, match="Entity 'nbsp' not defined, line 3, column 13") as caught:
        parse(end.join(lines).encode(charset), lenient=False)
    assert caught.value.position == (3, 13)


def test_strict_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(b"<r>\n</s>")
    with pytest.raises(etree.XMLSyntaxError) as caught:
        parse(path, lenient=False)
    assert caught.value.filename == str(path)
    path.write_bytes(b"")
    with pytest.raises(etree.XMLSyntaxError) as caught:
        parse(path)
    assert caught.value.filename == str(path)


@pytest.mark.parametrize(
    "body", [b"<r>&#8;</r>", b"<r>\x08</r>", b"<r>&nbsp;</r>", b"<r>& </r>", b"<r>< </r>", b"<r>"]
)
def test_strict_mends_nothing(body: bytes) -> None:
    with XmlReader(body, lenient=False) as reader, pytest.raises(etree.XMLSyntaxError):
        parse(reader)
    assert reader.recovered == ()
    assert reader.repairs.count == 0


def test_an_octet_that_does_not_decode_raises_from_the_middle_of_parsing() -> None:
    body = b"<?xml version='1.0' encoding='utf-8'?>\n<r>" + b"x" * 200_000 + b"\xff</r>"
    with pytest.raises(DecodeError) as caught:
        parse(body, lenient=False)
    assert (caught.value.line, caught.value.column) == (2, 200_004)


def test_a_source_that_fails_is_closed() -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell():
                raise OSError("the line went dead")
            return super().read(20)

    source = Failing(b"<r>" + b"x" * 1000)
    with pytest.raises(OSError, match="went dead"):
        parse(source)
    assert source.closed


# -- the text on its way ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_the_pieces_do_not_matter(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However the text is cut: line ends, references, sections."""
    body = BROKEN + b"<![CDATA[&nbsp;]]><!-- & -->\r\r\n"
    with XmlReader(body, encoding="windows-1251") as reader:
        expected = etree.tostring(parse(reader)), reader.recovered
    monkeypatch.setattr(feedcharset.parsing.parsers, "TEXT_SIZE", size)
    with XmlReader(body, encoding="windows-1251") as reader:
        assert (etree.tostring(parse(reader)), reader.recovered) == expected


def test_line_ends_are_those_of_xml() -> None:
    """XML 1.0 §2.11: CRLF, and CR that LF does not follow, are translated to a single LF."""
    assert parse(b"<r>a\rb\r\nc\nd\r\r\ne&#13;f</r>").getroot().text == "a\nb\nc\nd\n\ne\rf"
    assert parse(b"<r>a\r").getroot().text == "a\n"


@pytest.mark.parametrize(("cut", "kinds"), [(-8, ["gzip"]), (-20, ["gzip", "markup"])])
def test_a_gzip_file_that_is_cut_is_told(
    cut: int, kinds: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    items = "".join(f"<item>{number}</item>" for number in range(50))
    caplog.set_level("INFO", "feedcharset")
    with XmlReader(gzip.compress(f"<rss>{items}</rss>".encode(), mtime=0)[:cut]) as reader:
        parse(reader)
        assert sorted({one.kind for one in reader.recovered} & {"gzip", "markup"}) == kinds
    assert "repaired 1 x gzip" in caplog.text


@pytest.mark.parametrize("use", ["&a;", "<b c='&a;'/>"])
def test_an_entity_within_itself_is_text(use: str) -> None:
    document = f"<!DOCTYPE r [<!ENTITY a 'x &b; y'><!ENTITY b 'z &#38;a;'>]><r>one {use} two</r>".encode()
    with XmlReader(document) as reader:
        root = parse(reader).getroot()
    assert "x &b; y" in (root.text or "", *root.xpath("b/@c"), root.text[4:-4])
    assert [entry[:5] for entry in reader.recovered] == [
        ("ampersand", "&b;", "&b;", 1, 28),
        ("ampersand", "&#38;a;", "&#38;a;", 1, 49),
    ]
    with pytest.raises(etree.XMLSyntaxError, match="entity reference loop"):
        parse(document, lenient=False)


@each("before", [b"\n\n", b"\r\n\r\n  ", b"\n \xef\xbb\xbf\n", b"\xef\xbb\xbf \n\t\n", b" "])
@each(
    "declaration",
    [b"<?xml version='1.0'?>", b"<?xml version='1.0' encoding='utf-8'?>", b"<?xml encoding='x'?>", b""],
)
def test_lines_and_columns_count_from_the_first_byte(before: bytes, declaration: bytes) -> None:
    first = before.count(b"\n") + 1
    column = len(before.decode().replace("\ufeff", "").rpartition("\n")[2]) + len(declaration) + 1
    for content in (b"", b"&nbsp;"):
        body = before + declaration + b"<rss>\n<a>" + content + b"</a></rss>"
        for source in (body, dripping(body, 3)):
            with XmlReader(source) as reader:
                assert [one.sourceline for one in parse(reader).iter()] == [first, first + 1]
            found = [(one.line, one.column) for one in reader.recovered if one.kind == "entity"]
            assert found == [(first + 1, 4)] * bool(content)
        for source in (body, dripping(body, 3)):
            assert [one.sourceline for _, one in iterparse(source, events=("start",))] == [first, first + 1]
    body = before + declaration + b"<rss><a b=c/></rss>"
    with XmlReader(body) as reader:
        parse(reader)
    assert [(one.line, one.column) for one in reader.recovered if one.kind == "tag"] == [(first, column + 5)]
    (error,) = [one for one in check(body).findings if one.code == "not-well-formed"]
    assert (error.line, error.column) == (first, column + 10)


def test_what_stands_before_the_declaration_ends_where_it_begins() -> None:
    for body, place in {
        b"\n\n <?xml version='1.0'?><a/>": (0, 1, 1, 3, 2),
        b"\xef\xbb\xbf\n<?xml version='1.0'?><a/>": (3, 1, 1, 2, 1),
    }.items():
        (one,) = [one for one in check(body).findings if one.code == "before-declaration"]
        assert (one.offset, one.line, one.column, one.end_line, one.end_column) == place


@pytest.mark.parametrize(
    "declared", ['xmlns:dc=""http://purl.org/dc/elements/1.1/"', 'xmlns:dc=""', "xmlns:dc"]
)
def test_a_damaged_declaration_of_a_namespace_binds_nothing(declared: str) -> None:
    """The prefix is bound where it is used, as one without a declaration."""
    root = parse(f"<rss {declared}><item><dc:date>2005</dc:date></item></rss>".encode()).getroot()
    assert [one.tag for one in root.iter("*")] == ["rss", "item", "{http://purl.org/dc/elements/1.1/}date"]
