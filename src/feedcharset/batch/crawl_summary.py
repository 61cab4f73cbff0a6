"""The summary of a run: lines for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from feedcharset.batch.crawl_tally import Tally
from feedcharset.results.explanation import visible

__all__ = ["shown_counts", "summary_lines"]

SHOWN = 8
"""Values of a list that are shown; the rest is counted together."""


def summary_lines(tally: Tally) -> Iterator[str]:
    """Documents, encodings, rules, repairs, wrong labels and errors: a line for each."""
    yield f"documents: {tally.documents:,} ({tally.body_bytes / 1e6:,.1f} MB)"
    if tally.nulls:
        yield f"without a body: {tally.nulls:,}"
    yield f"encodings: {_listed(tally.encodings)}"
    yield f"rules: {_listed(tally.rules)}"
    yield f"repaired: {tally.repaired:,} documents, {tally.repairs:,} places"
    for name, counts in (("wrong labels", tally.wrong_labels), ("errors", tally.errors)):
        yield f"{name}: {sum(counts.values()):,}"
        for what, count in shown_counts(counts, SHOWN):
            yield f"  {count:,} × {visible(what)}"


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{visible(name)} {count:,}" for name, count in shown_counts(counts, SHOWN)) or "none"


def shown_counts(counts: Counter[str], most: int) -> list[tuple[str, int]]:
    """The most frequent values, and the sum of the others."""
    found = counts.most_common(most)
    others = sum(counts.values()) - sum(count for _, count in found)
    return [*found, ("others", others)] if others else found
