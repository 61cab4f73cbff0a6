"""Line and column of a place in the text. A line ends at LF, CRLF or CR; columns are characters."""

from __future__ import annotations

__all__ = ["LinePosition"]


class LinePosition:
    """Line and column of the next character, both from 1."""

    __slots__ = ("_after_cr", "column", "line")

    def __init__(self) -> None:
        self.line: int = 1
        self.column: int = 1
        self._after_cr = False

    def advance(self, text: str) -> None:
        """Move past `text`. It may begin or end between CR and LF."""
        if not text:
            return
        ends, last = text.count("\n"), text.rfind("\n")
        if "\r" in text:
            ends += text.count("\r") - text.count("\r\n")
            last = max(last, text.rfind("\r"))
        if self._after_cr and text[0] == "\n":
            ends -= 1
        self._after_cr = text[-1] == "\r"
        self.line += ends
        self.column = len(text) - last if last >= 0 else self.column + len(text)

    def copy(self) -> LinePosition:
        """The same position, which moves by itself."""
        other = LinePosition()
        other.line, other.column, other._after_cr = self.line, self.column, self._after_cr
        return other
