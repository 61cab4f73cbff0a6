"""Decoders from bytes of a known charset to text, with `errors=` applied to undecodable bytes.

`Utf8Decoder` calls codecs.utf_8_decode piece by piece and does nothing else while the bytes are well-formed.
`TextDecoder` uses a decoder of charsets/. `text_decoder` chooses between them. Both give the same text
however the bytes are cut, empty pieces included, and hold back only an incomplete character at the end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from codecs import utf_8_decode
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from feedcharset.errors import DecodeError
from feedcharset.evidence.utf8_damage import CONTEXT, escaped_runs, find_damage, unfinished
from feedcharset.text.byte_replacement import (
    first_undecodable,
    replace_in_utf8,
    replace_undecodable,
    replaced_unit,
    undecodable_offsets,
    utf8_byte_count,
    utf8_byte_counter,
)
from feedcharset.text.option_types import ERRORS, check_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.charsets.byte_offsets import ByteCounter
    from feedcharset.charsets.decoders import CharsetDecoder
    from feedcharset.charsets.lookup import Charset
    from feedcharset.text.repair_log import RepairLog
    from feedcharset.text.source_offsets import SourceOffsets

__all__ = ["BaseDecoder", "Piece", "TextDecoder", "Utf8Decoder", "text_decoder"]

PIECE = 32 * 1024
"""Bytes decoded in one call. utf_8_decode ran at 3 to 5 GB/s with pieces of 32 KiB and at 1.1 from 128 KiB
on, where the allocator maps fresh memory for each result."""

LARGEST_PIECE = 128 * 1024
"""Bytes decoded in one call when the caller passes that many, as for a stream: the text of one piece is freed
before the next is decoded, so memory is mapped only once and fewer calls cost less."""


FEW_RUNS = 1000
"""Damaged runs in a piece that are replaced one by one; where there are more, each of the 128 bytes is
replaced in the whole piece."""

Runs = list[tuple[int, int]]
"""Where escaped bytes begin and end in a text, in their order."""


class _LinePosition:
    """Line and column of the next character. A line ends at LF, CRLF or CR."""

    def __init__(self) -> None:
        self.line = 1
        self.column = 1
        self._after_cr = False

    def advance(self, text: str) -> None:
        """Move past `text`. It may begin or end between CR and LF."""
        if not text:
            return
        ends = text.count("\n")
        if "\r" in text:
            ends += text.count("\r") - text.count("\r\n")
        if self._after_cr and text[0] == "\n":
            ends -= 1
        self._after_cr = text[-1] == "\r"
        last = max(text.rfind("\n"), text.rfind("\r"))
        self.line += ends
        self.column = len(text) - last if last >= 0 else self.column + len(text)


class BaseDecoder(ABC):
    """The decoder of one document: what `Utf8Decoder` and `TextDecoder` share."""

    def __init__(self, name: str, family: str, errors: str, log: RepairLog, *, offset: int = 0) -> None:
        check_option("errors", errors, ERRORS)
        self.source_offsets: SourceOffsets | None = None
        """Set by a later stage that reports the byte offsets of its changes."""
        self._name = name
        self._family = family
        self._errors = errors
        self._log = log
        self._offset = offset
        self._damage: Utf8Damage | None = None
        self._unit = replaced_unit(family, errors)
        self._position = _LinePosition() if errors == "strict" else None

    @abstractmethod
    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes.

        Args:
            data: the next bytes, any number.
            final: the document ends here; an incomplete character at the end is undecodable.

        Raises:
            DecodeError: an undecodable byte, with errors="strict".
        """

    def follow(self, other: BaseDecoder) -> None:
        """Continue at the byte where another decoder stopped. That decoder must hold nothing back."""
        self._offset = other._offset
        self._position = other._position if self._errors == "strict" else None
        self.source_offsets = other.source_offsets
        if self._damage is not None and other._damage is not None:
            self._damage.keep(other._damage.before)

    @property
    def offset(self) -> int:
        """Byte offset, in the source, of the next byte to decode, held back ones included."""
        return self._offset

    def _count(self, count: int, escaped: str, byte_counter: ByteCounter, runs: Runs | None = None) -> None:
        offsets = undecodable_offsets(escaped, self._unit, byte_counter, self._offset, runs)
        self._log.add("bytes", count, offsets)

    def _refuse(self, before: str, data: bytes, start: int, end: int, reason: str) -> NoReturn:
        """Raise the error for data[start:end], where data[0] is at `_offset` in the source.

        Args:
            before: the text of data[:start].
            data: the bytes that were decoded in one call.
            start: index of the first undecodable byte.
            end: index after the last one.
            reason: in the words of Python's codecs.
        """
        assert self._position is not None
        position = self._position
        position.advance(before)
        error = DecodeError(
            self._name,
            data,
            start,
            end,
            reason,
            offset=self._offset + start,
            line=position.line,
            column=position.column,
        )
        error.partial = before
        raise error from None


