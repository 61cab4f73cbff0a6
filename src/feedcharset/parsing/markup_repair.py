"""A feed's text on its way to the parser, with what would cost the parser text mended (lenient reading).

Only what is outside comments, CDATA sections and processing instructions: there an `&` or a `<` is itself
(XML 1.0 §2.4). The same however the text is cut.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from feedcharset.parsing.doctype import LIMIT, doctype_end, mend_doctype
from feedcharset.parsing.entity_references import LONGEST, has_suspects, mend, moved

if TYPE_CHECKING:
    from feedcharset.parsing.recovery_log import MendLog

__all__ = ["Mender"]

_SECTIONS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
"""How what is not looked into begins and ends."""

_DOCTYPE = "<!DOCTYPE"
_OPENERS = (*_SECTIONS, _DOCTYPE)
_LONGEST_OPENER = max(map(len, _OPENERS))

# The inside of each section, whose end, or the end of all that is known, comes next. No step of these can be
# taken back, so they are linear.
_COMMENT = "<!-- [^-]*+ (?: -(?!->) [^-]*+ )*+"  # [15] Comment
_CDATA = r"<!\[CDATA\[ [^]]*+ (?: \](?!\]>) [^]]*+ )*+"  # [18] CDSect
_INSTRUCTION = r"<\? [^?]*+ (?: \?(?!>) [^?]*+ )*+"  # [16] PI

_PROLOG = re.compile(rf"(?: [^<]++ | {_COMMENT} --> | {_INSTRUCTION} \?> )*+", re.VERBOSE)

_SPLIT = re.compile(
    rf"""( {_COMMENT} (?: --> | \Z )
         | {_CDATA} (?: \]\]> | \Z )
         | {_INSTRUCTION} (?: \?> | \Z )
         | < (?![/!?A-Za-z_:\x80-\ud7ff\ue000-\U0010ffff])  # begins nothing
         )""",
    re.VERBOSE,
)

_SEAM = "\ud800"
"""Between stretches of content that are mended together; no text that can be UTF-8 holds it."""


class Mender:
    """The state between two pieces of a document."""

    def __init__(self, log: MendLog) -> None:
        self._log = log
        self._held = ""
        self._ends: str | None = None
        """How the section ends that has begun and not ended."""
        self._before_root = True
        """No tag has been seen: there may be a document type declaration."""
        self._worth = 0
        """Characters of a document type declaration that make it worth to look for its end."""
        self._declared: frozenset[str] | None = frozenset()
        self._off = False

    def feed(self, text: str, final: bool = False) -> str:
        """The text that is certain now, mended."""
        text = self._held + text if self._held else text
        self._log.begin(text)
        pieces = []
        stop = 0
        if self._ends:
            stop = self._skip(text, 0, final)
            pieces.append(text[:stop])
        if self._before_root and not self._ends:
            mended, stop = self._prolog(text, stop, final)
            pieces.append(mended)
        if not self._before_root and not self._ends:
            mended, stop = self._content(text, stop, final)
            pieces.append(mended)
        self._held = text[stop:]
        self._log.end(stop)
        return "".join(pieces)

    def _skip(self, text: str, start: int, final: bool) -> int:
        """The index after the section that is open, or after what is certainly of it."""
        assert self._ends
        found = text.find(self._ends, start)
        if found < 0:
            return len(text) if final else max(start, len(text) - len(self._ends) + 1)
        stop = found + len(self._ends)
        self._ends = None
        return stop

    def _prolog(self, text: str, start: int, final: bool) -> tuple[str, int]:
        """What stands before the first tag; only the document type declaration is looked into."""
        match = _PROLOG.match(text, start)
        stop = match.end() if match else start
        rest = text[stop : stop + _LONGEST_OPENER]
        if rest == _DOCTYPE:
            mended, end = self._doctype(text, stop, final)
            return text[start:stop] + mended, end
        opener = next((opener for opener in ("<!--", "<?") if rest.startswith(opener)), None)
        if opener:
            self._ends = _SECTIONS[opener]
            stop = self._skip(text, stop + len(opener), final)
        elif final or not any(opener.startswith(rest) for opener in _OPENERS):
            self._before_root = False
        return text[start:stop], stop

    def _doctype(self, text: str, start: int, final: bool) -> tuple[str, int]:
        """The document type declaration, which is read as a whole."""
        stop = doctype_end(text, start) if final or len(text) - start >= self._worth else None
        if stop is None and not final:
            # To look again for each piece would take quadratic time.
            self._worth = max(self._worth, min(2 * (len(text) - start), LIMIT + 1))
            return "", start
        self._before_root = False
        if stop is None or stop < 0:  # it does not end: what the entities are is anybody's guess
            self._off = True
            return "", start
        mended, self._declared = mend_doctype(text, start, stop, self._log.note)
        return mended, stop

    def _content(self, text: str, start: int, final: bool) -> tuple[str, int]:
        """Tags and text, and the sections between them."""
        stop = len(text) if final or self._off else _certain(text, start)
        if self._off:
            return text[start:stop], stop
        parts = _SPLIT.split(text[start:stop])
        sections = parts[1::2]
        if sections and not parts[-1]:
            stop -= self._open_section(parts, final)
        if "<" in sections or has_suspects(text, start, stop):
            return self._mended(parts, start), stop
        return text[start:stop], stop

    def _open_section(self, parts: list[str], final: bool) -> int:
        """Where the last section has not ended, note how it will; the length of what may be the beginning
        of that."""
        last = parts[-2]
        for opener, end in _SECTIONS.items():
            if last.startswith(opener) and not last.endswith(end, len(opener)):
                self._ends = end
                kept = 0 if final else min(len(end) - 1, len(last) - len(opener))
                parts[-2] = last[: len(last) - kept]
                return kept
        return 0

    def _mended(self, parts: list[str], start: int) -> str:
        """The parts, content and section in turn, with the content mended."""

        def place(index: int) -> int:
            seams = content.count(_SEAM, 0, index)
            return start + sum(map(len, parts[: 2 * seams])) + index - content.rfind(_SEAM, 0, index) - 1

        content = _SEAM.join(parts[::2])
        mended = mend(content, self._declared, moved(self._log.note, place))
        sections = parts[1::2]
        if loose := sections.count("<"):
            before = len("".join(parts[: 2 * sections.index("<") + 1]))
            self._log.note("less-than", "<", "<", loose, first=lambda: start + before)
        parts[::2] = mended.split(_SEAM)
        parts[1::2] = ["&lt;" if section == "<" else section for section in sections]
        return "".join(parts)


def _certain(text: str, start: int) -> int:
    """Where something stands near the end that may be more than is known; else the end."""
    last = text.rfind("<", max(start, len(text) - _LONGEST_OPENER))
    if last >= 0 and any(opener.startswith(text[last:]) for opener in _OPENERS):
        return last
    last = text.rfind("&", max(start, len(text) - LONGEST))
    return len(text) if last < 0 or ";" in text[last:] else last
