"""The total deadline of one download, the response that enforces it, and the errors that end a download.

The timeouts of requests and urllib3 limit one operation of one socket: a server that sends one byte a second
never exceeds them. Here the socket's timeout is reduced to the time that is left before each `recv`, from the
first byte of the header on, so that header, chunk sizes and body end in time however slowly they arrive.

requests, urllib3, http.client, ssl and socket each have their own exceptions, and wrap each other's.
`fetch_error` reads the whole chain once; the caller gets it only as `__cause__`.
"""

from __future__ import annotations

import http.client
import http.cookiejar
import io
import math
import re
import signal
import socket
import ssl
import sys
import threading
import time
import traceback
import weakref
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from itertools import pairwise
from types import FrameType
from typing import Any, TypeVar

from requests.exceptions import InvalidSchema, InvalidURL
from urllib3.exceptions import (
    ConnectTimeoutError,
    DecodeError,
    HTTPError,
    InvalidHeader,
    LocationParseError,
    NameResolutionError,
    NewConnectionError,
    ProtocolError,
    ProxyError,
    ReadTimeoutError,
    SSLError,
)
from urllib3.response import HTTPResponse
from urllib3.util.ssltransport import SSLTransport
from urllib3.util.wait import wait_for_read

from feedcharset.errors import DeadlineExceeded, FetchError, TooLarge, TooManyRedirects, TruncatedBody
from feedcharset.fetch.framing import (
    LONGEST_LINE,
    ChunkedResponse,
    announced_length,
    frames_of,
    joined_field,
    part_size,
)
from feedcharset.fetch.limits import FILE_LIMITS, MIB, Limits
from feedcharset.fetch.urls import AUTHORIZATION, masked_field, shown, without_userinfo

# Bytes of a chunk that holds one.
_CHUNK_OF_ONE = len(b"1\r\n<\r\n")

# The name of a field (RFC 9112 section 5.1 allows no white space behind it; servers write it).
_FIELD_NAME = re.compile(rb"([!-9;-~]++)[ \t]*+:")

# The first line of an answer. http.client's int() takes `+200` and `2_0_0`, too.
_STATUS_LINE = re.compile(rb"HTTP/\S++\s++[0-9]{3}(?:\s|\Z)")

# Raised for a proxy's URL: that of the document was read before. Their messages have parts of the password.
_NO_URL = (InvalidURL, LocationParseError)

# How http.client begins its error for a field that cannot be sent; the value follows.
_UNSENDABLE = "Invalid header"

_NO_CERTIFICATE = ("Could not find", "[X509", "[SSL] PEM")  # files, of requests and of ssl
_PROXY_ADVICE = "correct the proxy in the session or the environment (http_proxy, https_proxy, all_proxy)"

_TIMEOUTS = (TimeoutError, ConnectTimeoutError, ReadTimeoutError)

# Raised, somewhere in the chain, for a body that ends too early.
_BROKEN = (ProtocolError, SSLError, ConnectionError, http.client.IncompleteRead)

# Attributes of the exceptions of requests and urllib3 that hold credentials.
_HOLDERS = frozenset(("request", "_request", "response", "pool", "conn"))

# Digits of a time in a cookie: a float has no more.
_LONGEST_TIME = 309

# The exception and its message when a limit ends a download.
EXCEEDED: dict[str, tuple[type[FetchError], str]] = {
    "connect": (DeadlineExceeded, "no connection within {:g} s"),
    "read": (DeadlineExceeded, "the server sent nothing for {:g} s"),
    "total": (DeadlineExceeded, "not read within {:g} s in total"),
    "wire": (TooLarge, "a body of more than {:,} bytes"),
    "decoded": (TooLarge, "a document of more than {:,} bytes"),
    "ratio": (TooLarge, "a document of more than {:g} times its compressed size"),
    "header": (TooLarge, "a header of more than {:,} bytes"),
    "redirects": (TooManyRedirects, "more than {:d} redirects"),
}


class FetchAbort(Exception):
    """Carries a FetchError past urllib3 and requests, which would retry or rewrap an OSError."""

    def __init__(self, error: FetchError) -> None:
        super().__init__(str(error))
        self.error = error


