"""Connecting to an address within the limits, and under `public_only` only to a public one."""

from __future__ import annotations

import socket
import sys
import time
from typing import TYPE_CHECKING, Any

from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

from feedcharset.errors import AddressRefused
from feedcharset.fetch.addresses import addresses_of, refusal
from feedcharset.fetch.fetch_errors import FetchAbort
from feedcharset.fetch.urls import shown

if TYPE_CHECKING:
    from urllib3.connection import HTTPConnection

    from feedcharset.fetch.deadline import Deadline

__all__ = ["connected_socket"]


def connected_socket(connection: HTTPConnection, deadline: Deadline) -> socket.socket:
    """Connect to an address of the connection's host: urllib3's `_new_conn`, within our limits.

    Under `public_only` the addresses are checked here, after the name is resolved and before a connection is
    made. The checked address is the one that is connected to: the name is not resolved again.
    """
    deadline.stage = "connect"
    limit = deadline.time_left("connect")
    end = None if limit is None else time.monotonic() + limit
    failure: OSError = OSError("the name has no address")
    try:
        found = _lookup(connection, deadline, limit)
        for index, row in enumerate(found):
            left = None if end is None else max(end - time.monotonic(), 0.001)
            try:
                sock = _connect(
                    connection, row, None if left is None else left / (len(found) - index), deadline
                )
            except OSError as error:
                failure = error
                continue
            # The rest of the time is for TLS: the timeout covers CPython's whole handshake.
            sock.settimeout(None if end is None else max(end - time.monotonic(), 0.001))
            return sock
    except TimeoutError as error:
        failure = error
    if isinstance(failure, TimeoutError):
        raise ConnectTimeoutError(connection, f"Connection to {connection.host} timed out.") from failure
    raise NewConnectionError(connection, f"Failed to establish a new connection: {failure}") from failure


def _lookup(connection: HTTPConnection, deadline: Deadline, timeout: float | None) -> list[tuple[Any, ...]]:
    host = connection._dns_host.strip("[]")
    port = connection.port
    try:
        found = addresses_of(host, port, timeout, deadline.network.resolve)
    except socket.gaierror as error:
        raise NameResolutionError(connection.host, connection, error) from error
    except UnicodeError as error:
        unknown = socket.gaierror(socket.EAI_NONAME, f"not a valid name in DNS ({error})")
        raise NameResolutionError(connection.host, connection, unknown) from error
    if deadline.limits.public_only:
        # One refused address is enough: a name that also has an internal address is not a public source.
        for row in found:
            _demand_public(row[4][0], connection, deadline)
    return found


def _demand_public(address: str, connection: HTTPConnection, deadline: Deadline) -> None:
    row = refusal(address)
    if row is not None:
        raise FetchAbort(
            AddressRefused(
                f"{shown(deadline.url)}: {shown(connection.host)} is {address}, which is not public "
                f"({row.what}, {row.network}, {row.spec}); if it is your own source, open it "
                "without Limits(public_only=True)",
                url=deadline.url,
                limit="public_only",
            )
        )


def _connect(
    connection: HTTPConnection, row: tuple[Any, ...], timeout: float | None, deadline: Deadline
) -> socket.socket:
    family, kind, protocol, _, address = row
    sock = socket.socket(family, kind, protocol)
    try:
        for option in connection.socket_options or ():
            sock.setsockopt(*option)
        sock.settimeout(timeout)
        if connection.source_address:
            sock.bind(connection.source_address)
        deadline.network.connect(sock, address)
    except BaseException:
        sock.close()
        raise
    sys.audit("http.client.connect", connection, connection.host, connection.port)
    return sock
