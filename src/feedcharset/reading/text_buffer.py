"""A buffer of text between the decoder and `read` and `readline`."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

from feedcharset.errors import DecodeError

__all__ = ["TextBuffer"]

_LINE_END = re.compile(r"\r\n|[\r\n]")

LINES = 64 * 1024
"""Characters that are split into lines at once: `io.StringIO` does it in C, 0.1 µs a line, where searching
for each line end takes 1 µs."""


class TextBuffer:
    """Text that arrives in pieces of one size and is read in pieces of another.

    Pieces are joined once, when there are enough of them: a line of a gigabyte takes linear time. When the
    source fails, the text before stays in the buffer for the next call. Text before an undecodable byte is
    returned before its error is raised; only a read of all text raises at once.

    Args:
        more: returns the next piece, which may be empty, or None at the end.
    """

    def __init__(self, more: Callable[[], str | None]) -> None:
        self._more = more
        self._text = ""
        self._at = 0
        self._ended = False
        self._error: DecodeError | None = None
        """The text ends here with an undecodable byte."""
        self._lines: list[str] = []
        """The next lines of the text, the last one first, as long as `_at` is `_lines_at`."""
        self._lines_at = 0

    def read(self, size: int) -> str:
        """Return at most `size` characters; all that are left where it is negative; "" at the end."""
        if size < 0:
            self._gather(lambda length, piece: False)
            if self._error is not None:
                raise self._error  # what comes before stays to be read by size
            return self._give(len(self._text))
        if self._at + size <= len(self._text):
            return self._give(self._at + size)
        return self._checked(self._read_on(size))

    def _checked(self, text: str) -> str:
        """Return the text; raise the error of an undecodable byte once all text before it was read."""
        if not text and self._error is not None:
            raise self._error
        return text

    def _read_on(self, size: int) -> str:
        """Return `size` characters from several pieces; each piece is copied once."""
        waiting = self._text[self._at :]
        pieces = [waiting] if waiting else []  # a single piece is not copied
        self._text, self._at, self._lines = "", 0, []
        missing = size - len(waiting)
        try:
            while missing > 0 and (piece := self._next()) is not None:
                if len(piece) > missing:
                    self._text, self._at = piece, missing
                    piece = piece[:missing]
                pieces.append(piece)
                missing -= len(piece)
        except BaseException:
            self._text = "".join(pieces)
            raise
        return "".join(pieces)

    def _next(self) -> str | None:
        try:
            piece = None if self._ended else self._more()
        except DecodeError as error:
            self._error, piece = error, None
        self._ended = piece is None
        return piece

    def read1(self, size: int) -> str:
        """Return at most `size` characters after taking one piece, or more if it is empty; "" at the end."""
        if self._at >= len(self._text):
            self._gather(lambda length, piece: length > 0)
        return self._checked(self._give(self._at + size))

    def next_line(self) -> str:
        """Return the next line with its end; "" at the end."""
        if not self._lines or self._lines_at != self._at:
            self._split_lines()
            if not self._lines:
                return self.readline()
        line = self._lines.pop()
        self._at = self._lines_at = self._at + len(line)
        return line

    def _split_lines(self) -> None:
        """Split the next characters of the buffer into lines. One that may not be whole is left."""
        lines = list(io.StringIO(self._text[self._at : self._at + LINES], newline=""))
        if lines and not lines[-1].endswith("\n"):
            lines.pop()
        self._lines, self._lines_at = lines[::-1], self._at

    def readline(self, size: int = -1) -> str:
        """Return the next line with its end (LF, CRLF or CR); at most `size` characters unless negative."""
        if size == 0:
            return ""
        if not (stop := self._line_stop(size)):
            self._gather(lambda length, piece: 0 <= size <= length or _shows_end(piece))
            while not (stop := self._line_stop(size)) and not self._ended:
                self._gather(lambda length, piece: True)  # after a CR at the end, LF may follow
        return self._checked(self._give(stop or len(self._text)))

    def give_back(self, count: int) -> None:
        """Put the last `count` characters back: no more than the last read1 or readline returned."""
        self._at -= count

    def clear(self) -> None:
        """Drop all text; every later read returns ""."""
        self._text, self._at, self._ended, self._error = "", 0, True, None
        self._lines = []

    def _give(self, stop: int) -> str:
        start, self._at = self._at, min(stop, len(self._text))
        return self._text[start : self._at]

    def _line_stop(self, size: int) -> int:
        """Return the index where the line ends, or `size` characters of it where that is not negative; 0
        where it is not known yet. No more than `size` characters are looked at: a long line is read in linear
        time."""
        limit = len(self._text) if size < 0 else min(self._at + size, len(self._text))
        match = _LINE_END.search(self._text, self._at, limit)
        if size >= 0 and limit - self._at >= size:
            return match.end() if match else limit
        if match is None or (match[0] == "\r" and match.end() == len(self._text) and not self._ended):
            return 0
        return match.end()

    def _gather(self, enough: Callable[[int, str], bool]) -> None:
        """Take pieces until `enough(characters in the buffer, last piece)`, or to the end."""
        pieces = [self._text[self._at :]]
        length = len(pieces[0])
        try:
            while (piece := self._next()) is not None:
                pieces.append(piece)
                length += len(piece)
                if enough(length, piece):
                    break
        finally:
            self._text, self._at = "".join(pieces), 0
            self._lines = []


def _shows_end(piece: str) -> bool:
    return "\n" in piece or "\r" in piece
