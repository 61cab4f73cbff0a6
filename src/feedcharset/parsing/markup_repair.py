"""Repairs markup in the text on its way to lxml (lenient reading), where lxml would lose text.

libxml2 ends the innermost element at every end tag, whatever its name: after `</p></p>` in a description, or
a `<br>` without its end, the rest of the feed is in the wrong elements, or behind the root and lost. Here an
end tag ends the element that it names, and all within it; one that names no open element is dropped. Tags
outside of the grammar are written as `tag_syntax` reads them, references as `references` does. Prefixes of
well-known namespaces that nothing binds are bound. After the end of a feed's root, its elements go on where
more follow. Well-formed documents are not changed but for the spelling of references.

A document is in one of three states:

- *prolog*: up to the root's start tag. Comments, instructions and the document type declaration are read one
  by one.
- *content*: within the root. The text is split into character data and markup in turn (`text/markup`), a
  part of at most `PART_SIZE` characters at a time. One loop follows the open elements through the markup of a
  part; it looks up each start tag that it has seen, and compares each end tag with the one that is expected.
  For any other markup it takes a *step*: this reads the text from there, and returns how far it got and what
  is written instead. Where that is beyond the next markup, the text is split again from there. After the loop
  the references of the part are repaired at once.
- *off*: behind the root, or behind a limit. The text is returned as it is.

Text is held back from the last markup on, and where a step depends on text that follows; so the result does
not depend on how the text is cut into pieces. `final` ends the document.
"""

from __future__ import annotations

import re
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Literal

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.parsing.libxml2 import DEEPEST
from feedcharset.parsing.references import Entities, doctype_end, read_doctype, repair_references
from feedcharset.parsing.tag_syntax import (
    ANGLE,
    ENDED,
    HTML,
    NAMESPACES,
    PART_OF_TAG,
    VOID,
    WINDOW,
    declared_prefixes,
    read_end_tag,
    read_start_tag,
    tag_name,
    used_prefixes,
    with_namespaces,
)
from feedcharset.text.markup import NAME_START, RUNS, SECTIONS, XML_MARKUP, XML_NAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from feedcharset.parsing.recovery_log import PositionLog

__all__ = ["MarkupRepairer"]

HOLD_LIMIT = 1 << 24
"""Characters that are held back at most; libxml2 stops at a value, a comment or a text of 10,000,000."""

PART_SIZE = 1 << 16
"""Characters that are split at once: the list of their parts stays in a processor's cache."""
FIRST_PART = 1 << 11
"""Characters that are split at once; after a step that went beyond the next markup few, so that splitting
again takes linear time."""

REACH = 1 << 20
"""Characters in which the end tag of a `<br>` is searched, as many as decoding holds back: in a well-formed
document it is an element like others."""

FAR_END = 1 << 16
"""Characters behind the end of the root in which it is searched whether the feed goes on, and characters of a
section without its end in which it is searched where it ends: about a page."""

DEEP = 224
"""Open elements from which `<p>` or `<li>` ends the open one of its name: text within so many elements is
text in which these have no end tags. libxml2 refuses the whole document at 256; 32 are left for what stands
in the last of them."""

SHOWN = 80
"""Characters of a tag that a `Recovery` shows."""

_SEAM = "\ud800"
"""Joins the character data and tags between sections; it cannot be in text that can be UTF-8."""

_BINDS = "\0"
"""Follows the expected end tag of an element that binds a prefix, and of the root, so that these are compared
in a step."""

_IN_FEEDS = frozenset(("title", "link"))
"""Elements of HTML that are elements of feeds, too."""

_ROOTS = frozenset(("rss", "feed", "rdf"))
_ELEMENTS = frozenset(("channel", "item", "entry"))

