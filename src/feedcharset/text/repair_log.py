"""Counts the changes made between the source bytes and the text."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from feedcharset.results import Repairs

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["OFFSETS", "RepairLog"]

OFFSETS = 100
"""Offsets that are kept of each kind: more than anybody reads, few enough to copy with every result."""


class RepairLog:
    """Counts of changes by kind, and the first offsets of each kind.

    A stage that holds text back reports later than the stages before it, so each kind keeps its own first
    offsets; `repairs` merges them.
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._offsets: dict[str, list[int]] = {}

    def add(self, kind: str, count: int, offsets: Iterable[int] = ()) -> None:
        """Count changes.

        Args:
            kind: "bytes", "xml-chars", "mojibake", ... (`Repairs.kinds`).
            count: the number of changes.
            offsets: their offsets in bytes from the first byte of the source, ascending, and not before
                those of the same kind that were added earlier. No more are read than are kept.
        """
        self._counts[kind] = self._counts.get(kind, 0) + count
        kept = self._offsets.setdefault(kind, [])
        kept.extend(islice(offsets, OFFSETS - len(kept)))

    def add_all(self, other: RepairLog) -> None:
        """Count the changes that another log counted."""
        for kind, count in other._counts.items():
            self.add(kind, count, other._offsets[kind])

    @property
    def repairs(self) -> Repairs:
        """The changes counted until now."""
        if not self._counts:
            return _NONE
        offsets = sorted(offset for kept in self._offsets.values() for offset in kept)
        kinds = tuple(sorted(self._counts.items()))
        return Repairs(sum(self._counts.values()), tuple(offsets[:OFFSETS]), kinds)


_NONE = Repairs()
