"""What a file is that `repair` shall convert: binary data, or text in one encoding, and in which.

`JudgedFile.judge` gives the charset of a whole file, windows-1252 where the bytes that are not UTF-8 are
western words, or the reason why the file is refused. Every byte is a character in windows-1252, so the label,
the decision of `resolve` and the words have to agree (western_words.py). `is_binary` and `has_signature` find
what is no text in any encoding. `named_in_text` reads the label of a text that is no XML, `PartCharsets`
those of the parts of a mail.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, utf_8_decode
from collections.abc import Iterator
from itertools import islice

from feedcharset.charsets import lazy_value
from feedcharset.charsets.decoders import count_damage
from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.decide.lenient_chain import GUESSING_STEPS
from feedcharset.decide.lenient_principles import is_mixture
from feedcharset.decide.resolve import resolve
from feedcharset.decide.thresholds import LATIN, TOLERANCE, hopeless_utf8, tolerable_utf8
from feedcharset.evidence.alphabets import TAGGED, UNNAMED
from feedcharset.evidence.damaged_utf8 import has_sequence
from feedcharset.evidence.scripts import ALL_ASCII, common_in
from feedcharset.results import Resolution
from feedcharset.results.explanation import visible
from feedcharset.results.facts import Detected
from feedcharset.validate.fixes import has_no_words, is_read_alike, is_table
from feedcharset.validate.text_findings import utf8_in_charset
from feedcharset.validate.western_words import (
    BOXES,
    another_encoding,
    has_odd_signs,
    has_only_signs,
    is_western,
)

TEXT_SPAN = 8000
"""Bytes in which a NUL means that a file is no text: as git does."""

CONTROL_BYTES = bytes([*range(9), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F])
SEPARATORS = bytes([0x01, 0x08, *range(0x1C, 0x20)])
"""Control characters with which text may begin: separators of fields (Hive), of records (JSON text sequences,
RFC 7464) and of mails (MMDF), and bold words of manual pages."""

END_OF_TEXT = b"\x1a"
"""Ctrl-Z, with which text of CP/M and DOS ends, and with which CP/M fills its last 128 bytes."""

SIGNATURE_SPAN = 8
"""First bytes in which any other control character belongs to a binary format, however few follow: .mo begins
with DE 12 04 95, .qm with 3C B8 64 18, .dbf and .bcmap with 03. Of 240,000 text files of a system only those
in UTF-16, UTF-32 and ISO-2022-KR have one there."""

NOISE_SPAN = 1024
"""First bytes that are binary where NOISE_SHARE of them are such characters, not always the same. No text of
that system has two different ones there; of deflate data of 50 bytes 94 % are refused, of 120 all."""

NOISE_SHARE = 40
"""One in so many: text that was damaged has fewer."""

SPACES_SHARE = 32
"""One byte in so many, at least, is a space in text that has spaces."""

_BETWEEN_FIELDS = (re.compile(rb"\x01++"), re.compile(rb"\x08++"), re.compile(rb"[\x1c-\x1f]++"))
"""Which of SEPARATORS stand together. MARC has 1D, 1E and 1F, and files of Hive and FIX 01."""

ROW_OF_SEPARATORS = 8
"""Separators in a row, on an average, between fields of which some are empty. More are no separators."""

_ALL_BUT_CONTROLS = bytes(set(range(0x100)).difference(CONTROL_BYTES))

CONTROL_SHARE = 20
"""One control character in 20 bytes: random bytes have one in 9, damaged text some in a megabyte."""

LEAST_CONTROLS = 20
"""Control characters that a few bytes of damaged text may have; 200 random bytes have more."""

WIDE_SPACES = 40
"""Characters of UTF-16 for each line end, or one of WIDE_SIGNS, at most. Other data hardly has these as
numbers."""
WIDE_SIGNS = " 、。，"
WIDE_LEAST = 8
"""Characters of East Asian text, at least: two letters of ASCII are one, too, and text may hold a NUL."""

_WINDOWS_1252 = by_name("windows-1252")
_SAME_DIGITS = bytes(ord("1") if byte in b"0123456789" else byte for byte in range(0x100))
_LINE_ENDS = re.compile(rb"[\r\n<>]+")
_WORD_END = re.compile(rb"[\s'\"<>(),;]")

LETTERS_AMONG_CODE = 24
"""Letters beyond ASCII by which words alone show another page: a few lines of names may have any."""

LETTERS_OF_PART = 24
"""Letters beyond ASCII, at least, of lines that are judged together. Of 22,486 such parts in 28 western
languages none was taken for another encoding; of 3,885 in 20 other pages 94 % are found."""
MOST_OTHER_TEXT = 32
"""Parts that are judged, each in half a millisecond."""

LETTERS_BESIDE_LABEL = 16
"""East Asian letters by which a label of another script that may be true is overruled. Fewer are words."""

_JIS_TEXT = re.compile(rb"\x1b\$[@B](?:[!-~]{2})+\x1b\([BJ]")
_LIKE_LABEL = re.compile(r"[\d-]|ANSEL|SCII")
"""In the name of a charset that is not known (ANSEL); names of variables and values are other words."""
_DOS_OR_MAC = "it seems to be DOS or Mac text or in an encoding that nothing names"
_USUAL_PAGES = ("IBM850", "IBM852", "macintosh")

_TABLE_OF_LETTERS = (
    "its letters stand alone, as in a table of them, and show no encoding; feedcharset cat --encoding LABEL "
    "converts it; repair --force reads it as windows-1252"
)


def is_binary(data: bytes, least: int = LEAST_CONTROLS, *, surely: bool = False) -> bool:
    """Return True where some 8,000 bytes have as many control characters as binary data has, but separators.

    Args:
        least: so many control characters, and one more, are needed in any case.
        surely: what a file system has filled with NULs is not binary.
    """
    if surely and b"\0\0" in data:
        data = re.sub(rb"\0{2,}+", b"\0", data)
    data = data.rstrip(END_OF_TEXT)
    for at in range(0, len(data), TEXT_SPAN):
        span = data[at : at + TEXT_SPAN]
        controls = span.translate(None, _ALL_BUT_CONTROLS)
        if len(controls) > max(least, len(span) // CONTROL_SHARE) and not _are_separators(controls, span):
            return True
    return False


def unnamed_utf16(data: bytes) -> str:
    """Return the name of UTF-16 in which the first bytes are text with spaces or line ends; "" for none. Of
    ten characters nine are below U+2000, where no two bytes of ASCII are, or common East Asian ones."""
    data = data[: min(len(data), TEXT_SPAN) & ~1]
    for name, codec in (("UTF-16LE", "utf-16-le"), ("UTF-16BE", "utf-16-be")):
        text = data.decode(codec, "replace")
        ends = sum(map(text.count, "\t\r\n"))
        is_text = sum(map(str.isprintable, text)) + ends == len(text)
        is_spaced = 0 < len(text) <= WIDE_SPACES * (sum(map(text.count, WIDE_SIGNS)) + ends)
        letters = list(filter("\u2000".__gt__, text))
        if len(text) >= WIDE_LEAST:
            letters += [char for char in text if "\u3000" <= char <= "\u30ff" or common_in(char)]
        if is_text and is_spaced and 10 * len(letters) >= 9 * len(text):
            return name
    return ""


_UTF16_ROW = re.compile(rb"(?:[\t\n\r -~]\0){8}|(?:\0[\t\n\r -~]){8}")
_UTF16_LINE_END = re.compile(rb"\n\0|\0\n")
LINE_ENDS_LOOKED_AT = 16
"""Of a text with NULs, in which the first may be damage."""


def utf16_within(data: bytes) -> int:
    """Return where a line in UTF-16 begins in other text, to which a program has added it; -1 for none."""
    if b"\0" not in data:
        return -1
    row = _UTF16_ROW.search(data)
    if row is not None:
        return data.rfind(b"\n", 0, row.start() + 1) + 1
    for end in islice(_UTF16_LINE_END.finditer(data), LINE_ENDS_LOOKED_AT):
        start = data.rfind(b"\n", 0, end.start()) + 1
        line = data[start : end.end()]
        if not line.strip(b"\0\r\n"):  # a NUL behind a line end, as in files of Info
            continue
        if unnamed_utf16(line[2:] if line.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else line):
            return start
    return -1


def utf16_seen(at: int) -> str:
    """What is told of such a line, by its offset."""
    return f"at byte {at} it has UTF-16; convert each part from its own encoding"


def _are_separators(controls: bytes, span: bytes) -> bool:
    """Return True where all control characters of a text are separators of one kind, with text between."""
    kind = next((one for one in _BETWEEN_FIELDS if one.fullmatch(controls)), None)
    return kind is not None and ROW_OF_SEPARATORS * len(kind.findall(span)) >= len(controls)


def has_signature(data: bytes) -> bool:
    """Return True where a file begins as a binary format does; a lost block of NULs is none."""
    first = data[:SIGNATURE_SPAN].translate(None, SEPARATORS)
    if first.strip(b"\0") and len(first) > len(first.translate(None, CONTROL_BYTES)):
        return True
    beginning = data[:NOISE_SPAN].translate(None, SEPARATORS + b"\0")  # numbers of four bytes have both
    controls = beginning.translate(None, _ALL_BUT_CONTROLS)
    many = len(set(controls)) > 1 and len(controls) > len(beginning) // NOISE_SHARE
    return many or bool(beginning[:SIGNATURE_SPAN].translate(None, _ALL_BUT_CONTROLS))


def _resolve(data: bytes, *, complete: bool) -> Resolution:
    """The decision; the charset that a text names itself is its label and its declaration."""
    label = named_in_text(data)
    charset = lookup(label or "", lenient=True)
    is_label = charset is not None and charset.family in ("single", "CJK", "ISO-2022-JP") and label != "ANSI"
    resolution = resolve(data, f"text/plain; charset={label}" if is_label else None, complete=complete)
    if label == "ANSI":  # of GEDCOM: the page of the system on which it was written
        label = _WINDOWS_1252.name
    elif not is_label and not (charset.refused if charset else label and _LIKE_LABEL.search(label)):
        return resolution
    return resolution._replace(facts=resolution.facts._replace(declared=label))


def _is_ebcdic(data: bytes) -> bool:
    """Return True for text in EBCDIC that is no XML: most bytes are not ASCII, and spaces are 40."""
    if SPACES_SHARE * data.count(b"@") < len(data) or any(map(data.__contains__, b" \t\n")):
        return False
    return 2 * len(data.translate(None, ALL_ASCII)) > len(data)


_OTHER_TEXT = "text in another encoding, UTF-8 perhaps; convert each part from its own"


class JudgedFile:
    """What a file is: the facts, and the charset that follows from them.

    Attributes:
        resolution: the decision, without a UTF-8 BOM before what is hardly UTF-8.
        declared: the charset of its label.
        charset: that of the resolution; UTF-8 where its label is not known.
        is_utf8: UTF-8 prevails.
        guessed: no label names the charset.
    """

    def __init__(self, data: bytes, *, complete: bool, force: bool = False) -> None:
        resolution = _resolve(data, complete=complete)
        utf8 = resolution.facts.body.utf8
        self.is_utf8: bool = utf8 is not None and not hopeless_utf8(utf8)
        if resolution.facts.bom == "UTF-8" and utf8 is not None and not self.is_utf8:
            resolution = _resolve(data[3:], complete=complete)
        self.label: str | None = resolution.facts.declared
        self.declared: Charset | None = lookup(self.label or "", lenient=True)
        charset = lookup(resolution.encoding, lenient=True) or by_name("UTF-8")
        self.has_sequences: bool = has_sequence(data)
        if not self.has_sequences and charset == _WINDOWS_1252 and resolution.rule in GUESSING_STEPS:
            # INSERT INTO ... VALUES is no text: its letters are not those of the strings
            words = b" ".join(word for word in _WORD_END.split(data) if not word.isascii())
            again = _resolve(words, complete=complete)
            other, letters = lookup(again.encoding, lenient=True), again.facts.body.detected
            enough = letters is not None and len(words.translate(None, ALL_ASCII)) >= LETTERS_AMONG_CODE
            if enough and other is not None and other.page in LATIN and other.superset != _WINDOWS_1252.name:
                charset, resolution = other, again
        self.data: bytes = data
        self.complete: bool = complete
        self.force: bool = force
        self.charset: Charset = charset
        self.resolution: Resolution = resolution
        self.guessed: bool = resolution.rule in GUESSING_STEPS
        # It is refused where its words are none. Binary data is refused elsewhere.
        self.doubtful: bool = not (self.is_utf8 or force or has_signature(data) or is_binary(data))

    @lazy_value
    def _other(self) -> Detected | None:
        """The encoding in which its bytes are letters, but those of windows-1252."""
        return another_encoding(self.data, self.data[:TAGGED])

    def _is_surely_utf8(self) -> bool:
        """UTF-8, or ASCII: a label that is not known may be any name of it. Of a few sequences EUC-TW has as
        many, by chance, as other bytes."""
        utf8 = self.resolution.facts.body.utf8
        if utf8 is None:
            return self.data.isascii() and self.charset.family in ("UTF-8", "US-ASCII")
        enough = self.is_utf8 and (utf8.sequences or 0) >= TOLERANCE["UTF-8"].least
        return enough or tolerable_utf8(utf8)

    def _dos_or_mac(self) -> str:
        """Why it is refused, with the page that its letters fit best first, unless IBM850 reads it alike."""
        other = self._other
        named = other.label if other is not None and len(other.letters) > 1 else ""
        best = by_name(named if named in UNNAMED else "IBM850")
        high = bytes(byte for byte in range(0x80, 0x100) if byte in self.data)
        alike = high.decode(best.codec or "", "replace") == high.decode("cp850", "replace")
        first = "IBM850" if alike else best.name
        others = ", ".join(page for page in _USUAL_PAGES if page != first)
        how = f"feedcharset cat --encoding {first} (or {others} ...) converts it: look at its letters"
        return self._of_page(best, _DOS_OR_MAC, f"{how}; repair --force reads it as windows-1252")

    def _of_page(self, page: Charset, seen: str, how: str) -> str:
        """Why it is refused, and how it is converted from a page; UTF-8 in it would be converted as well."""
        found = utf8_in_charset(self.data, page) if self.has_sequences else None
        if found is None:
            return f"{seen}; {how}"
        how = "convert each part from its own encoding; --force reads the others as windows-1252"
        return f"{seen}, but it has UTF-8: {visible(found[1][:40])}; {how}"

    def judge(self) -> Charset | str:
        """Return the charset of the file: windows-1252 for western text, UTF-8 for what is mostly UTF-8; or
        why it is refused. The first that answers decides."""
        judges = (self._by_label, self._by_jis, self._by_ebcdic, self._by_east_asian, self._by_page)
        answers = (one() for one in (*judges, self._by_words))
        return next((one for one in answers if one is not None), _WINDOWS_1252)

    def _by_label(self) -> str | None:
        declared = self.declared
        if declared is not None and declared.refused:  # UTF-7
            return f"the file is declared as {declared.name}, which is not converted"
        if self.label and declared is None and not (self.force or self._is_surely_utf8()):
            forced = JudgedFile(self.data, complete=self.complete, force=True).judge()
            how = forced if isinstance(forced, str) else f"repair --force reads it as {forced.name}"
            return f"the file is declared as {visible(self.label)}, a charset that is not known here; {how}"
        return None

    def _may_be_text(self) -> bool:
        return self.doubtful or self.is_utf8 or self.force or not self.guessed

    def _by_jis(self) -> str | None:
        """ISO-2022-JP beside other text."""
        data, declared = self.data, self.declared
        if declared is not None and declared.family == "ISO-2022-JP" and b"\x1b" in data and not self.force:
            seen = "the file is declared as ISO-2022-JP, and"
            if self.has_sequences:
                return f"{seen} has {_OTHER_TEXT}"
            if self.resolution.encoding != "ISO-2022-JP":
                return f"{seen} its escape sequences are damaged; --force repairs it as UTF-8"
        has_jis = _JIS_TEXT.search(data) is not None
        of_jis = self.charset.family == "ISO-2022-JP" or not self.force or has_jis
        of_others = self.has_sequences or (has_jis and not data.isascii())
        if of_jis and self._may_be_text() and of_others and b"\x1b$" in data:
            return f"it has text in ISO-2022-JP, and {_OTHER_TEXT}"
        return None

    def _by_ebcdic(self) -> str | None:
        charset, declared = self.charset, self.declared
        ebcdic = charset if charset.family == "EBCDIC" else by_name("IBM037")
        is_ebcdic = ebcdic is charset or _is_ebcdic(self.data)
        if not is_ebcdic or (declared is not None and declared.family == "EBCDIC"):
            return None
        how = f"feedcharset cat --encoding {ebcdic.name} (or IBM273, IBM1026 ...) converts it"
        seen = f"it seems to be in {ebcdic.name} or another page of EBCDIC, which nothing names"
        return f"{seen}; {how}: look at its letters"

    def _by_east_asian(self) -> Charset | str | None:
        """Words in an East Asian charset: traditional Chinese in GB18030 has UTF-8 by chance. Boxes of DOS
        would be such words, too."""
        data, charset = self.data, self.charset
        if self.guessed and self.doubtful and charset.name != "IBM866" and BOXES.search(data):
            return self._dos_or_mac()
        found = self.resolution.facts.body.detected
        best = lookup(found.label) if found is not None else None
        is_labelled = not self.guessed and self.declared == charset and charset.page not in LATIN  # `ไฟล์`
        few = is_labelled and found is not None and found.counted < LETTERS_BESIDE_LABEL
        if best is None or best.family != "CJK" or few or is_western(data, mixed=True):
            return None
        is_wrong = has_no_words(data, best) or count_damage(best, data, final=self.complete).places
        return None if is_wrong else best

    def _by_page(self) -> Charset | str | None:
        """The charset of the decision, unless its letters are no words, or windows-1252 reads them alike."""
        data, charset, declared = self.data, self.charset, self.declared
        if charset.family in ("UTF-8", "US-ASCII"):
            return by_name("UTF-8")
        # The letters may fit a page best in which they are no words: `Kšln`.
        no_words = self.guessed and charset.superset != _WINDOWS_1252.name and has_no_words(data, charset)
        is_other = charset.family == "single" and charset.page not in LATIN
        if self.guessed and self._may_be_text() and is_other:
            other = self._other
            page = lookup(other.label) if other is not None and other.label in UNNAMED else None
            if page is not None and page.page not in LATIN:  # Greek in IBM737 has letters of IBM866
                seen = f"it seems to be in {page.name}, which nothing names"
                return self._of_page(page, seen, f"feedcharset cat --encoding {page.name} converts it")
            no_words = no_words or (page is not None and self.doubtful)
        as_western = charset.name in ("ISO-8859-1", "windows-1252")
        if not (no_words or as_western) and self.guessed and charset.page in LATIN:
            as_western = has_only_signs(data)  # all that it would read otherwise touches no letter
        if not (no_words or as_western) and (is_mixture(self.resolution) or not self.has_sequences):
            as_western = is_read_alike(data, charset, mixed=self.has_sequences, complete=self.complete)
        beside_utf8 = no_words and self.has_sequences and not is_western(data, mixed=True)
        if beside_utf8 and declared is not None and declared.family == "CJK":
            return f"the file is declared as {declared.name}, and has {_OTHER_TEXT}"
        if no_words:
            return self._dos_or_mac() if self.doubtful else _WINDOWS_1252
        return None if as_western else charset

    def _by_words(self) -> Charset | str | None:
        """What nothing names and windows-1252 may be, by its words, each phrase once, and by its parts."""
        data = self.data
        if not self.doubtful:
            return None
        other = self._other
        if has_odd_signs(data) if other is None else other.label in UNNAMED:
            return self._dos_or_mac()
        if other is not None and (named := lookup(other.label)) is not None:
            return named
        if self.declared is None and is_table(data):
            return _TABLE_OF_LETTERS
        # Phrases that many lines repeat hide others: each is judged once, whatever numbers are beside it.
        lines = [line for line in _LINE_ENDS.split(data) if not line.isascii()]
        once = {line.translate(_SAME_DIGITS): line for line in lines}  # of a label they stay
        if 2 * len(once) <= len(lines):
            judged = JudgedFile(b"\n".join(once.values()), complete=True).judge()
            if isinstance(judged, str) or judged.name not in ("UTF-8", _WINDOWS_1252.name):
                return judged
        for part in () if self.has_sequences else _parts(lines):
            if (other := another_encoding(part, data[:TAGGED])) is not None:
                first = part.split(b"\n")[0].decode(by_name(other.label).codec or "", "replace")
                return (
                    f"a part of it seems to be in {other.label}: {visible(first.strip()[:40])}; "
                    "convert each part from its own encoding; --force reads all as windows-1252"
                )
        return None


def _parts(lines: list[bytes]) -> Iterator[bytes]:
    """Yield lines in a row that have enough letters to show another encoding. A log has lines of programs of
    different age."""
    numbers = [len(line.translate(None, ALL_ASCII)) for line in lines]
    least, part, number = max(LETTERS_OF_PART, sum(numbers) // MOST_OTHER_TEXT), list[bytes](), 0
    for line, more in zip(lines, numbers, strict=True):
        part.append(line)
        number += more
        if number >= least:
            yield b"\n".join(part)
            part, number = [], 0
    if number > least // 2:
        yield b"\n".join(part)


NAMED_SPAN = 4096
"""First bytes in which a text that is no XML names its charset: before the header of a catalogue stand its
licence and its translators. What stands later is about a part, as in a box of mails."""

CODING_LINES = 5
"""First lines in which Vim reads a modeline; Python and Emacs read two."""

_LABEL = rb"[ \t]*+[=:]?[ \t]*+[\"']?([A-Za-z][\w.+-]*+)"
_CODING = re.compile(rb"(?i)(?<!-en)coding(?=[ \t]*+[=:])(?!:USASCII\b)" + _LABEL)  # OFX has two keys
# Headers of catalogues, mails and HTML, parameters of vCard; HTML; CSS; Vim; LaTeX; SQL; resources, ASP
# and OFX; dictionaries; GEDCOM; MARC 21, whose byte 9 is a space, or `a` for UTF-8.
_CHARSET_NAMED = re.compile(
    rb"(?i)(?:[;,][ \t\r\n]*+charset|<meta[ \t\r\n]++charset|\A@charset|\bscriptencoding)"
    + _LABEL
    + rb"|\\(?:usepackage\s*+\[[ \t]*+([\w-]++)[ \t]*+\]\s*+\{(?:\w++,)*+inputenc|inputencoding\{([\w-]++))\}"
    + rb"|(?:\bSET[ \t]++(?:NAMES[ \t]|client_encoding[ \t]++TO[ \t])|\bcharacter_set_client[ \t]*+="
    + rb"|'client_encoding'[ \t]*+,|(?m:^)\\encoding[ \t])[ \t]*+[\"']?([A-Za-z]\w*+(?:-\w++)*+)"
    + rb"|(?m:^(?-i:CHARSET):[ \t]*+(ISO-8859-\d++)[ \t]*+\r?$)"
    + rb"|(?:code_?page|charset)[ \t]*+[(=:][ \t]*+\"?(437|737|775|8(?:5[02578]|6[0-69]|74)|9(?:32|36|49|50)"
    + rb"|125[0-8]|10000|10007|10029|20866|21866|28(?:59[1-9]|60[35])|51932|51949|54936)\b"
    + rb"|(?m:^(?-i:SET)[ \t]++(?:microsoft-)?+([A-Za-z][\w.+-]*+)[ \t]*+\r?$)"
    + rb"|\A(?:microsoft-)?+(iso-?8859-\d++|koi8-[ru]|cp125\d)[ \t]*+\r?\n"
    + rb"|[\r\n][ \t]*+1[ \t]++CHAR[ \t]++([A-Za-z][\w.+-]*+)(?=[ \t]*+[\r\n])"
    + rb"|\A\d{5}[ -~]{4}( )[\d ]{7}[ -~]{3}450[0 ]"
)
_OWN_NAMES = {"IBMPC": "IBM437", "ansinew": "windows-1252", "applemac": "macintosh", "macce": "x-mac-ce"}
_OWN_NAMES[" "] = "MARC-8"
"""Labels of GEDCOM, LaTeX and MARC that are none of the Encoding Standard."""
_DECLARED_UTF8 = re.compile(
    rb"<\?xml[^<>]*?[\"'](?i:utf-?8)[\"'][^<>]*+>(?=\s*+<(?i:!doctype\s++html|html)\b)"
)
_TRANSFORMATIONS = ("base64", "bz2", "hex", "idna", "punycode", "quopri", "rot13", "uu", "zlib")
"""Python's codecs that are no charsets: a vCard has `ENCODING=QUOTED-PRINTABLE`, or `ENCODING=b`."""
_NO_XML = re.compile(
    rb"\s*+(?:[^<\s]|<%|<\?(?!xml)|<(?:!--.*?-->\s*+<)?(?:!doctype\s++html\b"
    rb"|(?:html|head|meta|title|link|script|style|body|form|div|p|a|table|span|font|center)[\s/>]))",
    re.DOTALL | re.IGNORECASE,
)


