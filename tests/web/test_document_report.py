"""What the page shows is what the library says, for every fixture; and without what a browser lacks."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from support.documents import read_feeds
from support.each import each
from support.fixture_documents import fixture_documents
from support.pages import ROOT

from feedcharset import check, decode

BROWSER = ROOT / "web" / "browser"
sys.path.insert(0, str(BROWSER))
from document_report import document_report, repaired_document  # noqa: E402
from page_calls import read_file  # noqa: E402

ROWS = read_feeds()[::7]


@each("row", ROWS, ids=lambda row: f"{row.file} {row.content_type}")
def test_the_report_is_the_library_s(row) -> None:
    body = row.path.read_bytes()
    shown = document_report(body, row.content_type)
    report = check(body, content_type=row.content_type)
    findings = [
        {name: value for name, value in one.items() if name != "bytes"}
        for one in json.loads(json.dumps(shown))["findings"]
    ]
    assert findings == json.loads(json.dumps([finding._asdict() for finding in report.findings]))
    assert (shown["encoding"], shown["title"]) == (row.encoding, row.title)
    assert [one["outcome"] for one in shown["readings"]] == [one.outcome for one in report.readings]
    for one in shown["readings"]:
        if one["outcome"] == "differs":
            assert 0 <= one["caret"] <= len(one["excerpt"])
            assert one["excerpt"]


@each("row", ROWS, ids=lambda row: f"{row.file} {row.content_type}")
def test_the_repaired_copy_is_clean_and_the_same_text(row) -> None:
    body = row.path.read_bytes()
    data, header, clean = repaired_document(body, row.content_type)
    assert clean
    right = decode(body, row.content_type).text
    assert decode(data, header).text.split("?>", 1)[-1] == right.split("?>", 1)[-1]
    again, header_again, _ = repaired_document(data, header)
    assert (again, header_again) == (data, header)


@each(
    "body", [b"", b"\x1f\x8b", b"%PDF-1.7", b"\xff" * 99, b"<", b"<?xml encoding='utf-16'?><a/>", b"<html>"]
)
@each("content_type", [None, "", "text/xml", "text/html; charset=utf-7", "\0"])
def test_any_bytes_have_a_report(body: bytes, content_type: str | None) -> None:
    json.dumps(document_report(body, content_type))
    repaired_document(body, content_type)


@each(
    ("declaration", "new"),
    [
        ('<?xml version="1.0" encoding="windows-1252"\n', '<?xml version="1.0" encoding="UTF-8"?>'),
        ("<?xml version='1.1' encoding='windows-1252' ?\n", '<?xml version="1.1" encoding="UTF-8"?>'),
        ("<?xml version='1.0' encoding='windows-1252\n", '<?xml version="1.0" encoding="UTF-8"?>'),
        ("<?xml version='1.0' encoding='windows-1252'/>", '<?xml version="1.0" encoding="UTF-8"?>'),
        ("<?xml version='1.0' encoding='windows-1252' \"\" -->", '<?xml version="1.0" encoding="UTF-8"?>'),
        ("<?xml encoding=windows-1252?>", '<?xml version="1.0" encoding="UTF-8"?>'),
        (
            "<?xml version='1.0' encoding='windows-1252' standalone='yes' >",
            '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
        ),
    ],
)
def test_a_declaration_that_is_not_closed_takes_nothing_with_it(declaration: str, new: str) -> None:
    document = '<rss version="2.0"><channel><title>café “x”</title></channel></rss>'
    data, header, clean = repaired_document(f"{declaration}{document}".encode("cp1252"), None)
    assert (data.decode(), header, clean) == (new + document, "application/rss+xml; charset=utf-8", True)


@each("size", [None, 60])
def test_gzip_is_read_as_what_it_holds(size: int | None) -> None:
    """Also where it is cut off: as much as there is."""
    document = (
        '<?xml version="1.0" encoding="UTF-8"?><rss><channel><title>Žižkov</title></channel></rss>'.encode()
    )
    body = gzip.compress(document)[:size]
    shown = document_report(body, None)
    assert (shown["encoding"], shown["text"][:5]) == ("UTF-8", "<?xml")
    assert shown["title"] == ("" if size else "Žižkov")
    data = repaired_document(body, None)[0]
    assert data == document if size is None else document.startswith(data) and len(data) > 9


@each(
    ("text", "type_"),
    [
        (
            '<!-- was <rss version="0.9"> --><feed xmlns="http://www.w3.org/2005/Atom"/>',
            "application/atom+xml",
        ),
        ('<!DOCTYPE feed [<!ENTITY r "<rss ">]><feed/>', "application/atom+xml"),
        ("<opml><body><rss/></body></opml>", "application/xml"),
        (f"<!-- {'x' * 4100} --><rss version='2.0'/>", "application/rss+xml"),
        ("<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>", "application/rdf+xml"),
    ],
)
def test_the_type_of_the_copy_is_that_of_the_root(text: str, type_: str) -> None:
    assert repaired_document(text.encode(), None)[1] == f"{type_}; charset=utf-8"


@each("codec", ["utf-16-le", "utf-32-be"])
def test_what_is_full_of_nuls_is_no_document(codec: str) -> None:
    assert not document_report("abc <rss><title>cafe</title></rss>".encode(codec), None)["is_document"]
    assert document_report("<rss><title>cafe</title></rss>".encode(codec), None)["is_document"]


@each(
    ("text", "title"),
    [
        (
            "<rss><channel><title><![CDATA[ A & B ]]></title><item><title>C</title></item></channel></rss>",
            "A & B",
        ),
        ("<rss><!-- <title>no</title> --><title>A &amp; B</title></rss>", "A & B"),
        ("<rss><title/><item><title type='text'>C</title></item></rss>", "C"),
        (" " * 16 * 1024 + "<title>far</title>", ""),
        ("<!--" * 5000, ""),
    ],
)
def test_the_title_is_the_first_one(text: str, title: str) -> None:
    assert document_report(text.encode(), None)["title"] == title


def test_a_text_for_the_publisher() -> None:
    letter = document_report(b'<?xml version="1.0" encoding="ISO-8859-1"?><rss>\xc5\xbd</rss>', "text/xml")[
        "letter"
    ]
    assert "Content-Type: text/xml" in letter
    assert "Change to: <?xml" in letter
    assert "1. The declaration names 'ISO-8859-1', but the bytes are UTF-8 (line 1, " in letter
    assert document_report("<rss>Ž</rss>".encode(), "application/rss+xml; charset=utf-8")["letter"] == ""
    assert letter.startswith(
        "Your feed (it is sent with Content-Type: text/xml) is shown with wrong characters"
    )
    alike = document_report(b"<rss>\x01\x02</rss>", "application/rss+xml")["letter"]
    assert "has faults for which XML parsers refuse it. Please change:" in alike
    alike = document_report(b"<rss>caf&#146;</rss>", "application/rss+xml")["letter"]
    assert "(it is sent with Content-Type: application/rss+xml) has faults. Please change:" in alike
    found = b'\n<?xml version="1.0" encoding="UTF-8"?><rss>x</rss>'
    assert "   How: remove 1 byte at offset 0\n" in document_report(found, None)["letter"]
    assert document_report(b"\x89PNG\r\n\x1a\n", None)["letter"] == ""


@each(
    ("body", "changed"),
    [
        (b'\n<?xml version="1.0"?><a/>', 0),
        (b'\xef\xbb\xbf\xef\xbb\xbf<?xml version="1.0"?><a/>', 0),
        (b'<?xml version="1.0"?><a>x\x08y\xef\xbf\xbf</a>', 2),
        (b"<rss>a & b</rss>", 0),
        (b'<?xml encoding="UTF-8" version="1.0"?><rss/>', 0),
        (b"<?xml version='1.0' encoding=UTF-8?><rss/>", 0),
        ("<?xml version='1.0' standalone='maybe'?><rss/>".encode("utf-16"), 0),
        (b'{"error": 1}', 0),
        (b"<?xml version='1.1'?><rss>&#8;</rss>", 0),
    ],
)
def test_a_document_that_xml_parsers_refuse(body: bytes, changed: int) -> None:
    """Though the encoding is right. Each character that is replaced in the copy is counted."""
    with pytest.raises(etree.XMLSyntaxError):
        etree.fromstring(body)
    report = document_report(body, "application/xml")
    outcomes = {one["consumer"]: one["outcome"] for one in report["readings"]}
    assert outcomes.pop("lenient") == "same"
    assert set(outcomes.values()) == {"refuses"}
    assert report["changed"] == changed == repaired_document(body, None)[0].count(b"\xef\xbf\xbd")


@each("body", [b"<?xml version='1.1'?><rss>a\x7fb</rss>", b"<rss>caf&#146;</rss>", b"<rss/>"])
def test_a_document_that_xml_parsers_accept(body: bytes) -> None:
    etree.fromstring(body)
    report = document_report(body, "application/rss+xml")
    assert {one["outcome"] for one in report["readings"]} == {"same"}


def test_the_bytes_of_a_finding_are_shown() -> None:
    body = b'<?xml version="1.0" encoding="UTF-8"?><rss>caf\xe9</rss>'
    (shown,) = [
        one["bytes"] for one in document_report(body, None)["findings"] if one["code"] == "undecodable"
    ]
    assert shown["parts"][1] == "E9"
    assert body[shown["start"] :].hex(" ").upper().startswith(" ".join(shown["parts"][:2]))


WITHOUT = """
import json, sys
ABSENT = {"lxml", "requests", "urllib3", "click", "rich", "pyarrow", "_ssl", "ssl"}

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"{name} is not in the browser")

