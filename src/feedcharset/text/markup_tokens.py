"""Splits XML into markup and runs of text; well-formed or not.

Markup (XML 1.0 §2.4) is tags, comments, CDATA delimiters, processing instructions and document type
declarations; character data, the content of CDATA sections and the values of attributes are runs of text.
References stay inside their runs. The tokenizer never fails: a `<` that does not start markup is text, and a
`<` inside a tag or an attribute value, which XML forbids (§3.1), starts new markup. A missing quote therefore
affects one tag.
"""

from __future__ import annotations

from typing import NamedTuple

from feedcharset.charsets.lazy_pattern import lazy_pattern

__all__ = ["MarkupTokenizer", "Token"]

_RUNS = frozenset(("text", "cdata", '"', "'"))

_ENDS = {
    # State: what ends it, or starts a nested state.
    "text": lazy_pattern("<"),
    "tag": lazy_pattern("[\"'<>]"),
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

_OPENERS = (("<!--", "comment"), ("<![CDATA[", "cdata"), ("<!", "doctype"), ("<?", "instruction"))
_TAG = lazy_pattern("</?[A-Za-z_:\x80-\U0010ffff]|</")
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
            if match.start() > start:
                return Token(match.start(), False, False)
            return self._open(text, start, final)
        within = _BEGINS.get((state, match[0]))
        if within is None:
            self._states.pop()
        else:
            self._states.append(within)
        return Token(match.end(), False, False)

    def _open(self, text: str, start: int, final: bool) -> Token:
        """Return the token that a `<` starts."""
        del self._states[1:]
        rest = text[start : start + _LONGEST]
        if not final and any(opener != rest and opener.startswith(rest) for opener, _ in _OPENERS):
            return Token(start, False, False)
        for opener, state in _OPENERS:
            if rest.startswith(opener):
                self._states.append(state)
                return Token(start + len(opener), False, False)
        if _TAG.match(rest):
            self._states.append("tag")
        return Token(start + 1, False, False)
