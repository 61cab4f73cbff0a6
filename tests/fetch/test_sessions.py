"""The caller's own session: its limits are the same, its state is its own."""

from __future__ import annotations

import gc
import gzip
import signal
import threading
import tracemalloc
import weakref
from contextlib import suppress
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
import requests
from requests.adapters import HTTPAdapter
from support.faults import FEED, SCRIPTS
from support.faulty_server import Close, FaultyServer, Script, Send
from support.local_server import LocalServer, Row
from support.time_limits import CALM, limits_for
from urllib3 import HTTPConnectionPool
from urllib3.exceptions import ProtocolError, ReadTimeoutError
from urllib3.util import Retry

from feedcharset import XmlReader, decode
from feedcharset.adapters.requests import use_feedcharset
from feedcharset.errors import DeadlineExceeded, FetchError, HTTPStatusError, TooLarge, TruncatedBody
from feedcharset.fetch.client import ACCEPT, open_url
from feedcharset.fetch.deadline import Deadline
from feedcharset.fetch.limits import Limits
from feedcharset.fetch.urls import user_agent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

XML = (("Content-Type", "application/xml"),)


@pytest.fixture
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


def fetch(url: str, session: requests.Session, limits: Limits = CALM) -> bytes:
    with open_url(url, session=session, limits=limits) as body:
        return body.readall()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("script", "error", "limit"),
    [
        ("dripping-status-line", DeadlineExceeded, "total"),
        ("dripping-header", DeadlineExceeded, "total"),
        ("dripping-interim", DeadlineExceeded, "total"),
        ("dripping-body", DeadlineExceeded, "total"),
        ("dripping-chunk-size", DeadlineExceeded, "total"),
        ("dripping-trailer", DeadlineExceeded, "total"),
        ("redirect-slow-chain", DeadlineExceeded, "total"),
        ("silent-in-header", DeadlineExceeded, "read"),
        ("silent-in-body", DeadlineExceeded, "read"),
        ("endless-header-line", TooLarge, "header"),
        ("endless-chunk-extensions", TooLarge, "wire"),
        ("gzip-bomb", TooLarge, "ratio"),
        ("gzip-truncated", TruncatedBody, None),
        ("gzip-nested", FetchError, None),
        ("length-too-long", TruncatedBody, None),
        ("reset-in-chunk", TruncatedBody, None),
        ("not-found", HTTPStatusError, None),
    ],
)
def test_a_session_is_bound_by_the_same_limits(
    script: str, error: type[FetchError], limit: str | None, session: requests.Session
) -> None:
    with FaultyServer(SCRIPTS[script]) as server:
        with pytest.raises(error) as caught:
            fetch(server.url, session, limits_for(limit))
        found = (type(caught.value), caught.value.limit)
        del caught
        session.close()
        gc.collect()
    assert found == (error, limit)
    assert server.left_open == 0


@pytest.mark.parametrize(
    "script", ["honest", "honest-chunked", "gzip", "gzip-chunked", "utf-16", "interim-103-first"]
)
def test_a_session_reads_what_is_right(script: str, session: requests.Session) -> None:
    with FaultyServer(SCRIPTS[script]) as server:
        assert fetch(server.url, session) == open_url(server.url).readall()
        session.close()


