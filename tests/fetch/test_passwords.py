"""No password of a URL is in an exception: its message, its attributes, its cause and its context."""

from __future__ import annotations

import errno
import io
import pickle
import socket
import traceback
from itertools import product
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
import requests
from support.each import each
from support.effort import growth
from support.faults import SCRIPTS
from support.faulty_server import Close, FaultyServer, Script, Send
from support.local_server import LocalServer, Row

from feedcharset import DeadlineExceeded, FetchError, Limits, UnknownEncoding, XmlReader, check, detect
from feedcharset.fetch.client import open_url
from feedcharset.fetch.urls import (
    masked,
    masked_field,
    masked_path,
    redirected,
    target,
    unopened,
    without_userinfo,
)

SECRET = "s3c"
PASSWORDS = [
    SECRET + odd + "ret" for odd in ("/", "?", "#", "\\", "@", ":", "[", " ", "\n", "\x00", "%", "é", "//")
]
SCHEMES = [
    "http://",
    "https://",
    "http:/",
    "http:",
    "http:///",
    "HTTP:\\\\",
    "http://\t",
    " http://",
    "//",
    "",
    "ftp://",
]


def held(error: BaseException | None) -> str:
    """Everything that a log or a pickle of an exception may show."""
    if error is None:
        return ""
    told = [str(error), repr(error), repr(vars(error)), "".join(traceback.format_exception_only(error))]
    request: Any = getattr(error, "request", None)
    if request is not None:
        told += [repr(vars(request)), repr(dict(request.headers))]
    return "\n".join([*told, held(error.__cause__), held(error.__context__)])


@each("scheme", SCHEMES)
def test_what_is_no_url_is_masked_to_its_last_at_sign(scheme: str) -> None:
    for password, rest in product(
        PASSWORDS, ["@host.invalid/feed", "@host:99999/", "@[::1", "@", "\uff20h/"]
    ):
        url = f"{scheme}user:{password}{rest}"
        with pytest.raises(FetchError) as caught:
            open_url(url)
        error = caught.value
        assert SECRET not in held(error), url
        assert "ret" not in str(error), url
        assert SECRET.encode() not in pickle.dumps(error)


def test_a_url_without_its_scheme_is_a_path_that_is_masked() -> None:
    with pytest.raises(FileNotFoundError) as caught:
        XmlReader(f"//user:{SECRET}ret@host.invalid/feed")
    assert SECRET not in held(caught.value)
    assert caught.value.filename == "//host.invalid/feed"
    with pytest.raises(FileNotFoundError) as caught:
        XmlReader(f"me@example.org:{SECRET}ret@host.invalid/feed")
    assert caught.value.filename == "host.invalid/feed"


ALMOST = [
    *("http ://", "htt p://", "http%3A//", "http&#58;//", "url=http://", "h\nttp://", "//", "http;//", "://"),
    *(
        "http\uff1a//",
        "http\uff1a\uff0f\uff0f",
        "http%3A%2f%2F",
        "ttp ://http://",
        "see http://",
        "h.invalid//",
    ),
]


@each("almost", ALMOST)
def test_what_is_nearly_a_url_is_a_path_that_is_masked(almost: str) -> None:
    ends = ["@host.invalid/feed", f"@{'x' * 300}/", "@", "\uff20h/", "\ufe6bh/", "@b@h/"]
    for password, rest in product(PASSWORDS, ends):
        for function in (XmlReader, XmlReader.from_path, detect, check):
            url = f"{almost}user:{password}{rest}"
            with pytest.raises((OSError, ValueError)) as caught:
                function(url)
            error = caught.value
            assert SECRET not in held(error) + repr(getattr(error, "filename", "")), url
            assert SECRET not in repr(getattr(error, "__notes__", ())), url
            assert SECRET.encode() not in pickle.dumps(error)


def test_the_rest_of_such_a_path_stays_and_so_do_other_paths() -> None:
    for path, shown in (
        ("http ://user:s3c@b@h/x", "http ://h/x"),
        ("a//b", "a//b"),
        ("a/b@c", "a/b@c"),
        ("b@c/a//x", "b@c/a//x"),
        ("/no/" * 3, "/no/" * 3),
    ):
        with pytest.raises(FileNotFoundError) as caught:
            XmlReader.from_path(path)
        assert (caught.value.filename, caught.value.errno) == (shown, errno.ENOENT)
    assert masked_path("/" * 20_000) == "/" * 20_000
    with pytest.raises(OSError, match="too long") as raised:
        XmlReader("a" * 300)
    assert raised.value.filename == "a" * 300


def test_where_a_redirect_leads_is_kept_without_userinfo() -> None:
    rows = {"/feed": Row(b"<r/>")}
    with LocalServer(rows) as server:
        place = server.url("/feed").replace("//", f"//user:{SECRET}ret@")
        server.rows["/"] = Row(b"", (("Location", place),), 301)
        with XmlReader(server.url("/")) as reader:
            assert reader.read() == "<r/>"
            (moved,) = reader.response.history
    assert moved.headers["location"] == server.url("/feed")


@each("scheme", [*(scheme for scheme in SCHEMES if "\t" not in scheme), "///", "http:////", "https:///"])
def test_a_redirect_to_what_is_no_url_is_refused_and_masked(scheme: str) -> None:
    """`http:user:secret@host/` and `http:///user:secret@host/` are paths of the same host for RFC 3986."""
    place = target("http://feeds.example/a")
    for password, rest in product(PASSWORDS, ["@host.invalid/feed", "@host:99999/", "@", "\uff20h/"]):
        location = f"{scheme}user:{password}{rest}".encode().decode("latin-1")
        refused = None
        try:
            found = redirected(place, location, https_to_http=True)
        except FetchError as error:
            refused = error
        shown = held(refused) if refused else unopened(found.url)
        assert SECRET not in shown, location
        assert refused is None or str(refused).startswith("http://feeds.example/a: redirects to "), location


def test_where_a_status_points_is_shown_without_userinfo() -> None:
    location = f"http://user:{SECRET}ret@host.invalid/feed"
    hub = "<https://hub.invalid/@a>; rel=hub"
    fields = {
        "Location": "{}",
        "Content-Location": "{}",
        "Link": "<{}>; rel=self, " + hub,
        "Refresh": "0; url={}",
    }
    sent = tuple((name, value.format(location)) for name, value in fields.items())
    with LocalServer({"/": Row(b"", sent, 300)}) as server, pytest.raises(FetchError) as caught:
        open_url(server.url("/"))
    shown = caught.value.headers
    assert shown is not None
    assert {name: shown[name] for name in fields} == {
        name: value.format("http://host.invalid/feed") for name, value in fields.items()
    }


def test_the_rest_of_the_url_stays_in_the_message() -> None:
    with pytest.raises(FetchError, match=r"^http://feeds\.example/a: "):
        open_url("http://user:s3c#ret@feeds.example/a")
    assert masked("http:u:p@h/") == "http:h/"
    assert masked("http:///u:p@h/") == "http:///h/"
    assert masked("ftp://u:p@h/") == "ftp://h/"
    assert masked("u:p@h/") == "h/"
    assert masked("http://h/") == "http://h/"


@each("odd", [*"/?#", "//", "/?", "?#/", ":/"])
def test_a_password_with_a_slash_in_a_url_within_a_url(odd: str) -> None:
    passwords = [SECRET + odd + "ret", odd + SECRET] if odd[0] in "?#" else [SECRET + odd + "ret"]
    for user, password in product(("u", "u@x", "u@", ""), passwords):
        inner = f"http://{user}:{password}@host.invalid/e"
        for url in (
            f"http://h/x?u={inner}",
            f"http://h/x?u={inner.removeprefix('http:')}",
            f"http://h/{inner}",
            f"http://h/x?u={quote(inner, safe='')}&b=c%40d",
            f"http://h/x?u={quote(quote(inner, safe=''))}&b=c%40d",
        ):
            assert SECRET not in without_userinfo(url), url
            assert "ret" not in without_userinfo(url), url
            assert "host.invalid" in without_userinfo(url), url
    for size, hidden in ((250, True), (260, False)):
        url = f"http://h/?u=http://u:{'x' * size}/{SECRET}@h/"
        assert (SECRET not in without_userinfo(url)) == hidden
    for url in (
        "http://h:80/a@b",
        "http://h/?u=http://h:80/@b",
        "http://h/?u=http%3A%2F%2Fh%3A80%2F%40b",
        "http://[::1]:8/a@b",
        "http://h/https://https://h/@b",
        "http://h/?u=https%3A%2F%2Fhttps%3A%2F%2Fh%2F%40b",
    ):
        assert without_userinfo(url) == url


@each(
    "inner",
    [
        "//{}h/",
        "https:\\/\\/{}h/",
        "https:%5C/%5C/{}h/",
        "%2F%2F{}h",
        "https:%5C%5C{}h",
        "https:\\\\{}h",
        "HTTPS%3a%2F/{}h",
        "%252F%252F{}h",
    ],
)
def test_a_url_within_a_url_without_a_scheme(inner: str) -> None:
    for before in ("http://h/x?u=", "http://h/", "http://h?a=b&u="):
        for userinfo in (
            *(f"u:{SECRET}@", f"u%3A{SECRET}%40", f":{SECRET}@", f"u:{SECRET}%2Fx@"),
            *(f"u:a@{SECRET}@", f"u@:{SECRET}@", f"u%40%3Aa%40{SECRET}%40", f"u:a@{SECRET}%2Fx@"),
        ):
            url = before + inner.format(userinfo)
            assert without_userinfo(url) == before + inner.format(""), url
    for url in (
        "http://h//@alice/feed",
        "http://h/x//a:80/@b",
        "http://h//a?b:c@d",
        "http://h/a/b:c@d",
        "http://h//a&b:c@d",
    ):
        assert without_userinfo(url) == url