# What requests (OSError, ValueError), urllib3, http.client, ssl, socket (OSError) and zlib raise for a
# response, and RuntimeError for one that was read before.
CAUGHT = (
    *(FetchAbort, OSError, HTTPError, http.client.HTTPException, ValueError, RuntimeError),
    OverflowError,  # http.client: a chunk of -7fffffffffffffff bytes, in a response that another has opened
)

SHORTEST_WAIT = 0.001
"""Seconds in which a byte that has arrived is read. 0 would make the socket one that does not block."""

WATCH_PAUSE = 0.5
"""Seconds after its time in which a read of TLS ends by itself, as nearly all do, before it is ended."""

Result = TypeVar("Result")


class Deadline:
    """The elapsed time and the limits of one download.

    Time counts only within `bounded`, while this library waits for the server; not while the caller does
    something else between two reads.
    """

    def __init__(self, limits: Limits, url: str, *, shared: bool = False) -> None:
        self.limits = limits
        self.url = url
        self.stage = "head"
        """The stage of the download, for error messages: "connect", "head" or "body"."""
        self.shared = shared
        """The session is the caller's: connections return to its pools, and it may read bodies itself."""
        self.limit_name: str = "read"
        """The field of `Limits` that set the current timeout."""
        self.connect_end: float | None = None
        """When the time ends for the connection that is being made; None where none is."""
        self.silence: float = 0.0
        """Seconds in which `FetchedBody.waits` looked for the next byte of the body."""
        self._elapsed = 0.0
        self._since: float | None = None
        self.responses: list[http.client.HTTPResponse] = []
        """All of them, for `close`: urllib3 drops responses whose header it refuses."""
        self.connection: Any = None
        """The one that is in no pool, for `close`: a hook of the session may raise."""
        self.watch: Watch | None = None
        """Of the TLS connection that is made, or read from."""
        self.shut_for: str = ""
        """The field of `Limits` for which it was shut down."""

    def elapsed(self) -> float:
        """Return the seconds that have counted."""
        since = self._since  # another thread may set it
        return self._elapsed + (0.0 if since is None else time.monotonic() - since)

    def rest(self) -> tuple[float, str]:
        """Return the seconds that are left for a connection, and the field of `Limits` that sets them."""
        total, connect = self.limits.total, self.connect_end
        ends = [] if total is None else [(total - self.elapsed(), "total")]
        ends += [] if connect is None else [(connect - time.monotonic(), "connect")]
        return min(ends, default=(math.inf, ""))

    def watched(self, sock: socket.socket) -> Watch | None:
        """Return what watches the TLS connection of a socket; None where no limit would end it."""
        if self.watch is None or self.watch.ended.is_set() or self.watch.fileno != sock.fileno():
            self.shut_for = ""
            self.watch = Watch(self, sock) if self.rest()[1] else None
        return self.watch

    def time_left(self, name: str) -> float | None:
        """Return the seconds that the next wait may take: that limit, or the rest of `total` if less."""
        limit: float | None = getattr(self.limits, name)
        if limit is not None and self.silence:
            limit = max(limit - self.silence, SHORTEST_WAIT)
        if self.connect_end is not None:  # the answer of a proxy is a part of it
            rest = self.connect_end - time.monotonic()
            if rest <= 0:
                raise self.exceeded("connect")
            if limit is None or rest < limit:
                name, limit = "connect", rest
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

    def abort(self, kind: type[FetchError], what: str, **more: Any) -> FetchAbort:
        """Return the exception that ends the download for another reason; `more`: arguments of its error."""
        return FetchAbort(kind(f"{shown(self.url)}: {what}", url=self.url, **more))

    def bounded(self, call: Callable[[], Result]) -> Result:
        """Return the result of a call whose time counts.

        Raises:
            FetchError: for what requests and the layers below it raise.
        """
        handled = sys.exc_info()[1]
        self._since = time.monotonic()
        try:
            self.time_left("read")  # raises where `total` is over, also for a stream that is no socket
            return call()
        except Exception as error:
            if not (isinstance(error, CAUGHT) or _is_of_client(error)):
                raise
            chain = _chain(error, handled)
        finally:
            self._elapsed, self._since = self.elapsed(), None
        # Not within the `except`: the exception would be the context of ours, with all that it holds.
        own: list[BaseException] = []
        try:
            if self.shut_for:
                raise exceeded(self.shut_for, self.limits, self.url) from _cause_of(chain, self.url)
            if own := _of_the_caller(chain):  # urllib3 raises one of its own from there, too
                raise next((one for one in own if not type(one).__module__.startswith("urllib3")), own[-1])
            raise fetch_error(chain, self) from _cause_of(chain, self.url)
        finally:  # exceptions would hold this frame, which holds them: a connection would stay open
            chain.clear()
            own.clear()

    def close(self) -> None:
        """Close every response and the connection that is in use. May be called twice."""
        if self.watch is not None:
            self.watch.ended.set()
        if self.connection is not None:
            self.connection.close()
        while self.responses:
            self.responses.pop().close()