def _known_label(found: bytes) -> str:
    """Return a label as the table of charsets has it: that of resources is the number of a code page."""
    label = found.decode("latin-1")
    return _OWN_NAMES.get(label) or (f"cp{label}" if label.isdigit() else label)


def named_in_text(data: bytes) -> str | None:
    """Return the label by which a text that is no XML names its charset: the first, or where that is one of
    UTF-8 or ASCII, and the bytes are not, another one. XHTML whose declaration names UTF-8 is such a text
    where its bytes are not."""
    head = data[:NAMED_SPAN].removeprefix(b"\xef\xbb\xbf")
    declared = _DECLARED_UTF8.match(head)
    if not _NO_XML.match(head, declared.end() if declared else 0):
        return None
    lines = b"\n".join(head.splitlines()[:CODING_LINES])
    first, other = "UTF-8" if declared else None, None
    for found in (*_CODING.finditer(lines), *_CHARSET_NAMED.finditer(head)):
        label = _known_label(found[found.lastindex or 0])
        charset = lookup(label, lenient=True)
        if len(label) == 1 or (charset is not None and charset.name in _TRANSFORMATIONS):
            continue
        if first is not None and charset is not None and charset.superset not in ("UTF-8", "windows-1252"):
            other = other or label
        first = first or label
    of_first = lookup(first or "", lenient=True)
    if other and of_first is not None and of_first.family in ("UTF-8", "US-ASCII"):
        text = utf_8_decode(data, "ignore")[0]
        if len(data) - len(text.encode()) > len(text) - len(text.encode("ascii", "ignore")):
            return other  # of its bytes fewer are UTF-8
    return None if declared else first