@pytest.mark.long
@each(
    "unit",
    [
        *("http://u:", "http%3A%2F%2Fu%3A", "://a:b/", "%3A%2F%2Fa%3Ab"),
        *("/", "//a", "//a:", "%2F", "\\", "//%", "//a:?", "=//a:?", " http:"),
    ],
)
@pytest.mark.parametrize("times", [2_000, pytest.param(8_000, marks=pytest.mark.long)])
def test_urls_within_a_url_are_found_in_linear_time(unit: str, times: int) -> None:
    for end in ("", "%"):
        url = "http://h/?" + unit * times + end
        assert without_userinfo(url) == masked_field(url) == url


@each("within", "/?#&")
def test_each_separator_may_be_encoded_another_number_of_times(within: str) -> None:
    """`urllib.parse.quote` leaves slashes: `http%3A//user%3Aa/secret%40host/`."""
    for levels in product((0, 1, 2), repeat=5):
        escaped = (f"%{'25' * (level - 1)}{{:02X}}" if level else "{:c}" for level in levels)
        colon, slash, between, own, at = (
            one.format(ord(char)) for one, char in zip(escaped, f":/:{within}@", strict=True)
        )
        inner = f"http{colon}{slash}{slash}user{between}a{own}{SECRET}{at}host/"
        for url in (f"http://h/x?a=b&u={inner}&c=d%40e", f"http://h/p/{inner}"):
            assert SECRET not in without_userinfo(url), url
            assert without_userinfo(url).startswith(url.partition("user")[0] + "host/"), url
    for port in ("80", "%5B%3A%3A1%5D:80"):
        url = f"http://h/?u=http%3A//{port}/a%40b"
        assert without_userinfo(url) == url


def test_slashes_that_are_encoded_in_many_ways_take_linear_time() -> None:
    """A server could name such an address in a redirect."""
    url, times = "http://h/?", 0
    while len(url) < 60_000:
        url, times = url + "%3A%" + "25" * times + "2F", times + 1

    def mask(size: int) -> None:
        assert without_userinfo(url[:size] + "%" * size) == url[:size] + "%" * size

    assert growth(mask, 3_000, 48_000, most=32) < 32


@pytest.mark.parametrize("scheme", ["http:", "https:", "HTTP:"])
@pytest.mark.parametrize("before", ["?", "?url=", "?a=b&"])
def test_a_url_without_slashes_in_a_query(before: str, scheme: str) -> None:
    url = f"http://h.invalid/{before}{scheme}"
    assert without_userinfo(f"{url}user:{SECRET}@host/feed") == f"{url}host/feed"
    assert without_userinfo(f"{url}80@host/feed") == f"{url}80@host/feed"


@each("slashes", ["", "/", "//", "///"])
@each("before", ["?next=", "/p/", "#", "?a=b&u="])
def test_a_url_within_a_url_that_lacks_slashes(before: str, slashes: str) -> None:
    for odd in ("", "/x", "?", "#", "/x/y"):
        url = f"http://h.invalid:8/x{before}https:{slashes}user:{SECRET}{odd}@host/"
        assert without_userinfo(url) == f"http://h.invalid:8/x{before}https:{slashes}host/", url
    for url in (
        f"http://h:80/x{before}http:80/@b",
        f"http://h/x{before}urn:isbn:3@x",
        "http://h:8/x?t=12:30@b",
    ):
        assert without_userinfo(url) == url


@pytest.mark.parametrize("times", range(8))
def test_a_url_that_is_encoded_often(times: int) -> None:
    colon, slash, at = (f"%{'25' * times}{code}" for code in ("3A", "2F", "40"))
    inner = f"http{colon}{slash}{slash}user{colon}{SECRET}{at}host{slash}feed"
    assert SECRET not in without_userinfo(f"http://h.invalid/?url={inner}")
    assert without_userinfo(f"http://h.invalid/?url={inner}").endswith(f"{slash}host{slash}feed")


def test_a_port_and_a_path_that_may_be_a_password() -> None:
    """`http://user:1/secret@host/` is a URL of the host "user"; it is shown once that host has answered."""
    for rest in (f"1/{SECRET}ret@h.invalid/", f"80?{SECRET}ret@h.invalid/", f"80#{SECRET}ret@h.invalid/"):
        with pytest.raises(FetchError, match=r"^http://user\.invalid:\.\.\.@h\.invalid/: ") as caught:
            open_url("http://user.invalid:" + rest)
        assert SECRET not in held(caught.value)
        assert SECRET.encode() not in pickle.dumps(caught.value)
    for at, place in product("@\uff20\ufe6b", ("http://user:", "http://http:", "https://https:")):
        for rest in (f"/{SECRET}{at}h/", f"//u:{SECRET}{at}h/", f"?{SECRET}{at}h/", f"#{SECRET}{at}h/"):
            with pytest.raises(FetchError, match="no number of a port") as caught:
                open_url(place + rest)
            assert SECRET not in held(caught.value)
    for at, mark in product("\uff20\ufe6b", "/?#"):
        with pytest.raises(FetchError, match=r"^http://user\.invalid:\.\.\.@h\.invalid/: ") as caught:
            open_url(f"http://user.invalid:1{mark}{SECRET}{at}h.invalid/")
        assert SECRET not in held(caught.value)
    with LocalServer({"/@user/feed": Row(b"<rss/>")}) as server, open_url(server.url("/@user/feed")) as body:
        assert body.url == server.url("/@user/feed")
    for url in (
        "http://h.invalid:80/@alice/feed",
        "http://h.invalid:80/a//@alice/@b",
        "http://127.0.0.1:9/a?b=c@d",
        "http://localhost:9/a@b",
        "http://[::1]:9/a@b",
    ):
        with pytest.raises(FetchError) as caught:
            open_url(url, limits=Limits(connect=0.1))
        assert caught.value.url == url


