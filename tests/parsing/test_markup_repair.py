"""What is repaired in the text before the parser sees it."""

from __future__ import annotations

import html.entities
import re
import time
from itertools import chain
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support.cases import load
from support.each import each
from support.generated import generated

import feedcharset.parsing.document_start
import feedcharset.parsing.held_text
import feedcharset.parsing.markup_repair
import feedcharset.parsing.tag_syntax
from feedcharset import Recovery, XmlReader, iterparse, parse
from feedcharset.parsing.document_start import DocumentStart
from feedcharset.parsing.held_text import FAR_END, NAMES_HELD, NAMES_SEARCHED, REACH, OpenElement
from feedcharset.parsing.libxml2 import DEEPEST
from feedcharset.parsing.markup_repair import (
    DEEP,
    LONGEST_KNOWN_TAG,
    MarkupRepairer,
)
from feedcharset.parsing.recovery_log import LISTED, RecoveryLog
from feedcharset.parsing.references import DECLARATIONS, LONGEST_DOCTYPE, REPAIRED_AT_ONCE
from feedcharset.parsing.tag_syntax import (
    _SPELT_NAMES,
    NAMESPACES,
    WINDOW,
    is_misspelt,
    is_of_feeds,
    misspelt,
)
from feedcharset.text.source_positions import RepairLog
from feedcharset.text.xml_text import SECTIONS, TAGS_AT_ONCE

