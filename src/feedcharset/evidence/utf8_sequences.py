"""UTF-8 sequences, seen by a reader who believes a legacy label.

Honest legacy words are well-formed UTF-8 now and then: `CAFÉ…`, `MENÜ”`, `Spaß…` in windows-1252, `PODRÓŻE`
in ISO-8859-2, `сад` in IBM866, one hanzi in nine in GBK. So a document under a legacy label is not UTF-8
merely because it decodes as UTF-8. What tells is counted here; how much of it is enough stands in
decide/plainly.py.

- *in page*: the sequence, read as UTF-8, is a character of the label's own page (`Ã©` is `é`); for CJK, one
  that is common in a national standard.
- *honest-looking*: what the page makes of it is how honest words look. A letter (a capital after a capital,
  or a lower-case letter), then only marks that may close a word, then no letter (`MENÜ”`); the end of a name
  (`Tomáš…`); capitals among capitals where UTF-8 has a lower-case letter (`PÄŤDESIAT`). Not `Â` and a sign:
  hardly a word ends so, and `N°`, `LEGO®` and no-break spaces are everywhere in UTF-8.
- *of one script*: text has one; accidents give characters from everywhere.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from feedcharset.charsets.decoders import engine
from feedcharset.charsets.lookup import Charset
from feedcharset.evidence.scripts import SIGN, common_in, script_of
from feedcharset.results.facts import PlainCount

__all__ = [
    "CLOSING_MARKS",
    "ENOUGH",
    "SEQUENCE",
    "Page",
    "Sequence",
    "count_sequences",
    "describe",
    "page_of",
]

SEQUENCE = re.compile(
    # Unicode table 3-7, well-formed sequences of two octets and more.
    rb"[\xc2-\xdf][\x80-\xbf]"
    rb"|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)

CLOSING_MARKS = frozenset("…‘’“”–—™›«»ª®°²³¹º\u00a0")

ENOUGH = 2000
"""Sequences after which counting ends. What 2,000 sequences do not show, more will not; a document that
repeats one of them a million times costs no more than this."""

_SURE = re.compile("[\u2000-\u203f€™\ufffd\U0001d400-\U0001d7ff\U0001f000-\U0001ffff]")
"""General punctuation but for its last rows (`РЂ` in IBM855 begins them), and from F0 only emoji and the
letters of mathematics: `Ёлка` in IBM866 is one sequence, too."""

_SPACE = 0x20
_LOWER = frozenset(range(0x61, 0x7B))
_UPPER = frozenset(range(0x41, 0x5B))
_LETTERS = _UPPER | _LOWER


class Page(NamedTuple):
    """How one charset reads single octets; of CJK, the ASCII letters."""

    characters: frozenset[str]
    """Everything beyond ASCII that the charset knows (empty for CJK, whose test is another)."""
    letters: frozenset[int]
    capitals: frozenset[int]
    lower: frozenset[int]
    closing: frozenset[int]
    apostrophes: frozenset[int]


@lru_cache(maxsize=128)  # one entry for each charset of the closed table, which has fewer
def page_of(charset: Charset) -> Page:
    """The octets and characters of a charset, as lenient reading takes it."""
    if charset.family == "CJK":
        return Page(frozenset(), _LETTERS, _UPPER, _LOWER, frozenset(), frozenset())
    read = [engine(charset, lenient=True).decode(bytes([octet]), True) for octet in range(256)]
    return Page(
        frozenset(char for char in read if not char.isascii() and not "\udc80" <= char <= "\udcff"),
        frozenset(octet for octet, char in enumerate(read) if char.isalpha()),
        frozenset(octet for octet, char in enumerate(read) if char.isupper()),
        frozenset(octet for octet, char in enumerate(read) if char.islower()),
        frozenset(octet for octet, char in enumerate(read) if char in CLOSING_MARKS),
        frozenset(octet for octet, char in enumerate(read) if char == "’"),
    )


class Sequence(NamedTuple):
    """One sequence in its surroundings."""

    octets: bytes
    script: str
    """The script of its character, `SIGN`, or "" where documents hardly ever hold it."""
    honest: bool
    in_page: bool
    """In page, and not honest-looking. Of CJK: common in some standard."""
    sure: bool
    after_lower: bool
    """Two octets, a Latin letter or a sign, straight after a lower-case ASCII letter."""
    after_letter: bool
    """A Latin letter straight after an ASCII letter."""
    within_word: bool
    """A Latin letter between two ASCII letters, and no `Ç–`."""
    pasted: bool
    """It shows UTF-8 even among octets that are not UTF-8."""
    standards: tuple[str, ...]
    """The East Asian standards in which its character is common."""

    @property
    def telling(self) -> bool:
        """In page, or three octets of a living script, and not honest-looking."""
        return self.in_page or (len(self.octets) == 3 and self.script != "" and not self.honest)


def describe(octets: bytes, before: int, after: int, page: Page) -> Sequence:
    """A sequence between two octets, held against a page."""
    character = octets.decode("utf-8")
    script = script_of(character)
    closes = _closes_a_word(octets, before, after, page)
    honest = (
        (closes and octets[0] != 0xC2)
        or _is_name(octets, before, after, page)
        or _is_elided(octets, before, page)
        or _is_among_capitals(octets, character, before, after, page)
    )
    standards = () if page.characters or len(octets) != 3 else tuple(common_in(character))
    in_page = (character in page.characters and script != "") or len(standards) > 0
    latin = script == "latin" and not honest
    after_lower = before in _LOWER and len(octets) == 2
    return Sequence(
        octets,
        script,
        honest,
        in_page and not honest,
        _SURE.match(character) is not None and not honest,
        after_lower and (latin or (script == SIGN and not honest)),
        latin and before in _LETTERS,
        latin and before in _LETTERS and after in _LETTERS and not page.closing.issuperset(octets[1:]),
        (in_page and not honest and not closes) or octets[0] == 0xF0 or (after_lower and octets[0] != 0xDF),
        standards,
    )


def _closes_a_word(octets: bytes, before: int, after: int, page: Page) -> bool:
    """`MENÜ”`, `Spaß…`: the lead is a word's last letter, all others are marks after it."""
    lead = octets[0]
    return (
        (lead in page.lower or (lead in page.letters and (lead > 0xDE or before in page.capitals)))
        and after not in page.letters
        and page.closing.issuperset(octets[1:])
    )


