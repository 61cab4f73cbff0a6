"""`read_warc`: the responses of a web archive (ISO 28500) as Arrow record batches."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext, suppress
from functools import partial
from http.client import HTTPException, HTTPResponse
from types import SimpleNamespace
from typing import Any, BinaryIO

import pyarrow as pa

from feedcharset.batch.row_decoder import BODY_LIMIT
from feedcharset.batch.row_selection import HEAD_BYTES, CrawlRow, head_of, is_xml
from feedcharset.evidence.document_head import is_unpacked
from feedcharset.fetch.gunzip import GZIP_MAGIC, BrokenGzip, Gunzip, OverLimit
from feedcharset.fetch.limits import Limits
from feedcharset.reading.byte_streams import read_whole

ROWS_BYTES = 32 << 20
"""Bytes of bodies in a record batch."""

MOST_CODINGS = 4
"""Most codings of a body that are removed: a server and a proxy apply three together. Each may unpack the
whole body, and a header field may list any number."""

HEADER_LIMIT = 1 << 20
"""Bytes of an HTTP header. Browsers take 256 KB; FastWARC alone 32 KB, and ends the archive there."""

OF_RESPONSE = "the response at byte"
"""How a sentence about one response begins; to read the archive again would not help."""

UNPACKED_AT_ONCE = 1 << 10
"""Bytes of br and zstd that are unpacked at once."""

_HEADER_END = re.compile(rb"\n\r?\n")

_INTERIM = re.compile(rb"(?:HTTP/[0-9.]++ 1[0-9][0-9]\b[^\n]*+\n(?:[^\r\n][^\n]*+\n)*+\r?\n)*+")
"""Headers of interim responses."""

RECORD_END = b"\r\n\r\n"
"""The end of a record (ISO 28500 section 4)."""

PACKED = {b"\x28\xb5\x2f": "zstd", b"\x04\x22\x4d": "lz4"}
"""How a frame of an archive begins that pyarrow unpacks."""

WARC_SCHEMA = pa.schema(
    {
        "url": pa.string(),
        "date": pa.timestamp("us", tz="UTC"),
        "status": pa.int32(),
        "content_type": pa.string(),
        "payload_type": pa.string(),
        "record_id": pa.string(),
        "truncated": pa.string(),
        "body": pa.binary(),
    }
)
"""The columns of `read_warc`."""


def read_warc(
    source: str | os.PathLike[str] | BinaryIO,
    *,
    wanted: Callable[[CrawlRow], bool] = is_xml,
    batch_bytes: int = ROWS_BYTES,
    max_bytes: int = BODY_LIMIT,
    on_error: Callable[[str], object] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Read the HTTP responses of a WARC file, plain or compressed by gzip, zstd or lz4.

    Args:
        source: a path, or a binary stream, seekable or not.
        wanted: which responses to take, from a `CrawlRow`: url, status, content_type, payload_type and
            head, the first 4,096 bytes of the body, unpacked where it is gzip. By default those whose type
            or first bytes look like XML.
        batch_bytes: bytes of bodies in a record batch, about.
        max_bytes: a longer body is cut one byte after that many, so that `decode_batch` with the same limit
            refuses it.
        on_error: called with a sentence for each damaged place. None: what ends the reading raises.

    Yields:
        Record batches of `WARC_SCHEMA`: url, date, status, content_type, payload_type (of
        WARC-Identified-Payload-Type), record_id, truncated (why the crawler cut the body, of WARC-Truncated),
        body. Its transfer and content codings are removed. `content_type` is "" where there is no such field.

    Raises:
        ImportError: fastwarc is not installed.
        OSError: the file cannot be opened; without `on_error` also: it is damaged, cut off, or no WARC file.
            What was read before has been yielded. In a stream, a cut in a record's header is not seen.
    """
    try:
        import fastwarc.warc
    except ImportError as missing:
        raise ImportError("read_warc needs fastwarc: pip install 'feedcharset[warc]'") from missing
    problems: list[str] = []
    is_path = isinstance(source, str | os.PathLike)
    # It is opened here: FastWARC opens URLs, too, and goes by the file's name.
    with open(source, "rb", buffering=0) if is_path else nullcontext(source) as file:  # type: ignore[arg-type]
        # A file gives its position itself. (Python code that FastWARC calls may lose Ctrl-C: it panics.)
        stream: Any = file if is_path else _CountedStream(file)
        responses = _responses(fastwarc.warc, stream, wanted, max_bytes, on_error or bool, problems)
        yield from record_batches(responses, WARC_SCHEMA, batch_bytes)
    for problem in problems:
        if on_error is None:
            raise OSError(f"{stream.name}: {problem}")
        on_error(problem)


