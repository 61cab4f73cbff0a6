"""The reports of `check` in each format: for people, and what CI servers and editors show.

text     each finding with its line, a caret and the fix; what each consumer reads
html     a page: the findings, what each kind of consumer reads, and the decision
json     one object a line for each source; its shape is docs/reference/check-report.schema.json
github   annotations of GitHub Actions: workflow commands, shown beside the line in a pull request
gitlab   GitLab's code quality report: the artifact `codequality`, which a merge request shows
junit    JUnit's XML, which every CI server shows: a test case for each source
sarif    SARIF 2.1.0 (OASIS), which GitHub code scanning, Azure DevOps and many editors show
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, NamedTuple
from unicodedata import combining, east_asian_width
from urllib.parse import quote, urlsplit
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from feedcharset import __version__
from feedcharset.results.explanation import as_plain, counted, visible
from feedcharset.results.report import Finding, Report
from feedcharset.validate.finding_catalogue import CATALOGUE, KINDS, NOT_PARSED, FindingKind
from feedcharset.validate.reading_comparison import describe_reading

FAILING = {"error": ("error",), "warning": ("error", "warning"), "info": ("error", "warning", "info")}
"""The severities that make the exit code 1, by the value of --fail-on."""

GITHUB_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}
GITLAB_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}
SARIF_LEVELS = {"error": "error", "warning": "warning", "info": "note"}

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

StyledLine = list[tuple[str, str]]
"""A line for `terminal.show`: styles and texts."""


class CheckedSource(NamedTuple):
    """One source, with its report or the reason why there is none."""

    source: str
    """As the command line names it; for a file of a folder its path."""
    report: Report | None
    error: str = ""
    """Why it could not be read."""
    sent_by: str | None = None
    """The address of a URL after redirects."""

    @property
    def path(self) -> str | None:
        """The path of a file, with / between its parts; None for a URL and for standard input."""
        if self.source == "-" or "://" in self.source:
            return None
        return self.source.replace(os.sep, "/")

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings; () where there is no report."""
        return self.report.findings if self.report is not None else ()

    def fails(self, fail_on: str) -> bool:
        """Return True where a finding makes the exit code 1."""
        return any(finding.severity in FAILING[fail_on] for finding in self.findings)

    def fingerprint(self, finding: Finding) -> str:
        """The same for the same finding in the same source, wherever it stands; no two findings share one.

        Equal findings are one finding, so the code and the message distinguish them.
        """
        text = "\0".join((self.path or self.source, finding.code, finding.message))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# -- text -------------------------------------------------------------------------------------------------

# A static file by its name. With another dot it may be a program all the same: /feed.php/rss.xml, rss.php.xml
# (Apache looks at each extension). What needs an escape in a URL or in a configuration is none.
_STATIC_FILE = re.compile(
    r"(?!.*cgi)/(?:[A-Za-z0-9_~-]{1,100}/){0,10}[A-Za-z0-9_~-]{1,100}\.(?:xml|rss|atom|rdf|opml|feed)", re.I
)
_SAFE_VALUE = re.compile(r"[A-Za-z0-9/+.;=_ -]{1,200}")


def text_report(checked: CheckedSource, *, quiet: bool) -> Iterator[StyledLine]:
    """The findings, each with its line, a caret and the fix, and what each consumer reads; if `quiet` the
    findings alone, and nothing for a source without any."""
    report = checked.report
    if report is None or (quiet and not report.findings):
        return
    yield [("heading", visible(checked.source))]
    shown: set[str] = set()
    for finding in report.findings:
        yield from _text_finding(finding)
        if finding.fix in shown:
            yield [("key", "    fix: as above")]
        elif finding.fix:
            shown.add(finding.fix)
            yield [("key", "    fix: "), ("answer", visible(finding.fix))]
            if finding.fix_kind == "content-type":
                for line in server_settings(finding.fix, checked.sent_by or checked.source):
                    yield [("key", "    "), ("", line)]
    if not report.findings:
        yield [("answer", "  nothing found")]
    if quiet:
        return
    readings = report.readings
    refused = any(finding.code in NOT_PARSED for finding in report.findings)
    if len({reading.encoding for reading in readings}) == 1 and {one.outcome for one in readings} == {"same"}:
        encoding = visible(str(readings[0].encoding))
        but = ", but XML parsers refuse the document" if refused else ""
        yield [("key", "  read as "), ("", encoding), ("key", f" by the rules of every consumer{but}")]
    elif readings:
        yield [("key", "  read by:")]
        for title, text in map(describe_reading, readings):
            yield [("key", f"    {title}: "), ("", visible(text))]
        if refused:
            yield [("key", "  XML parsers refuse the document, whatever its encoding is")]


