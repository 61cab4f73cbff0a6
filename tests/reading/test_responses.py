"""Responses of the clients that people use, and what stands in odd ones: real clients, a real server."""

from __future__ import annotations

import asyncio
import bz2
import gc
import gzip
import http.client
import io
import lzma
import random
import time
import urllib.request
import zlib
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import aiohttp
import httpx
import pytest
import requests
import urllib3
from support.each import each
from support.faults import FEED as FAULTY
from support.faults import SCRIPTS
from support.faulty_server import Close, Drip, FaultyServer, Reset, Script, Send, Silence, Step
from support.local_server import LocalServer, Row

from feedcharset import (
    DeadlineExceeded,
    FetchError,
    HTTPStatusError,
    Limits,
    TooLarge,
    TruncatedBody,
    XmlReader,
    check,
    parse,
)
from feedcharset.adapters.aiohttp import aread_response
from feedcharset.adapters.httpx import read_response
from feedcharset.adapters.requests import use_feedcharset
from feedcharset.fetch import deadline, response_body
from feedcharset.fetch.gunzip import GZIP_MAGIC, is_unfinished
from feedcharset.reading import byte_streams
from feedcharset.reading.sources import content_type_of, response_info

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TEXT = "<r>Вести с полей</r>"
BODY = TEXT.encode("koi8-r")
TYPED = ("Content-Type", "text/xml;charset=koi8-r")
httpx_get = partial(httpx.get, verify=False)
"""The servers here have no certificate, and each client reads all that it would trust: 28 ms."""
BOMB = gzip.compress(b"<r>" + b" " * (8 << 20) + b"</r>", 1, mtime=0)
NOISE = gzip.compress(b"<r>" + b"".join(b"%d" % (n * n) for n in range(400_000)) + b"</r>", 1, mtime=0)
ROWS = {
    "/feed": Row(BODY, (TYPED,)),
    "/coded": Row(gzip.compress(BODY), (TYPED, ("Content-Encoding", "gzip"))),
    "/packed": Row(gzip.compress(BODY), (TYPED,)),
    "/twice": Row(gzip.compress(gzip.compress(BODY)), (TYPED, ("Content-Encoding", "gzip"))),
    "/bomb": Row(BOMB, (("Content-Type", "text/xml"),)),
    "/double-bomb": Row(gzip.compress(BOMB, 1), (("Content-Type", "text/xml"), ("Content-Encoding", "gzip"))),
    "/noise": Row(NOISE, (("Content-Type", "application/gzip"),)),
    "/cut": Row(NOISE[:50_000], (("Content-Type", "text/xml"), ("Content-Length", "60000"))),
    "/moved": Row(b"", (("Location", "/found"),), 301),
    "/found": Row(b"", (("Location", "/feed"), ("ETag", '"1"')), 302),
    "/part": Row(BODY[:10], (TYPED, ("Content-Range", f"bytes 0-9/{len(BODY)}")), 206),
    **{
        f"/coding/{name.replace(', ', '+')}": Row(BODY, (TYPED, ("Content-Encoding", name)))
        for name in ("none", "utf-8", "UTF-8", "binary", "8bit", "identity", "none, utf-8", "foo", "text/xml")
    },
}


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    with LocalServer(ROWS) as running:
        yield running


# -- clients ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/feed", "/coded", "/packed", "/twice", "/moved"])
def test_requests_and_httpx(server: LocalServer, path: str) -> None:
    for stream in (False, True):
        with requests.get(server.url(path), stream=stream) as response, XmlReader(response) as reader:
            assert reader.read() == TEXT
    with httpx.Client(follow_redirects=True, verify=False) as client:
        for function in (XmlReader, XmlReader.from_response):
            with function(client.get(server.url(path))) as reader:
                assert (reader.read(), reader.encoding) == (TEXT, "KOI8-R")
                assert reader.response.status == 200
        with client.stream("GET", server.url(path)) as response, XmlReader(response) as reader:
            assert reader.read() == TEXT
        assert check(client.get(server.url(path))).resolution.encoding == "KOI8-R"
        assert parse(client.get(server.url(path))).getroot().text == "Вести с полей"


def test_urllib(server: LocalServer) -> None:
    with urllib.request.urlopen(server.url("/moved")) as response, XmlReader(response) as reader:
        assert reader.read() == TEXT
        assert (reader.response.status, reader.url) == (200, server.url("/feed"))


@each("client", ["url", "requests", "urllib", "urllib3"])
def test_an_error_of_gzip_without_a_coding_has_what_was_unpacked(client: str) -> None:
    """urllib and urllib3 are read by the limits of files."""
    bodies = {"/bomb": gzip.compress(b" " * (4 << 20)), "/cut": gzip.compress(BODY)[:-4]}
    with LocalServer({path: Row(body, (TYPED,)) for path, body in bodies.items()}) as local:
        for path, lenient, size in (("/bomb", True, 1 << 20), ("/cut", False, len(BODY))):
            url = local.url(path)
            opened = nullcontext(url) if client == "url" else streamed(client, url)
            with (
                opened as source,
                pytest.raises(FetchError) as refused,
                XmlReader(source, lenient=lenient) as reader,
            ):
                reader.read()
            error = refused.value
            assert (len(error.partial), error.headers["Content-Type"]) == (size, TYPED[1])
            assert error.url is not None
            assert url.endswith(error.url)
            assert str(error).startswith(f"{error.url}: ")


@pytest.mark.parametrize("names", [["identity", "deflate"], ["none", "deflate"], ["gzip", "deflate"]])
def test_urllib_with_a_coding_in_several_fields(names: list[str]) -> None:
    body = zlib.compress(BODY)
    row = Row(body, (TYPED, *(("Content-Encoding", name) for name in names)))
    with LocalServer({"/": row}) as local, urllib.request.urlopen(local.url("/")) as response:
        refused = pytest.raises(FetchError) if names == ["gzip", "deflate"] else nullcontext()
        with refused, XmlReader(response) as reader:
            assert reader.read() == TEXT


@pytest.mark.parametrize(
    "script",
    [
        *("length-too-long", "chunked-cut-between", "chunked-cut-within", "chunk-size-negative"),
        "chunk-size-minus-huge",  # an OverflowError in http.client
    ],
)
def test_urllib_cut(script: str) -> None:
    with (
        FaultyServer(SCRIPTS[script]) as faulty,
        urllib.request.urlopen(faulty.url) as response,
        pytest.raises(TruncatedBody, match="before its announced end") as caught,
        XmlReader(response) as reader,
    ):
        reader.read()
    if not script.startswith("chunk-size"):  # http.client reads on there
        assert caught.value.partial == (FAULTY if script == "length-too-long" else FAULTY[:30])
    assert caught.value.url == response.url
    assert caught.value.headers is response.headers


BEGUN = b"<?xml version='1.0'?>\n<rss>\n" + b"<item>text</item>\n" * 200
_packer = zlib.compressobj(wbits=31)
PACKED = _packer.compress(BEGUN) + _packer.flush(zlib.Z_SYNC_FLUSH)
PAUSING = {
    "chunked": (b"Transfer-Encoding: chunked", b"%x\r\n%s\r\n" % (len(BEGUN), BEGUN)),
    "length": (b"Content-Length: 100000", BEGUN),
    "close": (b"Connection: close", BEGUN),
    "gzip": (b"Content-Encoding: gzip", PACKED),
    "gzip file": (b"Connection: close", PACKED),
}


def pausing(name: str, *after: Step) -> Script:
    field, body = PAUSING[name]
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n%s\r\n\r\n" % field
    return Script((Send(head + body[:50]), Silence(0.02), Send(body[50:]), *after))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", PAUSING)
