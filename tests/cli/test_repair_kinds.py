"""`repair` over kinds of files: nothing is destroyed, and what is written is labelled truly."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import random
import struct
import sys
import zipfile
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lxml import etree
from support.command_line import call
from support.each import each

from feedcharset import decode
from feedcharset import repair as filtered
from feedcharset.charsets.lookup import lookup
from feedcharset.cli import repair
from feedcharset.cli.repair import refusal
from feedcharset.evidence.document_head import BOMS
from feedcharset.validate import western_words
from feedcharset.validate.file_charset import (
    CODING_LINES,
    CONTROL_BYTES,
    LINE_ENDS_LOOKED_AT,
    NAMED_SPAN,
    NOISE_SHARE,
    NOISE_SPAN,
    SEPARATORS,
    SIGNATURE_SPAN,
    PartCharsets,
    named_in_text,
    utf16_within,
)
from feedcharset.validate.fixes import ALPHABET

RUSSIAN = "Погода на завтра: дождь, ветер северный, СССР»; новости дня и другие известия"
JAPANESE = "今日は雨が降っているので、家で本を読もうと思います。ニュースの時間です"
CHINESE = "今天下雨了，我打算在家里看书。这是今天的新闻，欢迎阅读"
KOREAN = "오늘은 비가 와서 집에서 책을 읽으려고 합니다. 오늘의 뉴스입니다"
QUOTED = "Le mot «\xa0qualité\xa0» déjà au “café…” (PUBLIÉ…), café—“bar” à l’été"
FRENCH = "L’été déjà à Besançon — où l'on goûte la crème brûlée, naïve et façonnée"
GREEK = "Τα νέα της ημέρας: βροχή και άνεμος στην Αθήνα, ειδήσεις"
POLISH = "Śpiąca żaba łączy się z gęsią, źdźbło trawy, środa i piątek"

DECLARED = {
    # The charset of a document, its text and the label.
    "windows-1251": (RUSSIAN, "cp1251"),
    "KOI8-R": (RUSSIAN.replace("»", "!"), "koi8_r"),
    "ISO-8859-5": (RUSSIAN.replace("»", "!"), "iso8859_5"),
    "IBM866": (RUSSIAN.replace("»", "!"), "cp866"),
    "windows-1253": (GREEK, "cp1253"),
    "ISO-8859-7": (GREEK, "iso8859_7"),
    "ISO-8859-2": (POLISH, "iso8859_2"),
    "windows-1250": (POLISH, "cp1250"),
    "windows-1255": ("חדשות היום: גשם ורוח", "cp1255"),
    "windows-1256": ("أخبار اليوم: المطر والرياح", "cp1256"),
    "windows-874": ("ข่าววันนี้ ฝนตกและลมแรง", "cp874"),
    "ISO-8859-15": ("L’été à 12 €, un cœur".replace("’", "'"), "iso8859_15"),
    "windows-1254": ("Bugünkü haberler: yağmur, rüzgâr, İstanbul'da şenlik", "cp1254"),
    "macintosh": (FRENCH, "mac_roman"),
    "Shift_JIS": (JAPANESE, "shift_jis"),
    "EUC-JP": (JAPANESE, "euc_jp"),
    "ISO-2022-JP": (JAPANESE, "iso2022_jp"),
    "GB2312": (CHINESE, "gb2312"),
    "GBK": (CHINESE, "gbk"),
    "GB18030": (CHINESE, "gb18030"),
    "Big5": ("今天下雨了，我打算在家裡看書。這是今天的新聞，歡迎閱讀", "big5"),
    "EUC-KR": (KOREAN, "euc_kr"),
    "UTF-16": (RUSSIAN, "utf_16"),
    "UTF-16LE": (FRENCH, "utf_16_le"),
    "UTF-16BE": (FRENCH, "utf_16_be"),
    "UTF-32": (FRENCH, "utf_32"),
    "IBM037": ("Die Größe der Straße", "cp037"),
}


def document(label: str, text: str) -> str:
    return f'<?xml version="1.0" encoding="{label}"?>\n<rss><title>{text}</title></rss>\n'


OTHERS = {label: document(label, text).encode(codec) for label, (text, codec) in DECLARED.items()}
OTHERS["ISO-8859-2 with a chance sequence"] = document("ISO-8859-2", "RADÓŻ").encode("iso8859_2")
OTHERS["Latvian in ISO-8859-4 without a label"] = "Nolasa pašreizējo vērtību izvēlētā dialogā\n".encode(
    "iso8859_4"
)
OTHERS["a late non-ASCII byte"] = document("ISO-8859-2", "x" * 100_000 + "RADÓŻ").encode("iso8859_2")
OTHERS["UTF-16 by its BOM alone"] = "Titel;Größe\r\n1;ö\r\n".encode("utf-16")
TRADITIONAL = (
    "中文新聞：今天的天氣很好，我們去公園散步。台北市政府宣佈明年將增加公共汽車的班次，讓市民出行更加方便。\n"
    "專家認為這項措施有助於減少空氣污染，同時也能緩解交通擁堵的問題。\n"
) * 20
OTHERS["KOI8-R without a label"] = f"<rss><title>{RUSSIAN * 3}</title></rss>".replace("»", "").encode(
    "koi8_r"
)


def _zip() -> bytes:
    """An archive whose times and sizes look as letters of DOS do."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(zipfile.ZipInfo("feed.xml", (2026, 11, 21, 16, 11, 2)), "<rss/>")
    return packed.getvalue()


def _png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0"))


NEVER = {
    "gzip": gzip.compress(b"<rss>caf\xe9</rss>"),
    "bzip2": bz2.compress(b"<rss>caf\xe9</rss>"),
    "xz": lzma.compress(b"<rss>caf\xe9</rss>"),
    "zstd": b"\x28\xb5\x2f\xfd\x04\x00\xe9",
    "zip": _zip(),
    "zlib": zlib.compress(b"<rss>caf\xe9</rss>"),
    "UTF-7": b'<?xml version="1.0" encoding="UTF-7"?><a>+AOk- \xe9</a>',
}
BINARY = {
    "PNG": _png(),
    "JPEG": b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01" + random.Random(1).randbytes(500),
    "Netpbm": b"P5\n64 64\n255\n" + bytes(100 + at % 150 for at in range(4096)),
    "GIF": b"GIF89a\x01\x00\x01\x00\x80\xff\x00\xc0\xc0\xc0",
    "WebP": b"RIFF\x24\x01\x01\x01WEBPVP8 " + random.Random(2).randbytes(200),
    "PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
    "PDF behind a line": b"\n%PDF-1.4\n" + b"1 0 obj\n" * 500 + random.Random(5).randbytes(300),
    "a torrent": b"d8:announce14:http://x.test/4:infod6:lengthi9e6:pieces20:%bee" % (b"caf\xe9 " * 4),
    "a torrent without announce": b"d8:encoding5:UTF-84:infod6:lengthi4e4:name4:a.gz6:pieces20:%bee"
    % (b"caf\xe9 " * 4),
    "a dated torrent": b"d13:creation datei1700000000e4:infod6:lengthi4e6:pieces20:%bee" % (b"caf\xe9 " * 4),
    "an icon": b"\x00\x00\x01\x00\x01\x00\x10\x10" + b"\x80" * 100,
    "a program": b"\x7fELF\x02\x01\x01" + b"\xe9" * 9,
    "a Windows program": b"MZ\x90\x00\x03" + b"This program cannot be run in DOS mode.\r\n caf\xe9",
    "a library": b"!<arch>\n/               0           0     0     0       76        `\n caf\xe9 \x82\x81",
    "compiled code": b"Code\r\n" + random.Random(4).randbytes(900),
    "a database": b"SQLite format 3\x00\x10 caf\xe9",
    "a font": b"wOF2\x00\x01 caf\xe9",
    "random bytes": bytes(byte or 1 for byte in random.Random(3).randbytes(2000)),
    "EBCDIC prose": ("Grüße aus Österreich, Müller & Söhne. Umsatz in Euro. " * 40).encode("cp500"),
    "UTF-16 that nothing names": "Titel;Größe".encode("utf-16-le"),
    "a web archive": b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 4\r\n\r\ncaf\xe9\r\n\r\n",
    "an older web archive": b"filedesc://a.arc 0.0.0.0 20040101000000 text/plain 9\n1 0 IA\nA\ncaf\xe9\n",
    "DjVu": b"AT&TFORM\x00\x00\x02\x10DJVUINFO" + random.Random(6).randbytes(200),
    "RTF": b"{\\rtf1\\ansi\\ansicpg1252 caf\xe9}",
    "RTF behind a blank line": b" \r\n{\\rtf1\\ansi\\ansicpg1252 caf\xe9}",
    "values in a dump": b"".join(
        b"INSERT INTO t VALUES (_binary '%b', 'abc');\n" % random.Random(at).randbytes(16) for at in range(40)
    ),
    "some values in a dump": b"".join(
        "Tünde Bánki café Übermut; Schröder, naïve São João\n".encode("cp1252") * 100
        + random.Random(at).randbytes(1000)
        for at in range(3)
    ),
    "a value in a dump": b"INSERT 1;\n" * 9000 + random.Random(8).randbytes(5000) + b"INSERT 2;\n" * 9000,
    "an installer": b"echo hello world\n" * 600 + random.Random(4).randbytes(100_000),
    "an installer with gzip": b"echo hello world\n" * 900 + zlib.compress(random.Random(5).randbytes(3000)),
    "PostScript with a picture": b"/F 10 def\n" * 800 + random.Random(6).randbytes(5000),
    "a mail with a picture": b"caf\xe9\n" * 300_000 + random.Random(7).randbytes(100_000),
    "text and UTF-16": b"caf\xe9\n" * 4000 + "Titel;Größe\n".encode("utf-16") * 900,
}
LATVIAN = "Rādīt slēptos failus un mapes\nIzmantojamais failu izvēlētāja dialogs\nNolasa pašreizējo vērtību\n"
UNNAMED = {
    # Text in another charset that nothing but its letters shows, and what the refusal names.
    "German DOS": (b"Name;Ort\nJ\x81rgen Gr\x94\xe1er;D\x81sseldorf\n\x8eNNE M\x81ller;K\x94ln\n", "IBM850"),
    "one letter of DOS": ("Müller".encode("cp850"), "IBM850"),
    "Finnish DOS": (("Tämä päivä on jäänyt väliin\n" * 9).encode("cp437"), "IBM850"),
    "French Mac": (b"Ren\x8e Lef\x8fvre;Besan\x8don;d\x8ej\x88 pay\x8e\n", "macintosh"),
    "Polish Mac": (
        "Odstęp między nagłówkami dni a głównym obszarem\nWartość możliwa, błąd\n".encode("mac_latin2"),
        "x-mac-ce",
    ),
    "French Mac with sequences": (FRENCH.encode("mac_roman"), "macintosh"),
    "Mac under UTF-8": (document("UTF-8", FRENCH).encode("mac_roman"), "macintosh"),
    "Polish DOS": ("Łukasz płacił złotówką, będą świąteczne".encode("cp852"), "IBM852"),
    "Hungarian DOS": ("Erős szél és köd várható, tűzoltók\n".encode("cp852") * 5, "IBM852"),
    "Turkish DOS": ("Bugünkü yağmur, rüzgâr ve şişe çığlığı\n".encode("cp857") * 5, "IBM857"),
    "Italian Mac": (("il file non è leggibile\ncompatibilità\n" * 500).encode("mac_roman"), "macintosh"),
    "Spanish Mac": ("la opción está en la sección\nlíneas\n".encode("mac_roman"), "macintosh"),
    "Latvian in ISO-8859-4": (LATVIAN.encode("iso8859_4"), "ISO-8859-4"),
    "DOS behind a BOM": (b"\xef\xbb\xbf" + "Jürgen Müller aus Düsseldorf\n".encode("cp850") * 9, "IBM850"),
    "windows-1251 behind a BOM": (b"\xef\xbb\xbf" + (RUSSIAN + "\n").encode("cp1251") * 9, "windows-1251"),
    "windows-1251 behind a BOM and a declaration": (
        b'\xef\xbb\xbf<?xml version="1.0"?><a>' + RUSSIAN.encode("cp1251") * 9 + b"</a>",
        "windows-1251",
    ),
    "Shift_JIS behind a BOM": (b"\xef\xbb\xbf" + (JAPANESE + "\n").encode("cp932") * 9, "Shift_JIS"),
}
SLOVAK = (
    "Rozšírené agregátne pole\nUistite sa, že nie je zadaných viac číslic\nPoužívateľ môže uložiť údaje\n"
)
MISFITS = {
    # UTF-8, or ASCII, and words that are none in windows-1252, though too few of them name a charset.
    "a sentence in Shift_JIS": (JAPANESE.encode(), JAPANESE.encode("cp932")),
    "a sentence in EUC-JP": (JAPANESE.encode(), JAPANESE.encode("euc_jp")),
    "a title in GBK": (CHINESE.encode(), "今天下雨了我打算".encode("gbk")),
    "a title in Big5": (CHINESE.encode(), "今天下雨了，我打算".encode("big5")),
    "a Thai title": ("ข่าววันนี้ ".encode(), "ข่าววันนี้".encode("cp874")),
    "a letter of DOS": ("Köln ".encode(), "Müller".encode("cp850")),
    "Polish names": (
        "Gdańsk, Łódź, Kołobrzeg, Świnoujście ".encode(),
        "Pomorze Północne, Wałbrzych, Fidżyjskie, Małgorzata".encode("cp1250"),
    ),
    "lines of DOS": ("Köln, Müller\n".encode() * 900, "Köln, käyttäjä\n".encode("cp850") * 50),
    "lines of Mac": ("Köln, Müller\n".encode() * 900, "Köln, Sekundär\n".encode("mac_roman") * 50),
    "lines far behind": ((RUSSIAN + "\n").encode() * 10_000, (RUSSIAN + "\n").encode("cp1251") * 500),
}
FALSELY_DECLARED = {
    # What is refused under a label, and what the refusal says.
    "MacEuro": (
        document("MacEuro", "Příliš žluťoučký kůň").encode("mac_latin2"),
        "declared as MacEuro, a charset that",
    ),
    "DOS": (document("ISO-8859-1", "Jürgen Müller").encode("cp850"), "DOS or Mac text"),
    "Polish DOS": (document("windows-1252", "Łukasz płacił złotówką").encode("cp852"), "DOS or Mac text"),
    "Slovak DOS": (SLOVAK.encode("cp852"), "seems to be in IBM852"),
    "Slovak Mac": (SLOVAK.encode("mac_latin2"), "seems to be in x-mac-ce"),
    "Korean in Johab": (
        "한글 조합형으로 적은 글입니다. 서울의 날씨는 맑겠습니다\n".encode("johab"),
        "or in an encoding that nothing names",
    ),
}
BY_CHANCE = {"traditional Chinese in GB18030 without a label": TRADITIONAL.encode("gb18030")}
"""What the library reads as a mixture of UTF-8 and windows-1252."""
REFUSED = {
    **OTHERS,
    **BY_CHANCE,
    **NEVER,
    **BINARY,
    **{kind: data for kind, (data, _) in (UNNAMED | FALSELY_DECLARED).items()},
    **{kind: utf8 + other for kind, (utf8, other) in MISFITS.items()},
}

