"""UTF-8 as bytes: a reader's text as a binary stream, for parsers that read bytes, and `repair_stream`."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import Any, NoReturn, SupportsIndex

from feedcharset.reading.byte_streams import BinaryStream, CallerStream, write_whole
from feedcharset.reading.decoded_stream import LINES, OWN_ERRORS, TextBuffer, not_interrupted
from feedcharset.results import Readable, Repairs, Writable
from feedcharset.text.options import Cesu8, Mojibake, RepairErrors, XmlChars, check_option
from feedcharset.text.source_positions import RepairLog
from feedcharset.text.utf8_repair import Utf8Repairer
from feedcharset.text.xml_text import clean, has_forbidden, utf8_has_forbidden

READ_SIZE = 64 * 1024
"""Most bytes that read1 returns without a size: about what a reader takes from its source at once."""

CHUNK = 64 * 1024
"""Bytes that `repair_stream` reads at once; the allocator maps fresh memory for each larger chunk."""


class Utf8Stream(BinaryStream):
    """UTF-8 without BOM and, unless the reader keeps it, without the stale label. Not seekable.

    All text stays in the reader, also the rest of a character of which a part was returned: the next read of
    bytes begins with it, from whichever stream of the reader. Closing it closes the reader; when it is
    garbage-collected, the reader stays open.
    """

    def __init__(self, reader: Any, text: TextBuffer, log: RepairLog, xml_chars: str) -> None:
        """Make a stream of an `XmlReader`'s text, from its position on; `log` counts what is replaced.

        Raises:
            ValueError: another `xml_chars` than "keep", "replace", "space" and "drop".
        """
        check_option("xml_chars", xml_chars, XmlChars)
        self._reader = reader
        self.name: str | None = reader.name
        """The path or URL of the document, for the messages of parsers."""
        self._text = text
        self._log = log
        self._xml_chars = xml_chars
        self._width = 1.0
        """Bytes per character, measured on the last text."""
        self._is_reading = False
        self._failure: Exception | None = None
        """What the next read raises."""
        self._checked = (0, True)
        """Which split of the text was searched for forbidden characters last, and whether it has none."""

    @property
    def closed(self) -> bool:
        """Return True where this stream or its reader was closed."""
        return super().closed or self._reader.closed

    def readable(self) -> bool:
        """Return True: the stream can be read."""
        self._check_open()
        return True

    @not_interrupted
    def read(self, size: int | None = -1, /) -> bytes:
        """Return `size` bytes, fewer only at the end; without a size, all that are left.

        Raises:
            DecodeError, FetchError, OSError: as `XmlReader.read`.
            ValueError: the stream is closed.
        """
        self._check_open()
        if size is None or size < 0:
            return self._all()
        return self._joined(size, self._read1, lambda piece: False)

    @not_interrupted
    def read1(self, size: int = -1, /) -> bytes:
        """Return at most `size` bytes after one read of the source (more if empty); b"" at the end."""
        self._check_open()
        return self._read1(READ_SIZE if size < 0 else size)

    @not_interrupted
    def readline(self, size: int | None = -1, /) -> bytes:
        """Return the next line up to its LF, at most `size` bytes of it."""
        self._check_open()
        size = sys.maxsize if size is None or size < 0 else size
        return self._joined(size, self._line, lambda piece: piece.endswith(b"\n"))

    def _read1(self, size: int) -> bytes:
        # As many characters as probably fit; those that do not are put back.
        return self._part(size, self._text.read1, int(size / self._width) + 1)

    def _all(self) -> bytes:
        data, self._text.rest = self._text.rest + self._utf8(self._text.read(-1)), b""
        return data

    def _line(self, size: int) -> bytes:
        """Return the next line, or a part of it. Lines that are split already are checked together."""
        text = self._text
        if size <= 4 * LINES or text.rest or self._failure is not None or not (text.lines or text.split()):
            return self._part(size, text.readline, size)
        if self._checked[0] != text.splits:
            is_clean = self._xml_chars == "keep" or not has_forbidden("".join(text.lines))
            self._checked = (text.splits, is_clean)
        parts = [text.lines.pop()]
        while text.lines and not parts[-1].endswith("\n"):  # behind a bare CR
            parts.append(text.lines.pop())
        line = "".join(parts)
        return line.encode("utf-8") if self._checked[1] else self._utf8(line)

    def _part(self, size: int, take: Callable[[int], str], wanted: int) -> bytes:
        """Return at most `size` bytes of what `take` gives for so many characters."""
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        data, self._text.rest = self._text.rest[:size], self._text.rest[size:]
        while size and not data and (text := take(wanted)):
            data = self._fitted(text, size)  # empty where every character was dropped
        return data

    def _joined(self, size: int, part: Callable[[int], bytes], is_end: Callable[[bytes], bool]) -> bytes:
        """Return at most `size` bytes from several parts. What comes before a failure is returned before it
        is raised."""
        pieces: list[bytes] = []
        try:
            while size:
                pieces.append(part(size))
                size -= len(pieces[-1])
                if not pieces[-1] or is_end(pieces[-1]):
                    break
        except BaseException as error:
            if not pieces or not isinstance(error, OWN_ERRORS):
                self._text.rest = b"".join(pieces) + self._text.rest
                raise
            self._failure = error
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _fitted(self, text: str, size: int) -> bytes:
        """Return the last text that was read as UTF-8, at most `size` bytes; put the rest back."""
        data = text.encode("utf-8")
        dirty = self._xml_chars != "keep" and utf8_has_forbidden(data)
        if dirty and self._xml_chars == "replace":
            data = clean(text, "replace")[0].encode("utf-8")  # U+FFFD is longer than what it replaces
        self._width = len(data) / len(text)
        if len(data) > size:
            end = size
            while end < len(data) and data[end] & 0xC0 == 0x80:  # RFC 3629: inside a character
                end += 1
            back = len(str(data[end:], "utf-8"))
            self._text.give_back(back)
            data, text = data[:end], text[: len(text) - back]
        if dirty:
            data = self._utf8(text)
        self._text.rest = data[size:]
        return data[:size]

    def _utf8(self, text: str) -> bytes:
        data = text.encode("utf-8")
        if self._xml_chars != "keep" and utf8_has_forbidden(data):
            text, count = clean(text, self._xml_chars)
            self._log.add("xml-chars", count)
            data = text.encode("utf-8")
        return data

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on a closed stream")

    def close(self) -> None:
        """Close the stream and the reader."""
        self._reader.close()
        super().close()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Refuse to copy or pickle: two objects would share one stream."""
        raise TypeError(f"cannot copy or pickle {type(self).__name__}; open the source again")

    def __del__(self) -> None:
        """Leave the reader open, unlike other streams: the caller who opened it closes it."""


