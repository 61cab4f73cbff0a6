"""Every seed goes through every target, and a broken promise is found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.each import each

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import make_corpus  # noqa: E402
import targets  # noqa: E402

SEEDS = sorted((HERE / "corpus").iterdir())


@each("target", targets.TARGETS)
@each("seed", SEEDS, ids=lambda path: path.name)
def test_every_seed_keeps_every_promise(target: str, seed: Path) -> None:
    targets.TARGETS[target](seed.read_bytes())


def test_the_seeds_are_those_of_their_maker() -> None:
    made = {name: make_corpus.seed(*parts) for name, parts in make_corpus.SEEDS.items()}
    assert {path.name: path.read_bytes() for path in SEEDS} == made


def test_the_parts_of_an_input() -> None:
    assert targets.split(make_corpus.seed(5, "text/xml", b"<a/>")) == (5, "text/xml", b"<a/>")
    assert targets.split(make_corpus.seed(6, None, b"<a/>")) == (6, None, b"<a/>")
    assert targets.split(b"") == (0, None, b"")


def test_a_broken_promise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "repair", lambda document, **options: type("R", (), {"data": b"\xff"}))
    with pytest.raises(UnicodeDecodeError):
        targets.TARGETS["repair"](b"\x00\xff<a/>")
