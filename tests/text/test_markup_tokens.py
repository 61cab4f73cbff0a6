"""Markup and runs of text, in documents as they are found."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each

from feedcharset.text import mojibake

CASES = [
    ("a<b>c", ["a", "c"]),
    ("<a b='c' d=\"e\">f</a>", ["c", "e", "f"]),
    ("<!-- x --><a/>y", ["y"]),
    ("<![CDATA[z]]]]>w", ["z]]", "w"]),
    ("<?p q?>r", ["r"]),
    ("<!DOCTYPE a [<!ENTITY b 'c'>]>d", ["!DOCTYPE a [", "]>d"]),
    ("1 < 2", ["1 ", " 2"]),
    ("<a b='c<d>e", ["a b='c", "e"]),
    ("<a b\nc d>e</a\n>", ["a b\nc d>e"]),
    ("<!--a<b>c", ["!--a", "c"]),
    ("<?a<b>c", ["?a", "c"]),
    ("<!a [<!--<b>c", ["!a [", "!--", "c"]),
    ("<a b='c>'>d", ["c>", "d"]),
    ("&amp;<a>&b;</a>", ["&amp;", "&b;"]),
]


def runs(text: str, cut: int = 0) -> list[str]:
    """The runs of text of a document that comes in two pieces: what is judged where all of it is doubtful."""
    found: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mojibake, "lead_and_continuation", lambda: re.compile(""))
        patch.setattr(mojibake, "fix_run", lambda run: found.append(run) or [])
        fixer = mojibake.MojibakeFixer()
        fixed = [fixer.feed("<r>" + text[:cut]), fixer.feed(text[cut:], True)]
    assert "".join(one.text for one in fixed) == "<r>" + text
    return found


@each(("text", "expected"), CASES)
def test_the_runs_of_text(text: str, expected: list[str]) -> None:
    assert runs(text) == expected


@each(("text", "expected"), CASES)
def test_the_same_cut_at_every_character(text: str, expected: list[str]) -> None:
    for cut in range(len(text)):
        assert runs(text, cut) == expected


@given(st.text("<>/!-?[]'\" ab&;CDAT", max_size=40))
def test_it_never_fails_and_reaches_the_end(text: str) -> None:
    assert runs(text, 9) == runs(text)
