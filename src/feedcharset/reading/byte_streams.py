"""Binary streams of a caller: those that do not block are awaited; `is_at_hand` knows which never wait."""

from __future__ import annotations

import io
import os
import select
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

if TYPE_CHECKING:  # as the stubs of `io` have it: what takes any file takes them

    class TextStream(io.TextIOBase, TextIO):
        """A text stream."""

    class BinaryStream(io.BufferedIOBase, BinaryIO):
        """A binary stream."""
else:
    TextStream, BinaryStream = io.TextIOBase, io.BufferedIOBase

FIRST_WAIT, LONGEST_WAIT = 0.001, 0.1
"""Seconds between two reads of a non-blocking stream without data: first the one, then twice as long each
time, up to the other. Ten reads a second cost nothing."""

PAUSE = 0.5
"""Seconds without a byte after which what came is read: a short feed's pieces come faster."""

FILES = (io.BytesIO, io.FileIO, io.BufferedReader, io.BufferedRandom)
"""What can be read a second time, where it is at hand."""


def is_at_hand(stream: object) -> bool:
    """Return True where no read waits: bytes in memory, or a regular file."""
    if isinstance(stream, CallerStream):
        stream = stream.stream
    with suppress(AttributeError):  # of `seekable` in an archive that tarfile reads as a stream
        if isinstance(stream, (io.BytesIO, io.BufferedReader, io.BufferedRandom)):
            return stream.seekable()
    return isinstance(stream, io.FileIO) and stat.S_ISREG(os.fstat(stream.fileno()).st_mode)


def waits(stream: Any) -> bool:
    """Return True where the source gives nothing for a while; False also where that cannot be known."""
    stream = stream.stream if isinstance(stream, CallerStream) else stream
    if hasattr(stream, "waits"):
        return bool(stream.waits(PAUSE))
    try:
        is_ready: object = select.select([stream], [], [], 0)[0]
    except Exception:  # whatever `fileno` raises; a number that select does not take
        return False
    # An exception is here one of a signal's handler, or for the thread: the caller's.
    return not (is_ready or select.select([stream], [], [], PAUSE)[0])


def _is_pipe(stream: Any) -> bool:
    """Return True for what can be asked whether a read waits, and may: no file, packed or not."""
    try:
        select.select([stream], [], [], 0)
        return not stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except Exception:  # as above
        return False


def read_whole(read: Callable[[int], bytes], size: int) -> bytes:
    """Return the next `size` bytes, fewer only at the end."""
    pieces: list[bytes] = []
    while size > 0 and (piece := read(size)):
        pieces.append(piece)
        size -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def awaited(call: Callable[[], Any]) -> Any:
    """Call a method of a stream until it has done something. Of a stream that does not block it returns None,
    or raises BlockingIOError, until then."""
    wait = FIRST_WAIT
    while True:
        try:
            if (result := call()) is not None:
                return result
        except BlockingIOError as error:
            if count := getattr(error, "characters_written", 0):
                return count
        time.sleep(wait)
        wait = min(2 * wait, LONGEST_WAIT)


def write_whole(stream: Any, data: bytes) -> None:
    """Write all of the data. A raw stream may take a part, or none where it does not block: it is awaited."""
    left = memoryview(data)

    def write() -> int | None:
        count = stream.write(data if len(left) == len(data) else left)
        if isinstance(stream, io.RawIOBase):
            return count or None
        # Others return None, or nothing of use, for all of it.
        return count if type(count) is int and 0 < count < len(left) else len(left)

    while left:
        left = left[awaited(write) :]


def gone(kind: str, instead: str) -> TypeError:
    """Return the error for a response whose body cannot be read from its beginning any more."""
    return TypeError(
        f"this {kind} was read before, at least in part, or closed; request it again, and pass it unread, or "
        f"{instead}"
    )


class CallerStream:
    """Reads from anything that has `read(size)`.

    A read that returns None (io.RawIOBase: no data yet) or raises BlockingIOError is repeated when there is
    data; it is never the end. Other bytes-like results become bytes.

    Raises, while it is read:
        TypeError: the stream returns text, or what is not bytes-like.
    """

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        bases = (getattr(stream, "__dict__", {}), *map(vars, type(stream).__mro__))
        # A class that overrides `read` alone has bytes of its own.
        nearest = next((base for base in bases if "read" in base or "read1" in base), {})
        self.gives_parts: bool = "read1" in nearest and _is_pipe(stream)
        """It returns what has arrived, on request, and can be asked whether there is more."""

    def read1(self, size: int, /) -> bytes:
        """Return what has arrived, at most `size` bytes, where the stream knows; else as `read`."""
        return (self.gives_parts and self.read(size, self.stream.read1)) or self.read(size)

    def read(self, size: int = -1, /, read: Callable[[int], Any] | None = None) -> bytes:
        """Return at most `size` bytes, b"" at the end; wait for them if need be."""
        try:
            data = awaited(lambda: (read or self.stream.read)(size))
        except StopIteration as error:  # where lines are iterated over, it would be their end (PEP 479)
            raise RuntimeError("the stream's read raised StopIteration") from error
        if type(data) is bytes:
            return data
        if isinstance(data, str):
            raise TypeError(
                "the stream gives str; pass a binary stream (open it with 'rb'), or the text stream's .buffer"
            )
        try:
            return bytes(memoryview(data))
        except TypeError:
            raise TypeError(
                f"read() of the stream returned {type(data).__name__}, not bytes; "
                "read an asynchronous stream first, and pass its bytes"
            ) from None

    def close(self) -> None:
        """Close the stream, if it can be closed."""
        close = getattr(self.stream, "close", None)
        if callable(close):
            close()
