"""The columns that decoding adds: their schema, and the arrays that are filled row by row."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import pyarrow as pa

__all__ = ["DDL", "SCHEMA", "TEXT_LIMIT", "OutputColumns", "output_type"]

SCHEMA = pa.schema(
    [
        pa.field("text", pa.string()),
        pa.field("encoding", pa.string()),
        pa.field("rule", pa.string()),
        pa.field("repairs", pa.int64()),
        pa.field("error", pa.string()),
    ]
)
"""What is added to each row; `text` is large_string where the bodies are large_binary."""

DDL = "text string, encoding string, rule string, repairs bigint, error string"
"""The same for Spark SQL."""

TEXT_LIMIT = 2**31 - 1
"""Bytes of text in one array of type string: Arrow counts them with 32 bits."""

BLOCK = 8 << 20
"""Bytes of text in a block, at least."""

Row = tuple[Sequence[bytes | memoryview] | None, str | None, str | None, int | None, str | None]
"""The values of a row: the text as UTF-8 in pieces, encoding, rule, repairs, error. None: null."""


def output_type(large: bool) -> pa.StructType:
    """The struct of the output columns."""
    text = pa.field("text", pa.large_string() if large else pa.string())
    return pa.struct([text, *list(SCHEMA)[1:]])


class OutputColumns:
    """The output rows of one array. The text is written as UTF-8 into blocks.

    Args:
        size: bytes of text that are expected: the first block holds so many, and a little more.
    """

    def __init__(self, size: int) -> None:
        self._blocks: list[pa.Buffer] = []
        self._ends = array("q", [0])
        self._rows: list[tuple[bool, str | None, str | None, int | None, str | None]] = []
        self._written = 0
        self._new_block(min(size + size // 8, BLOCK + BLOCK // 8))

    def _new_block(self, size: int) -> None:
        self._block = pa.allocate_buffer(size)
        self._view = memoryview(self._block).cast("B")
        self._at, self._size = 0, size

    def append(self, row: Row) -> None:
        """Add a row."""
        for piece in row[0] or ():
            start, end = self._at, self._at + len(piece)
            if end > self._size:
                self._close_block()
                self._new_block(max(BLOCK, len(piece)))
                start, end = 0, len(piece)
            self._view[start:end] = piece
            self._at = end
        self._ends.append(self._written + self._at)
        self._rows.append((row[0] is not None, *row[1:]))

    def _close_block(self) -> None:
        if self._at:
            self._blocks.append(self._block.slice(0, self._at))
            self._written += self._at

    def finish(self, large: bool) -> pa.StructArray:
        """The struct array of all rows; large_string also where the text is longer than TEXT_LIMIT."""
        self._close_block()
        large = large or self._ends[-1] > TEXT_LIMIT
        kind = output_type(large)
        valid, *columns = zip(*self._rows, strict=True) if self._rows else [()] * 5
        arrays = [self._text(large, valid)]
        for field, column in zip(list(kind)[1:], columns, strict=True):
            arrays.append(pa.array(column, field.type))
        return pa.StructArray.from_arrays(arrays, fields=list(kind))

    def _text(self, large: bool, valid: Sequence[bool]) -> pa.Array:
        ends = self._ends if large else array("i", self._ends)
        bits = None if all(valid) else pa.array(valid, pa.bool_()).buffers()[1]
        kind = pa.large_string() if large else pa.string()
        return pa.Array.from_buffers(kind, len(valid), [bits, pa.py_buffer(ends), self._joined()])

    def _joined(self) -> pa.Buffer:
        """One buffer of all blocks. Each block is freed when it was copied: no text is held twice."""
        del self._view, self._block
        if len(self._blocks) == 1:
            return self._blocks[0]
        joined = pa.allocate_buffer(self._ends[-1])
        view = memoryview(joined).cast("B")
        at = 0
        while self._blocks:
            block = self._blocks.pop(0)
            view[at : at + block.size] = memoryview(block).cast("B")
            at += block.size
        return joined
