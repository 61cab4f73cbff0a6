"""Labels that lenient look-up knows besides the registered ones."""

from __future__ import annotations

import pytest

from feedcharset.charsets import lenient_labels
from feedcharset.charsets.lookup import by_name, lookup

TABLES = {
    name: table
    for name in ("DOTNET", "ICONV", "JAVA", "MISSPELT", "ORACLE")
    if isinstance(table := getattr(lenient_labels, name), dict)
}


@pytest.mark.parametrize("table", TABLES)
def test_each_label_names_the_charset_of_its_row(table: str) -> None:
    """A label that is registered keeps its registered meaning."""
    for name, words in TABLES[table].items():
        for label in words.split():
            assert lookup(label, lenient=True) == (lookup(label) or by_name(name)), label


@pytest.mark.parametrize(
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
