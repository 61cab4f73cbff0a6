"""The findings of one document: all of a code up to the limit, then one that counts the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.results.report import Finding
from feedcharset.validate.finding_catalogue import CATALOGUE, finding_kind
from feedcharset.validate.text_positions import Position

if TYPE_CHECKING:
    from feedcharset.validate.text_positions import TextPositions

__all__ = ["FindingList", "character", "quoted", "spelled"]

QUOTED = 64
"""Characters of an outside value that a message shows: those of the longest label that is looked up."""

_RANK = {finding_kind.code: rank for rank, finding_kind in enumerate(CATALOGUE)}


class FindingList:
    """The findings of one document.

    Args:
        positions: computes the positions in the text.
        limit: findings of one code; one more finding counts those beyond it.
    """

    def __init__(self, positions: TextPositions, limit: int) -> None:
        self._positions = positions
        self._limit = limit
        self._counts: dict[str, int] = {}
        self._findings: list[Finding] = []
        self._beyond: dict[str, Finding] = {}

    def accepts(self, code: str) -> bool:
        """Return True where a further finding of this code is reported; otherwise it is only counted."""
        return self._counts.get(code, 0) <= self._limit

    def add(
        self, code: str, position: Position | None = None, *, fix: str | None = None, **values: object
    ) -> None:
        """Add a finding whose position is known, or that has none."""
        self._counts[code] = self._counts.get(code, 0) + 1
        self._receive(code, self._counts[code], position, fix, values)

    def at(self, code: str, index: int, offset: int, *, fix: str | None = None, **values: object) -> None:
        """Add a finding at a character of the text; its position is computed later."""
        number = self._counts[code] = self._counts.get(code, 0) + 1

        def receive(position: Position) -> None:
            self._receive(code, number, position, fix, values)

        self._positions.later(index, offset, receive)

    def count(self, code: str, more: int) -> None:
        """Count further findings of a code beyond the limit."""
        self._counts[code] += more

    def _receive(
        self, code: str, number: int, position: Position | None, fix: str | None, values: dict[str, object]
    ) -> None:
        kind = finding_kind(code)
        finding = Finding(code, kind.severity, kind.message.format(**values), fix=fix, spec=kind.spec)
        if position is not None:
            offset, line, column, excerpt, caret = position
            finding = finding._replace(offset=offset, line=line, column=column, excerpt=excerpt, caret=caret)
        if number <= self._limit:
            self._findings.append(finding)
        else:
            self._beyond.setdefault(code, finding)

    def findings(self) -> tuple[Finding, ...]:
        """All of them: what concerns the whole document first, then by position."""
        found = list(self._findings)
        for code, finding in self._beyond.items():
            count = self._counts[code] - self._limit
            more = f" (and {count - 1:,} more)" if count > 1 else ""
            found.append(finding._replace(count=count, message=finding.message + more))
        return tuple(sorted(found, key=_rank))


def _rank(finding: Finding) -> tuple[bool, int, int]:
    return finding.offset is not None, finding.offset or 0, _RANK[finding.code]


def quoted(label: str) -> str:
    """An outside value in quotes, bounded, without characters that act on a terminal."""
    return repr(label if len(label) <= QUOTED else label[: QUOTED - 3] + "...")


def spelled(data: bytes, most: int = 8) -> str:
    """Bytes in hexadecimal, a few of them."""
    text = data[:most].hex(" ").upper()
    return f"{text} ..." if len(data) > most else text


def character(char: str) -> str:
    """The number of a character."""
    return f"U+{ord(char):04X}"
