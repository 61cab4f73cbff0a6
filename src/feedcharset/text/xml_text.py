"""XML text, whatever its charset was: its markup, and what is changed in it.

Markup: the names of things, and a text split into character data and markup in turn.

    [5]  Name         ::= NameStartChar (NameChar)*                          XML 1.0, Fifth Edition, §2.3
    [15] Comment      ::= '<!--' ((Char - '-') | ('-' (Char - '-')))* '-->'                          §2.5
    [16] PI           ::= '<?' PITarget (S (Char* - (Char* '?>' Char*)))? '?>'                       §2.6
    [18] CDSect       ::= '<![CDATA[' (Char* - (Char* ']]>' Char*)) ']]>'                            §2.7
    [40] STag         ::= '<' Name (S Attribute)* S? '>'                                             §3.1
    [41] Attribute    ::= Name Eq AttValue
    [42] ETag         ::= '</' Name S? '>'
    [44] EmptyElemTag ::= '<' Name (S Attribute)* S? '/>'
    [10] AttValue     ::= '"' ([^<&"] | Reference)* '"' | "'" ([^<&'] | Reference)* "'"              §2.3

Nothing is refused. What begins like markup and is outside of this grammar is the `<` alone; what follows it
is then split as if it were character data.

`declaration="blank"` overwrites the encoding in the XML declaration with spaces. Decoded text, also when it
is encoded again as UTF-8, still has `encoding="windows-1251"` in its first line, and parsers would decode it
by that label (XML 1.0 §4.3.3). Spaces keep the length, lines and columns. The grammar is that which stands
in evidence/declaration, and

    [26] VersionNum ::= '1.' [0-9]+     (XML 1.0, 5th edition)

Lenient: where the rest would still be out of grammar (no version, another order, `ENCODING=`, no `?>`), or it
is misspelt (`<?XML`, `<? xml`), all of it is overwritten, so that every parser opens the document.
Strict: only a declaration that is in grammar is changed, so that a parser still refuses all others.

`xml_chars=` replaces characters that XML does not allow. One of them makes a parser refuse the document.

    [2] Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]     XML 1.0 §2.2

Forbidden are the C0 controls but TAB, LF and CR, lone surrogates, U+FFFE and U+FFFF. DEL, the C1 controls and
U+1FFFE are legal.
"""

from __future__ import annotations

from feedcharset.charsets import lazy_pattern
from feedcharset.evidence.declaration import DECLARATION_LIMIT, DECLARATION_START, parse_declaration

