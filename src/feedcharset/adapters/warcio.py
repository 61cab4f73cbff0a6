"""warcio: an XmlReader of a record of a WARC file.

With warcio's iterator:

    for record in ArchiveIterator(stream):
        if record.rec_type == "response":
            with open_record(record) as reader:
                text = reader.read()
"""

from __future__ import annotations

from io import BytesIO
from typing import Any, Unpack

from feedcharset.adapters import needed
from feedcharset.errors import FetchError
from feedcharset.evidence.document_head import PREFIX_LIMIT, is_unpacked
from feedcharset.fetch.gunzip import CODINGS, GZIP_MAGIC, PieceStream, words_of
from feedcharset.fetch.urls import shown, without_userinfo
from feedcharset.reading.byte_streams import read_whole
from feedcharset.reading.xml_reader import ReaderOptions, XmlReader

with needed("warcio", "warcio"):
    from warcio.bufferedreaders import BufferedReader, ChunkedDataReader
    from warcio.recordloader import ArcWarcRecord

__all__ = ["open_record"]


def open_record(record: ArcWarcRecord, **options: Unpack[ReaderOptions]) -> XmlReader:
    """Return an `XmlReader` of the document in a record.

    The Content-Type is that of the HTTP response; of a record without one ("resource", "conversion") it is
    the record's own. warcio removes the chunks and one Content-Encoding: gzip, deflate, or br where a brotli
    is installed that it can use. The reader does not close the record's stream: the iterator goes on from it.

    Args:
        record: of `ArchiveIterator`, whose content was not read before.
        options: those of `XmlReader`.

    Raises what `XmlReader` raises, and FetchError where the content is compressed in another way; `read_warc`
    reads that.
    """
    headers = record.http_headers or record.rec_headers
    options.setdefault("content_type", headers.get_header("Content-Type", ""))
    options["closefd"] = False
    return XmlReader(_content(record), **options)


def _content(record: ArcWarcRecord) -> Any:
    """The stream of the content without its codings. Where an archive has removed them itself, the header
    names them still."""
    http = record.http_headers
    if not http:
        return record.content_stream()
    words = [
        word
        for field in ("content-encoding", "transfer-encoding")
        for name, value in http.headers
        if name.lower() == field
        for word in words_of(value)
    ]
    codings = [word for word in words if word in CODINGS]
    coding = codings[0] if len(codings) == 1 and _removes(codings[0]) else None
    kind = ChunkedDataReader if "chunked" in words else BufferedReader
    stream = kind(record.raw_stream, decomp_type=coding)
    if not codings or coding:
        return stream
    head = read_whole(stream.read, PREFIX_LIMIT)
    if head and (head.startswith(GZIP_MAGIC) or not is_unpacked(head)):
        url = without_userinfo(record.rec_headers.get_header("WARC-Target-URI") or "")
        what = f"{shown(url)}: compressed ({', '.join(codings)}), and warcio does not unpack it"
        raise FetchError(what, url=url, advice="read the archive with feedcharset.batch.read_warc")
    return PieceStream(stream.read, taken=head)


def _removes(coding: str) -> bool:
    """Whether warcio removes a coding. It uses brotli up to 1.1 only: none of a later one may be changed."""
    try:
        BufferedReader(BytesIO(), decomp_type=coding)
    except Exception:  # Exception itself for a coding that it does not know, AttributeError for brotli
        return False
    return True
