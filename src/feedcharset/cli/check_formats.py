"""The formats of a report: text, JSON, and annotations of GitHub Actions."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any
from unicodedata import combining, east_asian_width
from urllib.parse import urlsplit

import click

from feedcharset.cli.terminal import show
from feedcharset.results.display import as_plain, visible
from feedcharset.validate.consumers import describe_reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from feedcharset.results.report import Finding, Report

__all__ = ["annotate", "as_dict", "print_report", "server_settings", "summary"]

Line = list[tuple[str, str]]

_HEADER = "Content-Type: "
_SAFE_PATH = re.compile(r"/(?:[A-Za-z0-9._~-]{1,100}/){0,10}[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,100}")
_SAFE_VALUE = re.compile(r"[A-Za-z0-9/+.;=_ -]{1,200}")

ANNOTATIONS = {"error": "error", "warning": "warning", "info": "notice"}
"""GitHub's word for each severity."""


# -- text -------------------------------------------------------------------------------------------------


def print_report(source: str, report: Report, *, first: bool) -> None:
    """Print the findings, each with its line and a caret under the position, and what each consumer reads."""
    lines: list[Line] = [] if first else [[("", "")]]
    lines.append([("heading", visible(source))])
    shown: set[str] = set()
    for finding in report.findings:
        lines += _finding(finding)
        if finding.fix and finding.fix.startswith(_HEADER) and finding.fix not in shown:
            shown.add(finding.fix)
            lines += [[("key", "    "), ("", line)] for line in server_settings(finding.fix, source)]
    if not report.findings:
        lines.append([("answer", "  nothing found")])
    if report.readings:
        lines.append([("key", "  read by:")])
        described = (describe_reading(reading) for reading in report.readings)
        lines += [[("key", f"    {title}: "), ("", visible(text))] for title, text in described]
    show(*lines)


def _finding(finding: Finding) -> Iterator[Line]:
    place = ""
    if finding.offset is not None:
        place = f" line {finding.line}, column {finding.column} (byte {finding.offset})"
    yield [("", "  "), (finding.severity, finding.severity), ("", f" {finding.code}"), ("place", place)]
    yield [("", f"    {visible(finding.message)}"), ("key", f"  {finding.spec}")]
    if finding.excerpt:
        before = visible(finding.excerpt[: finding.caret].replace("\t", " "))
        after = visible(finding.excerpt[finding.caret :].replace("\t", " "))
        yield [("", f"      {before}{after}")]
        yield [("place", " " * (6 + _cells(before)) + "^")]
    if finding.fix:
        yield [("key", "    fix: "), ("answer", visible(finding.fix))]


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


def summary(reports: Sequence[Report]) -> str:
    """One line for all sources."""
    counts: Counter[str] = Counter()
    for report in reports:
        for finding in report.findings:
            counts[finding.severity] += finding.count
    parts = [_number(counts[name], name) for name in ANNOTATIONS]
    return f"{_number(len(reports), 'source')}: {', '.join(parts)}"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


# -- JSON -------------------------------------------------------------------------------------------------


def as_dict(report: Report) -> dict[str, Any]:
    """The report as plain dicts, lists, strings and numbers."""
    return {
        "ok": report.ok,
        "findings": as_plain(report.findings),
        "readings": as_plain(report.readings),
        "resolution": as_plain(report.resolution),
    }


# -- GitHub Actions ---------------------------------------------------------------------------------------


def annotate(source: str, report: Report) -> None:
    """Print a workflow command for each finding.

    In a message `%`, CR and LF are escaped, in a property `:` and `,` too, as the runner expects it
    (actions/toolkit, packages/core/src/command.ts).
    """
    in_repository = source != "-" and "://" not in source
    for finding in report.findings:
        properties = [("file", source)] if in_repository else []
        if finding.line is not None and in_repository:
            properties += [("line", str(finding.line)), ("col", str(finding.column))]
        properties.append(("title", f"feedcharset {finding.code}"))
        parts = [finding.message if in_repository else f"{source}: {finding.message}"]
        if finding.fix:
            parts.append(f"fix: {finding.fix}")
        listed = ",".join(f"{name}={_property(value)}" for name, value in properties)
        message = "%0A".join(_data(part) for part in parts)
        click.echo(f"::{ANNOTATIONS[finding.severity]} {listed}::{message}")


def _data(text: str) -> str:
    """The value of a command. Control characters are escaped for people before."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
