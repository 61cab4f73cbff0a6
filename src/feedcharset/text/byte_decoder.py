"""Octets to text, incrementally, with the caller's `errors=` for undecodable ones.

`Utf8Decoder` is codecs.utf_8_decode in pieces, and nothing else while the octets are well-formed;
`TextDecoder` drives one of the engines of evidence/supersets. `text_decoder` picks. Both give the same text
however the octets are cut, empty pieces included, and hold back only an incomplete tail.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from codecs import utf_8_decode
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from feedcharset.errors import DecodeError
from feedcharset.text.byte_replacement import first_mark, mend, mend_utf8, offsets, unit_of, utf8_measure
from feedcharset.text.option_values import ERRORS, check_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.charsets.byte_offsets import Measure
    from feedcharset.charsets.decoders import Engine
    from feedcharset.charsets.lookup import Charset
    from feedcharset.text.repair_log import RepairLog
    from feedcharset.text.source_offsets import Trail

__all__ = ["BaseDecoder", "Piece", "TextDecoder", "Utf8Decoder", "text_decoder"]

PIECE = 32 * 1024
"""Octets that are decoded at once. utf_8_decode ran at 3 to 5 GB/s in 32 KiB and at 1.1 from 128 KiB
on, where each result is a fresh mapping of memory."""

WHOLE = 128 * 1024
"""Octets that are decoded at once where they come so: a stream's, whose text is freed before the next. Then
memory is mapped only once, and what counts is to do little between two pieces."""


class _Place:
    """Line and column of what comes next. A line ends at LF, CRLF or CR."""

    def __init__(self) -> None:
        self.line = 1
        self.column = 1
        self._after_cr = False

    def advance(self, text: str) -> None:
        """Move past `text`, which may begin or end in the middle of a CRLF."""
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
    """One document's octets on their way to text; what both decoders share."""

    def __init__(self, name: str, family: str, errors: str, log: RepairLog, *, offset: int = 0) -> None:
        check_option("errors", errors, ERRORS)
        self.trail: Trail | None = None
        """Set by whoever wants to know later where a character came from."""
        self._name = name
        self._family = family
        self._errors = errors
        self._log = log
        self._offset = offset
        self._unit = unit_of(family, errors)
        self._place = _Place() if errors == "strict" else None

    @abstractmethod
    def decode(self, octets: bytes, final: bool = False) -> str:
        """The text of the next octets.

        Args:
            octets: the next piece, of any size.
            final: no more will come: an incomplete tail is undecodable.

        Raises:
            DecodeError: an undecodable octet, with errors="strict".
        """

    def follow(self, other: BaseDecoder) -> None:
        """Go on where another decoder has stopped, which holds nothing back."""
        self._offset = other._offset
        self._place = other._place if self._errors == "strict" else None
        self.trail = other.trail

    @property
    def offset(self) -> int:
        """Byte offset of what will be decoded next, held back or not yet given."""
        return self._offset

    def _count(self, count: int, marked: str, measure: Measure) -> None:
        self._log.add("octets", count, offsets(marked, self._unit, measure, self._offset))

    def _refuse(self, place: _Place, octets: bytes, start: int, end: int, reason: str) -> NoReturn:
        """Raise the error for octets[start:end], where octets[0] is at `_offset` in the source."""
        raise DecodeError(
            self._name,
            octets,
            start,
            end,
            reason,
            offset=self._offset + start,
            line=place.line,
            column=place.column,
        ) from None


class Piece(NamedTuple):
    """Octets that were decoded together."""

    octets: bytes | memoryview
    text: str
    utf8: bytes | memoryview | None
    """The text as UTF-8, where that is at hand."""


