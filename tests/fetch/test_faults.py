"""Every fault that the scripts know, and what becomes of it: within its limit, with nothing left open."""

from __future__ import annotations

import gc
import gzip
import io
import os
import socket
import time
import urllib.request
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import requests
import urllib3
from support.faults import FEED, GZIPPED, SCRIPTS, UTF_16
from support.faulty_server import FaultyServer
from support.time_limits import CALM, limits_for

from feedcharset.errors import (
    AddressRefused,
    DeadlineExceeded,
    FetchError,
    HTTPStatusError,
    TooLarge,
    TooManyRedirects,
    TruncatedBody,
)
from feedcharset.fetch.client import open_response, open_url
from feedcharset.fetch.connection import _connect
from feedcharset.fetch.deadline import Deadline
from feedcharset.fetch.limits import Limits
from feedcharset.fetch.response_body import raw_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

LEFT_AT_LAST = 30.0
"""Seconds in which a download with such a limit ends on the slowest machine; without it there is no end."""


class Reads(NamedTuple):
    """The document that is read."""

    octets: bytes = FEED
    content_type: str = "application/xml"
    status: int = 200


class Fails(NamedTuple):
    """The error that is raised, whatever was read before it."""

    error: type[FetchError]
    limit: str | None = None
    partial: bytes | None = None
    """What had arrived; None: not looked at."""
    says: str = ""


class Answers(NamedTuple):
    """The status that carries no feed."""

    status: int
    excerpt: str = ""


class Row(NamedTuple):
    script: str
    outcome: Reads | Fails | Answers
    own_limits: Limits | None = None

    @property
    def limits(self) -> Limits:
        """Its own, or those that let the outcome come on a machine of any speed."""
        if self.own_limits is not None:
            return self.own_limits
        return limits_for(self.outcome.limit if isinstance(self.outcome, Fails) else None)


NO_HTTP = "the answer does not begin as HTTP does ("
INVALID = "its header is invalid (Content-Length"
DIFFERENT = "several lengths (Content-Length: "
ADVICE = {
    DIFFERENT: "only the server can change this",
    NO_HTTP: "check the URL",
    INVALID: "only the server can change it",
}

