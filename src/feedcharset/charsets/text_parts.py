"""Joins very many short texts with little memory."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

__all__ = ["join_parts"]

PARTS = 1000
"""Texts that are joined at once. A short str takes 50 to 80 bytes, so that a text of three bytes each would
take 30 times its size."""


def join_parts(parts: Iterable[str]) -> str:
    """Return `"".join(parts)`; no more than PARTS of them exist at the same time."""
    remaining = iter(parts)
    joined = []
    while some := list(islice(remaining, PARTS)):
        joined.append("".join(some))
    return "".join(joined)
