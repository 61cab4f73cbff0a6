"""Repairs tags on the way to lxml (lenient reading), where lxml would end elements that go on, and lose what follows.

libxml2 ends the innermost element at every end tag, whatever its name: after `</p></p>` in a description, or a
`<br>` without its end, the rest of the feed is in the wrong elements, or behind the root and lost. Here an end tag
ends the element that it names, and all within it; one that names no open element is dropped. Tags outside of the
grammar are written as `tag_syntax` reads them. After the end of a feed's root, its elements go on where more follow.

Well-formed documents are not changed. The result does not depend on how the text is cut into pieces.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Literal

from feedcharset.parsing.doctype import LIMIT, doctype_end
from feedcharset.parsing.html_names import VOID
from feedcharset.parsing.markup_repair import NAME_START
from feedcharset.parsing.open_elements import OpenElements
from feedcharset.parsing.section_ends import SECTIONS, SPAN, section_end
from feedcharset.parsing.tag_syntax import (
    NAME,
    TAG,
    WINDOW,
    StartTag,
    attributes_repeat,
    read_end_tag,
    read_start_tag,
)

if TYPE_CHECKING:
    from feedcharset.parsing.recovery_log import PositionLog

__all__ = ["TagRepairer"]

DEEPEST = 4096
"""Open elements after which nothing is repaired: libxml2 stops at 256, and with huge_tree at 2,048."""

EXCERPT = 80
"""Characters of a tag that a `Recovery` shows."""

VOID_TAGS = 16
"""Tags after a `<br>` in which its end is searched."""

# Up to the end, or to the end of the text.
_COMMENT = r"<!-- [^-]*+ (?: -(?!->) [^-]*+ )*+ (?: --> | \Z )"  # [15] Comment
_CDATA = r"<!\[CDATA\[ [^]]*+ (?: \](?!\]>) [^]]*+ )*+ (?: \]\]> | \Z )"  # [18] CDSect
_INSTRUCTION = r"<\? [^?]*+ (?: \?(?!>) [^?]*+ )*+ (?: \?> | \Z )"  # [16] PI
_ENDS = tuple(SECTIONS.values())

_OTHER = rf"<(?=[/?!{NAME_START}]|\Z)"
_TAG = re.compile(rf"{TAG} | {_OTHER}", re.VERBOSE)
"""A tag within the grammar; or the `<` of anything else that is markup."""

_TOKEN = re.compile(rf"{TAG} | {_COMMENT} | {_CDATA} | {_INSTRUCTION} | {_OTHER}", re.VERBOSE)
"""The same, or a section."""

_PART_OF_TAG = re.compile(
    rf"""</? (?: {NAME} (?: [ \t\r\n]++ {NAME} [ \t\r\n]*+ = [ \t\r\n]*+ (?: "[^"<]*+" | '[^'<]*+' ) )*+
         [ \t\r\n]*+ (?: (?<=[ \t\r\n]) {NAME} [ \t\r\n]*+ (?: =[ \t\r\n]*+ (?: "[^"<]*+ | '[^'<]*+ )?+ )?+ )?+ /?+
         )?+""",
    re.VERBOSE,
)
"""The part of a tag that is within the grammar."""

_WORD_NAMESPACE = re.compile(r"<\?xml:namespace[^<>?]{0,1000}+>")
"""Word's declaration of a namespace in HTML, which ends as a tag does."""

