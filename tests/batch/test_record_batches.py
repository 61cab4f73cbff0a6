"""`decode_batch` and `decode_batches`: columns and metadata pass through, pieces bound the memory."""

from __future__ import annotations

import functools
import importlib
import inspect
import pickle
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from support.each import each

from feedcharset.batch import SCHEMA, decode_arrays, decode_batch, decode_batches, output_schema

MIB = 1 << 20
FEED = '<?xml version="1.0" encoding="UTF-8"?><a>é</a>'.encode()


def batch(count: int = 3, body: bytes = FEED, **columns: list[Any]) -> pa.RecordBatch:
    """Rows with an id before and a URL after the two columns that are read."""
    schema = pa.schema(
        [
            pa.field("id", pa.int32(), nullable=False, metadata={"unit": "none"}),
            pa.field("body", pa.binary()),
            pa.field("content_type", pa.string()),
            pa.field("url", pa.string()),
        ],
        metadata={"crawl": "2026-11"},
    )
    types, urls = ["text/xml; charset=utf-8"] * count, ["https://example.org/"] * count
    return pa.record_batch([range(count), [body] * count, types, urls], schema=schema)


@pytest.mark.parametrize("kind", [pa.RecordBatch, pa.Table])
@pytest.mark.parametrize("keep_body", [False, True])
def test_columns_and_metadata_pass_through(kind: Any, keep_body: bool) -> None:
    rows = batch() if kind is pa.RecordBatch else pa.Table.from_batches([batch(), batch()])
    found = decode_batch(rows, keep_body=keep_body)
    assert type(found) is kind
    kept = [name for name in rows.schema.names if keep_body or name != "body"]
    assert found.schema.names == [*kept, *SCHEMA.names]
    assert found.schema.metadata == {b"crawl": b"2026-11"}
    assert found.schema.field("id") == rows.schema.field("id")
    assert found.schema.field("id").metadata == {b"unit": b"none"}
    assert found.select(kept).equals(rows.select(kept))
    assert found.num_rows == rows.num_rows
    found.validate(full=True)


def test_the_columns_are_those_of_decode_arrays() -> None:
    rows = batch()
    added = decode_arrays(rows["body"], rows["content_type"])
    found = decode_batch(rows).select(SCHEMA.names)
    assert found.to_pylist() == added.to_pylist()
    assert found.schema == SCHEMA


def test_the_columns_may_have_other_names() -> None:
    rows = batch().rename_columns(["id", "payload", "mime", "url"])
    found = decode_batch(rows, body="payload", content_type="mime")
    assert found["rule"].to_pylist() == ["2.5"] * 3
    assert decode_batch(rows, body="payload", content_type=None)["rule"].to_pylist() == ["1.2"] * 3
    assert decode_batch(rows, body="payload")["rule"].to_pylist() == ["1.2"] * 3


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"body": "data"}, "no column 'data' for body=; there are id, body, content_type, url"),
        ({"content_type": "mime"}, "no column 'mime' for content_type="),
    ],
)
def test_a_column_that_there_is_not_is_refused(arguments: dict[str, Any], sentence: str) -> None:
    for call in (decode_batch, lambda rows, **options: list(decode_batches([rows], **options))):
        with pytest.raises(ValueError, match=sentence):
            call(batch(), **arguments)


def test_only_the_content_type_may_be_absent() -> None:
    rows = batch().drop_columns(["content_type"])
    assert decode_batch(rows)["rule"].to_pylist() == ["1.2"] * 3
    with pytest.raises(ValueError, match="no column 'content_type' for body=; there are id, body, url"):
        decode_batch(rows, body="content_type")


def test_a_column_of_the_outputs_name_is_refused() -> None:
    with pytest.raises(ValueError, match="a column 'text' exists already"):
        decode_batch(batch().rename_columns(["text", "body", "content_type", "url"]))


def test_a_column_of_text_is_refused() -> None:
    with pytest.raises(TypeError, match="decoded already"):
        decode_batch(pa.table({"body": ["<a/>"]}))


@pytest.mark.parametrize("name", ["id", "url", "body", "text"])
def test_two_columns_of_one_name_are_refused(name: str) -> None:
    rows = batch()
    double = pa.RecordBatch.from_arrays([*rows.columns, rows["id"]], [*rows.schema.names, name])
    calls = [
        lambda: decode_batch(double),
        lambda: decode_batch(pa.Table.from_batches([double])),
        lambda: list(decode_batches([double])),
        lambda: output_schema(double.schema),
    ]
    for call in calls:
        with pytest.raises(
            ValueError, match="2 columns are named" if name != "text" else "'text' exists already"
        ):
            call()


FRAMES: dict[str, Callable[[Any], Any]] = {
    # the call that converts it: the frame, of the module that is named
    "pyarrow.Table.from_pandas(frame, preserve_index=False)": lambda pandas: pandas.DataFrame(
        {"body": [FEED]}
    ),
    "frame.to_arrow()": lambda polars: polars.DataFrame({"body": [FEED]}),
    "frame.collect().to_arrow()": lambda polars: polars.LazyFrame({"body": [FEED]}),
    "pyarrow.Table.from_pylist(rows)": lambda builtins: [{"body": FEED}],
    "pyarrow.table(columns)": lambda builtins: {"body": [FEED]},
    "Arrow data": lambda builtins: b"<a/>",
}