def _text_finding(finding: Finding) -> Iterator[StyledLine]:
    place = "" if finding.offset is None else f" {place_of(finding)}"
    yield [("", "  "), (finding.severity, finding.severity), ("", f" {finding.code}"), ("place", place)]
    times = f" ({finding.count:,} times)" if finding.count > 1 and " more)" not in finding.message else ""
    yield [("", f"    {visible(finding.message)}{times}"), ("key", f"  {finding.spec}")]
    if finding.excerpt:
        before, found, after = (visible(part.replace("\t", " ")) for part in excerpt_parts(finding))
        yield [("", f"      {before}{found}{after}")]
        yield [("place", " " * (6 + _cells(before)) + "^" * max(1, _cells(found)))]


def place_of(finding: Finding) -> str:
    """Where a finding stands that has an offset."""
    return f"line {finding.line}, column {finding.column} (byte {finding.offset})"


def excerpt_parts(finding: Finding) -> tuple[str, str, str]:
    """The line around a finding: what stands before the place, the place, and what stands behind it."""
    end = len(finding.excerpt)
    if finding.line == finding.end_line and finding.column is not None and finding.end_column is not None:
        end = finding.caret + finding.end_column - finding.column
    return finding.excerpt[: finding.caret], finding.excerpt[finding.caret : end], finding.excerpt[end:]


def _cells(text: str) -> int:
    """Columns of a terminal that a text takes (UAX #11: wide and full-width characters take two)."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def server_settings(header: str, source: str) -> list[str]:
    """Where a Content-Type is set: in nginx and Apache for a static file, else in the program.

    For a program's address these settings would send its source.
    """
    value = header.removeprefix("Content-Type: ")
    if not _SAFE_VALUE.fullmatch(value):
        return []
    is_url = "://" in source
    path = urlsplit(source).path if is_url else "/" + re.split(r"[/\\]", source)[-1]
    if (is_url and re.search("[?#]", source)) or not _STATIC_FILE.fullmatch(path):
        if path.lower().endswith(".php"):
            return [f"PHP:    header('{header}');"]
        return ["sent by the program that makes the document, or by its server"]
    its_path = "" if is_url or path[1:] == source else f" (its path there may not be {path})"
    return [
        f"for a file that the server sends as it is{its_path}:",
        f'nginx:  location = {path} {{ types {{ }} default_type "{value}"; }}',
        f'Apache: <Files "{path.rpartition("/")[2]}">',
        f'          ForceType "{value}"',
        "        </Files>",
    ]


def _with_fix(finding: Finding) -> str:
    """The message and the fix, where they stand in one line."""
    return visible(f"{finding.message} (fix: {finding.fix})" if finding.fix else finding.message)


def summary(checked: Sequence[CheckedSource]) -> str:
    """One line for all sources that have a report."""
    found: Counter[str] = Counter()
    for one in checked:
        for finding in one.findings:
            found[finding.severity] += finding.count
    sources = _number(sum(one.report is not None for one in checked), "source")
    return f"{sources}: {', '.join(_number(found[name], name) for name in FAILING)}"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def explanation(code: str) -> Iterator[StyledLine]:
    """The page of a finding: what it means, whom it affects, what to do."""
    kind = KINDS[code]
    yield [(kind.severity, kind.severity), ("heading", f" {kind.code}")]
    rows = (
        ("Message", re.sub(r"{(\w+)}", lambda found: f"[{found[1].replace('_', ' ')}]", kind.message)),
        ("Meaning", kind.meaning),
        ("Affects", kind.affects),
        ("Remedy", kind.remedy),
        (f"Why {kind.severity}", kind.severity_reason),
        ("Specification", kind.spec),
    )
    for name, text in rows:
        if text:
            yield [("key", f"  {name}: "), ("", text)]


# -- JSON -------------------------------------------------------------------------------------------------


def json_line(checked: CheckedSource) -> str:
    """One object, in ASCII."""
    report = checked.report
    if report is None:
        return json.dumps({"source": checked.source, "error": checked.error})
    plain = {"source": checked.source, "ok": report.ok, "clean": report.clean} | as_plain(report)
    return json.dumps(plain)


# -- GitHub -----------------------------------------------------------------------------------------------


def annotation_lines(checked: CheckedSource) -> Iterator[str]:
    """A line for each finding; one for a source that cannot be read.

    In a message `%`, CR and LF are escaped, in a property `:` and `,` too, as the runner expects it
    (actions/toolkit, packages/core/src/command.ts).
    """
    if checked.report is None:
        yield f"::error title=feedcharset unreadable::{_escaped(f'{checked.source}: {checked.error}')}"
    for finding in checked.findings:
        properties: dict[str, object] = {}
        if checked.path:
            properties["file"] = checked.path.removeprefix("./")  # as GitHub names the files of a change
            if finding.line is not None:
                properties |= {"line": finding.line, "endLine": finding.end_line}
                properties |= {"col": finding.column, "endColumn": finding.end_column}
        properties["title"] = f"feedcharset {finding.code}"
        named = ",".join(
            f"{name}={_escaped(str(value)).replace(':', '%3A').replace(',', '%2C')}"
            for name, value in properties.items()
        )
        message = finding.message if checked.path else f"{checked.source}: {finding.message}"
        parts = [message, f"fix: {finding.fix}"] if finding.fix else [message]
        yield f"::{GITHUB_LEVELS[finding.severity]} {named}::{'%0A'.join(map(_escaped, parts))}"


def _escaped(text: str) -> str:
    """The value of a command. Control characters are escaped for people before."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