def _is_name(octets: bytes, before: int, after: int, page: Page) -> bool:
    """`Tomáš…`, `MÁJUSÉÉ…`: two letters of one case, the last of a word, then a mark (or `Tomáš’s`)."""
    if len(octets) != 3 or before not in page.letters or octets[2] not in page.closing:
        return False
    case = page.lower if octets[0] in page.lower else page.capitals
    ends = after not in page.letters or octets[2] in page.apostrophes
    return octets[0] in case and octets[1] in case and ends


def _is_elided(octets: bytes, before: int, page: Page) -> bool:
    """`l’été` in the Macintosh's pages, whose apostrophe is a lead octet."""
    return octets[0] in page.apostrophes and before in page.letters and octets[1] in page.letters


def _is_among_capitals(octets: bytes, character: str, before: int, after: int, page: Page) -> bool:
    """`PÄŤDESIAT`: capitals among capitals; `PčDESIAT` would be odd UTF-8."""
    return (
        character.islower()
        and page.capitals.issuperset(octets)
        and (before in page.capitals or after in page.capitals)
        and after not in page.lower
    )


def count_sequences(octets: bytes, charset: Charset, enough: int = ENOUGH) -> PlainCount:
    """Count the sequences of `octets`, held against the label of `charset`; at most `enough` of them."""
    page = page_of(charset)
    places: Counter[tuple[bytes, int, int]] = Counter()
    row = longest = 0
    last_end = -1
    for match in islice(SEQUENCE.finditer(octets), enough):
        start, end = match.span()
        row = row + 1 if start == last_end else 1
        longest = max(longest, row)
        last_end = end
        before = octets[start - 1] if start else _SPACE
        places[match[0], before, octets[end] if end < len(octets) else _SPACE] += 1
    found = [(describe(*place, page), times) for place, times in places.items()]
    return _numbers(charset, found)._replace(in_a_row=longest)


def _numbers(charset: Charset, found: list[tuple[Sequence, int]]) -> PlainCount:
    """The numbers of the sequences, each with how often it stands there."""
    odd = {(one.script, one.octets) for one, _ in found if not one.honest}
    scripts = Counter(script for script, _ in odd)
    del scripts[SIGN], scripts[""]
    return PlainCount(
        charset.name,
        sequences=sum(times for _, times in found),
        distinct=len({one.octets for one, _ in found}),
        living=sum(times for one, times in found if one.script),
        one_script=max(scripts.values(), default=0),
        in_page=_in_page(charset, found),
        sure=sum(times for one, times in found if one.sure),
        telling=sum(times for one, times in found if one.telling),
        after_lower=sum(times for one, times in found if one.after_lower),
        after_letter=sum(times for one, times in found if one.after_letter),
        within_word=sum(times for one, times in found if one.within_word),
        pasted=sum(times for one, times in found if one.pasted),
        in_a_row=0,
    )


def _in_page(charset: Charset, found: list[tuple[Sequence, int]]) -> int:
    """Under a CJK label: the most that are common in one and the same standard."""
    if charset.family != "CJK":
        return sum(times for one, times in found if one.in_page)
    standards: Counter[str] = Counter()
    for one, times in found:
        for standard in one.standards:
            standards[standard] += times
    return max(standards.values(), default=0)
