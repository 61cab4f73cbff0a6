"""Whether bytes that are not UTF-8 are words of western languages in windows-1252, or of another encoding.

Every byte is a character in windows-1252, so decoding proves nothing: the letters of the words do.
"""

from __future__ import annotations

import re
from codecs import utf_8_decode
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from sys import maxsize
from typing import Literal, Self

from feedcharset.charsets.lookup import NAMES, Charset, by_name
from feedcharset.decide.thresholds import LATIN, east_asian_charset, foreign_among_utf8, letters_of
from feedcharset.evidence.alphabets import LANGUAGES, Language, WrittenIn
from feedcharset.evidence.damaged_utf8 import one_byte_each
from feedcharset.evidence.language_detector import (
    LONG_SAMPLE,
    MOST_ASCII_LETTERS,
    MOST_SHARED_LETTERS,
    MOST_WRITTEN,
    OUTSIDE_COST,
    OUTSIDE_WESTERN,
    POWER,
    REPEATED_WORDS,
    SEARCHED,
    TAGGED,
    TEXT_BEFORE,
    detect_by_letters,
    judged_pages,
    named_language,
    text_runs,
)
from feedcharset.validate.reading_comparison import ReadingComparison, known

# What Western European text in windows-1252 does not have. A word in Cyrillic, Greek, Hebrew, Arabic, Thai
# or East Asian letters (French has two such bytes in a row, "créée", and no language of Western Europe four);
# a byte that is no character; a sign or a capital letter between two lower-case letters, where it is a letter
# of another code page (ł, ą, ż of windows-1250, é of Mac Roman or code page 850). Allowed there are
# apostrophes, dashes, hyphens, the ellipsis, the middle dot of Catalan, and the small letters œ, š and ž.
# Bytes are translated to their classes and searched as such: five times as fast as expressions. Of those a
# set at the beginning is sought ten times as fast as alternatives.
_NO_CHARACTER = b"\x81\x8d\x8f\x90\x9d"
_BELOW_80 = bytes(range(0x80))
_IS_SIGN = re.compile(
    rb"[\x80-\x84\x86-\x8f\x91\x93\x95\x98\x9b\x9d\x9f\xa1-\xac\xae-\xb1\xb3\xb5\xb6\xb8-\xbf]"
)
_LETTER_CLASS = bytes(0xFF if byte > 0xA0 else 0 for byte in range(256))
_SIGN_CLASS = b"".join(
    b"S" if _IS_SIGN.match(byte) else b"a" if byte.islower() else b" "
    for byte in (bytes([number]) for number in range(256))
)
_UTF8_CHARACTER = re.compile("[\x80-\ud7ff\ue000-\U0010ffff]")

# Letters of other code pages (DOS, Mac, VISCII, Johab), read as windows-1252. Within a word: a byte that is
# no character, and a sign that no western language writes there (it has "m²a", "o’clock", "étudiant•e").
_CLASSES = {
    b"any": rb"A-Za-z\x9a\x9c\x9e\xc0-\xd6\xd8-\xf6\xf8-\xff",
    b"small": rb"a-z\x9a\x9c\x9e\xdf-\xf6\xf8-\xff",
    b"sign": rb"\x81-\x84\x86-\x90\x93\x94\x98\x9b\x9d\x9f\xa1-\xa8\xaa\xac\xaf-\xb1\xb3\xb5\xb6\xb8-\xba"
    rb"\xbc-\xbf",
    b"none": rb"\x81\x8d\x8f\x90\x9d",
    b"odd": rb"\x81-\x84\x86-\x8f\x90\x94\x98\x9d\x9f\xa2-\xa8\xac\xaf\xb1\xb5\xb6\xb8\xbc-\xbe",
}
_SIGN_IN_WORD = re.compile(rb"[%(sign)b](?<=[%(any)b].)(?=[%(odd)b]?[%(small)b])" % _CLASSES)
_FOREIGN_IN_WORDS = re.compile(
    rb"[\x81-\xde](?:(?<=[%(any)b][%(sign)b])(?=[%(odd)b]?[%(small)b])|"
    rb"(?<=[%(any)b][%(none)b])|(?<=[%(none)b])(?=[%(small)b])"
    rb"|(?<=[a-z][\x82-\x84\x88\x8a\x8c\x8e])"
    rb"|(?<=[a-z][a-z][\xc0-\xd6\xd8-\xde])(?=[%(small)b])"  # Irish has "hÉireann"
    # At the end of a word, though no first byte of UTF-8 that may have lost the others; at its beginning.
    rb"|(?<=[%(small)b][\x8b\x98\x9c\x9f\xa2\xa3\xa5\xbc-\xbe\xc0\xc1\xc6-\xd6\xd8-\xde])(?![%(any)b\x80-\xbf])"
    rb"|(?<=[\x83\x88\x98\x9f\xa2\xa5\xaa\xac\xb9\xbc-\xbe])(?<![%(any)b\x80-\xbf].)(?=[%(small)b])"
    rb"|(?<=[%(small)b][\x85\x88\x95\x97])(?= [a-z])|(?<=[cs]i\x97)(?=n(?![a-z]))"
    rb"|(?<=[!-~] [\x8a\x8c\x8e\x9f%(none)b])(?= [!-~]))" % _CLASSES
)
# Where the language is known: also a sign at the end of a word, a capital behind a small letter or alone, and
# the letters of Icelandic. Of 193,347 messages in 18 western languages 3 have there what would be a letter of
# theirs in another page. Below: what may stand there once, as a footnote, or in a foreign name.
_DOUBTFUL = re.compile(
    rb"[\x81-\xfe](?:(?<=[%(any)b%(odd)b][\x81-\x84\x86-\x90\x93-\x95\x98\x99\x9b\x9d\x9f\xa1-\xa9\xac\xae-\xb1\xb3\xb5\xb6"
    rb"\xb8\xb9\xbc-\xbf\xd7])(?=[%(odd)b]?[%(small)b])"
    rb"|(?<=[%(small)b%(odd)b][\x81-\x84\x88\x8a\x8c-\x90\x98\x9c\x9d\x9f\xa1-\xa6\xa8\xac\xb1\xb5\xb6\xb8\xbc-\xd6\xd8-\xde])"
    rb"(?![%(any)b])"
    rb"|(?<=[\x81\x83\x88\x8d\x8f\x90\x98\x9d\x9f\xa2\xa5\xaa\xac\xb9\xbc-\xbe])(?<![%(any)b\x80-\xbf].)(?=[%(small)b])"
    rb"|(?<=[%(small)b][\x8a\x8c\x8e\xc0-\xd6\xd8-\xde])(?=[%(small)b])"
    rb"|(?<=[\xd0\xde\xf0\xfe])(?:(?<=[A-Za-z].)|(?=[a-z]))"
    rb"|(?<= [\x8a\x8c\x8e\x9f%(none)b])(?= ))" % _CLASSES
)
_NOT_ALONE = b"\x86\x87\x89\x93\x94\x99\xa7\xa9\xae\xd0\xde\xf0\xfe"
_LATIN_1_LETTERS = frozenset([*range(0xC0, 0xD7), *range(0xD8, 0xF7), *range(0xF8, 0x100)])
_DOS_AND_MAC = [
    name for name in NAMES if name.startswith(("IBM", "mac", "x-mac")) and by_name(name).page in LATIN
]
_SMALL_LETTER = re.compile(rb"[\x9a\x9c\x9e\xdf-\xf6\xf8-\xff]")

