"""Whether bytes that are not UTF-8 are western words in windows-1252, or letters of another encoding.

Every byte is a character in windows-1252, so decoding proves nothing: the letters of the words do. There is
one judge of letters, the detector (`evidence/language_detector.py`). It is shown the texts that have such
bytes, between tags and line ends, without what is UTF-8 in them, and with the pages of DOS and Mac among its
charsets. They are in another encoding where they cost clearly less in it than in windows-1252 (CLEARLY_LESS),
and it reads a byte otherwise, as a letter of the language. The language that the document names has an
advantage, or else the one in which its UTF-8 is written.

`LettersAmongUtf8` judges the texts of all pieces of a document together, and once more by themselves the odd
ones: those whose letters no western language has together, or in which a sign stands between letters. So many
western lines do not hide a few others. Where a declaration names an encoding, or the UTF-8 is East Asian, the
bytes need no judge: letters of that encoding are enough.

A single word is hardly evidence; what is judged wrongly is counted in docs/how-to/repair.md.
"""

from __future__ import annotations

import re
from codecs import utf_8_decode
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from sys import maxsize
from typing import Self

from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.charsets.single_byte import NO_CHARACTER
from feedcharset.decide.thresholds import LATIN, letters_of
from feedcharset.evidence.alphabets import (
    LANGUAGES,
    OUTSIDE_COST,
    OUTSIDE_WESTERN,
    TAGGED,
    UNNAMED,
    WrittenIn,
)
from feedcharset.evidence.damaged_utf8 import escaped_runs, has_sequence, one_byte_each
from feedcharset.evidence.detector import TEXT_BEFORE
from feedcharset.evidence.language_detector import (
    LONG_SAMPLE,
    MOST_WRITTEN,
    JudgedText,
    common_cost,
    detect_by_letters,
    judged_pages,
)
from feedcharset.evidence.scripts import ALL_ASCII, POWER, SEARCHED, text_runs
from feedcharset.results.facts import Detected
from feedcharset.validate.reading_comparison import ReadingComparison, known

STRAY = re.compile("[\udc80-\udcff]")
"""A byte that is not UTF-8."""

_IS_SIGN = re.compile(
    rb"[\x80-\x84\x86-\x8f\x91\x93\x95\x98\x9b\x9d\x9f\xa1-\xac\xae-\xb1\xb3\xb5\xb6\xb8-\xbf]"
)
_LETTER_CLASS = bytes(0xFF if byte > 0xA0 else 0 for byte in range(256))
_SIGN_CLASS = b"".join(
    b"S" if _IS_SIGN.match(byte) else b"a" if byte.islower() else b" "
    for byte in (bytes([number]) for number in range(256))
)
_UTF8_CHARACTER = re.compile("[\x80-\ud7ff\ue000-\U0010ffff]")
_TEXT_END = re.compile("[\n\r<>]")
_CUT_SEQUENCE = re.compile("[\udce0-\udcf4][\udc80-\udcbf](?:(?<=[\udcf0-\udcf4].)[\udc80-\udcbf])?")
_DASH = re.compile("\udc97(?<=[A-Za-z].)(?=[A-Za-z])")
_DASH_AT_WORD = re.compile(
    "\udc97(?i:a|after|all|and|as|at|but|for|he|if|in|is|it|not|of|or|she|so|that|the|then|they|this|to|we|who)(?![a-z])"
)
"""`then\x97left` of English text: in Macintosh text it is `ó` (`canci\x97n`)."""
_WORDS_OF_BYTES = re.compile(r"(?<!\w)[\udc80-\udcff]{2,}+(?!\w)")
_CONTINUATIONS = "".join(map(chr, range(0xDC80, 0xDCC0)))
_SURROGATE_PAIRS = re.compile("(?:\udced[\udca0-\udcbf][\udc80-\udcbf])++")
_ROW = re.compile("[\udc80-\udcff](?:[@-~]?[\udc80-\udcff]){5,}+")
_MARKS_OF_WORDS = re.compile("[\udc85\udc8b\udc91-\udc97\udc9b\udca0\udcab\udcad\udcb7\udcbb]|[\0-\x7f]")
_HIGH_PAIRS = re.compile(rb"(?:[\xa1-\xfe][\xa1-\xfe])++")
_NO_CONTROLS = bytes([*range(9, 0x0E), *range(0x1B, 0x100)])
_BESIDE_CONTROL = re.compile("[\udc80-\udcff][\0-\x08\x0e-\x1a]|[\0-\x08\x0e-\x1a][\udc80-\udcff]")

