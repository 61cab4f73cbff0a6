"""The engine for ISO-2022-JP (RFC 1468): octets below 80 in several sets, switched by escape sequences.

Clean text goes through Python's codec, one call for each piece. That codec has habits that cost whole
documents, or hide markup: after an ESC that begins nothing it takes every escape to the end of the line for
text, and it knows designations that RFC 1468 does not. So whatever is not clean is read here: an ESC that
begins no known sequence is damage of one octet and changes nothing, and an unknown pair is damage of two.

Lenient reading knows, as the Encoding Standard does, half-width katakana (ESC ( I) and what Windows adds to
JIS X 0208.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from codecs import IncrementalDecoder, charmap_decode, getincrementaldecoder
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.byte_offsets import Places
from feedcharset.charsets.east_asian_sequences import windows_kanji
from feedcharset.charsets.undecodable_bytes import MARKS, mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.charsets.byte_offsets import Measure

__all__ = ["Iso2022JpEngine"]

_TO_ASCII = b"\x1b(B"
_TO_ROMAN = b"\x1b(J"
_TO_KATAKANA = b"\x1b(I"
_TO_KANJI = (b"\x1b$@", b"\x1b$B")

_ESCAPE = re.compile(rb"\x1b(?:\([BJ]|\$[@B])")
_LENIENT_ESCAPE = re.compile(rb"\x1b(?:\([BIJ]|\$[@B])")
_STRANGE_ESCAPE = re.compile(rb"\x1b(?!\([BJ]|\$[@B]|[($]?\Z)")
_CUT_ESCAPE = re.compile(rb"\x1b[($]?\Z")

_PAIR = re.compile(rb"[\x21-\x7e]{2}|.", re.DOTALL)
_LEAD = re.compile(rb"[\x21-\x7e]")

_MARK = re.compile("[\udc00-\udcff]")

_ASCII = "".join(map(chr, range(128))).replace("\x1b", MARKS[0x1B]) + MARKS[128:]
_CONTROLS = _ASCII[:0x20]
_HALF_WIDTH = "".join(map(chr, range(0xFF61, 0xFFA0)))
_TABLES = {
    _TO_ASCII: _ASCII,
    _TO_ROMAN: _ASCII.replace("\\", "¥").replace("~", "‾"),
    _TO_KATAKANA: _CONTROLS + MARKS[0x20] + _HALF_WIDTH + MARKS[0x60:],
}


class _Pairs(dict[bytes, str]):
    """JIS X 0208, one character at a time: at most 94 x 94 pairs and 256 single octets."""

    def __init__(self, *, lenient: bool) -> None:
        super().__init__((bytes([octet]), text) for octet, text in enumerate(_CONTROLS))
        self._lenient = lenient

    def __missing__(self, pair: bytes) -> str:
        text = _kanji(pair, lenient=self._lenient) if len(pair) == 2 else mark(pair)
        self[pair] = text
        return text


def _kanji(pair: bytes, *, lenient: bool) -> str:
    """A pair of JIS X 0208, or leniently one that Windows adds to it."""
    try:
        return bytes(octet | 0x80 for octet in pair).decode("euc_jp")
    except UnicodeDecodeError:
        if not lenient:
            return mark(pair)
    return windows_kanji(pair[0] - 0x21, pair[1] - 0x21) or mark(pair)


class _Segment(NamedTuple):
    """The octets between two escape sequences."""

    used: bytes
    """The escape sequence that is in force."""
    start: int
    octets: bytes


class Iso2022JpEngine:
    """One document in ISO-2022-JP."""

    __slots__ = ("_decoder", "_escape", "_pairs", "_pending", "_places", "_used")

    def __init__(self, *, lenient: bool) -> None:
        self._escape = _LENIENT_ESCAPE if lenient else _ESCAPE
        self._decoder: IncrementalDecoder = getincrementaldecoder("iso2022_jp")("strict")
        self._pairs = _Pairs(lenient=lenient)
        self._used = _TO_ASCII
        self._pending = b""
        self._places = _Places(self, b"", _TO_ASCII, "", [])

    def decode(self, octets: bytes | memoryview, final: bool = False) -> str:
        """The characters that are complete with these octets."""
        source, used = self._pending + octets, self._used
        text = self._read(source)
        segments = None
        if text is None:
            text, segments = self._read_with_care(source)
        if final and self._pending:
            # Nothing follows that could make it whole: an ESC is damage, what stands after it is text.
            text += self.text_of(self._used, self._pending)
            self._pending = b""
            segments = None
        whole = source[: len(source) - len(self._pending)]
        self._places = _Places(self, whole, used, text, segments)
        return text

    def _read(self, source: bytes) -> str | None:
        """The text, where Python's codec reads it as RFC 1468 says; None where there is damage."""
        if self._used == _TO_KATAKANA or _STRANGE_ESCAPE.search(source):
            return None
        self._decoder.reset()
        try:
            text = self._decoder.decode(self._used + source)
        except UnicodeDecodeError:
            return None
        tail = self._decoder.getstate()[0]
        if tail and tail[0] != 0x1B and not _LEAD.fullmatch(tail):
            return None
        escape = source.rfind(b"\x1b", 0, len(source) - len(tail))
        self._used = source[escape : escape + 3] if escape >= 0 else self._used
        self._pending = tail
        return text

    def _read_with_care(self, source: bytes) -> tuple[str, list[_Beginning]]:
        """The text, segment by segment, and where each of them begins."""
        segments = list(self.split(source, self._used))
        last = segments[-1]
        self._used, self._pending = last.used, _tail(last)
        segments[-1] = last._replace(octets=last.octets[: len(last.octets) - len(self._pending)])
        parts = [self.text_of(segment.used, segment.octets) for segment in segments]
        return "".join(parts), _beginnings(segments, parts)

    def split(self, source: bytes, used: bytes) -> Iterator[_Segment]:
        """The segments of octets at whose beginning the escape sequence `used` is in force; at least one."""
        start = 0
        for escape in self._escape.finditer(source):
            yield _Segment(used, start, source[start : escape.start()])
            used, start = escape[0], escape.end()
        yield _Segment(used, start, source[start:])

    def text_of(self, used: bytes, octets: bytes) -> str:
        """The text of one segment."""
        if used in _TO_KANJI:
            return "".join(map(self._pairs.__getitem__, _PAIR.findall(octets)))
        return charmap_decode(octets, "strict", _TABLES[used])[0]

    @property
    def pending(self) -> bytes:
        """Half a pair, or the beginning of an escape sequence: at most 2 octets."""
        return self._pending

    def width(self, text: str) -> int:
        """How many octets `text` was decoded from, with the escape sequences up to the next character.

        Exact for a text that begins what `decode` returned last, and for texts that go on where the one
        asked for before has ended; for others, what they take when written with as few escapes as possible.
        """
        width = self._places.width(text)
        if width is None:
            return len(_MARK.sub("", text).encode("iso2022_jp", "replace")) + len(_MARK.findall(text))
        return width

    def measure(self) -> Measure:
        """Where the characters of the last piece begin: behind the escape sequences before them."""
        return self._places.octet


