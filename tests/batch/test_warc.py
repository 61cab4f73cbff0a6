"""`read_warc`: which responses are taken, their columns, and archives that are damaged."""

from __future__ import annotations

import base64
import gzip
import io
import random
import re
import zlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import make_archive
import pyarrow as pa
import pytest
from fastwarc import stream_io
from making.archive import Exchange, archive
from making.crawl import crawl, is_right
from support.cases import FIXTURES
from support.each import each

from feedcharset.adapters.xml_responses import HEAD_BYTES, head_of
from feedcharset.batch import decode_batch, decode_batches, output_schema, read_warc, warc
from feedcharset.batch.row_decoder import IGNORED
from feedcharset.batch.row_selection import NAMED_CONDITIONS, CrawlRow, is_xml
from feedcharset.batch.warc import MOST_CODINGS, STREAM_PIECE, WARC_SCHEMA
from feedcharset.fetch.gunzip import Gunzip

OK = b"HTTP/1.1 200 OK\r\nContent-Type: "
FEED = "<?xml version='1.0' encoding='windows-1251'?><rss><title>Привет</title></rss>".encode("cp1251")
URL = "https://example.org/feed"


def response(body: bytes = FEED, header: bytes = OK + b"text/xml", **more: Any) -> Exchange:
    return Exchange(URL, header, body, **more)


def rows(data: bytes, **options: Any) -> list[dict[str, Any]]:
    return [row for batch in read_warc(io.BytesIO(data), **options) for row in batch.to_pylist()]


@pytest.mark.parametrize("packed", [False, True])
def test_the_columns(packed: bool, tmp_path: Path) -> None:
    path = tmp_path / "crawl.warc"  # the name does not matter
    path.write_bytes(archive(response(payload_type="application/rss+xml", truncated="length"), packed=packed))
    (batch,) = read_warc(path)
    assert batch.schema == WARC_SCHEMA
    assert batch.to_pylist() == [
        {
            "url": URL,
            "date": datetime(2026, 11, 20, 9, 0, 0, tzinfo=UTC),
            "status": 200,
            "content_type": "text/xml",
            "payload_type": "application/rss+xml",
            "record_id": "<urn:uuid:00000000-0000-4000-8000-000000000000>",
            "truncated": "length",
            "coding_error": None,
            "body": FEED,
        }
    ]


def test_two_lines_from_an_archive_to_text() -> None:
    data = archive(*[response()] * 3)
    (batch,) = decode_batches(read_warc(io.BytesIO(data)))
    assert [row["text"].count("Привет") for row in batch.to_pylist()] == [1, 1, 1]
    assert batch["truncated"].to_pylist() == [None] * 3
    assert set(batch["encoding"].to_pylist()) == {"windows-1251"}


class Pipe:
    """A stream that can be read, and nothing else."""

    def __init__(self, data: bytes) -> None:
        self.read = io.BytesIO(data).read


def test_a_stream_that_cannot_seek() -> None:
    found = read_warc(Pipe(archive(response())))  # type: ignore[arg-type]
    assert [row["body"] for batch in found for row in batch.to_pylist()] == [FEED]
    with pytest.raises(OSError, match=r"the stream: (?:holds no WARC record|damaged)"):
        list(read_warc(Pipe(b"no archive" * 99)))  # type: ignore[arg-type]


@each("packed", [True, False])
@each("first", range(1, 12))
def test_a_pipe_whose_first_read_is_short(first: int, packed: bool) -> None:
    """FastWARC knows the compression by the first four bytes, and took fewer for no archive."""

    class Short(Pipe):
        def __init__(self, data: bytes) -> None:
            file = io.BytesIO(data)
            self.read = lambda size: file.read(size if file.tell() else min(size, first))

    found = read_warc(Short(archive(response(), packed=packed)))  # type: ignore[arg-type]
    assert [row["body"] for batch in found for row in batch.to_pylist()] == [FEED]


@each("size", [1, 1000])
@each("coding", ["", "Content-Encoding: gzip\r\n", "Transfer-Encoding: chunked\r\n"])
@each("interim", ["100 Continue\r\n", "100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n"])
def test_the_final_response_behind_interim_ones(interim: str, coding: str, size: int) -> None:
    document = FEED.replace(b"<rss>", b"<rss>" + b"<item/>" * size)
    body = gzip.compress(document) if "gzip" in coding else document
    if "chunked" in coding:
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    header = f"HTTP/1.1 {interim}\r\nHTTP/1.1 404 Not Found\r\n{coding}Content-Type: text/xml".encode()
    found = rows(archive(Exchange(URL, header, body), response()))
    assert (found[0]["status"], found[0]["content_type"]) == (404, "text/xml")
    assert [row["body"] for row in found] == [document, FEED]


def test_an_interim_response_without_a_final_one() -> None:
    problems: list[str] = []
    exchanges = (Exchange(URL, b"HTTP/1.1 101 Switching Protocols", one) for one in (b"", b"\x81\x05hello"))
    found = rows(archive(*exchanges, response()), wanted=lambda row: True, on_error=problems.append)
    assert [(row["status"], row["body"]) for row in found][:2] == [(101, b""), (101, b"\x81\x05hello")]
    assert (found[2]["body"], problems) == (FEED, [])


def test_what_the_stream_raises_is_raised() -> None:
    class Stop(Exception):
        pass

    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise Stop

    with pytest.raises(Stop):
        list(read_warc(Broken()))  # type: ignore[arg-type]


def test_a_file_is_read_without_python_code_that_fastwarc_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FastWARC panics where that code raises: Ctrl-C there became a damaged archive."""
    monkeypatch.setattr("feedcharset.batch.warc._CountedStream", None)
    path = tmp_path / "crawl.warc"
    path.write_bytes(archive(response()))
    assert [row["body"] for batch in read_warc(path) for row in batch.to_pylist()] == [FEED]


def test_a_defect_of_the_parser_ends_the_archive_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panic of Rust code is no Exception."""

    class PanicException(BaseException):
        pass

    class Reader:
        def __init__(self, stream: object) -> None:
            pass

        frame_start_position = staticmethod(int)

        def read(self, size: int) -> bytes:
            raise PanicException(*message)

    monkeypatch.setattr("fastwarc.stream_io.GzipReader", Reader)
    message: list[str] = []
    problems: list[str] = []
    assert rows(archive(response()), on_error=problems.append) == []
    assert problems == ["damaged after byte 0: FastWARC failed"]
    message.append("PyObject pointer is null")  # Python had no memory: the archive may be whole
    with pytest.raises(MemoryError):
        rows(archive(response()), on_error=print)


def test_batches_have_about_as_many_bytes_as_wanted() -> None:
    data = archive(*[response(FEED + b" " * 1000)] * 10)
    assert [batch.num_rows for batch in read_warc(io.BytesIO(data), batch_bytes=3000)] == [3, 3, 3, 1]


HEADERS = [
    (b"HTTP/1.1 200 OK", 200, ""),
    (b"HTTP/1.0 404 Not Found\r\ncontent-TYPE:  text/xml ; charset=x", 404, "text/xml ; charset=x"),
    (OK + b"text/xml\r\nContent-Type: text/xml;charset=\xe9", 200, "text/xml, text/xml;charset=é"),
    (b"HTTP/1.1 OK\r\nContent-Type: text/xml", None, "text/xml"),
    (b"HTTP/1.1  200 OK\r\nContent-Type: text/xml", 200, "text/xml"),
    (b"HTTP/1.1 200OK\r\nContent-Type: text/xml", 200, "text/xml"),
    (b"HTTP/1.1 20000 OK\r\nContent-Type: text/xml", None, "text/xml"),
]


def test_the_address_that_wget_writes_between_brackets() -> None:
    data = archive(response(), packed=False).replace(URL.encode(), b"<%b>" % URL.encode())
    assert [row["url"] for row in rows(data, wanted=lambda row: row.url == URL)] == [URL]


DATES = {
    # WARC 1.1 allows less than a second.
    **dict.fromkeys(
        (b"2024", b"2024-01", b"2024-01-01", b"2024-01-01T00:00Z"), datetime(2024, 1, 1, tzinfo=UTC)
    ),
    b"2024-02-29": datetime(2024, 2, 29, tzinfo=UTC),
    b"2024-12": datetime(2024, 12, 1, tzinfo=UTC),
    b"2024-02-29T23:59:59.5Z": datetime(2024, 2, 29, 23, 59, 59, 500_000, tzinfo=UTC),
    **dict.fromkeys((b"9999-12-31T23:59:59-01:00", b"0001-01-01T00:00:00+23:59")),  # none in UTC
    **dict.fromkeys(
        (b"", b"202", b"2024-", b"2024-1", b"2024-13", b"2023-02-29", b"20240101", b"2024-W01-1")
    ),
    **dict.fromkeys((b"2024-01-01T00:00:00", b"2024-01-01T", b"0000", "２０２４".encode())),
}


@each("date", DATES)
def test_the_date_of_a_record(date: bytes) -> None:
    data = re.sub(rb"(WARC-Date: )[^\r]*", rb"\g<1>" + date, archive(response(), packed=False))
    assert [row["date"] for row in rows(data)] == [DATES[date]]


@pytest.mark.parametrize("source", [b"WARC/1.0", bytearray(b"WARC/1.0"), None, 3])
def test_what_is_no_source_is_refused(source: Any) -> None:
    with pytest.raises(TypeError, match=r"is no path or stream; pass bytes as io.BytesIO\(data\)$"):
        list(read_warc(source))


@pytest.mark.parametrize(("header", "status", "content_type"), HEADERS)
def test_the_http_header(header: bytes, status: int | None, content_type: str) -> None:
    (row,) = rows(archive(response(header=header)))
    assert (row["status"], row["content_type"], row["body"]) == (status, content_type, FEED)


PACKED_TWICE = zlib.compress(gzip.compress(FEED, mtime=0))
CODINGS = {
    "none": (b"", FEED),
    "identity": (b"\r\nContent-Encoding: identity", FEED),
    "gzip": (b"\r\nContent-Encoding: gzip", gzip.compress(FEED, mtime=0)),
    "x-gzip, two members": (
        b"\r\nContent-Encoding: x-gzip",
        gzip.compress(FEED[:9]) + gzip.compress(FEED[9:]),
    ),
    "deflate": (b"\r\nContent-Encoding: deflate", zlib.compress(FEED)),
    "deflate without header": (b"\r\nContent-Encoding: deflate", zlib.compress(FEED, wbits=-15)),
    "gzip twice": (b"\r\nContent-Encoding: gzip, gzip", gzip.compress(gzip.compress(FEED, mtime=0))),
    "four codings": (
        b"\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip, deflate, identity",
        b"%x\r\n%b\r\n0\r\n\r\n" % (len(PACKED_TWICE), PACKED_TWICE),
    ),
    "chunked": (b"\r\nTransfer-Encoding: chunked", b"%x\r\n%b\r\n0\r\n\r\n" % (len(FEED), FEED)),
    "chunked gzip": (
        b"\r\nTransfer-Encoding: Chunked\r\nContent-Encoding: gzip",
        b"%x\r\n%b\r\n0\r\n\r\n" % (len(gzip.compress(FEED, mtime=0)), gzip.compress(FEED, mtime=0)),
    ),
    "gzip in a transfer coding": (
        b"\r\nTransfer-Encoding: gzip, chunked",
        b"%x\r\n%b\r\n0\r\n\r\n" % (len(gzip.compress(FEED, mtime=0)), gzip.compress(FEED, mtime=0)),
    ),
    "two transfer codings": (
        b"\r\nTransfer-Encoding: deflate\r\nTransfer-Encoding: chunked",
        b"%x\r\n%b\r\n0\r\n\r\n" % (len(zlib.compress(FEED)), zlib.compress(FEED)),
    ),
    # The archive holds the body decoded, and the header as it was received.
    "gzip in name": (b"\r\nContent-Encoding: gzip", FEED),
    "deflate in name": (b"\r\nContent-Encoding: deflate", FEED),
    "br in name": (b"\r\nContent-Encoding: br", FEED),
    "zstd in name": (b"\r\nContent-Encoding: zstd", FEED),
    "chunked in name": (b"\r\nTransfer-Encoding: chunked", FEED),
    "unknown": (b"\r\nContent-Encoding: nix", FEED),
    "chunks with extensions": (
        b"\r\nTransfer-Encoding: chunked",
        b'5;a="b"\r\n%b\r\n%x ;c\r\n%b\r\n0\r\nTrailer: d\r\n\r\n' % (FEED[:5], len(FEED) - 5, FEED[5:]),
    ),
    "chunks in chunks": (
        b"\r\nTransfer-Encoding: chunked, chunked",
        b"%x\r\n%x\r\n%b\r\n0\r\n\r\n\r\n0\r\n\r\n" % (len(FEED) + 11, len(FEED), FEED),
    ),
    "chunked twice in name": (
        b"\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        b"%x\r\n%b\r\n0\r\n\r\n" % (len(FEED), FEED),
    ),
    "chunks without their end": (b"\r\nTransfer-Encoding: chunked", b"%x\r\n%b\r\n" % (len(FEED), FEED)),
    "a chunk that is cut": (b"\r\nTransfer-Encoding: chunked", b"fff\r\n" + FEED),
    "a line that is no size": (b"\r\nTransfer-Encoding: chunked", b"%x\r\n%b\r\n<x>\r\n" % (len(FEED), FEED)),
    "a line without end": (
        b"\r\nTransfer-Encoding: chunked",
        b"%x\r\n%b\r\n" % (len(FEED), FEED) + b"5" * 99_999,
    ),
}


