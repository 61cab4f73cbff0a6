"""The summary of a run as one HTML page with plots, readable without anything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from feedcharset.batch.crawl_summary import shown_counts
from feedcharset.batch.crawl_tally import Tally
from feedcharset.results.explanation import visible

__all__ = ["summary_page"]

BARS = 15
"""Bars of a plot: as many as fit on a screen with their names."""

NAME_LIMIT = 40
"""Characters of a name in a plot: the number has to stand beside it. The whole name is its title."""

HOSTS = 50
"""Hosts in the table, those with the most wrong labels first."""

_STYLE = """
:root { color-scheme: light dark;
  --ink: #1d2330; --paper: #fff; --line: #d5d9e2; --bar: #2f6fb5; --dim: #5c6575; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ef; --paper: #14171d; --line: #363c48; --bar: #6ea8e6; --dim: #a0a9b8; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem; margin: 0; }
dt { color: var(--dim); } dd { margin: 0; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; } svg .count { fill: var(--dim); }
svg rect { fill: var(--bar); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; color: var(--dim); }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
td, th { min-width: 7rem; } td.number, th.number { min-width: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
"""

_ROW = 40
"""Units of a plot's height for a bar and the name above it."""
_WIDTH = 360
"""Units of a plot's width: those of a small phone, so that its letters are not made smaller there."""


_WIDEST = 520
"""Pixels of a plot on a large screen: wider, its letters would be larger than the text around it."""


def summary_page(tally: Tally, title: str) -> str:
    """The page. All that comes from outside is escaped; there is no script, and nothing is loaded."""
    return "\n".join(_page(tally, title)) + "\n"


def _page(tally: Tally, title: str) -> Iterator[str]:
    name = _text(title)
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{name}: charsets of a crawl</title>\n<style>{_STYLE}</style>\n</head>\n<body>"
    yield f"<h1>Charsets of {name}</h1>\n<dl>"
    figures = {
        "documents": tally.documents,
        "repaired": tally.repaired,
        "wrong labels": sum(tally.wrong_labels.values()),
        "errors": sum(tally.errors.values()),
    }
    yield from (f"<div><dt>{label}</dt><dd>{count:,}</dd></div>" for label, count in figures.items())
    yield "</dl>"
    yield from _plot("Encodings", "Documents by the encoding in which they were read.", tally.encodings)
    yield from _plot(
        "Wrong labels", "Labels that name another charset than the document is in.", tally.wrong_labels
    )
    yield from _hosts(tally)
    yield from _plot("Rules", "Documents by the rule that decided.", tally.rules)
    yield from _table("Errors", ("error", "documents"), tally.errors.most_common(BARS))
    yield "</body>\n</html>"


def _text(text: str) -> str:
    return escape(visible(text))


def _plot(heading: str, sentence: str, counts: Counter[str]) -> Iterator[str]:
    """Horizontal bars, each with its name and number: no colour carries a meaning."""
    yield f"<h2>{heading}</h2>\n<p>{sentence}</p>"
    shown = shown_counts(counts, BARS)
    if not shown:
        yield "<p>None.</p>"
        return
    total = sum(counts.values())
    largest = max(count for _, count in shown)
    height = _ROW * len(shown)
    yield f'<svg viewBox="0 0 {_WIDTH} {height}" style="max-width: {_WIDEST}px" role="img"'
    yield f'  aria-label="{heading}">'
    for number, (name, count) in enumerate(shown):
        top = number * _ROW
        width = max(1.0, round(_WIDTH * count / largest, 1))
        share = f"{count:,} ({100 * count / total:.1f} %)"
        short = name if len(name) <= NAME_LIMIT else name[: NAME_LIMIT - 1] + "…"
        yield f'<text x="0" y="{top + 14}">{_text(short)}<title>{_text(name)}</title></text>'
        yield f'<text class="count" x="{_WIDTH}" y="{top + 14}" text-anchor="end">{share}</text>'
        yield f'<rect x="0" y="{top + 19}" width="{width}" height="13" rx="2"/>'
    yield "</svg>"


def _hosts(tally: Tally) -> Iterator[str]:
    worst = sorted(tally.hosts.items(), key=lambda item: ([-count for count in item[1]], item[0]))[:HOSTS]
    examples = tally.host_labels
    rows: list[tuple[str | int, ...]] = [(host, examples.get(host, ""), *counts) for host, counts in worst]
    yield from _table("Hosts", ("host", "first wrong label", "wrong labels", "repaired", "errors"), rows)


def _table(heading: str, heads: Sequence[str], rows: Iterable[Sequence[str | int]]) -> Iterator[str]:
    rows = list(rows)
    yield f"<h2>{heading}</h2>"
    if not rows:
        yield "<p>None.</p>"
        return
    yield '<div class="scroll"><table>\n<tr>'
    numbers = [isinstance(value, int) for value in rows[0]]
    yield "".join(_cell("th", head, number) for head, number in zip(heads, numbers, strict=True)) + "</tr>"
    for row in rows:
        yield "<tr>" + "".join(_cell("td", value) for value in row) + "</tr>"
    yield "</table></div>"


def _cell(tag: str, value: str | int, number: bool = False) -> str:
    number = number or isinstance(value, int)
    text = f"{value:,}" if isinstance(value, int) else _text(value)
    return f'<{tag} class="number">{text}</{tag}>' if number else f"<{tag}>{text}</{tag}>"
