"""A network of names for tests: what a name resolves to, and where a connection really goes."""

from __future__ import annotations

import _socket
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest import mock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["FakeNetwork", "replaced"]


@contextmanager
def replaced(
    resolve: Callable[..., Any], connect: Callable[..., Any] = _socket.socket.connect
) -> Iterator[None]:
    """Resolve names and connect by other functions than the system's."""

    def of_socket(sock: socket.socket, address: Any) -> None:
        connect(sock, address)

    with mock.patch("socket.getaddrinfo", resolve), mock.patch("socket.socket.connect", of_socket):
        yield


class FakeNetwork:
    """Resolves `names`, one answer after the other, and connects every address to a port of 127.0.0.1."""

    def __init__(self, names: Mapping[str, tuple[str, ...]], port: int) -> None:
        self._answers = {name: list(answers) for name, answers in names.items()}
        self._port = port
        self.asked: list[str] = []
        self.connected: list[str] = []

    def resolve(self, host: str, port: int, **kwargs: Any) -> list[Any]:
        """Give the next answer for a name (addresses apart by spaces); literals as the system reads them."""
        self.asked.append(host)
        answers = self._answers.get(host)
        if not answers:
            return _socket.getaddrinfo(host, port, flags=socket.AI_NUMERICHOST, **kwargs)
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [_row(address, port) for address in addresses.split()]

    def connect(self, sock: socket.socket, address: Any) -> None:
        self.connected.append(address[0])
        self.connect_to(sock, self._port)

    @staticmethod
    def connect_to(sock: socket.socket, port: int) -> None:
        """Connect to a port of this machine."""
        _socket.socket.connect(sock, ("127.0.0.1", port))


def _row(address: str, port: int) -> tuple[Any, ...]:
    if ":" in address:
        return socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0)
    return socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)
