"""The thresholds of the principles, as data: tolerated damage, and when a document is plainly UTF-8.

The numbers are those of `SequenceCount`. A row of `THRESHOLDS` holds when each of its numbers is reached; the
document under a legacy label is plainly UTF-8 when one row of the label's page holds. They were set so that
honest legacy text, in which a capital and a closing quotation mark happen to be well-formed UTF-8, is read by
its label. benchmarks/measure_plainly.py is the measurement.
"""

from collections.abc import Iterable, Iterator, Mapping
from sys import maxsize
from typing import NamedTuple

from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.evidence.detector import CLEARLY_INSIDE, CLEARLY_LESS, FREQUENT, LETTERS_INSIDE
from feedcharset.results.explanation import counted
from feedcharset.results.facts import CommonCount, Damage, Detected, ScriptCount, SequenceCount, Utf8Count


class Tolerance(NamedTuple):
    """How much damage is tolerated in a charset that proves itself."""

    least: int
    """Sequences (characters) that the window must hold."""
    per_place: int
    """UTF-8: sequences for each damaged run of bytes. The others: characters for each damaged run after the
    first."""


TOLERANCE = {
    "UTF-8": Tolerance(7, 4),
    "CJK": Tolerance(20, 50),
    "ISO-2022-JP": Tolerance(1, 50),
    "single": Tolerance(20, 50),
}
"""Thirty honest titles together, read as UTF-8, reached 1.1 sequences for each damaged run in GB18030, and
3.4 at the worst, Kyrgyz capitals in Big5 (benchmarks/measure_plainly.py). Between the escapes of ISO-2022-JP
one character is enough: no other text has them."""


CUT_IN_TWO = 2
"""Damaged runs that one damaged character leaves: its bytes before and after the byte that splits it. Any
`least` sequences outweigh one character."""


PASTED = 3
"""C1 controls that are tolerated in a declared charset where the other label is a server's default: as many
as one pasted emoji leaves behind its lead."""


class Threshold(NamedTuple):
    """One row: pages, and the numbers to reach."""

    pages: tuple[str, ...]
    """Kinds of page (`page_kind`), or names of charsets."""
    reach: Mapping[str, int]
    why: str
    share: float = 0.0
    """The first of the numbers is also more than this share of all sequences."""


PAGE_KINDS = {
    "macintosh": "macintosh",
    **dict.fromkeys(("IBM720", "IBM855", "IBM866", "IBM869", "IBM1125"), "crowded"),
    **dict.fromkeys(("hp-roman8", "x-mac-ce"), "crowded latin"),
}
"""Pages with rows of their own, other than those of their script. macintosh holds its capitals elsewhere
than the other western pages. "crowded": words have letters at C2-EF beside letters at 80-BF, so that many an
honest word is such a sequence."""

SPARSE_PAGES = (
    "windows-1251",
    "KOI8-R",
    "KOI8-U",
    "windows-1253",
    "ISO-8859-7",
    "windows-1255",
    "ISO-8859-8",
)
"""Pages whose words have their letters above BF only: 80-BF are marks, and letters of other languages."""

LATIN = ("western", "macintosh", "central", "latin")
NON_LATIN = ("cyrillic", "greek", "hebrew", "arabic", "thai")
NOT_CROWDED = (*LATIN, *NON_LATIN)
EVERY = (*NOT_CROWDED, "crowded latin", "crowded", "cjk")

