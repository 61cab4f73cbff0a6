"""warcio: an XmlReader of a record of a WARC file.

With warcio's iterator:

    for record in ArchiveIterator(stream):
        if record.rec_type == "response":
            with open_record(record) as reader:
                text = reader.read()
"""

from __future__ import annotations

from typing import Unpack

from feedcharset.adapters import needed
from feedcharset.reading.xml_reader import ReaderOptions, XmlReader

with needed("warcio", "warcio"):
    from warcio.recordloader import ArcWarcRecord

__all__ = ["open_record"]


def open_record(record: ArcWarcRecord, **options: Unpack[ReaderOptions]) -> XmlReader:
    """Return an `XmlReader` of the document in a record.

    The Content-Type is that of the HTTP response; of a record without one ("resource", "conversion") it is
    the record's own. warcio has removed the chunks and the Content-Encoding that it knows. The reader does
    not close the record's stream: the iterator goes on from it.

    Args:
        record: of `ArchiveIterator`, whose content was not read before.
        options: those of `XmlReader`.

    Raises what `XmlReader` raises.
    """
    headers = record.http_headers or record.rec_headers
    options.setdefault("content_type", headers.get_header("Content-Type", ""))
    options["closefd"] = False
    return XmlReader(record.content_stream(), **options)
