"""`declaration="blank"`: the encoding taken out of the XML declaration, so that nobody obeys it twice.

Text that has been decoded, or is handed on as UTF-8, still says `encoding="windows-1251"` in its first line,
and parsers obey that (XML 1.0 §4.3.3). The pseudo-attribute is overwritten with spaces: the length, lines and
columns stay as they are. The whole declaration goes where it has no version, because without the
encoding it would be out of grammar (§2.8 [23]).
"""

from __future__ import annotations

import re

from feedcharset.evidence.declaration import DECLARATION_LIMIT, parse_declaration

__all__ = ["Blanker", "blank_octets", "blank_text"]

_START = "<?xml"
_BRACKET = re.compile("[<>]")
"""No declaration goes on past the next one: neither may stand in a value, in a name or between them."""
_NO_LINE_END = re.compile(r"[^\r\n]")


def blank_text(text: str) -> str:
    """The same text, as long as before, with the encoding of its XML declaration blanked.

    Args:
        text: the document's beginning; no more than its first 4,096 characters are looked at.
    """
    while (declaration := parse_declaration(text)) is not None and declaration.start >= 0:
        start, stop = declaration.start, declaration.end
        if declaration.version is None:
            start, stop = 0, declaration.stop
        text = text[:start] + _NO_LINE_END.sub(" ", text[start:stop]) + text[stop:]
    return text


def blank_octets(head: bytes) -> bytes | None:
    """The same for octets of an ASCII-compatible encoding.

    Args:
        head: the document's beginning: the declaration at least.

    Returns:
        `head`, as long as before, with the encoding blanked; None where there is nothing to blank.
    """
    if not head.startswith(b"<?xml"):
        return None
    text = head[:DECLARATION_LIMIT].decode("latin-1")
    blanked = blank_text(text)
    if blanked == text:
        return None
    return blanked.encode("latin-1") + head[DECLARATION_LIMIT:]


class Blanker:
    """The same for text that comes in pieces.

    It holds text back until the declaration has ended, 4,096 characters at most, and text that begins
    otherwise not at all.
    """

    def __init__(self) -> None:
        self._held: str | None = ""

    @property
    def done(self) -> bool:
        """It has nothing left to do: all further text would come back as it is."""
        return self._held is None

    def feed(self, text: str, final: bool = False) -> str:
        """The text that is certain now."""
        if self._held is None:
            return text
        held = self._held + text
        if not final and self._may_go_on(held):
            self._held = held
            return ""
        self._held = None
        return blank_text(held)

    @staticmethod
    def _may_go_on(held: str) -> bool:
        if not held.startswith(_START):
            return _START.startswith(held)
        return len(held) < DECLARATION_LIMIT and _BRACKET.search(held, 1) is None
