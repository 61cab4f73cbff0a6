"""The kinds of findings that `check` makes, as data, and the findings of one document.

Each kind has a code, its meaning, whom it affects, the remedy and its severity; a code never changes its
meaning. Each rule of the published tables that is an error is a kind, too. The page
docs/reference/findings.md is generated from here. `FindingList` collects what is found in a document: equal
findings as one with a count, and of a code as many as the limit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from feedcharset.decide.published_tables import POLICIES, Row
from feedcharset.decide.strict_decision import ERRORS, tables
from feedcharset.results.report import Finding, Severity
from feedcharset.validate.fixes import Fix, Fixes
from feedcharset.validate.text_blocks import Position, TextBlock

AnyFix: TypeAlias = Fix | Callable[[Fixes], Fix | None] | None
"""A fix, or a function that is called with the fixes when the document has been read to its end."""

SHOWN_CHARACTERS = 64
"""Characters of an outside value that a message shows: those of the longest label that is looked up."""

COMPARED = 5_000
"""Occurrences of a code that are compared with those before: a third of a second of work. Later ones are only
counted."""

LISTED_OFFSETS = 100
"""Offsets that a finding lists: as many as `Repairs.offsets`."""


# -- the kinds --------------------------------------------------------------------------------------------


class FindingKind(NamedTuple):
    """One kind of finding."""

    code: str
    severity: Severity
    message: str
    """The sentence of the finding; `{names}` are filled in where it is made."""
    meaning: str
    affects: str
    """Which consumers."""
    remedy: str
    severity_reason: str
    """Why it has this severity."""
    spec: str


AGREE = "Make them name the same encoding, or remove the wrong one."
STRICT_STOP = "Strict consumers stop here: they must not guess the encoding."

_RULE_REMEDIES = {
    "2.2": "Remove the BOM, or send charset=UTF-16, which requires one.",
    "2.2-32": "Remove the BOM, or send charset=UTF-32, which requires one.",
    "2.4": "Begin the document with a BOM, or name the byte order in the charset.",
    "2.4-32": "Begin the document with a BOM, or name the byte order in the charset.",
    "3.2": "Begin the document with a BOM, or name the byte order in the charset.",
    "2.6": "Send an XML media type: application/rss+xml, application/atom+xml, application/xml.",
    "3.9": "Send an XML media type: application/rss+xml, application/atom+xml, application/xml.",
}


def _rule_kinds() -> tuple[FindingKind, ...]:
    """A kind of finding for each row of the tables that is an error."""
    rows: dict[str, tuple[str, Row]] = {}
    for policy in POLICIES:
        for table in tables(policy):
            name = "RFC 3023" if policy == "rfc3023" else "RFC 7303"
            rows.update((row.id, (name, row)) for row in table if row.then in ERRORS)
    return tuple(
        FindingKind(
            f"rule-{row.id}",
            "error",
            "the document is refused: {why} (rule {rule})",
            f"{row.why[0].upper()}{row.why[1:]}. Rule {row.id} of {name} is an error.",
            STRICT_STOP,
            _RULE_REMEDIES.get(row.id, AGREE),
            "The rules give no encoding, so there is no text.",
            row.spec,
        )
        for name, row in rows.values()
    )


# fmt: off
CATALOGUE: tuple[FindingKind, ...] = (
    FindingKind(
        "body-empty", "error", "the document is empty",
        "It has no bytes, or only a BOM and white space.",
        "Every consumer.",
        "Look at the server: often it failed and sent status 200 all the same.",
        "There is no document.",
        "XML 1.0 §2.1"),
    FindingKind(
        "body-html", "error", "this is an HTML page, not a feed",
        "The document begins as a web page: mostly an error page, or a page with a consent or login form.",
        "Every consumer: a page has no items, and HTML is seldom well-formed XML.",
        "Send the feed at this address, and errors with a status of 4xx or 5xx.",
        "There is no feed.",
        "XML 1.0 §2.1"),
    FindingKind(
        "body-binary", "error", "this is {kind}, not XML",
        "The document begins as an image, a PDF, audio, video or a program, or as an archive that HTTP "
        "clients do not unpack (zip, zstd, gzip within gzip).",
        "Every consumer.",
        "Send the XML itself; compress it by Content-Encoding, which HTTP unpacks.",
        "There is no feed.",
        "XML 1.0 §2.1"),
    FindingKind(
        "no-xml", "error", "this is text without any markup, not XML",
        "The document has no tag: it is plain text, JSON, or the message of a server.",
        "Every consumer.",
        "Look at what the server sends at this address.",
        "There is no feed.",
        "XML 1.0 §2.1"),
    FindingKind(
        "gzip-body", "error", "the body is gzip, without a Content-Encoding",
        "HTTP unpacks a body only where Content-Encoding names the coding. The findings below are about "
        "what the gzip holds; offsets count in that.",
        "Every parser that is given the body: 1F 8B begins no XML.",
        "Send Content-Encoding: gzip, or the XML as it is.",
        "XML parsers refuse the first byte.",
        "RFC 9110 §8.4"),
    FindingKind(
        "coding-not-applied", "error", "Content-Encoding names {coding}, and the body is not packed",
        "The header of the response names a coding that was not applied: the body begins as text; or a word "
        "that is no coding (`utf-8`, `binary`).",
        "Browsers and HTTP clients that remove the coding, or do not know it: they show an error.",
        "Send no Content-Encoding, or apply the coding that it names.",
        "HTTP clients fail before any parser sees the document.",
        "RFC 9110 §8.4"),
    FindingKind(
        "gzip-file", "info", "the file is gzip",
        "The findings are about what the gzip holds; offsets count in that.",
        "No consumer, if the server sends it with Content-Encoding: gzip.",
        "Nothing, for a file that is stored compressed.",
        "A file has no Content-Encoding.",
        "RFC 1952"),
    FindingKind(
        "gzip-broken", "error", "the gzip {why}",
        "The checksum, the length or the data of the gzip is wrong, or it grows more than 1000:1, and what "
        "follows is not read; or bytes that are no gzip follow it.",
        "Every consumer: some refuse the document, and to others its end may be missing.",
        "Write the file again. The usual cause is a full disk or an interrupted connection.",
        "Part of the text may be lost.",
        "RFC 1952"),
    *_rule_kinds(),
    FindingKind(
        "content-type-grammar", "warning", "the Content-Type is out of grammar: {flaws}",
        "The field does not follow the grammar, or names the charset in another parameter than charset=. It "
        "is read by the MIME Sniffing standard and a few tolerances beyond it.",
        "Consumers that parse it strictly see no charset, or no media type.",
        "Send the field as the fix has it.",
        "Parsers of this field tolerate different errors.",
        "RFC 9110 §8.3.1"),
    FindingKind(
        "media-type-of-another-format", "warning",
        "the media type {media_type} is not that of a document <{root}>",
        "application/atom+xml, application/rss+xml and application/rdf+xml name one format each, and the "
        "document is in another.",
        "Consumers that choose their parser by the media type.",
        "Send the media type of the format.",
        "Most consumers look at the document itself.",
        "RFC 4287 §7"),
    FindingKind(
        "text-xml-without-charset", "warning",
        "{media_type} without a charset is US-ASCII by RFC 3023, and {others} by RFC 7303",
        "By RFC 3023 (2001) text/xml without a charset is US-ASCII, whatever the document declares. By RFC "
        "7303 (2014) the BOM or the declaration decides.",
        "Consumers that follow RFC 3023 lose every non-ASCII character, or the document.",
        "Name the charset, or send application/xml or a type of its own such as application/rss+xml.",
        "RFC 7303 has replaced the rule, and most consumers never followed it.",
        "RFC 3023 §3.1; RFC 7303 §3"),
    FindingKind(
        "charset-and-declaration", "warning",
        "the Content-Type names {charset}, the declaration names {declared}",
        "The charset parameter and the XML declaration name different charsets (compared as charsets: utf8 "
        "is UTF-8, latin1 is ISO-8859-1). The parameter outranks the declaration.",
        "A parser of the saved file uses the declaration, and reads another text.",
        AGREE,
        "The specifications allow it, for proxies that convert documents on the way.",
        "RFC 7303 §3"),
    FindingKind(
        "bom-and-charset", "error", "the BOM is that of {bom}, the Content-Type names {charset}",
        "The byte order mark and the charset parameter name different encodings. By RFC 3023 the parameter "
        "counts, by RFC 7303 the BOM.",
        "Consumers that follow the other of the two RFCs.",
        AGREE,
        "The two RFCs require different readings.",
        "RFC 3023 §3.2; RFC 7303 §3.3"),
    FindingKind(
        "label-unknown", "error", "{origin} names {label}, which is not a known charset",
        "The label is neither in the IANA registry nor in the Encoding Standard, nor is it another known "
        "spelling.",
        "Strict consumers: it is a fatal error of XML.",
        "Name the encoding that the document is in, or convert it to UTF-8.",
        "A parser that does not know the encoding must stop.",
        "XML 1.0 §4.3.3"),
    FindingKind(
        "label-misspelt", "error", "{origin} names {label}; the registered label is {name}",
        "No registry has this spelling. Lenient reading accepts it; parsers do not.",
        "Strict consumers: it is a fatal error of XML.",
        "Write the registered label.",
        "A parser that does not know the encoding must stop.",
        "XML 1.0 §4.3.3"),
    FindingKind(
        "label-refused", "error", "{origin} names {label}, which is not decoded: {why}",
        "The charset exists, but decoding it is unsafe, or no consumer does it.",
        "Browsers and most parsers refuse it too.",
        "Convert the document to UTF-8.",
        "There is no text.",
        "Encoding Standard §4.2"),
    FindingKind(
        "label-unregistered", "info", "{origin} names {label}; the registered name is {name}",
        "The label is known, but it is neither a name nor an alias in the IANA registry (utf8, cp1252, "
        "x-sjis).",
        "Few: parsers that do not know the alias.",
        "Write the registered name.",
        "Most parsers know it.",
        "XML 1.0 §4.3.3"),
    FindingKind(
        "encoding-obscure", "info", "{name} is an encoding that browsers do not decode",
        "The Encoding Standard does not know the encoding (UTF-32, EBCDIC and others). XML parsers must "
        "know UTF-8 and UTF-16 only.",
        "Readers built on a browser, or on a small XML parser.",
        "Convert the document to UTF-8.",
        "The label is right, and the text is read where the encoding is known.",
        "XML 1.0 §2.2; Encoding Standard §4.2"),
    FindingKind(
        "encoding-unsupported", "warning", "{encoding}, which {parsers} cannot read",
        "Usual XML parsers do not know the label, or the encoding. XML requires UTF-8 and UTF-16 only. The "
        "parsers were tried in the versions that the message names.",
        "Every program that uses one of these parsers: PHP, Ruby, lxml and xmllint use libxml2; Python's xml "
        "package, Perl and many C programs use expat.",
        "Write a label that they know, or convert the document to UTF-8.",
        "Other parsers read the document correctly.",
        "XML 1.0 §4.3.3"),
    FindingKind(
        "itunes-not-utf-8", "info", "a podcast feed in {name}",
        "The document binds the iTunes namespace. Apple's podcast directory requires UTF-8.",
        "Podcast directories.",
        "Convert the document to UTF-8.",
        "Every other consumer reads the document correctly.",
        "Apple Podcasts RSS feed requirements"),
    FindingKind(
        "utf-16-without-bom", "info", "UTF-16 and UTF-32 should begin with a BOM",
        "XML requires a byte order mark in UTF-16 documents, unless they are labelled UTF-16BE or "
        "UTF-16LE. The first bytes show the byte order all the same.",
        "Parsers that do not look at the first bytes.",
        "Begin the document with a BOM.",
        "The XML declaration shows the byte order.",
        "XML 1.0 §4.3.3"),
    FindingKind(
        "octets-contradict-label", "error", "{label}, but the bytes are {shape}",
        "In the encoding of its label the document cannot be XML: UTF-16 without NUL bytes, UTF-8 with them, "
        "US-ASCII for EBCDIC bytes.",
        "Every consumer that uses the label.",
        "Name the encoding that the document is in.",
        "Read as labelled, the document has no markup.",
        "XML 1.0 Appendix F"),
    FindingKind(
        "plainly-utf-8", "error", "{origin} names {label}, but the bytes are UTF-8",
        "The non-ASCII bytes are well-formed UTF-8, in a number that rules out chance; the label names "
        "another charset.",
        "Every consumer that uses the label shows Ã© instead of é.",
        "Name UTF-8.",
        "Consumers that use the label get the wrong text.",
        "RFC 3023 §3.2; XML 1.0 §4.3.3"),
    FindingKind(
        "label-sibling", "error", "{origin} names {label}, but the bytes are {name}",
        "The text has bytes that are letters of another page of the same script (windows-1250, KOI8-U), and "
        "control characters, signs or nothing in the page that is named (ISO-8859-2, KOI8-R), or it is in "
        "ISO-8859-2 and labelled windows-1250. The two pages have some letters at different places.",
        "Every consumer that uses the label shows wrong letters, and nothing for some.",
        "Name the other page, or convert the document to UTF-8.",
        "Consumers that use the label get the wrong text.",
        "XML 1.0 §4.3.3"),
    FindingKind(
        "letters-of-dos", "warning",
        "{origin} names {label}, but the letters are like those of {name}, and hardly of any text in it",
        "The text has signs within words where a page of DOS or Mac has letters: `Gr\u201d\xe1e` is "
        "`Gr\xf6\xdfe` in IBM850. No byte contradicts the label.",
        "Every consumer shows wrong letters.",
        "Read it in encodings of its language (`feedcharset cat --encoding IBM852`); convert it to UTF-8.",
        "Consumers get the wrong text, but only a person knows the right one.",
        "XML 1.0 §4.3.3"),
    FindingKind(
        "encoding-unnamed", "error",
        "not all bytes are UTF-8, and no label names them for certain; lenient reading guesses {guess}",
        "The document has non-ASCII bytes that are not UTF-8. It has no label, one that cannot be true, "
        "or few characters beside bytes that its label does not decode. Lenient reading guesses the "
        "encoding, by convention or by a detector, and the guess may be wrong.",
        "Every consumer.",
        "Convert the document to UTF-8, or name the encoding that it is really in. A label that was guessed "
        "would only make wrong characters look right. `feedcharset repair` converts what is UTF-8 with stray "
        "bytes of windows-1252.",
        "XML requires a label for every encoding other than UTF-8 and UTF-16.",
        "XML 1.0 §4.3.3"),
    FindingKind(
        "mixed-encodings", "error",
        "the document mixes UTF-8 with {name}: {what}",
        "Items in different encodings were put into one document without conversion.",
        "Every consumer: a part of the text is wrong.",
        "Convert each item to UTF-8 before it is added. `feedcharset repair` converts the finished document "
        "where the other encoding is windows-1252.",
        "No label can be right.",
        "XML 1.0 §4.3.3"),
    FindingKind(
        "undecodable", "error", "{bytes} is not {name}",
        "Bytes that are no character in this encoding. Each run of them is one place, reported up to the "
        "limit.",
        STRICT_STOP,
        "Write the character in the labelled encoding, or correct the label. `feedcharset repair` converts "
        "stray bytes of windows-1252 in UTF-8; surrogate pairs (CESU-8) with `--cesu8 join`.",
        "It is a fatal error of XML.",
        "XML 1.0 §4.3.3"),
    FindingKind(
        "forbidden-character", "error", "the character {character} is not allowed in XML",
        "Control characters other than TAB, LF and CR, and U+FFFE and U+FFFF, are not allowed in a document, "
        "not even in CDATA. In XML 1.1, U+007F to U+009F other than U+0085 are not allowed either.",
        "Every parser refuses the whole document because of one of them.",
        "Remove it; `feedcharset cat --xml-chars space` does. XML 1.1 allows a reference to it.",
        "The document is not well-formed.",
        "XML 1.0 §2.2, XML 1.1 §2.2"),
    FindingKind(
        "forbidden-reference", "error", "{reference} refers to a character that is not allowed in XML",
        "A character that is not allowed in a document is not allowed as a reference either.",
        "Every parser refuses the whole document because of one of them.",
        "Remove it.",
        "The document is not well-formed.",
        "XML 1.0 §4.1"),
    FindingKind(
        "c1-control", "warning", "{bytes} is the control character {character}",
        "The C1 controls (U+0080 to U+009F) are legal but have no use in a feed. Mostly the bytes are "
        "windows-1252 under the label ISO-8859-1: quotation marks, dashes, the euro sign.",
        "Consumers that use the label show nothing, or a box.",
        "Name windows-1252, or write the character in UTF-8.",
        "Lenient consumers, browsers among them, read windows-1252.",
        "Encoding Standard §4.2; XML 1.0 §2.2"),
    FindingKind(
        "c1-reference", "warning", "{reference} refers to the control character {character}",
        "The number of a reference is that of the character in Unicode, whatever the document is encoded in. "
        "U+0080 to U+009F are control characters there; in windows-1252 these numbers are quotation marks, "
        "dashes, the euro sign.",
        "XML parsers give the control character, of which readers show nothing, or a box.",
        "Write the number in Unicode: &#8217; for &#146;.",
        "Browsers take &#146; in HTML for the character of windows-1252, and it is legal in XML.",
        "XML 1.0 §4.1; HTML Standard §13.2.5.80"),
    FindingKind(
        "mojibake", "warning", "{found} is probably {meant}, decoded wrongly before it was published",
        "UTF-8 was decoded as another charset and encoded again. The label may be right; the text is wrong. "
        "Found is what `mojibake=\"fix\"` changes with 300 characters on either side, but a row of letters "
        "and `×` alone, of which it hardly ever changes one (`×Ø`). Of 228 titles in 24 "
        "languages it is all that was decoded as ISO-8859-1; 98 % as windows-1252, -1254 or -1257, "
        "93 % as windows-1250 or code page 437, 86 % as ISO-8859-2 or Mac Roman, 71 % as windows-1253, 36 % "
        "as windows-1251, 21 % as windows-1256; none as KOI8-R, code page 866 or an East Asian charset, nor "
        "text of one legacy charset that was decoded as another (Ïðèâåò). The search ends after 5,000 "
        "runs of text, or 20,000 changes; the message then names the byte.",
        "Every consumer shows the wrong characters.",
        "Correct the stored data; `feedcharset cat --mojibake fix` corrects the output.",
        "It is probable, not certain.",
        ""),
    FindingKind(
        "replacement-character", "info",
        "{what} stands for a character that was lost before this document was written",
        "U+FFFD is what a decoder writes where bytes were not in the charset that it was told. The document "
        "has it as a character, as a reference, or as mojibake of it.",
        "Every consumer shows a sign such as � instead of a letter.",
        "Look up the text where it comes from, and correct the label or the decoder there.",
        "Every consumer reads the same text. Only the publisher can know what was meant.",
        "Unicode §5.22"),
    FindingKind(
        "before-declaration", "error", "{what} before the {behind}",
        "The declaration must be the first thing in the document, after at most one BOM.",
        "Every parser: it is a fatal error of XML.",
        "Remove it. The usual cause is a blank line after a closing ?> in a PHP file.",
        "The document is not well-formed.",
        "XML 1.0 §2.8"),
    FindingKind(
        "declaration-grammar", "error", "the XML declaration is out of grammar: {flaws}",
        "The version must come first, then the encoding, then standalone, each in quotes, with white space "
        "between.",
        "Parsers refuse the document; tolerant ones read different text.",
        "Write the declaration as the fix has it.",
        "The document is not well-formed.",
        "XML 1.0 §2.8"),
    FindingKind(
        "not-well-formed", "error", "the markup is {verdict}: {why}",
        "The parser lxml (libxml2) refuses the document here, or finds a namespace prefix that is not "
        "declared. Its verdict is about the markup alone; other findings are about the encoding. Markup "
        "that is refused by lxml, and well-formed for other parsers, has an ID that is no name or stands "
        "twice (looked for where the document is in hand as a whole, mostly to 256 KiB), a prefix in an "
        "entity that is declared around its reference, a wrong address of a namespace, or a document type "
        "that declares what is not valid. An error in an entity that another one refers to has no place.",
        "Every XML parser; readers that repair markup show what they can.",
        "Correct the markup at this place, and check again: only the first error is reported. Escape & and < "
        "in text that comes from elsewhere, or write the document with an XML library.",
        "XML requires that a parser stops at the first such error.",
        "XML 1.0 §2.1; Namespaces in XML 1.0 §7"),
    FindingKind(
        "parser-limit", "error", "parsers stop here, at a limit of their own: {why}",
        "XML has no limits, but parsers have, against documents that are made to exhaust them: on what "
        "entities expand to, on elements in one another (256; one more without elements is not seen; looked "
        "for where the document is in hand as a whole, mostly to 256 KiB), and on the size of a name, a tag, "
        "a text, a comment or a section. Of declarations in the DTD feedcharset reads 100,000. What follows "
        "is not checked for well-formedness. References that XML 1.1 alone allows are such, too.",
        "Programs that use libxml2 (lxml, PHP, Ruby, xmllint) or a parser with similar limits.",
        "Write texts where they stand instead of as entities; divide what is too large.",
        "lxml and all that is built on libxml2 refuse the document, also where it is well-formed.",
        "libxml2 parserInternals.h"),
    FindingKind(
        "undeclared-entity", "warning", "{who} what the entity {why} is",
        "Only another file says it (an external DTD, or the one at the address of the entity), and hardly a "
        "reader loads one. Or it is a parameter entity (%name;): some readers stop at it, others pass over "
        "the entities that are declared in it and behind it. It is no error of XML. Only the first is "
        "reported.",
        "Most parsers: many refuse the document, others leave the reference out.",
        "Write the character itself, or a numeric reference: &#160; for &nbsp;.",
        "A parser that loads the DTD reads it; feedcharset's parse knows the names of HTML.",
        "XML 1.0 §4.1"),
    FindingKind(
        "xml-1.1", "info", "the document is XML 1.1",
        "XML 1.1 (2004) is hardly used. Feed formats are defined on XML 1.0.",
        "Parsers that know XML 1.0 only.",
        "Declare version 1.0, unless the document needs a character that only XML 1.1 allows.",
        "Most parsers read it all the same.",
        "XML 1.1 §1.3"),
    FindingKind(
        "policies-differ", "warning",
        "consumers that follow RFC 3023 {one}; consumers that follow RFC 7303 {other}",
        "The two RFCs give different text for this document under this Content-Type.",
        "Consumers that follow one of the two.",
        "Send the header of the fix: with it both read the same text.",
        "Each reading is right by its RFC.",
        "RFC 7303 §3"),
    FindingKind(
        "file-differs", "warning", "a parser of the saved file {one}",
        "With its Content-Type the document is read correctly, but the saved file is not: it has no label "
        "of its own.",
        "Archives, mirrors, and tools that open a saved copy.",
        "Name the encoding in the XML declaration, too.",
        "Over HTTP the document is read correctly; the saved file is not.",
        "RFC 7303 §8.1"),
)
# fmt: on

KINDS = {kind.code: kind for kind in CATALOGUE}
NOT_PARSED = ("not-well-formed", "before-declaration", "gzip-body")
"""Findings for which XML parsers refuse a document, though its text alone may be well-formed."""
"""The same by their codes."""


# -- the findings of a document ---------------------------------------------------------------------------

_RANK = {code: rank for rank, code in enumerate(KINDS)}


class Occurrences:
    """Equal findings; or those of a code beyond the limit."""

    def __init__(self, finding: Finding, fix: AnyFix, beyond: bool) -> None:
        self.finding: Finding = finding
        self.fix = fix
        self.beyond = beyond
        self.count: int = 0
        self.offsets: list[int] = []

    def place(self, position: Position) -> None:
        """Note where the first of them stands."""
        self.finding = self.finding._replace(**position._asdict())

    def add(self, offsets: Iterable[int], count: int = 1) -> None:
        """Count some more, and keep the first of their offsets."""
        self.offsets = sorted([*self.offsets, *offsets])[:LISTED_OFFSETS]
        self.count += count


class FindingList:
    """The findings of one document.

    `limit`: different findings of one code; one more finding counts those beyond it.
    """

    def __init__(self, block: TextBlock, limit: int) -> None:
        self._block = block
        self._limit = limit
        self.lower_limits: dict[str, int] = {}
        """For codes of which fewer different findings are reported."""
        self.groups: dict[str, dict[str, Occurrences]] = {}
        """For each code the findings by their messages."""
        self.unsearched: dict[str, int] = {}
        """For codes whose search has ended, the byte from which on nothing is looked for."""
        self._compared: dict[str, int] = defaultdict(int)
        self._counted: dict[str, int] = defaultdict(int)
        """Of each code the occurrences that were compared, and those that were only counted."""

    def compared(self, code: str, count: int) -> int:
        """How many of the next `count` occurrences of a code are compared; the others are only counted."""
        compared = min(count, COMPARED - self._compared[code])
        self._compared[code] += compared
        self._counted[code] += count - compared
        return compared

    def add(self, code: str, position: Position | None = None, fix: AnyFix = None, **values: object) -> None:
        """Add a finding whose position is known, or that has none."""
        group = self._group(code, fix, values)
        if position is not None:
            group.place(position)
        group.add([position.offset] if position is not None and not group.count else [])

    def at(
        self,
        code: str,
        offset: int,
        end: int,
        span: tuple[int, int] | None,
        fix: AnyFix = None,
        **values: object,
    ) -> Occurrences:
        """Add a finding about bytes of the document; return all that are equal.

        `span`: their characters in the text block, if they are known.
        """
        group = self._group(code, fix, values)
        if not group.count:
            self._block.place(offset, end, group.place, span)
        group.add([offset])
        return group

    def _group(self, code: str, fix: AnyFix, values: dict[str, object]) -> Occurrences:
        kind, groups = KINDS[code], self.groups.setdefault(code, {})
        message = kind.message.format(**values)
        group, last = groups.get(message), next(reversed(groups.values()), None)
        if group is None and last is not None and last.beyond:
            group = last
        if group is None:
            beyond = len(groups) >= min(self._limit, self.lower_limits.get(code, self._limit))
            group = Occurrences(Finding(code, kind.severity, message, spec=kind.spec), fix, beyond)
            groups[message] = group
        return group

    def findings(self, fixes: Fixes | None) -> tuple[Finding, ...]:
        """All of them: what concerns the whole document first, then by position."""
        if not self.groups:
            return ()
        found = []
        for code, groups in self.groups.items():
            last = next(reversed(groups.values()))
            last.count += self._counted[code]
            if (offset := self.unsearched.get(code)) is not None:
                message = f"{last.finding.message}; what follows byte {offset:,} is not searched"
                last.finding = last.finding._replace(message=message)
        whole = [one for one in self.groups.get("mojibake", {}).values() if not one.beyond]
        sizes = ((one.offsets, (one.finding.end_offset or 0) - (one.finding.offset or 0)) for one in whole)
        # Where in turn each text begins and ends that has a fix as a whole.
        edges = sorted(edge for offsets, size in sizes for at in offsets for edge in (at, at + size))
        for group in (group for groups in self.groups.values() for group in groups.values()):
            finding, fix = group.finding, group.fix
            if group.beyond and group.count > 1:
                finding = finding._replace(message=f"{finding.message} (and {group.count - 1:,} more)")
            if callable(fix):
                fix = fix(fixes) if fixes is not None else None
            control = finding.code in ("c1-control", "forbidden-character")
            if control and fix is not None and fix.kind == "replace":
                is_part = any(bisect_right(edges, offset) % 2 for offset in group.offsets)
                fix = None if is_part else fix  # the character would stay with what makes it another one
            if group.beyond and group.count > 1 and fix is not None and fix.kind == "replace":
                fix = None  # it is that of the first of them
            if fix is not None:
                finding = finding._replace(fix=fix.text, fix_kind=fix.kind)
            found.append(finding._replace(count=group.count, offsets=tuple(group.offsets)))
        return tuple(
            sorted(found, key=lambda one: (one.offset is not None, one.offset or 0, _RANK[one.code]))
        )


def quoted(label: str) -> str:
    """An outside value in quotes, bounded, without characters that act on a terminal."""
    return repr(label if len(label) <= SHOWN_CHARACTERS else label[: SHOWN_CHARACTERS - 3] + "...")


def spelled(data: bytes, most: int = 8) -> str:
    """Bytes in hexadecimal, a few of them."""
    text = data[:most].hex(" ").upper()
    return f"{text} ..." if len(data) > most else text
