"""The body of a response as a stream of the document's bytes, within the limits, its content coding removed.

One layer of coding (RFC 9110 section 8.4): gzip and deflate by `Gunzip`; br and zstd by urllib3, where it
unpacks them in pieces of limited size.
"""

from __future__ import annotations

import functools
import http.client
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import Any

import requests
import urllib3
import urllib3.response
from requests.structures import CaseInsensitiveDict

from feedcharset.errors import FetchError, TruncatedBody
from feedcharset.evidence.document_head import PREFIX_LIMIT, begins_as_text, is_packed
from feedcharset.fetch.deadline import Deadline, FetchAbort, is_waiting
from feedcharset.fetch.framing import (
    CHUNK_SIZE,
    announced_length,
    announced_lengths,
    frames_of,
    join_chunks,
    joined_field,
    names_chunks_twice,
    part_size,
)
from feedcharset.fetch.gunzip import (
    CODINGS,
    GZIP_MAGIC,
    NO_CODING,
    BrokenGzip,
    Gunzip,
    OverLimit,
    PieceStream,
    beginning,
    is_deflate,
    is_unfinished,
    refuse_coding,
    unknown_words,
    words_of,
)
from feedcharset.fetch.limits import MIB, Limits
from feedcharset.fetch.urls import masked_field, shown

# Bytes read, and produced, at a time: what a socket gives at once, and little enough for many threads.
BODY_PIECE = 64 << 10

# Bytes of br and zstd that are unpacked at once: what the last of them hold is lost where they are damaged.
CODED_PART = 512

_FOLD = re.compile(r"\r?\n[ \t]++")
"""A line break in a field's value stands for a space (RFC 9112 §5.2); urllib3 before 2.8 leaves it."""

# Where `read` waits until it has the full size, the size is small: a failure loses at most one piece.
_SMALL_PIECE = 8 << 10

PARTLY_READ = "_partly_read_by_feedcharset"
"""An attribute of a caller's response. What its client then keeps of the body is the rest."""

Redirect = tuple[int, Mapping[str, str], str]
"""A response that redirected: its status, its header fields and its URL without the session's parameters."""


class FetchedBody(PieceStream):
    """A readable binary stream of the document: the body with its content coding removed.

    Reading raises FetchError and its subclasses, whose `.partial` is everything that was read before (and
    ValueError on a closed stream, like every file). The connection is closed, or returned to its session, as
    soon as the document ends, a read fails or the stream is closed.

    Attributes:
        url: the URL of the document, after redirects, without userinfo.
        status: the HTTP status code.
        headers: the response's header fields; their names are case-insensitive.
        history: the responses that redirected.
        ignored_codings: words of the Content-Encoding field that name no coding ("none", "utf-8").
        not_applied: the coding that the field names, where the body begins as text; "" before it is read.
        content_type: the Content-Type field; "" where there is none; several joined by ", ".
    """

    def __init__(
        self,
        response: requests.Response,
        deadline: Deadline,
        close: Callable[[], object],
        *,
        borrowed: bool = False,
        history: tuple[Redirect, ...] = (),
    ) -> None:
        super().__init__(close=close, keeps=True)
        self.url: str = deadline.url
        self.limits: Limits | None = deadline.limits
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers if borrowed else masked_fields(response.headers)
        self.history: tuple[Redirect, ...] = history
        self.content_type: str = _FOLD.sub(" ", response.headers.get("Content-Type", "")).strip(" \t")
        words = words_of(joined_field(response.headers, "Content-Encoding"))
        self.ignored_codings: list[str] = [word for word in words if word not in CODINGS]
        self._deadline = deadline
        deadline.stage = "body"
        self._borrowed = borrowed
        self._is_reading = False
        self._raw = response.raw
        self._response = response
        try:
            received, coding = _received(response, deadline)
        except FetchAbort as abort:
            self._close()
            abort.error.headers = self.headers
            raise abort.error from None
        self._received = received
        self._pieces: Iterator[bytes] = filter(None, decoded(received, coding, deadline))
        if unknown := unknown_words(words):
            self._pieces = _checked(
                self._pieces, is_packed, functools.partial(_not_removed, unknown, deadline)
            )
        if "Content-Encoding" in self.headers:
            self.received: Callable[[], int] | None = lambda: received.size

    @property
    def not_applied(self) -> str:
        return self._received.not_applied

    def waits(self, seconds: float) -> bool | None:
        """Return whether no more has arrived, nor does within so many seconds, or what the limits leave;
        None where it is not known."""
        deadline = self._deadline
        try:
            left = deadline.bounded(lambda: deadline.time_left("read"))
            seconds = seconds if left is None else min(seconds, left)
            silent = deadline.bounded(lambda: not self._left and is_waiting(self._raw, seconds))
            deadline.silence += seconds if silent else 0
            return silent
        except FetchError as error:
            self._close()
            error.partial, error.headers = bytes(self._kept), self.headers
            self._failure = error
            return False

    def __del__(self) -> None:
        # A caller's response stays open unless this stream was closed.
        if not getattr(self, "_borrowed", True):
            self.close()

    def _piece(self, size: int) -> bytes:
        try:
            if self._is_reading:  # an interrupt ended the last read: this is not the end of the document
                raise TruncatedBody(f"{shown(self.url)}: reading was interrupted", url=self.url)
            self._is_reading = True
            piece = self._deadline.bounded(lambda: next(self._pieces, b""))
        except FetchError:
            self._close()
            raise
        self._is_reading = False
        if self._borrowed and getattr(self._response, "_content", False) is False:
            vars(self._response)[PARTLY_READ] = True
        if not piece and not self._borrowed:
            self._close()
        return piece