# Letters of the languages of windows-1252, but those of `western names` and of English, which has names.
_WESTERN_ALPHABETS = [
    frozenset(
        (letters + letters.upper())
        .encode("cp1252", "ignore")
        .translate(None, ALL_ASCII)
        .decode("ascii", "surrogateescape")
    )
    for language in LANGUAGES
    if "windows-1252" in language.charsets and language.tags != "x-any" and "en" not in language.tags.split()
    for letters in [language.letters.removeprefix("=")]
]
_ALL_LETTERS = frozenset(
    map(chr, (0xDC8A, 0xDC8C, 0xDC8E, 0xDC9A, 0xDC9C, 0xDC9E, 0xDC9F, *range(0xDCC0, 0xDD00)))
).difference("\udcd7\udcf7")  # × and ÷ are the same in most pages
# Of 193,347 messages in 18 western languages 3 have one of them within a word; of 237,230 one has a capital
# so, and none ‰ ‹ ¡ ¢ at its end.
_SIGNS_BETWEEN = "".join(
    chr(0xDC00 + byte) for byte in "‚ƒ„†‡ˆ‰‹›˜•¢£¤¥¦§¨ª¬¯³¹ºµ¶¸¼½¾¿".encode("cp1252") + NO_CHARACTER
)
_ODD_CAPITALS = "\udc8a\udc8c\udc8e\udcc6\udcd0\udcde"
_SIGNS_AND_CAPITALS = _SIGNS_BETWEEN + "\udca1" + _ODD_CAPITALS
_SIGN_BETWEEN_LETTERS = re.compile(
    f"[{_SIGNS_BETWEEN}](?<=[A-Za-z].)(?=[a-z])|[\udc81\udc8d\udc8f\udc90\udc9d](?:(?=[a-z])|(?<=[a-z].))"
    "|[\udc89\udc8b\udca1\udca2](?<=[a-z].)(?![A-Za-z0-9])|[%s](?<=[a-z].)(?=[a-z])" % _ODD_CAPITALS
)
_OF_DOS = re.compile(
    # It begins with a class, for which `re` searches quickly.
    "[\udc82\udc8a\udc8f\udc9c-\udc9e\udca1\udcae\udcb8\udcd0\udcd3\udcd5\udcf1\udcf6\udcf8\udcfd\udcff](?:"
    "(?:(?<=[a-z][\udc8a\udc8f])|(?<=[a-z\"')][ '][\udc8a\udc8f]))(?= [a-z])"
    "|(?<=[a-z]\udc82)(?= [a-z][^\udc82]*+\udc82)|(?<=[a-z]\udcd5)(?=[a-z])"
    "|(?<=[a-z.,!?]\udcd3)(?![A-Za-z\udc80-\udcff])|(?<= \udcd0)(?= [a-z])"
    "|(?<=[\udc9c\udc9d\udcf1])(?<![A-Za-z\udc80-\udcff].)(?=[0-9])"
    "|(?<=\udcf8)(?:(?<=[0-9].)(?![ABD-EG-Za-z\udc80-\udcff])|(?<=[0-9] .)(?=[CF]))(?![CF][A-Za-z])"
    "|(?<=[0-9] [\udcf1\udcf6\udc9e])(?= [0-9])|(?<=[0-9][\udca1\udcf6\udc9e\udcff])(?=[0-9])"
    "|(?<=[0-9]\udca1)(?=[CF](?![A-Za-z]))|(?<=\udcae)(?=[A-Za-z])[^\n\udc80-\udcff]{1,60}+\udcaf"
    "|(?<=\udcb8)(?= [12][0-9]{3}(?![0-9]))"
    "|(?<=\udcfd)(?:(?<=[0-9 ][mk]m.)|(?<=[0-9] m.)|(?<=[0-9]m.))(?![a-z]))"
)
"""`il file è vuoto` of DOS and Mac, in windows-1252 `Š` and no character, and `perché il`, there with a
low quotation mark, twice; marks of Mac, there capitals (`It\xd5s`, `fine\xd3`, `then \xd0 the`), and signs of
DOS, there letters (`\x9c5`, `20 \xf8C`, `5 \xf1 1`), or signs in other places (`25\xa1C`, `\xaename\xaf`):
none of 253,000 messages in windows-1252 has them so."""
_OF_MAC = re.compile(
    "\udcc9(?<=[a-z].)(?![A-Za-z\udc80-\udcff])|^[ \t]*+\udca5 (?=[A-Za-z])|\udcd1(?<=[a-z] .)(?= [a-z])",
    re.MULTILINE,
)
"""`Open\xc9`, `\xa5 Read`, `came \xd1 but`: once they may be a letter, or yen."""
_MARKS_OF_MAC = "\udca5\udcc9\udcd1"
BOXES = re.compile(
    rb"[\xc4\xcd][\xc4\xcd]{2}(?:(?<=[\xb3\xba\xc0\xc3\xc8\xc9\xcc\xda]...)|(?=[\xb3\xb4\xb9\xba\xbb\xbc\xbf\xd9]))"
)
"""A line of a box of DOS, with its corner: there is no text with `ÚÄÄÄ`."""
_FOUR_BYTES = re.compile("[\udc81-\udc84][0-9][\udc81-\udcfe][0-9][\udc81-\udc84][0-9]")
"""Characters of four bytes in GB18030 (Georgian, emoji)."""
_BESIDE_UTF8 = re.compile(
    rb"[\xc9-\xdf](?<=[\xc0-\xff].)[\x80-\xbf]|[\xc9-\xdf](?<=[\xc0-\xff][0-9].)[\x80-\xbf]"
)
_WITH_NEXT = re.compile("[\udc80-\udcff]{1,4}+[^\udc80-\udcff]?")
"""Bytes that are not UTF-8, with what follows them."""
_BESIDE_OTHERS = re.compile("([\udcc0-\udcff])[0-9]?([\u0250-\u07ff])")
_OTHERS = [frozenset(ord(letter) & 0xFF for letter in _ALL_LETTERS - some) for some in _WESTERN_ALPHABETS]
"""The bytes of the letters that an alphabet lacks."""

