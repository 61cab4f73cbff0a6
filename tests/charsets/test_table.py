"""The closed table: what its columns may hold."""

from __future__ import annotations

import codecs

import pytest

from feedcharset.charsets.lookup import NAMES, by_name
from feedcharset.charsets.table import REFUSED, ROWS, WINDOWS_PAGES, WITH_UNDEFINED_BYTES

TABLE = [line.split() for line in ROWS.split("\n") if line.strip()]
FAMILIES = {"UTF-8", "UTF-16", "UTF-32", "UCS-4", "US-ASCII", "single", "CJK", "ISO-2022-JP", "EBCDIC"}
PAGES = {"-", "western", "central", "latin", "cyrillic", "greek", "hebrew", "arabic", "thai", "cjk"}


def test_every_name_stands_once() -> None:
    names = [row[0] for row in TABLE] + list(REFUSED)
    assert len(names) == len({name.lower() for name in names})
    assert set(NAMES) >= {row[0] for row in TABLE}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_a_row_has_its_five_columns(row: list[str]) -> None:
    _, family, codec, superset, page = row
    assert family in FAMILIES
    assert page in PAGES
    if codec != "-":
        assert codecs.lookup(codec).name  # in a test: the table's own names alone are looked up
    if superset != "=":
        assert by_name(superset).superset == superset


@pytest.mark.parametrize(("iso", "windows"), WINDOWS_PAGES.items())
def test_the_windows_page_of_an_iso_page_has_its_script(iso: str, windows: str) -> None:
    assert by_name(windows).name == windows
    assert by_name(iso).family == by_name(windows).family == "single"


def test_pages_with_undefined_bytes_are_rows() -> None:
    for name in WITH_UNDEFINED_BYTES.split():
        assert not by_name(name).decodes_every_byte


@pytest.mark.parametrize("name", ["UTF-7", "ISO-2022-KR", "HZ-GB-2312"])
def test_what_is_not_safe_is_refused_with_a_reason(name: str) -> None:
    assert REFUSED[name]
    assert by_name(name).refused == REFUSED[name]
