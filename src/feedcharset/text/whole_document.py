"""Decodes a document that is wholly in memory, without the stages of the incremental decoder.

`decode` uses it, and so does `XmlDecoder` where its first bytes are also its last. `decode_whole` returns
None where the incremental decoder is needed; the text, the decision and the repairs are those that it would
give.

UTF-8 of 60 KB took 100 to 240 µs through the stages, whose text is copied, searched and joined; here it takes
what `bytes.decode` takes (25 µs) and 5 µs more, because everything that the declaration and the Content-Type
decide is remembered (`open_document`), and the declaration is blanked in the bytes (2 µs; in text, 80).
Legacy text is decoded once: where the decision has decoded the window, its text is used.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from feedcharset.decide.opening import ESC, Opening, open_document
from feedcharset.evidence.window import first_non_ascii
from feedcharset.results import Decoded, Repairs
from feedcharset.text.declaration_blanking import blank_bytes
from feedcharset.text.xml_characters import has_forbidden, utf8_has_forbidden

if TYPE_CHECKING:
    from feedcharset.text.options import Options
    from feedcharset.text.repair_log import RepairLog

__all__ = ["decode_whole"]

REMEMBERED = 128
"""Blanked declarations that are kept, as many as openings."""

_blanked = lru_cache(maxsize=REMEMBERED)(blank_bytes)
"""Declarations of usual length that were blanked before: 100 times as fast as blanking anew."""

_NO_REPAIRS = Repairs()


def decode_whole(
    data: bytes, content_type: str | None, options: Options, log: RepairLog | None = None
) -> Decoded | None:
    """Decode a document of any charset that is compatible with ASCII.

    Args:
        data: the whole document.
        content_type: the Content-Type field's value, or None.
        options: checked.
        log: also counts the repairs.
    """
    if options.encoding is not None or options.default_encoding is not None:
        return None
    opening = open_document(data, content_type, lenient=options.lenient, policy=options.policy)
    head = opening.declaration
    if head is None or not opening.simple:
        return None
    start = opening.decision.facts.body.start
    blank = None
    if options.declaration == "blank":
        blank = _blanked(head[start:] if start else head, lenient=options.lenient)
    if blank is not None and not blank.startswith(b"<"):
        return None  # all of the declaration is overwritten, and what follows it may be, too
    if blank is not None:
        document = b"".join((blank, memoryview(data)[len(head) :]))
    else:
        document = data[start:] if start else data
    text = _well_formed(document)
    if text is None:
        return _decode_legacy(data, document, None, opening, content_type, options, log)
    if options.xml_chars != "keep" and utf8_has_forbidden(document):
        return None
    if options.mojibake == "fix" and not text.isascii():
        return None
    if not options.lenient:
        return Decoded(text, opening.decision, _NO_REPAIRS)
    if text.isascii():
        return None if "\x1b" in text else Decoded(text, opening.if_ascii, _NO_REPAIRS)
    high = first_non_ascii(document)
    if document[high] == ESC:
        return None
    if opening.if_utf8 is None:
        return _decode_legacy(data, document, text, opening, content_type, options, log)
    ends = len(document) <= high + max(options.lookahead, 1)
    return Decoded(text, opening.well_formed(start + high, ends), _NO_REPAIRS)


def _well_formed(document: bytes) -> str | None:
    """Return the text of UTF-8. The error, which holds a copy of the document, is gone on return."""
    try:
        return document.decode()
    except UnicodeDecodeError:
        return None


def _decode_legacy(
    data: bytes,
    document: bytes,
    text: str | None,
    opening: Opening,
    content_type: str | None,
    options: Options,
    log: RepairLog | None,
) -> Decoded | None:
    if not options.lenient or options.errors == "strict" or options.mojibake != "keep":
        return None
    high = first_non_ascii(document)
    if document[high] == ESC:
        return None
    from feedcharset.text.legacy_document import decode_legacy  # most documents are UTF-8 by their label

    found = decode_legacy(data, document, high, text, opening, content_type, options)
    if found is None:
        return None
    decoded, repairs = found
    if options.xml_chars != "keep" and has_forbidden(decoded.text):
        return None
    if log is not None:
        log.add_all(repairs)
    return decoded
