"""A real HTTP server on 127.0.0.1 for tests and the demo: it serves the rows it is given, and nothing else.

    with LocalServer({"/feed.xml": Row(body, (("Content-Type", "text/xml"),))}) as server:
        XmlReader(server.url("/feed.xml"))

Every header is sent exactly as the row gives it: none is added but Content-Length and Connection, so a
response can have no Content-Type, or two of them. A row may set its own Content-Length.
"""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Self

__all__ = ["LocalServer", "Row"]


class Row(NamedTuple):
    """What one path answers."""

    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    """In order, names and values as they go over the wire (ISO-8859-1); the same name may stand twice."""
    status: int = 200

    @classmethod
    def typed(cls, body: bytes, content_type: str | None) -> Row:
        """A row with this Content-Type; None or "" sends none."""
        return cls(body, (("Content-Type", content_type),) if content_type else ())


class LocalServer:
    """Serves `rows` (path to row) from a thread between `__enter__` and `__exit__`; other paths are 404."""

    def __init__(self, rows: Mapping[str, Row]) -> None:
        self.rows = dict(rows)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self.rows))
        self._server.daemon_threads = True
        # The default poll of half a second would be the time that every test with a server takes to stop.
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def url(self, path: str) -> str:
        """The URL of a path that starts with "/"."""
        return f"http://127.0.0.1:{self._server.server_address[1]}{path}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(rows: Mapping[str, Row]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_GET(self) -> None:
            row = rows.get(self.path.partition("?")[0], Row(b"", (), 404))
            # Not send_response: that one adds Server and Date.
            self.send_response_only(row.status)
            for name, value in row.headers:
                self.send_header(name, value)
            if "content-length" not in {name.lower() for name, _ in row.headers}:
                self.send_header("Content-Length", str(len(row.body)))
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command == "GET":
                self._send(row.body)

        do_HEAD = do_GET

        def _send(self, body: bytes) -> None:
            try:
                self.wfile.write(body)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # a client that has seen enough

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler
