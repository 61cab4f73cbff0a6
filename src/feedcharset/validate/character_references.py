"""References to characters that XML forbids: `&#8;`, `&#xFFFF;`, `&#0;` (XML 1.0 §4.1, "Legal Character").

In CDATA, comments and processing instructions the same characters are text. Whether a piece begins in one of
them is found by searching the text before it, only where there is something to report.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

__all__ = [
    "FORBIDDEN_CHARACTER",
    "LONGEST",
    "LOOK_BACK",
    "NUMBERED_REFERENCE",
    "bad_references",
    "cut_reference",
    "without_text",
]

LOOK_BACK = 64 * 1024
"""Characters before a piece that are searched for the start or the end of a CDATA section."""

LONGEST = 44
"""Characters of a reference, with leading zeros; longer ones are not found in practice."""

FEW = 8
"""`#` characters that are examined one by one before the whole text is searched."""

FORBIDDEN_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""XML 1.0 §2.2, without surrogates."""

NUMBERED_REFERENCE = re.compile(
    r"&#(?:0{0,32}(?:[0-8]|1[124-9]|2[0-9]|3[01])|[0-9]{5,40}"
    r"|x0{0,32}(?:[0-8bcefBCEF]|1[0-9a-fA-F])|x[0-9a-fA-F]{4,40});"
)
_CUT = re.compile(r"&(?:#(?:x[0-9a-fA-F]{0,40}|[0-9]{0,40}))?\Z")
_TEXT = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)", re.DOTALL)
_FIRST = re.compile(r"\]\]>|<!\[CDATA\[|<!--")


def bad_references(text: str, *, xml11: bool) -> list[tuple[int, str]]:
    """The index and the spelling of each.

    Args:
        text: any text.
        xml11: by XML 1.1 §2.2, which allows references to the C0 controls other than NUL.
    """
    if not _has_references(text):
        return []
    return [
        (match.start(), match[0])
        for match in NUMBERED_REFERENCE.finditer(text)
        if _is_bad(match[0], xml11=xml11)
    ]


def _has_references(text: str) -> bool:
    """`"&#" in text`; where there are few `#`, ten times as fast, since one character is found by memchr."""
    at = -1
    for _ in range(FEW):
        at = text.find("#", at + 1)
        if at < 0 or text[at - 1 : at] == "&":
            return at >= 0
    return "&#" in text


def _is_bad(reference: str, *, xml11: bool) -> bool:
    digits = reference[2:-1]
    number = int(digits[1:], 16) if digits[0] == "x" else int(digits)
    if number < 0x20:
        return number == 0 or not (xml11 or number in (0x09, 0x0A, 0x0D))
    return 0xD800 <= number <= 0xDFFF or number in (0xFFFE, 0xFFFF) or number > 0x10FFFF


def cut_reference(text: str) -> str:
    """The end of the text that may be the beginning of a reference."""
    match = _CUT.search(text, max(0, len(text) - LONGEST))
    return match[0] if match else ""


def without_text(found: list[tuple[int, str]], before: str, text: str) -> Iterator[tuple[int, str]]:
    """Drop references inside CDATA, comments and processing instructions; `before` precedes `text`."""
    whole = before + text
    spans = [match.span() for match in _TEXT.finditer(whole)]
    first = _FIRST.search(whole)
    if first is not None and first[0] == "]]>":  # the end of a section that began earlier
        spans.insert(0, (0, first.end()))
    for index, reference in found:
        at = index + len(before)
        near = bisect_right(spans, (at, len(whole))) - 1
        if near < 0 or at >= spans[near][1]:
            yield index, reference
