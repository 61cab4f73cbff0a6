"""What each kind of consumer reads, held against what `decode` gives that consumer."""

from __future__ import annotations

import io
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support.module_files import module_at

from feedcharset import DecodeError, Reading, ResolutionError, check, decode
from feedcharset.evidence.document_head import sniff_bom
from feedcharset.validate.document_check import compare_readings
from feedcharset.validate.reading_comparison import CONSUMERS

FIXTURES = Path(__file__).parents[2] / "fixtures"


reading_tables = module_at(FIXTURES / "reading.py")
DOCUMENTS = [(row.path.read_bytes(), row.content_type) for row in reading_tables.read_feeds()]
DOCUMENTS += [
    (row.body, row.content_type)
    for row in reading_tables.read_reports()
    if len(row.body) < 300_000 and not row.body.startswith(b"\x1f\x8b")  # decode never unpacks
]
TITLES = "\ufeff<rss>" + "<title>Новости, news\n</title>" * 9 + "</rss>"
OUT_OF_STEP = TITLES.encode("utf-16-le")
DOCUMENTS += [
    *(
        (data[:100] + b"\r" + data[100:], "text/xml")
        for data in map(TITLES.encode, ("utf-32-le", "utf-32-be"))
    ),
    *((data[:100] + data[101:], None) for data in map(TITLES.encode, ("utf-32-le", "utf-32-be"))),
    (OUT_OF_STEP[:100] + OUT_OF_STEP[101:], "text/xml"),
    (OUT_OF_STEP[:100] + OUT_OF_STEP[101:-50] + OUT_OF_STEP[-49:], "text/xml"),
    (OUT_OF_STEP.replace(b"\n\0", b"\r\n\0"), None),
]


def line_and_column(text: str, index: int) -> tuple[int, int]:
    before = text[:index].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def expected(body: bytes, content_type: str | None, policy: str, lenient: str) -> dict[str, Any]:
    """The fields of a reading, by reading the document once for this consumer."""
    options: dict[str, Any] = {"lenient": False, "policy": policy, "declaration": "keep"}
    stop, start = None, sniff_bom(body)[1]
    try:
        text = decode(body, content_type, **options).text
    except ResolutionError:
        return {"outcome": "refuses", "offset": None}
    except DecodeError as error:
        stop = error.offset
        prefix = body[start:stop]
        text = decode(body[:start] + prefix, content_type, **options, errors="replace").text
    common = next((at for at, (a, b) in enumerate(zip(text, lenient, strict=False)) if a != b), None)
    if common is None and stop is None and len(text) != len(lenient):
        common = min(len(text), len(lenient))
    if common is not None and common < len(text):
        return {"outcome": "differs", "position": line_and_column(lenient, common)}
    if stop is not None:
        return {"outcome": "stops", "offset": stop}
    return {"outcome": "same", "offset": None}


def compare(reading: Reading, wanted: dict[str, Any]) -> None:
    assert reading.outcome == wanted["outcome"]
    if "offset" in wanted:
        assert reading.offset == wanted["offset"]
    if "position" in wanted:
        assert (reading.line, reading.column) == wanted["position"]
    assert (reading.offset is None) == (reading.line is None) == (reading.column is None)
    assert bool(reading.why) == (reading.outcome == "refuses")


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.long)])
def test_where_readings_differ_under_a_header_there_is_a_finding(step: int) -> None:
    """However the header names the charset, or seems to."""
    body = '<?xml version="1.0" encoding="ISO-8859-1"?><a>Новости дня: погода в Москве</a>'.encode("cp1251")
    names = ("charset", "encoding", "Encoding", "charset charset", "x-charset", "charsets", "")
    values = ("{}", '"{}"', "'{}'", '"{}', "'{}", '"\\{}"', "{},utf-8", "_{}", "unknown {}", '"charset={}"')
    spellings = [*product(("; ", ","), names, ("=", ":", "==", " = ", "\xa0="), values)][::step]
    silent, differing = [], 0
    for spelling in spellings:
        field = "application/xml" + "".join(spelling).format("windows-1251")
        report = check(body, content_type=field)
        differs = any(reading.outcome != "same" for reading in report.readings)
        differing += differs
        if differs and {finding.severity for finding in report.findings} <= {"info"}:
            silent.append(field)
    assert not silent
    assert differing > 100 // step


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, 8))])
def test_readings_are_what_decode_reads(part: int) -> None:
    compared = 0
    for body, content_type in DOCUMENTS[part::8]:
        report = check(body, content_type=content_type)
        if report.resolution is None or report.resolution.facts.body.start > sniff_bom(body)[1]:
            continue
        lenient = decode(body, content_type, declaration="keep").text
        readings = {reading.consumer: reading for reading in report.readings}
        compare(readings["rfc3023"], expected(body, content_type, "rfc3023", lenient))
        compare(readings["rfc7303"], expected(body, content_type, "rfc7303", lenient))
        compare(readings["no-http"], expected(body, None, "rfc3023", lenient))
        assert readings["lenient"].encoding == report.resolution.encoding
        assert readings["lenient"].outcome == "same"
        compared += 1
    assert compared > 50