def test_a_list_of_codings_unpacks_no_body_more_often_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cut body is unpacked to its end by each word; more words than the limit: by none."""
    unpacked: list[str] = []

    class Counted(Gunzip):
        def __init__(self, *args: Any, **options: Any) -> None:
            unpacked.extend(coding for name, coding in options.items() if name == "coding")
            super().__init__(*args, **options)

    monkeypatch.setattr(warc, "Gunzip", Counted)
    cut = gzip.compress(FEED)[:-8]
    for words, times in [(MOST_CODINGS, MOST_CODINGS), (MOST_CODINGS + 1, 0), (1_000, 0)]:
        unpacked.clear()
        header = b"\r\nContent-Encoding: " + b",".join([b"gzip"] * words)
        (row,) = rows(archive(response(cut, OK + b"text/xml" + header)))
        assert (row["body"], len(unpacked)) == (cut, times)


@each("coding", CODINGS)
def test_codings_are_removed(coding: str) -> None:
    header, body = CODINGS[coding]
    (row,) = rows(archive(response(body, OK + b"text/xml" + header)))
    assert row["body"] == FEED


def test_a_body_that_is_decoded_already_has_no_error() -> None:
    """Of several lines, too, under the header as it was received."""
    body = FEED.replace(b"><", b">\n<")
    assert body.count(b"\n") > 1
    for coding in (b"Transfer-Encoding: chunked", b"Content-Encoding: gzip", b"Content-Encoding: deflate"):
        (row,) = rows(archive(response(body, OK + b"text/xml\r\n" + coding)))
        assert (row["body"], row["coding_error"]) == (body, None), coding


def test_chunks_that_break_off_give_what_came() -> None:
    body = b"%x\r\n%b\r\nffff\r\nnot all" % (len(FEED), FEED)
    (row,) = rows(archive(response(body, OK + b"text/xml\r\nTransfer-Encoding: chunked")))
    assert row["body"].startswith(FEED)


@pytest.mark.parametrize("end", [b"", b"0\r\n\r\n", b"ffff\r\nnot all", b"\r\n"])
def test_chunks_that_break_off_are_told(end: bytes) -> None:
    body = b"%x\r\n%b\r\n%b" % (len(FEED), FEED, end)
    header = OK + b"text/xml\r\nTransfer-Encoding: chunked"
    errors = [row["coding_error"] for row in rows(archive(response(body, header), response()))]
    cut = "the body has chunked data that is cut off or damaged"
    assert errors == [cut if end[:1] != b"0" else None, None]


@pytest.mark.parametrize("size", [b"zz", b"g", b"0x22", b"", b"\r\n22"])
def test_a_first_chunk_size_that_is_damaged_is_told(size: bytes) -> None:
    """The last chunk shows that the body has chunks."""
    body = b"%b\r\n%b\r\n0\r\n\r\n" % (size, FEED)
    (row,) = rows(archive(response(body, OK + b"text/xml\r\nTransfer-Encoding: chunked")))
    assert row["coding_error"] == "the body has chunked data that is cut off or damaged"


@pytest.mark.parametrize(
    "end", [b"0\r\nX-T: 1\r\n\r\n", b"0\r\nX-T: 1\r\nY: 2\n", b"0\r\n\r\n", b"0\r\n", b"7\r\ncut"]
)
@pytest.mark.parametrize("first", [b"", b"s", b"x\r\n", b"\r\n", b"s84\r\n"])
def test_chunks_behind_a_first_line_that_is_damaged_are_told(first: bytes, end: bytes) -> None:
    """Whether the last one is whole, has a trailer, or is missing."""
    chunks = b"%x\r\n%b\r\n" % (len(FEED), FEED)
    body = first + chunks * 2 + end
    (row,) = rows(archive(response(body, OK + b"text/xml\r\nTransfer-Encoding: chunked")))
    is_damaged = first != b"" or end[:1] == b"7"
    what = "the body has chunked data that is cut off or damaged"
    assert row["coding_error"] == (what if is_damaged else None)


@pytest.mark.parametrize("body", [b"<a>\r\n10\r\nx</a>\r\n", b"<a>\r\n0\r\n</a>", b"<a>\r\n2\r\nxy</a>\r\n0"])
def test_numbers_in_a_body_that_was_decoded_are_no_sizes(body: bytes) -> None:
    (row,) = rows(archive(response(body, OK + b"text/xml\r\nTransfer-Encoding: chunked")))
    assert (row["body"], row["coding_error"]) == (body, None)


@pytest.mark.parametrize("coding", [b"", b"\r\nContent-Encoding: gzip", b"\r\nContent-Encoding: br"])
@pytest.mark.parametrize("line", [b"7d0\r\n", b"7d0\r", b"7d0;x=y\r\n", b" 17 \n", b"13a2", b"1"])
def test_chunks_that_break_off_behind_the_first_size_are_told(line: bytes, coding: bytes) -> None:
    (row,) = rows(archive(response(line, OK + b"text/xml\r\nTransfer-Encoding: chunked" + coding)))
    assert (row["body"], row["coding_error"]) == (b"", "the body has chunked data that is cut off or damaged")


@pytest.mark.parametrize("size", [b"0x0", b"0_0", b"-0", b"+0"])
def test_a_chunk_size_that_is_no_number_is_told(size: bytes) -> None:
    """Python's int() takes all of them."""
    body = b"%x\r\n%b\r\n%b\r\n\r\n" % (len(FEED), FEED, size)
    (row,) = rows(archive(response(body, OK + b"text/xml\r\nTransfer-Encoding: chunked")))
    assert row["coding_error"] == "the body has chunked data that is cut off or damaged"


@pytest.mark.parametrize(
    ("length", "error"),
    [
        (b"%d" % (len(FEED) + 1), f"the body has {len(FEED):,} of {len(FEED) + 1:,} bytes"),
        (b"7558, 7558", f"the body has {len(FEED):,} of 7,558 bytes"),
        (b"%d" % len(FEED), None),
        (b"3", None),  # what was unpacked is longer
        (b"many", None),
        (b"7558, 7559", None),
    ],
)
def test_a_body_that_is_shorter_than_its_content_length_is_told(length: bytes, error: str | None) -> None:
    for field in (b"", b"\r\nContent-Encoding: identity", b"\r\nContent-Encoding: utf-8"):
        header = OK + b"text/xml\r\nContent-Length: " + length + field
        (row,) = rows(archive(response(FEED, header)))
        assert (row["body"], row["coding_error"]) == (FEED, error)
    decoded = decode_batch(pa.RecordBatch.from_pylist([row], WARC_SCHEMA)).to_pylist()
    assert (decoded[0]["error_code"] is None) is (error is None)


@pytest.mark.parametrize("coding", ["compress", "lz4", "foo"])
def test_a_coding_that_cannot_be_removed_is_told(coding: str) -> None:
    field = OK + f"text/xml\r\nContent-Encoding: {coding}".encode()
    packed = random.Random(3).randbytes(500)
    for body, error in ((packed, "Content-Encoding that cannot be removed"), (FEED, "")):
        (row,) = rows(archive(response(body, field)), wanted=lambda row: True)
        assert row["body"] == body
        assert error in (row["coding_error"] or "")
        assert bool(error) is bool(row["coding_error"])


@pytest.mark.parametrize("coding", ["gzip", "deflate", "zstd"])
def test_a_coded_body_that_ends_between_two_members_is_told(coding: str) -> None:
    """Not one that was unpacked before it was archived."""
    one = {"gzip": gzip.compress, "deflate": zlib.compress, "zstd": pa.Codec("zstd").compress}[coding](FEED)
    one = bytes(one)
    field = OK + f"text/xml\r\nContent-Encoding: {coding}\r\nContent-Length: ".encode()
    for length, error in (
        (len(one) + 30, f"the body has {len(one):,} of {len(one) + 30:,} bytes"),
        (len(one), None),
    ):
        (row,) = rows(archive(response(one, field + b"%d" % length)))
        assert (row["body"], row["coding_error"]) == (FEED, error)
    (row,) = rows(archive(response(FEED, field + b"%d" % (len(FEED) + 30))))
    assert (row["body"], row["coding_error"]) == (FEED, None)


@pytest.mark.parametrize("coding", [b"identity", b"gzip", b"br"])
def test_an_empty_body_that_has_a_length_is_told(coding: bytes) -> None:
    header = OK + b"text/xml\r\nContent-Length: 7558\r\nContent-Encoding: " + coding
    (row,) = rows(archive(response(b"", header)))
    assert row["coding_error"] == "the body has 0 of 7,558 bytes"


def test_a_segment_of_a_body_is_told() -> None:
    whole = archive(response(), packed=False)
    part = whole.replace(b"WARC-Type:", b"WARC-Segment-Number: 1\r\nWARC-Type:")
    assert part != whole
    told = "the record is one of the segments of a body"
    assert [row["coding_error"] for row in rows(whole + part)] == [None, told]


@pytest.mark.parametrize(
    ("part", "is_whole"),
    [(b"0-10/500", False), (b"0-499/500", True), (b"1-499/500", False), (b"0-499/*", False), (b"", False)],
)
def test_a_part_of_a_document_is_told(part: bytes, is_whole: bool) -> None:
    header = b"HTTP/1.1 206 Partial Content\r\nContent-Type: text/xml\r\nContent-Range: bytes " + part
    (row,) = rows(archive(response(FEED, header)))
    told = None if is_whole else "the body is a part of the document"
    assert (row["body"], row["coding_error"]) == (FEED, told)


def test_brotli_and_zstd_are_removed() -> None:
    brotli = pytest.importorskip("brotli")
    (row,) = rows(archive(response(brotli.compress(FEED), OK + b"text/xml\r\nContent-Encoding: br")))
    assert row["body"] == FEED
    packed = pa.compress(FEED, codec="zstd", asbytes=True)
    (row,) = rows(archive(response(packed, OK + b"text/xml\r\nContent-Encoding: zstd")))
    assert row["body"] == FEED


@each(
    "packed",
    [gzip.compress(bytes(4 << 20), 1, mtime=0), b"%x\r\n" % (4 << 20) + bytes(4 << 20), bytes(4 << 20)],
)
@each("coding", [b"", b"\r\nContent-Encoding: gzip", b"\r\nTransfer-Encoding: chunked"], ids=str)
def test_a_body_that_is_too_large_is_refused_by_decoding(packed: bytes, coding: bytes) -> None:
    """It is cut one byte after the limit, or stays packed, so that decoding sees what it is."""
    data = archive(response(packed, OK + b"text/xml" + coding), response())
    batches = list(decode_batches(read_warc(io.BytesIO(data), max_bytes=1 << 20), max_bytes=1 << 20))
    first, second = [row for batch in batches for row in batch.to_pylist()]
    assert "more than" in first["error"] or "max_bytes" in first["error"] or first["text"] == ""
    assert "Привет" in second["text"]


