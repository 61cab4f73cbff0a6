"""What `check` returns: findings, and what each kind of consumer reads."""

from typing import Literal, NamedTuple

from feedcharset.results import Resolution

__all__ = ["Finding", "FixKind", "Reading", "ReadingOutcome", "Report", "Severity"]

FixKind = Literal[
    "content-type",
    "content-encoding",
    "declaration",
    "convert",
    "unknown-encoding",
    "remove-bom",
    "remove",
    "replace",
]
ReadingOutcome = Literal["same", "differs", "stops", "refuses"]
Severity = Literal["error", "warning", "info"]


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
    """The line of text around the position, or "" where there is none."""
    count: int = 1  # type: ignore[assignment]  # hides tuple.count
    """Occurrences that this finding counts (more than 1 past the limit)."""
    caret: int = 0
    """Index of the position in `excerpt`."""
    end_offset: int | None = None
    """Bytes from the first byte of the source to the end of the place."""
    end_line: int | None = None
    """The line of the character after the place."""
    end_column: int | None = None
    """The column of the character after the place."""
    fix_kind: FixKind | None = None
    """What the fix changes. "content-type", "content-encoding": the header to send; "declaration": the XML
    declaration; "convert": the bytes, into UTF-8; "unknown-encoding": convert, or name the encoding (only the
    publisher knows it); "remove-bom", "remove": bytes; "replace": the place, by the text of the fix."""
    offsets: tuple[int, ...] = ()
    """The places that this finding counts: the first 100 offsets, ascending."""


class Reading(NamedTuple):
    """The text that one kind of consumer reads."""

    consumer: str
    """"rfc3023", "rfc7303", "no-http" (an XML parser without a Content-Type), "lenient"."""
    encoding: str | None
    """The encoding that it uses; None where it refuses."""
    rule: str
    """The rule that decided or refused."""
    outcome: ReadingOutcome
    """"same": the text of lenient reading; "differs": another text from the position on; "stops": the same
    text up to the position, where a byte does not decode; "refuses": no text at all."""
    why: str = ""
    """Why it refuses."""
    offset: int | None = None
    """Bytes from the first byte of the source to the position."""
    line: int | None = None
    """From 1, in the lenient text."""
    column: int | None = None
    """In characters of the lenient text, from 1."""


class Report(NamedTuple):
    """What `check` returns. True where no finding is an error (`ok`)."""

    findings: tuple[Finding, ...]
    resolution: Resolution | None
    """The lenient decision; None where the source could not be read as a document at all."""
    readings: tuple[Reading, ...] = ()
    """The text that each kind of consumer reads; () where there is no resolution."""

    @property
    def ok(self) -> bool:
        """True where no finding is an error."""
        return not any(finding.severity == "error" for finding in self.findings)

    @property
    def clean(self) -> bool:
        """True where no finding is an error or a warning."""
        return all(finding.severity == "info" for finding in self.findings)

    def __bool__(self) -> bool:
        return self.ok
