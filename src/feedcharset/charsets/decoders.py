"""The decoder of each charset, strict or lenient, and the count of damage.

A decoder belongs to one document. It never fails: an undecodable byte becomes a lone surrogate
(undecodable_bytes.py), which text/ replaces according to `errors=`. Lenient decoding reads a charset as the
superset that documents with its label are really in, which the table of labels.py names, and that as the
Encoding Standard decodes it. Strict decoding reads every charset as named.
"""

from __future__ import annotations

from codecs import (
    register_error,
    utf_8_decode,
    utf_16_be_decode,
    utf_16_le_decode,
    utf_32_be_decode,
    utf_32_le_decode,
)
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache, partial
from re import Match

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.charsets.undecodable_bytes import (
    SURROGATES,
    UNDECODABLE_BYTE,
    ByteCounter,
    CharsetDecoder,
    as_surrogates,
    damaged_parts,
    first_undecodable,
    mark_undecodable,
)
from feedcharset.errors import UnknownEncoding
from feedcharset.results import Damage


def charset_decoder(charset: Charset, *, lenient: bool, xml_1_1: bool = False) -> CharsetDecoder:
    """Return a new decoder.

    Args:
        charset: the charset that was named. UTF-16 and UTF-32 need one with a byte order.
        lenient: read the charset as its superset.
        xml_1_1: the document is XML 1.1. In an ISO-8859 page 85 is then a line end (NEL).

    Raises:
        UnknownEncoding: the charset is refused, or it has no byte order.
    """
    return _maker(charset.superset if lenient else charset.name, lenient, xml_1_1)()


@lru_cache(maxsize=512)  # at most three for each row of the closed table
def _maker(name: str, lenient: bool, xml_1_1: bool) -> Callable[[], CharsetDecoder]:
    """Return what makes a decoder: a statement that imports takes 0.6 µs, also where nothing is imported."""
    charset = by_name(name)
    family = charset.family
    if family in ("single", "US-ASCII", "EBCDIC"):
        from feedcharset.charsets.single_byte import SingleByteDecoder

        return partial(SingleByteDecoder, charset, lenient, xml_1_1)
    if family == "CJK" and charset.codec:
        from feedcharset.charsets.east_asian import EastAsianDecoder

        return partial(EastAsianDecoder, charset.codec, lenient)
    if family == "ISO-2022-JP":
        from feedcharset.charsets.iso2022jp import Iso2022JpDecoder

        return partial(Iso2022JpDecoder, lenient)
    if name in UNICODE_CODECS:
        lenient_decoders = {"UTF-16": Utf16Decoder, "UTF-32": Utf32Decoder} if lenient else {}
        return partial(lenient_decoders.get(family, UnicodeDecoder), name)
    why = charset.refused or "the name does not give a byte order"
    advice = "pass the encoding that the document is in"
    raise UnknownEncoding(f"{charset.name} is not decoded: {why}", advice=advice)


def decode_window(charset: Charset, window: bytes, *, final: bool) -> tuple[CharsetDecoder, str | None]:
    """Return a decoder, and the text of a window, read leniently; None where so many bytes are undecodable in
    an East Asian charset that they are in another one."""
    decoder = charset_decoder(charset, lenient=True)
    return decoder, getattr(decoder, "decode_sparse", decoder.decode)(window, final)


_ALL_BUT_C1 = bytes(byte for byte in range(256) if not 0x80 <= byte <= 0x9F)


def count_damage(charset: Charset, window: bytes, *, final: bool, text: str | None = None) -> Damage:
    """Decode bytes leniently and count characters, damaged places and C1 controls.

    Args:
        final: they are the end of the document. Otherwise a character cut by their end is no damage.
        text: what they were decoded to, if they were.

    Raises:
        UnknownEncoding: as `charset_decoder`.
    """
    if text is None:
        text = charset_decoder(charset, lenient=True).decode(window, final)
    non_ascii = len(text) - len(text.encode("ascii", "ignore"))
    if charset.windows_page:
        # Bytes 80-9F are read as the Windows page has them, unless they are more than the letters: where
        # quotation marks are more frequent, the text is in another language, and the label is stale.
        controls = len(window.translate(None, _ALL_BUT_C1))
        controls = controls if controls > non_ascii - controls else 0
    else:
        controls = len(text.encode("latin-1", "ignore").translate(None, _ALL_BUT_C1))
    places = undecodable = 0
    for start, stop in damaged_parts(text):
        marks = mark_undecodable(text[start:stop])
        undecodable += marks.count(1)
        places += marks.count(b"\1\0") + marks.endswith(b"\1")  # the end of each: sooner found than its begin
    return Damage(charset.name, non_ascii - undecodable, places, controls)


