"""Rows that would stop a job: each gives an error or nulls, and never an exception."""

from __future__ import annotations

import gzip
import tracemalloc
from typing import Any

import pyarrow as pa
import pytest

from feedcharset.batch import SCHEMA, decode_arrays, decode_batches

MIB = 1 << 20


def row(body: bytes | None, content_type: str | None = None, **options: Any) -> dict[str, Any]:
    """The values for one body."""
    values: dict[str, Any] = decode_arrays(pa.array([body], pa.binary()), content_type, **options)[0].as_py()
    return values


def packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


@pytest.mark.parametrize(
    ("body", "options", "error"),
    [
        (bytes(100), {"max_bytes": 99}, "the body has 100 bytes, more than max_bytes=99"),
        (packed(bytes(9 * MIB)), {}, "gzip grows more than 100:1 ("),
        (packed(bytes(2 * MIB)), {"ratio": 1}, "gzip grows more than 1:1 ("),
        (packed(b"<a/>" * 100), {"max_bytes": 99}, "the body unpacks to more than max_bytes=99"),
        (packed(packed(b"<a/>")), {}, "the body is a gzip file inside gzip, not XML; unpack it first"),
        (packed(b"PK\x03\x04"), {}, "the body is a zip archive, not XML; unpack it first"),
        (b"PK\x03\x04", {}, "the body is a zip archive, not XML; unpack it first"),
        (b"\x28\xb5\x2f\xfd", {}, "the body is a zstd file, not XML; unpack it first"),
    ],
)
def test_what_is_too_large_or_packed_is_an_error(body: bytes, options: dict[str, Any], error: str) -> None:
    found = row(body, **options)
    assert found["error"].startswith(error)
    assert [found[name] for name in ("text", "encoding", "rule", "repairs")] == [None] * 4


def test_gzip_is_unpacked() -> None:
    found = row(packed(b"<a>") + packed("é</a>".encode()), "application/gzip")
    assert (found["text"], found["encoding"], found["error"]) == ("<a>é</a>", "UTF-8", None)
    short = packed(b"<a>" + bytes(MIB - 10))
    assert row(short)["error"] is None  # any ratio, up to a MiB


def test_a_broken_gzip_file_gives_what_there_is_and_counts_it() -> None:
    text = "".join(f"<a>{number}</a>" for number in range(900))
    found = row(packed(text.encode())[:-600])
    assert text.startswith(found["text"])
    assert (len(found["text"]) > 1000, found["repairs"], found["error"]) == (True, 1, None)


def test_a_broken_gzip_file_is_an_error_when_strict() -> None:
    assert "gzip member is cut off" in row(packed(b"<a/>" * 99)[:-4], lenient=False)["error"]


STRICT = [
    (b'\xef\xbb\xbf<?xml version="1.0" encoding="gbk"?><a/>', None, None, "1.4", "rule 1.4"),
    (b"<a/>", "text/html", None, "2.6", "text/html"),
    (b'<?xml version="1.0" encoding="nix"?><a/>', None, None, "1.2", "'nix'"),
    (b"<a>\xff</a>", None, "UTF-8", "1.0", "byte 3"),
    (b"<a>\xff</a>", "text/xml", "US-ASCII", "2.1", "byte 3"),
]


@pytest.mark.parametrize(("body", "content_type", "encoding", "rule", "part"), STRICT)
def test_strict_refusals_are_errors_with_their_rule(
    body: bytes, content_type: str | None, encoding: str | None, rule: str, part: str
) -> None:
    found = row(body, content_type, lenient=False)
    assert part in found["error"]
    assert (found["text"], found["encoding"], found["rule"]) == (None, encoding, rule)


def test_errors_strict_is_an_error_too() -> None:
    found = row(b"<a>\xff</a>", encoding="utf-8", errors="strict")
    assert (found["text"], found["rule"]) == (None, "forced")
    assert "byte 3" in found["error"]


