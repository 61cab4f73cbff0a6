"""Reads a document once, with a decoder for each kind of consumer, and finds where their texts differ.

The head determines the answers of strict consumers. The first non-ASCII byte (or ESC) opens the window on
which the lenient chain decides, exactly as in `XmlDecoder`. Each distinct decoder reads every block, until it
has given other text than the one that it is compared with.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache, partial
from typing import NamedTuple

from feedcharset.charsets import lazy_value
from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.charsets.undecodable_bytes import CharsetDecoder, first_undecodable
from feedcharset.decide.lenient_chain import GUESSING_STEPS
from feedcharset.decide.lenient_principles import is_mixture
from feedcharset.decide.published_tables import Row
from feedcharset.decide.resolve import REMEMBERED, WELL_FORMED, conclude, open_document
from feedcharset.decide.strict_decision import ERRORS, apply_rules, readable
from feedcharset.decide.thresholds import tolerable_utf8
from feedcharset.errors import ResolutionError
from feedcharset.evidence.content_type import EXTERNAL_TYPES
from feedcharset.evidence.declaration import Declaration, parse_declaration
from feedcharset.evidence.detector import LOOKAHEAD, TEXT_BEFORE, Detector
from feedcharset.evidence.document_head import byte_form, first_non_ascii, fits_form, gather_facts, sniff_bom
from feedcharset.evidence.scripts import BEYOND_ASCII
from feedcharset.evidence.window import Window
from feedcharset.results import Facts, Resolution
from feedcharset.results.report import Reading
from feedcharset.text.byte_replacement import Utf8ByteCounter
from feedcharset.validate.text_blocks import (
    Position,
    PositionedDecoder,
    SourceBlocks,
    TextBlock,
    TextPiece,
    decoder_key,
)

REPLACED_RULE = "2.1"
"""The rule that RFC 7303 withdrew: text/xml without a charset is sent for documents in any encoding."""

TYPE_OF_ROOT = {"rss": "application/rss+xml", "feed": "application/atom+xml", "rdf": "application/rdf+xml"}
"""The media type of a format, by the local name of its root element in lower case (RFC 4287 §7,
RFC 3870; that of RSS is used but not registered)."""

FACTS_HEAD = 32 * 1024
"""Bytes from which facts are gathered; the declaration must end in them (20 KiB)."""

SAMPLE = 64 * 1024
"""Bytes in which letters of another script are searched: enough for a hundred titles."""

_ROOT_TAG = re.compile(
    r"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?:\[[^\]]*+\]\s*)?>)*+"
    r"<(?![!?])(?:[^\s<>/:\"'=]{1,64}:)?([^\s<>/:\"'=]{1,64})(?=[\s/>])",
    re.DOTALL,
)


# -- the consumers ----------------------------------------------------------------------------------------


class Consumer(NamedTuple):
    """One kind of consumer."""

    id: str
    title: str
    policy: str | None
    """The tables that it follows; None: the lenient chain."""
    http: bool
    """It knows the Content-Type."""


CONSUMERS: tuple[Consumer, ...] = (
    Consumer("rfc3023", "RFC 3023", "rfc3023", True),
    Consumer("rfc7303", "RFC 7303", "rfc7303", True),
    Consumer("no-http", "without HTTP", "rfc3023", False),
    Consumer("lenient", "lenient", None, True),
)


class StrictAnswer(NamedTuple):
    """What a strict consumer does with a document's beginning."""

    reading: Reading
    """What it reads if that is the lenient text to the end; "refuses" where it is known to refuse."""
    charset: Charset | None = None
    """What it decodes with; None where it refuses."""
    key: tuple[str, bool] | None = None
    """That of its decoder."""
    row: Row | None = None
    """The row that is an error."""


def describe_reading(reading: Reading) -> tuple[str, str]:
    """A reading for people: the consumer, and what it reads; without markup."""
    title = next(consumer.title for consumer in CONSUMERS if consumer.id == reading.consumer)
    if reading.outcome == "refuses":
        return title, f"refuses the document (rule {reading.rule}): {reading.why}"
    place = f"byte {reading.offset} (line {reading.line}, column {reading.column})"
    then = {
        "same": "",
        "differs": f": other text than lenient reading from {place} on",
        "stops": f": stops at {place}, which is not {reading.encoding}",
    }[reading.outcome]
    return title, f"reads {reading.encoding} (rule {reading.rule}){then}"