# … — “ ” ª º, accents of their own (ˆ ¨ ¯ ¸) and signs that separate fields (¤ ¦ § ¬ ¶) prove nothing.
_NO_PROOF = b"\x85\x88\x93\x94\x97\x98\xa4\xa6\xa7\xa8\xaa\xac\xaf\xb6\xb8\xba"

# What proves it alone, within a word: ‚ ƒ „ † ‡ ‰ Š Œ Ž Ÿ ¡ ¢ £ ¾ ¿. Of 280,828 messages in 22 western
# languages none has one there. A mark that opens may lack the space before it; then there is one that closes.
_PROOF = b"\x82\x83\x84\x86\x87\x89\x8a\x8c\x8e\x9f\xa1\xa2\xa3\xbe\xbf"
_PROOF_ALONE = _PROOF + _NO_CHARACTER + b"\x8b\x91\x93\x94\x98\x9b\xa5"
_BETWEEN_FIELDS = b"\xa4\xa6\xa7\xac\xb6"
_NO_MARK = b"\x83\x86\x87\x89\x8a\x8c\x8e\x9f"  # one of eight bytes is enough
_CLOSED_BY = {
    b"\x82": b"\x91\x92",
    b"\x84": b'\x93\x94"',
    b"\x93": b"\x94",
    b"\x94": b"\x93",
    b"\xa1": b"!",
    b"\xbf": b"?",
}

# A letter's place. A sign of windows-1252 that stands there in different words, and hardly elsewhere, is a
# letter of another page: `Espa¤a`, `Mu¤oz`. What western words have there counts only in some places: accents
# of their own (ˆ) before consonants, ’ ´ between them (`Rodr’guez`), ‘ behind one, … – — NBSP • beside a
# letter that is no word (`ni–o`), signs like º and ² behind two letters. In 9,758 files of 3 to 1,000
# messages in 38 western languages no sign stands for a letter.
_LETTER_PLACE = re.compile(
    rb"[\x80-\xbf\xd7\xf7](?:(?<=[%(any)b][\x80-\x84\x86\x87\x89-\x90\x93\x94\x98\x99\x9b\x9d\xa1-\xa7\xa9\xab\xac\xae"
    rb"\xb0\xb1\xb5\xb6\xbb-\xbf\xd7\xf7])(?=[%(small)b])|(?<=[%(any)b][\x88\xa8\xaf\xb8])(?=[b-df-hj-np-tv-z])"
    rb"|(?<=[b-df-hj-np-tv-z][\x92\xb4])(?=[b-dfgj-np-tv-z][a-z])|(?<=[B-DFHJ-NP-TV-Zb-dfhj-np-tv-z]\x91)(?=[a-z][a-z])"
    rb"|(?<=[a-z][a-z][\x85\x96\x97\xa0])(?=[a-z](?![%(any)b\x91\x92\xb4']))"
    rb"|(?<=[\n \"\t,;|][b-df-hj-np-tv-z][\x85\x95-\x97\xa0])(?=[a-z][a-z])"
    rb"|(?<=[a-z][a-z][\xaa\xb2\xb3\xb9\xba])(?=[a-z])"
    # At the end of a word; at its beginning.
    rb"|(?<=[a-z][a-z][\x82-\x84\x88-\x8a\x8c-\x90\x98\x9d\xa1-\xa6\xa8\xac\xaf\xb1\xb5\xb6\xb8\xbc-\xbf])"
    rb"(?![%(any)b\x80-\xbf0-9])|(?<=[a-z][a-z][\x95\x97])(?=[;,|\t]| [a-z])"
    rb"|(?<![%(any)b\x80-\xbf0-9].)(?<=[\x82\xa2-\xa4])(?=[\x82a-z])|(?<=\x82\x82)(?=[a-z]))" % _CLASSES
)

