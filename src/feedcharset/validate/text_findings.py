"""Findings in the text: undecodable bytes, characters and references that XML forbids, C1 controls, markup.

Clean text costs only a few searches in C (`byte in data` is memchr). Python code runs where a search finds
something. Single characters are searched piece by piece; what may be cut, in the text block before its stop.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from feedcharset.charsets.lookup import by_name
from feedcharset.results.explanation import visible
from feedcharset.text.byte_replacement import replace_undecodable
from feedcharset.validate.findings import spelled
from feedcharset.validate.fixes import is_unnamed, labelled_charset
from feedcharset.validate.mojibake_findings import MojibakeFindings
from feedcharset.validate.text_blocks import PositionedDecoder
from feedcharset.validate.well_formedness import FORBIDDEN_CHARACTER, NUMBERED_REFERENCE, WellFormedness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.charsets.lookup import Charset
    from feedcharset.validate.findings import AnyFix, FindingList, Occurrences
    from feedcharset.validate.reading_comparison import DecodedBlock, ReadingComparison
    from feedcharset.validate.text_blocks import TextBlock, TextPiece

__all__ = ["TextFindings", "bad_references"]

FEW_NUMBER_SIGNS = 8
"""`#` characters that are examined one by one before the whole text is searched."""

EXAMPLES = 5
"""Different undecodable bytes that are reported beside `encoding-unnamed`, which is about all of them."""

_FORBIDDEN_BYTES = bytes([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20)])
_ALLOWED_ASCII = bytes(byte for byte in range(0x80) if byte not in _FORBIDDEN_BYTES)
_NONCHARACTER = re.compile(b"\xef\xbf[\xbe\xbf]")
_C1_CONTROL = re.compile("[\x80-\x9f]")
_C1_OF_FAMILY = {"EBCDIC": re.compile("[\x80-\x84\x86-\x9f]")}
"""In EBCDIC, NEL is the line end."""
_WITHOUT_C1 = ("TIS-620",)
"""Charsets that leave 80-9F undefined. Python decodes them as C1 controls; parsers refuse them."""
_C1_IN_UTF8 = re.compile(b"\xc2[\x80-\x9f]")
_UNDECODABLE_RUN = re.compile("[\udc00-\uddff]++")
_XML11 = re.compile(r"<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*[\"']1\.1[\"']")
_SECTION = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)", re.DOTALL)
_DELIMITER = re.compile(r"\]\]>|<!\[CDATA\[|<!--")


class TextFindings:
    """Searches the text of one document, piece by piece."""

    def __init__(self, block: TextBlock, findings: FindingList) -> None:
        self._block = block
        self._findings = findings
        self._mojibake = MojibakeFindings(block, findings)
        self._markup = WellFormedness()
        self._begun = False
        self._xml11 = False
        self._clean = True
        """The text after the last stop is clean (see `WellFormedness.feed`), but for references."""
        self._in_run = False
        self._comparison: ReadingComparison
        """Set by `labelled_as`, before a labelled text is searched."""

    # -- the lenient text ---------------------------------------------------------------------------------

    def look(self, decoded: DecodedBlock) -> None:
        """Search the next block."""
        reported = _ReportedPiece(decoded.lenient, decoded.first, decoded.decoder)
        self._lenient(reported, decoded.final)
        if decoded.labelled is not None and decoded.labelled_decoder is not None:
            if decoded.labelled is not decoded.lenient:
                reported = _ReportedPiece(decoded.labelled, None, decoded.labelled_decoder)
            self._labelled(reported)

    def _lenient(self, reported: _ReportedPiece, final: bool) -> None:
        block, piece, first = self._block, reported.piece, reported.first or 0
        if not self._begun:
            self._begun, self._xml11 = True, _XML11.match(block.text) is not None
        notable = reported.notable
        forbidden = any(map(notable.__contains__, _FORBIDDEN_BYTES)) or _NONCHARACTER.search(notable)
        if forbidden:
            self._characters("forbidden-character", FORBIDDEN_CHARACTER, reported)
        clean = not forbidden and piece.undecodable < 0 and not self._xml11
        references = self._references()
        self._judge(clean and self._clean and not references, final, first, reported.utf8)
        self._clean = clean and (self._clean or block.stop >= first)
        self._mojibake.look(reported.utf8, reported.notable)

    def _judge(self, clean: bool, final: bool, first: int, utf8: bytes) -> None:
        """Whether the document is well-formed."""
        known, block = self._markup.error, self._block
        self._markup.feed(block.text, block.stop, clean=clean, final=final, first=first, utf8=utf8)
        if known is None and self._markup.error is not None:
            why, line, column = self._markup.error
            index = block.find(line, column)
            offset, end = block.offset(index), block.offset(index + 1)
            self._findings.at("not-well-formed", offset, end, index, why=visible(why))
        if final and not self._markup.has_markup:
            self._findings.drop("not-well-formed")
            self._findings.add("no-xml")

    def _references(self) -> bool:
        """References to characters that XML forbids. In CDATA, comments and instructions they are text."""
        text, before = self._block.text, self._block.before
        found = bad_references(text, self._block.stop, xml11=self._xml11)
        if not found:
            return False
        spans = [match.span() for match in _SECTION.finditer(before + text)]
        first = _DELIMITER.search(before + text)
        if first is not None and first[0] == "]]>":  # the end of a section that began earlier
            spans.insert(0, (0, first.end()))
        for index, reference in found:
            near = bisect_right(spans, (index + len(before), len(before) + len(text))) - 1
            if near >= 0 and index + len(before) < spans[near][1]:
                continue
            if not self._findings.compares("forbidden-reference"):
                self._findings.count("forbidden-reference", 1)
                continue
            offset, end = self._block.offset(index), self._block.offset(index + len(reference))
            self._findings.at("forbidden-reference", offset, end, index, reference=reference)
        return True

    # -- the text as it is labelled ------------------------------------------------------------------------

    def labelled_as(self, comparison: ReadingComparison) -> Charset | None:
        """The charset in which undecodable bytes are reported; called once the decision is known."""
        self._comparison = comparison
        if is_unnamed(comparison):
            self._findings.lower_limit("undecodable", EXAMPLES)
        return labelled_charset(comparison)

    def _labelled(self, reported: _ReportedPiece) -> None:
        piece, charset = reported.piece, reported.decoder.charset
        if piece.undecodable >= 0:
            self._undecodable(reported)
        if piece.text:
            self._in_run = _UNDECODABLE_RUN.match(piece.text[-1]) is not None
        if _C1_IN_UTF8.search(reported.notable):
            code = "undecodable" if charset.name in _WITHOUT_C1 else "c1-control"
            self._characters(code, _C1_OF_FAMILY.get(charset.family, _C1_CONTROL), reported)

    def _undecodable(self, decoded: _ReportedPiece) -> None:
        """Runs of undecodable bytes; one that continues from the piece before is reported already."""
        text, start = decoded.piece.text, decoded.piece.undecodable
        if self._in_run and start == 0:
            start = next((at for at, char in enumerate(text) if not _UNDECODABLE_RUN.match(char)), len(text))
        name = decoded.decoder.charset.name
        for run in self._compared("undecodable", _UNDECODABLE_RUN, decoded, start):
            offset, end = decoded.place(run)
            data = bytes(ord(char) & 0xFF for char in run[0][:9])
            fix = self._fix(decoded, offset, _replaced(text, *run.span()) if name == "UTF-8" else "")
            self._found("undecodable", run, (offset, end), decoded, fix, bytes=spelled(data), name=name)

    # -- both ---------------------------------------------------------------------------------------------

    def _characters(self, code: str, pattern: re.Pattern[str], decoded: _ReportedPiece) -> None:
        """Single characters that are findings.

        In a charset in which a character determines its bytes, what is found again is the same finding.
        """
        known: dict[str, Occurrences] = {}
        for found in self._compared(code, pattern, decoded, 0):
            if found[0] in known:
                self._findings.repeat(known[found[0]], decoded.piece, found.start())
                continue
            offset, end = decoded.place(found)
            meant = bytes([ord(found[0])]).decode("cp1252", "ignore") if code == "c1-control" else ""
            fix = self._fix(decoded, offset, meant) if code != "forbidden-character" else None
            values = {
                "bytes": spelled(decoded.bytes_at(offset, end - offset)),
                "character": f"U+{ord(found[0]):04X}",
                "name": decoded.decoder.charset.name,
            }
            occurrences = self._found(code, found, (offset, end), decoded, fix, **values)
            if decoded.decoder.charset.family in ("single", "UTF-8"):
                known[found[0]] = occurrences

    def _fix(self, decoded: _ReportedPiece, offset: int, meant: str) -> AnyFix:
        """The fix for bytes that are wrong in the labelled charset. `meant`: what they mean in UTF-8."""
        charset = decoded.decoder.charset
        size = 1 if charset.family == "single" else 4
        in_superset = _superset_knows(charset.name, decoded.bytes_at(offset, size))
        if in_superset or charset.superset == charset.name:
            self._comparison.needs_superset |= charset.family != "UTF-8"
        return lambda fixes: fixes.bytes(charset, in_superset, meant)

    def _compared(
        self, code: str, pattern: re.Pattern[str], decoded: _ReportedPiece, start: int
    ) -> Iterator[re.Match[str]]:
        """The matches that are compared; the others are only counted."""
        text = decoded.piece.text
        for found in pattern.finditer(text, start):
            if not self._findings.compares(code):
                self._findings.count(code, len(pattern.findall(text, found.start())))
                break
            yield found

    def _found(
        self,
        code: str,
        found: re.Match[str],
        place: tuple[int, int],
        decoded: _ReportedPiece,
        fix: AnyFix,
        **values: str,
    ) -> Occurrences:
        index = None if decoded.first is None else decoded.first + found.start()
        return self._findings.at(code, place[0], place[1], index, fix, **values)


class _ReportedPiece:
    """A piece of text that is searched.

    Args:
        piece: the text, and the bytes that it was decoded from.
        first: index of its first character in the block, or None where it is another text.
        decoder: of the piece.
    """

    def __init__(self, piece: TextPiece, first: int | None, decoder: PositionedDecoder) -> None:
        self.piece = piece
        self.first = first
        self.decoder = decoder

    @cached_property
    def utf8(self) -> bytes:
        """The text in UTF-8, the form that the searches and the parser take."""
        if self.decoder.charset.family == "UTF-8":
            return self.piece.data
        return self.piece.text.encode("utf-8", "surrogatepass")

    @cached_property
    def notable(self) -> bytes:
        """The same without the ASCII characters that XML allows: every other character as it is, in a tenth
        of the bytes, where most are Latin letters."""
        return self.utf8.translate(None, _ALLOWED_ASCII)

    def place(self, found: re.Match[str]) -> tuple[int, int]:
        """Offset and end of what was found in the text."""
        return self.piece.offset_of(found.start()), self.piece.offset_of(found.end())

    def bytes_at(self, offset: int, size: int) -> bytes:
        """Bytes of the document from an offset on, if they are in this piece."""
        at = offset - self.piece.offset
        return self.piece.data[at : at + size]


def bad_references(text: str, stop: int, *, xml11: bool) -> list[tuple[int, str]]:
    """References to characters that XML forbids (XML 1.0 §4.1, "Legal Character").

    Args:
        text: any text.
        stop: those that begin before this index are returned.
        xml11: by XML 1.1 §2.2, which allows references to the C0 controls other than NUL.

    Returns:
        The index and the spelling of each.
    """
    if not _has_references(text):
        return []
    found = [(match.start(), match[0]) for match in NUMBERED_REFERENCE.finditer(text)]
    return [(at, reference) for at, reference in found if at < stop and _is_bad(reference, xml11=xml11)]


def _has_references(text: str) -> bool:
    """`"&#" in text`; where there are few `#`, ten times as fast, since one character is found by memchr."""
    at = -1
    for _ in range(FEW_NUMBER_SIGNS):
        at = text.find("#", at + 1)
        if at < 0 or text[at - 1 : at] == "&":
            return at >= 0
    return "&#" in text


def _is_bad(reference: str, *, xml11: bool) -> bool:
    digits = reference[2:-1]
    number = int(digits[1:], 16) if digits[0] == "x" else int(digits)
    if number < 0x20:
        return number == 0 or not (xml11 or number in (0x09, 0x0A, 0x0D))
    return 0xD800 <= number <= 0xDFFF or number in (0xFFFE, 0xFFFF) or number > 0x10FFFF


def _replaced(text: str, start: int, end: int) -> str:
    """The characters that lenient reading gives for undecodable bytes of UTF-8; "" where it has none."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    whole = replace_undecodable(before + text[start:end] + after, "UTF-8", "windows-1252")[0]
    meant = whole[len(before) : len(whole) - len(after)]
    return "" if "\ufffd" in meant else meant


@lru_cache(maxsize=256)
def _superset_knows(name: str, data: bytes) -> bool:
    """Return True where the superset that lenient reading uses has a character for these bytes."""
    charset = by_name(name)
    if charset.superset == charset.name:
        return False
    text = PositionedDecoder(by_name(charset.superset), lenient=True, offset=0).read(data, True).text
    return bool(text) and not ("\x80" <= text[0] <= "\x9f" or "\udc00" <= text[0] <= "\uddff")
