"""Whether a document is well-formed: the verdict of lxml's strict parser on its text, in constant memory.

Where there is no lxml, as in a browser, it is the verdict of expat, which Python brings. The parser gets the
text as lenient reading gives it, in UTF-8, so that the verdict is about markup alone. What other findings
are about is replaced by as many harmless characters, which keeps lines and columns: the XML declaration and
what stands before it, undecodable bytes, forbidden characters and references to them.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from io import IncrementalNewlineDecoder
from types import SimpleNamespace
from typing import Any, NamedTuple

from feedcharset.evidence.declaration import DECLARATION_LIMIT, parse_declaration
from feedcharset.text.source_positions import LinePosition
from feedcharset.text.xml_text import FORBIDDEN_ASCII, XML_NAME, XML_SPACE
from feedcharset.validate.text_blocks import CUT, LEAST_TEXT, TextBlock, TextPiece

FORBIDDEN_CHARACTER = re.compile(f"[{FORBIDDEN_ASCII.decode()}\ufffe\uffff]")
"""XML 1.0 §2.2, without surrogates."""

NUMBERED_REFERENCE = re.compile(
    r"&#(?:0{0,32}(?:[0-8]|1[124-9]|2[0-9]|3[01]|12[89]|1[345][0-9])|[0-9]{5,40}"
    r"|x0{0,32}(?:[0-8bcefBCEF]|[189][0-9a-fA-F])|x[0-9a-fA-F]{4,40});"
)
"""References that may be to a C1 control, or to a character that XML forbids, of any practical length."""

_STANDING_ALONE = '<?xml version="1.0" standalone="yes"?>'
DECLARATION_ANYHOW = re.compile(rf"<\?({XML_SPACE}*+)([xX][mM][lL])[ \t\r\n?>]")
"""A declaration, also one in capitals or with white space before its name."""
_SPACES = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))
_ANY_SURROGATE = re.compile("[\ud800-\udfff]")

# libxml2's push parser waits at an & for a semicolon, if need be to the end of the document: the text piles
# up, and when the error comes, its place is no more in hand. So in a block without one a character becomes
# one: the first letter or digit behind white space after the &, or behind a `>`, with no quotation mark
# between. It is text there, or stands where any character may (a section, a comment, a value).
_PLAIN_CHARACTER = re.compile(rb"(?:&[^<>&\"'%=\s]*+\s|>)[^<>&\"'%=0-9A-Za-z]*+([0-9A-Za-z])")

TEXT_LIMIT = 10_000_000
"""Bytes of a text in UTF-8, as libxml2 has it (XML_MAX_TEXT_LENGTH); the parser here keeps no text."""

SECTION_LIMIT = 16 << 20
"""Bytes of a section or comment for whose end the parser waits with all of it, to find it over TEXT_LIMIT."""

DEPTH_LIMIT = 256
"""Elements in one another, as libxml2 has it (xmlParserMaxDepth). One more without elements is not seen."""

SURELY_DEEP = 100_000
"""Start tags without an end tag, in a document that arrives in parts, by which it is surely deeper."""

MOST_DECLARATIONS = 100_000
"""Of a document type, in such a document: the parser keeps some 330 bytes of each. HTML has 2,231 names."""

LEAST_DEEP = DEPTH_LIMIT * len("<a></a>")
"""Bytes in which there may be more."""

UNPARSED = re.compile(
    r"<!\[CDATA\[[^]]*+(?:](?!]>)[^]]*+)*+(?:]]>|(\Z))|<!--[^-]*+(?:-(?!->)[^-]*+)*+(?:-->|(\Z))"
    r"|<[?][^?]*+(?:[?](?!>)[^?]*+)*+(?:[?]>|(\Z))"
)
"""A section, a comment or an instruction; the group of its kind is there where it has no end."""
_SECTION_ENDS = {"<![": "]]>", "<!-": "-->", "<?": "?>"}
_NAMES_OF_SECTIONS = {"]]>": "a CDATA section", "-->": "a comment", "?>": "an instruction"}
_FIRST_TAG = re.compile(rf"(?:{XML_SPACE}|<!--(?:[^-]|-[^-])*+-->|<[?][^?>]*+[?]>)*+<({XML_NAME})")
_GENERAL_ENTITY = re.compile(
    rf"<!ENTITY{XML_SPACE}++({XML_NAME}){XML_SPACE}++(?:(?:SYSTEM|PUBLIC){XML_SPACE}|(\"[^\"]*+\"|'[^']*+'))"
)
"""The name of an entity, and its value; "" where that is another file."""
_MARKUP_REFERENCE = re.compile("&#(?:0*+(?:38|(60))|x0*+(?:26|(3[cC])));")
"""A reference to `&` or `<` in a value, which is read as markup."""
_IN_SUBSET = re.compile(
    r"<!DOCTYPE(?:[^\[<>\"']|\"[^\"]*+\"|'[^']*+')*+\["
    rf"(?:[^]\"'%]|\"[^\"]*+\"|'[^']*+'|%(?!{XML_NAME};))*+%({XML_NAME});"
)
"""A reference between the declarations of a document type, the first one."""
_ANY_ENTITY = re.compile(f"&({XML_NAME});")
_SHORT_REFERENCE = re.compile(r"&[^<>&;\s]{1,40}+;")

_LIMIT_WORDS = ("XML_PARSE_HUGE", "too big", "too long", "amplification", "nesting depth")
"""Words in the messages of libxml2 and expat about their limits. Beyond a limit nothing is judged."""

_ENTITY_WORDS = ("amplification", "nesting depth", "recursive entity")
"""Words in their messages about an entity that refers to others."""
LOOP = "entity reference loop"
"""Words in that of libxml2, which has the place of the reference, or one in the text of an entity."""

_PLAIN = {
    "Start tag expected, '<' not found": "the document does not begin with a tag",
    "Extra content at the end of the document": "something stands after the end of the root element",
    "xmlParseEntityRef: no name": "an & that begins no reference; by itself it is written &amp;",
    "EntityRef: expecting ';'": "a reference without its ; (an & by itself is written &amp;)",
    "StartTag: invalid element name": "a < that begins no tag; by itself it is written &lt;",
    "Sequence ']]>' not allowed in content": "]]> in text, where it is written ]]&gt;",
    "Maximum entity amplification factor exceeded, see xmlCtxtSetMaxAmplification.": (
        "entities expand to more than five times the document"
    ),
    "Excessive depth in document: 257 use XML_PARSE_HUGE option": "more than 256 elements in one another",
    "Unregistered error message": "a CDATA section without its end",
    "CData section not finished": "a CDATA section without its end",
    "Comment not terminated": "a comment without its end",
    "Double hyphen within comment*": "-- within a comment",
    "expected '>'": "no > where a tag or a declaration should end",
    "Couldn't find end of Start Tag *": "no > where the start tag of * should end",
    "Premature end of data in tag *": "the document ends without the end tag of *",
    "error parsing attribute name": "something in a tag that is no attribute",
    "attributes construct error": 'no white space behind an attribute (a " in it is written &quot;)',
    "Specification mandates value for attribute *": "the attribute * has no value",
    "AttValue: \" or ' expected": "an attribute value without quotation marks",
    "AttValue: ' expected": "an attribute value without its last quotation mark",
    "Unescaped '<' not allowed in attributes values": "a < in an attribute value, where it is written &lt;",
    "CharRef: invalid *": "a numbered reference without its number, or its ;",
    "xmlParseCharRef: *": "a numbered reference to no character",
    "xmlParseStringCharRef: *": "a numbered reference to no character",
    "PEReference: no name": "a % that begins no reference",
    "xmlParseStringPEReference: no name": "a % that begins no reference",
    "PEReference: expecting ';'": "a %name without its ;",
    "Failed to parse QName *": "a colon at the wrong place in the name *",
    "xmlParsePI : no target name": "a <? without a name behind it",
    "ParsePI: PI * space expected": "no white space behind the name of <?*",
    "ParsePI: PI * never end ...": "the instruction <?* without its ?>",
    "Content error in the internal subset": "something in the document type that is no declaration",
    "DOCTYPE improperly terminated": "a document type without its >",
    "xmlParseDocTypeDecl : no DOCTYPE name !": "a document type without a name",
    "xmlParseEntityDecl: no name": "a declaration of an entity without a name",
    "xmlParseElementDecl: no name for Element": "a declaration of an element without a name",
    "xmlParseElementDecl: *": "a declaration of an element without EMPTY, ANY or (",
    "ATTLIST: no name for *": "a declaration of attributes without a name",
    "SAX.xmlSAX2NotationDecl(*) externalID or PublicID missing": "the notation * without an identifier",
    "xmlAddNotationDecl: * already defined": "the notation * is declared twice",
    "xmlParseElementChildrenContentDecl : depth *": "too many ( in one another in a declaration",
    **dict.fromkeys(
        ("xmlParseElement*", "MixedContentDecl : *", "ContentDecl : *"),
        "a declaration of an element with something wrong between ( and )",
    ),
    "Space required after *": "no white space behind *",
    "Space required before *": "no white space before *",
    **dict.fromkeys(
        ("SystemLiteral *", "PubidLiteral *"), "an address or an identifier without its quotation marks"
    ),
    "NmToken expected in ATTLIST enumeration": "a declaration of attributes with no names between ( and )",
    "'(' required to start ATTLIST enumeration": "a declaration of attributes without a type",
    "EntityValue: '&' forbidden except for entities references": (
        "an & in the value of an entity that begins no reference; by itself it is written &#38;"
    ),
    "xmlParseEntityDecl: entity * not terminated": "no > where the declaration of the entity * should end",
}
"""What libxml2 says in its own terms, in the first line of its message; `*` is a name."""

_BEGINNINGS = {
    **dict.fromkeys(("an & that", "reference without", "reference to no", "Entity '", "an & in"), "&"),
    "a < that begins no tag": "<",
    **dict.fromkeys(("a % that", "a %name"), "%"),
    "tag mismatch": "</",
}
"""How the markup begins at whose end, or within which, libxml2 stops, by words of the message."""

_WITHOUT_END = {
    "a CDATA section without": "<![CDATA[",
    "a comment without": "<!--",
    "the instruction <?": "<?",
    "value without its last": "<",
}
"""How the markup begins that has no end, by words of the message."""

_NAMES_ATTRIBUTE = re.compile(
    r"Namespace prefix ([^ ]++) for ([^ ]++) on|(?:Attribute|the attribute) ([^ ]++) (?:in|redefined|has no)"
    r"|(xml:id|xmlns(?::[^ :]++)?) ?: |ID ([^ ]++) already"
)
"""What names an attribute in a message."""
_NAME_AND_VALUE = re.compile(
    rf"{XML_SPACE}({XML_NAME})(?:{XML_SPACE}*+={XML_SPACE}*+(?:\"[^\"<]*+\"|'[^'<]*+'))?+"
)
_PREFIXED = re.compile("Namespace prefix ([^ ]++) on ([^ ]++) is")

_BEYOND_MARKUP = {"VALID", "DTD", "WAR_NS_URI", "ERR_URI_FRAGMENT"}
"""libxml2's domains and types of errors that are none of well-formedness: of IDs, of what a document type
declares, of addresses."""

# libxml2 reads ASCII three times as fast as other characters. `^` is allowed where every one is (in texts,
# attribute values, comments, sections) and nowhere else; no URI of a namespace has either. So a document with
# it for each non-ASCII character is well-formed only where the document is; where it is not, the document is
# parsed as it is, with LF for each line end. What arrives in several blocks cannot be parsed again, and gets
# none.
_CARETS = bytes(range(0x80)) + b"^" * 0x80
_LATER_BYTES = bytes(range(0x80, 0xC0))
_CARETS_PAY = 128
"""Of so many bytes one at least is not ASCII; of fewer, writing the carets takes longer than they save."""


class MarkupError(NamedTuple):
    """Where a parser stops, or what it leaves out."""

    code: str
    """Of the finding: not-well-formed, parser-limit or undeclared-entity."""
    why: str
    line: int
    """From 1, in the text; 0 where the parser was within an entity, and its place is not the document's."""
    column: int
    """In characters, from 1: where the parser found it, mostly after what is wrong (`place_of`)."""
    verdict: str = "not well-formed"
    """What the markup is."""


