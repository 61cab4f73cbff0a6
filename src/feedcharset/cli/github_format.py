"""Annotations of GitHub Actions: workflow commands, which appear beside the line in a pull request.

In a message `%`, CR and LF are escaped, in a property `:` and `,` too, as the runner expects it
(actions/toolkit, packages/core/src/command.ts).
"""

from __future__ import annotations

from collections.abc import Iterator

from feedcharset.cli.checked_source import CheckedSource
from feedcharset.results.explanation import visible
from feedcharset.results.report import Finding

__all__ = ["annotation_lines"]

LEVELS = {"error": "error", "warning": "warning", "info": "notice"}
"""GitHub's word for each severity."""


def annotation_lines(checked: CheckedSource) -> Iterator[str]:
    """A line for each finding."""
    for finding in checked.findings:
        properties = ",".join(f"{name}={_property(value)}" for name, value in _properties(checked, finding))
        message = finding.message if checked.path else f"{checked.source}: {finding.message}"
        parts = [message, f"fix: {finding.fix}"] if finding.fix else [message]
        text = "%0A".join(_data(part) for part in parts)
        yield f"::{LEVELS[finding.severity]} {properties}::{text}"


def _properties(checked: CheckedSource, finding: Finding) -> Iterator[tuple[str, str]]:
    if checked.path:
        yield "file", checked.path
        if finding.line is not None:
            yield "line", str(finding.line)
            yield "endLine", str(finding.end_line)
            yield "col", str(finding.column)
            yield "endColumn", str(finding.end_column)
    yield "title", f"feedcharset {finding.code}"


def _data(text: str) -> str:
    """The value of a command. Control characters are escaped for people before."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
