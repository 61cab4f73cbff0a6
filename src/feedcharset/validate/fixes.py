"""What the encoding of a document really is, the label that it should have, and the fix of each finding.

A fix is true: done literally, it removes the finding, adds no other error, and the text is the one that was
meant. So it names an encoding only where a label names it already or the bytes prove it, and only by a label
that every parser knows. Else the fix is to convert the document to UTF-8.
"""

from __future__ import annotations

import re
import unicodedata
from codecs import utf_8_decode
from typing import Literal, NamedTuple

from feedcharset.charsets import lazy_value
from feedcharset.charsets.decoders import charset_decoder, count_damage
from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.decide.lenient_principles import SERVER_DEFAULTS, is_mixture
from feedcharset.decide.thresholds import LATIN, hopeless_utf8
from feedcharset.evidence.alphabets import TAGGED
from feedcharset.evidence.damaged_utf8 import by_chance, has_sequence
from feedcharset.evidence.document_head import first_non_ascii
from feedcharset.evidence.language_detector import JudgedText, detect_by_letters
from feedcharset.evidence.scripts import LETTERED, WORDS, count_common, doubtful_words, is_latin_9, letters_in
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
from feedcharset.validate.western_words import (
    LettersAmongUtf8,
    binary_among_utf8,
    is_dos_or_mac,
    is_western,
    only_strays,
    without_utf8,
)

WINDOWS_WESTERN = ("windows-1252", "windows-1254", "ISO-8859-15")
"""Charsets that text in another script or code page cannot be told from, but by `is_western`."""

REPAIRED = ("UTF-8", "windows-1252", "ISO-8859-1")
"""What `repair` takes for UTF-8 with other bytes in it, or for windows-1252."""

LEGACY = ("single", "CJK", "ISO-2022-JP")
"""Families of ASCII-compatible charsets that a label must name."""

PRIVATE_USE = re.compile("[\ue000-\uf8ff]")
"""What decoders of East Asian charsets give for bytes that are no character, or one of the publisher's."""

_LETTER_ALONE = re.compile(rb"(?<![A-Za-z\x80-\xff])[\xc0-\xd6\xd8-\xf6\xf8-\xff](?![A-Za-z\x80-\xff])")

_WORD_OF_OTHERS = re.compile(rb"(?<![A-Za-z\x80-\xff])[\xa3\xb3\xb8\xc0-\xff]{2,}+(?![A-Za-z\x80-\xff])")
_BESIDE_LATIN = re.compile(rb"[A-Za-z][\xc0-\xff]|[\xc0-\xff][A-Za-z]")
_BASES = bytes(
    ord(
        unicodedata.normalize("NFD", bytes([byte]).decode("cp1252", "replace"))[0]
        .lower()
        .encode("cp1252", "replace")
    )
    for byte in range(0x100)
)
"""The letters of windows-1252 without their accents: `\xe0\xe1\xe2\xe4` is a list of one letter."""

TEXTS_PER_ODD = 8
"""One text in so many is odd where they are not western. The first ones count twice; one may be names."""

WORDS_OF_OTHERS = 5
"""Different words without a letter of a to z: western text has one or two (`\xd4\xf4`) among many others."""

JUDGED_BYTES, ENOUGH_LETTERS = 4096, 100
"""Bytes whose East Asian letters are counted, and how many of these are enough; each counts twice at most."""

_SELDOM_RIGHT = ("IBM", "x-mac-", "macintosh", "hp-", "windows-874", "TIS-620", "ISO-8859-11")
"""How the names of pages begin that hardly any label names rightly, or whose letters stand in no words."""

ALPHABET = 16
"""Letters, each of which stands alone, by which a file is a table of them: the Hebrew alphabet has 22, and no
text has as many words of one letter. A table shows no encoding, a western one neither."""

WORDS_SPAN = 16 * 1024
"""Bytes from the first non-ASCII one on whose words are judged."""

