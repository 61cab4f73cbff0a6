"""`Gunzip`: gzip, zlib and deflate data, unpacked piece by piece within limits: `decoded` and `ratio`.

Documents, bodies and damaged archives are unpacked here (whole archives by FastWARC), and here the words of a
Content-Encoding are read. `GunzipStream` is the same as a stream, and `PieceStream` what a download is, too.
The data is a row of members (RFC 1952 section 2.2), each of which has been written by itself (`cat a.gz
b.gz`, `gzip -c feed >> log.gz`). Two states:

before a member   Zeros are padding. The magic number starts a member; with another compression method the
                  member is damaged. Anything else, of any length, ends the data and is ignored, as by
                  gzip(1). The first member needs no magic number here: what is labelled gzip and is not is
                  damaged.
in a member       zlib gets the input, and gives at most `UNPACKED` bytes at once, up to its end mark.

zlib drops what it has unpacked in a call that ends at damage. So where a call fails, it is repeated from a
copy of the state in the smallest steps. What is given is everything before the damage, and neither that nor
where a limit ends it depends on how the input is cut.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Self

from feedcharset.charsets.lookup import lookup
from feedcharset.errors import FetchError, TooLarge, TruncatedBody
from feedcharset.evidence.document_head import PREFIX_LIMIT, begins_as_text, is_packed, is_unpacked
from feedcharset.fetch.limits import FILE_LIMITS, MIB, PARTIAL_LIMIT, Limits
from feedcharset.fetch.urls import shown

GZIP_MAGIC = b"\x1f\x8b\x08"
"""RFC 1952 section 2.3.1: two bytes of identification, and the only compression method."""

GZIP_BEGINNINGS = (GZIP_MAGIC, GZIP_MAGIC[:2])
"""The first three bytes of gzip, also where only two are left: no text has these."""

UNPACKED = 64 * 1024
"""Most bytes that are given at once."""

GZIP_READ = 64 * 1024
"""Bytes of a stream of gzip that are read at once."""

FIRST_INPUT = 256
"""Bytes of a member that zlib gets first, doubled from call to call: it copies what follows the end mark."""

_PADDING = re.compile(rb"\0++")

_GZIP, _ZLIB, _RAW = 31, 15, -15
"""zlib's wbits for RFC 1952, RFC 1950 and bare RFC 1951."""

