"""`decode`: a document in memory. UTF-8 as declared takes a short path; all else goes through XmlDecoder."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from feedcharset.decide.opening import ESC, as_bytes, open_document
from feedcharset.decide.rules import Policy
from feedcharset.evidence.detector import Detector
from feedcharset.evidence.window import LOOKAHEAD, first_non_ascii
from feedcharset.results.repairs import Decoded, Repairs
from feedcharset.text.declaration_blanking import blank_bytes
from feedcharset.text.option_types import Declaration, Errors, Mojibake, XmlChars
from feedcharset.text.xml_decoder import XmlDecoder

__all__ = ["decode"]

REMEMBERED = 128
"""Blanked declarations that are kept, as many as openings."""


def decode(
    body: bytes | bytearray | memoryview,
    content_type: str | None = None,
    *,
    lenient: bool = True,
    policy: Policy = "rfc3023",
    encoding: str | None = None,
    default_encoding: str | None = None,
    errors: Errors | None = None,
    declaration: Declaration = "blank",
    mojibake: Mojibake = "keep",
    xml_chars: XmlChars = "keep",
    detector: Detector | Literal["chardet"] | None = None,
    lookahead: int = LOOKAHEAD,
) -> Decoded:
    """Decode a whole document.

    Args:
        body: the document's bytes.
        content_type: the Content-Type field's value; None: the transport said nothing; "": no such field.

    The other options are those of `XmlReader`.

    Returns:
        The text, the resolution and the repairs.

    Raises:
        ResolutionError, DecodeError: only with lenient=False or errors="strict".
        ValueError: an option that makes no sense.
    """
    if (
        type(body) is bytes
        and lenient
        and policy == "rfc3023"
        and encoding is default_encoding is None
        and errors is None
        and detector is None
        and declaration == "blank"
        and mojibake == xml_chars == "keep"
        and lookahead == LOOKAHEAD
        and (quick := _decode_utf8(body, content_type)) is not None
    ):
        return quick
    decoder = XmlDecoder(
        content_type,
        lenient=lenient,
        policy=policy,
        encoding=encoding,
        default_encoding=default_encoding,
        errors=errors,
        declaration=declaration,
        mojibake=mojibake,
        xml_chars=xml_chars,
        detector=detector,
        lookahead=lookahead,
    )
    text = decoder.decode(body if isinstance(body, bytes) else as_bytes(body), True)
    return Decoded(text, decoder.resolution, decoder.repairs)


_NO_REPAIRS = Repairs()


def _decode_utf8(body: bytes, content_type: str | None) -> Decoded | None:
    """The usual feed, in a few whole-buffer calls: UTF-8 as declared, well-formed, or all ASCII.

    Returns what XmlDecoder returns under its default options, or None where XmlDecoder is needed.
    """
    opening = open_document(body, content_type)
    declaration = opening.declaration
    if declaration is None or opening.if_utf8 is None or opening.decision.facts.body.start:
        return None
    blank = _blanked(declaration)
    blanked = body if blank is None else b"".join((blank, memoryview(body)[len(declaration) :]))
    high = first_non_ascii(body)
    if high < 0:
        return Decoded(blanked.decode("ascii"), opening.if_ascii, _NO_REPAIRS)
    if body[high] == ESC or high < len(declaration):  # a non-ASCII byte in the label, which was blanked
        return None
    try:
        text = blanked.decode()
    except UnicodeDecodeError:
        return None
    return Decoded(text, opening.well_formed(high, len(body) <= high + LOOKAHEAD), _NO_REPAIRS)


_blanked = lru_cache(maxsize=REMEMBERED)(blank_bytes)
"""Declarations of usual length that were blanked before: 100 times as fast as blanking anew."""
