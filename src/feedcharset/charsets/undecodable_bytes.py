"""How a decoder writes a byte that its charset does not define.

Byte n becomes the lone surrogate U+DC00 + n. For bytes 80-FF this is what Python's "surrogateescape" does;
UTF-16, UTF-32 and ISO-2022-JP can also leave bytes below 80 undecodable. text/byte_replacement replaces the
surrogates according to `errors=`.
"""

from __future__ import annotations

from codecs import charmap_decode

__all__ = ["SURROGATES", "as_surrogates"]

SURROGATES = "".join(chr(0xDC00 + byte) for byte in range(256))
"""The surrogate of each byte."""


def as_surrogates(data: bytes) -> str:
    """Return the bytes as text, each byte as its surrogate."""
    return charmap_decode(data, "strict", SURROGATES)[0]
