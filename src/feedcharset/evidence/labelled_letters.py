"""Text under a label whose letters may be those of another page: quick tests, before the letters are judged.

- Under a western label: the language that the document names, words of non-ASCII bytes, and letters of other
  Latin pages (`may_be_no_western`).
- Under the label of another script: letters that stand one by one in words of a to z (`under_other_script`).
- Where the document names its language: letters of it in another of its pages that the label reads as none
  (`count_misread`).
- Under the label of an ISO page, a Windows page or KOI8-R: bytes that only the sibling of the page has
  (`sibling_bytes`), or that stand where only its letters stand (`BY_PLACE`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.decoders import characters_in
from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.charsets.single_byte import NO_CHARACTER, byte_table
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
from feedcharset.evidence.damaged_utf8 import CLOSING_MARKS
from feedcharset.evidence.detector import CENTRAL_PAGES, LETTERS_INSIDE
from feedcharset.evidence.language_detector import judged_pages
from feedcharset.evidence.scripts import (
    ALL_ASCII,
    HIGH,
    LATIN_PAGES,
    LOOKED_AT,
    PRICE,
    SAMPLE_BYTES,
    WORD_OF_BYTES,
    named_language,
    usual_of,
)
from feedcharset.results.facts import Detected

SIDE_BY_SIDE = 8
"""Latin letters of which one pair stands side by side, at most. In text hardly any does."""

SOME_LETTERS = 2
"""So many of them may be letters of another Latin page."""

FOREIGN_BYTES = 1
"""Distinct bytes that may be no letters of a language: a name of another one, `½`."""
FOREIGN_SHARE = 3
"""Of western text under a label of central Europe one in so many may be: `Núñez` in Danish."""


class _Unlike(NamedTuple):
    """Letters beside others, as windows-1252 reads them, by which text is hardly western; sets of bytes as in
    `bits_of`."""

    some: int
    least: int
    """How many of these are there."""
    beside: int
    """One of these is there, if there are any."""
    without: int
    """None of these is: the languages that have the others have these, too."""


def _unlike(some: str, least: int, beside: str, without: str) -> _Unlike:
    first, second, third = (bits_of((one + one.upper()).encode("cp1252")) for one in (some, beside, without))
    return _Unlike(first, least, second, third)


_UNLIKE_WESTERN = (
    _unlike("ðýþ", 2, "", "áíóúæ"),  # Turkish; Icelandic has the others
    _unlike("èæð", 2, "", "áàâéêíîóôåäöüøëñ"),  # Croatian
    _unlike("æêñœ³¹¿", 2, "", "áàâäåéèíîôöüø"),  # Polish
    _unlike("øìùòï", 1, "áíý", "àâãçêëîñõûæåð"),  # Czech and Slovak
    _unlike("õû", 1, "á", "ãàâçêîèæñä"),  # Hungarian
    _unlike("ëàæøûðþè", 3, "", "äâåéêîíñòôöóü"),  # Lithuanian
    _unlike("ðø", 2, "", "äåæéíóöúü"),  # and without the others; Faroese has these
    _unlike("âçîïòìûèðþ", 3, "", "áàäéêëñôöóùü"),  # Latvian
)

ROMANIAN_LETTERS = 4
"""So many `ã`, and none of the other letters of Portuguese, may be `ă` of Romanian: a name has one or two."""
_PORTUGUESE_LETTERS = bits_of("áàéêíóôõúçÁÀÉÊÍÓÔÕÚÇñªº".encode("cp1252"))

_SIGN_OF_WORD = lazy_pattern(rb"[\xa3\xa9\xae][a-z]{2}")
"""`Š`, `Ž` and `Ł` of ISO-8859-2, which begin a word."""


_OF_OTHERS = b"\xa9\xae\xe3" + bytes(
    byte for byte in range(0x80, 0x100) if any(row.some >> byte & 1 for row in _UNLIKE_WESTERN)
)
"""The bytes that matter below: most German, Spanish and Swedish text has none."""


def _is_unlike_western(sample: bytes, beyond: bytes) -> bool:
    """Return True where letters stand beside others that no western language has there. A quick test."""
    if len(beyond.translate(None, _OF_OTHERS)) == len(beyond):
        return False
    letters = bits_of(beyond[:LETTERS_LOOKED_AT])
    for some, least, beside, without in _UNLIKE_WESTERN:
        is_there = (letters & some).bit_count() >= least and (not beside or letters & beside)
        if is_there and not letters & without:
            return True
    if beyond.count(0xE3) >= ROMANIAN_LETTERS and not letters & _PORTUGUESE_LETTERS:
        return True
    return any(map(beyond.__contains__, b"\xa9\xae")) and _SIGN_OF_WORD.search(sample) is not None


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
    if page != "windows-1254" and _is_unlike_western(sample, beyond):
        return True
    # Most western documents of some KB: what follows gives the same, and takes twice as long.
    if small and not in_words and not unusual and not data[LOOKED_AT:].translate(None, USUAL_WESTERN):
        return False
    no_letters = page_letters(page)
    looked_at = beyond[:LETTERS_LOOKED_AT] + unusual[:LETTERS_LOOKED_AT]
    letters = bits_of(looked_at.translate(None, no_letters.signs))
    is_western = any(not letters & outside for outside in no_letters.own)
    if in_words and high.count(word) > 1:
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


_CENTRAL_LETTERS = LETTERS_OF_OTHERS.translate(None, b"\xf0\xfd\xfe")  # Icelandic has these three
_SMALL_NASALS = bytes.maketrans(b"\xc3\xd5EO", b"\xe3\xf5eo")
_PORTUGUESE = (b"\xe3o", b"\xe3e", b"\xf5e")
"""`ão`, `ãe` and `õe`, as most of these are there; in Romanian they are `ă`, in Hungarian `ő`."""
READ_OTHERWISE = 5
"""Letters or quotation marks that a central European page reads otherwise than windows-1252, at least, where
it is asked whether the text is western."""


class WesternBytes(NamedTuple):
    """What distinguishes windows-1252 from another Latin page."""

    alike: bytes
    """ASCII, and bytes that are no letter or quotation mark in windows-1252, or the same one in the page."""
    words: bytes
    """A table that translates what stands in no word of windows-1252 into spaces."""


@cache
def western_bytes(page: str) -> WesternBytes:
    western, own = byte_table("windows-1252", True), byte_table(page, True)
    of_words = [char.isalpha() or char in "¿¡«»" for char in western]
    alike = bytes(byte for byte in range(0x100) if not of_words[byte] or western[byte] == own[byte])
    return WesternBytes(alike, bytes(byte if of_words[byte] else 0x20 for byte in range(0x100)))


def may_be_western(data: bytes, page: str) -> bool:
    """Return True where the text may be western under the label of a central European page: READ_OTHERWISE
    bytes are read otherwise, and a western language has all letters but FOREIGN_BYTES, or one in
    FOREIGN_SHARE. A quick test."""
    if page not in CENTRAL_PAGES or sum(map(data.__contains__, _CENTRAL_LETTERS)) > FOREIGN_BYTES:
        return False
    if len(data.translate(None, western_bytes(page).alike)) < READ_OTHERWISE:
        return False
    small = data.translate(_SMALL_NASALS)
    nasals = small.count(0xE3) + small.count(0xF5)
    if nasals and 2 * sum(map(small.count, _PORTUGUESE)) < nasals:
        return False
    known = page_letters("windows-1252")
    letters = bits_of(data.translate(None, ALL_ASCII + known.signs)[:LETTERS_LOOKED_AT])
    most = max(FOREIGN_BYTES, letters.bit_count() // FOREIGN_SHARE)
    return any((letters & outside).bit_count() <= most for outside in known.own)


BEGIN_ALIKE = 5
"""Letters by which words are distinct here: on a page of a dictionary all begin alike (`přisekat`)."""


def count_read_otherwise(data: bytes, page: str) -> int:
    """Count the distinct words of windows-1252 that a page reads otherwise. A sign that stands alone is none
    (`« »`), and words of one beginning count once."""
    alike, table = western_bytes(page)
    words = data.translate(table).split()
    return len({word[:BEGIN_ALIKE] for word in words if len(word) > 1 and word.translate(None, alike)})


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
"""Where so many are found, letters that both pages have are taken for those of names. Fewer may be names."""

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


SIBLINGS = {
    "ISO-8859-2": "windows-1250",
    "ISO-8859-5": "windows-1251",
    "ISO-8859-6": "windows-1256",
    "ISO-8859-7": "windows-1253",
    "ISO-8859-8": "windows-1255",
    "ISO-8859-15": "windows-1252",
    "KOI8-R": "KOI8-U",
    "windows-1250": "ISO-8859-2",
    "windows-1257": "ISO-8859-13",
}
"""The ISO pages whose Windows sibling has letters at 80-9F, or bytes that the ISO page has not; the other ISO
pages are read as their sibling anyway, or have the same letters. KOI8-R, where KOI8-U has the Ukrainian
letters in place of boxes. And windows-1250, whose text hardly ever is without its letters at 80-9F, where
ISO-8859-2 has others (`wła¶ciwo¶ci`, `moľnosti`). windows-1257 leaves undefined two quotation marks of
ISO-8859-13."""

BOX_DRAWING = frozenset(map(chr, range(0x2500, 0x25A0)))
_NO_LETTERS = BOX_DRAWING | set("§№")
"""Signs that stand in no word: `§` and `№` of ISO-8859-5, the boxes of KOI8-R."""


class SiblingBytes(NamedTuple):
    """The bytes that distinguish a page from its sibling."""

    quickly: bytes
    """One of them is there, if anything is."""
    undefined: bytes
    """Bytes that the ISO page lacks."""
    marks: bytes
    """Bytes 80-9F that are no letters of the sibling: quotation marks prove nothing."""
    classes: bytes
    """Of each byte: `c` the sibling's letters at 80-9F, or where the page has _NO_LETTERS, `l` its other
    letters, or a space. Where the page is the Windows page, `c` are letters that the two have otherwise, and
    `q` letters of the sibling that are signs in the page."""
    kinds: bytes
    """Of each byte: `c` both as above, `d` from A0 on where the pages have two characters, or a space."""
    refuting: bytes
    """Bytes that prove the page that is named, where that is the Windows page; else none."""
    foreign: bytes
    """Bytes that are no character of the sibling: what has one is in another charset."""


@cache
def sibling_bytes(charset: Charset) -> SiblingBytes:
    """Return what distinguishes a page of SIBLINGS: a closed table, so the cache cannot grow."""
    page = bytes(range(256)).decode(charset.codec or "", "replace")
    other = byte_table(by_name(SIBLINGS[charset.name]).superset, True)
    classes = bytes(
        ord(" " if not char.isalpha() else "c" if 0x80 <= byte < 0xA0 or page[byte] in _NO_LETTERS else "l")
        for byte, char in enumerate(other)
    )
    undefined = bytes(
        byte for byte in range(256) if page[byte] == "\ufffd" and "\xa0" <= other[byte] < "\ud800"
    )
    if charset.name == "windows-1257":
        undefined = b"\xa5"  # „, which opens a quotation; the other may be one stray byte
    letters = bytes(byte for byte in range(0x80, 0x100) if classes[byte] == ord("c"))
    marks = bytes(byte for byte in range(0x80, 0xA0) if byte not in letters)
    others = bytes(byte for byte in range(0xA0, 0x100) if page[byte] != other[byte])
    refuting = b""
    if charset.name == "windows-1250":
        refuting = bytes(sorted(marks, key=lambda byte: not page[byte].islower()))  # letters are found soon
        marks_of_words = b"\xab\xb7\xbb"  # «ˇ»
        letters = bytes(byte for byte in others if other[byte].isalpha() and byte not in marks_of_words)
        # Signs stand beside words (`©Foo`, `µm`, `»`): they are letters between letters.
        of = {byte: ord("c" if page[byte].isalpha() and page[byte] != "µ" else "q") for byte in letters}
        of |= dict.fromkeys(b"\xab\xbb", ord(" "))  # `főoldal»hírek»sport`
        classes = bytes(of.get(byte, one) for byte, one in enumerate(classes))
    kinds = bytes(ord("c" if byte in letters else "d" if byte in others else " ") for byte in range(256))
    foreign = bytes(at for at, char in enumerate(other) if "\x80" <= char < "\xa0" or char > "\ud7ff")
    return SiblingBytes(letters + undefined, undefined, marks, classes, kinds, refuting, foreign)


_WINDOWS_1253 = lazy_pattern(
    rb"(?:[>\n\"(\xab.,:;-] ?|[\xc7\xcf\xe7\xed\xf2] )\xa2"
    rb"(?=[\xe1-\xfb]{1,32}+(?![\xc0\xdc-\xe0\xfc-\xfe]))(?![\xec\xed\xf3]\xe1\xe9(?![\xe1-\xfb]))"
    rb"|\xa2(?:(?<=[\xc1-\xd9]{2}.)(?=[\xc1-\xd9])|(?<=[\xc1-\xd9]{4}.))|[\x80\x84\x85\x91-\x97]"
)
"""`Ά` before small letters of which none has the accent (`’κείνος`), at a start or behind η, ν and ς, behind
which no word loses its first letter (`που ’λεγε`), but for `’ναι`, `’σαι`, `’μαι`; among capitals; and its
marks."""
_ISO_8859_7 = lazy_pattern(
    rb"\xb6(?=[\xc0\xdc-\xfe])|\xa1(?=[A-Za-z\xb6-\xfe])|\xa2(?:(?<=[\xc0\xdc-\xfe].)"
    rb"|(?<=[\xc8\xcd\xe8\xed]\xe1 .)|(?<=[>\n ][\xc1-\xd9].)(?=[ \xc0\xdc-\xfe])(?! [\xb8-\xd9]{2})"
    rb"|(?<=[A-Za-z].)(?=[A-Za-z]))|" + PRICE
)
"""`Ά` before a small letter, an opening mark, an apostrophe behind a small letter, να, θα, one capital (not
before a word in capitals: `ΤΆ ΝΈΑ`), or between Latin letters; a price in `€`."""
_WINDOWS_1251 = lazy_pattern(rb"\xff(?<=[\xe0-\xfe].)")
"""`я` of windows-1251 behind a small letter."""
_MAC_CYRILLIC = lazy_pattern(rb"\xdf(?<=[\xe0-\xfe].)")
"""The same in x-mac-cyrillic."""


_WINDOWS_1256 = lazy_pattern(rb"[\x80-\x9f\xdb\xdd-\xdf\xf3-\xff]")
"""Letters of windows-1256, three of them frequent, that are no characters in ISO-8859-6."""
_ISO_8859_6 = lazy_pattern(rb"[\xe7\xe8\xea](?<=[\xc1-\xda\xe1\xe3-\xe6].)")
"""`ه`, `و` and `ي` of ISO-8859-6 behind an Arabic letter, where windows-1256 has `ç`, `è` and `ê`."""

_WORDS_OF_LATIN_9 = lazy_pattern(
    rb"[\xbc\xbd](?:(?<=[A-Za-z]\xbd)(?<![0-9].\xbd)(?=[a-z]{2})|(?<=[A-Z]\xbc)(?=[A-Z]{2})"
    rb"|(?<![0-9A-Za-z\x80-\xff].)(?=u[fv]|il|U[FV]))|" + PRICE
)
"""`œ` and `Œ` of ISO-8859-15 within a word, `œuf`, `œuvre` and `œil`; a price in `€`. `¨` and `¸` are no
evidence: in text that was copied from PDF they are accents (`Mu¨ller`)."""
_NO_LATIN_9 = lazy_pattern(
    rb"[\x80-\x9f]|\xa4(?![ \xa0]?[0-9])(?<![0-9-]\xa4)(?<![0-9-][ \xa0]\xa4)|#[#0-9.,]{0,32}+[ \xa0]?\xa4"
    rb"|\xa4(?=[A-Za-z\xc0-\xff])|[A-Za-z\xc0-\xff]\xa4|[0-9]\xa4[0-9]"
)
"""Marks of windows-1252; `¤` beside no number, in a pattern of numbers (`#,##0.00 ¤`), or within a word."""


class ByPlace(NamedTuple):
    """What shows the page of a label, or another one, by where it stands: letters of one are signs or
    capitals in the other."""

    sibling: str
    quickly: bytes
    """One of these bytes is there, if the sibling is shown."""
    least: int
    """So many places are needed."""
    own: re.Pattern[bytes]
    others: re.Pattern[bytes]


BY_PLACE = {
    "windows-1253": ByPlace("ISO-8859-7", b"\xa1\xa2\xa4\xb6", 1, _WINDOWS_1253, _ISO_8859_7),
    "ISO-8859-7": ByPlace("windows-1253", b"\xa2", 1, _ISO_8859_7, _WINDOWS_1253),
    "windows-1251": ByPlace("x-mac-cyrillic", b"\xdf", 2, _WINDOWS_1251, _MAC_CYRILLIC),
    "x-mac-cyrillic": ByPlace("windows-1251", b"\xff", 2, _MAC_CYRILLIC, _WINDOWS_1251),
    "windows-1256": ByPlace("ISO-8859-6", b"\xe8\xea", 2, _WINDOWS_1256, _ISO_8859_6),
    **dict.fromkeys(
        ("ISO-8859-1", "windows-1252", "US-ASCII"),
        ByPlace("ISO-8859-15", b"\xa4\xbc\xbd", 1, _NO_LATIN_9, _WORDS_OF_LATIN_9),
    ),
}
