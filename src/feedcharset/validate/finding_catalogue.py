"""Every finding that `check` knows, as data: what it means, who is hurt, how to mend it, and how grave it is.

Severities follow one sentence each:

- error: a consumer that obeys the specifications gets no text, or the wrong text;
- warning: consumers may disagree, or the text is probably not what was meant;
- info: nobody reads the document wrongly, but it could be said better.

A code never changes its meaning. docs/reference/findings.md is generated from here.
"""

from __future__ import annotations

from typing import NamedTuple

from feedcharset.decide.interpreter import ERRORS
from feedcharset.decide.rules import POLICIES, Row, tables
from feedcharset.results.report import Severity

__all__ = ["CATALOGUE", "SEVERITIES", "Entry", "entry"]

SEVERITIES: dict[Severity, str] = {
    "error": "a consumer that obeys the specifications gets no text, or the wrong text",
    "warning": "consumers may disagree, or the text is probably not what was meant",
    "info": "nobody reads the document wrongly, but it could be said better",
}


class Entry(NamedTuple):
    """One kind of finding."""

    code: str
    severity: Severity
    message: str
    """What is said; `{names}` are filled in by what finds it."""
    meaning: str
    hurt: str
    """Who is hurt."""
    mend: str
    why: str
    """Why it is of this severity."""
    spec: str


_AGREE = "Make them agree, or leave the wrong one out."
_STOPS = "Strict consumers stop here: they must not guess."

_RULE_MENDS = {
    "2.2": "Leave the BOM out, or send charset=UTF-16, which demands one.",
    "2.2-32": "Leave the BOM out, or send charset=UTF-32, which demands one.",
    "2.4": "Begin the document with a BOM, or name the byte order in the charset.",
    "2.4-32": "Begin the document with a BOM, or name the byte order in the charset.",
    "3.2": "Begin the document with a BOM, or name the byte order in the charset.",
    "2.6": "Send an XML media type: application/rss+xml, application/atom+xml, application/xml.",
    "3.9": "Send an XML media type: application/rss+xml, application/atom+xml, application/xml.",
}


def _rule_entries() -> tuple[Entry, ...]:
    """An entry for each row of the tables that is an error."""
    rows: dict[str, tuple[str, Row]] = {}
    for policy in POLICIES:
        for table in tables(policy):
            rows.update((row.id, (policy, row)) for row in table if row.then in ERRORS)
    return tuple(_rule_entry(policy, row) for policy, row in rows.values())


def _rule_entry(policy: str, row: Row) -> Entry:
    name = "RFC 3023" if policy == "rfc3023" else "RFC 7303"
    return Entry(
        f"rule-{row.id}",
        "error",
        "rule {rule} refuses the document: {why}",
        f"{row.why[0].upper()}{row.why[1:]}. Rule {row.id} of {name} is an error.",
        _STOPS,
        _RULE_MENDS.get(row.id, _AGREE),
        "The rules give no encoding, so there is no text.",
        row.spec,
    )


