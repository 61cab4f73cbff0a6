"""What findings promise: a fix is true, silence is true, and correct documents are left alone.

The whole, with thousands of documents, is `python tests/check_promises.py`; here is a sample of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

from support.cases import FIXTURES
from support.finding_promises import Document, broken_fixes, broken_honesty, broken_silence
from support.fixture_documents import fixture_documents
from support.labelled_documents import labelled_documents

from feedcharset import Report, check

SAMPLE = 600
"""Generated documents."""


@cache
def documents() -> list[tuple[Document, Report]]:
    """The documents and their reports."""
    chosen = [*labelled_documents(SAMPLE), *fixture_documents()]
    return [(document, check(document.body, content_type=document.content_type)) for document in chosen]


def broken() -> Iterator[str]:
    """A sentence for each promise that is broken."""
    for document, report in documents():
        for promise in (broken_fixes, broken_silence, broken_honesty):
            yield from promise(document, report)


def test_promises() -> None:
    """A fix is true, silence is true, correct documents are left alone; and there is something to promise."""
    assert not list(broken())
    reports = [report for _, report in documents()]
    assert sum(1 for report in reports for finding in report.findings if finding.fix) > 1000
    assert sum(report.clean for report in reports) > 100
    assert sum(document.right for document, _ in documents()) > 100


def test_severities_are_pinned() -> None:
    """A severity is changed on purpose, here too."""
    pinned = json.loads((FIXTURES.parent / "tests/data/finding_severities.json").read_text(encoding="utf-8"))
    from feedcharset.validate.finding_catalogue import CATALOGUE

    assert {kind.code: kind.severity for kind in CATALOGUE} == pinned