THRESHOLDS: tuple[Threshold, ...] = (
    Threshold(EVERY, {"one_script": 4}, "4 distinct sequences of one script"),
    Threshold((*NOT_CROWDED, "crowded latin"), {"one_script": 3}, "3 distinct sequences of one script"),
    Threshold(
        ("western", "macintosh", "central", *SPARSE_PAGES),
        {"one_script": 2},
        "2 distinct sequences of one script",
    ),
    Threshold(
        EVERY, {"in_use": 20, "distinct": 3}, "20 sequences, 3 distinct, 9 in 10 of scripts in use", 0.9
    ),
    Threshold(EVERY, {"sure": 1}, "a sequence that no honest text of the page holds"),
    Threshold(("western", "macintosh"), {"distinctive": 1}, "a sequence of the page's own letters"),
    Threshold(NOT_CROWDED, {"after_lower": 1}, "a Latin letter or a sign straight after a lower-case letter"),
    Threshold(
        ("central", "latin", "crowded latin"),
        {"in_page": 2},
        "2 sequences in page, more than half of all",
        0.5,
    ),
    Threshold((*NON_LATIN, "crowded"), {"in_page": 4}, "4 sequences in page, more than half of all", 0.5),
    Threshold(NON_LATIN, {"after_letter": 1}, "a Latin letter straight after an ASCII letter"),
    Threshold(("cjk",), {"in_page": 2}, "2 common CJK characters, at least half of all sequences", 0.499),
    Threshold(("latin", "crowded", "cjk"), {"within_word": 1}, "a Latin letter within a word"),
    Threshold(NOT_CROWDED, {"combining": 1}, "a combining mark after an ASCII letter"),
    Threshold(("cjk",), {"combining": 2}, "two combining marks after small ASCII letters"),
    Threshold(LATIN, {"opens_word": 1}, "a Latin letter that opens a word"),
    Threshold(LATIN, {"after_capital": 1}, "a Latin letter after the capital of a word"),
    Threshold(
        ("central", "latin", *NON_LATIN, "cjk", "IBM866", "ISO-8859-15"),
        {"alone": 1},
        "only signs and Latin letters, none of them in a word of the page",
        0.999,
    ),
    Threshold(("cyrillic", "greek"), {"opens_word": 1}, "a Latin letter that opens a word of a to z"),
    Threshold(("cjk",), {"prices": 1}, "only pound and yen signs before digits", 0.999),
    Threshold(("cjk",), {"after_lower": 2}, "2 Latin letters or signs, each after a lower-case letter"),
    Threshold(
        ("cjk",), {"after_letter": 1}, "only Latin letters, each straight after an ASCII letter", 0.999
    ),
    # The most by chance in 140,000 honest titles was 1, and 2 under gb2312. Any script has it, also one that
    # is not in use.
    Threshold(EVERY, {"one_block": 4}, "4 distinct sequences of one block of 128 code points"),
)


UNDAMAGED: tuple[Threshold, ...] = (
    # A quotation in windows-1252 has an opening mark, which is no UTF-8.
    Threshold(("western", "macintosh"), {"varied": 8, "distinct": 2}, "8 sequences, 2 of them distinct"),
)
"""The rows for a window in which all bytes beyond ASCII are UTF-8."""


WHERE_NAMED: tuple[Threshold, ...] = (
    Threshold(EVERY, {"varied": TOLERANCE["UTF-8"].least}, "7 sequences"),
    # Of two bytes they may be a word in capitals: `ЛІС»`.
    Threshold((*SPARSE_PAGES, "arabic"), {"distinctive": 2}, "2 sequences, hardly words of the page"),
)
"""The rows where another label names UTF-8."""


COMMON = (4, 0.5)
"""East Asian letters by which a declared multi-byte charset goes before a western charset from HTTP: common
ones, and their share. French decodes as GB18030 half the time, into rare characters."""

IN_WORDS = (3, 0.5)
"""Characters in words of another script by which a declared single-byte charset goes before a western charset
from HTTP, and their share of all that are not ASCII. Western text has letters beyond ASCII one by one."""


PLACES_OF_DEFAULT = 4
"""Characters for each damaged place, at least, by which it goes before a charset that servers add by default:
a pasted line has nearly as many places as characters."""


def common_enough(count: CommonCount, reach: tuple[int, float] = COMMON) -> bool:
    """Return True where the characters are those of East Asian text; by IN_WORDS, words of another script
    than Latin."""
    least, share = reach
    return count.common >= least and count.common >= share * count.characters


def enough_letters(charset: Charset, detected: Detected, among_utf8: bool = False) -> str | None:
    """Return the reason for which the answer of the letters does not count; None where it does.

    Args:
        charset: the charset of the answer.
        detected: the answer.
        among_utf8: they stand among UTF-8, which it would misread.
    """
    if charset.name == "windows-1252":
        letters = ", ".join(detected.letters) or "none beyond a to z"
        return f"the letters ({letters}) fit {charset.name}, which is read by convention"
    if charset.name == "ISO-8859-15" or (charset.name == "macintosh" and not detected.counted):
        return None  # its signs were found (`48 €`, `don’t`); letters are those of windows-1252
    clearly = detected.less > CLEARLY_LESS and not among_utf8
    most = CLEARLY_INSIDE if clearly and (charset.page in LATIN or detected.named) else LETTERS_INSIDE
    if detected.counted and most * detected.outside <= detected.counted:
        return None
    outside = f"{detected.outside} of {counted(detected.counted, 'letter')}"
    return f"{charset.name} fits best, but {outside} would be foreign in {detected.language}"


