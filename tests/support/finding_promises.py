"""What a finding promises (a true fix, a true silence), computed for one document.

A fix is done literally: the header is sent, the declaration is written, the bytes are converted. lxml and
expat are the judges. They get the charset of the Content-Type, as HTTP clients pass it on, but for a document
with a BOM, which outranks it.

Exceptions, each for a reason:

1. Where every label names another charset than the real one, and the bytes do not contradict it, only a
   person can see that the text is wrong. A fix that repeats such a label is not blamed for the text.
2. GNU libiconv, and so libxml2, reads DB of Mac Roman as ¤, as it was before 1998; it is € since.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple
from xml.parsers import expat

from lxml import etree

from feedcharset import Finding, Report, check, decode
from feedcharset.charsets.lookup import lookup
from feedcharset.cli.repair import refusal
from feedcharset.validate.document_check import NotFixed, check_stream, fix_document

__all__ = [
    "Document",
    "broken_agreement",
    "broken_fixes",
    "broken_honesty",
    "broken_silence",
    "broken_verdicts",
    "parsed",
]

BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_DECLARATION = re.compile(r"\A\s*<\?[xX][mM][lL]\s[^<]*?(?:\?>|(?=<))\s*")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;\"',]+)", re.IGNORECASE)
_TEXTS = ("title", "description")


class Document(NamedTuple):
    """A document, and what is known about it."""

    name: str
    body: bytes
    content_type: str | None
    codec: str
    """The Python codec of its bytes, without the BOM."""
    charset: str = ""
    """Its name; "" where it is not known."""
    text: tuple[str, ...] | None = None
    """The texts of its titles and descriptions as they were meant; None where they are not known."""
    right: bool = False
    """Every label on it is right, and registered."""


class Parsed(NamedTuple):
    """What a parser gives."""

    text: tuple[str, ...] | None
    """None where it refuses the document."""
    about_encoding: bool = False
    """It refuses the document because of its encoding or its declaration."""


# libxml2: xmlerror.h; unknown and unsupported encoding, encoding name, invalid bytes, invalid character, the
# parts of the XML declaration, a reserved name.
_LIBXML2_ENCODING = {6, 9, 31, 32, 55, 56, 57, 64, 79, 80, 81, 94, 95, 96, 97, 101, 108, 1544, 6003}
_EXPAT_ENCODING = {
    expat.errors.codes[getattr(expat.errors, name)]
    for name in (
        "XML_ERROR_UNKNOWN_ENCODING",
        "XML_ERROR_INCORRECT_ENCODING",
        "XML_ERROR_XML_DECL",
        "XML_ERROR_MISPLACED_XML_PI",
        "XML_ERROR_PARTIAL_CHAR",
    )
}


def by_lxml(body: bytes, encoding: str | None) -> Parsed:
    """What lxml gives."""
    try:
        root = etree.fromstring(body, etree.XMLParser(encoding=encoding, resolve_entities=False))
    except etree.XMLSyntaxError as error:
        return Parsed(None, error.code in _LIBXML2_ENCODING)
    except (LookupError, ValueError):
        return Parsed(None, True)
    return Parsed(tuple(element.text or "" for element in root.iter(*_TEXTS)))


def by_expat(body: bytes, encoding: str | None) -> Parsed:
    """What expat gives, through Python's binding."""
    parser, texts, path = expat.ParserCreate(encoding), [], []

    def start(name: str, _: object) -> None:
        path.append(name)
        if name in _TEXTS:
            texts.append("")

    def characters(text: str) -> None:
        if path and path[-1] in _TEXTS:
            texts[-1] += text

    parser.StartElementHandler, parser.CharacterDataHandler = start, characters
    parser.EndElementHandler = lambda _: path.pop()
    try:
        parser.Parse(body, True)
    except expat.ExpatError as error:
        return Parsed(None, error.code in _EXPAT_ENCODING)
    except (LookupError, ValueError):
        return Parsed(None, True)
    return Parsed(tuple(texts))


def parsed(body: bytes, content_type: str | None) -> dict[str, Parsed]:
    """What both parsers give."""
    sent = _CHARSET.search(content_type or "")
    encoding = sent[1] if sent and not body.startswith(BOMS) else None
    return {"lxml": by_lxml(body, encoding), "expat": by_expat(body, encoding)}


# -- three commands, one judgement ------------------------------------------------------------------------


def broken_agreement(document: Document, report: Report) -> Iterator[str]:
    """Where `check` names `repair`, it does not refuse; and --fix leaves the text that `decode` gives."""
    body, content_type = document.body, document.content_type
    named = any("`feedcharset repair` does" in (finding.fix or "") for finding in report.findings)
    if named and (reason := refusal(body)):
        yield f"{document.name}: check names repair, which refuses: {reason}"
    report, comparison = check_stream(BytesIO(body), content_type)
    try:
        fixed = fix_document(body, content_type, report, comparison, lambda one: one.findings)
    except NotFixed:
        return
    texts = [decode(one, content_type).text for one in (body, fixed.data if fixed else body)]
    before, after = (_DECLARATION.sub("", text.lstrip("\ufeff\r\n ")) for text in texts)
    if before != after:
        yield f"{document.name}: --fix changes the text"


# -- a fix, done literally --------------------------------------------------------------------------------


