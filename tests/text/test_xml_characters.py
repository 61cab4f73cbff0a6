"""Characters that XML 1.0 §2.2 forbids."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each
from support.xml_characters import is_char

from feedcharset.results import Repairs
from feedcharset.text.repair_log import RepairLog
from feedcharset.text.xml_characters import XmlCharFilter, clean, has_forbidden, positions

REPLACEMENTS = {"replace": "\ufffd", "space": " ", "drop": ""}
LEGAL = "\t\n\r \x7f\x80\x85\x9f\ud7ff\ue000\ufdd0\ufffd\U00010000\U0001fffe\U0001ffff\U0010ffff"


def test_every_code_point() -> None:
    """[2] Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]"""
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    forbidden = [number for number in range(sys.maxunicode + 1) if not is_char(number)]
    assert list(positions(everything)) == forbidden
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


def test_the_filter_counts_without_places() -> None:
    log = RepairLog()
    replace, keep = XmlCharFilter("replace", log), XmlCharFilter("keep", log)
    assert [replace.feed("a\0b"), replace.feed("c"), keep.feed("\0")] == ["a\ufffdb", "c", "\0"]
    assert log.repairs == Repairs(1, (), (("xml-chars", 1),))


def test_unknown_policies_are_refused() -> None:
    with pytest.raises(ValueError, match="'keep', 'replace', 'space', 'drop'"):
        XmlCharFilter("remove", RepairLog())