def western_letters(detected: Detected | None) -> bool:
    """Return True where the letters fit windows-1252, and hardly one would be foreign in the language."""
    if detected is None or detected.detector != "letters" or detected.label != "windows-1252":
        return False
    return detected.counted > 0 and LETTERS_INSIDE * detected.outside <= detected.counted


UNDER_EAST_ASIAN = {"Latin": 16, "cjk": 16, "": 40}
"""Letters by which an East Asian label is refused: Latin ones, East Asian ones, those of another script. At
most one in ONE_OUTSIDE is not of the language. With fewer, half-width katakana and lists of rare characters
were Thai and Russian: one lead byte stands before each of their other bytes."""

LATIN_LETTERS = 3
"""Distinct Latin letters among them: a list of the characters that NEC and IBM added to Shift_JIS has two
lead bytes, `í` and `î` in windows-1252."""

ONE_OUTSIDE = 20
"""As LETTERS_INSIDE, but twice as strict: here a label is refused that decodes everything."""

RARE_CHARACTERS = 3
"""East Asian letters that the label decodes, a repeated one counted twice, of which less than one in FREQUENT
is a frequent one: one letter alone proves nothing. EUC-JP labelled Shift_JIS decodes to half-width katakana,
KOI8-R as GB2312 to common hanzi."""


UNDER_SINGLE_BYTE, DISPUTED = 12, 6
"""Letters of another script by which a single-byte label is refused where their language is named, and where
another label names another page that has no Latin letters."""


def letters_prevail(charset: Charset, detected: Detected, label: Charset, disputed: bool = False) -> bool:
    """Return True where letters of this charset are enough to doubt an East Asian label, or a single-byte one
    that is not western.

    Args:
        charset: the charset of the answer.
        detected: the answer.
        label: the charset of the label.
        disputed: another label names another page that has no Latin letters.
    """
    latin = charset.page in LATIN
    least = UNDER_EAST_ASIAN.get("Latin" if latin else charset.page, UNDER_EAST_ASIAN[""])
    if label.family == "single" and (detected.named or disputed):
        least = min(least, DISPUTED if disputed else UNDER_SINGLE_BYTE)
    if latin and len(detected.letters) < LATIN_LETTERS:
        return False
    otherwise = label.page in LATIN and detected.otherwise >= WORDS_READ_OTHERWISE
    most = CLEARLY_INSIDE if otherwise else ONE_OUTSIDE  # of names of other countries
    return detected.counted >= least and most * detected.outside <= detected.counted


IN_LATIN_WORDS = 3
"""Letters in words of a to z that refuse an East Asian label whatever it decodes them to. With fewer, no more
than half of its characters are common ones: one of these may stand behind a word."""
IN_LATIN_SHARE = 4
"""In GB18030 they are one in so many of its characters, at least: damage may be a letter in a word, and not
all bytes of true text stand side by side."""


MANY_IN_WORDS = 8
"""Letters in words of a to z that are evidence though all are the same one: `ë` of Albanian."""

LATIN_WORDS = {
    "named": ((1, 0, maxsize), (IN_LATIN_WORDS + 1, 0, CLEARLY_INSIDE)),
    "western": ((IN_LATIN_WORDS, 2, LETTERS_INSIDE), (MANY_IN_WORDS, 1, LETTERS_INSIDE)),
    "western names": ((IN_LATIN_WORDS + 1, 2, LETTERS_INSIDE),),
    "Latin": ((IN_LATIN_WORDS + 1, 2, ONE_OUTSIDE),),
    "mostly": ((MANY_IN_WORDS, 2, CLEARLY_INSIDE),),
}
"""Letters in words of a to z that refuse a single-byte label of another script, how many are distinct (not
`μmol`), and of how many one is outside, at most: of a language that the document names, of windows-1252, of
names in it, of other Latin pages; where most letters are in such words, and some of names (`Zoë`)."""