class PartCharsets:
    """The charsets that parts of a text name for themselves: of a mail, the mails of a box, properties of a
    vCard, what follows a label in SQL, resources and LaTeX, documents of XML and HTML one after the other. Of
    all but mails one label is that of the whole file; where others are named, too, each counts for its part.
    """

    HEADER_LIMIT = 1024
    """Bytes of a header field that names one, and so many are kept, since a piece may end within it."""

    MOST_BOUNDARIES = 16
    """Boundaries that are kept: parts within parts name one each."""

    _PART = re.compile(
        rb"(?<=\n)(?:From \S++ ++(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) |--([^\s-][^\r\n]{0,80}+)"
        rb"|(?i:Content-Type:)((?:[^\r\n]|\r?\n[ \t]){0,%d}+)"
        # In a patch each line has a sign before it.
        rb"|[ +-]?+(?i:\"?+Content-Type:[^\r\n]{0,200}?[;\s]charset)[ \t]*+=[ \t]*+([\w.-]++)"
        rb"|[ +-]?+(?i:(?:/\*![0-9]{5,6} )?+SET NAMES[ \t]++[\"']?+|#pragma[ \t]++code_page\("
        rb"|\\inputencoding\{)([\w-]++)|[ +-]?+\\usepackage[ \t]*+\[([\w-]++)\][ \t]*+\{inputenc\})"
        rb"|<(?i:(?<=[>\n]<)\?xml\s[^<>]{0,200}?\bencoding|meta\b[^<>]{0,200}?\bcharset)\s{0,9}=\s{0,9}[\"']?([\w.-]++)"
        % HEADER_LIMIT
    )
    _PROPERTY = re.compile(
        rb"(?im)^([ +-])?+[a-z][\w.-]{0,40};(?:[^:\r\n]{0,200}?;)?charset=[\"']?+([\w.+-]++)[^:\r\n]{0,200}+:"
        rb"((?(1)[^\r\n]*+|(?:[^\r\n]|\r?\n[ \t])*+))"
    )
    _NAMES = (b"charset", b"set names ", b"code_page(", b"inputenc", b"<xsl:output", b"<?xml")
    """One of which is in each label, in small letters."""
    _LABEL = re.compile(rb"(?i)[;\s]charset" + _LABEL)
    _BOUNDARY = re.compile(rb"(?i)[;\s]boundary[ \t]*+=[ \t]*+(?:\"([^\"\r\n]{1,70})|([^\s\";]{1,70}+))")
    _STRAY = re.compile("[\udc80-\udcff]")

    def __init__(self, *, each: bool = False, forced: bool = False) -> None:
        self._each = each
        """Each label counts, also where all name one charset."""
        self._forced = forced
        """All bytes are read as windows-1252. Those of ISO-2022-JP would stay as they are."""
        self._charset: Charset | None = None
        """Of the part in which the bytes that are kept begin."""
        self._kept = b"\n"
        self._boundaries: list[bytes] = []
        self._in_mails: set[str] = set()
        self._elsewhere: set[str] = set()
        """The supersets that the labels name: of mails, of other parts."""
        self.named: bool = False
        """A label may be in the bytes of the last call, or in those before them."""

    def _named(self, label: bytes) -> Charset | None:
        """Return the charset of a part that is no mail; None where only one is named as yet."""
        charset = lookup(_known_label(label), lenient=True)
        self._elsewhere |= {charset.superset} if charset else set()
        return charset if self._each or len(self._elsewhere) > 1 else None

    def _changes(self, data: bytes) -> Iterator[tuple[re.Match[bytes], Charset | None]]:
        """Yield what ends the text of a part, and the charset of the next one: the first line of a mail, a
        boundary that a field names, or a field that names a charset. `--verbose` in a text is none."""
        for match in self._PART.finditer(data):
            charset = None
            if match.lastindex is not None and match.lastindex > 2:  # a label
                charset = self._named(match[match.lastindex])
            elif match[2] is not None:
                if found := self._BOUNDARY.search(match[2]):
                    self._boundaries = [*self._boundaries, found[1] or found[2]][-self.MOST_BOUNDARIES :]
                if (label := self._LABEL.search(match[2])) is None:
                    continue
                charset = lookup(label[1].decode("latin-1"), lenient=True)
                self._in_mails |= {charset.superset} if charset else set()
            elif match[1] and match[1].rstrip().removesuffix(b"--") not in self._boundaries:
                continue
            yield match, charset

    @classmethod
    def may_name(cls, data: bytes) -> bool:
        """Return True where a label may be in bytes, of these or of another kind."""
        return any(map(data.lower().__contains__, cls._NAMES))

    @classmethod
    def named_in(cls, data: bytes) -> list[str]:
        """Return the charsets of the parts that have other bytes than those of ASCII, each once; of
        ISO-8859-1 and windows-1252 the first."""
        found: dict[str, str] = {}
        parts, charset, start = cls(each=True), None, 0
        properties = [(parts._named(one[2]), one[3]) for one in cls._PROPERTY.finditer(data)]
        for match, following in (*parts._changes(data), (None, None)):
            properties.append((charset, data[start : match.start() if match else len(data)]))
            charset, start = following, match.end() if match else 0
        for charset, part in properties:
            if charset is not None and (not part.isascii() or b"\x1b" in part):
                found.setdefault(charset.superset, charset.name)
        return [*found.values()]

    def misread_in(self, data: bytes, final: bool = False, other: Charset | None = None) -> str | None:
        """Return the charset of a part in which the next bytes that are not UTF-8 have other characters than
        in windows-1252; None where there is none. `other`: the charset that all of it is read in."""
        data = self._kept + data
        self.named = self.may_name(data)
        kept = max(len(data) - self.HEADER_LIMIT, 0)
        if self._charset is not None or self.named:
            for one in self._PROPERTY.finditer(data):
                ends = final or one.end() < len(data)
                if (charset := self._named(one[2])) and self._reads_otherwise(one[3], charset, ends, other):
                    return charset.name
            charset, start = self._charset, 0
            for match, following in self._changes(data):
                if charset is not None and self._reads_otherwise(
                    data[start : match.start()], charset, True, other
                ):
                    return charset.name
                charset, start = following, match.end()
                if start <= kept:
                    self._charset = charset
                else:
                    kept = min(kept, match.start() - 1)
            if charset is not None and self._reads_otherwise(data[start:], charset, final, other):
                return charset.name
        self._kept = data[kept:]
        return None

    def _reads_otherwise(self, data: bytes, charset: Charset, final: bool, other: Charset | None) -> bool:
        read_as = other or _WINDOWS_1252
        if charset.family == "ISO-2022-JP" != read_as.family and b"\x1b" in data:
            return True
        if (self._forced and other is None) or data.isascii() or charset.superset == read_as.superset:
            return False
        if other is not None and other.superset not in self._in_mails | self._elsewhere:
            return False  # the labels are false
        text = utf_8_decode(data.lstrip(bytes(range(0x80, 0xC0))), "surrogateescape", final)[0]
        if charset.family == "UTF-8":
            return other is not None and not self._STRAY.search(text)
        if charset.family not in ("single", "CJK"):
            return False
        if other is None:
            data = "".join(set(self._STRAY.findall(text))).encode("ascii", "surrogateescape")
        ours, theirs = (data.decode(one.codec or "ascii", "replace") for one in (charset, read_as))
        return ours != theirs
