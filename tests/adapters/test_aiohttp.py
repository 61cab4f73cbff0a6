"""feedcharset.adapters.aiohttp on a real client and a real server."""

from __future__ import annotations

import asyncio
import gzip
import pickle
import zlib
from typing import Any

import pytest
from support.documents import served
from support.local_server import LocalServer, Row
from support.without import title_of

from feedcharset import FetchError, TooLarge, XmlReader, decode

aiohttp = pytest.importorskip("aiohttp")

from feedcharset.adapters import aiohttp as adapter  # noqa: E402


def test_a_response_that_was_read_and_one_that_was_not() -> None:
    documents = served()
    rows = {f"/{at}": Row.typed(one.octets, one.content_type) for at, one in enumerate(documents)}

    async def titles(server: LocalServer, read_first: bool) -> list[str]:
        found = []
        async with aiohttp.ClientSession() as session:
            for path in rows:
                async with session.get(server.url(path)) as response:
                    if read_first:
                        await response.read()
                    found.append(title_of((await adapter.aread_response(response)).text))
        return found

    with LocalServer(rows) as server:
        for read_first in (False, True):
            assert asyncio.run(titles(server, read_first)) == [document.title for document in documents]


@pytest.mark.parametrize("read_first", [False, True])
@pytest.mark.parametrize("size", [10, 200_000])
def test_the_size_of_the_body_is_limited(size: int, read_first: bool) -> None:
    async def read(url: str, max_bytes: int | None) -> str:
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            if read_first:
                await response.read()
            return str((await adapter.aread_response(response, max_bytes=max_bytes)).text)

    with LocalServer({"/": Row.typed(b" " * size, "text/xml")}) as server:
        assert asyncio.run(read(server.url("/"), size)) == " " * size
        assert asyncio.run(read(server.url("/"), None)) == " " * size
        with pytest.raises(TooLarge):
            asyncio.run(read(server.url("/"), size - 1))


@pytest.mark.parametrize("options", [{"max_bytes": 5}, {"lenient": False}])
def test_an_error_can_be_pickled(options: dict[str, Any]) -> None:
    async def read(url: str) -> None:
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            await adapter.aread_response(response, **options)

    with LocalServer({"/": Row.typed(gzip.compress(b"<rss/>")[:-4], "text/xml")}) as server:
        with pytest.raises(FetchError) as caught:
            asyncio.run(read(server.url("/")))
        copied = pickle.loads(pickle.dumps(caught.value))
        assert copied.headers["content-type"] == caught.value.headers["content-type"] == "text/xml"


def test_what_is_known_of_a_response_can_be_pickled() -> None:
    async def read(url: str) -> Any:
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            await response.read()
            with XmlReader(response) as reader:
                return reader.response

    with LocalServer({"/": Row.typed(b"<rss/>", "text/xml")}) as server:
        known = asyncio.run(read(server.url("/")))
        assert pickle.loads(pickle.dumps(known)) == known


SHORT = (
    b"OK",
    b"\n",
    "<rss><t>hello</t></rss>".encode("cp037"),
    "Erreur : déjà vu".encode("cp1252"),
    b"x" * 40,
)


@pytest.mark.parametrize("body", SHORT)
@pytest.mark.parametrize("coding", ["deflate", "br"])
def test_a_short_body_whose_coding_was_removed(coding: str, body: bytes) -> None:
    """Where it was not, its bytes show that: aiohttp does not."""
    pack = {"deflate": zlib.compress, "br": pytest.importorskip("brotli").compress}[coding]
    row = Row(pack(body), (("Content-Type", "text/xml"), ("Content-Encoding", coding)))

    async def read(url: str, removed: bool) -> Any:
        async with aiohttp.ClientSession(auto_decompress=removed) as session, session.get(url) as response:
            return await adapter.aread_response(response)

    with LocalServer({"/": row}) as server:
        assert asyncio.run(read(server.url("/"), True)).text == decode(body, "text/xml").text
        with pytest.raises(FetchError, match="has not removed"):
            asyncio.run(read(server.url("/"), False))


def test_a_body_that_was_kept_is_read_after_the_response_was_closed() -> None:
    async def read(url: str) -> str:
        async with aiohttp.ClientSession() as session:
            async with session.get(url) as response:
                await response.read()
            assert (await adapter.aread_response(response)).text
            return str((await adapter.aread_response(response)).text)

    with LocalServer({"/": Row.typed(b" " * 50_000, "text/xml")}) as server:
        assert asyncio.run(read(server.url("/"))) == " " * 50_000


@pytest.mark.parametrize("size", [None, 1, 10, -1])
def test_a_body_that_was_read_and_not_kept(size: int | None) -> None:
    async def read(url: str) -> None:
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            if size is None:
                response.release()
            else:
                await response.content.read(size)
            await adapter.aread_response(response)

    with (
        LocalServer({"/": Row.typed(b"<rss/>" * 9, "text/xml")}) as server,
        pytest.raises(TypeError, match=r"read before.*pass it unread, or after `await response\.read\(\)`"),
    ):
        asyncio.run(read(server.url("/")))
