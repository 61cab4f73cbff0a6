"""`decode`: a document in memory."""

from __future__ import annotations

from typing import Literal

from feedcharset.decide.opening import as_bytes
from feedcharset.decide.published_tables import POLICIES, Policy
from feedcharset.evidence.content_type import as_field
from feedcharset.evidence.detector import Detector
from feedcharset.evidence.window import LOOKAHEAD
from feedcharset.results import Decoded
from feedcharset.text.option_types import (
    DECLARATION,
    ERRORS,
    MOJIBAKE,
    XML_CHARS,
    Declaration,
    Errors,
    Mojibake,
    Settings,
    XmlChars,
)
from feedcharset.text.whole_document import decode_whole
from feedcharset.text.xml_decoder import XmlDecoder

__all__ = ["decode"]


def decode(
    body: bytes | bytearray | memoryview,
    content_type: str | bytes | None = None,
    *,
    lenient: bool = True,
    policy: Policy = "rfc3023",
    encoding: str | None = None,
    default_encoding: str | None = None,
    errors: Errors | None = None,
    declaration: Declaration = "blank",
    mojibake: Mojibake = "keep",
    xml_chars: XmlChars = "keep",
    detector: Detector | Literal["chardet"] | None = "chardet",
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
    data = body if type(body) is bytes else as_bytes(body)
    field = content_type if isinstance(content_type, str) else as_field(content_type)
    if (
        encoding is default_encoding is None
        and (detector is None or detector == "chardet" or callable(detector))
        and policy in POLICIES
        and declaration in DECLARATION
        and (errors is None or errors in ERRORS)
        and mojibake in MOJIBAKE
        and xml_chars in XML_CHARS
        and lookahead >= 0
    ):
        settings = Settings(
            field,
            lenient,
            policy,
            errors,
            declaration,
            mojibake,
            xml_chars,
            detector,
            lookahead,
        )
        found = decode_whole(data, settings)
        if found is not None:
            return found
    decoder = XmlDecoder(
        field,
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
    text = decoder.decode(data, True)
    return Decoded(text, decoder.resolution, decoder.repairs)