WORDS_AT_ONCE = 64 * 1024
"""Bytes that are divided into words at once: a list of words is many times as large as they are."""

_SEPARATED = bytes(byte if byte >= 0x30 else 0x20 for byte in range(256))
_EUC_SEPARATED = bytes(byte if byte >= 0x80 else 0x20 for byte in range(256))
"""Spaces for the bytes that belong to no character of several bytes: in EUC-JP all of ASCII."""


def characters_in(charset: Charset, data: bytes, dense: bool = False, final: bool = False) -> str:
    """Return the text of bytes in an East Asian charset, read leniently; where damage is dense, the same
    characters in any order, and any ASCII.

    Args:
        dense: damage is known to be dense. Otherwise that is found here, in 25 µs.
        final: they are the end of the document.
    """
    text = None if dense else decode_window(charset, data, final=False)[1]
    if text is not None:
        return text
    separated = data.translate(_EUC_SEPARATED if charset.name == "EUC-JP" else _SEPARATED)
    parts: list[str] = []
    start = 0
    while stop := separated.rfind(b" ", start, start + WORDS_AT_ONCE) + 1:
        words = Counter([b"", *separated[start:stop].split()])
        texts = charset_decoder(charset, lenient=True).decode(b" ".join([*words, b""]), True).split(" ")
        parts += [(text + " ") * times for text, times in zip(texts, words.values(), strict=False)]
        start = stop
    parts.append(charset_decoder(charset, lenient=True).decode(data[start:], final))
    return "".join(parts)


# The codecs of Python decode UTF-8, UTF-16, UTF-32 and the unusual byte orders of UCS-4 (XML 1.0 Appendix
# F.1). Their error handler writes undecodable bytes as surrogates: lone surrogates of UTF-16 (Unicode ch. 3,
# D91), in UTF-32 surrogates and numbers above 10FFFF (D90). UTF-16 and UTF-32 have a byte order here: the one
# of the BOM or of the first bytes. UCS-4 in the order 2143 or 3412 is put in order and decoded as UTF-32BE.
UNICODE_CODECS = {
    "UTF-8": utf_8_decode,
    "UTF-16LE": utf_16_le_decode,
    "UTF-16BE": utf_16_be_decode,
    "UTF-32LE": utf_32_le_decode,
    "UTF-32BE": utf_32_be_decode,
    "UCS-4-2143": utf_32_be_decode,
    "UCS-4-3412": utf_32_be_decode,
}
"""The functions that decode, by the names of the charsets."""

_ORDERS = {"UCS-4-2143": (1, 0, 3, 2), "UCS-4-3412": (2, 3, 0, 1)}
"""Where each byte of a unit stands in the usual order. Bytes are exchanged, so the way back is the same."""


class UnicodeDecoder(CharsetDecoder):
    """The decoder of one document in a charset of UNICODE_CODECS."""

    def __init__(self, name: str) -> None:
        self._arguments = (name,)
        self._encoder = name if name.startswith("UTF-") else ""
        self._decode = UNICODE_CODECS[name]
        self._order = _ORDERS.get(name)
        self._errors = "surrogateescape" if name == "UTF-8" else _error_handler(self._order)

    def _decoded(self, data: bytes | memoryview) -> tuple[str, bytes]:
        units = data if self._order is None else _ordered(data[: len(data) & ~3], self._order)
        text, used = self._decode(units, self._errors)
        return text, bytes(data[used:])

    def _cut(self, data: bytes) -> str:
        return data.decode("utf-8", self._errors) if self._decode is utf_8_decode else as_surrogates(data)


DECODED_AGAIN = 512
"""Bytes that are decoded at once behind a lost byte; behind each further one they are decoded again."""