# ª º ° ² ³ ¹ ½ ¼ ¾ £ © ® ± § µ « » · between other signs or behind a digit: in the other Latin pages they are
# letters (ş, ł, ą, ź) that are no words alone, but initials before a point. Also `m³` and `Nº`.
_LONE_SIGNS = b"\xa3\xa7\xa9\xaa\xab\xae\xb0\xb1\xb2\xb3\xb5\xb7\xb9\xba\xbb\xbc\xbd\xbe"
_ASCII_AND_SIGNS = ALL_ASCII + _LONE_SIGNS
_LONE_SIGN = re.compile(
    rb"(?:(?<=[0-9])|(?<![A-Za-z\x80-\xff])(?!.[.A-Za-z\x80-\xff]))[" + _LONE_SIGNS + rb"](?![\x80-\xff])"
    rb"|(?<![A-Za-z].)(?:(?<=[Nn])\xba|(?<=[A-Z])[\xaa\xba])(?![A-Za-z\x80-\xff])"
)

ROW_BYTES = 6
"""Bytes in a row, without marks and with one ASCII letter between two of them at most, that are a word of
another script: French has two (`créée`). Lists of letters have them in their order."""

ODD_SPAN = 1024
"""Characters of the odd texts that are judged by themselves. Of 40,000 messages in 22 western languages 3
have letters that no western language has together, of those in other Latin pages a quarter."""

ODD_TEXTS = 16
"""Odd texts in a piece by which the bytes are not western, if half of the texts with such bytes are odd."""

