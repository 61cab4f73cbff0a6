"""JSON, one object a line for each source. Its shape is docs/reference/check-report.schema.json."""

from __future__ import annotations

import json
from typing import Any

from feedcharset.cli.checked_source import CheckedSource
from feedcharset.results.explanation import as_plain

__all__ = ["as_dict", "json_line"]


def as_dict(checked: CheckedSource) -> dict[str, Any]:
    """The report as plain dicts, lists, strings and numbers."""
    report = checked.report
    if report is None:
        return {"source": checked.source, "error": checked.error}
    return {
        "source": checked.source,
        "ok": report.ok,
        "clean": report.clean,
        "findings": as_plain(report.findings),
        "readings": as_plain(report.readings),
        "resolution": as_plain(report.resolution),
    }


def json_line(checked: CheckedSource) -> str:
    """The object, in ASCII."""
    return json.dumps(as_dict(checked))
