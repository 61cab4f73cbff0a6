"""`declaration="blank"`: overwrites the encoding in the XML declaration with spaces.

Decoded text, also when it is encoded again as UTF-8, still has `encoding="windows-1251"` in its first line,
and parsers would decode it by that label (XML 1.0 §4.3.3). Spaces keep the length, lines and columns.

    [23] XMLDecl      ::= '<?xml' VersionInfo EncodingDecl? SDDecl? S? '?>'
    [24] VersionInfo  ::= S 'version' Eq ("'" VersionNum "'" | '"' VersionNum '"')
    [26] VersionNum   ::= '1.' [0-9]+     (XML 1.0, 5th edition)
    [32] SDDecl       ::= S 'standalone' Eq (("'" ('yes' | 'no') "'") | ('"' ('yes' | 'no') '"'))
    [80] EncodingDecl ::= S 'encoding' Eq ('"' EncName '"' | "'" EncName "'")
    [81] EncName      ::= [A-Za-z] ([A-Za-z0-9._] | '-')*

Lenient: where the rest would still be out of grammar (no version, another order, `ENCODING=`, no `?>`), all
of the declaration is overwritten, so that every parser opens the document. Strict: only a declaration that is
in grammar is changed, so that a parser still refuses all others.
"""

from __future__ import annotations

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.evidence.declaration import DECLARATION_LIMIT, parse_declaration

__all__ = ["DeclarationBlanker", "blank_bytes", "blank_text"]

_START = "<?xml"
_S = "[ \\t\\r\\n]"
_VERSION = rf"{_S}++version{_S}*+={_S}*+(?:'1\.[0-9]++'|\"1\.[0-9]++\")"
_ENCODING = rf"{_S}++encoding{_S}*+={_S}*+(?:'[A-Za-z][A-Za-z0-9._-]*+'|\"[A-Za-z][A-Za-z0-9._-]*+\")"
_STANDALONE = rf"{_S}++standalone{_S}*+={_S}*+(?:'(?:yes|no)'|\"(?:yes|no)\")"
_WITH_ENCODING = lazy_pattern(rf"<\?xml{_VERSION}({_ENCODING})(?:{_STANDALONE})?{_S}*+\?>")
_WITHOUT_ENCODING = lazy_pattern(rf"<\?xml{_VERSION}(?:{_STANDALONE})?{_S}*+\?>")
_AFTER_START = (" ", "\t", "\r", "\n", "\x85", "?", ">")
_NO_LINE_END = lazy_pattern(r"[^\r\n]")


def blank_text(text: str, *, lenient: bool = True) -> str:
    """Return the text with the encoding of its XML declaration overwritten with spaces.

    Args:
        text: the start of the document; only the first 4,096 characters are read.
        lenient: overwrite the whole declaration where it would be out of grammar all the same.
    """
    if not lenient:
        match = _WITH_ENCODING.match(text, 0, DECLARATION_LIMIT)
        return _overwritten(text, *match.span(1)) if match else text
    if not text.startswith(_START) or text[5:6] not in _AFTER_START:
        return text
    return _without_encoding(text) or _without_declaration(text)


def _without_encoding(text: str) -> str | None:
    """Return the text without the encoding, where the declaration is then in grammar; else None."""
    stop = text.find("?>", 0, DECLARATION_LIMIT) + 2
    declaration = parse_declaration(text)
    if declaration is not None and declaration.start >= 0:
        text = _overwritten(text, declaration.start, declaration.end)
    return text if _WITHOUT_ENCODING.fullmatch(text, 0, stop) else None


def _without_declaration(text: str) -> str:
    """Return the text without the declaration: all before the next markup, up to the last `?>` there."""
    markup = text.find("<", 1, DECLARATION_LIMIT)
    closed = text.rfind("?>", 0, markup if markup >= 0 else DECLARATION_LIMIT) + 2
    return _overwritten(text, 0, closed if closed > 1 else max(markup, 0))


def _overwritten(text: str, start: int, stop: int) -> str:
    return text[:start] + _NO_LINE_END.sub(" ", text[start:stop]) + text[stop:]


def blank_bytes(head: bytes, *, lenient: bool = True) -> bytes | None:
    """Overwrite the encoding in bytes of an ASCII-compatible charset.

    Args:
        head: the start of the document, with the whole declaration.
        lenient: as for `blank_text`.

    Returns:
        `head` with the encoding overwritten; None where nothing is overwritten.
    """
    if not head.startswith(b"<?xml"):
        return None
    text = head[:DECLARATION_LIMIT].decode("latin-1")
    blanked = blank_text(text, lenient=lenient)
    if blanked == text:
        return None
    return blanked.encode("latin-1") + head[DECLARATION_LIMIT:]


class DeclarationBlanker:
    """Overwrites the encoding in text that comes in pieces.

    Text is held back until the declaration has ended, 4,096 characters at most; text that does not start with
    a declaration is not held back.
    """

    def __init__(self, *, lenient: bool = True) -> None:
        self._held: str | None = ""
        self._lenient = lenient

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
        return blank_text(held, lenient=self._lenient)

    @staticmethod
    def _needs_more(held: str) -> bool:
        if not held.startswith(_START):
            return _START.startswith(held)
        if held[len(_START) : len(_START) + 1] not in ("", *_AFTER_START):
            return False
        if len(held) >= DECLARATION_LIMIT or "<" in held[1:]:
            return False
        return "?>" not in held or _without_encoding(held) is None
