"""The decoder of single-byte charsets, EBCDIC included: one table lookup in C for each piece.

The table has 256 characters. A byte that the charset leaves undefined has its surrogate there
(undecodable_bytes.py), so decoding never fails.
"""

from __future__ import annotations

import re
from codecs import charmap_decode
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.charsets.undecodable_bytes import SURROGATES, ByteCounter, CharsetDecoder

# IBM1047 is IBM037 but for these bytes (IBM CDRA, code page 1047); 15 and 25, LF and NEL, are exchanged as
# on Unix System Services.
_IBM1047 = {0x15: "\n", 0x25: "\x85", 0x5F: "^", 0xAD: "[", 0xB0: "¬", 0xBA: "Ý", 0xBB: "¨", 0xBD: "]"}

# Python's cp864 has the Arabic percent sign at 25. All ASCII-compatible charsets have "%" there, and markup
# and URLs need it.
_IBM864 = {0x25: "%"}

# What the Encoding Standard's indexes have and Python's codecs do not: the Belarusian letter of KOI8-U, a
# Hebrew point of windows-1255.
_STANDARD_CHARACTERS = {"KOI8-U": {0xAE: "ў", 0xBE: "Ў"}, "windows-1255": {0xCA: "\u05ba"}}


# EBCDIC code pages that Python has no codec for, as differences from IBM037: bytes in hex, each followed by
# its character. Made by fixtures/make_ebcdic_pages.py: edit that script, not these lines.
# fmt: off
EBCDIC_PAGES = {
    "IBM01141": (
        "43{ 4AÄ 4F! 59~ 5AÜ 5F^ 63[ 6Aö 7C§ 9F€ A1ß B0¢ B5@ BA¬ BB| C0ä "
        "CC¦ D0ü DC} E0Ö EC\\ FC]"
    ),
    "IBM277": (
        "47} 4A# 4F! 5A¤ 5BÅ 5F^ 67$ 6Aø 70¦ 7BÆ 7CØ 80@ 9C{ 9E[ 9F] A1ü "
        "B0¢ BA¬ BB| C0æ D0å DC~"
    ),
    "IBM278": (
        "43{ 47} 4A§ 4F! 51` 5A¤ 5BÅ 5F^ 63# 67$ 6Aö 71\\ 79é 7BÄ 7CÖ 9F] "
        "A1ü B0¢ B5[ BA¬ BB| C0ä CC¦ D0å DC~ E0É EC@"
    ),
    "IBM280": (
        "44{ 48\\ 4A° 4F! 51] 54} 58~ 5Aé 5F^ 6Aò 79ù 7B£ 7C§ 90[ A1ì B0¢ "
        "B1# B5@ BA¬ BB| C0à CD¦ D0è DD` E0ç"
    ),
    "IBM284": "49¦ 4A[ 5A] 69# 6Añ 7BÑ A1¨ B0¢ BA^ BB! BD~",
    "IBM285": "4A$ 5B£ A1¯ B0¢ B1[ BA^ BC~",
    "IBM297": (
        "44@ 48\\ 4A° 4F! 51{ 54} 5A§ 5F^ 6Aù 79µ 7B£ 7Cà 90[ A0` A1¨ B0¢ "
        "B1# B5] BA¬ BB| BD~ C0é D0è DD¦ E0ç"
    ),
    "IBM870": (
        "44ţ 46ă 47č 49ć 4A[ 4F! 52ę 54ů 57ľ 58ĺ 5A] 5F^ 64˝ 66Ă 67Č 69Ć "
        "6A| 70ˇ 72Ę 74Ů 77Ľ 78Ĺ 80˘ 8Aś 8Bň 8Cđ 8Eř 8Fş 9Ał 9Bń 9Cš 9E˛ "
        "A0ą AAŚ ABŇ ACĐ AEŘ AFŞ B0˙ B1Ą B2ż B3Ţ B4Ż B6ž B7ź B8Ž B9Ź BAŁ "
        "BBŃ BCŠ CDŕ CFő DAĚ DBű DDť DFě EAď EDŔ EFŐ FAĎ FBŰ FDŤ"
    ),
    "IBM871": (
        "4AÞ 4F! 5AÆ 5FÖ 79ð 7CÐ 8C` 8E{ 9C} 9E] A1ö AC@ AE[ B0¢ BA¬ BB| "
        "BE\\ C0þ CC~ D0æ E0´ EC^"
    ),
    "IBM918": (
        "42، 43؛ 44؟ 45ﺁ 46ﺍ 47ﺎ 48 49ﺏ 4A[ 4F! 51ﺑ 52ﭖ 53ﭘ 54ﺓ 55ﺕ 56ﺗ "
        "57ﭦ 58ﭨ 59ﺙ 5A] 5F^ 62ﺛ 63ﺝ 64ﺟ 65ﭺ 66ﭼ 67ﺡ 68ﺣ 69ﺥ 6A` 70۰ 71۱ "
        "72۲ 73۳ 74۴ 75۵ 76۶ 77۷ 78۸ 79۹ 80ﺧ 8Aﺩ 8Bﮈ 8Cﺫ 8Dﺭ 8Eﮌ 8Fﺯ 90ﮊ "
        "9Aﺱ 9Bﺳ 9Cﺵ 9Dﺷ 9Eﺹ 9Fﺻ A0ﺽ AAﺿ ABﻃ ACﻇ ADﻉ AEﻊ AFﻋ B0ﻌ B1ﻍ B2ﻎ "
        "B3ﻏ B4ﻐ B5ﻑ B6ﻓ B7ﻕ B8ﻗ B9ﮎ BAﻛ BB| BCﮒ BDﮔ BEﻝ BFﻟ CBﻠ CCﻡ CDﻣ "
        "CEﮞ CFﻥ DAﻧ DBﺅ DCﻭ DDﮦ DEﮨ DFﮩ E1ﮪ EAﺀ EBﺉ ECﺊ EDﺋ EEﯼ EFﯽ FAﯾ "
        "FBﮰ FCﮮ FDﹼ FEﹽ"
    ),
}
# fmt: on

