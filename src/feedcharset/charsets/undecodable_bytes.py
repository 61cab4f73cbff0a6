"""How a decoder writes bytes that its charset does not define.

The first byte n of an undecodable sequence becomes the lone surrogate U+DC00 + n, each further byte n of
the same sequence U+DD00 + n. A sequence is what the Encoding Standard shows as one U+FFFD. For UTF-8 every
byte is written as the first one, as Python's "surrogateescape" does; there the sequences are the maximal
subparts of Unicode 15.0, section 3.9. text/byte_replacement replaces the surrogates according to `errors=`.

`CharsetDecoder` is what all decoders are; `RedecodingCounter` finds the byte at which one of their characters
begins.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from codecs import charmap_decode, utf_16_le_encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from feedcharset.charsets import lazy_pattern

SURROGATES = "".join(chr(0xDC00 + byte) for byte in range(256))
"""The surrogate of each byte that begins an undecodable sequence."""

_FURTHER = "".join(chr(0xDD00 + byte) for byte in range(256))

_UNDECODABLE_BYTES = SURROGATES + _FURTHER

UNDECODABLE_BYTE = lazy_pattern("[\udc00-\uddff]")
"""One undecodable byte in decoded text."""

UNDECODABLE_SEQUENCE = lazy_pattern("[\udc00-\udcff][\udd00-\uddff]*+")
"""One undecodable sequence in decoded text; not for UTF-8."""


def as_surrogates(sequence: bytes) -> str:
    """Return an undecodable sequence of at least one byte as text."""
    return SURROGATES[sequence[0]] + charmap_decode(sequence[1:], "strict", _FURTHER)[0]


def first_undecodable(text: str) -> int:
    """Return the index of the first lone surrogate, or -1.

    CPython's UTF-16 encoder finds it at several GB/s, a character class of `re` at 0.4.
    """
    if not text.isascii():
        try:
            utf_16_le_encode(text)
        except UnicodeEncodeError as error:
            return error.start
    return -1


SEARCHED_PART = 2 * 1024
"""Characters that are searched at once: a codec finds an escaped byte fifty times faster than `re`, which
makes a list of all that it replaces."""

FIRST_SEARCHED = 64
"""Characters of the first of these parts: the codec takes as long to find the next escaped byte as `re` for
300 characters."""


def damaged_parts(escaped: str) -> Iterator[tuple[int, int]]:
    """Yield where parts of text begin and end that hold escaped bytes; none of them ends between two.

    A part begins with an escaped byte. It is short, and longer where the one before is near.
    """
    end = size = 0
    while end < len(escaped):
        first = first_undecodable(escaped[end : end + SEARCHED_PART])
        if first < 0:
            end += SEARCHED_PART
            continue
        size = min(2 * size, SEARCHED_PART) if first < size else FIRST_SEARCHED
        start, end = end + first, end + first + size
        while "\udc00" <= escaped[end : end + 1] <= "\uddff":
            end += 1
        yield start, end


_IS_QUESTION_MARK = bytes(byte == 0x3F for byte in range(256))


_CONTINUATION = bytes(range(0x80, 0xC0))


def mark_undecodable(text: str, *, each_character: bool = False) -> bytes:
    """Return a 0, then a 0 for each byte of the text as UTF-8, or for each character; but a 1 for each
    undecodable byte."""
    marked = text.replace("?", " ").encode("utf-8", "replace")  # each lone surrogate is a question mark
    return b"\0" + marked.translate(_IS_QUESTION_MARK, _CONTINUATION if each_character else b"")


JOINED_AT_ONCE = 1000
"""Texts that are joined at once. A short str takes 50 to 80 bytes, so that a text of three bytes each would
take 30 times its size."""


def join_parts(parts: Iterable[str]) -> str:
    """Return `"".join(parts)`; no more than JOINED_AT_ONCE of them exist at the same time."""
    remaining = iter(parts)
    joined = []
    while some := list(islice(remaining, JOINED_AT_ONCE)):
        joined.append("".join(some))
    return "".join(joined)


HELD_CHARACTERS = 44
"""Characters at most that pending bytes make: one, `]>`, white space and `<` (see east_asian.py)."""

ByteCounter = Callable[[int], int]
"""From the index of a character in a piece of text to the number of bytes before it. It keeps what it needs,
so it stays right while the decoder goes on."""


class CharsetDecoder(ABC):
    """An incremental decoder of one document. The text does not depend on how the bytes are cut."""

    pending: bytes = b""
    """The bytes at the end that begin a character, or may; held back for the next piece."""
    _arguments: tuple[Any, ...] = ()
    """What makes another decoder in the same state."""
    _last: tuple[tuple[Any, ...], bytes | memoryview, str] = (), b"", ""
    """Of the last piece: the arguments before it, its bytes and its text."""
    _encoder: str = ""
    """The Python codec that gives the number of bytes of most texts; for a charset without states."""

    def decode(self, data: bytes | memoryview, final: bool = False) -> str:
        """Return the characters that are complete with these bytes. Never raises.

        Args:
            data: the next bytes, possibly none.
            final: nothing follows; the beginning of a character at the end is damage.

        Returns:
            Text in which each undecodable byte n is the lone surrogate U+DC00 + n, or U+DD00 + n where it is
            not the first one of its sequence. An ASCII byte after a damaged character stays itself.
        """
        arguments = self._arguments
        if self.pending:
            data = self.pending + data
        text, self.pending = self._decoded(data)
        if final and self.pending:
            text, self.pending = text + self._cut(self.pending), b""
        self._last = arguments, data[: len(data) - len(self.pending)], text
        return text

    @abstractmethod
    def _decoded(self, data: bytes | memoryview) -> tuple[str, bytes]:
        """Return the text of these bytes, and those at the end that begin a character."""

    def _cut(self, data: bytes) -> str:
        """Return the text of the beginning of a character at the end of the document."""
        return as_surrogates(data)

    def byte_counter(self, data: bytes | None = None, text: str = "") -> ByteCounter:
        """Return the byte counter of what `decode` returned last; it also counts what had been pending. Or of
        another piece, before which nothing is pending; this decoder need not have read it."""
        if data is not None:
            self._last = self._arguments, data, text
        arguments, last, text = self._last
        return RedecodingCounter(partial(type(self), *arguments), last, text, self._encoder)

    def reads_as(self, other: CharsetDecoder) -> bool:
        """Return True where the last piece, if all of it decodes, is the same text for the other decoder."""
        return False

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle a decoder in the same state. Codecs are reset before every use, and have none."""
        return type(self), self._arguments, {"pending": self.pending}


