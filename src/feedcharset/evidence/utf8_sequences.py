"""UTF-8 sequences in a document whose label names a legacy charset: described, counted and found.

Honest legacy words are well-formed UTF-8 now and then: `CAFÉ…`, `MENÜ”`, `Spaß…` in windows-1252, `PODRÓŻE`
in ISO-8859-2, `сад` in IBM866, one hanzi in nine in GBK. So a document under a legacy label is not UTF-8
merely because it decodes as UTF-8. The kinds of sequences that distinguish UTF-8 from such accidents are
described here (`describe`) and counted (`count_sequences`); decide/thresholds.py says how many are enough.
`first_proof` finds the first sequence that proves UTF-8 in a document that is read by a page.

- *in page*: the sequence, read as UTF-8, is a character of the label's own page (`Ã©` is `é`); for CJK, one
  that is common in a national standard.
- *honest-looking*: in the label's page the bytes look like a part of an honest word. A letter (a capital
  after a capital, or a lower-case letter), then only marks that may close a word, then no letter (`MENÜ”`);
  the end of a name (`Tomáš…`); capitals among capitals where UTF-8 has a lower-case letter (`PÄŤDESIAT`). Not
  `Â` and a sign: hardly any word ends like that, and `N°`, `LEGO®` and no-break spaces are everywhere in
  UTF-8.
- *alone*: a sign or a Latin letter where the page has no honest word, though it is of another region (`21
  В°C` in windows-1251, `脿 la carte` in GBK).
- *of one script*: text is written in one script; accidents give characters of many.
"""

from __future__ import annotations

import re
from codecs import utf_8_decode
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping
from functools import lru_cache
from itertools import compress, islice, repeat
from typing import Any, NamedTuple

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.evidence.damaged_utf8 import CLOSING_MARKS, by_chance, has_sequence, join_pairs
from feedcharset.evidence.detector import IN_A_ROW
from feedcharset.evidence.scripts import REPEATED, SIGN, common_in, script_of
from feedcharset.results.facts import SequenceCount

_JOINING_MARKS = frozenset("…’–—\u00a0")

UTF8_WORDS = lazy_pattern(
    # It begins with a class of bytes, for which `re` searches quickly.
    rb"[\xc2-\xf4](?:(?<=[\xc2-\xdf])[\x80-\xbf](?:[\xc2-\xdf][\x80-\xbf])++"
    rb"|(?<=[\xe0-\xef])[\x80-\xbf]{2}|(?<=[\xf0-\xf4])[\x80-\xbf]{3})"
)
"""UTF-8 that no word of an ISO page or its sibling holds: `’`, an emoji, two letters of another script."""

_SURE = lazy_pattern("[\u2000-\u203f€™\ufffd\U0001d400-\U0001d7ff\U0001f000-\U0001ffff]")
"""General punctuation but for its last rows (`РЂ` in IBM855 begins them), and from F0 only emoji and the
letters of mathematics: `Ёлка` in IBM866 is one sequence, too."""
_SYMBOLS = frozenset(map(chr, range(0x2600, 0x27C0)))
"""`⚽`, `❤`: sure where the lead is a letter (`вљЅ`), not an opening mark (`‚účet‘` in x-mac-ce)."""

_LOWER = frozenset(b"abcdefghijklmnopqrstuvwxyz")
_UPPER = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LETTERS = _UPPER | _LOWER
_DIGITS = frozenset(b"0123456789")
_SOFT_HYPHEN = 0xAD
_SPACE = 0x20
_A_GRAVE = b"\xc3\xa0"
"""`Là math`: in western pages a no-break space before a space, which no honest text has."""
_LETTER_S = 0x73
_LATIN_1_SIGNS = frozenset("£§©«°±²³µ·»¼½¾")
"""Signs before which a page of Latin letters has `Â` or `Ā`, with which no word ends that is one letter."""
_CLOSING_NOTHING = frozenset(map(str.encode, "ÑÒÓÙÛ"))
"""`PIÙ`, `MURIÓ`: in western pages `Ã` and an opening mark, `’`, `›` or `™`. Words in capitals end with `Ã`
in Portuguese alone; what opens a quotation there is no UTF-8."""
_PREPOSITION = "PÅ ".encode()
"""The most frequent word of Danish and Norwegian that ends so: of its letter, `Ã…` is an honest closing."""


