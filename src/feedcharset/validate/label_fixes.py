"""What a document claims to be in, and the label that would make the claim true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.decide.lenient_chain import is_mixture, shape_of
from feedcharset.decide.principles import fits_shape
from feedcharset.decide.thresholds import tolerable_utf8
from feedcharset.evidence.declaration import Declaration, parse_declaration
from feedcharset.validate.label_text import declaration_fix, header_fix, root_element
from feedcharset.validate.parallel_decoders import Voice

if TYPE_CHECKING:
    from feedcharset.validate.consumers import Verdict
    from feedcharset.validate.reading_comparison import Examination

__all__ = [
    "claimed_charset",
    "declaration_of",
    "is_plainly_utf8",
    "label_fix",
    "octet_fix",
    "right_label",
    "stated_verdict",
    "superset_knows",
]

REPLACED = "2.1"
"""The rule that RFC 7303 withdrew: nobody means US-ASCII by sending text/xml without a charset."""


def stated_verdict(examination: Examination) -> Verdict:
    """What the labels say by the policy; without HTTP, where the policy would say US-ASCII by default."""
    verdict = examination.verdicts[examination.policy]
    return examination.verdicts["no-http"] if verdict.rule == REPLACED else verdict


def claimed_charset(examination: Examination) -> Charset | None:
    """The charset by which octets are judged; None where the document is in two at once.

    What the labels say, unless the octets speak against the label as a whole: that is one finding, and not
    one for each octet.
    """
    stated, read = stated_verdict(examination).charset, examination.main_charset
    if is_mixture(examination.resolution):
        return stated if stated is not None and stated.name == "UTF-8" else None
    if stated is None or is_plainly_utf8(examination) or not fits_shape(stated, shape_of(examination.facts)):
        return read
    return read if stated.fills and stated.family != "US-ASCII" else stated


def is_plainly_utf8(examination: Examination) -> bool:
    """The lenient text is UTF-8, and not merely because nothing fits better."""
    utf8 = examination.facts.body.utf8
    return examination.main_charset.name == "UTF-8" and (utf8 is None or tolerable_utf8(utf8))


def declaration_of(examination: Examination) -> Declaration | None:
    """The XML declaration."""
    return parse_declaration(examination.head_text)


def right_label(examination: Examination) -> str | None:
    """The label that the document should have; None where it is in two charsets at once."""
    if is_mixture(examination.resolution):
        return None
    charset, bom = examination.main_charset, examination.facts.bom
    if examination.needs_superset:
        return charset.superset
    if charset.family == "US-ASCII":  # all is; but the next item may hold an accent
        declared = lookup(examination.facts.declared or "")
        return declared.name if declared is not None and declared.ascii_compatible else "UTF-8"
    if bom is not None and charset.name == bom and charset.family in ("UTF-16", "UTF-32"):
        return charset.family
    return charset.name


def label_fix(examination: Examination, label: str) -> str:
    """The header, where it names a charset, or the declaration, with this label."""
    if examination.facts.charset is not None:
        return header_fix(examination.facts, root_element(examination.head_text), label)
    return declaration_fix(declaration_of(examination), label)


def superset_knows(charset: Charset, octets: bytes) -> bool:
    """The charset as whose superset it is read leniently has a character for what begins here."""
    if charset.superset == charset.name:
        return False
    text = Voice(by_name(charset.superset), lenient=True, offset=0).read(octets, True).text
    return bool(text) and not ("\x80" <= text[0] <= "\x9f" or "\udc00" <= text[0] <= "\udcff")


def octet_fix(examination: Examination, octets: bytes, voice: Voice) -> str | None:
    """What to send instead of octets that do not decode, or are C1 controls: a label, or the character.

    Args:
        octets: what stands in the document from there on.
    """
    read, judged = examination.main_charset, voice.charset
    if read.name != judged.name:
        return label_fix(examination, read.name)
    if superset_knows(judged, octets):
        examination.needs_superset = True
        return label_fix(examination, judged.superset)
    if judged.name == "UTF-8" and octets:
        one = octets[1:2] if octets[0] == 0xC2 else octets[:1]
        return one.decode("cp1252", "ignore") or None
    return None
