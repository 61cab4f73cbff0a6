"""The decoder of UTF-8, with `errors=` applied to undecodable bytes.

Well-formed bytes cost one call of codecs.utf_8_decode for each piece. Damaged ones are decoded with escaped
bytes, whose places are found once.
"""

from __future__ import annotations

from bisect import bisect_left
from codecs import utf_8_decode
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.undecodable_bytes import join_parts
from feedcharset.errors import DecodeError
from feedcharset.evidence.damaged_utf8 import CONTEXT, EscapedUtf8, escaped_runs, find_damage, unfinished
from feedcharset.text.byte_replacement import (
    BaseDecoder,
    Utf8Damage,
    first_undecodable,
    replace_in_utf8,
    utf8_byte_count,
    utf8_byte_counter,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.evidence.damaged_utf8 import KnownDamage, Runs
    from feedcharset.text.source_positions import RepairLog

__all__ = ["DECODED_PIECE", "LARGEST_PIECE", "Piece", "Utf8Decoder"]

DECODED_PIECE = 32 * 1024
"""Bytes decoded in one call. utf_8_decode ran at 3 to 5 GB/s with pieces of 32 KiB and at 1.1 from 128 KiB
on, where the allocator maps fresh memory for each result."""

LARGEST_PIECE = 128 * 1024
"""Bytes decoded in one call when the caller passes that many, as for a stream: the text of one piece is freed
before the next is decoded, so memory is mapped only once and fewer calls cost less."""


SPARSE_RUNS = 256
"""Characters for each damaged run from which on runs are replaced one by one. Where they are denser, each of
the 128 bytes is replaced in the whole piece: a run takes 1 µs, and that as long as 100 of them."""

FEW_IN_A_PIECE = 16
"""Damaged runs that are replaced one by one in a piece of any size."""


class Piece(NamedTuple):
    """Bytes decoded in one call, and their text."""

    data: bytes | memoryview
    text: str
    utf8: bytes | memoryview | None
    """The text as UTF-8, if no encoding is needed to get it; else None."""


def _sparse_runs(escaped: str) -> Runs | None:
    """Return the damaged runs that are replaced one by one; None where they are too dense for that."""
    return escaped_runs(escaped, max(FEW_IN_A_PIECE, len(escaped) // SPARSE_RUNS))


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
        escaped: EscapedUtf8 | None = None,
    ) -> None:
        super().__init__("UTF-8", "UTF-8", "windows-1252" if page else errors, log, offset=offset)
        self._pending = b""
        self._damage = damage
        self._page = page or errors
        self._known = escaped
        """The text of all that will be decoded, if it was read as UTF-8 for the decision."""

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes."""
        if self._known is not None and self._position is None:
            known, self._known = self._known, None
            if self._damage is None:
                return self._decode_escaped(data, known.text, known.runs).text
            return self._replace_known_damage(data, known).text
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
            stop = start + DECODED_PIECE
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
        # Without any sequence each byte is a character, and all of them are replaced at once.
        runs = _sparse_runs(escaped) if len(escaped) < used else None
        return self._decode_escaped(data[:used], escaped, runs)

    def _decode_known_damage(self, data: bytes | memoryview, escaped: str, used: int, final: bool) -> Piece:
        if not final:
            held = unfinished(escaped)
            escaped, used = escaped[: len(escaped) - held], used - held
        return self._replace_known_damage(data[:used], EscapedUtf8(escaped, _sparse_runs(escaped)))

    def _replace_known_damage(self, data: bytes | memoryview, text: EscapedUtf8) -> Piece:
        """Replace cut characters and surrogate pairs, and decode what stands between them."""
        assert self._damage is not None
        escaped, runs, classes, unknown = text
        judged = runs
        if unknown:  # the decision knew one character before them
            judged = list(runs or escaped_runs(escaped[: 2 * CONTEXT], CONTEXT) or ())
            judged = judged[: bisect_left(judged, (CONTEXT, 0))]
        known = list(find_damage(escaped, self._damage.before, judged)) if judged is not None else None
        if known == []:
            self._damage.keep(escaped)
            return self._decode_escaped(data, escaped, runs)
        places = find_damage(escaped, self._damage.before, None, classes) if known is None else iter(known)
        joined = join_parts(self._parts(data, escaped, runs, places))
        self._damage.keep(escaped)
        return Piece(data, joined, None)

    def _parts(
        self, data: bytes | memoryview, escaped: str, runs: Runs | None, places: Iterator[KnownDamage]
    ) -> Iterator[str]:
        """Yield the text of known damage, and of what stands between."""
        start = at = 0
        for place in places:
            yield self._decode_part(data, escaped[start : place.start], at, _within(runs, start, place.start))
            at += utf8_byte_count(escaped[start : place.start])
            size, number = place.end - place.start, len(place.characters)
            offsets = range(self._offset, self._offset + size, size // number)
            self._log.add("bytes" if place.characters == "\ufffd" else "cesu-8", number, offsets)
            self.insert(place.characters, size)
            yield place.characters
            start, at = place.end, at + size
        yield self._decode_part(data, escaped[start:], at, _within(runs, start, len(escaped)))

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
