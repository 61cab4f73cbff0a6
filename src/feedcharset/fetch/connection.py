"""Dialling: how a connection reaches an address, within the limits and, when asked, only a public one."""

from __future__ import annotations

import socket
import sys
import time
from typing import TYPE_CHECKING, Any

from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

from feedcharset.errors import AddressRefused
from feedcharset.fetch.addresses import addresses_of, refusal
from feedcharset.fetch.fetch_errors import Stop, shown

if TYPE_CHECKING:
    from urllib3.connection import HTTPConnection

    from feedcharset.fetch.deadline import Watch

__all__ = ["dial"]


def dial(connection: HTTPConnection, watch: Watch) -> socket.socket:
    """Connect to an address of the connection's host: what urllib3's `_new_conn` does, within our limits.

    Under `public_only` the addresses are checked here, after the name is resolved and before anything
    connects, and what is checked is what is connected to: the name is not asked for again.
    """
    watch.stage = "connect"
    limit = watch.patience("connect")
    end = None if limit is None else time.monotonic() + limit
    failure: OSError = OSError("the name has no address")
    try:
        found = _lookup(connection, watch, limit)
        for index, row in enumerate(found):
            left = None if end is None else max(end - time.monotonic(), 0.001)
            try:
                sock = _connect(connection, row, None if left is None else left / (len(found) - index), watch)
            except OSError as error:
                failure = error
                continue
            # What is left is for TLS: CPython's handshake takes the timeout for the whole of it.
            sock.settimeout(None if end is None else max(end - time.monotonic(), 0.001))
            return sock
    except TimeoutError as error:
        failure = error
    if isinstance(failure, TimeoutError):
        raise ConnectTimeoutError(connection, f"Connection to {connection.host} timed out.") from failure
    raise NewConnectionError(connection, f"Failed to establish a new connection: {failure}") from failure


def _lookup(connection: HTTPConnection, watch: Watch, timeout: float | None) -> list[tuple[Any, ...]]:
    host = connection._dns_host.strip("[]")
    port = connection.port
    try:
        found = addresses_of(host, port, timeout, watch.network.resolve)
    except socket.gaierror as error:
        raise NameResolutionError(connection.host, connection, error) from error
    except UnicodeError as error:
        unknown = socket.gaierror(socket.EAI_NONAME, f"not a name that DNS can carry ({error})")
        raise NameResolutionError(connection.host, connection, unknown) from error
    if watch.limits.public_only:
        # One refused address is enough: a name that means the inside too is not a public source.
        for row in found:
            _demand_public(row[4][0], connection, watch)
    return found


def _demand_public(address: str, connection: HTTPConnection, watch: Watch) -> None:
    row = refusal(address)
    if row is not None:
        raise Stop(
            AddressRefused(
                f"{shown(watch.url)}: {shown(connection.host)} is {address}, which is not public "
                f"({row.what}, {row.network}, {row.spec}); if it is a source of your own, open it "
                "without Limits(public_only=True)",
                url=watch.url,
                limit="public_only",
            )
        )


def _connect(
    connection: HTTPConnection, row: tuple[Any, ...], timeout: float | None, watch: Watch
) -> socket.socket:
    family, kind, protocol, _, address = row
    sock = socket.socket(family, kind, protocol)
    try:
        for option in connection.socket_options or ():
            sock.setsockopt(*option)
        sock.settimeout(timeout)
        if connection.source_address:
            sock.bind(connection.source_address)
        watch.network.connect(sock, address)
    except BaseException:
        sock.close()
        raise
    sys.audit("http.client.connect", connection, connection.host, connection.port)
    return sock
