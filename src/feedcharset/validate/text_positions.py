"""Positions in the text: byte offset, line and column in characters, and the line around it.

The text arrives in pieces and only its last 128 Ki characters are kept, which is as far back as findings
lie. A position is computed when the text after it is known, because the rest of its line is shown.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from feedcharset.charsets.byte_offsets import ByteCounter

__all__ = ["CONTEXT", "Position", "TextPositions"]

KEPT = 128 * 1024
"""Characters that are kept: more than twice what a block decodes to."""

LONGEST = 4
"""Bytes of the longest character, escape sequences apart."""

CONTEXT = 60
"""Characters shown on either side of a position: with both, a line of a wide terminal."""

_LINE_END = re.compile("[\r\n]")
_WHOLE_LINE_END = re.compile("\r\n?|\n")
_UNDECODABLE = re.compile("[\udc00-\uddff]")


class Position(NamedTuple):
    """A place in the document: where its first character begins, and where its last one ends."""

    offset: int
    """Bytes from the first byte of the source."""
    line: int
    """From 1, in the text."""
    column: int
    """From 1, in characters; a byte that does not decode counts as one."""
    excerpt: str = ""
    """The line, or CONTEXT characters of it on either side; U+FFFD for a byte that does not decode."""
    caret: int = 0
    """Index of the position in `excerpt`."""
    end_offset: int = 0
    """The byte after the last one."""
    end_line: int = 0
    """The line and column after the last character."""
    end_column: int = 0


class _Span(NamedTuple):
    """A piece of the text."""

    first: int
    """Index of its first character in the whole text."""
    offset: int
    text: str
    bytes_before: ByteCounter
    """From the index of a character of `text` to the number of bytes before it."""
    line: int
    column: int
    after_cr: bool


class _Known(NamedTuple):
    """A character of a span whose bytes were counted."""

    first: int
    """Of the span."""
    at: int
    bytes_before: int


def _index_in(span: _Span, offset: int, known: _Known) -> _Known:
    """Return the character of a span that contains the byte at `offset`, counted from the span's first.

    For a smaller index, a byte counter counts anew from the beginning. So the search goes forward only, by no
    more characters than the bytes that are left surely hold.
    """
    at, before = (known.at, known.bytes_before) if known.bytes_before <= offset else (0, 0)
    longest = LONGEST
    while at < len(span.text):
        step = min(max(1, (offset - before) // longest), len(span.text) - at)
        after = span.bytes_before(at + step)
        if after <= offset:
            at, before = at + step, after
        elif step == 1:
            break
        else:
            longest *= 2  # escape sequences count for the character after them
    return _Known(span.first, at, before)


class TextPositions:
    """The last part of the text, and positions in it."""

    def __init__(self) -> None:
        self._spans: deque[_Span] = deque()
        self._waiting: list[tuple[int, int, int, Callable[[Position], None]]] = []
        self.end: int = 0
        """Characters so far."""
        self._line = self._column = 1
        self._after_cr = False
        self._known = _Known(0, 0, 0)

    def push(self, offset: int, text: str, bytes_before: ByteCounter) -> None:
        """Note the next piece of the text, decoded from the byte at `offset` on."""
        if not text:
            return
        span = _Span(self.end, offset, text, bytes_before, self._line, self._column, self._after_cr)
        self._spans.append(span)
        self.end += len(text)
        self._line, self._column, self._after_cr = _advance(text, self._line, self._column, self._after_cr)
        if self._waiting:
            self._settle(self.end - CONTEXT)
        while len(self._spans) > 2 and self._spans[1].first <= self.end - KEPT:
            self._spans.popleft()

    def later(self, index: int, offset: int, receive: Callable[[Position], None], end: int) -> None:
        """Pass a position to `receive` as soon as the text around it is known.

        Args:
            index: of a character of the text, not more than KEPT before its end.
            offset: the byte where it begins.
            receive: called once, in `push` or `finish`.
            end: the byte after the last character of the place.
        """
        self._waiting.append((index, offset, end, receive))

    def finish(self) -> None:
        """Note the end of the text."""
        self._settle(self.end)

    def _settle(self, end: int) -> None:
        waiting, self._waiting = self._waiting, []
        for index, offset, stop, receive in waiting:
            if index <= end:
                receive(self.at(index, offset, stop))
            else:
                self._waiting.append((index, offset, stop, receive))

    def index(self, offset: int) -> int:
        """The index of the character that contains the byte at `offset`."""
        spans = [span for span in self._spans if span.offset <= offset]
        if not spans:
            return self._spans[0].first if self._spans else 0
        span = spans[-1]
        known = self._known if self._known.first == span.first else _Known(span.first, 0, 0)
        self._known = _index_in(span, offset - span.offset, known)
        return span.first + self._known.at

    def find(self, line: int, column: int) -> int:
        """The index of the character at a line and column; the nearest one that is known."""
        span = next(
            (span for span in reversed(self._spans) if (span.line, span.column) <= (line, column)), None
        )
        if span is None:
            return self._spans[0].first if self._spans else 0
        at, column = 0, column - (span.column if line == span.line else 1)
        if span.after_cr and span.text[:1] == "\n":
            at = 1
        for _ in range(line - span.line):
            found = _WHOLE_LINE_END.search(span.text, at)
            if found is None:
                break
            at = found.end()
        return max(span.first, min(span.first + at + column, self.end - 1))

    def offset(self, index: int) -> int:
        """The byte where the character at `index` begins."""
        span = self._span(index)
        return span.offset + span.bytes_before(min(index - span.first, len(span.text))) if span else 0

    def at(self, index: int, offset: int, end: int) -> Position:
        """The place from a character to a byte, with the part of its line that is known.

        Args:
            index: of the first character.
            offset: the byte where it begins.
            end: the byte after the last character.
        """
        line, column = self._line_and_column(index)
        last = self._line_and_column(max(self.index(end), index + (end > offset)))
        before = _UNDECODABLE.sub("\ufffd", self.text(index - CONTEXT, index))
        after = _UNDECODABLE.sub("\ufffd", self.text(index, index + CONTEXT))
        before = _LINE_END.split(before)[-1]
        after = _LINE_END.split(after, maxsplit=1)[0]
        return Position(offset, line, column, before + after, len(before), end, *last)

    def _line_and_column(self, index: int) -> tuple[int, int]:
        span = self._span(index)
        if span is None or index >= self.end:
            return self._line, self._column
        line, column, _ = _advance(span.text[: index - span.first], span.line, span.column, span.after_cr)
        return line, column

    def _span(self, index: int) -> _Span | None:
        """The span that holds the character, or the last one."""
        return next((span for span in reversed(self._spans) if span.first <= index), None)

    def text(self, start: int, stop: int) -> str:
        """The kept characters from `start` to `stop`."""
        parts = [
            span.text[max(start - span.first, 0) : max(stop - span.first, 0)]
            for span in self._spans
            if span.first < stop and span.first + len(span.text) > start
        ]
        return "".join(parts)


def _advance(text: str, line: int, column: int, after_cr: bool) -> tuple[int, int, bool]:
    """Line and column after `text`, which may begin or end within a CRLF. Lines end at LF, CRLF or CR."""
    if not text:
        return line, column, after_cr
    ends = text.count("\n")
    last = text.rfind("\n")
    if "\r" in text:
        ends += text.count("\r") - text.count("\r\n")
        last = max(last, text.rfind("\r"))
    if after_cr and text[0] == "\n":
        ends -= 1
    column = len(text) - last if last >= 0 else column + len(text)
    return line + ends, column, text[-1] == "\r"
