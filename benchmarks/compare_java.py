"""What ROME and commons-io read of the documents of fixtures/rome_strict.tsv.gz, by their recorded answers.

A document counts as read when its text is right in the encoding that was answered. `measure()` gives the
counts, and those of this library, strictly and leniently; compare.py prints them.
"""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import feedcharset

__all__ = ["measure"]

TABLE = Path(__file__).resolve().parent.parent / "fixtures" / "rome_strict.tsv.gz"

TITLES = ("Cafe [x]", "Café € 日😀", "Café “q”", "Café [^]")
"""The titles of the documents, each in the encodings that have the characters."""
RIGHT = tuple(f"<title>{title}</title></rss>" for title in TITLES)


def measure() -> dict[str, dict[str, int]]:
    """Right texts, wrong ones and refusals, by reader."""
    readers = ("ROME", "commons-io", "strict", "lenient")
    counts = {name: dict.fromkeys(("right", "wrong", "refused"), 0) for name in readers}
    with gzip.open(TABLE, "rt", encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            body = bytes.fromhex(row["body_hex"])
            content_type = None if row["content_type"] == r"\N" else row["content_type"]
            texts = (
                _decoded(body, row["rome"]),
                _decoded(body, row["commons_io"]),
                _read(body, content_type, lenient=False),
                _read(body, content_type, lenient=True),
            )
            for name, text in zip(readers, texts, strict=True):
                counts[name]["refused" if text is None else "right" if _right(text) else "wrong"] += 1
    return counts


def _decoded(body: bytes, encoding: str) -> str | None:
    if encoding == "ERROR":
        return None
    return body.decode(encoding, "replace")


def _read(body: bytes, content_type: str | None, *, lenient: bool) -> str | None:
    try:
        return feedcharset.decode(body, content_type, lenient=lenient, errors="replace").text
    except feedcharset.FeedcharsetError:
        return None


def _right(text: str) -> bool:
    return text.rstrip().endswith(RIGHT)