class _Lxml:
    """lxml's strict parser."""

    def __init__(self) -> None:
        from lxml import etree

        self._error, self._whole = etree.XMLSyntaxError, etree.fromstring
        # The options of parsing/libxml2 (all of that room would be imported), but for entities: one that an
        # external DTD may declare is no error (XML 1.0 §4.1) but a warning, so they stay unresolved.
        self._new = partial(
            etree.XMLParser, encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False
        )
        target = SimpleNamespace(close=bool)  # without callbacks, so that libxml2 keeps nothing
        self._parser = self._new(target=target)
        self._waits = False
        """It has an &, and no semicolon after it."""
        self._undeclared = False
        """An entity that only an external DTD may declare is reported."""

    def parse(self, data: bytes, final: bool) -> list[MarkupError]:
        """Parse the next bytes; return the first error, and the first undeclared entity, with its end."""
        try:
            self._parser.feed(data if final else self._with_semicolon(data))
            if final:
                self._parser.close()
        except self._error:
            pass
        return self._found(self._parser.feed_error_log)

    def _found(self, log: Any) -> list[MarkupError]:
        """The first error, and the first undeclared entity; other warnings are none."""
        if not len(log):  # libxml2 reports at most 100 of a kind
            return []
        found = [_lxml_error(one) for one in log.filter_from_errors()[:1]]
        for one in log:
            if one.type_name == "WAR_UNDECLARED_ENTITY" and not self._undeclared:
                self._undeclared = True
                name = one.message.split("'")[1]
                found.append(MarkupError("undeclared-entity", name, one.line, one.column))
        return found

    def parse_whole(self, data: bytes, has_ids: bool) -> list[MarkupError]:
        """Parse a whole document as `parse`, with the limit on the depth and a comparison of IDs, which only
        this way has; a column may be another."""
        if len(data) < LEAST_DEEP and not has_ids:
            return self.parse(data, True)
        parser = self._new() if has_ids else self._parser
        with suppress(self._error):
            self._whole(data, parser)
        return self._found(parser.error_log)

    def _with_semicolon(self, data: bytes) -> bytes:
        """The next bytes, with a semicolon that the last & waits for (see `_PLAIN_CHARACTER`); where none can
        stand behind that, for one before it."""
        last, end = data.rfind(b"&"), len(data)
        self._waits = (self._waits or last >= 0) and data.rfind(b";") <= last
        found = _PLAIN_CHARACTER.search(data, max(last, 0)) if self._waits else None
        self._waits = self._waits and found is None
        while self._waits and found is None and (end := data.rfind(b">", max(0, len(data) - CUT), end)) >= 0:
            found = _PLAIN_CHARACTER.match(data, end)
        return data if found is None else data[: found.start(1)] + b";" + data[found.end(1) :]


