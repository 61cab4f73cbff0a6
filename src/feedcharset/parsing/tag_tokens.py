"""The tags and sections of a text, found at once, and the ones that certainly need no repair."""

from __future__ import annotations

import re

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.parsing.html_names import VOID
from feedcharset.parsing.markup_repair import NAME_START
from feedcharset.parsing.section_ends import SECTIONS
from feedcharset.parsing.tag_syntax import NAME, TAG

__all__ = ["DEEP", "DEEPEST", "PART_OF_TAG", "TAGS", "TOKENS", "passed"]

DEEPEST = 4096
"""Open elements after which nothing is repaired: libxml2 stops at 256, and with huge_tree at 2,048."""

DEEP = 224
"""Open elements from which `<p>` or `<li>` ends the open one of its name: text within so many elements is
text in which these have no end tags. libxml2 refuses the whole document at 256; 32 are left for what stands
in the last of them."""

# Each up to its end, or to the end of the text. Every step is possessive, so matching takes linear time.
_COMMENT = r"<!-- [^-]*+ (?: -(?!->) [^-]*+ )*+ (?: --> | \Z )"  # [15] Comment
_CDATA = r"<!\[CDATA\[ [^]]*+ (?: \](?!\]>) [^]]*+ )*+ (?: \]\]> | \Z )"  # [18] CDSect
_INSTRUCTION = rf"<\?(?=[{NAME_START}]) [^?]*+ (?: \?(?!>) [^?]*+ )*+ (?: \?> | \Z )"  # [16] PI
_ENDS = {opener[1:3]: end for opener, end in SECTIONS.items()}

_OTHER = rf"<(?= [/!{NAME_START}] | \?[{NAME_START}] | \?? \Z )"
TAGS = lazy_pattern(rf"{TAG} | {_OTHER}", re.VERBOSE)
"""A tag within the grammar; or the `<` of anything else that is markup."""

TOKENS = lazy_pattern(rf"{TAG} | {_COMMENT} | {_CDATA} | {_INSTRUCTION} | {_OTHER}", re.VERBOSE)
"""The same, or a section."""

_S = r"[ \t\r\n]*+"
_ATTRIBUTE = rf"""[ \t\r\n]++ {NAME} {_S} = {_S} (?: "[^"<]*+" | '[^'<]*+' )"""
_PART_OF_ATTRIBUTE = rf"""(?<=[ \t\r\n]) {NAME} {_S} (?: = {_S} (?: "[^"<]*+ | '[^'<]*+ )?+ )?+"""
PART_OF_TAG = lazy_pattern(
    rf"</? (?: {NAME} (?: {_ATTRIBUTE} )*+ {_S} (?: {_PART_OF_ATTRIBUTE} )?+ /?+ )?+", re.VERBOSE
)
"""The part of a tag that is within the grammar."""


def passed(tokens: list[str], names: list[str]) -> tuple[int, list[str]]:
    """Follow tokens up to the first one that may have to be repaired.

    Args:
        tokens: what `TOKENS` finds.
        names: the open elements before them.

    Returns:
        How many tokens were passed; the open elements after these.
    """
    end_tags = ["", *(f"</{name}>" for name in names)]
    expected = end_tags[-1]
    known: dict[str, str] = {}
    count = 0
    for token in tokens:
        if token == expected:
            if len(end_tags) < 3:
                break
            end_tags.pop()
            expected = end_tags[-1]
        elif len(expects := known.get(token) or _expects(token)) > 1:
            if len(end_tags) >= DEEP + 1:
                break
            end_tags.append(expects)
            expected = known[token] = expects
        elif expects == _REPAIR or (expects == _EMPTY and not expected):
            break
        count += 1
    return count, [tag[2:-1] for tag in end_tags[1:]]


_EMPTY, _REPAIR = "/", "!"


def _expects(token: str) -> str:
    """Return the end tag that a start tag expects; "" for a section, _EMPTY for an empty element, _REPAIR for
    what may have to be repaired: an end tag, too, that does not end the innermost element."""
    second = token[1:2]
    if second == "/":
        return _REPAIR
    if second in "?!":
        ends = token.endswith(_ENDS.get(token[1:3], "?>"), 4)
        return "" if ends and not token.startswith("<?xml:") else _REPAIR
    if token[-2] == "/":
        return _EMPTY
    plain = "=" not in token and token[-2] not in " \t\r\n"
    name = token[1:-1] if plain else token[1:-1].split(None, 1)[0]
    return _REPAIR if name in VOID else f"</{name}>"
