"""The total deadline of one download, and a response that enforces it while it is read.

The timeouts of requests and urllib3 limit one operation of one socket: a server that sends one byte a second
never exceeds them. Here the socket's timeout is reduced to the time that is left before each `recv`, from the
first byte of the header on, so that header, chunk sizes and body end in time however slowly they arrive.
"""

from __future__ import annotations

import http.client
import io
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from feedcharset.fetch.addresses import Resolver
from feedcharset.fetch.fetch_errors import CAUGHT, FetchAbort, cause_of, exceeded, fetch_error

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from feedcharset.fetch.limits import Limits

__all__ = ["NETWORK", "Deadline", "Network", "TimedResponse", "bound_body"]


Result = TypeVar("Result")


class Network(NamedTuple):
    """The two functions that use the network, so that tests can replace them."""

    resolve: Resolver = socket.getaddrinfo
    connect: Callable[[socket.socket, Any], None] = socket.socket.connect


NETWORK = Network()


class Deadline:
    """The elapsed time and the limits of one download.

    Time counts only inside `with deadline:`, while this library waits for the server; not while the caller
    does something else between two reads.
    """

    def __init__(self, limits: Limits, url: str, network: Network = NETWORK, *, shared: bool = False) -> None:
        self.limits = limits
        self.url = url
        self.network = network
        self.stage = "head"
        """The stage of the download, for error messages: "connect", "head" or "body"."""
        self.shared = shared
        """The session is the caller's: connections return to its pools, and it may read bodies itself."""
        self.limit_name: str = "read"
        """The field of `Limits` that set the current timeout."""
        self._elapsed = 0.0
        self._since: float | None = None
        self._responses: list[http.client.HTTPResponse] = []

    def __enter__(self) -> Self:
        self._since = time.monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._elapsed, self._since = self.elapsed(), None

    def elapsed(self) -> float:
        """Return the seconds that have counted."""
        return self._elapsed + (0.0 if self._since is None else time.monotonic() - self._since)

    def time_left(self, name: str) -> float | None:
        """Return the seconds that the next wait may take: that limit, or the rest of `total` if less."""
        limit: float | None = getattr(self.limits, name)
        self.limit_name = name
        if self.limits.total is None:
            return limit
        left = self.limits.total - self.elapsed()
        if left <= 0:
            raise self.exceeded("total")
        if limit is None or left < limit:
            self.limit_name = "total"
            return left
        return limit

    def exceeded(self, name: str) -> FetchAbort:
        """Return the exception that ends the download because a field of `Limits` is exceeded."""
        return FetchAbort(exceeded(name, self.limits, self.url))

    def bounded(self, call: Callable[[], Result]) -> Result:
        """Return the result of a call whose time counts.

        Raises:
            FetchError: for what requests and the layers below it raise.
        """
        try:
            with self:
                return call()
        except CAUGHT as error:
            raised: BaseException = error
        # Not within the `except`: the exception would be the context of ours, with all that it holds.
        found = fetch_error(
            raised, url=self.url, stage=self.stage, limit_name=self.limit_name, limits=self.limits
        )
        raise found from cause_of(raised)

    def add_response(self, response: http.client.HTTPResponse) -> None:
        """Let `close` close this response too: urllib3 drops responses whose header it refuses."""
        self._responses.append(response)

    def close(self) -> None:
        """Close every response. May be called twice."""
        while self._responses:
            self._responses.pop().close()


class _TimedRaw(io.RawIOBase):
    """A socket's buffered reader that sets the timeout before each `recv` and counts the bytes."""

    def __init__(self, source: io.BufferedReader, sock: socket.socket, deadline: Deadline) -> None:
        self.source = source
        self.sock = sock
        self.deadline = deadline
        self.received = 0
        """Bytes received, header included."""
        self.head = 0
        """Bytes of the header."""
        self.in_head = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        deadline = self.deadline
        self.sock.settimeout(deadline.time_left("read"))
        try:
            count = self.source.readinto1(buffer)
        except TimeoutError:
            if deadline.limit_name == "total":
                raise deadline.exceeded("total") from None
            raise
        self.received += count
        if not self.in_head and _is_over(self.received - self.head, deadline.limits.wire):
            raise deadline.exceeded("wire")
        return count

    def close(self) -> None:
        try:
            self.source.close()
        finally:
            super().close()


class _TimedReader(io.BufferedReader):
    """The reader that http.client gets: counts the bytes of the header, which is read by lines."""

    raw: _TimedRaw

    def readline(self, size: int | None = -1) -> bytes:
        line = super().readline(size)
        raw = self.raw
        if raw.in_head:
            raw.head += len(line)
            if _is_over(raw.head, raw.deadline.limits.header):
                raise raw.deadline.exceeded("header")
        return line


def _is_over(count: int, limit: int | None) -> bool:
    return limit is not None and count > limit


class TimedResponse(http.client.HTTPResponse):
    """http.client's response, read within the limits."""

    def __init__(self, deadline: Deadline, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        deadline.stage = "head"
        deadline.add_response(self)
        self._timed = _TimedRaw(self.fp, sock, deadline)
        self._timed.in_head = True
        self.fp: Any = _TimedReader(self._timed)

    def begin(self, *args: Any, **kwargs: Any) -> None:
        """Read the header and skip interim responses (RFC 9110 section 15.2): http.client knows only 100."""
        super().begin(*args, **kwargs)
        while 100 <= self.status < 200 and self.status != http.HTTPStatus.SWITCHING_PROTOCOLS:
            vars(self).update(headers=None, msg=None)  # so that begin() reads another header
            super().begin(*args, **kwargs)
        self._timed.in_head = False
        self._timed.deadline.stage = "body"


def bound_body(raw: object, deadline: Deadline) -> None:
    """Apply the deadline to the body of a caller's response, if it is read from a socket."""
    response = getattr(raw, "_fp", None)
    stream = getattr(response, "fp", None)
    sock = getattr(getattr(stream, "raw", None), "_sock", None)
    if isinstance(response, http.client.HTTPResponse) and stream is not None and sock is not None:
        response.fp = _TimedReader(_TimedRaw(stream, sock, deadline))
