"""What the errors of a download carry: the header of the response, an excerpt that is safe to print."""

from __future__ import annotations

import gzip
import ssl
from typing import TYPE_CHECKING, Any

import pytest
import requests
from support.each import each
from support.faults import SCRIPTS
from support.faulty_server import Close, FaultyServer, Script, Send
from support.local_server import LocalServer, Row
from support.time_limits import CALM

from feedcharset import (
    DeadlineExceeded,
    FetchError,
    HTTPStatusError,
    Limits,
    TooLarge,
    TruncatedBody,
    XmlReader,
    decode,
)

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "<?xml version='1.0'?><rss><channel><title>Привет, мир: новости</title></channel></rss>"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=koi8-r\r\nContent-Length: 900\r\n\r\n"


def test_a_part_can_be_decoded_as_the_whole() -> None:
    """The charset of HTTP is known although the body broke off."""
    script = Script((Send(HEAD + TEXT.encode("koi8-r")), Close()))
    with (
        FaultyServer(script) as server,
        pytest.raises(TruncatedBody) as caught,
        XmlReader(server.url) as reader,
    ):
        reader.read()
    error = caught.value
    assert error.headers["content-type"] == "text/xml; charset=koi8-r"
    assert decode(error.partial, error.headers.get("Content-Type")).text == TEXT


def test_a_limit_of_gzip_without_a_label() -> None:
    body = gzip.compress(b"<rss>" + bytes(3_000_000))
    with LocalServer({"/": Row(body, (("Content-Type", "text/xml"),))}) as server:
        for limits in (Limits(decoded=1000), Limits(ratio=1)):
            with pytest.raises(TooLarge) as caught, XmlReader(server.url("/"), limits=limits) as reader:
                reader.read()
            assert caught.value.headers["Content-Type"] == "text/xml"


HANDLED = (
    IndexError("pop from empty list"),
    TimeoutError("timed out"),
    ConnectionRefusedError(111, "Connection refused"),
    requests.ReadTimeout("timed out", request=requests.Request()),
    requests.exceptions.InvalidURL("http://user:secret@host/"),
    ssl.SSLCertVerificationError("certificate verify failed"),
    ValueError("token SECRET"),
    DeadlineExceeded("http://other/: no connection within 10 s", limit="connect"),
    KeyboardInterrupt(),
)
"""What a caller handles while it opens another URL."""


@each(
    "script",
    [
        "length-too-long",
        "chunked-cut-within",
        "chunk-size-no-hex",
        "reset-in-body",
        "close-after-request",
        "garbage-status-line",
        "200-header-fields",
        "length-list-different",
        "gzip-that-is-not",
        "gzip-truncated",
        "br-that-is-not",
        "redirect-to-a-closed-port",
        "not-found",
    ],
)
def test_what_the_caller_handles_is_no_cause(script: str) -> None:
    """A second URL is opened in an `except:` or `finally:`, as a fallback."""
    with FaultyServer(SCRIPTS[script]) as server:
        wanted = failure_of(server.url)
        for handled in HANDLED:
            before = dict(vars(handled))
            try:
                raise handled
            except BaseException:
                assert failure_of(server.url) == wanted
            assert vars(handled) == before


def failure_of(url: str) -> tuple[Any, ...]:
    with pytest.raises(FetchError) as caught, XmlReader(url, limits=CALM) as reader:
        reader.read()
    error = caught.value
    return type(error), error.problem, error.advice, error.limit, error.partial, type(error.__cause__)


def test_lines_of_a_body_that_is_cut() -> None:
    body = b"<rss>\n" * 50_000
    script = Script((Send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + body), Close()))
    with (
        FaultyServer(script) as server,
        pytest.raises(TruncatedBody, match="IncompleteRead") as caught,
        XmlReader(server.url) as reader,
    ):
        for _ in reader:
            pass
    assert caught.value.__context__ is None  # nothing of this library


