"""Findings about bytes that contradict labels, about the beginning, and about consumers that differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webencodings import lookup as browser_lookup

from feedcharset.charsets.lookup import lookup
from feedcharset.decide.candidates import byte_form, fits_form
from feedcharset.decide.mixture import is_mixture
from feedcharset.validate.document_head import DECLARATION, known
from feedcharset.validate.finding_list import quoted
from feedcharset.validate.label_fixes import is_plainly_utf8, labelled_answer
from feedcharset.validate.text_positions import Position

if TYPE_CHECKING:
    from feedcharset.results.report import Reading
    from feedcharset.validate.document_head import DocumentHead
    from feedcharset.validate.finding_list import FindingList
    from feedcharset.validate.reading_comparison import ReadingComparison

__all__ = ["DocumentFindings"]

BOM_LENGTH = {None: 0, "UTF-8": 3, "UTF-16BE": 2, "UTF-16LE": 2, "UTF-32BE": 4, "UTF-32LE": 4}

BEGINNING = 16 * 1024
"""Characters that are searched for a declaration that is not the first thing in the document."""

_DECLARATION = re.compile(r"<\?xml[ \t\r\n]")
_TEXT = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)


class DocumentFindings:
    """The findings that are made when the document has been read to its end."""

    def __init__(self, comparison: ReadingComparison, head: DocumentHead, findings: FindingList) -> None:
        self._comparison = comparison
        self._head = head
        self._add = findings.add
        self._facts = comparison.strict_facts

    def of_document(self) -> None:
        """All of them."""
        self._contradiction()
        self._utf8()
        self._beginning()
        self._grammar()
        self._names()

    def of_readings(self, readings: tuple[Reading, ...]) -> None:
        """Where two consumers read different text."""
        self._readings = {reading.consumer: reading for reading in readings}
        self._policies()
        self._file()

    # -- labels against bytes ------------------------------------------------------------------------

    def _contradiction(self) -> None:
        """The labels name an encoding that the bytes cannot be in."""
        answer, shape = labelled_answer(self._comparison), byte_form(self._comparison.facts)
        if answer.row is not None or (shape is not None and shape == self._facts.bom):
            return
        known = lookup(answer.encoding or "")
        if known is None or known.refused or (answer.charset and fits_form(answer.charset, shape)):
            return
        fix = self._head.label(self._head.right or "UTF-8")
        shown = "ASCII-compatible" if shape in (None, "ASCII") else shape
        self._add("octets-contradict-label", self._head.at(0), fix=fix, name=known.name, shape=shown)

    def _utf8(self) -> None:
        """Legacy labels over UTF-8, or over both."""
        comparison = self._comparison
        body = comparison.facts.body
        if is_mixture(comparison.resolution):
            self._add(
                "mixed-encodings",
                comparison.first_non_ascii,
                name=comparison.resolution.encoding,
                sequences=body.utf8.sequences if body.utf8 else 0,
                runs=body.utf8.damaged if body.utf8 else 0,
            )
        elif body.first_non_ascii is not None and is_plainly_utf8(comparison) and not self._facts.bom:
            for origin, label in self._head.labels():
                charset = known(label)
                if charset and charset.family in ("single", "CJK", "US-ASCII"):
                    declared = origin == DECLARATION
                    position = self._head.at_label(label) if declared else comparison.first_non_ascii
                    fix = self._head.fix(origin, "UTF-8")
                    self._add("plainly-utf-8", position, fix=fix, origin=origin, label=quoted(label))

    # -- the document's beginning ---------------------------------------------------------------------

    def _beginning(self) -> None:
        facts, text = self._comparison.facts, self._comparison.head_text
        length = BOM_LENGTH[self._facts.bom]
        if facts.body.start > length:
            declared = self._head.declaration is not None
            what = "white space, or a second BOM, stands" if declared else "a BOM that is text stands"
            self._add("before-declaration", self._head.at(0, length), what=what)
        covered = [match.span() for match in _TEXT.finditer(text, 0, BEGINNING)]
        for match in _DECLARATION.finditer(text, 1, BEGINNING):
            if not any(start <= match.start() < end for start, end in covered):
                self._add("before-declaration", self._head.at(match.start()), what="other content stands")
                break

    def _grammar(self) -> None:
        flaws = self._head.declaration.flaws if self._head.declaration else ()
        if self._comparison.head_text.startswith("<?xml?"):
            flaws = ("the version is missing",)
        if flaws:
            label = self._head.right or "UTF-8"
            fix = self._head.declared(label)
            self._add("declaration-grammar", self._head.at(0), fix=fix, flaws="; ".join(flaws))

    def _names(self) -> None:
        """Encodings that are right, and not what should be published."""
        charset, facts = self._comparison.main_charset, self._facts
        if charset.family in ("UTF-16", "UTF-32") and facts.bom is None:
            named = [known.name for known in (known(facts.charset), known(facts.declared)) if known]
            if charset.name not in named:
                self._add("utf-16-without-bom", self._head.at(0))
        stated = charset if charset.family == "UTF-8" else known(self._comparison.resolution.encoding)
        if stated is not None and browser_lookup(stated.name) is None:
            fix = self._head.declared("UTF-8")
            self._add("encoding-obscure", fix=fix, name=stated.name)

    # -- consumers against each other -------------------------------------------------------------------

    def _policies(self) -> None:
        one, other = self._readings["rfc3023"], self._readings["rfc7303"]
        chosen = self._readings[self._comparison.policy]
        position = self._comparison.policies_differ()
        refused = "refuses" in (one.outcome, other.outcome)
        if chosen.outcome == "refuses" or (position is None and not refused):
            return
        fix = self._head.header(self._head.right)
        described = {"one": _described(one, position), "other": _described(other, position)}
        self._add("policies-differ", position, fix=fix, **described)

    def _file(self) -> None:
        alone, chosen = self._readings["no-http"], self._readings[self._comparison.policy]
        if self._facts.content_type is None or self._facts.declared is not None:
            return
        if chosen.outcome == "refuses" or alone[3:] == chosen[3:]:
            return
        position = None
        if alone.offset is not None and alone.line is not None and alone.column is not None:
            position = Position(alone.offset, alone.line, alone.column)
        label = self._head.right
        fix = self._head.declared(label) if label else None
        self._add("file-differs", position, fix=fix, one=_described(alone, position, "s"))


def _described(reading: Reading, position: Position | None, ending: str = "") -> str:
    """What a consumer does, as the rest of a sentence."""
    if reading.outcome == "refuses":
        return f"refuse{ending} it (rule {reading.rule})"
    stops = reading.outcome == "stops" and position is not None and reading.offset == position.offset
    and_stop = f" and stop{ending} there" if stops else ""
    return f"take{ending} {quoted(reading.encoding or '')[1:-1]} (rule {reading.rule}){and_stop}"
