"""`feedcharset explain`: the facts, the rules that were tried, and the decision."""

from __future__ import annotations

import json

import click

from feedcharset.cli.output_file import refuse_onto_input
from feedcharset.cli.terminal import (
    content_type_option,
    note,
    open_bytes,
    policy_option,
    reason_of,
    report_error,
    show,
    shown_name,
)
from feedcharset.errors import ResolutionError
from feedcharset.results import Resolution
from feedcharset.results.explanation import as_plain, visible

EXPLAIN_HELP = """Show in which encoding each SOURCE opens, and why.

Prints the facts (byte order mark, declaration, Content-Type, body), the rules and steps that were tried,
the decision, and what each kind of consumer reads: one that follows RFC 3023, one that follows RFC 7303, an
XML parser without HTTP, and a lenient one.

\b
Examples:
  feedcharset explain feed.xml
  feedcharset explain --strict --content-type 'text/xml' feed.xml
  curl -s https://example.org/feed | feedcharset explain --content-type application/rss+xml
  feedcharset explain --json *.xml | jq -r '.encoding'

Exit codes: 0 decided; 1 a strict rule refuses, or a byte does not decode strictly; 2 usage, or a source
that cannot be read.
"""


@click.command(help=EXPLAIN_HELP)
@click.argument("sources", nargs=-1, metavar="[SOURCE...]")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each source.")
@click.option("--strict", is_flag=True, help="The rules as published; exit 1 where they refuse.")
@content_type_option
@policy_option
def explain(
    sources: tuple[str, ...],
    as_json: bool,
    strict: bool,
    content_type: str | None,
    policy: str,
) -> int:
    sources = sources or ("-",)
    refuse_onto_input(sources)
    from feedcharset.decide.strict_decision import readable, resolve_strictly
    from feedcharset.evidence.document_head import BINARY_FORMATS
    from feedcharset.validate.document_check import compare_readings
    from feedcharset.validate.reading_comparison import describe_reading

    code = 0
    for at, source in enumerate(sources):
        try:  # to its end: the first non-ASCII byte may be there
            with open_bytes(source, content_type) as opened:
                comparison = compare_readings(opened.stream, opened.content_type, policy)
            if what := BINARY_FORMATS.get(comparison.facts.body.kind or ""):
                raise ValueError(f"it is {what}, which is no text")
        except (OSError, ValueError) as error:
            code = 2
            report_error(source, error)
            continue
        found: Resolution | ResolutionError = comparison.resolution
        readings = comparison.readings()
        if strict:
            try:
                found = resolve_strictly(comparison.strict_facts, policy=policy)
                readable(found)
            except ResolutionError as error:
                found = error
            stops = any(reading.consumer == policy and reading.outcome == "stops" for reading in readings)
            if stops or isinstance(found, ResolutionError):
                code = max(code, 1)
        flaw = comparison.source.flaw
        if flaw and not isinstance(found, ResolutionError):
            name = visible(shown_name(source))
            note(f"feedcharset: {name}: the gzip {visible(flaw)}: the text is what could be read")
        if isinstance(found, ResolutionError):
            message = reason_of(source, found)
            plain = {"error": type(found).__name__, "message": message, "facts": as_plain(found.facts)}
            lines = [[("error", f"refused: {visible(message)}")]]
        else:
            plain = found.as_dict()
            lines = [_styled(line) for line in found.explain().splitlines()]
            if not as_json and at:
                click.echo()
        if as_json:
            click.echo(json.dumps({"source": shown_name(source), **plain, "readings": as_plain(readings)}))
            continue
        read_by = [f"  {title}: {visible(text)}" for title, text in map(describe_reading, readings)]
        show([("heading", visible(shown_name(source)))], *lines, *map(_styled, ["read by:", *read_by]))
    return code


def _styled(line: str) -> list[tuple[str, str]]:
    """A line of the explanation as pieces with a style each."""
    name, colon, rest = line.partition(": ")
    if line.startswith("encoding"):
        return [("key", name + colon), ("answer", rest)]
    return [("key", name + colon), ("", rest)] if colon else [("heading", line)]
