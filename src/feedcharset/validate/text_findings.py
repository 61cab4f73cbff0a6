"""Findings in the text: undecodable bytes, characters and references that XML forbids, C1 controls, markup.

Clean text costs only a few searches in C (`byte in data` is memchr). Python code runs where a search finds
something. Single characters are searched piece by piece; what may be cut, in the text block before its stop.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from itertools import accumulate, islice
from operator import methodcaller

from feedcharset.charsets import lazy_value
from feedcharset.charsets.lookup import Charset
from feedcharset.decide.thresholds import LATIN
from feedcharset.evidence.damaged_utf8 import CONTEXT, find_damage
from feedcharset.evidence.scripts import common_in, frequent_in
from feedcharset.evidence.utf8_sequences import page_of
from feedcharset.results.explanation import visible
from feedcharset.text.byte_replacement import replace_undecodable
from feedcharset.text.xml_text import FORBIDDEN_ASCII, XML_NAME
from feedcharset.validate.finding_catalogue import (
    LISTED_OFFSETS,
    AnyFix,
    FindingList,
    Occurrences,
    quoted,
    spelled,
)
from feedcharset.validate.fixes import Fix, Fixes, superset_knows
from feedcharset.validate.mojibake_findings import MojibakeFindings
from feedcharset.validate.parser_labels import LIBXML2, OTHERWISE
from feedcharset.validate.reading_comparison import ReadingComparison, is_unnamed
from feedcharset.validate.text_blocks import LEAST_TEXT, PositionedDecoder, TextPiece
from feedcharset.validate.well_formedness import (
    FORBIDDEN_CHARACTER,
    LOOP,
    NUMBERED_REFERENCE,
    UNPARSED,
    WellFormedness,
    is_well_formed,
    place_of,
)
from feedcharset.validate.western_words import STRAY, UTF8_LETTERS, LettersAmongUtf8, binary_among_utf8

EXAMPLES = 5
"""Different undecodable bytes that are reported beside `encoding-unnamed`, which is about all of them."""

LONGEST_HELD = 4096
"""Bytes from a tag on in which UTF-8 among another charset is searched with the next piece: a long text."""

_PLAIN_ASCII = bytes(byte for byte in range(0x7F) if byte not in FORBIDDEN_ASCII)
C1_CONTROL: re.Pattern[str] = re.compile("[\x80-\x9f]")
_C1_NUMBERS = range(0x80, 0xA0)
_REPLACEMENT = re.compile("\ufffd")
_C1_OF_FAMILY = {"EBCDIC": re.compile("[\x80-\x84\x86-\x9f]")}
"""In EBCDIC, NEL is the line end."""
_NEL = re.compile("\x85")
_RESTRICTED = re.compile("[\x7f-\x84\x86-\x9f]")
"""What XML 1.1 allows as references alone, beside what XML 1.0 forbids (XML 1.1 §2.2, RestrictedChar)."""
_WITHOUT_C1 = ("TIS-620",)
"""Charsets that leave 80-9F undefined. Python decodes them as C1 controls; parsers refuse them."""
_BETWEEN_STRAYS = re.compile("[^\0-\x7f\udc80-\udcff][^\udc80-\udcff\n\r<>]*+")
_NOT_ASCII = re.compile("[^\0-\x7f]+")
_SURE_SIGNS = re.compile("(?<![^\0-\x7f])[\u2010-\u2027\u2030-\u203a€™\U0001f000-\U0001ffff]++(?![^\0-\x7f])")
"""Signs that stand alone: in no other charset 654,910 messages have their bytes so."""
_SURE_BYTES = b"\xe2\x80", "€".encode(), "™".encode(), b"\xf0\x9f"
"""One of which is in each of them."""
_WITH_SEQUENCES = ("IBM855", "IBM866", "KOI8-U", "windows-874", "TIS-620", "ISO-8859-11")
"""Single-byte charsets in which some words are two East Asian characters in UTF-8."""
_ENDS_OF_WORDS = " !\"'(),./:;=?\t-"
"""ASCII that is no second byte of an East Asian character."""
_AT_WORD_END = re.escape(_ENDS_OF_WORDS)
_WORDS_WITHOUT_STRAYS = re.compile(
    f"(?<![^\n\r<>{_AT_WORD_END}])(?:[^\n\r<>{_AT_WORD_END}\udc80-\udcff]++(?![\udc80-\udcff])|[{_AT_WORD_END}])++"
)
"""Words in a row none of whose bytes is a stray one; each match begins where a word does."""
_LATIN_LETTER = "[\xc0-\xd6\xd8-\xf6\xf8-\u024f\u1e00-\u1eff]"
_ENDS_WORD = re.compile("(?<=[A-Za-z][a-z])[\xdf-\xf6\xf8-\u017f\u0219\u021b](?![^\0-\x7f])")
"""A letter of Latin pages: `Press去.` of GBK would end with `ȥ`."""
_AFTER_SMALL = re.compile(f"(?<=[a-z]){_LATIN_LETTER}")
_BEGINS_WORD = re.compile(f"(?<![^\0-@[-`{{-\x7f]){_LATIN_LETTER}++(?=[a-z])")
_WITHIN_WORD = re.compile(f"(?<=[A-Za-z])(?:{_LATIN_LETTER}(?<![àĠŠ]))++(?=[a-z])")
"""Letters of a western word (`Pokémon`), in which no other page has its bytes: three end with a no-break
space (`NÄYTÄ tarin`)."""
_NO_BREAK = "àĠŠ"
_AMONG_CAPITALS = re.compile("(?:(?<=[A-Z])|(?<![^\0-@[-`{-\x7f]))[À-ÖØ-Þ]++(?=[A-Z])")
_BEFORE_CAPITAL = re.compile(rb"\xc3[\x80-\x96\x98-\x9e](?=[A-Z])")
"""Letters of `NOËL` and `ÉTÉ`, which are signs or controls before a capital in pages of ISO and Windows."""
_UNDECODABLE_RUN = re.compile("[\udc00-\uddff]++")
_IN_NAME = re.compile("</?+[^\\s<>=\"'/!?]++\\Z")
_WHOLE_NAME = re.compile(XML_NAME)
_CONTROL_IN_SET = re.compile(rb"\x1b\$[@B][^\x00-\x1f]*+[\x00-\x1a\x1c-\x1f]")
"""The first control, or line end, in a run of the two-byte set of ISO-2022-JP, which has none (RFC 1468)."""
_REPEATED_ESCAPE = re.compile(rb"(?<=\x1b\([BJ]|\x1b\$[@B])\x1b(?:\([BJ]|\$[@B])")
"""One that directly follows another: U+FFFD by the Encoding Standard (section 12.2.1)."""
_XML11 = re.compile(r"<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*[\"']1\.1[\"']")

# Small letters, the first bytes of two to four, later ones, other bytes beyond ASCII; what ends a text. Of
# the letters of single-byte charsets only Thai ones are three bytes.
_UTF8_CLASSES = b"".join(
    b"|" if byte in b"\n\r<>"
    else b"a" if byte in range(0x61, 0x7B)
    else b" " if byte < 0x80
    else b"c" if byte < 0xC0
    else b"2" if byte in range(0xC2, 0xE0)
    else b"3" if byte in range(0xE0, 0xF0)
    else b"4" if byte in range(0xF0, 0xF5)
    else b"s"
    for byte in range(256)
)  # fmt: skip
_WORD_CLASSES = bytes(
    ord("|") if chr(byte) in _ENDS_OF_WORDS else kind for byte, kind in enumerate(_UTF8_CLASSES)
)
"""The same where words end, too."""
_LITERAL = r"\s*+(?:\"[^\"]*+\"|'[^']*+')"
_SECTION = re.compile(
    rf"(?P<value><!ENTITY(?:\s++%)?+\s++[^\s<>\"']++{_LITERAL})|{UNPARSED.pattern}"
    r"|<!(?:DOCTYPE|ENTITY(?:\s++%)?+|NOTATION)\s++[^\s<>\"']++\s++(?:SYSTEM|PUBLIC)"
    rf"{_LITERAL}(?:{_LITERAL})?+"
)
"""Text in which there are no references: also the literals of an identifier. The value of an entity is passed
over: what looks like a section is none there (XML 1.0 §4.5)."""
_OPEN_VALUE = re.compile(r"<!ENTITY\s[^<>\"']*+(?:\"[^\"]*+|'[^']*+)\Z")
"""Before a reference to a parameter entity, which the internal subset may not have there (XML 1.0 §2.8)."""
_NOBODY, _SOME = "the document does not say", "readers differ on"
"""Who knows what an entity is."""
_DELIMITER = re.compile(r"\]\]>|<!\[CDATA\[|<!--")


class TextFindings:
    """Searches the text of one document, piece by piece."""

    def __init__(self, comparison: ReadingComparison, findings: FindingList) -> None:
        self._comparison = comparison
        self._block = comparison.block
        self._findings = findings
        self._mojibake = MojibakeFindings(comparison.block, findings)
        self._xml11 = False
        self._clean = True
        """The text after the last stop is clean (see `WellFormedness.feed`), but for references."""
        self._in_run = False
        self._escape = b""
        """The last escape sequence of ISO-2022-JP."""
        self._held: bytes | None = b""
        """The bytes in which UTF-8 among another charset is searched with those of the next piece; None where
        it is not searched any more."""
        self._has_other_letters = False
        """The bytes that are not UTF-8 are not windows-1252 either: `repair` refuses them."""

    @lazy_value
    def _markup(self) -> WellFormedness:
        return WellFormedness()

    @lazy_value
    def _letters(self) -> LettersAmongUtf8:
        return LettersAmongUtf8.of(self._comparison)

    # -- the lenient text ---------------------------------------------------------------------------------

    def look(self, piece: TextPiece, labelled: TextPiece | None, final: bool) -> None:
        """Search the next block; `piece` is the last one in it.

        `labelled` is the text of the same bytes as they are labelled; None before the decision, and where the
        document is in two charsets.
        """
        block = self._block
        if not block.before:
            self._xml11 = _XML11.match(block.text) is not None
        whole = final and piece.undecodable < 0 and not (piece.first or block.before)
        if whole and not (self._xml11 or piece.has_noncharacter) and is_well_formed(piece):
            block.misplaced_declaration = None
            self._references()
        else:
            forbidden = piece.has_noncharacter or any(map(piece.utf8.__contains__, FORBIDDEN_ASCII))
            if forbidden:
                self._characters("forbidden-character", FORBIDDEN_CHARACTER, piece, piece.utf8)
            clean = not forbidden and piece.undecodable < 0 and not self._xml11
            references = self._references()
            self._judge(clean and self._clean and not references, final, references)
            self._clean = clean and (self._clean or block.stop >= (piece.first or 0))
        if "\ufffd" in piece.text:
            self._characters("replacement-character", _REPLACEMENT, piece, piece.utf8)
        self._mojibake.look(piece)
        if labelled is not None and is_unnamed(self._comparison):
            self._findings.lower_limits["undecodable"] = EXAMPLES
            self._held = None
        if labelled is not None and piece.charset.name in OTHERWISE:
            # Characters that libxml2 refuses, or reads otherwise, although it knows the label.
            char = next((char for char in OTHERWISE[piece.charset.name] if char in piece.text), "")
            if char and "encoding-unsupported" not in self._findings.groups:
                what = f"the document holds U+{ord(char):04X} in {piece.charset.name}"
                at, fix = piece.text.index(char), methodcaller("whole")
                place = piece.offset_of(at), piece.offset_of(at + 1)
                self._findings.at("encoding-unsupported", *place, None, fix, encoding=what, parsers=LIBXML2)
        if self._held is not None and piece.charset.family in ("single", "CJK"):
            self._utf8_among(self._held, piece, final)
        if labelled is not None:
            self._labelled(labelled, piece if labelled.text == piece.text else labelled)
            if labelled.charset.family == "ISO-2022-JP":
                self._escapes(labelled)

    def _judge(self, clean: bool, final: bool, references: list[tuple[int, int]]) -> None:
        """Whether the document is well-formed."""
        block = self._block
        for error in self._markup.feed(block, references, clean=clean, final=final):
            at = block.find(error.line, error.column) if error.line else -1
            undeclared = error.code == "undeclared-entity"
            start, end = place_of(error, block.text, at) if at >= 0 else (-1, -1)
            if start < 0:  # within an entity, or the parser waited: in a tag for the second quotation mark
                is_known = error.line and LOOP not in error.why
                where = f" (line {error.line}, column {error.column})" if is_known else ""
                why = f"&{error.why};" if undeclared else error.why + where
                self._findings.add(error.code, why=why, verdict=error.verdict, who=_NOBODY)
                continue
            end = block.whole(end)
            place = block.offset(start), block.offset(end), (start, end)
            found = block.text[start:end] if end - start > 1 else f"&{error.why};"  # `&#38;x;` in a value
            reference = found if undeclared else ""
            code, why = error.code, visible(reference or error.why)
            before = max(0, start - LEAST_TEXT), start
            if reference[:1] == "%" and _OPEN_VALUE.search(block.text, *before):
                code, why = "not-well-formed", f"{why} within a declaration"
            who = _SOME if reference[:1] == "%" and "<!ENTITY %" in block.text[slice(*before)] else _NOBODY
            self._findings.at(code, *place, why=why, verdict=error.verdict, who=who)
        if final and not self._markup.has_markup:
            self._findings.groups.pop("not-well-formed", None)
            self._findings.add("no-xml")

    def _references(self) -> list[tuple[int, int]]:
        """References to C1 controls, and to characters that XML forbids; return where these are.

        In CDATA, comments and instructions they are text.
        """
        text, before = self._block.text, self._block.before
        found = numbered_references(text, self._block.stop)
        if not found:
            return []
        spans = [match.span() for match in _SECTION.finditer(before + text) if match["value"] is None]
        first = _DELIMITER.search(before + text)
        if first is not None and first[0] == "]]>":  # the end of a section that began earlier
            spans.insert(0, (0, first.end()))

        def in_text(index: int) -> bool:
            at = index + len(before)
            near = bisect_right(spans, (at, len(before) + len(text))) - 1
            return near < 0 or at >= spans[near][1]

        kinds: dict[str, list[tuple[int, str, int]]] = defaultdict(list)
        for one in found:
            if in_text(one[0]):
                refused = "parser-limit" if self._xml11 and 0 < one[2] < 0x20 else "forbidden-reference"
                refused = "replacement-character" if one[2] == 0xFFFD else refused
                kinds["c1-reference" if one[2] in _C1_NUMBERS else refused].append(one)
        for code, ones in kinds.items():
            for index, reference, number in ones[: self._findings.compared(code, len(ones))]:
                span = index, index + len(reference)
                offset, end = map(self._block.offset, span)
                meant = bytes([number]).decode("cp1252", "ignore") if number in _C1_NUMBERS else ""
                fix = Fix("replace", f"&#{ord(meant)};") if meant else None
                why = f"{reference} is allowed in XML 1.1 alone, which few parsers know"
                values = {"reference": reference, "character": f"U+{number:04X}", "what": reference}
                self._findings.at(code, offset, end, span, fix, why=why, **values)
        not_parsed = sorted(kinds["forbidden-reference"] + kinds["parser-limit"])
        return [(index, index + len(reference)) for index, reference, _ in not_parsed]

    def _utf8_among(self, held: bytes, piece: TextPiece, final: bool) -> None:
        """The first UTF-8 among the text of another charset."""
        data, name = held + piece.data, piece.charset.name
        end = len(data) if final else data.rfind(b"<", -LONGEST_HELD)
        end = len(data) if end < 0 else end
        self._held = data[end:]
        if (found := utf8_in_charset(data[:end], piece.charset)) is not None:
            offset = piece.offset - len(held) + found[0]
            what = f"the bytes here are {quoted(found[1])} in UTF-8"
            place = offset, offset + len(found[1].encode())
            self._findings.at("mixed-encodings", *place, None, methodcaller("convert"), name=name, what=what)
            self._held = None

    # -- the text as it is labelled ------------------------------------------------------------------------

    def _labelled(self, piece: TextPiece, same: TextPiece) -> None:
        """Search a piece; `same` has the same text."""
        if piece.undecodable >= 0:
            self._undecodable(piece)
        if piece.text:
            self._in_run = piece.undecodable >= 0 and _UNDECODABLE_RUN.match(piece.text[-1]) is not None
        if self._xml11 and piece.charset.name not in _WITHOUT_C1:
            if same.has_c1 or "\x7f" in piece.text:
                self._characters("forbidden-character", _RESTRICTED, piece, same.utf8)
            if piece.charset.superset != piece.charset.name and "\x85" in piece.text:  # `…` of the superset
                self._characters("c1-control", _NEL, piece, same.utf8)
        elif same.has_c1:
            code = "undecodable" if piece.charset.name in _WITHOUT_C1 else "c1-control"
            self._characters(code, _C1_OF_FAMILY.get(piece.charset.family, C1_CONTROL), piece, same.utf8)

    def _undecodable(self, piece: TextPiece) -> None:
        """Runs of undecodable bytes; one that continues from the piece before is reported already."""
        text, start, name = piece.text, piece.undecodable, piece.charset.name
        if name == "UTF-8" and not self._has_other_letters:
            others = self._letters.found_in(piece.data) is not None
            self._has_other_letters = others or binary_among_utf8(piece.data)
        if self._in_run and start == 0:
            start = next((at for at, char in enumerate(text) if not _UNDECODABLE_RUN.match(char)), len(text))
        count = self._findings.compared("undecodable", len(_UNDECODABLE_RUN.findall(text, start)))
        characters = text.encode("utf-8", "ignore") if name == "UTF-8" else b""
        for run in islice(_UNDECODABLE_RUN.finditer(text, start), count):
            data = bytes(ord(char) & 0xFF for char in run[0][:9])
            around = text[max(run.start() - 1, 0) : run.end() + 1]
            is_letter = name == "UTF-8" and not _may_be_a_part(data, around, characters)
            meant = _replaced(text, *run.span()) if is_letter else ""
            before = text[max(0, run.start() - CONTEXT) : run.start()]
            if meant and _IN_NAME.search(before) and not _WHOLE_NAME.fullmatch(f"a{meant}"):
                meant = ""  # no name may hold the sign
            place = piece.offset_of(run.start()), piece.offset_of(run.end())
            if piece.charset.family == "ISO-2022-JP":  # without the escape sequence behind it
                place = place[0], place[0] + run.end() - run.start()
            self._found("undecodable", piece, run.span(), place, meant, bytes=spelled(data), name=name)

    def _escapes(self, piece: TextPiece) -> None:
        """What strict reading keeps in ISO-2022-JP: controls in the two-byte set, which parsers refuse, and
        escape sequences without text, which lenient reading replaces."""
        data, start = self._escape + piece.data, piece.offset - len(self._escape)
        found = [(match.end() - 1, match.end()) for match in _CONTROL_IN_SET.finditer(data)]
        found += [match.span() for match in _REPEATED_ESCAPE.finditer(data)]
        for at, end in sorted(found)[: self._findings.compared("undecodable", len(found))]:
            values = {"bytes": spelled(data[at:end]), "name": piece.charset.name}
            fix = self._fix("undecodable", piece, start + at, "")
            self._findings.at("undecodable", start + at, start + end, None, fix, **values)
        last = data.rfind(b"\x1b")
        self._escape = data[last : last + 3] + b" " * (last + 3 < len(data)) if last >= 0 else b""

    # -- both ---------------------------------------------------------------------------------------------

    def _characters(self, code: str, pattern: re.Pattern[str], piece: TextPiece, utf8: bytes) -> None:
        """Single characters that are findings.

        In a charset in which a character determines its bytes, what is found again is the same finding.
        """
        text, groups = piece.text, []
        # In undecodable UTF-8 what stands on either side of ASCII may look like a character.
        if piece.undecodable < 0:
            utf8 = utf8.translate(None, _PLAIN_ASCII)
            found = pattern.findall(utf8.decode("utf-8", "surrogatepass"))
        else:
            found = pattern.findall(text)
        found = found[: self._findings.compared(code, len(found))]
        if piece.charset.family in ("single", "UTF-8"):
            for char, count in Counter(found).items():
                before = map(len, text.split(char, min(count, LISTED_OFFSETS))[:-1])
                groups.append((count, [at + number for number, at in enumerate(accumulate(before))]))
        else:
            groups = [(1, [match.start()]) for match in islice(pattern.finditer(text), len(found))]
        for count, (first, *others) in groups:
            character = ord(text[first])
            offset, end = piece.offset_of(first), piece.offset_of(first + 1)
            values = {
                "bytes": spelled(piece.bytes_at(offset, end - offset)),
                "character": f"U+{character:04X}",
                "name": piece.charset.name,
                "what": f"U+{character:04X}",
            }
            meant = None
            is_nel = self._xml11 and character == 0x85  # or `…` of a Windows page: only a person knows
            if character in _C1_NUMBERS and not is_nel:
                meant = "" if code == "undecodable" else bytes([character]).decode("cp1252", "ignore")
            occurrences = self._found(code, piece, (first, first + 1), (offset, end), meant, **values)
            occurrences.add([piece.offset + size for size in map(piece.bytes_before, others)], count - 1)

    def _found(
        self,
        code: str,
        piece: TextPiece,
        span: tuple[int, int],
        place: tuple[int, int],
        meant: str | None,
        **values: str,
    ) -> Occurrences:
        """Add a finding about characters of a piece: their indexes in it, and their place in the document.

        `meant`: what bytes that are wrong in the labelled charset mean in UTF-8; None: there is no fix.
        """
        fix = None if meant is None else self._fix(code, piece, place[0], meant)
        in_block = None if piece.first is None else (piece.first + span[0], piece.first + span[1])
        return self._findings.at(code, place[0], place[1], in_block, fix, **values)

    def _fix(self, code: str, piece: TextPiece, offset: int, meant: str) -> AnyFix:
        charset = piece.charset
        size = 1 if charset.family == "single" else 4
        in_superset = superset_knows(charset.name, piece.bytes_at(offset, size))
        if in_superset or charset.superset == charset.name:
            self._comparison.needs_superset |= charset.family != "UTF-8"

        def fix(fixes: Fixes) -> Fix | None:
            others = code == "undecodable" and self._has_other_letters  # no characters of windows-1252
            return fixes.bytes(charset, in_superset, "" if others else meant)

        return fix


def numbered_references(text: str, stop: int) -> list[tuple[int, str, int]]:
    """References to C1 controls, to U+FFFD, and to what XML 1.0 forbids (§4.1, "Legal Character").

    Returns:
        The index, the spelling and the number of each that begins before the index `stop`.
    """
    if "#" not in text or text.rfind("&#") < 0:
        return []
    found = []
    for match in NUMBERED_REFERENCE.finditer(text):
        digits = match[0][2:-1]
        number = int(digits[1:], 16) if digits[0] == "x" else int(digits)
        control = number < 0x20 and number not in (0x09, 0x0A, 0x0D)
        forbidden = 0xD800 <= number <= 0xDFFF or number > 0x10FFFF or 0xFFFD <= number <= 0xFFFF
        if match.start() < stop and (control or forbidden or number in _C1_NUMBERS):
            found.append((match.start(), match[0], number))
    return found


_MARKS_AT_LETTERS = frozenset("‚„…‹‘’“”–—›«»\u00a0".encode("cp1252"))
"""Bytes of windows-1252 that stand beside letters, and side by side (`…”`)."""
_NO_CHARACTERS = frozenset(b"\x81\x8d\x8f\x90\x9d")
LETTERS_IN_A_ROW = 3
"""So many letters beyond ASCII in a row are a word in another page, or parts of characters."""


def _may_be_a_part(data: bytes, around: str, characters: bytes) -> bool:
    """Return True for undecodable bytes that may be parts of characters in UTF-8, or a word in another page.

    Args:
        data: the bytes.
        around: the same text, with the character before and the one behind.
        characters: the text without them, in UTF-8.
    """
    if data[0] >= 0xC0:
        is_half = data[0] == 0xED and data[1:2] >= b"\xa0" and data[3:4] != b"\xed"  # of a surrogate pair
        return is_half or data[0] in characters or sum(byte >= 0xC0 for byte in data) >= LETTERS_IN_A_ROW
    if _NO_CHARACTERS.intersection(data) or (len(data) > 1 and not _MARKS_AT_LETTERS.issuperset(data)):
        return True
    beside_letter = around[:1].isalpha() or around[-1:].isalpha()
    return beside_letter and data[0] in characters and not _MARKS_AT_LETTERS.issuperset(data)


def _replaced(text: str, start: int, end: int) -> str:
    """The characters that lenient reading gives for undecodable bytes of UTF-8; "" where it has none, as for
    the beginning of a character that was cut off."""
    before, after = text[max(0, start - CONTEXT) : start], text[end : end + 2]
    escaped = before + text[start:end] + after
    meant = replace_undecodable(escaped, "UTF-8", "windows-1252")[0][len(before) : -len(after) or None]
    for place in find_damage(escaped):
        if place.start == len(before):
            meant = place.characters + meant[place.end - place.start :]
    return "" if "\ufffd" in meant else meant


def utf8_in_charset(data: bytes, charset: Charset) -> tuple[int, str] | None:
    """Return the first text of some letters in UTF-8 among bytes of another charset, and its offset; None
    where there is none.

    In a single-byte charset it is what stands between two stray bytes, the ends of lines or tags: three
    letters that the charset has, or a Latin one behind a small letter, if the charset has it or ends it with
    a sign; so one ends that begins a word. In an East Asian charset it is a word, or some in a row: half of
    their letters, and three, are East Asian; or the charset without its superset lacks the bytes of one, or
    of a Latin one beside a small letter; or a Latin one ends a word. Under the label of another script it
    stands beside any small letter. In both, a Latin one between two of a to z, two that begin words, or
    letters of another script (`_are_of_a_script`), or capitals among others (`NOËL`). By chance none of
    1,684,000 messages has it. Or signs that stand alone (`It’s`).
    """
    if charset.family == "ISO-2022-JP":  # which has ASCII alone
        first = "".join(_NOT_ASCII.findall(data.decode("utf-8", "ignore"))[:1])[:1]
        return (data.index(first.encode()), first) if first else None
    single, page = charset.family == "single", page_of(charset)
    characters = page.characters
    capitals = charset.name.startswith(("ISO-8859-", "windows-125")) and _BEFORE_CAPITAL.search(data)
    if not (capitals or _may_hold_utf8(data, charset)):
        return _signs_in_utf8(data)
    text = data.decode("utf-8", "surrogateescape")
    for match in (_BETWEEN_STRAYS if single else _WORDS_WITHOUT_STRAYS).finditer(text):
        if single and len(match[0]) < UTF8_LETTERS and not text[max(0, match.start() - 1)].isascii():
            continue  # most of them in Thai: too short for letters that are enough
        if match[0].isascii():
            continue
        letters = list(filter(str.isalpha, "".join(_NOT_ASCII.findall(match[0]))))
        known = [char for char in letters if (char in characters if single else char > "\u2e80")]
        enough = len(known) >= UTF8_LETTERS and 2 * len(known) > len(letters)
        latin = _AFTER_SMALL.findall(text, *match.span())
        if charset.name == "x-mac-ce":  # its `ńć` is `č`
            latin = [one for one in latin if not one.encode().decode("mac_latin2").islower()]
        # In pages of Mac `»®` is `Ȩ`.
        pairs = ((one, *one.encode()[:2]) for one in latin)
        latin = [one for one, lead, next_ in pairs if lead not in page.closing or next_ in page.letters]
        begins = _BEGINS_WORD.findall(text, *match.span())
        if lacks := not single and bool(latin or begins or known):
            lacks = PositionedDecoder(charset, lenient=False).read(match[0].encode(), True).undecodable >= 0
        words = set(_WITHIN_WORD.findall(text, *match.span()))
        within = bool(words)
        dos = charset.name.startswith(("IBM", "x-mac-ce", "ISO-8859-10")) and charset.page in LATIN
        if dos and len(words) == 1:
            # Two letters of DOS may be one: `depăşit`; three of ISO-8859-10: `ráđđehus`.
            decoder = PositionedDecoder(charset, lenient=True)
            read = decoder.read(words.pop().encode(), True).text
            within = not (read.isalpha() and read.islower())
        within = within or bool(capitals and _AMONG_CAPITALS.search(text, *match.span()))
        odd = {one for one in latin if not page.letters.issuperset(one.encode())}
        odd |= {one for one in begins if one.encode()[1] not in page.letters}
        odd = {one for one in odd if one[0] not in _NO_BREAK}
        in_word = charset.page not in LATIN if single else _ends_word(text, match, charset)
        foreign = bool(latin and in_word) or _are_of_a_script(letters, charset)
        foreign = foreign or len("".join(begins)) > 1 or bool(begins and (in_word if single else latin))
        foreign = foreign or (
            single and not (odd.isdisjoint(begins) and (odd | characters).isdisjoint(latin))
        )
        if enough or lacks or within or foreign:
            start = match.start() + len(match[0]) - len(match[0].lstrip(_ENDS_OF_WORDS))
            if single:
                start = max(text.rfind(end, 0, start) for end in "\n\r<>") + 1
                start = max([start, *(stray.end() for stray in STRAY.finditer(text, start, match.start()))])
            return len(text[:start].encode("utf-8", "surrogateescape")), text[start : match.end()]
    return _signs_in_utf8(data)


def _ends_word(text: str, match: re.Match[str], charset: Charset) -> bool:
    """Return True where a small Latin letter in UTF-8 ends a word, and is no frequent hanzi or Hangul."""
    for found in _ENDS_WORD.finditer(text, *match.span()):
        read = found[0].encode().decode(charset.codec or "", "replace")
        if found[0].islower() and not frequent_in(charset.name).issuperset(read):
            return True
    return False


def _signs_in_utf8(data: bytes) -> tuple[int, str] | None:
    """Return the first signs in UTF-8 that stand alone, and their offset; None where there are none."""
    if max(map(data.rfind, _SURE_BYTES)) >= 0:  # `in` takes three times as long
        text = data.decode("utf-8", "surrogateescape")
        if signs := _SURE_SIGNS.search(text):
            return len(text[: signs.start()].encode("utf-8", "surrogateescape")), signs[0]
    return None


def _are_of_a_script(letters: list[str], charset: Charset) -> bool:
    """Return True where more than half are of one script but Latin, in one block of 128 code points: three of
    them distinct, and four of two bytes, unless some are signs of the charset; or so many East Asian ones."""
    blocks = defaultdict(list)
    for char in letters:
        blocks["\u2e80" if char > "\u2e80" else chr(ord(char) & ~0x7F)].append(char)
    first, most = max(blocks.items(), key=lambda block: len(block[1]), default=("", []))
    distinct = _least_east_asian(charset) if first == "\u2e80" else UTF8_LETTERS
    if first == "\u2e80" and charset.family == "single":  # by chance they are rare ones
        most = [char for char in most if any(common_in(char))]
    signs = charset.family == "single" and not page_of(charset).letters.issuperset("".join(letters).encode())
    enough = len(most) >= distinct + ("" < first < "\u0800" and not signs) and 2 * len(most) > len(letters)
    return first >= "\u0300" and enough and len(set(most)) >= distinct


def _least_east_asian(charset: Charset) -> int:
    return UTF8_LETTERS if charset.name in _WITH_SEQUENCES else 2


def _may_hold_utf8(data: bytes, charset: Charset) -> bool:
    """Return False where certainly no text of some letters is UTF-8. Fast."""
    if charset.family == "single":
        classes = data.translate(_UTF8_CLASSES)
        if classes.rfind(b"3cca") >= 0 or classes.rfind(b"3cc" * _least_east_asian(charset)) >= 0:
            return True
        thai = "ก" in page_of(charset).characters
        if classes.rfind(b"2c") < 0:  # found three times as fast as from the beginning
            return thai and classes.rfind(b"3cc") >= 0
        if classes.rfind(b"2ca") >= 0 or (not thai and classes.rfind(b"a2c") >= 0):
            return True
        beyond = classes.translate(None, b" a").replace(b"4ccc", b"")
        return b"U" * UTF8_LETTERS in beyond.replace(b"3cc", b"U" if thai else b"").replace(b"2c", b"U")
    classes = data.translate(_WORD_CLASSES)
    for sequences in (b"3cc3cc", b"2c2c2c2c", b"a2c", b"2ca", b"3cca"):
        end = 0 if classes.rfind(sequences) >= 0 else len(data)
        while (start := classes.find(sequences, end)) >= 0:
            first = max(classes.rfind(b"|", end, start) + 1, end)
            end = classes.find(b"|", start) + 1 or len(data) + 1
            try:
                data[first : end - 1].decode()
                return True
            except UnicodeDecodeError:
                pass
    return False
