"""How much longer a call takes for a larger input; never a clock's absolute figures."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import thread_time
from typing import Any

__all__ = ["effort", "growth"]

ATTEMPTS = 8
"""A busy machine makes one attempt wrong, or two. Quadratic work fails them all."""

GRAIN = 2e-5
"""Seconds. Less is nearer to the grain of the clock than to the work."""


def effort(call: Callable[[Any], object], source: object) -> float:
    """One run, in seconds of this thread's own work.

    Python's garbage collector is off meanwhile: it visits every object of the test process, which has nothing
    to do with the input.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        begin = thread_time()
        call(source)
        return max(thread_time() - begin, GRAIN)
    finally:
        if enabled:
            gc.enable()


def growth(call: Callable[[Any], object], small: object, large: object, most: float) -> float:
    """How many times longer the call takes for the large input: the least ratio of some attempts.

    Attempts end as soon as one is below `most`. So a busy machine fails no test, and work that truly grows
    faster than `most` fails each attempt.
    """
    least = float("inf")
    call(small)  # what is made once is made now
    for _ in range(ATTEMPTS):
        one = min(effort(call, small), effort(call, small))  # a run that is slow by chance hides growth
        least = min(least, effort(call, large) / one)
        if least < most:
            break
    return least