_BEHIND_ROOT = lazy_pattern(
    rf"""<!--.*?(?:-->|\Z) | <!\[CDATA\[.*?(?:\]\]>|\Z) | <\?(?!xml).*?(?:\?>|\Z)
       | <(?P<end>/?)(?P<name>{XML_NAME}) | <(?P<document>\?xml|!DOCTYPE)""",
    re.DOTALL | re.VERBOSE,
)

_WORD_NAMESPACE = lazy_pattern(r"<\?xml:namespace[^<>?]{0,1000}+>(?![^<?]{0,1000}+\?>)")
"""Word's declaration of a namespace in HTML, which ends as a tag does."""

_BEGINS_ELEMENT = lazy_pattern(f"<[{NAME_START}]")
_TAG_NAME = lazy_pattern(rf"<{XML_NAME}")
_END_TAG = lazy_pattern(rf"</([{NAME_START}][^ \t\r\n<>/]*+)")

RepairStep = tuple[int, str | None]
"""The index after what was looked at; what stands there when it is repaired."""


class MarkupRepairer:
    """Repairs the markup of one document, piece by piece."""

    def __init__(self, log: PositionLog, *, deepest: int = DEEPEST) -> None:
        """Start.

        Args:
            log: gets the repairs.
            deepest: open elements after which nothing is repaired, because libxml2 stops there.
        """
        self._log = log
        self._deepest = deepest
        self._state: Literal["prolog", "content", "off"] = "prolog"
        self._held = [""]
        self._length = 0
        self._needed = 0
        """Characters of held text from which it is looked at again."""
        self._offset = 0
        """Characters of the document before the held text."""
        self._text = ""
        self._final = False
        self._out: list[str] = []
        self._ends = [""]
        """The end tags that the open elements expect, the root's at index 1."""
        self._bound: list[frozenset[str]] = [frozenset(("xml", "xmlns"))]
        """The prefixes that are bound; an item more for each open element that binds some."""
        self._known: dict[str, str] = {}
        """The end tag that each start tag of this part expects; "" for an empty element."""
        self._entities = Entities()
        self._next_ends: dict[str, int] = {}
        """Where the next end of a section, or the next end tag, stands in the text, by how it begins; -1:
        nowhere."""
        self._has_end: dict[int, bool] = {}
        """For the index after a start tag: whether the element has an end tag of its own."""
        self._goes_on: tuple[int, Literal["element", "end", ""]] = (-1, "")
        """Where in the document the feed goes on behind an end of the root, and by what."""

    def feed(self, text: str, final: bool = False) -> str:
        """Return the next text as far as it is certain, repaired."""
        if self._state == "off":
            return text
        self._held.append(text)
        self._length += len(text)
        if self._length < self._needed and not final:
            return ""
        text = self._text = "".join(self._held)
        self._final = final
        self._log.begin(text)
        self._needed = 0
        self._next_ends.clear()
        self._has_end.clear()
        self._out = []
        stop = self._prolog() if self._state == "prolog" else 0
        if self._state == "content":
            stop = self._content(stop)
        if final or len(text) - stop > HOLD_LIMIT:
            self._state = "off"
        if self._state == "off":
            self._out.append(text[stop:])
            stop = len(text)
        if not stop and not self._needed:
            self._needed = 2 * len(text)  # to try again with each piece would take quadratic time
        self._needed = max(self._needed - stop, 0)
        self._held = [text[stop:]]
        self._length = len(text) - stop
        self._offset += stop
        self._text = ""
        self._log.end(stop)
        return "".join(self._out)

    # -- the prolog -----------------------------------------------------------------------------------

    def _prolog(self) -> int:
        """Pass what stands before the root; return the index behind."""
        text = self._text
        done = index = 0
        while found := XML_MARKUP.search(text, index):
            start, end = found.span()
            if not self._final and (end == len(text) or text.find("<", end) < 0):
                break
            if _BEGINS_ELEMENT.match(text, start):
                self._state = "content"
                break
            is_type = text.startswith("<!DOCTYPE", start)
            step = self._doctype(start) if is_type else self._step(start, found[0])
            if step is None or self._state == "off":
                break
            index, repaired = step
            if repaired is not None:
                self._out += text[done:start], repaired
                done = index
        index = found.start() if found else len(text)
        self._out.append(text[done:index])
        return index

    def _doctype(self, start: int) -> RepairStep | None:
        """Repair the document type declaration as a whole."""
        end = doctype_end(self._text, start)
        if end is None and not self._final:
            return None
        if end is None or end < 0:  # its entities are unknown
            self._state = "off"
            return None
        repaired, self._entities = read_doctype(self._text, start, end, self._log.record)
        return end, repaired

    # -- the content ----------------------------------------------------------------------------------

    def _content(self, index: int) -> int:
        """Repair the content from `index`; return the index up to which it is certain."""
        text = self._text
        size = FIRST_PART if len(self._ends) == 1 else PART_SIZE
        while index < len(text) and self._state == "content":
            parts = self._split(index, size)
            is_last = index + size >= len(text)
            count = len(parts) if is_last and self._final else len(parts) - 2  # the last may go on
            stop, next_size = self._part(parts, count, index, size) if count > 0 else (index, size)
            if not next_size or (stop == index and is_last):
                return stop
            size = self._longer(index, size) if stop == index else next_size
            index = stop
        return index

    def _split(self, index: int, size: int) -> list[str]:
        """Return runs (`RUNS`) and markup in turn. The root is no part of a run."""
        text, stop = self._text, index + size
        if len(self._ends) == 1:
            return XML_MARKUP.split(text[index:stop])
        found = RUNS.findall(text, index, stop)
        parts = [part for run, _, markup in found for part in (run, markup)]
        while len(parts) > 1 and not parts[-1] and (len(parts) % 2 == 0 or not parts[-2]):
            parts.pop()  # what was found at the end of the text
        return parts

    def _longer(self, index: int, size: int) -> int:
        """Return the size of a part that holds the whole of what begins at `index`."""
        opener = next((opener for opener in SECTIONS if self._text.startswith(opener, index)), None)
        if opener is None:
            return 2 * size
        end = self._next_end(opener, index + len(opener))
        return end + PART_SIZE - index if end >= 0 else len(self._text) - index

    def _part(self, parts: list[str], count: int, index: int, size: int) -> tuple[int, int]:
        """Repair a part of the content.

        Args:
            parts: character data and markup in turn.
            count: how many of them are looked at.
            index: where the first begins.
            size: characters that were split.

        Returns:
            The index up to which the text is certain; how much to split next, 0 to wait for more text.
        """
        ends, known = self._ends, self._known
        known.clear()
        expected = ends[-1]
        starts: list[int] = []
        changes: dict[int, str] = {}
        sections: list[int] = []
        next_size = min(2 * size, PART_SIZE)
        for at in range(1, count, 2):
            token = parts[at]
            if token == expected:
                ends.pop()
                expected = ends[-1]
                continue
            expects = known.get(token)
            if expects is None:
                expects = self._expects(token)
            if expects and len(ends) <= DEEP:
                ends.append(expects)
                expected = expects
                continue
            if expects == "":
                if token[1] in "!?":
                    sections.append(at)
                continue
            starts = starts or [*accumulate(map(len, parts), initial=index)]
            start = starts[at]
            step = self._step(start, token)
            expected = ends[-1]
            if step is None:
                count, next_size = at, 0
                break
            end, repaired = step
            if repaired is not None:
                changes[at] = repaired
            if token.startswith(tuple(SECTIONS)) and repaired != "":
                sections.append(at)
            behind = starts[at + 1]
            if end != behind or self._state == "off":
                parts[at] = self._text[start:end]
                if self._state == "off" or not behind < end <= behind + len(parts[at + 1]):
                    count, next_size = at + 1, FIRST_PART
                    break
                parts[at + 1] = parts[at + 1][end - behind :]
                starts[at + 1] = end
        del parts[count:]
        begin, index = index, index + sum(map(len, parts))
        self._write(parts, begin, sections, changes)
        return index, next_size

    def _write(self, parts: list[str], index: int, sections: list[int], changes: dict[int, str]) -> None:
        """Write parts of the content, with references and `]]>` in character data repaired.

        Args:
            parts: runs and markup in turn.
            index: where the first begins.
            sections: which of the parts are comments, CDATA sections and instructions.
            changes: what stands there instead of some parts.
        """

        begins: list[int] = []

        def start(at: int) -> int:
            if not begins:
                begins.extend(accumulate(map(len, parts), initial=index))
            return begins[at]

        for at in [at for at in range(0, len(parts), 2) if "]]>" in parts[at]]:
            if (closed := self._without_section_ends(parts[at], start(at))) is not None:
                changes[at] = closed
        apart = sorted({*sections, *changes})
        bounds = [*pairwise([-1, *apart, len(parts)])]
        content = _SEAM.join(["".join(parts[before + 1 : at]) for before, at in bounds])

        def record(kind: str, found: str, became: str, first: Callable[[], int], count: int) -> None:
            def position() -> int:
                place = first()
                seams = content.count(_SEAM, 0, place)
                return start(bounds[seams][0] + 1) + place - (content.rfind(_SEAM, 0, place) + 1)

            self._log.record(kind, found, became, position, count)

        repaired = repair_references(content, self._entities, record) if "&" in content else content
        texts = repaired.split(_SEAM)
        self._out.append(texts[0])
        for at, text in zip(apart, texts[1:], strict=True):
            part = changes.get(at, parts[at])
            if "&" in part and at not in sections:
                part = self._with_references(part, parts[at], start(at))
            self._out += part, text

    def _with_references(self, part: str, original: str, start: int) -> str:
        """Return a part that was changed with its references repaired."""

        def record(kind: str, found: str, became: str, first: Callable[[], int], count: int) -> None:
            place = first() if part == original else max(original.find(found), 0)
            self._log.record(kind, found, became, start + place, count)

        return repair_references(part, self._entities, record)

    def _without_section_ends(self, run: str, start: int) -> str | None:
        """Return a run with `]]>` in its character data as a reference; None where it is in values only,
        where it is well-formed."""
        parts = XML_MARKUP.split(run)
        found = [at for at in range(0, len(parts), 2) if "]]>" in parts[at]]
        for at in found:
            place = start + sum(map(len, parts[:at])) + parts[at].index("]]>")
            self._log.record("cdata-end", "]]>", "]]>", place, parts[at].count("]]>"))
            parts[at] = parts[at].replace("]]>", "]]&#62;")
        return "".join(parts) if found else None

    def _expects(self, token: str) -> str | None:
        """Return the end tag that a start tag expects; "" for an empty element and for a section; None for
        what needs a step."""
        second = token[1:2]
        if second in ("", "/"):
            return None
        if second in ("!", "?"):
            return "" if self._is_whole(token) else None
        if len(self._ends) == 1:
            return None
        name = tag_name(token)
        if token.count(":") > token.count("://") and (
            "xmlns:" in token or used_prefixes(token) & NAMESPACES.keys() - self._bound[-1]
        ):
            return None
        if token[-2] == "/":
            self._known[token] = ""
            return ""
        if name in VOID:
            return None
        self._known[token] = expects = f"</{name}>"
        return expects

    @staticmethod
    def _is_whole(token: str) -> bool:
        """Return whether this is a section that ends, and needs no repair."""
        if token.startswith("<![CDATA["):
            return token.endswith("]]>", len("<![CDATA["))
        if token.startswith("<!--"):
            return token.endswith("-->", len("<!--")) and not token.endswith("--->", len("<!--"))
        return token.startswith("<?") and token.endswith("?>", len("<?")) and not token.startswith("<?xml:")

    # -- steps ----------------------------------------------------------------------------------------

    def _step(self, start: int, token: str) -> RepairStep | None:
        """Return the index after what begins at `start`, and what stands there when it is repaired; None
        where that depends on text that follows."""
        if token == "<":
            if self._text.startswith("</", start) or _BEGINS_ELEMENT.match(self._text, start):
                return self._outside_grammar(start)
            return self._less_than(start, "<")
        end = start + len(token)
        if token[1] == "/":
            return self._end_tag(start, end, token[2:-1].rstrip(" \t\r\n"), token)
        if token[1] in "!?":
            return self._section(start, token)
        return self._start_tag(start, end, tag_name(token), token[-2] == "/", token)

    def _less_than(self, start: int, found: str) -> RepairStep:
        """Write a `<` that begins nothing as a reference."""
        self._record("less-than", found, "<", start)
        return start + 1, "&#60;"

    def _section(self, start: int, token: str) -> RepairStep | None:
        """Pass a comment, a CDATA section or an instruction; drop a markup declaration."""
        opener = next((opener for opener in SECTIONS if token.startswith(opener)), None)
        before_root = len(self._ends) == 1
        if opener is None:
            if before_root:
                return start + len(token), None
            self._log.record("declaration", token, "", start)
            return start + len(token), "\n" * token.count("\n")
        if token.startswith("<?xml:"):
            if not self._final and len(self._text) < start + WINDOW:
                self._needed = start + WINDOW
                return None
            if word := _WORD_NAMESPACE.match(self._text, start):
                self._record("declaration", word[0], "", start)
                return word.end(), ""
        closer = SECTIONS[opener]
        end = self._next_end(opener, start + len(opener)) + len(closer)
        if end >= len(closer):
            section = self._text[start:end]
            if not _is_odd_comment(section):
                return end, section
            self._log.record("comment", "--->", "- -->", end - len("-->"))
            return end, f"{section[: -len('-->')]} -->"
        if before_root:
            return len(self._text), None
        # Without an end, libxml2 drops the whole section: it ends before the first end tag of an open
        # element, or with the document.
        end = len(self._text)
        if end - start < FAR_END:
            tags = _END_TAG.finditer(self._text, start + len(opener))
            end = next((tag.start() for tag in tags if self._is_open(tag[1])), end)
        section = self._text[start:end]
        self._log.record("unclosed", opener, closer, start)
        return end, f"{section}{' ' * (opener == '<!--' and section.endswith('-', len(opener)))}{closer}"

    def _next_end(self, opener: str, index: int) -> int:
        """Return the index of the next end of a section, or of an end tag, from `index` on; -1: nowhere."""
        known = self._next_ends.get(opener, 0)
        if 0 <= known < index:
            known = self._next_ends[opener] = self._text.find(SECTIONS.get(opener, opener), index)
        return known

    # -- steps: start tags ----------------------------------------------------------------------------

    def _start_tag(self, start: int, end: int, name: str, empty: bool, tag: str) -> RepairStep | None:
        """Begin an element.

        Args:
            start: the index of the tag.
            end: the index after it.
            name: the element's.
            empty: the tag ends with `/>`.
            tag: the tag within the grammar.
        """
        ends = self._ends
        original = self._text[start:end]
        within = len(ends) > 1 and not empty
        void = within and name in VOID
        ends_itself = within and len(ends) > DEEP and name.lower() in ENDED and self._is_open(name)
        if void or ends_itself:
            has_end = self._has_end_tag(name, end)
            if has_end is None:
                return None
            void, ends_itself = void and not has_end, ends_itself and not has_end
        if tag != original:
            self._record("tag", original, tag, start)
        if void:
            self._record("unclosed", f"<{name}>", f"</{name}>", start)
            return end, f"{tag}</{name}>"
        closed = self._close(self._ended_by(name), start) if ends_itself else ""
        tag, binds = self._bind(tag, start)
        if not empty:
            ends.append(f"</{name}>{_BINDS if binds or len(ends) == 1 else ''}")
        if binds and not empty:
            self._bound.append(self._bound[-1] | binds)
            self._known.clear()
        if len(ends) == 1 or len(ends) > self._deepest:
            self._state = "off"
        return end, closed + tag if closed or tag != original else None

    def _bind(self, tag: str, start: int) -> tuple[str, frozenset[str]]:
        """Return the tag with the namespaces of well-known prefixes that nothing binds, and all prefixes that
        it binds."""
        if ":" not in tag:
            return tag, frozenset()
        declared = declared_prefixes(tag)
        missing = sorted((used_prefixes(tag) & NAMESPACES.keys()) - declared - self._bound[-1])
        for prefix in missing:
            self._record("namespace", f"{prefix}:", NAMESPACES[prefix], start)
        return with_namespaces(tag, missing), declared.union(missing)

    def _has_end_tag(self, name: str, end: int) -> bool | None:
        """Return whether the element that begins before `end` has an end tag of its own, and only elements
        with theirs in it; None where that depends on text that follows."""
        text = self._text
        known = self._has_end.get(end)
        if known is not None:
            return known
        stop = end + REACH
        certain = self._final or len(text) >= stop
        at = self._next_end(f"</{name}", end)
        if certain and not 0 <= at < stop:
            return False
        begun = [(name, end)]
        for found in XML_MARKUP.finditer(text, end, stop):
            token = found[0]
            if token == "<" or (token[1] in "!?" and not self._is_whole(token)):
                if not certain and (found.end() == len(text) or text.find("<", found.end()) < 0):
                    continue  # its end may follow
                break
            if token[1] == "/":
                if token[2:-1].rstrip(" \t\r\n") != begun[-1][0]:
                    break
                self._has_end[begun.pop()[1]] = True
                if not begun:
                    return True
            elif token[1] not in "!?" and token[-2] != "/":
                begun.append((tag_name(token), found.end()))
        else:
            if not certain:
                self._needed = min(stop, 2 * len(text))
                return None
        for _, place in begun:
            self._has_end[place] = False
        return False

    # -- steps: end tags ------------------------------------------------------------------------------

    def _end_tag(self, start: int, end: int, name: str, tag: str) -> RepairStep | None:
        """End the element that an end tag names, and all within it.

        Args:
            start: the index of the end tag.
            end: the index after it.
            name: the name.
            tag: the end tag within the grammar.
        """
        depth = len(self._ends) - 1
        if not depth:
            return end, None
        found = self._text[start:end]
        ended = self._ended_by(name)
        if not ended:
            return self._dropped(start, end)
        if ended == depth:
            follows = self._what_follows(end)
            if follows is None:
                return None
            if follows:
                self._record("end-tag", found, "", start)
                return end, self._close(ended - 1, start) if follows == "element" else ""
            self._state = "off"
        within = self._close(ended - 1, start)
        last = self._pop()
        tag = tag if last == name else f"</{last}>"
        if tag != found:
            self._record("end-tag", found, tag, start)
        return end, within + tag if within or tag != found else None

    def _dropped(self, start: int, end: int) -> RepairStep:
        """Drop an end tag; its line ends stay."""
        self._record("end-tag", self._text[start:end], "", start)
        return end, "\n" * self._text.count("\n", start, end)

    def _is_open(self, name: str) -> bool:
        return f"</{name}>" in self._ends or f"</{name}>{_BINDS}" in self._ends

    def _ended_by(self, name: str) -> int:
        """Return how many elements an end tag of this name ends.

        An end tag of HTML ends no element that is not HTML: `</p>` in an item does not end the item. One that
        differs from the innermost element in case, or in the prefix, ends that.
        """
        names = map(_name, reversed(self._ends))
        if self._is_open(name):
            guarded = name in HTML and name not in _IN_FEEDS
            for count, other in enumerate(names, 1):
                if other == name:
                    return count
                if guarded and other.lower() not in HTML:
                    return 0
        last = next(names).lower()
        name = name.lower()
        return int(last in (name, name.rpartition(":")[2]) or last.rpartition(":")[2] == name)

    def _pop(self) -> str:
        """Remove the innermost element; return its name."""
        tag = self._ends.pop()
        if tag.endswith(_BINDS) and len(self._ends) > 1:
            self._bound.pop()
            self._known.clear()
        return _name(tag)

    def _close(self, count: int, start: int) -> str:
        """Return the end tags of the innermost elements, which end without them."""
        tags = []
        for _ in range(count):
            name = self._pop()
            self._record("unclosed", f"<{name}>", f"</{name}>", start)
            tags.append(f"</{name}>")
        return "".join(tags)

    def _what_follows(self, end: int) -> Literal["element", "end", ""] | None:
        """Return what follows an end of the root: "element": the start of an element of a feed; "end": the
        end of an element that is open, and that the root's end would end; "": neither, or the root is no
        feed's; None where that depends on text that follows."""
        root = _name(self._ends[1])
        if _local(root) not in _ROOTS:
            return ""
        if self._offset + end <= self._goes_on[0]:
            return self._goes_on[1]
        text = self._text
        stop = end + FAR_END
        for found in _BEHIND_ROOT.finditer(text, end, stop):
            certain = found.end() < min(stop, len(text)) or self._final
            kind = self._continues(found, root) if certain else None
            if kind is not None:
                self._goes_on = (self._offset + found.start(), kind) if kind else self._goes_on
                return kind
        if not self._final and len(text) < stop:
            self._needed = stop
            return None
        return ""

    def _continues(self, found: re.Match[str], root: str) -> Literal["element", "end", ""] | None:
        """Return what one tag behind the root means; None where it means nothing."""
        name = found["name"]
        if found["document"]:
            return ""
        if not name:
            return None
        if found["end"]:
            return "end" if self._is_open(name) and name != root else None
        return "" if _local(name) in _ROOTS else "element" if _local(name) in _ELEMENTS else None

    # -- steps: what is outside of the grammar --------------------------------------------------------

    def _outside_grammar(self, start: int) -> RepairStep | None:
        """Read a tag that is outside of the grammar, or text that begins as one."""
        text = self._text
        part = PART_OF_TAG.match(text, start)
        stop = part.end() if part else start + 1
        if not self._final and len(text) < stop + WINDOW:
            self._needed = stop + WINDOW
            return None
        stop = min(stop + WINDOW, len(text))
        if text.startswith("</", start):
            return self._end_outside_grammar(start, stop)
        tag = read_start_tag(text, start, stop)
        if tag is not None:
            return self._start_tag(start, tag.end, tag.name, tag.empty, tag.spelt)
        if len(self._ends) == 1 or (stop == len(text) and not ANGLE.search(text, start + 1)):
            return start + 1, None  # cut off
        name = _TAG_NAME.match(text, start)
        return self._less_than(start, name[0] if name else "<")

    def _end_outside_grammar(self, start: int, stop: int) -> RepairStep | None:
        end, name = read_end_tag(self._text, start, stop)
        if len(self._ends) == 1 or (end == len(self._text) and self._text[-1] != ">"):
            return max(end, start + 1), None  # cut off
        if end == start:
            return self._less_than(start, "</")
        if name:
            return self._end_tag(start, end, name, f"</{name}>")
        return self._dropped(start, end)

    def _record(self, kind: str, found: str, became: str, start: int) -> None:
        self._log.record(kind, found[:SHOWN], became[:SHOWN], start)


def _name(end_tag: str) -> str:
    """Return the name in an expected end tag."""
    return end_tag.rstrip(_BINDS)[2:-1]


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()


def _is_odd_comment(section: str) -> bool:
    """Return True for a comment with a hyphen before its end."""
    return section.startswith("<!--") and section.endswith("--->", len("<!--"))