TABLE = (
    # Right.
    Row("honest", Reads()),
    Row("honest-chunked", Reads()),
    Row("chunked-with-extensions-and-trailers", Reads()),
    Row("http-1.0-close-delimited", Reads()),
    Row("http-1.1-close-delimited", Reads()),
    Row("slow-but-honest", Reads()),
    Row("interim-100-first", Reads()),
    Row("interim-103-first", Reads()),
    Row("utf-16", Reads(UTF_16, "text/xml; charset=utf-16")),
    Row("partial-content", Answers(206, FEED.decode())),
    # Nobody, nothing, and the reset at every stage.
    Row("close-at-accept", Fails(FetchError, partial=b"")),
    Row("close-after-request", Fails(FetchError, partial=b"")),
    Row("reset-at-accept", Fails(FetchError, partial=b"")),
    Row("reset-after-request", Fails(FetchError, partial=b"")),
    Row("reset-in-status-line", Fails(FetchError, partial=b"")),
    Row("reset-in-header", Fails(FetchError, partial=b"")),
    Row("reset-after-header", Fails(TruncatedBody, partial=b"")),
    Row("reset-in-body", Fails(TruncatedBody, partial=FEED[:30])),
    Row("reset-in-chunk-size", Fails(TruncatedBody, partial=FEED[:30])),
    Row("reset-in-chunk", Fails(TruncatedBody, partial=FEED[:30])),
    Row("reset-in-gzip", Fails(TruncatedBody)),
    Row("silent-at-accept", Fails(DeadlineExceeded, "read", b"")),
    Row("silent-in-header", Fails(DeadlineExceeded, "read", b"")),
    Row("silent-in-body", Fails(DeadlineExceeded, "read", FEED[:30])),
    Row("silent-at-accept", Fails(DeadlineExceeded, "total", b"")),
    Row("silent-in-header", Fails(DeadlineExceeded, "total", b"")),
    Row("silent-in-body", Fails(DeadlineExceeded, "total", FEED[:30])),
    # Dripping.
    Row("dripping-status-line", Fails(DeadlineExceeded, "total", b"")),
    Row("dripping-header", Fails(DeadlineExceeded, "total", b"")),
    Row("dripping-interim", Fails(DeadlineExceeded, "total", b"")),
    Row("dripping-body", Fails(DeadlineExceeded, "total")),
    Row("dripping-chunks", Fails(DeadlineExceeded, "total")),
    Row("dripping-chunk-size", Fails(DeadlineExceeded, "total", b"ab")),
    Row("dripping-trailer", Fails(DeadlineExceeded, "total", b"ab")),
    Row("dripping-gzip", Fails(DeadlineExceeded, "total")),
    # Endless.
    Row("endless-body", Fails(TooLarge, "wire")),
    Row("endless-body", Fails(TooLarge, "decoded", b"<a/>" * 2500 + b"<"), CALM._replace(decoded=10_001)),
    Row("endless-chunked", Fails(TooLarge, "wire")),
    Row("endless-chunk-extensions", Fails(TooLarge, "wire")),
    Row("endless-trailers", Fails(TooLarge, "wire", b"")),
    Row("endless-interim", Fails(TooLarge, "header", b"")),
    Row("endless-header-line", Fails(TooLarge, "header", b"")),
    Row("endless-header-line", Fails(TooLarge, "header", b"", "http.client"), CALM._replace(header=None)),
    Row("header-without-end", Fails(TooLarge, "header", b""), CALM._replace(header=500)),
    Row("header-without-end", Fails(TooLarge, "header", b"", "http.client")),
    Row("huge-header", Fails(TooLarge, "header", b"")),
    Row("huge-status-line", Fails(TooLarge, "header", b"")),
    Row("200-header-fields", Fails(TooLarge, "header", b"", "more than 100 headers")),
    Row("endless-gzip", Fails(TooLarge, "wire"), CALM._replace(decoded=None, ratio=None)),
    Row("endless-gzip", Fails(TooLarge, "ratio")),
    # The body's length.
    Row("length-too-long", Fails(TruncatedBody, partial=FEED)),
    Row("length-too-short", Reads(FEED[:30])),
    Row("length-negative", Reads()),
    Row("length-with-plus", Reads()),
    Row("length-with-underscore", Reads()),
    Row("length-no-number", Reads()),
    Row("length-twice", Reads()),
    Row("length-list", Reads()),
    Row("length-list-empty-elements", Fails(TruncatedBody, partial=FEED[:30])),
    Row("length-list-no-number", Fails(FetchError, partial=b"", says=DIFFERENT)),
    Row("length-list-zeros", Fails(TruncatedBody, partial=FEED[:30])),
    Row("length-empty-and-right", Fails(TruncatedBody, partial=FEED[:30])),
    Row("length-right-and-empty", Fails(TruncatedBody, partial=FEED[:30])),
    Row("length-list-different", Fails(FetchError, partial=b"", says=INVALID)),
    Row("length-twice-different", Fails(FetchError, partial=b"", says=INVALID)),
    Row("length-thrice-no-number", Fails(FetchError, partial=b"", says=DIFFERENT)),
    Row("length-list-different-no-number", Fails(FetchError, partial=b"", says=DIFFERENT)),
    Row("length-of-a-terabyte", Fails(TooLarge, "wire", b"")),
    Row("length-of-a-terabyte", Fails(TooLarge, "decoded", b""), CALM._replace(wire=None)),
    Row("length-of-5000-digits", Fails(TooLarge, "wire", b"")),
    Row("length-of-5000-zeros", Fails(TruncatedBody, partial=FEED[:30])),
    Row("length-and-chunked", Reads()),
    # Chunks.
    Row("chunk-size-no-hex", Fails(TruncatedBody, partial=FEED[:30])),
    Row("chunk-size-negative", Fails(TruncatedBody)),
    # As http.client reads the number.
    Row("chunk-size-signed", Fails(TruncatedBody, partial=b"", says="no number")),
    Row("chunk-size-prefixed", Fails(TruncatedBody, partial=b"")),
    Row("chunk-size-underscore", Fails(TruncatedBody, partial=b"")),
    Row("chunk-size-minus-0", Fails(TruncatedBody, partial=FEED[:30], says="no number")),
    Row("chunk-size-minus-huge", Fails(TruncatedBody, partial=b"")),
    Row("chunks-of-one-byte", Reads()),
    Row("chunk-sizes-of-all-spellings", Reads()),
    Row("chunk-size-huge", Fails(TruncatedBody)),
    Row("chunk-size-empty", Fails(TruncatedBody, partial=b"")),
    Row("chunk-size-line-too-long", Fails(TruncatedBody, partial=b"", says="when reading chunk size")),
    Row("chunk-without-end", Fails(TruncatedBody)),
    Row("chunk-with-another-end", Fails(TruncatedBody, partial=FEED, says="without its end")),
    Row("chunked-cut-between", Fails(TruncatedBody, partial=FEED[:30])),
    Row("chunked-cut-within", Fails(TruncatedBody, partial=FEED[:30])),
    Row("chunked-cut-in-size", Fails(TruncatedBody, partial=FEED[:30], says="within a line")),
    Row("chunked-cut-in-extension", Fails(TruncatedBody, partial=FEED[:30])),
    Row("chunked-without-last-line", Reads(content_type="")),
    Row("chunked-in-capitals", Reads(content_type="")),
    Row("chunked-and-white-space", Reads(content_type="")),
    Row("chunked-folded", Reads(content_type="")),
    Row("chunked-and-white-space-cut", Fails(TruncatedBody, partial=FEED[:30])),
    Row("chunked-twice", Reads(content_type="")),
    Row("chunked-twice-in-a-line", Reads(content_type="")),
    *(
        Row(f"chunked-within{name}", Fails(FetchError, partial=b"", says="Encoding: chunked, chunked"))
        for name in ("", "-of-nothing")
    ),
    Row("chunked-within-cut", Fails(FetchError, partial=b"", says="Encoding: chunked, Chunked")),
    Row("chunked-and-identity", Reads(content_type="")),
    Row("chunked-and-identity-cut", Fails(TruncatedBody, partial=FEED)),
    Row("transfer-encoding-unknown", Fails(FetchError, partial=b"", says="Encoding: none, chunked")),
    Row("transfer-encoding-gzip", Fails(FetchError, partial=b"", says="Transfer-Encoding: gzip, chunked")),
    # No HTTP.
    Row("garbage-status-line", Fails(FetchError, partial=b"", says=NO_HTTP)),
    Row("garbage-octets", Fails(FetchError, partial=b"", says=NO_HTTP)),
    Row("no-header", Fails(FetchError, partial=b"", says=NO_HTTP)),
    Row("version-9.9", Fails(FetchError, partial=b"", says=NO_HTTP)),
    Row("status-no-number", Fails(FetchError, partial=b"", says=NO_HTTP)),
    *(
        Row(f"status-{name}", Fails(FetchError, partial=b"", says=f"{NO_HTTP}HTTP/1.1"))
        for name in ("signed", "negative", "underscores", "leading-zero", "behind-no-space", "letters-behind")
    ),
    Row("status-without-phrase", Reads(content_type="")),
    Row("header-line-without-colon", Reads()),
    Row("header-line-without-colon-folded", Fails(TruncatedBody, partial=FEED[:30])),
    Row("header-space-before-colon", Fails(TruncatedBody, partial=FEED[:30])),
    Row("header-cr-cr-lf", Fails(TruncatedBody, partial=FEED[:30])),
    Row("header-bare-cr", Fails(TruncatedBody, partial=FEED[:30])),
    Row("header-bare-cr-folded", Fails(TruncatedBody, says="gzip")),
    Row("header-cut", Fails(FetchError, partial=b"", says="closed within the header")),
    Row("header-cut-in-a-line", Fails(FetchError, partial=b"", says="closed within the header")),
    Row("header-not-ascii", Reads()),
    Row("header-with-nul", Reads()),
    Row("header-bare-lf", Reads()),
    # Redirects.
    Row("redirect-circle", Fails(TooManyRedirects, "redirects", b"", "in a circle")),
    Row("redirect-chain", Fails(TooManyRedirects, "redirects", b"", "more than 5 redirects")),
    Row("redirect-chain", Fails(TooManyRedirects, "redirects", b"", "than 0"), CALM._replace(redirects=0)),
    Row("redirect-slow-chain", Fails(DeadlineExceeded, "total", b"")),
    Row("redirect-endless-body", Fails(TooManyRedirects, "redirects", b"")),
    Row("redirect-to-file", Fails(AddressRefused, partial=b"", says="redirects to file:///etc/passwd: ")),
    Row("redirect-to-ftp", Fails(AddressRefused, partial=b"", says="'ftp'")),
    Row("redirect-to-data", Fails(AddressRefused, partial=b"", says="'data'")),
    Row("redirect-to-nowhere", Fails(AddressRefused, partial=b"")),
    Row("redirect-to-backslash", Fails(AddressRefused, partial=b"", says="backslash")),
    Row("redirect-to-a-bad-port", Fails(AddressRefused, partial=b"")),
    Row("redirect-to-a-closed-port", Fails(FetchError, partial=b"", says="refused")),
    Row("redirect-twice", Fails(AddressRefused, partial=b"", says="redirects to several places (http://")),
    Row("redirect-repeated", Fails(AddressRefused, partial=b"", says="redirects to file:///etc/passwd: ")),
    Row("redirect-without-location", Answers(302, "see elsewhere")),
    # Content codings.
    Row("gzip", Reads()),
    Row("gzip-x", Reads()),
    Row("gzip-chunked", Reads(content_type="")),
    Row("gzip-of-nothing", Reads(b"", "")),
    Row("gzip-without-octets", Reads(b"", "")),
    Row("gzip-bomb", Fails(TooLarge, "ratio")),
    Row("gzip-bomb", Fails(TooLarge, "decoded", b" " * 3_000_000), CALM._replace(ratio=None)),
    Row("gzip-bomb", Reads(b" " * (8 << 20)), CALM._replace(ratio=None, decoded=None)),
    Row("gzip-nested", Fails(FetchError, partial=b"", says="Content-Encoding: gzip, gzip")),
    Row("gzip-within", Reads(GZIPPED)),
    Row("gzip-truncated", Fails(TruncatedBody, says="gzip")),
    Row("gzip-without-trailer", Fails(TruncatedBody, partial=FEED)),
    Row("gzip-of-one-octet", Fails(TruncatedBody, partial=b"")),
    Row("gzip-then-garbage", Reads()),
    Row("gzip-then-one-octet", Reads()),
    Row("gzip-then-garbage-cut", Fails(TruncatedBody, partial=FEED)),
    Row("gzip-unlabelled-then-garbage-cut", Fails(TruncatedBody, partial=GZIPPED + b"junk")),
    Row("deflate-then-garbage-cut", Fails(TruncatedBody, partial=FEED)),
    Row("gzip-two-members", Reads()),
    Row("gzip-wrong-checksum", Fails(FetchError, says="damaged")),
    Row("gzip-that-is-not", Fails(FetchError, partial=b"", says="which it is not")),
    *(Row(f"{coding}-not-applied", Reads()) for coding in ("gzip", "deflate", "br")),
    Row("deflate", Reads()),
    Row("deflate-raw", Reads()),
    Row("deflate-truncated", Fails(TruncatedBody)),
    Row("deflate-then-garbage", Reads()),
    Row("coding-identity", Reads()),
    Row("br-that-is-not", Fails(FetchError, partial=b"", says="cannot be removed")),
    Row("coding-unknown", Fails(FetchError, partial=b"", says="Content-Encoding: sdch")),
    *(
        Row(script, Fails(FetchError, partial=b"", says="Content-Encoding: foo)"))
        for script in ("coding-of-no-name", "coding-below-gzip")
    ),
    Row("coding-not-applied", Reads(FEED)),
    # Statuses.
    Row("empty", Reads(b"")),
    Row("empty-close-delimited", Reads(b"")),
    Row("no-content", Reads(b"", "", 204)),
    Row("no-content-with-a-body", Reads(b"", "", 204)),
    Row("no-content-chunked", Reads(b"", "", 204)),
    Row("no-content-chunked-odd", Reads(b"", "", 204)),
    Row("no-content-in-sdch", Reads(b"", "", 204)),
    Row("no-content-framed", Reads(b"", "", 204)),
    Row("empty-in-sdch", Reads(b"")),
    Row("not-modified-chunked", Answers(304)),
    Row("switching-protocols-chunked", Answers(101)),
    Row("not-modified", Answers(304)),
    Row("switching-protocols", Answers(101)),
    Row("not-found", Answers(404, "<h1>Ärger</h1>" + "." * 186)),
    Row("not-found-latin-1", Answers(404, "<h1>Ärger</h1>")),
    Row("server-error", Answers(500)),
    Row("server-error-in-gzip", Answers(503, FEED.decode())),
    Row("server-error-nested", Answers(503)),
    Row("server-error-cut-off", Answers(502, "no answer")),
    Row("server-error-dripping", Answers(500)),
    Row("status-999", Answers(999, "go away")),
    # Content-Type.
    Row("content-type-twice", Reads(content_type="text/xml, text/html; charset=koi8-r")),
    Row("content-type-none", Reads(content_type="")),
    Row("content-type-empty", Reads(content_type="")),
    Row("content-type-odd", Reads(content_type="Text/XML ;Charset = 'utf-8'")),
    Row("content-type-folded", Reads(content_type="text/xml; charset=utf-8")),
    Row("content-type-not-ascii", Reads(content_type="text/xml; charset=ünïcode")),
)  # fmt: skip


