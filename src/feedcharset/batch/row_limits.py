"""The limits of a batch; they and the options of `decode` are checked once, before the first row."""

from __future__ import annotations

from feedcharset.text.decode_in_memory import decode
from feedcharset.text.options import DecoderOptions

__all__ = ["MAX_BYTES", "RATIO", "check_limits", "check_options"]

MAX_BYTES = 64 << 20
"""Bytes of one body, packed or unpacked. The largest feeds of a crawl have a few MiB; Common Crawl cuts a
body at 5 MiB. The text of one body takes up to four times as much memory while it is decoded."""

RATIO = 100
"""Bytes out for each byte of gzip in, as in `Limits`: feeds reach 20:1, bombs 1000:1."""


def check_options(options: DecoderOptions) -> None:
    """Refuse options that make no sense before a job has started, not once for each row.

    Raises:
        TypeError, ValueError: what `decode` raises for them.
    """
    decode(b"", **options)


def check_limits(max_bytes: int, ratio: int) -> None:
    """Refuse limits that no body can keep.

    Raises:
        ValueError: a limit below 1.
    """
    if max_bytes < 1 or ratio < 1:
        raise ValueError(f"max_bytes={max_bytes!r}, ratio={ratio!r}: both must be at least 1")