@pytest.mark.parametrize(
    "opened",
    [
        lambda url: url,
        lambda url: requests.get(url, stream=True),
        urllib.request.urlopen,
        lambda url: urllib3.request("GET", url, preload_content=False),
    ],
    ids=["url", "requests", "urlopen", "urllib3"],
)
def test_what_has_arrived_is_given_while_the_server_is_silent(
    opened: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(byte_streams, "PAUSE", 0.2)
    with FaultyServer(pausing(name, Silence())) as faulty, XmlReader(opened(faulty.url)) as reader:
        assert [reader.readline() for _ in range(3)] == BEGUN.decode().splitlines(True)[:3]
        with reader.utf8() as stream:
            assert b"".join(iter(stream.readline, b"<item>text</item>\n")) == b""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("wait", [0.0, 0.3], ids=["while it is waited for", "before it is asked for"])
@pytest.mark.parametrize("opened", [lambda url: url, lambda url: requests.get(url, stream=True)])
def test_a_reset_after_what_has_arrived(opened: Any, wait: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system reports it once."""

    def late(raw: object, seconds: float) -> bool | None:
        time.sleep(wait)
        return deadline.is_waiting(raw, seconds)

    monkeypatch.setattr(response_body, "is_waiting", late)
    with FaultyServer(pausing("close", Silence(0.1), Reset())) as faulty:
        with XmlReader(opened(faulty.url)) as reader:
            assert reader.read(len(BEGUN)) == BEGUN.decode()
            for _ in range(2):
                with pytest.raises(TruncatedBody) as caught:
                    reader.read(1)
        assert (caught.value.partial, caught.value.headers["Content-Type"]) == (BEGUN, "text/xml")


def test_what_is_kept_of_a_cut_response_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feedcharset.fetch.gunzip.PARTIAL_LIMIT", 10)
    with (
        FaultyServer(SCRIPTS["length-too-long"]) as faulty,
        urllib.request.urlopen(faulty.url) as response,
        pytest.raises(TruncatedBody) as caught,
        XmlReader(response) as reader,
    ):
        reader.read()
    assert caught.value.partial == FAULTY[:10]


def test_a_response_of_http_client() -> None:
    with (
        FaultyServer(SCRIPTS["length-too-long"]) as faulty,
        closing(http.client.HTTPConnection("127.0.0.1", faulty.port, timeout=10)) as connection,
    ):
        connection.request("GET", "/")
        with (
            connection.getresponse() as response,
            pytest.raises(TruncatedBody),
            XmlReader(response) as reader,
        ):
            reader.read()


def test_aiohttp_and_asynchronous_httpx(server: LocalServer) -> None:
    async def run() -> None:
        async with aiohttp.ClientSession() as session, session.get(server.url("/moved")) as response:
            with pytest.raises(TypeError, match=r"write `await response\.read\(\)`"):
                XmlReader(response)
            await response.read()
            with XmlReader(response) as reader:
                assert (reader.read(), reader.encoding) == (TEXT, "KOI8-R")
                assert [one.status for one in reader.response.history] == [301, 302]
        async with (
            httpx.AsyncClient(verify=False) as client,
            client.stream("GET", server.url("/feed")) as response,
        ):
            with pytest.raises(TypeError, match=r"write `await response\.aread\(\)`"):
                XmlReader(response)
            await response.aread()
            with XmlReader(response) as reader:
                assert reader.read() == TEXT

    asyncio.run(run())


def read_before(reader: Any) -> None:
    with XmlReader(reader) as first:
        assert first.read() == TEXT


TAKES = {
    "requests": (
        lambda response: next(response.iter_content(10)),
        lambda response: list(response.iter_lines()),
        lambda response: response.raw.read(1),
        lambda response: response.close(),
        read_before,
    ),
    "httpx": (
        lambda response: next(response.iter_bytes(10)),
        lambda response: next(response.iter_raw(10)),
        lambda response: response.close(),
        read_before,
    ),
    "urllib3": (
        lambda response: response.read(1),
        lambda response: next(response.stream(10)),
        lambda response: response.close(),
        read_before,
    ),
    "urllib": (
        lambda response: response.read(1),
        lambda response: response.read(),
        lambda response: response.readlines(),
        lambda response: response.read1(100_000),
        lambda response: response.close(),
        read_before,
    ),
}
"""Ways to take a part of a response, or the whole, that keep nothing."""

KEPT = {
    "requests": lambda response: response.content,
    "httpx": lambda response: response.read(),
    "urllib3": lambda response: response.data,
}


@contextmanager
def streamed(client: str, url: str) -> Iterator[Any]:
    """A response whose body was not read."""
    if client == "httpx":
        with httpx.stream("GET", url, verify=False) as response:
            yield response
    elif client == "requests":
        with requests.get(url, stream=True) as response:
            yield response
    elif client == "urllib3":
        with urllib3.request("GET", url, preload_content=False) as response:
            yield response
    else:
        with urllib.request.urlopen(url) as response:
            yield response


@pytest.mark.parametrize("path", ["/feed", "/packed", "/coded"])
@pytest.mark.parametrize(("client", "take"), [(client, take) for client in TAKES for take in TAKES[client]])
def test_a_response_that_was_read_is_not_read_again(
    server: LocalServer, client: str, take: Callable[[Any], Any], path: str
) -> None:
    with streamed(client, server.url(path)) as response:
        take(response)
        with pytest.raises(TypeError, match="read before, at least in part, or closed; request it again"):
            XmlReader(response)
        if client in KEPT:
            with pytest.raises(TypeError, match="or after `response"):
                check(response)
        if client == "requests":  # it gives the rest
            with suppress(RuntimeError, requests.RequestException):
                _ = response.content
            with pytest.raises(TypeError, match="read before"):
                XmlReader(response)


@each("framing", ["Content-Length: {}\r\n", "Transfer-Encoding: chunked\r\n"])
@each("kind", ["", "closed", "empty", "cut", "HEAD", "204"])
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_closed_response_of_requests_whose_content_is_empty(framing: str, kind: str) -> None:
    """`response.content` of it is b"", which is no empty document. A cut one gives it the second time."""
    body = b"" if kind == "empty" else BODY
    is_chunked = "chunked" in framing
    sent = (b"%x\r\n%b\r\n" % (len(body), body) if body else b"") + b"0\r\n\r\n" if is_chunked else body
    sent = sent[:-5] if kind == "cut" else b"" if kind in ("HEAD", "204") else sent
    status = "204 No Content" if kind == "204" else "200 OK"
    head = f"HTTP/1.1 {status}\r\nConnection: close\r\n{framing.format(len(body))}\r\n".encode()
    with FaultyServer(Script((Send(head + sent), Close()))) as server:
        response = requests.request("HEAD" if kind == "HEAD" else "GET", server.url, stream=True)
        if kind == "closed":
            response.close()
        for _ in range(2):
            with suppress(requests.RequestException):
                _ = response.content
        lost = kind in ("closed", "cut")
        with pytest.raises(TypeError, match="read before") if lost else nullcontext():
            assert XmlReader(response).read() == ("" if kind else BODY.decode("koi8-r"))


@pytest.mark.parametrize("path", ["/feed", "/packed", "/coded"])
def test_the_rest_of_what_a_reader_has_read_is_no_body(server: LocalServer, path: str) -> None:
    response = requests.get(server.url(path), stream=True)
    with XmlReader(response) as reader:
        assert reader.read(3) == TEXT[:3]
    with suppress(RuntimeError):
        _ = response.content
    with pytest.raises(TypeError, match="read before, at least in part"):
        XmlReader(response)


@pytest.mark.parametrize("path", ["/feed", "/packed", "/coded"])
def test_the_rest_of_what_aiohttp_has_read_in_part_is_no_body(server: LocalServer, path: str) -> None:
    async def read(part: int) -> Any:
        async with aiohttp.ClientSession() as session, session.get(server.url(path)) as response:
            if part:
                with pytest.raises(TooLarge):
                    await aread_response(response, max_bytes=part)
            await response.read()
            return response

    for source in (parse, lambda response: asyncio.run(aread_response(response))):
        source(asyncio.run(read(0)))
        with pytest.raises(TypeError, match="read before, at least in part"):
            source(asyncio.run(read(1)))


@pytest.mark.parametrize("module", ["h2.exceptions", "hpack.exceptions", "hyperframe.exceptions"])
def test_an_error_of_http2_is_one_of_the_download(module: str) -> None:
    """httpx lets them pass."""
    error = type("ProtocolError", (Exception,), {"__module__": module})

    class Stream(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b"<a>"
            raise error("Expected 100 bytes, received 3")

    transport = httpx.MockTransport(lambda request: httpx.Response(200, stream=Stream()))
    with (
        httpx.Client(transport=transport) as client,
        client.stream("GET", "https://x.example/") as response,
        pytest.raises(TruncatedBody, match="Expected 100 bytes, received 3") as caught,
        XmlReader(response) as reader,
    ):
        reader.read()
    assert caught.value.partial == b"<a>"


@pytest.mark.parametrize("path", ["/feed", "/packed", "/coded"])
@pytest.mark.parametrize("take", TAKES["requests"][:-1])
def test_a_body_that_a_hook_of_the_session_has_read_is_an_error(
    server: LocalServer, take: Callable[[Any], Any], path: str
) -> None:
    with requests.Session() as session:
        session.hooks["response"].append(lambda response, **_: take(response) and None)
        with pytest.raises(FetchError, match="has read the body, at least in part, or closed it"):
            XmlReader(server.url(path), session=session)
        session.hooks["response"][:] = [lambda response, **_: response.content and None]
        with XmlReader(server.url(path), session=session) as reader:
            assert reader.read() == TEXT


@pytest.mark.parametrize("path", ["/feed", "/packed", "/coded"])
@pytest.mark.parametrize("client", KEPT)
def test_a_response_that_kept_its_body_is_read_as_often_as_wanted(
    server: LocalServer, client: str, path: str
) -> None:
    with streamed(client, server.url(path)) as response:
        KEPT[client](response)
        read_before(response)
        read_before(response)
    read_before(urllib3.request("GET", server.url(path)))


@each("client", ["urllib", "urllib3, unread", "urllib3, raw and unread"])
def test_a_coding_of_a_client_with_its_own_limits_is_bound_and_has_an_end(client: str) -> None:
    bomb, cut = gzip.compress(bytes(8 << 20)), gzip.compress(BODY)[:-1]
    for body, kind, limit in ((bomb, TooLarge, "ratio"), (cut, TruncatedBody, None)):
        with (
            coded(body, "gzip") as local,
            pytest.raises(kind) as caught,
            XmlReader(READ_BY[client](local.url("/"))) as reader,
        ):
            reader.read()
        assert caught.value.limit == limit
        assert limit is None or "unpack its body" in caught.value.advice  # no `Limits` can be raised


BEGIN = {
    "requests": lambda response: response.iter_content(10),
    "urllib3": lambda response: response.stream(10),
    "urllib": lambda response: iter(partial(response.read, 10), b""),
}


@pytest.mark.parametrize("client", BEGIN)
def test_chunks_that_were_read(client: str) -> None:
    with FaultyServer(SCRIPTS["honest-chunked"]) as faulty, streamed(client, faulty.url) as response:
        pieces = BEGIN[client](response)  # closes the response when it is deleted
        next(pieces)
        with pytest.raises(TypeError, match="read before"):
            XmlReader(response)


@each("script", ["empty", "no-content", "empty-close-delimited"])
@each("client", TAKES)
def test_a_response_without_a_body_is_empty(client: str, script: str) -> None:
    with (
        FaultyServer(SCRIPTS[script], patience=0.1) as faulty,
        streamed(client, faulty.url) as response,
        XmlReader(response) as reader,
    ):
        assert reader.read() == ""


def test_scrapy() -> None:
    import scrapy.http

    headers = {"Content-Type": "text/xml;charset=koi8-r"}
    response = scrapy.http.XmlResponse("http://x/", headers=headers, body=BODY)
    assert content_type_of(response.headers) == "text/xml;charset=koi8-r"
    with XmlReader(response.body, content_type=response.headers["Content-Type"]) as reader:
        assert reader.read() == TEXT


def test_the_timeout_of_httpx_itself_is_told_as_such() -> None:
    class Stream(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b"<a>"
            raise httpx.ReadTimeout("timed out")

    transport = httpx.MockTransport(lambda request: httpx.Response(200, stream=Stream()))
    with (
        httpx.Client(transport=transport) as client,
        client.stream("GET", "https://x.example/") as response,
        pytest.raises(DeadlineExceeded, match="its own timeout") as caught,
        XmlReader(response, limits=Limits(read=77)) as reader,
    ):
        reader.read()
    assert (caught.value.partial, caught.value.limit, caught.value.url) == (
        b"<a>",
        None,
        "https://x.example/",
    )
    assert caught.value.advice == "set the timeout of httpx's client"


def test_the_limits_apply_to_httpx(server: LocalServer) -> None:
    limits = Limits(decoded=len(NOISE) + 10)
    with httpx.Client(verify=False) as client:
        with pytest.raises(TooLarge), XmlReader(client.get(server.url("/noise")), limits=limits) as reader:
            reader.read()
        with client.stream("GET", server.url("/noise")) as response:
            with pytest.raises(TooLarge) as caught, XmlReader(response, limits=limits) as reader:
                reader.read()
            assert (caught.value.limit, len(caught.value.partial)) == ("decoded", len(NOISE) + 10)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("headers", [b"Content-Encoding: gzip\r\n", b""])
@pytest.mark.parametrize("more", [bytes(1), gzip.compress(b"")], ids=["zeros", "members"])
def test_the_total_time_ends_httpx_while_nothing_is_unpacked(headers: bytes, more: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\n" + headers + b"\r\n"
    script = Script((Send(head + gzip.compress(BODY)), Drip(more * 400, 0.01, len(more))))
    with (
        FaultyServer(script) as server,
        httpx.stream("GET", server.url, verify=False) as response,
        pytest.raises(DeadlineExceeded) as caught,
        XmlReader(response, limits=Limits(total=0.3)) as reader,
    ):
        reader.read()
    assert caught.value.limit == "total"


@pytest.mark.parametrize("missing", [0, 1])
def test_what_stands_behind_gzip_without_a_label_must_arrive(missing: int) -> None:
    body = gzip.compress(BODY, mtime=0) + b"junk" * 50_000
    fields = b"Content-Type: text/xml;charset=koi8-r\r\nContent-Length: %d\r\n\r\n" % (len(body) + missing)
    cut = pytest.raises(TruncatedBody) if missing else nullcontext()
    script = Script((Send(b"HTTP/1.1 200 OK\r\n" + fields + body), Close()))
    with FaultyServer(script) as server, cut, XmlReader(server.url) as reader:
        assert reader.read() == TEXT


LONG = b"<r>" + b"<i>x</i>" * 40_000 + b"</r>"
FRAMED = {
    "length": b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(LONG) + LONG,
    "chunks": b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    + b"".join(
        b"%x\r\n%b\r\n" % (len(one), one) for one in (LONG[:9000], LONG[9000:90_000], LONG[90_000:], b"")
    ),
    "neither": b"Connection: close\r\n\r\n" + LONG,
}
OPENERS = {
    "requests": lambda url: requests.get(url, stream=True, timeout=20),
    "urllib": lambda url: urllib.request.urlopen(url),
    "urllib3": lambda url: urllib3.request("GET", url, preload_content=False, retries=False),
}


@pytest.mark.parametrize("frames", FRAMED)
@pytest.mark.parametrize("client", OPENERS)
@pytest.mark.parametrize("how", ["close", "read", "part", "part of http.client", ""])
def test_a_response_that_is_closed_or_read_while_its_reader_reads(client: str, frames: str, how: str) -> None:
    """The rest of the document is missing: an error, not its end."""
    with FaultyServer(Script((Send(b"HTTP/1.1 200 OK\r\n" + FRAMED[frames]), Close()))) as server:
        response = OPENERS[client](server.url)
        with closing(response), XmlReader(response) as reader:
            begun = reader.read(3)
            if how == "close":
                response.close()
            elif how.startswith("part"):
                connection = response.raw if client == "requests" else response
                of_client = how != "part" or client == "urllib"
                (getattr(connection, "_fp", connection) if of_client else connection).read(1000)
                if of_client and frames == "neither":
                    return  # nothing counts its bytes
            elif how:
                with suppress(Exception):  # a client is within a chunk, and finds no next one
                    _ = response.content if client == "requests" else response.read()
            if how == "":
                assert begun + reader.read() == LONG.decode()
            else:
                with pytest.raises(TruncatedBody):
                    reader.read()


@pytest.mark.parametrize("frames", ["identity, chunked", ", chunked", "chunked, identity", "\r\n chunked"])
@pytest.mark.parametrize("client", ["urllib", "urllib3"])
def test_chunks_that_a_client_takes_for_text(client: str, frames: str) -> None:
    """http.client knows the word `chunked` only alone."""
    head = f"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: {frames}\r\n\r\n"
    with FaultyServer(Script((Send(head.encode() + b"4\r\n<a/>\r\n0\r\n\r\n"), Close()))) as server:
        response = OPENERS[client](server.url)
        with closing(response), pytest.raises(FetchError, match="unknown framing"):
            XmlReader(response)
        with XmlReader(server.url) as reader:
            assert reader.read() == "<a/>"


CODED = {
    # Content-Encoding, body, is cut
    "gzip": ("gzip", gzip.compress(BODY), False),
    "members and garbage": ("gzip", gzip.compress(BODY[:9]) + gzip.compress(BODY[9:]) + b"junk" * 9, False),
    "empty": ("gzip", b"", False),
    "a byte behind": ("gzip", gzip.compress(BODY) + b"\n", False),
    "1f behind": ("gzip", gzip.compress(BODY) + b"\x1f", True),
    "no trailer": ("gzip", gzip.compress(BODY)[:-8], True),
    "second member": ("gzip", gzip.compress(BODY[:9]) + gzip.compress(BODY[9:])[:-9], True),
    "deflate": ("deflate", zlib.compress(BODY)[:-5], True),
    "gzip behind deflate": ("deflate", zlib.compress(BODY) + gzip.compress(BODY), False),
    "no zlib": ("deflate", zlib.compress(BODY, wbits=-15)[:-2], True),
    "whole zlib": ("deflate", zlib.compress(BODY), False),
    "br": ("br", BODY, True),  # is compressed and cut by the test
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("client", ["requests", "httpx", "requests-cache", "urllib3", "urllib3, unread"])
@pytest.mark.parametrize("name", CODED)
@pytest.mark.parametrize(
    "frames", ["", "Connection: close\r\nTransfer-Encoding: chunked\r\n"], ids=["closed", "chunked"]
)
def test_a_body_that_its_client_has_read(name: str, client: str, frames: str) -> None:
    """No client notices a coding without its end, where the body itself arrived to its end."""
    coding, body, is_cut = CODED[name]
    if coding == "br":
        body = pytest.importorskip("brotli").compress(body)[:-3]
    if frames:
        pieces = [body[at : at + 9] for at in range(0, len(body), 9)]
        body = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in [*pieces, b""])
    fields = f"Content-Type: text/xml;charset=koi8-r\r\n{frames}Content-Encoding: {coding}\r\n\r\n"
    with FaultyServer(Script((Send(b"HTTP/1.1 200 OK\r\n" + fields.encode() + body), Close()))) as server:
        if client == "requests-cache":
            with pytest.importorskip("requests_cache").CachedSession(backend="memory") as session:
                for _ in range(2):
                    response = session.get(server.url)
            assert response.from_cache
            is_cut = False  # what is in the cache has been unpacked
        elif client.startswith("urllib3"):
            response = urllib3.request("GET", server.url, preload_content=client == "urllib3")
        else:
            response = (requests.get if client == "requests" else httpx_get)(server.url)
            is_cut = is_cut or (client == "httpx" and "member" in name)  # it unpacks the first only
        found = pytest.raises(TruncatedBody, match="ended before its end mark") if is_cut else nullcontext()
        with found as caught, XmlReader(response) as reader:
            text = reader.read()
    if is_cut:
        assert TEXT.encode("koi8-r").startswith(caught.value.partial)
    elif client != "requests-cache":
        assert text == (TEXT if name != "empty" else "")


@each("padding", [b"", bytes(1), bytes(3000)], ids=["none", "a zero", "zeros"])
def test_a_member_that_httpx_leaves(padding: bytes) -> None:
    body = gzip.compress(BODY[:9]) + padding
    fields = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml;charset=koi8-r\r\nContent-Encoding: gzip\r\n\r\n"
    damaged = GZIP_MAGIC[:2] + b"\x09" + gzip.compress(BODY[9:])[3:]
    for more in (b"", gzip.compress(BODY[9:]), damaged):
        with FaultyServer(Script((Send(fields + body + more), Close()))) as server:
            assert is_unfinished(httpx_get(server.url)) is (more != b"")
            if more == damaged:
                with pytest.raises(FetchError, match="damaged"), XmlReader(server.url) as reader:
                    reader.read()
                continue
            with XmlReader(urllib3.request("GET", server.url, preload_content=False)) as reader:
                assert reader.read() == (BODY if more else BODY[:9]).decode("koi8-r")


@each("step", [1, 7, 100_000])
def test_what_stands_behind_gzip_begins_a_member_or_is_ignored(step: int) -> None:
    """urllib3 begins another member for it, and notices with its second byte that it is none."""

    def is_cut(behind: bytes) -> bool:
        body = io.BytesIO(gzip.compress(BODY, mtime=0) + behind)
        response = urllib3.HTTPResponse(body, {"Content-Encoding": "gzip"}, preload_content=False)
        while response.read(step):
            pass
        return is_unfinished(response)

    assert [byte for byte in range(256) if is_cut(bytes([byte]))] == [0x1F]
    member = gzip.compress(BODY, mtime=0)
    assert [cut for cut in range(len(member) + 1) if not is_cut(member[:cut])] == [0, len(member)]
    for at in range(len(GZIP_MAGIC), len(member)):  # another magic number is none of a member
        damaged = member[:at] + bytes([member[at] ^ 0x55]) + member[at + 1 :]
        with suppress(zlib.error, EOFError, gzip.BadGzipFile):
            gzip.decompress(damaged)
            continue
        assert is_cut(damaged), at


DAMAGED_MEMBER = gzip.compress(BODY) + gzip.compress(BODY)[:-8] + b"\0" * 8


@each(
    "data",
    [gzip.compress(BODY) + b"\n", gzip.compress(BODY)[:-1], DAMAGED_MEMBER],
    ids=["a byte behind", "cut off", "a damaged member behind"],
)
def test_the_hook_counts_gzip_that_is_cut_off(data: bytes) -> None:
    with coded(data, "gzip") as local, requests.Session() as session:
        session.hooks["response"].append(use_feedcharset)
        for stream in (False, True):
            response: Any = session.get(local.url("/"), stream=stream)
            text = "".join(response.iter_content(9, decode_unicode=True))
            assert text.startswith(TEXT) if data is DAMAGED_MEMBER else text == TEXT
            assert [*response.repairs.kinds] == ([] if data.endswith(b"\n") else [("gzip", 1)])


@pytest.mark.parametrize("coding", ["br", "zstd", "foo"])
def test_a_coding_for_which_a_client_has_no_package(coding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urllib3.HTTPResponse, "CONTENT_DECODERS", ["gzip", "deflate"])
    monkeypatch.setattr("httpx._models.SUPPORTED_DECODERS", {})
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: {coding}\r\n\r\n".encode()
    with FaultyServer(Script((Send(head + bytes(range(256))), Close()))) as server:
        for get in (requests.get, httpx_get):
            with pytest.raises(FetchError, match=f"has not removed .*{coding}"), XmlReader(get(server.url)):
                pass
        with (
            urllib.request.urlopen(server.url) as response,
            pytest.raises(FetchError, match=f"cannot be removed here .*{coding}"),
        ):
            XmlReader(response)


def bare_deflate(data: bytes) -> bytes:
    engine = zlib.compressobj(wbits=-15)
    return engine.compress(data) + engine.flush()


PACKED = {
    # A coding that a client does not remove, as it begins.
    "compress": b"\x1f\x9d\x90" + BODY,
    "x-compress": b"\x1f\x9d\x90" + BODY,
    "aes128gcm": bytes(range(16)) + b"\0\0\x10\0" + BODY,
    "dcb": b"\xffDCB" + bytes(32) + BODY,
    "lzma": lzma.compress(BODY, lzma.FORMAT_ALONE),
    "xz": lzma.compress(BODY),
    "bzip2": bz2.compress(BODY),
    "identity, compress": b"\x1f\x9d\x90" + BODY,
    "aws-chunked, exi": b"\x80\x41" + BODY,
}
LEFT = {
    # Removed by the client unless it is told not to.
    "deflate": zlib.compress(BODY),
    "deflate, bare": bare_deflate(BODY),
    "gzip, gzip": gzip.compress(gzip.compress(BODY)),
    "gzip, deflate": zlib.compress(gzip.compress(BODY)),
}
READ_BY: dict[str, Callable[[str], Any]] = {
    "requests": requests.get,
    "requests, streamed": partial(requests.get, stream=True),
    "httpx": httpx_get,
    "httpx, streamed": lambda url: httpx.Client(verify=False).send(httpx.Request("GET", url), stream=True),
    "urllib": urllib.request.urlopen,
    "urllib3": partial(urllib3.request, "GET"),
    "urllib3, unread": partial(urllib3.request, "GET", preload_content=False),
    "urllib3, raw": partial(urllib3.request, "GET", decode_content=False),
    "urllib3, raw and unread": partial(urllib3.request, "GET", preload_content=False, decode_content=False),
    "requests, raw": lambda url: requests.get(url, stream=True).raw,
}
REMOVES_NONE = ("urllib", "urllib3, raw", "urllib3, raw and unread", "requests, raw")


def coded(body: bytes, coding: str) -> LocalServer:
    return LocalServer({"/": Row(body, (TYPED, ("Content-Encoding", coding)))})


@each("name", PACKED)
@each("client", READ_BY, every=4)
def test_a_coding_that_is_left_is_an_error(client: str, name: str) -> None:
    """As of a URL: packed bytes are never text."""
    coding = name.rpartition(" ")[2].removeprefix("x-")
    with coded(PACKED[name], name) as local:
        for function in (XmlReader, parse, check):
            response = READ_BY[client](local.url("/"))
            with pytest.raises(FetchError, match=coding):
                function(response)
            response.close()
        with pytest.raises(FetchError, match=coding):
            XmlReader(local.url("/"))


@each("name", LEFT)
@each("client", REMOVES_NONE)
def test_a_coding_that_no_client_was_to_remove(client: str, name: str) -> None:
    """Of a body that is unread one is removed here, as from a URL."""
    coding = name.removesuffix(", bare")
    with coded(LEFT[name], coding) as local:
        if client != "urllib3, raw" and coding == "deflate":
            read_before(READ_BY[client](local.url("/")))
            return
        for function in (XmlReader, XmlReader.from_stream, parse, check):
            response = READ_BY[client](local.url("/"))
            with pytest.raises(FetchError, match=coding) as caught:
                function(response)
            response.close()
            assert "identity" in str(caught.value)


@each("name", LEFT)
@each("client", ["requests", "httpx", "urllib3"])
def test_a_coding_that_was_removed_is_none(client: str, name: str) -> None:
    with (
        coded(LEFT[name], name.removesuffix(", bare")) as local,
        XmlReader(READ_BY[client](local.url("/"))) as reader,
    ):
        assert reader.read() == TEXT


@each("name", ["gzip", "x-gzip", "none, gzip"])
@each("client", REMOVES_NONE)
def test_gzip_that_is_left_is_unpacked(client: str, name: str) -> None:
    with (
        coded(gzip.compress(BODY), name) as local,
        XmlReader(READ_BY[client](local.url("/"))) as reader,
    ):
        assert (reader.read(), reader.response.status) == (TEXT, 200)


@each("name", ["aws-chunked", "compress", "sdch, aws-chunked", "pack200-gzip"])
@each("client", [*READ_BY, "URL", "session"], every=3)
def test_gzip_under_a_coding_that_cannot_be_removed_is_unpacked(client: str, name: str) -> None:
    """As without a label: what can be unpacked of it is read."""
    for body, kinds in ((gzip.compress(BODY), ()), (gzip.compress(BODY)[:-1], (("gzip", 1),))):
        with coded(body, name) as local, requests.Session() as session:
            source = READ_BY.get(client, str)(local.url("/"))
            with XmlReader(source, session=session if client == "session" else None) as reader:
                assert (reader.read(), reader.repairs.kinds) == (TEXT, kinds)


@each("client", READ_BY)
def test_gzip_under_two_codings_is_an_error(client: str) -> None:
    with coded(gzip.compress(BODY), "compress, sdch") as local:
        for source in (READ_BY[client](local.url("/")), local.url("/")):
            with pytest.raises(FetchError, match="compress, sdch"):
                XmlReader(source)


@each("coding", ["none", "utf-8", "binary", "text/xml", "compressed"])
@each("client", READ_BY, every=3)
def test_a_word_that_names_no_coding_is_ignored_by_every_client(client: str, coding: str) -> None:
    for body in (BODY, b"\x1f\x9d" + BODY):
        with coded(body, coding) as local, XmlReader(READ_BY[client](local.url("/"))) as reader:
            assert reader.read() == body.decode("koi8-r")


def _read_in_all_shapes(client: str, coding: str) -> None:
    """Text that is sent as it is, under a coding."""
    bodies = (BODY, b"\r\n " + BODY, TEXT.encode("utf-16"), TEXT.encode("utf-8-sig"), BODY + b" " * 9_000)
    fields = (TYPED, ("Content-Encoding", coding))
    rows = {f"/{number}": Row(body, fields) for number, body in enumerate(bodies)}
    with LocalServer(rows) as local, requests.Session() as session:
        for path in rows:
            source = READ_BY.get(client, str)(local.url(path))
            with XmlReader(source, session=session if client == "session" else None) as reader:
                assert reader.read().strip() == TEXT


@each("coding", ["aws-chunked", "compress", "br2", "sdch, aws-chunked"])
@each("client", [*READ_BY, "URL", "session"], every=3)
def test_a_coding_that_was_named_and_not_applied(client: str, coding: str) -> None:
    """S3 sends "aws-chunked" for what was stored with it."""
    _read_in_all_shapes(client, coding)


@each("coding", ["gzip", "x-gzip", "deflate", "br", "zstd", "gzip, br", "none, gzip"])
@each("client", ["URL", "session", "requests, streamed", "httpx, streamed", *REMOVES_NONE], every=3)
def test_text_is_read_whatever_is_named(client: str, coding: str) -> None:
    _read_in_all_shapes(client, coding)


@each("coding", ["aws-chunked", "compress", "gzip, aws-chunked"])
def test_the_adapters_read_what_was_named_and_not_applied(coding: str) -> None:
    body = gzip.compress(BODY) if "gzip" in coding else BODY

    async def by_aiohttp(url: str) -> str:
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            return (await aread_response(response)).text

    with coded(body, coding) as local:
        assert asyncio.run(by_aiohttp(local.url("/"))) == TEXT
        for client in ("httpx", "httpx, streamed"):
            assert read_response(READ_BY[client](local.url("/"))).text == TEXT


@each("coding", ["gzip, aws-chunked", "aws-chunked,gzip"])
def test_the_framing_of_an_upload_beside_a_coding(coding: str) -> None:
    with coded(gzip.compress(BODY), coding) as local:
        for source in (
            local.url("/"),
            *(READ_BY[client](local.url("/")) for client in READ_BY if "stream" in client),
        ):
            with XmlReader(source) as reader:
                assert reader.read() == TEXT


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", [0, 1, 3, 4095, 4096, 4097, 9000])
@pytest.mark.parametrize("step", [1, 1000, 10_000])
def test_a_body_under_a_coding_that_is_none_is_cut(size: int, step: int) -> None:
    """What came is read first, wherever its end is missing; packed bytes are no text, however they come."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: compress\r\n"
    for begin, kind in ((b"<r>", TruncatedBody), (b"\x1f\x9d\x90", FetchError)):
        body = (begin + b"x" * 9_000)[:size]
        parts = [Send(body[at : at + step]) for at in range(0, size, step)]
        with FaultyServer(Script((Send(head + b"Content-Length: 9999\r\n\r\n"), *parts, Close()))) as faulty:
            for source in (
                faulty.url,
                *(READ_BY[client](faulty.url) for client in READ_BY if "stream" in client),
            ):
                with pytest.raises(FetchError) as caught, XmlReader(source) as reader:
                    reader.read()
                is_text = size == 0 or begin == b"<r>"
                assert type(caught.value) is (TruncatedBody if is_text else kind), size
                assert caught.value.partial == (body if is_text else b"")


def test_a_response_of_httpx_that_was_made_by_hand() -> None:
    for content in (BODY, iter([BODY[:5], BODY[5:]])):
        response = httpx.Response(200, headers=[TYPED], content=content)
        with XmlReader(response) as reader:
            assert (reader.read(), reader.url, reader.response.url) == (TEXT, "", None)
    assert read_response(httpx.Response(200, headers=[TYPED], content=BODY)).text == TEXT
    assert check(httpx.Response(200, headers=[TYPED], content=BODY)).resolution.encoding == "KOI8-R"
    coded = httpx.Response(
        200, headers=[TYPED, ("Content-Encoding", "gzip")], stream=httpx.ByteStream(PACKED["xz"])
    )
    with pytest.raises(FetchError, match="which it is not") as caught:
        XmlReader(coded)
    assert caught.value.url == ""


AIOHTTP = {
    "deflate": zlib.compress(BODY),
    "deflate, bare": bare_deflate(BODY),
    "zstd": b"\x28\xb5\x2f\xfd\x24\x16\xb1\0\0" + BODY,
    "gzip, deflate": zlib.compress(gzip.compress(BODY)),
}


@each("name", AIOHTTP)
def test_aiohttp_that_is_told_to_remove_no_coding(name: str) -> None:
    """The response does not show it; its bytes do."""
    coding = name.removesuffix(", bare")

    async def run(url: str, *, removes: bool) -> Any:
        async with aiohttp.ClientSession(auto_decompress=removes) as session, session.get(url) as response:
            await response.read()
            with XmlReader(response) as reader:
                text = reader.read()
            assert (await aread_response(response)).text == text
            return text

    with coded(AIOHTTP[name], coding) as local:
        with pytest.raises(FetchError, match=rf"has not removed .*{coding}\)"):
            asyncio.run(run(local.url("/"), removes=False))
        if coding == "deflate":
            assert asyncio.run(run(local.url("/"), removes=True)) == TEXT
    for removes in (True, False):  # gzip is unpacked by the client, or here
        with coded(gzip.compress(b"\1" + BODY), "gzip") as local:
            assert TEXT in asyncio.run(run(local.url("/"), removes=removes))


class Slices(io.BytesIO):
    """A connection that gives so many bytes at once."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._size = size

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self._size)


@pytest.mark.parametrize("size", range(1, 9))
def test_what_is_left_does_not_depend_on_how_it_arrives(size: int) -> None:
    def opened(body: bytes, coding: str) -> str:
        fields = {"Content-Type": "text/xml", "Content-Encoding": coding}
        response = urllib3.HTTPResponse(Slices(body, size), fields, preload_content=False)
        with XmlReader(response) as reader:
            return reader.read()

    for name, body in PACKED.items():
        with pytest.raises(FetchError, match=name.rpartition(" ")[2].removeprefix("x-")):
            opened(body, name)
    for body in (TEXT.encode("utf-16"), TEXT.encode("utf-8-sig"), TEXT.encode()):
        assert opened(body, "compress") == TEXT


@pytest.mark.parametrize("size", [900, 4096, 9000])
def test_what_came_before_the_end_of_a_coding_is_read_first(size: int) -> None:
    """The beginning is looked at; where the connection breaks in it, its text comes before the error."""
    body = b"<r>" + random.Random(size).randbytes(size // 2).hex().encode() + b"</r>"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: deflate\r\n\r\n"
    with FaultyServer(Script((Send(head + zlib.compress(body)[:-4]), Close()))) as faulty:
        response = urllib3.request("GET", faulty.url, preload_content=False)
        with XmlReader(response) as reader:
            assert reader.read(3) == "<r>"
            with pytest.raises(TruncatedBody) as caught:
                reader.read()
    assert caught.value.partial == body


def test_two_codings_are_refused_where_a_client_removes_one_at_most() -> None:
    twice = gzip.compress(gzip.compress(BODY))
    row = Row(twice, (TYPED, ("Content-Encoding", "gzip, gzip")))

    async def run(url: str) -> None:
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            await response.read()
            with pytest.raises(FetchError, match=r"has not removed the Content-Encoding .gzip, gzip"):
                await aread_response(response)
            with (
                pytest.raises(FetchError, match=r"has not removed .*gzip, gzip"),
                XmlReader(response) as reader,
            ):
                reader.read()

    with LocalServer({"/": row}) as local:
        with (
            urllib.request.urlopen(local.url("/")) as response,
            pytest.raises(FetchError, match=r"cannot be removed here .*gzip, gzip"),
        ):
            XmlReader(response)
        asyncio.run(run(local.url("/")))


@pytest.mark.parametrize(
    "script", ["length-too-long", "chunked-cut-within", "chunk-size-negative", "chunk-size-minus-huge"]
)
def test_urllib3_cut(script: str) -> None:
    with (
        FaultyServer(SCRIPTS[script]) as faulty,
        urllib3.request("GET", faulty.url, preload_content=False) as response,
        pytest.raises(TruncatedBody),
        XmlReader(response) as reader,
    ):
        reader.read()


# -- redirects, parts, codings ----------------------------------------------------------------------------


def test_redirects_are_kept(server: LocalServer) -> None:
    with requests.Session() as session:
        for options in ({}, {"session": session}):
            with XmlReader(server.url("/moved"), **options) as reader:
                assert [(one.status, one.url) for one in reader.response.history] == [
                    (301, server.url("/moved")),
                    (302, server.url("/found")),
                ]
                assert reader.response.history[1].headers["etag"] == '"1"'
    with XmlReader(requests.get(server.url("/moved"))) as reader:
        assert [one.status for one in reader.response.history] == [301, 302]
    with XmlReader(server.url("/feed")) as reader:
        assert reader.response.history == ()


def test_an_interim_response_is_no_document() -> None:
    """http.client passes over none but 100, and 103 is a success for `raise_for_status`."""
    interim = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    answer = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<rss/>"
    )
    with FaultyServer(Script((Send(interim + answer), Close()))) as faulty:
        with XmlReader(faulty.url) as reader:
            assert reader.read() == "<rss/>"
        clients = (
            partial(requests.get, stream=True),
            requests.get,
            partial(urllib3.PoolManager().request, "GET", preload_content=False),
        )
        for client in clients:
            response: Any = client(faulty.url)
            assert response.status == 103 if hasattr(response, "status") else response.ok
            with pytest.raises(FetchError, match=r"an interim response \(103\)"):
                XmlReader(response)
            response.close()


def test_a_part_that_was_not_requested(server: LocalServer) -> None:
    with pytest.raises(HTTPStatusError, match="206 Partial Content") as caught:
        XmlReader(server.url("/part"))
    assert (caught.value.status, caught.value.partial) == (206, BODY[:10])
    for unsent in (None, ""):
        with pytest.raises(HTTPStatusError):
            XmlReader(server.url("/part"), headers={"range": unsent})  # type: ignore[dict-item]
    for wanted in ("bytes=0-9", "bytes=00-9", " Bytes = 0-5 ", "bytes=7-9, 0-9", "octets=7-"):
        with XmlReader(server.url("/part"), headers={"range": wanted.strip()}) as reader:
            assert reader.read() == BODY[:10].decode("koi8-r")
    whole = ("bytes=0-", "bytes=0-99", "bytes=-9999", "bytes=-9")  # of which a part is missing
    for other in (*whole, "bytes=10-", "bytes=1-9", "bytes=7" + "0" * 9000 + "-"):
        with pytest.raises(HTTPStatusError, match="not requested") as caught:
            XmlReader(server.url("/part"), headers={"range": other})
        assert caught.value.partial == BODY[:10]


@each(
    ("wanted", "part", "is_wanted"),
    [
        *(("-10", "5-14/*", True), ("-50", "5-14/*", False), ("-50", "0-9/*", True)),
        *(("-5", "5-14/*", False), ("5-", "5-14/*", True), ("4-", "5-14/*", False)),
        *(("5-14", "5-14/*", True), ("5-15", "5-14/*", False), ("5-13", "5-14/*", True)),
        *(("5-14,", "5-14/*", True), ("5-15 ,", "5-14/*", False)),
        # of several ranges any part may be one of them, but has its length
        *(("0-1,5-14", "5-14/*", True), ("0-1,5-14", "5-14/*\r\nContent-Length: 10", True)),
        *(
            ("0-1,5-14", "5-19/*\r\nContent-Length: 10", False),
            ("5-14;x", "5-19/*\r\nContent-Length: 10", False),
        ),
        # of two fields that contradict each other none counts
        *(("5-", "5-14/15, bytes 5-14/15", True), ("5-", "5-14/15, bytes 5-14/99", False)),
        *(("5-", "5-14/15\r\nContent-Range: bytes 5-14/99", False), ("5-", "5-14/15, bytes */15", True)),
    ],
)
def test_a_part_of_a_document_of_unknown_length(wanted: str, part: str, is_wanted: bool) -> None:
    head = f"HTTP/1.1 206 Partial\r\nConnection: close\r\nContent-Range: bytes {part}\r\n\r\n<a>text</a>"
    with FaultyServer(Script((Send(head.encode()[:-1]), Close()))) as server:
        found = nullcontext() if is_wanted else pytest.raises(HTTPStatusError, match="not requested")
        with found, XmlReader(server.url, headers={"Range": f"bytes={wanted}"}) as reader:
            assert reader.read() == "<a>text</a"


SESSIONS: dict[str, Callable[[], Any]] = {
    "": nullcontext,
    "plain": requests.Session,
    "CacheControl": lambda: pytest.importorskip("cachecontrol").CacheControl(requests.Session()),
}


@pytest.mark.sampled(4)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("length", ["", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"])
@pytest.mark.parametrize("kind", SESSIONS)
def test_a_part_that_is_shorter_than_its_content_range(length: str, kind: str) -> None:
    fields = f"Connection: close\r\nContent-Range: bytes 0-9/10\r\n{length}"
    head = f"HTTP/1.1 206 Partial Content\r\n{fields}\r\n"

    def read(url: str, session: requests.Session | None) -> str | None:
        given: Any = {"session": session} if session else {}
        try:
            with XmlReader(url, headers={"Range": "bytes=0-"}, **given) as reader:
                return reader.read()
        except (TruncatedBody, HTTPStatusError):  # a kept one would keep the connection
            return None

    for body, is_cut in ((BODY[:10], length != ""), (BODY[:5], True)):
        sent = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if "chunked" in length else body
        script = Script((Send(head.encode() + sent), Close()))
        is_cut = is_cut and ("chunked" not in length or len(body) < 10)
        with FaultyServer(script) as server, SESSIONS[kind]() as session:
            assert read(server.url, session) == (None if is_cut else body.decode("koi8-r"))
        del session
        gc.collect()  # CacheControl leaves a file open


@pytest.mark.parametrize("has_session", [False, True])
@pytest.mark.parametrize("framing", ["Content-Length: {}\r\n", "Transfer-Encoding: chunked\r\n", ""])
def test_a_part_of_which_one_member_of_gzip_is_missing(framing: str, has_session: bool) -> None:
    first, second = gzip.compress(b"<a>first "), gzip.compress(b"second</a>")
    size = len(first + second)
    fields = f"Connection: close\r\nContent-Encoding: gzip\r\nContent-Range: bytes 0-{size - 1}/{size}\r\n"
    for body, is_whole in (
        (first, False),
        (first + second, True),
        (first + second + gzip.compress(b"!"), None),
    ):
        if not framing and is_whole is None:
            continue  # no more is read
        head = f"HTTP/1.1 206 Partial Content\r\n{fields}{framing.format(len(body))}\r\n".encode()
        sent = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if "chunked" in framing else body
        with FaultyServer(Script((Send(head + sent), Close()))) as server, requests.Session() as session:
            given: Any = {"session": session} if has_session else {}
            found, wanted = None, {"Range": "bytes=0-"}
            with suppress(FetchError), XmlReader(server.url, headers=wanted, **given) as reader:
                found = reader.read()
        # What is more than the part is no part of it; with a length, that is refused.
        is_read = is_whole or (is_whole is None and "Length" not in framing)
        assert found == ("<a>first second</a>" if is_read else None), framing


@pytest.mark.parametrize("has_session", [False, True])
def test_the_length_of_a_part_is_that_of_its_content_coding(has_session: bool) -> None:
    packed = gzip.compress(b"<a/>")
    fields = f"Content-Range: bytes 0-{len(packed) - 1}/{len(packed)}\r\nContent-Encoding: gzip"
    fields += "\r\nConnection: close\r\nTransfer-Encoding: chunked"
    head = f"HTTP/1.1 206 Partial Content\r\n{fields}\r\n\r\n{len(packed):x}\r\n"
    script = Script((Send(head.encode() + packed + b"\r\n0\r\n\r\n"), Close()))
    with FaultyServer(script) as server, requests.Session() as session:
        given: Any = {"session": session} if has_session else {}
        with XmlReader(server.url, headers={"Range": "bytes=0-"}, **given) as reader:
            assert reader.read() == "<a/>"


@pytest.mark.parametrize("field", ["5-9/21", "5-9/10", "5-9/*", "5-9/9", "5-9/0", "9-5/21", ""])
@pytest.mark.parametrize("asked", ["bytes=5-9", b"bytes=5-9", "bytes=1-2,5-9"])
def test_the_part_of_one_range_has_a_content_range(asked: Any, field: str) -> None:
    """That of several is one of them, or all in a multipart body. An invalid field is none."""
    part = f"Content-Range: bytes {field}\r\n" if field else ""
    head = f"HTTP/1.1 206 Partial Content\r\n{part}Content-Length: 5\r\n\r\n<rss>"
    with FaultyServer(Script((Send(head.encode()), Close()))) as server:
        is_error = field in ("5-9/9", "5-9/0", "9-5/21", "") and "," not in str(asked)
        refused = pytest.raises(HTTPStatusError) if is_error else nullcontext()
        with refused, XmlReader(server.url, headers={"Range": asked}) as reader:
            assert reader.read() == "<rss>"


def test_no_request_follows_a_switch_of_protocols() -> None:
    """The proxy or server may have made a tunnel of the connection."""
    switched = Send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")
    with FaultyServer(Script((switched,))) as server, requests.Session() as session:
        with pytest.raises(HTTPStatusError, match="101"):
            XmlReader(server.url, session=session)
        (pool,) = session.get_adapter(server.url).poolmanager.pools._container.values()  # type: ignore[attr-defined]
        assert not any(getattr(kept, "sock", None) for kept in pool.pool.queue)


@pytest.mark.parametrize("path", [path for path in ROWS if path.startswith("/coding/")])
def test_a_word_that_is_no_coding(server: LocalServer, path: str) -> None:
    with XmlReader(server.url(path)) as reader:
        assert reader.read() == TEXT
        reported = dict(reader.repairs.kinds).get("content-encoding", 0)
    assert reported == (0 if path.endswith("identity") else path.count("+") + 1)


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
def test_what_is_packed_under_a_word_that_is_no_known_coding(step: int) -> None:
    """Feeds in any charset, other text and other files are read as they are."""
    text = "\n<?xml version='1.0'?><rss>Žluťoučký</rss>"
    charsets = ("utf-8", "utf-16", "utf-16-le", "utf-32-be", "cp1250", "utf-7")
    whole = [*map(text.encode, charsets), b"\x03\0" + text.encode(), b"ok", b"caf\xe9", b"%PDF-1\n\0"]
    packed = [b"\x1f\x9d\x90\x03\x04", zlib.compress(BODY), bytes(range(256))]
    for word, body in [*product(("foo", "base64, utf-8", "utf-8", "None"), (*whole, *packed))][::step]:
        is_refused = body in packed and word[0] in "fb"
        with LocalServer({"/": Row(body, (TYPED, ("Content-Encoding", word)))}) as local:
            for get in (str, requests.get, httpx_get):
                error = pytest.raises(FetchError, match=r"(?:cannot be removed|not removed) .*(?:foo|base64)")
                with error if is_refused else nullcontext(), XmlReader(get(local.url("/"))) as reader:
                    assert reader.read()


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "gzip, br"])
def test_a_coding_that_is_not_applied(coding: str) -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\nContent-Length: {len(BODY)}\r\n\r\n"
    with FaultyServer(Script((Send(head.encode() + BODY), Close()))) as faulty:
        with XmlReader(faulty.url) as reader:
            assert (reader.read(), dict(reader.repairs.kinds)) == (TEXT, {"content-encoding": 1})
        assert "coding-not-applied" in {finding.code for finding in check(faulty.url).findings}


# -- gzip without a label ---------------------------------------------------------------------------------


def test_a_limit_within_gzip_closes_the_connection(server: LocalServer) -> None:
    response = requests.get(server.url("/noise"), stream=True)
    with XmlReader(response, limits=Limits(decoded=len(NOISE))) as reader:
        with pytest.raises(TooLarge):
            reader.read()
        assert response.raw.closed


def test_behind_damaged_gzip_the_body_must_arrive() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"
    damaged = gzip.compress(BODY)[:-8] + bytes(8)
    with (
        FaultyServer(Script((Send(head + damaged), Close()))) as faulty,
        pytest.raises(TruncatedBody),
        XmlReader(faulty.url) as reader,
    ):
        reader.read()


@pytest.mark.parametrize("path", ["/bomb", "/double-bomb"])
def test_gzip_without_a_label_keeps_to_the_limits(server: LocalServer, path: str) -> None:
    for limit, limits in (
        ("ratio", Limits()),
        ("decoded", Limits(decoded=1 << 20, ratio=None)),
        ("decoded", Limits(decoded=100_000)),
    ):
        for source in (server.url(path), requests.get(server.url(path), stream=True)):
            with pytest.raises(TooLarge) as caught, XmlReader(source, limits=limits) as reader:
                reader.read()
            assert caught.value.limit == limit
            assert caught.value.url
            if limit == "decoded":
                assert len(caught.value.partial) == limits.decoded
            assert (b"<r>" + b" " * (8 << 20)).startswith(caught.value.partial)
        with pytest.raises(TooLarge):
            check(server.url(path), limits=limits)
    with XmlReader(server.url(path), limits=Limits(ratio=None)) as reader:
        assert len(reader.read()) == (8 << 20) + 7


def test_what_was_unpacked_is_in_partial(server: LocalServer) -> None:
    with (
        pytest.raises(FetchError) as caught,
        XmlReader(server.url("/cut"), content_type="text/xml") as reader,
    ):
        reader.read()
    assert gzip.decompress(NOISE).startswith(caught.value.partial)
    assert len(caught.value.partial) > 100_000


def test_a_response_may_be_in_its_own_history() -> None:
    """Before requests 2.34, each response that redirects is."""
    moved = requests.Response()
    moved.status_code, moved.url = 301, "http://a/"
    moved.history = [moved]
    last = requests.Response()
    last.status_code, last.url, last.history = 200, "http://b/", [moved]
    found = response_info(last)
    assert (found.status, found.url, len(found.history)) == (200, "http://b/", 1)
    assert (found.history[0].status, found.history[0].url, found.history[0].history) == (301, "http://a/", ())


@pytest.mark.parametrize("body", ['{"a": "é"}', "Dočasně nedostupné, zkuste to později", TEXT])
def test_aiohttp_keeps_the_body_of_any_text(body: str) -> None:
    async def run(url: str) -> None:
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            assert (await aread_response(response)).text == body
            assert await response.text() == body
            assert (await aread_response(response)).text == body

    fields = ("Content-Type", "text/xml; charset=utf-8"), ("Content-Encoding", "deflate")
    with LocalServer({"/": Row(zlib.compress(body.encode()), fields)}) as local:
        asyncio.run(run(local.url("/")))


def test_errors_of_the_adapters_have_the_header_of_the_response() -> None:
    """`error.partial` is decoded by its Content-Type."""
    body = gzip.compress(TEXT.encode("koi8-r") * 90)
    fields = ("Content-Type", "text/xml; charset=koi8-r"), ("Content-Encoding", "gzip")

    async def by_aiohttp(url: str) -> None:
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            await aread_response(response, max_bytes=99)

    def by_httpx(url: str, most: int) -> None:
        read_response(httpx.get(url, trust_env=False), max_bytes=most)

    with LocalServer({"/": Row(body, fields), "/cut": Row(body[:-30], fields)}) as local:
        for call in (
            partial(by_httpx, local.url("/cut"), 1 << 20),
            partial(by_httpx, local.url("/"), 99),
            lambda: asyncio.run(by_aiohttp(local.url("/"))),
        ):
            with pytest.raises(FetchError) as caught:
                call()
            assert caught.value.headers["content-type"] == "text/xml; charset=koi8-r"


def test_a_gzip_file_that_is_cut_off_names_its_url() -> None:
    with LocalServer({"/": Row(gzip.compress(BODY)[:-9])}) as local:
        with XmlReader(local.url("/")) as reader:
            reader.read()
            assert dict(reader.repairs.kinds) == {"gzip": 1}
        with pytest.raises(TruncatedBody) as caught, XmlReader(local.url("/"), lenient=False) as reader:
            reader.read()
        assert caught.value.url == local.url("/")
        assert str(caught.value).startswith(local.url("/"))


@pytest.mark.parametrize("length", ["5, 5", "x", "-1"])
def test_a_length_that_urllib_does_not_read_is_no_sign_of_reading(length: str) -> None:
    script = Script((Send(f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n<a/>\n".encode()), Close()))
    with (
        FaultyServer(script) as server,
        urllib.request.urlopen(server.url) as response,
        XmlReader(response) as reader,
    ):
        assert reader.read() == "<a/>\n"
