"""`detect`: the encoding of a file, a stream or bytes, without any label.

Bytes are searched with `in`, which is memchr: 28 searches of a block that lies in the processor's cache take
0.2 ns a byte, a table look-up of each byte (`bytes.translate`) 0.3.
"""

from __future__ import annotations

import os
from codecs import getincrementaldecoder
from typing import Any

from feedcharset.charsets.single_byte import NO_CHARACTER
from feedcharset.fetch.gunzip import PieceStream
from feedcharset.reading.byte_streams import CallerStream
from feedcharset.results import Buffer, Detection, Readable

BLOCK = 256 * 1024
"""Bytes that are best read at once: they fit a processor's second-level cache, and few are copied."""

PIECE = 16 * 1024
"""Bytes that are decoded at once. Each result is freed before the next is made, and yet larger pieces leave
holes in the C library's heap: 10 MiB of them with 32 KiB, 5 with 16, for three hundredths of the time."""

_CONTROLS = bytes([*range(0x09), *range(0x0E, 0x20), 0x7F])
_C1 = bytes(range(0x80, 0xA0))


def detect(source: str | os.PathLike[str] | Buffer | Readable) -> Detection:
    """Detect the encoding of a file, without any label.

    The first that is possible of US-ASCII (also for no bytes at all), UTF-8 (well-formed: Unicode 15.0, table
    3-7), ISO-8859-15 (no byte 7F-9F), windows-1252 (none of 7F 81 8D 8F 90 9D). DEL and control characters
    other than 09-0D exclude all of them. One pass, constant memory; reading ends where no answer is left.

    Args:
        source: a path, bytes, or a binary stream, which is read from its position and not closed.

    Returns:
        The name, or None with the offset, from the first byte read, of the byte that excluded the last name;
        in a sequence that is not UTF-8, of its first byte.

    Raises:
        OSError: the file cannot be read.
        TypeError: the source is something else, a text stream for example.
        ValueError: the stream is closed, or the path has a NUL.
    """
    if isinstance(source, (str, os.PathLike)):
        from feedcharset.reading.sources import open_path

        with open_path(source) as file:
            return detect_stream(file)
    stream: Any = source
    if not hasattr(source, "read"):
        try:
            view = memoryview(source)
        except TypeError:
            raise TypeError(
                f"detect() reads a path, bytes or a stream, not {type(source).__name__}"
            ) from None
        stream = PieceStream(taken=view.cast("B") if view.c_contiguous else view.tobytes())
    return detect_stream(stream)


def detect_stream(stream: Readable) -> Detection:
    """Detect the encoding of a binary stream, which is read from its position and not closed."""
    waiting, utf8 = CallerStream(stream), getincrementaldecoder("utf-8")()
    seen = held = 0
    """Bytes that were scanned; how many of the last ones are the beginning of a sequence."""
    is_ascii = is_latin9 = True
    not_utf8: int | None = None
    not_1252: int | None = None
    """Offsets of the bytes that ruled them out; what rules ISO-8859-15 out need not be remembered, since
    windows-1252 is never ruled out before it."""
    while (not_utf8 is None or not_1252 is None) and (block := waiting.read(BLOCK)):
        control = _first(block, _CONTROLS)
        block = block if control < 0 else block[:control]
        if held or not block.isascii():
            is_ascii = False
            is_latin9 = is_latin9 and not any(byte in block for byte in _C1)
            if not_1252 is None and (undefined := _first(block, NO_CHARACTER)) >= 0:
                not_1252 = seen + undefined
            for start in range(0, len(block), PIECE) if not_utf8 is None else ():
                try:
                    utf8.decode(block[start : start + PIECE])
                except UnicodeDecodeError as error:
                    not_utf8 = seen + start - held + error.start
                    break
                held = len(utf8.getstate()[0])
        seen += len(block)
        if control >= 0:  # what is still possible is not, from here on
            not_utf8 = seen - held if not_utf8 is None else not_utf8
            not_1252 = seen if not_1252 is None else not_1252
            is_ascii = is_latin9 = False
    if held and not_utf8 is None:
        not_utf8 = seen - held
    if is_ascii:
        return Detection("US-ASCII", None)
    if not_utf8 is None:
        return Detection("UTF-8", None)
    if is_latin9:
        return Detection("ISO-8859-15", None)
    if not_1252 is None:
        return Detection("windows-1252", None)
    return Detection(None, max(not_utf8, not_1252))


def _first(block: bytes, data: bytes) -> int:
    """Offset of the first byte that is one of `data`, or -1."""
    return min((block.find(byte) for byte in data if byte in block), default=-1)
