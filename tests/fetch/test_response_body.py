"""The same through `XmlReader(url)`, which is what people call."""

from __future__ import annotations

import gc
import http.client
import io
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import requests
import responses
import urllib3
from support.each import each
from support.faults import FEED, SCRIPTS, UTF_16
from support.faulty_server import Close, FaultyServer, Script, Send
from support.local_server import LocalServer, Row
from support.time_limits import CALM, limits_for

from feedcharset import XmlReader
from feedcharset.errors import (
    AddressRefused,
    DeadlineExceeded,
    FeedcharsetError,
    FetchError,
    HTTPStatusError,
    TooLarge,
    TooManyRedirects,
    TruncatedBody,
)
from feedcharset.fetch.deadline import is_waiting
from feedcharset.fetch.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator


# The charset of the document, the Content-Type, the declaration's encoding.
CHARSETS = (
    ("utf-8", "application/atom+xml", "utf-8"),
    ("utf-16", "application/xml", "utf-16"),
    ("iso-8859-2", "text/xml; charset=iso-8859-2", ""),
    ("windows-1251", "application/rss+xml", "windows-1251"),
    ("koi8-r", "text/xml; charset=KOI8-R", "windows-1251"),
    ("shift_jis", "application/xml", "Shift_JIS"),
    ("gb18030", "text/html", "gb18030"),
    ("utf-8", "", ""),
)
WORDS = {"iso-8859-2": "Příliš žluťoučký", "shift_jis": "日本語の見出し", "gb18030": "中文标题和正文"}


def document(number: int) -> tuple[str, Row]:
    """The text of a feed, and the row that serves it."""
    charset, content_type, declared = CHARSETS[number % len(CHARSETS)]
    encoding = f" encoding='{declared}'" if declared else ""
    word = WORDS.get(charset, "Заголовок")
    text = f"<?xml version='1.0'{encoding}?><rss><title>{number} {word * (number % 7 + 1)}</title></rss>"
    return text.replace(encoding, " " * len(encoding)), Row.typed(text.encode(charset), content_type)


@pytest.fixture
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


def read(source: Any, **options: Any) -> str:
    with XmlReader(source, **{"limits": CALM, **options}) as reader:
        return reader.read()


@pytest.mark.long
def test_200_feeds_by_16_threads_give_200_right_texts() -> None:
    texts, rows = zip(*(document(number) for number in range(200)), strict=True)
    paths = {f"/{number}": row for number, row in enumerate(rows)}
    with LocalServer(paths) as server, ThreadPoolExecutor(16) as threads:
        found = threads.map(lambda path: read(server.url(path), limits=Limits()), paths)
        assert list(found) == list(texts)


@each(
    ("script", "error", "limit"),
    [
        ("reset-at-accept", FetchError, None),
        ("reset-in-header", FetchError, None),
        ("reset-in-body", TruncatedBody, None),
        ("silent-at-accept", DeadlineExceeded, "read"),
        ("dripping-header", DeadlineExceeded, "total"),
        ("dripping-body", DeadlineExceeded, "total"),
        ("endless-body", TooLarge, "wire"),
        ("endless-header-line", TooLarge, "header"),
        ("length-too-long", TruncatedBody, None),
        ("chunked-cut-between", TruncatedBody, None),
        ("gzip-bomb", TooLarge, "ratio"),
        ("gzip-without-trailer", TruncatedBody, None),
        ("gzip-nested", FetchError, None),
        ("redirect-circle", TooManyRedirects, "redirects"),
        ("redirect-to-file", AddressRefused, None),
        ("not-found", HTTPStatusError, None),
        ("not-modified", HTTPStatusError, None),
    ],
)
@each("lenient", [True, False], every=2)
def test_faults(script: str, error: type[FeedcharsetError], limit: str | None, lenient: bool) -> None:
    with FaultyServer(SCRIPTS[script]) as server, pytest.raises(FetchError) as caught:
        read(server.url, limits=limits_for(limit), lenient=lenient, content_type="application/xml")
    assert (type(caught.value), caught.value.limit) == (error, limit)
    assert server.left_open == 0


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("honest", FEED.decode().replace(" encoding='UTF-8'", " " * 17)),
        ("gzip-two-members", FEED.decode().replace(" encoding='UTF-8'", " " * 17)),
        ("gzip-within", FEED.decode().replace(" encoding='UTF-8'", " " * 17)),
        ("utf-16", UTF_16.decode("utf-16")),
        ("empty", ""),
        ("no-content", ""),
    ],
)
def test_what_is_right(script: str, text: str) -> None:
    with FaultyServer(SCRIPTS[script]) as server:
        assert read(server.url) == text
    assert server.left_open == 0


@each("script", ["honest-chunked", "chunked-twice", "chunked-twice-in-a-line", "chunked-and-identity"])
def test_chunks_that_are_named_twice(script: str) -> None:
    text = FEED.decode().replace(" encoding='UTF-8'", " " * 17)

    def of_requests(url: str, *, stream: bool) -> str:  # as below
        with requests.get(url, stream=stream) as response:
            return read(response)

    def of_session(url: str) -> str:
        with requests.Session() as session:
            return read(url, session=session)

    with FaultyServer(SCRIPTS[script]) as server:
        assert of_requests(server.url, stream=False) == text
        assert of_requests(server.url, stream=True) == text
        assert of_session(server.url) == text
    with FaultyServer(SCRIPTS["chunked-and-identity-cut"]) as server:
        with pytest.raises(TruncatedBody) as caught:
            of_requests(server.url, stream=True)
        assert caught.value.partial == FEED
        del caught