INNER = [
    "https://{}h.invalid/feed",
    "https:/{}h.invalid/feed?a=b@c",
    "?url=https://{}h.invalid/feed",
    "?url=https://{}h.invalid&b=c",
    "web/2020/http://h.invalid/https://{}h.invalid/",
    "?url=https%3A%2F%2F{}h.invalid%2Ffeed",
    "?url=https%3A//{}h.invalid/feed",
    "?url=https:%2f%2f{}h.invalid%3Fa%3Db%40c",
    "?url=https%253A%252F%252F{}h.invalid%252F",
    "#https://{}h.invalid/",
]


@each("inner", INNER, every=2)
def test_a_url_within_a_url(inner: str) -> None:
    for userinfo in (
        f"u:{SECRET}@",
        f"u%3A{SECRET}%40",
        f"u%253A{SECRET}%2540",
        f"{SECRET}@x@",
        f"u:{SECRET}%2Fx@",
    ):
        if userinfo.count("%2F") and inner.count("%"):
            continue
        path = "/" + inner.format(userinfo)
        clean = "/" + inner.format("")
        with LocalServer({}) as server, pytest.raises(FetchError) as caught:
            open_url(server.url(path))
        assert caught.value.url == server.url(clean.replace("%2f", "%2F"))
        assert SECRET not in held(caught.value)
        for begin in ("http://127.0.0.1:1", "http://127.0.0.1:x", "http://a\\b", "ftp://h.invalid"):
            with pytest.raises(FetchError) as caught:
                open_url(begin + path)
            assert SECRET not in held(caught.value)
            assert SECRET.encode() not in pickle.dumps(caught.value)
        with pytest.raises(FileNotFoundError) as missing:
            XmlReader.from_path("h.invalid" + path)
        assert SECRET not in held(missing.value) + repr(missing.value.__notes__)


def test_a_url_within_a_url_that_is_encoded() -> None:
    """What is encoded in the password is encoded once more: `%2F` there is `%252F`, and ends no authority."""
    for user, password, behind in product(
        ("u", "a%40b", "é", ""),
        (f"{SECRET}%2Fx", f"x%3F{SECRET}", f"%23{SECRET}%40y"),
        ("", "/f?x=1", "#a", ":80/@b"),
    ):
        inner = "HTTPS://{}h" + behind
        for encode in (
            quote,
            quote_plus,
            lambda text: quote(text, ""),
            lambda text: quote(quote(text, ""), ""),
        ):
            url = "http://h/?u=" + encode(inner.format(f"{user}:{password}@")) + "&c=d"
            assert without_userinfo(url) == "http://h/?u=" + encode(inner.format("")) + "&c=d"


def test_a_url_within_a_url_is_sent_as_it_is_and_not_shown() -> None:
    with (
        FaultyServer(SCRIPTS["honest"]) as server,
        XmlReader(f"{server.url}https://u:{SECRET}@h/feed") as reader,
    ):
        assert f"https://u:{SECRET}@h/feed".encode() in server.requests[0]
        assert SECRET not in f"{reader!r} {reader.url} {reader.name} {reader.response}"
    with LocalServer({}) as local:
        place = local.url(f"/https://u:{SECRET}@h/feed")
        local.rows["/"] = Row(b"", (("Location", place),), 301)
        local.rows[f"/https://u:{SECRET}@h/feed"] = Row(b"<r/>")
        with XmlReader(local.url("/")) as reader:
            assert SECRET not in f"{reader!r} {reader.url} {reader.name} {reader.response}"
        local.rows[f"/https://u:{SECRET}@h/feed"] = Row(b"", (("Location", place),), 301)
        with pytest.raises(FetchError, match="circle") as caught:
            XmlReader(local.url("/"))
        assert SECRET not in held(caught.value)
        with pytest.raises(FetchError, match="more than 1 redirects") as caught:
            XmlReader(local.url("/"), limits=Limits(redirects=1))
        assert SECRET not in held(caught.value)


def test_what_looks_like_a_url_within_a_url() -> None:
    for url in (
        "http://h/web/https://medium.example/@alice/feed",
        "http://h/?u=https%3A%2F%2Fmedium.example%2F%40alice",
        "http://h/?u=https://h&v=1",
        "http://h/a//b@c",
        "http://h/a:b@c",
        "http://h/?u=https%3A%2F%2Fh%3Fmail=a%40b&c=d@e",
        "http://h/?u=https%3A%2F%2Fh&mail=a%40b",
    ):
        assert without_userinfo(url) == url
        assert without_userinfo(url.replace("//h", "//u:p@h", 1)) == url