def _answer(consumer: Consumer, facts: Facts) -> StrictAnswer:
    """The answer of a strict consumer on facts that were gathered strictly."""
    assert consumer.policy is not None
    if not consumer.http:
        facts = facts._replace(content_type=None, media_type=None, media_class="NONE", charset=None)
    answer = apply_rules(facts, consumer.policy)
    row = answer.rows[-1]
    if row.then in ERRORS:
        return StrictAnswer(Reading(consumer.id, None, answer.rule, "refuses", row.why), row=row)
    encoding = answer.encoding or ""
    try:
        charset = readable(Resolution(encoding, None, answer.rule, (), facts))
    except ResolutionError as error:
        return StrictAnswer(Reading(consumer.id, encoding, answer.rule, "refuses", error.problem))
    reading = Reading(consumer.id, encoding, answer.rule, "same")
    return StrictAnswer(reading, charset, decoder_key(charset.name, False))


@lru_cache(maxsize=REMEMBERED)
def _read_strictly(
    head: bytes, content_type: str | None, complete: bool = False
) -> tuple[Facts, dict[str, StrictAnswer], set[object]]:
    """The facts, gathered strictly, the answers of all strict consumers, and the kinds of documents (`kind`)
    without findings.

    Remembered is what depends on a declaration alone (`Opening.declaration`).
    """
    facts = gather_facts(head, content_type, lenient=False, complete=complete)
    strict = [consumer for consumer in CONSUMERS if consumer.policy is not None]
    return facts, {consumer.id: _answer(consumer, facts) for consumer in strict}, set()


# -- two of them ------------------------------------------------------------------------------------------


class TextDifference:
    """Two decoders, and the first position where their text differs."""

    def __init__(self, one: PositionedDecoder, other: PositionedDecoder) -> None:
        self.one = one
        self.other = other
        self.differs: int | None = None
        """Byte offset, counted by the first decoder."""
        self._rest = ("", "")

    def compare(self, one: TextPiece, other: TextPiece, final: bool) -> None:
        """Compare the next pieces. At the end, text that only one of them has is a difference."""
        before = len(self._rest[0])
        left = self._rest[0] + self.one.replaced(one)
        right = self._rest[1] + self.other.replaced(other)
        length = min(len(left), len(right))
        self._rest = (left[length:], right[length:])
        if left[:length] != right[:length]:
            length = bisect_left(range(length), True, key=lambda at: left[: at + 1] != right[: at + 1])
        elif not final or len(left) == len(right):
            return
        # A rest is at most a few characters before the piece; the start of the piece is used for it.
        self.differs = one.offset_of(min(max(0, length - before), len(one.text)))


# -- all of them ------------------------------------------------------------------------------------------


