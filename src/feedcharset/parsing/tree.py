"""`parse`: a document as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from feedcharset.parsing.lxml_input import Feed, fatal, open_reader, safe_options
from feedcharset.parsing.recovery_message import tell

if TYPE_CHECKING:
    from lxml.etree import _ElementTree

    from feedcharset.reading.xml_reader import XmlReader

__all__ = ["parse"]


def parse(source: Any, **options: Any) -> _ElementTree:
    """Parse a document that others wrote.

    Nothing that the document refers to is loaded, and what it may make the parser expand is bounded. Read
    leniently, a document is mended where XML has no such characters, no such references or no such markup;
    `XmlReader.recovered` says what that was, and so does a line at INFO of the logger "feedcharset".

    Args:
        source: whatever `XmlReader` opens; or an XmlReader, which is read to its end and stays open.
        options: those of `XmlReader`; none beside an XmlReader. `xml_chars` is "replace" when lenient.

    Returns:
        lxml's tree. Its lines are those of the document.

    Raises:
        lxml.etree.XMLSyntaxError: strict, where the document is not well-formed, with its own line and
            column; lenient, where there is no element in it at all, or where it exceeds a limit of the
            parser.
        Whatever XmlReader raises.
    """
    reader, owned = open_reader(source, options)
    try:
        return _parsed(reader, clean=not owned)
    finally:
        if owned:
            reader.close()


def _parsed(reader: XmlReader, *, clean: bool) -> _ElementTree:
    from lxml import etree

    lenient = reader.resolution.lenient
    parser = etree.XMLParser(**safe_options(reader))
    feed: Any = Feed(reader, clean=clean and lenient)
    feed.watch(lambda: parser.error_log)
    name: Any = reader.name
    tree = etree.parse(feed, parser, base_url=name)
    if lenient:
        error = fatal(parser.error_log, root=tree.getroot() is not None, name=reader.name)
        if error is not None:
            raise error
        tell(reader)
    return tree