EURO_PAGES = {
    "IBM01142": "IBM277",
    "IBM01143": "IBM278",
    "IBM01144": "IBM280",
    "IBM01145": "IBM284",
    "IBM01146": "IBM285",
    "IBM01147": "IBM297",
    "IBM01148": "IBM500",
    "IBM01149": "IBM871",
}
"""EBCDIC pages that are another page with the euro sign in the place of the currency sign (IBM CDRA). Python
has a codec of IBM01140; its codec of IBM273, the page of IBM01141, has an overline for the macron."""


class SingleByteDecoder(CharsetDecoder):
    """Decodes one byte to one character, in a charset of the family US-ASCII, single or EBCDIC."""

    def __init__(self, charset: Charset, lenient: bool, xml_1_1: bool = False) -> None:
        self._arguments = charset, lenient, xml_1_1
        self._table = byte_table(charset.name, lenient, xml_1_1)
        self._ascii_compatible = charset.ascii_compatible

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the characters of these bytes; an undefined byte becomes its surrogate."""
        return self._decoded(data)[0]

    def _decoded(self, data: bytes | memoryview) -> tuple[str, bytes]:
        if self._ascii_compatible and isinstance(data, bytes) and data.isascii():
            return data.decode("ascii"), b""
        return charmap_decode(data, "strict", self._table)[0], b""

    def byte_counter(self, data: bytes | None = None, text: str = "") -> ByteCounter:
        """Return the byte counter of any piece."""
        return int  # a byte for each character


@lru_cache(maxsize=512)  # at most three for each row of the closed table
def byte_table(name: str, lenient: bool, xml_1_1: bool = False) -> str:
    """Return the 256 characters of a charset.

    Args:
        lenient: as the Encoding Standard has them: the bytes 80-9F that a Windows page leaves undefined are
            the C1 control of that number. But those of an ISO-8859 page are read as in the Windows page.
        xml_1_1: the document is XML 1.1, where 85 is a line end (NEL) in an ISO-8859 page.
    """
    if name == "IBM1047":
        return _replaced(byte_table("IBM037", False), _IBM1047)
    if name in EURO_PAGES:
        return byte_table(EURO_PAGES[name], False).replace("¤", "€")
    if name in EBCDIC_PAGES:
        items = EBCDIC_PAGES[name].split(" ")
        return _replaced(byte_table("IBM037", False), {int(item[:2], 16): item[2:] for item in items})
    codec = by_name(name).codec or "ascii"
    table = "".join(bytes((byte,)).decode(codec, "ignore") or SURROGATES[byte] for byte in range(256))
    if name == "IBM864":
        return _replaced(table, _IBM864)
    if not lenient:
        return table
    if page := by_name(name).windows_page:
        windows = byte_table(page, True)
        at_85 = (table if xml_1_1 else windows)[0x85]
        return table[:0x80] + windows[0x80:0x85] + at_85 + windows[0x86:0xA0] + table[0xA0:]
    if name.startswith("windows-"):
        table = _replaced(
            table, {byte: chr(byte) for byte in range(0x80, 0xA0) if table[byte] == SURROGATES[byte]}
        )
    return _replaced(table, _STANDARD_CHARACTERS.get(name, {}))


def _replaced(table: str, characters: dict[int, str]) -> str:
    return "".join(characters.get(byte, character) for byte, character in enumerate(table))


@cache
def undefined_bytes(name: str) -> bytes:
    """Return the bytes that a charset of the closed table leaves undefined, read leniently."""
    return bytes(byte for byte, char in enumerate(byte_table(name, True)) if char == chr(0xDC00 + byte))


SIBLINGS = {
    "ISO-8859-2": "windows-1250",
    "ISO-8859-5": "windows-1251",
    "ISO-8859-6": "windows-1256",
    "ISO-8859-7": "windows-1253",
    "ISO-8859-8": "windows-1255",
    "ISO-8859-15": "windows-1252",
    "KOI8-R": "KOI8-U",
    "windows-1250": "ISO-8859-2",
    "windows-1257": "ISO-8859-13",
}
"""The ISO pages whose Windows sibling has letters at 80-9F, or bytes that the ISO page has not; the other ISO
pages are read as their sibling anyway, or have the same letters. KOI8-R, where KOI8-U has the Ukrainian
letters in place of boxes. And windows-1250, whose text hardly ever is without its letters at 80-9F, where
ISO-8859-2 has others (`wła¶ciwo¶ci`, `moľnosti`). windows-1257 leaves undefined two quotation marks of
ISO-8859-13."""

_NO_LETTERS = frozenset(map(chr, (*b"\xa7", 0x2116, *range(0x2500, 0x25A0))))
"""Signs that stand in no word: `§` and `№` of ISO-8859-5, the boxes of KOI8-R."""


class SiblingBytes(NamedTuple):
    """The bytes that distinguish a page from its sibling."""

    quickly: bytes
    """One of them is there, if anything is."""
    undefined: bytes
    """Bytes that the ISO page lacks."""
    marks: bytes
    """Bytes 80-9F that are no letters of the sibling: quotation marks prove nothing."""
    classes: bytes
    """Of each byte: `c` the sibling's letters at 80-9F, or where the page has _NO_LETTERS, `l` its other
    letters, or a space. Where the page is the Windows page, `c` are letters that the two have otherwise, and
    `q` letters of the sibling that are signs in the page."""
    kinds: bytes
    """Of each byte: `c` both as above, `d` from A0 on where the pages have two characters, or a space."""
    refuting: bytes
    """Bytes that prove the page that is named, where that is the Windows page; else none."""
    foreign: bytes
    """Bytes that are no character of the sibling: what has one is in another charset."""


@cache
def sibling_bytes(charset: Charset) -> SiblingBytes:
    """Return what distinguishes a page of SIBLINGS: a closed table, so the cache cannot grow."""
    page = bytes(range(256)).decode(charset.codec or "", "replace")
    other = byte_table(by_name(SIBLINGS[charset.name]).superset, True)
    classes = bytes(
        ord(" " if not char.isalpha() else "c" if 0x80 <= byte < 0xA0 or page[byte] in _NO_LETTERS else "l")
        for byte, char in enumerate(other)
    )
    undefined = bytes(
        byte for byte in range(256) if page[byte] == "\ufffd" and "\xa0" <= other[byte] < "\ud800"
    )
    if charset.name == "windows-1257":
        undefined = b"\xa5"  # „, which opens a quotation; the other may be one stray byte
    letters = bytes(byte for byte in range(0x80, 0x100) if classes[byte] == ord("c"))
    marks = bytes(byte for byte in range(0x80, 0xA0) if byte not in letters)
    others = bytes(byte for byte in range(0xA0, 0x100) if page[byte] != other[byte])
    refuting = b""
    if charset.name == "windows-1250":
        refuting = bytes(sorted(marks, key=lambda byte: not page[byte].islower()))  # letters are found soon
        marks_of_words = b"\xab\xb7\xbb"  # «ˇ»
        letters = bytes(byte for byte in others if other[byte].isalpha() and byte not in marks_of_words)
        # Signs stand beside words (`©Foo`, `µm`, `»`): they are letters between letters.
        of = {byte: ord("c" if page[byte].isalpha() and page[byte] != "µ" else "q") for byte in letters}
        of |= dict.fromkeys(b"\xab\xbb", ord(" "))  # `főoldal»hírek»sport`
        classes = bytes(of.get(byte, one) for byte, one in enumerate(classes))
    kinds = bytes(ord("c" if byte in letters else "d" if byte in others else " ") for byte in range(256))
    foreign = bytes(at for at, char in enumerate(other) if "\x80" <= char < "\xa0" or char > "\ud7ff")
    return SiblingBytes(letters + undefined, undefined, marks, classes, kinds, refuting, foreign)


_WINDOWS_1253 = lazy_pattern(
    rb"(?:[>\n\"(\xab.,:;-] ?|[\xc7\xcf\xe7\xed\xf2] )\xa2(?=[\xc0\xdc-\xfe])"
    rb"|\xa2(?:(?<=[\xc1-\xd9]{2}.)(?=[\xc1-\xd9])|(?<=[\xc1-\xd9]{4}.))|[\x80\x84\x85\x91-\x97]"
)
"""`Ά` before a small letter, at a start or behind η, ν and ς, behind which no word loses its first letter
(`που ’λεγε`); among capitals; and marks of that page."""
_ISO_8859_7 = lazy_pattern(
    rb"\xb6(?=[\xc0\xdc-\xfe])|\xa1(?=[A-Za-z\xb6-\xfe])|\xa2(?:(?<=[\xc0\xdc-\xfe].)"
    rb"|(?<=[\xc8\xcd\xe8\xed]\xe1 .)|(?<=[>\n ][\xc1-\xd9].)(?=[ \xc0\xdc-\xfe])"
    rb"|(?<=[A-Za-z].)(?=[A-Za-z]))"
)
"""`Ά` before a small letter, an opening mark, an apostrophe behind a small letter, να, θα, or one capital, or
between Latin letters."""
_WINDOWS_1251 = lazy_pattern(rb"\xff(?<=[\xe0-\xfe].)")
"""`я` of windows-1251 behind a small letter."""
_MAC_CYRILLIC = lazy_pattern(rb"\xdf(?<=[\xe0-\xfe].)")
"""The same in x-mac-cyrillic."""


_WINDOWS_1256 = lazy_pattern(rb"[\x80-\x9f\xdb\xdd-\xdf\xf3-\xff]")
"""Letters of windows-1256, three of them frequent, that are no characters in ISO-8859-6."""
_ISO_8859_6 = lazy_pattern(rb"[\xe7\xe8\xea](?<=[\xc1-\xda\xe1\xe3-\xe6].)")
"""`ه`, `و` and `ي` of ISO-8859-6 behind an Arabic letter, where windows-1256 has `ç`, `è` and `ê`."""

_WORDS_OF_LATIN_9 = lazy_pattern(
    rb"[\xbc\xbd](?:(?<=[A-Za-z]\xbd)(?<![0-9].\xbd)(?=[a-z]{2})|(?<=[A-Z]\xbc)(?=[A-Z]{2})"
    rb"|(?<![0-9A-Za-z\x80-\xff].)(?=u[fv]|il|U[FV]))"
)
"""`œ` and `Œ` of ISO-8859-15 within a word, `œuf`, `œuvre` and `œil`. `¨` and `¸` are no evidence: in text
that was copied from PDF they are accents (`Mu¨ller`)."""
_ANY_FROM_80_TO_9F = lazy_pattern(rb"[\x80-\x9f]")


class ByPlace(NamedTuple):
    """What shows the page of a label, or another one, by where it stands: letters of one are signs or
    capitals in the other."""

    sibling: str
    quickly: bytes
    """One of these bytes is there, if the sibling is shown."""
    least: int
    """So many places are needed."""
    own: re.Pattern[bytes]
    others: re.Pattern[bytes]


BY_PLACE = {
    "windows-1253": ByPlace("ISO-8859-7", b"\xa1\xa2\xb6", 1, _WINDOWS_1253, _ISO_8859_7),
    "ISO-8859-7": ByPlace("windows-1253", b"\xa2", 1, _ISO_8859_7, _WINDOWS_1253),
    "windows-1251": ByPlace("x-mac-cyrillic", b"\xdf", 2, _WINDOWS_1251, _MAC_CYRILLIC),
    "x-mac-cyrillic": ByPlace("windows-1251", b"\xff", 2, _MAC_CYRILLIC, _WINDOWS_1251),
    "windows-1256": ByPlace("ISO-8859-6", b"\xe8\xea", 2, _WINDOWS_1256, _ISO_8859_6),
    **dict.fromkeys(
        ("ISO-8859-1", "windows-1252", "US-ASCII"),
        ByPlace("ISO-8859-15", b"\xbc\xbd", 1, _ANY_FROM_80_TO_9F, _WORDS_OF_LATIN_9),
    ),
}
_ENOUGH_PLACES = 1000
"""Places that are counted at most."""


def places_of_sibling(page: str, before: bytes, data: bytes) -> int:
    """Count the places that show the sibling of a page of BY_PLACE; 0 where one shows the page itself."""
    known = BY_PLACE[page]
    if not any(map(data.__contains__, known.quickly)):
        return 0
    text = before[-2:] + data  # a mark and a space may stand before a letter
    if known.own.search(text):
        return 0
    count = sum(1 for _ in islice(known.others.finditer(text), _ENOUGH_PLACES))
    return count if count >= known.least else 0
