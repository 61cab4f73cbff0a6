"""Findings in the text: undecodable bytes, characters that XML forbids, C1 controls, mojibake.

Clean text costs only a few searches in C (`byte in data` is memchr). Python code runs where a search finds
something.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.lookup import Charset
from feedcharset.results.display import visible
from feedcharset.text.byte_replacement import replace_undecodable
from feedcharset.validate.character_references import (
    FORBIDDEN_CHARACTER,
    LOOK_BACK,
    bad_references,
    cut_reference,
    without_text,
)
from feedcharset.validate.document_encoding import is_unnamed, labelled_charset, superset_knows
from feedcharset.validate.finding_list import character, spelled
from feedcharset.validate.mojibake_findings import MojibakeFindings
from feedcharset.validate.well_formedness import WellFormedness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.validate.finding_list import AnyFix, FindingList
    from feedcharset.validate.positioned_decoder import Piece, PositionedDecoder
    from feedcharset.validate.reading_comparison import ReadingComparison
    from feedcharset.validate.text_positions import TextPositions

__all__ = ["TextFindings"]

_C0 = bytes([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20)])
_C1 = re.compile("[\x80-\x9f]")
_C1_OF_FAMILY = {"EBCDIC": re.compile("[\x80-\x84\x86-\x9f]")}
"""In EBCDIC, NEL is the line end."""
_WITHOUT_C1 = ("TIS-620",)
"""Charsets that leave 80-9F undefined. Python decodes them as C1 controls; parsers refuse them."""
_C1_IN_UTF8 = re.compile(b"\xc2[\x80-\x9f]")
_RUN = re.compile("[\udc00-\uddff]++")
_XML11 = re.compile(r"<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*[\"']1\.1[\"']")


EXAMPLES = 5
"""Different undecodable bytes that are reported beside `encoding-unnamed`, which is about all of them."""


class TextFindings:
    """Searches the text of one document piece by piece (a `reading_comparison.TextObserver`)."""

    def __init__(self, positions: TextPositions, findings: FindingList) -> None:
        self._positions = positions
        self._findings = findings
        self._mojibake = MojibakeFindings(positions, findings)
        self._markup = WellFormedness()
        self._xml11 = False
        self._cut = ""
        self._in_run = False
        self._comparison: ReadingComparison
        """Set by `labelled_as`, before `labelled_text` is called."""

    # -- the lenient text -----------------------------------------------------------------------------

    def lenient_text(
        self, data: bytes, piece: Piece, index: int, decoder: PositionedDecoder, final: bool
    ) -> None:
        """The next piece of the lenient text."""
        text = piece.text
        if index == 0:
            self._xml11 = _XML11.match(text) is not None
        forbidden = _may_be_forbidden(data, text, decoder)
        if forbidden:
            self._characters(
                "forbidden-character", FORBIDDEN_CHARACTER, _DecodedBlock(data, piece, index, decoder)
            )
        references = self._references(text, index)
        clean = not forbidden and not references and piece.mark < 0
        self._judge(text, clean=clean and not self._xml11, final=final)
        utf8 = data if decoder.charset.family == "UTF-8" else None
        self._mojibake.look(text, index, utf8, marked=piece.mark >= 0, final=final)

    def _judge(self, text: str, *, clean: bool, final: bool) -> None:
        """Whether the document is well-formed."""
        known = self._markup.error
        self._markup.feed(text, clean=clean, final=final)
        if known is None and self._markup.error is not None:
            why, line, column = self._markup.error
            index = self._positions.find(line, column)
            offset, end = self._positions.offset(index), self._positions.offset(index + 1)
            self._findings.at("not-well-formed", index, offset, end, why=visible(why))
        if final and not self._markup.has_markup:
            self._findings.drop("not-well-formed")
            self._findings.add("no-xml")

    def _references(self, text: str, index: int) -> bool:
        text, index = self._cut + text, index - len(self._cut)
        self._cut = cut_reference(text)
        found = bad_references(text, xml11=self._xml11)
        if not found:
            return False
        before = self._positions.text(index - LOOK_BACK, index)
        for at, reference in without_text(found, before, text):
            if not self._findings.compares("forbidden-reference"):
                self._findings.count("forbidden-reference", 1)
                continue
            offset, end = (self._positions.offset(index + at + length) for length in (0, len(reference)))
            self._findings.at("forbidden-reference", index + at, offset, end, reference=reference)
        return True

    # -- the text as it is labelled ------------------------------------------------------------------

    def labelled_as(self, comparison: ReadingComparison) -> Charset | None:
        """The charset in which undecodable bytes are reported."""
        self._comparison = comparison
        if is_unnamed(comparison):
            self._findings.lower_limit("undecodable", EXAMPLES)
        return labelled_charset(comparison)

    def skips(self, data: bytes, decoder: PositionedDecoder) -> bool:
        """Return True where these bytes hold no possible finding."""
        skips = decoder.plain(data)
        if not skips and decoder.table is not None:
            skips = not any(byte in data for byte in _reported_bytes(decoder.table, decoder.charset.family))
        if skips and data:
            self._in_run = False
        return skips

    def labelled_text(self, data: bytes, piece: Piece, index: int | None, decoder: PositionedDecoder) -> None:
        """The next piece, decoded as the document is labelled."""
        block = _DecodedBlock(data, piece, index, decoder)
        if piece.mark >= 0:
            self._undecodable(block)
        if piece.text:
            self._in_run = _RUN.match(piece.text[-1]) is not None
        if decoder.charset.family == "UTF-8":
            if _C1_IN_UTF8.search(data) or 0x80 <= (data or b"<")[0] < 0xA0:
                self._characters("c1-control", _C1, block)
        elif not piece.text.isascii():
            code = "undecodable" if decoder.charset.name in _WITHOUT_C1 else "c1-control"
            self._characters(code, _C1_OF_FAMILY.get(decoder.charset.family, _C1), block)

    def _undecodable(self, block: _DecodedBlock) -> None:
        """Runs of undecodable bytes; one that continues from the piece before is reported already."""
        text, mark = block.piece.text, block.piece.mark
        if self._in_run and mark == 0:
            mark = next((at for at, char in enumerate(text) if not _RUN.match(char)), len(text))
        name = block.decoder.charset.name
        for run, offset, end in self._compared("undecodable", _RUN, block, mark):
            data = bytes(ord(char) & 0xFF for char in run[0][:9])
            fix = self._fix(block, offset, _replaced(text, *run.span()) if name == "UTF-8" else "")
            self._found("undecodable", run, (offset, end), block, fix, bytes=spelled(data), name=name)

    # -- both -----------------------------------------------------------------------------------------

    def _characters(self, code: str, pattern: re.Pattern[str], block: _DecodedBlock) -> None:
        """Single characters that are findings."""
        for found, offset, end in self._compared(code, pattern, block, 0):
            data = block.bytes_at(offset, end - offset)
            meant = bytes([ord(found[0])]).decode("cp1252", "ignore") if code == "c1-control" else ""
            fix = self._fix(block, offset, meant) if code != "forbidden-character" else None
            name = block.decoder.charset.name
            values = {"bytes": spelled(data), "character": character(found[0]), "name": name}
            self._found(code, found, (offset, end), block, fix, **values)

    def _fix(self, block: _DecodedBlock, offset: int, character: str) -> AnyFix:
        """The fix for bytes that are wrong in the labelled charset. `character`: what they mean in UTF-8."""
        charset, data = block.decoder.charset, block.bytes_at(offset, 4)
        in_superset = superset_knows(charset, data)
        if in_superset or charset.superset == charset.name:
            self._comparison.needs_superset |= charset.family != "UTF-8"
        return lambda fixes: fixes.bytes(charset, in_superset, character)

    def _compared(
        self, code: str, pattern: re.Pattern[str], block: _DecodedBlock, start: int
    ) -> Iterator[tuple[re.Match[str], int, int]]:
        """The matches that are compared, with their offsets and ends; the others are only counted."""
        text = block.piece.text
        for found in pattern.finditer(text, start):
            if not self._findings.compares(code):
                self._findings.count(code, len(pattern.findall(text, found.start())))
                break
            yield found, block.piece.offset_of(found.start()), block.piece.offset_of(found.end())

    def _found(
        self,
        code: str,
        found: re.Match[str],
        place: tuple[int, int],
        block: _DecodedBlock,
        fix: AnyFix,
        **values: str,
    ) -> None:
        index = self._positions.index(place[0]) if block.first is None else block.first + found.start()
        self._findings.at(code, index, place[0], place[1], fix, **values)


class _DecodedBlock(NamedTuple):
    """A piece of text and the bytes that it was decoded from."""

    data: bytes
    piece: Piece
    first: int | None
    """Index of its first character in the lenient text, or None where it is another text."""
    decoder: PositionedDecoder

    def bytes_at(self, offset: int, size: int) -> bytes:
        """Bytes of the document from an offset on, if they are in this block."""
        at = max(0, offset - self.decoder.offset + len(self.data))
        return self.data[at : at + size]


def _replaced(text: str, start: int, end: int) -> str:
    """The characters that lenient reading gives for undecodable bytes of UTF-8; "" where it has none."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    whole = replace_undecodable(before + text[start:end] + after, "UTF-8", "windows-1252")[0]
    meant = whole[len(before) : len(whole) - len(after)]
    return "" if "\ufffd" in meant else meant


def _may_be_forbidden(data: bytes, text: str, decoder: PositionedDecoder) -> bool:
    if decoder.charset.ascii_compatible and decoder.charset.family != "ISO-2022-JP":
        # In every charset of the table, bytes below 30 are ASCII.
        controls = any(byte in data for byte in _C0)
    else:
        controls = any(chr(byte) in text for byte in _C0)
    return controls or (not text.isascii() and ("\ufffe" in text or "\uffff" in text))


@lru_cache(maxsize=64)  # one for each decoding table in use
def _reported_bytes(table: str, family: str) -> bytes:
    """The bytes that are undecodable or C1 controls in a table."""
    return bytes(
        byte
        for byte, char in enumerate(table)
        if "\udc00" <= char <= "\udcff"
        or ("\x80" <= char <= "\x9f" and not (family == "EBCDIC" and char == "\x85"))
    )
