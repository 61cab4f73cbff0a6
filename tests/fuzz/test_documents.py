"""Structure-aware documents: the generator, and a share of them in every target."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import documents  # noqa: E402
import run  # noqa: E402
import targets  # noqa: E402


@pytest.mark.parametrize("count", [150, pytest.param(600, marks=pytest.mark.long)])
def test_the_first_documents_keep_every_promise(count: int, capsys: pytest.CaptureFixture[str]) -> None:
    failures = run.fuzz_documents(0, count, run.SEED, run.EVERY)
    assert not any(failures.values()), capsys.readouterr().out
    assert set(failures) | {"resolve"} == set(targets.TARGETS)


def test_a_document_is_the_function_of_a_seed_and_a_number() -> None:
    first = [documents.made(1, number) for number in range(50)]
    assert first == [documents.made(1, number) for number in range(50)]
    assert first != [documents.made(2, number) for number in range(50)]
    assert documents.made(1, 49) == first[49]


def test_the_documents_have_everything_that_is_done_to_them() -> None:
    made = [documents.made(1, number) for number in range(2000)]
    done = Counter(change for one in made for change in one.changes)
    for change, (share, _) in documents.CHANGES.items():
        assert share / 2 < done[change] / len(made) < share * 2, change
    assert 0.2 < sum(not one.changes for one in made) / len(made) < 0.6
    assert {one.content_type is None for one in made} == {False, True}
    assert all(len(one.content_type or "") < 255 for one in made)
    assert {one.choice for one in made} > set(range(200))
    assert len({one.body for one in made}) > 0.98 * len(made)


def test_a_broken_promise_is_counted_and_its_input_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(data: bytes) -> None:
        raise AssertionError("a promise")

    monkeypatch.setattr(run, "HERE", tmp_path)
    monkeypatch.setitem(targets.TARGETS, "repair", fail)
    assert run.fuzz_documents(16, 3, 7, {"repair": 2}) == {"repair": 2}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crash-repair-7-16", "crash-repair-7-18"]
    assert "AssertionError: a promise" in capsys.readouterr().out
