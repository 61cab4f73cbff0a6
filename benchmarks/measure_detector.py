"""Measure decide/thresholds.DETECTED: legacy text that no label names, read with and without chardet.

    python benchmarks/measure_detector.py [FOLDER] [--count 100]

Each document holds 1, 3, 10 or 40 titles of one language in one charset, and no label. Prints, by charset and
by the number of non-ASCII bytes, how many are read rightly with chardet and without. plainly_corpora.py says
what a folder of corpora holds; without one the texts of the fixtures are read.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from plainly_corpora import SAMPLE, read_corpus

from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import lookup
from feedcharset.text.xml_decoder import decode

_CHARSETS = """
windows-1252            fr de es pt sv it da nl fi nb is ca gl eu ga sq en
windows-1251            ru uk bg sr mk be
KOI8-R                  ru
KOI8-U                  uk
ISO-8859-5              ru bg
IBM866                  ru
windows-1253            el
ISO-8859-7              el
windows-1255            he
windows-1256            ar fa
windows-874             th
Shift_JIS               ja
EUC-JP                  ja
EUC-KR                  ko
GB18030                 zh-CN zh-Hans zh-hans
Big5                    zh-TW zh-Hant zh-hant
windows-1250            cs sk sl hr pl hu
ISO-8859-2              cs pl hu ro
windows-1257            lt lv et
windows-1254            tr
"""
CHARSETS = {name: languages for name, *languages in map(str.split, _CHARSETS.strip().splitlines())}

TITLES = (1, 3, 10, 40)
"""Titles in a document."""

SIZES = (1, 4, 10, 20, 50, 200)
"""Non-ASCII bytes from which a document counts in a column."""


def documents(titles: list[str], codec: str, count: int) -> Iterator[bytes]:
    """Documents of 1 to 40 titles that the charset can write, always the same ones."""
    written = []
    for title in titles:
        try:
            written.append(title.encode(codec))
        except UnicodeEncodeError:
            continue
    random.Random(codec).shuffle(written)
    for size in TITLES:
        for start in range(0, min(len(written), size * count), size):
            yield b"<t>" + b"</t>\n<t>".join(written[start : start + size]) + b"</t>"


def measure(folder: Path, name: str, count: int) -> tuple[Counter[int], Counter[int], Counter[int]]:
    """Documents of a charset by size: all of them, and those read rightly with and without chardet."""
    charset = lookup(name)
    assert charset is not None
    assert charset.codec is not None
    judged, with_chardet, without = Counter[int](), Counter[int](), Counter[int]()
    for language, titles in read_corpus(folder, "titles"):
        if language not in CHARSETS[name]:
            continue
        for document in documents(titles, charset.codec, count):
            high = sum(byte > 0x7F for byte in document)
            if not high:
                continue
            size = max(size for size in SIZES if high >= size)
            text = charset_decoder(charset, lenient=True).decode(document, True)
            judged[size] += 1
            with_chardet[size] += decode(document).text == text
            without[size] += decode(document, detector=None).text == text
    return judged, with_chardet, without


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure the thresholds of a detector's answers.")
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLE, help="corpora [the fixtures' texts]")
    parser.add_argument("--count", type=int, default=100, help="documents of each size, language and charset")
    options = parser.parse_args()
    started = time.monotonic()
    print("read rightly with chardet / without / of so many, by the number of non-ASCII bytes")
    print(f"{'':16}" + "".join(f"{f'from {size}':>18}" for size in SIZES))
    for name in CHARSETS:
        judged, with_chardet, without = measure(options.folder, name, options.count)
        cells = [f"{with_chardet[size]} / {without[size]} / {judged[size]}" for size in SIZES]
        print(f"{name:16}" + "".join(f"{cell:>18}" for cell in cells), flush=True)
    print(f"\n{time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
