"""The decoder of ISO-2022-JP (RFC 1468): several 7-bit character sets, switched by escape sequences.

The sets are ASCII, JIS-Roman, half-width katakana, and JIS X 0208 with two bytes a character. What the bytes
before determine is the escape sequence that is in effect, and whether it stands directly before.

Clean text is decoded by Python's codec, one call for each piece. Other text is not: after an ESC that begins
no escape sequence, the codec takes all escape sequences up to the end of the line for text, which can cost a
document or hide markup, and it knows designations that RFC 1468 does not define. So the bytes are divided
into segments at the escape sequences, and each is decoded in its set. An ESC that begins no known sequence is
one undecodable byte and changes nothing, and an unassigned pair is one undecodable sequence.

Lenient decoding is the state machine of the Encoding Standard (section 12.2.1), with two exceptions: LF
stays LF in every character set, because a damaged line must not join the next one; SO and SI stay controls
in ASCII and JIS-Roman, because they are no XML characters and are handled with the others (`xml_chars=`).
"""

from __future__ import annotations

import re
from codecs import IncrementalDecoder, charmap_decode, getincrementaldecoder
from functools import partial
from typing import TYPE_CHECKING

from feedcharset.charsets.east_asian import RedecodingCounter, sequences_of
from feedcharset.charsets.undecodable_bytes import SURROGATES, as_surrogates, join_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.charsets.utf import ByteCounter

__all__ = ["SINGLE_BYTE_SETS", "Iso2022JpDecoder", "JisX0208"]

_TO_ASCII, _TO_ROMAN, _TO_KATAKANA = b"\x1b(B", b"\x1b(J", b"\x1b(I"
_TO_KANJI = (b"\x1b$@", b"\x1b$B")

_ASCII_SET = "".join(map(chr, range(128))).replace("\x1b", SURROGATES[0x1B]) + SURROGATES[128:]
_HALF_WIDTH = "".join(map(chr, range(0xFF61, 0xFFA0)))
SINGLE_BYTE_SETS = {
    _TO_ASCII: _ASCII_SET,
    _TO_ROMAN: _ASCII_SET.replace("\\", "¥").replace("~", "‾"),
    _TO_KATAKANA: SURROGATES[:0x0A] + "\n" + SURROGATES[0x0B:0x21] + _HALF_WIDTH + SURROGATES[0x60:],
}
"""The 256 characters of each set, by the escape sequence that designates it."""

_REPEATED = b""
"""Instead of an escape sequence: one that follows another one directly, which is damage."""

_DESIGNATION = re.compile(rb"\x1b(?:\([BJ]|\$[@B])")
_LENIENT_DESIGNATION = re.compile(rb"\x1b(?:\([BIJ]|\$[@B])")
_UNKNOWN_DESIGNATION = re.compile(rb"\x1b(?!\([BJ]|\$[@B]|[($]?\Z)")
_CUT_DESIGNATION = re.compile(rb"\x1b[($]?\Z")
_REPEATED_DESIGNATION = re.compile(rb"\x1b[($].\x1b", re.DOTALL)
_NO_PAIR = re.compile(rb"\x1b\$[@B][\x21-\x7e\n]*+[^\x1b]")
"""A byte in the two-byte set that is neither part of a pair nor LF; Python's codec accepts the controls."""

_LEAD = re.compile(rb"[\x21-\x7e]")
_KANJI_PAIRS = re.compile(rb"(?:[\x21-\x7e]{2})*+")
_KANJI_PAIR = re.compile(rb"[\x21-\x7e]{2}|.", re.DOTALL)
_LENIENT_KANJI_PAIR = re.compile(rb"[\x21-\x7e][^\n\x1b]|.", re.DOTALL)

_PAIR_SPAN = 4096
"""Bytes that are divided into pairs at once."""

_TO_EUC = bytes(byte | 0x80 for byte in range(256))


