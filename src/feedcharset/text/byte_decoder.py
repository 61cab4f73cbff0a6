"""Decoders from bytes of a known charset to text, with `errors=` applied to undecodable bytes.

`text_decoder` chooses: `Utf8Decoder` decodes UTF-8, `TextDecoder` any other charset, with a decoder of
charsets/. All give the same text however the bytes are cut, empty pieces included, and hold back only an
incomplete character at the end. Well-formed UTF-8 costs one call of codecs.utf_8_decode for each piece.
Damaged UTF-8 is decoded with escaped bytes, whose places are found once.

`MixtureDecoder` decodes a document that is read by a western page and goes on behind the window, where UTF-8
may begin. A UTF-8 document whose first megabyte holds one stray byte, or a western archive to whose end
items in UTF-8 were added, is read by the page as long as nothing proves UTF-8. It has three states: the bytes
of the window, which hold no proof; *watching*, until the first sequence that proves UTF-8 (no honest text of
the page holds it); *mixed*, from there on: sequences are UTF-8 and counted as repairs of kind "utf-8", all
other bytes are the page's. A sequence that proves nothing by itself (`Å½` of `Žižkov`) is UTF-8 if a proof
begins within NEAR bytes, so text is held back from such a sequence on, as far as that.
"""

from __future__ import annotations

from codecs import charmap_decode, utf_8_decode
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.lookup import Charset
from feedcharset.charsets.single_byte import undefined_bytes
from feedcharset.charsets.undecodable_bytes import (
    UNDECODABLE_BYTE,
    ByteCounter,
    damaged_parts,
    first_undecodable,
    join_parts,
)
from feedcharset.errors import DecodeError
from feedcharset.evidence.damaged_utf8 import (
    BEFORE_CHANCE,
    OPENING_MARKS,
    QUOTATION,
    EscapedUtf8,
    KnownDamage,
    by_chance,
    decode_mixed,
    escaped_bytes,
    escaped_runs,
    find_damage,
    marks_before,
    quoted_by_chance,
    unfinished,
)
from feedcharset.evidence.utf8_sequences import AROUND_A_WORD, first_proof
from feedcharset.evidence.window import Window
from feedcharset.text.byte_replacement import (
    BaseDecoder,
    Utf8ByteCounter,
    page_table,
    replace_in_utf8,
    replace_undecodable,
    replaced_offsets,
    replaced_unit,
    undecodable_indexes,
    utf8_offsets,
)
from feedcharset.text.source_positions import RepairLog

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