# Of what stands there once these prove nothing: apostrophes (`s’jeni`), what is quoted (`“cd”s`, `\\n«`), the
# no-break space. Of 9,244 western files one has another sign there.
_TOLD_OF_NONE = b"\x92\x94\xa0\xab"

# Bytes that are not UTF-8, as lone surrogates. A word in another script: four accented letters, or six bytes
# between which stand one ASCII letter and a chance sequence at most (Shift_JIS, Big5, Thai). A pair of CESU-8
# is none. Within a word a byte that windows-1252 lacks, or a sign that separates nothing, is another page's
# letter.
_CHANCE = "[\x80-\ud7ff\ue000-\U0010ffff]"
_GAP = f"(?:[@-~]?{_CHANCE}{{0,2}}|{_CHANCE}[@-~])"
_OTHER_SCRIPT = re.compile(f"[\udcc0-\udcff]{{4,}}+|[\udc80-\udcff](?:{_GAP}[\udc80-\udcff]){{5,}}+")
STRAY = re.compile("[\udc80-\udcff]")
_TEXT_END, _TEXT_END_IN_BYTES = re.compile("[\n\r<>]"), re.compile(rb"[\n\r<>]")
_CUT_SEQUENCE = re.compile("[\udce0-\udcf4][\udc80-\udcbf](?:(?<=[\udcf0-\udcf4].)[\udc80-\udcbf])?")
_ALL_PAIRS = re.compile(rb"(?:[\0-\x7f]|[\xa1-\xd7][@-~\xa1-\xfe])++")
_HIGH_PAIR = re.compile(rb"[\xa1-\xd7][@-~\xa1-\xfe]")
_SIGN_PAIR = re.compile(rb"[\xa1-\xbf][\xa1-\xfe]")
_HIGH_PAIRS = re.compile(rb"(?:[\xa1-\xfe][\xa1-\xfe])++")
_CONTINUATIONS = "".join(map(chr, range(0xDC80, 0xDCC0)))
_SURROGATE_PAIRS = re.compile("(?:\udced[\udca0-\udcbf][\udc80-\udcbf])++")
_NO_CONTROLS = bytes([*range(9, 0x0E), *range(0x1B, 0x100)])
_BESIDE_CONTROL = re.compile("[\udc80-\udcff][\0-\x08\x0e-\x1a]|[\0-\x08\x0e-\x1a][\udc80-\udcff]")

# Words without a letter a to z are Cyrillic and its like, read as western letters (`øò`); marks may stand at
# them. Of 281,776 messages in 22 western languages, as capitals and in quotation marks, too, none has one but
# `þú` and its like, one letter repeated (`ÅÅ`) and lists of letters. Of Russian ones 98 % have.
_STRAY_LETTERS = "\udcc0-\udcd6\udcd8-\udcf6\udcf8-\udcff"
_STRAY_MARKS = "\udc82\udc84\udc85\udc8b\udc91-\udc97\udc9b\udca0\udcab\udcad\udcb7\udcbb«»“”„‘’…–—\xa0"
_BESIDE = "[A-Za-z\x80-\U0010ffff]"
_WITHOUT_A_TO_Z = re.compile(
    f"[{_STRAY_LETTERS}](?:(?<!{_BESIDE}.)|(?<=[{_STRAY_MARKS}].))[{_STRAY_LETTERS}]++(?:(?!{_BESIDE})|(?=[{_STRAY_MARKS}]))"
)
_STRAY_MARK = re.compile(f"[{_STRAY_MARKS}]")
_WESTERN_ALONE = re.compile(
    r"(.)\1+|[þç].|.ð|[áéíóúýñü]{3,}|[àèìòù]{3,}|[âêîôû]{3,}|[äëïöüÿß]{3,}|[éèêë]{3,}|[éèàçù]{3,}|[åäöæøéü]{3,}",
    re.IGNORECASE,
)
_WORD_CLASSES = b"".join(
    b"a" if byte < 0x80 and chr(byte).isalpha() else b"l" if byte in _LATIN_1_LETTERS else b" "
    for byte in range(256)
)

# `a` for what may stand between two bytes of a row, `h` for those beyond ASCII.
_ROW_CLASSES = bytes(0x40) + b"a" * 0x3F + b" " + b"h" * 0x80

_WORD = re.compile(r"[^\W\d_]++")
_SPACE_BEFORE_SIGN = re.compile(rb"\xa0(?=[:;!?%\xbb])")  # in French; else a letter of DOS text
_FROM_40 = b" " * 0x40 + bytes(range(0x40, 0x100))

