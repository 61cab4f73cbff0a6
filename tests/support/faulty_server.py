"""A server of raw sockets on 127.0.0.1 that goes wrong on purpose, by scripts.

    with FaultyServer(SCRIPTS["dripping-body"]) as server:
        open_url(server.url)

A script is a row of steps, played to each connection once its request is read (`at_accept`: as soon as
it is accepted). In what is sent, `{base}` is the server's own URL and `{hop}` counts the connections.
The server then waits for the client to close, and `left_open` counts those that do not.
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ssl
    from types import TracebackType
    from typing import Self

__all__ = ["Close", "Drip", "Endless", "FaultyServer", "Reset", "Script", "Send", "Silence", "Step"]


class Send(NamedTuple):
    """Send these octets at once."""

    octets: bytes


class Drip(NamedTuple):
    """Send these octets in pieces, with a pause after each."""

    octets: bytes
    pause: float = 0.02
    size: int = 1


class Endless(NamedTuple):
    """Send these octets again and again until the client leaves, with a pause after each."""

    octets: bytes
    pause: float = 0.0


class Silence(NamedTuple):
    """Say nothing, until the client leaves or for so many seconds."""

    seconds: float = 60.0


class Reset(NamedTuple):
    """Reset the connection (RST), losing what the client has not read."""


class Close(NamedTuple):
    """Send the end of the stream (FIN)."""


Step = Send | Drip | Endless | Silence | Reset | Close


class Script(NamedTuple):
    """What a server does with a connection."""

    steps: tuple[Step, ...]
    at_accept: bool = False


class FaultyServer:
    """Plays one script to every connection, each in a thread, between `__enter__` and `__exit__`. It may be
    changed between two of them."""

    def __init__(self, script: Script, tls: ssl.SSLContext | None = None, patience: float = 20) -> None:
        self.script = script
        self._patience = patience
        self._tls = tls
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self.requests: list[bytes] = []
        """The header of every request that was read."""
        self.clients: list[str] = []
        """The address that each connection came from."""
        self.sent: list[int] = []
        """How many octets of a script each connection took."""
        self.left_open = 0
        """Connections that the client did not close within `patience` seconds of the end of their script."""

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}/feed"

    def __enter__(self) -> Self:
        self._accepting.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._accepting.join()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                connection, (address, _) = self._socket.accept()
            except OSError:
                return
            self.clients.append(address)
            thread = threading.Thread(target=self._serve, args=(connection, len(self._threads)), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket, hop: int) -> None:
        sent = 0
        try:
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
            connection.settimeout(self._patience)
            if not self.script.at_accept:
                self.requests.append(_read_request(connection))
            for step in self.script.steps:
                sent += self._play(step, connection, hop)
            _wait_for_close(connection)
        except TimeoutError:
            self.left_open += 1
        except OSError:
            pass  # the client has seen enough
        finally:
            self.sent.append(sent)
            connection.close()

    def _play(self, step: Step, connection: socket.socket, hop: int) -> int:
        if isinstance(step, Send):
            octets = step.octets.replace(b"{base}", self.url.encode()).replace(b"{hop}", b"%d" % hop)
            connection.sendall(octets)
            return len(octets)
        if isinstance(step, Drip):
            for start in range(0, len(step.octets), step.size):
                connection.sendall(step.octets[start : start + step.size])
                _pause(connection, step.pause)
            return len(step.octets)
        if isinstance(step, Endless):
            return _send_endlessly(step, connection)
        if isinstance(step, Silence):
            _pause(connection, step.seconds)
        elif isinstance(step, Reset):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        else:
            connection.shutdown(socket.SHUT_WR)
        return 0


def _read_request(connection: socket.socket) -> bytes:
    request = b""
    while b"\r\n\r\n" not in request:
        piece = connection.recv(65536)
        if not piece:
            raise OSError("the client left before its request was whole")
        request += piece
    return request


def _send_endlessly(step: Endless, connection: socket.socket) -> int:
    sent = 0
    try:
        while sent < 1 << 30:
            connection.sendall(step.octets)
            sent += len(step.octets)
            if step.pause:
                _pause(connection, step.pause)
    except (BrokenPipeError, ConnectionResetError, _ClientGone):
        pass
    return sent


class _ClientGone(OSError):
    """The client has closed the connection while a script was playing."""


def _pause(connection: socket.socket, seconds: float) -> None:
    """Sleep, but end the script when the client closes."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        connection.settimeout(left)
        try:
            if not connection.recv(65536):
                raise _ClientGone
        except TimeoutError:
            break
    connection.settimeout(2)


def _wait_for_close(connection: socket.socket) -> None:
    while connection.recv(65536):
        pass
