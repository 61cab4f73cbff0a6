"""Generated feeds: language, real charset, declaration, BOM and Content-Type in every combination."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.sax.saxutils import escape

from support.cases import FIXTURES
from support.finding_promises import Document

__all__ = ["SEED", "hidden_documents", "labelled_documents", "mixed_documents"]

TEXTS = FIXTURES / "texts"

SEED = 20261120

CHARSETS = {
    # The charsets of a language besides Unicode: IANA's name and Python's codec.
    "en": "ISO-8859-1=latin-1 windows-1252=cp1252 macintosh=mac-roman US-ASCII=ascii IBM037=cp037 "
    "IBM437=cp437",
    "fr": "ISO-8859-1=latin-1 windows-1252=cp1252 ISO-8859-15=iso8859-15 macintosh=mac-roman IBM500=cp500 "
    "IBM850=cp850",
    "de": "ISO-8859-1=latin-1 windows-1252=cp1252 ISO-8859-15=iso8859-15 IBM273=cp273 IBM850=cp850",
    "es": "ISO-8859-1=latin-1 windows-1252=cp1252 ISO-8859-15=iso8859-15 IBM850=cp850",
    "pt": "ISO-8859-1=latin-1 windows-1252=cp1252 IBM860=cp860",
    "sv": "ISO-8859-1=latin-1 windows-1252=cp1252 IBM865=cp865",
    "pl": "ISO-8859-2=iso8859-2 windows-1250=cp1250 ISO-8859-16=iso8859-16 IBM852=cp852",
    "cs": "ISO-8859-2=iso8859-2 windows-1250=cp1250 IBM852=cp852",
    "hu": "ISO-8859-2=iso8859-2 windows-1250=cp1250",
    "ro": "ISO-8859-16=iso8859-16 ISO-8859-2=iso8859-2 windows-1250=cp1250",
    "lt": "windows-1257=cp1257 ISO-8859-13=iso8859-13 ISO-8859-4=iso8859-4 IBM775=cp775",
    "ru": "windows-1251=cp1251 KOI8-R=koi8-r ISO-8859-5=iso8859-5 IBM866=cp866 IBM855=cp855 "
    "x-mac-cyrillic=mac-cyrillic",
    "uk": "windows-1251=cp1251 KOI8-U=koi8-u x-mac-cyrillic=mac-cyrillic",
    "bg": "windows-1251=cp1251 ISO-8859-5=iso8859-5",
    "el": "ISO-8859-7=iso8859-7 windows-1253=cp1253 IBM869=cp869",
    "tr": "ISO-8859-9=iso8859-9 windows-1254=cp1254 IBM857=cp857",
    "he": "windows-1255=cp1255 ISO-8859-8=iso8859-8 IBM862=cp862",
    "ar": "windows-1256=cp1256 ISO-8859-6=iso8859-6",
    "th": "windows-874=cp874 TIS-620=tis-620",
    "vi": "windows-1258=cp1258",
    "ja": "Shift_JIS=shift_jis EUC-JP=euc_jp ISO-2022-JP=iso2022_jp Windows-31J=cp932",
    "zh-Hans": "GB2312=gb2312 GBK=gbk GB18030=gb18030",
    "zh-Hant": "Big5=big5 Big5-HKSCS=big5hkscs",
    "ko": "EUC-KR=euc_kr windows-949=cp949",
}
UNICODE = (
    "UTF-8=utf-8 UTF-8=utf-8 UTF-8=utf-8 UTF-8=utf-8 UTF-16BE=utf-16-be UTF-16LE=utf-16-le "
    "UTF-32BE=utf-32-be UTF-32LE=utf-32-le"
)
BOMS = {
    "UTF-8": b"\xef\xbb\xbf",
    "UTF-16BE": b"\xfe\xff",
    "UTF-16LE": b"\xff\xfe",
    "UTF-32BE": b"\0\0\xfe\xff",
    "UTF-32LE": b"\xff\xfe\0\0",
}
_LONGEST_FIRST = sorted(BOMS.values(), key=len, reverse=True)

ALIASES = {
    "UTF-8": "utf8 unicode-1-1-utf-8 UTF_8 utf-8",
    "UTF-16BE": "UTF-16 utf-16be ISO-10646-UCS-2",
    "UTF-16LE": "UTF-16 utf-16le unicode",
    "UTF-32BE": "UTF-32 ISO-10646-UCS-4",
    "UTF-32LE": "UTF-32",
    "ISO-8859-1": "latin1 l1 iso_8859-1 iso88591 cp819",
    "windows-1252": "cp1252 x-cp1252 win-1252",
    "ISO-8859-15": "latin-9 l9",
    "windows-1251": "cp1251 x-cp1251 win1251",
    "KOI8-R": "koi8_r koi",
    "ISO-8859-2": "latin2 iso88592",
    "Shift_JIS": "sjis x-sjis ms_kanji Windows-31J",
    "Windows-31J": "Shift_JIS windows-31j ms932",
    "EUC-JP": "x-euc-jp euc_jp",
    "GBK": "gb2312 cp936 x-gbk chinese",
    "GB2312": "gb_2312-80 gbk",
    "Big5": "big5-hkscs x-x-big5",
    "EUC-KR": "ks_c_5601-1987 korean",
    "windows-949": "EUC-KR ks_c_5601-1987 uhc",
    "TIS-620": "iso-8859-11 windows-874",
    "windows-874": "TIS-620 dos-874",
    "x-mac-cyrillic": "mac-cyrillic MacCyrillic",
    "macintosh": "mac MacRoman",
    "IBM866": "cp866",
    "IBM855": "cp855",
}
WRONG = """UTF-8 UTF-8 ISO-8859-1 ISO-8859-1 windows-1252 windows-1251 US-ASCII UTF-16 UTF-16LE UTF-32
    ISO-8859-2 Shift_JIS EUC-KR GB2312 Big5 KOI8-R ISO-2022-JP IBM037 utf-7 hz-gb-2312 ISO-2022-KR x-klingon
    unknown utf-9"""
TYPES = (
    (None, 6),
    ("", 1),
    ("application/rss+xml", 3),
    ("application/xml", 1),
    ("text/xml", 2),
    ("application/rss+xml; charset={real}", 3),
    ("text/xml; charset={real}", 2),
    ("application/rss+xml; charset={alias}", 1),
    ("application/rss+xml; charset=UTF-8", 1),
    ("text/xml; charset=ISO-8859-1", 1),
    ("application/xml; charset={wrong}", 2),
    ("application/rss+xml, charset={real}", 1),
    ("text/html; charset={real}", 1),
)
DECLARED = (("real", 8), ("alias", 4), ("bare", 2), ("silent", 2), ("wrong", 5))


def feed(text: tuple[str, ...], declaration: str) -> str:
    """A feed with these texts."""
    items = "".join(
        f"<item>\n<title>{escape(title)}</title>\n<description>{escape(about)}</description>\n</item>\n"
        for title, about in zip(text[1::2], text[2::2], strict=True)
    )
    head = f"{declaration}\n" if declaration else ""
    title = f"<title>{escape(text[0])}</title>"
    return f'{head}<rss version="2.0">\n<channel>\n{title}\n{items}</channel>\n</rss>\n'


@cache
def _source(language: str) -> dict[str, Any]:
    return tomllib.loads((TEXTS / f"{language}.toml").read_text(encoding="utf-8"))


def _texts(language: str, codec: str, chance: random.Random) -> tuple[str, ...]:
    source = _source(language)
    texts = [source["title"]]
    for item in source["items"][: chance.randint(1, len(source["items"]))]:
        texts += [item["title"], item["html"]]
    if language == "ja" and codec in ("cp932", "shift_jis") and chance.random() < 0.5:
        texts[0] += " ①"
    if language == "ko" and chance.random() < 0.5:
        texts[0] += " 똠방각하"
    return tuple(" ".join(text.encode(codec, "ignore").decode(codec).split()) for text in texts)


def _pick(chance: random.Random, weighted: tuple[tuple[str | None, int], ...]) -> str | None:
    return chance.choices([one for one, _ in weighted], [weight for _, weight in weighted])[0]


def labelled_documents(count: int, seed: int = SEED) -> Iterator[Document]:
    """As many documents; the same ones for the same seed."""
    chance = random.Random(seed)
    languages = list(CHARSETS)
    for number in range(count):
        language = languages[number % len(languages)]
        pairs = CHARSETS[language].split()
        charset, codec = chance.choice([*pairs, *pairs, *UNICODE.split()]).split("=")
        yield _document(number, language, charset, codec, chance)


def hidden_documents(count: int, seed: int = SEED) -> Iterator[Document]:
    """Those of as many documents that get a blank line before them, a false BOM, or both: labels behind
    these are hidden."""
    chance = random.Random(seed)
    for document in labelled_documents(count, seed):
        bom = next((bom for bom in _LONGEST_FIRST if document.body.startswith(bom)), b"")
        body, before = document.body[len(bom) :], ""
        if chance.random() < 0.6:
            before = chance.choice(["\n", "\r\n", " \n", "\n\n"])
        body, false = bom + before.encode(document.codec) + body, b""
        if not document.codec.startswith(("utf-16", "utf-32")) and chance.random() < 0.5:
            false = chance.choice(_LONGEST_FIRST)
        if false or before:
            name = f"{document.name} after {false + before.encode()!r}"
            yield document._replace(name=name, body=false + body, right=False)


def mixed_documents(count: int, seed: int = SEED) -> Iterator[Document]:
    """As many documents with lines in UTF-8 and lines in a charset of their language."""
    chance = random.Random(seed)
    for number in range(count):
        language, row = chance.choice(list(CHARSETS.items()))
        pairs = [pair for pair in row.split() if not pair.startswith(("IBM037", "IBM273", "IBM500"))]
        charset, codec = chance.choice(pairs).split("=")
        texts = [f"<title>{escape(text)}</title>\n" for text in _texts(language, codec, chance)]
        lines = [text.encode(codec) for text in texts[: chance.randint(1, 4)]]
        lines += [text.encode() for text in texts * chance.choice([1, 1, 3]) if chance.random() < 0.7]
        chance.shuffle(lines)
        label = chance.choice([None, "UTF-8", charset, charset, chance.choice(WRONG.split())])
        declaration = f'<?xml version="1.0" encoding="{label}"?>\n' if label else ""
        named = f"<language>{language}</language>\n" if chance.random() < 0.3 else ""
        body = b"".join([f"{declaration}<rss>{named}".encode(), *lines, b"</rss>"])
        yield Document(f"{number} {language} {charset} among UTF-8, {declaration!r}", body, None, "utf-8")


def _document(number: int, language: str, charset: str, codec: str, chance: random.Random) -> Document:
    aliases = ALIASES.get(charset, charset).split()
    kind = _pick(chance, DECLARED)
    wrong = chance.choice(WRONG.split())
    label = {"real": charset, "alias": chance.choice(aliases), "wrong": wrong}.get(kind or "")
    declaration = "" if kind == "bare" else '<?xml version="1.0"?>'
    if label is not None:
        declaration = f'<?xml version="1.0" encoding="{label}"?>'
    sent = _pick(chance, TYPES)
    if sent is not None:
        sent = sent.format(real=charset, alias=chance.choice(aliases), wrong=chance.choice(WRONG.split()))
    text = _texts(language, codec, chance)
    bom = BOMS[charset] if charset in BOMS and chance.random() < 0.5 else b""
    return Document(
        name=f"{number} {language} {charset} {declaration!r} {sent!r}",
        body=bom + feed(text, declaration).encode(codec),
        content_type=sent,
        codec=codec,
        charset=charset,
        text=text,
        right=kind == "real" and sent in _right_types(charset, bom != b""),
    )


def _right_types(charset: str, bom: bool) -> tuple[str | None, ...]:
    """The Content-Types that are right for a document that declares its charset."""
    forbidden = bom and charset.startswith("UTF-16")  # RFC 3023, section 4
    named = () if forbidden else (f"application/rss+xml; charset={charset}", f"text/xml; charset={charset}")
    return (None, "application/rss+xml", "application/xml", *named)