MOST_WORDS, LONG_WORD = 256, 4
"""Words of a file that are looked up among those in UTF-8: a column of units has fewer. And the letters of
one that is evidence alone."""

ROW_BYTES = 6
"""Bytes in a row that are a word of another script, in which few ASCII letters stand (Shift_JIS, Thai)."""

# Letters of the languages of windows-1252, but those of `western names` and of English, which has names.
_WESTERN_ALPHABETS = [
    frozenset(
        (letters + letters.upper())
        .encode("cp1252", "ignore")
        .translate(None, _BELOW_80)
        .decode("ascii", "surrogateescape")
    )
    for language in LANGUAGES
    if "windows-1252" in language.charsets and language.tags != "x-any" and "en" not in language.tags.split()
    for letters in [language.letters.removeprefix("=")]
]
_ALL_LETTERS = frozenset(
    map(chr, (0xDC8A, 0xDC8C, 0xDC8E, 0xDC9A, 0xDC9C, 0xDC9E, 0xDC9F, *range(0xDCC0, 0xDD00)))
).difference("\udcd7\udcf7")  # × and ÷ are the same in most pages
_SIGNS_BETWEEN = "\udca3\udca5\udcaa\udcaf\udcb3\udcb9\udcba\udcbc\udcbe\udcbf"
_SIGN_BETWEEN_LETTERS = re.compile(f"[{_SIGNS_BETWEEN}](?<=[a-z].)(?=[a-z])")
_ALL_BUT_OTHERS = [
    bytes(byte for byte in range(0x80, 0x100) if chr(0xDC00 + byte) not in _ALL_LETTERS - letters)
    for letters in _WESTERN_ALPHABETS
]
"""Bytes without the letters that an alphabet lacks."""

# ª º ° ² ³ ¹ ½ ¼ ¾ £ © ® ± § µ « » · between other signs or behind a digit: in the other Latin pages they are
# letters (ş, ł, ą, ź) that are no words alone, but initials before a point. Also `m³` and `Nº`.
_LONE_SIGN = re.compile(
    rb"(?:(?<=[0-9])|(?<![A-Za-z\x80-\xff])(?!.[.A-Za-z\x80-\xff]))"
    rb"[\xa3\xa7\xa9\xaa\xab\xae\xb0-\xb3\xb5\xb7\xb9-\xbe](?![\x80-\xff])"
    rb"|(?<![A-Za-z].)(?:(?<=[Nn])\xba|(?<=[A-Z])[\xaa\xba])(?![A-Za-z\x80-\xff])"
)

FEW_WORDS = 8
"""Words beyond ASCII of a column of units or abbreviations. Where most have signs for letters (`z³` of zł,
`aºa` of aşa), they are in an encoding that nothing names. Powers of units end longer words (`pol³`)."""

_SIGN_FOR_LETTER = re.compile(
    rb"[\xaa\xba\xbc\xbe]|[\xaf\xb3\xb9](?=[A-Za-z])|\A.[\xb3\xb9]\Z|[\xa3\xa5\xbf](?<=[A-Za-z].)"
)
_BETWEEN_WORDS = re.compile(rb"[^A-Za-z\xa1-\xaa\xac\xae\xaf\xb1-\xb6\xb8-\xba\xbc-\xff]++")

ODD_SPAN = 1024
"""Characters of the texts whose letters no western language has together; they are judged by themselves, so
that other lines do not hide them. Of 40,000 messages in 22 western languages 3 are such, of those in other
Latin pages a quarter."""

MISFITS_PIECE, MISFITS_SPAN = 64 * 1024, 4096
"""Of each so many bytes so many are judged, from the first that is not UTF-8 on."""

UTF8_LETTERS = 3
"""Letters in UTF-8 that show that a text in another charset has lines of UTF-8."""

MANY_CONTROLS = 8
"""Different control characters beside bytes that are not UTF-8: text has one or two, between fields."""


def is_western(data: bytes, *, mixed: bool = False) -> bool:
    """Return True unless the bytes show letters of another script or code page than Western European ones.

    Every byte is a character in these charsets, so decoding proves nothing. Where they are mixed with UTF-8,
    its sequences are not looked at.
    """
    if mixed:
        data = without_utf8(data)
    return (
        not any(byte in data for byte in _NO_CHARACTER)
        and b"\xff\xff\xff\xff" not in data.translate(_LETTER_CLASS)
        and b"aSa" not in data.translate(_SIGN_CLASS)
    )


