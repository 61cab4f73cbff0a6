"""`repair_stream`: the repair of UTF-8 from one binary stream to another."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from feedcharset.reading.byte_streams import CallerStream
from feedcharset.text.utf8_repair import Utf8Repairer

if TYPE_CHECKING:
    from collections.abc import Callable

    from feedcharset.results import Repairs
    from feedcharset.text.options import Cesu8, Mojibake, RepairErrors

__all__ = ["CHUNK", "repair_stream"]

CHUNK = 64 * 1024
"""Bytes that `repair_stream` reads at once; the allocator maps fresh memory for each larger chunk."""


def repair_stream(
    src: IO[bytes],
    dst: IO[bytes],
    *,
    errors: RepairErrors = "windows-1252",
    cesu8: Cesu8 = "keep",
    mojibake: Mojibake = "keep",
    progress: Callable[[int], object] | None = None,
) -> Repairs:
    """Repair from one binary stream to another, in constant memory.

    Args:
        src: read to its end, not closed; a non-blocking stream is waited for.
        dst: written to, not closed, not flushed.
        errors: as for `repair`.
        cesu8: as for `repair`.
        mojibake: as for `repair`.
        progress: called after each chunk with the number of bytes read.

    Raises:
        ValueError: an option has a value that `repair` does not allow.
        TypeError: `src` is a text stream.
    """
    repairer = Utf8Repairer(errors=errors, cesu8=cesu8, mojibake=mojibake)
    stream = CallerStream(src)
    while data := stream.read(CHUNK):
        dst.write(repairer.feed(data))
        if progress is not None:
            progress(len(data))
    dst.write(repairer.feed(b"", final=True))
    return repairer.repairs