class Utf8Decoder(BaseDecoder):
    """Decode UTF-8. Well-formed bytes cost one call of codecs.utf_8_decode."""

    def __init__(
        self,
        errors: str,
        log: RepairLog,
        *,
        offset: int = 0,
        known_damage: bool = False,
        page: str | None = None,
        before: bytes = b"",
        escaped: EscapedUtf8 | None = None,
    ) -> None:
        super().__init__("UTF-8", "UTF-8", "windows-1252" if page else errors, log, offset=offset)
        self._pending = b""
        self._text_before = "" if known_damage else None
        self._page = page or errors
        self._mixed_after = before if page else None
        """Of a mixture: the bytes before the next piece."""
        self._quoted_after = b"" if known_damage and errors == "windows-1252" else None
        """Of UTF-8 with bytes of windows-1252: those before the next piece, QUOTATION of them."""
        self._quotes = False
        """One of these is a mark that opens a quotation."""
        self._known = escaped
        """The text of all that will be decoded, if it was read as UTF-8 for the decision."""

    def expect_mixture(self, before: bytes) -> None:
        """Read sequences of the next bytes that are there by chance as bytes of windows-1252, as those behind
        the ASCII bytes `before`."""
        self._mixed_after = before

    def expect_quotations(self) -> None:
        """Read sequences that close a quotation by chance as bytes of windows-1252."""
        self._quoted_after = b""

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes."""
        if self._known is not None and self._position is None and self._mixed_after is None:
            known, self._known = self._known, None
            used = len(data)
            if not final:  # a sequence that the end cuts is not in the text
                used -= len(data[-4:]) - utf_8_decode(data[-4:], "ignore")[1]
            piece = self._decode_damage(data, known, used, final)
            self._pending = data[len(piece.data) :]
            return piece.text
        if final and self._known is not None and self._mixed_after is not None:
            known, self._known = self._known, None
            if not by_chance(data, self._mixed_after):
                return self._decode_escaped(data, known).text
        self._known = None
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
        if self._mixed_after is not None:
            data = bytes(data)
            escaped, used = decode_mixed(data, by_chance(data, self._mixed_after), final)
            self._mixed_after = (self._mixed_after + data[:used])[-BEFORE_CHANCE:]
            return self._decode_escaped(data[:used], EscapedUtf8(escaped))
        if self._quotes:
            return self._decode_damaged(data, final)
        try:
            text, used = utf_8_decode(data, "strict", final)
        except UnicodeDecodeError as error:
            if self._position is not None:
                before = str(data[: error.start], "utf-8")
                self._note(len(before), before, None, Utf8ByteCounter(before))
                self._refuse(before, error.object, error.start, error.end, error.reason)
            return self._decode_damaged(data, final)
        if self._position is not None:
            self._position.advance(text)
        self._note(len(text), text, None, Utf8ByteCounter(text))
        self._keep(text)
        self._offset += used
        data = data[:used]
        if self._quoted_after is not None:
            self._quoted_after = (self._quoted_after + data[-QUOTATION:])[-QUOTATION:]
        return Piece(data, text, data)

    def _decode_damaged(self, data: bytes | memoryview, final: bool) -> Piece:
        escaped, used = utf_8_decode(data, "surrogateescape", final)
        runs = None
        if self._text_before is not None or len(escaped) < used:  # else all bytes are replaced at once
            runs = escaped_runs(escaped, max(FEW_IN_A_PIECE, len(escaped) // SPARSE_RUNS))
        return self._decode_damage(data, EscapedUtf8(escaped, runs), used, final)

    def _decode_damage(self, data: bytes | memoryview, known: EscapedUtf8, used: int, final: bool) -> Piece:
        """Replace the escaped bytes of text that was decoded from `data[:used]`, and known damage in it."""
        escaped = known.text
        if self._text_before is not None and not final and (held := unfinished(escaped)):
            escaped, used = escaped[: len(escaped) - held], used - held
            known = known._replace(text=escaped, runs=None, classes=None)
        if (before := self._quoted_after) is not None:
            damaged = escaped_bytes(known)
            known = known._replace(damaged=damaged)
            opened = self._quotes or not OPENING_MARKS.isdisjoint(damaged)
            if opened and (chance := quoted_by_chance(bytes(data[:used]), before)):
                escaped, used = decode_mixed(bytes(data[:used]), chance, final)
                known = EscapedUtf8(escaped)
            before += data[max(used - QUOTATION, 0) : used]
            self._quoted_after = before[-QUOTATION:]
            self._quotes = opened and not OPENING_MARKS.isdisjoint(marks_before(before))
        if self._text_before is None:
            return self._decode_escaped(data[:used], known)
        places = partial(_known_damage, known, self._text_before)
        self._keep(escaped)
        if next(places(), None) is None:
            return self._decode_escaped(data[:used], known)
        text, count, _ = replace_in_utf8(join_parts(self._without_known(escaped, places())), b"", self._page)
        indexes = _outside(undecodable_indexes(escaped, self._unit, known.runs), places())
        if (first := next(indexes, None)) is not None:
            self._log.add("bytes", count, utf8_offsets(escaped, chain((first,), indexes), self._offset))
        self._offset += used
        return Piece(data[:used], text, None)

    def _without_known(self, escaped: str, places: Iterator[KnownDamage]) -> Iterator[str]:
        """Yield text with cut characters and surrogate pairs replaced; count them."""
        start, at = 0, self._offset
        for place in places:
            part = escaped[start : place.start]
            yield self._recorded(part, at)
            at += len(part.encode("utf-8", "surrogateescape"))
            size, number = place.end - place.start, len(place.characters)
            if place.characters == "\ufffd":
                self._log.add("bytes", 1)  # its offset comes with those of the bytes around
            else:
                self._log.add("cesu-8", number, range(at, at + size, size // number))
            yield self._recorded(place.characters, at)
            start, at = place.end, at + size
        yield self._recorded(escaped[start:], at)

    def _recorded(self, text: str, offset: int) -> str:
        """Keep where text begins, if that is wanted. Offsets within CESU-8 pairs are not needed:
        later stages do not change them."""
        if self.source_offsets is not None:
            self.source_offsets.add(len(text), offset, text, None, Utf8ByteCounter(text))
        return text

    def _decode_escaped(self, data: bytes | memoryview, known: EscapedUtf8) -> Piece:
        """Replace the escaped bytes of text that was decoded from exactly `data`."""
        escaped = known.text
        text, count, utf8 = replace_in_utf8(escaped, data, self._page, known)
        if count:
            offsets = replaced_offsets(escaped, self._unit, known.runs, self._offset)
            self._log.add("bytes", count, offsets)
        self._note(len(text), escaped, self._unit, Utf8ByteCounter(escaped))
        self._offset += len(data)
        return Piece(data, text, utf8)

    def insert(self, text: str, size: int) -> None:
        """Advance past bytes that the caller decoded to `text`, CESU-8 pairs."""
        self._recorded(text, self._offset)
        self._offset += size


def _known_damage(known: EscapedUtf8, before: str) -> Iterator[KnownDamage]:
    """Yield the cut characters and surrogate pairs behind the characters `before`."""
    escaped, runs, classes, cut, _ = known
    if cut is None:
        return find_damage(escaped, before, runs, classes)
    return (place for place in cut if place.start < len(escaped))


def _outside(indexes: Iterator[int], places: Iterator[KnownDamage]) -> Iterator[int]:
    """Yield the indexes of bytes that stand outside of known damage, and of each cut character."""
    place = next(places, None)
    for index in indexes:
        while place is not None and index >= place.end:
            place = next(places, None)
        if place is None or index < place.start or (index == place.start and place.characters == "\ufffd"):
            yield index


NEAR = 1024
"""Bytes before a proof in which other sequences are UTF-8, too: the title of an item, and some markup."""

_CHARACTER = lazy_pattern("[^\x00-\x7f\udc80-\udcff]")


class MixtureDecoder(BaseDecoder):
    """Decode by a western page until a sequence proves UTF-8; from there on sequences as UTF-8.

    Args:
        charset: the charset whose superset is the page.
        errors: the policy for undecodable bytes; no byte of these pages is undecodable.
        skip: number of bytes at the beginning that hold no proof: those of the window.
        known: their text and more, if they were decoded; `decode` is then first passed all of them.
    """

    def __init__(
        self, charset: Charset, errors: str, log: RepairLog, *, skip: int, known: str | None = None
    ) -> None:
        super().__init__(charset.name, charset.family, errors, log)
        self._charset = charset
        self._skip = skip
        self._known = known
        self._held = b""
        self._enough = 0
        """Length of the bytes that are held back and new, from which they are searched again: held ones are
        searched a few times, however small the pieces are."""
        self._before = b" "
        self._mixed = False

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes."""
        text = ""
        if self._skip:
            text = self._by_page(data[: self._skip], self._known and self._known[: self._skip])
            self._known = None
            self._skip, data = self._skip - len(data[: self._skip]), data[self._skip :]
        data = self._held + data if self._held else data
        self._held = b""
        if self._mixed:
            return text + self._by_sequence(data, final)
        if len(data) < self._enough and not final:
            self._held = data
            return text
        proof = first_proof(data, self._before, self._charset, near=NEAR, final=final)
        text += self._by_page(data[: proof.certain])
        data = data[proof.certain :]
        if proof.found:
            self._mixed = True
            return text + self._by_sequence(data, final)
        self._held = data
        self._enough = len(data) + len(data) // 4
        return text

    def _by_page(self, data: bytes, known: str | None = None) -> str:
        text = known or charmap_decode(data, "strict", page_table(self._charset.superset))[0]
        self._note(len(text), text, None, int)
        self._offset += len(data)
        self._before = (self._before + data[-AROUND_A_WORD:])[-AROUND_A_WORD:]
        return text

    def _by_sequence(self, data: bytes, final: bool) -> str:
        escaped, used = decode_mixed(data, by_chance(data, self._before), final)
        data, self._held = data[:used], data[used:]
        self._before = (self._before + data[-AROUND_A_WORD:])[-AROUND_A_WORD:]
        text = replace_in_utf8(escaped, data, self._charset.superset).text
        count = len(_CHARACTER.findall(escaped))
        if count:
            indexes = (match.start() for match in _CHARACTER.finditer(escaped))
            self._log.add("utf-8", count, utf8_offsets(escaped, indexes, self._offset))
        self._note(len(text), escaped, UNDECODABLE_BYTE, Utf8ByteCounter(escaped))
        self._offset += used
        return text


