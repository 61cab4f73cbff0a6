"""What was repaired so that a document could be parsed: `XmlReader.recovered`, and the line of the log."""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from operator import attrgetter, itemgetter
from typing import NamedTuple

from feedcharset.parsing.libxml2 import LOST_TEXT, PullParser
from feedcharset.reading.xml_reader import XmlReader
from feedcharset.results import Recovery
from feedcharset.text.source_positions import LinePosition, RepairLog, common_prefix

logger: logging.Logger = logging.getLogger("feedcharset")

LISTED = 100
"""Different recoveries that are listed: as many as `Repairs` lists offsets. libxml2 stops at 100 errors."""

SHOWN = 80
"""Characters that a `Recovery` shows of a tag, or of the start of what stands before the document."""

LOGGED = 5
"""Recoveries in the line of the log; `XmlReader.recovered` has them all."""

LAST_PARTS = 1 << 17
"""Characters of repaired parts that are kept to place the parser's errors, besides the first and the last
part: more than are repaired before the parser gets them."""

_UNDEFINED = re.compile("Entity '(.*)' not defined")
_COUNTED_IN_BYTES = re.compile(r"</[!-;=?-~]*+[^\0-\x7f][^\s<>]*+")
"""An end tag with a name that is not ASCII."""


class _Change(NamedTuple):
    """A part of the document that was repaired, or what follows one as it is: where it begins in what the
    parser gets and in the document, what stands in it in turn with what the parser gets for each, and how
    many characters that are."""

    written: LinePosition
    document: LinePosition
    pairs: Callable[[], Sequence[tuple[str, str]]]
    size: int


