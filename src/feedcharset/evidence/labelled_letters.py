"""Text under a label whose letters may be those of another page: quick tests, before the letters are judged.

- Under a western label: the language that the document names, words of non-ASCII bytes, and letters of other
  Latin pages (`may_be_no_western`).
- Under the label of another script: letters that stand one by one in words of a to z (`under_other_script`).
- Where the document names its language: letters of it in another of its pages that the label reads as none
  (`count_misread`).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.decoders import characters_in
from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.charsets.single_byte import SIBLINGS, byte_table
from feedcharset.evidence.alphabets import (
    LETTERS_LOOKED_AT,
    LETTERS_OF_OTHERS,
    ROMANIAN_S,
    TAGGED,
    TURKISH_LETTERS,
    USUAL_TURKISH,
    USUAL_WESTERN,
    VIETNAMESE_LETTERS,
    bits_of,
    page_letters,
)
from feedcharset.evidence.detector import LETTERS_INSIDE
from feedcharset.evidence.language_detector import judged_pages, named_language
from feedcharset.evidence.scripts import (
    ALL_ASCII,
    HIGH,
    LATIN_PAGES,
    LOOKED_AT,
    SAMPLE_BYTES,
    WORD_OF_BYTES,
    usual_of,
)
from feedcharset.evidence.utf8_sequences import CLOSING_MARKS
from feedcharset.results.facts import Detected

NO_CHARACTER = b"\x81\x8d\x8f\x90\x9d"
"""Bytes that are no character in windows-1252."""

SIDE_BY_SIDE = 8
"""Latin letters of which one pair stands side by side, at most. In text hardly any does."""

SOME_LETTERS = 2
"""So many of them may be letters of another Latin page."""

FOREIGN_BYTES = 1
"""Distinct bytes that may be no letters of a language: a name of another one, `½`."""


def may_be_no_western(data: bytes, beginning: bytes, page: str) -> bool:
    """Return True where the letters may be those of no western language: the document names another one, or
    its words consist of non-ASCII bytes, or it has letters of other Latin pages. A quick test.

    Args:
        data: the window.
        beginning: the document's first bytes, as far as they stand before the window.
        page: the superset of the label, one of WESTERN_PAGES.
    """
    sample = data[:LOOKED_AT]
    beyond = sample.translate(None, ALL_ASCII)
    unusual = beyond.translate(None, USUAL_TURKISH if page == "windows-1254" else USUAL_WESTERN)
    if any(map(unusual.__contains__, NO_CHARACTER)):
        return True
    small = page != "windows-1254" and len(data) <= 2 * LOOKED_AT
    word = b"h" * WORD_OF_BYTES
    high = (sample if unusual else sample[:SAMPLE_BYTES]).translate(HIGH)
    in_words = high.rfind(word) >= 0
    # The window begins with a byte that no tag holds, so none stands on both sides.
    for part in (beginning[:TAGGED], data[: TAGGED - len(beginning)]):
        if part.rfind(b"lang") >= 0 and (named := named_language(part, "")[0]):
            written = named.charsets.split()
            if "windows-1252" not in written and page not in written:
                return True
            break  # what a template names, perhaps
    if small and not in_words and not unusual and not data[LOOKED_AT:].translate(None, USUAL_WESTERN):
        return False
    no_letters = page_letters(page)
    looked_at = beyond[:LETTERS_LOOKED_AT] + unusual[:LETTERS_LOOKED_AT]
    letters = bits_of(looked_at.translate(None, no_letters.signs))
    is_western = any(not letters & outside for outside in no_letters.own)
    if in_words and unusual and high.count(word) > 1:
        return not is_western
    if sum(map(beyond.__contains__, VIETNAMESE_LETTERS)) > 1:
        return True
    if is_western:
        return b"\xe3" in beyond and b"\xba" in beyond and ROMANIAN_S.search(sample) is not None
    other = LETTERS_OF_OTHERS
    if page == "windows-1254" and b"\xfd" in beyond:  # Turkish is full of `ı`
        other = other.translate(None, TURKISH_LETTERS)
    if len(beyond) - len(beyond.translate(None, other)) < SOME_LETTERS:
        most = min(FOREIGN_BYTES, letters.bit_count() - SOME_LETTERS)
        return any((letters & outside).bit_count() <= most for outside in no_letters.others)
    return True


def under_other_script(found: Detected | None, data: bytes, in_words: int) -> Detected | None:
    """Return the answer of the letters under a label of another script; None for Latin letters that do not
    stand one by one, as they do in text. A list of rare characters in Big5 is such letters side by side.

    Args:
        found: the answer.
        data: the text that was judged.
        in_words: the number of letters in words of a to z.
    """
    if found is not None and by_name(found.label).page in LATIN_PAGES:
        found = found._replace(in_words=in_words)
        beyond = data[:LOOKED_AT].translate(HIGH)
        if not in_words and SIDE_BY_SIDE * beyond.count(b"hh") > beyond.count(b"h"):
            return None
    return found


RARE_WITHIN, RARE_SHARE = 3, 8
"""So many rare characters within words of a to z, and one in so many of all, show that text is in Latin
letters of another charset: a few are damage."""

_WITHIN_LATIN = lazy_pattern("(?<=[A-Za-z])[^\0-\u02ff\u2000-\u206f]{1,2}(?=[A-Za-z])")


def rare_in_words(data: bytes, charset: Charset) -> bool:
    """Return True where text read in an East Asian charset has rare characters within words: `priｹel`."""
    text, usual = characters_in(charset, data), usual_of(charset.name)
    rare = sum(not usual.issuperset(found) for found in _WITHIN_LATIN.findall(text))
    return rare >= RARE_WITHIN and RARE_SHARE * rare >= len(text) - len(text.encode("ascii", "ignore"))


class Neighbour(NamedTuple):
    """A page of a language, beside that of a label."""

    name: str
    alone: bytes
    """Bytes that are letters of the language in it, and not under the label."""
    labelled: bytes
    """Bytes that are letters of the language under the label, and not in it."""
    others: bytes
    """Bytes that are letters of other languages in it."""
    names: bytes
    """Those of them that the label reads alike: `Málaga`."""
    classes: bytes
    """Of each byte: `g` of `alone` if it is a letter under the label, `s` a mark that stands at words, `e`
    any other of these; `a` a letter under the label; or a space."""


_AT_WORDS = CLOSING_MARKS | set("©§·‚„")

SOME_MISREAD = 2
"""Bytes that show that the letters may be those of another page of the language that is named."""

BESIDE_NAMES = 6
"""So many, beside which names with letters that both pages have show nothing. Fewer may be names."""

_OF_ANOTHER_PAGE = lazy_pattern(rb"g|[es](?:(?<=[ag].)(?=[ag])|(?<=[ag]e)|(?<=e)(?=[ag]))")
"""A letter of another page, a sign within a word, or one before or after it that stands at no word."""


@cache
def neighbours_of(label: Charset, language: str) -> tuple[Neighbour, ...]:
    """Return the single-byte pages of a language that have other letters of it than the page of a label: a
    closed table, so the cache cannot grow. Cyrillic pages are told apart by how frequent letters are."""
    read = byte_table(label.superset, True)
    found = []
    for page in judged_pages():
        letters = {char for one in page.alphabets if one.language.name == language for char in one.costs}
        letters -= {"ÿ"}  # where ISO-8859-13 has an apostrophe
        there = {byte for byte, char in enumerate(page.characters) if byte > 0x7F and char in letters}
        here = {byte for byte, char in enumerate(read) if byte > 0x7F and char in letters}
        known = SIBLINGS.get(label.name) == page.charset.name or page.charset.page == label.page == "cyrillic"
        usual = "".join(one.language.letters[:5] for one in page.alphabets if one.language.name == language)
        # `È` in German and Irish, which both pages write alike but for names, is `Č` of one.
        rare_alone = not any(page.characters[byte].lower() in usual for byte in there - here)
        if there - here and not (known or (rare_alone and page.charset.name == "windows-1252")):
            classes = bytearray(0x61 if char.isalpha() else 0x20 for char in read)
            for byte in there - here:
                char = read[byte]
                if char not in "øæ":  # of names: `Sørloth`, `Ødegaard`
                    at_words = char in _AT_WORDS or char in "ØÆ"
                    classes[byte] = ord("s" if at_words else "g" if char.isalpha() else "e")
            alone, labelled = bytes(there - here), bytes(here - there)
            others = {
                byte for byte, char in enumerate(page.characters) if byte > 0x7F and char.isalpha()
            } - there
            alike = (byte for byte in others if page.characters[byte] == read[byte])
            found.append(
                Neighbour(page.charset.name, alone, labelled, bytes(others), bytes(alike), bytes(classes))
            )
    return tuple(found)


def _count_only(data: bytes, members: bytes) -> int:
    return len(data) - len(data.translate(None, members))


def count_misread(data: bytes, page: Neighbour) -> tuple[int, int]:
    """Return how many bytes of a text are letters of the language in a page alone, signs within words among
    them, and how many are distinct; 0 where they are few, or hardly more than those under the label alone, or
    than letters of other languages in it."""
    if _count_only(data, page.alone) < SOME_MISREAD:
        return 0, 0
    found = [data[place.start()] for place in _OF_ANOTHER_PAGE.finditer(data.translate(page.classes))]
    others = _count_only(data, page.labelled) + _count_only(data, page.others)
    if len(found) >= BESIDE_NAMES:
        others -= _count_only(data, page.names)
    elif page.name == "windows-1252":  # a name begins so: `Čapek` in French has `È`
        found = [byte for byte in found if not 0xC0 <= byte <= 0xDE]
    least = max(SOME_MISREAD, LETTERS_INSIDE * others)
    return (len(found), len(set(found))) if len(found) >= least else (0, 0)