class ReadingComparison:
    """The comparison of all readings of one document."""

    def __init__(
        self, blocks: SourceBlocks, content_type: str | None, policy: str, detector: Detector | None
    ) -> None:
        self.source = blocks
        self._blocks = iter(blocks)
        self._detector = detector
        self.policy = policy
        self.end: int = 0
        """Bytes of the document; known at its end."""
        self.needs_superset = False
        """The text has characters that only the superset of the named charset has."""
        self.has_utf8 = False
        """There is UTF-8 among the text of another charset; set at the end of a check."""
        self.sample: bytes = b""
        """The bytes from the one before the first non-ASCII one on, SAMPLE of them."""
        self._first, self._whole = next(self._blocks)
        self.head: bytes = self._first[:FACTS_HEAD]
        complete = self._whole and len(self._first) <= FACTS_HEAD
        self._opening = open_document(self.head, content_type, policy=policy, complete=complete)
        self.resolution: Resolution = self._opening.decision
        remembered = self._opening.declaration
        strictly = (
            _read_strictly.__wrapped__(self.head, content_type, complete)
            if remembered is None
            else _read_strictly(remembered, content_type)
        )
        self.strict_facts: Facts = strictly[0]
        self.answers: dict[str, StrictAnswer] = strictly[1]
        self.without_findings: set[object] = strictly[2]
        self.block: TextBlock = TextBlock(self.head[: self.facts.body.start])
        self._main = PositionedDecoder(by_name("US-ASCII"), lenient=False, offset=self.facts.body.start)
        self._high: int | None = None
        """Offset of the first non-ASCII byte, until its text is known."""
        self.first_non_ascii: Position | None = None
        """The first non-ASCII byte (or ESC) of an ASCII-compatible document; known at its end."""
        self._main_key: tuple[str, bool] | None = None
        self._others: dict[tuple[str, bool], TextDifference] = {}
        """The strict readings that differ from the lenient one, each with the first difference."""
        self._pair: TextDifference | None = None
        """The first difference between the two policies, where neither reads the lenient text."""
        self._labelled: PositionedDecoder | None = None
        self._text: str | None = None
        """The text of a document that is one piece, all of which decodes, where the decision needed it."""
        self._engine: CharsetDecoder | None = None
        """The decoder that has read it, in an East Asian charset."""
        self._found: dict[object, Position] = {}
        """The first undecodable byte of a decoder, and the first difference of two."""

    @property
    def facts(self) -> Facts:
        """The facts, gathered leniently."""
        return self.resolution.facts

    @property
    def first_undecodable(self) -> Position | None:
        """The first byte that the charset of the lenient text does not have; known at the end."""
        return self._found.get(self._main)

    @property
    def bom_length(self) -> int:
        """Bytes of the BOM."""
        return sniff_bom(self.head)[1]

    @property
    def main_charset(self) -> Charset:
        """The charset of the lenient text."""
        return self._main.charset

    @lazy_value
    def head_block(self) -> TextBlock:
        """The lenient text of the head, available when the document has been read."""
        if self.end > 0 and not self.block.before:  # it has been read, and the block holds all of it
            return self.block
        start = self.facts.body.start
        block = TextBlock(self.head[:start])
        decoder = PositionedDecoder(self._main.charset, lenient=True, offset=start, head=self.head[start:])
        block.push(decoder.read(self.head[start:], False), True)
        return block

    @lazy_value
    def declaration(self) -> Declaration | None:
        """The XML declaration."""
        return parse_declaration(self.head_block.text)

    @lazy_value
    def root(self) -> str | None:
        """The local name of the root element, if it is in the head."""
        return root_element(self.head_block.text)

    def whole_utf8(self) -> TextPiece | None:
        """The document, if its window ends it, and it is well-formed UTF-8 of a kind that had no findings,
        with non-ASCII characters; else None. Its decision is made; `read` reads it none the less."""
        opening, start = self._opening, self.facts.body.start
        if not self.without_findings or opening.if_utf8 is None:
            return None
        data = self._first[start:]
        high = first_non_ascii(data)
        if high < 0 or data[high] < 0x80:
            return None
        if not self._whole:
            data, self._whole = self._held(data, False, high)
            self._first = self._first[:start] + data
            if not self._whole:
                return None
        if not opening.decided_by_utf8(data):
            return None
        try:
            text = self._text = data.decode()
        except UnicodeDecodeError:
            return None
        if (self.policy, root_element(text), WELL_FORMED) not in self.without_findings:
            return None
        self.resolution = opening.well_formed(start + high, True)
        return TextPiece(start, text, -1, Utf8ByteCounter(text), data, by_name("UTF-8"))

    @property
    def kind(self) -> object:
        """All that the findings about the whole document depend on, beside its declaration and Content-Type;
        None where they depend on more: it is no feed in UTF-8 that all read alike."""
        body, root = self.facts.body, self.root
        alike = self.main_charset.name == "UTF-8" and root in ("rss", "feed", "RDF") and not self._found
        if not alike or (body.first_non_ascii is not None and body.utf8 is not WELL_FORMED):
            return None
        return None if self.head_block.misplaced_declaration else (self.policy, root, body.utf8)

    def read(self) -> Iterator[tuple[TextPiece, TextPiece | None, bool]]:
        """Read the document to its end, once.

        Yields:
            The next piece of the lenient text; the text of the same bytes in the charset in which undecodable
            ones are reported, once the decision is made, or None; and whether it is the last one.
        """
        for data, final in self._pieces():
            yield self._decoded(data, final)
        self.end = self._main.offset

    # -- the lenient decision -----------------------------------------------------------------------------

    def _pieces(self) -> Iterator[tuple[bytes, bool]]:
        """The document's bytes; the decision is made on the way."""
        data, last = self._first[self.facts.body.start :], self._whole
        self._first = b""
        if not self._opening.windowed:
            self._decide(self._opening.decision)
        else:
            before = b""
            while (high := first_non_ascii(data)) < 0 and not last:
                self._compare()
                yield data, False
                before = (before + data[-TEXT_BEFORE:])[-TEXT_BEFORE:]
                data, last = next(self._blocks)
            if high < 0:
                self._decide(self._opening.if_ascii)
            else:
                data, last = self._window(data, last, high, before)
                self._decide(self.resolution)
                # An escape sequence counts for the character before it, but for one that begins a piece.
                if high and self.main_charset.family == "ISO-2022-JP":
                    yield data[:high], False
                    data = data[high:]
        yield data, last
        yield from self._blocks

    def _window(self, data: bytes, last: bool, high: int, before: bytes) -> tuple[bytes, bool]:
        """Decide on the window that opens at data[high], and return the bytes up to its end."""
        data, last = self._held(data, last, high)
        if last and self._text is None and self._opening.decided_by_utf8(data):
            with suppress(UnicodeDecodeError):
                self._text = data.decode()
        offset = self._main.offset + high
        before = (before + data[max(high - TEXT_BEFORE, 0) : high])[-TEXT_BEFORE:]
        self.sample = before[-1:] + data[high : high + SAMPLE]
        if self._text is not None:
            self.resolution = self._opening.well_formed(offset, True)
        else:
            window = Window(
                data[high : high + LOOKAHEAD],
                ends=last and len(data) - high <= LOOKAHEAD,
                before=before,
                beginning=self.head[self.facts.body.start : offset],
                detector=self._detector,
            )
            self.resolution = conclude(self._opening, offset, window, policy=self.policy)
            charset = by_name(self.resolution.encoding)
            if window.ends and charset.family == "CJK" and (known := window.decoded(charset)) is not None:
                self._text, self._engine = data[:high].decode() + known[0], known[1]
                if is_mixture(self.resolution) or first_undecodable(known[0]) >= 0:
                    self._text = self._engine = None
        # An ESC that begins no ISO-2022-JP is a control character of any encoding.
        of_jis = self.resolution.encoding == "ISO-2022-JP" or data[high] != 0x1B
        beyond = None if of_jis else BEYOND_ASCII.search(data, high)
        self._high = offset + (beyond.start() - high if beyond else 0)
        return data, last

    def _held(self, data: bytes, last: bool, high: int) -> tuple[bytes, bool]:
        """Return the bytes up to the end of the window that opens at data[high]."""
        held, size = [data], len(data) - high
        while not last and size <= LOOKAHEAD:
            more, last = next(self._blocks)
            held.append(more)
            size += len(more)
        return b"".join(held), last

    def _decide(self, resolution: Resolution) -> None:
        """The decision is final: continue with its charset."""
        self.resolution = resolution
        page, charset = None, by_name(resolution.encoding)
        if is_mixture(resolution):
            page, charset = charset.superset, by_name("UTF-8")
        offset, head = self._main.offset, self.head[self.facts.body.start :]
        self._main = PositionedDecoder(charset, lenient=True, offset=offset, page=page, head=head)
        if self._engine is not None:
            self._main.engine = self._engine
        self._main_key = decoder_key(charset.name, True)
        self._others.pop(self._main_key, None)
        for difference in self._others.values():
            difference.one = self._main
        self._compare()
        if (labelled := labelled_charset(self)) is not None:
            key = decoder_key(labelled.name, False)
            if key == self._main_key or (charset == labelled and charset.family == "UTF-16"):
                self._labelled = self._main  # of UTF-16 it finds the byte that is lost
            elif key in self._others:
                self._labelled = self._others[key].other
            else:
                self._labelled = PositionedDecoder(labelled, lenient=False, offset=self._main.offset)

    # -- the readings -------------------------------------------------------------------------------------

    def _compare(self) -> None:
        """Begin the strict readings that differ from the lenient one, or may until the decision."""
        start, begin = self.strict_facts.body.start, self.facts.body.start
        for _, charset, key, _ in self.answers.values():
            if charset is not None and key is not None and key != self._main_key and key not in self._others:
                decoder = PositionedDecoder(charset, lenient=False, offset=start)
                decoder.read(self.head[start:begin], False)
                self._others[key] = TextDifference(self._main, decoder)
        one, other = self.answers["rfc3023"].key, self.answers["rfc7303"].key
        if self._pair is None and one != other and one in self._others and other in self._others:
            pair = [self._others[key].other for key in (one, other)]
            # The first one counts the bytes: half a character is no place in the text.
            pair.sort(key=lambda decoder: decoder.charset.family not in ("UTF-16", "UTF-32"))
            self._pair = TextDifference(*pair)

    def _decoded(self, data: bytes, final: bool) -> tuple[TextPiece, TextPiece | None, bool]:
        """Decode the next bytes with each decoder that is still needed, and compare what they give."""
        main, labelled = self._main, self._labelled
        differences = [one for one in (*self._others.values(), self._pair) if one and one.differs is None]
        piece = main.read(data, final, self._text)
        self._text, pieces = None, {main: piece}
        for decoder in (labelled, *(one for pair in differences for one in (pair.one, pair.other))):
            if decoder is not None and decoder not in pieces:
                alike = piece.undecodable < 0 and main.reads_alike(decoder, data)
                pieces[decoder] = decoder.read(data, final, piece.text if alike else None)
        self.block.push(piece, final)
        if labelled is not None and labelled.charset.family == main.charset.family == "single":
            pieces[labelled].first = piece.first  # the bytes are as many characters in both
        if self._high is not None:
            index = (piece.first or 0) + self._high - piece.offset  # what stands before it is ASCII
            receive = partial(setattr, self, "first_non_ascii")
            self.block.place(self._high, None, receive, (index, index + 1))
            self._high = None
        for decoder in pieces:
            self._note(decoder, decoder.first_undecodable)
        for difference in differences:
            difference.compare(pieces[difference.one], pieces[difference.other], final)
            self._note(difference, difference.differs)
        return piece, pieces[labelled] if labelled is not None else None, final

    def _note(self, what: object, offset: int | None) -> None:
        """Have the position of a first undecodable byte, or of a first difference, computed once."""
        if offset is not None and what not in self._found:
            if what is self._pair and self._main.charset.family in ("UTF-16", "UTF-32"):  # within a character
                offset = self.block.offset(self.block.index(offset))
            self._found[what] = Position(offset, 0, 0)
            self.block.place(offset, None, partial(self._found.__setitem__, what))

    def readings(self) -> tuple[Reading, ...]:
        """What each kind of consumer reads, in the order of CONSUMERS."""
        lenient = Reading("lenient", self.resolution.encoding, self.resolution.rule, "same")
        if not self._found:
            return (*(answer.reading for answer in self.answers.values()), lenient)
        return (*map(self._reading, self.answers.values()), lenient)

    def _reading(self, answer: StrictAnswer) -> Reading:
        reading = answer.reading
        if answer.key is None:
            return reading
        difference = self._others.get(answer.key)
        stop = self._found.get(difference.other if difference else self._main)
        other = self._found.get(difference) if difference else None
        if other is not None and (stop is None or other.offset < stop.offset):
            reading, place = reading._replace(outcome="differs"), other
        elif stop is not None:
            reading, place = reading._replace(outcome="stops"), stop
        else:
            return reading
        return reading._replace(offset=place.offset, line=place.line, column=place.column)

    def position_of(self, reading: Reading) -> Position | None:
        """Where a strict consumer stops, or first reads other text."""
        return next((place for place in self._found.values() if place.offset == reading.offset), None)

    def policies_differ(self) -> Position | None:
        """The first position where RFC 3023 and RFC 7303 give different text."""
        one, other = self.answers["rfc3023"].key, self.answers["rfc7303"].key
        if one is None or other is None or one == other:
            return None
        if self._pair is not None:
            return self._found.get(self._pair)
        return self._found.get(self._others[other if one == self._main_key else one])


