"""Access to the values of a binary Arrow array, row by row, without a copy of the array.

Arrow's columnar format, "Variable-size Binary Layout" and "Variable-size Binary View Layout", is read from
the buffers: to_pylist() would copy every body at once, the body of 1 GB among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["BinaryValues", "binary_values", "check_body_type", "is_large"]

_INLINE = 12
"""Bytes of a value that stands in its view (the format's constant)."""


class BinaryValues(Protocol):
    """The values of an array."""

    def lengths(self) -> Sequence[int]:
        """Bytes of each value; 0 for a null."""

    def value(self, row: int) -> memoryview | None:
        """A value, not copied; None for a null."""


def check_body_type(kind: pa.DataType) -> None:
    """Refuse what holds no bytes.

    Raises:
        TypeError: the column was decoded already, or is no binary column.
    """
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        raise TypeError(
            f"the body is {kind}: it was decoded already, and its charset cannot be found any more; "
            "pass the bytes as they were received (binary, large_binary or binary_view)"
        )
    if not (_is_binary(kind) or pa.types.is_null(kind)):
        raise TypeError(f"the body is {kind}; pass binary, large_binary or binary_view")


def _is_binary(kind: pa.DataType) -> bool:
    types = pa.types
    fixed = types.is_fixed_size_binary(kind)
    return bool(types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind) or fixed)


def is_large(kind: pa.DataType) -> bool:
    """Whether offsets have 64 bits."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_large_binary(kind))


def binary_values(array: pa.Array) -> BinaryValues:
    """The values of an array that `check_body_type` accepts."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        return _DictionaryValues(array)
    if pa.types.is_null(kind):
        return _NullValues(len(array))
    if pa.types.is_binary_view(kind):
        return _ViewValues(array)
    if pa.types.is_fixed_size_binary(kind):
        array = array.cast(pa.large_binary())
    return _OffsetValues(array)


class _NullValues:
    """An array of type null."""

    def __init__(self, size: int) -> None:
        self._size = size

    def lengths(self) -> Sequence[int]:
        return [0] * self._size

    def value(self, row: int) -> memoryview | None:
        return None


class _OffsetValues:
    """binary and large_binary: value i is data[offsets[i]:offsets[i + 1]]."""

    def __init__(self, array: pa.Array) -> None:
        _, offsets, data = array.buffers()
        large = pa.types.is_large_binary(array.type)
        unit = 8 if large else 4
        start, stop = array.offset * unit, (array.offset + len(array) + 1) * unit
        # An empty array may come without offsets (the format allows it), or without data.
        table = memoryview(offsets)[start:stop] if len(array) else memoryview(bytes(unit))
        self._offsets = table.cast("B").cast("q" if large else "i")
        self._data = memoryview(data if data is not None else b"").cast("B")
        self._valid = _validity(array)

    def lengths(self) -> Sequence[int]:
        ends = iter(self._offsets)
        start = next(ends)
        found = []
        for end in ends:
            found.append(end - start)
            start = end
        return found

    def value(self, row: int) -> memoryview | None:
        if self._valid is not None and not self._valid[row]:
            return None
        return self._data[self._offsets[row] : self._offsets[row + 1]]


class _ViewValues:
    """binary_view: a view of 16 bytes for each value: its length, then the value or where it stands."""

    def __init__(self, array: pa.Array) -> None:
        _, views, *data = array.buffers()
        start = array.offset * 16
        table = memoryview(views) if views is not None else memoryview(b"")
        self._views = table[start : start + len(array) * 16].cast("B")
        self._numbers = self._views.cast("i")
        self._data = [memoryview(buffer).cast("B") for buffer in data]
        self._valid = _validity(array)
        self._size = len(array)

    def lengths(self) -> Sequence[int]:
        lengths = self._numbers.tolist()[::4]
        if self._valid is not None:
            return [length if valid else 0 for length, valid in zip(lengths, self._valid, strict=True)]
        return lengths

    def value(self, row: int) -> memoryview | None:
        if self._valid is not None and not self._valid[row]:
            return None
        length, _, buffer, start = self._numbers[4 * row : 4 * row + 4].tolist()
        if length <= _INLINE:
            return self._views[16 * row + 4 : 16 * row + 4 + length]
        return self._data[buffer][start : start + length]


class _DictionaryValues:
    """dictionary: each row names a value of the dictionary, which is not copied for each row."""

    def __init__(self, array: pa.DictionaryArray) -> None:
        self._values = binary_values(array.dictionary)
        self._sizes = self._values.lengths()
        self._rows: list[int | None] = array.indices.to_pylist()

    def lengths(self) -> Sequence[int]:
        return [0 if row is None else self._sizes[row] for row in self._rows]

    def value(self, row: int) -> memoryview | None:
        found = self._rows[row]
        return None if found is None else self._values.value(found)


def _validity(array: pa.Array) -> list[bool] | None:
    """Which rows are not null; None: all."""
    if array.null_count == 0:
        return None
    valid: list[bool] = pc.is_valid(array).to_pylist()
    return valid
