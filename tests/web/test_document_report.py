"""What the page shows is what the library says, for every fixture; and without what a browser lacks."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from support.documents import read_feeds
from support.pages import ROOT

from feedcharset import check, decode

BROWSER = ROOT / "web" / "browser"
sys.path.insert(0, str(BROWSER))
from document_report import document_report, repaired_document  # noqa: E402

ROWS = read_feeds()[::7]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.file} {row.content_type}")
def test_the_report_is_the_library_s(row) -> None:
    body = row.path.read_bytes()
    shown = document_report(body, row.content_type)
    report = check(body, content_type=row.content_type)
    assert json.loads(json.dumps(shown))["findings"] == json.loads(
        json.dumps([finding._asdict() for finding in report.findings])
    )
    assert (shown["encoding"], shown["title"]) == (row.encoding, row.title)
    assert [one["outcome"] for one in shown["readings"]] == [one.outcome for one in report.readings]
    for one in shown["readings"]:
        if one["outcome"] == "differs":
            assert 0 <= one["caret"] <= len(one["excerpt"])
            assert one["excerpt"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.file} {row.content_type}")
def test_the_repaired_copy_is_clean_and_the_same_text(row) -> None:
    body = row.path.read_bytes()
    data, header, clean = repaired_document(body, row.content_type)
    assert clean
    right = decode(body, row.content_type).text
    assert decode(data, header).text.split("?>", 1)[-1] == right.split("?>", 1)[-1]
    again, header_again, _ = repaired_document(data, header)
    assert (again, header_again) == (data, header)


@pytest.mark.parametrize(
    "body", [b"", b"\x1f\x8b", b"%PDF-1.7", b"\xff" * 99, b"<", b"<?xml encoding='utf-16'?><a/>", b"<html>"]
)
@pytest.mark.parametrize("content_type", [None, "", "text/xml", "text/html; charset=utf-7", "\0"])
def test_any_bytes_have_a_report(body: bytes, content_type: str | None) -> None:
    json.dumps(document_report(body, content_type))
    repaired_document(body, content_type)


WITHOUT = """
import sys
ABSENT = {"lxml", "requests", "urllib3", "ftfy", "click", "rich", "pyarrow", "_ssl", "ssl"}

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ABSENT:
            raise ImportError(f"{name} is not in the browser")

sys.meta_path.insert(0, Absent())
sys.path.insert(0, sys.argv[1])
from page_calls import check_document, read_file, repair_document
import json
for path, content_type in json.load(sys.stdin):
    body, _ = read_file(open(path, "rb").read())
    check_document(body, content_type)
    repair_document(body, content_type)
assert not ABSENT & sys.modules.keys()
"""


def test_nothing_is_imported_that_a_browser_lacks() -> None:
    """`check` and `decode` work where lxml, requests, ftfy, click and rich cannot be imported."""
    documents = json.dumps([(str(row.path), row.content_type) for row in ROWS])
    subprocess.run([sys.executable, "-c", WITHOUT, str(BROWSER)], input=documents.encode(), check=True)
