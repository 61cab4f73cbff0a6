"""What is done to text after decoding: `mojibake=`, then `xml_chars=`, with the place of each change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.text.mojibake import Fixed, MojibakeFixer
from feedcharset.text.source_offsets import Trail
from feedcharset.text.xml_characters import clean, positions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from feedcharset.text.byte_decoder import BaseDecoder
    from feedcharset.text.mojibake import Edit
    from feedcharset.text.repair_log import RepairLog

__all__ = ["Finishing"]


class Finishing:
    """Both stages, for the text of one decoder."""

    def __init__(self, decoder: BaseDecoder, log: RepairLog, *, mojibake: str, xml_chars: str) -> None:
        self._fixer = MojibakeFixer() if mojibake == "fix" else None
        self._xml_chars = xml_chars
        self._log = log
        self._trail = decoder.trail = Trail()
        self._done = 0
        """Characters of the decoder's text that have left this stage."""

    def feed(self, text: str, final: bool = False) -> str:
        """The finished text, as far as it is certain."""
        fixed = self._fixer.feed(text, final) if self._fixer is not None else Fixed(text, len(text))
        if fixed.edits:
            self._log.add("mojibake", len(fixed.edits), self._offsets(edit.start for edit in fixed.edits))
        text = fixed.text
        if self._xml_chars != "keep":
            text, count = clean(text, self._xml_chars)
            if count:
                places = _before(positions(fixed.text), fixed.edits)
                self._log.add("xml-chars", count, self._offsets(places))
        self._done += fixed.taken
        self._trail.forget(self._done)
        return text

    def _offsets(self, places: Iterator[int]) -> Iterator[int]:
        """Byte offsets of places in the text that is leaving."""
        return (self._trail.offset(self._done + place) for place in places)


def _before(places: Iterator[int], edits: Sequence[Edit]) -> Iterator[int]:
    """The same places in the text before it was edited; inside an edit, where that begins."""
    shift = 0
    remaining = iter(edits)
    edit = next(remaining, None)
    for place in places:
        while edit is not None and place + shift >= edit.start + len(edit.text):
            shift += (edit.end - edit.start) - len(edit.text)
            edit = next(remaining, None)
        yield edit.start if edit is not None and place + shift >= edit.start else place + shift
