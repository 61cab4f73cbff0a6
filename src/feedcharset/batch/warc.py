"""`read_warc`: the responses of a web archive (ISO 28500) as Arrow record batches."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from http.client import HTTPException
from types import SimpleNamespace
from typing import Any, BinaryIO

import pyarrow as pa

from feedcharset.adapters.xml_responses import HEAD_BYTES, head_of
from feedcharset.batch.arrays import CODING_ERROR
from feedcharset.batch.row_decoder import BODY_LIMIT, IGNORED
from feedcharset.batch.row_selection import CrawlRow, is_xml
from feedcharset.evidence.document_head import is_packed, is_unpacked
from feedcharset.fetch.framing import CHUNK_SIZE, announced_length, announced_part, chunk_reader, has_chunks
from feedcharset.fetch.gunzip import (
    CODINGS,
    GZIP_MAGIC,
    BrokenGzip,
    Gunzip,
    OverLimit,
    is_deflate,
    unknown_words,
    words_of,
)
from feedcharset.fetch.limits import Limits
from feedcharset.reading.byte_streams import read_whole
from feedcharset.text.options import check_number

ROWS_BYTES = 32 << 20
"""Bytes of bodies in a record batch."""

MOST_CODINGS = 4
"""Most codings of a body that are removed: a server and a proxy apply three together. Each may unpack the
whole body, and a header field may list any number."""

HEADER_LIMIT = 1 << 20
"""Bytes of a header, of HTTP or of a record. Browsers take 256 KB; a record's holds the URL, which may be one
of data:."""

_ONCE = ("WARC-Type", "WARC-Record-ID", "WARC-Target-URI", "Content-Length")
"""Fields that a header has once (WARC 1.1 section 4). With two it is that of one record and the end of
another's, and the body would get the other one's URL."""

HEADER_PIECE = 64
"""Bytes of a header that are read at once, at first: no record of a response is shorter, so that what is
damaged behind it does not cost it."""

STREAM_PIECE = 1 << 16
"""Most bytes that are read at once: a Content-Length may be any number, and a read that meets damage loses
all. As many of a stream are read first, for a dictionary; FastWARC reads as many."""

MOST_DAMAGE = 1_000
"""Damaged members or frames behind which the reading goes on. A file may hold a beginning in every three
bytes."""

LOOKED_BACK = 1 << 18
"""Bytes before the damage in which the next member is searched: a changed byte may make one run on over those
behind it, by some KiB, or by two stored blocks of 64 KiB."""

READ_AGAIN = 1 << 20
"""Bytes of an archive that are read twice at most where members run on: of members in each other each may run
on to the same place, so that 1,000 of 60 KB would unpack 50 GB."""

NO_END = "its data has no end"
"""What is wrong with a member or frame that the end of the archive cuts."""

OF_RECORD = "the record at byte"
"""How a sentence about one record begins; to read the archive again would not help."""

UNPACKED_AT_ONCE = 1 << 8
"""Bytes of br and zstd that are unpacked at once, and lost where they are damaged."""

_Fields = dict[bytes, list[bytes]]

_FIRST_LINE = re.compile(rb"^WARC/[0-9]++\.[0-9]++[ \t]*+\r{0,2}+$", re.MULTILINE | re.IGNORECASE)
"""The first line of a record."""

_LINE_WITHIN = re.compile(rb"WARC/[0-9]++\.[0-9]++[ \t]*+\r{0,2}+$", re.MULTILINE)
"""The same where the record before it was cut off within a line."""

_OF_RECORDS = frozenset((b"warc-type", b"warc-record-id", b"warc-date", b"content-length"))
"""Fields that each record has, once."""

_HEADER_END = re.compile(rb"\n\r{0,2}+\n")
_HEADER_ENDS = (b"\n\n", b"\n\r\n", b"\n\r\r\n")
"""CR CR LF is what a file in text mode makes of CR LF on Windows."""

_FIELD = re.compile(rb"\n(?![ \t])([^:\n]*+):([^\n]*+(?:\n[ \t][^\n]*+)*+)")
"""A field of a header behind the first line, with the lines that continue it."""

_TYPES = frozenset(
    ("warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation")
)
"""The types of records (ISO 28500 section 5.5); those of others are passed over."""

_OF_HTTP = "application/http"
"""In the Content-Type of a record that holds a response or a request."""

_STATUS = re.compile(rb"HTTP/[^ \t\n]*+[ \t]++([0-9]{1,4})(?![0-9])")

_INTERIM = re.compile(rb"HTTP/[0-9.]++ 1[0-9][0-9]\b")

_BLANK = b"\r\n\t \0"
"""What may stand between records: empty lines, and the zeros with which a tape or a disk is filled."""

RECORD_END = b"\r\n\r\n"
"""The end of a record (ISO 28500 section 4)."""

PACKED = {
    GZIP_MAGIC: "GzipReader",
    b"\x28\xb5\x2f": "ZstdReader",
    # A frame without data (RFC 8878 section 3.1.2) comes first: 5D is that of a dictionary; pzstd writes 50.
    **{bytes([kind]) + b"\x2a\x4d": "ZstdReader" for kind in range(0x50, 0x60)},
    b"\x04\x22\x4d": "Lz4Reader",
}
"""How a packed archive begins, and what of FastWARC unpacks it."""

_MEMBERS = (GZIP_MAGIC, b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18")
"""How a member or frame begins that is looked for where an archive begins otherwise."""

_PACKED_RECORD = re.compile(rb"(?s)(?:%b).{3,32}?(?<!\n)WARC/[0-9]" % b"|".join(map(re.escape, _MEMBERS)))
"""One in which a record begins that stands there as it is: with low levels, or if it is short."""

_DICTIONARY = b"\x5d\x2a\x4d\x18"
"""How the frame begins that holds the dictionary of zstd. Its size follows (RFC 8878 section 3.1.2)."""

DICTIONARY_LIMIT = 1 << 20
"""Most bytes of a dictionary in its frame: FastWARC takes no more."""

KEPT_BYTES = 1 << 21
"""Bytes of a stream that are kept, in which it is gone back behind damage: a member that was cut off runs on
over those behind it, or has zeros behind it."""

UNPACKED_DICTIONARY = 1 << 24
"""Most bytes of one that is kept for the frames behind damage: 1 MB may unpack to any size."""

_EMPTY_FRAME = b"\x28\xb5\x2f\xfd\x20\0\1\0\0"
"""A frame of zstd without data."""

WARC_SCHEMA = pa.schema(
    {
        "url": pa.string(),
        "date": pa.timestamp("us", tz="UTC"),
        "status": pa.int32(),
        "content_type": pa.string(),
        "payload_type": pa.string(),
        "record_id": pa.string(),
        "truncated": pa.string(),
        CODING_ERROR: pa.string(),
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
        on_error: called with a sentence for each damaged place of the archive. None: the first damaged member
            or frame, and what else ends the reading raises.

    Yields:
        Record batches of `WARC_SCHEMA`: url, date, status, content_type, payload_type (of
        WARC-Identified-Payload-Type), record_id, truncated (why the crawler cut the body, of WARC-Truncated),
        coding_error, body. Its transfer and content codings are removed. `coding_error` is a sentence, which
        `decode_batch` makes the error of the row, where one is damaged, cut off or followed by other bytes
        (gzip that is so stays packed), or the record is damaged, cut off, a segment or of another length, or
        the body is shorter than the response says. `content_type` is "" where there is no such field.

    Raises:
        ImportError: fastwarc is not installed.
        TypeError: the source is neither.
        OSError: the file cannot be opened; without `on_error` also: it is damaged, cut off, or no WARC file.
            What was read before has been yielded.
    """
    try:
        from fastwarc import stream_io
    except ModuleNotFoundError as missing:
        raise ImportError("read_warc needs fastwarc: pip install 'feedcharset[warc]'") from missing
    check_number("max_bytes", max_bytes, "bytes")
    check_number("batch_bytes", batch_bytes, "bytes")
    problems: list[str] = []
    is_path = isinstance(source, str | os.PathLike)
    if not is_path and not hasattr(source, "read"):
        raise TypeError(f"{type(source).__name__} is no path or stream; pass bytes as io.BytesIO(data)")
    # It is opened here: FastWARC opens URLs, too, and goes by the file's name.
    with open(source, "rb", STREAM_PIECE) if is_path else nullcontext(source) as opened:  # type: ignore[arg-type]
        file: Any = opened
        # A file gives its position itself. (Python code that FastWARC calls may lose Ctrl-C: it panics.)
        stream: Any = file if is_path and file.seekable() else _CountedStream(file)
        archive = _Archive(stream, stream_io, MOST_DAMAGE if on_error else 0)
        responses = _responses(archive, wanted, max_bytes, on_error or bool, problems)
        yield from record_batches(responses, WARC_SCHEMA, batch_bytes)
    for problem in problems:
        if on_error is None:
            raise OSError(f"{stream.name}: {problem}")
        on_error(problem)