CODINGS = frozenset(
    (
        *("aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "zstd"),
        *("aws-chunked", "br2", "bzip2", "lz4", "lzma", "sdch", "snappy", "xz", "zlib"),
    )
)
"""Words that name a coding: the registered ones (IANA, HTTP Parameters) but identity, which is none, and
others that servers have used."""

NO_CODING = 'request none with headers={"Accept-Encoding": "identity"}'
"""What to do where a coding cannot be removed."""

_OTHER_MEMBER, _SWALLOWS = 1, 2
"""States of urllib3's gzip: in what follows the first member; where that is no gzip, or damaged."""


class OverLimit(Exception):
    """A limit does not allow more.

    Attributes:
        name: the field of `Limits`: "decoded" (that many bytes were given, and there are more) or "ratio".
        partial: what `gunzip` had unpacked.
    """

    partial: bytes = b""

    def __init__(self, what: str, name: str) -> None:
        super().__init__(what)
        self.name = name


class BrokenGzip(Exception):
    """The data is damaged, or ends within a member; all that could be unpacked was given.

    Attributes:
        reason: zlib's message; None: the data ends within a member.
    """

    def __init__(self, reason: str | None = None) -> None:
        super().__init__(f"the gzip member is {'cut off' if reason is None else f'damaged: {reason}'}")
        self.reason = reason


class Gunzip:
    """An iterator over the unpacked bytes, in constant memory and linear time.

    No piece waits for input that it does not need. An exception of the input is raised as it is; then
    iteration may go on.

    Attributes:
        used: bytes of input that were unpacked.
        given: bytes that were unpacked from them.
        has_rest: bytes that are no gzip, and not only zeros, follow the last member.

    Args:
        pieces: the input, in pieces of any size.
        limits: its `decoded` and `ratio` are used. More than the first MiB is given as long as what was given
            is within the ratio; this is looked at after each `UNPACKED` bytes.
        coding: "gzip" or "deflate": RFC 9110 section 8.4.1.
        received: returns the number of bytes that the ratio counts as compressed; None: those unpacked here.
        members: True: all; False: the first one alone.

    Raises, while it is iterated, after everything before was given:
        OverLimit, BrokenGzip.
    """

    def __init__(
        self,
        pieces: Iterable[bytes],
        limits: Limits,
        *,
        coding: str = "gzip",
        received: Callable[[], int] | None = None,
        members: bool = True,
    ) -> None:
        self._members = members
        self._source = filter(None, pieces)
        self._limits = limits
        self._coding = coding
        self._received = received
        self._input = b""
        self._at = 0
        """How many bytes of `_input` were used."""
        self._has_ended = False
        """There is no more input behind `_input`."""
        self._engine: zlib._Decompress | None = None
        """None before a member."""
        self._is_first = True
        self._step = UNPACKED
        self._is_full = False
        """zlib's last output was as long as was allowed: it may hold more without more input."""
        self._is_over_ratio = False
        """What was given is over the ratio: there must not be more."""
        self._failure: Exception | None = None
        """What ends the iteration, once everything before it was given."""
        self.used: int = 0
        self.given: int = 0
        self.has_rest: bool = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        """Return what can be unpacked of the input at hand, at most `UNPACKED` bytes."""
        parts: list[bytes] = []
        while self._failure is None:
            if self._needs_input():
                if parts:
                    break
                more = next(self._source, b"")
                self._has_ended = not more
                self._input, self._at = self._input[self._at :] + more, 0
            elif self._engine is None:
                self._start_member()
            elif part := self._unpack(self._engine):
                parts.append(part)
                if self.given % UNPACKED == 0:
                    break
        if not parts and self._failure is not None:
            try:
                raise self._failure
            finally:  # its traceback holds this iterator
                self._failure = StopIteration()
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _needs_input(self) -> bool:
        if self._engine is not None:
            return not (self._at < len(self._input) or self._is_full or self._has_ended)
        if not self._is_first and (padding := _PADDING.match(self._input, self._at)):
            self.used += padding.end() - self._at
            self._at = padding.end()
        return len(self._input) - self._at < len(GZIP_MAGIC) and not self._has_ended

    def _start_member(self) -> None:
        """Start the member that begins here; end the iteration where none does."""
        head = self._input[self._at : self._at + len(GZIP_MAGIC)]
        container = _GZIP
        if self._coding == "deflate" and len(head) > 1:
            # RFC 9110 section 8.4.1.2 means RFC 1950; some servers send bare deflate. RFC 1950 section 2.2:
            # the low half of the first byte is 8, and the number of both bytes is a multiple of 31.
            container = _ZLIB if head[0] & 0x0F == 8 and (head[0] << 8 | head[1]) % 31 == 0 else _RAW
        is_member = head == GZIP_MAGIC and self._coding == "gzip" if not self._is_first else len(head) > 1
        if is_member:
            self._engine, self._is_first = zlib.decompressobj(container), False
        elif head and (self._is_first or (self._coding == "gzip" and GZIP_MAGIC.startswith(head[:2]))):
            self._failure = BrokenGzip("unknown compression method" if len(head) > 2 else None)
        else:
            self._failure, self.has_rest = StopIteration(), bool(head)
            if head and not self.given:  # else the document would be empty, without a word
                self._failure = BrokenGzip("nothing is in it, and no gzip behind it")

    def _unpack(self, engine: zlib._Decompress) -> bytes:
        """Return the output of one call of zlib, which may be empty; end the iteration at damage or a
        limit."""
        most = UNPACKED - self.given % UNPACKED
        decoded, ratio = self._limits.decoded, self._limits.ratio
        room = most if decoded is None else decoded - self.given
        if self._is_over_ratio:
            room = 0
        most = min(most, room + 1)
        data = self._input[self._at : self._at + self._step]
        self._step = min(2 * self._step, UNPACKED)
        before = engine.copy()
        try:
            out = engine.decompress(data, most)
        except zlib.error as error:
            out = _until_damage(before, data)
            self._failure = BrokenGzip(str(error))
        else:
            used = len(data) - len(engine.unused_data if engine.eof else engine.unconsumed_tail)
            self._at += used
            self.used += used
            self._is_full = len(out) == most
            if engine.eof:
                self._engine, self._is_full, self._step = None, False, FIRST_INPUT
                self._failure = None if self._members else StopIteration()
            elif self._has_ended and not data and not out:
                self._failure = BrokenGzip()
        if len(out) > room:
            out = out[:room]
            if self._is_over_ratio:
                self._failure = OverLimit(f"gzip grows more than {ratio:g}:1", "ratio")
            else:
                self._failure = OverLimit(f"gzip holds more than {decoded:,} bytes", "decoded")
        self.given += len(out)
        if out and ratio is not None and self.given >= MIB and self.given % UNPACKED == 0:
            received = self.used if self._received is None else self._received()
            self._is_over_ratio = self.given > ratio * received
        return out


def gunzip(body: bytes, limits: Limits) -> tuple[bytes, BrokenGzip | None, bool]:
    """Unpack a body that is in memory.

    Returns:
        Its bytes, why they end early or None, and True where bytes that are no gzip follow.

    Raises:
        OverLimit: there are more bytes than `limits.decoded`, or the ratio to the whole body is over
            `limits.ratio`.
    """
    pieces: list[bytes] = []
    unpacker = Gunzip((body,), limits, received=lambda: len(body))
    try:
        pieces.extend(unpacker)
    except BrokenGzip as error:
        return b"".join(pieces), error, False
    except OverLimit as error:
        error.partial = b"".join(pieces)
        raise
    return b"".join(pieces), None, unpacker.has_rest


def is_deflate(head: bytes) -> bool:
    """Return True where zlib unpacks the beginning of a body. Bare deflate can begin with `<`, and has no
    control character where it is short; text is what zlib cannot unpack."""
    for container in (_ZLIB, _RAW):
        with suppress(zlib.error):
            if zlib.decompressobj(container).decompress(head, UNPACKED):
                return True
    return False


def words_of(value: str) -> list[str]:
    """Return the words of a Content-Encoding field in lower case, without "identity"."""
    # RFC 9110 section 8.4.1.3: x-gzip is gzip
    words = [word.strip().lower().removeprefix("x-") for word in value.split(",")]
    words = [word for word in words if word not in ("", "identity")]
    return [word for word in words if word != "aws-chunked"] or words  # frames of an upload, which S3 removes


def unknown_words(words: list[str]) -> str:
    """Return the words of a Content-Encoding field that may name a coding that is not known here: neither a
    charset nor "none"."""
    charsets = {word: lookup(word, lenient=True) for word in words if word not in CODINGS and word != "none"}
    return ", ".join(word for word, charset in charsets.items() if charset is None or charset.refused)


def beginning(read: Callable[[int], bytes]) -> tuple[bytes, Callable[[int], bytes]]:
    """Return the first 4,096 bytes or more (fewer of gzip, and where there are no more), and what reads the
    rest. An error is raised by the latter: what came before it is read first."""
    head, failure = b"", None
    try:
        while len(head) < PREFIX_LIMIT and not head.startswith(GZIP_MAGIC) and (piece := read(PREFIX_LIMIT)):
            head += piece
    except Exception as error:
        failure = error

    def rest(size: int) -> bytes:
        if failure is not None:
            raise failure
        return read(size)

    return head, rest


def refuse_coding(
    response: Any, body: bytes | bytearray, url: str, client: str = "its client", advice: str = NO_CODING
) -> None:
    """Raise FetchError for a Content-Encoding of which its client has left something, unless one is left and
    the body is gzip, or the body is not packed: servers name codings that they have not applied. Of the body
    the first 4,096 bytes will do; the URL is without userinfo."""
    fields: Any = getattr(response, "headers", {})
    is_known = type(response).__name__ == "ClientResponse"
    if client == "Scrapy":
        # Not all fields: `to_unicode_dict` fails at a byte that is not UTF-8.
        is_known, name = True, "Content-Encoding"
        fields = {name: b",".join(fields.getlist(name)).decode("latin-1")}
    pairs = fields.items() if is_known or _is_of_network(response) else ()
    value = ", ".join(word for name, word in pairs if name.lower() == "content-encoding").strip().lower()
    head = bytes(body[:PREFIX_LIMIT])
    words = words_of(value)
    left = sum(word in CODINGS for word in words) - _removed(response, value, head)
    is_left = left > 1 or (left == 1 and not head.startswith(GZIP_MAGIC))
    is_coded = (is_left and not begins_as_text(head)) or (unknown_words(words) and is_packed(head))
    if head and is_coded:
        what = f"{shown(url)}: {client} has not removed the Content-Encoding ({shown(value)})"
        raise FetchError(what, url=url, advice=advice)


def _removed(response: Any, value: str, head: bytes) -> int:
    """Return how many codings of a body its client has removed."""
    if not hasattr(response, "_decoder"):  # Scrapy has removed none that is named
        if type(response).__name__ != "ClientResponse" or value not in ("br", "deflate", "gzip", "zstd"):
            return 0
        # aiohttp does not show auto_decompress=False.
        return value == "gzip" or is_unpacked(head, short=True)
    if not getattr(response, "_has_decoded_content", True):  # urllib3 with decode_content=False
        return 0
    return sum(type(layer).__name__ not in ("NoneType", "IdentityDecoder") for layer in _layers(response))


def _layers(response: Any) -> Any:
    """Return the decoders of urllib3 and httpx, of which nothing is public: one for each coding."""
    decoder = getattr(response, "_decoder", None)
    return getattr(decoder, "children", None) or getattr(decoder, "_decoders", None) or (decoder,)


def _is_of_network(response: Any) -> bool:
    """Return True where urllib3 or httpx has received a body; urllib3 does not count the bytes of chunks."""
    count = getattr(response, "num_bytes_downloaded", 0) or getattr(response, "_fp_bytes_read", 0)
    return bool(count) or getattr(response, "chunk_left", None) is not None


def is_unfinished(response: Any) -> bool:
    """Return True where urllib3 or httpx, which has read it, took coded data without their end for whole; a
    damaged member of gzip but the first is none to urllib3, which ignores it."""
    if not (_is_of_network(response) and getattr(response, "_has_decoded_content", True)):
        return False
    for layer in _layers(response):
        engine = getattr(layer, "decompressor", None) or getattr(layer, "_obj", None)
        is_at_end = getattr(engine, "is_finished", lambda engine=engine: getattr(engine, "eof", True))
        state = getattr(layer, "_state", None)
        if not is_at_end() and (state not in (_OTHER_MEMBER, _SWALLOWS) or _is_begun(engine)):
            return True
        behind = getattr(engine, "unused_data", b"").lstrip(b"\0")[:2]  # zeros are padding
        if type(layer).__name__ == "GZipDecoder" and behind and GZIP_MAGIC.startswith(behind):
            return True  # httpx unpacks the first member only
    return False


def _is_begun(engine: Any) -> bool:
    """Return False where zlib waits for the second byte of a magic number, and got another first one, or has
    refused it; True in a member, also where zlib has refused the rest of it."""
    try:
        engine.copy().decompress(GZIP_MAGIC[1:])
    except zlib.error as error:
        return "incorrect header check" not in str(error)
    return True


def _until_damage(engine: zlib._Decompress, data: bytes) -> bytes:
    """Return what is unpacked from the data, in which zlib fails. The last byte that it takes is searched;
    what it makes of the next one is taken byte by byte."""
    good, bad = 0, len(data)
    while bad - good > 1:
        middle = (good + bad) // 2
        try:
            engine.copy().decompress(data[:middle])
        except zlib.error:
            bad = middle
        else:
            good = middle
    pieces, rest = [engine.decompress(data[:good])], data[good:bad]
    with suppress(zlib.error):
        while (out := engine.decompress(rest, 1)) or engine.unconsumed_tail:
            pieces.append(out)
            rest = engine.unconsumed_tail
    return b"".join(pieces)


class PieceStream(io.RawIOBase):
    """A binary stream of pieces of any size: each read returns one of them, or what of it was wanted.

    A FetchError of the pieces is raised again by every later read.
    """

    url: str = ""
    headers: Mapping[str, str] = {}
    """The fields of a response."""
    limits: Limits | None = None
    """The limits of a download; they bind gzip in it, too."""
    received: Callable[[], int] | None = None
    """Returns how many bytes of a download were received, where it had a content coding."""

    def __init__(
        self,
        read: Callable[[int], bytes | None] | None = None,
        close: Callable[[], object] = bool,
        *,
        taken: bytes | memoryview = b"",
        keeps: bool = False,
        closes: bool = False,
    ) -> None:
        """Make a stream that begins with the bytes of `taken`.

        Args:
            read: returns the next piece, given how many bytes are wanted; nothing at the end. A class of
                its own overrides `_piece` instead: a stream that refers to itself is closed late.
            keeps: keep the bytes for the `.partial` of a FetchError.
            closes: close at the end, as http.client's response does; caches wait for it.
        """
        super().__init__()
        self._source = read
        self._close = close
        self._left = memoryview(taken)
        self._keeps = keeps
        self._closes = closes
        self._kept = bytearray()
        self._failure: FetchError | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; return the number of bytes, 0 at the end."""
        if self.closed:
            raise ValueError(f"read from a closed {type(self).__name__}")
        target = memoryview(buffer).cast("B")
        if not self._left and target:
            self._left = memoryview(self._next(len(target)))
        found = self._left[: len(target)]
        self._left = self._left[len(found) :]
        target[: len(found)] = found
        if self._closes and not found and target:
            self.close()
        return len(found)

    def read1(self, size: int = -1, /) -> bytes | None:
        """Read as `read` does: that is what a raw stream gives at once."""
        return self.read(size)

    def _next(self, size: int) -> bytes:
        if self._failure is not None:
            raise self._failure
        try:
            piece = self._piece(size) or b""
        except FetchError as error:
            if self._keeps:
                error.partial, error.headers = bytes(self._kept), self.headers
            self._failure = error
            raise
        if self._keeps:
            self._kept += piece[: PARTIAL_LIMIT - len(self._kept)]
        return piece

    def _piece(self, size: int) -> bytes | None:
        return None if self._source is None else self._source(size)

    def close(self) -> None:
        """Close the stream and what it reads from. May be called twice."""
        if not self.closed:
            super().close()
            self._left = memoryview(b"")
            self._kept.clear()
            self._failure = None  # its traceback holds this stream
            self._close()


class GunzipStream(PieceStream):
    """The unpacked gzip members of a stream, in constant memory. Closing it does not close the stream.

    A damaged member ends the document: with an exception if `strict`, else without, and `broken` has the
    reason. What was unpacked before is returned first. Bytes after the last member that are not gzip are
    ignored, as by gzip(1), and named by `broken`.

    Raises:
        TooLarge: a limit of `FILE_LIMITS`, or of the download, is exceeded.
        TruncatedBody: with `strict`, a member that is cut off or damaged.
    """

    def __init__(self, taken: bytes, stream: Any, *, strict: bool) -> None:
        """Unpack bytes that were taken from a stream, and its rest.

        A download, or a `CallerStream` of one, brings its limits.
        """
        body, keeps = getattr(stream, "stream", stream), False
        if isinstance(body, PieceStream):
            keeps = body._keeps  # its own `.partial` is compressed
            self.limits: Limits | None = body.limits
            self.url: str = body.url
            self.headers: Mapping[str, str] = body.headers
            self._end_download = body._close
        # A `CallerStream` gives what has arrived.
        packed = self._packed = PieceStream(getattr(stream, "read1", stream.read), taken=taken)
        pieces = iter(lambda: packed.read(GZIP_READ) or b"", b"")
        received = getattr(body, "received", None) if self.limits is not None else None
        self._unpacker = Gunzip(pieces, self.limits or FILE_LIMITS, received=received)
        self._strict = strict
        self.broken: str | None = None
        """What is wrong with the gzip: why the document ends early, or what follows it; None: nothing."""
        self.has_rest: bool = False
        """Bytes that are no gzip follow it; it is whole."""
        super().__init__(keeps=keeps)

    def _piece(self, size: int) -> bytes:
        piece, url = b"", self.url or None
        source = f"{shown(url)}: " if url else ""
        try:
            piece = next(self._unpacker, b"")
        except BrokenGzip as error:
            self.broken = str(error)
            if self._strict:
                what = f"{source}{self.broken}, after {self._unpacker.given} bytes"
                advice = "read with lenient=True to take what there is"
                truncated = TruncatedBody(what, url=url, advice=advice)
                truncated.of_gzip = True
                raise truncated from None
        except OverLimit as error:
            if self.limits is not None:
                self._end_download()
                from feedcharset.fetch.deadline import exceeded

                raise exceeded(error.name, self.limits, self.url) from None
            raise TooLarge(
                f"{source}{error} ({self._unpacker.used} bytes in, {self._unpacker.given} out)",
                url=url,
                advice="if you trust it, unpack it yourself and pass gunzip=False",
                limit=error.name,
            ) from None
        while not piece and self.limits is not None and self._packed.read(GZIP_READ):
            pass  # what is no gzip behind it is ignored, but must arrive: a cut download is an error
        if self._unpacker.has_rest and not piece:
            self.broken, self.has_rest = "bytes that are no gzip follow it, and are ignored", True
        return piece
