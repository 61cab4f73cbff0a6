"""The document read aloud by several decoders at once, and where two of them first disagree."""

from __future__ import annotations

from typing import NamedTuple

from feedcharset.charsets.decoders import Engine, engine
from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.charsets.single_byte import TableEngine, octet_table
from feedcharset.charsets.undecodable_bytes import MARKS
from feedcharset.text.byte_replacement import first_mark, mend

__all__ = ["Comparison", "Piece", "Voice", "voice_key"]


class Piece(NamedTuple):
    """What a voice reads of one block."""

    offset: int
    """The byte where its first character begins."""
    text: str
    """With a mark for each octet that does not decode."""
    mark: int
    """Index of the first mark, or -1."""


def voice_key(charset: Charset, *, lenient: bool) -> tuple[str, bool]:
    """Two voices of one key read the same text."""
    name = charset.superset if lenient else charset.name
    by_mode = name.startswith("windows-") or name in ("GB18030", "EUC-JP", "ISO-2022-JP")
    return name, lenient and by_mode


class Voice:
    """One decoder on its way through the document."""

    def __init__(self, charset: Charset, *, lenient: bool, offset: int) -> None:
        self.charset = charset
        self.engine: Engine = engine(charset, lenient=lenient)
        self.table = _table(charset, lenient=lenient) if isinstance(self.engine, TableEngine) else None
        """The 256 characters of its octets, where a character is one octet."""
        self.offset = offset
        """Of the next octet."""
        self.first_mark: int | None = None
        """The byte that was the first not to decode."""

    def read(self, octets: bytes, final: bool) -> Piece:
        """Read the next octets."""
        begin = self.offset - len(self.engine.pending)
        text = self.engine.decode(octets, final)
        self.offset += len(octets)
        mark = first_mark(text)
        if mark >= 0 and self.first_mark is None:
            self.first_mark = begin + self.engine.width(text[:mark])
        return Piece(begin, text, mark)

    def skip(self, octets: bytes) -> None:
        """Pass octets by: allowed where `plain` says so, or where a character is one octet."""
        self.offset += len(octets)

    def plain(self, octets: bytes) -> bool:
        """These octets are US-ASCII, and are read as that."""
        return (
            self.charset.ascii_compatible
            and self.charset.family != "ISO-2022-JP"
            and not self.engine.pending
            and octets.isascii()
        )

    def heard(self, piece: Piece) -> str:
        """The text as a reader gets it: what is not UTF-8 is mended as lenient reading mends it."""
        if piece.mark >= 0 and self.charset.family == "UTF-8":
            return mend(piece.text, "UTF-8", "windows-1252")[0]
        return piece.text


def _table(charset: Charset, *, lenient: bool) -> str:
    if lenient:
        charset = by_name(charset.superset)
    return octet_table(charset.name, charset.codec, lenient and charset.name.startswith("windows-"))


class Comparison:
    """Two voices, and the first place where they read different text."""

    def __init__(self, one: Voice, other: Voice) -> None:
        self.one = one
        self.other = other
        self.differs: int | None = None
        """The byte, by the first voice."""
        self._rest = ("", "")
        self._telling = _telling(one.table, other.table)

    def same(self, octets: bytes) -> bool:
        """They certainly read the same text here, so neither need read it."""
        if self._rest != ("", ""):
            return False
        if self.one.plain(octets) and self.other.plain(octets):
            return True
        return self._telling is not None and not any(octet in octets for octet in self._telling)

    def hold(self, one: Piece, other: Piece) -> None:
        """Hold the next pieces against each other."""
        left = self._rest[0] + self.one.heard(one)
        right = self._rest[1] + self.other.heard(other)
        length = min(len(left), len(right))
        if left[:length] != right[:length]:
            self._found(one, left, _first_difference(left[:length], right[:length]))
        self._rest = (left[length:], right[length:])

    def follow(self, voice: Voice) -> None:
        """Go on with another first voice, after text that was nothing but US-ASCII."""
        self.one = voice
        self._telling = _telling(voice.table, self.other.table)

    def finish(self) -> None:
        """The document ends: what one of them read beyond the other differs."""
        if self.differs is None and self._rest != ("", ""):
            width = self.one.engine.width(self._rest[0])
            self.differs = self.one.offset - width

    def _found(self, piece: Piece, left: str, index: int) -> None:
        index -= len(self._rest[0])
        # In a rest, which is at most a few characters before the piece, the piece's beginning is near enough.
        self.differs = piece.offset + (self.one.engine.width(piece.text[:index]) if index > 0 else 0)


def _telling(one: str | None, other: str | None) -> bytes | None:
    """The octets that two tables read differently."""
    if one is None or other is None:
        return None
    return bytes(octet for octet in range(256) if one[octet] != other[octet] or one[octet] == MARKS[octet])


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
