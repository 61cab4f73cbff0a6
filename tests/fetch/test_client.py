"""`open_url` and `open_response`: what is sent, what comes back, and how the stream behaves."""

from __future__ import annotations

import gc
import io
import pickle
import socket
import ssl
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import requests
import responses
from support.faults import FEED, SCRIPTS
from support.faulty_server import Close, Endless, FaultyServer, Script, Send, Silence, Step
from support.local_server import LocalServer, Row
from support.network import FakeNetwork, replaced
from support.time_limits import CALM, limits_for
from urllib3.exceptions import InsecureRequestWarning

from feedcharset import XmlReader, __version__
from feedcharset.errors import (
    DeadlineExceeded,
    FeedcharsetError,
    FetchError,
    HTTPStatusError,
    TooLarge,
    TruncatedBody,
)
from feedcharset.fetch.client import FetchedBody, open_response, open_url
from feedcharset.fetch.deadline import Deadline, TimedResponse
from feedcharset.fetch.limits import Limits
from feedcharset.fetch.urls import user_agent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The clock of the limits: it goes on only where a test sets `now`."""
    clock = SimpleNamespace(now=100.0)
    for module in ("deadline", "connection"):
        scripted = SimpleNamespace(monotonic=lambda: clock.now)
        monkeypatch.setattr(f"feedcharset.fetch.{module}.time", scripted)
    return clock


class TestUserAgent:
    def test_it_is_name_version_and_contact(self) -> None:
        assert user_agent() == f"feedcharset/{__version__}"
        assert user_agent("mailto:a@b.example") == f"feedcharset/{__version__} (+mailto:a@b.example)"

    @pytest.mark.parametrize("contact", ["", "a b", "a\r\nX: y", "(a)", "a\\", "é", "\x7f", "a" * 201])
    def test_no_contact_can_end_the_field(self, contact: str) -> None:
        with pytest.raises(ValueError, match="pass a URL or an e-mail address"):
            user_agent(contact)


class TestRequest:
    def test_it_says_who_asks_and_what_for(self) -> None:
        with FaultyServer(SCRIPTS["honest"]) as server:
            open_url(server.url).close()
        fields = server.requests[0].decode().split("\r\n")
        assert fields[0] == "GET /feed HTTP/1.1"
        assert f"User-Agent: feedcharset/{__version__}" in fields
        assert "Accept-Encoding: gzip, deflate" in fields
        assert "Connection: close" in fields
        (accept,) = [field for field in fields if field.startswith("Accept: ")]
        assert accept.startswith("Accept: application/atom+xml, application/rss+xml")
        assert accept.endswith("*/*;q=0.1")

    def test_headers_of_the_caller_go_first(self) -> None:
        with FaultyServer(SCRIPTS["honest"]) as server:
            open_url(server.url, headers={"user-agent": "crawler/1", "X-Mine": "1"}).close()
        assert b"crawler/1\r\n" in server.requests[0]
        assert b"feedcharset" not in server.requests[0]
        assert b"X-Mine: 1\r\n" in server.requests[0]

    def test_conditional_get(self) -> None:
        with FaultyServer(SCRIPTS["not-modified"]) as server, pytest.raises(HTTPStatusError) as caught:
            open_url(server.url, headers={"If-None-Match": '"7"'})
        assert b'If-None-Match: "7"\r\n' in server.requests[0]
        assert caught.value.status == 304
        assert caught.value.headers["etag"] == '"7"'
        assert "use your stored copy" in str(caught.value)

    def test_userinfo_is_sent_as_credentials(self) -> None:
        with FaultyServer(SCRIPTS["honest"]) as server:
            body = open_url(server.url.replace("//", "//üser:secret@"))
            assert body.url == server.url
            body.close()
        assert b"Authorization: Basic w7xzZXI6c2VjcmV0\r\n" in server.requests[0]

    def test_an_authorization_of_the_caller_is_not_replaced_by_netrc(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        netrc = tmp_path / "netrc"
        netrc.write_text("machine 127.0.0.1 login user password secret\n")
        monkeypatch.setenv("NETRC", str(netrc))
        with FaultyServer(SCRIPTS["honest"]) as server:
            open_url(server.url, headers={"Authorization": "Bearer mine"}).close()
            open_url(server.url).close()
        assert b"Authorization: Bearer mine\r\n" in server.requests[0]
        assert b"Authorization: Basic " in server.requests[1]

    def test_a_netrc_file_that_is_damaged_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "netrc").write_bytes(b"machine \xff")
        monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
        with FaultyServer(SCRIPTS["honest"]) as server, pytest.raises(FetchError, match="netrc") as caught:
            open_url(server.url)
        assert "NETRC" in caught.value.advice


class TestRedirects:
    """Credentials do not go to another host, by whatever way they came."""

    HEAD = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nSet-Cookie: own=1\r\nLocation: "

    def follow(self, location: str, session: requests.Session | None, **more: Any) -> tuple[bytes, bytes]:
        """Get a URL of feeds.example that redirects; the first request and the one at its end."""
        first = Script((Send(self.HEAD + location.encode() + b"\r\n\r\n"), Close()))
        with FaultyServer(first) as before, FaultyServer(SCRIPTS["http-1.1-close-delimited"]) as after:
            network = FakeNetwork({}, before.port)
            ports = {"93.184.216.34": before.port, "93.184.216.35": after.port}
            names = {"feeds.example": "93.184.216.34", "other.example": "93.184.216.35"}

            def resolve(host: str, port: int, **kwargs: Any) -> list[Any]:
                address = "93.184.216.35" if port == 8080 else names[host]
                return network.resolve(address, port, **kwargs)

            def connect(sock: Any, address: Any) -> None:
                network.connect_to(sock, ports[address[0]])

            url = "http://feeds.example/?a=b"
            with (
                replaced(resolve, connect),
                open_url(url, session=session, headers=more or None, limits=CALM) as body,
            ):
                assert body.readall() == FEED
            if session is not None:
                session.close()  # it keeps the first connection, and the server waits for its end
        return before.requests[0], after.requests[0]

    @pytest.fixture
    def session(self) -> Iterator[requests.Session]:
        with requests.Session() as session:
            session.auth = ("user", "secret")
            session.headers["X-Api-Key"] = "secret"
            session.params = {"key": "secret"}
            session.cookies.set("anywhere", "secret")
            session.cookies.set("theirs", "1", domain="other.example")
            yield session

    def test_a_session_keeps_its_secrets(self, session: requests.Session) -> None:
        before, after = self.follow("http://other.example/x", session)
        assert b"key=secret" in before
        assert b"X-Api-Key: secret" in before
        assert b"Authorization: Basic" in before
        assert b"anywhere=secret" in before
        assert b"secret" not in after
        assert b"Authorization" not in after
        assert b"Cookie: theirs=1\r\n" in after

    def test_what_a_class_of_sessions_adds_to_its_requests_is_kept(self) -> None:
        """requests prepares a redirect by itself, too."""

        class Api(requests.Session):
            def prepare_request(self, request: requests.Request) -> requests.PreparedRequest:
                prepared = super().prepare_request(request)
                prepared.headers["Authorization"] = "Bearer secret"
                prepared.prepare_url(prepared.url, {"key": "secret"})
                return prepared

            def request(self, method: Any, url: Any, *args: Any, **options: Any) -> requests.Response:
                options["headers"] = {**options["headers"], "X-Api-Key": "secret"}
                return super().request(method, url, *args, **options)

        with Api() as session:
            before, after = self.follow("http://other.example/x", session)
        assert before.count(b"secret") == 3
        assert b"secret" not in after
        assert after.startswith(b"GET /x HTTP/1.1\r\n")

    def test_any_mapping_of_parameters_is_kept(self, session: requests.Session) -> None:
        session.params = requests.structures.CaseInsensitiveDict(key="secret")
        before, after = self.follow("http://other.example/x", session)
        assert b"key=secret" in before
        assert b"secret" not in after

    def test_a_client_certificate_is_kept(self) -> None:
        seen: list[Any] = []

        class Adapter(requests.adapters.HTTPAdapter):
            def send(self, *args: Any, cert: Any = None, **options: Any) -> requests.Response:
                seen.append(cert)
                return super().send(*args, **options)

        # The servers wait until their connections are closed: those of a session are when it is closed and
        # no response of it is left (urllib3).
        with FaultyServer(SCRIPTS["honest"]) as other:
            there = Send(
                b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: %b\r\n\r\n" % other.url.encode()
            )
            with FaultyServer(Script((there,))) as first, requests.Session() as session:
                session.cert = ("certificate.pem", "key.pem")
                session.mount("http://", Adapter())
                with open_url(first.url, session=session) as body:
                    assert body.readall() == FEED
                del body
        assert seen == [("certificate.pem", "key.pem"), ""]

    def test_a_response_that_an_adapter_built_has_no_stream(self) -> None:
        class Adapter(requests.adapters.BaseAdapter):
            def send(self, request: Any, *args: Any, **options: Any) -> requests.Response:
                response = requests.Response()
                response.status_code, response.url, response._content = 200, request.url, FEED
                return response

            def close(self) -> None:
                pass

        with requests.Session() as session:
            session.mount("http://", Adapter())
            with open_url("http://feeds.example/", session=session) as body:
                assert body.readall() == FEED

    def test_another_port_is_another_origin(self, session: requests.Session) -> None:
        _, after = self.follow("http://feeds.example:8080/x", session)
        assert b"secret" not in after
        assert b"Authorization" not in after
        assert b"Cookie: own=1\r\n" in after  # cookies know no ports (RFC 6265 section 8.5)

    def test_headers_of_the_caller_that_may_be_secrets_stay(self) -> None:
        before, after = self.follow(
            "http://other.example/x",
            None,
            **{
                "Authorization": "Bearer secret",
                "X-Key": "secret",
                "Cookie": "a=secret",
                "Proxy-Authorization": "secret",
                "Host": "secret.example",
                "Referer": "https://feeds.example/?token=secret",
                "ACCEPT": "text/xml",
                "If-None-Match": '"7"',
            },
        )
        assert before.count(b"secret") == 6
        assert b"secret" not in after
        assert b"ACCEPT: text/xml\r\n" in after
        assert b'If-None-Match: "7"\r\n' in after
        assert b"own=1" not in after

    def test_on_the_same_origin_they_go_along(self) -> None:
        seen = Script((Send(self.HEAD + b"/{hop}\r\n\r\n"), Close()))
        with FaultyServer(seen) as server, pytest.raises(FetchError):
            open_url(server.url.replace("//", "//user:secret@"), headers={"X-Key": "k"}, limits=CALM)
        assert len(server.requests) == 6
        assert all(
            b"Authorization: Basic" in request and b"X-Key: k" in request for request in server.requests
        )
        assert b"Cookie: own=1\r\n" in server.requests[1]


class TestPlain:
    """The plain cases, over the library `responses`."""

    @responses.activate
    def test_a_feed(self) -> None:
        responses.get("https://feeds.example/feed", FEED, content_type="application/rss+xml")
        with open_url("https://feeds.example/feed") as body:
            assert body.readall() == FEED
        assert (body.status, body.content_type) == (200, "application/rss+xml")
        assert body.url == "https://feeds.example/feed"
        assert body.headers["content-TYPE"] == "application/rss+xml"

    @responses.activate
    def test_a_redirect(self) -> None:
        responses.get("http://feeds.example/", status=301, headers={"Location": "https://feeds.example/feed"})
        responses.get("https://feeds.example/feed", FEED)
        with open_url("http://feeds.example/") as body:
            assert (body.url, body.readall()) == ("https://feeds.example/feed", FEED)

    @responses.activate
    @pytest.mark.parametrize("status", [304, 400, 401, 404, 410, 429, 500, 503])
    def test_a_status(self, status: int) -> None:
        responses.get("https://feeds.example/", "no such feed", status=status, headers={"Retry-After": "7"})
        with pytest.raises(HTTPStatusError, match=f"HTTP {status} ") as caught:
            open_url("https://feeds.example/")
        error = caught.value
        assert (error.status, error.excerpt, error.url) == (status, "no such feed", "https://feeds.example/")
        assert error.headers["retry-after"] == "7"

    @responses.activate
    def test_a_refusal(self) -> None:
        with pytest.raises(FetchError):
            open_url("https://nobody.example/")

    @responses.activate
    def test_a_limit(self) -> None:
        responses.get("https://feeds.example/", FEED)
        with pytest.raises(TooLarge, match=r"Limits\(wire=\.\.\.\)") as caught:
            open_url("https://feeds.example/", limits=Limits(wire=10)).readall()
        assert caught.value.limit == "wire"


class TestStream:
    def test_it_is_a_binary_stream(self) -> None:
        with FaultyServer(SCRIPTS["honest-chunked"]) as server, open_url(server.url) as body:
            assert isinstance(body, io.RawIOBase)
            assert (body.readable(), body.writable(), body.seekable()) == (True, False, False)
            assert body.read(0) == b""
            assert body.read(5) == FEED[:5]
            buffer = bytearray(7)
            assert body.readinto(buffer) == 7
            assert buffer == FEED[5:12]
            assert body.read() == FEED[12:]
            assert body.read() == b""
            assert body.readinto(buffer) == 0

    def test_it_reads_through_a_buffer(self) -> None:
        with FaultyServer(SCRIPTS["gzip-chunked"]) as server:
            buffered = io.BufferedReader(open_url(server.url), 7)
            assert b"".join(iter(lambda: buffered.read(3), b"")) == FEED
            buffered.close()

    def test_a_closed_one_is_a_closed_file(self) -> None:
        with FaultyServer(SCRIPTS["honest"]) as server:
            body = open_url(server.url)
            body.close()
            body.close()
        assert body.closed
        with pytest.raises(ValueError, match="closed"):
            body.read()
        with pytest.raises(ValueError, match="closed"):
            body.readinto(bytearray(3))

    def test_a_failure_stays(self) -> None:
        with FaultyServer(SCRIPTS["length-too-long"]) as server, open_url(server.url) as body:
            assert body.read(10) == FEED[:10]
            for _ in range(2):
                with pytest.raises(TruncatedBody) as caught:
                    body.readall()
                assert caught.value.partial == FEED
                assert caught.value.url == server.url

    def test_the_connection_ends_with_the_document(self) -> None:
        with FaultyServer(SCRIPTS["honest"]) as server:
            body = open_url(server.url)
            body.readall()
        assert server.left_open == 0
        body.close()

    def test_one_that_is_lost_closes_its_connection(self) -> None:
        with FaultyServer(SCRIPTS["endless-body"]) as server:
            open_url(server.url).read(10)
            gc.collect()
        assert server.left_open == 0

    def test_the_time_of_the_caller_does_not_count(self, monkeypatch: pytest.MonkeyPatch) -> None:
        passed = [0.0]
        clock = SimpleNamespace(monotonic=lambda: time.monotonic() + passed[0])
        monkeypatch.setattr("feedcharset.fetch.deadline.time", clock)
        with FaultyServer(SCRIPTS["slow-but-honest"]) as server:
            body = open_url(server.url, limits=CALM)
            first = body.read(1)
            passed[0] = 1000.0  # seconds of the caller, between two reads
            assert first + body.readall() == FEED

    def test_what_is_kept_for_the_error_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("feedcharset.fetch.gunzip.PARTIAL_LIMIT", 1000)
        with FaultyServer(SCRIPTS["endless-body"]) as server, pytest.raises(TooLarge) as caught:
            open_url(server.url).readall()
        assert len(caught.value.partial) == 1000

    @pytest.mark.parametrize("script", ["not-found", "length-too-long", "redirect-circle"])
    def test_errors_pickle(self, script: str) -> None:
        with FaultyServer(SCRIPTS[script]) as server, pytest.raises(FetchError) as caught:
            open_url(server.url).readall()
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is type(caught.value)
        assert str(again) == str(caught.value)
        assert (again.url, again.partial, again.limit) == (
            caught.value.url,
            caught.value.partial,
            caught.value.limit,
        )

    def test_nothing_of_a_fetch_waits_for_the_garbage_collector(self) -> None:
        def alive() -> list[object]:
            return [
                found
                for found in gc.get_objects()
                if isinstance(found, (FetchedBody, Deadline, TimedResponse))
            ]

        gc.collect()
        gc.disable()
        try:
            others = alive()  # of other tests, whose threads have not ended
            with FaultyServer(SCRIPTS["honest"]) as server:
                open_url(server.url).readall()
            assert [found for found in alive() if all(found is not other for other in others)] == []
        finally:
            gc.enable()


class TestTime:
    def test_a_resolver_that_does_not_answer(self) -> None:
        over = threading.Event()

        def never(*args: Any, **kwargs: Any) -> list[Any]:
            over.wait(60)
            return []

        with pytest.raises(DeadlineExceeded) as caught, replaced(never):
            open_url("http://feeds.example/", limits=Limits(connect=0.2))
        assert caught.value.limit == "connect"
        assert not over.is_set()  # the resolver had not answered
        over.set()

    @pytest.mark.parametrize(
        ("limits", "name"), [(Limits(connect=0.2), "connect"), (Limits(total=0.2), "total")]
    )
    def test_addresses_share_the_time(self, limits: Limits, name: str, clock: SimpleNamespace) -> None:
        tried: list[float | None] = []

        def hang(sock: Any, address: Any) -> None:
            tried.append(sock.gettimeout())
            clock.now += sock.gettimeout()
            raise TimeoutError

        network = FakeNetwork({"feeds.example": ("93.184.216.34 93.184.216.35 93.184.216.36",)}, 9)
        with pytest.raises(DeadlineExceeded) as caught, replaced(network.resolve, hang):
            open_url("http://feeds.example/", limits=limits)
        assert caught.value.limit == name
        assert sum(timeout or 0 for timeout in tried) == pytest.approx(0.2)
        assert len(tried) == 3

    @pytest.mark.parametrize("public_only", [False, True])
    @pytest.mark.parametrize("name", ["connect", "total"])
    def test_many_addresses_that_refuse_have_no_more_time(
        self, name: str, public_only: bool, clock: SimpleNamespace
    ) -> None:
        def refuse(sock: Any, address: Any) -> None:
            clock.now += 0.05  # there and back; no single attempt is slow
            raise ConnectionRefusedError(111, "Connection refused")

        network = FakeNetwork({"feeds.example": ("93.184.216.34 " * 400,)}, 9)
        limits = Limits(public_only=public_only)._replace(**{name: 2})
        with pytest.raises(DeadlineExceeded) as caught, replaced(network.resolve, refuse):
            open_url("http://feeds.example/", limits=limits)
        assert caught.value.limit == name
        assert clock.now == pytest.approx(102, abs=0.1)

    def test_the_next_address_is_tried(self) -> None:
        with FaultyServer(SCRIPTS["honest"]) as server:
            network = FakeNetwork({"feeds.example": ("93.184.216.34 93.184.216.35",)}, server.port)

            def connect(sock: Any, address: Any) -> None:
                if address[0] == "93.184.216.34":
                    raise ConnectionRefusedError(111, "Connection refused")
                network.connect(sock, address)

            with replaced(network.resolve, connect), open_url("http://feeds.example/", limits=CALM) as body:
                assert body.readall() == FEED

    def test_a_name_that_does_not_exist(self) -> None:
        network = FakeNetwork({}, 9)
        with pytest.raises(FetchError, match="could not be fetched"), replaced(network.resolve):
            open_url("http://feeds.example/", limits=CALM)
        with pytest.raises(FetchError, match="could not be fetched"):
            open_url(f"http://{'a' * 64}.example/", limits=CALM)

    def test_every_limit_can_be_lifted(self) -> None:
        lifted = Limits(
            connect=None,
            read=None,
            total=None,
            wire=None,
            decoded=None,
            ratio=None,
            redirects=None,
            header=None,
        )
        with FaultyServer(SCRIPTS["gzip-bomb"]) as server:
            assert len(open_url(server.url, limits=lifted).readall()) == 8 << 20


def relay_all(listening: socket.socket, tls: ssl.SSLContext | None, port: int) -> None:
    """A proxy that opens tunnels to one port."""
    while True:
        try:
            client, _ = listening.accept()
        except OSError:
            return
        threading.Thread(target=_relay, args=(client, tls, port), daemon=True).start()


def _relay(client: socket.socket, tls: ssl.SSLContext | None, port: int) -> None:
    with suppress(OSError):
        client = tls.wrap_socket(client, server_side=True) if tls else client
        with client, socket.create_connection(("127.0.0.1", port)) as server:
            client.recv(65536)
            client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            threading.Thread(target=_pump, args=(client, server), daemon=True).start()
            _pump(server, client)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


class TestTls:
    @pytest.fixture
    def tls(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
        trustme = pytest.importorskip("trustme")
        authority = trustme.CA()
        bundle = tmp_path / "ca.pem"
        authority.cert_pem.write_to_path(bundle)
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(bundle))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("127.0.0.1").configure_cert(context)
        return context

    @pytest.fixture
    def shutting(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """The threads that shut down a connection, where no timeout ends a wait, and data seem to come."""
        names: list[str] = []
        shutdown, settimeout = socket.socket.shutdown, socket.socket.settimeout

        def named(sock: socket.socket, how: int) -> None:
            names.append(threading.current_thread().name)
            shutdown(sock, how)

        def longer(sock: socket.socket, seconds: float | None) -> None:
            settimeout(sock, 20 if seconds else seconds)

        monkeypatch.setattr(socket.socket, "shutdown", named)
        monkeypatch.setattr(socket.socket, "settimeout", longer)
        monkeypatch.setattr("feedcharset.fetch.deadline.wait_for_read", lambda *_: True)
        return names

    @pytest.mark.parametrize(
        ("scheme", "host", "trusted", "advice"),
        [
            ("https", "127.0.0.1", False, "correct the certificates"),
            ("https", "localhost", True, "check the URL"),
            ("http", "127.0.0.1", True, "check the URL"),
        ],
    )
    def test_advice(
        self, tls: Any, scheme: str, host: str, trusted: bool, advice: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An authority that is unknown here; a certificate of another host; a server without TLS."""
        if not trusted:
            monkeypatch.delenv("REQUESTS_CA_BUNDLE")
        refused = Script((Send(b"HTTP/1.0 400 Bad Request\r\n\r\n"), Close()), at_accept=True)
        with FaultyServer(refused, tls if scheme == "https" else None) as server:
            url = f"https://{host}:{server.port}/"
            with pytest.raises(FetchError) as caught:
                open_url(url)
        assert caught.value.advice.startswith(advice)

    @pytest.mark.sampled(3)
    @pytest.mark.parametrize(
        ("script", "error", "limit"),
        [
            ("dripping-header", DeadlineExceeded, "total"),
            ("dripping-body", DeadlineExceeded, "total"),
            ("silent-in-body", DeadlineExceeded, "read"),
            ("length-too-long", TruncatedBody, None),
            ("reset-in-body", TruncatedBody, None),
            ("gzip-bomb", TooLarge, "ratio"),
            ("not-found", HTTPStatusError, None),
        ],
    )
    def test_faults_end_in_time(
        self, tls: Any, script: str, error: type[FetchError], limit: str | None
    ) -> None:
        with FaultyServer(SCRIPTS[script], tls) as server, pytest.raises(error) as caught:
            open_url(server.url, limits=limits_for(limit)).readall()
        assert (type(caught.value), caught.value.limit) == (error, limit)
        assert server.left_open == 0

    @pytest.mark.sampled(3)
    @pytest.mark.parametrize(
        ("script", "name"),
        [
            ("silent-at-accept", "URL"),
            ("silent-in-header", "URL"),
            ("silent-in-body", "URL"),
            ("silent-in-body", "response"),
        ],
    )
    def test_a_read_that_no_timeout_ends_is_ended(
        self, tls: Any, script: str, name: str, shutting: list[str]
    ) -> None:
        """A server sends session tickets without end, or HelloRequests in the handshake: OpenSSL reads them,
        and returns when data comes."""
        in_handshake = script == "silent-at-accept"
        limits = CALM._replace(**{"connect" if in_handshake else "total": 0.5, "read": None})
        with FaultyServer(SCRIPTS[script], None if in_handshake else tls) as server:
            source = (
                f"https://127.0.0.1:{server.port}" if name == "URL" else requests.get(server.url, stream=True)
            )
            with pytest.raises(DeadlineExceeded) as caught, XmlReader(source, limits=limits) as reader:
                reader.read()
        assert caught.value.limit == ("connect" if in_handshake else "total")
        assert "feedcharset-deadline" in shutting
        if isinstance(source, requests.Response):
            source.close()

    @pytest.mark.sampled(2)
    @pytest.mark.parametrize("where", ["handshake", "body"])
    def test_a_read_within_the_tls_of_a_proxy_is_ended(
        self, tls: Any, where: str, shutting: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same, behind the answer of an https proxy, or of a server behind it."""
        answer = Script((Send(b"HTTP/1.1 200 OK\r\n\r\n"), Silence()))
        with (
            FaultyServer(answer if where == "handshake" else SCRIPTS["silent-in-body"], tls) as server,
            socket.create_server(("127.0.0.1", 0)) as listening,
        ):
            threading.Thread(target=relay_all, args=(listening, tls, server.port), daemon=True).start()
            port = server.port if where == "handshake" else listening.getsockname()[1]
            monkeypatch.setenv("https_proxy", f"https://127.0.0.1:{port}")
            monkeypatch.setenv("no_proxy", "")
            with pytest.raises(DeadlineExceeded) as caught:
                open_url(server.url, limits=CALM._replace(total=0.5, read=None, connect=None)).readall()
        assert caught.value.limit == "total"
        assert "feedcharset-deadline" in shutting

    def test_a_connection_that_has_more_than_the_answer_is_not_used_again(self, tls: Any) -> None:
        """What has arrived in TLS would be read as the next answer; a socket without TLS is looked at."""
        answer = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n<a/>".ljust(12_000, b"x")
        with FaultyServer(Script((Send(answer),)), tls) as server, requests.Session() as session:
            for _ in range(3):
                with open_url(server.url, session=session) as body:
                    assert body.readall() == b"<a/>"

    def test_what_watches_a_read_ends_with_it(self, tls: Any) -> None:
        before = set(threading.enumerate())
        with FaultyServer(SCRIPTS["silent-in-body"], tls) as server:
            body = open_url(server.url)
            (watch,) = (
                thread
                for thread in set(threading.enumerate()) - before
                if thread.name == "feedcharset-deadline"
            )
            body.close()
            watch.join(20)
            assert not watch.is_alive()

    @pytest.mark.sampled(3)
    @pytest.mark.parametrize(
        ("script", "error", "limit"),
        [
            ("dripping-header", DeadlineExceeded, "total"),
            ("silent-in-header", DeadlineExceeded, "read"),
            ("huge-header", TooLarge, "header"),
            ("not-found", FetchError, None),
            ("reset-after-request", FetchError, None),
        ],
    )
    def test_a_proxy_on_the_way(
        self, script: str, error: type[FetchError], limit: str | None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with FaultyServer(SCRIPTS[script]) as proxy:
            monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.port}")
            with pytest.raises(error) as caught:
                open_url("https://feeds.example/", limits=limits_for(limit))
        assert (type(caught.value), caught.value.limit) == (error, limit)
        assert proxy.requests[0].startswith(b"CONNECT feeds.example:443 HTTP/1.")
        assert proxy.left_open == 0

    @pytest.mark.sampled(6)
    @pytest.mark.parametrize("scheme", ["http", "https"])
    @pytest.mark.parametrize("limit", ["connect", "total", "read"])
    @pytest.mark.parametrize("behind", ["answer", "handshake"])
    def test_the_time_to_connect_through_a_proxy(
        self, tls: Any, scheme: str, limit: str, behind: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The answer of the proxy, and TLS behind it. `read` is for a proxy that sends nothing."""
        steps: list[Step] = [Send(b"HTTP/1.1 200 OK\r\n")]
        if behind == "handshake":  # a record of 16 KiB, not together with the answer
            steps += [Send(b"\r\n"), Silence(0.1), Send(b"\x16\x03\x03\x40\0\x02\0\x3f\xfc\x03\x03")]
        script = Script((*steps, Silence() if limit == "read" else Endless(b"\0", 0.05)))
        # TLS behind a proxy without TLS is one wait for the socket, within `connect`.
        wanted = "connect" if (limit, behind, scheme) == ("read", "handshake", "http") else limit
        limits = CALM._replace(connect=None) if limit == "total" else CALM
        with FaultyServer(script, tls if scheme == "https" else None) as proxy:
            monkeypatch.setenv("https_proxy", f"{scheme}://127.0.0.1:{proxy.port}")
            with pytest.raises(DeadlineExceeded) as caught:
                open_url("https://feeds.example/", limits=limits._replace(**{wanted: 0.7}))
        assert caught.value.limit == wanted
        assert proxy.left_open == 0

    @pytest.mark.sampled(3)
    @pytest.mark.parametrize("own_session", [False, True])
    @pytest.mark.parametrize("scheme", ["http", "https"])
    def test_feeds_through_a_proxy(
        self, tls: Any, scheme: str, own_session: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with (
            FaultyServer(SCRIPTS["gzip-chunked"], tls) as server,
            socket.create_server(("127.0.0.1", 0)) as listening,
            requests.Session() as session,
        ):
            relay = (listening, tls if scheme == "https" else None, server.port)
            threading.Thread(target=relay_all, args=relay, daemon=True).start()
            monkeypatch.setenv("https_proxy", f"{scheme}://127.0.0.1:{listening.getsockname()[1]}")
            monkeypatch.delenv("no_proxy", raising=False)
            monkeypatch.delenv("NO_PROXY", raising=False)
            # The server answers once on each connection. One within TLS of a proxy is not kept.
            for _ in range(1 if own_session and scheme == "http" else 2):
                opened = open_url(server.url, session=session if own_session else None, limits=CALM)
                with opened as body:
                    body.waits(0)
                    assert body.readall() == FEED
                assert server.requests
            del opened, body
            session.adapters.clear()  # with the pools, which keep their connections
            gc.collect()

    def test_the_certificate_of_a_proxy_counts_for_http(
        self, tls: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """requests verifies it for https URLs alone, and sends the password of the proxy to anybody."""
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        with FaultyServer(SCRIPTS["honest"], tls) as proxy, requests.Session() as session:
            monkeypatch.setenv("http_proxy", f"https://user:secret@127.0.0.1:{proxy.port}")
            assert open_url("http://feeds.example/", limits=CALM).readall() == FEED
            monkeypatch.delenv("REQUESTS_CA_BUNDLE")
            with pytest.raises(FetchError, match="certificate") as caught:
                open_url("http://feeds.example/", limits=CALM)
            assert "secret" not in str(caught.value)
            assert len([one for one in proxy.requests if b"Proxy-Authorization: " in one]) == 1
            with pytest.warns(InsecureRequestWarning):
                open_url("http://feeds.example/", limits=CALM, session=session).readall()

    def test_a_feed(self, tls: Any) -> None:
        with FaultyServer(SCRIPTS["gzip"], tls) as server:
            assert open_url(server.url, limits=CALM).readall() == FEED

    @pytest.mark.parametrize("chunked", [True, False])
    def test_what_has_arrived_is_known_while_the_server_is_silent(self, tls: Any, chunked: bool) -> None:
        """Also what TLS has received, and not given yet."""
        field = b"Transfer-Encoding: chunked" if chunked else b"Connection: close"
        body = b"<r>" + b"text " * 20_000
        sent = b"%x\r\n%s\r\n" % (len(body), body) if chunked else body
        script = Script((Send(b"HTTP/1.1 200 OK\r\n%s\r\n\r\n%s" % (field, sent)), Silence()))
        got = b""
        with FaultyServer(script, tls) as server, open_url(server.url, limits=CALM) as stream:
            while not got or not stream.waits(0.3):
                got += stream.read(5000)
            assert got == body

    @pytest.mark.sampled(2)
    @pytest.mark.parametrize("name", ["read", "total"])
    def test_what_is_looked_for_counts_for_the_limits(self, tls: Any, name: str) -> None:
        """A reader looks for more before it gives what came: this is no longer than the limit."""
        script = Script((Send(b"HTTP/1.1 200 OK\r\n\r\n<r/>"), Silence()))
        with FaultyServer(script, tls) as server:
            limits = CALM._replace(**{name: 0.5})
            with open_url(server.url, limits=limits) as stream:
                assert stream.read(4) == b"<r/>"
                begun = time.monotonic()
                assert stream.waits(60) or name == "total"
                with pytest.raises(DeadlineExceeded) as caught:
                    stream.read(4)
                passed = time.monotonic() - begun
        assert caught.value.limit == name
        assert passed < 30

    def test_what_is_over_is_not_silent(self) -> None:
        """The next read is an error."""
        script = Script((Send(b"HTTP/1.1 200 OK\r\n\r\n<r/>"), Silence()))
        with FaultyServer(script) as server, open_url(server.url, limits=CALM._replace(total=0.3)) as stream:
            assert stream.read(4) == b"<r/>"
            assert stream.waits(60) is True
            assert stream.waits(0) is False
            with pytest.raises(DeadlineExceeded):
                stream.read(4)

    def test_a_handshake_that_never_comes(self) -> None:
        with FaultyServer(SCRIPTS["silent-at-accept"]) as server, pytest.raises(DeadlineExceeded) as caught:
            open_url(server.url.replace("http:", "https:"), limits=Limits(connect=0.3))
        assert caught.value.limit == "connect"
        assert server.left_open == 0

    @pytest.mark.parametrize("allowed", [False, True])
    def test_from_https_to_http(self, tls: Any, allowed: bool) -> None:
        with FaultyServer(SCRIPTS["honest"]) as plain:
            location = f"HTTP/1.1 301 Moved\r\nLocation: {plain.url}\r\nContent-Length: 0\r\n\r\n"
            with FaultyServer(Script((Send(location.encode()),)), tls) as server:
                if allowed:
                    assert open_url(server.url, limits=CALM._replace(https_to_http=True)).readall() == FEED
                else:
                    with pytest.raises(FetchError, match="from https to http"):
                        open_url(server.url, limits=CALM)
        assert len(plain.requests) == int(allowed)


class TestResponse:
    """`open_response`: what the caller has got already."""

    @pytest.mark.sampled(3)
    @pytest.mark.parametrize("stream", [False, True])
    @pytest.mark.parametrize(
        "script", ["honest", "honest-chunked", "gzip", "deflate", "empty", "not-found-latin-1"]
    )
    def test_streamed_and_read_already(self, script: str, stream: bool) -> None:
        with FaultyServer(SCRIPTS[script], patience=0.1) as server, requests.Session() as session:
            response = session.get(server.url, stream=stream)
            with open_response(response) as body:
                octets = body.readall()
                assert body.status == response.status_code
                assert body.content_type == response.headers.get("Content-Type", "")
                assert body.url == server.url
        expected = {"empty": b"", "not-found-latin-1": "<h1>Ärger</h1>".encode("latin-1")}
        assert octets == expected.get(script, FEED)

    @pytest.mark.sampled(3)
    @pytest.mark.parametrize(
        ("script", "error", "limit"),
        [
            ("dripping-body", DeadlineExceeded, "total"),
            ("dripping-chunk-size", DeadlineExceeded, "total"),
            ("silent-in-body", DeadlineExceeded, "read"),
            ("endless-body", TooLarge, "wire"),
            ("gzip-bomb", TooLarge, "ratio"),
            ("gzip-nested", FetchError, None),
            ("length-too-long", TruncatedBody, None),
        ],
    )
    def test_its_body_is_bound_by_the_limits(
        self, script: str, error: type[FetchError], limit: str | None
    ) -> None:
        with FaultyServer(SCRIPTS[script]) as server, requests.Session() as session:
            response = session.get(server.url, stream=True, timeout=60)
            with pytest.raises(error) as caught:
                open_response(response, limits=limits_for(limit)).readall()
        assert (type(caught.value), caught.value.limit) == (error, limit)
        assert server.left_open == 0

    def test_what_is_read_already_is_bound_by_its_size(self) -> None:
        with FaultyServer(SCRIPTS["gzip"], patience=0.1) as server:
            response = requests.get(server.url)
        with pytest.raises(TooLarge) as caught:
            open_response(response, limits=Limits(decoded=10)).readall()
        assert (caught.value.limit, caught.value.partial) == ("decoded", FEED[:10])

    def test_one_whose_body_is_gone_is_a_fetch_error(self) -> None:
        with FaultyServer(SCRIPTS["gzip"]) as server, requests.get(server.url, stream=True) as response:
            next(response.iter_content(10))
            with pytest.raises(FetchError):
                open_response(response).readall()

    def test_one_made_by_hand(self) -> None:
        response = requests.Response()
        response.status_code = 200
        assert open_response(response).readall() == b""
        response._content = FEED
        with open_response(response) as body:
            assert (body.readall(), body.content_type, body.url) == (FEED, "", "")

    def test_one_that_is_lost_leaves_the_response_open(self) -> None:
        long = Script((Send(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b"a" * 100_000),))
        with FaultyServer(long) as server, requests.get(server.url, stream=True) as response:
            open_response(response).read(10)
            gc.collect()
            assert not response.raw.closed


@pytest.mark.long
def test_200_feeds_by_16_threads() -> None:
    rows = {
        f"/{number}": Row.typed(FEED.replace(b"Caf", b"%d" % number) * (1 + number), "application/xml")
        for number in range(200)
    }
    with LocalServer(rows) as server, ThreadPoolExecutor(16) as threads:

        def read(path: str) -> bytes:
            with open_url(server.url(path)) as body:
                return body.readall()

        octets = list(threads.map(read, rows))
    assert octets == [row.body for row in rows.values()]
    assert not [thread for thread in threading.enumerate() if thread.name == "feedcharset-resolver"]


@pytest.mark.long
def test_one_session_in_16_threads() -> None:
    rows = {f"/{number}": Row.typed(b"%d" % number * number, "text/xml") for number in range(100)}
    with LocalServer(rows) as server, requests.Session() as session, ThreadPoolExecutor(16) as threads:

        def read(path: str) -> bytes:
            with open_url(server.url(path), session=session) as body:
                return body.readall()

        assert list(threads.map(read, rows)) == [row.body for row in rows.values()]


def test_what_is_raised_is_the_librarys() -> None:
    for url in ("http://127.0.0.1:9/", "http://[::1]:9/", "https://127.0.0.1:9/", "gopher://x/", "\ud800"):
        with pytest.raises(FeedcharsetError):
            open_url(url, limits=CALM)


def test_a_server_that_is_silent_after_its_redirect() -> None:
    with FaultyServer(Script((Silence(),), at_accept=True)) as silent:
        url = silent.url
        location = f"HTTP/1.1 302 Found\r\nLocation: {url}\r\n\r\n".encode()
        redirecting = Script((Send(location), Silence()))
        with FaultyServer(redirecting) as server, pytest.raises(DeadlineExceeded) as caught:
            open_url(server.url, limits=limits_for("read"))
    assert caught.value.url == url
    assert silent.left_open == server.left_open == 0


def test_an_interrupted_read_is_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """What Ctrl-C ends cannot be read on: the next read says so, and gives no end of the document."""
    with FaultyServer(SCRIPTS["honest"]) as server, open_url(server.url) as body:
        monkeypatch.setattr(body, "_pieces", interrupted())
        with pytest.raises(KeyboardInterrupt):
            body.read(10)
        for _ in range(2):
            with pytest.raises(TruncatedBody, match="interrupted"):
                body.read(10)


def interrupted() -> Iterator[bytes]:
    raise KeyboardInterrupt
    yield b""
