"""The decoder of ISO-2022-JP (RFC 1468): several 7-bit character sets, switched by escape sequences.

Clean text is decoded by Python's codec, one call for each piece. Other text is not: after an ESC that
begins no escape sequence, the codec takes all escape sequences up to the end of the line for text, which
can cost a document or hide markup, and it knows designations that RFC 1468 does not define. Here an ESC
that begins no known sequence is one undecodable byte and changes nothing, and an unassigned pair is one
undecodable sequence.

Lenient decoding is the state machine of the Encoding Standard (section 12.2.1), with two exceptions: LF
stays LF in every character set, because a damaged line must not join the next one; SO and SI stay controls
in ASCII and JIS-Roman, because they are no XML characters and are handled with the others (`xml_chars=`).
"""

from __future__ import annotations

import re
from codecs import IncrementalDecoder, charmap_decode, getincrementaldecoder
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.byte_offsets import PieceCounter
from feedcharset.charsets.iso2022jp_sets import (
    LEAD,
    SINGLE_BYTE_SETS,
    TO_ASCII,
    TO_KANJI,
    TO_KATAKANA,
    TwoByteSet,
)
from feedcharset.charsets.text_parts import join_parts
from feedcharset.charsets.undecodable_bytes import UNDECODABLE_BYTE, as_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.charsets.byte_offsets import ByteCounter

__all__ = ["Iso2022JpDecoder"]

_REPEATED = b""
"""Instead of an escape sequence: the segment is one that follows another one directly, which is damage."""

_ESCAPE = re.compile(rb"\x1b(?:\([BJ]|\$[@B])")
_LENIENT_ESCAPE = re.compile(rb"\x1b(?:\([BIJ]|\$[@B])")
_UNKNOWN_ESCAPE = re.compile(rb"\x1b(?!\([BJ]|\$[@B]|[($]?\Z)")
_CUT_ESCAPE = re.compile(rb"\x1b[($]?\Z")
_REPEATED_ESCAPE = re.compile(rb"\x1b[($].\x1b", re.DOTALL)
_NO_PAIR = re.compile(rb"\x1b\$[@B][\x21-\x7e\n]*+[^\x1b]")
"""A byte in the two-byte set that is neither part of a pair nor LF; Python's codec accepts the controls."""


class _State(NamedTuple):
    """What of the bytes before determines how the next ones are decoded."""

    used: bytes
    """The escape sequence that is in effect."""
    after_escape: bool
    """It stands directly before."""


class _Segment(NamedTuple):
    """The bytes between two escape sequences."""

    used: bytes
    """The escape sequence that is in effect, or _REPEATED."""
    start: int
    data: bytes


