"""The way back: which octets a character was decoded from.

An engine can say, of the piece that it decoded last, how many octets stand before a character. A `Measure`
is that knowledge by itself, so that it stays right while the engine goes on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

__all__ = ["Measure", "Places", "Slices"]

Measure = Callable[[int], int]
"""From an index into a piece of text to the number of octets before that character."""


class Slices:
    """A measure for encodings in which the width of a character does not depend on where it stands.

    Cheap for indices that ascend: each goes on from the one before.

    Args:
        text: the piece, with its marks.
        width: how many octets a part of it was decoded from.
    """

    __slots__ = ("_index", "_octets", "_text", "_width")

    def __init__(self, text: str, width: Callable[[str], int]) -> None:
        self._text = text
        self._width = width
        self._index = self._octets = 0

    def __call__(self, index: int) -> int:
        """The octets before the character at `index`."""
        if index < self._index:
            self._index = self._octets = 0
        self._octets += self._width(self._text[self._index : index])
        self._index = index
        return self._octets


class Places(ABC):
    """What an engine knows of the piece that it decoded last, where a character alone does not say its width.

    Args:
        text: the piece, with its marks.
        octets: what it was decoded from.
    """

    __slots__ = ("_asked", "_counted", "octets", "text")

    def __init__(self, octets: bytes | memoryview, text: str) -> None:
        self.octets = octets
        self.text = text
        self._asked = self._counted = 0

    @abstractmethod
    def octet(self, index: int) -> int:
        """The octets before the character at `index`; all of them at the end of the text."""

    def width(self, text: str) -> int | None:
        """Octets of `text`, which begins the piece or goes on where the text asked for before has ended; None
        where it does neither."""
        if not self.text.startswith(text, self._asked):
            if not self.text.startswith(text):
                return None
            self._asked = self._counted = 0
        self._asked += len(text)
        before, self._counted = self._counted, self.octet(self._asked)
        return self._counted - before
