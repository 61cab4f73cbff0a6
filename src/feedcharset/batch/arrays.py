"""Documents in Arrow data: a column, a record batch, a table or a stream of batches is decoded, row by row.

The work goes in pieces of about 8 MB, so that what is held besides the input is bounded by the piece. A row
that cannot be decoded is a row with an error; arguments that make no sense and want of memory raise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import accumulate, chain
from operator import methodcaller
from typing import Any, TypeVar, Unpack

import pyarrow as pa

from feedcharset.batch.row_decoder import BODY_LIMIT, GZIP_GROWTH, DecodedRow, RowDecoder
from feedcharset.text.options import DecoderOptions

BODY = "body"
CONTENT_TYPE = "content_type"
CODING_ERROR = "coding_error"
"""A column of `read_warc`: what is wrong with a body whose coding was removed. It becomes the row's error."""

SCHEMA = pa.schema(
    {
        "text": pa.string(),
        "encoding": pa.string(),
        "declared": pa.string(),
        "rule": pa.string(),
        "repairs": pa.int64(),
        "error_code": pa.string(),
        "error": pa.string(),
    }
)
"""What is added to each row: the text; the encoding it was read in; the label in its XML declaration; the
rule that decided; the number of repaired places; an `ErrorCode` and a sentence where there is no text, or not
all of it. `text` is large_string where the bodies are large_binary."""


BYTES_AT_ONCE = 8 << 20
"""Bytes of bodies in a piece, at least: some hundred documents of 18 KB, and little memory."""

TEXT_BYTES_AT_ONCE = 2 * BYTES_AT_ONCE
"""Bytes of text in a piece, where it has several rows: bodies that are gzip grow."""

STRING_LIMIT = 2**31 - 1
"""Bytes of text in one array of type string: Arrow counts them with 31 bits."""

MAX_BYTES_OF_STRING = 512 << 20
"""Bytes of a body whose text fits into an array of type string with a piece before it: a byte becomes three
bytes of UTF-8 at most."""

Batch = TypeVar("Batch", pa.RecordBatch, pa.Table)


def decode_arrays(
    body: pa.Array | pa.ChunkedArray,
    content_type: pa.Array | pa.ChunkedArray | str | None = None,
    *,
    max_bytes: int = BODY_LIMIT,
    ratio: int = GZIP_GROWTH,
    **options: Unpack[DecoderOptions],
) -> pa.StructArray:
    """Decode a column of documents.

    Args:
        body: the documents as received: binary, large_binary, binary_view, or a dictionary or an extension
            type of one of them. A body that is gzip is unpacked.
        content_type: the Content-Type field's values, one for each body; a str: the same for all; None: the
            transport said nothing.
        max_bytes: bytes of one body, packed or unpacked.
        ratio: bytes out for each byte of gzip in, after the first MiB.
        options: those of `decode`.

    Returns:
        A struct for each row, with the fields of `SCHEMA`: text, encoding, declared, rule, repairs,
        error_code, error. A null body and an empty one give nulls. What cannot be decoded (too large, a gzip
        bomb, an image, refused with lenient=False) has null text and an error. Where gzip breaks off, an
        error stands beside the text up to there. `text` is large_string where `body` is large_binary, or the
        text is over 2 GiB.

    Raises:
        TypeError: the body column holds no bytes, or is no Arrow data.
        ValueError: an option that makes no sense, or columns of different lengths.
    """
    _check_kind(body, pa.Array, pa.ChunkedArray)
    return _decoded_whole(body, content_type, None, RowDecoder(max_bytes, ratio, options))


def _decoded_whole(body: Any, content_type: Any, damage: Any, decoder: RowDecoder) -> pa.StructArray:
    large = _is_large(body.type)
    size = len(body)
    columns = zip(strings_of(content_type, size), strings_of(damage, size, CODING_ERROR), strict=True)
    pieces: list[pa.StructArray] = []
    for chunk in body.chunks if isinstance(body, pa.ChunkedArray) else [body]:
        pieces += _decoded(chunk, columns, decoder, large)
    if not large and sum(piece.field("text").nbytes for piece in pieces) > STRING_LIMIT:
        pieces = [piece.cast(pa.struct(_added_fields(True))) for piece in pieces]
    return pa.concat_arrays(pieces) if pieces else _struct_array([], large)