class RecoveryLog:
    """What was repaired in a document by every stage, counted by what was found, with the first position of
    each."""

    def __init__(self, repairs: RepairLog) -> None:
        self.external: frozenset[str] = frozenset()
        """The entities that the document declares in other documents, which are not loaded."""
        self._repairs = repairs
        self.entries: dict[tuple[str, str], Recovery] = {}
        """By kind and what was found."""
        self._new: list[tuple[int, str, str, str, int]] = []
        """Repairs in this piece of the document: the index of the first, the arguments of `record`."""
        self._added: list[tuple[int, int, str, str, str]] = []
        """Characters that the pieces have, and the document has not: line and column there, the characters,
        and the entry of that repair."""
        self._start = LinePosition()
        """Up to where the lines of the document were counted."""
        self._written = LinePosition()
        """The same in what the parser gets."""
        self._changes: deque[_Change] = deque(maxlen=LISTED * 10)
        """The last ones."""
        self.parser: PullParser | None = None
        """The one that recovers from errors."""
        self._errors = 0
        """Errors of it that were placed."""
        self._markup: dict[str, Recovery] = {}
        """By the parser's message."""

    def begin_again(self, known: dict[tuple[str, str], Recovery]) -> None:
        """Drop all repairs but those that were known before the text was read."""
        self.entries, self._added = known, []
        self._start, self._written = LinePosition(), LinePosition()
        self._changes.clear()
        self._new.clear()

    def record(self, kind: str, found: str, became: str, index: int, count: int = 1) -> None:
        """Count repairs; `index` is that of the first one in the piece."""
        self._new.append((index, kind, found, became, count))

    def forget(self, index: int) -> None:
        """Drop the repairs in this piece from an index on."""
        self._new = [repair for repair in self._new if repair[0] < index]

    def end(
        self,
        text: str,
        start: int,
        stop: int,
        written: str,
        pairs: Callable[[], Sequence[tuple[str, str]]],
        miscounted: int | None = None,
    ) -> None:
        """Finish with text[start:stop], whose line ends are LF, and for which the parser gets `written`;
        `pairs` as in `_Change`. `miscounted`: there is a document type in it, and by how many the parser's
        columns behind it are too large."""
        part, begun = text[start:stop], self._start.copy()
        written = written if miscounted is not None else _as_counted(written)
        new: dict[tuple[str, str, int], tuple[int, str, int]] = {}
        for index, kind, found, became, count in sorted(self._new, key=itemgetter(0)):
            if not self._added and (known := self.entries.get((kind, found))):
                self.entries[kind, found] = known._replace(count=known.count + count)
                continue
            place = index if self._added and kind == "tag" else 0  # of the root, it is an entry by itself
            first, as_first, counted = new.get((kind, found, place), (index, became, 0))
            new[kind, found, place] = first, as_first, counted + count
        for (kind, found, _), (first, became, count) in new.items():
            index = min(first, stop)
            self._start.advance(text[start:index])
            start = index
            position, shown = self._in_document(self._start.copy()), found
            for line, column, added, kind_before, found_before in self._added:
                if (position.line, position.column, kind) == (line, column, kind_before):
                    self.entries.pop((kind, found_before), None)  # the same tag is repaired again
                    shown = found.removeprefix(added)
            self.record_at(kind, shown, became, position, count)
        self._new.clear()
        self._start.advance(text[start:stop])
        measured = cache(lambda: [(before, _as_counted(after)) for before, after in pairs()])
        change = _Change(self._written.copy(), begun, measured, len(written))
        self._written.advance(written)
        self._written.column += miscounted or 0
        if written != part or miscounted is not None:
            self._changes += change, _Change(self._written.copy(), self._start.copy(), tuple, 0)
            while (
                sum(change.size for change in islice(self._changes, 1, len(self._changes) - 2)) > LAST_PARTS
            ):
                self._changes.popleft()

    def _in_document(self, position: LinePosition) -> LinePosition:
        """Move a position in the pieces to the same one in the document, and return it."""
        for line, column, added, *_ in self._added:
            if position.line == line and position.column > column:
                position.column = max(position.column - len(added), column)
        return position

    def place(self) -> None:
        """Count the errors from which the parser has recovered since, and find their places while what it
        got is known. In an entity within another one they have none in the document."""
        for error in islice(self.parser.errors, self._errors, None) if self.parser else ():
            self._errors += 1
            if error.level_name == "WARNING" and error.type_name not in LOST_TEXT:
                continue
            message = error.message.strip()
            undefined = _UNDEFINED.fullmatch(message)
            if undefined is not None and undefined[1] in self.external:
                message = f"Entity '{undefined[1]}' is external, and was not loaded"
            if (entry := self._markup.get(message)) is None:
                is_known = not (self.parser and self.parser.named) or error.filename != "<string>"
                place = self._position(error.line, error.column) if is_known else None
                line, column = (place.line, place.column) if place else (None, None)
                entry = Recovery("markup", message, "", line, column, 0)
            self._markup[message] = entry._replace(count=entry.count + 1)

    def _position(self, line: int, column: int) -> LinePosition:
        """Return where in the document a place stands that is known in what the parser gets."""
        start = _Change(LinePosition(), LinePosition(), tuple, 0)
        place = line, column
        begun = (one for one in reversed(self._changes) if (one.written.line, one.written.column) <= place)
        written, document, pairs, _ = next(begun, start)
        position, lines = document.copy(), line - written.line
        if not (found := pairs()):
            position.line += lines
            position.column = column if lines else position.column + column - written.column
            return self._in_document(position)
        text, offset = "".join(after for _, after in found), 0
        for _ in range(lines):
            offset = text.find("\n", offset) + 1
        end = text.find("\n", offset)
        offset = min(offset + column - (1 if lines else written.column), end if end >= 0 else len(text))
        passed: list[str] = []
        for before, after in found:
            if offset <= len(after):
                same = common_prefix(before, after)
                if offset > same:
                    end = len(before) - common_prefix(before[same:][::-1], after[same:][::-1])
                    offset = max(min(offset, end), len(before) - len(after) + offset)
                passed.append(before[:offset])
                break
            offset -= len(after)
            passed.append(before)
        position.advance("".join(passed))
        return self._in_document(position)

    def record_at(
        self, kind: str, found: str, became: str, position: LinePosition, count: int = 1, added: str = ""
    ) -> None:
        """Count repairs, the first at a position in the document; by their kind alone where too many are
        listed. `added` is what the pieces have more than the document, at the position or behind it."""
        if added:
            self._added.append((position.line, position.column, added, kind, found))
        if (kind, found) not in self.entries and len(self.entries) >= LISTED:
            found = became = ""
        entry = Recovery(kind, found, became, position.line, position.column, count)
        if known := self.entries.get((kind, found)):
            entry = known._replace(count=known.count + count)
        self.entries[kind, found] = entry

    @property
    def recovered(self) -> tuple[Recovery, ...]:
        """What was repaired until now: characters, markup in the order of the document, and what libxml2
        recovered from."""
        self.place()
        kinds = dict(self._repairs.repairs.kinds)
        unplaced = [kind for kind in ("gzip", "xml-chars") if kind in kinds]
        characters = tuple(Recovery(kind, "", "", None, None, kinds[kind]) for kind in unplaced)
        found = sorted(self.entries.values(), key=attrgetter("line", "column"))
        return (*characters, *found, *self._markup.values())


def _as_counted(text: str) -> str:
    """Return text with a character for each that libxml2 counts: of the name in an end tag the bytes."""
    if text.isascii() or "</" not in text:
        return text
    return _COUNTED_IN_BYTES.sub(lambda tag: tag[0].encode().decode("latin-1"), text)


def log_recoveries(reader: XmlReader) -> None:
    """Log at INFO what was repaired, if anything was."""
    if not logger.isEnabledFor(logging.INFO) or not (recovered := reader.recovered):
        return
    listed = []
    for entry in recovered[:LOGGED]:
        # The parser's messages may quote the document: control characters of it must not reach a terminal.
        found = repr(entry.found)[1:-1] if entry.found else entry.kind
        where = f" (first at line {entry.line}, column {entry.column})" if entry.line else ""
        listed.append(f"{entry.count} x {found}{where}")
    if (more := len(recovered) - LOGGED) > 0:
        listed.append(f"and {more} more")
    logger.info("%s: repaired %s", reader.name or "bytes", "; ".join(listed))
