"""pandas: `read_xml` for a document in any encoding."""

from __future__ import annotations

from typing import Any

from feedcharset.adapters import needed, warn_of_gzip
from feedcharset.reading.xml_reader import XmlReader

with needed("pandas", "pandas"):
    import pandas

__all__ = ["read_xml"]


def read_xml(source: Any, *, content_type: str | None = None, **options: Any) -> pandas.DataFrame:
    """Read an XML document into a DataFrame: `pandas.read_xml` with the right text.

    Args:
        source: whatever `XmlReader` takes: a URL, a path, bytes, a binary stream, a response.
        content_type: the value of the Content-Type field; None: what the source gives.
        options: those of `pandas.read_xml`, but `encoding` and `compression`: pandas gets UTF-8, and gzip is
            unpacked. That it is cut off or damaged is logged as a warning.

    Raises what `XmlReader` and `pandas.read_xml` raise; TypeError for these two.
    """
    for name in ("encoding", "compression"):
        if name in options:
            raise TypeError(f"pass no {name}=: pandas gets UTF-8, and gzip is unpacked")
    with XmlReader(source, content_type=content_type) as reader:
        frame = pandas.read_xml(reader.utf8(), **options)
        warn_of_gzip(reader)
        return frame
