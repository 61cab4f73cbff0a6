"""feedcharset.adapters.requests on real sessions and a real server."""

from __future__ import annotations

import gzip
import pickle
from itertools import product
from pathlib import Path

import pytest
from support.documents import served
from support.each import each
from support.faulty_server import Close, FaultyServer, Script, Send
from support.local_server import LocalServer, Row
from support.without import title_of

from feedcharset import FetchError, decode

requests = pytest.importorskip("requests")

from feedcharset.adapters import requests as adapter  # noqa: E402

FEED = '<?xml version="1.0" encoding="windows-1251"?><rss><title>Погода</title></rss>'.encode("cp1251")
PAGE = "<!DOCTYPE html><title>café</title>".encode()


def session() -> requests.Session:
    made = requests.Session()
    made.hooks["response"].append(adapter.use_feedcharset)
    return made


def test_text_is_right_for_every_document() -> None:
    documents = served()
    rows = {f"/{at}": Row.typed(one.octets, one.content_type) for at, one in enumerate(documents)}
    with LocalServer(rows) as server, session() as client:
        for path, document in zip(rows, documents, strict=True):
            response = client.get(server.url(path))
            decoded = decode(document.octets, document.content_type or "")
            assert title_of(response.text) == document.title
            assert (response.text, response.encoding) == (decoded.text, decoded.resolution.encoding)
            assert response.content == document.octets


@each(
    ("content_type", "body", "is_xml"),
    [
        ("application/rss+xml", FEED, True),
        ("text/xml; charset=utf-8", FEED, True),
        ("text/html", FEED, True),
        ("", FEED, True),
        ("text/plain", b"<rss><title>a</title></rss>", True),
        ("text/plain", b"rss", False),
        *(
            (kind, prolog + root, not root.startswith(b"<h"))
            for kind in ("text/html", "text/plain", "application/octet-stream", "")
            for prolog in (
                b"",
                b"<!-- <html> -->\n",
                b"\xef\xbb\xbf<?xml-stylesheet href='a'?><!DOCTYPE opml>",
            )
            for root in (
                b"<rss><channel/></rss>",
                b"<opml version='1'>",
                b"<urlset>",
                b"<s:sitemapindex>",
                b"<html>",
            )
        ),
        ("text/html", b"<!DOCTYPE html><rss>", True),
        ("text/html", b"<!DOCTYPE html><body><rss>", False),
        ("text/plain", b"<?xml version='1.0'?><mail><body>", True),
        ("text/html", "<?xml version='1.0'?><html>".encode("cp037"), False),
        ("text/html", b"<!-- <rss version='2.0'> --><p>page", False),
        ("text/html", b"<br><b>Warning</b> x<br><rss version='2.0'>", True),
        ("text/html; charset=ISO-8859-1", PAGE, False),
        ("text/html", b'<?xml version="1.0"?><!DOCTYPE html><html/>', False),
        ("application/json", b'{"a": 1}', False),
        ("application/rss+xml", b"", True),
    ],
)
def test_only_xml_documents_are_changed(content_type: str, body: bytes, is_xml: bool) -> None:
    with LocalServer({"/": Row.typed(body, content_type)}) as server, session() as client:
        response = client.get(server.url("/"))
        assert isinstance(response, adapter.XmlResponse) is is_xml
        if not is_xml:
            assert response.text == requests.get(server.url("/"), timeout=10).text


