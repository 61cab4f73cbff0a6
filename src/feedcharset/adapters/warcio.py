"""warcio: an XmlReader of a record of a WARC file.

With warcio's iterator:

    for record in ArchiveIterator(stream):
        if record.rec_type == "response":
            with open_record(record) as reader:
                text = reader.read()
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from http.client import HTTPException
from io import BufferedReader, BytesIO
from typing import Unpack

from feedcharset.adapters import needed
from feedcharset.errors import FetchError, TooLarge, TruncatedBody
from feedcharset.evidence.document_head import PREFIX_LIMIT, is_packed, is_unpacked
from feedcharset.fetch.framing import CHUNK_SIZE, announced_length, chunk_reader, has_chunks
from feedcharset.fetch.gunzip import (
    CODINGS,
    GZIP_MAGIC,
    GZIP_READ,
    BrokenGzip,
    Gunzip,
    OverLimit,
    PieceStream,
    beginning,
    is_deflate,
    unknown_words,
    words_of,
)
from feedcharset.fetch.limits import FILE_LIMITS
from feedcharset.fetch.urls import masked_field, shown, without_userinfo
from feedcharset.reading.xml_reader import ReaderOptions, XmlReader

with needed("warcio", "warcio"):
    from warcio.bufferedreaders import BufferedReader as WarcioReader
    from warcio.recordloader import ArcWarcRecord

__all__ = ["open_record"]

_NOT_MODIFIED = str(HTTPStatus.NOT_MODIFIED.value)


def open_record(record: ArcWarcRecord, **options: Unpack[ReaderOptions]) -> XmlReader:
    """Return an `XmlReader` of the document in a record.

    The Content-Type is that of the HTTP response; of a record without one ("resource", "conversion") it is
    the record's own. Chunks are removed, and one Content-Encoding: gzip, deflate, or br where a brotli is
    installed that warcio can use. The reader does not close the record's stream: the iterator goes on from
    it.

    Args:
        record: of `ArchiveIterator`, whose content was not read before.
        options: those of `XmlReader`.

    Raises:
        FetchError: the content is compressed in another way; `read_warc` reads that.
        TruncatedBody: the content is cut off, or its chunks, gzip or deflate data are damaged, in a record
            without a WARC-Truncated; raised when the reader gets there, with what came before in `.partial`.
        TooLarge: it grows more than 1,000:1.

    Also what `XmlReader` raises.
    """
    headers = record.http_headers or record.rec_headers
    options.setdefault("content_type", headers.get_header("Content-Type", ""))
    options["closefd"] = False
    content = _Content(record) if record.http_headers else record.content_stream()
    return XmlReader(content, **options)


class _Content(PieceStream):
    """The content of a response without chunks and codings. Where an archive has removed them itself, the
    header names them still."""

    def __init__(self, record: ArcWarcRecord) -> None:
        super().__init__(keeps=True)
        http = record.http_headers
        words = [
            word
            for field in ("content-encoding", "transfer-encoding")
            for name, value in http.headers
            if name.lower() == field
            for word in words_of(value)
        ]
        codings = [word for word in words if word in CODINGS]
        self.url = without_userinfo(record.rec_headers.get_header("WARC-Target-URI") or "")
        self._stream = record.raw_stream
        self._is_told = record.rec_headers.get_header("WARC-Truncated") is not None
        self._has_ended = False
        """There is no more of the record."""
        self._taken = self._announced = 0
        """Bytes of the body that were taken, coded or not, and its Content-Length where that counts."""
        stream = BufferedReader(PieceStream(self._raw))
        is_chunked = "chunked" in words and CHUNK_SIZE.match(stream.peek()) is not None
        self._is_without_sizes = "chunked" in words and not is_chunked
        """The header names chunks, and the body does not begin with the size of one."""
        self._last = b""
        """The last bytes that were given."""
        head, rest = beginning(chunk_reader(stream) if is_chunked else stream.read1)
        packed = PieceStream(rest, taken=head)
        is_coded = head.startswith(GZIP_MAGIC) or (codings == ["deflate"] and is_deflate(head))
        is_coded = is_coded or (head != b"" and (not is_unpacked(head) or is_packed(head)))
        unknown = unknown_words([word for word in words if word != "chunked"])
        is_unpacked_before = codings and head and not is_coded
        if not (is_chunked or is_unpacked_before or http.get_statuscode() == _NOT_MODIFIED):
            self._announced = announced_length({"Content-Length": http.get_header("Content-Length", "")}) or 0
        self._read: Callable[[int], bytes | None] = packed.read
        if codings in (["gzip"], ["deflate"]) and is_coded:
            pieces = iter(lambda: packed.read(GZIP_READ) or b"", b"")
            unpacked = Gunzip(pieces, FILE_LIMITS, coding=codings[0])
            self._read = lambda size: next(unpacked, b"")
        elif codings == ["br"] and _removes_br():
            self._read = WarcioReader(packed, decomp_type="br").read
        elif (codings and is_coded) or (unknown and is_packed(head)):
            named = shown(masked_field(", ".join(codings) or unknown))
            what = f"{shown(self.url)}: compressed ({named}), and not unpacked here"
            advice = "read the archive with feedcharset.batch.read_warc"
            raise FetchError(what, url=self.url, advice=advice)

    def _raw(self, size: int) -> bytes:
        data: bytes = self._stream.read(size)
        self._has_ended = not data
        self._taken += len(data)
        return data

    def _piece(self, size: int) -> bytes:
        data, why = b"", ""
        try:
            data = self._read(size) or b""
        except (HTTPException, ConnectionError):
            why = "its chunks are cut off or damaged"
        except BrokenGzip:
            why = "its gzip or deflate data is cut off or damaged"
        except OverLimit as error:
            raise TooLarge(f"{shown(self.url)}: {error}", url=self.url, limit=error.name) from None
        self._last = (self._last + data)[-PREFIX_LIMIT:]
        is_size = self._taken == len(self._last) and CHUNK_SIZE.match(self._last.rstrip(b"\r\n") + b"\n")
        if not data and self._is_without_sizes and (is_size or has_chunks(self._last)):
            why = "its chunks are cut off or damaged"
        elif not data and self._has_ended and self._taken < self._announced:
            why = why or f"the body has {self._taken:,} of {self._announced:,} bytes"
        elif self._has_ended and getattr(self._stream, "limit", 0) > 0:
            why = why or "the record is cut off"
        if why and not self._is_told:
            advice = "use what there is, in .partial"
            raise TruncatedBody(f"{shown(self.url)}: {why}", url=self.url, advice=advice)
        return data


def _removes_br() -> bool:
    """Whether warcio removes br. It uses brotli up to 1.1 only: none of a later one may be changed."""
    try:
        WarcioReader(BytesIO(), decomp_type="br")
    except Exception:  # Exception itself where there is no brotli, AttributeError with a later one
        return False
    return True
