"""What the page shows about a document: the decision, the readings, the findings, the repaired copy.

Runs in the browser, in Pyodide. It imports nothing that Pyodide does not have: no lxml, no requests. Whether
a document is well-formed expat judges there.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from xml.parsers import expat

from pasted_input import unpacked

from feedcharset import Finding, Reading, Report, ResolutionError, check, decode
from feedcharset.evidence.declaration import parse_declaration
from feedcharset.validate.file_charset import has_signature
from feedcharset.validate.finding_catalogue import NOT_PARSED
from feedcharset.validate.reading_comparison import TYPE_OF_ROOT, root_element

__all__ = ["SHOWN_TEXT", "document_report", "media_type_of", "repaired_document"]

SHOWN_TEXT = 4_000
"""Characters of the text that the page shows: a screen or two."""

_BEFORE, _AFTER = 24, 48
"""Characters of a reading that are shown before and after its first difference: a line on a phone."""

_SHOWN_BYTES = 16
"""Bytes of a finding that are shown, half as many before and after it."""

_IN_LETTER = 5
"""Findings in the text for the publisher: more are not read."""

_FIRST_WORD = re.compile(r"^[a-z](?=[a-z]*[ ,])")
"""The letter that becomes a capital in a sentence: not that of "text/xml"."""

_TITLED = 16 * 1024
"""Characters in which the title is looked for."""

_TITLE = re.compile(
    r"<!--[^-]*+(?:-(?!->)[^-]*+)*+-->"
    r"|<(?:[\w-]{1,32}:)?title(?:\s[^>]{0,200})?>\s*+(?:<!\[CDATA\[\s*+([^\]<]{1,200})|([^<]{1,200}))"
)
"""A comment, in which a title is none; a title, in a CDATA section or not."""

_REST_OF_DECLARATION = re.compile(
    r"(?:[\s?/\"'-]++|[\w.]++\s*+=\s*+(?:\"[^\"<>]*+\"?+|'[^'<>]*+'?+|[^\s<>?\"']*+))*+>?"
)
"""Behind the part of a declaration that can be read."""

_CHANGED = ("bytes", "cesu-8", "utf-8", "xml-chars")
"""Repairs of which each place of the copy is to be compared."""

_CONSUMERS = {
    "rfc3023": ("Readers by RFC 3023", "The rules of 2001: text/xml without a charset is US-ASCII."),
    "rfc7303": ("Readers by RFC 7303", "The rules in force since 2014: a BOM outranks the charset."),
    "no-http": ("XML parsers, from a file", "They see no Content-Type. Some do not know each encoding."),
    "lenient": ("Lenient readers", "This library: the right text even where a label is wrong."),
}
_STRICT_OPTIONS: dict[str, dict[str, Any]] = {
    "rfc3023": {"lenient": False, "policy": "rfc3023"},
    "rfc7303": {"lenient": False, "policy": "rfc7303"},
    "no-http": {"lenient": False, "policy": "rfc3023"},
}


def document_report(body: bytes, content_type: str | None) -> dict[str, Any]:
    """Return everything that the page shows, as plain dicts, lists, strings and numbers.

    Args:
        body: the document.
        content_type: the field's value; "": an HTTP message without it; None: no HTTP.
    """
    report = check(body, content_type=content_type)
    body = unpacked(body)  # as `check` reads it
    decoded = decode(body, content_type, declaration="keep")
    changed = dict(decode(body, content_type, declaration="keep", xml_chars="replace").repairs.kinds)
    refused = any(finding.code in NOT_PARSED for finding in report.findings) or not _is_parsed(decoded.text)
    resolution = decoded.resolution
    no_xml = any(finding.code == "no-xml" for finding in report.findings)
    is_document = report.resolution is not None and not no_xml and not _is_binary(decoded.text)
    return {
        "is_document": is_document,
        "errors": sum(finding.severity == "error" for finding in report.findings),
        "warnings": sum(finding.severity == "warning" for finding in report.findings),
        "encoding": resolution.encoding,
        "rule": resolution.rule,
        "why": resolution.explain().partition("\n")[0],
        "explained": resolution.explain(),
        "title": _title(decoded.text),
        "steps": [step._asdict() for step in resolution.steps],
        "facts": _facts(resolution.facts),
        "findings": [finding._asdict() | {"bytes": _bytes_at(body, finding)} for finding in report.findings],
        "letter": _letter(report, content_type, refused) if is_document else "",
        "readings": [_reading(one, body, content_type, decoded.text, refused) for one in report.readings],
        "text": decoded.text[:SHOWN_TEXT],
        "more": max(0, len(decoded.text) - SHOWN_TEXT),
        "changed": sum(changed.get(kind, 0) for kind in _CHANGED),
    }


def media_type_of(body: bytes) -> str:
    """Return the media type of a document by its root; that of RSS where it is no other feed's."""
    try:
        root = root_element(decode(unpacked(body)).text)
    except ValueError:  # it unpacks to more than the limits, or is cut: `check` shows it
        root = None
    return TYPE_OF_ROOT.get((root or "").lower(), "application/rss+xml")


def _is_parsed(text: str) -> bool:
    """Return True where expat parses a text, with the declaration that it has."""
    try:
        expat.ParserCreate("utf-8").Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError:
        return False
    return True


def _is_binary(text: str) -> bool:
    """Return True where the text begins as no text does, as that of UTF-16 that is read as UTF-8."""
    begins = re.match(r"[\0- \x7f]*+<[A-Za-z!?]", text) is not None
    return not begins and has_signature(text[:SHOWN_TEXT].encode("latin-1", "replace"))


