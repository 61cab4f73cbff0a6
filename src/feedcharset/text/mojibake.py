"""`mojibake="fix"`: text that was decoded wrongly before it was published (`â€™`, `Ã©`).

`ftfy.fix_encoding` decides what is mojibake and what the text was; its other fixers are off, so quotes,
ligatures, widths, line ends and entities stay. It is called for one run of text at a time: text between
markup, the content of a CDATA section, the value of an attribute. Runs do not depend on the pieces in which
the text comes. In what is no XML or HTML (CSV, SQL, PHP: `_IS_MARKUP`) all text is one run. Where a run
cannot be decoded as a whole, because some of it is right, each of its lines is judged by itself.

ftfy knows mojibake by pairs of characters that honest text does not have. The pairs of some scripts are not
among them: Armenian letters were `Õ` or `Ö` and any sign, Thaana `Þ` and any sign; nor are some of letters in
Latin words (`ÄŸ` was ğ, `Ä…` ą). Words that ftfy left are therefore read as UTF-8 here, too (`_fix_words`).
"""

from __future__ import annotations

import re
from codecs import utf_8_decode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import zip_longest
from typing import NamedTuple
from unicodedata import category, normalize

from feedcharset.charsets import lazy_pattern
from feedcharset.text.byte_replacement import BaseDecoder, page_table
from feedcharset.text.options import has_ftfy
from feedcharset.text.source_positions import RepairLog, SourceOffsets, common_prefix
from feedcharset.text.xml_text import FORBIDDEN, SECTIONS, clean

RUN = 64 * 1024
"""Characters of a run that are held back at most, and an eighth more that are not read yet. A longer run is
cut after its last line end within them, else after its last space, else before a sequence."""

NEW_SHARE = 8
"""What is held is read again when an eighth of it is new: small pieces of a long run take linear time."""

LEAST_HELD = 256
"""Characters held that are read with every piece."""

ENOUGH_LETTERS = 4
"""Different letters of one script in a run, by which its words were UTF-8: so many sequences of one block as
prove that a document is plainly UTF-8."""


class Edit(NamedTuple):
    """A change."""

    start: int
    """Index in the text before the change."""
    end: int
    text: str
    """The replacement."""


class Fixed(NamedTuple):
    """Text that `MojibakeFixer.feed` returns."""

    text: str
    taken: int
    """Number of input characters that `text` was made from."""
    edits: tuple[Edit, ...] = ()


