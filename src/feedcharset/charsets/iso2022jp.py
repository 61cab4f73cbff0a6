"""The decoder of ISO-2022-JP (RFC 1468): several 7-bit character sets, switched by escape sequences.

Clean text is decoded by Python's codec, one call for each piece. Other text is not: after an ESC that begins
no escape sequence, the codec takes all escape sequences up to the end of the line for text, which can cost a
document or hide markup, and it knows designations that RFC 1468 does not define. Here an ESC that begins no
known sequence is one undecodable byte and changes nothing, and an unassigned pair is two.

Lenient decoding knows, as the Encoding Standard does, half-width katakana (ESC ( I) and what Windows adds to
JIS X 0208.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from codecs import IncrementalDecoder, charmap_decode, getincrementaldecoder
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.byte_offsets import PieceCounter
from feedcharset.charsets.east_asian_sequences import windows_kanji
from feedcharset.charsets.undecodable_bytes import SURROGATES, as_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.charsets.byte_offsets import ByteCounter

__all__ = ["Iso2022JpDecoder"]

_TO_ASCII = b"\x1b(B"
_TO_ROMAN = b"\x1b(J"
_TO_KATAKANA = b"\x1b(I"
_TO_KANJI = (b"\x1b$@", b"\x1b$B")

_ESCAPE = re.compile(rb"\x1b(?:\([BJ]|\$[@B])")
_LENIENT_ESCAPE = re.compile(rb"\x1b(?:\([BIJ]|\$[@B])")
_UNKNOWN_ESCAPE = re.compile(rb"\x1b(?!\([BJ]|\$[@B]|[($]?\Z)")
_CUT_ESCAPE = re.compile(rb"\x1b[($]?\Z")

_PAIR = re.compile(rb"[\x21-\x7e]{2}|.", re.DOTALL)
_LEAD = re.compile(rb"[\x21-\x7e]")

_UNDECODABLE = re.compile("[\udc00-\udcff]")

_ASCII = "".join(map(chr, range(128))).replace("\x1b", SURROGATES[0x1B]) + SURROGATES[128:]
_CONTROLS = _ASCII[:0x20]
_HALF_WIDTH = "".join(map(chr, range(0xFF61, 0xFFA0)))
_TABLES = {
    _TO_ASCII: _ASCII,
    _TO_ROMAN: _ASCII.replace("\\", "¥").replace("~", "‾"),
    _TO_KATAKANA: _CONTROLS + SURROGATES[0x20] + _HALF_WIDTH + SURROGATES[0x60:],
}


class _Pairs(dict[bytes, str]):
    """The text of each pair of JIS X 0208 and of each single byte: at most 94 x 94 pairs and 256 bytes."""

    def __init__(self, *, lenient: bool) -> None:
        super().__init__((bytes([byte]), text) for byte, text in enumerate(_CONTROLS))
        self._lenient = lenient

    def __missing__(self, pair: bytes) -> str:
        text = _kanji(pair, lenient=self._lenient) if len(pair) == 2 else as_surrogates(pair)
        self[pair] = text
        return text


def _kanji(pair: bytes, *, lenient: bool) -> str:
    """Return the character of a pair of JIS X 0208, or leniently of one that Windows adds to it."""
    try:
        return bytes(byte | 0x80 for byte in pair).decode("euc_jp")
    except UnicodeDecodeError:
        if not lenient:
            return as_surrogates(pair)
    return windows_kanji(pair[0] - 0x21, pair[1] - 0x21) or as_surrogates(pair)


class _Segment(NamedTuple):
    """The bytes between two escape sequences."""

    used: bytes
    """The escape sequence that is in effect."""
    start: int
    data: bytes


class Iso2022JpDecoder:
    """The decoder of one document in ISO-2022-JP."""

    __slots__ = ("_codec", "_counter", "_escape", "_pairs", "_pending", "_used")

    def __init__(self, *, lenient: bool) -> None:
        self._escape = _LENIENT_ESCAPE if lenient else _ESCAPE
        self._codec: IncrementalDecoder = getincrementaldecoder("iso2022_jp")("strict")
        self._pairs = _Pairs(lenient=lenient)
        self._used = _TO_ASCII
        self._pending = b""
        self._counter = _Counter(self, b"", _TO_ASCII, "", [])

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the characters that are complete with these bytes."""
        source, used = self._pending + data, self._used
        text = self._decode_clean(source)
        segments = None
        if text is None:
            text, segments = self._decode_damaged(source)
        if final and self._pending:
            # Nothing follows that could complete it: an ESC is undecodable, what stands after it is text.
            text += self.text_of(self._used, self._pending)
            self._pending = b""
            segments = None
        complete = source[: len(source) - len(self._pending)]
        self._counter = _Counter(self, complete, used, text, segments)
        return text

    def _decode_clean(self, source: bytes) -> str | None:
        """Return the text where Python's codec reads it as RFC 1468 defines; None where there is damage."""
        if self._used == _TO_KATAKANA or _UNKNOWN_ESCAPE.search(source):
            return None
        self._codec.reset()
        try:
            text = self._codec.decode(self._used + source)
        except UnicodeDecodeError:
            return None
        tail = self._codec.getstate()[0]
        if tail and tail[0] != 0x1B and not _LEAD.fullmatch(tail):
            return None
        escape = source.rfind(b"\x1b", 0, len(source) - len(tail))
        self._used = source[escape : escape + 3] if escape >= 0 else self._used
        self._pending = tail
        return text

    def _decode_damaged(self, source: bytes) -> tuple[str, list[_Beginning]]:
        """Return the text, decoded segment by segment, and where each of them begins."""
        segments = list(self.split(source, self._used))
        last = segments[-1]
        self._used, self._pending = last.used, _tail(last)
        segments[-1] = last._replace(data=last.data[: len(last.data) - len(self._pending)])
        parts = [self.text_of(segment.used, segment.data) for segment in segments]
        return "".join(parts), _beginnings(segments, parts)

    def split(self, source: bytes, used: bytes) -> Iterator[_Segment]:
        """Yield the segments, at least one; the escape sequence `used` is in effect at the beginning."""
        start = 0
        for escape in self._escape.finditer(source):
            yield _Segment(used, start, source[start : escape.start()])
            used, start = escape[0], escape.end()
        yield _Segment(used, start, source[start:])

    def text_of(self, used: bytes, data: bytes) -> str:
        """Return the text of one segment."""
        if used in _TO_KANJI:
            return "".join(map(self._pairs.__getitem__, _PAIR.findall(data)))
        return charmap_decode(data, "strict", _TABLES[used])[0]

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
            return len(_UNDECODABLE.sub("", text).encode("iso2022_jp", "replace")) + len(
                _UNDECODABLE.findall(text)
            )
        return width

    def byte_counter(self) -> ByteCounter:
        """Return the byte counter of the last piece; it counts the escape sequences before a character."""
        return self._counter.bytes_before


