"""What is known of an HTTP response, whatever client made it: its status, headers and redirects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from feedcharset.fetch.urls import without_userinfo

__all__ = ["ResponseInfo", "content_type_of", "response_info"]


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