def root_element(head: str) -> str | None:
    """The local name of the root element, if it is in the head."""
    start = _ROOT_TAG.match(head)
    return start[1] if start else None


def media_type_for(facts: Facts, root: str | None) -> str:
    """The media type to send: the present one, where it is a specific XML type; else by the root element."""
    proper = TYPE_OF_ROOT.get((root or "").lower())
    if facts.media_type in EXTERNAL_TYPES:  # what is no error in an entity may be one in a document
        return facts.media_type.replace("text/", "application/")
    if proper and facts.media_type in ("application/rss+xml", proper):
        # RSS 1.0 is sent as either.
        return proper if root == "feed" else facts.media_type
    if facts.media_class == "APP-XML" and facts.media_type and facts.media_type not in TYPE_OF_ROOT.values():
        return facts.media_type
    return proper or "application/xml"


# -- what names the encoding, and whether that is right ---------------------------------------------------


def known(label: str | None) -> Charset | None:
    """The charset that a label names, also a misspelt one; None for an unknown or refused one."""
    charset = lookup(label, lenient=True) if label else None
    return charset if charset is not None and not charset.refused else None


def agree(one: Charset, other: Charset) -> bool:
    """The same charset, or the one is the other with its byte order."""
    generic = one.name in ("UTF-16", "UTF-32") or other.name in ("UTF-16", "UTF-32")
    return one.name == other.name or (generic and one.family == other.family)


