"""Sources of every kind, and the ones that are refused."""

from __future__ import annotations

import email.message
import io
import os
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

import pytest
import requests
import responses
from support.local_server import LocalServer, Row

from feedcharset import AddressRefused, Limits, XmlReader
from feedcharset.reading.sources import kind_of

RUSSIAN = '<?xml version="1.0" encoding="windows-1251"?><rss><title>Погода</title></rss>'
BODY = RUSSIAN.encode("cp1251")
URL = "http://feeds.example/feed.xml"


class Bare:
    """A stream that can only be read, in short pieces."""

    def __init__(self, data: bytes, piece: int = 3) -> None:
        self._inner = io.BytesIO(data)
        self._piece = piece
        self.closed = False

    def read(self, size: int = -1) -> bytes:
        return self._inner.read(self._piece if size < 0 else min(size, self._piece))

    def close(self) -> None:
        self.closed = True


class Message(Bare):
    """A stream with headers, as urllib, aiohttp and others give it."""

    def __init__(self, headers: object, data: bytes = BODY) -> None:
        super().__init__(data)
        self.headers = headers
        self.status = 200
        self.url = URL


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview], ids=lambda make: make.__name__)
def test_bytes_like(make) -> None:
    with XmlReader(make(BODY)) as reader:
        assert "Погода" in reader.read()
        assert (reader.encoding, reader.resolution.rule, reader.name) == ("windows-1251", "1.2", None)


@pytest.mark.parametrize("make", [str, Path], ids=["str", "Path"])
def test_a_path(tmp_path: Path, make) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(BODY)
    with XmlReader(make(path)) as reader:
        assert "Погода" in reader.read()
        assert reader.name == str(path)
        assert reader.resolution.facts.content_type is None


def test_a_stream_of_short_reads_that_is_not_seekable() -> None:
    stream = Bare(BODY)
    with XmlReader(stream) as reader:
        assert "Погода" in reader.read()
    assert stream.closed


def test_closefd_leaves_the_stream_to_its_owner() -> None:
    stream = Bare(BODY)
    with XmlReader(stream, closefd=False):
        pass
    assert not stream.closed


def test_a_file_object_keeps_its_name(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(BODY)
    with open(path, "rb") as stream, XmlReader(stream) as reader:
        assert reader.name == str(path)


def headers_of(kind: str) -> object:
    if kind == "email":
        message = email.message.Message()
        message["Content-Type"] = "text/xml; charset=UTF-8"
        message["Content-Type"] = "text/html"
        return message
    return {"Content-Type": "text/xml; charset=UTF-8"} if kind == "dict" else {b"content-type": b"text/xml"}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("email", "text/xml; charset=UTF-8, text/html"),
        ("dict", "text/xml; charset=UTF-8"),
        ("bytes", "text/xml"),
    ],
)
def test_the_content_type_of_anything_with_headers(kind: str, expected: str) -> None:
    with XmlReader(Message(headers_of(kind))) as reader:
        assert reader.resolution.facts.content_type == expected
        assert reader.response is not None
        assert (reader.response.status, reader.url) == (200, URL)


def test_headers_without_a_content_type_are_an_http_message_without_the_field() -> None:
    with XmlReader(Message({})) as reader:
        assert reader.resolution.facts.content_type == ""
        assert reader.resolution.rule == "L2"


def test_the_callers_content_type_overrides() -> None:
    with XmlReader(Message({"Content-Type": "text/html"}), content_type="application/xml") as reader:
        assert reader.resolution.rule == "2.0/1.2"


@responses.activate
def test_a_response_of_requests_with_its_content_type_and_without_its_guess() -> None:
    responses.get(URL, body=BODY, content_type="text/xml")
    response = requests.get(URL, timeout=5)
    assert response.encoding == "ISO-8859-1" or response.encoding is None
    with XmlReader(response) as reader:
        assert "Погода" in reader.read()
        assert (reader.encoding, reader.url) == ("windows-1251", URL)


@responses.activate
def test_a_streamed_response() -> None:
    responses.get(URL, body=BODY, content_type="application/rss+xml", headers={"ETag": '"7"'})
    with XmlReader.from_response(requests.get(URL, stream=True, timeout=5)) as reader:
        assert "Погода" in reader.read()
        assert reader.response is not None
        assert reader.response.headers["etag"] == '"7"'


@responses.activate
def test_a_url() -> None:
    responses.get(URL, body=BODY, content_type="application/rss+xml")
    with XmlReader(URL, limits=Limits(total=5)) as reader:
        assert "Погода" in reader.read()
        assert (reader.url, reader.name, reader.resolution.rule) == (URL, URL, "2.0/1.2")


