"""`declaration="blank"`: overwrites the encoding in the XML declaration with spaces.

Decoded text, also when it is encoded again as UTF-8, still has `encoding="windows-1251"` in its first line,
and parsers would decode it by that label (XML 1.0 §4.3.3). Spaces keep the length, lines and columns. A
declaration without a version is overwritten as a whole, because without the encoding it would be out of
grammar (§2.8 [23]).
"""

from __future__ import annotations

import re

from feedcharset.evidence.declaration import DECLARATION_LIMIT, parse_declaration

__all__ = ["DeclarationBlanker", "blank_bytes", "blank_text"]

_START = "<?xml"
_BRACKET = re.compile("[<>]")
"""What ends a declaration at the latest: neither may be in a value, in a name or between them."""
_NO_LINE_END = re.compile(r"[^\r\n]")


def blank_text(text: str) -> str:
    """Return the text with the encoding of its XML declaration overwritten with spaces.

    Args:
        text: the start of the document; only the first 4,096 characters are read.
    """
    while (declaration := parse_declaration(text)) is not None and declaration.start >= 0:
        start, stop = declaration.start, declaration.end
        if declaration.version is None:
            start, stop = 0, declaration.stop
        text = text[:start] + _NO_LINE_END.sub(" ", text[start:stop]) + text[stop:]
    return text


def blank_bytes(head: bytes) -> bytes | None:
    """Overwrite the encoding in bytes of an ASCII-compatible charset.

    Args:
        head: the start of the document, with the whole declaration.

    Returns:
        `head` with the encoding overwritten; None where there is no encoding.
    """
    if not head.startswith(b"<?xml"):
        return None
    text = head[:DECLARATION_LIMIT].decode("latin-1")
    blanked = blank_text(text)
    if blanked == text:
        return None
    return blanked.encode("latin-1") + head[DECLARATION_LIMIT:]


class DeclarationBlanker:
    """Overwrites the encoding in text that comes in pieces.

    Text is held back until the declaration has ended, 4,096 characters at most; text that does not start with
    a declaration is not held back.
    """

    def __init__(self) -> None:
        self._held: str | None = ""

    @property
    def done(self) -> bool:
        """True once all further text would be returned unchanged."""
        return self._held is None

    def feed(self, text: str, final: bool = False) -> str:
        """Return the text that is certain now."""
        if self._held is None:
            return text
        held = self._held + text
        if not final and self._needs_more(held):
            self._held = held
            return ""
        self._held = None
        return blank_text(held)

    @staticmethod
    def _needs_more(held: str) -> bool:
        if not held.startswith(_START):
            return _START.startswith(held)
        return len(held) < DECLARATION_LIMIT and _BRACKET.search(held, 1) is None