class MojibakeFixer:
    """Fixes text that comes in pieces. A run without its end is held back, and markup that may be cut."""

    def __init__(self) -> None:
        self._is_markup: bool | None = None
        """None: nothing but white space was read."""
        self._in_section = False
        """What follows is the content of a CDATA section."""
        self._held = ""
        self._new: list[str] = []
        """Text behind it that is not read yet."""
        self._new_size = 0

    def feed(self, text: str, final: bool = False) -> Fixed:
        """Return the fixed text, as far as it is certain."""
        self._new.append(text)
        self._new_size += len(text)
        if not final and self._new_size * NEW_SHARE + LEAST_HELD < len(self._held):
            return Fixed("", 0, ())
        held = "".join((self._held, *self._new))
        self._new, self._new_size = [], 0
        edits: list[Edit] = []
        next_ends: dict[str, int] = {}
        start, doubtful, last = 0, -1, 0
        if self._is_markup is None:
            start = len(held) - len(held.lstrip("\ufeff \t\r\n"))
            blank = held[:start]
            if held.startswith(_MISREAD_BOM, start):
                edits.append(Edit(start, start + len(_MISREAD_BOM), ""))
                start += len(_MISREAD_BOM)
            begun = held[start : start + 5].lower()
            if not final and (_XML_BEGUN.startswith(begun) or _MISREAD_BOM.startswith(begun)):
                self._held = held[start:]
                return Fixed(blank, start, tuple(edits))
            self._is_markup = _IS_MARKUP.match(held, start) is not None
        while start < len(held):
            if doubtful < start:  # what stands before it is clean
                found = lead_and_continuation().search(held, start)
                doubtful = found.start() if found else len(held)
                last = held.rfind("<", start, doubtful)
            if self._is_markup and not self._in_section and start < last:
                # A `<` in text begins markup whatever precedes it; what a section hides is looked at.
                special = _SPECIAL.search(held, start, last)
                start = special.start() if special else last
            runs: Iterable[tuple[int, int]] = ()
            if self._in_section and held.startswith("]]>", start):
                self._in_section, end = False, start + len("]]>")
            elif self._is_markup and not self._in_section and held[start] == "<":
                end = self._markup_end(held, start, final, next_ends)
                if end < 0:
                    break
                if doubtful < end and held[start + 1 : start + 2] not in ("!", "?"):
                    runs = (value.span(value.lastindex or 0) for value in _VALUE.finditer(held, start, end))
            else:
                end = held.find("]]>" if self._in_section else "<", start) if self._is_markup else -1
                is_open = end < 0 and not final
                end = len(held) - 2 * (self._in_section and is_open) if end < 0 else end
                if end - start > RUN:
                    end = _cut(held, start)
                elif is_open:
                    break
                if doubtful < end:
                    runs = ((start, end),)
            for begin, stop in runs:
                changes = fix_run(held[begin:stop])
                edits += (Edit(begin + one.start, begin + one.end, one.text) for one in changes)
            start = end
        self._held = held[start:]
        parts, done = [], 0
        for edit in edits:
            parts += [held[done : edit.start], edit.text]
            done = edit.end
        return Fixed("".join([*parts, held[done:start]]), start, tuple(edits))

    def _markup_end(self, text: str, start: int, final: bool, next_ends: dict[str, int]) -> int:
        """Return the index after the markup that a `<` begins, which is the `<` alone where that is text; -1
        where its end may follow the known text. `next_ends`: where the next comment and instruction in the
        text end: to search for that behind each `<!--` would take quadratic time."""
        opener = next((opener for opener in SECTIONS if text.startswith(opener, start)), "")
        if opener == "<![CDATA[":
            self._in_section = True
            return start + len(opener)
        limit, end = start + LONGEST_MARKUP, start + 1
        is_open = not opener and text.find("<", end, limit) < 0
        if opener:
            content = start + len(opener)
            if 0 <= next_ends.get(opener, 0) < content:
                next_ends[opener] = text.find(SECTIONS[opener], content)
            closed = next_ends[opener] + len(SECTIONS[opener])
            is_open = next_ends[opener] < 0
            end = end if is_open or closed > limit else closed
        elif found := _TAG_OR_DECLARATION.match(text, start, limit):
            end = found.end()
        return -1 if is_open and end == start + 1 and not final and len(text) < limit else end


LONGEST_MARKUP = 64 * 1024
"""Characters of the longest tag, comment or instruction that is markup here; so many are held back until the
end is there. A longer one is text: tags of HTML with images in them, at most."""

_MISREAD_BOM = "ï»¿"
_XML_BEGUN = "<?xm"
_IS_MARKUP = lazy_pattern(r"<(?:[A-Za-z_:!\x80-\U0010ffff]|\?(?i:xml))")
"""How XML and HTML begin, after white space. `<?php` begins a program, and what begins otherwise is text."""
_SPECIAL = lazy_pattern("<[!?]")
_TAG_OR_DECLARATION = lazy_pattern(
    "<(?:![^<>\"']*+(?:(?:\"[^\"<]*+\"|'[^'<]*+')[^<>\"']*+)*+|/?(?=[A-Za-z_:\x80-\U0010ffff])"
    "[^<>\"'\r\n]++(?:[^<>\"'\r\n]++|\"[^\"<]*+\"|'[^'<]*+'"
    "|[\r\n]\\s*+(?=[/?]?>|[\"']|[^\\s<>\"'/=]*+\\s*+=))*+)>"
)
"""A declaration, or a tag, also of HTML or with a name that is mojibake. After a line end in a tag an
attribute with a value follows, or the end: after `a <b and c` lines of prose follow."""
_VALUE = lazy_pattern("\"([^\"]*+)\"|'([^']*+)'")


