"""The body of an archived HTTP response: its transfer and content codings removed, within a limit."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable
from typing import Any

__all__ = ["payload"]

CHUNK_LINE_LIMIT = 4096
"""Bytes of the line before a chunk, its extensions included: llhttp allows 16 KiB for all of them."""

_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,12})[ \t]*+(?:;|\Z)")


def payload(raw: bytes, transfer: str, content: str, most: int) -> bytes:
    """The document's bytes.

    Many archives hold bodies that are decoded already, under the header fields as received. What does not
    decode by them is therefore taken as it is.

    Args:
        raw: the record's bytes after the HTTP header.
        transfer, content: the values of Transfer-Encoding and Content-Encoding.
        most: bytes that are unpacked; one more is returned where there are more.
    """
    if "chunked" in transfer.lower():
        raw = _removed(raw, "chunked", most)
    codings = [coding.strip().lower().removeprefix("x-") for coding in content.split(",")]
    for coding in reversed(codings):  # RFC 9110 section 8.4: listed in the order in which they were applied
        if coding in _READERS:
            raw = _removed(raw, coding, most)
    return raw


def _removed(raw: bytes, coding: str, most: int) -> bytes:
    try:
        return _READERS[coding](raw, most + 1)
    except (OSError, ValueError, zlib.error):
        return raw


def _by_fastwarc(name: str) -> Callable[[bytes, int], bytes]:
    def read(raw: bytes, most: int) -> bytes:
        from fastwarc import stream_io

        reader: Any = getattr(stream_io, name)(io.BytesIO(raw))
        pieces, size = [], 0
        while size < most and (piece := reader.read(most - size)):
            pieces.append(piece)
            size += len(piece)
        if raw and not size:
            raise ValueError("nothing came out")
        return b"".join(pieces)

    return read


def _dechunk(raw: bytes, most: int) -> bytes:
    """The chunked coding (RFC 9112 section 7.1). Where the connection broke off, what came before counts."""
    pieces: list[bytes] = []
    at = size = 0
    while size < most:
        line = raw.find(b"\r\n", at, at + CHUNK_LINE_LIMIT)
        length = _CHUNK_SIZE.match(raw, at, max(line, at))
        if length is None:
            if not pieces:
                raise ValueError("no chunk")
            break
        count = int(length[1], 16)
        if count == 0:
            break
        pieces.append(raw[line + 2 : line + 2 + min(count, most - size)])
        size += len(pieces[-1])
        at = line + 2 + count + 2
    return b"".join(pieces)


def _inflate(raw: bytes, most: int) -> bytes:
    """gzip, and deflate with or without its header. A broken gzip body is left to `decode_arrays`."""
    last: zlib.error | None = None
    for window in (47, -15):  # zlib's names: gzip or zlib by the header; no header
        engine = zlib.decompressobj(window)
        try:
            unpacked = engine.decompress(raw, most)
        except zlib.error as error:
            last = error
            continue
        if engine.eof:
            return unpacked + _next_members(engine.unused_data, most - len(unpacked))
        if window == 47 and raw.startswith(b"\x1f\x8b"):
            break
        if len(unpacked) == most:
            return unpacked
    raise last or ValueError("broken, or longer than the limit")


def _next_members(rest: bytes, most: int) -> bytes:
    """Further gzip members (RFC 1952 section 2.2); what is none is ignored."""
    found = []
    while rest.startswith(b"\x1f\x8b") and most > 0:
        engine = zlib.decompressobj(31)
        try:
            found.append(engine.decompress(rest, most))
        except zlib.error:
            break
        most -= len(found[-1])
        rest = engine.unused_data
    return b"".join(found)


_READERS: dict[str, Callable[[bytes, int], bytes]] = {
    "chunked": _dechunk,
    "gzip": _inflate,
    "deflate": _inflate,
    "br": _by_fastwarc("BrotliReader"),
    "zstd": _by_fastwarc("ZstdReader"),
}