def _responses(
    fastwarc: Any,
    stream: Any,
    wanted: Callable[[CrawlRow], bool],
    max_bytes: int,
    on_error: Callable[[str], object],
    problems: list[str],
) -> Iterator[dict[str, Any]]:
    """The wanted responses as rows, up to the end or to what cannot be read, which is added to `problems`."""
    at = None
    try:
        for record in _whole_records(fastwarc.ArchiveIterator, stream, problems):
            at = record.stream_pos
            kind = (record.headers.get("Content-Type") or "").partition(";")[0].strip().lower()
            if record.record_type != fastwarc.WarcRecordType.response or kind not in ("", "application/http"):
                continue  # Heritrix archives the answer of a name server as a response, too
            record.is_http = True  # FastWARC knows the media type in small letters only
            length, has_end = record.content_length, True
            if length <= HEAD_BYTES:  # FastWARC takes the end of a record for that of a header
                start = read_whole(record.reader.read, length)
                if len(start) < length:
                    problems[:] = [f"cut off in the record at byte {at}"]
                elif start.startswith(b"HTTP/"):
                    has_end = _HEADER_END.search(start) is not None
                record.set_bytes_content(start)
                record.is_http = True
            try:
                record.parse_http(quirks_mode=True, max_header_len=HEADER_LIMIT)
            except OSError as error:
                if "header length" not in str(error):
                    raise
                on_error(f"{OF_RESPONSE} {at} has an HTTP header of more than {HEADER_LIMIT:,} bytes")
                continue
            http = record.http_headers
            if http is None or not (http.status_line or "").startswith("HTTP/"):
                if kind:
                    on_error(f"{OF_RESPONSE} {at} has no HTTP header")
                continue
            if not has_end:
                on_error(f"{OF_RESPONSE} {at} ends within its HTTP header")
                continue
            reader = record.reader
            if 100 <= (http.status_code or 0) < 200:
                most = max_bytes + 1 + HEADER_LIMIT
                reader, http = _behind_interim(fastwarc, read_whole(reader.read, most), http)
            url, payload_type = map(record.headers.get, ("WARC-Target-URI", "WARC-Identified-Payload-Type"))
            content_type = _field(http, b"content-type")
            codings = _field(http, b"transfer-encoding"), _field(http, b"content-encoding")
            body = read_whole(reader.read, max_bytes + 1 if any(codings) else HEAD_BYTES)
            document, cut = body, ""
            if len(body) <= max_bytes:
                document, cut = _without_codings(body, *codings, max_bytes)
            row = CrawlRow(url, http.status_code, content_type, payload_type, head_of(document))
            if not wanted(row):
                continue
            if not any(codings):
                body += read_whole(reader.read, max_bytes + 1 - len(body))
                document = body
            if cut:
                on_error(f"{OF_RESPONSE} {at} has {cut} data that is cut off or damaged")
            yield {
                **row._asdict(),
                "date": record.record_date,
                "record_id": record.record_id,
                "truncated": record.headers.get("WARC-Truncated"),
                "body": document,
            }
    except OSError as error:
        problems[:] = [f"damaged after byte {at or 0}: {error}"]
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise  # else a defect of FastWARC's, which must not cost the job
        problems[:] = [f"damaged after byte {at or 0}: FastWARC failed"]
    if problems:
        return
    if at is None:
        problems.append("holds no WARC record")
    elif at is not None and isinstance(stream, io.FileIO) and stream.seekable() and _is_cut(stream, at):
        problems.append(f"cut off in or after the record at byte {at}")


def record_batches(
    rows: Iterable[dict[str, Any]], schema: pa.Schema, batch_bytes: int = ROWS_BYTES
) -> Iterator[pa.RecordBatch]:
    """Gather rows in record batches with about `batch_bytes` bytes of bodies."""
    gathered: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        gathered.append(row)
        size += len(row["body"])
        if size >= batch_bytes:
            yield pa.RecordBatch.from_pylist(gathered, schema)
            gathered, size = [], 0
    if gathered:
        yield pa.RecordBatch.from_pylist(gathered, schema)


def _behind_interim(fastwarc: Any, content: bytes, http: Any) -> tuple[Any, Any]:
    """Return the reader and the header of the final response behind an interim one (100 Continue, 103 Early
    Hints: RFC 9110 section 15.2), where the record holds it; else of the first, which `content` follows."""
    content = content[_INTERIM.match(content).end() :]  # type: ignore[union-attr]  # it may be empty
    if content.startswith(b"HTTP/"):
        head = b"WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\n"
        record = io.BytesIO(head + b"Content-Length: %d\r\n\r\n" % len(content) + content + RECORD_END)
        inner = next(fastwarc.ArchiveIterator(record, parse_http=False, quirks_mode=True))
        inner.is_http = True
        with suppress(OSError):  # its header is too long
            inner.parse_http(quirks_mode=True, max_header_len=HEADER_LIMIT)
            if inner.http_headers is not None:
                return inner.reader, inner.http_headers
    return io.BytesIO(content), http


def _whole_records(iterator: Any, stream: Any, problems: list[str]) -> Iterator[Any]:
    """The records, each read to its end before the next; a content that is shorter than its record says is
    added to `problems`. FastWARC takes the end of the file for the end of the record."""
    for record in iterator(stream, parse_http=False, quirks_mode=True):
        yield record
        record.reader.consume()
        if record.reader.tell() < record.content_length:
            problems[:] = [f"cut off in the record at byte {record.stream_pos}"]