def _cut(text: str, start: int) -> int:
    """Return the index at which a run that is too long is cut."""
    for char in "\n\r ":
        end = text.rfind(char, start, start + RUN) + 1
        if end:
            return end
    return start + _end_of_part(text[start : start + RUN])


def suspicious(run: str) -> bool:
    """Return True if ftfy may change the run; a cheap test that does not import ftfy.

    It is True for every text that `ftfy.fix_encoding` or `_fix_words` changes, and for some others.
    """
    return not run.isascii() and lead_and_continuation().search(run) is not None


def fix_run(run: str) -> list[Edit]:
    """Return the changes that fix a run of text.

    There are none if they would change a character that has a meaning in markup, make a NUL (ftfy reads C0 80
    as Java does), or leave a quotation mark without the other (`“IRMÔ`, in which `Ô` could be `Ô`).
    """
    lines = _LINE.findall(run)
    if not suspicious(run) or (keeps_rows(run, whole=True) if len(lines) > 1 else _is_kept(run)):
        return []
    several = len(lines) > 1 and _BETWEEN_LETTERS.search(run) is not None
    fixed, rows = run if several else _fixed(run), _NON_ASCII.findall
    if several or (len(lines) > 1 and not set(rows(run)).isdisjoint(rows(fixed))):
        own = (_fixed(line) if suspicious(line) and not _is_kept(line) else line for line in lines)
        fixed = _fix_words("".join(own))
    edits: list[Edit] = []
    start = 0
    for line, meant in zip(lines, _LINE.findall(fixed), strict=True):
        if meant != line:
            edits += (Edit(start + edit.start, start + edit.end, edit.text) for edit in _edits(line, meant))
        start += len(line)
    edits = [
        one
        for one in edits
        if not (_is_misread(run[one.start : one.end], one.text) or _is_odd_in_word(run, one))
    ]
    for sign, words in _KEPT_SIGNS:
        if not words.search(fixed):
            edits = [one for one in edits if not sign.match(run, one.start)]
    opened = _MARK_ALONE.search(run) if edits else None
    first = opened.start() if opened else len(run)
    doubtful = (
        one.end - one.start <= 2
        and (_FOOTNOTE.match(run, one.start) or (first < one.start and _CLOSED.match(run, one.start)))
        for one in edits
    )
    return [] if all(doubtful) else edits


_SELDOM = frozenset("ĈĉĔĕĜĝĤĥĨĩĬĭĲĳĴĵĸĿŀŊŋŎŏŖŗŜŝŦŧŨũŬŭŶŷſ")
"""Letters that hardly a text has."""


def _is_misread(found: str, meant: str) -> bool:
    """Return True for what is no character of Unicode (`×¿`) or is lost (`ç�?`), for one ideograph, which is
    rare (`éšˇ`, `隡`; `ßøä¢£`, `߸䢣`), and for UTF-8 that was hardly read in code page 437: `┼¥` is `ŝ`
    there, and `ž` in 850. Of emoji the table of characters does not have the newest."""
    lost = set(meant) == {"\ufffd"} and not {"\ufffd", "?"}.isdisjoint(found)
    if lost or any(category(char) == "Cn" for char in meant if char < "\ufffe"):
        return True
    if len(meant) == 1 and category(meant) == "Mn" and not "\u0300" <= meant < "\u0340":
        return True  # `VELIKOSTÍ‡`
    ideographs = [char for char in meant if "\u3400" <= char <= "\u9fff"]
    if len(ideographs) == 1:
        from feedcharset.evidence.scripts import common_in

        return not common_in(ideographs[0])
    with suppress(UnicodeError):
        return not _SELDOM.isdisjoint(meant) and _SELDOM.isdisjoint(found.encode("cp850").decode())
    return False


_WITH_LATIN = lazy_pattern(
    "[\u1d00-\u1dbf\u1e00-\u1eff\u2c60-\u2c7f\ua720-\ua7ff\uff21-\uff5aα-θκ-νπ-τφ-ωΔΩ]"
)
"""Latin letters beyond U+036F, and Greek ones of science."""


