"""The character sets of ISO-2022-JP: ASCII, JIS-Roman, half-width katakana, and the two-byte set JIS X 0208.

By the escape sequence that designates them (RFC 1468; for katakana the Encoding Standard, section 12.2.1).
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from feedcharset.charsets.east_asian_sequences import sequences_of
from feedcharset.charsets.undecodable_bytes import SURROGATES, as_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["LEAD", "SINGLE_BYTE_SETS", "TO_ASCII", "TO_KANJI", "TO_KATAKANA", "TO_ROMAN", "TwoByteSet"]

TO_ASCII = b"\x1b(B"
TO_ROMAN = b"\x1b(J"
TO_KATAKANA = b"\x1b(I"
TO_KANJI = (b"\x1b$@", b"\x1b$B")

LEAD = re.compile(rb"[\x21-\x7e]")
"""The first byte of a pair of the two-byte set."""

_PAIR = re.compile(rb"[\x21-\x7e]{2}|.", re.DOTALL)
_LENIENT_PAIR = re.compile(rb"[\x21-\x7e][^\n\x1b]|.", re.DOTALL)
_PAIRS = re.compile(rb"(?:[\x21-\x7e]{2})*+")

_ASCII = "".join(map(chr, range(128))).replace("\x1b", SURROGATES[0x1B]) + SURROGATES[128:]
_CONTROLS = _ASCII[:0x20]
_HALF_WIDTH = "".join(map(chr, range(0xFF61, 0xFFA0)))
SINGLE_BYTE_SETS = {
    TO_ASCII: _ASCII,
    TO_ROMAN: _ASCII.replace("\\", "¥").replace("~", "‾"),
    TO_KATAKANA: SURROGATES[:0x0A] + "\n" + SURROGATES[0x0B:0x21] + _HALF_WIDTH + SURROGATES[0x60:],
}
"""The 256 characters of each."""

_CHUNK = 4096
"""Bytes that are divided into pairs at once."""

_TO_EUC = bytes(byte | 0x80 for byte in range(256))


class TwoByteSet:
    """JIS X 0208; leniently with what Windows adds to it, and with its characters (`～` for `〜`)."""

    __slots__ = ("_part", "_replacements", "_texts")

    def __init__(self, *, lenient: bool) -> None:
        self._part = _LENIENT_PAIR if lenient else _PAIR
        self._replacements = sequences_of("euc_jp", lenient).replacements
        self._texts = _Texts(lenient=lenient)

    def text_of(self, data: bytes) -> str:
        """Return the text of bytes in this set: by a codec where that is possible, else by pairs."""
        if _PAIRS.fullmatch(data):
            try:
                text = data.translate(_TO_EUC).decode("euc_jp")
            except UnicodeDecodeError:
                pass
            else:
                return self.replaced(text)
        return "".join(self._text_by_pairs(data))

    def _text_by_pairs(self, data: bytes) -> Iterator[str]:
        """Yield the text in pieces of _CHUNK bytes, so that there are never many objects of a pair each."""
        start = 0
        while start < len(data):
            found = self._part.findall(data, start, start + _CHUNK)
            if start + _CHUNK < len(data):
                found.pop()  # the end of the piece may cut it
            yield "".join(map(self._texts.__getitem__, found))
            start += sum(map(len, found))

    def replaced(self, text: str) -> str:
        """Return what a codec of Python has decoded, with its own characters replaced."""
        for character, replacement in self._replacements:
            text = text.replace(character, replacement)
        return text

    def incomplete(self, data: bytes) -> bytes:
        """Return the first byte of a pair at the end, or no bytes."""
        if not data:
            return b""
        end: bytes = deque(self._part.finditer(data), maxlen=1)[0][0]
        return end if LEAD.fullmatch(end) else b""


class _Texts(dict[bytes, str]):
    """The text of each pair and of each single byte of the two-byte set: at most 65,792 of them."""

    def __init__(self, *, lenient: bool) -> None:
        super().__init__((bytes([byte]), text) for byte, text in enumerate(_CONTROLS) if not lenient)
        self[b"\n"] = "\n"
        sequences = sequences_of("euc_jp", lenient)
        self._readings = sequences.readings
        self._replacements = dict(sequences.replacements)

    def __missing__(self, pair: bytes) -> str:
        text = self._kanji(pair) if _PAIR.fullmatch(pair) and len(pair) == 2 else as_surrogates(pair)
        self[pair] = text
        return text

    def _kanji(self, pair: bytes) -> str:
        """Return the character of a pair of JIS X 0208, or leniently of one that Windows adds to it."""
        euc = pair.translate(_TO_EUC)
        try:
            text = euc.decode("euc_jp")
        except UnicodeDecodeError:
            return self._readings.get(euc) or as_surrogates(pair)
        return self._replacements.get(text, text)
