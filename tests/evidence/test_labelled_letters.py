"""Text under a label whose letters may be those of another page."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from support.each import each

from feedcharset.charsets.lookup import by_name
from feedcharset.charsets.single_byte import byte_table
from feedcharset.evidence.alphabets import (
    COMMA_BELOW,
    LANGUAGES,
    bits_of,
    page_letters,
)
from feedcharset.evidence.labelled_letters import count_read_otherwise, may_be_western, neighbours_of
from feedcharset.evidence.scripts import LOOKED_AT
from feedcharset.evidence.window import Window

WESTERN = by_name("windows-1252")


def test_the_first_byte_of_a_page_may_be_a_letter_of_its_own() -> None:
    """80 is Ђ in windows-1251, of the Cyrillic languages in Serbian alone, and € in windows-1252."""
    for language, is_letter in (("Serbian", True), ("Bulgarian", False)):
        (page,) = (one for one in neighbours_of(WESTERN, language) if one.name == "windows-1251")
        assert (b"\x80" in page.alone, b"\x80" in page.others) == (is_letter, not is_letter)


@each("size", [400, LOOKED_AT, LOOKED_AT + 9, 2 * LOOKED_AT, 2 * LOOKED_AT + 1, 1 << 15])
@each("language", ["", "<language>pl</language>", "<language>ru</language>"])
def test_usual_western_letters_are_judged_where_another_language_is_named(size: int, language: str) -> None:
    """A small document in which only usual ones stand is known at once, with the same answer as a large one;
    so is one with another letter behind the bytes that are looked at."""
    letters = (" é … “œ” ÉÀ ª ç" * size).encode("cp1252")[1:size]
    beginning = f"<rss>{language}<title>".encode()
    for added in (b"", b" \xe3"):
        for label in ("windows-1252", "ISO-8859-15"):
            window = Window(letters + added, ends=True, beginning=beginning, detector="letters")
            assert window.may_be_another(by_name(label)) == bool(language)


@given(st.frozensets(st.integers(0x80, 0xFF), max_size=40), st.sampled_from(["windows-1252", "windows-1254"]))
@example(frozenset(b"\xe9\xe8"), "windows-1252")
@example(frozenset(), "windows-1254")
def test_letters_outside_of_each_language_are_counted_one_by_one(letters: frozenset[int], page: str) -> None:
    """The reference asks for each language and each byte whether the character is one of its letters."""
    known = page_letters(page)
    letters -= frozenset(known.signs)
    read = byte_table(page, True)
    expected_own, expected_others = [], []
    for row in LANGUAGES:
        alphabet = {*row.letters, *row.letters.upper()}
        alphabet |= {COMMA_BELOW[letter] for letter in alphabet & COMMA_BELOW.keys()}
        if not row.beyond or "=" in alphabet:
            continue
        all_there = all(letter in read or COMMA_BELOW.get(letter, letter) in read for letter in row.letters)
        if all_there:
            expected_own.append(sum(read[byte] not in alphabet for byte in letters))
            continue
        for name in row.charsets.split():
            if name.startswith(("windows-", "ISO-")):
                there = byte_table(by_name(name).superset, True)
                expected_others.append(sum(there[byte] not in alphabet for byte in letters))
    bits = bits_of(bytes(letters))
    assert [(bits & outside).bit_count() for outside in known.own] == expected_own
    assert [(bits & outside).bit_count() for outside in known.others] == expected_others


@each(
    ("page", "text", "asked"),
    [
        ("windows-1250", "très près dès après père", True),
        ("ISO-8859-2", "très près dès après père", True),
        ("windows-1257", "très près dès après père", False),
        ("windows-1250", "très près dès après pére", False),  # four
        ("windows-1250", "très près dès après père, Søren", True),  # one letter of another language
        ("windows-1250", "très près dès après père, ñ ø ß ð þ", False),
        ("windows-1250", "très près dès après père, Škoda", True),
        ("windows-1250", "très près dès après père, Škoda, š, ž", False),
        ("windows-1250", "não são mão vão implicitã", True),  # most of these letters are in `ão`
        ("windows-1250", "não são implicitã Gyõr sã", False),
        ("windows-1250", "¿Qué? ¿Cómo? ¿Dónde? ¿Cuándo? ¿Quién?", True),
        ("ISO-8859-2", "»Größe« und »Maß« für »Länge«", True),
    ],
)
def test_when_it_is_asked_whether_text_is_western(page: str, text: str, asked: bool) -> None:
    assert may_be_western(text.encode("cp1252"), page) is asked


@each(
    ("text", "words"),
    [
        ("très près très à la « fête »", 3),
        ("«Größe» »Maß«", 2),
        ("¿qué? été", 1),
        ("l'été", 0),
    ],
)
def test_words_that_a_page_reads_otherwise(text: str, words: int) -> None:
    """Each once; signs that stand alone are no words."""
    assert count_read_otherwise(text.encode("cp1252"), "ISO-8859-2") == words
