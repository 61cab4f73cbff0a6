"""A decoder that knows its byte offset, and the first position where two decoders give different text."""

from __future__ import annotations

from typing import NamedTuple

from feedcharset.charsets.byte_offsets import ByteCounter
from feedcharset.charsets.decoders import CharsetDecoder, charset_decoder
from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.charsets.single_byte import SingleByteDecoder, byte_table
from feedcharset.charsets.undecodable_bytes import SURROGATES
from feedcharset.text.byte_replacement import first_undecodable, replace_undecodable

__all__ = ["Piece", "PositionedDecoder", "TextDifference", "decoder_key"]


class Piece(NamedTuple):
    """The text of one block."""

    offset: int
    """The byte where its first character begins."""
    text: str
    """With a mark for each byte that does not decode."""
    mark: int
    """Index of the first mark, or -1."""
    bytes_before: ByteCounter
    """From the index of a character to the number of bytes of the block before it."""

    def offset_of(self, index: int) -> int:
        """The byte where a character begins."""
        return self.offset + self.bytes_before(index)


def decoder_key(charset: Charset, *, lenient: bool) -> tuple[str, bool]:
    """Two decoders with the same key give the same text."""
    name = charset.superset if lenient else charset.name
    return name, lenient and by_name(name).lenient_differs


class PositionedDecoder:
    """A decoder, with its byte offset in the document."""

    def __init__(self, charset: Charset, *, lenient: bool, offset: int, page: str = "windows-1252") -> None:
        self.charset = charset
        self._page = page
        self.engine: CharsetDecoder = charset_decoder(charset, lenient=lenient)
        single_byte = isinstance(self.engine, SingleByteDecoder)
        self.table: str | None = _table(charset, lenient=lenient) if single_byte else None
        """Its 256 characters, where each character is one byte."""
        self.offset: int = offset
        """Offset of the next byte."""
        self.first_undecodable: int | None = None
        """Offset of the first undecodable byte."""

    def read(self, data: bytes, final: bool) -> Piece:
        """Decode the next bytes."""
        begin = self.offset - len(self.engine.pending)
        text = self.engine.decode(data, final)
        self.offset += len(data)
        mark = first_undecodable(text)
        piece = Piece(begin, text, mark, self.engine.byte_counter())
        if mark >= 0 and self.first_undecodable is None:
            self.first_undecodable = piece.offset_of(mark)
        return piece

    def skip(self, data: bytes) -> None:
        """Skip bytes: allowed where `plain` is true, or where each character is one byte."""
        self.offset += len(data)

    def plain(self, data: bytes) -> bool:
        """Return True where these bytes are US-ASCII and decode to the same characters."""
        return (
            self.charset.ascii_compatible
            and self.charset.family != "ISO-2022-JP"
            and not self.engine.pending
            and data.isascii()
        )

    def replaced(self, piece: Piece) -> str:
        """The text as a consumer gets it: undecodable bytes are replaced as lenient reading replaces them."""
        if piece.mark >= 0 and self.charset.family == "UTF-8":
            return replace_undecodable(piece.text, "UTF-8", self._page)[0]
        return piece.text


def _table(charset: Charset, *, lenient: bool) -> str:
    if lenient:
        charset = by_name(charset.superset)
    return byte_table(charset.name, lenient)


class TextDifference:
    """Two decoders, and the first position where their text differs."""

    def __init__(self, one: PositionedDecoder, other: PositionedDecoder) -> None:
        self.one: PositionedDecoder = one
        self.other = other
        self.differs: int | None = None
        """Byte offset, counted by the first decoder."""
        self._rest = ("", "")
        self._piece: Piece | None = None
        """The last piece of the first decoder."""
        self._differing_bytes = _differing_bytes(one.table, other.table)

    def same(self, data: bytes) -> bool:
        """Return True where both certainly give the same text, so neither has to decode these bytes."""
        if self._rest != ("", ""):
            return False
        if self.one.plain(data) and self.other.plain(data):
            return True
        return self._differing_bytes is not None and not any(byte in data for byte in self._differing_bytes)

    def compare(self, one: Piece, other: Piece) -> None:
        """Compare the next pieces."""
        self._piece = one
        left = self._rest[0] + self.one.replaced(one)
        right = self._rest[1] + self.other.replaced(other)
        length = min(len(left), len(right))
        if left[:length] != right[:length]:
            self._found(one, left, _first_difference(left[:length], right[:length]))
        self._rest = (left[length:], right[length:])

    def follow(self, decoder: PositionedDecoder) -> None:
        """Replace the first decoder, after text that was only US-ASCII."""
        self.one = decoder
        self._differing_bytes = _differing_bytes(decoder.table, self.other.table)

    def finish(self) -> None:
        """Note the end of the document: text that only one of them has is a difference."""
        if self.differs is None and self._rest != ("", ""):
            assert self._piece is not None, "a rest is that of a piece"
            self.differs = self._piece.offset_of(max(0, len(self._piece.text) - len(self._rest[0])))

    def _found(self, piece: Piece, left: str, index: int) -> None:
        index -= len(self._rest[0])
        # A rest is at most a few characters before the piece; the start of the piece is used for it.
        self.differs = piece.offset_of(max(0, index))


def _differing_bytes(one: str | None, other: str | None) -> bytes | None:
    """The bytes that decode differently in two tables."""
    if one is None or other is None:
        return None
    return bytes(byte for byte in range(256) if one[byte] != other[byte] or one[byte] == SURROGATES[byte])


def _first_difference(left: str, right: str) -> int:
    """The index of the first character that differs; halving, so that the comparing is C."""
    low, high = 0, len(left)
    while low < high:
        middle = (low + high) // 2
        if left[low : middle + 1] != right[low : middle + 1]:
            high = middle
        else:
            low = middle + 1
    return low
