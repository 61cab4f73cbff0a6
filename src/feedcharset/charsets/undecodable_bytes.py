"""Marks: how an engine writes down an octet that its charset does not know.

Octet n becomes the lone surrogate U+DC00 + n. For octets over 7F this is what Python's "surrogateescape"
does; UTF-16, UTF-32 and ISO-2022-JP can also leave octets below 80 undecodable.
"""

from __future__ import annotations

from codecs import charmap_decode

__all__ = ["MARKS", "mark"]

MARKS = "".join(chr(0xDC00 + octet) for octet in range(256))


def mark(octets: bytes) -> str:
    """The octets, each as its mark."""
    return charmap_decode(octets, "strict", MARKS)[0]