def _is_odd_in_word(run: str, edit: Edit) -> bool:
    """Return True for what would be one small or rare Latin letter behind two capitals, or between others:
    `NESCAFÉ®`, `SOCIÉTÉ¹`, `MANHÃ E`; or one of another script behind a Latin one (`REŠ¹`; not `TGFβ`)."""
    before, text = run[max(0, edit.start - 2) : edit.start], edit.text
    if len(text) == 1 and text.isalpha() and text > "\u036f" and not _WITH_LATIN.match(text):
        return before[-1:].isalpha() and before[-1:] < "\u0250"
    if len(text) != 1 or text > "\u036f" or text == "ß" or category(text) not in ("Ll", "Lm", "Lu", "Sk"):
        return False
    ends = text == "Ĺ" and not run[edit.end : edit.end + 1].isalpha()  # no word ends so: `SIIRRÄNTÄ¹`
    is_usual = text.isupper() and (text < "\u0180" or text in "ƏƠƯȘȚ") and not ends
    is_behind = before.isalpha() and before.isupper() and len(before) == 2
    if not is_behind and before[-1:].isupper() and edit.end == edit.start + 1:  # `ĐÃ XÓA`
        is_behind = next(filter(str.isalpha, run[edit.end : edit.end + 8]), "").isupper()
    return is_behind and not is_usual and run[edit.start].isupper()


def _fixed(run: str) -> str:
    """Return the run, or one of its lines, as ftfy and `_fix_words` fix it.

    ftfy takes the space of `Å ` for a no-break space, which was `Š`. In Norwegian words end so (`på`, `å`).
    """
    fixed = _fixed_with_spaces(run)
    if _WORD_OF_NORWEGIAN.search(run) and not _BESIDE_CARON.search(fixed) and _STAND_IN not in run:
        kept = _WORD_OF_NORWEGIAN.sub(_STAND_IN, run)
        fixed = _fixed_with_spaces(kept).replace(_STAND_IN, "Å")
    return fixed


def _without_c1(row: re.Match[str]) -> str:
    """Return sequences decoded as they are in a row of Latin-1 with a C1 control, which no text has."""
    with suppress(UnicodeDecodeError):
        return row[0].encode("latin-1").decode() if row[0] != row[0].translate(C1_IN_1252) else row[0]
    return row[0]


def _fixed_with_spaces(run: str) -> str:
    fixed = _fix_encoding()(run)
    if fixed != run and fixed == run.translate(C1_IN_1252):  # `É â\x80\x93`: it left the sequence
        fixed = _fix_encoding()(_LATIN_1_ROW.sub(_without_c1, run))
    if _MAY_BE_LOST.search(run) and fixed.count("\ufffd") > run.count("\ufffd"):
        # `oublié ?` is read as a sequence that has lost a byte. A word alone is not.
        words = ((word, _fix_encoding()(word)) for word in _WORD_ENDS.split(run))
        fixed = "".join(old if "\ufffd" in new and _MAY_BE_LOST.search(old) else new for old, new in words)
    # A letter and its accent may be two characters (`ė`).
    if len(_ODD_IN_WORD.findall(normalize("NFC", fixed))) > len(_ODD_IN_WORD.findall(run)):
        # `l’école;cafÃ©` is MacRoman as a whole: `lՎcole;caf̩`. Each word of it is in its own page.
        fixed = "".join(map(_fix_encoding(), _WORD_ENDS.split(run)))
    with suppress(UnicodeError):
        # `“IRMÃ”` that was misread once: read twice it is `“IRMÔ`.
        if fixed != run and False in _paired(fixed):
            once = run.encode("sloppy-windows-1252").decode()
            fixed = fixed if False in _paired(once) else once
    lost = any(before and after is False for before, after in zip(_paired(run), _paired(fixed), strict=True))
    return _fix_words(run if lost or _KEPT.findall(fixed) != _KEPT.findall(run) else fixed)


def _paired(text: str) -> list[bool | None]:
    """Return of each kind of quotation marks whether each has another one; None where there is none. Pairs
    are `“x”`, `„x“`, `„x”`, `”x”`, `«x»`, `»x«`, `‹x›`, `›x‹`."""
    low, opening, closing, *others = map(text.count, "„“”«»‹›")
    alike = not opening and (low == closing or (not low and closing % 2 == 0))
    found = [alike or opening == low + closing] if low or opening or closing else [None]
    return found + [one == other if one or other else None for one, other in (others[:2], others[2:])]