@pytest.mark.parametrize(("content_type", "is_xml"), [("application/atom+xml", True), ("text/plain", False)])
def test_a_streamed_response_is_not_read_by_the_hook(content_type: str, is_xml: bool) -> None:
    with (
        LocalServer({"/": Row.typed(FEED, content_type)}) as server,
        session() as client,
        client.get(server.url("/"), stream=True) as response,
    ):
        assert isinstance(response, adapter.XmlResponse) is is_xml
        assert b"".join(response.iter_content(7)) == FEED


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.long)])
def test_the_text_of_a_stream_is_that_of_the_whole(step: int) -> None:
    """`.encoding` takes nothing from the body: requests asks for it before the first piece."""
    documents = served()[::step]
    rows = {f"/{at}": Row.typed(one.octets, "application/rss+xml") for at, one in enumerate(documents)}
    with LocalServer(rows) as server, session() as client:
        for path, size, is_read in product(rows, (1, 50, None), (False, True)):
            whole = client.get(server.url(path))
            with client.get(server.url(path), stream=not is_read) as response:
                pieces = list(response.iter_content(size, decode_unicode=True))
            assert "".join(pieces) == whole.text
            assert (response.resolution, response.repairs) == (whole.resolution, whole.repairs)
            assert response.encoding == whole.encoding
            assert response.content == whole.content if is_read else pieces
        for path in rows:
            with client.get(server.url(path), stream=True) as response:
                lines = list(response.iter_lines(50, decode_unicode=True))
            assert "\n".join(lines).split() == client.get(server.url(path)).text.split()


def test_a_stream_of_several_windows() -> None:
    body = FEED.replace("Погода".encode("cp1251"), "Погода завтра\n".encode("cp1251") * 200_000)
    rows = {"/": Row.typed(body, "text/xml"), "/gz": Row.typed(gzip.compress(body), "text/xml")}
    with LocalServer(rows) as server, session() as client:
        for path in rows:
            with client.get(server.url(path), stream=True) as response:
                pieces = list(response.iter_content(1000, decode_unicode=True))
            assert "".join(pieces) == decode(body, "text/xml").text
            assert len(pieces) > 20


def test_a_stream_that_is_cut_off() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n"
    for coding in (b"Content-Encoding: gzip\r\n", b""):
        packed = head + coding + b"\r\n" + gzip.compress(FEED)[:-8]
        with (
            FaultyServer(Script((Send(packed), Close()))) as server,
            session() as client,
            client.get(server.url, stream=True) as response,
        ):
            text = "".join(response.iter_content(50, decode_unicode=True))
        assert (text, dict(response.repairs.kinds)) == (decode(FEED, "text/xml").text, {"gzip": 1})


@pytest.mark.parametrize(
    ("content_type", "encoding"),
    [
        ("text/xml; charset=cp1251", "windows-1251"),
        ("text/xml", None),
        ("text/xml; charset=x-unknown", None),
        ("text/xml; charset=utf-7", None),
    ],
)
def test_the_encoding_of_a_stream_takes_nothing_from_it(content_type: str, encoding: str | None) -> None:
    with LocalServer({"/": Row.typed(FEED, content_type)}) as server, session() as client:
        with client.get(server.url("/"), stream=True) as response:
            assert response.encoding == encoding
            assert response.raw.read() == FEED
        with client.get(server.url("/"), stream=True) as response:
            assert response.encoding == encoding
            response.encoding = "koi8-r"
            assert "".join(response.iter_content(7, decode_unicode=True)) == FEED.decode("koi8-r")
        with client.get(server.url("/"), stream=True) as response:
            assert (response.encoding, response.text) == (encoding, decode(FEED, content_type).text)
            assert response.encoding == "windows-1251"
            assert list(response.iter_content(None, decode_unicode=True)) == [response.text]


def test_redirects_and_history() -> None:
    rows = {
        "/old": Row(b"", (("Location", "/new"), ("Content-Type", "text/xml")), 301),
        "/new": Row.typed(FEED, "text/xml"),
    }
    with LocalServer(rows) as server, session() as client:
        response = client.get(server.url("/old"))
        assert "Погода" in response.text
        assert [one.status_code for one in response.history] == [301]


def test_an_assigned_encoding_is_used() -> None:
    with LocalServer({"/": Row.typed(FEED, "text/xml")}) as server, session() as client:
        response = client.get(server.url("/"))
        response.encoding = "koi8-r"
        assert (response.encoding, response.text) == ("koi8-r", FEED.decode("koi8-r"))
        response.encoding = None
        assert response.encoding == "windows-1251"