def test_a_session_keeps_its_connections_and_loses_our_limits(session: requests.Session) -> None:
    two = Send(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n<a/>")
    with FaultyServer(Script((two,))) as server:
        assert fetch(server.url, session, Limits(total=0.2)) == b"<a/>"
        pools = session.get_adapter(server.url).poolmanager.pools  # type: ignore[attr-defined]
        (pool,) = [pools[key] for key in pools.keys()]  # noqa: SIM118  # no mapping
        (connection,) = [kept for kept in pool.pool.queue if kept is not None]
        assert connection.sock is not None
        assert not {"response_class", "_new_conn"} & set(vars(connection))
        session.close()
        pool.close()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(("size", "kept"), [(0, True), (200, True), (16_383, True), (16_384, False)])
def test_a_redirect_keeps_the_connection_of_a_session(
    status: int, size: int, kept: bool, session: requests.Session
) -> None:
    """requests reads the body of each redirect, however long it is."""
    accepted = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            accepted.append(self.client_address)
            super().setup()

        def do_GET(self) -> None:
            moved = self.path == "/moved"
            self.send_response(status if moved else 200)
            if moved:
                self.send_header("Location", "/feed")
            body = b" " * size if moved else FEED
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        for _ in range(3):
            with open_url(f"http://127.0.0.1:{server.server_address[1]}/moved", session=session) as body:
                assert (body.readall(), body.history[0][0]) == (FEED, status)
        session.close()
        server.shutdown()
    assert (len(accepted) == 1) is kept


def test_a_session_is_neither_closed_nor_changed(session: requests.Session) -> None:
    before = {name: repr(value) for name, value in vars(session).items()}
    with LocalServer({"/feed": Row(FEED, XML)}) as server:
        assert fetch(server.url("/feed"), session) == FEED
        assert {name: repr(value) for name, value in vars(session).items()} == before
        assert session.get(server.url("/feed")).content == FEED


def test_what_a_session_changes_of_itself_stays_changed() -> None:
    class Refreshing(requests.Session):
        token = "old"

        def request(self, method: str, url: str, **kwargs: Any) -> requests.Response:  # type: ignore[override]
            self.token = "new"
            kwargs["headers"]["Authorization"] = f"Bearer {self.token}"
            return super().request(method, url, **kwargs)

    with FaultyServer(SCRIPTS["honest"]) as server, Refreshing() as session:
        fetch(server.url, session)
        assert b"Authorization: Bearer new\r\n" in server.requests[0]
        assert session.token == "new"


@pytest.mark.parametrize(
    ("end", "field"),
    [
        (f"expires=01-Jan-{'1' * 5000} 00:00:00 GMT", "Set-Cookie"),
        (f"max-age={'9' * 309}", "Set-Cookie"),
        (f"max-age={'9' * 308}", "Set-Cookie"),
        ("expires=Wed, 21 Nct 2015 07:28:00 GMT", "Set-Cookie"),
        ("expires=never", "Set-Cookie2"),
    ],
)
def test_cookies_of_the_answer_are_the_sessions(end: str, field: str, session: requests.Session) -> None:
    """Warnings of http.cookiejar are errors in these tests."""
    other = (field, f"other=1; {end}")
    with LocalServer({"/feed": Row(FEED, (*XML, other, ("Set-Cookie", "seen=1")))}) as server:
        fetch(server.url("/feed"), session)
        assert session.cookies.get("seen") == "1"


@pytest.mark.parametrize("packed", [False, True])
def test_cookies_come_through_a_content_coding(packed: bool, session: requests.Session) -> None:
    fields = (("Set-Cookie", "seen=1"), *((("Content-Encoding", "gzip"),) if packed else ()))
    with LocalServer({"/feed": Row(gzip.compress(FEED) if packed else FEED, fields)}) as server:
        assert fetch(server.url("/feed"), session) == FEED
        assert session.cookies.get("seen") == "1"


def test_headers_of_the_session_are_kept_and_those_of_requests_are_not(session: requests.Session) -> None:
    with FaultyServer(SCRIPTS["http-1.1-close-delimited"]) as server:
        fetch(server.url, session)
        session.headers["User-Agent"] = "crawler/1"
        session.headers["Accept"] = "text/xml"
        fetch(server.url, session)
        session.close()
    first, second = server.requests
    assert f"User-Agent: {user_agent()}\r\n".encode() in first
    assert f"Accept: {ACCEPT}\r\n".encode() in first
    assert b"User-Agent: crawler/1\r\n" in second
    assert b"Accept: text/xml\r\n" in second


def test_retries_of_a_session_are_its_own(session: requests.Session) -> None:
    session.mount("http://", HTTPAdapter(max_retries=Retry(3, status_forcelist=[503], backoff_factor=0)))
    busy = Send(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    with FaultyServer(Script((busy, Close()))) as server:
        with pytest.raises(HTTPStatusError, match="HTTP 503") as caught:
            fetch(server.url, session)
        session.close()
        gc.collect()
    assert caught.value.status == 503
    assert len(server.requests) == 4


def test_retries_end_with_the_total(session: requests.Session) -> None:
    session.mount("http://", HTTPAdapter(max_retries=Retry(1000, backoff_factor=0)))
    with FaultyServer(SCRIPTS["silent-in-header"]) as server:
        with pytest.raises(DeadlineExceeded) as caught:
            fetch(server.url, session, CALM._replace(read=0.3, total=1.0))
        limit = caught.value.limit
        del caught
        session.close()
        gc.collect()
    assert limit == "total"
    assert 1 <= len(server.requests) <= 4  # three limits of a read make nearly the total


@pytest.mark.parametrize("place", ["hook", "auth"])
@pytest.mark.parametrize("kind", [OSError, ValueError, RuntimeError, TimeoutError, requests.ConnectionError])
def test_what_a_hook_of_the_caller_raises_is_not_caught(
    kind: type[Exception], place: str, session: requests.Session
) -> None:
    mine = kind("mine")

    def fail(*args: Any, **options: Any) -> None:
        raise mine

    if place == "hook":
        session.hooks["response"].append(fail)
    else:
        session.auth = fail
    with FaultyServer(SCRIPTS["honest"]) as server, pytest.raises(kind) as caught:
        fetch(server.url, session)
    assert caught.value is mine  # it holds the frames, and so the connection
    assert server.left_open == 0


BOMB = gzip.compress(b"<r>" + b" " * (5 << 20))
GZIP = b"Content-Encoding: gzip\r\nContent-Length: "


class ReadingSession(requests.Session):
    """Reads each body itself."""

    def send(self, *args: Any, **options: Any) -> requests.Response:
        return super().send(*args, **{**options, "stream": False})


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("body", "error", "limit"),
    [
        (GZIP + b"%d\r\n\r\n%b" % (len(BOMB), BOMB), TooLarge, "ratio"),
        (GZIP + b"900\r\n\r\n%b" % BOMB[:900], TruncatedBody, None),
        (b"Content-Length: 100\r\n\r\n<r>", TruncatedBody, None),
        (b"Transfer-Encoding: chunked\r\n\r\n5\r\n<r>", TruncatedBody, None),
        (b"Transfer-Encoding: chunked\r\n\r\nzz\r\n<r>", TruncatedBody, None),
        # urllib3 raises these without a stream of ours.
        (b"Transfer-Encoding: chunked\r\n\r\n", TruncatedBody, None),
        (b"Transfer-Encoding: chunked\r\n\r\n5\r\n<rss>\r\n", TruncatedBody, None),
        (b"Transfer-Encoding: chunked\r\n\r\n-5\r\n<rss>\r\n", TruncatedBody, None),
        (b"Transfer-Encoding: chunked\r\n\r\n5;%b\r\n<rss>" % (b"x" * 70000), TruncatedBody, None),
        (b"Transfer-Encoding: chunked\r\n\r\n5\r\n<rss>\r\n0\r\n" + b"x" * 70000, TruncatedBody, None),
        (b"Transfer-Encoding: foo\r\n\r\n<r>", FetchError, None),
    ],
)
@pytest.mark.parametrize("reads", ["hook", "raw", "authentication", "session"])
def test_a_body_that_the_session_reads_is_within_the_limits(
    reads: str, body: bytes, error: type[FetchError], limit: str | None, session: requests.Session
) -> None:
    def read(response: requests.Response, **options: Any) -> None:
        assert (response.raw.read() if reads == "raw" else response.content) is not None

    def authenticate(request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.register_hook("response", read)
        return request

    if reads in ("hook", "raw"):
        session.hooks["response"].append(read)
    elif reads == "authentication":
        session.auth = authenticate
    else:
        session = ReadingSession()
    server = FaultyServer(Script((Send(b"HTTP/1.1 200 OK\r\n" + body), Close())))
    with server:
        with pytest.raises(FetchError) as caught:
            fetch(server.url, session)
        found = caught.value
        found.with_traceback(None).__context__ = None
        del caught
        session.close()  # it keeps the connection where the whole body has come
        gc.collect()
    assert (type(found), found.limit) == (error, limit)
    if error is TruncatedBody:
        assert (found.partial, found.advice) == (b"", "try again")


@pytest.mark.parametrize(
    "frames", ["Connection: close", "Content-Length: 60000000", "Transfer-Encoding: chunked"]
)
def test_what_a_session_reads_without_a_coding_is_within_decoded(
    frames: str, session: requests.Session
) -> None:
    """Not only when all of it has arrived."""
    piece = b"100000\r\n%b\r\n" % bytes(1 << 20) if "chunked" in frames else bytes(1 << 20)
    sends = [Send(f"HTTP/1.1 200 OK\r\n{frames}\r\n\r\n".encode()), *[Send(piece)] * 60, Close()]
    session.hooks["response"].append(lambda response, **options: response.content and None)
    tracemalloc.start()
    with FaultyServer(Script(tuple(sends))) as server, pytest.raises(TooLarge) as caught:
        fetch(server.url, session, limits=Limits(decoded=1000, wire=None))
    assert tracemalloc.get_traced_memory()[1] < 30 << 20
    tracemalloc.stop()
    assert caught.value.limit == "decoded"


def test_chunks_of_one_byte_are_not_counted_as_six(session: requests.Session) -> None:
    """More than a MiB of them, whose bodies are within `decoded`."""
    size = 220_000
    session.hooks["response"].append(lambda response, **options: response.content and None)
    head = b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    with FaultyServer(Script((Send(head + b"1\r\nx\r\n" * size + b"0\r\n\r\n"), Close()))) as server:
        assert len(fetch(server.url, session, limits=Limits(decoded=size, wire=None))) == size


@pytest.mark.parametrize(
    "body",
    [
        b"Transfer-Encoding: foo\r\n\r\nabc",
        b"Transfer-Encoding: gzip, chunked\r\n\r\nabc",
        b"Content-Encoding: gzip, gzip\r\nContent-Length: 300000\r\n\r\n" + bytes([0x1F, 0x8B, 8, 0]) * 75000,
        b"Content-Encoding: compress\r\nContent-Length: 300000\r\n\r\n" + bytes([0x1F, 0x9D, 8, 0]) * 75000,
        GZIP + b"300000\r\n\r\n" + b"\x1f\x8b\x08\0" + b"\xff" * 299996,
    ],
)
def test_a_body_that_is_refused_gives_its_connection_back(body: bytes, session: requests.Session) -> None:
    """A pool that blocks would wait for it for ever."""
    session.mount("http://", HTTPAdapter(pool_maxsize=2, pool_block=True))
    with FaultyServer(Script((Send(b"HTTP/1.1 200 OK\r\n" + body), Close()))) as server:
        with pytest.raises(FetchError):
            fetch(server.url, session)
        pools = session.get_adapter(server.url).poolmanager.pools  # type: ignore[attr-defined]
        assert [pools[key].pool.qsize() for key in pools.keys()] == [2]  # noqa: SIM118  # no mapping


SMALL = gzip.compress(b"<r>" + b"x" * 3000)


@pytest.mark.parametrize(
    "body",
    [
        GZIP + b"%d\r\n\r\n%b" % (len(SMALL) - 1, SMALL[:-1]),
        GZIP + b"%d\r\n\r\n%b" % (len(SMALL), SMALL[:-8] + bytes(8)),
        GZIP + b"%d\r\n\r\n%b" % (len(BOMB), BOMB),
        b"Content-Encoding: foo\r\nContent-Length: 4\r\n\r\n\0\1\2\3",
        b"Content-Length: 4000000000\r\n\r\n<r>",
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n<r>",
        b"Content-Length: 4\r\n\r\n<r/>",
    ],
    ids=["cut", "sum", "bomb", "coding", "long", "chunks", "whole"],
)
def test_a_closed_session_keeps_no_connection(body: bytes, session: requests.Session) -> None:
    """An exception that is held by a frame that it holds keeps all of them until garbage is collected."""

    def read(url: str) -> None:
        with suppress(FetchError), XmlReader(url, session=session) as reader:
            reader.read()

    server = FaultyServer(Script((Send(b"HTTP/1.1 200 OK\r\n" + body),)), patience=5)
    gc.collect()
    gc.disable()
    try:
        with server:
            read(server.url)
            session.close()
    finally:
        gc.enable()
    assert server.left_open == 0


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: 3000\r\n\r\n<r>" + b"x" * 2000,
        GZIP + b"%d\r\n\r\n%b" % (len(SMALL) + 9, SMALL[:-1]),
        b"Transfer-Encoding: chunked\r\n\r\nfff\r\n<r>",
    ],
    ids=["length", "gzip", "chunks"],
)
def test_an_error_that_is_kept_holds_the_partial_text_alone(body: bytes) -> None:
    """Tracebacks of what urllib3 raises hold frames, these those that called them, and so what was read."""
    with FaultyServer(Script((Send(b"HTTP/1.1 200 OK\r\n" + body), Close()))) as server:
        with pytest.raises(TruncatedBody) as caught, open_url(server.url) as opened:
            opened.readall()
        kept, held = caught.value.with_traceback(None), weakref.ref(opened)
        del caught, opened
    gc.collect()
    assert (held(), bool(kept.partial), kept.__cause__ is None) == (None, True, False)


