"""Whether bytes can be text in a Western European charset (windows-1252 and the like).

Every byte is a character in these charsets, so decoding proves nothing. Text in another script, or in another
code page, shows in two patterns that Western European text does not have.
"""

from __future__ import annotations

import re

__all__ = ["is_western", "without_utf8"]

# A word in Cyrillic, Greek, Hebrew, Arabic, Thai or East Asian letters. French has two such bytes in a row
# ("créée"), and no language of Western Europe four.
_OTHER_SCRIPT = re.compile(rb"[\xa1-\xff]{4}")

# These bytes are no characters of windows-1252.
_UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")

# A sign or a capital letter of windows-1252 between two lower-case letters: there it is a letter of another
# code page (ł, ą, ż of windows-1250, é of Mac Roman or code page 850). Allowed are apostrophes, dashes,
# hyphens, the ellipsis, the middle dot of Catalan, and the small letters œ, š and ž.
_OTHER_LETTER = re.compile(
    rb"[a-z][\x80-\x84\x86-\x8f\x91\x93\x95\x98\x9b\x9d\x9f\xa1-\xac\xae-\xb1\xb3\xb5\xb6\xb8-\xbf][a-z]"
)


_CHARACTER = re.compile("[\x80-\ud7ff\ue000-\U0010ffff]")


def without_utf8(data: bytes) -> bytes:
    """The bytes without their well-formed UTF-8 sequences."""
    text = data.decode("utf-8", "surrogateescape")
    return _CHARACTER.sub(" ", text).encode("ascii", "surrogateescape")


def is_western(data: bytes) -> bool:
    """Return True unless the bytes show letters of another script or code page."""
    return not any(pattern.search(data) for pattern in (_UNDEFINED, _OTHER_SCRIPT, _OTHER_LETTER))