NEAR_STRAY = 64
"""Characters around a byte by which a pattern finds it: `_OF_DOS` has 62 between two."""

KNOWN_SHARE, KNOWN_TIMES, MOST_KNOWN = 8, 4, 4096
"""One byte in so many may stand otherwise than in the texts that were judged, or so many times more often; so
many kinds are kept."""

MISFITS_PIECE, MISFITS_SPAN = 64 * 1024, 4096
"""Of each so many bytes so many are judged, from the first that is not UTF-8 on."""

ODD_SIGNS = b"\x81\x83\x86\x87\x88\x89\x8c\x8d\x8f\x90\x98\x9d\x9f"
"""Bytes that are no character in windows-1252, rare signs and capitals: letters of other encodings."""

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
        not any(byte in data for byte in NO_CHARACTER)
        and b"\xff\xff\xff\xff" not in data.translate(_LETTER_CLASS)
        and b"aSa" not in data.translate(_SIGN_CLASS)
    )


def another_encoding(
    data: bytes, beginning: bytes = b"", written: WrittenIn | None = None
) -> Detected | None:
    """Return in which encoding bytes that are not UTF-8 are; None where they can be windows-1252.

    Args:
        data: the bytes, or texts in which UTF-8 stands, too, which is not looked at.
        beginning: the document's first bytes, which may name its language.
        written: the language in which its UTF-8 is written.
    """
    text = _CUT_SEQUENCE.sub(" ", data.decode("utf-8", "surrogateescape"))
    if 4 * len(_DASH_AT_WORD.findall(text)) >= len(_DASH.findall(text)) > 0:
        text = _DASH.sub(" ", text)
    strays = only_strays(text)
    if has_only_signs(strays):  # `Nº 5, 1ª`
        return None
    return detect_by_letters(JudgedText(strays, beginning=beginning), written=written, clearly=True)


def is_dos_or_mac(data: bytes) -> bool:
    """Return True where the bytes that are not UTF-8 are letters of a Latin page of DOS or Mac."""
    found = another_encoding(data)
    return found is not None and found.label in UNNAMED


_LETTERS_OF_DOS = b"\x80-\x91\x93-\x99\x9b\x9d\x9f\xa1-\xa9\xac\xae\xaf\xb1-\xb6\xb8\xb9\xbc-\xbf"
_DOS_IN_WORD = re.compile(b"[%s](?<=[a-z\x80-\xff].)(?=[a-z\x80-\xff])" % _LETTERS_OF_DOS, re.DOTALL)
LEAST_OF_DOS = 4
"""Signs of windows-1252 within words that text of DOS or Mac has at least; 40,000 western texts had fewer, or
no other letters."""

DOS_SPAN = 8192
"""Bytes in which they are searched: to look through 64 KB takes as long as half of the check."""


def letters_of_dos(data: bytes, beginning: bytes) -> Detected | None:
    """Return the page of DOS or Mac of whose letters a text clearly is that is labelled windows-1252."""
    data = data[:DOS_SPAN]
    if len(_DOS_IN_WORD.findall(data)) < LEAST_OF_DOS:
        return None
    found = another_encoding(data, beginning)
    return found if found is not None and found.label in UNNAMED else None


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
        cost = sum(alphabet.bits[at] * number for at, number in a_to_z)
        cost = alphabet.language.seldom + common_cost(alphabet, cost, number, plain)
        cost += sum(alphabet.costs.get(char, outside) * number for char, number in beyond)
        if western:
            least_western = min(least_western, cost)
        if cost < least:
            least, best = cost, alphabet.language
    return WrittenIn(best, min(least_western - least, MOST_WRITTEN))


_WITHOUT_ASCII = dict.fromkeys(range(128))
_KANA_AND_HANGUL = ("\u3041", "\u30ff"), ("\uac00", "\ud7a3")


