"""The table of languages: closed, complete, and such that `language_detector` can read it."""

from __future__ import annotations

import unicodedata

from support.each import each

from feedcharset.charsets.lookup import by_name
from feedcharset.evidence.alphabets import LANGUAGES, Language


def test_a_tag_and_a_domain_stand_in_one_row() -> None:
    for column in ("tags", "domains"):
        words = [word.lower() for language in LANGUAGES for word in getattr(language, column).split()]
        assert len(words) == len(set(words))
    assert len({language.name for language in LANGUAGES}) == len(LANGUAGES)


@each("language", LANGUAGES, ids=lambda one: one.name)
def test_a_row(language: Language) -> None:
    charsets = [by_name(name) for name in language.charsets.split()]
    assert charsets
    assert all(charset.family in ("single", "CJK") and charset.codec for charset in charsets)
    letters = language.letters.removeprefix("=")
    assert len(set(letters)) == len(letters) > 0
    assert all(unicodedata.category(letter)[0] in "LM" and letter == letter.lower() for letter in letters)
    assert language.bits == "" or (len(language.bits) == 26 and set(language.bits) <= set("23456789"))
    latin = charsets[0].page in ("western", "central", "latin")
    assert (0 < language.beyond < 30) is latin
    # Each charset but the first writes most of the letters, too: they are in the order of their frequency.
    codec = charsets[0].codec or ""
    frequent = letters[: len(letters) // 2]
    assert len(frequent.encode(codec, "ignore").decode(codec)) >= len(frequent) * 0.6
