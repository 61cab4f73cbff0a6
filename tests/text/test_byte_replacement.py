"""What decoders share: undecodable bytes are replaced, counted, or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each

from feedcharset.charsets.undecodable_bytes import SEARCHED_PART, first_undecodable
from feedcharset.errors import DecodeError
from feedcharset.evidence.damaged_utf8 import escaped_runs
from feedcharset.text.byte_decoder import Utf8Decoder
from feedcharset.text.byte_replacement import (
    Utf8ByteCounter,
    page_table,
    replace_in_utf8,
    replace_undecodable,
    replaced_offsets,
    replaced_unit,
    undecodable_indexes,
    utf8_offsets,
)
from feedcharset.text.source_positions import RepairLog

DAMAGED = b"a\xe9b \xc5\xbe \xe1\x80 \x93\xff"


def escaped(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    ("errors", "text", "count"),
    [
        ("windows-1252", "aéb ž á\u20ac “ÿ", 5),
        ("latin-1", "aéb ž á\x80 \x93ÿ", 5),
        ("space", "a b ž      ", 5),
        ("replace", "a\ufffdb ž \ufffd \ufffd\ufffd", 4),
    ],
)
def test_the_replacements_of_utf_8(errors: str, text: str, count: int) -> None:
    replaced = replace_in_utf8(escaped(DAMAGED), DAMAGED, errors)
    assert (replaced.text, replaced.count) == (text, count)
    assert replace_undecodable(escaped(DAMAGED), "UTF-8", errors) == (text, count)


@given(st.binary(max_size=60), st.sampled_from(["windows-1252", "latin-1", "space", "replace"]))
def test_text_without_a_sequence_takes_the_same_replacements(data: bytes, errors: str) -> None:
    """The way for bytes without any sequence gives what a replacement byte by byte gives."""
    high = bytes(byte for byte in data if byte not in range(0xC2, 0xF5))
    replaced = replace_in_utf8(escaped(high), high, errors)
    page = page_table(errors) if errors != "replace" else None
    expected = "".join(
        "\ufffd" if page is None and byte > 0x7F else chr(byte) if page is None else page[byte]
        for byte in high
    )
    assert replaced.text == expected
    assert replaced.count == sum(byte > 0x7F for byte in high)
    assert replaced.utf8 in (None, replaced.text.encode())


def test_replace_is_pythons_own() -> None:
    """Unicode 15.0, section 3.9: one U+FFFD for each maximal subpart, as bytes.decode has it."""
    assert replace_in_utf8(escaped(DAMAGED), DAMAGED, "replace").text == DAMAGED.decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("text", "index"), [("", -1), ("abc", -1), ("až", -1), ("a\udce9", 1), ("ž\udc80", 1)]
)
def test_the_first_escaped_byte(text: str, index: int) -> None:
    assert first_undecodable(text) == index


def test_the_undefined_bytes_of_windows_1252_are_c1_controls() -> None:
    page = page_table("windows-1252")
    assert [page[byte] for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D)] == list("\x81\x8d\x8f\x90\x9d")
    assert page[0x80] == "€"


def test_other_charsets_have_one_replacement_for_a_sequence() -> None:
    assert replace_undecodable("a\udc81\udd40b", "CJK", "windows-1252")[1] in (1, 2)
    assert replace_undecodable("a\udc81b", "CJK", "space") == ("a b", 1)


@each(("errors", "offsets"), [("space", [1, 7, 8, 10, 11]), ("replace", [1, 7, 10, 11])])
def test_offsets_count_bytes(errors: str, offsets: list[int]) -> None:
    text = escaped(DAMAGED)
    unit, counter = replaced_unit("UTF-8", errors), Utf8ByteCounter(text)
    for runs in (None, escaped_runs(text, 10)):
        indexes = list(undecodable_indexes(text, unit, runs))
        assert [counter(index) for index in indexes] == offsets
        assert list(utf8_offsets(text, iter(indexes), 7)) == [7 + offset for offset in offsets]
        assert list(replaced_offsets(text, unit, runs, 7)) == [7 + offset for offset in offsets]


def test_offsets_are_counted_across_parts() -> None:
    size = SEARCHED_PART
    text = "é?" * size + "\udce9" * 3 + "ü" * size + "\udc80"
    offsets = [3 * size, 3 * size + 1, 3 * size + 2, 5 * size + 3]
    assert list(replaced_offsets(text, replaced_unit("UTF-8", "space"), None, 0)) == offsets


@pytest.mark.parametrize("errors", ["replace", "space"])
@pytest.mark.parametrize("shift", range(4))
def test_long_damaged_text_is_replaced_in_parts(errors: str, shift: int) -> None:
    """No undecodable sequence is divided between two parts."""
    escaped = "a" * shift + "\udc81\uddff\uddfeb" * SEARCHED_PART
    unit = replaced_unit("CJK", errors)
    expected = unit.subn(" " if errors == "space" else "\ufffd", escaped)
    assert replace_undecodable(escaped, "CJK", errors) == expected


@given(st.lists(st.sampled_from(["a", "é", "\n", "\r", "\r\n", ""]), max_size=12))
def test_the_line_and_column_of_an_undecodable_byte(pieces: list[str]) -> None:
    """A line ends at LF, CRLF or CR, however the document is cut."""
    decoder = Utf8Decoder("strict", RepairLog())
    for piece in pieces:
        decoder.decode(piece.encode())
    with pytest.raises(DecodeError) as caught:
        decoder.decode(b"\xff")
    lines = "".join(pieces).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert (caught.value.line, caught.value.column) == (len(lines), len(lines[-1]) + 1)
