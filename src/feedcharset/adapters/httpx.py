"""httpx: the text of a response, sync and async.

In a `with` block:

    with httpx.stream("GET", url) as response:
        text, resolution, repairs = read_response(response)
"""

from __future__ import annotations

from typing import Unpack

from feedcharset.adapters import needed
from feedcharset.adapters.xml_responses import MAX_BYTES, BodyBuffer
from feedcharset.errors import FetchError, TruncatedBody
from feedcharset.fetch.framing import announced_length
from feedcharset.fetch.gunzip import NO_CODING, is_unfinished, refuse_coding
from feedcharset.fetch.urls import address_of, shown
from feedcharset.reading.byte_streams import gone
from feedcharset.reading.sources import content_type_of
from feedcharset.results import Decoded
from feedcharset.text.options import DecoderOptions

with needed("httpx", "httpx"):
    import httpx

__all__ = ["aread_response", "read_response"]


def read_response(
    response: httpx.Response, *, max_bytes: int | None = MAX_BYTES, **options: Unpack[DecoderOptions]
) -> Decoded:
    """Read and decode a response of `httpx.get`, `httpx.Client` or `httpx.stream`.

    The status is not looked at: call `response.raise_for_status()` first.

    Args:
        response: read already, or streamed. A response of an AsyncClient must have been read.
        max_bytes: the greatest number of bytes of the body, without its Content-Encoding; None: no limit.
        options: those of `decode`.

    Returns:
        The text, the decision and the repairs, as `feedcharset.decode` returns them.

    Raises:
        TooLarge: the body has more than `max_bytes` bytes.
        TruncatedBody: its gzip, deflate or br data ended before its end mark, or has members behind the first
            one, which httpx leaves (`XmlReader(response)` reads those of a stream), or it has less than its
            Content-Length. Where no Content-Encoding
            names the gzip, only with lenient=False; else the repairs have the kind "gzip".
        FetchError: it has more than one Content-Encoding, and was not read before, or one that httpx cannot
            remove.
        TypeError: the response is of an AsyncClient and was not read; await `aread_response`. A part of it
            was read before, and not kept, or it was closed.
        httpx.HTTPError: the body cannot be read.
    """
    if not response.is_closed and not isinstance(response.stream, httpx.SyncByteStream):
        raise TypeError("this response of an AsyncClient was not read; use await aread_response(response)")
    with _buffer(response, max_bytes) as buffer:
        for piece in response.iter_bytes():
            buffer.add(piece)
        return _decoded(response, buffer, options)


async def aread_response(
    response: httpx.Response, *, max_bytes: int | None = MAX_BYTES, **options: Unpack[DecoderOptions]
) -> Decoded:
    """Read and decode a response of `httpx.AsyncClient`; see `read_response`."""
    with _buffer(response, max_bytes) as buffer:
        async for piece in response.aiter_bytes():
            buffer.add(piece)
        return _decoded(response, buffer, options)


def _buffer(response: httpx.Response, max_bytes: int | None) -> BodyBuffer:
    """Return an empty buffer. Two codings are refused before httpx unpacks them: 5,000 bytes can be 2 GB."""
    if (response.is_stream_consumed or response.is_closed) and not hasattr(response, "_content"):
        raise gone("httpx.Response", "after `response.read()`")
    url = address_of(response)
    words = response.headers.get_list("Content-Encoding", split_commas=True)
    codings = [word for word in words if word.strip().lower() in ("gzip", "deflate", "br", "zstd")]
    if len(codings) > 1 and not response.is_closed:
        raise FetchError(f"{shown(url)}: compressed {len(codings)} times", url=url)
    return BodyBuffer(max_bytes, url, response.headers)


def _decoded(response: httpx.Response, buffer: BodyBuffer, options: DecoderOptions) -> Decoded:
    """Decode what was read. httpx takes gzip, deflate and br without their end for whole."""
    url = address_of(response)
    extra = {"br": "brotli", "zstd": "zstd"}.get(response.headers.get("Content-Encoding", "").lower())
    advice = f"pip install 'httpx[{extra}]'" if extra else NO_CODING
    refuse_coding(response, buffer.data, url, "httpx", advice)
    what = ""
    if is_unfinished(response):
        what = "the compressed data ended before its end mark, or httpx left a part of it"
    taken, request = response.num_bytes_downloaded, getattr(response, "_request", None)
    has_body = request is not None and request.method != "HEAD" and not hasattr(response, "_content")
    if has_body and taken < (announced_length(response.headers) or 0):
        what = "the body has less than its announced length: a part was read before"
    if what:
        raise TruncatedBody(f"{shown(url)}: {what}", url=url, partial=bytes(buffer.data))
    return buffer.decoded(content_type_of(response.headers.multi_items()), options)
