"""Byte order marks (XML 1.0 Appendix F.1; Unicode ch. 23.8)."""

from __future__ import annotations

__all__ = ["BOMS", "sniff_bom"]

BOMS: tuple[tuple[str, bytes], ...] = (
    # The four-byte ones first: NUL is no XML character, so FF FE 00 00 cannot be UTF-16LE text.
    ("UTF-32BE", b"\x00\x00\xfe\xff"),
    ("UTF-32LE", b"\xff\xfe\x00\x00"),
    ("UTF-8", b"\xef\xbb\xbf"),
    ("UTF-16BE", b"\xfe\xff"),
    ("UTF-16LE", b"\xff\xfe"),
)

_FIRST_BYTES = b"\x00\xef\xfe\xff"


def sniff_bom(head: bytes, at: int = 0) -> tuple[str | None, int]:
    """The encoding that a byte order mark at offset `at` names, and the mark's length in bytes.

    Returns:
        (None, 0) where there is none.
    """
    if head[at : at + 1] not in _FIRST_BYTES:
        return None, 0
    for encoding, data in BOMS:
        if head.startswith(data, at):
            return encoding, len(data)
    return None, 0