def latin_in_words(detected: Detected) -> bool:
    """Return True where letters in words of a to z refuse a single-byte label of another script. Of other
    pages than windows-1252 a third of the letters are known here, or four distinct ones of the page alone."""
    kind = "western names" if detected.language == "western names" else "western"
    kind = kind if detected.label == "windows-1252" else "Latin"
    rows = LATIN_WORDS[kind]
    if detected.named:
        rows += LATIN_WORDS["named"]
    if 2 * detected.in_words >= detected.counted:
        rows += LATIN_WORDS["mostly"]
    known = kind != "Latin" or detected.distinct > 3 or 3 * detected.in_words >= detected.counted
    return (by_name(detected.label).page in LATIN and known) and any(
        detected.in_words >= least
        and len(detected.letters) >= letters
        and inside * detected.outside <= detected.counted
        for least, letters, inside in rows
    )


FOREIGN_LETTERS = 8
"""By so many letters of a Latin alphabet a label that decodes everything is refused, where none of them is in
it as the label reads them, or windows-1252 under the label of another script. No honest text of
measure_plainly has them."""
FOREIGN_KINDS = 3
"""How many of them are distinct under the label of a Latin page."""


WORDS_READ_OTHERWISE = 5
"""Or in windows-1252, under the label of a central European page, so many distinct words with a letter or
quotation mark that the label reads otherwise (`perchč`, `mĺste`). Of 71,040 honest feeds in over 60 languages
two were read as windows-1252, both of place names."""
OF_MANY_LETTERS = ("western names", "Afrikaans", "Breton")
"""Whose letters are some of other languages (`ñ` and `ù` are `ń` and `ů` of Silesian): they refuse no label
of a Latin page."""


def foreign_to_label(detected: Detected, label: Charset) -> bool:
    """Return True where letters of a Latin alphabet are enough against a label that decodes everything; under
    that of a Latin page, names of other countries are not."""
    if label.page not in LATIN:
        return detected.foreign >= FOREIGN_LETTERS
    foreign = detected.foreign >= FOREIGN_LETTERS and detected.distinct >= FOREIGN_KINDS
    otherwise = detected.otherwise >= WORDS_READ_OTHERWISE
    return (foreign or otherwise) and detected.language not in OF_MANY_LETTERS


def latin_in_east_asian(in_words: int, count: CommonCount) -> bool:
    """Return True where letters in words of a to z refuse an East Asian label."""
    many = in_words >= IN_LATIN_WORDS and IN_LATIN_SHARE * in_words >= count.characters
    return many or 2 * count.common <= count.characters


MISREAD = {
    "": ((4, 2, 0), (8, 1, 0), (2, 1, 4)),
    "western": ((3, 2, 0), (6, 1, 0), (2, 1, 4)),
    "named": ((2, 1, 0),),
}
"""Letters of the language that the document names, which a single-byte label has not, by which it is refused,
how many of them are distinct, and how many letters stand beside them, which both read alike: where no other
label names their page, where one names windows-1252, which servers add by default, and where one names
another page. With 2 of one letter `mogoče` under a false `<language>fr` was windows-1252; with the first two
0 of 34,641 texts in 40 languages with titles of others, with the third 0 of 21,000 feeds."""


def misread_enough(detected: Detected, label: Charset, is_named: bool) -> bool:
    """Return True where the letters of the named language are those of another page than the label's, and
    hardly any is outside.

    Args:
        detected: the answer of the letters.
        label: the charset of the label.
        is_named: another label names their page.
    """
    rows = MISREAD["" if not is_named else "western" if detected.label == "windows-1252" else "named"]
    enough = detected.misread_under == label.name and any(
        detected.misread >= least
        and detected.misread_distinct >= distinct
        and (not beside or detected.counted - detected.misread >= beside)  # of more text than `counted`
        for least, distinct, beside in rows
    )
    return enough and ONE_OUTSIDE * detected.outside <= detected.counted


def frequent_prevail(count: CommonCount) -> bool:
    """Return True where the characters may be those of honest East Asian text."""
    return count.characters < RARE_CHARACTERS or FREQUENT * count.frequent >= count.characters


MOSTLY_FREQUENT = (5, 2, 8)
"""East Asian letters by which an East Asian label is refused, however short the text: so many, of which
one in two is a frequent one, and under the label not one in eight. With 4 of them 5 of 183,960 titles under
their own label were read otherwise (`呼叫堆疊` in GBK), with 5 none of these; of 19,735 Korean ones two
(`잘못된 응답`), and names of other countries (`阿鲁巴弗罗林`)."""
ALL_COMMON = 8
"""The least number where all are common characters under the label."""


