"""The document as text, in blocks: its bytes, their characters, and the position of each place.

`SourceBlocks` gives the bytes in blocks of one size, however small the pieces are that the source returns.
A `PositionedDecoder` decodes them for one consumer. `TextBlock` is the lenient text that is in hand: findings
are looked for up to `stop`, which stands before markup, so that no tag, reference or word is cut; what
follows `stop` comes again at the beginning of the next block. Memory does not grow with the document.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from feedcharset.charsets import lazy_value
from feedcharset.charsets.decoders import UnicodeDecoder, charset_decoder
from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.charsets.undecodable_bytes import (
    UNDECODABLE_BYTE,
    ByteCounter,
    CharsetDecoder,
    first_undecodable,
)
from feedcharset.errors import TooLarge
from feedcharset.evidence.damaged_utf8 import BEFORE_CHANCE, by_chance, decode_mixed
from feedcharset.evidence.declaration import NO_DECLARATION, ends_lines_with_85
from feedcharset.fetch.gunzip import GZIP_BEGINNINGS, GunzipStream
from feedcharset.reading.byte_streams import CallerStream, read_whole
from feedcharset.text.byte_replacement import Utf8ByteCounter, replace_undecodable
from feedcharset.text.source_positions import LinePosition, white_space_in

SOURCE_BLOCK = 256 * 1024
"""Bytes. Nearly every feed is one block; text of four bytes a character, several times over, stays at a few
MiB."""

LEAST_TEXT = 16 * 1024
"""Characters that the text has before findings are looked for: the first ones hold the declaration, and what
stands before it."""

EXCERPT_SIDE = 60
"""Characters shown on either side of a position: with both, a line of a wide terminal."""

CUT = 64 * 1024
"""Characters at the end of a block in which markup is searched; also the most that come again."""

REFERENCE_LENGTH = 44
"""Characters of a reference, with leading zeros; longer ones are not found in practice."""

WIDEST = 4
"""Bytes of the longest character, escape sequences apart."""

_OTHER_OR_DECLARATION = re.compile(NO_DECLARATION + r"|(<\?xml[ \t\r\n])", re.DOTALL)
_LINE_BREAK = re.compile("\r\n?|\n")

_C1_IN_UTF8 = re.compile(b"\xc2[\x80-\x9f]")


# -- bytes ------------------------------------------------------------------------------------------------


class SourceBlocks:
    """The blocks of a document, unpacked if it is gzip."""

    def __init__(self, stream: Any) -> None:
        self._stream: Any = stream if type(stream) is io.BytesIO else CallerStream(stream)
        self.gzip: bool = False
        """The source is gzip; the blocks are what it holds."""
        self._ahead = self._read()
        no_codings = (word for word in getattr(stream, "ignored_codings", ()) if word != "none")
        self.not_applied: str = getattr(stream, "not_applied", "") or ", ".join(no_codings)
        """The coding that Content-Encoding names, where the body of the response is text, or what it names
        that is no coding (`utf-8`); ""."""
        self.flaw: str = ""
        """What is wrong with the gzip, "" where nothing is. Known at the document's end."""
        self.is_damaged: bool = False
        """The document may end early."""
        if self._ahead[:3] in GZIP_BEGINNINGS:
            self._stream, self.gzip = GunzipStream(self._ahead, self._stream, strict=False), True
            self._ahead = self._read()

    def __iter__(self) -> Iterator[tuple[bytes, bool]]:
        """Blocks, each with a flag for the last one; there is at least one."""
        last = False
        while not last:
            block = self._ahead
            self._ahead = self._read() if len(block) >= SOURCE_BLOCK else b""
            last = not self._ahead
            yield block, last

    def _read(self) -> bytes:
        """A whole block; shorter only at the end."""
        return read_whole(self._piece, SOURCE_BLOCK)

    def _piece(self, size: int) -> bytes:
        """At most `size` bytes; a damaged gzip member ends the document."""
        try:
            piece: bytes = self._stream.read(size)
        except TooLarge as error:
            if error.url is not None or not self.gzip:  # the limit of the download, not of this gzip
                raise
            self.flaw = f"data is not read to its end: {str(error).partition(';')[0]}"
            self.is_damaged = True
            return b""
        if self.gzip and self._stream.broken:
            self.is_damaged = not self._stream.has_rest
            self.flaw = f"data is {'damaged' if self.is_damaged else 'whole'}: {self._stream.broken}"
        return piece


# -- characters -------------------------------------------------------------------------------------------