# fmt: off
CATALOGUE: tuple[Entry, ...] = (
    Entry(
        "body-empty", "error", "the document is empty",
        "There is nothing, or only a BOM and white space.",
        "Every consumer.",
        "Look at what the server sends: often an error that it does not report.",
        "There is no document.",
        "XML 1.0 §2.1"),
    Entry(
        "body-html", "error", "this is HTML, not XML",
        "The document begins as a web page: mostly a page that says that something went wrong, or that "
        "wants a person to click.",
        "Every consumer: HTML is not well-formed XML.",
        "Let the address answer with the feed, and errors with a status of 4xx or 5xx.",
        "There is no feed.",
        "XML 1.0 §2.1"),
    Entry(
        "body-binary", "error", "this is {kind}, not XML",
        "The document begins as a PDF, or as an archive that nobody unpacks on the way (zip, zstd, gzip "
        "within gzip).",
        "Every consumer.",
        "Send the XML itself; compress it by Content-Encoding, which HTTP unpacks.",
        "There is no feed.",
        "XML 1.0 §2.1"),
    Entry(
        "gzip-body", "error", "the body is gzip, and no Content-Encoding says so",
        "HTTP unpacks a body only where Content-Encoding names the coding. The findings below are about "
        "what the gzip holds; offsets count in that.",
        "Every parser that is given the body: 1F 8B begins no XML.",
        "Send Content-Encoding: gzip, or the XML as it is.",
        "XML parsers refuse the first octet.",
        "RFC 9110 §8.4"),
    Entry(
        "gzip-file", "info", "the file is gzip",
        "The findings are about what the gzip holds; offsets count in that.",
        "Nobody, as long as whoever sends it adds Content-Encoding: gzip.",
        "Nothing has to be done for a file that is stored so.",
        "A file has no Content-Encoding that could be missing.",
        "RFC 1952"),
    Entry(
        "gzip-broken", "error", "the gzip breaks off: {why}",
        "The checksum, the length or the data of the gzip is wrong; what comes after it cannot be read.",
        "Every consumer: the end of the document is missing.",
        "Write the file again; a full disk or a cut connection is the usual reason.",
        "Part of the text is lost.",
        "RFC 1952"),
    *_rule_entries(),
    Entry(
        "content-type-grammar", "warning", "the Content-Type is out of grammar: {flaws}",
        "The field does not follow the grammar. What was meant is guessed, by the MIME Sniffing standard "
        "and a few tolerances beyond it.",
        "Consumers that parse it strictly see no charset, or no media type.",
        "Send the field as the fix spells it.",
        "Parsers of this field differ in what they forgive.",
        "RFC 9110 §8.3.1"),
    Entry(
        "media-type-of-another-format", "warning",
        "the media type {media_type} is not that of a document <{root}>",
        "application/atom+xml, application/rss+xml and application/rdf+xml name one format each, and the "
        "document is in another.",
        "Consumers that choose their parser by the media type.",
        "Send the media type of the format.",
        "Most consumers look at the document itself.",
        "RFC 4287 §7"),
    Entry(
        "text-xml-without-charset", "warning",
        "{media_type} without a charset is US-ASCII by RFC 3023, and {others} by RFC 7303",
        "RFC 3023 (2001) says that text/xml without a charset is US-ASCII, whatever the document says. RFC "
        "7303 (2014) lets the document decide.",
        "Readers that still obey RFC 3023 lose every character beyond ASCII, or the document.",
        "Name the charset, or send application/xml or a type of its own such as application/rss+xml.",
        "RFC 7303 has replaced the rule, and most readers never obeyed it.",
        "RFC 3023 §3.1; RFC 7303 §3"),
    Entry(
        "charset-and-declaration", "warning",
        "the Content-Type says {charset}, the declaration says {declared}",
        "The charset parameter and the XML declaration name different charsets (compared as charsets: utf8 "
        "is UTF-8, latin1 is ISO-8859-1). The parameter outranks the declaration.",
        "Whoever saves the document and parses the file obeys the other label.",
        _AGREE,
        "The specifications allow it, for proxies that convert documents on the way.",
        "RFC 7303 §3"),
    Entry(
        "bom-and-charset", "error", "the BOM says {bom}, the Content-Type says {charset}",
        "The byte order mark and the charset parameter name different encodings. By RFC 3023 the parameter "
        "counts, by RFC 7303 the BOM.",
        "Readers that obey the RFC of the other year.",
        _AGREE,
        "The two RFCs order different readings.",
        "RFC 3023 §3.2; RFC 7303 §3.3"),
    Entry(
        "label-unknown", "error", "{witness} names {label}, which is no charset that is known",
        "The label stands neither in the IANA registry nor in the Encoding Standard, nor is it known from "
        "elsewhere.",
        "Strict consumers: XML calls it a fatal error.",
        "Name the encoding that the document is in; best be UTF-8.",
        "A parser that does not know the encoding must stop.",
        "XML 1.0 §4.3.3"),
    Entry(
        "label-misspelt", "error", "{witness} names {label}; {name} is meant",
        "No registry has this spelling. Lenient reading guesses what is meant; parsers do not.",
        "Strict consumers: XML calls it a fatal error.",
        "Spell the label as it is registered.",
        "A parser that does not know the encoding must stop.",
        "XML 1.0 §4.3.3"),
    Entry(
        "label-refused", "error", "{witness} names {label}, which is not decoded: {why}",
        "The charset exists, and decoding it is unsafe or nobody does it.",
        "Browsers and most parsers refuse it too.",
        "Convert the document to UTF-8.",
        "There is no text.",
        "Encoding Standard §4.2"),
    Entry(
        "label-unregistered", "info", "{witness} names {label}; the registered name is {name}",
        "The label is understood, but it is no name and no alias in the IANA registry (utf8, cp1252, "
        "x-sjis).",
        "Hardly anybody: parsers on platforms that do not know the alias.",
        "Write the registered name.",
        "Most parsers know it.",
        "XML 1.0 §4.3.3"),
    Entry(
        "encoding-obscure", "info", "{name} is an encoding that browsers do not decode",
        "The Encoding Standard does not know the encoding (UTF-32, EBCDIC and others). XML parsers must "
        "know UTF-8 and UTF-16 only.",
        "Readers built on a browser, or on a small XML parser.",
        "Convert the document to UTF-8.",
        "The label is right, and the text is read where the encoding is known.",
        "XML 1.0 §2.2; Encoding Standard §4.2"),
    Entry(
        "utf-16-without-bom", "info", "UTF-16 and UTF-32 should begin with a BOM",
        "XML demands a byte order mark of documents in UTF-16, unless they are labelled UTF-16BE or "
        "UTF-16LE. The first octets show the order all the same.",
        "Parsers that do not look at the first octets.",
        "Begin the document with a BOM.",
        "The order is plain from the XML declaration.",
        "XML 1.0 §4.3.3"),
    Entry(
        "octets-contradict-label", "error", "the labels say {name}, the octets are visibly {shape}",
        "By its labels the document is in an encoding in which its octets cannot be XML: UTF-16 without the"
        " NULs, UTF-8 with them, ASCII that is EBCDIC.",
        "Every consumer that obeys the labels.",
        "Name the encoding that the document is in.",
        "Read as labelled there is no markup.",
        "XML 1.0 Appendix F"),
    Entry(
        "plainly-utf-8", "error", "{witness} says {label}, the octets are plainly UTF-8",
        "Text beyond ASCII is well-formed UTF-8, so much of it that chance is ruled out; the label names "
        "another charset.",
        "Every consumer that obeys the label shows Ã© where é is meant.",
        "Name UTF-8.",
        "Obedient consumers get the wrong text.",
        "RFC 3023 §3.2; XML 1.0 §4.3.3"),
    Entry(
        "mixed-encodings", "error",
        "the document mixes UTF-8 with {name}: {sequences} UTF-8 sequences beside {places} places that are "
        "none",
        "Items of different origin were pasted together without converting them.",
        "Every consumer: in one half or the other the text is wrong.",
        "Convert each item to UTF-8 before it goes in. `feedcharset repair` does it afterwards.",
        "No label can be right.",
        "XML 1.0 §4.3.3"),
    Entry(
        "undecodable", "error", "{octets} is not {name}",
        "Octets that the encoding does not know. The places are runs of them; each is reported, up to the "
        "limit.",
        _STOPS,
        "Write the character in the encoding that the labels name, or correct the label.",
        "XML calls it a fatal error.",
        "XML 1.0 §4.3.3"),
    Entry(
        "forbidden-character", "error", "the character {character} is not allowed in XML",
        "Control characters other than TAB, LF and CR, and U+FFFE and U+FFFF, may not stand in a document, "
        "not even in CDATA.",
        "Every parser loses the whole document by one of them.",
        "Remove it; `feedcharset cat --xml-chars space` does.",
        "The document is not well-formed.",
        "XML 1.0 §2.2"),
    Entry(
        "forbidden-reference", "error", "{reference} refers to a character that is not allowed in XML",
        "A character that may not stand in a document may not be written as a reference either.",
        "Every parser loses the whole document by one of them.",
        "Remove it.",
        "The document is not well-formed.",
        "XML 1.0 §4.1"),
    Entry(
        "c1-control", "warning", "{octets} is the control character {character}",
        "The C1 controls (U+0080 to U+009F) are legal and mean nothing in a feed. Mostly the octets are "
        "windows-1252 under the label ISO-8859-1: quotation marks, dashes, the euro sign.",
        "Consumers that obey the label show nothing, or a box.",
        "Name windows-1252, or write the character in UTF-8.",
        "Lenient consumers, browsers among them, read windows-1252.",
        "Encoding Standard §4.2; XML 1.0 §2.2"),
    Entry(
        "mojibake", "warning", "{found} is probably {meant}, decoded wrongly before it was published",
        "UTF-8 was read in another charset and written again. The labels may be right; the text is wrong.",
        "Every reader sees the debris.",
        "Mend the data where it comes from; `feedcharset cat --mojibake fix` undoes it in the output.",
        "It is probable, not certain.",
        ""),
    Entry(
        "before-declaration", "error", "{what} before the XML declaration",
        "The declaration must be the very first thing in the document, after one BOM at the most.",
        "Every parser: XML calls it a fatal error.",
        "Remove it. A blank line after a closing ?> in a PHP file is the usual reason.",
        "The document is not well-formed.",
        "XML 1.0 §2.8"),
    Entry(
        "declaration-grammar", "error", "the XML declaration is out of grammar: {flaws}",
        "The version must come first, then the encoding, then standalone, each in quotes, with white space "
        "between.",
        "Parsers refuse the document; those that forgive differ in what they read.",
        "Write the declaration as the fix spells it.",
        "The document is not well-formed.",
        "XML 1.0 §2.8"),
    Entry(
        "policies-differ", "warning",
        "readers that obey RFC 3023 {one}; readers that obey RFC 7303 {other}",
        "The two RFCs give different text for this document under this Content-Type.",
        "Readers that obey the one or the other.",
        "Send the fix: under it both read the same.",
        "Either reading is right by its RFC.",
        "RFC 7303 §3"),
    Entry(
        "file-differs", "info", "a parser without HTTP {one}",
        "The document is right under its Content-Type, but by itself it is not: whoever saves it and opens "
        "the file reads another text.",
        "Archives, mirrors, and everybody who debugs with a saved copy.",
        "Say in the document what the Content-Type says.",
        "Over HTTP everything is right.",
        "RFC 7303 §8.1"),
)
# fmt: on

_BY_CODE = {entry.code: entry for entry in CATALOGUE}


def entry(code: str) -> Entry:
    """The entry of a code.

    Raises:
        KeyError: there is none.
    """
    return _BY_CODE[code]
