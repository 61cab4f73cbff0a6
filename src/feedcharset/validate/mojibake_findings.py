"""Findings of probable mojibake, in text of any size.

`fix_run` decides, as for `mojibake="fix"`; but it reads 3 MB/s. So a regular expression first finds, at about
500 MB/s, UTF-8 sequences that were decoded in one of the usual charsets: single sequences, and two in a row
for alphabets in which correct words look like one. Only the run of text around such a sequence is passed to
ftfy. A single sequence that lost its last byte is not found.
"""

from __future__ import annotations

import re
from functools import lru_cache
from operator import methodcaller

from feedcharset.charsets.undecodable_bytes import UNDECODABLE_BYTE
from feedcharset.text.mojibake import fix_run
from feedcharset.validate.findings import FindingList, quoted
from feedcharset.validate.text_blocks import TextBlock, TextPiece

__all__ = ["MojibakeFindings"]

JUDGED_RUNS = 5000
"""Runs that are passed to ftfy: half a second of work. Later runs are not searched."""

AROUND_SEQUENCE = 300
"""Characters of a run on either side of a sequence: ftfy decides by the neighbouring characters."""

LONGEST_SEQUENCE = 8
"""Most characters of a decoded sequence and the characters that must precede it."""

UTF8_OVERLAP = 4 * LONGEST_SEQUENCE
"""Bytes of the longest decoded sequence."""

_MARKUP_CHARACTER = re.compile("[<>]")
_C1_ONLY = re.compile("[\x80-\x9f]+")


def _page(codec: str, low: int, high: int) -> str:
    return re.escape(bytes(range(low, high)).decode(codec, "ignore"))