class TextPiece:
    """The text of some bytes, as one decoder reads them.

    Attributes:
        offset: the byte where its first character begins.
        text: with a lone surrogate for each byte that does not decode.
        undecodable: index of the first such byte, or -1.
        bytes_before: from the index of a character to the number of bytes before it.
        data: the bytes.
        charset: the decoder's.
        first: index of the first character in the text block; None where the piece has other ones.
    """

    def __init__(
        self,
        offset: int,
        text: str,
        undecodable: int,
        bytes_before: ByteCounter,
        data: bytes,
        charset: Charset,
    ) -> None:
        self.offset = offset
        self.text = text
        self.undecodable = undecodable
        self.bytes_before = bytes_before
        self.data = data
        self.charset = charset
        self.first: int | None = None
        if charset.family == "UTF-8":
            self.utf8 = data

    @lazy_value
    def utf8(self) -> bytes:
        """The text in UTF-8, the form that the searches and the parser take."""
        return self.text.encode("utf-8", "surrogatepass")

    @property
    def has_noncharacter(self) -> bool:
        """U+FFFE or U+FFFF is in it, which XML forbids."""
        return 0xEF in self.utf8 and ("\ufffe" in self.text or "\uffff" in self.text)

    @property
    def has_c1(self) -> bool:
        """A C1 control is in it."""
        last = self.utf8.rfind(b"\xc2")
        return last >= 0 and _C1_IN_UTF8.search(self.utf8, 0, last + 2) is not None

    def offset_of(self, index: int) -> int:
        """The byte where a character begins."""
        return self.offset + self.bytes_before(index)

    def bytes_at(self, offset: int, size: int) -> bytes:
        """Bytes of the document from an offset on, if they are in this piece."""
        at = offset - self.offset
        return self.data[at : at + size]


class PositionedDecoder:
    """The decoder of one consumer, with its byte offset in the document."""

    def __init__(
        self, charset: Charset, *, lenient: bool, offset: int = 0, page: str | None = None, head: bytes = b""
    ) -> None:
        self.charset = charset
        self._xml_1_1 = lenient and ends_lines_with_85(charset, head)
        self._mixed = page is not None
        self._page = page or "windows-1252"
        self._lenient = lenient
        self.offset: int = offset
        """Offset of the next byte."""
        self.first_undecodable: int | None = None
        """Offset of the first undecodable byte."""

    @lazy_value
    def engine(self) -> CharsetDecoder:
        """The decoder; or another one that has read the same bytes."""
        if self._mixed:
            return _PositionedMixture()
        return charset_decoder(self.charset, lenient=self._lenient, xml_1_1=self._xml_1_1)

    def read(self, data: bytes, final: bool, text: str | None = None) -> TextPiece:
        """Decode the next bytes; `text` is theirs, where all were decoded before, and nothing is pending."""
        if text is not None:
            self.offset += len(data)
            is_utf8 = self.charset.family == "UTF-8"
            counter = Utf8ByteCounter(text) if is_utf8 else self.engine.byte_counter(data, text)
            return TextPiece(self.offset - len(data), text, -1, counter, data, self.charset)
        held = self.engine.pending
        begin = self.offset - len(held)
        text = self.engine.decode(data, final)
        self.offset += len(data)
        undecodable = first_undecodable(text)
        data = held + data if held else data
        data = data[: len(data) - len(self.engine.pending)]
        clean = undecodable < 0 and self.charset.family == "UTF-8"
        counter = Utf8ByteCounter(text) if clean else self.engine.byte_counter()
        piece = TextPiece(begin, text, undecodable, counter, data, self.charset)
        if undecodable >= 0 and self.first_undecodable is None:
            self.first_undecodable = piece.offset_of(undecodable)
        return piece

    def reads_alike(self, other: PositionedDecoder, data: bytes) -> bool:
        """Return True where both have the same characters for these bytes, which this one has read: in
        single-byte charsets, or by the same codec."""
        if self.charset.family == other.charset.family == "CJK":
            return self.engine.reads_as(other.engine)
        if not self.charset.family == other.charset.family == "single":
            return False
        pages = ((one.charset.name, one._lenient, one._xml_1_1) for one in (self, other))
        return not any(map(data.__contains__, _differing_bytes(*pages)))

    def replaced(self, piece: TextPiece) -> str:
        """The text as a consumer gets it: undecodable bytes are replaced as lenient reading replaces them."""
        if piece.undecodable >= 0 and self.charset.family == "UTF-8":
            return replace_undecodable(piece.text, "UTF-8", self._page)[0]
        return piece.text


