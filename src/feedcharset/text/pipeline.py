"""From octets of a known encoding to the text that is handed out: all stages, in their order.

octets → decoder (`errors=`) → `declaration=` → `mojibake=` → `xml_chars=` → text
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.text.byte_decoder import text_decoder
from feedcharset.text.declaration_blanking import Blanker
from feedcharset.text.option_values import DECLARATION, MOJIBAKE, XML_CHARS, check_option

if TYPE_CHECKING:
    from feedcharset.charsets.decoders import Engine
    from feedcharset.charsets.lookup import Charset
    from feedcharset.text.repair_log import RepairLog
    from feedcharset.text.text_filters import Finishing

__all__ = ["TextPipeline"]


class TextPipeline:
    """One document's text, incrementally; the same however its octets are cut."""

    def __init__(
        self,
        charset: Charset,
        *,
        errors: str,
        lenient: bool,
        declaration: str = "blank",
        mojibake: str = "keep",
        xml_chars: str = "keep",
        log: RepairLog,
        offset: int = 0,
        engine: Engine | None = None,
    ) -> None:
        """Set the stages up.

        Args:
            charset: what the octets are in.
            errors: "strict", "replace", "space", "latin-1" or "windows-1252".
            lenient: whether a charset is read as its superset.
            declaration: "blank" or "keep".
            mojibake: "keep" or "fix".
            xml_chars: "keep", "replace", "space" or "drop".
            log: where changes are counted.
            offset: bytes of the source before the first octet given to it.
            engine: what decodes, where that is not the charset's own engine.

        Raises:
            ValueError: for an option's value that is not listed here.
        """
        check_option("declaration", declaration, DECLARATION)
        check_option("mojibake", mojibake, MOJIBAKE)
        check_option("xml_chars", xml_chars, XML_CHARS)
        self._errors = errors
        self._lenient = lenient
        self._log = log
        self._decoder = text_decoder(charset, errors, log, lenient=lenient, offset=offset, engine=engine)
        self._blanker = Blanker() if declaration == "blank" else None
        self._finishing: Finishing | None = None
        if mojibake != "keep" or xml_chars != "keep":
            from feedcharset.text.text_filters import Finishing  # only who asks for it

            self._finishing = Finishing(self._decoder, log, mojibake=mojibake, xml_chars=xml_chars)

    def become(self, charset: Charset, *, errors: str | None = None) -> None:
        """Go on in another charset, after text that was nothing but US-ASCII.

        Args:
            charset: what the octets are in from here on.
            errors: the policy from here on, where it changes.
        """
        old = self._decoder
        self._decoder = text_decoder(charset, errors or self._errors, self._log, lenient=self._lenient)
        self._decoder.follow(old)

    def decode(self, octets: bytes, final: bool = False) -> str:
        """The text of the next octets, as far as it is certain.

        Args:
            octets: the next piece, of any size.
            final: no more will come.

        Raises:
            DecodeError: an undecodable octet, with errors="strict".
        """
        text = self._decoder.decode(octets, final)
        if self._blanker is not None:
            text = self._blanker.feed(text, final)
            if self._blanker.done:
                self._blanker = None
        return text if self._finishing is None else self._finishing.feed(text, final)
