"""The recipes of docs/how-to/http.md do what they say."""

from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support.faults import FEED, SCRIPTS
from support.faulty_server import FaultyServer
from support.local_server import LocalServer, Row

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PAGE = Path(__file__).parent.parent.parent / "docs" / "how-to" / "http.md"
TEXT = FEED.decode().replace(" encoding='UTF-8'", " " * 17)


def recipe(name: str) -> Any:
    """A function of the page."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    (block,) = [block for block in blocks if f"def {name}(" in block]
    names: dict[str, Any] = {}
    exec(block, names)
    return names[name]


def test_fetch_if_new() -> None:
    fetch_if_new = recipe("fetch_if_new")
    with LocalServer({"/feed": Row(FEED, (("ETag", '"7"'),))}) as server:
        assert fetch_if_new(server.url("/feed")) == (TEXT, '"7"')
    with FaultyServer(SCRIPTS["not-modified"]) as unchanged:
        assert fetch_if_new(unchanged.url, '"7"') is None
    assert b'If-None-Match: "7"\r\n' in unchanged.requests[0]


def test_read_what_came() -> None:
    with FaultyServer(SCRIPTS["length-too-long"]) as server:
        assert recipe("read_what_came")(server.url) == TEXT
    with FaultyServer(SCRIPTS["honest"]) as server:
        assert recipe("read_what_came")(server.url) == TEXT


class Client:
    """As much of httpx.AsyncClient as the recipe asks for."""

    headers: dict[str, str] = {"Content-Type": "application/xml"}  # noqa: RUF012

    @asynccontextmanager
    async def stream(self, method: str, url: str, *, follow_redirects: bool) -> AsyncIterator[Client]:
        assert (method, url, follow_redirects) == ("GET", "https://feeds.example/", True)
        yield self

    def raise_for_status(self) -> None:
        pass

    async def aiter_bytes(self) -> AsyncIterator[bytes]:
        for start in range(0, len(FEED), 7):
            yield FEED[start : start + 7]


def test_read_feed() -> None:
    assert asyncio.run(recipe("read_feed")(Client(), "https://feeds.example/")) == (TEXT, "UTF-8")