def _bytes_at(body: bytes, finding: Finding) -> dict[str, Any] | None:
    """Return the bytes around a finding in hexadecimal: offset, those before it, its own, those after it."""
    if finding.offset is None:
        return None
    end = max(finding.offset + 1, min(finding.end_offset or 0, finding.offset + _SHOWN_BYTES))
    start = max(0, finding.offset - _SHOWN_BYTES // 2)
    parts = body[start : finding.offset], body[finding.offset : end], body[end : end + _SHOWN_BYTES // 2]
    return {"start": start, "parts": [part.hex(" ").upper() for part in parts]}


def _letter(report: Report, content_type: str | None, refused: bool) -> str:
    """Return a text for the publisher: what is wrong, where, and what to change; "" where nothing is."""
    wrong = [one for severity in ("error", "warning") for one in report.findings if one.severity == severity]
    if not wrong:
        return ""
    how = f" (it is sent with Content-Type: {content_type})" if content_type else ""
    alike = all(reading.outcome == "same" for reading in report.readings)
    what = "is shown with wrong characters, or refused, by some"
    if alike:
        what = "has faults for which XML parsers refuse it" if refused else "has faults"
    lines, fixes = [f"Your feed{how} {what}. Please change:", ""], set()
    for number, finding in enumerate(wrong[:_IN_LETTER], 1):
        place = f" (line {finding.line}, column {finding.column})" if finding.line else ""
        lines.append(f"{number}. {_FIRST_WORD.sub(lambda word: word[0].upper(), finding.message)}{place}")
        if finding.fix and finding.fix not in fixes:
            fixes.add(finding.fix)
            is_text = finding.fix_kind == "replace" or finding.fix.startswith(("<?xml", "Content-"))
            lines.append(f"   {'Change to' if is_text else 'How'}: {finding.fix}")
        if finding.spec:
            lines.append(f"   See: {finding.spec}")
    if len(wrong) > _IN_LETTER:
        lines.append(f"... and {len(wrong) - _IN_LETTER} more.")
    return "\n".join(lines) + "\n"


def repaired_document(body: bytes, content_type: str | None) -> tuple[bytes, str, bool]:
    """Return the document as UTF-8, the header to send it with, and whether `check` finds it clean.

    The XML declaration says UTF-8. Characters that XML forbids are U+FFFD.
    """
    text = decode(unpacked(body), content_type, xml_chars="replace", declaration="keep").text
    declaration = parse_declaration(text)
    if declaration is not None:
        rest = None if declaration.closed else _REST_OF_DECLARATION.match(text, declaration.stop)
        new = _utf8_declaration(declaration.version, declaration.standalone)
        text = new + text[rest.end() if rest else declaration.stop :]
    data = text.encode("utf-8", "replace")
    header = f"{TYPE_OF_ROOT.get((root_element(text) or '').lower(), 'application/xml')}; charset=utf-8"
    findings = check(data, content_type=header).findings
    return data, header, all(finding.severity == "info" for finding in findings)


def _utf8_declaration(version: str | None, standalone: str | None) -> str:
    version = version if version in ("1.0", "1.1") else "1.0"
    last = f' standalone="{standalone}"' if standalone in ("yes", "no") else ""
    return f'<?xml version="{version}" encoding="UTF-8"{last}?>'


def _title(text: str) -> str:
    found = next((one for one in _TITLE.finditer(text[:_TITLED]) if one.lastindex), None)
    if found is None:
        return ""
    return (found[1] or unescape(found[2])).strip()


def _facts(facts: Any) -> list[tuple[str, str]]:
    """Return what was seen, as pairs for people."""
    content_type = facts.content_type
    if not content_type:
        content_type = "not known (no HTTP)" if content_type is None else "absent"
    first = facts.body.first_non_ascii
    return [
        ("Byte order mark", facts.bom or "none"),
        ("First bytes", facts.guess or "no XML declaration"),
        ("Encoding in the XML declaration", facts.declared or "none"),
        ("Content-Type", content_type),
        ("charset parameter", "none" if facts.charset is None else facts.charset or "empty"),
        ("First non-ASCII byte", "none" if first is None else f"at byte {first}"),
    ]


def _reading(
    reading: Reading, body: bytes, content_type: str | None, right: str, refused: bool
) -> dict[str, Any]:
    """Return a reading with its first wrong place as the reader shows it; `refused` by XML parsers."""
    title, about = _CONSUMERS.get(reading.consumer, (reading.consumer, ""))
    shown = reading._asdict() | {"title": title, "about": about, "excerpt": "", "caret": 0}
    if refused and reading.outcome == "same" and reading.consumer != "lenient":
        shown["outcome"] = "refuses"
        shown["why"] = "the encoding is right, but XML parsers refuse the document: see what to change"
    if refused and reading.outcome == "differs":
        shown["why"] = "XML parsers refuse the document, whatever its encoding is: see what to change"
    if reading.outcome == "differs":
        shown["excerpt"], shown["caret"] = _difference(reading.consumer, body, content_type, right)
    return shown


def _difference(consumer: str, body: bytes, content_type: str | None, right: str) -> tuple[str, int]:
    """Return a consumer's text around its first difference from the right text, and where that is in it."""
    options = _STRICT_OPTIONS.get(consumer)
    if options is None:
        return "", 0
    known = None if consumer == "no-http" else content_type
    try:
        text = decode(body, known, errors="replace", declaration="keep", **options).text
    except ResolutionError:
        return "", 0
    text, right = (one.lstrip(" \t\r\n") for one in (text, right))  # lenient reading has none of it
    at = next((i for i, (a, b) in enumerate(zip(text, right, strict=False)) if a != b), len(right))
    start = max(0, text.rfind("\n", 0, at) + 1, at - _BEFORE)
    end = text.find("\n", at)
    return text[start : min(at + _AFTER, end if end >= 0 else len(text))], at - start