class _Expat:
    """expat, with namespaces; it never loads what a document refers to."""

    def __init__(self) -> None:
        from xml.parsers import expat

        self._error = expat.ExpatError
        self._words = expat.errors.messages
        self._parser = expat.ParserCreate("utf-8", " ")
        self._parser.SkippedEntityHandler = self._skipped
        self._found: list[MarkupError] = []

    def _skipped(self, name: str, is_parameter: bool) -> None:
        if not is_parameter:
            line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber
            self._found.append(MarkupError("undeclared-entity", name, line, column + len(f"&{name};")))
            self._parser.SkippedEntityHandler = None

    def parse(self, data: bytes, final: bool) -> list[MarkupError]:
        """As `_Lxml.parse`."""
        self._found = []
        try:
            self._parser.Parse(data, final)
        except self._error as error:
            self._found.insert(0, _markup_error(self._words[error.code], error.lineno, error.offset + 1))
        return self._found

    def parse_whole(self, data: bytes, has_ids: bool) -> list[MarkupError]:
        """As `_Lxml.parse_whole`, without its limit."""
        return self.parse(data, True)


def may_have_ids(text: str) -> bool:
    """Return True where attributes may be IDs: libxml2 refuses a document in which one is no name (xml:id 1.0
    §4) or stands twice (XML 1.0 §3.3.1). A document type is sought where it stands as a rule: a search takes
    a tenth of the time of parsing."""
    if text.rfind("xml:id=") >= 0:  # `in` takes three times as long
        return True
    return text.rfind("<!DOCTYPE", 0, DECLARATION_LIMIT) >= 0 and text.rfind("<!ATTLIST") >= 0