@pytest.mark.parametrize(
    ("field", "missing"), [("x", "realm"), ('realm="a"', "nonce"), ('nonce="a"', "realm")]
)
def test_digest_authentication_without_its_values_is_a_fetch_error(
    field: str, missing: str, session: requests.Session
) -> None:
    """requests raises a bare KeyError."""
    session.auth = requests.auth.HTTPDigestAuth("user", "password")
    fields = f"WWW-Authenticate: Digest {field}\r\nConnection: close\r\nContent-Length: 0"
    head = f"HTTP/1.1 401 No\r\n{fields}\r\n\r\n"
    server = FaultyServer(Script((Send(head.encode()), Close())))
    with server, pytest.raises(FetchError, match=f"WWW-Authenticate field has no '{missing}'") as caught:
        fetch(server.url, session)
    assert "password" not in repr(caught.value.__cause__)


@pytest.mark.parametrize("body", [FEED, gzip.compress(FEED)])
def test_the_socket_stands_where_authentication_looks_for_it(body: bytes, session: requests.Session) -> None:
    """requests_ntlm binds its answer to the certificate of the server."""
    peers = []

    def look(response: requests.Response, **options: Any) -> None:
        peers.append(response.raw._fp.fp.raw._sock.getpeername())

    session.hooks["response"].append(look)
    coding = "Content-Encoding: gzip\r\n" * (body != FEED)
    head = f"HTTP/1.1 401 No\r\n{coding}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    with FaultyServer(Script((Send(head.encode() + body), Close()))) as server:
        with pytest.raises(HTTPStatusError):
            fetch(server.url, session)
        assert server.url.startswith(f"http://{peers[0][0]}:{peers[0][1]}/")


