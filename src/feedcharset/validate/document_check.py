"""`check`: findings about a document's encoding, markup and media type, and the document without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from feedcharset.charsets.lookup import by_name
from feedcharset.decide.lenient_principles import is_mixture
from feedcharset.decide.published_tables import Policy
from feedcharset.decide.resolve import check_options
from feedcharset.evidence.content_type import EXTERNAL_TYPES, as_field
from feedcharset.evidence.declaration import PLACEHOLDER
from feedcharset.evidence.detector import Detector
from feedcharset.evidence.document_head import BINARY_FORMATS
from feedcharset.fetch.limits import Limits
from feedcharset.reading.sources import is_gzip_file, open_source
from feedcharset.results import Decoded
from feedcharset.results.explanation import visible
from feedcharset.results.report import Finding, FixKind, Report
from feedcharset.text.options import has_ftfy
from feedcharset.text.xml_decoder import decode
from feedcharset.text.xml_text import XML_NAME, XML_SPACE
from feedcharset.validate.document_findings import DocumentFindings
from feedcharset.validate.finding_catalogue import FindingList
from feedcharset.validate.fixes import PRIVATE_USE, Fix, Fixes
from feedcharset.validate.mojibake_findings import may_hold
from feedcharset.validate.reading_comparison import ReadingComparison, has_stray_escapes, known
from feedcharset.validate.text_blocks import SourceBlocks, misplaced_declaration
from feedcharset.validate.text_findings import TextFindings, numbered_references, utf8_in_charset
from feedcharset.validate.well_formedness import FORBIDDEN_CHARACTER, is_well_formed

if TYPE_CHECKING:
    import requests

FINDINGS_OF_A_CODE = 100
"""Findings of one code: more than a person reads."""

_NO_FTFY = "mojibake is not looked for: ftfy is not installed; pip install ftfy"
_NOT_CODED = "send no Content-Encoding"
_BODIES = {"empty": "body-empty", "HTML": "body-html"}


def check(
    source: Any,
    *,
    content_type: str | bytes | None = None,
    policy: Policy = "rfc3023",
    limit: int = FINDINGS_OF_A_CODE,
    detector: Detector | None = "letters",
    closefd: bool = True,
    session: requests.Session | None = None,
    headers: Mapping[str, str] | None = None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> Report:
    """Find what is wrong with the encoding and the media type of a document of any size, in constant memory.

    Args:
        source: whatever `XmlReader` takes.
        content_type: overrides what the source says; "" stands for an HTTP message without the field.
        policy: "rfc3023" or "rfc7303": the rules whose errors are errors here.
        limit: findings of one code. What is beyond them is counted by one more finding.
        detector: as in `XmlReader`; what it answers is in the message of `encoding-unnamed`, never in a fix.
        closefd: close the stream that was given.
        session, headers, limits: for URLs (limits for responses, too).

    Returns:
        The findings: what concerns the whole document first, then by position. Offsets are bytes from the
        first byte of the source (in gzip: of the content); lines and columns are those of the source, in
        characters.

    Raises:
        FetchError: the URL could not be fetched. OSError: the file could not be opened, or the stream failed.
        TypeError, ValueError: a source or an option of the wrong kind. No document raises anything.
    """
    check_options(policy, None, detector)
    if not hasattr(limit, "__index__"):
        raise TypeError(f"limit must be a number of findings, an int; not {type(limit).__name__}")
    if limit < 0:
        raise ValueError(f"limit is {limit}; pass a number of findings, 0 or more")
    field = as_field(content_type)
    opened = open_source(source, session, headers, limits)
    try:
        field = opened.content_type if field is None else field
        comparison = ReadingComparison(SourceBlocks(opened.stream), field, policy, detector)
        return _without_findings(comparison) or _report(comparison, limit, is_gzip_file(opened))
    finally:
        if opened.owned or closefd:
            opened.stream.close()


def check_stream(
    stream: Any,
    content_type: str | None,
    policy: str = "rfc3023",
    limit: int = FINDINGS_OF_A_CODE,
    *,
    is_gzip_file: bool = False,
) -> tuple[Report, ReadingComparison]:
    """Check a binary stream, which is read to its end and not closed; return the readings, too.

    `is_gzip_file`: the stream is a file that is stored compressed, also where there is a Content-Type.
    """
    comparison = ReadingComparison(SourceBlocks(stream), content_type, policy, "letters")
    return _report(comparison, limit, is_gzip_file), comparison


def _without_findings(comparison: ReadingComparison) -> Report | None:
    """The report on a document in UTF-8 like others that had no findings, if its text has none; None where
    that is not certain. It takes half of the time that the rest of a check takes for 20 KB."""
    piece = comparison.whole_utf8()
    if (
        piece is None
        or comparison.source.gzip
        or comparison.source.not_applied
        or (0xEF in piece.data and ("\ufffd" in piece.text or piece.has_noncharacter))
        or (0x23 in piece.data and numbered_references(piece.text, len(piece.text)))
        or may_hold(piece, piece.text, "", c1=True)
        or not is_well_formed(piece)
    ):
        return None
    return Report((), comparison.resolution, comparison.readings())


def _report(comparison: ReadingComparison, limit: int, is_gzip_file: bool) -> Report:
    blocks, content_type = comparison.source, comparison.strict_facts.content_type
    findings = FindingList(comparison.block, limit)
    fixes = Fixes(comparison)
    document = DocumentFindings(comparison, fixes, findings)
    if blocks.gzip:
        if content_type is None or is_gzip_file:
            findings.add("gzip-file")
        else:
            findings.add("gzip-body", fix=Fix("content-encoding", "Content-Encoding: gzip"))
    if blocks.not_applied:
        findings.add("coding-not-applied", fix=Fix("content-encoding", _NOT_CODED), coding=blocks.not_applied)
    kind = comparison.facts.body.kind
    if kind is not None and comparison.facts.media_type != "application/xhtml+xml":
        findings.add(_BODIES.get(kind, "body-binary"), kind=BINARY_FORMATS.get(kind))
        if blocks.flaw:
            findings.add("gzip-broken", why=blocks.flaw)
        document.of_header(is_xml=False)
        return Report(findings.findings(None), None)
    text = TextFindings(comparison, findings)
    for piece, labelled, final in comparison.read():
        text.look(piece, labelled, final)
    if blocks.flaw:
        findings.add("gzip-broken", why=blocks.flaw)
    if blocks.is_damaged:
        findings.groups.pop("not-well-formed", None)  # the end may be missing
    if comparison.facts.media_type in EXTERNAL_TYPES:
        for code in ("not-well-formed", "no-xml", "undeclared-entity"):
            findings.groups.pop(code, None)
    if "mixed-encodings" in findings.groups:
        comparison.has_utf8 = "mojibake" not in findings.groups
        if not comparison.has_utf8 or fixes.right.advice == "unknown":
            del findings.groups["mixed-encodings"]
    readings, known = comparison.readings(), comparison.kind
    if known not in comparison.without_findings:
        document.of_header()
        document.of_document(readings)
    if "mojibake" in findings.groups and fixes.right.advice == "unknown":
        findings.groups.pop("mojibake", None)  # it would be that of a wrong reading
    found = findings.findings(fixes)
    if "mojibake" in findings.unsearched and not has_ftfy():
        found = (Finding("mojibake", "info", _NO_FTFY), *found)
    if "no-xml" in findings.groups:  # no label makes XML of it
        about_xml = ("content-type", "declaration", "convert")
        found = tuple(
            one._replace(fix=None, fix_kind=None) if one.fix_kind in about_xml else one for one in found
        )
    report = Report(found, comparison.resolution, readings)
    if known is not None and not report.findings:
        comparison.without_findings.add(known)
    return report


def compare_readings(stream: Any, content_type: str | None, policy: str = "rfc3023") -> ReadingComparison:
    """Read a document for the lenient decision and for what each kind of consumer reads, without findings."""
    comparison = ReadingComparison(SourceBlocks(stream), content_type, policy, "letters")
    for _ in comparison.read():
        pass
    return comparison


# -- the document without its findings ----------------------------------------------------------------------

CERTAIN = ("declaration", "convert", "remove-bom", "remove")
"""The kinds of fixes that change the document and need no knowledge of its publisher."""

UNCHANGED = ("before-document", "bom")
"""The kinds of repairs that leave the characters of the document as they are."""

_BEGINS_AS_XML = re.compile(
    rf"\s*+<(?:(?!xml\s[^<>]*+(?<=[?])>)[^\s<>?]|[?](?![xX][mM][lL][\s?]){XML_NAME}(?:{XML_SPACE}|[?]>))"
)
"""Not with a misspelt declaration, which parsers refuse behind another one, too."""
_DECLARATION_MARKUP = re.compile(rf"\A<\?{XML_SPACE}*+[xX][mM][lL][ \t\r\n?][^<>]*+>")


class NotFixed(Exception):
    """A fix that a finding names is not certain; the message says why."""

    def __init__(self, message: str, *, stray: bool = False) -> None:
        super().__init__(message)
        self.stray = stray
        """The document is UTF-8 with other bytes in it, which `repair` may convert."""


class FixedDocument(NamedTuple):
    """A document before and after its fixes."""

    data: bytes
    before: str
    """The text of the document as it is, with its declaration."""
    after: str
    converted_from: str | None
    """The encoding that it was in, where it was converted to UTF-8."""


def fix_document(
    data: bytes,
    content_type: str | None,
    report: Report,
    comparison: ReadingComparison,
    wanted: Callable[[Report], Sequence[Finding]],
    *,
    again: bool = True,
) -> FixedDocument | None:
    """Apply the fixes that are certain; None where no finding has one.

    A fix is certain where the document begins as XML, its encoding is known, nothing in the text has to be
    guessed, and a check of the result shows the same text, without the findings and without new ones.

    `wanted` returns the findings of a report that are to be fixed. `again`: what only the changed document
    shows is fixed, too; one fault may hide another.

    Raises:
        NotFixed: a finding names a fix that is not certain, or that not all of the document allows.
    """
    chosen = wanted(report)
    kinds = {finding.fix_kind for finding in chosen}
    if kinds.isdisjoint((*CERTAIN, "unknown-encoding")):
        if "replace" in kinds:
            stray = any((one.code, one.fix_kind) == ("undecodable", "replace") for one in chosen)
            raise NotFixed("characters are not replaced", stray=stray)
        return None
    decoded = decode(data, content_type, declaration="keep")
    _check_certain(data, decoded, kinds)
    if "convert" in kinds and (found := [one for one in report.findings if one.code == "mojibake"]):
        raise NotFixed("text in it is mojibake" if found[0].offset is not None else found[0].message)
    fixes, declaration, name = Fixes(comparison), None, None
    if "convert" in kinds:
        declaration = fixes.declared("UTF-8")
        name = decoded.resolution.encoding if decoded.resolution.encoding != "UTF-8" else None
    elif "declaration" in kinds:
        declaration = fixes.declared(fixes.right.label or "UTF-8")
    text = _declared(decoded.text, declaration)
    changed = text.encode() if name is not None else _in_place(data, declaration, comparison)
    fixed = FixedDocument(changed, decoded.text, text, name)
    after, comparison = check_stream(BytesIO(changed), content_type)
    is_true, more = _is_true(fixed, after, content_type, report, chosen), None
    with suppress(NotFixed):
        more = fix_document(changed, content_type, after, comparison, wanted, again=False) if again else None
    if more is not None and _body(more.after) == _body(text):
        last = check(more.data, content_type=content_type)
        both = FixedDocument(more.data, decoded.text, more.after, name or more.converted_from)
        if _is_true(both, last, content_type, report, chosen):
            return both
    if is_true:
        return fixed
    header = next((one.fix for one in after.findings if one.fix_kind == "content-type"), None)
    too = f"; it takes another header, too: {header}" if header else ""
    raise NotFixed(f"what --fix can write does not remove the findings{too}")


def _check_certain(data: bytes, decoded: Decoded, kinds: set[FixKind | None]) -> None:
    own = _DECLARATION_MARKUP.match(decoded.text)
    if not _BEGINS_AS_XML.match(decoded.text, own.end() if own else 0):
        raise NotFixed("it does not begin as XML")
    if misplaced_declaration(decoded.text, len(decoded.text)) is not None:
        raise NotFixed("an XML declaration stands further down; remove what stands before it")
    if "unknown-encoding" in kinds:
        raise NotFixed("only its publisher knows its encoding")
    facts = decoded.resolution.facts
    if PLACEHOLDER.search(facts.declared or ""):
        raise NotFixed(f"it is a template, which fills in {visible(facts.declared or '')}")
    if has_stray_escapes(data, decoded.resolution, known(facts.declared), known(facts.charset)):
        raise NotFixed("it has escape sequences of ISO-2022-JP, and is not in it")
    charset, mixed = by_name(decoded.resolution.encoding), is_mixture(decoded.resolution)
    unmarked = not charset.ascii_compatible and facts.bom is None and facts.declared is None
    if unmarked and FORBIDDEN_CHARACTER.search(decoded.text):
        raise NotFixed("it holds binary data")
    if charset.family in ("single", "CJK") and not mixed and (found := utf8_in_charset(data, charset)):
        text = visible(found[1][:40])
        raise NotFixed(f"it is in {charset.name}, but at byte {found[0]} it has UTF-8: {text}")
    if any(kind not in UNCHANGED for kind, _ in decoded.repairs.kinds):
        raise NotFixed("bytes do not decode", stray=mixed or charset.name == "UTF-8")
    if "convert" in kinds and PRIVATE_USE.search(decoded.text):
        raise NotFixed(f"bytes are no characters of {decoded.resolution.encoding}")


def _declared(text: str, declaration: str | None) -> str:
    """The text with another declaration."""
    if declaration is None:
        return text
    old = _DECLARATION_MARKUP.match(text)
    return declaration + text[old.end() :] if old else f"{declaration}\n{text}"


def _in_place(data: bytes, declaration: str | None, comparison: ReadingComparison) -> bytes:
    """The bytes with another declaration, and without what does not belong before it."""
    charset, start = comparison.main_charset, comparison.facts.body.start
    own_bom = data[: comparison.bom_length] if comparison.facts.bom == charset.name else b""
    codec, errors = charset.codec or "utf-8", "surrogatepass"
    if charset.ascii_compatible:
        codec, errors = "latin-1", "strict"
    text = data[start:].decode(codec, errors)
    return own_bom + _declared(text, declaration).encode(codec, errors)


def _body(text: str) -> str:
    """The text without its declaration."""
    return _DECLARATION_MARKUP.sub("", text).lstrip()


def _is_true(
    fixed: FixedDocument, after: Report, content_type: str | None, report: Report, chosen: Sequence[Finding]
) -> bool:
    """Return True where the result has the same text, no new finding, and none that promised this fix."""
    codes = {finding.code for finding in after.findings if finding.severity != "info"}
    before = {finding.code for finding in report.findings if finding.severity != "info"}
    same = decode(fixed.data, content_type, declaration="keep").text == fixed.after
    promised = {(one.code, one.message) for one in chosen if one.fix_kind in CERTAIN}
    return same and codes <= before and promised.isdisjoint((one.code, one.message) for one in after.findings)
