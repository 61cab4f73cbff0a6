"""The letters as a detector: the language, and so the legacy charset, of bytes that have no true label.

Text uses the letters of its language's alphabet, the frequent ones often. Read in a wrong charset, the same
bytes are letters of other alphabets, capitals within words, signs between letters. So each charset of
`alphabets.LANGUAGES` is judged, with each of its languages, by what the text costs in bits:

- a letter of the alphabet costs -log2 of its share, which its rank gives; a capital more;
- a letter outside the alphabet, a sign, an undecodable byte cost more than any letter;
- so does what texts do not have: a capital after a small letter, two scripts in one word, a sign between two
  letters, words of one letter in other scripts than Latin;
- the letters a to z, and their share of all letters, distinguish Latin alphabets; they count less: titles
  and lists of names are no average text;
- all charsets but windows-1252, which lenient reading takes by convention, have a handicap;
- the language that the document names, or its URL's top-level domain, has an advantage.

The cheapest charset is the answer of step L6; decide/thresholds.py says when it counts.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import repeat, zip_longest
from math import log2
from operator import mul
from sys import byteorder, maxsize
from typing import NamedTuple

from feedcharset.charsets import lazy_pattern, lazy_value
from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.charsets.single_byte import byte_table
from feedcharset.evidence.alphabets import (
    A_TO_Z_AVERAGE,
    ALL_CAPITALS,
    ALPHABETS_SHARE,
    BAD_JOINT,
    CAPITAL_COST,
    CLEARLY_DOS,
    COMMA_BELOW,
    COMMON_IDEOGRAPH,
    COUNTED_AT,
    CURRENCY_COST,
    DIGIT_COST,
    DOS_AND_MAC,
    DOS_IN_ROW,
    DOS_LESS,
    DOS_LETTERS,
    DOUBLED,
    FIRST_CAPITAL,
    FIRST_I,
    HALF_WIDTH_COST,
    HANJA_SHARE,
    IN_NO_WORD,
    LANGUAGES,
    MANY_POINTS,
    MARK_COST,
    NAMES_OF_OTHERS,
    NO_DANISH,
    NUL_SHARE,
    OF_ONE_LANGUAGE,
    OTHERS_SHARE,
    OTHERWISE_SHARE,
    OUTSIDE_COST,
    OUTSIDE_WESTERN,
    POINT_APART,
    POINT_COST,
    PORTUGUESE_A,
    POWER_OF_WORD,
    RARE_IDEOGRAPH,
    ROMANIAN_A,
    SELDOM_COST,
    SIGN_ALONE,
    SIGN_COST,
    TAGGED,
    TWO_ACCENTS,
    UNDECODABLE,
    UNNAMED,
    UNUSUAL_SHARE,
    USUAL_WESTERN,
    Language,
    WrittenIn,
    may_be_western_letters,
    names_unknown_language,
)
from feedcharset.evidence.damaged_utf8 import has_sequence
from feedcharset.evidence.detector import (
    CLEARLY_INSIDE,
    CLEARLY_LESS,
    LETTERS_INSIDE,
    WESTERN_PAGES,
    Detector,
    Letters,
)
from feedcharset.evidence.scripts import (
    ALL_ASCII,
    HIGH,
    LATIN_PAGES,
    LOOKED_AT,
    MARKS_OF_TEXT,
    POINTS,
    SAMPLE_BYTES,
    SEARCHED,
    SIGNS_APART,
    SIGNS_OF_LATIN_9,
    WORDS,
    common_of,
    distinct_words,
    has_lines,
    is_latin_9,
    named_language,
    reads_otherwise,
    text_runs,
    usual_of,
)
from feedcharset.evidence.utf8_sequences import SEQUENCE, alike_beside_utf8
from feedcharset.results.facts import Detected

LONG_SAMPLE = 8 * SAMPLE_BYTES
"""Bytes that are judged where the first ones leave a doubt: Korean behind titles of Japanese songs."""

NAMED_LESS = 120
"""Tenths of a bit that text of the language named costs less, at least, where its letters are western without
that name: `Lungime minimã`."""

DOUBTFULLY_FOREIGN, DOUBTFUL_KINDS = 12, 3
"""Fewer letters that are none in a western label, or fewer distinct ones, are a doubt."""

LETTERS_SHOWN = 5
"""Letters that a fact names."""

IN_NAMES, IN_NAMES_COST = "ŠŽšž".encode("cp1252"), 20
"""Letters of names from other countries (`Miloš`), which windows-1250 has at the same places, and what each
takes off that by which a western label is refused."""

LANGUAGE_NAMED = 140
"""The advantage of the language that the document names."""
LESS_BY_FAR = 300
"""Tenths of a bit that text costs less than in a western language, where letters of names (`Müller`, `José`)
are no doubt, as in a language that is named."""
NAMED_ALONE = 1_000_000
"""That of a language beside which no other is judged."""
FOREIGN_NAMES_LESS = 30
"""What a foreign letter costs less in it where windows-1252 has the same one (`Beyoncé` in Turkish)."""
MOST_WRITTEN = 200
"""The advantage, at most, of the language in which other text of the document is written in UTF-8."""
OTHER_LATIN, OTHER_SCRIPT = 60, 100
"""The handicap of charsets other than windows-1252."""
ONE_BYTE = 50
"""What is added to it where a single byte value is the only evidence."""
MOST_ASCII_LETTERS = 60
"""Letters a to z that count: a few words of them."""
MOST_SHARED_LETTERS = 4
"""Letters by which it counts how many are beyond ASCII: in lists of names it may be any share."""
RANK_OFFSET = 2.5
"""The letter of rank r, from 0 on, has a share of 1 / (r + this): Zipf's law, without its steep top."""

FEW_BYTES, REPEATED_WORDS = 6, 3
"""Distinct bytes beyond ASCII, at most, and times that words with them stand there, at least, of a list of
few words."""