def sockets() -> set[str]:
    """The sockets that this process has open, where the system tells."""
    if not os.path.isdir("/proc/self/fd"):
        return set()
    found = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            link = os.readlink(f"/proc/self/fd/{name}")
        except OSError:
            continue
        if link.startswith("socket:"):
            found.add(link)
    return found


@pytest.fixture
def no_socket_stays_open() -> Iterator[None]:
    before = sockets()
    yield
    assert sockets() <= before


@pytest.mark.sampled(9)
@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.script}-{row.outcome[0]}"[:60])
def test_each_fault_ends_in_its_documented_result(row: Row, no_socket_stays_open: None) -> None:
    with FaultyServer(SCRIPTS[row.script]) as server:
        start = time.monotonic()
        outcome, error = fetch(server.url, row.limits)
        took = time.monotonic() - start
    assert outcome == expected(row, outcome, error)
    assert server.left_open == 0
    assert took < LEFT_AT_LAST
    if isinstance(row.outcome, Fails):
        assert row.outcome.says in str(error)
        assert error is not None
        assert error.advice == ADVICE.get(row.outcome.says, error.advice)


def fetch(url: str, limits: Limits) -> tuple[Any, FetchError | None]:
    """Read a URL to its end and say what came of it; anything but a FetchError goes up."""
    try:
        with open_url(url, limits=limits) as body:
            octets = body.readall()
    except HTTPStatusError as error:
        return Answers(error.status, error.excerpt), error
    except FetchError as error:
        return Fails(type(error), error.limit, error.partial), error
    return Reads(octets, body.content_type, body.status), None


