"""EBCDIC code pages without a codec in Python: permutations of the same characters."""

from __future__ import annotations

import pytest

from feedcharset.charsets.ebcdic_pages import EBCDIC_PAGES
from feedcharset.charsets.single_byte import byte_table

LATIN_1 = frozenset(map(chr, range(256)))
OTHER_REPERTOIRES = ("IBM870", "IBM918")  # Latin-2 and Urdu


@pytest.mark.parametrize("name", EBCDIC_PAGES)
def test_letters_digits_and_the_space_are_where_ebcdic_has_them(name: str) -> None:
    page, ibm037 = byte_table(name, False), byte_table("IBM037", False)
    for character in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 <>?=/":
        assert page.index(character) == ibm037.index(character), character


@pytest.mark.parametrize("name", [name for name in EBCDIC_PAGES if name not in OTHER_REPERTOIRES])
def test_a_page_holds_the_characters_of_latin_1(name: str) -> None:
    """The pages 1140 to 1149 have the euro sign for the currency sign."""
    expected = LATIN_1 - {"¤"} | {"€"} if name.startswith("IBM0114") else LATIN_1
    assert frozenset(byte_table(name, False)) == expected


@pytest.mark.parametrize("name", OTHER_REPERTOIRES)
def test_another_repertoire_has_each_character_once(name: str) -> None:
    page = byte_table(name, False)
    characters = [character for character in page if not 0xDC00 <= ord(character) <= 0xDCFF]
    assert len(characters) == len(set(characters))
