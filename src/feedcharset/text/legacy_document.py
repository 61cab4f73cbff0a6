"""Decodes a document in memory whose charset the window decides, without the stages of the decoder.

Text that is clean and in the charset of its label is decoded by the decision that is prepared for its opening
(`decode_as_labelled`); any other document by the chain (`decode_as_decided`), whose decoded text is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.charsets.decoders import decode_clean
from feedcharset.decide.legacy_answer import legacy_answer
from feedcharset.evidence.utf8_bounds import bound_utf8
from feedcharset.results.repairs import Decoded, Repairs

if TYPE_CHECKING:
    from feedcharset.decide.opening import Opening

__all__ = ["decode_as_labelled"]

_NO_REPAIRS = Repairs()


def decode_as_labelled(
    document: bytes, high: int, opening: Opening, content_type: str | None, policy: str
) -> Decoded | None:
    """Decode a document by its label.

    Args:
        document: the document from its first character on, with the declaration blanked; the window holds all
            of it from `high` on.
        high: index of the first non-ASCII byte.
        opening: what its head allows.
        content_type: the field's value.
        policy: "rfc3023" or "rfc7303".

    Returns:
        None where the chain needs other counts, or a byte is undecodable.
    """
    assert opening.declaration is not None
    answer = legacy_answer(opening.declaration, content_type, policy)
    if answer is None:
        return None
    utf8 = bound_utf8(document[high:])
    if utf8 is None or (answer.without_sequences and utf8.sequences):
        return None
    text = decode_clean(answer.charset, document)
    if text is None:
        return None
    return Decoded(text, answer.resolved(opening.decision.facts.body.start + high, utf8), _NO_REPAIRS)
