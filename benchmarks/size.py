"""How much is measured: the full run, and a quick look."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FULL", "QUICK", "Size"]


class Size(NamedTuple):
    """The amounts of one run."""

    seconds: float
    """Processor time of a row whose contestants are functions."""
    processes: int
    """Rounds of a row whose contestants are processes."""
    large: int
    """MiB of the files that are read and detected."""
    huge: int
    """MiB of the file that `iterparse` reads."""
    repair: int
    """MiB of the files that are repaired."""
    documents: int
    """Of the crawl."""
    fetched: int
    """Documents fetched from 127.0.0.1."""
    judged: bool
    """The files are as large as the targets assume; in small ones a process's start counts too much."""


FULL = Size(1.5, 3, 512, 1024, 64, 3000, 1000, True)
QUICK = Size(0.25, 2, 32, 32, 8, 400, 100, False)
