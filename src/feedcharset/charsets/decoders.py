"""How octets become characters: an engine for each charset, strict or lenient, and a count of damage.

An engine is one document's decoder. It never fails: an octet that the charset does not know becomes a mark
(see marking.py), and what a mark turns into is decided in text/. Lenient reading takes a charset as the
superset that documents under its label are really in:

    ISO-8859-1, US-ASCII         windows-1252
    ISO-8859-9                   windows-1254
    TIS-620 (ISO-8859-11)        windows-874
    windows-125x, -874           as named; octets 80-9F that it leaves undefined are C1 controls
    GB2312, GBK                  GB18030, with 80 = €
    Shift_JIS, EUC-KR            Windows-31J (cp932; A0 and FD-FF are damage), windows-949 (cp949)
    EUC-JP                       as named, with what Windows adds (code page 51932), then JIS X 0213
    Big5                         Big5-HKSCS, and cp950 for the 7 pairs that it refuses

All others are taken as named, and strict reading takes every charset as named.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.errors import UnknownEncoding
from feedcharset.results.facts import Damage

if TYPE_CHECKING:
    from feedcharset.charsets.byte_offsets import Measure

__all__ = ["Engine", "damage", "engine"]


class Engine(Protocol):
    """One document's decoder: incremental, and the text is the same however the octets are cut."""

    def decode(self, octets: bytes | memoryview, final: bool = False) -> str:
        """The characters that are complete with these octets. Never raises.

        Args:
            octets: the next octets, possibly none.
            final: nothing follows; the beginning of a character at the end is damage.

        Returns:
            Text in which each undecodable octet n is the mark U+DC00 + n. An ASCII octet after a damaged
            character stays itself.
        """

    @property
    def pending(self) -> bytes:
        """The octets at the end that are the beginning of a character: held back for the next piece."""

    def width(self, text: str) -> int:
        """How many octets `text`, a piece of what `decode` returned, was decoded from.

        Always exact for the beginning of what was returned last, and for what goes on there.
        """

    def measure(self) -> Measure:
        """From an index into what `decode` returned last to the octets before that character, those that had
        been held back included; exact, and it stays right whatever is decoded later."""


def engine(charset: Charset, *, lenient: bool) -> Engine:
    """A new engine.

    Args:
        charset: the charset that was named. UTF-16 and UTF-32 need one with a byte order.
        lenient: take it as its superset.

    Raises:
        UnknownEncoding: the charset is refused, or it has no byte order.
    """
    if lenient:
        charset = by_name(charset.superset)
    family = charset.family
    if family == "UTF-8":
        from feedcharset.charsets.utf import Utf8Engine

        return Utf8Engine()
    if family in ("single", "US-ASCII", "EBCDIC"):
        from feedcharset.charsets.single_byte import table_engine

        return table_engine(charset, lenient=lenient)
    if family == "CJK" and charset.codec:
        from feedcharset.charsets.east_asian import cjk_engine

        return cjk_engine(charset.codec, lenient=lenient)
    if family == "ISO-2022-JP":
        from feedcharset.charsets.iso2022jp import Iso2022JpEngine

        return Iso2022JpEngine(lenient=lenient)
    return _unicode_engine(charset)


def _unicode_engine(charset: Charset) -> Engine:
    """UTF-16, UTF-32 and UCS-4, of the byte order that the name ends with."""
    from feedcharset.charsets import utf

    match charset.name:
        case "UTF-16LE":
            return utf.Utf16Engine("little")
        case "UTF-16BE":
            return utf.Utf16Engine("big")
        case "UTF-32LE":
            return utf.Utf32Engine("little")
        case "UTF-32BE":
            return utf.Utf32Engine("big")
        case "UCS-4-2143":
            return utf.Ucs4Engine("2143")
        case "UCS-4-3412":
            return utf.Ucs4Engine("3412")
    why = charset.refused or "it does not say the order of its octets"
    raise UnknownEncoding(
        f"{charset.name} is not decoded: {why}; name an encoding that the document is really in"
    )


_PLACES = re.compile("[\udc00-\udcff]+")
_NOT_C1 = bytes(octet for octet in range(256) if not 0x80 <= octet <= 0x9F)


def damage(charset: Charset, window: bytes, *, final: bool) -> Damage:
    """Read octets leniently, and count.

    Args:
        charset: the charset; its superset is what reads.
        window: the octets.
        final: they are the end of the document. Otherwise a character that their end cuts is no damage.

    Raises:
        UnknownEncoding: as `engine`.
    """
    text = engine(charset, lenient=True).decode(window, final)
    if text.isascii():
        return Damage(charset.name, 0, 0, 0)
    low = text.encode("latin-1", "ignore")
    controls = len(low.translate(None, _NOT_C1))
    beyond = len(text) - len(text.encode("ascii", "ignore"))
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        places = _PLACES.findall(text)
        return Damage(charset.name, beyond - sum(map(len, places)), len(places), controls)
    return Damage(charset.name, beyond, 0, controls)
