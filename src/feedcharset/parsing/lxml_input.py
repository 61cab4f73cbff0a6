"""A reader's text as the UTF-8 that lxml gets, and the options of lxml's parsers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from feedcharset.parsing.document_start import DocumentStart
from feedcharset.parsing.markup_repair import MarkupRepairer
from feedcharset.parsing.parser_limits import DEEPEST, DEEPEST_HUGE, limit_message
from feedcharset.parsing.recovery_log import RecoveryLog
from feedcharset.parsing.tag_repair import TagRepairer
from feedcharset.reading.xml_reader import ReaderOptions, XmlReader, check_names
from feedcharset.text.xml_characters import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = [
    "PIECE",
    "Utf8Input",
    "closed",
    "open_reader",
    "strict_error",
    "unrecovered_error",
    "unreported_error",
]

PIECE = 64 * 1024
"""Characters that are given to lxml at once: about what a reader has after one read of its source."""

_LIMITS = ("ERR_RESOURCE_LIMIT", "ERR_ENTITY_LOOP", "ERR_NAME_TOO_LONG", "ERR_NO_MEMORY")
"""Errors at which libxml2 stops even with recover=True: the rest of the document is not in the tree."""


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

    def __init__(self, reader: XmlReader, *, clean: bool) -> None:
        """Start at the reader's position.

        Args:
            reader: the reader.
            clean: replace characters that XML forbids, because the reader keeps them.
        """
        self._reader = reader
        self._clean = clean
        self._cr = ""
        self._ended = False
        self._log: RecoveryLog | None = None
        self._repairer: MarkupRepairer | None = None
        if reader.resolution.lenient:
            self._log = log = RecoveryLog(reader._decoder.log)
            reader._recovered = lambda: log.recovered
            self._start = DocumentStart(log)
            self._tag_repairer = TagRepairer(log.tags)
            self._repairer = MarkupRepairer(log)

    def set_error_log(self, errors: Callable[[], Iterable[Any]]) -> None:
        """Add to `XmlReader.recovered` what the parser recovers from.

        Args:
            errors: returns the entries of the parser's error log.
        """
        if self._log is not None:
            self._log.errors = errors

    def read(self, size: int = -1, /) -> bytes:
        """The next piece, of any size; b"" at the end."""
        piece = b""
        while not piece and not self._ended:
            text = self._reader._read1(PIECE)
            self._ended = not text
            text = self._cleaned(self._with_line_feeds(text))
            if self._repairer is not None:
                text = self._tag_repairer.feed(self._start.feed(text, self._ended), self._ended)
                text = self._repairer.feed(text, self._ended)
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


def unrecovered_error(log: Any, *, root: bool, name: str | None, huge: bool) -> Exception | None:
    """Return the error that ended parsing in spite of recover=True, or None.

    Args:
        log: lxml's error log.
        root: there is a root element.
        name: the document's path or URL.
        huge: the parser's limits were raised.
    """
    from lxml import etree

    error: Any = etree.XMLSyntaxError
    entries = list(log)
    if limit := next((entry for entry in entries if entry.type_name in _LIMITS), None):
        message = f"{limit_message(limit.message, huge=huge)}, line {limit.line}, column {limit.column}"
        found: Exception = error(message, limit.type, limit.line, limit.column, name)
        return found
    if root:
        return None
    first = entries[0] if entries else None
    message = first.message.strip() if first else "Document is empty"
    return _no_document(message, first.line if first else 1, first.column if first else 1, name)


REPORTED = 100
"""Errors after which libxml2 reports no more (XML_MAX_ERRORS), the one that ends parsing included."""


def unreported_error(root: Any, log: Any, name: str | None, *, huge: bool) -> Exception | None:
    """Return the error of a document that is too deep, where libxml2 reported too many others to report it.

    Args:
        root: the root element of what was parsed.
        log: lxml's error log.
        name: the document's path or URL.
        huge: the parser's limits were raised.
    """
    from lxml import etree

    deepest = DEEPEST_HUGE if huge else DEEPEST
    if len(log) < REPORTED or not root.getroottree().xpath(f"boolean({'/*' * (deepest - 1)})"):
        return None
    message = limit_message(f"Excessive depth in document: {deepest}", huge=huge)
    error: Any = etree.XMLSyntaxError
    last = log[-1]
    found: Exception = error(message, etree.ErrorTypes.ERR_RESOURCE_LIMIT, last.line, last.column, name)
    return found


def closed(parser: Any) -> Any:
    """Close a parser with recover=True; return the root element, or None."""
    from lxml import etree

    try:
        return parser.close()
    except etree.XMLSyntaxError:  # there is none
        return None


def strict_error(error: Any, name: str | None, *, huge: bool) -> Exception:
    """Return the error of a strict parser, as NoDocument where there is no element."""
    from lxml import etree

    # The second is lxml's own, of a parser that got no bytes at all.
    if error.code != etree.ErrorTypes.ERR_DOCUMENT_EMPTY and not error.msg.startswith("no element found"):
        message = limit_message(error.msg, huge=huge)
        kind: Any = type(error)
        changed: Exception = (
            kind(message, error.code, *error.position, name) if message != error.msg.strip() else error
        )
        return changed
    line, column = error.position
    return _no_document(error.msg.partition(", line ")[0], max(line, 1), max(column, 1), name)


_NO_ELEMENT = {
    "Document is empty": "it is empty",
    "Start tag expected, '<' not found": "no tag begins here",
}
"""Messages of libxml2 in plain words."""


def _no_document(message: str, line: int, column: int, name: str | None) -> Exception:
    from lxml import etree

    from feedcharset.parsing.no_document import NoDocument

    words = _NO_ELEMENT.get(message, message)
    text = f"no element in the document: {words}, line {line}, column {column}; look at what the source sends"
    # The arguments of lxml's XMLSyntaxError, which has no types.
    error: Any = NoDocument
    found: Exception = error(text, etree.ErrorTypes.ERR_DOCUMENT_EMPTY, line, column, name)
    return found
