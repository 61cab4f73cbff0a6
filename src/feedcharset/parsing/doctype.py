"""The document type declaration: where it ends, and which entities its internal subset declares
(XML 1.0 §2.8, §4.2). Nothing else of it is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.parsing.entity_references import is_searched_name, needs_repair, repair_entity_value, shifted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.parsing.entity_references import Record

__all__ = ["LIMIT", "doctype_end", "repair_doctype", "single_characters"]

LIMIT = 1 << 20
"""Characters of the longest declaration that is read, as many as decoding holds back. A declaration of every
name in HTML's table has 120,000."""

_TOKEN = lazy_pattern(
    """
      <!--.*?-->                # [15] Comment
    | <\\?.*?\\?>               # [16] PI
    | (?P<literal> "[^"]*" | '[^']*' )
    | <!ENTITY [ \\t\\r\\n]+ (?P<name> [^ \\t\\r\\n%"'<>]+ ) [ \\t\\r\\n]     # [71] GEDecl
    | (?P<bracket> [][>] )
    | (?P<open> <!-- | <\\? | ["'] )      # the start of one of the above, without its end
    """,
    re.DOTALL | re.VERBOSE,
)


_SINGLE = lazy_pattern(
    r"""[ \t\r\n]*+(["'])(?:&\#([0-9]{1,7});|&\#x([0-9a-fA-F]{1,6});|([^<&%"']))\1""", re.VERBOSE
)
_MARKUP = frozenset(map(ord, "<&"))


def _tokens(text: str, start: int) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the tokens of the declaration at `start`; True with the last one: its `>`, or one that has no
    end yet."""
    within = False
    for token in _TOKEN.finditer(text, start):
        bracket = token["bracket"]
        last = bracket == ">" and not within
        yield token, last
        if last or token["open"]:
            return
        if bracket in ("[", "]"):
            within = bracket == "["


def doctype_end(text: str, start: int) -> int | None:
    """Return the index after the declaration that begins at `start`.

    Returns:
        None where its end is not in the text yet; -1 where it is longer than `LIMIT`.
    """
    end = next((token.end() for token, last in _tokens(text, start) if last), None)
    if (len(text) if end is None else end) - start > LIMIT:
        return -1
    return end


def repair_doctype(text: str, start: int, end: int, record: Record) -> tuple[str, frozenset[str] | None]:
    """Return the declaration with its entity values repaired, and the names of its general entities.

    The names are None where some of them are not searched in the document (with non-ASCII letters, or too
    long).
    """
    names = frozenset(token["name"] for token, _ in _tokens(text, start) if token["name"])
    declared = names if all(map(is_searched_name, names)) else None
    if not needs_repair(text, start, end):
        return text[start:end], declared
    pieces = []
    done = start
    for token, _ in _tokens(text, start):
        if literal := token["literal"]:
            pieces.append(text[done : token.start()])
            pieces.append(repair_entity_value(literal, declared, shifted(record, token.start().__add__)))
            done = token.end()
    return "".join([*pieces, text[done:end]]), declared


def single_characters(text: str) -> dict[str, str]:
    """Return the references to entities whose value is one character, each with the number that means it.

    Args:
        text: the declaration. Where it has parameter entities, which may declare others, there are none.
    """
    if "%" in text:
        return {}
    found: dict[str, str] = {}
    for token, _ in _tokens(text, 0):
        if not token["name"] or (reference := f"&{token['name']};") in found:
            continue  # the first declaration binds (XML 1.0 §4.2)
        value = _SINGLE.match(text, token.end())
        number = 0
        if value is not None:
            number = int(value[2] or 0) or int(value[3] or "0", 16) or ord(value[4])
        found[reference] = (
            f"&#{number};" if 0x20 < number <= 0x10FFFF and number not in _MARKUP else reference
        )
    return {reference: number for reference, number in found.items() if reference != number}