def test_urllib(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(BODY)
    with XmlReader(urllib.request.urlopen(path.as_uri())) as reader:
        assert "Погода" in reader.read()


@pytest.mark.parametrize(
    ("source", "kind", "says"),
    [
        (RUSSIAN, ValueError, "pass its bytes"),
        ("\ufeff \n<rss/>", ValueError, "pass its bytes"),
        ("ftp://example.org/feed", ValueError, "http or https"),
        ("data:text/xml,<a/>", ValueError, "http or https"),
        (7, TypeError, "cannot open int"),
        (None, TypeError, "cannot open NoneType"),
        (io.StringIO("<a/>"), TypeError, "binary stream"),
    ],
    ids=["xml", "bom-xml", "ftp", "data", "int", "none", "text-stream"],
)
def test_what_cannot_be_opened_is_refused_with_what_to_pass(source, kind, says: str) -> None:
    with pytest.raises(kind, match=says):
        XmlReader(source)


def test_a_stream_that_gives_str_is_refused_and_closed() -> None:
    class Liar(Bare):
        def read(self, size: int = -1):
            return "<a/>"

    stream = Liar(b"")
    for gunzip in (True, False):
        with pytest.raises(TypeError, match="gives str"):
            XmlReader(stream, gunzip=gunzip)
    assert stream.closed


def test_a_name_with_a_colon_is_a_path_where_it_exists(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("feed:latest").write_bytes(BODY)
    assert kind_of("feed:latest") == "path"
    with pytest.raises(ValueError, match="scheme 'feed'"):
        kind_of("feed:missing")


def test_the_explicit_constructors_open_one_kind_each(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.makedirs("http:")
    Path("http:", "feed.xml").write_bytes(BODY)
    with XmlReader.from_path("http:/feed.xml") as reader:
        assert "Погода" in reader.read()
    with XmlReader.from_bytes(BODY) as reader, XmlReader.from_stream(Bare(BODY)) as other:
        assert reader.read() == other.read()
    for constructor, source in [
        (XmlReader.from_url, b"http://feeds.example/"),
        (XmlReader.from_bytes, "feed.xml"),
        (XmlReader.from_stream, BODY),
        (XmlReader.from_response, Bare(BODY)),
    ]:
        with pytest.raises(TypeError, match="was given what looks like"):
            constructor(source)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("//feeds.example/", "no scheme"),
        ("feeds.example/feed.xml", "no scheme"),
        ("", "no scheme"),
        ("<rss/>", "no scheme"),
        ("ftp://feeds.example/", "the scheme 'ftp'"),
        ("file:///etc/passwd", "the scheme 'file'"),
        ("feed:feeds.example", "the scheme 'feed'"),
        ("http:/", "not a URL of a host"),
    ],
)
def test_from_url_refuses_every_other_address_with_one_error(url: str, why: str) -> None:
    with pytest.raises(
        AddressRefused,
        match=f"^{url}: {why}.*; (give the http or https URL of the feed|did you mean https://)",
    ):
        XmlReader.from_url(url)


@pytest.mark.parametrize("opened", [XmlReader, XmlReader.from_url])
def test_white_space_around_a_url_is_dropped(opened: Any) -> None:
    rows = {"/feed": Row.typed(BODY, "application/rss+xml")}
    with LocalServer(rows) as server, opened(f" \n{server.url('/feed')}\t") as reader:
        assert reader.url == server.url("/feed")


def test_a_path_in_an_archive_without_a_name() -> None:
    with zipfile.ZipFile(io.BytesIO(), "w") as archive:
        archive.writestr("feed.xml", BODY)
        with XmlReader(zipfile.Path(archive, "feed.xml")) as reader:
            assert (reader.name, "Погода" in reader.read()) == ("feed.xml", True)


def test_a_missing_file_is_the_operating_systems_error() -> None:
    with pytest.raises(FileNotFoundError):
        XmlReader("no such file.xml")


def test_opening_bytes_does_not_import_requests() -> None:
    import subprocess

    code = (
        "import sys, feedcharset; feedcharset.XmlReader(b'<a/>').close(); "
        "assert not {'requests', 'lxml', 'ftfy', 'rich', 'click'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_requests_an_error_names_what_to_install() -> None:
    program = """
import sys
sys.modules["requests"] = None
from feedcharset import XmlReader
with XmlReader(b"<a/>") as reader:
    print(reader.read())
from io import BytesIO
from types import SimpleNamespace
from http.client import HTTPResponse
for source in ("http://feeds.example/", HTTPResponse(SimpleNamespace(makefile=lambda mode: BytesIO()))):
    try:
        XmlReader(source)
    except ModuleNotFoundError as error:
        print(error.name, str(error))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.splitlines() == [
        "<a/>",
        "requests opening a URL needs requests: pip install requests",
        "requests opening a response needs requests: pip install requests",
    ]


@pytest.mark.parametrize(
    ("package", "lines", "code"),
    [
        ("lxml", "from feedcharset import parse", 1),
        ("lxml", "from feedcharset import iterparse", 1),
        ("lxml", "from feedcharset import NoDocument", 1),
        ("click", "from feedcharset.cli import main; main(['check', 'x.xml'])", 2),
        ("ftfy", "from feedcharset.cli import main; main(['cat', '--mojibake', 'fix', 'x.xml'])", 2),
        ("requests", "from feedcharset.cli import main; main(['cat', 'http://feeds.example/'])", 2),
    ],
)
def test_without_a_package_the_last_line_names_it(package: str, lines: str, code: int) -> None:
    program = f"import sys; sys.modules[{package!r}] = None\n{lines}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.rstrip().endswith(f" needs {package}: pip install {package}")
    assert code == 1 or done.stderr.count("\n") == 1


def test_a_package_that_cannot_be_loaded_is_one_line() -> None:
    program = """
import sys
from importlib.abc import MetaPathFinder

class Finder(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "click":
            raise ImportError("cannot import name 'x' from 'click'")

sys.meta_path.insert(0, Finder())
from feedcharset.cli import main
main(["check", "x.xml"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (2, "Error: cannot import name 'x' from 'click'\n")
