"""The detector of step L6: the letters of the text, or a callable of the caller's.

It is called only where no label and no pattern of the bytes decides; the tables of `letters` are imported
only then.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.results.facts import Detected

__all__ = ["TEXT_BEFORE", "Detector", "Letters", "check_detector", "detect_label"]

TEXT_BEFORE = 256
"""Bytes before the window in which the title may begin that holds the first non-ASCII byte."""


class Letters(NamedTuple):
    """The detector "letters", with what its caller knows of the document."""

    domain: str = ""
    """The top-level domain of the document's URL, in lower case; "" where it is not known."""

    @classmethod
    def of_url(cls, url: str) -> Letters:
        """Return the detector for a document from a URL."""
        host = _HOST.match(url)
        return cls(host[1].lower() if host else "")


_HOST = lazy_pattern(
    r"https?://(?:[^/?#@]*+@)?+[^/?#@:]*\.([A-Za-z][A-Za-z0-9-]*+)\.?+(?=[:/?#]|\Z)", re.IGNORECASE
)

Detector = Callable[[bytes], str | None] | Literal["letters"] | Letters
"""From bytes to a label, or None; the bytes begin at the first non-ASCII byte. Or the letters."""


def check_detector(detector: Detector | None) -> None:
    """Refuse what is no detector.

    Raises:
        ValueError: for a string other than "letters".
    """
    if isinstance(detector, str) and detector != "letters":
        raise ValueError(
            f"detector is {detector!r}; pass 'letters', None, or a callable from bytes to a label or None"
        )


def detect_label(detector: Detector, data: bytes, before: bytes, opening: bytes) -> Detected | None:
    """Return the detector's label for a window, with the numbers by which it is judged; None without one.

    Args:
        detector: the detector.
        data: the window.
        before: bytes before it; the last TEXT_BEFORE of them count.
        opening: the document's first bytes, as far as they stand before the window.
    """
    if isinstance(detector, str | Letters):
        from feedcharset.evidence.letters import detect_by_letters

        domain = detector.domain if isinstance(detector, Letters) else ""
        return detect_by_letters(data, before[-TEXT_BEFORE:], opening, domain)
    label = detector(data)
    return None if label is None else Detected(label, "caller")
