"""References: what an `&` begins, and how one that XML does not allow is repaired.

    [66] CharRef   ::= '&#' [0-9]+ ';' | '&#x' [0-9a-fA-F]+ ';'     XML 1.0 §4.1
         WFC: Legal Character: what it refers to MUST match Char (§2.2)
    [68] EntityRef ::= '&' Name ';'
         WFC: Entity Declared: the name MUST be declared, but for amp, lt, gt, quot and apos (§4.6)

Four things are repaired: two references to the surrogates of one character (`&#55357;&#56846;` becomes the
character), a reference to a character that XML forbids (`&#8;` becomes U+FFFD), a reference to an undeclared
entity of HTML (`&nbsp;` becomes `&#160;`), and an `&` that begins no reference, or a reference to an unknown
entity (it becomes `&amp;`, so that the text is what was written).
"""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from feedcharset.charsets.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Record(Protocol):
        """Counts a repair."""

        def __call__(
            self, kind: str, found: str, became: str, count: int, *, first: Callable[[], int]
        ) -> None:
            """`first` is the index of the first in the text that was given."""


__all__ = [
    "LONGEST",
    "half_pair",
    "is_searched_name",
    "needs_repair",
    "repair_entity_value",
    "repair_references",
    "shifted",
]

LONGEST = 110
"""Characters of the longest reference that is recognized: `&#x`, 50 zeros, 50 digits, `;`. The longest name
in HTML's table has 31."""

FEW = 64
"""Different names up to which `str.replace` for each is faster than a function called for every reference."""

# Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]; the numbers between these:
_DECIMAL = (
    r"(?:[0-8]|1[124-9]|2[0-9]|3[01]"  # 0-8, 11, 12, 14-31
    r"|5529[6-9]|55[3-9][0-9]{2}|56[0-9]{3}|57[0-2][0-9]{2}|573[0-3][0-9]|5734[0-3]"  # 55296-57343
    r"|6553[45]"
    r"|111411[2-9]|11141[2-9][0-9]|1114[2-9][0-9]{2}|111[5-9][0-9]{3}|11[2-9][0-9]{4}"  # from 1114112
    r"|1[2-9][0-9]{5}|[2-9][0-9]{6}|[1-9][0-9]{7,49})"
)
_HEX = (
    r"(?:[0-8bcefBCEF]|1[0-9a-fA-F]"
    r"|[dD][89a-fA-F][0-9a-fA-F]{2}"
    r"|[fF]{3}[efEF]"
    r"|1[1-9a-fA-F][0-9a-fA-F]{4}|[2-9a-fA-F][0-9a-fA-F]{5}|[1-9a-fA-F][0-9a-fA-F]{6,49})"
)
_ILLEGAL = lazy_pattern(f"&#(?:0{{0,50}}{_DECIMAL}|x0{{0,50}}{_HEX});")
_HIGH = (
    r"&#(?:0{0,50}(?:5529[6-9]|55[3-9][0-9]{2}|56[0-2][0-9]{2}|563[01][0-9])"
    r"|x0{0,50}[dD][89abAB][0-9a-fA-F]{2});"
)
_LOW = (
    r"&#(?:0{0,50}(?:563[2-9][0-9]|56[4-9][0-9]{2}|57[0-2][0-9]{2}|573[0-3][0-9]|5734[0-3])"
    r"|x0{0,50}[dD][c-fC-F][0-9a-fA-F]{2});"
)
_PAIR = lazy_pattern(_HIGH + _LOW)
_NUMBER = lazy_pattern("&#([^;]+);")
_HALF = lazy_pattern(_HIGH + r"\Z")
_NAME = "[A-Za-z_:][-.0-9A-Za-z_:]{0,63}"
_FINE = "(?:amp|lt|gt|quot|apos|#[0-9]{1,50}|#x[0-9a-fA-F]{1,50});"
_NAMED = lazy_pattern(f"&(?!{_FINE}){_NAME};")
_LOOSE = lazy_pattern(f"&(?!{_FINE})")
_NAMED_OR_LOOSE = lazy_pattern(f"&(?!{_FINE})(?:{_NAME};)?")


