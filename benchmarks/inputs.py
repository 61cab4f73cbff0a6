"""The documents that are measured: feeds made of the words of fixtures/texts, the same in every run.

Large files are written once, under benchmarks/_data.
"""

from __future__ import annotations

import random
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["DATA", "Document", "crawl", "feed", "heads", "large", "mislabelled", "with_damage"]

DATA = Path(__file__).parent / "_data"
TEXTS = Path(__file__).parent.parent / "fixtures" / "texts"

ITEM = """<entry><title>{title}</title><link href="https://example.org/news/2026/11/{number}"/>
<id>tag:example.org,2026:{number}</id><updated>2026-11-{day:02}T08:30:00Z</updated>
<summary type="html">&lt;p&gt;{text}&lt;/p&gt;</summary></entry>
"""
HEAD = """<?xml version="1.0"{encoding}?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>{title}</title><id>tag:example.org,2026:feed</id>
"""
END = "</feed>\n"
NO_SPACES = ("ja", "zh-Hans", "zh-Hant", "th")

_TAG = re.compile(r"<[^>]*>|&[a-z]+;|[<>&]")


class Document(NamedTuple):
    """A document and its Content-Type."""

    body: bytes
    content_type: str | None = None


@cache
def _words(language: str) -> tuple[str, ...]:
    """The words of a language; of one that has no spaces, pieces of four characters."""
    table = tomllib.loads((TEXTS / f"{language}.toml").read_text(encoding="utf-8"))
    text = " ".join(_TAG.sub(" ", f"{item['title']} {item['html']}") for item in table["items"])
    if language not in NO_SPACES:
        return tuple(text.split())
    text = "".join(text.split())
    return tuple(text[at : at + 4] for at in range(0, len(text) - 4, 4))


def feed(
    languages: str, size: int = 60_000, *, declared: str | None = "UTF-8", codec: str = "utf-8", seed: int = 1
) -> bytes:
    """A feed of `size` bytes, a little less.

    Args:
        languages: names of fixtures/texts, one of which each entry is in.
        declared: the encoding that the declaration names; None: no declaration at all.
        codec: the encoding that the document is in; characters it does not have are left out.
    """
    source = random.Random(f"{languages} {seed}")
    head = "" if declared is None else HEAD.format(encoding=f' encoding="{declared}"', title="A feed")
    entries, length = [head.encode(codec)], 0
    while length < size:
        entry = _entry(source, source.choice(languages.split())).encode(codec, "ignore")
        entries.append(entry)
        length += len(entry)
    return b"".join(entries[:-1]) + END.encode(codec)


def _entry(source: random.Random, language: str) -> str:
    words, space = _words(language), "" if language in NO_SPACES else " "
    title, text = (space.join(source.choice(words) for _ in range(count)) for count in (6, 40))
    return ITEM.format(title=title, text=text, number=source.randrange(10**6), day=source.randrange(1, 30))


MIXED = "fr fr fr de de de es pl en en en en en ru"
"""About 7 % of the bytes are not ASCII."""


def heads(count: int) -> list[bytes]:
    """First kilobytes of feeds that are all different."""
    bodies = []
    for number in range(count):
        head = HEAD.format(encoding=' encoding="UTF-8"', title=f"Feed {number}").encode()
        bodies.append((head + feed("fr en", 2000, declared=None, seed=number))[:1024])
    return [body.decode("utf-8", "ignore").encode() for body in bodies]


def mislabelled(language: str, label: str, size: int = 60_000, seed: int = 1) -> bytes:
    """A feed in UTF-8 whose declaration names another encoding."""
    return feed(language, size, declared=label, seed=seed)


def with_damage(body: bytes, places: int, seed: int = 1) -> bytes:
    """The same with a stray byte E9 in so many places between ASCII characters."""
    source, damaged = random.Random(seed), bytearray(body)
    while places:
        at = source.randrange(200, len(damaged) - 1)
        if damaged[at - 1 : at + 2].isalpha() and damaged[at - 1 : at + 2].isascii():
            damaged[at] = 0xE9
            places -= 1
    return bytes(damaged)


