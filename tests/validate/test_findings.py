"""Every finding: a document that has it, a near miss that has not; and no reproach to a correct feed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest
import urllib3
from lxml import etree
from support.each import each
from support.finding_promises import parsed
from support.module_files import module_at

from feedcharset import Finding, check, decode
from feedcharset.decide.published_tables import POLICIES
from feedcharset.decide.strict_decision import ERRORS, tables
from feedcharset.results.explanation import counted
from feedcharset.results.report import Severity
from feedcharset.validate import well_formedness
from feedcharset.validate.finding_catalogue import CATALOGUE, KINDS
from feedcharset.validate.parser_labels import EXPAT

FIXTURES = Path(__file__).parents[2] / "fixtures"


class Row(NamedTuple):
    """A row of findings.jsonl."""

    code: str
    near: bool
    what: str
    file: str
    content_type: str | None
    policy: str
    count: int = 0
    offset: int | None = None
    line: int | None = None
    column: int | None = None
    fix: str | None = None
    content_encoding: str | None = None

    def check(self, **options: Any) -> list[Finding]:
        """The findings of its code."""
        source: Any = FIXTURES / self.file
        if self.content_encoding is not None:
            headers = {"Content-Encoding": self.content_encoding}
            source = urllib3.HTTPResponse(BytesIO(source.read_bytes()), headers, 200, preload_content=False)
        report = check(source, content_type=self.content_type, policy=self.policy, **options)
        return [finding for finding in report.findings if finding.code == self.code]


def rows() -> Iterator[Row]:
    with (FIXTURES / "findings.jsonl").open(encoding="utf-8") as file:
        for line in file:
            yield Row(**json.loads(line))


ROWS = list(rows())
HITS = [row for row in ROWS if not row.near]
NEAR = [row for row in ROWS if row.near]


FEEDS = module_at(FIXTURES / "reading.py").read_feeds()
CORRECT = [row for row in FEEDS if row.mode == "both"]


@each("row", HITS, ids=lambda row: row.file[9:-4])
def test_a_document_that_has_the_finding(row: Row) -> None:
    found = row.check()
    assert len(found) == row.count
    first = found[0]
    assert (first.offset, first.line, first.column, first.fix) == (row.offset, row.line, row.column, row.fix)
    kind = KINDS[row.code]
    assert (first.severity, first.spec) == (kind.severity, kind.spec)
    assert "{" not in first.message


@each("row", NEAR, ids=lambda row: row.file[9:-4])
def test_a_document_that_nearly_has_it(row: Row) -> None:
    assert row.check() == []


def test_each_finding_has_both_documents() -> None:
    codes = {kind.code for kind in CATALOGUE}
    assert {row.code for row in HITS} == {row.code for row in NEAR} == codes
    assert {row.file for row in ROWS} == {
        f"findings/{path.name}" for path in (FIXTURES / "findings").iterdir()
    }


def test_the_documents_are_what_the_script_writes() -> None:
    for name, data in module_at(FIXTURES / "make_findings.py").build().items():
        assert (FIXTURES / name).read_bytes() == data, name


def test_each_row_that_is_an_error_is_a_finding() -> None:
    rows = [row for policy in POLICIES for table in tables(policy) for row in table]
    assert {f"rule-{row.id}" for row in rows if row.then in ERRORS} <= {kind.code for kind in CATALOGUE}


def test_the_catalogue_says_everything() -> None:
    assert len({kind.code for kind in CATALOGUE}) == len(CATALOGUE)
    for kind in CATALOGUE:
        assert kind.severity in get_args(Severity)
        assert all(kind[:7]), kind.code
        assert kind.spec or kind.code == "mojibake"


@each("policy", POLICIES)
@each("row", CORRECT, ids=lambda row: f"{row.file[6:-4]}-{row.content_type}", every=3)
def test_a_correct_feed_is_not_reproached(row: Any, policy: str) -> None:
    report = check(row.path, content_type=row.content_type, policy=policy)
    results = parsed(row.path.read_bytes(), None) | parsed(row.path.read_bytes(), row.content_type)
    alone = next(reading for reading in report.readings if reading.consumer == "no-http")
    read = {result.text for result in results.values()}
    allowed = {"encoding-unsupported"} if None in read or len(read) > 1 else set()
    allowed |= {"file-differs"} if alone.outcome != "same" else set()
    assert {finding.code for finding in report.findings if finding.severity != "info"} <= allowed
    assert report.ok
    assert report.resolution is not None
    assert report.resolution.encoding == row.encoding


@pytest.mark.parametrize(
    ("label", "charset"),
    [("utf8", "UTF-8"), ("UTF-8", "utf8"), ("latin1", "ISO-8859-1"), ("ISO-8859-1", "latin1")],
)
def test_an_alias_is_no_disagreement(label: str, charset: str) -> None:
    codec = "latin-1" if label in ("latin1", "ISO-8859-1") else "utf-8"
    body = f'<?xml version="1.0" encoding="{label}"?><rss><t>caf\xe9</t></rss>'.encode(codec)
    report = check(body, content_type=f"application/rss+xml; charset={charset}")
    assert {finding.code for finding in report.findings} <= {"label-unregistered", "encoding-unsupported"}


@each("row", HITS, ids=lambda row: row.file[9:-4])
def test_the_caret_stands_under_the_place(row: Row) -> None:
    body = (FIXTURES / row.file).read_bytes()
    for finding in row.check():
        assert finding.caret <= len(finding.excerpt)
        if finding.code in ("forbidden-character", "mojibake", "forbidden-reference", "c1-control"):
            byte = body[finding.offset] if finding.offset is not None else 0
            char = finding.excerpt[finding.caret]
            assert ord(char) == byte or byte > 0x7F


def test_all_up_to_the_limit_and_then_a_count() -> None:
    different = b"".join(bytes([byte]) + b"\n" for byte in range(1, 8))
    body = b'<?xml version="1.0"?><rss>' + different + b"</rss>"
    for limit in (0, 1, 5, 6, 7, 100):
        found = check(body, limit=limit).findings
        assert [finding.count for finding in found] == ([1] * min(limit, 7) + [7 - limit] * (limit < 7))
        assert [finding.line for finding in found] == list(range(1, len(found) + 1))
        assert ("more)" in found[-1].message) == (7 - limit > 1)


def test_equal_findings_are_one_with_a_count() -> None:
    found = check(b'<?xml version="1.0" encoding="UTF-8"?>\n<rss>' + b"caf\xe9 " * 40 + b"</rss>").findings
    assert [finding.code for finding in found] == ["encoding-unnamed", "undecodable"]
    assert [finding.count for finding in found] == [1, 40]
    assert [finding.fix_kind for finding in found] == ["unknown-encoding", None]
    assert found[1].offsets == tuple(range(47, 47 + 5 * 40, 5))
    assert (found[1].offset, found[1].end_offset) == (47, 48)
    assert (found[1].line, found[1].column, found[1].end_line, found[1].end_column) == (2, 9, 2, 10)


MEANT = [
    b"\xe9",
    b"\xee",
    b"\xc3",
    b"\xe2\x80",
    b"\x94",
    b"\xf0\x9f\x98",
    b"\xed\xa0\xbd\xed\xb8\x80",
    b"\xe9\xe9",
]


@each("before", ["a ", "a", "é", "«"])
@each("after", [b" x", b"</a>", b"...", b"x"])
@each("stray", MEANT, every=2)
def test_the_fix_of_an_undecodable_byte_is_what_lenient_reading_gives(
    stray: bytes, before: str, after: bytes
) -> None:
    """None where that is U+FFFD, as for the beginning of a character that was cut off, or may be one: other
    characters of the document begin with the byte."""
    opening = "<a>" + "été à " * 9 + before
    body = opening.encode() + stray + after
    read = decode(body).text.removeprefix(opening).removesuffix(after.decode())
    found = next(one for one in check(body).findings if one.code == "undecodable")
    unknown = "\ufffd" in read or stray[:1] in opening.encode()
    assert (found.fix_kind, found.fix) == ((None, None) if unknown else ("replace", read))


@each(
    ("stray", "fix"),
    [
        (b"L\x80\x99\xc3\xa9t\xc3\xa9", None),  # `L’été` without the first byte of `’`
        (b"\xa9cole", None),  # `École`
        (b"caf\xa9", None),
        (b"\x9d dit-il", None),
        (b"Bravo \xed\xa0\xbd", None),  # half an emoji
        (b"Bravo \xed\xb8\x80", None),
        (b"\xcd\xd3\xc8", None),  # a word in windows-1256
        (b"\xcd\xd3", "ÍÓ"),
        (b"\xa9 2026", "©"),
        (b"\xaecole", "®"),  # no character of the document ends so
        (b"l\x92heure", "’"),
        (b"dit\x85\x94", "…”"),
        (b"na\xefve", "ï"),
        (b"na\xc3ve", None),  # it begins `ï`, too
    ],
)
def test_what_may_be_a_part_of_a_character_has_no_fix(stray: bytes, fix: str | None) -> None:
    opening = "<a>déjà vu, été, forêt, garçon, élève, Noël ".encode()
    found = [one for one in check(opening + stray + b"</a>").findings if one.code == "undecodable"]
    assert [one.fix for one in found] == [fix]
    found = [one for one in check(stray + opening + b"</a>").findings if one.code == "undecodable"]
    assert fix is not None or [one.fix for one in found] == [None]  # at the beginning, too


def test_findings_that_are_counted_together_have_no_fix_of_the_first() -> None:
    body = "<a>cafÃ©, garÃ§on, forÃªt, NoÃ«l</a>".encode()
    assert [one.fix for one in check(body, limit=1).findings] == ["é", None]
    assert [one.fix for one in check(body, limit=3).findings] == ["é", "ç", "ê", "ë"]


@each(("stray", "fix"), [(b"\xe9", "é"), (b"\xb8", None), (b"\xa9", None)])
@each("tag", ["<caf{}>", "</caf{}s>", "<x:{}"])
def test_a_sign_that_no_name_can_hold_is_no_fix_in_one(tag: str, stray: bytes, fix: str | None) -> None:
    begin, end = tag.encode().split(b"{}")
    body = b"<a>" + "été à ".encode() * 9 + begin + stray + end + b"</a>"
    assert next(one.fix for one in check(body).findings if one.code == "undecodable") == fix, body


def test_a_document_without_a_label_has_few_examples_of_undecodable_bytes() -> None:
    words = "Новости и погода, мост откроют к ноябрю, обещает мэрия города".encode("koi8-r")
    found = check(b"<rss>" + words + b"</rss>", detector=None).findings
    assert [finding.code for finding in found] == ["encoding-unnamed"] + ["undecodable"] * 6
    assert sum(finding.count for finding in found) == 11
    assert found[-1].message.endswith("(and 4 more)")


def test_further_occurrences_are_counted_without_being_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feedcharset.validate.finding_catalogue.COMPARED", 5)
    found = check(b"<rss>" + b"\x01\x02" * 10 + b"</rss>").findings
    assert sum(finding.count for finding in found) == 20
    found = check(b"<rss>" + b"\x01\x02" * 10 + b"</rss>", limit=1).findings
    assert [finding.count for finding in found] == [3, 17]
    found = check(b"<rss>" + b"&#1;&#2;" * 10 + b"</rss>").findings
    assert sum(finding.count for finding in found) == 20


@each("row", HITS, ids=lambda row: row.file[9:-4])
def test_a_place_has_an_end(row: Row) -> None:
    for finding in row.check():
        if finding.offset is None:
            assert finding.end_offset is finding.end_line is finding.end_column is None
        else:
            assert finding.end_offset is not None
            assert finding.end_line is not None
            assert finding.end_column is not None
            assert finding.offset < finding.end_offset
            start, end = (finding.line, finding.column), (finding.end_line, finding.end_column)
            assert start <= end
            assert finding.offsets[0] == finding.offset


def test_what_concerns_the_whole_document_comes_first() -> None:
    body = b'<?xml version="1.0" encoding="latin1"?><rss>\x08 caf\xe9 \x93</rss>'
    found = check(body, content_type="text/xml").findings
    assert [finding.code for finding in found if finding.offset is None] == ["text-xml-without-charset"]
    positions = [finding.offset for finding in found if finding.offset is not None]
    assert positions == sorted(positions)
    assert found[0].offset is None


def test_ok_is_about_errors() -> None:
    assert check(b"<rss/>").ok
    assert check(b"<rss/>", content_type="text/xml").ok
    assert not check(b"<rss/>", content_type="text/html").ok


def test_the_label_to_send_is_that_of_what_is_written() -> None:
    """windows-1252 under ISO-8859-1 is not mended by a header that says ISO-8859-1."""
    body = b'<?xml version="1.0" encoding="ISO-8859-1"?><rss>\x93caf\xe9\x94</rss>'
    fixes = {finding.fix for finding in check(body, content_type="text/xml").findings}
    assert fixes == {
        "Content-Type: application/rss+xml; charset=windows-1252",
        '<?xml version="1.0" encoding="windows-1252"?>',
    }
    found = check(body.replace(b"\x93", b"\x81").replace(b"\x94", b"")).findings
    assert [(finding.code, finding.fix_kind) for finding in found] == [("c1-control", "unknown-encoding")]
    # Polish in windows-1257: in windows-1252 it would be `Úwiæto Niepodlegùoúci`.
    polish = "Święto Niepodległości: tłumy na ulicach</t><t>Książka roku wybrana przez czytelników"
    polish = body.replace(b"caf\xe9", f"<t>{polish}</t>".encode("cp1257"))
    found = check(polish).findings
    assert {finding.fix_kind for finding in found} == {"unknown-encoding"}


def codes(body: bytes, content_type: str | None = None, **options: Any) -> list[str]:
    return [finding.code for finding in check(body, content_type=content_type, **options).findings]


def test_a_declaration_without_anything() -> None:
    assert codes(b"<?xml?><rss/>") == ["declaration-grammar"]
    assert codes(b"<?XML-a b?><rss/>") == []  # an instruction with a reserved name


def test_an_external_entity_is_no_document() -> None:
    """A DTD has no root, and its declaration no version (XML 1.0 §4.3.1)."""
    body = b'<?xml encoding="ISO-8859-1"?>\n<!ENTITY a "\xe9">\n'
    for content_type in ("application/xml-dtd", "application/xml-external-parsed-entity"):
        assert codes(body, content_type) == []
        assert codes(b"text &a;", f"{content_type}; charset=utf-8") == []
        assert codes(b"<a/><b/>", content_type) == []
    assert codes(body, "application/xml") == ["declaration-grammar", "not-well-formed"]


def test_a_label_is_judged_even_where_utf8_has_the_least_damage() -> None:
    """Nothing fits these data: what the label cannot read is reported, and UTF-8 is not called plain."""
    body = b'<?xml version="1.0" encoding="Shift_JIS"?><rss>\xff\xfd \xa0 caf\xe9 \xc3\xa9</rss>'
    assert "plainly-utf-8" not in codes(body)
    assert {finding.message for finding in check(body).findings} >= {"FF FD is not Shift_JIS"}


def test_a_label_stands_where_the_document_has_it() -> None:
    body = b'<?xml version="1.0" encoding="latin1" standalone="yes"?><rss/>'
    found = check(body, content_type="text/xml; charset=UTF-8").findings
    assert [(finding.code, finding.column) for finding in found] == [("charset-and-declaration", 31)]


def test_no_fix_with_a_character_that_the_encoding_lacks() -> None:
    """What windows-874 or windows-1252 has at these bytes is no character of TIS-620."""
    for byte in (0x81, 0x85, 0x93, 0xA0, 0xDB, 0xFF):
        title = "ข่าววันนี้ ".encode("tis-620") * 20
        body = b'<?xml version="1.0" encoding="TIS-620"?><rss>' + title + bytes([byte]) + b"</rss>"
        for finding in check(body).findings:
            assert finding.fix_kind != "replace"


def test_what_repair_converts_is_said() -> None:
    """Where nothing names the encoding, but UTF-8 with stray bytes is the best reading."""
    body = b"<?xml version='1.0' encoding='UTF-8'?><rss>"
    body += ("<p>déjà vu là-bas été</p>" * 3).encode() + "<p>déjà vu là-bas été</p>".encode("latin-1") * 3
    for text, named in ((b"</rss>", True), ("Погода на завтра</rss>".encode("cp1251"), False)):
        (finding,) = (one for one in check(body + text).findings if one.code == "encoding-unnamed")
        assert finding.fix_kind == "unknown-encoding"
        assert ("`feedcharset repair`" in str(finding.fix)) == named


@each(
    ("page", "meant"),
    [
        *(("cp1252", "grün"), ("cp1252", "торт"), ("cp1252", "it’s")),
        *(("cp1250", "księga"), ("cp1250", "řeka"), ("cp1250", "тр"), ("cp1250", "–")),
        *(("cp1251", "небо"), ("cp1253", "αθήνα"), ("mac_roman", "été"), ("mac_roman", "–")),
        *(
            ("cp1251", "välj"),
            ("cp437", "العربية"),
            ("cp437", "été"),
            ("cp437", "řeka"),
            ("cp437", "торт"),
            ("cp437", "‘’ →•"),
        ),
    ],
)
def test_mojibake_of_each_page(page: str, meant: str) -> None:
    """Each by one letter or word alone: what is searched first differs."""
    findings = check(f"<a>{meant.encode().decode(page)}</a>".encode()).findings
    assert {finding.code for finding in findings} == {"mojibake"}
    assert all(str(finding.message).split("'")[3] in meant for finding in findings)


BIG_ENDIAN = "<a>x</a>".encode("utf-16-be")
RUSSIAN = "Привет мир новости дня"
ONE_FAULT: list[tuple[bytes, str | None, str]] = [
    # The BOM shows the encoding: the label alone is wrong.
    (
        b"\xfe\xff" + BIG_ENDIAN,
        "application/xml; charset=utf-8",
        "file-differs bom-and-charset policies-differ",
    ),
    (
        BIG_ENDIAN,
        "application/xml; charset=utf-8",
        "file-differs utf-16-without-bom octets-contradict-label",
    ),
    (b"\xef\xbb\xbf<a>x</a>", "application/xml; charset=utf-16be", "rule-2.2"),
    # Whether parsers know the encoding is no question where it is not known.
    (
        b"<?xml version='1.0' encoding='euc-jp'?><a>" + RUSSIAN.encode("cp1251") + b"</a>",
        None,
        "encoding-unnamed undecodable",
    ),
    ("<a>Grüße aus Köln</a>".encode("cp273"), None, "encoding-unnamed octets-contradict-label"),
    ("<a>x</a>".encode("utf-32"), None, "encoding-obscure encoding-unsupported"),
    (b'<!DOCTYPE a [<!ENTITY e "%p;">]><a/>', None, "not-well-formed"),
    (b"<!DOCTYPE a [<!ENTITY e 'x%p;'>]><a/>", None, "not-well-formed"),
    (b"<!DOCTYPE a [%p;]><a/>", None, "undeclared-entity"),
    ("<a>x</a>".encode("utf-16"), None, ""),
    # An escape sequence that directly follows another one.
    *(
        (
            b'<?xml version="1.0" encoding="ISO-2022-JP"?><a>'
            + b"x" * size
            + "今日".encode("iso2022_jp") * 2
            + b"</a>",
            None,
            "encoding-unsupported undecodable",
        )
        for size in (1, 400_000)
    ),
    # A control, or a line end, in the two-byte set: parsers refuse it, and no conversion is certain.
    *(
        (
            b'<?xml version="1.0" encoding="ISO-2022-JP"?><a>\x1b$B'
            + b"El" * pairs
            + control
            + b"5~\x1b(B</a>",
            None,
            "encoding-unsupported undecodable",
        )
        for control in (b"\x01", b"\n")
        for pairs in (1, 200_000)
    ),
]


@each(("body", "content_type", "codes"), ONE_FAULT)
def test_one_fault_is_not_named_twice(body: bytes, content_type: str | None, codes: str) -> None:
    found = [one.code for one in check(body, content_type=content_type).findings]
    assert list(dict.fromkeys(found)) == codes.split()


@each(
    ("body", "content_type", "message"),
    [
        (
            b"\xfe\xff" + BIG_ENDIAN,
            "application/xml; charset=utf-16be",
            "consumers that follow RFC 3023 refuse it (rule 2.2); "
            "consumers that follow RFC 7303 take UTF-16BE (rule 3.0)",
        ),
        (
            b"\xef\xbb\xbf" + "<?xml version='1.0'?><a/>".encode("utf-16-be"),
            "application/xml; charset=utf-8",
            "a parser of the saved file refuses it (rule 1.3)",
        ),
        (
            b"<?xml version='1.0' encoding='koi8-r'?><a/>",
            "text/xml",
            "text/xml without a charset is US-ASCII by RFC 3023, and KOI8-R by RFC 7303",
        ),
        (
            b'<?xml version="1.0" encoding="ISO-2022-JP"?><a/>',
            "application/xml",
            f"the declaration names 'ISO-2022-JP', which {EXPAT} cannot read",
        ),
        (
            "\ufeff<a/>".encode("utf-32-le"),
            "application/xml",
            f"the document is in UTF-32LE, which {EXPAT} cannot read",
        ),
        (
            b"<?xml version='1.0' encoding='windows-1252'?><a>"
            + "<i>naïve’s “été” ñandú’ €5</i>".encode() * 3
            + "<i>café déjà vu</i>".encode("cp1252") * 3
            + b"</a>",
            "application/xml",
            "the document mixes UTF-8 with windows-1252: 30 UTF-8 sequences, 9 runs of other bytes",
        ),
        (
            b'<?xml version="1.0" encoding="UTF-16"?><a/>',
            "application/xml",
            "the label is UTF-16, but the bytes are ASCII-compatible",
        ),
        (
            "<a/>".encode("utf-16-le"),
            "application/xml",
            "without a label this is UTF-8, but the bytes are UTF-16LE",
        ),
        (
            b"\n<?xml version='1.0'?><a/>",
            "application/xml",
            "white space, or a second BOM, stands before the XML declaration",
        ),
        (
            b"\xef\xbb\xbf\xef\xbb\xbf<a/>",
            "application/xml",
            "a BOM that is text stands before the root element",
        ),
        (
            b"<?xml?><a/>",
            "application/xml",
            "the XML declaration is out of grammar: the version is missing",
        ),
        *(
            (
                f"<?xml version='1.0'{space}encoding='{label}'?><a/>".encode(),
                "application/xml",
                "the XML declaration is out of grammar: it does not end in its first 4,096 characters",
            )
            for space, label in ((" " * 5_000, "UTF-8"), (" ", "UTF-8" * 1_000))
        ),
    ],
)
def test_who_reads_a_document(body: bytes, content_type: str, message: str) -> None:
    found = check(body, content_type=content_type, policy="rfc7303").findings
    assert message in [one.message for one in found]


@each(
    ("body", "content_type"),
    [
        (b"plain", "text/plain"),
        (b"plain caf\xe9", "application/rss+xml; charset=windows-1251"),
        ("café".encode(), "text/xml"),
    ],
)
def test_no_label_makes_xml_of_a_text(body: bytes, content_type: str) -> None:
    """It has other findings, and no fix that is a label."""
    findings = check(body, content_type=content_type).findings
    assert findings[0].code == "no-xml"
    assert len(findings) > 1
    assert {one.fix_kind for one in findings} <= {None, "unknown-encoding"}


ENDS = [
    (b"\xef\xbb\xbf\n<?xml version='1.0'?><a/>", "before-declaration", (1, 1, 2, 1)),
    (b"\xff\xfe<?xml version='1.0'?><a/>", "rule-1.5", (1, 1, 1, 1)),
    # A document, a code, and the place from its first to behind its last character.
    (b"<a>\n caf\xff\xfe\xfd \xc3\xa9</a>", "undecodable", (2, 5, 2, 8)),
    ("<a>\r\né\x08</a>".encode(), "forbidden-character", (2, 2, 2, 3)),
    (b"<a>\n\n &#x00008; </a>", "forbidden-reference", (3, 2, 3, 11)),
    ("<a>\rété â€™</a>".encode(), "mojibake", (2, 5, 2, 8)),
    (b'<?xml version="1.0" encoding="cp1252"?>\n<a/>', "label-unregistered", (1, 31, 1, 37)),
    (b"<?xml version='1.0'\n encoding='UTF-8'\n?><a/>", "rule-1.5", None),
    (b"<?xml version='1.1'\n?><a/>", "xml-1.1", (1, 1, 2, 3)),
    (b"<a>\n<b></a>", "not-well-formed", (2, 4, 2, 6)),
    (
        b'<!DOCTYPE a SYSTEM "a.dtd" [<!ENTITY b "c">]>\r\n<a>&b; &foo; &bar;</a>',
        "undeclared-entity",
        (2, 8, 2, 13),
    ),
    (b'<!DOCTYPE a SYSTEM "a.dtd" [<!ENTITY b "c">]><a>&b; &foo;</a>', "undeclared-entity", (1, 53, 1, 58)),
    (b'<!DOCTYPE a [<!ENTITY % b SYSTEM "b.ent"> %b;]><a>&foo;</a>', "undeclared-entity", (1, 51, 1, 56)),
    (b'<!DOCTYPE a [<!ENTITY % b SYSTEM "b.ent"> %b;]><a/>', "undeclared-entity", (1, 43, 1, 46)),
    (b"<!DOCTYPE a [<!ENTITY % b \"<!ENTITY c 'd'>\">%b;]><a/>", "undeclared-entity", (1, 45, 1, 48)),
    (b"<a>Fish & chips</a>", "not-well-formed", (1, 9, 1, 10)),
    (b"<a>Fish &chips</a>", "not-well-formed", (1, 9, 1, 10)),
]


@pytest.mark.parametrize(("body", "code", "place"), ENDS)
def test_where_a_place_ends(body: bytes, code: str, place: tuple[int, int, int, int] | None) -> None:
    """The end is the line and the column after the last character."""
    found = [one for one in check(body).findings if one.code == code]
    wanted = [] if place is None else [place]
    assert [(one.line, one.column, one.end_line, one.end_column) for one in found] == wanted


@each(
    ("body", "code", "place"),
    [
        (
            b"<?xml version='1.0' encoding='ISO-8859-1'?>\n<r t\xc3\xa9>El ni\xf1o comi\xf3 jam\xf3n</r>",
            "mixed-encodings",
            (48, 50, 5, 6),
        ),
        ("<r>今日のニュースと明日の天気</r>".encode("shift_jis"), "encoding-unnamed", (3, 5, 4, 5)),
        ("<r>今日のニュースと明日の天気</r>".encode("shift_jis"), "undecodable", (3, 8, 4, 7)),
        (
            b"<?xml version='1.0' encoding='ISO-2022-JP'?><a>\x1b$BE7\x1b(B \xef\xbf\xbd\x1b$B?7\x1b(B</a>",
            "undecodable",
            (56, 59, 50, 53),
        ),
    ],
)
def test_a_place_has_whole_characters(body: bytes, code: str, place: tuple[int, int, int, int]) -> None:
    """The columns have those that the bytes are of, the last one as well."""
    found = next(one for one in check(body).findings if one.code == code)
    assert (found.offset, found.end_offset, found.column, found.end_column) == place


@pytest.mark.parametrize(
    ("label", "place", "what"),
    [
        (
            "Shift_JIS",
            46,
            "take US-ASCII (rule 2.1) and stop there; consumers that follow RFC 7303 take Shift_JIS"
            " (rule 3.5) and stop there",
        ),
        (
            "x-foo",
            42,
            "take US-ASCII (rule 2.1) and stop there; consumers that follow RFC 7303 refuse it (rule 3.5)",
        ),
        (
            "windows-1252",
            49,
            "take US-ASCII (rule 2.1) and stop there; consumers that follow RFC 7303 take"
            " windows-1252 (rule 3.5)",
        ),
    ],
)
def test_where_consumers_of_two_policies_stop(label: str, place: int, what: str) -> None:
    body = f'<?xml version="1.0" encoding="{label}"?>\n<a>내일은 비가</a>'.encode()
    found = next(
        one for one in check(body, content_type="text/xml").findings if one.code == "policies-differ"
    )
    assert (found.offset, found.message) == (place, f"consumers that follow RFC 3023 {what}")


@pytest.mark.parametrize("package", ["ftfy", "wcwidth"])
def test_without_ftfy_the_report_says_what_is_not_looked_for(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    said = "mojibake is not looked for: ftfy is not installed; pip install ftfy"
    (found,) = check("<a>Ã© â€™ CafÃ©</a>".encode(), content_type="application/xml").findings
    assert (found.code, found.severity, found.message, found.offset) == ("mojibake", "info", said, None)
    assert check("<a>Café</a>".encode(), content_type="application/xml").findings == ()


@pytest.mark.parametrize(
    ("body", "place"), [(row[0], row[2]) for row in ENDS if row[1] == "undeclared-entity"]
)
def test_an_undeclared_entity_without_lxml(
    body: bytes, place: tuple[int, int, int, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """expat, the parser of the page in the browser, finds it at the same place."""
    monkeypatch.setitem(sys.modules, "lxml", None)
    monkeypatch.setattr(well_formedness, "_IDLE", [])
    test_where_a_place_ends(body, "undeclared-entity", place)


W3C = [
    # Not reported, although the W3C feed validator does: an encoding that is not UTF-8, no declared encoding.
    # Reported as there: an obscure encoding, XML 1.1, a podcast that is not UTF-8.
    ('<?xml version="1.0" encoding="ISO-8859-1"?>', "latin-1", "", set()),
    ('<?xml version="1.0" encoding="windows-1251"?>', "cp1251", "", set()),
    ('<?xml version="1.0"?>', "utf-8", "", set()),
    ("", "utf-8", "", set()),
    ('<?xml version="1.0" encoding="IBM037"?>', "cp037", "", {"encoding-obscure", "encoding-unsupported"}),
    ('<?xml version="1.0" encoding="IBM850"?>', "cp850", "", {"encoding-obscure"}),
    ('<?xml version="1.1" encoding="UTF-8"?>', "utf-8", "", {"xml-1.1"}),
    (
        '<?xml version="1.0" encoding="ISO-8859-1"?>',
        "latin-1",
        ' xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
        {"itunes-not-utf-8"},
    ),
]


@pytest.mark.parametrize(("declaration", "codec", "attribute", "codes"), W3C)
def test_the_encoding_cases_of_the_w3c_validator(
    declaration: str, codec: str, attribute: str, codes: set[str]
) -> None:
    report = check(f'{declaration}<rss version="2.0"{attribute}><title>News</title></rss>'.encode(codec))
    assert {finding.code for finding in report.findings} == codes
    warnings = {finding.code for finding in report.findings if finding.severity != "info"}
    assert warnings <= {"encoding-unsupported"}


def test_what_a_detector_suggests_is_in_the_message_and_never_in_a_fix() -> None:
    body = "<rss><title>Новости дня и погода на завтра</title></rss>".encode("koi8-r")
    seen = []

    def detector(data: bytes) -> str:
        seen.append(data)
        return "KOI8-R"

    report = check(body, detector=detector)
    (found,) = (finding for finding in report.findings if finding.code == "encoding-unnamed")
    assert found.message.endswith("; lenient reading guesses 'KOI8-R'")
    assert found.fix_kind == "unknown-encoding"
    assert len(seen) == 1
    assert not any("KOI8" in (finding.fix or "") for finding in report.findings)


def test_a_guess_of_damaged_utf8_does_not_contradict_itself() -> None:
    report = check(b"<rss>caf\xe9 caf\xc3\xa9 \xe2\x80\x94 \x93</rss>")
    messages = [finding.message for finding in report.findings if finding.code == "encoding-unnamed"]
    assert [message.partition("guesses ")[2] for message in messages] == ["'UTF-8' with other bytes"]


@each("codec", ["gb18030", "euc_jp", "big5", "cp852", "koi8-r", "mac-greek"])
@each("text", ["Příliš žluťoučký", "下雨天在家讀書。", "これは", "Æble på grød", "Новости", "Ελληνικά νέα"])
def test_the_guess_is_what_lenient_reading_reads(codec: str, text: str) -> None:
    """Also where a detector answers another charset, which does not fit the bytes."""
    for label in ("", DECLARED.format("Big5"), DECLARED.format("EUC-JP")):
        body = label.encode() + b"<a>" + text.encode(codec, "ignore") + b"</a>"
        read = decode(body).resolution.encoding
        for finding in check(body).findings:
            if finding.code == "encoding-unnamed":
                assert finding.message.endswith((f"guesses '{read}'", f"'{read}' with other bytes"))


def test_utf16_with_a_bom_is_labelled_as_such_whatever_its_characters_are() -> None:
    body = "<rss>a\x85b</rss>".encode("utf-16")
    fixes = {finding.fix for finding in check(body, content_type="text/xml").findings}
    assert "Content-Type: application/rss+xml; charset=UTF-16" in fixes
    assert not any("UTF-16LE" in (fix or "") for fix in fixes)


DECLARED = '<?xml version="1.0" encoding="{}"?>'
NO_PAGE = "convert to UTF-8, or name the encoding it is really in"

PAGES = [
    # Quotation marks and dashes are the same in every Windows page: the page of the label is as good as any.
    ("ISO-8859-2", b"\x93Praha\x94 \x96 \x85", DECLARED.format("windows-1250")),
    ("ISO-8859-5", b"\x93Praha\x94 \x96 \x85", DECLARED.format("windows-1251")),
    ("ISO-8859-7", b"\x93Praha\x94", DECLARED.format("windows-1253")),
    ("ISO-8859-5", b"\x80", NO_PAGE),  # the euro sign in windows-1252, another character in windows-1251
    ("ISO-8859-7", b"\x8a", NO_PAGE),
    # A byte that the page does not have, either.
    ("ISO-8859-2", b"\x93Praha\x94 \x81", NO_PAGE),
    ("ISO-8859-7", b"\x93Praha\x94 \x81", NO_PAGE),
    ("ISO-8859-9", b"\x93Praha\x94 \x8e", NO_PAGE),
    ("ISO-8859-2", b"\x93caf\xe9\x94 \xe0 la carte, d\xe9j\xe0 vu", NO_PAGE),
    # Letters of another page, under a western label: only the publisher knows which page it is.
    ("ISO-8859-1", "Položka byla úspěšně".encode("cp1250"), NO_PAGE),
    ("ISO-8859-1", "Nový začiatok, večer sú štyri počasie".encode("cp1250"), NO_PAGE),
    ("ISO-8859-1", "„Šis įrašas“ buvo sėkmingai ištrintas, žinutė".encode("cp1257"), NO_PAGE),
    ("ISO-8859-1", "“Işık” ve çay".encode("cp1254"), NO_PAGE),
    ("ISO-8859-9", "“Işık” söyleşi, güneş, çağ, değil".encode("cp1254"), DECLARED.format("windows-1254")),
    ("ISO-8859-1", "“Grüße” – déjà vu".encode("cp1252"), DECLARED.format("windows-1252")),
    (
        "ISO-8859-1",
        "“Žürii” otsustas: võitja on õppinud ülikoolis, sõber sööb šokolaadi".encode("cp1252"),
        DECLARED.format("windows-1252"),
    ),
]


@each(("label", "text", "fix"), PAGES)
def test_a_windows_page_is_advised_where_the_bytes_show_it(label: str, text: bytes, fix: str) -> None:
    body = f"<?xml version='1.0' encoding='{label}'?><rss>".encode() + text + b"</rss>"
    fixes = {finding.fix for finding in check(body).findings if finding.code == "c1-control"}
    assert fixes == {fix}


@each(
    ("text", "fixes"),
    [
        ("Ã\x86 x Ã©", [("mojibake", "Æ"), ("c1-control", None), ("mojibake", "é")]),
        ("Ã\x86Ã\x98", [("mojibake", "ÆØ"), ("c1-control", None), ("c1-control", None)]),
        ("x \x86 y Ã©", [("c1-control", "†"), ("mojibake", "é")]),
        ("Ã© \x86 y", [("mojibake", "é"), ("c1-control", "†")]),
        (
            "Ã© \x85 Ã\x86 \x86",
            [("mojibake", "é"), ("c1-control", "…"), ("mojibake", "Æ"), ("c1-control", None)],
        ),
    ],
)
def test_a_character_of_mojibake_has_one_fix(text: str, fixes: list[tuple[str, str | None]]) -> None:
    found = check(f"<rss>{text}</rss>".encode(), content_type="text/xml; charset=utf-8").findings
    assert [(finding.code, finding.fix) for finding in found] == fixes


@each(
    ("body", "fixes"),
    [
        ("<r><a teâ€™xt='x'/></r>", [None]),
        ("<r><teâ€™xt>y</teâ€™xt><a b='>' teâ€™xt='x'/></r>", [None]),
        ("<r><a x='câ€™est'>câ€™est<!-- câ€™est --><?a câ€™est?><![CDATA[câ€™est]]></a></r>", ["’"]),
        ("<r><a b='1 > 2 â€™'/><câ€™/></r>", ["’", None]),
    ],
)
def test_mojibake_in_a_name_has_no_fix(body: str, fixes: list[str | None]) -> None:
    """A sign in its place would end the name: the document would not be well-formed."""
    found = check(body.encode(), content_type="text/xml; charset=utf-8").findings
    assert [(one.code, one.fix) for one in found] == [("mojibake", fix) for fix in fixes]
    for one in found:
        fixed = body.replace("â€™", one.fix) if one.fix and len(fixes) == 1 else body
        assert etree.fromstring(fixed.encode()) is not None
        assert (" in a name " in one.message) == (one.fix is None)


@pytest.mark.parametrize("label", ["iso-8859-1", "us-ascii"])
def test_a_label_that_is_not_known_beside_the_default_of_a_server(label: str) -> None:
    """TCVN: libxml2 may know it, and windows-1252 would change the text."""
    body = b'<?xml version="1.0" encoding="TCVN"?><r>Tin t\xf8c \x80</r>'
    found = check(body, content_type=f"application/xml; charset={label}").findings
    assert {one.code for one in found} > {"label-unknown"}
    assert {one.fix_kind for one in found} <= {None, "unknown-encoding"}
    again = check(body, content_type="application/xml; charset=windows-1250").findings
    assert "declaration" in {one.fix_kind for one in again}


@each(
    ("body", "content_type"),
    [
        (b"%PDF-1.4\n%\xe2\xe3", 'text/xml; charset="utf-8'),
        (b"", "text/html;;charset=x y"),
        (b"<!DOCTYPE html><html>", "text/html; charset = utf-8"),
    ],
)
def test_no_header_is_right_for_what_is_no_xml(body: bytes, content_type: str) -> None:
    found = check(body, content_type=content_type).findings
    assert "content-type-grammar" in {one.code for one in found}
    assert {one.fix for one in found} == {None}


def test_where_both_labels_are_wrong_the_fix_has_both() -> None:
    body = "<?xml version='1.0' encoding='windows-1254'?><a>été déjà</a>".encode()
    first = check(body, content_type="text/xml; charset=ISO-8859-1").findings[0]
    assert (first.code, first.fix) == (
        "charset-and-declaration",
        'declare UTF-8, in which it is: <?xml version="1.0" encoding="UTF-8"?>; '
        "for UTF-8 send Content-Type: application/xml; charset=UTF-8",
    )


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("windows-874", "latin-1", "impossível adicionar"),
        ("windows-874", "koi8-r", "Горад Заграб"),
        ("hp-roman8", "latin-1", "Valor accesíbel do botón"),
        ("hp-roman8", "koi8-r", "Погода на завтра"),
        ("ISO-8859-1", "cp850", "Ignoré, compatibilité"),
        ("ISO-8859-2", "cp850", "Përcaktimi i UI së"),
        ("ISO-8859-13", "cp850", "Ignoré pour compatibilité"),
        ("ISO-8859-2", "cp852", "Omogući"),
    ],
)
def test_no_encoding_is_named_in_which_the_letters_make_no_words(label: str, codec: str, text: str) -> None:
    document = f'<?xml version="1.0" encoding="{label}"?>\n<rss><title>{text}</title></rss>'
    fixes = {one.fix_kind for one in check(document.encode(codec)).findings}
    assert "unknown-encoding" in fixes
    assert not fixes & {"declaration", "convert"}
    if label in ("windows-874", "hp-roman8"):
        honest = document.replace(text, "ข่าววันนี้ และ iPhone" if label == "windows-874" else "Café à la crème")
        assert {one.fix_kind for one in check(honest.encode(label.replace("windows-", "cp"))).findings} == {
            "convert"
        }


@pytest.mark.parametrize("before", ["\n", " ", "\ufeff\n"])
def test_the_grammar_of_a_declaration_that_is_not_the_first_thing(before: str) -> None:
    document = f'{before}<?xml version="1.0" encoding="UTF-8" foo="1"?>\n<rss/>'.encode()
    (found,) = (one for one in check(document).findings if one.code == "declaration-grammar")
    assert found.fix == '<?xml version="1.0" encoding="UTF-8"?>'


@pytest.mark.parametrize("content_type", [None, "application/xml"])
@pytest.mark.parametrize("before", [b"\n", b" \t"])
def test_no_fix_is_the_declaration_that_stands_there(before: bytes, content_type: str | None) -> None:
    """White space hides it: that is to be removed."""
    document = '<?xml version="1.0" encoding="windows-1251"?><rss>Погода на завтра</rss>'.encode("cp1251")
    findings = check(before + document, content_type=content_type).findings
    assert {one.code for one in findings} == {"before-declaration", "undecodable"}
    assert {one.fix for one in findings} == {f"remove {counted(len(before), 'byte')} at offset 0"}
    unnamed = {
        one.fix for one in check(before + "<?xml version='1.0'?><a>été</a>".encode("latin-1")).findings
    }
    removed = f"remove {counted(len(before), 'byte')} at offset 0"
    assert f"{removed}; then convert to UTF-8, or name the encoding it is really in" in unnamed
    assert check(document, content_type=content_type).findings == ()


@pytest.mark.parametrize(
    ("declared", "kind"), [("UTF-16BE", "convert"), ("UTF-16", "remove"), ("UTF-16LE", "remove")]
)
def test_what_is_removed_before_the_declaration_leaves_the_byte_order_right(declared: str, kind: str) -> None:
    text = f' <?xml version="1.0" encoding="{declared}"?><a>é</a>'
    (found,) = check(b"\xff\xfe" + text.encode("utf-16-le")).findings
    assert (found.code, found.fix_kind) == ("before-declaration", kind)


@pytest.mark.parametrize("at", [19, 36])
def test_nel_is_no_white_space_of_a_declaration(at: int) -> None:
    """XML 1.1 §2.11: it is a fatal error there, too. EBCDIC has it as a line end."""
    text = '<?xml version="1.0" encoding="UTF-8"?>\n<rss>é</rss>'
    for codec, flawed in (("utf-8", True), ("cp037", False)):
        label = "IBM037" if codec == "cp037" else "UTF-8"
        document = f"{text[:at]}\x85{text[at:]}".replace("UTF-8", label).encode(codec)
        codes = {finding.code for finding in check(document).findings}
        assert ("declaration-grammar" in codes) is flawed


@each(
    ("label", "codec"),
    [
        ("UTF-8", "utf-8"),
        ("UTF-16", "utf-16"),
        ("ISO-8859-1", "latin-1"),
        ("IBM037", "cp037"),
        ("KOI8-R", "koi8-r"),
    ],
)
def test_controls_that_xml_1_1_allows_as_references_alone(label: str, codec: str) -> None:
    """XML 1.1 §2.2, RestrictedChar; NEL is none."""
    for version, character in product(("1.0", "1.1"), "\x7e\x7f\x80\x84\x85\x86\x9f\xa0"):
        text = f"<?xml version='{version}' encoding='{label}'?><a>\n {character}{character}</a>"
        if character in text.encode(codec, "ignore").decode(codec):
            refused = version == "1.1" and character in "\x7f\x80\x84\x86\x9f"
            places = [(2, 2, 2)] if refused else []
            found = check(text.encode(codec)).findings
            forbidden = [one for one in found if one.code == "forbidden-character"]
            assert [(one.line, one.column, one.count) for one in forbidden] == places, (version, character)
            is_c1 = version == "1.0" and "\x80" <= character < "\xa0"
            is_c1 = is_c1 if character != "\x85" else codec == "latin-1" or (is_c1 and codec != "cp037")
            assert ("c1-control" in {one.code for one in found}) is is_c1
    text = f"<?xml version='1.1' encoding='{label}'?><a>&#x7f;&#159;</a>"
    assert "forbidden-character" not in {one.code for one in check(text.encode(codec)).findings}


@each(
    ("label", "same"),
    [
        ("ISO-8859-1", False),
        ("ISO-8859-9", False),
        ("ISO-8859-2", True),
        ("ISO-8859-15", True),
        ("UTF-8", True),
    ],
)
def test_85_is_a_line_end_of_xml_1_1(label: str, same: bool) -> None:
    """Where the lenient text has another character there, that is a finding; it has no fix."""
    body = f"<?xml version='1.1' encoding='{label}'?>\n<r>a\x85b</r>".encode(label)
    report = check(body, content_type="application/xml")
    assert (decode(body).text[-7:] == ">a\x85b</r>"[1:]) is same
    assert ({reading.outcome for reading in report.readings} == {"same"}) is same
    found = [(one.line, one.column, one.fix) for one in report.findings if one.code == "c1-control"]
    assert found == ([] if same else [(2, 5, None)])


@each("before", ["\x1b ", "\x1b[1mx\x1b[0m ", "x\x1b" * 40])
def test_an_escape_character_is_no_byte_of_another_encoding(before: str) -> None:
    body = f"<r>{before}café</r>".encode("latin-1")
    (found,) = (one for one in check(body).findings if one.code == "encoding-unnamed")
    assert found.offset == body.index(b"\xe9")
