"""The way back: which byte of the source a character of the text came from."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re

    from feedcharset.charsets.byte_offsets import Measure

__all__ = ["Trail"]


class _Span(NamedTuple):
    """A piece of text as it left the decoder."""

    first: int
    """Index of its first character in the whole text."""
    offset: int
    """Byte offset of its first octet."""
    marked: str
    """The piece before it was mended: with marks for undecodable octets."""
    unit: re.Pattern[str] | None
    """What became one character when it was mended; None where nothing was mended."""
    measure: Measure
    """How many octets stand before a character of `marked`, by its index."""


class Trail:
    """Where the text that is still under way came from.

    Later stages hold text back and change it; for the few changes that are reported with their place,
    the byte offset is worked out from the piece of text they lie in. Nothing is counted before that.
    """

    def __init__(self) -> None:
        self._spans: deque[_Span] = deque()
        self._end = 0

    def add(
        self, length: int, offset: int, marked: str, unit: re.Pattern[str] | None, measure: Measure
    ) -> None:
        """Note the next piece: `length` characters of text, decoded from the byte at `offset` on."""
        if length:
            self._spans.append(_Span(self._end, offset, marked, unit, measure))
            self._end += length

    def forget(self, index: int) -> None:
        """Forget pieces that end at or before the character `index`."""
        while len(self._spans) > 1 and self._spans[1].first <= index:
            self._spans.popleft()

    def offset(self, index: int) -> int:
        """The byte offset of a character of the text, by its index in the whole of it."""
        span = next(span for span in reversed(self._spans) if span.first <= index)
        index -= span.first
        if span.unit is not None:
            index = _marked_index(span.marked, span.unit, index)
        return span.offset + span.measure(index)


def _marked_index(marked: str, unit: re.Pattern[str], index: int) -> int:
    """The index in `marked` of what is at `index` once every unit of marks has become one character."""
    for match in unit.finditer(marked):
        if match.start() >= index:
            break
        index += len(match[0]) - 1
    return index
