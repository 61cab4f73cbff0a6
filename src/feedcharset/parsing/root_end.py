"""The end of a feed's root: whether the feed goes on after it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from feedcharset.parsing.section_ends import SPAN
from feedcharset.parsing.tag_syntax import NAME

if TYPE_CHECKING:
    from collections.abc import Container

__all__ = ["Continuation", "RootEnd"]

Continuation = Literal["element", "end", ""]
"""What follows: "element": the start of an element of a feed; "end": the end of an element that is open, and
that the root's end would end; "": neither."""

_MARKUP = re.compile(
    rf"""<!--.*?(?:-->|\Z) | <!\[CDATA\[.*?(?:\]\]>|\Z) | <\?(?!xml).*?(?:\?>|\Z)
       | <(?P<end>/?) (?P<name>{NAME}) | <(?P<document> \?xml | !DOCTYPE)""",
    re.DOTALL | re.VERBOSE,
)
_ROOTS = frozenset(("rss", "feed", "rdf"))
_ELEMENTS = frozenset(("channel", "item", "entry"))


class RootEnd:
    """Finds whether a feed goes on after the end of its root, in time that does not grow with their
    number."""

    def __init__(self) -> None:
        self.needed: int = 0
        """Characters of the text from which the answer is certain."""
        self._known: tuple[int, Continuation] = (-1, "")
        """Where in the document it goes on, and by what."""

    def continuation(
        self, text: str, end: int, offset: int, root: str, is_open: Container[str], final: bool
    ) -> Continuation | None:
        """Return what follows the end of the root.

        Args:
            text: the document, as far as it is held.
            end: the index after the root's end tag.
            offset: characters of the document before `text`.
            root: the root's name.
            is_open: the names of the open elements.
            final: no more text follows.

        Returns:
            None where that depends on text that follows; then `needed` is set. "" where the root is no
            feed's, or another document follows.
        """
        if _local(root) not in _ROOTS:
            return ""
        if offset + end <= self._known[0]:
            return self._known[1]
        stop = end + SPAN
        for found in _MARKUP.finditer(text, end, stop):
            certain = found.end() < min(stop, len(text)) or final
            kind = _kind(found, root, is_open) if certain else None
            if kind is not None:
                self._known = (offset + found.start(), kind) if kind else self._known
                return kind
        if not final and len(text) < stop:
            self.needed = stop
            return None
        return ""


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()


def _kind(found: re.Match[str], root: str, is_open: Container[str]) -> Continuation | None:
    """Return what one tag means; None where it means nothing."""
    name = found["name"]
    if found["document"]:
        return ""
    if not name:
        return None
    if found["end"]:
        return "end" if name in is_open and name != root else None
    return "" if _local(name) in _ROOTS else "element" if _local(name) in _ELEMENTS else None
