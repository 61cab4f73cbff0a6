"""Repairs tags on the way to lxml (lenient reading), where lxml would end elements that go on, and lose what
follows.

libxml2 ends the innermost element at every end tag, whatever its name: after `</p></p>` in a description, or
a `<br>` without its end, the rest of the feed is in the wrong elements, or behind the root and lost. Here an
end tag ends the element that it names, and all within it; one that names no open element is dropped. Tags
outside of the grammar are written as `tag_syntax` reads them. After the end of a feed's root, its elements go
on where more follow.

Well-formed documents are not changed. The result does not depend on how the text is cut into pieces.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.parsing.doctype import doctype_end
from feedcharset.parsing.html_names import ENDED, VOID
from feedcharset.parsing.open_elements import OpenElements
from feedcharset.parsing.root_end import RootEnd
from feedcharset.parsing.section_ends import SECTIONS, SPAN, section_end
from feedcharset.parsing.tag_syntax import NAME, WINDOW, StartTag, read_end_tag, read_start_tag
from feedcharset.parsing.tag_tokens import DEEP, DEEPEST, PART_OF_TAG, TAGS, TOKENS, passed

if TYPE_CHECKING:
    from feedcharset.parsing.recovery_log import PositionLog

__all__ = ["LIMIT", "TagRepairer"]

LIMIT = 1 << 24
"""Characters of a tag without its end that are held; libxml2 stops at a value of 10,000,000 bytes."""

EXCERPT = 80
"""Characters of a tag that a `Recovery` shows."""

VOID_TAGS = 16
"""Tags after a `<br>` in which its end is searched."""

_WORD_NAMESPACE = lazy_pattern(r"<\?xml:namespace[^<>?]{0,1000}+>")
"""Word's declaration of a namespace in HTML, which ends as a tag does."""

_ANGLE = lazy_pattern("[<>]")
_TAG_NAME = lazy_pattern(rf"<(/?)({NAME})")

_Step = tuple[int, str | None]
"""The index after what was looked at; what stands there when it is repaired."""


