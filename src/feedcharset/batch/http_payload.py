"""The body of an archived HTTP response: its transfer and content codings removed, within a limit."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from feedcharset.fetch.gunzip import BrokenGzip, Gunzip, OverLimit
from feedcharset.fetch.limits import Limits

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
    except (
        OSError,
        ValueError,
        BrokenGzip,
    ):  # a broken gzip body is left to `decode_arrays`, which counts it
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


def _by_gunzip(coding: str) -> Callable[[bytes, int], bytes]:
    def read(raw: bytes, most: int) -> bytes:
        pieces: list[bytes] = []
        with suppress(OverLimit):
            pieces.extend(Gunzip((raw,), Limits(decoded=most, ratio=None), coding=coding))
        return b"".join(pieces)

    return read


_READERS: dict[str, Callable[[bytes, int], bytes]] = {
    "chunked": _dechunk,
    "gzip": _by_gunzip("gzip"),
    "deflate": _by_gunzip("deflate"),
    "br": _by_fastwarc("BrotliReader"),
    "zstd": _by_fastwarc("ZstdReader"),
}
