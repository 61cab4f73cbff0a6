"""`Limits(public_only=True)`: nothing leads inside."""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING

import pytest
import requests
import urllib3
from support.each import each
from support.faults import FEED, SCRIPTS
from support.faulty_server import FaultyServer, Script, Send
from support.network import FakeNetwork, replaced

from feedcharset.errors import AddressRefused, FetchError
from feedcharset.fetch.client import open_response, open_url
from feedcharset.fetch.limits import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from feedcharset.fetch.response_body import FetchedBody

PUBLIC = Limits(connect=1, read=1, total=2, public_only=True)


def redirecting_to(location: str) -> Script:
    return Script(
        (Send(f"HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()),)
    )


def fetch(url: str, network: FakeNetwork, limits: Limits = PUBLIC) -> FetchedBody:
    with replaced(network.resolve, network.connect):
        return open_url(url, limits=limits)


def test_the_connection_goes_to_the_address_that_was_checked() -> None:
    with FaultyServer(SCRIPTS["honest"]) as server:
        # Asked again, the name would mean the inside.
        network = FakeNetwork({"feeds.example": ("93.184.216.34", "127.0.0.1")}, server.port)
        with fetch("http://feeds.example/feed", network) as body:
            assert body.readall() == FEED
    assert network.asked == ["feeds.example"]
    assert network.connected == ["93.184.216.34"]
    assert b"Host: feeds.example\r\n" in server.requests[0]


@each(
    "addresses",
    [
        "127.0.0.1",
        "10.0.0.7",
        "169.254.169.254",
        "::1",
        "fd00::1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "::ffff:127.0.0.1",
        "93.184.216.34 127.0.0.1",
        "2606:4700::1111 ::1",
    ],
)
def test_a_name_that_means_the_inside_is_refused(addresses: str) -> None:
    network = FakeNetwork({"feeds.example": (addresses,)}, 9)
    with pytest.raises(AddressRefused, match="not public") as caught:
        fetch("http://feeds.example/", network)
    assert caught.value.limit == "public_only"
    assert "RFC" in str(caught.value)
    assert network.connected == []


@each(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://0/",
        "http://127.0.0.1./",
        "http://%31%32%37.0.0.1/",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:7f00:1]/",
        "http://[0:0:0:0:0:ffff:127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://feeds.example@127.0.0.1/",
        "http://feeds.example:80@127.0.0.1:80/",
        "http://feeds.example%40127.0.0.1/",
        "http://127.0.0.1\\@feeds.example/",
        "http://127.0.0.1#@feeds.example/",
        "http://127.0.0.1?@feeds.example/",
        "http://１２７.0.0.1/",
        "http://127。0。0。1/",
        "http://169.254.169.254/latest/meta-data/",
    ],
)
def test_odd_spellings_do_not_get_around_it(url: str) -> None:
    network = FakeNetwork({"feeds.example": ("93.184.216.34",)}, 9)
    with pytest.raises(FetchError, match=r"not public|http or https URL|not known"):
        fetch(url, network)
    assert network.connected == []


def test_the_systems_own_names_for_itself_are_refused() -> None:
    with pytest.raises(AddressRefused):
        open_url("http://localhost:9/", limits=PUBLIC)


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1/",
        "http://inside.example/",
        "//0x7f.1/",
        "http://[::1]:8080/",
        "https://169.254.169.254/",
    ],
)
def test_a_redirect_to_the_inside_is_refused(location: str) -> None:
    with FaultyServer(redirecting_to(location)) as server:
        names = {"feeds.example": ("93.184.216.34",), "inside.example": ("192.168.1.1",)}
        network = FakeNetwork(names, server.port)
        with pytest.raises(AddressRefused):
            fetch("http://feeds.example/", network)
    assert network.connected == ["93.184.216.34"]
    assert server.left_open == 0


def test_a_redirect_to_the_same_name_is_checked_again() -> None:
    with FaultyServer(redirecting_to("http://feeds.example/2")) as server:
        network = FakeNetwork({"feeds.example": ("93.184.216.34", "127.0.0.1")}, server.port)
        with pytest.raises(AddressRefused):
            fetch("http://feeds.example/", network)
    assert network.asked == ["feeds.example"] * 2
    assert network.connected == ["93.184.216.34"]


def test_proxies_and_netrc_of_the_environment_are_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine feeds.example login user password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with FaultyServer(SCRIPTS["honest"]) as proxy, FaultyServer(SCRIPTS["honest"]) as server:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        network = FakeNetwork({"feeds.example": ("93.184.216.34",)}, server.port)
        assert fetch("http://feeds.example/", network).readall() == FEED
        assert proxy.requests == []
        assert b"Authorization" not in server.requests[0]
        # Without public_only they count.
        network = FakeNetwork({}, proxy.port)
        assert fetch("http://feeds.example/", network, Limits(total=2)).readall() == FEED
        assert proxy.requests[0].startswith(b"GET http://feeds.example/ HTTP/1.1\r\n")
        assert b"Authorization: Basic " in proxy.requests[0]


def test_a_session_together_with_public_only_is_a_value_error() -> None:
    with requests.Session() as session, pytest.raises(ValueError, match="public_only"):
        open_url("http://feeds.example/", session=session, limits=PUBLIC)
    with pytest.raises(ValueError, match="public_only"):
        open_response(requests.Response(), limits=PUBLIC)


def test_a_connection_that_cannot_be_checked_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Elsewhere(urllib3.connection.HTTPConnection):
        def _new_conn(self) -> socket.socket:
            raise AssertionError("connected")

    monkeypatch.setattr(urllib3.HTTPConnectionPool, "ConnectionCls", Elsewhere)
    with pytest.raises(AddressRefused, match="cannot be checked"):
        fetch("http://feeds.example/", FakeNetwork({"feeds.example": ("93.184.216.34",)}, 9))


class TestTls:
    """Who answers is checked by name, whatever the address."""

    @pytest.fixture
    def server_context(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
        trustme = pytest.importorskip("trustme")
        authority = trustme.CA()
        bundle = tmp_path / "ca.pem"
        authority.cert_pem.write_to_path(bundle)
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(bundle))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("feeds.example").configure_cert(context)
        return context

    def test_the_name_is_sent_and_verified(self, server_context: ssl.SSLContext) -> None:
        names: list[str | None] = []
        server_context.sni_callback = lambda sock, name, context: names.append(name)
        with FaultyServer(SCRIPTS["honest"], server_context) as server:
            network = FakeNetwork({"feeds.example": ("93.184.216.34",)}, server.port)
            with fetch("https://feeds.example/", network) as body:
                assert body.readall() == FEED
        assert names == ["feeds.example"]
        assert network.connected == ["93.184.216.34"]

    def test_another_name_is_refused(self, server_context: ssl.SSLContext) -> None:
        with FaultyServer(SCRIPTS["honest"], server_context) as server:
            network = FakeNetwork({"other.example": ("93.184.216.34",)}, server.port)
            with pytest.raises(FetchError, match="certificate"):
                fetch("https://other.example/", network)
        assert server.left_open == 0