class Iso2022JpDecoder:
    """The decoder of one document in ISO-2022-JP."""

    __slots__ = (
        "_after_escape",
        "_codec",
        "_counter",
        "_kanji",
        "_lenient",
        "_pending",
        "_used",
    )

    def __init__(self, *, lenient: bool) -> None:
        self._lenient = lenient
        self._codec: IncrementalDecoder = getincrementaldecoder("iso2022_jp")("strict")
        self._kanji = TwoByteSet(lenient=lenient)
        self._used = TO_ASCII
        self._after_escape = False
        """The last escape sequence stands directly before the next byte."""
        self._pending = b""
        self._counter = _Counter(self, b"", _State(TO_ASCII, False), "")

    def __deepcopy__(self, memo: dict[int, object]) -> Iso2022JpDecoder:
        """Return a decoder in the same state. The codec is reset before every use, and has none."""
        twin = Iso2022JpDecoder(lenient=self._lenient)
        twin._used, twin._after_escape, twin._pending = self._used, self._after_escape, self._pending
        return twin

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the characters that are complete with these bytes."""
        source, before = self._pending + data, _State(self._used, self._after_escape)
        text = self._decode_clean(source)
        if text is None:
            text = join_parts(self._decode_damaged(source))
        if final and self._pending:
            # Nothing follows that could complete it: an ESC is undecodable, what stands after it is text.
            text += self.text_of(self._used, self._pending)
            self._pending = b""
        complete = source[: len(source) - len(self._pending)]
        self._counter = _Counter(self, complete, before, text)
        return text

    def _decode_clean(self, source: bytes) -> str | None:
        """Return the text where Python's codec is right; None where there is damage or half-width
        katakana."""
        if self._used == TO_KATAKANA or _UNKNOWN_ESCAPE.search(source):
            return None
        known = self._used + source
        if self._lenient and (
            (self._after_escape and source[:1] == b"\x1b")
            or _REPEATED_ESCAPE.search(source)
            or _NO_PAIR.search(known)
        ):
            return None
        self._codec.reset()
        try:
            text = self._codec.decode(known)
        except UnicodeDecodeError:
            return None
        tail = self._codec.getstate()[0]
        if tail and tail[0] != 0x1B and not LEAD.fullmatch(tail):
            return None
        end = len(source) - len(tail)
        escape = source.rfind(b"\x1b", 0, end)
        if end:
            self._after_escape = escape >= 0 and escape + 3 == end
        self._used = source[escape : escape + 3] if escape >= 0 else self._used
        self._pending = tail
        return self._kanji.replaced(text)

    def _decode_damaged(self, source: bytes) -> Iterator[str]:
        """Yield the text, decoded segment by segment."""
        segments = self.split(source, self._used, self._after_escape)
        last, count = next(segments), 1
        for segment in segments:
            yield self.text_of(last.used, last.data)
            last, count = segment, count + 1
        self._pending = self._tail(last)
        data = last.data[: len(last.data) - len(self._pending)]
        if len(source) > len(self._pending):
            self._after_escape = not data and count > 1
        self._used = last.used
        yield self.text_of(last.used, data)

    def split(self, source: bytes, used: bytes, after_escape: bool) -> Iterator[_Segment]:
        """Yield the segments, at least one.

        Args:
            source: the bytes.
            used: the escape sequence in effect at their beginning.
            after_escape: it stands directly before them.
        """
        start = 0
        for escape in (_LENIENT_ESCAPE if self._lenient else _ESCAPE).finditer(source):
            if escape.start() > start or not after_escape:
                yield _Segment(used, start, source[start : escape.start()])
            elif self._lenient:
                yield _Segment(_REPEATED, escape.start(), escape[0])
            used, start, after_escape = escape[0], escape.end(), True
        yield _Segment(used, start, source[start:])

    def text_of(self, used: bytes, data: bytes) -> str:
        """Return the text of one segment."""
        if used == _REPEATED:
            return as_surrogates(data)
        if used in TO_KANJI:
            return self._kanji.text_of(data)
        return charmap_decode(data, "strict", SINGLE_BYTE_SETS[used])[0]

    def _tail(self, last: _Segment) -> bytes:
        """Return the incomplete escape sequence or pair at the end of the last segment."""
        cut = _CUT_ESCAPE.search(last.data)
        if cut:
            return cut[0]
        return self._kanji.incomplete(last.data) if last.used in TO_KANJI else b""

    @property
    def pending(self) -> bytes:
        """Return half a pair, or the beginning of an escape sequence: at most 2 bytes."""
        return self._pending

    def byte_count(self, text: str) -> int:
        """Return how many bytes `text` was decoded from, with the escape sequences up to the next character.

        Exact for a text that begins what `decode` returned last, and for what follows the previous
        text; for others, the number of bytes with as few escape sequences as possible.
        """
        width = self._counter.byte_count(text)
        if width is None:
            return len(UNDECODABLE_BYTE.sub("", text).encode("iso2022_jp", "replace")) + len(
                UNDECODABLE_BYTE.findall(text)
            )
        return width

    def byte_counter(self) -> ByteCounter:
        """Return the byte counter of the last piece; it counts the escape sequences before a character."""
        return self._counter.bytes_before


class _Place(NamedTuple):
    """A place in a segment that holds characters."""

    character: int
    """The index of a character."""
    bytes_before: int
    kanji: bool


class _Counter(PieceCounter):
    """The byte counter of one piece. It divides the piece into segments again, as far as needed."""

    __slots__ = ("_decoder", "_end", "_place", "_segments", "_state")

    def __init__(self, decoder: Iso2022JpDecoder, source: bytes, state: _State, text: str) -> None:
        super().__init__(source, text)
        self._decoder = decoder
        self._state = state
        self._segments: Iterator[_Segment] = iter(())
        self._place = _Place(len(text) + 1, 0, False)
        """The last result: the next index is mostly not far behind it."""
        self._end = 0
        """The index of the first character behind its segment."""

    def bytes_before(self, index: int) -> int:
        """Return the number of bytes before the character at `index`; all bytes for the end of the text."""
        if index == len(self.text):
            return len(self.data)
        if index < self._place.character:
            self._segments = self._decoder.split(bytes(self.data), *self._state)
            self._end = 0
        while index >= self._end:
            segment = next(self._segments)
            length = len(self._decoder.text_of(segment.used, segment.data))
            self._place = _Place(self._end, segment.start, segment.used in TO_KANJI)
            self._end += length
        first, count, kanji = self._place
        count += index - first
        if kanji:
            count += _wide(self.text[first:index])
        self._place = _Place(index, count, kanji)
        return count


def _wide(text: str) -> int:
    """Return the number of characters of two bytes in a segment of pairs."""
    narrow = len(text.encode("ascii", "ignore"))
    return len(text) - narrow - (len(UNDECODABLE_BYTE.findall(text)) if len(text) > narrow else 0)
