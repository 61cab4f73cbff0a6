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

`has_escapes` looks whether ESC bytes are its escape sequences, or stray ones.
"""

from __future__ import annotations

import re
from codecs import IncrementalDecoder, charmap_decode, getincrementaldecoder
from collections.abc import Iterator

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.east_asian import sequences_of
from feedcharset.charsets.undecodable_bytes import SURROGATES, CharsetDecoder, as_surrogates, join_parts

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

_DESIGNATION = re.compile(rb"\x1b(?:\([BJ]|\$[@B])")
_LENIENT_DESIGNATION = re.compile(rb"\x1b(?:\([BIJ]|\$[@B])")
_UNKNOWN_DESIGNATION = re.compile(rb"\x1b(?!\([BJ]|\$[@B]|[($]?\Z)")
_UNKNOWN_OR_REPEATED = re.compile(rb"\x1b(?!(?:\([BJ]|\$[@B])(?!\x1b)|[($]?\Z)")
_CUT_DESIGNATION = re.compile(rb"\x1b[($]?\Z")
_CLEAN = re.compile(rb"(?:\x1b\([BJ])?+[^\x1b]*+(?:\x1b\$[@B][\x21-\x7e\n]++\x1b\([BJ][^\x1b]++)*+")
"""Text as it is written: found in half of the time that the searches for what is wrong in it take."""
_NO_PAIR = re.compile(rb"\x1b\$[@B][\x21-\x7e\n]*+[^\x1b]")
"""A byte in the two-byte set that is neither part of a pair nor LF; Python's codec accepts the controls."""

_LEAD = re.compile(rb"[\x21-\x7e]")
_KANJI_PAIRS = re.compile(rb"(?:[\x21-\x7e]{2})*+")
_KANJI_PAIR = re.compile(rb"[\x21-\x7e]{2}|.", re.DOTALL)
_LENIENT_KANJI_PAIR = re.compile(rb"[\x21-\x7e][^\n\x1b]|.", re.DOTALL)

_PAIR_SPAN = 4096
"""Bytes that are divided into pairs at once."""

_TO_EUC = bytes(byte | 0x80 for byte in range(256))


class Iso2022JpDecoder(CharsetDecoder):
    """The decoder of one document in ISO-2022-JP.

    Args:
        lenient: as the Encoding Standard decodes it.
        used: the escape sequence that is in effect.
        after_escape: it stands directly before the first byte.
    """

    def __init__(self, lenient: bool, used: bytes = _TO_ASCII, after_escape: bool = False) -> None:
        self._lenient = lenient
        self._codec: IncrementalDecoder = getincrementaldecoder("iso2022_jp")("strict")
        self._kanji = JisX0208(lenient=lenient)
        self._arguments = lenient, used, after_escape

    def _decoded(self, data: bytes | memoryview) -> tuple[str, bytes]:
        data = bytes(data)
        found = self._decoded_clean(data)
        return found if found is not None else (join_parts(self._segments(data)), self._tail)

    def _decoded_clean(self, source: bytes) -> tuple[str, bytes] | None:
        """Return the text and the tail where Python's codec is right; None where there is damage or
        half-width katakana, which the codec refuses."""
        lenient, used, after_escape = self._arguments
        known = used + source
        if not _CLEAN.fullmatch(known):
            refused = _UNKNOWN_OR_REPEATED if lenient else _UNKNOWN_DESIGNATION
            if refused.search(source) or (lenient and _NO_PAIR.search(known)):
                return None
        if lenient and after_escape and source[:1] == b"\x1b":
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
            after_escape = escape >= 0 and escape + 3 == end
        self._arguments = lenient, source[escape : escape + 3] if escape >= 0 else used, after_escape
        return sequences_of("euc_jp", lenient).replaced(text), tail

    def _segments(self, source: bytes) -> Iterator[str]:
        """Yield the text of each segment; keep the tail."""
        lenient, used, after_escape = self._arguments
        start = 0
        for escape in (_LENIENT_DESIGNATION if lenient else _DESIGNATION).finditer(source):
            if escape.start() > start or not after_escape:
                yield self._text_of(used, source[start : escape.start()])
            elif lenient:
                yield as_surrogates(escape[0])  # one that follows another one directly is damage
            used, start, after_escape = escape[0], escape.end(), True
        last = source[start:]
        cut = _CUT_DESIGNATION.search(last)
        self._tail = cut[0] if cut else self._kanji.incomplete(last) if used in _TO_KANJI else b""
        self._arguments = lenient, used, after_escape and len(last) == len(self._tail)
        yield self._text_of(used, last[: len(last) - len(self._tail)])

    def _text_of(self, used: bytes, data: bytes) -> str:
        """Return the text of a segment in the set that the escape sequence `used` designates."""
        if used in _TO_KANJI:
            return self._kanji.text_of(data)
        return charmap_decode(data, "strict", SINGLE_BYTE_SETS[used])[0]

    def _cut(self, data: bytes) -> str:
        """Nothing follows that could complete it: an ESC is undecodable, what stands after it is text."""
        return self._text_of(self._arguments[1], data)


