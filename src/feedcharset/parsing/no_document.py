"""`NoDocument`: the error for a document without any element.

It stands here and not in `errors`, which imports no lxml.
"""

from __future__ import annotations

from typing import Any

from lxml import etree

from feedcharset.errors import FeedcharsetError

__all__ = ["NoDocument"]


class NoDocument(etree.XMLSyntaxError, FeedcharsetError):  # type: ignore[misc]  # lxml has no types
    """There is no element in the document: it is empty, or plain text, or only a prolog.

    As in every XMLSyntaxError, `lineno`, `offset`, `position`, `filename` and `code` hold the place and
    libxml2's number of the error.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.msg, self.code, *self.position, self.filename)
