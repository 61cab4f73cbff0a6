"""The body of a response as a stream of the document's bytes, within the limits."""

from __future__ import annotations

import http.client
import io
import re
from typing import TYPE_CHECKING, Any

from feedcharset.errors import FetchError
from feedcharset.fetch.content_coding import PIECE, ByteCount, content_coding, decoded, ignored_words
from feedcharset.fetch.fetch_errors import FetchAbort
from feedcharset.fetch.limits import MIB
from feedcharset.fetch.urls import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import requests

    from feedcharset.fetch.deadline import Deadline

__all__ = ["PARTIAL_LIMIT", "FetchedBody", "raw_pieces"]

# Bytes of the document that are kept for `FetchError.partial`: the default of `Limits.decoded`, so that more
# are read only where that limit was lifted.
PARTIAL_LIMIT = 20 * MIB

_FOLD = re.compile(r"\r?\n[ \t]++")
"""A line break in a field's value stands for a space (RFC 9112 §5.2); urllib3 before 2.8 leaves it."""

# Where `read` waits until it has the full size, the size is small: a failure loses at most one piece.
_SMALL_PIECE = 8 << 10


class FetchedBody(io.RawIOBase):
    """A readable binary stream of the document: the body with its content coding removed.

    Reading raises FetchError and its subclasses, whose `.partial` is everything that was read before (and
    ValueError on a closed stream, like every file). The connection is closed, or returned to its session, as
    soon as the document ends, a read fails or the stream is closed.

    Attributes:
        url: the URL of the document, after redirects, without userinfo.
        status: the HTTP status code.
        headers: the response's header fields; their names are case-insensitive.
        history: the responses that redirected, closed.
        ignored_codings: words of the Content-Encoding field that name no coding.
        content_type: the Content-Type field; "" where there is none; several joined by ", ".
    """

    def __init__(
        self,
        response: requests.Response,
        deadline: Deadline,
        close: Callable[[], object],
        *,
        borrowed: bool = False,
        history: tuple[requests.Response, ...] = (),
    ) -> None:
        super().__init__()
        self.url: str = deadline.url
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self.history: tuple[requests.Response, ...] = history
        self.content_type: str = _FOLD.sub(" ", response.headers.get("Content-Type", "")).strip(" \t")
        self.ignored_codings: list[str] = ignored_words(response.headers.get("Content-Encoding", ""))
        self._deadline = deadline
        deadline.stage = "body"
        self._close = close
        self._received = ByteCount()
        self._borrowed = borrowed
        self._failure: FetchError | None = None
        self._left = memoryview(b"")
        self._kept: list[bytes] = []
        self._room = PARTIAL_LIMIT
        self._pieces: Iterator[bytes] = iter(())
        try:
            self._pieces = _pieces(response, deadline, self._received)
        except FetchAbort as abort:
            self._close()
            abort.error.headers = self.headers
            raise abort.error from None

    def readable(self) -> bool:
        return True

    def received(self) -> int:
        """Return how many bytes of the body were received, before its coding was removed."""
        return self._received.size

    def read(self, size: int | None = -1) -> bytes:
        """Return at most `size` bytes, as they arrive; everything for -1 or None; b"" at the end."""
        if size is None or size < 0:
            return self.readall()
        found = bytes(self._view(size))
        self._left = self._left[len(found) :]
        return found

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer, as bytes arrive; return their number, 0 at the end."""
        target = memoryview(buffer).cast("B")
        found = self._view(len(target))
        target[: len(found)] = found
        self._left = self._left[len(found) :]
        return len(found)

    def readall(self) -> bytes:
        """Return everything that is left."""
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
        # A caller's response stays open unless this stream was closed.
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
            piece = self._deadline.bounded(lambda: next(filter(None, self._pieces), b""))
        except FetchError as error:
            self._failure = error
            error.partial = b"".join(self._kept)
            error.headers = self.headers
            self._close()
            raise
        if not piece and not self._borrowed:
            self._close()
        self._kept.append(piece[: self._room])
        self._room -= len(self._kept[-1])
        return piece


def _pieces(response: requests.Response, deadline: Deadline, received: ByteCount) -> Iterator[bytes]:
    """Return the document's bytes, piece by piece; count what is received."""
    # requests keeps what it has read here; False: it has read nothing.
    content: Any = getattr(response, "_content", False)
    if content is not False:
        return decoded(received.counted(iter([content or b""])), "", deadline)
    headers = response.headers
    _demand_framing(headers, deadline)
    coding = content_coding(headers.get("Content-Encoding", ""), deadline.url)
    _demand_announced(headers, coding, deadline)
    pieces = received.counted(raw_pieces(response.raw))
    # What comes from a caller's cache is not what was received; there the socket's reader counts.
    if coding or not deadline.shared:
        pieces = _wire(pieces, deadline)
    return decoded(pieces, coding, deadline)


def _demand_framing(headers: Mapping[str, str], deadline: Deadline) -> None:
    """Refuse a Transfer-Encoding other than "chunked": http.client would read its frames as text."""
    value = headers.get("Transfer-Encoding", "")
    if value.strip().lower() not in ("", "chunked", "identity"):
        raise FetchAbort(
            FetchError(
                f"{shown(deadline.url)}: unknown framing (Transfer-Encoding: {shown(value)}); "
                "only the server can change this",
                url=deadline.url,
            )
        )


def _demand_announced(headers: Mapping[str, str], coding: str, deadline: Deadline) -> None:
    """Refuse at once a body whose Content-Length is too large."""
    announced = headers.get("Content-Length", "")
    if "Transfer-Encoding" in headers or not (announced.isascii() and announced.isdecimal()):
        return
    # int() refuses more than 4,300 digits with a ValueError; no limit has more than 20.
    length = int(announced[:21])
    limits = deadline.limits
    if limits.wire is not None and length > limits.wire:
        raise deadline.exceeded("wire")
    if not coding and limits.decoded is not None and length > limits.decoded:
        raise deadline.exceeded("decoded")


def _wire(pieces: Iterator[bytes], deadline: Deadline) -> Iterator[bytes]:
    """End at `wire` bytes, also where the body is not read from our socket."""
    count = 0
    for piece in pieces:
        count += len(piece)
        if deadline.limits.wire is not None and count > deadline.limits.wire:
            raise deadline.exceeded("wire")
        yield piece


def raw_pieces(raw: Any) -> Iterator[bytes]:
    """Yield the body of a urllib3 response, or of a replacement, as it arrives: without its framing, with its
    content coding."""
    if raw is None:
        return
    if not hasattr(raw, "stream"):  # no urllib3 response: made by the session's own adapter
        while piece := raw.read(_SMALL_PIECE):
            yield piece
    elif isinstance(getattr(raw, "_fp", None), http.client.HTTPResponse):
        while piece := raw.read1(PIECE, decode_content=False):
            yield piece
    else:  # a cache (CacheControl) stores only what is read with `read`
        while piece := raw.read(_SMALL_PIECE, decode_content=False):
            yield piece
