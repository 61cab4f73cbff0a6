"""What the encoding of a document really is, the label that it should have, and the fix of each finding.

A fix is true: done literally, it removes the finding, adds no other error, and the text is the one that was
meant. So it names an encoding only where a label names it already or the bytes prove it, and only by a label
that every parser knows. Else the fix is to convert the document to UTF-8.
"""

from __future__ import annotations

import re
from codecs import utf_8_decode
from collections import Counter
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple, Self

from feedcharset.charsets.decoders import count_damage
from feedcharset.charsets.lookup import NAMES, Charset, by_name, lookup
from feedcharset.decide.lenient_principles import is_mixture
from feedcharset.decide.thresholds import LATIN, foreign_among_utf8, hopeless_utf8, letters_of
from feedcharset.evidence.alphabets import Language
from feedcharset.evidence.damaged_utf8 import by_chance
from feedcharset.evidence.language_detector import (
    TAGGED,
    TEXT_BEFORE,
    detect_by_letters,
    language_of_utf8,
    named_language,
)
from feedcharset.evidence.scripts import doubtful_words
from feedcharset.evidence.utf8_sequences import SEQUENCE, page_of
from feedcharset.results.explanation import counted
from feedcharset.results.report import FixKind
from feedcharset.validate.parser_labels import parsers_without
from feedcharset.validate.reading_comparison import (
    SAMPLE,
    ReadingComparison,
    agree,
    has_damaged_escapes,
    is_plainly_utf8,
    is_unnamed,
    known,
    media_type_for,
)
from feedcharset.validate.text_blocks import PositionedDecoder

WINDOWS_WESTERN = ("windows-1252", "windows-1254", "ISO-8859-15")
"""Charsets that text in another script or code page cannot be told from, but by `is_western`."""

REPAIRED = ("UTF-8", "windows-1252", "ISO-8859-1")
"""What `repair` takes for UTF-8 with other bytes in it, or for windows-1252."""

LEGACY = ("single", "CJK", "ISO-2022-JP")
"""Families of ASCII-compatible charsets that a label must name."""

PRIVATE_USE = re.compile("[\ue000-\uf8ff]")
"""What decoders of East Asian charsets give for bytes that are no character, or one of the publisher's."""