# -- UTF-8 with other bytes in it, without a decision -----------------------------------------------------


def repair_stream(
    src: Readable,
    dst: Writable,
    *,
    errors: RepairErrors = "windows-1252",
    cesu8: Cesu8 = "keep",
    mojibake: Mojibake = "keep",
    progress: Callable[[int], object] | None = None,
) -> Repairs:
    """Repair from one binary stream to another, in constant memory.

    Args:
        src: read to its end, not closed; a non-blocking stream is waited for.
        dst: written to, not closed, not flushed; raw or non-blocking, it is given what it did not take.
        errors: as for `repair`.
        cesu8: as for `repair`.
        mojibake: as for `repair`.
        progress: called after each chunk with the number of bytes in it; their sum is what was read.

    Raises:
        ValueError: an option has a value that `repair` does not allow.
        TypeError: one of the two is no binary stream.
    """
    repairer = Utf8Repairer(errors=errors, cesu8=cesu8, mojibake=mojibake)
    for passed, method, mode in ((src, "read", "rb"), (dst, "write", "wb")):
        if isinstance(passed, io.TextIOBase) or not hasattr(passed, method):
            hint = f"open the file with {mode!r}, or pass a text stream's .buffer"
            raise TypeError(f"{type(passed).__name__} is no binary stream; {hint}")
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function of a number of bytes; not {type(progress).__name__}")
    stream = CallerStream(src)
    while data := stream.read(CHUNK):
        write_whole(dst, repairer.feed(data))
        if progress is not None:
            progress(len(data))
    write_whole(dst, repairer.feed(b"", final=True))
    return repairer.repairs