NAME_START = (
    r"A-Za-z_:\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef"
    r"\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
"""[4] NameStartChar: characters that a name begins with, for a character class."""

XML_NAME = rf"[{NAME_START}][{NAME_START}\-.0-9\xb7\u0300-\u036f\u203f\u2040]*+"
"""A name, for an expression. Every step of these expressions is possessive, so matching takes linear time."""

XML_SPACE = r"[ \t\r\n]"
"""[3] S: a character of white space, for an expression."""

ATTRIBUTE = rf"""{XML_SPACE}++{XML_NAME}{XML_SPACE}*+={XML_SPACE}*+(?:"[^"<]*+"|'[^'<]*+')"""
"""White space and an attribute, for an expression. The `&` of its value is not looked at."""

SECTIONS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
"""How comments, CDATA sections and processing instructions begin and end."""

LONGEST_DECLARATION = 1000
"""Characters of the longest `<!…>` that is taken for a markup declaration; document types of HTML have
120."""

TAGS_AT_ONCE = 8
"""Tags that are one piece of `TAGS`: in feeds some six follow one another."""

_COMMENT = r"!--[^-]*+(?:-(?!->)[^-]*+)*+(?:-->|\Z)"
_CDATA = r"!\[CDATA\[[^]]*+(?:\](?!\]>)[^]]*+)*+(?:\]\]>|\Z)"
_INSTRUCTION = rf"\?(?=[{NAME_START}])[^?]*+(?:\?(?!>)[^?]*+)*+(?:\?>|\Z)"
_MARKUP_DECLARATION = rf"!(?!--|\[(?i:CDATA)\[)[^<>]{{0,{LONGEST_DECLARATION}}}+>"

_PLAIN_TAG = f'(?:{XML_NAME}(?: [A-Za-z]++="[A-Za-z]*+")?+|/{XML_NAME})>'
"""Also with an attribute that is a word, as in `<guid isPermaLink="false">`: such tags are repeated."""
_OTHER_TAG = rf"{XML_NAME}(?:{ATTRIBUTE})*+{XML_SPACE}*+/?+>|/{XML_NAME}{XML_SPACE}*+>"
_OTHER_MARKUP = f"{_OTHER_TAG}|{_COMMENT}|{_CDATA}|{_INSTRUCTION}|{_MARKUP_DECLARATION}|"
_ANY_MARKUP = f"<(?:{_PLAIN_TAG}|{_OTHER_MARKUP})"
XML_MARKUP = lazy_pattern(f"({_ANY_MARKUP})")
"""Finds markup; its `split` returns character data and markup in turn. Markup is

- a tag within the grammar,
- a comment, a CDATA section or an instruction, up to its end, or to the end of the text where it has none,
- `<!…>`, a declaration, which does not belong into content; a document type that has an internal subset, or
  `>` in a literal, is longer than what is found;
- `<`, which begins nothing of these, or of which the end is not in the text.
"""

TAGS = lazy_pattern(
    rf"(<(?:{_PLAIN_TAG}(?:{XML_SPACE}*+<{_PLAIN_TAG}){{0,{TAGS_AT_ONCE - 1}}}+|{_OTHER_MARKUP}))"
)
"""Finds markup, too; plain tags that follow one another, with nothing but white space between them, are one
piece of it. `</title><link>` takes one look in a table where two tags take two."""

NO_SECTIONS = lazy_pattern(f"(<(?:{_PLAIN_TAG}|{_OTHER_TAG}|{_MARKUP_DECLARATION}|))")
"""Finds what `XML_MARKUP` finds where no comment, CDATA section or instruction has an end."""

_VERSION = rf"{XML_SPACE}++version{XML_SPACE}*+={XML_SPACE}*+(?:'1\.[0-9]++'|\"1\.[0-9]++\")"
_ENCODING_NAME = "[A-Za-z][A-Za-z0-9._-]*+"
_ENCODING_DECL = (
    rf"{XML_SPACE}++encoding{XML_SPACE}*+={XML_SPACE}*+(?:'{_ENCODING_NAME}'|\"{_ENCODING_NAME}\")"
)
_STANDALONE = rf"{XML_SPACE}++standalone{XML_SPACE}*+={XML_SPACE}*+(?:'(?:yes|no)'|\"(?:yes|no)\")"
_WITH_ENCODING = lazy_pattern(rf"<\?xml{_VERSION}({_ENCODING_DECL})(?:{_STANDALONE})?{XML_SPACE}*+\?>")
_WITHOUT_ENCODING = lazy_pattern(rf"<\?xml{_VERSION}(?:{_STANDALONE})?{XML_SPACE}*+\?>")
_BEFORE_START = lazy_pattern(rf"(?i)(?:<(?:\?{XML_SPACE}*+(?:x(?:ml?)?)?)?)?")
"""What may become the start of a declaration."""
_NO_LINE_END = lazy_pattern(r"[^\r\n]")


def blank_text(text: str, *, lenient: bool = True) -> str:
    """Return the text with the encoding of its XML declaration overwritten with spaces.

    Args:
        text: the start of the document; only the first 4,096 characters are read.
        lenient: overwrite the whole declaration where it would be out of grammar all the same.
    """
    if not lenient:
        match = _WITH_ENCODING.match(text, 0, DECLARATION_LIMIT)
        return _overwritten(text, *match.span(1)) if match else text
    if not DECLARATION_START.match(text, 0, DECLARATION_LIMIT):
        return text
    if known := _without_encoding(text):
        return known
    # Without all before the next markup, up to the last `?>` there.
    markup = text.find("<", 1, DECLARATION_LIMIT)
    closed = text.rfind("?>", 0, markup if markup >= 0 else DECLARATION_LIMIT) + 2
    if closed <= 1 and markup < 0 and len(text) >= DECLARATION_LIMIT:  # it ends further on
        declaration = parse_declaration(text)
        if declaration is not None and declaration.start >= 0:
            return _overwritten(text, declaration.start, declaration.end)
    return _overwritten(text, 0, closed if closed > 1 else max(markup, 0))


def _without_encoding(text: str) -> str | None:
    """Return the text without the encoding, where the declaration is then in grammar; else None."""
    stop = text.find("?>", 0, DECLARATION_LIMIT) + 2
    declaration = parse_declaration(text)
    if declaration is not None and declaration.start >= 0:
        text = _overwritten(text, declaration.start, declaration.end)
    return text if _WITHOUT_ENCODING.fullmatch(text, 0, stop) else None


def _overwritten(text: str, start: int, stop: int) -> str:
    return text[:start] + _NO_LINE_END.sub(" ", text[start:stop]) + text[stop:]


class DeclarationBlanker:
    """Overwrites the encoding in text that comes in pieces.

    Text is held back until the declaration has ended, 4,096 characters at most; text that does not start with
    a declaration is not held back.
    """

    def __init__(self, *, lenient: bool = True) -> None:
        self._held: str | None = ""
        self._lenient = lenient

    def feed(self, text: str, final: bool = False) -> str:
        """Return the text that is certain now."""
        if self._held is None:
            return text
        held = self._held + text
        if not final and self._needs_more(held):
            self._held = held
            return ""
        self._held = None
        return blank_text(held, lenient=self._lenient)

    @staticmethod
    def _needs_more(held: str) -> bool:
        if len(held) >= DECLARATION_LIMIT or "<" in held[1:]:
            return False
        if not DECLARATION_START.match(held):
            return _BEFORE_START.fullmatch(held) is not None
        return "?>" not in held or _without_encoding(held) is None


CLEANED_PART = 16 * 1024
"""Characters that are cleaned at once: `re` makes a list of all that it replaces."""

CACHED_PART = 32 * 1024
"""Bytes that are searched 29 times before the next ones are, so that they are read from memory once: 3 MB at
once take three times as long."""

_REPLACEMENTS = {"replace": "\ufffd", "space": " ", "drop": ""}

FORBIDDEN_ASCII = bytes([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20)])
FORBIDDEN = lazy_pattern(f"[{FORBIDDEN_ASCII.decode()}\ud800-\udfff\ufffe\uffff]")


