"""The document after the fixes that are certain: the right declaration, or the conversion to UTF-8."""

from __future__ import annotations

import re
from typing import NamedTuple

from feedcharset.results.report import Finding, Report
from feedcharset.text.decode_in_memory import decode
from feedcharset.validate.document_check import check
from feedcharset.validate.reading_comparison import ReadingComparison

__all__ = ["FixedDocument", "fix_document"]

CERTAIN = ("declaration", "convert", "remove-bom", "remove")
"""The kinds of fixes that change the document and need no knowledge of its publisher."""

UNCHANGED = ("before-document", "bom")
"""The kinds of repairs that leave the characters of the document as they are."""

_DECLARATION = re.compile(r"\A<\?[xX][mM][lL]\s[^<>]*+>")


class FixedDocument(NamedTuple):
    """A document before and after its fixes."""

    data: bytes
    before: str
    """The text of the document as it is, with its declaration."""
    after: str
    converted_from: str | None
    """The encoding that it was in, where it was converted to UTF-8."""


def fix_document(
    data: bytes, content_type: str | None, report: Report, comparison: ReadingComparison
) -> FixedDocument | None:
    """Apply the fixes that are certain; None where there is none.

    A fix is certain where the encoding is known, nothing in the text has to be guessed, and a check of the
    result shows the same text, without the findings and without new ones.

    Args:
        data: the whole document, not compressed.
        content_type: the Content-Type that it was checked with.
        report: of the check.
        comparison: of the check.
    """
    fixes = [finding for finding in report.findings if finding.fix_kind in CERTAIN]
    unclear = any(finding.fix_kind == "unknown-encoding" for finding in report.findings)
    decoded = decode(data, content_type, declaration="keep")
    if not fixes or unclear or any(kind not in UNCHANGED for kind, _ in decoded.repairs.kinds):
        return None
    declaration = _declaration(fixes)
    text = _declared(decoded.text, declaration)
    name = None
    if any(finding.fix_kind == "convert" for finding in fixes):
        changed, name = text.encode(), decoded.resolution.encoding
    else:
        changed = _in_place(data, declaration, comparison)
    fixed = FixedDocument(changed, decoded.text, text, name)
    return fixed if changed != data and _is_true(fixed, content_type, report) else None


def _declaration(fixes: list[Finding]) -> str | None:
    """The declaration that the fixes name."""
    for finding in fixes:
        found = re.search(r"<\?xml [^<>]*\?>", finding.fix or "")
        if found:
            return found[0]
    return None


def _declared(text: str, declaration: str | None) -> str:
    """The text with another declaration."""
    if declaration is None:
        return text
    old = _DECLARATION.match(text)
    return declaration + text[old.end() :] if old else f"{declaration}\n{text}"


def _in_place(data: bytes, declaration: str | None, comparison: ReadingComparison) -> bytes:
    """The bytes with another declaration, and without what does not belong before it."""
    charset, bom = comparison.main_charset, comparison.facts.bom
    start = comparison.facts.body.start
    own_bom = data[: comparison.bom_length] if bom == charset.name else b""
    if charset.ascii_compatible:
        return own_bom + _declared(data[start:].decode("latin-1"), declaration).encode("latin-1")
    codec = charset.codec or "utf-8"
    text = data[start:].decode(codec, "surrogatepass")
    return own_bom + _declared(text, declaration).encode(codec, "surrogatepass")


def _is_true(fixed: FixedDocument, content_type: str | None, report: Report) -> bool:
    """Return True where the result has the same text and no new finding, and one finding less."""
    after = check(fixed.data, content_type=content_type)
    codes = {finding.code for finding in after.findings if finding.severity != "info"}
    before = {finding.code for finding in report.findings if finding.severity != "info"}
    same = decode(fixed.data, content_type, declaration="keep").text == fixed.after
    return same and codes <= before and len(after.findings) < len(report.findings)
