"""Repairs markup in the text on its way to lxml (lenient reading), where lxml would lose text.

libxml2 ends the innermost element at every end tag, whatever its name: after `</p></p>` in a description, or
a `<br>` without its end, the rest of the feed is in the wrong elements, or behind the root and lost. Here an
end tag ends the element that it names, and all within it; one that names no open element is dropped. Tags
outside of the grammar are written as `tag_syntax` reads them, references as `references` does. Prefixes of
well-known namespaces that nothing binds are bound. An end tag of the root is dropped where more of the
document follows. Well-formed documents are not changed but for the spelling of references.

A document is in one of three states:

- *prolog*: up to the root's start tag. Comments, instructions and the document type declaration are read one
  by one.
- *content*: within the root. The text is split into character data and markup in turn (`text/xml_text`), a
  part of at most `PART_SIZE` characters at a time. One loop follows the open elements through the markup of a
  part. Each open element remembers what the tags did that were seen in it, also several at once (`known`):
  most take one look in a table. For any other markup the loop takes a *step*: this reads the text from there,
  and returns how far it got and what is written instead. Where that is beyond the next markup, the text is
  split again from there. After the loop the references of the part are repaired at once.
- *off*: behind the root, or behind a limit. The text is returned as it is.

Text is held back from the last markup on, and where a step depends on text that follows; so the result does
not depend on how the text is cut into pieces. `final` ends the document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Literal, NamedTuple

from feedcharset.parsing.held_text import (
    FAR_END,
    HEADINGS,
    HOLD_ITEMS,
    NAMES_SEARCHED,
    CountedRepair,
    HeldText,
    Known,
    MoreNeeded,
    OpenElement,
    around_field,
    may_be_first,
)
from feedcharset.parsing.libxml2 import DEEPEST, HOLD_LIMIT
from feedcharset.parsing.recovery_log import SHOWN, RecoveryLog
from feedcharset.parsing.references import (
    DECLARATIONS,
    Entities,
    cut_reference,
    doctype_end,
    drop_uncertain,
    miscounted_columns,
    read_doctype,
    repair_references,
    spelt_references,
)
from feedcharset.parsing.tag_syntax import (
    ANGLE,
    BEGINS_SECTION,
    BEGINS_TAG,
    BEHIND_ROOT,
    COMMENTED_TAG,
    CUT_ATTRIBUTE,
    CUT_MARKUP,
    DECLARATION_BEHIND,
    END_OUTSIDE_GRAMMAR,
    END_TAG,
    ENDED,
    FEED_ROOTS,
    HTML,
    IN_END_TAG,
    ITEMS,
    ITEMS_DEPTH,
    LOST_ENDS,
    NAMESPACES,
    NO_MARKUP,
    ODD_END_TAG,
    ODD_START_TAG,
    PART_OF_TAG,
    ROOTS,
    SGML_INSTRUCTION,
    SPLIT_NAME,
    VOID,
    WHOLE_INSTRUCTION,
    WINDOW,
    WITHOUT_TEXT,
    bound_prefixes,
    cut_comment,
    cut_section,
    distinct,
    ended_section,
    is_odd_comment,
    is_of_feeds,
    is_sign,
    is_text,
    is_whole_section,
    local_name,
    may_be_word,
    misspelt,
    read_bare_name,
    read_start_tag,
    tag_name,
)
from feedcharset.text.xml_text import NO_SECTIONS, SECTIONS, TAGS, XML_MARKUP

PART_SIZE = 1 << 16
"""Characters that are split at once: the list of their parts stays in a processor's cache."""

GROWN_BY = 4
"""What is held is looked at again when it has grown by one in so many of its characters: a document may come
in pieces of one byte."""

FIRST_PART = 1 << 9
"""Characters that are split at once; after a step that went beyond the next markup few, so that splitting
again takes linear time."""

DEEP = 224
"""Open elements from which `<p>`, `<item>` or `<outline>`, in a feed any tag of HTML, ends the open one of
its name: text within so many elements is text in which these have no end tags. libxml2 refuses the whole
document at 256; 32 are left for what stands in the last of them."""

_SEAM = "\ud800"
"""Stands for a part that is not looked at while references are repaired: what is before and behind it is no
reference. It cannot be in text that can be UTF-8."""

_SPELT_APART = re.compile("(]]>|</[^<>]*+)")

KNOWN_TAGS = 1 << 12
"""Tags that are remembered; feeds repeat a few hundred. Then all are forgotten, but for the open elements."""

LONGEST_KNOWN_TAG = 200
"""Characters of the longest of them; tags with longer attributes are seldom repeated."""


class StepResult(NamedTuple):
    """What was found at one place of the text."""

    end: int
    """The index after what was looked at."""
    written: str | None = None
    """What stands there when it is repaired; for a comment, a CDATA section or an instruction in any case."""
    same: Literal["everywhere", "part", ""] = ""
    """Where the same tag in the same element becomes the same."""