CASES = load("markup_repairs")
TAGS = [
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
REFERENCES = [
    *("&", "#", "x", "8", ";", "nbsp", "amp", "lt", "foo", "0", "D800", " ", "\n", "é", "漢"),
    *(
        "<",
        ">",
        "!",
        "?",
        "-",
        "--",
        "[",
        "]",
        "]]>",
        "<!--",
        "-->",
        "<![CDATA[",
        "<?",
        "?>",
        "<r>",
        "</r>",
        "/",
    ),
    *("<!DOCTYPE", "[<!ENTITY foo '", "'>]>", '"', "'"),
]
DOCUMENTS = st.one_of(
    *(st.lists(st.sampled_from(parts), max_size=30).map("".join) for parts in (TAGS, REFERENCES))
)


def repaired(pieces: list[str]) -> tuple[str, tuple[Recovery, ...]]:
    log = RecoveryLog(RepairLog())
    repairer = MarkupRepairer(log)
    text = "".join([*chain.from_iterable(map(repairer.feed, pieces)), *repairer.feed("", True)])
    return text, log.recovered


def pieces_of(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def in_tree(text: str) -> str:
    """What a parser finds in an element with this content."""
    found = etree.fromstring(repaired([f"<r>{text}</r>"])[0]).text
    assert found is not None
    return found


@each("case", CASES, ids=lambda case: case["why"], every=16)
def test_repairs(case: dict[str, Any]) -> None:
    text, recovered = repaired([case["text"]])
    assert text == case["repaired"]
    assert recovered == tuple(Recovery(*entry) for entry in case["recovered"])
    for cut in range(0, len(case["text"]) + 1, 1 if len(case["text"]) < 120 else 11):
        assert repaired([case["text"][:cut], "", case["text"][cut:]]) == (text, recovered)
    assert repaired(list(case["text"])) == (text, recovered)


def test_how_many_document_types_are_read() -> None:
    """The entities of the last one are known; one more is text."""
    for number in (DECLARATIONS, DECLARATIONS + 1):
        types = "".join(f"<!DOCTYPE rss [<!ENTITY e{at} 'abc'>]>" for at in range(number))
        text, recovered = repaired([f"{types}<rss>&e{DECLARATIONS - 1};</rss>"])
        assert text.endswith(f"<rss>&e{DECLARATIONS - 1};</rss>")
        assert (f"&#60;!DOCTYPE rss [<!ENTITY e{DECLARATIONS} 'abc'>]>" in text) is (number > DECLARATIONS)
        assert (recovered == ()) is (number == DECLARATIONS)


@generated(40, 150, DOCUMENTS, st.sampled_from(["", "<rss>", "<?xml version='1.0'?><r>"]), st.data())
def test_the_pieces_do_not_matter(text: str, start: str, data: st.DataObject) -> None:
    text = start + text
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert repaired(pieces) == repaired([text]) == repaired(list(text))


@generated(40, 150, DOCUMENTS)
def test_well_formed_documents_are_not_changed(text: str) -> None:
    """XML 1.0 §2.1: a textual object is a well-formed XML document if it matches the production labeled
    document and meets the well-formedness constraints."""
    for document in (text, f"<rss>{text}</rss>"):
        try:
            tree = etree.fromstring(document.encode(), etree.XMLParser(resolve_entities=False))
        except etree.XMLSyntaxError:
            continue
        changed, recovered = repaired([document])
        assert recovered == ()
        assert etree.tostring(etree.fromstring(changed.encode())) == etree.tostring(tree)


@given(DOCUMENTS)
def test_repaired_text_needs_no_repair(text: str) -> None:
    once, _ = repaired([f"<r>{text}"])
    assert repaired([once])[0] == once


@generated(40, 150, st.lists(st.sampled_from(TAGS[:13]), max_size=30).map("".join))
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
    for gap, ends in ((FAR_END - 100, 1), (FAR_END + 100, 2)):
        text = f"<rss>a</rss>{' ' * gap}<item>b</item></rss>"
        found = repaired([text])
        assert found[0].count("</rss>") == ends
        assert repaired(pieces_of(text, 5000)) == found
    for gap, kept in ((REACH - 100, True), (REACH + 100, False)):
        text = f"<rss><br><b/>{'x' * gap}</br></rss>"
        found = repaired([text])
        assert (found == (text, ())) is kept
        assert repaired(pieces_of(text, 50_000)) == found
    for nested in ("", "<title/>"):
        text = f"<rss><title>a<title>{nested}{'x' * REACH}</title></title></rss>"
        assert repaired([text]) == repaired(pieces_of(text, 50_000)) == (text, ())
    for gap in (WINDOW - 100, WINDOW + 100):
        text = f"<rss><a b='{'x' * gap}>c</a></rss>"
        assert repaired(pieces_of(text, 500)) == repaired([text])


def test_a_tag_is_cut_off_only_where_the_document_ends() -> None:
    """Not where the text ends that is known."""
    for gap in range(WINDOW - 10, WINDOW + 10):
        for tag in ("<b c d ", "<b c='d' e=f ", "</ "):
            begun = f"<rss><title>x {tag}{'e' * gap}"
            for rest in ("", "</title></rss>", "></b></title></rss>"):
                assert repaired([begun, rest]) == repaired([begun + rest])
    for gap in (REACH - 100, REACH + 100):
        text = f"<rss><item>a<item>b</item>{'x' * gap}<item/></rss>"
        found = repaired([text])
        assert found[0].startswith("<rss><item>a</item><item>b</item>")
        assert repaired(pieces_of(text, 50_000)) == found
    long = f"<rss><p>{'<![CDATA[' + 'x' * FAR_END}</p><item/></rss>"
    assert repaired([long]) == repaired(pieces_of(long, 5000))


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tag without its end is held up to a limit; what follows is not repaired. Nor is what is deeper than
    the parser goes."""
    monkeypatch.setattr(feedcharset.parsing.markup_repair, "HOLD_LIMIT", 1000)
    tag = f"<r><a b='{'x' * 2000}"
    pieces = [*pieces_of(tag, 100), "'></p></a></r>"]
    assert repaired(pieces) == ("".join(pieces), ())
    deep = "<a>" * (DEEPEST + 2) + "</p>"
    assert repaired([deep]) == repaired(list(deep)) == (deep, ())


def test_what_tags_do_is_known_in_elements_of_several_names_in_turn() -> None:
    """`<head>` and `<body>` in each item; to follow their tags anew each time took twice as long."""
    names = [f"n{number}" for number in range(NAMES_HELD)]
    item = OpenElement("item", None, frozenset())
    held = [item.begin(name, frozenset()) for name in names]
    assert [item.begin(name, frozenset()) for name in names] == held
    assert item.begin(names[0], frozenset({"dc"})) is not held[0]  # another prefix is bound in it
    assert len(item.inner) == 1  # so many are held at most


@each("lost", [1, 2, 10], every=3)
@each("around", ["rss|channel", "feed", "rdf:RDF xmlns:rdf='u'"])
def test_items_without_end_tags_are_siblings_in_documents_of_any_length(
    around: str, lost: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each one, or each second or tenth, has lost its end tag."""
    monkeypatch.setattr(feedcharset.parsing.held_text, "REACH", 500)
    begin = "".join(f"<{name}>" for name in around.split("|"))
    for name, count in (("item", 3), ("item", 400), ("entry", 400)):
        items = (f"<{name}>{at}<br>" + f"</{name}>" * (at % lost > 0) for at in range(count))
        text = f"{begin}{''.join(items)}</{around.split('|')[0].split()[0]}>"
        found, _ = repaired([text])
        expected = "".join(f"<{name}>{at}<br></br></{name}>" for at in range(count))
        assert found.startswith(begin + expected)
        assert repaired(pieces_of(text, 77))[0] == found


@each("begun", ["<!-- x ", "<![CDATA[ x ", "<?php x ", "<?x", "<!--"])
def test_a_section_without_its_end_in_documents_of_any_length(
    begun: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An end that is farther away than `LONGEST_SECTION` is none, whatever is known of the document."""
    monkeypatch.setattr(feedcharset.parsing.held_text, "LONGEST_SECTION", 300)
    monkeypatch.setattr(feedcharset.parsing.markup_repair, "HOLD_LIMIT", 6000)
    for count in (3, 40, 400):
        for far in ("", "-->", "]]>", "?>"):
            items = [f"<item><title>{begun * (at % 30 == 1)}{at}</title></item>" for at in range(count)]
            text = f"<rss>{''.join(items)}<item>{'x' * 300}{far}</item></rss>"
            found = repaired([text])
            assert found[0].count("</item>") == count + 1
            assert sum(entry.count for entry in found[1]) >= (count + 28) // 30
            for size in (7, 100):
                assert repaired(pieces_of(text, size)) == found


@each("begun", ["<!-- ", "<![CDATA[", "<?x "])
def test_the_longest_section(begun: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedcharset.parsing.held_text, "LONGEST_SECTION", 300)
    monkeypatch.setattr(feedcharset.parsing.markup_repair, "PART_SIZE", 64)
    for size, whole in ((280, True), (310, False)):
        text = f"<r><a>{begun}{'<b> ' * (size // 4)}{SECTIONS[begun[:9].strip(' x')]}</a></r>"
        found = repaired([text])
        assert (found == (text, ())) is whole
        assert repaired(pieces_of(text, 10)) == found


DAMAGED = {
    "</p></p> in a description": (b"<p>x</p></p></p>", ["a", "b", "c"]),
    "an open quotation mark": (b'<a href="http://x>y</a>', ["a", "b", "c"]),
    "<br> without its end": (b"x<br>y<br>z", ["a", "b", "c"]),
    "300 of them": (b"x<br>" * 300, ["a", "b", "c"]),
    "300 <p> without their ends": (b"<p>x" * 300, ["a", "b", "c"]),
    "300 <b> without their ends": (b"<b>x" * 300, ["a", "b", "c"]),
    "300 <b>, <i> and <font> without their ends": (b"<b>x<i>y<font color='z'>" * 300, ["a", "b", "c"]),
    "a table without any end": (b"<tr><td><p>x<td>y" * 300, ["a", "b", "c"]),
    "<p> and <li> without their ends": (b"<p>x<p>y<ul><li>z<li>", ["a", "b", "c"]),
    "the end of the root": (b"x</rss>", ["a", "b", "c"]),
    "a tag that does not end": (b"1 <b and 2", ["a", "b", "c"]),
    "an address": (b"Joe <joe@example.org>", ["a", "b", "c"]),
    "Word's namespace": (b'<?xml:namespace prefix = o ns = "urn:x" />x', ["a", "b", "c"]),
    "behind it an end": (b'<?xml:namespace prefix = o ns = "urn:x" /><p>x</p> ?>', ["a", "b", "c"]),
    "an address behind it": (b"<?xml:namespace prefix = o />x <a href=http://x/?>y</a>", ["a", "b", "c"]),
    "PHP behind it": (b"<?xml:namespace prefix = o />x<![CDATA[<?php echo 1; ?>]]>", ["a", "b", "c"]),
}


@each("damage", DAMAGED)
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


def test_an_instruction_of_word_that_has_its_end_is_one() -> None:
    for instruction in ("<?xml:a b='>' c?>", "<?xml:a ?>", "<?xml:a?>"):
        body = f"<rss><t>x{instruction}y</t><t>z ?></t></rss>".encode()
        assert ["".join(one.itertext()) for one in parse(body).getroot()] == ["xy", "z ?>"], instruction


@each(
    "unit",
    ["<a b='", '<a b="', "<a\n", "<a '>'", "<a b='>'", "<a/", "<a b", "<:", "<a xmlns='", "<a b=' c=\""],
)
def test_start_tags_that_do_not_end(unit: str) -> None:
    """libxml2's push parser would look for the end of each through the rest of the document."""
    for end in ("", "</a>"):
        text, _ = repaired(["<r>", *[f"{unit}{end}"] * 100, "</r>"])
        quoted = re.sub(r"\"[^\"]*\"|'[^']*'", "", text)
        assert not re.search("<[^>]*<", quoted)


WORDS = ["one", "two", "drei", "vier,", "5 %", "… sechs"]
END_TAGS = ["</a", "</b", "</spa", "</a/", "</a.b", "</item", "</a\u2026", "</é", "</a@b.org>", "</a\n"]


@given(st.data())
def test_an_end_tag_without_its_end_drops_no_word(data: st.DataObject) -> None:
    """Wherever it stands, and whatever is open."""
    content = [*WORDS]
    for part in data.draw(
        st.lists(st.sampled_from([*END_TAGS, "<a>", "</a>", "<span>", "<b/>"]), max_size=6)
    ):
        content.insert(data.draw(st.integers(0, len(content))), part)
    text = "".join(part if part[:2] == "</" else f" {part}" for part in content)
    tree = parse(f"<rss><item><a>{text}</a></item><item>last</item></rss>".encode())
    kept = "".join(tree.getroot().itertext())
    places = [kept.find(word) for word in [*WORDS, "last"]]
    assert -1 not in places
    assert places == sorted(places)


def test_a_well_formed_document_nested_deep_is_not_changed() -> None:
    """Up to 32 elements below the parser's own limit."""
    for root, tag, count in (("r", "p", DEEP - 2), ("rss", "b", DEEPEST - 2), ("rss", "p", DEEPEST - 2)):
        deep = f"<{root}>{f'<{tag}>x' * count}{f'</{tag}>' * count}</{root}>"
        assert repaired([deep]) == repaired(pieces_of(deep, 50)) == (deep, ())
    for tag in ("p", "item", "outline", "url", "sitemap", "trkpt"):
        assert repaired([f"<r>{f'<{tag}>x' * 300}</r>"])[0].count(f"<{tag}>x</{tag}>") > 300 - DEEP
        body = f"<r>{f'<{tag}>x' * 300}</r>".encode()
        assert len(parse(body).findall(f".//{tag}")) == sum(1 for _ in iterparse(body, tag)) == 300


@given(st.integers(0, 0x120000), st.sampled_from(["&#{};", "&#x{:x};", "&#x{:X};", "&#00{};", "&#x0{:x};"]))
def test_legal_character(number: int, form: str) -> None:
    """WFC: Legal Character: Characters referred to using character references MUST match the production for
    Char."""
    legal = (
        number in (9, 10, 13)
        or 0x20 <= number <= 0xD7FF
        or 0xE000 <= number <= 0xFFFD
        or 0x10000 <= number <= 0x10FFFF
    )
    reference = form.format(number)
    text, recovered = repaired([f"<r>{reference}</r>"])
    assert text == f"<r>{reference if legal else chr(0xFFFD)}</r>"
    assert recovered == (() if legal else (Recovery("reference", reference, "\ufffd", 1, 4, 1),))


def test_numbers_around_the_limits() -> None:
    limits = (0x0, 0x9, 0xA, 0xD, 0x20, 0xD7FF, 0xE000, 0xFFFD, 0x10000, 0x10FFFF, 10**6, 10**7, 0x1000000)
    for limit in limits:
        for number in range(max(0, limit - 40), limit + 40):
            test_legal_character.hypothesis.inner_test(number, "&#{};")
            test_legal_character.hypothesis.inner_test(number, "&#x{:x};")


@pytest.mark.long
def test_every_entity_of_html() -> None:
    names = [name for name in html.entities.html5 if name.endswith(";")]
    assert len(names) > 2000
    assert max(map(len, names)) < 64
    for name in names:
        assert in_tree(f"a&{name}b") == f"a{html.entities.html5[name]}b"
    text = "".join(f"&{name}" for name in names)
    assert in_tree(text) == "".join(html.entities.html5[name] for name in names)


def test_an_attribute_keeps_what_its_entities_mean() -> None:
    text, _ = repaired(["<r a='&Tab;&NewLine;&QUOT;&LT;&AMP;&nbsp;'/>"])
    assert etree.fromstring(text).get("a") == '\t\n"<&\xa0'


def test_an_entity_means_the_same_in_another_entity() -> None:
    document = "<!DOCTYPE r [<!ENTITY a 'x&nbsp;&LT;b&GT;&AMP;&#8;'>]><r>&a;</r>"
    text, _ = repaired([document])
    assert etree.fromstring(text).text == "x\xa0<b>&\ufffd"


def test_a_document_type_that_is_too_long_is_not_looked_into() -> None:
    start, end = "<!DOCTYPE r [<!--", "-->]>"
    fits = start + "x" * (LONGEST_DOCTYPE - len(start + end)) + end
    assert repaired([fits, "<r>&nbsp;</r>"])[0] == fits + "<r>&#160;</r>"
    longer = start + "x" + fits.removeprefix(start) + "<r>&nbsp;</r>"
    assert (
        repaired([longer])
        == repaired([longer[at : at + 65536] for at in range(0, len(longer), 65536)])
        == (longer, ())
    )


def test_what_is_listed_is_bounded() -> None:
    names = re.findall(r"'(\w+);'", repr(list(html.entities.html5)))[: LISTED + 50]
    _, recovered = repaired(["<r>\n", *[f"&{name};" for name in names], "</r>"])
    assert len(recovered) == LISTED + 1
    assert {entry.count for entry in recovered} == {
        1,
        len(names) - LISTED - sum(n in ("amp", "lt", "gt", "quot", "apos") for n in names),
    }


def test_the_end_of_cdata_in_a_value_is_well_formed() -> None:
    """XML 1.0 §2.4: it is not allowed in content only."""
    text = "<r a=']]>'>x<b c=\"x]]>\">]]</b>></r>"
    for size in (1, 2, 3, 5, 100):
        assert repaired(pieces_of(text, size)) == (text, ())


PREFIXED = (
    "<rss><item{0}><media:group{1}><media:content/></media:group><a media:b='c:d'/><dc:x/></item></rss>"
)


def test_prefixes_that_the_root_forgot_are_bound() -> None:
    body = PREFIXED.format("", "").encode()
    with XmlReader(body) as reader:
        root = parse(reader).getroot()
    assert [etree.QName(element).namespace for element in root.iter()] == [
        *(None, None, NAMESPACES["media"], NAMESPACES["media"], None, NAMESPACES["dc"]),
    ]
    assert root.find(".//a").attrib == {f"{{{NAMESPACES['media']}}}b": "c:d"}
    assert reader.recovered == (
        Recovery("namespace", "media:", NAMESPACES["media"], 1, 12, 2),
        Recovery("namespace", "dc:", NAMESPACES["dc"], 1, 73, 1),
    )
    wanted = "{http://search.yahoo.com/mrss/}content"
    assert [element.tag for _, element in iterparse(body, wanted)] == [wanted]


@pytest.mark.parametrize("where", [0, 1])
def test_prefixes_that_are_bound_stay(where: int) -> None:
    """A binding holds in its element and what is in it (Namespaces in XML 1.0 §6.1)."""
    own = [" xmlns:media='urn:mine' xmlns:dc='urn:dc'" if at == where else "" for at in (0, 1)]
    with XmlReader((PREFIXED.format(*own) + "&").encode()) as reader:
        root = parse(reader).getroot()
    assert root.find(".//{urn:mine}content") is not None
    bound = [entry.found for entry in reader.recovered if entry.kind == "namespace"]
    assert bound == (["media:", "dc:"] if where else [])


def test_prefixes_that_nobody_knows_stay_unbound() -> None:
    with XmlReader(b"<r><x:y z='media:a'/><rdf:a/></r>") as reader:
        tree = parse(reader)
    assert tree.find("{*}y") is not None or tree.getroot()[0].tag == "x:y"
    assert [entry.found for entry in reader.recovered if entry.kind == "namespace"] == ["rdf:"]


def test_columns_behind_another_repair_in_the_same_line() -> None:
    _, recovered = repaired(["<r><p><br>a & b</p></r>"])
    assert recovered == (
        Recovery("unclosed", "<br>", "</br>", 1, 7, 1),
        Recovery("ampersand", "&", "&", 1, 13, 1),
    )


def test_lines_behind_what_is_counted_again_at_the_end_of_a_piece() -> None:
    text = "<feed><feed>\n</div></title></div>\n</fed>"
    assert repaired(list(text))[1] == repaired([text])[1]


def test_the_first_of_several_wherever_it_is_repaired() -> None:
    """Tags are written anew before the references around them are repaired."""
    _, recovered = repaired(["<r><a b=c&d>\n<e/>&</a> & &nbsp;]]>&nbsp;&</r>"])
    assert {(entry.found, entry.line, entry.column, entry.count) for entry in recovered} == {
        ("<a b=c&d>", 1, 4, 1),
        ("&", 1, 10, 4),
        ("&nbsp;", 2, 13, 2),
        ("]]>", 2, 19, 1),
    }


def test_long_text_is_repaired_in_parts() -> None:
    for unit in ("a & b ", "&nbsp;>", "&#55357;&#56846;", "x&y;\n"):
        text = unit * (3 * REPAIRED_AT_ONCE // len(unit))
        whole, recovered = repaired([f"<r>{text}</r>"])
        once, found = repaired([f"<r>{unit}</r>"])
        assert whole == f"<r>{once[3:-4] * (len(text) // len(unit))}</r>"
        assert [entry._replace(count=1) for entry in recovered] == list(found)
        assert [entry.count for entry in recovered] == [len(text) // len(unit)]


def test_what_is_around_a_dropped_tag_is_no_reference() -> None:
    text, recovered = repaired(["<r>a&</p>lt;b</p>&amp;</r>"])
    assert text == "<r>a&#38;lt;b&#38;</r>"
    assert [(entry.found, entry.column, entry.count) for entry in recovered] == [("&", 5, 1), ("</p>", 6, 2)]


def test_the_place_of_an_ampersand_beside_the_end_of_a_section() -> None:
    _, recovered = repaired(["<r>&amp; ]]> &amp; & </p>&nbsp;</r>"])
    assert [(entry.found, entry.column) for entry in recovered] == [
        ("]]>", 10),
        ("&", 20),
        ("</p>", 22),
        ("&nbsp;", 26),
    ]


@pytest.mark.parametrize("most", [1, 5, 1000])
def test_tags_that_are_forgotten(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many tags are remembered changes nothing."""
    text = "<rss>" + "".join(f"<a{n % 9} b='{n}'><b><i></b></i><c></a{n % 9}><c/></p>" for n in range(300))
    expected = repaired([text])
    monkeypatch.setattr(feedcharset.parsing.markup_repair, "KNOWN_TAGS", most)
    assert repaired([text]) == expected
    assert expected[0].count("<c></c></a") == 300


@pytest.mark.sampled(4)
@pytest.mark.parametrize("gap", [0, 200, 300, 400, 700])
@pytest.mark.parametrize("tag", ["p", "outline"])
def test_a_paragraph_that_ends_itself_in_one_part_and_in_another(
    tag: str, gap: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is remembered up to the end of the part, too."""
    monkeypatch.setattr(feedcharset.parsing.markup_repair, "PART_SIZE", 64)
    monkeypatch.setattr(feedcharset.parsing.held_text, "REACH", 300)
    text = f"<r>{f'<{tag}>x' * (DEEP + 40)}{'y' * gap}<{tag}>z<i/>z</{tag}></r>"
    expected = repaired([text])
    assert repaired(pieces_of(text, 50)) == repaired(list(text)) == expected
    monkeypatch.setattr(MarkupRepairer, "_remember", lambda *_: None)
    assert repaired([text]) == expected


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "unit", ["<p>x<br>", "<li>x", "<tr><td>x", "<outline>", "<i>x</i>", "<", "< ", "<p>x</p>", "<br>"]
)
@pytest.mark.parametrize("around", ["<html><body>", "<rss><item><description>", f"<r>{'<b>' * DEEP}"])
def test_repeated_damage_takes_no_step_each_time(
    unit: str, around: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = []
    step = MarkupRepairer._step
    monkeypatch.setattr(MarkupRepairer, "_step", lambda self, *at: steps.append(at) or step(self, *at))
    repaired([around + unit * 5000])
    assert len(steps) < 1000


@pytest.mark.parametrize("tags", ["<br>x</br>y<br></br>z", "x<b></b><br></br> <b></b><br>x</br> <b></b>"])
def test_a_br_and_its_end_tag_among_several_tags(tags: str) -> None:
    """What is known of them does not depend on what stands between them."""
    text = f"<r>{'<i/>' * TAGS_AT_ONCE}{tags * 3}</r>"
    assert repaired([text]) == (text, ())


@pytest.mark.parametrize("gap", [0, 100, 200, 300, 400, 700])
def test_a_br_in_one_part_and_in_another(gap: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `<br>` without an end tag in reach is remembered up to the end of the part."""
    monkeypatch.setattr(feedcharset.parsing.markup_repair, "PART_SIZE", 64)
    monkeypatch.setattr(feedcharset.parsing.held_text, "REACH", 300)
    text = f"<r>{'<br>x' * 40}{'y' * gap}<br>z<i/>z</br></r>"
    for pieces in ([text], pieces_of(text, 50), list(text)):
        changed, recovered = repaired(pieces)
        assert changed == f"<r>{'<br></br>x' * 40}{'y' * gap}<br>z<i/>z</br></r>"
        assert recovered == (Recovery("unclosed", "<br>", "</br>", 1, 4, 40),)


def test_long_tags_are_not_remembered() -> None:
    tag = f"<a:b c='{'x' * LONGEST_KNOWN_TAG}'>"
    text = f"<r>{f'{tag}</a:b></p>' * 3}</r>"
    assert repaired([text])[0] == text.replace("</p>", "")


@pytest.mark.parametrize(
    ("opening", "held"), [("<!--", "x"), ("<a b='", "x"), ("&", "x"), ("<!DOCTYPE r [", "x"), ("", " ")]
)
@pytest.mark.parametrize("root", ["", "<r>"])
def test_text_that_is_held_is_not_read_again_with_each_piece(
    opening: str, held: str, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has no end yet is read each time its length has doubled, whoever holds it."""
    looks = []

    def counted(owner: Any, name: str) -> None:
        looked = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *args, **options: looks.append(1) or looked(*args, **options))

    counted(MarkupRepairer, "_prolog")
    counted(MarkupRepairer, "_part")
    counted(feedcharset.parsing.document_start, "_Search")
    usual = feedcharset.parsing.document_start._USUAL
    counted_pattern = SimpleNamespace(match=lambda text: looks.append(1) or usual.match(text))
    monkeypatch.setattr(feedcharset.parsing.document_start, "_USUAL", counted_pattern)
    log = RecoveryLog(RepairLog())
    start, repairer = DocumentStart(log), MarkupRepairer(log)
    for text in (root + opening, *([held * 50] * 200)):
        if known := start.feed(text):
            list(repairer.feed(known, False))
    assert 0 < len(looks) < 40


@pytest.mark.parametrize(
    "unit",
    ["<?x ", "<?x>", "<?x <b/>", "<?xml<b/>", "<!-- <b/>", "<b><![CDATA[</b>", "<?x <!-- <b/> --><c/>"],
)
@pytest.mark.parametrize("end", ["", "<?x?>", "-->", "]]>"])
def test_text_is_not_split_again_behind_each_section(
    unit: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """1,000 sections without their ends take as many parts as the text has."""
    calls = []
    part = MarkupRepairer._part
    monkeypatch.setattr(MarkupRepairer, "_part", lambda self, at: calls.append(at) or part(self, at))
    repaired([f"<r>{unit * 1000}{end}"])
    assert len(calls) < 20


def test_a_comment_behind_the_end_of_the_root_ends_where_it_ends() -> None:
    """To look for what follows the root reads other comments first."""
    text = "<rss><item/></rss><!-- a ---><p>x</p><!-- b --><item>z</item></rss>"
    changed, recovered = repaired([text])
    assert changed == "<rss><item/><!-- a - --><p>x</p><!-- b --><item>z</item></rss>"
    assert [entry.kind for entry in recovered] == ["end-tag", "comment"]


def test_names_whose_end_tags_are_searched_are_bounded() -> None:
    """Prefixes make as many names as one likes; each takes a search of the text."""
    names = [f"n{number}:title" for number in range(NAMES_SEARCHED + 1)]
    text, _ = repaired([f"<rss>{''.join(f'<item><{name}>x<link/></item>' for name in names)}</rss>"])
    unclosed = [name for name in names if f"<{name}>x</{name}><link/>" not in text]
    assert unclosed == names[-1:]
    assert repaired(pieces_of(text, 100))[0] == text


@pytest.mark.long
def test_an_instruction_without_its_end_is_not_read_to_the_end_behind_each_br() -> None:
    """Whether an element has an end tag is found without a look at all that follows."""
    seconds = {}
    for number in (1000, 16000):
        text = f"<rss>{'<br><?xml:<![CDATA[x]]>' * number}</br>"
        begin = time.process_time()
        repaired([text])
        seconds[number] = time.process_time() - begin
    assert seconds[16000] < 64 * seconds[1000]


def test_the_end_of_a_tag_is_searched_once_for_all_its_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """`a=" a="` opens the next value: each is searched for its end, up to the end of the tag."""
    searched = []
    angle = feedcharset.parsing.tag_syntax.ANGLE

    def search(text: str, *span: int) -> re.Match[str] | None:
        searched.append(span)
        return angle.search(text, *span)

    monkeypatch.setattr(feedcharset.parsing.tag_syntax, "ANGLE", SimpleNamespace(search=search))
    text = "<r><b" + ' a="' * 5000
    assert repaired([text]) == repaired(pieces_of(text, 500))
    assert 0 < len(searched) < 50


@pytest.mark.long
@pytest.mark.parametrize("unit", ["<a/ ", "<http://x>", "<a b='"])
def test_what_is_held_is_not_looked_at_with_each_small_piece(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server may send one byte at a time."""
    looked_at = 0
    part = MarkupRepairer._part

    def counted(self: MarkupRepairer, index: int) -> tuple[int, str]:
        nonlocal looked_at
        looked_at += len(self._text) - index
        return part(self, index)

    monkeypatch.setattr(MarkupRepairer, "_part", counted)
    text = "<r>" + unit * (100_000 // len(unit))
    repairer = MarkupRepairer(RecoveryLog(RepairLog()))
    pieces = [text[at : at + 20] for at in range(0, len(text), 20)]
    found = "".join("".join(repairer.feed(piece)) for piece in pieces) + "".join(repairer.feed("", True))
    assert looked_at < 8 * len(text)
    monkeypatch.undo()
    assert found == "".join(MarkupRepairer(RecoveryLog(RepairLog())).feed(text, True))


def test_a_name_of_feeds_with_a_letter_missing_or_another_one() -> None:
    """Wherever that is: the quick look at the first and the last letter passes over none."""
    for known in _SPELT_NAMES:
        for at in range(len(known)):
            swapped = f"{known[:at]}{known[at : at + 2][::-1]}{known[at + 2 :]}"
            for name in (known[:at] + known[at + 1 :], f"{known[:at]}q{known[at + 1 :]}", swapped):
                meant = [one for one in _SPELT_NAMES if is_misspelt(name.lower(), one.lower())]
                assert misspelt(name, True) in (meant[:1] or [""]) or is_of_feeds(name), name
