"""`decode`: a document in memory."""

from __future__ import annotations

from feedcharset.decide.opening import as_bytes
from feedcharset.decide.published_tables import Policy
from feedcharset.evidence.content_type import as_field
from feedcharset.evidence.detector import Detector
from feedcharset.evidence.window import LOOKAHEAD
from feedcharset.results import Decoded
from feedcharset.text.options import Declaration, Errors, Mojibake, Options, XmlChars
from feedcharset.text.whole_document import decode_whole
from feedcharset.text.xml_decoder import XmlDecoder, checked

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
    detector: Detector | None = "letters",
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
    options = checked(
        Options(
            lenient,
            policy,
            encoding,
            default_encoding,
            errors or ("windows-1252" if lenient else "strict"),
            declaration,
            mojibake,
            xml_chars,
            detector,
            lookahead,
        )
    )
    found = decode_whole(data, field, options)
    if isinstance(found, Decoded):
        return found
    decoder = XmlDecoder.of(field, options)
    text = decoder.decode_staged(data, found)
    return Decoded(text, decoder.resolution, decoder.repairs)