# -- GitLab -----------------------------------------------------------------------------------------------


def gitlab_report(checked: Sequence[CheckedSource], fail_on: str) -> str:
    """An array with an object for each finding, and for each source that cannot be read."""
    issues = []
    for one in checked:
        path = visible(one.path.removeprefix("./") if one.path else one.source)
        found = list(one.findings)
        if one.report is None:
            found.append(Finding("unreadable", "error", visible(one.error)))
        for finding in found:
            begin = {"line": finding.line or 1, "column": finding.column or 1}
            end = {"line": finding.end_line or 1, "column": finding.end_column or 1}
            issue = {
                "description": _with_fix(finding),
                "check_name": finding.code,
                "fingerprint": one.fingerprint(finding),
                "severity": GITLAB_SEVERITIES[finding.severity],
                "location": {"path": path, "positions": {"begin": begin, "end": end}},
            }
            issues.append(issue)
    return json.dumps(issues, indent=2)


# -- JUnit ------------------------------------------------------------------------------------------------


def junit_report(checked: Sequence[CheckedSource], fail_on: str) -> str:
    """One test suite. A source fails by the findings that make the exit code 1; other findings are output."""
    failures = sum(one.fails(fail_on) for one in checked)
    errors = sum(one.report is None for one in checked)
    numbers = {"tests": str(len(checked)), "failures": str(failures), "errors": str(errors)}
    suites = Element("testsuites", {"name": "feedcharset check", **numbers})
    suite = SubElement(suites, "testsuite", {"name": "feedcharset check", **numbers})
    for one in checked:
        case = SubElement(suite, "testcase", {"classname": "feedcharset", "name": visible(one.source)})
        if one.report is None:
            SubElement(case, "error", {"message": visible(one.error), "type": "unreadable"})
            continue
        failing = [finding for finding in one.findings if finding.severity in FAILING[fail_on]]
        if failing:
            message = f"{counted(len(failing), 'finding')}: {', '.join(finding.code for finding in failing)}"
            failure = SubElement(case, "failure", {"message": message, "type": failing[0].code})
            failure.text = "\n".join(map(_junit_line, failing))
        if other := [finding for finding in one.findings if finding not in failing]:
            SubElement(case, "system-out").text = "\n".join(map(_junit_line, other))
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode")


def _junit_line(finding: Finding) -> str:
    place = "" if finding.offset is None else f" line {finding.line}, column {finding.column}"
    return visible(f"{finding.severity} {finding.code}{place}: ") + _with_fix(finding)


# -- SARIF ------------------------------------------------------------------------------------------------


def sarif_log(checked: Sequence[CheckedSource], fail_on: str) -> str:
    """The log of one run."""
    failed = [visible(f"{one.source}: {one.error}") for one in checked if one.report is None]
    notifications = [{"level": "error", "message": {"text": text}} for text in failed]
    driver = {
        "name": "feedcharset",
        "semanticVersion": __version__,
        "rules": [_sarif_rule(kind) for kind in CATALOGUE],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not failed, "toolExecutionNotifications": notifications}],
        "results": [_sarif_result(one, finding) for one in checked for finding in one.findings],
    }
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _sarif_rule(kind: FindingKind) -> dict[str, Any]:
    remedy = f"{kind.meaning}\n\nAffects: {kind.affects}\n\nRemedy: {kind.remedy}"
    return {
        "id": kind.code,
        "shortDescription": {"text": kind.meaning.split(". ")[0].rstrip(".") + "."},
        "fullDescription": {"text": kind.meaning},
        "help": {"text": f"{remedy}\n\nSpecification: {kind.spec}" if kind.spec else remedy},
        "defaultConfiguration": {"level": SARIF_LEVELS[kind.severity]},
    }


