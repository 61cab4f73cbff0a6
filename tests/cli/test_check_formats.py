"""The output formats of `check`: each is valid by its schema, and opens in a program of its own."""

from __future__ import annotations

import html
import io
import json
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from junitparser import JUnitXml
from lxml import etree
from support.cases import DATA, FIXTURES
from support.command_line import call

from feedcharset import check

SCHEMAS = DATA / "schemas"
REPORT_SCHEMA = FIXTURES.parent / "docs/reference/check-report.schema.json"
FILES = sorted(str(path) for path in (FIXTURES / "findings").glob("*.hit*.xml"))

HOSTILE = '<script>alert(1)</script>"\x1b[31m\u202e</mark>&amp;'


def output(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    call("check", *arguments)
    return capsys.readouterr().out


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A document that holds markup, control characters and a label of them."""
    path = tmp_path / 'a<b>&"\x1b[0m\u202e.xml'
    text = f'<?xml version="1.0" encoding="{HOSTILE[:8]}"?>\n<rss><title>{HOSTILE}\x08 Ã©tÃ©</title></rss>'
    path.write_bytes(text.encode() + b"\xe9")
    return path


def test_json_is_what_the_schema_promises(capsys: pytest.CaptureFixture[str], hostile: Path) -> None:
    schema = json.loads(REPORT_SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    out = output(capsys, "--format", "json", *FILES, hostile, "absent.xml")
    lines = [json.loads(line) for line in out.splitlines()]
    assert len(lines) == len(FILES) + 2
    assert out.isascii()
    for line in lines:
        validator.validate(line)
    assert lines[-1] == {"source": "absent.xml", "error": "No such file or directory"}


def test_sarif_is_valid_by_its_schema(capsys: pytest.CaptureFixture[str], hostile: Path) -> None:
    log = json.loads(output(capsys, "--format", "sarif", *FILES, hostile, "absent.xml"))
    schema = json.loads((SCHEMAS / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(log)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(run["results"]) > len(FILES)
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    assert invocation["toolExecutionNotifications"][0]["message"]["text"].startswith("absent.xml: ")


def test_a_place_in_sarif(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FIXTURES)
    log = json.loads(output(capsys, "--format", "sarif", "findings/c1-control.hit.xml"))
    (place,) = log["runs"][0]["results"][0]["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "findings/c1-control.hit.xml"
    region = place["physicalLocation"]["region"]
    body = Path("findings/c1-control.hit.xml").read_bytes()
    assert (region["byteOffset"], region["byteLength"]) == (body.index(b"\x93"), 1)
    assert region["endColumn"] == region["startColumn"] + 1


@pytest.mark.parametrize("count", [1, 2])
def test_equal_findings_are_counted_in_sarif(count: int) -> None:
    from feedcharset.cli.report_formats import CheckedSource, sarif_log

    body = b"<rss>" + b"&#8; " * count + b"</rss>"
    (result,) = json.loads(sarif_log([CheckedSource("a.xml", check(body))], "warning"))["runs"][0]["results"]
    assert result.get("occurrenceCount") == (count if count > 1 else None)


@pytest.mark.parametrize(
    ("source", "uri"),
    [
        ("a b.xml", "a%20b.xml"),
        ("./a.xml", "a.xml"),
        ("/x/ä.xml", "file:///x/%C3%A4.xml"),
        ("https://example.org/a?b=c", "https://example.org/a?b=c"),
        ("-", "standard-input"),
    ],
)
def test_the_address_of_a_source_in_sarif(source: str, uri: str) -> None:
    from feedcharset import check
    from feedcharset.cli.report_formats import CheckedSource, sarif_log

    log = json.loads(sarif_log([CheckedSource(source, check(b""))], "warning"))
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert location == {"artifactLocation": {"uri": uri}, "region": {"startLine": 1}}


def test_gitlab_is_valid_by_its_schema(capsys: pytest.CaptureFixture[str], hostile: Path) -> None:
    issues = json.loads(output(capsys, "--format", "gitlab", *FILES, hostile, "absent.xml"))
    schema = json.loads((SCHEMAS / "gitlab-code-quality.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(issues)
    fingerprints = [issue["fingerprint"] for issue in issues]
    assert len(set(fingerprints)) == len(fingerprints) > len(FILES)
    assert [one["location"]["path"] for one in issues if one["check_name"] == "unreadable"] == ["absent.xml"]


def test_github_shows_what_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = output(capsys, "--format", "github", "absent.xml").splitlines()
    assert line.startswith("::error title=feedcharset unreadable::absent.xml: ")


@pytest.mark.parametrize("fail_on", ["error", "warning", "info"])
def test_junit_is_valid_and_opens(fail_on: str, capsys: pytest.CaptureFixture[str], hostile: Path) -> None:
    out = output(capsys, "--format", "junit", "--fail-on", fail_on, *FILES, hostile, "absent.xml")
    document = etree.fromstring(out.encode())
    etree.XMLSchema(etree.parse(SCHEMAS / "junit.xsd")).assertValid(document)
    suites = JUnitXml.fromstring(out.encode())
    assert (suites.tests, suites.errors) == (len(FILES) + 2, 1)
    assert suites.failures == len(document.findall(".//failure"))
    assert suites.failures <= len(FILES) + 1


def test_a_source_without_findings_passes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "good.xml"
    path.write_bytes(b"<rss/>")
    suites = JUnitXml.fromstring(output(capsys, "--format", "junit", path).encode())
    assert (suites.tests, suites.failures, suites.errors) == (1, 0, 0)


# -- HTML -------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The elements and the text of a page; fails for an element that is not closed."""

    VOID = ("meta",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_loads_nothing_and_escapes_what_is_hostile(
    capsys: pytest.CaptureFixture[str], hostile: Path
) -> None:
    out = output(capsys, "--format", "html", *FILES, hostile, "absent.xml")
    page = Page(out)
    assert "script" not in page.elements
    assert not any(char in out for char in "\x1b\x08\u202e")
    text = "".join(page.text)
    assert "absent.xml" in text
    assert "<script>alert(1)</script>" in text
    assert page.elements.count("section") == len(FILES) + 2
    assert '<p class="place">line 1, column ' in out


def test_the_page_shows_findings_readings_and_rules(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(b'\xef\xbb\xbf<?xml version="1.0"?>\n<rss>caf\xc3\xa9</rss>')
    out = output(capsys, "--format", "html", "--content-type", "text/xml; charset=ISO-8859-1", path)
    assert "caf<mark>é</mark>&lt;/rss&gt;" in out
    assert '<article class="differs"><h4>RFC 3023</h4><p>reads ISO-8859-1 (rule 2.5): other text than' in out
    assert "charset: ISO-8859-1\n" in html.unescape(out)
    assert "Fix: <code>Content-Type: application/rss+xml; charset=UTF-8</code>" in out


def test_a_page_is_written_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = tmp_path / "feed.xml", tmp_path / "page.html"
    controls = bytes(byte for byte in range(1, 32) if byte not in (9, 10, 13))  # more than are shown
    path.write_bytes(b"<rss>caf\xe9" + controls + b"</rss>")
    assert call("check", "--format", "html", "-o", page, path) == 1
    assert capsys.readouterr() == ("", "")
    assert page.read_text(encoding="utf-8").strip() == output(capsys, "--format", "html", path).strip()


def strange_documents() -> Iterator[tuple[bytes, str | None]]:
    yield b"\xff\xfe" + "<rss>é</rss>".encode("utf-16-le"), None
    yield "<?xml version='1.0' encoding='UTF-16'?><rss>é</rss>".encode("utf-16-be"), "text/xml"
    yield b"<rss>" + b" " * 40_000 + b"\xe9</rss>", "text/xml"
    yield b"<rss>\x1b$B\x24\x22\x1b(B</rss>", "text/xml; charset=iso-2022-jp"
    yield b"", ""
    yield b"<rss/>", ""
    yield b"<rss/>", "application/xml, charset = 'cp-1251'"
    yield b"Lo\xa7\x94" * 20, "text/xml; charset=IBM037"


@pytest.mark.parametrize(("body", "content_type"), [*strange_documents()])
def test_a_page_of_every_document(
    body: bytes, content_type: str | None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(body)))
    options: list[Any] = [] if content_type is None else ["--content-type", content_type]
    page = Page(output(capsys, "--format", "html", *options, "-"))
    text = "".join(page.text)
    assert all(one.message in text for one in check(body, content_type=content_type).findings)


def test_gitlab_names_the_end_of_a_finding() -> None:
    from feedcharset.cli.report_formats import CheckedSource, gitlab_report

    report = check(b"<?xml version='1.0' encoding='UTF-8'?>\n<a>caf\xe9</a>\n<b>\n")
    issues = json.loads(gitlab_report([CheckedSource("feed.xml", report)], "warning"))
    places = [(one["location"]["positions"]["begin"], one["location"]["positions"]["end"]) for one in issues]
    assert places == [
        (
            {"line": one.line or 1, "column": one.column or 1},
            {"line": one.end_line or 1, "column": one.end_column or 1},
        )
        for one in report.findings
    ]
    assert any((one.end_column or 0) > 1 for one in report.findings)
