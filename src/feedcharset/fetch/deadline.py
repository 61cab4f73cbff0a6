"""Watching: the clock of one fetch, and a response that is read against it.

The timeouts of requests and urllib3 bound one operation of one socket: a server that drips an octet a
second is never late. Here the socket's timeout is lowered to what is left before each `recv`, from the
first octet of the header on, so that header, chunk sizes and body end in time however they come.
"""

from __future__ import annotations

import http.client
import io
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from feedcharset.fetch.addresses import Resolver
from feedcharset.fetch.fetch_errors import Stop, exceeded

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from feedcharset.fetch.limits import Limits

__all__ = ["NETWORK", "Network", "Watch", "WatchedResponse", "watch_body"]


class Network(NamedTuple):
    """The two ways out of the process, so that tests can stand in for them."""

    resolve: Resolver = socket.getaddrinfo
    connect: Callable[[socket.socket, Any], None] = socket.socket.connect


NETWORK = Network()


class Watch:
    """The clock and the limits of one fetch.

    The clock runs inside `with watch:` only, that is, while we wait for the server, and stands while the
    caller does something else between two reads.
    """

    def __init__(self, limits: Limits, url: str, network: Network = NETWORK, *, shared: bool = False) -> None:
        self.limits = limits
        self.url = url
        self.network = network
        self.stage = "head"
        """Where a failure happens: "connect", "head" or "body"."""
        self.shared = shared
        """The session is the caller's: connections go back to its pools, and it may read bodies itself."""
        self.bound = "read"
        """The field of `Limits` that the wait under way was given: what it exceeds when it times out."""
        self._spent = 0.0
        self._since: float | None = None
        self._responses: list[http.client.HTTPResponse] = []

    def __enter__(self) -> Self:
        self._since = time.monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._spent, self._since = self.spent(), None

    def spent(self) -> float:
        """Seconds on the clock."""
        return self._spent + (0.0 if self._since is None else time.monotonic() - self._since)

    def patience(self, name: str) -> float | None:
        """Seconds that the next wait may take: the limit of that name, or what is left of `total` if less."""
        limit: float | None = getattr(self.limits, name)
        self.bound = name
        if self.limits.total is None:
            return limit
        left = self.limits.total - self.spent()
        if left <= 0:
            raise self.stop("total")
        if limit is None or left < limit:
            self.bound = "total"
            return left
        return limit

    def stop(self, name: str) -> Stop:
        """Make what ends the fetch because a field of `Limits` is exceeded."""
        return Stop(exceeded(name, self.limits, self.url))

    def remember(self, response: http.client.HTTPResponse) -> None:
        """Have `close` close this one too: urllib3 loses responses whose header it does not like."""
        self._responses.append(response)

    def close(self) -> None:
        """Close every response that was begun. May be called twice."""
        while self._responses:
            self._responses.pop().close()


class _TimedRaw(io.RawIOBase):
    """A socket's buffered reader, with its wait bounded before each `recv` and its octets counted."""

    def __init__(self, source: io.BufferedReader, sock: socket.socket, watch: Watch) -> None:
        self.source = source
        self.sock = sock
        self.watch = watch
        self.received = 0
        """Octets that have come, header included."""
        self.head = 0
        """Octets of the header."""
        self.in_head = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        watch = self.watch
        self.sock.settimeout(watch.patience("read"))
        try:
            count = self.source.readinto1(buffer)
        except TimeoutError:
            if watch.bound == "total":
                raise watch.stop("total") from None
            raise
        self.received += count
        if not self.in_head and _is_over(self.received - self.head, watch.limits.wire):
            raise watch.stop("wire")
        return count

    def close(self) -> None:
        try:
            self.source.close()
        finally:
            super().close()


class _TimedReader(io.BufferedReader):
    """What http.client reads a response from: counts the header, which it reads by lines."""

    raw: _TimedRaw

    def readline(self, size: int | None = -1) -> bytes:
        line = super().readline(size)
        raw = self.raw
        if raw.in_head:
            raw.head += len(line)
            if _is_over(raw.head, raw.watch.limits.header):
                raise raw.watch.stop("header")
        return line


def _is_over(count: int, limit: int | None) -> bool:
    return limit is not None and count > limit


class WatchedResponse(http.client.HTTPResponse):
    """http.client's response over a watched socket."""

    def __init__(self, watch: Watch, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        watch.stage = "head"
        watch.remember(self)
        self._timed = _TimedRaw(self.fp, sock, watch)
        self._timed.in_head = True
        self.fp = _TimedReader(self._timed)

    def begin(self, *args: Any, **kwargs: Any) -> None:
        """Read the header and skip interim responses (RFC 9110 section 15.2): http.client knows only 100."""
        super().begin(*args, **kwargs)
        while 100 <= self.status < 200 and self.status != http.HTTPStatus.SWITCHING_PROTOCOLS:
            self.headers = self.msg = None  # type: ignore[assignment]  # what makes begin() begin again
            super().begin(*args, **kwargs)
        self._timed.in_head = False
        self._timed.watch.stage = "body"


def watch_body(raw: object, watch: Watch) -> None:
    """Bound the waits of a response's body that somebody else has begun, where it comes from a socket."""
    response = getattr(raw, "_fp", None)
    stream = getattr(response, "fp", None)
    sock = getattr(getattr(stream, "raw", None), "_sock", None)
    if isinstance(response, http.client.HTTPResponse) and stream is not None and sock is not None:
        response.fp = _TimedReader(_TimedRaw(stream, sock, watch))