class JisX0208(dict[bytes, str]):
    """JIS X 0208; leniently with what Windows adds to it, and with its characters (`～` for `〜`).

    The text of each pair and of each single byte of the two-byte set, made when it is first needed: at most
    65,792 of them.
    """

    def __init__(self, *, lenient: bool) -> None:
        super().__init__({} if lenient else {bytes([at]): text for at, text in enumerate(_ASCII_SET[:0x20])})
        self[b"\n"] = "\n"
        self._part = _LENIENT_KANJI_PAIR if lenient else _KANJI_PAIR
        self._euc_jp = sequences_of("euc_jp", lenient)

    def __missing__(self, pair: bytes) -> str:
        known = len(pair) == 2 and _KANJI_PAIR.fullmatch(pair)
        text = self[pair] = self._decoded(pair) if known else as_surrogates(pair)
        return text

    def _decoded(self, pair: bytes) -> str:
        euc = pair.translate(_TO_EUC)
        try:
            return self._euc_jp.replaced(euc.decode("euc_jp"))
        except UnicodeDecodeError:
            return self._euc_jp.readings.get(euc) or as_surrogates(pair)

    def text_of(self, data: bytes) -> str:
        """Return the text of bytes in this set: by a codec where that is possible, else by pairs."""
        if _KANJI_PAIRS.fullmatch(data):
            try:
                return self._euc_jp.replaced(data.translate(_TO_EUC).decode("euc_jp"))
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

    def incomplete(self, data: bytes) -> bytes:
        """Return the first byte of a pair at the end, or no bytes."""
        end = b""
        for found in self._part.finditer(data):
            end = found[0]
        return end if _LEAD.fullmatch(end) else b""


_TO_TWO_BYTE_SET = lazy_pattern(rb"\x1b\$[@B(]")
_OTHER_ESCAPE = lazy_pattern(rb"\x1b(?!\$\(?+[@B]|\$\(D|\([BJI]|\$?\(?\Z)")
_KANJI = lazy_pattern(rb"\x1b\$\(?+[@BD][\x21-\x7e]{2}")
_NO_TEXT = lazy_pattern(
    rb"\x1b(?!\$\(?+[@BD](?:[\x21-\x2b\x2d\x30-\x74\x79-\x7c][\x21-\x7e])*+(?:\x1b|[\x21-\x7e]?\Z)"
    rb"|\(I[\x21-\x5f]*+(?:\x1b|\Z)|\([BJ]|\$?\(?\Z)"
)
"""An ESC that begins no sequence, or before other bytes than its set has: JIS X 0208, 0212 or the rows that
Windows adds, or half-width katakana, and then the next ESC. (Before a space, a line end or `<`, text returns
to ASCII.) A stray one would take the markup behind it for kanji."""

_END_TAG_AS_KANJI = lazy_pattern(rb"\x1b\$\(?+[@BD](?:[^\x1b<]|<(?!/[A-Za-z][\w.:-]*+>(?:[<\x1b]|\Z)))*+<")
"""An end tag before the next tag, ESC or the end, all bytes of which are halves of kanji where its `/` is a
second half. Of 150 million kanji and kana at random twelve were one by chance."""

_TWO_BYTE_RUN = lazy_pattern(rb"\x1b(?:\$|\(I)[^\x1b]*+(?:\x1b(?:\$|\(I)[^\x1b]*+)*+(?:\x1b\([BJ])?+")
_JOINS_WORDS = lazy_pattern(
    rb"[\x21-\x3d\x3f-\x7e]\x1b\("
    rb"(?:J[\x21-\x3b\x3d-\x5b\x5d-\x7d]|B(?<![\\~]\x1b\(B)[\x21-\x3b\x3d-\x7e])"
)
"""A return to ASCII within a word of ASCII: `<scr`, ESC ( B, `ipt>` would become a tag. Before and behind `¥`
and `‾`, which are `\\` and `~` of another set, there is one."""

ESCAPES_FOR_STRAY = 2
"""Escape sequences before kanji for each non-ASCII byte that is taken for damage among them."""

ESCAPES_FOR_DAMAGE = 10
"""Escape sequences before kanji for each ESC before other text than that of its set."""

_TWO_BYTE_TEXT = lazy_pattern(rb"\x1b\$[@B]((?:[\x21-\x7e]{2})++)")
_LEADS = bytes(range(0xC0, 0x100))
"""One for each character of UTF-8; most other letters, too."""

_OVER_7F = bytes(range(0x80, 0x100))
_AS_HALVES = bytes(range(0x80)) + b"!" * 0x80
"""A table that translates non-ASCII bytes into halves of kanji."""


def has_escapes(data: bytes, named: bool, before: bytes = b"") -> bool:
    """Return True where the ESC bytes are those of ISO-2022-JP.

    Where a label names it, more than half of them are, and there are more kanji than other characters. Where
    none does, each stands before text of its set, but for some damage: bytes that became non-ASCII ones, and
    such that were put in. `before`: the byte before the first ESC, with which `data` may begin.
    """
    opening, other = (_TO_TWO_BYTE_SET, _OTHER_ESCAPE) if named else (_KANJI, _NO_TEXT)
    if not opening.search(data):
        return False
    without = data if data.isascii() else data.translate(None, _OVER_7F)
    if named and len(without) == len(data) and not other.search(data):  # as nearly all are
        return True
    number = len(opening.findall(data))
    if named:
        kanji = sum(map(len, _TWO_BYTE_TEXT.findall(data))) // 2
        others = len(data) - len(data.translate(None, _LEADS))
        return others < max(kanji, 1) and len(other.findall(data)) < number
    if _END_TAG_AS_KANJI.search(data) or _JOINS_WORDS.search(before + _TWO_BYTE_RUN.sub(b" ", data)):
        return False
    if ESCAPES_FOR_STRAY * (len(data) - len(without)) > number:
        return False
    readings = (data,) if len(without) == len(data) else (data.translate(_AS_HALVES), without)
    return any(ESCAPES_FOR_DAMAGE * len(other.findall(one)) <= number for one in readings)
