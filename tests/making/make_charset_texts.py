"""Make tests/data/charset_texts.json: a text in each charset that can be decoded, as bytes and characters.

    python tests/making/make_charset_texts.py            writes it
    python tests/making/make_charset_texts.py --check    exits with 1 where it would change

The characters are those of Python's codecs, never of this library's decoders, but for these rows:
Shift_JIS-2004 (5C and 7E are ASCII), IBM1047 (differences from IBM037, below), and the EBCDIC pages that
Python lacks, which are those of glibc (fixtures/make_ebcdic_pages.py). A charset of one byte a character has
all of its bytes beyond ASCII, EBCDIC and US-ASCII all of their bytes. `lenient` is what lenient decoding
gives where it differs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

OUT = Path(__file__).parents[1] / "data" / "charset_texts.json"

UNICODE = "<t>é€中\U0001d11e\0\ufeff\uffff</t>"
WIDE = {"UTF-16BE": "utf-16-be", "UTF-16LE": "utf-16-le", "UTF-32BE": "utf-32-be", "UTF-32LE": "utf-32-le"}
UCS4_ORDERS = {"UCS-4-2143": (1, 0, 3, 2), "UCS-4-3412": (2, 3, 0, 1)}
"""XML 1.0 Appendix F.1: the unusual octet orders."""

SINGLE = """
    ISO-8859-1 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9
    ISO-8859-10 TIS-620=iso8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 windows-874=cp874
    windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257
    windows-1258 KOI8-R KOI8-U KOI8-T PTCP154 KZ-1048 macintosh x-mac-cyrillic=mac-cyrillic
    x-mac-greek=mac-greek x-mac-turkish=mac-turkish x-mac-icelandic=mac-iceland x-mac-ce=mac-latin2
    x-mac-croatian=mac-croatian x-mac-romanian=mac-romanian hp-roman8 IBM437 IBM720=cp720 IBM737=cp737 IBM775
    IBM850 IBM852 IBM855 IBM856=cp856 IBM857 IBM00858=cp858 IBM860 IBM861 IBM862 IBM863 IBM864 IBM865 IBM866
    IBM869 IBM1006=cp1006 IBM1125=cp1125
"""
EBCDIC = """
    IBM037 IBM273 IBM277 IBM278 IBM280 IBM284 IBM285 IBM297 IBM424 IBM500 IBM870 IBM871 IBM875=cp875 IBM918
    IBM1026 IBM1047 IBM01140=cp1140 IBM01141 IBM01142 IBM01143 IBM01144 IBM01145 IBM01146 IBM01147 IBM01148
    IBM01149