def _lxml_error(one: Any) -> MarkupError:
    """The error of an entry of lxml's log; the name of its type where libxml2 has no message."""
    named = one.type_name.removeprefix("ERR_").replace("_", " ").lower()
    error = _markup_error(named if "(null)" in one.message else one.message, one.line, one.column)
    is_markup = _BEYOND_MARKUP.isdisjoint((one.domain_name, one.type_name))
    return error if is_markup else error._replace(verdict="refused by lxml")


def _plain(message: str) -> str:
    """A message of libxml2 in plain words."""
    for words, plain in _PLAIN.items():
        begin, named, end = words.partition("*")
        if message == words or (named and message.startswith(begin) and message.endswith(end)):
            name = message[len(begin) : len(message) - len(end)].replace(" line ", " in line ")
            return plain.replace("*", name)
    return message


def _markup_error(message: str, line: int, column: int) -> MarkupError:
    message = message.partition("\n")[0].strip()
    code = "parser-limit" if any(word in message for word in _LIMIT_WORDS) else "not-well-formed"
    line = 0 if any(word in message for word in _ENTITY_WORDS) else line
    return MarkupError(code, _plain(message), line, column)


def _named_part(attribute: re.Match[str], why: str) -> str:
    """What of an attribute a message names: its name, without a prefix, or its value."""
    if why.startswith("ID "):
        return attribute[0].partition("=")[2].strip()[1:-1]
    return attribute[1].rpartition(":")[2] if why.startswith("Namespaced") else attribute[1]


