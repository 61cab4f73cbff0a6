"""A reader's text as the octets that lxml is fed, and lxml's parsers as they are set up here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from feedcharset.parsing.markup_repair import MarkupRepairer
from feedcharset.parsing.recovery_log import RecoveryLog
from feedcharset.reading.reader_options import ReaderOptions, check_names
from feedcharset.reading.xml_reader import XmlReader
from feedcharset.text.xml_characters import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["PIECE", "Utf8Input", "unrecovered_error", "open_reader", "safe_options"]

PIECE = 64 * 1024
"""Characters that lxml is given at once, as many as a reader has of ASCII after one read."""

_LIMITS = ("ERR_RESOURCE_LIMIT", "ERR_ENTITY_LOOP", "ERR_NAME_TOO_LONG", "ERR_NO_MEMORY")
"""Where libxml2 stops whatever it has been told: no more of the document would be in the tree."""


def safe_options(reader: XmlReader) -> dict[str, Any]:
    """The options of lxml's parsers for documents that others write.

    Nothing is loaded: no DTD, no external entity, general or parameter (§4.4.3 leaves that to whoever
    reads). What expands is what the internal subset declares, to five times the size of the document; depth
    and lengths are libxml2's (256 elements, 10,000,000 octets of text or attribute). The text is UTF-8,
    whatever the document says.
    """
    return {
        "encoding": "utf-8",
        "recover": reader.resolution.lenient,
        "resolve_entities": "internal",
        "no_network": True,
        "load_dtd": False,
        "dtd_validation": False,
        "attribute_defaults": False,
        "huge_tree": False,
    }


def open_reader(function: str, source: Any, options: ReaderOptions) -> tuple[XmlReader, bool]:
    """The source as an XmlReader, and whether it was opened here.

    Raises:
        TypeError: an option that XmlReader does not have; options beside an XmlReader, which has its own.
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
    """A reader's text as UTF-8 with line ends of LF, mended where the reader is lenient.

    lxml counts lines by LF alone; that a line ends at CR, too, is for an XML processor to translate on input
    (XML 1.0 §2.11).
    """

    def __init__(self, reader: XmlReader, *, clean: bool) -> None:
        """Begin where the reader stands.

        Args:
            reader: what is read.
            clean: characters that XML forbids are still in the text of a lenient reader.
        """
        self._reader = reader
        self._clean = clean
        self._cr = ""
        self._ended = False
        self._log: RecoveryLog | None = None
        self._mender: MarkupRepairer | None = None
        if reader.resolution.lenient:
            self._log = reader._mended = RecoveryLog(reader._decoder.log)
            self._mender = MarkupRepairer(self._log)

    def watch(self, errors: Callable[[], Iterable[Any]]) -> None:
        """Report what the parser recovers from.

        Args:
            errors: gives the entries of its error log.
        """
        if self._log is not None:
            self._log.errors = errors

    def read(self, size: int = -1, /) -> bytes:
        """The next piece, of any size; b"" at the end."""
        octets = b""
        while not octets and not self._ended:
            text = self._reader._read1(PIECE)
            self._ended = not text
            text = self._cleaned(self._with_line_feeds(text))
            if self._mender is not None:
                text = self._mender.feed(text, self._ended)
            octets = text.encode("utf-8")
        return octets

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


def unrecovered_error(log: Any, *, root: bool, name: str | None) -> Any:
    """The error of a parser that was told to recover and could not, or None.

    Args:
        log: lxml's error log.
        root: there is a root element.
        name: the document's path or URL.
    """
    from lxml import etree

    error: Any = etree.XMLSyntaxError
    entries = list(log)
    worst = [entry for entry in entries if entry.type_name in _LIMITS] or (entries[:1] if not root else [])
    if worst:
        entry = worst[0]
        message = f"{entry.message.strip()}, line {entry.line}, column {entry.column}"
        return error(message, entry.type, entry.line, entry.column, name)
    if not root:
        return error("no element found", etree.ErrorTypes.ERR_DOCUMENT_EMPTY, 1, 1, name)
    return None