sys.meta_path.insert(0, Absent())
import importlib.util
find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in ABSENT else find_spec(name, package)
sys.path.insert(0, sys.argv[1])
from page_calls import check_document, read_file, repair_document
for line in sys.stdin:
    path, content_type = json.loads(line)
    body, *_ = read_file(open(path, "rb").read())
    repair_document(body, content_type)
    print(check_document(body, content_type))
assert not ABSENT & sys.modules.keys()
"""


def test_a_reader_that_reads_another_text_of_what_parsers_refuse() -> None:
    body = '<?xml version="1.0" encoding="ISO-8859-1"?><rss><title>é</title>'.encode()
    *readings, lenient = document_report(body, "application/rss+xml")["readings"]
    assert [one["outcome"] for one in readings] == ["differs"] * 3
    assert all(one["why"].startswith("XML parsers refuse the document") for one in readings)
    assert not lenient["why"]


@each("before", ["", " ", "\n", "\r\n \n"])
def test_what_a_reader_shows_where_white_space_stands_before_the_declaration(before: str) -> None:
    """Lenient reading has none of it."""
    body = f'{before}<?xml version="1.0" encoding="windows-1250"?>\n<rss>Příliš</rss>'.encode("cp1250")
    shown = document_report(body, "text/xml; charset=ISO-8859-1")["readings"][0]
    assert shown["excerpt"][shown["caret"] :].startswith("øíli")


@each(
    ("body", "type_"),
    [
        (b'<feed xmlns="http://www.w3.org/2005/Atom"/>', "application/atom+xml"),
        ("<?xml version='1.0' encoding='UTF-16'?><feed/>".encode("utf-16"), "application/atom+xml"),
        (b"<rss/>", "application/rss+xml"),
        (b"<a/>", "application/rss+xml"),
        (b"", "application/rss+xml"),
        (b"\x1f\x8b\x08broken", None),
        (gzip.compress(b"<rss/>"), None),  # a file, as on the command line
    ],
)
def test_a_file_is_sent_with_the_type_of_its_root(body: bytes, type_: str | None) -> None:
    assert read_file(body)[2] == type_
    assert not any("format" in one["code"] for one in document_report(body, type_)["findings"])


@each("body", [b'{"title":"x"}', b"text", b"3C 61 3E"])
def test_text_without_markup_is_no_document(body: bytes) -> None:
    report = document_report(body, "application/rss+xml")
    assert not report["is_document"]
    assert report["letter"] == ""


@pytest.mark.long
def test_the_page_reports_what_the_library_reports_and_needs_nothing_that_a_browser_lacks(
    tmp_path: Path,
) -> None:
    """For each third fixture, where lxml, requests and click cannot be imported; expat judges the markup."""
    limit = "findings/parser-limit.hit.xml"  # of libxml2, which expat does not have
    documents = [one for one in list(fixture_documents())[::3] if one.name != limit]
    asked = []
    for number, document in enumerate(documents):
        path = tmp_path / f"{number}.xml"
        path.write_bytes(document.body)
        asked.append(json.dumps([str(path), document.content_type]))
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(BROWSER)],
        input="\n".join(asked).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    found = list(map(json.loads, done.stdout.decode().split("\n")[:-1]))
    assert len(found) == len(documents) > 500
    for document, shown in zip(documents, found, strict=True):
        assert comparable(shown) == comparable(document_report(document.body, document.content_type)), (
            document.name
        )


def comparable(report: dict[str, Any]) -> dict[str, Any]:
    """A report without the words of the parser that judged the markup, and its column."""
    report = json.loads(json.dumps(report))
    for finding in report["findings"]:
        if finding["code"] == "not-well-formed":
            finding.update(dict.fromkeys(finding.keys() - {"code", "severity", "line"}))
            report["letter"] = ""
    return report
