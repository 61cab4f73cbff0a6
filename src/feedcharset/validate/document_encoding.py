"""The encoding that a document is labelled as, the one that it is in, and the label that it should have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from feedcharset.charsets.decoders import count_damage
from feedcharset.charsets.lookup import WINDOWS_PAGES, Charset, by_name, lookup
from feedcharset.decide.lenient_principles import byte_form, fits_form
from feedcharset.decide.mixture import is_mixture
from feedcharset.decide.thresholds import tolerable_utf8
from feedcharset.validate.parser_labels import parsers_without
from feedcharset.validate.positioned_decoder import PositionedDecoder
from feedcharset.validate.reading_comparison import SAMPLE

if TYPE_CHECKING:
    from feedcharset.validate.consumers import StrictAnswer
    from feedcharset.validate.reading_comparison import ReadingComparison

__all__ = [
    "RightLabel",
    "is_plainly_utf8",
    "is_unnamed",
    "known",
    "labelled_answer",
    "labelled_charset",
    "right_label",
    "superset_knows",
]

REPLACED = "2.1"
"""The rule that RFC 7303 withdrew: text/xml without a charset is sent for documents in any encoding."""

WINDOWS_WESTERN = ("windows-1252", "windows-1254", "ISO-8859-15")
"""Charsets that text in another script or code page cannot be told from, but by `is_western`."""

LEGACY = ("single", "CJK", "ISO-2022-JP")
"""Families of ASCII-compatible charsets that a label must name."""

GUESSES = ("L6", "L7")
"""The steps of the lenient chain that answer where no label can be true."""


class RightLabel(NamedTuple):
    """The label that a document should have."""

    label: str | None
    """None where it is not known, or where no single label is right."""
    advice: Literal["label", "convert", "unknown"]
    """"label": write the label. "convert": not every parser knows the label, or the document is in two
    encodings. "unknown": no label names the encoding reliably, so only the publisher knows it."""


def known(label: str | None) -> Charset | None:
    """The charset that a label names, also a misspelt one; None for an unknown or refused one."""
    charset = lookup(label or "", lenient=True)
    return charset if charset is not None and not charset.refused else None


def labelled_answer(comparison: ReadingComparison) -> StrictAnswer:
    """The answer of the policy; the answer without HTTP where the Content-Type names no encoding."""
    answer = comparison.answers[comparison.policy]
    unnamed = answer.row is not None and not comparison.strict_facts.charset
    return comparison.answers["no-http"] if answer.rule == REPLACED or unnamed else answer


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


def is_unnamed(comparison: ReadingComparison) -> bool:
    """Return True where nothing names the encoding reliably: the lenient reading is a guess."""
    return comparison.resolution.rule.rpartition("/")[2] in GUESSES and not is_plainly_utf8(comparison)


def right_label(comparison: ReadingComparison) -> RightLabel:
    """The label that the document should have."""
    if is_mixture(comparison.resolution) and comparison.western:
        return RightLabel(None, "convert")
    if is_unnamed(comparison) or is_mixture(comparison.resolution) or _is_disputed(comparison):
        return RightLabel(None, "unknown")
    label = _label(comparison)
    labelled = comparison.main_charset.family != "UCS-4" and not parsers_without(label)
    return RightLabel(label, "label" if labelled else "convert")


def _label(comparison: ReadingComparison) -> str:
    charset, bom = comparison.main_charset, comparison.facts.bom
    if comparison.needs_superset:
        return _windows_page(comparison) or charset.superset
    if charset.family == "US-ASCII":  # the next item may hold a non-ASCII character
        declared = lookup(comparison.facts.declared or "")
        if declared is None or not declared.ascii_compatible or parsers_without(declared.name):
            return "UTF-8"
        return declared.name
    if bom is not None and charset.name == bom and charset.family in ("UTF-16", "UTF-32"):
        return charset.family
    return charset.name


def _windows_page(comparison: ReadingComparison) -> str | None:
    """The Windows page of the script, where all of a document labelled ISO-8859 is the same text in it."""
    charset, first = comparison.main_charset, comparison.first_non_ascii
    page = WINDOWS_PAGES.get(charset.name)
    if page is None or first is None or comparison.positions.end - first.offset > SAMPLE:
        return None
    texts = [
        PositionedDecoder(by_name(name), lenient=True, offset=0).read(comparison.sample, True).text
        for name in (page, charset.name)
    ]
    return page if texts[0] == texts[1] else None


def _is_disputed(comparison: ReadingComparison) -> bool:
    """Return True where the label that lenient reading follows may be wrong.

    Only legacy charsets can be disputed; UTF-8, UTF-16 and UTF-32 prove themselves.
    """
    charset = comparison.main_charset
    if charset.family not in LEGACY or comparison.facts.body.first_non_ascii is None:
        return False
    if charset.superset in WINDOWS_WESTERN and not comparison.western:
        return True
    if comparison.needs_superset and charset.superset == charset.name and not _windows_page(comparison):
        return True
    labels = (known(comparison.strict_facts.charset), known(comparison.strict_facts.declared))
    return any(
        other is not None and other.superset != charset.superset and _is_possible(other, comparison)
        for other in labels
    )


def _is_possible(charset: Charset, comparison: ReadingComparison) -> bool:
    """Return True where a label that lenient reading does not follow may be the right one all the same."""
    if charset.family not in LEGACY:
        return False
    return charset.decodes_every_byte or count_damage(charset, comparison.sample, final=False).places == 0


def superset_knows(charset: Charset, data: bytes) -> bool:
    """Return True where the superset that lenient reading uses has a character for these bytes."""
    if charset.superset == charset.name:
        return False
    text = PositionedDecoder(by_name(charset.superset), lenient=True, offset=0).read(data, True).text
    return bool(text) and not ("\x80" <= text[0] <= "\x9f" or "\udc00" <= text[0] <= "\uddff")
