"""Byte offsets in the source of characters of the decoded text."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re

    from feedcharset.charsets.utf import ByteCounter

__all__ = ["SourceOffsets"]


class _DecodedPiece(NamedTuple):
    """A piece of text as the decoder returned it."""

    first: int
    """Index of its first character in the whole text."""
    offset: int
    """Byte offset of its first byte in the source."""
    escaped: str
    """The piece before undecodable bytes were replaced."""
    unit: re.Pattern[str] | None
    """What was replaced by one character each; None where nothing was replaced."""
    byte_counter: ByteCounter
    """From an index in `escaped` to the number of bytes before that character."""


class SourceOffsets:
    """The pieces of text that later stages still hold, with the byte offset of each.

    Later stages hold text back and change it. For the few changes that are reported with an offset, it is
    computed from the piece of text that holds the character. Nothing is computed before that.
    """

    def __init__(self) -> None:
        self._pieces: deque[_DecodedPiece] = deque()
        self._end = 0

    def add(
        self, length: int, offset: int, escaped: str, unit: re.Pattern[str] | None, byte_counter: ByteCounter
    ) -> None:
        """Record the next piece: `length` characters of text, decoded from the byte at `offset` on."""
        if length:
            self._pieces.append(_DecodedPiece(self._end, offset, escaped, unit, byte_counter))
            self._end += length

    def forget(self, index: int) -> None:
        """Drop the pieces that end at or before the character `index`."""
        while len(self._pieces) > 1 and self._pieces[1].first <= index:
            self._pieces.popleft()

    def offset(self, index: int) -> int:
        """Return the byte offset of a character, by its index in the whole text."""
        piece = next(piece for piece in reversed(self._pieces) if piece.first <= index)
        index -= piece.first
        if piece.unit is not None:
            index = _index_before_replacement(piece.escaped, piece.unit, index)
        return piece.offset + piece.byte_counter(index)


def _index_before_replacement(escaped: str, unit: re.Pattern[str], index: int) -> int:
    """Return the index in `escaped` of the character at `index` in the text after replacement."""
    for match in unit.finditer(escaped):
        if match.start() >= index:
            break
        index += len(match[0]) - 1
    return index
