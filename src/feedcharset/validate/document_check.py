"""`check`: findings about a document's encoding and media type, for its publisher."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from feedcharset.decide.published_tables import Policy
from feedcharset.decide.resolve import check_options
from feedcharset.evidence.content_type import as_field
from feedcharset.evidence.detector import check_detector
from feedcharset.fetch.limits import Limits
from feedcharset.reading.sources import SourceOptions, is_gzip_file, open_source
from feedcharset.results.report import Report
from feedcharset.validate.document_findings import DocumentFindings
from feedcharset.validate.document_head import DocumentHead
from feedcharset.validate.encoding_findings import EncodingFindings
from feedcharset.validate.finding_list import FindingList
from feedcharset.validate.fixes import Fix, Fixes
from feedcharset.validate.label_findings import LabelFindings
from feedcharset.validate.reading_comparison import ReadingComparison
from feedcharset.validate.source_blocks import SourceBlocks
from feedcharset.validate.text_findings import TextFindings

if TYPE_CHECKING:
    from collections.abc import Mapping

    import requests

    from feedcharset.evidence.detector import Detector
    from feedcharset.reading.gzip_stream import DownloadLimits

__all__ = ["check", "check_stream", "compare_readings"]

LIMIT = 100
"""Findings of one code: more than a person reads."""

_BODIES = {"empty": "body-empty", "HTML": "body-html"}


def check(
    source: Any,
    *,
    content_type: str | bytes | None = None,
    policy: Policy = "rfc3023",
    limit: int = LIMIT,
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
        detector: as in `XmlReader`; what it suggests is in the message of `encoding-unnamed`, never in a fix.
        closefd: close the stream that was given.
        session, headers, limits: for URLs (limits for responses, too).

    Returns:
        The findings: what concerns the whole document first, then by position. Offsets are bytes from the
        first byte of the source (in gzip: of the content); lines and columns are characters of the text.

    Raises:
        FetchError: the URL could not be fetched. OSError: the file could not be opened, or the stream failed.
        TypeError, ValueError: a source or an option of the wrong kind. No document raises anything.
    """
    check_options(policy, None)
    if limit < 0:
        raise ValueError(f"limit is {limit}; pass a number of findings, 0 or more")
    field = as_field(content_type)
    opened = open_source(source, SourceOptions(session, headers, limits))
    try:
        field = opened.content_type if field is None else field
        return check_stream(
            opened.stream, field, policy, limit, detector, opened.download, is_gzip_file=is_gzip_file(opened)
        )[0]
    finally:
        if opened.owned or closefd:
            opened.stream.close()


def check_stream(
    stream: Any,
    content_type: str | None,
    policy: str = "rfc3023",
    limit: int = LIMIT,
    detector: Detector | None = "letters",
    download: DownloadLimits | None = None,
    *,
    is_gzip_file: bool = False,
) -> tuple[Report, ReadingComparison]:
    """Check a binary stream, which is read to its end and not closed.

    Args:
        stream, content_type, policy, limit, detector: as for `check`.
        download: the limits of a download.
        is_gzip_file: the stream is a file that is stored compressed, also where there is a Content-Type.

    Returns:
        The report, and the readings that it was made from.
    """
    blocks = SourceBlocks(stream, download)
    check_detector(detector)
    comparison = ReadingComparison(blocks, content_type, policy, detector)
    findings = FindingList(comparison.positions, limit)
    if blocks.gzip:
        if content_type is None or is_gzip_file:
            findings.add("gzip-file")
        else:
            findings.add("gzip-body", fix=Fix("content-encoding", "Content-Encoding: gzip"))
    kind = comparison.facts.body.kind
    if kind is not None and comparison.facts.media_type != "application/xhtml+xml":
        findings.add(_BODIES.get(kind, "body-binary"), kind=kind)
        head = DocumentHead(comparison)
        fixes = Fixes(comparison, head)
        LabelFindings(comparison, head, fixes, findings).of_header(is_xml=False)
        return Report(findings.findings(None), None), comparison
    comparison.run(TextFindings(comparison.positions, findings))
    if blocks.broken:
        findings.add("gzip-broken", why=f"data is damaged: {blocks.broken}")
    if blocks.exceeded:
        findings.add("gzip-broken", why=f"data is not read to its end: {blocks.exceeded}")
    if blocks.broken or blocks.exceeded:
        findings.drop("not-well-formed")  # the end is missing
    readings = comparison.readings()
    head = DocumentHead(comparison)
    fixes = Fixes(comparison, head)
    labels = LabelFindings(comparison, head, fixes, findings)
    labels.of_header()
    labels.of_document()
    EncodingFindings(comparison, head, fixes, findings).of_document()
    document = DocumentFindings(comparison, head, fixes, findings)
    document.of_beginning()
    document.of_readings(readings)
    if fixes.right.advice == "unknown":
        findings.drop("mojibake")  # it would be that of a wrong reading
    return Report(findings.findings(fixes), comparison.resolution, readings), comparison


def compare_readings(stream: Any, content_type: str | None, policy: str = "rfc3023") -> ReadingComparison:
    """Read a document for the lenient decision and for what each kind of consumer reads, without findings.

    Args:
        stream: a binary stream; it is read to its end and not closed.
        content_type: the field's value; None: there is no transport; "": no such field.
        policy: "rfc3023" or "rfc7303".

    Raises:
        OSError: the stream failed. No document raises anything.
    """
    comparison = ReadingComparison(SourceBlocks(stream), content_type, policy, "letters")
    comparison.run()
    return comparison