class Utf8Decoder(BaseDecoder):
    """UTF-8. While the octets are well-formed it costs what codecs.utf_8_decode costs."""

    def __init__(self, errors: str, log: RepairLog, *, offset: int = 0) -> None:
        super().__init__("UTF-8", "UTF-8", errors, log, offset=offset)
        self._pending = b""

    def decode(self, octets: bytes, final: bool = False) -> str:
        """The text of the next octets."""
        if len(octets) <= WHOLE:  # the usual case, without the generator and the joining of text
            if self._pending:
                octets = self._pending + octets
            piece = self._piece(octets, final)
            self._pending = octets[len(piece.octets) :]
            return piece.text
        return "".join([piece.text for piece in self.pieces(octets, final)])

    def pieces(self, octets: bytes, final: bool = False) -> Iterator[Piece]:
        """The same, piece by piece; what they hold together is `octets` without an incomplete tail."""
        data = self._pending + octets if self._pending else octets
        view = memoryview(data)
        start = 0
        while start < len(data):
            stop = start + PIECE
            piece = self._piece(view[start:stop], final and stop >= len(data))
            if not piece.octets:
                break
            start += len(piece.octets)
            yield piece
        self._pending = data[start:]

    def _piece(self, octets: bytes | memoryview, final: bool) -> Piece:
        try:
            text, used = utf_8_decode(octets, "strict", final)
        except UnicodeDecodeError as error:
            return self._mended(octets, final, error)
        if self._place is not None:
            self._place.advance(text)
        if self.trail is not None:
            self.trail.add(len(text), self._offset, text, None, utf8_measure(text))
        self._offset += used
        octets = octets[:used]
        return Piece(octets, text, octets)

    def _mended(self, octets: bytes | memoryview, final: bool, error: UnicodeDecodeError) -> Piece:
        if self._place is not None:
            self._place.advance(str(octets[: error.start], "utf-8"))
            self._refuse(self._place, error.object, error.start, error.end, error.reason)
        marked, used = utf_8_decode(octets, "surrogateescape", final)
        octets = octets[:used]
        text, count, utf8 = mend_utf8(marked, octets, self._errors)
        self._count(count, marked, utf8_measure(marked))
        if self.trail is not None:
            self.trail.add(len(text), self._offset, marked, self._unit, utf8_measure(marked))
        self._offset += used
        return Piece(octets, text, utf8)

    def insert(self, text: str, octets: int) -> None:
        """Count octets that were read in another way: as many for each character of `text`."""
        if self.trail is not None:
            self.trail.add(len(text), self._offset, text, None, lambda index: index * octets // len(text))
        self._offset += octets


class TextDecoder(BaseDecoder):
    """Any charset, by one of the engines of evidence/supersets."""

    def __init__(
        self, engine: Engine, charset: Charset, errors: str, log: RepairLog, *, offset: int = 0
    ) -> None:
        super().__init__(charset.name, charset.family, errors, log, offset=offset)
        self._engine = engine

    def decode(self, octets: bytes, final: bool = False) -> str:
        """The text of the next octets."""
        pending = self._engine.pending
        marked = self._engine.decode(octets)
        measure = self._engine.measure()
        whole = len(marked)
        if final and self._engine.pending:
            marked += self._engine.decode(b"", True)
            measure = _with_tail(measure, whole)
        mark = first_mark(marked)
        text = marked
        if mark >= 0:
            if self._place is not None:
                self._place.advance(marked[:mark])
                self._refuse_mark(
                    self._place, pending + octets, marked, mark, measure(mark), cut=mark >= whole
                )
            text, count = mend(marked, self._family, self._errors)
            self._count(count, marked, measure)
        elif self._place is not None:
            self._place.advance(text)
        if self.trail is not None:
            self.trail.add(len(text), self._offset, marked, self._unit if mark >= 0 else None, measure)
        self._offset += len(pending) + len(octets) - len(self._engine.pending)
        return text

    def _refuse_mark(
        self, place: _Place, octets: bytes, marked: str, mark: int, start: int, *, cut: bool
    ) -> NoReturn:
        """Raise the error for a mark; `cut`: it is of a character that the end of the document cuts."""
        unit = next(unit_of(self._family, "replace").finditer(marked, mark))
        reason = "unexpected end of data" if cut else _REASONS[self._family]
        self._refuse(place, octets, start, start + len(unit[0]), reason)


def _with_tail(measure: Measure, whole: int) -> Measure:
    """The same for a piece at whose end an incomplete character stands: an octet for each mark."""
    return lambda index: measure(index) if index < whole else measure(whole) + index - whole


_REASONS = {
    # In the words of Python's codecs.
    "UTF-8": "invalid octets",
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
    engine: Engine | None = None,
) -> BaseDecoder:
    """The decoder for a charset.

    Args:
        charset: what the octets are in.
        errors: "strict", "replace", "space", "latin-1" or "windows-1252"; for charsets other than UTF-8 the
            last two mean "replace".
        log: where undecodable octets are counted.
        lenient: whether a charset is read as its superset (ISO-8859-1 as windows-1252).
        offset: bytes of the source before the first octet given to it.
        engine: what decodes, where that is not the charset's own engine.

    Raises:
        ValueError: for another `errors`.
        UnknownEncoding: the charset is not decoded.
    """
    if engine is None:
        if charset.family == "UTF-8":
            return Utf8Decoder(errors, log, offset=offset)
        from feedcharset.charsets.decoders import engine as engine_for  # most feeds never need it

        engine = engine_for(charset, lenient=lenient)
    return TextDecoder(engine, charset, errors, log, offset=offset)