def _sarif_result(checked: CheckedSource, finding: Finding) -> dict[str, Any]:
    fix = f"\nFix: {finding.fix}" if finding.fix else ""
    region = {"startLine": 1}  # GitHub requires one, also for the whole document
    if finding.offset is not None and finding.end_offset is not None:
        region = {
            "startLine": finding.line or 1,
            "startColumn": finding.column or 1,
            "endLine": finding.end_line or 1,
            "endColumn": finding.end_column or 1,
            "byteOffset": finding.offset,
            "byteLength": finding.end_offset - finding.offset,
        }
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": list(KINDS).index(finding.code),
        "level": SARIF_LEVELS[finding.severity],
        "message": {"text": "\n".join(map(visible, f"{finding.message}{fix}".split("\n")))},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(checked)}, "region": region}}],
        "partialFingerprints": {"feedcharset/v1": checked.fingerprint(finding)},
    }
    return result | ({"occurrenceCount": finding.count} if finding.count > 1 else {})


def _uri(checked: CheckedSource) -> str:
    """A URL as it is; a path relative to the working folder, or a file: URL."""
    if checked.source == "-":
        return "standard-input"
    if checked.path is None:
        return quote(checked.source, safe=":/?#[]@!$&'()*+,;=%~")
    if os.path.isabs(checked.source):
        return "file://" + quote(f"/{checked.path.lstrip('/')}", safe="/:", errors="surrogateescape")
    return quote(checked.path.removeprefix("./"), errors="surrogateescape")


def html_page(checked: Sequence[CheckedSource], fail_on: str) -> str:
    """The page for all sources. Text from outside is escaped; it has no script, and loads nothing."""
    from importlib.resources import files

    names = "feedcharset check" if len(checked) != 1 else f"feedcharset: {_html(checked[0].source)}"
    page, style = (
        files("feedcharset.cli").joinpath(name).read_text(encoding="utf-8")
        for name in ("html_page.html", "html_style.css")
    )
    return page.format(
        title=names,
        style=style,
        summary=summary(checked),
        sections="\n".join("\n".join(_html_section(one)) for one in checked),
        version=__version__,
    )


def _html(value: str) -> str:
    """Outside text for HTML: control characters, bidirectional controls and surrogates are escaped."""
    return escape(visible(value))


def _html_section(checked: CheckedSource) -> Iterator[str]:
    yield f"<section><h2>{_html(checked.source)}</h2>"
    report = checked.report
    if report is None:
        yield f'<p class="error">{_html(checked.error)}</p>'
    else:
        yield "<h3>Findings</h3>"
        for finding in report.findings:
            yield from _html_finding(finding)
        if not report.findings:
            yield "<p>Nothing found.</p>"
        if report.resolution is not None:
            yield '<h3>What each consumer reads</h3><div class="consumers">'
            for reading in report.readings:
                title, what = map(_html, describe_reading(reading))
                yield f'<article class="{reading.outcome}"><h4>{title}</h4><p>{what}</p></article>'
            decision = "\n".join(map(_html, report.resolution.explain().splitlines()))
            yield f"</div><h3>The decision</h3><pre>{decision}</pre>"
    yield "</section>"


def _html_finding(finding: Finding) -> Iterator[str]:
    times = f", {finding.count:,} times" if finding.count > 1 else ""
    yield f'<article class="{finding.severity}"><h4>{finding.severity}: <code>{finding.code}</code></h4>'
    yield f"<p>{_html(finding.message)}</p>"
    if finding.offset is not None:
        yield f'<p class="place">{place_of(finding)}{times}</p>'
    if finding.excerpt:
        before, found, after = map(_html, excerpt_parts(finding))
        yield f"<pre>{before}<mark>{found}</mark>{after}</pre>"
    if finding.fix:
        yield f"<p>Fix: <code>{_html(finding.fix)}</code></p>"
    if finding.spec:
        yield f'<p class="spec">{_html(finding.spec)}</p>'
    yield "</article>"
