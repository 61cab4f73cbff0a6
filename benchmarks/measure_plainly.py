"""Measure decide/thresholds: honest legacy texts that are taken for UTF-8, and UTF-8 that is not recognised.

    python benchmarks/measure_plainly.py --sample
    python benchmarks/measure_plainly.py FOLDER [--words 0.2] [--titles 1] [--only honest mixture]

Each word and title stands for a document of its own, in which nothing else is beyond ASCII. Prints, by code
page, how many were judged and how many were wrong; what would change with each threshold one lower or one
higher; UTF-8 documents of n words that are recognised, by the label above them; texts that are taken for a
mixture; and whole documents and files under their true labels, whose encoding and text must not change.
plainly_corpora.py says what a folder of corpora holds. It judges a million words in a few seconds.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import mean

from plainly_corpora import PAGES, SAMPLE, read_corpus, spells
from plainly_documents import LENGTHS, SCRIPTS, feed, honest_documents, honest_files, recognised, stale
from plainly_judging import Gathered, judge, judge_mixture, mixed, numbers_of, wrong

from feedcharset.charsets.decoders import count_damage
from feedcharset.charsets.lookup import by_name
from feedcharset.decide import thresholds
from feedcharset.decide.thresholds import utf8_threshold
from feedcharset.evidence.utf8_sequences import count_sequences
from feedcharset.results import SequenceCount

_STALE = """
ISO-8859-1 windows-1252 ISO-8859-15 windows-1254 macintosh windows-1250 ISO-8859-2 windows-1257 ISO-8859-4
windows-1258 IBM850 windows-1251 KOI8-R ISO-8859-5 x-mac-cyrillic IBM866 windows-1253 ISO-8859-7 windows-1255
windows-1256 windows-874 GBK Big5 Shift_JIS EUC-JP EUC-KR
"""
STALE = _STALE.split()
"""Labels under which UTF-8 is found."""

CLASSES = ("words", "words + mark", "words joined", "titles")


def honest(folder: Path, words: float, titles: float) -> list[Gathered]:
    """Read the corpora once, and judge every language in every charset that spells it."""
    gathered = [Gathered.empty(charset) for charset in PAGES]
    for kind, share in (("words", words), ("titles", titles)):
        for _, lines in read_corpus(folder, kind, share):
            for one in gathered:
                if spells(one.charset, lines):
                    judge(one, lines, kind)
    return gathered


def print_honest(gathered: list[Gathered]) -> None:
    """The table by code page: judged, of these wrong, and examples."""
    print(f"{'honest texts':16}" + "".join(f"{name + ' / wrong':>26}" for name in CLASSES))
    judged_all: Counter[str] = Counter()
    wrong_all: Counter[str] = Counter()
    for one in gathered:
        cells, examples = [], []
        for name in CLASSES:
            classes = (name, name + ", upper case")
            bad = [found for each in classes for found in wrong(one, each)]
            judged = sum(one.judged[each] for each in classes)
            number = sum(times for times, _, _ in bad)
            judged_all[name] += judged
            wrong_all[name] += number
            cells.append(f"{judged:18,} {number:7,}")
            examples += [(text, row.why) for _, text, row in bad]
        print(f"{one.charset.name:16}" + "".join(cells))
        for text, why in random.Random(0).sample(examples, min(3, len(examples))):
            print(f"{'':20}{text[:50]!r}: {why}")
    print(f"{'in all':16}" + "".join(f"{judged_all[name]:18,} {wrong_all[name]:7,}" for name in CLASSES))


def print_margins(gathered: list[Gathered], documents: list[tuple[str, SequenceCount, int]]) -> None:
    """How errors change with each threshold: honest texts that are wrong, UTF-8 that is missed."""
    numbers = [
        (one.charset.name, count, times) for one in gathered for count, times in numbers_of(one).items()
    ]
    print(f"\n{'thresholds':58}{'wrong at -1, as is, +1':>30}{'missed at -1, as is, +1':>30}")
    for at, row in enumerate(thresholds.THRESHOLDS):
        for name, least in row.reach.items():
            cells = []
            for texts, taken in ((numbers, True), (documents, False)):
                cells.append([_errors(texts, at, name, least + step, taken) for step in (-1, 0, 1)])
            what = f"{', '.join(page or 'others' for page in row.pages)[:32]}: {name} {least}"
            print(f"{what:58}" + "".join(f"{low:12,}{now:9,}{high:9,}" for low, now, high in cells))


def _errors(texts: list[tuple[str, SequenceCount, int]], at: int, name: str, least: int, taken: bool) -> int:
    """Texts that are taken for UTF-8 (or are not), with one number of one row changed."""
    rows = thresholds.THRESHOLDS
    row = rows[at]._replace(reach={**rows[at].reach, name: least})
    thresholds.THRESHOLDS = (*rows[:at], row, *rows[at + 1 :])
    try:
        return sum(
            times
            for label, count, times in texts
            if (utf8_threshold(by_name(label), count) is not None) == taken
        )
    finally:
        thresholds.THRESHOLDS = rows


def utf8_documents(folder: Path, count: int) -> dict[tuple[str, str, int], list[str]]:
    """UTF-8 titles, by script, language and number of words."""
    documents = {}
    for language, words in read_corpus(folder, "words"):
        script = next((name for name, members in SCRIPTS.items() if language in members), None)
        for length in LENGTHS if script else ():
            documents[script or "", language, length] = stale(language, words, length, count)
    return documents


def print_recognised(documents: dict[tuple[str, str, int], list[str]]) -> None:
    """The share of UTF-8 documents that are recognised: by label and length, and of two words by script."""
    scripts = list(dict.fromkeys(script for script, _, _ in documents))
    print(
        "\nUTF-8 under a stale label: of 100 titles of so many words are recognised; of two words, by script"
    )
    print(
        f"{'':16}" + "".join(f"{length:6}" for length in LENGTHS) + "".join(f"{s[:9]:>10}" for s in scripts)
    )
    for label in STALE:
        shares: dict[tuple[str, int], list[float]] = {}
        for (script, _, length), titles in documents.items():
            share = 100 * recognised(titles, by_name(label)) / len(titles)
            for cell in ((script, length), ("", length)):
                shares.setdefault(cell, []).append(share)
        cells = [f"{mean(shares['', length]):6.1f}" for length in LENGTHS]
        cells += [f"{mean(shares[script, 2]):10.1f}" for script in scripts]
        print(f"{label:16}" + "".join(cells))


def utf8_numbers(documents: dict[tuple[str, str, int], list[str]]) -> list[tuple[str, SequenceCount, int]]:
    """What titles of one to three words come to, under labels that can decode them."""
    numbers: Counter[SequenceCount] = Counter()
    for (_, _, length), titles in documents.items():
        for octets in [feed([title], None).encode() for title in titles] if length <= 3 else ():
            for charset in map(by_name, STALE):
                if charset.decodes_every_byte or not count_damage(charset, octets, final=True).places:
                    numbers[count_sequences(octets, charset)] += 1
    return [(count.charset, count, times) for count, times in numbers.items()]


def print_mixture(folder: Path, words: float, titles: float) -> None:
    """Texts in windows-1252, partly UTF-8 by accident, that are read as a mixture."""
    one = Gathered.empty(by_name("windows-1252"))
    for kind, share in (("words", words), ("titles", titles)):
        for _, lines in read_corpus(folder, kind, share):
            if spells(one.charset, lines):
                judge_mixture(one, lines, kind)
    print("\nread as a mixture")
    for name, judged in one.judged.items():
        bad = mixed(one, name)
        print(
            f"{name:28}{judged:14,}{sum(times for times, _ in bad):8,} {[text[:30] for _, text in bad[:6]]}"
        )


def print_documents(folder: Path, titles: float) -> None:
    """Whole documents and files under their true labels."""
    count: Counter[str] = Counter()
    changed = [*honest_documents(folder, titles, count), *honest_files(folder, count)]
    print(f"\nwhole documents: {dict(count)}, changed: {len(changed)}")
    for one in changed[:40]:
        print(f"    {one.label} read as {one.encoding}: {one.what[-200:]!r}")


def main() -> int:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description="Measure the thresholds of decide/thresholds.")
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLE, help="corpora [a small sample]")
    parser.add_argument("--sample", action="store_true", help="the small sample of the fixtures' texts")
    parser.add_argument("--words", type=float, default=1.0, help="share of the words to judge")
    parser.add_argument("--titles", type=float, default=1.0, help="share of the titles to judge")
    parser.add_argument("--count", type=int, default=40, help="UTF-8 documents of each language and length")
    parts = ("honest", "recognised", "mixture", "documents")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts, help="what to measure")
    options = parser.parse_args()
    folder = SAMPLE if options.sample else options.folder
    started = time.monotonic()
    documents = utf8_documents(folder, options.count)
    if "honest" in options.only:
        gathered = honest(folder, options.words, options.titles)
        print_honest(gathered)
        print_margins(gathered, utf8_numbers(documents))
    if "recognised" in options.only:
        print_recognised(documents)
    if "mixture" in options.only:
        print_mixture(folder, options.words, options.titles)
    if "documents" in options.only:
        print_documents(folder, options.titles)
    print(f"\n{time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
