"""What is not well-formed is reported, by lxml's own verdict and position; what is well-formed is not.

References, tags and attributes that are wrong are reported where they begin; lxml names the place behind.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree
from support.each import each

from feedcharset import check
from feedcharset.evidence.detector import LOOKAHEAD
from feedcharset.validate import well_formedness
from feedcharset.validate.text_blocks import EXCERPT_SIDE, LEAST_TEXT, SOURCE_BLOCK

PARTS = (
    *("<a>", "</a>", "<b x='1'>", "</b>", "<c/>", "é", "日本", "text", "&amp;", "&#233;", "&nbsp;"),
    *("]]>", "<![CDATA[ & <d> ]]>", "<!-- x -->", "<!-- -- -->", "<!", "<?p?>", "<?xml?>", "<1>", "< "),
    *("& ", "&b "),
    *("<x:y/>", "<y xmlns:x='u' x:z=''/>", "<e f=g>", "<e f='<'>", "<e f='1' f='2'/>", "\r\n", "\r", "\n"),
)

NON_ASCII = (
    *(
        "<é/>",
        "<é>",
        "</é>",
        "<b é='1'/>",
        "<b c='é'/>",
        "<b c='>é'/>",
        "<b c='>' é='1'/>",
        "<b c='>' é='&lt;'/>",
        "<b\xa0/>",
        "<b>é</b>",
    ),
    *(
        "<b c='>' é ",
        "<b c='é' ",
        "<b c='1'é='2'/>",
        "<x:é/>",
        "&é;",
        "&é",
        "&aé;",
        "& é",
        "é]]>",
        "<!é",
        "<?é?>",
    ),
    *("<![CDATA[<é> & ]]>", "<![CDATA[é", "<!-- <é> -->", "<!-- é", "<?p é>é?>", "<é", "~<~>", "é ~>é"),
)


MARKS = (
    ("EntityRef|CharRef|Entity '", "&"),
    ("invalid element name", "<"),
    ("tag mismatch", "</"),
    (r"prefix (\S+) for (\S+) on", r"\1:\2"),
    (r"prefix (\S+) on (\S+) is", r"<\1:\2"),
    (r"Attribute (\S+) redefined", r"\1"),
    (r"value for attribute (\S+),", r"\1"),
    (r"(xmlns\S*): ", r"\1"),
)


def verdict(text: str) -> tuple[int, int] | None:
    """Where lxml's parser, which builds a tree, refuses the text; the beginning of what is wrong."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, no_network=True)
    try:
        etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        marks = ((re.search(words, error.msg), mark) for words, mark in MARKS)
        mark = next((found.expand(mark) for found, mark in marks if found), "")
        begin = text.split("\n")[line - 1].rfind(mark, 0, column - 1) if mark else -1
        return line, begin + 1 if begin >= 0 else column
    return None


def reported(body: bytes) -> list[tuple[str, int | None, int | None]]:
    codes = ("not-well-formed", "no-xml")
    return [(one.code, one.line, one.column) for one in check(body).findings if one.code in codes]


@given(st.lists(st.sampled_from(PARTS), max_size=12))
@example(["<a>", "é", "\r", "</b>"])
def test_the_verdict_is_that_of_lxml(parts: list[str]) -> None:
    text = f"<r>{''.join(parts)}</r>"
    wanted = verdict(text)
    if wanted is not None and wanted[1] > max(map(len, text.replace("\r", "\n").split("\n"))):
        wanted = None, None  # behind the last character
    found = reported(text.encode())
    assert bool(found) == (wanted is not None)
    if wanted is not None and wanted[0] is not None:
        (one,) = found
        line = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[wanted[0] - 1]
        if wanted[1] <= len(line):
            assert one == ("not-well-formed", *wanted)


@each("start", ["<?xml version='1.0' standalone='yes'?>", "<?xml encoding='UTF-8' standalone='yes' ?>\n"])
def test_an_entity_of_an_external_dtd_in_a_document_that_stands_alone(start: str) -> None:
    """XML 1.0 §4.1: with standalone="yes" it must be declared in the document."""
    text = "<!DOCTYPE r SYSTEM 'x'>\n<r>{}é &e;{}</r>"
    for before in ("", "x" * 2 * SOURCE_BLOCK):
        body = text.format(before, "<i/>" * 999)
        place = body.count("\n", 0, body.index("&e;")) + start.count("\n") + 1, len(before) + 6
        assert reported((start + body).encode()) == [("not-well-formed", *place)]
        (found,) = check(
            (start.replace("yes", "no") + body).replace("encoding='UTF-8' ", "").encode()
        ).findings[-1:]
        assert (found.code, found.line, found.column) == ("undeclared-entity", *place)


@each("lines", ["\n", "\r\n"])
def test_an_error_in_an_entity_that_another_one_refers_to_has_no_place(lines: str) -> None:
    """libxml2 has one in the text of the other entity. Other errors have their own."""
    start = '<!DOCTYPE r [\n<!ENTITY e "x{}">\n<!ENTITY f "&e;">{}]>\n<r>\n\n{}</r>{}'
    rows: tuple[tuple[str, tuple[str, str, str, str], int | None], ...] = (
        ("Entity 'nbsp' not defined", ("&nbsp;", "", "&f;", ""), None),
        ("Namespace prefix p on x is not defined", ("<p:x/>", "", "&f;", ""), None),
        ("Attribute a redefined", ("<q a='1' a='2'/>", "", "&f;", ""), None),
        ("Entity 'nbsp' not defined", ("&nbsp;", "", "&e;", ""), 6),
        ("something in the document type", ("", "<!ENTITI g 'x'>", "&f;", ""), 3),
        ("something stands after the end", ("", "", "&f;", "\n<x/>"), 7),
    )
    for why, parts, line in rows:
        body = start.format(*parts).replace("\n", lines)
        (found,) = check(body.encode()).findings
        assert why in found.message, body
        assert found.line == line, body