LONGEST_ROW = 8
"""Characters of a row that `keeps_rows` asks ftfy about: words in Latin letters have fewer side by side."""

ROW_CHARACTERS = "\x80-\u0491\u2013-\u25ca\udc80-\udcff\uf8ff\ufb01\ufb02\ufffd"
"""What ftfy's pages and pairs have, and undecodable bytes. Other characters, such as Han, are in no sequence:
a row ends before them, so that ftfy is not asked about each text in Chinese with `……` in it."""

_KEPT_SIGNS = (
    (lazy_pattern("Å[²³±°•](?<![A-Za-z\x80-\uffff]..)(?![A-Za-z])"), lazy_pattern("[A-Za-z][ųŲ]")),
    (lazy_pattern("√[±≤≥≠∞](?<![^\\W\\d_]..)(?![^\\W\\d_])"), lazy_pattern("[A-Za-z][à-ÿ]|[à-ÿ][A-Za-z]")),
    (lazy_pattern("×"), lazy_pattern("[א-ת]{2}")),
    (lazy_pattern("Ø"), lazy_pattern("[\u0600-\u06ff]{2}")),
)
"""`5 Å³`, `√±2`, `délka×šířka`, `Ø½″`: signs that are no letters where no word has these, of Lithuanian,
Hebrew or Arabic."""
_WORD_OF_NORWEGIAN = lazy_pattern("Å(?= [\\w%])")
_BESIDE_CARON = lazy_pattern(
    "[čďěňřšťžýāēģīķļņūąęėįųćđśźłńĺľŕČĎĚŇŘŤŽÝĀĒĢĪĶĻŅŪĄĘĖĮŲĆĐŚŹŁŃĹĽŔ\u0370-\u1dff\u3040-\ud7ff]"
)
"""Letters of the languages that have `Š`, and of other scripts: `Å ` ends Arabic words that were read in the
page of Mac."""
_STAND_IN = "\ue000"
"""It is in no sequence of any page."""
_LATIN_1_ROW = lazy_pattern("(?:[\xc2-\xf4][\x80-\xbf]++)++")
_FOOTNOTE = lazy_pattern("Ä²|[Æ-Í][¹²³]|[Ç-Í]°|Ã\xa0(?<=[A-Z]{2}..)(?=[A-Z])")
_CLOSED = lazy_pattern("[\xc2-\xdf](?:[’“”«»‹›](?:(?<=[A-Z]{2}..)|(?<=[‘“”„«»‹›]..))|‘(?<=‚..))")
_MARK_ALONE = lazy_pattern("[‘“”„‚«»‹›](?<![\x80-\uffff].)")
"""`SOCIÉTÉ²`, in which `É²` could be `ɲ`; `MANHÃ DE` with a no-break space, which could be `à`; a
word in capitals, or one letter, at the end of a quotation (`“TIRÂ”`, `„Â”`): where a run has nothing else, it
is no mojibake."""

_ODD_IN_WORD = lazy_pattern("(?<=[A-Za-z])[\u0300-\u1dff](?<![\u060c\u061b\u061f\u066a\u0964\u05be\u05f4])")
"""A mark, or a letter of another script, behind a Latin letter; signs such as the Arabic comma are none."""
_MAY_BE_LOST = lazy_pattern("[^\0-\x7f][?]")
_WORD_ENDS = lazy_pattern('([ \t\r\n;,:.|"]+)')
_LINE = lazy_pattern("[^\r\n]*+[\r\n]++|[^\r\n]++")
_BETWEEN_LETTERS = lazy_pattern("[\xa0-\ufffc](?<=[0-9A-Za-z].)(?=[0-9A-Za-z])")
_NON_ASCII = lazy_pattern("[^\0-\x7f]++")
_PAGE_ROW = lazy_pattern(f"[{ROW_CHARACTERS}]{{2,}}")
PAIR_WITH_ASCII = lazy_pattern("[\x80-\x9fÂÃŒœ](?:(?<=[\x80-\x9f])|(?= )|(?<=[Œœ])(?![A-Za-z]))")


