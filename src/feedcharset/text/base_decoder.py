"""What the decoders of one document share: `errors=`, the counting of changes, and the position in lines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NoReturn

from feedcharset.errors import DecodeError
from feedcharset.evidence.damaged_utf8 import CONTEXT
from feedcharset.text.byte_replacement import replaced_unit, undecodable_offsets
from feedcharset.text.line_position import LinePosition
from feedcharset.text.options import ERRORS, check_option

if TYPE_CHECKING:
    from feedcharset.charsets.utf import ByteCounter
    from feedcharset.evidence.damaged_utf8 import Runs
    from feedcharset.text.repair_log import RepairLog
    from feedcharset.text.source_offsets import SourceOffsets

__all__ = ["BaseDecoder", "Utf8Damage"]


class Utf8Damage:
    """The characters before the next piece, by which a cut character is recognised."""

    def __init__(self, before: str = "") -> None:
        self.before: str = before

    def keep(self, text: str) -> None:
        """Keep the end of the text that was decoded, escaped bytes included."""
        self.before = text[-CONTEXT:] if len(text) >= CONTEXT else (self.before + text)[-CONTEXT:]


class BaseDecoder(ABC):
    """The decoder of one document: what `Utf8Decoder` and `TextDecoder` share."""

    def __init__(self, name: str, family: str, errors: str, log: RepairLog, *, offset: int = 0) -> None:
        check_option("errors", errors, ERRORS)
        self.source_offsets: SourceOffsets | None = None
        """Set by a later stage that reports the byte offsets of its changes."""
        self._name = name
        self._family = family
        self._errors = errors
        self._log = log
        self._offset = offset
        self._damage: Utf8Damage | None = None
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

    def follow(self, other: BaseDecoder) -> None:
        """Continue at the byte where another decoder stopped. That decoder must hold nothing back."""
        self._offset = other._offset
        self._position = other._position if self._errors == "strict" else None
        self.source_offsets = other.source_offsets
        if self._damage is not None and other._damage is not None:
            self._damage.keep(other._damage.before)

    @property
    def offset(self) -> int:
        """Byte offset, in the source, of the next byte to decode, held back ones included."""
        return self._offset

    def _count(self, count: int, escaped: str, byte_counter: ByteCounter, runs: Runs | None = None) -> None:
        offsets = undecodable_offsets(escaped, self._unit, byte_counter, self._offset, runs)
        self._log.add("bytes", count, offsets)

    def _refuse(self, before: str, data: bytes, start: int, end: int, reason: str) -> NoReturn:
        """Raise the error for data[start:end], where data[0] is at `_offset` in the source.

        Args:
            before: the text of data[:start].
            data: the bytes that were decoded in one call.
            start: index of the first undecodable byte.
            end: index after the last one.
            reason: in the words of Python's codecs.
        """
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
