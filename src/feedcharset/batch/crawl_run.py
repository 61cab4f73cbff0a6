"""A run of `feedcharset batch`: each input becomes one Parquet file of its name in the output folder.

An output is written beside the folder and renamed into it when it is complete, with a note in its metadata of
what it was made of: the input's size and time of change, and the options. A run skips the outputs whose note
is true, makes the others anew, and leaves nothing else in the folder. So the same command goes on where a run
broke off, at whatever moment; and it tries again what could not be read wholly, which has no note.

Beside the folder OUT stands OUT.run while a run works: its lock, and the file that is being written. What
could not be read is listed there in failures.tsv, which stays. (In the folder itself an engine would take
them for data: Polars and Daft read every file of a folder.)
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from feedcharset.batch.arrays import decode_batches, output_schema
from feedcharset.batch.crawl_inputs import CrawlInput, RunOptions, input_schema, read_rows, state_of
from feedcharset.results.explanation import visible

__all__ = ["FAILURES", "InputResult", "OtherRunError", "RunOutcome", "run_crawl", "work_folder"]

NOTE = b"feedcharset.made_of"
"""The key of the note in the metadata of an output."""

FAILURES = "failures.tsv"

PROBLEMS_KEPT = 100
"""Problems of one input that are listed; further ones are counted."""

ROW_GROUP_BYTES = 32 << 20
"""Bytes of a row group before it is compressed: what a reader takes at once, and what a worker holds."""

DICTIONARY_COLUMNS = (
    "status",
    "content_type",
    "payload_type",
    "encoding",
    "declared",
    "rule",
    "error_code",
    "error",
)
"""Columns of few values; a dictionary of texts would be built and thrown away."""


class OtherRunError(ValueError):
    """Another run writes to the output folder."""


class UnwritableError(RuntimeError):
    """An output cannot be written: no other can. (An input that cannot be read is an OSError.)"""


class InputResult(NamedTuple):
    """What became of an input."""

    name: str
    rows: int
    errors: int
    """Rows with an error."""
    problems: tuple[str, ...]
    """Damage of the input itself, one sentence each."""
    written: bool
    """False: it cannot be read at all."""


class RunOutcome(NamedTuple):
    """What a run came to."""

    written: int
    kept: int
    """Outputs of an earlier run that were left as they are."""
    failed: int
    """Inputs that could not be read, or not wholly."""


def work_folder(output: Path) -> Path:
    """Where a run keeps what is no output."""
    return output.with_name(output.name + ".run")


def run_crawl(
    inputs: Sequence[CrawlInput],
    options: RunOptions,
    output: Path,
    *,
    jobs: int,
    report: Callable[[InputResult, int, int], object],
) -> RunOutcome:
    """Make the outputs that there are not.

    Args:
        inputs: what is decoded.
        options: how.
        output: the folder, an absolute path. It is made where it does not exist.
        jobs: processes; 1: this one.
        report: called for each input when it is done, with its number and the count of those to do.

    Raises:
        OtherRunError: another run writes to the folder.
        ImportError: fastwarc is not installed, and there are archives.
        OSError, UnwritableError: the output cannot be written.
        RuntimeError: a worker was killed.
    """
    output.mkdir(parents=True, exist_ok=True)
    if output.stat().st_dev != output.parent.stat().st_dev:
        raise ValueError(
            f"{output} is a file system of its own; give a folder in it, such as {output / 'feeds'}"
        )
    work = work_folder(output)
    failed: list[InputResult] = []
    written = 0
    with _locked(work):
        try:
            _remove_unfinished(work)
            waiting = [one for one in inputs if not _is_made(one, options, output)]
            for result in _results(waiting, options, output, min(jobs, len(waiting))):
                written += result.written
                if result.problems:
                    failed.append(result)
                report(result, written + sum(not one.written for one in failed), len(waiting))
        finally:
            _remove_unfinished(work)
            _write_failures(work / FAILURES, failed)
    return RunOutcome(written, len(inputs) - len(waiting), len(failed))


def _is_made(one: CrawlInput, options: RunOptions, output: Path) -> bool:
    """Whether the output is there, and was made of the input as it is, with these options."""
    try:
        metadata = pq.read_metadata(output / one.target).metadata
        return bool(metadata and metadata.get(NOTE) == state_of(one, options).encode())
    except (OSError, pa.ArrowException):
        return False


def _write_failures(path: Path, failed: Sequence[InputResult]) -> None:
    path.unlink(missing_ok=True)
    if failed:
        lines = [f"{visible(one.name)}\t{visible(why)}\n" for one in failed for why in one.problems]
        path.write_text("input\tproblem\n" + "".join(lines), encoding="utf-8")


# -- one input --------------------------------------------------------------------------------------------


def _decode_input(one: CrawlInput, options: RunOptions, output: Path) -> InputResult:
    """Make the output of an input.

    Raises:
        UnwritableError, ImportError: no output can be made. Whatever else goes wrong costs this input.
    """
    target = output / one.target
    unfinished = work_folder(output) / f"{os.getpid()}.unfinished"
    problems: list[str] = []
    count = 0

    def on_error(problem: str) -> None:
        nonlocal count
        count += 1
        if count <= PROBLEMS_KEPT:
            problems.append(problem)

    rows = errors = 0
    try:
        state = state_of(one, options)  # before it is read: what changes meanwhile is read again
        columns = options.decoded_columns()
        schema = output_schema(input_schema(one), **columns)
        with _OutputWriter(unfinished, schema) as writer:
            for batch in decode_batches(read_rows(one, options, on_error), **columns):
                rows += batch.num_rows
                errors += batch.num_rows - batch["error_code"].null_count
                writer.write(batch)
            if count > PROBLEMS_KEPT:
                problems.append(f"and {count - PROBLEMS_KEPT} more")
            if problems and not rows:
                return InputResult(one.name, 0, 0, tuple(problems), written=False)
            writer.finish({} if problems else {NOTE: state})
        with _writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(unfinished, target)
    except (UnwritableError, ImportError):
        raise
    except Exception as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        expected = isinstance(error, OSError | ValueError | TypeError | pa.ArrowException)
        problems.append(reason if expected else f"{type(error).__name__}: {reason}")
        return InputResult(one.name, rows, errors, tuple(problems), written=False)
    return InputResult(one.name, rows, errors, tuple(problems), written=True)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UnwritableError(f"{path}: {error.strerror or error}") from error


class _OutputWriter:
    """Writes rows in row groups of ROW_GROUP_BYTES."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._path = path
        large = ("text", *(field.name for field in schema if pa.types.is_binary(field.type)))
        with _writing(path):
            self._writer = pq.ParquetWriter(
                path,
                schema,
                compression="zstd",
                use_dictionary=[name for name in DICTIONARY_COLUMNS if name in schema.names],
                write_statistics=[name for name in schema.names if name not in large],
            )
        self._held: list[pa.RecordBatch] = []
        self._size = 0

    def __enter__(self) -> _OutputWriter:
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(OSError):
            self._writer.close()

    def write(self, batch: pa.RecordBatch) -> None:
        """Add rows."""
        self._held.append(batch)
        self._size += batch.nbytes
        if self._size >= ROW_GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._held:
            with _writing(self._path):
                self._writer.write_table(pa.Table.from_batches(self._held))
        self._held, self._size = [], 0

    def finish(self, metadata: dict[bytes, str]) -> None:
        """Write what is left, and the metadata."""
        self._flush()
        with _writing(self._path):
            self._writer.add_key_value_metadata(metadata)
            self._writer.close()


