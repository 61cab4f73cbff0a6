"""`check`: what a publisher should know about a document's encoding and media type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from feedcharset.decide.resolve import check_options
from feedcharset.fetch.limits import Limits
from feedcharset.reading.sources import Opened, Wish, open_source
from feedcharset.results.report import Report
from feedcharset.validate.document_findings import DocumentFindings
from feedcharset.validate.document_head import Head
from feedcharset.validate.finding_list import Collector
from feedcharset.validate.label_findings import LabelFindings
from feedcharset.validate.reading_comparison import Examination
from feedcharset.validate.source_blocks import Blocks
from feedcharset.validate.text_findings import Scanner

if TYPE_CHECKING:
    from collections.abc import Mapping

    import requests

__all__ = ["check", "examine"]

LIMIT = 100
"""Findings of one code: more than anybody reads."""

_BODIES = {"empty": "body-empty", "HTML": "body-html"}


def check(
    source: Any,
    *,
    content_type: str | None = None,
    policy: str = "rfc3023",
    limit: int = LIMIT,
    closefd: bool = True,
    session: requests.Session | None = None,
    headers: Mapping[str, str] | None = None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
) -> Report:
    """Examine a document of any size, in constant memory.

    Args:
        source: whatever `XmlReader` takes.
        content_type: overrides what the source says; "" stands for an HTTP message without the field.
        policy: "rfc3023" or "rfc7303": the rules whose errors are errors here.
        limit: findings of one code. What is beyond them is counted by one more finding.
        closefd: close the stream that was given.
        session, headers, limits: for URLs (limits for responses, too).

    Returns:
        The findings: what concerns the whole document first, then by their place. Offsets are bytes from the
        first byte of the source (of what a gzip source holds); lines and columns are characters of the text.

    Raises:
        FetchError: the URL could not be fetched. OSError: the file could not be opened, or the stream failed.
        TypeError, ValueError: a source or an option that makes no sense. Nothing because of the document.
    """
    check_options(policy, None)
    if limit < 0:
        raise ValueError(f"limit is {limit}; pass a number of findings, 0 or more")
    opened = open_source(source, Wish(session, headers, limits))
    try:
        return _check(opened, opened.content_type if content_type is None else content_type, policy, limit)
    finally:
        if opened.owned or closefd:
            opened.stream.close()


def _check(opened: Opened, content_type: str | None, policy: str, limit: int) -> Report:
    blocks = Blocks(opened.stream)
    examination = Examination(blocks, content_type, policy)
    collector = Collector(examination.places, limit)
    if blocks.gzip:
        if content_type is None:
            collector.add("gzip-file")
        else:
            collector.add("gzip-body", fix="Content-Encoding: gzip")
    kind = examination.facts.body.kind
    if kind is not None and examination.facts.media_type != "application/xhtml+xml":
        collector.add(_BODIES.get(kind, "body-binary"), kind=kind)
        LabelFindings(examination, Head(examination), collector).of_header()
        return Report(collector.findings(), None)
    examination.run(Scanner(examination.places, collector))
    if blocks.broken:
        collector.add("gzip-broken", why=blocks.broken)
    readings = examination.readings()
    head = Head(examination)
    labels = LabelFindings(examination, head, collector)
    labels.of_header()
    labels.of_document()
    document = DocumentFindings(examination, head, collector)
    document.of_document()
    document.of_readers(readings)
    return Report(collector.findings(), examination.resolution, readings)


def examine(stream: Any, content_type: str | None, policy: str = "rfc3023") -> Examination:
    """Read a document for the lenient decision, and for what each kind of consumer reads, without findings.

    Args:
        stream: a binary stream; it is read to its end and not closed.
        content_type: the field's value; None: the transport said nothing; "": no such field.
        policy: "rfc3023" or "rfc7303".

    Raises:
        OSError: the stream failed. Nothing because of the document.
    """
    examination = Examination(Blocks(stream), content_type, policy)
    examination.run()
    return examination