@lru_cache(maxsize=1)
def _looks() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The patterns of decoded sequences. Trail bytes 80-BF are rarer than leads, so they come first."""
    trails = "".join(_page(codec, 0x80, 0xC0) for codec in ("cp1252", "cp1250", "cp1251", "cp1253"))
    trail = f"[\x80-\x9f{trails}]"
    read_in_1252 = f"(?<=[\xc2-\xdb\xde]{trail})|(?<=[\xe0-\xef]{trail})(?={trail})"
    four_bytes = f"(?<=[\xf0-\xf4]{trail})(?={trail}{{2}})"
    read_in_1250 = f"(?<=[ĂÄĹĐŃ]{trail})"
    read_in_1251 = f"(?<=[РС]{trail}[РС]{trail})|(?<=вЂ{trail})"
    read_in_1253 = f"(?<=[ΞΟ]{trail}[ΞΟ]{trail})"
    reads = "|".join((read_in_1252, four_bytes, read_in_1250, read_in_1251, read_in_1253))
    common = re.compile(f"{trail}(?:{reads})")
    mac, dos = _page("mac_roman", 0x80, 0xC0), _page("cp437", 0x80, 0xC0)
    other = re.compile(
        f"[√‚Γ├┬┼─╨╤╬╫≡](?:(?<=√)[{mac}]|(?<=‚)Ä[{mac}]|(?<=Γ)Ç[{dos}]|(?<=[├┬┼─╨╤╬╫≡])[{dos}])"
    )
    return common, other


# In UTF-8: leads of two bytes as windows-1252 reads them (Â to Û, Þ) with one trail, of three or four (à to
# ð) with two. The first bytes of trails are those of what the Windows pages have at 80-BF.
_LEAD_AND_TRAIL = re.compile(
    rb"\xc3(?:[\x82-\x9b\x9e][\xc2\xc4-\xc6\xcb\xe2]"
    rb"|[\xa0-\xb0](?:[\xc2\xc4-\xc6\xcb].|\xe2..)[\xc2\xc4-\xc6\xcb\xe2])",
    re.DOTALL,
)
# Leads that are rare by themselves: Ă Đ Ĺ of windows-1250; Ń of the same; √ and ‚ of Mac Roman, box drawing
# and ≡ of code page 437. Each is looked for only where two of its bytes are.
_RARE_LEADS = (
    (((0xC4, 0xC4),), re.compile(b"\xc4[\x82\x90\xb9]")),
    (((0xC5, 0x83),), re.compile(b"\xc5\x83")),
    (
        ((0x9A, 0x88), (0x9A, 0x80), (0xA1, 0x89), (0x95, 0xE2), (0x94, 0xE2)),
        re.compile(b"\xe2(?:\x88\x9a|\x80\x9a|\x89\xa1|\x94[\x80\x9c\xac\xbc]|\x95[\xa4\xa8\xab\xac])"),
    ),
)
_ALPHABETS = (
    # The first byte of a letter that leads, the letter, and what follows it for the commonest letters.
    (0xD0, "Р", ("µ", "ѕ", "Ѕ", "°", "‚", "Ђ")),
    (0xCE, "Ξ", ("±", "µ", "„", "Ώ")),
    (0xCE, "ΓÇ", ("ΓÇ",)),
)


class MojibakeFindings:
    """The search in one document."""

    def __init__(self, block: TextBlock, findings: FindingList) -> None:
        self._block = block
        self._findings = findings
        self._done = 0
        """Index in the block of the first character that no run has contained yet."""
        self._left = JUDGED_RUNS
        self._found = False
        """The piece before may hold mojibake; its end is in the block again."""
        self._utf8 = b""
        """The last bytes of the piece before."""

    def look(self, piece: TextPiece) -> None:
        """Search the text block up to its stop; `piece` is the last one in it."""
        block, utf8 = self._block, self._utf8 + piece.utf8
        found = _may_hold(piece, block.text, utf8)
        if self._left and (found or self._found):
            before = block.before[-LONGEST_SEQUENCE:]
            self._search(UNDECODABLE_BYTE.sub("\ufffd", before + block.text), len(before))
        self._done = max(0, self._done - block.stop)
        self._found, self._utf8 = found or (self._found and not block.stop), utf8[-UTF8_OVERLAP:]

    def _search(self, text: str, first: int) -> None:
        """Search a text whose characters from `first` on are those of the block."""
        stop, common_and_other = first + self._block.stop, _looks()
        found = sorted(match.start() for look in common_and_other for match in look.finditer(text, 0, stop))
        for position in found:
            if position >= first + self._done and self._left:
                start, end = _run_around(text, position)
                start = max(start, first + self._done)
                self._done = end - first
                self._judge(text[start:end], start - first)

    def _judge(self, run: str, index: int) -> None:
        self._left -= 1
        for edit in fix_run(run):
            if _C1_ONLY.fullmatch(run, edit.start, edit.end):
                continue  # reported as c1-control
            span = index + edit.start, index + edit.end
            self._findings.at(
                "mojibake",
                self._block.offset(span[0]),
                self._block.offset(span[1]),
                span,
                methodcaller("replacement", edit.text),
                found=quoted(run[edit.start : edit.end]),
                meant=quoted(edit.text),
            )


def _may_hold(piece: TextPiece, text: str, utf8: bytes) -> bool:
    """Return False where the text certainly has no such sequence. Fast."""
    high, end = piece.utf8, len(utf8)
    if 0xC3 in high and piece.in_ascii and piece.in_ascii.rfind(b"{}") < 0:
        end = 2 * UTF8_OVERLAP  # only what begins in the piece before is without these signs
    return (
        (0xC3 in utf8 and _LEAD_AND_TRAIL.search(utf8, 0, end) is not None)
        or any(
            any(one in high and other in high for one, other in pairs) and look.search(high)
            for pairs, look in _RARE_LEADS
        )
        or any(
            first in high and lead in text and any(char in text for char in chars)
            for first, lead, chars in _ALPHABETS
        )
    )


def _run_around(text: str, position: int) -> tuple[int, int]:
    """Start and end of the run around a position, bounded."""
    first, last = max(0, position - AROUND_SEQUENCE), position + AROUND_SEQUENCE
    start = max(first, text.rfind("<", first, position) + 1, text.rfind(">", first, position) + 1)
    end = _MARKUP_CHARACTER.search(text, position, last)
    return start, end.start() if end else min(len(text), last)