@pytest.mark.parametrize("call", FRAMES)
def test_what_is_no_arrow_data_is_refused_with_the_call_that_converts_it(call: str) -> None:
    """And what that call gives is taken in the same place."""
    (library,) = inspect.signature(FRAMES[call]).parameters
    frame = FRAMES[call](importlib.import_module(library))
    ways: list[Callable[[Any], Any]] = [decode_batch, lambda given: decode_batches([given])]
    if hasattr(type(frame), "columns"):
        ways.append(decode_batches)
    for decoding in ways:
        with pytest.raises(TypeError) as caught:
            list(decoding(frame))
        assert f"; pass {call}" in str(caught.value)
        if call != "Arrow data":
            given = eval(call, dict.fromkeys(("frame", "rows", "columns"), frame) | {"pyarrow": pa})
            found = decoding(given)
            (part,) = [found] if decoding is decode_batch else found
            assert part["text"].to_pylist() == [FEED.decode().replace(' encoding="UTF-8"', " " * 17)]


@pytest.mark.parametrize("given", [None, 3, ds.InMemoryDataset(pa.table({"body": [FEED]}))])
def test_what_is_no_stream_is_refused_with_what_to_pass(given: Any) -> None:
    name = type(given).__name__
    with pytest.raises(
        TypeError, match=rf"^{name} is no stream: pass record batches, a table or dataset.to_batches\(\)"
    ):
        decode_batches(given)


def test_a_column_that_holds_no_strings_is_named() -> None:
    for name in ("content_type", "coding_error"):
        table = pa.table({"body": [FEED], name: [1]})
        for call in (decode_batch, lambda rows: list(decode_batches(rows))):
            for given in (table, *table.to_batches()):
                with pytest.raises(TypeError, match=f"^{name} is int64; pass strings"):
                    call(given)


def test_one_batch_and_tables_are_streams_of_batches() -> None:
    table = pa.Table.from_batches([batch(2), batch(3)])
    wanted = decode_batch(table).to_pylist()
    for given in (table, [table], [*table.to_batches()], table.to_reader(), [batch(2), pa.table(batch(3))]):
        found = list(decode_batches(given))
        assert [row for part in found for row in part.to_pylist()] == wanted
        assert {type(part) for part in found} == {pa.RecordBatch}
    assert pa.Table.from_batches(decode_batches(batch())).num_rows == 3


@each(
    "options",
    [{}, {"keep_body": True}, {"content_type": None}, {"errors": "replace", "max_bytes": 9}],
    ids=str,
)
@each("kind", [pa.binary(), pa.large_binary(), pa.binary_view()])
def test_the_output_schema_is_that_of_the_output(options: dict[str, Any], kind: pa.DataType) -> None:
    rows = batch().set_column(1, "body", pa.array([FEED] * 3, kind))
    assert output_schema(rows.schema, **options) == decode_batch(rows, **options).schema
    assert output_schema(rows.schema, **options).metadata == {b"crawl": b"2026-11"}
    assert [piece.schema for piece in decode_batches([rows], **options)] == [
        output_schema(rows.schema, **options)
    ]
    with pytest.raises(ValueError, match="no column 'data'"):
        output_schema(rows.schema, body="data")
    with pytest.raises(ValueError, match="errors"):
        output_schema(rows.schema, errors="ignore")  # type: ignore[arg-type]


def test_an_empty_batch_keeps_the_schema() -> None:
    empty = batch().slice(0, 0)
    (found,) = decode_batches([empty])
    assert found.num_rows == 0
    assert found.schema == decode_batch(batch()).schema == decode_batch(pa.Table.from_batches([empty])).schema
    assert decode_batch(pa.Table.from_batches([], empty.schema)).schema == found.schema


def test_batches_come_in_pieces_of_about_8_mb_in_their_order() -> None:
    rows = batch(40, FEED + b" " * MIB)
    found = list(decode_batches(iter([rows, rows.slice(38)])))
    assert [piece.num_rows for piece in found] == [8, 8, 8, 8, 8, 2]
    assert [value for piece in found for value in piece["id"].to_pylist()] == [*range(40), 38, 39]
    table = decode_batch(pa.Table.from_batches([rows]))
    assert table["text"].num_chunks == 5


def test_memory_is_bounded_by_the_piece() -> None:
    """80 MB of bodies go through; what Python and Arrow hold at once stays far below."""
    body = b"<a>" + "café".encode() * (MIB // 5)
    rows = batch(20, body)

    def many() -> Iterator[pa.RecordBatch]:
        for _ in range(4):
            yield rows

    before = pa.total_allocated_bytes()
    arrow = 0
    tracemalloc.start()
    try:
        for piece in decode_batches(many()):
            arrow = max(arrow, pa.total_allocated_bytes() - before)
            del piece
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 32 * MIB
    assert arrow < 64 * MIB


def test_a_text_longer_than_its_body_does_not_end_the_piece() -> None:
    """Each euro sign of windows-1252 takes three bytes of UTF-8."""
    rows = batch(9, b'<?xml version="1.0" encoding="windows-1252"?><a>' + b"\x80" * MIB)
    rows = rows.drop_columns("content_type")
    texts = [text for piece in decode_batches([rows]) for text in piece["text"].to_pylist()]
    assert {len(text) for text in texts} == {MIB + 48}
    assert decode_batch(rows)["text"].to_pylist() == texts


def test_the_functions_go_to_workers() -> None:
    """An engine pickles what its workers call."""
    call = functools.partial(decode_batch, keep_body=True, lenient=False)
    assert pickle.loads(pickle.dumps(call))(batch()).equals(call(batch()))
