"""Findings about the document as a whole: its labels, its encoding, its beginning, and its readers.

They are made when the document has been read to its end. Labels are the Content-Type, the BOM and the XML
declaration, each by itself and one against another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from webencodings import lookup as browser_lookup

from feedcharset.charsets.labels import labels_by_source
from feedcharset.charsets.lookup import lookup
from feedcharset.decide.strict_decision import family_of
from feedcharset.evidence.alphabets import TAGGED
from feedcharset.evidence.content_type import EXTERNAL_TYPES, parse_content_type
from feedcharset.evidence.declaration import VERSION_MISSING
from feedcharset.evidence.document_head import byte_form, fits_form
from feedcharset.results.explanation import counted
from feedcharset.results.report import Reading
from feedcharset.validate.finding_catalogue import FindingList, quoted
from feedcharset.validate.fixes import Fix, Fixes
from feedcharset.validate.parser_labels import parsers_without
from feedcharset.validate.reading_comparison import (
    FACTS_HEAD,
    TYPE_OF_ROOT,
    ReadingComparison,
    StrictAnswer,
    agree,
    is_plainly_utf8,
    is_unnamed,
    known,
    labelled_answer,
)
from feedcharset.validate.text_blocks import Position
from feedcharset.validate.well_formedness import DECLARATION_ANYHOW
from feedcharset.validate.western_words import letters_of_dos

IN_HEADER = "the Content-Type"
IN_DECLARATION = "the declaration"

ITUNES = "http://www.itunes.com/dtds/podcast-1.0.dtd"
"""The namespace of iTunes elements; Apple's podcast directory requires UTF-8."""

# IANA has these labels for charsets of their own; the Encoding Standard has them for larger charsets.
_ALSO_REGISTERED = """ks_c_5601-1987 iso-ir-149 ks_c_5601-1989 ksc_5601 korean csksc56011987
    gb_2312-80 iso-ir-58 chinese csiso58gb231280"""
_IANA = labels_by_source()["IANA"]
_REGISTERED = {
    *map(str.lower, _IANA),
    *(label for labels in _IANA.values() for label in labels),
    *_ALSO_REGISTERED.split(),
}