def place_of(error: MarkupError, text: str, at: int) -> tuple[int, int]:
    """Where the markup begins and ends that is wrong, as far as that is known; the parser stopped at `at`.
    -1 where that is a place in an entity."""
    if named := _NAMES_ATTRIBUTE.search(error.why):
        name, number = ":".join(filter(None, named.groups())), 1 if "redefined" in error.why else -1
        attributes = _NAME_AND_VALUE.finditer(text, max(0, text.rfind("<", 0, at)), at)
        spans = [one.span(1) for one in attributes if name == _named_part(one, error.why)]
        return spans[number] if len(spans) > max(number, 0) else (at, at + 1)
    if LOOP in error.why:
        start = text.rfind("&", 0, at + 1)
        is_known = start >= max(0, text.rfind("<!ENTITY")) and at - text.find(";", start) in (0, 1)
        return (start, text.index(";", start) + 1) if is_known else (-1, -1)
    for words, mark in _WITHOUT_END.items():
        if words in error.why and at + 1 >= len(text):  # to the end of the document
            begun = [one.start() for one in UNPARSED.finditer(text) if one.lastindex] or [text.rfind(mark)]
            is_it = text.startswith(mark, begun[0])
            return (begun[0], begun[0] + len(mark)) if is_it else (at, at + 1)
    end = at + (at + 1 == len(text))
    marks = [mark for words, mark in _BEGINNINGS.items() if words in error.why]
    marks += ["<" + ":".join(found.groups()) for found in _PREFIXED.finditer(error.why)]
    if error.code == "undeclared-entity":
        end, marks = at + 1, [f"&{error.why};", f"%{error.why};"]
    start, mark = max(((text.rfind(mark, 0, end), mark) for mark in marks), default=(-1, ""))
    if start < (at - 1 if mark == "<" else 0):  # of another tag: the wrong `<` is in an entity
        return at, at + 1
    return start, start + len(mark)


def _new_parser() -> _Lxml | _Expat:
    try:
        return _Lxml()
    except ImportError:  # it is not installed, or cannot be loaded, as in a subinterpreter
        return _Expat()


_IDLE: list[_Lxml] = []
"""A parser that has read a document without an error: to make one takes as long as to read 7 KB."""


