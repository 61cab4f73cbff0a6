"""Web archives made for a test: records as a crawler writes them, in memory or as files."""

from __future__ import annotations

import gzip
import io
from typing import NamedTuple

__all__ = ["Exchange", "archive"]


class Exchange(NamedTuple):
    """A record: the HTTP message with its header, and what the record says of it."""

    url: str
    header: bytes
    """Lines with CR LF, without the empty one at the end; empty: no HTTP header."""
    body: bytes
    payload_type: str | None = None
    kind: str = "response"


def archive(*exchanges: Exchange, packed: bool = True) -> bytes:
    """A WARC 1.1 file; `packed`: a gzip member for each record. The same exchanges give the same bytes."""
    records = [_record(number, exchange) for number, exchange in enumerate(exchanges)]
    info = Exchange("", b"", b"software: feedcharset tests\r\n", None, "warcinfo")
    records.insert(0, _record(999, info))
    return b"".join(gzip.compress(record, mtime=0) if packed else record for record in records)


def _record(number: int, exchange: Exchange) -> bytes:
    message = exchange.header + b"\r\n\r\n" + exchange.body if exchange.header else exchange.body
    fields = {
        "WARC-Type": exchange.kind,
        "WARC-Record-ID": f"<urn:uuid:00000000-0000-4000-8000-{number:012}>",
        "WARC-Date": f"2026-11-20T09:{number // 60 % 60:02}:{number % 60:02}Z",
        "WARC-Target-URI": exchange.url,
        "WARC-Identified-Payload-Type": exchange.payload_type,
        "Content-Type": "application/http; msgtype=response"
        if exchange.kind == "response"
        else "application/warc-fields",
        "Content-Length": str(len(message)),
    }
    lines = io.StringIO("WARC/1.1\r\n")
    lines.seek(0, io.SEEK_END)
    for name, value in fields.items():
        if value:
            lines.write(f"{name}: {value}\r\n")
    return lines.getvalue().encode() + b"\r\n" + message + b"\r\n\r\n"