_CONTROL_OF_80_9F = re.compile(rb"[\x80-\x9f]")
_SIGN_IN_WORD = re.compile(
    rb"[A-Za-z][\x80\x82-\x84\x86-\x89\x8b\x98\x9b][a-z]|[a-z][\x82\x89\x8b](?![A-Za-z\x80-\xff])"
)
"""Signs of the Latin Windows pages where words have letters: DOS and Mac have them there (`Ignoré`)."""
_SIGN_FOR_LETTER = re.compile("(?<=[^\\W\\d_])(?<![ÂÃÄÅÐÑâ])[¢-§©¬®-±¶¸×÷ˆ-˝†‡•‰‹›€™←-⋿◊](?=[^\\W\\d_])")
_ASCII_FOR_LETTER = re.compile("(?<=[^\\W\\d_])[{}~`¦](?=[^\\W\\d_])")
"""Signs within words, where another page has letters, and that are no mojibake; those of EBCDIC are in code,
too."""


def superset_knows(name: str, data: bytes) -> bool:
    """Return True where the superset that lenient reading uses has a character for these bytes."""
    charset = by_name(name)
    if charset.superset == charset.name:
        return False
    text = PositionedDecoder(by_name(charset.superset), lenient=True).read(data, True).text
    return bool(text) and not ("\x80" <= text[0] <= "\x9f" or "\udc00" <= text[0] <= "\uddff")


def _is_repairable(comparison: ReadingComparison) -> bool:
    """Return True for UTF-8 whose other bytes `repair` converts, as far as the sample shows."""
    sample, utf8, label = comparison.sample, comparison.facts.body.utf8, comparison.facts.declared
    declared = lookup(label or "", lenient=True)
    charset = by_name(comparison.resolution.encoding)
    repaired = charset.name in REPAIRED or (
        is_mixture(comparison.resolution) and is_read_alike(sample, charset, mixed=True, complete=False)
    )
    if not repaired or has_damaged_escapes(comparison):
        return False
    if declared is not None and declared.refused:
        return False
    if not is_western(sample, mixed=True) or binary_among_utf8(sample) or is_latin_9(without_utf8(sample)):
        return False
    unknown = label is not None and declared is None
    if (utf8 is None or hopeless_utf8(utf8)) and (unknown or is_dos_or_mac(sample)):
        return False
    return LettersAmongUtf8.of(comparison).found_in(sample) is None


def is_read_alike(data: bytes, charset: Charset, *, mixed: bool, complete: bool) -> bool:
    """Return True where a single-byte charset reads each byte as windows-1252 does; in a mixture each byte
    that is not UTF-8, by its Windows page. `complete`: the end cuts no sequence."""
    codec = by_name(charset.superset).codec if mixed else charset.codec
    if charset.family != "single" or not codec:
        return False
    others = only_strays(utf_8_decode(data, "surrogateescape", complete)[0]) if mixed else data
    high = bytes(sorted(set(others).difference(range(0x80))))
    return high.decode(codec, "replace") == high.decode("cp1252", "replace")


def _shows(page: str, charset: Charset, data: bytes) -> bool:
    """Return True where the bytes show that a Windows page is right, and not only that its label is wrong.

    Its language does, or bytes 80-9F that are the same characters in every Windows page (quotation marks).
    """
    if not data.translate(None, bytes(range(0xA0))):
        return data.decode(by_name(page).codec or "", "replace") == data.decode("cp1252", "replace")
    found = detect_by_letters(JudgedText(data))
    return found is not None and found.label in (page, charset.name)


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


def is_table(data: bytes) -> bool:
    """Return True where many letters stand alone, and more than in words; or where hardly a letter stands
    beside one of a to z, and some words have none, as in patterns that hyphenate another script."""
    alone = _LETTER_ALONE.findall(data)
    if len(set(alone)) >= ALPHABET and 2 * len(alone) > sum(byte >= 0xC0 for byte in data):
        return True
    data = data.translate(None, b"0123456789")
    others = {word for word in _WORD_OF_OTHERS.findall(data) if len(set(word.translate(_BASES))) > 1}
    return len(others) >= WORDS_OF_OTHERS and len(set(_BESIDE_LATIN.findall(data))) < len(others)