def _east_asian_charset(text: str) -> str | None:
    """Return the charset that has the letters of text in UTF-8, in pairs of bytes A1-FE; None where more of
    the letters beyond ASCII are not East Asian."""
    letters = list(filter(str.isalpha, text.translate(_WITHOUT_ASCII)))
    if 2 * sum(letter > "\u2e80" for letter in letters) <= len(letters):
        return None
    kinds = [sum(first <= letter <= last for letter in letters) for first, last in _KANA_AND_HANGUL]
    return ("EUC-JP" if kinds[0] > kinds[1] else "EUC-KR") if any(kinds) else "GBK"


_CUT_AT_END = re.compile(
    '[\udcc2-\udcdf\udce2](?:(?<=\udce2)\udc80?|(?<=[a-z \u00df-\u024f][\udcc2-\udcdf]))(?=[;,|\t\r\n"<]|\\Z)'
)
"""The beginning of a mark, or of a letter behind a small one, at the end of a field: in pages but Mac's it
is a capital."""
_CUT_EMOJI = re.compile(
    "\udcf0\udc9f(?<![\udc80-\udcff]\udcf0\udc9f)[\udc80-\udcbf]?+(?![0-9A-Za-z\udc80-\udcff])"
)
CUT_FIELDS = 9
"""Such bytes for each other one, at least, in a table whose fields were cut: they show no encoding."""


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
        self._charset, self._why = None, "which the declaration names"
        """What they may be in whatever their letters cost."""
        if declared and declared.family in ("single", "CJK") and declared.superset != "windows-1252":
            self._charset = declared
        elif name := _east_asian_charset(window.decode("utf-8", "ignore")):
            self._charset, self._why = by_name(name), "as the text in UTF-8 has its letters"
        self._texts = self._odd = ""
        self._known: Counter[str] = Counter()
        """Bytes, and what follows them, of texts that could be western."""
        self._known_odd: Counter[str] = Counter()
        self.odd: int = 0
        """Texts whose letters no western language has together, or in which a sign stands for a letter."""
        self.first_odd: str = ""

    @classmethod
    def of(cls, comparison: ReadingComparison) -> Self:
        """Return a judge of a document that is checked."""
        return cls(comparison.head[:TAGGED], comparison.sample, known(comparison.facts.declared))

    def found_in(self, data: bytes, near: str = "") -> str | None:
        """Return in which charset and language they seem to be, with the next bytes; None where they can
        be Western European. A character that the end of the bytes cuts is not judged. `near`: what
        `near_strays` gave, if it was called."""
        if self._written is None and has_sequence(data):
            self._written = language_of_utf8(data)
        rest = data
        while rest:
            few = len(rest) <= MISFITS_PIECE + MISFITS_SPAN
            end = len(rest) if few else text_end(rest[:MISFITS_PIECE], MISFITS_PIECE)
            piece, rest = rest[:end], rest[end:]
            text = utf_8_decode(piece, "surrogateescape")[0].lstrip(_CONTINUATIONS)
            uncut = _CUT_EMOJI.sub("", text)
            fields, cut = _CUT_AT_END.subn("", uncut)
            if cut and cut > CUT_FIELDS * len(STRAY.findall(fields)):
                uncut = fields
            around = near if near and len(piece) == len(data) and uncut == text else near_strays(uncut)
            text = uncut
            if not around:
                continue
            data_around = around.encode("utf-8", "surrogateescape")
            of_mac = any(map(around.__contains__, _MARKS_OF_MAC)) and len(_OF_MAC.findall(around)) > 1
            if of_mac or _OF_DOS.search(around) or BOXES.search(data_around):
                return "words of another encoding, as of DOS or Mac"
            if _FOUR_BYTES.search(around):
                return "in GB18030"
            first = ""
            for line in _texts_with(STRAY, text):
                first += line + "\n"
                if len(first) > MISFITS_SPAN:
                    break
            first = first[:-1][:MISFITS_SPAN]
            self._texts = (self._texts + first + "\n")[-2 * MISFITS_SPAN :]
            if self._charset is not None and _has_letters_of(self._charset, self._texts):
                return f"in {self._charset.name}, {self._why}"
            if (seen := self._seen_in(self._texts, first, self._known)) is not None:
                return seen
            numbers = Counter(one_byte_each(around).translate(None, ALL_ASCII))
            lacking = (some.intersection(numbers) for some in _OTHERS)
            others = min(lacking, key=lambda some: sum(map(numbers.__getitem__, some)))
            wanted = bytes(others).decode("ascii", "surrogateescape") + _SIGNS_AND_CAPITALS
            strays = STRAY if _BESIDE_UTF8.search(data_around) else re.compile(f"[{wanted}]")
            odd = list(filter(_is_odd, _texts_with(strays, text)))
            if odd:
                self.odd += len(odd)
                self.first_odd = self.first_odd or odd[0]
                new = "\n".join(odd)[-ODD_SPAN:]
                self._odd = (self._odd + new + "\n")[-ODD_SPAN:]
                if (seen := self._seen_in(self._odd, new, self._known_odd)) is not None:
                    return seen
                if len(odd) >= ODD_TEXTS and 2 * len(odd) > sum(1 for _ in _texts_with(STRAY, text)):
                    return "letters and signs that no western language has together"
            if _has_rows(first):
                return "words of another script"
        return None

    def _seen_in(self, text: str, new: str, known: Counter[str]) -> str | None:
        """What the text shows, of which the last part is new. Where hardly any of its bytes stand more often
        before other letters than in texts that could be western, it is like them."""
        numbers = Counter(_WITH_NEXT.findall(new))
        total = max(known.total(), 1)
        often = KNOWN_TIMES * numbers.total()
        others = sum(max(number - often * known[some] / total, 0) for some, number in numbers.items())
        if KNOWN_SHARE * others <= numbers.total():
            return None
        data = text.encode("utf-8", "surrogateescape")
        found = another_encoding(data, self._beginning, self._written)
        if found is None:
            if len(known) < MOST_KNOWN:
                known += numbers
            return None
        if found.label in UNNAMED:
            return "words of another encoding, as of DOS or Mac"
        return f"in {found.label} ({letters_of(found)})"