def decode_batch(
    batch: Batch,
    *,
    body: str = BODY,
    content_type: str | None = CONTENT_TYPE,
    keep_body: bool = False,
    max_bytes: int = BODY_LIMIT,
    ratio: int = GZIP_GROWTH,
    **options: Unpack[DecoderOptions],
) -> Batch:
    """Decode the documents of a record batch or table; the columns of `SCHEMA` are appended.

    Args:
        batch: a record batch or a table. Its other columns and its metadata pass through, but `coding_error`
            of `read_warc`, which becomes the error of its row.
        body: the column of the documents' bytes.
        content_type: the column of the Content-Type values. None, or no column of the default name: the
            transport said nothing.
        keep_body: keep the column of the bytes.
        max_bytes, ratio, options: as in `decode_arrays`.

    Returns:
        The same kind with the same rows. A table's new columns come in chunks of about 8 MB of bodies.

    Raises:
        TypeError: the body column holds no bytes; a frame or a list, with the call that converts it.
        ValueError: no such column; two columns of one name; a column of the output's names exists already;
            an option that makes no sense.
    """
    _check_kind(batch, pa.RecordBatch, pa.Table)
    decoder = RowDecoder(max_bytes, ratio, options)
    schema = _joined_schema(batch.schema, body, content_type, keep_body)
    if isinstance(batch, pa.RecordBatch):
        types, damage = (_column(batch, name) for name in (content_type, CODING_ERROR))
        added = _decoded_whole(batch[body], types, damage, decoder)
        return _appended(batch, added, schema)
    parts = (_pieces(part, schema, body, content_type, decoder) for part in batch.to_batches())
    return pa.Table.from_batches(chain.from_iterable(parts), schema)


def decode_batches(
    batches: Iterable[pa.RecordBatch | pa.Table] | pa.RecordBatch | pa.Table,
    *,
    body: str = BODY,
    content_type: str | None = CONTENT_TYPE,
    keep_body: bool = False,
    max_bytes: int = BODY_LIMIT,
    ratio: int = GZIP_GROWTH,
    **options: Unpack[DecoderOptions],
) -> Iterator[pa.RecordBatch]:
    """Decode a stream of record batches in constant memory: Spark's `mapInArrow`.

    The arguments are those of `decode_batch`; a table, or several, will do as well. The batches that come
    out hold about 8 MB of bodies, so one batch may become several; the rows keep their order.

    Raises:
        As `decode_batch`: for the options at once, for the columns at the first batch.
    """
    decoder = RowDecoder(max_bytes, ratio, options)
    given: Any = [batches] if hasattr(type(batches), "columns") else batches  # one, or a frame
    if not isinstance(given, Iterable):
        raise TypeError(
            f"{type(given).__name__} is no stream: pass record batches, a table or dataset.to_batches()"
        )

    def decoded() -> Iterator[pa.RecordBatch]:
        for batch in given:
            _check_kind(batch, pa.RecordBatch, pa.Table)
            schema = _joined_schema(batch.schema, body, content_type, keep_body)
            for part in batch.to_batches() if isinstance(batch, pa.Table) else [batch]:
                yield from _pieces(part, schema, body, content_type, decoder)

    return decoded()


def output_schema(
    schema: pa.Schema,
    *,
    body: str = BODY,
    content_type: str | None = CONTENT_TYPE,
    keep_body: bool = False,
    max_bytes: int = BODY_LIMIT,
    ratio: int = GZIP_GROWTH,
    **options: Unpack[DecoderOptions],
) -> pa.Schema:
    """The schema of what `decode_batch` and `decode_batches` give for rows of a schema.

    An engine that plans before it runs needs it. The arguments are those of `decode_batch`, so that one dict
    of options serves both. (For more than 2 GiB of text in one batch `decode_batch` gives large_string.)

    Raises:
        TypeError, ValueError: as `decode_batch`.
    """
    RowDecoder(max_bytes, ratio, options)
    return _joined_schema(schema, body, content_type, keep_body)


