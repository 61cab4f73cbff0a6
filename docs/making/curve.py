"""What a byte costs over the size of a document: speed.md's table and the curves, from docs/curve.json."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from making.comparison import MARKED, table
from making.svg import Picture

__all__ = ["page", "plot"]

DOCS = Path(__file__).resolve().parents[1]
DRAWN = "single-byte, UTF-16, EBCDIC, true label"
ALSO = ("UTF-8, declared", "East Asian, true label")
LEFT, RIGHT, TOP, BOTTOM = 70, 640, 70, 400
NANOSECONDS = (0.1, 0.3, 1, 3, 10, 30)
KILOBYTES = (2, 10, 100, 1000, 3000)


def page() -> str:
    """explanation/speed.md, its table made anew."""
    text = (DOCS / "explanation" / "speed.md").read_text(encoding="utf-8")
    return MARKED.sub(lambda found: f"{found[1]}\n{_table()}\n{found[3]}", text)


def _measured() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DOCS / "curve.json").read_text(encoding="utf-8"))
    return found


def _table() -> str:
    head = ("what", "against", "to reach", "worst from 20 KB on", "below 20 KB", "median", "largest step")
    rows = (
        (
            name,
            row["against"],
            f"{row['reach']:g}",
            f"{row['worst']:.1f} ({row['at']})",
            f"{row['small']:.1f}" if row["small"] else "",
            f"{row['median']:.1f}",
            f"{row['step']:.1f}",
        )
        for name, row in _measured().items()
    )
    return table(head, rows)


def plot() -> str:
    """Nanoseconds a byte over the size, one line for each charset, language and kind; the codecs beside."""
    measured = _measured()
    picture = Picture("Nanoseconds a byte, over the size of the document", 860, BOTTOM + 66)
    picture.text(24, 34, "Nanoseconds a byte, over the size of the document", "bold large")
    for value in NANOSECONDS:
        y = _y(value)
        picture.line((LEFT, y), (RIGHT, y), kind="grid")
        picture.text(LEFT - 10, y + 5, f"{value:g}", "end small")
    for size in KILOBYTES:
        picture.text(_x(size * 1000), BOTTOM + 22, f"{size:,} KB", "middle small")
    rows = [(way, figure) for way in (DRAWN, *ALSO) if way in measured for figure in measured[way]["figures"]]
    lines: dict[tuple[str, str], list[list[Any]]] = {}
    for way, figure in rows:
        lines.setdefault((way, figure[0]), []).append(figure)
    for column, kind in ((3, "codec"), (2, "ours")):
        for figures in lines.values():
            points = ((_x(size), _y(figure[column])) for figure in figures for size in (figure[1],))
            picture.line(*points, kind=kind)
    for number, (kind, words) in enumerate((("ours", "decode"), ("codec", "the codec, and one look"))):
        y = TOP + 20 + 28 * number
        picture.line((RIGHT + 24, y), (RIGHT + 54, y), kind=kind)
        picture.text(RIGHT + 62, y + 5, words, "small")
    picture.paragraph(
        RIGHT + 24,
        TOP + 90,
        f"{len(lines)} lines each: charsets and languages, prose and sparse feeds, true labels.",
        180,
        "small soft",
    )
    return picture.render()


def _x(size: float) -> float:
    share = math.log(size / 1800) / math.log(3_200_000 / 1800)
    return round(LEFT + share * (RIGHT - LEFT), 1)


def _y(nanoseconds: float) -> float:
    low, high = math.log(0.08), math.log(60)
    share = (math.log(max(nanoseconds, 0.08)) - low) / (high - low)
    return round(BOTTOM - min(share, 1.05) * (BOTTOM - TOP), 1)
