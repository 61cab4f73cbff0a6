"""A gzip source (feed.xml.gz), unpacked as it is read."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, NamedTuple

from feedcharset.errors import FetchError, TooLarge, TruncatedBody
from feedcharset.fetch.gunzip import FILE_LIMITS, GZIP_MAGIC, BrokenGzip, Gunzip, OverLimit
from feedcharset.fetch.limits import MIB
from feedcharset.reading.prefixed_stream import ByteSource

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from feedcharset.fetch.limits import Limits

__all__ = ["GZIP_MAGIC", "DownloadLimits", "GunzipStream"]

PARTIAL_LIMIT = 20 * MIB
"""Bytes of a download that are kept for `FetchError.partial`: the default of `Limits.decoded`."""

PIECE = 64 * 1024
"""Bytes of gzip that are read at once."""


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
            iter(lambda: stream.read(PIECE) or b"", b""),
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
                    f"{self.broken}, after {self._unpacker.given} bytes; read with lenient=True to take what "
                    "there is"
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
            from feedcharset.fetch.fetch_errors import exceeded

            return exceeded(error.name, self._download.limits, self._download.url)
        return TooLarge(
            f"{error} ({self._unpacker.used} bytes in, {self._unpacker.given} out); if you trust it, "
            "unpack it yourself and pass gunzip=False",
            limit=error.name,
        )
