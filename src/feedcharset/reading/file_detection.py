"""`detect`: the encoding of a file, a stream or bytes, without any label."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any

from feedcharset.evidence.ascii_utf8_latin import BLOCK, FileDetector
from feedcharset.reading.caller_stream import CallerStream

if TYPE_CHECKING:
    from feedcharset.results import Detection

__all__ = ["detect", "detect_stream"]


def detect(source: str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes]) -> Detection:
    """Detect the encoding of a file, without any label.

    The first that is possible of US-ASCII (also for no bytes at all), UTF-8 (well-formed), ISO-8859-15 (no
    byte 7F-9F), windows-1252 (none of 7F 81 8D 8F 90 9D). DEL and control characters other than 09-0D exclude
    all of them. One pass, constant memory; reading ends where no answer is left.

    Args:
        source: a path, bytes, or a binary stream, which is read from its position and not closed.

    Returns:
        The name, or None with the offset, from the first byte read, of the byte that excluded the last name;
        in a sequence that is not UTF-8, of its first byte.

    Raises:
        OSError: the file cannot be read.
        TypeError: the source is something else, a text stream for example.
    """
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb", buffering=0) as stream:
            return detect_stream(stream)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _detect_bytes(memoryview(source).cast("B"))
    if hasattr(source, "read"):
        return detect_stream(source)
    raise TypeError(f"detect() reads a path, bytes or a binary stream, not {type(source).__name__}")


def _detect_bytes(view: memoryview) -> Detection:
    detector = FileDetector()
    for start in range(0, len(view), BLOCK):
        detector.feed(bytes(view[start : start + BLOCK]))
        if not detector.open:
            break
    return detector.finish()


def detect_stream(stream: IO[bytes]) -> Detection:
    """Detect the encoding of a binary stream, which is read from its position and not closed."""
    detector = FileDetector()
    fill: Any = getattr(stream, "readinto", None)
    buffer = bytearray(BLOCK)
    waiting = CallerStream(stream)
    while detector.open:
        if fill is not None:
            length = fill(buffer)
            block: bytes | bytearray = buffer if length == BLOCK else bytes(buffer[: length or 0])
            if length is None:  # a non-blocking stream without data
                block = waiting.read(BLOCK)
        else:
            block = waiting.read(BLOCK)
        if not block:
            break
        detector.feed(block)
    return detector.finish()
