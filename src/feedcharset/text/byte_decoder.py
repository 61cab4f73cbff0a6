"""Decoders from bytes of a known charset to text, with `errors=` applied to undecodable bytes.

`TextDecoder` uses a decoder of charsets/, `Utf8Decoder` decodes UTF-8; `text_decoder` chooses between them.
Both give the same text however the bytes are cut, empty pieces included, and hold back only an incomplete
character at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from feedcharset.evidence.window import undefined_bytes
from feedcharset.text.base_decoder import BaseDecoder, Utf8Damage
from feedcharset.text.byte_replacement import first_undecodable, replace_undecodable, replaced_unit
from feedcharset.text.utf8_decoder import Utf8Decoder

if TYPE_CHECKING:
    from feedcharset.charsets.decoders import CharsetDecoder
    from feedcharset.charsets.lookup import Charset
    from feedcharset.charsets.utf import ByteCounter
    from feedcharset.evidence.window import Window
    from feedcharset.text.repair_log import RepairLog

__all__ = ["TextDecoder", "text_decoder"]


class TextDecoder(BaseDecoder):
    """Decode any charset, with a decoder of charsets/."""

    def __init__(
        self,
        engine: CharsetDecoder,
        charset: Charset,
        errors: str,
        log: RepairLog,
        *,
        offset: int = 0,
        known: str | None = None,
        undefined: bytes | None = None,
    ) -> None:
        super().__init__(charset.name, charset.family, errors, log, offset=offset)
        self._engine = engine
        self._known = known
        self._undefined = undefined
        """The only bytes that may be undecodable, if that is known."""

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes."""
        pending = self._engine.pending
        if self._known is not None:
            escaped, self._known = self._known, None
        else:
            escaped = self._engine.decode(data)
        byte_counter = self._engine.byte_counter()
        whole = len(escaped)
        if final and self._engine.pending:
            escaped += self._engine.decode(b"", True)
            byte_counter = _with_tail(byte_counter, whole)
        first = -1
        if self._undefined is None or any(byte in data for byte in self._undefined):
            first = first_undecodable(escaped)
        text = escaped
        if first >= 0:
            if self._position is not None:
                if self.source_offsets is not None:
                    self.source_offsets.add(first, self._offset, escaped, None, byte_counter)
                self._refuse_character(
                    pending + data, escaped, first, byte_counter(first), cut=first >= whole
                )
            text, count = replace_undecodable(escaped, self._family, self._errors)
            self._count(count, escaped, byte_counter)
        elif self._position is not None:
            self._position.advance(text)
        if self.source_offsets is not None:
            self.source_offsets.add(
                len(text), self._offset, escaped, self._unit if first >= 0 else None, byte_counter
            )
        self._offset += len(pending) + len(data) - len(self._engine.pending)
        return text

    def _refuse_character(self, data: bytes, escaped: str, first: int, start: int, *, cut: bool) -> NoReturn:
        """Raise the error for an undecodable byte; `cut`: the document ends within a character."""
        unit = next(replaced_unit(self._family, "replace").finditer(escaped, first))
        reason = "unexpected end of data" if cut else _REASONS[self._family]
        self._refuse(escaped[:first], data, start, start + len(unit[0]), reason)


def _with_tail(byte_counter: ByteCounter, whole: int) -> ByteCounter:
    """Extend a byte counter by an incomplete character at the end: one byte for each escaped byte."""
    return lambda index: byte_counter(index) if index < whole else byte_counter(whole) + index - whole


_REASONS = {
    # The wording of Python's codecs.
    "UTF-8": "invalid bytes",
    "UTF-16": "illegal UTF-16 surrogate",
    "UTF-32": "code point not in range(0x110000), or a surrogate",
    "UCS-4": "code point not in range(0x110000), or a surrogate",
    "US-ASCII": "ordinal not in range(128)",
    "single": "character maps to <undefined>",
    "EBCDIC": "character maps to <undefined>",
    "CJK": "illegal multibyte sequence",
    "ISO-2022-JP": "illegal multibyte sequence",
}


def text_decoder(
    charset: Charset,
    errors: str,
    log: RepairLog,
    *,
    lenient: bool,
    offset: int = 0,
    engine: CharsetDecoder | None = None,
    page: str | None = None,
    xml_1_1: bool = False,
    window: Window | None = None,
) -> BaseDecoder:
    """Return a new decoder for a charset.

    Args:
        charset: the charset of the bytes.
        errors: "strict", "replace", "space", "latin-1" or "windows-1252"; for charsets other than UTF-8 the
            last two mean "replace". Of UTF-8 they also replace characters cut by bytes with U+FFFD and join
            surrogate pairs (CESU-8).
        log: counts undecodable bytes.
        lenient: decode with the superset of the charset (windows-1252 for ISO-8859-1).
        offset: number of bytes of the source before the first byte passed to `decode`.
        engine: the charset decoder to use instead of the charset's own.
        page: of a mixture: the charset by which bytes that are not UTF-8 are read, whatever `errors` is.
        xml_1_1: the document is XML 1.1, where 85 is a line end in an ISO-8859 page.
        window: the bytes that are passed first; what was decoded for the decision is not decoded again.

    Raises:
        ValueError: for another `errors`.
        UnknownEncoding: the charset cannot be decoded.
    """
    if engine is None:
        if charset.family == "UTF-8":
            damage = Utf8Damage() if page is None and errors in ("windows-1252", "latin-1") else None
            escaped = window.escaped() if window is not None else None
            return Utf8Decoder(errors, log, offset=offset, damage=damage, page=page, escaped=escaped)
        if window is not None and (decoded := window.decoded(charset)) is not None:
            known, engine = decoded
            return TextDecoder(engine, charset, errors, log, offset=offset, known=known)
        from feedcharset.charsets.decoders import charset_decoder  # most feeds are UTF-8 and never need it

        engine = charset_decoder(charset, lenient=lenient, xml_1_1=xml_1_1)
    undefined = undefined_bytes(charset.superset) if lenient and charset.family == "single" else None
    return TextDecoder(engine, charset, errors, log, offset=offset, undefined=undefined)
