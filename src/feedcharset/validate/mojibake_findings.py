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
from feedcharset.text.mojibake import (
    C1_IN_1252,
    PAGES,
    PAIR_WITH_ASCII,
    Edit,
    fix_run,
    is_harmless,
    keeps_rows,
    lead_and_continuation,
    sequence_characters,
)
from feedcharset.text.options import has_ftfy
from feedcharset.text.xml_text import XML_MARKUP
from feedcharset.validate.finding_catalogue import FindingList, quoted
from feedcharset.validate.text_blocks import TextBlock, TextPiece

JUDGED_RUNS = 5000
"""Runs that are passed to ftfy: half a second of work. Later runs are not searched."""

CHANGES_OF_A_RUN = 4
"""So many changes of a run take as long as another run: of hostile text each third character is one."""

AROUND_SEQUENCE = 300
"""Characters of a run on either side of a sequence: ftfy decides by the neighbouring characters."""

LONGEST_SEQUENCE = 8
"""Most characters of a decoded sequence and the characters that must precede it."""

_MAC_AND_DOS = "mac-roman cp437"
_SIGNS = {0xC2: b"\xc2.", 0xC6: b"\xc6.", 0xCB: b"\xcb.", 0xE2: b"\xe2.."}
"""By their first byte in UTF-8."""
_BEFORE_LETTERS = (0xC3, 0xD0, 0xD1, 0xCE, 0xCF, 0xC4, 0xC5, *range(0xC6, 0xCE), 0xD2)
"""The first bytes of letters that the pages have, in UTF-8. Without one, only signs are in sequences."""
_WITHOUT_SIGN = [
    (lead.encode()[0], lead, re.compile(pattern))
    for lead, pattern in (
        ("Ђ", "вЂ"),  # marks in windows-1251
        ("Ґ", "Ґ(?<=[а-џ].)"),  # in words it stands before other letters
        ("Γ", "Γ[À-ÿ]"),  # marks in code page 437
        *((lead, f"{lead}[ŠŒŽšœžŸ]") for lead in "ÂÃÎÐ"),  # ß in windows-1252
        *((lead, f"{lead} (?<![^\\W\\d_a-zß-ÿ]..)") for lead in "ÂÃ"),  # à; not `ĐÃ XÓA`
        ("Ă", "Ă[ŚŞŠŤŽŹŁĄŻĽśşšťžźłążľ]"),
    )
]
"""Leads before letters, by their first character and its first byte: these are looked for alone, 100 times as
fast; in Han, half of the character stands at many places, and its first byte nowhere."""
_BESIDE_LETTERS = "’“”«»–—…\xa0"
"""Leads in Mac Roman that stand before letters in any prose. What was decoded so has other signs, too. So at
the beginning of a row they are passed over: `”Ä` would be a Cyrillic letter."""

_PARTS_OF_ROW = re.compile("[^\0-\x7f]{2,}")
_C1_IN_ROW = re.compile("[\x80-\x9f]")
_IN_QUOTES = re.compile("\"[^\"]*+\"|'[^']*+'")
_NO_ASCII = bytes(range(0x80, 0x100))
_FIRST_IN_ASCII = re.compile("[\0-\x7f]")


def _any_of(chars: Iterable[str]) -> bytes:
    """Return the expression of characters in UTF-8."""
    lasts: dict[bytes, bytes] = {}
    for char in map(str.encode, chars):
        lasts[char[:-1]] = lasts.get(char[:-1], b"") + char[-1:]
    return b"(?:%s)" % b"|".join(first + b"[" + re.escape(last) + b"]" for first, last in lasts.items())


def _behind(chars: Iterable[str], after: bytes = b"", before: bytes = b"") -> bytes:
    """Return the expression of a place behind such a character, with what stands before and after that. It is
    atomic, as are others of places: what follows is not tried again for another reason."""
    sizes = [[char for char in chars if len(char.encode()) == size] for size in (2, 3)]
    return b"(?>%s)" % b"|".join(b"(?<=%s%s%s)" % (before, _any_of(some), after) for some in sizes if some)


