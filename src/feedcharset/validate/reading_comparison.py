"""One pass over a document: the lenient decision, the lenient text, and beside it what others read.

The head decides what strict consumers do. While all is US-ASCII, so is the text; the first octet over 7F, or
ESC, opens the window on which the lenient chain decides, exactly as in `XmlDecoder`. From there on each
distinct decoder reads every block, unless two of them certainly read the same; a comparison ends where they
differ. Nothing grows with the document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedcharset.charsets.lookup import Charset, by_name
from feedcharset.decide.lenient_chain import WINDOWED, is_mixture, shape_of
from feedcharset.decide.resolve import conclude, open_document
from feedcharset.evidence.facts import gather_facts
from feedcharset.evidence.window import LOOKAHEAD, Window, first_high
from feedcharset.results.facts import Facts
from feedcharset.results.report import Reading
from feedcharset.results.resolution import Resolution
from feedcharset.validate.consumers import CONSUMERS, Verdict, strict_verdicts
from feedcharset.validate.parallel_decoders import Comparison, Piece, Voice, voice_key
from feedcharset.validate.source_blocks import BLOCK, Blocks
from feedcharset.validate.text_positions import Place, Places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Examination", "Watch"]


class Watch(Protocol):
    """Who looks at the text as it passes."""

    def look(self, octets: bytes, piece: Piece, index: int, voice: Voice, final: bool) -> None:
        """The next piece of the lenient text, its octets, and the index of its first character."""

    def claimed(self, examination: Examination) -> Charset | None:
        """The charset that the document claims to be in, once the lenient decision is known."""

    def judge(self, octets: bytes, piece: Piece, index: int | None, voice: Voice) -> None:
        """The next piece as it is claimed to be; `index`: where that is the lenient text, too."""

    def skips(self, octets: bytes, voice: Voice) -> bool:
        """Nothing in these octets is worth judging, and no character goes on beyond them."""


class _Rival:
    """A strict reading that is not the lenient one."""

    def __init__(self, voice: Voice, main: Voice) -> None:
        self.voice = voice
        self.comparison = Comparison(main, voice)


class Examination:
    """The pass, and what came of it.

    Args:
        blocks: the document.
        content_type: the field's value; None: the transport said nothing; "": no such field.
        policy: the tables of the lenient chain's first step.
    """

    def __init__(self, blocks: Blocks, content_type: str | None, policy: str) -> None:
        self._blocks = iter(blocks)
        self.policy = policy
        self._watch: Watch | None = None
        self.places = Places()
        self.needs_superset = False
        """The text holds what the named charset does not know, and its superset does."""
        self.first_high: Place | None = None
        """The first octet over 7F, or ESC, in an ASCII-compatible document."""
        self.head, self._whole = next(self._blocks)
        self._opening = open_document(self.head, content_type, True, policy, None, self._whole)
        strict = gather_facts(self.head, content_type, lenient=False, complete=self._whole)
        self.resolution: Resolution = self._opening.decision
        self.strict_facts = strict
        self.verdicts: dict[str, Verdict] = strict_verdicts(strict)
        self._main = Voice(by_name("US-ASCII"), lenient=False, offset=self.facts.body.start)
        self._main_key: tuple[str, bool] | None = None
        self._keys = {
            name: voice_key(verdict.charset, lenient=False)
            for name, verdict in self.verdicts.items()
            if verdict.charset is not None
        }
        self._rivals: dict[tuple[str, bool], _Rival] = {}
        self._pair: Comparison | None = None
        self._judged: Voice | None = None
        self._found: dict[object, Place] = {}
        self._head_text: str | None = None

    @property
    def facts(self) -> Facts:
        """What was seen, leniently."""
        return self.resolution.facts

    @property
    def main_charset(self) -> Charset:
        """What the lenient text is read with."""
        return self._main.charset

    @property
    def head_text(self) -> str:
        """The lenient text of the head; known once the decision is."""
        if self._head_text is None:
            voice = Voice(self._main.charset, lenient=True, offset=0)
            self._head_text = voice.read(self.head[self.facts.body.start :], self._whole).text
        return self._head_text

    def run(self, watch: Watch | None = None) -> None:
        """Read the document to its end, once; `watch` looks at the text."""
        self._watch = watch
        self._open_rivals()
        for octets, final in self._pieces():
            self._read(octets, final)
        for comparison in self._comparisons():
            comparison.finish()
            self._note(comparison, comparison.differs)
        self.places.finish()

    # -- the lenient decision -------------------------------------------------------------------------

    def _pieces(self) -> Iterator[tuple[bytes, bool]]:
        """The document's octets; the decision is made on the way."""
        octets, last = self.head[self.facts.body.start :], self._whole
        if shape_of(self.facts) not in WINDOWED:
            self._become(self._opening.decision)
            yield octets, last
        else:
            yield from self._ascii(octets, last)
        yield from self._blocks

    def _ascii(self, octets: bytes, last: bool) -> Iterator[tuple[bytes, bool]]:
        before, offset = b"", self.facts.body.start
        while (high := first_high(octets)) < 0:
            if last:
                self._become(self._opening.if_ascii)
                yield octets, True
                return
            yield octets, False
            before, offset = octets[-1:] or before, offset + len(octets)
            octets, last = next(self._blocks)
        if high:
            yield octets[:high], False
            before, offset = octets[high - 1 : high], offset + high
        yield from self._window(octets[high:], last, before, offset)

    def _window(self, octets: bytes, last: bool, before: bytes, offset: int) -> Iterator[tuple[bytes, bool]]:
        held, size = [octets], len(octets)
        while not last and size <= LOOKAHEAD:
            octets, last = next(self._blocks)
            held.append(octets)
            size += len(octets)
        octets = b"".join(held)
        held.clear()
        window = Window(
            octets[:LOOKAHEAD],
            ends=last and size <= LOOKAHEAD,
            before=before,
            opening=self.head[self.facts.body.start : offset],
        )
        self._become(conclude(self.facts, offset, window, policy=self.policy))
        self.places.later(self.places.end, offset, self._note_high)
        for at in range(0, size, BLOCK):
            yield octets[at : at + BLOCK], last and at + BLOCK >= size

    def _note_high(self, place: Place) -> None:
        self.first_high = place

    def _become(self, resolution: Resolution) -> None:
        """The decision is final: read on with its charset."""
        self.resolution = resolution
        charset = by_name("UTF-8" if is_mixture(resolution) else resolution.encoding)
        self._main = Voice(charset, lenient=True, offset=self._main.offset)
        self._main_key = voice_key(charset, lenient=True)
        self._rivals.pop(self._main_key, None)
        for rival in self._rivals.values():
            rival.comparison.follow(self._main)
        if self._pair is not None and self._main_key in self._policy_keys():
            self._pair = None  # its rival is compared with the main voice already
        if self._watch is not None:
            self._judge(self._watch.claimed(self))

    def _judge(self, claimed: Charset | None) -> None:
        if claimed is None:
            return
        key = voice_key(claimed, lenient=False)
        if key == self._main_key:
            self._judged = self._main
        elif key in self._rivals:
            self._judged = self._rivals[key].voice
        else:
            self._judged = Voice(claimed, lenient=False, offset=self._main.offset)

    # -- the other readings ---------------------------------------------------------------------------

    def _policy_keys(self) -> tuple[tuple[str, bool] | None, tuple[str, bool] | None]:
        return self._keys.get("rfc3023"), self._keys.get("rfc7303")

    def _open_rivals(self) -> None:
        """A voice for each distinct strict reading, at the beginning of the lenient text."""
        start, begin = self.strict_facts.body.start, self.facts.body.start
        for name, key in self._keys.items():
            charset = self.verdicts[name].charset
            if key not in self._rivals and charset is not None:
                voice = Voice(charset, lenient=False, offset=start)
                voice.read(self.head[start:begin], False)
                self._rivals[key] = _Rival(voice, self._main)
        one, other = self._policy_keys()
        if one and other and one != other:
            self._pair = Comparison(self._rivals[one].voice, self._rivals[other].voice)

    def _comparisons(self) -> list[Comparison]:
        """Those that have found nothing yet."""
        comparisons = [rival.comparison for rival in self._rivals.values()]
        if self._pair is not None:
            comparisons.append(self._pair)
        return [comparison for comparison in comparisons if comparison.differs is None]

    def _read(self, octets: bytes, final: bool) -> None:
        main, index = self._main, self.places.end
        piece = main.read(octets, final)
        self.places.push(piece.offset, piece.text, main.engine.width)
        pieces = {main: piece}

        def read(voice: Voice) -> Piece:
            if voice not in pieces:
                pieces[voice] = voice.read(octets, final)
                self._note(voice, voice.first_mark)
            return pieces[voice]

        self._note(main, main.first_mark)
        if self._watch is not None:
            self._watch.look(octets, piece, index, main, final)
            if self._judged is not None and not self._watch.skips(octets, self._judged):
                same = index if self._judged is main else None
                self._watch.judge(octets, read(self._judged), same, self._judged)
        self._compare(octets, final, read)
        voices = {rival.voice for rival in self._rivals.values()}
        if self._judged is not None:
            voices.add(self._judged)
        for voice in voices - pieces.keys():
            voice.skip(octets)

    def _compare(self, octets: bytes, final: bool, read: Callable[[Voice], Piece]) -> None:
        for comparison in self._comparisons():
            if final or not comparison.same(octets):
                comparison.hold(read(comparison.one), read(comparison.other))
                self._note(comparison, comparison.differs)

    def _note(self, what: object, offset: int | None) -> None:
        """Have the place of a first mark, or of a first difference, worked out once."""
        if offset is not None and what not in self._found:
            self._found[what] = Place(offset, 0, 0)

            def receive(place: Place) -> None:
                self._found[what] = place

            self.places.later(self.places.index(offset), offset, receive)

    # -- what came of it ------------------------------------------------------------------------------

    def readings(self) -> tuple[Reading, ...]:
        """What each kind of consumer reads, in the order of CONSUMERS."""
        return tuple(
            self._reading(self.verdicts[consumer.id])
            if consumer.policy is not None
            else Reading(consumer.id, self.resolution.encoding, self.resolution.rule, "same")
            for consumer in CONSUMERS
        )

    def _reading(self, verdict: Verdict) -> Reading:
        reading = Reading(verdict.consumer, verdict.encoding, verdict.rule, "same", verdict.why)
        key = self._keys.get(verdict.consumer)
        if key is None:
            return reading._replace(outcome="refuses")
        rival = self._rivals.get(key)
        stop = self._found.get(rival.voice if rival else self._main)
        other = self._found.get(rival.comparison) if rival else None
        if other is not None and (stop is None or other.offset < stop.offset):
            return _placed(reading._replace(outcome="differs"), other)
        return _placed(reading._replace(outcome="stops"), stop) if stop else reading

    def policies_differ(self) -> Place | None:
        """Where those who obey the one RFC first read other text than those who obey the other."""
        one, other = self._policy_keys()
        if one is None or other is None or one == other:
            return None
        if self._pair is not None:
            return self._found.get(self._pair)
        rival = self._rivals[other if one == self._main_key else one]
        return self._found.get(rival.comparison)


def _placed(reading: Reading, place: Place) -> Reading:
    return reading._replace(offset=place.offset, line=place.line, column=place.column)