_OPENING_OR_DASH = "‘“–—™".encode("cp1252")


class PageBytes(NamedTuple):
    """The single bytes of one charset by kind; of CJK, the ASCII letters."""

    characters: frozenset[str]
    """All characters beyond ASCII of the charset (empty for CJK, which has another test)."""
    letters: frozenset[int]
    capitals: frozenset[int]
    lower: frozenset[int]
    closing: frozenset[int]
    apostrophes: frozenset[int]
    joining: frozenset[int]
    """Marks after which the next word may follow without a space."""
    opening: frozenset[int]
    """Marks before a word; in pages of Mac they are leads."""
    rare: frozenset[bytes] = frozenset()
    """Of CJK: the two-byte sequences that are a character of the charset which is common in no standard."""


@lru_cache(maxsize=256)  # one entry for each charset of the closed table, which has fewer
def page_of(charset: Charset) -> PageBytes:
    """Return the bytes and characters of a charset, as lenient reading decodes it."""
    if charset.family == "CJK":
        pairs = [bytes((lead, trail)) for lead in range(0xC2, 0xC6) for trail in range(0x80, 0xC0)]
        texts = ((pair, charset_decoder(charset, lenient=True).decode(pair, True)) for pair in pairs)
        single = ((pair, text) for pair, text in texts if len(text) == 1 and text.isalpha())
        rare, none = frozenset(pair for pair, text in single if not common_in(text)), frozenset[Any]()
        return PageBytes(none, _LETTERS, _UPPER, _LOWER, none, none, none, none, rare)
    read = [charset_decoder(charset, lenient=True).decode(bytes([byte]), True) for byte in range(256)]
    return PageBytes(
        frozenset(char for char in read if not char.isascii() and not "\udc80" <= char <= "\udcff"),
        frozenset(byte for byte, char in enumerate(read) if char.isalpha()),
        frozenset(byte for byte, char in enumerate(read) if char.isupper()),
        frozenset(byte for byte, char in enumerate(read) if char.islower()),
        frozenset(byte for byte, char in enumerate(read) if char in CLOSING_MARKS),
        frozenset(byte for byte, char in enumerate(read) if char == "’"),
        frozenset(byte for byte, char in enumerate(read) if char in _JOINING_MARKS),
        frozenset(byte for byte, char in enumerate(read) if char in "«“‘"),
    )


class Sequence(NamedTuple):
    """One sequence between its neighbours."""

    data: bytes
    script: str
    """The script of its character, `SIGN`, or "" where documents hardly ever hold it."""
    honest: bool
    in_page: bool
    """In page, and not honest-looking. Of CJK: common in some standard."""
    distinctive: bool
    """In page, or three bytes of a script in use, and not honest-looking."""
    sure: bool
    after_lower: bool
    """Two bytes, a Latin letter or a sign, straight after a lower-case ASCII letter."""
    after_letter: bool
    """A Latin letter straight after an ASCII letter."""
    within_word: bool
    """A Latin letter between two ASCII letters, and no `Ç–`."""
    pasted: bool
    """It proves UTF-8 even among bytes that are not UTF-8."""
    combining: bool
    """A combining mark after an ASCII letter: decomposed text."""
    opens_word: bool
    """A Latin letter that opens a word."""
    after_capital: bool
    """A Latin letter of two bytes between an ASCII capital and a lower-case ASCII letter."""
    prices: bool
    """Under a CJK label: a pound or yen sign before a digit, and not after a letter."""
    alone: bool
    """A sign or a Latin letter, where the page has no honest word."""
    standards: tuple[str, ...]
    """The East Asian standards in which its character is common."""
    block: int
    """The number of its character's block of 128 code points."""


