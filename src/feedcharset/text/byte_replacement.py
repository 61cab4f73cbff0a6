"""What the decoders of a document share: undecodable bytes are replaced as `errors=` says, or refused.

A decoder writes each undecodable byte as a lone surrogate (an *escaped byte*, charsets/undecodable_bytes),
and none for any other reason: in UTF-16 a lone surrogate is two undecodable bytes. This module finds the
escaped bytes and replaces them.

`str.replace` is called once for each of the bytes that occur: CPython searches for one character at some 60
GB/s, so that at any density of damage it is faster than a regular expression with a function (ten times) or
`bytes.replace` on the "surrogatepass" form (twice).

`BaseDecoder` has the rest: the count of changes, byte offsets for later stages, line and column of the first
undecodable byte under errors="strict".
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from codecs import charmap_decode
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, NoReturn

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.lookup import by_name
from feedcharset.charsets.single_byte import byte_table
from feedcharset.charsets.undecodable_bytes import (
    UNDECODABLE_BYTE,
    UNDECODABLE_SEQUENCE,
    ByteCounter,
    damaged_parts,
    mark_undecodable,
)
from feedcharset.errors import DecodeError
from feedcharset.evidence.damaged_utf8 import CONTEXT, EscapedUtf8, escaped_bytes
from feedcharset.text.source_positions import LinePosition, RepairLog, SourceOffsets, white_space_in

_MARK = lazy_pattern(b"\1")

_MAXIMAL_SUBPART = lazy_pattern(
    # Unicode 15.0, section 3.9, "U+FFFD Substitution of Maximal Subparts", with table 3-7: an initial
    # subsequence of a well-formed sequence is one unit, any other byte is one by itself.
    "\udce0[\udca0-\udcbf]|[\udce1-\udcec\udcee\udcef][\udc80-\udcbf]|\udced[\udc80-\udc9f]"
    "|\udcf0[\udc90-\udcbf][\udc80-\udcbf]?|[\udcf1-\udcf3][\udc80-\udcbf]{1,2}"
    "|\udcf4[\udc80-\udc8f][\udc80-\udcbf]?|[\udc80-\udcff]"
)


def replaced_unit(family: str, errors: str) -> re.Pattern[str]:
    """Return the pattern of what one replacement covers: an undecodable sequence for "replace", else one
    byte.

    For charsets other than UTF-8, "latin-1" and "windows-1252" mean "replace".
    """
    if errors == "space" or (family == "UTF-8" and errors != "replace"):
        return UNDECODABLE_BYTE
    return _MAXIMAL_SUBPART if family == "UTF-8" else UNDECODABLE_SEQUENCE


def replace_undecodable(
    escaped: str, family: str, errors: str, parts: list[tuple[int, int]] | None = None
) -> tuple[str, int]:
    """Return the text with its escaped bytes replaced, and the number of replacements; for any charset.
    `parts` are its damaged ones, if they are known and it is not UTF-8."""
    if family == "UTF-8":
        return replace_in_utf8(escaped, escaped.encode("utf-8", "surrogateescape"), errors)[:2]
    unit, replacement = replaced_unit(family, errors), " " if errors == "space" else "\ufffd"
    texts: list[str] = []
    count = end = 0
    for start, stop in damaged_parts(escaped) if parts is None else parts:
        text, found = unit.subn(replacement, escaped[start:stop])
        texts += escaped[end:start], text
        count, end = count + found, stop
    return "".join([*texts, escaped[end:]]), count


class Replaced(NamedTuple):
    """Text without escaped bytes."""

    text: str
    count: int  # type: ignore[assignment]  # hides tuple.count
    """Number of replacements."""
    utf8: bytes | None = None
    """The text as UTF-8, if no further encoding is needed to get it."""


def replace_in_utf8(
    escaped: str, data: bytes | memoryview, errors: str, known: EscapedUtf8 | None = None
) -> Replaced:
    """Replace the escaped bytes of UTF-8 text.

    Args:
        escaped: `data` decoded as UTF-8 with "surrogateescape".
        data: exactly the bytes that `escaped` was decoded from; none where known damage was replaced in it.
        errors: a policy other than "strict".
        known: the same text, with what is known of it.
    """
    if errors == "replace":
        text = str(data, "utf-8", "replace")
        return Replaced(text, text.count("\ufffd") - escaped.count("\ufffd"))
    if len(escaped) == len(data):  # every character is one byte: there is no UTF-8 sequence at all
        return _replace_every_high_byte(data, errors)
    page = page_table(errors)
    damaged = escaped_bytes(known or EscapedUtf8(escaped))
    for byte in _HIGH_BYTES.translate(None, _HIGH_BYTES.translate(None, damaged)):  # those that occur
        escaped = escaped.replace(chr(0xDC00 + byte), page[byte])
    return Replaced(escaped, len(damaged))


def _replace_every_high_byte(data: bytes | memoryview, errors: str) -> Replaced:
    """Replace every non-ASCII byte of bytes without any UTF-8 sequence.

    The replacements are counted by the bytes that they add in UTF-8: one each, or two.
    """
    data = bytes(data)
    text = charmap_decode(data, "strict", page_table(errors))[0]
    utf8 = text.encode()
    if errors == "space":
        return Replaced(text, len(data) - len(data.translate(None, _HIGH_BYTES)), utf8)
    adding_two = sum(data.count(byte) for byte in _three_byte_characters(errors) if byte in data)
    return Replaced(text, len(utf8) - len(data) - adding_two, utf8)


@lru_cache(maxsize=8)
def page_table(errors: str) -> str:
    """Return the 256 characters that replace single bytes: of a policy, or of a single-byte charset."""
    if errors == "space":
        return bytes(range(0x80)).decode("ascii") + " " * 0x80
    if errors == "latin-1":
        return bytes(range(0x100)).decode("latin-1")
    return byte_table(by_name(errors).superset, True)


_HIGH_BYTES = bytes(range(0x80, 0x100))


@lru_cache(maxsize=8)
def _three_byte_characters(errors: str) -> bytes:
    """Return the bytes whose replacement takes three bytes in UTF-8, like the windows-1252 quotes."""
    page = page_table(errors)
    return bytes(byte for byte in _HIGH_BYTES if page[byte] > "\u07ff")


class Utf8ByteCounter:
    """A function from an index in `text` to the number of bytes of UTF-8 before that character.

    An ascending index is cheap: each count continues from the one before.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = self._size = 0

    def __call__(self, index: int) -> int:
        if index < self._at:
            self._at = self._size = 0
        self._size += len(self._text[self._at : index].encode("utf-8", "surrogateescape"))
        self._at = index
        return self._size