def _pieces(
    batch: pa.RecordBatch, schema: pa.Schema, body: str, content_type: str | None, decoder: RowDecoder
) -> Iterator[pa.RecordBatch]:
    """The batch with its added columns, about 8 MB of bodies at a time."""
    large = _is_large(batch[body].type)
    if not large and decoder.max_bytes > MAX_BYTES_OF_STRING:
        raise ValueError(
            f"max_bytes={decoder.max_bytes}: the text of more than {MAX_BYTES_OF_STRING} bytes may not fit "
            "into a column of type string; pass the bodies as large_binary"
        )
    types = strings_of(_column(batch, content_type), len(batch), content_type or "")
    damage = strings_of(_column(batch, CODING_ERROR), len(batch), CODING_ERROR)
    done = 0
    for added in _decoded(batch[body], zip(types, damage, strict=True), decoder, large):
        yield _appended(batch.slice(done, len(added)), added, schema)
        done += len(added)


def _appended(batch: pa.RecordBatch, added: pa.StructArray, schema: pa.Schema) -> pa.RecordBatch:
    """The columns of the batch that the schema keeps, and the fields of a struct array."""
    kept = [batch[name] for name in schema.names[: -len(added.type)]]
    fields = [*list(schema)[: len(kept)], *added.type]  # the text may be longer than a string column takes
    return pa.RecordBatch.from_arrays([*kept, *added.flatten()], schema=pa.schema(fields, schema.metadata))


def _column(batch: pa.RecordBatch, name: str | None) -> pa.Array | None:
    return batch[name] if name in batch.schema.names else None


def _decoded(
    body: pa.Array, columns: Iterator[tuple[str | None, ...]], decoder: RowDecoder, large: bool
) -> Iterator[pa.StructArray]:
    """The added columns, piece by piece; of an empty array one empty piece, so that it stays one."""
    rows: list[DecodedRow] = []
    size = filled = 0
    for value, (content_type, damage) in zip(bodies(body), columns, strict=False):
        row = decoder.decode(value, content_type, damage)
        added = sum(map(len, row[0] or ()))
        filled += added
        if rows and (size >= BYTES_AT_ONCE or filled > TEXT_BYTES_AT_ONCE):
            yield _struct_array(rows, large)
            rows, size, filled = [], 0, added
        rows.append(row)
        size += 0 if value is None else value.size
    yield _struct_array(rows, large)


def _struct_array(rows: list[DecodedRow], large: bool) -> pa.StructArray:
    """The struct array of rows; large_string also where the text is longer than STRING_LIMIT.

    (Arrow's own builders copy each text twice, to fresh memory: a sixth of the time of decoding.)
    """
    texts, *columns = zip(*rows, strict=True) if rows else [()] * len(SCHEMA)
    ends = [0, *accumulate(sum(map(len, text or ())) for text in texts)]
    large = large or ends[-1] > STRING_LIMIT
    fields = _added_fields(large)
    data = pa.allocate_buffer(ends[-1])
    view = memoryview(data).cast("B")
    at = 0
    for part in chain.from_iterable(text or () for text in texts):
        view[at : at + len(part)] = part
        at += len(part)
    buffers = [
        pa.array([text is not None for text in texts], pa.bool_()).buffers()[1],
        pa.array(ends, pa.int64() if large else pa.int32()).buffers()[1],
        data,
    ]
    arrays = [pa.Array.from_buffers(fields[0].type, len(texts), buffers)]
    arrays += [pa.array(column, field.type) for field, column in zip(fields[1:], columns, strict=True)]
    return pa.StructArray.from_arrays(arrays, fields=fields)


# -- columns: their names, types and values ---------------------------------------------------------------


def _added_fields(large: bool) -> list[pa.Field]:
    """The fields of SCHEMA, `text` as large_string if `large`."""
    return [pa.field("text", pa.large_string()) if large else SCHEMA.field("text"), *list(SCHEMA)[1:]]


def _joined_schema(schema: pa.Schema, body: str, content_type: str | None, keep_body: bool) -> pa.Schema:
    """The schema of the rows that are decoded from rows of a schema.

    Raises:
        TypeError: a column of another type.
        ValueError: no such column, two columns of one name, or a column that has the name of an added one.
    """
    for name in schema.names:
        if (count := schema.names.count(name)) > 1:
            raise ValueError(f"{count} columns are named {name!r}; rename them, or drop all but one")
    for role, name in (("body", body), ("content_type", content_type)):
        if name not in schema.names and (role == "body" or name not in (None, CONTENT_TYPE)):
            raise ValueError(f"no column {name!r} for {role}=; there are {', '.join(schema.names)}")
    for name in SCHEMA.names:
        if name in schema.names:
            raise ValueError(f"a column {name!r} exists already; rename it, or drop it first")
    added = _added_fields(_is_large(schema.field(body).type))
    kept = [field for field in schema if field.name != CODING_ERROR and (keep_body or field.name != body)]
    return pa.schema([*kept, *added], schema.metadata)


