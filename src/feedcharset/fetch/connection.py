"""Connections: a requests session whose waits are all within the limits, and which addresses it connects to.

Nothing global is patched and the caller's session is not changed. `bounded_session(session, deadline)` is a
view: a second object with the same state (it shares the `__dict__`, so cookies, tokens and caches stay the
caller's), whose class overrides the methods that get the adapter, the pool and the connection:

    session.get_adapter → adapter.get_connection_with_tls_context → pool._get_conn → connection

The connection gets our `response_class` and our way to connect, and loses both when it returns to its pool. A
caller's own adapter with another way to connect keeps it. What a caller's session reads has no content
coding any more.

Under `public_only` addresses are checked between resolving and connecting. `REFUSED` is our own table, made
from the IANA Special-Purpose Address Registries: the result of `ipaddress.is_global` changed between Python's
patch releases. An address that contains another one (NAT64, 6to4, IPv4-mapped) is always refused: a
translator would connect to the inner address, which was not checked.
"""

from __future__ import annotations

import functools
import http.client
import ipaddress
import socket
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any, NamedTuple, cast

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError, ProxyError
from urllib3.util.ssltransport import SSLTransport

from feedcharset.errors import AddressRefused
from feedcharset.fetch.deadline import Deadline, FetchAbort, TimedResponse
from feedcharset.fetch.framing import announced_length, part_size
from feedcharset.fetch.gunzip import PieceStream
from feedcharset.fetch.response_body import (
    ReceivedPieces,
    check_framing,
    content_coding,
    decoded,
    of_part,
    raw_pieces,
)
from feedcharset.fetch.urls import shown


class _View:
    """A second object with the state of another: another class, the same `__dict__`."""

    _origin: Any
    _deadline: Deadline

    def __del__(self) -> None:
        """Do nothing: the original closes what it holds."""


