"""Describes a UTF-8 sequence between its neighbours, in a document whose label names a legacy charset.

Honest legacy words are well-formed UTF-8 now and then: `CAFÉ…`, `MENÜ”`, `Spaß…` in windows-1252, `PODRÓŻE`
in ISO-8859-2, `сад` in IBM866, one hanzi in nine in GBK. So a document under a legacy label is not UTF-8
merely because it decodes as UTF-8. The kinds of sequences that distinguish UTF-8 from such accidents are
described here; `utf8_sequences` counts them, and decide/thresholds.py says how many are enough.

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

from functools import lru_cache
from typing import NamedTuple

from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.charsets.lookup import Charset
from feedcharset.evidence.scripts import SIGN, common_in, script_of

__all__ = ["CLOSING_MARKS", "Page", "Sequence", "character_of", "describe", "page_of"]

_JOINING_MARKS = frozenset("…’–—\u00a0")

CLOSING_MARKS = frozenset("…‘’“”–—™›«»ª®°²³¹º\u00a0")

_SURE = lazy_pattern("[\u2000-\u203f€™\ufffd\U0001d400-\U0001d7ff\U0001f000-\U0001ffff]")
"""General punctuation but for its last rows (`РЂ` in IBM855 begins them), and from F0 only emoji and the
letters of mathematics: `Ёлка` in IBM866 is one sequence, too."""

_LOWER = frozenset(range(0x61, 0x7B))
_UPPER = frozenset(range(0x41, 0x5B))
_LETTERS = _UPPER | _LOWER
_DIGITS = frozenset(range(0x30, 0x3A))
_SOFT_HYPHEN = 0xAD
_SPACE = 0x20
_A_GRAVE = b"\xc3\xa0"
"""`Là math`: no honest text has a space after the no-break space."""
_S = 0x73


class Page(NamedTuple):
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
    rare: frozenset[bytes] = frozenset()
    """Of CJK: the two-byte sequences that are a character of the charset which is common in no standard."""


@lru_cache(maxsize=256)  # one entry for each charset of the closed table, which has fewer
def page_of(charset: Charset) -> Page:
    """Return the bytes and characters of a charset, as lenient reading decodes it."""
    if charset.family == "CJK":
        return Page(
            frozenset(),
            _LETTERS,
            _UPPER,
            _LOWER,
            frozenset(),
            frozenset(),
            frozenset(),
            _rare_characters(charset),
        )
    read = [charset_decoder(charset, lenient=True).decode(bytes([byte]), True) for byte in range(256)]
    return Page(
        frozenset(char for char in read if not char.isascii() and not "\udc80" <= char <= "\udcff"),
        frozenset(byte for byte, char in enumerate(read) if char.isalpha()),
        frozenset(byte for byte, char in enumerate(read) if char.isupper()),
        frozenset(byte for byte, char in enumerate(read) if char.islower()),
        frozenset(byte for byte, char in enumerate(read) if char in CLOSING_MARKS),
        frozenset(byte for byte, char in enumerate(read) if char == "’"),
        frozenset(byte for byte, char in enumerate(read) if char in _JOINING_MARKS),
    )


def _rare_characters(charset: Charset) -> frozenset[bytes]:
    pairs = [bytes((lead, trail)) for lead in range(0xC2, 0xC6) for trail in range(0x80, 0xC0)]
    read = {pair: charset_decoder(charset, lenient=True).decode(pair, True) for pair in pairs}
    return frozenset(
        pair for pair, text in read.items() if len(text) == 1 and text.isalpha() and not common_in(text)
    )


class Sequence(NamedTuple):
    """One sequence between its neighbours."""

    data: bytes
    script: str
    """The script of its character, `SIGN`, or "" where documents hardly ever hold it."""
    honest: bool
    in_page: bool
    """In page, and not honest-looking. Of CJK: common in some standard."""
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
    price: bool
    """Under a CJK label: a pound or yen sign before a digit, and not after a letter."""
    alone: bool
    """A sign or a Latin letter, where the page has no honest word."""
    standards: tuple[str, ...]
    """The East Asian standards in which its character is common."""

    @property
    def distinctive(self) -> bool:
        """In page, or three bytes of a script in use, and not honest-looking."""
        return self.in_page or (len(self.data) == 3 and self.script != "" and not self.honest)


def describe(data: bytes, before: int, after: int, page: Page) -> Sequence:
    """Classify a sequence between two bytes, under the label of a page."""
    character = character_of(data)
    script = script_of(character)
    closes = _closes_a_word(data, before, after, page)
    honest = (
        (closes and data[0] != 0xC2 and not (data == _A_GRAVE and after == _SPACE))
        or _is_name(data, before, after, page)
        or _is_elided(data, before, page)
        or _is_among_capitals(data, character, before, after, page)
    )
    standards = () if page.characters or len(data) != 3 else tuple(common_in(character))
    in_page = (character in page.characters and script != "") or len(standards) > 0
    latin = (script == "latin" or _is_of_a_word(character, before, after)) and not honest
    after_lower = before in _LOWER and len(data) == 2
    return Sequence(
        data,
        script,
        honest,
        in_page and not honest,
        _SURE.match(character) is not None and not honest,
        after_lower and (latin or (script == SIGN and not honest)),
        latin and before in _LETTERS,
        latin and before in _LETTERS and after in _LETTERS and data[-1] not in page.joining,
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
        (latin or script == SIGN) and not closes and not honest and _is_alone(data, before, after, page),
        standards,
    )


def _is_of_a_word(character: str, before: int, after: int) -> bool:
    """Hooked letters and modifiers before a letter (`ɗan`, `Oʻzbekiston`): other neighbours are honest."""
    if after not in _LOWER or not character.isalpha():
        return False
    return "\u0250" <= character <= "\u02af" or ("\u02b0" <= character <= "\u02ff" and before in _LETTERS)


def character_of(data: bytes) -> str:
    """Return the character of a sequence, or of a surrogate pair (CESU-8)."""
    if data[0] != 0xED:
        return data.decode("utf-8")
    return data.decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _is_pasted(data: bytes, before: int, unlike_honest: bool) -> bool:
    if len(data) > 3:
        return data[0] in (0xED, 0xF0)
    return unlike_honest or (before in _LOWER and len(data) == 2 and data[0] != 0xDF)


def _is_example(character: str, before: int, after: int, page: Page) -> bool:
    """`Ã©` and `â€™` by themselves, but not alone in an element: a text about encodings quotes them."""
    if before in page.letters or after in page.letters or before in _DIGITS:
        return False
    if bytes((before, after)) == b"><":
        return False
    return character in "‘’“”" or (script_of(character) == "latin" and character < "\u0100")


def _is_combining(data: bytes, character: str, before: int, after: int, page: Page) -> bool:
    """Not `NÍŽE` and `TĚ’s` in windows-1250."""
    if not "\u0300" <= character <= "\u036f" or _is_genitive(data, after, page):
        return False
    return before in _LOWER or (
        before in _UPPER and after in _LOWER and not page.closing.issuperset(data[1:])
    )


def _is_first_letter(data: bytes, character: str, before: int, after: int, page: Page) -> bool:
    """Not `Ä’s` in windows-1250, `Ç’keni` and `Ăştia`."""
    if len(data) != 2 or _is_genitive(data, after, page):
        return False
    if not character.isupper() and (data[1] in page.lower or data[1] in page.joining):
        return False
    return before not in page.letters and after in _LOWER


def _is_genitive(data: bytes, after: int, page: Page) -> bool:
    return data[-1] in page.apostrophes and after == _S


def _is_alone(data: bytes, before: int, after: int, page: Page) -> bool:
    """No honest word of the page holds these bytes between these neighbours."""
    if not page.characters:
        return data in page.rare and before < 0x80 and after < 0x80
    of_latin_page = "ß" in page.characters or "Ä" in page.characters
    if page.letters.issuperset(data):  # of a word in two scripts (`ХІV` is Ukrainian), or of an honest one
        return not of_latin_page and (before in _LOWER or after in _LOWER)
    if page.closing.issuperset(data[1:]):  # `Ç’keni` is Albanian
        return data == b"\xc2\xb0" and after in _LETTERS
    return _SOFT_HYPHEN not in data


def _closes_a_word(data: bytes, before: int, after: int, page: Page) -> bool:
    """`MENÜ”`, `Spaß…`: the lead is a word's last letter, all others are marks after it."""
    lead = data[0]
    return (
        (lead in page.lower or (lead in page.letters and (lead > 0xDE or before in page.capitals)))
        and after not in page.letters
        and page.closing.issuperset(data[1:])
    )


def _is_name(data: bytes, before: int, after: int, page: Page) -> bool:
    """`Tomáš…`, `MÁJUSÉÉ…`: two letters of one case, the last of a word, then a mark (or `Tomáš’s`)."""
    if len(data) != 3 or before not in page.letters or data[2] not in page.closing:
        return False
    case = page.lower if data[0] in page.lower else page.capitals
    ends = after not in page.letters or data[2] in page.apostrophes
    return data[0] in case and data[1] in case and ends


def _is_elided(data: bytes, before: int, page: Page) -> bool:
    """`l’été` in the Macintosh's pages, whose apostrophe is a lead byte."""
    return data[0] in page.apostrophes and before in page.letters and data[1] in page.letters


def _is_among_capitals(data: bytes, character: str, before: int, after: int, page: Page) -> bool:
    """`PÄŤDESIAT`: capitals among capitals; `PčDESIAT` would be odd UTF-8."""
    return (
        character.islower()
        and page.capitals.issuperset(data)
        and (before in page.capitals or after in page.capitals)
        and before not in page.lower
        and after not in page.lower
    )
