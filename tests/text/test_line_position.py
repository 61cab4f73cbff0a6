"""Lines and columns, held against splitting the whole text."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from feedcharset.text.line_position import LinePosition


@given(st.lists(st.text(st.sampled_from("ab\r\n\né"), max_size=8), max_size=6))
def test_a_line_ends_at_lf_crlf_or_cr(parts: list[str]) -> None:
    """However the text is cut, the position is that in the whole text; a copy moves by itself."""
    position = LinePosition()
    for part in parts:
        before = position.copy()
        position.advance(part)
        before.advance(part)
        assert (before.line, before.column) == (position.line, position.column)
    text = "".join(parts)
    lines = re.split("\r\n|\r|\n", text)
    assert (position.line, position.column) == (len(lines), len(lines[-1]) + 1)
