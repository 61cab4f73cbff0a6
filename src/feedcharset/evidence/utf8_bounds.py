"""Bounds that prove that a window is not UTF-8, without counting all sequences and damaged runs.

Nearly every legacy document is decided by them. One of three proofs is enough:

- *no sequence*, and a damaged run that is no character cut by bytes, because it has more than three, or
  stands before an ASCII letter or digit;
- *more runs than twice the sequences*: runs are counted in a sample, since text is full of them;
- *more bytes in damage than in sequences*: of text in which most bytes are non-ASCII, as East Asian.

The sequences are bounded by the means that is fastest for the text. Where few bytes are non-ASCII,
`decode("utf-8", "ignore")` leaves them (25 µs for 60 KB, but 200 where half of the bytes are errors). Most
single-byte text has few bytes 80-BF, of which each sequence has one or more: `translate` counts them (25 µs,
or 80 where they are many). Otherwise the bytes are one big integer, whose bits 7, 6 and 5 classify each byte,
and shifts find a lead byte before the bytes 80-BF that it needs (100 µs, whatever the bytes are).

The exact numbers take 200 to 700 µs, because each run is then handled by itself.
"""

from codecs import utf_8_decode
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

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

SPARSE = 12
"""One byte in so many is non-ASCII, or fewer: then errors are rare enough to be ignored by the codec."""

RARE = 4
"""One non-ASCII byte in so many is 80-BF, or fewer: then they are worth counting."""

LONGEST = 4
"""Bytes of the longest sequence."""

