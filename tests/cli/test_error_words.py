"""Errors in the words of the command line: one line, the source once, options instead of arguments."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from support.local_server import LocalServer, Row

from feedcharset import check
from feedcharset.cli.command_group import feedcharset
from feedcharset.cli.error_words import reason_of
from feedcharset.cli.terminal import report_error, run
from feedcharset.errors import FetchError, HTTPStatusError, TooLarge, TruncatedBody

URL = "http://feeds.example/"
ERRORS = [
    (
        URL,
        FetchError(f"{URL}: could not be fetched: no; try later", url=URL),
        "could not be fetched: no; try later",
    ),
    ("http://feeds.example", FetchError(f"{URL}: no; try later", url=URL), "no; try later"),
    ("HTTP://user:x@Feeds.example", FetchError(f"{URL}: no; try later", url=URL), "no; try later"),
    ("http://other.example/", FetchError(f"{URL}: no", url=URL), f"{URL}: no"),
    (
        URL,
        TooLarge(f"{URL}: more than 1 bytes; if this source may have more, raise Limits(wire=...)", url=URL),
        "more than 1 bytes; if this source may have more, download it, and give the file",
    ),
    (
        URL,
        TruncatedBody(f"{URL}: cut off; try again, or use what arrived, in .partial", url=URL),
        "cut off; try again",
    ),
    (
        URL,
        HTTPStatusError(
            f"{URL}: HTTP 410; look at .excerpt, or try later", url=URL, excerpt="a\n\n b" + "c" * 99
        ),
        "HTTP 410; try later; the page begins: a b" + "c" * 77,
    ),
    ("ftp://x/y", FileNotFoundError(2, "No such file"), "no such file, and no URL that is opened"),
    ("x.xml", FileNotFoundError(2, "No such file"), "No such file"),
    (
        "x.gz",
        TooLarge("gzip grows; if you trust it, unpack it yourself and pass gunzip=False"),
        "gzip grows; if you trust it, unpack it, and give that file",
    ),
]


@pytest.mark.parametrize(("source", "error", "reason"), ERRORS)
def test_reason(source: str, error: Exception, reason: str) -> None:
    found = reason_of(source, error)
    assert found.startswith(reason)
    assert "Limits(" not in found
    assert not found.removeprefix(reason) or source.startswith("ftp")


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
            assert line.endswith("the page begins: gone\n")


def test_a_compressed_file_is_no_body(tmp_path: Path) -> None:
    """A file that is stored compressed is sent with Content-Encoding: its Content-Type changes nothing."""
    body = gzip.compress(b"<?xml version='1.0'?><rss/>")
    (tmp_path / "feed.xml.gz").write_bytes(body)
    (tmp_path / "feed.xml").write_bytes(body)
    for name, code in (("feed.xml.gz", "gzip-file"), ("feed.xml", "gzip-body")):
        report = check(tmp_path / name, content_type="application/rss+xml; charset=utf-8")
        assert [finding.code for finding in report.findings if "gzip" in finding.code] == [code]


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
    ("Škofja Loka, Živali, ťž", "windows-1250", "windows-1250"),
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
