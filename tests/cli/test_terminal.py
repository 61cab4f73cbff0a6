"""Errors in the words of the command line: one line, the source once, options instead of arguments."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from support.each import each
from support.local_server import LocalServer, Row

from feedcharset import check
from feedcharset.cli.commands import feedcharset
from feedcharset.cli.terminal import reason_of, report_error, run
from feedcharset.errors import (
    AddressRefused,
    DecodeError,
    EncodingConflict,
    FetchError,
    HTTPStatusError,
    NotXmlMediaType,
    TooLarge,
    TruncatedBody,
)
from feedcharset.fetch.deadline import exceeded
from feedcharset.fetch.limits import Limits

URL = "http://feeds.example/"


def _status(number: int) -> HTTPStatusError:
    excerpt = "a\n\n b" + "c" * 99
    return HTTPStatusError(f"{URL}: HTTP {number}", url=URL, status=number, excerpt=excerpt, advice="look")


ERRORS = [
    # the source, what was raised, and what the command line says
    (
        URL,
        FetchError(f"{URL}: could not be fetched: no", url=URL, advice="try later"),
        "could not be fetched: no; check the address, or try again later",
    ),
    ("http://feeds.example", FetchError(f"{URL}: no", url=URL), "no"),
    ("HTTP://user:x@Feeds.example", FetchError(f"{URL}: no", url=URL), "no"),
    ("http://other.example/", FetchError(f"{URL}: no", url=URL), f"{URL}: no"),
    (
        URL,
        exceeded("wire", Limits(), URL),
        "a body of more than 10,485,760 bytes; download it, and give the file",
    ),
    (URL, exceeded("read", Limits(), URL), "the server sent nothing for 10 s; try again later"),
    (URL, TruncatedBody(f"{URL}: cut off", url=URL, advice="use .partial"), "cut off; try again"),
    (
        "x.gz",
        TruncatedBody("cut off", advice="lenient=True"),
        "cut off; leave out --strict to take what there is",
    ),
    (URL, _status(404), "HTTP 404; check the address; the page begins: a b" + "c" * 77),
    (URL, _status(403), "HTTP 403; download it, and give the file; the page begins: a b" + "c" * 77),
    (URL, _status(503), "HTTP 503; try again later; the page begins: a b" + "c" * 77),
    (URL, _status(408), "HTTP 408; try again later; the page begins: a b" + "c" * 77),
    (URL, _status(429), "HTTP 429; try again later; the page begins: a b" + "c" * 77),
    (
        URL,
        FetchError("its Content-Encoding cannot be removed", url=URL, advice="headers={}"),
        "its Content-Encoding cannot be removed; download it, and give the file",
    ),
    (
        URL,
        AddressRefused("redirects", url=URL, limit="https_to_http", advice="Limits()"),
        "redirects; give that URL",
    ),
    (
        "x.gz",
        TooLarge("gzip grows", limit="ratio", advice="gunzip=False"),
        "gzip grows; if you trust it, unpack it, and give that file",
    ),
    (
        "x.xml",
        EncodingConflict("rule 1.4: no", advice="pass encoding="),
        "rule 1.4: no; correct the label, or leave out --strict",
    ),
    ("x.xml", EncodingConflict("rule 1.4: no"), "rule 1.4: no"),
    (
        "x.xml",
        NotXmlMediaType("rule 2.6: no", advice="send another"),
        "rule 2.6: no; give the right --content-type, or leave out --strict",
    ),
    (
        "http://",
        AddressRefused("http://: not a URL", url="http://", advice="give the URL"),
        "not a URL; give the URL",
    ),
    (
        URL,
        FetchError(f"{URL}: could not be fetched: no host", url=URL, advice="check the URL"),
        "could not be fetched: no host; check the address",
    ),
    (
        URL,
        FetchError(f"{URL}: a SOCKS proxy needs x", url=URL, advice="pip install x, or take out the proxy"),
        "a SOCKS proxy needs x; pip install x, or take out the proxy",
    ),
    (
        "x.xml",
        DecodeError("utf-8", b"\xff", 0, 1, "no"),
        "byte 0 (line 1, column 1): FF is not utf-8: no; correct the label, or give cat --errors replace",
    ),
    (
        "ftp://x/y",
        FileNotFoundError(2, "No such file"),
        "no such file, and no URL that is opened; give check, explain or cat an http or https URL",
    ),
    (
        "example.org/feed.xml",
        FileNotFoundError(2, "No such file"),
        "no such file; for the web address give https://example.org/feed.xml",
    ),
    ("feeds/x.xml", FileNotFoundError(2, "No such file"), "No such file"),
    ("x.xml", FileNotFoundError(2, "No such file"), "No such file"),
    ("x.xml", ValueError("no"), "no"),
]


@each(("source", "error", "reason"), ERRORS)
def test_reason(source: str, error: Exception, reason: str) -> None:
    assert reason_of(source, error) == reason


def test_nothing_of_an_error_page_acts_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    error = HTTPStatusError(f"{URL}: HTTP 500", url=URL, excerpt="\x1b[2J\x9b1m\u202e")
    report_error(f"{URL}\x1b", error)
    line = capsys.readouterr().err
    assert line.removesuffix("\n").isprintable()
    assert line.count("\n") == 1


def test_the_url_stands_once(capsys: pytest.CaptureFixture[str]) -> None:
    with LocalServer({"/": Row(b"gone", status=410)}) as server:
        for command in ("check", "explain", "cat"):
            assert run(feedcharset, [command, server.url("")]) == 2
            line = capsys.readouterr().err
            assert line.count("http://") == 1, line
            assert line.endswith("check the address; the page begins: gone\n")
    with LocalServer({"/": Row(b"", (("Location", "ftp://127.0.0.1:1/"),), 302)}) as server:
        for url in (server.url("/"), server.url("/").replace("//", "//me:secret@")):
            assert run(feedcharset, ["cat", url]) == 2
            begin = f"feedcharset: {server.url('/')}: redirects to ftp://127.0.0.1:1/: "
            assert capsys.readouterr().err.startswith(begin)


def test_a_compressed_file_is_no_body(tmp_path: Path) -> None:
    """A file that is stored compressed is sent with Content-Encoding: its Content-Type changes nothing."""
    body = gzip.compress(b"<?xml version='1.0'?><rss/>")
    (tmp_path / "feed.xml.gz").write_bytes(body)
    (tmp_path / "feed.xml").write_bytes(body)
    for name, code in (("feed.xml.gz", "gzip-file"), ("feed.xml", "gzip-body")):
        report = check(tmp_path / name, content_type="application/rss+xml; charset=utf-8")
        assert [finding.code for finding in report.findings if "gzip" in finding.code] == [code]
    row = Row.typed(body, "application/rss+xml; charset=utf-8")
    with LocalServer({"/feed.xml.gz": row}) as server:
        report = check(server.url("/feed.xml.gz"))
        assert [finding.code for finding in report.findings if "gzip" in finding.code] == ["gzip-body"]


@pytest.mark.long
def test_gzip_that_grows_too_much_is_not_called_damaged() -> None:
    (finding,) = [
        finding
        for finding in check(gzip.compress(b"<rss>" + bytes(100_000_000)), limit=1).findings
        if finding.code == "gzip-broken"
    ]
    assert finding.message.startswith("the gzip data is not read to its end: gzip grows more than 1000:1 (")
    assert "gunzip" not in finding.message


CENTRAL = [
    # the text, its encoding, the label that the fix has
    ("Škofja Loka: ľ, ą", "windows-1250", None),  # BE and B9 are other letters in ISO-8859-2
]


@pytest.mark.parametrize(("text", "encoding", "label"), CENTRAL)
def test_c1_controls_name_the_windows_page(text: str, encoding: str, label: str | None) -> None:
    """A fix names an encoding only where the whole text is the same in it."""
    body = f"<?xml version='1.0' encoding='ISO-8859-2'?><rss><title>{text}</title></rss>".encode(encoding)
    fixes = {finding.fix for finding in check(body).findings if finding.code == "c1-control"}
    if label is None:
        assert all("name the encoding it is really in" in str(fix) for fix in fixes)
    else:
        assert fixes == {f'<?xml version="1.0" encoding="{label}"?>'}
    large = body.replace(b"</rss>", b"x" * 70_000 + b"</rss>")
    assert not any(label and label in str(finding.fix) for finding in check(large).findings)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of POSIX")
@pytest.mark.parametrize("command", ["cat", pytest.param("repair", marks=pytest.mark.long)])
def test_text_acts_on_no_terminal(command: str, tmp_path: Path) -> None:
    """A pipe gets the characters themselves."""
    text = "<rss>\t\x1b]0;x\x07 \x9b31m \u202e\u2066 é 日本 😀 \u200d \xa0</rss>\n"
    (tmp_path / "a.xml").write_bytes(text.encode())
    line = [sys.executable, "-m", "feedcharset", command, "a.xml"]
    assert subprocess.run(line, cwd=tmp_path, capture_output=True, check=True).stdout.decode() == text
    mine, its = os.openpty()
    with subprocess.Popen(line, cwd=tmp_path, stdout=its) as process:
        os.close(its)
        shown = b""
        with suppress(OSError):  # EIO: the other end is closed
            while piece := os.read(mine, 4096):
                shown += piece
        assert process.wait() == 0
    os.close(mine)
    escaped = text.replace("\x1b", r"\x1b").replace("\x07", r"\x07").replace("\x9b", r"\x9b")
    escaped = escaped.replace("\u202e", r"\u202e").replace("\u2066", r"\u2066")
    assert shown.decode().replace("\r\n", "\n").expandtabs() == escaped.expandtabs()
