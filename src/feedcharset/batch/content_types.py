"""The Content-Type column as Python strings, whatever Arrow type holds it."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

__all__ = ["ContentTypes", "content_types"]

ContentTypes = Sequence[str | None]


def content_types(column: pa.Array | pa.ChunkedArray | str | None, size: int) -> ContentTypes:
    """The header field's value for each row: one for all rows, or a column of strings or of bytes.

    Raises:
        TypeError: a column of another type.
        ValueError: the column has not `size` rows.
    """
    if column is None or isinstance(column, str):
        return [column] * size
    if len(column) != size:
        raise ValueError(f"{len(column)} values of content_type for {size} bodies; pass one for each")
    _check_type(column.type)
    arrays = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return [value for array in arrays for value in _values(array)]


def _check_type(kind: pa.DataType) -> None:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    types = pa.types
    text = types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
    if not (text or types.is_binary(kind) or types.is_large_binary(kind) or types.is_null(kind)):
        raise TypeError(f"content_type is {kind}; pass strings: the values of the header field")


def _values(array: pa.Array) -> list[str | None]:
    """A dictionary is not unfolded: the rows share its strings."""
    if pa.types.is_dictionary(array.type):
        values = _values(array.dictionary)
        return [None if row is None else values[row] for row in array.indices.to_pylist()]
    try:
        values = array.to_pylist()
    except UnicodeDecodeError:  # Arrow does not check that a string is UTF-8
        values = array.cast(pa.large_binary()).to_pylist()
    return [value.decode("latin-1") if isinstance(value, bytes) else value for value in values]
