"""aiohttp: the text of a response.

In a coroutine:

    async with session.get(url) as response:
        text, resolution, repairs = await aread_response(response)
"""

from __future__ import annotations

from typing import Unpack

from feedcharset.adapters import needed
from feedcharset.adapters.xml_responses import MAX_BYTES, BodyBuffer
from feedcharset.fetch.gunzip import refuse_coding
from feedcharset.fetch.urls import address_of
from feedcharset.reading.byte_streams import gone
from feedcharset.reading.sources import content_type_of, lacks_beginning
from feedcharset.results import Decoded
from feedcharset.text.options import DecoderOptions

with needed("aiohttp", "aiohttp"):
    import aiohttp

__all__ = ["aread_response"]


async def aread_response(
    response: aiohttp.ClientResponse, *, max_bytes: int | None = MAX_BYTES, **options: Unpack[DecoderOptions]
) -> Decoded:
    """Read and decode a response.

    The status is not looked at: call `response.raise_for_status()` first. aiohttp takes a
    Content-Encoding without its end for whole, and so does this; `XmlReader(url)` does not.

    Args:
        response: read already, or not.
        max_bytes: the greatest number of bytes of the body, without its Content-Encoding; None: no limit.
        options: those of `decode`.

    Returns:
        The text, the decision and the repairs, as `feedcharset.decode` returns them.

    Raises:
        TooLarge: the body has more than `max_bytes` bytes.
        TruncatedBody: lenient=False, and gzip that no Content-Encoding names is cut off or damaged; else the
            repairs have the kind "gzip".
        FetchError: it has more than one Content-Encoding, or one that aiohttp has not removed.
        TypeError: a part of it was read before, and not kept, or it was closed.
        aiohttp.ClientError: the body cannot be read.
    """
    kept: bytes | None = response._body  # nothing of this is public
    is_read = getattr(response.content, "_cursor", False) or response._released
    if lacks_beginning(response) if kept is not None else is_read:
        raise gone("aiohttp.ClientResponse", "after `await response.read()`")
    headers = response.headers.copy()  # a proxy cannot be pickled
    with BodyBuffer(max_bytes, address_of(response), headers) as buffer:
        if kept is not None:
            buffer.add(kept)
        else:
            async for piece in response.content.iter_chunked(64 * 1024):
                buffer.add(piece)
            response._body = bytes(buffer.data)  # for `response.text()`, as `response.read()` keeps it
        refuse_coding(response, buffer.data, address_of(response), "aiohttp")
        return buffer.decoded(content_type_of(response.headers), options)
