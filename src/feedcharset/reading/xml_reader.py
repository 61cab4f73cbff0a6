"""`XmlReader`: a source of any kind, as a stream of text in the right charset."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Mapping
from operator import index
from typing import TYPE_CHECKING, Any, NoReturn, Self, SupportsIndex, Unpack

from feedcharset.decide.published_tables import Policy
from feedcharset.errors import ResolutionError
from feedcharset.evidence.detector import LOOKAHEAD, Detector, Letters
from feedcharset.fetch.limits import Limits
from feedcharset.reading.byte_streams import TextStream
from feedcharset.reading.decoded_stream import DecodedStream, TextBuffer
from feedcharset.reading.sources import ExpectedSource, ResponseInfo, open_source
from feedcharset.reading.utf8_stream import Utf8Stream
from feedcharset.results import Buffer, InArchive, Readable, Recovery, Repairs, Resolution
from feedcharset.text.options import Declaration, DecoderOptions, Errors, Mojibake, XmlChars
from feedcharset.text.xml_decoder import XmlDecoder

if TYPE_CHECKING:
    import requests

_decisions: logging.Logger = logging.getLogger("feedcharset")


class ReaderOptions(DecoderOptions, total=False):
    """The options of `XmlReader`."""

    content_type: str | bytes | None
    gunzip: bool
    closefd: bool
    session: requests.Session | None
    headers: Mapping[str, str] | None
    limits: Limits


_OPTION_NAMES = frozenset(ReaderOptions.__annotations__)


def check_names(function: str, options: ReaderOptions) -> None:
    """Refuse an option that `XmlReader` does not have, in the name of the function that was called.

    Raises:
        TypeError: names the option, and the nearest one that exists.
    """
    for name in options:
        if name not in _OPTION_NAMES:
            from difflib import get_close_matches

            near = get_close_matches(name, _OPTION_NAMES, 1, 0.7)
            hint = f"did you mean {near[0]!r}?" if near else f"options are {', '.join(sorted(_OPTION_NAMES))}"
            raise TypeError(f"{function}() has no option {name!r}; {hint}")


def check_reader_options(options: ReaderOptions) -> None:
    """Refuse what `XmlReader` refuses, before a source is opened."""
    checked: ReaderOptions = {**options, "lenient": True}
    XmlReader(b"", **checked).close()


class XmlReader(TextStream):
    """A text stream over an XML document, decoded by the rules; not seekable.

    Args:
        source: an http(s) URL; a path (str, os.PathLike, or inside an archive: zipfile.Path); bytes-like; a
            binary stream, non-blocking ones too; a response of requests or httpx, or one of aiohttp that was
            read; anything with `.read` and `.headers`, whose Content-Type is used. For untrusted input use
            `from_url`, `from_path`, `from_bytes`, `from_stream` or `from_response`.
        content_type: overrides the Content-Type of the source; "": an HTTP message without the field.
        lenient: True: find the right text even where the labels are wrong, and never raise because of the
            document's content; False: apply the strict rules of `policy`, and raise where they refuse.
        policy: "rfc3023" or "rfc7303".
        encoding: force this one (rule "forced").
        default_encoding: replaces the default of the rules 1.0, 2.1 and 3.6 and of the step L4.
        errors: for undecodable bytes: "strict" (default when strict), "replace", "space", "latin-1" or
            "windows-1252" (default when lenient).
        declaration: "blank" overwrites the encoding in the XML declaration with spaces, so that no parser
            uses a stale label; "keep" leaves it.
        mojibake: "fix" repairs text that was decoded wrongly before it was published.
        xml_chars: "keep", "replace", "space" or "drop" characters that XML 1.0 §2.2 forbids.
        detector: "letters", a callable (bytes -> label or None) or None, used where no label can be true.
        lookahead: bytes of the window that starts at the first non-ASCII byte.
        gunzip: unpack a gzip source.
        closefd: closing the reader also closes the stream that was passed.
        session, headers, limits: for URLs (limits for responses, too).

    Raises:
        ResolutionError: strict, where the rules refuse. `.stream` is at the document's first byte.
        FetchError: the URL could not be fetched. OSError: the file could not be opened.
        TypeError, ValueError: a source or an option that is not valid.
    """

    def __init__(
        self,
        source: Any,
        *,
        content_type: str | bytes | None = None,
        lenient: bool = True,
        policy: Policy = "rfc3023",
        encoding: str | None = None,
        default_encoding: str | None = None,
        errors: Errors | None = None,
        declaration: Declaration = "blank",
        mojibake: Mojibake = "keep",
        xml_chars: XmlChars = "keep",
        detector: Detector | None = "letters",
        lookahead: int = LOOKAHEAD,
        gunzip: bool = True,
        closefd: bool = True,
        session: requests.Session | None = None,
        headers: Mapping[str, str] | None = None,
        limits: Limits = Limits(),  # noqa: B008 - immutable
    ) -> None:
        self._open = False
        decoder = XmlDecoder(  # refuses invalid options before anything is opened
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
        opened = open_source(source, session, headers, limits)
        if content_type is None:
            decoder.content_type = opened.content_type
        if detector == "letters" and opened.url is not None:
            decoder.options = decoder.options._replace(detector=Letters.of_url(opened.url))
        self._source = opened
        self._owned = opened.owned or closefd
        self._gunzip = gunzip
        self._decoder = decoder
        try:
            self._decoded = DecodedStream(opened.stream, decoder, gunzip=gunzip, owned=self._owned)
        except BaseException as error:
            if self._owned and not isinstance(error, ResolutionError):  # that owns the stream now
                opened.stream.close()
            raise
        if ignored := opened.ignored_codings + bool(getattr(opened.stream, "not_applied", "")):
            decoder.log.add("content-encoding", ignored)
        self._text = TextBuffer(self._decoded.more)
        self._next_of_buffer = self._text.lines.pop  # a closed reader has no lines left
        self._recovered: Callable[[], tuple[Recovery, ...]] = tuple
        self._open = True
        if _decisions.isEnabledFor(logging.DEBUG):
            _decisions.debug("%s: %s by rule %s", self.name or "bytes", self.encoding, self.resolution.rule)

    @classmethod
    def from_url(cls, url: str, **options: Unpack[ReaderOptions]) -> Self:
        """Return a reader of an http or https URL, and of nothing else."""
        check_names("from_url", options)
        return cls(ExpectedSource("url", url), **options)

    @classmethod
    def from_path(cls, path: str | os.PathLike[str] | InArchive, **options: Unpack[ReaderOptions]) -> Self:
        """Return a reader of a file, even where its name looks like a URL."""
        check_names("from_path", options)
        return cls(ExpectedSource("path", path), **options)

    @classmethod
    def from_bytes(cls, data: Buffer, **options: Unpack[ReaderOptions]) -> Self:
        """Return a reader of bytes in memory."""
        check_names("from_bytes", options)
        return cls(ExpectedSource("bytes", data), **options)

    @classmethod
    def from_stream(cls, stream: Readable, **options: Unpack[ReaderOptions]) -> Self:
        """Return a reader of a binary stream, seekable or not."""
        check_names("from_stream", options)
        return cls(ExpectedSource("stream", stream), **options)

    @classmethod
    def from_response(cls, response: requests.Response, **options: Unpack[ReaderOptions]) -> Self:
        """Return a reader of a `requests.Response`; its Content-Type is used, its `.encoding` is not."""
        check_names("from_response", options)
        return cls(ExpectedSource("response", response), **options)

    # -- what was decided -----------------------------------------------------------------------------

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The IANA name of the encoding; provisional while everything seen is US-ASCII."""
        return self._decoder.encoding

    @property
    def errors(self) -> str:  # type: ignore[override]
        """The policy for undecodable bytes."""
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
        """What `parse` or `iterparse` repaired in the markup; empty where nothing was."""
        return self._recovered()

    @property
    def url(self) -> str | None:
        """The URL that answered, after redirects; None for other sources."""
        return self._source.url

    @property
    def response(self) -> ResponseInfo | None:
        """Status, headers (ETag, Last-Modified) and redirects; None where the source is no HTTP response."""
        return self._source.response

    @property
    def name(self) -> str | None:
        """The path or URL, or the stream's own name."""
        return self._source.name

    # -- reading --------------------------------------------------------------------------------------

    def readable(self) -> bool:
        """Return True: the stream can be read."""
        self._check_open()
        return True

    def seekable(self) -> bool:
        """Return False: the stream has no other position, and is only read."""
        self._check_open()
        return False

    writable = seekable

    def read(self, size: int | None = -1, /) -> str:
        """Return at most `size` characters; without a size, all that are left; "" at the end.

        Raises:
            DecodeError: with errors="strict", an undecodable byte.
            FetchError, OSError: the source failed.
            ValueError: the reader is closed.
        """
        self._check_open()
        return self._text.read(-1 if size is None else index(size))

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """Return the next line with its end (LF, CRLF or CR, unchanged), at most `size` characters of it."""
        self._check_open()
        return self._text.readline(-1 if size is None else index(size))

    def __next__(self) -> str:  # type: ignore[override]
        try:
            return self._next_of_buffer()
        except IndexError:
            pass
        except BaseException:  # of a signal's handler: a line is lost
            self._text.interrupt()
            raise
        if not (line := self._text.next_line()):
            raise StopIteration
        return line

    def utf8(self, xml_chars: XmlChars = "replace") -> Utf8Stream:
        """Return the same text as a binary stream of UTF-8, without BOM; it shares this reader's position.
        Text that is read behind a part of a character begins with the next one.

        Args:
            xml_chars: what replaces characters that XML 1.0 §2.2 forbids, where this reader keeps them.
        """
        self._check_open()
        return Utf8Stream(self, self._text, self._decoder.log, xml_chars)

    def _from_start(self) -> XmlReader:
        """Return another reader of the same file, which begins where this one began."""
        self._decoded.file.seek(self._decoded.start_in_file)
        options: Any = {**self._decoder.options._asdict(), "content_type": self._decoder.content_type}
        return XmlReader(self._decoded.file, gunzip=self._gunzip, closefd=False, **options)

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on a closed XmlReader")

    # -- closing --------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close what was opened, and the stream that was passed unless closefd=False."""
        try:
            if self._open:  # neither closed, nor never opened
                self._open = False
                self._text.clear()
                if self._owned:
                    self._source.stream.close()
        finally:
            super().close()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Refuse to copy or pickle: two readers would share one stream."""
        raise TypeError(f"cannot copy or pickle {type(self).__name__}; open the source again")

    def __del__(self) -> None:
        if getattr(self, "_open", False) and not self.closed:
            warnings.warn(f"unclosed XmlReader of {self.name or 'a stream'}", ResourceWarning, 2, source=self)
            self.close()

    def __repr__(self) -> str:
        if not hasattr(self, "_source"):
            return "<XmlReader: not opened>"  # in the traceback of the error that its source raised
        state = self.encoding if self._open else "closed"
        return f"<XmlReader of {self.name or 'a stream'}: {state}>"