def test_a_digest_value_that_is_none_is_a_fetch_error(session: requests.Session) -> None:
    """requests takes it for a str."""
    session.auth = requests.auth.HTTPDigestAuth("user", "password")
    fields = b'WWW-Authenticate: Digest realm="r", nonce\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
    head = b"HTTP/1.1 401 No\r\n" + fields
    server = FaultyServer(Script((Send(head), Close())))
    with server, pytest.raises(FetchError, match="WWW-Authenticate field is invalid"):
        fetch(server.url, session)


@pytest.mark.parametrize(
    "kind", [AssertionError, KeyError, TypeError, AttributeError, ValueError, LookupError]
)
def test_what_an_adapter_raises_is_a_fetch_error(kind: type[Exception], session: requests.Session) -> None:
    class Broken(HTTPAdapter):
        def send(self, *args: Any, **options: Any) -> requests.Response:
            raise kind("its reason")

    session.mount("http://", Broken())
    with pytest.raises(FetchError, match=r"could not be fetched: .?its reason") as caught:
        fetch("http://127.0.0.1:1/", session)
    assert type(caught.value.__cause__) is kind


def test_what_a_send_of_the_caller_raises_is_not_caught() -> None:
    class Own(requests.Session):
        def send(self, *args: Any, **options: Any) -> requests.Response:
            raise AssertionError("mine")

    with Own() as session, pytest.raises(AssertionError, match="mine"):
        fetch("http://127.0.0.1:1/", session)


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # CacheControl leaves a file open
@pytest.mark.parametrize("date", ["x", "", "2026-11-29T10:00:00Z", "Fri, 31 Dec 99999999999 00:00:00 GMT"])
def test_a_date_that_a_cache_cannot_read_is_a_fetch_error(date: str) -> None:
    """And no body that is cut."""
    cachecontrol = pytest.importorskip("cachecontrol")
    fields = f'Date: {date}\r\nETag: "a"\r\nCache-Control: max-age=60\r\nContent-Length: {len(FEED)}\r\n\r\n'
    server = FaultyServer(Script((Send(b"HTTP/1.1 200 OK\r\n" + fields.encode() + FEED), Close())))
    with server, cachecontrol.CacheControl(requests.Session()) as session:
        with pytest.raises(FetchError, match="could not be fetched: ") as caught:
            fetch(server.url, session)
        assert type(caught.value) is FetchError
    del caught, session
    gc.collect()  # the file is closed here


