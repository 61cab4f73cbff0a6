"""Taking out of a tree that is still being built what has been passed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["freeing"]


def freeing(
    pairs: Iterator[tuple[str, Any]], asked: frozenset[str], tags: Sequence[str], root: str | None
) -> Iterator[tuple[str, Any]]:
    """The pairs that are asked for; what has been passed is taken out of the tree.

    The parser adds to the last child of whatever it has open, and to the text behind that, so these stay.

    Args:
        pairs: a parser's events, among them the start and the end of each element that is wanted or has the
            root's tag; ("", None) now and then.
        asked: the events that are passed on.
        tags: the elements that are wanted.
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
        if event in asked:
            yield event, element
        if event == "end":
            within.pop()
            if not within:
                element.clear(keep_tail=True)
                _forget_before(element)
        elif not event and within:
            _forget_before(within[0])
        elif not event and top is not None:
            _forget_within(top)


def _forget_before(element: Any) -> None:
    """Take out all that is before an element, but for the elements around it."""
    while (parent := element.getparent()) is not None:
        if element.getprevious() is not None:
            del parent[: parent.index(element)]
        element = parent


def _forget_within(element: Any) -> None:
    """Take out all but the last child of each, from an element down."""
    while len(element):
        del element[:-1]
        element = element[-1]