class DocumentFindings:
    """The findings of one document."""

    def __init__(self, comparison: ReadingComparison, fixes: Fixes, findings: FindingList) -> None:
        self._comparison = comparison
        self._fixes = fixes
        self._add = findings.add
        self._facts = comparison.strict_facts

    def of_header(self, *, is_xml: bool = True) -> None:
        """Findings about the rules and the Content-Type.

        `is_xml`: the body is not HTML, an archive or nothing; for these no header is right.
        """
        self._rules(is_xml)
        field = self._facts.content_type or ""
        if field and (flaws := content_type_flaws(field)):
            fix = self._fixes.header(changes=True) if is_xml else None
            self._add("content-type-grammar", fix=fix, flaws="; ".join(flaws))

    def of_document(self, readings: tuple[Reading, ...]) -> None:
        """All others."""
        self._format()
        self._charset()
        for origin, label in self._labels():
            self._label(origin, label)
        self._contradiction()
        self._guess()
        self._wrong_page()
        self._parsers()
        self._choice()
        self._before()
        self._grammar()
        of = {reading.consumer: reading for reading in readings}
        self._policies(of)
        self._file(of)

    # -- places -------------------------------------------------------------------------------------------

    def _labels(self) -> Iterator[tuple[str, str]]:
        """The labels that are not empty, each with the place where it stands."""
        if self._facts.charset:
            yield IN_HEADER, self._facts.charset
        if self._facts.declared:
            yield IN_DECLARATION, self._facts.declared

    def _at(self, index: int = 0, length: int = 1) -> Position:
        """The position of characters of the head; of the first one."""
        return self._comparison.head_block.at(index, index + length)

    def _at_bytes(self, start: int, end: int) -> Position:
        """The position of bytes before the text: of a BOM, or of what precedes the declaration."""
        first = self._at()
        last = (first.line, first.column) if end == first.offset else (1, 1)
        return first._replace(
            offset=start, line=1, column=1, end_offset=end, end_line=last[0], end_column=last[1]
        )

    def _at_bom(self) -> Position:
        return self._at_bytes(0, self._comparison.bom_length)

    def _at_declaration(self) -> Position:
        """The position of the XML declaration; of the first character where there is none."""
        end = self._comparison.head_block.text.find("?>") + 2
        return self._at(0, end) if self._comparison.declaration is not None and end > 2 else self._at()

    def _at_label(self, label: str | None) -> Position:
        """The position of a label in the declaration; of the first character where it has none."""
        declaration = self._comparison.declaration
        if label is None or declaration is None or declaration.start < 0:
            return self._at()
        index = self._comparison.head_block.text.rfind(label, declaration.start, declaration.end)
        return self._at(index, len(label)) if index >= 0 else self._at()

    def _place_and_fix(self, origin: str, label: str) -> tuple[Position | None, Fix | None]:
        """Where a label stands in the document, and what to write there; for an origin of "" as well."""
        if origin == IN_DECLARATION:
            return self._at_label(label), self._fixes.declaration()
        return None, self._fixes.label()

    # -- labels -------------------------------------------------------------------------------------------

    def _rules(self, is_xml: bool) -> None:
        """Rows that are errors: by the policy, and for a parser without HTTP."""
        comparison, fixes = self._comparison, self._fixes
        rows: dict[str, StrictAnswer] = {}
        for answer in (comparison.answers[comparison.policy], comparison.answers["no-http"]):
            if answer.row is not None:
                rows.setdefault(answer.row.id, answer)
        for row, answer in rows.items():
            position = None
            if row in ("1.4", "1.6", "1.7-declared"):
                position = self._at_label(self._facts.declared)
            elif row.startswith("1."):
                position = self._at_bom()
            if not is_xml:
                fix = None
            elif row.startswith("1."):
                fix = fixes.bom_or(fixes.declaration())
            else:
                fix = fixes.header()
            self._add(f"rule-{row}", position, fix=fix, rule=answer.reading.rule, why=answer.reading.why)

    def _format(self) -> None:
        media_type, root = self._facts.media_type, self._comparison.root
        proper = TYPE_OF_ROOT.get((root or "").lower())
        if proper is None or media_type not in TYPE_OF_ROOT.values() or media_type == proper:
            return
        if media_type == "application/rss+xml" and root == "RDF":
            return  # RSS 1.0
        fix = self._fixes.header(changes=True)
        self._add("media-type-of-another-format", fix=fix, media_type=media_type, root=root)

    def _charset(self) -> None:
        """That of the header, beside the declaration and the BOM."""
        facts = self._facts
        if facts.media_class == "TEXT-XML" and facts.charset is None:
            others = self._comparison.answers["rfc7303"].reading.encoding or "nothing"
            fix = self._fixes.header(changes=True)
            self._add("text-xml-without-charset", fix=fix, media_type=facts.media_type, others=others)
        charset, declared = known(facts.charset), known(facts.declared)
        if charset and declared and not agree(charset, declared):
            fixes, right = self._fixes, lookup(self._fixes.right.label or "")
            if right is None or agree(declared, right):
                fix = fixes.header()
            else:
                fix = fixes.declaration() if agree(charset, right) else fixes.convert(header=True)
            self._add(
                "charset-and-declaration",
                self._at_label(facts.declared),
                fix,
                charset=charset.name,
                declared=declared.name,
            )
        agreeing = (facts.bom, family_of(facts.bom))
        refused = self._comparison.answers[self._comparison.policy].row
        if facts.bom and charset and refused is None and charset.name not in agreeing:
            fix = self._fixes.bom_or(self._fixes.header())
            self._add("bom-and-charset", self._at_bom(), fix, bom=facts.bom, charset=charset.name)

    def _label(self, origin: str, label: str) -> None:
        meant, values = lookup(label, lenient=True), {"origin": origin, "label": quoted(label)}
        if meant is None:
            code = "label-unknown"
        elif meant.refused:
            code, values["why"] = "label-refused", meant.refused
        elif lookup(label) is None:
            code, values["name"] = "label-misspelt", meant.name
        elif label.strip().lower() not in _REGISTERED and meant.name in _IANA:
            code, values["name"] = "label-unregistered", meant.name
        else:
            return
        position, fix = self._place_and_fix(origin, label)
        self._add(code, position, fix, **values)

    # -- the encoding -------------------------------------------------------------------------------------

    def _contradiction(self) -> None:
        """The label names an encoding that the bytes cannot be in."""
        answer, form = labelled_answer(self._comparison), byte_form(self._comparison.facts)
        if form is not None and form == self._facts.bom:
            return
        charset = lookup(answer.reading.encoding or "")
        if charset is None or charset.refused or (answer.charset and fits_form(answer.charset, form)):
            return
        labelled = any(True for _ in self._labels()) and answer.reading.rule not in ("1.0", "2.0/1.0")
        self._add(
            "octets-contradict-label",
            self._at(),
            self._fixes.label(),
            label=f"the label is {charset.name}" if labelled else f"without a label this is {charset.name}",
            shape="ASCII-compatible" if form in (None, "ASCII") else form,
        )

    def _guess(self) -> None:
        """No label names the encoding, or the document is in two encodings."""
        comparison, fixes, body = self._comparison, self._fixes, self._comparison.facts.body
        if fixes.mixed and fixes.western:
            sequences = counted((body.utf8.sequences or 0) if body.utf8 else 0, "UTF-8 sequence")
            runs = counted(body.utf8.damaged if body.utf8 else 0, "run")
            self._add(
                "mixed-encodings",
                comparison.first_non_ascii,
                fixes.convert(),
                name=comparison.resolution.encoding,
                what=f"{sequences}, {runs} of other bytes",
            )
        elif fixes.mixed or is_unnamed(comparison):
            damaged = " with other bytes" if comparison.main_charset.family == "UTF-8" else ""
            guess = f"{quoted(comparison.resolution.encoding)}{damaged}"
            position = comparison.first_undecodable or comparison.first_non_ascii
            self._add("encoding-unnamed", position, fixes.label(), guess=guess)

    def _wrong_page(self) -> None:
        """A legacy label, although the bytes are UTF-8, or are in the Windows page of the label's script."""
        comparison = self._comparison
        body, sibling = comparison.facts.body, comparison.facts.body.sibling
        is_utf8 = body.first_non_ascii is not None and is_plainly_utf8(comparison) and not self._facts.bom
        for origin, label in self._labels():
            charset = known(label)
            if charset is None:
                continue
            if is_utf8 and charset.family in ("single", "CJK", "ISO-2022-JP", "US-ASCII"):
                code, name = "plainly-utf-8", "UTF-8"
            elif sibling is not None and (charset.name, comparison.main_charset.name) == sibling[:2]:
                code, name = "label-sibling", sibling.sibling
            elif charset.superset == comparison.main_charset.superset == "windows-1252" and (
                found := letters_of_dos(comparison.sample, comparison.head[:TAGGED])
            ):
                code, name = "letters-of-dos", found.label
            else:
                continue
            position, fix = self._place_and_fix(origin, label)
            position = position or comparison.first_non_ascii
            fix = fix if code != "letters-of-dos" else None  # the page is only guessed
            self._add(code, position, fix, origin=origin, label=quoted(label), name=name)

    def _parsers(self) -> None:
        """A label, or an encoding, that usual parsers cannot open."""
        if is_unnamed(self._comparison):
            return
        charset = self._comparison.main_charset
        found = [(*one, parsers) for one in self._labels() if (parsers := parsers_without(one[1]))]
        if not found and charset.family in ("UTF-16", "UTF-32", "UCS-4", "EBCDIC"):
            found = [("", charset.name, parsers)] if (parsers := parsers_without(charset.name)) else []
        for origin, label, parsers in found:
            position, fix = self._place_and_fix(origin, label)
            encoding = f"{origin} names {quoted(label)}" if origin else f"the document is in {label}"
            self._add("encoding-unsupported", position, fix, parsers=" and ".join(parsers), encoding=encoding)

    def _choice(self) -> None:
        """UTF-16 and UTF-32 without a BOM; encodings that are right, but that should not be published."""
        charset, facts = self._comparison.main_charset, self._facts
        if charset.family in ("UTF-16", "UTF-32") and facts.bom is None:
            named = (known(facts.charset), known(facts.declared))
            if charset.name not in [label.name for label in named if label is not None]:
                self._add("utf-16-without-bom", self._at())
        stated = known(self._comparison.resolution.encoding)
        if stated is None:
            return
        if browser_lookup(stated.name) is None and not is_unnamed(self._comparison):
            self._add("encoding-obscure", None, self._fixes.whole(), name=stated.name)
        head = self._comparison.head_block.text
        if stated.family not in ("UTF-8", "US-ASCII") and head.find(ITUNES, 0, FACTS_HEAD) >= 0:
            self._add("itunes-not-utf-8", None, self._fixes.whole(), name=stated.name)

    # -- the beginning ------------------------------------------------------------------------------------

    def _before(self) -> None:
        """What stands before the declaration."""
        comparison, fixes = self._comparison, self._fixes
        length, start = comparison.bom_length, comparison.facts.body.start
        if start > length:
            what, behind = "a BOM that is text stands", "root element"
            if comparison.declaration is not None:
                what, behind = "white space, or a second BOM, stands", "XML declaration"
            position = self._at_bytes(length, start)
            self._add("before-declaration", position, fixes.before_document(), what=what, behind=behind)
        misplaced = comparison.head_block.misplaced_declaration
        if misplaced is not None:
            position = self._at(misplaced.start(), len(misplaced[0]))
            what, behind = "other content stands", "XML declaration"
            if comparison.declaration is not None:
                what, behind = "a document, or a part of one, stands", "second XML declaration"
            self._add("before-declaration", position, what=what, behind=behind)

    def _grammar(self) -> None:
        """The declaration, and its version."""
        declaration, fixes = self._comparison.declaration, self._fixes
        flaws = declaration.flaws if declaration else ()
        text = self._comparison.head_block.text
        begin = DECLARATION_ANYHOW.match(text)
        if declaration and "\x85" in text[: declaration.stop] and self._comparison.facts.guess != "EBCDIC":
            flaws += ("U+0085 is no white space",)
        if begin and begin[1]:
            flaws = (f"white space stands between <? and {begin[2]}",)
        elif begin and begin[0] == "<?xml?":
            flaws = (VERSION_MISSING,)
        elif begin and begin[2] != "xml":
            flaws = (f"it begins with <?{begin[2]}, which is reserved; only <?xml is a declaration",)
        if self._facts.media_type in EXTERNAL_TYPES:
            flaws = tuple(flaw for flaw in flaws if flaw != VERSION_MISSING)
        if flaws:
            position = self._at_declaration()
            fix = fixes.declaration(changes=True)
            self._add("declaration-grammar", position, fix, flaws="; ".join(flaws))
        if declaration is not None and declaration.version == "1.1":
            self._add("xml-1.1", self._at_declaration())

    # -- consumers against each other ---------------------------------------------------------------------

    def _policies(self, of: dict[str, Reading]) -> None:
        one, other = of["rfc3023"], of["rfc7303"]
        position = self._comparison.policies_differ()
        refused = "refuses" in (one.outcome, other.outcome)
        if of[self._comparison.policy].outcome == "refuses" or (position is None and not refused):
            return
        stops = (self._comparison.position_of(one) for one in (one, other) if one.outcome == "stops")
        position = min(filter(None, (position, *stops)), default=None)
        described = {"one": _described(one, position), "other": _described(other, position)}
        self._add("policies-differ", position, self._fixes.bom_or(self._fixes.header()), **described)

    def _file(self, of: dict[str, Reading]) -> None:
        alone, chosen = of["no-http"], of[self._comparison.policy]
        if self._facts.content_type is None or self._facts.declared is not None:
            return
        if chosen.outcome == "refuses" or alone[3:] == chosen[3:]:
            return
        position = self._comparison.position_of(alone)
        self._add("file-differs", position, self._fixes.declaration(), one=_described(alone, position, "s"))


