"""`mojibake="fix"`: text that was decoded wrongly before it was published (`â€™`, `Ã©`).

What is mojibake and what it was is ftfy's judgement (`ftfy.fix_encoding`, and none of its other fixers:
quotes, ligatures, widths, line ends and entities stay). It is asked about one run of text at a time: between
markup, in the content of a CDATA section, in the value of an attribute. Runs do not depend on the pieces in
which the text comes.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.text.markup_tokens import Markup

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Edit", "Fixed", "MojibakeFixer", "fix_run", "suspicious"]

RUN = 64 * 1024
"""Characters of a run that are held back. A longer run is cut after its last line end within them, else after
its last space, else there."""


class Edit(NamedTuple):
    """A change."""

    start: int
    """Index in what `Fixed.text` was made from."""
    end: int
    text: str
    """What stands there now."""


class Fixed(NamedTuple):
    """What `MojibakeFixer.feed` gives."""

    text: str
    taken: int
    """Characters of the text fed, then or earlier, that it was made from."""
    edits: tuple[Edit, ...] = ()


class MojibakeFixer:
    """The fixer for text that comes in pieces. It holds back the run that has not ended."""

    def __init__(self) -> None:
        self._markup = Markup()
        self._held = ""

    def feed(self, text: str, final: bool = False) -> Fixed:
        """The text that is certain now."""
        held = self._held + text
        parts: list[str] = []
        edits: list[Edit] = []
        start = 0
        while start < len(held):
            end, run, whole = self._markup.next(held, start, final)
            if run and end - start > RUN:
                end = _cut(held, start)
            elif end == start or (run and not whole):
                break
            part = held[start:end]
            if run and (changes := fix_run(part)):
                edits += [Edit(start + edit.start, start + edit.end, edit.text) for edit in changes]
                part = _apply(part, changes)
            parts.append(part)
            start = end
        self._held = held[start:]
        return Fixed("".join(parts), start, tuple(edits))


def _cut(text: str, start: int) -> int:
    """Where a run that is too long ends."""
    for char in "\n\r ":
        end = text.rfind(char, start, start + RUN) + 1
        if end:
            return end
    return start + RUN


def suspicious(run: str) -> bool:
    """Whether ftfy may find something to do: the cheap test that needs no ftfy.

    True for every text that `ftfy.fix_encoding` changes, and for some others.
    """
    return not run.isascii() and _lead_and_trail().search(run) is not None


def fix_run(run: str) -> list[Edit]:
    """What to change in a run of text.

    A change that would touch a character with a meaning in markup, or make a NUL (ftfy knows Java's C0 80),
    is left.
    """
    if not suspicious(run):
        return []
    fixed = _fix_encoding()(run)
    if fixed == run or _KEPT.findall(fixed) != _KEPT.findall(run):
        return []
    return _edits(run, fixed)


_KEPT = re.compile("[<>&;=\"'\r\n\0]")
_PARTS = re.compile("[\0-\x7f]+|[^\0-\x7f]+")


def _edits(old: str, new: str) -> list[Edit]:
    """The places that differ: between unchanged stretches of ASCII, or, where a space went too, one place."""
    olds, news = _PARTS.findall(old), _PARTS.findall(new)
    pairs = list(zip(olds, news, strict=False))
    if len(olds) != len(news) or any(a != b for a, b in pairs if a.isascii() or b.isascii()):
        return [_edit(0, old, new)]
    edits, at = [], 0
    for before, after in pairs:
        if before != after:
            edits.append(_edit(at, before, after))
        at += len(before)
    return edits


def _edit(at: int, old: str, new: str) -> Edit:
    """The difference, without what both begin and end with."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    return Edit(at + head, at + len(old) - tail, new[head : len(new) - tail])


def _common(one: str, other: str) -> int:
    """How many characters both begin with."""
    return next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _apply(run: str, edits: list[Edit]) -> str:
    parts, done = [], 0
    for start, end, text in edits:
        parts += [run[done:start], text]
        done = end
    return "".join([*parts, run[done:]])


_PAGES = "latin-1 cp1252 cp1251 cp1250 cp1253 cp1254 cp1257 iso8859-2 mac-roman cp437"
"""The single-byte charsets that ftfy tries (ftfy.chardata.CHARMAP_ENCODINGS), by their names in Python."""


def _read(octets: bytes) -> str:
    """The characters that these octets over 7F are in any of the pages, for a character class."""
    return "".join(sorted({char for page in _PAGES.split() for char in octets.decode(page, "ignore")}))


@lru_cache(maxsize=1)
def _lead_and_trail() -> re.Pattern[str]:
    """The characters of a UTF-8 sequence that was read in one of the pages: a lead octet and one more.

    Also what ftfy takes for the second: a space that was a no-break space, and what stands for a lost octet.
    C1 controls are always suspicious; they are also what the undefined octets of a page are read as.
    """
    lead, trail = _read(bytes([0xC0, *range(0xC2, 0xF5)])), _read(bytes(range(0x80, 0xC0)))
    spaced, spaced_if_more = _read(b"\xc2\xc3\xc5\xce\xd0\xd9"), _read(b"\xe2\xe3\xf0")
    return re.compile(f"[\x80-\x9f]|[{lead}][{trail}?\x1a\ufffd]|[{spaced}] |[{spaced_if_more}] [{trail}]")


@lru_cache(maxsize=1)
def _fix_encoding() -> Callable[[str], str]:
    """ftfy's fixer with all else switched off: made, and ftfy imported, when a text first needs it."""
    from functools import partial

    from ftfy import TextFixerConfig, fix_encoding

    nothing_else = TextFixerConfig(
        unescape_html=False,
        remove_terminal_escapes=False,
        fix_latin_ligatures=False,
        fix_character_width=False,
        uncurl_quotes=False,
        fix_line_breaks=False,
        fix_surrogates=False,
        remove_control_chars=False,
        normalization=None,
        explain=False,
    )
    return partial(fix_encoding, config=nothing_else)
