"""The same decoding on each engine: Parquet files of documents in, rows by id out, and their digest."""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "fixtures"))

from making.crawl import crawl

__all__ = ["ENGINES", "PAGE", "SECTIONS", "digest", "on_pyarrow", "write_documents"]

AVERAGE = 4_000
"""Bytes of a document, which is short: it is the rows that are compared."""

HOSTILE: tuple[tuple[bytes | None, str | None], ...] = (
    (None, "text/xml"),
    (b"", ""),
    (gzip.compress(b"<rss/>", mtime=0), "application/gzip"),
    (gzip.compress(bytes(8 << 20), 1, mtime=0), "text/xml"),
    (gzip.compress(gzip.compress(b"<rss/>", mtime=0), mtime=0), "text/xml"),
    (b"PK\x03\x04" + bytes(30), "application/zip"),
    (b"\xff\xfe<\0a\0>\0\x00\xd8<\0/\0a\0>\0", None),
    (bytes(range(256)) * 8, "text/xml; charset=zlib"),
)


def write_documents(folder: Path, count: int, files: int, row_group: int) -> None:
    """So many documents in Parquet files: id, url, content_type, body. One in 50 is hostile."""
    folder.mkdir()
    schema = pa.schema(
        {"id": pa.int64(), "url": pa.string(), "content_type": pa.string(), "body": pa.binary()}
    )
    rows = _documents(count)
    for number in range(files):
        with pq.ParquetWriter(folder / f"{number}.parquet", schema, compression="zstd") as writer:
            for _ in range(0, count // files + 1, row_group):
                if group := [*islice(rows, row_group)]:
                    writer.write_batch(pa.RecordBatch.from_pylist(group, schema), row_group_size=row_group)


def _documents(count: int) -> Iterator[dict[str, Any]]:
    for number, document in enumerate(crawl(count, average=AVERAGE)):
        body: bytes | None = document.body
        content_type = document.content_type
        if number % 50 == 49:
            body, content_type = HOSTILE[number // 50 % len(HOSTILE)]
        yield {"id": number, "url": document.url, "content_type": content_type, "body": body}


def digest(rows: Iterable[dict[str, Any]]) -> tuple[int, str]:
    """The number of rows, and a hash of what was decoded, in the order of the ids."""
    names = ("id", "url", "text", "encoding", "declared", "rule", "repairs", "error_code", "error")
    total = hashlib.sha256()
    count = 0
    for row in sorted(rows, key=lambda row: row["id"]):
        total.update(json.dumps([row[name] for name in names]).encode())
        count += 1
    return count, total.hexdigest()


# -- the engines: each takes a folder and gives rows ------------------------------------------------------


def on_pyarrow(folder: Path) -> Iterable[dict[str, Any]]:
    """pyarrow.dataset: batches are read, decoded and dropped, one after the other."""
    import pyarrow.dataset as ds

    from feedcharset.batch import decode_batches

    batches = decode_batches(ds.dataset(folder).to_batches())
    return chain.from_iterable(batch.to_pylist() for batch in batches)


def on_duckdb(folder: Path) -> Iterable[dict[str, Any]]:
    """DuckDB: an Arrow function of SQL."""
    import duckdb

    from feedcharset.batch import SCHEMA, decode_arrays

    fields = {name: "BIGINT" if name == "repairs" else "VARCHAR" for name in SCHEMA.names}
    with duckdb.connect() as connection:
        connection.create_function(
            "decode_feed",
            lambda body, content_type: decode_arrays(body, content_type),
            ["BLOB", "VARCHAR"],
            duckdb.struct_type(fields),
            type="arrow",
            null_handling="special",
        )
        sql = "select id, url, unnest(decode_feed(body, content_type)) from read_parquet(?)"
        table = connection.sql(sql, params=[str(folder / "*.parquet")]).to_arrow_table()
    return table.to_pylist()


def on_polars(folder: Path) -> Iterable[dict[str, Any]]:
    """Polars: an expression, in its streaming engine."""
    import polars as pl

    from feedcharset.batch import decode_arrays

    def decoded(rows: pl.Series) -> pl.Series:
        body, content_type = rows.struct.unnest().get_columns()
        return pl.Series(decode_arrays(body.to_arrow(), content_type.to_arrow()))

    kind = pl.Series(decode_arrays(pa.array([], pa.binary()))).dtype
    columns = pl.struct("body", "content_type")
    feed = columns.map_batches(decoded, return_dtype=kind, is_elementwise=True).alias("feed")
    frame = pl.scan_parquet(folder / "*.parquet").select("id", "url", feed).unnest("feed")
    return frame.collect(engine="streaming").to_dicts()


def on_dask(folder: Path) -> Iterable[dict[str, Any]]:
    """Dask: a partition for each row group, in processes."""
    import dask
    import dask.dataframe as dd

    with dask.config.set({"dataframe.convert-string": False, "scheduler": "processes"}):
        frame = dd.read_parquet(folder, dtype_backend="pyarrow", split_row_groups=True)
        meta = _decode_frame(frame._meta)
        done = frame.map_partitions(_decode_frame, meta=meta).compute(num_workers=2)
    return pa.Table.from_pandas(done, preserve_index=False).to_pylist()


def _decode_frame(frame: Any) -> Any:
    import pandas as pd

    from feedcharset.batch import decode_batch

    table = pa.Table.from_pandas(frame, preserve_index=False)
    return decode_batch(table).to_pandas(types_mapper=pd.ArrowDtype)


def on_ray(folder: Path) -> Iterable[dict[str, Any]]:
    """Ray Data: map_batches over Arrow tables, in workers."""
    import ray

    from feedcharset.batch import decode_batch

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        data = ray.data.read_parquet(str(folder))
        return list(data.map_batches(decode_batch, batch_format="pyarrow", batch_size=200).take_all())
    finally:
        ray.shutdown()


def on_daft(folder: Path) -> Iterable[dict[str, Any]]:
    """Daft: a batch function over two columns."""
    import daft
    from daft import DataType, Series

    from feedcharset.batch import SCHEMA, decode_arrays

    @daft.func.batch(return_dtype=DataType.from_arrow_type(pa.struct(list(SCHEMA))), batch_size=200)
    def decode_feed(body: Series, content_type: Series) -> Series:
        return Series.from_arrow(decode_arrays(body.to_arrow(), content_type.to_arrow()))

    frame = daft.read_parquet(str(folder))
    frame = frame.with_column("decoded", decode_feed(frame["body"], frame["content_type"]))
    rows = frame.select("id", "url", "decoded").to_pylist()
    return [{**row, **row["decoded"]} for row in rows]


def on_spark(folder: Path) -> Iterable[dict[str, Any]]:
    """Spark: mapInArrow, in local mode."""
    from pyspark.sql import SparkSession
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    from feedcharset.batch import decode_batches, output_schema

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        frame = spark.read.parquet(str(folder))
        schema = from_arrow_schema(output_schema(to_arrow_schema(frame.schema)))
        return frame.mapInArrow(decode_batches, schema).toArrow().to_pylist()
    finally:
        spark.stop()


Engine = Callable[[Path], Iterable[dict[str, Any]]]

ENGINES: dict[str, tuple[str, Engine]] = {
    # Name: the package that has to be installed, and the function.
    "pyarrow": ("pyarrow", on_pyarrow),
    "DuckDB": ("duckdb", on_duckdb),
    "Polars": ("polars", on_polars),
    "Dask": ("dask", on_dask),
    "Ray Data": ("ray", on_ray),
    "Daft": ("daft", on_daft),
    "Spark": ("pyspark", on_spark),
}

PAGE = "how-to/engines.md"
SECTIONS = {
    # Sections of the page that need a package that is no part of the gate; `make engines` runs them.
    "Dask": "dask",
    "Ray Data": "ray",
    "Daft": "daft",
    "Spark": "pyspark",
    "datatrove": "datatrove",
}
