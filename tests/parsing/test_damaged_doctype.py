"""A document type declaration with a fault loses no element behind it, and no entity but the faulty one."""

from __future__ import annotations

import io
from itertools import chain
from xml.etree.ElementTree import fromstring
from xml.sax.saxutils import escape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree
from support.each import each

from feedcharset import Recovery, XmlReader, iterparse, parse
from feedcharset.parsing import references
from feedcharset.parsing.document_start import DocumentStart
from feedcharset.parsing.markup_repair import MarkupRepairer
from feedcharset.parsing.recovery_log import RecoveryLog
from feedcharset.parsing.references import LONGEST_DOCTYPE
from feedcharset.text.source_positions import RepairLog

DECLARATIONS = [
    '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/rss.dtd">',
    "<!DOCTYPE rss SYSTEM 'rss-0.91.dtd'>",
    """<!DOCTYPE rdf:RDF [
  <!-- names -->
  <!ENTITY rdf "http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <!ENTITY b '<b>x</b>'>
]>""",
    """<!DOCTYPE rss PUBLIC "-//N//DTD" "a.dtd" [<!ENTITY % l PUBLIC "-//W3C" "x.ent">
%l;<!ENTITY nbsp "&#160;"><!ATTLIST rss a CDATA "x">]>""",
]
CHARACTERS = "<>[]\"'!?&%-/; xé\n"
BODY = """
<!-- made by x -->
<?xml-stylesheet href="a.css"?>
<{0} version="0.91"><channel>
<title>it's &nbsp; "t"</title>
<item><title>a</title></item><item>
<title>]> b'</title><link>http://x/?a=1&amp;b=2</link>
<d><![CDATA[<p class="x">]]></d></item></channel></{0}>"""


def damaged(declaration: str) -> set[str]:
    """With one character removed, replaced or added, at every place."""
    found = set()
    for at in range(len(declaration)):
        before, after = declaration[:at], declaration[at + 1 :]
        found.add(before + after)
        found.update(before + char + rest for char in CHARACTERS for rest in (after, declaration[at:]))
    return found


def repaired(pieces: list[str]) -> tuple[str, tuple[Recovery, ...]]:
    log = RecoveryLog(RepairLog())
    start, repairer = DocumentStart(log), MarkupRepairer(log)
    parts = [repairer.feed(start.feed(piece)) for piece in pieces]
    return "".join([*chain.from_iterable(parts), *repairer.feed(start.feed("", True), True)]), log.recovered