def describe(data: bytes, before: int, after: int, page: PageBytes) -> Sequence:
    """Classify a sequence between two bytes, under the label of a page."""
    character = character_of(data)
    script = script_of(character)
    closes = _closes_a_word(data, before, after, page)
    place = b"%c%b%c" % (before, data, after)
    honest = (
        (
            closes
            and data[0] != 0xC2
            and not (data == _A_GRAVE and after == _SPACE)
            and not ("Ã" in page.characters and (data in _CLOSING_NOTHING or place == _PREPOSITION))
        )
        or _is_name(data, before, after, page)
        or (data[0] in page.opening and before not in page.letters and data[1] in page.letters)  # `«ça`
        or (data[0] in page.apostrophes and before in page.letters and data[1] in page.letters)  # `l’été`
        or _is_among_capitals(data, character, before, after, page)
    )
    standards = () if page.characters else tuple(common_in(character))
    in_page = (character in page.characters and script != "") or len(standards) > 0
    latin = (script == "latin" or _is_of_a_word(character, before, after)) and not honest
    fits = len(page.characters) > 0 or _fits_neighbours(character, script, before, after)
    return Sequence(
        data,
        script,
        honest,
        in_page and not honest,
        (in_page or (len(data) == 3 and script != "")) and not honest,
        not honest
        and (_SURE.match(character) is not None or (character in _SYMBOLS and data[0] in page.letters)),
        fits and before in _LOWER and len(data) == 2 and (latin or (script == SIGN and not honest)),
        fits and latin and before in _LETTERS,
        fits and latin and before in _LETTERS and after in _LETTERS and data[-1] not in page.joining,
        _is_pasted(data, before, in_page and not honest and not closes)
        and not _is_example(character, before, after, page),
        not honest and _is_combining(data, character, before, after, page),
        latin and _is_first_letter(data, character, before, after, page),
        latin
        and len(data) == 2
        and before in _UPPER
        and after in _LOWER
        and not page.joining.issuperset(data[1:]),
        not page.characters and character in "£¥" and after in _DIGITS and before not in _LETTERS,
        (latin or script == SIGN) and not honest and _is_alone(data, before, after, page),
        standards,
        ord(character) >> 7,
    )


def _is_of_a_word(character: str, before: int, after: int) -> bool:
    """Hooked letters and modifiers before a letter (`ɗan`, `Oʻzbekiston`): other neighbours are honest."""
    if after not in _LOWER or not character.isalpha():
        return False
    return "\u0250" <= character <= "\u02af" or ("\u02b0" <= character <= "\u02ff" and before in _LETTERS)


def _fits_neighbours(character: str, script: str, before: int, after: int) -> bool:
    """Not `phpĿ`, `AĵB` and `html½Ķ`, which are East Asian words beside ASCII letters."""
    if character.isupper():
        return before not in _LOWER
    if character.islower():
        return before in _LOWER or after not in _UPPER
    return script != SIGN or (after < 0x80 and after not in _LETTERS)


def character_of(data: bytes) -> str:
    """Return the character of a sequence, or of a surrogate pair (CESU-8)."""
    return join_pairs(data) if data[0] == 0xED else data.decode("utf-8")


def _is_pasted(data: bytes, before: int, unlike_honest: bool) -> bool:
    if len(data) > 3:
        return data[0] in (0xED, 0xF0)
    return unlike_honest or (before in _LOWER and len(data) == 2 and data[0] != 0xDF)


def _is_example(character: str, before: int, after: int, page: PageBytes) -> bool:
    """`Ã©` and `â€™` by themselves, but not alone in an element: a text about encodings quotes them."""
    if before in page.letters or after in page.letters or before in _DIGITS:
        return False
    if bytes((before, after)) == b"><":
        return False
    return character in "‘’“”" or (script_of(character) == "latin" and character < "\u0100")