class Iso2022JpDecoder:
    """The decoder of one document in ISO-2022-JP.

    Args:
        lenient: as the Encoding Standard decodes it.
        used: the escape sequence that is in effect.
        after_escape: it stands directly before the first byte.
    """

    __slots__ = ("_after_escape", "_codec", "_kanji", "_last", "_lenient", "_pending", "_used")

    def __init__(self, *, lenient: bool, used: bytes = _TO_ASCII, after_escape: bool = False) -> None:
        self._lenient = lenient
        self._codec: IncrementalDecoder = getincrementaldecoder("iso2022_jp")("strict")
        self._kanji = JisX0208(lenient=lenient)
        self._used = used
        self._after_escape = after_escape
        self._pending = b""
        self._last = RedecodingCounter(self._twin, b"", 0)

    def _twin(self) -> Iso2022JpDecoder:
        """Return a decoder in the same state, without what is pending."""
        return Iso2022JpDecoder(lenient=self._lenient, used=self._used, after_escape=self._after_escape)

    def __deepcopy__(self, memo: dict[int, object]) -> Iso2022JpDecoder:
        """Return a decoder in the same state. The codec is reset before every use, and has none."""
        twin = self._twin()
        twin._pending = self._pending
        return twin

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the characters that are complete with these bytes."""
        source = self._pending + data
        begin = partial(
            Iso2022JpDecoder, lenient=self._lenient, used=self._used, after_escape=self._after_escape
        )
        text = self._decode_clean(source)
        if text is None:
            text = join_parts(self._decode_damaged(source))
        if final and self._pending:
            # Nothing follows that could complete it: an ESC is undecodable, what stands after it is text.
            text += self._text_of(self._used, self._pending)
            self._pending = b""
        self._last = RedecodingCounter(begin, source[: len(source) - len(self._pending)], len(text))
        return text

    def _decode_clean(self, source: bytes) -> str | None:
        """Return the text where Python's codec is right; None where there is damage or half-width
        katakana."""
        if self._used == _TO_KATAKANA or _UNKNOWN_DESIGNATION.search(source):
            return None
        known = self._used + source
        if self._lenient and (
            (self._after_escape and source[:1] == b"\x1b")
            or _REPEATED_DESIGNATION.search(source)
            or _NO_PAIR.search(known)
        ):
            return None
        self._codec.reset()
        try:
            text = self._codec.decode(known)
        except UnicodeDecodeError:
            return None
        tail = self._codec.getstate()[0]
        if tail and tail[0] != 0x1B and not _LEAD.fullmatch(tail):
            return None
        end = len(source) - len(tail)
        escape = source.rfind(b"\x1b", 0, end)
        if end:
            self._after_escape = escape >= 0 and escape + 3 == end
        self._used = source[escape : escape + 3] if escape >= 0 else self._used
        self._pending = tail
        return self._kanji.replaced(text)

    def _decode_damaged(self, source: bytes) -> Iterator[str]:
        """Yield the text segment by segment."""
        start = 0
        for escape in (_LENIENT_DESIGNATION if self._lenient else _DESIGNATION).finditer(source):
            if escape.start() > start or not self._after_escape:
                yield self._text_of(self._used, source[start : escape.start()])
            elif self._lenient:
                yield self._text_of(_REPEATED, escape[0])
            self._used, start, self._after_escape = escape[0], escape.end(), True
        last = source[start:]
        cut = _CUT_DESIGNATION.search(last)
        if cut:
            self._pending = cut[0]
        else:
            self._pending = self._kanji.incomplete(last) if self._used in _TO_KANJI else b""
        if len(last) > len(self._pending):
            self._after_escape = False
        yield self._text_of(self._used, last[: len(last) - len(self._pending)])

    def _text_of(self, used: bytes, data: bytes) -> str:
        """Return the text of one segment, whose set the escape sequence `used` designates."""
        if used == _REPEATED:
            return as_surrogates(data)
        if used in _TO_KANJI:
            return self._kanji.text_of(data)
        return charmap_decode(data, "strict", SINGLE_BYTE_SETS[used])[0]

    @property
    def pending(self) -> bytes:
        """Return half a pair, or the beginning of an escape sequence: at most 2 bytes."""
        return self._pending

    def byte_counter(self) -> ByteCounter:
        """Return the byte counter of the last piece; it counts the escape sequences before a character."""
        return self._last


class JisX0208(dict[bytes, str]):
    """JIS X 0208; leniently with what Windows adds to it, and with its characters (`～` for `〜`).

    The text of each pair and of each single byte of the two-byte set, made when it is first needed: at most
    65,792 of them.
    """

    def __init__(self, *, lenient: bool) -> None:
        super().__init__((bytes([byte]), text) for byte, text in enumerate(_ASCII_SET[:0x20]) if not lenient)
        self[b"\n"] = "\n"
        self._part = _LENIENT_KANJI_PAIR if lenient else _KANJI_PAIR
        sequences = sequences_of("euc_jp", lenient)
        self._readings = sequences.readings
        self._replacements = sequences.replacements

    def __missing__(self, pair: bytes) -> str:
        known = len(pair) == 2 and _KANJI_PAIR.fullmatch(pair)
        text = self[pair] = self._decoded(pair) if known else as_surrogates(pair)
        return text

    def _decoded(self, pair: bytes) -> str:
        euc = pair.translate(_TO_EUC)
        try:
            return self.replaced(euc.decode("euc_jp"))
        except UnicodeDecodeError:
            return self._readings.get(euc) or as_surrogates(pair)

    def text_of(self, data: bytes) -> str:
        """Return the text of bytes in this set: by a codec where that is possible, else by pairs."""
        if _KANJI_PAIRS.fullmatch(data):
            try:
                return self.replaced(data.translate(_TO_EUC).decode("euc_jp"))
            except UnicodeDecodeError:
                pass
        return "".join(self._text_by_pairs(data))

    def _text_by_pairs(self, data: bytes) -> Iterator[str]:
        """Yield the text in pieces of _PAIR_SPAN bytes: there are never many objects of a pair each."""
        start = 0
        while start < len(data):
            found = self._part.findall(data, start, start + _PAIR_SPAN)
            if start + _PAIR_SPAN < len(data):
                found.pop()  # the end of the piece may cut it
            yield "".join(map(self.__getitem__, found))
            start += sum(map(len, found))

    def replaced(self, text: str) -> str:
        """Return what a codec of Python has decoded, with its own characters replaced."""
        for character, replacement in self._replacements:
            text = text.replace(character, replacement)
        return text

    def incomplete(self, data: bytes) -> bytes:
        """Return the first byte of a pair at the end, or no bytes."""
        end = b""
        for found in self._part.finditer(data):
            end = found[0]
        return end if _LEAD.fullmatch(end) else b""