@pytest.mark.parametrize("step", [48, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("root", ["rss", "opml"])
@pytest.mark.parametrize("declaration", DECLARATIONS)
def test_no_element_is_lost(declaration: str, root: str, step: int) -> None:
    """Of a feed, and of a document that is none."""
    lost = []
    for at, variant in enumerate(sorted(damaged(declaration))[:: (3 if root == "rss" else 17) * step]):
        document = f"<?xml version='1.0'?>\n{variant}{BODY.format(root)}".encode()
        tree = parse(document).getroot()
        titles = [item.findtext("title") for item in tree.findall("channel/item")]
        if (tree.tag, titles, tree.findtext(".//link")) != (root, ["a", "]> b'"], "http://x/?a=1&b=2"):
            lost.append(variant)
        if at % 20 == 0:
            items = [item.findtext("title") for _, item in iterparse(io.BytesIO(document), "item")]
            assert items == titles
    assert not lost


SLOPPY = [
    "<!DOCTYPE rss SYSTEM http://my.netscape.com/rss.dtd>",
    "<!DOCTYPE rss PUBLIC “-//N//DTD” “http://my.netscape.com/rss.dtd”>",
    '<!DOCTYPE rss PUBLIC "-//N & C – D" "http://my.netscape.com/rss.dtd">',
    *('<!DOCTYPE "rss">', "<!DOCTYPE>", "<!doctype rss>", "<DOCTYPE rss>", "<?DOCTYPE rss>", "!DOCTYPE rss>"),
]


@each("declaration", SLOPPY)
def test_what_is_dropped_is_listed(declaration: str) -> None:
    with XmlReader(f"\n {declaration}<rss><item>One</item></rss>".encode()) as reader:
        assert parse(reader).findtext("item") == "One"
    (entry,) = reader.recovered
    assert entry[:5] == ("before-document", declaration[:80], "", 2, 2)


IDENTIFIERS = [
    '<!DOCTYPE r SYSTEM "a&#0;b.dtd">',
    "<!DOCTYPE r PUBLIC 'x' 'a?b&#1;&c'>",
    '<!DOCTYPE r [<!NOTATION n SYSTEM "a&#3;b">]>',
]


@each("declaration", IDENTIFIERS)
def test_identifiers_have_no_references(declaration: str) -> None:
    """XML 1.0 §4.2.2: they are literals of their own; also where markup behind them is repaired."""
    for body in ("<r>a</r>", "<r>a & b</r>"):
        assert repaired([*declaration, *body])[0].startswith(declaration)


COMPANY = '<!ENTITY f "Müller GmbH">'
FAULTS = [
    *('<!ENTITY w "width=100%">', "<!ENTITY w x>", '<!entity w "x">', '<!ENTITY w "x"'),
    *(
        '<!ENTITY w "100% %p;">',
        "<!-- a -- b -->",
        "<![INCLUDE[",
        "<!NOTATION n>",
        "<!ELEMENT>",
        "junk",
    ),
    *(
        '<!ATTLIST b c FOO "">',
        '<!ENTITY w "<b>x</b>>',
        '<!ENTITY w "x>',
        "<!ENTITY % p '100%'>%p;",
        "<?x",
        "<",
    ),
]


@each("fault", FAULTS)
def test_the_other_entities_keep_their_values(fault: str) -> None:
    """Those declared before the faulty one, and behind it."""
    for before, behind in ((COMPANY, ""), ("", f"\n{COMPANY}")):
        start = f"<!DOCTYPE rss [{before}"
        body = f"{start}{fault}{behind}]>\n<rss><item>&f; news &hellip;</item></rss>"
        with XmlReader(body.encode()) as reader:
            assert parse(reader).findtext("item") == "Müller GmbH news …", body
        listed = next(entry for entry in reader.recovered if entry.kind == "declaration")
        assert listed.line == 1
        assert listed.column in (1, len(start) + 1)
        assert [item.text for _, item in iterparse(io.BytesIO(body.encode()), "item")] == [
            "Müller GmbH news …"
        ]


PARTS = [
    *DECLARATIONS,
    *FAULTS,
    COMPANY,
    "<!DOCTYPE rss [",
    "]",
    ">",
    '"',
    "<rss>",
    "<b>",
    "%p;",
    "x",
    "\n",
    " ",
]


@pytest.mark.long
@pytest.mark.parametrize("fault", ["", pytest.param('<!ENTITY w "100%">', marks=pytest.mark.long)])
def test_a_long_declaration(fault: str) -> None:
    """Longer than what is searched for the root, and up to the longest that is read."""
    entities = "".join(f'<!ENTITY e{number} "x">' for number in range(8_000))
    body = f"<!DOCTYPE r [{entities}{fault}]><r><i>&e7999;&nbsp;</b></i></r>".encode()
    with XmlReader(body) as reader:
        assert parse(reader).findtext("i") == "x\xa0"
    assert [entry.kind for entry in reader.recovered] == ["declaration"] * bool(fault) + ["entity", "end-tag"]
    assert [item.text for _, item in iterparse(io.BytesIO(body), "i")] == ["x\xa0"]


def test_one_too_long_is_dropped_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "LONGEST_DOCTYPE", 100_000)
    body = f"<!DOCTYPE r [<!ENTITY e 'x'>{' <!ENTITY f >' * (100_000 // 12)}]><r>&e;</b></r>".encode()
    with XmlReader(body) as reader:
        assert parse(reader).getroot().text == "&e;"
    assert [entry.kind for entry in reader.recovered] == ["before-document", "ampersand", "end-tag"]


@given(st.lists(st.sampled_from(PARTS), max_size=8).map("".join), st.data())
def test_the_pieces_do_not_matter(text: str, data: st.DataObject) -> None:
    text = f"<!DOCTYPE {text}<rss>&f;</rss>"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert repaired(pieces) == repaired([text]) == repaired(list(text))


@pytest.mark.parametrize("gap", [pytest.param(-200, marks=pytest.mark.long), 200])
def test_how_far_the_end_is_searched(gap: int) -> None:
    junk = "x" * (LONGEST_DOCTYPE + gap)
    text, recovered = repaired([f"<!DOCTYPE r [<!ENTITY a b>{junk}]><r>&nbsp;</r>"])
    assert text.endswith("<r>&#160;</r>")
    assert recovered[0].kind == "before-document"


READ_VALUES = {
    "&#38;#xD800;": "\ufffd",
    "&#38;#55357;": "\ufffd",
    "&#38;#8;": "\ufffd",
    "&#38;#xFFFE;": "\ufffd",
    "A&#x26;&#35;8;B": "A\ufffdB",
    "A&#x26;#35;8;B": "A#8;B",  # a reference to #, and text
    "A&#38;&#x23;xD&#56;00;B&#39;%&#37;": "A\ufffdB'%%",
    "&#38;#55357;&#38;#56846;": "\U0001f60e",
    "<b>&#38;#8;</b>": "\ufffd",
    "&#38;#38;#8;": "&#8;",
    "&#38;#233; &#38;#60; &#38;#8; &c;": "é < \ufffd c",
}
"""Values of entities with references that are there when the value has been read."""


@pytest.mark.parametrize("value", READ_VALUES)
def test_a_reference_to_a_forbidden_character_in_the_value_as_it_is_read(value: str) -> None:
    """libxml2 would put U+D800 into the tree, of which no text can be read."""
    start = f'<!DOCTYPE p [<!ENTITY c "c"><!ENTITY a "{value}">]><p>'
    data = f"{start}<i>1&a;2</i><i>3</i></p>".encode()
    expected = [f"1{READ_VALUES[value]}2", "3"]
    root = parse(data).getroot()
    assert ["".join(item.itertext()) for item in root.iter("i")] == expected
    assert etree.tostring(root, encoding="unicode")
    assert ["".join(item.itertext()) for _, item in iterparse(data, tag="i")] == expected
    if value != "&#38;#8;":
        return
    long = f"{start}<i>{'x' * 2_400_000}</i><i>1&a;2</i></p>".encode()  # longer than what is held
    for _, item in iterparse(io.BytesIO(long), tag="i"):
        last = "".join(item.itertext())
    assert last == expected[0]


LETTERS = ["&", "<", "A", "b", " ", "1", ";", "=", "/", "'", "\u00e9"]


@given(
    st.lists(st.tuples(st.sampled_from(LETTERS), st.sampled_from(["{}", "&#{};", "&#x{:x};"])), min_size=1)
)
def test_a_value_is_the_text_that_its_numbers_mean(letters: list[tuple[str, str]]) -> None:
    """Also where `&` and `<` in it begin nothing; of an entity in another one, and in an attribute."""
    text = "".join(letter for letter, _ in letters)
    value = "".join(form.format(letter if form == "{}" else ord(letter)) for letter, form in letters)
    expected = fromstring(f"<a>[{escape(text)}]</a>").text
    start = f'<!DOCTYPE a [<!ENTITY d "[&c;]"><!ENTITY c "{value}">]>'
    with XmlReader(f'{start}<a b="&d;">[&c;]<i>&d;</i></a>'.encode()) as reader:
        root = parse(reader).getroot()
    assert [root.text, root.findtext("i"), root.get("b")] == [expected] * 3
    assert all(one.line == 1 and one.column < len(start) for one in reader.recovered)


IN_VALUES = [
    *("&#38;", "&#60;", "&", "<", "amp;", "lt;", "#38;", "#8;", "c;", "b>", "/b>", "b c='", "'/>", "x", " "),
    *("![CDATA[", "]]>", "!--", "-->", "?d ", "?>"),
]


@given(st.lists(st.sampled_from(IN_VALUES), max_size=8).map("".join))
@example("&#60;b>x&#60;/b>&#38;amp;&#38;#38;&#38;lt;")
@example("<![CDATA[&#38; &#60;]]>&#60;!--&#38; x-->")
def test_a_value_that_is_well_formed_stays(value: str) -> None:
    declaration = f'<!DOCTYPE a [<!ENTITY c "">\n<!ENTITY d "{value}">]>'
    try:
        etree.fromstring(f"{declaration}<a>&d;</a>")
    except etree.XMLSyntaxError:
        return
    text, recovered = repaired([declaration, "<a>&d;</a>"])
    assert (text.startswith(declaration), recovered) == (True, ())
