"""Thrift's compact protocol, as far as a Parquet footer needs it: read into lists, change, write again.

Reference: apache/thrift, doc/specs/thrift-compact-protocol.md. Fields that are not known here are kept.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Struct", "read_struct", "write_struct"]

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)

DEPTH_LIMIT = 32
"""Structs inside structs: a Parquet footer has seven."""


class Struct(dict[int, tuple[int, Any]]):
    """Fields by their number: type and value."""

    def get_value(self, number: int) -> Any:
        """The value of a field, or None."""
        return self[number][1] if number in self else None

    def set_value(self, number: int, value: Any) -> None:
        """Change the value of a field that is there."""
        self[number] = (self[number][0], value)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._data[self._at]
            self._at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def _zigzag(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def _bytes(self, size: int) -> bytes:
        found = self._data[self._at : self._at + size]
        if len(found) != size:
            raise ValueError("the footer is cut off")
        self._at += size
        return found

    def struct(self, depth: int = 0) -> Struct:
        """Read a struct up to its stop field."""
        if depth > DEPTH_LIMIT:
            raise ValueError("the footer is nested too deeply")
        fields = Struct()
        number = 0
        while header := self._bytes(1)[0]:
            delta, kind = header >> 4, header & 15
            number = number + delta if delta else self._zigzag()
            fields[number] = (kind, self._value(kind, depth))
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (TRUE, FALSE):
            return kind == TRUE
        if kind in (I16, I32, I64):
            return self._zigzag()
        if kind == STRUCT:
            return self.struct(depth + 1)
        if kind in (LIST, SET):
            return self._list(depth)
        if kind in (BYTE, DOUBLE):
            return self._bytes(1 if kind == BYTE else 8)
        if kind == BINARY:
            return self._bytes(self._varint())
        raise ValueError(f"a field of type {kind} in the footer")

    def _list(self, depth: int) -> tuple[int, list[Any]]:
        header = self._bytes(1)[0]
        size, kind = header >> 4, header & 15
        size = self._varint() if size == 15 else size
        if kind in (TRUE, FALSE):  # in a list, a byte each
            return kind, [self._bytes(1) for _ in range(size)]
        return kind, [self._value(kind, depth) for _ in range(size)]


def read_struct(data: bytes) -> Struct:
    """Read the struct that stands at the beginning of the data.

    Raises:
        ValueError, IndexError: it is no struct of this protocol.
    """
    return _Reader(data).struct()


def write_struct(fields: Struct) -> bytes:
    """The bytes of a struct."""
    out = bytearray()
    last = 0
    for number, (kind, value) in sorted(fields.items()):
        if kind in (TRUE, FALSE):
            kind = TRUE if value else FALSE
        if 0 < number - last < 16:
            out.append((number - last) << 4 | kind)
        else:
            out.append(kind)
            out += _zigzag(number)
        last = number
        if kind not in (TRUE, FALSE):
            out += _value(kind, value)
    out.append(0)
    return bytes(out)


def _value(kind: int, value: Any) -> bytes:
    if kind in (I16, I32, I64):
        return _zigzag(value)
    if kind == STRUCT:
        return write_struct(value)
    if kind == BINARY:
        return _varint(len(value)) + bytes(value)
    if kind in (LIST, SET):
        inner, items = value
        head = (
            bytes([len(items) << 4 | inner])
            if len(items) < 15
            else bytes([0xF0 | inner]) + _varint(len(items))
        )
        plain = inner in (TRUE, FALSE)
        return head + b"".join(item if plain else _value(inner, item) for item in items)
    return bytes(value)  # BYTE, DOUBLE: kept as they were read


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _zigzag(value: int) -> bytes:
    return _varint(value << 1 if value >= 0 else (-value << 1) - 1)