CANDIDATES = [
    # content_type, payload_type, head, looks like XML, is a feed
    ("text/xml", None, b"", True, False),
    ("application/rss+xml; charset=x", None, b"", True, False),
    ("application/atom+xml", None, b"not XML", True, False),
    ("application/rss+xml", None, b"\xff\xd8\xff\xe0\0\x10JFIF", True, False),
    ("application/rss+xml", None, b"PK\x03\x04", True, False),
    ("application/rss+xml", None, b"%PDF-1.4 1 0 obj <</Type /Catalog>>", True, False),
    ("image/svg+xml", None, b"<svg>", True, False),
    ("application/xhtml+xml", None, b"<?xml version='1.0'?><html>", True, False),
    ("text/html", "application/rss+xml", b"<rss>", True, True),
    ("text/html", None, b"<?xml version='1.0'?>\n<rss version='2.0'>", True, True),
    ("text/html", None, b"\xef\xbb\xbf  <feed xmlns='x'>", True, True),
    ("text/plain", None, b"<!-- x --><RDF:rdf>", True, True),
    ("text/html", None, b"<?xml version='1.0'?><!-- was <html> --><rss>", True, True),
    ("text/html", None, b"<!-- <rss> --><!----><html>", False, False),
    ("text/html", None, b"<!--" * 1000 + b"<rss>", False, False),
    ("text/plain", None, b"<atom:feed xmlns:atom='x'>", True, True),
    ("text/plain", None, b"<!DOCTYPE rdf:RDF [<!ENTITY a 'b'>" + b"<!-- a -->" * 400, True, True),
    ("text/plain", None, b"<rss><description><![CDATA[<!DOCTYPE html><html>", True, True),
    ("", None, "\ufeff<?xml version='1.0'?><rss>".encode("utf-16-le"), True, True),
    ("", None, "<?xml version='1.0'?><feed>".encode("utf-16-be"), True, True),
    ("", None, "<?xml version='1.0'?><a>".encode("cp037"), True, False),
    ("", None, "<?xml version='1.0'?><rdf:RDF>".encode("cp500"), True, True),
    ("text/html", None, b"<urlset><url>", True, False),
    ("text/html", None, b"<?xml version='1.0'?><!DOCTYPE html><html>", False, False),
    ("text/html", None, b"<?xml version='1.0'?><!doctype\n HTML><rss>", True, True),
    ("application/rss+xml", None, b"<!DOCTYPE html PUBLIC 'x'>\n<rdf:RDF>", True, True),
    ("text/html", None, b"<html><rss>", False, False),
    ("text/html", None, b"<br />\n<b>Warning</b>: x<br />\n<rss version='2.0'>", True, True),
    (
        "text/html",
        None,
        b"<br />\n<b>Warning</b>: x<br />\n<?xml version='1.0'?>\n<feed xmlns='x'>",
        True,
        True,
    ),
    ("application/rss+xml", None, b"<br />\n<b>Warning</b>: x<br />\n<?xml?><rss version='2.0'>", True, True),
    ("", None, b"<b>Warning</b>: x<html><rss version='2.0'>", False, False),
    ("text/html", None, b"<!-- <rss version='2.0'> --><p>page", False, False),
    ("text/css", None, b"<br /><rss version='2.0'>", False, False),
    ("text/html", None, b"<div><rss>", False, False),
    ("application/json", None, b"{}", False, False),
    ("application/javascript", None, b"var x = '<rss>'", False, False),
    ("text/plain", None, b"about <feed> and <rss>", False, False),
    ("image/png", None, b"\x89PNG\r\n\x1a\n <feed xmlns='x'>", False, False),
    ("", None, "<?xml version='1.0'?><html>".encode("cp037"), False, False),
    ("text/plain", None, b"<?xml version='1.0'?><mail><body>", True, False),
    ("text/html", None, b"<b>Notice</b>: x<br /><?xml version='1.0'?><urlset xmlns='x'>", True, False),
    ("text/xml-like", None, b"xml", False, False),
    ("", None, b"", False, False),
]


@each(("content_type", "payload_type", "head", "xml", "feed"), CANDIDATES)
def test_what_looks_like_xml(
    content_type: str, payload_type: str | None, head: bytes, xml: bool, feed: bool
) -> None:
    candidate = CrawlRow(URL, 200, content_type, payload_type, head)
    assert (is_xml(candidate), NAMED_CONDITIONS["feed"](candidate)) == (xml, feed)


LONG_FEED = FEED + random.Random(1).randbytes(2 * HEAD_BYTES)
HEADS = {
    "short": (FEED, FEED),
    "long": (LONG_FEED, LONG_FEED[:HEAD_BYTES]),
    "empty": (b"", b""),
    "gzip": (gzip.compress(FEED), FEED),
    "gzip of nothing": (gzip.compress(b""), b""),
    "gzip that is cut": (gzip.compress(LONG_FEED)[:2000], None),
    "gzip that is longer than its head": (gzip.compress(LONG_FEED), None),
    "gzip that grows": (gzip.compress(bytes(64 << 20), 1), bytes(HEAD_BYTES)),
    "gzip in gzip": (gzip.compress(gzip.compress(FEED, mtime=0)), gzip.compress(FEED, mtime=0)),
    "two members": (gzip.compress(FEED[:9]) + gzip.compress(FEED[9:]), FEED),
    "no gzip after all": (b"\x1f\x8b\x08\xff", b"\x1f\x8b\x08\xff"),
}


@each("what", HEADS)
def test_the_head_of_gzip_is_what_it_holds(what: str) -> None:
    body, head = HEADS[what]
    if head is None:
        assert LONG_FEED.startswith(head_of(body))
        assert 1900 < len(head_of(body)) <= HEAD_BYTES
    else:
        assert head_of(body) == head


@pytest.mark.parametrize("content_type", [b"application/x-gzip", b"application/octet-stream", b"text/html"])
def test_a_feed_that_is_gzip_is_seen(content_type: bytes) -> None:
    packed = gzip.compress(FEED, mtime=0)
    for header, body in ((b"", packed), (b"\r\nContent-Encoding: gzip", gzip.compress(packed))):
        data = archive(response(body, OK + content_type + header), response(b"<html>", OK + content_type))
        for wanted in (is_xml, NAMED_CONDITIONS["feed"]):
            assert [row["body"] for row in rows(data, wanted=wanted)] == [packed]


def test_only_wanted_responses_are_taken() -> None:
    page = response(b"<html>", OK + b"text/html")
    request = Exchange(URL, b"GET / HTTP/1.1", b"", kind="request")
    data = archive(page, request, response(), page)
    assert [row["body"] for row in rows(data)] == [FEED]
    assert len(rows(data, wanted=lambda candidate: candidate.status == 200)) == 3
    seen: list[CrawlRow] = []
    assert rows(data, wanted=seen.append) == []
    assert seen[1] == CrawlRow(URL, 200, "text/xml", None, FEED)


def test_a_long_body_shows_its_head_first() -> None:
    long = FEED + bytes(9000)
    heads: list[int] = []

    def wanted(candidate: CrawlRow) -> bool:
        heads.append(len(candidate.head))
        return True

    assert [row["body"] for row in rows(archive(response(long), response()), wanted=wanted)] == [long, FEED]
    assert heads == [4096, len(FEED)]


@pytest.mark.parametrize("packed", [True, False])
def test_an_archive_that_is_cut_off_gives_what_was_read_and_then_raises(packed: bool) -> None:
    whole = archive(response(), response(FEED + bytes(range(256)) * 20), packed=packed)
    data = whole[:-300]
    batches = read_warc(io.BytesIO(data), batch_bytes=1)
    assert next(batches)["body"].to_pylist() == [FEED]
    with pytest.raises(OSError, match=r"cut off|damaged"):
        list(batches)
    problems: list[str] = []
    assert rows(data, on_error=problems.append)[0]["body"] == FEED
    assert len(problems) == 1


@pytest.mark.parametrize("packed", [True, False])
def test_a_file_that_is_cut_off_in_what_is_not_wanted(packed: bool, tmp_path: Path) -> None:
    """A broken download ends in a page or a request, most of the time."""
    path = tmp_path / "x.warc"
    first = archive(response(), packed=packed)
    page = response(b"<html>" + bytes(range(256)), OK + b"text/html")
    whole = first + archive(page, packed=packed)[len(archive(packed=packed)) :]
    for size in (len(first) + 20, len(first) + 200, len(whole) - 300, len(whole) - 1, len(whole)):
        path.write_bytes(whole[:size])
        problems: list[str] = []
        batches = list(read_warc(path, on_error=problems.append))
        assert [batch["body"].to_pylist() for batch in batches] == [[FEED]]
        assert len(problems) == (size < len(whole)), size
        assert all(re.match("cut off in (?:or after )?the record at byte ", problem) for problem in problems)
    path.write_bytes(first)
    assert len(list(read_warc(path))) == 1


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "none": bytes,
    "gzip": partial(gzip.compress, mtime=0),
    "zstd": partial(pa.compress, codec="zstd", asbytes=True),
    "lz4": partial(pa.compress, codec="lz4", asbytes=True),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("packing", "by_record"),
    [
        *(("none", True), ("gzip", True)),
        *(
            pytest.param(*row, marks=pytest.mark.long)
            for row in (("gzip", False), ("zstd", True), ("zstd", False), ("lz4", True), ("lz4", False))
        ),
    ],
)
def test_a_file_that_is_cut_off_anywhere(packing: str, by_record: bool, tmp_path: Path) -> None:
    """In a header FastWARC saw the end of an archive that is one member."""
    path = tmp_path / "x.warc"
    texts = [FEED + random.Random(seed).randbytes(20) for seed in range(2)]
    plain = archive(*map(response, texts), packed=False)
    starts = [found.start() for found in re.finditer(rb"WARC/1.1\r\n", plain)]
    records = [plain[start:end] for start, end in pairwise([*starts, len(plain)])]
    members = [*map(PACKINGS[packing], records if by_record else [plain])]
    whole, ends = b"".join(members), [*accumulate(map(len, members))]
    for size in range(ends[0] if by_record else 1, len(whole) + 1):
        path.write_bytes(whole[:size])
        for source in (path, *([Pipe(whole[:size])] if packing != "lz4" else ())):
            problems: list[str] = []
            batches = [*read_warc(source, on_error=problems.append)]  # type: ignore[arg-type]
            bodies = [body for batch in batches for body in batch["body"].to_pylist()]
            assert bool(problems) == (size not in ends), size
            if not problems:
                assert bodies == texts[: ends.index(size) if by_record else None]


def test_a_long_stream_ends_with_a_whole_member(tmp_path: Path) -> None:
    record = archive(response(FEED + random.Random(1).randbytes(STREAM_PIECE)), packed=False)
    first = gzip.compress(record)
    assert len(first) > STREAM_PIECE
    for end, is_cut in ((b"", False), (first[:40], True), (gzip.compress(record[:40]), True)):
        bodies, problems = told(first + end, tmp_path)
        assert (len(bodies), bool(problems)) == (1, is_cut)


@pytest.mark.parametrize("packing", ["none", "gzip"])
def test_a_stream_that_is_cut_off_in_what_is_not_wanted(packing: str) -> None:
    page = response(b"<html>\r\n\r\n<body>", OK + b"text/html")
    plain = archive(response(), page, packed=False)
    for end in (b"HTTP/1.1 200 OK", b"text/html\r\n\r\n", b"<html>\r\n\r\n"):
        problems: list[str] = []
        found = rows(PACKINGS[packing](plain[: plain.rindex(end) + len(end)]), on_error=problems.append)
        assert [row["body"] for row in found] == [FEED]
        assert [problem.partition("byte")[0] for problem in problems] == ["cut off in the record at "]


def test_one_member_that_holds_an_archive_that_was_cut_before(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    plain = archive(response(), response(), packed=False)
    for data in (plain[:-2], plain[: plain.rindex(b"WARC/") + 40]):
        path.write_bytes(gzip.compress(data))
        with pytest.raises(OSError, match="cut off in or after the record at byte"):
            list(read_warc(path))


@pytest.mark.parametrize(
    "media_type", [b"Application/HTTP; msgtype=response", b"application/http ;msgtype=response", b""]
)
def test_the_media_type_of_a_record_is_read_as_all_are(media_type: bytes) -> None:
    data = archive(response(), packed=False)
    field = b"Content-Type: application/http; msgtype=response\r\n"
    assert data.count(field) == 1
    changed = data.replace(field, b"Content-Type: " + media_type + b"\r\n" if media_type else b"")
    assert [row["body"] for row in rows(changed)] == [FEED]
    problems: list[str] = []
    wrong = data.replace(field, b"Content-Type: text/html\r\n")
    assert [row["body"] for row in rows(wrong, on_error=problems.append)] == [FEED]
    name_server = data.replace(field, b"Content-Type: text/dns\r\n").replace(URL.encode(), b"dns:example.org")
    assert (rows(name_server, on_error=problems.append), problems) == ([], [])


@pytest.mark.parametrize("coding", ["br", "zstd"])
def test_data_without_their_end_give_what_came_and_are_told(coding: str) -> None:
    numbers = b" ".join(b"%x" % (number * 7919 % 65536) for number in range(80_000))
    packed = pytest.importorskip("brotli").compress(numbers) if coding == "br" else b""
    packed = packed or pa.compress(numbers, codec="zstd", asbytes=True)
    header = OK + b"text/xml\r\nContent-Encoding: " + coding.encode()
    problems: list[str] = []
    found = rows(archive(response(packed[:-20], header), response()), on_error=problems.append)
    assert numbers.startswith(found[0]["body"])
    assert len(numbers) // 2 < len(found[0]["body"]) < len(numbers)
    assert found[1]["body"] == FEED
    assert found[0]["coding_error"] == f"the body has {coding} data that is cut off or damaged"
    assert (found[1]["coding_error"], problems) == (None, [])


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda data: pytest.importorskip("brotli").compress(data),
    "zstd": partial(pa.compress, codec="zstd", asbytes=True),
    "deflate": zlib.compress,
    "bare deflate": lambda data: zlib.compress(data)[2:-4],
}


