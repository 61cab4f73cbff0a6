"""SARIF 2.1.0 (OASIS), which GitHub code scanning, Azure DevOps and many editors show."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from feedcharset import __version__
from feedcharset.cli.checked_source import CheckedSource
from feedcharset.cli.gitlab_format import fingerprint
from feedcharset.results.explanation import visible
from feedcharset.results.report import Finding
from feedcharset.validate.finding_catalogue import CATALOGUE, FindingKind

__all__ = ["document"]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_INDEX = {kind.code: index for index, kind in enumerate(CATALOGUE)}


def document(checked: Sequence[CheckedSource]) -> str:
    """The log of one run."""
    failed = [one for one in checked if one.report is None]
    run = {
        "tool": {
            "driver": {
                "name": "feedcharset",
                "semanticVersion": __version__,
                "rules": [_rule(kind) for kind in CATALOGUE],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not failed,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": visible(f"{one.source}: {one.error}")}}
                    for one in failed
                ],
            }
        ],
        "results": [_result(one, finding) for one in checked for finding in one.findings],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(kind: FindingKind) -> dict[str, Any]:
    remedy = f"{kind.meaning}\n\nAffects: {kind.affects}\n\nRemedy: {kind.remedy}"
    return {
        "id": kind.code,
        "shortDescription": {"text": kind.meaning.split(". ")[0].rstrip(".") + "."},
        "fullDescription": {"text": kind.meaning},
        "help": {"text": f"{remedy}\n\nSpecification: {kind.spec}" if kind.spec else remedy},
        "defaultConfiguration": {"level": LEVELS[kind.severity]},
    }


def _result(checked: CheckedSource, finding: Finding) -> dict[str, Any]:
    fix = f"\nFix: {finding.fix}" if finding.fix else ""
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(checked)}}
    if finding.offset is not None:
        physical["region"] = _region(finding)
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": _INDEX[finding.code],
        "level": LEVELS[finding.severity],
        "message": {"text": "\n".join(map(visible, f"{finding.message}{fix}".split("\n")))},
        "locations": [{"physicalLocation": physical}],
        "partialFingerprints": {"feedcharset/v1": fingerprint(checked, finding)},
    }
    if finding.count > 1:
        result["occurrenceCount"] = finding.count
    return result


def _region(finding: Finding) -> dict[str, int]:
    assert finding.offset is not None
    assert finding.end_offset is not None
    return {
        "startLine": finding.line or 1,
        "startColumn": finding.column or 1,
        "endLine": finding.end_line or 1,
        "endColumn": finding.end_column or 1,
        "byteOffset": finding.offset,
        "byteLength": finding.end_offset - finding.offset,
    }


def _uri(checked: CheckedSource) -> str:
    """A URL as it is; a path relative to the working folder, or a file: URL."""
    if checked.source == "-":
        return "standard-input"
    if checked.path is None:
        return quote(checked.source, safe=":/?#[]@!$&'()*+,;=%~")
    if os.path.isabs(checked.source):
        return "file://" + quote(f"/{checked.path.lstrip('/')}", safe="/:", errors="surrogateescape")
    return quote(checked.path.removeprefix("./"), errors="surrogateescape")
