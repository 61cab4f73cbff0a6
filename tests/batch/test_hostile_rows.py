"""Rows that would stop a job: each gives an error or nulls, and never an exception."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tracemalloc
import zlib
from typing import Any, get_args

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each

from feedcharset.batch import SCHEMA, decode_arrays, decode_batches
from feedcharset.batch.row_decoder import ErrorCode

MIB = 1 << 20


def row(body: bytes | None, content_type: str | None = None, **options: Any) -> dict[str, Any]:
    """The values for one body."""
    values: dict[str, Any] = decode_arrays(pa.array([body], pa.binary()), content_type, **options)[0].as_py()
    return values


def packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


@pytest.mark.parametrize(
    ("body", "options", "code", "error"),
    [
        (bytes(101), {"max_bytes": 99}, "too-large", "the body has 101 bytes, more than max_bytes=99"),
        (bytes(100), {"max_bytes": 99}, "too-large", "the body has more than max_bytes=99"),  # cut there
        (packed(bytes(9 * MIB)), {}, "gzip-ratio", "gzip grows more than 100:1 ("),
        (packed(bytes(2 * MIB)), {"ratio": 1}, "gzip-ratio", "gzip grows more than 1:1 ("),
        (packed(b"<a/>" * 99), {"max_bytes": 99}, "too-large", "the body unpacks to more than max_bytes=99"),
    ],
)
def test_what_is_too_large_is_an_error(
    body: bytes, options: dict[str, Any], code: ErrorCode, error: str
) -> None:
    found = row(body, **options)
    assert found["error"].startswith(error)
    assert error_only(found) == code


def error_only(found: dict[str, Any]) -> str | None:
    """The code of a row that has nothing besides the error."""
    assert [found[name] for name in ("text", "encoding", "declared", "rule", "repairs")] == [None] * 5
    code: str | None = found["error_code"]
    return code


ZLIB_BODIES = (b"<a/>", "".join(f"<a>{n * n}</a>" for n in range(5000)).encode())

NO_TEXT = [
    ("a gzip file inside gzip", packed(packed(b"<a/>"))),
    ("a zip archive inside gzip", packed(b"PK\x03\x04")),
    ("a zip archive", b"PK\x03\x04"),
    ("a zstd file", pa.compress(b"<a/>", "zstd", asbytes=True)),
    ("a bzip2 file", bz2.compress(b"<a/>")),
    ("a bzip2 file", bz2.compress(b"")),
    ("an xz file", lzma.compress(b"<a/>")),
    *(("a zlib file", zlib.compress(body, level)) for body in ZLIB_BODIES for level in (0, 1, 6, 9)),
    ("a zlib file", zlib.compress(ZLIB_BODIES[0])[:-2]),
    ("a 7z archive", b"7z\xbc\xaf\x27\x1c\0\4"),
    ("a rar archive", b"Rar!\x1a\x07\x01\0"),
    ("an lz4 file", b"\x04\x22\x4d\x18\x64\x40"),
    ("a tar archive", b"feed.xml".ljust(257, b"\0") + b"ustar\x0000"),
    ("a PDF document", b"%PDF-1.7\n"),
    ("a PNG image", b"\x89PNG\r\n\x1a\n\0\0"),
    ("a JPEG image", b"\xff\xd8\xff\xe0\0\x10JFIF"),
    ("a GIF image", b"GIF89a\1\0\1\0"),
    ("a Netpbm image", b"P6 2 1 255 \xff\xfe\xfd\xfc\xfb\xfa"),
    ("a Netpbm image", b"P4\n# made by a scanner\n8 1\n\xff"),
    ("a WebP image", b"RIFF\x1a\0\0\0WEBPVP8L"),
    ("an icon", b"\0\0\1\0\1\0\x10\x10"),
    ("a BMP image", b"BM\x46\0\0\0\0\0\0\0\x36"),
    ("a TIFF image", b"II*\0\x08\0\0\0"),
    ("audio or video", b"ID3\x03\0"),
    ("audio or video", b"OggS\0\2"),
    ("audio or video", b"\0\0\0\x18ftypmp42"),
    ("a program", b"\x7fELF\2\1\1"),
]


@each(("what", "body"), NO_TEXT)
def test_what_holds_no_text_is_an_error(what: str, body: bytes) -> None:
    for options in ({}, {"lenient": False}):
        found = row(body, "application/rss+xml", **options)
        assert error_only(found) == "no-text"
        packed = "file" in what or "archive" in what
        assert found["error"] == f"the body is {what}, not XML" + "; unpack it first" * packed


@each("text", ["BMW <a/>", "II* ", "Rar!", "ID3 tags", "GIF is an image", "PK", "%PDF", "RIFF", "x^2", "x^"])
@each("encoding", ["utf-8", "utf-16", "utf-16-be", "utf-32", "cp037"])
def test_text_that_begins_almost_like_it_is_text(text: str, encoding: str) -> None:
    body = f"{text}<a/>{'x' * 300}".encode(encoding)
    assert row(body)["text"] is not None


def test_gzip_is_unpacked() -> None:
    found = row(packed(b"<a>") + packed("é</a>".encode()), "application/gzip")
    assert (found["text"], found["encoding"], found["error"]) == ("<a>é</a>", "UTF-8", None)
    assert set(row(packed(b""), lenient=False).values()) == {None}
    short = packed(b"<a>" + bytes(MIB - 10))
    assert row(short)["error"] is None  # any ratio, up to a MiB


def test_a_broken_gzip_file_gives_what_there_is_and_an_error() -> None:
    text = "".join(f"<a>{number}</a>" for number in range(900))
    found = row(packed(text.encode())[:-600])
    assert text.startswith(found["text"])
    size = len(found["text"])
    assert (size > 1000, found["repairs"], found["error_code"]) == (True, 1, "gzip-broken")
    assert found["error"] == f"the gzip member is cut off; {size} bytes could be read, which are the text"
    found = row(packed("<a>né né</a>".encode() + b"<a>caf\xe9 </a>" + text.encode())[:-600])
    assert (found["repairs"], found["error_code"]) == (2, "gzip-broken")  # a byte, and the end


def test_a_wrong_checksum_of_gzip_ends_no_text() -> None:
    data = packed(b"<a>x</a>")
    for changed in (data[:-8] + b"\0\0\0\0" + data[-4:], data[:-4] + b"\0\0\0\0", data[:-3]):
        found = row(changed)
        assert (found["text"], found["error_code"]) == ("<a>x</a>", "gzip-broken")
        assert found["error"].endswith("; 8 bytes could be read, which are the text")


@pytest.mark.parametrize("options", [{}, {"lenient": False}])
def test_other_bytes_behind_gzip_are_an_error_beside_the_text(options: dict[str, Any]) -> None:
    found = row(packed(b"<a>x</a>") + b"<b/>\xff", **options)
    assert (found["text"], found["repairs"], found["error_code"]) == ("<a>x</a>", 0, "gzip-broken")
    assert found["error"] == "bytes that are no gzip follow the gzip data, and are ignored"
    assert row(packed(b"<a>x</a>") + bytes(99))["error"] is None  # padding


@pytest.mark.parametrize("options", [{}, {"lenient": False}])
def test_a_broken_gzip_file_without_a_byte_is_no_empty_body(options: dict[str, Any]) -> None:
    found = row(packed(b"<a/>" * 99)[:11], **options)
    assert found["error"].endswith(" is cut off; 0 bytes could be read")
    assert error_only(found) == "gzip-broken"


@pytest.mark.parametrize("options", [{}, {"lenient": False}])
@pytest.mark.parametrize("rest", [b"<a>lost</a>", b"\xff", b"\0\0<a/>", b"\n"])
def test_nothing_in_gzip_and_other_bytes_behind_it_are_no_empty_body(rest: bytes, options: Any) -> None:
    found = row(packed(b"") + rest, **options)
    assert error_only(found) == "gzip-broken"
    whole = row(packed(b"") + bytes(9), **options)
    assert (whole["text"], whole["error"]) == (None, None)


def test_a_broken_gzip_file_is_an_error_when_strict() -> None:
    found = row(packed(b"<a/>" * 99)[:-4], lenient=False)
    assert "gzip member is cut off" in found["error"]
    assert error_only(found) == "gzip-broken"


STRICT = [
    (b'\xef\xbb\xbf<?xml version="1.0" encoding="gbk"?><a/>', None, None, "gbk", "1.4", "rule 1.4"),
    (b"<a/>", "text/html", None, None, "2.6", "text/html"),
    (b'<?xml version="1.0" encoding="nix"?><a/>', None, None, "nix", "1.2", "'nix'"),
    (b'<?xml version="1.0" encoding="utf8"?><a>\xff</a>', None, "UTF-8", "utf8", "1.2", "byte 40"),
    (b"<a>\xff</a>", None, "UTF-8", None, "1.0", "byte 3"),
    (b"<a>\xff</a>", "text/xml", "US-ASCII", None, "2.1", "byte 3"),
]


@pytest.mark.parametrize(("body", "content_type", "encoding", "declared", "rule", "part"), STRICT)
def test_strict_refusals_are_errors_with_their_rule(
    body: bytes, content_type: str | None, encoding: str | None, declared: str | None, rule: str, part: str
) -> None:
    found = row(body, content_type, lenient=False)
    assert part in found["error"]
    assert [found[name] for name in ("text", "encoding", "declared", "rule")] == [
        None,
        encoding,
        declared,
        rule,
    ]
    assert found["error_code"] == ("undecodable" if "byte" in part else "refused")


def test_the_label_of_the_declaration_has_a_column() -> None:
    assert (
        row(b"<?xml version='1.0' encoding='KOI8-R'?><a/>", "text/xml; charset=utf-8")["declared"] == "KOI8-R"
    )
    assert row(b"<a/>")["declared"] is None
    hostile = "<?xml version='1.0' encoding='\ud800\u202e'?><a/>".encode("utf-16-le", "surrogatepass")
    assert row(b"\xff\xfe" + hostile)["declared"] == "\ufffd\u202e"  # data, as the text is
    assert row(b"\xff\xfe" + hostile, lenient=False)["declared"] == "\ufffd\u202e"


def test_errors_strict_is_an_error_too() -> None:
    found = row(b"<a>\xff</a>", encoding="utf-8", errors="strict")
    assert (found["text"], found["encoding"], found["rule"]) == (None, "utf-8", "forced")
    assert "byte 3" in found["error"]
    assert found["error_code"] == "undecodable"


def test_a_hostile_label_cannot_act_and_cannot_grow() -> None:
    label = "\u202e\x1b[2J" + "x" * 5000
    found = row(b"<a/>", f'text/xml; charset="{label}"', lenient=False)
    assert found["text"] is None
    assert len(found["error"]) < 3000
    assert found["error"].isprintable()


def test_a_detector_that_fails_costs_its_row_only() -> None:
    def detector(data: bytes) -> str:
        raise RuntimeError("no model" + "!" * 600)

    body = "<a>Привет, мир, как дела сегодня</a>".encode("cp1251")
    found = decode_arrays(pa.array([body, b"<a/>"]), detector=detector).to_pylist()
    assert found[0]["error"].startswith("RuntimeError: no model!!")
    assert found[0]["error"].endswith("!...")
    assert (len(found[0]["error"]), found[1]["text"]) == (503, "<a/>")
    assert error_only(found[0]) == "failed"


def test_want_of_memory_is_no_error_of_a_row() -> None:
    """Another run may have more."""

    def detector(data: bytes) -> str:
        raise pa.ArrowMemoryError

    with pytest.raises(MemoryError):
        decode_arrays(pa.array(["<a>Привет, мир, как дела</a>".encode("cp1251")]), detector=detector)


def test_the_codes_are_a_closed_set() -> None:
    """Each is given by a test of this file, and the documentation of the set names them."""
    assert (
        *("too-large", "gzip-ratio", "gzip-broken", "coding-broken"),
        *("no-text", "refused", "undecodable", "failed"),
    ) == get_args(ErrorCode)


def test_a_lone_surrogate_becomes_u_fffd() -> None:
    """Arrow strings are UTF-8, and UTF-8 has no surrogates."""
    found = row(b"\xff\xfe" + "<a>\ud83c</a>".encode("utf-16-le", "surrogatepass"))
    assert (found["text"], found["repairs"]) == ("<a>\ufffd</a>", 1)


@each("content_type", [None, "", "text/xml", "text/html", "image/png", "x; charset=nix"])
@each("options", [{}, {"lenient": False}, {"encoding": "koi8-r", "errors": "strict"}], ids=str)
def test_an_empty_body_gives_nulls(content_type: str | None, options: dict[str, Any]) -> None:
    """Also where strict reading has no answer for its Content-Type."""
    assert set(row(b"", content_type, **options).values()) == {None}
    assert row(b"<a/>", "text/xml", **options)["text"] == "<a/>"


def test_a_hundred_thousand_empty_bodies() -> None:
    found = decode_arrays(pa.array([b""] * 100_000))
    assert [column.null_count for column in found.flatten()] == [100_000] * len(SCHEMA)


def test_a_body_over_the_limit_is_refused_without_a_copy() -> None:
    size = (64 << 20) + 1
    offsets = pa.array([0, 4, size + 4, size + 8], pa.int32()).buffers()[1]
    data = pa.allocate_buffer(size + 8)
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
    assert found["error"][1].as_py() == "the body has more than max_bytes=67108864"
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


@pytest.mark.parametrize("count", [1, 20])
def test_text_of_more_than_two_gibibytes(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """One array holds it as large_string; batches are split before. The limits are lowered for the test."""
    monkeypatch.setattr("feedcharset.batch.arrays.STRING_LIMIT", 1000)
    monkeypatch.setattr("feedcharset.batch.arrays.BYTES_AT_ONCE", 900)
    body = b"<a>" + b"\xe9" * 600
    found = decode_arrays(pa.array([body] * count), "text/xml; charset=iso-8859-1")
    assert found.type.field("text").type == pa.large_string()
    assert {len(text) for text in found.field("text").to_pylist()} == {603}


def test_a_piece_is_bounded_by_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where gzip grows."""
    monkeypatch.setattr("feedcharset.batch.arrays.TEXT_BYTES_AT_ONCE", 2500)
    rows = pa.record_batch({"body": pa.array([gzip.compress(b"<a>" + b"x" * 997)] * 5)})
    assert [batch.num_rows for batch in decode_batches([rows])] == [2, 2, 1]


