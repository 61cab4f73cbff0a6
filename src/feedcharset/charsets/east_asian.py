"""Decoders of the East Asian charsets of one to four bytes a character.

Clean text is decoded by one call of Python's incremental decoder for each piece; the few characters that it
reads otherwise are replaced in the text. Where that is not enough, the text around the place is decoded
sequence by sequence: CPython calls one byte undecodable and continues in the middle of an unassigned pair,
so that all pairs up to the next ASCII byte are read wrongly. Here an unassigned pair is undecodable as a
whole, but an ASCII byte is not part of it (as in the Encoding Standard): a damaged character cannot swallow
the `<` or the quotation mark after it.
"""

from __future__ import annotations

from bisect import bisect_right
from codecs import IncrementalDecoder, getincrementaldecoder
from typing import TYPE_CHECKING
from unicodedata import combining

from feedcharset.charsets.byte_offsets import PieceCounter
from feedcharset.charsets.east_asian_sequences import sequences_of, undecodable_sequence
from feedcharset.charsets.undecodable_bytes import as_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.charsets.byte_offsets import ByteCounter
    from feedcharset.charsets.east_asian_sequences import ByteSequences

__all__ = ["EastAsianDecoder", "east_asian_decoder"]

_CHUNK = 1024
"""Bytes that are given to the codec at once around damage: what it had decoded before an error is decoded
again."""

_LONGEST = 4
"""Bytes of the longest sequence."""

_SPARSE = 64
"""Bytes from one error to the next from which on the codec is called again after each error. A call that
fails takes as long as some 30 sequences."""

_DENSE = 256
"""Bytes that are decoded sequence by sequence where errors are more frequent: twice as many after each error
that follows closely, up to this number."""

_MARKS = 1000
"""Places of errors in a piece whose byte offset is kept: more than a report lists."""

_NEAR = 16
"""Characters that are passed one by one on the way to an index; more of them are decoded at once."""

_NEAR_BYTES = 4 * (_NEAR + 2)
"""Bytes that surely hold so many characters and one more, complete."""


_Marks = tuple[list[int], list[int]]
"""Places in a piece, ascending: by the number of characters and of bytes before each."""


class _Readings(dict[bytes, str]):
    """The text of each sequence. Those of one and two bytes are kept: there are at most 65,792 of them."""

    def __init__(self, sequences: ByteSequences) -> None:
        super().__init__(sequences.readings)
        self._codec = sequences.codec
        self._replacements = dict(sequences.replacements)
        self._additional = sequences.additional

    def __missing__(self, sequence: bytes) -> str:
        if sequence.isascii():
            return sequence.decode("ascii")
        try:
            text = sequence.decode(self._codec)
            text = self._replacements.get(text, text)
        except UnicodeDecodeError:
            text = (self._additional and self._additional(sequence)) or undecodable_sequence(sequence)
        if len(sequence) <= 2:
            self[sequence] = text
        return text


