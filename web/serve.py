"""Serve a folder on 127.0.0.1: `python web/serve.py FOLDER [PORT]`. Any other static server does as well."""

from __future__ import annotations

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class _Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Print nothing for a request."""


def main(folder: str, port: str = "8000") -> None:
    """Serve until Ctrl-C; where the port is taken, say so."""
    try:
        server = ThreadingHTTPServer(("127.0.0.1", int(port)), partial(_Handler, directory=folder))
    except OSError as error:
        raise SystemExit(f"port {port}: {error.strerror}; take another: make web PORT=8001") from None
    print(f"http://127.0.0.1:{server.server_port}/  (Ctrl-C ends it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        server.server_close()


if __name__ == "__main__":
    main(*sys.argv[1:])
