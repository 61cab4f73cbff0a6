"""The loop over many small cases, and generated ones: none is left out, and the failing ones are named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import strategies as st
from support.each import each
from support.generated import generated

seen: list[object] = []


@pytest.mark.parametrize("outer", [1, 2])
@each("second", "xy")
@each(("number", "text"), [(1, "a"), pytest.param(2, "b")])
def test_every_case_runs(number: int, text: str, second: str, outer: int, tmp_path: Path) -> None:
    assert tmp_path.exists()
    seen.append((number, text, second, outer))
    if len(seen) % 4 == 0:
        assert [one[:3] for one in seen[-4:]] == [(1, "a", "x"), (2, "b", "x"), (1, "a", "y"), (2, "b", "y")]


@pytest.mark.parametrize("part", [5])
@pytest.mark.parametrize("step", [11])
@each("number", [1, 2])
def test_a_part_and_a_step_may_be_the_test_s_own(number: int, step: int, part: int) -> None:
    assert (step, part) == (11, 5)


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


def values_of(test: Callable[..., None]) -> list[tuple[object, list[str]]]:
    """The values of the argument that a test is parametrized with, and the names of their marks."""
    (mark,) = test.pytestmark  # type: ignore[attr-defined]
    rows = [one if hasattr(one, "marks") else pytest.param(one) for one in mark.args[1]]
    return [(row.values[0], [one.name for one in row.marks]) for row in rows]


def test_some_cases_are_quick_and_all_are_long() -> None:
    done: list[int] = []

    def test(number: int) -> None:
        done.append(number)

    sampled = each("number", range(7), every=3)(test)
    assert values_of(sampled) == [(3, []), (1, ["long"])]
    sampled(step=3)
    assert done == [0, 3, 6]
    sampled(step=1)
    assert done[3:] == list(range(7))
    both = each("number", range(7), parts=2, every=3)(test)
    for part in range(2):
        both(part=part, step=3)
    assert done[10:] == [0, 6, 3]


def test_few_examples_are_quick_and_many_are_long() -> None:
    done: list[int] = []

    @generated(3, 20, number=st.integers())
    def test(number: int) -> None:
        """What it says."""
        done.append(number)

    assert (test.__name__, test.__doc__) == ("test", "What it says.")
    assert values_of(test) == [(3, []), (20, ["long"])]
    test(examples=3)
    assert len(done) == 3
    test(examples=20)
    assert len(done) == 23
