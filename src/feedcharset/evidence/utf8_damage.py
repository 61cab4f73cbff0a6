"""Two kinds of damage in UTF-8 whose cause is known: characters cut by bytes, and surrogate pairs (CESU-8).

Both are looked for in text that was decoded with "surrogateescape": an undecodable byte n is the lone
surrogate U+DC00 + n.

A cut character is the beginning of a sequence without its end, as PHP's `substr` leaves it before `...` or a
tag. In UTF-8 text with a word pasted from windows-1252 the same bytes are honest letters (`café`, `é”`), so a
beginning counts as cut only where no honest word ends like that. The rules were measured on the words of 63
languages (benchmarks/measure_cuts.py).
"""

from collections.abc import Iterator
from typing import NamedTuple

from feedcharset.charsets.lazy_pattern import lazy_pattern

__all__ = [
    "CONTEXT",
    "PAIRS",
    "Damage",
    "Runs",
    "cut_characters",
    "escaped_runs",
    "find_damage",
    "join_pairs",
    "unfinished",
]

PART = 64 * 1024
"""Characters whose UTF-16 is made at once."""

MOST_OTHERS = 100
"""Characters like `Ü` (U+00DC) that are passed in a part before a regular expression is used."""

CONTEXT = 32
"""Characters before a beginning that are looked at: its word, or as much of it as shows where it comes
from."""

CESU8_PAIR = "\udced[\udca0-\udcaf][\udc80-\udcbf]\udced[\udcb0-\udcbf][\udc80-\udcbf]"
"""A character beyond U+FFFF as two surrogates of three bytes each (Unicode Technical Report 26)."""

_RUN = lazy_pattern("[\udc80-\udcff]++")
PAIRS = lazy_pattern(f"{CESU8_PAIR}(?:{CESU8_PAIR}){{0,999}}+")
"""Some adjacent pairs; not all, so that they are read in pieces."""
_BEGINNING = lazy_pattern(
    # Unicode 15.0, table 3-7: the first bytes of a sequence, without its last.
    "[\udcc2-\udcdf]|\udce0[\udca0-\udcbf]?|[\udce1-\udcec\udcee\udcef][\udc80-\udcbf]?"
    "|\udced[\udc80-\udc9f]?|\udcf0(?:[\udc90-\udcbf][\udc80-\udcbf]?)?|[\udcf1-\udcf3](?:[\udc80-\udcbf][\udc80-\udcbf]?)?"
    "|\udcf4(?:[\udc80-\udc8f][\udc80-\udcbf]?)?"
)
_LAST_RUN = lazy_pattern("[\udc80-\udcff]++\\Z")
_PAIR_BEGUN = lazy_pattern("\udced(?:[\udca0-\udcaf](?:[\udc80-\udcbf](?:\udced[\udcb0-\udcbf]?)?)?)?\\Z")
_HELD = 8
"""Escaped bytes held back at the end of a piece: a cut character (3), a pair without its last byte (5)."""
_CLOSING = frozenset(0xDC00 + byte for byte in "…‘’“”–—™›«»ª®°²³¹º\u00a0".encode("cp1252"))
"""Marks that may close a word, as bytes of windows-1252."""

_AFTER_LOWER = frozenset([*range(0xC2, 0xD7), *range(0xD8, 0xDF), 0xE2])
"""Leads that close no word after a lower-case letter: capitals of windows-1252, and `â`, which is the lead of
quotation marks and dashes. `×` (D7) stands between any two words."""
_AFTER_OTHERS = frozenset((0xC2, 0xE2))
"""Leads that stand nowhere at the end: `Â` and `â`."""
_ALONE = frozenset((0xC2, 0xC3, 0xCE, 0xCF, 0xD0, 0xD1, 0xD9, 0xE3, 0xEB, 0xEC, 0xEE, 0xEF))
"""Leads that are no word of one letter: `É`, `Å`, `à`, `í` are, and `â` of Welsh."""

_CAPITAL_TILDE = 0xC3
"""`Ã` closes Portuguese words in capitals (`MANHÃ`), and is the lead of most letters of Portuguese."""
_CIRCUMFLEX = 0xE2
"""`â` is a word of Welsh, before another word."""


class Damage(NamedTuple):
    """One place of known damage in a piece of text."""

    start: int
    """Index in the text."""
    end: int
    characters: str
    """What it is read as: U+FFFD for a cut character; the characters of adjacent surrogate pairs."""


Runs = list[tuple[int, int]]
"""Where each run of escaped bytes begins and ends."""


def escaped_runs(escaped: str, most: int) -> Runs | None:
    """Return the runs of escaped bytes; None where there are more than `most`.

    An escaped byte has DC in the second byte of its UTF-16, which is searched for at memory speed: 20 µs for
    60,000 characters, a regular expression takes 100 to 150.
    """
    runs: Runs = []
    for start in range(0, len(escaped), PART):
        for first, last in _runs_of(escaped[start : start + PART]):
            if runs and runs[-1][1] == start + first:
                runs[-1] = runs[-1][0], start + last
            else:
                runs.append((start + first, start + last))
            if len(runs) > most:
                return None
    return runs


