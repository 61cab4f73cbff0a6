"""One unit of work: its rows are decoded into a Parquet file of its own, and counted."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from feedcharset.batch.binary_values import binary_values
from feedcharset.batch.crawl_inputs import Unit
from feedcharset.batch.crawl_tally import HEAD_LIMIT, Labels, Tally, labels_of
from feedcharset.batch.record_batches import decode_batches, output_schema
from feedcharset.batch.unit_rows import Advance, RunOptions, input_schema, unit_rows
from feedcharset.results.explanation import visible

__all__ = ["BAD_COLUMNS", "Part", "decode_unit", "finished_part", "is_abandoned", "part_paths"]

ROW_GROUP_BYTES = 32 << 20
"""Bytes of a row group before it is compressed: what a reader takes at once, and what a worker holds."""

DICTIONARY_COLUMNS = ("status", "content_type", "payload_type", "encoding", "rule", "error")
"""Columns of few values; a dictionary of texts would be built and thrown away."""

BAD_COLUMNS = ("input", "row", "record", "url", "rule", "error")
"""The table of bad records: the file, the row of the output, an id, and why."""

ID_COLUMNS = ("record_id", "id", "path")
"""Columns by which a row is found again, the first that there is."""

_TEMPORARY = re.compile(r"\..+\.(?:parquet|tsv|json)\.([0-9]{1,10})")


class Interrupted(Exception):
    """The run was stopped."""


class UnwritableError(RuntimeError):
    """A part cannot be written: no later part can. (An input that cannot be read is an OSError.)"""


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UnwritableError(f"{path}: {error.strerror or error}") from error


class Part(NamedTuple):
    """What a unit came to."""

    key: str
    rows: int
    tally: Tally
    problems: tuple[str, ...]
    """Damage of the input itself, one sentence each."""


def part_paths(folder: Path, key: str) -> tuple[Path, Path, Path]:
    """The rows, the bad records and the counts of a unit. The counts are written last."""
    return folder / f"{key}.parquet", folder / f"_{key}.bad.tsv", folder / f"_{key}.json"


def is_abandoned(path: Path) -> bool:
    """Whether a file was being written by a process that there is no more."""
    match = _TEMPORARY.fullmatch(path.name)
    if match is None:
        return False
    if sys.platform == "win32":
        return True  # there, a file that is open is not removed
    try:
        os.kill(int(match[1]), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return int(match[1]) == os.getpid()


def finished_part(folder: Path, key: str) -> Part | None:
    """The part of an earlier run, where it is complete."""
    rows, _, counts = part_paths(folder, key)
    if not (rows.exists() and counts.exists()):
        return None
    values = json.loads(counts.read_text(encoding="utf-8"))
    return Part(key, values["rows"], Tally.from_dict(values["tally"]), tuple(values["problems"]))


def decode_unit(
    unit: Unit, options: RunOptions, folder: Path, advance: Advance, stopped: Callable[[], bool]
) -> Part:
    """Decode a unit into the folder. Nothing is left there where it does not come to its end.

    Args:
        unit, options: what is read, and how.
        folder: where the part is written.
        advance: called with a number of bytes, `unit.size` in all.
        stopped: called often; whether the run was stopped.

    Raises:
        OSError, ValueError: the input cannot be read at all.
        UnwritableError: the part cannot be written.
        Interrupted: `stopped()` was true.
    """
    paths = part_paths(folder, unit.key)
    temporary = [path.with_name(f".{path.name}.{os.getpid()}") for path in paths]
    problems: list[str] = []
    done = 0

    def step(size: int) -> None:
        nonlocal done
        if stopped():
            raise Interrupted
        size = min(size, unit.size - done)  # a file may grow
        done += size
        advance(size)

    try:
        writer = _PartWriter(unit, options, temporary[0], temporary[1])
        with writer:
            for piece in _decoded(unit, options, problems.append, step):
                writer.write(piece)
        part = Part(unit.key, writer.rows, writer.tally, tuple(problems))
        advance(unit.size - done)
        values = {"rows": part.rows, "tally": part.tally.as_dict(), "problems": problems}
        with _writing(folder):
            temporary[2].write_text(json.dumps(values), encoding="utf-8")
            for source, target in zip(temporary, paths, strict=True):
                os.replace(source, target)
    finally:
        for path in temporary:
            path.unlink(missing_ok=True)
    return part


class _Piece(NamedTuple):
    """Decoded rows, and of each what its body was like."""

    rows: pa.RecordBatch
    labels: list[Labels]
    sizes: list[int]


def _decoded(
    unit: Unit, options: RunOptions, on_error: Callable[[str], object], step: Advance
) -> Iterator[_Piece]:
    columns: dict[str, Any] = {
        "body": options.body,
        "content_type": options.content_type,
        "keep_body": options.keep_body,
        "max_bytes": options.max_bytes,
        "ratio": options.ratio,
    }
    for batch in unit_rows(unit, options, on_error, step):
        labels, sizes = _labels(batch, options)
        at = 0
        for rows in decode_batches([batch], **columns, **dict(options.decoding)):
            step(0)
            end = at + rows.num_rows
            yield _Piece(rows, labels[at:end], sizes[at:end])
            at = end


def _labels(batch: pa.RecordBatch, options: RunOptions) -> tuple[list[Labels], list[int]]:
    values = binary_values(batch[options.body])
    names = batch.schema.names
    types: list[str | None] = [None] * batch.num_rows
    if options.content_type in names:
        types = batch[options.content_type].to_pylist()
    found = []
    for row, content_type in enumerate(types):
        value = values.value(row)
        head = b"" if value is None else bytes(value[:HEAD_LIMIT])
        found.append(labels_of(head, content_type))
    return found, list(values.lengths())


class _PartWriter:
    """Writes rows in row groups of ROW_GROUP_BYTES, and the bad ones to a table beside them."""

    def __init__(self, unit: Unit, options: RunOptions, rows: Path, bad: Path) -> None:
        self._unit = unit
        self._options = options
        self._folder = rows.parent
        schema = output_schema(
            input_schema(unit),
            body=options.body,
            content_type=options.content_type,
            keep_body=options.keep_body,
        )
        with _writing(self._folder):
            self._writer = pq.ParquetWriter(
                rows,
                schema,
                compression="zstd",
                use_dictionary=[name for name in DICTIONARY_COLUMNS if name in schema.names],
                write_statistics=[name for name in schema.names if name not in ("text", options.body)],
            )
            self._bad = bad.open("w", encoding="utf-8", newline="\n")
        self._held: list[pa.RecordBatch] = []
        self._size = 0
        self.rows = 0
        self.tally = Tally()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        with _writing(self._folder):
            try:
                if error[0] is None:
                    self._flush()
            finally:
                self._bad.close()
                self._writer.close()

    def write(self, piece: _Piece) -> None:
        """Add rows."""
        self._held.append(piece.rows)
        self._size += sum(piece.sizes)
        with _writing(self._folder):
            self._count(piece)
            if self._size >= ROW_GROUP_BYTES:
                self._flush()

    def _flush(self) -> None:
        if self._held:
            self._writer.write_table(pa.Table.from_batches(self._held))
        self._held, self._size = [], 0

    def _count(self, piece: _Piece) -> None:
        names = piece.rows.schema.names
        url = self._options.url if self._options.url in names else None
        known = next((name for name in ID_COLUMNS if name in names), None)
        columns = {name: piece.rows[name].to_pylist() for name in ("encoding", "rule", "repairs", "error")}
        columns["url"] = piece.rows[url].to_pylist() if url else [None] * len(piece.rows)
        for number, (labels, size) in enumerate(zip(piece.labels, piece.sizes, strict=True)):
            row = {name: column[number] for name, column in columns.items()}
            self.tally.add(row, labels, size)
            if row["error"] is not None:
                found = piece.rows[known][number].as_py() if known else ""
                place = (self._unit.paths[0] if len(self._unit.paths) == 1 else "", self.rows + number, found)
                self._bad.write(_line([*place, row["url"], row["rule"], row["error"]]))
        self.rows += piece.rows.num_rows


def _line(values: list[Any]) -> str:
    """A line of a table: tabs, line ends and what acts on a terminal are escaped."""
    return "\t".join("" if value is None else visible(str(value)) for value in values) + "\n"