def _is_kept(run: str) -> bool:
    """Return True if certainly nothing changes the run. Quick for Latin script; else False.

    ftfy searches a run for its pairs at 5 MB/s. But it decodes a run as a whole only where each non-ASCII
    character is in a sequence: then none stands between two ASCII letters.
    """
    return keeps_rows(run, whole=_BETWEEN_LETTERS.search(run) is None)


def keeps_rows(text: str, *, whole: bool = False) -> bool:
    """Return True if certainly nothing changes a part of a run in the text: a run that is not all sequences.
    `whole`: it may be. ftfy then also judges rows by the letters before and after them.

    ftfy changes C1 controls, and rows of sequences with one of its pairs in them. In a row it accepts spaces,
    but no other ASCII. So it is asked about each different row of non-ASCII characters, not about the text.
    """
    rows = set(_PAGE_ROW.findall(text))
    return all(is_harmless(row, whole) for row in rows) and PAIR_WITH_ASCII.search(text) is None


@lru_cache(maxsize=1024)  # a language has some dozens
def is_harmless(row: str, whole: bool) -> bool:
    """Return True if ftfy certainly changes nothing in a row; False without ftfy."""
    if not has_ftfy():
        return False
    from ftfy.badness import is_bad

    word = len(row) >= 4 and _WORD.search(row)  # `_fix_words` counts words of two characters and more
    bad = len(row) > LONGEST_ROW or word or is_bad(f" {row}  ") or (whole and is_bad(f"a{row}aa"))
    return not (bad or _IN_WORD.search(f"a{row}a"))


def _fix_words(run: str) -> str:
    """Return the run with the words decoded that were UTF-8 in a script which windows-1252 does not have.

    A word is a row of sequences that does not follow a letter (`SJÖ…` has none). All of it must be
    well-formed and of one script, and the run must have `ENOUGH_LETTERS` of that script in words of two
    characters or more.

    Between two small letters a capital one and a sign were a Latin letter: no honest word has them there.
    Then the run is decoded as a whole, where all of it are sequences.
    """
    if _IN_WORD.search(run):
        with suppress(UnicodeError):
            return _in_utf8(run)
        run = _IN_WORD.sub(lambda match: _in_utf8(match[0]), run)
    meant: dict[str, tuple[str, str]] = {}
    letters: dict[str, set[str]] = {}
    for word in set(_WORD.findall(run)):
        with suppress(UnicodeDecodeError):
            text = _in_utf8(word)
            script = _script(text)
            meant[word] = script, text
            if len(text) > 1:
                letters.setdefault(script, set()).update(filter(str.isalpha, text))
    sure = {script for script, found in letters.items() if script and len(found) >= ENOUGH_LETTERS}
    if not sure:
        return run

    def decoded(match: re.Match[str]) -> str:
        script, text = meant.get(match[0], ("", ""))
        return text if script in sure else match[0]

    return _WORD.sub(decoded, run)


def _in_utf8(text: str) -> str:
    return text.translate(_BYTES_IN_1252).encode("latin-1").decode()


def _script(text: str) -> str:
    """Return the script of all characters, as their names begin; "" for Latin and where there are several."""
    from unicodedata import name

    scripts = {name(char, "").partition(" ")[0] for char in text}
    return scripts.pop() if len(scripts) == 1 and "LATIN" not in scripts else ""


_KEPT = lazy_pattern("[<>&;=\"'\r\n\0]")
_PARTS = lazy_pattern("[\0-\x7f]+|[^\0-\x7f]+")


def _edits(old: str, new: str) -> list[Edit]:
    """Return the differences between unchanged ASCII parts; one difference where a space changed, too."""
    edits = []
    for before, after in zip_longest(_PARTS.finditer(old), _PARTS.finditer(new)):
        if before is None or after is None:
            return [_edit(0, old, new)]
        if before[0] == after[0]:
            continue
        if before[0].isascii() or after[0].isascii():
            return [_edit(0, old, new)]
        edits.append(_edit(before.start(), before[0], after[0]))
    return edits


