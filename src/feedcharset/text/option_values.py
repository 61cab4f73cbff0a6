"""What the text options may be."""

from __future__ import annotations

__all__ = ["CESU8", "DECLARATION", "ERRORS", "MOJIBAKE", "OCTETS", "XML_CHARS", "check_option"]

ERRORS = ("strict", "replace", "space", "latin-1", "windows-1252")
DECLARATION = ("blank", "keep")
MOJIBAKE = ("keep", "fix")
XML_CHARS = ("keep", "replace", "space", "drop")

OCTETS = ("windows-1252", "latin-1", "space", "replace")
"""Of `repair`."""
CESU8 = ("keep", "join")
"""Of `repair`."""


def check_option(name: str, value: str, known: tuple[str, ...]) -> None:
    """Refuse an option's value that is not one of those known.

    Raises:
        ValueError: lists them.
    """
    if value not in known:
        raise ValueError(f"{name}={value!r} is not known; pass one of {', '.join(map(repr, known))}")
