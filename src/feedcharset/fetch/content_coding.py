"""Content codings: gzip and deflate, removed incrementally and within the limits.

One layer (RFC 9110 section 8.4). gzip and deflate by zlib, with a limit on each piece of output, so that the
limits stop a bomb in time; br and zstd by urllib3, where it supports them.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import urllib3
import urllib3.response

from feedcharset.errors import FetchError, TruncatedBody
from feedcharset.fetch.fetch_errors import FetchAbort
from feedcharset.fetch.gunzip import BrokenGzip, Gunzip, OverLimit
from feedcharset.fetch.limits import MIB
from feedcharset.fetch.urls import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from feedcharset.fetch.deadline import Deadline

__all__ = ["PIECE", "ByteCount", "PieceFile", "content_coding", "decoded", "ignored_words"]

# Bytes read, and produced, at a time: what a socket gives at once, and little enough for many threads.
PIECE = 64 << 10

CODINGS = frozenset(
    (
        *("aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "zstd"),
        *("aws-chunked", "br2", "bzip2", "lz4", "lzma", "sdch", "snappy", "xz", "zlib"),
    )
)
"""Words that name a coding: the registered ones (IANA, HTTP Parameters) but identity, which is none, and
others that servers have used. The body under any other word is read as it is."""


def content_coding(value: str, url: str) -> str:
    """Return the coding that a Content-Encoding field names, in lower case; "" for none.

    Raises:
        FetchAbort: it names more than one coding, or one that cannot be removed here.
    """
    codings = [coding for coding in _words(value) if coding in CODINGS]
    if not codings:
        return ""
    if len(codings) > 1:
        raise _refused(url, f"compressed {len(codings)} times (Content-Encoding: {shown(value)})")
    coding = codings[0]
    if coding in ("gzip", "deflate") or (coding in ("br", "zstd") and _urllib3_can(coding)):
        return coding
    raise _refused(url, f"a coding that cannot be removed here (Content-Encoding: {shown(value)})")


def ignored_words(value: str) -> list[str]:
    """Return the words of a Content-Encoding field that name no coding: "none", "utf-8".

    They are ignored, and the body is read as it is.
    """
    return [word for word in _words(value) if word not in CODINGS]


def _words(value: str) -> list[str]:
    # RFC 9110 section 8.4.1.3: x-gzip is gzip
    words = [word.strip().lower().removeprefix("x-") for word in value.split(",")]
    return [word for word in words if word not in ("", "identity")]


def decoded(pieces: Iterator[bytes], coding: str, deadline: Deadline) -> Iterator[bytes]:
    """Yield the document's bytes; raise FetchAbort where a limit is exceeded or the data is damaged."""
    if coding in ("gzip", "deflate"):
        return _inflated(pieces, coding, deadline)
    compressed = ByteCount()
    if coding:
        pieces = _by_urllib3(compressed.counted(pieces), coding, deadline)
    return _bounded(pieces, coding, compressed, deadline)


class ByteCount:
    """Counts the bytes of pieces that pass."""

    def __init__(self) -> None:
        self.size: int = 0

    def counted(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self.size += len(piece)
            yield piece


def _bounded(
    pieces: Iterator[bytes], coding: str, compressed: ByteCount, deadline: Deadline
) -> Iterator[bytes]:
    """End at exactly `decoded` bytes, and at `ratio` after the first MiB of output."""
    count = 0
    most, ratio = deadline.limits.decoded, deadline.limits.ratio
    for piece in pieces:
        count += len(piece)
        if most is not None and count > most:
            yield piece[: most - count]
            raise deadline.exceeded("decoded")
        if coding and ratio is not None and count > MIB and count > ratio * compressed.size:
            raise deadline.exceeded("ratio")
        yield piece


def _inflated(pieces: Iterator[bytes], coding: str, deadline: Deadline) -> Iterator[bytes]:
    """Remove gzip or deflate."""
    try:
        yield from Gunzip(pieces, deadline.limits, coding=coding)
    except OverLimit as error:
        raise deadline.exceeded(error.name) from None
    except BrokenGzip as error:
        if error.reason is None:
            raise _cut_off(coding, deadline) from None
        raise _refused(
            deadline.url,
            f"labelled Content-Encoding: {coding}, which it is not, or damaged ({error.reason}), and "
            ".partial holds what could be unpacked",
        ) from None


def _cut_off(coding: str, deadline: Deadline) -> FetchAbort:
    return FetchAbort(
        TruncatedBody(
            f"{shown(deadline.url)}: the {coding} data ended before its end mark; try again, or use what "
            "arrived, in .partial",
            url=deadline.url,
        )
    )


def _by_urllib3(pieces: Iterator[bytes], coding: str, deadline: Deadline) -> Iterator[bytes]:
    """Remove br or zstd. Only zstd marks its end; a truncated br body without a length is not noticed."""
    first = next(pieces, None)
    if first is None:
        return
    file: Any = PieceFile(itertools.chain([first], pieces))
    source = urllib3.HTTPResponse(body=file, headers={"Content-Encoding": coding}, preload_content=False)
    try:
        while piece := source.read1(PIECE, decode_content=True):
            yield piece
    except urllib3.exceptions.DecodeError as error:
        if "incomplete" in str(error):
            raise _cut_off(coding, deadline) from error
        raise


class PieceFile:
    """Pieces as the file from which urllib3 reads a body: each read returns one piece of any size."""

    def __init__(self, pieces: Iterator[bytes], close: Callable[[], object] = bool) -> None:
        self._pieces = filter(None, pieces)
        self._close = close
        self.closed: bool = False

    def read(self, size: int | None = None) -> bytes:
        """Return the next piece; all of them for None."""
        if size is None:
            return b"".join(self._pieces)
        piece = next(self._pieces, b"")
        if not piece:
            self.close()
        return piece

    read1 = read

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._close()


def _urllib3_can(coding: str) -> bool:
    """Return whether urllib3 decodes it, in pieces of limited size."""
    if coding not in urllib3.HTTPResponse.CONTENT_DECODERS:
        return False
    if coding == "zstd":
        return True
    # Brotli before 1.2 decodes its whole input in one call: a bomb in one call.
    engine = urllib3.response.brotli.Decompressor()  # type: ignore[attr-defined]
    call = getattr(engine, "decompress", None) or engine.process
    try:
        call(b"", output_buffer_limit=1)
    except TypeError:
        return False
    return True


def _refused(url: str, what: str) -> FetchAbort:
    return FetchAbort(
        FetchError(
            f'{shown(url)}: {what}; request none with headers={{"Accept-Encoding": "identity"}}', url=url
        )
    )