@pytest.mark.parametrize("coding", ["deflate", "bare deflate"])
def test_short_packed_data_that_is_cut_is_never_text(coding: str) -> None:
    """It may have no control characters."""
    text = '<?xml version="1.0" encoding="ISO-8859-1"?><rss><title>Žižkov – přehled</title></rss>'
    packed = PACKERS[coding](text.encode())
    header = OK + b"text/xml\r\nContent-Encoding: deflate"
    data = archive(*[response(packed[:size], header) for size in range(1, len(packed))])
    decoded = [row for batch in decode_batches(read_warc(io.BytesIO(data))) for row in batch.to_pylist()]
    assert [row["error_code"] for row in decoded] == ["coding-broken"] * (len(packed) - 1)


@pytest.mark.parametrize("coding", PACKERS)
def test_packed_data_that_is_cut_anywhere_or_damaged_is_never_text(coding: str) -> None:
    items = "".join(f"<item><title>News {number} of the day</title></item>" for number in range(40))
    text = f"<rss>{items}</rss>"
    packed = PACKERS[coding](text.encode())
    header = OK + b"text/xml\r\nContent-Encoding: " + coding.split()[-1].encode()
    assert rows(archive(response(packed, header)))[0]["body"] == text.encode()
    bodies = [packed[:size] for size in range(1, len(packed))]
    bodies += [packed[:20] + b"\xff" * 9 + packed[29:], b"\xff" * 30]
    data = archive(*[response(body, header) for body in bodies])
    decoded = [row for batch in decode_batches(read_warc(io.BytesIO(data))) for row in batch.to_pylist()]
    assert [row["error_code"] for row in decoded] == ["coding-broken"] * len(bodies)
    found = [row["text"] or "" for row in decoded]
    assert all(map(text.startswith, found[:-2]))
    if coding != "zstd":  # one block
        assert len(found[-9]) > len(text) // 2


def in_chunks(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data)


@pytest.mark.long
@each("coding", ["", "gzip", "zstd in frames", "chunked", *PACKERS])
@each("size", [30, 256, 300, 1023, 1024])
@each("behind", [b"x", b"\n<!-- cached -->", b"PK\3\4", b"\x1e", b"\xff" * 99, bytes(9), b""])
def test_other_bytes_behind_the_data_of_a_coding_cost_no_text(behind: bytes, size: int, coding: str) -> None:
    """They are ignored and told, as they are behind gzip that no header names."""
    text = random.Random(size).randbytes(size).hex().encode()[:size]
    if coding == "zstd in frames":
        packed = PACKERS["zstd"](text[:20]) + summed(text[20:])
    else:
        packed = {"": gzip.compress, "gzip": gzip.compress, "chunked": in_chunks, **PACKERS}[coding](text)
    word = (coding.removeprefix("bare ").split() or ["identity"])[0]
    field = b"\r\nTransfer-Encoding: " if word == "chunked" else b"\r\nContent-Encoding: "
    exchange = response(packed + behind, OK + b"text/xml" + field + word.encode())
    is_told = behind != b"" and (behind.strip(b"\0") != b"" or word == "br")
    code = "gzip-broken" if coding in ("", "gzip") else "coding-broken"
    for lenient in (True, False):
        (row,) = decoded_rows([exchange], lenient=lenient)
        assert (row["text"], row["repairs"]) == (text.decode(), 0)
        assert row["error_code"] == (code if is_told else None)
        assert not is_told or row["error"].endswith("data, and are ignored")


def test_the_start_of_a_frame_costs_no_text_of_the_frame_before_it() -> None:
    for size in (1, 2, 3, 9, len(summed(FEED)) - 1):
        header = OK + b"text/xml\r\nContent-Encoding: zstd"
        (row,) = rows(archive(response(summed(FEED) + summed(FEED)[:size], header)))
        assert row["body"][: len(FEED)] == FEED
        assert row["coding_error"].endswith("is cut off or damaged" if size > 2 else IGNORED)


def decoded_rows(exchanges: Sequence[Exchange], **options: Any) -> list[dict[str, Any]]:
    """The rows of batches, which are those of a batch and of a table."""
    pages = [*read_warc(io.BytesIO(archive(*exchanges)))]
    table = pa.Table.from_batches(decode_batches(pages, **options))
    assert table.to_pylist() == decode_batch(pa.Table.from_batches(pages), **options).to_pylist()
    batches = [decode_batch(page, **options) for page in pages]
    assert table.to_pylist() == [row for batch in batches for row in batch.to_pylist()]
    assert table.schema.equals(output_schema(WARC_SCHEMA, **options))
    assert "coding_error" not in table.schema.names
    return table.to_pylist()


