"""Beautiful Soup: a soup of a document in any encoding."""

from __future__ import annotations

from typing import Any

from feedcharset.adapters import needed, warn_of_gzip
from feedcharset.parsing.references import valid_references
from feedcharset.reading.xml_reader import XmlReader

with needed("bs4", "beautifulsoup4"):
    from bs4 import BeautifulSoup

__all__ = ["make_soup"]


def make_soup(
    source: Any, features: str = "xml", *, content_type: str | None = None, **options: Any
) -> BeautifulSoup:
    """Parse a document with Beautiful Soup.

    Characters that XML forbids become U+FFFD, as do references to none. Beautiful Soup alone deletes them, or
    raises.

    Args:
        source: whatever `XmlReader` takes: a URL, a path, bytes, a binary stream, a response.
        features: Beautiful Soup's parser; "xml" is lxml.
        content_type: the value of the Content-Type field; None: what the source gives.
        options: those of `BeautifulSoup`, but `from_encoding`.

    Returns:
        The soup. Its `original_encoding` is the IANA name of the encoding that feedcharset found, its
        `repairs` is that of the reader. Of gzip that is cut off or damaged, which is logged as a warning, it
        has what could be unpacked.

    Raises what `XmlReader` raises.
    """
    with XmlReader(source, content_type=content_type, xml_chars="replace") as reader:
        soup = BeautifulSoup(valid_references(reader.read()), features, **options)
        soup.original_encoding = reader.encoding
        vars(soup)["repairs"] = reader.repairs
        warn_of_gzip(reader)
    return soup
