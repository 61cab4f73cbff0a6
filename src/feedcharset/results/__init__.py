"""The results: frozen, typed, picklable values, tuples with names.

Tuples, so that `text, resolution, repairs = decode(body)` works, and because making one costs a fraction of
what a frozen dataclass costs: `resolve` makes two for each feed. `explanation` holds the decision, `facts`
what was seen, `report` what `check` returns.
"""

from typing import Any, Literal, NamedTuple, Protocol

from feedcharset.results.explanation import Resolution, Step
from feedcharset.results.facts import Body, CommonCount, Damage, Detected, Facts, SequenceCount, Utf8Count

__all__ = [
    "Body",
    "CommonCount",
    "Damage",
    "Decoded",
    "Detected",
    "Detection",
    "Facts",
    "Recovery",
    "Repaired",
    "Repairs",
    "Resolution",
    "SequenceCount",
    "Step",
    "Utf8Count",
]


class Repairs(NamedTuple):
    """What was changed between the source and the text. True where something was."""

    count: int = 0  # type: ignore[assignment]  # hides tuple.count
    offsets: tuple[int, ...] = ()
    """Bytes from the first byte of the source: the first 100 positions, ascending."""
    kinds: tuple[tuple[str, int], ...] = ()
    """How many of each kind, as pairs sorted by name: "bytes", "xml-chars", "mojibake", "before-document",
    "bom", "gzip", "content-encoding" (its words that name no coding, or one that was not applied), "cesu-8"
    (surrogate pairs), "utf-8" (sequences behind the window of a western document)."""

    def __bool__(self) -> bool:
        return self.count > 0


class Decoded(NamedTuple):
    """What `decode` returns."""

    text: str
    resolution: Resolution
    repairs: Repairs


class Detection(NamedTuple):
    """What `detect` returns. True where an encoding was found."""

    encoding: str | None
    """"US-ASCII", "UTF-8", "ISO-8859-15", "windows-1252", or None."""
    offset: int | None
    """Offset of the byte that ruled out the last encoding, where encoding is None."""

    def __bool__(self) -> bool:
        return self.encoding is not None


class Repaired(NamedTuple):
    """What `repair` returns. True where something was changed."""

    data: bytes
    """UTF-8."""
    repairs: Repairs

    def __bool__(self) -> bool:
        return bool(self.repairs)


class Recovery(NamedTuple):
    """One thing that `parse` or `iterparse` corrected, or left out, so that a document could be parsed."""

    kind: str
    """"xml-chars": characters that XML 1.0 §2.2 forbids (`Repairs` has the places); "reference": to such
    a character (`&#8;`), as HTML writes it (`&#X41;`), or cut off by the end of the document (`&am`);
    "entity": one of HTML that is not declared (`&nbsp;`); "ampersand" and "less-than": one that starts no
    markup, with the name after it, or an entity within itself; "declaration": an XML declaration, an
    instruction or a part of a document type, outside of XML's grammar, or markup of a DTD in content
    (`<![endif]>`); "unclosed": a comment, a CDATA section, an instruction or an element without its end
    (the place of an element is that of what ends it); "end-tag": one that names no open element, or
    differs in case; "cdata-end": `]]>` in text; "comment": one that ends with `--->`, which has the place
    of its end; "tag": a start tag outside of XML's grammar (`<a href=x>`), its first 80 characters;
    "namespace": a well-known prefix that nothing binds (`media:`), and its namespace; "before-document":
    text before the document, which is not parsed, its first 80 characters; "markup": an error that the
    parser recovered from, in its words (none has a place that is in an entity within another one; of a
    document libxml2 lists 100); "gzip": a gzip file that is cut off or damaged."""
    found: str
    """What stands in the document, or the parser's message; "" where more was found than is listed."""
    became: str
    """What stands there in the tree."""
    line: int | None
    """Of the first occurrence, from 1, in the text."""
    column: int | None
    """In characters, from 1."""
    count: int = 1  # type: ignore[assignment]  # hides tuple.count
    """Occurrences."""


# What a caller passes: the least that it needs to have.
class Buffer(Protocol):
    """Bytes in memory: bytes, bytearray, memoryview, array, mmap."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


class Readable(Protocol):
    """A binary stream that is read: its `read` returns bytes, or None where no data is there yet."""

    def read(self, size: int, /) -> Any: ...


class InArchive(Protocol):
    """A file in an archive or a package: zipfile.Path, or one of importlib.resources.files()."""

    def open(self, mode: Literal["rb"], /) -> Any: ...

    def read_bytes(self) -> bytes: ...


class Writable(Protocol):
    """A binary stream that is written to."""

    def write(self, data: bytes, /) -> object: ...
