"""The loop over many small cases: none is left out, and the failing ones are named."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.each import each

seen: list[object] = []


@pytest.mark.parametrize("outer", [1, 2])
@each("second", "xy")
@each(("number", "text"), [(1, "a"), pytest.param(2, "b")])
def test_every_case_runs(number: int, text: str, second: str, outer: int, tmp_path: Path) -> None:
    assert tmp_path.exists()
    seen.append((number, text, second, outer))
    if len(seen) % 4 == 0:
        assert [one[:3] for one in seen[-4:]] == [(1, "a", "x"), (2, "b", "x"), (1, "a", "y"), (2, "b", "y")]


def test_the_failing_cases_are_named() -> None:
    def test(number: int) -> None:
        assert number % 2

    with pytest.raises(AssertionError, match=r"2 of 4 cases fail:\n    'case2'\n    'case4'") as caught:
        each("number", [1, 2, 3, 4], ids=lambda number: f"case{number}")(test)()
    assert isinstance(caught.value.__cause__, AssertionError)


def test_no_case_is_left_out_of_the_parts() -> None:
    done: list[int] = []

    def test(number: int) -> None:
        done.append(number)

    divided = each("number", range(7), parts=3)(test)
    for part in range(3):
        divided(part=part)
    assert sorted(done) == list(range(7))
    assert done[:3] == [0, 3, 6]


def test_there_are_cases() -> None:
    with pytest.raises(AssertionError, match="no cases"):
        each("number", [])
