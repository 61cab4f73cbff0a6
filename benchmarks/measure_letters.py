"""Measure evidence/language_detector.py: legacy text that no label names, beside other detectors.

    python benchmarks/measure_letters.py [FOLDER] [--count 40] [--beside chardet chardetng_py]

Each document holds 1, 3 or 10 titles of one language in one charset, and no label. Prints, by charset, of how
many in a hundred the text is right: by the letters, by the letters where the document names its language,
and by each other detector that is installed (also charset_normalizer), shown the same text without markup.
plainly_corpora.py says what a folder of corpora holds; without one the texts of the fixtures are read.
Measure on texts of which evidence/alphabets.py was not counted.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from plainly_corpora import SAMPLE, read_corpus

from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.decide.thresholds import enough_letters
from feedcharset.evidence.language_detector import JudgedText, detect_by_letters

_CHARSETS = """
windows-1252    fr de es pt it ca gl nl sv fi da nb is ga eu sq af fo cy oc br en id
windows-1251    ru uk be bg mk sr mn
KOI8-R          ru
KOI8-U          uk
ISO-8859-5      ru bg
IBM866          ru
IBM855          ru bg sr mk
x-mac-cyrillic  ru
windows-1253    el
ISO-8859-7      el
windows-1255    he
windows-1256    ar fa ur
windows-874     th
Shift_JIS       ja
EUC-JP          ja
EUC-KR          ko
GB18030         zh_CN zh-CN zh-Hans zh-hans
Big5            zh_TW zh-TW zh-Hant zh-hant
windows-1250    cs sk sl hr pl hu ro hsb
ISO-8859-2      cs sk sl hr pl hu
windows-1257    lt lv et
ISO-8859-13     lt lv
ISO-8859-4      lt lv et
windows-1254    tr az
ISO-8859-3      eo
"""
CHARSETS = {name: languages for name, *languages in map(str.split, _CHARSETS.strip().splitlines())}

WESTERN = "windows-1252"

TITLES = (1, 3, 10)
"""Titles in a document."""

Judge = Callable[[bytes, str], str | None]
"""From a document and its language to a label."""


def documents(titles: list[str], charset: Charset, count: int) -> Iterator[tuple[int, bytes]]:
    """Documents of 1, 3 and 10 titles that the charset can write, always the same ones, with their size."""
    written = []
    for title in titles:
        try:
            written.append(title.encode(charset.codec or ""))
        except UnicodeEncodeError:
            continue
    random.Random(charset.name).shuffle(written)
    for size in TITLES:
        for start in range(0, min(len(written) - size + 1, size * count), size):
            titles_here = b"</title>\n<title>".join(written[start : start + size])
            if not titles_here.isascii():
                yield size, b"<rss><title>" + titles_here + b"</title></rss>"


def by_letters(document: bytes, language: str) -> str | None:
    """Return the charset by the letters; a language names itself in the document where it is not ""."""
    high = next(at for at, byte in enumerate(document) if byte > 0x7F)
    opening = f"<language>{language}</language>".encode() if language else b""
    found = detect_by_letters(JudgedText(document[high:], document[:high], opening))
    if found is None or enough_letters(by_name(found.label), found) is not None:
        return None
    return found.label


def others(names: list[str]) -> dict[str, Judge]:
    """Return the other detectors, which have to be installed."""
    return {name: _judge(name, import_module(name)) for name in names}


def _judge(name: str, module: Any) -> Judge:
    def judge(document: bytes, language: str) -> str | None:
        text = _text(document)
        if name == "charset_normalizer":
            best = module.from_bytes(text).best()
            label = best.encoding if best else None
        else:
            found = module.detect(text)
            label = found["encoding"] if isinstance(found, dict) else found
        return None if label is None else str(label)

    return judge


def _text(document: bytes) -> bytes:
    return document[12:-14].replace(b"</title>\n<title>", b"\n")


def read_as(document: bytes, label: str | None) -> str:
    """Return the text by a label; where there is none, or an unknown one, as windows-1252."""
    charset = lookup(label or "", lenient=True)
    if charset is None or charset.refused or not charset.ascii_compatible:
        charset = by_name(WESTERN)
    return charset_decoder(charset, lenient=True).decode(document, True)


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Measure the letters beside other detectors.")
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLE, help="corpora [the fixtures' texts]")
    parser.add_argument("--count", type=int, default=40, help="documents of each size, language and charset")
    parser.add_argument("--beside", nargs="*", default=[], help="modules of other detectors")
    options = parser.parse_args()
    judges: dict[str, Judge] = {
        "letters": lambda document, _: by_letters(document, ""),
        "named": by_letters,
        **others(options.beside),
    }
    corpora = dict(read_corpus(options.folder, "titles"))
    judged: Counter[tuple[str, int]] = Counter()
    right: Counter[tuple[str, int, str]] = Counter()
    took = dict.fromkeys(judges, 0.0)
    for name, languages in CHARSETS.items():
        charset = lookup(name, lenient=True)
        assert charset is not None
        for language in languages:
            for size, document in documents(corpora.get(language, []), charset, options.count):
                text = charset_decoder(charset, lenient=True).decode(document, True)
                judged[name, size] += 1
                for judge, detect in judges.items():
                    started = time.perf_counter()
                    label = detect(document, language.replace("_", "-"))
                    took[judge] += time.perf_counter() - started
                    right[name, size, judge] += read_as(document, label) == text
    print("of 100 documents of 1 / 3 / 10 titles the text is right")
    print(f"{'':16}" + "".join(f"{judge:>22}" for judge in judges))
    for name in CHARSETS:
        cells = [
            " / ".join(
                f"{100 * right[name, size, judge] / judged[name, size]:.0f}" if judged[name, size] else "-"
                for size in TITLES
            )
            for judge in judges
        ]
        print(f"{name:16}" + "".join(f"{cell:>22}" for cell in cells))
    total = sum(judged.values())
    for judge in judges:
        correct = sum(number for (_, _, one), number in right.items() if one == judge)
        print(f"{judge}: {correct} of {total}; {1e6 * took[judge] / max(1, total):.0f} µs a document")
    return 0


if __name__ == "__main__":
    sys.exit(main())
