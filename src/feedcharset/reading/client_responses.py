"""Responses of httpx and aiohttp, in the shape of a `requests.Response`, so that the limits apply to them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from feedcharset.reading.response_info import ResponseInfo, content_type_of, response_info

__all__ = ["as_requests", "client_of"]


def client_of(source: Any) -> str | None:
    """Return "requests", "httpx" or "aiohttp" for a response of that client; None for anything else.

    A client that is not loaded has made no response, and is not imported for this.
    """
    for client, name in (("requests", "Response"), ("httpx", "Response"), ("aiohttp", "ClientResponse")):
        module = sys.modules.get(client)
        if module is not None and isinstance(source, getattr(module, name, ())):
            return client
    return None


def as_requests(source: Any, client: str) -> tuple[Any, ResponseInfo]:
    """Return the response with the attributes that `open_response` reads, and what is known of it.

    Raises:
        TypeError: an asynchronous response that was not read; the message names what to write.
    """
    info = response_info(source)
    if client == "requests":
        return source, info
    content = _httpx_content(source) if client == "httpx" else _aiohttp_content(source)
    adapted = SimpleNamespace(
        status_code=info.status,
        headers={"Content-Type": content_type_of(source.headers)},
        url=info.url,
        raw=None,
        close=source.close,
        _content=content,
    )
    if content is False:
        from feedcharset.fetch.content_coding import PieceFile

        adapted.headers = source.headers
        adapted.raw = PieceFile(_httpx_pieces(source))
    return adapted, info


def _httpx_content(source: Any) -> Any:
    """Return the body that was read; False where it is still to be read."""
    import httpx

    try:
        return source.content
    except httpx.ResponseNotRead:
        if isinstance(source.stream, httpx.SyncByteStream) and not source.is_closed:
            return False
    if source.is_closed:
        raise TypeError("this httpx.Response was closed before it was read; call response.read() first")
    raise TypeError(
        "an asynchronous httpx.Response that was not read; write `await response.aread()`, then pass it"
    )


def _httpx_pieces(source: Any) -> Iterator[bytes]:
    """Yield the body as it was received; httpx's errors as those that are translated for every client."""
    import httpx

    try:
        yield from source.iter_raw()
    except httpx.TimeoutException as error:
        raise TimeoutError(str(error)) from error
    except httpx.HTTPError as error:
        raise ConnectionError(str(error)) from error


def _aiohttp_content(source: Any) -> bytes:
    body: bytes | None = getattr(source, "_body", None)  # there is no public attribute
    if body is None:
        raise TypeError(
            "an aiohttp.ClientResponse that was not read; write `await response.read()`, then pass it"
        )
    return body