@each("place", ["", "<item>", "<item>text ", "<!-- x -->", "<item/></rss>", "<item>\x01\xff&#8;"])
@each("entity", ["", "<!DOCTYPE rss SYSTEM 'x'>"])
def test_a_declaration_within_the_document_is_no_other_error(place: str, entity: str) -> None:
    """One finding tells of it; what stands around it is well-formed, or not."""
    declaration = "<?xml version='1.0' standalone='yes'?>"
    for own in ("", "<?xml version='1.0'?>\r\n"):
        before = f"{own}{entity}<rss><channel/>\r\n{place}"
        after = "" if "/rss" in place else "</item><item/></rss>" if "<item>" in place else "<item/></rss>"
        body = f"{before}{declaration}\n{after}".encode("latin-1")
        (found,) = [one for one in check(body).findings if one.code == "before-declaration"]
        assert found.offset == len(before)
        what = (
            "a document, or a part of one, stands before the second"
            if own
            else "other content stands before the"
        )
        assert found.message == f"{what} XML declaration"
        assert reported(body) == []
        assert [one[0] for one in reported(body + b"</rss>")] == ["not-well-formed"]


def test_the_place_of_a_parameter_entity_that_is_declared_nowhere() -> None:
    (found,) = check(b"<!DOCTYPE a [ %p; ]><a/>").findings
    assert (found.code, found.column, found.end_column) == ("undeclared-entity", 15, 18)


@each(
    ("first", "last", "codes"),
    [("<b></c>", "</d>", ["not-well-formed"]), ("&e;", "</d>", ["undeclared-entity", "not-well-formed"])],
)
def test_the_first_error_ends_the_search_and_an_entity_does_not(
    first: str, last: str, codes: list[str]
) -> None:
    body = f"<!DOCTYPE r SYSTEM 'x'><r>{first}{'<i/>' * SOURCE_BLOCK}{last}</r>".encode()
    assert [one.code for one in check(body).findings] == codes


@pytest.mark.parametrize("body", [b"just text", b'{"a": 1}', b"a & b", "été".encode("utf-16")])
def test_text_without_markup(body: bytes) -> None:
    assert reported(body) == [("no-xml", None, None)]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"<rss><channel>", (1, 14)),
        (b"<a/><b/>", (1, 5)),
        (b"text <a/>", (1, 1)),
        (b"<?xml version='1.0' encoding='UTF-8'?>\n<a>&nbsp;</a>", (2, 4)),
        (b"<a>\n&lt; x &", (2, 8)),
        (b"<a b='x &y'/>", (1, 9)),
        (b"<a>&amp; &#12</a>", (1, 10)),
        (b"<a>\n<b></c></b></a>", (2, 4)),
        (b"<a>x < 3</a>", (1, 6)),
        (b"<!DOCTYPE a [<!ENTITY e '&#60;'>]><a>&e;</a>", (1, 40)),
        (b"<?xml version='1.0' encoding='UTF-8'?>\n?><a/>", (2, 1)),
        (b"<?xml version='1.0' ?> x ?>\n<rss/>", (1, 24)),
        (b"<rss\n  x:y='1'\n  version='2.0'\n  xml:lang='en'/>", (2, 3)),
        (b"<x:a\n b='1'/>", (1, 1)),
        (b"<a\n b = ' b '\n b='2'\n c='3'/>", (3, 2)),
        (b"<a\n x:b='b='\n xmlns:x='u' xmlns:y='u'\n y:b='2'\n b=''/>", (4, 2)),
        (b"<a\n xmlns:y=''\n c=''/>", (2, 2)),
        (b"<a\n b='c'\n c\n d=''/>", (3, 2)),
        (b"<a xml:id='x'\n><b\n xml:id='x'\n c='x '/></a>", (3, 2)),
        (b"<!DOCTYPE a [<!ENTITY e '&e;'>]><a>&e;</a>", (1, 36)),
        (b"<a>\n<!-- <b> --> <!-- c\n</a>", (2, 14)),
        (b"<a>\n<![CDATA[<!-- ]]> <![CDATA[<![CDATA[ --> \n</a>", (2, 19)),
        (b"<a>\n<b c='?'/><?d e <?f <g?\n</a>", (2, 11)),
        (b"<a>\n<b c='d'/><b\nc='<?d\n", (3, 4)),
        (b"<a>\n<b c='d'/><b\nc='<d' e=\"\n", (3, 4)),
        (b"<a>\n<b c='d'/><b\nc='d' e=\"\n", (2, 11)),
        (b"<!DOCTYPE a [<!ENTITY e '&e;'>]>\n<a b='&e;'/>", (2, 7)),
        ("<?xml version='1.0' encoding='UTF-16'?><a>\né & é</a>".encode("utf-16"), (2, 3)),
    ],
)
def test_the_place_of_the_first_error(body: bytes, place: tuple[int, int]) -> None:
    assert reported(body) == [("not-well-formed", *place)]


@each(
    "body",
    [
        b"<a>caf\xe9 \xff\x01 &#8; <caf\xe9/></a>",
        b"<?xml version='1.1'?><a>&#8;</a>",
        b"<?xml encoding='UTF-8' version='1.0'?><a/>",
        b"<?XML version='1.0'?><a/>",
        b"<?xml version='1.0'<a/>",
        b"PHP notice\n<?xml version='1.0'?>\n<a/>",
        b"<a/><?xml version='1.0'?><b/>",
        b"\n\xef\xbb\xbf<?xml version='1.0'?><a/>",
        b"<!DOCTYPE a SYSTEM 'x'><a>&nbsp;</a>",
        b"<a><!--" + b"x" * (11 << 20) + b"--></a>",
        b"<" + b"x" * 60_000 + b"/>",
    ],
    ids=lambda body: str(body[:24]),
)
def test_what_other_findings_are_about_and_limits_of_the_parser(body: bytes) -> None:
    """An encoding, a character, a declaration or a limit of the parser is one finding, and no other."""
    assert reported(body) == []