"""
CJK = {
    "GB2312": ("gb2312", "<t>中文新闻，标题！abc</t>"),
    "GBK": ("gbk", "<t>中文新聞鎔，abc［］</t>"),
    "GB18030": ("gb18030", "<t>中文㐀𠀀é€，abc</t>"),
    "Big5": ("big5", "<t>中文新聞許功蓋abc</t>"),
    "Big5-HKSCS": ("big5hkscs", "<t>香港Ê̄嘅啲</t>"),
    "windows-950": ("cp950", "<t>中文新聞許功蓋€</t>"),
    "Shift_JIS": ("shift_jis", "<t>日本語ソ能表ｱｲｳ「」abc</t>"),
    "Windows-31J": ("cp932", "<t>日本語①㈱髙～ｱｲｳ</t>"),
    "Shift_JIS-2004": ("shift_jis_2004", "<t>日本語①か゚𠂉\\~</t>"),
    "EUC-JP": ("euc_jp", "<t>日本語ソ能表ｱｲｳ丂©abc</t>"),
    "EUC-JIS-2004": ("euc_jis_2004", "<t>日本語①か゚𠀋abc</t>"),
    "EUC-KR": ("euc_kr", "<t>한국어 뉴스 漢字abc</t>"),
    "windows-949": ("cp949", "<t>한국어 똠방각하 뷁</t>"),
    "ISO-2022-JP": ("iso2022_jp", "<t>日本語</t><b>ソ能表\\~¥‾</b>"),
}
ROMAN = str.maketrans("\\~", "¥‾")
C1_PAGES = {
    # ISO-8859 pages, and the Windows page of the same script, whose 80 to 9F they are read with
    "ISO-8859-1": "cp1252",
    "ISO-8859-2": "cp1250",
    "ISO-8859-3": "cp1254",
    "ISO-8859-4": "cp1257",
    "ISO-8859-5": "cp1251",
    "ISO-8859-6": "cp1256",
    "ISO-8859-7": "cp1253",
    "ISO-8859-8": "cp1255",
    "ISO-8859-9": "cp1254",
    "ISO-8859-10": "cp1252",
    "TIS-620": "cp874",
    "ISO-8859-13": "cp1257",
    "ISO-8859-14": "cp1252",
    "ISO-8859-15": "cp1252",
    "ISO-8859-16": "cp1250",
}
OTHERWISE = {"KOI8-U": {0xAE: "ў", 0xBE: "Ў"}}
"""The Encoding Standard, index-koi8-u."""
IBM1047 = {0x15: "\n", 0x25: "\x85", 0x5F: "^", 0xAD: "[", 0xB0: "¬", 0xBA: "Ý", 0xBB: "¨", 0xBD: "]"}
"""IBM CDRA, code page 1047: what differs from IBM037."""


@cache
def table(codec: str) -> dict[int, str]:
    """The characters of the bytes that a codec of Python knows."""
    found = {}
    for byte in range(256):
        try:
            found[byte] = bytes([byte]).decode(codec)
        except UnicodeDecodeError:
            continue
    return found


def lenient(name: str, characters: dict[int, str]) -> dict[int, str]:
    """The characters of lenient decoding: a C1 control is what the Windows page has there, if anything."""
    page = table(C1_PAGES[name]) if name in C1_PAGES else {}
    c1 = {byte: page[byte] for byte in range(0x80, 0xA0) if byte in page}
    return {**characters, **c1, **OTHERWISE.get(name, {})}


def single_byte_rows() -> Iterator[dict[str, str]]:
    """ASCII is in the tags; the bytes that a page does not define are left out."""
    for pair in SINGLE.split():
        name, _, codec = pair.partition("=")
        characters = {byte: char for byte, char in table(codec or name).items() if byte > 0x7F}
        read = lenient(name, characters)
        yield row(
            name,
            b"<t>" + bytes(characters) + b"</t>",
            "<t>" + "".join(characters.values()) + "</t>",
            "<t>" + "".join(read[byte] for byte in characters) + "</t>",
        )


def ebcdic_rows() -> Iterator[dict[str, str]]:
    """All bytes of a page; those that Python lacks are differences from IBM037."""
    from feedcharset.charsets.single_byte import EBCDIC_PAGES, EURO_PAGES

    for pair in EBCDIC.split():
        name, _, codec = pair.partition("=")
        if name == "IBM1047":
            characters = {**table("cp037"), **IBM1047}
        elif (base := EURO_PAGES.get(name, name)) in EBCDIC_PAGES:
            page = EBCDIC_PAGES[base].split(" ")
            characters = {**table("cp037"), **{int(entry[:2], 16): entry[2:] for entry in page}}
        else:
            characters = table(codec or base)
        if name in EURO_PAGES:
            characters = {byte: "€" if char == "¤" else char for byte, char in characters.items()}
        yield row(name, bytes(characters), "".join(characters.values()))


def row(name: str, data: bytes, text: str, read: str | None = None) -> dict[str, str]:
    """A row; `read` is the text of lenient decoding."""
    made = {"charset": name, "bytes": data.hex().upper(), "text": text}
    return made if read in (None, text) else {**made, "lenient": read or ""}


def rows() -> Iterator[dict[str, str]]:
    """All rows, in the order of the table of charsets."""
    yield row("UTF-8", UNICODE.encode(), UNICODE)
    for name, codec in WIDE.items():
        yield row(name, UNICODE.encode(codec), UNICODE)
    data = UNICODE.encode("utf-32-be")
    for name, order in UCS4_ORDERS.items():
        yield row(
            name,
            bytes(data[at + place] for at in range(0, len(data), 4) for place in order),
            UNICODE,
        )
    yield row("US-ASCII", bytes(range(128)), bytes(range(128)).decode("ascii"))
    yield from single_byte_rows()
    for name, (codec, text) in CJK.items():
        ascii_too = name == "Shift_JIS-2004"  # 5C and 7E are ¥ and ‾ in Python's codec
        yield row(name, text.translate(ROMAN).encode(codec) if ascii_too else text.encode(codec), text)
    yield from ebcdic_rows()


def made() -> str:
    """The file: a line for each row."""
    return "[\n" + ",\n".join(json.dumps(one) for one in rows()) + "\n]\n"


def main() -> int:
    """Write the file, or compare it."""
    text = made()
    if "--check" in sys.argv:
        return int(text != OUT.read_text(encoding="utf-8"))
    OUT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
