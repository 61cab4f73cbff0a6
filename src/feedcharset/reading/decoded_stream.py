"""A binary stream, decoded piece by piece."""

from __future__ import annotations

import io
import os
import stat
from typing import IO, Any

from feedcharset.errors import DecodeError, FeedcharsetError, ResolutionError
from feedcharset.reading.caller_stream import CallerStream
from feedcharset.reading.gzip_stream import GZIP_MAGIC, DownloadLimits, GunzipStream
from feedcharset.reading.prefixed_stream import ByteSource, PrefixedStream
from feedcharset.text.xml_decoder import XmlDecoder

__all__ = ["PIECE", "DecodedStream"]

PIECE = 60 * 1024
"""Bytes read from the source at once. They are decoded in one call, so no text is joined; and their text, two
bytes a character, stays under the 128 KiB from which on the C library maps and unmaps memory for each piece
(200,000 page faults in an ASCII file of 512 MB, and four times the processor time)."""


def is_at_hand(stream: object) -> bool:
    """Return True where reading never waits: bytes in memory, or a regular file."""
    if isinstance(stream, io.BytesIO):
        return True
    return isinstance(stream, io.FileIO) and stat.S_ISREG(os.fstat(stream.fileno()).st_mode)


def is_short(body: Any) -> bool:
    """Return True for a response's body that is announced with less than a piece: most decisions need all of
    it."""
    announced: str = body.headers.get("Content-Length", "")
    return len(announced) < 6 and announced.isascii() and announced.isdecimal() and int(announced) < PIECE


class DecodedStream:
    """The text of a source, and the reads that the decision needs.

    Args:
        stream: the source's bytes.
        decoder: decides the encoding and decodes.
        gunzip: unpack the stream where it is gzip.
        strict: a damaged gzip member raises.
        download: limits the unpacked size.
    """

    def __init__(
        self,
        stream: IO[bytes],
        decoder: XmlDecoder,
        *,
        gunzip: bool,
        strict: bool,
        download: DownloadLimits | None = None,
    ) -> None:
        self._source = stream
        self._stream: ByteSource = stream
        self._decoder = decoder
        self._taken: list[bytes] | None = []
        """The bytes read before the decision; None after it."""
        self._taken_size = 0
        self._first: str | None = None
        """Text that was decoded together with the decision."""
        self._error: DecodeError | None = None
        self._failure: Exception | None = None
        """An error of the source behind the text of `_first`."""
        self._ended = False
        self._is_short = download is not None and is_short(stream)
        if gunzip:
            self._unpack(strict, download)

    def _unpack(self, strict: bool, download: DownloadLimits | None) -> None:
        """Replace the stream by a GunzipStream where it starts with gzip's magic number."""
        first = b""
        while len(first) < len(GZIP_MAGIC) and GZIP_MAGIC.startswith(first) and (piece := self._read()):
            first += piece
        if first.startswith(GZIP_MAGIC):
            packed = PrefixedStream(first, self._stream)
            self._stream = GunzipStream(packed, strict=strict, download=download)
            self._taken, self._taken_size = [], 0

    def start(self, *, owned: bool) -> None:
        """Read as much as the decision needs.

        Args:
            owned: closing the exception's stream closes the source.

        Raises:
            ResolutionError: strict, where the rules refuse; its stream is at the first byte.
        """
        taken = self._taken if self._taken is not None else []
        try:
            self._first = self._decode(self._all_at_hand(b"".join(taken)))
            while not self._decoder.started and not self._ended:
                if self._failure is not None:
                    raise self._failure
                self._first = self._next()
            self._decide_small_document()
        except ResolutionError as error:
            stream = PrefixedStream(b"".join(taken), self._stream, closes=self._source if owned else None)
            error.stream = io.BufferedReader(stream)
            raise
        self._taken = None

    def _decide_small_document(self) -> None:
        """Read a document of less than a piece to its end: its encoding is final before the first read.

        A caller's own stream is not read further: its next byte may be long in coming.
        """
        if isinstance(self._source, CallerStream) and not self._source.at_hand:
            return
        parts = [self._first or ""]
        while self._decoder.provisional and not self._ended and self._taken_size < PIECE:
            if self._failure is not None:
                break
            try:
                parts.append(self._next())
            except (OSError, FeedcharsetError) as error:
                self._failure = error  # reading raises it, after the text before it
                break
        self._first = "".join(parts)

    @property
    def is_whole(self) -> bool:
        """The text of the whole document was decoded, and nothing of it was taken."""
        return self._ended and self._first is not None and self._error is None and self._failure is None

    def more(self) -> str | None:
        """Return the text of the next piece; None at the end.

        Raises:
            DecodeError: with errors="strict", an undecodable byte; again at every further call.
        """
        if self._first is not None:
            first, self._first = self._first, None
            return first
        if self._error is not None:
            raise self._error
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        return None if self._ended else self._next()

    def _next(self) -> str:
        piece = self._read()
        self._ended = not piece
        if not self._decoder.started:
            piece = self._all_at_hand(piece)
        if self._ended and isinstance(self._stream, GunzipStream) and self._stream.broken:
            self._decoder.note_broken_gzip()
        return self._decode(piece)

    def _all_at_hand(self, piece: bytes) -> bytes:
        """Return the first piece with what follows it, where that is the whole document:
        then it is judged and decoded as a whole."""
        if not piece or len(piece) >= PIECE:
            return piece
        if not (self._is_short or is_at_hand(self._source)):
            return piece
        pieces = [piece]
        missing = PIECE - len(piece)
        try:
            while missing > 0 and not self._ended:
                pieces.append(self._read())
                missing -= len(pieces[-1])
                self._ended = not pieces[-1]
        except (OSError, FeedcharsetError) as error:
            self._failure = error  # reading raises it, after the text before it
        return b"".join(pieces)

    def _read(self) -> bytes:
        piece = self._stream.read(PIECE) or b""
        if self._taken is not None and piece:
            self._taken.append(piece)
            self._taken_size += len(piece)
        return piece

    def _decode(self, piece: bytes) -> str:
        try:
            return self._decoder.decode(piece, self._ended)
        except DecodeError as error:
            self._error, text = error, error.partial
            error.partial = ""
            return text
