"""Measuring contestants side by side: interleaved, the median of each, and of the ratios.

Times are processor time, so that other work on the machine does not count.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import NamedTuple

__all__ = ["Measured", "Run", "calls", "peak_of_interpreter", "processes", "run_process"]


class Measured(NamedTuple):
    """One contestant."""

    name: str
    seconds: float
    """The median, of one call or one process."""
    ratio: float
    """The median of the rounds' ratios: its time by that of the one it is measured against."""
    memory: int | None = None
    """Peak resident bytes, where a process was measured."""


class Run(NamedTuple):
    """One run of a process."""

    seconds: float
    """User and system time."""
    memory: int


def calls(
    contestants: dict[str, Callable[[], object]], *, against: str, rounds: int, least: float = 2e-3
) -> list[Measured]:
    """Time functions: in each round every one of them, for `least` seconds."""
    loops = {name: _loops(function, least) for name, function in contestants.items()}
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, function in contestants.items():
            times[name].append(_time(function, loops[name]))
    return _measured(times, against)


def _loops(function: Callable[[], object], least: float) -> int:
    function()
    loops = 1
    while _time(function, loops) * loops < least:
        loops *= 2
    return loops


def _time(function: Callable[[], object], loops: int) -> float:
    start = time.process_time()
    for _ in range(loops):
        function()
    return (time.process_time() - start) / loops


def processes(commands: dict[str, Callable[[], Run]], *, against: str, rounds: int) -> list[Measured]:
    """Time processes: in each round every one of them once."""
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            runs[name].append(command())
    times = {name: [run.seconds for run in done] for name, done in runs.items()}
    memory = {name: max(run.memory for run in done) for name, done in runs.items()}
    return [one._replace(memory=memory[one.name]) for one in _measured(times, against)]


def _measured(times: dict[str, list[float]], against: str) -> list[Measured]:
    return [
        Measured(name, median(taken), median(a / b for a, b in zip(taken, times[against], strict=True)))
        for name, taken in times.items()
    ]


SPAWNER = r"""
import os, sys
for line in sys.stdin:
    source, *command = line.rstrip("\n").replace("\x1e", "\n").split("\x1f")
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, source, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    ]
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    took = usage.ru_utime + usage.ru_stime
    print(os.waitstatus_to_exitcode(status), took, usage.ru_maxrss, flush=True)
"""


@lru_cache(maxsize=1)
def _spawner() -> subprocess.Popen[str]:
    """A small process that starts the others: on Linux, no process has a lower peak than its parent."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-S", "-E", "-c", SPAWNER]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return subprocess.Popen(command, text=True, env=environment, **pipes)


def run_process(command: Sequence[str | Path], *, source: Path | None = None) -> Run:
    """Run a command, its output thrown away, and say what it took."""
    spawner = _spawner()
    assert spawner.stdin is not None
    assert spawner.stdout is not None
    line = "\x1f".join(map(str, [source or os.devnull, *command])).replace("\n", "\x1e")
    print(line, file=spawner.stdin, flush=True)
    code, seconds, peak = spawner.stdout.readline().split()
    if code != "0":
        raise RuntimeError(f"{command} failed with {code}")
    return Run(float(seconds), int(peak) * (1 if sys.platform == "darwin" else 1024))


def peak_of_interpreter() -> int:
    """Peak resident bytes of an interpreter that does nothing."""
    return min(run_process([sys.executable, "-c", "pass"]).memory for _ in range(5))