def test_a_password_that_cannot_be_encoded() -> None:
    with pytest.raises(FetchError, match=r"^http://h/: white space or a backslash in the host, or") as caught:
        open_url(f"http://user:{SECRET}\udcff@h/")
    assert SECRET not in held(caught.value)


@pytest.mark.parametrize("before", ["\ufeff", '"', "<", "'", "\u00a0"])
def test_what_was_copied_before_a_url(before: str) -> None:
    with pytest.raises(FetchError) as caught:
        XmlReader(f"{before}http://user:{SECRET}ret@feeds.invalid/")
    assert SECRET not in held(caught.value)


@pytest.mark.parametrize("value", [f"Bearer {SECRET}\n", f" {SECRET}", f"{SECRET}\r\nX: y", f"{SECRET}–x"])
def test_a_header_that_cannot_be_sent(value: str) -> None:
    with pytest.raises(ValueError, match="headers: 'Authorization' or its value") as caught:
        open_url("http://feeds.invalid/", headers={"Authorization": value})
    assert not isinstance(caught.value, FetchError)
    assert SECRET not in held(caught.value)
    with requests.Session() as session:
        session.headers["Authorization"] = value
        with pytest.raises(ValueError, match="headers: 'Authorization'") as caught:
            open_url("http://feeds.invalid/", session=session)
    assert SECRET not in held(caught.value)


@each(
    ("name", "value", "is_sent"),
    [
        ("X-Api_Key!", "a\tb", True),
        ("X-Empty", "", True),
        ("X-Latin", "\xe9\xff", True),
        ("X Key", "a", False),
        ("X-Key\0", "a", False),
        ("X-Key\t", "a", False),
        ("X-Kéy", "a", False),
        ("X(Key)", "a", False),
        ("", "a", False),
        ("X-Key", "a\0b", False),
        (f"Authorization: Bearer {SECRET}", "a", False),
        (f"Bearer {SECRET}", "", False),
    ],
)
def test_names_of_header_fields_are_checked_as_their_values(name: str, value: str, is_sent: bool) -> None:
    """RFC 9110 section 5.1: a name is a token."""
    with FaultyServer(SCRIPTS["honest"]) as server:
        if is_sent:
            open_url(server.url, headers={name: value}).close()
            assert f"{name}: {value}\r\n".encode("latin-1") in server.requests[0]
        else:
            expected = "or its value has characters a field cannot have"
            with pytest.raises(ValueError, match=expected) as caught:
                open_url(server.url, headers={name: value})
            assert not server.requests
            assert SECRET not in str(caught.value)


@pytest.mark.parametrize("value", [5, 1.5, ["a"], object()])
def test_a_header_field_is_text(value: Any) -> None:
    with pytest.raises(
        TypeError, match=rf"^headers: 'X-Key' must be a str or bytes, not {type(value).__name__}$"
    ):
        open_url("http://127.0.0.1:9/", headers={"X-Key": value})


@pytest.mark.parametrize("label", [f"Authorization: Basic {SECRET}", f"http://user:{SECRET}@host/"])
def test_a_label_that_repeats_credentials_is_shown_without_them(label: str) -> None:
    head = f'HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset="{label}"\r\nConnection: close\r\n\r\n<a/>'
    with FaultyServer(Script((Send(head.encode()), Close()))) as server:
        with XmlReader(server.url) as reader:
            assert SECRET not in reader.resolution.explain() + repr(reader.resolution)
        with pytest.raises(UnknownEncoding) as caught:
            XmlReader(server.url, lenient=False)
    assert SECRET not in str(caught.value) + repr(vars(caught.value))


def test_the_credentials_of_a_request_are_not_kept_by_its_exception() -> None:
    with FaultyServer(Script((Close(),))) as server:
        url = server.url.replace("//", f"//user:{SECRET}@")
        for options in ({}, {"headers": {"Authorization": f"Bearer {SECRET}"}}):
            with pytest.raises(FetchError) as caught:
                open_url(url, **options)
            assert caught.value.__cause__ is not None
            assert SECRET not in held(caught.value)
            assert "dXNlcjpzM2M" not in held(caught.value)  # Basic authentication


def test_an_error_of_httpx_holds_no_request() -> None:
    httpx = pytest.importorskip("httpx")
    row = Row(b"<rss/>", (("Content-Length", "9"),))
    with LocalServer({"/": row}) as local:
        url = local.url("/").replace("//", f"//user:{SECRET}@")
        with httpx.stream("GET", url, headers={"Cookie": f"sid={SECRET}"}) as response:
            with pytest.raises(FetchError) as caught, XmlReader(response) as reader:
                reader.read()
            error: BaseException | None = caught.value
            while error is not None:
                assert vars(error).get("_request") is None  # `request` raises where there is none
                assert SECRET not in f"{error!r} {vars(error)}"
                error = error.__cause__ or error.__context__


