"""Where a change stands: the log of repairs, byte offsets of decoded text, line and column."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.results import Repairs

if TYPE_CHECKING:
    from feedcharset.charsets.undecodable_bytes import ByteCounter

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
            offsets: their offsets in bytes from the first byte of the source, ascending, and not before
                those of the same kind that were added earlier. No more are read than are kept.
        """
        self._counts[kind] = self._counts.get(kind, 0) + count
        kept = self._offsets.setdefault(kind, [])
        kept.extend(islice(offsets, OFFSETS - len(kept)))

    @property
    def repairs(self) -> Repairs:
        """The changes counted until now."""
        if not self._counts:
            return Repairs()
        offsets = sorted(offset for kept in self._offsets.values() for offset in kept)
        kinds = tuple(sorted(self._counts.items()))
        return Repairs(sum(self._counts.values()), tuple(offsets[:OFFSETS]), kinds)


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
        for match in piece.unit.finditer(piece.escaped) if piece.unit is not None else ():
            if match.start() >= index:
                break
            index += len(match[0]) - 1  # several characters of `escaped` became one
        return piece.offset + piece.byte_counter(index)


_NO_WHITE_SPACE = bytes(byte for byte in range(0x100) if byte not in b" \t\r\n")


def white_space_in(skipped: bytes) -> str:
    """Return the white space in what stands before a document: BOMs, and white space in ASCII, UTF-16 or
    UTF-32."""
    return skipped.translate(None, _NO_WHITE_SPACE).decode()


class LinePosition:
    """Line and column of the next character, both from 1."""

    __slots__ = ("_after_cr", "column", "line")

    def __init__(self) -> None:
        self.line: int = 1
        self.column: int = 1
        self._after_cr = False

    def advance(self, text: str) -> None:
        """Move past `text`. It may begin or end between CR and LF."""
        if not text:
            return
        ends, last = text.count("\n"), text.rfind("\n")
        if "\r" in text:
            ends += text.count("\r") - text.count("\r\n")
            last = max(last, text.rfind("\r"))
        if self._after_cr and text[0] == "\n":
            ends -= 1
        self._after_cr = text[-1] == "\r"
        self.line += ends
        self.column = len(text) - last if last >= 0 else self.column + len(text)

    def copy(self) -> LinePosition:
        """The same position, which moves by itself."""
        other = LinePosition()
        other.line, other.column, other._after_cr = self.line, self.column, self._after_cr
        return other


def common_prefix(one: str, other: str) -> int:
    """Return the length of the common prefix."""
    return next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
