"""Markup and runs of text, in documents as they are found."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from support.each import each

from feedcharset.text.markup import MarkupTokenizer

CASES = [
    ("a<b>c", ["a", "c"]),
    ("<a b='c' d=\"e\">f</a>", ["c", "e", "f"]),
    ("<!-- x --><a/>y", ["y"]),
    ("<![CDATA[z]]]]>w", ["z]]", "w"]),
    ("<?p q?>r", ["r"]),
    ("<!DOCTYPE a [<!ENTITY b 'c>'>]>d", ["d"]),
    ("1 < 2", ["1 ", " 2"]),
    ("<a b='c<d>e", ["a b='c", "e"]),
    ("<a b\nc d>e</a\n>", ["a b\nc d>e"]),
    ("<!--a<b>c", ["!--a", "c"]),
    ("<?a<b>c", ["?a", "c"]),
    ("<!a [<!--<b>c", ["!a [", "!--", "c"]),
    ("<a b='c>'>d", ["c>", "d"]),
    ("&amp;<a>&b;</a>", ["&amp;", "&b;"]),
]


def runs(text: str, sizes: list[int] | None = None) -> list[str]:
    """The runs of text of a document that comes in pieces."""
    tokenizer, found, start, known = MarkupTokenizer(), [""], 0, ""
    for at, size in enumerate([*(sizes or []), len(text)]):
        last = at == len(sizes or [])
        tokenizer.forget()
        known = text if last else text[: max(len(known), min(size, len(text)))]
        while start < len(known):
            token = tokenizer.next(known, start, last)
            if token.end == start:
                break
            if token.run:
                found[-1] += known[start : token.end]
            if not token.run or token.whole:
                found.append("")
            start = token.end
    return [run for run in found if run]


@each(("text", "expected"), CASES)
def test_the_runs_of_text(text: str, expected: list[str]) -> None:
    assert runs(text) == expected


@each(("text", "expected"), CASES)
def test_the_same_cut_at_every_character(text: str, expected: list[str]) -> None:
    for cut in range(len(text)):
        assert "".join(runs(text, [cut])) == "".join(expected)


@given(st.text("<>/!-?[]'\" ab&;CDAT", max_size=40))
def test_the_tokenizer_never_fails_and_reaches_the_end(text: str) -> None:
    tokenizer, start = MarkupTokenizer(), 0
    while start < len(text):
        token = tokenizer.next(text, start, True)
        assert token.end > start
        start = token.end
    assert start == len(text)