def _edit(at: int, old: str, new: str) -> Edit:
    """Return the difference, without the common prefix and suffix."""
    head = common_prefix(old, new)
    tail = common_prefix(old[head:][::-1], new[head:][::-1])
    return Edit(at + head, at + len(old) - tail, new[head : len(new) - tail])


PAGES = "latin-1 cp1252 cp1251 cp1250 cp1253 cp1254 cp1257 iso8859-2 mac-roman cp437"
"""The single-byte charsets that ftfy tries (ftfy.chardata.CHARMAP_ENCODINGS), by their names in Python."""


_SPACED_PAGES = PAGES.replace("mac-roman ", "")
"""Those in which it takes a space for a no-break space; in Mac OS Roman, dashes stand before spaces."""


def _characters(data: bytes, pages: str = PAGES) -> str:
    """Return the characters that these non-ASCII bytes are in any of the pages, for a character class."""
    return "".join(sorted({char for page in pages.split() for char in data.decode(page, "ignore")}))


def sequence_characters(pages: str = PAGES) -> tuple[str, str, str]:
    """Return the characters that first bytes of two, first bytes of more, and later bytes are in pages."""
    numbers = [0xC0, *range(0xC2, 0xE0)], range(0xE0, 0xF5), range(0x80, 0xC0)
    leads, longer, continuations = (_characters(bytes(some), pages) for some in numbers)
    return leads, longer, continuations


@lru_cache(maxsize=1)
def lead_and_continuation() -> re.Pattern[str]:
    """Return the pattern of a UTF-8 sequence decoded in one of the pages: a lead byte, and the next or two.

    As these, ftfy also accepts a space that was a no-break space, after some leads, and the characters that
    replace a lost byte. C1 controls always match; undefined bytes of a page are decoded to them.
    """
    lead, longer, continuation = sequence_characters()
    spaced = _characters(b"\xc2\xc3\xc5\xce\xd0\xd9", _SPACED_PAGES)
    spaced_if_more = _characters(b"\xe0\xe1\xe2\xe3\xf0", _SPACED_PAGES)
    other = f"[{continuation}?\x1a\ufffd]"
    first = f"[\x80-\x9f{lead}{longer}{spaced}{spaced_if_more}]"  # searched three times as fast as a branch
    return re.compile(
        f"{first}(?:(?<=[\x80-\x9f])|(?=[ {continuation}?\x1a\ufffd])(?:"
        f"(?<=[{lead}]){other}|(?<=[{longer}]){other}{{2}}|(?<=[{spaced}]) "
        f"|(?<=[{spaced_if_more}])(?: [{continuation}]|[{continuation}] )))"
    )


_IN_1252 = page_table("windows-1252")[0x80:0xA0]
_BYTES_IN_1252 = str.maketrans(_IN_1252, "".join(map(chr, range(0x80, 0xA0))))
C1_IN_1252 = str.maketrans(dict(zip(range(0x80, 0xA0), _IN_1252, strict=True)))
_TRAIL = f"[\x80-\xbf{_IN_1252}]"
_SMALL = "[a-z\xdf-\xf6\xf8-\xff]"
_WORD = lazy_pattern(
    f"(?<![^\\W\\d_])(?:[\xc2-\xdf]{_TRAIL}|[\xe0-\xef]{_TRAIL}{{2}}|[\xf0-\xf4]{_TRAIL}{{3}})+"
)
"""A row of UTF-8 sequences that was decoded as windows-1252 or ISO-8859-1."""
_IN_WORD = lazy_pattern(f"[\xc3-\xc5](?<={_SMALL}.){_TRAIL}(?:[\xc3-\xc5]{_TRAIL})*+(?={_SMALL})")
"""Latin letters between small ones, decoded so: U+00C0 to U+017F."""


LONGEST_READ = 1024
"""Non-ASCII characters side by side that ftfy is given at once: it may read a row again for each sequence in
it, which takes quadratic time (`Ã©‚\xa0`, 邠 decoded wrongly twice): at this length 12 µs a character."""
CUT_WITHIN = 64
"""The last ones of them, among which a longer row is cut where it is not all sequences of one page."""
_BEGINS_SEQUENCE = lazy_pattern(f"Ã(?:[\x80-\xb4]|[{re.escape(_IN_1252)}])|[\xc2-\xf4]")
"""How one begins in windows-1252, or one that was decoded wrongly twice."""


