"""How long each tool takes from bytes to text: processor time, in one run in which the tools take turns.

`measure()` gives the median of the rounds, in microseconds a document; compare.py writes them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from readers import READERS, Reader
from reading import read_feeds

import feedcharset

__all__ = ["measure"]

Documents = list[tuple[bytes, str | None]]

ROUNDS = 5
SAMPLE = 100
"""Documents in a round: every third of the 299; the detectors take 10 ms for each."""
USUAL = 30
"""Documents of the second kind."""

FEED = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>Le Courrier des Îles, nº {number}</title>
{items}</channel></rss>
"""
ITEM = """<item><title>Marché d’été : {number}</title><link>https://example.org/{number}</link>
<description>Le marché s’est tenu à la lumière des lampes. « Déjà vu », dit-on.</description></item>
"""


def measure() -> dict[str, dict[str, float]]:
    """Microseconds a document, for each tool that is installed and each kind of document."""
    return {"charsets": _measured(_correct_feeds()), "utf-8": _measured(_usual_feeds())}


def _correct_feeds() -> Documents:
    """Feeds of 4 KB in 45 charsets."""
    rows = [row for row in read_feeds() if row.mode == "both"]
    documents = [(Path(row.path).read_bytes(), row.content_type) for row in rows]
    return documents[:: len(documents) // SAMPLE][:SAMPLE]


def _usual_feeds() -> Documents:
    """Feeds of 18 KB in UTF-8 that declare it, no two alike."""
    return [
        (
            FEED.format(
                number=number, items="".join(ITEM.format(number=100 * number + item) for item in range(76))
            ).encode(),
            "application/rss+xml",
        )
        for number in range(USUAL)
    ]


def _measured(documents: Documents) -> dict[str, float]:
    """The median of the rounds, in which the tools take turns."""
    reads: dict[str, Callable[[bytes, str | None], object]] = {
        reader.name: _never_raising(reader) for reader in READERS if reader.present()
    }
    reads["feedcharset decode"] = lambda body, content_type: feedcharset.decode(body, content_type).text
    times: dict[str, list[float]] = {name: [] for name in reads}
    for _ in range(ROUNDS):
        for name, read in reads.items():
            times[name].append(_time(read, documents))
    return {name: round(1e6 * median(taken) / len(documents), 1) for name, taken in times.items()}


def _never_raising(reader: Reader) -> Callable[[bytes, str | None], object]:
    def read(body: bytes, content_type: str | None) -> object:
        try:
            return reader.read(body, content_type)
        except Exception:  # a peer may raise anything; its time counts all the same
            return None

    return read


def _time(read: Callable[[bytes, str | None], object], documents: Documents) -> float:
    start = time.process_time()
    for body, content_type in documents:
        read(body, content_type)
    return time.process_time() - start
