"""Measure evidence/damaged_utf8: honest words of windows-1252 in UTF-8 that are taken for cut characters.

    python benchmarks/measure_cuts.py [FOLDER] [--share 0.1]

Every word of a western language, and every word with a mark that may close it, stands between spaces in a
UTF-8 document; and every word of a title stands in that title, the rest of which is UTF-8. Prints, by
language, how many were judged, how many are wrong and which; and how many characters that are cut by bytes,
at the end of a word or a title, are recognised. plainly_corpora.py says what a folder of corpora holds;
without one the texts of the fixtures are read.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from plainly_corpora import SAMPLE, read_corpus

from feedcharset.evidence.damaged_utf8 import CLOSING_MARKS, find_damage

WESTERN = frozenset(
    (
        "fr",
        "de",
        "es",
        "pt",
        "sv",
        "it",
        "da",
        "nl",
        "fi",
        "nb",
        "nn",
        "is",
        "ca",
        "gl",
        "eu",
        "ga",
        "sq",
        "en",
    )
)


def cut_characters(text: str) -> int:
    """How many characters of a text are cut."""
    return sum(1 for place in find_damage(text) if place.characters == "\ufffd")


def pasted(words: list[str]) -> tuple[int, Counter[str]]:
    """Words in windows-1252 between spaces: how many were judged, and those of which something is cut."""
    judged, wrong = 0, Counter[str]()
    for word in words:
        for mark in ("", *sorted(CLOSING_MARKS)):
            try:
                data = f"{word}{mark}".encode("cp1252")
            except UnicodeEncodeError:
                continue
            judged += 1
            if cut_characters(f" {data.decode('utf-8', 'surrogateescape')} "):
                wrong[word + mark] += 1
    return judged, wrong


def cut(words: list[str]) -> tuple[int, int]:
    """Excerpts that end within the last character beyond ASCII: how many, and how many are recognised."""
    judged = recognised = 0
    for word in words:
        data = word.encode()
        last = max(at for at, byte in enumerate(data) if byte > 0x7F)
        first = last
        while data[first] & 0xC0 == 0x80:
            first -= 1
        for end in range(first + 1, last + 1):
            judged += 1
            recognised += cut_characters(f" {data[:end].decode('utf-8', 'surrogateescape')}...")
    return judged, recognised


def pasted_in_titles(titles: list[str]) -> tuple[int, Counter[str]]:
    """Words in windows-1252 in titles in UTF-8, as they are and in capitals: how many were judged, and those
    of which something is cut."""
    judged, wrong = 0, Counter[str]()
    for title in (*titles, *map(str.upper, titles)):
        words = title.split(" ")
        for at, word in enumerate(words):
            try:
                data = word.encode("cp1252")
            except UnicodeEncodeError:
                continue
            if word.isascii():
                continue
            judged += 1
            before, after = " ".join(words[:at]), " ".join(words[at + 1 :])
            if cut_characters(f"<title>{before} {data.decode('utf-8', 'surrogateescape')} {after}</title>"):
                wrong[word] += 1
    return judged, wrong


def cut_titles(titles: list[str]) -> tuple[int, int]:
    """Titles that end within any character: how many, and how many of them are recognised."""
    judged = recognised = 0
    for title in titles:
        data = title.encode()
        for end in range(1, len(data)):
            if data[end] & 0xC0 == 0x80:
                judged += 1
                excerpt = data[:end].decode("utf-8", "surrogateescape")
                recognised += cut_characters(f"<title>{excerpt}...</title>")
    return judged, recognised


def main() -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="Measure what is taken for a character cut by bytes.")
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLE, help="corpora [the fixtures' texts]")
    parser.add_argument("--share", type=float, default=1.0, help="share of the words to judge")
    options = parser.parse_args()
    for language, words in read_corpus(options.folder, "words", options.share):
        line = f"{language:8}"
        if language in WESTERN:
            judged, wrong = pasted(words)
            examples = [word for word, _ in wrong.most_common(5)]
            line += f"{judged:12,} pasted words, {wrong.total():6,} wrong {examples}"
        judged, recognised = cut(words)
        print(f"{line}\n{'':8}{judged:12,} cut excerpts, {recognised:,} recognised", flush=True)
    for language, titles in read_corpus(options.folder, "titles", options.share):
        line = f"{language:8}"
        if language in WESTERN:
            judged, wrong = pasted_in_titles(titles)
            examples = [word for word, _ in wrong.most_common(5)]
            line += f"{judged:12,} words pasted into titles, {wrong.total():6,} wrong {examples}"
        judged, recognised = cut_titles(titles)
        print(f"{line}\n{'':8}{judged:12,} cut titles, {recognised:,} recognised", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
