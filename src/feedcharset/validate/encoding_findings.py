"""Findings about the encoding of the bytes: against the labels, against what parsers know, by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from webencodings import lookup as browser_lookup

from feedcharset.charsets.lookup import lookup
from feedcharset.decide.lenient_principles import byte_form, fits_form
from feedcharset.decide.mixture import is_mixture
from feedcharset.validate.document_encoding import is_plainly_utf8, is_unnamed, known, labelled_answer
from feedcharset.validate.document_head import DECLARATION
from feedcharset.validate.finding_list import quoted
from feedcharset.validate.parser_labels import parsers_without

if TYPE_CHECKING:
    from feedcharset.validate.document_head import DocumentHead
    from feedcharset.validate.finding_list import FindingList
    from feedcharset.validate.fixes import Fixes
    from feedcharset.validate.reading_comparison import ReadingComparison

__all__ = ["EncodingFindings"]

ITUNES = "http://www.itunes.com/dtds/podcast-1.0.dtd"
"""The namespace of iTunes elements; Apple's podcast directory requires UTF-8."""


class EncodingFindings:
    """The findings about the encoding of a document that has been read to its end."""

    def __init__(
        self, comparison: ReadingComparison, head: DocumentHead, fixes: Fixes, findings: FindingList
    ) -> None:
        self._comparison = comparison
        self._head = head
        self._fixes = fixes
        self._add = findings.add
        self._facts = comparison.strict_facts

    def of_document(self) -> None:
        """All of them."""
        self._contradiction()
        self._guess()
        self._utf8()
        self._parsers()
        self._bom()
        self._choice()

    def _contradiction(self) -> None:
        """The label names an encoding that the bytes cannot be in."""
        answer, form = labelled_answer(self._comparison), byte_form(self._comparison.facts)
        if answer.row is not None or (form is not None and form == self._facts.bom):
            return
        charset = lookup(answer.encoding or "")
        if charset is None or charset.refused or (answer.charset and fits_form(answer.charset, form)):
            return
        labelled = any(True for _ in self._head.labels()) and answer.rule not in ("1.0", "2.0/1.0")
        self._add(
            "octets-contradict-label",
            self._head.at(0),
            self._fixes.label(),
            label=f"the label is {charset.name}" if labelled else f"without a label this is {charset.name}",
            shape="ASCII-compatible" if form in (None, "ASCII") else form,
        )

    def _guess(self) -> None:
        """No label names the encoding, or the document is in two encodings."""
        comparison, body = self._comparison, self._comparison.facts.body
        if is_mixture(comparison.resolution) and comparison.western:
            self._add(
                "mixed-encodings",
                comparison.first_non_ascii,
                self._fixes.convert(),
                name=comparison.resolution.encoding,
                sequences=body.utf8.sequences if body.utf8 else 0,
                runs=body.utf8.damaged if body.utf8 else 0,
            )
        elif is_unnamed(comparison) or is_mixture(comparison.resolution):
            labelled = self._facts.charset or comparison.facts.declared
            self._add(
                "encoding-unnamed",
                comparison.first_non_ascii,
                self._fixes.header() if self._facts.charset is not None else self._fixes.declaration(),
                reason=f"no label {'fits' if labelled else 'names the encoding of'} the bytes",
                detected=f"; a detector suggests {quoted(body.detected.label)}" if body.detected else "",
            )

    def _utf8(self) -> None:
        """A legacy label, although the bytes are UTF-8."""
        comparison = self._comparison
        high = comparison.facts.body.first_non_ascii
        if high is None or not is_plainly_utf8(comparison) or self._facts.bom:
            return
        for origin, label in self._head.labels():
            charset = known(label)
            if charset and charset.family in ("single", "CJK", "ISO-2022-JP", "US-ASCII"):
                declared = origin == DECLARATION
                position = self._head.at_label(label) if declared else comparison.first_non_ascii
                fix = self._fixes.declaration() if declared else self._fixes.header()
                self._add("plainly-utf-8", position, fix, origin=origin, label=quoted(label))

    def _parsers(self) -> None:
        """A label, or an encoding, that usual parsers cannot open."""
        if is_unnamed(self._comparison):
            return
        for label, encoding, declared in self._labels_of_parsers():
            parsers = parsers_without(label)
            if parsers:
                position = self._head.at_label(label) if declared else None
                fix = self._fixes.declaration() if declared else self._fixes.label()
                named = " and ".join(parsers)
                self._add("encoding-unsupported", position, fix, parsers=named, encoding=encoding)

    def _labels_of_parsers(self) -> Iterator[tuple[str, str, bool]]:
        """The labels that a parser may get, how a message shows them, and whether the document has them."""
        reported = False
        for origin, label in self._head.labels():
            reported = reported or bool(parsers_without(label))
            yield label, f"{origin} names {quoted(label)}", origin == DECLARATION
        charset = self._comparison.main_charset
        if not reported and charset.family in ("UTF-16", "UTF-32", "UCS-4", "EBCDIC"):
            yield charset.name, f"the document is in {charset.name}", False

    def _bom(self) -> None:
        """UTF-16 and UTF-32 without a BOM."""
        charset, facts = self._comparison.main_charset, self._facts
        if charset.family in ("UTF-16", "UTF-32") and facts.bom is None:
            named = (known(facts.charset), known(facts.declared))
            if charset.name not in [label.name for label in named if label is not None]:
                self._add("utf-16-without-bom", self._head.at(0))

    def _choice(self) -> None:
        """Encodings that are right, but that should not be published."""
        charset = self._comparison.main_charset
        stated = charset if charset.family == "UTF-8" else known(self._comparison.resolution.encoding)
        if stated is None:
            return
        if browser_lookup(stated.name) is None:
            self._add("encoding-obscure", None, self._fixes.convert(), name=stated.name)
        if stated.family not in ("UTF-8", "US-ASCII") and ITUNES in self._comparison.head_text:
            self._add("itunes-not-utf-8", None, self._fixes.convert(), name=stated.name)
