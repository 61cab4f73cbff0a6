"""What the decoders of one document share: the position in lines, and the text before the next piece."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedcharset.errors import DecodeError
from feedcharset.text.base_decoder import Utf8Damage
from feedcharset.text.repair_log import RepairLog
from feedcharset.text.utf8_decoder import Utf8Decoder


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


def test_the_last_characters_are_kept() -> None:
    damage = Utf8Damage("x" * 40)
    damage.keep("abc")
    assert damage.before == "x" * 29 + "abc"
    damage.keep("y" * 50)
    assert damage.before == "y" * 32
