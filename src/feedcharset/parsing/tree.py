"""`parse`: a document as lxml's tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from feedcharset.parsing.document_start import DocumentStart
from feedcharset.parsing.html_names import HTML
from feedcharset.parsing.lxml_input import (
    Utf8Input,
    closed,
    open_reader,
    strict_error,
    unrecovered_error,
    unreported_error,
)
from feedcharset.parsing.parser_limits import safe_options
from feedcharset.parsing.recovery_log import RecoveryLog, log_recoveries
from feedcharset.reading.xml_reader import ReaderOptions
from feedcharset.text.repair_log import RepairLog

if TYPE_CHECKING:
    from lxml.etree import _ElementTree

    from feedcharset.reading.xml_reader import XmlReader

__all__ = ["parse"]


def parse(source: Any, *, huge: bool = False, **options: Unpack[ReaderOptions]) -> _ElementTree:
    """Parse a document from an untrusted source.

    Nothing that the document refers to is loaded, and entity expansion is limited. When lenient, characters,
    references and markup that XML does not allow are repaired, and what stands before the document (messages
    of a server, HTTP headers, an HTML page) is passed over. `XmlReader.recovered` lists the repairs, and the
    logger "feedcharset" writes them in one line at INFO. Of several documents the first is parsed.

    Args:
        source: what `XmlReader` opens; or an XmlReader, which is read to its end and stays open.
        huge: raise the parser's limits to 2,048 elements within one another, and texts of 1,000,000,000
            bytes; only for sources that you trust. Entities stay limited.
        options: those of `XmlReader`; none together with an XmlReader. `xml_chars` is "replace" when lenient.

    Returns:
        lxml's tree. Its line numbers are those of the document.

    Raises:
        NoDocument: there is no element in the document.
        lxml.etree.XMLSyntaxError: strict, where the document is not well-formed, with the document's line and
            column; where it exceeds a limit of the parser.
        Whatever XmlReader raises.
    """
    reader, owned = open_reader("parse", source, options)
    try:
        return _tree(reader, clean=not owned, huge=huge)
    finally:
        if owned:
            reader.close()


def _tree(reader: XmlReader, *, clean: bool, huge: bool) -> _ElementTree:
    utf8 = Utf8Input(reader, clean=clean and reader.resolution.lenient)
    if reader.resolution.lenient:
        return _well_formed_tree(reader, huge) or _recovered_tree(reader, utf8, huge)
    return _strict_tree(reader, utf8, huge)


def _well_formed_tree(reader: XmlReader, huge: bool) -> _ElementTree | None:
    """Return the tree of a document that is in memory, where it is well-formed and needs no repair; else
    None.

    To look for what must be repaired takes longer than lxml takes to parse: 600 µs of 60 KB, where this takes
    20 more than lxml. What is not well-formed is parsed up to the first error only. A document type
    declaration may make references well-formed that are repaired, and an HTML page may have a feed in it.
    """
    from lxml import etree

    text = reader._take_whole()
    if text is None:
        return None
    lines = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    parser = etree.XMLParser(**safe_options(recover=False, huge=huge))
    try:
        tree: _ElementTree = etree.fromstring(lines.encode(), parser, base_url=reader.name).getroottree()
    except (etree.XMLSyntaxError, UnicodeEncodeError):
        tree = None
    if (
        tree is None
        or len(parser.error_log)
        or tree.docinfo.internalDTD is not None
        or _has_page_around(tree.getroot(), lines)
    ):
        reader._give_back(len(text))
        return None
    log_recoveries(reader)
    return tree


def _has_page_around(root: Any, text: str) -> bool:
    """Return whether a root element is HTML around a feed."""
    if root.tag.rpartition("}")[2].lower() not in HTML:
        return False
    start = DocumentStart(RecoveryLog(RepairLog()))
    return start.feed(text, True) != text


def _recovered_tree(reader: XmlReader, utf8: Utf8Input, huge: bool) -> _ElementTree:
    from lxml import etree

    # libxml2's push parser, as in iterparse: its pull parser recovers from errors in other ways.
    parser: Any = etree.XMLPullParser((), base_url=reader.name, **safe_options(recover=True, huge=huge))
    utf8.set_error_log(lambda: parser.feed_error_log)
    while piece := utf8.read():
        parser.feed(piece)
    root = closed(parser)
    log = parser.feed_error_log
    if error := unrecovered_error(log, root=root is not None, name=reader.name, huge=huge):
        raise error
    if error := unreported_error(root, log, reader.name, huge=huge):
        raise error
    log_recoveries(reader)
    tree: _ElementTree = root.getroottree()
    return tree


def _strict_tree(reader: XmlReader, utf8: Any, huge: bool) -> _ElementTree:
    from lxml import etree

    name: Any = reader.name
    try:
        return etree.parse(utf8, etree.XMLParser(**safe_options(recover=False, huge=huge)), base_url=name)
    except etree.XMLSyntaxError as error:
        raise strict_error(error, reader.name, huge=huge) from None