def test_the_password_of_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for password in PASSWORDS[:4]:
        with requests.Session() as session:
            session.proxies = {"http": f"http://user:{password}@127.0.0.1:9"}
            with pytest.raises(FetchError) as caught:
                open_url("http://feeds.invalid/", session=session)
            assert SECRET not in held(caught.value)
            cause = caught.value.__cause__
            while cause is not None:  # the pool and the connection know the URL of the proxy
                assert not [value for value in vars(cause).values() if hasattr(value, "proxy")]
                cause = cause.__cause__ or cause.__context__


def test_the_password_of_a_proxy_that_is_silent() -> None:
    """urllib3's error of the CONNECT has the URL of the proxy."""
    with FaultyServer(SCRIPTS["silent-in-header"]) as proxy, requests.Session() as session:
        session.proxies = {"https": f"http://user:{SECRET}@127.0.0.1:{proxy.port}"}
        with pytest.raises(DeadlineExceeded) as caught:
            open_url("https://127.0.0.1:9/", session=session, limits=Limits(read=0.3))
        assert SECRET not in held(caught.value)


ECHO = f"Proxy-Authorization: Basic {SECRET}"


@pytest.mark.parametrize(
    ("answer", "through_proxy"),
    [
        (f"{ECHO}\r\n\r\n", False),
        (f"HTTP/1.1 {ECHO} x\r\n\r\n", False),
        (f"HTTP/1.1 200 OK\r\nTransfer-Encoding: {ECHO}\r\n\r\n<a/>", False),
        (f"HTTP/1.1 502 Not {ECHO}\r\n\r\n", True),
        (f"HTTP/1.1 407 {ECHO}\r\nContent-Length: 0\r\n\r\n", True),
    ],
)
def test_credentials_that_an_answer_repeats(answer: str, through_proxy: bool) -> None:
    """A server that shows the request it got, in a line that a message quotes."""
    with FaultyServer(Script((Send(answer.encode()), Close()))) as server, requests.Session() as session:
        if through_proxy:
            session.proxies = {"https": server.url}
        with pytest.raises(FetchError, match=r"Authorization: \*\*\*") as caught:
            open_url("https://127.0.0.1:9/" if through_proxy else server.url, session=session)
        assert SECRET not in held(caught.value)


@each("within", ["http%3A%2F%2Fu:{}%40h%2F", "http%3A%2F%2Fu%3A{}%40h%2F", "http://u:{}@h/"])
def test_a_url_within_the_request_that_an_answer_repeats(within: str) -> None:
    url = within.format(SECRET)
    for answer in (
        f"GET /echo?next={url} HTTP/1.1\r\n\r\n",
        f"HTTP/1.1 200 OK\r\nContent-Encoding: {url}\r\nContent-Length: 9\r\n\r\n" + 9 * "\x01",
    ):
        with FaultyServer(Script((Send(answer.encode()), Close()))) as server:
            with pytest.raises(FetchError) as caught, XmlReader(f"{server.url}echo?next={url}") as reader:
                reader.read()
            error = caught.value
            assert error.headers or SECRET not in held(error), answer
            assert SECRET not in str(error)  # the fields of an answer are given as they are


