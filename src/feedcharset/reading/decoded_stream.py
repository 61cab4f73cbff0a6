"""The text of a source: `DecodedStream` reads and decodes, `TextBuffer` gives the text out in any pieces.

A document passes three states. *Head*: bytes are read, and not decoded, until the decision can be made. What
is at hand is read up to `SOURCE_PIECE`; a document that ends there is decoded as a whole. *Pieces*: the text
comes as the source is read, or, where all of it is wanted, of up to `AT_ONCE` bytes in one call. *End*. An
error of the source, and an undecodable byte with errors="strict", come after the text before them. Any other
exception is that of a signal's handler. What the call had read is lost with it, so later calls raise, too.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import IO, Any, Concatenate, NoReturn, ParamSpec, TypeVar

from feedcharset.errors import DecodeError, FeedcharsetError, ResolutionError
from feedcharset.fetch.gunzip import GZIP_BEGINNINGS, GZIP_MAGIC, GunzipStream, PieceStream
from feedcharset.reading.byte_streams import FILES, CallerStream, is_at_hand, waits
from feedcharset.text.xml_decoder import XmlDecoder

SOURCE_PIECE = 60 * 1024
"""Bytes read from the source at once. They are decoded in one call, so no text is joined; and their text, two
bytes a character, stays under the 128 KiB from which on the C library maps and unmaps memory for each piece
(200,000 page faults in an ASCII file of 512 MB, and four times the processor time)."""

LONG_SOURCE_PIECE = 64 * 1024
"""Bytes read where as many characters are wanted: then text of one byte a character is not cut and joined."""

JOINED_PIECE = 1024
"""A piece of fewer bytes is joined to the one before at once: an object for each byte takes 90 bytes."""

AT_ONCE = 16 << 20
"""Bytes that are decoded in one call where all of the text is wanted. A feed of 300 KB takes a quarter of the
time of its pieces; larger files need not be in memory as bytes and as text."""

LINES = 64 * 1024
"""Characters that are split into lines at once: `io.StringIO` does it in C, 0.1 µs a line, where searching
for each line end takes 1 µs."""

_LINE_END = re.compile(r"\r\n|[\r\n]")

OWN_ERRORS = FeedcharsetError, OSError, ValueError
"""Those of the library and of the source. Any other one is that of a signal's handler."""

_Passed = ParamSpec("_Passed")
_Returned = TypeVar("_Returned")


def not_interrupted(
    method: Callable[Concatenate[Any, _Passed], _Returned],
) -> Callable[Concatenate[Any, _Passed], _Returned]:
    """Return a method that raises InterruptedError behind a call that has ended in an error neither of the
    library nor of the source. (A TimeoutError of the system has a number.)"""

    @wraps(method)
    def read(self: Any, *arguments: _Passed.args, **named: _Passed.kwargs) -> _Returned:
        if self._is_reading:
            raise InterruptedError("reading was interrupted, so text may be missing; open the source again")
        self._is_reading = True
        try:
            found = method(self, *arguments, **named)
        except OWN_ERRORS as error:
            self._is_reading = type(error) is TimeoutError and error.errno is None
            raise
        self._is_reading = False
        return found

    return read  # type: ignore[return-value]  # `self` may be passed by its name


