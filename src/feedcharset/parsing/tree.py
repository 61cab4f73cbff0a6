"""`parse`: a document as lxml's tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from feedcharset.parsing.lxml_input import Utf8Input, open_reader, safe_options, unrecovered_error
from feedcharset.parsing.recovery_log import log_recoveries
from feedcharset.reading.reader_options import ReaderOptions

if TYPE_CHECKING:
    from lxml.etree import _ElementTree

    from feedcharset.reading.xml_reader import XmlReader

__all__ = ["parse"]


def parse(source: Any, **options: Unpack[ReaderOptions]) -> _ElementTree:
    """Parse a document from an untrusted source.

    Nothing that the document refers to is loaded, and entity expansion is limited. When lenient, characters,
    references and markup that XML does not allow are repaired; `XmlReader.recovered` lists the repairs, and
    the logger "feedcharset" writes them in one line at INFO.

    Args:
        source: what `XmlReader` opens; or an XmlReader, which is read to its end and stays open.
        options: those of `XmlReader`; none together with an XmlReader. `xml_chars` is "replace" when lenient.

    Returns:
        lxml's tree. Its line numbers are those of the document.

    Raises:
        lxml.etree.XMLSyntaxError: strict, where the document is not well-formed, with the document's line and
            column; lenient, where the document contains no element, or exceeds a limit of the parser.
        Whatever XmlReader raises.
    """
    reader, owned = open_reader("parse", source, options)
    try:
        return _tree(reader, clean=not owned)
    finally:
        if owned:
            reader.close()


def _tree(reader: XmlReader, *, clean: bool) -> _ElementTree:
    from lxml import etree

    lenient = reader.resolution.lenient
    parser = etree.XMLParser(**safe_options(reader))
    utf8: Any = Utf8Input(reader, clean=clean and lenient)
    utf8.set_error_log(lambda: parser.error_log)
    name: Any = reader.name
    tree = etree.parse(utf8, parser, base_url=name)
    if lenient:
        error = unrecovered_error(parser.error_log, root=tree.getroot() is not None, name=reader.name)
        if error is not None:
            raise error
        log_recoveries(reader)
    return tree
