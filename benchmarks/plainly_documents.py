"""Whole documents, through `resolve`: short UTF-8 ones under stale labels, honest ones under true labels."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from plainly_corpora import LABELS, encode_lines, read_corpus, spells

from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.decide.resolve import resolve
from feedcharset.text.xml_decoder import decode

__all__ = ["LENGTHS", "SCRIPTS", "Changed", "feed", "honest_documents", "honest_files", "recognised", "stale"]

LENGTHS = (1, 2, 3, 5, 10, 20)
"""Words beyond ASCII in a UTF-8 document."""

_SCRIPTS = """
western     fr de es pt it nl sv da no fi is fo ga ca gl eu oc br lb
central     pl cs sk hu ro hr sl lt lv et sq hsb tr eo mt
vietnamese  vi
cyrillic    ru uk bg sr mk be kk mn
greek       el
hebrew      he
arabic      ar fa ur
thai        th
indic       hi bn ta te ml gu kn mr ne si
cjk         zh-hans zh-hant zh-Hans zh-Hant ja ko
"""
SCRIPTS = {script: languages for script, *languages in map(str.split, _SCRIPTS.strip().splitlines())}
"""Languages whose words in UTF-8 are of one kind."""

_FEED = '<?xml version="1.0"{}?>\n<rss version="2.0"><channel>\n{}\n</channel></rss>\n'


def feed(titles: list[str], label: str | None) -> str:
    """A feed with these titles, and the label in its declaration."""
    items = "\n".join(f"<item><title>{title}</title></item>" for title in titles)
    declaration = f' encoding="{label}"' if label else ""
    return _FEED.format(declaration, items.replace("&", "+"))


def stale(language: str, words: list[str], length: int, count: int) -> list[str]:
    """Titles of `length` of the words; every fourth in upper case."""
    choose = random.Random(f"{language} {length}")
    joined = "" if language.startswith(("zh", "ja", "th")) else " "
    titles = [joined.join(choose.choices(words, k=length)) for _ in range(count)]
    return [t.upper() if index % 4 == 3 else t[:1].upper() + t[1:] for index, t in enumerate(titles)]


def recognised(titles: list[str], label: Charset) -> int:
    """How many of the titles, each in a UTF-8 feed of its own, are read as UTF-8 under the stale label."""
    octets = (feed([title], label.name).encode() for title in titles)
    return sum(resolve(document, complete=True).encoding == "UTF-8" for document in octets)


class Changed(NamedTuple):
    """An honest document that is read otherwise than its label says."""

    label: str
    encoding: str
    what: str


def honest_documents(folder: Path, share: float, count: Counter[str]) -> Iterator[Changed]:
    """Feeds of 1, 3, 10 and 30 titles of each language, in each charset that spells it, truly labelled.

    Each is declared, or named by the header, or both; those in windows-1252 are also read without a label.
    """
    for language, titles in read_corpus(folder, "titles", share):
        clean = [title for title in titles if "<" not in title]
        for charset in LABELS:
            if clean and spells(charset, clean):
                yield from _in_charset(language, clean, charset, count)


def _in_charset(language: str, titles: list[str], charset: Charset, count: Counter[str]) -> Iterator[Changed]:
    choose = random.Random(f"{language} {charset.name}")
    some = choose.choices(titles, k=400)
    written = encode_lines(charset, [*some, *(title.upper() for title in some[:200])]).split(b"\n")[:-1]
    for length in (1, 3, 10, 30):
        for start in range(0, min(len(written), 20 * length), length):
            items = b"\n".join(b"<title>" + title + b"</title>" for title in written[start : start + length])
            if items.isascii():  # `BITTI` of Turkish, in upper case
                continue
            for declared in (True, False):
                head = (
                    f"<?xml version='1.0' encoding='{charset.name}'?>"
                    if declared
                    else "<?xml version='1.0'?>"
                )
                document = head.encode() + b"<rss>" + items + b"</rss>"
                yield from _read(document, charset, declared, count)


def _read(document: bytes, charset: Charset, declared: bool, count: Counter[str]) -> Iterator[Changed]:
    header = f"application/xml; charset={charset.name}"
    fields = [None, "text/xml", header] if declared else [header]
    for field in fields:
        count["documents"] += 1
        encoding = resolve(document, field, complete=True).encoding
        if encoding != charset.name:
            yield Changed(charset.name, encoding, document.decode(charset.codec or "", "replace"))
        elif (text := decode(document, field, declaration="keep").text) != _text(document, charset):
            yield Changed(charset.name, "another text", text)
    if charset.name == "windows-1252" and not declared:
        count["without a label"] += 1
        if (text := decode(document, declaration="keep").text) != _text(document, charset):
            yield Changed(charset.name, "no label", text)


def _text(document: bytes, charset: Charset) -> str:
    return charset_decoder(charset, lenient=True).decode(document, True)


def honest_files(folder: Path, count: Counter[str]) -> Iterator[Changed]:
    """Real files, in the charset of the folder that they stand in."""
    for path in sorted((folder / "files").glob("*/*")):
        charset = by_name(path.parent.name)
        count["files"] += 1
        octets = path.read_bytes()
        resolution = resolve(octets, f"text/xml; charset={charset.name}", complete=True)
        if resolution.encoding != charset.name or any(step.id == "mixture" for step in resolution.steps):
            yield Changed(charset.name, resolution.encoding, path.name)