_ANGLE = re.compile("[<>]")
_TAG_NAME = re.compile(rf"<(/?)({NAME})")
_AFTER_ROOT = re.compile(
    rf"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<(?P<end>/?)(?P<name>{NAME})|<(?P<document>\?xml|!DOCTYPE)\b", re.DOTALL
)
_FEED = frozenset(("rss", "feed", "rdf"))
_IN_FEED = frozenset(("channel", "item", "entry"))


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
        self._continued: tuple[int, Literal["element", "end", ""]] = (-1, "")
        """Where it was found that the feed goes on after the end of its root, and by what."""
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
            self._needed = 2 * len(text)  # to try again with each piece would take quadratic time
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
        tokens = _TOKEN.findall(text, index)
        passed = self._pass(tokens)
        if passed == len(tokens):
            return len(text)
        first = next(islice(_TOKEN.finditer(text, index), passed, None))
        return self._repair_from(text, first.start(), final)[0]

    def _pass(self, tokens: list[str]) -> int:
        """Follow tokens up to one that may have to be repaired; return how many were passed."""
        names = self._names
        for count, token in enumerate(tokens):
            second = token[1:2]
            if second == "/":
                if len(names) < 2 or token[2:-1] != names[-1]:
                    return count
                names.pop()
            elif second in "?!":
                if not token.endswith(_ENDS, 4) or token.find(token[:4], 4) > 0 or token[:6] == "<?xml:":
                    return count
            else:
                several = "=" in token
                if several and token.count("=") > 1 and attributes_repeat(token):
                    return count
                if token[-2] == "/":
                    if not names:
                        return count
                    continue
                name = token[1:-1].split(None, 1)[0] if several or token[-2] in " \t\n" else token[1:-1]
                if name in VOID or len(names) > DEEPEST:
                    return count
                names.append(name)
        return len(tokens)

    def _repair_from(self, text: str, index: int, final: bool) -> tuple[int, bool]:
        """Repair the text from `index`; in the prolog, up to its end.

        Returns:
            The index up to which it is certain; whether nothing is to be done behind it.
        """
        self._open = OpenElements(self._names)
        prolog = self._in_prolog
        while found := _TAG.search(text, index):
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

    def _step(self, text: str, start: int, token: str, final: bool) -> tuple[int, str | None] | None:
        """Return the index after what begins at `start`, and what stands there when it is repaired; None where
        that depends on text that follows."""
        rest = text[start : start + len("<!DOCTYPE")]
        if rest.startswith(("<!", "<?")):
            return self._section(text, start, rest, final)
        if token == "<":
            return self._outside_grammar(text, start, final)
        end = start + len(token)
        if token[1] == "/":
            return self._end_tag(text, start, end, token[2:-1].rstrip(" \t\r\n"), final)
        return self._start_tag(text, start, end, final)

    # -- tags within the grammar ----------------------------------------------------------------------

    def _start_tag(self, text: str, start: int, end: int, final: bool) -> tuple[int, str | None] | None:
        if text.find("=", start, end) > 0 and attributes_repeat(text[start:end]) and (tag := read_start_tag(text, start, end)):
            return self._begin(text, start, tag, final)
        name = _TAG_NAME.match(text, start)
        assert name
        return self._begin(text, start, StartTag(end, name[2], text[end - 2] == "/", ""), final)

    def _begin(self, text: str, start: int, tag: StartTag, final: bool) -> tuple[int, str | None] | None:
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
        if not tag.empty:
            self._open.begin(tag.name)
            self._names.append(tag.name)
        self._off = not self._names or len(self._names) > DEEPEST
        return tag.end, tag.spelt or None

    def _is_ended(self, text: str, name: str, start: int) -> bool:
        """Return whether an element that begins before `start` has its end tag within its parent."""
        parent = self._names[-1]
        for tag in islice(_TAG_NAME.finditer(text, start, start + WINDOW), VOID_TAGS):
            if tag[2] == name or (tag[1] and tag[2] == parent):
                return tag[2] == name and bool(tag[1])
        return False

    def _end_tag(
        self, text: str, start: int, end: int, name: str, final: bool
    ) -> tuple[int, str | None] | None:
        names = self._names
        ended = self._ended_by(name)
        if not ended:
            self._record("end-tag", text[start:end], "", start)
            return end, "\n" * text.count("\n", start, end)
        if ended == len(names):
            what_follows = self._after_root(text, end, final)
            if what_follows is None:
                return None
            if what_follows:
                self._record("end-tag", text[start:end], "", start)
                return end, self._close(ended - 1, start) if what_follows == "element" else ""
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
        if not names:
            return 0
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

    def _after_root(self, text: str, end: int, final: bool) -> Literal["element", "end", ""] | None:
        """Return what follows the end of a feed's root, where it is not the end of the document.

        Returns:
            "element": the start of an element of a feed; "end": the end of an element that is open; "" where
            neither follows; None where that depends on text that follows.
        """
        if self._names[0].rpartition(":")[2].lower() not in _FEED:
            return ""
        if self._offset + end <= self._continued[0]:
            return self._continued[1]
        stop = end + SPAN
        for found in _AFTER_ROOT.finditer(text, end, stop):
            kind = self._kind_after_root(found) if found.end() < min(stop, len(text)) or final else None
            if kind == "":
                return ""
            if kind:
                self._continued = self._offset + found.start(), kind
                return kind
        if not final and len(text) < stop:
            self._needed = stop
            return None
        return ""

    def _kind_after_root(self, found: re.Match[str]) -> Literal["element", "end", ""] | None:
        """Return the same of one tag; None where it means nothing."""
        if found["document"]:
            return ""
        name = found["name"].rpartition(":")[2].lower() if found["name"] else ""
        if not found["end"]:
            return "" if name in _FEED else "element" if name in _IN_FEED else None
        return "end" if found["name"] in self._open and found["name"] != self._names[0] else None

    # -- what is outside of the grammar ---------------------------------------------------------------

    def _outside_grammar(self, text: str, start: int, final: bool) -> tuple[int, str | None] | None:
        part = _PART_OF_TAG.match(text, start)
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

    def _end_outside_grammar(
        self, text: str, start: int, stop: int, final: bool
    ) -> tuple[int, str | None] | None:
        end, name = read_end_tag(text, start, stop)
        if end == len(text) and text[-1] != ">":
            return end, None  # cut off
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

    def _section(self, text: str, start: int, rest: str, final: bool) -> tuple[int, str | None] | None:
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

    def _doctype(self, text: str, start: int, final: bool) -> tuple[int, str | None] | None:
        end = doctype_end(text, start)
        if end is None and not final:
            return None
        self._in_prolog = False
        self._off = end is None or end < 0
        return end or 0, None

    def _record(self, kind: str, found: str, became: str, index: int) -> None:
        self._log.record(kind, found[:EXCERPT], became[:EXCERPT], 1, first=partial(int, index))