def fixed(document: Document, finding: Finding) -> tuple[bytes, str | None] | None:
    """The document and its Content-Type after the fix; None for a fix that is not about these."""
    body, fix = document.body, finding.fix or ""
    match finding.fix_kind:
        case "content-type":
            return body, fix.removeprefix("Content-Type: ")
        case "declaration":
            return _declared(body, fix, document.codec), document.content_type
        case "convert" | "unknown-encoding":
            sent = re.search(r"Content-Type: (.*)", fix)
            text = _DECLARATION.sub('<?xml version="1.0" encoding="UTF-8"?>\n', _meant(document))
            return text.encode(), sent[1] if sent else document.content_type
        case "remove-bom":
            return _without_bom(body), document.content_type
        case "remove":
            size, offset = map(int, re.findall(r"[0-9]+", fix))
            return body[:offset] + body[offset + size :], document.content_type
        case "replace" if _has(document.codec, fix):
            for offset in reversed(finding.offsets):
                end = offset + (finding.end_offset or 0) - (finding.offset or 0)
                body = body[:offset] + fix.encode(document.codec) + body[end:]
            return body, document.content_type
    return None


def _has(codec: str, text: str) -> bool:
    """Return True where a charset has these characters; under a misleading label a fix may name others."""
    try:
        text.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


def _meant(document: Document) -> str:
    """The text as its publisher has it; for a document of unknown text as lenient reading has it."""
    if document.charset:
        body = document.body
        while _bom(body):  # a lying one before its own
            body = _without_bom(body)
        return body.decode(document.codec)
    return decode(document.body, document.content_type, declaration="keep").text


def _bom(body: bytes) -> bytes:
    return next((bom for bom in BOMS if body.startswith(bom)), b"")


def _without_bom(body: bytes) -> bytes:
    return body[len(_bom(body)) :]


def _declared(body: bytes, declaration: str, codec: str) -> bytes:
    """The bytes with another declaration."""
    bom, rest = _bom(body), _without_bom(body)
    if codecs.encode("<?", codec) == b"<?":  # also where some bytes do not decode
        text = _DECLARATION.sub("", rest.decode("latin-1"))
        return bom + f"{declaration}\n{text}".encode("latin-1")
    text = _DECLARATION.sub("", rest.decode(codec, "replace"))
    return bom + f"{declaration}\n{text}".encode(codec)


# -- the promises -----------------------------------------------------------------------------------------


def broken_fixes(document: Document, report: Report) -> Iterator[str]:
    """Sentences about fixes that are not true."""
    for finding in report.findings:
        result = fixed(document, finding) if finding.fix else None
        if result is not None:
            for reason in _broken_fix(document, report, finding, *result):
                yield f"{document.name}: {finding.code}: {finding.fix}: {reason}"


def _broken_fix(
    document: Document, report: Report, finding: Finding, body: bytes, content_type: str | None
) -> Iterator[str]:
    """A fix removes the finding and adds no error; lxml and expat open the document, with the right text."""
    after = check(body, content_type=content_type)
    if (body, content_type) == (document.body, document.content_type):
        yield "it changes nothing"
    if any((one.code, one.message) == (finding.code, finding.message) for one in after.findings):
        yield "the finding stays"
    errors = {one.code for one in after.findings if one.severity == "error"}
    yield from (f"new error {code}" for code in errors - {one.code for one in report.findings})
    if errors or any(one.code == "encoding-unsupported" for one in after.findings):
        return  # another finding has the fix for what is left
    text = document.text
    if finding.fix_kind not in ("convert", "unknown-encoding") and _misleads(document, report):
        text = None
    for parser, result in parsed(body, None if finding.fix_kind == "declaration" else content_type).items():
        if result.text is None and (document.text is not None or result.about_encoding):
            yield f"{parser} refuses the document"
        elif result.text is not None and text is not None and not _same(result.text, text, document.charset):
            yield f"{parser} reads another text"


def _same(found: tuple[str, ...], meant: tuple[str, ...], charset: str) -> bool:
    if charset == "macintosh":
        found = tuple(text.replace("¤", "€") for text in found)
    return found == meant


def _misleads(document: Document, report: Report) -> bool:
    """Return True where the document has labels, and every known one names another charset than the real one.

    If the bytes do not contradict such a label, only a person can see that the text is wrong.
    """
    if report.resolution is None or not document.charset:
        return False
    facts, real = report.resolution.facts, lookup(document.charset)
    labels = [lookup(label or "", lenient=True) for label in (facts.charset, facts.declared)]
    known = [label for label in labels if label is not None and not label.refused]
    return bool(known) and all(real is not None and label.superset != real.superset for label in known)


def broken_silence(document: Document, report: Report) -> Iterator[str]:
    """Sentences about what is wrong and not reported as a warning or an error."""
    if report.clean:
        for reading in report.readings:
            if reading.outcome != "same":
                yield f"{document.name}: {reading.consumer} {reading.outcome}, and no finding"
        for content_type in {None, document.content_type}:
            for parser, result in parsed(document.body, content_type).items():
                if result.text is None and result.about_encoding:
                    yield f"{document.name}: {parser} refuses the encoding, and no finding"


def broken_verdicts(document: Document, report: Report) -> Iterator[str]:
    """Sentences about text that lxml refuses, though no finding is an error."""
    if report.ok and report.resolution is not None and not document.body.startswith(b"\x1f\x8b"):
        text = decode(document.body, document.content_type).text
        try:
            etree.fromstring(text.encode(), etree.XMLParser(encoding="utf-8", resolve_entities=False))
        except etree.XMLSyntaxError as error:
            yield f"{document.name}: lxml refuses the text ({error}), and no finding is an error"


def broken_honesty(document: Document, report: Report) -> Iterator[str]:
    """Sentences about warnings and errors for a correct document in a charset that every parser knows."""
    if not document.right:
        return
    results = [*parsed(document.body, None).values(), *parsed(document.body, document.content_type).values()]
    if all(result.text == document.text for result in results):
        for finding in report.findings:
            if finding.severity != "info":
                yield f"{document.name}: {finding.severity} {finding.code}: {finding.message}"
