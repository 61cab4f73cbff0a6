"""Findings about the beginning of a document, and about consumers that read different text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.validate.finding_list import quoted
from feedcharset.validate.text_positions import Position
from feedcharset.validate.well_formedness import misplaced_declaration

if TYPE_CHECKING:
    from feedcharset.results.report import Reading
    from feedcharset.validate.document_head import DocumentHead
    from feedcharset.validate.finding_list import FindingList
    from feedcharset.validate.fixes import Fixes
    from feedcharset.validate.reading_comparison import ReadingComparison

__all__ = ["DocumentFindings"]


class DocumentFindings:
    """The findings that are made when the document has been read to its end."""

    def __init__(
        self, comparison: ReadingComparison, head: DocumentHead, fixes: Fixes, findings: FindingList
    ) -> None:
        self._comparison = comparison
        self._head = head
        self._fixes = fixes
        self._add = findings.add
        self._facts = comparison.strict_facts

    def of_beginning(self) -> None:
        """What stands before the declaration, and its grammar."""
        self._before()
        self._grammar()
        declaration = self._head.declaration
        if declaration is not None and declaration.version == "1.1":
            self._add("xml-1.1", self._head.at_declaration())

    def of_readings(self, readings: tuple[Reading, ...]) -> None:
        """Where two consumers read different text."""
        self._readings = {reading.consumer: reading for reading in readings}
        self._policies()
        self._file()

    # -- the beginning --------------------------------------------------------------------------------

    def _before(self) -> None:
        facts, text = self._comparison.facts, self._comparison.head_text
        length, start = self._head.bom_length, facts.body.start
        if start > length:
            declared = self._head.declaration is not None
            what = "white space, or a second BOM, stands" if declared else "a BOM that is text stands"
            fix = self._fixes.before_document()
            self._add("before-declaration", self._head.before(length, start), fix, what=what)
        misplaced = misplaced_declaration(text)
        if misplaced is not None:
            position = self._head.at(misplaced.start(), len(misplaced[0]))
            self._add("before-declaration", position, what="other content stands")

    def _grammar(self) -> None:
        flaws = self._head.declaration.flaws if self._head.declaration else ()
        start = self._comparison.head_text[:6]
        if start == "<?xml?":
            flaws = ("the version is missing",)
        elif start[:5].lower() == "<?xml" != start[:5]:
            flaws = (f"it begins with {start[:5]}, which is reserved; only <?xml is a declaration",)
        if flaws:
            position = self._head.at_declaration()
            self._add("declaration-grammar", position, self._fixes.declaration(), flaws="; ".join(flaws))

    # -- consumers against each other -----------------------------------------------------------------

    def _policies(self) -> None:
        one, other = self._readings["rfc3023"], self._readings["rfc7303"]
        chosen = self._readings[self._comparison.policy]
        position = self._comparison.policies_differ()
        refused = "refuses" in (one.outcome, other.outcome)
        if chosen.outcome == "refuses" or (position is None and not refused):
            return
        described = {"one": _described(one, position), "other": _described(other, position)}
        self._add("policies-differ", position, self._fixes.bom_or_header(), **described)

    def _file(self) -> None:
        alone, chosen = self._readings["no-http"], self._readings[self._comparison.policy]
        if self._facts.content_type is None or self._facts.declared is not None:
            return
        if chosen.outcome == "refuses" or alone[3:] == chosen[3:]:
            return
        position = self._comparison.position_of("no-http")
        self._add("file-differs", position, self._fixes.declaration(), one=_described(alone, position, "s"))


def _described(reading: Reading, position: Position | None, ending: str = "") -> str:
    """What a consumer does, as the rest of a sentence."""
    if reading.outcome == "refuses":
        return f"refuse{ending} it (rule {reading.rule})"
    stops = reading.outcome == "stops" and position is not None and reading.offset == position.offset
    and_stop = f" and stop{ending} there" if stops else ""
    return f"take{ending} {quoted(reading.encoding or '')[1:-1]} (rule {reading.rule}){and_stop}"
