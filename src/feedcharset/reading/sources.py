"""Sources: URLs, paths, bytes, streams and responses, opened as a binary stream and a Content-Type.

Responses of other clients get the shape of a `requests.Response`, so that one road reads all of them.
`ResponseInfo` is what is known of a response of any client.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import starmap
from pathlib import Path
from types import SimpleNamespace
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from feedcharset.charsets import lazy_pattern
from feedcharset.errors import DeadlineExceeded
from feedcharset.evidence.document_head import gather_facts
from feedcharset.fetch.limits import Limits
from feedcharset.fetch.urls import (
    address_of,
    as_https,
    hidden,
    masked_field,
    masked_path,
    names_scheme,
    shown,
)
from feedcharset.reading.byte_streams import CallerStream, gone

if TYPE_CHECKING:
    import requests

    from feedcharset.fetch.response_body import FetchedBody

XML_SUFFIXES = r"(?i:xml|rss|atom|rdf|opml|feed)(?i:\.gz)?"
"""How the names of XML files end, as an expression: `check` and `batch` take these of a folder."""

FILE_BEGINNING = 512
"""Bytes in which a file without an extension must begin as XML."""

_FEED_OPENING = lazy_pattern(rb"(?:\xef\xbb\xbf)?\s*<(?:rss|feed|opml|rdf:RDF)[\s/>]")


class ExpectedSource(NamedTuple):
    """A source that must be of one kind: the argument of `from_url`, `from_bytes` and the others."""

    kind: str
    source: Any


class ResponseInfo(NamedTuple):
    """The status and headers of an HTTP response, for conditional requests, and the redirects before it."""

    status: int | None
    headers: Mapping[str, str]
    url: str | None = None
    history: tuple[ResponseInfo, ...] = ()
    """The responses that redirected, in their order: after 301 or 308 a stored URL should be replaced."""


class OpenSource(NamedTuple):
    """A source that was opened."""

    stream: IO[bytes]
    content_type: str | None = None
    """None: the source has none (a file, bytes); "": an HTTP message without the field."""
    name: str | None = None
    url: str | None = None
    response: ResponseInfo | None = None
    owned: bool = True
    """This library opened the stream, and closes it even with closefd=False."""
    ignored_codings: int = 0
    """Words of the Content-Encoding field that name no coding."""


def is_gzip_file(source: OpenSource) -> bool:
    """Return whether a source is a file that is stored compressed, by its name: no body of a response."""
    return source.response is None and (source.name or "").lower().endswith(".gz")


def is_xml_file(path: str) -> bool:
    """Return True for an XML file by its name; by its first bytes, where the name has no extension."""
    name = os.path.basename(path)
    if os.path.exists(path) and not os.path.isfile(path):
        return False  # to open a pipe would wait for its writer
    if "." in name:
        return re.fullmatch(rf".*\.{XML_SUFFIXES}", name, re.DOTALL) is not None
    try:
        with open(path, "rb") as file:
            head = file.read(FILE_BEGINNING)
    except OSError as error:  # who opens it is told why it cannot be read; a link to nothing is no file
        return not isinstance(error, FileNotFoundError)
    return _FEED_OPENING.match(head) is not None or gather_facts(head, None, lenient=True).guess is not None


def files_below(
    folder: str, unread: Callable[[OSError], object], hidden: str | tuple[str, ...] = ".", passed: str = ""
) -> Iterator[str]:
    """The files of a folder and of those below it, in each sorted by name. Links to folders are followed
    last; no folder is read twice, nor one that holds the link.

    Args:
        unread: gets the error of a folder that cannot be read.
        hidden: how the names of files and folders begin that are passed over.
        passed: the real path of a folder that is passed over.
    """
    read, tops = {passed}, [folder]
    try:
        os.path.realpath(folder)
    except OSError as error:  # a relative name, and the current directory was removed
        unread(OSError(error.errno, error.strerror, folder))
        return
    for top in tops:
        for here, folders, files in () if os.path.realpath(top) in read else os.walk(top, onerror=unread):
            read.add(real := os.path.realpath(here))
            below = [os.path.join(here, name) for name in sorted(folders) if not name.startswith(hidden)]
            links = [path for path in below if os.path.islink(path)]
            tops += [path for path in links if not Path(real).is_relative_to(os.path.realpath(path))]
            own = (path for path in below if path not in links and os.path.realpath(path) not in read)
            folders[:] = map(os.path.basename, own)
            yield from (os.path.join(here, name) for name in sorted(files) if not name.startswith(hidden))


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{1,30}+):")
_HTTP = re.compile(r"[\s\ufeff\"'<]*+https?:", re.IGNORECASE)
"""A URL, also with what was copied along: that is refused as a URL, and not shown as the name of a file."""


def kind_of(source: Any) -> str:
    """Return "url", "path", "bytes", "response", "traversable" or "stream".

    Raises:
        TypeError, ValueError: the source cannot be opened; the message names what to pass.
    """
    if type(source) is bytes:
        return "bytes"
    if isinstance(source, str):
        if _HTTP.match(source):
            return "url"
        if source.lstrip("\ufeff \t\r\n").startswith("<"):
            raise ValueError("a str of XML is decoded already; pass its bytes, or parse it as it is")
        scheme = _SCHEME.match(source)
        if scheme and not os.path.exists(source):
            named = f"the scheme {scheme[1]!r}" if names_scheme(source) else "its scheme"
            raise ValueError(f"{named} is not opened; pass an http or https URL, or a path")
        return "path"
    if isinstance(source, os.PathLike):
        return "path"
    if isinstance(source, io.TextIOBase):
        raise TypeError("a text stream is decoded already; pass the binary stream (open it with 'rb')")
    if client_of(source) not in (None, "http.client", "urllib3"):
        return "response"
    if callable(read := getattr(source, "read", None)):
        from inspect import iscoroutinefunction  # its import takes 8 ms, which files and bytes do not need

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
    try:
        with memoryview(source) as view:
            return view.format != "O"  # NumPy: references to Python objects
    except (TypeError, ValueError, BufferError):  # no buffer; one of Python objects; one that was released
        return False


def open_source(
    source: Any, session: requests.Session | None, headers: Mapping[str, str] | None, limits: Limits
) -> OpenSource:
    """Open a source of any kind, or of the one that an `ExpectedSource` names.

    Raises:
        TypeError, ValueError: the source is of another kind, or of none; an option has the wrong type.
        OSError: a path cannot be opened.
        FetchError: a URL cannot be.
    """
    if not isinstance(limits, Limits):
        raise TypeError(
            f"limits must be Limits(...), not {type(limits).__name__}; to lift one of them, pass "
            "Limits(total=None), for example"
        )
    if headers is not None and not isinstance(headers, Mapping):
        raise TypeError(
            f"headers must be a mapping, not {type(headers).__name__}; pass a dict such as "
            '{"If-None-Match": etag}'
        )
    for field in headers or ():
        if not isinstance(field, (str, bytes)):
            raise TypeError(f"headers: a name must be a str, not {type(field).__name__}: {field!r}")
    expected = None
    if isinstance(source, ExpectedSource):
        expected, source = source
    # What is no http(s) URL is refused as one, with AddressRefused; a path may look like a URL.
    kind = expected if expected in ("url", "path") and isinstance(source, str) else kind_of(source)
    if (expected, kind) == ("bytes", "stream") and _is_bytes_like(source):  # mmap is both
        kind = "bytes"
    if expected not in (None, kind) and (expected, kind) != ("path", "traversable"):
        raise TypeError(f"from_{expected} was given what looks like a {kind}: {type(source).__name__}")
    client = client_of(source) if kind in ("response", "stream") else None
    if kind == "url" or client:
        try:
            from feedcharset.fetch.client import open_response, open_url
        except ModuleNotFoundError as error:
            what = f"opening a {'response' if client else 'URL'} needs requests: pip install requests"
            raise ModuleNotFoundError(what, name=error.name) from None
    if kind == "url":
        body = open_url(source, session=session, headers=headers, limits=limits)
        history = tuple(starmap(ResponseInfo, body.history))
        info = ResponseInfo(body.status, body.headers, body.url, history)
        return _of_body(body, info, owned=True)
    if client:
        adapted, info = as_requests(source, client)
        body = open_response(adapted, limits=limits if kind == "response" else None)
        body.content_type = content_type_of(source.headers)  # http.client does not join its fields
        return _of_body(body, info, owned=False)
    if kind == "path":
        return OpenSource(open_path(source), name=os.fspath(source))
    if kind == "traversable":  # inside an archive or a package: zipfile.Path, importlib.resources.files()
        try:
            traversed: str | None = str(source)
        except TypeError:  # zipfile.Path in an archive that has no file name
            traversed = getattr(source, "at", None)
        return OpenSource(source.open("rb"), name=traversed)
    if kind == "bytes":
        data = source if isinstance(source, bytes) else memoryview(source).tobytes()  # strided ones, too
        return OpenSource(io.BytesIO(data))
    stream: Any = source if type(source) is io.BytesIO else CallerStream(source)
    if getattr(source, "headers", None) is not None:
        info = response_info(source)
        return OpenSource(stream, content_type_of(source.headers), info.url, info.url, info, owned=False)
    name = getattr(source, "name", None)
    return OpenSource(stream, name=name if isinstance(name, str) else None, owned=False)


def _of_body(body: FetchedBody, info: ResponseInfo, *, owned: bool) -> OpenSource:
    stream: Any = body
    content_type = hidden(masked_field(body.content_type))  # the name of a charset is shown
    return OpenSource(stream, content_type, body.url, body.url, info, owned, len(body.ignored_codings))


def open_path(source: str | os.PathLike[str]) -> Any:
    """Open a file. What may be the password of a URL is not in the error."""
    try:
        return io.FileIO(source, "rb")  # what open() makes, in less time
    except UnicodeEncodeError:  # it has the whole name in it
        refused = OSError(errno.EILSEQ, os.strerror(errno.EILSEQ), masked_path(str(source)))
    except OSError as error:
        name = masked_path(source) if isinstance(source, str) else source
        refused = error if name == source else OSError(error.errno, error.strerror, name)
        if isinstance(error, FileNotFoundError) and isinstance(name, str) and (meant := as_https(name)):
            refused.add_note(f"a URL has a scheme; did you mean {shown(meant)}?")
        if refused is error:
            raise
    raise refused  # outside of the `except`: the error of the system would be its context


def response_info(response: Any) -> ResponseInfo:
    """Read the status, headers and history of a response of requests, httpx, aiohttp, urllib or the like."""
    history = getattr(response, "history", None)
    earlier = history if isinstance(history, (list, tuple)) else ()
    return _alone(response)._replace(history=tuple(map(_alone, earlier)))


def _alone(response: Any) -> ResponseInfo:
    """A response without its history: before requests 2.34, one that redirects is in its own."""
    values = (getattr(response, name, None) for name in ("status_code", "status", "code"))
    status = next((value for value in values if isinstance(value, int)), None)
    copied = getattr(response.headers, "copy", None)  # aiohttp's own cannot be pickled
    headers = copied() if callable(copied) else response.headers
    return ResponseInfo(status, headers, address_of(response) or None)


def content_type_of(headers: Any) -> str:
    """Return the value of the Content-Type field; "" without one; several are joined (RFC 9110 §5.3).

    Args:
        headers: a mapping or pairs; names in any case, str or bytes; a value may be a list (Scrapy).
    """
    items = getattr(headers, "items", None)
    pairs: Any = items() if callable(items) else headers
    if not isinstance(pairs, Iterable):  # an attribute of that name that is no header
        return ""
    fields = (pair for pair in pairs if isinstance(pair, (tuple, list)) and len(pair) == 2)
    values = [value for name, value in fields if _text(name).lower() == "content-type"]
    parts = [part for value in values for part in (value if isinstance(value, list) else [value])]
    return ", ".join(map(_text, parts))


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def client_of(source: Any) -> str | None:
    """Return the name of the client that made a response; None for anything else.

    A client that is not loaded has made no response, and is not imported for this.
    """
    names = {"requests": "Response", "httpx": "Response", "aiohttp": "ClientResponse"}
    names |= {"http.client": "HTTPResponse", "urllib3": "HTTPResponse"}  # these are read as streams
    for client, name in names.items() if hasattr(source, "headers") else ():
        module = sys.modules.get(client)
        if module is not None and isinstance(source, getattr(module, name, ())):
            return client
    return None


def as_requests(source: Any, client: str) -> tuple[Any, ResponseInfo]:
    """Return the response with the attributes that `open_response` reads, and what is known of it.

    Raises:
        TypeError: an asynchronous response that was not read, or one that was, and has not kept its body.
    """
    from feedcharset.fetch.framing import is_used  # `check` needs none of it
    from feedcharset.fetch.response_body import PARTLY_READ

    info = response_info(source)
    if client == "requests":
        used = client_of(source.raw) == "urllib3" and is_used(source.raw)
        refused = source._content is False and (used or source._content_consumed)
        has_body = info.status not in (204, 304) and getattr(source.request, "method", "") != "HEAD"
        raw = source.raw
        if source._content == b"" and has_body and client_of(getattr(raw, "_fp", None)) == "http.client":
            # After `response.close()` it has no end.
            refused = (raw.length_remaining or 0) > 0 or (raw.chunked and raw.chunk_left != 0)
        if refused or PARTLY_READ in vars(source):  # `response.content` would be the rest
            vars(source)[PARTLY_READ] = True
            raise gone("requests.Response", "after `response.content`")
        return source, info
    content = _body_of(source, client)
    adapted = SimpleNamespace(
        status_code=info.status,
        headers={"Content-Type": content_type_of(source.headers)},
        url=info.url,
        raw=None,
        client=source,
        close=source.close,
        _content=content,
    )
    if content is False:
        adapted.headers, adapted.raw = source.headers, source
        if client == "httpx":
            from feedcharset.fetch.gunzip import PieceStream

            pieces = filter(None, _httpx_pieces(source, info.url))
            adapted.raw = PieceStream(lambda _: next(pieces, b""))
    return adapted, info


def _body_of(source: Any, client: str) -> Any:
    """Return the body that a response of another client than requests has kept; False where it is unread."""
    from feedcharset.fetch.framing import announced_length, is_used

    if client == "httpx":
        import httpx

        try:
            return source.content
        except httpx.ResponseNotRead:
            if source.is_closed or source.is_stream_consumed:
                raise gone("httpx.Response", "after `response.read()`") from None
            if isinstance(source.stream, httpx.SyncByteStream):
                return False
        raise TypeError(
            "an asynchronous httpx.Response that was not read; write `await response.aread()`, then pass it"
        )
    if client == "http.client":
        length, in_chunk = source.length, isinstance(getattr(source, "chunk_left", None), int)
        has_body = length is not None and source._method != "HEAD" and source.status not in (204, 304)
        is_read = has_body and length < (announced_length(source.headers) or 0)
        if source.isclosed() or in_chunk or is_read:
            raise gone("http.client.HTTPResponse", "its bytes")
        return False
    if source._body is not None:  # there is no public attribute
        if client == "aiohttp" and lacks_beginning(source):
            raise gone("aiohttp.ClientResponse", "after `await response.read()`")
        return source._body
    if client == "aiohttp":
        raise TypeError(
            "an aiohttp.ClientResponse that was not read; write `await response.read()`, then pass it"
        )
    if is_used(source):
        raise gone("urllib3.HTTPResponse", "after `response.data`")
    return False


def lacks_beginning(response: Any) -> bool:
    """Return True where an aiohttp response keeps less than it has received: a part was read before."""
    return len(response._body) < getattr(response.content, "total_bytes", 0)


def _httpx_pieces(source: Any, url: str | None) -> Iterator[bytes]:
    """Yield the body as it was received; httpx's errors as those that are translated for every client."""
    import httpx

    from feedcharset.fetch.deadline import FetchAbort

    try:
        yield from source.iter_raw()
    except httpx.TimeoutException as error:
        what = f"{shown(url or 'httpx.Response')}: httpx has waited as long as its own timeout allows"
        late = DeadlineExceeded(what, url=url, advice="set the timeout of httpx's client")
        raise FetchAbort(late) from error
    except Exception as error:
        # httpx lets those of HTTP/2 pass.
        package = type(error).__module__.partition(".")[0]
        if not isinstance(error, httpx.HTTPError) and package not in ("h2", "hpack", "hyperframe"):
            raise
        raise ConnectionError(str(error)) from error
