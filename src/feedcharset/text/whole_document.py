"""Documents that are wholly in memory and need no stages.

Everything that the declaration and the Content-Type decide is remembered (`open_document`), the declaration
is blanked in the bytes (2 µs; in text, 80), and two decisions on the rest are prepared. So a document is
decoded here at once if it is

- US-ASCII, or UTF-16 with a BOM and a declaration;
- decided on its window to be UTF-8, and well-formed to its end;
- not longer than its window, and decided to be in a single-byte or East Asian charset that decodes all of it.

Any other document is handed over to the stages of `XmlDecoder`, with its window and all that was counted and
decoded there. `decode` and `XmlDecoder` begin here, the latter where its first bytes are also its last.
"""

from __future__ import annotations

from codecs import charmap_decode, utf_8_decode
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.decoders import out_of_step
from feedcharset.charsets.lookup import by_name
from feedcharset.decide.lenient_principles import is_mixture
from feedcharset.decide.resolve import STAND_IN_TAG, Opening, conclude, open_document
from feedcharset.evidence.declaration import ends_lines_with_85
from feedcharset.evidence.detector import TEXT_BEFORE
from feedcharset.evidence.document_head import first_non_ascii
from feedcharset.results import Decoded, Repairs, Resolution
from feedcharset.text.options import Options
from feedcharset.text.xml_text import blank_text, has_forbidden, utf8_has_forbidden

if TYPE_CHECKING:
    from feedcharset.evidence.window import Window

REMEMBERED_BLANKS = 128
"""Blanked declarations that are kept, as many as openings."""

LONG, FIRST_DECODED = 256 * 1024, 4096
"""Bytes of a long document, for which the allocator maps fresh memory (0.8 ns a byte, more than to decode
it), and those of it that are decoded first."""

_NO_REPAIRS = Repairs()


class Handover(NamedTuple):
    """What was found before the stages take a document over."""

    opening: Opening | None = None
    document: bytes | None = None
    """What `blanked_document` returned."""
    window: Window | None = None
    resolution: Resolution | None = None
    """The decision on the window."""


def decode_whole(data: bytes, content_type: str | None, options: Options) -> Decoded | Handover:
    """Decode a whole document that needs no stages, by options that were checked; of any other return what
    the stages need not do again."""
    if options.encoding is not None or options.default_encoding is not None:
        return Handover()
    opening = open_document(data, content_type, lenient=options.lenient, policy=options.policy, complete=True)
    document = blanked_document(data, opening, options)
    if document is None:
        return Handover(opening)
    decision = opening.decision
    is_utf8 = decision.facts.bom is None or decision.facts.bom == "UTF-8"
    text, damaged = _well_formed(document, "utf-8" if is_utf8 else decision.codec or "")
    is_dirty = (text is not None and options.xml_chars != "keep") and (
        utf8_has_forbidden(document) if is_utf8 else has_forbidden(text)
    )
    if is_dirty:
        return Handover(opening, document)
    if not (is_utf8 and options.lenient):
        if text is None or (options.mojibake == "fix" and not text.isascii()):
            return Handover(opening, document)
        if options.lenient and out_of_step(text):
            return Handover(opening, document)
        return Decoded(text, decision, _NO_REPAIRS)
    if text is not None and text.isascii() and "\x1b" not in text:
        return Decoded(text, opening.if_ascii, _NO_REPAIRS)
    if options.mojibake == "fix":
        return Handover(opening, document)
    high = first_non_ascii(document, damaged)
    end = high + (options.lookahead or 1)
    if text is not None and opening.decided_by_utf8(document):
        found = opening.well_formed(decision.facts.body.start + high, len(document) <= end)
        return Decoded(text, found, _NO_REPAIRS)
    return _decode_window(data, document, high, end, text, opening, options)


def _decode_window(
    data: bytes, document: bytes, high: int, end: int, utf8: str | None, opening: Opening, options: Options
) -> Decoded | Handover:
    """Decode a document whose window decides, where that leaves clean text: `document` is what
    `blanked_document` returned, `document[high:end]` its window, and `utf8` its text, if it is well-formed.
    The options are lenient, and `mojibake` is "keep"."""
    from feedcharset.evidence import window as counting  # most documents are UTF-8, and need no counts

    start = opening.decision.facts.body.start
    beginning = data[start : start + high]
    is_utf8: bool | None = None  # bytes behind the window may be what is not UTF-8
    if utf8 is not None or len(document) <= end:
        is_utf8 = utf8 is not None
    window = counting.Window(
        document[high:end],
        ends=len(document) <= end,
        before=document[max(0, high - TEXT_BEFORE) : high],
        beginning=beginning,
        detector=options.detector,
        utf8=is_utf8,
    )
    resolution = conclude(opening, start + high, window, policy=options.policy)
    charset = by_name(resolution.encoding)
    text = None
    if charset.family == "UTF-8":
        text = utf8
    elif (
        window.ends
        and charset.family in ("single", "CJK", "ISO-2022-JP")
        and resolution.facts.bom is None
        and not is_mixture(resolution)
        and not ends_lines_with_85(charset, beginning)
        and window.decodes(charset)
    ):
        if charset.family == "single":
            from feedcharset.charsets import single_byte

            text = charmap_decode(document, "strict", single_byte.byte_table(charset.superset, True))[0]
        else:
            text = document[:high].decode("ascii") + (window.text(charset) or "")
    if text is None or (options.xml_chars != "keep" and has_forbidden(text)):
        return Handover(opening, document, window, resolution)
    return Decoded(text, resolution, _NO_REPAIRS)


def blanked_document(data: bytes, opening: Opening, options: Options) -> bytes | None:
    """Return the document from its first character on, with its declaration blanked if that is wanted; None
    where the declaration has to be blanked in the text."""
    declaration, facts = opening.declaration, opening.decision.facts
    if declaration is None or not opening.simple:
        return None
    start, blank = facts.body.start, None
    if options.declaration == "blank":
        blank = _blanked(declaration[start:], options.lenient, facts.bom)
    if blank is None:
        return data[start:] if start else data
    if not blank:
        return None  # all of the declaration is overwritten, and what follows it may be, too
    return b"".join((blank, memoryview(data)[len(declaration) :]))


@lru_cache(maxsize=REMEMBERED_BLANKS)
def _blanked(declaration: bytes, lenient: bool, bom: str | None) -> bytes | None:
    """Blank a declaration of usual length: 100 times as fast as blanking anew. Return None where nothing is
    overwritten, and no bytes where that is not done here."""
    codec = bom or "UTF-8"
    text = declaration.decode(codec, "surrogatepass")
    blank = text if declaration == STAND_IN_TAG else blank_text(text, lenient=lenient)
    if blank == text and text.isascii():
        return None
    return blank.encode(codec) if text.isascii() and blank.startswith("<") else b""


def _well_formed(document: bytes, codec: str) -> tuple[str | None, int]:
    """Return the text, and -1; None where it is not well-formed, and the offset of the first damaged byte.

    The error, which holds a copy of the document, is gone on return; of a long document that is not UTF-8,
    its first non-ASCII bytes show that as a rule, and nothing long is copied.
    """
    high = 0
    try:
        if len(document) > LONG and codec == "utf-8":
            high = max(0, first_non_ascii(document))
            utf_8_decode(document[high : high + FIRST_DECODED], "strict")
            high = 0
        return document.decode(codec), -1
    except UnicodeDecodeError as error:
        return None, high + error.start