def language_of_utf8(data: bytes) -> WrittenIn | None:
    """Return the language of text in UTF-8; None where it has no letter beyond ASCII.

    It is the language whose letters cost least. `Dvořák` in an English title makes Czech of it, with hardly
    an advantage. Other bytes than UTF-8 are passed over.
    """
    utf8 = data[:SEARCHED].decode("utf-8", "ignore").encode()
    sample = text_runs(b"", utf8, LONG_SAMPLE).decode("utf-8", "ignore")
    letters = [(char, number) for char, number in Counter(sample.lower()).items() if char.isalpha()]
    beyond = [(char, number) for char, number in letters if not char.isascii()]
    if not beyond:
        return None
    a_to_z = [(ord(char) - ord("a"), number) for char, number in letters if char.isascii()]
    number, plain = sum(number for _, number in beyond), sum(number for _, number in a_to_z)
    least, least_western, best = maxsize, maxsize, LANGUAGES[0]
    for alphabet in {one.language.name: one for page in judged_pages() for one in page.alphabets}.values():
        western = "windows-1252" in alphabet.language.charsets
        outside = OUTSIDE_WESTERN if western else OUTSIDE_COST
        common = sum(alphabet.bits[at] * number for at, number in a_to_z)
        counted = min(number, MOST_SHARED_LETTERS)
        cost = alphabet.language.seldom
        cost += sum(alphabet.costs.get(char, outside) * number for char, number in beyond)
        cost += common * MOST_ASCII_LETTERS // max(plain, MOST_ASCII_LETTERS)
        cost += counted * alphabet.beyond + plain * counted * alphabet.plain // number
        if western:
            least_western = min(least_western, cost)
        if cost < least:
            least, best = cost, alphabet.language
    return WrittenIn(best, min(least_western - least, MOST_WRITTEN))


class LettersAmongUtf8:
    """Judges by their letters the bytes of a document that are not UTF-8: those of all pieces together.

    Texts that have such bytes are judged, without the texts between them, which are in UTF-8.

    Args:
        beginning: the document's first bytes, which may name its language.
        window: bytes that show in which language its UTF-8 is written.
        declared: the charset that its declaration names.
    """

    def __init__(self, beginning: bytes, window: bytes, declared: Charset | None = None) -> None:
        self._beginning = beginning
        self._written = language_of_utf8(window)
        self._named = named_language(beginning, "")[0]
        self._charset, self._why = None, "which the declaration names"
        """What they may be in whatever their letters cost."""
        if declared and declared.family in ("single", "CJK") and declared.superset != "windows-1252":
            self._charset = declared
        elif name := east_asian_charset(window.decode("utf-8", "ignore")):
            self._charset, self._why = by_name(name), "as the text in UTF-8 has its letters"
        self._texts = self._odd = ""
        self.odd: int = 0
        """Texts whose letters no western language has together, or in which a sign stands for a letter."""
        self.first_odd: str = ""
        self._in_utf8 = _words_beyond_ascii(window.decode("utf-8", "ignore"))
        self._seen: set[bytes] = set()
        """Words with bytes that are not UTF-8, of which MOST_WORDS are looked up in UTF-8."""
        self._western: set[bytes] = set()
        """Those that are words of it in windows-1252."""

    @classmethod
    def of(cls, comparison: ReadingComparison) -> Self:
        """Return a judge of a document that is checked."""
        return cls(comparison.head[:TAGGED], comparison.sample, known(comparison.facts.declared))

    def found_in(self, data: bytes) -> str | None:
        """Return in which charset and language they seem to be, with the next bytes; None where they can
        be Western European. A character that the end of the bytes cuts is not judged."""
        self._written = self._written or language_of_utf8(data)
        for at in range(0, len(data), MISFITS_PIECE):
            piece = data[at : at + MISFITS_PIECE]
            text = utf_8_decode(piece, "surrogateescape")[0].lstrip(_CONTINUATIONS)
            first = ""
            for line in _texts_with(STRAY, text):
                first += line + "\n"
                if len(first) > MISFITS_SPAN:
                    break
            if not first:
                continue
            first = first[:-1][:MISFITS_SPAN]
            self._texts = (self._texts + first + "\n")[-2 * MISFITS_SPAN :]
            if self._charset is not None and _has_letters_of(self._charset, self._texts):
                return f"in {self._charset.name}, {self._why}"
            strays = _only_strays(self._texts)
            found = detect_by_letters(strays, b"", self._beginning, written=self._written)
            if found is not None and foreign_among_utf8(found):
                return f"in {found.label} ({letters_of(found)})"
            strays = _only_strays(_CUT_SEQUENCE.sub(" ", self._texts))
            language = self._named or (self._written and self._written.language)
            if language is not None and (page := _page_of_words(language, strays)):
                return "in a code page of DOS or Mac" if page in _DOS_AND_MAC else f"in {page}"
            if _may_have_pairs(text.encode("utf-8", "surrogateescape")) and any(
                map(_has_pairs, _texts_with(STRAY, text))
            ):
                return "words of an East Asian encoding"
            if _FOREIGN_IN_WORDS.search(strays) and any(map(is_dos_or_mac, strays.splitlines())):
                return "words of another encoding, as of DOS or Mac"
            if has_signs_for_letters(strays):
                return "words of another encoding, as of DOS or Mac"
            if page := self._page_of_words_in_utf8(first):
                return f"in {page}, as words of the text in UTF-8"
            alone = b" ll" in b" " + piece.translate(_WORD_CLASSES) and _has_words_without_a_to_z(text)
            # A search for rows takes twice as long as all the rest, and few pieces have six such bytes.
            bare = one_byte_each(text)
            row = ROW_BYTES * b"h" in bare.translate(_ROW_CLASSES, b"?").replace(b"ha", b"h")
            if alone or (row and _has_rows("\n".join(_texts_with(STRAY, text)))):
                return "words of another encoding"
            beyond = bare.translate(None, _BELOW_80)
            others = min((beyond.translate(None, rest) for rest in _ALL_BUT_OTHERS), key=len)
            others += b"".join(_LETTER_PLACE.findall(bare)).translate(None, _TOLD_OF_NONE)
            wanted = bytes(set(others)).decode("ascii", "surrogateescape") + _SIGNS_BETWEEN
            odd = []
            for line in _texts_with(re.compile(f"[{wanted}]"), text):
                if _is_odd(line):
                    odd.append(line)
                elif not b"".join(_LETTER_PLACE.findall(_only_strays(line))).translate(None, _TOLD_OF_NONE):
                    continue
                self.odd += 1
                self.first_odd = self.first_odd or line
            if odd:
                self._odd = (self._odd + "\n".join(odd) + "\n")[-ODD_SPAN:]
                found = detect_by_letters(
                    _only_strays(self._odd), b"", self._beginning, written=self._written
                )
                if found is not None and foreign_among_utf8(found):
                    return f"in {found.label} ({letters_of(found)})"
        return None

    def _page_of_words_in_utf8(self, text: str) -> str | None:
        """Return the page in which half of the words that are not UTF-8, or a long one, are words of the text
        in UTF-8, and in windows-1252 are none; not where as many are in windows-1252 alone, or more have
        capital letters within them."""
        if not self._in_utf8 or len(self._seen) >= MOST_WORDS:
            return None
        strays = _SPACE_BEFORE_SIGN.sub(b" ", _only_strays(text)).translate(_FROM_40).split()
        words = {word for word in strays if not word.isascii()} - self._seen
        self._seen |= words
        joined = b" ".join(words)
        western = _words_beyond_ascii(joined.decode("cp1252", "replace"))
        self._western |= {word for word in words if self._in_utf8 & {word.decode("cp1252", "replace")}}
        for name in NAMES if words else ():
            if (charset := by_name(name)).family in ("single", "CJK") and charset.codec:
                read = _words_beyond_ascii(joined.decode(charset.codec, "replace"))
                found = (read & self._in_utf8) - western
                if 2 * len(found) < len(words) and max(map(len, found), default=0) < LONG_WORD:
                    continue
                other = (word.decode(charset.codec, "replace") for word in self._western)
                others = sum(word not in self._in_utf8 for word in other)
                within = sum(one.islower() and two.isupper() for word in read for one, two in pairwise(word))
                if len(found) > max(others, within - 1):
                    return name
        return None


