"""The document type declaration, as far as a reader needs it who does not obey it: where it ends, and which
entities its internal subset declares (XML 1.0 §2.8, §4.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from feedcharset.parsing.entity_references import has_suspects, mend_subset, mends, moved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.parsing.entity_references import Note

__all__ = ["LIMIT", "doctype_end", "mend_doctype"]

LIMIT = 1 << 20
"""Characters of the longest declaration that is looked into, as many as decoding holds back. One that
declares each name of HTML's table has 120,000."""

_TOKEN = re.compile(
    """
      <!--.*?-->                # [15] Comment
    | <\\?.*?\\?>               # [16] PI
    | (?P<literal> "[^"]*" | '[^']*' )
    | <!ENTITY [ \\t\\r\\n]+ (?P<name> [^ \\t\\r\\n%"'<>]+ ) [ \\t\\r\\n]     # [71] GEDecl
    | (?P<bracket> [][>] )
    | (?P<open> <!-- | <\\? | ["'] )      # one of the above that has not ended yet
    """,
    re.DOTALL | re.VERBOSE,
)


def _tokens(text: str, start: int) -> Iterator[tuple[re.Match[str], bool]]:
    """What stands in the declaration at `start`, and whether that is all: to its `>`, or to what is
    unknown."""
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
    """The index after the declaration that begins at `start`.

    Returns:
        None where more has to be known; -1 where it is longer than `LIMIT`.
    """
    end = next((token.end() for token, last in _tokens(text, start) if last), None)
    if (len(text) if end is None else end) - start > LIMIT:
        return -1
    return end


def mend_doctype(text: str, start: int, end: int, note: Note) -> tuple[str, frozenset[str] | None]:
    """The declaration, with the values of its entities mended, and the general entities that it declares.

    The names are None where among them are some that are not looked for in the document (of other letters
    than ASCII's, or too long).
    """
    names = frozenset(token["name"] for token, _ in _tokens(text, start) if token["name"])
    declared = names if all(map(mends, names)) else None
    if not has_suspects(text, start, end):
        return text[start:end], declared
    pieces = []
    done = start
    for token, _ in _tokens(text, start):
        if literal := token["literal"]:
            pieces.append(text[done : token.start()])
            pieces.append(mend_subset(literal, declared, moved(note, token.start().__add__)))
            done = token.end()
    return "".join([*pieces, text[done:end]]), declared