def is_well_formed(piece: TextPiece) -> bool:
    """Return True for a well-formed document, in which the parser found no character that XML forbids.

    Its declaration is parsed, too, so for some that are well-formed without it the answer is False. No
    encoding that is declared matters to the parser. In a well-formed document no misplaced declaration is
    markup. The piece is the whole document, of XML 1.0, without undecodable bytes and noncharacters.
    """
    try:
        parser: _Lxml | _Expat = _IDLE.pop()
    except IndexError:
        parser = _new_parser()
    form, has_ids = piece.utf8, may_have_ids(piece.text)
    if _refused_entity(piece.text):
        return False
    if not has_ids and len(form) - len(piece.text) > len(form) // _CARETS_PAY:
        form = form.translate(_CARETS, _LATER_BYTES)
    if parser.parse_whole(form, has_ids):
        return False
    if isinstance(parser, _Lxml) and not _IDLE:
        _IDLE.append(parser)
    return True


class WellFormedness:
    """The verdict on one document, whose text arrives in pieces; parsing ends at the first error."""

    def __init__(self) -> None:
        self._parser = _new_parser()
        self._line_ends = IncrementalNewlineDecoder(None, translate=True)
        self._parsed = -1
        """Characters after the last stop that are parsed already; -1 before the first."""
        self._text_bytes = 0
        """Bytes of the text that is not at its end."""
        self._section_bytes = 0
        """Those of the section that is not at its end."""
        self._awaited = ""
        """The end of the markup that is not at its end."""
        self._open = self._declarations = 0
        """Elements that are open, as far as tags are counted; declarations of document types."""
        self._has_doctype = False
        self._in_entities = 0, 0
        """The line and column that no place is before, but one in the text of an entity."""
        self._section = self._mark = ""
        """The end of the section that the last part began; a `<` with which it ended."""
        self._stopped = False
        """At the first error, or at a limit of the parser."""
        self.has_markup: bool = False
        """A `<` stands in the text."""

    def feed(
        self, block: TextBlock, refused: list[tuple[int, int]], *, clean: bool, final: bool
    ) -> list[MarkupError]:
        """Parse a block of the text up to its stop; return what is found with it.

        `refused`: references that are findings. `clean`: it has none, no undecodable bytes and no characters
        that XML forbids.
        """
        text, stop = _without(block.text, refused), block.stop
        self.has_markup = self.has_markup or "<" in text
        if self._stopped or (not stop and not final):
            return []
        # The parser waits with text until it has the markup after it.
        end = stop + (text[stop : stop + 1] == "<")
        is_first, blank, begin = self._parsed < 0, "", self._parsed
        whole = final and is_first
        if (misplaced := block.misplaced_declaration if is_first else None) is not None:
            at, after = misplaced.start(), _end_of_declaration(text, misplaced)
            if _is_within(text, at, after):  # it has a finding of its own
                text = text[:at] + re.sub(r"[^\r\n]", " ", text[at:after]) + text[after:]
                clean, misplaced = False, None
        if is_first:
            begin = _end_of_declaration(text, misplaced)
            blank = _blank(text[: min(begin, end)])
        self._parsed = end - stop
        if not whole and (limit := self._limit_in(text[begin:end])):
            self._stopped = True
            return [MarkupError("parser-limit", limit, 0, 0)]
        data = self._harmless(blank + text[begin:end], clean, final)
        found = self._parser.parse(data, final)
        has_ids = whole and may_have_ids(text)
        if whole and not found and (has_ids or data.count(b"</") > DEPTH_LIMIT):
            found = _new_parser().parse_whole(data, has_ids)
        if whole and found and misplaced is not None:
            at = misplaced.start()
            own = _end_of_declaration(text[:at], None)
            text = _blank(text[:own]) + text[own:at] + text[begin:]
            if not _new_parser().parse(self._harmless(text, clean, final), final):
                found = []  # the declaration alone is wrong: it stands in the root element, or behind it
        if is_first:
            self._in_entities = _end_of_entities(data) if found or not final else (0, 0)
            found = found or _refused_entity(text)
        found = [one._replace(line=0) if (one.line, one.column) < self._in_entities else one for one in found]
        self._stopped = any(one.code != "undeclared-entity" for one in found)
        return found

    def _harmless(self, text: str, clean: bool, final: bool) -> bytes:
        """The text in UTF-8, with LF, and without what other findings are about."""
        if not clean:
            text = FORBIDDEN_CHARACTER.sub(" ", _ANY_SURROGATE.sub("é", text))
        return self._line_ends.decode(text, final).encode()

    def _limit_in(self, text: str) -> str:
        """The limit that a text exceeds, a tag, or the elements and declarations until now: the parser would
        keep them all; "" for none. Called with each part of the document."""
        text = self._behind_section(text)
        if self._section_bytes > SECTION_LIMIT:
            return f"{_NAMES_OF_SECTIONS[self._section]} of more than {TEXT_LIMIT:,} bytes"
        first, last = text.find("<"), text.rfind("<")
        if self._awaited == ">" and text.find(">") < 0:  # what begins in a tag that has no end is in it
            first = -1
        for part in (text[:first], text[last:]) if first >= 0 else (text,):
            if part[:1] == "<" and first >= 0:
                self._text_bytes = 0
                self._awaited = _SECTION_ENDS.get(part[:3], _SECTION_ENDS.get(part[:2], ">"))
            at = part.find(self._awaited)  # 0 where nothing is awaited
            if at >= 0:
                part, self._awaited = part[at + len(self._awaited) :], ""
            if at >= 0 or self._awaited == ">":
                self._text_bytes += len(_SHORT_REFERENCE.sub("x", part).encode("utf-8", "surrogatepass"))
            if self._text_bytes > TEXT_LIMIT:
                return f"{'a tag' if self._awaited else 'a text'} of more than {TEXT_LIMIT:,} bytes"
        marked = text.rfind("<!") >= 0
        self._has_doctype = self._has_doctype or (marked and text.rfind("<!DOCTYPE") >= 0)
        if self._has_doctype:
            self._declarations += text.count("<!E") + text.count("<!A") + text.count("<!N")
            if self._declarations > MOST_DECLARATIONS:
                return f"more than {MOST_DECLARATIONS:,} declarations, a limit of feedcharset"
        has_sections = marked or text.rfind("<?") >= 0
        places = ((text.rfind(mark), end) for mark, end in _SECTION_ENDS.items()) if has_sections else ()
        begun = [(start, end) for start, end in places if start >= 0]
        without_end = [(start, end) for start, end in begun if text.find(end, start) < 0]
        if without_end and len(begun) == 1:  # it stands in no other section
            text, self._section = text[: begun[0][0]], begun[0][1]
            without_end.clear()
        opened = _opened(text)
        if opened > DEPTH_LIMIT or without_end:
            # Without sections, comments and instructions, of which the last may not end in it.
            parts = UNPARSED.split(text)
            ends = zip(parts[-4:-1], _SECTION_ENDS.values(), strict=False)
            self._section = next((end for found, end in ends if found is not None), self._section)
            opened = _opened("".join(parts[::4]))
        self._open = max(0, self._open + opened)
        return f"more than {DEPTH_LIMIT} elements in one another" if self._open > SURELY_DEEP else ""

    def _behind_section(self, text: str) -> str:
        """The next part from the end of the section on that an earlier one began."""
        text = self._mark + text
        self._mark = "<" if text.endswith("<") else ""
        text = text.removesuffix("<")
        if not self._section:
            return text
        at = text.find(self._section)
        if at < 0:
            self._section_bytes += len(text.encode("utf-8", "surrogatepass"))
            return ""
        text = text[at + len(self._section) :]
        self._section = self._awaited = ""
        self._section_bytes = self._text_bytes = 0
        return text


