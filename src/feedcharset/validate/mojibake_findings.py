"""Findings of probable mojibake, in text of any size.

`fix_run` decides, as for `mojibake="fix"`; but it reads 3 MB/s. So regular expressions first find, at about
800 MB/s, the signs in UTF-8 that was decoded in one of the pages of `mojibake="fix"`. Where `keeps_rows` says
that nothing changes the characters around them, as in prose, nothing else is searched. Else the run around
each sequence is passed to ftfy. A row of letters alone is not found: ftfy hardly ever changes one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from operator import methodcaller

from feedcharset.charsets.undecodable_bytes import UNDECODABLE_BYTE
from feedcharset.text.mojibake import PAGES, fix_run, keeps_rows, lead_and_continuation, sequence_characters
from feedcharset.validate.findings import FindingList, quoted
from feedcharset.validate.text_blocks import TextBlock, TextPiece

JUDGED_RUNS = 5000
"""Runs that are passed to ftfy: half a second of work. Later runs are not searched."""

AROUND_SEQUENCE = 300
"""Characters of a run on either side of a sequence: ftfy decides by the neighbouring characters."""

LONGEST_SEQUENCE = 8
"""Most characters of a decoded sequence and the characters that must precede it."""

_C1_IN_1252 = {byte: bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0xA0)}
_MAC_AND_DOS = "mac-roman cp437"
_SIGNS = {0xC2: b"\xc2.", 0xC6: b"\xc6.", 0xCB: b"\xcb.", 0xE2: b"\xe2.."}
"""By their first byte in UTF-8."""
_WITHOUT_SIGN = {
    lead: re.compile(pattern)
    for lead, pattern in (
        ("Ђ", "вЂ"),  # marks in windows-1251
        ("Ґ", "Ґ(?<=[а-џ].)"),  # in words it stands before other letters
        ("Γ", "Γ[À-ÿ]"),  # marks in code page 437
        *((lead, f"{lead}[ŠŒŽšœžŸ]") for lead in "ÂÃÎÐ"),  # ß in windows-1252
        ("Ă", "Ă[ŚŞŠŤŽŹŁĄŻĽśşšťžźłążľ]"),
    )
}
"""Leads before letters, by their first character: it is looked for alone, 100 times as fast."""
_BESIDE_LETTERS = "’“”«»–—…\xa0"
"""Leads in Mac Roman that stand before letters in any prose. What was decoded so has other signs, too. So at
the beginning of a row they are passed over: `”Ä` would be a Cyrillic letter."""


def _any_of(chars: Iterable[str]) -> bytes:
    """Return the expression of characters in UTF-8."""
    lasts: dict[bytes, bytes] = {}
    for char in map(str.encode, chars):
        lasts[char[:-1]] = lasts.get(char[:-1], b"") + char[-1:]
    return b"(?:%s)" % b"|".join(first + b"[" + re.escape(last) + b"]" for first, last in lasts.items())


def _behind(chars: Iterable[str], after: bytes = b"", before: bytes = b"") -> bytes:
    """Return the expression of a place behind such a character, with what stands before and after that."""
    sizes = [[char for char in chars if len(char.encode()) == size] for size in (2, 3)]
    return b"(?:%s)" % b"|".join(b"(?<=%s%s%s)" % (before, _any_of(some), after) for some in sizes if some)


@lru_cache(maxsize=4)
def _pattern(first: int) -> re.Pattern[bytes]:
    """Return the pattern of the signs with a first byte that are in a sequence, and of the rest of their row.

    The sign is the second character, or a lead of Mac Roman or code page 437. These two are by themselves:
    their continuations are letters that stand behind the leads of other pages in prose.
    """
    sign, found = _SIGNS[first], []
    others = " ".join(page for page in PAGES.split() if page not in _MAC_AND_DOS)
    for pages in (others, _MAC_AND_DOS):
        leads, longer, trails = sequence_characters(pages)
        trail = _any_of(trails)
        if second := [char for char in trails if char.encode()[0] == first]:
            before = b"%s|%s(?=[?\x1a]|\xef\xbf\xbd|%s)" % (
                _behind(leads, sign),
                _behind(longer, sign),
                trail,
            )
            third = _behind(trails, sign, b"[\x80-\xbf]")
            found.append(b"(?<=[\x80-\xbf]%s)%s(?:%s|%s)" % (sign, _behind(second), before, third))
        if heads := [c for c in leads + longer if c.encode()[0] == first and c not in _BESIDE_LETTERS]:
            found.append(_behind(heads) + trail)
    return re.compile(b"%s(?:%s)[\x80-\xff]*+" % (sign, b"|".join(found)), re.DOTALL)


class MojibakeFindings:
    """The search in one document."""

    def __init__(self, block: TextBlock, findings: FindingList) -> None:
        self._block = block
        self._findings = findings
        self._done = 0
        """Index in the block of the first character that no run has contained yet."""
        self._left = JUDGED_RUNS
        self._damaged = False
        """There were undecodable bytes."""

    def look(self, piece: TextPiece) -> None:
        """Search the text block up to its stop; `piece` is the last one in it."""
        block = self._block
        self._damaged = self._damaged or piece.undecodable >= 0
        if block.stop and self._left:
            before = block.before[-LONGEST_SEQUENCE:]
            if may_hold(piece, block.text, before + block.text[: piece.first]):
                self._search(before + block.text, len(before))
        self._done = max(0, self._done - block.stop)

    def _search(self, text: str, first: int) -> None:
        """Search a text whose characters from `first` on are those of the block."""
        stop, end = first + self._block.stop, 0
        for match in lead_and_continuation().finditer(text, 0, stop):
            position = match.end() - 1
            if position < max(first + self._done, end) or not self._left:
                continue
            start, end, least = match.start(), position, max(0, position - AROUND_SEQUENCE)
            while start > least and text[start - 1] > "\x7f":
                start -= 1
            while end < min(stop, position + AROUND_SEQUENCE) and text[end] > "\x7f":
                end += 1
            if keeps_rows(text[start:end].lstrip(_BESIDE_LETTERS), whole=True):
                continue
            start, end = _run_around(text, position)
            start = max(start, first + self._done)
            self._done = end - first
            self._judge(text[start:end], start - first)

    def _judge(self, run: str, index: int) -> None:
        self._left -= 1
        run = UNDECODABLE_BYTE.sub("\ufffd", run) if self._damaged else run
        for edit in fix_run(run):
            found = run[edit.start : edit.end]
            if found.translate(_C1_IN_1252) == edit.text:
                continue  # reported as c1-control
            span = index + edit.start, index + edit.end
            lost = not self._damaged and set(edit.text) == {"\ufffd"}
            self._findings.at(
                "replacement-character" if lost else "mojibake",
                self._block.offset(span[0]),
                self._block.offset(span[1]),
                span,
                None if "\ufffd" in edit.text else methodcaller("replacement", edit.text),
                what=quoted(found),
                found=quoted(found),
                meant=quoted(edit.text),
            )


def may_hold(piece: TextPiece, text: str, carried: str) -> bool:
    """Return False where certainly nothing is to be fixed in the text of a block: `piece` is the last one in
    it, `carried` what stands before that. Fast."""
    if any(lead in text and pattern.search(text) for lead, pattern in _WITHOUT_SIGN.items()):
        return True
    utf8, rows = carried.encode("utf-8", "surrogatepass") + piece.utf8, set()
    for first in filter(utf8.__contains__, _SIGNS):
        end = 0
        for match in _pattern(first).finditer(utf8):
            start, last, end = match.start(), end, match.end()
            while start > last and utf8[start - 1] > 0x7F:
                start -= 1
            rows.add(utf8[start:end])
    texts = (row.decode("utf-8", "replace").lstrip(_BESIDE_LETTERS) for row in rows)
    return not all(keeps_rows(row, whole=True) for row in texts)


def _run_around(text: str, position: int) -> tuple[int, int]:
    """Start and end of the run around a position, bounded."""
    first, last = max(0, position - AROUND_SEQUENCE), position + AROUND_SEQUENCE
    start = max(first, text.rfind("<", first, position) + 1, text.rfind(">", first, position) + 1)
    ends = text.find("<", position, last), text.find(">", position, last), len(text), last
    return start, min(end for end in ends if end >= 0)