def has_no_words(data: bytes, charset: Charset) -> bool:
    """Return True where the letters of text that was read in a charset are not those of words."""
    start = max(0, first_non_ascii(data))
    before = data[max(0, start - 1) : start]
    decoded = charset_decoder(charset, lenient=True).decode(data[start : start + WORDS_SPAN])
    return doubtful_words(before.decode("latin-1") + decoded, charset)


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

    @lazy_value
    def mixed(self) -> bool:
        """The document is in two encodings."""
        return is_mixture(self._comparison.resolution)

    @lazy_value
    def western(self) -> bool:
        """The bytes can be text in a Western European charset."""
        sample, mixed = self._comparison.sample, self.mixed
        return _is_repairable(self._comparison) if mixed else is_western(sample) and not is_dos_or_mac(sample)

    # -- the label ----------------------------------------------------------------------------------------

    @lazy_value
    def right(self) -> RightLabel:
        """The label that the document should have."""
        comparison = self._comparison
        if self.mixed and self.western:
            return RightLabel(None, "convert")
        if self.mixed or is_unnamed(comparison) or self._is_disputed() or self._is_written_in_ascii():
            return RightLabel(None, "unknown")
        sample, western = comparison.sample, comparison.main_charset.superset == "windows-1252"
        in_utf8 = western and self._needs_superset and not _CONTROL_OF_80_9F.search(without_utf8(sample))
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
        if self._needs_superset:
            return self._superset.name
        if charset.family == "US-ASCII":  # the next item may hold a non-ASCII character
            declared = lookup(self._comparison.facts.declared or "")
            if declared is None or not declared.ascii_compatible or parsers_without(declared.name):
                return "UTF-8"
            return declared.name
        return charset.name

    @property
    def _needs_superset(self) -> bool:
        """Whether the document has characters that the charset it is in lacks, and its superset has. Where it
        is read by another label no finding about these bytes shows it."""
        comparison, charset = self._comparison, self._comparison.main_charset
        read = known(self._facts.charset or self._facts.declared)
        if comparison.needs_superset or read is None or read is charset or charset.family != "single":
            return comparison.needs_superset
        marks = set(_CONTROL_OF_80_9F.findall(comparison.sample))
        return any(superset_knows(charset.name, mark) for mark in marks)

    @property
    def _superset(self) -> Charset:
        """The charset that has the characters which the named one lacks."""
        return by_name(self._windows_page or self._comparison.main_charset.superset)

    @lazy_value
    def _windows_page(self) -> str | None:
        """The Windows page of the script, where a document labelled ISO-8859 is the same text in it."""
        comparison = self._comparison
        charset, first = comparison.main_charset, comparison.first_non_ascii
        page = charset.windows_page
        if not page or first is None or comparison.end - first.offset > SAMPLE:
            return None
        one, other = (PositionedDecoder(by_name(name), lenient=True) for name in (page, charset.name))
        return page if one.reads_alike(other, comparison.sample) else None

    def _is_disputed(self) -> bool:
        """Return True where the label that lenient reading follows may be wrong.

        Only legacy charsets can be disputed; UTF-8, UTF-16 and UTF-32 prove themselves.
        """
        comparison, charset = self._comparison, self._comparison.main_charset
        if has_damaged_escapes(comparison):
            return True
        is_ebcdic, text = charset.family == "EBCDIC", comparison.head_block.text
        if is_ebcdic or (charset.name.startswith(("macintosh", "x-mac-")) and not comparison.has_utf8):
            if not is_ebcdic:
                text = PositionedDecoder(charset, lenient=True).read(comparison.sample, True).text
            signs = _SIGN_FOR_LETTER.findall(text)
            ascii_signs = _ASCII_FOR_LETTER.findall(text) if is_ebcdic else []
            if len(signs) > 1 or (len(ascii_signs) > 2 and len(set(ascii_signs)) > 1):
                return True  # `Pijamal› hasta ya€›z` under macintosh
        if charset.family not in LEGACY or comparison.facts.body.first_non_ascii is None:
            return False
        declared, sent = self._facts.declared, lookup(self._facts.charset or "", lenient=True)
        if declared and lookup(declared, lenient=True) is None and sent and sent.name in SERVER_DEFAULTS:
            return True  # the server hardly knows what TCVN is
        is_latin = charset.page in (*LATIN, "crowded latin")
        if not (is_latin or comparison.has_utf8) and self._is_doubtful_in(charset):
            return True  # El niсo under windows-1251
        if self._facts.bom == "UTF-8" and has_sequence(comparison.sample):
            return True
        judged = charset.family == "CJK" or charset.name.startswith(_SELDOM_RIGHT)
        if judged and not (self._is_mostly_frequent(charset) or self._fits_best(charset)):
            return True
        if charset.superset in WINDOWS_WESTERN:
            found = detect_by_letters(JudgedText(comparison.sample))
            foreign = by_name(found.label) if found is not None and found.foreign else charset
            if foreign.superset != charset.superset or not self.western:  # Czech under ISO-8859-1
                return True
        if self._needs_superset:
            western = self._superset.name == "windows-1252" and not comparison.has_utf8
            letters = LettersAmongUtf8.of(comparison)  # of DOS or Mac, perhaps
            if western and any(map(letters.found_in, (comparison.head, comparison.sample))):
                return True
            texts = sum(not text.isascii() for text in re.split(rb"[<>\r\n]", comparison.sample))
            if letters.odd > 2 and TEXTS_PER_ODD * letters.odd > texts:  # `Úwiæto` under ISO-8859-1
                return True
            one, other = (PositionedDecoder(known, lenient=False) for known in (charset, self._superset))
            for decoder in (one, other):
                decoder.read(comparison.sample, True)
            if self._superset.page in LATIN and _SIGN_IN_WORD.search(comparison.sample):
                return True
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

    def _is_mostly_frequent(self, charset: Charset) -> bool:
        """Return True where most letters of an East Asian charset are frequent ones: then they fit best."""
        if charset.family != "CJK":
            return False
        count = count_common(letters_in(self._comparison.sample[:JUDGED_BYTES], charset), charset.name)
        return count.characters >= ENOUGH_LETTERS and 2 * count.frequent > count.characters

    def _fits_best(self, charset: Charset) -> bool:
        """Return True where the letters are those of the charset, and not of another one, in which every
        byte is a character, too."""
        sample = self._comparison.sample
        if len(utf_8_decode(sample, "ignore")[0].encode()) == len(sample):  # é é under GBK
            return False
        if charset.page in WORDS and charset.superset not in LETTERED:  # no language is counted in IBM737
            return False
        clearly = charset.family != "CJK" and charset.page not in WORDS
        found = detect_by_letters(
            JudgedText(sample, beginning=self._comparison.head[:TAGGED]), clearly=clearly
        )
        if found is None:  # it can be windows-1252
            return not self._is_doubtful_in(charset) and self._is_doubtful_in(by_name("windows-1252"))
        best = lookup(found.label, lenient=True) or charset
        few = charset.family == "CJK" and best.family == "single" and found.counted < 3
        if best.name == "windows-1252":
            return charset.family == "CJK"
        if few or (found.outside and (charset.page in WORDS or "CJK" in (charset.family, best.family))):
            return True
        one, other = (PositionedDecoder(one, lenient=True) for one in (charset, best))
        return best.superset == charset.superset or one.reads_alike(other, sample)

    def _is_doubtful_in(self, charset: Charset) -> bool:
        """Return True where the sample has characters for private use, or letters that make no words."""
        text = PositionedDecoder(charset, lenient=True).read(self._comparison.sample, True).text
        return PRIVATE_USE.search(text) is not None or doubtful_words(text, charset)

    def _page_of_c1(self) -> str | None:
        """The Windows page, other than Western ones, in which bytes 80-9F are characters."""
        charset, sibling = self._comparison.main_charset, self._comparison.facts.body.sibling
        page = None
        if sibling is not None and sibling.sibling == charset.name:
            page = charset.name
        elif self._needs_superset and charset.family == "single":
            page = self._superset.name
        return page if page not in WINDOWS_WESTERN else None

    # -- the fixes ----------------------------------------------------------------------------------------

    def header(self, *, changes: bool = False) -> Fix | None:
        """The Content-Type with the right media type and charset; `changes`: it has to change in any case."""
        behind = self._facts.bom is None and self._comparison.facts.bom is not None  # white space
        if self.right.advice != "label" or self._has_wrong_bom() or behind:
            return self.whole(header=changes)
        return Fix("content-type", self._content_type(self.right.label))

    def declaration(self, *, changes: bool = False) -> Fix | None:
        """The declaration with the right encoding; None where another one stands further down. `changes`: it
        has to change in any case."""
        if self._comparison.head_block.misplaced_declaration:
            return None
        if self.right.advice != "label":
            return self.whole()
        if self._has_wrong_bom():
            return self.before_document() if self._is_named and not changes else self.whole()
        return Fix("declaration", self.declared(self.right.label or "UTF-8"))

    def label(self) -> Fix | None:
        """The header, where it names a charset, or the declaration, or what hides that."""
        if self._facts.charset is not None:
            return self.header()
        is_hidden = self._is_named and self._facts.declared is None and self.right.advice == "label"
        return self.before_document() if is_hidden and not self._has_wrong_bom() else self.declaration()

    @property
    def _is_named(self) -> bool:
        """The declaration names the right label already."""
        return (self._comparison.facts.declared or "").lower() == (self.right.label or "").lower()

    def convert(self, *, header: bool = False) -> Fix | None:
        """Convert the document to UTF-8, with the labels that it must have then; None as for a declaration.

        `header`: the Content-Type has to change in any case.
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
            return self.whole()
        return Fix("remove-bom", f"remove the BOM (the first {self._comparison.bom_length} bytes)")

    def before_document(self) -> Fix | None:
        """Remove what stands before the document, but for its own BOM."""
        if self._comparison.main_charset.family == "UCS-4" or not self._is_labelled:
            return self.whole()
        return Fix("remove", self._first().removesuffix("; then "))

    def _first(self) -> str:
        """What to remove before the document, but for its own BOM; "" where that is nothing."""
        start = 0 if self._has_wrong_bom() else self._comparison.bom_length
        size = self._comparison.facts.body.start - start
        return f"remove {counted(size, 'byte')} at offset {start}; then " if size else ""

    @lazy_value
    def _is_labelled(self) -> bool:
        """Without what stands before the document, which hides its labels, they are right."""
        facts, charset = self._comparison.facts, self._comparison.main_charset
        right = lookup(self.right.label or charset.name) or charset
        labels = filter(None, (facts.declared, facts.charset if self._has_wrong_bom() else None))
        named = [(label, lookup(label)) for label in labels]
        if not named and right.name not in ("UTF-8", "US-ASCII"):
            return facts.bom == charset.name or bool(facts.charset)
        form = charset if charset.family in ("UTF-16", "UTF-32") else right  # the BOM is one of an order
        return all(
            one and agree(one, right) and agree(one, form) and not parsers_without(label)
            for label, one in named
        )

    def _has_wrong_bom(self) -> bool:
        bom, charset = self._facts.bom, self._comparison.main_charset
        return bom is not None and charset.name != bom and (bom != "UTF-8" or charset.family != "US-ASCII")

    def bytes(self, charset: Charset, in_superset: bool, character: str) -> Fix | None:
        """The fix for bytes that do not decode in the charset in which they are reported, or are C1 controls.

        `in_superset`: lenient reading has a character for them, in the superset of the charset. `character`:
        what the bytes mean in UTF-8, or "".
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

    def whole(self, *, header: bool = False) -> Fix | None:
        """The whole document in UTF-8: where no label can be written, or one fault hides another."""
        return self.unknown(header=header) if self.right.advice == "unknown" else self.convert(header=header)

    def _content_type(self, label: str | None) -> str:
        charset = f"; charset={label}" if label else ""
        return f"Content-Type: {media_type_for(self._facts, self._comparison.root)}{charset}"