_TEXT = (pa.string(), pa.large_string(), pa.string_view())
_BYTES = (pa.binary(), pa.large_binary(), pa.binary_view(), pa.null())


def _stored(kind: pa.DataType) -> pa.DataType:
    """The type of the values: of an extension type its storage, of a dictionary that of its values."""
    while isinstance(kind, pa.BaseExtensionType | pa.DictionaryType):
        kind = kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind.value_type
    return kind


def _is_large(kind: pa.DataType) -> bool:
    """Whether the offsets of a column of bytes have 64 bits.

    Raises:
        TypeError: it was decoded already, or is no binary column.
    """
    kind = _stored(kind)
    if kind in _TEXT:
        raise TypeError(
            f"the body is {kind}: it was decoded already, and its charset cannot be found any more; "
            "pass the bytes as they were received (binary, large_binary or binary_view)"
        )
    if not (kind in _BYTES or pa.types.is_fixed_size_binary(kind)):
        raise TypeError(f"the body is {kind}; pass binary, large_binary or binary_view")
    return bool(kind == pa.large_binary())


_TABLE_INSTEAD = {
    "pandas.DataFrame": "pyarrow.Table.from_pandas(frame, preserve_index=False)",
    "polars.DataFrame": "frame.to_arrow()",
    "polars.LazyFrame": "frame.collect().to_arrow(), or decode_arrays in an expression",
    "builtins.dict": "pyarrow.table(columns)",
    "builtins.list": "pyarrow.Table.from_pylist(rows)",
}
_COLUMN_INSTEAD = {
    "builtins.list": "pyarrow.array(values)",
    "pandas.Series": "pyarrow.array(series)",
    "polars.Series": "series.to_arrow()",
}
"""What to pass instead, by the package and the name of a type: for a table, and for a column."""


def _check_kind(value: object, *expected: type) -> None:
    """Refuse what is not of an Arrow type.

    Raises:
        TypeError: with the call that converts it.
    """
    if not isinstance(value, expected):
        kind = f"{type(value).__module__.partition('.')[0]}.{type(value).__name__}"
        names = " or ".join(f"pyarrow.{one.__name__}" for one in expected)
        instead = _COLUMN_INSTEAD if pa.Array in expected else _TABLE_INSTEAD
        raise TypeError(f"{kind} is no {names}; pass {instead.get(kind, 'Arrow data')}")


def _strings(array: pa.Array) -> list[str | None]:
    try:
        found = array.to_pylist()
    except UnicodeDecodeError:  # Arrow does not check that a string is UTF-8
        found = array.cast(pa.large_binary()).to_pylist()
    return [value.decode("latin-1") if isinstance(value, bytes) else value for value in found]


def values_of(array: pa.Array, read: Callable[[pa.Array], Iterable[Any]] = _strings) -> Iterable[Any]:
    """What `read` gives for an array. A dictionary is not unfolded: the rows share its values."""
    while isinstance(array, pa.ExtensionArray):
        array = array.storage
    if isinstance(array, pa.DictionaryArray):
        values = list(values_of(array.dictionary, read))
        return (None if row is None else values[row] for row in array.indices.to_pylist())
    return [None] * len(array) if pa.types.is_null(array.type) else read(array)


def bodies(array: pa.Array) -> Iterable[pa.Buffer | None]:
    """The values of an array of bytes, one by one and not copied; None for a null."""
    return values_of(array, partial(map, methodcaller("as_buffer")))


def strings_of(column: Any, size: int, name: str = CONTENT_TYPE) -> list[str | None]:
    """A string for each row: one for all rows, or a column of strings or of bytes.

    Raises:
        TypeError: a column of another type.
        ValueError: the column has not `size` rows.
    """
    if column is None or isinstance(column, str):
        return [column] * size
    _check_kind(column, pa.Array, pa.ChunkedArray)
    if len(column) != size:
        raise ValueError(f"{len(column)} values of {name} for {size} bodies; pass one for each")
    kind = _stored(column.type)
    if kind not in (*_TEXT, *_BYTES):
        raise TypeError(f"{name} is {kind}; pass strings")
    arrays = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return [value for array in arrays for value in values_of(array)]
