"""`feedcharset explain`: what was seen, what was tried, what was decided."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from feedcharset.cli.terminal import escape, open_argument, report_error, show

if TYPE_CHECKING:
    from feedcharset.results import Resolution

__all__ = ["explain"]

HELP = """Say in which encoding each SOURCE opens, and why.

Prints the facts (byte order mark, declaration, Content-Type, body), the rules and steps that were tried,
and the decision.

\b
Examples:
  feedcharset explain feed.xml
  feedcharset explain --strict --content-type 'text/xml' feed.xml
  curl -s https://example.org/feed | feedcharset explain --content-type application/rss+xml -
  feedcharset explain --json *.xml | jq -r '.encoding'

Exit codes: 0 decided; 1 a strict rule refuses; 2 usage, or a source that cannot be read.
"""


@click.command(help=HELP)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each source.")
@click.option("--strict", is_flag=True, help="The rules as published; exit 1 where they refuse.")
@click.option("--content-type", metavar="VALUE", help="The Content-Type to assume; '' for a missing one.")
@click.option("--policy", type=click.Choice(["rfc3023", "rfc7303"]), default="rfc3023", show_default=True)
def explain(
    sources: tuple[str, ...], as_json: bool, strict: bool, content_type: str | None, policy: str
) -> int:
    """Run the command."""
    from feedcharset.errors import DecodeError, ResolutionError

    code = 0
    for at, source in enumerate(sources):
        try:
            resolution = _resolution(source, strict=strict, content_type=content_type, policy=policy)
        except (ResolutionError, DecodeError) as error:
            code = max(code, 1)
            _show_refusal(source, error, as_json=as_json)
        except (OSError, ValueError) as error:
            code = 2
            report_error(source, error)
        else:
            _show(source, resolution, as_json=as_json, first=at == 0)
    return code


def _resolution(source: str, *, strict: bool, content_type: str | None, policy: str) -> Resolution:
    """The final decision: the source is read to its end, since the first octet over 7F may stand there."""
    with open_argument(source, content_type=content_type, lenient=not strict, policy=policy) as reader:
        while reader.read(1 << 16):
            pass
        return reader.resolution


def _show(source: str, resolution: Resolution, *, as_json: bool, first: bool) -> None:
    if as_json:
        click.echo(json.dumps({"source": source, **resolution.as_dict()}))
        return
    if not first:
        click.echo()
    show([("heading", escape(source))], *[_styled(line) for line in resolution.explain().splitlines()])


def _styled(line: str) -> list[tuple[str, str]]:
    """A line of the explanation as pieces with a style each."""
    name, colon, rest = line.partition(": ")
    if line.startswith("encoding"):
        return [("key", name + colon), ("answer", rest)]
    return [("key", name + colon), ("", rest)] if colon else [("heading", line)]


def _show_refusal(source: str, error: Any, *, as_json: bool) -> None:
    message = str(error)
    if as_json:
        facts = getattr(error, "facts", None)
        from feedcharset.explaining import as_plain

        refused = {
            "source": source,
            "error": type(error).__name__,
            "message": message,
            "facts": as_plain(facts),
        }
        click.echo(json.dumps(refused))
    else:
        show([("heading", escape(source))], [("error", f"refused: {escape(message)}")])
