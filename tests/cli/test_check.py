"""`feedcharset check`, and what `explain` shows about consumers."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from feedcharset import Finding, Report
from feedcharset.cli import check_formats, main
from feedcharset.cli.check_formats import server_settings

FEED = '<?xml version="1.0" encoding="UTF-8"?>\n<rss><title>{}</title></rss>'


def call(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    assert isinstance(left.value.code, int)
    return left.value.code


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.xml"
    path.write_bytes(FEED.format("café").encode())
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.xml"
    path.write_bytes(FEED.format("漢字 é\x08 ä ö ü ß").encode() + b"\t\xe9")
    return path


def test_people_see_the_line_with_a_caret_and_the_fix(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", bad) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == str(bad)
    assert lines[1] == "  error forbidden-character line 2, column 17 (byte 60)"
    assert lines[2].startswith("    the character U+0008 is not allowed in XML  XML 1.0 §2.2")
    assert lines[3] == r"      <rss><title>漢字 é\x08 ä ö ü ß</title></rss> " + "\ufffd"
    # 漢 and 字 take two columns each.
    assert lines[4] == " " * (6 + len("<rss><title>漢字 é") + 2) + "^"
    assert lines[5] == "  error undecodable line 2, column 41 (byte 88)"
    assert lines[8] == " " * (6 + len(r"<rss><title>漢字 é\x08 ä ö ü ß</title></rss> ") + 2) + "^"
    assert lines[9] == "    fix: é"
    assert lines[-1] == "1 source: 2 errors, 0 warnings, 0 infos"


def test_nothing_found(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", good) == 0
    out = capsys.readouterr().out
    assert "  nothing found\n" in out
    assert "    RFC 3023: UTF-8 by rule 1.2: the lenient text\n" in out
    assert out.endswith("1 source: 0 errors, 0 warnings, 0 infos\n")


def test_a_header_comes_with_the_settings_of_servers_once(
    good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("check", "--content-type", "text/xml", good) == 1
    out = capsys.readouterr().out
    assert out.count("    fix: Content-Type: application/rss+xml; charset=UTF-8\n") == 2
    assert (
        out.count('location = /good.xml { types { } default_type "application/rss+xml; charset=UTF-8"; }')
        == 1
    )
    assert '    Apache: <Files "good.xml">\n' in out
    assert '              ForceType "application/rss+xml; charset=UTF-8"\n' in out


@pytest.mark.parametrize(
    ("source", "location", "name"),
    [
        ("https://example.org/news/feed.xml?x=1", "/news/feed.xml", "feed.xml"),
        ("https://example.org", "/feed.xml", "feed.xml"),
        ("-", "/feed.xml", "feed.xml"),
        ('a/b";}.xml', "/feed.xml", "feed.xml"),
        (".htaccess", "/feed.xml", "feed.xml"),
        ("a\\b.rss", "/b.rss", "b.rss"),
    ],
)
def test_settings_name_the_file_where_that_is_safe(source: str, location: str, name: str) -> None:
    nginx, *apache = server_settings("Content-Type: text/xml; charset=UTF-8", source)
    assert nginx.startswith(f"nginx:  location = {location} {{")
    assert apache[0] == f'Apache: <Files "{name}">'


def test_no_settings_for_what_cannot_be_spelled() -> None:
    assert server_settings('Content-Type: a/b"c', "feed.xml") == []


def test_several_sources_and_a_summary(good: Path, bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", good, bad, bad) == 1
    out = capsys.readouterr().out
    assert out.count(f"\n\n{bad}\n") == 2
    assert out.endswith("3 sources: 4 errors, 0 warnings, 0 infos\n")


def test_a_source_that_cannot_be_read_is_2_and_2_wins(
    good: Path, bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("check", "nowhere.xml", bad, good) == 2
    shown = capsys.readouterr()
    assert shown.err == "feedcharset: nowhere.xml: No such file or directory\n"
    assert shown.out.endswith("2 sources: 2 errors, 0 warnings, 0 infos\n")
    assert call("check", "nowhere.xml") == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("least", "content_type", "code"),
    [
        ("error", "text/xml", 0),
        ("warning", "text/xml", 1),
        ("info", "application/rss+xml; charset=utf8", 1),
        ("error", "application/rss+xml; charset=utf8", 0),
        ("error", "text/html", 1),
    ],
)
def test_the_severities_that_fail(good: Path, least: str, content_type: str, code: int) -> None:
    assert call("check", "--fail-on", least, "--content-type", content_type, good) == code


def test_policy_and_content_type(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", "--content-type", "", good) == 1
    assert "rule-2.6" in capsys.readouterr().out
    assert call("check", "--policy", "rfc7303", "--content-type", "", good) == 1
    assert "rule-3.9" in capsys.readouterr().out


def test_json_is_one_object_a_line(good: Path, bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", "--json", good, bad) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["source"], first["ok"], first["findings"]) == (str(good), True, [])
    consumers = [reading["consumer"] for reading in first["readings"]]
    assert consumers == ["rfc3023", "rfc7303", "no-http", "lenient"]
    assert first["resolution"]["encoding"] == "UTF-8"
    found = second["findings"][0]
    assert {name: found[name] for name in ("code", "severity", "offset", "line", "column", "count")} == {
        "code": "forbidden-character",
        "severity": "error",
        "offset": 60,
        "line": 2,
        "column": 17,
        "count": 1,
    }


def test_json_of_what_is_no_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.xml"
    path.write_bytes(b"")
    assert call("check", "--json", path) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["resolution"], report["readings"]) == (None, [])


def test_github_annotations(
    bad: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bad.parent)
    assert call("check", "--github", "bad.xml") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "::error file=bad.xml,line=2,col=17,title=feedcharset forbidden-character"
        "::the character U+0008 is not allowed in XML",
        "::error file=bad.xml,line=2,col=41,title=feedcharset undecodable::E9 is not UTF-8%0Afix: é",
        "1 source: 2 errors, 0 warnings, 0 infos",
    ]


def test_annotations_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    """A value ends no property, no command and no line (actions/toolkit, command.ts)."""
    finding = Finding("mojibake", "info", "100 %\r\n::error::x\x1b[0m", 1, 2, 3, fix="a\nb")
    check_formats.annotate("a,b:c%\n.xml", Report((finding,), None))
    check_formats.annotate("https://example.org/", Report((finding._replace(fix=None),), None))
    assert capsys.readouterr().out.splitlines() == [
        r"::notice file=a%2Cb%3Ac%25\x0a.xml,line=2,col=3,title=feedcharset mojibake"
        r"::100 %25\x0d\x0a::error::x\x1b[0m%0Afix: a\x0ab",
        r"::notice title=feedcharset mojibake::https://example.org/: 100 %25\x0d\x0a::error::x\x1b[0m",
    ]


def test_two_forms_at_once_are_a_usage_error(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", "--json", "--github", good) == 2
    assert "give one" in capsys.readouterr().err


def test_the_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "many.xml"
    path.write_bytes(b"<rss>" + b"\x01\x02" * 1500 + b"\x03" * 7 + b"</rss>")
    assert call("check", "--limit", 2, path) == 1
    out = capsys.readouterr().out
    assert out.count("forbidden-character") == 3
    assert "(and 6 more)" in out
    assert out.endswith("1 source: 3,007 errors, 0 warnings, 0 infos\n")


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FEED.format("\x08").encode())))
    assert call("check", "-") == 1
    assert "forbidden-character line 2" in capsys.readouterr().out
    assert not sys.stdin.buffer.closed


def test_nothing_hostile_reaches_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad\x1b[2J.xml"
    hostile = '<?xml version="1.0" encoding="\x1b[31mred"?><rss>\x1b]0;x\x07 \x85 \u202e \x08</rss>'
    path.write_bytes(hostile.encode())
    for arguments in ([], ["--github"], ["--json"], ["--content-type", "text/xml;\x1bcharset='\x07'"]):
        call("check", *arguments, path)
        shown = capsys.readouterr()
        for char in ("\x1b", "\x85", "\x07", "\x08", "\u202e"):
            assert char not in shown.out + shown.err


def test_it_is_quick_to_say_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", "--help") == 0
    assert "--fail-on" in capsys.readouterr().out


# -- explain ----------------------------------------------------------------------------------------------


def test_explain_says_what_readers_get(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("explain", "--content-type", "text/xml", good) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-5:] == [
        "read by:",
        "  RFC 3023: US-ASCII by rule 2.1: the lenient text up to byte 54 (line 2, column 16), "
        "where a byte does not decode",
        "  RFC 7303: UTF-8 by rule 3.5: the lenient text",
        "  without HTTP: UTF-8 by rule 1.2: the lenient text",
        "  lenient: UTF-8 by rule L2: the text",
    ]


def test_explain_json_has_the_readings(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("explain", "--json", "--content-type", "text/html", good) == 0
    readings = json.loads(capsys.readouterr().out)["readings"]
    assert [reading["outcome"] for reading in readings] == ["refuses", "refuses", "same", "same"]
    assert readings[0]["why"]
    assert call("explain", "--json", "--strict", "--content-type", "text/html", good) == 1
    assert json.loads(capsys.readouterr().out)["readings"] == readings


def test_explain_strict_is_1_where_a_byte_does_not_decode(bad: Path, good: Path) -> None:
    assert call("explain", "--strict", bad) == 1
    assert call("explain", "--strict", good) == 0
    assert call("explain", bad) == 0
    assert call("explain", "--strict", "--content-type", "text/xml", good) == 1
    assert call("explain", "--strict", "--policy", "rfc7303", "--content-type", "text/xml", good) == 0


def test_the_pre_commit_hook_calls_what_exists() -> None:
    text = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    assert "id: feedcharset-check" in text
    assert "entry: feedcharset check" in text
    assert os.linesep == "\n" or "\r" not in text