def _is_combining(data: bytes, character: str, before: int, after: int, page: PageBytes) -> bool:
    """Not `NÍŽE` and `TĚ’s` in windows-1250. Of East Asian pages A1-FE are the bytes of any word (`T台`)."""
    if not "\u0300" <= character <= "\u036f" or _is_genitive(data, after, page):
        return False
    if not page.characters:
        return data[1] < 0xA1 and before in _LOWER and after < 0x80
    if "\u0300" in page.characters and data[1] in page.closing:  # `Ky\u0300\xa02`
        return False
    return before in _LOWER or (
        before in _UPPER and after in _LOWER and not page.closing.issuperset(data[1:])
    )


def _is_first_letter(data: bytes, character: str, before: int, after: int, page: PageBytes) -> bool:
    """Not `Ä’s` in windows-1250, `Ç’keni` and `Ăştia`."""
    if len(data) != 2 or _is_genitive(data, after, page):
        return False
    if not character.isupper() and (data[1] in page.lower or data[1] in page.joining):
        return False
    return before not in page.letters and after in _LOWER


def _is_genitive(data: bytes, after: int, page: PageBytes) -> bool:
    return data[-1] in page.apostrophes and after == _LETTER_S


def _is_alone(data: bytes, before: int, after: int, page: PageBytes) -> bool:
    """No honest word of the page holds these bytes between these neighbours."""
    if not page.characters:
        return data in page.rare and before < 0x80 and after < 0x80
    of_latin_page = "ß" in page.characters or "Ä" in page.characters
    if before not in page.letters and (
        (of_latin_page and character_of(data) in _LATIN_1_SIGNS) or _is_of_a_number(data, before, after, page)
    ):
        return True
    if page.letters.issuperset(data):  # of a word in two scripts (`ХІV` is Ukrainian), or of an honest one
        return not of_latin_page and (before in _LOWER or after in _LOWER)
    if page.closing.issuperset(data[1:]):  # `Ç’keni` is Albanian
        return data == b"\xc2\xb0" and after in _LETTERS
    return _SOFT_HYPHEN not in data


def _is_of_a_number(data: bytes, before: int, after: int, page: PageBytes) -> bool:
    """`£2`, `© 2005`, `20 °C`, `20°`, `3×4`, `±5`: not `2003ТА` in ISO-8859-5, two letters after a digit."""
    character = character_of(data)
    if character in "£©":
        return after in _DIGITS or (character == "©" and after == _SPACE)
    if character == "°" and after in b"CF":
        return True
    near = before if character in "°½×" else after if character == "±" else 0
    return near in _DIGITS and not page.letters.issuperset(data)


def _closes_a_word(data: bytes, before: int, after: int, page: PageBytes) -> bool:
    """`MENÜ”`, `Spaß…`: the lead is a word's last letter, all others are marks after it. A word of one letter
    ends in no dash, no opening mark and no `™` with another mark behind it: `â™ª` is `♪`."""
    lead = data[0]
    if len(data) == 3 and before not in page.letters and data[1] in _OPENING_OR_DASH:
        return False
    apart = data[1:2] == b"\xa0" and 0xA0 in page.joining and before in page.letters  # `Café • Bar`
    return (
        (lead in page.lower or (lead in page.letters and (lead > 0xDE or before in page.capitals)))
        and after not in page.letters
        and (page.letters.isdisjoint(data[2:]) if apart else page.closing.issuperset(data[1:]))
    )


def _is_name(data: bytes, before: int, after: int, page: PageBytes) -> bool:
    """`Tomáš…`, `MÁJUSÉÉ…`: two letters of one case, the last of a word, then a mark (or `Tomáš’s`)."""
    if len(data) != 3 or before not in page.letters or data[2] not in page.closing:
        return False
    case = page.lower if data[0] in page.lower else page.capitals
    ends = after not in page.letters or data[2] in page.apostrophes
    return data[0] in case and data[1] in case and ends