@pytest.mark.parametrize("proxy", [f"http://user:{SECRET}@", f"socks9://user:{SECRET}@127.0.0.1:9"])
def test_the_url_of_a_proxy_that_cannot_be_read(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.setenv("http_proxy", proxy)
    with pytest.raises(FetchError, match="URL of a proxy") as caught:
        open_url("http://feeds.invalid/")
    assert SECRET not in held(caught.value)


def test_a_socks_proxy_without_pysocks(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*args: object, **options: object) -> None:  # requests's own, where PySocks is not installed
        raise requests.exceptions.InvalidSchema("Missing dependencies for SOCKS support.")

    monkeypatch.setattr(requests.adapters, "SOCKSProxyManager", missing)
    with requests.Session() as session:
        session.proxies = {"http": f"socks5://user:{SECRET}@127.0.0.1:9"}
        with pytest.raises(FetchError, match="a SOCKS proxy needs PySocks, which is not installed") as caught:
            open_url("http://feeds.invalid/", session=session)
        assert "pip install 'requests[socks]'" in caught.value.advice
        assert SECRET not in held(caught.value)


def test_a_socks_proxy_that_refuses_is_named() -> None:
    with requests.Session() as session:
        session.proxies = {"http": f"socks5://user:{SECRET}@127.0.0.1:9"}
        with pytest.raises(FetchError, match="no connection through the proxy") as caught:
            open_url("http://feeds.invalid/", session=session)
        assert "correct the proxy" in caught.value.advice
        assert SECRET not in held(caught.value)


def test_the_parameters_of_a_session_are_in_no_url() -> None:
    moved = Row(b"", (("Location", "/feed?a=b"), ("X-Status", "moved")), 302)
    with (
        LocalServer({"/": moved, "/feed": Row(b"<rss/>")}) as server,
        requests.Session() as session,
    ):
        session.params = {"key": SECRET}
        with XmlReader(server.url("/"), session=session) as reader:
            assert [one.url for one in reader.response.history] == [server.url("/")]
            assert SECRET not in f"{reader.response}{reader.url}{reader!r}"
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/"
    for params in ({"key": SECRET}, {}):
        session.params = params
        with pytest.raises(FetchError, match="Connection refused") as caught:
            open_url(url, session=session)
        assert SECRET not in held(caught.value)
        assert (caught.value.__cause__ is None) == bool(params)


def test_a_cookie_that_cannot_be_sent() -> None:
    with FaultyServer(Script((Close(),))) as server, requests.Session() as session:
        session.cookies.set("name", f"{SECRET}\n")
        with pytest.raises(FetchError, match="a cookie perhaps") as caught:
            open_url(server.url, session=session)
        assert SECRET not in held(caught.value)


def test_the_url_of_a_callers_response() -> None:
    body = b"<rss/>"
    with LocalServer({"/": Row(body, (("Content-Type", "text/xml"),))}) as server:
        url = server.url("/").replace("//", f"//user:{SECRET}@")
        response = requests.get(url, timeout=10)
        for source in (response, Stream(body, url)):
            with XmlReader(source) as reader:
                assert reader.read() == "<rss/>"
                assert SECRET not in f"{reader!r} {reader.url} {reader.name} {reader.response}"


class Stream(io.BytesIO):
    """What urllib returns: a stream with headers and a URL."""

    def __init__(self, body: bytes, url: str) -> None:
        super().__init__(body)
        self.headers = {"Content-Type": "text/xml"}
        self.url = url


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("http:user:s3cret@host/", "http:host/"),
        ("<http:user:s3cret@host/>; rel=self", "<http:host/>; rel=self"),
        ("0; url=http:user:s3cret@host", "0; url=http:host"),
        ("http:user:s3c;re,t@host/;a", "http:host/;a"),
        ("http://user:#s3cret@host/", "http://host/"),
        ("http://user:?s3c,ret@host/", "http://host/"),
        ("http://user:s3cret@host/", "http://host/"),
        ("<//user:a@s3cret@host/>; rel=self", "<//host/>; rel=self"),
        ("0; url=//user:a@s3cret@host/", "0; url=//host/"),
        ("0;//user:s3c ret@host/@me", "0;//host/@me"),
        ("<//h/>; rel=a, <//user@:s3cret@host/>", "<//h/>; rel=a, <//host/>"),
        ("//a@s3cret@host/", "//host/"),
        ("<//us@er:?s3cret@host/>", "<//host/>"),
        ("<//user:s3c/re@t@host/>", "<//host/>"),
        ('<//host>; title="a@b"', '<//host>; title="a@b"'),
        ("</a//b@c>", "</a//b@c>"),
        ("https://host/@me/feed", "https://host/@me/feed"),
        ("</a@b>; rel=x", "</a@b>; rel=x"),
        ("https://host/?mail=a@b.example", "https://host/?mail=a@b.example"),
    ],
)
def test_urls_in_a_field_of_a_header(value: str, shown: str) -> None:
    assert masked_field(value) == shown


@each("odd", ["\t", "\n", "\r", "\r\n\t", "\t\t"])
def test_browsers_drop_tabs_and_line_ends_within_a_url(odd: str) -> None:
    """URL Standard, section 4.4. So they are in a field as if they were not there."""
    for userinfo, url in product(
        ("user:s3cret@", "user:a@s3cret@", ":s3cret@"), ("http://{}h/", "/\\{}h/", "//{}h/", "https:/\\{}h/")
    ):
        for before, after in (("<", ">; rel=self"), ("0; url=", ""), ("", "")):
            value = before + url.format(userinfo) + after
            for at in range(len(value) + 1):
                shown = masked_field(value[:at] + odd + value[at:])
                assert "s3cret" not in shown.translate(dict.fromkeys(map(ord, "\t\r\n"))), (value, at)
    for value in ("</a>;\trel=self", "<https://h/@me>;\r\n\ttitle=b", "0;\turl=/a@b"):
        assert masked_field(value) == value


@pytest.mark.parametrize("name", ["Content-Location", "Link", "Refresh"])
def test_a_tab_in_a_field_of_an_answer(name: str) -> None:
    head = f"HTTP/1.1 200 OK\r\n{name}: </\t/user:s3cret@h/>\r\nContent-Length: 4\r\n\r\n<a/>"
    with FaultyServer(Script((Send(head.encode()), Close()))) as server, XmlReader(server.url) as reader:
        assert reader.response.headers[name] == "<//h/>"


