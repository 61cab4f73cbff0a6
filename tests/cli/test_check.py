"""`feedcharset check`, and what `explain` shows about consumers."""

from __future__ import annotations

import io
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import run
from threading import Thread
from typing import NoReturn

import pytest
from support.cases import FIXTURES
from support.command_line import call, close_folder

from feedcharset import Finding, Limits, Report, check
from feedcharset.cli.report_formats import CheckedSource, annotation_lines, server_settings, text_report
from feedcharset.reading.sources import files_below
from feedcharset.validate.finding_catalogue import CATALOGUE

FEED = '<?xml version="1.0" encoding="UTF-8"?>\n<rss><title>{}</title></rss>'


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.xml"
    path.write_bytes(FEED.format("café").encode())
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.xml"
    path.write_bytes(FEED.format("漢字 é\x08 ä ö ü ß").encode() + b"\t<!--\xe9 -->")
    return path


def test_people_see_the_line_with_a_caret_and_the_fix(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", bad) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == str(bad)
    assert lines[1] == "  error forbidden-character line 2, column 17 (byte 60)"
    assert lines[2].startswith("    the character U+0008 is not allowed in XML  XML 1.0 §2.2")
    assert lines[3] == r"      <rss><title>漢字 é\x08 ä ö ü ß</title></rss> <!--" + "\ufffd -->"
    # 漢 and 字 take two columns each.
    assert lines[4] == " " * (6 + len("<rss><title>漢字 é") + 2) + "^" * len(r"\x08")
    assert lines[5] == "  error undecodable line 2, column 45 (byte 92)"
    assert lines[8] == " " * (6 + len(r"<rss><title>漢字 é\x08 ä ö ü ß</title></rss> <!--") + 2) + "^"
    assert lines[9] == "    fix: é"
    assert lines[-1] == "1 source: 2 errors, 0 warnings, 0 infos"


def test_nothing_found(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", good) == 0
    out = capsys.readouterr().out
    assert "  nothing found\n" in out
    assert "  read as UTF-8 by the rules of every consumer\n" in out
    assert out.endswith("1 source: 0 errors, 0 warnings, 0 infos\n")


def test_a_document_that_is_cut_is_refused_in_the_right_encoding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cut.xml").write_bytes(b"<rss><channel><title>\xc3\xa9")
    assert call("check", tmp_path / "cut.xml") == 1
    refused = "  read as UTF-8 by the rules of every consumer, but XML parsers refuse the document\n"
    assert refused in capsys.readouterr().out
    (tmp_path / "cut.xml").write_bytes(b"<?xml version='1.0' encoding='ISO-8859-1'?><rss><title>\xc3\xa9")
    assert call("check", tmp_path / "cut.xml") == 1
    assert "  XML parsers refuse the document, whatever its encoding is\n" in capsys.readouterr().out


def test_consumers_that_read_another_text_in_the_same_charset_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call("check", FIXTURES / "findings" / "c1-control.hit.xml")
    out = capsys.readouterr().out
    assert "every consumer" not in out
    assert out.count(" ISO-8859-1 (rule") == 4


def test_a_header_comes_with_the_settings_of_servers_once(
    good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("check", "--content-type", "text/xml", good) == 1
    out = capsys.readouterr().out
    assert out.count("    fix: Content-Type: application/rss+xml; charset=UTF-8\n") == 1
    assert out.count("    fix: as above\n") == 1
    assert (
        out.count('location = /good.xml { types { } default_type "application/rss+xml; charset=UTF-8"; }')
        == 1
    )
    assert '    Apache: <Files "good.xml">\n' in out
    assert '              ForceType "application/rss+xml; charset=UTF-8"\n' in out


@pytest.mark.parametrize(
    ("source", "location", "name"),
    [
        ("https://example.org/news/feed.xml", "/news/feed.xml", "feed.xml"),
        ("https://example.org:8443/~me/Atom.RDF", "/~me/Atom.RDF", "Atom.RDF"),
        ("a b/feed.xml", "/feed.xml", "feed.xml"),
        ("a\\b.rss", "/b.rss", "b.rss"),
    ],
)
def test_settings_name_a_static_file(source: str, location: str, name: str) -> None:
    first, nginx, *apache = server_settings("Content-Type: text/xml; charset=UTF-8", source)
    assert ("(its path there may not be /" in first) == (not source.startswith("https:"))
    assert nginx.startswith(f"nginx:  location = {location} {{")
    assert apache[0] == f'Apache: <Files "{name}">'


BY_A_PROGRAM = [
    *(
        "/",
        "",
        "/wp/feed/",
        "/wp/feed",
        "/rss.php",
        "/RSS.PHP",
        "/feed.aspx",
        "/feed.jsp",
        "/cgi-bin/feed.cgi",
    ),
    *("/cgi-bin/feed.xml", "/fcgi/feed.xml", "/index.php/feed.xml", "/feed.php.xml", "/index.php?feed=rss2"),
    *("/feed.xml?x=1", "/feed.xml?", "/feed.xml#x", "/feed.xml;php", "/.htaccess", "/.xml", "/../feed.xml"),
    *("/a%20b.xml", "/a b.xml", "/%66eed.xml", "/é.xml", '/b";}.xml', "/a'b.xml", "/a{b}.xml"),
    *("/$uri.xml", "/feed.xml/", "//feed.xml", "/a*.xml", "/[a].xml", "/feed.html"),
]


@pytest.mark.parametrize("path", BY_A_PROGRAM)
def test_no_server_is_told_to_send_what_a_program_makes(path: str) -> None:
    """The exact location of nginx, and ForceType of Apache, outrank the program: its source would be sent."""
    header = "Content-Type: text/xml; charset=UTF-8"
    settings = server_settings(header, f"https://example.org{path}")
    assert not any(word in " ".join(settings) for word in ("nginx", "Apache"))
    assert (settings == [f"PHP:    header('{header}');"]) == path.lower().partition("?")[0].endswith(".php")


@pytest.mark.parametrize("source", ["-", 'a/b";}.xml', ".htaccess", "feed", "feed.php"])
def test_no_server_is_told_to_send_another_file(source: str) -> None:
    (line,) = server_settings("Content-Type: text/xml; charset=UTF-8", source)
    assert line.startswith("PHP: " if source == "feed.php" else "sent by the program")


@pytest.mark.parametrize(
    "content_type", ["application/feed+json", "text/xml", "text/html; charset=ISO-8859-1"]
)
@pytest.mark.parametrize(
    "body", ['{"version": "https://jsonfeed.org/version/1", "title": "été"}', "not found"]
)
def test_what_is_no_xml_gets_no_label_of_xml(body: str, content_type: str) -> None:
    report = check(body.encode(), content_type=content_type)
    assert "no-xml" in {one.code for one in report.findings}
    assert not [one.fix for one in report.findings if one.fix]


def test_after_a_redirect_the_settings_are_those_of_the_last_address() -> None:
    report = check(b"<rss/>", content_type="text/html")
    checked = CheckedSource("https://example.org/feed.xml", report, sent_by="https://example.org/rss.php")
    text = str(list(text_report(checked, quiet=True)))
    assert "PHP: " in text
    assert "nginx" not in text


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


@pytest.mark.parametrize("form", ["html", "text", "json"])
def test_json_beside_another_format_is_refused(
    form: str, good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = form == "html"
    assert call("check", "--json", "--format", form, good) == (2 if refused else 0)
    assert ("--json is --format json; give one" in capsys.readouterr().err) == refused


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
    assert call("check", "--format", "github", "./bad.xml") == 1  # GitHub names it without `./`
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "::error file=bad.xml,line=2,endLine=2,col=17,endColumn=18,title=feedcharset forbidden-character"
        "::the character U+0008 is not allowed in XML",
        "::error file=bad.xml,line=2,endLine=2,col=45,endColumn=46,title=feedcharset undecodable"
        "::E9 is not UTF-8%0Afix: é",
        "1 source: 2 errors, 0 warnings, 0 infos",
    ]


def test_annotations_are_escaped() -> None:
    """A value ends no property, no command and no line (actions/toolkit, command.ts)."""
    finding = Finding("mojibake", "info", "100 %\r\n::error::x\x1b[0m", 1, 2, 3, "a\nb")
    finding = finding._replace(end_line=2, end_column=4)
    other = finding._replace(fix=None)
    lines = [
        *annotation_lines(CheckedSource("a,b:c%\n.xml", Report((finding,), None))),
        *annotation_lines(CheckedSource("https://example.org/", Report((other,), None))),
    ]
    assert lines == [
        r"::notice file=a%2Cb%3Ac%25\x0a.xml,line=2,endLine=2,col=3,endColumn=4,title=feedcharset mojibake"
        r"::100 %25\x0d\x0a::error::x\x1b[0m%0Afix: a\x0ab",
        r"::notice title=feedcharset mojibake::https://example.org/: 100 %25\x0d\x0a::error::x\x1b[0m",
    ]


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
    for arguments in (
        [],
        ["--format", "github"],
        ["--json"],
        ["--content-type", "text/xml;\x1bcharset='\x07'"],
    ):
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
        "  RFC 3023: reads US-ASCII (rule 2.1): stops at byte 54 (line 2, column 16), which is not US-ASCII",
        "  RFC 7303: reads UTF-8 (rule 3.5)",
        "  without HTTP: reads UTF-8 (rule 1.2)",
        "  lenient: reads UTF-8 (rule L2)",
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


# -- which findings, which files --------------------------------------------------------------------------


def codes_of(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[str]:
    call("check", "--format", "json", *arguments)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [finding["code"] for line in lines for finding in line["findings"]]


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ([], ["forbidden-character", "undecodable"]),
        (["--select", "undecodable"], ["undecodable"]),
        (["--select", "forbidden,label"], ["forbidden-character"]),
        (["--ignore", "forbidden", "--ignore", "undecodable"], []),
        (["--select", "undecodable", "--ignore", "undecodable"], []),
    ],
)
def test_findings_are_selected_by_code(
    options: list[str], codes: list[str], bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert codes_of(capsys, *options, bad) == codes
    assert call("check", *options, bad) == int(bool(codes))


@pytest.mark.parametrize("option", ["--select", "--ignore", "--explain"])
def test_a_code_that_is_not_known(option: str, good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", option, "undecodabel", good) == 2
    assert "no finding has the code 'undecodabel'; did you mean 'undecodable'?" in capsys.readouterr().err


def test_a_finding_is_explained_whatever_else_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    """As after --help, nothing that follows from other options is looked at."""
    assert call("check", "--select", "undecodabel", "--limit", "-1", "--explain", "undecodable") == 0
    assert capsys.readouterr().out.startswith("error undecodable\n")


def test_every_finding_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for kind in CATALOGUE:
        assert call("check", "--explain", kind.code) == 0
        out = capsys.readouterr().out
        assert out.startswith(f"{kind.severity} {kind.code}\n")
        assert kind.remedy in out


def test_quiet_prints_the_findings_alone(good: Path, bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", "-q", good) == 0
    assert capsys.readouterr().out == ""
    assert call("check", "--quiet", good, bad) == 1
    out = capsys.readouterr().out
    assert out.startswith(str(bad))
    assert "read by" not in out
    assert "1 source" not in out


def test_a_folder_means_its_xml_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ["b.xml", "a/c.RSS", "a/d/e.atom", "f.opml", "g.feed", "h.xml.GZ"]
    for name in (*wanted, ".hidden.xml", ".git/x.xml", "page.html", "g.xml.bak", ".gitignore"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("*.xml\n" if name == ".gitignore" else "<rss/>")
    assert call("check", "--format", "json", tmp_path) == 0
    found = [json.loads(line)["source"] for line in capsys.readouterr().out.splitlines()]
    assert sorted(found) == sorted(str(tmp_path / name) for name in wanted)


def test_a_file_of_a_folder_that_cannot_be_opened_stops_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.xml").symlink_to("nowhere")
    (tmp_path / "b.xml").write_bytes(b"<a/>")
    (tmp_path / "c.xml").symlink_to("nowhere")
    (tmp_path / "d.xml").write_bytes(b"<a>b</c>")
    assert call("check", "--quiet", tmp_path) == 2
    out, err = capsys.readouterr()
    assert "d.xml" in out
    assert [name for name in ("a.xml", "b.xml", "c.xml", "d.xml") if name in err] == ["a.xml", "c.xml"]


def test_a_folder_means_files_without_extension_that_begin_as_xml(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = {
        "declared": b'<?xml version="1.0"?><a/>',
        "wide": '<?xml version="1.0"?><a/>'.encode("utf-16"),
        "feed": b"\xef\xbb\xbf\n<feed/>",
        "rdf": b"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>",
    }
    others = {"page": b"<html/>", "empty": b"", "text": b"a <rss> b", ".hidden": b"<rss/>", "v1.2": b"<rss/>"}
    for name, data in {**wanted, **others}.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "broken").symlink_to(tmp_path / "absent")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
    call("check", "--format", "json", tmp_path)
    found = [json.loads(line)["source"] for line in capsys.readouterr().out.splitlines()]
    assert found == sorted(str(tmp_path / name) for name in wanted)


@pytest.mark.parametrize("form", ["text", "json", "github", "gitlab", "junit", "sarif", "html"])
def test_a_report_goes_into_a_file(
    form: str, bad: Path, good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("check", "--format", form, bad, good) == 1
    printed = capsys.readouterr().out
    assert call("check", "--format", form, "-o", tmp_path / "report", bad, good) == 1
    assert capsys.readouterr().out == ""
    assert (tmp_path / "report").read_text(encoding="utf-8") == printed
    assert call("check", "--format", form, "-o", "-", bad, good) == 1
    assert capsys.readouterr().out == printed


def test_a_report_does_not_replace_a_source(
    bad: Path, good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = good.read_bytes()
    (tmp_path / "link").symlink_to(good)
    for sources in ((bad, good), (tmp_path,)):
        for output in (good, tmp_path / "link"):
            assert call("check", *sources, "-o", output) == 2
            assert "is a source; give another name" in capsys.readouterr().err
    assert good.read_bytes() == before


@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_a_report_does_not_replace_standard_input(
    form: str, bad: Path, good: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = good.read_bytes()
    for sources in ((), ("-",), ("-", bad), (bad, "-")):
        with good.open(encoding="utf-8") as stream:
            monkeypatch.setattr("sys.stdin", stream)
            assert call("check", "-q", "--format", form, "-o", good, *sources) == 2
        assert "is a source; give another name" in capsys.readouterr().err
        assert good.read_bytes() == before


def test_standard_input_is_read_where_no_source_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"<rss>\x08</rss>")))
    assert call("check", "--json") == 1
    line = json.loads(capsys.readouterr().out)
    assert (line["source"], line["findings"][0]["code"]) == ("-", "forbidden-character")


def test_links_to_folders_are_followed_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As in batch: into a hidden folder, too, and into one that holds another one; never in a loop."""
    real, other, built = tmp_path / "real", tmp_path / "other", tmp_path / "real" / ".built"
    for folder in (real / "sub", other / "deep", built):
        folder.mkdir(parents=True)
        (folder / "feed.xml").write_text("<rss/>")
    (other / "feed.xml").write_text("<rss/>")
    for link, to in (
        *((real / "sub" / "loop", real), (real / "up", tmp_path), (real / "again", real / "sub")),
        *((real / "a", other / "deep"), (real / "b", other), (real / "current", built)),
        *((other / "back", real), (tmp_path / "named", real)),
    ):
        link.symlink_to(to)
    names = ("sub", "a", "b", "current")
    for source in (real, tmp_path / "named"):
        assert call("check", "--json", source) == 0
        found = [json.loads(line)["source"] for line in capsys.readouterr().out.splitlines()]
        assert found == [str(source / name / "feed.xml") for name in names]
        assert list(files_below(str(source), print, (".", "_"))) == found


def test_a_folder_without_xml_files_is_not_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--format=text", "--diff", "--fix"):
        assert call("check", option, tmp_path) == 2
        assert capsys.readouterr().err == f"feedcharset: {tmp_path}: the folder has no XML files\n"


def test_a_folder_that_cannot_be_read_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others are checked; also where it is the folder that is named."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "a.xml").write_bytes(b"<a/>")
    close_folder(monkeypatch, "secret")
    for source in (tmp_path, tmp_path / "secret"):
        for fix in ([], ["--diff"]):
            assert call("check", *fix, source) == 2
            out, err = capsys.readouterr()
            assert err.startswith(f"feedcharset: {tmp_path / 'secret'}: ")
            assert ("a.xml" in out) == (source == tmp_path and not fix)


def test_a_file_without_extension_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.xml").write_bytes(b"<a/>")
    (tmp_path / "nothing").symlink_to("missing")
    assert call("check", tmp_path) == 0
    (tmp_path / "loop").symlink_to("loop")
    assert call("check", tmp_path) == 2
    assert capsys.readouterr().err.startswith(f"feedcharset: {tmp_path / 'loop'}: ")


@pytest.mark.parametrize(
    "text",
    [
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/</loc></url></urlset>',
        '<opml version="2.0"><head><title>Été</title></head><body/></opml>',
    ],
)
def test_a_sitemap_and_opml_are_checked_as_they_are(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file.xml"
    path.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}', encoding="utf-8")
    assert codes_of(capsys, "--content-type", "application/xml", path) == []


def test_headers_reach_the_request(capsys: pytest.CaptureFixture[str]) -> None:
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append((self.headers["Authorization"], self.headers["X-Test"]))
            self.send_response(200)
            self.send_header("Content-Type", "application/rss+xml")
            self.end_headers()
            self.wfile.write(b"<rss/>")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/feed.xml"
        options = ["--header", "Authorization: Basic x:y", "--header", "X-Test:a b", "--timeout", "30"]
        assert call("check", *options, url) == 0
        server.shutdown()
    assert seen == [("Basic x:y", "a b")]


def test_the_time_limit_reaches_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = []

    def open_source(source: object, session: None, headers: object, used: Limits) -> NoReturn:
        limits.append(used.total)
        raise OSError("not opened")

    monkeypatch.setattr("feedcharset.reading.sources.open_source", open_source)
    assert call("check", "--timeout", "2.5", "https://example.org/") == 2
    assert call("check", "https://example.org/") == 2
    assert limits == [2.5, Limits().total]


@pytest.mark.parametrize(
    "options",
    [
        ["--header", "nonsense"],
        ["--header", ": x"],
        ["--header", "A: 1", "--header", "a: 2"],
        ["--timeout", "0"],
    ],
)
def test_a_header_or_a_time_that_makes_no_sense(options: list[str], good: Path) -> None:
    assert call("check", *options, good) == 2


# -- output in other encodings ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "form"),
    [("cp1252", "text"), ("cp1252", "junit")]
    + [
        pytest.param(*row, marks=pytest.mark.long)
        for row in [("ascii", "text"), ("cp437", "text"), ("utf-8", "text"), ("cp1252", "json")]
        + [("utf-16", form) for form in ("text", "junit")]
        + [("cp1252", form) for form in ("sarif", "gitlab", "github", "html")]
    ],
)
def test_output_in_every_encoding(encoding: str, form: str, bad: Path) -> None:
    """What the pipe's encoding does not have is escaped; XML and HTML are UTF-8."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "feedcharset", "check", "--format", form, str(bad)]
    done = run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    text = done.stdout.decode(
        "utf-8" if form in ("junit", "html") or encoding in ("ascii", "utf-16") else encoding
    )
    assert "forbidden-character" in text
    assert text[0] != "\ufeff"


def test_output_in_the_c_locale(bad: Path) -> None:
    environment = {"LC_ALL": "C", "PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-X", "utf8=0", "-m", "feedcharset", "check", str(bad)]
    done = run(command, env={**environment, "PYTHONCOERCECLOCALE": "0"}, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert rb"\u6f22" in done.stdout or "漢".encode() in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--timeout", "5s"], "'5s' is not a valid number of seconds"),
        (["--timeout", "inf"], "inf is not in the range 0<x<=1000000"),
        (["--limit", "x"], "'x' is not a valid whole number"),
        (["--select", ""], "no code is named; is a variable of the shell not set?"),
        (["--ignore", " , "], "no code is named; is a variable of the shell not set?"),
    ],
)
def test_values_that_are_none(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", *arguments, "feed.xml") == 2
    assert message in capsys.readouterr().err
