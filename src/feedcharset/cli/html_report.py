"""A self-contained HTML page: what a document is, who reads which text, and the findings. No script.

Text from outside is escaped, and its control characters are made visible. The page loads nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html import escape
from importlib.resources import files

from feedcharset import __version__
from feedcharset.charsets.lookup import Charset
from feedcharset.charsets.undecodable_bytes import UNDECODABLE_BYTE
from feedcharset.cli.report_formats import CheckedSource, summary
from feedcharset.evidence.content_type import parse_content_type
from feedcharset.results import Resolution
from feedcharset.results.explanation import visible
from feedcharset.results.report import Finding, Reading
from feedcharset.validate.reading_comparison import CONSUMERS, ReadingComparison, describe_reading, read_head

ROW = 16
"""Bytes in a row of hexadecimal numbers, as `hexdump -C` shows them."""

ROWS = 8
"""Rows from the beginning: 128 bytes hold the BOM and nearly every declaration."""

ROWS_AROUND = 2
"""Rows before and after the first non-ASCII byte, where that is further on."""

TEXT_BEFORE_PLACE, TEXT_AFTER_PLACE = 60, 120
"""Characters of the text before and after the place that is shown."""


def html_page(checked: Sequence[CheckedSource]) -> str:
    """The page for all sources."""
    names = "feedcharset check" if len(checked) != 1 else f"feedcharset: {_text(checked[0].source)}"
    page, style = (
        files("feedcharset.cli").joinpath(name).read_text(encoding="utf-8")
        for name in ("html_page.html", "html_style.css")
    )
    return page.format(
        title=names,
        style=style,
        summary=summary(checked),
        sections="\n".join(_source(one) for one in checked),
        version=__version__,
    )


def _text(value: str) -> str:
    """Outside text for HTML: control characters, bidirectional controls and surrogates are escaped."""
    return escape(visible(value))


def _source(checked: CheckedSource) -> str:
    parts = [f"<h2>{_text(checked.source)}</h2>"]
    report, view = checked.report, checked.view
    if report is None:
        return "<section>" + parts[0] + f'<p class="error">{_text(checked.error)}</p></section>'
    resolution = report.resolution
    if resolution is not None:
        parts.append(f'<p class="answer">{_text(resolution.explain().splitlines()[0])}</p>')
    parts += _findings(report.findings)
    if resolution is not None and view is not None:
        parts += _readings(view, report.readings)
        parts += _first_bytes(view)
        parts += _content_type(resolution)
        parts += _ladder(resolution)
    return "<section>" + "\n".join(parts) + "</section>"


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    yield "<h3>Findings</h3>"
    if not findings:
        yield "<p>Nothing found.</p>"
    for finding in findings:
        place = ""
        if finding.offset is not None:
            place = f"line {finding.line}, column {finding.column} (byte {finding.offset})"
        times = f", {finding.count:,} times" if finding.count > 1 else ""
        yield f'<article class="{finding.severity}"><h4>{finding.severity}: <code>{finding.code}</code></h4>'
        yield f"<p>{_text(finding.message)}</p>"
        if place:
            yield f'<p class="place">{place}{times}</p>'
        if finding.excerpt:
            yield f"<pre>{_marked_excerpt(finding)}</pre>"
        if finding.fix:
            yield f"<p>Fix: <code>{_text(finding.fix)}</code></p>"
        if finding.spec:
            yield f'<p class="spec">{_text(finding.spec)}</p>'
        yield "</article>"


def _marked_excerpt(finding: Finding) -> str:
    length = 1
    if finding.line == finding.end_line and finding.column is not None and finding.end_column is not None:
        length = max(1, finding.end_column - finding.column)
    before, rest = finding.excerpt[: finding.caret], finding.excerpt[finding.caret :]
    return f"{_text(before)}<mark>{_text(rest[:length])}</mark>{_text(rest[length:])}"


def _readings(view: ReadingComparison, readings: tuple[Reading, ...]) -> Iterator[str]:
    """Each consumer, what it does, and its text around the first place where one differs, differences marked;
    around the first non-ASCII byte where none does. No text where that is beyond the head."""
    place, lenient = view.first_non_ascii, ""
    offsets = [reading.offset for reading in readings if reading.offset is not None]
    offset = min(offsets) if offsets else place.offset if place is not None else view.facts.body.start
    if shown := offset < len(view.head):
        lenient = _around(view.main_charset, True, view, offset)
    sentences = {consumer.id: consumer.sentence for consumer in CONSUMERS}
    yield '<h3>What each consumer reads</h3><div class="consumers">'
    for reading in readings:
        title, what = describe_reading(reading)
        yield f'<article class="{reading.outcome}"><h4>{_text(title)}</h4>'
        yield f'<p class="spec">{_text(sentences[reading.consumer])}</p><p>{_text(what)}</p>'
        answer = view.answers.get(reading.consumer)
        text = lenient
        if shown and answer is not None:
            text = _around(answer.charset, False, view, offset) if answer.charset is not None else ""
        if text:
            yield f"<pre>{_marked(lenient, text)}</pre>"
        yield "</article>"
    yield "</div>"


def _marked(lenient: str, characters: str) -> str:
    """The characters; marked are those that differ from the lenient text."""
    matcher = SequenceMatcher(None, lenient, characters, autojunk=False)
    same = {at for block in matcher.get_matching_blocks() for at in range(block.b, block.b + block.size)}
    marked = (
        _text(char) if at in same else f"<mark>{_text(char)}</mark>" for at, char in enumerate(characters)
    )
    return "".join(marked).replace("</mark><mark>", "")


def _first_bytes(view: ReadingComparison) -> Iterator[str]:
    """The first rows of the document, and those around its first non-ASCII byte, if that is in the head."""
    yield "<h3>Bytes</h3><p>"
    yield '<span class="bom">BOM</span> <span class="declaration">XML declaration</span> '
    yield '<span class="non-ascii">non-ASCII byte</span></p><div class="scroll"><table class="bytes">'
    head, place, start = view.head, view.first_non_ascii, view.facts.body.start
    end = view.head_block.text.find("?>") + 2
    declared = view.head_block.offset(end) if view.declaration is not None and end >= 2 else 0
    kinds = ["non-ascii" if byte > 0x7F else "" for byte in head]
    kinds[start:declared] = ["declaration"] * len(kinds[start:declared])
    kinds[: view.bom_length] = ["bom"] * view.bom_length
    rows = set(range(ROWS))
    if place is not None and place.offset < len(head):
        row = place.offset // ROW
        rows |= set(range(max(0, row - ROWS_AROUND), row + ROWS_AROUND + 1))
    for at in sorted(row * ROW for row in rows if row * ROW < len(head)):
        data = head[at : at + ROW]
        pairs = zip(data, kinds[at : at + ROW], strict=True)
        cells = "".join(f'<td class="{kind}">{byte:02X}</td>' for byte, kind in pairs)
        shown = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in data)
        blank = "<td></td>" * (ROW - len(data))
        yield f"<tr><th>{at}</th>{cells}{blank}<td><code>{escape(shown)}</code></td></tr>"
    yield "</table></div>"


def _content_type(resolution: Resolution) -> Iterator[str]:
    facts = resolution.facts
    yield "<h3>Content-Type</h3>"
    if facts.content_type is None:
        yield "<p>None: the document is a file, or the transport has no headers.</p>"
        return
    if not facts.content_type:
        yield "<p>The HTTP message has no Content-Type.</p>"
        return
    flaws = parse_content_type(facts.content_type).tolerances
    rows = (
        ("field", facts.content_type),
        ("media type", facts.media_type or "none"),
        ("class", facts.media_class),
        ("charset", facts.charset if facts.charset is not None else "none"),
        ("tolerated", "; ".join(flaws) or "nothing"),
    )
    yield "<dl>" + "".join(f"<dt>{name}</dt><dd>{_text(value)}</dd>" for name, value in rows) + "</dl>"


def _ladder(resolution: Resolution) -> Iterator[str]:
    yield '<h3>Rules and steps</h3><ol class="ladder">'
    for step in resolution.steps:
        encoding = f" <code>{_text(step.encoding)}</code>" if step.encoding else ""
        spec = f' <span class="spec">{_text(step.spec)}</span>' if step.spec else ""
        head = f"<b>{_text(step.id)}</b> {_text(step.verdict)}{encoding}"
        yield f'<li class="{_text(step.verdict)}">{head}: {_text(step.why)}{spec}</li>'
    yield "</ol>"


def _around(charset: Charset | None, lenient: bool, comparison: ReadingComparison, offset: int) -> str:
    """The text of the head around a byte."""
    assert charset is not None
    block = read_head(comparison, charset, lenient=lenient)
    index, text = block.index(offset), UNDECODABLE_BYTE.sub("\ufffd", block.text)
    start = max(text.rfind("\n", 0, index) + 1, text.rfind("\r", 0, index) + 1, index - TEXT_BEFORE_PLACE, 0)
    return re.split("[\r\n]", text[start : index + TEXT_AFTER_PLACE], maxsplit=1)[0]
