"""Scrapy: a downloader middleware that gives callbacks an XmlResponse whose text is right.

    DOWNLOADER_MIDDLEWARES = {"feedcharset.adapters.scrapy.FeedcharsetMiddleware": 585}

585 is between RetryMiddleware (550) and HttpCompressionMiddleware (590), so the body is unpacked before. The
HTTP cache (900) keeps the body as the server sent it.
"""

from __future__ import annotations

from typing import Any

from feedcharset.adapters import needed
from feedcharset.adapters.xml_responses import (
    MAX_BYTES,
    decode_body,
    head_of,
    is_declared,
    is_feed_head,
    is_xml_response,
)
from feedcharset.fetch.gunzip import refuse_coding
from feedcharset.fetch.urls import without_userinfo
from feedcharset.reading.sources import content_type_of

with needed("scrapy", "scrapy"):
    from scrapy.http import HtmlResponse, Request, Response, XmlResponse

__all__ = ["FeedcharsetMiddleware"]


class FeedcharsetMiddleware:
    """Replaces the response of an XML document by an `XmlResponse` whose body is UTF-8, and that of an XHTML
    page by an `HtmlResponse`, in which Scrapy looks for links.

    `response.text`, `.selector`, `.xpath` and XMLFeedSpider then read the same right text. The encoding that
    was found is in `response.flags` ("feedcharset:windows-1251"), the decision and the repairs in
    `request.meta["feedcharset"]` and `["feedcharset_repairs"]`. Responses that are no XML, and responses
    without a body, stay as they are.
    """

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Response:
        """Return the response that the callback gets.

        Args:
            request: its `meta` receives the decision and the repairs.
            response: what was downloaded, without its Content-Encoding.
            spider: not used; Scrapy before 2.13 passes it.

        Raises:
            FetchError: Scrapy has left a Content-Encoding: zstd without its package, or all by a setting.
            TooLarge: gzip without a Content-Encoding holds more than 20 MiB, or grows more than 1000:1.
        """
        content_type = content_type_of(response.headers)
        # Scrapy takes what no media type names for XML by the ending of the URL.
        is_xml = isinstance(response, XmlResponse) and is_declared(head_of(response.body))
        if not response.body or not (is_xml or is_xml_response(response.body, content_type)):
            return response
        refuse_coding(response, response.body, without_userinfo(response.url), "Scrapy")
        text, resolution, repairs = decode_body(response.body, content_type, MAX_BYTES, response.url)
        request.meta.update(feedcharset=resolution, feedcharset_repairs=repairs)
        is_xhtml = resolution.facts.media_type == "application/xhtml+xml"
        is_page = is_xhtml and not is_feed_head(head_of(response.body), content_type)
        return response.replace(
            cls=HtmlResponse if is_page and isinstance(response, HtmlResponse) else XmlResponse,
            body=text.encode("utf-8", "replace"),
            encoding="utf-8",
            flags=[*response.flags, f"feedcharset:{resolution.encoding}"],
        )
