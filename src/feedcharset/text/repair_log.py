"""What was changed on the way from octets to text, counted as it happens."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from feedcharset.results.repairs import Repairs

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["PLACES", "RepairLog"]

PLACES = 100
"""Places that are remembered: more than anybody reads, few enough to carry around."""


class RepairLog:
    """Counts by kind, and the first places of each.

    Stages that hold text back report later than those before them, so each kind keeps its own first
    places; `repairs` merges them.
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._offsets: dict[str, list[int]] = {}

    def add(self, kind: str, count: int, offsets: Iterable[int] = ()) -> None:
        """Count changes.

        Args:
            kind: "octets", "xml-chars", "mojibake", ... (`Repairs.kinds`).
            count: how many there were.
            offsets: where, in bytes from the first byte of the source, ascending; not before those of
                the same kind that were added earlier. More than there is room for are not looked at.
        """
        self._counts[kind] = self._counts.get(kind, 0) + count
        places = self._offsets.setdefault(kind, [])
        places.extend(islice(offsets, PLACES - len(places)))

    @property
    def repairs(self) -> Repairs:
        """What was counted until now."""
        if not self._counts:
            return _NONE
        offsets = sorted(place for places in self._offsets.values() for place in places)
        kinds = tuple(sorted(self._counts.items()))
        return Repairs(sum(self._counts.values()), tuple(offsets[:PLACES]), kinds)


_NONE = Repairs()