class Piece(NamedTuple):
    """Bytes decoded in one call, and their text."""

    data: bytes | memoryview
    text: str
    utf8: bytes | memoryview | None
    """The text as UTF-8, if no encoding is needed to get it; else None."""


class Utf8Damage:
    """The characters before the next piece, by which a cut character is recognised."""

    def __init__(self, before: str = "") -> None:
        self.before: str = before

    def keep(self, text: str) -> None:
        """Keep the end of the text that was decoded, escaped bytes included."""
        self.before = text[-CONTEXT:] if len(text) >= CONTEXT else (self.before + text)[-CONTEXT:]


class Utf8Decoder(BaseDecoder):
    """Decode UTF-8. Well-formed bytes cost one call of codecs.utf_8_decode."""

    def __init__(
        self,
        errors: str,
        log: RepairLog,
        *,
        offset: int = 0,
        damage: Utf8Damage | None = None,
        page: str | None = None,
    ) -> None:
        super().__init__("UTF-8", "UTF-8", "windows-1252" if page else errors, log, offset=offset)
        self._pending = b""
        self._damage = damage
        self._page = page or errors

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes."""
        if len(data) <= LARGEST_PIECE:  # the usual case: no generator, no joining of pieces
            if self._pending:
                data = self._pending + data
            piece = self._piece(data, final)
            self._pending = data[len(piece.data) :]
            return piece.text
        texts: list[str] = []
        try:
            texts.extend(piece.text for piece in self.pieces(data, final))
        except DecodeError as error:
            error.partial = "".join([*texts, error.partial])
            raise
        return "".join(texts)

    def pieces(self, data: bytes, final: bool = False) -> Iterator[Piece]:
        """Decode piece by piece. The pieces are all of `data` but an incomplete character at its end."""
        data = self._pending + data if self._pending else data
        view = memoryview(data)
        start = 0
        while start < len(data):
            stop = start + PIECE
            piece = self._piece(view[start:stop], final and stop >= len(data))
            if not piece.data:
                break
            start += len(piece.data)
            yield piece
        self._pending = data[start:]

    def _piece(self, data: bytes | memoryview, final: bool) -> Piece:
        try:
            text, used = utf_8_decode(data, "strict", final)
        except UnicodeDecodeError as error:
            return self._decode_damaged(data, final, error)
        if self._position is not None:
            self._position.advance(text)
        if self.source_offsets is not None:
            self.source_offsets.add(len(text), self._offset, text, None, utf8_byte_counter(text))
        if self._damage is not None:
            self._damage.keep(text)
        self._offset += used
        data = data[:used]
        return Piece(data, text, data)

    def _decode_damaged(self, data: bytes | memoryview, final: bool, error: UnicodeDecodeError) -> Piece:
        if self._position is not None:
            before = str(data[: error.start], "utf-8")
            if self.source_offsets is not None:
                self.source_offsets.add(len(before), self._offset, before, None, utf8_byte_counter(before))
            self._refuse(before, error.object, error.start, error.end, error.reason)
        escaped, used = utf_8_decode(data, "surrogateescape", final)
        if self._damage is not None:
            return self._decode_known_damage(data, escaped, used, final)
        return self._decode_escaped(data[:used], escaped, escaped_runs(escaped, FEW_RUNS))

    def _decode_known_damage(self, data: bytes | memoryview, escaped: str, used: int, final: bool) -> Piece:
        """Replace cut characters and surrogate pairs, and decode what stands between them."""
        assert self._damage is not None
        if not final:
            held = unfinished(escaped)
            escaped, used = escaped[: len(escaped) - held], used - held
        data = data[:used]
        runs = escaped_runs(escaped, FEW_RUNS)
        known = list(find_damage(escaped, self._damage.before, runs)) if runs is not None else None
        if known == []:
            self._damage.keep(escaped)
            return self._decode_escaped(data, escaped, runs)
        parts = []
        start = at = 0
        for place in find_damage(escaped, self._damage.before, runs) if known is None else known:
            parts.append(
                self._decode_part(data, escaped[start : place.start], at, _within(runs, start, place.start))
            )
            at += utf8_byte_count(escaped[start : place.start])
            size = place.end - place.start
            kind = "bytes" if place.character == "\ufffd" else "cesu-8"
            self._log.add(kind, 1, (self._offset,))
            self.insert(place.character, size)
            parts.append(place.character)
            start, at = place.end, at + size
        parts.append(self._decode_part(data, escaped[start:], at, _within(runs, start, len(escaped))))
        self._damage.keep(escaped)
        return Piece(data, "".join(parts), None)

    def _decode_part(self, data: bytes | memoryview, escaped: str, at: int, runs: Runs | None) -> str:
        if not escaped:
            return ""
        if runs is None and first_undecodable(escaped) < 0:
            runs = []  # between cut characters the text is mostly clean
        return self._decode_escaped(data[at : at + utf8_byte_count(escaped)], escaped, runs).text

    def _decode_escaped(self, data: bytes | memoryview, escaped: str, runs: Runs | None = None) -> Piece:
        """Replace the escaped bytes of text that was decoded from exactly `data`."""
        text, count, utf8 = replace_in_utf8(escaped, data, self._page, runs)
        if count:
            self._count(count, escaped, utf8_byte_counter(escaped), runs)
        if self.source_offsets is not None:
            self.source_offsets.add(len(text), self._offset, escaped, self._unit, utf8_byte_counter(escaped))
        self._offset += len(data)
        return Piece(data, text, utf8)

    def insert(self, text: str, size: int) -> None:
        """Advance past bytes that the caller decoded to `text`; each character took equally many."""
        if self.source_offsets is not None:
            self.source_offsets.add(
                len(text), self._offset, text, None, lambda index: index * size // len(text)
            )
        self._offset += size


def _within(runs: Runs | None, start: int, stop: int) -> Runs | None:
    """Return the runs in a part of a text, by their indexes in the part."""
    if runs is None:
        return None
    first, last = bisect_left(runs, (start, 0)), bisect_left(runs, (stop, 0))
    if first and runs[first - 1][1] > start:
        first -= 1
    return [(max(begin, start) - start, min(end, stop) - start) for begin, end in runs[first:last]]


def _evenly(size: int, length: int) -> ByteCounter:
    """Return the byte counter of `length` characters of equal size, `size` bytes in all."""
    return lambda index: index * size // length


class TextDecoder(BaseDecoder):
    """Decode any charset, with a decoder of charsets/."""

    def __init__(
        self, engine: CharsetDecoder, charset: Charset, errors: str, log: RepairLog, *, offset: int = 0
    ) -> None:
        super().__init__(charset.name, charset.family, errors, log, offset=offset)
        self._engine = engine

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes."""
        pending = self._engine.pending
        escaped = self._engine.decode(data)
        byte_counter = self._engine.byte_counter()
        whole = len(escaped)
        if final and self._engine.pending:
            escaped += self._engine.decode(b"", True)
            byte_counter = _with_tail(byte_counter, whole)
        first = first_undecodable(escaped)
        text = escaped
        if first >= 0:
            if self._position is not None:
                if self.source_offsets is not None:
                    self.source_offsets.add(first, self._offset, escaped, None, byte_counter)
                self._refuse_character(
                    pending + data, escaped, first, byte_counter(first), cut=first >= whole
                )
            text, count = replace_undecodable(escaped, self._family, self._errors)
            self._count(count, escaped, byte_counter)
        elif self._position is not None:
            self._position.advance(text)
        if self.source_offsets is not None:
            self.source_offsets.add(
                len(text), self._offset, escaped, self._unit if first >= 0 else None, byte_counter
            )
        self._offset += len(pending) + len(data) - len(self._engine.pending)
        return text

    def _refuse_character(self, data: bytes, escaped: str, first: int, start: int, *, cut: bool) -> NoReturn:
        """Raise the error for an undecodable byte; `cut`: the document ends within a character."""
        unit = next(replaced_unit(self._family, "replace").finditer(escaped, first))
        reason = "unexpected end of data" if cut else _REASONS[self._family]
        self._refuse(escaped[:first], data, start, start + len(unit[0]), reason)