def _words_beyond_ascii(text: str) -> set[str]:
    return {word for word in _WORD.findall(text) if not word.isascii()}


def _texts_with(strays: re.Pattern[str], text: str) -> Iterator[str]:
    """The texts, between line ends and tags, that have some of the bytes that are not UTF-8."""
    end, before = 0, text.rfind
    while (found := strays.search(text, end)) is not None:
        at = found.start()
        lines, tags = (
            max(before("\n", end, at), before("\r", end, at)),
            max(before("<", end, at), before(">", end, at)),
        )
        start = max(end, lines + 1, tags + 1)
        after = _TEXT_END.search(text, at)
        end = after.start() if after else len(text)
        first = STRAY.search(text, start, end)
        start = max(first.start() - TEXT_BEFORE, start) if first else start
        yield text[start : min(end, start + MISFITS_SPAN)]


def _has_words_without_a_to_z(text: str) -> bool:
    for word in set(_WITHOUT_A_TO_Z.findall(text)):
        read = word.encode("ascii", "surrogateescape").decode("cp1252")
        if not (_WESTERN_ALONE.fullmatch(read) or _is_list(list(word))):
            return True
    return False


def _has_rows(text: str) -> bool:
    """Return True where so many bytes stand in a row that no western word has them."""
    for row in _OTHER_SCRIPT.findall(_SURROGATE_PAIRS.sub(" ", text)):
        letters = _STRAY_MARK.sub("", "".join(STRAY.findall(row)))
        if len(letters) >= ROW_BYTES and len(set(letters)) > 2 and not _is_list(list(letters)):
            return True
    return False


def _is_odd(text: str) -> bool:
    letters = _ALL_LETTERS.intersection(text)
    if letters and not any(map(letters.issubset, _WESTERN_ALPHABETS)):
        return True
    return _SIGN_BETWEEN_LETTERS.search(text) is not None


def _page_of_words(language: Language, data: bytes) -> str | None:
    """Return the page of DOS, Mac or the language in which bytes are its letters where its words have none in
    windows-1252; None where there is none.

    Two are enough where they are more than the western letters that the page lacks; one where windows-1252
    has no character for it, or where all bytes are letters of the page (AE and AF are « and »).
    """
    doubtful = Counter(b"".join(_DOUBTFUL.findall(data)))
    if not (doubtful and language.beyond):
        return None
    western, strays = _bytes_of("windows-1252", language.letters), set(data.translate(None, _BELOW_80))
    for name in (*_DOS_AND_MAC, *language.charsets.replace("windows-1252", "ISO-8859-15").split()):
        letters = _bytes_of(name, language.letters)
        others = sum(map(data.count, _LATIN_1_LETTERS - letters))
        unlikely = letters.difference(b"\xf0\xfe" if name in _DOS_AND_MAC else western)
        seen = unlikely & doubtful.keys()
        found = sum(doubtful[byte] for byte in seen.difference(b"\xd0\xde\xf0\xfe"))
        has_all = letters.union(b"\xae\xaf") >= strays and (len(strays) > 1 or seen.difference(_NOT_ALONE))
        if found > max(1, others) or (seen and has_all) or seen.intersection(_NO_CHARACTER):
            return name
    return None