CERTAIN_BEHIND = 32
"""Characters from the first one that is out of step by which that is certain, and held back so far. A page
that shows such text has ASCII among so many."""

_EXCHANGED = "".join(chr(ord(char) << 8) for char in "\n\r ',-./123456789:;<=>abcdefghijklmnopqrstuvwxyz")
"""Markup and letters of ASCII with their bytes exchanged. Honest text has nearly none, not side by side."""
_SEARCHED_FIRST = "\u3c00\u6500"
_ADDED_CR = "\u0a00\u0a0d"
"""A line end to which a program that knows bytes has added a carriage return; neither is a character."""
_OUT_OF_STEP = lazy_pattern(
    f"([{_EXCHANGED}\u0a0d])(?:(?<!\u0a0d)(?!\\1{{4}})(?:(?<=[{_SEARCHED_FIRST}])|"
    f"(?=[{_EXCHANGED}]{{0,3}}[{_SEARCHED_FIRST}]))[{_EXCHANGED}]{{4}}"
    f"(?:[^\0-\x7f]{{{CERTAIN_BEHIND - 5}}}|([^\0-\x7f]*)\\Z)"
    f"|(?<=[{_ADDED_CR}])(?:[{_EXCHANGED}]|(\\Z))|[{_EXCHANGED}]{{0,3}}(\\Z))"
)
"""The second group or a later one matches where it depends on what follows. It begins with a class, for which
`re` searches quickly."""


def out_of_step(text: str) -> Match[str] | None:
    """Search for text that UTF-16 has behind a byte that is lost, or too many, or may have at its end."""
    for char in _SEARCHED_FIRST + _ADDED_CR:  # to search for any of these takes ten times as long
        at = -1
        while (at := text.find(char, at + 1)) >= 0:
            if text[at + 1 : at + 2] in _EXCHANGED or text[max(0, at - 1) : at] in _EXCHANGED:
                return _OUT_OF_STEP.search(text)
    return _OUT_OF_STEP.search(text, max(0, len(text) - CERTAIN_BEHIND)) if text[-1:] in _EXCHANGED else None


class Utf16Decoder(UnicodeDecoder):
    """The lenient decoder of UTF-16. Where a byte is lost, or one too many, all that follows has its bytes
    exchanged: `<title>` is `\\u3c00\\u7400\\u6900\\u7400\\u6c00\\u6500\\u3e00`. There the first byte is
    undecodable, and the next one begins a character."""

    def _decoded(self, data: bytes | memoryview) -> tuple[str, bytes]:
        text, rest = super()._decoded(data)
        if out_of_step(text) is None:
            return text, rest
        parts: list[str] = []
        start = 0
        while True:
            text = super()._decoded(data[start : start + DECODED_AGAIN])[0]
            found = _OUT_OF_STEP.search(text)
            text = text[: found.start()] if found else text
            parts.append(text)
            start += UnitCounter(text, 2)(len(text))
            if found and found.lastindex == 1:
                parts.append(SURROGATES[data[start]])
                start += 1
            elif not text:
                return "".join(parts), bytes(data[start:])

    def _cut(self, data: bytes) -> str:
        text, rest = super()._decoded(data)
        found = _OUT_OF_STEP.match(text)
        if found and found.lastindex != 4:
            text, rest = super()._decoded(data[1:])
            text = SURROGATES[data[0]] + text
        return text + as_surrogates(rest) if rest else text

    def byte_counter(self, data: bytes | None = None, text: str = "") -> ByteCounter:
        return UnitCounter(self._last[2] if data is None else text, 2)


SHOWN_BY = 8
"""Characters of UTF-32 that show where each begins. Read from other bytes on, most are above 10FFFF, and the
others have larger numbers."""

_CANNOT_FOLLOW = lazy_pattern("[\0-\x08\x0b\x0c\x0e-\x1f\U00040000-\U000dffff]")
"""Controls, and planes without characters: what Cyrillic would be one byte further on."""


