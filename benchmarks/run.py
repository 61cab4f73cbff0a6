"""Measure feedcharset beside its peers, in one run: a table of ratios, and the same as JSON.

    python benchmarks/run.py [--quick] [--json FILE] [GROUP...]

A group is "crawl", "resolve", "memory", "filters", "import", "lines", "growth", "read", "iterparse", "fetch",
"detect" or "repair"; all of them without one. `curve.py` measures `decode`, `XmlReader(...).read()`, `parse`
and `check` of one document. The large inputs are made under benchmarks/_data; --quick takes smaller files and
fewer rounds, and takes about a minute. The figures are true of this machine, now.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import decode_rows
import growth_rows
import peers
import stream_rows
from measuring import Measured, Row
from size import FULL, QUICK, Size

OUT = Path(__file__).parent / "_data" / "benchmarks.json"

GROUPS: dict[str, Callable[[Size], Iterator[Row]]] = {
    "crawl": decode_rows.crawl_rows,
    "resolve": decode_rows.resolve_rows,
    "memory": decode_rows.memory_rows,
    "filters": decode_rows.repair_rows,
    "import": stream_rows.import_rows,
    "lines": stream_rows.line_rows,
    "growth": growth_rows.growth_rows,
    "fetch": stream_rows.fetch_rows,
    "read": stream_rows.read_rows,
    "detect": stream_rows.detect_rows,
    "repair": stream_rows.repair_rows,
    "iterparse": stream_rows.iterparse_rows,
}


def main() -> int:
    """Measure the groups that are named, and print what falls short."""
    parser = argparse.ArgumentParser(description="Measure feedcharset beside its peers.")
    parser.add_argument("--quick", action="store_true", help="smaller files and fewer rounds: about a minute")
    parser.add_argument("--json", type=Path, default=OUT, help=f"where to write [{OUT}]")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}")
    options = parser.parse_args()
    begun, rows = time.monotonic(), []
    for name in options.groups or GROUPS:
        for row in GROUPS[name](QUICK if options.quick else FULL):
            rows.append(row)
            print("\n".join(lines(row)), flush=True)
    missed = [row.what for row in rows if row.reached is False]
    print(f"\n{len(rows)} rows in {time.monotonic() - begun:.0f} s.")
    if peers.missing:
        print("Not installed: " + ", ".join(sorted(peers.missing)))
    print("Not reached: " + "; ".join(missed) if missed else "All that should be reached is reached.")
    write(options.json, rows, options.quick)
    return 0


def lines(row: Row) -> Iterator[str]:
    """Format a row: one line with what is to be reached, then a line for each other contestant."""
    mark = {True: "reached", False: "NOT REACHED", None: "for comparison"}[row.reached]
    ours, *others = row.measured
    yield f"{row.what:52} {_amount(ours):>9} {ours.ratio:8.2f}x  {row.reach or '-'}: {mark}"
    for one in others:
        yield f"    {one.name:48} {_amount(one):>9} {one.ratio:8.2f}x"
    for one in row.measured:
        if one.memory is not None and one.seconds:
            yield f"    memory of {one.name}: {one.memory / 2**20:.1f} MiB"
    yield from (f"    {note}" for note in row.notes)


def _amount(one: Measured) -> str:
    """A time in the unit that suits it; memory where no time was measured."""
    if not one.seconds and one.memory is not None:
        return f"{one.memory / 2**20:.1f} MiB"
    return _spelled(one.seconds)


def _spelled(seconds: float) -> str:
    if seconds >= 0.1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.2f} µs"


def write(path: Path, rows: list[Row], quick: bool) -> None:
    """Write the rows as JSON."""
    path.parent.mkdir(exist_ok=True, parents=True)
    machine = {"python": sys.version.split()[0], "machine": platform.machine(), "system": platform.system()}
    plain = [{**row._asdict(), "measured": [one._asdict() for one in row.measured]} for row in rows]
    document = {**machine, "quick": quick, "rows": plain}
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