class Watch:
    """Shuts down a TLS connection when its time is over. No timeout does while a server sends what is no
    data: OpenSSL reads session tickets, and messages of a handshake, as long as they come.

    Attributes:
        fileno: the descriptor of its socket.
        ended: to be set where the connection need not be watched any more.
    """

    def __init__(self, deadline: Deadline, sock: socket.socket) -> None:
        self.fileno: int = sock.fileno()
        self.ended: threading.Event = threading.Event()
        # TLS takes the descriptor from its socket. A copy of the descriptor is of the same connection.
        copy = socket.fromfd(self.fileno, sock.family, sock.type)
        arguments = weakref.ref(deadline), copy, self.ended
        thread = threading.Thread(target=_shut_late, args=arguments, name="feedcharset-deadline", daemon=True)
        try:
            thread.start()
        except BaseException:
            copy.close()
            raise


def _shut_late(own: weakref.ref[Deadline], sock: socket.socket, ended: threading.Event) -> None:
    wait = 0.0
    with sock:
        while wait < math.inf and not ended.wait(wait + WATCH_PAUSE):
            if (deadline := own()) is None:
                break
            left, name = deadline.rest()
            wait = max(left, 0.0)
            if not wait and deadline._since is not None:
                deadline.shut_for = name
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)
                break
            del deadline
    ended.set()


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
        self.most: float = math.inf
        """Bytes of a body without a coding that a session may read itself, before `decoded` ends it."""
        self.waits = True
        """A read waits for the next byte; False: it returns nothing where none has arrived."""
        outer = sock.socket if isinstance(sock, SSLTransport) else sock  # of the proxy, in TLS
        self._watch = deadline.watched(outer) if isinstance(outer, ssl.SSLSocket) else None

    @property
    def _sock(self) -> socket.socket:
        """Its name in Python's own reader, where requests_ntlm looks for the certificate of the server."""
        return self.sock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        deadline = self.deadline
        if self.waits:
            self.sock.settimeout(deadline.time_left("read"))
        try:
            data = self.source.read1(len(buffer))  # CPython's readinto1 waits for more than it has
        except TimeoutError:
            if deadline.limit_name == "total":
                raise deadline.exceeded("total") from None
            raise
        if deadline.shut_for:
            raise deadline.exceeded(deadline.shut_for)
        deadline.silence = 0.0
        self.received += len(data)
        if not self.in_head and self.received - self.head > (deadline.limits.wire or math.inf):
            raise deadline.exceeded("wire")
        if not self.in_head and self.received - self.head > self.most:
            raise deadline.exceeded("decoded")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if self._watch is not None:  # another request may use its socket
            self._watch.ended.set()
        try:
            self.source.close()
        finally:
            super().close()


