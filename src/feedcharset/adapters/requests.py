"""requests: a response hook after which `response.text` and `response.encoding` are right for XML.

The hook is added to a session:

    session = requests.Session()
    session.hooks["response"].append(feedcharset.adapters.requests.use_feedcharset)
    session.get(url).text
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, SupportsIndex, cast

from feedcharset.adapters import needed
from feedcharset.adapters.xml_responses import MAX_BYTES, decode_body, is_xml_response, is_xml_type
from feedcharset.charsets.lookup import lookup
from feedcharset.evidence.content_type import parse_content_type
from feedcharset.fetch.gunzip import PieceStream, beginning, is_unfinished, refuse_coding
from feedcharset.fetch.urls import address_of
from feedcharset.reading.byte_streams import CallerStream
from feedcharset.reading.decoded_stream import DecodedStream
from feedcharset.results import Decoded, Repairs, Resolution
from feedcharset.text.xml_decoder import XmlDecoder

with needed("requests", "requests"):
    import requests
    from requests.utils import iter_slices

__all__ = ["XmlResponse", "use_feedcharset"]


class _XmlText:
    """The text and the encoding of a response, decoded by feedcharset."""

    _decoded: Decoded | None = None
    _assigned: str | None = None
    _decoder: XmlDecoder | None = None
    """Of a body that is decoded while it is received."""

    @property
    def encoding(self) -> str | None:
        """The encoding that was assigned, else the IANA name of the one that feedcharset found.

        Reads nothing: of a body that was not read (`stream=True`) it is the charset of the Content-Type, None
        where that names none.
        """
        if self._assigned is not None:
            return self._assigned
        response: Any = self
        if response._content is not False or self._streamed():
            return self.resolution.encoding
        label = parse_content_type(response.headers.get("Content-Type", ""), lenient=True).charset
        charset = lookup(label or "", lenient=True)
        return charset.name if charset and not charset.refused else None

    @encoding.setter
    def encoding(self, value: str | None) -> None:
        self._assigned = value

    @property
    def resolution(self) -> Resolution:
        """The decision, with its reasons. Reads the body, unless `.iter_content` decodes it."""
        return (self._streamed() or self._decode()).resolution

    @property
    def repairs(self) -> Repairs:
        """What was changed; the kind "gzip" where compressed data is cut off or damaged."""
        return (self._streamed() or self._decode()).repairs

    @property
    def text(self) -> str:
        """The document as text. Its XML declaration names no encoding any more."""
        if self._assigned is None:
            return self._decode().text
        text: str = super().text  # type: ignore[misc]
        return text

    def iter_content(self, chunk_size: int | None = 1, decode_unicode: bool = False) -> Iterator[Any]:
        """As in requests. With `decode_unicode` it is the text of feedcharset, decoded as it is received."""
        pieces: Iterator[Any] = super().iter_content(chunk_size)  # type: ignore[misc]
        return self._texts(pieces, chunk_size) if decode_unicode else pieces

    def _texts(self, pieces: Iterator[bytes], chunk_size: int | None) -> Iterator[Any]:
        response: Any = self
        if self._assigned is not None:
            yield from super().iter_content(chunk_size, True)  # type: ignore[misc]
        elif response._content is not False:
            yield from iter_slices(self.text, chunk_size)
        else:
            self._decoder = decoder = XmlDecoder(response.headers.get("Content-Type", ""))
            head, read = b"", lambda size: next(pieces, b"")
            if "Content-Encoding" in response.headers:
                head, read = beginning(read)
                refuse_coding(response.raw, head, address_of(response), "requests")
            stream: Any = CallerStream(PieceStream(read, taken=head))  # it waits for no more
            decoded = DecodedStream(stream, decoder, gunzip=True, owned=False)
            while (text := decoded.more()) is not None:
                if text:
                    yield text
            if is_unfinished(response.raw):
                decoder.note_broken_gzip()

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = {name: value for name, value in state.items() if name != "encoding"}
        super().__setstate__(state)  # type: ignore[misc, unused-ignore]  # not in the stubs

    def _streamed(self) -> XmlDecoder | None:
        response: Any = self
        return self._decoder if response._content is False and self._decoder else None

    def _decode(self) -> Decoded:
        if self._decoded is None:
            response: Any = self
            content_type = response.headers.get("Content-Type", "")
            body, url = response.content or b"", response.url or ""
            is_cut = is_unfinished(response.raw)
            refuse_coding(response.raw, body, address_of(response), "requests")
            self._decoded = decode_body(body, content_type, MAX_BYTES, url, is_cut=is_cut)
        return self._decoded


class XmlResponse(_XmlText, requests.Response):  # type: ignore[misc, unused-ignore]
    """A `requests.Response` whose text is decoded by feedcharset.

    `.content`, `.raw`, `.iter_content` without `decode_unicode` and everything else stay as they are. An
    encoding that is assigned to `.encoding` is used as in requests.
    """

    __attrs__: list[str] = [*requests.Response.__attrs__, "_assigned"]  # noqa: RUF012 - as in requests


def use_feedcharset(response: requests.Response, *_: Any, **options: Any) -> requests.Response:
    """Return an `XmlResponse` for an XML document, and every other response unchanged: a response hook.

    A response with an XML media type is XML. Of the others the first bytes are looked at: a feed that is sent
    as text/html or text/plain is found, also behind messages of the server. With `stream=True` only the media
    type is looked at.

    Args:
        response: what requests received. Of a subclass (requests-cache has some) a subclass is returned.
        options: what requests passes to its hooks: stream, timeout, verify, cert, proxies.

    Raises:
        TooLarge: gzip without a Content-Encoding holds more than 20 MiB, or grows more than 1000:1.
        FetchError: requests has left a Content-Encoding (zstd without its package, more than five).
            `session.get` raises both, `.text` with `stream=True`; they are no `requests.RequestException`.
    """
    if response.is_redirect or isinstance(response, _XmlText):
        return response
    content_type = response.headers.get("Content-Type", "")
    if options.get("stream"):
        return cast("requests.Response", _xml_response(response)) if is_xml_type(content_type) else response
    if not is_xml_response(response.content or b"", content_type):
        return response
    xml = _xml_response(response)
    # Where a session puts a class of its own in place of this one, requests decodes with this codec.
    vars(xml)["encoding"] = xml.resolution.codec
    return cast("requests.Response", xml)


def _xml_response(response: requests.Response) -> Any:
    """Return a copy of a response, of a class that has `_XmlText` before the response's own class."""
    xml = _empty(type(response))
    xml.__dict__.update(response.__dict__)
    return xml


@lru_cache(maxsize=16)  # a program has two or three
def _xml_class(kind: Any) -> type:
    """Return the class of such a copy. Nothing imports it by its name, so a pickle holds `kind` instead."""
    if kind is requests.Response:
        return XmlResponse

    def reduced(self: Any, protocol: SupportsIndex) -> Any:
        return _empty, (kind,), *kind.__reduce_ex__(self, protocol)[2:]

    return type(f"Xml{kind.__name__}", (_XmlText, kind), {"__reduce_ex__": reduced})


def _empty(kind: Any) -> Any:
    made: Any = _xml_class(kind)
    return made.__new__(made)
