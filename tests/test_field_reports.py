"""What people reported of other programs is read rightly here, from everywhere and however it is cut."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from support.each import each
from support.field_reports import FieldReport, read_field_reports

from feedcharset import Resolution, XmlDecoder, XmlReader, decode, resolve
from feedcharset.charsets.lookup import by_name
from feedcharset.decide.lenient_chain import replay

REPORTS = list(read_field_reports())
KNOWN = [row for row in REPORTS if row.judge == "text"]
OPEN = [row for row in REPORTS if row.judge == "open"]
SHORT = 400
"""Octets; longer documents are not cut everywhere."""


def in_pieces(row: FieldReport, size: int) -> tuple[str, Resolution]:
    decoder = XmlDecoder(row.content_type, declaration="keep")
    parts = [decoder.decode(row.body[at : at + size]) for at in range(0, len(row.body), size)]
    return "".join(parts) + decoder.decode(b"", True), decoder.resolution


def test_rows_are_complete_and_their_ids_unique() -> None:
    assert max(Counter(row.id for row in REPORTS).values()) == 1
    assert {row.judge for row in REPORTS} == {"text", "alive", "open"}
    assert all(row.note.startswith("open: ") for row in OPEN)
    assert len(KNOWN) > 280


@each("row", KNOWN, ids=lambda row: row.id)
def test_the_right_text(row: FieldReport) -> None:
    assert decode(row.body, row.content_type, declaration="keep").text == row.text


@pytest.mark.parametrize("row", [pytest.param(row, marks=pytest.mark.xfail, id=row.id) for row in OPEN])
def test_the_text_that_is_not_reached_yet(row: FieldReport) -> None:
    """Where one of these passes, its row has to become "text"."""
    assert decode(row.body, row.content_type, declaration="keep").text == row.text


@each("row", [row for row in REPORTS if row.judge == "alive"], ids=lambda row: row.id)
def test_a_page_that_is_followed_replaces_nothing(row: FieldReport) -> None:
    text, resolution, _ = decode(row.body, row.content_type)
    assert "\ufffd" not in text or not by_name(resolution.encoding).decodes_every_byte


@each("row", REPORTS, ids=lambda row: row.id, parts=2, every=3)
def test_the_same_from_everywhere_and_in_any_pieces(row: FieldReport) -> None:
    text, resolution, _ = decode(row.body, row.content_type, declaration="keep")
    text.encode("utf-8")
    assert resolve(row.body, row.content_type, complete=True) == resolution
    assert replay(resolution.facts) == resolution
    for source in (row.body, io.BytesIO(row.body)):
        with XmlReader(source, content_type=row.content_type, declaration="keep") as reader:
            assert reader.read() == text
            if row.content_type is not None:
                assert reader.resolution == resolution
    for size in (1, 3, 4096) if len(row.body) < 10_000 else (4096, 70_000):
        assert in_pieces(row, size) == (text, resolution)


@pytest.mark.parametrize("step", [41, pytest.param(3, marks=pytest.mark.long)])
@each("row", [row for row in REPORTS if len(row.body) <= SHORT], ids=lambda row: row.id, parts=2)
def test_a_download_that_breaks_off_anywhere(row: FieldReport, step: int) -> None:
    """Lenient never raises because of what a document holds."""
    for end in range(0, len(row.body), step):
        text, resolution, _ = decode(row.body[:end], row.content_type)
        text.encode("utf-8")
        assert replay(resolution.facts) == resolution
