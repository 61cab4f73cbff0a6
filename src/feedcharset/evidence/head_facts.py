"""The facts: what a document's head and its Content-Type hold."""

from __future__ import annotations

from functools import lru_cache

from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import by_name
from feedcharset.evidence.bom import sniff_bom
from feedcharset.evidence.content_type import ContentType, classify, parse_content_type
from feedcharset.evidence.declaration import DECLARATION_LIMIT, UNIT, guess_family, read_declaration
from feedcharset.evidence.first_bytes import (
    EBCDIC_SPAN,
    best_code_page,
    document_kind,
    find_document,
    first_pattern,
    null_order,
)
from feedcharset.results.facts import Body, Facts

__all__ = ["HEAD_LIMIT", "gather_facts", "needs_more"]

HEAD_LIMIT = 4 * 4096 + 4096 + 4
"""Bytes that the facts depend on at most: what may stand before the declaration, and a declaration of 4,096
characters of four bytes each."""

CODE_PAGE_SAMPLE = 4096
"""Bytes of an EBCDIC document by which its code page is chosen."""

_CODE_PAGES = ("IBM037", "IBM1047", "IBM500")

_CLOSINGS = {
    "UTF-16BE": b"\x00?\x00>",
    "UTF-16LE": b"?\x00>\x00",
    "UTF-32BE": b"\x00\x00\x00?\x00\x00\x00>",
    "UTF-32LE": b"?\x00\x00\x00>\x00\x00\x00",
    "EBCDIC": b"\x6f\x6e",
}

_content_type = lru_cache(maxsize=64)(parse_content_type)
"""Servers send few different values. Only short ones are cached."""

CACHED_FIELD = 128
"""Characters of a Content-Type that is cached; 64 of them bound the cache to 8 KiB."""


def gather_facts(head: bytes, content_type: str | None, *, lenient: bool, complete: bool = False) -> Facts:
    """Gather the facts from the head (at most HEAD_LIMIT bytes count) and the Content-Type.

    Args:
        head: the document's first bytes.
        content_type: the field's value; None: the transport gave none; "": no such field.
        lenient: skip white space and BOMs that stand before the declaration.
        complete: `head` is the whole document.
    """
    if lenient:
        bom, start, looked = find_document(head)
    else:
        bom, start = sniff_bom(head)
        looked = start
    guess = guess_family(head, start)
    declaration = read_declaration(head, guess, start) if guess else None
    pattern = first_pattern(head, start, bom)
    header = _parsed(content_type, lenient)
    return Facts(
        bom,
        guess,
        declaration.encoding if declaration else None,
        content_type,
        header.media_type,
        classify(header.media_type),
        header.charset,
        Body(
            start,
            pattern,
            _code_page(head, start) if pattern == "EBCDIC" else None,
            document_kind(head, looked, complete=complete),
            nulls=null_order(head, start) if bom is guess is pattern is None else None,
        ),
    )


_NO_HEADER = ContentType(None, None)


def _parsed(content_type: str | None, lenient: bool) -> ContentType:
    if content_type is None:
        return _NO_HEADER
    if len(content_type) > CACHED_FIELD:
        return parse_content_type(content_type, lenient=lenient)
    return _content_type(content_type, lenient=lenient)


def _code_page(head: bytes, start: int) -> str:
    sample = head[start : start + CODE_PAGE_SAMPLE]
    return best_code_page(
        tuple(
            (name, charset_decoder(by_name(name), lenient=True).decode(sample, True)) for name in _CODE_PAGES
        )
    )


def needs_more(head: bytes, *, lenient: bool) -> bool:
    """Return True where more of the document could change the facts."""
    if len(head) >= HEAD_LIMIT:
        return False
    start = looked = sniff_bom(head)[1]
    if lenient:
        _, start, looked = find_document(head)
    if len(head) - looked < EBCDIC_SPAN:  # no pattern looks further
        return True
    rest = len(head) - start
    guess = guess_family(head, start)
    if guess is None:
        return first_pattern(head, start, None) == "EBCDIC" and rest < CODE_PAGE_SAMPLE
    if guess == "EBCDIC":
        return rest < CODE_PAGE_SAMPLE
    unit = UNIT.get(guess, 1)
    return rest < DECLARATION_LIMIT * unit and not _is_closed(head, start, guess, unit)


def _is_closed(head: bytes, start: int, guess: str, unit: int) -> bool:
    """Return True where the declaration is closed by `?>`, in code units of the guessed family."""
    closing = _CLOSINGS.get(guess, b"?>")
    at = head.find(closing, start)
    while (at - start) % unit and at >= 0:
        at = head.find(closing, at + 1)
    return at >= 0
