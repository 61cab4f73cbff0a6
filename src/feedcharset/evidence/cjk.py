"""Engines for the East Asian charsets of one to four octets a character.

Clean text goes through one call of Python's incremental decoder for each piece. Where that fails, the text
around the damage is read character by character, by the shape that characters have in the charset: CPython
calls one octet damage and goes on in the middle of an unknown pair, out of step until the next ASCII
octet. Here an unknown pair is damage as a whole, but an ASCII octet is never part of it (as in the Encoding
Standard): a broken character cannot swallow the `<` or the quote after it.
"""

from __future__ import annotations

import re
from codecs import IncrementalDecoder, getincrementaldecoder
from functools import lru_cache
from typing import NamedTuple

from feedcharset.evidence.marking import MARKS

__all__ = ["CjkEngine", "Shape", "cjk_engine", "damaged", "shape_of"]

_CHUNK = 1024
"""Octets that are read character by character around damage. A smaller piece costs more calls of the codec,
a larger one more characters one by one; from 512 to 4,096 octets the time hardly differs."""

_EUC = r"[\xa1-\xfe]"
_THREE_OCTETS = re.compile(rb"\x8f[\xa1-\xfe]{2}")


class Shape(NamedTuple):
    """What characters look like in a charset, and where its Python codec is not to be trusted."""

    codec: str
    token: re.Pattern[bytes]
    """A run of ASCII; a character of several octets, known or not; the beginning of one at the end; or any
    one octet."""
    partial: re.Pattern[bytes]
    """The beginning of a character."""
    special: dict[bytes, str]
    """What single characters are read as instead of what the codec says; a mark makes them damage."""
    suspects: tuple[str, ...]
    """Characters of the codec that a special one replaces: text with one of them is read with care."""
    suspect_octets: bytes
    """Octets that the codec reads in its own way."""


# Octets of whole characters, and of their beginnings. The trail octets are those of the charset's
# definition, not only those that the codec knows a character for.
_FORMS = {
    "gb2312": (f"{_EUC}{{2}}", _EUC),
    "gbk": (r"[\x81-\xfe][\x40-\x7e\x80-\xfe]", r"[\x81-\xfe]"),
    "gb18030": (
        r"[\x81-\xfe](?:[\x40-\x7e\x80-\xfe]|[0-9][\x81-\xfe][0-9])",
        r"[\x81-\xfe](?:[0-9][\x81-\xfe]?)?",
    ),
    "big5": (r"[\x81-\xfe][\x40-\x7e\xa1-\xfe]", r"[\x81-\xfe]"),
    "big5hkscs": (r"[\x81-\xfe][\x40-\x7e\xa1-\xfe]", r"[\x81-\xfe]"),
    "cp950": (r"[\x81-\xfe][\x40-\x7e\xa1-\xfe]", r"[\x81-\xfe]"),
    "shift_jis": (r"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]", r"[\x81-\x9f\xe0-\xfc]"),
    "cp932": (r"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]", r"[\x81-\x9f\xe0-\xfc]"),
    "euc_jp": (rf"\x8f{_EUC}{{2}}|[\x8e\xa1-\xfe]{_EUC}", rf"\x8f{_EUC}?|[\x8e\xa1-\xfe]"),
    "euc_jis_2004": (rf"\x8f{_EUC}{{2}}|[\x8e\xa1-\xfe]{_EUC}", rf"\x8f{_EUC}?|[\x8e\xa1-\xfe]"),
    "euc_kr": (f"{_EUC}{{2}}", _EUC),
    "cp949": (r"[\x81-\xfe][\x41-\x5a\x61-\x7a\x81-\xfe]", r"[\x81-\xfe]"),
}

# Windows reads these as private characters; neither Windows-31J as registered nor the Encoding Standard knows
# them.
_NOT_SHIFT_JIS = {bytes([octet]): MARKS[octet] for octet in (0xA0, 0xFD, 0xFE, 0xFF)}

# Python's euc_kr takes A4D4 for the beginning of eight octets that spell one syllable (KS X 1001 annex 3),
# and for nothing else. Browsers, iconv and Python's own cp949 know it as the filler U+3164.
_HANGUL_FILLER = {b"\xa4\xd4": "\u3164"}

# cp936 and the Encoding Standard read 80 as the euro sign.
_EURO = {b"\x80": "€"}

# Pairs that Python's big5hkscs refuses, as cp950 reads them.
_NOT_HKSCS = {
    b"\xa3\xe1": "€",
    b"\xc6\xcf": "に",
    b"\xc6\xd3": "は",
    b"\xc6\xd5": "ぱ",
    b"\xc6\xd7": "び",
    b"\xc6\xde": "ぺ",
    b"\xc6\xdf": "ほ",
}

_SPECIAL = {
    "cp932": _NOT_SHIFT_JIS,
    "euc_kr": _HANGUL_FILLER,
    "big5hkscs": _NOT_HKSCS,
}