class DecodedStream:
    """The text of a source, unpacked on request. As much of it is read as the decision needs. A damaged gzip
    member raises if the decoder is strict.

    Raises:
        ResolutionError: strict, where the rules refuse; its stream is at the first byte, and closes the
            source if `owned`.
    """

    def __init__(self, stream: IO[bytes], decoder: XmlDecoder, *, gunzip: bool, owned: bool) -> None:
        self._source = stream
        self._stream: Any = stream
        self._decoder = decoder
        self._at_hand = is_at_hand(stream)
        self.file: Any = stream.stream if isinstance(stream, CallerStream) else stream
        self.start_in_file: int = -1  # it is no file that can be read twice
        if self._at_hand and type(self.file) in FILES:
            with suppress(OSError):
                self.start_in_file = self.file.tell()
        self._taken: list[bytes | bytearray] = []
        """Bytes that were read and not decoded."""
        self._size = 0
        """Their number."""
        self._in_head = True
        """Nothing was decoded."""
        self._first: str | None = None
        """The text of a whole document, which was decoded together with the decision."""
        self._error: DecodeError | None = None
        self._failure: Exception | None = None
        """An error of the source behind the bytes that were read."""
        self._has_ended = self._is_decoded = False
        first = b""
        # Whole, it needs no more: at the end of the source nothing would be unpacked.
        while gunzip and first != GZIP_MAGIC and GZIP_MAGIC.startswith(first) and (piece := self._read()):
            first += piece
        if gunzip and first[:3] in GZIP_BEGINNINGS:
            self._stream = GunzipStream(first, self._stream, strict=not decoder.options.lenient)
            self._taken, self._size, self._has_ended = [], 0, False
        try:
            rest = self._read_head()
            if self._has_ended:
                self._first = self._decode(rest)
        except ResolutionError as error:
            taken = b"".join(self._taken)
            close = self._source.close if owned else bool
            error.stream = io.BufferedReader(PieceStream(self._stream.read, close, taken=taken))
            raise
        if self._has_ended:
            self._taken = []

    def _read_head(self) -> bytes:
        """Read until there is a decision; return the bytes that the decoder does not hold.

        A document of less than a piece is read to its end, so that its encoding is final before the first
        read, unless its source waits. Of a caller's stream of which that is not known no more is read than
        has to be.
        """
        if self._at_hand or not isinstance(self._source, CallerStream) or self._source.gives_parts:
            self._gather(SOURCE_PIECE, patient=self._at_hand)
            if self._has_ended:
                return b"".join(self._taken)
        new = b"".join(self._taken)
        decision = None
        while decision is None and not self._has_ended:
            if new:
                decision, new = self._decoder.look(new), b""
            elif self._failure is not None:
                raise self._failure
            else:
                new = self._read()
        return new if decision is None else b"".join(self._taken)

    def _gather(self, most: int, *, patient: bool = True) -> None:
        """Read until `most` bytes are taken, the end or a failure, which is raised after the text; or, not
        `patient`, until the source waits."""
        try:
            while self._size < most and not self._has_ended and self._failure is None:
                if not patient and self._size and waits(self._source):
                    break
                self._read(max(SOURCE_PIECE, most - self._size) if self._at_hand else SOURCE_PIECE)
        except (OSError, FeedcharsetError) as error:
            self._failure = error

    def _read(self, size: int = SOURCE_PIECE) -> bytes:
        stream = self._stream
        piece: bytes = (stream.read1 if type(stream) is CallerStream else stream.read)(size) or b""
        if piece:
            if len(piece) >= JOINED_PIECE:
                self._taken.append(piece)
            elif self._taken and isinstance(last := self._taken[-1], bytearray) and len(last) < SOURCE_PIECE:
                last += piece
            else:
                self._taken.append(bytearray(piece))
            self._size += len(piece)
        else:
            self._has_ended = True
        return piece

    @property
    def never_waits(self) -> bool:
        """The source is in memory or a file, or all of its text was decoded and nothing of it was taken."""
        return self._at_hand or (self._first is not None and self._error is None)

    @property
    def begins_again(self) -> bool:
        """No text was taken, and the source is a file that can be read twice; no detector is asked twice."""
        unread = self.start_in_file >= 0 and (self._in_head or self._first is not None)
        return unread and not callable(self._decoder.options.detector)

    def more(self, wanted: int = SOURCE_PIECE) -> str | None:
        """Return the text of the next piece, which may be empty; None at the end.

        Args:
            wanted: how many characters the caller needs; -n: all. Then the first call returns the text of up
                to n bytes, and of `AT_ONCE` at most.

        Raises:
            DecodeError: with errors="strict", an undecodable byte; again at every further call.
        """
        if self._first is not None:
            first, self._first = self._first, None
            return first
        if self._error is not None:
            raise self._error
        if wanted < 0 and self._in_head:
            if self.start_in_file >= 0 and self._stream is self._source:
                # To read a file again in one piece takes less time than a join.
                self.file.seek(-self._size, io.SEEK_CUR)
                self._taken, self._size = [], 0
            self._gather(min(-wanted, AT_ONCE))
        elif not (self._taken or self._has_ended or self._failure):
            self._read(LONG_SOURCE_PIECE if wanted >= LONG_SOURCE_PIECE else SOURCE_PIECE)
        if self._taken or (self._has_ended and not self._is_decoded):
            data = b"".join(self._taken)  # one piece is not copied
            self._taken, self._size = [], 0
            return self._decode(data)
        if self._failure is not None:
            try:
                raise self._failure
            finally:  # its traceback holds this stream
                self._failure = None
        return None

    def _decode(self, data: bytes) -> str:
        self._in_head = False
        if self._has_ended:
            self._is_decoded = True
            if isinstance(self._stream, GunzipStream) and self._stream.broken:
                self._decoder.note_broken_gzip()
        try:
            return self._decoder.decode(data, self._has_ended)
        except DecodeError as error:
            self._error, text = error, error.partial
            error.partial = ""
            return text


