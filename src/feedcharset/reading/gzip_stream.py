"""A gzip source (feed.xml.gz), unpacked as it is read."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, NamedTuple

from feedcharset.errors import FetchError, TooLarge, TruncatedBody
from feedcharset.fetch.inflation import GZIP, Inflater
from feedcharset.fetch.limits import MIB
from feedcharset.reading.prefixed_stream import ByteSource

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from feedcharset.fetch.limits import Limits

__all__ = ["GZIP_MAGIC", "RATIO", "RATIO_FREE", "DownloadLimits", "GunzipStream"]

GZIP_MAGIC = b"\x1f\x8b\x08"

RATIO = 1000
"""Most bytes out for each byte in: deflate reaches 1032:1 (zlib's Technical Details), feeds 20:1."""

RATIO_FREE = 1 << 20
"""Bytes out beyond the ratio: a short feed of one repeated item is no bomb."""

PARTIAL_LIMIT = 20 * MIB
"""Bytes of a download that are kept for `FetchError.partial`: the default of `Limits.decoded`."""

PIECE = 64 * 1024
"""Bytes of gzip that are read at once."""


class DownloadLimits(NamedTuple):
    """What limits the unpacked size of a download; a file has `RATIO` only."""

    limits: Limits
    url: str
    received: Callable[[], int]
    """Returns how many bytes of the body were received, before any coding was removed."""
    headers: Mapping[str, str]
    """Of the response, for the error."""


class GunzipStream(io.RawIOBase):
    """The unpacked gzip members of a stream, in constant memory.

    A damaged member ends the document: with an exception if `strict`, else without, and `broken` has the
    reason. What was unpacked before is returned first. Bytes after the last member that are not gzip are
    ignored, as by gzip(1).

    Raises:
        TooLarge: the ratio is over RATIO after the first MiB, or a limit of the download is exceeded.
        TruncatedBody: with `strict`, a member that is cut off or damaged.
    """

    def __init__(self, stream: ByteSource, *, strict: bool, download: DownloadLimits | None = None) -> None:
        self._stream = stream
        self._strict = strict
        self._download = download
        self._inflater = Inflater(GZIP)
        self._rest = b""
        self._taken = self._given = 0
        self._kept: list[bytes] = []
        self._failure: FetchError | None = None
        self.broken: str | None = None
        """Why the document ends early, or None."""
        self._ended = False

    def readable(self) -> bool:
        """Return True: the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; return the number of bytes, 0 at the end."""
        if self._failure is not None:
            raise self._failure
        try:
            data = self._more(len(buffer))
        except FetchError as error:
            # `.partial` of the download below is compressed.
            error.partial = b"".join(self._kept)
            if self._download is not None:
                error.headers = self._download.headers
            self._failure = error
            raise
        if self._download is not None:
            self._keep(data)
        buffer[: len(data)] = data
        return len(data)

    def _keep(self, data: bytes) -> None:
        """Keep what was unpacked of a download, for `FetchError.partial`."""
        room = PARTIAL_LIMIT - self._given + len(data)
        if room > 0:
            self._kept.append(data[:room])

    def _more(self, most: int) -> bytes:
        while not self._ended:
            if self._inflater.error is not None:
                return self._end_early(f"the gzip member is damaged: {self._inflater.error}")
            if self._inflater.eof and not self._next_member():
                break
            if not self._rest:
                self._rest = self._stream.read(PIECE) or b""
                self._taken += len(self._rest)
            at_end = not self._rest
            data = self._inflater.decompress(self._rest, most)
            self._rest = self._inflater.rest
            if data:
                return self._bounded(data)
            if at_end and not self._inflater.eof:
                return self._end_early("the gzip member is cut off")
        return b""

    def _next_member(self) -> bool:
        """Start the next member, if one follows."""
        while len(self._rest) < len(GZIP_MAGIC) and (more := self._stream.read(PIECE)):
            self._taken += len(more)
            self._rest += more
        self._ended = not self._rest.startswith(GZIP_MAGIC)
        self._inflater = Inflater(GZIP)
        return not self._ended

    def _bounded(self, data: bytes) -> bytes:
        """Return the data as far as the limits allow; raise TooLarge where they allow nothing more."""
        self._given += len(data)
        if self._download is not None:
            return self._bounded_download(data, self._download)
        used = self._taken - len(self._rest)
        if self._given > RATIO_FREE + RATIO * used:
            raise TooLarge(
                f"gzip grows more than {RATIO}:1 ({used} bytes in, {self._given} out); "
                "if you trust it, unpack it yourself and pass gunzip=False",
                limit="ratio",
            )
        return data

    def _bounded_download(self, data: bytes, download: DownloadLimits) -> bytes:
        from feedcharset.fetch.fetch_errors import exceeded

        limits = download.limits
        most = None if limits.ratio is None else max(MIB, limits.ratio * download.received())
        if most is not None and self._given > most:
            raise exceeded("ratio", limits, download.url)
        if limits.decoded is not None and self._given > limits.decoded:
            data = data[: limits.decoded - self._given]
            self._given = limits.decoded
            self._failure = exceeded("decoded", limits, download.url)
            self._failure.partial = b"".join([*self._kept, data])
            self._failure.headers = download.headers
            if not data:
                raise self._failure
        return data

    def _end_early(self, why: str) -> bytes:
        self._ended = True
        self.broken = why
        if self._strict:
            raise TruncatedBody(
                f"{why}, after {self._given} bytes; read with lenient=True to take what there is"
            )
        return b""
