"""What was repaired so that a document could be parsed: `XmlReader.recovered`, and the line of the log."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Any

from feedcharset.results import Recovery
from feedcharset.text.source_positions import LinePosition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from feedcharset.reading.xml_reader import XmlReader
    from feedcharset.text.source_positions import RepairLog

__all__ = ["LISTED", "PositionLog", "RecoveryLog", "log_recoveries"]

logger: logging.Logger = logging.getLogger("feedcharset")

LISTED = 100
"""Different recoveries that are listed: as many as `Repairs` lists offsets. libxml2 stops at 100 errors."""

LOGGED = 5
"""Recoveries in the line of the log; `XmlReader.recovered` has them all."""

_LOST_TEXT = ("WAR_UNDECLARED_ENTITY",)
"""Warnings of libxml2 that mean lost text."""


class PositionLog:
    """Counts repairs by what was found, with the first position of each."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._first: dict[tuple[str, str], Recovery] = {}
        self._start = LinePosition()
        """Of the piece."""
        self._text = ""
        self._places: dict[tuple[str, str], int] = {}
        """The index of the first of each in this piece; repairs are not counted in the order of the text."""

    def begin(self, text: str) -> None:
        """Start with the next piece of the document, whose line ends are LF."""
        self._text = text
        self._places.clear()

    def end(self, stop: int) -> None:
        """Finish with the piece: the first `stop` characters will not be repaired again."""
        self._start.advance(self._text[:stop])
        self._text = ""

    def record(
        self, kind: str, found: str, became: str, first: int | Callable[[], int], count: int = 1
    ) -> None:
        """Count repairs; `first` is, or returns, the index of the first one in the piece."""
        key, became = self._key(kind, found, became)
        if key in self._counts:
            self._counts[key] += count
            if key not in self._places:
                return
        index = first if isinstance(first, int) else first()
        if index < self._places.get(key, index + 1):
            self._places[key] = index
            self._first[key] = Recovery(*key, became, *self.position(index))
            self._counts.setdefault(key, count)

    def record_at(self, kind: str, found: str, became: str, line: int, column: int) -> None:
        """Count a repair at a position in the document."""
        key, became = self._key(kind, found, became)
        self._first.setdefault(key, Recovery(*key, became, line, column))
        self._counts[key] += 1

    def _key(self, kind: str, found: str, became: str) -> tuple[tuple[str, str], str]:
        """Return by what a repair is counted: by its kind alone where too many are listed."""
        if (kind, found) in self._counts or len(self._counts) < LISTED:
            return (kind, found), became
        return (kind, ""), ""

    def position(self, index: int) -> tuple[int, int]:
        """Return the line and the column of a character of the piece, from 1."""
        position = self._start.copy()
        position.advance(self._text[:index])
        return position.line, position.column

    def entries(self) -> list[Recovery]:
        """Return what was counted."""
        return [self._first[key]._replace(count=count) for key, count in self._counts.items()]


class RecoveryLog(PositionLog):
    """What was repaired in a document by every stage."""

    def __init__(self, repairs: RepairLog) -> None:
        super().__init__()
        self.errors: Callable[[], Iterable[Any]] = tuple
        """Returns the entries of the parser's error log."""
        self._repairs = repairs

    @property
    def recovered(self) -> tuple[Recovery, ...]:
        """What was repaired until now."""
        found = sorted(self.entries(), key=lambda entry: (entry.line or 0, entry.column or 0))
        return (*self._characters(), *found, *self._markup())

    def _characters(self) -> Iterator[Recovery]:
        for kind, count in self._repairs.repairs.kinds:
            if kind == "xml-chars":
                yield Recovery(kind, "", "", None, None, count)

    def _markup(self) -> Iterator[Recovery]:
        """What libxml2 recovered from."""
        counted: dict[str, Recovery] = {}
        for error in self.errors():
            if error.level_name == "WARNING" and error.type_name not in _LOST_TEXT:
                continue
            message = error.message.strip()
            line, column = error.line, error.column
            entry = counted.get(message) or Recovery("markup", message, "", line, column, 0)
            counted[message] = entry._replace(count=entry.count + 1)
        return iter(counted.values())


def log_recoveries(reader: XmlReader) -> None:
    """Log at INFO what was repaired, if anything was."""
    if not logger.isEnabledFor(logging.INFO) or not (recovered := reader.recovered):
        return
    listed = "; ".join(map(_log_entry, recovered[:LOGGED]))
    more = len(recovered) - LOGGED
    logger.info("%s: repaired %s%s", reader.name or "bytes", listed, f"; and {more} more" if more > 0 else "")


def _log_entry(entry: Recovery) -> str:
    # The parser's messages may quote the document: control characters of it must not reach a terminal.
    found = repr(entry.found)[1:-1] if entry.found else entry.kind
    where = f" (first at line {entry.line}, column {entry.column})" if entry.line else ""
    return f"{entry.count} x {found}{where}"
