"""The decoder of single-byte charsets, EBCDIC included: one table lookup in C for each piece.

The table has 256 characters. A byte that the charset leaves undefined has its surrogate there
(undecodable_bytes.py), so decoding never fails.
"""

from __future__ import annotations

from codecs import charmap_decode
from functools import cache, lru_cache

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

NO_CHARACTER = b"\x81\x8d\x8f\x90\x9d"
"""Bytes that are no character in windows-1252."""


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
