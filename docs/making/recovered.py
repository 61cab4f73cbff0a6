"""The tables of reference/recovered.md: examples, and what `parse` makes of them."""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from feedcharset import Recovery, XmlReader, parse
from making.comparison import MARKED

__all__ = ["page"]

DOCS = Path(__file__).resolve().parents[1]

EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "text": (
        ("an entity of HTML that is not declared", "<t>A&nbsp;B</t>"),
        ("one without its `;` before a space, but all in capitals", "<t>&copy 2026, BTC&ETH up</t>"),
        ("an ampersand that begins no reference", "<t>Fish & Chips</t>"),
        ("a `<` that begins no tag", "<t>1<2 and <3</t>"),
        ("an address in angle brackets", "<t>see <http://a.example/?b=c></t>"),
        ("a reference to a character that XML does not have", "<t>A&#8;B</t>"),
        ("a reference as HTML writes it", "<t>&#X41;</t>"),
        ("the end of a CDATA section without its beginning", "<t>a]]>b</t>"),
        ("a character that XML forbids", "<t>A\x0bB</t>"),
    ),
    "end_tags": (
        ("one that names no open element", "<r><t>A</b></t></r>"),
        ("one in another case, or with a letter wrong", "<rss><title>A</Title><link>u</lnik></rss>"),
        ("another sign before its name", r"<rss><title>A<\/title><link>u</link></rss>"),
        ("without its `>`", "<rss><title>A</title<link>u</link></rss>"),
        ("none of a text of a feed", "<rss><item><title>News<link>u</link></item></rss>"),
        ("none of an element that holds others", "<rss><item><author><name>A</name></item></rss>"),
        ("none of an element of HTML in a text", "<rss><description>a<br>b<p>c</description></rss>"),
        ("one of the root before items", "<rss><item>A</item></rss><item>B</item></rss>"),
        (
            "the start tag again in its place",
            "<rss><item><link>u</link><item><item><link>v</link></item></rss>",
        ),
    ),
    "start_tags": (
        ("a value without quotation marks", "<r><a href=x>A</a></r>"),
        ("a quotation mark that is left open", '<r><a href="u>A</a></r>'),
        ("a value whose `=` or quotation mark is lost", """<r><a b"c" d='e'/><a b=c d" e="f"/></r>"""),
        ("a sign before the quotation mark, or before the `=`", '<r><a b=+"c" d;="e"/></r>'),
        ("a letter before the quotation mark, or one more in a value", '<r><a b=c"d" e="f"g/h"/></r>'),
        ("doubled, escaped or typographic quotation marks", r"""<r><a b=""c"" d=\"e\" f=“g”/></r>"""),
        ("an attribute without a value, or twice", '<r><a b c="d" c="e"/></r>'),
        ("without its `>`", "<r><row<cell>A</cell></row></r>"),
        (
            "without its `>`, before a text with one",
            '<rss><item><title type="html"5 > 4</title></item></rss>',
        ),
        ("without its `<`", "<rss><item>A</item>item><title>B</title></item></rss>"),
        ("with a sign or white space before its name, or in it", "<r>< a>A</a><com ment>B</comment></r>"),
        ("with a letter wrong", "<rss><item><titel>A</title></item></rss>"),
        ("none of an item", "<rss><item><link>u</link></item><link>v</link></item></rss>"),
        (
            "none of an entry with a prefix of its own",
            '<n:feed xmlns:n="urn:n"><n:entry></n:entry><n:id>u</n:id></n:entry></n:feed>',
        ),
        ("a well-known prefix that is not declared", "<rss><media:rating>A</media:rating></rss>"),
    ),
    "sections": (
        ("a comment that ends with `--->`", "<r><!-- a ---><b/></r>"),
        ("a comment without its end", "<rss><!-- a <item>A</item><!-- b --></rss>"),
        ("a CDATA section without its end", "<rss><title><![CDATA[A</title><link><![CDATA[u]]></link></rss>"),
        ("a comment of Internet Explorer", "<t>a<![endif]>b</t>"),
        ("a second XML declaration", '<r><?xml version="1.0"?><a/></r>'),
    ),
    "document_type": (
        ("an address without quotation marks", '<!DOCTYPE r SYSTEM a.dtd [<!ENTITY e "E">]><r>&e;</r>'),
        ("a `&` in the value of an entity, as a number", '<!DOCTYPE r [<!ENTITY e "A&#38;B">]><r>&e;</r>'),
        ("an entity within itself", '<!DOCTYPE r [<!ENTITY e "&e;">]><r>&e;</r>'),
    ),
    "around": (
        ("text, HTTP headers or a notice before it", "Notice: x<?xml version='1.0'?><rss>A</rss>"),
        ("white space before the XML declaration", "\n<?xml version='1.0'?><rss>A</rss>"),
        ("text after it", "<rss>A</rss> x"),
        ("a web page around a feed", "<html><body><rss><item>A</item></rss></body></html>"),
    ),
    "cut": (
        ("in a text", "<rss><item><title>News"),
        ("in an end tag", "<rss><item><title>News</ti"),
        ("in a value", '<rss><item><link href="http://exam'),
        ("in a reference", "<rss><title>News &am"),
        ("in a comment", "<rss><title>News</title><!-- a"),
    ),
}
"""What stands in the document, and a document, by table."""


HEAD = "| in the document | example | tree | `kind`, `found` |\n| --- | --- | --- | --- |\n"


def page() -> str:
    """The page, its tables made anew."""
    text = (DOCS / "reference" / "recovered.md").read_text(encoding="utf-8")
    return MARKED.sub(lambda found: f"{found[1]}\n{HEAD}{_rows(found[2])}\n{found[3]}", text)


def _rows(part: str) -> str:
    return "".join(_row(what, document) for what, document in EXAMPLES[part])


def _row(what: str, document: str) -> str:
    with XmlReader(document.encode()) as reader:
        root = parse(reader).getroot()
    kinds = ", ".join(f"{one.kind}{_found(one)}" for one in reader.recovered)
    kinds = kinds or ", ".join(f"`repairs`: {kind}" for kind, _ in reader.repairs.kinds)
    return f"| {what} | {_code(document)} | {_code(etree.tostring(root, encoding='unicode'))} | {kinds} |\n"


def _found(entry: Recovery) -> str:
    """What was found; the messages of libxml2 differ from one version to the next."""
    if entry.kind == "markup":
        return " (the message of libxml2)"
    return f" {_code(entry.found)}" if entry.found else ""


def _code(text: str) -> str:
    visible = "".join(f"\\x{ord(sign):02x}" if sign < " " or sign == "\xa0" else sign for sign in text)
    return f"`{visible.replace('|', '&#124;')}`"
