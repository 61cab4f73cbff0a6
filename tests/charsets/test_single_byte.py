"""Single-byte charsets, EBCDIC included: the table of 256 characters."""

from __future__ import annotations

import unicodedata

import pytest
from support.each import each

from feedcharset.charsets.lookup import NAMES, by_name
from feedcharset.charsets.single_byte import EBCDIC_PAGES, EURO_PAGES, SingleByteDecoder, byte_table

EVERY = bytes(range(256))
SINGLE = [name for name in NAMES if by_name(name).family in ("US-ASCII", "single", "EBCDIC")]
WITH_CODEC = [name for name in SINGLE if by_name(name).codec and name != "IBM864"]


@each("name", WITH_CODEC)
def test_strict_is_pythons_codec(name: str) -> None:
    """Byte by byte; an undefined byte is its surrogate."""
    codec = by_name(name).codec or ""
    assert byte_table(name, False) == "".join(
        EVERY[byte : byte + 1].decode(codec, "ignore") or chr(0xDC00 + byte) for byte in range(256)
    )


@each("name", SINGLE)
@each("lenient", [False, True])
def test_a_page_has_256_entries_and_no_character_of_markup_twice(name: str, lenient: bool) -> None:
    table = byte_table(name, lenient)
    assert len(table) == 256
    for sign in "<>&'\"=":
        assert table.count(sign) == 1, sign


@pytest.mark.parametrize(
    ("name", "byte", "character"),
    [
        ("IBM1047", 0xAD, "["),
        ("IBM1047", 0x15, "\n"),
        ("IBM037", 0x25, "\n"),
        ("IBM01140", 0x9F, "€"),
        ("IBM01141", 0x9F, "€"),
        ("IBM273", 0x4A, "Ä"),
        ("IBM297", 0x4A, "°"),
        ("IBM1026", 0xFC, '"'),
    ],
)
def test_ebcdic_pages(name: str, byte: int, character: str) -> None:
    """IBM's character data (CDRA), at bytes in which the pages differ."""
    assert byte_table(name, False)[byte] == character


@pytest.mark.parametrize(
    ("name", "byte", "character"),
    [
        ("ISO-8859-2", 0x8A, "Š"),
        ("ISO-8859-7", 0x93, "“"),
        ("ISO-8859-8", 0x94, "”"),
        ("ISO-8859-13", 0x84, "„"),
        ("KOI8-U", 0xAE, "ў"),
        ("windows-1255", 0xCA, "\u05ba"),
        ("windows-1252", 0x81, "\x81"),
    ],
)
def test_lenient_pages(name: str, byte: int, character: str) -> None:
    assert byte_table(name, True)[byte] == character
    assert byte_table(name, False)[byte] != character


def test_nel_is_a_line_end_in_xml_1_1() -> None:
    assert byte_table("ISO-8859-2", True, True)[0x85] == "\x85"
    assert byte_table("ISO-8859-2", True)[0x85] == "…"


@each("name", [name for name in SINGLE if by_name(name).windows_page])
def test_a_c1_control_is_left_where_the_windows_page_has_nothing(name: str) -> None:
    page, undefined = byte_table(name, True), byte_table(by_name(name).windows_page, False)
    for byte in range(0x80, 0xA0):
        control = unicodedata.category(page[byte]) == "Cc"
        assert control is (undefined[byte] == chr(0xDC00 + byte)), hex(byte)


def test_a_decoder_holds_nothing_back() -> None:
    decoder = SingleByteDecoder(by_name("KOI8-R"), lenient=True)
    assert decoder.decode(memoryview("Привет".encode("koi8-r"))) == "Привет"
    assert decoder.decode(b"ascii") == "ascii"
    assert (decoder.pending, decoder.byte_counter()(5)) == (b"", 5)


LATIN_1 = frozenset(map(chr, range(256)))
OTHER_REPERTOIRES = ("IBM870", "IBM918")  # Latin-2 and Urdu
PAGES = (*EBCDIC_PAGES, *EURO_PAGES)


@each("name", PAGES)
def test_letters_digits_and_the_space_are_where_ebcdic_has_them(name: str) -> None:
    page, ibm037 = byte_table(name, False), byte_table("IBM037", False)
    for character in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 <>?=/":
        assert page.index(character) == ibm037.index(character), character


@each("name", [name for name in PAGES if name not in OTHER_REPERTOIRES])
def test_a_page_holds_the_characters_of_latin_1(name: str) -> None:
    """The pages 1140 to 1149 have the euro sign for the currency sign."""
    expected = LATIN_1 - {"¤"} | {"€"} if name.startswith("IBM0114") else LATIN_1
    assert frozenset(byte_table(name, False)) == expected


@pytest.mark.parametrize("name", OTHER_REPERTOIRES)
def test_another_repertoire_has_each_character_once(name: str) -> None:
    page = byte_table(name, False)
    characters = [character for character in page if not 0xDC00 <= ord(character) <= 0xDCFF]
    assert len(characters) == len(set(characters))
