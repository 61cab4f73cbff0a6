"""A self-contained HTML page: the findings, what each kind of consumer reads, and the decision. No script.

Text from outside is escaped, and its control characters are made visible. The page loads nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from feedcharset import __version__
from feedcharset.cli.report_formats import CheckedSource, excerpt_parts, place_of, summary
from feedcharset.results.explanation import visible
from feedcharset.results.report import Finding
from feedcharset.validate.reading_comparison import describe_reading


def html_page(checked: Sequence[CheckedSource], fail_on: str) -> str:
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
        sections="\n".join("\n".join(_source(one)) for one in checked),
        version=__version__,
    )


def _text(value: str) -> str:
    """Outside text for HTML: control characters, bidirectional controls and surrogates are escaped."""
    return escape(visible(value))


def _source(checked: CheckedSource) -> Iterator[str]:
    yield f"<section><h2>{_text(checked.source)}</h2>"
    report = checked.report
    if report is None:
        yield f'<p class="error">{_text(checked.error)}</p>'
    else:
        yield "<h3>Findings</h3>"
        for finding in report.findings:
            yield from _finding(finding)
        if not report.findings:
            yield "<p>Nothing found.</p>"
        if report.resolution is not None:
            yield '<h3>What each consumer reads</h3><div class="consumers">'
            for reading in report.readings:
                title, what = map(_text, describe_reading(reading))
                yield f'<article class="{reading.outcome}"><h4>{title}</h4><p>{what}</p></article>'
            decision = "\n".join(map(_text, report.resolution.explain().splitlines()))
            yield f"</div><h3>The decision</h3><pre>{decision}</pre>"
    yield "</section>"


def _finding(finding: Finding) -> Iterator[str]:
    times = f", {finding.count:,} times" if finding.count > 1 else ""
    yield f'<article class="{finding.severity}"><h4>{finding.severity}: <code>{finding.code}</code></h4>'
    yield f"<p>{_text(finding.message)}</p>"
    if finding.offset is not None:
        yield f'<p class="place">{place_of(finding)}{times}</p>'
    if finding.excerpt:
        before, found, after = map(_text, excerpt_parts(finding))
        yield f"<pre>{before}<mark>{found}</mark>{after}</pre>"
    if finding.fix:
        yield f"<p>Fix: <code>{_text(finding.fix)}</code></p>"
    if finding.spec:
        yield f'<p class="spec">{_text(finding.spec)}</p>'
    yield "</article>"
