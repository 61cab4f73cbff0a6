"""Byte offsets: how many bytes stand before a character of decoded text.

A decoder makes a `ByteCounter` for the piece that it decoded last. The counter keeps what it needs, so it
stays right while the decoder goes on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

__all__ = ["ByteCounter", "PieceCounter", "WidthCounter"]

ByteCounter = Callable[[int], int]
"""From the index of a character in a piece of text to the number of bytes before it."""


class WidthCounter:
    """A byte counter for encodings in which a character alone determines how many bytes it takes.

    Ascending indices are cheap: each count continues from the one before.

    Args:
        text: the piece; an undecodable byte is a lone surrogate.
        byte_count: returns how many bytes a part of the text was decoded from.
    """

    __slots__ = ("_byte_count", "_bytes", "_index", "_text")

    def __init__(self, text: str, byte_count: Callable[[str], int]) -> None:
        self._text = text
        self._byte_count = byte_count
        self._index = self._bytes = 0

    def __call__(self, index: int) -> int:
        """Return the number of bytes before the character at `index`."""
        if index < self._index:
            self._index = self._bytes = 0
        self._bytes += self._byte_count(self._text[self._index : index])
        self._index = index
        return self._bytes


class PieceCounter(ABC):
    """A byte counter for encodings in which the same character can take different numbers of bytes.

    It keeps the bytes of the piece and decodes them again as far as needed.

    Args:
        data: the bytes of the piece.
        text: what they were decoded to; an undecodable byte is a lone surrogate.
    """

    __slots__ = ("_characters", "_counted", "data", "text")

    def __init__(self, data: bytes | memoryview, text: str) -> None:
        self.data: bytes | memoryview = data
        self.text: str = text
        self._characters = self._counted = 0
        """How far `byte_count` has come, in characters and in bytes."""

    def __deepcopy__(self, memo: dict[int, object]) -> PieceCounter:
        """Return the same counter: how far it has come changes no answer."""
        return self

    @abstractmethod
    def bytes_before(self, index: int) -> int:
        """Return the number of bytes before the character at `index`; all bytes for the end of the text."""

    def byte_count(self, text: str) -> int | None:
        """Return how many bytes `text` was decoded from.

        Args:
            text: the beginning of the piece, or what follows the text of the previous call. For any other
                text the answer is None.
        """
        if not self.text.startswith(text, self._characters):
            if not self.text.startswith(text):
                return None
            self._characters = self._counted = 0
        self._characters += len(text)
        before, self._counted = self._counted, self.bytes_before(self._characters)
        return self._counted - before
