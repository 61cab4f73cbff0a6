"""A document's head, as the findings about labels need it: its declaration, its root, places, fixes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from feedcharset.charsets.lookup import Charset, lookup
from feedcharset.validate.label_fixes import declaration_of, label_fix, right_label
from feedcharset.validate.label_text import declaration_fix, header_fix, root_element
from feedcharset.validate.parallel_decoders import Voice
from feedcharset.validate.text_positions import Place, Places

if TYPE_CHECKING:
    from feedcharset.evidence.declaration import Declaration
    from feedcharset.validate.reading_comparison import Examination

__all__ = ["CONTENT_TYPE", "DECLARATION", "Head", "known"]

CONTENT_TYPE = "the Content-Type"
DECLARATION = "the declaration"


class Head:
    """The head of a document that has been read to its end."""

    def __init__(self, examination: Examination) -> None:
        self._examination = examination
        self._facts = examination.strict_facts
        self.right = right_label(examination)
        """The label that the document should have; None where no label would be right."""

    @cached_property
    def declaration(self) -> Declaration | None:
        """The XML declaration."""
        return declaration_of(self._examination)

    @cached_property
    def root(self) -> str | None:
        """The local name of the root element, as far as the head shows it."""
        return root_element(self._examination.head_text)

    def labels(self) -> Iterator[tuple[str, str]]:
        """The labels that name something, each with its witness."""
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

    def fix(self, witness: str, label: str) -> str:
        """Either, for the witness that is wrong."""
        return self.header(label) if witness == CONTENT_TYPE else self.declared(label)

    def label(self, label: str) -> str:
        """The header, where it names a charset, or the declaration."""
        return label_fix(self._examination, label)

    # -- places ---------------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> Places:
        """Places in the head, which those of the whole text may have forgotten."""
        places, start = Places(), self._examination.facts.body.start
        voice = Voice(self._examination.main_charset, lenient=True, offset=start)
        piece = voice.read(self._examination.head[start:], False)
        places.push(piece.offset, piece.text, voice.engine.width)
        return places

    def at(self, index: int, offset: int | None = None) -> Place:
        """The place of a character of the head."""
        return self._places.at(index, self._places.offset(index) if offset is None else offset)

    def at_label(self, label: str | None) -> Place:
        """The place of a label in the declaration; the document's beginning where it has none."""
        declaration = self.declaration
        if label is None or declaration is None or declaration.start < 0:
            return self.at(0)
        index = self._examination.head_text.rfind(label, declaration.start, declaration.end)
        return self.at(max(index, 0))


def known(label: str | None) -> Charset | None:
    """What a label names, leniently, where it may be decoded."""
    charset = lookup(label or "", lenient=True)
    return charset if charset is not None and not charset.refused else None
