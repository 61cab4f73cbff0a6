"""Comments, CDATA sections and processing instructions: where one ends, also where its end is missing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from feedcharset.parsing.markup_repair import NAME_START

if TYPE_CHECKING:
    from collections.abc import Container

__all__ = ["SECTIONS", "SPAN", "section_end"]

SECTIONS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
"""How each begins and ends."""

SPAN = 1 << 16
"""Characters of a section in which it is searched whether its end is missing: about a page. Longer ones end
at their end."""

_END_TAG = re.compile(rf"</([{NAME_START}][^ \t\r\n<>/]*+)")


def section_end(
    text: str, start: int, opener: str, found: int, is_open: Container[str], final: bool
) -> tuple[int, bool] | None:
    """Return the index after the section at `start`, and whether its end is missing there.

    The end is missing where nothing but the end of the document follows. The section ends before the first
    end tag of an open element then, so that the elements behind it are found.

    Args:
        text: the document, as far as it is known.
        start: the index of `opener`.
        opener: how the section begins.
        found: the index of the next text that ends a section of this kind; -1: there is none.
        is_open: the names of the open elements.
        final: no more text follows.

    Returns:
        None where that depends on the text that follows. The index is -1 where the section does not end in
        the text.
    """
    closer = SECTIONS[opener]
    inner = start + len(opener)
    whole = (found + len(closer) if found >= 0 else -1), False
    if found >= 0 or len(text) >= start + SPAN:
        return whole
    if not final:
        return None
    for tag in _END_TAG.finditer(text, inner):
        if tag[1] in is_open:
            return tag.start(), True
    return whole