class RedecodingCounter:
    """A byte counter for any charset: the same character can take different numbers of bytes.

    € in GB18030 is A2E3 or 80, EUC-JP has characters of three bytes, ISO-2022-JP has escape sequences. Where
    the bytes are those that a codec gives for the characters, they are counted; no sequence of these charsets
    is the beginning of another. Else the piece is decoded again as far as needed: as many bytes at once as
    surely make no more characters than are wanted, and the last ones one by one. An ascending index goes on
    where the one before was found.

    Args:
        begin: returns a decoder in the state that it had before the piece.
        data: the bytes of the piece.
        whole: the text that they were decoded to.
        encoder: a Python codec that gives most of the bytes, for a decoder whose arguments are its state.
    """

    __slots__ = ("_begin", "_data", "_decoder", "_encoder", "_fed", "_index", "_start", "_text", "_whole")

    def __init__(
        self, begin: Callable[[], CharsetDecoder], data: bytes | memoryview, whole: str, encoder: str = ""
    ) -> None:
        self._begin = begin
        self._data = data
        self._whole = whole
        self._encoder = encoder
        self._decoder: CharsetDecoder | None = None
        self._fed = self._index = self._start = 0
        """The bytes that the decoder was given; the index of the first character of the text that it returned
        last, and the byte at which that begins."""
        self._text = ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle a counter at its beginning: how far it has come changes no answer."""
        return RedecodingCounter, (self._begin, bytes(self._data), self._whole, self._encoder)

    def __call__(self, index: int) -> int:
        """Return the number of bytes before the character at `index`; all bytes for the end of the text."""
        if index >= len(self._whole):
            return len(self._data)
        if index < self._index:
            self._decoder = None
            self._fed = self._index = self._start = 0
            self._text = ""
        if self._encoder and index > self._index + len(self._text):
            wanted = self._whole[self._index : index]
            text = wanted.lstrip(_UNDECODABLE_BYTES)
            start = self._start + len(wanted) - len(text)
            with suppress(UnicodeEncodeError):
                encoded = text.encode(self._encoder)
                stop = start + len(encoded)
                if self._data[start:stop] == encoded and self._whole[index] not in _FURTHER:
                    self._decoder, self._text = None, ""
                    self._index, self._fed, self._start = index, stop, stop
                    return stop
        decoder = self._decoder = self._decoder or self._begin()
        while (ahead := index - self._index - len(self._text)) >= 0:
            self._index += len(self._text)
            self._start = self._fed - len(decoder.pending)
            # What was pending makes so many characters at most.
            data = self._data[self._fed : self._fed + max(ahead - HELD_CHARACTERS, 1)]
            self._text = decoder.decode(data, not data)
            self._fed += len(data)
        before = index - self._index
        if before and not "\udc00" <= self._text[0] <= "\uddff":
            with suppress(UnicodeEncodeError):  # one that was held back, and another one
                encoded = self._text[:before].encode(self._encoder) if self._encoder else b""
                if encoded and self._data[self._start : self._start + len(encoded)] == encoded:
                    return self._start + len(encoded)
            return self._fed - len(decoder.pending)  # the second character of two has no bytes of its own
        return self._start + before
