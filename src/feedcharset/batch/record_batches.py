"""`decode_batch` and `decode_batches`: record batches and tables with the output columns appended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar, Unpack

import pyarrow as pa

from feedcharset.batch.arrays import append_rows, decode_arrays, row_decoder
from feedcharset.batch.binary_values import binary_values, check_body_type, is_large
from feedcharset.batch.content_types import content_types
from feedcharset.batch.output_columns import SCHEMA, OutputColumns
from feedcharset.batch.row_decoder import RowDecoder
from feedcharset.batch.row_limits import MAX_BYTES, RATIO
from feedcharset.text.options import DecoderOptions

__all__ = ["BODY", "CONTENT_TYPE", "PIECE", "decode_batch", "decode_batches", "output_schema"]

BODY = "body"
CONTENT_TYPE = "content_type"

PIECE = 8 << 20
"""Bytes of bodies that are decoded at once: some hundred documents of 18 KB, and little memory."""

MAX_BYTES_OF_STRING = 512 << 20
"""Bytes of a body whose text fits into a column of type string: a byte becomes three bytes of UTF-8 at most,
and Arrow counts them with 31 bits."""

Batch = TypeVar("Batch", pa.RecordBatch, pa.Table)


def decode_batch(
    batch: Batch,
    *,
    body: str = BODY,
    content_type: str | None = CONTENT_TYPE,
    keep_body: bool = False,
    max_bytes: int = MAX_BYTES,
    ratio: int = RATIO,
    **options: Unpack[DecoderOptions],
) -> Batch:
    """Decode the documents of a record batch or table; the columns of `SCHEMA` are appended.

    Args:
        batch: a record batch or a table. Its other columns and its metadata pass through.
        body: the column of the documents' bytes.
        content_type: the column of the Content-Type values. None, or no column of the default name: the
            transport said nothing.
        keep_body: keep the column of the bytes.
        max_bytes, ratio, options: as in `decode_arrays`.

    Returns:
        The same kind with the same rows. A table's new columns come in chunks of about 8 MB of bodies.

    Raises:
        TypeError: the body column holds no bytes.
        ValueError: no such column; a column of the output's names exists already; an option that makes no
            sense.
    """
    job = _Job(body, content_type, keep_body, row_decoder(max_bytes, ratio, options))
    schema = job.schema(batch.schema)
    if isinstance(batch, pa.Table):
        pieces = [piece for part in batch.to_batches() for piece in job.pieces(part)]
        return pa.Table.from_batches(pieces, schema)
    types = batch[content_type] if content_type in batch.schema.names else None
    return job.append(batch, decode_arrays(batch[body], types, max_bytes=max_bytes, ratio=ratio, **options))


def decode_batches(
    batches: Iterable[pa.RecordBatch],
    *,
    body: str = BODY,
    content_type: str | None = CONTENT_TYPE,
    keep_body: bool = False,
    max_bytes: int = MAX_BYTES,
    ratio: int = RATIO,
    **options: Unpack[DecoderOptions],
) -> Iterator[pa.RecordBatch]:
    """Decode a stream of record batches in constant memory: Spark's `mapInArrow`.

    The arguments are those of `decode_batch`. The batches that come out hold about 8 MB of bodies, so one
    batch may become several; the rows keep their order.

    Raises:
        As `decode_batch`, at the first batch.
    """
    job = _Job(body, content_type, keep_body, row_decoder(max_bytes, ratio, options))
    return _decoded(batches, job)


def _decoded(batches: Iterable[pa.RecordBatch], job: _Job) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        job.schema(batch.schema)
        yield from job.pieces(batch)


class _Job:
    """What is done to each batch: the names of its columns, and the decoder of its rows."""

    def __init__(self, body: str, content_type: str | None, keep_body: bool, decoder: RowDecoder) -> None:
        self._body = body
        self._content_type = content_type
        self._keep_body = keep_body
        self._decoder = decoder

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """The schema of the batches that come out of batches of a schema, which is checked."""
        found = output_schema(
            schema, body=self._body, content_type=self._content_type, keep_body=self._keep_body
        )
        most = self._decoder.max_bytes
        if found.field("text").type == pa.string() and most > MAX_BYTES_OF_STRING:
            raise ValueError(
                f"max_bytes={most}: the text of more than {MAX_BYTES_OF_STRING} bytes may not fit into a "
                "column of type string; pass the bodies as large_binary"
            )
        return found

    def pieces(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """The batch with its output columns, about 8 MB of bodies at a time."""
        large = is_large(batch[self._body].type)
        lengths = binary_values(batch[self._body]).lengths()
        for start, stop in piece_ranges(lengths):
            piece = batch.slice(start, stop - start)
            types = piece[self._content_type] if self._content_type in piece.schema.names else None
            columns = OutputColumns(sum(lengths[start:stop]))
            values = binary_values(piece[self._body])
            append_rows(columns, values, content_types(types, len(piece)), self._decoder)
            yield self.append(piece, columns.finish(large))

    def append(self, batch: pa.RecordBatch, added: pa.StructArray) -> pa.RecordBatch:
        """The batch with the fields of a struct array as further columns."""
        kept = [name for name in batch.schema.names if self._keep_body or name != self._body]
        fields = [*(batch.schema.field(name) for name in kept), *added.type]
        arrays = [*(batch[name] for name in kept), *added.flatten()]
        return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields, batch.schema.metadata))


def output_schema(
    schema: pa.Schema, *, body: str = BODY, content_type: str | None = CONTENT_TYPE, keep_body: bool = False
) -> pa.Schema:
    """The schema that `decode_batches` gives for batches of a schema.

    Raises:
        TypeError, ValueError: as `decode_batch`.
    """
    missing = [name for name in (body, content_type) if name not in (*schema.names, CONTENT_TYPE, None)]
    if missing:
        raise ValueError(f"no column {missing[0]!r}; there are {', '.join(schema.names)}")
    taken = [name for name in SCHEMA.names if name in schema.names]
    if taken:
        raise ValueError(f"a column {taken[0]!r} exists already; rename it, or drop it first")
    check_body_type(schema.field(body).type)
    text = pa.field("text", pa.large_string() if is_large(schema.field(body).type) else pa.string())
    kept = [field for field in schema if keep_body or field.name != body]
    return pa.schema([*kept, text, *list(SCHEMA)[1:]], schema.metadata)


def piece_ranges(lengths: Iterable[int], most: int = PIECE) -> Iterator[tuple[int, int]]:
    """Row ranges whose bodies have about `most` bytes; one at least, so that an empty batch stays one."""
    start = row = size = 0
    for row, length in enumerate(lengths, 1):
        size += length
        if size >= most:
            yield start, row
            start, size = row, 0
    if start < row or row == 0:
        yield start, row
