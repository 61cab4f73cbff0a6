"""The bytes of a source in blocks of one size, however small the pieces are that it returns.

Findings depend on the blocks alone, so a report does not depend on the pieces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from feedcharset.errors import TooLarge
from feedcharset.reading.caller_stream import CallerStream
from feedcharset.reading.gzip_stream import GZIP_MAGIC, DownloadLimits, GunzipStream
from feedcharset.reading.prefixed_stream import PrefixedStream

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BLOCK", "SourceBlocks"]

BLOCK = 32 * 1024
"""Bytes. utf_8_decode ran at 3 GB/s in pieces of this size and at 1 from 128 KiB on; the head, in which the
declaration must end, fits (20 KiB)."""


class Source(Protocol):
    """What a stream must have."""

    def read(self, size: int, /) -> Any: ...


class SourceBlocks:
    """The blocks of a document, unpacked if it is gzip.

    Raises, while it is read:
        TypeError: the stream gives text.
        OSError: the stream failed.
    """

    def __init__(self, stream: Source, download: DownloadLimits | None = None) -> None:
        self._stream: Source = CallerStream(stream)
        self._ahead = self._read()
        self.gzip: bool = self._ahead.startswith(GZIP_MAGIC)
        """The source is gzip; the blocks are what it holds."""
        self.broken: str | None = None
        """Why the document ends early, or None. Known at its end."""
        self.exceeded: str | None = None
        """Why no more was unpacked, or None. Known at the end of the document."""
        if self.gzip:
            # Both streams have the methods of IO[bytes] that are used here.
            packed: Any = PrefixedStream(self._ahead, self._stream)
            self._stream = GunzipStream(packed, strict=False, download=download)
            self._ahead = self._read()

    def __iter__(self) -> Iterator[tuple[bytes, bool]]:
        """Blocks, each with a flag for the last one; there is at least one."""
        while len(self._ahead) == BLOCK:
            block, self._ahead = self._ahead, self._read()
            yield block, not self._ahead
            if not self._ahead:
                return
        yield self._ahead, True

    def _read(self) -> bytes:
        """A whole block; shorter only at the end."""
        pieces: list[bytes] = []
        missing = BLOCK
        while missing:
            piece = self._piece(missing)
            if not piece:
                break
            pieces.append(piece)
            missing -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _piece(self, size: int) -> bytes:
        """At most `size` bytes; a damaged gzip member ends the document."""
        if not isinstance(self._stream, GunzipStream):
            piece: bytes = self._stream.read(size)
            return piece
        try:
            data = self._stream.read(size)
        except TooLarge as error:
            if error.url is not None:  # the limit of the download, not of this gzip
                raise
            self.exceeded = str(error).partition(";")[0]
            return b""
        self.broken = self._stream.broken
        return data