def _runs_of(part: str) -> Iterator[tuple[int, int]]:
    utf16 = part.encode("utf-16-le", "surrogatepass")
    if len(utf16) != 2 * len(part):  # characters beyond U+FFFF have such bytes, too
        for run in _RUN.finditer(part):
            yield run.span()
        return
    others = 0
    at = utf16.find(0xDC)
    while at >= 0:
        if at & 1:
            end = (at >> 1) + 1
            while utf16[2 * end + 1 : 2 * end + 2] == b"\xdc":
                end += 1
            yield at >> 1, end
            at = 2 * end - 1
        elif (others := others + 1) > MOST_OTHERS:
            for run in _RUN.finditer(part, at >> 1):
                yield run.span()
            return
        at = utf16.find(0xDC, at + 1)


def find_damage(escaped: str, before: str = "", runs: Runs | None = None) -> Iterator[Damage]:
    """Yield the cut characters and the surrogate pairs of a text, in their order.

    Args:
        escaped: the text; nothing of it is `unfinished`, unless the document ends there.
        before: the characters before it, CONTEXT of them or less.
        runs: where its escaped bytes are, if that is known.
    """
    for start, end in runs if runs is not None else (run.span() for run in _RUN.finditer(escaped)):
        if end - start > 3:
            for pairs in PAIRS.finditer(escaped, start, end):
                yield Damage(*pairs.span(), join_pairs(pairs[0]))
        elif _is_cut(escaped, start, end, before):
            yield Damage(start, end, "\ufffd")


def cut_characters(escaped: str, before: str = "", runs: Runs | None = None) -> int:
    """Count the cut characters of a text."""
    spans = runs if runs is not None else (run.span() for run in _RUN.finditer(escaped))
    return sum(1 for start, end in spans if end - start <= 3 and _is_cut(escaped, start, end, before))


def join_pairs(escaped: str) -> str:
    """Return the characters that surrogate pairs of escaped bytes mean."""
    surrogates = escaped.encode("utf-8", "surrogateescape").decode("utf-8", "surrogatepass")
    return surrogates.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def unfinished(escaped: str) -> int:
    """Return the number of escaped bytes at the end whose meaning depends on what follows."""
    run = _LAST_RUN.search(escaped, max(0, len(escaped) - _HELD - 1))
    if run is not None and len(run[0]) > _HELD:
        run = _PAIR_BEGUN.search(escaped, len(escaped) - _HELD)
    return len(run[0]) if run is not None else 0


def _is_cut(escaped: str, start: int, end: int, before: str) -> bool:
    """Return True where the run escaped[start:end] is the beginning of a character, and no honest word of
    windows-1252 looks like it."""
    if escaped[end : end + 1].isalnum() or not _BEGINNING.fullmatch(escaped, start, end):
        return False
    lead = ord(escaped[start]) - 0xDC00
    context = (before + escaped[max(0, start - CONTEXT) : start])[-CONTEXT:]
    previous = context[-1:]
    if "\udc80" <= previous <= "\udcff":  # the run began in an earlier piece
        return False
    if (
        not previous.isascii()
        or escaped.startswith("\udcf0\udc9f", start)
        or not _last_word(context).isascii()
    ):
        return True
    following = escaped[end : end + 1]
    if _lead_occurs(lead, context, following):
        return True
    if end - start > 1:
        return any(ord(byte) not in _CLOSING for byte in escaped[start + 1 : end])
    if previous.islower():
        return lead in _AFTER_LOWER
    if previous.isalnum():
        return lead in _AFTER_OTHERS or _begins_capitalised_word(lead, context)
    return lead in _ALONE or _ends_alone(lead, context, following)


def _begins_capitalised_word(lead: int, context: str) -> bool:
    """Return True for one capital before another where the text is not in capitals: `MÃ` of `Mühle`."""
    if lead not in _AFTER_LOWER or len(_last_word(context)) != 1:
        return False
    text = context[max(context.rfind(">"), context.rfind("\n")) + 1 :]
    return not text.isupper() or (lead == _CAPITAL_TILDE and len(text) == 1)


def _ends_alone(lead: int, context: str, following: str) -> bool:
    """Return True for a letter that stands alone before `...` or a tag where it is no word of its own."""
    if following == " ":
        return False  # `5 × 3`, and `â` of Welsh
    return lead == _CIRCUMFLEX or any(map(_beyond_windows_1252, context))


def _lead_occurs(lead: int, context: str, following: str) -> bool:
    """Return True where characters around it begin with this lead: the text is of that script."""
    if (lead == _CAPITAL_TILDE and context[-1:].isalnum()) or (lead == _CIRCUMFLEX and following == " "):
        return False  # quotation marks and dashes begin with E2, around Welsh, too
    return bytes((lead,)) in context.encode("utf-8", "replace")  # 80-BF never begin a character


def _beyond_windows_1252(character: str) -> bool:
    """Return True for a letter that windows-1252 does not have: the text around it is of another language."""
    return character > "\u0178" and character.isalpha()


def _last_word(context: str) -> str:
    """Return the letters at the end of a text."""
    at = len(context)
    while at and context[at - 1].isalnum():
        at -= 1
    return context[at:]
