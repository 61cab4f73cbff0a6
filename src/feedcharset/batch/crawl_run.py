"""A run of `feedcharset batch`: units of work in processes, their parts joined to one file."""

from __future__ import annotations

import json
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from pyarrow import ArrowException

from feedcharset.batch.crawl_inputs import PARTS, Unit
from feedcharset.batch.crawl_tally import Tally
from feedcharset.batch.parquet_concatenation import ParquetConcatenation
from feedcharset.batch.unit_decoding import (
    BAD_COLUMNS,
    Part,
    decode_unit,
    finished_part,
    is_abandoned,
    part_paths,
)
from feedcharset.batch.unit_rows import RunOptions
from feedcharset.results.explanation import visible

__all__ = ["CrawlRun", "OtherRunError", "Outcome", "parts_folder"]

POLL_SECONDS = 0.2
"""How often the progress is shown while workers work."""

UNREADABLE: tuple[type[Exception], ...] = (OSError, ValueError, ArrowException)
"""What is raised for an input that cannot be read. Everything else is a defect, and ends the run."""

Failure = tuple[str, str]
"""A file, and why it could not be read."""


class OtherRunError(ValueError):
    """The folder of parts belongs to a run with other options."""


class Outcome(NamedTuple):
    """What a run came to."""

    tally: Tally
    failures: tuple[Failure, ...]
    """Inputs that could not be read, or not wholly."""
    bad_table: Path | None
    """Where the bad records are listed; None: there are none."""
    kept: int
    """Units whose parts an earlier run had left."""


def parts_folder(output: Path) -> Path:
    """Where the parts of a run are: the output itself where it is a folder."""
    return output if output.is_dir() else output.with_name(output.name + PARTS)


class CrawlRun:
    """Decodes units, as many at once as there are jobs.

    Args:
        units: the work.
        options: how it is done.
        output: a Parquet file, or a folder that gets one file for each unit.
        jobs: processes; 1: this one.
        ordered: the rows of the file are in the order of the units, else as the units are finished.
    """

    def __init__(
        self, units: Sequence[Unit], options: RunOptions, output: Path, *, jobs: int, ordered: bool
    ) -> None:
        self._units = units
        self._options = options
        self._output = output
        self._jobs = max(1, min(jobs, len(units)))
        self._ordered = ordered
        self._folder = parts_folder(output)
        self._tally = Tally()
        self._failures: list[Failure] = []
        self._keys: list[str] = []

    def run(self, advance: Callable[[int], object]) -> Outcome:
        """Do the work that an earlier run has not done, and write the output.

        Args:
            advance: called with numbers of bytes, the sum of the units' sizes in all.

        Raises:
            OtherRunError: the parts that are there were made with other options.
            OSError: the output cannot be written.
            RuntimeError: a worker was killed.
        """
        self._prepare()
        finished = {unit.key: finished_part(self._folder, unit.key) for unit in self._units}
        kept = sum(part is not None for part in finished.values())
        waiting = [unit for unit in self._units if finished[unit.key] is None]
        advance(sum(unit.size for unit in self._units if finished[unit.key] is not None))
        results = {key: part for key, part in finished.items() if part is not None}
        for unit, result in self._results(waiting, advance):
            if isinstance(result, Part):
                results[unit.key] = result
            else:
                self._failures.append((unit.paths[0], _reason(result)))
        order = [unit.key for unit in self._units] if self._ordered else list(results)
        for key in order:
            if key in results:
                self._take(results[key])
        return Outcome(self._tally, tuple(self._failures), self._finish(), kept)

    def _prepare(self) -> None:
        self._folder.mkdir(exist_ok=True)
        for path in self._folder.iterdir():
            if is_abandoned(path):
                with suppress(PermissionError):
                    path.unlink()
        settings = json.dumps(self._options, sort_keys=True, default=repr)
        file = self._folder / "_run.json"
        if file.exists() and file.read_text(encoding="utf-8") != settings:
            raise OtherRunError(
                f"{self._folder} holds parts of a run with other options; remove it, or repeat the options"
            )
        file.write_text(settings, encoding="utf-8")

    def _results(
        self, units: Sequence[Unit], advance: Callable[[int], object]
    ) -> Iterator[tuple[Unit, Part | BaseException]]:
        if self._jobs > 1 and len(units) > 1:
            yield from _in_workers(units, self._options, self._folder, self._jobs, advance)
            return
        for unit in units:
            try:
                yield unit, decode_unit(unit, self._options, self._folder, advance, lambda: False)
            except UNREADABLE as error:
                advance(unit.size)
                yield unit, error

    def _take(self, part: Part) -> None:
        self._keys.append(part.key)
        self._tally.merge(part.tally)
        path = next(unit.paths[0] for unit in self._units if unit.key == part.key)
        self._failures += [(path, problem) for problem in part.problems]

    def _finish(self) -> Path | None:
        """Join the parts, and the tables of bad records."""
        name = "_bad.tsv" if self._output.is_dir() else f"{self._output.with_suffix('').name}.bad.tsv"
        table = (self._folder if self._output.is_dir() else self._output.parent) / name
        bad = self._join_bad(table)
        if not self._output.is_dir():
            if self._keys:
                self._join_parts()
            shutil.rmtree(self._folder)
        return bad

    def _join_parts(self) -> None:
        with _replacing(self._output) as file:
            joined = ParquetConcatenation(file)
            for key in self._keys:
                joined.append(part_paths(self._folder, key)[0])
            joined.finish()

    def _join_bad(self, table: Path) -> Path | None:
        paths = [part_paths(self._folder, key)[1] for key in self._keys]
        if not any(path.stat().st_size for path in paths) and not self._failures:
            table.unlink(missing_ok=True)  # of an earlier run
            return None
        with _replacing(table) as file:
            file.write(("\t".join(BAD_COLUMNS) + "\n").encode())
            for path in paths:
                with path.open("rb") as source:
                    shutil.copyfileobj(source, file)
            for name, why in self._failures:
                file.write("\t".join((visible(name), "", "", "", "", visible(why))).encode() + b"\n")
        return table


