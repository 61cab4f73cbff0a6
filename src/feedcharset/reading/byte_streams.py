"""Binary streams between a source and the decoder: a caller's, one with bytes put back in front, and one that
is unpacked.
"""

from __future__ import annotations

import io
import os
import selectors
import stat
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from feedcharset.errors import FetchError, TooLarge, TruncatedBody
from feedcharset.fetch.gunzip import FILE_LIMITS, BrokenGzip, Gunzip, OverLimit
from feedcharset.fetch.limits import PARTIAL_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from feedcharset.fetch.limits import Limits

__all__ = ["ByteSource", "CallerStream", "DownloadLimits", "GunzipStream", "PrefixedStream", "is_at_hand"]

FIRST_WAIT, LONGEST_WAIT = 0.001, 0.1
"""Seconds between two reads of a non-blocking stream without data, where the operating system cannot wait for
it: doubled from the first to the longest. A millisecond is short; ten reads a second cost nothing."""

SELECT_WAIT = 1.0
"""Seconds after which a stream is read again even though its file number is not ready."""


GZIP_READ = 64 * 1024
"""Bytes of gzip that are read at once."""


class ByteSource(Protocol):
    """The methods of a binary stream that reading needs."""

    def read(self, size: int, /) -> bytes | None: ...
    def close(self) -> None: ...


def is_at_hand(stream: object) -> bool:
    """Return True where no read waits: bytes in memory, or a regular file."""
    if isinstance(stream, CallerStream):
        stream = stream.stream
    if isinstance(stream, io.BytesIO):
        return True
    if isinstance(stream, io.BufferedReader):
        return stream.seekable()
    return isinstance(stream, io.FileIO) and stat.S_ISREG(os.fstat(stream.fileno()).st_mode)


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
            wait = self._wait(wait)
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

    def _wait(self, seconds: float) -> float:
        """Wait until there may be data; return how long to wait the next time."""
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self.stream.fileno(), selectors.EVENT_READ)
                if not selector.select(SELECT_WAIT) or seconds == FIRST_WAIT:
                    return 2 * seconds
        except (AttributeError, OSError, ValueError, KeyError, TypeError):
            pass  # no file number, or none that can be waited for
        # Not ready for this process, or ready and still without data (the beginning of a TLS record).
        time.sleep(seconds)
        return min(2 * seconds, LONGEST_WAIT)

    def close(self) -> None:
        """Close the stream, if it can be closed."""
        close = getattr(self.stream, "close", None)
        if callable(close):
            close()


class PrefixedStream(io.RawIOBase):
    """Bytes that were read from a stream, then the rest of the stream; not seekable."""

    def __init__(self, taken: bytes, stream: ByteSource, *, closes: ByteSource | None = None) -> None:
        """Make a stream.

        Args:
            taken: the bytes that were read.
            stream: the rest.
            closes: what is closed with this stream: the source, where it is owned.
        """
        self._taken = memoryview(taken)
        self._stream = stream
        self._closes = closes

    def readable(self) -> bool:
        """Return True: the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; return the number of bytes, 0 at the end."""
        piece = self._taken[: len(buffer)]
        if piece:
            self._taken = self._taken[len(piece) :]
        else:
            piece = memoryview(self._stream.read(len(buffer)) or b"")
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        """Close; also the source, if it is owned."""
        try:
            if not self.closed and self._closes is not None:
                self._closes.close()
        finally:
            super().close()


class DownloadLimits(NamedTuple):
    """What limits the unpacked size of a download; other gzip has `FILE_LIMITS`."""

    limits: Limits
    url: str
    received: Callable[[], int] | None
    """Returns how many bytes of the body were received, where it had a content coding, too; else None."""
    headers: Mapping[str, str]
    """Of the response, for the error."""


class GunzipStream(io.RawIOBase):
    """The unpacked gzip members of a stream, in constant memory.

    A damaged member ends the document: with an exception if `strict`, else without, and `broken` has the
    reason. What was unpacked before is returned first. Bytes after the last member that are not gzip are
    ignored, as by gzip(1).

    Raises:
        TooLarge: a limit of `FILE_LIMITS` or of the download is exceeded.
        TruncatedBody: with `strict`, a member that is cut off or damaged.
    """

    def __init__(self, stream: ByteSource, *, strict: bool, download: DownloadLimits | None = None) -> None:
        self._strict = strict
        self._download = download
        self._unpacker = Gunzip(
            iter(lambda: stream.read(GZIP_READ) or b"", b""),
            FILE_LIMITS if download is None else download.limits,
            received=None if download is None else download.received,
        )
        self._left = memoryview(b"")
        self._kept: list[bytes] = []
        self._room = 0 if download is None else PARTIAL_LIMIT
        self._failure: FetchError | None = None
        self.broken: str | None = None
        """Why the document ends early, or None."""

    def readable(self) -> bool:
        """Return True: the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; return the number of bytes, 0 at the end."""
        if not self._left:
            self._left = memoryview(self._next())
        data = self._left[: len(buffer)]
        self._left = self._left[len(data) :]
        buffer[: len(data)] = data
        return len(data)

    def _next(self) -> bytes:
        if self._failure is None:
            try:
                piece = next(self._unpacker, b"")
            except BrokenGzip as error:
                self.broken = str(error)
                if not self._strict:
                    return b""
                self._failure = TruncatedBody(
                    f"{self.broken}, after {self._unpacker.given} bytes",
                    advice="read with lenient=True to take what there is",
                )
            except OverLimit as error:
                self._failure = self._over(error)
            except FetchError as error:
                self._failure = error
            else:
                if self._room:
                    self._kept.append(piece[: self._room])
                    self._room -= len(self._kept[-1])
                return piece
            # `.partial` of the download below is compressed.
            self._failure.partial = b"".join(self._kept)
            if self._download is not None:
                self._failure.headers = self._download.headers
        raise self._failure

    def _over(self, error: OverLimit) -> FetchError:
        if self._download is not None:
            from feedcharset.fetch.deadline import exceeded

            return exceeded(error.name, self._download.limits, self._download.url)
        return TooLarge(
            f"{error} ({self._unpacker.used} bytes in, {self._unpacker.given} out)",
            advice="if you trust it, unpack it yourself and pass gunzip=False",
            limit=error.name,
        )