URL_FIELDS = ("Location", "Content-Location", "Link", "Refresh")
"""Header fields of an answer that hold URLs."""


def masked_fields(headers: CaseInsensitiveDict[str]) -> CaseInsensitiveDict[str]:
    """Return the header fields, user and password removed from the URLs in them."""
    kept = headers.copy()
    for name in URL_FIELDS:
        if name in kept:
            kept[name] = masked_field(kept[name])
    return kept


def _received(response: requests.Response, deadline: Deadline) -> tuple[ReceivedPieces, str]:
    """Return the pieces that will be received, and their content coding."""
    # requests keeps what it has read here; False: it has read nothing.
    content: Any = getattr(response, "_content", False)
    headers, limits = response.headers, deadline.limits
    if content is not False:
        client = getattr(response, "client", response.raw)
        if names_chunks_twice(headers) and CHUNK_SIZE.match(content or b""):
            raise _unknown_framing(headers, deadline)
        pieces = _kept(_as_received(response), client, deadline)
        return ReceivedPieces(pieces, deadline, wire=False), ""
    unread, length = getattr(getattr(response.raw, "_fp", None), "length", None), announced_length(headers)
    if response.status_code in (204, 304) or 0 in (unread, length):
        # no body (RFC 9112 section 6.3)
        return ReceivedPieces(raw_pieces(response.raw, deadline), deadline), ""
    check_framing(headers, response.raw, deadline)
    coding = content_coding(joined_field(headers, "Content-Encoding"))
    if limits.wire is not None and (length or 0) > limits.wire:
        raise deadline.exceeded("wire")
    if not coding and limits.decoded is not None and (length or 0) > limits.decoded:
        raise deadline.exceeded("decoded")
    # What comes from a caller's cache is not what was received; there the socket's reader counts.
    counts = bool(coding) or not deadline.shared
    pieces = raw_pieces(response.raw, deadline)
    # In a session its coding, which the length of a part counts, is removed already.
    if isinstance(getattr(response.raw, "_fp", None), http.client.HTTPResponse):
        pieces = of_part(pieces, response.status_code, headers)
    if not isinstance(response.raw, (urllib3.HTTPResponse, http.client.HTTPResponse)):
        # An adapter may have removed the coding; httpx gives a body as it was received.
        of_coded = length if hasattr(response, "client") else min(length or 0, 1)
        pieces = _of_length(pieces, (of_coded if coding else length) or 0)
    return ReceivedPieces(pieces, deadline, wire=counts), coding


def of_part(pieces: Iterator[bytes], status: int, headers: Mapping[str, str]) -> Iterator[bytes]:
    """Return the pieces of a body, of a part without a Content-Length no more than its Content-Range has."""
    size = part_size(status, headers)
    if size is None or announced_length(headers) is not None:
        return pieces
    return _of_length(pieces, size, is_part=True)


def _of_length(pieces: Iterator[bytes], length: int, *, is_part: bool = False) -> Iterator[bytes]:
    """Yield the pieces of a part in chunks, or of an adapter of the session, which need not check the length
    that is announced."""
    for piece in pieces:
        yield piece[:length] if is_part else piece
        length -= len(piece)
        if is_part and length < 0:
            return
    if length > 0:
        raise http.client.IncompleteRead(b"", length)


def _as_received(response: requests.Response) -> bytes:
    """Return the body that a response has kept. Some caches of requests-cache (files, MongoDB, JSON) keep the
    text of text/* instead, which requests decodes as ISO-8859-1 where no charset is named, and give that back
    in UTF-8."""
    content, content_type = response._content or b"", response.headers.get("Content-Type", "").lower()
    is_text = content_type.startswith("text/") and "charset" not in content_type
    if is_text and getattr(response, "from_cache", False) and response.encoding == "utf-8":
        with suppress(UnicodeError):
            return content.decode().encode("latin-1")
    return content


