"""Small words: counts in English, and text from outside made visible."""

from __future__ import annotations

__all__ = ["counted", "visible"]


def counted(number: int | None, noun: str) -> str:
    """ "1 place", "2 places"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def visible(text: str) -> str:
    """Text from outside without anything that acts on a terminal: C0, C1, bidi controls, surrogates.

    None of these counts as printable in Python's tables.
    """
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    number = ord(char)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