def test_a_key_error_of_a_hook_is_not_caught(session: requests.Session) -> None:
    session.hooks["response"].append(lambda response, **options: vars(response)["mine"])
    with FaultyServer(SCRIPTS["http-1.1-close-delimited"]) as server, pytest.raises(KeyError, match="mine"):
        fetch(server.url, session)


def test_what_the_authentication_of_requests_raises_is_a_fetch_error(session: requests.Session) -> None:
    """Digest authentication is a hook that sends a second request."""

    class SecondFails(HTTPAdapter):
        sent = 0

        def send(self, *args: Any, **options: Any) -> requests.Response:
            self.sent += 1
            if self.sent == 2:
                raise requests.ConnectionError("no route")
            return super().send(*args, **options)

    session.mount("http://", SecondFails())
    session.auth = requests.auth.HTTPDigestAuth("user", "password")
    challenge = b'WWW-Authenticate: Digest realm="r", nonce="n", qop="auth"\r\n'
    first = Send(b"HTTP/1.1 401 No\r\nContent-Length: 0\r\nConnection: close\r\n" + challenge + b"\r\n")
    with FaultyServer(Script((first, Close()))) as server, pytest.raises(FetchError, match="no route"):
        fetch(server.url, session)


@pytest.mark.parametrize("length", [None, len(FEED), len(FEED) + 1])
def test_an_adapter_that_is_not_urllib3s_is_used_as_it_is(
    session: requests.Session, length: int | None
) -> None:
    class Canned(requests.adapters.BaseAdapter):
        def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:  # type: ignore[override]
            response = requests.Response()
            response.status_code = 200
            response.url = request.url or ""
            response.request = request
            response.headers["Content-Type"] = "text/xml"
            if length is not None:
                response.headers["Content-Length"] = str(length)
            response.raw = _Plain(FEED)
            return response

        def close(self) -> None:
            pass

    session.mount("http://", Canned())
    with open_url("http://feeds.example/", session=session) as body:
        if length == len(FEED) + 1:
            with pytest.raises(TruncatedBody) as caught:
                body.readall()
            assert caught.value.partial == FEED
        else:
            assert (body.readall(), body.content_type) == (FEED, "text/xml")


