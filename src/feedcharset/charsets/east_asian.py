"""Engines for the East Asian charsets of one to four octets a character.

Clean text goes through one call of Python's incremental decoder for each piece. Where that fails, the text
around the damage is read character by character, by the shape that characters have in the charset: CPython
calls one octet damage and goes on in the middle of an unknown pair, out of step until the next ASCII
octet. Here an unknown pair is damage as a whole, but an ASCII octet is never part of it (as in the Encoding
Standard): a broken character cannot swallow the `<` or the quote after it.
"""

from __future__ import annotations

from codecs import IncrementalDecoder, getincrementaldecoder
from typing import TYPE_CHECKING

from feedcharset.charsets.byte_offsets import Places
from feedcharset.charsets.east_asian_sequences import damaged, shape_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedcharset.charsets.byte_offsets import Measure
    from feedcharset.charsets.east_asian_sequences import Shape

__all__ = ["CjkEngine", "cjk_engine"]

_CHUNK = 1024
"""Octets that are read character by character around damage. A smaller piece costs more calls of the codec,
a larger one more characters one by one; from 512 to 4,096 octets the time hardly differs."""

_NEAR = 16
"""Characters that are passed one by one on the way to a place; more of them are decoded at once."""

_NEAR_OCTETS = 4 * (_NEAR + 2)
"""Octets that surely hold so many characters and one more, whole."""


class _Tokens(dict[bytes, str]):
    """What characters are read as; it remembers those of one and two octets, of which there are few."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape.special)
        self._codec = shape.codec
        self._more = shape.more

    def __missing__(self, token: bytes) -> str:
        try:
            text = token.decode(self._codec)
        except UnicodeDecodeError:
            text = (self._more and self._more(token)) or damaged(token)
        if len(token) <= 2:
            self[token] = text
        return text


class CjkEngine:
    """One document in an East Asian charset."""

    __slots__ = ("_decoder", "_pending", "_places", "_shape", "_tokens")

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._decoder: IncrementalDecoder = getincrementaldecoder(shape.codec)("strict")
        self._tokens: _Tokens | None = None
        self._pending = b""
        self._places = _Places(self, b"", "")

    def decode(self, octets: bytes | memoryview, final: bool = False) -> str:
        """The characters that are complete with these octets."""
        if self._pending:
            octets = self._pending + octets
        text, self._pending = self.read(octets) or self._read_with_care(bytes(octets))
        if final and self._pending:
            text += damaged(self._pending)
            self._pending = b""
        self._places = _Places(self, octets[: len(octets) - len(self._pending)], text)
        return text

    def read(self, octets: bytes | memoryview) -> tuple[str, bytes] | None:
        """The text, and the beginning of a character at the end; None where there is damage."""
        shape, decoder = self._shape, self._decoder
        if shape.suspect_octets and shape.suspect_octets in bytes(octets):
            return None
        decoder.reset()
        try:
            text = decoder.decode(octets)
        except UnicodeDecodeError:
            return None
        for suspect in shape.suspects:
            if suspect in text:
                return None
        tail = decoder.getstate()[0]
        # CPython waits for more after octets that begin nothing, too.
        if tail and not shape.partial.fullmatch(tail):
            return None
        return text, tail

    def _read_with_care(self, octets: bytes) -> tuple[str, bytes]:
        """The same, damage or not: chunk by chunk, and token by token where a chunk is damaged."""
        parts = []
        start, tail = 0, b""
        while start < len(octets):
            chunk = octets[start : start + _CHUNK]
            text, tail = self.read(chunk) or self.read_tokens(chunk)
            parts.append(text)
            start += len(chunk)
            if start < len(octets):
                start -= len(tail)
        return "".join(parts), tail

    def read_tokens(self, octets: bytes) -> tuple[str, bytes]:
        """The same for a chunk, character by character."""
        tokens = self._shape.token.findall(octets)
        tail = tokens.pop() if self._shape.partial.fullmatch(tokens[-1]) else b""
        return "".join(map(self.tokens.__getitem__, tokens)), tail

    @property
    def tokens(self) -> _Tokens:
        """What characters are read as; made when the first damage needs it."""
        if self._tokens is None:
            self._tokens = _Tokens(self._shape)
        return self._tokens

    def split(self, octets: bytes, start: int, stop: int) -> Iterator[bytes]:
        """The tokens from one's beginning on; the last may be cut by `stop`."""
        return (match[0] for match in self._shape.token.finditer(octets, start, stop))

    @property
    def pending(self) -> bytes:
        """The beginning of a character whose end has not come yet: at most 3 octets."""
        return self._pending

    def width(self, text: str) -> int:
        """How many octets `text` was decoded from.

        Exact for a text that begins what `decode` returned last, and for texts that go on where the one
        asked for before has ended; for others, what they take when written as the codec writes them.
        """
        width = self._places.width(text)
        if width is None:
            return sum(map(self._width_of, text))
        return width

    def _width_of(self, character: str) -> int:
        try:
            return len(character.encode(self._shape.codec, "surrogateescape"))
        except UnicodeEncodeError:
            # What a codec can decode but not encode: the € of A3E1 in Big5, and the second character of a
            # pair that stands for two (Ê̄, か゚), which has no octets of its own.
            return 2 if character == "€" else 0

    def measure(self) -> Measure:
        """Where the characters of the last piece begin."""
        return self._places.octet


class _Places(Places):
    """Where the characters of one piece of text came from.

    One character can be written in two ways (€ in GB18030 is A2E3 or 80, EUC-JP has JIS X 0212 in three
    octets), so the octets are read again, as far as is asked: chunk by chunk, then character by character.
    """

    __slots__ = ("_at", "_engine", "_index")

    def __init__(self, engine: CjkEngine, octets: bytes | memoryview, text: str) -> None:
        super().__init__(octets, text)
        self._engine = engine
        self._at = self._index = 0
        """The octet and the character up to which has been read."""

    def octet(self, index: int) -> int:
        """Where the octets of the character at `index` begin; the end of all octets for the end."""
        if index >= len(self.text):
            return len(self.octets)
        if index < self._index:
            self._at = self._index = 0
        octets = self.octets = bytes(self.octets)
        while (gap := index - self._index) > _NEAR:  # so many characters have at least as many octets
            self._pass_chunk(octets[self._at : self._at + min(gap, _CHUNK)])
        for token in self._engine.split(octets, self._at, self._at + _NEAR_OCTETS):
            text = self._engine.tokens[token]
            before = index - self._index
            if before < len(text):
                return self._within(token, text, before)
            self._at += len(token)
            self._index += len(text)
        raise AssertionError  # pragma: no cover - there is a token for every character

    def _pass_chunk(self, chunk: bytes) -> None:
        text, tail = self._engine.read(chunk) or self._engine.read_tokens(chunk)
        self._at += len(chunk) - len(tail)
        self._index += len(text)

    def _within(self, token: bytes, text: str, before: int) -> int:
        if before and text != damaged(token):
            return self._at + len(token)  # the second character of two has no octets of its own
        if text.isascii():
            self._at += before
            self._index += before
            return self._at
        return self._at + before


def cjk_engine(codec: str, *, lenient: bool) -> CjkEngine:
    """The engine of the charset that a codec of the table decodes; `lenient`: with what documents under its
    label add (80 as € in GB18030, what Windows adds to EUC-JP)."""
    return CjkEngine(shape_of(codec, lenient))