def _kept(content: bytes, client: Any, deadline: Deadline) -> Iterator[bytes]:
    """Yield the body that a client's response has kept."""
    refuse_coding(client, content, deadline.url)
    yield content
    if is_unfinished(client):
        raise _cut_off("compressed", deadline)


def check_framing(headers: Mapping[str, str], raw: Any, deadline: Deadline) -> None:
    """Raise FetchAbort for a Transfer-Encoding whose frames http.client reads as text, and for lengths that
    differ: urllib3 refuses `5, 6`, but not `5, x` (RFC 9112 section 6.3)."""
    if len(announced_lengths(headers)) > 1:
        lengths = shown(masked_field(joined_field(headers, "Content-Length")))
        what = f"several lengths (Content-Length: {lengths})"
        raise deadline.abort(FetchError, what, advice="only the server can change this")
    frames = frames_of(headers)
    is_raw = frames and getattr(getattr(raw, "_fp", raw), "chunked", None) is False  # urllib has no _fp
    if is_raw or frames - {"chunked"}:
        raise _unknown_framing(headers, deadline)


def _unknown_framing(headers: Mapping[str, str], deadline: Deadline) -> FetchAbort:
    framing = shown(masked_field(headers["Transfer-Encoding"]))
    what = f"unknown framing (Transfer-Encoding: {framing})"
    return deadline.abort(FetchError, what, advice="only the server can change this")


def raw_pieces(raw: Any, deadline: Deadline) -> Iterator[bytes]:
    """Yield the body of a urllib3 response, or of a replacement, as it arrives: without its framing, with its
    content coding."""
    if raw is None or getattr(raw, "length", None) == 0:  # of http.client, whose status has no body
        return
    source: Any = getattr(raw, "_fp", None) if hasattr(raw, "stream") else raw
    options = {} if source is raw else {"decode_content": False}
    if isinstance(source, http.client.HTTPResponse):
        read = functools.partial(raw.read1, BODY_PIECE, **options)
        vars(source)["_read1_chunked"] = functools.partial(join_chunks, source)
    else:  # of the session's own adapter, or of a cache (CacheControl), which stores what is read with `read`
        read = functools.partial(raw.read, _SMALL_PIECE, **options)
    # http.client takes `5, 5` for no number.
    pieces = _arriving(read, source, raw, deadline)
    headers: Any = getattr(raw, "headers", None) or {}
    if names_chunks_twice(headers):
        pieces = _checked(pieces, CHUNK_SIZE.match, functools.partial(_unknown_framing, headers, deadline))
    try:
        yield from pieces
    finally:
        getattr(source, "__dict__", {}).pop("_read1_chunked", None)  # it refers to its own object


def _arriving(read: Callable[[], bytes | None], source: Any, raw: Any, deadline: Deadline) -> Iterator[bytes]:
    """Yield what is read. A response of http.client that the caller has closed, or read elsewhere, in the
    meantime looks as if it ended, or goes on behind what is missing."""
    of_network = isinstance(source, http.client.HTTPResponse)
    left = source.length if of_network else 0
    left = getattr(raw, "length_remaining", None) if left is None else left

    def place() -> tuple[Any, Any]:
        """Return what of the body was read: bytes by urllib3, and what is left of a chunk."""
        return getattr(raw, "_fp_bytes_read", 0), getattr(source, "chunk_left", None)

    before = place()
    while True:
        if left is None and source.isclosed():  # its end has not come: it would have been read
            raise deadline.abort(TruncatedBody, "the response was closed while it was read")
        if left is None and place() != before:
            raise deadline.abort(TruncatedBody, "the response was read elsewhere while it was read")
        try:
            piece = read()
        except AttributeError:  # http.client, where another thread closed it
            if not (of_network and source.isclosed()):
                raise
            raise deadline.abort(TruncatedBody, "the response was closed while it was read") from None
        if not piece:
            break
        left = None if left is None else left - len(piece)
        before = place()
        yield piece
    if of_network and (left or 0) > 0:
        raise http.client.IncompleteRead(b"", left)


def content_coding(value: str) -> str:
    """Return the coding that a Content-Encoding field names, in lower case; "" for none; several joined."""
    return ", ".join(coding for coding in words_of(value) if coding in CODINGS)


class ReceivedPieces:
    """The pieces of a body as they arrive, until the total time has passed.

    Args:
        pieces: without their framing, with their content coding.
        wire: count them for `Limits.wire`, too.

    Attributes:
        size: bytes until now.
        not_applied: the coding that they have not, though the field names it.
    """

    def __init__(self, pieces: Iterator[bytes], deadline: Deadline, *, wire: bool = True) -> None:
        self._pieces = pieces
        self._deadline = deadline
        self._most = deadline.limits.wire if wire else None
        self.size: int = 0
        self.not_applied: str = ""

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self.size += len(piece)
            if self._most is not None and self.size > self._most:
                raise self._deadline.exceeded("wire")
            yield piece
            self._deadline.time_left("read")  # raises where `total` is over, also while nothing is unpacked