class _TimedReader(io.BufferedReader):
    """The reader that http.client gets: counts the bytes of the header, which is read by lines.

    At a line that is no field the standard library ends the header. The length and the framing behind that
    line are lost, and a body that is cut looks whole. So it gets only lines that are fields. It takes a bare
    CR for the end of a line, too; a space stands for it here (RFC 9112 section 2.2).
    """

    raw: _TimedRaw
    in_fields = False
    """The status line was read, and the header not to its end."""

    def readline(self, size: int | None = -1) -> bytes:
        line = self._counted_line(size)
        is_status = self.raw.in_head and not self.in_fields and 0 < len(line) <= LONGEST_LINE
        if is_status and not _STATUS_LINE.match(line):
            raise http.client.BadStatusLine(line.decode("latin-1").rstrip())
        if not self.raw.in_head and line[-1:] not in (b"", b"\n") and len(line) <= LONGEST_LINE:
            # http.client would take `00` of a size `000a` for the last chunk.
            raise ConnectionError("the connection was closed within a line between chunks")
        is_dropped = False
        while self.in_fields and len(line) <= LONGEST_LINE:
            if not line.endswith(b"\n"):
                raise ConnectionError("the connection was closed within the header")
            content = line.rstrip(b"\r\n").replace(b"\r", b" ")
            field = _FIELD_NAME.match(content)
            if field is not None:
                return field[1] + b":" + content[field.end() :] + b"\r\n"
            if not content or (content[:1] in b" \t" and not is_dropped):
                return content + b"\r\n"  # the end, or folded: it belongs to the field before it
            is_dropped = True
            line = self._counted_line(size)
        return line

    def _counted_line(self, size: int | None) -> bytes:
        line = super().readline(size)
        raw = self.raw
        if raw.in_head:
            raw.head += len(line)
            if raw.head > (raw.deadline.limits.header or math.inf):
                raise raw.deadline.exceeded("header")
        return line


class TimedResponse(ChunkedResponse):
    """A response that is read within the limits."""

    def __init__(self, deadline: Deadline, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        deadline.stage = "head"
        deadline.responses.append(self)
        self._timed = _TimedRaw(self.fp, sock, deadline)
        self._timed.in_head = True
        self.fp: Any = _TimedReader(self._timed)

    def _read_status(self) -> tuple[str, int, str]:
        self.fp.in_fields = False
        status: tuple[str, int, str] = super()._read_status()  # type: ignore[misc]
        self.fp.in_fields = True
        return status

    def begin(self, *args: Any, **kwargs: Any) -> None:
        """Read the header and skip interim responses (RFC 9110 section 15.2): http.client knows only 100."""
        self._timed.deadline.connect_end = None
        super().begin(*args, **kwargs)
        while 100 <= self.status < 200 and self.status != HTTPStatus.SWITCHING_PROTOCOLS:
            vars(self).update(headers=None, msg=None)  # so that begin() reads another header
            super().begin(*args, **kwargs)
        kept = http.client.HTTPMessage()
        for name, value in self.headers.items():
            if name.lower() not in ("set-cookie", "set-cookie2") or _is_cookie(name, value):
                kept[name] = value.strip(" \t\r\n")  # a folded line begins with white space
        vars(self).update(headers=kept, msg=kept)
        if self.status < 200 or self.status in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED):
            # No body, whatever its header holds (RFC 9112 section 6.3); urllib3 reads it again.
            del self.headers["Transfer-Encoding"]
            self.chunked = False
            # Behind a switch of protocols no HTTP follows (RFC 9110 section 15.2.2).
            self.will_close: bool = self.will_close or self.status < 200
        if frames_of(self.headers) == {"chunked"}:
            _read_chunks(self)
        elif (length := announced_length(self.headers)) is not None:
            if self.length is None:
                self.length: int | None = length
            if self.headers.get_all("Content-Length") != [str(length)]:  # urllib3 reads it again
                del self.headers["Content-Length"]
                self.headers["Content-Length"] = str(length)
        elif self.length and not self.headers["Content-Length"].strip().isdecimal():
            # http.client's int() takes `+5` and `5_0`, too.
            self.length = None
            self.will_close = True
            del self.headers["Content-Length"]
        if self.length is None and not self.chunked:
            self.length = part_size(self.status, self.headers)
        deadline, coding = self._timed.deadline, joined_field(self.headers, "Content-Encoding")
        if deadline.shared and deadline.limits.decoded is not None and not coding.strip():
            # A chunk of one byte takes six. A body that the library reads itself ends before this.
            self._timed.most = MIB + deadline.limits.decoded * (_CHUNK_OF_ONE if self.chunked else 1)
        self._timed.in_head = self.fp.in_fields = False
        deadline.stage = "body"


