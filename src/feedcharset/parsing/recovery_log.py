"""What was repaired so that a document could be parsed: `XmlReader.recovered`, and the line of the log."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from operator import attrgetter, itemgetter
from typing import Any

from feedcharset.parsing.libxml2 import LOST_TEXT
from feedcharset.reading.xml_reader import XmlReader
from feedcharset.results import Recovery
from feedcharset.text.source_positions import LinePosition, RepairLog

logger: logging.Logger = logging.getLogger("feedcharset")

LISTED = 100
"""Different recoveries that are listed: as many as `Repairs` lists offsets. libxml2 stops at 100 errors."""

SHOWN = 80
"""Characters that a `Recovery` shows of a tag, or of the start of what stands before the document."""

LOGGED = 5
"""Recoveries in the line of the log; `XmlReader.recovered` has them all."""

_UNDEFINED = re.compile("Entity '(.*)' not defined")


class RecoveryLog:
    """What was repaired in a document by every stage, counted by what was found, with the first position of
    each."""

    def __init__(self, repairs: RepairLog) -> None:
        self.errors: Callable[[], Iterable[Any]] = tuple
        """Returns the entries of the parser's error log."""
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
        """Up to where the lines of the piece were counted: not farther than to a repair that is new."""

    def begin_again(self, known: dict[tuple[str, str], Recovery]) -> None:
        """Drop all repairs but those that were known before the text was read."""
        self.entries, self._added, self._start = known, [], LinePosition()
        self._new.clear()

    def record(self, kind: str, found: str, became: str, index: int, count: int = 1) -> None:
        """Count repairs; `index` is that of the first one in the piece."""
        self._new.append((index, kind, found, became, count))

    def forget(self, index: int) -> None:
        """Drop the repairs in this piece from an index on."""
        self._new = [repair for repair in self._new if repair[0] < index]

    def end(self, text: str, start: int, stop: int) -> int:
        """Finish with the piece, whose line ends are LF, up to `stop`; its lines were counted up to `start`.
        Return up to where they are counted now: for repairs that are known, they are not."""
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
            position, shown = self._start.copy(), found
            for line, column, added, kind_before, found_before in self._added:
                if position.line == line and position.column > column:
                    position.column = max(position.column - len(added), column)
                elif (position.line, position.column, kind) == (line, column, kind_before):
                    self.entries.pop((kind, found_before), None)  # the same tag is repaired again
                    shown = found.removeprefix(added)
            self.record_at(kind, shown, became, position, count)
        self._new.clear()
        return start

    def pass_over(self, text: str) -> None:
        """Count the lines of the rest of a piece."""
        self._start.advance(text)

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
        kinds = dict(self._repairs.repairs.kinds)
        unplaced = [kind for kind in ("gzip", "xml-chars") if kind in kinds]
        characters = tuple(Recovery(kind, "", "", None, None, kinds[kind]) for kind in unplaced)
        found = sorted(self.entries.values(), key=attrgetter("line", "column"))
        counted: dict[str, Recovery] = {}
        for error in self.errors():
            if error.level_name == "WARNING" and error.type_name not in LOST_TEXT:
                continue
            message = error.message.strip()
            undefined = _UNDEFINED.fullmatch(message)
            if undefined is not None and undefined[1] in self.external:
                message = f"Entity '{undefined[1]}' is external, and was not loaded"
            entry = counted.get(message) or Recovery("markup", message, "", error.line, error.column, 0)
            counted[message] = entry._replace(count=entry.count + 1)
        return (*characters, *found, *counted.values())


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
