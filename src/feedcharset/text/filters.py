"""The last two stages of text: mojibake is fixed, and characters that XML forbids are replaced.

They are there only if an option asks for one of them. Then bytes are decoded in small pieces, and the pieces
of text that the filters still hold are kept with their byte offsets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.text.mojibake import Fixed, MojibakeFixer
from feedcharset.text.source_positions import SourceOffsets
from feedcharset.text.xml_text import clean, forbidden_positions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from feedcharset.text.byte_replacement import BaseDecoder
    from feedcharset.text.mojibake import Edit
    from feedcharset.text.source_positions import RepairLog

__all__ = ["TextFilters"]


class TextFilters:
    """Both filters, for the text of one decoder."""

    def __init__(self, decoder: BaseDecoder, log: RepairLog, *, mojibake: str, xml_chars: str) -> None:
        self._fixer = MojibakeFixer() if mojibake == "fix" else None
        self._xml_chars = xml_chars
        self._log = log
        self._source_offsets = decoder.source_offsets = SourceOffsets()
        self._done = 0
        """Number of the decoder's characters that have passed the filters."""

    def feed(self, text: str, final: bool = False) -> str:
        """Return the filtered text, as far as it is certain."""
        fixed = self._fixer.feed(text, final) if self._fixer is not None else Fixed(text, len(text))
        if fixed.edits:
            self._log.add("mojibake", len(fixed.edits), self._offsets(edit.start for edit in fixed.edits))
        text = fixed.text
        if self._xml_chars != "keep":
            text, count = clean(text, self._xml_chars)
            if count:
                indexes = _indexes_before_edits(forbidden_positions(fixed.text), fixed.edits)
                self._log.add("xml-chars", count, self._offsets(indexes))
        self._done += fixed.taken
        self._source_offsets.forget(self._done)
        return text

    def _offsets(self, indexes: Iterator[int]) -> Iterator[int]:
        """Return the byte offsets of characters, by their indexes in the text passed to `feed`."""
        return (self._source_offsets.offset(self._done + index) for index in indexes)


def _indexes_before_edits(indexes: Iterator[int], edits: Sequence[Edit]) -> Iterator[int]:
    """Return the same positions in the text before the edits; inside an edit, the position of its start."""
    shift = 0
    remaining = iter(edits)
    edit = next(remaining, None)
    for index in indexes:
        while edit is not None and index + shift >= edit.start + len(edit.text):
            shift += (edit.end - edit.start) - len(edit.text)
            edit = next(remaining, None)
        yield edit.start if edit is not None and index + shift >= edit.start else index + shift
