"""The guess from the first bytes (XML 1.0 Appendix F.1) and the XML declaration (§2.8, §4.3.3).

    [23] XMLDecl      ::= '<?xml' VersionInfo EncodingDecl? SDDecl? S? '?>'
    [24] VersionInfo  ::= S 'version' Eq ("'" VersionNum "'" | '"' VersionNum '"')
    [25] Eq           ::= S? '=' S?
    [32] SDDecl       ::= S 'standalone' Eq (("'" ('yes' | 'no') "'") | ('"' ('yes' | 'no') '"'))
    [80] EncodingDecl ::= S 'encoding' Eq ('"' EncName '"' | "'" EncName "'")
    [81] EncName      ::= [A-Za-z] ([A-Za-z0-9._] | '-')*

What is read is wider: the pseudo-attributes in any order, with or without white space between them, the
version missing, other names among them, the `?>` missing. `Declaration.flaws` names what the grammar does
not allow. NEL (U+0085) counts as white space: it is the line end of EBCDIC documents.

Every expression is anchored and possessive, so reading takes linear time; it is bounded to the first
4,096 characters.

A declaration further down, or misspelt, declares nothing. It is a hint (`misplaced_label`) for documents in
which no label can be true: after a PHP warning, HTTP headers in the body or a comment, after a first
declaration that is false, in capitals, without quotes. What only has the form of a declaration, in a comment,
a CDATA section, an instruction or a literal, is no hint either.
"""

import re
from typing import NamedTuple

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.lookup import Charset, lookup

DECLARATION_LIMIT = 4096
"""Characters in which a declaration must end. ROME's XmlReader and commons-io look at 4,096 bytes, libxml2
at 4,000; the longest declarations in use stay under 200."""

GUESSES: tuple[tuple[str, bytes], ...] = (
    # XML 1.0 Appendix F.1, "Without a Byte Order Mark"; UTF-16 by `<?` alone, as ROME does.
    ("UTF-8", b"<?xm"),
    ("UTF-16BE", b"\x00<\x00?"),
    ("UTF-16LE", b"<\x00?\x00"),
    ("UTF-32BE", b"\x00\x00\x00<\x00\x00\x00?\x00\x00\x00x\x00\x00\x00m"),
    ("UTF-32LE", b"<\x00\x00\x00?\x00\x00\x00x\x00\x00\x00m\x00\x00\x00"),
    ("EBCDIC", b"\x4c\x6f\xa7\x94"),
)

UNIT: dict[str, int] = {"UTF-16BE": 2, "UTF-16LE": 2, "UTF-32BE": 4, "UTF-32LE": 4}
"""Bytes in a code unit, where that is not one."""

CODECS = {
    "UTF-8": "latin-1",  # the declaration is ASCII; what stands in it beyond that is in no EncName
    "UTF-16BE": "utf-16-be",
    "UTF-16LE": "utf-16-le",
    "UTF-32BE": "utf-32-be",
    "UTF-32LE": "utf-32-le",
    "EBCDIC": "cp037",  # every code page but IBM1026 agrees on letters, digits, quotes and `<?=>`
}

PLACEHOLDER = lazy_pattern("[${}%@#]")
"""In an encoding, what a template fills in (`{{ charset }}`, `%(encoding)s`): no label has these."""

_S = "[ \\t\\r\\n\\x85]"
_MARKED = "([A-Za-z0-9._:-]*+)"
_OF_WORDS = "(?:[“”„‘’\x91-\x94]|â\x80[\x98-\x9e])"
_ANY_MARK = "(?:[\x81-\xfe][0-9][\x81-\xfe][0-9]|[^\0-\x7f\x85]{1,3})"
_PSEUDO_ATTRIBUTE = tuple(
    lazy_pattern(
        rf"({_S}*+)([A-Za-z_:][A-Za-z0-9_.:-]*+){_S}*+={_S}*+"
        rf"(?:\"([^\"<>]*+)\"|'([^'<>]*+)'|\\[\"']{_MARKED}\\[\"']|{in_marks})"
    )
    for in_marks in (
        _OF_WORDS + _MARKED + _OF_WORDS,
        rf"[\x81-\xfe][@-~]{_MARKED}[\x81-\xfe][@-~](?=[ \t\r\n?]|\Z)"
        rf"|{_ANY_MARK}{_MARKED}{_ANY_MARK}(?![0-9]|\Z)",
    )
)
"""In strict and in lenient reading. Where a quotation mark is due, nothing else beyond ASCII stands. So
lenient reading takes for one up to three bytes, or those of Shift_JIS, Big5 and GB18030 with ASCII in them;
strict reading only the marks of word processors, in windows-1252 and in UTF-8 read as ISO-8859-1."""
_UNQUOTED = lazy_pattern(rf"{_S}++([A-Za-z_:][A-Za-z0-9_.:-]*+){_S}*+=")
_END = lazy_pattern(rf"{_S}*+\?>")
_ENC_NAME = lazy_pattern(r"[A-Za-z][A-Za-z0-9._-]*+")
_VERSION_NUM = lazy_pattern(r"1\.[0-9]++")
_ORDER = ("version", "encoding", "standalone")
VERSION_MISSING = "the version is missing"
"""The flaw that a text declaration may have (§4.3.1)."""


