"""Probable mojibake, found in text of any size without reading it in Python.

What is mojibake is ftfy's judgement, as for `mojibake="fix"`; but ftfy reads 3 MB/s. A regular expression
finds, at some 500 MB/s, where UTF-8 sequences read in one of the usual charsets may stand: whole sequences,
and for alphabets in which honest words look like one, two in a row. Only the run around such a place is
shown to ftfy. A lone sequence whose last octet was lost is not found.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from feedcharset.text.mojibake import fix_run
from feedcharset.validate.finding_list import quoted

if TYPE_CHECKING:
    from feedcharset.validate.finding_list import Collector
    from feedcharset.validate.text_positions import Places

__all__ = ["Misdecoding"]

RUNS = 5000
"""Runs that are shown to ftfy: half a second's work. After them, those that look alike are not judged."""

AROUND = 300
"""Characters of a run on either side of the place: ftfy judges by the company that characters keep."""

HELD = 4096
"""Characters that are held back to be looked at with the next piece."""

LONGEST = 8
"""Characters that a sequence and what must stand before it take at the most."""

_MARKUP = re.compile("[<>]")
_C1_ONLY = re.compile("[\x80-\x9f]+")
_MARKS = re.compile("[\udc00-\udcff]")


def _page(codec: str, low: int, high: int) -> str:
    return re.escape(bytes(range(low, high)).decode(codec, "ignore"))


@lru_cache(maxsize=1)
def _looks() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where to look. The trail octets 80-BF are rarer than the leads, so they are searched first."""
    trails = "".join(_page(codec, 0x80, 0xC0) for codec in ("cp1252", "cp1250", "cp1251", "cp1253"))
    trail = f"[\x80-\x9f{trails}]"
    read_in_1252 = f"(?<=[\xc2-\xdb]{trail})|(?<=[\xe0-\xef]{trail})(?={trail})"
    four_octets = f"(?<=[\xf0-\xf4]{trail})(?={trail}{{2}})"
    read_in_1250 = f"(?<=[ĂÄĹĐŃ]{trail})"
    read_in_1251 = f"(?<=[РС]{trail}[РС]{trail})|(?<=вЂ{trail})"
    read_in_1253 = f"(?<=[ΞΟ]{trail}[ΞΟ]{trail})"
    reads = "|".join((read_in_1252, four_octets, read_in_1250, read_in_1251, read_in_1253))
    common = re.compile(f"{trail}(?:{reads})")
    mac, dos = _page("mac_roman", 0x80, 0xC0), _page("cp437", 0x80, 0xC0)
    other = re.compile(
        f"[√‚Γ├┬┼─╨╤╬╫≡](?:(?<=√)[{mac}]|(?<=‚)Ä[{mac}]|(?<=Γ)Ç[{dos}]|(?<=[├┬┼─╨╤╬╫≡])[{dos}])"
    )
    return common, other


# In UTF-8: leads of two octets as windows-1252 reads them (Â to Û) with one trail, of three or four (à to ð)
# with two. The first octets of trails are those of what the Windows pages have at 80-BF.
_LEAD_AND_TRAIL = re.compile(
    rb"\xc3(?:[\x82-\x9b][\xc2\xc4-\xc6\xcb\xe2]"
    rb"|[\xa0-\xb0](?:[\xc2\xc4-\xc6\xcb].|\xe2..)[\xc2\xc4-\xc6\xcb\xe2])",
    re.DOTALL,
)
# Leads that are rare by themselves: Ă Đ Ĺ Ń of windows-1250; √ and ‚ of Mac Roman; box drawing and ≡ of code
# page 437. Each is looked for only where its first octet is.
_RARE_LEADS = (
    (0xC4, re.compile(b"\xc4[\x82\x90\xb9]")),
    (0xC5, re.compile(b"\xc5\x83")),
    (
        0xE2,
        re.compile(b"\xe2(?:\x88\x9a|\x80\x9a|\x89\xa1|\x94[\x80\x9c\xac\xbc]|\x95[\xa4\xa8\xab\xac])"),
    ),
)
_ALPHABETS = (
    # The first octet of a letter that leads, the letter, and what follows it for the commonest letters.
    (0xD0, "Р", ("µ", "ѕ", "Ѕ", "°", "‚", "Ђ")),
    (0xCE, "Ξ", ("±", "µ", "„", "Ώ")),
    (0xCE, "ΓÇ", ("ΓÇ",)),
)


class Misdecoding:
    """The search in one document."""

    def __init__(self, places: Places, collector: Collector) -> None:
        self._places = places
        self._collector = collector
        self._held = ""
        self._open = False
        """What is held has not been looked at to its end."""
        self._done = 0
        """Index of the first character that no run has held yet."""
        self._left = RUNS

    def look(self, text: str, index: int, utf8: bytes | None, *, marked: bool, final: bool) -> None:
        """Look at the next piece of text, whose first character has this index.

        Args:
            utf8: the piece in UTF-8, where the document is.
        """
        if marked:
            text = _MARKS.sub("\ufffd", text)
        if self._held:
            text, index, utf8 = self._held + text, index - len(self._held), None
        if not self._left or not (self._open or _may_hold(text, utf8)):
            self._held = "" if text[-LONGEST:].isascii() else text[-LONGEST:]
            return
        stop = len(text) if final else _cut(text)
        for place in _places(text, stop):
            if index + place >= self._done and self._left:
                start, end = _run_around(text, place)
                start = max(start, self._done - index)
                self._done = index + end
                self._judge(text[start:end], index + start)
        self._done = max(self._done, index + stop)
        self._held = text[max(0, stop - LONGEST) :]
        self._open = not self._held.isascii()

    def _judge(self, run: str, index: int) -> None:
        self._left -= 1
        for edit in fix_run(run):
            if _C1_ONLY.fullmatch(run, edit.start, edit.end):
                continue  # c1-control tells it
            at = index + edit.start
            self._collector.at(
                "mojibake",
                at,
                self._places.offset(at),
                fix=edit.text,
                found=quoted(run[edit.start : edit.end]),
                meant=quoted(edit.text),
            )


def _may_hold(text: str, utf8: bytes | None) -> bool:
    """A quick look, for a text of any size: no, or perhaps."""
    if text.isascii():
        return False
    octets = text.encode("utf-8", "replace") if utf8 is None else utf8
    return (
        _LEAD_AND_TRAIL.search(octets) is not None
        or any(first in octets and look.search(octets) for first, look in _RARE_LEADS)
        or any(
            first in octets and lead in text and any(char in text for char in chars)
            for first, lead, chars in _ALPHABETS
        )
    )


def _places(text: str, stop: int) -> list[int]:
    common, other = _looks()
    found = [match.start() for match in common.finditer(text, 0, stop)]
    found += [match.start() for match in other.finditer(text, 0, stop)]
    return sorted(found)


def _cut(text: str) -> int:
    """Where the text can be cut without cutting a run: at markup near its end, else where it must be."""
    markup = max(text.rfind("<"), text.rfind(">"))
    return markup if markup >= max(0, len(text) - HELD) else max(0, len(text) - LONGEST)


def _run_around(text: str, place: int) -> tuple[int, int]:
    """Beginning and end of the run that holds a place, or of what is near it."""
    first, last = max(0, place - AROUND), place + AROUND
    start = max(first, text.rfind("<", first, place) + 1, text.rfind(">", first, place) + 1)
    end = _MARKUP.search(text, place, last)
    return start, end.start() if end else min(len(text), last)