# -- the lock ---------------------------------------------------------------------------------------------


@contextmanager
def _locked(work: Path) -> Iterator[None]:
    """Hold the lock of a run. The system frees it when the process ends, however it ends."""
    path = work / "lock"
    file = None
    while file is None:
        work.mkdir(exist_ok=True)
        with suppress(FileNotFoundError):  # a run that ended has removed it
            file = _opened_lock(path)
    try:
        yield
    finally:
        with suppress(OSError):  # failures are listed in the folder; on Windows an open file is not removed
            path.unlink()
            work.rmdir()
        file.close()


def _opened_lock(path: Path) -> Any:
    """The lock file, locked; None where another run removed it meanwhile.

    Raises:
        OtherRunError: another process holds the lock.
    """
    file = open(path, "ab")  # noqa: SIM115 - it is closed when the run ends
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
            return file
    except (BlockingIOError, PermissionError):
        file.close()
        folder = path.parent.name.removesuffix(".run")
        raise OtherRunError(f"another run writes to {folder}; wait for its end") from None
    except BaseException:
        file.close()
        raise
    file.close()
    return None


def _remove_unfinished(work: Path) -> None:
    for path in work.glob("*.unfinished"):
        path.unlink(missing_ok=True)


# -- workers ----------------------------------------------------------------------------------------------


def _results(
    inputs: Sequence[CrawlInput], options: RunOptions, output: Path, jobs: int
) -> Iterator[InputResult]:
    """Decode the inputs, each in a process of a pool.

    The workers end with this process: each has the end of a pipe whose other end is open here alone.
    """
    if jobs <= 1:
        yield from (_decode_input(one, options, output) for one in inputs)
        return
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, context, _start_worker, (theirs,))
    try:
        with _without_interrupts():
            futures = [pool.submit(_decode_input, one, options, output) for one in inputs]
        for future in as_completed(futures):
            yield future.result()
    except BrokenProcessPool:
        raise RuntimeError(
            "a worker process was killed, perhaps for want of memory; the same command continues where it "
            "stopped, and fewer --jobs need less memory"
        ) from None
    finally:
        ours.close()  # after a failure there may be hours of work left
        pool.shutdown(wait=True, cancel_futures=True)
        theirs.close()


def _start_worker(parent: Any) -> None:
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches the whole group; the parent ends the workers
    Thread(target=_end_with_parent, args=(parent,), daemon=True).start()


def _end_with_parent(parent: Any) -> None:
    with suppress(EOFError, OSError):
        parent.recv_bytes()
    os._exit(1)


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
