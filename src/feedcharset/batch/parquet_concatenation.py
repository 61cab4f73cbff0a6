"""Joins Parquet files of one schema into one: their row groups are copied, not decoded and encoded again.

Reference: apache/parquet-format, parquet.thrift. A file is "PAR1", row groups and indexes, the footer, the
footer's length and "PAR1"; the footer holds offsets from the beginning of the file, which are shifted.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from feedcharset.batch.thrift_compact import Struct, read_struct, write_struct

__all__ = ["ParquetConcatenation"]

MAGIC = b"PAR1"
PIECE = 1 << 20
"""Bytes that are copied at once."""

_TAIL = 8
"""Bytes after the footer: its length and MAGIC."""

# Field numbers of parquet.thrift.
_SCHEMA, _NUM_ROWS, _ROW_GROUPS = 2, 3, 4
_COLUMNS, _GROUP_FILE_OFFSET, _ORDINAL = 1, 5, 7
_CHUNK_FILE_OFFSET, _META_DATA, _OFFSET_INDEX, _COLUMN_INDEX = 2, 3, 4, 6
_OFFSETS_OF_META_DATA = (9, 10, 11, 14)
"""data_page_offset, index_page_offset, dictionary_page_offset, bloom_filter_offset."""


class ParquetConcatenation:
    """A Parquet file that is written from others.

    Args:
        target: an empty binary file, open for writing.
    """

    def __init__(self, target: BinaryIO) -> None:
        self._target = target
        self._target.write(MAGIC)
        self._at = len(MAGIC)
        self._footer: Struct | None = None
        self.rows: int = 0

    def append(self, path: Path) -> None:
        """Copy the row groups of a file.

        Raises:
            ValueError: it is no Parquet file, or its schema is another.
        """
        with path.open("rb") as source:
            footer, end = _read_footer(source, path)
            self._add(footer, path)
            source.seek(len(MAGIC))
            _copy(source, self._target, end - len(MAGIC))
        self._at += end - len(MAGIC)

    def _add(self, footer: Struct, path: Path) -> None:
        shift = self._at - len(MAGIC)
        kind, groups = footer.get_value(_ROW_GROUPS)
        if self._footer is None:
            self._footer = footer
            footer.set_value(_ROW_GROUPS, (kind, []))
        elif footer.get_value(_SCHEMA) != self._footer.get_value(_SCHEMA):
            raise ValueError(f"{path}: its columns are others than those of the file before")
        joined = self._footer.get_value(_ROW_GROUPS)[1]
        for group in groups:
            _shift(group, shift)
            if _ORDINAL in group:
                group.set_value(_ORDINAL, len(joined) & 0x7FFF)
            joined.append(group)
        self.rows += footer.get_value(_NUM_ROWS)

    def finish(self) -> None:
        """Write the footer.

        Raises:
            ValueError: nothing was appended.
        """
        if self._footer is None:
            raise ValueError("there is nothing to join")
        self._footer.set_value(_NUM_ROWS, self.rows)
        footer = write_struct(self._footer)
        self._target.write(footer + len(footer).to_bytes(4, "little") + MAGIC)


def _copy(source: BinaryIO, target: BinaryIO, size: int) -> None:
    """Copy the next bytes, so many."""
    while size > 0 and (data := source.read(min(size, PIECE))):
        target.write(data)
        size -= len(data)


def _read_footer(source: BinaryIO, path: Path) -> tuple[Struct, int]:
    """The footer and where it begins."""
    size = source.seek(0, 2)
    source.seek(max(size - _TAIL, 0))
    tail = source.read(_TAIL)
    length = int.from_bytes(tail[:4], "little")
    start = size - _TAIL - length
    if tail[4:] != MAGIC or start < len(MAGIC):
        raise ValueError(f"{path}: no Parquet file")
    source.seek(start)
    return read_struct(source.read(length)), start


def _shift(group: Struct, shift: int) -> None:
    """Add a number of bytes to every offset of a row group."""
    _add_to(group, _GROUP_FILE_OFFSET, shift)
    for chunk in group.get_value(_COLUMNS)[1]:
        for number in (_CHUNK_FILE_OFFSET, _OFFSET_INDEX, _COLUMN_INDEX):
            _add_to(chunk, number, shift)
        for number in _OFFSETS_OF_META_DATA:
            _add_to(chunk.get_value(_META_DATA), number, shift)


def _add_to(fields: Struct, number: int, shift: int) -> None:
    """An offset of 0 means: not written."""
    if fields.get_value(number):
        fields.set_value(number, fields.get_value(number) + shift)
