"""Repairs markup in the text on its way to lxml (lenient reading), where lxml would lose text.

Only outside comments, CDATA sections and processing instructions: in these an `&` or a `<` is a plain
character (XML 1.0 §2.4). The result does not depend on how the text is cut into pieces.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from feedcharset.parsing.doctype import LIMIT, doctype_end, repair_doctype
from feedcharset.parsing.entity_references import LONGEST, needs_repair, repair_references, shifted

if TYPE_CHECKING:
    from feedcharset.parsing.recovery_log import RecoveryLog

__all__ = ["MarkupRepairer"]

_SECTIONS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
"""How the sections that are not repaired begin and end."""

_DOCTYPE = "<!DOCTYPE"
_OPENERS = (*_SECTIONS, _DOCTYPE)
_LONGEST_OPENER = max(map(len, _OPENERS))

# Each section without its end. Every step is possessive, so matching takes linear time.
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
"""Joins the parts of content that are repaired together; it cannot be in text that can be UTF-8."""


class MarkupRepairer:
    """Repairs one document, piece by piece."""

    def __init__(self, log: RecoveryLog) -> None:
        self._log = log
        self._held = ""
        self._ends: str | None = None
        """How the open section ends; None outside sections."""
        self._before_root = True
        """No tag has been seen: a document type declaration may follow."""
        self._worth = 0
        """Characters of a document type declaration before its end is searched again."""
        self._declared: frozenset[str] | None = frozenset()
        self._off = False

    def feed(self, text: str, final: bool = False) -> str:
        """Return the next text as far as it is certain, repaired."""
        text = self._held + text if self._held else text
        self._log.begin(text)
        pieces = []
        stop = 0
        if self._ends:
            stop = self._skip(text, 0, final)
            pieces.append(text[:stop])
        if self._before_root and not self._ends:
            repaired, stop = self._prolog(text, stop, final)
            pieces.append(repaired)
        if not self._before_root and not self._ends:
            repaired, stop = self._content(text, stop, final)
            pieces.append(repaired)
        self._held = text[stop:]
        self._log.end(stop)
        return "".join(pieces)

    def _skip(self, text: str, start: int, final: bool) -> int:
        """Return the index after the open section, or after the part that certainly belongs to it."""
        assert self._ends
        found = text.find(self._ends, start)
        if found < 0:
            return len(text) if final else max(start, len(text) - len(self._ends) + 1)
        stop = found + len(self._ends)
        self._ends = None
        return stop

    def _prolog(self, text: str, start: int, final: bool) -> tuple[str, int]:
        """Return what stands before the first tag; only the document type declaration is repaired."""
        match = _PROLOG.match(text, start)
        stop = match.end() if match else start
        rest = text[stop : stop + _LONGEST_OPENER]
        if rest == _DOCTYPE:
            repaired, end = self._doctype(text, stop, final)
            return text[start:stop] + repaired, end
        opener = next((opener for opener in ("<!--", "<?") if rest.startswith(opener)), None)
        if opener:
            self._ends = _SECTIONS[opener]
            stop = self._skip(text, stop + len(opener), final)
        elif final or not any(opener.startswith(rest) for opener in _OPENERS):
            self._before_root = False
        return text[start:stop], stop

    def _doctype(self, text: str, start: int, final: bool) -> tuple[str, int]:
        """Return the document type declaration, which is repaired as a whole."""
        stop = doctype_end(text, start) if final or len(text) - start >= self._worth else None
        if stop is None and not final:
            # Searching again with each piece would take quadratic time.
            self._worth = max(self._worth, min(2 * (len(text) - start), LIMIT + 1))
            return "", start
        self._before_root = False
        if stop is None or stop < 0:  # it does not end, so its entities are unknown
            self._off = True
            return "", start
        repaired, self._declared = repair_doctype(text, start, stop, self._log.record)
        return repaired, stop

    def _content(self, text: str, start: int, final: bool) -> tuple[str, int]:
        """Return tags and text, and the sections between them."""
        stop = len(text) if final or self._off else _certain(text, start)
        if self._off:
            return text[start:stop], stop
        parts = _SPLIT.split(text[start:stop])
        sections = parts[1::2]
        if sections and not parts[-1]:
            stop -= self._open_section(parts, final)
        if "<" in sections or needs_repair(text, start, stop):
            return self._repaired(parts, start), stop
        return text[start:stop], stop

    def _open_section(self, parts: list[str], final: bool) -> int:
        """Note how the last section will end if it is open; return the length of what may begin that end."""
        last = parts[-2]
        for opener, end in _SECTIONS.items():
            if last.startswith(opener) and not last.endswith(end, len(opener)):
                self._ends = end
                kept = 0 if final else min(len(end) - 1, len(last) - len(opener))
                parts[-2] = last[: len(last) - kept]
                return kept
        return 0

    def _repaired(self, parts: list[str], start: int) -> str:
        """Return the parts, content and section in turn, with the content repaired."""

        def position(index: int) -> int:
            seams = content.count(_SEAM, 0, index)
            return start + sum(map(len, parts[: 2 * seams])) + index - content.rfind(_SEAM, 0, index) - 1

        content = _SEAM.join(parts[::2])
        repaired = repair_references(content, self._declared, shifted(self._log.record, position))
        sections = parts[1::2]
        if loose := sections.count("<"):
            before = len("".join(parts[: 2 * sections.index("<") + 1]))
            self._log.record("less-than", "<", "<", loose, first=lambda: start + before)
        parts[::2] = repaired.split(_SEAM)
        parts[1::2] = ["&lt;" if section == "<" else section for section in sections]
        return "".join(parts)


def _certain(text: str, start: int) -> int:
    """Return the index of a section or reference that may continue in the next piece; else the end."""
    last = text.rfind("<", max(start, len(text) - _LONGEST_OPENER))
    if last >= 0 and any(opener.startswith(text[last:]) for opener in _OPENERS):
        return last
    last = text.rfind("&", max(start, len(text) - LONGEST))
    return len(text) if last < 0 or ";" in text[last:] else last