def expected(row: Row, outcome: Any, error: FetchError | None) -> Any:
    """The row's outcome, with what it leaves open taken from what came."""
    wanted = row.outcome
    if isinstance(wanted, Fails):
        partial = getattr(error, "partial", b"") if wanted.partial is None else wanted.partial
        return wanted._replace(partial=partial, says="")
    if row.script == "server-error-dripping":
        return wanted._replace(excerpt=outcome.excerpt)
    return wanted


def test_each_script_has_a_row() -> None:
    assert {row.script for row in TABLE} == set(SCRIPTS)
    assert len(SCRIPTS) >= 40


def test_each_limit_error_names_its_setting() -> None:
    named = set()
    for row in TABLE:
        if isinstance(row.outcome, Fails) and row.outcome.limit and not row.outcome.says:
            named.add(row.outcome.limit)
    assert named == {"read", "total", "wire", "decoded", "ratio", "header", "redirects"}
    with FaultyServer(SCRIPTS["dripping-body"]) as server:
        _, error = fetch(server.url, limits_for("total"))
    assert "Limits(total=...)" in str(error)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("script", ["dripping-body", "dripping-chunks"])
def test_what_dripped_in_is_on_the_error(script: str) -> None:
    with FaultyServer(SCRIPTS[script]) as server:
        _, error = fetch(server.url, limits_for("total"))
    assert error is not None
    assert error.partial
    assert set(error.partial) == {ord("a")}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("script", ["chunks-of-one-byte", "chunk-sizes-of-all-spellings"])
