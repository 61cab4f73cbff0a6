"""Which addresses are public, and names that never become one."""

from __future__ import annotations

import ipaddress
import socket
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each
from support.network import FakeNetwork, replaced

from feedcharset.errors import FetchError
from feedcharset.fetch.client import open_url
from feedcharset.fetch.connection import REFUSED, addresses_of, refusal


@each("row", REFUSED, ids=lambda row: row.network)
def test_each_row_refuses_its_range_and_cites(row: Any) -> None:
    network = ipaddress.ip_network(row.network)
    for address in (network[0], network[-1]):
        assert refusal(str(address)) is not None
    assert "RFC" in row.spec or row.spec == "Microsoft's documentation"
    assert row.what


@each(
    ("address", "what"),
    [
        ("127.0.0.1", "loopback"),
        ("127.255.255.254", "loopback"),
        ("10.1.2.3", "private use"),
        ("172.31.255.255", "private use"),
        ("192.168.0.1", "private use"),
        ("169.254.169.254", "link-local"),  # where clouds keep their secrets
        ("168.63.129.16", "the host of a virtual machine in Azure"),
        ("100.100.100.200", "shared by a carrier's customers"),
        ("0.0.0.0", "this network"),
        ("224.0.0.251", "multicast"),
        ("255.255.255.255", "reserved, and limited broadcast"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("::7f00:1", "IPv4-compatible"),
        ("::ffff:127.0.0.1", "IPv4-mapped"),
        ("::ffff:8.8.8.8", "IPv4-mapped"),
        ("64:ff9b::7f00:1", "NAT64"),
        ("64:ff9b:1::1", "NAT64, local use"),
        ("2002:7f00:1::", "6to4"),
        ("2001::1", "Teredo"),
        ("fe80::1%eth0", "link-local"),
        ("fd00::1", "unique local"),
        ("fec0::1", "site-local"),
        ("ff02::1", "multicast"),
        ("5f00::1", "not allocated for global unicast"),
    ],
)
def test_addresses_that_are_not_public(address: str, what: str) -> None:
    row = refusal(address)
    assert row is not None
    assert row.what == what


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "1.1.1.1", "172.32.0.1", "172.15.255.255", "100.63.255.255", "2606:4700::1111", "2a00::1"],
)
def test_addresses_that_are_public(address: str) -> None:
    assert refusal(address) is None


@given(st.ip_addresses())
def test_what_python_calls_not_global_is_refused(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    """The table refuses at least what `ipaddress` says is not reachable globally."""
    if not address.is_global or address.is_multicast:
        assert refusal(str(address)) is not None


def test_a_resolver_that_does_not_answer_is_left_behind() -> None:
    over = threading.Event()

    def never(*args: Any, **kwargs: Any) -> list[Any]:
        over.wait(60)
        return []

    with pytest.raises(TimeoutError), replaced(never):
        addresses_of("feeds.example", 80, 0.05)
    assert not over.is_set()  # the resolver had not answered
    over.set()


@pytest.mark.parametrize("spelled", ["[fe80::1%25eth0]", "[fe80::1%eth0]"])
def test_a_zone_is_given_to_the_resolver(spelled: str) -> None:
    """RFC 6874 spells its % so in a URL."""
    network = FakeNetwork({"fe80::1%eth0": ("192.0.2.1",)}, 9)

    def refuse(*args: Any) -> None:
        raise ConnectionRefusedError(111, "Connection refused")

    with pytest.raises(FetchError, match="Connection refused"), replaced(network.resolve, refuse):
        open_url(f"http://{spelled}/")
    assert network.asked == ["fe80::1%eth0"]


@pytest.mark.parametrize("timeout", [None, 1.0])
def test_what_the_resolver_raises_is_raised(timeout: float | None) -> None:
    def fails(*args: Any, **kwargs: Any) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    with pytest.raises(socket.gaierror, match="no such name"), replaced(fails):
        addresses_of("feeds.example", 80, timeout)


def test_a_literal_is_no_question() -> None:
    (row, *_) = addresses_of("127.0.0.1", 80, 1.0)
    assert row[4] == ("127.0.0.1", 80)
