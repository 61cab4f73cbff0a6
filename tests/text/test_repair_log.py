"""The count of changes."""

from __future__ import annotations

from itertools import count

from feedcharset.results import Repairs
from feedcharset.text.repair_log import OFFSETS, RepairLog


def test_nothing_was_changed() -> None:
    assert RepairLog().repairs == Repairs()
    assert not RepairLog().repairs


def test_kinds_are_counted_and_their_offsets_merged() -> None:
    log = RepairLog()
    log.add("xml-chars", 2, (7, 30))
    log.add("bytes", 1, (3,))
    log.add("bytes", 1, (9,))
    log.add("gzip", 1)
    assert log.repairs == Repairs(5, (3, 7, 9, 30), (("bytes", 2), ("gzip", 1), ("xml-chars", 2)))


def test_no_more_offsets_are_read_than_are_kept() -> None:
    log, endless = RepairLog(), count()
    log.add("bytes", 10**9, endless)
    log.add("bytes", 1, endless)
    assert log.repairs.offsets == tuple(range(OFFSETS))
    assert next(endless) == OFFSETS


def test_each_kind_keeps_its_own_first_offsets() -> None:
    log = RepairLog()
    log.add("mojibake", OFFSETS, range(1000, 1000 + OFFSETS))
    log.add("bytes", 1, (5,))
    assert log.repairs.offsets[0] == 5
    assert len(log.repairs.offsets) == OFFSETS
