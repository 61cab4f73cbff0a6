"""How long each tool takes for the correct feeds of fixtures/: processor time, interleaved, in one run.

`measure()` gives the median of the rounds, in microseconds a document; compare.py prints them.
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

ROUNDS = 5
SAMPLE = 100
"""Documents in a round: every third of the 299; the detectors take 10 ms for each."""


def measure() -> dict[str, float]:
    """Microseconds a document, for each tool that is installed."""
    rows = [row for row in read_feeds() if row.mode == "both"]
    documents = [(Path(row.path).read_bytes(), row.content_type) for row in rows]
    documents = documents[:: len(documents) // SAMPLE][:SAMPLE]
    readers = [reader for reader in READERS if reader.present()]
    reads: dict[str, Callable[[bytes, str | None], object]] = {
        reader.name: _never_raising(reader) for reader in readers
    }
    reads["feedcharset decode"] = lambda body, content_type: feedcharset.decode(body, content_type).text
    times: dict[str, list[float]] = {name: [] for name in reads}
    for _ in range(ROUNDS):
        for name, read in reads.items():
            times[name].append(_time(read, documents))
    return {name: 1e6 * median(taken) / len(documents) for name, taken in times.items()}


def _never_raising(reader: Reader) -> Callable[[bytes, str | None], object]:
    def read(body: bytes, content_type: str | None) -> object:
        try:
            return reader.read(body, content_type)
        except Exception:  # a peer may raise anything; its time counts all the same
            return None

    return read


def _time(read: Callable[[bytes, str | None], object], documents: list[tuple[bytes, str | None]]) -> float:
    start = time.process_time()
    for body, content_type in documents:
        read(body, content_type)
    return time.process_time() - start