def _without(text: str, references: list[tuple[int, int]]) -> str:
    """The text with as many characters for each reference: such as an address may have, and a name may not;
    where values may be names, letters."""
    filler, kept, done = "x" if references and may_have_ids(text) else "~", [], 0
    for start, end in references:
        kept += [text[done:start], filler * (end - start)]
        done = end
    return "".join((*kept, text[done:]))


def _opened(text: str) -> int:
    """How many elements a part of the text opens and does not close, if it has no sections; at most 0 where
    that is surely none."""
    opened = text.count("<") - 2 * text.count("</")
    return opened - text.count("/>") - text.count("<!") if opened > 0 else opened


def _refused_entity(text: str) -> list[MarkupError]:
    """The first reference that leads to an entity which is another file, that no parser loads, or in which
    libxml2 finds a prefix that is bound around the reference alone; or to a parameter entity, which few
    expand; in the first text."""
    if text.rfind("<!DOCTYPE", 0, DECLARATION_LIMIT) < 0 or text.rfind("<!ENTITY") < 0:
        return []
    bare = UNPARSED.sub(lambda found: " " * len(found[0]), text)
    if in_subset := _IN_SUBSET.match(bare, bare.find("<!DOCTYPE")):
        return [_at_end(text, in_subset.end(), "undeclared-entity", in_subset[1])]
    refused: dict[str, tuple[str, ...]] = {}
    around: dict[str, list[str]] = {}
    declared = list(_GENERAL_ENTITY.finditer(bare))
    for name, value in {one[1]: one[2] for one in reversed(declared)}.items():  # the first one binds
        if not value:
            refused[name] = "undeclared-entity", name
            continue
        read = _MARKUP_REFERENCE.sub(lambda found: "<" if found.lastindex else "&", value[1:-1])
        for inner in _ANY_ENTITY.findall(read):
            around.setdefault(inner, []).append(name)
        if "<" in read and ":" in read:
            found = _new_parser().parse(f"<x>{_ANY_ENTITY.sub(' ', read)}</x>".encode(), True)
            if found and "prefix" in found[0].why:
                refused[name] = found[0].code, found[0].why, "refused by lxml"
    reached = list(refused)
    for inner in reached:
        new = [name for name in around.get(inner, ()) if name not in refused]
        refused.update(dict.fromkeys(new, refused[inner]))
        reached += new
    for reference in _ANY_ENTITY.finditer(bare, declared[-1].end()) if refused else ():
        if reference[1] in refused:
            return [_at_end(text, reference.end(), *refused[reference[1]])]
    return []