class _Plain:
    """A raw body that is no urllib3 response."""

    def __init__(self, octets: bytes) -> None:
        self._octets = octets

    def read(self, size: int) -> bytes:
        found, self._octets = self._octets[:size], self._octets[size:]
        return found

    def close(self) -> None:
        pass


def test_an_address_of_ones_own_is_kept(session: requests.Session) -> None:
    class Bound(HTTPAdapter):
        def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
            super().init_poolmanager(*args, source_address=("127.0.0.2", 0), **kwargs)

    session.mount("http://", Bound())
    with FaultyServer(SCRIPTS["http-1.1-close-delimited"]) as server:
        assert fetch(server.url, session) == FEED
    assert server.clients == ["127.0.0.2"]


@pytest.mark.parametrize("wrong", [object(), "session", 7])
def test_what_is_no_session_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"requests\.Session"):
        open_url("http://feeds.example/", session=wrong)


@pytest.mark.parametrize("kind", [TimeoutError, OSError, ValueError, StopIteration])
@pytest.mark.parametrize("as_urllib3", ["", "caused", "with its place"])
def test_the_error_of_a_signal_handler_is_the_callers(kind: type[Exception], as_urllib3: str) -> None:
    """A time limit of the caller's own: urllib3 takes a TimeoutError for one of the socket."""

    def stop(number: int, frame: object) -> None:
        raise kind("of the caller")

    def pieces() -> Iterator[bytes]:
        try:
            signal.raise_signal(signal.SIGINT)
        except (OSError, ValueError) as error:
            if as_urllib3 == "caused":
                raise ReadTimeoutError(HTTPConnectionPool("a.example"), "/", "Read timed out.") from error
            if as_urllib3:
                raise ProtocolError("Connection aborted.", error).with_traceback(
                    error.__traceback__
                ) from None
            raise
        yield b""

    before = signal.signal(signal.SIGINT, stop)
    try:
        with pytest.raises(kind, match="of the caller") as caught:
            Deadline(Limits(), "http://a.example/").bounded(lambda: next(pieces()))
    finally:
        signal.signal(signal.SIGINT, before)
    assert caught.type is kind


