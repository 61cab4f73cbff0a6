"""Findings about a document against its labels, about its beginning, and about readers who differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webencodings import lookup as browser_lookup

from feedcharset.charsets.lookup import lookup
from feedcharset.decide.lenient_chain import is_mixture, shape_of
from feedcharset.decide.principles import fits_shape
from feedcharset.validate.document_head import DECLARATION, known
from feedcharset.validate.finding_list import quoted
from feedcharset.validate.label_fixes import is_plainly_utf8, stated_verdict
from feedcharset.validate.text_positions import Place

if TYPE_CHECKING:
    from feedcharset.results.report import Reading
    from feedcharset.validate.document_head import Head
    from feedcharset.validate.finding_list import Collector
    from feedcharset.validate.reading_comparison import Examination

__all__ = ["DocumentFindings"]

BOM_LENGTH = {None: 0, "UTF-8": 3, "UTF-16BE": 2, "UTF-16LE": 2, "UTF-32BE": 4, "UTF-32LE": 4}

BEGINNING = 16 * 1024
"""Characters in which a declaration that is not the first thing is looked for."""

_DECLARATION = re.compile(r"<\?xml[ \t\r\n]")
_TEXT = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)


class DocumentFindings:
    """What is found when the document has been read to its end."""

    def __init__(self, examination: Examination, head: Head, collector: Collector) -> None:
        self._examination = examination
        self._head = head
        self._add = collector.add
        self._facts = examination.strict_facts

    def of_document(self) -> None:
        """All of them."""
        self._octets()
        self._utf8()
        self._beginning()
        self._grammar()
        self._names()

    def of_readers(self, readings: tuple[Reading, ...]) -> None:
        """Where readers differ."""
        self._readings = {reading.consumer: reading for reading in readings}
        self._policies()
        self._file()

    # -- labels against octets ------------------------------------------------------------------------

    def _octets(self) -> None:
        """The labels name what the octets cannot be."""
        verdict, shape = stated_verdict(self._examination), shape_of(self._examination.facts)
        if verdict.row is not None or (shape is not None and shape == self._facts.bom):
            return
        known = lookup(verdict.encoding or "")
        if known is None or known.refused or (verdict.charset and fits_shape(verdict.charset, shape)):
            return
        fix = self._head.label(self._head.right or "UTF-8")
        shown = "ASCII-compatible" if shape in (None, "ASCII") else shape
        self._add("octets-contradict-label", self._head.at(0), fix=fix, name=known.name, shape=shown)

    def _utf8(self) -> None:
        """Legacy labels over UTF-8, or over both."""
        examination = self._examination
        body = examination.facts.body
        if is_mixture(examination.resolution):
            self._add(
                "mixed-encodings",
                examination.first_high,
                name=examination.resolution.encoding,
                sequences=body.utf8.sequences if body.utf8 else 0,
                places=body.utf8.damaged if body.utf8 else 0,
            )
        elif body.high is not None and is_plainly_utf8(examination) and not self._facts.bom:
            for witness, label in self._head.labels():
                charset = known(label)
                if charset and charset.family in ("single", "CJK", "US-ASCII"):
                    declared = witness == DECLARATION
                    place = self._head.at_label(label) if declared else examination.first_high
                    fix = self._head.fix(witness, "UTF-8")
                    self._add("plainly-utf-8", place, fix=fix, witness=witness, label=quoted(label))

    # -- the document's beginning ---------------------------------------------------------------------

    def _beginning(self) -> None:
        facts, text = self._examination.facts, self._examination.head_text
        length = BOM_LENGTH[self._facts.bom]
        if facts.body.start > length:
            declared = self._head.declaration is not None
            what = "white space, or a second BOM, stands" if declared else "a BOM stands where it is text, or"
            self._add("before-declaration", self._head.at(0, length), what=what)
        covered = [match.span() for match in _TEXT.finditer(text, 0, BEGINNING)]
        for match in _DECLARATION.finditer(text, 1, BEGINNING):
            if not any(start <= match.start() < end for start, end in covered):
                self._add("before-declaration", self._head.at(match.start()), what="other content stands")
                break

    def _grammar(self) -> None:
        flaws = self._head.declaration.flaws if self._head.declaration else ()
        if self._examination.head_text.startswith("<?xml?"):
            flaws = ("the version is missing",)
        if flaws:
            label = self._head.right or "UTF-8"
            fix = self._head.declared(label)
            self._add("declaration-grammar", self._head.at(0), fix=fix, flaws="; ".join(flaws))

    def _names(self) -> None:
        """Encodings that are right, and not what should be published."""
        charset, facts = self._examination.main_charset, self._facts
        if charset.family in ("UTF-16", "UTF-32") and facts.bom is None:
            named = [known.name for known in (known(facts.charset), known(facts.declared)) if known]
            if charset.name not in named:
                self._add("utf-16-without-bom", self._head.at(0))
        stated = charset if charset.family == "UTF-8" else known(self._examination.resolution.encoding)
        if stated is not None and browser_lookup(stated.name) is None:
            fix = self._head.declared("UTF-8")
            self._add("encoding-obscure", fix=fix, name=stated.name)

    # -- readers against each other -------------------------------------------------------------------

    def _policies(self) -> None:
        one, other = self._readings["rfc3023"], self._readings["rfc7303"]
        chosen = self._readings[self._examination.policy]
        place = self._examination.policies_differ()
        refused = "refuses" in (one.outcome, other.outcome)
        if chosen.outcome == "refuses" or (place is None and not refused):
            return
        fix = self._head.header(self._head.right)
        self._add("policies-differ", place, fix=fix, one=_told(one, place), other=_told(other, place))

    def _file(self) -> None:
        alone, chosen = self._readings["no-http"], self._readings[self._examination.policy]
        if self._facts.content_type is None or self._facts.declared is not None:
            return
        if chosen.outcome == "refuses" or alone[3:] == chosen[3:]:
            return
        place = None
        if alone.offset is not None and alone.line is not None and alone.column is not None:
            place = Place(alone.offset, alone.line, alone.column)
        label = self._head.right
        fix = self._head.declared(label) if label else None
        self._add("file-differs", place, fix=fix, one=_told(alone, place, "s"))


def _told(reading: Reading, place: Place | None, ending: str = "") -> str:
    """What a reader does, as the rest of a sentence."""
    if reading.outcome == "refuses":
        return f"refuse{ending} it (rule {reading.rule})"
    stops = reading.outcome == "stops" and place is not None and reading.offset == place.offset
    and_stop = f" and stop{ending} there" if stops else ""
    return f"take{ending} {quoted(reading.encoding or '')[1:-1]} (rule {reading.rule}){and_stop}"
