"""Reads a document once, with a decoder for each kind of consumer, and finds where their texts differ.

The head determines the answers of strict consumers. The first non-ASCII byte (or ESC) opens the window on
which the lenient chain decides, exactly as in `XmlDecoder`. From there on each distinct decoder reads every
block, unless two of them certainly give the same text; a comparison ends at the first difference. Memory does
not grow with the document.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.decide.mixture import is_mixture
from feedcharset.decide.opening import conclude, open_document
from feedcharset.evidence.detector import TEXT_BEFORE
from feedcharset.evidence.head_facts import gather_facts
from feedcharset.evidence.window import LOOKAHEAD, Window, first_non_ascii
from feedcharset.results import Resolution
from feedcharset.results.facts import Facts
from feedcharset.results.report import Reading
from feedcharset.validate.consumers import CONSUMERS, StrictAnswer, strict_answers
from feedcharset.validate.positioned_decoder import Piece, PositionedDecoder, TextDifference, decoder_key
from feedcharset.validate.source_blocks import BLOCK, SourceBlocks
from feedcharset.validate.text_positions import Position, TextPositions
from feedcharset.validate.western_text import is_western, without_utf8

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from feedcharset.evidence.detector import Detector

__all__ = ["ReadingComparison", "TextObserver"]


BOM_LENGTH = {None: 0, "UTF-8": 3, "UTF-16BE": 2, "UTF-16LE": 2, "UTF-32BE": 4, "UTF-32LE": 4}

SAMPLE = 64 * 1024
"""Bytes in which letters of another script are searched: enough for a hundred titles."""


class TextObserver(Protocol):
    """Receives the text of a document piece by piece."""

    def lenient_text(
        self, data: bytes, piece: Piece, index: int, decoder: PositionedDecoder, final: bool
    ) -> None:
        """The next piece of the lenient text, its bytes, and the index of its first character."""

    def labelled_as(self, comparison: ReadingComparison) -> Charset | None:
        """The charset in which the document is labelled, once the lenient decision is known."""

    def labelled_text(self, data: bytes, piece: Piece, index: int | None, decoder: PositionedDecoder) -> None:
        """The next piece decoded as labelled. `index`: of its first character, if it is the lenient text."""

    def skips(self, data: bytes, decoder: PositionedDecoder) -> bool:
        """Return True where these bytes need not be decoded as labelled: they hold no possible finding."""


class _OtherReading:
    """A strict reading that differs from the lenient one."""

    def __init__(self, decoder: PositionedDecoder, main: PositionedDecoder) -> None:
        self.decoder = decoder
        self.difference = TextDifference(main, decoder)


class ReadingComparison:
    """The comparison of all readings of one document.

    Args:
        blocks: the document.
        content_type: the field's value; None: there is no transport; "": no such field.
        policy: the tables of the lenient chain's first step.
        detector: for step L6.
    """

    def __init__(
        self, blocks: SourceBlocks, content_type: str | None, policy: str, detector: Detector | None
    ) -> None:
        self._blocks = iter(blocks)
        self._detector = detector
        self.policy = policy
        self._observer: TextObserver | None = None
        self.positions: TextPositions = TextPositions()
        self.needs_superset = False
        """The text has characters that only the superset of the named charset has."""
        self.first_non_ascii: Position | None = None
        """The first non-ASCII byte (or ESC) of an ASCII-compatible document."""
        self.head: bytes
        self.sample: bytes = b""
        """The bytes from the first non-ASCII one on, SAMPLE of them."""
        self.head, self._whole = next(self._blocks)
        self._opening = open_document(self.head, content_type, policy=policy, complete=self._whole)
        strict = gather_facts(self.head, content_type, lenient=False, complete=self._whole)
        self.resolution: Resolution = self._opening.decision
        self.strict_facts = strict
        self.answers: dict[str, StrictAnswer] = strict_answers(strict)
        self._main = PositionedDecoder(by_name("US-ASCII"), lenient=False, offset=self.facts.body.start)
        self._main_key: tuple[str, bool] | None = None
        self._keys = {
            name: decoder_key(answer.charset, lenient=False)
            for name, answer in self.answers.items()
            if answer.charset is not None
        }
        self._others: dict[tuple[str, bool], _OtherReading] = {}
        self._pair: TextDifference | None = None
        self._labelled: PositionedDecoder | None = None
        self._found: dict[object, Position] = {}
        self._head_text: str | None = None

    @property
    def facts(self) -> Facts:
        """The facts, gathered leniently."""
        return self.resolution.facts

    @property
    def bom_length(self) -> int:
        """Bytes of the BOM."""
        return BOM_LENGTH[self.strict_facts.bom]

    @property
    def main_charset(self) -> Charset:
        """The charset of the lenient text."""
        return self._main.charset

    @cached_property
    def western(self) -> bool:
        """The bytes can be text in a Western European charset; known after the decision."""
        mixed = is_mixture(self.resolution)
        return is_western(without_utf8(self.sample) if mixed else self.sample)

    @property
    def head_text(self) -> str:
        """The lenient text of the head, available after the decision."""
        if self._head_text is None:
            decoder = PositionedDecoder(self._main.charset, lenient=True, offset=0)
            self._head_text = decoder.read(self.head[self.facts.body.start :], self._whole).text
        return self._head_text

    def run(self, observer: TextObserver | None = None) -> None:
        """Read the document to its end, once; `observer` receives the text."""
        self._observer = observer
        self._open_others()
        for data, final in self._pieces():
            self._read(data, final)
        for difference in self._open_differences():
            difference.finish()
            self._note(difference, difference.differs)
        self.positions.finish()

    # -- the lenient decision -------------------------------------------------------------------------

    def _pieces(self) -> Iterator[tuple[bytes, bool]]:
        """The document's bytes; the decision is made on the way."""
        data, last = self.head[self.facts.body.start :], self._whole
        if not self._opening.windowed:
            self._decide(self._opening.decision)
            yield data, last
        else:
            yield from self._ascii(data, last)
        yield from self._blocks

    def _ascii(self, data: bytes, last: bool) -> Iterator[tuple[bytes, bool]]:
        before, offset = b"", self.facts.body.start
        while (high := first_non_ascii(data)) < 0:
            if last:
                self._decide(self._opening.if_ascii)
                yield data, True
                return
            yield data, False
            before, offset = (before + data[-TEXT_BEFORE:])[-TEXT_BEFORE:], offset + len(data)
            data, last = next(self._blocks)
        if high:
            yield data[:high], False
            before, offset = (before + data[:high])[-TEXT_BEFORE:], offset + high
        yield from self._window(data[high:], last, before, offset)

    def _window(self, data: bytes, last: bool, before: bytes, offset: int) -> Iterator[tuple[bytes, bool]]:
        held, size = [data], len(data)
        while not last and size <= LOOKAHEAD:
            data, last = next(self._blocks)
            held.append(data)
            size += len(data)
        data = b"".join(held)
        held.clear()
        self.sample = before[-1:] + data[:SAMPLE]
        window = Window(
            data[:LOOKAHEAD],
            ends=last and size <= LOOKAHEAD,
            before=before,
            opening=self.head[self.facts.body.start : offset],
            detector=self._detector,
        )
        self._decide(conclude(self.facts, offset, window, policy=self.policy))
        self.positions.later(self.positions.end, offset, self._note_high, offset + 1)
        for at in range(0, size, BLOCK):
            yield data[at : at + BLOCK], last and at + BLOCK >= size

    def _note_high(self, position: Position) -> None:
        self.first_non_ascii = position

    def _decide(self, resolution: Resolution) -> None:
        """The decision is final: continue with its charset."""
        self.resolution = resolution
        page, charset = "windows-1252", by_name(resolution.encoding)
        if is_mixture(resolution):
            page, charset = charset.superset, by_name("UTF-8")
        self._main = PositionedDecoder(charset, lenient=True, offset=self._main.offset, page=page)
        self._main_key = decoder_key(charset, lenient=True)
        self._others.pop(self._main_key, None)
        for other_reading in self._others.values():
            other_reading.difference.follow(self._main)
        if self._pair is not None and self._main_key in self._policy_keys():
            self._pair = None  # its other reading is compared with the main decoder already
        if self._observer is not None:
            self._open_labelled(self._observer.labelled_as(self))

    def _open_labelled(self, labelled: Charset | None) -> None:
        if labelled is None:
            return
        key = decoder_key(labelled, lenient=False)
        if key == self._main_key:
            self._labelled = self._main
        elif key in self._others:
            self._labelled = self._others[key].decoder
        else:
            self._labelled = PositionedDecoder(labelled, lenient=False, offset=self._main.offset)

    # -- the other readings ---------------------------------------------------------------------------

    def _policy_keys(self) -> tuple[tuple[str, bool] | None, tuple[str, bool] | None]:
        return self._keys.get("rfc3023"), self._keys.get("rfc7303")

    def _open_others(self) -> None:
        """A decoder for each distinct strict reading, at the beginning of the lenient text."""
        start, begin = self.strict_facts.body.start, self.facts.body.start
        for name, key in self._keys.items():
            charset = self.answers[name].charset
            if key not in self._others and charset is not None:
                decoder = PositionedDecoder(charset, lenient=False, offset=start)
                decoder.read(self.head[start:begin], False)
                self._others[key] = _OtherReading(decoder, self._main)
        one, other = self._policy_keys()
        if one and other and one != other:
            self._pair = TextDifference(self._others[one].decoder, self._others[other].decoder)

    def _open_differences(self) -> list[TextDifference]:
        """The comparisons that have found no difference yet."""
        differences = [other_reading.difference for other_reading in self._others.values()]
        if self._pair is not None:
            differences.append(self._pair)
        return [difference for difference in differences if difference.differs is None]

    def _read(self, data: bytes, final: bool) -> None:
        main, index = self._main, self.positions.end
        piece = main.read(data, final)
        self.positions.push(piece.offset, piece.text, piece.bytes_before)
        pieces = {main: piece}

        def read(decoder: PositionedDecoder) -> Piece:
            if decoder not in pieces:
                pieces[decoder] = decoder.read(data, final)
                self._note(decoder, decoder.first_undecodable)
            return pieces[decoder]

        self._note(main, main.first_undecodable)
        if self._observer is not None:
            self._observer.lenient_text(data, piece, index, main, final)
            if self._labelled is not None and not self._observer.skips(data, self._labelled):
                same = index if self._labelled is main else None
                self._observer.labelled_text(data, read(self._labelled), same, self._labelled)
        self._compare(data, final, read)
        decoders = {other_reading.decoder for other_reading in self._others.values()}
        if self._labelled is not None:
            decoders.add(self._labelled)
        for decoder in decoders - pieces.keys():
            decoder.skip(data)

    def _compare(self, data: bytes, final: bool, read: Callable[[PositionedDecoder], Piece]) -> None:
        for difference in self._open_differences():
            if final or not difference.same(data):
                difference.compare(read(difference.one), read(difference.other))
                self._note(difference, difference.differs)

    def _note(self, what: object, offset: int | None) -> None:
        """Have the position of a first undecodable byte, or of a first difference, computed once."""
        if offset is not None and what not in self._found:
            self._found[what] = Position(offset, 0, 0)

            def receive(position: Position) -> None:
                self._found[what] = position

            self.positions.later(self.positions.index(offset), offset, receive, offset + 1)

    # -- results ------------------------------------------------------------------------------

    def readings(self) -> tuple[Reading, ...]:
        """What each kind of consumer reads, in the order of CONSUMERS."""
        return tuple(
            self._reading(self.answers[consumer.id])
            if consumer.policy is not None
            else Reading(consumer.id, self.resolution.encoding, self.resolution.rule, "same")
            for consumer in CONSUMERS
        )

    def _reading(self, answer: StrictAnswer) -> Reading:
        reading = Reading(answer.consumer, answer.encoding, answer.rule, "same", answer.why)
        key = self._keys.get(answer.consumer)
        if key is None:
            return reading._replace(outcome="refuses")
        other_reading = self._others.get(key)
        stop = self._found.get(other_reading.decoder if other_reading else self._main)
        other = self._found.get(other_reading.difference) if other_reading else None
        if other is not None and (stop is None or other.offset < stop.offset):
            return _placed(reading._replace(outcome="differs"), other)
        return _placed(reading._replace(outcome="stops"), stop) if stop else reading

    def position_of(self, consumer: str) -> Position | None:
        """Where a strict consumer stops, or first reads other text."""
        reading = next(reading for reading in self.readings() if reading.consumer == consumer)
        return next((place for place in self._found.values() if place.offset == reading.offset), None)

    def policies_differ(self) -> Position | None:
        """The first position where RFC 3023 and RFC 7303 give different text."""
        one, other = self._policy_keys()
        if one is None or other is None or one == other:
            return None
        if self._pair is not None:
            return self._found.get(self._pair)
        other_reading = self._others[other if one == self._main_key else one]
        return self._found.get(other_reading.difference)


def _placed(reading: Reading, position: Position) -> Reading:
    return reading._replace(offset=position.offset, line=position.line, column=position.column)