@pytest.mark.parametrize("script", ["no-content-chunked", "no-content-in-sdch", "empty-in-sdch"])
def test_a_response_without_a_body_is_not_waited_for(script: str) -> None:
    """RFC 9112 section 6.3: 204 has no body, whatever its header holds."""

    def of_requests(url: str) -> str:  # its socket is closed when nothing has the response any more
        with requests.Session() as session, session.get(url, stream=True) as response:
            return read(response)

    with FaultyServer(SCRIPTS[script]) as server:
        assert of_requests(server.url) == ""
        with urllib.request.urlopen(server.url, timeout=5) as opened:
            assert read(opened) == ""


def test_status_and_headers_are_the_readers() -> None:
    row = Row(FEED, (("ETag", '"7"'), ("Content-Type", "text/xml; charset=utf-8")))
    with LocalServer({"/feed": row}) as server, XmlReader(server.url("/feed")) as reader:
        assert reader.response is not None
        assert reader.response.status == 200
        assert reader.response.headers["etag"] == '"7"'
        assert reader.url == server.url("/feed")
        assert (reader.encoding, reader.resolution.rule) == ("UTF-8", "2.5")


def test_a_session_and_its_response(session: requests.Session) -> None:
    with LocalServer({"/feed": Row.typed(FEED, "application/xml")}) as server:
        text = read(server.url("/feed"), session=session)
        for stream in (False, True):
            with XmlReader(session.get(server.url("/feed"), stream=stream)) as reader:
                assert reader.read() == text


@pytest.mark.parametrize(("sent", "error"), [(1.0, None), (0.5, TruncatedBody)])
def test_a_list_of_equal_lengths_is_a_length(
    sent: float, error: type[FeedcharsetError] | None, session: requests.Session
) -> None:
    """RFC 9110 section 8.6. http.client takes it for no number."""
    body = b"<a>" + b"x" * 100_000 + b"</a>"
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d, %d\r\n\r\n" % (len(body), len(body))
    script = Script((Send(head + body[: int(len(body) * sent)]), Close()))
    with FaultyServer(script) as server:
        for source in (server.url, session.get(server.url, stream=True)):
            with XmlReader(source) as reader:
                if error is None:
                    assert reader.read().encode() == body
                else:
                    with pytest.raises(error, match=r"\d bytes"):
                        reader.read()


def test_a_response_that_is_not_the_readers_stays_open(session: requests.Session) -> None:
    body = FEED.replace(b"</title>", b"." * 200_000 + b"</title>")
    with LocalServer({"/feed": Row.typed(body, "application/xml")}) as server:
        response = session.get(server.url("/feed"), stream=True)
        with XmlReader(response, closefd=False) as reader:
            reader.read(10)
        gc.collect()
        assert not response.raw.closed
        response.close()


def test_a_strict_refusal_hands_over_the_stream() -> None:
    with LocalServer({"/feed": Row.typed(FEED, "image/png")}) as server:
        with pytest.raises(FeedcharsetError) as caught:
            XmlReader(server.url("/feed"), lenient=False)
        with caught.value as error:  # type: ignore[attr-defined]
            assert error.stream.read() == FEED


@responses.activate
def test_over_responses() -> None:
    responses.get(
        "https://feeds.example/", "<a>é</a>".encode("latin-1"), content_type="text/xml; charset=latin1"
    )
    assert read("https://feeds.example/") == "<a>é</a>"


@pytest.mark.parametrize("error", [ConnectionResetError, KeyboardInterrupt])
def test_a_body_waits_again_whatever_was_raised_while_it_was_asked(error: type[BaseException]) -> None:
    """Else a response that a caller lent would raise BlockingIOError at its next read."""
    timeouts: list[float | None] = []

    def peek() -> bytes:
        raise error

    sock = SimpleNamespace(gettimeout=lambda: 7.0, settimeout=timeouts.append)
    response = http.client.HTTPResponse.__new__(http.client.HTTPResponse)
    raw = SimpleNamespace(sock=sock, waits=True)
    response.length, response.fp = 9, SimpleNamespace(raw=raw, peek=peek)  # type: ignore[assignment]
    with pytest.raises(error):
        is_waiting(response, 0)
    assert (timeouts, raw.waits) == ([0, 7.0], True)


@pytest.mark.parametrize("framing", ["Content-Length: 99", "Transfer-Encoding: chunked", "X: y"])
def test_a_response_that_is_closed_within_a_read(framing: str) -> None:
    """By another thread, as a rule. http.client closes what is None then, or reads a line of it."""

    class Closing(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            if not (data := super().read1(size)):
                http.client.HTTPResponse.close(message)
            return data

        def readline(self, size: int | None = -1) -> bytes:
            if not (line := super().readline(size)):
                http.client.HTTPResponse.close(message)
            return line

        def close(self) -> None:
            """Stay open for the read that goes on."""

    sent = f"HTTP/1.1 200 OK\r\n{framing}\r\n\r\n7\r\n<a>text\r\n".encode()
    sock: Any = SimpleNamespace(makefile=lambda *_: Closing(sent))
    message = http.client.HTTPResponse(sock)
    message.begin()
    response = requests.Response()
    response.status_code = 200
    response.raw = urllib3.HTTPResponse(message, message.getheaders(), preload_content=False)
    response.headers.update(message.headers)
    with pytest.raises(TruncatedBody, match="closed while it was read"), XmlReader(response) as reader:
        reader.read()