@contextmanager
def _replacing(target: Path) -> Iterator[Any]:
    """A file that replaces the target only when it is complete."""
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        try:
            yield file
            file.close()
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(file.name, 0o666 & ~mask)
            os.replace(file.name, target)
        except BaseException:
            file.close()
            os.unlink(file.name)
            raise


def _reason(error: BaseException) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


# -- workers ----------------------------------------------------------------------------------------------

_shared: dict[str, Any] = {}
"""Of a worker: the event that stops it, and the counter of the bytes that were done."""


def _start_worker(stop: Any, counter: Any) -> None:
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches the whole group; the parent stops the workers
    _shared.update(stop=stop, counter=counter)


def _work(unit: Unit, options: RunOptions, folder: Path) -> Part:
    counter = _shared["counter"]

    def advance(size: int) -> None:
        with counter.get_lock():
            counter.value += size

    return decode_unit(unit, options, folder, advance, _shared["stop"].is_set)


def _in_workers(
    units: Sequence[Unit], options: RunOptions, folder: Path, jobs: int, advance: Callable[[int], object]
) -> Iterator[tuple[Unit, Part | BaseException]]:
    context = get_context("spawn")
    stop, counter = context.Event(), context.Value("q", 0)
    pool = ProcessPoolExecutor(jobs, context, _start_worker, (stop, counter))
    shown = 0
    try:
        with _without_interrupts():
            futures: dict[Future[Part], Unit] = {
                pool.submit(_work, unit, options, folder): unit for unit in units
            }
        waiting = set(futures)
        while waiting:
            done, waiting = wait(waiting, POLL_SECONDS, FIRST_COMPLETED)
            advance(counter.value - shown)
            shown = counter.value
            for future in done:
                yield futures[future], _result(future)
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _result(future: Future[Part]) -> Part | BaseException:
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, UNREADABLE):
        return error
    if isinstance(error, BrokenProcessPool):
        raise RuntimeError(
            "a worker process was killed, perhaps for want of memory; the same command continues where it "
            "stopped, and fewer --jobs need less memory"
        )
    raise error


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ctrl-C waits until the workers are started. They inherit that it is blocked, and print nothing."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
