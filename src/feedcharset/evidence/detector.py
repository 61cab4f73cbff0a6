"""What a detector is, and the numbers of the window that are needed before there is one.

Most documents are UTF-8, and need nothing of what counts in a window (`window`, and what it imports): a third
of the time that importing `decode` may take. So what others need of it stands here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from feedcharset.charsets import lazy_pattern

LOOKAHEAD = 1 << 20
"""Bytes of the window. The whole rest of most feeds (a median feed has 60 KB, and fetching ends at 20 MiB);
small enough to hold for each of a thousand readers."""

TEXT_BEFORE = 256
"""Bytes before the window in which the title may begin that holds the first non-ASCII byte."""

WESTERN_PAGES = ("windows-1252", "ISO-8859-15", "windows-1254")
"""Those of western labels (supersets)."""
CENTRAL_PAGES = ("windows-1250", "ISO-8859-2")
"""Those of central Europe, which servers there add to what they send."""

LETTERS_INSIDE = 10
"""The letters are those of the language that was found where at most one in so many is none of its."""

CLEARLY_INSIDE = 3
"""As LETTERS_INSIDE, where the text costs clearly less than in a western language, in a page of Latin letters
or the language named: titles of a Polish feed name `Dvořák`."""

CLEARLY_LESS = 70
"""Bytes that nothing names are not windows-1252 where they cost so much less in another charset: of 1,440
files of UTF-8 with one western line in another language's text 37 are refused."""

FREQUENT = 3
"""One character in so many, at least, is one of the most frequent of its language: in titles together it is
two of three, and at least one of two; in text of other charsets that is read in this one, hardly one in
eight."""

IN_A_ROW = 3
"""Adjacent sequences that are UTF-8, whatever characters they are."""


class Letters(NamedTuple):
    """The detector "letters", with what its caller knows of the document."""

    domain: str = ""
    """The top-level domain of the document's URL, in lower case, or ""."""

    @classmethod
    def of_url(cls, url: str) -> Letters:
        """Return the detector for a document from a URL."""
        host = _HOST.match(url)
        return cls(host[1].lower() if host else "")


_HOST = lazy_pattern(
    r"https?://(?:[^/?#@]*+@)?+[^/?#@:]*\.([A-Za-z][A-Za-z0-9-]*+)\.?+(?=[:/?#]|\Z)", re.IGNORECASE
)

Detector = Callable[[bytes], str | None] | Literal["letters"] | Letters
"""From bytes to a label, or None; the bytes begin at the first non-ASCII byte. Or the letters."""
