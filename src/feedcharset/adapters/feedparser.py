"""feedparser: `parse` with the arguments and the results of `feedparser.parse`, and the right text.

feedparser opens the source, parses and sanitizes as always. Only its function that finds the encoding and
converts to UTF-8 is replaced, in a copy of `feedparser.parse`; feedparser itself is not changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, MutableMapping
from types import FunctionType
from typing import Any, cast

from feedcharset.adapters import needed
from feedcharset.adapters.xml_responses import MAX_BYTES, unpacked
from feedcharset.parsing.references import valid_references
from feedcharset.reading.xml_reader import XmlReader
from feedcharset.results import Resolution
from feedcharset.text.xml_decoder import decode

with needed("feedparser", "feedparser"):
    import feedparser
    from feedparser import api
    from feedparser.exceptions import CharacterEncodingOverride, NonXMLContentType

__all__ = ["convert_to_utf8", "parse", "parse_reader"]

_REPLACED = "convert_to_utf8"

_XML_DECLARATION = re.compile(r"\s*+<\?xml(?=[\s?])[^>]*+>")


def convert_to_utf8(headers: Mapping[str, str], data: bytes, result: MutableMapping[str, Any]) -> bytes:
    """Decode a document and encode it as UTF-8: feedparser's function of this name, with this library.

    Sets `result["encoding"]`, and `result["bozo"]` with `result["bozo_exception"]` where feedparser sets
    them: `NonXMLContentType` for a response whose media type is not XML, `CharacterEncodingOverride` where
    RFC 3023 gives another encoding than the one the document is in, and `BrokenGzip` for a gzip file that is
    cut off or damaged.

    Args:
        headers: the fields of the response, names in lower case; empty where there was no response.
        data: the document.
        result: feedparser's result.
    """
    content_type = headers.get("content-type", "") if headers else None
    data, broken, _ = unpacked(data, MAX_BYTES, headers.get("content-location", "") if headers else "")
    text, resolution, _ = decode(data, content_type, xml_chars="replace")
    text = valid_references(text)  # feedparser raises for some of them
    result["encoding"] = _name(resolution)
    error = broken or _problem(headers, resolution)
    if error is not None:
        result["bozo"] = True
        result["bozo_exception"] = error
    match = _XML_DECLARATION.match(text)
    rest = f"\n{text}" if match is None else text[match.end() :]
    return f"<?xml version='1.0' encoding='utf-8'?>{rest}".encode("utf-8", "replace")


def _name(resolution: Resolution) -> str:
    """Return the encoding's name as feedparser writes it: as the detector names it, or in lower case."""
    name = resolution.encoding
    # It names the superset that GB2312 is read with.
    return name if resolution.rule == "L6" else name.lower().replace("gb2312", "gb18030")


def _problem(headers: Mapping[str, str], resolution: Resolution) -> Any:
    """Return the exception that feedparser reports for these labels, or None.

    The first step is that of RFC 3023. It is an error for other media types, too, which name no encoding.
    """
    first, facts = resolution.steps[0], resolution.facts
    is_xml = not headers or facts.media_class in ("APP-XML", "TEXT-XML")
    if first.verdict == "refused" or (first.verdict == "error" and is_xml):
        declared = first.encoding or facts.charset or facts.declared or ""
        if _squeezed(declared) != _squeezed(resolution.encoding):
            what = f"document declared as {declared}, but parsed as {resolution.encoding}"
            return CharacterEncodingOverride(what)
    if is_xml:
        return None
    if "content-type" in headers:
        return NonXMLContentType(f"{headers['content-type']} is not an XML media type")
    return NonXMLContentType("no Content-type specified")


def _squeezed(label: str) -> str:
    """Return a label for comparison: "utf_16" and "UTF-16BE" are the same, the byte order is seen."""
    squeezed = re.sub(r"[^0-9a-z]", "", label.lower())
    return squeezed[:5] if squeezed.startswith(("utf16", "utf32")) else squeezed


if _REPLACED not in api.parse.__code__.co_names:
    raise ImportError(
        f"feedparser {feedparser.__version__} does not call {_REPLACED}(); install feedparser 6"
    )


def _patched() -> Callable[..., feedparser.FeedParserDict]:
    """Return a copy of `feedparser.parse` that calls `convert_to_utf8` of this module.

    It is made for each call, in a few microseconds: what a program changes in `feedparser.api` holds.
    """
    original = api.parse
    names = {**vars(api), _REPLACED: convert_to_utf8}
    copy = FunctionType(original.__code__, names, "parse", original.__defaults__, original.__closure__)
    return cast("Callable[..., feedparser.FeedParserDict]", copy)


def parse(source: Any, *arguments: Any, **options: Any) -> feedparser.FeedParserDict:
    """Parse a feed: `feedparser.parse` with the right text.

    Args:
        source: as for `feedparser.parse`: a URL, a path, bytes, a binary stream or a str.
        arguments, options: those of `feedparser.parse`: etag, modified, agent, response_headers and others.

    Returns:
        feedparser's result: `.status`, `.etag`, `.modified`, `.href`, `.headers`, `.bozo`, `.entries`.
        `.encoding` is the encoding that feedcharset found, named as feedparser names it.
    """
    return _patched()(source, *arguments, **options)


def parse_reader(reader: XmlReader, **options: Any) -> feedparser.FeedParserDict:
    """Parse what an `XmlReader` reads, so that `Limits` binds the download.

    Args:
        reader: of any source, from its present position. It is not closed.
        options: those of `feedparser.parse` for a stream: resolve_relative_uris, sanitize_html, and
            response_headers, of which those of the reader's response go first: `{"content-location": url}`
            is the base of relative links in bytes that were stored.

    Returns:
        feedparser's result, with `.status` (of the first redirect, where there was one), `.href`, `.etag`,
        `.modified` and `.headers` of the response.
    """
    given = [options.pop("response_headers", None), reader.response and reader.response.headers]
    headers = {name.lower(): value for fields in given if fields for name, value in fields.items()}
    told = {"content-location": reader.url or "", **headers, "content-type": "text/xml; charset=utf-8"}
    result = _patched()(reader.utf8(), response_headers=told, **options)
    result["encoding"] = _name(reader.resolution)
    error = _problem(headers, reader.resolution)
    if error is not None and not result["bozo"]:
        result.update(bozo=True, bozo_exception=error)
    result["headers"] = headers
    if reader.response is not None:
        first = next(iter(reader.response.history), reader.response)  # feedparser keeps the first redirect's
        result.update(href=reader.url, status=first.status)
        fields = (("etag", "etag"), ("modified", "last-modified"))
        result.update({name: headers[field] for name, field in fields if field in headers})
    return result
