"""How a decoder writes bytes that its charset does not define.

The first byte n of an undecodable sequence becomes the lone surrogate U+DC00 + n, each further byte n of
the same sequence U+DD00 + n. A sequence is what the Encoding Standard shows as one U+FFFD. For UTF-8 every
byte is written as the first one, as Python's "surrogateescape" does; there the sequences are the maximal
subparts of Unicode 15.0, section 3.9. text/byte_replacement replaces the surrogates according to `errors=`.
"""

from __future__ import annotations

from codecs import charmap_decode, utf_16_le_encode
from collections.abc import Iterable
from itertools import islice

from feedcharset.charsets.lazy_pattern import lazy_pattern

__all__ = [
    "SURROGATES",
    "UNDECODABLE_BYTE",
    "UNDECODABLE_SEQUENCE",
    "as_surrogates",
    "is_clean",
    "join_parts",
]

SURROGATES = "".join(chr(0xDC00 + byte) for byte in range(256))
"""The surrogate of each byte that begins an undecodable sequence."""

_FURTHER = "".join(chr(0xDD00 + byte) for byte in range(256))

UNDECODABLE_BYTE = lazy_pattern("[\udc00-\uddff]")
"""One undecodable byte in decoded text."""

UNDECODABLE_SEQUENCE = lazy_pattern("[\udc00-\udcff][\udd00-\uddff]*+")
"""One undecodable sequence in decoded text; not for UTF-8."""


def as_surrogates(sequence: bytes) -> str:
    """Return an undecodable sequence of at least one byte as text."""
    return SURROGATES[sequence[0]] + charmap_decode(sequence[1:], "strict", _FURTHER)[0]


def is_clean(text: str) -> bool:
    """Return True where a text has no lone surrogate. The UTF-16 encoder finds it at several GB/s."""
    try:
        utf_16_le_encode(text)
    except UnicodeEncodeError:
        return False
    return True


JOINED_AT_ONCE = 1000
"""Texts that are joined at once. A short str takes 50 to 80 bytes, so that a text of three bytes each would
take 30 times its size."""


def join_parts(parts: Iterable[str]) -> str:
    """Return `"".join(parts)`; no more than JOINED_AT_ONCE of them exist at the same time."""
    remaining = iter(parts)
    joined = []
    while some := list(islice(remaining, JOINED_AT_ONCE)):
        joined.append("".join(some))
    return "".join(joined)