class MarkupRepairer(HeldText):
    """Repairs the markup of one document, piece by piece."""

    def __init__(self, log: RecoveryLog, *, deepest: int = DEEPEST, spelt: bool = True) -> None:
        """Start. Behind `deepest` open elements nothing is repaired, because libxml2 stops there; `spelt` as
        in `Entities`."""
        super().__init__(is_huge=deepest > DEEPEST)
        self._log = log
        self._deepest = deepest
        self._state: Literal["prolog", "content", "off"] = "prolog"
        self._held: list[str] = []
        self._length = 0
        self._offset = 0
        """Characters of the document before it."""
        self._size = PART_SIZE
        """Characters that are split next."""
        self._part_end = 0
        self._remembered = 0
        self._of_part: set[tuple[OpenElement, str]] = set()
        """Tags that are remembered up to the end of the part: 2,000 `<br>` without ends take 8 times as long
        where each takes a step."""
        self._records: list[CountedRepair] = []
        """The repairs of a step."""
        self._entities = Entities(spelt=spelt)
        self._doctypes = 0
        """Document types that were repaired: each may be searched to the end of the text."""
        self._last_ends: dict[str, int] | None = None
        """Where each last end tag stands."""
        self._goes_on: tuple[int, Literal["element", "end", ""]] = (-1, "")
        """Where in the document the feed goes on behind an end of the root, and by what."""
        self._owes_end = False
        """An element with the root's name was ended without its end tag, which may follow."""

    def feed(self, text: str, final: bool = False) -> Iterator[str]:
        """Yield the next text as far as it is certain, repaired, in parts."""
        if self._state == "off":
            yield text
            return
        if text:  # a document that comes as a whole is not copied
            self._held.append(text)
        self._length += len(text)
        if self._length < self._needed and not final:
            return
        text = "".join(self._held)
        self._text, self._final, self._needed = text, final, 0
        self._next_ends.clear()
        self._has_end.clear()
        stop = yielded = 0
        out = []
        if self._state == "prolog":
            stop, repaired = self._prolog()
            out.append(repaired)
        while self._state == "content" and stop < len(text) and not self._needed:
            start = stop
            stop, repaired = self._part(start)
            if stop == start:
                break
            out.append(repaired)
            if stop - yielded >= PART_SIZE:
                yield "".join(out)
                out.clear()
                yielded = stop
        if final or len(text) - stop > HOLD_LIMIT:
            self._state = "off"
        yield "".join(out)
        if self._state == "off":
            yield from (text[at : at + PART_SIZE] for at in range(stop, len(text), PART_SIZE))
            stop = len(text)
        if not stop and not self._needed:
            self._needed = 2 * len(text)  # to try again with each piece would take quadratic time
        self._held = [text[stop:]] if stop < len(text) else []
        self._length = len(text) - stop
        self._needed = max(self._needed - stop, self._length + self._length // GROWN_BY)
        self._offset += stop
        self._before = self._end_before(stop)
        self._text = ""

    # -- the prolog -----------------------------------------------------------------------------------

    def _prolog(self) -> tuple[int, str]:
        """Return the index behind what stands before the root, and that repaired."""
        text = self._text
        pairs: list[tuple[str, str]] = []
        miscounted: int | None = None
        done = index = behind = 0
        while found := XML_MARKUP.search(text, index):
            start, end = found.span()
            if not self._final and (end == len(text) or text.find("<", end) < 0):
                break
            if BEGINS_TAG.match(text, start):
                self._state = "content"
                break
            is_type = text[start : start + len("<!DOCTYPE")].upper() == "<!DOCTYPE"
            is_read = is_type and self._doctypes < DECLARATIONS
            try:
                step = self._doctype(start) if is_read else self._step(start, found[0])
            except MoreNeeded:
                break
            self._doctypes += is_type
            if self._state == "off":  # the entities are unknown
                break
            index = step.end
            if step.written is not None:
                if is_read:
                    behind, miscounted = index, miscounted_columns(step.written)
                pairs += (text[done:start], text[done:start]), (text[start:index], step.written)
                done = index
        index = found.start() if found else len(text)
        pairs = [*pairs, (text[done:index], text[done:index])]
        repaired = "".join(after for _, after in pairs)
        if miscounted and "\n" in text[behind:index]:
            miscounted = 0
        self._log.end(text, 0, index, repaired, lambda: pairs, miscounted)
        return index, repaired

    def _doctype(self, start: int) -> StepResult:
        """Repair the document type declaration as a whole."""
        end, _ = doctype_end(self._text, start, self._final)
        if end is None:
            raise MoreNeeded
        if end < 0:
            self._state = "off"
            return StepResult(start)
        repaired, entities = read_doctype(self._text, start, end, self._log.record)
        self._entities = entities._replace(spelt=self._entities.spelt)
        self._log.external = entities.external
        return StepResult(end, repaired)

    # -- the content ----------------------------------------------------------------------------------

    def _part(self, index: int) -> tuple[int, str]:
        """Return the index behind the next part that is certain, and that repaired; the same index where it
        depends on text that follows."""
        size = self._size
        self._size = min(2 * size, PART_SIZE)
        while True:
            self._part_end = index + size
            parts = TAGS.split(self._text[index : self._part_end])
            is_last = self._part_end >= len(self._text)
            stop = min(self._part_end, len(self._text))
            if len(parts) > 1 and not parts[-1] and self._is_faulty_section(stop - len(parts[-2])):
                # To split what follows each `<` in it again would take much time.
                parts[-2:] = NO_SECTIONS.split(parts[-2])[1:]
            if not (is_last and self._final):
                stop -= drop_uncertain(parts)
            stop, written = self._follow(parts, index, stop)
            is_end = self._final and stop == len(self._text)
            # An element behind a text may show that this is a start tag that has lost its `<`.
            if len(parts) % 2 and not is_end and self._open.local in HOLD_ITEMS and len(parts[-1]) <= FAR_END:
                stop -= len(parts[-1])
                parts[-1] = ""
            if stop > index or is_last or self._needed:
                return stop, self._written(parts, index, stop, written)
            size *= 2

    def _is_faulty_section(self, index: int) -> bool:
        """Return whether a section begins there that has no end or another in it."""
        opener = next((opener for opener in SECTIONS if self._text.startswith(opener, index)), None)
        if opener and self._text.find(opener, index + 1, self._part_end) >= 0:
            return True
        return opener is not None and self._next_end(opener, index + len(opener)) < 0

    def _follow(self, parts: list[str], index: int, stop: int) -> tuple[int, dict[int, str]]:
        """Follow the open elements through the parts of text[index:stop], and remove those that are not
        followed. Return the index after the last that is left; what is written instead of some of them, and
        for sections themselves."""
        for element, token in self._of_part:
            element.known.pop(token, None)
        self._of_part.clear()
        element = self._open
        written: dict[int, str] = {}
        repeated: list[Sequence[CountedRepair]] = []
        looked_at, start, at, length = 0, index, -1, len(parts)
        while (at := at + 2) < length:
            if (known := element.known.get(parts[at])) is None:
                known = self._known(element, parts, at)
                length = len(parts)
            if known is not None:
                element, repaired, repairs = known
                if repaired is not None:
                    written[at] = repaired
                    repeated.append(repairs)
                continue
            token = parts[at]
            start += sum(map(len, parts[looked_at:at]))
            looked_at = at
            self._open = element
            self._records = []
            try:
                if tag := self._lost_start_tag(parts, at, start):
                    token = parts[at]
                    start -= len(token) + len(parts[at + 1])
                    end, repaired, _ = self._start_tag(start, start + len(token), tag_name(tag), False, tag)
                    same = ""
                else:
                    end, repaired, same = self._step(start, token)
            except MoreNeeded:
                self._log.forget(start)  # it is repaired again when more is known
                del parts[at:]
                stop = start
                break
            if repaired is not None:
                written[at] = repaired
            if same and self._state == "content" and end == start + len(token):
                self._remember(element, token, (self._open, repaired, self._records))
                if same == "part":
                    self._of_part.add((element, token))
            element = self._open
            length = len(parts)
            behind = start + len(token)
            if end != behind or self._state == "off":
                parts[at] = self._text[start:end]
                last = at + 1
                while behind + len(parts[last]) < end and last + 1 < len(parts):
                    behind += len(parts[last])
                    last += 1
                if self._state == "off" or not behind < end <= behind + len(parts[last]) or last % 2:
                    self._size = FIRST_PART
                    del parts[at + 1 :]
                    stop = end
                    break
                parts[at + 1 : last] = [""] * (last - at - 1)
                parts[last] = parts[last][end - behind :]
                at = last - 1
        self._open = element
        times = Counter(map(id, repeated))
        for repairs in {id(repairs): repairs for repairs in repeated}.values():
            for kind, found, became, count in repairs:
                self._log.record(kind, found, became, stop, times[id(repairs)] * count)
        return stop, written

    def _written(self, parts: list[str], index: int, stop: int, written: dict[int, str]) -> str:
        """Return the parts of text[index:stop], with references and `]]>` in character data repaired, and
        with what is written instead of some of them."""
        end = stop
        if self._final and stop == len(self._text) and self._state == "content" and len(parts) % 2:
            stop -= len(parts[-1]) - cut_reference(parts[-1], self._entities)
            if found := self._text[stop:]:
                self._log.record("reference", found[:SHOWN], "", stop)
                parts[-1] = parts[-1].removesuffix(found)
        before = parts[:]
        # A tag can stay among them: references end at its `<`.
        apart = {at: new for at, new in written.items() if new[:1] != "<" or "&" in new or "]" in new}
        for at, new in written.items():
            parts[at] = _SEAM if at in apart else new
        content = "".join(parts) if written else self._text[index:stop]
        ends = content.count("]]>") if "]" in content else 0
        if ends or "&" in content:
            at, passed, behind = 0, 0, index  # parts, their characters, and where these end in the text

            def record(kind: str, found: str, became: str, place: int, count: int) -> None:
                nonlocal at, passed, behind
                if place < passed:
                    at, passed, behind = 0, 0, index
                if (kind, found) not in self._log.entries:  # the place of others is known
                    while passed + (length := len(parts[at])) <= place:
                        at, passed, behind = at + 1, passed + length, behind + len(before[at])
                self._log.record(kind, found, became, behind + place - passed, count)

            if ends:
                record("cdata-end", "]]>", "]]>", content.index("]]>"), ends)
            content = repair_references(content, self._entities, record)
            content = content.replace("]]>", "]]&#62;") if ends else content
        if apart:
            pieces = [""] * (2 * len(apart) + 1)
            pieces[::2] = content.split(_SEAM)
            pieces[1::2] = apart.values()
            content = "".join(pieces)
        self._log.end(self._text, index, end, content, partial(_pairs, before, written, self._entities))
        return content

    def _with_references(self, written: str, start: int, end: int) -> str:
        """Return what is written instead of text[start:end] with its references repaired."""
        at = start

        def record(kind: str, found: str, became: str, _: int, count: int) -> None:
            nonlocal at
            at = max(self._text.find(found, at, end), at)
            self._records.append((kind, found, became, count))
            self._log.record(kind, found, became, at, count)

        return repair_references(written, self._entities, record)

    def _known(self, element: OpenElement, parts: list[str], at: int) -> Known | None:
        """Return what the markup parts[at] does in the element that is open; None where it needs a step. Of
        several tags that are not all known only the first one is left there."""
        token = parts[at]
        following = parts[at + 2] if at + 2 < len(parts) else ""
        if token == "<":
            following = (parts[at + 1] + following)[:2] if parts[at + 1] else following[:1]
        if (known := element.known.get((token, following))) is not None:
            return known
        if token[1:2] in ("!", "?"):
            # What a section holds that may have lost its end.
            another = "<?" if token[1] == "?" else "<![CDATA[" if token[2] == "[" else f"</{element.name}"
            is_plain = is_whole_section(token) and token.find(another, 1) < 0
            return (element, token, ()) if element.depth and is_plain else None
        if not token.rfind("<"):
            return self._plain(element, token, following)
        tags = XML_MARKUP.split(token)
        if (known := self._known_together(element, token, tags)) is not None:
            return known
        parts[at : at + 1] = tags[1:-1]
        return element.known.get(parts[at]) or self._known(element, parts, at)

    def _known_together(self, element: OpenElement, token: str, tags: list[str]) -> Known | None:
        """Return what several tags, split, do together in an element, if that is known of each, in this part
        and later."""
        after, written = element, tags[:]
        repairs: list[CountedRepair] = []
        for at in range(1, len(tags), 2):
            if (known := after.known.get(tags[at])) is None or (after, tags[at]) in self._of_part:
                return None
            after, repaired, records = known
            if repaired is not None:
                written[at] = repaired
                repairs += records
        known = after, "".join(written) if repairs or written != tags else None, repairs
        self._remember(element, token, known)
        return known

    def _plain(self, element: OpenElement, token: str, following: str) -> Known | None:
        """Return what a start tag does that needs no step, before the next markup."""
        if token[1:2] in ("", "/") or not element.depth:
            return None
        name = tag_name(token)
        bound, missing = bound_prefixes(token, element.bound)
        is_odd = around_field(name, element) or may_be_first(name, element)
        is_odd = is_odd or (element.in_text and may_be_word(token))
        if is_odd or misspelt(name, element.in_feed) or missing or "]]>" in token or distinct(token) != token:
            return None
        after, before = element, ""
        if token[-2] != "/":
            if element.depth >= DEEP or (name == element.name and local_name(name) in ITEMS):
                return None
            if name in VOID:
                if not following.startswith(f"</{name}>"):
                    return None
                before = following
            after = element.begin(name, bound)
        known = after, None, ()
        self._remember(element, token, known, before)
        return known

    def _remember(self, element: OpenElement, token: str, known: Known, following: str = "") -> None:
        """Note what a tag does in an element, before some markup or always."""
        if len(token) + len(following) <= LONGEST_KNOWN_TAG:
            self._remembered += 1
            if self._remembered > KNOWN_TAGS:
                self._remembered = 0
                for outer in self._open.up():
                    outer.forget()
            element.known[(token, following) if following else token] = known

    # -- steps ----------------------------------------------------------------------------------------

    def _step(self, start: int, token: str) -> StepResult:
        """Repair what begins at `start`."""
        if self._final and (cut := CUT_MARKUP.match(self._text, start)):
            return StepResult(len(self._text), "" if cut[0] == "<\ufffd" else None)
        if token == "<":
            odd = ODD_END_TAG.match(self._text, start)
            inner, ended = self._open.name, self._open.ended_by(odd[1]) if odd else 0
            if odd and ended and self._may_search(inner) and not self._ends_first(inner, odd.end()):
                return self._end_tag(start, odd.end(), odd[1], f"</{odd[1]}>")
            if self._text.startswith("</", start) or BEGINS_TAG.match(self._text, start):
                return self._outside_grammar(start)
            if section := BEGINS_SECTION.match(self._text, start):
                return self._section(start, section[0])
            self._need(start + WINDOW)
            odd = ODD_START_TAG.match(self._text, start)
            if odd and odd[1] != inner and self._is_odd_tag(odd):
                tag = distinct(f"<{self._text[odd.start(1) : odd.end()]}")
                return self._start_tag(start, odd.end(), odd[1], odd[3] != "", tag)
            found = self._less_than(start, "<")
            if following := NO_MARKUP.match(self._text, start + 1):
                self._remember(self._open, token, (self._open, found.written, self._records), following[0])
            return found
        end = start + len(token)
        if token[1] == "/":
            return self._end_tag(start, end, token[2:-1].rstrip(" \t\r\n"), token)
        if token[1] in "!?":
            return self._section(start, token)
        return self._start_tag(start, end, tag_name(token), token[-2] == "/", distinct(token))

    def _less_than(self, start: int, found: str) -> StepResult:
        """Write a `<` that begins nothing as a reference."""
        self._record("less-than", found, "<", start)
        return StepResult(start + 1, "&#60;")

    def _section(self, start: int, token: str) -> StepResult:
        """Pass a comment, a CDATA section or an instruction; drop a markup declaration."""
        opener = next((opener for opener in SECTIONS if token.startswith(opener)), None)
        before_root = not self._open.depth
        if opener is None:
            if before_root:
                return StepResult(start + len(token))
            if token.endswith("]]>") or token.startswith("<![CDATA"):  # of a CDATA section that is damaged
                self._record("less-than", "<!", "<", start)
                written = self._with_references(token[1:-1], start, start + len(token))
                return StepResult(start + len(token), f"&#60;{written}&#62;")
            self._log.record("declaration", token, "", start)
            return StepResult(start + len(token), "\n" * token.count("\n"))
        closer = SECTIONS[opener]
        end = self._section_end(opener, start)
        if end >= 0:
            if cut := self._cut_section(opener, start, end):
                self._log.record("unclosed", opener, closer, start)
                return StepResult(*cut)
            if opener == "<?" and not (before_root or WHOLE_INSTRUCTION.match(self._text, start)):
                instruction = SGML_INSTRUCTION.match(self._text, start)
                if instruction is None or instruction.end() != end:  # there are tags in it
                    if instruction is None or not self._text.startswith("<?xml:", start):
                        return self._less_than(start, "<?")
                    if self._text.find("<", start + 1, end) >= 0:
                        self._log.record("unclosed", opener, closer, start)
                        end = instruction.end()
                        section = f"{self._text[start : end - 1]}?>"
                        return StepResult(end, self._spelt_section(start, section, self._text[start:end]))
            return StepResult(end, self._spelt_section(start, self._text[start:end]))
        if before_root:
            self._state = "off"
            return StepResult(start)
        reach = start + self._longest
        is_cut = opener != "<![CDATA[" and len(self._text) < reach and not self._ends_behind(start)
        is_cut = is_cut and (opener != "<?" or WHOLE_INSTRUCTION.match(self._text, start) is not None)
        is_cut = is_cut and (opener != "<!--" or self._next_end("--!>", start) < 0)
        instruction = None if is_cut else SGML_INSTRUCTION.match(self._text, start, reach)  # it ends at a `>`
        if opener == "<?" and not (is_cut or instruction):
            return self._less_than(start, "<?")
        self._log.record("unclosed", opener, closer, start)  # libxml2 would drop the whole section
        if opener == "<?":
            end = instruction.end() if instruction else len(self._text)
            section = self._text[start : end - bool(instruction)]
            return StepResult(end, self._spelt_section(start, f"{section}?>", self._text[start:end]))
        if opener == "<!--":
            return StepResult(*cut_comment(self._text, start, reach, cut=is_cut))
        if cut := cut_section(self._text, start, reach, self._open.names()):
            return StepResult(*cut)
        section = self._text[start:reach]
        return StepResult(start + len(section), ended_section(section, cut=True))

    def _ends_behind(self, index: int) -> bool:
        """Return whether an open element ends behind an index, or an item that is not in a comment there."""
        if self._last_ends is None:
            self._last_ends = {tag[1].lower(): tag.start() for tag in END_TAG.finditer(self._text)}
        items = () if COMMENTED_TAG.match(self._text, index) else ITEMS
        return any(self._last_ends.get(name.lower(), -1) > index for name in (*items, *self._open.names()))

    def _cut_section(self, opener: str, start: int, end: int) -> tuple[int, str] | None:
        """Return where a section ends that has lost its end, and goes on to the end of the next one, and it
        with an end; None for any other. A comment is around another one where a second end follows; behind
        another section with one in it, or behind a comment with the element's end tag in it, the element has
        its end tag in a well-formed document, and the one around it, too."""
        inner = self._open.name
        another = self._text.find(opener, start + 1, end)
        if another < 0 and opener == "<!--" and self._text.find(f"</{inner}", start, end) >= 0:
            another = end
        if another < 0 or not inner:
            return None
        if opener == "<!--" and another < end:
            self._need(end + WINDOW)
            behind = self._next_end("-->", end)
            is_around = 0 <= behind < end + WINDOW and self._text.find(opener, end, behind) < 0
            return None if is_around else cut_comment(self._text, start, end)
        has_end, around = self._has_end_tag(inner, end), self._open.parent
        tag = END_TAG.match(self._text, self._text.find("<", end))
        if has_end and tag and around is not None and around.depth:
            has_end = self._has_end_tag(around.name, self._text.find(">", tag.end()) + 1)
        if has_end is not False:
            return None
        cut = cut_section(self._text, start, another, [inner])
        if cut is None or f"<{inner}" in cut[1]:
            return None
        if opener != "<!--":
            return cut
        return cut_comment(self._text, start, end) if self._ends_in(start, end) else None

    def _ends_in(self, start: int, end: int) -> bool:
        """Return whether the first end tag behind text[start:end] that ends no open element, nor one that is
        behind it, ends one that begins there."""
        self._need(end + WINDOW)
        names = self._open.names()
        for tag in islice(END_TAG.finditer(self._text, end, end + WINDOW), NAMES_SEARCHED):
            if self._text.find(f"<{tag[1]}", end, tag.start()) >= 0:
                continue
            if tag[1] in names:
                del names[: names.index(tag[1]) + 1]
            elif self._text.find(f"<{tag[1]}", start, end) >= 0:
                return True
        return False

    def _spelt_section(self, start: int, section: str, found: str = "") -> str:
        """Return a comment, a CDATA section or an instruction as libxml2 reads it without an error; `found`
        stands there, if it is something else."""
        if is_odd_comment(section):
            self._log.record("comment", "--->", "- -->", start + len(section) - len("--->"))
            return f"{section[: -len('-->')]} -->"
        is_first = not self._open.depth and section.startswith("<?xml")
        if is_first or section[:2] != "<?" or section[:6] == "<?xml:" or WHOLE_INSTRUCTION.match(section):
            return section
        self._log.record("declaration", (found or section)[:SHOWN], "", start)
        return "\n" * section.count("\n")

    # -- steps: start tags ----------------------------------------------------------------------------

    def _start_tag(self, start: int, end: int, name: str, empty: bool, tag: str) -> StepResult:
        """Begin an element with the tag at text[start:end], which is `tag` within the grammar, and ends with
        `/>` if `empty`."""
        element = self._open
        original = self._text[start:end]
        if element.in_text and tag == original and may_be_word(tag) and self._is_word(name, end):
            self._record("less-than", f"<{name}", "<", start)
            return StepResult(end, f"&#60;{tag[1:]}")
        if empty and not element.depth and self._what_follows(end, name, frozenset()):
            empty, tag = False, f"{tag[:-2]}>"
        is_odd = misspelt(name, element.in_feed) != ""
        if is_odd and not empty and (spelt := self._spelt_name(name, end)):
            name, tag = spelt, tag.replace(name, spelt, 1)
        beside = around_field(name, element)
        is_lost = beside is not None and self._has_lost_end(element, beside, start, name)
        ended = self._close(element.depth - beside.depth, start) if beside and is_lost else ""
        was_text, element = is_text(element.name), self._open
        prefix = "" if element.local == "rdf" else element.name[: -len(element.local)]
        if ended and not was_text and may_be_first(name, element):
            # What was ended is what is left of the start tag of an item, where the end tag of that follows.
            item = prefix + ("entry" if element.local == "feed" else "item")
            if self._first_of((f"</{item}>", f"<{item}"), start)[1:2] == "/":
                self._record("tag", "", f"<{item}>", start)
                ended += f"<{item}>"
                self._open = element = element.begin(item, element.bound)
        within = 0 if empty else element.depth
        void = within > 0 and name in VOID
        ends_itself = name.lower() in ENDED or name == "outline" or (element.in_feed and name in HTML)
        ends_itself = within >= DEEP and ends_itself and self._open.count_to(name) > 0
        is_far = False
        if may_lack_end := void or ends_itself:
            has_end = self._has_end_tag(name, end)
            void = void and not (has_end or self._ends_first(name, end))
            ends_itself = ends_itself and not has_end
            is_far = self._is_far(f"</{name}", end, self._part_end)
        if tag != original:
            self._record("tag", original, tag, start)
        if void:
            self._record("unclosed", f"<{name}>", f"</{name}>", start)
            tag = self._with_references(tag, start, end)
            return StepResult(end, f"{tag}</{name}>", "part" if is_far else "")
        is_item = name == element.name and 1 < element.depth <= ITEMS_DEPTH and local_name(name) in ITEMS
        is_first = may_be_first(name, element)
        depends = is_item or beside or is_odd or is_first
        if is_item and within and name != "outline" and local_name(element.root) in ROOTS:
            ends_itself = ends_itself or self._lacks_end_tag(name, ~start)
            if ends_itself and tag == f"<{name}>" and self._is_end_of_item(end):
                self._record("end-tag", original, f"</{name}>", start)
                return StepResult(end, f"{ended}</{self._pop()}>")
        closed = ended + (self._close(self._open.ended_by(name), start) if ends_itself else "")
        bound, missing = bound_prefixes(tag, self._open.bound)
        for prefix in missing:
            self._record("namespace", f"{prefix}:", NAMESPACES[prefix], start)
            tag = tag.replace(name, f'{name} xmlns:{prefix}="{NAMESPACES[prefix]}"', 1)
        if is_first and (plain := name.removeprefix(prefix)) in HEADINGS:
            element.headings |= {plain}
        if not empty:
            self._open = self._open.begin(name, bound)
        if not self._open.depth or self._open.depth >= self._deepest:
            self._state = "off"
        changed = closed or tag != original or "]]>" in tag  # which in a value is well-formed
        repaired = closed + self._with_references(tag, start, end) if changed else None
        if not element.depth or depends or (may_lack_end and not is_far):
            return StepResult(end, repaired)
        return StepResult(end, repaired, "part" if may_lack_end else "everywhere")

    # -- steps: end tags ------------------------------------------------------------------------------

    def _end_tag(self, start: int, end: int, name: str, tag: str) -> StepResult:
        """End the element that the end tag at text[start:end] names, and all within it; `tag` is that within
        the grammar."""
        element = self._open
        if not element.depth:
            return StepResult(end)
        found = self._text[start:end]
        ended = self._open.ended_by(name)
        if ended == element.depth:
            names = element.names()
            follows = self._what_follows(end, names[-1], frozenset(names) - {names[-1]})
            if follows:
                self._record("end-tag", found, "", start)
                closed = self._close(ended - 1, start) if follows == "element" else ""
                return StepResult(end, closed + "\n" * found.count("\n"))
            if self._text[end : end + FAR_END].lstrip().startswith("<?xml"):
                self._need(self._text.index("<?xml", end) + WINDOW)
            self._state = "off"
        if not ended:
            self._record("end-tag", found, "", start)
            return StepResult(end, "\n" * found.count("\n"), "everywhere")
        closed = self._close(ended - 1, start)
        last = self._pop()
        became = tag if last == name else f"</{last}>"
        if became != found:
            self._record("end-tag", found, became, start)
        repaired = closed + became if closed or became != found else None
        if self._state == "off" and (behind := DECLARATION_BEHIND.match(self._text, end)):
            self._record("declaration", behind[0].strip(), "", behind.end() - len(behind[0].lstrip()))
            return StepResult(behind.end(), closed + became + "\n" * behind[0].count("\n"))
        return StepResult(end, repaired, "everywhere")

    def _pop(self) -> str:
        """End the innermost element; return its name."""
        name = self._open.name
        self._open = self._open.parent or self._open
        return name

    def _close(self, count: int, start: int) -> str:
        """End the innermost elements without their end tags; return these."""
        names = [self._pop() for _ in range(count)]
        self._owes_end = self._owes_end or not set(names).isdisjoint([self._open.root])
        for name in names:
            self._record("unclosed", f"<{name}>", f"</{name}>", start)
        return "".join(f"</{name}>" for name in names)

    def _what_follows(self, end: int, name: str, within: frozenset[str]) -> Literal["element", "end", ""]:
        """Return what follows an end of the root, from the index `end` on; `within`: what is open in it.

        "element": an element that is in the root of such documents, and in no open one. "end": the end of an
        element that is open within, or the end of the root again, with tags between; or what may be in an
        open element. "": neither, or another document.
        """
        if self._offset + end <= self._goes_on[0]:
            return self._goes_on[1]
        known = local_name(name) in ROOTS | ITEMS or is_of_feeds(name)
        has_lists = known and local_name(name) not in FEED_ROOTS | {"channel"}
        ends = {name, *(LOST_ENDS if local_name(name) not in ROOTS else ())}
        begun: set[str] = set()
        nested = 0  # elements with the root's name that are open
        around = ""  # the element in which others stand: of another document, where the root is not a feed's
        index, stop = end, end + FAR_END
        while found := BEHIND_ROOT.search(self._text, index, stop):
            index = found.end()
            self._need(min(index + len("<![CDATA["), stop))
            tag = found["name"] or ""
            local = tag.rpartition(":")[2] if name.islower() else local_name(tag)  # `CHANNEL` is of CDF
            kind: Literal["element", "end", ""] = ""
            is_root = local_name(tag) in ROOTS or (tag == name and not (known and local != "channel"))
            is_nested = tag == name and not known and (nested > 0 or (self._owes_end and not found["end"]))
            if found["document"] or (is_root and not found["end"] and not is_nested):
                stop = index
                break
            if found["opener"]:
                index = max(self._section_end(found[0], found.start()), index)
            elif is_nested:
                whole = XML_MARKUP.match(self._text, found.start(), stop)
                if whole and whole[0] == "<":
                    self._need(stop)
                nested += -1 if found["end"] else not (whole and whole[0].endswith("/>"))
                begun.add("")
            elif found["end"]:
                kind = "end" if tag not in begun and (tag in within or (begun and tag in ends)) else ""
                around = "" if tag == around else around
            else:
                if local in ("channel", "item", "entry") or (has_lists and local in ITEMS):
                    kind = "end" if local == "outline" else "element"  # which may be within another
                    if around and self._text.find(f"</{around}>", index, stop) < 0:
                        self._need(stop)
                    elif around:
                        kind = ""
                begun.add(tag)
                around = around or ("" if known or tag.lower() in HTML else tag)
            if kind:
                self._goes_on = self._offset + found.start(), kind
                return kind
        self._need(stop)
        return ""

    # -- steps: what is outside of the grammar --------------------------------------------------------

    def _outside_grammar(self, start: int) -> StepResult:
        """Read a tag that is outside of the grammar, or text that begins as one."""
        text = self._text
        part = PART_OF_TAG.match(text, start)
        assert part  # all but its start is optional
        self._need(part.end() + WINDOW + 1)
        stop = min(part.end() + WINDOW, len(text))
        if text.startswith("</", start):
            found = END_OUTSIDE_GRAMMAR.match(text, start, stop)
            assert found  # all but its start is optional
            name, rest, closed = found.groups()
            if name and name[-1] == ":" and BEGINS_TAG.fullmatch(f"<{rest.strip()}"):
                name, rest = name + rest.strip(), ""  # `</a: title>`
            inner = self._open.name
            if not self._open.depth or (name and found.end() == len(text) and not rest and not closed):
                return StepResult(found.end())  # cut off
            if name and name.startswith(inner) and not (closed or name in HTML or self._open.ended_by(name)):
                return self._end_tag(start, start + 2 + len(inner), inner, f"</{inner}>")  # `</titleNews`
            if name and (ended := self._named_by(name, rest, closed)):
                is_whole = (closed and IN_END_TAG.fullmatch(rest)) or rest.isspace()
                behind = found.end(1) + is_sign(rest) * len(rest.rstrip())
                return self._end_tag(start, found.end() if is_whole else behind, ended, f"</{ended}>")
            words = rest.strip()
            is_name = BEGINS_TAG.fullmatch(f"<{words}") is not None
            if name or not closed or (words and not is_name):
                return self._less_than(start, f"</{name or ''}")
            if is_name:
                return self._end_tag(start, found.end(), words, f"</{words}>")
            self._record("end-tag", found[0], "", start)
            return StepResult(found.end(), "\n" * found[0].count("\n"))
        if split := SPLIT_NAME.match(text, start):
            name = split[1] + split[2]
            if not self._is_known(name):
                spelt = self._spelt_name(name, split.end())
                name = spelt or (name if self._may_search(name) else "")
            ends = (f"</{name}>", f"</{split[1]}>")
            if name and self._first_of(ends, split.end()) == ends[0]:
                return self._start_tag(start, split.end(), name, False, f"<{name}{split[3]}")
        inner = self._open.name
        before = self._end_before(start)[-1:]
        tag = read_start_tag(text, start, stop, inner, self._is_own_end_next)
        count_to = self._open.count_to
        if tag := tag or read_bare_name(text, start, stop, inner, before, count_to, self._is_ended):
            is_cut = part.end() == stop  # also behind a `>` in a value
            if stop == len(text) and not is_cut and text[tag.end - 1] != ">":
                is_cut = CUT_ATTRIBUTE.fullmatch(text, tag.end) is not None
            end = stop if is_cut and stop == len(text) else tag.end
            return self._start_tag(start, end, tag.name, tag.empty, tag.spelt)
        begin = BEGINS_TAG.match(text, start)
        assert begin
        if part.end() == len(text):  # cut off
            return StepResult(stop, begin[0] + "\n" * text.count("\n", start))
        if not self._open.depth or (stop == len(text) and not ANGLE.search(text, start + 1)):
            return StepResult(start + 1)
        return self._less_than(start, begin[0])

    def _is_word(self, name: str, end: int) -> bool:
        """Return whether a start tag, which ends at an index, is a word in a text of a feed: that has an end,
        and no such element has one."""
        text = next(element.name for element in self._open.up() if is_text(element.name))
        if not (self._may_search(name) and self._first_of((f"</{text}",), end)):
            return False
        return not self._first_of((f"</{name}",), end)

    def _is_odd_tag(self, odd: re.Match[str]) -> bool:
        """Return whether what matches ODD_START_TAG is a tag, and no text."""
        name, is_known = odd[1], self._is_known(odd[1])
        if odd[3]:
            return is_known or odd["valued"] is not None
        return self._is_own_end_next(name, odd.end())

    def _is_own_end_next(self, name: str, index: int) -> bool:
        """Return whether the end tag of an element follows its start tag, which ends at an index: before
        another start tag of its name, unless it is an outline."""
        if not self._may_search(name):
            return False
        return self._ends_first(name, index) or (name == "outline" and bool(self._has_end_tag(name, index)))

    def _is_ended(self, name: str, index: int) -> bool:
        """Return whether the next tag of a name, from an index on, is the end of no open element."""
        ends = f"</{name}>", f"<{name}>", f"<{name} "
        is_searched = not self._open.count_to(name) and self._may_search(name)
        return is_searched and self._first_of(ends, index) == ends[0]

    def _is_known(self, name: str) -> bool:
        """Return whether elements of feeds with this name may be here, where there is no text."""
        return is_of_feeds(name) and self._open.local in WITHOUT_TEXT

    def _named_by(self, name: str, rest: str, closed: str) -> str:
        """Return the name of what ends at an end tag outside of the grammar; "" where this is text. `rest`
        is what follows the name up to a `<` or `>`, `closed` the `>`."""
        is_delimited = rest[:1] in ("", *" \t\r\n/") or is_sign(rest)
        if not is_delimited and (not closed or len(rest.split()) > 1):  # `</spa…`
            return ""
        if self._open.ended_by(name):
            return name
        if self._open.depth > 1 and self._open.name.startswith(name):
            return self._open.name
        return name if closed or not rest.strip(" \t\r\n") else ""

    def _record(self, kind: str, found: str, became: str, start: int) -> None:
        self._records.append((kind, found[:SHOWN], became[:SHOWN], 1))
        self._log.record(kind, found[:SHOWN], became[:SHOWN], start)


def _pairs(before: list[str], written: dict[int, str], entities: Entities) -> list[tuple[str, str]]:
    """Return the parts of a text, those without markup split at their references, each with what is written
    instead of it."""
    pairs: list[tuple[str, str]] = []
    for at, part in enumerate(before):
        if at in written or (part.isascii() and "&" not in part and "]]>" not in part):
            pairs.append((part, written.get(at, part)))
            continue
        for found in _SPELT_APART.split(part):
            pairs += [("]]>", "]]&#62;")] if found == "]]>" else spelt_references(found, entities)
    return pairs
