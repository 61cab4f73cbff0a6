"""UTF-8 sequences, seen by a reader who believes a legacy label.

Honest legacy words are well-formed UTF-8 now and then: `CAFÉ…`, `MENÜ”`, `Spaß…` in windows-1252, `PODRÓŻE`
in ISO-8859-2. So a document under a legacy label is not UTF-8 merely because it decodes as UTF-8. What
tells is counted here; how much of it is enough stands in decide/plainly.py.

- *in page*: the sequence, read as UTF-8, is a character of the label's own page (`Ã©` is `é`).
- *honest-looking*: a letter, then only marks that may close a word, then no letter; for leads C2-DE (capital
  letters in most pages) also a capital before it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from feedcharset.evidence.charsets import Charset
from feedcharset.evidence.supersets import engine
from feedcharset.results import PlainCount

__all__ = ["CLOSING_MARKS", "ENOUGH", "SEQUENCE", "Sequence", "count_sequences", "page_of"]

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

_PUNCTUATION = re.compile("[\u2000-\u206f€™\ufffd]")
_CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]")


class Sequence(NamedTuple):
    """One sequence in its surroundings."""

    octets: bytes
    in_page: bool
    sure: bool
    honest: bool
    after_lower: bool
    between_lower: bool

    @property
    def telling(self) -> bool:
        """In page or of three octets, and not honest-looking."""
        return (self.in_page or len(self.octets) == 3) and not self.honest

    @property
    def pasted(self) -> bool:
        """It shows UTF-8 even among octets that are not UTF-8."""
        return (self.in_page and not self.honest) or self.octets[0] == 0xF0 or self.after_lower


class _Page(NamedTuple):
    """How one charset reads single octets."""

    characters: frozenset[str]
    """Everything beyond ASCII that the charset knows (empty for CJK, whose test is another)."""
    letters: frozenset[int]
    capitals: frozenset[int]
    closing: frozenset[int]


@lru_cache(maxsize=128)  # one entry for each charset of the closed table, which has fewer
def page_of(charset: Charset) -> _Page:
    """The octets and characters of a charset, as lenient reading takes it."""
    if charset.family == "CJK":
        ascii_letters = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        return _Page(frozenset(), ascii_letters, frozenset(), frozenset())
    read = [engine(charset, lenient=True).decode(bytes([octet]), True) for octet in range(256)]
    return _Page(
        frozenset(char for char in read if not char.isascii() and not "\udc00" <= char <= "\udcff"),
        frozenset(octet for octet, char in enumerate(read) if char.isalpha()),
        frozenset(octet for octet, char in enumerate(read) if char.isupper()),
        frozenset(octet for octet, char in enumerate(read) if char in CLOSING_MARKS),
    )


def describe(match: re.Match[bytes], page: _Page) -> Sequence:
    """A match of SEQUENCE, held against a page."""
    octets, text, start, end = match[0], match.string, match.start(), match.end()
    before = text[start - 1] if start else 0x20
    after = text[end] if end < len(text) else 0x20
    character = octets.decode("utf-8")
    lower_before = 0x61 <= before <= 0x7A and len(octets) == 2
    in_page = character in page.characters or (not page.characters and _CJK.match(character) is not None)
    return Sequence(
        octets,
        in_page,
        octets[0] == 0xF0 or _PUNCTUATION.match(character) is not None,
        _is_honest(octets, before, after, page),
        lower_before and octets[0] != 0xDF,
        lower_before and 0x61 <= after <= 0x7A,
    )


def _is_honest(octets: bytes, before: int, after: int, page: _Page) -> bool:
    lead = octets[0]
    return (
        lead in page.letters
        and after not in page.letters
        and (lead > 0xDE or before in page.capitals)
        and page.closing.issuperset(octets[1:])
    )


def count_sequences(octets: bytes, charset: Charset, enough: int = ENOUGH) -> PlainCount:
    """Count the sequences of `octets`, held against the label of `charset`; at most `enough` of them."""
    page = page_of(charset)
    found: list[Sequence] = []
    row = longest = 0
    last_end = -1
    for match in islice(SEQUENCE.finditer(octets), enough):
        found.append(describe(match, page))
        row = row + 1 if match.start() == last_end else 1
        longest = max(longest, row)
        last_end = match.end()
    return PlainCount(
        charset.name,
        sequences=len(found),
        distinct=len({one.octets for one in found}),
        in_page=sum(one.in_page for one in found),
        distinct_in_page=len({one.octets for one in found if one.in_page or len(one.octets) == 3}),
        sure=sum(one.sure for one in found),
        telling=sum(one.telling for one in found),
        distinct_odd=len({one.octets for one in found if not one.honest}),
        after_lower=sum(one.after_lower for one in found),
        between_lower=sum(one.between_lower for one in found),
        pasted=sum(one.pasted for one in found),
        in_a_row=longest,
    )
