"""The decoder of UTF-8, UTF-16, UTF-32 and the unusual byte orders of UCS-4 (XML 1.0 Appendix F.1).

Python's codecs decode; their error handler writes undecodable bytes as surrogates: lone surrogates of UTF-16
(Unicode ch. 3, D91), in UTF-32 surrogates and numbers above 10FFFF (D90). UTF-16 and UTF-32 have a byte order
here: the one of the BOM or of the first bytes. UCS-4 in the order 2143 or 3412 is put in order and decoded as
UTF-32BE.
"""

from __future__ import annotations

from codecs import (
    register_error,
    utf_8_decode,
    utf_16_be_decode,
    utf_16_le_decode,
    utf_32_be_decode,
    utf_32_le_decode,
)
from functools import cache, partial

from feedcharset.charsets.undecodable_bytes import CharsetDecoder, as_surrogates

UNICODE_CODECS = {
    "UTF-8": utf_8_decode,
    "UTF-16LE": utf_16_le_decode,
    "UTF-16BE": utf_16_be_decode,
    "UTF-32LE": utf_32_le_decode,
    "UTF-32BE": utf_32_be_decode,
    "UCS-4-2143": utf_32_be_decode,
    "UCS-4-3412": utf_32_be_decode,
}
"""The functions that decode, by the names of the charsets."""

_ORDERS = {"UCS-4-2143": (1, 0, 3, 2), "UCS-4-3412": (2, 3, 0, 1)}
"""Where each byte of a unit stands in the usual order. Bytes are exchanged, so the way back is the same."""


class UnicodeDecoder(CharsetDecoder):
    """The decoder of one document.

    Args:
        name: the name of the charset, one of UNICODE_CODECS.
    """

    def __init__(self, name: str) -> None:
        self._arguments = (name,)
        self._encoder = name if name.startswith("UTF-") else ""
        self._decode = UNICODE_CODECS[name]
        self._order = _ORDERS.get(name)
        self._errors = "surrogateescape" if name == "UTF-8" else _error_handler(self._order)

    def _decoded(self, data: bytes | memoryview) -> tuple[str, bytes]:
        units = data if self._order is None else _ordered(data[: len(data) & ~3], self._order)
        text, used = self._decode(units, self._errors)
        return text, bytes(data[used:])

    def _cut(self, data: bytes) -> str:
        return data.decode("utf-8", self._errors) if self._decode is utf_8_decode else as_surrogates(data)


def _ordered(units: bytes | memoryview, order: tuple[int, ...]) -> bytes:
    """Return units of four bytes with their bytes exchanged."""
    ordered = bytearray(len(units))
    for to, origin in enumerate(order):
        ordered[to::4] = units[origin::4]
    return bytes(ordered)


@cache
def _error_handler(order: tuple[int, ...] | None) -> str:
    """Register the error handler for units in an order, and return its name. There are three at most."""
    name = f"feedcharset.unicode{order or ''}"
    register_error(name, partial(_escaped, order))
    return name


def _escaped(order: tuple[int, ...] | None, error: UnicodeError) -> tuple[str, int]:
    """Return an undecodable unit as surrogates, and where the codec goes on."""
    assert isinstance(error, UnicodeDecodeError)
    unit = error.object[error.start : error.end]
    return as_surrogates(unit if order is None else _ordered(unit, order)), error.end
