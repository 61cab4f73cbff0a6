"""A headless Chromium, driven through a pipe: pages are opened, measured and photographed."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

__all__ = ["Chromium", "find"]

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
)


def find() -> str | None:
    """The path of Chromium, or None."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


class Chromium:
    """One browser with one tab.

    Raises:
        FileNotFoundError: there is none.
        RuntimeError: it refuses a command.
    """

    def __init__(self) -> None:
        path = find()
        if path is None:
            raise FileNotFoundError("Chromium is not installed")
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs, self._write = os.pipe()
        self._read, their_write = os.pipe()
        command = ["bash", "-c", f'exec "$@" 3<&{theirs} 4>&{their_write}', "bash", path, *FLAGS]
        self._process = subprocess.Popen(
            [*command, f"--user-data-dir={self._folder.name}"],
            pass_fds=(theirs, their_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        os.close(their_write)
        self._buffer = b""
        self._number = 0
        self._session = ""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.send("Page.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(10)
        os.close(self._write)
        os.close(self._read)
        self._folder.cleanup()

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command of the DevTools protocol and wait for its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        return dict(self._wait(lambda answer: answer.get("id") == message["id"]).get("result", {}))

    def look(self, width: int, dark: bool, height: int = 900) -> None:
        """Set the width and height of the screen in pixels, and the preference for dark pages."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self.send("Page.navigate", url=url)
        self._wait(lambda answer: answer.get("method") == "Page.loadEventFired")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression of JavaScript; of a promise, what it resolves to."""
        found = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"])
        return found.get("result", {}).get("value")

    def photograph(self, path: Path, *, whole: bool = True) -> None:
        """Write a PNG of the page; without `whole`, of what the screen shows."""
        data = self.send("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))

    def _wait(self, wanted: Any) -> dict[str, Any]:
        while True:
            while b"\0" not in self._buffer:
                piece = os.read(self._read, 1 << 20)
                if not piece:
                    raise RuntimeError("Chromium has ended")
                self._buffer += piece
            line, _, self._buffer = self._buffer.partition(b"\0")
            answer = json.loads(line)
            if "error" in answer:
                raise RuntimeError(answer["error"])
            if wanted(answer):
                return dict(answer)
