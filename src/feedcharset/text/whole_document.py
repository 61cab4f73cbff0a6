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
from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.lookup import by_name
from feedcharset.charsets.table import WINDOWS_PAGES
from feedcharset.decide.candidates import byte_form
from feedcharset.decide.mixture import is_mixture, may_be_mixed
from feedcharset.decide.opening import ESC, Opening, conclude, open_document
from feedcharset.evidence.declaration import DECLARATION_LIMIT, is_xml_1_1
from feedcharset.evidence.window import Window, first_non_ascii
from feedcharset.results.repairs import Decoded, Repairs
from feedcharset.text.byte_decoder import text_decoder
from feedcharset.text.declaration_blanking import blank_bytes
from feedcharset.text.legacy_document import decode_as_labelled
from feedcharset.text.repair_log import RepairLog
from feedcharset.text.xml_characters import has_forbidden, utf8_has_forbidden

if TYPE_CHECKING:
    from feedcharset.evidence.detector import Detector

__all__ = ["Settings", "decode_whole"]

REMEMBERED = 128
"""Blanked declarations that are kept, as many as openings."""

_blanked = lru_cache(maxsize=REMEMBERED)(blank_bytes)
"""Declarations of usual length that were blanked before: 100 times as fast as blanking anew."""

_NO_REPAIRS = Repairs()


class Settings(NamedTuple):
    """The options of `decode` that matter here; `encoding` and `default_encoding` are None."""

    content_type: str | None
    lenient: bool
    policy: str
    errors: str | None
    declaration: str
    mojibake: str
    xml_chars: str
    detector: Detector | str | None
    lookahead: int


def decode_whole(data: bytes, settings: Settings, log: RepairLog | None = None) -> Decoded | None:
    """Decode a document of any charset that is compatible with ASCII.

    Args:
        data: the whole document.
        settings: valid options.
        log: also counts the repairs.
    """
    opening = open_document(data, settings.content_type, lenient=settings.lenient, policy=settings.policy)
    head = opening.declaration
    if head is None or not opening.simple:
        return None
    start = opening.decision.facts.body.start
    blank = None
    if settings.declaration == "blank":
        blank = _blanked(head[start:] if start else head, lenient=settings.lenient)
    if blank is not None and not blank.startswith(b"<"):
        return None  # all of the declaration is overwritten, and what follows it may be, too
    if blank is not None:
        document = b"".join((blank, memoryview(data)[len(head) :]))
    else:
        document = data[start:] if start else data
    try:
        text = document.decode()
    except UnicodeDecodeError:
        return _decode_legacy(data, document, opening, settings, log)
    if settings.xml_chars != "keep" and utf8_has_forbidden(document):
        return None
    if settings.mojibake == "fix" and not text.isascii():
        return None
    if not settings.lenient:
        return Decoded(text, opening.decision, _NO_REPAIRS)
    if text.isascii():
        return None if "\x1b" in text else Decoded(text, opening.if_ascii, _NO_REPAIRS)
    high = first_non_ascii(document)
    if document[high] == ESC:
        return None
    if opening.if_utf8 is None:
        return _decode_legacy(data, document, opening, settings, log)
    ends = len(document) <= high + max(settings.lookahead, 1)
    return Decoded(text, opening.well_formed(start + high, ends), _NO_REPAIRS)


def _decode_legacy(
    data: bytes, document: bytes, opening: Opening, settings: Settings, into: RepairLog | None
) -> Decoded | None:
    """Decode a document whose charset the window decides.

    Args:
        data: the whole document.
        document: the same from its first character on, with the declaration blanked.
        opening: what its head allows.
        settings: valid options.
        into: also counts the repairs.
    """
    errors = settings.errors or "windows-1252"
    if not settings.lenient or errors == "strict":
        return None
    if settings.mojibake != "keep":
        return None
    high = first_non_ascii(document)
    if document[high] == ESC:
        return None
    facts, start = opening.decision.facts, opening.decision.facts.body.start
    lookahead = max(settings.lookahead, 1)
    ends = len(document) <= high + lookahead
    if ends and (found := decode_as_labelled(document, high, opening, settings.content_type, settings.policy)):
        return None if settings.xml_chars != "keep" and has_forbidden(found.text) else found
    window = Window(
        document[high : high + lookahead],
        ends=ends,
        before=document[high - 1 : high],
        opening=data[start : start + min(high, DECLARATION_LIMIT)],
        detector=settings.detector,
    )
    resolution = conclude(facts, start + high, window, policy=settings.policy)
    log = RepairLog()
    if byte_form(facts) == "UTF-8" and resolution.encoding != "UTF-8":
        log.add("bom", 1, (0,))  # the bytes after it are not UTF-8, and a label is right
    charset = by_name(resolution.encoding)
    utf8 = by_name("UTF-8")
    if is_mixture(resolution):
        decoder = text_decoder(utf8, errors, log, lenient=True, offset=start, page=charset.superset)
        text = decoder.decode(document, True)
    elif may_be_mixed(charset) and not window.ends:
        return None  # UTF-8 may begin behind the window
    elif charset.name in WINDOWS_PAGES and is_xml_1_1(data[start : start + DECLARATION_LIMIT]):
        return None  # 85 is a line end
    elif charset.family == "CJK" and (known := window.text(charset)) is not None:
        text = document[:high].decode("ascii") + known
    else:
        text = text_decoder(charset, errors, log, lenient=True, offset=start).decode(document, True)
    if settings.xml_chars != "keep" and has_forbidden(text):
        return None
    if into is not None:
        into.add_all(log)
    return Decoded(text, resolution, log.repairs)