def mostly_frequent(found: CommonCount, label: CommonCount) -> bool:
    """Return True where text of a few letters is clearly in another East Asian charset than its label's."""
    least, half, seldom = MOSTLY_FREQUENT
    if found.charset == "EUC-JP" and label.charset.startswith("GB"):  # kana are the same bytes
        return False
    if label.common == label.characters:
        least = ALL_COMMON
    frequent = found.characters >= least and half * found.frequent >= found.characters
    return frequent and seldom * label.frequent < label.characters


class Foreign(NamedTuple):
    """Bytes that are letters of a language, and none of it under the western label."""

    least: int
    distinct: int
    repeated: int
    """Letters that stood before. In an alphabet that is written out none did, in 12 letters of a text 3."""
    less: int = 0
    """How much less the text costs than in a western language, in tenths of a bit."""


_CENTRAL = Foreign(1, 1, 0, 280), Foreign(2, 1, 0, 120), Foreign(4, 2, 0, 95), Foreign(5, 2, 0, 65)
FOREIGN = {
    "Latin, named": (Foreign(2, 1, 0), Foreign(1, 1, 0, 160)),
    "named": (Foreign(4, 3, 0), Foreign(4, 2, 0, 400)),
    "": (Foreign(12, 7, 2), Foreign(12, 4, 2, 1000)),
    "IBM866": (Foreign(12, 7, 2), Foreign(4, 4, 0, 1000)),  # half of its letters are signs of windows-1252
    "Latin": (Foreign(3, 2, 0, 220), Foreign(10, 3, 4, 100)),
    "Latin, Hungarian": (*_CENTRAL, Foreign(2, 2, 0, 75)),
    "Latin, Polish": (Foreign(1, 1, 0, 100), Foreign(2, 1, 0, 50)),
    "Latin, Romanian": (Foreign(1, 1, 0, 100), Foreign(2, 1, 0, 50)),
    "Latin, central": _CENTRAL,
    "Latin, Estonian": (),  # Icelandic names have its `š` and `ž`
    "Latin, Estonian, named": (Foreign(1, 1, 0),),  # elsewhere than these names
    "Latin, Croatian": (*_CENTRAL, Foreign(2, 2, 0, 90), Foreign(3, 3, 0, 65)),
    "Latin, windows-1254": (Foreign(2, 2, 0, 95), Foreign(4, 2, 0, 80)),
    "Latin, windows-1257": (Foreign(3, 2, 0, 120), Foreign(4, 4, 0, 110), Foreign(6, 6, 0, 95)),
    "Latin, ISO-8859-13": (Foreign(4, 2, 0, 100),),
    "Latin, ISO-8859-3": (Foreign(3, 2, 0, 100),),
    "Latin, windows-1258": (Foreign(5, 3, 0, 400), Foreign(5, 4, 0, 200)),
}
"""What it takes that the letters go before a western label; one of the rows is enough: letters of a language
of Latin letters that the document names, of another script that it names, of one that it does not name, of
Latin letters, and of the languages and pages that are named. With 2 letters of a script that is named, `×÷±`
was Russian; with 12 of any, `àâçéèêëîïôûùüÿ` was, and `¤¤¤¤ £££€€€ ¯¯¯¯`. Of 1,800,000 western documents in
46 languages (810,000 texts of 790 sources) one is read otherwise, a Danish list of the world's regions; of
130,000 mixtures of two or three of them thirty, nearly all with Northern Sotho, or Irish and Estonian; of
195,000 with names of other countries 22. By one letter of the language that is named one of 17,100 western
feeds with a false name is read otherwise (`Indeks 5×8`)."""


CLEARLY_FOREIGN = 250
"""Tenths of a bit that text costs less than in a western language, at least, where one in LETTERS_INSIDE may
be outside, if FOREIGN_KINDS of its letters are distinct: `Jean-Côme` in Turkish. Of 120,000 mixtures of
titles in windows-1252, from documents in 47 languages, no more are read otherwise by it."""