def decoded(received: ReceivedPieces, coding: str, deadline: Deadline) -> Iterator[bytes]:
    """Yield the document's bytes: the body as it is where it begins as text, whatever coding is named; raise
    FetchAbort where a limit is exceeded, the data is damaged, or the coding cannot be removed here and the
    body does not begin as gzip."""
    source: Iterator[bytes] = filter(None, received)
    pieces = source
    if coding:
        head, rest = beginning(lambda _: next(source, b""))
        pieces = chain((head,), iter(lambda: rest(BODY_PIECE), b""))
        can = _urllib3_can(coding)
        is_gzip = head.startswith(GZIP_MAGIC) and "," not in coding
        first = head[:PREFIX_LIMIT]
        # Servers name codings that they have not applied.
        if is_text := begins_as_text(first) and not (coding == "deflate" and is_deflate(first)):
            received.not_applied = coding
        if is_text or (is_gzip and not can):
            coding = ""
        elif head and not can:
            raise _not_removed(coding, deadline)
    if coding in ("gzip", "deflate"):
        yield from _inflated(pieces, coding, deadline)
        return
    count = 0
    most, ratio = deadline.limits.decoded, deadline.limits.ratio if coding else None
    for piece in _by_urllib3(pieces, coding, deadline) if coding else pieces:
        count += len(piece)
        if most is not None and count > most:
            yield piece[: most - count]
            raise deadline.exceeded("decoded")
        if ratio is not None and count > MIB and count > ratio * received.size:
            raise deadline.exceeded("ratio")
        yield piece


def _checked(
    pieces: Iterator[bytes], is_wrong: Callable[[bytes], object], error: Callable[[], FetchAbort]
) -> Iterator[bytes]:
    """Yield the pieces of a body; raise an error where its first 4,096 bytes are wrong."""
    head, rest = beginning(lambda _: next(pieces, b""))
    if is_wrong(head[:PREFIX_LIMIT]):
        raise error()
    yield from filter(None, chain((head,), iter(lambda: rest(BODY_PIECE), b"")))


def _inflated(pieces: Iterator[bytes], coding: str, deadline: Deadline) -> Iterator[bytes]:
    """Remove gzip or deflate."""
    try:
        yield from Gunzip(pieces, deadline.limits, coding=coding)
        for _ in pieces:
            pass  # what is no gzip behind it is ignored, but must arrive: a body that is cut is an error
    except OverLimit as error:
        raise deadline.exceeded(error.name) from None
    except BrokenGzip as error:
        if error.reason is None:
            raise _cut_off(coding, deadline) from None
        what = f"labelled Content-Encoding: {coding}, which it is not, or damaged ({error.reason})"
        more = ".partial holds what could be unpacked"
        raise deadline.abort(FetchError, f"{what}, and {more}", advice=NO_CODING) from None


def _cut_off(coding: str, deadline: Deadline) -> FetchAbort:
    return deadline.abort(TruncatedBody, f"the {coding} data ended before its end mark")


def _by_urllib3(pieces: Iterator[bytes], coding: str, deadline: Deadline) -> Iterator[bytes]:
    """Remove br or zstd. urllib3 notices where zstd is cut off, and not where br is."""
    parts = (piece[at : at + CODED_PART] for piece in pieces for at in range(0, len(piece), CODED_PART))
    first = next(parts, None)
    if first is None:
        return
    file: Any = PieceStream(lambda _: next(parts, b""), taken=first)
    source = urllib3.HTTPResponse(body=file, headers={"Content-Encoding": coding}, preload_content=False)
    try:
        while piece := source.read1(BODY_PIECE, decode_content=True):
            yield piece
    except urllib3.exceptions.DecodeError as error:
        if "incomplete" in str(error):
            raise _cut_off(coding, deadline) from error
        raise
    engine = getattr(getattr(source, "_decoder", None), "_obj", None)
    if coding == "br" and engine is not None and not engine.is_finished():
        raise _cut_off(coding, deadline)


def _urllib3_can(coding: str) -> bool:
    """Return whether urllib3 decodes it, in pieces of limited size."""
    if coding not in urllib3.HTTPResponse.CONTENT_DECODERS:
        return False
    if coding != "br":
        return True
    # Brotli before 1.2 decodes its whole input in one call: a bomb in one call.
    try:
        urllib3.response.BrotliDecoder()._decompress(b"", output_buffer_limit=1)
    except TypeError:
        return False
    return True


def _not_removed(coding: str, deadline: Deadline) -> FetchAbort:
    what = f"a coding that cannot be removed here (Content-Encoding: {shown(masked_field(coding))})"
    return deadline.abort(FetchError, what, advice=NO_CODING)
