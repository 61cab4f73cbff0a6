"""requests: a response hook after which `response.text` and `response.encoding` are right for XML.

    session = requests.Session()
    session.hooks["response"].append(feedcharset.adapters.requests.use_feedcharset)
    session.get(url).text
"""

from __future__ import annotations

from typing import Any

import requests

from feedcharset.adapters.xml_responses import is_xml_response, is_xml_type
from feedcharset.results import Decoded, Resolution
from feedcharset.text.decode_in_memory import decode

__all__ = ["XmlResponse", "use_feedcharset"]


class XmlResponse(requests.Response):
    """A `requests.Response` whose text is decoded by feedcharset.

    `.content`, `.iter_content`, `.raw` and everything else stay as they are. An encoding that is assigned to
    `.encoding` is used as in requests.
    """

    __attrs__ = [*requests.Response.__attrs__, "_assigned"]  # noqa: RUF012 - as in requests
    _decoded: Decoded | None = None

    @property
    def encoding(self) -> str | None:  # type: ignore[override, unused-ignore]
        """The encoding that was assigned, else the IANA name of the one that feedcharset found.

        Reads the body, as `.apparent_encoding` does.
        """
        assigned: str | None = self.__dict__.get("_assigned")
        return self.resolution.encoding if assigned is None else assigned

    @encoding.setter
    def encoding(self, value: str | None) -> None:
        self.__dict__["_assigned"] = value

    @property
    def resolution(self) -> Resolution:
        """The decision, with its reasons."""
        return self._decode().resolution

    @property
    def text(self) -> str:
        """The document as text. Its XML declaration names no encoding any more."""
        return self._decode().text if self.__dict__.get("_assigned") is None else super().text

    def _decode(self) -> Decoded:
        if self._decoded is None:
            self._decoded = decode(self.content or b"", self.headers.get("Content-Type", ""))
        return self._decoded

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = {name: value for name, value in state.items() if name != "encoding"}
        super().__setstate__(state)  # type: ignore[misc, unused-ignore]  # not in the stubs


def use_feedcharset(response: requests.Response, *_: Any, **options: Any) -> requests.Response:
    """Return an `XmlResponse` for an XML document, and every other response unchanged: a response hook.

    A response with an XML media type is taken for XML. Others are looked into: a feed sent as text/html or
    text/plain is found by its first bytes. With `stream=True` only the media type is looked at.

    Args:
        response: what requests received.
        options: what requests passes to its hooks: stream, timeout, verify, cert, proxies.
    """
    if response.is_redirect or isinstance(response, XmlResponse):
        return response
    content_type = response.headers.get("Content-Type", "")
    if options.get("stream"):
        found = is_xml_type(content_type)
    else:
        found = is_xml_response(response.content or b"", content_type)
    if not found:
        return response
    xml = XmlResponse.__new__(XmlResponse)
    xml.__dict__.update(response.__dict__)
    xml.__dict__.pop("encoding", None)
    return xml
