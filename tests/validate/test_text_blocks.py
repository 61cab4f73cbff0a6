"""The document as text in blocks: where each place is, whatever the charset, the pieces and the order."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from feedcharset import check
from feedcharset.charsets.lookup import by_name
from feedcharset.charsets.undecodable_bytes import first_undecodable
from feedcharset.validate.text_blocks import (
    CUT,
    EXCERPT_SIDE,
    LEAST_TEXT,
    REFERENCE_LENGTH,
    SOURCE_BLOCK,
    Position,
    PositionedDecoder,
    SourceBlocks,
    TextBlock,
    TextPiece,
)

LETTERS = st.text(st.sampled_from("ab<\r\n\n\ré\U0001f600"), max_size=90)


def piece_of(text: str, offset: int = 0, bytes_before: Callable[[int], int] = int) -> TextPiece:
    """A piece of text; without a counter each character is a byte."""
    return TextPiece(offset, text, first_undecodable(text), bytes_before, b"", by_name("UTF-8"))


def pieces_of(parts: list[str], start: int = 3) -> list[TextPiece]:
    """Pieces of a text in UTF-8 that begins at byte 3."""
    pieces, offset = [], start
    for part in parts:
        pieces.append(piece_of(part, offset, lambda at, part=part: len(part[:at].encode())))
        offset += len(part.encode())
    return pieces


@given(st.lists(LETTERS, min_size=1, max_size=5))
@example(["a\r" + "b" * 60, "\nb"])
@example(["\r", "\n", "\r\n"])
def test_places_are_those_of_the_whole_text(parts: list[str]) -> None:
    """A line ends at LF, CRLF or CR; columns are characters; offsets are bytes; the excerpt is the line."""
    text, block, found = "".join(parts), TextBlock(), {}
    given_out = ""
    for number, piece in enumerate(pieces_of(parts)):
        final = number == len(parts) - 1
        block.push(piece, final)
        first = piece.first or 0
        assert block.text[first:] == piece.text
        assert (block.before + block.text)[: len(given_out)] == given_out
        assert (
            block.stop == len(block.text) if final else block.stop <= max(0, len(block.text) - EXCERPT_SIDE)
        )
        for index in range(first, len(block.text)):
            offset, end = block.offset(index), block.offset(index + 1)
            assert block.index(offset) == index
            span = index, index + 1
            block.place(offset, end, lambda place, offset=offset: found.setdefault(offset, place), span)
        given_out += block.text[: block.stop]
    assert given_out == text
    for index, char in enumerate(text):
        offset = 3 + len(text[:index].encode())
        lines = re.split("\r\n|\r|\n", text[:index])
        if char == "\n" and text[index - 1 : index] == "\r":
            continue  # within a line end
        line = re.split("\r\n|\r|\n", text[index:])[0]
        before = lines[-1][-EXCERPT_SIDE:]
        place = found[offset]
        assert place[:5] == (
            offset,
            len(lines),
            len(lines[-1]) + 1,
            before + line[:EXCERPT_SIDE],
            len(before),
        )
        assert place.end_offset == offset + len(char.encode())
        if char not in "\r\n":
            assert (place.end_line, place.end_column) == (place.line, place.column + 1)


@given(st.lists(LETTERS, min_size=1, max_size=3), st.integers(1, 6), st.integers(1, 50))
def test_a_line_and_a_column_are_found(parts: list[str], line: int, column: int) -> None:
    block = TextBlock()
    for number, piece in enumerate(pieces_of(parts)):
        block.push(piece, number == len(parts) - 1)
    if not block.text:
        return
    index = block.find(line, column)
    lines = re.split("\r\n|\r|\n", "".join(parts))
    first = block.at(0, 1)
    assert (index < 0) == ((line, column) < (first.line, first.column))
    if index >= 0 and line <= len(lines) and column <= len(lines[line - 1]):
        place = block.at(index, index + 1)
        assert (place.line, place.column) == (line, column)


def test_a_block_ends_at_markup_and_outside_a_reference() -> None:
    def stop(text: str) -> str:
        block = TextBlock()
        block.push(piece_of(text), False)
        assert block.stop >= len(text) - EXCERPT_SIDE - CUT
        return text[block.stop :]

    tail, begin = "x" * EXCERPT_SIDE, "<a>" + "b" * LEAST_TEXT
    assert stop(begin + "</a>" + tail) == "</a>" + tail
    assert stop("<a>" + "b" * CUT + tail) == tail
    assert stop("<a>" + "b" * CUT + "&#x0008;" + tail) == "&#x0008;" + tail
    assert stop("<a>" + "b" * CUT + "&" + "0" * REFERENCE_LENGTH + tail) == tail
    assert stop("<a></a>" + tail) == "<a></a>" + tail


def test_a_place_in_nothing() -> None:
    block, found = TextBlock(), []
    block.push(piece_of(""), True)
    block.place(0, 0, found.append)
    assert found == [Position(0, 1, 1, "", 0, 0, 1, 1)]
    assert (block.index(7), block.offset(7)) == (0, 0)


def test_an_excerpt_shows_undecodable_bytes() -> None:
    block = TextBlock()
    block.push(piece_of("ab\udce9c\n"), True)
    assert block.at(2, 3) == Position(2, 1, 3, "ab\ufffdc", 2, 3, 1, 4)


# -- the character that contains a byte ------------------------------------------------------------------

CHARSETS = ("UTF-8", "windows-1252", "Shift_JIS", "GB18030", "Big5-HKSCS", "ISO-2022-JP", "UTF-16BE")
TEXTS = "a<é中日ア€\n😀"


def plainly(offset: int, start: int, length: int, bytes_before: Callable[[int], int]) -> int:
    """The last character that does not begin behind the byte."""
    return max(index for index in range(length + 1) if start + bytes_before(index) <= offset)


@given(
    st.sampled_from(CHARSETS),
    st.lists(st.sampled_from([*TEXTS, b"\x1b", b"\x81", b"\xff", b"\x1b$B\x1b(B", b"\x88\x62"]), max_size=30),
    st.lists(st.integers(0, 120), min_size=1, max_size=8),
)
def test_the_character_that_contains_a_byte(name: str, parts: list[str | bytes], offsets: list[int]) -> None:
    """Positions are asked for in any order; the answer is that of a search through all characters."""
    codec = by_name(name).codec or name
    data = b"".join(part if isinstance(part, bytes) else part.encode(codec, "ignore") for part in parts)
    decoder = PositionedDecoder(by_name(name), lenient=True, offset=7)
    pieces = [decoder.read(data[:11], False), decoder.read(data[11:], True)]
    block = TextBlock()
    block.push(pieces[0], False)
    assert block.stop == 0
    block.push(pieces[1], True)
    for offset in offsets:
        begun = [piece for piece in pieces if piece.offset <= offset and (piece.text or piece is pieces[1])]
        if not begun:
            continue
        first = len(pieces[0].text) if begun[-1] is pieces[1] else 0
        piece = begun[-1]
        within = plainly(offset, piece.offset, len(piece.text), piece.bytes_before)
        assert block.index(offset) == first + within


@pytest.mark.long
@pytest.mark.parametrize("charset", ["Shift_JIS", "GBK", "ISO-2022-JP"])
def test_positions_in_order_take_counted_steps(charset: str) -> None:
    """A counter counts anew for a smaller index: 16 KB of damage in Shift_JIS took 31 s."""
    decoder = PositionedDecoder(by_name(charset), lenient=True, offset=0)
    piece = decoder.read(b"\x81\xff<" * 4000, True)
    asked: list[int] = []

    def counted(index: int) -> int:
        asked.append(index)
        return piece.bytes_before(index)

    block = TextBlock()
    block.push(piece_of(piece.text, 0, counted), True)
    for offset in range(0, 12_000, 3):
        block.index(offset)
    assert asked == sorted(asked)
    assert len(asked) <= 5 * 4000


def test_damage_in_every_character_is_reported_where_it_is() -> None:
    report = check(b'<?xml version="1.0" encoding="Shift_JIS"?><a>' + b"\x81\xff<" * 2000 + b"</a>")
    places = [finding for finding in report.findings if finding.code == "undecodable"]
    assert [places[0].offset, places[0].column] == [45, 46]
    assert sum(finding.count for finding in places) == 2000


# -- bytes -----------------------------------------------------------------------------------------------


def test_a_document_as_long_as_a_block() -> None:
    for size in (SOURCE_BLOCK - 1, SOURCE_BLOCK, SOURCE_BLOCK + 1, 2 * SOURCE_BLOCK):
        body = b"<rss>" + b" " * (size - 6) + b"\x08"
        found = [finding for finding in check(body).findings if finding.code == "forbidden-character"]
        assert [finding.offset for finding in found] == [size - 1]
        blocks = list(SourceBlocks(io.BytesIO(body)))
        assert [last for _, last in blocks] == [False] * (len(blocks) - 1) + [True]
        assert b"".join(block for block, _ in blocks) == body


@pytest.mark.parametrize(
    ("one", "other", "differing"),
    [
        ("windows-1251", "windows-1251", 1),
        ("windows-1252", "windows-1252", 5),
        ("ISO-8859-1", "ISO-8859-1", 27),
        ("ISO-8859-1", "windows-1252", 5),
        ("UTF-8", "UTF-8", 256),
        ("windows-1251", "UTF-8", 256),
    ],
)
def test_bytes_that_two_decoders_read_alike(one: str, other: str, differing: int) -> None:
    """The second is strict: it leaves bytes undefined, and does not take those of the superset."""
    count = 0
    for number in range(256):
        data = b"text" + bytes([number])
        first = PositionedDecoder(by_name(one), lenient=True, offset=3)
        again, known = (PositionedDecoder(by_name(other), lenient=False, offset=3) for _ in range(2))
        alike = first.reads_alike(again, data)
        count += not alike
        piece, other_piece = first.read(data, True), again.read(data, True)
        if "UTF-8" not in (one, other):
            assert alike == (piece.text == other_piece.text), number
        if alike:
            same = known.read(data, True, piece.text)
            for attribute in ("offset", "text", "undecodable", "data", "charset", "utf8"):
                assert getattr(same, attribute) == getattr(other_piece, attribute), attribute
            assert known.offset == again.offset
            assert same.offset_of(2) == other_piece.offset_of(2) == 5
    assert count == differing


@pytest.mark.parametrize(
    ("lenient", "strict", "data", "alike"),
    [
        ("GBK", "GBK", "中文 text，好".encode("gbk"), True),
        ("GBK", "GB2312", "中文 text，好".encode("gbk"), False),
        ("GBK", "GB18030", "中文 text，好".encode("gbk"), False),
        ("GBK", "GBK", "中文 ᠀".encode("gb18030"), False),
        ("GBK", "GBK", "中文 €".encode("gbk", "replace") + b"\x80", False),
        ("GBK", "GBK", "中文".encode("gbk")[:-1], False),
        ("Shift_JIS", "Shift_JIS", "日本語".encode("shift_jis"), False),
    ],
)
def test_east_asian_text_that_the_same_codec_read(
    lenient: str, strict: str, data: bytes, alike: bool
) -> None:
    """Then it is not decoded again; bytes are counted all the same."""
    first = PositionedDecoder(by_name(lenient), lenient=True, offset=3)
    again, known = (PositionedDecoder(by_name(strict), lenient=False, offset=3) for _ in range(2))
    piece = first.read(data, False)
    assert first.reads_alike(known, data) == alike
    if alike:
        other, same = again.read(data, False), known.read(data, False, piece.text)
        for attribute in ("offset", "text", "undecodable", "data", "charset", "utf8"):
            assert getattr(same, attribute) == getattr(other, attribute), attribute
        for index in (0, 1, 4, 2, len(piece.text)):
            assert same.offset_of(index) == other.offset_of(index) == piece.offset_of(index)
    assert not first.engine.reads_as(PositionedDecoder(by_name("KOI8-R"), lenient=True, offset=0).engine)
    assert not PositionedDecoder(by_name("KOI8-R"), lenient=True, offset=0).engine.reads_as(first.engine)


@pytest.mark.parametrize(
    "name", ["windows-1251", "ISO-8859-1", "ISO-8859-7", "KOI8-U", "macintosh", "IBM437"]
)
def test_what_is_known_of_single_byte_text_is_what_its_utf8_shows(name: str) -> None:
    for lenient in (True, False):
        for number in range(0x20, 0x100):
            data = b"<a>" + bytes([number])
            piece = PositionedDecoder(by_name(name), lenient=lenient, offset=0).read(data, True)
            utf8 = TextPiece(0, piece.text, -1, int, piece.utf8, by_name("UTF-8"))
            assert (piece.has_c1, piece.has_noncharacter) == (utf8.has_c1, utf8.has_noncharacter), number
