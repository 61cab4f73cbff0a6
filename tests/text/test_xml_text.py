"""The declaration is blanked, and characters that XML 1.0 §2.2 forbids are replaced."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load
from support.each import each
from support.xml_characters import is_char

from feedcharset import XmlDecoder, decode
from feedcharset.evidence.declaration import DECLARATION_LIMIT
from feedcharset.text.xml_text import (
    CACHED_PART,
    FORBIDDEN,
    DeclarationBlanker,
    blank_text,
    clean,
    has_forbidden,
)

CASES = load("blanking")
LONG = f'<?xml version="1.0"{" " * DECLARATION_LIMIT}encoding="x"?><a/>'
PARTS = [
    "<?xml",
    " ",
    "\n",
    "version",
    "encoding",
    "=",
    '"',
    "'",
    "1.0",
    "x",
    "?",
    ">",
    "<",
    "-stylesheet",
    "é",
]
DOCUMENTS = st.lists(st.sampled_from(PARTS), max_size=25).map(lambda parts: "<?xml" + "".join(parts))


def pieces(parts: list[str]) -> list[str]:
    """What comes out for each part, and at the end."""
    blanker = DeclarationBlanker()
    return [*[blanker.feed(part) for part in parts], blanker.feed("", True)]


@each("case", CASES, ids=lambda case: case["why"])
def test_blanking(case: dict[str, str]) -> None:
    text, blanked = case["text"], case["blanked"]
    assert blank_text(text) == blanked
    for cut in range(len(text) + 1):
        assert "".join(pieces([text[:cut], "", text[cut:]])) == blanked
    assert "".join(pieces(list(text))) == blanked


def test_a_declaration_that_ends_behind_its_limit_loses_its_label() -> None:
    """The label was used: a parser would use it again."""
    for spaces in (DECLARATION_LIMIT - 50, DECLARATION_LIMIT, 9_000):
        start, end = "<?xml version='1.0' encoding='ISO-8859-1'", f"{' ' * spaces}?><a>é</a>"
        expected = "<?xml version='1.0'".ljust(len(start)) + end
        assert blank_text(start + end) == expected
        assert decode((start + end).encode("latin-1")).text == expected
        decoder = XmlDecoder()
        found = [decoder.decode((start + end).encode("latin-1")[at : at + 7]) for at in range(0, 9100, 7)]
        assert "".join([*found, decoder.decode(b"", True)]) == expected
    assert blank_text("<?xml version='1.0'".ljust(5000)) == "<?xml version='1.0'".ljust(5000)


@each("case", CASES, ids=lambda case: case["why"])
def test_strict_blanking_leaves_what_is_out_of_grammar(case: dict[str, str]) -> None:
    """A strict parser still refuses it: W3C's not-wf-sa-095, -096, -101 and -152 are among the cases."""
    text, blanked = case["text"], case["strict"]
    assert blank_text(text, lenient=False) == blanked
    for cut in range(len(text) + 1):
        blanker = DeclarationBlanker(lenient=False)
        parts = [blanker.feed(text[:cut]), blanker.feed(text[cut:]), blanker.feed("", True)]
        assert "".join(parts) == blanked


@given(DOCUMENTS)
def test_length_and_line_ends_stay(text: str) -> None:
    """Every line and every column stays."""
    blanked = blank_text(text)
    assert len(blanked) == len(text)
    assert all(
        new in (old, " ") and (old == new or old not in "\r\n")
        for old, new in zip(text, blanked, strict=True)
    )


@given(DOCUMENTS, st.data())
def test_the_pieces_do_not_matter(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    assert "".join(pieces([text[:cut], text[cut:]])) == blank_text(text)
    assert "".join(pieces(list(text))) == blank_text(text)


@given(DOCUMENTS)
def test_bytes_and_text_agree(text: str) -> None:
    """Also where the declaration is blanked in the bytes."""
    assert decode(text.encode()).text == blank_text(text)


def test_what_follows_the_limit_is_left() -> None:
    assert blank_text(LONG) == LONG
    assert decode(LONG.encode()).text == LONG
    assert "".join(pieces([LONG[:1000], LONG[1000:]])) == LONG


def test_no_more_is_held_back_than_the_limit() -> None:
    out = pieces(list(LONG))
    assert out[: DECLARATION_LIMIT - 1] == [""] * (DECLARATION_LIMIT - 1)
    assert out[DECLARATION_LIMIT - 1] == LONG[:DECLARATION_LIMIT]


@pytest.mark.parametrize("text", ["<rss>", "<?php", " <?xml", "x"])
def test_what_is_no_declaration_is_not_held_back(text: str) -> None:
    assert "".join(pieces(list(text))[:-1]) == text


def test_what_follows_is_returned_unchanged() -> None:
    blanker = DeclarationBlanker()
    assert [blanker.feed("<?xml"), blanker.feed("-stylesheet?>")] == ["", "<?xml-stylesheet?>"]
    assert blanker.feed("<?xml encoding='x'?>") == "<?xml encoding='x'?>"


REPLACEMENTS = {"replace": "\ufffd", "space": " ", "drop": ""}
LEGAL = "\t\n\r \x7f\x80\x85\x9f\ud7ff\ue000\ufdd0\ufffd\U00010000\U0001fffe\U0001ffff\U0010ffff"


@pytest.mark.long
def test_every_code_point() -> None:
    """[2] Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]"""
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    forbidden = [number for number in range(sys.maxunicode + 1) if not is_char(number)]
    assert [match.start() for match in FORBIDDEN.finditer(everything)] == forbidden
    text, count = clean(everything, "drop")
    assert count == len(forbidden)
    assert not has_forbidden(text)
    assert len(text) == len(everything) - count


@each("number", [n for n in range(0x20) if not is_char(n)] + [0xD800, 0xDFFF, 0xFFFE, 0xFFFF])
@each("around", ["", "a", "é", "€", "😀"])
def test_each_forbidden_character(number: int, around: str) -> None:
    text = around + chr(number) + around
    assert has_forbidden(text)
    for xml_chars, replacement in REPLACEMENTS.items():
        assert clean(text, xml_chars) == (around + replacement + around, 1)


@each("number", [n for n in range(0x20) if not is_char(n)] + [0xFFFE])
def test_a_forbidden_character_in_a_long_text(number: int) -> None:
    for before in (CACHED_PART - 1, CACHED_PART, 2 * CACHED_PART + 1):
        assert has_forbidden("x" * before + chr(number) + "x")
    assert not has_forbidden("x" * 2 * CACHED_PART)


@pytest.mark.parametrize("xml_chars", REPLACEMENTS)
def test_legal_characters_stay(xml_chars: str) -> None:
    for text in ("", LEGAL, *LEGAL):
        assert not has_forbidden(text)
        assert clean(text, xml_chars) == (text, 0)


@given(st.text(st.characters(codec=None, categories=None)))
def test_clean_text_is_xml(text: str) -> None:
    """A document is well-formed only where every character matches Char."""
    for xml_chars, replacement in REPLACEMENTS.items():
        expected = "".join(char if is_char(ord(char)) else replacement for char in text)
        assert clean(text, xml_chars) == (expected, sum(not is_char(ord(char)) for char in text))
    assert has_forbidden(text) == any(not is_char(ord(char)) for char in text)