def repair_references(text: str, declared: frozenset[str] | None, record: Record) -> str:
    """Return content, tags included, with its references repaired.

    Args:
        text: without comments, CDATA sections and processing instructions.
        declared: the entities that the internal subset declares; None: some of them have names that are not
            searched, so only numeric references are repaired.
        record: counts the repairs.
    """
    repaired = _numbers(text, record)
    if declared is None or not _LOOSE.search(text):
        return repaired
    repaired = _names(repaired, text, declared, record)
    return _loose(repaired, text, declared, record)


def repair_entity_value(text: str, declared: frozenset[str] | None, record: Record) -> str:
    """Return a literal of the internal subset with its references repaired; a bare `&` stays."""
    repaired = _numbers(text, record)
    return repaired if declared is None else _names(repaired, text, declared, record)


def needs_repair(text: str, start: int, end: int) -> bool:
    """Return whether a part of the text would be changed if all of it were content."""
    return bool(_LOOSE.search(text, start, end) or _ILLEGAL.search(text, start, end))


def shifted(record: Record, position: Callable[[int], int]) -> Record:
    """Return `record` for a part of the text; `position` translates its indexes."""

    def shifted_record(kind: str, found: str, became: str, count: int, *, first: Callable[[], int]) -> None:
        record(kind, found, became, count, first=lambda: position(first()))

    return shifted_record


def is_searched_name(name: str) -> bool:
    """Return whether an entity's name is one that is searched: ASCII letters, at most 64."""
    return re.fullmatch(_NAME, name) is not None


def _numbers(text: str, record: Record) -> str:
    if "&#" not in text:
        return text
    for found, count in Counter(_PAIR.findall(text)).items():
        record("reference", found, _joined(found), count, first=partial(text.index, found))
    original, text = text, _PAIR.sub(lambda pair: _joined(pair[0]), text)
    for found, count in Counter(_ILLEGAL.findall(text)).items():
        record("reference", found, "\ufffd", count, first=partial(original.index, found))
    return _ILLEGAL.sub("\ufffd", text)


def _joined(pair: str) -> str:
    """Return the character of two references to its surrogates."""
    high, low = (
        int(number[1:], 16) if number[:1] == "x" else int(number) for number in _NUMBER.findall(pair)
    )
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def half_pair(text: str, start: int, end: int) -> int:
    """Return the index of a reference to a high surrogate that ends at `end`; else `end`."""
    match = _HALF.search(text, max(start, end - LONGEST), end)
    return match.start() if match else end


def _names(text: str, original: str, declared: frozenset[str], record: Record) -> str:
    """Repair references to undeclared entities of HTML."""
    markup = {}
    for found, count in Counter(_NAMED.findall(text)).items():
        characters = None if found[1:-1] in declared else _of_html(found)
        if characters:
            markup[found] = "".join(map(_spelt, characters))
            record("entity", found, characters, count, first=partial(original.index, found))
    if len(markup) > FEW:
        return _NAMED.sub(lambda match: markup.get(match[0], match[0]), text)
    for found, spelt in markup.items():
        text = text.replace(found, spelt)
    return text


def _loose(text: str, original: str, declared: frozenset[str], record: Record) -> str:
    """Repair what is left: each `&` that begins no reference, or one to an unknown entity."""

    def spelt(match: re.Match[str]) -> str:
        return match[0] if match[0][1:-1] in declared else f"&amp;{match[0][1:]}"

    def first() -> int:
        return next(
            match.start()
            for match in _NAMED_OR_LOOSE.finditer(original)
            if match[0][1:-1] not in declared and not _of_html(match[0])
        )

    if declared:
        before = text.count("&amp;")
        text = _NAMED_OR_LOOSE.sub(spelt, text)
        count = text.count("&amp;") - before
    else:
        text, count = _LOOSE.subn("&amp;", text)
    if count:
        record("ampersand", "&", "&", count, first=first)
    return text


def _of_html(reference: str) -> str | None:
    """Return the character, or two, that a reference means in HTML."""
    from html.entities import html5  # a table of 2,231 names that most feeds never need

    return html5.get(reference[1:])


def _spelt(char: str) -> str:
    """Return a character as a reference that is never read as markup.

    In an entity's value, character references are expanded when the entity is declared, so `&#60;` would
    become markup there (§4.4.8, §4.6); the predefined names are not.
    """
    return {"<": "&lt;", "&": "&amp;"}.get(char) or f"&#{ord(char)};"