_PAIR = lazy_pattern(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")
_ESCAPED = lazy_pattern("[\udc80-\udcff]+")
_NOT_CUT = lazy_pattern(rb"[\x80-\xff](?:[0-9A-Za-z]|[\x80-\xff]{3})")
_ASCII = bytes(range(0x80))
_ALL_BUT_CONTINUATION = bytes(byte for byte in range(0x100) if not 0x80 <= byte <= 0xBF)
_LEADS = bytes(0 if byte in (0xC0, 0xC1) or byte > 0xF4 else byte for byte in range(0x100))


def bound_utf8(data: bytes, start: int = 0) -> Utf8Count | None:
    """Return bounds by which a window is not UTF-8; None where they prove nothing.

    Args:
        data: ASCII bytes, then a window that is not well-formed UTF-8.
        start: where the window begins.

    Returns:
        A count whose `sequences` are at least as many as there are, and `damaged` at most as many. A
        surrogate pair (CESU-8) is one sequence.
    """
    sample = data[start : start + SAMPLE]
    found = _count(sample)
    if 2 * found.sequence_bytes >= found.non_ascii:
        narrow = _count_narrowly(sample)
        if 2 * narrow.sequence_bytes >= narrow.non_ascii:
            return None  # it looks like UTF-8; the exact numbers are needed
    if len(data) - start > SAMPLE:
        if found.non_ascii * SPARSE <= SAMPLE:
            sequences = _sequences(data, start)
            return _by_runs(data, start, sequences) if sequences else _without(data)
        rare = _continuation(sample) * RARE <= found.non_ascii
        if rare and (few := _by_runs(data, start, _continuation(data))):
            return few
        found = _count_all(data, start, _count)
    if not found.sequences:
        return _without(data)
    return (
        _by_runs(data, start, found.sequences)
        or _by_bytes(data, start, found)
        or _by_bytes(data, start, _count_all(data, start, _count_narrowly))
    )


class _Count(NamedTuple):
    """Of a part of the window."""

    non_ascii: int
    """Non-ASCII bytes, or fewer."""
    sequences: int
    """Sequences, or more."""
    sequence_bytes: int
    """Bytes of sequences, or more."""


@lru_cache(maxsize=1)
def _bit_7() -> int:
    """Return the highest bit of each byte of a part."""
    return int.from_bytes(b"\x80" * (PART + LONGEST), "little")


def _parts(data: bytes, start: int) -> Iterator[bytes]:
    """Yield parts that hold each sequence: it may go on for three bytes behind one, and is then in two."""
    return (data[at : at + PART + LONGEST - 1] for at in range(start, len(data), PART))


def _count_all(data: bytes, start: int, count: Callable[[bytes], _Count]) -> _Count:
    """Count part by part; bytes between two parts may count twice as sequences, and never as non-ASCII."""
    counts = [count(part) for part in _parts(data, start)]
    non_ascii, sequences, sequence_bytes = map(sum, zip(*counts, strict=True))
    return _Count(non_ascii - (LONGEST - 1) * len(counts), sequences, sequence_bytes)


def _count(part: bytes) -> _Count:
    """Count a lead C0-DF before a byte 80-BF as a sequence of two bytes, a lead E0-FF before two of them as
    two such sequences."""
    number = int.from_bytes(part, "little")
    high = number & _bit_7()
    lead = high & number << 1
    continuation = (high ^ lead) >> 8
    two = lead & continuation
    longer = two & number << 2
    three = longer & continuation >> 8
    sequences = ((two ^ longer) | three | three >> 1).bit_count()
    return _Count(high.bit_count(), sequences, 2 * sequences)


def _count_narrowly(part: bytes) -> _Count:
    """Count alike without the leads that no sequence has, which are letters in Thai, and with sequences of
    three bytes as such. This takes twice the time."""
    number = int.from_bytes(part.translate(_LEADS), "little")
    high = number & _bit_7()
    lead = high & number << 1
    continuation = (high ^ lead) >> 8
    two = lead & continuation
    longer = two & number << 2
    three = longer & continuation >> 8
    four = three & number << 3
    sequences = ((two ^ longer) | three).bit_count()
    sequence_bytes = 2 * sequences + three.bit_count() + four.bit_count()
    return _Count(len(part.translate(None, _ASCII)), sequences, sequence_bytes)


def _continuation(data: bytes) -> int:
    """Return the number of bytes 80-BF."""
    return len(data.translate(None, _ALL_BUT_CONTINUATION))


def _sequences(data: bytes, start: int) -> int:
    """Return the number of sequences, or more; exactly 0 where there is none."""
    found = sum(1 for _ in _PAIR.finditer(data, start)) if 0xED in data else 0
    for part in _parts(data, start):
        text = utf_8_decode(part, "ignore", False)[0]
        if not text.isascii():
            found += len(text) - len(text.encode("ascii", "ignore"))
    return found


def _without(data: bytes) -> Utf8Count | None:
    """Return the bounds where there is no sequence."""
    return Utf8Count(0, 1, bounds=True) if _NOT_CUT.search(data) else None


def _by_runs(data: bytes, start: int, most: int) -> Utf8Count | None:
    """Return the bounds where there are more damaged runs than twice the sequences.

    Args:
        data: the bytes.
        start: where the window begins.
        most: no more sequences are in the window.
    """
    enough = max(FEW_RUNS, 2 * most)
    least, at, size = 0, start, SAMPLE
    while least <= enough:
        if least * (len(data) - start) < enough * (at - start):
            return None  # the rest is hardly otherwise
        least += _damaged_runs(data[at : at + size])
        at += size
        size = min(PART, (enough - least) * (at - start) // max(1, least) + FIRST_RUNS)
    return Utf8Count(most, least, bounds=True)


def _damaged_runs(part: bytes) -> int:
    """Return a lower bound of the damaged runs: a run of sequences alone has a byte 80-BF for each."""
    high = int.from_bytes(part, "little") & _bit_7()
    runs = (high & ~(high << 8)).bit_count() - 1  # the last one may go on behind the part
    return max(0, runs - _continuation(part))


def _by_bytes(data: bytes, start: int, found: _Count) -> Utf8Count | None:
    """Return the bounds where more bytes are damaged than in sequences."""
    first = data[start : start + FIRST_RUNS].decode("utf-8", "surrogateescape")
    if sum(1 for _ in islice(_ESCAPED.finditer(first), FEW_RUNS + 2)) < FEW_RUNS + 2:
        return None  # the last run may be cut by the end of these bytes
    most = found.sequence_bytes
    damaged = found.non_ascii - most - (LONGEST - 1)  # the last bytes may begin a sequence: no damage
    if most >= damaged:
        return None
    return Utf8Count(found.sequences, FEW_RUNS + 1, 0, most, damaged, bounds=True)
