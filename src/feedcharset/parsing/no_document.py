"""`NoDocument`: the error for a document without any element.

It stands here and not in `errors`, which imports no lxml.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from feedcharset.errors import FeedcharsetError

if TYPE_CHECKING:
    XMLSyntaxError = SyntaxError  # lxml has no types; this is what its class is derived from
else:
    from lxml.etree import XMLSyntaxError

__all__ = ["NoDocument"]


class NoDocument(XMLSyntaxError, FeedcharsetError):
    """There is no element in the document: it is empty, or plain text, or only a prolog.

    As in every XMLSyntaxError, `lineno`, `offset`, `position`, `filename` and `code` hold the place and
    libxml2's number of the error.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        state: Any = self
        return type(self), (state.msg, state.code, *state.position, state.filename)
