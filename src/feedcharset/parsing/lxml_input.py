"""A reader's text as the UTF-8 that lxml gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from feedcharset.parsing.document_start import DocumentStart
from feedcharset.parsing.libxml2 import DEEPEST, DEEPEST_HUGE
from feedcharset.parsing.markup_repair import MarkupRepairer
from feedcharset.parsing.recovery_log import RecoveryLog
from feedcharset.reading.xml_reader import ReaderOptions, XmlReader, check_names
from feedcharset.text.xml_text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Utf8Input", "open_reader"]

TEXT_SIZE = 1 << 16
"""Characters that are read at once: about what a reader has after one read of its source."""

REPAIR_SIZE = 1 << 20
"""Characters of a text in memory that are repaired at once."""


def open_reader(function: str, source: Any, options: ReaderOptions) -> tuple[XmlReader, bool]:
    """Return the source as an XmlReader, and whether it was opened here.

    Raises:
        TypeError: an option that XmlReader does not have; options together with an XmlReader, which has its
            own.
        What XmlReader raises.
    """
    check_names(function, options)
    if not isinstance(source, XmlReader):
        if options.get("lenient", True):
            options = {"xml_chars": "replace", **options}
        return XmlReader(source, **options), True
    if options:
        raise TypeError(f"an XmlReader has its options already; pass {', '.join(options)} when you open it")
    return source, False


class Utf8Input:
    """A reader's text as UTF-8 with LF as line end, repaired where the reader is lenient.

    lxml counts lines by LF alone. CR and CRLF are translated to LF as XML 1.0 §2.11 requires.
    """

    def __init__(self, reader: XmlReader, *, clean: bool, huge: bool) -> None:
        """Start at the reader's position.

        Args:
            reader: the reader.
            clean: replace characters that XML forbids, because the reader keeps them.
            huge: the parser's limits are raised.
        """
        self._reader = reader
        self._clean = clean and reader.resolution.lenient
        self._taken = ""
        """Text that was read, and is returned next."""
        self._cr = ""
        self._ended = False
        self._returned = False
        """All of the document was returned by `read`."""
        self._log: RecoveryLog | None = None
        if reader.resolution.lenient:
            self._log = log = RecoveryLog(reader._decoder.log)
            reader._recovered = lambda: log.recovered
            self._start = DocumentStart(log)
            self._repairer = MarkupRepairer(log, deepest=DEEPEST_HUGE if huge else DEEPEST)

    def set_error_log(self, errors: Callable[[], Iterable[Any]]) -> None:
        """Add to `XmlReader.recovered` what the parser recovers from.

        Args:
            errors: returns the entries of the parser's error log.
        """
        if self._log is not None:
            self._log.errors = errors

    def whole(self, limit: int) -> str | None:
        """Return the text of the whole document without repairs; None where it has more than about `limit`
        characters, or ends with an undecodable byte that is refused. `read` returns it again."""
        text, self._ended = self._reader._take_whole(limit)
        self._taken = self._cleaned(self._with_line_feeds(text))
        return self._taken if self._ended else None

    def read(self, size: int = -1, /) -> bytes:
        """The next piece, of any size; b"" at the end."""
        piece = b""
        while not piece and not self._returned:
            text, self._taken = self._taken[:REPAIR_SIZE], self._taken[REPAIR_SIZE:]
            if not text and not self._ended:
                read = self._reader._read1(TEXT_SIZE)
                self._ended = not read
                text = self._cleaned(self._with_line_feeds(read))
            self._returned = last = self._ended and not self._taken
            if self._log is not None:
                text = self._repairer.feed(self._start.feed(text, last), last)
            piece = text.encode("utf-8")
        return piece

    def _with_line_feeds(self, text: str) -> str:
        if self._cr:
            text = self._cr + text
        self._cr = ""
        if "\r" not in text:
            return text
        if text[-1] == "\r" and not self._ended:
            text, self._cr = text[:-1], "\r"
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _cleaned(self, text: str) -> str:
        if not self._clean:
            return text
        text, count = clean(text, "replace")
        if count:
            self._reader._decoder.log.add("xml-chars", count)
        return text
