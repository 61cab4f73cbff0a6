"""GitLab's code quality report: the artifact `codequality`, which a merge request shows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from feedcharset.cli.checked_source import CheckedSource
from feedcharset.results.explanation import visible
from feedcharset.results.report import Finding

__all__ = ["document", "fingerprint"]

SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}
"""GitLab's word for each severity."""


def document(checked: Sequence[CheckedSource]) -> str:
    """The report: an array with an object for each finding."""
    return json.dumps([_issue(one, finding) for one in checked for finding in one.findings], indent=2)


def _issue(checked: CheckedSource, finding: Finding) -> dict[str, Any]:
    fix = f" (fix: {finding.fix})" if finding.fix else ""
    begin = {"line": finding.line or 1, "column": finding.column or 1}
    end = {"line": finding.end_line or 1, "column": finding.end_column or 1}
    path = checked.path.removeprefix("./") if checked.path else checked.source
    return {
        "description": visible(finding.message + fix),
        "check_name": finding.code,
        "fingerprint": fingerprint(checked, finding),
        "severity": SEVERITIES[finding.severity],
        "location": {"path": visible(path), "positions": {"begin": begin, "end": end}},
    }


def fingerprint(checked: CheckedSource, finding: Finding) -> str:
    """The same for the same finding in the same source, wherever it stands; no two findings share one.

    Equal findings are one finding, so the code and the message distinguish them.
    """
    text = "\0".join((checked.path or checked.source, finding.code, finding.message))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
