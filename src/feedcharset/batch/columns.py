"""The columns that are read and those that are added: their types, and what is refused before any row."""

from __future__ import annotations

from collections.abc import Iterable
from operator import methodcaller
from typing import Any, Literal, get_args

import pyarrow as pa

__all__ = [
    "BODY",
    "CONTENT_TYPE",
    "ERROR_CODES",
    "SCHEMA",
    "ErrorCode",
    "added_fields",
    "bodies",
    "check_column",
    "check_table",
    "content_types",
    "is_large",
    "joined_schema",
]

BODY = "body"
CONTENT_TYPE = "content_type"

ErrorCode = Literal["too-large", "gzip-ratio", "gzip-broken", "no-text", "refused", "undecodable", "failed"]
"""Why there is no text.

- `too-large`: the body, as received or unpacked, has more than `max_bytes`.
- `gzip-ratio`: gzip grows more than `ratio`.
- `gzip-broken`: gzip is damaged or cut off; with lenient=False. (Lenient reading takes what there is.)
- `no-text`: an image, a PDF document, an archive, audio or video.
- `refused`: the rules have no answer; with lenient=False.
- `undecodable`: bytes that do not decode; with errors="strict", the default of lenient=False.
- `failed`: anything else, such as an exception of the caller's detector.
"""

ERROR_CODES: tuple[str, ...] = get_args(ErrorCode)

SCHEMA = pa.schema(
    [
        pa.field("text", pa.string()),
        pa.field("encoding", pa.string()),
        pa.field("declared", pa.string()),
        pa.field("rule", pa.string()),
        pa.field("repairs", pa.int64()),
        pa.field("error_code", pa.string()),
        pa.field("error", pa.string()),
    ]
)
"""What is added to each row: the text; the encoding it was read in; the label in its XML declaration; the
rule that decided; the number of repaired places; an `ErrorCode` and a sentence where there is no text. `text`
is large_string where the bodies are large_binary."""


def added_fields(large: bool) -> list[pa.Field]:
    """The fields of SCHEMA, `text` as large_string if `large`."""
    return [pa.field("text", pa.large_string()) if large else SCHEMA.field("text"), *list(SCHEMA)[1:]]


def joined_schema(schema: pa.Schema, body: str, content_type: str | None, keep_body: bool) -> pa.Schema:
    """The schema of the rows that are decoded from rows of a schema.

    Raises:
        TypeError: a column of another type.
        ValueError: no such column, two columns of one name, or a column that has the name of an added one.
    """
    for name in schema.names:
        if (count := schema.names.count(name)) > 1:
            raise ValueError(f"{count} columns are named {name!r}; rename them, or drop all but one")
    for wanted in (body, content_type):
        if wanted not in (*schema.names, CONTENT_TYPE, None):
            raise ValueError(f"no column {wanted!r}; there are {', '.join(schema.names)}")
    if body not in schema.names:
        raise ValueError(f"no column {body!r}; there are {', '.join(schema.names)}")
    if taken := [name for name in SCHEMA.names if name in schema.names]:
        raise ValueError(f"a column {taken[0]!r} exists already; rename it, or drop it first")
    _check_body_type(schema.field(body).type)
    kept = [field for field in schema if keep_body or field.name != body]
    return pa.schema([*kept, *added_fields(is_large(schema.field(body).type))], schema.metadata)


# -- types ------------------------------------------------------------------------------------------------


def _stored(kind: pa.DataType) -> pa.DataType:
    """The type of the values: of an extension type its storage, of a dictionary that of its values."""
    while True:
        if isinstance(kind, pa.BaseExtensionType):
            kind = kind.storage_type
        elif pa.types.is_dictionary(kind):
            kind = kind.value_type
        else:
            return kind


def is_large(kind: pa.DataType) -> bool:
    """Whether offsets have 64 bits."""
    return bool(pa.types.is_large_binary(_stored(kind)))


def _is_text(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _is_bytes(kind: pa.DataType) -> bool:
    types = pa.types
    fixed = types.is_fixed_size_binary(kind)
    return bool(types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind) or fixed)


