"""What was mended so that a document could be parsed: `XmlReader.recovered`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from feedcharset.results.repairs import Recovery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from feedcharset.text.repair_log import RepairLog

__all__ = ["LISTED", "MendLog"]

LISTED = 100
"""Different things that are listed: as many as `Repairs` lists places. libxml2 stops at 100 errors."""

_TELLING = ("WAR_UNDECLARED_ENTITY",)
"""Warnings of libxml2 that mean lost text."""


class MendLog:
    """Counts what was mended, by what was found; with the first place of each."""

    def __init__(self, repairs: RepairLog) -> None:
        self.errors: Callable[[], Iterable[Any]] = tuple
        """Gives the entries of the parser's error log."""
        self._repairs = repairs
        self._found: dict[tuple[str, str], Recovery] = {}
        self._line = 1
        self._column = 1
        self._text = ""

    def begin(self, text: str) -> None:
        """The next piece of the document, whose line ends are LF, is looked into."""
        self._text = text

    def end(self, stop: int) -> None:
        """As much of it as `stop` characters is done with."""
        self._line, self._column = self._place(stop)
        self._text = ""

    def note(self, kind: str, found: str, became: str, count: int, *, first: Callable[[], int]) -> None:
        """Something was mended; `first` is the index of the first place in the piece."""
        entry = self._found.get((kind, found))
        if entry is None and len(self._found) >= LISTED:
            found = became = ""
            entry = self._found.get((kind, found))
        if entry is None:
            entry = Recovery(kind, found, became, *self._place(first()), 0)
        self._found[kind, found] = entry._replace(count=entry.count + count)

    def _place(self, index: int) -> tuple[int, int]:
        last = self._text.rfind("\n", 0, index)
        if last < 0:
            return self._line, self._column + index
        return self._line + self._text.count("\n", 0, index), index - last

    @property
    def recovered(self) -> tuple[Recovery, ...]:
        """What was mended until now."""
        found = sorted(self._found.values(), key=lambda entry: (entry.line, entry.column))
        return (*self._characters(), *found, *self._markup())

    def _characters(self) -> Iterator[Recovery]:
        for kind, count in self._repairs.repairs.kinds:
            if kind == "xml-chars":
                yield Recovery(kind, "", "", None, None, count)

    def _markup(self) -> Iterator[Recovery]:
        """What libxml2 recovered from."""
        counted: dict[str, Recovery] = {}
        for error in self.errors():
            if error.level_name == "WARNING" and error.type_name not in _TELLING:
                continue
            message = error.message.strip()
            line, column = error.line, error.column
            entry = counted.get(message) or Recovery("markup", message, "", line, column, 0)
            counted[message] = entry._replace(count=entry.count + 1)
        return iter(counted.values())
