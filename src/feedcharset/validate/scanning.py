"""What stands in the text: octets that do not decode, characters that XML forbids, C1 controls, mojibake.

Clean text is looked at in C only: a few searches for one octet each (`octet in octets` is memchr), a few for
one character. Python works where something is found.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from feedcharset.evidence.charsets import Charset
from feedcharset.validate.claims import claimed_charset, octet_fix
from feedcharset.validate.collecting import character, spelled
from feedcharset.validate.misdecoding import Misdecoding
from feedcharset.validate.references import LOOK_BACK, bad_references, cut_reference, without_text

if TYPE_CHECKING:
    from feedcharset.validate.collecting import Collector
    from feedcharset.validate.examining import Examination
    from feedcharset.validate.places import Places
    from feedcharset.validate.voices import Piece, Voice

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
        self._examination: Examination | None = None

    # -- the lenient text -----------------------------------------------------------------------------

    def look(self, octets: bytes, piece: Piece, index: int, voice: Voice, final: bool) -> None:
        """The next piece of the lenient text."""
        text = piece.text
        if index == 0:
            self._xml11 = _XML11.match(text) is not None
        if _may_be_forbidden(octets, text, voice):
            self._characters("forbidden-character", _FORBIDDEN, piece, index, octets, voice)
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
        if piece.mark >= 0:
            self._undecodable(piece, index, voice)
        if piece.text:
            self._in_run = _RUN.match(piece.text[-1]) is not None
        if voice.charset.family == "UTF-8":
            if _C1_IN_UTF8.search(octets) or 0x80 <= (octets or b"<")[0] < 0xA0:
                self._characters("c1-control", _C1, piece, index, octets, voice)
        elif not piece.text.isascii():
            pattern = _C1_IN_EBCDIC if voice.charset.family == "EBCDIC" else _C1
            self._characters("c1-control", pattern, piece, index, octets, voice)

    def _undecodable(self, piece: Piece, index: int | None, voice: Voice) -> None:
        """Runs of octets that do not decode; one that goes on from the piece before is told already."""
        known, offset, done = self._in_run and piece.mark == 0, piece.offset, 0
        for run in _RUN.finditer(piece.text, piece.mark):
            if known:
                known = False
            elif self._collector.wants("undecodable"):
                offset += voice.engine.width(piece.text[done : run.start()])
                done = run.start()
                octets = bytes(ord(mark) - 0xDC00 for mark in run[0][:9])
                self._collector.at(
                    "undecodable",
                    self._places.index(offset) if index is None else index + done,
                    offset,
                    fix=octet_fix(self._examination, octets, voice),
                    octets=spelled(octets),
                    name=voice.charset.name,
                )
            else:
                rest = len(_RUN.findall(piece.text, run.start()))
                self._collector.count("undecodable", rest)
                break

    # -- both -----------------------------------------------------------------------------------------

    def _characters(
        self,
        code: str,
        pattern: re.Pattern[str],
        piece: Piece,
        index: int | None,
        octets: bytes,
        voice: Voice,
    ) -> None:
        """Single characters that are findings."""
        begin = voice.offset - len(octets)
        offset, done = piece.offset, 0
        for found in pattern.finditer(piece.text):
            if not self._collector.wants(code):
                self._collector.count(code, len(pattern.findall(piece.text, found.start())))
                break
            offset += voice.engine.width(piece.text[done : found.start()])
            done = found.start()
            width = voice.engine.width(found[0])
            self._collector.at(
                code,
                self._places.index(offset) if index is None else index + done,
                offset,
                fix=octet_fix(self._examination, octets[max(0, offset - begin) :][:width], voice)
                if code == "c1-control"
                else None,
                octets=spelled(octets[max(0, offset - begin) :][:width]),
                character=character(found[0]),
            )


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