REPAIRED = {
    # What is UTF-8 with other bytes in it, or windows-1252 as a whole.
    "mixed": (b"caf\xe9 caf\xc3\xa9", "café café"),
    "mixed under ISO-8859-1": (
        document("ISO-8859-1", "~ été déjà").encode().replace(b"~", b"caf\xe9"),
        document("UTF-8", "café été déjà"),
    ),
    "damaged UTF-8 under windows-1251": (
        document("windows-1251", RUSSIAN * 2).encode() + b"\x93",
        document("UTF-8", RUSSIAN * 2) + "“",
    ),
    "UTF-8 under ISO-8859-1": (document("ISO-8859-1", FRENCH).encode(), document("UTF-8", FRENCH)),
    "windows-1252": (document("windows-1252", FRENCH).encode("cp1252"), document("UTF-8", FRENCH)),
    "ISO-8859-1 in apostrophes": (
        b"<?xml version='1.0'\n encoding='ISO-8859-1' ?><a>\xe9</a>",
        "<?xml version='1.0'\n encoding='UTF-8' ?><a>é</a>",
    ),
    "typographic quotation marks": (
        b'<?xml version="1.0" encoding=\x93ISO-8859-1\x94?><a>\xe9</a>',
        '<?xml version="1.0" encoding="UTF-8"?><a>é</a>',
    ),
    "ISO-8859-9 that is ISO-8859-1": (
        document("ISO-8859-9", "été").encode("latin-1"),
        document("UTF-8", "été"),
    ),
    **{
        f"UTF-8 in {label}, whose other bytes are those of windows-1252": (
            document(label, "caf\xff été d\xffj\xe0").encode().replace(b"\xc3\xbf", b"\xe9"),
            document("UTF-8", "café été déjà"),
        )
        for label in ("ISO-8859-15", "ISO-8859-9", "windows-1254")
    },
    "US-ASCII": (document("US-ASCII", "été").encode(), document("UTF-8", "été")),
    "no label": (FRENCH.encode("cp1252"), FRENCH),
    "windows-1252 behind a BOM": (b"\xef\xbb\xbf" + FRENCH.encode("cp1252"), "\ufeff" + FRENCH),
    "a sequence by chance": (
        document("windows-1252", "CAFÉ… déjà").encode("cp1252"),
        document("UTF-8", "CAFÉ… déjà"),
    ),
    "a sequence by chance without a label": (
        "'/Ä…' été déjà über Ö… größe".encode("cp1252"),
        "'/Ä…' été déjà über Ö… größe",
    ),
    **{
        f"words that end in a sequence under {label}": (
            document(label, QUOTED).encode("cp1252"),
            document("UTF-8", QUOTED),
        )
        for label in ("UTF-8", "windows-1252", "ISO-8859-1")
    },
    "words that end in a sequence beside UTF-8": (
        document("ISO-8859-1", QUOTED).encode("cp1252") + "🎉 Žižkov".encode(),
        document("UTF-8", QUOTED) + "🎉 Žižkov",
    ),
    "more than a chunk of them": (f"{QUOTED}\n".encode("cp1252") * 4_000, f"{QUOTED}\n" * 4_000),
    "the first byte of a chunk": (
        b"x" * 65_535 + b"a\xe9\xa0\xbb 5\x80 \xc3\xa9",
        "x" * 65_535 + "aé\xa0» 5€ é",
    ),
    "Finnish with š": (
        ("Tšekkiläinen, Slovakia, määränpää, Virossa žürii\n" * 5).encode("cp1252"),
        "Tšekkiläinen, Slovakia, määränpää, Virossa žürii\n" * 5,
    ),
    "one word in UTF-8": (b"pi\xf9 \xc3\xa8 detto, perch\xe9\n", "più è detto, perché\n"),
    "one name in UTF-8": (b"M\xfcller und J\xc5\xabrmala\n", "Müller und Jūrmala\n"),
    "one preposition in UTF-8": (b"d\xe9j\xe0, \xc3\xa0 la mer\n", "déjà, à la mer\n"),
    "a list of letters": ("où, ÀÉÈÙÂÊÎÔÛËÏÜŸÇ œuvre\n".encode("cp1252"), "où, ÀÉÈÙÂÊÎÔÛËÏÜŸÇ œuvre\n"),
    "lines of one sign": (
        ("\xb7" * 20 + " Reo Hapana\n" + "\xaf" * 9 + " Ao Tomi\n»»»»» Moutere\n").encode("cp1252"),
        "\xb7" * 20 + " Reo Hapana\n" + "\xaf" * 9 + " Ao Tomi\n»»»»» Moutere\n",
    ),
    "a quotation mark without its space": ("sagte„Nein“ und ging".encode("cp1252"), "sagte„Nein“ und ging"),
    "a low quotation mark without its space": (
        "sagte„nein“ und ging".encode("cp1252"),
        "sagte„nein“ und ging",
    ),
    "another without its space": ("sagte‚nein‘ und ging".encode("cp1252"), "sagte‚nein‘ und ging"),
    "Spanish without its spaces": (
        "hola¿vienes? sí¡claro!".encode("cp1252"),
        "hola¿vienes? sí¡claro!",
    ),
    "a sign among letters": ("déjà vu, été, note†bas".encode("cp1252"), "déjà vu, été, note†bas"),
    "accents of their own": ("fˆete, tˆete".encode("cp1252"), "fˆete, tˆete"),
    "quotation marks as apostrophes": (
        "geht‘s, gibt‘s, o’clock–noon".encode("cp1252"),
        "geht‘s, gibt‘s, o’clock–noon",
    ),
    "a byte that is no character": ("Köln, Müller".encode() + b" \x81", "Köln, Müller \x81"),
    "lines and dots": (b"\xc4" * 70 + b" \xb7\xb7\xb7\xb7\xb7\xb7 \xb0\xb0", "Ä" * 70 + " ······ °°"),
    "a cut emoji in ASCII": (b"<a>nice \xf0\x9f\x98</a>", "<a>nice ðŸ˜</a>"),
    "cut emoji in a table": (b"12,nice \xf0\x9f\x98,ok\n" * 20, "12,nice ðŸ˜,ok\n" * 20),
    "cut characters": ("新聞".encode()[:-1] + "é".encode()[:1] + b" \xf0\x9f\x98", "新è\x81Ã ðŸ˜"),
    "surrogates": (b"\xed\xa0\xbd\xed\xb8\x80" * 9, "í\xa0½í¸€" * 9),
    "fields with separators": ((b"x" * 99 + b"\xe9\x01\xe9\x02") * 900, ("x" * 99 + "é\x01é\x02") * 900),
    "stray control characters": (
        b"x" * 9000 + b"\xe9\x08\0" + b"x" * 70_000 + b"\xe9\x08\0",
        "x" * 9000 + "é\x08\0" + "x" * 70_000 + "é\x08\0",
    ),
    "a stray control character": (b"<a>\x08\xe9" + b"x" * 100 + b"</a>", "<a>\x08é" + "x" * 100 + "</a>"),
    "UTF-8 under UTF-16": (document("UTF-16", FRENCH).encode(), document("UTF-8", FRENCH)),
    "ASCII under UTF-16": (document("UTF-16", "plain").encode(), document("UTF-8", "plain")),
    "ASCII under an unknown label": (document("nope", "plain").encode(), document("UTF-8", "plain")),
    **{
        f"{text} behind a BOM of {codec}": (
            bom + document("UTF-16", text).replace("é", "~").encode().replace(b"~", b"\xe9"),
            document("UTF-8", text),
        )
        for codec, bom in BOMS
        if codec != "UTF-8"
        for text in ("plain", "Мир", "Béart Мир Мир")
    },
    "a BOM alone": (b"\xfe\xff \t<a>caf\xe9</a>", " \t<a>café</a>"),
    "a BOM behind white space": (
        b"\n\xff\xfe" + document("UTF-16", "plain").encode(),
        document("UTF-8", "plain"),
    ),
}
UNCHANGED = {
    "UTF-8": document("UTF-8", RUSSIAN).encode(),
    "UTF-8 with a BOM": b"\xef\xbb\xbf" + document("utf-8", FRENCH).encode(),
    "US-ASCII": document("ISO-8859-1", "plain").encode(),
    "US-ASCII under an East Asian label": document("Shift_JIS", "plain").encode(),
    "empty": b"",
    "long": document("utf8", "é" * 100_000).encode(),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_mixture_is_refused_and_stays(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(REFUSED[kind])
    before = path.stat()
    assert call("repair", "-i", path) == 2
    assert call("repair", path, "-o", tmp_path / "out") == 2
    after = path.stat()
    assert path.read_bytes() == REFUSED[kind]
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert os.listdir(tmp_path) == ["file"]
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 2)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", UNNAMED)
def test_the_refusal_names_what_the_letters_show(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(UNNAMED[kind][0])
    assert call("repair", tmp_path / "file") == 2
    named = UNNAMED[kind][1]
    error = capsys.readouterr().err
    assert f"cat --encoding {named}" in error or f"seems to be in {named}" in error
    assert call("repair", "--force", tmp_path / "file", "-o", tmp_path / "out") == 0


OTHER_LETTERS = {
    # The encoding, whose letters are those of another page, in which they are no words.
    "Italian DOS": ("cp850", "la città è più grande, perché la verità è così\n" * 3),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", OTHER_LETTERS)
def test_no_page_is_named_whose_letters_are_no_words(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    codec, text = OTHER_LETTERS[kind]
    path = tmp_path / "data.csv"
    path.write_bytes(text.encode(codec))
    assert call("repair", "--in-place", path) == 2
    assert "it seems to be DOS or Mac text" in capsys.readouterr().err
    call("detect", path)
    assert "probably" not in "".join(capsys.readouterr())
    assert call("repair", "--in-place", "--force", path) == 0
    assert path.read_bytes() == text.encode(codec).decode("latin-1").translate(WINDOWS_1252).encode()


OF_ONE_PAGE = {
    "German Mac": (
        "macintosh",
        "mac_roman",
        "Größe;über\nfür Köln;schön\nmöglich;größer\nOberfläche;Schlüssel\n" * 2,
    ),
    "Swedish Mac": (
        "macintosh",
        "mac_roman",
        "Du måste ange en operatorklass för värden\nKällor för vårt arkiv på skärmen\n",
    ),
    "Finnish Mac": (
        "macintosh",
        "mac_roman",
        "Tyhjässä säännöllinen lauseke\nPienempää käyttöä tähän\nmäärä päällä\n",
    ),
    "Estonian Mac": (
        "x-mac-ce",
        "mac_roman",
        "väljasta süsteemi protsessid käsu järgi\nlülita pärast määratud sümbolit\n",
    ),
    "Portuguese Mac": (
        "macintosh",
        "mac_roman",
        "Não foi possível obter configurações da família\nSequência privilégios\n",
    ),
    "Czech DOS": ("IBM852", "cp852", "Ledňáček říční žije u vody, přílišžluťoučký kůň\n"),
}


@pytest.mark.parametrize("kind", OF_ONE_PAGE)
def test_a_page_of_dos_or_mac_is_named_and_converted(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, codec, text = OF_ONE_PAGE[kind]
    text = text.encode(codec, "ignore").decode(codec)
    path = tmp_path / "data.csv"
    path.write_bytes(text.encode(codec))
    assert call("repair", "--in-place", path) == 2
    assert f"the file seems to be in {name}, not UTF-8" in capsys.readouterr().err
    assert decode(path.read_bytes()).text == text
    assert call("repair", "--in-place", "--force", path) == 0
    assert path.read_bytes() == text.encode()


WINDOWS_1252 = {byte: bytes([byte]).decode("cp1252", "ignore") or byte for byte in range(0x80, 0xA0)}


@pytest.mark.parametrize("kind", FALSELY_DECLARED)
def test_a_false_declaration_is_named(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, said = FALSELY_DECLARED[kind]
    (tmp_path / "file").write_bytes(data)
    assert call("repair", tmp_path / "file") == 2
    assert said in capsys.readouterr().err
    assert call("repair", "--force", tmp_path / "file", "-o", tmp_path / "out") == 0


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", MISFITS)
def test_words_that_name_no_charset_do_not_become_western_letters(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = b"".join(MISFITS[kind])
    (tmp_path / "file").write_bytes(data)
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 2
    error = capsys.readouterr().err
    assert "the bytes that are not UTF-8 seem to be " in error
    assert ", not in windows-1252; convert these parts from it" in error
    for option, errors in ("--errors=replace", "replace"), ("--force", "windows-1252"):
        assert call("repair", option, tmp_path / "file", "-o", tmp_path / "out") == 0
        assert (tmp_path / "out").read_bytes() == filtered(data, errors=errors).data


AMONG_UTF8 = {
    # An item in UTF-8, in the charset in which the next item is, and a document that names its language.
    "Russian in windows-1251": (RUSSIAN, "cp1251", ""),
    "Russian in KOI8-R": (RUSSIAN.replace("»", ""), "koi8_r", ""),
    "Greek": (GREEK, "cp1253", ""),
    "Thai": ("ข่าววันนี้ ฝนตกและลมแรง", "cp874", ""),
    "Polish that is named": (POLISH, "cp1250", '<rss xml:lang="pl">'),
}

WRITTEN = {
    # A title in UTF-8, and one in another page; the letters of the first one name the language.
    "Czech": ("Předpověď počasí: odpoledne déšť, večer se ochladí", "cp1250", "Vítr zesílí až v neděli"),
    "Czech in ISO-8859-2": ("Předpověď počasí: odpoledne déšť", "iso8859_2", "Příští týden"),
    "Slovak": ("Predpoveď počasia: popoludní dážď, ochladí sa", "cp1250", "Cez víkend príde ďalší dážď"),
    "Polish": (POLISH, "cp1250", "Zima będzie łagodna"),
    "Hungarian": ("Időjárás: délután eső várható, estére lehűl", "cp1250", "Erős szél és hó"),
    "Romanian": ("Prognoza meteo: după-amiază vin ploi și se răcește", "cp1250", "Se anunţă vânt şi ninsori"),
    "Romanian in ISO-8859-16": ("Prognoza meteo: după-amiază vin ploi", "iso8859_16", "Șosele închise"),
    "Croatian": ("Prognoza: poslijepodne kiša, navečer će zahladiti", "cp1250", "Sunčano i vruće"),
    "Latvian": (
        "Laika ziņas: pēcpusdienā lietus, vakarā kļūs vēsāks",
        "cp1257",
        "Stiprs vējš pūtīs rīt",
    ),
    "Lithuanian": (
        "Orų prognozė: po pietų lietus, vakare atvės, šiąnakt šalta",
        "cp1257",
        "Stiprus vėjas pūs šeštadienį",
    ),
    "Turkish": ("Hava durumu: öğleden sonra yağmur, akşam soğuyacak", "cp1254", "Rüzgâr pazar şiddetlenecek"),
    "Azerbaijani": (
        "Hava proqnozu: axşam yağış, şimalda külək",
        "cp1254",
        "Bazar günü şiddetli yağış",
    ),
}


@pytest.mark.parametrize("kind", AMONG_UTF8)
def test_words_of_another_script_do_not_become_western_letters(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, codec, beginning = AMONG_UTF8[kind]
    path = tmp_path / "file"
    before = (beginning + text + " été\n").encode() + text.encode(codec)
    path.write_bytes(before)
    for errors in "windows-1252", "latin-1":
        assert call("repair", "-i", "--errors", errors, path) == 2
        assert "bytes that are not UTF-8 seem to be in " in capsys.readouterr().err
    assert path.read_bytes() == before
    assert call("repair", "--errors", "replace", path, "-o", tmp_path / "out") == 0
    assert (tmp_path / "out").read_bytes() == before.decode("utf-8", "replace").encode()
    assert call("repair", "--force", path, "-o", tmp_path / "out") == 0
    assert (tmp_path / "out").read_bytes() == filtered(before).data


@pytest.mark.parametrize("label", ["windows-1252", "ISO-8859-1", "ISO-8859-15", "windows-1254"])
@pytest.mark.parametrize("errors", ["space", "replace"])
def test_a_declared_western_file_keeps_its_letters(errors: str, label: str, tmp_path: Path) -> None:
    """What such files have in place of `é` is no damage. Among UTF-8, or without a true label, it is."""
    path, text = tmp_path / "file", document(label, "café déjà vu")
    path.write_bytes(before := text.encode(label))
    assert call("repair", "-i", "--errors", errors, path) == 2
    assert path.read_bytes() == before
    assert call("repair", "-i", "--errors", errors, "--force", path) == 0
    assert path.read_text("utf-8") == text.replace(label, "UTF-8")
    mark = " " if errors == "space" else "\ufffd"
    for other in (
        before.replace(b"vu", "été déjà à".encode()),
        before.replace(label.encode(), b"UTF-8"),
        before[before.index(b"?>") + 2 :],
    ):
        path.write_bytes(other)
        assert call("repair", "-i", "--errors", errors, path) == 0
        assert f"caf{mark} d{mark}j{mark} " in path.read_text("utf-8")


def test_french_words_in_norwegian_are_no_lithuanian(tmp_path: Path) -> None:
    """In a long list of words that are Norwegian."""
    path = tmp_path / "file"
    words = ["amatørkarrière", "førpremière", "høstpremièren", "høstpremièrens", "premièrløytnant"]
    others = ["håndskriftsprøve", "værelse", "grønnsaker", "sjømann", "årsmøte", "æresbevisning", "på"]
    text = "".join(f"{word}\n" for word in [*others * 2000, *words])
    path.write_bytes(text.encode("latin-1"))
    assert call("repair", "-i", path) == 0
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("label", "is_told"), [("windows-1250", False), ("windows-1252", True), ("UTF-8", True)]
)
def test_letters_that_the_declared_page_has_are_not_told(
    label: str, is_told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both pages have all of them at the same bytes; under a western label they may be of another."""
    path = tmp_path / "file"
    path.write_bytes(
        document(label, "Egy éve se gyerek, se hír - Mehmet Tüysüz Károly története").encode("cp1250")
    )
    assert call("repair", "-i", path) == 0
    assert "Mehmet Tüysüz Károly" in path.read_text("utf-8")
    assert ("no western language has together" in capsys.readouterr().err) == is_told


@pytest.mark.parametrize(
    ("codec", "line"),
    [
        ("euc_kr", "12;디렉터리 만들기;7\n"),
        ("gbk", "<title>含数据迁移文件 (Cray DMF)</title>\n"),
        ("tis_620", "12;บันทึกไม่ได้;7\n"),
    ],
)
def test_a_row_of_bytes_that_no_western_word_has_is_refused(codec: str, line: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(before := "Sûreté de l’État à Noël\n".encode() + line.encode(codec))
    assert call("repair", "-i", path) == 2
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "far", [0, *(pytest.param(far, marks=pytest.mark.long) for far in (100_000, 2_000_000))]
)
@pytest.mark.parametrize("kind", WRITTEN)
def test_latin_words_of_another_page_are_refused_by_the_language_of_the_utf8(
    kind: str, far: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    utf8, codec, other = WRITTEN[kind]
    path = tmp_path / "file"
    path.write_bytes(f"{utf8}\n".encode() + b"x\n" * (far // 2) + other.encode(codec))
    assert call("repair", path, "-o", tmp_path / "out") == 2
    error = capsys.readouterr().err
    assert "bytes that are not UTF-8 seem to be in " in error
    assert "what is UTF-8 is " in error
    assert call("repair", "--errors", "replace", path, "-o", tmp_path / "out") == 0


STRAYS = {
    # The codec of five lines, each between six lines in UTF-8; those lines; what the lines show.
    "Czech": (
        "Předpověď počasí: odpoledne déšť, večer se ochladí, a v noci bude mlha",
        "cp1250",
        ["V Plzni sněží", "Ceny bytů klesají", "Řidič narazil do zdi", "Hráči bojují", "Nehoda, dvě oběti"],
        "in windows-1250 (the letters are Czech",
    ),
    "Romanian": (
        "Prognoza meteo: după-amiază vin ploi şi se răceşte, potrivit ministrului",
        "cp1250",
        ["Preţurile cresc", "Ninge în munţi", "Judecătorul a amânat", "Şoferii protestează", "În grevă"],
        "in windows-1250 (the letters are Romanian",
    ),
    "Turkish": (
        "Hava durumu: öğleden sonra yağmur, akşam soğuyacak, salı günü güneşli",
        "cp1254",
        ["Dağlara kar yağdı", "Okullar tatil edildi, yollar kapalı", "Şampiyon", "Yağışlı", "Seçim"],
        "in windows-1254 (the letters are ",
    ),
    "Romanian, the language of whose UTF-8 does not show": (
        "Decalaj de stivă %x",
        "cp1250",
        ["Trebuie să vă reautentificaţi", "Dacă nu vezi e-mailul, verifică dosarul", "Descriere accesibilă"],
        "in windows-1250 (the letters are Romanian",
    ),
    "Hungarian, the language of whose UTF-8 does not show": (
        "nem támogatott fájl",
        "cp1250",
        ["A megfelelő művelet végrehajtása", "Érvénytelen időpont", "A következő művelet előtt"],
        "in windows-1250 (the letters are Hungarian",
    ),
    "Japanese": (
        "今日は雨が降っているので、家で本を読もうと思います",
        "euc_jp",
        ["首相が来週訪米へ調整", "台風接近で休校相次ぐ", "円安進む一時百五十円"],
        "in EUC-JP, as the text in UTF-8 has its letters",
    ),
    "Korean": (
        "내일 날씨: 비와 바람. 정부는 내년도 예산안을 의결했다.",
        "euc_kr",
        ["대통령 내주 방미 예정", "태풍 북상에 휴교 잇따라", "코스피 삼백 포인트 급락"],
        "in EUC-KR, as the text in UTF-8 has its letters",
    ),
    "Chinese": (CHINESE, "gb2312", ["你好世界", "天气预报"], "in GBK, as the text in UTF-8 has its letters"),
    "Japanese in Shift_JIS": (
        "今日は雨が降っているので、家で本を読もうと思います",
        "cp932",
        ["首相が来週訪米へ調整", "台風接近で休校相次ぐ", "円安進む一時百五十円"],
        "",  # "in Shift_JIS", or "words of another encoding"
    ),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("far", [6, 3_000])
@pytest.mark.parametrize("kind", STRAYS)
def test_words_of_another_page_are_judged_together_wherever_they_stand(
    kind: str, far: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    utf8, codec, others, seen = STRAYS[kind]
    path = tmp_path / "file"
    path.write_bytes(b"\n".join(f"{utf8}\n".encode() * far + other.encode(codec) for other in others))
    assert call("repair", path, "-o", tmp_path / "out") == 2
    assert f"bytes that are not UTF-8 seem to be {seen}" in capsys.readouterr().err


OF_DOS_AND_MAC = {
    # A line in UTF-8, how often it stands, the codec of the others, and these.
    "Polish": ("Rząd przyjął w środę projekt ustawy", 6, "cp852", "Łódź i Kraków będą współpracować"),
    "Polish, a few letters": ("Rząd przyjął w środę", 20, "cp852", "Jeśli łatka stosuje się gładko"),
    "Czech": ("Předpověď počasí: déšť", 2, "cp852", "Vítr zesílí v neděli"),
    "Czech of Mac": ("Předpověď počasí: déšť", 2, "mac_latin2", "Příští týden: déšť"),
    "Hungarian": ("Időjárás: délután eső várható", 20, "cp852", "Erős szél és hó"),
    "Lithuanian": ("Orų prognozė: po pietų lietus", 9, "cp775", "Stiprus vėjas pūs šeštadienį"),
    "Icelandic": ("Ísland er fallegt á sumrin og þar býr fólk", 1, "cp861", "það var þá sem hún sagði já"),
    "Danish": ("Regn og blæst på søndag", 9, "cp865", "Søndag bliver det tørt på øerne"),
    "Swedish of Mac": ("Många är upprörda över beslutet", 9, "mac_roman", "Regnet upphör på söndag"),
    "German, one letter": ("Am Abend wird es kühler", 20, "cp850", "für"),
    "German of Mac": ("Am Abend wird es kühler", 20, "mac_roman", "Größere Schäden drohen nicht"),
    "French of Mac": ("Été à la plage", 20, "mac_roman", "la fête est terminée"),
    "Spanish": ("La reunión será mañana", 3, "cp850", "La reunión será mañana, señor"),
    "Portuguese": ("A eleição não terá segundo turno", 9, "cp860", "Informações sobre educação"),
    "Portuguese alone": ("", 0, "cp860", "Informações sobre educação"),
    "Turkish": ("Hava durumu: öğleden sonra yağmur", 9, "cp857", "akşam soğuyacak, salı günü güneşli"),
    "Lithuanian in ISO-8859-4": ("Orų prognozė: po pietų", 9, "iso8859_4", "stipraus vėjo, pranešė"),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", OF_DOS_AND_MAC)
def test_letters_that_would_be_signs_are_refused_beside_any_amount_of_utf8(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    utf8, times, codec, other = OF_DOS_AND_MAC[kind]
    path = tmp_path / "file"
    for before in f"{utf8}\n" * times, f"{utf8}\n" * times * 9 + "x\n" * 40_000:
        path.write_bytes(before.encode() + other.encode(codec) + b"\n")
        assert call("repair", path, "-o", tmp_path / "out") == 2
        assert "eem" in capsys.readouterr().err


NAMED_BY_THE_DOCUMENT = {
    # The language, the codec, and words of it; no other text shows the language.
    "lt": ("iso8859_4", "stipraus vėjo, pranešė sinoptikai"),
    "pl": ("cp852", "Jeśli się"),
    "sv": ("mac_roman", "på söndag"),
}


@pytest.mark.parametrize("language", NAMED_BY_THE_DOCUMENT)
def test_the_language_that_the_document_names_counts(language: str, tmp_path: Path) -> None:
    codec, words = NAMED_BY_THE_DOCUMENT[language]
    path = tmp_path / "file"
    path.write_bytes(f"<rss><language>{language}</language><t>日本</t><t>".encode() + words.encode(codec))
    assert call("repair", path, "-o", tmp_path / "out") == 2


@pytest.mark.parametrize(
    ("language", "western"),
    [
        ("fr", "une note† de l’auteur, « déjà » – ‡voir… l’œuvre, 5 €, n° 1, 1ª, ™"),
        ("es", "¡¡¡enlace roto!!! ¿Cómo? «Mañana», 2º, señor Muñoz"),
        ("es", "“hola”—dijo, ‘sí’"),
        ("pt", "1ª edição, 2º lugar: “São Paulo”… 5€"),
        ("de", "„schön“, ‚gut‘, ›so‹, »Größe«, Žár nad Sázavou, Šmartno, Reykjavík Þór Sigurðsson"),
        ("da", "”blæst”, ‹søndag›, på øerne†"),
        ("is", "það var þá sem hún sagði já, sæði"),
        ("ga", "Poblacht na hÉireann, Tá sé"),
        ("pl", "Café Größe, déjà vu, señor"),
        ("et", "Õpetajad: žanr, šokk, Reykjavík"),
        ("tr", "Café Größe, Provença"),
        ("lv", "skráría-af valmyndaratriði, Norður"),
    ],
)
def test_western_marks_and_names_are_repaired_in_any_language(
    language: str, western: str, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    for utf8 in "", "déjà vu\n" * 9:
        before = f"<language>{language}</language>\n{utf8}"
        path.write_bytes(before.encode() + western.encode("cp1252"))
        assert call("repair", path, "-o", tmp_path / "out") == 0
        assert (tmp_path / "out").read_text(encoding="utf-8") == before + western


@pytest.mark.parametrize("cut", ["日".encode()[:2], "😀".encode()[:3], b"\xe2\x80", b"\xc3"])
def test_a_character_that_was_cut_is_no_letter_of_dos(cut: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes("<t>Am Abend wird es kühler</t>\n<t>Größe".encode() + cut + b"</t>\n")
    assert call("repair", path, "-o", tmp_path / "out") == 0


EAST_ASIAN = {
    # One line among UTF-8, most of them with bytes that are UTF-8 by chance.
    "a place": ("나가사키 현", "cp949"),
    "with ASCII in characters": ("%(name)s 已成功新增。", "big5"),
    "Simplified Chinese": ("密码不正确。", "gbk"),
    "Japanese": ("設定レジストリ", "euc_jp"),
}


@pytest.mark.parametrize("kind", EAST_ASIAN)
@pytest.mark.parametrize(
    "utf8", ["Größe ändern, Übersicht für später\n", "這是今天的新聞，歡迎閱讀\n", "déjà\n"]
)
@pytest.mark.parametrize("line", ["{}\n", "INSERT INTO t VALUES (30, '{}');\n"])
def test_one_line_of_pairs_does_not_become_western_letters(
    kind: str, utf8: str, line: str, tmp_path: Path
) -> None:
    text, codec = EAST_ASIAN[kind]
    (tmp_path / "file").write_bytes(utf8.encode() * 20 + line.format(text).encode(codec))
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 2


@pytest.mark.parametrize(
    "western",
    [
        "¿ÉLÉMENTS CRÉÉS DEPUIS?",  # one sign, two different pairs
        "INFORMAÇÕES, OPÇÕES, AÇÕES",
        "«Oppgi et brukernavn, eller klikk «Vis alle»»",
        "Änderung: 25°C, §A, ©B, ±D",  # before ASCII
        "°É, 5 £Ö ±Ä",  # not in pairs
    ],
)
def test_capitals_and_marks_are_no_pairs(western: str, tmp_path: Path) -> None:
    before = "Größe ändern, Übersicht für später\n" * 20
    (tmp_path / "file").write_bytes(before.encode() + western.encode("cp1252"))
    assert call("repair", "-i", tmp_path / "file") == 0
    assert (tmp_path / "file").read_text("utf-8") == before + western


LABELLED = {
    # What the declaration names, and the text that is in it among UTF-8.
    "IBM850": (FRENCH.replace("—", "-"), "cp850", "Été à la plage"),
    "KOI8-U": ("Уряд у середу схвалив проєкт бюджету", "koi8_u", "Її життя у місті"),
    "EUC-KR": (KOREAN, "euc_kr", "안녕하세요 세계"),
    "macintosh": (FRENCH, "mac_roman", "Noël à la plage, été"),
    "ISO-8859-15": (FRENCH, "iso8859_15", "œuvre"),
    "iso8859-15": (FRENCH, "iso8859_15", "prix: 5 €"),
    "windows-1257": ("Üliõpilased ütlesid teisipäeval", "cp1257", "šokk"),
    "windows-1250": (POLISH, "cp1250", "mądry"),
    "ISO-8859-2": (POLISH, "iso8859_2", "mądry"),
    "ISO-8859-9": (FRENCH, "iso8859_9", "Doğan"),
}


@pytest.mark.parametrize("label", LABELLED)
def test_words_in_the_declared_encoding_do_not_become_western_letters(
    label: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    utf8, codec, other = LABELLED[label]
    before, after = document(label, f"{utf8}\n|").encode().split(b"|")
    path = tmp_path / "file"
    path.write_bytes(before + f"{utf8}\n".encode() * 5 + other.encode(codec) + after)
    assert call("repair", path, "-o", tmp_path / "out") == 2
    assert (
        f"seem to be in {label.replace('iso', 'ISO-')}, which the declaration names, not"
        in capsys.readouterr().err
    )


@each(
    ("label", "utf8", "word", "refused"),
    [
        ("windows-1251", "Погода завтра", "По", True),
        ("KOI8-R", "Погода завтра", "шт", True),
        ("ISO-8859-5", "Погода завтра", "По", True),
        ("windows-1253", "Ο καιρός αύριο", "με", True),
        ("windows-1255", "שלום עולם חדש", "לא", True),
        ("windows-1251", "Погода завтра", "é", False),
        ("windows-1251", "Погода завтра", "été", False),
        ("windows-1251", "Погода завтра", "«à»", False),
        ("windows-1251", "Погода завтра", "²³", False),
        ("windows-1251", "Погода завтра", "éé", True),
    ],
)
@each("shape", ["<a>{1} {0}</a>", "<a>{0}</a><b>{1}</b>", "<a>{0}, 10 {1}.</a>"])
def test_a_word_of_two_letters_in_the_declared_encoding(
    label: str, utf8: str, word: str, refused: bool, shape: str
) -> None:
    """Western words of two letters have one of a to z."""
    codec = label if word.encode("cp1252", "ignore").decode("cp1252") != word else "cp1252"
    before, after = shape.format(utf8, "|").encode().split(b"|")
    head = f'<?xml version="1.0" encoding="{label}"?><r>'.encode()
    found = refusal(head + before + word.encode(codec) + after + b"</r>")
    assert bool(found) == refused, found


@pytest.mark.parametrize("force", [[], ["--force"]])
@pytest.mark.parametrize(
    ("label", "other"),
    [("ISO-8859-15", b"5 \xa4"), ("ISO-8859-9", b"\xfe\xf6yle"), ("windows-1254", b"a\xf0a")],
)
def test_utf8_among_bytes_that_windows_1252_reads_otherwise_is_refused(
    label: str, other: bytes, force: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(document(label, "|").encode().replace(b"|", "été, ".encode() + b"d\xe9j\xe0 " + other))
    assert call("repair", *force, path, "-o", tmp_path / "out") == 2
    assert f"the file is in {label}, but at byte" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("label", "utf8", "western"),
    [
        ("KOI8-U", RUSSIAN, "caf\xe9 \xe9t\xe9"),  # two letters
        ("EUC-KR", KOREAN, "le d\xe9but, \xe9t\xe9, \xe0 b\xeate"),  # not in pairs
        ("windows-1252", FRENCH, "\xe9\xe0\xe8"),
        ("ISO-8859-15", "Am Abend wird es kühler \xd0\xdd\xde", "caf\xe9 “x”"),
        ("windows-1257", FRENCH, "\xe9t\xe9"),
        ("UTF-8", JAPANESE, "d\xe9j\xe0 vu, cr\xe8me"),
        ("UTF-8", f"{FRENCH} {RUSSIAN}", "\xc0\xc9\xc8 \xc7a"),
    ],
)
def test_western_words_are_repaired_under_any_declaration(
    label: str, utf8: str, western: str, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    text = document(label, f"{utf8}\n" * 3 + "|")
    path.write_bytes(text.encode().replace(b"|", western.encode("cp1252")))
    assert call("repair", path, "-o", tmp_path / "out") == 0
    assert western in (tmp_path / "out").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", WRITTEN)
def test_western_words_are_repaired_beside_utf8_of_any_language(kind: str, tmp_path: Path) -> None:
    """Also where one title in UTF-8 has names of another language than the document."""
    utf8 = WRITTEN[kind][0]
    western = "Wetter: am Nachmittag wird es kühler, größere Schäden drohen nicht; à bientôt, señor Müller\n"
    path = tmp_path / "file"
    for before in utf8, f"{' '.join(utf8.split()[:2])} spielte gestern in München für die Gäste":
        path.write_bytes(f"{before}\n".encode() + western.encode("cp1252"))
        assert call("repair", path, "-o", tmp_path / "out") == 0
        assert (tmp_path / "out").read_text(encoding="utf-8") == f"{before}\n{western}"


TWO_ENCODINGS = {
    # Lines of a charset, more than of UTF-8.
    "Russian in windows-1251": (RUSSIAN, "cp1251"),
    "Russian in ISO-8859-5": (RUSSIAN.replace("»", ""), "iso8859_5"),
    "Russian in KOI8-R": (RUSSIAN.replace("»", ""), "koi8_r"),
    "Arabic": ("أخبار اليوم: المطر والرياح في القاهرة", "cp1256"),
    "Polish": (POLISH, "cp1250"),
    "Lithuanian": ("Orų prognozė: po pietų lietus, vakare atvės", "cp1257"),
    "Estonian": ("Ilmateade: õhtul sajab vihma, öösel läheb külmemaks, šokk ja žanr", "cp1257"),
    "Japanese in Shift_JIS": (JAPANESE, "cp932"),
    "Korean": (KOREAN, "euc_kr"),
}


def test_a_conversion_into_characters_for_private_use_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(document("GB2312", "無效的 IPv6 位址。").encode("big5"))
    for report in ([], ["--report"]):
        assert call("repair", "--force", *report, path, "-o", tmp_path / "out") == 0
        told = "file: 4 characters for private use in GB2312: it may be in another encoding\n"
        assert told in capsys.readouterr().err
    assert sum("\ue000" <= char <= "\uf8ff" for char in (tmp_path / "out").read_text("utf-8")) == 4
    path.write_bytes(OTHERS["GB2312"])
    assert call("repair", "--force", path, "-o", tmp_path / "out") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("far", "label"),
    [(0, ""), (1_100_000, "label"), pytest.param(0, "label", marks=pytest.mark.long)],
)
@pytest.mark.parametrize("kind", TWO_ENCODINGS)
def test_lines_of_utf8_are_not_read_in_the_charset_of_the_others(
    kind: str, far: int, label: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, codec = TWO_ENCODINGS[kind]
    line = f"{text}\n".encode(codec)
    beginning = f'<?xml version="1.0" encoding="{label and codec}"?>\n'.encode() if label else b""
    path = tmp_path / "file"
    before = beginning + line * 40 + b"x\n" * (far // 2) + f"{text}\n".encode() * 3 + line
    path.write_bytes(before)
    assert call("repair", "-i", "--force", path) == 2
    at = len(beginning + line * 40) + far
    error = capsys.readouterr().err
    assert f"at byte {at} it has UTF-8: {text[:20]}" in error
    assert "convert each part from its own encoding" in error
    assert path.read_bytes() == before
    assert call("repair", path, "-o", tmp_path / "out") == 2
    assert ("--force" in capsys.readouterr().err) == (far > 0)


def test_utf8_among_what_force_reads_as_windows_1252_stays(tmp_path: Path) -> None:
    """The other lines seem to be DOS or Mac text."""
    line = "paroda, senų knygų įvykis. laukė ėjimas, Žąsys ūkis\n"
    others = "Jutros čekali otvorena đak, posjetitelji Šuma, ćup. izložba pred\n".encode("iso8859_2") * 2
    path = tmp_path / "file"
    path.write_bytes(line.encode() + others)
    assert call("repair", path) == 2
    assert call("repair", "--force", "-i", path) == 0
    assert path.read_text("utf-8") == line + others.decode("cp1252")


@pytest.mark.parametrize(
    ("language", "codec"),
    [("fr", "cp1252"), ("de", "iso8859_15")]
    + [
        pytest.param(language, codec, marks=pytest.mark.long)
        for language in ("de", "es", "fr", "pt", "sv")
        for codec in ("cp1252", "iso8859_15")
        if (language, codec) not in {("fr", "cp1252"), ("de", "iso8859_15")}
    ],
)
def test_western_items_in_utf8_of_any_language_are_repaired(
    language: str, codec: str, tmp_path: Path
) -> None:
    texts = Path(__file__).parents[2] / "fixtures" / "texts"
    item = (
        (texts / f"{language}.toml").read_text(encoding="utf-8").split("[[items]]")[1].encode(codec, "ignore")
    )
    for other in sorted(texts.glob("*.toml")):
        document = f'<feed xml:lang="{other.stem}">'.encode() + other.read_bytes()
        (tmp_path / "file").write_bytes(document + item)
        euros = codec == "iso8859_15" and language in ("es", "fr")  # prices, `½` for `œ`
        assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 2 * euros
        if not euros:
            assert (tmp_path / "out").read_bytes() == document + item.decode("cp1252").encode()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "pt", "sv"])
@pytest.mark.parametrize("codec", ["cp1252", "cp850", "mac_roman"])
def test_text_of_the_languages_of_windows_1252(language: str, codec: str, tmp_path: Path) -> None:
    """Their texts in windows-1252 are repaired, also item by item; whole ones of DOS and Mac are refused."""
    source = (Path(__file__).parents[2] / "fixtures" / "texts" / f"{language}.toml").read_text(
        encoding="utf-8"
    )
    path = tmp_path / "file"
    for text in (source, *(source.split("[[items]]") if codec == "cp1252" else ())):
        data = text.encode(codec, "ignore")
        path.write_bytes(data)
        code = call("repair", path, "-o", tmp_path / "out")
        assert code == (0 if codec == "cp1252" else 2)
        if not code:
            assert (tmp_path / "out").read_text(encoding="utf-8") == data.decode(codec)


def test_the_words_of_statements_are_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("DPX attēls", "Excel izklājlapa", "Gzip arhīvs", "JPEG attēls", "LHA arhīvs", "JET datubāze")
    rows = [
        f"INSERT INTO t VALUES ({at},'{word}',NULL,'2024-01-01');\n" for at, word in enumerate(words * 12)
    ]
    path = tmp_path / "dump.sql"
    path.write_bytes("".join(rows).encode("cp1257"))
    assert call("repair", "-i", path) == 2
    assert "the file seems to be in windows-1257" in capsys.readouterr().err
    assert call("repair", "-i", "--force", path) == 0
    assert path.read_text(encoding="utf-8") == "".join(rows)
    french = "".join(rows).replace("ā", "é").replace("ē", "à").replace("ī", "ê")
    path.write_bytes(french.encode("cp1252"))
    assert call("repair", "-i", path) == 0
    assert path.read_text(encoding="utf-8") == french


@pytest.mark.parametrize("kind", OTHERS)
def test_force_converts_from_the_encoding(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(OTHERS[kind])
    meant = decode(OTHERS[kind], declaration="keep").text
    assert call("repair", "-i", "--force", path) == 0
    assert capsys.readouterr().err == ""
    text = path.read_bytes().decode()
    assert text.split("?>")[-1] == meant.split("?>")[-1]
    if kind in DECLARED:
        assert text == document("UTF-8", DECLARED[kind][0])


def test_a_charset_that_no_label_names_is_named_as_a_guess(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(TRADITIONAL.encode("gb18030"))
    assert call("repair", "-i", path) == 2
    assert "the file seems to be in GB18030" in capsys.readouterr().err
    assert call("repair", "-i", "--force", path) == 0
    assert path.read_bytes().decode() == TRADITIONAL


def test_force_says_what_the_encoding_does_not_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(document("Shift_JIS", JAPANESE).encode("cp932") + b"\xe9\xff\x85")
    at = path.stat().st_size - 3
    out = tmp_path / "out"
    assert call("repair", "--force", path, "-o", out) == 0
    said = capsys.readouterr().err
    assert said == f"feedcharset: {path}: 2 places not in Shift_JIS, replaced; --report lists them\n"
    assert call("repair", "--force", "--report", path, "-o", out) == 0
    assert capsys.readouterr().err.splitlines() == [
        "converted from Shift_JIS to UTF-8",
        "bytes: 2",
        'declaration: encoding="Shift_JIS" became encoding="UTF-8"',
        f"byte {at}: E9 was replaced",
        f"byte {at + 2}: 85 was replaced",
    ]


@pytest.mark.parametrize(
    "kind",
    [
        *(*NEVER, "PNG", "JPEG", "GIF", "WebP", "PDF", "an icon", "a program", "a web archive", "RTF"),
        *("PDF behind a line", "a torrent", "a dated torrent", "an older web archive", "DjVu"),
        *("a Windows program", "a library", "compiled code", "a database", "a font", "random bytes"),
    ],
)
def test_force_unpacks_nothing_and_writes_no_picture(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(REFUSED[kind])
    for options in ["-i", "--force"], ["-i"]:
        assert call("repair", *options, path) == 2
        assert path.read_bytes() == REFUSED[kind]
        assert "--force" not in capsys.readouterr().err


NAMED = {
    "zip": "a zip archive",
    "zlib": "a zlib file",
    "xz": "an xz file",
    "PNG": "a PNG image",
    "WebP": "a WebP image",
    "an icon": "an icon",
    "PDF": "a PDF document",
    "PDF behind a line": "a PDF document",
    "a torrent": "a torrent",
    "a torrent without announce": "a torrent",
    "a dated torrent": "a torrent",
    "a program": "a program",
    "a web archive": "a web archive",
    "an older web archive": "a web archive",
    "DjVu": "a DjVu document",
    "RTF": "an RTF document",
}


@pytest.mark.parametrize("kind", NAMED)
def test_every_command_names_what_holds_no_text(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(REFUSED[kind])
    assert call("check", "--json", tmp_path / "file") == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [(one["code"], one["message"]) for one in findings] == [
        ("body-binary", f"this is {NAMED[kind]}, not XML")
    ]
    for command in ("repair", "detect"):
        call(command, tmp_path / "file")
        assert f": the file is {NAMED[kind]}" in capsys.readouterr().err
    for command, *output in (["cat"], ["cat", "-o", tmp_path / "out"], ["explain"], ["explain", "--json"]):
        assert call(command, tmp_path / "file", *output) == 2
        out, err = capsys.readouterr()
        assert (out, err) == (
            "",
            f"feedcharset: {tmp_path / 'file'}: it is {NAMED[kind]}, which is no text\n",
        )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("cut", [8, 9])
def test_damaged_iso_2022_jp_stays(cut: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = b'<?xml version="1.0" encoding="ISO-2022-JP"?><a>' + "今日".encode("iso2022_jp")[:-cut] + b"</a>"
    path = tmp_path / "feed.xml"
    path.write_bytes(body)
    assert call("repair", "-i", path) == 2
    assert "its escape sequences are damaged; --force" in capsys.readouterr().err
    assert path.read_bytes() == body
    assert call("repair", "-i", "--force", path) == 0
    assert path.read_bytes() == body.replace(b"ISO-2022-JP", b"UTF-8")


def test_iso_2022_jp_with_utf8_is_refused_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = '<?xml version="1.0" encoding="ISO-2022-JP"?><a>' + JAPANESE * 400
    path = tmp_path / "feed.xml"
    path.write_bytes(body.encode() + "日本".encode("iso2022_jp") + b"</a>")
    assert call("repair", path, "-o", tmp_path / "out") == 2
    assert (
        "as ISO-2022-JP, and has text in another encoding, UTF-8 perhaps; convert" in capsys.readouterr().err
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("options", [[], ["--force"]], ids=str)
@pytest.mark.parametrize("number", [5, 200, 60_000])
@pytest.mark.parametrize("utf8", ["日本語のテキスト\n", "é\n", "“x”\n"])
def test_lines_of_utf8_are_not_lost_among_iso_2022_jp(
    utf8: str, number: int, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where UTF-8 is more, --force takes the escape sequences for text."""
    path, lines = tmp_path / "file", "明日の天気は晴れでしょう\n".encode("iso2022_jp") * number
    for body in (lines + utf8.encode(), utf8.encode() + lines):
        path.write_bytes(body)
        code = call("repair", "-i", *options, path)
        assert path.read_bytes() == body
        told = capsys.readouterr().err
        assert (code == 2) == ("convert each part" in told or "--force converts it from ISO-2022-JP" in told)
        assert code == 2 or options


@pytest.mark.parametrize("number", [1, 6])
@pytest.mark.parametrize("other", ["Größere Überschüsse\n", "déjà\n", "ö\n"])
def test_iso_2022_jp_among_words_in_windows_1252_is_refused(
    other: str, number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, japanese = tmp_path / "file", JAPANESE.encode("iso2022_jp") + b"\n"
    for body in (japanese * number + other.encode("cp1252"), other.encode("cp1252") + japanese * number):
        path.write_bytes(body)
        assert (call("repair", "-i", path), path.read_bytes()) == (2, body)
        assert "it has text in ISO-2022-JP, and text in another" in capsys.readouterr().err
    path.write_bytes(b"a \x1b$5 \x1b(0 " + other.encode("cp1252"))  # no text in it
    assert call("repair", "-i", path) == 0


OF_ANOTHER_PAGE = {
    "windows-1257": (
        "cp1257",
        "Bibliotēka atvērta katru dienu\nIedzīvotāji pulcējās vakarā, izņemot svētdienas\n",
    ),
    "windows-1250": (
        "cp1250",
        "Předpověď počasí na zítřek: déšť a silný vítr\nTěžký den čeká řidiče, mlhy\n",
    ),
    "windows-1251": ("cp1251", "Погода на завтра: дождь и сильный ветер\n"),
    "IBM850": ("cp850", "Größere Überschüsse fließen jährlich\nÖffnungszeiten täglich\n"),
}


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("kind", OF_ANOTHER_PAGE)
def test_lines_of_another_page_among_western_ones_are_refused(
    kind: str, first: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two dozen letters of them are enough."""
    codec, text = OF_ANOTHER_PAGE[kind]
    western = "Größere Überschüsse fließen in die Straßenbeleuchtung\nÖffnungszeiten täglich\n".encode(
        "cp1252"
    )
    lines = text.encode(codec) * 4
    path = tmp_path / "file.log"
    for number in (1, 40):
        path.write_bytes(data := lines + western * number if first else western * number + lines)
        assert (call("repair", "-i", path), path.read_bytes()) == (2, data)
        assert f" seems to be in {kind}" in capsys.readouterr().err or number == 1
    path.write_bytes(western * 40)
    assert call("repair", "-i", path) == 0


def test_one_line_without_spaces_is_repaired(tmp_path: Path) -> None:
    path = tmp_path / "feed.txt"
    for body, text in (
        ("今天下雨".encode() * 40 + b"\xe9", "今天下雨" * 40 + "é"),
        (b"caf\xe9" * 15, "café" * 15),  # too short to tell
        (b"caf\xe9" * 90, "café" * 90),
    ):
        path.write_bytes(body)
        assert call("repair", "-i", path) == 0
        assert path.read_text(encoding="utf-8") == text


def cursor(color: bytes) -> bytes:
    """A picture as X has them: numbers of four bytes, and pixels that are mostly transparent."""
    head = b"Xcur" + struct.pack("<9I", 16, 65536, 5, 0xFFFD0002, 24, 76, 0xFFFD0002, 32, 2416)
    return head + (b"\0" * 60 + color * 4) * 90


@each(
    "data",
    [
        b"\x0e\xa6\0\0\0\x008\x1b$&\0\0\0\0\0\0\0:\xbc\xd2\xa6\0\0\0\0;",  # ESC $ by chance
        *(cursor(bytes(color)) for color in ((0xE1, 0xF2, 0xEF, 0xFF), (0xA0, 0xA2, 0xAF, 0xE0))),
    ],
)
def test_binary_data_is_in_no_encoding(data: bytes) -> None:
    assert (refusal(data) or "").startswith("the file is binary, or text in an encoding that nothing names")


def test_force_repairs_what_seems_binary(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a line\n \0caf\xe9")
    assert call("repair", "-i", path) == 2
    assert call("repair", "-i", "--force", path) == 0
    assert path.read_bytes() == "a line\n \0café".encode()
    path.write_bytes(b"line\n" * 40 + b"\0" * 4096 + b"caf\xe9\n" * 40)  # a file system has lost a block
    assert call("repair", "-i", "--force", path) == 0
    assert path.read_text(encoding="utf-8").endswith("\0café\n" + "café\n" * 39)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("force", [[], ["--force"]])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "before", ["a plain line\n" * 700, "Zeile über Größe\n" * 700, "<rss>\n" + "<item/>\n" * 900]
)
@each(
    "line",
    [
        "price 5 €, “ok” – now\n",
        "\ufeffGröße: fünf Äpfel\n",
        "今天下雨了，所以我想在家裡看書。\n",
        "là, bien compris",
    ],
)
def test_a_line_in_utf_16_behind_others_is_refused(
    before: str, codec: str, force: list[str], line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PowerShell's `>>` adds one. It has too few NULs for binary data; what is written alike stays."""
    path = tmp_path / "file.log"
    for encoding in ("utf-8", "cp1252"):
        data = before.encode(encoding) + line.encode(codec)
        path.write_bytes(data)
        assert call("repair", "-i", *force, path) == 2
        at = len(before.encode(encoding))
        assert (
            f"at byte {at} it has UTF-16; convert each part from its own encoding" in capsys.readouterr().err
        )
        assert path.read_bytes() == data
    path.write_bytes(data := b"a plain line\n" * 700 + "plain\n".encode(codec))
    assert (call("repair", "-i", path), path.read_bytes()) == (0, data)


UTF16_LINE = "日本語の文章です。\n".encode("utf-16-be")


@each(
    ("data", "at"),
    [
        (b"abc\n" + "ä sevens".encode("utf-16-le")[:-2], -1),  # less than eight characters in a row
        (b"abc\n" + "plain line".encode("utf-16-le"), 4),
        (b"abc\n" + "plain line".encode("utf-16-be"), 4),
        (b"abc\0\0\0\0\0\0\0\0\0\0\0\0\0\n\0def\n", -1),  # a lost block
        (b"a\0b\n\0" * 20, -1),
        (b"caf\xe9\n\n\0\x08[index\0\x08]\n", -1),  # a file of Info
        (b"caf\xe9\n\0\r\0\n\nabc\n", -1),
        (b"abc\n" + UTF16_LINE, 4),
        (b"\xff\0\n" * (LINE_ENDS_LOOKED_AT - 1) + UTF16_LINE, 3 * LINE_ENDS_LOOKED_AT - 3),
        (b"\xff\0\n" * LINE_ENDS_LOOKED_AT + UTF16_LINE, -1),
    ],
)
def test_where_a_line_in_utf_16_begins(data: bytes, at: int) -> None:
    assert utf16_within(data) == at


SIGNED = {
    # Small files of formats that begin with a control character; some have no other.
    "a CMap": b"\x03\xe0RCopyright 1990-2009 Adobe Systems Incorporated.\nAll rights reserved.\nLICENSE\xe1",
    "a catalogue of gettext": struct.pack("<7I", 0x950412DE, 0, 1, 28, 36, 0, 44)
    + struct.pack("<4I", 3, 44, 4, 48)
    + b"dag\0p\xe4iv\0",
    "a catalogue of Qt": b"\x3c\xb8\x64\x18\xca\xef\x9c\x95" + b"\x81p\xe4iv " * 40,
    "a table of dBASE": b"\x03" + b"NAME  ORT   M\x81ller K\x94ln  " * 9,
    "UTF-16 that nothing names": "Größe".encode("utf-16-be"),
    "deflate data": zlib.compress(b"Am Abend wird es k\xfchler, und dann regnet es am Rhein\n" * 9, 9)[2:],
    "a matrix of MATLAB": struct.pack("<5I2d", 0, 1, 2, 0, 2, 0.1, -7.5).replace(b"\0\0\2", b"\0\0\2a"),
    "samples of sound": struct.pack("<60h", *(3 * at - 90 for at in range(60))),
    "a late one": b"K\xf6ln 12" + b"\x0f caf\xe9 \x0e" + b"x" * (3 * NOISE_SHARE - 20),
}


@pytest.mark.parametrize("force", [[], ["--force"]])
@pytest.mark.parametrize("kind", SIGNED)
def test_a_file_that_begins_as_a_binary_format_is_refused(
    kind: str, force: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(SIGNED[kind])
    assert call("repair", "-i", *force, path) == 2
    error = capsys.readouterr().err
    assert "the file is binary, or text in an encoding that nothing names; feedcharset cat" in error
    assert "--force" not in error
    assert path.read_bytes() == SIGNED[kind]


@pytest.mark.long
@each("byte", [byte for byte in range(0x80) if byte < 0x20 or byte == 0x7F])
def test_no_text_has_a_control_character_in_its_first_bytes(
    byte: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At any of them, but for what separates, white space and ESC; behind them as everywhere in text."""
    path, rest = tmp_path / "file", b" Am Abend wird es k\xfchler, und caf\xe9"
    for at in range(SIGNATURE_SPAN + 1):
        data = b"\xef\xbb\xbfK\xf6ln\r\n"[:at].ljust(at) + bytes([byte]) + rest
        path.write_bytes(data)
        text = byte in SEPARATORS or byte not in CONTROL_BYTES or at == SIGNATURE_SPAN
        for force in [], ["--force"]:
            code = call("repair", *force, path, "-o", tmp_path / "out")
            assert code == (0 if text and (force or byte) else 2), (at, force, capsys.readouterr().err)
        if text:
            assert (tmp_path / "out").read_bytes() == filtered(data).data
            (tmp_path / "out").unlink()


@pytest.mark.parametrize("size", [390, 410, 4096, 100_000])
def test_a_block_of_nuls_among_lines_is_no_binary_data(size: int, tmp_path: Path) -> None:
    """As a power failure leaves in a log."""
    path, lines = tmp_path / "file.log", b"disk caf\xe9 full\n" * 1000
    for first in lines, b"<a>lost sector</a>\n":  # far from the beginning, or behind a tag
        path.write_bytes(before := first + bytes(size) + lines)
        assert call("repair", "-i", path) == 0
        assert path.read_bytes() == before.replace(b"\xe9", b"\xc3\xa9")


OF_OTHERS = {
    "cp1251": "Погода на завтра: дождь\nГубернатор встретился с жителями области\n",
    "cp1250": "Příliš žluťoučký kůň úpěl\nVláda schválila nový zákon o školách\n",
    "cp1253": "Ο καιρός αύριο θα είναι βροχερός\nΗ κυβέρνηση αποφάσισε χθες\n",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("first", [*OF_OTHERS, ""])
@pytest.mark.parametrize("second", OF_OTHERS)
@each(
    "line",
    ["L'été à la plage, déjà vu\n", "Größe und Übung in Köln\n", "Погода на завтра\n", "Žluťoučký kůň\n"],
)
def test_what_is_refused_as_parts_is_refused_with_force(
    first: str, second: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """UTF-8 before two other encodings was read as windows-1252, without a word."""
    parts = [OF_OTHERS[codec].encode(codec) for codec in (first, second) if codec]
    path = tmp_path / "file"
    path.write_bytes(before := line.encode() + b"".join(parts))
    assert call("repair", "-i", path) == 2
    of_parts = "convert each part from its own encoding\n" in capsys.readouterr().err
    assert of_parts or (first, second, line[0]) != ("cp1251", "cp1250", "L")
    if of_parts:
        assert call("repair", "-i", "--force", path) == 2
        assert "convert each part from its own encoding" in capsys.readouterr().err
        assert path.read_bytes() == before


NULS = {f"{size} NULs": bytes(size) for size in (1, 5, 100, 4096, 300_000)}
"""What a crash leaves of a file."""


@pytest.mark.parametrize("kind", [*SIGNED, *NULS])
def test_cat_prints_no_binary_data(
    kind: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "file"
    path.write_bytes((SIGNED | NULS)[kind])
    for output in [], ["-o", tmp_path / "out"]:
        assert call("cat", path, *output) == 2
        out, err = capfdbinary.readouterr()
        assert (out, b"it is binary, or text in an encoding that nothing names" in err) == (b"", True)
    assert os.listdir(tmp_path) == ["file"]
    assert call("cat", "--encoding", "IBM850", path) == 0


@pytest.mark.parametrize("options", [[], ["--force"]], ids=str)
@pytest.mark.parametrize(
    ("codec", "text"),
    [("cp037", "Größe"), ("cp273", "Größe"), ("cp424", "שלום"), ("cp875", "Ελλάδα"), ("cp1026", "Çağ")],
)
def test_a_page_of_ebcdic_that_nothing_names_is_no_fact(
    codec: str, text: str, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its letters, and in IBM1026 its quotation marks, are others in other pages."""
    path = tmp_path / "file"
    xml = [f'<?xml version="1.0"{named}?><a b="1">{text}</a>' for named in ("", ' encoding="ISO-8859-1"')]
    plain = [f"{text} {text}, {text}\n1234 {text}\n"] if codec != "cp424" else []  # letters at 41 to 71
    for body in (*xml, *plain):
        path.write_bytes(before := body.encode(codec))
        assert (call("repair", "-i", *options, path), path.read_bytes()) == (2, before)
        told = capsys.readouterr().err
        assert "it seems to be in IBM" in told
        assert "feedcharset cat --encoding IBM" in told
    path.write_bytes(document(codec, text).encode(codec))
    assert call("repair", "-i", *options, path) == (0 if options else 2)
    assert path.read_bytes() == document("UTF-8" if options else codec, text).encode(
        "utf-8" if options else codec
    )


@each("codec", ["utf-16", "utf-16-le", "utf-32", "cp037", "cp1252"])
def test_cat_prints_documents_with_control_characters(
    codec: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (tmp_path / "file").write_bytes("<?xml version='1.0'?><a>\x02\x03Größe</a>".encode(codec))
    assert call("cat", tmp_path / "file") == 0
    assert "Größe" in capfdbinary.readouterr().out.decode()
    (tmp_path / "file").write_bytes(b"\x02\x03\n<a>Gr\xf6\xdfe</a>")  # junk before a document
    assert call("cat", tmp_path / "file") == 0


@pytest.mark.parametrize(("before", "code"), [(NOISE_SPAN - 26, 2), (NOISE_SPAN - 25, 0)])
def test_cat_looks_at_the_first_characters(before: int, code: int, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(("€" * before + "\x0e\x0f" * 13).encode())
    assert call("cat", tmp_path / "file", "-o", tmp_path / "out") == code


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"caf\xe9 123\x0f; \x0e".ljust(2 * NOISE_SHARE - 1), 2),
        (b"caf\xe9 123\x0f; \x0e".ljust(2 * NOISE_SHARE), 0),
        (b"caf\xe9 123\x0f; \x0f".ljust(2 * NOISE_SHARE - 1), 0),  # the same
        (b"caf\xe9 123\x1e; \x1f".ljust(2 * NOISE_SHARE - 1), 0),  # separators
        (b"caf\xe9\n".ljust(NOISE_SPAN - 40) + b"\x0f\x0e" * 20, 2),
        (b"caf\xe9\n".ljust(NOISE_SPAN) + b"\x0f\x0e" * 20, 0),
    ],
)
def test_where_control_characters_are_too_many(data: bytes, code: int, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    assert call("repair", "--force", tmp_path / "file", "-o", tmp_path / "out") == code


SEPARATED = {
    # Text that begins with a control character, or has one behind its first word.
    "fields of Hive": "12\x01Käse\x01Alles über die Sorten aus den Alpen\n" * 30,
    "a JSON text sequence": '\x1e{"title": "Käse", "text": "Alles über die Sorten aus den Alpen"}\n' * 30,
    "a mailbox": ("\x01\x01\x01\x01\nSubject: Käse\n\n" + "Alles über die Sorten aus den Alpen\n" * 9) * 30,
    "overstriking": "N\x08Na\x08am\x08me\x08e\n  Käse, alles über die Sorten aus den Alpen\n"
    + "  Käse\n" * 90,
    "colours": "\x1b[31mKäse\x1b[0m\n" * 30,
    "pages": "\x0cKäse\n" * 30,
    "a file of CP/M": "Käse aus den Alpen\r\n" * 4 + "\x1a" * 48,
    "a long file of CP/M": "Käse aus den Alpen\r\n" * 405 + "\x1a" * 127,
}


@pytest.mark.parametrize("kind", SEPARATED)
def test_text_with_separators_is_repaired(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(SEPARATED[kind].encode("cp1252"))
    assert call("repair", "-i", path) == 0
    assert path.read_bytes() == SEPARATED[kind].encode()


def test_a_lost_block_at_the_beginning_is_no_signature(tmp_path: Path) -> None:
    """A log that was cut to nothing while it was written goes on behind a hole."""
    path = tmp_path / "file"
    for holes in SIGNATURE_SPAN, 4096:
        path.write_bytes(b"\0" * holes + b"caf\xe9\n" * 40)
        assert call("repair", "-i", path) == 2
        assert call("repair", "-i", "--force", path) == 0
        assert path.read_bytes() == b"\0" * holes + "café\n".encode() * 40
    path.write_bytes(b"\0" * (SIGNATURE_SPAN - 1) + b"caf\xe9\n" * 40)
    assert call("repair", "-i", "--force", path) == 2


@pytest.mark.sampled(10)
@pytest.mark.parametrize("kind", REPAIRED)
def test_what_is_written_is_labelled_truly(
    kind: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In place, to standard output, and from a pipe that gives a few bytes at a time."""
    before, after = REPAIRED[kind]
    path = tmp_path / "file"
    path.write_bytes(before)
    assert call("repair", path) == 0
    assert capfdbinary.readouterr().out.decode() == after

    class Slow(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(7, size or 0))

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=Slow(before), isatty=lambda: False))
    assert call("repair") == 0
    assert capfdbinary.readouterr().out.decode() == after
    assert call("repair", "-i", path) == 0
    assert path.read_bytes().decode() == after
    assert decode(path.read_bytes()).resolution.encoding in ("UTF-8", "US-ASCII")


@pytest.mark.parametrize("kind", UNCHANGED)
def test_what_needs_nothing_is_not_written(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(UNCHANGED[kind])
    os.utime(path, (1, 1))
    inode = path.stat().st_ino
    assert call("repair", "-i", "--backup", path) == 0
    assert (path.read_bytes(), path.stat().st_ino, path.stat().st_mtime) == (UNCHANGED[kind], inode, 1)
    assert os.listdir(tmp_path) == ["file"]


REPORTS = [
    (
        b"a\r\ncaf\xe9 \xc3\xa9\xe8",
        [],
        ["line 2, column 4 (byte 6): E9 became é", "line 2, column 7 (byte 10): E8 became è"],
    ),
    (b"\xe2\x82x", ["--errors", "replace"], ["line 1, column 1 (byte 0): E2 82 became \ufffd"]),
    (b"a\xe9", ["--errors", "space"], ["line 1, column 2 (byte 1): E9 became a space"]),
    (
        b"\r\xed\xa0\xbd\xed\xb8\x80",
        ["--cesu8", "join"],
        ["line 2, column 1 (byte 1): ED A0 BD ED B8 80 became 😀"],
    ),
    ("<a>é itâ€™s</a>".encode(), ["--mojibake", "fix"], ["line 1, column 8 (byte 8): â€™ became ’"]),
    (
        b'<?xml version="1.0" encoding="latin1"?><a>\xe9</a>',
        [],
        [
            'declaration: encoding="latin1" became encoding="UTF-8"',
            "line 1, column 43 (byte 42): E9 became é",
        ],
    ),
    (
        b"\xff\xfe<a>caf\xe9\n\xe9",
        [],
        ["line 1, column 7 (byte 8): E9 became é", "line 2, column 1 (byte 10): E9 became é"],
    ),
    ("é".encode() * 600_000 + b"\n\xe9", [], ["line 2, column 1 (byte 1200001): E9 became é"]),
    ("é".encode() * 600_000 + b"\xe9", [], ["line 1, column 600001 (byte 1200000): E9 became é"]),
]


@pytest.mark.parametrize(("data", "options", "lines"), REPORTS)
def test_the_report_shows_places_and_what_changed(
    data: bytes, options: list[str], lines: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(data)
    assert call("repair", "--report", *options, tmp_path / "file", "-o", tmp_path / "out") == 0
    shown = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("feedcharset: ")]
    assert [line for line in shown if " became " in line] == lines


@pytest.mark.parametrize("label", ["US-ASCII", "ISO-8859-1", "windows-1251", "Shift_JIS"])
def test_the_report_of_a_file_that_stays_as_it_is(
    label: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = f'<?xml version="1.0" encoding="{label}"?><rss>plain</rss>'.encode()
    (tmp_path / "file").write_bytes(data)
    assert call("repair", "--in-place", "--report", tmp_path / "file") == 0
    assert capsys.readouterr().err == f"{tmp_path / 'file'}: nothing to repair\n"
    assert (tmp_path / "file").read_bytes() == data
    assert call("repair", "--report", tmp_path / "file", "-o", tmp_path / "out") == 0
    assert f'encoding="{label}" became encoding="UTF-8"' in capsys.readouterr().err
    assert (tmp_path / "out").read_bytes() == data.replace(label.encode(), b"UTF-8")


def test_the_report_names_a_byte_order_mark_that_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(b"\xff\xfe<a>plain</a>")
    assert call("repair", "--report", tmp_path / "file", "-o", tmp_path / "out") == 0
    assert capsys.readouterr().err.splitlines() == ["byte order mark: removed"]
    (tmp_path / "file").write_bytes(b"\xff\xfe" + document("Shift_JIS", JAPANESE).encode("cp932") + b"\xff")
    at = (tmp_path / "file").stat().st_size - 1
    assert call("repair", "--force", "--report", tmp_path / "file", "-o", tmp_path / "out") == 0
    assert capsys.readouterr().err.splitlines()[-1] == f"byte {at}: FF was replaced"


def test_the_report_names_a_conversion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_bytes(OTHERS["KOI8-R"])
    assert call("repair", "--report", "--force", tmp_path / "file", "-o", tmp_path / "out") == 0
    assert capsys.readouterr().err.splitlines() == [
        "converted from KOI8-R to UTF-8",
        'declaration: encoding="KOI8-R" became encoding="UTF-8"',
    ]


@pytest.mark.parametrize("lines", [2, 10, 40])
def test_more_words_of_the_named_language_are_no_less_evidence(
    lines: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever language fits the letters best: the document names one that is written in that charset."""
    turkish = "Güneş doğdu, şimdi dışarı çıkıyoruz. İyi günler, arkadaşlar!\n"
    path = tmp_path / "file"
    utf8 = f"<rss><language>tr</language>{turkish * 10}"
    path.write_bytes(utf8.encode() + (turkish * lines).encode("cp1254") + b"</rss>")
    assert call("repair", path, "-o", tmp_path / "out") == 2
    assert "windows-1254" in capsys.readouterr().err


ALPHABETS = {
    "windows-1251": "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "koi8-r": "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "iso8859-7": "αβγδεζηθικλμνξοπρσςτυφχψω",
    "iso8859-8": "אבגדהוזחטיךכלםמןנסעףפץצקרשת",
    "windows-1256": "ابةتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "windows-1252": "àáâãäåçèéêëìíîïñòóôõöùúûüý",
}


@pytest.mark.parametrize("charset", ALPHABETS)
@pytest.mark.parametrize("line", ["{};{}\n", '<a href="/{1}">{0}</a>\n'])
def test_a_table_of_letters_shows_no_encoding(
    charset: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = "".join(line.format(letter, at) for at, letter in enumerate(ALPHABETS[charset])).encode(charset)
    path = tmp_path / "table"
    path.write_bytes(table)
    assert call("repair", "-i", path) == 2
    assert path.read_bytes() == table
    assert "stand alone" in capsys.readouterr().err
    assert call("repair", "-i", "--force", path) == 0


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b" ".join(bytes([byte]) for byte in range(0xE0, 0xE0 + ALPHABET)), 2),
        (b" ".join(bytes([byte]) for byte in range(0xE0, 0xE0 + ALPHABET - 1)), 0),
        # Words stand beside them; it is UTF-8 with some such letters; a declaration names the encoding.
        (b" ".join(b"%c caf\xe9 \xe9t\xe9" % byte for byte in range(0xE0, 0xE0 + ALPHABET)), 0),
        ("été ".encode() * 99 + b" ".join(b"%c" % byte for byte in range(0xE0, 0xF0)), 0),
        (
            b'<?xml version="1.0" encoding="windows-1252"?><a>'
            + b" ".join(b"%c" % byte for byte in range(0xE0, 0xF0)),
            0,
        ),
    ],
    ids=["table", "fewer", "words", "UTF-8", "declared"],
)
def test_how_many_letters_are_a_table(data: bytes, code: int, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == code


NAMING = {
    # How texts that are no XML name their charset.
    "catalogue": 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset={}\\n"\n\nmsgid "Yes"\nmsgstr ',
    "mail": "From: a@example.org\nContent-Type: text/plain;\n\tcharset={}\n\n",
    "vCard": "BEGIN:VCARD\nN;CHARSET={}:",
    "HTML": '<!DOCTYPE html>\n<html><head><meta charset="{}"><title>',
    "HTML behind a comment": "<!-- saved -->\n<HTML><META CHARSET='{}'><title>",
    "http-equiv": '<html><meta http-equiv="Content-Type" content="text/html; charset={}"><title>',
    "PHP": "<?php header('Content-Type: text/html; charset={}');\n",
    "CSS": '@charset "{}";\n',
    "Python": "#!/usr/bin/python\n# -*- coding: {} -*-\n",
    "Vim": "# vim: set fileencoding={} :\n",
    "JSP": '<%@ page pageEncoding="{}" %>\n',
    "Vim script": '" Menu\nscriptencoding {}\n',
    "LaTeX": "\\documentclass{{article}}\n\\usepackage[{}]{{inputenc}}\n",
    "behind a BOM": "\ufeff@charset '{}';\n",
    "Hunspell": "# Licence: LGPL\n\nSET {}\nTRY aeiou\n",
}
SHORT = {"KOI8-R": "Да", "ISO-8859-2": "Zażółć", "macintosh": "Été", "EUC-JP": "はい", "windows-1257": "Jā"}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("naming", NAMING)
@each("label", SHORT)
def test_the_charset_that_a_text_names_is_its_own(
    naming: str, label: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = NAMING[naming].format(label) + f'"{SHORT[label]}"\n'
    path = tmp_path / "file"
    bom, named = text[: text.startswith("\ufeff")], text.removeprefix("\ufeff")
    path.write_bytes(data := bom.encode() + named.encode(label))
    assert call("repair", "-i", path) == 2
    assert path.read_bytes() == data
    assert f" {label}, not UTF-8 with" in capsys.readouterr().err
    assert call("repair", "-i", "--force", path) == 0
    assert path.read_text("utf-8-sig") == named
    assert capsys.readouterr().err.endswith(
        f"{path}: it still names {label} as its encoding, and is UTF-8 now\n"
    )


@each(
    "beginning",
    [
        *("/*!40101 SET NAMES cp1251 */;\n", "set names 'cp1251';\n", "#pragma code_page(1251)\n"),
        *(
            "-- a\nSET client_encoding TO WIN1251;\n",
            "\\encoding WIN1251\n",
            "SET character_set_client = cp1251;\n",
        ),
        *("[LangOptions]\nLanguageCodePage=1251\n", '<%@ Language="VBScript" CodePage="1251" %>\n'),
        *("\\inputencoding{cp1251}\n", "OFXHEADER:100\nENCODING:USASCII\nCHARSET:1251\n"),
        *(
            "SET NAMES 'windows-1251';\n",
            "SET client_encoding TO 'windows-1251';\n",
            "\\encoding windows-1251\n",
        ),
        *('SET character_set_client = "windows-1251";\n', "SET @@session.character_set_client=cp1251;\n"),
        "SELECT pg_catalog.set_config('client_encoding', 'WIN1251', false);\n",
        *("\\usepackage[ cp1251 ]\n{inputenc}\n", "\\usepackage[cp1251]{fontenc,inputenc}\n"),
    ],
)
def test_the_code_page_that_a_text_names_is_its_own(
    beginning: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(f'{beginning}"Да"\n'.encode("cp1251"))
    assert call("repair", "-i", tmp_path / "file") == 2
    assert "is declared as windows-1251, not UTF-8" in capsys.readouterr().err


PAGES = """
20866 koi8-r Да|21866 koi8-u Її|866 cp866 Да|10007 mac_cyrillic Да|28592 iso8859-2 Kś|28595 iso8859-5 Да
28597 iso8859-7 Ναι|737 cp737 Ναι|28599 iso8859-9 ağaç|28605 iso8859-15 Šœuvre|852 cp852 Žluť|850 cp850 Été
10000 mac_roman Été|10029 mac_latin2 Žluť|51949 euc_kr 뉴스|51932 euc_jp はい|54936 gb18030 新闻
"""
"""Code pages of Windows by their numbers, and a word in each."""


@each(
    "beginning",
    ["<%@ CODEPAGE={} %>\n<p>", "#pragma code_page({})\n", "OFXHEADER:100\nENCODING:USASCII\nCHARSET:{}\n"],
)
@each("row", PAGES.replace("|", "\n").split("\n")[1:-1], every=3)
def test_the_number_of_a_code_page(beginning: str, row: str, tmp_path: Path) -> None:
    number, codec, word = row.split()
    text = f"{beginning.format(number)}{word}\n"
    path = tmp_path / "file"
    path.write_bytes(text.encode(codec))
    assert call("repair", "-i", path) == 2
    assert path.read_bytes() == text.encode(codec)
    assert call("repair", "-i", "--force", path) == 0
    assert path.read_text("utf-8") == text


MARC = b"00087nam a2200049   4500001000600000245001600006\x1e12345\x1e10%b\x1e\x1d"
"""A record that names UTF-8: the byte 9 is `a`."""
MARC_8 = MARC.replace(b"nam a", b"nam  ")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"# coding: utf-8\ncaf\xe9\n", 0),
        (b"# coding: latin-1\ncaf\xe9\n", 0),
        (b"def read(file, encoding=None):\n    caf\xe9\n", 0),  # a variable
        (b"Content-Type: text/plain; charset=CHARSET\ncaf\xe9\n", 0),  # not filled in
        (b"Content-Type: text/plain; charset=ARMSCII-8\n\xb2\xb3\n", 2),
        (b"Content-Type: text/plain; charset=ARMSCII-8\ncaf\xc3\xa9, caf\xe9\n" + "é à ".encode() * 9, 0),
        (b"CREATE TABLE a (b) DEFAULT CHARSET=cp1251;\ncaf\xe9\n", 0),  # the dump may be in another
        (b"Content-Transfer-Encoding: x-8bit\ncaf\xe9\n", 0),
        (b"set KOI8-R\nSET names = cp1251\nSET KOI8-R;\ncaf\xe9\n", 0),  # a shell
        (b"SET NAMES utf8mb4;\nCREATE TABLE a (b) DEFAULT CHARSET=cp1251;\nSET NAMES utf8;\ncaf\xe9\n", 0),
        (b"SET NAMES utf8mb4;\nCREATE TABLE a (b) DEFAULT CHARSET=utf8;\nSET NAMES cp1251;\ncaf\xe9\n", 2),
        (b"SET NAMES latin1;\ncaf\xe9\n", 0),
        (b"#pragma code_page(1252)\ncaf\xe9\n", 0),
        (b"#pragma code_page(65001)\ncaf\xe9\n", 0),
        (b"OFXHEADER:100\nENCODING:USASCII\nCHARSET:1252\ncaf\xe9\n", 0),
        (b"OFXHEADER:100\nENCODING:UTF-8\nCHARSET:1251\ncaf\xe9 caf\xc3\xa9\n", 0),
        (b"#pragma code_page(12510)\ncaf\xe9\n", 0),
        (b"charset=204\ncaf\xe9\n", 0),  # of a font
        (b"OFXHEADER:100\nENCODING:USASCII\nCHARSET:NONE\ncaf\xe9\n", 0),
        (b"SET NAMES utf8 -- koi8-r\ncaf\xe9\n", 0),
        (b"SET character_set_client = @saved_cs_client;\ncaf\xe9\n", 0),
        (b"ISO8859-1\ncaf\xe9\n", 0),
        (b"ISO8859-5 caf\xe9\ncaf\xe9\n", 0),  # about it
        (b"caf\xe9\nISO8859-5\ncaf\xe9\n", 0),
        (b"ISO9001-2\ncaf\xe9\n", 0),
        (b"; charset=KOI8-R\n" + "Погода на завтра\n".encode(), 0),  # UTF-8
        (b"0 HEAD\n1 CHAR ANSEL\n1 NAME J\xe8urgen /M\xe8uller/\n", 2),
        (b"0 HEAD\r1 SOUR PAF\r1 CHAR MACINTOSH\r1 NAME Ren\x8e\r", 2),
        (b"0 HEAD\r\n1 CHAR IBMPC\r\n1 NAME Ren\x82\r\n", 2),
        (b"0 HEAD\n1 CHAR ANSI\n1 NAME Ren\xe9\n", 0),
        (b"0 HEAD\n1 CHAR ASCII\n1 NAME Ren\xe9\n", 0),
        (b"0 HEAD\n1 CHAR UNICODE\n1 NAME Ren\xe9\n", 0),
        (b"0 HEAD\n1 CHAR ANSEL\n" + "1 NAME René\n".encode() * 9 + b"1 NAME Ren\xe9\n", 0),  # UTF-8
        (MARC_8 % b"L\xe2etude\x1fcAndr\xe2e \xe8Uber", 2),
        (MARC_8 % b"Letude", 0),
        (MARC_8 % "Létude André".encode(), 0),
        (MARC % b"L\xe9tude Andr\xe9", 0),
        (b"0 HEAD\n1 CHARACTER KOI8-R\n1 NAME Ren\xe9\n", 0),
        # Lines that are alike but for their digits; those of the label stay.
        (b"a;charset=UTF-8;M\xfcller\n" * 2, 0),
        (b"N;CHARSET=ISO-8859-1:M\xfcller\n" * 2, 0),
        (b"".join(b"%d Content-Type: text/html; charset=windows-1252 Caf\xe9\n" % at for at in range(9)), 0),
        (b"; charset=KOI8-R\n" + b"plain\n", 0),
        (b"; charset=KOI8-R\n" + "Погода\n".encode() * 9 + b"\x93Rock\x94\n", 0),
        (b'<rss><title>&lt;meta charset="KOI8-R"&gt;; charset=KOI8-R</title>caf\xe9</rss>', 0),  # XML
        (b"\n<!-- ; charset=KOI8-R --><rss>caf\xe9</rss>", 0),
    ],
)
def test_what_names_no_other_charset_is_repaired(data: bytes, code: int, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == code


@each(
    ("data", "name", "code"),
    [
        (b"0 HEAD\n1 CHAR ANSI\n1 NAME J\xfcrgen\n", "windows-1252", 0),
        (b"\\usepackage[ansinew]{inputenc}\nD\xe9j\xe0 vu\n", "windows-1252", 0),
        (b"\\inputencoding{ansinew}\nD\xe9j\xe0 vu\n", "windows-1252", 0),
        (b"\\usepackage[applemac]{inputenc}\nD\x8ej\x88 vu\n", "macintosh", 2),
        (b"0 HEAD\n1 CHAR ANSI\n" + "1 NOTE zażółć gęślą jaźń\n".encode("cp1250") * 3, "windows-1250", 2),
    ],
)
def test_labels_of_gedcom_and_latex(
    data: bytes, name: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """ANSI is the page of the system on which it was written: the letters may show another."""
    (tmp_path / "file").write_bytes(data)
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == code
    error = capsys.readouterr().err
    assert (f"still names {name} " if code == 0 else f" {name}, not UTF-8 with") in error


def test_a_charset_that_is_not_known_is_named_before_what_letters_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two pairs of EUC-TW are UTF-8 by chance; the letters of MIK are those of IBM737."""
    for label, text in (
        ("EUC-TW", b"\xcd\xfc\xc5\xb2\xc5\xb2\xd6\xb4"),
        ("MIK", b"\x8f\xae\xa3\xae\xa4\xa0"),
        ("nope", "café, déjà".encode("cp1252")),
    ):
        path = tmp_path / "file.xml"
        path.write_bytes(data := f'<?xml version="1.0" encoding="{label}"?><a>'.encode() + text + b"</a>")
        for command in (["repair", "-i"], ["detect"]):
            call(*command, path)
            told = f"{path}: the file is declared as {label}, a charset that is not known here; "
            assert told in capsys.readouterr().err
            assert path.read_bytes() == data
    for known in ("<a>été à Évian, où</a>".encode(), "<a>été à Évian, où, là, déjà, £5, caf\udce9</a>"):
        text = known if isinstance(known, bytes) else known.encode("utf-8", "surrogateescape")
        path.write_bytes(b'<?xml version="1.0" encoding="nope"?>' + text)
        assert call("repair", path, "-o", tmp_path / "out") == 0  # it is UTF-8


def test_detect_names_no_conversion_that_repair_does_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kz.txt"
    path.write_bytes("Қазақстан Республикасының Үкіметі жаңа заң қабылдады\n".encode("kz1048"))
    assert call("detect", path) == 1
    seen = "the file seems to be in windows-1251, not UTF-8 with other bytes in it"
    refused = f"{seen}; --force reads it as windows-1252"
    assert capsys.readouterr().err == f"feedcharset: {path}: feedcharset repair refuses it: {refused}\n"
    assert call("repair", path) == 2
    assert capsys.readouterr().err == f"feedcharset: {path}: {refused}\n"


def test_where_a_text_names_its_charset() -> None:
    """On both sides of the limits."""
    line = b"x; charset=KOI8-R"
    assert named_in_text(b" " * (NAMED_SPAN - len(line)) + line) == "KOI8-R"
    assert named_in_text(b" " * (NAMED_SPAN - len(line) + 7) + line) is None
    assert named_in_text(b"#\n" * (CODING_LINES - 1) + b"# coding: KOI8-R") == "KOI8-R"
    assert named_in_text(b"#\n" * CODING_LINES + b"# coding: KOI8-R") is None


def _mails(*mails: tuple[str, bytes]) -> bytes:
    head = b"From a@example.org Mon Jan  1\nContent-Type: text/plain;\n\tCHARSET=%s\n\n%s\n\n"
    return b"".join(head % (charset.encode(), body) for charset, body in mails)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("between", [0, pytest.param(1_100_000, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("charset", "body", "code"),
    [
        *(("iso-8859-2", b"na\xe8in", 2), ("ISO-8859-13", b"\xf0uo", 2), ("Shift_JIS", b"\x83\x65", 2)),
        *(("iso-8859-2", b"na=E8in", 0), ("iso-8859-2", b"caf\xe9", 0), ("iso-8859-15", b"\xa4uro", 2)),
        *(("windows-1252", b"5 \x80", 0), ("utf-8", b"caf\xe9", 0), ("unknown-8bit", b"caf\xe9", 0)),
        *(("iso-8859-2", "način".encode(), 0), ("iso-8859-2", b"a\n--x\n\n\xe8", 2)),
        ('iso-8859-2; boundary="x"', b"a\n--x\n\n\xe8", 0),
        ("iso-8859-2; boundary=x", b"a\n--x--\n\n\xe8", 0),
        ("iso-8859-2; boundary=x", b"a\n--verbose\n\n\xe8", 2),
        ("iso-8859-2", b"From our side\n\xe8", 2),
        ("iso-8859-2", b"a\n\nFrom a@example.org Tue Jan  2\n\n\xe8", 0),
        ("iso-8859-2", b"a\nContent-Type: text/plain\n\xe8", 2),
    ],
)
def test_each_mail_of_a_box_names_its_charset(
    charset: str, body: bytes, code: int, between: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also behind the bytes in which an encoding is sought."""
    western = ("iso-8859-1", b"caf\xe9 cr\xe8me " + b"x" * between)
    (tmp_path / "file").write_bytes(_mails(western, (charset, body), western))
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == code
    told = f"a part is declared as {charset.partition(';')[0]}, others".lower()
    assert (told in capsys.readouterr().err.lower()) == (code == 2)
    assert call("repair", "--force", tmp_path / "file", "-o", tmp_path / "out") == 0


def test_a_mail_with_prices_in_euros(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They show ISO-8859-15, so that no other mail can be read so, with --force either."""
    western = ("iso-8859-1", b"caf\xe9 cr\xe8me")
    (tmp_path / "file").write_bytes(_mails(western, ("iso-8859-15", b"5 \xa4"), western))
    for option in ([], ["--force"]):
        assert call("repair", *option, tmp_path / "file") == 2
        told = capsys.readouterr().err
        assert told.endswith("declared as ISO-8859-1, ISO-8859-15; convert each from its own encoding\n")


PARTS = [
    ("KOI8-R", "Привет, как дела?"),
    ("ISO-8859-2", "Zażółć gęślą jaźń"),
    ("windows-1251", "Погода на завтра"),
    ("Shift_JIS", "日本の天気予報"),
    ("ISO-8859-1", "Déjà vu à Noël"),
    ("UTF-8", "Größe naïve Žižkov"),
]


@each("first", range(4))
@each("second", range(6))
def test_a_box_whose_first_mail_is_in_another_charset(
    first: int, second: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not converted from that charset as a whole."""
    mails = [(label, text.encode(label)) for label, text in (PARTS[first], PARTS[second])]
    (tmp_path / "file").write_bytes(_mails(*mails))
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 2
    error = capsys.readouterr().err
    parts = f"its parts are declared as {PARTS[first][0]}, {PARTS[second][0]}; convert each"
    alone = "a part is declared as" in error or f"in {PARTS[first][0]}, but at byte" in error
    assert (parts in error or alone) == (first != second), error
    if first == second:
        assert call("repair", "--force", tmp_path / "file", "-o", tmp_path / "out") == 0
        assert (tmp_path / "out").read_text(encoding="utf-8").count(PARTS[first][1]) == 2


@each("head", ["", "<rss><channel><language>ro</language><title>"])
def test_one_letter_of_romanian_among_utf_8_is_none_of_portuguese(
    head: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In x-mac-ce the byte is a quotation mark, which cost less."""
    utf8 = ["Schimbă parola", "Adaugă un articol", "Parola a fost resetată", "Număr cu virgulă"]
    other = ["Selectează pentru schimbare", "Adaugă un articol", "Nicio zi specificată"]
    parts = ["\n".join(utf8).encode(), *(line.encode("cp1250") for line in other)]
    (tmp_path / "file").write_bytes(head.encode() + b"\n".join(parts) + b"\n")
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 2
    assert "in windows-1250 (the letters are Romanian: ă" in capsys.readouterr().err


@each("label", ["HZ-GB-2312", "UTF-7", "ISO-2022-KR"])
@each("text", ["Content-Type: text/plain; charset={}\n\n~{{<:Ky2;~}}\n", "# -*- coding: {} -*-\nx = 1\n"])
def test_a_text_that_names_a_charset_that_is_not_converted(
    label: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text(text.format(label))
    for force in ([], ["--force"]):
        assert call("repair", "-i", *force, tmp_path / "file") == 2
        told = f"{tmp_path / 'file'}: the file is declared as {label}, which is not converted\n"
        assert capsys.readouterr().err == f"feedcharset: {told}"


def test_dos_text_beside_utf_8_is_not_converted_as_a_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command that converts one would make mojibake of the other."""
    path = tmp_path / "file"
    german, greek = "Jürgen Müller\nKöln für größere Käufer\n", "Η κυβέρνηση ανακοίνωσε\nτο νέο πρόγραμμα\n"
    for dos, page in ((german, "cp850"), (greek, "cp737")):
        for utf8 in ("", "Grüße Äpfel\n"):
            path.write_bytes(dos.encode(page) + utf8.encode())
            for command in ("repair", "detect"):
                call(command, path)
                error = capsys.readouterr().err
                named = (
                    "cat --encoding" in error or "--force converts it from" in error or "probably" in error
                )
                assert named == (utf8 == ""), error
    assert "IBM737" in error
    path.write_bytes(german.encode("cp850") + "Grüße Äpfel\n".encode())
    assert call("repair", "--force", path, "-o", tmp_path / "out") == 0
    assert "3 bytes not in windows-1252, written as C1 controls" in capsys.readouterr().err


def test_detect_and_repair_look_for_a_label_in_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A label behind the first 4,096 bytes is none of the whole file; it is reported."""
    label = b'<meta charset="windows-1250">\n'
    path = tmp_path / "file.inc"
    for before in (0, NAMED_SPAN - len(label) - 1, NAMED_SPAN, 300_000, 300_000 - 2 * NAMED_SPAN):
        path.write_bytes(b"#" * before + b"\n" + label + b"<b>Dvo\xf8\xe1k</b>\n")
        call("detect", path)
        is_named = before + 1 + len(label) <= NAMED_SPAN
        assert ("probably windows-1250" in capsys.readouterr().err) == is_named
        assert call("repair", path, "-o", tmp_path / "out") == (2 if is_named else 0)
        assert ("1 label of another encoding" in capsys.readouterr().err) == (not is_named)


OF_PARTS = {
    "SQL": "SET NAMES {};\nINSERT '{}';\n",
    "SQL of a dump": "/*!40101 SET NAMES {} */;\nINSERT '{}';\n",
    "resources": "#pragma code_page({})\n1 '{}'\n",
    "LaTeX": "\\inputencoding{{{}}}\n{}\n",
    "vCard": "BEGIN:VCARD\nN;CHARSET={}:{}\nEND:VCARD\n",
    "vCard, folded": "BEGIN:VCARD\nNOTE;CHARSET={};ENCODING=8BIT:a\n  {}\nEND:VCARD\n",
}


NAMED_PARTS = {"ISO-8859-1": "Ren\xe9", "windows-1251": "Погода", "KOI8-R": "Да"}


@each(
    "text",
    [
        "X: y\n" + "Content-Type: text/plain; charset={}\n\n{}\n\n" * 2,
        '"Content-Type: text/plain; charset={}\\n"\nmsgstr "{}"\n' * 2,
        "\\usepackage[{}]{{inputenc}}\n{}\n\\inputencoding{{{}}}\n{}\n",
        "\\inputencoding{{{}}}\n{}\n\\inputencoding{{{}}}\n{}\n",
        "SET NAMES '{}';\nINSERT '{}';\nSET NAMES '{}';\nINSERT '{}';\n",
        "N;CHARSET={}:{}\nN;CHARSET={}:{}\n",
    ],
)
@each("second", ["windows-1251", "KOI8-R"])
@each("turned", [False, True])
@each("lines", [1, 12])
def test_the_message_about_parts_says_what_force_does(
    text: str, second: str, turned: bool, lines: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a few letters, in which no encoding shows, as with many."""
    named = [("ISO-8859-1", NAMED_PARTS["ISO-8859-1"]), (second, NAMED_PARTS[second])]
    pairs = [(label, "\n".join([part] * lines)) for label, part in (named[::-1] if turned else named)]
    marked = text.format(pairs[0][0], "\0", pairs[1][0], "\1").encode()
    first, other = (part.encode(label) for label, part in pairs)
    (path := tmp_path / "file").write_bytes(marked.replace(b"\0", first).replace(b"\1", other))
    assert call("repair", path, "-o", tmp_path / "out") == 2
    error = capsys.readouterr().err
    assert "parts are declared as" in error or "a part is declared as" in error, error
    forced = call("repair", "--force", path, "-o", tmp_path / "out")
    assert forced == (0 if "--force reads them as windows-1252" in error else 2), error


DOCUMENTS = {
    "patch": ' "Content-Type: text/plain; charset={}\\n"\n msgstr "{}"\n',
    "patch of SQL": "+SET NAMES '{}';\n+INSERT '{}';\n",
    "patch of TeX": "+\\inputencoding{{{}}}\n+{}\n",
    "patch of vCards": " N;CHARSET={}:{}\n",
    "XML": '<?xml version="1.0" encoding="{}"?><a>{}</a>\n',
    "HTML": '<html><meta charset="{}"><p>{}</p></html>\n',
    "XHTML": '<html><meta http-equiv="Content-Type" content="text/html; charset={}"/><p>{}</p></html>\n',
}


@each("kind", DOCUMENTS)
@each("first", [("UTF-8", "für Größe über Öl"), ("windows-1252", "für"), ("KOI8-R", "Погода на завтра")])
@each("second", [("ISO-8859-2", "żółty"), ("windows-1251", "Времето утре"), ("ISO-8859-7", "Καλημέρα")])
def test_documents_one_after_the_other_name_their_charsets(
    kind: str,
    first: tuple[str, str],
    second: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Those of a patch, too, in which a sign stands before each line."""
    parts = [DOCUMENTS[kind].format(*part).encode(part[0]) for part in (first, second)]
    (tmp_path / "file").write_bytes(b"".join(parts))
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 2
    error = capsys.readouterr().err
    assert "parts are declared as" in error or "a part is declared as" in error, error
    forced = call("repair", "--force", tmp_path / "file", "-o", tmp_path / "out")
    assert forced == (0 if "--force reads them as windows-1252" in error else 2)


@each("comment", ["<!-- {} -->", "<![CDATA[{}]]>", "<!-- \n{} -->"])
def test_a_declaration_within_a_document_leads_to_no_command_that_refuses_it(
    comment: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declared = '<?xml version="1.0" encoding="{}"?>'
    text = (
        declared.format("windows-1251") + f"<a>{comment.format(declared.format('KOI8-R'))}Правительство</a>"
    )
    (tmp_path / "file").write_bytes(text.encode("cp1251"))
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 2
    promised = "--force converts it" in capsys.readouterr().err
    assert promised == ("\n" not in comment)
    assert call("repair", "--force", tmp_path / "file", "-o", tmp_path / "out") == (0 if promised else 2)


NAMING_TWICE = {
    "catalogue": '# -*- coding: {} -*-\nmsgstr "Content-Type: text/plain; charset={}\\n"\n',
    "TeX": "% -*- coding: {} -*-\n\\usepackage[{}]{{inputenc}}\n",
    "SQL": "SET NAMES {};\nSET character_set_client = {};\n",
    "Vim script": '" vim: set fileencoding={} :\nscriptencoding {}\n',
    "Python": "# -*- coding: {} -*-\n# vim: fileencoding={}\n",
    "PHP": '<?php header("Content-Type: text/html; charset={}"); ?>\n<meta charset="{}">\n',
    "HTML": '<form action="x" accept-charset={}>\n<meta content="text/html; charset={}">\n',
    "XHTML": '<?xml version="1.0" encoding="{}"?>\n<html><meta content="text/html; charset={}"/>\n',
    "resources": "// -*- coding: {} -*-\n#pragma code_page({})\n",
    "mail": "Content-Type: text/html; charset={}\n\n<meta charset={}>\n",
}


@each("naming", NAMING_TWICE)
@each("first", ["utf-8", "us-ascii", "utf8"])
@each("turned", [False, True])
def test_a_label_that_the_bytes_contradict_hides_no_other(
    naming: str, first: str, turned: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "file", tmp_path / "out"
    labels = [first, "1250" if naming == "resources" else "iso-8859-2"]
    if turned and naming in ("HTML", "XHTML", "resources", "mail"):
        return
    text = NAMING_TWICE[naming].format(*(labels[::-1] if turned else labels)) + "Győr\n"
    if naming == "XHTML" and first != "utf-8":
        return  # US-ASCII decides in XML
    path.write_bytes(text.encode("iso8859-2"))
    assert call("repair", path, "-o", out) == 2
    named = "windows-1250" if naming == "resources" else "ISO-8859-2"
    assert f"is declared as {named}, not UTF-8" in capsys.readouterr().err
    assert call("repair", "--force", path, "-o", out) == 0
    assert out.read_text("utf-8") == text
    path.write_text(text, encoding="utf-8")
    assert call("repair", path, "-o", out) == 0
    assert out.read_text("utf-8") == text


@each("encoding", ["QUOTED-PRINTABLE", "BASE64", "b", "hex", "zip", "rot13", "punycode"])
def test_an_encoding_of_a_value_is_no_charset(
    encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "file.vcf", tmp_path / "out"
    for charset, codec, text in (
        ("", "utf-8", "Zoë"),
        (";CHARSET=windows-1251", "cp1251", "Погода на завтра"),
    ):
        card = f"BEGIN:VCARD\nN;ENCODING={encoding}:=41\nNOTE{charset}:{text}\nEND:VCARD\n"
        path.write_bytes(card.encode(codec))
        for force in ([], ["--force"]):
            assert call("repair", *force, path, "-o", out) == (2 if charset and not force else 0)
            assert "clared as windows-1251," in capsys.readouterr().err or force or not charset
        assert out.read_text("utf-8") == card


@pytest.mark.parametrize("options", [[], ["--force"]])
def test_a_line_in_iso_2022_jp_among_utf_8_is_refused(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its bytes are ASCII, so that nothing would change."""
    data = f"{JAPANESE}\n".encode() * 9 + "今日\n".encode("iso2022_jp")
    (tmp_path / "file").write_bytes(data)
    assert call("repair", *options, "-i", tmp_path / "file") == 2
    assert "text in ISO-2022-JP, and text in another encoding" in capsys.readouterr().err
    (tmp_path / "file").write_bytes(f"{JAPANESE}\n".encode() * 9 + b"\x1b$B x\n")  # no text in it
    assert call("repair", "--force", "-i", tmp_path / "file") == 0


@pytest.mark.parametrize("between", [0, pytest.param(1_100_000, marks=pytest.mark.long)])
@each("first", ["iso-8859-1", "utf-8", "windows-1251", "iso-2022-jp"])
@each("force", [[], ["--force"]])
def test_a_mail_in_iso_2022_jp_among_others(
    first: str, force: list[str], between: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its bytes, which are ASCII, would stay as they are."""
    body = {"windows-1251": "Да", "iso-2022-jp": "今日"}.get(first, "Ren\xe9")
    mails = _mails((first, body.encode(first) + b"x" * between), ("iso-2022-jp", "日本".encode("iso2022_jp")))
    (tmp_path / "file").write_bytes(mails)
    alike = first == "iso-2022-jp" and force  # it is converted as a whole
    assert call("repair", *force, tmp_path / "file", "-o", tmp_path / "out") == (0 if alike else 2)
    late = between and first == "windows-1251" and not force  # the file is refused before it is read
    assert ("convert each" in capsys.readouterr().err) != bool(late or first == "iso-2022-jp")


def test_text_behind_utf_16_is_found_without_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes("\ufeffGrüße und Käufer\n".encode("utf-16-le") * 3 + b"a line of one byte a character\n")
    for force in ([], ["--force"]):
        assert call("repair", *force, path, "-o", tmp_path / "out") == 2
        assert "of one byte a character: a line of one byte" in capsys.readouterr().err


@pytest.mark.parametrize("lines", [0, pytest.param(110_000, marks=pytest.mark.long)])
@each("kind", OF_PARTS)
@each(
    ("first", "second", "code"),
    [
        (("1252", "Müller"), ("1250", "Dvořák"), 2),
        (("1250", "Dvořák"), ("1252", "Müller"), 2),
        (("1251", "Иванов"), ("1252", "Señor Ñandú"), 2),
        (("1252", "Müller"), ("1252", "été"), 0),
        (("1252", "Müller"), ("1250", "Müller"), 0),  # alike in both
        (("1252", "Müller"), ("1250", "Mueller"), 0),
    ],
)
def test_parts_of_what_is_no_mail_name_their_charsets(
    first: tuple[str, str],
    second: tuple[str, str],
    code: int,
    kind: str,
    lines: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if lines and kind != ("SQL" if code else "vCard, folded"):
        return  # it takes long
    prefix = "" if kind == "resources" else "cp" if kind.startswith(("SQL", "La")) else "windows-"
    parts = [
        OF_PARTS[kind].format(prefix + page, text).encode(f"cp{page}", "replace")
        for page, text in (first, second)
    ]
    data = (b"plain text\n" * lines).join(parts)
    (tmp_path / "file").write_bytes(data)
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == code
    error = capsys.readouterr().err
    is_western = first[0] == "1252"
    assert ("convert each" in error) == (code == 2 and (is_western or not lines)), error
    if code == 2 and not is_western:  # else it is read as windows-1252, as the message says
        if call("repair", "--force", tmp_path / "file", "-o", tmp_path / "out") == 0:
            assert second[1] in (tmp_path / "out").read_text("utf-8")  # both pages have its letters alike
        else:
            assert "convert each" in capsys.readouterr().err


@each("label", ["windows-1252", "utf-8", "koi8-r"])
def test_a_mail_of_one_part_with_a_false_label_is_converted_as_the_message_says(
    label: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, text = tmp_path / "file", "Погода на завтра: дождь\nГубернатор встретился с жителями\n"
    path.write_bytes(f"Content-Type: text/plain; charset={label}\n\n{text}".encode("cp1251"))
    assert call("repair", path, "-o", tmp_path / "out") == 2
    assert "--force converts it from windows-1251" in capsys.readouterr().err
    assert call("repair", "--force", path, "-o", tmp_path / "out") == 0
    assert (tmp_path / "out").read_text("utf-8").endswith(text)


def test_a_property_without_a_label_is_none_of_the_part_before_it() -> None:
    """Only the labelled value is read by its label."""
    card = b"N;CHARSET=ISO-8859-1:M\xfcller\nN;CHARSET=windows-1250:Novak\nNOTE:caf\xe8\n"
    assert PartCharsets().misread_in(card, True) is None
    assert PartCharsets().misread_in(card.replace(b"Novak", b"Dvo\xf8\xe1k"), True) == "windows-1250"


def test_where_the_pieces_of_a_box_are_cut_changes_nothing() -> None:
    data = _mails(("iso-8859-1", b"caf\xe9"), ("iso-8859-2", b"a" * 1500 + "č".encode() + b"\xe8"))
    for cut in range(len(data)):
        parts = PartCharsets()
        assert (parts.misread_in(data[:cut]) or parts.misread_in(data[cut:])) == "ISO-8859-2"
    parts = PartCharsets()
    assert [parts.misread_in(bytes([byte])) for byte in data] == [None] * (len(data) - 2) + ["ISO-8859-2"] * 2
    parts = PartCharsets()
    assert parts.misread_in(data.rstrip()) is None  # it may be the beginning of a character
    assert parts.misread_in(b"", final=True) == "ISO-8859-2"


@pytest.mark.parametrize("longer", [0, 1])
def test_how_long_a_header_field_may_be(longer: int) -> None:
    label = b"; charset=iso-8859-2"
    field = b"x" * (PartCharsets.HEADER_LIMIT - len(label) + longer) + label
    assert (PartCharsets().misread_in(b"Content-Type:" + field + b"\n\n\xe8 ") is None) == bool(longer)


@each("end", ["\n", "\r\n", " \n"])
@each("label", ["ISO8859-5", "KOI8-R", "cp1251"])
def test_dictionaries_name_their_charset(label: str, end: str) -> None:
    """Of Hunspell anywhere in a line of its own, of hyphenation in the first one."""
    vendor = "microsoft-" * (label == "cp1251")
    for text in f"#\nSET {vendor}{label}{end}", f"{vendor}{label}{end}.a1", f"\ufeff{vendor}{label}{end}":
        assert named_in_text(text.encode()) == label
    for text in f"set {label}{end}", f"SET {label};{end}", f"#{end}{label}{end}", f"{label} 1{end}", label:
        assert named_in_text(text.encode()) is None


@pytest.mark.parametrize("before", ["", "18 Peña;–;€\n" * 2000, "x" * 2_000_000 + " é\n"])
def test_a_sign_in_the_place_of_letters_is_one_of_another_page(before: str, tmp_path: Path) -> None:
    """Alone, and beside much UTF-8."""
    rows = "id;nom\n1;España\n2;Muñoz\n3;Peña\n4;Nuñez\n5;Ibañez\n"
    (tmp_path / "file").write_bytes(data := before.encode() + rows.encode("cp437"))
    assert call("repair", "-i", tmp_path / "file") == 2
    assert (tmp_path / "file").read_bytes() == data


@pytest.mark.sampled(4)
@each("sign", "ªº°²³¹½¼¾£©®±§µ«»·", every=3)
@pytest.mark.parametrize("lines", [1, 30])
@pytest.mark.parametrize(
    "line",
    ['0;"{{}}{}"\n', "price;{}10\n", '{{"temp": "20{}"}}\n', '"{} 2012 Example"\n', "12{}C;N 45{} W\n"],
)
def test_signs_that_touch_no_letter_are_western(sign: str, lines: int, line: str, tmp_path: Path) -> None:
    text = line.format(sign, sign) * lines
    (tmp_path / "file").write_bytes(text.encode("cp1252"))
    assert call("repair", "-i", tmp_path / "file") == 0
    assert (tmp_path / "file").read_text("utf-8") == text


@pytest.mark.parametrize(
    ("text", "codec", "code"),
    [
        ("area;5 m³\n" * 30, "cp1252", 0),
        ("Nº 5\n" * 30, "cp1252", 0),
        ("Nº 5, 1ª planta\n" * 2, "cp1252", 0),
        ("Nº 5, 1ª planta\n" * 30, "cp1252", 0),
        ("Cena;20 zł\n" * 30, "cp1250", 2),
        ("jestę, są\n" * 30, "cp1250", 2),
    ],
)
def test_signs_that_are_letters_of_a_word_are_refused(
    text: str, codec: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(text.encode(codec, "ignore"))
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == code


OF_LATIN_9 = {
    # Text without a label whose words are none in windows-1252.
    "within a word": "Voir le cœur du système",
    "of Estonian": "Küsi: Tšehhi, ažuur",
    "among capitals": "Été créé.\nLE CŒUR DU SYSTÈME",
    "Ÿ": "À PIERRE LOUŸS",
    "at the beginning": "Une œuvre créée",
    "as a name": "Œdème après l'été, déjà créé",
    "a price": "Café à 48 €",
    "prices": "Café: 3,50 €; 12,-€ (€ 5), déjà €9",
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("kind", "before"),
    [
        *((kind, "Le café est déjà fermé après l'été\n" * 3) for kind in OF_LATIN_9),
        *(
            pytest.param(kind, "déjà fermé\n" * 110_000, marks=pytest.mark.long if at % 8 else ())
            for at, kind in enumerate(OF_LATIN_9)
        ),
    ],
)
def test_words_of_iso_8859_15_do_not_become_fractions(
    kind: str, before: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also behind the bytes in which an encoding is sought."""
    text, path = before + OF_LATIN_9[kind] + "\n", tmp_path / "file"
    path.write_bytes(text.encode("iso8859_15"))
    assert call("repair", "-i", path) == 2
    assert "in ISO-8859-15, not" in capsys.readouterr().err
    if len(before) < 1 << 20:
        assert call("repair", "-i", "--force", path) == 0
        assert path.read_text("utf-8") == text


@pytest.mark.parametrize(
    "text",
    [
        "für ½ St., 2½cum",
        "été;¤;#,##0.00 ¤;¤#,##0.00",
        "a¤5¤é\n",
        "1¤2¤é 48 ¤\n",  # a separator, too
        "l´été, a¦é¦e, « ¨ »",
        "‘été’ 48 ¤",
        "Le cœur à 48 €",
    ],
)
def test_signs_of_windows_1252_stay(text: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(text.encode("cp1252"))
    assert call("repair", "-i", tmp_path / "file") == 0
    assert (tmp_path / "file").read_text("utf-8") == text


@pytest.mark.sampled(3)
@pytest.mark.parametrize("header", ["", "größer;œuvre\n"])
@pytest.mark.parametrize("rows", [1, 3, 20, 300])
@each(
    "words",
    [
        *("12 cm³", "12 cm³;4 m²", "6 in³;3 ft²", "5 µm", "m/s²", "mètre", "très", "naïve", "Ø 12", "20 °C"),
        *("þú ert", "«þú»", "çà et là", "Mª José", "2º", "Nº 5", "öö"),
    ],
)
def test_columns_of_few_western_words_are_repaired(
    header: str, rows: int, words: str, tmp_path: Path
) -> None:
    text = "".join(f"{number};{words}\n" for number in range(rows))
    (tmp_path / "file").write_bytes(header.encode() + text.encode("cp1252"))
    assert call("repair", "-i", tmp_path / "file") == 0
    assert (tmp_path / "file").read_text("utf-8") == header + text


@each("word", ["ÅÅÅÅ", "äöü;ÄÖÜß", "éèà", "ÁÉÍÓÚ", "ÁÉÝÚÍÓÞÆÐÖ", "«þú»", "åäö", "àèìòù", "óð"])
@pytest.mark.parametrize("codec", ["cp1252", "utf-8"])
def test_western_words_without_a_letter_a_to_z(word: str, codec: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(
        "Größe;Käse;Jürgen Müller\n".encode(codec) + word.encode("cp1252") + b"\n"
    )
    assert call("repair", "-i", tmp_path / "file") == 0
    assert (tmp_path / "file").read_text("utf-8") == f"Größe;Käse;Jürgen Müller\n{word}\n"


COLUMNS = [
    # Columns of few words: a word, its encoding, and whether it is refused where UTF-8 has no such word.
    ("гПа", "cp1251", True),
    ("руб.", "cp1251", True),
    ("грн", "cp1251", True),
    ("τεμ.", "cp1253", True),
    ("Kč", "cp1250", False),
]


@pytest.mark.parametrize("rows", [3, 20, 300])
@pytest.mark.parametrize(("word", "codec", "alone"), COLUMNS)
def test_columns_of_few_words_of_another_page_are_refused(
    word: str, codec: str, alone: bool, rows: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """However many rows there are, and in any case where the word stands in UTF-8, too."""
    path, text = tmp_path / "file", "".join(f"{number};{number} {word}\n" for number in range(rows))
    for before in (text, "") if alone else (text,):
        path.write_bytes(before.encode() + text.encode(codec))
        assert call("repair", "-i", path) == 2
        assert "; " in capsys.readouterr().err
        assert path.read_bytes() == before.encode() + text.encode(codec)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("utf8", "behind_the_window"),
    [(False, False), (True, False), pytest.param(True, True, marks=pytest.mark.long)],
)
@each(
    ("kind", "lines"),
    [
        *((("Молоко пастеризованное;Хлеб ржаной", "cp1251"), lines) for lines in (1, 40)),
        *((("Молоко пастеризованное;Хлеб ржаной", "koi8_r"), lines) for lines in (1, 40)),
        (("Μια καλή μέρα στην Αθήνα", "cp1253"), 1),
        (("חדשות היום: גשם ורוח", "cp1255"), 1),
        ((KOREAN, "cp949"), 1),
        ((JAPANESE, "cp932"), 1),
        ((JAPANESE, "euc_jp"), 1),
        ((CHINESE, "gbk"), 3),
        (("Příliš žluťoučký kůň úpěl;řeřicha", "cp1250"), 1),
        ((POLISH, "cp1250"), 1),
        (("Bugünkü yağmur, rüzgâr;şişe çığlığı", "cp1254"), 1),
    ],
    every=3,
)
def test_lines_of_another_page_are_found_among_any_number_of_western_ones(
    utf8: bool, behind_the_window: bool, kind: tuple[str, str], lines: int, tmp_path: Path
) -> None:
    host = [("Größe;Käse;Jürgen Müller aus Köln " + str(number)).encode("cp1252") for number in range(200)]
    if utf8:
        host[::2] = [line.decode("cp1252").encode() for line in host[::2]]
    other = [kind[0].encode(kind[1])] * lines
    few = (host + other, host[:100] + other + host[100:])
    for data in (host * 150 + other,) if behind_the_window else few:
        (tmp_path / "file").write_bytes(b"\n".join(data) + b"\n")
        assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 2
    (tmp_path / "file").write_bytes(b"\n".join(host) + b"\n")
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 0


@pytest.mark.long
@each(
    ("text", "codec"),
    [
        (GREEK, "cp737"),
        (GREEK, "cp869"),
        (GREEK, "mac_greek"),
        ("חדשות היום: גשם ורוח, ממשלה וכנסת", "cp862"),
        ("Погода на завтра: дощ, її імена, є вітер, пізніше сніг", "cp1125"),
        ("أخبار اليوم: الطقس غدا والرياح الشديدة", "cp720"),
    ],
)
@each("lines", [1, 12, 200])
def test_a_page_of_dos_or_mac_of_another_script(
    text: str, codec: str, lines: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its bytes are letters of IBM866, IBM855 or ISO-8859-7, too: none of these is named for it."""
    (tmp_path / "file").write_bytes("\n".join(f"{text} {number}" for number in range(lines)).encode(codec))
    for force in [], ["--force"]:
        assert call("repair", *force, tmp_path / "file", "-o", tmp_path / "out") == 2
        error = capsys.readouterr().err
        assert lookup(error.partition("cat --encoding ")[2].split()[0]) == lookup(codec, lenient=True), error
    pages = {"cp862": "cp1255", "cp1125": "cp1251", "cp720": "cp1256"}
    windows = f"{text}\n".encode(pages.get(codec, "cp1253")) * lines
    (tmp_path / "file").write_bytes(windows)
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 2
    assert "the file seems to be in windows-125" in capsys.readouterr().err


ITALIAN = [
    "Il messaggio è vuoto",
    "Il database è stato arrestato, perché non risponde",
    "cioè il nome del file",
    "poiché la pagina manca, finché non torna, perché serve",
]


@pytest.mark.long
@each("codec", ["cp850", "cp437", "mac_roman"])
@each("text", ITALIAN[:3])
@each("lines", [1, 8, 200])
@each("utf8", [False, True])
def test_a_word_of_italian_from_dos(codec: str, text: str, lines: int, utf8: bool, tmp_path: Path) -> None:
    """`è` alone: `Š` in windows-1252, and no word of any language."""
    data = "\n".join(f"{text} {number}" for number in range(lines)).encode(codec)
    (tmp_path / "file").write_bytes(data + "\nLa città è chiusa, perché è tardi\n".encode() * utf8)
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 2


@each("text", ITALIAN)
@each("lines", [1, 200])
def test_italian_in_windows_1252(text: str, lines: int, tmp_path: Path) -> None:
    data = "\n".join(f"{text} {number}" for number in range(lines))
    (tmp_path / "file").write_bytes(data.encode("cp1252"))
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 0
    assert (tmp_path / "out").read_text(encoding="utf-8") == data


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_line_of_another_page_that_is_repaired_is_told(
    force: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, lines = (
        tmp_path / "file",
        ["Größe;Käse;Jürgen Müller aus Köln", "Erős szél, köd"],
    )
    path.write_bytes("\n".join(lines[:1] * 300 + lines[1:]).encode("cp1250"))
    assert call("repair", "-i", *force, path) == 0
    told = "1 text with letters or signs that no western language has together may be in another encoding: "
    told += "Erõs szél, köd"
    assert capsys.readouterr().err == f"feedcharset: {path}: {told}\n"
    path.write_bytes("\n".join(lines[:1] * 300).encode("cp1252"))
    assert call("repair", "-i", *force, path) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"id;name\n1;Espa\xa4a\n2;plain\n", "1;Espa¤a"),  # ñ of DOS
        (b"id;name\n1;Sloveni\x89\n2;plain\n", "1;Sloveni‰"),  # ë of DOS, at the end of a word
        (b"id;name\n1;Manab\xa1\n2;plain\n", "1;Manab¡"),
        (b"id;name\n1;Maranh\xc6o\n2;plain\n", "1;MaranhÆo"),  # ã of DOS, a capital
        (b"id;name\n1;a l\x8an\n2;plain\n", "1;a lŠn"),  # ä of Mac
        (b"\xa1Hola! 5\x89, 5 \x89, 50\xa2; \xc6r\xf8\n", ""),
        (b"Duhet t\x92ju vijn\xeb pas autor\xebt e tjer\xeb, \\n\xab\xe7far\xeb\xbb\n", ""),
        (b"Qualit\xe9 \xe0 2\xd7 ou \xf7\n", ""),
        (b"Several \x93cd\x94s, such\xa0a\xa0line, voil\xe0\n" * 2, ""),
    ],
)
def test_a_sign_in_the_place_of_a_letter_is_told(
    line: bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(line)
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 0
    error = capsys.readouterr().err
    assert error.endswith(f" may be in another encoding: {told}\n") if told else not error


@pytest.mark.parametrize(
    ("data", "options", "told"),
    [
        (b's:8:"Fran\xe7ais";', [], True),
        (b"VALUES ('s:8:\\\"Fran\xe7ais\\\";')", [], True),
        (b's:8:"Fran\xe7ais";', ["--errors", "space"], False),
        (MARC % b"\x1faCaf\xe9", [], True),
        (MARC.replace(b"4500", b"450 ") % b"\x1faCaf\xe9", ["--errors", "replace"], True),
        (MARC % b"\x1faCaf\xc3\xa9", [], False),
        (MARC % b"\x1faCaf\xe9", ["--errors", "space"], False),
        (MARC % (b"\x1faCaf\xc3\xa9 creme " * 150_000 + b"\xe9"), [], True),  # in a later piece
        (b"8=FIX.4.4\x019=22\x0135=B\x01148=Caf\xe9 noir\x0110=168\x01", [], True),
        (b"8=FIX.4.4\x019=22\x0135=B\x01148=Cafe noir\x0110=168\x01", [], False),
        ("09:15 né: ".encode() + b"8=FIX.4.4\x019=9\x0158=Caf\xe9\x0110=168\x01\n", [], True),
        ("09:15 né: 8=FIX.4.4\x019=9\x0158=Cafe\x0110=168\x01\n".encode() + b"caf\xe9\n", [], False),
        (b"blob\nmark :1\ndata 4\ncaf\xe9\nreset refs/heads/main\n", [], True),
        (b"feature done\nreset refs/heads/main\nblob\ndata 4\ncaf\xe9\n", [], True),
        (b"blob\nmark :1\ndata 4\ncafe\n", [], False),
        (b"blob\nof data 4\ncaf\xe9\n", [], False),
        (b"SVN-fs-dump-format-version: 2\n\nV 4\ncaf\xe9\n", [], True),
        ('s:9:"Français"; caf'.encode() + b"\xe9", [], False),
        (b's:3:"any"; caf\xe9', [], False),
        (b"<?xml version='1.0' encoding='windows-1250'?><a>s:3:\"\xf8ek\"</a>", ["--force"], True),
        (b"<?xml version='1.0' encoding='windows-1250'?><a>s:3:\"rek\" \xf8</a>", ["--force"], False),
    ],
)
def test_strings_with_their_length_are_told_where_they_become_longer(
    data: bytes, options: list[str], told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(data)
    assert call("repair", *options, tmp_path / "file", "-o", tmp_path / "out") == 0
    assert ("count them again" in capsys.readouterr().err) is told


def test_western_words_of_which_every_other_line_is_in_utf8_are_no_iso_8859_15(tmp_path: Path) -> None:
    lines = ["før og etter", "Gjør det nå", "å være", "måned", "lønn", "så"] * 2
    data = b"\n".join(line.encode(codec) for line, codec in zip(lines, ["utf-8", "cp1252"] * 6, strict=True))
    (tmp_path / "file").write_bytes(data)
    assert call("repair", "-i", tmp_path / "file") == 0
    assert (tmp_path / "file").read_text("utf-8") == "\n".join(lines)


@pytest.mark.parametrize(
    ("utf8", "western", "page"),
    [
        # Words of the text in UTF-8 in a page where the other words have capital letters within them.
        ("Ìndice  Desvio", "índice de secção antes do início da secção", None),
        ("arára, pará", "mise à jour « %s » causée par\xa0: %s", None),  # no letter, but a space
        # In windows-1252 more of them are words of the text in UTF-8, which in the page are others.
        ("Ìndice de secção no início", "o índice da secção, o início", None),
    ],
)
def test_words_of_the_text_in_utf8_show_the_page_of_the_others(
    utf8: str, western: str, page: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(before := f"{utf8}\n".encode() + western.encode(page or "cp1252") + b"\n")
    assert call("repair", "-i", path) == (2 if page else 0)
    if page:
        assert f"seem to be in {page}" in capsys.readouterr().err
        assert path.read_bytes() == before
    else:
        assert path.read_text("utf-8") == f"{utf8}\n{western}\n"


def test_a_declaration_of_utf8_is_true_of_what_is_repaired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(
        '<?xml version="1.0" encoding="UTF-8"?><a>déjà caf\udce9</a>'.encode("utf-8", "surrogateescape")
    )
    assert call("repair", "-i", path) == 0
    assert path.read_text("utf-8") == '<?xml version="1.0" encoding="UTF-8"?><a>déjà café</a>'
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("label", ["utf8mb4", "utf8mb3", "cp65001", "u8", "utf-8-sig", "utf_8", "csUTF8"])
@pytest.mark.parametrize("stray", ["", "\udce9"])
def test_a_name_of_utf8_that_no_parser_knows_becomes_utf8(label: str, stray: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(
        f'<?xml version="1.0" encoding="{label}"?><a>déjà caf{stray}</a>'.encode("utf-8", "surrogateescape")
    )
    assert call("repair", "-i", path) == 0
    assert path.read_text("utf-8").startswith('<?xml version="1.0" encoding="UTF-8"?><a>déjà caf')
    assert etree.fromstring(path.read_bytes()).text == "déjà café"[: 9 if stray else 8]


@pytest.mark.parametrize("label", ["utf8", "Utf-8"])
def test_a_name_of_utf8_that_parsers_know_is_kept(label: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(f'<?xml version="1.0" encoding="{label}"?><a>déjà</a>', "utf-8")
    before = path.stat()
    assert call("repair", "-i", path) == 0
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )


PHRASES = {
    "cp932": "日本の天気予報、明日は雨です",
    "big5": "今天的新聞報導",
    "cp949": "한국어 뉴스입니다",
    "gbk": "今天的新闻报道",
    "cp866": "Привет, мир",
    "cp1251": "Новости дня",
    "koi8-r": "Новости дня",
    "cp1250": "Žluťoučký kůň",
    "cp852": "Łódź źródło",
    "cp1253": "Ειδήσεις σήμερα",
    "mac_roman": "Größe über Straße",
    "cp850": "Größe über Straße",
}
"""Each of which many lines repeat, with other numbers."""


@pytest.mark.long
@each("page", PHRASES)
@pytest.mark.parametrize("west", ["café line", "Müller;Köln;12", "{};café crème"])
@pytest.mark.parametrize(("western", "foreign"), [(100, 30), (300, 300), (1000, 300)])
def test_repeated_western_lines_hide_no_others(
    page: str, west: str, western: int, foreign: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    lines = [west.format(number).encode("cp1252") for number in range(western)]
    lines += [f"{number};{PHRASES[page]};{number}".encode(page) for number in range(foreign)]
    path.write_bytes(before := b"\n".join(lines))
    code = call("repair", "-i", path)
    told = capsys.readouterr().err
    if page == "cp850":  # too few letters to be sure
        assert code == 2 or "may be in another encoding" in told
    else:
        assert (code, path.read_bytes()) == (2, before)


@pytest.mark.parametrize("line", ["Müller;Köln;12", "5 m²; Größe", "déjà vu", "«É uma»", "naïve"])
def test_repeated_western_lines_are_repaired(line: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(f"{line}\n".encode("cp1252") * 500)
    assert call("repair", "-i", path) == 0
    assert path.read_text("utf-8") == f"{line}\n" * 500


@pytest.mark.parametrize("page", ["koi8-r", "cp1251", "iso8859-5"])
@pytest.mark.parametrize("yo", ["ё", "е"])
def test_patterns_that_hyphenate_another_script_are_refused(page: str, yo: str, tmp_path: Path) -> None:
    """One stands in each line, with numbers within: the words of `ruhyphen` for TeX."""
    consonants = "бвгджзклмнпрстфхцчшщ"
    patterns = [f"{vowel}1{letter}{yo}" for vowel in "аоу" for letter in consonants]
    patterns += [f"{vowel}1{letter}ь{yo}" for vowel in "аоу" for letter in consonants]
    path = tmp_path / "file"
    path.write_bytes(before := "\n".join(patterns).encode(page))
    assert (call("repair", "-i", path), path.read_bytes()) == (2, before)


@pytest.mark.parametrize("line", ["strtr($s, 'áàâä', 'aaaa');", "[éèêë] é à", "ôô ÔÔ àé"])
def test_lists_of_letters_are_no_words_of_another_script(line: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(f"{line}\ncafé\n".encode("cp1252"))
    assert (call("repair", "-i", path), path.read_text("utf-8")) == (0, f"{line}\ncafé\n")


@pytest.mark.parametrize(
    "before", ["<rss>", "\ufeff\n<?xml version='1.0'?><rss>", "<rss>" + "<i>été</i>" * 60]
)
@pytest.mark.parametrize("items", [1, 50, 500])
def test_a_nul_in_a_feed_is_damage(before: str, items: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    text = f"{before}\0{'<i>numéro</i>' * items}caf{{}}</rss>"
    path.write_bytes(text.format("\udce9").encode("utf-8", "surrogateescape"))
    assert call("repair", "-i", path) == 0
    assert path.read_bytes().decode() == text.format("é")


@pytest.mark.parametrize(
    ("text", "signs"),
    [("Prix (¤)", 1), ("12 k¤, 5 k¤", 2), ("¤uro", 1), ("#,##0.00 ¤", 1), ("#,##0.00¤", 0), ("café", 0)],
)
def test_signs_that_may_be_the_euro_are_told(
    text: str, signs: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(f"<t>été {text}</t>\n".encode("latin-1"))
    assert call("repair", "-i", path) == 0
    told = capsys.readouterr().err
    count = "1 sign" if signs == 1 else f"{signs} signs"
    assert told == (
        f"feedcharset: {path}: {count} ¤ may be the euro of ISO-8859-15; put € in its place then\n"
        if signs
        else ""
    )


@each("rows", [1, 3, 40])
@each("row", ["prix;12,50 €", "12,50 €;prix", "prix 12,50 € à payer"])
def test_a_price_in_iso_8859_15_among_utf8(rows: int, row: str, tmp_path: Path) -> None:
    utf8 = "café;12,50 €\n".encode() * 40
    (tmp_path / "file").write_bytes(utf8 + f"{row}\n".encode("iso8859-15") * rows)
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 2
    (tmp_path / "file").write_bytes(utf8 + f"{row}\n".encode("cp1252") * rows)
    assert call("repair", tmp_path / "file", "-o", tmp_path / "out") == 0


ENGLISH = "The committee—after long debate—agreed.\nHe paused—then left.\nBread, milk and eggs—all missing.\n"


@pytest.mark.parametrize("more", ["", "“plain” English lines, don’t you think\n" * 50])
def test_dashes_between_english_words_are_no_letters(more: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes((more + ENGLISH).encode("cp1252"))
    assert (call("repair", "-i", path), path.read_text("utf-8")) == (0, more + ENGLISH)


def test_letters_of_mac_are_no_dashes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(before := "canción población económico sesión\nhistórico póliza\n".encode("mac_roman"))
    assert (call("repair", "-i", path), path.read_bytes()) == (2, before)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("line", "codec"),
    [
        ("It’s the dog’s tail", "mac_roman"),
        ("They say “fine”, mostly", "mac_roman"),
        ("He left – too late", "mac_roman"),
        ("Price: £5.50", "cp850"),
        ("Price: £5.50", "cp437"),
        ("at 20°C", "cp850"),
        ("at 20 °C, or 21° there", "cp437"),
        ("5 ± 1 or ±3", "cp437"),
        ("Temp 25°C, Lat 48°12.5 N", "mac_roman"),
        ("The file «readme» is missing", "cp850"),
        ("20 ÷ 5 = 4", "cp850"),
        ("Room 5: 12 m²", "cp850"),
        ("95\xa0557\xa0USD", "cp850"),
        ("3 × 4 cm", "cp850"),
        ("Copyright © 1994 Acme", "cp850"),
        ("costs ¥500", "cp437"),
        ("Open… and Save As…", "mac_roman"),
        ("He came – or he came — but late, or he came — but not", "mac_roman"),
    ],
)
@pytest.mark.parametrize("beside", ["", "café\n"])
def test_marks_of_mac_and_signs_of_dos_are_no_letters(
    line: str, codec: str, beside: str, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    for times in (1, 30):
        lines = "".join(f"{number}: {line}\n" for number in range(times))
        path.write_bytes(before := beside.encode() * times + lines.encode(codec))
        assert (call("repair", "-i", path), path.read_bytes()) == (2, before)
    lines = lines.replace("21° there", "").replace(" or he came — but late,", "")
    path.write_bytes(lines.encode("cp1252"))
    assert (call("repair", "-i", path), path.read_text("utf-8")) == (0, lines)


@pytest.mark.long
def test_characters_that_were_cut_and_c1_controls_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, line = tmp_path / "file", "Добрый день; 1\n" * 40
    path.write_bytes(line.encode() + "Москва".encode()[:-1] + b"; 2\n")
    assert call("repair", "-i", path) == 0
    assert "1 character of which only the beginning is left became letters" in capsys.readouterr().err
    for column, size in (("пр", 3), ("Москва", 5), ("Łódź", 6), ("今天", 4), ("été", 4)):
        for times in (1, 60):
            path.write_bytes((column.encode()[:size] + b";ok\n") * times)
            assert call("repair", "-i", path) == 0
            told = "1 character" if times == 1 else f"{times} characters"
            assert f"{told} of which only the beginning is left became letters" in capsys.readouterr().err
    # The end of the file cuts a character, also behind more than one piece.
    for text in (
        "déjà vu €",
        "Große Straße – schö",
        "Погода в Москве",
        "今日は天気",
        "Great news 😀",
        "Tiếng Việ",
    ):
        for times in (1, 300, 12_000):
            whole = (f"{text} " * times).encode() + text.encode()
            for cut in range(1, len(text[-1].encode())):
                path.write_bytes(whole[:-cut])
                assert call("repair", "-i", path) == 0
                assert "1 character of which only the beginning is left" in capsys.readouterr().err
        path.write_bytes(whole)
        assert (call("repair", "-i", path), capsys.readouterr().err) == (0, "")
    path.write_bytes("déjà vu; ".encode() + "café".encode("cp1252"))
    assert (call("repair", "-i", path), capsys.readouterr().err) == (0, "")
    path.write_bytes(line.encode() + b"caf\xe9 \x81 noir\n")
    assert call("repair", "-i", path) == 0
    assert capsys.readouterr().err.endswith("1 byte not in windows-1252, written as C1 controls\n")
    path.write_bytes(line.encode() + "café noir\n".encode("cp1252"))
    assert (call("repair", "-i", path), capsys.readouterr().err) == (0, "")


@each(
    "row",
    [
        "ä 5\n",
        "с\n",
        "№ 5\n",
        "\nprix 12,50 ¤ caf\udce9\n",
        '\n<a/>\n<?xml version="1.0" encoding="latin1"?>\n',
    ],
)
@pytest.mark.long
@pytest.mark.parametrize("between", ["x", "x\n"])
def test_what_is_told_is_the_same_wherever_a_piece_ends(
    row: str, between: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first piece ends with the window, or in the row."""
    end = repair.HEAD_LIMIT + 1000
    for shift in range(len(row) + 2):
        before = "caf\udce9\n" + (between * end)[: end - len("caf\udce9\n") - shift]
        data = (before + row + "caf\udce9\n").encode("utf-8", "surrogateescape")
        found = []
        for window in (1 << 20, end - len("caf\udce9") + 1):
            monkeypatch.setattr(repair, "LOOKAHEAD", window)
            source = repair._RepairedInput(io.BytesIO(data), repair.RepairOptions())
            found.append((b"".join(source.pieces()), source.told()))
        assert found[0] == found[1]


@pytest.mark.long
@pytest.mark.parametrize(("other", "codec"), [("", "cp1252"), (RUSSIAN, "cp1251"), (POLISH, "cp1250")])
def test_pieces_like_those_before_are_not_judged_again(
    other: str, codec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[bytes] = []
    judge = western_words.another_encoding

    def another_encoding(data: bytes, *others: Any) -> Any:
        judged.append(data)
        return judge(data, *others)

    monkeypatch.setattr(western_words, "another_encoding", another_encoding)
    words = FRENCH.split()
    lines = [" ".join(words[at % 7 :] + words[: at % 5]).encode("cp1252") for at in range(1000)]
    letters = western_words.LettersAmongUtf8(b"", b"")
    for at in range(50):
        assert letters.found_in(b"\n".join(lines[at : at + 40]) + b"\n" + b"x y z\n" * 9000) is None
    assert len(judged) < 10
    found = letters.found_in(f"{other}\n".encode(codec) * 20)
    assert (found is not None) is bool(other)


BOX = "┌────┐\n│ ok │\n└────┘\n"


@pytest.mark.parametrize("box", [BOX, BOX * 10, "╔════╗\n║ ░▒▓║\n╚════╝\n" * 9])
@pytest.mark.parametrize("beside", ["", "été à l’école\n"])
def test_boxes_of_dos_are_no_text(
    box: str, beside: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(before := beside.encode() + box.encode("cp437"))
    assert (call("repair", "-i", path), path.read_bytes()) == (2, before)
    assert "DOS" in capsys.readouterr().err


def test_characters_of_four_bytes_are_no_words(tmp_path: Path) -> None:
    path = tmp_path / "file"
    georgian = "საქართველოს დედაქალაქი თბილისი\nგამარჯობა მსოფლიო\n"
    for times in (1, 50):
        path.write_bytes(before := georgian.encode("gb18030") * times)
        assert (call("repair", "-i", path), path.read_bytes()) == (2, before)


def test_a_sign_behind_a_capital_is_no_letter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file"
    path.write_bytes("Aage Møller\nJens Sørensen\nLars Højgaard\n".encode("cp850"))
    code = call("repair", "-i", path)
    assert code == 2 or "may be in another encoding" in capsys.readouterr().err


def test_declarations_further_down_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file"
    line = '<?xml version="1.0" encoding="{}"?><a>café</a>\n'
    path.write_bytes(line.format("ISO-8859-1").encode("latin-1") * 3)
    assert call("repair", "-i", path) == 0
    assert path.read_text("utf-8") == line.format("UTF-8") + 2 * line.format("ISO-8859-1")
    assert "2 XML declarations in it still named another encoding" in capsys.readouterr().err
    path.write_bytes(line.format("ISO-8859-1").encode("latin-1") + 2 * line.format("utf-8").encode())
    assert call("repair", "-i", path) == 0
    assert capsys.readouterr().err == ""


CUT_TABLES = {
    "Turkish": "Ağrı dağı şubatta karlıdır;İstanbul’da ışık çoğaldı;Yağmur yağışı bekleniyor;Öğle şarkısı",
    "Azerbaijani": "Şəkildəki ağac çox gözəldir;İndi tərcümə üçün vaxtdır;Bütün səhifələr;Yükləmə – ləğv",
    "Latvian": "Jūsu vārds nav šeit;Pēdējā rīta ziņa;Šodien līst lietus Rīgā;Meklēt lapā “šeit”",
    "Polish": "Żółta łódź płynie do Łodzi;Wyślij ponownie zgłoszenie;Źródło błędów: użyto „ś”;Święta",
}


@pytest.mark.parametrize("language", CUT_TABLES)
@each("size", range(6, 21))
def test_fields_that_were_cut_at_a_number_of_bytes_are_utf8(language: str, size: int, tmp_path: Path) -> None:
    """As VARCHAR(8) and `head -c` do. What is left of a letter was taken for one of DOS or Mac."""
    phrases = CUT_TABLES[language].split(";")
    rows = [phrases[at % 4 :] + phrases[: at % 4] for at in range(12)]
    fields = ([field.encode()[:size] for field in row[: 2 + at % 2]] for at, row in enumerate(rows))
    data = b"".join(b"%d;%b\n" % (at, b";".join(row)) for at, row in enumerate(fields))
    path = tmp_path / "file"
    path.write_bytes(data)
    assert call("repair", "-i", path) == 0
    assert call("repair", "--errors", "replace", path, "-o", tmp_path / "out") == 0
    cut = data.decode("utf-8", "replace")
    for line, whole in zip(path.read_text("utf-8").split("\n"), cut.split("\n"), strict=True):
        assert len(line) >= len(whole)
        assert all(part in line for part in whole.split("\ufffd"))


@pytest.mark.parametrize(
    "signs", ["It\u2019s", "\u201ca\u201d \u2013 b\u2026", "20 \u20ac", "x \U0001f600", "A\u2122"]
)
@pytest.mark.parametrize(
    ("codec", "label", "text"),
    [
        ("cp1251", "windows-1251", "Погода на завтра: дождь"),
        ("koi8-r", "KOI8-R", "Погода на завтра: дождь"),
        ("mac_cyrillic", "x-mac-cyrillic", "Погода на завтра: дождь"),
        ("cp1253", "windows-1253", "Ο καιρός σήμερα στην πόλη"),
        ("cp1255", "windows-1255", "מזג האוויר: גשם בצפון הארץ"),
        ("cp874", "windows-874", "ฝนตกหนักในหลายจังหวัดของประเทศ"),
        ("cp1250", "windows-1250", "Předpověď počasí: déšť v neděli"),
        ("cp852", "IBM852", "Předpověď počasí: déšť v neděli"),
        ("gbk", "GBK", "今天下雨了，所以我想在家里看书"),
        ("euc_kr", "EUC-KR", "내일 전국에 비가 내리겠습니다"),
        ("shift_jis", "Shift_JIS", "今日は雨が降っているので、家で本を読もう"),
    ],
)
def test_signs_in_utf_8_among_another_charset_are_refused(
    codec: str, label: str, text: str, signs: str, tmp_path: Path
) -> None:
    """They stand alone between ASCII, which their bytes do in no other charset."""
    path = tmp_path / "file.xml"
    declaration = f'<?xml version="1.0" encoding="{label}"?>\n<a>\n'
    lines = b"".join(b"<b>%b</b>\n" % text.encode(codec) for _ in range(4))
    data = declaration.encode() + lines + b"<b>%b</b>\n</a>\n" % signs.encode()
    for arguments in (["repair", "-i", "--force"], ["repair", "-i"], ["check", "--fix"]):
        path.write_bytes(data)
        assert call(*arguments, path) == (1 if arguments[0] == "check" else 2)
        assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("line", "codec"),
    [
        ("café ouvert!", "utf-8"),
        ("Größe und Übung in Köln", "utf-8"),
        ("Погода завтра, новости дня", "utf-8"),
        ("今日は雨が降っているので", "utf-8"),
        ("schöne Grüße aus Köln", "latin-1"),
        ("Погода завтра, новости дня", "cp1251"),
    ],
)
@pytest.mark.parametrize("wide", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_line_of_any_charset_behind_utf_16_is_refused(
    wide: str, line: str, codec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would become ideographs."""
    path = tmp_path / "file.log"
    whole = "service started 今天下雨了，读者排起长队 в начале\n".encode(wide)
    whole = whole if wide.endswith(("16", "32")) else "\ufeff".encode(wide) + whole
    path.write_bytes(before := whole + line.encode(codec) + b"\n")
    assert call("repair", "-i", "--force", path) == 2
    assert path.read_bytes() == before
    assert f"at byte {len(whole)} it has text of one byte a character" in capsys.readouterr().err
    path.write_bytes(whole)
    assert call("repair", "-i", "--force", path) == 0
    assert path.read_text("utf-8") == whole.decode(wide).removeprefix("\ufeff")


@pytest.mark.parametrize(("codec", "bom"), [("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")])
def test_lines_of_one_byte_a_character_behind_utf_16_are_refused(
    codec: str, bom: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As `>>` of one shell writes them behind `>` of another."""
    path = tmp_path / "file.log"
    data = bom + ("Job started\r\n" * 8 + "今天下雨了，读者排起长队\r\n" * 500).encode(codec)
    path.write_bytes(data + b"2026-11-28 12:05:01 ERROR disk full on /dev/sda1\r\n" * 3)
    before = path.read_bytes()
    assert call("repair", "-i", "--force", path) == 2
    assert "has text of one byte a character: 2026-11-28 12:05:01 ERROR" in capsys.readouterr().err
    assert path.read_bytes() == before
    path.write_bytes(data)
    assert call("repair", "-i", "--force", path) == 0
    assert path.read_text(encoding="utf-8") == data[2:].decode(codec).replace("\r\n", "\n")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_lines_in_utf_8_among_those_of_a_declared_east_asian_charset_are_refused(
    number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where so many are that the declaration is refuted."""
    lines = ["今天下雨了，所以我想在家裡看書。", "總統會見外交部長", "新學校在市中心開學", "國家隊贏得比賽"]
    path = tmp_path / "file.xml"
    data = b'<?xml version="1.0" encoding="Big5"?>\n<a>\n' + "\n".join(lines).encode("big5")
    data += "\n".join(["", *(lines * 3)[:number], "</a>"]).encode()
    for force in ([], ["--force"]):
        path.write_bytes(data)
        assert call("repair", "-i", *force, path) == 2
        assert path.read_bytes() == data
        assert "IBM850" not in capsys.readouterr().err
