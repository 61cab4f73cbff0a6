"""JUnit's XML, which every CI server shows: a test case for each source."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from feedcharset.cli.checked_source import FAILING, CheckedSource
from feedcharset.results.explanation import counted, visible
from feedcharset.results.report import Finding

__all__ = ["document"]


def document(checked: Sequence[CheckedSource], fail_on: str) -> str:
    """One test suite. A source fails by the findings that make the exit code 1; other findings are output."""
    failures = sum(one.fails(fail_on) for one in checked)
    errors = sum(one.report is None for one in checked)
    numbers = {"tests": str(len(checked)), "failures": str(failures), "errors": str(errors)}
    suites = Element("testsuites", {"name": "feedcharset check", **numbers})
    suite = SubElement(suites, "testsuite", {"name": "feedcharset check", **numbers})
    for one in checked:
        case = SubElement(suite, "testcase", {"classname": "feedcharset", "name": visible(one.source)})
        _case(case, one, fail_on)
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode")


def _case(case: Element, checked: CheckedSource, fail_on: str) -> None:
    if checked.report is None:
        SubElement(case, "error", {"message": visible(checked.error), "type": "unreadable"})
        return
    failing = [finding for finding in checked.findings if finding.severity in FAILING[fail_on]]
    if failing:
        message = f"{counted(len(failing), 'finding')}: {', '.join(finding.code for finding in failing)}"
        failure = SubElement(case, "failure", {"message": message, "type": failing[0].code})
        failure.text = "\n".join(map(_line, failing))
    other = [finding for finding in checked.findings if finding not in failing]
    if other:
        SubElement(case, "system-out").text = "\n".join(map(_line, other))


def _line(finding: Finding) -> str:
    place = "" if finding.offset is None else f" line {finding.line}, column {finding.column}"
    fix = f" (fix: {finding.fix})" if finding.fix else ""
    return visible(f"{finding.severity} {finding.code}{place}: {finding.message}{fix}")