@lru_cache(maxsize=32)  # at most two for each of the 12 codecs
def shape_of(codec: str, euro: bool) -> Shape:
    """The shape of the charset that a codec decodes; `euro`: with 80 as the euro sign."""
    whole, partial = _FORMS[codec]
    return Shape(
        codec,
        re.compile(rf"[\x00-\x7f]+|{whole}|(?:{partial})\Z|.".encode("ascii"), re.DOTALL),
        re.compile(partial.encode("ascii")),
        _EURO if euro else _SPECIAL.get(codec, {}),
        ("\uf8f0", "\uf8f1", "\uf8f2", "\uf8f3") if codec == "cp932" else (),
        b"\xa4\xd4" if codec == "euc_kr" else b"",
    )


def damaged(token: bytes) -> str:
    """The text of a character that the charset does not know: marks, but ASCII octets stay themselves."""
    return "".join(chr(octet) if octet < 0x80 else MARKS[octet] for octet in token)


class _Tokens(dict[bytes, str]):
    """What characters are read as; it remembers those of one and two octets, of which there are few."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape.special)
        self._codec = shape.codec

    def __missing__(self, token: bytes) -> str:
        try:
            text = token.decode(self._codec)
        except UnicodeDecodeError:
            text = damaged(token)
        if len(token) <= 2:
            self[token] = text
        return text


class CjkEngine:
    """One document in an East Asian charset."""

    __slots__ = ("_decoder", "_narrow_euro", "_pending", "_shape", "_three_octets", "_tokens")

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._decoder: IncrementalDecoder = getincrementaldecoder(shape.codec)("strict")
        self._tokens: _Tokens | None = None
        self._pending = b""
        self._narrow_euro = False
        self._three_octets: set[str] = set()

    def decode(self, octets: bytes | memoryview, final: bool = False) -> str:
        """The characters that are complete with these octets."""
        if self._pending:
            octets = self._pending + octets
        if self._shape.codec == "euc_jis_2004":
            self._note_three_octets(octets)
        text, self._pending = self._read(octets) or self._read_with_care(bytes(octets))
        if final and self._pending:
            text += damaged(self._pending)
            self._pending = b""
        return text

    def _read(self, octets: bytes | memoryview) -> tuple[str, bytes] | None:
        """The text, and the beginning of a character at the end; None where there is damage."""
        shape, decoder = self._shape, self._decoder
        if shape.suspect_octets and shape.suspect_octets in bytes(octets):
            return None
        decoder.reset()
        try:
            text = decoder.decode(octets)
        except UnicodeDecodeError:
            return None
        for suspect in shape.suspects:
            if suspect in text:
                return None
        tail = decoder.getstate()[0]
        # CPython waits for more after octets that begin nothing, too.
        if tail and not shape.partial.fullmatch(tail):
            return None
        return text, tail

    def _read_with_care(self, octets: bytes) -> tuple[str, bytes]:
        """The same, damage or not: chunk by chunk, and token by token where a chunk is damaged."""
        parts = []
        start, tail = 0, b""
        while start < len(octets):
            chunk = octets[start : start + _CHUNK]
            text, tail = self._read(chunk) or self._read_tokens(chunk)
            parts.append(text)
            start += len(chunk)
            if start < len(octets):
                start -= len(tail)
        return "".join(parts), tail

    def _read_tokens(self, octets: bytes) -> tuple[str, bytes]:
        if self._tokens is None:
            self._tokens = _Tokens(self._shape)
        tokens = self._shape.token.findall(octets)
        tail = tokens.pop() if self._shape.partial.fullmatch(tokens[-1]) else b""
        if self._shape.special is _EURO and b"\x80" in tokens:
            self._narrow_euro = True
        return "".join(map(self._tokens.__getitem__, tokens)), tail

    @property
    def pending(self) -> bytes:
        """The beginning of a character whose end has not come yet: at most 3 octets."""
        return self._pending

    def width(self, text: str) -> int:
        """How many octets `text` was decoded from.

        Where there are two ways to write a character, the one that this document has used is meant: € in
        GB18030 is one octet once 80 was seen; what JIS X 0213 has in two octets is three in EUC-JIS-2004
        once it was seen as JIS X 0212 has it.
        """
        if text.isascii():
            return len(text)
        try:
            octets = len(text.encode(self._shape.codec, "surrogateescape"))
        except UnicodeEncodeError:
            octets = sum(map(self._width_of, text))
        if self._narrow_euro:
            octets -= text.count("€")
        return octets + sum(map(text.count, self._three_octets))

    def _width_of(self, character: str) -> int:
        try:
            return len(character.encode(self._shape.codec, "surrogateescape"))
        except UnicodeEncodeError:
            # What a codec can decode but not encode: the € of A3E1 in Big5, and the second character of a
            # pair that stands for two (Ê̄, か゚), which has no octets of its own.
            return 2 if character == "€" else 0

    def _note_three_octets(self, octets: bytes | memoryview) -> None:
        for token in set(_THREE_OCTETS.findall(octets)):
            character = token.decode(self._shape.codec, "ignore")
            if character and len(character.encode(self._shape.codec)) == 2:
                self._three_octets.add(character)


def cjk_engine(codec: str, *, euro: bool) -> CjkEngine:
    """The engine of the charset that a codec of the table decodes; `euro`: with 80 as the euro sign."""
    return CjkEngine(shape_of(codec, euro))
