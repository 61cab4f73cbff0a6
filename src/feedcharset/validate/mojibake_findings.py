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

from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import Charset
from feedcharset.charsets.undecodable_bytes import UNDECODABLE_BYTE
from feedcharset.text.mojibake import fix_run, keeps_rows
from feedcharset.validate.findings import FindingList, quoted
from feedcharset.validate.text_blocks import TextBlock, TextPiece

JUDGED_RUNS = 5000
"""Runs that are passed to ftfy: half a second of work. Later runs are not searched."""

AROUND_SEQUENCE = 300
"""Characters of a run on either side of a sequence: ftfy decides by the neighbouring characters."""

LONGEST_SEQUENCE = 8
"""Most characters of a decoded sequence and the characters that must precede it."""

_OTHER_LEADS = "√‚Γ├┬┼─╨╤╬╫╪┘≡"
_C1_ONLY = re.compile("[\x80-\x9f]+")
_MARKUP_CHARACTER = re.compile(b"[<>]")


def _page(codec: str, low: int, high: int) -> str:
    return re.escape(bytes(range(low, high)).decode(codec, "ignore"))


@lru_cache(maxsize=1)
def _looks() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The patterns of decoded sequences. Trail bytes 80-BF are rarer than leads, so they come first."""
    trails = "".join(_page(codec, 0x80, 0xC0) for codec in ("cp1252", "cp1250", "cp1251", "cp1253"))
    trail = f"[\x80-\x9f{trails}]"
    read_in_1252 = f"(?<=[\xc2-\xdb\xde].)|(?<=[\xe0-\xef].)(?={trail})|(?<=[\xf0-\xf4].)(?={trail}{{2}})"
    read_in_1250 = "(?<=[ĂÄĹĐŃ].)"
    read_in_1251 = f"(?<=[РС]{trail}[РС].)"
    read_in_1253 = f"(?<=[ΞΟ]{trail}[ΞΟ].)"
    sign_in_1251 = "(?<=Г¤)"
    mark_in_others = "(?<=[вβā][Ђ€].)"  # quotation marks, dashes and the ellipsis
    reads = "|".join((read_in_1252, read_in_1250, read_in_1251, sign_in_1251, read_in_1253, mark_in_others))
    common = re.compile(f"{trail}(?<=[\xc2-\xf4ĂĹĐŃГРСЂ€ΞΟ].)(?:{reads})")
    mac, dos = _page("mac_roman", 0x80, 0xC0), _page("cp437", 0x80, 0xC0)
    other = re.compile(
        f"[{_OTHER_LEADS}](?:(?<=√)[{mac}]|(?<=‚)Ä[{mac}]|(?<=Γ)Ç[{dos}]|(?<=[├┬┼─╨╤╬╫╪┘≡])[{dos}])"
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
_TRAIL = b"(?:[\xc2\xc4\xc5\xcb\xce\xd0-\xd2\xe2]|\xc6\x92)"
_RARE_LEADS = (
    (0xC4, ((0xC4, b"\xc4"),), re.compile(b"\xc4[\x82\x90\xb9]" + _TRAIL)),
    (0xC5, ((0xC5, b"\x83"),), re.compile(b"\xc5\x83" + _TRAIL)),
    (
        0xE2,
        ((0x9A, b"\x88\x80"), (0xA1, b"\x89"), (0x95, b"\xe2"), (0x94, b"\xe2")),
        re.compile(b"\xe2(?:\x88\x9a|\x80\x9a|\x89\xa1|\x94[\x80\x98\x9c\xac\xbc]|\x95[\xa4\xa8\xaa-\xac])"),
    ),
)
_ALPHABETS = (
    # The first byte of a letter that leads; the letters, and what follows them for the commonest letters; and
    # marks in text that has no other letters: windows-1251, 1253 and 1257.
    (0xD0, (("Р", ("µ", "ѕ", "Ѕ", "°", "‚", "Ђ")), ("Г", ("Г¤",)), ("Ђ", ("вЂ",)))),
    (0xCE, (("Ξ", ("±", "µ", "„", "Ώ")), ("ΓÇ", ("ΓÇ",)), ("€", ("β€",)))),
    (0xC4, (("€", ("ā€",)),)),
)


@lru_cache(maxsize=256)  # one for each charset
def _signs_of(charset: Charset) -> tuple[bytes, tuple[tuple[bytes, tuple[bytes, ...]], ...]]:
    """The rare leads and the alphabets, as bytes of a single-byte charset."""
    table = charset_decoder(charset, lenient=True).decode(bytes(range(0x100)))

    def encoded(text: str) -> bytes:
        return bytes(table.index(char) for char in text) if all(map(table.__contains__, text)) else b""

    alphabets = (
        (encoded(lead), tuple(filter(None, map(encoded, chars))))
        for _, leads in _ALPHABETS
        for lead, chars in leads
    )
    return b"".join(map(encoded, "ĂĐĹŃ√‚≡├┬┼─┘╨╤╪╬╫")), tuple(pair for pair in alphabets if all(pair))


_WITHIN_RUN = AROUND_SEQUENCE - LONGEST_SEQUENCE
_LETTER_BETWEEN = re.compile(rb"[^<>\r\n]{0,%d}?([0-9A-Za-z])[\xc3-\xca][\x80-\xbf][0-9A-Za-z]" % _WITHIN_RUN)


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
        looks = _looks()[: 2 if any(map(text.__contains__, _OTHER_LEADS)) else 1]
        stop = first + self._block.stop
        for position in sorted(match.start() for look in looks for match in look.finditer(text, 0, stop)):
            if position >= first + self._done and self._left:
                start, end = _run_around(text, position)
                start = max(start, first + self._done)
                self._done = end - first
                self._judge(text[start:end], start - first)

    def _judge(self, run: str, index: int) -> None:
        self._left -= 1
        run = UNDECODABLE_BYTE.sub("\ufffd", run) if self._damaged else run
        for edit in fix_run(run):
            if _C1_ONLY.fullmatch(run, edit.start, edit.end):
                continue  # reported as c1-control
            span = index + edit.start, index + edit.end
            lost = not self._damaged and set(edit.text) == {"\ufffd"}
            self._findings.at(
                "replacement-character" if lost else "mojibake",
                self._block.offset(span[0]),
                self._block.offset(span[1]),
                span,
                None if "\ufffd" in edit.text else methodcaller("replacement", edit.text),
                what=quoted(run[edit.start : edit.end]),
                found=quoted(run[edit.start : edit.end]),
                meant=quoted(edit.text),
            )


def may_hold(piece: TextPiece, text: str, carried: str) -> bool:
    """Return False where certainly nothing is to be fixed in the text of a block: `piece` is the last one in
    it, `carried` what stands before that. Fast."""
    form = piece.in_ascii
    has_pairs = 0x7B in form and form.rfind(b"{}") >= 0
    if piece.charset.family == "single" and not carried and not has_pairs:
        rare, alphabets = _signs_of(piece.charset)
        has = piece.data.__contains__
        if not any(map(has, rare)) and not any(has(lead) and any(map(has, ones)) for lead, ones in alphabets):
            return False
    before = carried.encode("utf-8", "surrogatepass")
    utf8 = before + piece.utf8
    for first, leads in _ALPHABETS:
        if first in utf8 and any(lead in text and any(map(text.__contains__, ones)) for lead, ones in leads):
            return True
    found = []
    if (carried or has_pairs or not form) and 0xC3 in utf8:
        # Without these signs in the piece, only what begins before it.
        end = len(before) + LONGEST_SEQUENCE if form and not has_pairs else len(utf8)
        found = [match.start() for match in _LEAD_AND_TRAIL.finditer(utf8, 0, end)]
    for first, pairs, look in _RARE_LEADS:
        if first in utf8 and any(one in utf8 and any(map(utf8.__contains__, ones)) for one, ones in pairs):
            found += [match.start() for match in look.finditer(utf8)]
    return bool(found) and not _is_honest(utf8, sorted(found))


def _is_honest(utf8: bytes, starts: list[int]) -> bool:
    """Return True if certainly nothing is to be fixed in the runs around these places (see `keeps_rows`)."""
    texts, whole, end, letter = [], [], 0, -1
    for start in starts:
        if start >= end:  # the next text between markup
            first = max(end, utf8.rfind(b"<", end, start) + 1, utf8.rfind(b">", end, start) + 1)
            markup = _MARKUP_CHARACTER.search(utf8, start)
            end = markup.start() if markup else len(utf8)
            texts.append(utf8[first:end])
        line = max(first, start - _WITHIN_RUN)
        line = max(line, utf8.rfind(b"\n", line, start) + 1, utf8.rfind(b"\r", line, start) + 1)
        if letter < line:  # not in the line of the place before
            found = _LETTER_BETWEEN.match(utf8, line)
            if found is None:
                whole.append(texts[-1])
            letter = found.start(1) if found else end  # the whole text is judged once
    return all(
        keeps_rows(b"<".join(some).decode("utf-8", "replace"), whole=some is whole) for some in (texts, whole)
    )


def _run_around(text: str, position: int) -> tuple[int, int]:
    """Start and end of the run around a position, bounded."""
    first, last = max(0, position - AROUND_SEQUENCE), position + AROUND_SEQUENCE
    start = max(first, text.rfind("<", first, position) + 1, text.rfind(">", first, position) + 1)
    ends = text.find("<", position, last), text.find(">", position, last), len(text), last
    return start, min(end for end in ends if end >= 0)
