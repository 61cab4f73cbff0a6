"""The head of a document: its declaration, its root element, positions in it, and the fixes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from feedcharset.charsets.lookup import Charset, lookup
from feedcharset.validate.fix_text import declaration_fix, header_fix, root_element
from feedcharset.validate.label_fixes import declaration_of, label_fix, right_label
from feedcharset.validate.positioned_decoder import PositionedDecoder
from feedcharset.validate.text_positions import Position, TextPositions

if TYPE_CHECKING:
    from feedcharset.evidence.declaration import Declaration
    from feedcharset.validate.reading_comparison import ReadingComparison

__all__ = ["CONTENT_TYPE", "DECLARATION", "DocumentHead", "known"]

CONTENT_TYPE = "the Content-Type"
DECLARATION = "the declaration"


class DocumentHead:
    """The head of a document that has been read to its end."""

    def __init__(self, comparison: ReadingComparison) -> None:
        self._comparison = comparison
        self._facts = comparison.strict_facts
        self.right: str | None = right_label(comparison)
        """The label that the document should have; None where no label would be right."""

    @cached_property
    def declaration(self) -> Declaration | None:
        """The XML declaration."""
        return declaration_of(self._comparison)

    @cached_property
    def root(self) -> str | None:
        """The local name of the root element, as far as the head shows it."""
        return root_element(self._comparison.head_text)

    def labels(self) -> Iterator[tuple[str, str]]:
        """The labels that are not empty, each with the place where it stands."""
        if self._facts.charset:
            yield CONTENT_TYPE, self._facts.charset
        if self._facts.declared:
            yield DECLARATION, self._facts.declared

    # -- fixes ----------------------------------------------------------------------------------------

    def header(self, label: str | None) -> str:
        """The Content-Type to send."""
        return header_fix(self._facts, self.root, label)

    def declared(self, label: str) -> str:
        """The declaration to write."""
        return declaration_fix(self.declaration, label)

    def fix(self, origin: str, label: str) -> str:
        """The header or the declaration, whichever is wrong."""
        return self.header(label) if origin == CONTENT_TYPE else self.declared(label)

    def label(self, label: str) -> str:
        """The header, where it names a charset, or the declaration."""
        return label_fix(self._comparison, label)

    # -- positions ---------------------------------------------------------------------------------------

    @cached_property
    def _positions(self) -> TextPositions:
        """Positions in the head, which those of the whole text may have forgotten."""
        positions, start = TextPositions(), self._comparison.facts.body.start
        decoder = PositionedDecoder(self._comparison.main_charset, lenient=True, offset=start)
        piece = decoder.read(self._comparison.head[start:], False)
        positions.push(piece.offset, piece.text, decoder.engine.byte_count)
        return positions

    def at(self, index: int, offset: int | None = None) -> Position:
        """The position of a character of the head."""
        return self._positions.at(index, self._positions.offset(index) if offset is None else offset)

    def at_label(self, label: str | None) -> Position:
        """The position of a label in the declaration; the document's beginning where it has none."""
        declaration = self.declaration
        if label is None or declaration is None or declaration.start < 0:
            return self.at(0)
        index = self._comparison.head_text.rfind(label, declaration.start, declaration.end)
        return self.at(max(index, 0))


def known(label: str | None) -> Charset | None:
    """What a label names, leniently, where it may be decoded."""
    charset = lookup(label or "", lenient=True)
    return charset if charset is not None and not charset.refused else None