def _described(reading: Reading, position: Position | None, ending: str = "") -> str:
    """What a consumer does, as the rest of a sentence."""
    if reading.outcome == "refuses":
        return f"refuse{ending} it (rule {reading.rule})"
    stops = reading.outcome == "stops" and position is not None and reading.offset == position.offset
    and_stop = f" and stop{ending} there" if stops else ""
    return f"take{ending} {quoted(reading.encoding or '')[1:-1]} (rule {reading.rule}){and_stop}"


# -- the grammar of Content-Type ----------------------------------------------------------------------------
#
#   media-type      = type "/" subtype parameters                       RFC 9110 §8.3.1
#   parameters      = *( OWS ";" OWS [ parameter ] )                    §5.6.6
#   parameter       = parameter-name "=" parameter-value
#   parameter-value = ( token / quoted-string )
#   quoted-string   = DQUOTE *( qdtext / quoted-pair ) DQUOTE           §5.6.4
#
# What is read is wider: evidence/content_type names the tolerances.

_FIELD_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]++"
_FIELD_QUOTED = r'"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*+"'
_FIELD_PARAMETER = rf";[ \t]*+(?:({_FIELD_TOKEN})=(?:{_FIELD_TOKEN}|{_FIELD_QUOTED}))?"
_PARAMETER = re.compile(_FIELD_PARAMETER)
_MEDIA_TYPE = re.compile(rf"[ \t]*+{_FIELD_TOKEN}/{_FIELD_TOKEN}(?:[ \t]*+{_FIELD_PARAMETER})*+")
_FIELD_END = re.compile(r"[ \t]*+\Z")


def content_type_flaws(value: str) -> tuple[str, ...]:
    """What the grammar does not allow, one sentence each; () where the field is in grammar."""
    flaws = parse_content_type(value, lenient=True).tolerances
    match = _MEDIA_TYPE.match(value)
    at = match.end() if match else 0
    names = [name.lower() for name in _PARAMETER.findall(value, 0, at)]
    if not flaws and (match is None or not _FIELD_END.match(value, at)):
        flaws = (f"it cannot be read from character {at + 1} on",)
    if names.count("charset") > 1:
        flaws += ("the charset stands twice; the first one counts",)
    return flaws
