"""`XmlReader`: a source of any kind, as a stream of text in the right charset."""

from __future__ import annotations

import io
import logging
import os
import warnings
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any, Literal, Unpack

from feedcharset.decide.rules import Policy
from feedcharset.errors import ResolutionError
from feedcharset.fetch.limits import Limits
from feedcharset.reading.decoded_stream import DecodedStream
from feedcharset.reading.reader_options import ReaderOptions, check_names
from feedcharset.reading.sources import ExpectedSource, LiteralPath, OpenSource, ResponseInfo, SourceOptions, open_source
from feedcharset.reading.text_buffer import TextBuffer
from feedcharset.reading.utf8_stream import Utf8Stream
from feedcharset.text.option_types import Declaration, Errors, Mojibake, XmlChars
from feedcharset.text.xml_decoder import XmlDecoder

if TYPE_CHECKING:
    from typing import Self

    import requests

    from feedcharset.evidence.detector import Detector
    from feedcharset.parsing.recovery_log import RecoveryLog
    from feedcharset.results.repairs import Recovery, Repairs
    from feedcharset.results.resolution import Resolution

__all__ = ["XmlReader"]

logger = logging.getLogger("feedcharset")


class XmlReader(io.TextIOBase):
    """A text stream over an XML document, decoded as the rules say; not seekable.

    Args:
        source: an http(s) URL; a path (str or os.PathLike); bytes-like; a binary stream; a
            `requests.Response`; anything with `.read` and `.headers`, whose Content-Type is used. For input
            that others control take `from_url`, `from_path`, `from_bytes`, `from_stream` or `from_response`.
        content_type: overrides what the source says; "" stands for an HTTP message without the field.
        lenient: find the right text even when the labels lie, and never raise because of what the document
            holds; False: the strict rules of `policy`, and an exception where they refuse.
        policy: "rfc3023" or "rfc7303".
        encoding: force this one (rule "forced").
        default_encoding: replaces the default of the rules 1.0, 2.1 and 3.6 and of the step L4.
        errors: for undecodable octets: "strict" (default when strict), "replace", "space", "latin-1" or
            "windows-1252" (default when lenient).
        declaration: "blank" overwrites the encoding in the XML declaration with spaces, so that no parser
            obeys a stale label; "keep" leaves it.
        mojibake: "fix" repairs text that was decoded wrongly before it was published.
        xml_chars: "keep", "replace", "space" or "drop" characters that XML 1.0 §2.2 forbids.
        detector: a callable (bytes -> label or None), or "chardet", asked when nothing else answers.
        lookahead: bytes of the window that the first octet over 7F opens.
        gunzip: unpack a gzip source.
        closefd: closing the reader closes the stream it was given, too.
        session, headers, limits: for URLs (limits for responses, too).

    Raises:
        ResolutionError: strict, where the rules refuse. `.stream` stands at the document's first byte.
        FetchError: the URL could not be fetched. OSError: the file could not be opened.
        TypeError, ValueError: a source or an option that makes no sense.
    """

    def __init__(
        self,
        source: Any,
        *,
        content_type: str | None = None,
        lenient: bool = True,
        policy: Policy = "rfc3023",
        encoding: str | None = None,
        default_encoding: str | None = None,
        errors: Errors | None = None,
        declaration: Declaration = "blank",
        mojibake: Mojibake = "keep",
        xml_chars: XmlChars = "keep",
        detector: Detector | Literal["chardet"] | None = None,
        lookahead: int = 1 << 20,
        gunzip: bool = True,
        closefd: bool = True,
        session: requests.Session | None = None,
        headers: Mapping[str, str] | None = None,
        limits: Limits = Limits(),  # noqa: B008 - immutable
    ) -> None:
        self._open = False
        decoder = XmlDecoder(  # an option that makes no sense is refused before anything is opened
            content_type,
            lenient=lenient,
            policy=policy,
            encoding=encoding,
            default_encoding=default_encoding,
            errors=errors,
            declaration=declaration,
            mojibake=mojibake,
            xml_chars=xml_chars,
            detector=detector,
            lookahead=lookahead,
        )
        opened = open_source(source, SourceOptions(session, headers, limits))
        if content_type is None:
            decoder.content_type = opened.content_type
        try:
            self._start(opened, decoder, gunzip=gunzip, strict=not lenient, owned=opened.owned or closefd)
        except ResolutionError:
            raise  # the exception owns the stream now
        except BaseException:
            if opened.owned or closefd:
                opened.stream.close()
            raise

    @classmethod
    def from_url(cls, url: str, **options: Unpack[ReaderOptions]) -> Self:
        """A reader of an http or https URL, and of nothing else."""
        check_names("from_url", options)
        return cls(ExpectedSource("url", url), **options)

    @classmethod
    def from_path(cls, path: str | os.PathLike[str], **options: Unpack[ReaderOptions]) -> Self:
        """A reader of a file, whatever its name looks like."""
        check_names("from_path", options)
        return cls(LiteralPath(os.fspath(path)), **options)

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview, **options: Unpack[ReaderOptions]) -> Self:
        """A reader of bytes in memory."""
        check_names("from_bytes", options)
        return cls(ExpectedSource("bytes", data), **options)

    @classmethod
    def from_stream(cls, stream: IO[bytes], **options: Unpack[ReaderOptions]) -> Self:
        """A reader of a binary stream, seekable or not."""
        check_names("from_stream", options)
        return cls(ExpectedSource("stream", stream), **options)

    @classmethod
    def from_response(cls, response: requests.Response, **options: Unpack[ReaderOptions]) -> Self:
        """A reader of a `requests.Response`; its Content-Type is used, its `.encoding` is not."""
        check_names("from_response", options)
        return cls(ExpectedSource("response", response), **options)

    def _start(
        self, opened: OpenSource, decoder: XmlDecoder, *, gunzip: bool, strict: bool, owned: bool
    ) -> None:
        """Read as much as the decision needs."""
        self._source = opened
        self._owned = owned
        self._decoder = decoder
        source = DecodedStream(opened.stream, decoder, gunzip=gunzip, strict=strict)
        source.start(owned=owned)
        self._text = TextBuffer(source.more)
        self._mended: RecoveryLog | None = None
        self._open = True
        logger.debug("%s: %s by rule %s", self.name or "bytes", self.encoding, self.resolution.rule)

    # -- what was decided -----------------------------------------------------------------------------

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The IANA name of the encoding; provisional while everything seen is US-ASCII."""
        return self._decoder.encoding

    @property
    def errors(self) -> str:  # type: ignore[override]
        """The policy for undecodable octets."""
        return self._decoder.errors

    @property
    def resolution(self) -> Resolution:
        """The decision, final once the encoding is."""
        return self._decoder.resolution

    @property
    def repairs(self) -> Repairs:
        """What was changed until now."""
        return self._decoder.repairs

    @property
    def recovered(self) -> tuple[Recovery, ...]:
        """What `parse` or `iterparse` mended in the markup; empty where nothing was."""
        return () if self._mended is None else self._mended.recovered

    @property
    def url(self) -> str | None:
        """The URL that answered, after redirects; None for other sources."""
        return self._source.url

    @property
    def response(self) -> ResponseInfo | None:
        """Status and headers (ETag, Last-Modified), or None where the source is no HTTP response."""
        return self._source.response

    @property
    def name(self) -> str | None:
        """The path or URL, or the stream's own name."""
        return self._source.name

    # -- reading --------------------------------------------------------------------------------------

    def readable(self) -> bool:
        """True."""
        return True

    def read(self, size: int | None = -1, /) -> str:
        """At most `size` characters; all that are left without a size; "" at the end.

        Raises:
            DecodeError: with errors="strict", an undecodable octet.
            FetchError, OSError: the source failed.
            ValueError: the reader is closed.
        """
        self._check_open()
        return self._text.read(-1 if size is None else size)

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """The next line with its end (LF, CRLF or CR, as it stands), at most `size` characters of it."""
        self._check_open()
        return self._text.readline(-1 if size is None else size)

    def _read1(self, size: int, /) -> str:
        """At most `size` characters, with one read of the source, unless that gives none; "" at the end."""
        self._check_open()
        return self._text.read1(size)

    def _give_back(self, count: int) -> None:
        """Read the last `count` characters again, no more than the last call gave."""
        self._text.give_back(count)

    def __next__(self) -> str:  # type: ignore[override]
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def utf8(self, xml_chars: XmlChars = "replace") -> Utf8Stream:
        """The same text as a binary stream of UTF-8, without BOM; it shares the position with this reader.

        Args:
            xml_chars: what becomes of characters that XML 1.0 §2.2 forbids, where this reader keeps them.
        """
        self._check_open()
        return Utf8Stream(self, xml_chars)

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on a closed XmlReader")

    # -- closing --------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close what was opened, and the stream that was given unless closefd=False."""
        if self._open and not self.closed:
            self._open = False
            self._text.clear()
            if self._owned:
                self._source.stream.close()
        super().close()

    def __del__(self) -> None:
        if getattr(self, "_open", False) and not self.closed:
            warnings.warn(f"unclosed XmlReader of {self.name or 'a stream'}", ResourceWarning, 2, source=self)
            self.close()

    def __iter__(self) -> Self:  # type: ignore[override]
        self._check_open()
        return self

    def readlines(self, hint: int | None = -1, /) -> list[str]:  # type: ignore[override]
        """All lines that are left; where `hint` is positive, no more once they hold as many characters."""
        lines: list[str] = []
        length = 0
        for line in self:
            lines.append(line)
            length += len(line)
            if hint is not None and 0 < hint <= length:
                break
        return lines

    def __repr__(self) -> str:
        state = self.encoding if self._open else "closed"
        return f"<XmlReader of {self.name or 'a stream'}: {state}>"