def _responses(
    archive: _Archive,
    wanted: Callable[[CrawlRow], bool],
    max_bytes: int,
    on_error: Callable[[str], object],
    problems: list[str],
) -> Iterator[dict[str, Any]]:
    """The wanted responses as rows, up to the end or to what cannot be read, which is added to `problems`."""
    try:
        for fields in archive.records(on_error, problems):
            found = {name: values[0].decode("utf-8", "replace") for name, values in fields.items()}
            url, payload_type = map(found.get, (b"warc-target-uri", b"warc-identified-payload-type"))
            kind = found.get(b"warc-type", "").lower()
            if not kind:
                on_error(f"{OF_RECORD} {archive.at} has no WARC-Type")
            elif kind not in _TYPES and _OF_HTTP in found.get(b"content-type", "").lower():
                on_error(f"{OF_RECORD} {archive.at} has a message of HTTP, and the WARC-Type {kind!r}")
            if kind != "response" or (url or "").startswith("dns:"):
                continue  # Heritrix archives the answer of a name server as a response, too
            if not (header := archive.http_header(on_error)):
                continue
            http = {name: b", ".join(values).decode("latin-1") for name, values in _fields(header).items()}
            status = int(code[1]) if (code := _STATUS.match(header)) else None
            if url is not None and url.startswith("<") and url.endswith(">"):
                url = url[1:-1]  # as wget writes it, by WARC 1.0
            codings = http.get(b"transfer-encoding", ""), http.get(b"content-encoding", "")
            coded = CODINGS.union(["chunked"]).intersection(words_of(",".join(codings)))
            body = read_whole(archive.read, max_bytes + 1 if any(codings) else HEAD_BYTES)
            document, cut = body, ""
            if len(body) <= max_bytes:
                document, cut = _without_codings(body, *codings, max_bytes)
            is_whole = not cut or cut.endswith(IGNORED)
            # What the archive has unpacked is longer or shorter than its Content-Length.
            has_length = not coded or not body or (document is not body and "chunked" not in coded)
            row = CrawlRow(url, status, http.get(b"content-type", ""), payload_type, head_of(document))
            if not wanted(row):
                continue
            if not any(codings):
                body += read_whole(archive.read, max_bytes + 1 - len(body))
                document = body
            document = document[: max_bytes + 1]
            if len(document) > max_bytes:
                cut = f"the body has more than {max_bytes:,} bytes, and was cut"
            elif is_whole and len(body) <= max_bytes and (flaw := archive.flaw(body[-1:])):
                cut = f"the record {flaw}"
            elif is_whole and b"\0" in header:
                cut = "the HTTP header has NULs in it"
            elif is_whole and b"warc-segment-number" in fields:
                cut = "the record is one of the segments of a body"
            elif is_whole and status == HTTPStatus.PARTIAL_CONTENT and not _is_all(http):
                cut = "the body is a part of the document"
            elif (is_whole or not body) and has_length and status not in (None, HTTPStatus.NOT_MODIFIED):
                announced = announced_length({"Content-Length": http.get(b"content-length", "")}) or 0
                if len(body) < min(announced, max_bytes + 1) and b"warc-truncated" not in fields:
                    cut = f"the body has {len(body):,} of {announced:,} bytes"
                elif 0 < announced < len(body) and _FIRST_LINE.search(body, announced):
                    cut = "the record has a wrong Content-Length"  # with the next record in it
            yield {
                **row._asdict(),
                "date": _date(found.get(b"warc-date", "")),
                "record_id": found.get(b"warc-record-id"),
                "truncated": found.get(b"warc-truncated"),
                CODING_ERROR: cut or None,
                "body": document,
            }
    except OSError as error:
        problems[:] = [f"damaged after byte {archive.at or 0}: {error}"]
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise  # else a defect of FastWARC's, which must not cost the job
        if str(error) == "PyObject pointer is null":
            raise MemoryError from error  # Python had none for the bytes that it would return
        problems[:] = [f"damaged after byte {archive.at or 0}: FastWARC failed"]


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