@lru_cache(maxsize=128)
def _bytes_of(name: str, letters: str) -> frozenset[int]:
    """The bytes that are these letters, or their capitals, in a charset."""
    read = bytes(range(0x80, 0x100)).decode(by_name(name).codec or "ascii", "replace")
    return frozenset(byte for byte, char in enumerate(read, 0x80) if char.lower() in letters)


def _may_have_pairs(data: bytes) -> bool:
    """Return True where `_has_pairs` may be true of a text: it is of its line, or that is a long one."""
    end = 0
    while (found := _SIGN_PAIR.search(data, end)) is not None:
        before, after = data[max(found.start() - TEXT_BEFORE, end) : found.start()], found.end()
        end = match.start() if (match := _TEXT_END_IN_BYTES.search(data, after)) else len(data)
        line = _TEXT_END_IN_BYTES.split(before)[-1] + data[found.start() : end]
        if len(line) > TEXT_BEFORE:
            return True
        text = line.decode("utf-8", "surrogateescape")
        if STRAY.search(text) and _has_pairs(text):
            return True
    return False


def _has_pairs(text: str) -> bool:
    """Return True where all but ASCII is pairs of bytes as in common words of Big5, EUC-KR and GB2312, and
    some would be signs before letters (`»ç¿ë`): two, or one beside two other pairs that are no UTF-8.

    True of none of 17,756 messages in 20 western languages, as capitals and in quotation marks neither.
    """
    data = text.rstrip("\n").encode("utf-8", "surrogateescape")
    if not _ALL_PAIRS.fullmatch(data):
        return False
    pairs = {pair for pair in _HIGH_PAIR.findall(data) if pair[0] < 0xC0 or pair[1] > 0xBF}
    signs = sum(pair[0] < 0xC0 and pair[1] > 0xA0 and pair[0] != pair[1] for pair in pairs)
    return signs > 1 or (signs > 0 and len(pairs) > 2)


def _has_letters_of(charset: Charset, text: str) -> bool:
    """Return True where text in another charset than windows-1252 shows it: each byte is part of a character,
    in an East Asian one in pairs of A1-FE (French has them one by one, and before ASCII), and there is a
    letter, or the euro sign, that windows-1252 reads otherwise. In another script than Latin it takes
    `UTF8_LETTERS` different ones: `été` in windows-1252 has one or two of each page.
    """
    data = _only_strays(text)
    if charset.family == "CJK":
        data = text.rstrip("\n").encode("utf-8", "surrogateescape")
        others = _HIGH_PAIRS.sub(b"", data)
        if others[-1:] > b"\x7f":  # the end of the bytes may have cut a pair
            data, others = data[:-1], others[:-1]
        if not others.isascii():
            return False
    read = data.decode(charset.codec or "ascii", "replace")
    letters = set(read) - set(data.decode("cp1252", "ignore"))
    least = 1 if charset.page in LATIN else UTF8_LETTERS
    return "\ufffd" not in read and sum(char.isalpha() or char == "€" for char in letters) >= least


def without_utf8(data: bytes) -> bytes:
    """ASCII, and the bytes that are not UTF-8."""
    return _only_strays(data.decode("utf-8", "surrogateescape"))


def _only_strays(text: str) -> bytes:
    with suppress(UnicodeEncodeError):  # there is no UTF-8
        return text.encode("ascii", "surrogateescape")
    return _UTF8_CHARACTER.sub(" ", text).encode("ascii", "surrogateescape")


def misfits_among_utf8(data: bytes) -> Literal["binary", "words"] | None:
    """Return what the bytes that are not UTF-8 are where many of them cannot be windows-1252.

    "binary": many different control characters stand beside them, or some beside a quarter of them. "words":
    a quarter is in words of another script, or in letters of another page: eight bytes of such words, or
    three such letters, or one that is no character.
    """
    if len(set(data.translate(None, _NO_CONTROLS))) >= 3:
        text = data.decode("utf-8", "surrogateescape")
        beside = "".join(_BESIDE_CONTROL.findall(text))
        different = len({char for char in beside if char < " "})
        if different >= MANY_CONTROLS or (different >= 3 and 4 * len(beside) >= _strays(text)):
            return "binary"
    pieces = (data[at : at + MISFITS_PIECE] for at in range(0, len(data), MISFITS_PIECE))
    return "words" if any(map(_has_foreign_words, pieces)) else None


def _strays(text: str) -> int:
    return len(text) - len(text.encode("utf-8", "ignore").decode())


def _has_foreign_words(data: bytes) -> bool:
    data = data.lstrip(bytes(range(0x80, 0xC0)))  # the last piece may have ended within a character
    try:
        data.decode()
        return False
    except UnicodeDecodeError as error:
        start = max(error.start - 1, 0)
    data = data[start : start + MISFITS_SPAN]
    text = data.decode("utf-8", "surrogateescape")
    signs = [byte for byte in _SIGN_IN_WORD.findall(without_utf8(data)) if byte not in _NO_PROOF]
    strays, letters = _strays(text), len(signs)
    words = map(STRAY.findall, _OTHER_SCRIPT.findall(_SURROGATE_PAIRS.sub(" ", text)))
    foreign = sum(len(found) for found in words if len(set(found)) > 2 and not _is_list(found))
    enough = letters > 2 or any(byte in _NO_CHARACTER for byte in signs)
    return (foreign >= 8 and 4 * foreign > strays) or (enough and 4 * letters > strays)