class _PositionedMixture(UnicodeDecoder):
    """The decoder of a mixture: sequences that are there by chance are undecodable bytes."""

    def __init__(self) -> None:
        super().__init__("UTF-8")
        self._before = b""

    def _decoded(self, data: bytes | memoryview) -> tuple[str, bytes]:
        data = bytes(data)
        text, used = decode_mixed(data, by_chance(data, self._before), False)
        self._before = (self._before + data[:used])[-BEFORE_CHANCE:]
        return text, data[used:]

    def _cut(self, data: bytes) -> str:
        return decode_mixed(data, by_chance(data, self._before), True)[0]

    def byte_counter(self, data: bytes | None = None, text: str = "") -> ByteCounter:
        return Utf8ByteCounter(self._last[2] if data is None else text)


@lru_cache(maxsize=64)
def _differing_bytes(*pages: tuple[str, bool, bool]) -> bytes:
    """The bytes that two single-byte charsets, each read leniently or not, have as different characters."""
    every = bytes(range(256))
    decoders = (charset_decoder(by_name(one), lenient=lenient, xml_1_1=nel) for one, lenient, nel in pages)
    tables = (decoder.decode(every) for decoder in decoders)
    return bytes(byte for byte, (one, other) in enumerate(zip(*tables, strict=True)) if one != other)


def decoder_key(name: str, lenient: bool) -> tuple[str, bool]:
    """Two decoders with the same key give the same text."""
    name = by_name(name).superset if lenient else name
    return name, lenient and (by_name(name).lenient_differs or by_name(name).family in ("UTF-16", "UTF-32"))


# -- positions --------------------------------------------------------------------------------------------


class Position(NamedTuple):
    """A place in the document: where its first character begins, and where its last one ends."""

    offset: int
    """Bytes from the first byte of the source."""
    line: int
    """From 1, in the text."""
    column: int
    """From 1, in characters; a byte that does not decode counts as one."""
    excerpt: str = ""
    """The line, or EXCERPT_SIDE characters of it on either side; U+FFFD for a byte that does not decode."""
    caret: int = 0
    """Index of the position in `excerpt`."""
    end_offset: int = 0
    """The byte after the last one."""
    end_line: int = 0
    """The line and column after the last character."""
    end_column: int = 0


_NOT_COUNTED = sys.maxsize
"""The index to which lines are counted, before they are."""


class _Part(NamedTuple):
    """What was decoded at once, in a block."""

    start: int
    """Index of its first character; negative where that is in the block before."""
    offset: int
    bytes_before: ByteCounter
    widest: int = WIDEST
    """Bytes of its longest character, or fewer."""


