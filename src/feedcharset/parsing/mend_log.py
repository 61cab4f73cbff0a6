"""What was mended so that a document could be parsed: `XmlReader.recovered`."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from feedcharset.results import Recovery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from feedcharset.parsing.references import Edit
    from feedcharset.results import Repairs

__all__ = ["LISTED", "MendLog"]

LISTED = 100
"""Different things that are listed: as many as `Repairs` lists places. libxml2 stops at 100 errors."""

SHIFTS = 1000
"""Places that are remembered because the columns after them moved."""

_TELLING = ("WAR_UNDECLARED_ENTITY",)
"""Warnings of libxml2 that mean lost text."""


class MendLog:
    """Counts what was mended, by what was found; with the first place of each."""

    def __init__(self, repairs: Callable[[], Repairs], errors: Callable[[], Iterable[Any]]) -> None:
        self._repairs = repairs
        self._errors = errors
        self._found: dict[tuple[str, str], Recovery] = {}
        self._line = 1
        self._column = 1
        self._shift = 0
        """How many characters of this line the parser does not see."""
        self._shifts: list[tuple[int, int, int]] = []
        """Line and column as the parser sees them, and the shift from there on."""

    def pass_on(self, text: str, edits: Iterable[Edit]) -> None:
        """Note the next piece of text, whose line ends are LF, and what is mended in it."""
        at = 0
        for edit in edits:
            self._advance(text, at, edit.start)
            self._note(edit.kind, text[edit.start : edit.end], edit.became)
            self._advance(text, edit.start, edit.end)
            at = edit.end
            self._note_shift(edit.end - edit.start - len(edit.markup))
        self._advance(text, at, len(text))

    def _advance(self, text: str, start: int, end: int) -> None:
        last = text.rfind("\n", start, end)
        if last >= 0:
            self._line += text.count("\n", start, end)
            self._column = end - last
            self._shift = 0
        else:
            self._column += end - start

    def _note(self, kind: str, found: str, became: str) -> None:
        entry = self._found.get((kind, found))
        if entry is None and len(self._found) >= LISTED:
            found, became = "", ""
            entry = self._found.get((kind, found))
        if entry is None:
            entry = Recovery(kind, found, became, self._line, self._column, 0)
        self._found[kind, found] = entry._replace(count=entry.count + 1)

    def _note_shift(self, shift: int) -> None:
        self._shift += shift
        if shift and len(self._shifts) < SHIFTS:
            self._shifts.append((self._line, self._column - self._shift, self._shift))

    @property
    def recovered(self) -> tuple[Recovery, ...]:
        """What was mended until now."""
        return (*self._characters(), *self._found.values(), *self._markup())

    def _characters(self) -> Iterator[Recovery]:
        for kind, count in self._repairs().kinds:
            if kind == "xml-chars":
                yield Recovery(kind, "", "", None, None, count)

    def _markup(self) -> Iterator[Recovery]:
        """What libxml2 recovered from."""
        counted: dict[str, Recovery] = {}
        for error in self._errors():
            if error.level_name == "WARNING" and error.type_name not in _TELLING:
                continue
            message = error.message.strip()
            line, column = error.line, self._column_of(error.line, error.column)
            entry = counted.get(message) or Recovery("markup", message, "", line, column, 0)
            counted[message] = entry._replace(count=entry.count + 1)
        return iter(counted.values())

    def _column_of(self, line: int, column: int) -> int:
        """The column in the document of one that the parser saw."""
        index = bisect_right(self._shifts, (line, column, SHIFTS * SHIFTS)) - 1
        if index >= 0 and self._shifts[index][0] == line:
            return column + self._shifts[index][2]
        return column
