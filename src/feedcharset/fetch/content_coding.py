"""Content codings: gzip and deflate taken off incrementally, within the limits.

One layer (RFC 9110 section 8.4). gzip and deflate by zlib, which is told each time how much it may
produce, so that a bomb is met piece by piece; br and zstd by urllib3, where it has what they need.
"""

from __future__ import annotations

import itertools
import logging
import zlib
from typing import TYPE_CHECKING, Any

import urllib3
import urllib3.response

from feedcharset.errors import FetchError, TruncatedBody
from feedcharset.fetch.fetch_errors import Stop, shown
from feedcharset.fetch.limits import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from feedcharset.fetch.deadline import Watch

__all__ = ["PIECE", "PieceFile", "content_coding", "decoded"]

_log = logging.getLogger("feedcharset")

# Octets read, and produced, at a time: what a socket gives at once, and little enough for many threads.
PIECE = 64 << 10

_GZIP_MAGIC = b"\x1f\x8b"  # RFC 1952 section 2.3.1
_GZIP, _ZLIB, _RAW = 31, 15, -15  # zlib's names for the containers of RFC 1952, 1950 and none


def content_coding(value: str, url: str) -> str:
    """Read a Content-Encoding field: "" for none, else the one coding, in lower case.

    Raises Stop for more than one, and for one that cannot be removed here.
    """
    codings = [coding.strip().lower() for coding in value.split(",")]
    codings = [coding for coding in codings if coding not in ("", "identity")]
    if not codings:
        return ""
    if len(codings) > 1:
        raise _refused(url, f"compressed {len(codings)} times (Content-Encoding: {shown(value)})")
    coding = codings[0].removeprefix("x-")  # RFC 9110 section 8.4.1.3: x-gzip is gzip
    if coding in ("gzip", "deflate") or (coding in ("br", "zstd") and _urllib3_can(coding)):
        return coding
    raise _refused(url, f"a coding that cannot be removed here (Content-Encoding: {shown(value)})")


def decoded(pieces: Iterator[bytes], coding: str, watch: Watch) -> Iterator[bytes]:
    """Yield the document's octets; raises Stop where a limit, or the coding, is broken."""
    gauge = _Gauge()
    if coding in ("gzip", "deflate"):
        pieces = _inflated(pieces, coding, gauge, watch)
    elif coding:
        pieces = _by_urllib3(gauge.counted(pieces), coding, watch)
    return _bounded(pieces, coding, gauge, watch)


class _Gauge:
    """How many compressed octets went in."""

    def __init__(self) -> None:
        self.coded = 0

    def counted(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self.coded += len(piece)
            yield piece


def _bounded(pieces: Iterator[bytes], coding: str, gauge: _Gauge, watch: Watch) -> Iterator[bytes]:
    """Stop at `decoded` octets exactly, and at `ratio` once more than a MiB has come out."""
    count = 0
    most, ratio = watch.limits.decoded, watch.limits.ratio
    for piece in pieces:
        count += len(piece)
        if most is not None and count > most:
            yield piece[: most - count]
            raise watch.stop("decoded")
        if coding and ratio is not None and count > MIB and count > ratio * gauge.coded:
            raise watch.stop("ratio")
        yield piece


def _inflated(pieces: Iterator[bytes], coding: str, gauge: _Gauge, watch: Watch) -> Iterator[bytes]:
    engine: Any = None
    held = b""
    try:
        for piece in pieces:
            held += piece
            while held:
                if engine is None or engine.eof:
                    if len(held) < 2:
                        break  # two octets tell what begins
                    if (container := _container(coding, held, first=engine is None)) is None:
                        break
                    engine = zlib.decompressobj(container)
                out = engine.decompress(held, PIECE)
                rest = engine.unused_data if engine.eof else engine.unconsumed_tail
                gauge.coded += len(held) - len(rest)
                held = rest
                yield out
            if len(held) >= 2:
                _log.debug("%s: what follows the %s data is ignored", shown(watch.url), coding)
                return
        yield from _rest(engine)
    except zlib.error as error:
        raise _broken(coding, error, watch) from error
    if held or (engine is not None and not engine.eof):
        _demand_end(engine, coding, watch)


def _container(coding: str, held: bytes, *, first: bool) -> int | None:
    """What the next octets begin; None for nothing that belongs to the document."""
    if coding == "gzip":
        # RFC 1952 section 2.2: one member after the other.
        return _GZIP if first or held.startswith(_GZIP_MAGIC) else None
    if not first:
        return None
    # RFC 9110 section 8.4.1.2 means RFC 1950; some servers send bare deflate. RFC 1950 section 2.2: the
    # low half of the first octet is 8, and both octets are a multiple of 31.
    wrapped = held[0] & 0x0F == 8 and (held[0] << 8 | held[1]) % 31 == 0
    return _ZLIB if wrapped else _RAW


def _rest(engine: Any) -> Iterator[bytes]:
    """Yield what zlib holds back after its last input: a long match whose end did not fit."""
    while engine is not None and not engine.eof and (out := engine.decompress(b"", PIECE)):
        yield out


def _demand_end(engine: Any, coding: str, watch: Watch) -> None:
    if engine is not None and engine.eof:
        return  # a single octet after the end is garbage like more of it
    raise Stop(
        TruncatedBody(
            f"{shown(watch.url)}: the {coding} data ended before its end mark; try again, or take what "
            "arrived from .partial",
            url=watch.url,
        )
    )


def _broken(coding: str, error: zlib.error, watch: Watch) -> Stop:
    return _refused(watch.url, f"labelled Content-Encoding: {coding}, which it is not, or damaged ({error})")


def _by_urllib3(pieces: Iterator[bytes], coding: str, watch: Watch) -> Iterator[bytes]:
    """Remove br or zstd. Only zstd says where it ends; a br body that breaks off unannounced goes unseen."""
    first = next(pieces, None)
    if first is None:
        return
    file: Any = PieceFile(itertools.chain([first], pieces))
    source = urllib3.HTTPResponse(body=file, headers={"Content-Encoding": coding}, preload_content=False)
    try:
        while piece := source.read1(PIECE, decode_content=True):
            yield piece
    except urllib3.exceptions.DecodeError as error:
        if "incomplete" in str(error):
            _demand_end(None, coding, watch)
        raise


class PieceFile:
    """Pieces as the file that urllib3 reads a body from: each read gives one, of whatever size it is."""

    def __init__(self, pieces: Iterator[bytes], close: Callable[[], object] = bool) -> None:
        self._pieces = filter(None, pieces)
        self._close = close
        self.closed = False

    def read(self, size: int | None = None) -> bytes:
        """Give the next piece; all of them for None."""
        if size is None:
            return b"".join(self._pieces)
        piece = next(self._pieces, b"")
        if not piece:
            self.close()
        return piece

    read1 = read

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._close()


def _urllib3_can(coding: str) -> bool:
    """Tell whether urllib3 decodes it, and in pieces of a bounded size."""
    if coding not in urllib3.HTTPResponse.CONTENT_DECODERS:
        return False
    if coding == "zstd":
        return True
    # Brotli before 1.2 produces all that its input holds: a bomb in one call.
    engine = urllib3.response.brotli.Decompressor()  # type: ignore[attr-defined]
    call = getattr(engine, "decompress", None) or engine.process
    try:
        call(b"", output_buffer_limit=1)
    except TypeError:
        return False
    return True


def _refused(url: str, what: str) -> Stop:
    return Stop(
        FetchError(
            f'{shown(url)}: {what}; ask for none with headers={{"Accept-Encoding": "identity"}}', url=url
        )
    )