def _is_cookie(name: str, value: str) -> bool:
    """Return False where http.cookiejar issues a warning with its stack trace: a number that no time has, a
    month that there is not, and much in Set-Cookie2, which RFC 6265 made obsolete."""
    with suppress(Exception):
        http.cookiejar.parse_ns_headers([value])  # type: ignore[attr-defined]  # not in the stubs
        return name[-1] != "2" and max(map(len, re.findall("[0-9]++", value)), default=0) < _LONGEST_TIME
    return False


def _read_chunks(response: Any) -> None:
    """Make a response of http.client read chunks: it knows the word only alone, without white space."""
    response.chunked, response.chunk_left, response.length = True, None, None


def bound_body(raw: object, deadline: Deadline) -> None:
    """Apply the deadline to the body of a caller's response, if it is read from a socket."""
    response: Any = getattr(raw, "_fp", None)
    stream = getattr(response, "fp", None)
    sock = getattr(getattr(stream, "raw", None), "_sock", None)
    if isinstance(response, http.client.HTTPResponse) and stream is not None and sock is not None:
        if response.length == 0:  # its status has no body
            response.chunked = False
        elif not response.chunked and frames_of(response.headers) == {"chunked"}:
            _read_chunks(response)
        response.fp = _TimedReader(_TimedRaw(stream, sock, deadline))


def is_waiting(raw: object, seconds: float) -> bool | None:
    """Return whether no more of a body has arrived, nor does within so many seconds; None: not known."""
    response: Any = raw if isinstance(raw, http.client.HTTPResponse) else getattr(raw, "_fp", None)
    reader: Any = getattr(response, "fp", None)
    stream: Any = getattr(reader, "raw", None)
    sock = getattr(stream, "sock", getattr(stream, "_sock", None))
    if not isinstance(response, http.client.HTTPResponse) or sock is None or response.length == 0:
        return None
    arrived, timeout = 0, sock.gettimeout()
    stream.waits = False
    sock.settimeout(0)
    try:
        with suppress(BlockingIOError, ssl.SSLWantReadError):
            arrived = len(reader.peek())
    finally:
        sock.settimeout(timeout)
        stream.waits = True
    if getattr(sock, "pending", int)():  # TLS has more
        return False
    # Behind a chunk is its line end, which arrives with it.
    return arrived <= 2 * (getattr(response, "chunk_left", None) == 0) and not wait_for_read(sock, seconds)


def exceeded(name: str, limits: Limits, url: str) -> FetchError:
    """Return the error for a field of `Limits` that was exceeded."""
    kind, sentence = EXCEEDED[name]
    value = getattr(limits, name)
    # The limit may be None here: the caller's own adapter may have a timeout.
    seen = sentence.format(value) if value is not None else "a time limit of the session has passed"
    advice = f"if this source may have more, raise Limits({name}=...)"
    if limits is FILE_LIMITS:
        advice = "no Limits hold for this response; if you trust it, unpack its body before"
    return kind(f"{shown(url)}: {seen}", url=url, limit=name, advice=advice)


def _of_the_caller(chain: list[BaseException]) -> list[BaseException]:
    """Return those that the handler of a signal raised, or a hook or the authentication of the session; none
    where requests raised them, or such a hook read the body, and that failed."""
    places = [(error, _frames(error)) for error in chain]
    handlers = {getattr(signal.getsignal(number), "__code__", None) for number in signal.valid_signals()}
    if own := [error for error, frames in places if any(frame.f_code in handlers for frame in frames)]:
        return own
    if any(isinstance(error, (FetchAbort, http.client.IncompleteRead)) for error in chain):
        return []
    if any(_is_reading(frame) for _, frames in places for frame in frames):
        return []
    return [error for error, frames in places if any(_is_hook(*pair) for pair in pairwise(frames))]


