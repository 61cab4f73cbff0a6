"""Record what is counted in the cases of sequences.json, and which threshold those of plainly.json reach.

    python tests/making/record_sequence_cases.py            writes both files
    python tests/making/record_sequence_cases.py --check    exits with 1 where it would change them

The cases (`why`, `label`, `octets` or `text`) are written by hand into the files; only `expected` and `row`
are recorded. Read the difference: each changed number needs a reason.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.cases import DATA, load, octets

from feedcharset.charsets.lookup import by_name, lookup
from feedcharset.decide.thresholds import utf8_threshold
from feedcharset.evidence.utf8_sequences import count_sequences

Case = dict[str, Any]


def counted(case: Case) -> Case:
    """A case of sequences.json; numbers that are 0 are left out."""
    charset = lookup(case["label"])
    assert charset is not None
    found = count_sequences(octets(case["octets"]), charset)._asdict()
    del found["charset"]
    return {**case, "expected": {name: number for name, number in found.items() if number}}


def judged(case: Case) -> Case:
    """A case of plainly.json."""
    charset = by_name(case["label"])
    row = utf8_threshold(charset, count_sequences(case["text"].encode(case["codec"]), charset))
    return {**case, "row": row.why if row else None}


RECORDED: dict[str, tuple[Callable[[Case], Case], bool]] = {
    # the file, how its cases are made, and whether it is ASCII
    "sequences": (counted, False),
    "plainly": (judged, True),
}


def made(name: str) -> str:
    """The file: a line for each case."""
    record, ascii_only = RECORDED[name]
    cases = [json.dumps(record(case), ensure_ascii=ascii_only) for case in load(name)]
    return "[\n" + ",\n".join(cases) + "\n]\n"


def main() -> int:
    """Write the files, or compare them."""
    stale = 0
    for name in RECORDED:
        path = DATA / f"{name}.json"
        text = made(name)
        if "--check" in sys.argv:
            stale |= text != path.read_text(encoding="utf-8")
        else:
            path.write_text(text, encoding="utf-8")
    return int(stale)


if __name__ == "__main__":
    sys.exit(main())
