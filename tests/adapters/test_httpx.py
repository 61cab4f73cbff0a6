"""feedcharset.adapters.httpx on real clients and a real server."""

from __future__ import annotations

import asyncio
import gzip

import pytest
from support.documents import Document, served
from support.faults import FEED, SCRIPTS
from support.faulty_server import Close, FaultyServer, Script, Send
from support.local_server import LocalServer, Row
from support.without import title_of

from feedcharset import FetchError, TooLarge, TruncatedBody, XmlReader, decode

httpx = pytest.importorskip("httpx")

from feedcharset.adapters import httpx as adapter  # noqa: E402

BODY = "<rss><title>Wörter</title></rss>".encode("latin-1")


def pages() -> dict[str, Row]:
    return {f"/{at}": Row.typed(one.octets, one.content_type) for at, one in enumerate(served())}


def test_a_response_that_was_read_and_one_that_is_streamed() -> None:
    rows = pages()
    with LocalServer(rows) as server, httpx.Client(verify=False) as client:
        for path, document in zip(rows, served(), strict=True):
            assert title_of(adapter.read_response(client.get(server.url(path))).text) == document.title
            with client.stream("GET", server.url(path)) as response:
                assert title_of(adapter.read_response(response).text) == document.title


def test_async_responses() -> None:
    rows = pages()

    async def titles(server: LocalServer) -> list[tuple[str, str]]:
        found = []
        async with httpx.AsyncClient(verify=False) as client:
            for path in rows:
                read = adapter.read_response(await client.get(server.url(path)))
                async with client.stream("GET", server.url(path)) as response:
                    streamed = await adapter.aread_response(response)
                found.append((title_of(read.text), title_of(streamed.text)))
        return found

    def expected(document: Document) -> tuple[str, str]:
        return (document.title, document.title)

    with LocalServer(rows) as server:
        assert asyncio.run(titles(server)) == list(map(expected, served()))


@pytest.mark.parametrize("max_bytes", [len(BODY), len(BODY) - 1, None])
def test_the_size_of_the_body_is_limited(max_bytes: int | None) -> None:
    with (
        LocalServer({"/": Row.typed(BODY, "text/xml")}) as server,
        httpx.Client(verify=False) as client,
        client.stream("GET", server.url("/")) as response,
    ):
        if max_bytes is None or max_bytes == len(BODY):
            assert "Wörter" in adapter.read_response(response, max_bytes=max_bytes).text
            return
        with pytest.raises(TooLarge, match="pass a larger max_bytes=") as caught:
            adapter.read_response(response, max_bytes=max_bytes)
        assert caught.value.limit == "decoded"
        assert caught.value.url == server.url("/")


def test_two_fields_are_joined() -> None:
    headers = (("Content-Type", "text/xml"), ("Content-Type", "text/xml; charset=ISO-8859-1"))
    with LocalServer({"/": Row(BODY, headers)}) as server, httpx.Client(verify=False) as client:
        resolution = adapter.read_response(client.get(server.url("/"))).resolution
        assert resolution.facts.content_type == "text/xml, text/xml; charset=ISO-8859-1"


def test_an_unread_async_response_is_refused_with_what_to_do() -> None:
    async def read(url: str) -> None:
        async with httpx.AsyncClient(verify=False) as client, client.stream("GET", url) as response:
            with pytest.raises(TypeError, match=r"use await aread_response"):
                adapter.read_response(response)

    with LocalServer({"/": Row.typed(BODY, "text/xml")}) as server:
        asyncio.run(read(server.url("/")))


@pytest.mark.parametrize("part", [True, False])
def test_a_body_that_was_read_and_not_kept(part: bool) -> None:
    async def read(url: str) -> None:
        async with httpx.AsyncClient(verify=False) as client:
            async with client.stream("GET", url) as response:
                if part:
                    await anext(response.aiter_bytes(3))
                    with pytest.raises(TypeError, match=r"read before"):
                        await adapter.aread_response(response)
            with pytest.raises(TypeError, match=r"pass it unread, or after `response\.read\(\)`"):
                await adapter.aread_response(response)

    with LocalServer({"/": Row.typed(BODY, "text/xml")}) as server, httpx.Client(verify=False) as client:
        asyncio.run(read(server.url("/")))
        with client.stream("GET", server.url("/")) as response:
            if part:
                next(response.iter_bytes(3))
            else:
                response.close()
            with pytest.raises(TypeError, match=r"read before"):
                adapter.read_response(response)


