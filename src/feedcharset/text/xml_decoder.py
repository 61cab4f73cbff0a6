"""`XmlDecoder`, the push form of everything: octets in, text out.

A document goes through four stages. The *head* is held back until the facts are certain. While all is
*ASCII*, text is passed on and the answer stands provisionally. The first octet over 7F, or ESC, opens the
*window*, which is held back until the chain has been asked. Then the text *runs*.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.decide.lenient_chain import WINDOWED, is_mixture, shape_of
from feedcharset.decide.resolve import (
    as_bytes,
    check_options,
    conclude,
    forced,
    open_document,
    readable,
)
from feedcharset.evidence.declaration import DECLARATION_LIMIT
from feedcharset.evidence.detector import Detector, find_detector
from feedcharset.evidence.facts import gather_facts, needs_more
from feedcharset.evidence.first_bytes import EBCDIC_LOOK
from feedcharset.evidence.window import LOOKAHEAD, Window, first_high
from feedcharset.results.facts import Facts
from feedcharset.results.repairs import Repairs
from feedcharset.results.resolution import Resolution
from feedcharset.text.pipeline import TextPipeline
from feedcharset.text.repair_log import RepairLog

__all__ = ["XmlDecoder"]

ASK_AGAIN = 16
"""A head that comes octet by octet is looked at again when it has grown by a sixteenth. Looking takes as long
as what stands before the document is: 20 KB of BOMs, one octet at a time, took three seconds."""

_MAY_END = re.compile(rb"[>\x6e]")  # `>`, also in EBCDIC


class XmlDecoder:
    """An incremental decoder that decides the encoding itself, without I/O; shaped like
    codecs.IncrementalDecoder.

    Args:
        content_type: the Content-Type field's value; None: the transport said nothing; "": no such field.
        lookahead: bytes of the window that the first octet over 7F opens; no more is ever held back.

    The other options are those of `XmlReader`.

    Raises:
        ValueError: an option that makes no sense.
    """

    def __init__(
        self,
        content_type: str | None = None,
        *,
        lenient: bool = True,
        policy: str = "rfc3023",
        encoding: str | None = None,
        default_encoding: str | None = None,
        errors: str | None = None,
        declaration: Literal["blank", "keep"] = "blank",
        mojibake: Literal["keep", "fix"] = "keep",
        xml_chars: Literal["keep", "replace", "space", "drop"] = "keep",
        detector: Detector | Literal["chardet"] | None = None,
        lookahead: int = LOOKAHEAD,
    ) -> None:
        check_options(policy, default_encoding)
        if lookahead < 0:
            raise ValueError(f"lookahead is {lookahead}; pass a number of bytes, 0 or more")
        self._content_type = content_type
        self._lenient = lenient
        self._policy = policy
        self._default = default_encoding
        self._forced = encoding
        self._detector = find_detector(detector)
        self._lookahead = max(lookahead, 1)
        self.errors: str = errors or ("windows-1252" if lenient else "strict")
        """The policy for undecodable octets."""
        self.log = RepairLog()
        self._text_options: dict[str, Any] = {
            "declaration": declaration,
            "mojibake": mojibake,
            "xml_chars": xml_chars,
        }
        self._pipeline = self._new_pipeline(by_name("UTF-8"), 0)
        self._held = bytearray()
        self._ask_at = 0
        """As long as the head is shorter, and nothing in it ends a declaration, nobody asks for its facts."""
        self._offset = 0
        self._before = self._seen = b""
        self._resolution: Resolution | None = None
        self._if_ascii: Resolution | None = None
        self._stage: Callable[[bytes, bool], str] = self._head
        if encoding is not None:
            forced(encoding, Facts(), policy=policy, lenient=lenient)

    def _new_pipeline(self, charset: Charset, offset: int) -> TextPipeline:
        return TextPipeline(
            charset,
            errors=self.errors,
            lenient=self._lenient,
            log=self.log,
            offset=offset,
            **self._text_options,
        )

    @property
    def started(self) -> bool:
        """The head has been read: there is a resolution."""
        return self._resolution is not None

    @property
    def resolution(self) -> Resolution:
        """The decision; provisional while everything seen is US-ASCII.

        Raises:
            ValueError: nothing can be said yet: the head is not complete.
        """
        if self._resolution is None:
            raise ValueError("no decision yet: feed more of the document, or final=True")
        return self._resolution

    @property
    def encoding(self) -> str:
        """The IANA name of the encoding."""
        return self.resolution.encoding

    @property
    def repairs(self) -> Repairs:
        """What was changed until now."""
        return self.log.repairs

    def decode(self, data: bytes, final: bool = False) -> str:
        """The text that is certain now.

        Args:
            data: the next bytes of the document, as many as there are; none is fine.
            final: no more will come.

        Raises:
            ResolutionError: strict, where the rules refuse.
            DecodeError: with errors="strict", an undecodable octet.
        """
        return self._stage(data if isinstance(data, bytes) else as_bytes(data), final)

    def _head(self, data: bytes, final: bool) -> str:
        size = len(self._held) + len(data)
        if not final and self._held and size < self._ask_at and not _MAY_END.search(data):
            self._held += data
            return ""
        head = bytes(self._held + data) if self._held else data
        if not final and needs_more(head, lenient=self._lenient):
            self._held += data
            self._ask_at = max(EBCDIC_LOOK, size + size // ASK_AGAIN)
            return ""
        self._held.clear()
        charset = self._decide(head, final)
        facts = self.resolution.facts
        self._offset = start = facts.body.start
        self._note_prefix(facts)
        self._pipeline = self._new_pipeline(charset or by_name("UTF-8"), start)
        self._stage = self._pipeline.decode if charset else self._ascii
        return self._stage(head[start:], final)

    def _decide(self, head: bytes, final: bool) -> Charset | None:
        """Decide what the head allows: the charset to read with, or None while that is provisional."""
        if self._forced is not None:
            facts = gather_facts(head, self._content_type, lenient=self._lenient, complete=final)
            self._resolution = forced(self._forced, facts, policy=self._policy, lenient=self._lenient)
            return by_name(self._resolution.encoding)
        opening = open_document(head, self._content_type, self._lenient, self._policy, self._default, final)
        self._resolution = opening.decision
        if not self._lenient:
            return readable(opening.decision)
        if shape_of(opening.decision.facts) not in WINDOWED:
            return by_name(opening.decision.encoding)
        self._if_ascii = opening.if_ascii
        return None

    def _note_prefix(self, facts: Facts) -> None:
        """Report what stood before the document and is not in the text, other than one BOM."""
        if not self._lenient:
            return
        skipped = facts.body.start - (BOM_LENGTH[facts.bom] if facts.bom else 0)
        if skipped > 0:
            self.log.add("before-document", 1, (0,))
        elif facts.bom is not None and shape_of(facts) != facts.bom:
            self.log.add("bom", 1, (0,))

    def _ascii(self, data: bytes, final: bool) -> str:
        high = first_high(data)
        if high < 0:
            if final:
                self._resolution = self._if_ascii
            self._pass(data)
            return self._pipeline.decode(data, final)
        text = self._pipeline.decode(data[:high])
        self._pass(data[:high])
        self._stage = self._window
        return text + self._window(data[high:], final)

    def _pass(self, data: bytes) -> None:
        """Remember what the window must know of the octets before it."""
        self._offset += len(data)
        self._before = data[-1:] or self._before
        if len(self._seen) < DECLARATION_LIMIT:
            self._seen += data[:DECLARATION_LIMIT]

    def _window(self, data: bytes, final: bool) -> str:
        if not final and len(self._held) + len(data) <= self._lookahead:
            self._held += data
            return ""
        held = bytes(self._held + data) if self._held else data
        self._held.clear()
        window = Window(
            held[: self._lookahead],
            ends=final and len(held) <= self._lookahead,
            before=self._before,
            opening=self._seen,
            detector=self._detector,
        )
        facts = self.resolution.facts
        resolution = conclude(
            facts, self._offset, window, policy=self._policy, default_encoding=self._default
        )
        self._resolution = resolution
        if shape_of(facts) == "UTF-8" and resolution.encoding != "UTF-8":
            self.log.add("bom", 1, (0,))  # what follows it is not UTF-8, and a label holds
        if is_mixture(resolution):
            self._pipeline.become(by_name("UTF-8"), errors="windows-1252")
        else:
            self._pipeline.become(by_name(resolution.encoding))
        self._stage = self._pipeline.decode
        return self._pipeline.decode(held, final)

    def note_broken_gzip(self) -> None:
        """Report that the source ended early because its gzip is broken."""
        self.log.add("gzip", 1)


BOM_LENGTH = {"UTF-8": 3, "UTF-16BE": 2, "UTF-16LE": 2, "UTF-32BE": 4, "UTF-32LE": 4}
