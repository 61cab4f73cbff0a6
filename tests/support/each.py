"""Many small cases in one test."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

__all__ = ["each"]


def each(
    names: str | Sequence[str],
    cases: Iterable[Any],
    *,
    ids: Callable[[Any], object] | Iterable[object] | None = None,
    parts: int = 1,
    every: int = 1,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test for each case, as `pytest.mark.parametrize` does, but as one test: thousands of them take
    longer to be collected and reported than to run.

    All cases run; the failing ones are listed, and the first one's error is shown. The cases share what
    fixtures give.

    Args:
        names: of the arguments, as for `parametrize`.
        cases: a value for each case, or a tuple of them where there are several names, or a `pytest.param`.
        ids: the names of the cases; by default their values.
        parts: how many tests to divide them among, which run at the same time.
        every: where some of many like cases do for `make test`, it runs one in so many; a test that is marked
            `long` runs all.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = []
    for case in cases:
        values = case.values if isinstance(case, type(pytest.param())) else case
        rows.append(tuple(values) if len(arguments) > 1 or values is not case else (values,))
    if ids is None or callable(ids):
        shown = ids or (lambda value: value)
        titles = ["-".join(ascii(shown(value)) for value in row) for row in rows]
    else:
        titles = list(map(ascii, ids))
    assert len(titles) == len(rows)
    assert rows, "no cases"

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        def run(**fixtures: Any) -> None:
            part = fixtures.pop("part") if parts > 1 else 0
            step = fixtures.pop("step") if every > 1 else 1
            failed = {}
            for title, row in list(zip(titles, rows, strict=True))[part * step :: parts * step]:
                try:
                    test(**fixtures, **dict(zip(arguments, row, strict=True)))
                except Exception as error:
                    failed[title] = error
            if failed:
                first = next(iter(failed.values()))
                list_of_failed = "\n    ".join(failed)
                raise AssertionError(
                    f"{len(failed)} of {len(rows)} cases fail:\n    {list_of_failed}"
                ) from first

        for name in ("__name__", "__qualname__", "__module__", "__doc__", "pytestmark"):
            if hasattr(test, name):
                setattr(run, name, getattr(test, name))
        left = [one for one in signature.parameters.values() if one.name not in arguments]
        if parts > 1:
            left.append(inspect.Parameter("part", inspect.Parameter.KEYWORD_ONLY))
            run = pytest.mark.parametrize("part", range(parts))(run)
        if every > 1:
            left.append(inspect.Parameter("step", inspect.Parameter.KEYWORD_ONLY))
            steps = [every, pytest.param(1, marks=pytest.mark.long)]
            run = pytest.mark.parametrize("step", steps)(run)
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return run

    return decorated
