"""Tests of generated examples: a few examples in `make test`, many in `make test-long`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings

__all__ = ["generated"]


def generated(
    few: int, many: int, *strategies: Any, **named: Any
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test as `hypothesis.given` does, with a few examples, and under the marker `long` with many.

    Other decorators of pytest stand above it, `hypothesis.example` below.

    Args:
        few: how many examples `make test` tries.
        many: how many `make test-long` tries.
        strategies: what `given` takes.
        named: what `given` takes by name.
    """

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        drawn: Any = given(*strategies, **named)
        of = {count: settings(max_examples=count)(drawn(test)) for count in (few, many)}

        def run(examples: int, **fixtures: Any) -> None:
            of[examples](**fixtures)

        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(run, name, getattr(test, name))
        left = inspect.signature(of[few]).parameters.values()
        own = inspect.Parameter("examples", inspect.Parameter.KEYWORD_ONLY)
        run.__signature__ = inspect.Signature([*left, own])  # type: ignore[attr-defined]
        for_long = pytest.param(many, marks=pytest.mark.long)
        both: Callable[..., None] = pytest.mark.parametrize("examples", [few, for_long])(run)
        return both

    return decorated