def _with_tail(byte_counter: ByteCounter, whole: int) -> ByteCounter:
    """Extend a byte counter by an incomplete character at the end: one byte for each escaped byte."""
    return lambda index: byte_counter(index) if index < whole else byte_counter(whole) + index - whole


_REASONS = {
    # The wording of Python's codecs.
    "UTF-8": "invalid bytes",
    "UTF-16": "illegal UTF-16 surrogate",
    "UTF-32": "code point not in range(0x110000), or a surrogate",
    "UCS-4": "code point not in range(0x110000), or a surrogate",
    "US-ASCII": "ordinal not in range(128)",
    "single": "character maps to <undefined>",
    "EBCDIC": "character maps to <undefined>",
    "CJK": "illegal multibyte sequence",
    "ISO-2022-JP": "illegal multibyte sequence",
}


def text_decoder(
    charset: Charset,
    errors: str,
    log: RepairLog,
    *,
    lenient: bool,
    offset: int = 0,
    engine: CharsetDecoder | None = None,
    page: str | None = None,
    xml_1_1: bool = False,
) -> BaseDecoder:
    """Return a new decoder for a charset.

    Args:
        charset: the charset of the bytes.
        errors: "strict", "replace", "space", "latin-1" or "windows-1252"; for charsets other than UTF-8 the
            last two mean "replace". Of UTF-8 they also replace characters cut by bytes with U+FFFD and join
            surrogate pairs (CESU-8).
        log: counts undecodable bytes.
        lenient: decode with the superset of the charset (windows-1252 for ISO-8859-1).
        offset: number of bytes of the source before the first byte passed to `decode`.
        engine: the charset decoder to use instead of the charset's own.
        page: of a mixture: the charset by which bytes that are not UTF-8 are read, whatever `errors` is.
        xml_1_1: the document is XML 1.1, where 85 is a line end in an ISO-8859 page.

    Raises:
        ValueError: for another `errors`.
        UnknownEncoding: the charset cannot be decoded.
    """
    if engine is None:
        if charset.family == "UTF-8":
            damage = Utf8Damage() if page is None and errors in ("windows-1252", "latin-1") else None
            return Utf8Decoder(errors, log, offset=offset, damage=damage, page=page)
        from feedcharset.charsets.decoders import charset_decoder  # most feeds are UTF-8 and never need it

        engine = charset_decoder(charset, lenient=lenient, xml_1_1=xml_1_1)
    return TextDecoder(engine, charset, errors, log, offset=offset)
