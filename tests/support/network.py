"""A network of names for tests: what a name resolves to, and where a connection really goes."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

from feedcharset.fetch.deadline import Network

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FakeNetwork"]


class FakeNetwork:
    """Resolves `names`, one answer after the other, and connects every address to a port of 127.0.0.1."""

    def __init__(self, names: Mapping[str, tuple[str, ...]], port: int) -> None:
        self._answers = {name: list(answers) for name, answers in names.items()}
        self._port = port
        self.asked: list[str] = []
        self.connected: list[str] = []

    @property
    def network(self) -> Network:
        return Network(self.resolve, self.connect)

    def resolve(self, host: str, port: int, **kwargs: Any) -> list[Any]:
        """Give the next answer for a name (addresses apart by spaces); literals as the system reads them."""
        self.asked.append(host)
        answers = self._answers.get(host)
        if not answers:
            return socket.getaddrinfo(host, port, flags=socket.AI_NUMERICHOST, **kwargs)
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [_row(address, port) for address in addresses.split()]

    def connect(self, sock: socket.socket, address: Any) -> None:
        self.connected.append(address[0])
        sock.connect(("127.0.0.1", self._port))


def _row(address: str, port: int) -> tuple[Any, ...]:
    if ":" in address:
        return socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0)
    return socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)
