"""The fourth witness, from the first octet over 7F on: the look-ahead window, and what it can be asked.

Every question is answered once, when it is asked, and the answers are collected for the record.
"""

from __future__ import annotations

import re
from codecs import utf_8_decode

from feedcharset.charsets import decoders
from feedcharset.charsets.lookup import Charset
from feedcharset.evidence.declaration import DECLARATION_LIMIT, misplaced_label
from feedcharset.evidence.detector import Detector
from feedcharset.evidence.utf8_sequences import count_sequences
from feedcharset.results.facts import Body, Damage, PlainCount, Utf8Count

__all__ = ["LOOKAHEAD", "Window", "first_high"]

LOOKAHEAD = 1 << 20
"""Octets of the window. The whole rest of most feeds (a median feed has 60 KB, and 20 MiB is where fetching
ends); small enough to hold for each of a thousand readers."""

_ASCII = bytes(range(0x80))
_HIGH = re.compile(rb"[\x1b\x80-\xff]")
_MARKS = re.compile("[\udc80-\udcff]++")
_TO_TWO_OCTET_SET = re.compile(rb"\x1b\$[@B(]")
_ESCAPE = re.compile(rb"\x1b(?:\$[@B]|\$\([@BD]|\([BJI])")
_CUT_ESCAPE = re.compile(rb"\x1b(?:\$\(?|\()?\Z")


def first_high(octets: bytes) -> int:
    """Offset of the first octet over 7F, or ESC; -1 where there is none."""
    if octets.isascii():
        return octets.find(b"\x1b")
    try:
        octets.decode("ascii")
    except UnicodeDecodeError as error:
        escape = octets.find(b"\x1b", 0, error.start)
        return error.start if escape < 0 else escape
    raise AssertionError  # pragma: no cover - what is not ASCII does not decode as ASCII


class Window:
    """A piece of the document that begins at (a few octets before) the first octet over 7F, or ESC.

    Args:
        octets: the window.
        ends: nothing of the document follows it (so a character cut by its end is damage).
        before: octets that stand before it, at least the last one where there is any.
        opening: the document's first octets, as far as they stand before the window; 4,096 count.
        detector: the caller's, asked at the most once.
    """

    __slots__ = (
        "_asked_detector",
        "_asked_misplaced",
        "_before",
        "_damage",
        "_detected",
        "_detector",
        "_misplaced",
        "_opening",
        "_plain",
        "_utf8",
        "ends",
        "octets",
    )

    def __init__(
        self,
        octets: bytes,
        *,
        ends: bool,
        before: bytes = b"",
        opening: bytes = b"",
        detector: Detector | None = None,
    ) -> None:
        self.octets = octets
        self.ends = ends
        self._before = before[-1:]
        self._opening = opening[:DECLARATION_LIMIT]
        self._misplaced: str | None = None
        self._asked_misplaced = False
        self._detector = detector
        self._detected: str | None = None
        self._asked_detector = False
        self._utf8: Utf8Count | None = None
        self._damage: dict[str, Damage] = {}
        self._plain: dict[str, PlainCount] = {}

    def utf8(self) -> Utf8Count:
        """The window read as UTF-8."""
        if self._utf8 is None:
            self._utf8 = count_utf8(self.octets, ends=self.ends)
        return self._utf8

    def damage(self, charset: Charset) -> Damage:
        """The window read as a charset, leniently."""
        found = self._damage.get(charset.name)
        if found is None:
            found = self._damage[charset.name] = decoders.damage(charset, self.octets, final=self.ends)
        return found

    def plain(self, charset: Charset) -> PlainCount:
        """Its UTF-8 sequences, held against a charset's label."""
        found = self._plain.get(charset.name)
        if found is None:
            found = self._plain[charset.name] = count_sequences(self._before + self.octets, charset)
        return found

    def misplaced(self) -> str | None:
        """The encoding that a misplaced declaration names."""
        if not self._asked_misplaced:
            self._asked_misplaced = True
            self._misplaced = misplaced_label(self._opening + self.octets[:DECLARATION_LIMIT])
        return self._misplaced

    def detected(self) -> str | None:
        """What the caller's detector says; None without one."""
        if self._detector is not None and not self._asked_detector:
            self._asked_detector = True
            self._detected = self._detector(self.octets)
        return self._detected

    def escapes(self) -> bool:
        """It holds no octet over 7F, and ESC only where ISO-2022-JP has it: the escapes are proof."""
        if not self.octets.isascii() or not _TO_TWO_OCTET_SET.search(self.octets):
            return False
        escapes = self.octets.count(b"\x1b")
        if not self.ends:
            cut = self.octets[-3:].count(b"\x1b")
        else:  # a download may break off in an escape, too
            cut = _CUT_ESCAPE.search(self.octets, max(0, len(self.octets) - 3)) is not None
        return len(_ESCAPE.findall(self.octets)) >= escapes - cut

    def record(self, body: Body) -> Body:
        """The facts with the numbers that were asked for."""
        return body._replace(
            utf8=self._utf8,
            damage=tuple(self._damage.values()),
            plain=tuple(self._plain.values()),
            misplaced=self._misplaced,
            detected=self._detected,
        )


def count_utf8(octets: bytes, *, ends: bool) -> Utf8Count:
    """Count well-formed sequences, and the runs of octets between them that are not UTF-8."""
    try:
        utf_8_decode(octets, "strict", ends)
    except UnicodeDecodeError:
        text, used = utf_8_decode(octets, "surrogateescape", ends)
    else:
        return Utf8Count(None, 0)
    runs = sum(1 for _ in _MARKS.finditer(text))  # one at a time: a list of them can take 80 bytes an octet
    marks = (len(text.encode("utf-8", "surrogatepass")) - used) // 2  # a mark is three octets; it was one
    ascii_octets = len(octets) - len(octets.translate(None, _ASCII))
    return Utf8Count(len(text) - ascii_octets - marks, runs)
