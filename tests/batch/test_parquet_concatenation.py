"""Parquet files joined by their bytes: every reader sees the rows of all, in order."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from feedcharset.batch.parquet_concatenation import ParquetConcatenation
from feedcharset.batch.thrift_compact import Struct, read_struct, write_struct


def write(path: Path, start: int, rows: int, **options: Any) -> Path:
    table = pa.table(
        {
            "id": pa.array(range(start, start + rows), pa.int64()),
            "text": pa.array(
                [f"text {number} é" if number % 7 else None for number in range(rows)], pa.string()
            ),
            "when": pa.array([None] * rows, pa.timestamp("us", tz="UTC")),
            "list": pa.array([[number, None] for number in range(rows)], pa.list_(pa.int32())),
            "flag": pa.array([number % 2 == 0 for number in range(rows)], pa.bool_()),
        }
    ).replace_schema_metadata({"crawl": "x" * 300})
    pq.write_table(table, path, row_group_size=100, **options)
    return path


def join(*paths: Path) -> bytes:
    target = io.BytesIO()
    joined = ParquetConcatenation(target)
    for path in paths:
        joined.append(path)
    joined.finish()
    return target.getvalue()


OPTIONS: list[dict[str, Any]] = [
    {},
    {"compression": "zstd", "use_dictionary": ["id"]},
    {"write_page_index": True, "write_statistics": ["id"]},
    {"data_page_version": "2.0", "compression": "none"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_rows_of_all_are_in_the_joined_file(options: dict[str, Any], tmp_path: Path) -> None:
    paths = [
        write(tmp_path / f"{at}-{rows}.parquet", at, rows, **options)
        for at, rows in ((0, 250), (250, 0), (250, 1), (251, 1600))
    ]
    target = tmp_path / "joined.parquet"
    target.write_bytes(join(*paths))
    found = pq.read_table(target)
    assert found.equals(pa.concat_tables(pq.read_table(path) for path in paths))
    assert found.schema.metadata == {b"crawl": b"x" * 300}
    file = pq.ParquetFile(target)
    assert [file.metadata.row_group(at).num_rows for at in range(5)] == [100, 100, 50, 0, 1]
    assert file.metadata.num_row_groups == 21
    assert pq.read_table(target, filters=[("id", ">=", 1800)])["id"].to_pylist() == list(range(1800, 1851))


def test_other_readers_read_it(tmp_path: Path) -> None:
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    paths = [write(tmp_path / f"{at}.parquet", at, 150, write_page_index=True) for at in (0, 150, 300)]
    target = tmp_path / "joined.parquet"
    target.write_bytes(join(*paths))
    assert duckdb.sql(f"select count(*), sum(id), count(text) from '{target}'").fetchall() == [
        (450, 101025, 384)
    ]
    assert polars.read_parquet(target)["id"].to_list() == list(range(450))


def test_other_columns_are_refused(tmp_path: Path) -> None:
    one = write(tmp_path / "1.parquet", 0, 1)
    pq.write_table(pa.table({"id": [1]}), tmp_path / "2.parquet")
    with pytest.raises(ValueError, match="its columns are others"):
        join(one, tmp_path / "2.parquet")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1PAR1", b"x" * 100, b"PAR1\xff\xff\xff\x7fPAR1"])
def test_what_is_no_parquet_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="no Parquet file"):
        join(path)


def test_nothing_cannot_be_joined() -> None:
    with pytest.raises(ValueError, match="nothing to join"):
        join()


def test_a_footer_is_written_as_it_was_read(tmp_path: Path) -> None:
    for number, options in enumerate(OPTIONS):
        data = write(tmp_path / f"{number}.parquet", 0, 2000, **options).read_bytes()
        length = int.from_bytes(data[-8:-4], "little")
        footer = data[-8 - length : -8]
        assert write_struct(read_struct(footer)) == footer


def test_every_type_of_the_protocol() -> None:
    fields = Struct(
        {
            1: (1, True),
            2: (1, False),
            3: (3, b"\x07"),
            40: (4, -(2**15)),
            41: (6, 2**63 - 1),
            42: (7, b"12345678"),
            43: (8, b"x" * 200),
            44: (9, (5, list(range(-9, 9)))),
            45: (9, (1, [b"\x01", b"\x02"])),
            46: (12, Struct({1: (10, (12, [Struct()]))})),
            -3: (5, 0),
        }
    )
    assert read_struct(write_struct(fields)) == {**fields, 2: (2, False)}


@pytest.mark.parametrize("data", [b"\x18\x05ab", b"\x1b\x00", b"\x1c" * 100])
def test_a_damaged_footer_is_refused(data: bytes) -> None:
    with pytest.raises((ValueError, IndexError)):
        read_struct(data)
