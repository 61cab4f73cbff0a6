"""Which script a character is of, which East Asian characters are common, what is in words of a script, and
which of two sibling pages words are in, and rows and lists in which little is text.

Text is written in one script, with signs and punctuation between. Bytes that happen to be well-formed UTF-8
by accident give characters of all scripts: rare hanzi, historic scripts, letters of a single language. So
these tables hold the letters that documents are written in today, not all that Unicode has.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from functools import cache
from itertools import islice
from unicodedata import category

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.decoders import characters_in, charset_decoder
from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.charsets.single_byte import byte_table
from feedcharset.evidence.alphabets import BY_DOMAIN, BY_TAG, DOUBLED, LANGUAGE_TAG, LANGUAGES, Language
from feedcharset.evidence.detector import FREQUENT, TEXT_BEFORE
from feedcharset.evidence.document_head import FIRST_LOOK
from feedcharset.results.facts import CommonCount

SIGN = "sign"
"""Signs and punctuation, which stand in text of any script."""

_SCRIPTS = """
sign        A0-BF D7 F7 2000-20CF 2100-2BFF 3000 FE0F FEFF FFFD 1F000-1FAFF
latin       C0-D6 D8-F6 F8-17F 18F 1A0-1A1 1AF-1B0 1CD-1DC 218-21B 259 1E00-1EFF FB00-FB06 1D400-1D7FF
greek       384-3CE 1F00-1FFF
cyrillic    400-45F 490-493 49A-49B 4A2-4A3 4AE-4B3 4BA-4BB 4D8-4D9 4E8-4E9
armenian    531-556 55A-55F 561-587
hebrew      5B0-5C7 5D0-5EA 5F3-5F4
arabic      60C 61B 61F-63A 640-652 660-669 670-6D3 6F0-6F9
devanagari  900-97F
bengali     980-9FF
gurmukhi    A00-A7F
gujarati    A80-AFF
oriya       B00-B7F
tamil       B80-BFF
telugu      C00-C7F
kannada     C80-CFF
malayalam   D00-D7F
sinhala     D80-DFF
thai        E00-E7F
lao         E80-EFF
tibetan     F00-FFF
myanmar     1000-109F
georgian    10A0-10FF
ethiopic    1200-137F
khmer       1780-17FF
cjk         3001-3015 3041-3096 30A1-30FE 4E00-9FFF FF01-FF60
hangul      AC00-D7A3
"""
"""Code points (Unicode, Blocks.txt and the charts), without the letters that no language of much text has:
Latin extended B but for Romanian, Vietnamese, Azerbaijani and pinyin; Cyrillic but for the Slavic languages,
the large Turkic ones and Mongolian."""


def _ranges() -> list[tuple[int, int, str]]:
    ranges = []
    for row in _SCRIPTS.strip().splitlines():
        name, *spans = row.split()
        for span in spans:
            first, _, last = span.partition("-")
            ranges.append((int(first, 16), int(last or first, 16), name))
    return sorted(ranges)


_RANGES = _ranges()
_FIRSTS = [first for first, _, _ in _RANGES]


def script_of(character: str) -> str:
    """The script, `SIGN`, or "" where documents hardly ever hold it."""
    point = ord(character)
    at = bisect_right(_FIRSTS, point) - 1
    return _RANGES[at][2] if at >= 0 and point <= _RANGES[at][1] else ""


STANDARDS = {
    "gb2312": frozenset(range(0xB0, 0xD8)),
    "big5": frozenset(range(0xA4, 0xC6)),
    "euc_jp": frozenset((0xA4, 0xA5, *range(0xB0, 0xD0))),
    "euc_kr": frozenset(range(0xB0, 0xC9)),
}
"""National standards by codec, and the lead bytes of their common characters: the first level of hanzi (GB
2312; Big5 but for its last 63) and kanji (JIS X 0208, and kana), the Hangul syllables of KS X 1001. Between
2,350 and 5,338 characters each: nearly all of running text, and a quarter of what bytes at random decode
to."""


_STANDARDS_OF = {
    "GB2312": ("gb2312", "big5"),
    "GBK": ("gb2312", "big5"),
    "GB18030": ("gb2312", "big5"),
    "Big5": ("big5",),
    "Big5-HKSCS": ("big5",),
    "windows-950": ("big5",),
    "EUC-KR": ("euc_kr",),
    "windows-949": ("euc_kr",),
}
"""The standards by charset; the others are Japanese. GB18030 is also used for traditional characters."""


def standards_of(charset: str) -> tuple[str, ...]:
    """Return the standards of an East Asian charset."""
    return _STANDARDS_OF.get(charset, ("euc_jp",))


QUICKLY = 128
"""Bytes that show that a text is in the charset, as most are: in 4 µs; 1 KB takes 27."""

_FIRST_KANA, _FIRST_HANZI, _HALF_WIDTH = "\u3040", "\u3400", "\uff61"

KATAKANA_PER_MARK = 3
"""Half-width katakana for each `､` and `･`, at least, in true text. In EUC-JP these are the lead bytes of
kana, one for each."""


@cache
def frequent_in(charset: str) -> frozenset[str]:
    """Return the most frequent hanzi and Hangul of all East Asian languages, any of which a charset may hold
    (Japanese in Big5, hanja). Kana are no evidence of GBK: EUC-JP has the same bytes. A closed table."""
    rows = (row for row in LANGUAGES if by_name(row.charsets.split()[0]).family == "CJK")
    first = _FIRST_HANZI if "gb2312" in standards_of(charset) else _FIRST_KANA
    return frozenset(char for row in rows for char in row.letters if char >= first)


def seldom_frequent(data: bytes, charset: Charset) -> bool:
    """Return True where text is hardly in the charset: its characters are seldom the most frequent ones, most
    letters are East Asian, and a fifth are hanzi or Hangul: kana and Cyrillic are in all of these
    standards. Half-width katakana count as frequent ones, if not all are letters of KOI8-R."""
    frequent = frequent_in(charset.name)
    text = _beyond_ascii(charset_decoder(charset, lenient=True).decode(data[:QUICKLY]))
    if FREQUENT * sum(map(frequent.__contains__, text)) >= len(text):
        return False
    text = characters_in(charset, data)
    times = Counter(_beyond_ascii(text, "ignore"))
    if FREQUENT * _total(times, frequent) >= len(text) - len(text.encode("ascii", "ignore")):
        return False
    letters = _letters(times, "\x7f")
    total = sum(letters.values())
    east_asian, hanzi, half_width = (
        sum(times for char, times in letters.items() if char >= first)
        for first in (_FIRST_KANA, _FIRST_HANZI, _HALF_WIDTH)
    )
    half_width = min(half_width, 4 * sum(n for char, n in letters.items() if _HALF_WIDTH <= char < "\uff80"))
    if KATAKANA_PER_MARK * (times["､"] + times["･"]) > half_width:
        half_width = 0
    seldom = FREQUENT * (_total(letters, frequent) + half_width) < total
    return seldom and 2 * east_asian > total and 5 * hanzi > total


LETTERED = frozenset(name for row in LANGUAGES for name in row.charsets.split())
"""The charsets that have a language in the table."""

POINTS = frozenset(map(chr, (*range(0x05B0, 0x05C3), 0x05F3, 0x05F4, 0x0640, *range(0x064B, 0x0653))))
"""Hebrew points, geresh and gershayim (`צה״ל`), Arabic vowel signs, tatweel: in words, hardly at their
beginning."""

FREQUENT_LETTERS = 12
"""The first letters of an alphabet."""

LEAST_FREQUENT = 0.4
"""Their share, without capitals, of the bytes beyond ASCII. In eight titles of each language of a page it is
0.41 to 0.9; in text of another charset mostly 0.2, and 0.5 at most (Hebrew in windows-1251)."""

_FINAL_LETTERS = {"greek": ("ς", 200), "hebrew": ("ךםןףץ", 20)}
"""By the kind of page, letters that only end a word. Where text is in another script, one in so many bytes
beyond ASCII, at least, is one of them before another letter: in windows-1251 they are `т`, and `кнпух`. In
Greek it was one in 1,000, in Hebrew one in 13, in titles that were written backwards."""

FINALS_SAMPLE = 512
"""Bytes in which they are counted, in 2 µs."""

LATIN_PAGES = ("western", "central", "latin")
"""Pages of Latin letters."""

WORD_OF_BYTES = 4
"""Non-ASCII bytes side by side that text in Latin letters hardly has."""

WORDS_SHARE = 4
"""One in so many non-ASCII bytes, at least, stands in such words where text is in another script: there it is
one in two. `ŻÓŁĆ` and `được` in windows-1258 are words of Latin letters."""

HIGH = b" " * 0x80 + b"h" * 0x80
"""A table that translates non-ASCII bytes into `h`, all others into spaces."""


_LATIN_OR_HIGH = bytes(ord("a" if chr(byte).isalpha() else " ") for byte in range(0x80)) + HIGH[0x80:]
"""A table as HIGH that translates a to z into `a`, too."""

JOINED_SHARE = 4
"""One in so many non-ASCII bytes stands beside a Latin letter where text is hardly in another script."""


@cache
def _frequent_bytes(charset: str) -> bytes:
    """Return the most frequent letters of the first language of a single-byte charset: a closed table."""
    row = next(row for row in LANGUAGES if charset in row.charsets.split())
    decoder = charset_decoder(by_name(charset), lenient=True)
    read = enumerate(decoder.decode(bytes(range(0x100)), True))
    return bytes(byte for byte, char in read if char in row.letters[:FREQUENT_LETTERS])


@cache
def _final_bytes(charset: str, page: str) -> bytes:
    """Return a table as HIGH with the final letters of a page as `f`, signs as `s`: a closed table."""
    read = charset_decoder(by_name(charset), lenient=True).decode(bytes(range(0x80, 0x100)), True)
    final = _FINAL_LETTERS[page][0]
    return HIGH[:0x80] + bytes(ord("f" if one in final else "h" if one.isalpha() else "s") for one in read)


MANY_HEBREW, OTHERS_IN_HEBREW = 40, 20
_HEBREW = bytes((*range(0x80, 0xA1), 0xAB, 0xBB, *range(0xE0, 0xFB)))
"""Letters of Hebrew, and marks; as many Russian ones hardly lack `ы`, `ь`, `я`, and Greek accents. One in
so many is a point."""


def seldom_letters(data: bytes, charset: Charset) -> bool:
    """Return True where text is hardly in a single-byte charset that has a language in the table: words of
    non-ASCII bytes, in the pages of Latin ones; else few frequent letters, or Latin letters beside them, or
    final ones within words."""
    if charset.page in LATIN_PAGES:
        high, word = data.translate(HIGH), b"h" * WORD_OF_BYTES
        words = high.count(word) if high.rfind(word) >= 0 else 0  # mostly there is none
        return words > 1 and WORDS_SHARE * WORD_OF_BYTES * words > high.count(b"h")
    beyond = data.translate(None, ALL_ASCII)
    seldom = len(beyond.translate(None, _frequent_bytes(charset.superset)))
    if len(beyond) - seldom < LEAST_FREQUENT * len(beyond):
        return True
    if charset.page in ("cyrillic", "greek") and len(beyond) >= MANY_HEBREW:
        others = len(beyond.translate(None, _HEBREW))
        if OTHERS_IN_HEBREW * others <= len(beyond):
            return True
    joined = data[:QUICKLY].translate(_LATIN_OR_HIGH)
    if JOINED_SHARE * (joined.count(b"ah") + joined.count(b"ha")) > joined.count(b"h"):
        return True
    if charset.page not in _FINAL_LETTERS:
        return False
    first = data[:FINALS_SAMPLE].translate(_final_bytes(charset.superset, charset.page))
    return _FINAL_LETTERS[charset.page][1] * first.count(b"fh") > len(first) - first.count(b" ")


ALL_ASCII = bytes(range(0x80))

_LATIN_CLASSES = b" " * 0x40 + bytes(
    ord(
        "m"
        if char in "‚„‘’“”«»"
        else ("t" if char.isascii() else "s")
        if not char.isalpha() or char in "ƒˆªµº"
        else ("aA" if char.isascii() else "lU")[char.isupper()]
    )
    for char in bytes(range(0x40, 0x100)).decode("cp1252", "replace")
)
"""A table that translates a to z into `a`, A to Z into `A`, the other letters of windows-1252 into `l` and
`U`, quotation marks into `m`, other non-ASCII bytes into `s`, other ASCII that may be the second byte of an
East Asian character into `t`, and the rest into spaces."""

_LETTER_IN_WORD = lazy_pattern(rb"l(?:(?<=[^lUms]al)(?=[aA ])|(?<=[ A]l)(?=aa))")
"""Also one that begins a word. One behind `la` may be the next character of a list."""
_CAPITAL_BEFORE_WORD = lazy_pattern(rb"U(?:(?<= U)(?:aa|AA)|(?<=AAU)[A ]|(?<=AU)AA)")
"""Also one within a word in capitals."""
_MARK_AT_WORD = lazy_pattern(rb"m(?:(?<= m)[aA]|(?<=[aA]m) )")
"""What begins with one character is found sooner than counted."""
_APOSTROPHE = lazy_pattern(rb"\x92(?<=[A-Za-z].)(?:[dst]|ll|re|ve)(?![A-Za-z\x80-\xff])")
"""`Today\x92s`. In East Asian charsets `\x92s` is a rare character; `\x92m` is none."""
_PAIR_IN_WORD = lazy_pattern(rb"ll(?<=[aA]ll)([^lUms])")


def count_in_latin_words(before: bytes, data: bytes) -> int:
    """Return how many letters of windows-1252 stand one by one in words of a to z (`n\xe3o`); 0 where as many
    non-ASCII bytes, or more, stand side by side, as those of East Asian text do.

    Two letters in a word (`\xe7\xe3o`) are in text of either kind. They count where there is nothing else. A
    pair of quotation marks counts as a letter: no character ends in a space. So does `’s` and its like.

    Args:
        before: what stands before the text, where its first word may begin.
        data: the text, which begins with a non-ASCII byte.
    """
    if b"hhh" in data[:QUICKLY].translate(HIGH):
        return 0
    text = before + data
    for pair in DOUBLED:
        text = text.replace(pair, pair[:1])
    runs = text.translate(HIGH).split()
    side_by_side = len(b"".join(runs)) - runs.count(b"h")
    classes = b"  %b  " % text.translate(_LATIN_CLASSES)
    pairs = _PAIR_IN_WORD.findall(classes) if classes.rfind(b"ll") >= 0 else []
    side_by_side -= 2 * len(pairs)
    found = len(_LETTER_IN_WORD.findall(classes)) + len(_CAPITAL_BEFORE_WORD.findall(classes))
    marks = _MARK_AT_WORD.findall(classes)
    closing = marks.count(b"m ")
    found += min(len(marks) - closing, closing) + len(_APOSTROPHE.findall(text))
    if not found and not side_by_side:
        return min(pairs.count(b"a"), 1)
    return found if found > side_by_side else 0


LONG_ROW = 3
"""East Asian characters side by side that are no accented letters in a Latin word, whatever stands beside."""

FEW_EAST_ASIAN = (2, 6, 20)
"""Of fewer it must be a frequent one; all must be common ones of the standard; three quarters must be."""

_ROW_OF_CHARACTERS = lazy_pattern("[^\0-\xbf\u2000-\u206f\u2100-\u27ff\u3000-\u303f\uff01-\uff20]++")
_FULL_WIDTH_SIGNS = "[“”\u2100-\u27ff\u3000-\u303f\uff01-\uff20]"
_SIGN_BETWEEN = lazy_pattern(f"(?<=[A-Za-z]){_FULL_WIDTH_SIGNS}(?=[A-Za-z])")
_SIGN_BEHIND = lazy_pattern("(?<=[A-Za-z])[\u2100-\u27ff\u3000-\u303f\uff01-\uff20]")


ENOUGH_EAST_ASIAN = 120
"""Characters of text by which it is judged."""


_DOTS = {"EUC-JP": "・･", "Shift_JIS": "・"}


@cache
def usual_of(charset: str) -> frozenset[str]:
    """The frequent characters of an East Asian charset, the common ones of its standards, and the dots of two
    bytes that stand between Latin words in Japanese (`HDD・DVD`)."""
    return frequent_in(charset) | common_of(charset) | frozenset(_DOTS.get(charset, ""))


def doubtful_east_asian(text: str, charset: Charset) -> bool:
    """Return True where text that was read in an East Asian charset may be in another one: half of its
    characters or more are joined to Latin letters one by one or two by two (`sp鴕`), too few are common ones,
    or a rare one stands within a Latin word. Signs count within a word; alone, behind one, too."""
    frequent, usual = frequent_in(charset.name), usual_of(charset.name)
    total = joined = often = common = 0
    for found in _ROW_OF_CHARACTERS.finditer(text):
        row, (start, end) = found[0], found.span()
        if max(row) < "\u0250" and not charset.name.startswith("Big5"):  # é of GB18030 has two bytes A1-FE
            continue
        total += len(row)
        long = len(row) >= LONG_ROW
        half_width = sum(_HALF_WIDTH <= char <= "\uff9f" for char in row) if long else 0
        often += half_width + sum(map(frequent.__contains__, row))
        common += half_width + sum(map(usual.__contains__, row))
        if not long:
            before, after = text[start - 1 : start], text[end : end + 1]
            behind, ahead = (beside.isascii() and beside.isalpha() for beside in (before, after))
            if behind and ahead and not usual.issuperset(row):
                return True
            joined += len(row) if behind or ahead else 0
        if total >= ENOUGH_EAST_ASIAN:
            text = text[:end]
            break
    signs = len(_SIGN_BETWEEN.findall(text))
    total, joined = total + signs, joined + signs
    fewest, fewer, few = FEW_EAST_ASIAN
    if not total:
        return _SIGN_BEHIND.search(text) is not None
    if total < fewer:
        seldom = common < total or (total < fewest and not often)
    else:
        seldom = 4 * common < 3 * total and (total < few or FREQUENT * often < total)
    return seldom or total <= 2 * joined


ODD_SHARE = 8
"""One character beyond ASCII in so many that is within no word: hardly one in a hundred is in true text."""

ENOUGH_DOUBTED = 1024
"""Letters and signs that are judged, the first ones: enough for the share, and each takes 2 µs."""

_LETTER_OR_SIGN = lazy_pattern("[^\0-\x7f\xa0\xad\xb7\u2010-\u2015\u2018\u2019\u2026]")


def doubtful_words(text: str, charset: Charset) -> bool:
    """Return True where the letters of text that was read in a charset are not those of words: a capital
    behind a small letter, a letter of another script beside a Latin one, a sign between two small letters, a
    line or box behind one."""
    if charset.family == "CJK":
        return doubtful_east_asian(text, charset)
    odd = beyond = 0
    for match in islice(_LETTER_OR_SIGN.finditer(text), ENOUGH_DOUBTED):
        char, at = match[0], match.start()
        last, following = text[max(0, at - 1) : at], text[at + 1 : at + 2]
        if char.isalpha():
            latin = char < "\u0250"
            beside = not latin and any(near.isascii() and near.isalpha() for near in (last, following))
            odd += beside or (latin and char.isupper() and last.islower())
        else:
            within = following.islower() or "\u2500" <= char <= "\u25ff"
            odd += category(char) != "Mn" and last.islower() and within
        beyond += 1
    return ODD_SHARE * odd > beyond


def has_lines(data: bytes, label: Charset) -> bool:
    """Return True where text in a single-byte charset has lines of tables: KOI8-R has them where IBM866 has
    letters."""
    lines = (line.encode(label.codec or "ascii", "ignore") for line in ("───", "═══"))
    return any(len(line) == 3 and line in data for line in lines)


REPEATED = 2
"""Times that a repeated letter, or sequence, counts at most: a row of one shows nothing more."""


def _beyond_ascii(text: str, undecodable: str = "surrogatepass") -> str:
    """Return a text without ASCII; with "ignore" also without its undecodable bytes."""
    return text.encode("utf-8", undecodable).translate(None, ALL_ASCII).decode("utf-8", "surrogatepass")


def _letters(times: dict[str, int], beyond: str) -> dict[str, int]:
    """Return the letters after a character of Unicode, each of them REPEATED times at most."""
    letters = filter(str.isalpha, times)
    return {char: 1 if times[char] < REPEATED else REPEATED for char in letters if char > beyond}


def _total(times: dict[str, int], known: frozenset[str]) -> int:
    return sum(map(times.__getitem__, known.intersection(times)))


def letters_in(data: bytes, charset: Charset) -> dict[str, int]:
    """Return the letters beyond ASCII that bytes are in an East Asian charset, each with the times that it
    counts; of GB18030 with the characters of four bytes, which no other text has, with all their times."""
    times = Counter(_beyond_ascii(characters_in(charset, data), "ignore"))
    return _letters(times, "\x7f") | {char: times[char] for char in _four_bytes(times, charset.name)}


def _four_bytes(characters: Iterable[str], charset: str) -> frozenset[str]:
    """Return the characters of four bytes in GB18030, but those that `5°5°` would be, from U+40000 on; none
    of another charset than GB2312, GBK and that."""
    text = "".join(characters) if "gb2312" in standards_of(charset) else ""
    if len(text.encode("gb18030")) <= 2 * len(text):
        return frozenset()
    return frozenset(char for char in text if char < "\U00040000" and len(char.encode("gb18030")) == 4)


def count_common(letters: dict[str, int], charset: str) -> CommonCount:
    """Count the East Asian letters of a text (`letters_in`), and those that are common in a standard of the
    charset. In GB18030 all of four bytes are frequent ones: no other text has such bytes."""
    certain = _four_bytes(letters, charset)
    letters = {char: times for char, times in letters.items() if char > "\u02ff" or char in certain}
    known = common_of(charset), frequent_in(charset)
    numbers = (_total(letters, one) + _total(letters, certain - one) for one in known)
    return CommonCount(charset, sum(letters.values()), *numbers)


def more_frequent(label: dict[str, int], found: dict[str, int], charset: Charset, other: Charset) -> bool:
    """Return True where more of the letters are frequent in another East Asian charset, of those that the two
    read otherwise: the bytes of kana, Cyrillic and some hanzi are the same in GBK and EUC-JP.

    Args:
        label: the letters of a text in `charset` (`letters_in`).
        found: those in `other`.
        charset: what the label names.
        other: the other charset.
    """
    both = label.keys() & found.keys()
    label, found = ({char: one[char] for char in one.keys() - both} for one in (label, found))
    in_label, in_other = _total(label, frequent_in(charset.name)), _total(found, frequent_in(other.name))
    return in_other * max(sum(label.values()), 1) > in_label * sum(found.values())


def common_in(character: str) -> list[str]:
    """The standards of which it is a common character."""
    return [standard for standard in STANDARDS if character in common_characters(standard)]


@cache
def common_characters(standard: str) -> frozenset[str]:
    """Return the common characters of a standard: a closed table."""
    trails = range(0x40 if standard == "big5" else 0xA1, 0xFF)
    pairs = b" ".join(bytes((lead, trail)) for lead in STANDARDS[standard] for trail in trails)
    return frozenset(char for char in pairs.decode(standard, "ignore").split() if not char.isascii())


@cache
def common_of(charset: str) -> frozenset[str]:
    """Return the common characters of an East Asian charset: those of its standards."""
    return frozenset().union(*map(common_characters, standards_of(charset)))


SCRIPTS_SAMPLE = 16 * 1024
"""Bytes in which scripts, and characters for private use, are counted."""


MOST_SCRIPT_LETTERS = 1024
"""Characters beyond ASCII that are counted by their script: they show a share as well as more do."""


def count_private_use(data: bytes, charset: Charset) -> int:
    """Count the characters for private use that a multi-byte charset decodes the beginning of bytes to."""
    text = charset_decoder(charset, lenient=True).decode(data[:SCRIPTS_SAMPLE], True)
    return sum(times for char, times in Counter(text).items() if "\ue000" <= char <= "\uf8ff")


_RARE_LATIN = range(0x180 >> 7, 0x300 >> 7)
"""Blocks of 128 code points of Latin letters, phonetic and modifier ones, that hardly a document holds and
that many pairs of East Asian bytes are."""


_PUNCTUATION = "‘’“”–—…•"
"""Marks of text in any script, which hardly any bytes of another charset are."""


def count_scripts(text: str) -> tuple[int, int]:
    """Return the number of letters beyond ASCII in a text, and that of the most frequent script; punctuation
    marks are letters of it."""
    scripts: Counter[str | int] = Counter()
    for char, times in Counter(_beyond_ascii(text)[:MOST_SCRIPT_LETTERS]).items():
        if char.isalpha():
            scripts[script_of(char) or ord(char) >> 7] += times
    signs = sum(map(text.count, _PUNCTUATION))
    letters = scripts.total() + signs
    for block in _RARE_LATIN:
        scripts.pop(block, None)
    return letters, max(scripts.values(), default=0) + signs


WORDS = {
    "cyrillic": "\u0400-\u04ff",
    "greek": "\u0370-\u03ff",
    "hebrew": "\u0590-\u05ff",
    "arabic": "\u0600-\u06ff",
    "thai": "\u0e00-\u0e7f",
}
"""The letters and marks of a script, by the kind of a single-byte page."""


def count_in_words(text: str, charset: str, page: str) -> CommonCount:
    """Count the characters of a text that are not ASCII, and those in words of the page's script: four in a
    row, or a whole word of three. In western text read as such a page both are rare."""
    beyond, own = len(text) - len(text.encode("ascii", "ignore")), WORDS[page]
    words = re.findall(f"[{own}]{{4,}}+|(?<![A-Za-z{own}])[{own}]{{3}}(?![A-Za-z{own}])", text)
    return CommonCount(charset, beyond, sum(map(len, words)))


BETWEEN_TEXTS = bytes.maketrans(b"<>\r", b"\n\n\n")
"""A table that makes line ends of all that stands between two texts."""
_ASCII_BUT_LF = bytes(byte for byte in ALL_ASCII if byte not in b"<>\r\n")


def count_texts(data: bytes, utf8: bytes) -> tuple[int, int]:
    """Count the texts, between tags and line ends, with letters or marks in UTF-8 and no other such bytes,
    and those that have more of these; the last one may be cut. `utf8`: the data without these other bytes."""
    one, other = (part.translate(BETWEEN_TEXTS, _ASCII_BUT_LF).split(b"\n")[:-1] for part in (data, utf8))
    some = [(len(text), beyond) for text, beyond in zip(one, other, strict=True) if beyond]
    own, others = 0, len(one) - one.count(b"") - len(some)
    for size, beyond in some:
        own += size == len(beyond) and any(char.isalpha() or char in _PUNCTUATION for char in beyond.decode())
        others += size > 2 * len(beyond)
    return own, others


_LETTER, _CAPITAL = rb"A-Za-z\xc0-\xd6\xd8-\xf6\xf8-\xff", rb"A-Z\xc0-\xd6\xd8-\xde"
_LATIN_9 = lazy_pattern(
    # It begins with a class of bytes, for which `re` searches quickly.
    rb"[\xa8\xb8\xbc-\xbe](?:(?<=[%b][\xa8\xb8\xbd])(?=[a-z\xdf-\xf6\xf8-\xff])|(?<=[%b][\xbc-\xbe])(?=[%b])"
    rb"|(?<=[\xbc\xbd])(?<![0-9%b\x80-\xbf].)"
    rb"(?=(?i:u[fv]|il|c[ou][mn]|d(?:ip|[\xe8\xe9\xc8\xc9])|no|soph|str[aou])))"
    % (_LETTER, _CAPITAL, _CAPITAL, _LETTER)
)
"""`œ`, `š`, `ž` of ISO-8859-15 within a word, `Œ` and `Ÿ` among capitals, `œuvre` and its like (`½kg` begins
otherwise). None of 49,500 messages in 18 western languages has ½ ¨ ¸ ¼ ¾ there."""
PRICE = rb"(?<![#.,0-9])[0-9][0-9.,]*+-?[ \xa0]?\xa4(?![0-9%b\xa4])|(?<![0-9%b\xa4])\xa4[ \xa0]?[1-9]" % (
    _LETTER,
    _LETTER,
)
"""The euro of ISO-8859-15 is ¤, of which patterns (`#,##0.00 ¤`) and separators of fields are no prices."""
_PRICE = lazy_pattern(PRICE)
SIGNS_OF_LATIN_9 = b"\xa4\xa8\xb8\xbc\xbd\xbe"
"""Signs of windows-1252 that are letters of ISO-8859-15, or the euro, and no apostrophes and separators."""
_FROM_80_TO_9F = bytes(range(0x80, 0xA0))


def is_latin_9(data: bytes) -> bool:
    """Return True where windows-1252 would have signs within words, or prices in ¤, and ISO-8859-15 has
    their letters, or euros."""
    if len(data.translate(None, _FROM_80_TO_9F)) < len(data):
        return False
    return _LATIN_9.search(data) is not None or 0 < data.count(b"\xa4") == len(_PRICE.findall(data))


LONGEST_IN_ROW = 16
"""Bytes of what is repeated side by side (`ㅋㅋㅋ`, `★☆★☆`): a row is no more evidence than two of them."""

_REPETITIONS = (
    (1, 8, bytes(4), lazy_pattern(rb"([\x80-\xff])\1{4,}+"), b" "),
    *(
        (unit, 8 * unit, bytes(2 * unit), lazy_pattern(rb"(?s)(.{%d})\1{2,}+" % unit), rb"\1\1")
        for unit in range(2, LONGEST_IN_ROW + 1)
    ),
)
"""Of each number of bytes: its bits, the differences of a row from itself so many bytes on, the row, and what
remains of it."""


def without_rows(sample: bytes) -> bytes:
    """Return a text without what stands there side by side for the third time, and more often; without lines
    of one sign (`····`)."""
    number = int.from_bytes(sample, "little")
    for unit, bits, equal, row, remains in _REPETITIONS:
        size = len(sample)
        same = (number ^ number >> bits).to_bytes(size, "little")
        if (last := same.rfind(equal, 0, size - unit)) >= 0:
            first, end = same.find(equal), last + len(equal) + unit  # to search all takes 20 ns for each byte
            sample = sample[:first] + row.sub(remains, sample[first:end]) + sample[end:]
            number = int.from_bytes(sample, "little")
    return sample


_WESTERN_MARKS = b"\x8b\x91\x92\x93\x94\x9b\xa0\xab\xbb"
"""Of windows-1252, and the no-break space."""


_CLOSING_WITHIN = lazy_pattern(rb"\x94(?<=[A-Za-z].)(?=[a-z\xe0-\xff])")
"""A quotation mark that closes what nothing has opened, in a word: `ö` of DOS."""


def reads_otherwise(
    sample: bytes, page: str, characters: Sequence[str], known: Container[str], named: bool
) -> bool:
    """Return True where a charset reads bytes otherwise than windows-1252, as letters of the language: in
    Latin letters one beside another letter (not `12ªC`, nor quotation marks, but for closing ones within two
    words, of which none was opened: `Gr”áe`); in another script as many as a word has, not each of them once,
    as in a list (`ÁÉÍÓÚ`), unless the language is named."""
    western = byte_table("windows-1252", True)
    times = Counter(sample.translate(None, ALL_ASCII))
    otherwise = bytes(
        byte
        for byte in times
        if not characters or (characters[byte] != western[byte] and characters[byte] in known)
    )
    if page in LATIN_PAGES:
        if b"\x94" in otherwise and b"\x93" not in sample and len(_CLOSING_WITHIN.findall(sample)) > 1:
            return True
        behind = re.escape(otherwise.translate(None, _WESTERN_MARKS))
        if not behind:
            return False
        before = re.escape(otherwise.translate(None, _WESTERN_MARKS + b"\x82\x84"))
        beside = b"(?<=[A-Za-z%b])[%b]" % (before, behind)
        if before:
            beside += b"|(?<![0-9])[%b](?=[A-Za-z])" % before
        return re.search(beside, sample) is not None
    number, distinct = sum(map(times.__getitem__, otherwise)), len(otherwise)
    no_list = number > distinct or number >= 12 or not characters or named
    return number >= 4 and distinct >= 3 and no_list


_WORDS_ALONE = b" " * 0x40 + bytes(range(0x40, 0x100))


def distinct_words(sample: bytes, repeated: int) -> bytes:
    """Return a list of few words (units) with each of them once: more lines are no more evidence."""
    words = sample.translate(_WORDS_ALONE).split()
    beyond = [word for word in words if not word.isascii()]
    return sample if len(beyond) < repeated * len(set(beyond)) else b" ".join(dict.fromkeys(words))


BEYOND_ASCII = lazy_pattern(rb"[\x80-\xff]")
MARKS_OF_TEXT = b"\x84\x85\x91\x92\x93\x94\x95\x96\x97\xa0\xa9\xab\xae\xbb"
"""Marks of the Windows pages that English has. In no charset are words written with these bytes alone."""
_ASCII_AND_MARKS = ALL_ASCII + MARKS_OF_TEXT
_BEYOND_MARKS = lazy_pattern(rb"[^\x00-\x7f%b]" % re.escape(MARKS_OF_TEXT))
SAMPLE_BYTES = 1024
"""Bytes of text that are judged. They decide for nearly every document."""

SEARCHED = 64 * 1024
"""Bytes of the window in which text is searched; they bound the time where non-ASCII bytes are few."""

LOOKED_AT = 4 * SAMPLE_BYTES
"""Bytes of the window by which it is decided whether the letters are judged at all under a label."""

FEW_BEYOND = 8
"""Bytes beside ASCII and marks among these with which text has hardly begun: English before others."""

TEXT_PART = 1024
"""Bytes that are kept behind such a byte; where as many follow without one, these are left out."""


def without_ascii_parts(data: bytes) -> bytes:
    """Return a window without long parts of ASCII and marks, as far as SEARCHED, `<>` for each; the window
    itself where its first bytes hold other text, or none of it does."""
    if len(data) <= LOOKED_AT or data.isascii():
        return data
    for size in (16 * FEW_BEYOND, FIRST_LOOK, LOOKED_AT):
        if len(data[:size].translate(None, _ASCII_AND_MARKS)) >= FEW_BEYOND:
            return data
    if not data.translate(None, _ASCII_AND_MARKS):
        return data
    parts, size, start, at = [], 0, 0, 0  # data[start:at] is kept
    while size + at - start < SEARCHED and at < len(data):
        if found := _BEYOND_MARKS.search(data, at, at + TEXT_PART):
            at = found.end() + TEXT_PART
            continue
        parts.append(data[start : at + 1] + b"<>")  # that byte may end a character
        size, at = size + len(parts[-1]), at + TEXT_PART
        while at < len(data) and not data[at : at + SEARCHED].translate(None, _ASCII_AND_MARKS):
            at += SEARCHED
        found = _BEYOND_MARKS.search(data, at)
        at = found.start() if found else len(data)
        start = at - TEXT_BEFORE * (found is not None)
    return b"".join([*parts, data[start:at]]) if parts else data


_TITLES_IN_TAG = lazy_pattern(rb"=[\"']|^!--")
_REFERENCE = lazy_pattern(rb"&#?[A-Za-z0-9]{1,8}+;")
POWER = lazy_pattern(
    rb"(?<![A-Za-z\x80-\xff])(?:da|[cdhkmGMN\xb5])?(?:[mM]|(?<![A-Za-z])(?:in|ft|yd|mi))[\xb2\xb3](?![@-~\x80-\xff])"
)
_POWER_ENDS = lazy_pattern(rb"[\xb2\xb3](?:(?<=[mM].)|(?<=(?:in|ft|yd|mi).))(?![@-~\x80-\xff])")
"""How each POWER ends. A pattern that begins with one set of bytes is searched ten times as fast."""
_SIGNS_OF_FORMULAS = b"\xb1\xb2\xb3\xb5\xb7\xbc\xbd\xbe"
_FORMULA = lazy_pattern(
    rb"(?<![^ >])(?:[a-z]?[0-9=+*/().,^%b-])++[a-z]?(?![^ :;!?<])" % re.escape(_SIGNS_OF_FORMULAS)
)
"""What may be one, of single letters: `f(x)=½·x³`."""


def _without_formula(match: re.Match[bytes]) -> bytes:
    """Return a space for a formula: signs that differ, and a letter."""
    signs = match[0].translate(None, ALL_ASCII)
    return b" " if len(set(signs)) > 1 and match[0].islower() else match[0]


SIGNS_APART = b"\xa3\xa5\xa9\xab\xac\xae\xb1\xb2\xb3\xb6\xb9\xbb\xbc\xbd\xbe"
_SIGN_APART = lazy_pattern(
    b"[%b]" % SIGNS_APART + rb"(?:(?<=[^\xab\xb2\xb3\xbb])(?<![A-Za-z\x80-\xff].)(?![A-Za-z\x80-\xff])"
    rb"|(?<![^\s\xa0][\xab\xbb])(?<=[\xab\xbb])(?![^\s\xa0!),.:;?])|(?<=[0-9][\xb2\xb3])(?![A-Za-z\x80-\xff]))"
)
"""Signs of windows-1252 that are letters in other Latin pages, where they are no word: `±3`, `a » b`. ² and ³
only behind a digit: in windows-1251 they are the word `і`."""

_ACUTE_FOR_APOSTROPHE = lazy_pattern(
    rb"\xb4(?<=[\x00-\x7f]{2}.)(?:(?=[A-Za-z])|(?<=[A-Za-z].)(?=[\x00-\x7f]|[\xc0-\xff][\x00-\x7f]))"
)
"""´ of the western and central pages, as in `l´arte`, `it´s`, not within East Asian text. Others have letters
there, as x-mac-ce ī (with ā at 82), or marks."""


def named_language(beginning: bytes, domain: str) -> tuple[Language | None, str]:
    """Return the language that the document or its domain names, and what names it.

    `en` is what systems write by default: it is no evidence, and the next one is read.
    """
    for match in LANGUAGE_TAG.finditer(beginning):
        tag = match[1].decode("ascii")
        parts = tag.lower().replace("_", "-").split("-")
        while parts and parts[0] != "en":
            if found := BY_TAG.get("-".join(parts)):
                return found, f"the document names the language {tag}"
            parts.pop()
    return BY_DOMAIN.get(domain), f"the domain is .{domain}"


def text_runs(before: bytes, data: bytes, most: int, passed: bytes = b"", between: bytes = b" ") -> bytes:
    """Return the first runs of text between tags that hold non-ASCII bytes, with spaces, or other bytes,
    between them; also attributes and comments where these have more such bytes (a list of feeds has titles in
    attributes and one name as text); without text, any markup. `passed`: bytes for which no run is taken."""
    document = b"%b%b<>" % (before, data)  # each run has an end
    text: dict[bytes, None] = {}  # a line that each item repeats counts once
    markup: dict[bytes, None] = {}
    at, size, less, greater = len(before), 0, -1, -1
    beyond = BEYOND_ASCII
    if passed:
        beyond = re.compile(rb"[^\x00-\x7f%b]" % re.escape(passed))
    while size < most and (found := beyond.search(document, at)):
        high = found.start()
        start = max(document.rfind(b"<", 0, high), document.rfind(b">", 0, high)) + 1
        less = less if less > high else document.find(b"<", high)
        greater = greater if greater > high else document.find(b">", high)
        at = min(less, greater)
        in_section = document.startswith(b"<![CDATA[", start - 1)
        in_tag, start = document[start - 1 : start] == b"<" and not in_section, start + 8 * in_section
        run, runs = document[max(start, high - TEXT_BEFORE) : at], markup if in_tag else text
        run = run.removesuffix(b"]]") if in_section else run
        size += 0 if run in runs else len(run)
        runs[run] = None
    titles: dict[bytes, None] = {}
    for run in markup:
        if (begins := _TITLES_IN_TAG.search(run)) and run[0] not in b"?/":
            # Other attributes (`xmlUrl="http://…"`) are no text.
            values = run.split(begins[0][1:]) if begins[0][:1] == b"=" else [run]
            titles |= dict.fromkeys(value for value in values if not value.isascii())
    if len(b"".join(titles).translate(None, ALL_ASCII)) > len(b"".join(text).translate(None, ALL_ASCII)):
        text |= titles
    sample = _REFERENCE.sub(b" ", between.join(text or markup)[:most])
    if any(map(sample.__contains__, SIGNS_APART)):
        sample = POWER.sub(b" ", sample) if _POWER_ENDS.search(sample) else sample
        if sum(map(sample.__contains__, _SIGNS_OF_FORMULAS)) > 1:
            sample = _FORMULA.sub(_without_formula, sample)
        sample = _SIGN_APART.sub(b" ", sample)
    if b"\xb4" in sample and b"\x82" not in sample:
        sample = _ACUTE_FOR_APOSTROPHE.sub(b"'", b" " + sample)
    return without_rows(sample)