def test_a_hostile_label_cannot_act_and_cannot_grow() -> None:
    label = "\u202e\x1b[2J" + "x" * 5000
    found = row(b"<a/>", f'text/xml; charset="{label}"', lenient=False)
    assert found["text"] is None
    assert len(found["error"]) < 3000
    assert found["error"].isprintable()


def test_a_detector_that_fails_costs_its_row_only() -> None:
    def detector(data: bytes) -> str:
        raise RuntimeError("no model")

    body = "<a>Привет, мир, как дела сегодня</a>".encode("cp1251")
    found = decode_arrays(pa.array([body, b"<a/>"]), detector=detector).to_pylist()
    assert (found[0]["error"], found[1]["text"]) == ("RuntimeError: no model", "<a/>")


def test_a_lone_surrogate_becomes_u_fffd() -> None:
    """Arrow strings are UTF-8, and UTF-8 has no surrogates."""
    found = row(b"\xff\xfe" + "<a>\ud83c</a>".encode("utf-16-le", "surrogatepass"))
    assert (found["text"], found["repairs"]) == ("<a>\ufffd</a>", 1)


@pytest.mark.parametrize("content_type", [None, "", "text/xml", "text/html", "image/png", "x; charset=nix"])
@pytest.mark.parametrize(
    "options", [{}, {"lenient": False}, {"encoding": "koi8-r", "errors": "strict"}], ids=str
)
def test_an_empty_body_gives_nulls(content_type: str | None, options: dict[str, Any]) -> None:
    """Also where strict reading has no answer for its Content-Type."""
    assert set(row(b"", content_type, **options).values()) == {None}
    assert row(b"<a/>", "text/xml", **options)["text"] == "<a/>"


def test_a_hundred_thousand_empty_bodies() -> None:
    found = decode_arrays(pa.array([b""] * 100_000))
    assert [column.null_count for column in found.flatten()] == [100_000] * len(SCHEMA)


def test_a_body_of_a_gibibyte_is_refused_without_a_copy() -> None:
    offsets = pa.array([0, 4, (1 << 30) + 4, (1 << 30) + 8], pa.int32()).buffers()[1]
    data = pa.allocate_buffer((1 << 30) + 8)
    memoryview(data).cast("B")[:4] = memoryview(data).cast("B")[-4:] = b"<a/>"
    bodies = pa.Array.from_buffers(pa.binary(), 3, [None, offsets, data])
    tracemalloc.start()
    try:
        pieces = list(decode_batches([pa.record_batch({"body": bodies})]))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    found = pa.Table.from_batches(pieces)
    assert found["text"].to_pylist() == ["<a/>", None, "<a/>"]
    assert found["error"][1].as_py() == "the body has 1073741824 bytes, more than max_bytes=67108864"
    assert peak < 16 * MIB


def test_a_dictionary_is_not_unfolded() -> None:
    """A thousand rows that name the same body of a MiB, and the same long Content-Type."""
    body = pa.DictionaryArray.from_arrays(pa.array([0] * 1000), pa.array([b"<a/>" * (MIB // 4)]))
    header = pa.DictionaryArray.from_arrays(pa.array([0] * 1000), pa.array(["text/xml;" + "x" * MIB]))
    tracemalloc.start()
    try:
        batches = decode_batches([pa.record_batch({"body": body, "content_type": header})])
        first = next(batches)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert first.num_rows == 8
    assert peak < 32 * MIB


def test_text_of_more_than_two_gibibytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """One array holds it as large_string; batches are split before. The limit is lowered for the test."""
    monkeypatch.setattr("feedcharset.batch.output_columns.TEXT_LIMIT", 1000)
    found = decode_arrays(pa.array([b"<a>" + b"\xe9" * 600]), "text/xml; charset=iso-8859-1")
    assert found.type.field("text").type == pa.large_string()
    assert len(found[0]["text"].as_py()) == 603