def foreign_enough(charset: Charset, detected: Detected) -> bool:
    """Return True where the letters prove a language that no western charset writes. In Latin letters that
    nothing names hardly any is outside."""
    latin = charset.page in LATIN
    if charset.superset == "windows-1252" or enough_letters(charset, detected):
        return False
    clear = detected.less >= CLEARLY_FOREIGN and detected.distinct >= FOREIGN_KINDS
    clear = clear and charset.name.startswith(("windows-", "ISO-"))  # of Mac signs in words may be letters
    most = LETTERS_INSIDE if clear else ONE_OUTSIDE
    if latin and not detected.named and most * detected.outside > detected.counted:
        return False
    named = "named" if detected.named else ""
    both = f"{detected.language}, {named}"
    if latin:
        kinds = [f"Latin, {one}" for one in (both, named, detected.language, charset.name, charset.page)]
    else:
        kinds = [named or charset.name]
    kind = next(filter(FOREIGN.__contains__, kinds), "Latin" if latin else "")
    return any(
        detected.foreign >= one.least
        and detected.distinct >= one.distinct
        and detected.foreign - detected.distinct >= one.repeated
        and detected.less >= one.less
        for one in FOREIGN[kind]
    )


AMONG_UTF8 = {"named": Foreign(1, 1, 0), "central": Foreign(3, 1, 0), "": Foreign(6, 3, 0)}
"""What it takes that bytes among UTF-8 are Latin letters of another page than windows-1252: of a language
that the document names, or in which its UTF-8 is written; of a central page; and of any.
Nothing is decided by it but that a person should look, so less is enough than under a western label."""


def foreign_among_utf8(detected: Detected) -> bool:
    """Return True where the letters of bytes among UTF-8 are hardly those of windows-1252."""
    if not detected.foreign:  # as in the answer of a caller's detector, whose label may be any word
        return False
    charset = by_name(detected.label)
    if charset.page not in LATIN or charset.superset == "windows-1252":
        return foreign_enough(charset, detected)
    least = AMONG_UTF8.get("named" if detected.named else charset.page, AMONG_UTF8[""])
    enough = detected.foreign >= least.least and detected.distinct >= least.distinct
    return enough and not enough_letters(charset, detected)


def letters_of(detected: Detected) -> str:
    """Return what the letters show, as a reason."""
    if detected.label == "macintosh" and not detected.counted:
        return "quotation marks and apostrophes are where macintosh has them"
    letters = f": {', '.join(detected.letters)}" if detected.letters else ""  # rare hanzi are not listed
    named = f"; {detected.named}" if detected.named else ""
    return f"the letters are {detected.language}{letters}{named}"


def page_kind(charset: Charset) -> str:
    """Return the kind of page that THRESHOLDS names."""
    return "cjk" if charset.family == "CJK" else PAGE_KINDS.get(charset.name, charset.page)


def utf8_threshold(charset: Charset, count: SequenceCount, *, undamaged: bool = False) -> Threshold | None:
    """Return the first row that holds, or None; `undamaged`: of UNDAMAGED, too."""
    rows = (*THRESHOLDS, *UNDAMAGED) if undamaged else THRESHOLDS
    return next((row for row in _rows(charset, rows) if _holds(row, count)), None)


def enough_where_named(charset: Charset, count: SequenceCount) -> bool:
    """Return True where a row holds if another label names UTF-8."""
    return any(_holds(row, count) for row in _rows(charset, WHERE_NAMED))


def utf8_is_certain(charset: Charset, count: SequenceCount) -> bool:
    """Return True where a row holds that higher counts cannot undo: one without a share."""
    return any(_holds(row, count) for row in _rows(charset, THRESHOLDS) if not row.share)


def _rows(charset: Charset, rows: Iterable[Threshold]) -> Iterator[Threshold]:
    kind = page_kind(charset)
    return (row for row in rows if kind in row.pages or charset.name in row.pages)


def _holds(row: Threshold, count: SequenceCount) -> bool:
    for name, least in row.reach.items():
        if getattr(count, name) < least:
            return False
    return not row.share or getattr(count, next(iter(row.reach))) > row.share * count.sequences


