"""HTTP responses of any client: what is known of them (`ResponseInfo`), and those of httpx and aiohttp in the
shape of a `requests.Response`, so that the limits apply to them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

from feedcharset.fetch.urls import without_userinfo

__all__ = ["ResponseInfo", "as_requests", "client_of", "content_type_of", "response_info"]


class ResponseInfo(NamedTuple):
    """The status and headers of an HTTP response, for conditional requests, and the redirects before it."""

    status: int | None
    headers: Mapping[str, str]
    url: str | None = None
    history: tuple[ResponseInfo, ...] = ()
    """The responses that redirected, in their order: after 301 or 308 a stored URL should be replaced."""


def response_info(response: Any) -> ResponseInfo:
    """Read the status, headers and history of a response of requests, httpx, aiohttp, urllib or the like."""
    history = getattr(response, "history", None)
    earlier = history if isinstance(history, (list, tuple)) else ()
    return _alone(response)._replace(history=tuple(map(_alone, earlier)))


def _alone(response: Any) -> ResponseInfo:
    """A response without its history: before requests 2.34, one that redirects is in its own."""
    status = next(
        (
            value
            for name in ("status_code", "status", "code")
            if isinstance(value := getattr(response, name, None), int)
        ),
        None,
    )
    url = getattr(response, "url", None)
    return ResponseInfo(status, response.headers, None if url is None else without_userinfo(str(url)))


def content_type_of(headers: Any) -> str:
    """Return the value of the Content-Type field; "" without one; several are joined (RFC 9110 §5.3).

    Args:
        headers: a mapping or pairs; names in any case, str or bytes; a value may be a list (Scrapy).
    """
    values = [value for name, value in _pairs(headers) if _text(name).lower() == "content-type"]
    parts = [part for value in values for part in (value if isinstance(value, list) else [value])]
    return ", ".join(map(_text, parts))


def _pairs(headers: Any) -> Iterator[tuple[Any, Any]]:
    items = getattr(headers, "items", None)
    pairs: Iterable[Any] = items() if callable(items) else headers
    if not isinstance(pairs, Iterable):  # an attribute of that name that is no header
        return
    for pair in pairs:
        if isinstance(pair, (tuple, list)) and len(pair) == 2:
            yield pair[0], pair[1]


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


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
        from feedcharset.fetch.response_body import PieceFile

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
