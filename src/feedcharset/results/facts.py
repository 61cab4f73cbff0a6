"""What was seen of a document: the facts that a decision is made from."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = [
    "Body",
    "Damage",
    "Facts",
    "MediaClass",
    "PlainCount",
    "Utf8Count",
]

MediaClass = Literal["APP-XML", "TEXT-XML", "HTML", "OTHER", "NONE"]


class Utf8Count(NamedTuple):
    """The window read as UTF-8."""

    sequences: int | None
    """Well-formed sequences of two octets or more; None: nobody asked, since all of the window decodes."""
    damaged: int
    """Places (runs of octets) that are not UTF-8. A character cut by the end of the window is none."""


class Damage(NamedTuple):
    """The window read as one charset that a label names."""

    charset: str
    """The charset, by its IANA name."""
    characters: int
    """Characters beyond US-ASCII that it decodes to."""
    places: int
    """Places (runs of octets) that it cannot decode."""
    controls: int
    """C1 controls (U+0080 to U+009F) in what it decodes to."""


class PlainCount(NamedTuple):
    """The UTF-8 sequences of the window, as a reader sees them who believes a legacy label.

    Counting ends after 2,000 sequences: in a document with more, the numbers are lower bounds.
    """

    charset: str
    """The charset whose label they were held against."""
    sequences: int
    distinct: int
    living: int
    """Sequences whose character is of a script that documents are written in, or a sign."""
    one_script: int
    """Distinct sequences, unlike honest words, whose characters are of one script: the one that has most."""
    in_page: int
    """Sequences, unlike honest words, whose character is one of the label's own page; under a CJK label, one
    that is common in a national standard (that which has most)."""
    sure: int
    """General punctuation, the euro and trade mark signs, U+FFFD, emoji, and the letters of mathematics."""
    telling: int
    """In page, or of three octets and a living script; unlike honest words."""
    after_lower: int
    """Two-octet sequences, Latin letters and signs, straight after a lower-case ASCII letter."""
    after_letter: int
    """Latin letters straight after an ASCII letter."""
    within_word: int
    """Latin letters between two ASCII letters."""
    pasted: int
    """Sequences that show UTF-8 among other octets: in page and not honest-looking, from F0, or of two octets
    (leads C2-DE) straight after a lower-case ASCII letter."""
    in_a_row: int
    """The longest run of adjacent sequences."""


class Body(NamedTuple):
    """The fourth witness: what the octets themselves say. Numbers that nobody asked for are absent."""

    start: int = 0
    """Offset of the document's first octet, after the BOM and whatever else stands before it."""
    pattern: str | None = None
    """What the first octets look like when that is not ASCII: "UTF-16LE", "UTF-32BE", "UCS-4-2143",
    "EBCDIC", or "ISO-2022-JP" by its escapes; "ASCII" where a BOM says something else."""
    code_page: str | None = None
    """The EBCDIC code page under which most octets are printable ASCII."""
    kind: str | None = None
    """What the document is when it is visibly no XML: "gzip", "zstd", "zip", "PDF", "HTML", "empty"."""
    high: int | None = None
    """Offset of the first octet over 7F, or ESC."""
    complete: bool = False
    """The whole document was seen, or a window from `high` as long as it has to be."""
    utf8: Utf8Count | None = None
    damage: tuple[Damage, ...] = ()
    plain: tuple[PlainCount, ...] = ()
    misplaced: str | None = None
    """The encoding that a misplaced or misspelt XML declaration names, where nothing else fits."""
    detected: str | None = None
    """What the caller's detector answered."""


class Facts(NamedTuple):
    """What was seen, with no opinion."""

    bom: str | None = None
    """"UTF-8", "UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE"."""
    guess: str | None = None
    """XML 1.0 Appendix F.1: the BOM's five, or "EBCDIC"; None without an XML declaration."""
    declared: str | None = None
    """The encoding pseudo-attribute of the XML declaration, as written."""
    content_type: str | None = None
    """The header as given; None: the transport said nothing; "": an HTTP message without the header."""
    media_type: str | None = None
    """"application/atom+xml", in lower case; None where the header holds none."""
    media_class: MediaClass = "NONE"
    charset: str | None = None
    """The charset parameter of the Content-Type, as written; "" for a charset without a name."""
    body: Body = Body()
