"""A report as text for people: each finding with its line, a caret and the fix; what each consumer reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import combining, east_asian_width
from urllib.parse import urlsplit

from feedcharset.cli.checked_source import FAILING, CheckedSource, counts
from feedcharset.cli.terminal import show
from feedcharset.results.explanation import visible
from feedcharset.results.report import Finding, Reading
from feedcharset.validate.finding_catalogue import finding_kind
from feedcharset.validate.reading_comparison import describe_reading

__all__ = ["explanation", "print_report", "server_settings", "summary"]

Line = list[tuple[str, str]]

_HEADER = "Content-Type: "
_SAFE_PATH = re.compile(r"/(?:[A-Za-z0-9._~-]{1,100}/){0,10}[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,100}")
_SAFE_VALUE = re.compile(r"[A-Za-z0-9/+.;=_ -]{1,200}")


def print_report(checked: CheckedSource, *, first: bool, quiet: bool) -> None:
    """Print the findings, each with its line, a caret and the fix, and what each consumer reads.

    Args:
        checked: a source with a report.
        first: it is the first source.
        quiet: print the findings alone; nothing for a source without any.
    """
    report = checked.report
    if report is None or (quiet and not report.findings):
        return
    lines: list[Line] = [] if first else [[("", "")]]
    lines.append([("heading", visible(checked.source))])
    lines += _findings(checked)
    if not report.findings:
        lines.append([("answer", "  nothing found")])
    if not quiet:
        lines += _readings(report.readings)
    show(*lines)


def _readings(readings: tuple[Reading, ...]) -> Iterator[Line]:
    encodings = {reading.encoding for reading in readings}
    if len(encodings) == 1 and all(reading.outcome == "same" for reading in readings):
        yield [("key", "  read by every consumer as "), ("", visible(str(readings[0].encoding)))]
    elif readings:
        yield [("key", "  read by:")]
        for title, text in map(describe_reading, readings):
            yield [("key", f"    {title}: "), ("", visible(text))]


def _findings(checked: CheckedSource) -> Iterator[Line]:
    shown: set[str] = set()
    for finding in checked.findings:
        yield from _finding(finding)
        if finding.fix in shown:
            yield [("key", "    fix: as above")]
        elif finding.fix:
            shown.add(finding.fix)
            yield [("key", "    fix: "), ("answer", visible(finding.fix))]
            if finding.fix_kind == "content-type":
                for line in server_settings(finding.fix, checked.source):
                    yield [("key", "    "), ("", line)]


def _finding(finding: Finding) -> Iterator[Line]:
    place = ""
    if finding.offset is not None:
        place = f" line {finding.line}, column {finding.column} (byte {finding.offset})"
    yield [("", "  "), (finding.severity, finding.severity), ("", f" {finding.code}"), ("place", place)]
    times = f" ({finding.count:,} times)" if finding.count > 1 and " more)" not in finding.message else ""
    yield [("", f"    {visible(finding.message)}{times}"), ("key", f"  {finding.spec}")]
    if finding.excerpt:
        before = visible(finding.excerpt[: finding.caret].replace("\t", " "))
        after = visible(finding.excerpt[finding.caret :].replace("\t", " "))
        yield [("", f"      {before}{after}")]
        yield [("place", " " * (6 + _cells(before)) + "^" * _marked(finding))]


def _marked(finding: Finding) -> int:
    """Columns of a terminal that the place takes in the excerpt."""
    rest = finding.excerpt[finding.caret :]
    if finding.line == finding.end_line and finding.column is not None and finding.end_column is not None:
        rest = rest[: finding.end_column - finding.column]
    return max(1, _cells(visible(rest.replace("\t", " "))))


def _cells(text: str) -> int:
    """Columns of a terminal that a text takes (UAX #11: wide and full-width characters take two)."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def server_settings(header: str, source: str) -> list[str]:
    """The settings of nginx and Apache that send a Content-Type; [] where that is not safe to spell."""
    value = header.removeprefix(_HEADER)
    if not _SAFE_VALUE.fullmatch(value):
        return []
    path = urlsplit(source).path if "://" in source else "/" + re.split(r"[/\\]", source)[-1]
    if source == "-" or not _SAFE_PATH.fullmatch(path):
        path = "/feed.xml"
    return [
        f'nginx:  location = {path} {{ types {{ }} default_type "{value}"; }}',
        f'Apache: <Files "{path.rpartition("/")[2]}">',
        f'          ForceType "{value}"',
        "        </Files>",
    ]


def summary(checked: Sequence[CheckedSource]) -> str:
    """One line for all sources that have a report."""
    found = counts(checked)
    parts = [_number(found[name], name) for name in FAILING]
    return f"{_number(sum(one.report is not None for one in checked), 'source')}: {', '.join(parts)}"


def explanation(code: str) -> Iterator[Line]:
    """The page of a finding: what it means, whom it affects, what to do."""
    kind = finding_kind(code)
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


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