def _is_among_capitals(data: bytes, character: str, before: int, after: int, page: PageBytes) -> bool:
    """`PÄŤDESIAT`: capitals among capitals; `PčDESIAT` would be odd UTF-8. `PÅ NETTET`, not broken."""
    if data[1:] == b"\xa0" and page.closing.issuperset(data[1:]):
        return page.capitals.issuperset((before, data[0], after))
    return (
        character.islower()
        and page.capitals.issuperset(data)
        and (before in page.capitals or after in page.capitals)
        and before not in page.lower
        and after not in page.lower
    )


SEQUENCE = lazy_pattern(
    # Unicode table 3-7, well-formed sequences of two bytes and more; and surrogate pairs (CESU-8).
    rb"[\xc2-\xdf][\x80-\xbf]"
    rb"|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)

ENOUGH = 2000
"""Sequences after which counting ends: more of them did not change a decision, and a document that repeats
one of them a million times takes no longer than this."""

FEW_SEQUENCES = (16, 128, ENOUGH)
"""Sequences after which counting looks whether it may end. UTF-8 under a stale label is proven by the first
16 as a rule; counting 2,000 takes 2 to 10 ms, 16 of them 30 µs."""

FIRST_CLASSED = 1024
"""Bytes that are classed at once at first: most documents are decided by them. Then four times as many, and
so on, up to MOST_CLASSED."""

MOST_CLASSED = 64 * 1024
"""Bytes that are classed at once at most: their classes are as large as they are."""

DESCRIBED = 4096
"""Sequences in their surroundings whose classes are kept: it takes 6 µs to find them, and 0.2 to look them
up. A language has some hundreds."""

_BEHIND_THE_END = b"\n"
"""Stands for the byte behind the last one: no letter, digit or sign."""
_LEAD_AND_CONTINUATION = bytes(
    0x20 if byte < 0x80 else 0x43 if byte < 0xC0 else 0x4C if 0xC2 <= byte < 0xF5 else 0x2E
    for byte in range(0x100)
)
"""L for the leads of sequences, C for the bytes that continue one, spaces for ASCII."""


_LONE_WORDS = frozenset(
    b"%c%b%c" % (before, letter.encode(), after)
    for letter in "àáâåæèéêíòóôøÀÁÈÉÍ"
    for before in b" \t\r\n>('-"
    for after in b" \t\r\n<).,;:!?-"
)
"""Letters that are a word of Italian, French, Portuguese, Galician, Irish, Icelandic, Norwegian, Welsh or
Spanish, between ASCII neighbours. Western pages have `Ã` and a sign there, which is no word. Not those whose
sign may close or follow a word (`Ã…`, `Ã”`, `Ã»`)."""

AROUND_A_WORD = 64
"""Bytes on either side of a lone word, as far as no markup is between, that are UTF-8 where it is: texts
about encodings, which quote `Ã©`, name the letter beside it."""

_ANGLE_BRACKET = lazy_pattern(b"[<>]")


def _lone_words(charset: Charset) -> Container[bytes]:
    return _LONE_WORDS if "Ã" in page_of(charset).characters else ()


def _is_lone_word(data: bytes, start: int, end: int, before: bytes = b"") -> bool:
    """Return True where the text around a letter that is one of _LONE_WORDS is UTF-8, as it is."""
    left = (before + data[max(start - AROUND_A_WORD, 0) : start])[-AROUND_A_WORD:]
    text = (
        _ANGLE_BRACKET.split(left)[-1]
        + data[start:end]
        + _ANGLE_BRACKET.split(data[end : end + AROUND_A_WORD])[0]
    )
    return len(text.decode("utf-8", "ignore").encode()) == len(text)


def find_sequences(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of each sequence.

    A lead before a byte 80-BF is found first, in bytes of three classes: 3 ns a byte, where the expression
    takes 15 in text that is full of leads.
    """
    part, size, match = 0, FIRST_CLASSED, SEQUENCE.match
    while part < len(data):
        find = data[part : part + size + 1].translate(_LEAD_AND_CONTINUATION).find
        at = find(b"LC")
        while at >= 0:
            start = part + at
            if data[start] < 0xE0:  # a lead of two bytes
                yield start, start + 2
            elif found := match(data, start):
                yield found.span()
            at = find(b"LC", at + 2)
        part, size = part + size, min(4 * size, MOST_CLASSED)


def count_sequences(
    data: bytes,
    charset: Charset,
    decides: Callable[[SequenceCount], bool] | None = None,
    *,
    least: int = 0,
    before: bytes = b"",
) -> SequenceCount:
    """Count the sequences of `data` under the label of `charset`, at most ENOUGH of them.

    Args:
        data: the window.
        charset: what the label names.
        decides: returns True where counting may end, because higher counts would decide alike.
        least: so many are counted before `decides` is called.
        before: the byte before the window; none where it begins the document.
    """
    places: defaultdict[bytes, int] = defaultdict(int)
    found = find_sequences(data)
    words = _lone_words(charset)
    lone = 0
    counted = most = row = longest = 0
    last_end = -1
    while counted == most:
        most = next(step for step in FEW_SEQUENCES if step > counted)
        for start, end in islice(found, most - counted):
            row = row + 1 if start == last_end else 1
            if row > longest:
                longest = row
            last_end = end
            place = data[start - 1 : end + 1]
            if len(place) < end - start + 2:
                place = _at_an_end(data, start, end, before or b" ")
            places[place] += 1
            counted += 1
            if place in words and _is_lone_word(data, start, end):
                lone += 1
        if counted == most > min(least, ENOUGH - 1):
            count = _numbers(charset, places, longest, lone, more=True)
            if most >= ENOUGH or (decides is not None and decides(count)):
                return count
    return _numbers(charset, places, longest, lone)


def _at_an_end(data: bytes, start: int, end: int, before: bytes) -> bytes:
    """Return a sequence between its neighbours, of which one at least is not in `data`."""
    return b"%b%b%b" % (
        data[start - 1 : start] or before,
        data[start:end],
        data[end : end + 1] or _BEHIND_THE_END,
    )


@lru_cache(maxsize=DESCRIBED)
def _described(place: bytes, charset: Charset) -> Sequence:
    """What a sequence is between its neighbours: text repeats a few hundred of them."""
    return describe(place[1:-1], place[0], place[-1], page_of(charset))


class Proof(NamedTuple):
    """Where UTF-8 begins in bytes that are read by a page."""

    found: bool
    certain: int
    """Bytes at the beginning that are the page's: all before the sequences near the first proof; without a
    proof, all but what may still stand near one, or be one."""


def first_proof(data: bytes, before: bytes, charset: Charset, *, near: int, final: bool) -> Proof:
    """Find the first sequence that proves UTF-8 among bytes of a page, and the sequences near it.

    Args:
        data: the bytes.
        before: bytes before them, AROUND_A_WORD of them or all.
        charset: the charset of the page.
        near: bytes before a proof in which other sequences are UTF-8, too.
        final: nothing follows `data`.
    """
    if data.isascii():
        return Proof(False, len(data))
    # The last bytes may begin a proof; a surrogate pair has six bytes, all other sequences at most four.
    last = max(0, len(data) - (5 if 0xED in data[-5:] else 3))
    if not has_sequence(data):  # as in most text of a page
        return Proof(False, len(data) if final else last)
    words = _lone_words(charset)
    weak: list[int] = []
    row: list[int] = []
    last_end = -1
    for start, end in find_sequences(data):
        row = [*row, start] if start == last_end else [start]
        last_end = end
        if end == len(data) and not final:
            break
        place = data[start - 1 : end + 1]
        if len(place) < end - start + 2:
            place = _at_an_end(data, start, end, before[-1:])
        alone = place in words
        if alone and not final and end + AROUND_A_WORD > len(data):
            last = min(last, start)
            break
        if (
            len(row) >= IN_A_ROW
            or _described(place, charset).pasted
            or (alone and _is_lone_word(data, start, end, before))
        ):
            begin = row[0] if len(row) >= IN_A_ROW else start
            return Proof(True, next((at for at in weak if at >= begin - near), begin))
        weak.append(start)
    if final:
        return Proof(False, len(data))
    # The earliest proof that may still come begins with the sequences at the end, or within the last bytes;
    # or it is a word whose surroundings are still to come.
    proof = row[0] if last_end >= last else last
    return Proof(False, next((at for at in weak if at >= proof - near), proof))


_COUNTED = Sequence._fields[3:-2]
"""What is true of a sequence or not, and is counted."""


def _numbers(
    charset: Charset, places: Mapping[bytes, int], row: int, lone: int, *, more: bool = False
) -> SequenceCount:
    """Return the counts of sequences, each of which stands between its neighbours, with their occurrences;
    `lone` of them are words and prove UTF-8."""
    found = list(map(_described, places, repeat(charset)))
    columns: list[tuple[Any, ...]] = list(zip(*found, strict=True)) or [()] * len(Sequence._fields)
    data, script, honest, *counted, _, block = columns
    odd = {(one, of) for one, of, is_honest in zip(data, script, honest, strict=True) if not is_honest}
    scripts = [of for _, of in odd if of not in (SIGN, "")]
    blocks = list(dict(zip(data, block, strict=True)).values())
    known = set(blocks) - {3, 4}  # Latin extended B, unwritten: kana and Cyrillic in Big5
    times = list(places.values())
    occurrences = dict(zip(_COUNTED, [sum(compress(times, one)) for one in counted], strict=True))
    if charset.family == "CJK":
        occurrences["in_page"] = _in_one_standard(found, times)
    occurrences["pasted"] += lone
    return SequenceCount(
        charset.name,
        sequences=sum(times),
        distinct=len(blocks),
        in_use=sum(compress(times, script)),
        one_script=max(map(scripts.count, set(scripts)), default=0),
        one_block=max(map(blocks.count, known), default=0),
        private_use=0,
        in_a_row=row,
        more=more,
        varied=sum(map(min, times, repeat(REPEATED))),
        **occurrences,
    )


def _in_one_standard(found: list[Sequence], times: list[int]) -> int:
    """Return the sequences that are common in one East Asian standard; the largest number."""
    standards: defaultdict[str, int] = defaultdict(int)
    for one, number in zip(found, times, strict=True):
        for standard in one.standards:
            standards[standard] += number
    return max(standards.values(), default=0)


_UTF8_RUN = lazy_pattern(
    # It begins with a class of bytes, for which `re` searches quickly.
    rb"[\xc2-\xf4](?<![\x80-\xff][\xc2-\xf4])"
    rb"(?:(?<=[\xc2-\xdf])[\x80-\xbf]|(?<=[\xe0-\xef])[\x80-\xbf]{2}|(?<=[\xf0-\xf4])[\x80-\xbf]{3})"
    rb"(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})*+(?![\x80-\xff])"
)
"""A whole run of non-ASCII bytes that may be UTF-8."""
_ASCII_AS_SPACES = b" " * 0x80 + bytes(range(0x80, 0x100))
"""A table that translates ASCII into spaces."""
_WHOLE_RUN = lazy_pattern(rb" LC(?:L?C)*+(?= )")
"""What each of these runs is in `_LEAD_AND_CONTINUATION`."""
FEW_RUNS = 8
"""Such runs, of which fewer are taken alone: most text of another charset has none. To divide it into all of
its runs takes five times as long."""


Utf8Runs = frozenset[tuple[int, str, int]]
"""Runs of non-ASCII bytes that are UTF-8, between their neighbours."""


def utf8_words(runs: Utf8Runs) -> int:
    """Count the distinct runs that are no words of windows-1252: `è` between spaces, `ức`, `東京`. In text of
    another script runs are words, and hardly one of them is well-formed."""
    return sum(_is_utf8_word(run, before, after) for before, run, after in runs)


def utf8_runs(data: bytes) -> Utf8Runs:
    """Return the distinct runs of non-ASCII bytes that are UTF-8.

    All of them are decoded at once, without what is not UTF-8; those that then are as they were are UTF-8.
    """
    bounded = b"%b\n" % data
    found = islice(_WHOLE_RUN.finditer(bounded.translate(_LEAD_AND_CONTINUATION)), FEW_RUNS)
    runs = [bounded[one.start() + 1 : one.end()] for one in found]
    if len(runs) == FEW_RUNS:
        runs = data.translate(_ASCII_AS_SPACES).split()
    distinct = set(runs)
    utf8 = distinct.intersection(utf_8_decode(b" ".join(distinct), "ignore", True)[0].encode().split())
    if not utf8:
        return frozenset()
    first, *rest = bounded.split(b" ")
    words = b" ".join([first, *set(rest[:-1]), *rest[-1:]])  # what is between spaces counts once
    return frozenset(
        (words[found.start() - 1], found[0].decode(), words[found.end()])
        for found in _UTF8_RUN.finditer(words)
        if found.start() and found[0] in utf8
    )


def without_pasted_words(data: bytes, known: Utf8Runs | None = None) -> bytes:
    """Return text with a space for each run that is UTF-8 and marks, Latin letters that are no word of
    windows-1252, or letters of a script of which there are words of two letters and more: pasted ones are no
    evidence of the charset of all other bytes.

    Args:
        data: the text.
        known: what `utf8_runs` returned for it, if it was called.
    """
    found = utf8_runs(data) if known is None else known
    runs = {one: {*map(script_of, one[1])} - {SIGN} for one in found}
    words = [
        (before, run, after)
        for before, run, after in runs
        if _is_utf8_word(run, before, after) and (len(run) > 1 or runs[before, run, after] <= {"latin"})
    ]
    if not words:
        return data
    others = set().union(*map(runs.__getitem__, words)) - {"latin"}
    words += (one for one, scripts in runs.items() if scripts <= others)
    pasted = {(before, run.encode(), after) for before, run, after in words}
    bounded = b"%b\n" % data

    def rest(run: re.Match[bytes]) -> bytes:
        place = bounded[run.start() - 1], run[0], bounded[run.end()]
        return b" " if place in pasted else run[0]

    return _UTF8_RUN.sub(rest, data)


def _is_utf8_word(text: str, before: int, after: int) -> bool:
    run = text.encode()
    if len(text) == 1 and by_chance(run + bytes((after,)), bytes((before,))):
        return False
    if "\u0250" <= text < "\u0300" and len(text) == 1:  # `aceggeɛ`, `Geʻez`: `É` and `Ê` in a western word
        return before in _LOWER or (before in _LETTERS and after in _LOWER)
    scripts = set(map(script_of, text)) - {SIGN}
    if "latin" in scripts:
        place = b"%c%b%c" % (before, run, after)
        honest = len(run) == 2 and _described(place, by_name("windows-1252")).honest
        return len(scripts) == 1 and not honest and not (text[0].isupper() and before in _LOWER)
    if len(run) < 3 or len(scripts) > 1 or "" in scripts:
        return False
    return scripts <= {"cjk", "hangul"} or not (before in _LETTERS or after in _LETTERS)


def alike_beside_utf8(
    data: bytes, page: str, other: str, letters: Container[str], *, without: bool = False
) -> bool:
    """Return True where two pages read all letters of a language alike that a text has beside UTF-8
    sequences: Finnish in the page of Estonian. By windows-1252 such text may be a mixture.

    Args:
        data: the text.
        page: the characters of the page.
        other: those of the other one.
        letters: those of the language.
        without: also where there is no sequence.
    """
    text = data.decode("utf-8", "surrogateescape")
    if not without and len(text) == len(data):
        return False
    return not any(
        page[byte] != other[byte] and page[byte] in letters and chr(0xDC00 + byte) in text
        for byte in range(0x80, 0x100)
    )
