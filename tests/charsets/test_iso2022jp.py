"""ISO-2022-JP: its states, and what this library reads beyond the Encoding Standard."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import by_name

JP = by_name("ISO-2022-JP")
PARTS = [
    b"\x1b(B",
    b"\x1b(J",
    b"\x1b(I",
    b"\x1b$B",
    b"\x1b$@",
    b"\x1b",
    b"abc",
    b"\x24\x22",
    b"\x5c",
    b"\n",
    b"\xff",
    b"<a>",
]


def decode(pieces: list[bytes], lenient: bool = True) -> str:
    decoder = charset_decoder(JP, lenient=lenient)
    return "".join(decoder.decode(piece) for piece in pieces) + decoder.decode(b"", True)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\x1b$B\x46\x7c\x4b\x5c\x1b(B<a>", "日本<a>"),
        (b"\x1b(J\x5c\x7e\x1b(B\x5c", "¥‾\\"),
        (b"\x1b(I\x31\x1b(B", "ｱ"),
        (b"\x1b$@\x46\x7c\x1b(B", "日"),
        ("日本語ニュース".encode("iso2022_jp"), "日本語ニュース"),
    ],
)
def test_the_states(data: bytes, text: str) -> None:
    assert decode([data]) == text
    for cut in range(len(data) + 1):
        assert decode([data[:cut], data[cut:]]) == text


@given(st.lists(st.sampled_from(PARTS), max_size=10).map(b"".join), st.integers(0, 40))
def test_damage_in_every_cut(data: bytes, cut: int) -> None:
    decoder = charset_decoder(JP, lenient=True)
    whole = decoder.decode(data, True)
    assert decode([data[:cut], data[cut:]]) == whole
    assert decode([data[at : at + 1] for at in range(len(data))]) == whole


def test_a_line_end_within_kanji_is_kept() -> None:
    """Beyond the standard: no line is lost where a document forgets to return to ASCII."""
    assert "\n" in decode([b"\x1b$B\x24\x22\n\x24\x22\x1b(B"])
