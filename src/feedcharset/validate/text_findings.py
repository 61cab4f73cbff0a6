"""What stands in the text: octets that do not decode, characters that XML forbids, C1 controls, mojibake.

Clean text is looked at in C only: a few searches for one octet each (`octet in octets` is memchr), a few for
one character. Python works where something is found.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.lookup import Charset
from feedcharset.validate.character_references import LOOK_BACK, bad_references, cut_reference, without_text
from feedcharset.validate.finding_list import character, spelled
from feedcharset.validate.label_fixes import claimed_charset, octet_fix
from feedcharset.validate.mojibake_findings import Misdecoding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.validate.finding_list import Collector
    from feedcharset.validate.parallel_decoders import Piece, Voice
    from feedcharset.validate.reading_comparison import Examination
    from feedcharset.validate.text_positions import Places

__all__ = ["Scanner"]

_C0 = bytes([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20)])
_FORBIDDEN = re.compile(f"[{_C0.decode('ascii')}\ufffe\uffff]")
_C1 = re.compile("[\x80-\x9f]")
_C1_IN_EBCDIC = re.compile("[\x80-\x84\x86-\x9f]")
"""NEL is the line end there."""
_C1_IN_UTF8 = re.compile(b"\xc2[\x80-\x9f]")
_RUN = re.compile("[\udc00-\udcff]+")
_XML11 = re.compile(r"<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*[\"']1\.1[\"']")


class Scanner:
    """Looks at the text of one document as it passes (`examining.Watch`)."""

    def __init__(self, places: Places, collector: Collector) -> None:
        self._places = places
        self._collector = collector
        self._misdecoding = Misdecoding(places, collector)
        self._xml11 = False
        self._cut = ""
        self._in_run = False
        self._examination: Examination
        """Set by `claimed`, before anything is judged."""

    # -- the lenient text -----------------------------------------------------------------------------

    def look(self, octets: bytes, piece: Piece, index: int, voice: Voice, final: bool) -> None:
        """The next piece of the lenient text."""
        text = piece.text
        if index == 0:
            self._xml11 = _XML11.match(text) is not None
        if _may_be_forbidden(octets, text, voice):
            self._characters("forbidden-character", _FORBIDDEN, _Heard(octets, piece, index, voice))
        self._references(text, index)
        utf8 = octets if voice.charset.family == "UTF-8" else None
        self._misdecoding.look(text, index, utf8, marked=piece.mark >= 0, final=final)

    def _references(self, text: str, index: int) -> None:
        text, index = self._cut + text, index - len(self._cut)
        self._cut = cut_reference(text)
        found = bad_references(text, xml11=self._xml11)
        if not found:
            return
        before = self._places.text(index - LOOK_BACK, index)
        for at, reference in without_text(found, before, text):
            if not self._collector.wants("forbidden-reference"):
                self._collector.count("forbidden-reference", 1)
                continue
            offset = self._places.offset(index + at)
            self._collector.at("forbidden-reference", index + at, offset, reference=reference)

    # -- the text as it is claimed to be --------------------------------------------------------------

    def claimed(self, examination: Examination) -> Charset | None:
        """The charset by which octets are judged."""
        self._examination = examination
        return claimed_charset(examination)

    def skips(self, octets: bytes, voice: Voice) -> bool:
        """Nothing in these octets is worth judging."""
        skips = voice.plain(octets)
        if not skips and voice.table is not None:
            skips = not any(octet in octets for octet in _telling(voice.table, voice.charset.family))
        if skips and octets:
            self._in_run = False
        return skips

    def judge(self, octets: bytes, piece: Piece, index: int | None, voice: Voice) -> None:
        """The next piece, as the document claims to be read."""
        heard = _Heard(octets, piece, index, voice)
        if piece.mark >= 0:
            self._undecodable(heard)
        if piece.text:
            self._in_run = _RUN.match(piece.text[-1]) is not None
        if voice.charset.family == "UTF-8":
            if _C1_IN_UTF8.search(octets) or 0x80 <= (octets or b"<")[0] < 0xA0:
                self._characters("c1-control", _C1, heard)
        elif not piece.text.isascii():
            ebcdic = voice.charset.family == "EBCDIC"
            self._characters("c1-control", _C1_IN_EBCDIC if ebcdic else _C1, heard)

    def _undecodable(self, heard: _Heard) -> None:
        """Runs of octets that do not decode; one that goes on from the piece before is told already."""
        text, mark = heard.piece.text, heard.piece.mark
        if self._in_run and mark == 0:
            mark = next((at for at, char in enumerate(text) if not _RUN.match(char)), len(text))
        name = heard.voice.charset.name
        for run, offset in self._wanted("undecodable", _RUN, heard, mark):
            octets = bytes(ord(mark) - 0xDC00 for mark in run[0][:9])
            fix = octet_fix(self._examination, heard.octets_at(offset, 4), heard.voice)
            self._found("undecodable", run, offset, heard, fix, octets=spelled(octets), name=name)

    # -- both -----------------------------------------------------------------------------------------

    def _characters(self, code: str, pattern: re.Pattern[str], heard: _Heard) -> None:
        """Single characters that are findings."""
        for found, offset in self._wanted(code, pattern, heard, 0):
            octets = heard.octets_at(offset, heard.voice.engine.width(found[0]))
            fix = octet_fix(self._examination, octets, heard.voice) if code == "c1-control" else None
            self._found(
                code, found, offset, heard, fix, octets=spelled(octets), character=character(found[0])
            )

    def _wanted(
        self, code: str, pattern: re.Pattern[str], heard: _Heard, start: int
    ) -> Iterator[tuple[re.Match[str], int]]:
        """The matches that are told, with their offsets; the others are counted."""
        text, offset, done = heard.piece.text, heard.piece.offset, 0
        for found in pattern.finditer(text, start):
            if not self._collector.wants(code):
                self._collector.count(code, len(pattern.findall(text, found.start())))
                break
            offset += heard.voice.engine.width(text[done : found.start()])
            done = found.start()
            yield found, offset

    def _found(
        self, code: str, found: re.Match[str], offset: int, heard: _Heard, fix: str | None, **values: str
    ) -> None:
        index = self._places.index(offset) if heard.first is None else heard.first + found.start()
        self._collector.at(code, index, offset, fix=fix, **values)


class _Heard(NamedTuple):
    """A piece of text and what it was read from."""

    octets: bytes
    piece: Piece
    first: int | None
    """Index of its first character in the lenient text, where it is that."""
    voice: Voice

    def octets_at(self, offset: int, size: int) -> bytes:
        """Octets of the document, as far as they lie in this block."""
        at = max(0, offset - self.voice.offset + len(self.octets))
        return self.octets[at : at + size]


def _may_be_forbidden(octets: bytes, text: str, voice: Voice) -> bool:
    if voice.charset.ascii_compatible and voice.charset.family != "ISO-2022-JP":
        # No charset of the table has octets below 30 as anything but ASCII.
        controls = any(octet in octets for octet in _C0)
    else:
        controls = any(chr(octet) in text for octet in _C0)
    return controls or (not text.isascii() and ("\ufffe" in text or "\uffff" in text))


@lru_cache(maxsize=64)  # one for each table that is read; a process meets few
def _telling(table: str, family: str) -> bytes:
    """The octets of a table that do not decode, or are C1 controls."""
    return bytes(
        octet
        for octet, char in enumerate(table)
        if "\udc00" <= char <= "\udcff"
        or ("\x80" <= char <= "\x9f" and not (family == "EBCDIC" and char == "\x85"))
    )