def _is_list(strays: list[str]) -> bool:
    """Return True for a list of letters: eight and more, all capital or all small, or in pairs, each once."""
    letters = "".join(strays).encode("ascii", "surrogateescape").decode("cp1252", "replace")
    upper, lower = set(letters.upper()), set(letters.lower())
    kinds = (len(upper), len(lower), len(upper | lower))
    return len(letters) >= 8 and len(set(letters)) == len(letters) and len(letters) in kinds


def is_dos_or_mac(data: bytes) -> bool:
    """Return True where the words of bytes that are not UTF-8 are none in windows-1252: text of DOS or Mac.

    True of three of 253,169 messages in 37 western languages; of 51 % of messages in a code page of DOS or
    Mac, of 88 % of three together, and in another corpus of 86 % of twelve and 97 % of 200.
    """
    data = without_utf8(data)
    if has_signs_for_letters(data):
        return True
    found = _FOREIGN_IN_WORDS.findall(data)
    undefined = sum(byte in _NO_CHARACTER for byte in found)
    count = data.count
    closed = {mark for mark, ends in _CLOSED_BY.items() if any(count(end) >= count(mark) for end in ends)}
    signs = {byte for byte in found if byte not in _NO_PROOF and byte not in closed}
    inside = [byte for byte in _SIGN_IN_WORD.findall(data) if byte in signs or byte in b"\xaa\xba"]
    beyond = len(data.translate(None, _BELOW_80))
    share = max((8 if byte in _NO_MARK else 2 for byte in inside if byte in _PROOF), default=0)
    several = len(found) > 1 and (signs or b"i\x97n" in data)  # Mac's "ción"
    proves = undefined or several or share * len(found) > beyond
    many = len(inside) > 2 and len(set(inside)) > 1 and 16 * len(inside) > beyond  # ISO-8859-10
    return many or (bool(proves) and 4 * (len(found) + undefined) > len(_SMALL_LETTER.findall(data)))


def _without_lone_signs(data: bytes) -> bytes:
    return _LONE_SIGN.sub(b" ", POWER.sub(b" ", without_utf8(data)))


def has_only_signs(data: bytes) -> bool:
    """Return True where all bytes that are not UTF-8 are signs that touch no letter."""
    return _without_lone_signs(data).isascii()


def may_be_another(data: bytes) -> bool:
    """Return True where the few words of a column have signs for letters, or are words of another page as
    often as they stand there, though not each of them once."""
    words = _BETWEEN_WORDS.split(_without_lone_signs(data))
    beyond = [word for word in words if not word.isascii()]
    few = set(beyond)
    if len(few) > FEW_WORDS:
        return False
    if len(beyond) >= REPEATED_WORDS * len(few):
        letters = b" ".join(word for word in words if word.isascii() or max(word) >= 0xC0)  # no µm, pie³
        found = detect_by_letters(letters, once=False)
        if found is not None and found.label not in ("windows-1252", "ISO-8859-15"):
            return True
    return 2 * sum(map(bool, map(_SIGN_FOR_LETTER.search, few))) > len(few)


def has_signs_for_letters(data: bytes) -> bool:
    """Return True where a sign stands for a letter in different words: in three of four places where it is,
    and in more than a quarter as many as there are small western letters."""
    words: dict[bytes, set[tuple[bytes, bytes]]] = {}
    found = [(match[0], match.start()) for match in _LETTER_PLACE.finditer(data)]
    for sign, at in found:
        before, after = data[max(at - 4, 0) : at], data[at + 1 : at + 3]
        words.setdefault(sign, set()).add((_BETWEEN_WORDS.split(before)[-1], _BETWEEN_WORDS.split(after)[0]))
    small = len(_SMALL_LETTER.findall(data)) if words else 0
    numbers = Counter(sign for sign, _ in found)
    for sign, different in words.items():
        number, count = numbers[sign], data.count(sign)
        if len(different) < 2 or 4 * number < 3 * count or 4 * number <= small:
            continue
        in_lines = {line.count(sign) for line in data.splitlines()} - {0}
        separates = sign in _BETWEEN_FIELDS and len(in_lines) == 1 and in_lines != {1}
        if not (separates or any(data.count(end) >= count for end in _CLOSED_BY.get(sign, b""))):
            return True
    return False


def has_signs_alone(data: bytes) -> bool:
    """Return True where all bytes beyond ASCII stand for letters, and some prove it in a single word.

    True of none of 253,169 messages in 37 western languages; apostrophes (`n’ko`) prove nothing alone.
    """
    data = without_utf8(data)
    found = _LETTER_PLACE.findall(data)
    alone = {sign for sign in found if sign in _PROOF_ALONE}
    if not alone or len(found) != len(data.translate(None, _BELOW_80)):
        return False
    return not any(data.count(end) >= data.count(sign) for sign in alone for end in _CLOSED_BY.get(sign, b""))