class TextBlock:
    """The lenient text that is in hand; `skipped` are the bytes before it."""

    def __init__(self, skipped: bytes = b"") -> None:
        self.text: str = ""
        self.stop: int = 0
        """Findings are looked for before this index."""
        self._parts: list[_Part] = []
        self.before: str = ""
        """The CUT characters before the block."""
        self._start = LinePosition()
        if skipped:
            self._start.advance(white_space_in(skipped))
        self._first = self._start.line, self._start.column
        self._lines = self._start
        self._lines_index = _NOT_COUNTED
        self._known = (_Part(0, 0, int), 0, 0)
        self._waiting: list[tuple[int, int | None, Callable[[Position], None]]] = []
        self._final = False

    @lazy_value
    def misplaced_declaration(self) -> re.Match[str] | None:
        """The declaration that stands further down in the block with which the document begins."""
        return misplaced_declaration(self.text)

    def push(self, piece: TextPiece, final: bool) -> None:
        """Go on to the next block, with one more piece of the text."""
        passed, carried = self.text[: self.stop], self.text[self.stop :]
        piece.first = len(carried)
        if passed:
            self.before = (self.before + passed[-CUT:])[-CUT:]
            self._start.advance(passed)
            begun = [part for part in self._parts if part.start <= self.stop]
            later = [part for part in self._parts if part.start > self.stop]
            self._parts = [part._replace(start=part.start - self.stop) for part in (*begun[-1:], *later)]
        self._lines_index = _NOT_COUNTED
        widest = 1 if len(piece.text) == len(piece.data) else WIDEST
        self._parts.append(_Part(piece.first, piece.offset, piece.bytes_before, widest))
        self.text = carried + piece.text
        self._final = final
        self.stop = len(self.text) if final else 0 if len(self.text) < LEAST_TEXT else _cut(self.text)
        waiting, self._waiting = self._waiting, []
        for offset, end, receive in waiting:
            self.place(offset, end, receive)

    def place(
        self,
        offset: int,
        end: int | None,
        receive: Callable[[Position], None],
        span: tuple[int, int] | None = None,
    ) -> None:
        """Pass the position of some bytes to `receive`, once, as soon as the text after them is known.

        `end`: None for those of one character. `span`: their characters in the block, if they are known.
        """
        if span is None:
            start = self.index(offset)
            last = self.index(end - 1) if end is not None and end > offset + 1 else start
            span = start, last + (end is None or end > offset)
        if span[0] + EXCERPT_SIDE <= len(self.text) or self._final:
            receive(self._at(*span, offset, end))
        else:
            self._waiting.append((offset, end, receive))

    def at(self, index: int, end: int) -> Position:
        """The position of some characters, with the part of their line that is known."""
        end = self.whole(end)
        return self._at(index, end, self.offset(index), None)

    def _at(self, index: int, end: int, offset: int, end_offset: int | None) -> Position:
        line, column = self._line_and_column(index)
        end_offset = self.offset(end) if end_offset is None else end_offset
        last = self._line_and_column(min(end, len(self.text)))
        before = self.before[-EXCERPT_SIDE:] + self.text[max(index - EXCERPT_SIDE, 0) : index]
        before = _LINE_BREAK.split(UNDECODABLE_BYTE.sub("\ufffd", before[-EXCERPT_SIDE:]))[-1]
        after = UNDECODABLE_BYTE.sub("\ufffd", self.text[index : index + EXCERPT_SIDE])
        after = _LINE_BREAK.split(after, maxsplit=1)[0]
        return Position(offset, line, column, before + after, len(before), end_offset, *last)

    def whole(self, end: int) -> int:
        """The end of some characters, behind the line end that it would divide."""
        return end + (self.text[max(end - 1, 0) : end + 1] == "\r\n")

    def offset(self, index: int) -> int:
        """The byte where a character begins."""
        part = next(part for part in reversed(self._parts) if part.start <= index)
        return part.offset + part.bytes_before(min(index, len(self.text)) - part.start)

    def index(self, offset: int) -> int:
        """The index of the character that contains a byte.

        For a smaller index a byte counter counts anew from the beginning. So the search goes forward only, by
        no more characters than the bytes that are left surely hold.
        """
        number = max((at for at, part in enumerate(self._parts) if part.offset <= offset), default=0)
        part = self._parts[number]
        stop = self._parts[number + 1].start if number + 1 < len(self._parts) else len(self.text)
        known, at, before = self._known
        left, length = offset - part.offset, stop - part.start
        if known is not part or before > left:
            at = before = 0
        longest = part.widest
        while at < length:
            step = min(max(1, (left - before) // longest), length - at)
            after = part.bytes_before(at + step)
            if after <= left:
                at, before = at + step, after
            elif step == 1:
                break
            else:
                longest *= 2  # escape sequences count for the character after them
        self._known = (part, at, before)
        return max(part.start + at, 0)

    def find(self, line: int, column: int) -> int:
        """The index of the character at a line and column of the text, or the last; -1 before the block."""
        index, first = 0, self._start
        column += self._first[1] - 1 if line == 1 else 0
        line += self._first[0] - 1
        if line == first.line:
            column -= first.column - 1
        for number, found in enumerate(_LINE_BREAK.finditer(self.text), first.line + 1):
            if number > line:
                break
            index = found.end()
        found_at = min(index + column - 1, len(self.text) - 1)
        within = self.text[max(found_at - 1, 0) : found_at + 1] == "\r\n"  # at the end of the text
        return max(-1, found_at - within) if line >= first.line else -1

    def _line_and_column(self, index: int) -> tuple[int, int]:
        if index < self._lines_index:
            self._lines, self._lines_index = self._start.copy(), 0
        self._lines.advance(self.text[self._lines_index : index])
        self._lines_index = index
        return self._lines.line, self._lines.column


def misplaced_declaration(text: str, end: int = LEAST_TEXT) -> re.Match[str] | None:
    """The beginning of an XML declaration that is not the first thing in the text, before the index `end`."""
    if text.rfind("<?xml", 1, end) < 0:  # from the end, a word is found three times as fast
        return None
    found = _OTHER_OR_DECLARATION.finditer(text, 0, end)
    return next((one for one in found if one[1] and one.start()), None)


def _cut(text: str) -> int:
    """Where findings are looked for no further: at markup near the end, with an excerpt after it."""
    end = max(len(text) - EXCERPT_SIDE, 0)
    markup = text.rfind("<", max(end - CUT, 0), end)
    if markup >= 0:
        return markup
    reference = text.rfind("&", max(end - REFERENCE_LENGTH, 0), end)
    return reference if reference >= 0 else end