def tolerable_damage(charset: Charset, damage: Damage) -> bool:
    """Return True where the window is in this charset, with no more damage than TOLERANCE
    allows."""
    least, per_place = TOLERANCE[charset.family]
    if damage.places == 0:
        return True
    characters = damage.characters or 0
    allowed = max(CUT_IN_TWO, 1 + (characters - 1) // per_place)
    return characters >= least and damage.places <= allowed


def tolerable_utf8(count: Utf8Count) -> bool:
    """Return True where the window is UTF-8, with no more damage than TOLERANCE allows. Cut characters alone
    prove nothing, unless they are marks: `Päť ` in windows-1250 is one, `Hello…` in macintosh another."""
    damaged = count.damaged - count.cut
    sequences = (count.sequences or 0) + count.marks
    if damaged == 0:
        return sequences > 0 or count.cut == 0
    least, per_place = TOLERANCE["UTF-8"]
    enough = least if damaged <= CUT_IN_TWO else per_place * damaged
    return sequences >= max(least, enough) and count.sequence_bytes > _damaged_bytes(count)


DAMAGED_WORDS = 2
"""Bytes of a damaged run, on an average, above which the runs are words of another charset, not letters."""


def are_words(count: Utf8Count) -> bool:
    """Return True where what is not UTF-8 are words of another charset."""
    return count.damaged > CUT_IN_TWO and count.damaged_bytes > DAMAGED_WORDS * count.damaged


def mostly_words(count: Utf8Count) -> bool:
    """Return True where what is not UTF-8 are words of a single-byte page, with as many letters as are in
    UTF-8, or more: some titles in UTF-8 stand among others that their label names."""
    return are_words(count) and count.damaged_bytes >= (count.sequences or 0)


def varied_enough(charset: Charset, utf8: Utf8Count, count: SequenceCount) -> bool:
    """Return True where damaged UTF-8 outweighs an East Asian label by sequences that are not only repeated:
    two bytes of one of its characters, and of the next, are a sequence each time, and what is left of them
    may look like a cut character. In a word of Latin letters no such character stands (`mañana`)."""
    if charset.family != "CJK" or not utf8.damaged:
        return True
    within_words = count.within_word >= TOLERANCE["UTF-8"].least * utf8.damaged
    return within_words or (count.distinct > 1 and tolerable_utf8(utf8._replace(sequences=count.varied)))


def hopeless_utf8(count: Utf8Count) -> bool:
    """Return True where the window is no UTF-8 at all: more damage than sequences."""
    return count.damaged - count.cut > (count.sequences or 0) or _damaged_bytes(count) > count.sequence_bytes


def more_than_lost_bytes(count: Utf8Count, distinct: int) -> bool:
    """Return True where damage beside few UTF-8 sequences, or few distinct ones, is more than characters that
    lost a byte each: in each run one byte less, at most, than a sequence has."""
    sequences = count.sequences or 0
    few = 0 < min(sequences, distinct or sequences) < TOLERANCE["UTF-8"].least
    return few and sequences * count.damaged_bytes > (count.sequence_bytes - sequences) * count.damaged


CHEAPER_AS_DECLARED = 10
"""Tenths of a bit that text costs less, at least, in a declared page than in that of the Content-Type, which
otherwise goes before it."""

WESTERN_LESS = 60
"""Likewise in windows-1252, ISO-8859-1 or -15, which templates declare, than in a page of central Europe."""

CHEAPER = 140
"""Tenths of a bit that text costs less, at least, in the sibling that goes before the page of its label; 0
where it has bytes that the page lacks. With 0 a stray byte in a word was six times as often a letter of the
Windows page; with 200 Slovak `veľkosť` was ISO-8859-2."""

CHANCE_SEQUENCES, CHANCE_CHARACTERS = 32, 8
"""UTF-8 sequences up to which chance makes them of bytes of other charsets, those of a few titles; and of how
many characters more of them are, where each item repeats a word."""

OF_ONE_SCRIPT = 3
"""Distinct characters of UTF-8, all of one script, which are no chance though another charset decodes all."""

ONE_SCRIPT = 0.6
"""The share of their letters that must be of one script, if the bytes are UTF-8 that lost some. Of short
titles in Thai, EUC-JP and GBK whose bytes are sequences by chance, 9 in 10 stay below; of true ones none."""


def one_script(count: ScriptCount) -> bool:
    """Return True where the sequences are text of one script, or hold no letter."""
    return count.one_script >= ONE_SCRIPT * count.letters


def _damaged_bytes(count: Utf8Count) -> int:
    """Return the damaged bytes without those of cut characters, which have at most 3 each."""
    return count.damaged_bytes - 3 * count.cut


def tolerable_controls(damage: Damage) -> bool:
    """Return True where C1 controls are as few, among the characters, as tolerated damage."""
    least, per_place = TOLERANCE["single"]
    characters, controls = damage.characters or 0, damage.controls or 0
    allowed = 1 + (characters - 1) // per_place
    return controls == 0 or (characters >= least and controls <= allowed)