class Utf32Decoder(UnicodeDecoder):
    """The lenient decoder of UTF-32. Behind bytes that are lost, or too many, each unit is undecodable, or
    another character as in UTF-16. There as many bytes are undecodable as have to go for characters to
    follow."""

    def _decoded(self, data: bytes | memoryview, final: bool = False) -> tuple[str, bytes]:
        text, rest = super()._decoded(data)
        if first_undecodable(text) < 0 and out_of_step(text) is None:
            return text, rest
        data = bytes(data)
        parts: list[str] = []
        start = 0
        while True:
            part = data[start : start + DECODED_AGAIN]
            undecodable = False
            try:
                text = self._decode(part, "strict")[0]
            except UnicodeDecodeError as error:
                undecodable = True
                text = self._decode(part[: error.start], "strict")[0]
            found = _OUT_OF_STEP.search(text)
            ends = final or undecodable
            certain = found is not None and (found.lastindex == 1 or (ends and found.lastindex != 4))
            if found and (certain or not ends):
                text = text[: found.start()]
            parts.append(text)
            start += 4 * len(text)
            lost = (1 if self._decode is utf_32_le_decode else 3) if certain else 0
            if undecodable and not certain:
                # Each character has a NUL: up to the next one all units are undecodable.
                known = len(data) if final else len(data) - 4 * SHOWN_BY
                plain = min(data.find(b"\0", start) % (len(data) + 1), known) - start - 7
                end = start + 4 * (max(plain, 0) // 4)
                parts += [as_surrogates(data[at : at + 4]) for at in range(start, end, 4)]
                start = end
                lost = self._bytes_lost(data[start : start + 4 * SHOWN_BY + 7], final)
            if lost:
                parts.append(as_surrogates(data[start : start + lost]))
                start += lost
            elif not text:
                return "".join(parts), data[start:]

    def _bytes_lost(self, data: bytes, final: bool) -> int:
        """Return how many bytes are undecodable where a unit is; 0 where that depends on what follows."""
        if len(data) < 4 * SHOWN_BY + 7 and not final:
            return 0
        readings: dict[int, str] = {}
        for lost in range(1, 8):
            with suppress(UnicodeDecodeError):
                text = self._decode(data[lost : lost + 4 * SHOWN_BY], "strict")[0]
                if text and not (lost - 4 in readings or _CANNOT_FOLLOW.search(text)):
                    readings[lost] = text
        return min(readings, key=lambda lost: sum(map(ord, readings[lost])), default=4)

    def _cut(self, data: bytes) -> str:
        text, rest = self._decoded(data, final=True)
        return text + as_surrogates(rest) if rest else text

    def byte_counter(self, data: bytes | None = None, text: str = "") -> ByteCounter:
        return UnitCounter(self._last[2] if data is None else text, 4)


class UnitCounter:
    """The byte counter of UTF-16 and UTF-32: an undecodable byte is a character, any other one as long as its
    code."""

    def __init__(self, text: str, size: int) -> None:
        self._text = text
        self._size = size
        self._index = self._bytes = 0

    def __call__(self, index: int) -> int:
        if index < self._index:
            self._index = self._bytes = 0
        part = self._text[self._index : index]
        encoded = part.encode("utf-16-le" if self._size == 2 else "utf-32-le", "surrogatepass")
        self._bytes += len(encoded) - (self._size - 1) * len(UNDECODABLE_BYTE.findall(part))
        self._index += len(part)
        return self._bytes


def _ordered(units: bytes | memoryview, order: tuple[int, ...]) -> bytes:
    """Return units of four bytes with their bytes exchanged."""
    ordered = bytearray(len(units))
    for to, origin in enumerate(order):
        ordered[to::4] = units[origin::4]
    return bytes(ordered)


@cache
def _error_handler(order: tuple[int, ...] | None) -> str:
    """Register the error handler for units in an order, and return its name. There are three at most."""
    name = f"feedcharset.unicode{order or ''}"
    register_error(name, partial(_escaped, order))
    return name


def _escaped(order: tuple[int, ...] | None, error: UnicodeError) -> tuple[str, int]:
    """Return an undecodable unit as surrogates, and where the codec goes on."""
    assert isinstance(error, UnicodeDecodeError)
    unit = error.object[error.start : error.end]
    return as_surrogates(unit if order is None else _ordered(unit, order)), error.end
