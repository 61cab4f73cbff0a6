"""Findings as they come in: all of a kind up to the limit, then one that counts the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.results.report import Finding
from feedcharset.validate.finding_catalogue import CATALOGUE, entry
from feedcharset.validate.text_positions import Place

if TYPE_CHECKING:
    from feedcharset.validate.text_positions import Places

__all__ = ["Collector", "character", "quoted", "spelled"]

QUOTED = 64
"""Characters of a label or another value from outside that a message shows: as many as a label may have."""

_RANK = {entry.code: rank for rank, entry in enumerate(CATALOGUE)}


class Collector:
    """The findings of one document.

    Args:
        places: the text, in which places are worked out.
        limit: findings of one code; what is beyond them is counted by one more.
    """

    def __init__(self, places: Places, limit: int) -> None:
        self._places = places
        self._limit = limit
        self._counts: dict[str, int] = {}
        self._findings: list[Finding] = []
        self._beyond: dict[str, Finding] = {}

    def wants(self, code: str) -> bool:
        """A further finding of this code would be told; otherwise it is enough to count it."""
        return self._counts.get(code, 0) <= self._limit

    def add(self, code: str, place: Place | None = None, *, fix: str | None = None, **values: object) -> None:
        """A finding whose place is known, or that has none."""
        self._counts[code] = self._counts.get(code, 0) + 1
        self._receive(code, self._counts[code], place, fix, values)

    def at(self, code: str, index: int, offset: int, *, fix: str | None = None, **values: object) -> None:
        """A finding at a character of the text; its place is worked out later."""
        number = self._counts[code] = self._counts.get(code, 0) + 1

        def receive(place: Place) -> None:
            self._receive(code, number, place, fix, values)

        self._places.later(index, offset, receive)

    def count(self, code: str, more: int) -> None:
        """More of a kind that is not wanted any more."""
        self._counts[code] += more

    def _receive(
        self, code: str, number: int, place: Place | None, fix: str | None, values: dict[str, object]
    ) -> None:
        kind = entry(code)
        finding = Finding(code, kind.severity, kind.message.format(**values), fix=fix, spec=kind.spec)
        if place is not None:
            offset, line, column, excerpt, caret = place
            finding = finding._replace(offset=offset, line=line, column=column, excerpt=excerpt, caret=caret)
        if number <= self._limit:
            self._findings.append(finding)
        else:
            self._beyond.setdefault(code, finding)

    def findings(self) -> tuple[Finding, ...]:
        """All of them: what concerns the whole document first, then by place."""
        found = list(self._findings)
        for code, finding in self._beyond.items():
            count = self._counts[code] - self._limit
            more = f" (and {count - 1:,} more)" if count > 1 else ""
            found.append(finding._replace(count=count, message=finding.message + more))
        return tuple(sorted(found, key=_rank))


def _rank(finding: Finding) -> tuple[bool, int, int]:
    return finding.offset is not None, finding.offset or 0, _RANK[finding.code]


def quoted(label: str) -> str:
    """A value from outside, in quotes, bounded, with nothing that acts on a terminal."""
    return repr(label if len(label) <= QUOTED else label[: QUOTED - 3] + "...")


def spelled(octets: bytes, most: int = 8) -> str:
    """Octets in hexadecimal, a few of them."""
    text = octets[:most].hex(" ").upper()
    return f"{text} ..." if len(octets) > most else text


def character(char: str) -> str:
    """The number of a character."""
    return f"U+{ord(char):04X}"