def _texts_with(strays: re.Pattern[str], text: str) -> Iterator[str]:
    """The texts, between line ends and tags, that have some of the bytes that are not UTF-8."""
    end = 0
    while (found := strays.search(text, end)) is not None:
        at = found.start()
        start = max(end, *(text.rfind(char, end, at) + 1 for char in "\n\r<>"))
        after = _TEXT_END.search(text, at)
        end = after.start() if after else len(text)
        first = STRAY.search(text, start, end)
        start = max(first.start() - TEXT_BEFORE, start) if first else start
        yield text[start : min(end, start + MISFITS_SPAN)]


def near_strays(text: str) -> str:
    """Return the bytes that are not UTF-8, each with NEAR_STRAY characters before and after it; NUL stands
    for the text between them. Where they are many, it is the text."""
    strays = len(text.encode("utf-8", "surrogateescape")) - len(text.encode("utf-8", "ignore"))
    if 2 * NEAR_STRAY * strays > len(text):
        return text
    parts, end = [], 0
    for first, last in escaped_runs(text, strays, strays) or ():
        if first - NEAR_STRAY > end:
            parts.append("\0")
        parts.append(text[max(first - NEAR_STRAY, end) : last + NEAR_STRAY])
        end = last + NEAR_STRAY
    return "".join(parts)


def _is_odd(text: str) -> bool:
    text = text.replace("i\udce8r", "ier")  # `førpremière`: hardly any word of another page has `ičr`
    letters = _ALL_LETTERS.intersection(text)
    if letters and not any(map(letters.issubset, _WESTERN_ALPHABETS)):
        return True
    if _SIGN_BETWEEN_LETTERS.search(text) is not None:
        return True
    beside = _BESIDE_OTHERS.findall(text)
    return any(ord(stray) & 0xFF != letter.encode()[0] for stray, letter in beside)