def _is_of_client(error: BaseException) -> bool:
    """Return True for what requests or urllib3 raise by mistake, or an adapter of the session: a cache, say,
    that cannot read a field of an answer."""
    frames = [(frame.f_globals.get("__name__", ""), frame.f_code.co_name) for frame in _frames(error)]
    innermost = frames[-1][0].partition(".")[0]
    by_adapter = any(
        outer == ("requests.sessions", "send") and name == "send" for outer, (_, name) in pairwise(frames)
    )
    is_read = any(module.startswith("urllib3.") for module, _ in frames)
    is_ours = innermost == "feedcharset" or isinstance(error, MemoryError)
    return not is_ours and (by_adapter or is_read or innermost == "requests")


def _is_of_a_length(error: BaseException) -> bool:
    """Return True where http.client reads a number of bytes that is none, as `-5` and -7fffffffffffffff."""
    return isinstance(error, (ValueError, OverflowError)) and _is_raised_in(error, "http.client")


def _is_raised_in(error: BaseException, module: str) -> bool:
    return any(frame.f_globals.get("__name__") == module for frame in _frames(error)[-1:])


def _frames(error: BaseException) -> list[FrameType]:
    return [frame for frame, _ in traceback.walk_tb(error.__traceback__)]


def _is_reading(frame: FrameType) -> bool:
    """Return True within the streams and responses that read the network, ours or urllib3's."""
    modules = (__name__, ChunkedResponse.__module__, HTTPResponse.__module__)
    return frame.f_globals.get("__name__") in modules and frame.f_code is not Deadline.bounded.__code__


def _is_hook(frame: FrameType, inner: FrameType) -> bool:
    """Return True where requests calls a hook or an authentication that is not its own, nor ours."""
    module = inner.f_globals.get("__name__", "")
    called = frame.f_code.co_name in ("dispatch_hook", "prepare_auth")
    return called and not module.startswith(("requests.", "feedcharset."))


def fetch_error(chain: list[BaseException], deadline: Deadline) -> FetchError:
    """Translate what requests and the layers below it raised."""
    if isinstance(error := getattr(chain[0], "error", chain[0]), FetchError):
        return error
    url, stage, reason = deadline.url, deadline.stage, _reason(chain)
    kind: type[FetchError] = FetchError
    limit: str | None = None
    what, advice = f"could not be fetched: {reason}", "try later"

    def has(*kinds: type[BaseException]) -> bool:
        return any(isinstance(link, kinds) for link in chain)

    if has(*_NO_URL) or reason.startswith("Unable to determine SOCKS version"):
        what, advice = "the URL of a proxy cannot be read", f"{_PROXY_ADVICE}, special characters as %XX"
    elif has(InvalidSchema) and "SOCKS" in reason:
        what = "a SOCKS proxy needs PySocks, which is not installed"
        advice = "pip install 'requests[socks]', or take out the proxy (http_proxy, https_proxy, all_proxy)"
    elif any(isinstance(link, _TIMEOUTS) and not isinstance(link, NewConnectionError) for link in chain):
        # urllib3 derives "refused" from "timed out".
        return exceeded(deadline.limit_name, deadline.limits, url)
    elif stage == "head" and any(
        isinstance(link, http.client.LineTooLong) or type(link) is http.client.HTTPException for link in chain
    ):
        # http.client raises the bare class for more than 100 fields.
        kind, limit = TooLarge, "header"
        what, advice = f"http.client refuses the header ({reason})", "only the server can change it"
    elif stage == "body" and has(DecodeError):
        what = f"its Content-Encoding cannot be removed ({reason})"
        advice = 'request none with headers={"Accept-Encoding": "identity"}'
    elif stage == "body" and (has(*_BROKEN) or any(map(_is_of_a_length, chain))):
        kind, advice = TruncatedBody, ""
        what = f"the body ended before its announced end ({reason})"
    elif has(ProxyError) or any(  # urllib3's errors of a SOCKS proxy show it by their connection alone
        type(getattr(link, "conn", 0)).__name__.startswith("SOCKS") for link in chain
    ):
        what, advice = f"no connection through the proxy ({reason})", _PROXY_ADVICE
    elif has(UnicodeDecodeError) and stage == "head":
        what, advice = "the netrc file is not UTF-8", "correct it (~/.netrc, or the one that NETRC names)"
    elif has(InvalidHeader):
        what, advice = f"its header is invalid ({reason})", "only the server can change it"
    elif has(KeyError, AttributeError) and any(_is_raised_in(link, "requests.auth") for link in chain):
        problem = f"has no {reason}" if has(KeyError) else "is invalid"  # of HTTPDigestAuth
        what, advice = f"its WWW-Authenticate field {problem}", "only the server can change it"
    elif has(http.client.BadStatusLine, http.client.UnknownProtocol) and not has(ConnectionResetError):
        what, advice = f"the answer does not begin as HTTP does ({reason})", "check the URL"
    elif has(UnicodeEncodeError) or reason.startswith(_UNSENDABLE):
        what = "a field of the request, a cookie perhaps, has characters that cannot be sent"
        advice = "look at the headers, cookies and credentials of the session"
    elif reason.startswith(_NO_CERTIFICATE) or "local issuer" in reason or "signed certificate" in reason:
        advice = "correct the certificates of session or environment (verify, cert, REQUESTS_CA_BUNDLE)"
    elif has(NameResolutionError, ssl.SSLCertVerificationError) or "WRONG_VERSION" in reason:  # http://
        advice = "check the URL"
    return kind(f"{shown(url)}: {what}", url=url, limit=limit, advice=advice)