def _end_of_entities(data: bytes) -> tuple[int, int]:
    """Return where a document type ends in which an entity refers to another one; (0, 0) without one, and
    where it has an error itself. libxml2 gives the place of an error in the other as one in the first."""
    if data.rfind(b"<!DOCTYPE", 0, DECLARATION_LIMIT) < 0 or data.rfind(b"<!ENTITY") < 0:
        return 0, 0
    text, ends = data.decode(), [(0, 0)]
    if any("&" in (one[2] or "") for one in _GENERAL_ENTITY.finditer(text)):
        from xml.parsers import expat

        parser = expat.ParserCreate("utf-8")
        parser.EndDoctypeDeclHandler = lambda: ends.append(
            (parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        )
        with suppress(expat.ExpatError):
            parser.Parse(data)
    return ends[-1]


def _at_end(text: str, end: int, code: str, why: str, *verdict: str) -> MarkupError:
    place = LinePosition()
    place.advance(text[:end])
    return MarkupError(code, why, place.line, place.column, *verdict)


def _blank(text: str) -> str:
    """White space in place of the text, in the same lines and columns. Its declaration stays, where it makes
    an error of entities that only an external DTD declares (XML 1.0 §4.1)."""
    blank = text.encode("utf-8", "surrogatepass").translate(_SPACES, _LATER_BYTES).decode()
    declaration = parse_declaration(text)
    is_standalone = declaration is not None and declaration.standalone == "yes"
    spaces = " " * len(_STANDING_ALONE)
    if is_standalone and blank.startswith(spaces):
        return _STANDING_ALONE + blank.removeprefix(spaces)
    return blank


def _is_within(text: str, at: int, after: int) -> bool:
    """Return True where the XML declaration text[at:after] stands in the root element, or between two
    documents: what begins before it ends behind it, or has the name of what begins behind it."""
    root = _FIRST_TAG.match(text, _end_of_declaration(text[:at], None))
    behind = _FIRST_TAG.match(text, after)
    if root is None:
        return False
    return text.find(f"</{root[1]}", at) >= 0 or (behind is not None and behind[1] == root[1])


def _end_of_declaration(text: str, misplaced: re.Match[str] | None) -> int:
    """Where the text begins that is judged: behind its declaration, also behind a misplaced one."""
    found = misplaced or DECLARATION_ANYHOW.match(text)
    if found is None:
        return 0
    declaration = parse_declaration(text[found.start() : found.start() + DECLARATION_LIMIT])
    if declaration is not None and declaration.closed:
        return found.start() + declaration.stop
    markup = text.find("<", found.end(), LEAST_TEXT)
    end = text.rfind("?>", found.start(), markup if markup >= 0 else LEAST_TEXT) + 2
    return end if end > 1 else max(markup, 0)
