"""Addresses: resolving a name in bounded time, and which addresses are public.

`REFUSED` is our own table, made from the IANA Special-Purpose Address Registries. `ipaddress.is_global` is
not used, because its result changed between Python's patch releases. An address that contains another one
(NAT64, 6to4, IPv4-mapped) is always refused: a translator would connect to the inner address, which was not
checked.
"""

from __future__ import annotations

import ipaddress
import queue
import socket
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["REFUSED", "Refused", "Resolver", "addresses_of", "refusal"]

# Has the arguments and the result of socket.getaddrinfo.
Resolver = Callable[..., list[tuple[Any, ...]]]


class Refused(NamedTuple):
    """A range of addresses that is not public."""

    network: str
    what: str
    spec: str


REFUSED = (
    Refused("0.0.0.0/8", "this network", "RFC 1122 section 3.2.1.3"),
    Refused("10.0.0.0/8", "private use", "RFC 1918"),
    Refused("100.64.0.0/10", "shared by a carrier's customers", "RFC 6598"),
    Refused("127.0.0.0/8", "loopback", "RFC 1122 section 3.2.1.3"),
    Refused("169.254.0.0/16", "link-local", "RFC 3927"),
    Refused("172.16.0.0/12", "private use", "RFC 1918"),
    Refused("192.0.0.0/24", "protocol assignments", "RFC 6890 section 2.1"),
    Refused("192.0.2.0/24", "documentation", "RFC 5737"),
    Refused("192.88.99.0/24", "6to4 relay", "RFC 7526"),
    Refused("192.168.0.0/16", "private use", "RFC 1918"),
    Refused("198.18.0.0/15", "benchmarking", "RFC 2544"),
    Refused("198.51.100.0/24", "documentation", "RFC 5737"),
    Refused("203.0.113.0/24", "documentation", "RFC 5737"),
    Refused("224.0.0.0/4", "multicast", "RFC 5771"),
    Refused("240.0.0.0/4", "reserved, and limited broadcast", "RFC 1112 section 4, RFC 919"),
    Refused("::/128", "unspecified", "RFC 4291 section 2.5.2"),
    Refused("::1/128", "loopback", "RFC 4291 section 2.5.3"),
    Refused("::/96", "IPv4-compatible", "RFC 4291 section 2.5.5.1"),
    Refused("::ffff:0:0/96", "IPv4-mapped", "RFC 4291 section 2.5.5.2"),
    Refused("::ffff:0:0:0/96", "IPv4-translated", "RFC 2765 section 2.1"),
    Refused("64:ff9b::/96", "NAT64", "RFC 6052"),
    Refused("64:ff9b:1::/48", "NAT64, local use", "RFC 8215"),
    Refused("100::/64", "discard only", "RFC 6666"),
    Refused("2001::/32", "Teredo", "RFC 4380"),
    Refused("2001::/23", "protocol assignments", "RFC 2928"),
    Refused("2001:db8::/32", "documentation", "RFC 3849"),
    Refused("2002::/16", "6to4", "RFC 3056"),
    Refused("3fff::/20", "documentation", "RFC 9637"),
    Refused("fc00::/7", "unique local", "RFC 4193"),
    Refused("fe80::/10", "link-local", "RFC 4291 section 2.5.6"),
    Refused("fec0::/10", "site-local", "RFC 3879"),
    Refused("ff00::/8", "multicast", "RFC 4291 section 2.7"),
    Refused("::/3", "not allocated for global unicast", "RFC 4291 section 2.4; IANA allocates 2000::/3"),
    Refused("4000::/2", "not allocated for global unicast", "RFC 4291 section 2.4; IANA allocates 2000::/3"),
    Refused("8000::/1", "not allocated for global unicast", "RFC 4291 section 2.4; IANA allocates 2000::/3"),
)

_NETWORKS = tuple((ipaddress.ip_network(row.network), row) for row in REFUSED)


def refusal(address: str) -> Refused | None:
    """Return the row that refuses an address (as getaddrinfo spells it, a zone included); None if public."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    return next((row for network, row in _NETWORKS if parsed in network), None)


def addresses_of(
    host: str, port: int, timeout: float | None, resolve: Resolver = socket.getaddrinfo
) -> list[tuple[Any, ...]]:
    """Resolve a name to what getaddrinfo returns for a TCP connection.

    getaddrinfo cannot be interrupted, and a resolver may take half a minute without an answer. So it runs in
    a separate thread; after `timeout` seconds the thread is abandoned (it ends with the resolver).

    Raises:
        TimeoutError: `timeout` seconds have passed.
        OSError, UnicodeError: the resolver failed; the name is not valid in DNS.
    """
    if timeout is None or _is_literal(host):
        return resolve(host, port, type=socket.SOCK_STREAM)
    answers: queue.SimpleQueue[tuple[list[Any], BaseException | None]] = queue.SimpleQueue()

    def resolve_name() -> None:
        try:
            answers.put((resolve(host, port, type=socket.SOCK_STREAM), None))
        except BaseException as error:
            answers.put(([], error))

    threading.Thread(target=resolve_name, name="feedcharset-resolver", daemon=True).start()
    try:
        found, error = answers.get(timeout=timeout)
    except queue.Empty:
        raise TimeoutError(f"no address for {host!r} in time") from None
    if error is not None:
        raise error
    return found


def _is_literal(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True