def _cause_of(chain: list[BaseException], opened: str) -> BaseException | None:
    """Return what was raised as the cause of the FetchError, without credentials and tracebacks; None where
    there is none.

    The request that requests keeps on its exceptions has an Authorization field; the pool and the connection
    that urllib3 keeps have the password of a proxy. A URL that is more than the one that was opened has the
    parameters of the session.
    """
    for link in chain:
        link.__traceback__ = None  # its frames hold those that called them, and so the document
        for name in vars(link).keys() & _HOLDERS:
            setattr(link, name, None)
        if isinstance(url := getattr(link, "url", None), str) and "@" in url:
            vars(link)["url"] = without_userinfo(url)  # of a proxy
    has_secret = any(
        isinstance(link, (*_NO_URL, UnicodeEncodeError))
        or str(getattr(link, "url", None) or "") not in opened
        or "@" in str(link)
        or masked_field(str(link)) != str(link)  # a URL within one, percent-encoded
        or AUTHORIZATION.search(str(link))
        or str(link).startswith(_UNSENDABLE)
        for link in chain
    )
    return None if has_secret or isinstance(chain[0], FetchAbort) else chain[0]


def _chain(error: BaseException, handled: BaseException | None) -> list[BaseException]:
    """Return the exception and every exception that it wraps, once each, outermost first; but for what the
    caller was handling when it called (a URL is opened in an `except:`, say). That is the context of whatever
    is raised then, and has nothing to do with it."""
    chain, seen = [error], {id(error), id(handled)}
    for link in chain:
        for inner in (*link.args, getattr(link, "reason", None), link.__cause__, link.__context__):
            if isinstance(inner, BaseException) and id(inner) not in seen:
                seen.add(id(inner))
                chain.append(inner)
    return chain


def _reason(chain: list[BaseException]) -> str:
    """Return the message of the innermost exception, shortened, without the userinfo of a URL in it."""
    innermost = chain[-1]
    message = str(getattr(innermost, "strerror", None) or str(innermost) or type(innermost).__name__)
    if url := re.search(r"(?i)https?:[/\\]*+", message[: (at := message.rfind("@") + 1)]):
        message = message[: url.end()] + message[at:]  # a password may have spaces
    return shown(masked_field(" ".join(word.rpartition("@")[2] for word in message.split(" "))))
