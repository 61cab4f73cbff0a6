"""The characters of XML 1.0, by its production [2]."""

from __future__ import annotations

__all__ = ["is_char"]


def is_char(number: int) -> bool:
    """XML 1.0 §2.2 [2] Char."""
    return (
        number in (0x9, 0xA, 0xD)
        or 0x20 <= number <= 0xD7FF
        or 0xE000 <= number <= 0xFFFD
        or 0x10000 <= number <= 0x10FFFF
    )
