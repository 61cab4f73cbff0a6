"""Bounds that prove, in a few passes in C, that a window is not UTF-8: legacy text, in 40 µs for 60 KB.

To count sequences and damaged runs exactly takes 25 µs where the window is UTF-8 but 700 µs or more where it
is not, since an error at every letter is handled one by one. Legacy text has few bytes 80-BF, or few
non-ASCII bytes, and a damaged run in every word. So the sequences are bounded from above, and the damaged
runs from below:

- a sequence has at least one byte 80-BF: `translate` counts these at 2.5 GB/s; - where few bytes are
non-ASCII, `decode("utf-8", "ignore")` runs at the same speed and leaves the sequences; - a run of non-ASCII
bytes without a byte 80-BF is damage. Runs are counted in a sample, as one big integer of a
  bit a byte: `n & ~(n << 8)` has a bit where each run begins.
"""

from __future__ import annotations

from codecs import utf_8_decode
from itertools import islice

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.results.facts import Utf8Count

__all__ = ["FEW_RUNS", "PART", "bound_utf8"]

FEW_RUNS = 16
"""Damaged runs among which cut characters are counted in any case; more only where sequences are as many:
legacy text is full of damaged runs, and none of them matters."""

SAMPLE = 4096
"""Bytes of the first sample: enough for words with 100 to 400 non-ASCII letters."""

FIRST_RUNS = 1024
"""Bytes in which more than FEW_RUNS damaged runs are looked for."""

PART = 64 * 1024
"""Bytes of which big integers are made at once: a window of 1 MiB would take 8 MiB."""

DENSE = 16
"""Bytes 80-BF at most one in so many, where runs in a third of the window may prove it."""

SPARSE = 8
"""One byte in so many is non-ASCII, or fewer: then errors are rare enough to be ignored by the codec."""

_PAIR = lazy_pattern(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")
_ESCAPED = lazy_pattern("[\udc80-\udcff]+")
_CLASSES = bytes(
    # A bit for a byte 80-BF (2) and for a lead of two (1), three (8) or four bytes (32). Shifted by 9, 6 or 4
    # bits, the 2 of the next byte comes to stand on the 1, 8 or 32 of this one.
    2
    if 0x80 <= byte < 0xC0
    else (0xC2 <= byte < 0xE0) + 8 * (0xE0 <= byte < 0xF0) + 32 * (0xF0 <= byte < 0xF5)
    for byte in range(0x100)
)
_HIGH = bytes(0x80) + b"\x01" * 0x80
_ASCII = bytes(range(0x80))
_ALL_BUT_CONTINUATION = bytes(byte for byte in range(0x100) if not 0x80 <= byte <= 0xBF)


def bound_utf8(data: bytes) -> Utf8Count | None:
    """Return bounds by which a window is not UTF-8; None where they prove nothing.

    Args:
        data: a window that is not well-formed UTF-8.

    Returns:
        A count whose `sequences` are at least as many as there are, and `damaged` at most as many. There are
        more than FEW_RUNS damaged runs, and either more than two for each sequence, or no fewer bytes in
        damage than in sequences.
    """
    sample = data[:SAMPLE]
    high = int.from_bytes(sample.translate(_HIGH), "little")
    if high.bit_count() * SPARSE <= len(sample):
        return _by_runs(sample, high, _sequences(data))
    most = len(data.translate(None, _ALL_BUT_CONTINUATION))
    found = _by_runs(sample, high, most)
    if found is None and len(data) > 3 * SAMPLE and most * DENSE < len(data):
        third = data[: len(data) // 3]
        found = _by_runs(third, int.from_bytes(third.translate(_HIGH), "little"), most)
    return found or _by_bytes(data)


def _sequences(data: bytes) -> int:
    """The sequences of a window; a surrogate pair (CESU-8) counts as one."""
    text = utf_8_decode(data, "ignore", False)[0]
    pairs = sum(1 for _ in _PAIR.finditer(data))
    return pairs if text.isascii() else pairs + len(text) - len(text.encode("ascii", "ignore"))


def _by_runs(sample: bytes, high: int, most: int) -> Utf8Count | None:
    """The bounds, where they prove that the window is not UTF-8.

    Args:
        sample: the window's first bytes.
        high: a bit for each non-ASCII byte of the sample.
        most: no more sequences are in the window.
    """
    runs = (high & ~(high << 8)).bit_count() - 1  # the last one may go on behind the sample
    continuation = len(sample.translate(None, _ALL_BUT_CONTINUATION))
    least = runs - min(continuation, most)
    if least <= max(FEW_RUNS, 2 * most):
        return None
    return Utf8Count(most, least, bounds=True)


def _by_bytes(data: bytes) -> Utf8Count | None:
    """The bounds, where bytes in damage prove that the window is not UTF-8."""
    first = data[:FIRST_RUNS].decode("utf-8", "surrogateescape")
    if sum(1 for _ in islice(_ESCAPED.finditer(first), FEW_RUNS + 2)) < FEW_RUNS + 2:
        return None  # the last run may be cut by the end of these bytes
    sequences = most = 0
    for start in range(0, len(data), PART):
        # A sequence may go on for three bytes behind the part; one that begins there is counted twice.
        bits = int.from_bytes(data[start : start + PART + 3].translate(_CLASSES), "little")
        longer = (bits & bits >> 6 & bits >> 14) | (bits & bits >> 4 & bits >> 12 & bits >> 20)
        found = (longer | (bits & bits >> 9)).bit_count()
        sequences, most = sequences + found, most + 2 * found + 2 * longer.bit_count()
    damaged = len(data.translate(None, _ASCII)) - most
    if most > damaged or _PAIR.search(data):
        return None
    return Utf8Count(sequences, FEW_RUNS + 1, 0, most, damaged, bounds=True)
