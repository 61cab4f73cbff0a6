"""How long each tool takes from bytes to text: processor time, in one run in which the tools take turns.

`measure()` gives the median of the rounds, in microseconds a document; compare.py writes them.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import median

from readers import READERS
from reading import read_feeds

import feedcharset

__all__ = ["measure"]

Documents = list[tuple[bytes, str | None]]

ROUNDS = 5
SAMPLE = 100
"""Documents in a round: every third of the 299; the detectors take 10 ms for each."""
Read = Callable[[bytes, str | None], object]

FEED = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>Le Courrier des Îles, nº {number}</title>
{items}</channel></rss>
"""
ITEM = """<item><title>Marché d’été : {number}</title><link>https://example.org/{number}</link>
<description>Le marché s’est tenu à la lumière des lampes. « Déjà vu », dit-on.</description></item>
"""


def measure() -> dict[str, dict[str, float]]:
    """Microseconds a document, for each tool that is installed and each kind of document."""
    reads: dict[str, Read] = {
        reader.name: _never_raising(reader.read) for reader in READERS if reader.present()
    }
    reads["feedcharset decode"] = lambda body, content_type: feedcharset.decode(body, content_type).text
    found = {"charsets": _measured(reads, _correct_feeds())}
    for items, count in SIZES.items():
        found[f"utf-8, {items // 4} KB"] = _measured(reads, _usual_feeds(items, count))
    for items in PARSED:
        found[f"parse, {items // 4} KB"] = _measured(_parsers(), _usual_feeds(items, 5))
    return found


SIZES = {76: 30, 320: 8, 1200: 3}
"""Items of a feed (236 bytes each: 18, 80 and 300 KB), and documents in a round."""

PARSED = (320, 1200)


def _parsers() -> dict[str, Read]:
    """What makes a tree or a list of entries of a document."""
    found: dict[str, Read] = {
        "feedcharset parse": lambda body, content_type: feedcharset.parse(body, content_type=content_type)
    }
    for name, module, call in (
        ("lxml fromstring", "lxml.etree", lambda etree, body: etree.fromstring(body)),
        (
            "lxml, recover",
            "lxml.etree",
            lambda etree, body: etree.fromstring(body, etree.XMLParser(recover=True)),
        ),
        ("xml.etree fromstring", "xml.etree.ElementTree", lambda tree, body: tree.fromstring(body)),
        ("feedparser parse", "feedparser", lambda library, body: library.parse(body)),
        ("fastfeedparser parse", "fastfeedparser", lambda library, body: library.parse(body)),
        ("BeautifulSoup, xml", "bs4", lambda bs4, body: bs4.BeautifulSoup(body, "xml")),
    ):
        if importlib.util.find_spec(module.partition(".")[0]):
            library = import_module(module)
            found[name] = _never_raising(lambda body, _, call=call, library=library: call(library, body))
    return found


def _correct_feeds() -> Documents:
    """Feeds of 4 KB in 45 charsets."""
    rows = [row for row in read_feeds() if row.mode == "both"]
    documents = [(Path(row.path).read_bytes(), row.content_type) for row in rows]
    return documents[:: len(documents) // SAMPLE][:SAMPLE]


def _usual_feeds(items: int, count: int) -> Documents:
    """Feeds in UTF-8 that declare it, no two alike."""
    return [
        (
            FEED.format(
                number=number,
                items="".join(ITEM.format(number=10_000 * number + item) for item in range(items)),
            ).encode(),
            "application/rss+xml",
        )
        for number in range(count)
    ]


def _measured(reads: dict[str, Read], documents: Documents) -> dict[str, float]:
    """The median of the rounds, in which the tools take turns."""
    times: dict[str, list[float]] = {name: [] for name in reads}
    for _ in range(ROUNDS):
        for name, read in reads.items():
            times[name].append(_time(read, documents))
    return {name: round(1e6 * median(taken) / len(documents), 1) for name, taken in times.items()}


def _never_raising(call: Read) -> Read:
    def read(body: bytes, content_type: str | None) -> object:
        try:
            return call(body, content_type)
        except Exception:  # a peer may raise anything; its time counts all the same
            return None

    return read


def _time(read: Callable[[bytes, str | None], object], documents: Documents) -> float:
    start = time.process_time()
    for body, content_type in documents:
        read(body, content_type)
    return time.process_time() - start