class TextBuffer:
    """Text that arrives in pieces of one size and is read in pieces of another.

    Pieces are joined once, when there are enough of them: a line of a gigabyte takes linear time. When the
    source fails, the text before stays in the buffer for the next call. Text before an undecodable byte is
    returned before its error is raised; only a read of all text raises at once.

    Args:
        more: returns the next piece, which may be empty, or None at the end. Its argument is the number of
            characters that are missing; 0: unknown; -n: all are wanted, n at once.
    """

    def __init__(self, more: Callable[[int], str | None]) -> None:
        self._more = more
        self._is_reading = False
        self._text = ""
        self._at = 0
        self._ended = False
        self._error: DecodeError | None = None
        """The text ends here with an undecodable byte."""
        self.lines: list[str] = []
        """The lines that end at `_at`, the last one first; one that is popped is read."""
        self.splits: int = 0
        """How often `lines` was filled."""
        self.rest: bytes = b""
        """The last bytes of a character whose first bytes were read as UTF-8."""

    @not_interrupted
    def read(self, size: int) -> str:
        """Return at most `size` characters; all that are left where it is negative; "" at the end."""
        self._put_lines_back()
        if size < 0:
            self._gather(lambda length, piece: False, -AT_ONCE)
            if self._error is not None:
                raise self._error  # what comes before stays to be read by size
            return self._give(len(self._text))
        if self._at + size <= len(self._text):
            return self._give(self._at + size)
        return self._checked(self._read_on(size))

    @not_interrupted
    def take(self, limit: int) -> tuple[str, bool]:
        """Return the text up to `limit` characters or a piece more, and whether it ends there. The error of
        an undecodable byte comes with the next read."""
        self._put_lines_back()
        self._gather(lambda length, piece: length > limit, -limit)
        text, self._text, self._at = self._text[self._at :], "", 0  # long: it is held once
        return text, self._ended and self._error is None

    def _put_lines_back(self) -> None:
        if self.lines:
            self._at -= sum(map(len, self.lines))
            self.lines.clear()

    def _checked(self, text: str) -> str:
        """Return the text; raise the error of an undecodable byte once all text before it was read."""
        if not text and self._error is not None:
            raise self._error
        return text

    def _read_on(self, size: int) -> str:
        """Return `size` characters from several pieces; each piece is copied once."""
        waiting = self._text[self._at :]
        pieces = [waiting] if waiting else []  # a single piece is not copied
        self._text, self._at = "", 0
        missing = size - len(waiting)
        try:
            while missing > 0 and (piece := self._next(missing)) is not None:
                if len(piece) > missing:
                    self._text, self._at = piece, missing
                    piece = piece[:missing]
                pieces.append(piece)
                missing -= len(piece)
        except BaseException:
            self._text = "".join(pieces)
            raise
        return "".join(pieces)

    def _next(self, wanted: int = 0) -> str | None:
        try:
            piece = None if self._ended else self._more(wanted)
        except DecodeError as error:
            self._error, piece = error, None
        self._ended = piece is None
        return piece

    @not_interrupted
    def read1(self, size: int) -> str:
        """Return at most `size` characters after taking one piece, or more if it is empty; "" at the end."""
        self._put_lines_back()
        if self._at >= len(self._text):
            self._gather(lambda length, piece: length > 0)
        return self._checked(self._give(self._at + size))

    def next_line(self) -> str:
        """Return the next line with its end; "" at the end. `lines` holds those that follow it."""
        return self.lines.pop() if self.split() else self.readline()

    @not_interrupted
    def split(self) -> bool:
        """Fill `lines` from the text at hand where it is empty; return whether there is one."""
        if not self.lines:
            # A line that may not be whole is left.
            lines = list(io.StringIO(self._text[self._at : self._at + LINES], newline=""))
            if lines and not lines[-1].endswith("\n"):
                lines.pop()
            self._at += sum(map(len, lines))
            self.lines += reversed(lines)
            self.splits += 1
        return bool(self.lines)

    @not_interrupted
    def readline(self, size: int = -1) -> str:
        """Return the next line with its end (LF, CRLF or CR); at most `size` characters unless negative."""
        self._put_lines_back()
        if size == 0:
            return ""
        if not (stop := self._line_stop(size)):
            self._gather(lambda length, piece: 0 <= size <= length or "\n" in piece or "\r" in piece)
            while not (stop := self._line_stop(size)) and not self._ended:
                self._gather(lambda length, piece: True)  # after a CR at the end, LF may follow
        return self._checked(self._give(stop or len(self._text)))

    def give_back(self, count: int) -> None:
        """Put the last `count` characters back: no more than the last read1 or readline returned."""
        self._at -= count

    def interrupt(self) -> None:
        """Let no further call read on."""
        self._is_reading = True
        self.lines.clear()

    def clear(self) -> None:
        """Drop all text; what reads on raises ValueError."""
        self._text, self._at, self._ended, self._error = "", 0, False, None
        self._more = _closed
        self.lines.clear()
        self.rest = b""

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

    def _gather(self, enough: Callable[[int, str], bool], wanted: int = 0) -> None:
        """Take pieces until `enough(characters in the buffer, last piece)`, or to the end."""
        waiting = self._text[self._at :]
        pieces = [waiting] if waiting else []  # a single piece is not copied
        length = len(waiting)
        try:
            while (piece := self._next(wanted)) is not None:
                pieces.append(piece)
                length += len(piece)
                if enough(length, piece):
                    break
        finally:
            self._text, self._at = "".join(pieces), 0


def _closed(wanted: int) -> NoReturn:
    raise ValueError("I/O operation on a closed XmlReader")
