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
    "check_body_type",
    "check_kind",
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
    for wanted in (body, *([] if content_type in (None, CONTENT_TYPE) else [content_type])):
        if wanted not in schema.names:
            raise ValueError(f"no column {wanted!r}; there are {', '.join(schema.names)}")
    for name in SCHEMA.names:
        if name in schema.names:
            raise ValueError(f"a column {name!r} exists already; rename it, or drop it first")
    check_body_type(schema.field(body).type)
    kept = [field for field in schema if keep_body or field.name != body]
    return pa.schema([*kept, *added_fields(is_large(schema.field(body).type))], schema.metadata)


# -- types ------------------------------------------------------------------------------------------------

_TEXT = (pa.string(), pa.large_string(), pa.string_view())
_BYTES = (pa.binary(), pa.large_binary(), pa.binary_view(), pa.null())


def _stored(kind: pa.DataType) -> pa.DataType:
    """The type of the values: of an extension type its storage, of a dictionary that of its values."""
    while isinstance(kind, pa.BaseExtensionType | pa.DictionaryType):
        kind = kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind.value_type
    return kind


def is_large(kind: pa.DataType) -> bool:
    """Whether offsets have 64 bits."""
    return bool(_stored(kind) == pa.large_binary())


def check_body_type(kind: pa.DataType) -> None:
    """Refuse a column that holds no bytes.

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


_INSTEAD = {
    "pandas.DataFrame": "pyarrow.Table.from_pandas(frame, preserve_index=False)",
    "polars.DataFrame": "frame.to_arrow()",
    "polars.LazyFrame": "frame.collect().to_arrow(), or decode_arrays in an expression",
    "pyarrow.Table": "table.to_batches()",
    "pyarrow.RecordBatch": "[batch]",
    "builtins.dict": "pyarrow.table(columns)",
    "builtins.list": "pyarrow.Table.from_pylist(rows), for a column pyarrow.array(values, pyarrow.binary())",
    "pandas.Series": "pyarrow.array(series, pyarrow.binary()), for strings pyarrow.array(series)",
    "polars.Series": "series.to_arrow()",
}
"""What to pass instead, by the package and the name of a type."""


def check_kind(value: object, *expected: type) -> None:
    """Refuse what is not of an Arrow type.

    Raises:
        TypeError: with the call that converts it.
    """
    if not isinstance(value, expected):
        kind = f"{type(value).__module__.partition('.')[0]}.{type(value).__name__}"
        names = " or ".join(f"pyarrow.{one.__name__}" for one in expected)
        raise TypeError(f"{kind} is no {names}; pass {_INSTEAD.get(kind, 'Arrow data')}")


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
    check_kind(column, pa.Array, pa.ChunkedArray)
    if len(column) != size:
        raise ValueError(f"{len(column)} values of content_type for {size} bodies; pass one for each")
    kind = _stored(column.type)
    if kind not in (*_TEXT, *_BYTES):
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