class TestCaches:
    """A caching session reads the body itself."""

    @pytest.fixture(params=["requests-cache", "CacheControl"])
    def cached(self, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[requests.Session]:
        if request.param == "requests-cache":
            caching = pytest.importorskip("requests_cache")
            session = caching.CachedSession(backend="memory", expire_after=60)
        else:
            caching = pytest.importorskip("cachecontrol")
            session = caching.CacheControl(requests.Session())
        with session:
            yield session

    @pytest.mark.parametrize("packed", [False, True])
    def test_the_second_time_comes_from_the_cache(self, cached: requests.Session, packed: bool) -> None:
        now = f"Date: {formatdate(usegmt=True)}"
        lines = ["Content-Type: application/xml", "Cache-Control: max-age=60", now]
        lines += ["Content-Encoding: gzip"] if packed else []
        body = gzip.compress(FEED) if packed else FEED
        head = "\r\n".join(["HTTP/1.1 200 OK", *lines, f"Content-Length: {len(body)}", "", ""]).encode()
        with FaultyServer(Script((Send(head + body), Close()))) as server:
            for _ in range(3):
                with open_url(server.url, session=cached, limits=CALM) as opened:
                    assert (opened.readall(), opened.content_type) == (FEED, "application/xml")
            cached.close()
        assert len(server.requests) == 1

    @pytest.mark.parametrize(
        ("codec", "content_type"),
        [
            *product(("utf-8", "cp1251", "latin-1"), ("text/xml", "application/xml")),
            ("cp1251", "text/xml; charset=windows-1251"),  # what a false one destroys is lost
        ],
    )
    @pytest.mark.parametrize("hooked", [False, True])
    def test_a_cache_that_keeps_text(
        self, hooked: bool, codec: str, content_type: str, tmp_path: Path
    ) -> None:
        """requests reads text/xml without a charset as ISO-8859-1, and such a cache gives that in UTF-8."""
        caching = pytest.importorskip("requests_cache")
        label = {"cp1251": "windows-1251", "latin-1": "ISO-8859-1"}.get(codec, codec)
        text = "Caf\xe9 \xff" if codec == "latin-1" else "Погода сегодня"
        body = f"<?xml version='1.0' encoding='{label}'?>\r\n<rss>{text}</rss>".encode(codec)
        fields = f"Content-Type: {content_type}\r\nContent-Length: {len(body)}\r\nConnection: close"
        head = f"HTTP/1.1 200 OK\r\n{fields}\r\n\r\n".encode()
        with caching.CachedSession(str(tmp_path), backend="filesystem", expire_after=60) as session:
            if hooked:
                session.hooks["response"].append(use_feedcharset)
            with FaultyServer(Script((Send(head + body), Close()))) as server:
                expected = decode(body).text
                for _ in range(3):
                    with XmlReader(server.url, session=session) as reader:
                        assert reader.read() == expected
                with XmlReader(session.get(server.url)) as reader:
                    assert reader.read() == expected
            assert len(server.requests) == 1

    @pytest.mark.parametrize("named", [False, True])
    @pytest.mark.parametrize("packed", [False, True])
    def test_what_a_304_confirms_is_read(self, cached: requests.Session, packed: bool, named: bool) -> None:
        """It is stored without its coding; CacheControl would store the field of the 304 with it."""
        lines = ["Content-Type: text/xml", 'ETag: "7"', "Cache-Control: no-cache", "Connection: close"]
        lines += ["Content-Encoding: gzip"] if packed else []
        body = gzip.compress(FEED) if packed else FEED
        head = "\r\n".join(["HTTP/1.1 200 OK", *lines, f"Content-Length: {len(body)}", "", ""]).encode()
        coding = b"Content-Encoding: gzip\r\n" * (named and packed)
        unchanged = b'HTTP/1.1 304 Not Modified\r\nETag: "7"\r\n%bConnection: close\r\n\r\n' % coding
        with FaultyServer(Script((Send(head + body), Close()))) as server:
            for _ in range(3):
                with XmlReader(server.url, session=cached, declaration="keep") as reader:
                    assert (reader.utf8().read(), reader.repairs.kinds) == (FEED, ())
                server.script = Script((Send(unchanged), Close()))
            response = cached.get(server.url, stream=True)
            with XmlReader(response, declaration="keep") as reader:
                assert reader.utf8().read() == FEED
            cached.close()

    @pytest.mark.parametrize("script", ["no-content-chunked", "no-content-in-sdch", "empty-in-sdch"])
    def test_an_answer_without_a_body(self, cached: requests.Session, script: str) -> None:
        with FaultyServer(SCRIPTS[script]) as server:
            assert fetch(server.url, cached) == b""
            cached.close()

    # Both caches leave what a broken body holds to the garbage collector: a file, or the connection. As an
    # error, the warning would keep the response, and the connection open.
    @pytest.mark.sampled(3)
    @pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
    @pytest.mark.parametrize(
        ("script", "error", "limit"),
        [
            ("gzip-bomb", TooLarge, "ratio"),
            ("gzip-truncated", TruncatedBody, None),
            ("gzip-nested", FetchError, None),
            ("transfer-encoding-unknown", FetchError, None),
            ("transfer-encoding-gzip", FetchError, None),
            ("length-too-long", TruncatedBody, None),
            ("endless-chunked", TooLarge, "wire"),
            ("dripping-body", DeadlineExceeded, "total"),
        ],
    )
    def test_the_limits_bind_what_the_cache_reads(
        self, cached: requests.Session, script: str, error: type[FetchError], limit: str | None
    ) -> None:
        with FaultyServer(SCRIPTS[script]) as server:
            for _ in range(2):  # and nothing of it was kept
                with pytest.raises(error) as caught:
                    fetch(server.url, cached, limits_for(limit))
                assert (type(caught.value), caught.value.limit) == (error, limit)
            del caught
            cached.close()
            gc.collect()
        assert len(server.requests) == 2
        assert server.left_open == 0
