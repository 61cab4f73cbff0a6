"""Generated documents give the results that were recorded, to the last number.

The other tests say what is right; this one says that nothing else has changed. Where a change is meant:
`python tests/making/record_results.py`, and each changed line needs a reason.
"""

from __future__ import annotations

import pytest
from support.cases import TESTS
from support.module_files import module_at

making = module_at(TESTS / "making" / "record_results.py")
NAMES, *RECORDED = [row.split() for row in making.OUT.read_text(encoding="utf-8").splitlines()]
PARTS = 36
"""Of which the quick tests take one: any change that is not meant is likely to be in 500 documents."""


def test_the_recorded_documents_are_those_that_are_made() -> None:
    assert [row[0] for row in RECORDED] == [str(number) for number in range(making.DOCUMENTS)]


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, PARTS))]
)
def test_the_results_are_those_that_were_recorded(part: int) -> None:
    changed = {}
    for number in range(part, making.DOCUMENTS, PARTS):
        now = making.line(number).split()
        if now != RECORDED[number]:
            pairs = zip(NAMES, RECORDED[number], now, strict=True)
            changed[number] = [name for name, before, after in pairs if before != after]
    assert not changed, "print them in both trees: python tests/making/record_results.py NUMBER"
