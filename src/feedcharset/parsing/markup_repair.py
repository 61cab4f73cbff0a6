"""Repairs markup in the text on its way to lxml (lenient reading), where lxml would lose text.

Only outside comments, CDATA sections and processing instructions: in these an `&` or a `<` is a plain
character (XML 1.0 §2.4). The result does not depend on how the text is cut into pieces.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.parsing.delimiters import (
    CDATA_END,
    closed_comments,
    count_delimiters,
    ends_in_tag,
    with_delimiters,
)
from feedcharset.parsing.doctype import LIMIT, doctype_end, repair_doctype, single_characters
from feedcharset.parsing.entity_references import LONGEST, half_pair, needs_repair, repair_references, shifted

if TYPE_CHECKING:
    from feedcharset.parsing.recovery_log import RecoveryLog

__all__ = ["NAME_START", "MarkupRepairer"]

# [4] NameStartChar of XML 1.0, Fifth Edition, which libxml2 reads
NAME_START = (
    r"A-Za-z_:\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef"
    r"\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
"""Characters that a name begins with, for a character class."""

LONGEST_DECLARATION = 1000
"""Characters of the longest `<!…>` in content that is taken for markup; document types of HTML have 120."""

_SECTIONS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
"""How the sections that are not repaired begin and end."""

_DOCTYPE = "<!DOCTYPE"
_OPENERS = (*_SECTIONS, _DOCTYPE)
_LONGEST_OPENER = max(map(len, _OPENERS))

# Each section without its first character and its end. Every step is possessive: matching is linear.
_COMMENT = "!-- [^-]*+ (?: -(?!->) [^-]*+ )*+"  # [15] Comment
_CDATA = r"!\[CDATA\[ [^]]*+ (?: \](?!\]>) [^]]*+ )*+"  # [18] CDSect
_INSTRUCTION = r"\? [^?]*+ (?: \?(?!>) [^?]*+ )*+"  # [16] PI

_PROLOG = lazy_pattern(rf"(?: [^<]++ | <{_COMMENT} --> | <{_INSTRUCTION} \?> )*+", re.VERBOSE)

# Begins with one character and passes usual tags at once: 7 to 28 times as fast as beginning with a branch.
_SPLIT = lazy_pattern(
    rf"""( < (?! [/A-Za-z_] ) (?:
           {_COMMENT} (?: --> | \Z )
         | {_CDATA} (?: \]\]> | \Z )
         | (?= \?[{NAME_START}] ) {_INSTRUCTION} (?: \?> | \Z )
         | ! (?!--|\[(?i:CDATA)\[) [^<>]{{0,{LONGEST_DECLARATION}}}+ >  # markup declaration: not in content
         | (?! [/{NAME_START}] | \?[{NAME_START}] | !-- | !\[CDATA\[ )  # begins nothing
         ) )""",
    re.VERBOSE,
)

_NUMBERS = (
    *(("&amp;", "&#38;"), ("&lt;", "&#60;"), ("&gt;", "&#62;"), ("&quot;", "&#34;"), ("&apos;", "&#39;")),
)
"""Once a document was not well-formed, libxml2 2.14 reads `&amp;` as nothing (xmlParseReference), and
references to declared entities as well; `&#38;` it reads always."""

_REFERENCE = lazy_pattern("&[A-Za-z_:][-.0-9A-Za-z_:]{0,63}+;")

_SEAM = "\ud800"
"""Joins the parts of content that are repaired together; it cannot be in text that can be UTF-8."""


class MarkupRepairer:
    """Repairs one document, piece by piece."""

    def __init__(self, log: RecoveryLog) -> None:
        self._log = log
        self._held = ""
        self._ends: str | None = None
        """How the open section ends; None outside sections."""
        self._opener = ("", 1, 1)
        """How the open section begins, and where."""
        self._hyphen = False
        """The open section is a comment, and the last character that was returned is a hyphen of its text."""
        self._in_tag = False
        """What was returned ends within a tag."""
        self._before_root = True
        """No tag has been seen: a document type declaration may follow."""
        self._worth = 0
        """Characters of a document type declaration before its end is searched again."""
        self._declared: frozenset[str] | None = frozenset()
        self._characters: dict[str, str] = {}
        """References to declared entities of one character, each with its number."""
        self._off = False

    def feed(self, text: str, final: bool = False) -> str:
        """Return the next text as far as it is certain, repaired."""
        text = self._held + text if self._held else text
        self._log.begin(text)
        pieces = []
        stop = 0
        if self._ends:
            repaired, stop = self._skip(text, 0, final)
            pieces.append(repaired)
        if self._before_root and not self._ends:
            repaired, stop = self._prolog(text, stop, final)
            pieces.append(repaired)
        if not self._before_root and not self._ends:
            repaired, stop = self._content(text, stop, final)
            pieces.append(repaired)
        if final and self._ends and not self._before_root:
            # Without an end, libxml2 drops the whole section: the text of a CDATA section that was cut off.
            opener, line, column = self._opener
            self._log.record_at("unclosed", opener, self._ends, line, column)
            pieces.append(" " * self._hyphen + self._ends)
        self._held = text[stop:]
        self._log.end(stop)
        return "".join(pieces)

    def _open(self, opener: str, index: int, last: str = "") -> None:
        """Note that a section begins; `last`: the last character of it that is returned now."""
        self._ends = _SECTIONS[opener]
        self._opener = opener, *self._log.position(index)
        self._hyphen = opener == "<!--" and last == "-"

    def _skip(self, text: str, start: int, final: bool) -> tuple[str, int]:
        """Return the rest of the open section, or the part that certainly belongs to it, and the index after
        it. A comment that ends with `--->` gets a space."""
        assert self._ends
        found = text.find(self._ends, start)
        if found < 0:
            stop = len(text) if final else max(start, len(text) - len(self._ends) + 1)
            if stop > start:
                self._hyphen = self._opener[0] == "<!--" and text[stop - 1] == "-"
            return text[start:stop], stop
        stop = found + len(self._ends)
        comment = self._opener[0] == "<!--"
        if comment and (text[found - 1] == "-" if found > start else self._hyphen):
            self._log.record("comment", "--->", "- -->", 1, first=partial(int, found))
            gap = " "
        else:
            gap = ""
        self._ends = None
        return f"{text[start:found]}{gap}{text[found:stop]}", stop

    def _prolog(self, text: str, start: int, final: bool) -> tuple[str, int]:
        """Return what stands before the first tag; only the document type declaration is repaired."""
        match = _PROLOG.match(text, start)
        stop = match.end() if match else start
        head = closed_comments(text, start, stop, self._log)
        rest = text[stop : stop + _LONGEST_OPENER]
        if rest == _DOCTYPE:
            repaired, end = self._doctype(text, stop, final)
            return head + repaired, end
        opener = next((opener for opener in ("<!--", "<?") if rest.startswith(opener)), None)
        if opener:
            self._open(opener, stop)
            repaired, stop = self._skip(text, stop + len(opener), final)
            return f"{head}{opener}{repaired}", stop
        if final or not any(opener.startswith(rest) for opener in _OPENERS):
            self._before_root = False
        return head, stop

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
        self._characters = single_characters(repaired)
        return repaired, stop

    def _content(self, text: str, start: int, final: bool) -> tuple[str, int]:
        """Return tags and text, and the sections between them."""
        stop = len(text) if final or self._off else _certain(text, start)
        if self._off:
            return text[start:stop], stop
        parts = _SPLIT.split(text[start:stop])
        sections = parts[1::2]
        if sections and not parts[-1]:
            stop -= self._open_section(parts, start, final)
        in_tag = self._in_tag
        delimiters = count_delimiters(text, parts, start, in_tag, self._log)
        self._in_tag = ends_in_tag(parts, in_tag)
        if any(map(_is_no_section, sections)) or needs_repair(text, start, stop):
            self._repair(parts, start)
        elif "&" in text:
            parts[::2] = map(self._with_numbers, parts[::2])
        elif not delimiters:
            return text[start:stop], stop
        return "".join(with_delimiters(parts, in_tag) if delimiters else parts), stop

    def _open_section(self, parts: list[str], start: int, final: bool) -> int:
        """Note how the last section will end if it is open; return the length of what may begin that end."""
        last = parts[-2]
        for opener, end in _SECTIONS.items():
            if last.startswith(opener) and not last.endswith(end, len(opener)):
                kept = 0 if final else min(len(end) - 1, len(last) - len(opener))
                parts[-2] = last[: len(last) - kept]
                text = parts[-2][len(opener) :]
                self._open(opener, start + sum(map(len, parts[:-2])), text[-1:])
                return kept
        return 0

    def _with_numbers(self, content: str) -> str:
        """Return content with numbers in place of references that libxml2 may drop."""
        if "&" in content:
            for name, number in _NUMBERS:
                content = content.replace(name, number)
            if self._characters:
                content = _REFERENCE.sub(lambda found: self._characters.get(found[0], found[0]), content)
        return content

    def _record_loose(self, parts: list[str], start: int) -> None:
        """Record each `<` that begins nothing, and each markup declaration."""
        first: dict[str, int] = {}
        counts: Counter[str] = Counter()
        for index, part in enumerate(parts):
            if index % 2 and _is_no_section(part):
                first.setdefault(part, start)
                counts[part] += 1
            start += len(part)
        for found, count in counts.items():
            kind, became = ("less-than", "<") if found == "<" else ("declaration", "")
            self._log.record(kind, found, became, count, first=partial(int, first[found]))

    def _repair(self, parts: list[str], start: int) -> None:
        """Repair the content among the parts, which are content and section in turn."""

        def position(index: int) -> int:
            seams = content.count(_SEAM, 0, index)
            return start + sum(map(len, parts[: 2 * seams])) + index - content.rfind(_SEAM, 0, index) - 1

        content = _SEAM.join(parts[::2])
        repaired = repair_references(content, self._declared, shifted(self._log.record, position))
        sections = parts[1::2]
        self._record_loose(parts, start)
        parts[::2] = self._with_numbers(repaired).split(_SEAM)
        parts[1::2] = [_replacement(section) for section in sections]


def _is_no_section(found: str) -> bool:
    """Return whether this is a `<` that begins nothing, or a markup declaration."""
    return found == "<" or (found[1] == "!" and not found.startswith(("<!--", "<![CDATA[")))


def _replacement(found: str) -> str:
    """Return what is parsed in place of a section, a `<` that begins nothing, or a markup declaration."""
    if not _is_no_section(found):
        return found
    return "&#60;" if found == "<" else ""


def _may_continue(text: str, start: int) -> bool:
    """Return whether the next piece decides what begins with the last `<` of the text."""
    if any(opener.startswith(text[start : start + _LONGEST_OPENER + 1]) for opener in _OPENERS):
        return True
    declaration = text.startswith("<!", start) and not text.startswith(("<!--", "<![CDATA["), start)
    return declaration and text.find(">", start) < 0


def _certain(text: str, start: int) -> int:
    """Return the index of a section or reference that may continue in the next piece; else the end."""
    last = text.rfind("<", max(start, len(text) - LONGEST_DECLARATION - len("<!")))
    if last >= 0 and _may_continue(text, last):
        return last
    last = text.rfind("&", max(start, len(text) - LONGEST))
    end = len(text) if last < 0 or ";" in text[last:] else last
    end -= min(end - start, len(CDATA_END) - 1, end - len(text[start:end].rstrip("]")) - start)
    return half_pair(text, start, end)