_FINAL_FORMS = frozenset("ςךםןףץ")
_MARKS = frozenset("“”„‘’‚«»–—…\u00a0\u00ad\u200c\u200d\u200e\u200f")
_WESTERN_SIGNS = frozenset("£€°©®™•½ºª§¿¡")
_ASCII_CLASSES = bytes(
    0x61 if chr(byte).islower() else 0x41 if chr(byte).isupper() else 0x20 for byte in range(0x80)
)
_ASCII_SIGNS = bytes(byte for byte in ALL_ASCII if not chr(byte).isalpha())
_ALL_BUT_ASCII_LETTERS = _ASCII_SIGNS + bytes(range(0x80, 0x100))
_EVERY_BYTE = bytes(range(0x100))
_CP1252 = _EVERY_BYTE.decode("cp1252", "replace")
_COMMON_SIGNS = {
    **dict.fromkeys(map(chr, range(0x80)), 0),
    **dict.fromkeys(map(chr, (*range(0x3000, 0x3040), *range(0xFF00, 0xFF5F))), MARK_COST),
    **dict.fromkeys((*_MARKS, "·"), MARK_COST),
    "\ufffd": UNDECODABLE,
}
"""What ASCII and signs cost in East Asian text: its marks, and ASCII as wide as its characters."""

_AMONG_SMALL = lazy_pattern("[^\0-\x7f](?<=[a-z].)(?=[a-z])")
"""An East Asian character between small letters: `zwi您ane` is Polish."""
_SIGN_WITHIN = lazy_pattern(rb"ls++(?=l)")
_DOS_IN_WORDS = bytes(
    0x61 if chr(byte).islower() else 0x68 if byte > 0x7F and byte not in b"\x91\x92\x96\x97\x9c" else 0x20
    for byte in (*range(0xDF), *[0] * 0x21)
)
"""Small letters as `a`; bytes 80-DE, but for apostrophes, dashes and `œ` of windows-1252, as `h`: its signs
and capitals."""
_CAPITAL_WITHIN = (b"aU", b"lU", b"lA")


class _Alphabet(NamedTuple):
    """What the letters of one language cost."""

    language: Language
    costs: dict[str, int]
    bits: tuple[int, ...]
    """Of a to z, half of what they are: letters that most languages have prove less."""
    beyond: int
    """Latin alphabets: the cost of a letter's being beyond ASCII; else 0."""
    plain: int
    """Likewise of its being one of a to z, half."""


class JudgedPage(NamedTuple):
    """One charset, with its languages."""

    charset: Charset
    handicap: int
    alphabets: tuple[_Alphabet, ...]
    characters: str = ""
    """Single-byte: the 256 characters; "" for East Asian charsets."""
    classes: bytes = b""
    """Of each byte: `a` and `A` an ASCII letter, `l` and `U` another one, small or capital, `o` one without
    case; `m` a point of one; `p` gershayim; `q` an apostrophe and what else joins words; `b` an opening mark;
    `s` any other sign."""
    cheap: re.Pattern[str] | None = None
    """East Asian charsets: characters that cost less than all others; ASCII is none of them."""
    least: int = 0
    """What such a character costs at least."""
    forms: bytes = b""
    """Greek and Hebrew: of each byte, `f` a final form, `l` another letter of them, else a space."""


class _Column(NamedTuple):
    """A charset with a language, and where its numbers stand in the costs."""

    page: JudgedPage
    alphabet: _Alphabet
    number: int
    """Where the number of letters beyond ASCII stands; single-byte charsets alone."""
    a_to_z: int
    """Where the cost of a to z stands in the language."""


@cache
def judged_pages(unnamed: bool = False) -> tuple[JudgedPage, ...]:
    """Return the charsets of the table, windows-1252 first and the East Asian ones last.

    Args:
        unnamed: with those pages of DOS and Mac that hardly any label names.
    """
    alphabets: dict[str, list[_Alphabet]] = {}
    for language in LANGUAGES:
        alphabet = _alphabet(language)
        names = language.charsets.split()
        for name in names + (DOS_AND_MAC.get(names[0], "").split() if unnamed else []):
            if language.name not in OF_ONE_LANGUAGE.get(name, language.name):
                continue
            alphabets.setdefault(name, []).append(alphabet)
    pages = [judged_page(name, tuple(found)) for name, found in alphabets.items()]
    return tuple(sorted(pages, key=lambda page: (not page.characters, page.handicap > 0)))


