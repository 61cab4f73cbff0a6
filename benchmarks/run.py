"""Measure feedcharset beside its peers, in one run: a table of ratios, and the same as JSON.

    python benchmarks/run.py [--quick] [--json FILE] [ROW...]

A row is "decode", "resolve", "import", "read", "detect" or "repair"; all of them without one. The large
inputs (3 GiB in all) are made once, under benchmarks/_data; --quick takes files of a sixteenth of the size
and fewer rounds. What it says is true of this machine, now.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from rows import ROWS, Row, Size

OUT = Path(__file__).parent / "_data" / "benchmarks.json"


def main() -> int:
    """Run what is asked for; 1 when something that should be reached is not."""
    parser = argparse.ArgumentParser(description="Measure feedcharset beside its peers.")
    parser.add_argument("--quick", action="store_true", help="small files, few rounds")
    parser.add_argument("--json", type=Path, default=OUT, help=f"where to write [{OUT}]")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"one of {', '.join(ROWS)}")
    options = parser.parse_args()
    size = Size.quick() if options.quick else Size.full()
    rows = []
    for name in options.rows or ROWS:
        for row in ROWS[name](size):
            rows.append(row)
            print("\n".join(lines(row)), flush=True)
    missed = [row.what for row in rows if row.reached is False]
    print("Not reached: " + "; ".join(missed) if missed else "All that should be reached is reached.")
    write(options.json, rows, options.quick)
    return 0


def lines(row: Row) -> Iterator[str]:
    """A row for people."""
    mark = {True: "reached", False: "NOT REACHED", None: "for comparison"}[row.reached]
    yield f"{row.what}    [{row.reach}: {mark}]" if row.reach else row.what
    for one in row.measured:
        memory = "" if one.memory is None else f"   {one.memory / 2**20:6.1f} MiB"
        yield f"    {one.name:44} {spell(one.seconds):>10}   {one.ratio:9.3f}x{memory}"
    for name in row.absent:
        yield f"    {name:44}     absent"
    yield from (f"    {note}" for note in row.notes)
    yield ""


def spell(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds >= 0.1:
        return f"{seconds:.3f} s"
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.2f} µs"


def write(path: Path, rows: list[Row], quick: bool) -> None:
    """The same for machines."""
    path.parent.mkdir(exist_ok=True, parents=True)
    machine = {"python": sys.version.split()[0], "machine": platform.machine(), "system": platform.system()}
    document = {
        **machine,
        "quick": quick,
        "rows": [{**row._asdict(), "measured": [one._asdict() for one in row.measured]} for row in rows],
    }
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