def _is_cut(file: io.FileIO, at: int) -> bool:
    """Return True where a file ends within a record, behind the last one that was found at byte `at`.

    For FastWARC a header that is cut is no record. In one member with many records (`gzip crawl.warc`) `at`
    is no byte where unpacking can begin.
    """
    file.seek(0)
    magic = file.read(len(GZIP_MAGIC))
    file.seek(at)
    file.seek(at if file.read(len(magic)) == magic else 0)
    pieces: Iterable[bytes] = iter(partial(file.read, io.DEFAULT_BUFFER_SIZE), b"")
    if magic == GZIP_MAGIC:
        pieces = Gunzip(pieces, Limits(decoded=None, ratio=None))
    elif magic in PACKED:
        packed = pa.CompressedInputStream(file, PACKED[magic])
        pieces = iter(partial(packed.read, io.DEFAULT_BUFFER_SIZE), b"")
    elif magic == b"WAR":
        file.seek(-len(RECORD_END), io.SEEK_END)
    else:
        return False
    end = b""
    try:
        for piece in pieces:
            end = (end + piece)[-len(RECORD_END) :]
    except (BrokenGzip, OSError):  # FastWARC has found what is damaged
        return True
    return not end.endswith((RECORD_END, b"\n\n"))


def _field(http: Any, name: bytes) -> str:
    """The values of a header field, joined (RFC 9110 section 5.3); "" where there is none."""
    values = http.get_bytes_multiple(name)
    return ", ".join(value.decode("latin-1") for value in values)


class _CountedStream(io.RawIOBase):
    """A stream whose position is known, whatever the stream below can do: FastWARC needs it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.position = 0
        self.name: str = getattr(stream, "name", "the stream")

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._stream.read(size) or b""
        if not self.position and data:  # FastWARC knows the compression by what its first read gives
            data += read_whole(self._stream.read, min(size, len(GZIP_MAGIC) + 1) - len(data))
        self.position += len(data)
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self.position  # FastWARC only wants to know it


# -- codings ----------------------------------------------------------------------------------------------


def _without_codings(body: bytes, transfer: str, content: str, most: int) -> tuple[bytes, str]:
    """The document's bytes, at most one byte more than `most`; and the coding that is cut off or damaged,
    or "".

    Many archives hold bodies that are decoded already, under the header fields as received. What does not
    decode by them, and is no packed data, is therefore taken as it is; a broken gzip body, too:
    `decode_arrays` counts it. So is a body under more than `MOST_CODINGS`.

    Args:
        body: the record's bytes after the HTTP header.
        transfer, content: the values of Transfer-Encoding and Content-Encoding. RFC 9110 section 8.4:
            codings are listed in the order in which they were applied.
        most: bytes that are unpacked.
    """
    codings = [coding.strip().lower().removeprefix("x-") for coding in content.split(",")]
    if "chunked" in transfer.lower():
        codings.append("chunked")
    cut = ""
    for coding in reversed(codings if len(codings) <= MOST_CODINGS else ()):
        if coding == "chunked":
            with suppress(ValueError):
                body, is_cut = _dechunk(body, most + 1)
                cut = coding if is_cut else cut
        elif coding in ("gzip", "deflate", "br", "zstd"):
            pieces: list[bytes] = []
            is_gzip = coding in ("gzip", "deflate")
            try:
                with suppress(OverLimit):
                    unpacker = Gunzip((body,), Limits(decoded=most + 1, ratio=None), coding=coding)
                    pieces.extend(unpacker if is_gzip else _unpacked(body, coding, most + 1))
            except (OSError, BrokenGzip):
                if is_unpacked(body[:HEAD_BYTES]):
                    continue
                cut = coding
            body = b"".join(pieces)
    return body, cut


def _unpacked(body: bytes, coding: str, most: int) -> Iterator[bytes]:
    """Unpack br or zstd, up to the byte where FastWARC fails: it drops what it has of a read that fails."""
    from fastwarc import stream_io

    kind = stream_io.BrotliReader if coding == "br" else stream_io.ZstdReader
    reader, given, step = kind(io.BytesIO(body)), 0, UNPACKED_AT_ONCE
    while given < most:
        try:
            piece = reader.read(min(step, most - given))
        except OSError:
            if step == 1:
                raise
            reader, step = kind(io.BytesIO(body)), 1
            for start in range(0, given, UNPACKED_AT_ONCE):
                reader.read(min(UNPACKED_AT_ONCE, given - start))
            continue
        if not piece:
            return
        given += len(piece)
        yield piece


def _dechunk(body: bytes, most: int) -> tuple[bytes, bool]:
    """The body without the chunked coding (RFC 9112 section 7.1), and True where it ends within a chunk, or
    without the last: the connection broke off."""
    socket: Any = SimpleNamespace(makefile=lambda mode: io.BytesIO(body))
    response: Any = HTTPResponse(socket)
    response.chunked, response.chunk_left = True, None  # as after a header that says so
    pieces: list[bytes] = []
    try:
        pieces.extend(iter(partial(response.read1, most), b""))
    except HTTPException:
        if not pieces:
            raise ValueError("no chunk") from None
        return b"".join(pieces)[:most], True
    return b"".join(pieces)[:most], False