class TagRepairer:
    """Repairs the tags of one document, piece by piece."""

    def __init__(self, log: PositionLog) -> None:
        self._log = log
        self._held = [""]
        self._length = 0
        self._needed = 0
        """Characters of held text from which it is looked at again."""
        self._pieces: list[str] = []
        self._offset = 0
        """Characters of the document before the held text."""
        self._root_end = RootEnd()
        self._done = 0
        """Characters of the text whose repaired form is in `_pieces`."""
        self._closers: dict[str, int] = {}
        """Where the next section of each kind ends in the text; -1: nowhere."""
        self._ends = ""
        """How the open section ends; "" outside sections."""
        self._names: list[str] = []
        """The open elements, from the root."""
        self._open = OpenElements(())
        self._in_prolog = True
        self._off = False
        """The rest of the document is returned unchanged."""

    def feed(self, text: str, final: bool = False) -> str:
        """Return the next text as far as it is certain, repaired."""
        if self._off:
            return text
        self._held.append(text)
        self._length += len(text)
        if self._length < self._needed and not final:
            return ""
        text = "".join(self._held)
        self._log.begin(text)
        self._needed = self._done = 0
        self._closers.clear()
        self._pieces = []
        stop = self._repair(text, final)
        stop = len(text) if self._off else stop
        if not stop and not self._needed:
            # To try again with each piece would take quadratic time.
            self._needed = min(2 * len(text), LIMIT + 1)
        self._needed = max(self._needed - stop, 0)
        self._held = [text[stop:]]
        self._length = len(text) - stop
        self._offset += stop
        self._log.end(stop)
        return "".join([*self._pieces, text[self._done : stop]])

    def _repair(self, text: str, final: bool) -> int:
        """Put what is repaired into `_pieces`; return the index up to which the text is certain."""
        index = 0
        if self._ends:
            found = text.find(self._ends)
            if found < 0:
                return len(text) if final else max(0, len(text) - len(self._ends) + 1)
            index = found + len(self._ends)
            self._ends = ""
        if self._in_prolog:
            index, waits = self._repair_from(text, index, final)
            if waits:
                return index
        tokens = TOKENS.findall(text, index)
        count, self._names = passed(tokens, self._names)
        if count == len(tokens):
            return len(text)
        first = next(islice(TOKENS.finditer(text, index), count, None))
        return self._repair_from(text, first.start(), final)[0]

    def _repair_from(self, text: str, index: int, final: bool) -> tuple[int, bool]:
        """Repair the text from `index`; in the prolog, up to its end.

        Returns:
            The index up to which it is certain; whether nothing is to be done behind it.
        """
        self._open = OpenElements(self._names)
        prolog = self._in_prolog
        while found := TAGS.search(text, index):
            start = found.start()
            step = self._step(text, start, found[0], final)
            if step is None:
                return start, True
            index, repaired = step
            if repaired is not None:
                self._pieces += text[self._done : start], repaired
                self._done = index
            if self._ends or self._off:
                return index, True
            if prolog and not self._in_prolog:
                return index, False
        return len(text), True

    def _step(self, text: str, start: int, token: str, final: bool) -> _Step | None:
        """Return the index after what begins at `start`, and what stands there when it is repaired; None
        where that depends on text that follows."""
        if token == "<":
            if text[start + 1 : start + 2] in ("!", "?"):
                return self._section(text, start, text[start : start + len("<!DOCTYPE")], final)
            return self._outside_grammar(text, start, final)
        end = start + len(token)
        if token[1] == "/":
            return self._end_tag(text, start, end, token[2:-1].rstrip(" \t\r\n"), final)
        return self._start_tag(text, start, end, final)

    # -- tags within the grammar ----------------------------------------------------------------------

    def _start_tag(self, text: str, start: int, end: int, final: bool) -> _Step | None:
        name = _TAG_NAME.match(text, start)
        assert name
        tag = StartTag(end, name[2], text[end - 2] == "/", "")
        if tag.name in VOID and not tag.empty and self._names:
            return self._run(text, start, tag) or self._begin(text, start, tag, final)
        return self._begin(text, start, tag, final)

    def _run(self, text: str, start: int, tag: StartTag) -> _Step | None:
        """Close all but the last of several `<br>` that follow each other; None where there is one."""
        spelt = text[start : tag.end]
        index = tag.end
        while text.startswith(spelt, index):
            index += len(spelt)
        index -= len(spelt)
        if index == start:
            return None
        count = (index - start) // len(spelt)
        self._record("unclosed", f"<{tag.name}>", f"</{tag.name}>", start, count)
        return index, f"{spelt}</{tag.name}>" * count

    def _begin(self, text: str, start: int, tag: StartTag, final: bool) -> _Step | None:
        """Note that an element begins."""
        void = tag.name in VOID and not tag.empty and bool(self._names)
        if void and not final and len(text) < tag.end + WINDOW:
            self._needed = tag.end + WINDOW
            return None
        self._in_prolog = False
        if tag.spelt:
            self._record("tag", text[start : tag.end], tag.spelt, start)
        if void and not self._is_ended(text, tag.name, tag.end):
            self._record("unclosed", f"<{tag.name}>", f"</{tag.name}>", start)
            return tag.end, f"{tag.spelt or text[start : tag.end]}</{tag.name}>"
        closed = self._implied_ends(tag.name, start)
        if not tag.empty:
            self._open.begin(tag.name)
            self._names.append(tag.name)
        self._off = not self._names or len(self._names) > DEEPEST
        spelt = f"{closed}{tag.spelt or text[start : tag.end]}"
        return tag.end, spelt if closed or tag.spelt else None

    def _implied_ends(self, name: str, index: int) -> str:
        """Return the end tags of what `<p>` or `<li>` ends, where too many elements are open."""
        if len(self._names) < DEEP or name.lower() not in ENDED or name not in self._open:
            return ""
        return self._close(self._open.ended_by(name), index)

    def _is_ended(self, text: str, name: str, start: int) -> bool:
        """Return whether an element that begins before `start` has its end tag within its parent."""
        parent = self._names[-1]
        stop = start + WINDOW
        for _ in range(VOID_TAGS):
            tag = _TAG_NAME.search(text, start, stop)
            if tag is None:
                return False
            if tag[2] == name or (tag[1] and tag[2] == parent):
                return tag[2] == name and bool(tag[1])
            start = tag.end()
        return False

    def _end_tag(self, text: str, start: int, end: int, name: str, final: bool) -> _Step | None:
        names = self._names
        if not names:
            return end, None
        ended = self._ended_by(name)
        if not ended:
            self._record("end-tag", text[start:end], "", start)
            return end, "\n" * text.count("\n", start, end)
        if ended == len(names):
            follows = self._root_end.continuation(text, end, self._offset, names[0], self._open, final)
            if follows is None:
                self._needed = self._root_end.needed
                return None
            if follows:
                self._record("end-tag", text[start:end], "", start)
                return end, self._close(ended - 1, start) if follows == "element" else ""
            self._off = True
        within = self._close(ended - 1, start)
        last = self._pop()
        if last != name:
            self._record("end-tag", text[start:end], f"</{last}>", start)
            return end, f"{within}</{last}>"
        return end, within + text[start:end] if within else None

    def _ended_by(self, name: str) -> int:
        """Return how many elements an end tag of this name ends."""
        names = self._names
        if names[-1] == name:
            return 1
        if name in self._open:
            return self._open.ended_by(name)
        last = names[-1].lower()
        name = name.lower()
        return int(last in (name, name.rpartition(":")[2]) or last.rpartition(":")[2] == name)

    def _pop(self) -> str:
        name = self._names.pop()
        self._open.end(name)
        return name

    def _close(self, count: int, index: int) -> str:
        """Return the end tags of the innermost elements, which end without them."""
        tags = []
        for _ in range(count):
            name = self._pop()
            self._record("unclosed", f"<{name}>", f"</{name}>", index)
            tags.append(f"</{name}>")
        return "".join(tags)

    # -- what is outside of the grammar ---------------------------------------------------------------

    def _outside_grammar(self, text: str, start: int, final: bool) -> _Step | None:
        part = PART_OF_TAG.match(text, start)
        stop = part.end() if part else start + 1
        if stop == len(text) and not final:
            self._off = stop - start > LIMIT
            return None
        if not final and len(text) < stop + WINDOW:
            self._needed = stop + WINDOW
            return None
        stop = min(stop + WINDOW, len(text))
        if text[start + 1 : start + 2] == "/":
            return self._end_outside_grammar(text, start, stop, final)
        tag = read_start_tag(text, start, stop) if text[start + 1 : start + 2] else None
        if tag is None:
            if not self._names or (stop == len(text) and not _ANGLE.search(text, start + 1)):
                return start + 1, None  # cut off
            name = _TAG_NAME.match(text, start)
            self._record("less-than", name[0] if name else "<", "<", start)
            return start + 1, "&#60;"
        return self._begin(text, start, tag, final)

    def _end_outside_grammar(self, text: str, start: int, stop: int, final: bool) -> _Step | None:
        end, name = read_end_tag(text, start, stop)
        if not self._names or (end == len(text) and text[-1] != ">"):
            return max(end, start + 1), None  # cut off
        if end == start:
            self._record("less-than", "</", "<", start)
            return start + 1, "&#60;"
        if not name:
            self._record("end-tag", text[start:end], "", start)
            return end, "\n" * text.count("\n", start, end)
        step = self._end_tag(text, start, end, name, final)
        if step is None:
            return None
        self._record("end-tag", text[start:end], f"</{name}>", start)
        return end, f"</{name}>" if step[1] is None else step[1].replace(text[start:end], f"</{name}>")

    # -- sections -------------------------------------------------------------------------------------

    def _section(self, text: str, start: int, rest: str, final: bool) -> _Step | None:
        """Pass a comment, a CDATA section, an instruction or a document type declaration."""
        if not final and len(text) < start + len("<!DOCTYPE"):
            return None
        opener = next((opener for opener in SECTIONS if rest.startswith(opener)), None)
        if opener is None:
            if rest == "<!DOCTYPE" and self._in_prolog:
                return self._doctype(text, start, final)
            return start + 1, None
        if rest.startswith("<?xml:") and not final and len(text) < start + WINDOW:
            self._needed = start + WINDOW
            return None
        if word := _WORD_NAMESPACE.match(text, start):
            self._record("declaration", word[0], "", start)
            return word.end(), ""
        closer = self._closers.get(opener, 0)
        if 0 <= closer < start + len(opener):
            self._closers[opener] = closer = text.find(SECTIONS[opener], start + len(opener))
        found = section_end(text, start, opener, closer, self._open, final)
        if found is None:
            self._needed = start + min(2 * (len(text) - start), SPAN)
            return None
        end, closed = found
        if closed:
            self._record("unclosed", opener, SECTIONS[opener], start)
            return end, text[start:end] + SECTIONS[opener]
        if end < 0:
            self._ends = SECTIONS[opener]
            end = len(text) if final else max(start + len(opener), len(text) - len(self._ends) + 1)
        return end, None

    def _doctype(self, text: str, start: int, final: bool) -> _Step | None:
        end = doctype_end(text, start)
        if end is None and not final:
            return None
        self._in_prolog = False
        self._off = end is None or end < 0
        return end or 0, None

    def _record(self, kind: str, found: str, became: str, index: int, count: int = 1) -> None:
        self._log.count(kind, found[:EXCERPT], became[:EXCERPT], index, count)