def test_there_is_a_reading_for_each_consumer_in_order() -> None:
    report = check(b"<rss/>", content_type="text/xml")
    assert [reading.consumer for reading in report.readings] == [consumer.id for consumer in CONSUMERS]
    assert all(consumer.title for consumer in CONSUMERS)


def test_both_readers_of_text_xml() -> None:
    body = '<?xml version="1.0"?>\n<rss>café</rss>'.encode()
    rfc3023, rfc7303, no_http, lenient = check(body, content_type="text/xml").readings
    assert rfc3023 == Reading("rfc3023", "US-ASCII", "2.1", "stops", "", 30, 2, 9)
    assert rfc7303 == Reading("rfc7303", "UTF-8", "3.6", "same")
    assert no_http == Reading("no-http", "UTF-8", "1.0", "same")
    assert (lenient.encoding, lenient.outcome) == ("UTF-8", "same")


def test_two_strict_readers_that_both_differ_from_the_lenient_one() -> None:
    """Where they first differ from each other is found even when each differs from the lenient text."""
    words = "La clé été, déjà créée – «né». " * 9
    body = f'<?xml version="1.0" encoding="windows-1253"?>\n<rss>{words}</rss>'.encode()
    found = [
        finding
        for finding in check(b"\xef\xbb\xbf" + body, content_type="text/xml; charset=windows-1252").findings
        if finding.code == "policies-differ"
    ]
    assert [finding.offset for finding in found] == [3 + body.index(b"\xc3")]
    found = [
        finding
        for finding in check(body, content_type="text/xml").findings
        if finding.code == "policies-differ"
    ]
    assert [finding.offset for finding in found] == [body.index(b"\xc3")]


def test_the_first_escape_sequence_stands_before_its_character() -> None:
    body = '<?xml version="1.0" encoding="ISO-2022-JP"?>\n<rss>港</rss>'.encode("iso2022_jp")
    found = {finding.code: finding for finding in check(body, content_type="text/xml").findings}
    place = found["policies-differ"]
    assert (place.offset, place.line, place.column) == (body.index(b"\x1b"), 2, 6)


def test_reading_without_findings() -> None:
    """`compare_readings` gives the decision and the readings of `check`."""
    for body, content_type in DOCUMENTS[::29]:
        report = check(body, content_type=content_type, policy="rfc7303")
        comparison = compare_readings(io.BytesIO(body), content_type, "rfc7303")
        if report.resolution is not None:
            assert comparison.resolution == report.resolution
            assert comparison.readings() == report.readings


def test_where_two_policies_differ_is_a_whole_character() -> None:
    """Also where both take another encoding than the bytes are in."""
    texts = "\ufeff<r/>", "\ufeff<r>é</r>", '<?xml version="1.0" encoding="UTF-16"?>\n<rss/>'
    types = "text/xml", "text/xml; charset=ISO-8859-1", "application/xml; charset=windows-1251"
    cases = [*product(("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"), types, texts)]
    cases.append(("utf-32-be", "TEXT/XML; charset=utf-16be", '<?xml version="1.0"?><r>é</r>'))
    seen = set()
    for codec, content_type, text in cases:
        body = text.encode(codec)
        for one in check(body, content_type=content_type).findings:
            if one.code == "policies-differ" and one.offset is not None:  # else one of them refuses it
                seen.add(codec)
                line = text.removeprefix("\ufeff").split("\n")[one.line - 1]
                character = body[one.offset : one.end_offset].decode(codec)
                assert character == line[one.column - 1 : one.end_column - 1], (codec, content_type, text)
    assert len(seen) == 4