def _check_body_type(kind: pa.DataType) -> None:
    kind = _stored(kind)
    if _is_text(kind):
        raise TypeError(
            f"the body is {kind}: it was decoded already, and its charset cannot be found any more; "
            "pass the bytes as they were received (binary, large_binary or binary_view)"
        )
    if not (_is_bytes(kind) or pa.types.is_null(kind)):
        raise TypeError(f"the body is {kind}; pass binary, large_binary or binary_view")


# -- what is no Arrow data --------------------------------------------------------------------------------

_TABLES = {
    "pandas.DataFrame": "pyarrow.Table.from_pandas(frame, preserve_index=False)",
    "polars.DataFrame": "frame.to_arrow()",
    "polars.LazyFrame": "frame.collect().to_arrow(), or decode_batch in its map_batches",
    "builtins.list": "pyarrow.Table.from_pylist(rows)",
    "builtins.dict": "pyarrow.table(columns)",
}
_COLUMNS = {
    "pandas.Series": "pyarrow.array(series, pyarrow.binary()) for bodies, pyarrow.array(series) for strings",
    "polars.Series": "series.to_arrow()",
}
"""What to pass instead, by the package and the name of a type."""


def _kind(value: object) -> str:
    return f"{type(value).__module__.partition('.')[0]}.{type(value).__name__}"


def check_table(value: object, *expected: type) -> None:
    """Refuse what is no record batch or table.

    Raises:
        TypeError: with the call that converts it.
    """
    if not isinstance(value, expected):
        if isinstance(value, pa.Table):
            instead = "table.to_batches()"
        elif isinstance(value, pa.RecordBatch):
            instead = "[batch]"
        else:
            instead = _TABLES.get(_kind(value), "pyarrow.table(…)")
        raise TypeError(f"{_kind(value)} is not {expected[0].__name__}; pass {instead}")


def check_column(value: object) -> None:
    """Refuse bodies that are no Arrow array of bytes.

    Raises:
        TypeError: with the call that converts them.
    """
    if not isinstance(value, pa.Array | pa.ChunkedArray):
        instead = _COLUMNS.get(_kind(value), "pyarrow.array(values, pyarrow.binary())")
        raise TypeError(f"the body is {_kind(value)}, not a pyarrow.Array; pass {instead}")
    _check_body_type(value.type)


# -- values -----------------------------------------------------------------------------------------------


def bodies(array: pa.Array) -> Iterable[pa.Buffer | None]:
    """The values of an array of bytes, one by one and not copied; None for a null."""
    while isinstance(array, pa.ExtensionArray):
        array = array.storage
    if isinstance(array, pa.DictionaryArray):
        values = list(bodies(array.dictionary))
        return (None if row is None else values[row] for row in array.indices.to_pylist())
    if pa.types.is_null(array.type):
        return [None] * len(array)
    return map(methodcaller("as_buffer"), array)


def content_types(column: Any, size: int) -> list[str | None]:
    """The header field's value for each row: one for all rows, or a column of strings or of bytes.

    Raises:
        TypeError: a column of another type.
        ValueError: the column has not `size` rows.
    """
    if column is None or isinstance(column, str):
        return [column] * size
    if not isinstance(column, pa.Array | pa.ChunkedArray):
        instead = "series.to_arrow()" if _kind(column) == "polars.Series" else "pyarrow.array(values)"
        raise TypeError(f"content_type is {_kind(column)}; pass a str for all rows, or {instead}")
    if len(column) != size:
        raise ValueError(f"{len(column)} values of content_type for {size} bodies; pass one for each")
    kind = _stored(column.type)
    if not (_is_text(kind) or _is_bytes(kind) or pa.types.is_null(kind)):
        raise TypeError(f"content_type is {kind}; pass strings: the values of the header field")
    arrays = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return [value for array in arrays for value in _strings(array)]


def _strings(array: pa.Array) -> list[str | None]:
    """A dictionary is not unfolded: the rows share its strings."""
    if isinstance(array, pa.ExtensionArray):
        return _strings(array.storage)
    if isinstance(array, pa.DictionaryArray):
        values = _strings(array.dictionary)
        return [None if row is None else values[row] for row in array.indices.to_pylist()]
    try:
        found = array.to_pylist()
    except UnicodeDecodeError:  # Arrow does not check that a string is UTF-8
        found = array.cast(pa.large_binary()).to_pylist()
    return [value.decode("latin-1") if isinstance(value, bytes) else value for value in found]
