"""Binary streams of a caller: `CallerStream` waits for those that do not block, `ResponseStream` sees that a
response of urllib is cut, `is_at_hand` knows those that never wait.
"""

from __future__ import annotations

import io
import os
import stat
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from feedcharset.errors import FetchError, TruncatedBody
from feedcharset.fetch.limits import PARTIAL_LIMIT
from feedcharset.fetch.urls import address_of, shown

if TYPE_CHECKING:
    from http.client import HTTPResponse

FIRST_WAIT, LONGEST_WAIT = 0.001, 0.1
"""Seconds between two reads of a non-blocking stream without data: doubled from the first to the longest, so
that no wait is longer than the pause was already. Ten reads a second cost nothing."""


def is_at_hand(stream: object) -> bool:
    """Return True where no read waits: bytes in memory, or a regular file."""
    if isinstance(stream, CallerStream):
        stream = stream.stream
    if isinstance(stream, (io.BytesIO, io.BufferedReader)):
        return stream.seekable()
    return isinstance(stream, io.FileIO) and stat.S_ISREG(os.fstat(stream.fileno()).st_mode)


def read_whole(read: Callable[[int], bytes], size: int) -> bytes:
    """Return the next `size` bytes, fewer only at the end.

    Args:
        read: returns at most as many bytes as it is asked for, b"" at the end.
    """
    pieces: list[bytes] = []
    while size > 0 and (piece := read(size)):
        pieces.append(piece)
        size -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def gone(kind: str, instead: str) -> TypeError:
    """Return the error for a response whose body cannot be read from its beginning any more."""
    return TypeError(
        f"this {kind} was read before, at least in part, or closed; pass it unread, or {instead}"
    )


class CallerStream:
    """Reads from anything that has `read(size)`.

    A read that returns None (io.RawIOBase: no data yet) or raises BlockingIOError is repeated when there is
    data; it is never the end. Other bytes-like results become bytes.

    Raises, while it is read:
        TypeError: the stream returns text, or what is not bytes-like.
    """

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def read(self, size: int = -1, /) -> bytes:
        """Return at most `size` bytes, b"" at the end; wait for them if need be."""
        wait = FIRST_WAIT
        while (data := self._read(size)) is None:
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)
        if type(data) is bytes:
            return data
        if isinstance(data, str):
            raise TypeError(
                "the stream gives str; pass a binary stream (open it with 'rb'), or the text stream's .buffer"
            )
        try:
            return bytes(memoryview(data))
        except TypeError:
            raise TypeError(
                f"read() of the stream returned {type(data).__name__}, not bytes; "
                "read an asynchronous stream first, and pass its bytes"
            ) from None

    def _read(self, size: int) -> Any:
        try:
            return self.stream.read(size)
        except BlockingIOError:
            return None

    def close(self) -> None:
        """Close the stream, if it can be closed."""
        close = getattr(self.stream, "close", None)
        if callable(close):
            close()


def without_coding(stream: CallerStream, response: Any) -> Any:
    """Return the stream of a response of http.client or urllib3 at its beginning.

    Raises:
        FetchError: its client has left a Content-Encoding that is not gzip's.
    """
    from feedcharset.fetch.gunzip import PieceStream, beginning, refuse_coding

    if response.headers.get("Content-Encoding") is None:
        return stream
    head, rest = beginning(stream.read)
    refuse_coding(response, head, address_of(response))
    return PieceStream(rest, stream.close, taken=head)


class Urllib3Stream(CallerStream):
    """Reads from a `urllib3.HTTPResponse`, or what it has kept.

    Raises:
        TruncatedBody: the connection broke off; or, at the end, the data of its Content-Encoding had no end,
            which urllib3 takes for whole.
        FetchError: its body is damaged.
    """

    def __init__(self, response: Any) -> None:
        super().__init__(response if response._body is None else io.BytesIO(response._body))
        self._response = response
        self._kept = bytearray()

    def read(self, size: int = -1, /) -> bytes:
        from feedcharset.fetch.gunzip import is_unfinished

        url = address_of(self._response)
        try:
            data = super().read(size)
        except Exception as error:
            if type(error).__module__ != "urllib3.exceptions" and not isinstance(error, ValueError):
                raise
            names = [base.__name__ for base in type(error).__mro__]  # ValueError: a chunk of -5 bytes
            kind = TruncatedBody if {"ProtocolError", "ValueError"} & {*names} else FetchError
            raise kind(f"{shown(url)}: {shown(str(error))}", url=url, partial=bytes(self._kept)) from error
        self._kept += data[: PARTIAL_LIMIT - len(self._kept)]
        if not data and size and is_unfinished(self._response):
            what = f"{shown(url)}: the compressed data ended before its end mark"
            raise TruncatedBody(what, url=url, partial=bytes(self._kept))
        return data


class ResponseStream(CallerStream):
    """Reads from an `http.client.HTTPResponse`, which `urlopen` returns.

    http.client reports a chunk that is cut with its own exception, and a body that is shorter than its
    Content-Length not at all.

    Raises:
        TypeError: a part of it was read before, where that can be seen.
        TruncatedBody: while it is read: the body ended before its announced end.
    """

    def __init__(self, stream: HTTPResponse) -> None:
        length: int = stream.length or 0
        in_chunk = isinstance(getattr(stream, "chunk_left", None), int)
        if stream.isclosed() or in_chunk or 0 < length < int(stream.headers["Content-Length"]):
            raise gone("http.client.HTTPResponse", "its bytes")
        super().__init__(stream)
        self._kept = bytearray()

    def read(self, size: int = -1, /) -> bytes:
        from http.client import HTTPException  # loaded, as there is a response

        if self.stream.length == 0:  # its status has no body, whatever its header holds
            return b""
        try:
            data = super().read(size)
        except (HTTPException, ConnectionError, ValueError) as error:  # the last: a chunk of -5 bytes
            for link in (error, error.__cause__):  # whole chunks, and the part of the last
                self._kept += getattr(link, "partial", b"")
            raise self._truncated(str(error)) from error
        self._kept += data[: PARTIAL_LIMIT - len(self._kept)]
        if not data and size and self.stream.length:
            raise self._truncated(f"{self.stream.length} bytes are missing")
        return data

    def _truncated(self, why: str) -> TruncatedBody:
        url = address_of(self.stream)
        error = TruncatedBody(
            f"{shown(url)}: the body ended before its announced end ({why})",
            url=url,
            partial=bytes(self._kept),
        )
        error.headers = self.stream.headers
        return error
