"""Measures contestants side by side, interleaved: the least processor time of each, and the ratios of these.

Processor time leaves out other work on the machine; the least of many runs leaves out what other work does to
caches and clock rates.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

__all__ = [
    "Measured",
    "Row",
    "Run",
    "calls",
    "compare",
    "peak_of_interpreter",
    "peak_of_memory",
    "processes",
    "run_process",
]

ROUNDS = 5
"""Each contestant is measured at least so often."""


class Measured(NamedTuple):
    """One contestant."""

    name: str
    seconds: float
    """The least processor time of one call or one process."""
    ratio: float
    """This time by that of the contestant that the others are compared with."""
    memory: int | None = None
    """Peak resident bytes, where a process was measured."""


class Row(NamedTuple):
    """One comparison. The first contestant is ours."""

    what: str
    measured: list[Measured]
    reach: str = ""
    """What should be reached; "" where the row is for comparison only."""
    reached: bool | None = None
    notes: tuple[str, ...] = ()


class Run(NamedTuple):
    """One run of a process."""

    seconds: float
    """User and system time."""
    memory: int


def compare(
    what: str,
    contestants: dict[str, Callable[[], object]],
    *,
    most: float | None,
    seconds: float,
    peers: Mapping[str, Callable[..., object]] | None = None,
) -> Row:
    """Measure functions; the first should take at most `most` times as long as the second.

    Args:
        what: the name of the row.
        contestants: ours, and the one it is compared with.
        most: the ratio to reach; None: for comparison.
        seconds: the time that the whole comparison may take.
        peers: functions that are measured for comparison only.
    """
    measured = calls({**contestants, **(peers or {})}, seconds=seconds)
    reach = "" if most is None else f"at most {most:g}x"
    return Row(what, measured, reach, None if most is None else measured[0].ratio <= most)


def calls(contestants: dict[str, Callable[[], object]], *, seconds: float) -> list[Measured]:
    """Measure functions in turn until the time is over, each at least ROUNDS times."""
    bytes(4 << 20)  # glibc then keeps freed memory: otherwise it returns 128 KiB at once, and maps them anew
    least = seconds / (len(contestants) * 20)
    loops = {name: _loops(function, least) for name, function in contestants.items()}
    times: dict[str, list[float]] = {name: [] for name in contestants}
    end = time.process_time() + seconds
    while time.process_time() < end or len(next(iter(times.values()))) < ROUNDS:
        for name, function in contestants.items():
            times[name].append(_time(function, loops[name]))
        if time.process_time() > end + 4 * seconds:  # a peer that takes very long
            break
    return _measured(times)


def _loops(function: Callable[[], object], least: float) -> int:
    function()
    loops = 1
    while (taken := _time(function, loops)) * loops < least:
        loops = max(loops * 2, int(least / max(taken, 1e-9) / 2))
    return loops


def _time(function: Callable[[], object], loops: int) -> float:
    start = time.process_time()
    for _ in range(loops):
        function()
    return (time.process_time() - start) / loops


def _measured(times: dict[str, list[float]]) -> list[Measured]:
    """The least of each; the second contestant is the one that the others are compared with."""
    least = {name: min(taken) for name, taken in times.items()}
    against = least[list(least)[1 if len(least) > 1 else 0]]
    return [Measured(name, seconds, seconds / against) for name, seconds in least.items()]


def processes(commands: dict[str, Callable[[], Run]], *, rounds: int) -> list[Measured]:
    """Measure processes: in each round every one of them once."""
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            runs[name].append(command())
    memory = {name: max(run.memory for run in done) for name, done in runs.items()}
    measured = _measured({name: [run.seconds for run in done] for name, done in runs.items()})
    return [one._replace(memory=memory[one.name]) for one in measured]


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
    return subprocess.Popen(
        command, text=True, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def run_process(command: Sequence[str | Path], *, source: Path | None = None) -> Run:
    """Run a command, its output thrown away; return what it took."""
    spawner = _spawner()
    assert spawner.stdin is not None
    assert spawner.stdout is not None
    line = "\x1f".join(map(str, [source or os.devnull, *command])).replace("\n", "\x1e")
    print(line, file=spawner.stdin, flush=True)
    code, seconds, peak = spawner.stdout.readline().split()
    if code != "0":
        raise RuntimeError(f"{command} failed with {code}")
    return Run(float(seconds), int(peak) * (1 if sys.platform == "darwin" else 1024))


@lru_cache(maxsize=1)
def peak_of_interpreter() -> int:
    """Peak resident bytes of an interpreter that does nothing."""
    return min(run_process([sys.executable, "-c", "pass"]).memory for _ in range(5))


def peak_of_memory(function: Callable[[], object]) -> int:
    """The most memory in bytes that Python had allocated during a call, beyond what was allocated before."""
    function()  # tables that are made once are not counted
    tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        function()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