@pytest.mark.parametrize("client", ["open_url", "requests", "urllib3", "urllib"])
def test_chunks_that_have_arrived_are_read_together(script: str, client: str) -> None:
    """One by one each takes 10 to 30 µs. The first is read alone, and those whose rest has not come."""
    with FaultyServer(SCRIPTS[script]) as server:
        raw: Any
        if client == "open_url":
            body = open_url(server.url)
            pieces = list(iter(lambda: body.read(1 << 16), b""))
        else:
            if client == "requests":
                raw = requests.get(server.url, stream=True, timeout=9).raw
            elif client == "urllib3":
                raw = urllib3.PoolManager().request("GET", server.url, preload_content=False)
            else:
                raw = urllib.request.urlopen(server.url)
            pieces = list(raw_pieces(raw, Deadline(CALM, server.url)))
            assert "_read1_chunked" not in vars(getattr(raw, "_fp", raw))
            raw.close()
            del raw
            gc.collect()  # else the connection stays in a pool
    assert b"".join(pieces) == FEED
    assert len(pieces) < len(FEED) // 4


def test_a_redirects_body_is_not_read() -> None:
    with FaultyServer(SCRIPTS["redirect-endless-body"]) as server:
        fetch(server.url, CALM._replace(redirects=2))
    assert len(server.sent) == 3
    assert max(server.sent) < 8 << 20  # what the kernel's buffers hold, of a GiB