@lru_cache(maxsize=1)
def _fix_encoding() -> Callable[[str], str]:
    """Return ftfy's fixer of encodings alone. ftfy is imported when a text first needs it."""
    from ftfy import TextFixerConfig, fix_encoding

    fix = partial(fix_encoding, config=TextFixerConfig(explain=False))
    as_a_whole = TextFixerConfig(explain=False, decode_inconsistent_utf8=False, fix_c1_controls=False)

    def fixed(text: str) -> str:
        if all(len(row) <= LONGEST_READ for row in _NON_ASCII.findall(text)):
            return fix(text)
        return "".join(map(fix, _readable(fix_encoding(text, config=as_a_whole))))

    return fixed


def _readable(text: str) -> Iterator[str]:
    """Yield the parts of a text in which no row is longer than LONGEST_READ."""
    done = 0
    for row in _NON_ASCII.finditer(text):
        start = row.start()
        while row.end() - start > LONGEST_READ:
            start += _end_of_part(text[start : start + LONGEST_READ])
            yield text[done:start]
            done = start
    yield text[done:]


def _end_of_part(row: str) -> int:
    """Return the index at which a row is cut: behind its last sequence, in a page in which it has no other
    bytes."""
    as_latin_1 = row.translate(_BYTES_IN_1252)  # or windows-1252, the second page
    for text, page in ((as_latin_1, "latin-1"), *((row, page) for page in PAGES.split()[2:])):
        with suppress(UnicodeError):
            return utf_8_decode(text.encode(page))[1]
    found = _BEGINS_SEQUENCE.search(row, len(row) - CUT_WITHIN)
    return found.start() if found else len(row)


# -- the filters of a decoder ------------------------------------------------------------------------------


class TextFilters:
    """The last two stages of text: mojibake is fixed, and characters that XML forbids are replaced.

    They are there only if an option asks for one of them. Then bytes are decoded in small pieces, and the
    pieces of text that the filters still hold are kept with their byte offsets.
    """

    def __init__(self, decoder: BaseDecoder, log: RepairLog, *, mojibake: str, xml_chars: str) -> None:
        self._fixer = MojibakeFixer() if mojibake == "fix" else None
        self._xml_chars = xml_chars
        self._log = log
        self._source_offsets = decoder.source_offsets = SourceOffsets()
        self._done = 0
        """Number of the decoder's characters that have passed the filters."""

    def feed(self, text: str, final: bool = False) -> str:
        """Return the filtered text, as far as it is certain."""
        fixed = self._fixer.feed(text, final) if self._fixer is not None else Fixed(text, len(text))
        if fixed.edits:
            self._log.add("mojibake", len(fixed.edits), self._offsets(edit.start for edit in fixed.edits))
        text = fixed.text
        if self._xml_chars != "keep":
            text, count = clean(text, self._xml_chars)
            if count:
                found = (match.start() for match in FORBIDDEN.finditer(fixed.text))
                indexes = _indexes_before_edits(found, fixed.edits)
                self._log.add("xml-chars", count, self._offsets(indexes))
        self._done += fixed.taken
        self._source_offsets.forget(self._done)
        return text

    def _offsets(self, indexes: Iterator[int]) -> Iterator[int]:
        """Return the byte offsets of characters, by their indexes in the text passed to `feed`."""
        return (self._source_offsets.offset(self._done + index) for index in indexes)


def _indexes_before_edits(indexes: Iterator[int], edits: Sequence[Edit]) -> Iterator[int]:
    """Return the same positions in the text before the edits; inside an edit, the position of its start."""
    shift = 0
    remaining = iter(edits)
    edit = next(remaining, None)
    for index in indexes:
        while edit is not None and index + shift >= edit.start + len(edit.text):
            shift += (edit.end - edit.start) - len(edit.text)
            edit = next(remaining, None)
        yield edit.start if edit is not None and index + shift >= edit.start else index + shift
