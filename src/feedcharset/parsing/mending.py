"""A feed's text on its way to the parser, with what would cost the parser text mended (lenient reading).

Only what is outside comments, CDATA sections and processing instructions: there an `&` or a `<` is itself
(XML 1.0 §2.4). The same however the text is cut.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from feedcharset.parsing.doctype import Doctype, doctype_end
from feedcharset.parsing.references import LONGEST, Edit, mend

if TYPE_CHECKING:
    from collections.abc import Callable

    from feedcharset.parsing.mend_log import MendLog

__all__ = ["Mender"]

_ENDS = {"comment": "-->", "cdata": "]]>", "instruction": "?>"}

_OPENERS = (("<!--", "comment"), ("<![CDATA[", "cdata"), ("<?", "instruction"), ("<!DOCTYPE", "doctype"))

_ANY = re.compile("<")
_NO_TAG = re.compile("<(?![/A-Za-z_:\x80-\U0010ffff])")
"""What begins no tag: a comment, a CDATA section, an instruction, or nothing at all."""
_TAG = re.compile("<[/A-Za-z_:\x80-\U0010ffff]")


class Mender:
    """The state between two pieces of a document."""

    def __init__(self, log: MendLog) -> None:
        self._log = log
        self._held = ""
        self._state = "content"
        self._prolog = True
        """No tag has been seen: there may be a document type declaration."""
        self._declared: frozenset[str] | None = frozenset()
        self._edits: list[Edit] = []
        self._steps: dict[str, Callable[[str, int, bool], int]] = {
            "content": self._content,
            "comment": self._section,
            "cdata": self._section,
            "instruction": self._section,
            "doctype": self._doctype,
            "rest": lambda text, start, final: len(text),
        }

    def feed(self, text: str, final: bool = False) -> str:
        """The text that is certain now, mended."""
        text = self._held + text if self._held else text
        stop = 0
        while stop < len(text):
            before = stop, self._state
            stop = self._steps[self._state](text, stop, final)
            if before == (stop, self._state):
                break
        self._held = text[stop:]
        known = text[:stop]
        edits, self._edits = self._edits, []
        self._log.pass_on(known, edits)
        return _edited(known, edits)

    def _content(self, text: str, start: int, final: bool) -> int:
        """Text and tags, to the next thing that is neither."""
        match = (_ANY if self._prolog else _NO_TAG).search(text, start)
        stop = match.start() if match else _certain(text, start, final)
        if not self._prolog:
            self._edits += mend(text, start, stop, self._declared)
        return stop if match is None or stop > start else self._open(text, start, final)

    def _open(self, text: str, start: int, final: bool) -> int:
        """What a `<` begins."""
        for opener, state in _OPENERS:
            if text.startswith(opener, start) and (state != "doctype" or self._prolog):
                self._state = state
                return start if state == "doctype" else start + len(opener)
        rest = text[start : start + len("<![CDATA[")]
        if any(opener.startswith(rest) for opener, _ in _OPENERS):
            return len(text) if final else start
        if _TAG.match(rest):
            self._prolog = False
        elif rest[1] != "!":
            self._edits.append(Edit(start, start + 1, "less-than", "<", "&lt;"))
        return start + 1

    def _section(self, text: str, start: int, final: bool) -> int:
        """What is not looked into."""
        end = _ENDS[self._state]
        found = text.find(end, start)
        if found < 0:
            return len(text) if final else max(start, len(text) - len(end) + 1)
        self._state = "content"
        return found + len(end)

    def _doctype(self, text: str, start: int, final: bool) -> int:
        """The document type declaration, which is read as a whole."""
        stop = doctype_end(text, start)
        if stop is None and not final:
            return start
        if stop is None or stop < 0:  # it does not end: what the entities are is anybody's guess
            self._state = "rest"
            return start
        doctype = Doctype(text, start, stop)
        self._declared = doctype.declared
        self._edits += doctype.edits
        self._state = "content"
        self._prolog = False
        return stop


def _certain(text: str, start: int, final: bool) -> int:
    """Where an `&` stands near the end that may be a longer reference than is known; else the end."""
    last = text.rfind("&", max(start, len(text) - LONGEST))
    return len(text) if final or last < 0 or ";" in text[last:] else last


def _edited(text: str, edits: list[Edit]) -> str:
    if not edits:
        return text
    pieces: list[str] = []
    done = 0
    for edit in edits:
        pieces += (text[done : edit.start], edit.markup)
        done = edit.end
    pieces.append(text[done:])
    return "".join(pieces)
