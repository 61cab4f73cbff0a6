"""The head of a document: its declaration, its root element, its labels, and positions in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from feedcharset.evidence.declaration import Declaration, parse_declaration
from feedcharset.validate.media_type import root_element
from feedcharset.validate.positioned_decoder import PositionedDecoder
from feedcharset.validate.text_positions import Position, TextPositions

if TYPE_CHECKING:
    from feedcharset.validate.reading_comparison import ReadingComparison

__all__ = ["CONTENT_TYPE", "DECLARATION", "DocumentHead"]

CONTENT_TYPE = "the Content-Type"
DECLARATION = "the declaration"


class DocumentHead:
    """The head of a document that has been read to its end."""

    def __init__(self, comparison: ReadingComparison) -> None:
        self._comparison = comparison
        self._facts = comparison.strict_facts

    @cached_property
    def declaration(self) -> Declaration | None:
        """The XML declaration."""
        return parse_declaration(self._comparison.head_text)

    @cached_property
    def root(self) -> str | None:
        """The local name of the root element, if it is in the head."""
        return root_element(self._comparison.head_text)

    @property
    def bom_length(self) -> int:
        """Bytes of the BOM."""
        return self._comparison.bom_length

    def labels(self) -> Iterator[tuple[str, str]]:
        """The labels that are not empty, each with the place where it stands."""
        if self._facts.charset:
            yield CONTENT_TYPE, self._facts.charset
        if self._facts.declared:
            yield DECLARATION, self._facts.declared

    # -- positions ------------------------------------------------------------------------------------

    @cached_property
    def _positions(self) -> TextPositions:
        """Positions in the head; those of the whole text keep only its end."""
        positions, start = TextPositions(), self._comparison.facts.body.start
        decoder = PositionedDecoder(self._comparison.main_charset, lenient=True, offset=start)
        piece = decoder.read(self._comparison.head[start:], False)
        positions.push(piece.offset, piece.text, piece.bytes_before)
        return positions

    def at(self, index: int, length: int = 1) -> Position:
        """The position of characters of the head."""
        positions = self._positions
        return positions.at(index, positions.offset(index), positions.offset(index + length))

    def before(self, start: int, end: int) -> Position:
        """The position of bytes before the text: of a BOM, or of what precedes the declaration."""
        return self.at(0)._replace(offset=start, end_offset=end, end_line=1, end_column=1)

    def at_declaration(self) -> Position:
        """The position of the XML declaration; of the first character where there is none."""
        end = self._comparison.head_text.find("?>") + 2
        return self.at(0, end) if self.declaration is not None and end > 2 else self.at(0)

    def at_label(self, label: str | None) -> Position:
        """The position of a label in the declaration; of the first character where it has none."""
        declaration = self.declaration
        if label is None or declaration is None or declaration.start < 0:
            return self.at(0)
        index = self._comparison.head_text.rfind(label, declaration.start, declaration.end)
        return self.at(index, len(label)) if index >= 0 else self.at(0)