SHARES: tuple[tuple[int, str, str | None, str, str | None, int], ...] = (
    # of 200 documents: languages, declared, codec, Content-Type, damaged places
    (140, MIXED, "UTF-8", "utf-8", "application/rss+xml", 0),
    (8, MIXED, "UTF-8", "utf-8", "text/xml", 0),
    (6, MIXED, None, "utf-8", "application/xml", 0),
    (6, MIXED, "UTF-8", "utf-8", "text/xml; charset=utf-8", 0),
    (4, MIXED, "UTF-8", "utf-8-sig", "application/xml", 0),
    (5, "ru", "windows-1251", "cp1251", "text/xml", 0),
    (5, "fr de es", "ISO-8859-1", "cp1252", "text/xml", 0),
    (3, "pl cs", "ISO-8859-2", "iso8859-2", "application/xml", 0),
    (2, "ru", "KOI8-R", "koi8-r", "application/xml", 0),
    (3, "ja", "Shift_JIS", "cp932", "text/xml", 0),
    (1, "ja", "EUC-JP", "euc-jp", "text/xml", 0),
    (3, "zh-Hans", "GB2312", "gbk", "text/xml", 0),
    (1, "zh-Hant", "Big5", "big5", "text/xml", 0),
    (1, "ko", "EUC-KR", "euc-kr", "text/xml", 0),
    (1, "ru", "UTF-16", "utf-16", "application/xml", 0),
    (2, "ru", "windows-1251", "utf-8", "application/xml", 0),
    (2, "fr de", "ISO-8859-1", "utf-8", "application/xml", 0),
    (1, "zh-Hans", "GBK", "utf-8", "application/xml", 0),
    (2, MIXED, "UTF-8", "utf-8", "text/xml; charset=ISO-8859-1", 0),
    (3, MIXED, "UTF-8", "utf-8", "application/xml", 1),
    (1, MIXED, "UTF-8", "utf-8", "application/xml", 50),
)


def crawl(count: int) -> list[Document]:
    """Documents as a crawl meets them, 18 KB on average, in a mixed order."""
    source = random.Random(2026)
    documents = []
    for share, languages, declared, codec, content_type, damage in SHARES:
        for number in range(count * share // 200):
            size = int(min(200_000, 2_000 + source.expovariate(1 / 16_000)))
            body = feed(languages, size, declared=declared, codec=codec, seed=number)
            if damage:
                body = with_damage(body, min(damage, size // 400), seed=number)
            documents.append(Document(body, content_type))
    source.shuffle(documents)
    return documents


KINDS = {
    # Languages, declared, codec.
    "ascii": ("en", "US-ASCII", "ascii"),
    "utf8": (MIXED, "UTF-8", "utf-8"),
    "windows-1252": ("fr de es", "windows-1252", "cp1252"),
    "gbk": ("zh-Hans", "GBK", "gbk"),
    "shift_jis": ("ja", "Shift_JIS", "cp932"),
    "latin1": ("fr de es", "ISO-8859-1", "latin-1"),
}

PERIOD = 4_000_000
"""Bytes of a large file that are all different, before they repeat."""


def large(kind: str, mebibytes: int) -> Path:
    """A file of a kind of KINDS and a size; made once."""
    path, size = DATA / f"{kind}-{mebibytes}.xml", mebibytes << 20
    if not path.exists() or path.stat().st_size != size:
        languages, declared, codec = KINDS[kind]
        block = feed(languages, min(PERIOD, size // 2), declared=None, codec=codec)[: -len(END)]
        DATA.mkdir(exist_ok=True)
        with path.open("wb") as file:
            file.write(HEAD.format(encoding=f' encoding="{declared}"', title="A feed").encode())
            while file.tell() + len(block) < size - len(END):
                file.write(block)
            file.write(END.encode().rjust(size - file.tell()))
    return path
