"""The open elements of a document, by name."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from feedcharset.parsing.html_names import HTML

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["OpenElements"]

_IN_FEEDS = frozenset(("title", "link"))
"""Elements of HTML that are elements of feeds, too."""


class OpenElements:
    """Finds in constant time what an end tag ends."""

    def __init__(self, names: Iterable[str]) -> None:
        self._depth = 0
        self._depths: defaultdict[str, list[int]] = defaultdict(list)
        """For each name, the depths of its open elements."""
        self._not_html: list[int] = []
        """The depths of the open elements that are not HTML."""
        for name in names:
            self.begin(name)

    def __contains__(self, name: object) -> bool:
        return bool(self._depths.get(name))  # type: ignore[call-overload]

    def begin(self, name: str) -> None:
        """Note that an element begins within the others."""
        self._depth += 1
        self._depths[name].append(self._depth)
        if name.lower() not in HTML:
            self._not_html.append(self._depth)

    def end(self, name: str) -> None:
        """Note that the innermost element, of this name, ends."""
        depth = self._depths[name].pop()
        if self._not_html and self._not_html[-1] == depth:
            self._not_html.pop()
        self._depth -= 1

    def ended_by(self, name: str) -> int:
        """Return how many elements an end tag of a name that is open ends.

        An end tag of HTML ends no element that is not HTML: `</p>` in an item does not end the item.
        """
        depth = self._depths[name][-1]
        if name in HTML and name not in _IN_FEEDS and self._not_html and self._not_html[-1] > depth:
            return 0
        return self._depth - depth + 1
