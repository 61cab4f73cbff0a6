"""feedcharset.adapters.warcio on WARC files that warcio writes and reads."""

from __future__ import annotations

import gc
import gzip
import io
import random
import warnings
import zlib

import pyarrow as pa
import pytest
from making.archive import Exchange
from making.archive import archive as crawl
from support.documents import served
from support.each import each
from support.without import title_of

pytest.importorskip("warcio")

from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from feedcharset import FetchError, TooLarge, TruncatedBody, decode
from feedcharset.adapters.warcio import open_record


def archive() -> io.BytesIO:
    """Each document as a response; the last once more in gzip and chunks, and as a resource."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # warcio's writer leaves its temporary files open
        out = _archive()
        gc.collect()
    return out


def _archive() -> io.BytesIO:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True)

    def respond(body: bytes, fields: list[tuple[str, str]]) -> None:
        headers = StatusAndHeaders("200 OK", fields, protocol="HTTP/1.1")
        record = writer.create_warc_record(
            "http://127.0.0.1/", "response", payload=io.BytesIO(body), http_headers=headers
        )
        writer.write_record(record)

    for document in served():
        respond(document.octets, [("Content-Type", document.content_type)] if document.content_type else [])
    last = served()[-1]
    packed = gzip.compress(last.octets)
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    fields = [("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked")]
    respond(chunked, [("Content-Type", str(last.content_type)), *fields])
    resource = writer.create_warc_record(
        "urn:feed", "resource", payload=io.BytesIO(last.octets), warc_content_type=last.content_type
    )
    writer.write_record(resource)
    out.seek(0)
    return out


def test_every_record_is_read_and_the_iterator_goes_on() -> None:
    titles = []
    for record in ArchiveIterator(archive()):
        with open_record(record) as reader:
            titles.append(title_of(reader.read()))
    expected = [document.title for document in served()]
    assert titles == [*expected, expected[-1], expected[-1]]


def test_a_record_that_is_read_in_part_and_one_that_is_not_read() -> None:
    count = 0
    for record in ArchiveIterator(archive()):
        count += 1
        if count % 2:
            with open_record(record) as reader:
                assert reader.read(10)
    assert count == len(served()) + 2


def test_options_win() -> None:
    record = next(iter(ArchiveIterator(archive())))
    with open_record(record, content_type=None, encoding="ISO-8859-1", closefd=True) as reader:
        assert reader.resolution.rule == "forced"
    assert not record.raw_stream.closed if hasattr(record.raw_stream, "closed") else True


FEED = '<?xml version="1.0" encoding="windows-1251"?><rss><title>Погода</title></rss>'.encode("cp1251")


def record_of(fields: list[tuple[str, str]], body: bytes) -> ArcWarcRecord:
    """The record of a response, as warcio reads it from an archive."""
    lines = [f"{name}: {value}" for name, value in (("Content-Type", "text/xml"), *fields)]
    header = "\r\n".join(("HTTP/1.1 200 OK", *lines)).encode()
    data = io.BytesIO(crawl(Exchange("http://127.0.0.1/", header, body)))
    return next(record for record in ArchiveIterator(data) if record.rec_type == "response")


def packed_as(codings: str) -> bytes:
    """The feed under some codings, the first of which was applied first."""
    body = FEED
    for coding in codings.lower().split(", "):
        if coding in ("gzip", "x-gzip"):
            body = gzip.compress(body)
        elif coding == "deflate":
            body = zlib.compress(body)
        elif coding == "br":
            body = pytest.importorskip("brotli").compress(body)
        elif coding == "zstd":
            body = pa.compress(body, "zstd", asbytes=True)
    return body


CODINGS = [
    "",
    "identity",
    "utf-8",
    "gzip",
    "GZIP",
    "x-gzip",
    "deflate",
    "br",
    "zstd",
    "gzip, gzip",
    "br, gzip",
]


@each("transfer", ["", "chunked", "Chunked", "gzip", "gzip, chunked"])
@each("coding", CODINGS)
def test_no_coding_is_read_as_text(coding: str, transfer: str) -> None:
    """What warcio does not remove is refused, unless the archive has removed it."""
    fields = [
        (name, value)
        for name, value in (("Content-Encoding", coding), ("Transfer-Encoding", transfer))
        if value
    ]
    body = packed_as(", ".join(filter(None, (coding, transfer.replace("chunked", "").strip(", ")))))
    is_chunked = "chunked" in transfer.lower()
    messages = []
    for octets in (body, FEED):
        sent = b"%x\r\n%s\r\n0\r\n\r\n" % (len(octets), octets) if is_chunked else octets
        record = record_of(fields, sent)
        count = (coding not in ("", "identity", "utf-8")) + ("gzip" in transfer) + (", " in coding)
        if octets == FEED or (count < 2 and coding not in ("br", "zstd")):
            with open_record(record) as reader:
                assert reader.read() == decode(FEED).text
            continue
        try:  # warcio removes br where it can use the package for it
            with open_record(record) as reader:
                assert (reader.read(), coding) == (decode(FEED).text, "br")
        except FetchError as error:
            messages.append(str(error))
    assert all("http://127.0.0.1/: compressed (" in message for message in messages)


@each("coding", ["compress", "x-compress", "lz4", "foo"])
def test_a_coding_that_is_not_known_is_not_read_as_text(coding: str) -> None:
    fields = [("Content-Encoding", coding)]
    with open_record(record_of(fields, FEED)) as reader:
        assert reader.read() == decode(FEED).text
    packed = b"\x1f\x9d\x90" + random.Random(1).randbytes(9000)
    with pytest.raises(
        FetchError, match=rf"compressed \({coding.removeprefix('x-')}\), and not unpacked here"
    ):
        open_record(record_of(fields, packed))
    with open_record(record_of([("Content-Encoding", "utf-8")], packed)) as reader:
        assert reader.read()


PACKED = gzip.compress(FEED[:40]) + gzip.compress(FEED[40:])
CHUNKED = b"9\r\n%s\r\n%x;x=y\r\n%s\r\n0\r\nTrailer: x\r\n\r\n" % (FEED[:9], len(FEED) - 9, FEED[9:])


@each(
    ("fields", "body"),
    [
        ({"Content-Encoding": "gzip"}, PACKED),
        ({"Content-Encoding": "gzip"}, PACKED + b"no gzip"),
        ({"Content-Encoding": "gzip"}, gzip.compress(gzip.compress(FEED))),
        ({"Content-Encoding": "deflate"}, zlib.compress(FEED)),
        ({"Transfer-Encoding": "chunked"}, CHUNKED),
        (
            {"Transfer-Encoding": "chunked", "Content-Encoding": "gzip"},
            b"%x\r\n%s\r\n0\r\n\r\n" % (len(PACKED), PACKED),
        ),
        ({"Content-Length": str(len(FEED))}, FEED),
        ({"Content-Length": "9", "Content-Encoding": "gzip"}, FEED),
        ({"Content-Length": "none"}, FEED),
    ],
)
def test_all_of_a_body_is_read(fields: dict[str, str], body: bytes) -> None:
    """Also of several members, and without the trailers of chunks."""
    with open_record(record_of(list(fields.items()), body)) as reader:
        assert (reader.read(), reader.repairs.count) == (decode(FEED).text, 0)


@each(
    ("fields", "body", "why"),
    [
        ({"Content-Encoding": "gzip"}, PACKED[:-1], "its gzip or deflate data is cut off or damaged"),
        ({"Content-Encoding": "gzip"}, PACKED[:-9], "its gzip or deflate data is cut off or damaged"),
        (
            {"Content-Encoding": "deflate"},
            zlib.compress(FEED)[:-2],
            "its gzip or deflate data is cut off or damaged",
        ),
        ({"Transfer-Encoding": "chunked"}, CHUNKED[:-18], "its chunks are cut off or damaged"),
        ({"Transfer-Encoding": "chunked"}, CHUNKED[:-30], "its chunks are cut off or damaged"),
        (
            {"Transfer-Encoding": "chunked"},
            CHUNKED.replace(b";x=y", b"zz"),
            "its chunks are cut off or damaged",
        ),
        (
            {"Transfer-Encoding": "chunked"},
            FEED + b"\r\n0\r\n\r\n",
            "its chunks are cut off or damaged",
        ),
        ({"Content-Length": "961"}, FEED, f"the body has {len(FEED)} of 961 bytes"),
        (
            {"Content-Length": "961", "Content-Encoding": "identity"},
            FEED,
            f"the body has {len(FEED)} of 961 bytes",
        ),
        (
            {"Content-Length": "9610", "Content-Encoding": "gzip"},
            PACKED,
            f"the body has {len(PACKED):,} of 9,610 bytes",
        ),
        (
            {"Content-Length": "9610", "Content-Encoding": "deflate"},
            zlib.compress(FEED),
            f"the body has {len(zlib.compress(FEED)):,} of 9,610 bytes",
        ),
    ],
)
def test_a_body_that_is_cut_is_an_error(fields: dict[str, str], body: bytes, why: str) -> None:
    """Unless the archive names it as truncated."""
    record = record_of(list(fields.items()), body)
    error = pytest.raises(TruncatedBody, match=f"^http://127.0.0.1/: {why}")
    with error as caught, open_record(record) as reader:
        reader.read()
    assert FEED.startswith(caught.value.partial.removesuffix(b"\r\n0\r\n\r\n"))
    assert caught.value.partial
    record = record_of(list(fields.items()), body)
    record.rec_headers.add_header("WARC-Truncated", "length")
    with open_record(record) as reader:
        text = reader.read()
    assert text
    assert decode(FEED).text.startswith(text.removesuffix("\r\n0\r\n\r\n"))


@each("size", [b"1", b"13a2", b"13a2\r", b"13a2\r\n", b"1;x=y\r\n"])
def test_a_body_that_breaks_off_in_its_first_chunk_size_is_cut(size: bytes) -> None:
    record = record_of([("Transfer-Encoding", "chunked")], size)
    with pytest.raises(TruncatedBody, match="its chunks are cut"), open_record(record) as reader:
        reader.read()


@each("coding", ["identity", "gzip", "br", "zstd"])
def test_an_empty_body_that_has_a_length_is_cut(coding: str) -> None:
    record = record_of([("Content-Encoding", coding), ("Content-Length", "961")], b"")
    with pytest.raises(TruncatedBody, match="the body has 0 of 961 bytes"), open_record(record) as reader:
        reader.read()


@each("wbits", [-15, 15])
def test_short_deflate_that_is_cut_is_no_text(wbits: int) -> None:
    """It may have no control characters."""
    engine = zlib.compressobj(wbits=wbits)
    packed = engine.compress(FEED.decode("cp1251").encode()) + engine.flush()
    for size in range(1, len(packed)):
        record = record_of([("Content-Encoding", "deflate")], packed[:size])
        with pytest.raises(TruncatedBody), open_record(record) as reader:
            reader.read()


def test_a_record_that_is_cut_off() -> None:
    header = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml"
    data = crawl(Exchange("http://127.0.0.1/", header, FEED))
    records = ArchiveIterator(io.BytesIO(data[: data.index(FEED) + 60]))
    record = next(record for record in records if record.rec_type == "response")
    with pytest.raises(TruncatedBody, match="the record is cut off"), open_record(record) as reader:
        reader.read()


def test_gzip_that_grows_too_much() -> None:
    body = gzip.compress(b"<a>" + bytes(20_000_000))
    record = record_of([("Content-Encoding", "gzip")], body)
    with pytest.raises(TooLarge, match="more than 1000:1"), open_record(record) as reader:
        reader.read()