def has_forbidden(text: str) -> bool:
    """Return True if the text holds a forbidden character.

    Encoding it, which finds surrogates, and 29 searches for one byte each take a third of the time of one
    search for a character class.
    """
    try:
        utf8 = text.encode()
    except UnicodeEncodeError:
        return True
    return utf8_has_forbidden(utf8)


def utf8_has_forbidden(data: bytes) -> bool:
    """Return True if well-formed UTF-8 holds a forbidden character.

    A search for one byte runs at memory speed; one for three bytes takes as long as 80 of them, so EF is
    searched for first.
    """
    for start in range(0, len(data), CACHED_PART):
        if any(map(data[start : start + CACHED_PART].__contains__, FORBIDDEN_ASCII)):
            return True
    return 0xEF in data and (b"\xef\xbf\xbe" in data or b"\xef\xbf\xbf" in data)


def clean(text: str, xml_chars: str) -> tuple[str, int]:
    """Return the text without forbidden characters, and the number of them.

    Args:
        xml_chars: "replace" (U+FFFD), "space" or "drop". Dropping joins the text on both
            sides (`<scr\\x00ipt>`).
    """
    if not has_forbidden(text):
        return text, 0
    replacement = _REPLACEMENTS[xml_chars]
    parts = (text[start : start + CLEANED_PART] for start in range(0, len(text), CLEANED_PART))
    cleaned = [FORBIDDEN.subn(replacement, part) for part in parts]
    return "".join([part for part, _ in cleaned]), sum(count for _, count in cleaned)
