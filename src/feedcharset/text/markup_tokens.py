"""Where markup ends and text begins, in XML as it is found.

Markup (XML 1.0 §2.4) is tags, comments, CDATA delimiters, processing instructions and document type
declarations; character data, the content of CDATA sections and the values of attributes are runs of text.
References are left inside their runs. Nothing is refused: a `<` that begins no markup is taken for itself,
and one inside a tag or a value, where none may stand (§3.1), begins new markup. A lost quote costs one tag.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Markup", "Token"]

_RUNS = frozenset(("text", "cdata", '"', "'"))

_ENDS = {
    # State: what ends it, or begins something within it.
    "text": re.compile("<"),
    "tag": re.compile("[\"'<>]"),
    '"': re.compile('["<]'),
    "'": re.compile("['<]"),
    "cdata": re.compile("]]>"),
    "comment": re.compile("-->"),
    "instruction": re.compile(r"\?>"),
    "doctype": re.compile("[\"'\\[>]"),
    "subset": re.compile("<!--|<\\?|[\"'\\]]"),
    "literal": re.compile('"'),
    "literal'": re.compile("'"),
}

_PARTIAL = {"cdata": 2, "comment": 2, "instruction": 1, "subset": 3}
"""Characters at the end of what is known that may be the beginning of what ends the state."""

_BEGINS = {
    # State, and what was found there: the state within. Anything else that was found ends the state.
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
_TAG = re.compile("</?[A-Za-z_:\x80-\U0010ffff]|</")
_LONGEST = len("<![CDATA[")


class Token(NamedTuple):
    """A stretch of markup, or of a run of text."""

    end: int
    """Index after it; where it began when it cannot be told yet what stands there."""
    run: bool
    """It is text."""
    whole: bool
    """A run ends here, for all that is known; otherwise it may go on."""


class Markup:
    """The state between two pieces of a document."""

    def __init__(self) -> None:
        self._states = ["text"]

    def next(self, text: str, start: int, final: bool) -> Token:
        """What stands at `start` in the text; nothing may stand before it that was not asked for.

        Args:
            text: the text as far as it is known.
            start: an index below its length.
            final: no more will come.
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
        """What a `<` begins."""
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