def test_a_response_can_be_pickled() -> None:
    with LocalServer({"/": Row.typed(FEED, "text/xml")}) as server, session() as client:
        response = client.get(server.url("/"))
        copy = pickle.loads(pickle.dumps(response))
        assert (copy.text, copy.encoding, copy.url) == (response.text, "windows-1251", response.url)
        assert copy.resolution == response.resolution
        response.encoding = "koi8-r"
        assert pickle.loads(pickle.dumps(response)).encoding == "koi8-r"


def test_a_content_encoding_without_its_end_is_a_repair() -> None:
    """requests takes it for whole, where the body itself arrived to its end."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: gzip\r\n"
    for missing, is_chunked in product((0, 8), (False, True)):
        body = gzip.compress(FEED)
        body = b"\r\n" + body[: len(body) - missing]
        if is_chunked:
            body = b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n%x%b\r\n0\r\n\r\n" % (
                len(body) - 2,
                body,
            )
        with FaultyServer(Script((Send(head + body), Close()))) as server:
            with session() as client:
                response = client.get(server.url)
            assert response.text == decode(FEED, "text/xml").text
            assert dict(response.repairs.kinds) == ({"gzip": 1} if missing else {})


@pytest.mark.parametrize("coding", ["zstd", "compress", "gzip, gzip"])
def test_a_content_encoding_that_requests_has_left(coding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urllib3.HTTPResponse.CONTENT_DECODERS", [])
    rows = {
        "/packed": Row(
            b"\x28\xb5\x2f\xfd" + FEED, (("Content-Type", "text/xml"), ("Content-Encoding", coding))
        ),
        "/plain": Row(FEED * 9, (("Content-Type", "text/xml"), ("Content-Encoding", coding))),
        "/page": Row(
            b"\x28\xb5\x2f\xfd" + FEED, (("Content-Type", "text/html"), ("Content-Encoding", coding))
        ),
    }
    with LocalServer(rows) as server, session() as client:
        found = pytest.raises(FetchError, match=rf"requests has not removed .*\({coding}\)")
        with found as caught:
            client.get(server.url("/packed").replace("//", "//user:secret@"))
        assert caught.value.url == server.url("/packed")
        for read in (lambda response: response.text, lambda response: list(response.iter_content(9, True))):
            with client.get(server.url("/packed"), stream=True) as response, found:
                read(response)
            with client.get(server.url("/plain"), stream=True) as response:
                assert "".join(read(response)) == decode(FEED * 9, "text/xml").text
        assert client.get(server.url("/plain")).text == decode(FEED * 9, "text/xml").text
        assert type(client.get(server.url("/page"))) is requests.Response


def test_the_hook_of_one_request() -> None:
    with LocalServer({"/": Row.typed(FEED, "text/xml")}) as server:
        response = requests.get(server.url("/"), hooks={"response": adapter.use_feedcharset}, timeout=10)
        assert "Погода" in response.text
        assert adapter.use_feedcharset(response) is response


def test_a_caching_session(tmp_path: Path) -> None:
    requests_cache = pytest.importorskip("requests_cache")
    with (
        LocalServer({"/": Row.typed(FEED, "text/xml")}) as server,
        requests_cache.CachedSession(str(tmp_path / "cache"), backend="memory") as client,
    ):
        client.hooks["response"].append(adapter.use_feedcharset)
        for from_cache in (False, True):
            response = client.get(server.url("/"))
            assert (response.from_cache, response.encoding) == (from_cache, "windows-1251")
            assert response.text == decode(FEED, "text/xml").text
            copy = pickle.loads(pickle.dumps(response))
            assert (copy.text, copy.encoding) == (response.text, "windows-1251")
            assert (copy.from_cache, copy.url, type(copy)) == (from_cache, response.url, type(response))
