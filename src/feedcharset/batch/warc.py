"""`read_warc`: the responses of a web archive (ISO 28500) as Arrow record batches."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa

from feedcharset.batch.http_payload import payload
from feedcharset.batch.row_decoder import BODY_LIMIT
from feedcharset.batch.row_selection import HEAD_BYTES, CrawlRow, is_xml

__all__ = ["ROWS_BYTES", "WARC_SCHEMA", "read_warc"]

ROWS_BYTES = 32 << 20
"""Bytes of bodies in a record batch."""

WARC_SCHEMA = pa.schema(
    [
        pa.field("url", pa.string()),
        pa.field("date", pa.timestamp("us", tz="UTC")),
        pa.field("status", pa.int32()),
        pa.field("content_type", pa.string()),
        pa.field("payload_type", pa.string()),
        pa.field("record_id", pa.string()),
        pa.field("body", pa.binary()),
    ]
)
"""The columns of `read_warc`."""

WarcErrorHandler = Callable[[str], object]


class _Response(NamedTuple):
    """A row, in the order of WARC_SCHEMA."""

    url: str | None
    date: datetime | None
    status: int | None
    content_type: str
    payload_type: str | None
    record_id: str | None
    body: bytes


def read_warc(
    source: str | os.PathLike[str] | BinaryIO,
    *,
    wanted: Callable[[CrawlRow], bool] = is_xml,
    batch_bytes: int = ROWS_BYTES,
    max_bytes: int = BODY_LIMIT,
    on_error: WarcErrorHandler | None = None,
) -> Iterator[pa.RecordBatch]:
    """Read the HTTP responses of a WARC file, plain or compressed by gzip, zstd or lz4.

    Args:
        source: a path, or a binary stream, seekable or not.
        wanted: which responses to take, from a `CrawlRow`: url, status, content_type, payload_type and
            head, the first 4,096 bytes of the body. By default those whose type or first bytes look like
            XML.
        batch_bytes: bytes of bodies in a record batch, about.
        max_bytes: a longer body is cut one byte after that many, so that `decode_batch` with the same limit
            refuses it.
        on_error: called with a sentence for each damaged place. None: what ends the reading raises.

    Yields:
        Record batches of `WARC_SCHEMA`: url, date, status, content_type, payload_type (of
        WARC-Identified-Payload-Type), record_id, body. The body's transfer and content codings are removed.
        `content_type` is "" where the response has no such field.

    Raises:
        ImportError: fastwarc is not installed.
        OSError: the file cannot be opened; without `on_error` also: it is damaged, cut off, or no WARC file.
            What was read before has been yielded.
    """
    _need_fastwarc()
    with _opened(source) as stream:
        archive = _Archive(stream, wanted, max_bytes, on_error)
        rows: list[_Response] = []
        size = 0
        for row in archive.responses():
            rows.append(row)
            size += len(row.body)
            if size >= batch_bytes:
                yield _batch(rows)
                rows, size = [], 0
        if rows:
            yield _batch(rows)
        archive.report()


def _opened(source: str | os.PathLike[str] | BinaryIO) -> AbstractContextManager[Any]:
    """The stream; what is opened here is closed. (FastWARC opens URLs, and goes by the file's name.)"""
    if isinstance(source, str | os.PathLike):
        return open(source, "rb", buffering=0)
    return nullcontext(source)


def _need_fastwarc() -> None:
    try:
        import fastwarc  # noqa: F401
    except ImportError as missing:
        raise ImportError("read_warc needs fastwarc: pip install 'feedcharset[warc]'") from missing


def _batch(rows: list[_Response]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, WARC_SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=WARC_SCHEMA)


class _Archive:
    """The wanted responses of one file, one by one."""

    def __init__(
        self,
        stream: Any,
        wanted: Callable[[CrawlRow], bool],
        max_bytes: int,
        on_error: WarcErrorHandler | None,
    ) -> None:
        self._stream = _CountedStream(stream)
        self._wanted = wanted
        self._max_bytes = max_bytes
        self._on_error = on_error
        self._problem: str | None = None
        self._position = 0
        """Offset of the last record that was found."""

    def responses(self) -> Iterator[_Response]:
        """The wanted responses, up to the end or to what cannot be read."""
        from fastwarc.warc import ArchiveIterator, WarcRecordType

        wanted_type: Any = WarcRecordType.response
        found = 0
        try:
            for record in ArchiveIterator(self._stream, parse_http=False, quirks_mode=True):
                self._position = record.stream_pos
                found += 1
                if record.record_type == wanted_type and (response := self._response(record)):
                    yield response
        except OSError as error:
            self._problem = f"damaged after byte {self._position}: {error}"
        except BaseException as error:
            if type(error).__name__ != "PanicException":
                raise  # else a defect of FastWARC's, which must not cost the job
            self._problem = f"damaged after byte {self._position}: FastWARC failed"
        if not found and not self._problem and self._stream.position:
            self._problem = "holds no WARC record"

    def report(self) -> None:
        """Report what is wrong with the file as a whole.

        Raises:
            OSError: there is no handler.
        """
        if self._problem and self._on_error is None:
            raise OSError(f"{self._stream.name}: {self._problem}")
        if self._problem and self._on_error is not None:
            self._on_error(self._problem)

    def _response(self, record: Any) -> _Response | None:
        if not record.is_http:
            return None  # Heritrix archives the answer of a name server as a response, too
        record.parse_http(quirks_mode=True)
        http = record.http_headers
        if http is None or not (http.status_line or "").startswith("HTTP/"):
            if self._on_error is not None:
                self._on_error(f"the response at byte {self._position} has no HTTP header")
            return None
        headers = record.headers
        known = (headers.get("WARC-Target-URI"), http.status_code, _field(http, b"content-type"))
        payload_type = headers.get("WARC-Identified-Payload-Type")
        codings = _field(http, b"transfer-encoding"), _field(http, b"content-encoding")
        if any(codings):
            body = self._read(record, b"")
            if len(body) <= self._max_bytes:
                body = payload(body, *codings, self._max_bytes)
            head = body[:HEAD_BYTES]
        else:
            head = body = _read_exactly(record.reader, HEAD_BYTES)
        if not self._wanted(CrawlRow(*known, payload_type, head)):
            return None
        if not any(codings):
            body = self._read(record, head)
        url, status, content_type = known
        date, record_id = record.record_date, record.record_id
        return _Response(url, date, status, content_type, payload_type, record_id, body)

    def _read(self, record: Any, head: bytes) -> bytes:
        """The rest of a body, at most one byte more than the limit."""
        body = head + _read_exactly(record.reader, self._max_bytes + 1 - len(head))
        if len(body) < min(record.content_length, self._max_bytes + 1):
            self._problem = f"cut off in the record at byte {self._position}"
        return body


def _read_exactly(reader: Any, size: int) -> bytes:
    """So many bytes, fewer only at the end: one call may return less."""
    pieces = []
    while size > 0 and (piece := reader.read(size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _field(http: Any, name: bytes) -> str:
    """The values of a header field, joined (RFC 9110 section 5.3); "" where there is none."""
    values = http.get_bytes_multiple(name)
    return ", ".join(value.decode("latin-1") for value in values)


class _CountedStream(io.RawIOBase):
    """A binary stream whose position is known, whatever the stream below can do: FastWARC needs it.

    Args:
        stream: has `.read(n)`. It is not closed. What it raises is raised.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.position: int = 0
        self.name: str = getattr(stream, "name", "the stream")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer)) or b""
        buffer[: len(data)] = data
        self.position += len(data)
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Give the position; it cannot be changed."""
        if (offset, whence) != (0, io.SEEK_CUR):
            raise io.UnsupportedOperation("seek")
        return self.position
