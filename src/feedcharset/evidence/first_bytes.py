"""The first bytes of a document: where it begins, the pattern of its bytes, and what it is when it is no XML.

The patterns are those of XML 1.0 Appendix F.1, with one extension: a document without an XML declaration
also begins with `<` or white space, and NUL is no XML character, so the NULs around that first character show
UTF-16, UTF-32 and the odd UCS-4 byte orders.
"""

from __future__ import annotations

import re

from feedcharset.charsets.lazy_pattern import lazy_pattern
from feedcharset.evidence.bom import sniff_bom
from feedcharset.evidence.declaration import guess_family

__all__ = [
    "EBCDIC_SPAN",
    "PREFIX_LIMIT",
    "best_code_page",
    "document_kind",
    "find_document",
    "first_pattern",
    "null_order",
]

PREFIX_LIMIT = 4096
"""Bytes of white space and BOMs that may stand before the declaration: as far as a declaration may reach."""

EBCDIC_SPAN = 64
"""Bytes in which an EBCDIC document without a declaration holds no ASCII `<`: a root element with its first
attribute. No expression below reads further ahead, so 64 bytes are enough to find the pattern."""

NULL_SPAN = 64
"""Bytes whose NULs show the order of UTF-16 or UTF-32, where a label names it: some words and some markup."""

ODD_BOMS = (b"\x00\x00\xff\xfe", b"\xfe\xff\x00\x00")
"""The BOM in the orders 2143 and 3412 (XML 1.0 Appendix F.1). Strict reading knows neither."""

_WHITE_SPACE = {
    None: lazy_pattern(rb"(?:[ \t\r\n](?!\x00))++|[\x40\x05\x0d\x15\x25]{1,48}+(?=\x4c)"),
    "UTF-8": lazy_pattern(rb"[ \t\r\n]++"),
    "UTF-16BE": lazy_pattern(rb"(?:\x00[ \t\r\n])++"),
    "UTF-16LE": lazy_pattern(rb"(?:[ \t\r\n]\x00)++"),
    "UTF-32BE": lazy_pattern(rb"(?:\x00\x00\x00[ \t\r\n])++"),
    "UTF-32LE": lazy_pattern(rb"(?:[ \t\r\n]\x00\x00\x00)++"),
}

_FIRST_CHARACTERS = (
    # `<` or white space, and the NULs around it. The four-byte ones first: they are longer.
    ("UTF-32BE", lazy_pattern(rb"\x00\x00\x00[<\t\r\n ]")),
    ("UTF-32LE", lazy_pattern(rb"[<\t\r\n ]\x00\x00\x00")),
    ("UCS-4-2143", lazy_pattern(rb"\x00\x00[<\t\r\n ]\x00")),
    ("UCS-4-3412", lazy_pattern(rb"\x00[<\t\r\n ]\x00\x00")),
    # A NUL before ASCII bytes is a stray one: eight of them would be four ideographs in UTF-16.
    ("UTF-16BE", lazy_pattern(rb"\x00[<\t\r\n ](?!\x00\x00|[ -~]{8}).", re.DOTALL)),
    ("UTF-16LE", lazy_pattern(rb"[<\t\r\n ]\x00(?!\x00\x00|[ -~]{8}).", re.DOTALL)),
)

# `<`, then name characters, colon or `!?/-` (`!` is 5A or 4F), up to `>` or a space (Appendix F.1:
# "4C 6F A7 94").
_EBCDIC_TAG = lazy_pattern(
    rb"\x4c[\x4f\x5a\x6f]?[\x81-\x89\x91-\x99\xa2-\xa9\xc1-\xc9\xd1-\xd9\xe2-\xe9\xf0-\xf9\x4b\x60\x6d\x7a]++[\x6e\x40]"
)
_NOT_PRINTABLE = bytes(byte for byte in range(0x80) if not 0x20 <= byte < 0x7F and byte not in b"\t\r\n")

_KINDS = (
    ("gzip", lazy_pattern(rb"\x1f\x8b\x08")),
    ("zstd", lazy_pattern(rb"\x28\xb5\x2f\xfd")),
    ("zip", lazy_pattern(rb"PK\x03\x04")),
    ("PDF", lazy_pattern(rb"%PDF-")),
    (
        "HTML",
        lazy_pattern(rb"[ \t\r\n]{0,16}+<(?:!doctype[ \t\r\n]{1,16}+html|html|head|body)\b", re.IGNORECASE),
    ),
)