class TextDecoder(BaseDecoder):
    """Decode any charset, with a decoder of charsets/."""

    def __init__(
        self,
        charset: Charset,
        errors: str,
        log: RepairLog,
        *,
        lenient: bool,
        offset: int = 0,
        xml_1_1: bool = False,
        window: Window | None = None,
    ) -> None:
        super().__init__(charset.name, charset.family, errors, log, offset=offset)
        self._known: str | None = None
        if window is not None and (decoded := window.decoded(charset)) is not None:
            self._known, self._engine = decoded
        else:
            # Most feeds are UTF-8 and never need it.
            from feedcharset.charsets.decoders import charset_decoder

            self._engine = charset_decoder(charset, lenient=lenient, xml_1_1=xml_1_1)
        is_page = lenient and charset.family == "single"
        self._undefined = undefined_bytes(charset.superset) if is_page else None
        """The only bytes that may be undecodable, if that is known."""

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes."""
        pending = self._engine.pending
        if self._known is not None:
            pending, escaped, self._known = b"", self._known, None
        else:
            escaped = self._engine.decode(data)
        byte_counter = self._engine.byte_counter()
        whole = len(escaped)
        if final and self._engine.pending:
            escaped += self._engine.decode(b"", True)
            byte_counter = partial(_count_cut, byte_counter, whole, self._engine.byte_counter())
        first = -1
        if self._undefined is None or any(byte in data for byte in self._undefined):
            first = first_undecodable(escaped)
        text = escaped
        if first >= 0:
            if self._position is not None:
                self._note(first, escaped, None, byte_counter)
                unit = next(replaced_unit(self._family, "replace").finditer(escaped, first))
                reason = "unexpected end of data" if first >= whole else _REASONS[self._family]
                start = byte_counter(first)
                self._refuse(escaped[:first], pending + data, start, start + len(unit[0]), reason)
            parts = list(damaged_parts(escaped))
            text, count = replace_undecodable(escaped, self._family, self._errors, parts)
            indexes = (found.start() for part in parts for found in self._unit.finditer(escaped, *part))
            self._log.add("bytes", count, (self._offset + byte_counter(index) for index in indexes))
        elif self._position is not None:
            self._position.advance(text)
        self._note(len(text), escaped, self._unit if first >= 0 else None, byte_counter)
        self._offset += len(pending) + len(data) - len(self._engine.pending)
        return text


def _count_cut(known: ByteCounter, whole: int, cut: ByteCounter, index: int) -> int:
    """Count the bytes before a character, which may be behind those known, where the end of the document has
    cut one."""
    return known(index) if index <= whole else known(whole) + cut(index - whole)


_REASONS = {
    # The wording of Python's codecs.
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
    xml_1_1: bool = False,
    window: Window | None = None,
) -> BaseDecoder:
    """Return a new decoder for a charset.

    Args:
        errors: "strict", "replace", "space", "latin-1" or "windows-1252"; for charsets other than UTF-8 the
            last two mean "replace". Of UTF-8 they also replace characters cut by bytes with U+FFFD and join
            surrogate pairs (CESU-8).
        lenient: decode with the superset of the charset (windows-1252 for ISO-8859-1).
        offset: number of bytes of the source before the first byte passed to `decode`.
        xml_1_1: the document is XML 1.1, where 85 is a line end in an ISO-8859 page.
        window: the bytes that are passed first; what was decoded for the decision is not decoded again.

    Raises:
        UnknownEncoding: the charset cannot be decoded.
    """
    if charset.family == "UTF-8":
        damage, escaped = errors in ("windows-1252", "latin-1"), None if window is None else window.escaped
        return Utf8Decoder(errors, log, offset=offset, known_damage=damage, escaped=escaped)
    return TextDecoder(charset, errors, log, lenient=lenient, offset=offset, xml_1_1=xml_1_1, window=window)
