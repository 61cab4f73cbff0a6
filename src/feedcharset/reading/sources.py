"""Sources: URLs, paths, bytes, streams and responses, opened as a binary stream and a Content-Type."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Mapping
from inspect import iscoroutinefunction
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from feedcharset.fetch.limits import Limits
from feedcharset.fetch.urls import as_https, shown
from feedcharset.reading.byte_streams import CallerStream, DownloadLimits
from feedcharset.reading.responses import ResponseInfo, as_requests, client_of, content_type_of, response_info

if TYPE_CHECKING:
    import requests

__all__ = [
    "ExpectedSource",
    "LiteralPath",
    "OpenSource",
    "SourceOptions",
    "is_gzip_file",
    "kind_of",
    "open_source",
]


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
    download: DownloadLimits | None = None
    """What limits the unpacked size of a gzip body; None for files, bytes and streams."""
    ignored_codings: int = 0
    """Words of the Content-Encoding field that name no coding."""


def is_gzip_file(source: OpenSource) -> bool:
    """Return whether a source is a file that is stored compressed, by its name: no body of a response."""
    return source.response is None and (source.name or "").lower().endswith(".gz")


class SourceOptions(NamedTuple):
    """The options that opening a source needs."""

    session: requests.Session | None
    headers: Mapping[str, str] | None
    limits: Limits


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{1,30}+):")
_HTTP = re.compile(r"[ \t\r\n]*+https?:", re.IGNORECASE)


def kind_of(source: Any) -> str:
    """Return "url", "path", "bytes", "response", "traversable" or "stream".

    Raises:
        TypeError, ValueError: the source cannot be opened; the message names what to pass.
    """
    if isinstance(source, str):
        return _kind_of_str(source)
    if isinstance(source, os.PathLike):
        return "path"
    if isinstance(source, io.TextIOBase):
        raise TypeError("a text stream is decoded already; pass the binary stream (open it with 'rb')")
    if client_of(source) is not None:
        return "response"
    if callable(read := getattr(source, "read", None)):
        if iscoroutinefunction(read):
            raise TypeError("an asynchronous stream; write `data = await source.read()`, then pass the bytes")
        return "stream"
    if _is_bytes_like(source):
        return "bytes"
    if callable(getattr(source, "open", None)) and callable(getattr(source, "read_bytes", None)):
        return "traversable"
    raise TypeError(
        f"cannot open {type(source).__name__}; pass an http(s) URL, a path, bytes, a binary stream, "
        "a response of requests, httpx or aiohttp, or anything with .read and .headers"
    )


def _is_bytes_like(source: Any) -> bool:
    if isinstance(source, bytes):
        return True
    try:
        with memoryview(source) as view:
            return view.format != "O"  # NumPy: references to Python objects
    except (TypeError, ValueError, BufferError):  # no buffer; one of Python objects; one that was released
        return False


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
    _check_options(options)
    expected = source.kind if isinstance(source, ExpectedSource) else None
    if isinstance(source, ExpectedSource):
        source = source.source
    if expected == "url" and isinstance(source, str):
        return _open_url(source, options)  # whatever is no http(s) URL is refused there, with AddressRefused
    found = kind_of(source)
    if expected is not None and found != expected and (expected, found) != ("path", "traversable"):
        raise TypeError(f"from_{expected} was given what looks like a {found}: {type(source).__name__}")
    return _OPENERS[found](source, options)


def _check_options(options: SourceOptions) -> None:
    """Refuse options of the wrong type before anything is opened."""
    if not isinstance(options.limits, Limits):
        raise TypeError(
            f"limits must be Limits(...), not {type(options.limits).__name__}; to lift one of them, pass "
            "Limits(total=None), for example"
        )
    if options.headers is not None and not isinstance(options.headers, Mapping):
        raise TypeError(
            f"headers must be a mapping, not {type(options.headers).__name__}; pass a dict such as "
            '{"If-None-Match": etag}'
        )


def _open_url(source: str, options: SourceOptions) -> OpenSource:
    try:
        from feedcharset.fetch.client import open_url
    except ModuleNotFoundError as error:
        what = "opening a URL needs requests: pip install requests"
        raise ModuleNotFoundError(what, name=error.name) from None
    body = open_url(source, session=options.session, headers=options.headers, limits=options.limits)
    info = ResponseInfo(body.status, body.headers, body.url, tuple(map(response_info, body.history)))
    return _opened_body(body, info, options, owned=True)


def _open_response(source: Any, options: SourceOptions) -> OpenSource:
    from feedcharset.fetch.client import open_response

    adapted, info = as_requests(source, client_of(source) or "requests")
    return _opened_body(open_response(adapted, limits=options.limits), info, options, owned=False)


def _opened_body(body: Any, info: ResponseInfo, options: SourceOptions, *, owned: bool) -> OpenSource:
    received = body.received if body.headers.get("Content-Encoding") else None
    download = DownloadLimits(options.limits, body.url, received, body.headers)
    ignored = len(body.ignored_codings)
    return OpenSource(body, body.content_type, body.url, body.url, info, owned, download, ignored)


def _open_path(source: str | os.PathLike[str], options: SourceOptions) -> OpenSource:
    try:
        stream: Any = open(source, "rb", buffering=0)  # noqa: SIM115 - the reader closes it
    except FileNotFoundError as error:
        if isinstance(source, str) and (meant := as_https(source)):
            error.add_note(f"a URL has a scheme; did you mean {shown(meant)}?")
        raise
    return OpenSource(stream, None, os.fspath(source), None, None, True)


def _open_traversable(source: Any, options: SourceOptions) -> OpenSource:
    """Open a path inside an archive or a package: zipfile.Path, importlib.resources.files()."""
    return OpenSource(source.open("rb"), None, _traversable_name(source), None, None, True)


def _traversable_name(source: Any) -> str | None:
    try:
        return str(source)
    except TypeError:  # zipfile.Path in an archive that has no file name
        return getattr(source, "at", None)


def _open_bytes(source: Any, options: SourceOptions) -> OpenSource:
    data = source if isinstance(source, bytes) else memoryview(source).tobytes()  # strided ones, too
    return OpenSource(io.BytesIO(data), None, None, None, None, True)


def _open_stream(source: Any, options: SourceOptions) -> OpenSource:
    stream: Any = source if type(source) is io.BytesIO else CallerStream(source)
    name = getattr(source, "name", None)
    headers = getattr(source, "headers", None)
    if headers is None:
        return OpenSource(stream, None, name if isinstance(name, str) else None, None, None, False)
    info = response_info(source)
    return OpenSource(stream, content_type_of(headers), info.url, info.url, info, False)


_OPENERS: dict[str, Callable[[Any, SourceOptions], OpenSource]] = {
    "url": _open_url,
    "response": _open_response,
    "path": _open_path,
    "traversable": _open_traversable,
    "bytes": _open_bytes,
    "stream": _open_stream,
}
