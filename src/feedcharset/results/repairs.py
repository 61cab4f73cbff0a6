"""What was changed between the source and the text, and the results that carry it."""

from __future__ import annotations

from typing import NamedTuple

from feedcharset.results.resolution import Resolution

__all__ = [
    "Decoded",
    "Detection",
    "Recovery",
    "Repaired",
    "Repairs",
]


class Repairs(NamedTuple):
    """What was changed between the source and the text."""

    count: int = 0  # type: ignore[assignment]  # hides tuple.count
    offsets: tuple[int, ...] = ()
    """Where, in bytes from the first byte of the source: the first 100 places, ascending."""
    kinds: tuple[tuple[str, int], ...] = ()
    """How many of each kind, as pairs sorted by name: "octets", "xml-chars", "mojibake", "before-document",
    "bom", "gzip", and of `repair` "cesu-8"."""


class Decoded(NamedTuple):
    """What `decode` answers."""

    text: str
    resolution: Resolution
    repairs: Repairs


class Detection(NamedTuple):
    """What `detect` answers."""

    encoding: str | None
    """"US-ASCII", "UTF-8", "ISO-8859-15", "windows-1252", or None."""
    offset: int | None
    """Byte offset of the octet that ruled the last encoding out, where encoding is None."""


class Repaired(NamedTuple):
    """What `repair` answers."""

    data: bytes
    """UTF-8."""
    repairs: Repairs


class Recovery(NamedTuple):
    """One thing that `parse` or `iterparse` mended, or passed over, so that a document could be parsed."""

    kind: str
    """"xml-chars": characters that XML 1.0 §2.2 forbids (`Repairs` has the places); "reference": to such a
    character (`&#8;`); "entity": one of HTML that is not declared (`&nbsp;`); "ampersand" and "less-than":
    one that begins nothing; "markup": what the parser recovered from, in its own words."""
    found: str
    """What stands in the document, or the parser's message; "" where more was found than is listed."""
    became: str
    """What a reader of the document finds there."""
    line: int | None
    """The first place, from 1, in the text."""
    column: int | None
    """In characters, from 1."""
    count: int = 1  # type: ignore[assignment]  # hides tuple.count
    """How often it was found."""