@each(
    ("source", "scheme"),
    [
        *(
            (f"s3cUser:{rest}", "")
            for rest in ("pass@127.0.0.1/f.xml", "pa/ss@h/f", "/pa@h", "pa ss@h", "@h")
        ),
        *(
            (f"s3cUser:{rest}", "")
            for rest in ("pass%40h", "pass\uff20h", "p@http://h/", "a:b//c@h", "p@s3c:h")
        ),
        ("ftp://user:pass@h/", "ftp"),
        ("s3://bucket/a@b", "s3"),
        ("svn+ssh://user@h/a", "svn+ssh"),
        ("feed:https://h/@me", ""),
        ("feed:https://h/me", "feed"),
        ("FILE:///a@b", "file"),
    ],
)
def test_a_user_is_not_shown_as_a_scheme(source: str, scheme: str) -> None:
    for opened in (XmlReader, XmlReader.from_url, check):
        with pytest.raises((ValueError, OSError)) as caught:
            opened(source)
        assert "s3cUser" not in held(caught.value)
        assert ("the scheme '" in str(caught.value)) == bool(scheme)
        assert f"the scheme '{scheme}'" in str(caught.value).lower() or not scheme


def test_what_was_meant_as_a_url() -> None:
    assert masked("http:user:s3cret%40host/") == "http:host/"
    assert masked_path("user:s3cret@host/feed.xml") == "host/feed.xml"
    for path in ("a@b.xml", "folder/y:z@w", "C:\\a@b"):
        assert masked_path(path) == path
    for path in (":s3cret@host/", "//user:s3cret\ud800@host/", ":s3cret\ud800@host/"):
        with pytest.raises(OSError, match=r"No such file|Invalid") as caught:
            XmlReader(path)
        assert "s3cret" not in held(caught.value)


def test_the_name_of_an_address_of_fsspec_has_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    fsspec = pytest.importorskip("fsspec")
    from feedcharset.adapters.fsspec import open_address

    opened = SimpleNamespace(
        open=lambda: io.BytesIO(b"<a/>"), full_name="ftp://user:s3cret@host/f.xml", close=bool
    )
    monkeypatch.setattr(fsspec, "open", lambda *arguments, **options: opened)
    with open_address("ftp://user:s3cret@host/f.xml") as reader:
        assert "s3cret" not in repr(reader)
        assert reader.name == "ftp://host/f.xml"


FIELD = "http://user:s3cret@feeds.example/"


@pytest.mark.parametrize("name", ["Location", "Content-Location", "Link", "Refresh"])
@pytest.mark.parametrize("answer", ["200 OK", "404 Not Found"])
@pytest.mark.parametrize("length", [4, 9])
def test_no_password_is_in_the_fields_of_an_answer(name: str, answer: str, length: int) -> None:
    value = {"Link": f"<{FIELD}>; rel=self", "Refresh": f"5; url={FIELD}"}.get(name, FIELD)
    head = f"HTTP/1.1 {answer}\r\n{name}: {value}\r\nContent-Length: {length}\r\n\r\n<a/>"
    with FaultyServer(Script((Send(head.encode()), Close()))) as server:
        try:
            with XmlReader(server.url) as reader:
                shown = repr(reader.response)
                reader.read()
        except FetchError as error:
            shown = held(error)
    assert "feeds.example" in shown
    assert "s3cret" not in shown


@pytest.mark.parametrize("location", ["http://us:1/s3cret@h/", "//us:s3cret@h/", "http://us:s3cret@h/"])
def test_no_password_is_in_a_message_about_several_places(location: str) -> None:
    fields = f"Location: /x\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"
    server = FaultyServer(Script((Send(f"HTTP/1.1 302 Found\r\n{fields}".encode()), Close())))
    with server, pytest.raises(FetchError, match=r"several places \(/x, ") as caught:
        XmlReader(server.url)
    assert "s3cret" not in str(caught.value)


def test_no_password_is_in_a_message_about_a_field() -> None:
    head = f"HTTP/1.1 200 OK\r\nTransfer-Encoding: {FIELD}\r\n\r\n<a/>"
    with (
        FaultyServer(Script((Send(head.encode()), Close()))) as server,
        pytest.raises(FetchError, match=r"Transfer-Encoding: http://feeds\.example/"),
    ):
        XmlReader(server.url)


@pytest.mark.parametrize(
    "url",
    [
        "http://us:s3cret x@h/z",
        "http://us:s3cret x/s3cret@h/z",
        "https:/us:s3cret x@h y@h/z",
        "us:s3cret@h/z",
    ],
)
def test_no_password_is_in_a_message_about_a_status_line(url: str) -> None:
    with (
        FaultyServer(Script((Send(f"see {url}\r\n\r\n".encode()), Close()))) as server,
        pytest.raises(FetchError, match=r"does not begin as HTTP does .*h/z") as caught,
    ):
        XmlReader(server.url)
    assert "s3cret" not in held(caught.value)


@pytest.mark.parametrize(
    "url", ["http://user:s3cret", "http://user:s3cret/feed", "https:user:s3cret", "http://user:80s3cret?x"]
)
def test_a_password_without_its_host_is_no_port(url: str) -> None:
    with pytest.raises(FetchError) as caught:
        XmlReader.from_url(url)
    assert "user:..." in str(caught.value)
    assert "s3cret" not in held(caught.value)
    assert masked("http://feeds.example:8080/a:b") == "http://feeds.example:8080/a:b"
