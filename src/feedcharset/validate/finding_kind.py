"""What a kind of finding has: a code, a severity, a sentence, its meaning, whom it affects, the remedy."""

from __future__ import annotations

from typing import NamedTuple

from feedcharset.results.report import Severity

__all__ = ["SEVERITIES", "FindingKind"]

SEVERITIES: dict[Severity, str] = {
    "error": "a consumer that follows the specifications gets no text, or the wrong text",
    "warning": "consumers may read different text, or the text is probably not what was meant",
    "info": "every consumer reads the document correctly, but it can be improved",
}


class FindingKind(NamedTuple):
    """One kind of finding."""

    code: str
    severity: Severity
    message: str
    """The sentence of the finding; `{names}` are filled in where it is made."""
    meaning: str
    affects: str
    """Which consumers."""
    remedy: str
    severity_reason: str
    """Why it has this severity."""
    spec: str
