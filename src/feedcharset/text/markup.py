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
is then split as if it were character data. `MarkupTokenizer` splits text that arrives in pieces, and values
of attributes from their tags: it never fails, and what has no end hides nothing of what follows it. A tag
with a `<` in it, which XML forbids (§3.1), is text, and so are a comment and an instruction without an end.
"""

from __future__ import annotations

from typing import NamedTuple

from feedcharset.charsets.lazy_pattern import lazy_pattern

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

LONGEST_MARKUP = 64 * 1024
"""Characters of the longest tag, comment, instruction or document type that `MarkupTokenizer` knows; so many
are held back until the end is there. A longer one is text: tags of HTML with images in them, at most."""

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


_RUNS = frozenset(("text", "cdata", '"', "'"))

_ENDS = {
    # State: what ends it, or starts a nested state.
    "text": lazy_pattern("<"),
    "tag": lazy_pattern("[\"'>]"),
    '"': lazy_pattern('["<]'),
    "'": lazy_pattern("['<]"),
    "cdata": lazy_pattern("]]>"),
    "comment": lazy_pattern("-->"),
    "instruction": lazy_pattern(r"\?>"),
    "doctype": lazy_pattern("[\"'\\[>]"),
    "subset": lazy_pattern("<!--|<\\?|[\"'\\]]"),
    "literal": lazy_pattern('"'),
    "literal'": lazy_pattern("'"),
}

_PARTIAL = {"cdata": 2, "comment": 2, "instruction": 1, "subset": 3}
"""Characters at the end of the known text that may be the start of what ends the state."""

_BEGINS = {
    # State, and what was found there: the nested state. Anything else that was found ends the state.
    ("tag", '"'): '"',
    ("tag", "'"): "'",
    ("doctype", "["): "subset",
    ("doctype", '"'): "literal",
    ("doctype", "'"): "literal'",
    ("subset", "<!--"): "comment",
    ("subset", "<?"): "instruction",
    ("subset", '"'): "literal",
    ("subset", "'"): "literal'",
}

_RESTARTED = frozenset(("text", '"', "'"))
"""The states that the next `<` ends, which `next` sees."""

_SPECIAL = lazy_pattern("<[!?]")
_OPENERS = (("<!--", "comment"), ("<![CDATA[", "cdata"), ("<!", "doctype"), ("<?", "instruction"))
_TAG_BEGUN = lazy_pattern(r"<(?:/?[A-Za-z_:\x80-\U0010ffff]|/?\Z)")
_TAG_WITHOUT_VALUES = lazy_pattern("<[^<>\"'\r\n]++>")
_WHOLE_TAG = lazy_pattern(
    "[^<>\"'\r\n]++(?:[^<>\"'\r\n]++|\"[^\"<]*+\"|'[^'<]*+'"
    "|[\r\n]\\s*+(?=[/?]?>|[\"']|[^\\s<>\"'/=]*+\\s*+=))*+>"
)
"""What follows the `<` of a tag. After a line end in it, an attribute with a value follows, or the end: after
`a <b and c` lines of prose follow."""
_SUBSET = r"""\[(?:[^]<"']++|"[^"]*+"|'[^']*+'|<!--(?s:.)*?-->|<\?(?s:.)*?\?>|<(?!!--|\?))*+\]"""
_DOCTYPE = lazy_pattern(rf"""!(?:[^<>\["']++|"[^"<]*+"|'[^'<]*+'|{_SUBSET})*+>""")
_SHORT_DECLARATION = lazy_pattern(rf"![^<>]{{0,{LONGEST_DECLARATION}}}+>")
_LONGEST = len("<![CDATA[")


class Token(NamedTuple):
    """A part of the markup, or of a run of text."""

    end: int
    """Index after it; its start, if more text is needed to know what it is."""
    run: bool
    """True: text; False: markup."""
    whole: bool
    """The run ends here; otherwise it may continue in the next piece."""


class MarkupTokenizer:
    """The tokenizer of one document; it keeps its state between two pieces."""

    def __init__(self) -> None:
        self._states = ["text"]
        self._subset = True
        """No document type was without its end: one more is searched for."""
        self._ends: dict[str, tuple[int, int]] = {}
        """Where the next comment and instruction end, -1 for nowhere, and the length of the text."""

    def forget(self) -> None:
        """Forget what is known of the text: `next` gets another one, which begins elsewhere."""
        self._ends.clear()

    def next(self, text: str, start: int, final: bool) -> Token:
        """Return the token at index `start`. Tokens must be read one after another.

        Args:
            text: the text known so far.
            start: the end of the token before; less than the length of `text`.
            final: the document ends at the end of `text`.
        """
        state = self._states[-1]
        match = _ENDS[state].search(text, start)
        if match is None:
            known = len(text) - (0 if final else _PARTIAL.get(state, 0))
            return Token(max(start, known), state in _RUNS, final)
        if state in _RUNS and match.start() > start:
            return Token(match.start(), True, True)
        if match[0] == "<":
            return self._open(text, start, final)
        within = _BEGINS.get((state, match[0]))
        if within is None:
            self._states.pop()
        else:
            self._states.append(within)
        return Token(match.end(), False, False)

    def pass_over(self, text: str, start: int, last: int) -> int:
        """Pass over text and tags, and return the index of the `<` up to which: the first one of a comment,
        section, instruction or document type, else that at the index `last`; `start` where nothing is passed.

        In text and values a `<` starts new markup whatever precedes it, so nothing is lost.
        """
        if start >= last or self._states[-1] not in _RESTARTED:
            return start
        special = _SPECIAL.search(text, start, last)
        return special.start() if special else last

    def _open(self, text: str, start: int, final: bool) -> Token:
        """Return the token that a `<` starts."""
        del self._states[1:]
        rest = text[start : start + _LONGEST]
        if not final and any(opener != rest and opener.startswith(rest) for opener, _ in _OPENERS):
            return Token(start, False, False)
        opener, state = "<", "tag"
        if rest.startswith(("<!", "<?")):
            opener, state = next(pair for pair in _OPENERS if rest.startswith(pair[0]))
        elif not _TAG_BEGUN.match(rest):
            return Token(start + 1, False, False)
        elif (tag := _TAG_WITHOUT_VALUES.match(text, start, start + LONGEST_MARKUP)) is not None:
            return Token(tag.end(), False, False)
        ends = self._is_whole(opener, state, text, start)
        if ends is None and not final and len(text) - start < LONGEST_MARKUP:
            return Token(start, False, False)
        if ends:
            self._states.append(state)
            return Token(start + len(opener), False, False)
        self._subset &= state != "doctype"
        return Token(start + 1, False, False)

    def _is_whole(self, opener: str, state: str, text: str, start: int) -> bool | None:
        """Return whether markup has its end; None where that may follow the known text."""
        limit = start + LONGEST_MARKUP
        if state == "cdata":  # its content is a run: without an end it hides nothing
            return True
        if closer := SECTIONS.get(opener):
            content, (size, at) = start + len(opener), self._ends.get(closer, (-1, -1))
            if size != len(text) or 0 <= at < content:
                at = text.find(closer, content)
                self._ends[closer] = len(text), at
            return at + len(closer) <= limit if at >= 0 else None
        subset = state == "doctype" and self._subset
        if state == "tag":
            whole = _WHOLE_TAG.match(text, start + 1, limit)
        elif subset:
            whole = _DOCTYPE.match(text, start + 1, limit)
        else:
            whole = _SHORT_DECLARATION.match(text, start + 1, limit)
        if whole:
            return True
        return None if subset or text.find("<", start + 1, limit) < 0 else False
