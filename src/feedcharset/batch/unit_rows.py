"""The rows of a unit of work as record batches, before they are decoded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from feedcharset.batch.binary_values import binary_values
from feedcharset.batch.counted_stream import CountedStream
from feedcharset.batch.crawl_inputs import Unit
from feedcharset.batch.record_batches import BODY, CONTENT_TYPE
from feedcharset.batch.row_conditions import all_of
from feedcharset.batch.row_limits import MAX_BYTES, RATIO
from feedcharset.batch.warc import BATCH_BYTES, WARC_SCHEMA, read_warc
from feedcharset.batch.xml_selection import HEAD_BYTES, Candidate

__all__ = ["FILE_SCHEMA", "Advance", "RunOptions", "input_schema", "unit_rows"]

FILE_SCHEMA = pa.schema([pa.field("path", pa.string()), pa.field(BODY, pa.binary())])
"""The columns of XML files."""

ErrorHandler = Callable[[str], object]
Advance = Callable[[int], object]


class RunOptions(NamedTuple):
    """How each unit is read and decoded. Picklable: it goes to the workers."""

    where: tuple[str, ...] = ()
    """Conditions, all of which a row must meet. None: of an archive what looks like XML, else every row."""
    body: str = BODY
    content_type: str | None = CONTENT_TYPE
    url: str = "url"
    """The columns of Parquet files."""
    keep_body: bool = False
    max_bytes: int = MAX_BYTES
    ratio: int = RATIO
    decoding: tuple[tuple[str, Any], ...] = ()
    """Options of `decode`."""


def input_schema(unit: Unit) -> pa.Schema:
    """The columns of the rows of a unit."""
    if unit.kind == "warc":
        return WARC_SCHEMA
    if unit.kind == "xml":
        return FILE_SCHEMA
    return pq.read_schema(unit.paths[0])


def unit_rows(
    unit: Unit, options: RunOptions, on_error: ErrorHandler, advance: Advance
) -> Iterator[pa.RecordBatch]:
    """Read a unit.

    Args:
        unit: what is read.
        options: with the conditions and the names of the columns.
        on_error: called with a sentence for each damaged place, and each file that cannot be read.
        advance: called with the number of bytes that were read, while they are; `unit.size` in all. What it
            raises ends the reading.
    """
    if unit.kind == "warc":
        wanted = all_of(options.where)
        with open(unit.paths[0], "rb", buffering=0) as file:
            counted: Any = CountedStream(file, advance)
            yield from read_warc(counted, wanted=wanted, max_bytes=options.max_bytes, on_error=on_error)
        return
    batches = _files(unit, options, on_error, advance) if unit.kind == "xml" else _row_groups(unit, advance)
    for batch in batches:
        yield _taken(batch, options) if options.where else batch


def _files(
    unit: Unit, options: RunOptions, on_error: ErrorHandler, advance: Advance
) -> Iterator[pa.RecordBatch]:
    rows: list[tuple[str, bytes]] = []
    size = 0
    for path in unit.paths:
        try:
            with open(path, "rb") as file:
                data = file.read(options.max_bytes + 1)
        except OSError as error:
            on_error(f"{path}: {error.strerror}")
            continue
        rows.append((path.encode("utf-8", "replace").decode(), data))
        size += len(data)
        advance(len(data))
        if size >= BATCH_BYTES:
            yield _file_batch(rows)
            rows, size = [], 0
    if rows:
        yield _file_batch(rows)


def _file_batch(rows: list[tuple[str, bytes]]) -> pa.RecordBatch:
    paths, bodies = zip(*rows, strict=True)
    return pa.record_batch([pa.array(paths, pa.string()), pa.array(bodies, pa.binary())], schema=FILE_SCHEMA)


def _row_groups(unit: Unit, advance: Advance) -> Iterator[pa.RecordBatch]:
    with pq.ParquetFile(unit.paths[0]) as file:
        for number in unit.row_groups:
            group = file.metadata.row_group(number)
            rows = max(1, group.num_rows * BATCH_BYTES // max(group.total_byte_size, 1))
            for batch in file.iter_batches(batch_size=min(rows, group.num_rows or 1), row_groups=[number]):
                yield batch
                advance(group.total_byte_size * batch.num_rows // group.num_rows)


def _taken(batch: pa.RecordBatch, options: RunOptions) -> pa.RecordBatch:
    """The rows that meet the conditions."""
    wanted = all_of(options.where)
    names = batch.schema.names
    url = options.url if options.url in names else "path"
    urls, types, states = (
        batch[name].to_pylist() if name in names else [None] * len(batch)
        for name in (url, options.content_type, "status")
    )
    heads = _heads(batch[options.body])
    rows = zip(urls, states, types, heads, strict=True)
    mask = [wanted(Candidate(url, status, kind or "", None, head)) for url, status, kind, head in rows]
    return batch.filter(pa.array(mask, pa.bool_()))


def _heads(bodies: pa.Array) -> Iterator[bytes]:
    values = binary_values(bodies)
    for row in range(len(bodies)):
        value = values.value(row)
        yield b"" if value is None else bytes(value[:HEAD_BYTES])
