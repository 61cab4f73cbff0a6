"""Text for people: counts with their noun, and outside text made printable; plain values for JSON."""

from __future__ import annotations

from typing import Any

__all__ = ["as_plain", "counted", "visible"]


def counted(number: int | None, noun: str) -> str:
    """ "1 place", "2 places"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def visible(text: str) -> str:
    """Text from outside, with C0, C1, bidi controls and surrogates escaped, so that none acts on a terminal.

    None of these counts as printable in Python's tables.
    """
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    number = ord(char)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def as_plain(value: Any) -> Any:
    """Named tuples as dicts, all the way down."""
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return {name: as_plain(part) for name, part in zip(value._fields, value, strict=True)}
        return [as_plain(part) for part in value]
    return value
