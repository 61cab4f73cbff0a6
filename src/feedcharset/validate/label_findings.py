"""Findings about labels: Content-Type, BOM and declaration, each by itself and one against another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedcharset.charsets.labels import IANA
from feedcharset.charsets.lookup import Charset, lookup
from feedcharset.decide.vocabulary import family_of
from feedcharset.validate.content_type_grammar import content_type_flaws
from feedcharset.validate.document_head import DECLARATION, known
from feedcharset.validate.finding_list import quoted
from feedcharset.validate.label_text import FEED_TYPES

if TYPE_CHECKING:
    from feedcharset.validate.document_head import Head
    from feedcharset.validate.finding_list import Collector
    from feedcharset.validate.reading_comparison import Examination

__all__ = ["LabelFindings"]

# Labels that IANA has for charsets of its own, and the Encoding Standard, as everybody else, for larger ones.
_ALSO_REGISTERED = """ks_c_5601-1987 iso-ir-149 ks_c_5601-1989 ksc_5601 korean csksc56011987
    gb_2312-80 iso-ir-58 chinese csiso58gb231280"""
_REGISTERED = frozenset(
    [name.lower() for name in IANA] + " ".join(IANA.values()).split() + _ALSO_REGISTERED.split()
)


class LabelFindings:
    """What is found when the document has been read to its end."""

    def __init__(self, examination: Examination, head: Head, collector: Collector) -> None:
        self._examination = examination
        self._head = head
        self._add = collector.add
        self._facts = examination.strict_facts

    def of_header(self) -> None:
        """What concerns the rules and the Content-Type, whatever the body is."""
        self._rules()
        flaws = content_type_flaws(self._facts.content_type) if self._facts.content_type else ()
        if flaws:
            fix = self._head.header(self._head.right)
            self._add("content-type-grammar", fix=fix, flaws="; ".join(flaws))

    def of_document(self) -> None:
        """Everything else."""
        self._format()
        self._text_xml()
        self._disagreement()
        for witness, label in self._head.labels():
            self._label(witness, label)

    def _rules(self) -> None:
        """Rows that are errors: by the policy, and for a parser without HTTP."""
        examination, told = self._examination, set()
        for verdict in (examination.verdicts[examination.policy], examination.verdicts["no-http"]):
            row = verdict.row
            if row is None or row.id in told:
                continue
            told.add(row.id)
            fix, place = None, None
            if row.id in ("1.4", "1.6", "1.7-declared"):
                place = self._head.at_label(self._facts.declared)
                fix = self._head.declared(self._head.right or "UTF-8")
            elif row.id.startswith("1."):
                place = self._head.at(0)
            else:
                fix = self._head.header(self._head.right)
            self._add(f"rule-{row.id}", place, fix=fix, rule=verdict.rule, why=row.why)

    def _format(self) -> None:
        media_type, root = self._facts.media_type, self._head.root
        proper = FEED_TYPES.get((root or "").lower())
        if proper is None or media_type not in FEED_TYPES.values() or media_type == proper:
            return
        if media_type == "application/rss+xml" and root == "RDF":
            return  # RSS 1.0
        fix = self._head.header(self._head.right)
        self._add("media-type-of-another-format", fix=fix, media_type=media_type, root=root)

    def _text_xml(self) -> None:
        facts = self._facts
        if facts.media_class != "TEXT-XML" or facts.charset is not None:
            return
        others = self._examination.verdicts["rfc7303"].encoding or "nothing"
        fix = self._head.header(self._head.right)
        self._add("text-xml-without-charset", fix=fix, media_type=facts.media_type, others=others)

    def _disagreement(self) -> None:
        facts, right = self._facts, self._head.right
        charset, declared = known(facts.charset), known(facts.declared)
        if charset and declared and not _agree(charset, declared):
            header = right is not None and not _agree(charset, lookup(right) or charset)
            fix = self._head.header(right) if header else self._head.declared(charset.name)
            self._add(
                "charset-and-declaration",
                self._head.at_label(facts.declared),
                fix=fix,
                charset=charset.name,
                declared=declared.name,
            )
        agreeing = (facts.bom, family_of(facts.bom))
        refused = self._examination.verdicts[self._examination.policy].row
        if facts.bom and charset and refused is None and charset.name not in agreeing:
            fix = self._head.header(right)
            self._add("bom-and-charset", self._head.at(0, 0), fix=fix, bom=facts.bom, charset=charset.name)

    def _label(self, witness: str, label: str) -> None:
        meant, right = lookup(label, lenient=True), self._head.right or "UTF-8"
        place = self._head.at_label(label) if witness == DECLARATION else None
        shown = {"witness": witness, "label": quoted(label)}
        if meant is None:
            self._add("label-unknown", place, fix=self._head.fix(witness, right), **shown)
        elif meant.refused:
            self._add("label-refused", place, fix=self._head.fix(witness, right), why=meant.refused, **shown)
        elif lookup(label) is None:
            self._add(
                "label-misspelt", place, fix=self._head.fix(witness, meant.name), name=meant.name, **shown
            )
        elif label.strip().lower() not in _REGISTERED and meant.name in IANA:
            self._add(
                "label-unregistered", place, fix=self._head.fix(witness, meant.name), name=meant.name, **shown
            )


def _agree(one: Charset, other: Charset) -> bool:
    """The same charset, or the one is the other with its byte order."""
    generic = one.name in ("UTF-16", "UTF-32") or other.name in ("UTF-16", "UTF-32")
    return one.name == other.name or (generic and one.family == other.family)