def _has_rows(text: str) -> bool:
    """Return True where ROW_BYTES bytes in a row, of three kinds, are a word of another script."""
    for row in _ROW.findall(_SURROGATE_PAIRS.sub(" ", text)):
        letters = _MARKS_OF_WORDS.sub("", row)
        is_list = list(letters) == sorted(letters) or any(map(set(letters).issubset, _WESTERN_ALPHABETS))
        if len(letters) >= ROW_BYTES and len(set(letters)) > 2 and not is_list:
            return True
    return False


def _has_letters_of(charset: Charset, text: str) -> bool:
    """Return True where text in another charset than windows-1252 shows it: each byte is part of a character,
    in an East Asian one in pairs of A1-FE (French has them one by one, and before ASCII), and there is a
    letter, or the euro sign, that windows-1252 reads otherwise. In another script than Latin it takes
    `UTF8_LETTERS` different ones: `été` in windows-1252 has one or two of each page. A word of two letters
    and no others is one of that script, too (`По`)."""
    data = only_strays(text)
    if charset.family == "CJK":
        data = text.rstrip("\n").encode("utf-8", "surrogateescape")
        others = _HIGH_PAIRS.sub(b"", data)
        if others[-1:] > b"\x7f":  # the end of the bytes may have cut a pair
            data, others = data[:-1], others[:-1]
        if not others.isascii():
            return False
    read = data.decode(charset.codec or "ascii", "replace")
    letters = set(read) - set(data.decode("cp1252", "ignore"))
    if "\ufffd" in read or charset.page in LATIN:
        return "\ufffd" not in read and any(char.isalpha() or char == "€" for char in letters)
    words = (
        one_byte_each(word) for word in _WORDS_OF_BYTES.findall(text if charset.family == "single" else "")
    )
    western = {word.decode(charset.codec or "ascii"): word.decode("cp1252", "ignore") for word in words}
    return sum(map(str.isalpha, letters)) >= UTF8_LETTERS or any(
        word.isalpha() and letters.issuperset(word) and any(map(str.isalpha, other))
        for word, other in western.items()
    )


def text_end(data: bytes, span: int) -> int:
    """Return where bytes are best cut, as others follow: behind the last line end in their last `span`, else
    tag or space, else before a UTF-8 sequence that the end cuts."""
    for char in (b"\n", b"\r", b">", b" "):
        end = data.rfind(char, max(len(data) - span, 0)) + 1
        if end:
            return end
    last = data[-4:]
    return len(data) - len(last) + utf_8_decode(last, "ignore")[1]


def without_utf8(data: bytes) -> bytes:
    """ASCII, and the bytes that are not UTF-8."""
    return only_strays(data.decode("utf-8", "surrogateescape"))


def only_strays(text: str) -> bytes:
    with suppress(UnicodeEncodeError):  # there is no UTF-8
        return text.encode("ascii", "surrogateescape")
    return _UTF8_CHARACTER.sub(" ", text).encode("ascii", "surrogateescape")


def binary_among_utf8(data: bytes) -> bool:
    """Return True where many different control characters stand beside the bytes that are not UTF-8, or some
    beside a quarter of them."""
    if len(set(data.translate(None, _NO_CONTROLS))) < 3:
        return False
    text = data.decode("utf-8", "surrogateescape")
    beside = "".join(_BESIDE_CONTROL.findall(text))
    different = len({char for char in beside if char < " "})
    return different >= MANY_CONTROLS or (different >= 3 and 4 * len(beside) >= len(STRAY.findall(text)))


def has_only_signs(data: bytes) -> bool:
    """Return True where all bytes that are not UTF-8 are signs that touch no letter."""
    text = without_utf8(data)
    return (
        not text.translate(None, _ASCII_AND_SIGNS) and _LONE_SIGN.sub(b" ", POWER.sub(b" ", text)).isascii()
    )


def has_odd_signs(data: bytes) -> bool:
    """Return True where an eighth of the bytes beyond ASCII are those of ODD_SIGNS, and of four kinds: no
    text in windows-1252, but EBCDIC, Johab and VISCII."""
    beyond = data.translate(None, ALL_ASCII)
    odd = [byte for byte in beyond if byte in ODD_SIGNS]
    return len(set(odd)) >= 4 and 8 * len(odd) > len(beyond)