def _tail(last: _Segment) -> bytes:
    """Return the incomplete escape sequence or pair at the end of the last segment."""
    cut = _CUT_ESCAPE.search(last.data)
    if cut:
        return cut[0]
    if last.data and last.used in _TO_KANJI:
        end: bytes = _PAIR.findall(last.data)[-1]
        if _LEAD.fullmatch(end):
            return end
    return b""


class _Beginning(NamedTuple):
    """Where a segment that holds characters begins."""

    first: int
    """The index of its first character."""
    bytes_before: int
    kanji: bool


def _beginnings(segments: list[_Segment], parts: list[str]) -> list[_Beginning]:
    found = []
    index = 0
    for segment, part in zip(segments, parts, strict=True):
        if part:
            found.append(_Beginning(index, segment.start, segment.used in _TO_KANJI))
            index += len(part)
    return found


class _Counter(PieceCounter):
    """The byte counter of one piece."""

    __slots__ = ("_decoder", "_last", "_segments", "_used")

    def __init__(
        self,
        decoder: Iso2022JpDecoder,
        source: bytes,
        used: bytes,
        text: str,
        segments: list[_Beginning] | None,
    ) -> None:
        super().__init__(source, text)
        self._decoder = decoder
        self._used = used
        self._segments = segments
        self._last = _Beginning(0, 0, False)
        """The last result: the next index is mostly not far behind it."""

    def bytes_before(self, index: int) -> int:
        """Return the number of bytes before the character at `index`; all bytes for the end of the text."""
        if index == len(self.text):
            return len(self.data)
        if self._segments is None:
            self._segments = self._find_segments()
        segment = self._segments[bisect_right(self._segments, (index, len(self.data), True)) - 1]
        start = max(segment, self._last) if self._last.first <= index else segment
        count = start.bytes_before + index - start.first
        if start.kanji:
            count += _wide(self.text[start.first : index])
        self._last = _Beginning(index, count, start.kanji)
        return count

    def _find_segments(self) -> list[_Beginning]:
        segments = list(self._decoder.split(bytes(self.data), self._used))
        return _beginnings(segments, [self._decoder.text_of(one.used, one.data) for one in segments])


def _wide(text: str) -> int:
    """Return the number of characters of two bytes in a segment of pairs."""
    narrow = len(text.encode("ascii", "ignore"))
    return len(text) - narrow - (len(_UNDECODABLE.findall(text)) if len(text) > narrow else 0)
