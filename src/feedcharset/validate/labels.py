"""Findings about labels: the Content-Type, the BOM, the declaration, and whether they fit the octets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from webencodings import lookup as browser_lookup

from feedcharset.decide.lenient import is_mixture, shape_of
from feedcharset.decide.principles import fits_shape
from feedcharset.decide.vocabulary import family_of
from feedcharset.evidence.charset_labels import IANA
from feedcharset.evidence.charsets import Charset, lookup
from feedcharset.validate.claims import declaration_of, label_fix, right_label, stated_verdict
from feedcharset.validate.collecting import quoted
from feedcharset.validate.fixes import FEED_TYPES, declaration_fix, header_fix, root_element
from feedcharset.validate.grammar import content_type_flaws
from feedcharset.validate.places import Place, Places
from feedcharset.validate.voices import Voice

if TYPE_CHECKING:
    from feedcharset.results import Reading
    from feedcharset.validate.collecting import Collector
    from feedcharset.validate.examining import Examination

__all__ = ["LabelFindings"]

BOM_LENGTH = {None: 0, "UTF-8": 3, "UTF-16BE": 2, "UTF-16LE": 2, "UTF-32BE": 4, "UTF-32LE": 4}

BEGINNING = 16 * 1024
"""Characters in which a declaration that is not the first thing is looked for."""

_DECLARATION = re.compile(r"<\?xml[ \t\r\n]")
_TEXT = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)

# Labels that IANA has for charsets of its own, and the Encoding Standard, as everybody else, for larger ones.
_ALSO_REGISTERED = """ks_c_5601-1987 iso-ir-149 ks_c_5601-1989 ksc_5601 korean csksc56011987
    gb_2312-80 iso-ir-58 chinese csiso58gb231280"""
_REGISTERED = frozenset(
    [name.lower() for name in IANA] + " ".join(IANA.values()).split() + _ALSO_REGISTERED.split()
)


class LabelFindings:
    """What is found when the document has been read to its end."""

    def __init__(
        self, examination: Examination, collector: Collector, readings: tuple[Reading, ...] = ()
    ) -> None:
        self._examination = examination
        self._add = collector.add
        self._readings = {reading.consumer: reading for reading in readings}
        self._facts = examination.strict_facts

    def of_header(self) -> None:
        """What concerns the Content-Type alone, whatever the body is."""
        self._rules()
        value = self._facts.content_type
        flaws = content_type_flaws(value) if value else ()
        if value and flaws:
            fix = self._header(right_label(self._examination))
            self._add("content-type-grammar", fix=fix, flaws="; ".join(flaws))

    def of_document(self) -> None:
        """Everything else."""
        self._head = _head_places(self._examination)
        self._declaration = declaration_of(self._examination)
        self._root = root_element(self._examination.head_text)
        self._format()
        self._text_xml()
        self._disagreement()
        for witness, label in self._labels():
            self._label(witness, label)
        self._octets()
        self._utf8()
        self._beginning()
        self._grammar()
        self._names()
        self._policies()
        self._file()

    # -- the header -----------------------------------------------------------------------------------

    def _header(self, label: str | None) -> str:
        return header_fix(self._facts, root_element(self._examination.head_text), label)

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
                place = self._at_label(self._facts.declared)
                fix = declaration_fix(declaration_of(examination), right_label(examination) or "UTF-8")
            elif row.id.startswith("1."):
                place = _head_places(examination).at(0, self._facts.body.start)
            else:
                fix = self._header(right_label(examination))
            self._add(f"rule-{row.id}", place, fix=fix, rule=verdict.rule, why=row.why)

    def _format(self) -> None:
        media_type, root = self._facts.media_type, self._root
        known = FEED_TYPES.get((root or "").lower())
        if known is None or media_type not in FEED_TYPES.values() or media_type == known:
            return
        if media_type == "application/rss+xml" and root == "RDF":
            return  # RSS 1.0
        fix = self._header(right_label(self._examination))
        self._add("media-type-of-another-format", fix=fix, media_type=media_type, root=root)

    def _text_xml(self) -> None:
        facts = self._facts
        if facts.media_class != "TEXT-XML" or facts.charset is not None:
            return
        others = self._examination.verdicts["rfc7303"].encoding or "nothing"
        fix = self._header(right_label(self._examination))
        self._add("text-xml-without-charset", fix=fix, media_type=facts.media_type, others=others)

    # -- witnesses against each other -----------------------------------------------------------------

    def _disagreement(self) -> None:
        facts, right = self._facts, right_label(self._examination)
        charset, declared = _known(facts.charset), _known(facts.declared)
        if charset and declared and not _agree(charset, declared):
            header = right is not None and not _agree(charset, lookup(right) or charset)
            fix = self._header(right) if header else declaration_fix(self._declaration, charset.name)
            self._add(
                "charset-and-declaration",
                self._at_label(facts.declared),
                fix=fix,
                charset=charset.name,
                declared=declared.name,
            )
        agreeing = (facts.bom, family_of(facts.bom))
        refused = self._examination.verdicts[self._examination.policy].row
        if facts.bom and charset and refused is None and charset.name not in agreeing:
            fix = self._header(right)
            self._add("bom-and-charset", self._at(0, 0), fix=fix, bom=facts.bom, charset=charset.name)

    # -- single labels --------------------------------------------------------------------------------

    def _labels(self) -> Iterator[tuple[str, str]]:
        if self._facts.charset:
            yield "the Content-Type", self._facts.charset
        if self._facts.declared:
            yield "the declaration", self._facts.declared

    def _label(self, witness: str, label: str) -> None:
        meant, right = lookup(label, lenient=True), right_label(self._examination) or "UTF-8"
        place = self._at_label(label) if witness == "the declaration" else None
        shown = {"witness": witness, "label": quoted(label)}
        if meant is None:
            self._add("label-unknown", place, fix=self._fix(witness, right), **shown)
        elif meant.refused:
            self._add("label-refused", place, fix=self._fix(witness, right), why=meant.refused, **shown)
        elif lookup(label) is None:
            self._add("label-misspelt", place, fix=self._fix(witness, meant.name), name=meant.name, **shown)
        elif label.strip().lower() not in _REGISTERED and meant.name in IANA:
            self._add(
                "label-unregistered", place, fix=self._fix(witness, meant.name), name=meant.name, **shown
            )

    def _fix(self, witness: str, label: str) -> str:
        if witness == "the Content-Type":
            return self._header(label)
        return declaration_fix(self._declaration, label)

    # -- labels against octets ------------------------------------------------------------------------

    def _octets(self) -> None:
        """The labels name what the octets cannot be."""
        verdict, shape = stated_verdict(self._examination), shape_of(self._examination.facts)
        if verdict.row is not None or (shape is not None and shape == self._facts.bom):
            return
        known = lookup(verdict.encoding or "")
        if known is None or known.refused or (verdict.charset and fits_shape(verdict.charset, shape)):
            return
        fix = label_fix(self._examination, right_label(self._examination) or "UTF-8")
        shown = "ASCII-compatible" if shape in (None, "ASCII") else shape
        self._add("octets-contradict-label", self._at(0), fix=fix, name=known.name, shape=shown)

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
        elif body.high is not None and examination.main_charset.name == "UTF-8" and not self._facts.bom:
            for witness, label in self._labels():
                charset = _known(label)
                if charset and charset.family in ("single", "CJK", "US-ASCII"):
                    declared = witness == "the declaration"
                    place = self._at_label(label) if declared else examination.first_high
                    fix = self._fix(witness, "UTF-8")
                    self._add("plainly-utf-8", place, fix=fix, witness=witness, label=quoted(label))

    # -- the document's beginning ---------------------------------------------------------------------

    def _beginning(self) -> None:
        facts, text = self._examination.facts, self._examination.head_text
        length = BOM_LENGTH[self._facts.bom]
        if facts.body.start > length:
            declared = self._declaration is not None
            what = "white space, or a second BOM, stands" if declared else "a BOM stands where it is text, or"
            self._add("before-declaration", self._at(0, length), what=what)
        covered = [match.span() for match in _TEXT.finditer(text, 0, BEGINNING)]
        for match in _DECLARATION.finditer(text, 1, BEGINNING):
            if not any(start <= match.start() < end for start, end in covered):
                self._add("before-declaration", self._at(match.start()), what="other content stands")
                break

    def _grammar(self) -> None:
        flaws = self._declaration.flaws if self._declaration else ()
        if self._examination.head_text.startswith("<?xml?"):
            flaws = ("the version is missing",)
        if flaws:
            label = right_label(self._examination) or "UTF-8"
            fix = declaration_fix(self._declaration, label)
            self._add("declaration-grammar", self._at(0), fix=fix, flaws="; ".join(flaws))

    def _names(self) -> None:
        """Encodings that are right, and not what should be published."""
        charset, facts = self._examination.main_charset, self._facts
        if charset.family in ("UTF-16", "UTF-32") and facts.bom is None:
            named = [known.name for known in (_known(facts.charset), _known(facts.declared)) if known]
            if charset.name not in named:
                self._add("utf-16-without-bom", self._at(0))
        stated = charset if charset.family == "UTF-8" else _known(self._examination.resolution.encoding)
        if stated is not None and browser_lookup(stated.name) is None:
            fix = declaration_fix(self._declaration, "UTF-8")
            self._add("encoding-obscure", fix=fix, name=stated.name)

    # -- readers against each other -------------------------------------------------------------------

    def _policies(self) -> None:
        one, other = self._readings["rfc3023"], self._readings["rfc7303"]
        chosen = self._readings[self._examination.policy]
        place = self._examination.policies_differ()
        refused = "refuses" in (one.outcome, other.outcome)
        if chosen.outcome == "refuses" or (place is None and not refused):
            return
        fix = self._header(right_label(self._examination))
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
        label = right_label(self._examination)
        fix = declaration_fix(self._declaration, label) if label else None
        self._add("file-differs", place, fix=fix, one=_told(alone, place, "s"))

    # -- places in the head ---------------------------------------------------------------------------

    def _at(self, index: int, offset: int | None = None) -> Place:
        places = _head_places(self._examination)
        return places.at(index, places.offset(index) if offset is None else offset)

    def _at_label(self, label: str | None) -> Place:
        """The place of a label in the declaration; the document's beginning where it has none."""
        declaration = declaration_of(self._examination)
        if label is None or declaration is None or declaration.start < 0:
            return self._at(0)
        index = self._examination.head_text.rfind(label, declaration.start, declaration.end)
        return self._at(max(index, 0))


