"""Removes elements that were passed from a tree that lxml is still building."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["remove_passed"]


def remove_passed(
    pairs: Iterator[tuple[str, Any]], wanted: frozenset[str], tags: Sequence[str], root: str | None
) -> Iterator[tuple[str, Any]]:
    """Yield the pairs whose event is wanted; remove from the tree what has been passed.

    The parser still adds children to the last child of each open element, and text after it, so these stay.

    Args:
        pairs: a parser's events, among them the start and the end of each element that is wanted or has the
            root's tag; ("", None) after each piece of the document.
        wanted: the events that are yielded.
        tags: the wanted elements.
        root: the root's tag, or None.
    """
    within: list[Any] = []
    top = None
    for event, element in pairs:
        if event in ("start", "end") and element.tag == root:
            top = element if top is None else top
            if next(element.iter(*tags), None) is not element:
                continue
        if event == "start":
            within.append(element)
        if event in wanted:
            yield event, element
        if event == "end":
            within.pop()
            if not within:
                element.clear(keep_tail=True)
                _remove_before(element)
        elif not event and within:
            _remove_before(within[0])
        elif not event and top is not None:
            _remove_descendants(top)


def _remove_before(element: Any) -> None:
    """Remove everything before an element but its ancestors."""
    while (parent := element.getparent()) is not None:
        if element.getprevious() is not None:
            del parent[: parent.index(element)]
        element = parent


def _remove_descendants(element: Any) -> None:
    """Remove all children but the last one, from an element down."""
    while len(element):
        del element[:-1]
        element = element[-1]