def test_a_limit_that_a_string_column_cannot_keep_is_refused() -> None:
    rows = pa.record_batch({"body": pa.array([b"<a/>"])})
    for most in (512 << 20, (512 << 20) + 1):
        for batch in (rows, rows.cast(pa.schema({"body": pa.large_binary()}))):
            if most > 512 << 20 and batch is rows:
                with pytest.raises(ValueError, match="pass the bodies as large_binary"):
                    list(decode_batches([batch], max_bytes=most))
            else:
                assert next(decode_batches([batch], max_bytes=most))["text"].to_pylist() == ["<a/>"]


UNITS = st.sampled_from(
    [
        *(b"\xed\xa0\x80", b"\xed\xb0\x80", b"\x00\xd8", b"\xd8\x00", b"\x00\xdc", b"\x00\x00\xd8\x00"),
        *(b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"<a>", b"<\0", b"\0<", b"\xe9", b"x"),
        b"<?xml encoding='\xed\xa0\x80'?>",
    ]
)
LABELS = st.sampled_from(["utf-8", "utf-16", "utf-16be", "utf-32", "cesu-8", "gb18030", "koi8-r", ""])


@given(st.lists(UNITS, max_size=12).map(b"".join), LABELS, st.booleans())
def test_no_row_holds_a_lone_surrogate(body: bytes, label: str, lenient: bool) -> None:
    """Arrow strings are UTF-8, and UTF-8 has none: a text that held one would fail its row, or the job."""
    found = row(body, f"text/xml; charset={label}", lenient=lenient)
    assert found["error_code"] != "failed"
