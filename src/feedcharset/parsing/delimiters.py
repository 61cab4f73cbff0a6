"""Delimiters of sections where they do not belong: `]]>` in text, and a hyphen before the end of a comment.

libxml2 drops the text before a `]]>`, and everything after a comment that ends with `--->`. Both are common:
CDATA within CDATA, and `<!--- Posts --->`.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from feedcharset.charsets.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from feedcharset.parsing.recovery_log import PositionLog

__all__ = ["CDATA_END", "closed_comments", "count_delimiters", "ends_in_tag", "with_delimiters"]

CDATA_END = "]]>"
_WRITTEN = "]]&#62;"

_ODD_END = "--->"
_WIDENED = "- -->"

# A tag up to its first `>`, or the delimiter: `]]>` in the value of an attribute is well-formed. Each step is
# possessive, so matching takes linear time.
_TAG_OR_END = lazy_pattern(r"<[^<>]*+|\]\]>")
_REST_OF_TAG = lazy_pattern(r"[^<>]*+")
_COMMENT_OR_INSTRUCTION = lazy_pattern(
    r"<!-- [^-]*+ (?: -(?!->) [^-]*+ )*+ --> | <\? [^?]*+ (?: \?(?!>) [^?]*+ )*+ \?>", re.VERBOSE
)


def closed_comments(text: str, start: int, stop: int, log: PositionLog) -> str:
    """Return a part of the prolog, the comments of which end as XML 1.0 §2.5 has it."""
    part = text[start:stop]
    if _ODD_END not in part:
        return part
    pieces: list[str] = []
    done = 0
    for found in _COMMENT_OR_INSTRUCTION.finditer(part):
        if is_odd_comment(found[0]):
            at = found.end() - len(_ODD_END)
            log.record("comment", _ODD_END, _WIDENED, 1, first=partial(int, start + at + 1))
            pieces += part[done:at], _WIDENED
            done = found.end()
    return "".join([*pieces, part[done:]])


def is_odd_comment(section: str) -> bool:
    """Return True for a comment with a hyphen before its end."""
    return section.startswith("<!--") and section.endswith(_ODD_END, len("<!--"))


def count_delimiters(text: str, parts: list[str], start: int, in_tag: bool, log: PositionLog) -> bool:
    """Record what `with_delimiters` will repair; return whether there is anything.

    Args:
        text: the piece.
        parts: content and section in turn.
        start: the index of the first part in the piece.
        in_tag: the first part begins within a tag.
        log: gets the positions.
    """
    if CDATA_END not in text and _ODD_END not in text:
        return False
    any_found = False
    for index, part in enumerate(parts):
        if index % 2:
            found = [len(part) - len("-->")] if is_odd_comment(part) else []
        else:
            found = _ends_in(part, in_tag and not index)
        if found:
            any_found = True
            names = ("comment", _ODD_END, _WIDENED) if index % 2 else ("cdata-end", CDATA_END, CDATA_END)
            log.record(*names, len(found), first=partial(int, start + found[0]))
        start += len(part)
    return any_found


def with_delimiters(parts: list[str], in_tag: bool) -> list[str]:
    """Return the parts with `]]&#62;` in text and comments that end well."""
    return [
        _closed(part) if index % 2 else _escaped(part, in_tag and not index)
        for index, part in enumerate(parts)
    ]


def ends_in_tag(parts: list[str], in_tag: bool) -> bool:
    """Return whether the last part ends within a tag."""
    last = parts[-1]
    begin = last.rfind("<")
    if begin >= 0:
        return last.find(">", begin) < 0
    return in_tag and len(parts) == 1 and ">" not in last


def _ends_in(content: str, in_tag: bool) -> list[int]:
    """Return the index of each `]]>` that is not in a tag."""
    if CDATA_END not in content:
        return []
    begin = _begin(content, in_tag)
    return [found.start() for found in _TAG_OR_END.finditer(content, begin) if found[0] == CDATA_END]


def _escaped(content: str, in_tag: bool) -> str:
    if CDATA_END not in content:
        return content
    begin = _begin(content, in_tag)
    return content[:begin] + _TAG_OR_END.sub(
        lambda found: _WRITTEN if found[0] == CDATA_END else found[0], content[begin:]
    )


def _begin(content: str, in_tag: bool) -> int:
    rest = _REST_OF_TAG.match(content) if in_tag else None
    return rest.end() if rest else 0


def _closed(section: str) -> str:
    return section[: -len(_ODD_END)] + _WIDENED if is_odd_comment(section) else section
