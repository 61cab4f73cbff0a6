"""The limit for start tags that do not end: libxml2's push parser takes quadratic time for them.

Before it parses a start tag, the push parser looks for the `>` that ends it, outside quotation marks
(xmlParseLookupGt). After an error in a tag it continues behind the error, and looks for a `>` again at the
next `<`: a megabyte of `<a b='` took 11 s, and of `<:` 150.

`StartTagLimit` estimates that work. In each span of the text it follows one start tag, chosen at random, so
that no document can place its bad tags where they are not seen. A start tag of a feed has 30 characters and
ends before the next `<`; a quotation mark that is missing makes few tags long.
"""

from __future__ import annotations

import random
import re

__all__ = ["StartTagLimit"]

SPAN = 4096
"""Characters of which one start tag is followed. Longer tags are attributes with data in them."""

MOST_WORK = 256
"""Characters that libxml2 may look at for each character of the document, looking for ends of start tags: it
takes a quarter of a second for a megabyte. Feeds need 2."""

FREE_WORK = 1 << 27
"""Characters that it may look at in a document of any size: a tenth of a second."""

LEAST = 8
"""Start tags longer than a span, with other tags in them, below which the estimate is worth nothing."""

_START = re.compile("<(?![!?/])")
_INSIDE = re.compile(r"""[^>"']*+(?:"[^"]*+"[^>"']*+|'[^']*+'[^>"']*+)*+(.?)""", re.DOTALL)


class StartTagLimit:
    """Estimates how far libxml2 must look for the ends of the start tags of one document."""

    def __init__(self) -> None:
        self._rest = ""
        self._seen = 0
        self._work = 0
        self._long = 0
        self._followed: dict[str, int] = {}
        """The start tags that have not ended, by the open quotation mark or ""; for each, the number of tags
        that it stands for."""

    def exceeded(self, text: str) -> bool:
        """Return whether the document is refused, with its next text."""
        text = self._rest + text if self._rest else text
        start = 0
        while len(text) - start >= SPAN:
            self._follow(text, start, start + SPAN)
            start += SPAN
        self._rest = text[start:]
        self._seen += start
        return self._long >= LEAST and self._work > FREE_WORK + MOST_WORK * self._seen

    def _follow(self, text: str, start: int, stop: int) -> None:
        """Follow the open tags through a span, and one more that begins in it."""
        followed: dict[str, int] = {}
        for mark, tags in self._followed.items():
            self._work += tags * SPAN
            after = _open_mark(text, start, stop, mark)
            if after is not None:
                followed[after] = followed.get(after, 0) + tags
        anywhere = start + int(random.random() * SPAN)
        chosen = _START.search(text, anywhere, stop) or _START.search(text, start, stop)
        after = _open_mark(text, chosen.end(), stop) if chosen else None
        if after is not None:
            tags = text.count("<", start, stop)
            self._long += tags > 1
            followed[after] = followed.get(after, 0) + tags
        self._followed = followed


def _open_mark(text: str, start: int, stop: int, mark: str = "") -> str | None:
    """Return the quotation mark that is open at `stop`, "" for none; None where the tag ends before.

    Args:
        text: the text of a start tag, and what follows it.
        start: where to begin, within the tag.
        stop: where to end.
        mark: the quotation mark that is open at `start`, or "".
    """
    if mark:
        found = text.find(mark, start, stop)
        if found < 0:
            return mark
        start = found + 1
    match = _INSIDE.match(text, start, stop)
    after = match[1] if match else ""
    return None if after == ">" else after