def find_document(head: bytes) -> tuple[str | None, int, int]:
    """Find where the document begins, after white space and BOMs that stand before it.

    Any mix of white space and BOMs of one kind is skipped before an XML declaration; without a declaration
    only what ends with a BOM (white space may begin a document).

    Returns:
        The BOM, the offset of the document's first byte, and the offset to which the head was read.
    """
    bom, at = (None, 4) if head.startswith(ODD_BOMS) else sniff_bom(head)
    after_bom = at
    while at < PREFIX_LIMIT:
        found, length = sniff_bom(head, at)
        if found and found == (bom or found):
            bom, at = found, at + length
            after_bom = at
        elif match := _WHITE_SPACE[bom].match(head, at, PREFIX_LIMIT) or _wide_space(head, at, bom):
            at = match.end()
        else:
            break
    return bom, (at if guess_family(head, at) else after_bom), at


def _wide_space(head: bytes, at: int, bom: str | None) -> re.Match[bytes] | None:
    """White space of UTF-16 or UTF-32, where there is no BOM."""
    if bom is None and head[at : at + 1] in b"\x00 \t\r\n":
        for family in ("UTF-32BE", "UTF-32LE", "UTF-16BE", "UTF-16LE"):
            if match := _WHITE_SPACE[family].match(head, at, PREFIX_LIMIT):
                return match
    return None


_MARKUP = lazy_pattern(rb"[ \t\r\n]{0,32}+<[A-Za-z!?]")


def first_pattern(head: bytes, at: int, bom: str | None) -> str | None:
    """Return the pattern of the document's first bytes; None where they can be ASCII.

    After a BOM of UTF-16 or UTF-32 the only pattern is "ASCII": no XML document in these encodings begins
    with ASCII markup.
    """
    if bom not in (None, "UTF-8"):
        return "ASCII" if _MARKUP.match(head, at) else None
    if head[at : at + 1] == b"<" and head[at + 1 : at + 2] not in (b"", b"\x00"):
        return None
    for pattern, expression in _FIRST_CHARACTERS:
        if expression.match(head, at):
            return pattern
    return "EBCDIC" if _is_ebcdic(head, at) else None


def _is_ebcdic(head: bytes, at: int) -> bool:
    if head.startswith(b"\x4c\x6f\xa7\x94", at):
        return True
    end = at + EBCDIC_SPAN
    return b"<" not in head[at:end] and _EBCDIC_TAG.match(head, at, end) is not None


def null_order(head: bytes, at: int) -> str | None:
    """Return the UTF-16 or UTF-32 whose order the NULs of the first 64 bytes have; None without an order.

    Unlike `first_pattern` it takes any first character, so it proves nothing by itself: a label must name it.
    """
    sample = head[at : at + NULL_SPAN]
    if b"\0" not in sample:
        return None
    zeros = [sample[byte::4].count(0) for byte in range(4)]
    quarter = len(sample) // 4
    if quarter >= 4 and zeros[0] >= quarter and zeros[1] >= quarter - 1 and not zeros[3]:
        return "UTF-32BE"
    if quarter >= 4 and zeros[3] >= quarter and zeros[2] >= quarter - 1 and not zeros[0]:
        return "UTF-32LE"
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    if min(even, odd) or max(even, odd) < max(4, len(sample) // 8):
        return None
    return "UTF-16BE" if even else "UTF-16LE"


def best_code_page(readings: tuple[tuple[str, str], ...]) -> str:
    """Return the code page whose reading holds most printable ASCII.

    On ties (`!` and `|` are both printable) the one with most `<!`, of comments and CDATA sections; then the
    first.

    Args:
        readings: pairs of a code page's name and the bytes read with it.
    """
    return max(readings, key=lambda reading: (_printable(reading[1]), reading[1].count("<!")))[0]


def _printable(text: str) -> int:
    return len(text.encode("ascii", "ignore").translate(None, _NOT_PRINTABLE))


def document_kind(head: bytes, at: int, *, complete: bool) -> str | None:
    """Return what the document is when it is visibly no XML, else None."""
    if head.startswith(b"<?xml", at):
        return None
    if at >= len(head):
        return "empty" if complete else None
    for kind, expression in _KINDS:
        if expression.match(head, at):
            return kind
    return None