def test_options_of_decode_are_passed_on() -> None:
    with LocalServer({"/": Row.typed(BODY, "text/xml")}) as server, httpx.Client(verify=False) as client:
        read = adapter.read_response(client.get(server.url("/")), encoding="KOI8-R")
        assert (read.resolution.rule, read.text) == ("forced", BODY.decode("koi8-r"))


@pytest.mark.parametrize("script", ["gzip-without-trailer", "deflate-truncated", "gzip-without-octets"])
def test_compressed_data_without_its_end(script: str) -> None:
    async def streamed(url: str) -> str:
        async with httpx.AsyncClient(verify=False) as client, client.stream("GET", url) as response:
            return (await adapter.aread_response(response)).text

    with FaultyServer(SCRIPTS[script]) as server:
        for read in (
            lambda: asyncio.run(streamed(server.url)),
            lambda: adapter.read_response(httpx.get(server.url, verify=False)).text,
        ):
            if script == "gzip-without-octets":
                assert read() == ""
                continue
            with pytest.raises(TruncatedBody, match="ended before its end mark") as caught:
                read()
            assert caught.value.partial.startswith(FEED[:30])


def test_brotli_without_its_end_and_a_coding_without_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = pytest.importorskip("brotli").compress(FEED)
    known = httpx._models.SUPPORTED_DECODERS
    monkeypatch.setattr(httpx._models, "SUPPORTED_DECODERS", {"br": known["br"]})
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: {}\r\n\r\n"
    for coding, error in (
        ("br", "ended before its end mark"),
        ("zstd", "not removed the Content-Encoding .zstd"),
    ):
        script = Script((Send(head.format(coding).encode() + packed[:-5]), Close()))
        with FaultyServer(script) as server, pytest.raises(FetchError, match=error):
            adapter.read_response(httpx.get(server.url, verify=False))


def test_two_codings_are_refused() -> None:
    async def streamed(url: str) -> None:
        async with httpx.AsyncClient(verify=False) as client, client.stream("GET", url) as response:
            await adapter.aread_response(response)

    with FaultyServer(SCRIPTS["gzip-nested"]) as server:
        with pytest.raises(FetchError, match="compressed 2 times"):
            asyncio.run(streamed(server.url))
        with (
            httpx.stream("GET", server.url, verify=False) as response,
            pytest.raises(FetchError, match="compressed 2 times"),
        ):
            adapter.read_response(response)
        assert "Café" in adapter.read_response(httpx.get(server.url, verify=False)).text


@pytest.mark.parametrize("coding", ["gzip", "identity"])
def test_a_body_that_was_taken_from_the_stream_beneath(coding: str) -> None:
    """httpx does not count these bytes."""
    body = gzip.compress(FEED) if coding == "gzip" else FEED
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: %b\r\nContent-Length: %d\r\n\r\n" % (
        coding.encode(),
        len(body),
    )
    with (
        FaultyServer(Script((Send(head + body), Close()))) as server,
        httpx.Client(verify=False) as client,
        client.stream("GET", server.url) as response,
    ):
        next(iter(response.stream))
        with pytest.raises(TruncatedBody), XmlReader(response) as reader:
            reader.read()


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_length_of_a_streamed_body(method: str) -> None:
    """A part may have been taken from the stream beneath. The answer to HEAD has none."""
    body = FEED if method == "GET" else b""
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(FEED)
    pause = Script((Send(head + body[:9]), Send(body[9:]), Close()))
    for taken in (0, 1):
        with (
            FaultyServer(pause) as server,
            httpx.Client(verify=False) as client,
            client.stream(method, server.url) as response,
        ):
            beneath = iter(response.stream)
            if taken and method == "GET":
                next(beneath)
                with pytest.raises(TruncatedBody, match="a part was read before"):
                    adapter.read_response(response)
            else:
                assert adapter.read_response(response).text == decode(body).text
