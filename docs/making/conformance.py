"""conformance.md: the tables between its marks, from docs/conformance.json."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from making.comparison import MARKED, table

__all__ = ["page"]

DOCS = Path(__file__).resolve().parents[1]

_NAMES = {
    "dammit": "bs4 UnicodeDammit",
    "feedparser": "feedparser convert_to_utf8",
    "w3lib": "w3lib html_to_unicode",
    "requests": "requests Response.text",
    "feedcharset": "feedcharset decode",
    "feedcharset-title": "feedcharset parse",
    "feedparser-title": "feedparser parse",
    "fastfeedparser-title": "fastfeedparser",
    "lxml-title": "lxml",
    "lxml-recover-title": "lxml, recover, the header's charset",
    "rome": "ROME XmlReader, lenient",
    "commons-io": "commons-io XmlStreamReader, lenient",
    "rome-strict": "ROME XmlReader, strict",
    "commons-io-strict": "commons-io XmlStreamReader, strict",
    "feedcharset-strict": "feedcharset resolve, strict",
}
_VERSIONS = {"rome": "1.12.2", "rome-strict": "1.12.2", "commons-io": "2.11", "commons-io-strict": "2.11"}


def page() -> str:
    """The page, its tables made anew."""
    measured = json.loads((DOCS / "conformance.json").read_text(encoding="utf-8"))
    text = (DOCS / "conformance.md").read_text(encoding="utf-8")
    return MARKED.sub(lambda found: f"{found[1]}\n{_table(measured, found[2])}\n{found[3]}", text)


def _table(measured: dict[str, Any], judge: str) -> str:
    rows = {name: row for name, row in measured.items() if row["judge"] == judge}
    sizes = {kind: sum(counts.values()) for kind, counts in next(iter(rows.values()))["counts"].items()}
    heads = (f"{kind.removeprefix('rfc3023: ')}, {size:,}" for kind, size in sizes.items())
    return table(("program", *heads), _rows(rows))


def _rows(rows: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    for name, row in sorted(rows.items(), key=lambda pair: -pair[1]["counts"]["all"]["right"]):
        version = row["version"] or _VERSIONS.get(name, "")
        cells = ("{right:,} / {wrong:,} / {refused:,}".format(**counts) for counts in row["counts"].values())
        yield (f"{_NAMES.get(name, name)} {version}".strip(), *cells)
