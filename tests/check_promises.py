"""Check what findings promise over thousands of generated documents, and over all fixtures.

    python tests/check_promises.py [COUNT] [SEED]

Exits with 1 where a promise is broken, and prints each broken one. 6,000 documents take about a minute.
"""

from __future__ import annotations

import sys
from collections import Counter
from itertools import chain, repeat
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from support.finding_promises import (
    broken_agreement,
    broken_fixes,
    broken_honesty,
    broken_silence,
    broken_verdicts,
)
from support.fixture_documents import fixture_documents
from support.labelled_documents import SEED, labelled_documents, mixed_documents

from feedcharset import check

COUNT = 6000


def main(count: int = COUNT, seed: int = SEED) -> int:
    """Check, and print what was checked."""
    totals: Counter[str] = Counter()
    alone = [broken_fixes, broken_silence, broken_honesty, broken_verdicts]
    documents = chain(labelled_documents(count, seed), fixture_documents())
    judged = chain(
        zip(documents, repeat(alone)), zip(mixed_documents(count, seed), repeat([broken_agreement]))
    )
    for document, promises in judged:
        report = check(document.body, content_type=document.content_type)
        totals["documents"] += 1
        totals["findings"] += len(report.findings)
        totals["fixes"] += sum(finding.fix is not None for finding in report.findings)
        for promise in promises:
            for sentence in promise(document, report):
                totals["broken"] += 1
                print(sentence)
    print(", ".join(f"{number:,} {name}" for name, number in totals.items()), f"(seed {seed})")
    return 1 if totals["broken"] else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
