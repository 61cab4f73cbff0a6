"""`detect`: the question of evidence/detecting, asked of paths, streams and bytes."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any

from feedcharset.evidence.ascii_utf8_latin import BLOCK, Detector

if TYPE_CHECKING:
    from feedcharset.results.repairs import Detection

__all__ = ["detect", "detect_stream"]


def detect(source: str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes]) -> Detection:
    """What the octets can be, without any label.

    US-ASCII (also for nothing at all), UTF-8 (well-formed), ISO-8859-15 (no octet 7F-9F), windows-1252 (none
    of 7F 81 8D 8F 90 9D): the first that is possible. DEL and control characters other than 09-0D rule every
    answer out. One pass, constant memory; reading ends where no answer is left.

    Args:
        source: a path, bytes, or a binary stream, which is read from where it stands and not closed.

    Returns:
        The name, or None with the byte offset (from where reading began) of the octet that ruled the last
        name out; of a sequence that is not UTF-8, that is its first octet.

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
    detector = Detector()
    for start in range(0, len(view), BLOCK):
        detector.feed(bytes(view[start : start + BLOCK]))
        if not detector.open:
            break
    return detector.finish()


def detect_stream(stream: IO[bytes]) -> Detection:
    """The same for a binary stream, which is read from where it stands and not closed."""
    detector = Detector()
    fill: Any = getattr(stream, "readinto", None)
    buffer = bytearray(BLOCK)
    while detector.open:
        if fill is not None:
            length = fill(buffer)
            block: bytes | bytearray = buffer if length == BLOCK else bytes(buffer[: length or 0])
        else:
            block = stream.read(BLOCK)
        if isinstance(block, str):
            raise TypeError("detect() reads octets; pass the text stream's .buffer, or open it with 'rb'")
        if not block:
            break
        detector.feed(block)
    return detector.finish()
