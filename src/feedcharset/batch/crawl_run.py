"""A run of `feedcharset batch`: each input becomes one Parquet file of its name in the output folder.

An output is written beside the folder and renamed into it when it is complete, with a note in its metadata of
what it was made of: the input's size and time of change, and the options. A run skips the outputs whose note
is true, makes the others anew, and leaves nothing else in the folder. So the same command goes on where a run
broke off, at whatever moment; and it tries again what could not be read wholly, which has no note.

Beside the folder OUT stands OUT.run while a run works: its lock, and the files that are being written. Its
failures.tsv lists what could not be read, by this run or by the one that made an output; a line stays until
its input is read again. (In the folder itself an engine would take them for data: Polars and
Daft read every file of a folder.)
"""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import active_children, get_context, parent_process, resource_tracker
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from feedcharset.batch.arrays import decode_batches, output_schema
from feedcharset.batch.crawl_inputs import (
    CrawlInput,
    RunOptions,
    arrow_file,
    in_utf8,
    input_schema,
    read_rows,
    state_of,
)
from feedcharset.batch.warc import OF_RECORD
from feedcharset.results.explanation import visible

NOTE, SOURCE, DAMAGE = b"feedcharset.made_of", b"feedcharset.source", b"feedcharset.damage"
"""Keys in the metadata of an output: the state of its input and the options, which input it is, and the
sentences about damaged records: they are listed as long as the output is not made anew."""

SIGNAL_WAIT = 1
"""Seconds of waiting for a result: Ctrl-C that another thread (of Arrow) was given does not end the wait."""

PROBLEMS_KEPT = 100
"""Problems of one input that are listed: the first ones and the last. Each record may have one."""

NO_MEMORY = "there is not enough memory; fewer --jobs need less"
KILLED = "the process that read it was killed, perhaps for want of memory"


class InputResult(NamedTuple):
    """What became of an input."""

    name: str
    rows: int
    errors: int
    """Rows with an error."""
    problems: tuple[str, ...]
    """Damage of the input itself, one sentence each. Without a row, an output of an earlier run stays."""
    problem_count: int
    """How many problems it has. Where not all are listed, the last sentence says how many more."""


def failures_file(output: Path) -> Path:
    """Where a run lists what it could not read. Its folder holds all that is no output."""
    return output.with_name(output.name + ".run") / "failures.tsv"


