"""The stages from bytes of a known charset to the final text, in their order.

    bytes → decoder (`errors=`) → `declaration=` → `mojibake=` → `xml_chars=` → text

`TextPipeline` runs them for one document. Its decoder is exchanged once at most, where the window opens: all
bytes before were ASCII. The blanker is there until the declaration has passed. `TextFilters`, the last two
stages, are there only if an option asks for one of them: then bytes are decoded in small pieces, and the
pieces of text that the filters still hold are kept with their byte offsets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.errors import DecodeError
from feedcharset.text.byte_decoder import text_decoder
from feedcharset.text.mojibake import Fixed, MojibakeFixer
from feedcharset.text.options import DECLARATION, MOJIBAKE, XML_CHARS, check_option
from feedcharset.text.source_positions import SourceOffsets
from feedcharset.text.xml_text import DeclarationBlanker, clean, forbidden_positions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from feedcharset.charsets.lookup import Charset
    from feedcharset.evidence.window import Window
    from feedcharset.text.byte_replacement import BaseDecoder
    from feedcharset.text.mojibake import Edit
    from feedcharset.text.source_positions import RepairLog

__all__ = ["TextFilters", "TextPipeline"]


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


FILTERED_BYTES = 8 * 1024
"""Bytes that are decoded at once where filters follow: each undecodable byte takes 350 bytes of memory until
its text has passed the filters."""


class TextPipeline:
    """Decodes one document incrementally; the text is the same however the bytes are cut."""

    def __init__(
        self,
        charset: Charset,
        *,
        errors: str,
        lenient: bool,
        declaration: str = "blank",
        mojibake: str = "keep",
        xml_chars: str = "keep",
        log: RepairLog,
        offset: int = 0,
        xml_1_1: bool = False,
    ) -> None:
        """Set the stages up.

        Args:
            charset: the charset of the bytes.
            errors: "strict", "replace", "space", "latin-1" or "windows-1252".
            lenient: decode with the superset of the charset.
            declaration: "blank" or "keep".
            mojibake: "keep" or "fix".
            xml_chars: "keep", "replace", "space" or "drop".
            log: counts the changes.
            offset: number of bytes of the source before the first byte passed to `decode`.
            xml_1_1: the document is XML 1.1.

        Raises:
            ValueError: an option has a value that is not listed here.
        """
        check_option("declaration", declaration, DECLARATION)
        check_option("mojibake", mojibake, MOJIBAKE)
        check_option("xml_chars", xml_chars, XML_CHARS)
        self._errors = errors
        self._lenient = lenient
        self._log = log
        self._decoder = text_decoder(charset, errors, log, lenient=lenient, offset=offset, xml_1_1=xml_1_1)
        self._blanker = DeclarationBlanker(lenient=lenient) if declaration == "blank" else None
        self._filters: TextFilters | None = None
        if mojibake != "keep" or xml_chars != "keep":
            from feedcharset.text.pipeline import (
                TextFilters,  # imports the fixer; needed for these options only
            )

            self._filters = TextFilters(self._decoder, log, mojibake=mojibake, xml_chars=xml_chars)

    def switch_charset(
        self,
        charset: Charset,
        *,
        page: str | None = None,
        xml_1_1: bool = False,
        window: Window | None = None,
    ) -> None:
        """Continue in another charset. All bytes before must be US-ASCII.

        Args:
            charset: the charset of the bytes that follow.
            page: of a mixture: the charset by which bytes that are not UTF-8 are read.
            xml_1_1: the document is XML 1.1.
            window: the bytes that follow, with what was decoded for the decision.
        """
        known = window if self._filters is None and not xml_1_1 else None
        if known is not None and self._errors == "strict" and not known.ends:
            known = None  # an error then holds all bytes that were passed
        self._follow(
            text_decoder(
                charset,
                self._errors,
                self._log,
                lenient=self._lenient,
                page=page,
                xml_1_1=xml_1_1,
                window=known,
            )
        )

    def expect_mixture(self, charset: Charset, window: Window) -> None:
        """Continue in a western charset. Behind the window UTF-8 may begin.

        Args:
            charset: the charset of the bytes that follow.
            window: the bytes that follow, with what was decoded for the decision.
        """
        from feedcharset.text.byte_decoder import MixtureDecoder  # for documents longer than the window

        # A sequence that the end of the window cuts was not seen in it.
        skip = max(0, len(window.data) - 3)
        known = window.decoded(charset) if self._filters is None else None
        text = known[0] if known is not None else None
        self._follow(MixtureDecoder(charset, self._errors, self._log, skip=skip, known=text))

    def _follow(self, decoder: BaseDecoder) -> None:
        decoder.follow(self._decoder)
        self._decoder = decoder

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes, as far as it is certain.

        Args:
            data: the next bytes, any number.
            final: the document ends here.

        Raises:
            DecodeError: an undecodable byte, with errors="strict".
        """
        if self._filters is None or len(data) <= FILTERED_BYTES:
            return self._decode(data, final)
        starts = range(0, len(data), FILTERED_BYTES)
        pieces: list[str] = []
        for start in starts:
            try:
                piece = self._decode(data[start : start + FILTERED_BYTES], final and start == starts[-1])
            except DecodeError as error:
                error.partial = "".join([*pieces, error.partial])
                raise
            pieces.append(piece)
        return "".join(pieces)

    def _decode(self, data: bytes, final: bool) -> str:
        try:
            text = self._decoder.decode(data, final)
        except DecodeError as error:
            error.partial = self._finish(error.partial, True)
            raise
        return self._finish(text, final)

    def _finish(self, text: str, final: bool) -> str:
        """Return decoded text after the other stages, as far as it is certain."""
        if self._blanker is not None:
            text = self._blanker.feed(text, final)
            if self._blanker.done:
                self._blanker = None
        return text if self._filters is None else self._filters.feed(text, final)