NO_DECLARATION = (
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?(?![ \t\r\n]*+[Xx][Mm][Ll][ \t\r\n]).*?(?:\?>|\Z)"
    r"|<![A-Za-z](?:[^\"'<>]++|\"[^\"]*+\"|'[^']*+')*+"
)
"""Comments, CDATA sections, instructions and markup declarations with their literals, for an expression with
DOTALL. What is in them is no XML declaration. An internal subset is passed declaration by declaration."""

DECLARATION_START = lazy_pattern(r"<\?[ \t\r\n]*+xml[ \t\r\n\x85?>]", re.IGNORECASE)
"""The start of a declaration, also of a misspelt one."""
_START_LOOKED_AT = 32
"""Characters in which it is looked for: documents have less white space in it."""

_MISPLACED = lazy_pattern(
    NO_DECLARATION.encode() + rb"|<\?[ \t\r\n]*+xml(?=[ \t\r\n])([^<>]*+)", re.IGNORECASE | re.DOTALL
)
_ENCODING = lazy_pattern(
    rb"[ \t\r\n\"']encoding[ \t\r\n]*+=[ \t\r\n]*+"
    rb"(?:\\?+[\"']|[\x80-\xff]{1,3}+)?+([A-Za-z0-9][A-Za-z0-9._:-]*+)",
    re.IGNORECASE,
)
_DOCUMENT = lazy_pattern(
    NO_DECLARATION.encode() + rb"|<(\?xml[^<>?]*+\?>|(?:rss|feed|rdf:rdf)(?=[ \t\r\n>]))",
    re.IGNORECASE | re.DOTALL,
)
"""Where a document begins behind what stands before it (a message of PHP): not in a comment."""
_TAG = lazy_pattern(
    NO_DECLARATION.encode() + rb"|<(/?)([A-Za-z_:\x80-\xff][^ \t\r\n<>/]*+)([^<>]*+)>?+", re.DOTALL
)
_FEED = lazy_pattern(rb"<(?:rss|feed|channel|rdf:rdf|!\[cdata\[)", re.IGNORECASE)
"""Where a feed begins, and text that may quote a declaration."""


class Declaration(NamedTuple):
    """An XML declaration as it was written."""

    version: str | None
    encoding: str | None
    """The label as written; None where there is none, or an empty one."""
    standalone: str | None
    start: int
    """Characters from `<` to the white space before the encoding pseudo-attribute; -1 where it has none."""
    end: int
    """Characters from `<` to the byte after the encoding's closing quote; -1 where it has none."""
    stop: int
    """Characters from `<` to where the declaration ends, or where it can be read no further."""
    closed: bool
    """It ends with `?>`."""
    flaws: tuple[str, ...]
    """What the grammar does not allow, one sentence each."""


def guess_family(head: bytes, at: int = 0) -> str | None:
    """The family of encodings that the first bytes of an XML declaration show, or None."""
    for family, data in GUESSES:
        if head.startswith(data, at):
            return family
    return None


def begins_declaration(head: bytes, family: str, at: int) -> bool:
    """Return True where a declaration begins, which may be misspelt (`<?XML`, `<? xml`), and no other
    instruction."""
    begin = head[at : at + _START_LOOKED_AT * UNIT.get(family, 1)].decode(CODECS[family], "ignore")
    return DECLARATION_START.match(begin) is not None


def read_declaration(head: bytes, family: str, at: int = 0, *, lenient: bool = True) -> Declaration | None:
    """The declaration at offset `at`, read in the guessed family; None where there is none."""
    text = head[at : at + DECLARATION_LIMIT * UNIT.get(family, 1)].decode(CODECS[family], "replace")
    if family == "EBCDIC" and '"' not in text.partition(">")[0]:
        text = text.replace("Ü", '"')  # FC: the quotation mark of IBM1026
    return parse_declaration(text, lenient=lenient)


def ends_lines_with_85(charset: Charset, head: bytes) -> bool:
    """Return True for XML 1.1 in an ISO-8859 page: 85 is NEL there, not the `…` of the Windows page."""
    if not charset.windows_page or b"1.1" not in head[:DECLARATION_LIMIT]:
        return False
    declaration = parse_declaration(head[:DECLARATION_LIMIT].decode("latin-1"))
    return declaration is not None and declaration.version == "1.1"