class _SessionView(_View):
    def get_adapter(self, url: Any) -> Any:
        adapter = super().get_adapter(url)  # type: ignore[misc]
        return _view(_AdapterView, adapter, self._deadline) if isinstance(adapter, HTTPAdapter) else adapter

    def resolve_redirects(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Follow none. Even with allow_redirects=False requests calls this to find the next one, and reads
        the whole body for it."""
        return iter(())


class _AdapterView(_View):
    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        try:
            pool = super().get_connection_with_tls_context(*args, **kwargs)  # type: ignore[misc]
        except TypeError:  # requests, for a proxy with a password and without a host
            raise requests.exceptions.InvalidProxyURL("no host") from None
        is_known = isinstance(pool, urllib3.HTTPConnectionPool)
        return _view(_PoolView, pool, self._deadline) if is_known else pool

    def cert_verify(self, conn: Any, url: str, verify: Any, cert: Any) -> None:
        """Verify the certificate of an https proxy for http URLs, too. requests does so for https URLs alone;
        in a caller's session that is left to it."""
        of_proxy = conn.scheme == "https" and not self._deadline.shared
        super().cert_verify(conn, "https:" if of_proxy else url, verify, cert)  # type: ignore[misc]


class _PoolView(_View):
    def _get_conn(self, *args: Any, **kwargs: Any) -> Any:
        self._deadline.connect_end = None
        self._deadline.time_left("connect")  # this also ends a retry of the caller's session
        connection = super()._get_conn(*args, **kwargs)  # type: ignore[misc]
        if isinstance(connection.sock, SSLTransport):
            connection.close()  # without `_timed_recv`
        self._deadline.connection = connection
        connection.response_class = functools.partial(TimedResponse, self._deadline)
        if type(connection)._new_conn is HTTPConnection._new_conn:
            connection._new_conn = functools.partial(connected_socket, connection, self._deadline)
            connection._tunnel = functools.partial(_tunnel, connection, self._deadline)
        elif self._deadline.limits.public_only:
            what = "its address cannot be checked: urllib3 has another way to connect"
            advice = "open it without Limits(public_only=True)"
            raise self._deadline.abort(AddressRefused, what, limit="public_only", advice=advice)
        return connection

    def _put_conn(self, connection: Any) -> None:
        if connection is not None:
            self._deadline.connection = None
            for name in ("response_class", "_new_conn", "_tunnel"):
                vars(connection).pop(name, None)
            # More than the answer has arrived in TLS, where urllib3 does not look before the next request.
            has_more = getattr(connection.sock, "pending", int)() > 0
            if has_more or not self._deadline.shared or isinstance(connection.sock, SSLTransport):
                connection.close()
        super()._put_conn(connection)  # type: ignore[misc]

    def urlopen(self, *args: Any, **kwargs: Any) -> Any:
        """Give a caching session, which reads the body itself, a body within the limits: urllib3 unpacks a
        bomb, and accepts gzip without its end."""
        if isinstance(retries := kwargs.get("retries"), urllib3.Retry):
            kwargs["retries"] = retries.new(raise_on_status=False)  # then the status is seen
        response = super().urlopen(*args, **kwargs)  # type: ignore[misc]
        return _without_coding(response, self._deadline) if self._deadline.shared else response


def _without_coding(response: Any, deadline: Deadline) -> Any:
    """Return the same response; its content coding is removed as it is read."""

    def close() -> None:
        response.close()
        response.release_conn()  # a pool that blocks waits for it

    if response.status == 304:
        response.headers.discard("Content-Encoding")  # CacheControl would name it of what it has stored
    if response.length_remaining == 0:
        return response
    try:
        if 200 <= response.status < 300:
            check_framing(response.headers, response, deadline)
    except FetchAbort:
        close()
        raise
    coding = content_coding(response.headers.get("Content-Encoding", ""))
    headers = response.headers.copy()
    size, length = part_size(response.status, headers), announced_length(headers)
    if not coding and (size is None or length is not None):
        return response
    headers.discard("Content-Encoding")
    headers.discard("Transfer-Encoding")
    if size is None or length == size:  # any other length is refused (`client._is_wanted`)
        headers.discard("Content-Length")
    pieces = of_part(raw_pieces(response, deadline), response.status, response.headers)
    received = ReceivedPieces(pieces, deadline)
    pieces = filter(None, decoded(received, coding, deadline))

    def piece(_: int) -> bytes:
        try:
            return next(pieces, b"")
        except BaseException:
            close()  # the session has no way to do so
            raise

    file: Any = PieceStream(piece, close, closes=True)
    if response.status in (401, 407):  # requests_ntlm looks for the socket there; caches keep none of these
        file.fp = getattr(response._fp, "fp", None)
    return urllib3.HTTPResponse(
        body=file,
        headers=headers,
        status=response.status,
        version=response.version,
        version_string=response.version_string,
        reason=response.reason,
        preload_content=False,
        original_response=response._original_response,  # requests reads the cookies there
        retries=response.retries,
        request_url=response.url,
    )


# A program has a few session, adapter and pool classes. 32 is enough for them, and limits the memory of a
# program that creates classes all the time.
@functools.lru_cache(maxsize=32)
def _view_class(mixin: type[_View], base: type) -> type:
    return type(base.__name__, (mixin, base), {"__slots__": ("_origin", "_deadline")})


def _view(mixin: type[_View], original: Any, deadline: Deadline) -> Any:
    view: Any = object.__new__(_view_class(mixin, type(original)))  # type: ignore[arg-type]
    view.__dict__ = original.__dict__
    view._origin = original  # a pool without references closes its idle connections
    view._deadline = deadline
    return view


def bounded_session(session: requests.Session, deadline: Deadline) -> requests.Session:
    """Return a view of the session: its requests are within the limits, and it follows no redirect."""
    return cast("requests.Session", _view(_SessionView, session, deadline))


def connected_socket(connection: HTTPConnection, deadline: Deadline) -> socket.socket:
    """Connect to an address of the connection's host: urllib3's `_new_conn`, within our limits.

    Under `public_only` the addresses are checked here, after the name is resolved and before a connection is
    made. The checked address is the one that is connected to: the name is not resolved again.
    """
    deadline.stage = "connect"
    seconds = deadline.limits.connect
    deadline.connect_end = None if seconds is None else time.monotonic() + seconds
    failure: OSError = OSError("the name has no address")
    try:
        found = _lookup(connection, deadline, deadline.time_left("connect"))
        for index, row in enumerate(found):
            left = deadline.time_left("connect")  # each of many addresses may take its time to refuse
            try:
                share = None if left is None else left / (len(found) - index)
                return _connect(connection, row, share, deadline)
            except OSError as error:
                failure = error
    except TimeoutError as error:
        failure = error
    if isinstance(failure, TimeoutError):
        raise ConnectTimeoutError(connection, f"Connection to {connection.host} timed out.") from failure
    raise NewConnectionError(connection, f"Failed to establish a new connection: {failure}") from failure


def _tunnel(connection: Any, deadline: Deadline) -> None:
    """Get a tunnel from a proxy. Its answer and TLS behind it are a part of `connect`, too."""
    try:
        type(connection)._tunnel(connection)
    except (ConnectionError, http.client.HTTPException) as error:  # urllib3 takes it for the server's
        raise ProxyError("no tunnel", error) from error
    sock = connection.sock
    sock.settimeout(deadline.time_left("connect"))
    if isinstance(sock, ssl.SSLSocket):  # of the proxy
        deadline.watched(sock)
        vars(sock)["recv"] = functools.partial(_timed_recv, sock, deadline)


def _timed_recv(sock: ssl.SSLSocket, deadline: Deadline, size: int) -> bytes:
    """Receive within the limits: TLS within TLS is urllib3's, and waits for each part of a record anew."""
    if sock.gettimeout() != 0:  # `is_waiting` does not wait
        sock.settimeout(deadline.time_left("read"))
    return ssl.SSLSocket.recv(sock, size)


def _lookup(connection: HTTPConnection, deadline: Deadline, timeout: float | None) -> list[tuple[Any, ...]]:
    host = connection._dns_host.strip("[]").replace("%25", "%")  # RFC 6874 spells a zone's % so
    port = connection.port
    try:
        found = addresses_of(host, port, timeout)
    except socket.gaierror as error:
        raise NameResolutionError(connection.host, connection, error) from error
    except UnicodeError as error:
        unknown = socket.gaierror(socket.EAI_NONAME, f"not a valid name in DNS ({error})")
        raise NameResolutionError(connection.host, connection, unknown) from error
    if deadline.limits.public_only:
        # One refused address is enough: a name that also has an internal address is not a public source.
        for address in (row[4][0] for row in found):
            if (network := refusal(address)) is not None:
                named = shown(connection.host)
                what = address if named.strip("[]") == address else f"{named} is {address}, which"
                what += f" is not public ({network.what}, {network.network}, {network.spec})"
                advice = "if it is your own source, open it without Limits(public_only=True)"
                raise deadline.abort(AddressRefused, what, limit="public_only", advice=advice)
    return found


def _connect(
    connection: HTTPConnection, row: tuple[Any, ...], timeout: float | None, deadline: Deadline
) -> socket.socket:
    family, kind, protocol, _, address = row
    sock = socket.socket(family, kind, protocol)
    try:
        for option in connection.socket_options or ():
            *rest, last = option
            if isinstance(last, str):  # urllib3-future adds "tcp", or "udp"
                option = tuple(rest) if last == "tcp" else ()
            if option:
                sock.setsockopt(*option)
        sock.settimeout(timeout)
        if connection.source_address:
            sock.bind(connection.source_address)
        sock.connect(address)
        # The rest of the time is for TLS: the timeout covers CPython's whole handshake, unless it is flooded.
        sock.settimeout(deadline.time_left("connect"))
        if isinstance(connection, HTTPSConnection):
            deadline.watched(sock)
    except BaseException:
        sock.close()
        raise
    sys.audit("http.client.connect", connection, connection.host, connection.port)
    return sock


class RefusedNetwork(NamedTuple):
    """A range of addresses that is not public."""

    network: str
    what: str
    spec: str


REFUSED = (
    RefusedNetwork("0.0.0.0/8", "this network", "RFC 1122 section 3.2.1.3"),
    RefusedNetwork("10.0.0.0/8", "private use", "RFC 1918"),
    RefusedNetwork("100.64.0.0/10", "shared by a carrier's customers", "RFC 6598"),
    RefusedNetwork("127.0.0.0/8", "loopback", "RFC 1122 section 3.2.1.3"),
    RefusedNetwork("168.63.129.16/32", "the host of a virtual machine in Azure", "Microsoft's documentation"),
    RefusedNetwork("169.254.0.0/16", "link-local", "RFC 3927"),
    RefusedNetwork("172.16.0.0/12", "private use", "RFC 1918"),
    RefusedNetwork("192.0.0.0/24", "protocol assignments", "RFC 6890 section 2.1"),
    RefusedNetwork("192.0.2.0/24", "documentation", "RFC 5737"),
    RefusedNetwork("192.88.99.0/24", "6to4 relay", "RFC 7526"),
    RefusedNetwork("192.168.0.0/16", "private use", "RFC 1918"),
    RefusedNetwork("198.18.0.0/15", "benchmarking", "RFC 2544"),
    RefusedNetwork("198.51.100.0/24", "documentation", "RFC 5737"),
    RefusedNetwork("203.0.113.0/24", "documentation", "RFC 5737"),
    RefusedNetwork("224.0.0.0/4", "multicast", "RFC 5771"),
    RefusedNetwork("240.0.0.0/4", "reserved, and limited broadcast", "RFC 1112 section 4, RFC 919"),
    RefusedNetwork("::/128", "unspecified", "RFC 4291 section 2.5.2"),
    RefusedNetwork("::1/128", "loopback", "RFC 4291 section 2.5.3"),
    RefusedNetwork("::/96", "IPv4-compatible", "RFC 4291 section 2.5.5.1"),
    RefusedNetwork("::ffff:0:0/96", "IPv4-mapped", "RFC 4291 section 2.5.5.2"),
    RefusedNetwork("::ffff:0:0:0/96", "IPv4-translated", "RFC 2765 section 2.1"),
    RefusedNetwork("64:ff9b::/96", "NAT64", "RFC 6052"),
    RefusedNetwork("64:ff9b:1::/48", "NAT64, local use", "RFC 8215"),
    RefusedNetwork("100::/64", "discard only", "RFC 6666"),
    RefusedNetwork("2001::/32", "Teredo", "RFC 4380"),
    RefusedNetwork("2001::/23", "protocol assignments", "RFC 2928"),
    RefusedNetwork("2001:db8::/32", "documentation", "RFC 3849"),
    RefusedNetwork("2002::/16", "6to4", "RFC 3056"),
    RefusedNetwork("3fff::/20", "documentation", "RFC 9637"),
    RefusedNetwork("fc00::/7", "unique local", "RFC 4193"),
    RefusedNetwork("fe80::/10", "link-local", "RFC 4291 section 2.5.6"),
    RefusedNetwork("fec0::/10", "site-local", "RFC 3879"),
    RefusedNetwork("ff00::/8", "multicast", "RFC 4291 section 2.7"),
    # IANA allocates 2000::/3.
    RefusedNetwork("::/3", "not allocated for global unicast", "RFC 4291 section 2.4"),
    RefusedNetwork("4000::/2", "not allocated for global unicast", "RFC 4291 section 2.4"),
    RefusedNetwork("8000::/1", "not allocated for global unicast", "RFC 4291 section 2.4"),
)

_NETWORKS = tuple((ipaddress.ip_network(row.network), row) for row in REFUSED)


def refusal(address: str) -> RefusedNetwork | None:
    """Return the row that refuses an address (as getaddrinfo spells it, a zone included); None if public."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    return next((row for network, row in _NETWORKS if parsed in network), None)


def addresses_of(host: str, port: int, timeout: float | None) -> list[tuple[Any, ...]]:
    """Resolve a name to what getaddrinfo returns for a TCP connection.

    getaddrinfo cannot be interrupted, and a resolver may take half a minute without an answer. So it runs in
    a separate thread; after `timeout` seconds the thread is abandoned (it ends with the resolver).

    Raises:
        TimeoutError: `timeout` seconds have passed.
        OSError, UnicodeError: the resolver failed; the name is not valid in DNS.
    """
    found: Future[list[tuple[Any, ...]]] = Future()

    def resolve_name() -> None:
        try:
            found.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except BaseException as error:
            found.set_exception(error)

    threading.Thread(target=resolve_name, name="feedcharset-resolver", daemon=True).start()
    return found.result(timeout)
