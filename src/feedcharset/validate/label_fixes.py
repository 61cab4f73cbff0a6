"""The encoding that a document is labelled as, and the label that it should have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.decide.candidates import byte_form, fits_form
from feedcharset.decide.mixture import is_mixture
from feedcharset.decide.thresholds import tolerable_utf8
from feedcharset.evidence.declaration import Declaration, parse_declaration
from feedcharset.validate.fix_text import declaration_fix, header_fix, root_element
from feedcharset.validate.positioned_decoder import PositionedDecoder

if TYPE_CHECKING:
    from feedcharset.validate.consumers import StrictAnswer
    from feedcharset.validate.reading_comparison import ReadingComparison

__all__ = [
    "byte_fix",
    "declaration_of",
    "is_plainly_utf8",
    "label_fix",
    "labelled_answer",
    "labelled_charset",
    "right_label",
    "superset_knows",
]

REPLACED = "2.1"
"""The rule that RFC 7303 withdrew: text/xml without a charset is sent for documents in any encoding."""


def labelled_answer(comparison: ReadingComparison) -> StrictAnswer:
    """The answer of the policy; the answer without HTTP where the policy takes US-ASCII by default."""
    answer = comparison.answers[comparison.policy]
    return comparison.answers["no-http"] if answer.rule == REPLACED else answer


def labelled_charset(comparison: ReadingComparison) -> Charset | None:
    """The charset in which undecodable bytes are reported; None where the document is in two charsets.

    It is the labelled one, unless the bytes contradict the label as a whole: that is one finding, and not
    one for each byte.
    """
    stated, read = labelled_answer(comparison).charset, comparison.main_charset
    if is_mixture(comparison.resolution):
        return stated if stated is not None and stated.name == "UTF-8" else None
    if stated is None or is_plainly_utf8(comparison) or not fits_form(stated, byte_form(comparison.facts)):
        return read
    return read if stated.decodes_every_byte and stated.family != "US-ASCII" else stated


def is_plainly_utf8(comparison: ReadingComparison) -> bool:
    """Return True where the lenient text is UTF-8, and not only because no other candidate fits better."""
    utf8 = comparison.facts.body.utf8
    return comparison.main_charset.name == "UTF-8" and (utf8 is None or tolerable_utf8(utf8))


def declaration_of(comparison: ReadingComparison) -> Declaration | None:
    """The XML declaration."""
    return parse_declaration(comparison.head_text)


def right_label(comparison: ReadingComparison) -> str | None:
    """The label that the document should have; None where it is in two charsets."""
    if is_mixture(comparison.resolution):
        return None
    charset, bom = comparison.main_charset, comparison.facts.bom
    if comparison.needs_superset:
        return charset.superset
    if charset.family == "US-ASCII":  # the next item may hold a non-ASCII character
        declared = lookup(comparison.facts.declared or "")
        return declared.name if declared is not None and declared.ascii_compatible else "UTF-8"
    if bom is not None and charset.name == bom and charset.family in ("UTF-16", "UTF-32"):
        return charset.family
    return charset.name


def label_fix(comparison: ReadingComparison, label: str) -> str:
    """The header, where it names a charset, or the declaration, with this label."""
    if comparison.facts.charset is not None:
        return header_fix(comparison.facts, root_element(comparison.head_text), label)
    return declaration_fix(declaration_of(comparison), label)


def superset_knows(charset: Charset, data: bytes) -> bool:
    """Return True where the superset that lenient reading uses has a character for these bytes."""
    if charset.superset == charset.name:
        return False
    text = PositionedDecoder(by_name(charset.superset), lenient=True, offset=0).read(data, True).text
    return bool(text) and not ("\x80" <= text[0] <= "\x9f" or "\udc00" <= text[0] <= "\udcff")


def byte_fix(comparison: ReadingComparison, data: bytes, decoder: PositionedDecoder) -> str | None:
    """The fix for bytes that do not decode, or are C1 controls: a label, or the character.

    Args:
        data: the bytes of the document from there on.
    """
    read, judged = comparison.main_charset, decoder.charset
    if read.name != judged.name:
        return label_fix(comparison, read.name)
    if superset_knows(judged, data):
        comparison.needs_superset = True
        return label_fix(comparison, judged.superset)
    if judged.name == "UTF-8" and data:
        one = data[1:2] if data[0] == 0xC2 else data[:1]
        return one.decode("cp1252", "ignore") or None
    return None
