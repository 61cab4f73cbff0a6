"""`feedcharset check`: findings for publishers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, BinaryIO, cast

import click

from feedcharset.cli.shared_options import content_type_option, policy_option
from feedcharset.cli.terminal import (
    EXIT_FINDINGS,
    EXIT_OK,
    EXIT_UNUSABLE,
    open_bytes,
    progress,
    report_error,
)
from feedcharset.results.display import visible

if TYPE_CHECKING:
    from feedcharset.results.report import Report

__all__ = ["check"]

HELP = """Find errors in the encoding and the media type of each SOURCE, with the position and the fix.

Error: a consumer that follows the specifications gets no text, or the wrong text. Warning: consumers may
read different text, or the text is probably not what was meant. Info: every consumer reads the document
correctly, but it can be improved. Lines and columns are characters of the text; offsets are bytes.

\b
Examples:
  feedcharset check https://example.org/feed.xml
  feedcharset check --content-type 'text/xml' build/*.xml
  feedcharset check --policy rfc7303 --fail-on error feed.xml
  feedcharset check --json feed.xml | jq -r '.findings[].code'
  feedcharset check --github public/feed.xml

Exit codes: 0 nothing found that fails; 1 findings; 2 usage, or a source that cannot be read.
"""

FAILING = {
    "error": ("error",),
    "warning": ("error", "warning"),
    "info": ("error", "warning", "info"),
}


@click.command(help=HELP)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each source.")
@click.option("--github", is_flag=True, help="Annotations for GitHub Actions.")
@content_type_option
@policy_option
@click.option(
    "--fail-on",
    type=click.Choice(list(FAILING)),
    default="warning",
    show_default=True,
    help="The least severity that makes the exit code 1.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Findings of one code that are shown; the others are counted.",
)
def check(
    sources: tuple[str, ...],
    as_json: bool,
    github: bool,
    content_type: str | None,
    policy: str,
    fail_on: str,
    limit: int,
) -> int:
    """Run the command."""
    if as_json and github:
        raise click.UsageError("--json and --github are two forms of the same; give one")
    from feedcharset.cli import check_formats

    code, reports = EXIT_OK, []
    for source in sources:
        try:
            report = _check(source, content_type=content_type, policy=policy, limit=limit)
        except (OSError, ValueError, TypeError) as error:
            code = EXIT_UNUSABLE
            report_error(source, error)
            continue
        reports.append(report)
        if any(finding.severity in FAILING[fail_on] for finding in report.findings):
            code = max(code, EXIT_FINDINGS)
        if as_json:
            click.echo(json.dumps({"source": source, **check_formats.as_dict(report)}))
        elif github:
            check_formats.annotate(source, report)
        else:
            check_formats.print_report(source, report, first=len(reports) == 1)
    if not as_json and reports:
        click.echo(visible(check_formats.summary(reports)))
    return code


def _check(source: str, *, content_type: str | None, policy: str, limit: int) -> Report:
    from feedcharset.validate import check as check_source

    with open_bytes(source) as opened, progress(cast("BinaryIO", opened.stream), source) as stream:
        field = opened.content_type if content_type is None else content_type
        return check_source(stream, content_type=field, policy=policy, limit=limit, closefd=False)