def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "Connection refused"),
        (b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n", "407"),
        (b"", "closed"),
        (b"HTTP/1.1 200 O", "closed"),
    ],
)
def test_a_proxy_that_fails_is_named(
    scheme: str, answer: bytes | None, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_proxies(monkeypatch)
    with FaultyServer(Script((Send(answer or b""), Close()))) as proxy:
        monkeypatch.setenv(f"{scheme}_proxy", f"http://127.0.0.1:{1 if answer is None else proxy.port}")
        with pytest.raises(FetchError, match=reason) as caught:
            XmlReader(f"{scheme}://feeds.invalid/", limits=CALM)
    assert "proxy" in str(caught.value)
    assert "proxy" in caught.value.advice


@pytest.mark.parametrize(
    ("verify", "cert"),
    [("missing.pem", None), ("empty.pem", None), (None, "missing.pem"), (None, "empty.pem")],
)
def test_certificates_that_cannot_be_used(verify: str | None, cert: str | None, tmp_path: Path) -> None:
    (tmp_path / "empty.pem").write_bytes(b"")
    with requests.Session() as session, FaultyServer(SCRIPTS["honest"]) as server:
        session.trust_env = False
        session.verify = str(tmp_path / verify) if verify else True
        session.cert = str(tmp_path / cert) if cert else None
        with pytest.raises(FetchError) as caught:
            XmlReader(server.url.replace("http:", "https:"), session=session, limits=CALM)
    assert caught.value.advice.startswith("correct the certificates")


def test_credentials_that_cannot_be_sent() -> None:
    with requests.Session() as session:
        session.auth = ("ž", "secret€")
        with pytest.raises(FetchError, match="characters that cannot be sent") as caught:
            XmlReader("http://feeds.invalid/", session=session)
    assert "credentials" in caught.value.advice
    assert caught.value.__cause__ is None  # it has the password


def test_a_field_has_no_white_space_around_its_value() -> None:
    """Also where the line is folded (RFC 9112 section 5.2): what is sent back is what can be sent."""
    fields = b'ETag:\r\n "abc"\r\nLast-Modified: \t now \t\r\nSet-Cookie: a=1\r\nSet-Cookie:  b=2\r\n'
    script = Script((Send(b"HTTP/1.1 200 OK\r\n" + fields + b"Content-Length: 6\r\n\r\n<rss/>"), Close()))
    with FaultyServer(script) as server, requests.Session() as session:
        with XmlReader(server.url, session=session) as reader:
            headers = reader.response.headers
        assert (headers["ETag"], headers["Last-Modified"]) == ('"abc"', "now")
        assert dict(session.cookies) == {"a": "1", "b": "2"}
        with XmlReader(server.url, headers={"If-None-Match": headers["ETag"]}) as reader:
            assert reader.read() == "<rss/>"
        assert b'If-None-Match: "abc"\r\n' in server.requests[1]


@pytest.mark.parametrize(
    ("body", "excerpt"),
    [
        (b"\x1b]0;owned\x07\x1b[2J no\tfeed\r\nhere\n", "\\x1b]0;owned\\x07\\x1b[2J no feed\nhere\n"),
        ("a\u202eb\x9bc\u200d\ufeff".encode(), "a\\u202eb\\x9bc\\u200d\\ufeff"),
        (b"caf\xe9 \x81\x1b", "caf\xe9 \\x81\\x1b"),
        (("\ufeff" + "\U0001f4a9" * 300).encode(), "\U0001f4a9" * 200),
    ],
)
def test_no_control_character_of_an_error_page_is_in_the_excerpt(body: bytes, excerpt: str) -> None:
    with LocalServer({"/": Row(body, status=503)}) as server, pytest.raises(HTTPStatusError) as caught:
        XmlReader(server.url("/"))
    assert caught.value.excerpt == excerpt


@pytest.mark.parametrize(
    ("body", "excerpt"),
    [
        (
            "denied to\r\nAuthorization: Basic dXM6czNjcjN0\r\nHost: a",
            "denied to\nAuthorization: ***\nHost: a",
        ),
        ('{"Authorization": "Bearer s3cr3t", "Host": "a"}', '{"Authorization": ***'),
        ("x" * 150 + " http://us:" + "s3cr3t" * 20 + "@host/x", "x" * 150 + " http://host/x"),
        ("Proxy-Authorization:s3cr3t", "Proxy-Authorization:***"),
    ],
)
def test_credentials_that_an_error_page_repeats_are_not_in_the_excerpt(body: str, excerpt: str) -> None:
    with (
        LocalServer({"/": Row(body.encode(), status=403)}) as server,
        pytest.raises(HTTPStatusError) as caught,
    ):
        XmlReader(server.url("/"))
    assert caught.value.excerpt == excerpt


@pytest.mark.parametrize("limits", [Limits(wire=20), Limits(decoded=20)])
def test_the_excerpt_of_a_page_whose_length_is_over_a_limit(limits: Limits) -> None:
    row = Row(b"down for maintenance" * 50, status=503)
    with LocalServer({"/": row}) as server, pytest.raises(HTTPStatusError) as caught:
        XmlReader(server.url("/"), limits=limits)
    assert caught.value.excerpt == "down for maintenance" * 10


def test_the_excerpt_is_in_the_charset_of_the_error_page() -> None:
    row = Row(
        "нет такой ленты".encode("cp1251"), (("Content-Type", "text/plain; charset=windows-1251"),), 404
    )
    with LocalServer({"/": row}) as server, pytest.raises(HTTPStatusError) as caught:
        XmlReader(server.url("/"))
    assert caught.value.excerpt == "нет такой ленты"


ADVICE = {
    304: "use your stored copy",
    400: "look at .excerpt",
    404: "check the URL; the feed may have moved",
    410: "the feed is gone; remove the URL",
    429: "try later, and less often",
    500: "try later",
    503: "try later",
}


def test_the_advice_fits_the_status() -> None:
    """No "try later" where waiting changes nothing."""
    with LocalServer(
        {f"/{status}": Row(b"x" * (status != 304), status=status) for status in ADVICE}
    ) as server:
        for status, advice in ADVICE.items():
            with pytest.raises(HTTPStatusError) as caught:
                XmlReader(server.url(f"/{status}"))
            assert (caught.value.status, caught.value.advice) == (status, advice)
