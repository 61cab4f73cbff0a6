"""What feedcharset answers: frozen, typed, picklable values, tuples with names.

Tuples, so that `text, resolution, repairs = decode(body)` works, and because making one costs a
fraction of what a frozen dataclass costs: `resolve` makes two for each feed.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

__all__ = [
    "Body",
    "Damage",
    "Decoded",
    "Detection",
    "Facts",
    "Finding",
    "PlainCount",
    "Reading",
    "Recovery",
    "Repaired",
    "Repairs",
    "Report",
    "Resolution",
    "Step",
    "Utf8Count",
]

MediaClass = Literal["APP-XML", "TEXT-XML", "HTML", "OTHER", "NONE"]
Verdict = Literal["answer", "provisional", "refused", "nothing", "error"]
Severity = Literal["error", "warning", "info"]
Outcome = Literal["same", "differs", "stops", "refuses"]


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


class Step(NamedTuple):
    """One step that was tried."""

    id: str
    """The row: "2.0", "1.2", "L3"."""
    verdict: Verdict
    encoding: str | None
    why: str
    """One sentence, with the numbers that were used."""
    spec: str = ""


class Resolution(NamedTuple):
    """Which encoding, by which rule, from which facts."""

    encoding: str
    """The IANA name of the charset that won; a label that nobody knows as it was written."""
    codec: str | None
    """The Python codec that reads it; None where the decoder is our own, or where there is none."""
    rule: str
    """"2.0/1.2", "L1/2.5", "L2", "forced"."""
    steps: tuple[Step, ...]
    facts: Facts
    policy: str = "rfc3023"
    lenient: bool = True

    def explain(self) -> str:
        """Tell people what was seen, what was tried and what was decided; several lines, no markup."""
        from feedcharset.explaining import explain

        return explain(self)

    def as_dict(self) -> dict[str, Any]:
        """The same as plain dicts, lists, strings and numbers, ready for JSON."""
        from feedcharset.explaining import as_plain

        plain: dict[str, Any] = as_plain(self)
        return plain


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


class Finding(NamedTuple):
    """One thing that a publisher should know."""

    code: str
    severity: Severity
    message: str
    offset: int | None = None
    """Bytes from the first byte of the source."""
    line: int | None = None
    """From 1, in the text."""
    column: int | None = None
    """In characters, from 1."""
    fix: str | None = None
    """The exact header or declaration to send."""
    spec: str = ""
    excerpt: str = ""
    """The line of text around the place, or "" where there is none."""
    count: int = 1  # type: ignore[assignment]  # hides tuple.count
    """Occurrences that this finding stands for (more than 1 past the limit)."""
    caret: int = 0
    """Index in `excerpt` of the place."""


class Reading(NamedTuple):
    """What one kind of consumer reads."""

    consumer: str
    """"rfc3023", "rfc7303", "no-http" (an XML parser that knows no Content-Type), "lenient"."""
    encoding: str | None
    """The encoding that it takes; None where it refuses."""
    rule: str
    """The rule that decided, or refused."""
    outcome: Outcome
    """"same": the text that lenient reading gives; "differs": another text, from the place on; "stops": the
    same text up to the place, where an octet does not decode; "refuses": no text at all."""
    why: str = ""
    """Why it refuses."""
    offset: int | None = None
    """Bytes from the first byte of the source to the place."""
    line: int | None = None
    """From 1, in the lenient text."""
    column: int | None = None
    """In characters of the lenient text, from 1."""


class Report(NamedTuple):
    """What `check` answers."""

    findings: tuple[Finding, ...]
    resolution: Resolution | None
    """The lenient decision; None where the source could not be read as a document at all."""
    readings: tuple[Reading, ...] = ()
    """What each kind of consumer reads; () where there is no resolution."""

    @property
    def ok(self) -> bool:
        """True where no finding is an error."""
        return not any(finding.severity == "error" for finding in self.findings)
