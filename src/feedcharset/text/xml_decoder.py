"""`XmlDecoder`: an incremental decoder that decides the encoding itself; `decode`: a document in memory.

A document passes four stages. The *head* is held back until the facts are certain. While all bytes are
*ASCII*, text is returned at once and the decision is provisional. The first non-ASCII byte (or ESC) opens the
*window*, which is held back until the lenient chain has decided. After that, the text is *decoded* as it
comes: bytes → decoder (`errors=`) → `declaration=` → `mojibake=` → `xml_chars=` → text. A document that is
not windowed (strict reading, UTF-16, a charset that the caller forces) goes from the head to the last stage.
A whole document is given to `decode_whole` first, which hands over what needs stages.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, Self

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.decide.lenient_principles import is_mixture, is_watched
from feedcharset.decide.published_tables import Policy
from feedcharset.decide.resolve import Opening, as_bytes, check_options, conclude, forced, open_document
from feedcharset.decide.strict_decision import readable
from feedcharset.errors import DecodeError, ResolutionError
from feedcharset.evidence.content_type import as_field
from feedcharset.evidence.declaration import DECLARATION_LIMIT, ends_lines_with_85
from feedcharset.evidence.detector import LOOKAHEAD, TEXT_BEFORE, Detector
from feedcharset.evidence.document_head import (
    BOMS,
    EBCDIC_SPAN,
    byte_form,
    first_non_ascii,
    gather_facts,
    needs_more,
)
from feedcharset.results import Buffer, Decoded, Repairs, Resolution
from feedcharset.results.facts import Facts
from feedcharset.text.options import (
    Declaration,
    Errors,
    Mojibake,
    Options,
    XmlChars,
    check_number,
    check_option,
)
from feedcharset.text.source_positions import RepairLog
from feedcharset.text.whole_document import Handover, blanked_document, decode_whole
from feedcharset.text.xml_text import DeclarationBlanker

if TYPE_CHECKING:
    from feedcharset.evidence.window import Window
    from feedcharset.text.byte_replacement import BaseDecoder
    from feedcharset.text.mojibake import TextFilters

FILTERED_BYTES = 8 * 1024
"""Bytes that are decoded at once where filters follow: each undecodable byte takes 350 bytes of memory until
its text has passed the filters."""

HEAD_GROWTH = 16
"""A head that comes byte by byte is read again once it has grown by a sixteenth. Each reading takes time
proportional to what stands before the document: 20 KB of BOMs, one byte at a time, took three seconds."""

_MAY_END = lazy_pattern(rb"[>\x6e]")  # `>`, also in EBCDIC


class XmlDecoder:
    """An incremental decoder that decides the encoding itself, without I/O; shaped like
    codecs.IncrementalDecoder.

    Args:
        content_type: the Content-Type field's value; None: the transport said nothing; "": no such field.
        lookahead: size in bytes of the window that the first non-ASCII byte opens; no more is held back.

    The other options are those of `XmlReader`.

    Raises:
        ValueError: an option has a value that is not allowed.
    """

    def __init__(
        self,
        content_type: str | bytes | None = None,
        *,
        lenient: bool = True,
        policy: Policy = "rfc3023",
        encoding: str | None = None,
        default_encoding: str | None = None,
        errors: Errors | None = None,
        declaration: Declaration = "blank",
        mojibake: Mojibake = "keep",
        xml_chars: XmlChars = "keep",
        detector: Detector | None = "letters",
        lookahead: int = LOOKAHEAD,
    ) -> None:
        options = Options(
            lenient,
            policy,
            encoding,
            default_encoding,
            ("windows-1252" if lenient else "strict") if errors is None else errors,
            declaration,
            mojibake,
            xml_chars,
            detector,
            lookahead,
        )
        self._start(as_field(content_type), checked(options))

    @classmethod
    def of(cls, content_type: str | None, options: Options) -> Self:
        """Return a decoder with options that were checked before."""
        decoder = cls.__new__(cls)
        decoder._start(content_type, options)
        return decoder

    def _start(self, content_type: str | None, options: Options) -> None:
        self.content_type: str | None = content_type
        """May be set until the first byte is decoded: some callers know it only once the source is open."""
        self.options: Options = options
        self._lookahead = max(options.lookahead, 1)
        self.log: RepairLog = RepairLog()
        self._decoder: BaseDecoder
        """Made when the head is decided: a document that is decoded whole needs none. It is exchanged where
        the window opens; all bytes before it were ASCII."""
        self._blanker: DeclarationBlanker | None = None
        """Blanks the declaration in the text, where that was not done in the bytes."""
        self._filters: TextFilters | None = None
        self._is_decoding = False
        """A call has not come to its end."""
        self._held = bytearray()
        self._next_look = 0
        """Length of the head from which its facts are read again, unless a new byte may end a declaration."""
        self._offset = 0
        self.skipped: bytes = b""
        """What stands before the document, and is not in the text."""
        self._before = self._seen = self._declaration = b""
        """The last bytes before the window, the first ones of the document, and those that were blanked."""
        self._opening: Opening
        self._found: Handover = Handover()
        self._resolution: Resolution | None = None
        self._stage: Callable[[bytes, bool], str] = self._head

    @property
    def errors(self) -> str:
        """The policy for undecodable bytes."""
        return self.options.errors

    @property
    def started(self) -> bool:
        """True once the head has been read and there is a resolution."""
        return self._resolution is not None

    @property
    def provisional(self) -> bool:
        """True while more of the document can change the decision."""
        return self._stage in (self._head, self._ascii, self._window)

    @property
    def resolution(self) -> Resolution:
        """The decision; provisional while everything seen is US-ASCII.

        Raises:
            ValueError: the head is not complete, so nothing is decided yet.
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
        """The changes made until now."""
        return self.log.repairs

    def decode(self, data: Buffer, final: bool = False) -> str:
        """Return the text that is certain now.

        Args:
            data: the next bytes of the document, any number.
            final: the document ends here.

        Raises:
            ResolutionError: lenient=False, and the rules have no answer.
            DecodeError: an undecodable byte, with errors="strict"; `.partial` is the text before it. The same
                at every further call.
            ValueError: the document has ended, and `reset` was not called.
            InterruptedError: the detector, or the handler of a signal, has ended a call before.
        """
        data = data if isinstance(data, bytes) else as_bytes(data)
        if self._is_decoding:
            raise InterruptedError("decoding was interrupted, so text may be missing; call reset()")
        self._is_decoding = self._stage is not _raise_ended
        try:
            text = self._stage(data, final)
        except (DecodeError, ResolutionError) as error:
            self._stage = partial(_raise_again, error)
            self._is_decoding = False
            raise
        if final:
            self._stage = _raise_ended
        self._is_decoding = False
        return text

    def reset(self) -> None:
        """Start with another document, with the same options and the same Content-Type."""
        self._start(self.content_type, self.options)

    def getstate(self) -> tuple[bytes, object]:
        """Return the state: the bytes that are held back, and what `setstate` needs. Do not change either.

        The second part of codecs.IncrementalDecoder's is a number; here it is an object of no public type.
        Both can be pickled where the caller's detector can.
        """
        copied = object.__new__(XmlDecoder)
        copied.__dict__.update(_copied(self.__dict__, {id(self): copied, **_shared(self)}))
        return bytes(self._held), copied

    def __copy__(self) -> object:
        return self.getstate()[1]  # a decoder that shared its parts would take their state away

    def setstate(self, state: tuple[bytes, object]) -> None:
        """Continue from a state that `getstate` returned, of this decoder or of another one.

        Raises:
            TypeError: something else was passed.
        """
        copied = state[1] if isinstance(state, tuple) and len(state) == 2 else None
        if not isinstance(copied, XmlDecoder):
            raise TypeError("setstate() takes what getstate() of an XmlDecoder returned")
        self.__dict__.update(_copied(copied.__dict__, {id(copied): self, **_shared(copied)}))

    def look(self, data: bytes) -> bool | None:
        """Take the next bytes and decide as far as they allow, without decoding.

        Returns:
            None where the head of the document is not complete. Else whether the decision is provisional;
            then no bytes are held, and `decode` gets those of the head again.
        """
        head = self._complete_head(data, False)
        if head is None:
            return None
        self._held.clear()
        charset, _ = self._decide(head, False)
        return charset is None

    def _complete_head(self, data: bytes, final: bool) -> bytes | None:
        """Return what was read of the document; None where it does not hold the head and more may come. Then
        it is held back."""
        size = len(self._held) + len(data)
        if final or not self._held or size >= self._next_look or _MAY_END.search(data):
            head = bytes(self._held + data) if self._held else data
            if final or not needs_more(head, lenient=self.options.lenient):
                return head
            self._next_look = max(EBCDIC_SPAN, size + size // HEAD_GROWTH)
        self._held += data
        return None

    def _head(self, data: bytes, final: bool) -> str:
        head = self._complete_head(data, final)
        if head is None:
            return ""
        self._held.clear()
        if not final:
            return self._begin(head, False)
        found = decode_whole(head, self.content_type, self.options)
        if isinstance(found, Handover):
            return self.decode_staged(head, found)
        self._resolution = found.resolution
        self.skipped = head[: found.resolution.facts.body.start]
        return found.text

    def decode_staged(self, data: bytes, found: Handover) -> str:
        """Return the text of a whole document that `decode_whole` has handed over."""
        self._found = found
        return self._begin(data, True)

    def _begin(self, head: bytes, final: bool) -> str:
        """Decide as far as the head allows, and decode it."""
        from feedcharset.text import byte_decoder  # most whole documents need no stages

        charset, opening = self._decide(head, final)
        facts = self.resolution.facts
        self._offset = start = facts.body.start
        self.skipped = head[:start]
        self._note_prefix(facts)
        document = self._found.document
        if document is None and opening is not None:
            document = blanked_document(head, opening, self.options)
        charset_of_head = charset or by_name("UTF-8")
        self._decoder = byte_decoder.text_decoder(
            charset_of_head,
            self.options.errors,
            self.log,
            lenient=self.options.lenient,
            offset=start,
            xml_1_1=ends_lines_with_85(charset_of_head, head[start:]),
        )
        self._decoder.count_skipped(self.skipped)
        if document is None and self.options.declaration == "blank":
            self._blanker = DeclarationBlanker(lenient=self.options.lenient)
        mojibake, xml_chars = self.options.mojibake, self.options.xml_chars
        if mojibake != "keep" or xml_chars != "keep":
            from feedcharset.text.mojibake import TextFilters  # imports the fixer; for these options only

            self._filters = TextFilters(self._decoder, self.log, mojibake=mojibake, xml_chars=xml_chars)
        if document is not None and opening is not None and opening.declaration is not None:
            self._declaration = head[start : len(opening.declaration)]
        self._stage = self._decoded if charset else self._ascii
        return self._stage(head[start:] if document is None else document, final)

    def _decide(self, head: bytes, final: bool) -> tuple[Charset | None, Opening | None]:
        """Decide as far as the head allows. Return the charset, or None while the decision is provisional;
        and the opening, unless the caller forces the charset."""
        if self.options.encoding is not None:
            facts = gather_facts(head, self.content_type, lenient=self.options.lenient, complete=final)
            self._resolution = forced(
                self.options.encoding, facts, policy=self.options.policy, lenient=self.options.lenient
            )
            return by_name(self._resolution.encoding), None
        opening = self._found.opening or open_document(
            head,
            self.content_type,
            lenient=self.options.lenient,
            policy=self.options.policy,
            default_encoding=self.options.default_encoding,
            complete=final,
        )
        self._resolution = opening.decision
        if not self.options.lenient:
            return readable(opening.decision), opening
        if not opening.windowed:
            return by_name(opening.decision.encoding), opening
        self._opening = opening
        return None, opening

    def _note_prefix(self, facts: Facts) -> None:
        """Report what stands before the document and is not in the text, except one BOM."""
        if not self.options.lenient:
            return
        skipped = facts.body.start - len(dict(BOMS)[facts.bom] if facts.bom else b"")
        if skipped > 0:
            self.log.add("before-document", 1, (0,))
        elif facts.bom is not None and byte_form(facts) != facts.bom:
            self.log.add("bom", 1, (0,))

    def _ascii(self, data: bytes, final: bool) -> str:
        high = first_non_ascii(data)
        if high < 0:
            if final:
                self._resolution = self._opening.if_ascii
            self._keep(data)
            return self._decoded(data, final)
        text = self._decoded(data[:high], False)
        self._keep(data[:high])
        self._stage = self._window
        return self._window(data[high:], final, text)

    def _keep(self, data: bytes) -> None:
        """Keep what the window needs of the bytes before it."""
        self._offset += len(data)
        self._before = (self._before + data[-TEXT_BEFORE:])[-TEXT_BEFORE:]
        if len(self._seen) < DECLARATION_LIMIT:
            self._seen += data[:DECLARATION_LIMIT]

    def _window(self, data: bytes, final: bool, before: str = "") -> str:
        """Return `before`, and the text of the next bytes: joined once, since long text is mapped anew."""
        if not final and len(self._held) + len(data) <= self._lookahead:
            self._held += data
            return before
        held = bytes(self._held + data) if self._held else data
        self._held.clear()
        seen = self._declaration + self._seen[len(self._declaration) :]
        window, resolution = self._found.window, self._found.resolution
        if window is None or resolution is None:
            from feedcharset.evidence import window as counting

            ends, detector = final and len(held) <= self._lookahead, self.options.detector
            window = counting.Window(
                held[: self._lookahead], ends=ends, before=self._before, beginning=seen, detector=detector
            )
            policy, default = self.options.policy, self.options.default_encoding
            resolution = conclude(
                self._opening, self._offset, window, policy=policy, default_encoding=default
            )
        self._found = Handover()
        self._resolution = resolution
        if byte_form(resolution.facts) == "UTF-8" and resolution.encoding != "UTF-8":
            self.log.add("bom", 1, (0,))  # the bytes after it are not UTF-8, and a label is right
        decoder = self._decoder_of_window(window, resolution, seen)
        decoder.follow(self._decoder)
        self._decoder = decoder
        self._stage = self._decoded
        data = held if window.ends or self.options.errors == "strict" else window.data
        rest = held[len(data) :]
        del window, held  # their memory is needed for the text
        texts = [before]
        try:
            texts.append(self._decoded(data, final and not rest))
            del data
            texts.append(self._decoded(rest, final) if rest else "")
        except DecodeError as error:
            error.partial = "".join([*texts, error.partial])
            raise
        return "".join(texts)

    def _decoder_of_window(self, window: Window, resolution: Resolution, head: bytes) -> BaseDecoder:
        """Return the decoder from the window on. It uses what was decoded for the decision."""
        from feedcharset.text import byte_decoder

        charset, errors = by_name(resolution.encoding), self.options.errors
        known: Window | None = window
        if self._filters is not None or (errors == "strict" and not window.ends):
            known = None  # filters take small pieces; an error holds all bytes that were passed
        if is_watched(resolution):
            decoded = window.decoded(charset) if known is not None else None
            # A sequence that the end of the window cuts was not seen in it.
            skip = max(0, len(window.data) - 3)
            return byte_decoder.MixtureDecoder(
                charset, errors, self.log, skip=skip, known=decoded and decoded[0]
            )
        if is_mixture(resolution):
            page, escaped = charset.superset, known.escaped if known is not None and known.ends else None
            return byte_decoder.Utf8Decoder(
                errors, self.log, page=page, before=window.before, escaped=escaped
            )
        xml_1_1 = ends_lines_with_85(charset, head)
        return byte_decoder.text_decoder(
            charset, errors, self.log, lenient=True, xml_1_1=xml_1_1, window=None if xml_1_1 else known
        )

    def _decoded(self, data: bytes, final: bool) -> str:
        """Return the text of the next bytes after all stages, as far as it is certain."""
        if self._filters is None or len(data) <= FILTERED_BYTES:
            return self._decoded_piece(data, final)
        starts = range(0, len(data), FILTERED_BYTES)
        pieces: list[str] = []
        try:
            for start in starts:
                piece, is_last = data[start : start + FILTERED_BYTES], start == starts[-1]
                pieces.append(self._decoded_piece(piece, final and is_last))
        except DecodeError as error:
            error.partial = "".join([*pieces, error.partial])
            raise
        return "".join(pieces)

    def _decoded_piece(self, data: bytes, final: bool) -> str:
        try:
            text = self._decoder.decode(data, final)
        except DecodeError as error:
            error.partial = self._finished(error.partial, True)
            raise
        return self._finished(text, final)

    def _finished(self, text: str, final: bool) -> str:
        """Return decoded text after the other stages, as far as it is certain."""
        if self._blanker is not None:
            text = self._blanker.feed(text, final)
        return text if self._filters is None else self._filters.feed(text, final)

    def note_broken_gzip(self) -> None:
        """Report that the source ended early because its gzip data is damaged."""
        self.log.add("gzip", 1)


_USUAL = (Options(), Options(xml_chars="replace"))
"""What most callers pass: the defaults, and those of `parse`."""


def checked(options: Options) -> Options:
    """Return the options, if all of them can be used.

    Raises:
        TypeError, ValueError: a value that is not allowed.
        UnknownEncoding: an encoding that is no charset of the table, or is never decoded.
        ImportError: mojibake="fix" without ftfy.
    """
    if options in _USUAL:
        return options
    check_options(options.policy, options.default_encoding, options.detector, lenient=options.lenient)
    check_number("lookahead", options.lookahead, "bytes")
    check_option("errors", options.errors, Errors)
    check_option("declaration", options.declaration, Declaration)
    check_option("mojibake", options.mojibake, Mojibake)
    check_option("xml_chars", options.xml_chars, XmlChars)
    if options.encoding is not None:
        forced(options.encoding, Facts(), policy=options.policy, lenient=options.lenient)
    return options


def _raise_again(error: Exception, data: bytes, final: bool) -> NoReturn:
    raise error


def _raise_ended(data: bytes, final: bool) -> str:
    if final and not data:
        return ""
    raise ValueError("the document has ended; call reset() before the next one")


def _copied(attributes: dict[str, Any], memo: dict[int, Any]) -> dict[str, Any]:
    from copy import deepcopy  # here, since importing it takes a millisecond and few decoders are copied

    return deepcopy(attributes, memo)


def _shared(decoder: XmlDecoder) -> dict[int, object]:
    """Return what copies of the state share: the caller's detector, by its id as copy.deepcopy needs it."""
    return {id(one): one for one in (decoder.options.detector, decoder.options)}


def decode(
    body: Buffer,
    content_type: str | bytes | None = None,
    *,
    lenient: bool = True,
    policy: Policy = "rfc3023",
    encoding: str | None = None,
    default_encoding: str | None = None,
    errors: Errors | None = None,
    declaration: Declaration = "blank",
    mojibake: Mojibake = "keep",
    xml_chars: XmlChars = "keep",
    detector: Detector | None = "letters",
    lookahead: int = LOOKAHEAD,
) -> Decoded:
    """Decode a whole document.

    Args:
        body: the document's bytes.
        content_type: the Content-Type field's value; None: the transport said nothing; "": no such field.

    The other options are those of `XmlReader`.

    Returns:
        The text, the resolution and the repairs.

    Raises:
        ResolutionError, DecodeError: only with lenient=False or errors="strict".
        UnknownEncoding: `encoding` or `default_encoding` names no charset that can be read.
        ValueError: an option has a value that is not allowed.
        TypeError: `body` is a str; it is decoded already.
    """
    data = body if type(body) is bytes else as_bytes(body)
    field = content_type if isinstance(content_type, str) else as_field(content_type)
    options = checked(
        Options(
            lenient,
            policy,
            encoding,
            default_encoding,
            ("windows-1252" if lenient else "strict") if errors is None else errors,
            declaration,
            mojibake,
            xml_chars,
            detector,
            lookahead,
        )
    )
    found = decode_whole(data, field, options)
    if isinstance(found, Decoded):
        return found
    decoder = XmlDecoder.of(field, options)
    text = decoder.decode_staged(data, found)
    return Decoded(text, decoder.resolution, decoder.repairs)
