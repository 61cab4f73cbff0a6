"""Which URLs may be opened, where redirects lead, and what goes along."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each
from urllib3.util import parse_url

from feedcharset import XmlReader
from feedcharset.errors import AddressRefused
from feedcharset.fetch.urls import LONGEST_URL, as_https, redirected, shown, target, without_userinfo


@each(
    ("url", "ready", "origin"),
    [
        ("http://feeds.example", "http://feeds.example/", ("http", "feeds.example", 80)),
        (" \thttps://feeds.example/a\n", "https://feeds.example/a", ("https", "feeds.example", 443)),
        (
            "HTTP://FEEDS.example:8080/A?b#c",
            "http://feeds.example:8080/A?b#c",
            ("http", "feeds.example", 8080),
        ),
        ("http://feeds.example./", "http://feeds.example./", ("http", "feeds.example.", 80)),
        (
            "http://feeds.example:/a",
            "http://feeds.example/a",
            ("http", "feeds.example", 80),
        ),  # RFC 3986 §3.2.3
        ("http://[::1]:80/", "http://[::1]:80/", ("http", "::1", 80)),
        ("http://[FE80::1%25eth0]/", "http://[fe80::1%25eth0]/", ("http", "fe80::1%eth0", 80)),
        (
            "http://bücher.example/ä b",
            "http://xn--bcher-kva.example/%C3%A4%20b",
            ("http", "xn--bcher-kva.example", 80),
        ),
        ("http://feeds.example/a?b=\\", "http://feeds.example/a?b=%5C", ("http", "feeds.example", 80)),
        # A browser reads a slash, other clients send it encoded.
        ("http://h/f\\g/\\?\\#\\", "http://h/f%5Cg/%5C?%5C#%5C", ("http", "h", 80)),
        ("http://h/\\@b\\..\\c", "http://h/%5C@b%5C..%5Cc", ("http", "h", 80)),
        ("http://feeds.example/@b", "http://feeds.example/@b", ("http", "feeds.example", 80)),
        ("http://feeds.example?@b/", "http://feeds.example/?@b/", ("http", "feeds.example", 80)),
        ("http://feeds.example#@b/", "http://feeds.example/#@b/", ("http", "feeds.example", 80)),
        # A % that begins no escape is one, and the others stay.
        ("http://h/100%/%2?x=100%&y=%20a%zz", "http://h/100%25/%252?x=100%25&y=%20a%25zz", ("http", "h", 80)),
        ("http://h/%25?%2525#%", "http://h/%25?%2525#%25", ("http", "h", 80)),
        # Numbers are hosts; the address is checked where it is connected to.
        ("http://2130706433/", "http://2130706433/", ("http", "2130706433", 80)),
        ("http://%31%32%37.0.0.1/", "http://127.0.0.1/", ("http", "127.0.0.1", 80)),
    ],
)
def test_urls_that_may_be_opened(url: str, ready: str, origin: tuple[str, str, int]) -> None:
    found = target(url)
    assert (found.url, found.origin, found.credentials) == (ready, origin, None)


@pytest.mark.parametrize(
    ("url", "credentials"),
    [
        ("http://user:secret@feeds.example/", ("user", "secret")),
        ("http://user@feeds.example/", ("user", "")),
        ("http://us%40er:se%3Acret@feeds.example/", ("us@er", "se:cret")),
        ("http://a@b:c@feeds.example/", ("a@b", "c")),
        ("http://127.0.0.1@feeds.example/", ("127.0.0.1", "")),
    ],
)
def test_userinfo_is_taken_out_of_the_url(url: str, credentials: tuple[str, str]) -> None:
    found = target(url)
    assert (found.url, found.credentials) == ("http://feeds.example/", credentials)


@each(
    "url",
    [
        "",
        "feed.xml",
        "//feeds.example/",
        "ftp://feeds.example/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://",
        "http:///feed",
        "http:feeds.example",
        "http://user@/feed",
        "http://user@//feeds.example/",
        "http://127.0.0.1\\@feeds.example/",
        "http:\\\\127.0.0.1/",
        "http://feeds.example\\.127.0.0.1/",
        "http://feeds.example\\",
        "http://feeds.example\\feed",
        "http://feeds.example:80\\feed/",
        "http://user\\:secret@feeds.example/",
        "http:/\\127.0.0.1/",
        "http:\\/127.0.0.1/",
        "http://\\127.0.0.1/",
        "http:///\\127.0.0.1/",
        "http:\\feeds.example/",
        "\\\\127.0.0.1/feed",
        "http://feeds.example/\r\nX: y",
        "http://feeds.ex\tample/",
        "http://feeds.example\x00/",
        "http://feeds example/",
        "http://feeds.example:99999/",
        "http://feeds.example:80:80/",
        "http://feeds.example:port/",
        "http://feeds.example:0/",
        "http://feeds.example:00/",
        "http://[::1",
        "http://[::1]x/",
        "http://１２７.0.0.1/",
        "http://ⓔxample.org/",
        "http://*.example/",
        # Zones that urllib3 takes for escapes
        "http://[fe80::1%1]/",
        "http://[::1%251]/",
        "http://[::1%25251]/",
        "http://[::1%25ab]/",
        "http://[::1%25g]/",
    ],
)
def test_urls_that_may_not_be_opened(url: str) -> None:
    with pytest.raises(AddressRefused, match="give the http or https URL"):
        target(url)


def test_a_password_is_in_no_message() -> None:
    with pytest.raises(AddressRefused) as caught:
        target("http://user:secret@feeds.example:99999/")
    assert "secret" not in str(caught.value)
    assert "secret" not in str(caught.value.url)
    assert without_userinfo("http://user:secret@feeds.example/a@b") == "http://feeds.example/a@b"
    for inner in ("https://{}h/", "https:%2F%2F{}h/"):
        for before in ("/", "http://feeds.example/?url="):  # a Location is kept as it came
            assert without_userinfo(before + inner.format("user:se\\cret@")) == before + inner.format("")


@given(st.text(max_size=40), st.text(alphabet="/\\@:.[]%?# \t1a", max_size=20))
def test_a_url_is_read_in_one_way_or_refused(host: str, rest: str) -> None:
    """What is checked is what is opened: the parser that connects sees the host that was checked."""
    for url in (f"http://{host}{rest}", f"http://{rest}{host}/"):
        try:
            found = target(url)
        except AddressRefused:
            continue
        connected = parse_url(found.url)
        assert (connected.host or "").strip("[]").lower() == found.origin[1]
        assert connected.auth is None


@each(
    ("location", "url"),
    [
        ("/b", "https://feeds.example/b"),
        ("c?d", "https://feeds.example/a/c?d"),
        ("?d", "https://feeds.example/a/?d"),
        ("", "https://feeds.example/a/"),
        ("//other.example/x", "https://other.example/x"),
        ("https://other.example", "https://other.example/"),
        (" /b\t", "https://feeds.example/b"),
        ("/\u00c3\u00a4", "https://feeds.example/%C3%A4"),  # UTF-8, as http.client reads it
        ("/\u00e4", "https://feeds.example/%E4"),  # ISO-8859-1
        ("/a b", "https://feeds.example/a%20b"),
        ("/f\\g", "https://feeds.example/f%5Cg"),
        ("f\\g", "https://feeds.example/a/f%5Cg"),
        ("https:f\\g", "https://feeds.example/a/f%5Cg"),
        ("https://other.example/\\x", "https://other.example/%5Cx"),
        ("/feed?x=100%", "https://feeds.example/feed?x=100%25"),
        ("/%zz%41?x=100%&y=%20\u00e4", "https://feeds.example/%25zzA?x=100%25&y=%20%E4"),
        ("https://user:secret@other.example/", "https://other.example/"),
    ],
)
def test_where_redirects_lead(location: str, url: str) -> None:
    assert redirected(target("https://feeds.example/a/"), location, https_to_http=False).url == url


@pytest.mark.parametrize(
    "location",
    [
        *("http://feeds.example/", "HTTP://other.example/", "ftp://x/", "http://a\\@b/", "//[::1"),
        # A browser goes to another host, or takes the backslash for a slash.
        *("\\\\other.example/", "/\\other.example/", "\\/other.example/", "\\g", "https:\\\\other.example/"),
        *("https:/\\other.example/", "https:\\g", "//other.example\\g", "https://other.example\\g"),
    ],
)
def test_where_redirects_may_not_lead(location: str) -> None:
    with pytest.raises(AddressRefused):
        redirected(target("https://feeds.example/a/"), location, https_to_http=False)


def test_https_to_http_can_be_allowed() -> None:
    place = target("https://feeds.example/a")
    with pytest.raises(AddressRefused, match=r"Limits\(https_to_http=True\)") as caught:
        redirected(place, "http://feeds.example/a", https_to_http=False)
    assert caught.value.limit == "https_to_http"
    assert redirected(place, "http://feeds.example/a", https_to_http=True).url == "http://feeds.example/a"


@each(
    ("before", "after", "goes"),
    [
        ("http://u:p@feeds.example/", "/b", True),
        ("http://u:p@feeds.example/", "http://feeds.example:80/b", True),
        ("http://u:p@feeds.example/", "https://feeds.example/b", True),
        ("http://u:p@feeds.example/", "https://feeds.example:8443/b", False),
        ("http://u:p@feeds.example:8080/", "https://feeds.example/b", False),
        ("http://u:p@feeds.example/", "http://feeds.example:8080/", False),
        ("http://u:p@feeds.example/", "http://other.example/", False),
        ("http://u:p@feeds.example/", "http://sub.feeds.example/", False),
        ("http://feeds.example/", "http://u:p@feeds.example/", False),
    ],
)
def test_credentials_stay_with_their_origin(before: str, after: str, goes: bool) -> None:
    found = redirected(target(before), after, https_to_http=True)
    assert found.credentials == (("u", "p") if goes else None)


@each(
    ("source", "meant"),
    [
        ("example.org/feed.xml", "https://example.org/feed.xml"),
        ("Feeds.Example.org/", "https://Feeds.Example.org/"),
        ("feeds.example.org:8080/?a", "https://feeds.example.org:8080/?a"),
        ("feed.xml", None),
        ("xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
        ("feed", None),
        ("a/feed.xml", None),
        ("./example.org/feed.xml", None),
        ("example.org.1/feed", None),
        ("-x.example/", None),
        ("https://example.org/", None),
        ("", None),
    ],
)
def test_what_a_url_without_its_scheme_may_mean(source: str, meant: str | None) -> None:
    assert as_https(source) == meant
    if meant is not None:
        with pytest.raises(AddressRefused, match="did you mean https://"):
            target(source)


def test_a_host_with_a_dot_behind_it_is_another_origin() -> None:
    """Without the dot the system may resolve it in a domain of its own."""
    plain, dotted, secure = map(target, ("http://a.example/", "http://a.example./", "https://a.example/"))
    assert dotted.shares_secrets_with(dotted)
    assert plain.shares_secrets_with(secure)
    assert not plain.shares_secrets_with(dotted)
    assert not dotted.shares_secrets_with(secure)


def test_a_file_that_is_not_there_may_be_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        XmlReader("example.org/feed.xml")
    assert caught.value.__notes__ == ["a URL has a scheme; did you mean https://example.org/feed.xml?"]
    with pytest.raises(FileNotFoundError) as caught:
        XmlReader("no/such/file")
    assert not hasattr(caught.value, "__notes__")
    monkeypatch.chdir(tmp_path)
    Path("example.org/feed.xml").mkdir(parents=True)
    with pytest.raises(IsADirectoryError) as refused:
        XmlReader("example.org/feed.xml")
    assert not hasattr(refused.value, "__notes__")


def test_a_long_url_is_cut_in_a_message() -> None:
    assert shown("http://é/" + "x" * 188) == "http://\\xe9/" + "x" * 188
    assert shown("http://é/" + "x" * 189) == "http://\\xe9/" + "x" * 185 + "..."


@each(
    ("unit", "sent"),
    [("\xe4", "%C3%A4"), ("a", "a"), ("%", "%25"), ('"', "%22"), ("%41", "A"), ("?", "?")],
    every=6,
)
def test_the_longest_url(unit: str, sent: str) -> None:
    """Quoting takes 8 to 14 µs for each character, and a redirect may lead to such a URL again and again."""
    begin = "http://h/"
    times = (LONGEST_URL - len(begin)) // max(len(unit), len(sent))
    longest = target(begin + unit * times)
    assert longest.url == begin + sent * times
    assert redirected(longest, "", https_to_http=False).url == longest.url
    for url in (begin + unit * (times + 1) + "/" * 3, begin + unit * 1_000_000):
        for opened in (
            partial(target, url),
            partial(redirected, longest, url.encode().decode("latin-1"), https_to_http=False),
        ):
            with pytest.raises(AddressRefused, match="a URL of more than 16,384 characters") as caught:
                opened()
            assert len(str(caught.value)) < 1_000


@pytest.mark.parametrize("size", [300, 2_000, 200_000])
@pytest.mark.parametrize(
    "url", ["{}://x", "{}:x", "//{}", "http://{}:x/", "{}", "http://h:{}/", "http://[{}]/"]
)
def test_a_message_about_a_long_url_is_short(url: str, size: int) -> None:
    """Two parts of it are shown, at 200 characters each."""
    with pytest.raises(AddressRefused) as caught:
        target(url.format("a" * size))
    assert len(str(caught.value)) < 600


def test_the_longest_authority() -> None:
    """urllib.parse normalizes it, in quadratic time."""
    assert target(f"http://{'u' * 2046}@h/").url == "http://h/"
    marks = "\u0301\u0316" * 1024
    for url in (f"http://{'u' * 2047}@h/", f"http://{marks}h/", f"//{marks}h", f"HTTPS://{marks}h?"):
        for opened in (
            partial(target, url),
            partial(redirected, target("http://h/"), url.encode().decode("latin-1"), https_to_http=False),
        ):
            with pytest.raises(AddressRefused, match="more than 2,048 characters before the path"):
                opened()
