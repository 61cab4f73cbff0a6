"""comparison.md: the measured tables between its marks, and the two plots, from docs/comparison.json."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from making.svg import Picture

__all__ = ["MARKED", "page", "plot_of_right_text", "plot_of_time", "readme", "table"]

DOCS = Path(__file__).resolve().parents[1]

MARKED = re.compile(r"(<!-- begin (\w+) -->\n).*?(<!-- end \2 -->)", re.DOTALL)


def page() -> str:
    """The page, its tables made anew."""
    return _with_tables(DOCS / "comparison.md")


def readme() -> str:
    """README.md, its table made anew."""
    return _with_tables(DOCS.parent / "README.md")


def _with_tables(path: Path) -> str:
    measured = _measured()
    text = path.read_text(encoding="utf-8")
    return MARKED.sub(lambda found: f"{found[1]}\n{_TABLES[found[2]](measured)}\n{found[3]}", text)


def _measured() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DOCS / "comparison.json").read_text(encoding="utf-8"))
    return found


def table(head: tuple[str, ...], rows: Iterator[tuple[object, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def _versions(measured: dict[str, Any]) -> str:
    versions = measured["versions"].items()
    return table(("program", "version"), (pair for pair in (*versions, *_JAVA.items())))


_JAVA = {"ROME's XmlReader, strict": "1.12.2", "commons-io's XmlStreamReader, strict": "2.11"}


def _right(measured: dict[str, Any]) -> str:
    first = next(iter(measured["right"].values()))
    sizes = [f"{corpus}, {sum(counts.values()):,}" for corpus, counts in first.items()]
    return table(("program", *sizes), _right_rows(measured))


def _right_rows(measured: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    for name, by_corpus in measured["right"].items():
        cells = ("{right:,} / {wrong:,} / {raises:,}".format(**counts) for counts in by_corpus.values())
        yield name, *cells


def _time(measured: dict[str, Any]) -> str:
    times = measured["time"]
    kinds = [kind for kind in times if kind.startswith("utf-8")]
    rows = (
        (name, *(f"{times[kind][name]:,.0f} µs" for kind in (*kinds, "charsets")))
        for name in sorted(times[kinds[0]], key=times[kinds[0]].get)
    )
    heads = (kind.replace("utf-8, ", "UTF-8, ") for kind in kinds)
    return table(("program", *heads, "4 KB, 45 charsets"), rows)


def _parsing(measured: dict[str, Any]) -> str:
    times = measured["time"]
    kinds = [kind for kind in times if kind.startswith("parse")]
    rows = (
        (name, *(f"{times[kind][name] / 1000:,.2f} ms" for kind in kinds))
        for name in sorted(times[kinds[0]], key=times[kinds[0]].get)
    )
    return table(("program", *(kind.replace("parse, ", "") for kind in kinds)), rows)


def _labels(measured: dict[str, Any]) -> str:
    def answer(value: bool) -> str:
        return "yes" if value else "no"

    return table(
        (
            "program",
            "an unknown label of the declaration reaches the registry",
            "one of the header",
            "`unicode_escape` makes markup",
        ),
        (
            (name, answer(found["declared"]), answer(found["header"]), answer(found["markup"]))
            for name, found in measured["labels"].items()
        ),
    )


def _standard(measured: dict[str, Any]) -> str:
    first = next(iter(measured["standard"].values()))
    head = (
        "decoder",
        f"exact encodings, of {first['encodings']}",
        f"exact sequences, of {first['sequences']:,}",
        "others: 80 to 9F of ISO-8859",
        "all others",
    )
    rows = (
        (name, found["exact"], f"{found['right']:,}", found["c1"], f"{_others(found):,}")
        for name, found in measured["standard"].items()
    )
    return table(head, rows)


def _others(found: dict[str, int]) -> int:
    return found["sequences"] - found["right"] - found["c1"]


def _java(measured: dict[str, Any]) -> str:
    names = {"strict": "feedcharset, strict", "lenient": "feedcharset, lenient"}
    return table(
        ("reader", "right text", "wrong text", "refused"),
        (
            (
                names.get(name, f"{name}, strict"),
                *(f"{found[what]:,}" for what in ("right", "wrong", "refused")),
            )
            for name, found in measured["java"].items()
        ),
    )


def _suite(measured: dict[str, Any]) -> str:
    return table(
        ("documents", "which"), ((f"{number:,}", what) for what, number in measured["suite"].items())
    )


IN_README = (
    *("feedparser convert_to_utf8", "bs4 UnicodeDammit", "w3lib html_to_unicode", "requests Response.text"),
    *("lxml", "resiliparse", "charset-normalizer"),
)


def _compared(measured: dict[str, Any]) -> str:
    right, versions = (
        measured["right"],
        {**measured["versions"], "bs4": measured["versions"]["beautifulsoup4"]},
    )
    first = next(iter(right.values()))
    correct, wrong = first["correct"], [first[corpus] for corpus in first if corpus != "correct"]
    head = (
        "program",
        f"right text: correct labels ({sum(correct.values()):,})",
        f"wrong or missing labels, damage ({sum(sum(counts.values()) for counts in wrong):,})",
        "time for 80 KB of UTF-8",
        "for 300 KB",
        "for 4 KB, 45 charsets",
    )
    rows = ((name, name, name) for name in IN_README)
    ours = (("feedcharset XmlReader", "feedcharset", "feedcharset decode"),)
    return table(
        head,
        (
            (
                f"{shown} {versions.get(shown.split()[0], '')}".strip(),
                f"{right[name]['correct']['right']:,}",
                f"{sum(counts['right'] for corpus, counts in right[name].items() if corpus != 'correct'):,}",
                f"{measured['time']['utf-8, 80 KB'][timed]:,.0f} µs",
                f"{measured['time']['utf-8, 300 KB'][timed]:,.0f} µs",
                f"{measured['time']['charsets'][timed]:,.0f} µs",
            )
            for name, shown, timed in (*ours, *rows)
        ),
    )


_TABLES = {
    "compared": _compared,
    "versions": _versions,
    "right": _right,
    "time": _time,
    "parsing": _parsing,
    "labels": _labels,
    "standard": _standard,
    "java": _java,
    "suite": _suite,
}


# -- the plots --------------------------------------------------------------------------------------------


def plot_of_right_text() -> str:
    """Bars: the share of all documents that each program reads rightly, wrongly, not at all."""
    rows = []
    for name, by_corpus in _measured()["right"].items():
        total = {
            what: sum(counts[what] for counts in by_corpus.values()) for what in ("right", "wrong", "raises")
        }
        rows.append((name, total))
    documents = sum(rows[0][1].values())
    rows.sort(key=lambda row: -row[1]["right"])
    title = f"Right text, of {documents:,} composed documents"
    picture = Picture(title, 860, 96 + 34 * len(rows))
    picture.text(24, 34, title, "bold large")
    for number, (name, total) in enumerate(rows):
        y = 56 + 34 * number
        picture.text(252, y + 16, name, "end")
        x = 264.0
        for what, kind in (("right", "bar-accent"), ("wrong", "bar-bad"), ("raises", "bar-soft")):
            width = 500 * total[what] / documents
            picture.box(x, y, width, 22, kind, 2)
            x += width
        picture.text(774, y + 16, f"{total['right'] / documents:.1%}", "bold" if number == 0 else "")
    _legend(picture, 72 + 34 * len(rows))
    return picture.render()


def _legend(picture: Picture, y: int) -> None:
    entries = (("bar-accent", "right"), ("bar-bad", "wrong, without an error"), ("bar-soft", "an error"))
    for number, (kind, what) in enumerate(entries):
        picture.box(264 + 150 * number + (60 if number == 2 else 0), y - 10, 14, 14, kind, 2)
        picture.text(284 + 150 * number + (60 if number == 2 else 0), y + 2, what, "small")


def plot_of_time() -> str:
    """Bars: the time that each program takes for a document."""
    rows = sorted(_measured()["time"]["charsets"].items(), key=lambda row: row[1])
    title = "Microseconds for a document of 4 KB, in 45 charsets"
    picture = Picture(title, 860, 74 + 30 * len(rows))
    picture.text(24, 34, title, "bold large")
    longest = rows[-1][1]
    for number, (name, each) in enumerate(rows):
        y = 54 + 30 * number
        ours = name.startswith("feedcharset")
        picture.text(252, y + 15, name, "end bold" if ours else "end")
        picture.box(264, y, max(1.5, 500 * each / longest), 20, "bar-accent" if ours else "bar-soft", 2)
        picture.text(274 + 500 * each / longest, y + 15, f"{each:,.0f}", "small")
    return picture.render()