def _is_all(http: dict[bytes, str]) -> bool:
    """Return True where a part has all bytes of its document (RFC 9110 section 14.4)."""
    first, last, length = announced_part({"Content-Range": http.get(b"content-range", "")}) or (1, 0, 0)
    return first == 0 and last + 1 == length


class _Archive:
    """The records of an archive, one after the other. FastWARC unpacks.

    Records are found by their first line, wherever the gzip members or frames end: a member may hold none, as
    the last block of bgzip does. What belongs to no record is passed over, and named. Where each record is a
    member, none goes on in the next one, whatever its Content-Length; and damage costs its member alone.

    Attributes:
        at: the byte of the archive where the record begins, or the member or frame that holds it; None before
            the first.
        rest: bytes of the record's content that were not read.
    """

    def __init__(self, stream: Any, stream_io: Any, most_damage: int) -> None:
        self.at: int | None = None
        self.rest = sys.maxsize
        self._stream = stream
        first: bytes = stream.peek(STREAM_PIECE)
        self._magic: bytes = first[: len(GZIP_MAGIC)]
        self._damage = ""
        """What FastWARC found in a member or frame; nothing more is read of it."""
        if self._magic not in PACKED:
            # With one other byte it is damaged: short text stands in zstd and lz4 as it is.
            found = [(0, magic) for magic in _MEMBERS[1:] if sum(map(int.__eq__, first, magic)) == 3]
            if not found and (record := _PACKED_RECORD.search(first)):
                found = [(record.start(), magic) for magic in _MEMBERS if record[0].startswith(magic)]
            if not (found or _LINE_WITHIN.search(first)):
                found = [(at, magic) for magic in _MEMBERS if (at := first.find(magic)) >= 0]
            if found:
                self._magic = min(found)[1][: len(GZIP_MAGIC)]
                self._damage = "a file of another kind begins so"
        self._packing = PACKED.get(self._magic, "")
        """The name of what unpacks it; "" for a plain archive."""
        if self._packing == "ZstdReader":  # it may begin with a frame without data
            self._magic = _MEMBERS[1][: len(GZIP_MAGIC)]
        self._open: Any = getattr(stream_io, self._packing) if self._packing else None
        self._dictionary: dict[str, bytes] = {}
        """Of zstd, for the frames behind a damaged one."""
        self._unreadable = ""
        """What is wrong with the dictionary, which all frames need."""
        if first.startswith(_DICTIONARY):
            try:
                self._dictionary["dictionary"] = _dictionary(stream, first, self._open)
            except OSError as error:
                if error.errno is not None or getattr(stream, "has_failed", False):
                    raise  # it is not FastWARC's
                self._unreadable = f"its dictionary: {error}"
        self._unpacker: Any = self._open and self._open(stream)
        self._left = b""
        """Bytes that were read behind a header."""
        self._lines = 0
        """Line feeds before the last block."""
        self._frame: Any = None
        """Where the member or frame begins that holds the record; None between records."""
        self._empty_at = -1
        """Where the last read was that gave nothing: at the end of a member, or of the archive."""
        self._opened = 0
        """Where the unpacker began."""
        self._given = 0
        """Bytes that it has given."""
        self._damaged = (0, 0)
        """Where the damaged member or frame begins, and where it was read to."""
        self._most_damage = most_damage
        self._again = READ_AGAIN
        self._by_record = self._open is not None
        """Until now each record was a member or frame of its own."""
        self._is_content = False
        self._before = 0
        """`rest` at the first byte of the record, as far as that is read."""
        self._is_longer = False
        """The content ended with its member, before its Content-Length."""

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes of the content; b"" at its end, or at that of the archive."""
        size = min(size, self.rest, STREAM_PIECE)
        piece, self._left = self._left[:size], self._left[size:]
        piece = piece or self._unread(size)
        if self._is_content and self._by_record and self._place() != self.at:
            self._left = self._left or self._unread(HEADER_PIECE)
            both = piece + self._left[:HEADER_PIECE]
            start = _FIRST_LINE.search(both) or _LINE_WITHIN.search(both)
            self._by_record = start is not None or self._damage != ""
            end = start.start() if start else len(piece)
            is_last = start is None and self._damage != "" and both == piece  # nothing is left of the member
            if end < len(piece) or (is_last and len(piece) < self.rest and piece.endswith(RECORD_END)):
                self._left = piece[end:] + self._left
                piece = piece[:end].removesuffix(RECORD_END)
                self.rest, self._is_content, self._is_longer = len(piece), False, True
        self.rest -= len(piece)
        return piece

    def _unread(self, size: int) -> bytes:
        """Return the next bytes of the file; b"" at its end, and at damage."""
        if self._unpacker is None:
            return self._stream.read(size) if size else b""
        while size and not self._damage:
            try:
                frame = self._unpacker.frame_start_position()
                piece, here = self._unpacker.read(size), self._unpacker.inner_tell()
            except OSError as error:
                self._raise_own(error)
                if "not enough memory" in str(error):
                    raise MemoryError from error
                self._note(str(error))
                lost = self._lost(frame)
                self._left = lost[size:]
                return lost[:size]
            if piece or here == self._empty_at:
                self._given += len(piece)
                return bytes(piece)
            self._empty_at = here
        return b""

    def _raise_own(self, error: OSError) -> None:
        """Raise an error of the stream again, which FastWARC's are not."""
        if error.errno is not None or getattr(self._stream, "has_failed", False):
            raise error

    def _note(self, damage: str) -> None:
        """Note what is wrong with the member or frame that was read last."""
        place = end = self._unpacker.frame_start_position()
        with suppress(OSError):  # of lz4, where no frame follows
            end = self._unpacker.inner_tell()
        self._damage, self._damaged = damage, (place, end)

    def _place(self) -> int:
        """Return where the member or frame begins of which the last bytes are, or the damaged one."""
        return self._damaged[0] if self._damage else int(self._unpacker.frame_start_position())

    def _lost(self, frame: int) -> bytes:
        """Return the bytes that a read has lost, which met damage: those to the end of the member that begins
        at `frame`, as far as it is known how many were read of it, and those of the damaged one."""
        passed = None
        if self._by_record and self._frame == frame:
            passed = self._before - self.rest
        elif frame == self._opened:
            passed = self._given
        lost = b"" if passed is None else self._data_of(frame, passed)
        return lost if self._place() == frame else lost + self._data_of(self._place(), 0)

    def _data_of(self, start: int, passed: int) -> bytes:
        """Return the data of a member or frame to its end, or to its damage, behind so many bytes: of the
        record that it holds, before which empty lines may stand, or of all."""
        if self._stream.seek(start) != start:  # a stream goes back as far as it has kept
            return b""
        parts, is_before = [], self._by_record and self._frame == start
        try:
            for piece in self._gzip_data() if self._magic == GZIP_MAGIC else self._frame_data(start, passed):
                data = piece.lstrip(_BLANK) if is_before else piece
                is_before = is_before and not data
                parts.append(data[passed:])
                passed = max(0, passed - len(data))
        except BrokenGzip:
            pass
        except OSError as error:
            self._raise_own(error)
        return b"".join(parts)

    def _gzip_data(self) -> Iterator[bytes]:
        """The data of the member at the stream's position. Other than FastWARC, it loses none to damage."""
        pieces = iter(partial(self._stream.read, STREAM_PIECE), b"")
        return Gunzip(pieces, Limits(decoded=None, ratio=None), members=False)

    def _frame_data(self, start: int, passed: int) -> Iterator[bytes]:
        """The data of a frame, of which so many bytes can be read; what follows them byte by byte."""
        unpacker = self._open(self._stream, **self._dictionary)
        while piece := unpacker.read(min(passed, STREAM_PIECE) or 1):
            if unpacker.frame_start_position() != start:
                break
            passed -= min(passed, len(piece))
            yield piece

    def flaw(self, last: bytes) -> str:
        """Return what is wrong with a record that was read to its end; "" where nothing is. `last`: the last
        byte of its content, which may have taken bytes of the empty lines behind it."""
        is_cut, self._is_content, end = self.rest > 0, False, b""
        own, self._frame = self._frame, None
        if not is_cut:
            self.rest = len(RECORD_END)
            end = read_whole(self.read, self.rest)
            if end.strip(_BLANK):
                self.rest = HEADER_PIECE
                end += read_whole(self.read, self.rest)
            self._put_back(end)
            self.rest = 0
        is_next = self._by_record and not is_cut and own != self._place()
        is_damaged = self._damage != "" and not (is_next or self._is_longer)
        is_damaged = is_damaged or end.startswith(b"\0")  # where the file was filled with zeros
        may_go_on = self._packing != "" and (self._packing != "GzipReader" or end != RECORD_END)
        if may_go_on and not (is_cut or is_damaged):
            # FastWARC compares the checksum when it reads on. Damage of the next frame is none of this one.
            place, frame = self._place, own if self._by_record else self._place()
            more = b"0"
            while place() == frame and len(self._left) < HEADER_PIECE and (more := self._unread(1)):
                self._left += more
            is_filled = self._by_record and len(self._left) >= HEADER_PIECE and not self._left.strip(_BLANK)
            is_damaged = is_filled or (self._damage != "" and place() == frame)
            is_cut = not (more or self._damage) and self._cut() != ""
        if is_cut or is_damaged:
            return "is damaged" if is_damaged else "is cut off"
        behind = end.lstrip(_BLANK)
        blank = end[: len(end) - len(behind)]
        has_taken = last in (b"\r", b"\n") and len(blank) < len(RECORD_END) and blank[:2] != b"\n\n"
        is_wrong = self._is_longer or has_taken or (behind and not _FIRST_LINE.match(behind))
        return "has a wrong Content-Length" if is_wrong else ""

    def _goes_on(self, is_lost: bool, on_error: Callable[[str], object], problems: list[str]) -> bool:
        """Go to the next member or frame, where one is damaged; return False at the end of the archive.
        Zeros behind what is whole (`is_lost` is False) are no damage, as for gzip(1)."""
        if not self._damage and (damage := self._cut()):
            self._note(damage)
        if not self._damage:
            return False
        if self._packing == "Lz4Reader" and self.at is not None and self._lines < 2:
            is_lost = True  # zeros are data in a frame of lz4: they are where the record should end
        at, end = self._damaged
        place = self._stream.seek(max(at, end - min(self._again, LOOKED_BACK)))
        window, own = self._stream.read(1), place == at  # where the damaged one begins
        while (found := window.find(self._magic, own)) < 0 and (piece := self._stream.read(STREAM_PIECE)):
            is_lost = is_lost or window.strip(b"\0") != b""
            kept = window[-len(self._magic) :]
            place, window = place + len(window) - len(kept), kept + piece
        is_lost = is_lost or window[: found if found >= 0 else None].strip(b"\0") != b""
        self._most_damage -= is_lost
        if found < 0 or self._most_damage < 0:
            is_cut, damage = self._damage == NO_END, f"damaged after byte {at}: {self._damage}"
            problem = f"cut off in or after {OF_RECORD} {at}" if is_cut else damage
            problems[:] = [problem] if is_lost else []
            return False
        if is_lost:
            on_error(f"{OF_RECORD} {at} is damaged: {self._damage}")
        self._again -= max(0, end - self._stream.seek(place + found))
        self._unpacker = self._open(self._stream, **self._dictionary)
        self._opened, self._given = place + found, 0
        self._damage, self._empty_at = "", -1
        return True

    def _meets_zeros(self) -> bool:
        """Return True where no member or frame begins, but zeros, at which reading ended."""
        start = self._place()
        return bool(self._stream.seek(start) == start and self._stream.read(1) == b"\0")

    def records(self, on_error: Callable[[str], object], problems: list[str]) -> Iterator[_Fields]:
        """The fields of each record; of its content what was not read is passed over. What is damaged is
        named, and what ends the archive early is added to `problems`."""
        if self._unreadable:
            problems[:] = [self._unreadable]
            return
        passed, is_named, is_lost = 0, False, False
        while (block := self._block()) or self._goes_on(is_lost, on_error, problems):
            header, is_lost = _last_header(block), False
            passed += len(block) - len(header)
            if not header:
                continue
            if self._unpacker is not None:
                self._by_record = self._by_record and self.at != self._frame
                self.at = self._frame
            else:
                self.at = self._stream.seek(0, io.SEEK_CUR) - len(self._left) - len(header)
            if passed and not is_named:
                on_error(f"{OF_RECORD} {self.at} follows {passed:,} bytes that belong to no record")
            passed, is_named = 0, True
            if len(header) > HEADER_LIMIT:
                on_error(f"{OF_RECORD} {self.at} has a header of more than {HEADER_LIMIT:,} bytes")
                continue
            if not header.endswith(_HEADER_ENDS):
                # The read that met zeros behind a short record has lost the end of its header.
                self._lines, is_lost = 0, not (self._damage and self._meets_zeros())
                continue
            if b"\0" in header:  # blocks of the disk were lost, with records in them
                on_error(f"{OF_RECORD} {self.at} has a header with NULs in it")
                continue
            fields = _fields(header)
            length = fields.get(b"content-length", [b""])[0]
            if not length.isdigit() or int(length[:20]) > sys.maxsize:
                which = "a Content-Length that is no number of bytes" if length else "no Content-Length"
                on_error(f"{OF_RECORD} {self.at} has {which}")
                continue
            if twice := [name for name in _ONCE if len({*fields.get(name.lower().encode(), ())}) > 1]:
                on_error(f"{OF_RECORD} {self.at} has several of {', '.join(twice)}, as where a piece is lost")
                continue
            is_named, self.rest, self._is_longer = False, int(length), False
            self._before = len(block) + self.rest
            self._is_content = True
            yield fields
            while self.read(STREAM_PIECE):
                pass
            self._is_content = False
            if self._is_longer:
                on_error(f"{OF_RECORD} {self.at} has a Content-Length that is too large")
            if self.rest and not self._damage and not self._cut():
                problems[:] = [f"cut off in the record at byte {self.at}"]
                return
            self.rest, is_lost = sys.maxsize, self.rest > 0
        if self.at is None and not problems:
            problems.append("holds no WARC record")
        elif not self._damage and ((not is_named and passed) or self._lines < 2):
            problems.append(f"cut off in or after the record at byte {self.at}")

    def http_header(self, on_error: Callable[[str], object]) -> bytes:
        """Return the header of the response; behind interim ones (100 Continue, 103 Early Hints: RFC 9110
        section 15.2) that of the final one, where the record holds it; b"" where there is none to read."""
        header = self._block()
        while _INTERIM.match(header) and header.endswith(_HEADER_ENDS):
            start = read_whole(self.read, len(b"HTTP/"))
            self._put_back(start)
            if start != b"HTTP/":
                break
            header = self._block()
        if not header.startswith(b"HTTP/"):
            on_error(f"{OF_RECORD} {self.at} has no HTTP header")
        elif len(header) > HEADER_LIMIT:
            on_error(f"{OF_RECORD} {self.at} has an HTTP header of more than {HEADER_LIMIT:,} bytes")
        elif header.endswith(_HEADER_ENDS):
            if b"\0" in header:  # zeros in the place of what was not written, of fields and the body, too
                on_error(f"{OF_RECORD} {self.at} has an HTTP header with NULs in it")
            return header
        elif not self.rest:
            on_error(f"{OF_RECORD} {self.at} ends within its HTTP header")
        return b""

    def _block(self) -> bytes:
        """Return what comes up to an empty line, or somewhat more than HEADER_LIMIT bytes of it, without the
        empty lines before; b"" at the end. A little is read at once: a read that meets damage loses all."""
        block, size, self._lines = bytearray(), 0, 0
        self._frame = self._frame if self._is_content else None
        while len(block) <= HEADER_LIMIT and (piece := self.read(max(HEADER_PIECE, size // 8))):
            size += len(piece)
            if not block:
                found = piece.lstrip(_BLANK)
                self._lines += piece[: len(piece) - len(found)].count(b"\n")
                if found and not self._is_content:
                    self._frame = self._unpacker and self._place()
                    self._before = self.rest + len(found)
                piece = found
            start = max(0, len(block) - 3)
            block += piece
            if end := _HEADER_END.search(block, start):
                self._put_back(bytes(block[end.end() :]))
                del block[end.end() :]
                break
        return bytes(block)

    def _put_back(self, data: bytes) -> None:
        self._left = data + self._left
        self.rest += len(data)

    def _cut(self) -> str:
        """Return NO_END where the last member or frame of a file is not whole, else "": FastWARC passes over
        a checksum that is cut."""
        coding = {"GzipReader": "gzip", "Lz4Reader": "lz4"}.get(self._packing)
        start = coding and self._unpacker.frame_start_position()
        if coding is None or self._stream.seek(start) != start:
            return ""
        kept: Any = SimpleNamespace(read=self._stream.read, close=bool, closed=False)
        try:
            unpacked = pa.CompressedInputStream(kept, coding)
            while unpacked.read(STREAM_PIECE):
                pass
        except OSError:
            return NO_END
        return ""


def _dictionary(stream: Any, first: bytes, unpacker: Any) -> bytes:
    """Return the dictionary of zstd in the first frame of an archive; OSError where it is damaged: FastWARC
    panics where it is passed such a one."""
    size = int.from_bytes(first[4:8], "little")
    if size > DICTIONARY_LIMIT:
        raise OSError(f"it has more than {DICTIONARY_LIMIT:,} bytes")
    if isinstance(stream, _CountedStream):
        frame = stream.peek(8 + size)
    else:
        place = stream.seek(0, io.SEEK_CUR)
        frame = read_whole(stream.read, 8 + size)
        stream.seek(place)
    unpacker(io.BytesIO(frame + _EMPTY_FRAME)).read()
    dictionary = frame[8:]
    if dictionary.startswith(_MEMBERS[1]):  # it is packed itself
        dictionary = read_whole(unpacker(io.BytesIO(dictionary)).read, UNPACKED_DICTIONARY + 1)
    return dictionary if len(dictionary) <= UNPACKED_DICTIONARY else b""


def _last_header(block: bytes) -> bytes:
    """Return a block from the first line of a record on; b"" without one. A header that was cut off, as when
    the writer was killed, runs on into that of the next record, which has its fields again."""
    first, last = _FIRST_LINE.search(block), None
    for found in _LINE_WITHIN.finditer(block):
        last = found
    if last is not None and (first is None or first.start() < last.start()):
        before, behind = (_fields(part) for part in (block[: last.start()], block[last.start() :]))
        if _OF_RECORDS.intersection(behind) and (
            first is None or not before or not _OF_RECORDS.isdisjoint(before.keys() & behind)
        ):
            return block[last.start() :]
    return block[first.start() :] if first else b""


def _fields(header: bytes) -> _Fields:
    """The values of each field by its name in small letters, which do not count (RFC 9110 section 5.1, ISO
    28500 section 4)."""
    fields: _Fields = {}
    for name, value in _FIELD.findall(header):
        line = b" ".join(map(bytes.strip, value.split(b"\n"))) if b"\n" in value else value
        fields.setdefault(name.strip().lower(), []).append(line.strip())
    return fields


def _date(value: str) -> datetime | None:
    with suppress(ValueError, OverflowError):  # no year 10,000 in UTC
        if re.fullmatch("[0-9]{4}(?:-[0-9]{2}){0,2}", value):  # WARC 1.1 allows a date without a time
            value += "YYYY-01-01T00:00Z"[len(value) :]
        date = datetime.fromisoformat(value)
        return date.astimezone(UTC) if date.tzinfo else None
    return None


class _CountedStream(io.RawIOBase):
    """A stream whose position is known, whatever the stream below can do: FastWARC needs it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._head = b""
        self._position = 0
        self._last = bytearray()
        self.has_failed = False
        self.name: str = getattr(stream, "name", "the stream")

    def peek(self, size: int) -> bytes:
        # FastWARC wants the dictionary of zstd in its first read
        self._head += read_whole(self._stream.read, max(size, STREAM_PIECE) - len(self._head))
        return self._head[:size]

    def read(self, size: int = -1) -> bytes:
        data, self._head = self._head[:size], self._head[size:]
        try:
            data = data or self._stream.read(size) or b""
        except BaseException:
            self.has_failed = True
            raise
        self._position += len(data)
        self._last += data
        if len(self._last) > 2 * KEPT_BYTES:
            del self._last[:-KEPT_BYTES]
        return data

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go back to a byte, or as far as is known, or on to it; return where that is."""
        if whence == io.SEEK_SET and (back := min(self._position - offset, len(self._last))) > 0:
            self._head = bytes(self._last[-back:]) + self._head
            del self._last[-back:]
            self._position -= back
        while whence == io.SEEK_SET and self._position < offset and self.read(offset - self._position):
            pass
        return self._position


# -- codings ----------------------------------------------------------------------------------------------


def _without_codings(body: bytes, transfer: str, content: str, most: int) -> tuple[bytes, str]:
    """The document's bytes, at most one byte more than `most`; and what is wrong with the data of a coding,
    or "".

    Many archives hold bodies that are decoded already, under the header fields as received. What does not
    decode by them, and is no packed data, is therefore taken as it is; a broken gzip body, too:
    `decode_arrays` counts it. So is a body under more than `MOST_CODINGS`. Codings are listed in the order
    in which they were applied (RFC 9110 section 8.4).
    """
    codings = [coding for coding in words_of(f"{content},{transfer}") if coding != "chunked"]
    codings += ["chunked"] * min(transfer.lower().count("chunked"), 2)  # in a proxy's chunks the server's
    flaws = []
    for coding in filter(_UNPACKERS.get, reversed(codings if len(codings) <= MOST_CODINGS else ())):
        pieces: list[bytes] = []
        what = ""
        try:
            if _UNPACKERS[coding](body, coding, most + 1, pieces):
                what = f"other bytes follow the {coding} data{IGNORED}"
        except (OSError, BrokenGzip, HTTPException):
            what = f"the body has {coding} data that is cut off or damaged"
        head = body[:HEAD_BYTES]
        if (
            what
            and coding != "chunked"
            and is_unpacked(head)
            and not (coding == "deflate" and is_deflate(head))
        ):
            continue
        flaws += [what] if what else []
        body = b"".join(pieces)[: most + 1]
    left = [coding for coding in codings if coding not in _UNPACKERS]
    if (CODINGS.intersection(left) or unknown_words(left)) and is_packed(body[:HEAD_BYTES]):
        flaws += ["the body has a Content-Encoding that cannot be removed"]
    return body, min(flaws, key=lambda flaw: flaw.endswith(IGNORED), default="")


def _unpack(body: bytes, coding: str, most: int, pieces: list[bytes]) -> bool:
    from fastwarc import stream_io

    if coding in ("gzip", "deflate"):
        unpacker = Gunzip((body,), Limits(decoded=most, ratio=None), coding=coding)
        with suppress(OverLimit):
            pieces.extend(unpacker)
        return unpacker.has_rest
    # In small steps: FastWARC drops what it has of a read that fails.
    reader = (stream_io.BrotliReader if coding == "br" else stream_io.ZstdReader)(io.BytesIO(body))
    given, has_ended = 0, False
    try:
        while given < most:
            size = min(UNPACKED_AT_ONCE, most - given)
            if not (piece := reader.read(size)) and has_ended:
                break
            has_ended = len(piece) < size  # of br: the data is whole, and an error is about what follows
            given += len(piece)
            pieces.append(piece)
    except OSError as error:
        if "not enough memory" in str(error):
            raise MemoryError from error
        if coding == "br" and has_ended and given:
            return True
        whole: list[bytes] = []
        if end := reader.frame_start_position() or 0:  # of the frames of zstd that are whole
            _unpack(body[:end], coding, most, whole)
        pieces[:] = max(pieces, whole, key=lambda some: sum(map(len, some)))
        is_other = PACKED.get(body[end : end + len(GZIP_MAGIC)]) != "ZstdReader"
        if not (end and is_other and any(pieces)):
            raise
        return body[end:].strip(b"\0") != b""
    return False


def _dechunk(body: bytes, coding: str, most: int, pieces: list[bytes]) -> bool:
    """RFC 9112 section 7.1. It is an error where the body ends within a chunk, or without the last."""
    stream = io.BytesIO(body)
    try:
        pieces.extend(iter(partial(chunk_reader(stream), most), b""))
    except (HTTPException, ConnectionError):
        line = body.rstrip(b"\r\n")
        is_size = b"\n" not in line and CHUNK_SIZE.match(line + b"\n")
        if pieces or is_size or has_chunks(body):
            raise
        pieces.append(body)  # it is not chunked: it was decoded before it was archived
        return False
    return stream.read().strip(_BLANK) != b""


_UNPACKERS = {"chunked": _dechunk, **dict.fromkeys(("br", "deflate", "gzip", "zstd"), _unpack)}
"""What removes a coding: it adds to a list what it unpacks, and returns True where other bytes follow."""
