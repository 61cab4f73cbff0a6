"""The closed table: what its columns may hold, and which charset each label names."""

from __future__ import annotations

import codecs

import pytest
from support.each import each

from feedcharset.charsets.labels import CHARSET_TABLE, labels_by_source
from feedcharset.charsets.lookup import NAMES, by_name, lookup

ROWS = [line.split() for line in CHARSET_TABLE.splitlines() if line.strip() and not line.startswith(" ")]
DECODED = [row for row in ROWS if row[1] != "refused:"]
FAMILIES = {"UTF-8", "UTF-16", "UTF-32", "UCS-4", "US-ASCII", "single", "CJK", "ISO-2022-JP", "EBCDIC"}
PAGES = {"-", "western", "central", "latin", "cyrillic", "greek", "hebrew", "arabic", "thai", "cjk"}
REGISTERED = ("IANA", "named", "Python")
LENIENT = ("seen", ".NET", "Java", "Oracle", "iconv")


def test_every_name_stands_once() -> None:
    assert [row[0] for row in ROWS] == list(NAMES)
    assert len(ROWS) == len({name.lower() for name in NAMES})


@each("row", DECODED, ids=lambda row: row[0])
def test_a_row_has_its_seven_columns(row: list[str]) -> None:
    _, family, codec, superset, page, windows_page, holes = row
    assert family in FAMILIES
    assert page in PAGES
    assert holes in ("-", "holes")
    if codec != "-":
        assert codecs.lookup(codec).name  # in a test: the table's own names alone are looked up
    if superset != "=":
        assert by_name(superset).superset == superset
    if windows_page != "-":
        assert by_name(row[0]).windows_page == windows_page
        assert by_name(windows_page).family == family == "single"


@pytest.mark.parametrize("name", ["UTF-7", "ISO-2022-KR", "HZ-GB-2312"])
def test_what_is_not_safe_is_refused_with_a_reason(name: str) -> None:
    assert len(by_name(name).refused.split()) > 4


def test_the_sources_are_those_that_lookup_knows() -> None:
    assert set(labels_by_source()) == {*REGISTERED, *LENIENT, "MySQL"}


@pytest.mark.parametrize("source", REGISTERED)
def test_each_label_names_the_charset_of_its_row(source: str) -> None:
    wrong = [
        (label, name)
        for name, labels in labels_by_source()[source].items()
        for label in labels
        if lookup(label) != by_name(name) or label != label.lower()
    ]
    assert not wrong


@pytest.mark.parametrize("source", LENIENT)
def test_a_label_that_is_registered_keeps_its_registered_meaning(source: str) -> None:
    wrong = [
        (label, name)
        for name, labels in labels_by_source()[source].items()
        for label in labels
        if lookup(label, lenient=True) != (lookup(label) or by_name(name))
    ]
    assert not wrong


def test_no_label_is_listed_for_two_charsets() -> None:
    seen: dict[str, str] = {}
    for source in REGISTERED:
        for name, labels in labels_by_source()[source].items():
            for label in labels:
                assert seen.setdefault(label, name) == name


def test_java_s_name_of_an_ebcdic_page_is_known_strictly() -> None:
    assert lookup("CP1047") == lookup("Cp1047") == by_name("IBM1047")
    assert lookup("1047") is None


def test_a_name_is_a_label_in_any_case() -> None:
    for name in NAMES:
        if not name.startswith("UCS-4"):  # the odd byte orders have no label
            assert lookup(name.lower()) == lookup(name.upper()) == by_name(name)


@each(
    "label",
    ["zlib", "rot13", "punycode", "idna", "unicode_escape", "hex", "bz2", "uu", "mbcs", "undefined"],
)
def test_a_codec_that_is_no_charset_cannot_be_read(label: str) -> None:
    found = lookup(label, lenient=True)
    assert found is None or found.refused


@each(
    ("label", "name"),
    [
        ("cp20866", "KOI8-R"),
        ("cp28605", "ISO-8859-15"),
        ("cp54936", "GB18030"),
        ("DOS-862", "IBM862"),
        ("IBM01140", "IBM01140"),
        ("x-mswin-936", "GBK"),
        ("CL8MSWIN1251", "windows-1251"),
        ("EE8MSWIN1250", "windows-1250"),
        ("WE8ISO8859P15", "ISO-8859-15"),
        ("cp1251_general_ci", "windows-1251"),
        ("latin2_czech_cs", "ISO-8859-2"),
        ("MS-CYRL", "windows-1251"),
        ("CP1252//TRANSLIT", "windows-1252"),
        ("CESU-8", "UTF-8"),
        ("shift_jis_2004", "Shift_JIS-2004"),
        ("ISO-8559-2", "ISO-8859-2"),
        ("cyrillic (Windows-1251)", "windows-1251"),
    ],
)
def test_labels_of_other_systems(label: str, name: str) -> None:
    found = lookup(label, lenient=True)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("label", ["gbk(", "utf-9", "windows-1251x", "latin99", "()", "(utf-8", "//"])
def test_what_is_only_like_a_label_is_unknown(label: str) -> None:
    assert lookup(label, lenient=True) is None
