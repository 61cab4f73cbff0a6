"""A source that was checked, and the findings of it that are wanted."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import NamedTuple

from feedcharset.results.report import Finding, Report
from feedcharset.validate.finding_catalogue import CATALOGUE
from feedcharset.validate.reading_comparison import ReadingComparison

__all__ = ["FAILING", "SUFFIXES", "CheckedSource", "counts", "files_of", "known_codes", "selected"]

FAILING = {
    "error": ("error",),
    "warning": ("error", "warning"),
    "info": ("error", "warning", "info"),
}
"""The severities that make the exit code 1, by the value of --fail-on."""

SUFFIXES = (".xml", ".rss", ".atom", ".rdf", ".opml")
"""The files of a folder that are checked, by the end of their names."""


class CheckedSource(NamedTuple):
    """One source, with its report or the reason why there is none."""

    source: str
    """As the command line names it; for a file of a folder its path."""
    report: Report | None
    error: str = ""
    """Why it could not be read."""
    view: ReadingComparison | None = None
    """The readings, for the format that shows them."""

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


def known_codes(names: Iterable[str]) -> tuple[str, ...]:
    """The codes that the names select: a name is a code, or the first words of codes ("rule", "label").

    Raises:
        ValueError: a name selects nothing.
    """
    codes = []
    for name in names:
        found = [kind.code for kind in CATALOGUE if f"{kind.code}-".startswith(f"{name}-")]
        if not found:
            near = get_close_matches(name, [kind.code for kind in CATALOGUE], 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"no finding has the code {name!r}{hint}")
        codes += found
    return tuple(codes)


def selected(report: Report, select: tuple[str, ...], ignore: tuple[str, ...]) -> Report:
    """The report with the findings that are selected and not ignored; () selects all."""
    found = tuple(
        finding
        for finding in report.findings
        if (not select or finding.code in select) and finding.code not in ignore
    )
    return report._replace(findings=found)


def counts(checked: Iterable[CheckedSource]) -> Counter[str]:
    """How many findings of each severity."""
    found: Counter[str] = Counter()
    for one in checked:
        for finding in one.findings:
            found[finding.severity] += finding.count
    return found


def files_of(source: str) -> Iterator[str]:
    """The source itself; for a folder the XML files in it, sorted, without hidden files and folders."""
    if source == "-" or "://" in source or not os.path.isdir(source):
        yield source
        return
    for folder, folders, files in os.walk(source):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.lower().endswith(SUFFIXES) and not name.startswith("."):
                yield os.path.join(folder, name)
