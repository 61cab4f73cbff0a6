"""The look-ahead window, which opens at the first non-ASCII byte, or ESC, and the counts made in it.

Each count is made when a principle needs it, and recorded in the facts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from sys import maxsize
from typing import NamedTuple

from feedcharset.charsets import decoders, lazy_pattern, lazy_value
from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.charsets.single_byte import byte_table, undefined_bytes
from feedcharset.charsets.undecodable_bytes import CharsetDecoder, first_undecodable
from feedcharset.evidence.alphabets import (
    LANGUAGES,
    TAGGED,
    UNNAMED,
    USUAL_WESTERN,
    Language,
    is_of_a_language,
    is_of_no_language,
    names_unknown_language,
    sums,
    western_prevails,
)
from feedcharset.evidence.damaged_utf8 import (
    CONTEXT,
    EscapedUtf8,
    Utf8Share,
    bound_densely,
    bound_utf8,
    by_chance,
    count_utf8,
    count_without_chance,
    decode_mixed,
    has_sequence,
    measure_utf8,
)
from feedcharset.evidence.declaration import DECLARATION_LIMIT, document_span, misplaced_label
from feedcharset.evidence.detector import CENTRAL_PAGES, TEXT_BEFORE, WESTERN_PAGES, Detector, Letters
from feedcharset.evidence.document_head import ASCII_BUT_ESC, first_non_ascii, is_utf8
from feedcharset.evidence.labelled_letters import (
    BESIDE_NAMES,
    BOX_DRAWING,
    BY_PLACE,
    SIBLINGS,
    Neighbour,
    count_misread,
    count_read_otherwise,
    may_be_no_western,
    may_be_western,
    neighbours_of,
    rare_in_words,
    sibling_bytes,
    under_other_script,
)
from feedcharset.evidence.language_detector import (
    LETTERS_SHOWN,
    REPEATED_WORDS,
    JudgedPage,
    JudgedText,
    byte_costs,
    detect_dos_or_mac,
    detect_label,
    detect_no_western,
    joint_cost,
    judged_page,
    judged_pages,
)
from feedcharset.evidence.scripts import (
    ALL_ASCII,
    BETWEEN_TEXTS,
    HIGH,
    LATIN_PAGES,
    LOOKED_AT,
    QUICKLY,
    SAMPLE_BYTES,
    SCRIPTS_SAMPLE,
    SEARCHED,
    count_common,
    count_in_latin_words,
    count_in_words,
    count_private_use,
    count_scripts,
    count_texts,
    distinct_words,
    letters_in,
    more_frequent,
    named_language,
    seldom_frequent,
    seldom_letters,
    text_runs,
    without_ascii_parts,
)
from feedcharset.evidence.utf8_sequences import (
    ENOUGH,
    UTF8_WORDS,
    Utf8Runs,
    alike_beside_utf8,
    count_sequences,
    utf8_runs,
    utf8_words,
    without_pasted_words,
)
from feedcharset.results.facts import (
    Body,
    CommonCount,
    Damage,
    Detected,
    LabelCosts,
    ScriptCount,
    SequenceCount,
    SiblingCount,
    Utf8Count,
)

COMMON_SAMPLE = 4 * 1024
"""Bytes in which common East Asian characters are counted: a thousand characters and more, in 0.3 ms."""

LABEL_SAMPLE = 2 * 1024
"""Bytes that show that a window which decodes under an East Asian label is not UTF-8: to measure all takes
longer than to decode it."""

COST_SAMPLE = 4 * 1024
"""Bytes of text, from the first one in which a page and its sibling differ, that are judged by letters."""

BEFORE_LETTER = 32
"""Bytes before it: the word in which it stands."""

MOSTLY_DECODED = 2
"""Characters for each undecodable run of bytes, and more, in an East Asian charset, where it is asked whether
these runs are in UTF-8."""

FEW_KINDS = 12
"""Different letters of some words, however often repeated: `Мой блог` in KOI8-R costs less as Persian."""

PLACES_OF_BYTE = 8
"""Words that are judged for each byte which distinguishes the pages of a language: many letters prove a page,
and not one letter many times."""

WORD_BYTES = 32
"""Bytes of such a word on either side of that byte."""


CLEARLY = 0.9
"""The share of what text costs under a label that it costs in another page, at most. In true text it was 0.97
and more."""
OTHERWISE_CLEARLY, CAPITALS_CLEARLY, FEW_CAPITALS_CLEARLY = 0.95, 0.8, 0.74
"""The same in a page of another script, or where the label reads capitals within words; and where it reads
capitals alone: in 5,995 true Russian titles with MANY_CAPITALS letters it was 0.81 and more; of 3,005 with
fewer 11 were at 0.74 or below (in KOI8-R 9), all of less than 6 letters."""
MANY_CAPITALS = 18
"""Capitals by which a text is long enough for the share of long ones."""
ABBREVIATIONS = {"hebrew": 3.5, "arabic": 3.5, "": 4.5}
"""By the script of the other page: so many letters a word in capitals has on the average, at least. The words
of abbreviations (`ВВП`) are shorter. Five Russian titles together had 4.6 or more, five Hebrew ones 3.5 in 95
of 100."""


_LACKING = frozenset(map(chr, (*range(0x80, 0xA0), 0xFFFD)))
DAMAGED_BYTES = 3
"""Bytes that the label lacks, or has as C1 controls, which may be damage: they cost more than the words
around them."""

WITHIN_WORDS = 2
"""Capitals straight after a small letter that begins a word, at least, in text under a false label
(`нОВОСТИ`, not `СНиП`)."""


MAC_SHARE, MAC_LETTERS, MAC_LESS = 3, 8, 1000
"""Text of Mac or DOS under a western label: of its non-ASCII bytes one in MAC_SHARE is one of 80-9F that
western text hardly has, MAC_LETTERS at least are not ASCII, and it costs MAC_LESS tenths of a bit less."""
_NO_LETTERS_OF_MAC = USUAL_WESTERN + bytes(range(0xA0, 0x100))
WITHIN_SHARE, WITHIN_LEAST = 16, 4
"""Or one in WITHIN_SHARE, and WITHIN_LEAST in all, stand between small letters, where western text has none
of them."""
_WITHIN_NO_WORD = bytes(
    {*range(0x80, 0xA0), *range(0xA1, 0xA6), 0xBE, *range(0xC0, 0xDF)}
    - {*b"\x85\x91\x92\x96\x97\x9a\x9c\x9e"}
)
_AS_WITHIN = bytes(
    0x61 if 0x61 <= byte <= 0x7A else 0x68 if byte in _WITHIN_NO_WORD else 0x20 for byte in range(0x100)
)
"""Small letters as `a`, these signs and capitals as `h`. Apostrophes, dashes and `…` stand between letters;
`š`, `ž` and `œ` are letters; others are hyphens, or accents of text that was copied from PDF."""


@cache
def _judged(charsets: tuple[str, ...], language: str = "") -> tuple[tuple[JudgedPage, list[list[int]]], ...]:
    """Return pages, with what bytes cost in a language, or, where the last page has not that one, in each of
    its languages."""
    last = next(page for page in judged_pages(True) if page.charset.name == charsets[-1])
    alphabets = tuple(one for one in last.alphabets if one.language.name == language) or last.alphabets
    pages = (judged_page(name, alphabets)._replace(handicap=last.handicap) for name in charsets)
    return tuple((page, list(byte_costs(page))[1:]) for page in pages)


def _costs_in(text: bytes, charsets: tuple[str, ...], language: str = "") -> Iterator[int]:
    """Yield what a text costs in each page, read in the language in which it costs least."""
    high = text.translate(None, ALL_ASCII)
    times = [(byte, high.count(byte)) for byte in range(0x80, 0x100) if byte in high]
    for page, languages in _judged(charsets, language):
        letters = min(sum(costs[byte] * number for byte, number in times) for costs in languages)
        yield letters + joint_cost(text, page, maxsize)


CAPITALS_PER_SMALL = 8
"""So many capitals for each small letter, beyond ASCII, are a text in capitals."""


def _in_small_letters(text: bytes, page: str) -> bytes:
    """Return a text in a page in small letters, where it is in capitals: those of KOI8-R are small letters in
    windows-1251, which cost less whatever they spell."""
    characters = _judged((page,))[0][0].characters
    found = Counter(characters[byte] for byte in text.translate(None, ALL_ASCII))
    capitals = sum(number for char, number in found.items() if char.isupper())
    if capitals < CAPITALS_PER_SMALL * sum(number for char, number in found.items() if char.islower()):
        return text
    places = (characters.find(char.lower()) for char in characters)
    return text.translate(bytes(place if place > 0 else byte for byte, place in enumerate(places)))


class _Pages(NamedTuple):
    """The single-byte charsets of a language."""

    handicaps: dict[str, int]
    """By charset; none where the language has one alone, or Cyrillic ones, which have no letter in common."""
    differing: bytes
    """Bytes that are not the same character in all of them. Of 80-9F letters alone: quotation marks prove
    nothing. Nor are `«»` there: one of them ends a word, as a letter does."""
    undefined: bytes
    """Those of them that are no character in some page."""
    words: bytes
    """A table that translates what stands in no word into spaces."""


@cache
def _pages_of(language: str) -> _Pages:
    charsets = {name for one in LANGUAGES if one.name == language for name in one.charsets.split()}
    pages = [page for page in judged_pages() if page.charset.name in charsets and page.characters]
    if len(pages) < 2 or pages[0].charset.page == "cyrillic":
        return _Pages({}, b"", b"", b"")
    read = ["".join(characters) for characters in zip(*(page.characters for page in pages), strict=True)]
    words = bytes(
        0x20 if "«" in one or "»" in one or (byte <= 0xA0 and not any(map(str.isalpha, one))) else byte
        for byte, one in enumerate(read)
    )
    differing = bytes(byte for byte in set(words) if len(set(read[byte])) > 1)
    undefined = bytes(byte for byte in differing if "\ufffd" in read[byte])
    return _Pages({page.charset.name: page.handicap for page in pages}, differing, undefined, words)


def _differing_words(data: bytes, pages: _Pages) -> bytes:
    """Return words that hold a byte in which pages differ; a sign that stands alone is no evidence (`½`),
    nor what is UTF-8."""
    found: dict[bytes, None] = {}  # a word that each item repeats counts once
    for byte in pages.differing:
        at = data.find(byte)
        for _ in range(PLACES_OF_BYTE):
            if at < 0:
                break
            if not UTF8_WORDS.search(data, max(at - 3, 0), at + 4):
                before = data[max(at - WORD_BYTES, 0) : at].translate(pages.words).rpartition(b" ")[2]
                after = data[at : at + WORD_BYTES].translate(pages.words).partition(b" ")[0]
                if (before + after).decode("utf-8", "ignore").isascii():
                    found[before + after] = None
            at = data.find(byte, at + 1)
    return b" ".join(word for word in found if len(word) > 1 or word in pages.undefined)


_FRENCH_AS_ASCII = bytes.maketrans("àâçèéêëîïôùûüœŒ".encode("cp1256"), b"e" * 15)
"""A table that translates the Latin letters of windows-1256 into `e`."""
_NO_TA_MARBUTA = lazy_pattern(rb"\xc9(?<![A-Za-z\x80-\xff].)(?=[a-z]{2})")
"""`É` at the start of a word counts as three letters: no Arabic word begins with `ة`, which windows-1256 has
there. Prepositions stand before Latin words (`وGoogle`)."""


_LETTER_REFERENCE = lazy_pattern(rb"&#(?:[xX]([0-9A-Fa-f]{2,4})|([0-9]{3,4}));")
"""A reference to a letter beyond ASCII by its number."""
OTHERS_AS_BYTES = 2
"""So many letters of the language stand as bytes for each that is written as a reference in foreign names."""


ENOUGH_PLACES = 1000
"""Places that are counted at most."""


def _places_of_sibling(page: str, before: bytes, data: bytes) -> int:
    """Count the places that show the sibling of a page of BY_PLACE; 0 where one shows the page itself."""
    known = BY_PLACE[page]
    if not any(map(data.__contains__, known.quickly)):
        return 0
    text = before[-WORD_BYTES:] + data  # a mark and a space may stand before a letter, a price before `€`
    if known.own.search(text):
        return 0
    count = sum(1 for _ in islice(known.others.finditer(text), ENOUGH_PLACES))
    return count if count >= known.least else 0


class Window:
    """The part of the document that begins at the first non-ASCII byte, or ESC.

    Args:
        data: the window.
        ends: nothing of the document follows it, so a character cut by its end is damage.
        before: the bytes that stand before it; the last TEXT_BEFORE of them count.
        beginning: the document's first bytes, as far as they stand before the window; 4,096 count.
        detector: a callable, which is called at most once, or the letters.
        utf8: the window is well-formed UTF-8, if that is known.
    """

    # What no decision has asked for yet.
    _misplaced: tuple[str | None, int] | None = None
    _detector_called = False
    _has_chance = False
    """Sequences that are there by chance are not counted."""
    _scripts: ScriptCount | None = None
    _distinct: int | None = None
    _sibling: SiblingCount | None = None
    _costs: LabelCosts | None = None
    _detected: Detected | None = None
    _utf8: Utf8Count | None = None
    _utf8_bounds: Utf8Count | None = None
    _share: Utf8Share | None = None
    _decoded: tuple[str, CharsetDecoder, str | None] | None = None
    """The name of a superset, its decoder and the text of the window."""
    escaped: EscapedUtf8 | None = None
    """The window read as UTF-8, where that was done for the decision, and sequences are more than damage."""

    def __init__(
        self,
        data: bytes,
        *,
        ends: bool,
        before: bytes = b"",
        beginning: bytes = b"",
        detector: Detector | None = None,
        utf8: bool | None = None,
    ) -> None:
        self.data: bytes = data
        self.ends: bool = ends
        self.before: bytes = before[-TEXT_BEFORE:]
        self.beginning: bytes = beginning[:DECLARATION_LIMIT]
        self._detector = detector
        self._is_utf8 = utf8
        self._damage: dict[str, Damage] = {}
        self._apart: set[str] = set()
        """The charsets whose damage in pasted words was counted."""
        self._common: dict[str, CommonCount] = {}
        self._letters: dict[str, dict[str, int]] = {}
        self._sequences: dict[str, SequenceCount] = {}
        self._seldom_frequent: dict[str, bool] = {}
        self._in_latin_words: dict[bool, int] = {}

    def of_document(self) -> Window | None:
        """Return the window without what stands before the document or behind its root's end tag, for the
        letters alone; None where either is ASCII."""
        text = self.beginning + self.data
        start, end = document_span(text)
        outside = not (text[:start].isascii() and text[end:].isascii())
        if not outside or (high := first_non_ascii(text[start:end])) < 0:
            return None
        high += start
        found = Window(
            text[high:end],
            ends=self.ends,
            before=text[start:high] if start else self.before,
            beginning=text[start:high],
            detector=self._detector if isinstance(self._detector, (str, Letters)) else None,
        )
        found._misplaced = self._misplaced
        return found

    def utf8(self) -> Utf8Count:
        """Return the count of UTF-8 sequences and damage."""
        if self._utf8 is None and self._is_utf8:
            self._utf8 = Utf8Count(None, 0)
        if self._utf8 is None:
            before = self.before[-CONTEXT:].decode("latin-1")
            self._utf8, escaped = count_utf8(self.data, ends=self.ends, before=before, share=self._share)
            exact, self._utf8 = self._utf8, count_without_chance(self._utf8, self.data, self.before)
            self._has_chance = exact != self._utf8
            if self._utf8.damaged <= (self._utf8.sequences or 0):  # else it is hardly read as UTF-8
                self.escaped = escaped
        return self._utf8

    def is_utf8(self) -> bool:
        """Return True where the window is well-formed UTF-8."""
        if self._is_utf8 is None:
            self._is_utf8 = is_utf8(self.data, self.ends)
        return self._is_utf8

    def utf8_bounds(self, charset: Charset | None = None) -> Utf8Count:
        """Return bounds that prove that the window is not UTF-8, if there are any; else the exact count.

        Args:
            charset: what the label names. If it is East Asian and decodes all, the first bytes are measured.
        """
        if self._utf8 is None and self._utf8_bounds is None and not self._is_utf8:
            if charset is not None and charset.family == "CJK" and len(self.data) > LABEL_SAMPLE:
                first = self.data[:LABEL_SAMPLE]
                bounds = bound_utf8(first, measure_utf8(first, False))
                self._utf8_bounds = bounds if bounds and self._is_clean(charset) else None
            if self._utf8_bounds is None:
                self._utf8_bounds = bound_densely(self.data)
            if self._utf8_bounds is None:
                self._share = measure_utf8(self.data, self.ends)
                self._utf8_bounds = bound_utf8(self.data, self._share)
        return self._utf8 or self._utf8_bounds or self.utf8()

    def decodes(self, charset: Charset) -> bool:
        """Return True where all bytes decode leniently. Text that is decoded for it is kept (`text`)."""
        return self._is_clean(charset) or self.damage(charset).places == 0

    def _is_clean(self, charset: Charset) -> bool:
        """Return True where all bytes decode leniently, and record it."""
        found = self._damage.get(charset.name)
        if found is not None:
            return found.places == 0
        if charset.family == "single":
            clean = charset.decodes_every_byte or not any(
                map(self.data.__contains__, undefined_bytes(charset.superset))
            )
        else:
            clean = (text := self.text(charset)) is not None and first_undecodable(text) < 0
        if clean:
            self._damage[charset.name] = Damage(charset.name, None, 0, None)
        return clean

    def text(self, charset: Charset) -> str | None:
        """Return the text of the window, read leniently; None where it is full of damage. The last one is
        kept."""
        if self._decoded is None or self._decoded[0] != charset.superset:
            decoder, text = decoders.decode_window(charset, self.data, final=self.ends)
            self._decoded = charset.superset, decoder, text
        return self._decoded[2]

    def decoded(self, charset: Charset) -> tuple[str, CharsetDecoder] | None:
        """Return the text of the window, read leniently, and its decoder, where it was decoded for the
        decision. Undecodable bytes are lone surrogates."""
        if self._decoded is None or self._decoded[0] != charset.superset or self._decoded[2] is None:
            return None
        return self._decoded[2], self._decoded[1]

    def damage(self, charset: Charset) -> Damage:
        """Return the count of characters and damage under a charset, decoded leniently."""
        found = self._damage.get(charset.name)
        if found is None or found.characters is None:
            text = self.text(charset)
            if dense := text is None:  # a fifth of the time
                text = decoders.characters_in(charset, self.data, dense, self.ends)
            found = decoders.count_damage(charset, self.data, final=self.ends, text=text)
            if charset.superset == "GB18030" and not dense:  # characters of four bytes hold digits
                size, number = len(self.data) - len(text), found.characters or 0
                found = found._replace(characters=number + 3 * max(0, (size - number) // 2))
            found = self._with_pasted(charset, found) if charset.family == "single" else found
            self._damage[charset.name] = found
        return found

    def damage_apart(self, charset: Charset) -> Damage:
        """Return the same, of an East Asian charset also with the places in pasted words."""
        found = self.damage(charset)
        asked = charset.family == "CJK" and charset.name not in self._apart
        if asked and (found.characters or 0) > MOSTLY_DECODED * found.places:
            self._apart.add(charset.name)
            found = self._damage[charset.name] = self._with_pasted(charset, found)
        return found

    def _with_pasted(self, charset: Charset, found: Damage) -> Damage:
        if not has_sequence(self.data):
            return found
        rest = without_pasted_words(self.before[-1:] + self.data)
        places = decoders.count_damage(charset, rest, final=self.ends).places
        return found._replace(pasted=found.places - places)

    def sequences(
        self, charset: Charset, decides: Callable[[SequenceCount], bool] | None = None
    ) -> SequenceCount:
        """Return the count of UTF-8 sequences under the label of a charset.

        Args:
            charset: what the label names.
            decides: returns True where counting may end, because higher counts would decide alike.
        """
        found = self._sequences.get(charset.name)
        if found is not None and (
            not found.more or found.sequences >= ENOUGH or (decides is not None and decides(found))
        ):
            return found
        least = found.sequences if found is not None else 0
        found = count_sequences(self.data, charset, decides, least=least, before=self.before[-1:])
        if charset.family == "CJK" and not found.more:
            found = found._replace(private_use=count_private_use(self.data, charset))
        self._sequences[charset.name] = found
        return found

    def common(self, charset: Charset) -> CommonCount:
        """Return the count of common East Asian characters under a multi-byte charset, or of characters in
        words of the script of a single-byte page."""
        found = self._common.get(charset.name)
        if found is None:
            if charset.family == "CJK":
                found = count_common(self._letters_in(charset), charset.name)
            else:
                text = decoders.charset_decoder(charset, lenient=True).decode(self._judged[:COMMON_SAMPLE])
                found = count_in_words(text, charset.name, charset.page)
            self._common[charset.name] = found
        return found

    def _letters_in(self, charset: Charset) -> dict[str, int]:
        """Return the letters beyond ASCII of the sample in an East Asian charset."""
        if charset.name not in self._letters:
            self._letters[charset.name] = letters_in(self._judged[:COMMON_SAMPLE], charset)
        return self._letters[charset.name]

    @lazy_value
    def _first_runs(self) -> Utf8Runs:
        """The runs that are UTF-8 of the first SCRIPTS_SAMPLE bytes, and the byte before them."""
        return utf8_runs(self.before[-1:] + self.data[:SCRIPTS_SAMPLE])

    @lazy_value
    def _first_utf8(self) -> str:
        """What is UTF-8 of the first SCRIPTS_SAMPLE bytes."""
        return self.data[:SCRIPTS_SAMPLE].decode("utf-8", "ignore")

    def scripts(self) -> ScriptCount:
        """Return the count of the scripts of UTF-8 sequences."""
        if self._scripts is None:
            sample = self.data[:SCRIPTS_SAMPLE]
            words = utf8_words(self._first_runs)
            text = self._first_utf8
            texts = count_texts(sample, text.encode())
            if self._has_chance:
                mixed = decode_mixed(sample, by_chance(sample, self.before), True)[0]
                text = mixed.encode("utf-8", "ignore")[:SCRIPTS_SAMPLE].decode("utf-8", "ignore")
            self._scripts = ScriptCount(*count_scripts(text), words, *texts)
        return self._scripts

    def distinct(self) -> int:
        """Return the number of distinct characters beyond ASCII that are UTF-8 at the window's beginning."""
        if self._distinct is None:
            self._distinct = len(set(self._first_utf8.encode().translate(None, ALL_ASCII).decode()))
        return self._distinct

    def sibling(self, charset: Charset) -> SiblingCount | None:
        """Return what distinguishes the page of a label from its sibling; None where nothing does."""
        if self._sibling is not None and self._sibling.charset == charset.name:
            return self._sibling
        self._sibling = None
        if places := self._places(charset.name):
            self._sibling = SiblingCount(charset.name, BY_PLACE[charset.name].sibling, places, 0, 0, 0)
            return self._sibling
        known = sibling_bytes(charset) if charset.name in SIBLINGS else None
        if (
            known is not None
            and not any(map(self.data.__contains__, known.refuting))
            and any(map(self.data.__contains__, known.quickly))
            # Letters of a language that is not known may be any: `są` is Kashubian.
            and not (
                known.refuting and names_unknown_language((self.beginning + self.data[:TAGGED])[:TAGGED])
            )
        ):
            end = document_span(self.beginning + self.data)[1] - len(self.beginning)
            text = self.before[-1:] + self.data[:end]
            if any(map(text.__contains__, known.foreign)):
                texts = text.translate(BETWEEN_TEXTS).split(b"\n")
                text = b"\n".join(one for one in texts if not any(map(one.__contains__, known.foreign)))
            if has_sequence(text):
                text = without_pasted_words(text)
            if UTF8_WORDS.search(text.translate(None, ASCII_BUT_ESC)):  # adjacent bytes stay adjacent
                text = UTF8_WORDS.sub(b" ", text)
            text = text.translate(bytes.maketrans(known.marks, b" " * len(known.marks)))
            words = b" %b " % text.translate(known.classes)
            for _ in range(2):  # each letter that stands alone has two spaces of its own
                words = words.replace(b"c c", b"c  c")
            alone = words.count(b" c ")
            letters = words.count(b"c") - alone
            if known.refuting:  # `© 2026`, `10±2`: signs that stand alone are no letters
                letters = max(letters + words.count(b"lql") - sums(text) - alone - words.count(b" q "), 0)
            undefined = len(text) - len(text.translate(None, known.undefined))
            # The first of both kinds, with the text behind them.
            kinds = text.translate(known.kinds)
            first, second = sorted(max(kinds.find(one) - BEFORE_LETTER, 0) for one in (b"c", b"d"))
            second = max(second, first + COST_SAMPLE)
            sample = text[first : first + COST_SAMPLE] + text[second : second + COST_SAMPLE]
            sample = distinct_words(sample, REPEATED_WORDS)  # an author of all items is one word
            pair = (charset.name, SIBLINGS[charset.name])
            if not known.refuting or is_of_a_language(sample, by_name(pair[1]).superset):  # not Kashubian
                self._sibling = SiblingCount(*pair, letters, undefined, *_costs_in(sample, pair))
        return self._sibling

    def costs(self, charset: Charset, declared: Charset) -> LabelCosts:
        """Return what the first texts cost in the pages of two labels: in the language that the document
        names, if both have it; else each in the language in which it costs least."""
        if self._costs is None:
            # The letters of ISO-8859-15 are those of windows-1252.
            supersets = (one.superset.replace("ISO-8859-15", "windows-1252") for one in (charset, declared))
            named, pages = self._language(), tuple(supersets)
            language = named.name if named and set(named.charsets.split()).issuperset(pages) else ""
            sample = self._shown.runs(SAMPLE_BYTES)
            read = byte_table(declared.superset, True)  # boxes of KOI8-R are more than its letters in a table
            sample = sample.translate(None, bytes(at for at, char in enumerate(read) if char in BOX_DRAWING))
            costs = [next(_costs_in(_in_small_letters(sample, page), (page,), language)) for page in pages]
            for at, name in enumerate((charset.name, declared.name)):
                if name in CENTRAL_PAGES and "windows-1252" in pages:  # it may be read as its sibling
                    costs[at] = min(costs[at], next(_costs_in(sample, (SIBLINGS[name],), language)))
            self._costs = LabelCosts(charset.name, declared.name, *costs)
        return self._costs

    def _places(self, name: str) -> int:
        """Return the number of places that show the sibling of a page of BY_PLACE; 0 where text costs more in
        it: `ί` of Greek is `я` of Mac."""
        places = _places_of_sibling(name, self.before, self.data) if name in BY_PLACE else 0
        if places and by_name(name).page == "cyrillic":
            label, other = _costs_in(self._judged[:COST_SAMPLE], (name, BY_PLACE[name].sibling))
            return places if other < label else 0
        return places

    def misplaced(self) -> tuple[str | None, int]:
        """Return the encoding that a misplaced declaration names, and where it stands."""
        if self._misplaced is None:
            self._misplaced = misplaced_label(self.beginning + self.data[:DECLARATION_LIMIT])
        return self._misplaced

    def detected(self) -> Detected | None:
        """Return the answer of the detector; None without one."""
        if self._detector is not None and not self._detector_called:
            self._detector_called = True
            by_letters = isinstance(self._detector, (str, Letters))
            data = self._judged_text if by_letters else self.data
            found = self._by_letters if by_letters else detect_label(self._detector, JudgedText(data))
            whole = self._judged
            if (
                found is not None
                and data not in (self.data, whole)
                and by_name(found.label).family == "single"
            ):
                pages = byte_table(by_name(found.label).superset, True), byte_table("windows-1252", True)
                if alike_beside_utf8(whole[:SCRIPTS_SAMPLE], *pages, set(filter(str.isalpha, pages[0]))):
                    found = found._replace(label="windows-1252")
            if by_letters and found is not None and self._western_prevails(found):
                found = found._replace(label="windows-1252", letters="")
            utf8 = self.utf8() if by_letters else None
            few = 1 if found is not None and found.label == "IBM866" else 4  # words have them by chance
            if utf8 is not None and few * (utf8.sequences or 0) <= utf8.damaged:
                dos = detect_dos_or_mac(self._shown, found)
                found = dos or found
            charset = lookup(found.label, lenient=True) if found is not None else None
            if found is not None and charset is not None:  # a caller's detector has its own names
                named = found._replace(label=charset.name)
                found = found if (page := self._with_page(named)) == named else page
            self._detected = found
        return self._detected

    @lazy_value
    def _by_letters(self) -> Detected | None:
        """The answer of the letters, whatever the label is."""
        assert isinstance(self._detector, (str, Letters))
        return detect_label(self._detector, self._shown)

    @lazy_value
    def _judged(self) -> bytes:
        """The window without long parts in ASCII, if it begins with them."""
        return without_ascii_parts(self.data)

    @lazy_value
    def _tagged(self) -> bytes:
        """The first bytes of the document, before the window, and such parts: they may name its language."""
        if self._judged is self.data:
            return self.beginning
        return (self.beginning + self.data[:TAGGED])[:TAGGED]

    @lazy_value
    def _judged_text(self) -> bytes:
        """`_judged` without words that are pasted in UTF-8."""
        data, before = self._judged, self.before[-1:]
        first = before + data[:SCRIPTS_SAMPLE]
        if (self._utf8 is not None and self._utf8.sequences == 0) or not has_sequence(first):
            return data
        runs = self._first_runs if data is self.data else utf8_runs(first)
        return without_pasted_words(first, runs)[len(before) :] + data[SCRIPTS_SAMPLE:]

    @lazy_value
    def _shown(self) -> JudgedText:
        """What the letters are judged of."""
        return JudgedText(self._judged_text, self.before, self._tagged, self._domain())

    def letters(self, charset: Charset) -> Detected | None:
        """Return the answer of the letters under a label; None where the text may well be in its charset."""
        single = charset.family == "single" and charset.superset not in WESTERN_PAGES
        if self._detector_called or not self.may_be_another(charset):
            found = self._detected
            if found is None or found.detector != "letters":
                return None
            self._detected = found = self._under_this_label(found, charset)
            # It is the answer under another label. Under this one alone few letters may be no evidence.
            named = found.label not in UNNAMED  # those are judged beside windows-1252 alone
            if named and single and not (found.misread or found.label == charset.name or found.as_cheap):
                kinds = set(self._judged_text[:SAMPLE_BYTES].translate(None, ALL_ASCII))
                evident = len(kinds) > FEW_KINDS or self.may_be_another(charset)
                if not (evident and self._is_cheaper(found, charset)):
                    self._detected = found = found._replace(as_cheap=charset.name)
            if self._has_references(found, charset):
                self._detected = found = found._replace(as_cheap=charset.name)
            return None if found.as_cheap == charset.name else found
        has_neighbours = single or charset.superset == "windows-1254"
        if has_neighbours and (neighbour := self._in_neighbour(charset)) is not None:
            self._detector_called, self._detected = True, neighbour
            return neighbour
        if charset.family == "CJK" or self._letters_in_words(charset):
            found = under_other_script(self._by_letters, self._judged_text, self._in_words(charset))
        else:
            dos = None
            if charset.superset == "windows-1252" and self._may_be_mac():
                other = self._by_letters
                if other is not None and by_name(other.label).superset in WESTERN_PAGES:
                    other = None
                dos = detect_dos_or_mac(self._shown, other)
            found = dos if dos and dos.less >= MAC_LESS else detect_no_western(self._shown, charset)
            if found is not None and (
                self._western_prevails(found) or self._western_by_title(found, charset)
            ):
                return None
        if found is not None and self._has_references(found, charset):
            return None
        if found is not None and self._is_cheaper(found := self._with_page(found), charset):
            if found.label == "windows-1252" and self._may_be_western(charset):
                words = count_read_otherwise(self._judged_text[:SCRIPTS_SAMPLE], charset.superset)
                found = found._replace(otherwise=words)
            if found.label == "IBM866":  # Greek, Hebrew and Arabic of DOS look like it
                found = detect_dos_or_mac(self._shown, found) or found
            self._detector_called, self._detected = True, found
        return self._detected

    def _under_this_label(self, found: Detected, charset: Charset) -> Detected:
        """Return the answer with what it is under another label than the one for which it was made."""
        if charset.family == "CJK" or charset.page not in LATIN_PAGES:
            return found if found.in_words else found._replace(in_words=self._in_words(charset))
        western = charset.superset in WESTERN_PAGES
        if western and not found.less and self.may_be_another(charset):
            # Under a label of another script it was not asked how much less than western text it costs.
            under = detect_no_western(self._shown, charset)
            if under is not None and under.label == found.label:
                found = found._replace(less=under.less)
        if found.misread or charset.family != "single" or charset.superset == "windows-1252":
            return found
        neighbour = self._in_neighbour(charset)
        if neighbour is None or neighbour.label != found.label:
            return found
        return found._replace(
            misread=neighbour.misread,
            misread_distinct=neighbour.misread_distinct,
            misread_under=neighbour.misread_under,
        )

    def _is_cheaper(self, found: Detected, charset: Charset) -> bool:
        """Return True where the letters cost CLEARLY less than in the charset of the label, or where other
        numbers decide that: under an East Asian label, where their charset decodes as much, and more
        characters are frequent. Where the label reads capitals alone, another page must fit much better: in
        KOI8-R they are small Greek letters."""
        other = by_name(found.label)
        if charset.family == "CJK":
            if self._is_clean(charset) and not self._is_clean(other):
                return False
            if other.family != "CJK":
                return True
            return more_frequent(self._letters_in(charset), self._letters_in(other), charset, other)
        if charset.superset in WESTERN_PAGES or other.family == "CJK":
            return True
        page = _judged((charset.superset,))[0][0]
        sample = self._judged_text[:COST_SAMPLE]
        lacking = bytes(byte for byte, char in enumerate(page.characters) if char in _LACKING)
        without = sample.translate(None, lacking)
        if len(sample) - len(without) <= DAMAGED_BYTES:
            sample = without
        classes, high = sample.translate(page.classes), b" " + sample.translate(HIGH)
        number, words = high.count(b"h"), high.count(b" h")
        capitals = classes.count(b"lU") + classes.count(b"aU")
        within = capitals - classes.count(b"llU") - classes.count(b"UlU") >= WITHIN_WORDS
        share = OTHERWISE_CLEARLY if within or other.page != charset.page else CLEARLY
        if not (found.in_words or within) and classes.count(b"U") > classes.count(b"l"):
            if number < ABBREVIATIONS.get(other.page, ABBREVIATIONS[""]) * words:
                return False
            share = CAPITALS_CLEARLY if number >= MANY_CAPITALS else FEW_CAPITALS_CLEARLY
        if found.named and other.page != charset.page:
            share = max(share, CLEARLY)
        labelled, cost = (next(_costs_in(sample, (name,))) for name in (charset.superset, found.label))
        if other.page == charset.page:  # Mongolian may be in both; the table has one
            labelled = min(labelled, next(_costs_in(sample, (charset.superset, found.label), found.language)))
        return cost <= share * labelled

    def _has_references(self, found: Detected, charset: Charset) -> bool:
        """Return True where most letters that the page that was found has, and the label's has not, are
        written as references, and nowhere as a byte: so programs write what their page has not. Letters of
        Vietnamese with two marks are in no page. One in OTHERS_AS_BYTES, at most, may be of a foreign name
        (`Ph&#7841;m`): the others are letters of the language, as bytes."""
        other, data = by_name(found.label), self.beginning[-SEARCHED:] + self.data[:SEARCHED]
        if charset.family != "single" or other.page not in LATIN_PAGES or b"&#" not in data:
            return False
        own, page = byte_table(charset.superset, True), byte_table(other.superset, True)
        named = {int(one, 16) if one else int(ten) for one, ten in _LETTER_REFERENCE.findall(data)}
        letters = [char for char in map(chr, named) if char.isalpha() and char not in own]
        places = [page.find(char) for char in letters if char in page or "\u1ea0" <= char <= "\u1ef9"]
        without = sum(at < 0 or at not in data for at in places)
        if 2 * without <= len(places):
            return False
        known = _judged((other.superset,), found.language)[0][0].alphabets[0].costs
        as_bytes = {page[byte] for byte in set(data.translate(None, ALL_ASCII))}
        as_bytes = {char for char in as_bytes if char.isalpha() and char in known and char not in own}
        return OTHERS_AS_BYTES * without > len(as_bytes)

    def _western_prevails(self, found: Detected) -> bool:
        """Return True where the answer is another script, and more texts are western, or letters within words
        are rare East Asian characters."""
        charset = by_name(found.label)
        if charset.family == "CJK":
            return rare_in_words(self._judged_text[:SCRIPTS_SAMPLE], charset)
        if charset.family != "single" or charset.page in LATIN_PAGES:
            return False
        return western_prevails(self.before + self._judged_text[:SCRIPTS_SAMPLE])

    def _western_by_title(self, found: Detected, label: Charset) -> bool:
        """Return True where the answer under a western label is Lithuanian, and each title by itself costs no
        more in a western language: letters of Icelandic and Dutch (`sagði`, `Italië`) are its own."""
        if found.language != "Lithuanian" or found.named or label.superset not in WESTERN_PAGES:
            return False
        shown = self.before, self._judged_text[:SEARCHED]
        titles = text_runs(*shown, COST_SAMPLE, between=b"<").split(b"<")
        western, other = (
            sum(next(_costs_in(title, (name,))) for title in titles) for name in ("windows-1252", found.label)
        )
        return western <= other

    def _with_page(self, found: Detected) -> Detected:
        """Return the answer of the letters with that page of their language in which the words of the whole
        window cost least. The first KB, which was judged, may hold no byte in which the pages differ."""
        pages = _pages_of(found.language)
        if found.label not in pages.handicaps or found.label == "ISO-8859-15":  # by signs within words
            return self._with_sibling(found)
        text = _differing_words(self.before[-WORD_BYTES:] + self.data, pages)
        costs = dict(
            zip(pages.handicaps, _costs_in(text, tuple(pages.handicaps), found.language), strict=True)
        )
        least = costs[found.label]  # a handicap alone does not undo what the first KB has shown
        cheaper = [found.label, *(name for name in costs if costs[name] < least)]
        label = min(cheaper, key=lambda name: costs[name] + pages.handicaps[name])
        if label == found.label or not found.outside:
            return self._with_sibling(found._replace(label=label))
        page = _judged((label,), found.language)[0][0]  # in which other bytes are its letters
        sample = self._shown.runs(SAMPLE_BYTES)
        read = (page.characters[byte] for byte in sample.translate(None, ALL_ASCII))
        letters = list(filter(str.isalpha, read))
        inside = Counter(filter(page.alphabets[0].costs.__contains__, letters))
        frequent = "".join(char for char, _ in inside.most_common(LETTERS_SHOWN))
        outside = len(letters) - inside.total()
        found = found._replace(label=label, letters=frequent, counted=len(letters), outside=outside)
        return self._with_sibling(found)

    def _with_sibling(self, found: Detected) -> Detected:
        """Return the answer of the letters with the sibling of its page, where places of letters show it."""
        if self._places(found.label):
            return found._replace(label=BY_PLACE[found.label].sibling)
        return found

    def may_be_another(self, charset: Charset) -> bool:
        """Return True where the letters are to be judged even under the label of this charset."""
        if not isinstance(self._detector, (str, Letters)):  # `str | Letters` is made anew each time
            return False
        if self._letters_in_words(charset):
            return True
        if charset.family == "CJK":
            if charset.name not in self._seldom_frequent:
                seldom = seldom_frequent(self._judged[:SAMPLE_BYTES], charset)
                self._seldom_frequent[charset.name] = seldom
            return self._seldom_frequent[charset.name]
        if charset.superset in WESTERN_PAGES:
            mac = charset.superset == "windows-1252" and self._may_be_mac()
            if mac or may_be_no_western(self._judged, self._tagged, charset.superset):
                return True
            return charset.superset == "windows-1254" and self._may_be_neighbour(charset)
        if charset.page in LATIN_PAGES and (
            is_of_no_language(self._judged[:SAMPLE_BYTES], charset.superset) or self._may_be_western(charset)
        ):
            return True
        refuted = not charset.decodes_every_byte and not self._is_clean(charset)
        if charset.name in BY_PLACE and _places_of_sibling(charset.name, self.before, self.data):
            return True  # `ί` is `Я` of windows-1251
        if refuted or seldom_letters(self._judged[:SAMPLE_BYTES], charset):
            return True
        return self._may_be_neighbour(charset)

    def _may_be_western(self, charset: Charset) -> bool:
        return may_be_western(self._judged[:LOOKED_AT], charset.superset)

    def _may_be_neighbour(self, charset: Charset) -> bool:
        pages = self._neighbours(charset)
        return len(pages) > 0 and any(count_misread(self._judged[:LOOKED_AT], page)[0] for page in pages)

    def _may_be_mac(self) -> bool:
        """Return True where one byte beyond ASCII in MAC_SHARE is in 80-9F, and none of western text (what is
        mixed with UTF-8 has such bytes, too), or one in WITHIN_SHARE is a sign within a word."""
        data = self._judged[:LOOKED_AT]
        beyond = data.translate(None, ALL_ASCII)
        many = MAC_SHARE * len(beyond.translate(None, _NO_LETTERS_OF_MAC)) > len(beyond) >= MAC_LETTERS
        if many and not has_sequence(data):
            return True
        if WITHIN_SHARE * (len(beyond) - len(beyond.translate(None, _WITHIN_NO_WORD))) <= len(beyond):
            return False
        if data[:SAMPLE_BYTES].translate(_AS_WITHIN).rfind(b"aha") < 0:  # as in western text
            return False
        within = data.translate(_AS_WITHIN).count(b"aha")
        return within >= WITHIN_LEAST and WITHIN_SHARE * within > len(beyond)

    def _domain(self) -> str:
        return self._detector.domain if isinstance(self._detector, Letters) else ""

    def _letters_in_words(self, charset: Charset) -> bool:
        """Return True where letters stand in words of a to z under the label of a script that has none."""
        return charset.page not in LATIN_PAGES and self._in_words(charset) > 0

    def _in_words(self, charset: Charset) -> int:
        """Return the number of these letters; under windows-1256 without those of French, which it has."""
        of_french = charset.superset == "windows-1256"
        if of_french not in self._in_latin_words:
            before, data = self.before[-WORD_BYTES:], self._judged[:LOOKED_AT]
            capitals = 0
            if of_french and b"hhh" not in data[:QUICKLY].translate(HIGH):  # else there are none
                before, data = (part.translate(_FRENCH_AS_ASCII) for part in (before, data))
                capitals = len(_NO_TA_MARBUTA.findall(before + data))
            self._in_latin_words[of_french] = count_in_latin_words(before, data) + 2 * capitals
        return self._in_latin_words[of_french]

    def _language(self) -> Language | None:
        """Return the language that the document names."""
        domain = self._domain()
        data = self._tagged  # mostly it stands before the first non-ASCII byte
        if b"lang" not in data:
            if not domain and self.data.rfind(b"lang", 0, TAGGED - len(data)) < 0:
                return None
            data += self.data[: TAGGED - len(data)]
        return named_language(data, domain)[0]

    def _neighbours(self, charset: Charset) -> tuple[Neighbour, ...]:
        """Return the other pages of the language that the document names."""
        named = self._language()
        return neighbours_of(charset, named.name) if named else ()

    def _in_neighbour(self, charset: Charset) -> Detected | None:
        """Return the answer of the letters where it is a page of the language that the document names, also
        without that name, and has letters of it that the label does not have."""
        text = self._judged_text
        counts = ((page.name, count_misread(text[:LOOKED_AT], page)) for page in self._neighbours(charset))
        pages = {name: count for name, count in counts if count[0]}
        if not pages:
            return None
        found = self._by_letters
        alone = detect_label("letters", self._shown.apart())
        found, alone = (one and self._with_page(one) for one in (found, alone))
        if (
            not (found and alone)
            or found.label != alone.label
            or found.label not in pages
            or not self._is_cheaper(found, charset)
        ):
            return None
        misread, distinct = pages[found.label]
        letters = next(one.letters for one in LANGUAGES if one.name == found.language)
        if not set(found.letters).intersection(letters[:2]):  # `â` and `û` without `é` are Latvian
            return None
        in_words = 0 if charset.page in LATIN_PAGES else self._in_words(charset)
        if misread >= BESIDE_NAMES:  # a letter of `Málaga` in Norwegian, which both pages have, shows nothing
            page, own = _judged((found.label,), found.language)[0][0], byte_table(charset.superset, True)
            sample = self._shown.runs(SAMPLE_BYTES).translate(None, ALL_ASCII)
            alike = (own[byte] for byte in sample if own[byte] == page.characters[byte])
            names = sum(char.isalpha() and char not in page.alphabets[0].costs for char in alike)
            found = found._replace(outside=max(0, found.outside - names))
        return found._replace(
            misread=misread, misread_distinct=distinct, misread_under=charset.name, in_words=in_words
        )

    def record(self, body: Body) -> Body:
        """Return the facts with the counts that were made."""
        misplaced, misplaced_at = self._misplaced or (None, 0)
        return body._replace(
            utf8=self._utf8 or self._utf8_bounds,
            damage=tuple(self._damage.values()),
            sequences=tuple(self._sequences.values()),
            common=tuple(self._common.values()),
            misplaced=misplaced,
            detected=self._detected,
            scripts=self._scripts,
            distinct=self._distinct,
            sibling=self._sibling,
            costs=self._costs,
            misplaced_at=misplaced_at,
        )
