"""How long a call takes, for comparing one input with a larger one; never with a clock's absolute figures."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import Any

__all__ = ["effort"]


def effort(call: Callable[..., Any], *args: Any, repeat: int = 7) -> float:
    """The shortest of a few runs, in seconds of this thread's own work, whatever else the machine does; never
    so short that the clock's grain tells."""
    times = []
    for _ in range(repeat):
        begin = thread_time()
        call(*args)
        times.append(thread_time() - begin)
    return max(min(times), 2e-5)