def _tail(last: _Segment) -> bytes:
    """What the end of the last segment may be the beginning of."""
    cut = _CUT_ESCAPE.search(last.octets)
    if cut:
        return cut[0]
    if last.octets and last.used in _TO_KANJI:
        end: bytes = _PAIR.findall(last.octets)[-1]
        if _LEAD.fullmatch(end):
            return end
    return b""


class _Beginning(NamedTuple):
    """Where a segment that holds characters begins."""

    first: int
    """The character's index."""
    octet: int
    kanji: bool


def _beginnings(segments: list[_Segment], parts: list[str]) -> list[_Beginning]:
    found = []
    index = 0
    for segment, part in zip(segments, parts, strict=True):
        if part:
            found.append(_Beginning(index, segment.start, segment.used in _TO_KANJI))
            index += len(part)
    return found


class _Places(Places):
    """Where the characters of one piece of text came from."""

    __slots__ = ("_engine", "_last", "_segments", "_used")

    def __init__(
        self,
        engine: Iso2022JpEngine,
        source: bytes,
        used: bytes,
        text: str,
        segments: list[_Beginning] | None,
    ) -> None:
        super().__init__(source, text)
        self._engine = engine
        self._used = used
        self._segments = segments
        self._last = _Beginning(0, 0, False)
        """What was asked last: the next index is mostly not far behind it."""

    def octet(self, index: int) -> int:
        """Where the octets of the character at `index` begin; the end of all octets for the end."""
        if index == len(self.text):
            return len(self.octets)
        if self._segments is None:
            self._segments = self._find_segments()
        segment = self._segments[bisect_right(self._segments, (index, len(self.octets), True)) - 1]
        start = max(segment, self._last) if self._last.first <= index else segment
        octet = start.octet + index - start.first
        if start.kanji:
            octet += _wide(self.text[start.first : index])
        self._last = _Beginning(index, octet, start.kanji)
        return octet

    def _find_segments(self) -> list[_Beginning]:
        segments = list(self._engine.split(bytes(self.octets), self._used))
        return _beginnings(segments, [self._engine.text_of(one.used, one.octets) for one in segments])


def _wide(text: str) -> int:
    """Characters of two octets, in a segment of pairs."""
    narrow = len(text.encode("ascii", "ignore"))
    return len(text) - narrow - (len(_MARK.findall(text)) if len(text) > narrow else 0)