def entities(depth: int, times: int, attribute: bool = False) -> bytes:
    """Entities that hold each other `times` times, `depth` levels deep."""
    declared = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * times}">' for n in range(1, depth + 1))
    root = f"<a b='&e{depth};'/>" if attribute else f"<a>é&e{depth};</a>"
    return f'<!DOCTYPE a [<!ENTITY e0 "ha">{declared}]>\n{root}'.encode()


STOPS = [
    # A document at which parsers stop, the finding, a word of it, and whether expat stops there, too.
    (entities(9, 10), "parser-limit", "entities", True),
    (entities(9, 10, attribute=True), "parser-limit", "entities", True),
    (entities(6, 10), "parser-limit", "entities", False),
    (entities(3, 10), None, "", False),
    (entities(60, 1), "parser-limit", "depth", False),
    (
        b"<!DOCTYPE a [<!ENTITY e '" + b"x" * 99_999 + b"'>]><a>" + b"&e;" * 999 + b"</a>",
        "parser-limit",
        "entities",
        True,
    ),
    (b"<!DOCTYPE a [<!ENTITY e '&f;'><!ENTITY f '&e;'>]><a>&e;</a>", "not-well-formed", "entity", True),
    (b"<!DOCTYPE a [<!ENTITY e '&f;'><!ENTITY f '&e;'>]><a/>", None, "", False),
    (b"<a><!--" + b"x" * (11 << 20) + b"--></a>", "parser-limit", "Comment too big", False),
    (b"<" + b"x" * 60_000 + b"/>", "parser-limit", "Name too long", False),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(("body", "code", "word", "by_expat"), STOPS, ids=lambda value: str(value)[:24])
def test_limits_of_parsers_and_entities(
    body: bytes, code: str | None, word: str, by_expat: bool, native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entities that grow beyond what parsers accept are reported, and other limits."""
    if not native:
        monkeypatch.setitem(sys.modules, "lxml", None)
        monkeypatch.setattr(well_formedness, "_IDLE", [])
    found = check(body).findings
    assert [one.code for one in found] == ([code] if code and (native or by_expat) else [])
    for one in found:
        assert one.fix is None
        assert (one.line is None) == (b"ENTITY" in body)  # the place is within an entity
        assert not native or word in one.message


@pytest.mark.parametrize("size", [0, pytest.param(LOOKAHEAD + 2 * SOURCE_BLOCK, marks=pytest.mark.long)])
def test_non_ascii_characters_in_each_place(size: int) -> None:
    """They are passed to the parser as carets where all characters are allowed; the verdict is the same."""
    item = "<p>été</p>\n"
    for part in NON_ASCII:
        text = f"<r>\n{item * (size // len(item.encode()))}{part}{item * 9}</r>"
        wanted, found = verdict(text), reported(text.encode())
        assert bool(found) == (wanted is not None), part
        if wanted is not None and wanted[1] <= len(text.split("\n")[wanted[0] - 1]):
            assert found == [("not-well-formed", *wanted)], part


def test_entities_with_non_ascii_names_in_a_long_document() -> None:
    """What a declaration holds is markup where it is referred to, blocks later."""
    text = "<!DOCTYPE r [<!ENTITY a '<é>ü</é>'><!ENTITY é 'ü'>]>\n<r>{}&a;&é;</r>"
    body = text.format("<p>été</p>\n" * (SOURCE_BLOCK // 2)).encode()
    assert reported(body) == []
    assert reported(body.replace(b"ENTITY a", b"ENTITY b")) != []


@pytest.mark.long
def test_an_error_in_each_part_of_a_long_document() -> None:
    """Before and after the end of a block, also where the parser waits for more text."""
    item = "<p>ünd so weiter</p>\r\n"
    text = "<r>\n" + item * (6 * SOURCE_BLOCK // len(item)) + "</r>"
    for at in (LEAST_TEXT, SOURCE_BLOCK - EXCERPT_SIDE, SOURCE_BLOCK - 3000, SOURCE_BLOCK):
        for error in ("]]>", "&", "& b", "&b", "&#x", "</q>", "<q:r/>"):
            cut = text.rindex("<p>", 0, at)
            broken = text[:cut] + error + text[cut:]
            assert reported(broken.encode()) == [("not-well-formed", *(verdict(broken) or ()))], (at, error)


@each("quote", ["'", '"'])
def test_a_tag_in_which_the_parser_waits_for_a_quotation_mark(quote: str) -> None:
    """It reads on to the next one, or the end. The message has the place, where it is no more in hand."""
    item = "<p>ünd so weiter</p>\n"
    text = "<r>\n" + item * 5 + f"<p{quote}>" + item * (SOURCE_BLOCK // len(item)) + "</r>"
    line, column = verdict(text) or (0, 0)
    what = "the markup is not well-formed: something in a tag that is no attribute"
    (found,) = check(text.encode("utf-16")).findings
    assert (found.message, found.line, found.column) == (f"{what} (line {line}, column {column})", None, None)
    (found,) = check(text.encode()).findings
    assert (found.message, found.line, found.column) == (what, line, column)


@pytest.mark.parametrize(
    "item",
    [
        *("<![CDATA[a & b]]>", "<!-- a &b c > d -->", "<?p a & b > c?>", "<p b='x > y' c='> z' d='>'>e</p>"),
        *("<![CDATA[a &b]]><q>c</q>", "<![CDATA[?a=1&b=2]]>\n", "<![CDATA[&]]><p b='1'/>", "<![CDATA[ & ]]>"),
    ],
)
def test_an_ampersand_that_is_text_in_a_long_document(item: str) -> None:
    """No semicolon follows it, for which the parser would wait."""
    text = "<r>" + item * (3 * SOURCE_BLOCK // len(item)) + "</r>"
    assert reported(text.encode()) == []


@each("item", ["<link>http://e.org/?a=1&b=2&c=3</link>\n", "<t>AT&T</t><x/>\n", "<i>y</i><t>a & b</t>"])
@each("times", [6_000, 40_000])
def test_an_ampersand_in_each_item_of_a_long_document(item: str, times: int) -> None:
    """The place of the first is found, although no semicolon can stand behind the last."""
    text = f"<r>\n{item * times}</r>"
    assert reported(text.encode()) == [("not-well-formed", *(verdict(text) or ()))]


@pytest.mark.long
def test_the_search_behind_an_ampersand_is_linear() -> None:
    for filler in (" ", "> ", "a", "&", "& ", "\n>", "<a/>", "<a/>&"):
        text = f"<r><![CDATA[&{filler * (4 * SOURCE_BLOCK // len(filler))}]]></r>"
        assert reported(text.encode()) == []


PLACES = [
    *("<r>{}</r>", "<r a='{}'/>", "<r><!-- {} --></r>", "<r><![CDATA[{}]]></r>", "<r><?p {}?></r>"),
    *("<r{}/>", "<r></r{}>", "<r/>{}", "<r a{}='1'/>", "<?p {}?><r/>", "<!--{}--><r/>", "<r>é{}</r>"),
    *("<!DOCTYPE r SYSTEM '{}'><r/>", "<!DOCTYPE r PUBLIC '{}' 'x'><r/>", "<!DOCTYPE r [<!--{}-->]><r/>"),
    *("<!DOCTYPE r [<!ENTITY e '{}'>]><r/>", "<!DOCTYPE r [<!ATTLIST r a CDATA '{}'>]><r/>"),
    *(
        "<?xml version='1.0' {}?><r/>",
        "<?xml version='1.0'?>{}<r/>",
        "<!DOCTYPE r [<!ELEMENT r {} ANY>]><r/>",
    ),
]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("place", PLACES)
def test_a_forbidden_character_is_found_in_each_place(
    place: str, native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the parser is asked for it, and gets one ASCII character for each other one."""
    if not native:
        monkeypatch.setitem(sys.modules, "lxml", None)
        monkeypatch.setattr(well_formedness, "_IDLE", [])
    for number in (*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF):
        for words in ("", "é" * 40):
            body = place.replace("{}", f"{chr(number)}{words}").encode()
            found = [one.offset for one in check(body).findings if one.code == "forbidden-character"]
            assert found == [body.index(chr(number).encode())], number


@each(
    ("text", "found"),
    [
        ("<!DOCTYPE a SYSTEM 'x&#0;y'><a/>", []),
        ("<!DOCTYPE a PUBLIC 'p' \n\"&#2;&#1;\"><a/>", []),
        ("<!DOCTYPE a [<!ENTITY e SYSTEM '&#0;'><!ENTITY % f PUBLIC '' '&#0;'>]><a/>", ["not-well-formed"]),
        ("<!DOCTYPE a [<!NOTATION n SYSTEM '&#0;'>]><a/>", []),
        ("<!DOCTYPE a SYSTEM 'x' [<!ENTITY e '&#0;'>]><a/>", ["forbidden-reference"]),
        ("<!DOCTYPE a SYSTEM 'x'><a>'&#0;'</a>", ["forbidden-reference"]),
    ],
)
def test_the_literals_of_identifiers_have_no_references(text: str, found: list[str]) -> None:
    assert [one.code for one in check(text.encode()).findings] == found
    assert (verdict(text) is None) == (not found)


@each("text", ["<r xmlns='u'>{}</r>", "<r xml:space='x'>{}</r>", "<?xml-a?><r>{}</r>"])
def test_what_libxml2_warns_of_is_well_formed(text: str) -> None:
    """Also where the elements are so many that they may be deep."""
    for item in ("<i/>", "<i>x</i>", "<i>é</i>", "<i>x</i>\r\n"):
        body = text.format(item * 2 * well_formedness.DEPTH_LIMIT)
        assert verdict(body) is None
        assert reported(body.encode()) == reported(body.encode() + b"<!--\xe9-->") == []


@each("encoding", ["utf-8", "iso-8859-7", "utf-16", "gb18030"])
def test_letters_in_the_uri_of_a_namespace(encoding: str) -> None:
    """lxml refuses them; a document with many or few other ones."""
    for name in ("xmlns", "xmlns:p"):
        for words in ("", "ή" * 40, "x" * 400):
            text = f"<r {name}='http://x/ή'>{words}</r>"
            declared = f"<?xml version='1.0' encoding='{encoding}'?>\n{text}"
            assert verdict(text) == (1, text.index(name) + 1)
            assert reported(declared.encode(encoding)) == [("not-well-formed", 2, text.index(name) + 1)]


def test_a_parser_that_is_used_again_knows_nothing_of_the_document_before() -> None:
    bodies = [entities(3, 10), b"<!DOCTYPE a [<!ENTITY f 'x'>]><a>&f;</a>", b"<a>&f;</a>", b"<a>", b"<a/>"]
    bodies += [b"<!DOCTYPE a SYSTEM 'x'><a>&f;</a>", b"<x:a xmlns:x='u'/>", b"<x:a/>", entities(9, 10)]
    alone = [[(one.code, one.message) for one in check(body).findings] for body in bodies]
    assert [bool(found) for found in alone] == [False, False, True, True, False, True, False, True, True]
    for first in range(len(bodies)):
        for _ in range(3):
            check(bodies[first])
        again = [[(one.code, one.message) for one in check(body).findings] for body in bodies]
        assert again == alone, bodies[first]


def test_documents_in_several_threads() -> None:
    bodies = [b"<a>" + b"<b>text</b>" * 99 + b"</a>", b"<a><b></a>", "<a>é</a>".encode(), b"<a>&x;</a>"] * 99
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(reported, bodies)) == list(map(reported, bodies))


def test_a_gzip_that_breaks_off_is_not_blamed_for_its_markup() -> None:
    import gzip

    body = gzip.compress(
        b"<rss>" + bytes(range(32, 127)).replace(b"<", b"").replace(b"&", b"") * 99 + b"</rss>"
    )
    codes = [one.code for one in check(body[:-20]).findings]
    assert "gzip-broken" in codes
    assert "not-well-formed" not in codes
    *_, broken, fault = check(gzip.compress(b"<rss>") + b"more").findings  # bytes behind it cut nothing
    assert broken.message == "the gzip data is whole: bytes that are no gzip follow it, and are ignored"
    assert fault.code == "not-well-formed"


@pytest.mark.parametrize(
    "body",
    [
        "<rss><a></rss>",
        "<rss>\n&nbsp;</rss>",
        "<rss>\n\n<a b=c/></rss>",
        "<rss/>\n<rss/>",
        "<rss><x:y/></rss>",
        "<rss>",
        "<rss>\r\ntext ]]> text</rss>",
        '<!DOCTYPE a [<!ENTITY e "<b/>">]><a>&e;</a>',
        "<rss><!-- fine --><a/>日本</rss>",
    ],
)
def test_without_lxml_expat_judges(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser has no lxml. The line is the same."""
    native = [found[:2] for found in reported(body.encode())]
    monkeypatch.setitem(sys.modules, "lxml", None)
    monkeypatch.setattr(well_formedness, "_IDLE", [])
    assert [found[:2] for found in reported(body.encode())] == native


def test_an_lxml_that_cannot_be_loaded_is_as_none(tmp_path: Path) -> None:
    """As one with another libxml2, or in a subinterpreter."""
    (tmp_path / "lxml").mkdir()
    (tmp_path / "lxml" / "__init__.py").touch()
    (tmp_path / "lxml" / "etree.py").write_text("raise ImportError('libxml2.so.2: cannot open')")
    (tmp_path / "feed.xml").write_bytes(b"<rss>\xc3\xa9</rs>")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from feedcharset.cli import main; main()"
    run = partial(subprocess.run, capture_output=True, encoding="utf-8")
    done = run([sys.executable, "-c", program, "check", str(tmp_path / "feed.xml")])
    assert (done.returncode, done.stderr) == (1, "")
    assert "not-well-formed" in done.stdout
    parse = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from feedcharset import parse"
    assert "libxml2.so.2: cannot open" in run([sys.executable, "-c", parse]).stderr


def nested(depth: int, inner: str = "x") -> bytes:
    return ("<a>" * depth + inner + "</a>" * depth).encode()


@pytest.mark.parametrize("inner", ["x", "é", "é\r\n\x7f", "<b/>"])
def test_elements_in_one_another(inner: str) -> None:
    """lxml refuses the document as check says, before and behind the limit."""
    limit = well_formedness.DEPTH_LIMIT - inner.count("<b/>")
    for depth, deep in ((limit, False), (limit + 2, True), (3000, True)):
        body = nested(depth, inner)
        found = [(one.code, one.message.rpartition(": ")[2]) for one in check(body).findings]
        assert found == ([("parser-limit", "more than 256 elements in one another")] if deep else [])
        assert (verdict(body.decode()) is not None) == deep


def test_many_elements_beside_one_another_are_not_deep() -> None:
    body = f"<a>{nested(100).decode() * 9}{'<b/><c>é</c>' * 999}</a>"
    assert check(body.encode()).findings == check(body.encode() + b"\n").findings == ()
    (found,) = check(body.encode() + b"\xe9").findings[-1:]
    assert found.code != "parser-limit"


TEXT = well_formedness.TEXT_LIMIT


LONG = pytest.mark.long


@pytest.mark.parametrize(
    ("body", "too_long"),
    [
        (b"<a>" + b"x" * TEXT + b"</a>", False),
        (b"<a>" + b"x" * (TEXT + 1) + b"</a>", True),
        pytest.param(b"<a>" + "é".encode() * (TEXT // 2) + b"</a>", False, marks=LONG),
        (b"<a>" + "é".encode() * (TEXT // 2 + 1) + b"</a>", True),
        pytest.param(b"<a>" + "é".encode("latin-1") * (TEXT // 2 + 1) + b"</a>", True, marks=LONG),
        pytest.param(b"<a>" + b"x&amp;" * (TEXT // 3) + b"</a>", False, marks=LONG),
        pytest.param(b"<a>" + b"x&amp;" * (TEXT // 2 + 1) + b"</a>", True, marks=LONG),
        pytest.param(b"<a>" + b"x" * TEXT + b"<b/>" + b"x" * TEXT + b"</a>", False, marks=LONG),
        pytest.param(
            b"<a><![CDATA[" + b"x" * (TEXT // 2) + b"]]>" + b"x" * TEXT + b"</a>", False, marks=LONG
        ),
        *(
            pytest.param(b"<a>%b%b%b</a>" % (begin, b"x>y<b " * (size // 6), end), size > TEXT, marks=LONG)
            for begin, end in ((b"<![CDATA[", b"]]>"), (b"<!--", b"-->"), (b"<?x ", b"?>"))
            for size in (TEXT - 60, TEXT + 60)
        ),
    ],
)
def test_a_long_text(body: bytes, too_long: bool) -> None:
    codes = {one.code for one in check(body).findings} - {"encoding-unnamed", "undecodable"}
    assert codes == ({"parser-limit"} if too_long else set())


def test_references_of_xml_1_1() -> None:
    """lxml and expat know XML 1.0 alone."""
    body = b'<?xml version="1.1"?><a>&#12;<![CDATA[&#12;]]>&#x1;&#9;</a>'
    limits = [one for one in check(body).findings if one.code == "parser-limit"]
    assert [one.offset for one in limits] == [body.index(b"&#12;"), body.index(b"&#x1;")]
    assert [one.code for one in check(body.replace(b"1.1", b"1.0")).findings] == ["forbidden-reference"] * 2
    assert [one.code for one in check(body.replace(b"#12;", b"#0;")).findings][1] == "forbidden-reference"
    assert [one.code for one in check(b'<?xml version="1.1"?><a>&#9;</a>').findings] == ["xml-1.1"]


@each(
    ("document", "code"),
    [
        *(
            (f'<!DOCTYPE r [<!ENTITY {name} "{value}">]><r/>', "forbidden-reference")
            for name in ("e", "% e")
            for value in ("&#8;", "<!--&#8;-->", "<?p &#8;?>", "<![CDATA[&#8;]]>", "<!--&#8;")
        ),
        ('<!DOCTYPE r [<!NOTATION n PUBLIC "&#8;">]><r/>', "not-well-formed"),
        ('<!DOCTYPE r [<!ENTITY e SYSTEM "&#8;">]><r/>', "not-well-formed"),
        ("<r><!--&#8;--><?p &#8;?><![CDATA[&#8;]]></r>", None),
    ],
)
def test_references_are_judged_alike_in_both_versions(document: str, code: str | None) -> None:
    """What is no finding of its own is left to the parser."""
    for declaration in ("", '<?xml version="1.1"?>'):
        body = f"{declaration}{document}".encode()
        wanted = "parser-limit" if declaration and code == "forbidden-reference" else code
        found = [one for one in check(body).findings if one.code != "xml-1.1"]
        assert [one.code for one in found] == ([wanted] if wanted else [])
        if code == "forbidden-reference":
            assert found[0].offset == body.index(b"&#8;")


@each(
    ("body", "message"),
    [
        (b"<r &#8;/>", "something in a tag that is no attribute"),
        (b"<r a&#8;/>", "the attribute a has no value"),
        (b"<r>&a&#8;;</r>", "a reference without its ; (an & by itself is written &amp;)"),
    ],
)
def test_what_stands_in_place_of_a_reference_is_in_no_message(body: bytes, message: str) -> None:
    messages = {one.code: one.message for one in check(body).findings}
    assert messages["not-well-formed"] == f"the markup is not well-formed: {message}"


@pytest.mark.parametrize("text", ["", "été " * 50])
def test_ids_that_lxml_refuses(text: str) -> None:
    dtd = "<!DOCTYPE a [<!ATTLIST b i ID #IMPLIED>]>"
    for document in (
        f"<a>{text}<b xml:id='23'/></a>",
        f"<a xml:id='x'>{text}<b xml:id='x'/></a>",
        f"{dtd}<a>{text}<b i='x'/><b i='x'/></a>",
    ):
        with pytest.raises(etree.XMLSyntaxError):
            etree.fromstring(document)
        assert [one[0] for one in reported(document.encode())] == ["not-well-formed"]
    for document in (
        f"<a xml:id='été'>{text}<b xml:id='éte'/></a>",
        f"{dtd}<a>{text}<b i='x'/><b i='y'/></a>",
    ):
        assert reported(document.encode()) == []


@each(
    ("text", "message"),
    [
        ("<a xmlns:x='a b'/>", "refused by lxml: xmlns:x: 'a b' is not a valid URI"),
        ("<a xml:id='1'/>", "refused by lxml: xml:id : attribute value 1 is not an NCName"),
        (
            "<!DOCTYPE a [<!ATTLIST a b NMTOKEN 'x y'>]><a/>",
            "refused by lxml: Attribute a of b: invalid default value",
        ),
        (
            "<!DOCTYPE a [<!ELEMENT a EMPTY><!ELEMENT a ANY>]><a/>",
            "refused by lxml: Redefinition of element a",
        ),
        ("<!DOCTYPE a [<!ENTITY e SYSTEM 'x#y'>]><a/>", "refused by lxml: Fragment not allowed"),
        ("<a x:b='1'/>", "not well-formed: Namespace prefix x for b on a is not defined"),
        ("<!DOCTYPE a [<!ENTITY e 'v", "not well-formed: entity not finished"),
        ("<? x?><a/>", "not well-formed: a <? without a name behind it"),
        ("<a>\n<b>", "not well-formed: the document ends without the end tag of b in line 2"),
        ("<a b='1'c=''/>", "not well-formed: no white space behind an attribute "),
        ("<!DOCTYPE  >", "not well-formed: a document type without a name"),
        *(
            (f"<!DOCTYPE a [<!{declaration}>]><a/>", message)
            for declaration, message in (
                ("ENTITY ", "not well-formed: a declaration of an entity without a name"),
                ('ENTITY b"c"', "not well-formed: no white space behind the entity name"),
                ('ENTITY b SYSTEM "c"NDATA d', "not well-formed: no white space before 'NDATA'"),
                ("ENTITY b SYSTEM c", "not well-formed: an address or an identifier without its quotation"),
                ("NOTATION b PUBLIC c", "not well-formed: an address or an identifier without its quotation"),
                ('ENTITY b "x & y"', "not well-formed: an & in the value of an entity that begins no"),
                ("ATTLIST b c (#)", "not well-formed: a declaration of attributes with no names between"),
                ("ATTLIST b c x", "not well-formed: a declaration of attributes without a type"),
                ("ELEMENT ", "not well-formed: a declaration of an element without a name"),
                ("ELEMENT a b", "not well-formed: a declaration of an element without EMPTY"),
                ("ELEMENT a (b,c|d)", "not well-formed: a declaration of an element with something wrong"),
                (
                    "ELEMENT a (#PCDATA|b)",
                    "not well-formed: a declaration of an element with something wrong",
                ),
                ("ELEMENT a ()", "not well-formed: a declaration of an element with something wrong"),
                ("ATTLIST ", "not well-formed: a declaration of attributes without a name"),
                ("NOTATION n ", "not well-formed: the notation n without an identifier"),
                ("ENTITY e '%'", "not well-formed: a % that begins no reference"),
                ("ENTITY e '&#x;'", "not well-formed: a numbered reference to no character"),
                (
                    "NOTATION n SYSTEM ''><!NOTATION n SYSTEM ''",
                    "refused by lxml: the notation n is declared",
                ),
            )
        ),
    ],
)
def test_the_message_says_who_refuses_what(text: str, message: str) -> None:
    for words in ("", "<!-- été -->"):
        (found,) = check((text + words * text.endswith("/>")).encode()).findings
        assert found.message.startswith(f"the markup is {message}")


@each(
    ("text", "line"),
    [
        ('<rss>\n<t>a & b</t>\n<d><?xml version="1.0"?><x/></d></rss>', 2),
        ('<?xml version="1.0"?>\n<rss>\n<t>a & b</t>\n<d><?xml version="1.0"?><x/></d></rss>', 3),
        ("<rss>\n<t>x</t>\n<t>a & b</t></rss>\n<?xml version='1.0'?>\n<rss/>", 3),
        ("<!-- x --><rss>\n<t>x</t></rss>\n<?xml version='1.0'?>\n<rss><t>a & b</t></rss>", 4),
        ('<br />\n<b>Warning</b>: <b>y</b>\n<?xml version="1.0"?>\n<rss><t>a & b</t></rss>', 4),
        ('<rss>\n<t/>\n<d><?xml version="1.0"?><x/></d></rss>', None),
    ],
)
def test_a_second_declaration_hides_no_error(text: str, line: int | None) -> None:
    """lxml's verdict on the document, of which only the second declaration is left out."""
    for body in (text, text + "\n" * SOURCE_BLOCK):
        found = [one for one in reported(body.encode()) if one[0] == "not-well-formed"]
        assert [one[1] for one in found] == [] if line is None else [line]


@each(
    ("before", "repeated", "after", "why"),
    [
        ("", "<a>", "", "more than 256 elements in one another"),
        ("<!DOCTYPE r [", '<!ENTITY n "x">', "", "more than 100,000 declarations"),
        ("<r><i", ' a="x>y"', "", "a text of more than 10,000,000 bytes"),
        ("<r><i", " a='x'", "", "a tag of more than 10,000,000 bytes"),
        ("<r>", f"<i a='{'x' * 500}", "", "a tag of more than 10,000,000 bytes"),
        ("<r><!-- ", "<i>x</i>\n", "--></r>", "a comment of more than 10,000,000 bytes"),
        ("<r><![CDATA[", "x]>y<b", "", "a CDATA section of more than 10,000,000 bytes"),
        ("<r/><?x ", "xyz?y > ", "?>", "an instruction of more than 10,000,000 bytes"),
    ],
)
def test_what_the_parser_would_keep_is_limited(before: str, repeated: str, after: str, why: str) -> None:
    """The same is true of what arrives in parts; the parser gets no more of it."""
    body = (before + repeated * (20_000_000 // len(repeated)) + after).encode()
    (found,) = [one for one in check(body).findings if one.code in ("parser-limit", "not-well-formed")]
    assert why in found.message


@each(
    "unit",
    [
        "<i>x</i>",
        "<i/>",
        "<i><![CDATA[<p>x<br>y<br>z]]></i>",
        "<!-- <a><b> -->",
        "<?x <a><b> ?>",
        f"<i><![CDATA[{'<p>x<br>y' * 160_000}]]></i>",
        f"<!-- {'<p>x<br>y' * 160_000} -->",
    ],
)
def test_many_elements_are_not_deep(unit: str) -> None:
    """Nor are tags in sections, however long these are."""
    body = f"<r>{unit * max(1, 2_400_000 // len(unit))}</r>".encode()
    assert [one for one in check(body).findings if one.code == "parser-limit"] == []


@each(
    "before",
    ["<!-- <![CDATA[ -->", "<i><![CDATA[ <!-- ]]></i>", "<?x <!-- ?>", "<i><![CDATA[</a></a></a>]]></i>" * 9],
)
def test_no_section_hides_the_depth(before: str) -> None:
    body = f"<r>{before * 20_000}{'<a>' * 200_000}".encode()
    assert [one.code for one in check(body).findings if one.code == "parser-limit"] == ["parser-limit"]


@each("space", ["\u00a0", "\u2003", "\u2028", "\u3000"])
def test_a_declaration_with_other_spaces_is_no_declaration(space: str) -> None:
    """XML 1.0 §2.3: white space is SPACE, TAB, CR and LF; lxml and expat refuse it."""
    body = f'<?xml{space}version="1.0"{space}encoding="UTF-8"?>\n<rss>é</rss>'.encode()
    assert [one[0] for one in reported(body)] == ["not-well-formed"]


@each(
    ("text", "place"),
    [
        ('<!DOCTYPE r [<!ENTITY e SYSTEM "http://x/n.xml">]><r>&e;</r>', (1, 54)),
        ('<!DOCTYPE r [<!ENTITY e PUBLIC "a" "b>c">]>\r\n<r>\r\n<!-- &e; --> é &e; &e;</r>', (3, 16)),
        ('<!DOCTYPE r [<!ENTITY e SYSTEM "a"><!ENTITY x "&e;">]><r>x</r>', None),
        ('<!DOCTYPE r [<!ENTITY a "&x;"><!ENTITY x SYSTEM "x">]><r>&a;</r>', (1, 26)),
        (
            '<!DOCTYPE r [<!ENTITY x SYSTEM "x">\n<!ENTITY a "<n>&b;</n>"><!ENTITY b "&#38;x;">]><r>&a;</r>',
            (2, 54),
        ),
        ('<!DOCTYPE r [<!ENTITY e "v"><!ENTITY e SYSTEM "a">]><r>&e;</r>', None),
        ('<!DOCTYPE r [<!ENTITY e SYSTEM "a">]><r><![CDATA[&e;]]></r>', None),
        ('<!DOCTYPE r [<!ENTITY e "v">]><r>&e;</r>', None),
        ("<!DOCTYPE r [<!ENTITY % p '<!ENTITY c \"A\">'>\n%p;]><r>&c;</r>", (2, 1)),
        ("<!DOCTYPE r 'it' [<!-- ' %p; --><!ENTITY % p ']%p;'><?p %p; ?>]><r>50%p;</r>", None),
    ],
)
def test_a_reference_to_an_entity_that_is_another_file(text: str, place: tuple[int, int] | None) -> None:
    """lxml refuses the document, expat leaves the reference out."""
    found = [one for one in check(text.encode()).findings if one.code == "undeclared-entity"]
    assert [(one.line, one.column) for one in found] == ([] if place is None else [place])
    assert all(re.search(" the entity [&%][a-z]; is", one.message) for one in found)


@each(
    ("text", "place"),
    [
        ('<!DOCTYPE r [<!ENTITY a "<p:n/>">]><r xmlns:p="u">&a;</r>', (1, 26)),
        ('<!DOCTYPE r [<!ENTITY a "<n p:b=\'\'/>">]>\n<r xmlns:p="u">&a;</r>', (2, 19)),
        (
            '<!DOCTYPE r [<!ENTITY a "<p:n/>"><!ENTITY b "<n xmlns:p=\'v\'>&a;</n>">]><r xmlns:p="u">&b;</r>',
            (1, 26),
        ),
        ("<!DOCTYPE r [<!ENTITY a \"<n xmlns:p='v' p:b='' xml:lang='x'/>\">]><r xmlns:p=\"u\">&a;</r>", None),
        ('<!DOCTYPE r [<!ENTITY a "<p:n/>">]><r xmlns:p="u">a<!-- &a; --></r>', None),
    ],
)
def test_a_prefix_in_an_entity_that_is_declared_around_its_reference(
    text: str, place: tuple[int, int] | None
) -> None:
    """libxml2 reads an entity by itself; for expat the document is well-formed."""
    found = check(text.encode()).findings
    assert [(one.line, one.column) for one in found] == ([] if place is None else [place])
    assert all("refused by lxml: Namespace prefix p " in one.message for one in found)


VALUES = (
    *(
        'SYSTEM "x"',
        '"t"',
        '"&{};"',
        '"<n>&{};</n>"',
        '"&#38;{};"',
        '"<p:n/>"',
        "\"<n p:z='1'/>\"",
        '"&#x3c;p:n/>"',
    ),
    *(
        "'<p:n xmlns:p=\"u\">&{};</p:n>'",
        '"<![CDATA[<p:n/>&x;]]>"',
        '"<!--&x;-->"',
        '"a &lt;p:n"',
        "\"<n a='&{};'/>\"",
    ),
    *('"&#38;#60;p:n/>"', "\"<n xml:lang='x'/>\"", '"<n>a:b</n>"'),
)


@each("seed", range(4), every=4)
def test_entities_that_lxml_or_expat_refuses(seed: int) -> None:
    numbers = random.Random(seed)
    for _ in range(250):
        names = list("abcdx")
        values = [(name, numbers.choice(VALUES).format(numbers.choice(names))) for name in names]
        numbers.shuffle(values)
        declared = numbers.choice(("", "\n")).join(f"<!ENTITY {name} {value}>" for name, value in values)
        used = numbers.choice(("&{};", "<![CDATA[&{};]]>", '<m b="&{};"/>', "<!--&{};-->", "")).format("a")
        document = f'<!DOCTYPE r [{declared}]><r xmlns:p="u">{used}</r>'.encode()
        refused = 0
        for parse in (etree.fromstring, ElementTree.fromstring):
            try:
                parse(document)
            except SyntaxError:
                refused += 1
        assert bool(refused) is any(one.severity != "info" for one in check(document).findings), document


@each("body", [b"<doc a='asd\"/>{}", b"<a>{}<b>{}", b"<a>x{}{}", b"<r><!--{}"])
@each("end", [b"\n", b"\r\n", b"\r"])
def test_the_offset_at_the_end_is_that_of_the_line_and_the_column(body: bytes, end: bytes) -> None:
    data = body.replace(b"{}", end)
    (found,) = [one for one in check(data).findings if one.code == "not-well-formed"]
    assert found.offset is not None
    places = [(found.offset, found.line, found.column), (found.end_offset, found.end_line, found.end_column)]
    for offset, line, column in places:
        before = data[:offset].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        assert (line, column) == (before.count(b"\n") + 1, len(before) - before.rfind(b"\n"))
        assert data[(offset or 0) - 1 :][:2] != b"\r\n"