# What Western European text in windows-1252 does not have. A word in Cyrillic, Greek, Hebrew, Arabic, Thai
# or East Asian letters (French has two such bytes in a row, "créée", and no language of Western Europe four);
# a byte that is no character; a sign or a capital letter between two lower-case letters, where it is a letter
# of another code page (ł, ą, ż of windows-1250, é of Mac Roman or code page 850). Allowed there are
# apostrophes, dashes, hyphens, the ellipsis, the middle dot of Catalan, and the small letters œ, š and ž.
# Bytes are translated to their classes and searched as such: five times as fast as expressions.
_NO_CHARACTER = b"\x81\x8d\x8f\x90\x9d"
_BELOW_80 = bytes(range(0x80))
_CONTROL_OF_80_9F = re.compile(rb"[\x80-\x9f]")
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
    b"none": rb"\x81\x8d\x8f\x90\x9d",
    b"odd": rb"\x81-\x84\x86-\x8f\x90\x94\x98\x9d\x9f\xa2-\xa8\xac\xaf\xb1\xb5\xb6\xb8\xbc-\xbe",
}
_SIGN_IN_WORD = re.compile(
    rb"[\x81-\x84\x86-\x90\x93\x94\x98\x9b\x9d\x9f\xa1-\xa8\xaa\xac\xaf-\xb1\xb3\xb5\xb6\xb8-\xba\xbc-\xbf]"
    rb"(?<=[%(any)b].)(?=[%(odd)b]?[%(small)b])" % _CLASSES
)
_FOREIGN_IN_WORDS = re.compile(
    _SIGN_IN_WORD.pattern + rb"|[\x81-\xde](?:"
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
    rb"[\x81-\x84\x86-\x90\x93-\x95\x98\x99\x9b\x9d\x9f\xa1-\xa9\xac\xae-\xb1\xb3\xb5\xb6\xb8\xb9\xbc-\xbf\xd7]"
    rb"(?<=[%(any)b%(odd)b].)(?=[%(odd)b]?[%(small)b])"
    rb"|[\x81-\x84\x88\x8a\x8c-\x90\x98\x9c\x9d\x9f\xa1-\xa6\xa8\xac\xb1\xb5\xb6\xb8\xbc-\xd6\xd8-\xde]"
    rb"(?<=[%(small)b%(odd)b].)(?![%(any)b])"
    rb"|[\x81\x83\x88\x8d\x8f\x90\x98\x9d\x9f\xa2\xa5\xaa\xac\xb9\xbc-\xbe](?<![%(any)b\x80-\xbf].)(?=[%(small)b])"
    rb"|[\x8a\x8c\x8e\xc0-\xd6\xd8-\xde](?<=[%(small)b].)(?=[%(small)b])"
    rb"|[\xd0\xde\xf0\xfe](?:(?<=[A-Za-z].)|(?=[a-z]))"
    rb"|[\x8a\x8c\x8e\x9f%(none)b](?<= .)(?= )" % _CLASSES
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
_NO_MARK = b"\x83\x86\x87\x89\x8a\x8c\x8e\x9f"  # one of eight bytes is enough
_CLOSED_BY = {b"\x82": b"\x91\x92", b"\x84": b'\x93\x94"', b"\xa1": b"!", b"\xbf": b"?"}

# Bytes that are not UTF-8, as lone surrogates. A word in another script: four accented letters, or six bytes
# between which stand one ASCII letter and a chance sequence at most (Shift_JIS, Big5, Thai). A pair of CESU-8
# is none. Within a word a byte that windows-1252 lacks, or a sign that separates nothing, is another page's
# letter.
_CHANCE = "[\x80-\ud7ff\ue000-\U0010ffff]"
_GAP = f"(?:[@-~]?{_CHANCE}{{0,2}}|{_CHANCE}[@-~])"
_OTHER_SCRIPT = re.compile(f"[\udcc0-\udcff]{{4,}}+|[\udc80-\udcff](?:{_GAP}[\udc80-\udcff]){{5,}}+")
STRAY = re.compile("[\udc80-\udcff]")
_TEXT_END = re.compile("[\n\r<>]")
_CUT_SEQUENCE = re.compile("[\udce0-\udcef][\udc80-\udcbf]|[\udcf0-\udcf4][\udc80-\udcbf]{1,2}")
_KANA_AND_HANGUL = ("\u3041", "\u30ff"), ("\uac00", "\ud7a3")
_WITHOUT_ASCII = dict.fromkeys(range(128))
_ALL_PAIRS = re.compile(rb"(?:[\0-\x7f]|[\xa1-\xd7][@-~\xa1-\xfe])++")
_HIGH_PAIR = re.compile(rb"[\xa1-\xd7][@-~\xa1-\xfe]")
_HIGH_PAIRS = re.compile(rb"(?:[\xa1-\xfe][\xa1-\xfe])++")
_CONTINUATIONS = "".join(map(chr, range(0xDC80, 0xDCC0)))
_SURROGATE_PAIRS = re.compile("(?:\udced[\udca0-\udcbf][\udc80-\udcbf])++")
_NO_CONTROLS = bytes([*range(9, 0x0E), *range(0x1B, 0x100)])
_BESIDE_CONTROL = re.compile("[\udc80-\udcff][\0-\x08\x0e-\x1a]|[\0-\x08\x0e-\x1a][\udc80-\udcff]")

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
        data = _without_utf8(data)
    return (
        not any(byte in data for byte in _NO_CHARACTER)
        and b"\xff\xff\xff\xff" not in data.translate(_LETTER_CLASS)
        and b"aSa" not in data.translate(_SIGN_CLASS)
    )


def has_chance_sequences(data: bytes) -> bool:
    """Return True where there are UTF-8 sequences, and all of them can be parts of words in windows-1252: a
    letter and marks behind the word (`Ö…`), two capitals behind another one (`ÏÜŸ`). No text in windows-1252
    has `Ã¨` or `Å«` before a letter."""
    page, found = page_of(by_name("windows-1252")), list(SEQUENCE.finditer(data))
    chance = set(by_chance(data))
    for match in found:
        if match.span() in chance:
            continue
        sequence, before, after = match[0], data[: match.start()][-1:], data[match.end() :][:1]
        closes = page.closing.issuperset(sequence[1:]) and not page.letters.intersection(after)
        among_capitals = before > b"\x7f" and page.capitals.issuperset(before + sequence)
        if sequence == b"\xc3\xa0" or not (closes or among_capitals):
            return False
    return bool(found)


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
        elif name := _east_asian_charset(window.decode("utf-8", "ignore")):
            self._charset, self._why = by_name(name), "as the text in UTF-8 has its letters"
        self._texts = ""

    @classmethod
    def of(cls, comparison: ReadingComparison) -> Self:
        """Return a judge of a document that is checked."""
        return cls(comparison.head[:TAGGED], comparison.sample, known(comparison.facts.declared))

    def found_in(self, data: bytes) -> str | None:
        """Return in which charset and language they seem to be, with the next bytes; None where they can
        be Western European. A character that the end of the bytes cuts is not judged."""
        self._written = self._written or language_of_utf8(data)
        for at in range(0, len(data), MISFITS_PIECE):
            text = utf_8_decode(data[at : at + MISFITS_PIECE], "surrogateescape")[0].lstrip(_CONTINUATIONS)
            texts = []
            for part in _TEXT_END.split(text):
                if (stray := STRAY.search(part)) is not None:
                    start = max(0, stray.start() - TEXT_BEFORE)
                    texts.append(part[start : start + MISFITS_SPAN])
            if not texts:
                continue
            self._texts = (self._texts + "\n".join(texts)[:MISFITS_SPAN] + "\n")[-2 * MISFITS_SPAN :]
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
            if any(map(_has_pairs, texts)):
                return "words of an East Asian encoding"
            if _FOREIGN_IN_WORDS.search(strays) and any(map(is_dos_or_mac, strays.splitlines())):
                return "words of another encoding, as of DOS or Mac"
        return None


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


def _east_asian_charset(text: str) -> str | None:
    """Return the charset that has the letters of text in UTF-8, in pairs of bytes A1-FE; None where more of
    the letters beyond ASCII are not East Asian."""
    letters = list(filter(str.isalpha, text.translate(_WITHOUT_ASCII)))
    if 2 * sum(letter > "\u2e80" for letter in letters) <= len(letters):
        return None
    kinds = [sum(first <= letter <= last for letter in letters) for first, last in _KANA_AND_HANGUL]
    return ("EUC-JP" if kinds[0] > kinds[1] else "EUC-KR") if any(kinds) else "GBK"


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


def _without_utf8(data: bytes) -> bytes:
    """ASCII, and the bytes that are not UTF-8."""
    return _only_strays(data.decode("utf-8", "surrogateescape"))


def _only_strays(text: str) -> bytes:
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
    signs = [byte for byte in _SIGN_IN_WORD.findall(_without_utf8(data)) if byte not in _NO_PROOF]
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

    True of none of 273,740 messages in 37 western languages, nor of 300 times 3, 10 or 60 of each; of 51 %
    of messages in a code page of DOS or Mac, of 88 % of three together and of 99.7 % of twelve.
    """
    data = _without_utf8(data)
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


def _is_repairable(comparison: ReadingComparison) -> bool:
    """Return True for UTF-8 whose other bytes `repair` converts, as far as the sample shows."""
    sample, utf8, label = comparison.sample, comparison.facts.body.utf8, comparison.facts.declared
    declared = lookup(label or "", lenient=True)
    if comparison.resolution.encoding not in REPAIRED or has_damaged_escapes(comparison):
        return False
    if declared is not None and declared.refused:
        return False
    if not is_western(sample, mixed=True) or misfits_among_utf8(sample) is not None:
        return False
    unknown = label is not None and declared is None
    if (utf8 is None or hopeless_utf8(utf8)) and (unknown or is_dos_or_mac(sample)):
        return False
    return LettersAmongUtf8.of(comparison).found_in(sample) is None


def _shows(page: str, charset: Charset, data: bytes) -> bool:
    """Return True where the bytes show that a Windows page is right, and not only that its label is wrong.

    Its language does, or bytes 80-9F that are the same characters in every Windows page (quotation marks).
    """
    if not data.translate(None, bytes(range(0xA0))):
        return data.decode(by_name(page).codec or "", "replace") == data.decode("cp1252", "replace")
    found = detect_by_letters(data, b"", b"")
    return found is not None and found.label in (page, charset.name)


class RightLabel(NamedTuple):
    """The label that a document should have."""

    label: str | None
    """None where it is not known, or where no single label is right."""
    advice: Literal["label", "convert", "unknown"]
    """"label": write the label. "convert": not every parser knows the label, or the document is in two
    encodings. "unknown": no label names the encoding reliably, so only the publisher knows it."""


class Fix(NamedTuple):
    """A fix, and what kind of change it is."""

    kind: FixKind
    text: str


class Fixes:
    """The fixes for one document. All are known when it has been read to its end."""

    def __init__(self, comparison: ReadingComparison) -> None:
        self._comparison = comparison
        self._facts = comparison.strict_facts

    @cached_property
    def mixed(self) -> bool:
        """The document is in two encodings."""
        return is_mixture(self._comparison.resolution)

    @cached_property
    def western(self) -> bool:
        """The bytes can be text in a Western European charset."""
        sample, mixed = self._comparison.sample, self.mixed
        return _is_repairable(self._comparison) if mixed else is_western(sample) and not is_dos_or_mac(sample)

    # -- the label ----------------------------------------------------------------------------------------

    @cached_property
    def right(self) -> RightLabel:
        """The label that the document should have."""
        comparison = self._comparison
        if self.mixed and self.western:
            return RightLabel(None, "convert")
        if self.mixed or is_unnamed(comparison) or self._is_disputed() or self._is_written_in_ascii():
            return RightLabel(None, "unknown")
        sample, western = comparison.sample, comparison.main_charset.superset == "windows-1252"
        in_utf8 = (
            western and comparison.needs_superset and not _CONTROL_OF_80_9F.search(_without_utf8(sample))
        )
        if comparison.has_utf8 or (in_utf8 and not has_chance_sequences(sample)):
            return RightLabel(None, "convert")
        label = self._label()
        labelled = comparison.main_charset.family != "UCS-4" and not parsers_without(label)
        return RightLabel(label, "label" if labelled else "convert")

    def _is_written_in_ascii(self) -> bool:
        """Return True for ASCII that is declared as UTF-7, HZ or another charset that writes text in it, and
        for ISO-2022-JP behind a false BOM, which hides it."""
        declared, sample = lookup(self._facts.declared or "", lenient=True), self._comparison.sample
        named = declared is not None and bool(declared.refused)
        return (named or (self._has_wrong_bom() and b"\x1b" in sample)) and sample.isascii()

    def _label(self) -> str:
        charset, bom = self._comparison.main_charset, self._comparison.facts.bom
        if bom is not None and charset.name == bom and charset.family in ("UTF-16", "UTF-32"):
            return charset.family
        if self._comparison.needs_superset:
            return self._superset.name
        if charset.family == "US-ASCII":  # the next item may hold a non-ASCII character
            declared = lookup(self._comparison.facts.declared or "")
            if declared is None or not declared.ascii_compatible or parsers_without(declared.name):
                return "UTF-8"
            return declared.name
        return charset.name

    @property
    def _superset(self) -> Charset:
        """The charset that has the characters which the named one lacks."""
        return by_name(self._windows_page or self._comparison.main_charset.superset)

    @cached_property
    def _windows_page(self) -> str | None:
        """The Windows page of the script, where a document labelled ISO-8859 is the same text in it."""
        comparison = self._comparison
        charset, first = comparison.main_charset, comparison.first_non_ascii
        page = charset.windows_page
        if not page or first is None or comparison.end - first.offset > SAMPLE:
            return None
        one, other = (
            PositionedDecoder(by_name(name), lenient=True, offset=0) for name in (page, charset.name)
        )
        return page if one.reads_alike(other, comparison.sample) else None

    def _is_disputed(self) -> bool:
        """Return True where the label that lenient reading follows may be wrong.

        Only legacy charsets can be disputed; UTF-8, UTF-16 and UTF-32 prove themselves.
        """
        comparison, charset = self._comparison, self._comparison.main_charset
        if has_damaged_escapes(comparison):
            return True
        if charset.family not in LEGACY or comparison.facts.body.first_non_ascii is None:
            return False
        if charset.family == "CJK" and self._is_doubtful_in(charset):
            return True
        if charset.superset in WINDOWS_WESTERN:
            found = detect_by_letters(comparison.sample, b"", b"")
            foreign = by_name(found.label) if found is not None and found.foreign else charset
            if foreign.superset != charset.superset or not self.western:  # Czech under ISO-8859-1
                return True
        if comparison.needs_superset:
            one, other = (
                PositionedDecoder(known, lenient=False, offset=0) for known in (charset, self._superset)
            )
            for decoder in (one, other):
                decoder.read(comparison.sample, True)
            new_damage = one.first_undecodable is None and other.first_undecodable is not None
            if one.charset is other.charset or new_damage:
                return True
        if (page := self._page_of_c1()) is not None and (
            not _shows(page, charset, comparison.sample) or self._is_doubtful_in(by_name(page))
        ):
            return True
        labels = (known(self._facts.charset), known(self._facts.declared))
        pair = comparison.facts.body.sibling
        return any(
            other is not None
            and other.superset != charset.superset
            and (pair is None or (other.name, charset.name) != pair[:2])
            and other.family in LEGACY  # then it may be right all the same, if it decodes
            and (other.decodes_every_byte or not count_damage(other, comparison.sample, final=False).places)
            for other in labels
        )

    def _is_doubtful_in(self, charset: Charset) -> bool:
        """Return True where the sample has characters for private use, or letters that make no words."""
        comparison, piece = self._comparison, self._comparison.piece
        in_hand = charset is comparison.main_charset and comparison.is_in_hand
        if in_hand and piece is not None and not piece.first and not piece.has_private_use:
            return doubtful_words(piece.text, charset)
        decoder = PositionedDecoder(charset, lenient=True, offset=0)
        text = decoder.read(comparison.sample, True).text
        return PRIVATE_USE.search(text) is not None or doubtful_words(text, charset)

    def _page_of_c1(self) -> str | None:
        """The Windows page, other than Western ones, in which bytes 80-9F are characters."""
        charset, sibling = self._comparison.main_charset, self._comparison.facts.body.sibling
        page = None
        if sibling is not None and sibling.sibling == charset.name:
            page = charset.name
        elif self._comparison.needs_superset and charset.family == "single":
            page = self._superset.name
        return page if page not in WINDOWS_WESTERN else None

    # -- the fixes ----------------------------------------------------------------------------------------

    def header(self) -> Fix | None:
        """The Content-Type with the right charset."""
        if self.right.advice != "label" or self._has_wrong_bom():
            return self._whole()
        return Fix("content-type", self._content_type(self.right.label))

    def media_type(self) -> Fix | None:
        """The Content-Type with the right media type, and the right charset."""
        whole = self.right.advice != "label" or self._has_wrong_bom()
        return self._whole(header=True) if whole else self.header()

    def declaration(self) -> Fix | None:
        """The declaration with the right encoding; None where another one stands further down."""
        if self._comparison.head_block.misplaced_declaration:
            return None
        if self.right.advice != "label":
            return self._whole()
        if self._has_wrong_bom():
            named = (self._comparison.facts.declared or "").lower() == (self.right.label or "").lower()
            return self.before_document() if named else self._whole()
        return Fix("declaration", self.declared(self.right.label or "UTF-8"))

    def label(self) -> Fix | None:
        """The header, where it names a charset, or the declaration."""
        return self.header() if self._facts.charset is not None else self.declaration()

    def convert(self, *, header: bool = False) -> Fix | None:
        """Convert the document to UTF-8, with the labels that it must have then; None as for a declaration.

        Args:
            header: the Content-Type has to change in any case.
        """
        if self._comparison.head_block.misplaced_declaration:
            return None
        repairs = " (`feedcharset repair` does)" if self.mixed else ""
        mixed = self.mixed or self._comparison.has_utf8
        each = f", each part from its own encoding{repairs}," if mixed else ""
        how = f"convert to UTF-8{each} and declare it"
        if not mixed and self._comparison.main_charset.name == "UTF-8":
            how = "declare UTF-8, in which it is"
        text = f"{self._first()}{how}: {self.declared('UTF-8')}"
        return Fix("convert", text + self._header_of_utf8(header))

    def unknown(self, *, header: bool = False) -> Fix:
        """For a document whose encoding only its publisher knows."""
        comparison = self._comparison
        stray = comparison.main_charset.family == "UTF-8" and _is_repairable(comparison)
        stray = stray and not self._is_written_in_ascii()
        repairs = " (`feedcharset repair` does, where other bytes are windows-1252)" if stray else ""
        text = f"{self._first()}convert to UTF-8{repairs}, or name the encoding it is really in"
        return Fix("unknown-encoding", text + self._header_of_utf8(header))

    def _header_of_utf8(self, header: bool) -> str:
        """The header that a document in UTF-8 needs, where the present one is not right for it."""
        facts = self._facts
        undecided = facts.charset is None and facts.media_class == "APP-XML"
        if facts.content_type is None or (undecided and not header):
            return ""
        return f"; for UTF-8 send {self._content_type('UTF-8')}"

    def bom_or(self, fix: Fix | None) -> Fix | None:
        """Remove a BOM that is not that of the document's encoding; else another fix."""
        if not self._has_wrong_bom():
            return fix
        if self._comparison.head_block.misplaced_declaration:
            return None
        is_label = self.right.advice == "label"
        if not is_label or self._comparison.main_charset.family == "UCS-4" or not self._is_labelled:
            return self._whole()
        return Fix("remove-bom", f"remove the BOM (the first {self._comparison.bom_length} bytes)")

    def before_document(self) -> Fix | None:
        """Remove what stands before the document, but for its own BOM."""
        if self._comparison.main_charset.family == "UCS-4" or not self._is_labelled:
            return self._whole()
        return Fix("remove", self._first().removesuffix(", "))

    def _first(self) -> str:
        """What to remove before the document, but for its own BOM; "" where that is nothing."""
        start = 0 if self._has_wrong_bom() else self._comparison.bom_length
        size = self._comparison.facts.body.start - start
        return f"remove {counted(size, 'byte')} at offset {start}, " if size else ""

    @cached_property
    def _is_labelled(self) -> bool:
        """Without what stands before the document, which hides its labels, they are right."""
        facts, charset = self._comparison.facts, self._comparison.main_charset
        right = lookup(self.right.label or charset.name) or charset
        labels = filter(None, (facts.declared, facts.charset if self._has_wrong_bom() else None))
        named = [(label, lookup(label)) for label in labels]
        if not named and right.name not in ("UTF-8", "US-ASCII"):
            return facts.bom == charset.name or bool(facts.charset)
        return all(one and agree(one, right) and not parsers_without(label) for label, one in named)

    def _has_wrong_bom(self) -> bool:
        bom, charset = self._facts.bom, self._comparison.main_charset
        return bom is not None and charset.name != bom and (bom != "UTF-8" or charset.family != "US-ASCII")

    def bytes(self, charset: Charset, in_superset: bool, character: str) -> Fix | None:
        """The fix for bytes that do not decode in a charset, or are C1 controls in it.

        Args:
            charset: in which they are reported.
            in_superset: lenient reading has a character for them, in the superset of the charset.
            character: what the bytes mean in UTF-8, or "".
        """
        if self.right.advice == "unknown":  # encoding-unnamed has the fix, once
            return None if is_unnamed(self._comparison) else self.unknown()
        named = bool(self.right.label) and self.right.label == charset.windows_page
        if charset.name != self._comparison.main_charset.name or in_superset or named:
            return self.label()
        if is_plainly_utf8(self._comparison) and character:
            return Fix("replace", character)
        return None

    def replacement(self, text: str) -> Fix | None:
        """Other characters for those in the document, where its encoding has them."""
        codec = self._comparison.main_charset.codec
        try:
            text.encode(codec or "ascii")
        except UnicodeEncodeError:
            return None
        return Fix("replace", text)

    def declared(self, label: str) -> str:
        """An XML declaration with this encoding, else like the one that the document has."""
        declaration = self._comparison.declaration
        version = declaration.version if declaration and declaration.version in ("1.0", "1.1") else "1.0"
        standalone = declaration.standalone if declaration else None
        last = f' standalone="{standalone}"' if standalone in ("yes", "no") else ""
        return f'<?xml version="{version}" encoding="{label}"{last}?>'

    def _whole(self, *, header: bool = False) -> Fix | None:
        """The whole document in UTF-8: where no label can be written, or one fault hides another."""
        return self.unknown(header=header) if self.right.advice == "unknown" else self.convert(header=header)

    def _content_type(self, label: str | None) -> str:
        charset = f"; charset={label}" if label else ""
        return f"Content-Type: {media_type_for(self._facts, self._comparison.root)}{charset}"