def labelled_answer(comparison: ReadingComparison) -> StrictAnswer:
    """The answer of the policy; the answer without HTTP where the Content-Type names no encoding."""
    answer = comparison.answers[comparison.policy]
    unnamed = answer.row is not None and not comparison.strict_facts.charset
    return comparison.answers["no-http"] if answer.reading.rule == REPLACED_RULE or unnamed else answer


def labelled_charset(comparison: ReadingComparison) -> Charset | None:
    """The charset in which undecodable bytes are reported; None where the document is in two charsets.

    It is the labelled one, unless the bytes contradict the label as a whole: that is one finding, and not
    one for each byte.
    """
    stated, read = labelled_answer(comparison).charset, comparison.main_charset
    if stated is read:
        return read
    if is_mixture(comparison.resolution):
        return None
    if stated is None or is_plainly_utf8(comparison) or not fits_form(stated, byte_form(comparison.facts)):
        return read
    return read if stated.decodes_every_byte and stated.family != "US-ASCII" else stated


def is_plainly_utf8(comparison: ReadingComparison) -> bool:
    """Return True where the lenient text is UTF-8, and not only because no other candidate fits better."""
    utf8 = comparison.facts.body.utf8
    plain = comparison.main_charset.name == "UTF-8" and (utf8 is None or tolerable_utf8(utf8))
    return plain and not has_damaged_escapes(comparison)