def _alphabet(language: Language) -> _Alphabet:
    letters = language.letters.removeprefix("=")
    flat = letters != language.letters
    shares = [1.0 if flat else 1 / (rank + RANK_OFFSET) for rank in range(len(letters))]
    costs: dict[str, int] = {}
    for letter, share in zip(letters, shares, strict=True):
        costs[letter] = cost = round(-10 * log2(share / sum(shares)))
        costs.setdefault("İ" if letter == "ı" else letter.upper(), cost + CAPITAL_COST)
    costs |= {below: costs[one] for one, below in COMMA_BELOW.items() if one in costs}
    if by_name(language.charsets.split()[0]).family == "CJK":
        costs |= _COMMON_SIGNS
        if "Shift_JIS" in language.charsets:
            costs |= dict.fromkeys(map(chr, range(0xFF66, 0xFFA0)), HALF_WIDTH_COST)
    share = language.beyond / 100
    beyond, plain = (round(-10 * log2(share)), round(-5 * log2(1 - share))) if share else (0, 0)
    bits = tuple(5 * int(bit) for bit in language.bits) or (A_TO_Z_AVERAGE // 2,) * 26
    return _Alphabet(language, costs, bits, beyond, plain)


def judged_page(name: str, alphabets: tuple[_Alphabet, ...]) -> JudgedPage:
    """Return a charset with these alphabets."""
    charset = by_name(name)
    latin = charset.page in LATIN_PAGES
    western = name == "windows-1252"
    handicap = SELDOM_COST.get(name, 0) + (0 if western else OTHER_LATIN if latin else OTHER_SCRIPT)
    if charset.family == "CJK":
        costs = [item for alphabet in alphabets for item in alphabet.costs.items()]
        cheap = {char: cost for char, cost in costs if 0 < cost < COMMON_IDEOGRAPH}
        one, least = f"[{''.join(cheap)}]", min(cost for _, cost in costs if cost)
        pattern = lazy_pattern(f"{one}{one}*+")  # the first one alone is searched quickly
        return JudgedPage(charset, handicap, alphabets, cheap=pattern, least=least)
    # Strictly: 80-9F, which lenient reading of an ISO-8859 page takes for the Windows page's, show that page.
    assert charset.codec is not None
    characters = bytes(range(256)).decode(charset.codec, "replace")
    beyond = characters[0x80:]
    classes = _ASCII_CLASSES + bytes(map(_class_of, beyond))
    letters = ["f" if char in _FINAL_FORMS else "l" if _is_letter(char) else " " for char in beyond]
    forms = b" " * 0x80 + "".join(letters).encode() if "f" in letters else b""
    return JudgedPage(charset, handicap, alphabets, characters, classes, forms=forms)


CAPITAL = 1 << 16
"""Counts a capital: a sample has fewer letters."""


class _Costs(NamedTuple):
    """What each byte costs in all charsets."""

    packed: tuple[int, ...]
    """For each byte a number that packs its costs, four bytes each. So the costs of a text in all charsets
    are a sum of as many products as it has distinct bytes. First, for short numbers, there is for each
    language the cost of a to z; then for each single-byte charset a 1 for its letters beyond
    ASCII, and CAPITAL for capitals of other scripts than Latin, and the cost in each of its languages; then a
    0."""
    size: int
    """Bytes of that number."""
    columns: tuple[_Column, ...]
    """All charsets with their languages, windows-1252 first and the East Asian ones last."""
    single_byte: int
    """The number of those that are single-byte."""
    letters: tuple[tuple[int, int], ...]
    """Of each column, its handicap, and where the cost of its letters stands; of East Asian ones the 0."""
    capitals: dict[int, list[int]]
    """The columns of other scripts than Latin, by where the number of letters stands."""


@cache
def _costs(unnamed: bool = False) -> _Costs:
    pages = judged_pages(True) if unnamed else judged_pages()
    bits = {alphabet.language.name: alphabet.bits for page in pages for alphabet in page.alphabets}
    a_to_z = {name: place for place, name in enumerate(bits)}
    rows = [[*(0,) * 0x41, *row, *(0,) * 6, *row, *(0,) * 0x85] for row in bits.values()]
    columns: list[_Column] = []
    letters: list[int] = []
    for page in pages:
        number = len(rows)
        if page.characters:
            rows += byte_costs(page)
            letters += range(number + 1, len(rows))
        columns += [
            _Column(page, alphabet, number, a_to_z[alphabet.language.name]) for alphabet in page.alphabets
        ]
    rows.append([0] * 0x100)
    capitals: dict[int, list[int]] = {}
    for at, column in enumerate(columns[: len(letters)]):
        if not column.alphabet.beyond:
            capitals.setdefault(column.number, []).append(at)
    handicaps = [column.page.handicap + column.alphabet.language.seldom for column in columns]
    return _Costs(
        tuple(int.from_bytes(array("I", row), byteorder) for row in zip(*rows, strict=True)),
        4 * len(rows),
        tuple(columns),
        len(letters),
        tuple(zip_longest(handicaps, letters, fillvalue=len(rows) - 1)),
        capitals,
    )


def byte_costs(page: JudgedPage) -> Iterator[list[int]]:
    """Yield which bytes are letters, then what each byte costs in each language of the page."""
    beyond = page.characters[0x80:]
    western, latin = not page.handicap, page.charset.page in LATIN_PAGES
    yield [0] * 0x80 + [_is_letter(char) + CAPITAL * (char.isupper() and not latin) for char in beyond]
    signs = [None if _is_letter(char) else _sign_cost(char, latin=latin, western=western) for char in beyond]
    if latin:
        for at, sign in ((0x27, "§"), (0x30, "°")):  # in all pages of ISO and Windows
            signs[at] = MARK_COST if beyond[at] == sign else signs[at]
    outside = [
        OUTSIDE_WESTERN if western or (latin and char in NAMES_OF_OTHERS) else OUTSIDE_COST for char in beyond
    ]
    for alphabet in page.alphabets:
        costs = alphabet.costs
        yield [0] * 0x80 + [
            costs.get(char, foreign) if sign is None else sign
            for char, sign, foreign in zip(beyond, signs, outside, strict=True)
        ]


def _is_letter(char: str) -> bool:
    """Return True for letters, and the marks of Vietnamese and Thai; `µ` is a sign, of units."""
    return (
        (char.isalpha() and char not in POINTS and char != "µ")
        or "\u0300" <= char <= "\u036f"
        or "\u0e31" <= char <= "\u0e4e"
    )


def _class_of(char: str) -> int:
    if _is_letter(char):
        return ord("l" if char.islower() else "U" if char.isupper() else "o")
    if char in POINTS:
        return ord("p" if char == "״" else "m")
    return ord("q" if char in "’·\u00ad\u200c\u200d" else "b" if char in "“„‘«‚¿¡" else "s")


def _sign_cost(char: str, *, latin: bool = True, western: bool = False) -> int:
    if char in POINTS or char.isdecimal():  # `๒๕๖๗`
        return POINT_COST if char in POINTS else DIGIT_COST
    if char in _MARKS or (latin and char == "·") or (western and char in _WESTERN_SIGNS):
        return MARK_COST
    controls = "\x80" <= char <= "\x9f"
    if controls or char == "\ufffd" or "\ue000" <= char <= "\uf8ff":
        return UNDECODABLE
    return CURRENCY_COST if char == "¤" and not western else SIGN_COST


FEW_LETTERS, MORE_LETTERS = 64, 4
"""Bytes for each letter of text in English, with marks and names; so many times more have to follow."""


class JudgedText:
    """Bytes whose letters are judged, and what is known of their document. Their texts are found once.

    Attributes:
        data: the window, which begins at the first non-ASCII byte, or ESC.
        before: bytes that stand before it, in which its first title may begin.
        beginning: the document's first bytes, as far as they stand before the window.
        domain: the top-level domain of its URL, in lower case, or "".
    """

    def __init__(self, data: bytes, before: bytes = b"", beginning: bytes = b"", domain: str = "") -> None:
        self.data: bytes = data
        self.before: bytes = before
        self.beginning: bytes = beginning
        self.domain: str = domain
        self._runs: dict[tuple[int, bytes], bytes] = {}

    def apart(self) -> JudgedText:
        """Return the same bytes without the document's beginning and domain."""
        found = JudgedText(self.data, self.before)
        found._runs = self._runs
        return found

    @lazy_value
    def first(self) -> bytes:
        """The first bytes of the document, in which its language may be named."""
        return (self.beginning + self.data[:TAGGED])[:TAGGED]

    @lazy_value
    def named(self) -> tuple[Language | None, str]:
        """The language that is named, and what names it."""
        return named_language(self.first, self.domain)

    def runs(self, size: int, passed: bytes = b"") -> bytes:
        """Return `size` bytes of its texts (`text_runs`); `passed`: bytes by which none is found."""
        if (size, passed) not in self._runs:
            self._runs[size, passed] = text_runs(self.before, self.data[:SEARCHED], size, passed)
        return self._runs[size, passed]


def detect_by_letters(
    text: JudgedText,
    size: int = SAMPLE_BYTES,
    written: WrittenIn | None = None,
    label: Charset | None = None,
    clearly: bool = False,
    passed: bytes = b"",
    alone: bool = False,
) -> Detected | None:
    """Return the charset whose letters fit best; None where no text holds a non-ASCII byte.

    Args:
        text: the text.
        size: bytes of it that are judged.
        written: the language of other text of the document, which is in UTF-8. It is evidence where nothing
            names the language.
        label: the charset that a label names.
        clearly: None also where the bytes can be windows-1252: unless another charset, be it one of DOS or
            Mac, costs CLEARLY_LESS, and reads a byte otherwise as a letter of the language.
        passed: bytes by which no text is found.
        alone: the language that is named, if one is, has precedence over all others.
    """
    named, by = text.named
    # English with quotation marks beside titles in the language that is named is none of them.
    marks = MARKS_OF_TEXT if named is not None and "windows-1252" not in named.charsets else b""
    sample = text.runs(size, passed or marks)
    if not sample and marks and not passed:
        sample = text.runs(size)
    if not sample:
        return None
    tagged, advantage = named is not None, NAMED_ALONE if alone else LANGUAGE_NAMED
    if named is None and written is not None:
        (named, advantage), by = written, f"what is UTF-8 is {written.language.name}"
    # A word that each item repeats makes the costs clear, but its letters count once.
    once = distinct_words(sample, REPEATED_WORDS)
    times = Counter(once.translate(None, _ASCII_SIGNS))
    judged = once if sum(byte > 0x7F for byte in times) <= FEW_BYTES else sample
    all_times = times if judged is once else Counter(judged.translate(None, _ASCII_SIGNS))
    western = ("windows-1252", label.superset) if label and label.superset in WESTERN_PAGES else ()
    if clearly:
        western = ("windows-1252", "windows-1252")
    best, least, least_western = _cheapest(judged, all_times, named, advantage, western, clearly, tagged)
    page, alphabet = best.page, best.alphabet
    characters, known, letters = page.characters, alphabet.costs, _letters_in(once, times, page)
    counted = sum(number for _, number in letters)
    if characters and page.handicap and not clearly:
        alphabet = _of_its_own(page, alphabet, named, letters)
        best, known = best._replace(alphabet=alphabet), alphabet.costs
    if FEW_LETTERS * counted < len(sample) and not passed:
        marks = bytes(set(sample.translate(None, ALL_ASCII))) + SIGNS_APART
        further = detect_by_letters(text, size, written, label, clearly, passed=marks)
        if further is not None and further.counted > MORE_LETTERS * counted and not is_doubtful(further):
            return further
    inside = [(-number, char) for char, number in letters if char in known]
    by_far = best.page.handicap and western and least_western - least >= LESS_BY_FAR
    outside = _count_outside(letters, counted, best, best.alphabet.language if by_far else named)
    is_other = tagged and not (alone or clearly) and alphabet.language is not named
    if is_other and LETTERS_INSIDE * outside > counted > 0:
        # `čeština, italština` cost less in a language that has `š` alone.
        other = detect_by_letters(text, size, label=label, passed=passed, alone=True)
        if other is not None and CLEARLY_INSIDE * other.outside <= other.counted >= counted:
            return other._replace(less=other.less - NAMED_ALONE + LANGUAGE_NAMED if other.less else 0)
    clear = (not characters or 2 * outside < counted) and least_western - least > CLEARLY_LESS
    is_named = alphabet.language is named
    if clearly and not (clear and reads_otherwise(sample, page.charset.page, characters, known, is_named)):
        return None
    foreign, distinct, in_names = _foreign_in_western(once, times, best, label, named)
    powers = SIGN_COST * len(POWER_OF_WORD.findall(judged)) if western else 0
    answer, language = _read_alike(best, named, sample, text), alphabet.language.name
    if answer == "x-mac-cyrillic" and not counted and _QUOTED_IN_MAC.search(sample):
        answer, language = "macintosh", "western names"
    return Detected(
        answer,
        "letters",
        language,
        "".join(char for _, char in sorted(inside)[:LETTERS_SHOWN]),
        counted,
        outside,
        by if named and page.charset.name in named.charsets.split() else "",
        foreign,
        distinct,
        less=least_western - least - IN_NAMES_COST * in_names - powers if western else 0,
    )


_QUOTED_IN_MAC = lazy_pattern(
    rb"\xd2[^\xd2\xd3]{1,200}+\xd3|\xc7[^\xc7\xc8]{1,200}+\xc8|[a-z]\xd5(?:[dmst]|ll|re|ve)(?![a-z])"
)
"""Marks around a text, and the apostrophe of English: in windows-1252 letters (`ÒnewÓ`, `donÕt`)."""


def _letters_in(text: bytes, times: Mapping[int, int], page: JudgedPage) -> list[tuple[str, int]]:
    """Return the letters of a text in a charset, with how often each stands there, as each byte does."""
    if page.characters:
        return [(page.characters[byte], n) for byte, n in times.items() if page.classes[byte] in b"lUo"]
    characters = Counter(text.decode(by_name(page.charset.superset).codec or "", "replace"))
    return [(char, n) for char, n in characters.items() if char not in _COMMON_SIGNS and _is_letter(char)]


def _count_outside(
    letters: list[tuple[str, int]], counted: int, best: _Column, named: Language | None
) -> int:
    """Return how many letters are foreign in the language; in East Asian text a few may be of any script."""
    known, page = best.alphabet.costs, best.page
    unknown = {char: n for char, n in letters if char not in known and _is_foreign(char, best, named)}
    if not page.characters:
        korean = page.charset.name == "EUC-KR"
        share = HANJA_SHARE if korean else OTHERS_SHARE
        others = {char for char in unknown if (char >= "\u4e00") is korean}
        alphabets = {char for char in unknown if "\u0370" <= char < "\u0500"}
        for one_in, some in ((ALPHABETS_SHARE, alphabets), (share, others - alphabets)):
            if one_in * sum(map(unknown.__getitem__, some)) <= counted:
                unknown = {char: number for char, number in unknown.items() if char not in some}
    return sum(unknown.values())


def _of_its_own(
    page: JudgedPage, cheapest: _Alphabet, named: Language | None, letters: list[tuple[str, int]]
) -> _Alphabet:
    """Return the alphabet of the named language, or, where many letters are foreign in the cheapest, that of
    the page in which fewest are; the cheapest where no fewer are foreign. `angličtina, maďarština` of Czech
    costs less in Croatian."""

    def foreign(one: _Alphabet) -> int:
        return sum(number for char, number in letters if char not in one.costs)

    own = next((one for one in page.alphabets if one.language is named), None)
    counted = sum(number for _, number in letters)
    if own is None and LETTERS_INSIDE * foreign(cheapest) > counted:
        own = min(page.alphabets, key=foreign)
        own = own if LETTERS_INSIDE * foreign(own) <= counted else None
    return own if own is not None and foreign(own) < foreign(cheapest) else cheapest


def _read_alike(best: _Column, named: Language | None, sample: bytes, text: JudgedText) -> str:
    """Return the charset of the answer: windows-1252 where it reads the sample alike, and ISO-8859-15 where
    the bytes have its signs."""
    page, alphabet = best.page, best.alphabet
    if page.handicap:
        others = alphabet.language is not named and "windows-1252" in alphabet.language.charsets
        alike = page.characters and alike_beside_utf8(
            sample, page.characters, _CP1252, alphabet.costs, without=others
        )
        if not alike:
            return page.charset.name
    if any(map(text.data.__contains__, SIGNS_OF_LATIN_9)):
        data = text.before + text.data
        if is_latin_9(SEQUENCE.sub(b" ", data) if has_sequence(data) else data):
            return "ISO-8859-15"
    return "windows-1252"


def _is_foreign(char: str, best: _Column, named: Language | None) -> bool:
    """Return True where a letter outside the alphabet is evidence against its charset. In a language that the
    document names, one is none that windows-1252 reads alike: names have it (`Café Größe` in a Slovenian
    title). Nor is an ideograph that is common, or frequent in another language of the charset."""
    page = best.page
    if page.characters:
        named_so = page.handicap and best.alphabet.language is named
        return not named_so or _CP1252.find(char) != page.characters.find(char)
    return char not in usual_of(page.charset.name)


def _foreign_in_western(
    sample: bytes, times: Mapping[int, int], best: _Column, label: Charset | None, named: Language | None
) -> tuple[int, int, int]:
    """Return how many bytes are letters of the alphabet that the label of a Latin page reads as none, how
    many of these are distinct, and how many bytes are IN_NAMES under the label, too. A sign counts where a
    letter follows: `£ódzki`, not `m³`."""
    if not best.page.handicap and (label is None or label.superset in WESTERN_PAGES):
        return 0, 0, 0
    costs, characters = best.alphabet.costs, best.page.characters
    read = byte_table(label.superset, True) if label and label.page in LATIN_PAGES else _CP1252
    rare = best.page.charset.name in UNNAMED  # `ä` of Mac is `Š`, which Finnish has, too
    foreign = bytes(
        [
            byte
            for byte in times
            if byte > 0x7F
            and (not characters or (characters[byte] in costs and (rare or read[byte] not in costs)))
            and read[byte] != characters[byte : byte + 1]
        ]
    )
    found = SIGN_ALONE.sub(b" ", sample)
    if places := COUNTED_AT.get(best.alphabet.language.name):
        found = b"".join(places.findall(found))
    found = found.translate(None, _EVERY_BYTE.translate(None, foreign))
    in_names = sum(times.get(byte, 0) for byte in IN_NAMES if characters[byte : byte + 1] == read[byte])
    if label and not named and may_be_western_letters(costs, found, sample):
        return 0, 0, in_names
    return len(found), sum(map(found.__contains__, foreign)), in_names


def _cheapest(
    sample: bytes,
    times: Mapping[int, int],
    named: Language | None,
    advantage: int,
    western: tuple[str, ...],
    unnamed: bool,
    tagged: bool,
) -> tuple[_Column, int, int]:
    """Return the charset and language in which the text costs least, of equal ones the first in the table;
    that cost, and the least in one of the western charsets.

    Args:
        sample: the text.
        times: how often each byte is in it, but for the signs of ASCII, which cost nothing.
        named: the language that the document names.
        advantage: of that language.
        western: the supersets of western charsets under a western label.
        unnamed: with the pages of DOS and Mac.
        tagged: a tag names the language, and not other text of the document.
    """
    packed, size, columns, single_byte, letters, capitals = _costs(True) if unnamed else _costs()
    total = sum(map(mul, map(packed.__getitem__, times), times.values()))
    costs = memoryview(total.to_bytes(size, byteorder)).cast("I").tolist()
    high_bytes = [byte for byte in times if byte > 0x7F]
    high = list(map(times.__getitem__, high_bytes))
    plain = len(sample.translate(None, _ALL_BUT_ASCII_LETTERS))
    judged = [handicap + costs[place] for handicap, place in letters]
    all_capitals = _without_capitals(judged, costs, capitals)
    if named is not None or len(high) == 1:
        its_letters = {byte: times[byte] for byte in high_bytes}
        more = _cost_by_name(columns, costs, its_letters, named, advantage, unnamed, tagged)
        judged = [one + other for one, other in zip(judged, more, strict=True)]
    # Accents stand one by one; East Asian text, in which most bytes stand beside others, is another matter.
    words = b" " + sample.translate(HIGH)
    alone = words.count(b" h") - words.count(b" hh")
    accents = (named is None or bool(named.beyond)) and 2 * sum(high) < 3 * alone
    least, best, least_western = maxsize, 0, maxsize
    joints: dict[str, int] = {}
    texts: dict[str, str] = {}
    counters: dict[str, Counter[str]] = {}
    floors = judged[:single_byte]
    for at in () if accents else range(single_byte, len(columns)):
        name, page = columns[at].page.charset.name, columns[at].page
        if name not in texts:
            texts[name] = sample.decode(by_name(page.charset.superset).codec or "", "replace")
            at_least = _least_cost(texts[name], page)
        floors.append(judged[at] + at_least)
    # The letters are most of the cost: what costs least by them is judged first.
    for at in sorted(range(len(floors)), key=floors.__getitem__):
        if floors[at] > least and not western:
            break
        column, name = columns[at], columns[at].page.charset.name
        is_western = column.page.charset.superset in western
        if floors[at] > least and not is_western:
            continue
        cost = judged[at] + common_cost(column.alphabet, costs[column.a_to_z], costs[column.number], plain)
        if at >= single_byte:
            counter = counters.get(name) or counters.setdefault(name, Counter(texts[name]))
            cost += _east_asian_cost(counter, column) + BAD_JOINT * len(_AMONG_SMALL.findall(texts[name]))
        elif cost <= least or is_western:
            if name not in joints:
                most = all_capitals.get(column.number, maxsize)
                is_named = named is not None and name in named.charsets.split()
                joints[name] = joint_cost(sample, column.page, most, is_named)
            cost += joints[name]
        least_western = min(least_western, cost) if is_western else least_western
        least, best = min((least, best), (cost, at))
    return columns[best], least, least_western


def _without_capitals(
    judged: list[int], costs: list[int], capitals: Mapping[int, Sequence[int]]
) -> dict[int, int]:
    """Take back what a text costs whose letters are all capitals, but ALL_CAPITALS. Return what its first
    capitals may cost in each page, by the place of their number."""
    most: dict[int, int] = {}
    for place, columns in capitals.items():
        number, all_letters = divmod(costs[place], CAPITAL)
        if number and number == all_letters:
            most[place] = max(0, ALL_CAPITALS - number * CAPITAL_COST)
            for at in columns:
                judged[at] -= max(0, number * CAPITAL_COST - ALL_CAPITALS)
    return most


def _cost_by_name(
    columns: Iterable[_Column],
    costs: list[int],
    high: Mapping[int, int],
    named: Language | None,
    advantage: int,
    unnamed: bool,
    tagged: bool,
) -> Iterator[int]:
    """Yield what a text costs more in each column, mostly less than nothing, since a language is named, or
    since all its bytes beyond ASCII are the same one. `high`: these, and how often each is there."""
    only = named.charsets if named is not None and named.charsets in SELDOM_COST else ""
    script = by_name(named.charsets.split()[0]).page if named is not None else ""
    for column in columns:
        more = 0
        # No letter of the language is in a page of DOS or Mac where its bytes are signs: `Adaug„`.
        is_read = not unnamed or column.page.charset.name not in UNNAMED or costs[column.number]
        if named is not None and column.alphabet.language is named and is_read:
            read = column.page.characters or " " * 256  # East Asian text has other characters
            alike = (byte for byte in high if read[byte] == _CP1252[byte] and _is_letter(read[byte]))
            names = sum(high[byte] for byte in alike if read[byte] not in column.alphabet.costs)
            more -= advantage + (0 if unnamed else FOREIGN_NAMES_LESS * names)
            if column.page.charset.name == only:  # it is not seldom in its own language
                more -= named.seldom + SELDOM_COST[only]
        elif column.page.handicap and len(high) == 1:
            more += ONE_BYTE
        elsewhere = tagged and script in WORDS and column.page.charset.page in WORDS.keys() - {script}
        yield more + advantage * elsewhere  # Bulgarian, which is named, is no Arabic


def common_cost(alphabet: _Alphabet, cost: int, number: int, plain: int) -> int:
    """Return what a to z cost, which are `plain` letters of `cost`, and the `number` of letters beyond ASCII
    beside these."""
    if plain > MOST_ASCII_LETTERS:
        cost = cost * MOST_ASCII_LETTERS // plain
    if number and alphabet.beyond:
        counted = min(number, MOST_SHARED_LETTERS)
        cost += counted * alphabet.beyond + plain * counted * alphabet.plain // number
    return cost


def joint_cost(sample: bytes, page: JudgedPage, most: int, is_named: bool = False) -> int:
    """Return what neighbours cost that no text has side by side; first capitals `most` at most. `is_named`: a
    language of the page is.

    Counted in whole buffers: an expression that looks behind itself takes 60 ns for each byte.
    """
    classes = b" " + sample.translate(page.classes) + b" "
    bad = sum(map(classes.count, _CAPITAL_WITHIN))
    words = classes.translate(_LETTERS_AND_SIGNS)
    bad += len(_SIGN_WITHIN.findall(words)) if b"ls" in words else 0
    opening, closing = (sample.count(page.characters.find(mark) % 0x100) for mark in "«»")
    bad += abs(opening - closing)
    if (name := page.charset.name) in IN_NO_WORD:
        bad += len(IN_NO_WORD[name].findall(sample))
    elif name == "x-mac-cyrillic":  # marks that are not closed begin words: `„аморо` is `Чаморо`
        bad += max(0, len(_OPENING_IN_MAC.findall(sample)) - len(_CLOSING_IN_MAC.findall(sample)))
    elif name == "ISO-8859-3" and not is_named and not any(map(sample.__contains__, NO_DANISH)):
        bad += len(sample) - len(sample.translate(None, b"\xe6\xf8"))
    elif name == "KOI8-U" and (first := len(FIRST_I.findall(sample))) > 3:
        bad += first if 2 * first > (b" " + sample.translate(HIGH)).count(b" h") else 0
    apart = 0
    if page.charset.page not in LATIN_PAGES:
        words = classes.translate(_WORDS_OF_THE_SCRIPT)
        bad += words.count(b"al") + words.count(b"la")  # two scripts
        bad += words.count(b" sl") + words.count(b"ssl")  # a sign before a word
        words = classes.translate(_LONE_LETTERS)
        bad += words.count(b" l") - words.count(b" ll")  # a word of one letter
        bad -= classes.count(b"llUlll")  # `имяФайла`; in another page capitals are in any order
        bad += classes.count(b"UUl")  # `ДРЩЫл`, which is `Файлы` in ISO-8859-5
        if page.charset.name == "windows-1251" and _WORD_OF_ONE_CAPITAL.match(sample):
            bad -= 1  # `У` and `С` begin a title, `”` and `—` of x-mac-cyrillic do not
        forms = sample.translate(page.forms) if page.forms else b""
        bad += forms.count(b"lfl")  # a final form within a word; in visual order it begins one
        points = classes.translate(_POINTED)
        # A point without its letter; gershayim may be a quotation mark.
        number, first, third = map(points.count, (b"m", b" m", b"mmm"))
        bad += points.count(b" p") + 2 * first + third
        in_words = first == points.count(b" m ") and not third  # but for a tatweel as a dash
        is_pointed = in_words and number >= MANY_POINTS and 3 * number >= 2 * classes.count(b"o")
        apart = POINT_APART * (points.count(b"p") + (0 if is_pointed else number))
    accents = 0
    if not page.handicap:  # pairs of them, which may overlap
        beyond = classes.translate(_ACCENTS)
        accents = beyond.count(b"l") - beyond.count(b" l") - sum(map(sample.count, DOUBLED))
        if (tildes := sample.count(b"\xe3")) and not PORTUGUESE_A.search(sample):
            bad += len(ROMANIAN_A.findall(sample))
            accents += tildes
    capitals = classes.translate(_CAPITALS).count(b" U")  # not behind another capital
    return BAD_JOINT * bad + TWO_ACCENTS * accents + min(FIRST_CAPITAL * capitals, most) + apart


def _classes(**classes: str) -> bytes:
    """The table that translates the classes of bytes into fewer ones, all others into spaces."""
    table = bytearray(b" " * 0x100)
    for name, members in classes.items():
        for member in members:
            table[ord(member)] = ord(name)
    return bytes(table)


_WORD_OF_ONE_CAPITAL = lazy_pattern(rb"[\xc0\xc2\xc7\xc8\xca\xce\xd1\xd3\xdf] ")
"""`А В З И К О С У Я`."""
_OPENING_IN_MAC = lazy_pattern(rb"[\xd2-\xd5\xd7](?<![\x80-\xff].)[\xdf-\xfe]")
_CLOSING_IN_MAC = lazy_pattern(rb"[\xd2\xd3\xd5](?<=[!.?,\xdf-\xfe].)(?![\x80-\xff])")
_LETTERS_AND_SIGNS = _classes(l="aAlUo", s="sb")
_WORDS_OF_THE_SCRIPT = _classes(a="aA", l="lUo", s="sq")
_LONE_LETTERS = _classes(l="lUomp")
_POINTED = _classes(l="aAlUosqb", m="m", p="p")
_ACCENTS = _classes(l="lU")
_CAPITALS = _classes(A="A", U="U")


def _least_cost(text: str, page: JudgedPage) -> int:
    """Return what a text costs at least in a multi-byte charset."""
    assert page.cheap is not None
    number = sum(map(len, page.cheap.findall(text)))
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return COMMON_IDEOGRAPH * (beyond_ascii - number) + page.least * number


def _east_asian_cost(times: Counter[str], column: _Column) -> int:
    """Return what a text, of which the characters are counted, costs in a multi-byte charset."""
    known, others = column.alphabet.costs, set(times).difference(column.alphabet.costs)
    cost: int = sum(map(mul, map(known.get, times, repeat(0)), times.values()))
    common = common_of(column.page.charset.name).intersection(others)
    cost += COMMON_IDEOGRAPH * sum(map(times.__getitem__, common))
    for char in others - common:
        cost += times[char] * (RARE_IDEOGRAPH if char.isalpha() else _sign_cost(char))
    return cost


def detect_label(detector: Detector, text: JudgedText) -> Detected | None:
    """Return the detector's label for a window, with the numbers by which it is judged; None without one."""
    if not isinstance(detector, str | Letters):
        label = detector(text.data)
        if label is not None and not isinstance(label, str):
            raise TypeError(f"a detector returns a label, a str, or None; not {type(label).__name__}")
        return None if label is None else Detected(label, "caller")
    found = detect_by_letters(text)
    if found is None or not is_doubtful(found):
        return found
    # Foreign names among few titles: what counts is whether the letters cost less than western ones.
    return detect_by_letters(text, LONG_SAMPLE, label=by_name("windows-1252"))


def detect_dos_or_mac(text: JudgedText, found: Detected | None) -> Detected | None:
    """Return the answer of the letters where it is a page of DOS or Mac that hardly any label names.

    Args:
        text: the text.
        found: the answer without these pages.
    """
    data = text.data
    beyond = data[:LOOKED_AT].translate(None, ALL_ASCII)
    usual = UNUSUAL_SHARE * len(beyond.translate(None, USUAL_WESTERN)) < len(beyond)
    usual = usual and b"aha" not in data[:LOOKED_AT].translate(_DOS_IN_WORDS)
    if usual or data.count(0) > 1 + len(data) // NUL_SHARE:
        return None
    if found is not None and found.label == "macintosh":
        return None  # by its marks, which are letters of Lithuanian in DOS
    if found is not None and found.counted >= DOS_LETTERS and not is_doubtful(found):
        charset = by_name(found.label)
        if charset.family == "single" and charset.page not in LATIN_PAGES and charset.name != "IBM866":
            return None
    dos = detect_by_letters(text, LONG_SAMPLE, clearly=True)
    if dos is None or dos.label not in UNNAMED:
        return None
    if (CLEARLY_INSIDE if dos.less > CLEARLY_DOS else LETTERS_INSIDE) * dos.outside > dos.counted:
        return None
    east_asian = found is not None and by_name(found.label).family == "CJK" and not is_doubtful(found)
    if found is not None and east_asian and found.named:
        return None
    if found is not None and (east_asian or not found.outside):
        # As many bytes as its letters were counted in, whatever ASCII is between them.
        leads = text.runs(SAMPLE_BYTES).count(b"\x83")
        katakana = found.label == "Shift_JIS" and 2 * leads >= found.counted
        # `ä` and `ö` of Mac are `Š` and `š`, which Finnish has, too.
        own = found.named and (found.label != "windows-1252" or dos.less <= CLEARLY_DOS)
        if katakana or (own and dos.counted <= found.counted):
            return None
    if by_name(dos.label).page not in LATIN_PAGES:
        is_open = found is None or found.label in ("windows-1252", "IBM866") or is_doubtful(found)
        return dos if is_open and dos.counted >= DOS_LETTERS else None
    high, other = data[:LOOKED_AT].translate(HIGH), byte_table(dos.label, True)
    if found is not None and found.label != "windows-1252":
        known = byte_table(by_name(found.label).superset, True)
        otherwise = sum(known[byte] != other[byte] for byte in beyond)
        if OTHERWISE_SHARE * otherwise < len(beyond):  # Croatian in ISO-8859-2
            return None
    # `ü` is `Å` of Mac, and `ă` is `„`.
    in_row = high.count(b"hh") - data[:LOOKED_AT].translate(_DOS_IN_WORDS).count(b"ahha")  # `ação`
    is_one = len(dos.letters) < 2 or DOS_IN_ROW * in_row > high.count(b"h")
    return None if is_one or dos.less < DOS_LESS else dos


def is_doubtful(detected: Detected) -> bool:
    return LETTERS_INSIDE * detected.outside > detected.counted


def detect_no_western(text: JudgedText, label: Charset) -> Detected | None:
    """Return the answer of the letters under a label; None where the text may well be in it, or western.

    Without the language that the document names, which may be wrong, they have to give the same charset;
    under a western label any page of another script than Latin is enough, and letters of the named language
    that cost NAMED_LESS overrule a western answer.
    """
    if has_lines(text.data, label):
        return None
    western = label.superset in WESTERN_PAGES
    same = {label.superset, "windows-1252" if western or label.page not in LATIN_PAGES else ""}
    is_named, apart = text.named[0] is not None, text.apart()
    for size in (SAMPLE_BYTES, LONG_SAMPLE):
        alone, found = detect_by_letters(apart, size, label=None if is_named else label), None
        if alone is not None and alone.label not in same:
            found = alone
            if is_named:
                found = detect_by_letters(text, size, label=label) or alone
            pages = {by_name(alone.label).page, by_name(found.label).page}
            alike = found.label == alone.label or (western and pages <= WORDS.keys())
            # A name in it (`kôdek`) is no doubt where the language is named, or western text shows itself.
            is_western = found.label == "windows-1252" and label.page in LATIN_PAGES
            inside = (found.named or is_western) and CLEARLY_INSIDE * alone.outside <= alone.counted
            if not alike or (is_doubtful(alone) and not inside):
                found = None
        elif alone and western and is_named:
            found = detect_by_letters(text, size, label=label)
            is_other = found and found.label not in same and by_name(found.label).page in LATIN_PAGES
            if not (is_other and found and found.named) or found.outside or found.less < NAMED_LESS:
                found = None
        fits = alone and alone.label == label.superset and not is_doubtful(alone)
        if len(text.data) <= size or (fits and alone and alone.language != "western names"):
            break
        kinds = found.distinct if found and 2 * LETTERS_INSIDE * found.outside <= found.counted else 0
        if found is not None and found.foreign >= DOUBTFULLY_FOREIGN and kinds >= DOUBTFUL_KINDS:
            break
    latin = found is not None and {label.page, by_name(found.label).page}.issubset(LATIN_PAGES)
    # Letters of other languages are not known: `Tātā` is Maori.
    return None if latin and names_unknown_language(text.first) else found
