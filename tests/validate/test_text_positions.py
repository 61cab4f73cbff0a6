"""The character that contains a byte: found by going forward in the text, whatever the charset."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedcharset import check
from feedcharset.charsets.lookup import by_name
from feedcharset.validate.positioned_decoder import PositionedDecoder
from feedcharset.validate.text_positions import TextPositions

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
    positions = TextPositions()
    pieces = [decoder.read(data[:11], False), decoder.read(data[11:], True)]
    for piece in pieces:
        positions.push(piece.offset, piece.text, piece.bytes_before)
    kept = [piece for piece in pieces if piece.text]
    for offset in offsets:
        if not kept or offset < kept[0].offset:
            continue
        first = sum(len(piece.text) for piece in kept if piece.offset <= offset)
        piece = [piece for piece in kept if piece.offset <= offset][-1]
        within = plainly(offset, piece.offset, len(piece.text), piece.bytes_before)
        assert positions.index(offset) == first - len(piece.text) + within


@pytest.mark.parametrize("charset", ["Shift_JIS", "GBK", "ISO-2022-JP"])
def test_positions_in_order_take_counted_steps(charset: str) -> None:
    """A counter counts anew for a smaller index: 16 KB of damage in Shift_JIS took 31 s."""
    decoder = PositionedDecoder(by_name(charset), lenient=True, offset=0)
    piece = decoder.read(b"\x81\xff<" * 4000, True)
    asked: list[int] = []

    def counted(index: int) -> int:
        asked.append(index)
        return piece.bytes_before(index)

    positions = TextPositions()
    positions.push(piece.offset, piece.text, counted)
    for offset in range(0, 12_000, 3):
        positions.index(offset)
    assert asked == sorted(asked)
    assert len(asked) <= 5 * 4000


def test_damage_in_every_character_is_reported_where_it_is() -> None:
    report = check(b'<?xml version="1.0" encoding="Shift_JIS"?><a>' + b"\x81\xff<" * 2000 + b"</a>")
    places = [finding for finding in report.findings if finding.code == "undecodable"]
    assert [places[0].offset, places[0].column] == [45, 46]
    assert sum(finding.count for finding in places) == 2000
