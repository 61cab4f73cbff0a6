"""`decode`: a document in memory. The usual feed takes a short way, all others go through XmlDecoder."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from feedcharset.decide.resolve import (
    ESC,
    REMEMBERED,
    as_bytes,
    may_remember,
    opening_octets,
    remembered,
    well_formed,
)
from feedcharset.evidence.detector import Detector
from feedcharset.evidence.window import LOOKAHEAD, first_high
from feedcharset.results.repairs import Decoded, Repairs
from feedcharset.results.resolution import Resolution
from feedcharset.text.declaration_blanking import blank_octets
from feedcharset.text.xml_decoder import XmlDecoder

__all__ = ["decode"]


def decode(
    body: bytes | bytearray | memoryview,
    content_type: str | None = None,
    *,
    lenient: bool = True,
    policy: str = "rfc3023",
    encoding: str | None = None,
    default_encoding: str | None = None,
    errors: str | None = None,
    declaration: Literal["blank", "keep"] = "blank",
    mojibake: Literal["keep", "fix"] = "keep",
    xml_chars: Literal["keep", "replace", "space", "drop"] = "keep",
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
        and encoding is default_encoding is errors is detector is None
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

    Gives what XmlDecoder gives under its default options, or None where that must be asked.
    """
    octets = opening_octets(body)
    if octets is None or not may_remember(content_type):
        return None
    if_ascii, if_utf8, blank = _usual(octets, content_type)
    if if_utf8 is None:
        return None
    blanked = body if blank is None else b"".join((blank, memoryview(body)[len(octets) :]))
    high = first_high(body)
    if high < 0:
        return Decoded(blanked.decode("ascii"), if_ascii, _NO_REPAIRS)
    if body[high] == ESC or high < len(octets):  # an octet in the label, which was blanked
        return None
    try:
        text = blanked.decode()
    except UnicodeDecodeError:
        return None
    return Decoded(text, well_formed(if_utf8, high, len(body) <= high + LOOKAHEAD), _NO_REPAIRS)


@lru_cache(maxsize=REMEMBERED)
def _usual(octets: bytes, content_type: str | None) -> tuple[Resolution, Resolution | None, bytes | None]:
    """What a document that begins with these octets can come to, and they with the declaration blanked."""
    opening = remembered(octets, content_type, True, "rfc3023", None)
    if_utf8 = None if opening.decision.facts.body.start else opening.if_utf8
    return opening.if_ascii, if_utf8, blank_octets(octets)
