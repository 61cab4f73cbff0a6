"""XML markup: the names of things, and a text split into character data and markup in turn.

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
"""

from __future__ import annotations

from feedcharset.charsets import lazy_pattern

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

_PLAIN_TAG = f"/?{XML_NAME}>"
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
"""Finds markup, too; tags without attributes that follow one another, with nothing but white space between
them, are one piece of it. `</title><link>` takes one look in a table where two tags take two."""

NO_SECTIONS = lazy_pattern(f"(<(?:{_PLAIN_TAG}|{_OTHER_TAG}|{_MARKUP_DECLARATION}|))")
"""Finds what `XML_MARKUP` finds where no comment, CDATA section or instruction has an end."""