@lru_cache(maxsize=16)
def _pattern(first: int, letters: bool, c1: bool) -> re.Pattern[bytes]:
    """Return the pattern of the signs with a first byte that are in a sequence, and of the rest of their row.

    `letters`: a sequence may have letters. Then `……` behind any character may be the end of one, too.
    `c1`, for C2: each C1 control is found, too, alone or in a row.

    The sign is the second character, or a lead of Mac Roman or code page 437. These two are by themselves:
    their continuations are letters that stand behind the leads of other pages in prose.

    What most signs in prose are is looked at first, since each is a place where the rest is tried: a mark
    behind ASCII that is no lead, a mark and the sign between ASCII (`«\xa0`: nothing changes that).
    """
    sign, seconds, found = _SIGNS[first], [], []
    after_sign = b"(?>(?<=\xc2.)|(?<=[\xe2\xed\xef]..))"
    beside, ends = set[str](), set[str]()
    others = " ".join(page for page in PAGES.split() if page not in _MAC_AND_DOS)
    for pages in (others, _MAC_AND_DOS):
        leads, longer, trails = sequence_characters(pages)
        trail = _any_of(trails)
        if second := [char for char in trails if char.encode()[0] == first]:
            third = _behind(trails, sign, b"[\x80-\xbf]" if letters else after_sign)
            more = b"(?=[?\x1a]|\xef\xbf\xbd|%s)%s" % (trail, _behind(longer, sign))
            seconds.append(b"%s(?>%s|%s|%s)" % (_behind(second), _behind(leads, sign), more, third))
            beside.update(leads, trails)
            ends.update(trails)
        if heads := [c for c in leads + longer if c.encode()[0] == first and c not in _BESIDE_LETTERS]:
            found.append(b"(?=[\xc2-\xe2])" + _behind(heads) + trail)
    after = b"(?>(?<=[\xc2-\xd2].%s)|(?<=[\xe2\xed\xef]..%s))" % (sign, sign)
    may_be = b"(?>%s|(?=[?\x1a]|\xef\xbf\xbd|%s))" % (_behind(sorted(beside), sign), _any_of(sorted(ends)))
    found.append(b"%s%s(?:%s)" % (after, may_be, b"|".join(seconds)))
    marks = [char for char in _BESIDE_LETTERS if char.encode()[0] == first]
    passed = b"(?<![\0-\x7f]%s)" % _any_of(marks) if marks else b""
    no_c1 = b"\xc2[\xa0-\xbf]" if first == 0xC2 else sign
    passed += b"(?![\0-\x7f]%s)" % _behind(_BESIDE_LETTERS, no_c1 + b".", b"[\0-\x7f]")
    pattern = b"%s%s(?:%s)[\x80-\xff]*+" % (sign[1:], passed, b"|".join(found))
    either = b"(?:[\x80-\x9f]|%s)" % pattern if c1 else pattern
    return re.compile(sign[:1] + either, re.DOTALL)


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
        if block.stop and "mojibake" not in self._findings.unsearched:
            before = block.before[-LONGEST_SEQUENCE:]
            if may_hold(piece, block.text, before + block.text[: piece.first]):
                self._search(before + block.text, len(before))
        self._done = max(0, self._done - block.stop)

    def _search(self, text: str, first: int) -> None:
        """Search a text whose characters from `first` on are those of the block."""
        stop, end = first + self._block.stop, 0
        for match in lead_and_continuation().finditer(text, 0, stop):
            position = match.end() - 1
            if position < max(first + self._done, end):
                continue
            start, least, most = match.start(), max(0, position - AROUND_SEQUENCE), position + AROUND_SEQUENCE
            start -= _beyond_ascii(text[least:start][::-1])
            end = position + _beyond_ascii(text[position : min(stop, most)])
            if _is_kept(text[start : end + 1]):  # a space may be the second character of a pair
                continue
            if not (self._left and has_ftfy()):
                self._findings.unsearched["mojibake"] = self._block.offset(position - first)
                return
            opened = max(text.rfind("<", least, position), text.rfind(">", least, position)) + 1
            start = max(least, opened, first + self._done)
            closed = text.find("<", position, most), text.find(">", position, most)
            end = min(end for end in (*closed, len(text), most) if end >= 0)
            whole = end < most or end == len(text)
            self._judge(text[start:end], start - first, end - start - (0 if whole else LONGEST_SEQUENCE))
            end = first + self._done

    def _judge(self, run: str, index: int, size: int) -> None:
        """Judge a run; a change that goes beyond its first `size` characters is left for the next."""
        self._done = index + size
        run = UNDECODABLE_BYTE.sub("\ufffd", run) if self._damaged else run
        edits = fix_run(run)
        self._left = max(0, self._left - 1 - len(edits) // CHANGES_OF_A_RUN)
        changed = {at for edit in edits for at in range(edit.start, edit.end)}
        for edit in edits:
            if edit.start and edit.end > size:
                self._done = min(self._done, index + edit.start)
                break
            self._done = max(self._done, index + edit.end)
            found = run[edit.start : edit.end]
            if found.translate(C1_IN_1252) == edit.text:
                continue  # reported as c1-control
            lost = not self._damaged and set(edit.text) == {"\ufffd"}
            if not edit.text:
                edit = _with_neighbour(edit, run, changed)
                found = run[edit.start : edit.end]
            span = index + edit.start, index + edit.end
            is_name = _is_in_name(self._block.text, span[0])
            shown = quoted(found) + " in a name" * is_name
            self._findings.at(
                "replacement-character" if lost else "mojibake",
                self._block.offset(span[0]),
                self._block.offset(span[1]),
                span,
                None if is_name or "\ufffd" in edit.text else methodcaller("replacement", edit.text),
                what=shown,
                found=shown,
                meant=quoted(edit.text),
            )


def _is_in_name(text: str, at: int) -> bool:
    """Return True for a place in a tag, but in no value of it: with a sign in a name it would be no tag."""
    opened = text.rfind("<", max(0, at - AROUND_SEQUENCE), max(0, at))
    tag = XML_MARKUP.match(text, opened) if opened >= 0 and text[opened + 1] not in "!?" else None
    within = _IN_QUOTES.sub("", text[opened:at])
    return tag is not None and tag.end() > at and not {'"', "'"}.intersection(within)


def _with_neighbour(edit: Edit, run: str, changed: set[int]) -> Edit:
    """A change that removes characters, with one beside them that stays: a person sees no fix in nothing."""
    places = (at for at in (edit.end, edit.start - 1) if 0 <= at < len(run) and at not in changed)
    beside = [at for at in places if run[at] not in "\r\n"]
    at = min(beside, key=lambda at: run[at] == "\ufffd", default=None)  # that is a finding of its own
    return edit if at is None else Edit(min(at, edit.start), max(at + 1, edit.end), run[at])


def may_hold(piece: TextPiece, text: str, carried: str, *, c1: bool = False) -> bool:
    """Return False where certainly nothing is to be fixed in the text of a block: `piece` is the last one in
    it, `carried` what stands before that. Fast. `c1`: True also where there is a C1 control.

    One row that may be changed is not enough to search the block: where Chinese has some letters, each `……`
    is in such a row. The rows of all the text are then looked at, each once, without what is in no page.
    """
    utf8, rows = carried.encode("utf-8", "surrogatepass") + piece.utf8, set()
    if any(byte in utf8 and lead in text and rest.search(text) for byte, lead, rest in _WITHOUT_SIGN):
        return True
    letters = any(map(utf8.__contains__, _BEFORE_LETTERS))
    for first in filter(utf8.__contains__, _SIGNS):
        end = 0
        for match in _pattern(first, letters, c1 and first == 0xC2).finditer(utf8):
            start = end + len(utf8[end : match.start()].rstrip(_NO_ASCII))
            end = match.end()
            row = utf8[start:end].decode("utf-8", "replace")
            if c1 and _C1_IN_ROW.search(row):
                return True
            if row not in rows and not _is_kept(row):
                if c1 and piece.has_c1:  # further on, where this search ends here
                    return True
                damaged = piece.undecodable >= 0 or UNDECODABLE_BYTE.search(carried) is not None
                return damaged or not (keeps_rows(row, whole=True) and keeps_rows(carried + text, whole=True))
            rows.add(row)
    return False


def _is_kept(row: str) -> bool:
    """Return True if certainly nothing changes the characters of a row; False for a long one."""
    row = row.lstrip(_BESIDE_LETTERS)
    parts = _PARTS_OF_ROW.findall(row)  # `?` may stand for a lost byte
    return all(is_harmless(part, True) for part in parts) and PAIR_WITH_ASCII.search(row) is None


def _beyond_ascii(text: str) -> int:
    """Return how many characters at the beginning of a text are not ASCII."""
    found = _FIRST_IN_ASCII.search(text)
    return found.start() if found else len(text)