class EastAsianDecoder:
    """The decoder of one document in an East Asian charset."""

    __slots__ = ("_codec", "_counter", "_marks", "_pending", "_readings", "_sequences", "_subset")

    def __init__(self, sequences: ByteSequences) -> None:
        self._sequences = sequences
        self._codec: IncrementalDecoder = getincrementaldecoder(sequences.codec)("strict")
        self._subset = getincrementaldecoder(sequences.subset)("strict") if sequences.subset else None
        self._readings: _Readings | None = None
        self._pending = b""
        self._marks: _Marks = [], []
        self._counter = _Counter(self, b"", "", self._marks)

    def __deepcopy__(self, memo: dict[int, object]) -> EastAsianDecoder:
        """Return a decoder in the same state. The codecs are reset before every use, and have none."""
        twin = EastAsianDecoder(self._sequences)
        twin._pending = self._pending
        return twin

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the characters that are complete with these bytes."""
        if self._pending:
            data = self._pending + data
        self._marks = [], []
        text, self._pending = self.decode_clean(data) or self._decode_damaged(bytes(data))
        if final and self._pending:
            text += as_surrogates(self._pending)
            self._pending = b""
        self._counter = _Counter(self, data[: len(data) - len(self._pending)], text, self._marks)
        return text

    def decode_clean(self, data: bytes | memoryview) -> tuple[str, bytes] | None:
        """Return the text, and the beginning of a character at the end; None where there is damage."""
        return (self._subset and self._decoded(self._subset, data)) or self._decode_all(data)

    def _decode_all(self, data: bytes | memoryview) -> tuple[str, bytes] | None:
        """Do the same with the codec that knows all sequences."""
        decoded = self._decoded(self._codec, data)
        if decoded is None:
            return None
        text = self._replaced(decoded[0], data)
        return None if text is None else (text, decoded[1])

    def _decoded(self, codec: IncrementalDecoder, data: bytes | memoryview) -> tuple[str, bytes] | None:
        codec.reset()
        try:
            text = codec.decode(data)
        except UnicodeDecodeError:
            return None
        tail = codec.getstate()[0]
        # CPython also waits for more after bytes that begin no character.
        if tail and not self._sequences.beginning.fullmatch(tail):
            return None
        return text, tail

    def _decode_damaged(self, data: bytes) -> tuple[str, bytes]:
        """Do the same with damage: what the codec can decode, then some bytes sequence by sequence."""
        parts = []
        start = characters = 0
        slow = _LONGEST
        while start < len(data):
            chunk = data[start : start + _CHUNK]
            text, used = self._decode_beginning(chunk)
            if used < len(chunk):
                self._mark(characters + len(text), start + used)
                slow = _LONGEST if used >= _SPARSE else min(2 * slow, _DENSE)
                part = chunk[used : used + slow]
                further, tail = self.decode_sequences(part)
                text += further
                used += len(part) - len(tail)
            if not used:
                break  # the beginning of a sequence is left
            parts.append(text)
            start, characters = start + used, characters + len(text)
        return "".join(parts), data[start:]

    def _mark(self, characters: int, count: int) -> None:
        if len(self._marks[0]) < _MARKS:
            self._marks[0].append(characters)
            self._marks[1].append(count)

    def _decode_beginning(self, chunk: bytes) -> tuple[str, int]:
        """Return the text of what the codec decodes at the beginning, and the number of its bytes."""
        codec = self._subset or self._codec
        codec.reset()
        try:
            text = codec.decode(chunk)
            used = len(chunk) - len(codec.getstate()[0])
        except UnicodeDecodeError as error:
            used = error.start
            codec.reset()
            text = codec.decode(chunk[:used])
        if self._subset is not None:
            return text, used
        replaced = self._replaced(text, chunk[:used])
        if replaced is None:
            return self._decode_up_to_suspect(text, chunk)
        return replaced, used

    def _decode_up_to_suspect(self, text: str, chunk: bytes) -> tuple[str, int]:
        """Do the same up to the first sequence that the codec reads otherwise; the whole chunk where that is
        not found by encoding the text before it."""
        at = min(index for suspect, _ in self._sequences.suspects if (index := text.find(suspect)) >= 0)
        used = len(text[:at].encode(self._sequences.codec, "ignore"))
        found = any(chunk.startswith(sequence, used) for _, sequence in self._sequences.suspects)
        before = self._decode_all(chunk[:used]) if found else None
        if before is not None and before == (self._replaced(text[:at], b""), b""):
            return before[0], used
        text, tail = self.decode_sequences(chunk)
        return text, len(chunk) - len(tail)

    def _replaced(self, text: str, data: bytes | memoryview) -> str | None:
        """Return what the codec has decoded with its own characters replaced; None if that is not enough."""
        for suspect, sequence in self._sequences.suspects:
            if suspect in text and sequence in bytes(data):
                return None
        for character, replacement in self._sequences.replacements:
            text = text.replace(character, replacement)
        return text

    def decode_sequences(self, data: bytes) -> tuple[str, bytes]:
        """Do the same for a chunk, sequence by sequence."""
        found = self._sequences.sequence.findall(data)
        tail = found.pop() if self._sequences.beginning.fullmatch(found[-1]) else b""
        return "".join(map(self.readings.__getitem__, found)), tail

    @property
    def readings(self) -> _Readings:
        """Return the text of each sequence; made when the first damage needs it."""
        if self._readings is None:
            self._readings = _Readings(self._sequences)
        return self._readings

    def split(self, data: bytes, start: int, stop: int) -> Iterator[bytes]:
        """Yield the sequences from the beginning of one on; the last may be cut by `stop`."""
        return (match[0] for match in self._sequences.sequence.finditer(data, start, stop))

    @property
    def pending(self) -> bytes:
        """Return the incomplete character at the end: at most 3 bytes."""
        return self._pending

    def byte_count(self, text: str) -> int:
        """Return how many bytes `text` was decoded from.

        Exact for a text that begins what `decode` returned last, and for what follows the previous
        text; for others, the number of bytes that the codec writes it with.
        """
        count = self._counter.byte_count(text)
        if count is None:
            return sum(map(self._encoded_length, text))
        return count

    def _encoded_length(self, character: str) -> int:
        if "\udc00" <= character <= "\uddff":
            return 1
        try:
            return len(character.encode(self._sequences.codec))
        except UnicodeEncodeError:
            # What a codec decodes but does not encode: what is read otherwise than the codec reads it, and
            # the second character of a pair that stands for two (Ê̄, か゚), which has no bytes of its own.
            return 0 if combining(character) else 2

    def byte_counter(self) -> ByteCounter:
        """Return the byte counter of the last piece."""
        return self._counter.bytes_before


class _Counter(PieceCounter):
    """The byte counter of one piece.

    One character can be written in two ways (€ in GB18030 is A2E3 or 80, EUC-JP has JIS X 0212 in three
    bytes), so the bytes are decoded again as far as needed: chunk by chunk, then sequence by sequence.
    """

    __slots__ = ("_at", "_decoder", "_index", "_marks")

    def __init__(self, decoder: EastAsianDecoder, data: bytes | memoryview, text: str, marks: _Marks) -> None:
        super().__init__(data, text)
        self._decoder = decoder
        self._marks = marks
        self._at = self._index = 0
        """The byte and the character up to which the piece was decoded again."""

    def bytes_before(self, index: int) -> int:
        """Return the number of bytes before the character at `index`; all bytes for the end of the text."""
        if index >= len(self.text):
            return len(self.data)
        if index < self._index:
            self._at = self._index = 0
        mark = bisect_right(self._marks[0], index) - 1
        if mark >= 0 and self._marks[0][mark] > self._index:
            self._index, self._at = self._marks[0][mark], self._marks[1][mark]
        data = self.data = bytes(self.data)
        while (gap := index - self._index) > _NEAR:  # so many characters have at least as many bytes
            self._pass_chunk(data[self._at : self._at + min(gap, _CHUNK)])
        for sequence in self._decoder.split(data, self._at, self._at + _NEAR_BYTES):
            text = self._decoder.readings[sequence]
            before = index - self._index
            if before < len(text):
                return self._within(sequence, text, before)
            self._at += len(sequence)
            self._index += len(text)
        raise AssertionError  # pragma: no cover - there is a sequence for every character

    def _pass_chunk(self, chunk: bytes) -> None:
        text, tail = self._decoder.decode_clean(chunk) or self._decoder.decode_sequences(chunk)
        self._at += len(chunk) - len(tail)
        self._index += len(text)

    def _within(self, sequence: bytes, text: str, before: int) -> int:
        if text.isascii():
            self._at += before
            self._index += before
            return self._at
        if before and text != undecodable_sequence(sequence):
            return self._at + len(sequence)  # the second character of two has no bytes of its own
        return self._at + before


def east_asian_decoder(codec: str, *, lenient: bool) -> EastAsianDecoder:
    """Return the decoder of the charset that a codec of the table decodes.

    Args:
        codec: the Python codec.
        lenient: as the Encoding Standard decodes it, and JIS X 0213 in EUC-JP. Otherwise as the codec does.
    """
    return EastAsianDecoder(sequences_of(codec, lenient))