def run_crawl(
    inputs: Sequence[CrawlInput],
    options: RunOptions,
    output: Path,
    *,
    jobs: int,
    report: Callable[[InputResult, int, int], object],
    unread: Mapping[str, Sequence[str]],
) -> tuple[int, int]:
    """Make the outputs that there are not.

    Args:
        output: the folder, an absolute path. It is made where it does not exist.
        jobs: processes; 1: this one.
        report: called for each input when it is done, with its number and the count of those to do.
        unread: the names that were given, and for each a sentence for each folder that could not be read.

    Returns:
        How many outputs of an earlier run were left as they are, and how many inputs were not wholly read,
        with the folders of `unread`.

    Raises:
        ValueError: another run writes to the folder, nothing can be renamed into it, or a file there would be
            replaced that was made of another input.
        ImportError: fastwarc is not installed, and there are archives.
        OSError: the output cannot be written.
    """
    output.mkdir(parents=True, exist_ok=True)
    if output.stat().st_dev != output.parent.stat().st_dev:
        raise ValueError(f"{output} is a file system of its own; give a folder in it: {output / 'feeds'}")
    if not os.access(output, os.W_OK):  # else the first output would show it, when it is complete
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(output))
    failures = failures_file(output)
    with locked(failures.parent):
        names = {visible(name) for name in (*unread, *(one.name for one in inputs))}
        before: list[str] = []
        with suppress(FileNotFoundError):
            before = failures.read_text(encoding="utf-8").splitlines(keepends=True)
        others = [line for line in before if line.partition("\t")[0] not in names]
        failures.unlink(missing_ok=True)
        if others:
            failures.write_text("".join(others), encoding="utf-8")

        def listed(name: str, problems: Sequence[str]) -> bool:
            if problems:
                with failures.open("a", encoding="utf-8") as file:
                    file.writelines(f"{visible(name)}\t{visible(why)}\n" for why in problems)
            return bool(problems)

        made = [_made(one, options, output) for one in inputs]
        waiting = [one for one, damage in zip(inputs, made, strict=True) if damage is None]
        told = [(name, [why]) for name, some in unread.items() for why in some]
        told += [(one.name, damage or []) for one, damage in zip(inputs, made, strict=True)]
        failed = sum(listed(name, problems) for name, problems in told)
        for number, result in enumerate(_results(waiting, options, output, min(jobs, len(waiting))), 1):
            failed += listed(result.name, result.problems)
            report(result, number, len(waiting))
    return len(inputs) - len(waiting), failed


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a run in its folder, which is removed at the end if nothing else is in it.

    The system frees the lock when the process ends, however it ends.

    Raises:
        ValueError: another process holds it.
    """
    try:
        folder.mkdir(exist_ok=True)
    except PermissionError as error:
        why = f"{error.strerror}; a run has its lock in this folder, beside the output"
        raise PermissionError(error.errno, why, str(folder)) from None
    with open(folder / "lock", "ab") as file:
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            raise ValueError(f"another run writes to {folder.stem}; wait for its end") from None
        try:
            yield
        finally:
            with suppress(OSError):  # there are failures; on Windows an open file is not removed
                (folder / "lock").unlink()
                for path in folder.glob("*.unfinished"):  # of a worker that was killed
                    path.unlink()
                folder.rmdir()


def _made(one: CrawlInput, options: RunOptions, output: Path) -> list[str] | None:
    """The sentences about damage of an output that is there, and was made of the input as it is, with these
    options; None where it is to be made.

    Raises:
        ValueError: what has that name was made of another input, or by another program: an output of this
            command is always whole, since it is renamed when it is complete.
    """
    target = output / one.target
    try:
        mode = target.lstat().st_mode  # its error is none of a file that is not there, as `lexists` has it
    except FileNotFoundError:
        return None
    metadata: dict[bytes, bytes] = {}
    whose = "damaged, or not made by this command"
    if not stat.S_ISLNK(mode):
        with suppress(OSError, pa.ArrowException), arrow_file(target) as file:
            metadata = pq.read_metadata(file).metadata or {}
    if (source := metadata.get(SOURCE, b"").decode()) != _source(one):
        whose = f"made of {source}" if source else whose
        raise ValueError(f"{target} is {whose}; give another folder, or remove it")
    if metadata.get(NOTE) != state_of(one, options).encode():
        return None
    return metadata.get(DAMAGE, b"").decode().splitlines()


def _source(one: CrawlInput) -> str:
    return visible(in_utf8(os.path.abspath(one.name)))


# -- one input --------------------------------------------------------------------------------------------


def _decode_input(one: CrawlInput, options: RunOptions, output: Path) -> InputResult:
    """Make the output of an input.

    Raises:
        ImportError, OSError: no output can be made. Whatever is wrong with the input costs the input alone.
    """
    target, unfinished = output / one.target, failures_file(output).with_name(f"{os.getpid()}.unfinished")
    problems: list[str] = []
    count: Counter[bool] = Counter()
    rows = errors = 0
    batches = _decoded(one, options, problems, count)
    try:
        for note, schema in islice(batches, 1):  # none, where the input cannot be opened
            with (
                arrow_file(unfinished, "wb") as file,
                pq.ParquetWriter(file, schema, compression="zstd") as writer,
            ):
                for batch in batches:
                    rows += batch.num_rows
                    errors += batch.num_rows - batch["error_code"].null_count
                    if batch.num_rows:
                        writer.write_batch(batch)
                damage = "\n".join(map(visible, problems))
                notes = {} if count[False] else {NOTE: note, DAMAGE: damage}
                writer.add_key_value_metadata({SOURCE: _source(one), **notes})
    except MemoryError:
        rows = errors = 0
        count[False] += 1
        problems.insert(0, NO_MEMORY)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(target)) from error
    if problems and not rows:
        return _without_rows(one, output, problems, count.total())
    target.parent.mkdir(parents=True, exist_ok=True)
    os.replace(unfinished, target)
    return InputResult(one.name, rows, errors, tuple(problems), count.total())


def _without_rows(one: CrawlInput, output: Path, problems: list[str], count: int) -> InputResult:
    """What became of an input that gave no row: an output of an earlier run stays."""
    if (output / one.target).exists():
        problems[0] += "; its output is that of an earlier run"
    return InputResult(one.name, 0, 0, tuple(problems), count)


def _decoded(
    one: CrawlInput, options: RunOptions, problems: list[str], count: Counter[bool]
) -> Iterator[Any]:
    """First the note and the schema of the output, then its record batches. Whatever the input raises ends
    them, and is one of its problems. They are counted, those of one record under True.

    Raises:
        ImportError: fastwarc is not installed.
    """

    def on_error(problem: str) -> None:
        count[problem.startswith(OF_RECORD)] += 1
        problems[PROBLEMS_KEPT - 1 :] = [problem]

    try:
        # The note is made before the input is read: what changes meanwhile is read again.
        yield state_of(one, options), output_schema(input_schema(one), **options.decoding)
        yield from decode_batches(read_rows(one, options, on_error), **options.decoding)
    except ImportError:
        raise
    except MemoryError:
        on_error(NO_MEMORY)
    except Exception as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        expected = isinstance(error, OSError | ValueError | TypeError | pa.ArrowException)
        on_error(reason if expected else f"{type(error).__name__}: {reason}")
    if more := count.total() - len(problems):
        problems.append(f"and {more:,} more")


# -- workers ----------------------------------------------------------------------------------------------


def _results(
    inputs: Sequence[CrawlInput], options: RunOptions, output: Path, jobs: int
) -> Iterator[InputResult]:
    """Decode the inputs, each in a process of a pool.

    Where one of the processes is killed, the inputs that were being read are read again, one at a time: what
    is killed then costs its input.
    """
    if jobs <= 1:
        yield from (_decode_input(one, options, output) for one in inputs)
        return
    waiting, alone = list(inputs), 0
    while waiting:
        some = waiting[: 1 if alone else None]
        try:
            for one, result in _in_pool(some, options, output, min(jobs, len(some))):
                waiting.remove(one)
                yield result
            alone = max(0, alone - 1)
        except BrokenProcessPool:
            if alone:
                yield _without_rows(waiting.pop(0), output, [KILLED], 1)
            alone = alone - 1 if alone else jobs  # they are given out in order, so the first ones were read


def _in_pool(
    inputs: Sequence[CrawlInput], options: RunOptions, output: Path, jobs: int
) -> Iterator[tuple[CrawlInput, InputResult]]:
    """Yield each input that is decoded, as soon as it is.

    The workers end with this process. They ignore Ctrl-C, which reaches the whole group.

    Raises:
        BrokenProcessPool: a worker was killed.
    """
    context = get_context("spawn")
    if hangup := getattr(signal, "SIGHUP", None):
        # The process that removes what others leave behind ignores Ctrl-C and SIGTERM by itself. Without this
        # a SIGHUP to the whole group ends it, and the next one writes errors for names it does not know.
        signal.pthread_sigmask(signal.SIG_BLOCK, {hangup})
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {hangup})
    pool = ProcessPoolExecutor(jobs, context, _start_worker)
    futures: dict[Future[InputResult], CrawlInput] = {}
    try:
        with _without_ctrl_c():  # they inherit it, from their first moment
            futures |= {pool.submit(_decode_input, one, options, output): one for one in inputs}
        while futures:
            done: list[Future[InputResult]] = []
            with suppress(TimeoutError):
                done.extend(as_completed(futures, timeout=SIGNAL_WAIT))
            for future in done:
                yield futures.pop(future), future.result()
    finally:
        for worker in active_children():  # there may be hours of work left
            worker.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C wait until the end. Ignored, it would be lost."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    def end_with_parent() -> None:
        if (parent := parent_process()) is not None:
            parent.join()
        os._exit(1)

    Thread(target=end_with_parent, daemon=True).start()