def test_a_body_that_announces_too_much_is_not_read() -> None:
    with FaultyServer(SCRIPTS["length-of-a-terabyte"]) as server:
        fetch(server.url, CALM)
    assert max(server.sent) < 8 << 20


def test_the_feed_of_the_scripts_is_in_its_gzip() -> None:
    assert gzip.decompress(GZIPPED) == FEED


def test_total_ends_a_stream_that_is_no_socket() -> None:
    """A response of another client: its own timeouts bind each read, and `total` all of them."""
    response = requests.Response()
    response.status_code, response.url = 200, "http://h/"
    response.raw = DrippingStream()
    with pytest.raises(DeadlineExceeded) as caught, open_response(response, limits=Limits(total=0.1)) as body:
        body.readall()
    assert caught.value.limit == "total"


class DrippingStream(io.RawIOBase):
    """Gives a byte after 10 ms, for ever."""

    def read(self, size: int = -1) -> bytes:
        time.sleep(0.01)
        return b" "


def test_options_of_a_socket_may_name_their_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of urllib3-future do; those of UDP are none of a socket of TCP."""
    level = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    options = [(*level, "tcp"), (socket.SOL_SOCKET, socket.SO_BROADCAST, 1, "udp"), level]
    given: list[tuple[Any, ...]] = []

    class Socket(socket.socket):
        def setsockopt(self, *option: Any) -> None:
            given.append(option)

    monkeypatch.setattr(socket, "socket", Socket)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        connection = SimpleNamespace(socket_options=options, source_address=None, host="x", port=1)
        row = (socket.AF_INET, socket.SOCK_STREAM, 0, "", address)
        deadline = SimpleNamespace(time_left=lambda name: 60.0)
        given.clear()
        _connect(connection, row, 60.0, deadline).close()  # type: ignore[arg-type]
    assert given == [level, level]