def _head_places(examination: Examination) -> Places:
    """Places in the head, which the document's own may have forgotten."""
    places, start = Places(), examination.facts.body.start
    voice = Voice(examination.main_charset, lenient=True, offset=start)
    piece = voice.read(examination.head[start:], False)
    places.push(piece.offset, piece.text, voice.engine.width)
    return places


def _known(label: str | None) -> Charset | None:
    """What a label names, leniently, where it may be decoded."""
    charset = lookup(label or "", lenient=True)
    return charset if charset is not None and not charset.refused else None


def _agree(one: Charset, other: Charset) -> bool:
    """The same charset, or the one is the other with its byte order."""
    generic = one.name in ("UTF-16", "UTF-32") or other.name in ("UTF-16", "UTF-32")
    return one.name == other.name or (generic and one.family == other.family)


def _told(reading: Reading, place: Place | None, ending: str = "") -> str:
    """What a reader does, as the rest of a sentence."""
    if reading.outcome == "refuses":
        return f"refuse{ending} it (rule {reading.rule})"
    stops = reading.outcome == "stops" and place is not None and reading.offset == place.offset
    and_stop = f" and stop{ending} there" if stops else ""
    return f"take{ending} {quoted(reading.encoding or '')[1:-1]} (rule {reading.rule}){and_stop}"