def parse_declaration(text: str, *, lenient: bool = True) -> Declaration | None:
    """The declaration at the beginning of `text` (at most 4,096 characters count), or None.

    `lenient`: in the quotation marks of any language."""
    if not text.startswith("<?xml") or text[5:6] not in (" ", "\t", "\r", "\n", "\x85", "?", ">"):
        return None
    text = text[:DECLARATION_LIMIT]
    values: dict[str, str] = {}
    names: list[str] = []
    flaws: list[str] = []
    start = end = -1
    stop = 5
    while match := _PSEUDO_ATTRIBUTE[lenient].match(text, stop):
        space, name, double, single, backslashed, *typographic = match.groups()
        if name == "encoding" and name not in values:
            start, end = match.start(), match.end()
        if not space:
            flaws.append(f"white space is missing before {name}")
        names.append(name)
        if backslashed is not None:
            flaws.append(f"there are backslashes before the quotation marks of {name}")
        elif double is single is None:
            flaws.append(f"the value of {name} is in typographic quotation marks")
        written = (double, single, backslashed, *typographic)
        values.setdefault(name, next(value for value in written if value is not None))
        stop = match.end()
    closing = _END.match(text, stop)
    unquoted = _UNQUOTED.match(text, stop)
    rest, markup, _ = text[stop:].partition("<")
    if len(text) == DECLARATION_LIMIT and not (markup or ">" in rest):
        flaws.append(f"it does not end in its first {DECLARATION_LIMIT:,} characters")
    else:
        name = unquoted[1] if unquoted else ""
        flaws += _flaws(names, values, name, closed=closing is not None, ends="?>" in rest)
    return Declaration(
        values.get("version"),
        values.get("encoding") or None,
        values.get("standalone"),
        start,
        end,
        closing.end() if closing else stop,
        closing is not None,
        tuple(flaws),
    )


def misplaced_label(beginning: bytes) -> tuple[str | None, int]:
    """The encoding that a misplaced or misspelt declaration names, and where that stands.

    The first declaration counts whose charset can be decoded; (None, 0) where there is none.

    Args:
        beginning: the document's first bytes, of which 4,096 count; what its own declaration says does not.
    """
    beginning = beginning[:DECLARATION_LIMIT]
    feed = _FEED.search(beginning)
    own = parse_declaration(beginning.decode("latin-1"))
    start = own.end if own is not None and own.encoding is not None else 0
    for match in _MISPLACED.finditer(beginning, start, feed.start() if feed else len(beginning)):
        encoding = _ENCODING.search(match[1] or b"")
        charset = lookup(encoding[1].decode("ascii"), lenient=True) if encoding else None
        if charset is not None and charset.ascii_compatible:
            return charset.name, match.start()
    return None, 0


def document_span(text: bytes) -> tuple[int, int]:
    """Return where a document begins, and the end of its root element; 0 and the length of the text where
    nothing beyond ASCII stands outside of them, or that is not known.

    Args:
        text: the document's first bytes, of which the declaration or the tag of a feed is in the first 4,096,
            and its window. What stands between them may be missing, so the end tag that closes most is the
            root's: a second document closes what it opens.
    """
    first = next((one for one in _DOCUMENT.finditer(text, 0, DECLARATION_LIMIT) if one[1]), None)
    tags = _TAG.finditer(text, first.start() if first else len(text))
    root = next((tag[2] for tag in tags if tag[2]), None)
    if first is None or root is None or (closed := text.rfind(b"</" + root)) < 0:
        return 0, len(text)
    before = _TAG.finditer(text, 0, first.start())
    around = next((tag[2] for tag in before if tag[2] and not tag[1]), None)
    is_declared = first[0].startswith(b"<?")  # no element holds a declaration
    if around and not is_declared and text.find(b"</" + around) > closed:  # a page with RDF in it
        return 0, len(text)
    if text.rfind(b"</" + root, 0, closed) >= 0:  # from the end, a word is found three times as fast
        closed = text.find(b"</" + root)
    end, depth, least = len(text), 1, 1
    for tag in () if text[closed:].isascii() else tags:
        if tag[2] == root:
            depth += -1 if tag[1] else not tag[3].endswith(b"/")
            if depth < least:
                least, end = depth, tag.end()
    return (0 if text[: first.start()].isascii() else first.start()), end


def _flaws(names: list[str], values: dict[str, str], unquoted: str, *, closed: bool, ends: bool) -> list[str]:
    """What [23] does not allow, white space apart; `unquoted` is the name at which reading ends, `ends` is
    True where a ?> follows later."""
    flaws = []
    if "version" not in (unquoted, *values):
        flaws.append(VERSION_MISSING)
    elif not _VERSION_NUM.fullmatch(values.get("version", "1.0")):
        flaws.append("the version is not 1.x")
    if "encoding" in values and not _ENC_NAME.fullmatch(values["encoding"]):
        flaws.append("the encoding is empty" if not values["encoding"] else "the encoding is no EncName")
    if values.get("standalone", "yes") not in ("yes", "no"):
        flaws.append("standalone is neither yes nor no")
    if len(set(names)) < len(names):
        flaws.append("a pseudo-attribute stands twice")
    if set(names) - set(_ORDER):
        flaws.append("it has a pseudo-attribute other than version, encoding and standalone")
    known = [name for name in names if name in _ORDER]
    if known != sorted(known, key=_ORDER.index):
        flaws.append("the pseudo-attributes are out of order")
    if unquoted:
        flaws.append(f"the value of {unquoted} is not between two equal quotation marks")
    elif not closed:
        flaws.append("other characters stand before ?>" if ends else "it is not closed by ?>")
    return flaws
