"""Very many short texts."""

from __future__ import annotations

import pytest

from feedcharset.charsets.text_parts import PARTS, join_parts


@pytest.mark.parametrize("number", [0, 1, PARTS - 1, PARTS, PARTS + 1, 3 * PARTS])
def test_all_are_joined(number: int) -> None:
    texts = [str(at) if at % 3 else "" for at in range(number)]
    assert join_parts(iter(texts)) == "".join(texts)
    assert join_parts([*[""] * PARTS, "a"]) == "a"