def _labels(comparison: ReadingComparison) -> Iterator[Charset]:
    """The charsets that the Content-Type and the declaration name."""
    labels = known(comparison.strict_facts.charset), known(comparison.facts.declared)
    return (charset for charset in labels if charset is not None)


def has_stray_escapes(data: bytes, resolution: Resolution, *labels: Charset | None) -> bool:
    """Return True where bytes that are labelled ISO-2022-JP have its escape sequences and are read otherwise:
    these are damaged, or there is text in UTF-8, too."""
    labelled = any(charset is not None and charset.family == "ISO-2022-JP" for charset in labels)
    return labelled and b"\x1b" in data and resolution.encoding != "ISO-2022-JP"


def has_damaged_escapes(comparison: ReadingComparison) -> bool:
    """Return True where a document has stray escapes (`has_stray_escapes`)."""
    return has_stray_escapes(comparison.sample, comparison.resolution, *_labels(comparison))


def is_unnamed(comparison: ReadingComparison) -> bool:
    """Return True where nothing names the encoding reliably: the lenient reading is a guess.

    The first bytes of EBCDIC show the family, and no code page.
    """
    if comparison.main_charset.family == "EBCDIC":
        return not any(charset.family == "EBCDIC" for charset in _labels(comparison))
    return comparison.resolution.rule.rpartition("/")[2] in GUESSING_STEPS and not is_plainly_utf8(comparison)