def utf8_offsets(text: str, indexes: Iterator[int], offset: int) -> Iterator[int]:
    """Yield the byte offset of each index, ascending, in text at an offset: faster than a byte counter."""
    at = 0
    for index in indexes:
        offset += len(text[at:index].encode("utf-8", "surrogateescape"))
        at = index
        yield offset


def replaced_offsets(
    escaped: str, unit: re.Pattern[str], runs: list[tuple[int, int]] | None, offset: int
) -> Iterator[int]:
    """Yield the byte offset of each replaced unit in text at an offset: where the runs are not known, in half
    the time that its index takes. Arguments of `undecodable_indexes`."""
    if runs is not None or unit is not UNDECODABLE_BYTE:
        yield from utf8_offsets(escaped, undecodable_indexes(escaped, unit, runs), offset)
        return
    end = 0
    for start, stop in damaged_parts(escaped):
        offset += len(escaped[end:start].encode())
        marks = mark_undecodable(escaped[start:stop])
        yield from (offset - 1 + mark.start() for mark in _MARK.finditer(marks))
        offset, end = offset + len(marks) - 1, stop


def undecodable_indexes(
    escaped: str, unit: re.Pattern[str], runs: list[tuple[int, int]] | None = None
) -> Iterator[int]:
    """Return the index of each replaced unit. `runs`: where the escaped bytes are, if that is known."""
    if runs is not None and unit is UNDECODABLE_BYTE:
        return (index for run in runs for index in range(*run))
    parts = damaged_parts(escaped) if runs is None else runs
    return (match.start() for part in parts for match in unit.finditer(escaped, *part))


class BaseDecoder(ABC):
    """The decoder of one document: what `Utf8Decoder` and `TextDecoder` share."""

    def __init__(self, name: str, family: str, errors: str, log: RepairLog, *, offset: int = 0) -> None:
        self.source_offsets: SourceOffsets | None = None
        """Set by a later stage that reports the byte offsets of its changes."""
        self._name = name
        self._family = family
        self._errors = errors
        self._log = log
        self._offset = offset
        self._text_before: str | None = None
        """The characters before the next piece, by which a cut character is recognised; None where it is not
        wanted."""
        self._unit = replaced_unit(family, errors)
        self._position = LinePosition() if errors == "strict" else None

    @abstractmethod
    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes.

        Args:
            data: the next bytes, any number.
            final: the document ends here; an incomplete character at the end is undecodable.

        Raises:
            DecodeError: an undecodable byte, with errors="strict".
        """

    def count_skipped(self, skipped: bytes) -> None:
        """Count the lines of white space that stand before the document."""
        if self._position is not None:
            self._position.advance(white_space_in(skipped))

    def follow(self, other: BaseDecoder) -> None:
        """Continue at the byte where another decoder stopped. That decoder must hold nothing back."""
        self._offset = other._offset
        self._position = other._position if self._errors == "strict" else None
        self.source_offsets = other.source_offsets
        if other._text_before is not None:
            self._keep(other._text_before)

    @property
    def offset(self) -> int:
        """Byte offset, in the source, of the next byte to decode, held back ones included."""
        return self._offset

    def _note(self, length: int, escaped: str, unit: re.Pattern[str] | None, counter: ByteCounter) -> None:
        """Note where the next text begins, if a later stage wants that."""
        if self.source_offsets is not None:
            self.source_offsets.add(length, self._offset, escaped, unit, counter)

    def _keep(self, text: str) -> None:
        """Keep the end of the text that was decoded, escaped bytes included."""
        if self._text_before is not None:
            self._text_before = (self._text_before + text[-CONTEXT:])[-CONTEXT:]

    def _refuse(self, before: str, data: bytes, start: int, end: int, reason: str) -> NoReturn:
        """Raise the error for data[start:end], where data[0] is at `_offset` in the source, and `before` is
        the text of data[:start]; `reason` is in the words of Python's codecs."""
        assert self._position is not None
        position = self._position
        position.advance(before)
        error = DecodeError(
            self._name,
            data,
            start,
            end,
            reason,
            offset=self._offset + start,
            line=position.line,
            column=position.column,
        )
        error.partial = before
        raise error from None
