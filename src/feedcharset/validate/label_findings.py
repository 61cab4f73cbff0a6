"""Findings about labels: Content-Type, BOM and declaration, each by itself and one against another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.charsets.labels import labels_by_source
from feedcharset.charsets.lookup import Charset, lookup
from feedcharset.decide.strict_decision import family_of
from feedcharset.validate.content_type_grammar import content_type_flaws
from feedcharset.validate.document_encoding import known
from feedcharset.validate.document_head import DECLARATION
from feedcharset.validate.finding_list import quoted
from feedcharset.validate.media_type import FEED_TYPES

if TYPE_CHECKING:
    from feedcharset.validate.document_head import DocumentHead
    from feedcharset.validate.finding_list import FindingList
    from feedcharset.validate.fixes import Fix, Fixes
    from feedcharset.validate.reading_comparison import ReadingComparison

__all__ = ["LabelFindings"]

# IANA has these labels for charsets of their own; the Encoding Standard has them for larger charsets.
_ALSO_REGISTERED = """ks_c_5601-1987 iso-ir-149 ks_c_5601-1989 ksc_5601 korean csksc56011987
    gb_2312-80 iso-ir-58 chinese csiso58gb231280"""
_IANA = labels_by_source()["IANA"]
_REGISTERED = {
    *map(str.lower, _IANA),
    *(label for labels in _IANA.values() for label in labels),
    *_ALSO_REGISTERED.split(),
}


class LabelFindings:
    """The findings that are made when the document has been read to its end."""

    def __init__(
        self, comparison: ReadingComparison, head: DocumentHead, fixes: Fixes, findings: FindingList
    ) -> None:
        self._comparison = comparison
        self._head = head
        self._fixes = fixes
        self._add = findings.add
        self._facts = comparison.strict_facts

    def of_header(self, *, is_xml: bool = True) -> None:
        """Findings about the rules and the Content-Type.

        Args:
            is_xml: the body is not HTML, an archive or nothing; for these no header is right.
        """
        self._rules(is_xml)
        flaws = content_type_flaws(self._facts.content_type) if self._facts.content_type else ()
        if flaws:
            fix = self._fixes.media_type() if is_xml else None
            self._add("content-type-grammar", fix=fix, flaws="; ".join(flaws))

    def of_document(self) -> None:
        """The other findings about labels."""
        self._format()
        self._text_xml()
        self._disagreement()
        for origin, label in self._head.labels():
            self._label(origin, label)

    def _rules(self, is_xml: bool) -> None:
        """Rows that are errors: by the policy, and for a parser without HTTP."""
        comparison, reported = self._comparison, set()
        for answer in (comparison.answers[comparison.policy], comparison.answers["no-http"]):
            row = answer.row
            if row is None or row.id in reported:
                continue
            reported.add(row.id)
            position = None
            if row.id in ("1.4", "1.6", "1.7-declared"):
                position = self._head.at_label(self._facts.declared)
            elif row.id.startswith("1."):
                position = self._head.before(0, self._head.bom_length)
            fix = self._rule_fix(row.id) if is_xml else None
            self._add(f"rule-{row.id}", position, fix=fix, rule=answer.rule, why=row.why)

    def _rule_fix(self, rule: str) -> Fix:
        if not rule.startswith("1."):
            return self._fixes.media_type() if rule in ("2.6", "3.9") else self._fixes.header()
        return self._fixes.bom_or_declaration()

    def _format(self) -> None:
        media_type, root = self._facts.media_type, self._head.root
        proper = FEED_TYPES.get((root or "").lower())
        if proper is None or media_type not in FEED_TYPES.values() or media_type == proper:
            return
        if media_type == "application/rss+xml" and root == "RDF":
            return  # RSS 1.0
        fix = self._fixes.media_type()
        self._add("media-type-of-another-format", fix=fix, media_type=media_type, root=root)

    def _text_xml(self) -> None:
        facts = self._facts
        if facts.media_class != "TEXT-XML" or facts.charset is not None:
            return
        others = self._comparison.answers["rfc7303"].encoding or "nothing"
        fix = self._fixes.media_type()
        self._add("text-xml-without-charset", fix=fix, media_type=facts.media_type, others=others)

    def _disagreement(self) -> None:
        facts, right = self._facts, lookup(self._fixes.right.label or "")
        charset, declared = known(facts.charset), known(facts.declared)
        if charset and declared and not _agree(charset, declared):
            agrees = right is not None and _agree(charset, right)
            fix = self._fixes.declaration() if agrees else self._fixes.header()
            self._add(
                "charset-and-declaration",
                self._head.at_label(facts.declared),
                fix=fix,
                charset=charset.name,
                declared=declared.name,
            )
        agreeing = (facts.bom, family_of(facts.bom))
        refused = self._comparison.answers[self._comparison.policy].row
        if facts.bom and charset and refused is None and charset.name not in agreeing:
            position, fix = self._head.before(0, self._head.bom_length), self._fixes.bom_or_header()
            self._add("bom-and-charset", position, fix=fix, bom=facts.bom, charset=charset.name)

    def _label(self, origin: str, label: str) -> None:
        meant = lookup(label, lenient=True)
        position, fix = None, self._fixes.header()
        if origin == DECLARATION:
            position, fix = self._head.at_label(label), self._fixes.declaration()
        shown = {"origin": origin, "label": quoted(label)}
        if meant is None:
            self._add("label-unknown", position, fix=fix, **shown)
        elif meant.refused:
            self._add("label-refused", position, fix=fix, why=meant.refused, **shown)
        elif lookup(label) is None:
            self._add("label-misspelt", position, fix=fix, name=meant.name, **shown)
        elif label.strip().lower() not in _REGISTERED and meant.name in _IANA:
            self._add("label-unregistered", position, fix=fix, name=meant.name, **shown)


def _agree(one: Charset, other: Charset) -> bool:
    """The same charset, or the one is the other with its byte order."""
    generic = one.name in ("UTF-16", "UTF-32") or other.name in ("UTF-16", "UTF-32")
    return one.name == other.name or (generic and one.family == other.family)
