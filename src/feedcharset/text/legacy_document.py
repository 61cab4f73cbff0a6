"""Decodes a document in memory whose charset the window decides, without the stages of the decoder.

Clean text in the charset of its label is decoded by the decision that is prepared for its opening; any other
document by the chain. What the chain has decoded for the decision is not decoded again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.charsets.decoders import decode_clean
from feedcharset.charsets.lookup import WINDOWS_PAGES, by_name
from feedcharset.decide.legacy_answer import legacy_answer
from feedcharset.decide.lenient_principles import byte_form
from feedcharset.decide.mixture import is_mixture, may_be_mixed
from feedcharset.decide.opening import conclude
from feedcharset.evidence.damaged_utf8 import bound_utf8, measure_utf8
from feedcharset.evidence.declaration import DECLARATION_LIMIT, is_xml_1_1
from feedcharset.evidence.detector import TEXT_BEFORE
from feedcharset.evidence.window import Window
from feedcharset.results import Decoded, Repairs
from feedcharset.text.byte_decoder import text_decoder
from feedcharset.text.repair_log import RepairLog
from feedcharset.text.utf8_decoder import Utf8Decoder

if TYPE_CHECKING:
    from feedcharset.charsets.byte_offsets import ByteCounter
    from feedcharset.decide.opening import Opening
    from feedcharset.results import Resolution
    from feedcharset.text.options import Options

__all__ = ["decode_legacy"]

_NO_REPAIRS = Repairs()


def decode_legacy(
    data: bytes,
    document: bytes,
    high: int,
    utf8: str | None,
    opening: Opening,
    content_type: str | None,
    options: Options,
) -> tuple[Decoded, RepairLog] | None:
    """Decode a document leniently, by the chain.

    Args:
        data: the whole document.
        document: the same from its first character on, with the declaration blanked.
        high: index of its first non-ASCII byte.
        utf8: its text, if it is well-formed UTF-8.
        opening: what its head allows.
        content_type: the Content-Type field's value, or None.
        options: checked, and lenient; `errors` is not "strict", `mojibake` is "keep".

    Returns:
        None where the stages of the decoder are needed.
    """
    lookahead = max(options.lookahead, 1)
    ends = len(document) <= high + lookahead
    if utf8 is None and ends and (found := _as_labelled(document, high, opening, content_type, options)):
        return found, RepairLog()
    start = opening.decision.facts.body.start
    window = Window(
        document[high : high + lookahead],
        ends=ends,
        before=document[max(0, high - TEXT_BEFORE) : high],
        opening=data[start : start + min(high, DECLARATION_LIMIT)],
        detector=options.detector,
        well_formed=utf8 is not None,
    )
    resolution = conclude(opening.decision.facts, start + high, window, policy=options.policy)
    log = RepairLog()
    if byte_form(opening.decision.facts) == "UTF-8" and resolution.encoding != "UTF-8":
        log.add("bom", 1, (0,))  # the bytes after it are not UTF-8, and a label is right
    text = utf8 if resolution.encoding == "UTF-8" else None
    if text is None:
        text = _as_decided(data, document, high, window, resolution, options.errors, log)
    return None if text is None else (Decoded(text, resolution, log.repairs), log)


def _as_labelled(
    document: bytes, high: int, opening: Opening, content_type: str | None, options: Options
) -> Decoded | None:
    """Decode by the prepared decision; None where the chain needs other counts, or a byte is undecodable."""
    assert opening.declaration is not None
    answer = legacy_answer(opening.declaration, content_type, options.policy)
    if answer is None:
        return None
    utf8 = bound_utf8(document[high:], measure_utf8(document[high:], True))
    if utf8 is None or (answer.without_sequences and utf8.sequences):
        return None
    text = decode_clean(answer.charset, document)
    if text is None:
        return None
    return Decoded(text, answer.resolved(opening.decision.facts.body.start + high, utf8), _NO_REPAIRS)


def _as_decided(
    data: bytes,
    document: bytes,
    high: int,
    window: Window,
    resolution: Resolution,
    errors: str,
    log: RepairLog,
) -> str | None:
    """Return the text by a decision of the chain; None where the stages of the decoder are needed."""
    start = resolution.facts.body.start
    charset = by_name(resolution.encoding)
    mixture = is_mixture(resolution)
    if mixture or charset.family == "UTF-8":
        page = charset.superset if mixture else None
        decoder = text_decoder(by_name("UTF-8"), errors, log, lenient=True, offset=start, page=page)
        if isinstance(decoder, Utf8Decoder) and (escaped := window.escaped()) is not None:
            return decoder.decode_window(document[:high], window.data, escaped)
        return decoder.decode(document, True)
    if may_be_mixed(charset) and not window.ends:
        return None  # UTF-8 may begin behind the window
    if charset.name in WINDOWS_PAGES and is_xml_1_1(data[start : start + DECLARATION_LIMIT]):
        return None  # 85 is a line end
    known = window.decoded(charset)
    engine = _DecodedWindow(high, *known) if known is not None else None
    return text_decoder(charset, errors, log, lenient=True, offset=start, engine=engine).decode(
        document, True
    )


class _DecodedWindow:
    """The charset decoder of a document that is ASCII up to its window, which was decoded already."""

    def __init__(self, high: int, text: str, counter: ByteCounter) -> None:
        self._high = high
        self._text = text
        self._counter = counter

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the text of the whole document; called once."""
        return str(data[: self._high], "ascii") + self._text

    @property
    def pending(self) -> bytes:
        """Return no bytes: nothing is held back."""
        return b""

    def byte_count(self, text: str) -> int:
        """Return how many bytes the beginning of the document, `text`, was decoded from."""
        return self.byte_counter()(len(text))

    def byte_counter(self) -> ByteCounter:
        """Return the byte counter of the document."""
        return lambda index: index if index < self._high else self._high + self._counter(index - self._high)
