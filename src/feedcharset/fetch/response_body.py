"""The body of a response as a stream of the document's octets, within the limits."""

from __future__ import annotations

import http.client
import io
from typing import TYPE_CHECKING, Any

from feedcharset.errors import FetchError
from feedcharset.fetch.content_coding import PIECE, content_coding, decoded
from feedcharset.fetch.fetch_errors import CAUGHT, Stop, fetch_error, shown
from feedcharset.fetch.limits import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import requests

    from feedcharset.fetch.deadline import Watch

__all__ = ["KEPT", "FetchedBody", "raw_pieces"]

# Octets of the document that `FetchError.partial` can give back: the default of `Limits.decoded`, so that
# only who lifts that limit reads more than is kept.
KEPT = 20 * MIB

# Where `read` waits until it has all it was asked for, little is asked for: what a failure loses.
_SMALL_PIECE = 8 << 10


class FetchedBody(io.RawIOBase):
    """A readable binary stream of the document: the body with its content coding removed.

    Reading raises FetchError and its kin, whose `.partial` is what was read up to there, and nothing else
    (but ValueError on a closed stream, as every file). The connection is closed, or back with its session,
    as soon as the document ends, a read fails or the stream is closed.

    Attributes:
        url: the URL of the document, after redirects, without userinfo.
        status: the HTTP status code.
        headers: the response's header fields; their names are case-insensitive.
        content_type: the Content-Type field; "" where there is none; several joined by ", ".
    """

    def __init__(
        self,
        response: requests.Response,
        watch: Watch,
        close: Callable[[], object],
        *,
        borrowed: bool = False,
    ) -> None:
        super().__init__()
        self.url = watch.url
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self.content_type: str = response.headers.get("Content-Type", "").strip(" \t")
        self._watch = watch
        watch.stage = "body"
        self._close = close
        self._borrowed = borrowed
        self._failure: FetchError | None = None
        self._left = memoryview(b"")
        self._kept: list[bytes] = []
        self._room = KEPT
        self._pieces: Iterator[bytes] = iter(())
        try:
            self._pieces = _pieces(response, watch)
        except Stop as stop:
            self._close()
            raise stop.error from None

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        """Read at most `size` octets, as they come; all that is left for -1 or None; b"" at the end."""
        if size is None or size < 0:
            return self.readall()
        found = bytes(self._view(size))
        self._left = self._left[len(found) :]
        return found

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer, as they come; the number of octets read, 0 at the end."""
        target = memoryview(buffer).cast("B")
        found = self._view(len(target))
        target[: len(found)] = found
        self._left = self._left[len(found) :]
        return len(found)

    def readall(self) -> bytes:
        """Read all that is left."""
        found = []
        while piece := self.read(PIECE):
            found.append(piece)
        return b"".join(found)

    def close(self) -> None:
        """Close the response and its connection. May be called twice."""
        if not self.closed:
            super().close()
            self._left = memoryview(b"")
            self._kept.clear()
            self._close()

    def __del__(self) -> None:
        # A response that somebody else made stays theirs where nobody closed this stream.
        if not getattr(self, "_borrowed", True):
            self.close()

    def _view(self, size: int) -> memoryview:
        if self.closed:
            raise ValueError("read from a closed FetchedBody")
        if not self._left and size:
            self._left = memoryview(self._next())
        return self._left[:size]

    def _next(self) -> bytes:
        if self._failure is not None:
            raise self._failure
        try:
            with self._watch:
                piece = next(filter(None, self._pieces), b"")
        except CAUGHT as error:
            self._failure = fetch_error(error, self._watch)
            self._failure.partial = b"".join(self._kept)
            self._close()
            raise self._failure from (None if isinstance(error, Stop) else error)
        if not piece and not self._borrowed:
            self._close()
        self._kept.append(piece[: self._room])
        self._room -= len(self._kept[-1])
        return piece


def _pieces(response: requests.Response, watch: Watch) -> Iterator[bytes]:
    """The document's octets, piece by piece."""
    # requests keeps what it has read here; False: it has read nothing.
    content: Any = getattr(response, "_content", False)
    if content is not False:
        return decoded(iter([content or b""]), "", watch)
    headers = response.headers
    _demand_framing(headers, watch)
    coding = content_coding(headers.get("Content-Encoding", ""), watch.url)
    _demand_announced(headers, coding, watch)
    pieces = raw_pieces(response.raw)
    # What comes from a caller's cache is no longer as it was on the wire; the socket's reader counts there.
    if coding or not watch.shared:
        pieces = _wire(pieces, watch)
    return decoded(pieces, coding, watch)


def _demand_framing(headers: Mapping[str, str], watch: Watch) -> None:
    """http.client takes any Transfer-Encoding but a bare "chunked" for none, and its frames for text."""
    value = headers.get("Transfer-Encoding", "")
    if value.strip().lower() not in ("", "chunked", "identity"):
        raise Stop(
            FetchError(
                f"{shown(watch.url)}: a framing that is not understood (Transfer-Encoding: {shown(value)}); "
                "nothing to do on this side",
                url=watch.url,
            )
        )


def _demand_announced(headers: Mapping[str, str], coding: str, watch: Watch) -> None:
    """Refuse at once a body that says it is too large."""
    announced = headers.get("Content-Length", "")
    if "Transfer-Encoding" in headers or not (announced.isascii() and announced.isdecimal()):
        return
    # int() refuses more than 4,300 digits with a ValueError; no limit has more than 20.
    length = int(announced[:21])
    limits = watch.limits
    if limits.wire is not None and length > limits.wire:
        raise watch.stop("wire")
    if not coding and limits.decoded is not None and length > limits.decoded:
        raise watch.stop("decoded")


def _wire(pieces: Iterator[bytes], watch: Watch) -> Iterator[bytes]:
    """Stop at `wire` octets, also where the body comes from no socket of ours."""
    count = 0
    for piece in pieces:
        count += len(piece)
        if watch.limits.wire is not None and count > watch.limits.wire:
            raise watch.stop("wire")
        yield piece


def raw_pieces(raw: Any) -> Iterator[bytes]:
    """The body of a urllib3 response, or of what takes its place, as it comes: its framing removed, its
    content coding not."""
    if raw is None:
        return
    if not hasattr(raw, "stream"):  # no urllib3 response: what a session's own adapter made
        while piece := raw.read(_SMALL_PIECE):
            yield piece
    elif isinstance(getattr(raw, "_fp", None), http.client.HTTPResponse):
        while piece := raw.read1(PIECE, decode_content=False):
            yield piece
    else:  # a cache stands between, and sees what is read by `read` alone (CacheControl)
        while piece := raw.read(_SMALL_PIECE, decode_content=False):
            yield piece
