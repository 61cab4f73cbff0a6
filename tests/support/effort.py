"""How long a call takes, for comparing one input with a larger one; never with a clock's absolute figures."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

__all__ = ["effort"]


def effort(call: Callable[..., Any], *args: Any, repeat: int = 5) -> float:
    """The shortest of a few runs, in seconds, and never so short that the clock's grain tells."""
    times = []
    for _ in range(repeat):
        begin = perf_counter()
        call(*args)
        times.append(perf_counter() - begin)
    return max(min(times), 2e-5)
