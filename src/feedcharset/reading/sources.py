"""Sources: URLs, paths, bytes, streams and responses, opened as a binary stream and a Content-Type."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Mapping
from typing import IO, TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import requests

    from feedcharset.fetch.limits import Limits

__all__ = [
    "ExpectedSource",
    "LiteralPath",
    "OpenSource",
    "ResponseInfo",
    "SourceOptions",
    "kind_of",
    "open_source",
]


class ResponseInfo(NamedTuple):
    """The status and headers of an HTTP response, for conditional requests."""

    status: int | None
    headers: Mapping[str, str]


class LiteralPath:
    """A path that is never read as a URL."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __fspath__(self) -> str:
        return self._path


class ExpectedSource(NamedTuple):
    """A source that must be of one kind: the argument of `from_url`, `from_bytes` and the others."""

    kind: str
    source: Any


class OpenSource(NamedTuple):
    """A source that was opened."""

    stream: IO[bytes]
    content_type: str | None
    """None: the source has none (a file, bytes); "": an HTTP message without the field."""
    name: str | None
    url: str | None
    response: ResponseInfo | None
    owned: bool
    """This library opened the stream, and closes it even with closefd=False."""


class SourceOptions(NamedTuple):
    """The options that opening a source needs."""

    session: requests.Session | None
    headers: Mapping[str, str] | None
    limits: Limits


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{1,30}+):")
_HTTP = re.compile(r"https?:", re.IGNORECASE)


def kind_of(source: Any) -> str:
    """Return "url", "path", "bytes", "response" or "stream".

    Raises:
        TypeError, ValueError: the source cannot be opened; the message names what to pass.
    """
    if isinstance(source, str):
        return _kind_of_str(source)
    if isinstance(source, os.PathLike):
        return "path"
    if isinstance(source, bytes | bytearray | memoryview):
        return "bytes"
    if isinstance(source, io.TextIOBase):
        raise TypeError("a text stream is decoded already; pass the binary stream (open it with 'rb')")
    requests = sys.modules.get("requests")
    if requests is not None and isinstance(source, requests.Response):
        return "response"
    if callable(getattr(source, "read", None)):
        return "stream"
    raise TypeError(
        f"cannot open {type(source).__name__}; pass an http(s) URL, a path, bytes, a binary stream, "
        "a requests.Response, or anything with .read and .headers"
    )


def _kind_of_str(source: str) -> str:
    if _HTTP.match(source):
        return "url"
    if source.lstrip("\ufeff \t\r\n").startswith("<"):
        raise ValueError("a str of XML is decoded already; pass its bytes, or parse it as it is")
    scheme = _SCHEME.match(source)
    if scheme and not os.path.exists(source):
        raise ValueError(f"the scheme {scheme[1]!r} is not opened; pass an http or https URL, or a path")
    return "path"


def open_source(source: Any, options: SourceOptions) -> OpenSource:
    """Open a source of any kind, or of the one that an `ExpectedSource` names.

    Raises:
        TypeError, ValueError: the source is of another kind, or of none.
        OSError: a path cannot be opened.
        FetchError: a URL cannot be.
    """
    expected = source.kind if isinstance(source, ExpectedSource) else None
    if isinstance(source, ExpectedSource):
        source = source.source
    found = kind_of(source)
    if expected is not None and found != expected:
        raise TypeError(f"from_{expected} was given what looks like a {found}: {type(source).__name__}")
    return _OPENERS[found](source, options)


def _open_url(source: str, options: SourceOptions) -> OpenSource:
    from feedcharset.fetch.client import open_url

    body = open_url(source, session=options.session, headers=options.headers, limits=options.limits)
    return _opened_body(body, owned=True)


def _open_response(source: Any, options: SourceOptions) -> OpenSource:
    from feedcharset.fetch.client import open_response

    return _opened_body(open_response(source, limits=options.limits), owned=False)


def _opened_body(body: Any, *, owned: bool) -> OpenSource:
    info = ResponseInfo(body.status, body.headers)
    return OpenSource(body, body.content_type, body.url, body.url, info, owned)


def _open_path(source: str | os.PathLike[str], options: SourceOptions) -> OpenSource:
    return OpenSource(open(source, "rb", buffering=0), None, os.fspath(source), None, None, True)


def _open_bytes(source: bytes | bytearray | memoryview, options: SourceOptions) -> OpenSource:
    return OpenSource(io.BytesIO(source), None, None, None, None, True)


def _open_stream(source: Any, options: SourceOptions) -> OpenSource:
    name = getattr(source, "name", None)
    headers = getattr(source, "headers", None)
    if headers is None:
        return OpenSource(source, None, name if isinstance(name, str) else None, None, None, False)
    url = getattr(source, "url", None)
    status = getattr(source, "status", None)
    info = ResponseInfo(status if isinstance(status, int) else None, headers)
    url = str(url) if url is not None else None
    return OpenSource(source, _content_type(headers), url, url, info, False)


def _content_type(headers: Any) -> str:
    """Return the field's value; several fields are joined (RFC 9110 §5.3)."""
    get_all: Callable[[str], list[str] | None] | None = getattr(headers, "get_all", None)
    if callable(get_all):
        return ", ".join(str(value) for value in get_all("Content-Type") or ())
    for name in ("Content-Type", "content-type", b"Content-Type", b"content-type"):
        value = headers.get(name)
        if value is not None:
            return value.decode("latin-1") if isinstance(value, bytes) else str(value)
    return ""


_OPENERS: dict[str, Callable[[Any, SourceOptions], OpenSource]] = {
    "url": _open_url,
    "response": _open_response,
    "path": _open_path,
    "bytes": _open_bytes,
    "stream": _open_stream,
}
