"""The exceptions of feedcharset.

    FeedcharsetError
      ResolutionError (ValueError)      no encoding could be decided, or none that can be read
        EncodingConflict                rules 1.3-1.7, 2.2, 2.4, 3.2: labels contradict each other, or the BOM
        NotXmlMediaType                 rules 2.6, 3.9: the media type is not XML
        UnknownEncoding (LookupError)   the label is unknown, or refused for decoding
      DecodeError (UnicodeDecodeError)  a byte that does not decode in the decided encoding
      FetchError (OSError)              the source could not be fetched
        TooLarge, DeadlineExceeded, TooManyRedirects, TruncatedBody, AddressRefused, HTTPStatusError

Every message says what was seen and why it is refused (`problem`), and what to do (`advice`). Every exception
pickles (without its stream).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from feedcharset.results import Step
    from feedcharset.results.facts import Facts

__all__ = [
    "AddressRefused",
    "DeadlineExceeded",
    "DecodeError",
    "EncodingConflict",
    "FeedcharsetError",
    "FetchError",
    "HTTPStatusError",
    "NotXmlMediaType",
    "ResolutionError",
    "TooLarge",
    "TooManyRedirects",
    "TruncatedBody",
    "UnknownEncoding",
]


class FeedcharsetError(Exception):
    """The base class of every exception of this library. As a str, it is its problem and its advice.

    Attributes:
        advice: what to do about it, in the words of the library, without a full stop; "" for nothing.
    """

    advice: str = ""

    @property
    def problem(self) -> str:
        """What was seen, and why it is refused: the message without the advice."""
        return super().__str__()

    def __str__(self) -> str:
        return f"{self.problem}; {self.advice}" if self.advice else self.problem


class ResolutionError(FeedcharsetError, ValueError):
    """The rules allow no encoding.

    Attributes:
        facts: what was seen (`Facts`), or None.
        rule: the id of the row that refused ("1.4", "2.0/1.6").
        steps: the steps tried, a tuple of `Step`.
        stream: raised by XmlReader: a binary stream that stands at the document's first byte. The
            exception owns it; close it with `exc.close()` or use `with exc:`.
    """

    def __init__(
        self,
        message: str,
        *,
        facts: Facts | None = None,
        rule: str = "",
        steps: tuple[Step, ...] = (),
        advice: str = "",
    ) -> None:
        super().__init__(message)
        self.advice: str = advice
        self.facts = facts
        self.rule = rule
        self.steps = steps
        self.stream: IO[bytes] | None = None

    def close(self) -> None:
        """Close the stream, if there is one. May be called twice."""
        if self.stream is not None:
            self.stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...], dict[str, Any]]:
        return type(self), self.args, {**self.__dict__, "stream": None}


class EncodingConflict(ResolutionError):
    """Labels, or a label and the BOM, contradict each other, or UTF-16 or UTF-32 has no known byte order.

    By RFC 3023 the rules 1.3-1.7, 2.2 and 2.4, by RFC 7303 rule 3.2; also when a document is read strictly
    whose bytes are visibly not in the default encoding of the rules 1.0 and 3.6.
    """


class NotXmlMediaType(ResolutionError):
    """The Content-Type names no XML media type, or is absent from an HTTP message (rules 2.6 and 3.9)."""


class UnknownEncoding(ResolutionError, LookupError):
    """The label names no charset that may be decoded."""


class DecodeError(FeedcharsetError, UnicodeDecodeError):
    """Bytes that do not decode in the encoding.

    As in every UnicodeDecodeError, `object[start:end]` are the bytes; `object` is the piece of input
    that was being decoded, so `start` counts from the beginning of that piece.

    Attributes:
        offset: bytes from the first byte of the source to the first undecodable byte.
        line: line in the document, from 1; blank lines before it count.
        column: characters from the beginning of the line, from 1.
        partial: from `XmlDecoder.decode`, the text of that call before the undecodable byte.
    """

    advice: str = "correct the label, or read with another errors= ('replace')"

    def __init__(
        self,
        encoding: str,
        object: bytes,
        start: int,
        end: int,
        reason: str,
        *,
        offset: int = 0,
        line: int = 1,
        column: int = 1,
    ) -> None:
        UnicodeDecodeError.__init__(self, encoding, object, start, end, reason)
        self.offset = offset
        self.line = line
        self.column = column
        self.partial: str = ""

    @property
    def problem(self) -> str:
        """The byte, where it stands, and why it does not decode."""
        undecodable = self.object[self.start : self.end].hex(" ").upper()
        place = f"byte {self.offset} (line {self.line}, column {self.column})"
        return f"{place}: {undecodable} is not {self.encoding}: {self.reason}"


class FetchError(FeedcharsetError, OSError):
    """The source could not be fetched, or only a part of it.

    Attributes:
        url: the URL that was being read, or None.
        partial: the bytes of the document that had arrived (decoded from gzip and the like); b"" of a file
            and of bytes, which can be read with lenient=True.
        limit: the name of the field of `Limits` that ended it ("total"), or None.
        headers: the response's header fields, where one had arrived; its Content-Type is needed to decode
            `partial`.
    """

    def __init__(
        self,
        message: str,
        *,
        url: str | None = None,
        partial: bytes = b"",
        limit: str | None = None,
        advice: str = "",
    ) -> None:
        super().__init__(message)
        self.advice: str = advice or self.advice
        self.headers: Mapping[str, str] = {}
        self.url = url
        self.partial = partial
        self.limit = limit


class TooLarge(FetchError):
    """More bytes, or a higher compression ratio, than `Limits` allows."""


class DeadlineExceeded(FetchError):
    """A time limit of `Limits` has passed; where `limit` is None, httpx's own timeout."""


class TooManyRedirects(FetchError):
    """More redirects than `Limits.redirects`, or a loop."""


class TruncatedBody(FetchError):
    """The body ended before its announced end."""

    advice: str = "try again, or use what arrived, in .partial"
    of_gzip: bool = False
    """The body is whole, or a file, and gzip in it is cut off or damaged."""


class AddressRefused(FetchError):
    """A scheme, a host or an address that may not be opened."""


class HTTPStatusError(FetchError):
    """The server answered with a status that carries no feed.

    Attributes:
        status: the HTTP status code.
        excerpt: the first 200 characters of the body as text, control characters escaped.
    """

    def __init__(
        self,
        message: str,
        *,
        url: str | None = None,
        partial: bytes = b"",
        status: int = 0,
        headers: Mapping[str, str] | None = None,
        excerpt: str = "",
        advice: str = "",
    ) -> None:
        super().__init__(message, url=url, partial=partial, advice=advice)
        self.status = status
        self.headers: Mapping[str, str] = headers or {}
        self.excerpt = excerpt