@pytest.mark.long
@each("coding", [*PACKERS, "chunked"])
def test_a_row_names_the_coding_that_is_damaged(coding: str) -> None:
    items = "".join(f"<item><title>News {number * 7919} of the day</title></item>" for number in range(9000))
    text = f"<rss>{items}</rss>"
    packer = PACKERS.get(coding, lambda data: b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data))
    field = b"\r\nTransfer-Encoding: " if coding == "chunked" else b"\r\nContent-Encoding: "
    header, packed = OK + b"text/xml" + field + coding.split()[-1].encode(), packer(text.encode())
    exchanges = [response(body, header) for body in (packed, packed[: len(packed) * 2 // 3], packed[:9])]
    whole, cut, empty = decoded_rows(exchanges)
    assert (whole["text"], whole["error_code"], whole["error"], whole["repairs"]) == (text, None, None, 0)
    name = coding.split()[-1]
    sentence = f"the body has {name} data that is cut off or damaged; {len(cut['text'])} bytes could be read"
    assert (cut["error_code"], cut["error"]) == ("coding-broken", f"{sentence}, which are the text")
    assert text.startswith(cut["text"])
    assert len(cut["text"]) > 1000
    assert cut["repairs"] == 1
    assert empty["error_code"] == "coding-broken"
    strict = decoded_rows(exchanges, lenient=False, policy="rfc7303")
    assert [row["text"] for row in strict] == [text, None, None]
    assert strict[1]["error"] == f"{sentence}; read with lenient=True to take them"
    kept = decoded_rows(exchanges, keep_body=True)
    assert [row["body"].decode() for row in kept] == [row["text"] or "" for row in (whole, cut, empty)]


@each("packer", PACKERS)
@each("coding", ["gzip", "x-gzip", "deflate", "br", "zstd"])
def test_a_row_names_a_coding_that_its_body_contradicts(coding: str, packer: str) -> None:
    header = OK + b"text/xml\r\nContent-Encoding: " + coding.encode()
    (row,) = decoded_rows([response(PACKERS[packer](FEED), header)])
    is_so = coding == packer.split()[-1]
    assert (row["text"] is not None and "Привет" in row["text"]) == is_so
    assert row["error_code"] == (None if is_so else "coding-broken")
    if not is_so:
        assert re.search("data that is cut off or damaged; [0-9] bytes could be read", row["error"])


@each("coding", CODINGS)
def test_a_row_of_whole_data_has_no_error(coding: str) -> None:
    header, body = CODINGS[coding]
    (row,) = decoded_rows([response(body, OK + b"text/xml" + header)])
    is_cut = coding.startswith(("chunks without", "a chunk", "a line"))
    assert (row["error_code"], row["repairs"]) == (("coding-broken", 1) if is_cut else (None, 0))
    assert "Привет" in row["text"]


@pytest.mark.parametrize("packed", [True, False])
def test_a_long_http_header_costs_its_own_response_at_most(packed: bool) -> None:
    problems: list[str] = []
    long = [response(header=OK + b"text/xml\r\nSet-Cookie: " + b"a" * size) for size in (40_000, 1 << 20)]
    data = archive(response(), *long, response(), packed=packed)
    assert [row["body"] for row in rows(data, on_error=problems.append)] == [FEED] * 3
    assert [problem.partition(" has ")[2] for problem in problems] == [
        "an HTTP header of more than 1,048,576 bytes"
    ]


EMPTY = gzip.compress(b"", mtime=0)
BGZF_END = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")
BODIES = [b"<rss>%d</rss>" % number for number in range(6)]
RECORDS = [archive(response(body), packed=False)[len(archive(packed=False)) :] for body in BODIES]


def packed_each(packing: str, records: Sequence[bytes]) -> list[bytes]:
    return [*map(PACKINGS[packing], records)]


def told(data: bytes, tmp_path: Path) -> tuple[list[bytes], list[str]]:
    """The bodies and the problems: the same of a file, of a stream, and of one that gives few bytes."""
    found = []
    path = tmp_path / "x.warc"
    path.write_bytes(data)
    for source in (path, io.BytesIO(data), Pipe(data)):
        problems: list[str] = []
        batches = read_warc(source, on_error=problems.append)  # type: ignore[arg-type]
        found.append(([body for batch in batches for body in batch["body"].to_pylist()], problems))
    assert found[0] == found[1] == found[2]
    return found[0]


@each("packing", ["gzip", "zstd", "lz4"])
def test_a_member_that_is_empty_ends_nothing(packing: str, tmp_path: Path) -> None:
    """bgzip writes one at the end of each file, and `cat` joins files."""
    members, whole = packed_each(packing, RECORDS), PACKINGS[packing](b"".join(RECORDS))
    for empty in [PACKINGS[packing](b""), *([BGZF_END, gzip.compress(b"\r\n\r\n")] * (packing == "gzip"))]:
        for parts in (
            [empty, *members],
            [*members[:3], empty, *members[3:]],
            [*members[:3], *[empty] * 99, *members[3:]],
            [*members, empty],
            [one for member in members for one in (empty, member)],
            [one for member in members for one in (member, empty)],
            [whole, empty],
            [whole, empty, whole, empty],
            packed_each(packing, [RECORDS[0][:200], b"", RECORDS[0][200:] + b"".join(RECORDS[1:])]),
        ):
            bodies, problems = told(b"".join(parts), tmp_path)
            assert (bodies, problems) == (BODIES * (2 if parts.count(whole) > 1 else 1), []), len(parts)


WITH_DICTIONARY = (
    "XSpNGM0BAAAotS/9YAAPHQ4AVhFDNmBtc8t88XBINthIqXI+2jAQg4fOjaX34N4UD4AvM540GCxpg4YICdkitxSZ/aWR0PZT"
    "MIiBpDkANAAzAKK7C7h7xS0dKZsS92nECzgVGBeWcXQfNSo+nWSMJAEeGoULwAKEAchl8eHuPoVIk4GL5CAQQakbOTQUgf6b"
    "AIF7f5PTu+RVH+oPRRlJgSGShakGd+gjaeujlNv/n8ltOhHVa8/o86pMJ0FCUjrc5z2hbqg+vNu11bJUUpKiHe2u7dopUmgH"
    "jAYf9B1GFEedpOiT9IeiLeoRgt6l94iheRAZhmEY43vvdV3W1pwzWyuuFdeKt23TNC3nnGUZhmEY43sZOLPWa1rL0gfP02h5"
    "Bk+oIX0ztKQoBSk1BwADkZmZ6hKg0RiGIWAIGIYAYggamCb4GQJDcASVLpgPkiCfiYOaEwnzTzysM/EQemnMKno2CUyckqSV"
    "/K+pDTZlbSIb0E0Zb9rHCerAOW2o0+FOAzVY00Z220Ygn2pFjxAVH3sresSo+Nhb0SNGxccewmyUCxo3hfEKYpQPv+OIZ/iV"
    "wuuDmDw+gYEyuv1krEj6Nd4I9VT+yEzHJ7vMUSBRJR580Enh1Si1L/0j1BemCt99AAAINQT8hMbbDBVwUWhQCAMotS/9I9QX"
    "pgrffQAACDUE/M6PJp4UayxarhVhKLUv/SPUF6YK330AAAg1BPxqo/HYFmPRclAIAw=="
)
"""Three records in frames of zstd that need the dictionary before them."""


def test_a_dictionary_of_zstd(tmp_path: Path) -> None:
    bodies, problems = told(base64.b64decode(WITH_DICTIONARY), tmp_path)
    assert (bodies, problems) == ([b"<rss><title>News %d</title></rss>" % number for number in (1, 2, 3)], [])


NEWS = [b"<rss><title>News %d</title></rss>" % number for number in (1, 2, 3)]


def test_damage_behind_a_dictionary(tmp_path: Path) -> None:
    data = base64.b64decode(WITH_DICTIONARY)
    starts = [found.start() for found in re.finditer(rb"\x28\xb5\x2f\xfd\x23", data)][-3:]
    for number, start in enumerate(starts):
        for place in (5, 8):  # the identifier of the dictionary
            changed = bytearray(data)
            changed[start + place] ^= 1
            bodies, problems = told(bytes(changed), tmp_path)
            assert bodies == NEWS[:number] + NEWS[number + 1 :]
            assert len(problems) == 1
            assert re.search(f"byte {start}(?: is damaged)?: Dictionary mismatch", problems[0])


def test_a_dictionary_of_any_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Damage behind it, with a dictionary that is longer than the first read; and the limits."""
    data = base64.b64decode(WITH_DICTIONARY)
    frame = data[: 8 + int.from_bytes(data[4:8], "little")]
    plain = stream_io.ZstdReader(io.BytesIO(frame[8:])).read(1 << 20)
    long = plain[:1000] + bytes(200_000) + plain[1000:]  # some of what the frames refer to
    changed = bytearray(frame[:4] + len(long).to_bytes(4, "little") + long + data[len(frame) :])
    changed[8 + len(long) + 8] ^= 1
    assert len(told(bytes(changed), tmp_path)[0]) == len(NEWS[1:])
    monkeypatch.setattr(warc, "UNPACKED_DICTIONARY", len(plain))
    changed = bytearray(data)
    changed[len(frame) + 8] ^= 1
    assert told(bytes(changed), tmp_path)[0] == NEWS[1:]
    monkeypatch.setattr(warc, "UNPACKED_DICTIONARY", len(plain) - 1)
    assert told(bytes(changed), tmp_path)[0] == []
    for size in (warc.DICTIONARY_LIMIT, warc.DICTIONARY_LIMIT + 1):
        long = plain[:1000] + bytes(size - len(plain)) + plain[1000:]
        bodies, problems = told(frame[:4] + size.to_bytes(4, "little") + long + data[len(frame) :], tmp_path)
        is_read = size == warc.DICTIONARY_LIMIT
        assert len(bodies) == len(NEWS) * is_read
        assert problems == ["its dictionary: it has more than 1,048,576 bytes"] * (not is_read)


def test_a_dictionary_with_nothing_behind_it_is_no_archive(tmp_path: Path) -> None:
    data = base64.b64decode(WITH_DICTIONARY)
    size = 8 + int.from_bytes(data[4:8], "little")
    for end in (size, size - 30, size + 1):
        bodies, problems = told(data[:end] + bytes(len(data) - end), tmp_path)
        assert (bodies, len(problems)) == ([], 1), end


@pytest.mark.sampled(2)
@pytest.mark.parametrize("packing", ["gzip", "zstd"])
@pytest.mark.parametrize("size", [1, 4, 5000])
def test_zeros_behind_a_short_record_are_no_damage(packing: str, size: int, tmp_path: Path) -> None:
    """The read that meets them loses the end of a header."""
    for length in range(0, 70, 3):
        info = b"WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Filename: %b\r\nContent-Length: 2\r\n\r\nxy\r\n\r\n"
        members = packed_each(packing, [info % (b"x" * length), *RECORDS])
        assert told(bytes(size).join(members), tmp_path) == (BODIES, []), length


@pytest.mark.parametrize("before", [bytes(4096), b"x" * 4096, bytes(20_000), b"\xff" * 50_000])
def test_a_first_block_that_is_damaged_costs_no_member_behind_it(before: bytes, tmp_path: Path) -> None:
    members = packed_each("gzip", RECORDS)
    bodies, problems = told(before + b"".join(members), tmp_path)
    assert bodies == BODIES
    assert len(problems) == (before[0] != 0)


def test_a_dictionary_that_is_damaged_is_no_want_of_memory(tmp_path: Path) -> None:
    data, named = base64.b64decode(WITH_DICTIONARY), set()
    frame = data[: 8 + int.from_bytes(data[4:8], "little")]
    plain = stream_io.ZstdReader(io.BytesIO(frame[8:])).read(1 << 20)
    unpacked = frame[:4] + len(plain).to_bytes(4, "little") + plain
    for before in (frame, unpacked):
        for place in range(8, min(len(before), 600), 5):
            changed = bytearray(before + data[len(frame) :])
            changed[place] ^= 1
            bodies, problems = told(bytes(changed), tmp_path)
            assert problems or len(bodies) == len(NEWS)  # what it does not show cannot be told
            named |= {re.sub("[0-9]+", "N", problem) for problem in problems}
    assert any(problem.startswith("its dictionary: ") for problem in named)


def test_frames_of_zstd_without_data(tmp_path: Path) -> None:
    """pzstd writes one before each frame (RFC 8878 section 3.1.2)."""
    members = packed_each("zstd", RECORDS)
    for kind in (0x50, 0x5C, 0x5E, 0x5F):
        for text in (b"", b"\x07\0\0\0", bytes(5000)):
            empty = bytes([kind]) + b"\x2a\x4d\x18" + len(text).to_bytes(4, "little") + text
            for parts in ([empty, *members], [empty, empty, *members], [empty + one for one in members]):
                assert told(b"".join(parts), tmp_path) == (BODIES, []), (kind, len(text))
            archive, problems = empty * 3, [empty * 9, empty[:-1], empty[:6]]
            for one in (archive, *problems):
                with pytest.raises(OSError, match=r"no WARC record|incomplete frame"):
                    list(read_warc(io.BytesIO(one)))


@each("change", [bytes.lower, bytes.upper, bytes.title])
@each("packing", PACKINGS)
def test_the_names_of_fields_have_no_case(
    packing: str, change: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """ISO 28500 section 4. The crate `warc` writes small letters."""
    field = re.compile(rb"^(?:WARC-[A-Za-z-]+|Content-[A-Za-z]+)(?=:)", re.MULTILINE)
    records = [field.sub(lambda name: change(name[0]), record) for record in RECORDS]
    assert records != RECORDS
    expected = rows(b"".join(RECORDS))
    assert rows(b"".join(packed_each(packing, records))) == expected
    assert told(b"".join(packed_each(packing, records)), tmp_path) == (BODIES, [])


def with_length(record: bytes, change: int) -> bytes:
    return re.sub(
        rb"(?<=\r\nContent-Length: )\d+", lambda found: b"%d" % (int(found[0]) + change), record, count=1
    )


@each("change", [-2, -1, 0, 1, 4, 5, 6, 30, 100])
@each("packing", PACKINGS)
def test_a_wrong_length_is_told(packing: str, change: int, tmp_path: Path) -> None:
    records = [*RECORDS[:2], with_length(RECORDS[2], change), *RECORDS[3:]]
    data = b"".join(packed_each(packing, records))
    bodies, problems = told(data, tmp_path)
    assert [*bodies[:2], *bodies[-2:]] == [*BODIES[:2], *BODIES[-2:]]
    of_member = change > 4 and packing != "none"
    assert len(bodies) == (5 if change > 4 and not of_member else 6)
    assert [re.sub("[0-9,]+", "N", problem) for problem in problems] == (
        ["the record at byte N has a Content-Length that is too large"]
        if of_member
        else []
        if 0 <= change < 5
        else ["the record at byte N follows N bytes that belong to no record"]
    )
    if of_member:
        assert bodies == BODIES
    wrong = "the record has a wrong Content-Length" if change else None
    errors = [row["coding_error"] for row in rows(data, on_error=print)]
    assert errors == [None, None, wrong, *[None] * (len(bodies) - 3)]


@each("size", [*range(4, 70), 1_000, 70_000, 1 << 40], every=6)
@each("packing", ["gzip", "zstd", "lz4"])
def test_a_member_is_the_end_of_its_record(packing: str, size: int, tmp_path: Path) -> None:
    """Whatever is read at once, and whatever kind of record has the length."""
    for kind in (b"response", b"request", b"metadata"):
        record = with_length(RECORDS[2].replace(b"response", kind), size + 1)
        long = [response(FEED + random.Random(seed).randbytes(size % 99_991)) for seed in range(3)]
        behind = [archive(one, packed=False)[len(archive(packed=False)) :] for one in long]
        data = b"".join(packed_each(packing, [*RECORDS[:2], record, *behind]))
        bodies, problems = told(data, tmp_path)
        assert bodies == [*BODIES[: 3 if kind == b"response" else 2], *[one.body for one in long]]
        assert [problem.partition(" has ")[2] for problem in problems] == [
            "a Content-Length that is too large"
        ]


@each("size", [0, 3, 10, 40, 64, 100, 1_000, 5_000, 70_000])
@each("packing", ["gzip", "zstd", "lz4"])
def test_damage_costs_nothing_of_the_record_before(packing: str, size: int, tmp_path: Path) -> None:
    """A read that meets it loses all that it has read, also of the record before: where that has a
    Content-Length that is too large, and where it is shorter than what is read at once."""
    feed = b"<rss>" + random.Random(size).randbytes(size).hex().encode() + b"</rss>"
    http = b"HTTP/1.1 200 OK\r\n\r\n" + feed
    short = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n" % (len(http), http)
    for change in (0, 1, 4, 5, 40, 5_000, 1 << 31):
        record = with_length(short, change)
        packed = packed_each(packing, [*RECORDS[:2], record, *RECORDS[3:]])
        packed[3] = packed[3][:-3]
        (tmp_path / "x.warc").write_bytes(b"".join(packed))  # of a stream 64 KiB are kept
        found = [row for batch in read_warc(tmp_path / "x.warc", on_error=print) for row in batch.to_pylist()]
        assert size > STREAM_PIECE or found == rows(b"".join(packed), on_error=print)
        bodies, errors = ([row[name] for row in found] for name in ("body", "coding_error"))
        assert [*bodies[:2], bodies[2][: len(feed)], *bodies[-2:]] == [*BODIES[:2], feed, *BODIES[4:]], change
        assert len(bodies[2]) <= len(feed) + len(b"\r\n\r\n"), change
        assert (errors[2] is None) == (change == 0), change
        assert errors[:2] + errors[-2:] == [None] * 4


@each("size", [0, 100, 5_000])
@each("packing", ["gzip", "zstd", "lz4"])
def test_empty_lines_before_a_record_are_none_of_what_was_read_of_it(
    packing: str, size: int, tmp_path: Path
) -> None:
    """Where the lines behind a record stand in the next member, and the one behind that is damaged."""
    body = b"<rss>" + random.Random(size).randbytes(size).hex().encode() + b"</rss>"
    record = archive(response(body), packed=False)[len(archive(packed=False)) :]
    split = [RECORDS[0][:-4], b"\r\n\r\n" + with_length(record, 40), *RECORDS[2:]]
    packed = packed_each(packing, split)
    packed[2] = packed[2][:-3]
    assert told(b"".join(packed), tmp_path)[0][:2] == [BODIES[0], body]


@each("packing", ["gzip", "level 0", "zstd", "lz4"])
def test_a_damaged_beginning_costs_the_first_record_alone(packing: str, tmp_path: Path) -> None:
    """Also where the text of records stands in the packed data as it is."""
    packings = {**PACKINGS, "level 0": partial(gzip.compress, compresslevel=0, mtime=0)}
    members = [*map(packings[packing], RECORDS)]
    data = b"".join(members)
    for front in (bytes(512), b"\r\n", b"junk" * 9):
        bodies, problems = told(front + data, tmp_path)
        assert (bodies, len(problems)) == (BODIES, bool(front.strip(b"\0"))), front
    for lost in range(1, 12):
        bodies, problems = told(data[lost:], tmp_path)
        assert (bodies[-5:], len(problems)) == (BODIES[1:], 1), lost
    bodies, problems = told(b"\x05" + data[1:], tmp_path)
    assert (bodies[-5:], len(problems)) == (BODIES[1:], 1)


def test_packed_bodies_in_a_plain_archive_are_no_packed_archive(tmp_path: Path) -> None:
    for body in (gzip.compress(b""), gzip.compress(FEED), pa.compress(FEED, codec="zstd", asbytes=True)):
        data = archive(*[response(body, OK + b"text/xml\r\nContent-Encoding: gzip")] * 3, packed=False)
        for lost in (0, 1, 50, data.index(b"HTTP/")):
            assert len(told(data[lost:], tmp_path)[0]) >= (3 if lost == 0 else 2)


@pytest.mark.parametrize("count", [4, 40, 400])
def test_a_wrong_checksum_behind_all_records_costs_none(count: int, tmp_path: Path) -> None:
    """FastWARC loses up to 64 KiB before it."""
    records = [response(b"<rss>%d%b</rss>" % (at, random.Random(at).randbytes(90))) for at in range(count)]
    data = bytearray(gzip.compress(archive(*records, packed=False), mtime=0))
    data[-6] ^= 1
    bodies, problems = told(bytes(data), tmp_path)
    assert bodies == [one.body for one in records]
    assert problems == ["damaged after byte 0: Gzip decompression error: data error"]


@each("size", [1_000, 60_000, 90_000, 170_000])
@each("packing", ["gzip", "zstd", "lz4"])
def test_a_long_member_that_is_cut_off_costs_no_other(packing: str, size: int, tmp_path: Path) -> None:
    """Of bytes that cannot be packed: they run on over the next member, as far as they are long. (zstd takes
    bytes of that as its own, and shows nothing without a checksum.)"""
    size = 1_000 if packing == "zstd" else size
    long = [archive(response(b"<rss>" + random.Random(at).randbytes(size)), packed=False) for at in range(4)]
    members = packed_each(packing, long)
    for end in range(len(members[1]) // 9, len(members[1]), len(members[1]) // 5):
        data = members[0] + members[1][:end] + members[2] + members[3] + bytes(512)
        bodies, problems = told(data, tmp_path)
        found = [body for body in bodies if len(body) == size + 5]
        assert {b"<rss>" + random.Random(at).randbytes(size) for at in (0, 2, 3)} <= {*found}, end
        assert problems, end


def test_a_record_that_holds_the_next_one_is_told() -> None:
    """By a Content-Length that is too large by just its size; the one of HTTP is not."""
    record = archive(response(FEED, OK + b"text/xml\r\nContent-Length: %d" % len(FEED)), packed=False)
    record = record[len(archive(packed=False)) :]
    data = record + with_length(record, len(record)) + record + record
    errors = [row["coding_error"] for row in rows(data, on_error=print)]
    assert errors == [None, "the record has a wrong Content-Length", None]


@each("packing", ["gzip", "zstd", "lz4"])
def test_a_record_that_is_cut_off_within_its_member_costs_no_other(packing: str, tmp_path: Path) -> None:
    """Wherever it is cut, and however many bytes are missing."""
    header = RECORDS[2].index(b"\r\n\r\n") + 4
    for end in range(header, len(RECORDS[2]) - 5, 7):
        for change in (0, 5_000, 5_000_000):
            cut = with_length(RECORDS[2], change)[: end - len(RECORDS[2])]
            data = b"".join(packed_each(packing, [*RECORDS[:2], cut, *RECORDS[3:]]))
            bodies, problems = told(data, tmp_path)
            assert [one for one in bodies if one in BODIES] == [*BODIES[:2], *BODIES[3:]]
            assert problems


@pytest.mark.parametrize("packing", ["gzip", "zstd", "lz4"])
def test_an_archive_within_a_record(packing: str, tmp_path: Path) -> None:
    """Its records are not those of the archive, wherever the members begin."""
    inner = b"<x>\r\n\r\n" + b"".join(RECORDS[:3]) + random.Random(1).randbytes(200_000)
    plain = archive(response(inner), *map(response, BODIES), packed=False)
    records = [archive(one, packed=False)[len(archive(packed=False)) :] for one in map(response, BODIES)]
    first = archive(response(inner), packed=False)[len(archive(packed=False)) :]
    assert told(b"".join(packed_each(packing, [first, *records])), tmp_path) == ([inner, *BODIES], [])
    for size in (300, 1_000, 65_280):
        blocks = [plain[start : start + size] for start in range(0, len(plain), size)]
        assert told(b"".join(packed_each(packing, blocks)), tmp_path) == ([inner, *BODIES], [])


def damaged(member: bytes) -> bytes:
    return member[:20] + bytes(byte ^ 0x55 for byte in member[20:40]) + member[40:]


@pytest.mark.parametrize("packing", ["gzip", "zstd", "lz4"])
def test_a_damaged_first_byte_costs_its_member(packing: str, tmp_path: Path) -> None:
    members = packed_each(packing, RECORDS)
    data = b"".join(members)
    for place in range(4 if packing != "gzip" else 3):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        bodies, problems = told(changed, tmp_path)
        assert bodies == BODIES[1:]
        assert len(problems) == 1
    if packing == "zstd":  # and where a frame without data is the first
        empty = b"\x50\x2a\x4d\x18" + bytes(4)
        for number in range(len(members)):
            parts = [*members[:number], damaged(members[number]), *members[number + 1 :]]
            bodies, problems = told(empty + b"".join(parts), tmp_path)
            assert [body for body in bodies if body in BODIES] == BODIES[:number] + BODIES[number + 1 :]


@pytest.mark.parametrize("packing", ["gzip", "zstd", "lz4"])
def test_damage_costs_its_member(packing: str, tmp_path: Path) -> None:
    members = packed_each(packing, RECORDS)
    for places in ([0], [1], [2, 3], [4], [0, 2, 4], [1, 2, 3, 4]):
        data = [damaged(one) if number in places else one for number, one in enumerate(members)]
        bodies, problems = told(b"".join(data), tmp_path)
        assert [body for body in bodies if body in BODIES] == [
            body for number, body in enumerate(BODIES) if number not in places
        ]
        named = [re.match("the record at byte ([0-9]+) is damaged: ", problem) for problem in problems]
        starts = [sum(map(len, members[:place])) for place in places]
        assert [int(one[1]) for one in named if one] == starts, problems


@pytest.mark.parametrize("place", ["header", "text", "checksum"])
def test_a_row_of_a_damaged_member_is_marked(place: str) -> None:
    text = b"<rss>" + b" ".join(b"%d" % (number * 7919) for number in range(60_000))
    record = archive(response(text), packed=False)[len(archive(packed=False)) :]
    member = gzip.compress(record)
    at = {"header": 100, "text": len(member) * 2 // 3, "checksum": len(member) - 7}[place]
    data = RECORDS[0], member[:at] + bytes([member[at] ^ 255]) + member[at + 1 :], RECORDS[1]
    problems: list[str] = []
    found = rows(gzip.compress(data[0]) + data[1] + gzip.compress(data[2]), on_error=problems.append)
    assert [row["coding_error"] for row in found] == (
        [None, None] if place == "header" else [None, "the record is damaged", None]
    )
    assert [row["body"] for row in (found[0], found[-1])] == BODIES[:2]
    assert len(problems) == 1
    with pytest.raises(OSError, match=r"damaged after byte [1-9]"):
        rows(b"".join([gzip.compress(data[0]), data[1], gzip.compress(data[2])]))
    if place != "header":
        assert len(found[1]["body"]) > len(text) // 3


def summed(data: bytes) -> bytes:
    """A frame of zstd with a checksum."""
    file = io.BytesIO()
    writer = stream_io.ZstdWriter(file)
    writer.write(data)
    writer.close()
    return file.getvalue()


@pytest.mark.long
@each("end", [b"", b"\r\n\r\n", bytes(40), b"x"])
@each("behind", [0, 1])
def test_the_checksum_of_a_frame_is_compared_before_its_row_is_given(behind: int, end: bytes) -> None:
    """Damaged data of zstd unpacks to other text, mostly. A damaged frame behind it is not its own."""
    text = b"<rss>" + b" ".join(b"%d" % (number * 7919) for number in range(4_000))
    record = archive(response(text), packed=False)[len(archive(packed=False)) :]
    frames = [summed(RECORDS[0]), summed(record + end), *[summed(RECORDS[1])] * behind]
    marks = set()
    for place in range(9, len(frames[1]), 97):
        changed = bytearray(frames[1])
        changed[place] ^= 1
        problems: list[str] = []
        found = rows(b"".join([frames[0], changed, *frames[2:]]), on_error=problems.append)
        assert len(problems) >= 1
        errors = {row["body"]: row["coding_error"] for row in found}
        assert [errors.pop(body) for body in BODIES[: behind + 1]] == [None] * (behind + 1)
        marks |= {*errors.values()}
    assert "the record is damaged" in marks
    assert None not in marks
    found = rows(b"".join([frames[1], frames[0][:9] + b"\xff" * 9 + frames[0][18:]]), on_error=str)
    assert [(row["body"], row["coding_error"]) for row in found] == [(text, None)]


def test_the_row_of_a_record_that_is_cut_off_is_marked() -> None:
    data = b"".join(RECORDS[:2])
    assert rows(data[:-9], on_error=print)[1]["coding_error"] == "the record is cut off"


@pytest.mark.parametrize("more", [0, 1])
def test_many_damaged_members(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warc, "MOST_DAMAGE", 20)
    problems: list[str] = []
    bad, good = damaged(gzip.compress(RECORDS[0])), gzip.compress(RECORDS[1])
    found = rows(good + bad * (20 + more) + good, on_error=problems.append)
    assert len(found) == 2 - more
    assert [problem.startswith("the record") for problem in problems] == [*[True] * 20, *[False] * more]


def test_want_of_memory_for_a_window_is_no_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    class Reader:
        def __init__(self, stream: object) -> None:
            pass

        def read(self, size: int) -> bytes:
            raise OSError("Allocation error : not enough memory")

        def frame_start_position(self) -> int:
            return 0

    monkeypatch.setattr("fastwarc.stream_io.ZstdReader", Reader)
    with pytest.raises(MemoryError):
        rows(summed(RECORDS[0]), on_error=print)
    for coding in ("zstd", "br"):
        monkeypatch.setattr("fastwarc.stream_io.BrotliReader", Reader)
        header = OK + b"text/xml\r\nContent-Encoding: " + coding.encode()
        with pytest.raises(MemoryError):
            rows(archive(response(PACKERS["zstd"](FEED), header)), on_error=print)


def test_a_stream_that_fails_is_no_damage() -> None:
    """Its file is whole, and is read again by the next run."""
    data = io.BytesIO(archive(*[response(FEED + random.Random(1).randbytes(STREAM_PIECE))] * 9))

    class Failing(Pipe):
        def __init__(self) -> None:
            pass

        def read(self, size: int) -> bytes:
            if data.tell() > len(data.getvalue()) // 2:
                raise OSError("connection reset")
            return data.read(min(size, 100))

    for read in (partial(read_warc, Failing()), partial(read_warc, Failing(), on_error=print)):  # type: ignore[arg-type]
        problems: list[str] = []
        data.seek(0)
        if read.keywords:
            list(read_warc(Failing(), on_error=problems.append))  # type: ignore[arg-type]
            assert [problem.partition(" byte")[0] for problem in problems] == ["damaged after"]
        else:
            with pytest.raises(OSError, match="connection reset"):
                list(read())


@each("packing", PACKINGS)
def test_zeros_behind_an_archive_hold_nothing(packing: str, tmp_path: Path) -> None:
    """Tapes and block devices fill their last block; gzip(1) passes over them, too."""
    members = packed_each(packing, RECORDS)
    for size in (1, 3, 511, 70_000, 200_000):
        zeros = bytes(size)
        assert told(b"".join(members) + zeros, tmp_path) == (BODIES, []), size
        assert told(zeros.join(members), tmp_path) == (BODIES, []), size
        for data in (b"".join(members) + zeros, zeros.join(members)):
            assert [row["coding_error"] for row in rows(data)] == [None] * len(BODIES), size
        bodies, problems = told(b"".join(members)[:-50] + zeros, tmp_path)
        assert (bool(problems), bodies[:5]) == (True, BODIES[:5]), size


@each("packing", PACKINGS)
def test_zeros_in_the_place_of_what_was_not_written(packing: str) -> None:
    """A crash leaves them. In lz4 they are content, and the end of a frame."""
    words = b"the of and a feed news world title link description item channel new york today".split()
    texts = [b"<rss>%s</rss>" % b" ".join(random.Random(seed).choices(words, k=80)) for seed in range(3)]
    plain = archive(*map(response, texts), packed=False)
    starts = [found.start() for found in re.finditer(rb"WARC/1.1\r\n", plain)]
    members = packed_each(packing, [plain[start:end] for start, end in pairwise([*starts, len(plain)])])
    whole, ends = b"".join(members), [*accumulate(map(len, members))]
    for size in range(ends[0], len(whole), 3):
        if packing == "lz4" and size - max(end for end in ends if end <= size) == 7:
            continue  # a frame without data
        problems: list[str] = []
        found = rows(whole[:size] + bytes(len(whole) - size), on_error=problems.append)
        bodies = [row["body"] for row in found if not row["coding_error"]]
        assert bodies == texts[: len(bodies)], size
        # With the last bytes of a member, which are zeros anyhow, nothing is lost.
        assert problems or min(end - size for end in ends if end >= size) <= 4, size


@each("start", range(16, 44, 4))
@each("wanted", [True, False])
def test_zeros_in_an_http_header(start: int, wanted: bool) -> None:
    """Up to an empty line of the body."""
    good = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<rss><a>1</a><c>text</c>\r\n\r\n<b>2</b></rss>"
    body = good[good.index(b"<rss") :]
    plain = archive(response(body), response(body), packed=False)
    at = plain.index(b"HTTP/1.1 ")
    first = plain.index(b"text/xml\r\n\r\n<rss>", at) + 12 - at
    data = plain[: at + start] + bytes(first + 9 - start) + plain[at + first + 9 :]
    problems: list[str] = []
    found = rows(data, on_error=problems.append, **({"wanted": lambda row: True} if wanted else {}))
    assert [row["body"] for row in found if not row["coding_error"]] == [body]
    assert [problem for problem in problems if problem.endswith("has an HTTP header with NULs in it")]


@each("blank", [b" ", b"\n", b"\t"])
@each("behind", [b"", b"next"])
@each("zeros", [30, 4_096])
def test_zeros_that_are_unpacked_as_blanks(blank: bytes, behind: bytes, zeros: int) -> None:
    """In gzip zeros are the most frequent character of the member, up to the Content-Length and beyond."""
    text = b"<rss>%s</rss>" % bytes(random.Random(1).choices(blank * 6 + b"adgknptv", k=90))
    first, record = (archive(*one, packed=False) for one in ((), (response(text),)))
    member = gzip.compress(record[len(first) :], mtime=0)
    for size in range(100, len(member) - 8, 3):
        problems: list[str] = []
        data = member[:size] + bytes(zeros) + (member if behind else b"")
        bodies = [row["body"] for row in rows(data, on_error=problems.append) if not row["coding_error"]]
        assert {*bodies} <= {text}, size
        assert problems or len(bodies) == 1 + bool(behind), size


@each("packing", PACKINGS)
def test_line_ends_of_a_text_file_on_windows(packing: str, tmp_path: Path) -> None:
    def changed(record: bytes) -> bytes:
        header, _, content = record.partition(b"\r\n\r\n")
        return (header + b"\r\n\r\n").replace(b"\r\n", b"\r\r\n") + content

    for records in (map(changed, RECORDS), [*RECORDS[:2], changed(RECORDS[2]), *RECORDS[3:]]):
        assert told(b"".join(packed_each(packing, [*records])), tmp_path) == (BODIES, [])


def test_a_record_without_a_type_is_named() -> None:
    data = archive(response(), response(), packed=False).replace(b"WARC-Type: response\r\n", b"", 1)
    problems: list[str] = []
    assert [row["body"] for row in rows(data, on_error=problems.append)] == [FEED]
    assert [problem.partition(" has ")[2] for problem in problems] == ["no WARC-Type"]


@each("kind", ["respon3e", "", "screenshot", "revisit", "metadata", "Response"])
def test_a_response_of_an_unknown_type_is_named(kind: str) -> None:
    """A record of an unknown type is passed over (ISO 28500 section 5.5), unless it holds a response."""
    data = archive(response(), response(), packed=False)
    data = data.replace(b"WARC-Type: response\r\n", b"WARC-Type: " + kind.encode() + b"\r\n", 1)
    for is_http in (True, False):
        problems: list[str] = []
        data = data if is_http else data.replace(b"application/http; msgtype=response", b"image/png", 1)
        found = rows(data, on_error=problems.append)
        known = kind in ("revisit", "metadata", "Response")
        assert len(found) == (2 if kind == "Response" else 1)
        named = [f"a message of HTTP, and the WARC-Type {kind!r}"] * (not known and is_http)
        named = named if kind else ["no WARC-Type"]
        assert [problem.partition(" has ")[2] for problem in problems] == named


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # warcio leaves files open
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@each("name", ["warcio", "fastwarc", "fastwarc lz4", "fastwarc plain", "warcio plain"])
def test_what_other_writers_write(name: str, tmp_path: Path) -> None:
    """Each of them cut, and with one byte of it changed: what is lost or changed is named."""
    data = {"warcio": by_warcio, "fastwarc": by_fastwarc}[name.split()[0]](*name.split()[1:])
    bodies, problems = told(data, tmp_path)
    assert (bodies, problems) == (BODIES, [])
    is_summed = "plain" not in name and "lz4" not in name
    for place in range(41, len(data), 41):
        changed = data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :]
        problems = []
        found = rows(changed, on_error=problems.append)
        whole = [row["body"] for row in found if not row["coding_error"]]
        assert problems or whole == BODIES or not is_summed, place
        if is_summed:
            assert len(set(BODIES) - set(whole)) < 2, place


def by_warcio(packing: str = "gzip") -> bytes:
    writer = pytest.importorskip("warcio.warcwriter")
    headers = pytest.importorskip("warcio.statusandheaders").StatusAndHeaders
    file = io.BytesIO()
    warc_writer = writer.WARCWriter(file, gzip=packing == "gzip")
    warc_writer.write_record(warc_writer.create_warcinfo_record("x.warc", {"software": "x"}))
    for body in BODIES:
        http = headers("200 OK", [("Content-Type", "text/xml")], protocol="HTTP/1.1")
        message = {"payload": io.BytesIO(body), "http_headers": http}
        warc_writer.write_record(warc_writer.create_warc_record(URL, "response", **message))
    return file.getvalue()


def by_fastwarc(packing: str = "gzip") -> bytes:
    from fastwarc import stream_io
    from fastwarc import warc as fast

    kinds = {"gzip": stream_io.GzipWriter, "lz4": stream_io.Lz4Writer}
    file = io.BytesIO()
    for record in fast.ArchiveIterator(io.BytesIO(b"".join(RECORDS)), parse_http=False):
        member = kinds[packing](file) if packing in kinds else file
        record.write(member)
        if packing in kinds:
            member.close()
    return file.getvalue()


def random_members(draw: random.Random) -> list[bytes]:
    """A member for each of BODIES, in any order and at any level, with a random identifier and filler."""
    members = []
    for record in draw.sample(RECORDS, len(RECORDS)):
        ident = b"Record-ID: <urn:uuid:%b>" % draw.randbytes(16).hex().encode()
        field = b"\r\nX: " + draw.choice((b"", b"abc" * 20, draw.randbytes(200).hex().encode()))
        record = re.sub(rb"Record-ID: [^\r]*+", ident + field, record)
        members.append(gzip.compress(record, draw.choice((1, 6, 9)), mtime=0))
    return members


@pytest.mark.long
@each("seed", range(28, 108))
def test_one_damaged_place_costs_its_record_or_a_neighbour_too(seed: int, tmp_path: Path) -> None:
    """A changed bit may make a member run on to the end of the archive, over those behind it."""
    draw = random.Random(seed)
    members = random_members(draw)
    data, ends = b"".join(members), [*accumulate(map(len, members))]
    order = [row["body"] for row in rows(data)]
    assert sorted(order) == BODIES
    for change in range(40):
        place = draw.randrange(len(warc.GZIP_MAGIC), len(data))
        size = draw.choice((1, 1, 2, 30))
        less, more = [(size, b""), (0, draw.randbytes(size)), (1, bytes([data[place] ^ 1 << change % 8]))][
            min(change % 10, 2)
        ]
        changed = data[:place] + more + data[place + less :]
        problems: list[str] = []
        found = rows(changed, on_error=problems.append)
        whole = [row["body"] for row in found if not row["coding_error"]]
        own = sum(end <= place for end in ends)
        lost = {number for number, body in enumerate(order) if body not in whole}
        assert lost <= {own - 1, own, own + 1}, (change, problems)
        assert len(lost) < 3
        assert len(problems) >= len(lost - {own + 1}), change
        assert not set(whole) - set(BODIES)
        if change % 10 == 0:
            assert told(changed, tmp_path) == ([row["body"] for row in found], problems)


def running_on(size: int, begin: bytes, *members: bytes) -> bytes:
    """A member without an end that holds a beginning and others, in so many bytes: zeros follow the first."""
    behind = b"".join(members[1:])
    block = b"\0%b%b" % (len(begin).to_bytes(2, "little"), (65_535 - len(begin)).to_bytes(2, "little"))
    block += begin + b"\0\xff\xff\0\0"  # 65,535 bytes, not packed, as the beginning
    return EMPTY[:10] + block + members[0] + bytes(size - len(members[0]) - len(behind)) + behind


RUNNING_ON = [b"", b"x", with_length(RECORDS[4], 200_000)[:-10]]


@each("more", [0, 1])
@each("of", ["archive", "damage"])
@each("begin", RUNNING_ON)
def test_how_much_is_read_again(
    begin: bytes, of: str, more: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    members = packed_each("gzip", RECORDS)
    size, limit = (2_000, 2_000) if of == "archive" else (STREAM_PIECE, 1 << 20)
    monkeypatch.setattr(warc, "READ_AGAIN", limit)
    monkeypatch.setattr(warc, "LOOKED_BACK", STREAM_PIECE)
    data = members[0] + running_on(size + more, begin, *members[1:4])
    bodies, problems = told(data, tmp_path)
    assert [body for body in bodies if body in BODIES] == [BODIES[0], *BODIES[1 + more : 4]]
    assert f"the record at byte {len(members[0])} is damaged: its data has no end" in problems


@pytest.mark.long
@each("size", range(1_500, 65_537, 4_000))
@each("begin", RUNNING_ON)
def test_a_member_runs_on_to_a_place_before_the_end(begin: bytes, size: int, tmp_path: Path) -> None:
    long = archive(response(random.Random(1).randbytes(300_000)), packed=False)
    members = packed_each("gzip", [*RECORDS, long])
    data = members[0] + running_on(size, begin, *members[1:4]) + bytes(70_000) + b"".join(members[4:])
    bodies, problems = told(data, tmp_path)
    assert [body for body in bodies if body in BODIES] == BODIES
    assert any(f"the record at byte {len(members[0])} is damaged" in problem for problem in problems)


@pytest.mark.long
def test_members_in_each_other_are_read_in_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each runs on to the same place."""
    count = 0

    class Counted(warc._CountedStream):
        def read(self, size: int = -1) -> bytes:
            nonlocal count
            data = super().read(size)
            count += len(data)
            return data

    monkeypatch.setattr(warc, "_CountedStream", Counted)
    nested = (EMPTY[:10] + b"\0\x0a\0\xf5\xff") * 500 + EMPTY[:10] + b"\0\0\0\xff\xff" * 10_000
    data, counts = gzip.compress(RECORDS[0]) + nested, []
    for limit in (warc.READ_AGAIN, 1 << 30):
        monkeypatch.setattr(warc, "READ_AGAIN", limit)
        counts.append(-count)
        assert len(rows(data, on_error=str)) == 1
        counts[-1] += count
    assert counts[0] < len(data) + 5 * (1 << 20) < counts[1]


NO_NUMBER = "a Content-Length that is no number of bytes"


@pytest.mark.long
@each("packing", PACKINGS)
def test_the_header_of_a_record(packing: str, tmp_path: Path) -> None:
    def changed(old: bytes, new: bytes) -> list[bytes]:
        record = RECORDS[2].replace(old, new, 1)
        assert record != RECORDS[2]
        return [*RECORDS[:2], record, *RECORDS[3:]]

    for old, new, what in [
        (b"WARC-Date", b"X: " + b"a" * 40_000 + b"\r\nWARC-Date", ""),
        (b"WARC-Date", b"X: " + b"a" * 1_048_000 + b"\r\nWARC-Date", ""),
        (b"WARC-Date", b"X: " + b"a" * 1_048_600 + b"\r\nWARC-Date", "has a header of more than N bytes"),
        (b"WARC-Date", b"X: " + b"a" * 9_000_000 + b"\r\nWARC-Date", "has a header of more than N bytes"),
        (b"WARC/1.1", b"warc/1.0", ""),
        (b"WARC/1.1", b"\0" * 512 + b"\r\n\r\n" + bytes(700) + b"WARC/1.1", ""),
        (b"WARC/1.1", b"x\0\xff\nWARC/1.1", "follows N bytes that belong to no record"),
        (b"WARC/1.1", b"x\n\ny\n\nWARC/1.1", "follows N bytes that belong to no record"),
        (b"WARC/1.1", b"WXRC/1.1", "follows N bytes that belong to no record"),
        (b"Content-Length: ", b"Content-Length: -", f"has {NO_NUMBER}"),
        (b"Content-Length: ", b"Content-Length: " + b"9" * 30, f"has {NO_NUMBER}"),
        (b"Content-Length: ", b"Content-Length: \r\nX: ", "has no Content-Length"),
        (b"Content-Length: ", b"Content-Lenght: ", "has no Content-Length"),
        (b"Content-Length: ", b"Content-Length:\r\n\t ", ""),
        (b"Content-Length: ", b"Content-Length: 1\r\nContent-Length: ", "has several of Content-Length"),
        (b"WARC-Date", b"X: \0\r\nWARC-Date", "has a header with NULs in it"),
        (b"WARC-Date", b"warc-type: response\r\nWARC-Date", ""),
        (b"WARC-Date", b"warc-concurrent-to: a\r\nWARC-Concurrent-To: b\r\nWARC-Date", ""),
        (b"WARC-Date", b"WARC-Record-ID: <urn:x>\r\nWARC-Date", "has several of WARC-Record-ID"),
    ]:
        bodies, problems = told(b"".join(packed_each(packing, changed(old, new))), tmp_path)
        lost = what.startswith("has") or new == b"WXRC/1.1"
        assert bodies == [body for body in BODIES if body != BODIES[2] or not lost], new[:50]
        sentences = [re.sub("[0-9][0-9,]*", "N", problem.partition("byte ")[2]) for problem in problems]
        sentences = [sentence.partition(", as where")[0] for sentence in sentences]
        assert sentences == ([f"N {what}"] if what else []), new[:50]


def test_records_that_a_hole_of_zeros_has_joined_are_told() -> None:
    """A block of the disk that was lost, from one header to another one."""
    records = [archive(response(b"<a>%d</a>" % number), packed=False) for number in range(4)]
    data = b"".join(record[record.rindex(b"WARC/1.") :] for record in records)
    starts = [found.start() for found in re.finditer(b"WARC/1", data)]
    dates = [data.index(b"WARC-Date", start) for start in starts]
    for size in range(1, 4):
        for end in (dates[size], data.index(b"\r\nContent-Type", dates[size])):
            problems: list[str] = []
            hole = data[: dates[0]] + bytes(end - dates[0]) + data[end:]
            found = rows(hole, on_error=problems.append)
            assert [row["body"] for row in found] == [b"<a>%d</a>" % number for number in range(size + 1, 4)]
            assert "NULs" in problems[0]


def test_no_body_has_the_address_of_another_record() -> None:
    """Where the end of a header and the beginning of the next one are lost, it would."""
    records = [response(b"<a>%d</a>" % number)._replace(url=f"http://h/{number}") for number in range(3)]
    whole = (archive(record, packed=False) for record in records)
    first, second, third = (data[data.rindex(b"WARC/1.") :] for data in whole)
    ends = first.index(b"\r\n\r\n")
    for start in range(ends):
        for end in (5, second.index(b"\r\n") + 2):
            problems: list[str] = []
            found = rows(first[:start] + second[end:] + third, on_error=problems.append)
            assert {(row["url"], row["body"]) for row in found} <= {
                (f"http://h/{number}", b"<a>%d</a>" % number) for number in range(3)
            }, (start, end)
            assert len(found) == 2 or problems, (start, end)


@pytest.mark.parametrize("packed", [True, False])
def test_a_record_whose_length_ends_in_the_http_header_is_told(packed: bool) -> None:
    data = archive(response(), packed=False)
    short = re.sub(rb"(?<=\r\nContent-Length: )\d+", b"30", data[data.rindex(b"WARC/1.") :], count=1)
    empty = OK + b"text/xml\r\nX:y"
    parts = [archive(response(b"", empty), packed=packed), gzip.compress(short) if packed else short]
    problems: list[str] = []
    found = rows(b"".join([*parts, archive(response(), packed=packed)]), on_error=problems.append)
    assert [row["body"] for row in found] == [b"", FEED]
    assert [problem.partition(" at byte")[0] for problem in problems] == ["the record"] * 2
    assert problems[0].endswith("ends within its HTTP header")
    assert "bytes that belong to no record" in problems[1]


def test_a_response_without_http_header_is_passed_over() -> None:
    problems: list[str] = []
    data = archive(response(header=b""), response())
    assert [row["body"] for row in rows(data, on_error=problems.append)] == [FEED]
    assert len(problems) == 1
    assert "has no HTTP header" in problems[0]
    assert len(rows(data)) == 1


@pytest.mark.parametrize("content", [b"hello", gzip.compress(b"hello", mtime=0), b"<rss/>" * 1000])
def test_a_file_that_is_no_archive(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.warc"
    path.write_bytes(content)
    with pytest.raises(OSError, match=r"x\.warc: (?:holds no WARC record|damaged)"):
        list(read_warc(path))


@pytest.mark.parametrize("name", ["x.warc", "x.warc.gz"])
def test_an_empty_file_is_named(name: str, tmp_path: Path) -> None:
    """A download that failed leaves one; an archive begins with a record about itself."""
    path = tmp_path / name
    path.write_bytes(b"")
    with pytest.raises(OSError, match=r"x\.warc\S*: holds no WARC record"):
        list(read_warc(path))
    problems: list[str] = []
    assert list(read_warc(io.BytesIO(), on_error=problems.append)) == []
    assert problems == ["holds no WARC record"]


def test_a_file_that_there_is_not(tmp_path: Path) -> None:
    for on_error in (None, print):
        with pytest.raises(FileNotFoundError):
            list(read_warc(tmp_path / "x.warc", on_error=on_error))


def test_the_archive_of_the_fixtures_is_current_and_is_read_rightly() -> None:
    path = FIXTURES / "crawl.warc.gz"
    assert make_archive.build() == path.read_bytes()
    found = pa.Table.from_batches(decode_batches(read_warc(path), declaration="keep"))
    documents = list(crawl(make_archive.FEEDS, average=make_archive.AVERAGE))
    assert found["url"].to_pylist()[:-1] == [document.url for document in documents]
    for text, document in zip(found["text"].to_pylist(), documents, strict=False):
        assert is_right(text, document.text), document.url
    assert found["error"].to_pylist()[-1] == "the body is a zip archive, not XML; unpack it first"


def bare(uri: str, more: str = "") -> bytes:
    """A record, whose URL ends its header."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<rss>%b</rss>" % uri.encode()
    fields = f"WARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{uri}>\r\nContent-Length: {len(http)}\r\n"
    header = f"WARC/1.0\r\n{more}{fields}WARC-Target-URI: http://{uri}\r\n\r\n"
    return header.encode() + http + b"\r\n\r\n"


def test_a_header_that_is_cut_off_costs_its_record_alone() -> None:
    """Wherever a writer was killed and the next one went on."""
    first, second = bare("a.example/"), bare("b.example/")
    for cut in range(1, first.index(b"\r\n\r\n") + 2):
        told: list[str] = []
        (row,) = rows(first[:cut] + second, on_error=told.append)
        assert (row["url"], row["body"]) == ("http://b.example/", b"<rss>b.example/</rss>")
        assert (row["record_id"], len(told)) == ("<urn:uuid:b.example/>", 1)


@pytest.mark.parametrize("more", ["", "WARC-Refers-To: http://a.example/WARC/1.0\r\n"])
def test_an_address_that_ends_as_a_first_line_is_none(more: str) -> None:
    data = bare("a.example/specifications/WARC/1.0", more) + bare("b.example/")
    assert [row["url"] for row in rows(data)] == [
        "http://a.example/specifications/WARC/1.0",
        "http://b.example/",
    ]


@pytest.mark.parametrize("before", [bytes(512), b"\r\n", b"other bytes\n" * 9])
def test_what_stands_before_the_first_member_costs_no_record(before: bytes) -> None:
    told: list[str] = []
    records = [gzip.compress(bare(f"{name}.example/")) for name in "ab"]
    found = rows(before + b"".join(records), on_error=told.append)
    assert [row["url"] for row in found] == ["http://a.example/", "http://b.example/"]
    assert len(told) == (before.strip(b"\0") != b"")
    told.clear()
    (row,) = rows(b"\x1e" + b"".join(records)[1:], on_error=told.append)
    assert (row["url"], len(told)) == ("http://b.example/", 1)


@pytest.mark.parametrize("most", [10, 5000, 20000])
def test_a_body_that_was_cut_has_an_error_whatever_limit_decodes_it(most: int) -> None:
    data = archive(response(b"<rss>" + b"x" * 50_000 + b"</rss>"), packed=False)
    for limit, code, length in ((most, "too-large", 0), (1 << 20, "coding-broken", most + 1)):
        (batch,) = decode_batches(read_warc(io.BytesIO(data), max_bytes=most), max_bytes=limit)
        (row,) = batch.to_pylist()
        assert (row["error_code"], len(row["text"] or "")) == (code, length)


@pytest.mark.parametrize("junk", [b"junk\n: x", b"C\n:", b"a: b\nc: d", random.Random(5).randbytes(3000)])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_what_belongs_to_no_record_costs_none(junk: bytes, pack: Callable[[bytes], bytes]) -> None:
    """Whatever its last line is: the first line of a record follows it without a line end."""
    first, second, third = (bare(f"{name}.example/") for name in "abc")
    told: list[str] = []
    found = rows(b"".join(map(pack, (first, junk, second, third))), on_error=told.append)
    assert [row["record_id"] for row in found] == [f"<urn:uuid:{name}.example/>" for name in "abc"]
    assert ["bytes that belong to no record" in one for one in told] == [True]


LZ4_WITH_CHECKSUM = (
    "BCJNGGRAp6cAAACgV0FSQy8xLjANCgoA8wAtVHlwZTogcmVzcG9uc2UVAPMlUmVjb3JkLUlEOiA8dXJuOnV1aWQ6YS5leGFtcG"
    "xlLz4NCkNvbnRlbnQtTGVuZ3RoOiA2NDsA9gRUYXJnZXQtVVJJOiBodHRwOi8vOQD2BA0KDQpIVFRQLzEuMSAyMDAgT0tLAAKK"
    "AIB0ZXh0L3htbCsAVjxyc3M+PgCgPC9yc3M+DQoNCgAAAABjdJVA"
)
"""The record `bare("a.example/")` in a frame of lz4 with a checksum, which no library here writes."""


@pytest.mark.parametrize("packing", ["zstd", "lz4"])
def test_a_changed_byte_of_a_frame_with_a_checksum_is_told(packing: str) -> None:
    """In a row, where it has other text, or of the archive."""
    frame = summed(bare("a.example/")) if packing == "zstd" else base64.b64decode(LZ4_WITH_CHECKSUM)
    body, errors = b"<rss>a.example/</rss>", set()
    (row,) = rows(frame)
    assert (row["body"], row["coding_error"]) == (body, None)
    for place in range(len(frame)):
        changed = frame[:place] + bytes([frame[place] ^ 1]) + frame[place + 1 :]
        problems: list[str] = []
        first, *others = rows(changed + frame * 2, on_error=problems.append)
        others = [first, *others][-2:]
        assert [(row["body"], row["coding_error"]) for row in others] == [(body, None)] * 2, place
        assert first["body"] == body or first["coding_error"], place
        assert problems or first["body"] == body
        errors.add(first["coding_error"])
    assert packing == "zstd" or "the record is damaged" in errors
