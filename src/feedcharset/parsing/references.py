"""What stands at an `&`, and what a reader makes of it who wants the whole feed.

    [66] CharRef   ::= '&#' [0-9]+ ';' | '&#x' [0-9a-fA-F]+ ';'     XML 1.0 §4.1
         WFC: Legal Character: what it refers to MUST match Char (§2.2)
    [68] EntityRef ::= '&' Name ';'
         WFC: Entity Declared: the name MUST be declared, but for amp, lt, gt, quot and apos (§4.6)

Three things are mended: a reference to a character that XML does not have (`&#8;` becomes U+FFFD), a
reference to an entity of HTML that nobody declared (`&nbsp;` becomes `&#160;`), and an `&` that begins no
reference, or one to an entity that nobody knows (`&amp;`, so that it is read as it was written).
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["LONGEST", "Edit", "mend", "mends"]

LONGEST = 110
"""Characters of the longest reference that is looked at: `&#x`, 50 zeros, 50 digits, `;`. The longest name in
HTML's table has 31."""

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
_ILLEGAL = f"#(?:0{{0,50}}{_DECIMAL}|x0{{0,50}}{_HEX});"
_NAME = r"([A-Za-z_:][-.0-9A-Za-z_:]{0,63});"
_FINE = r"(?:amp|lt|gt|quot|apos|#[0-9]{1,50}|#x[0-9a-fA-F]{1,50});"

_IN_CONTENT = re.compile(f"&(?:{_ILLEGAL}|(?!{_FINE})(?:{_NAME})?)")
_IN_SUBSET = re.compile(f"&(?:{_ILLEGAL}|(?!{_FINE}){_NAME})")
_NUMBERS = re.compile(f"&{_ILLEGAL}")


class Edit(NamedTuple):
    """One place that is mended."""

    start: int
    end: int
    kind: str
    """"reference", "entity", "ampersand" or "less-than"."""
    became: str
    """The characters that a reader of the document finds there."""
    markup: str
    """The same as it is handed to the parser."""


def mend(
    text: str, start: int, end: int, declared: frozenset[str] | None, *, subset: bool = False
) -> list[Edit]:
    """What is to be mended in a stretch of content, tags included.

    Args:
        text: a piece of the document.
        start, end: the stretch: no comment, CDATA section or instruction stands in it.
        declared: the entities that the internal subset declares; None: among them are names that are not
            looked for, so only numbers are.
        subset: the stretch is of the internal subset, where an `&` need not begin a reference.
    """
    pattern = _NUMBERS if declared is None else _IN_SUBSET if subset else _IN_CONTENT
    known = declared or frozenset()
    found = (_edit(match, known, subset) for match in pattern.finditer(text, start, end))
    return [edit for edit in found if edit is not None]


def _edit(match: re.Match[str], declared: frozenset[str], subset: bool) -> Edit | None:
    start, end = match.span()
    name = match[1] if match.re.groups else None
    if name is None:
        if end - start > 1:
            return Edit(start, end, "reference", "\ufffd", "\ufffd")
        return Edit(start, end, "ampersand", "&", "&amp;")
    if name in declared:
        return None
    characters = _of_html(name)
    if characters:
        return Edit(start, end, "entity", characters, "".join(map(_spelt, characters)))
    return None if subset else Edit(start, start + 1, "ampersand", "&", "&amp;")


def _of_html(name: str) -> str | None:
    """The character, or two, that HTML means by a name."""
    from html.entities import html5  # a table of 2,231 names that most feeds never need

    return html5.get(f"{name};")


def _spelt(char: str) -> str:
    """A character so that it is none of markup, wherever in the document it stands.

    In an entity's value, character references are read when the entity is declared, so `&#60;` would become
    markup there (§4.4.8, §4.6); the predefined names are not.
    """
    return {"<": "&lt;", "&": "&amp;"}.get(char) or f"&#{ord(char)};"


def mends(name: str) -> bool:
    """Whether a name is one of those that are looked for."""
    return _IN_SUBSET.fullmatch(f"&{name};") is not None
