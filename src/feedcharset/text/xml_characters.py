"""`xml_chars=`: characters that XML does not allow.

    [2] Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]     XML 1.0 §2.2

Forbidden are the C0 controls but TAB, LF and CR, lone surrogates, U+FFFE and U+FFFF. DEL, the C1 controls and
U+1FFFE are legal. One forbidden character makes a parser refuse the whole document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.text.options import XML_CHARS, check_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.text.repair_log import RepairLog

__all__ = ["XmlCharFilter", "clean", "has_forbidden", "positions", "utf8_has_forbidden"]

PART = 16 * 1024
"""Characters that are cleaned at once: `re` makes a list of all that it replaces."""

_REPLACEMENTS = {"replace": "\ufffd", "space": " ", "drop": ""}

_C0 = bytes([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20)])
_FORBIDDEN = lazy_pattern(f"[{_C0.decode()}\ud800-\udfff\ufffe\uffff]")


def has_forbidden(text: str) -> bool:
    """Return True if the text holds a forbidden character.

    Encoding it, which finds surrogates, and 29 searches for one byte each take a third of the time of one
    search for a character class.
    """
    try:
        utf8 = text.encode()
    except UnicodeEncodeError:
        return True
    return utf8_has_forbidden(utf8)


def utf8_has_forbidden(data: bytes) -> bool:
    """Return True if well-formed UTF-8 holds a forbidden character.

    A search for one byte runs at memory speed; one for three bytes takes as long as 80 of them, so EF is
    searched for first.
    """
    if any(map(data.__contains__, _C0)):
        return True
    return 0xEF in data and (b"\xef\xbf\xbe" in data or b"\xef\xbf\xbf" in data)


def clean(text: str, xml_chars: str) -> tuple[str, int]:
    """Return the text without forbidden characters, and the number of them.

    Args:
        text: any text.
        xml_chars: "replace" (U+FFFD), "space" or "drop". Dropping joins the text on both
            sides (`<scr\\x00ipt>`).
    """
    if not has_forbidden(text):
        return text, 0
    replacement = _REPLACEMENTS[xml_chars]
    parts = (text[start : start + PART] for start in range(0, len(text), PART))
    cleaned = [_FORBIDDEN.subn(replacement, part) for part in parts]
    return "".join([part for part, _ in cleaned]), sum(count for _, count in cleaned)


class XmlCharFilter:
    """Cleans text whose byte offsets are not known: changes are counted, without offsets."""

    def __init__(self, xml_chars: str, log: RepairLog) -> None:
        check_option("xml_chars", xml_chars, XML_CHARS)
        self._xml_chars = xml_chars
        self._log = log

    def feed(self, text: str) -> str:
        """Return the next piece of text, cleaned as `xml_chars` says."""
        if self._xml_chars == "keep":
            return text
        text, count = clean(text, self._xml_chars)
        if count:
            self._log.add("xml-chars", count)
        return text


def positions(text: str) -> Iterator[int]:
    """Return the index of each forbidden character."""
    return (match.start() for match in _FORBIDDEN.finditer(text))
