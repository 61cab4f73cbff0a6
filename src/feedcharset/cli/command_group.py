"""The group of all commands; a command's module is imported when the command is called."""

from __future__ import annotations

from typing import Any

import click

from feedcharset import __version__
from feedcharset.cli.output import PipeClosed

__all__ = ["COMMANDS", "HELP", "feedcharset"]

COMMANDS = {
    "batch": "Decode the feeds of a crawl: WARC, Parquet or folders to Parquet.",
    "cat": "Print a feed's text as UTF-8.",
    "check": "Find errors in a feed's encoding and media type, with the fix.",
    "detect": "Detect US-ASCII, UTF-8, ISO-8859-15 or windows-1252.",
    "explain": "Show in which encoding a feed opens, and why.",
    "repair": "Convert UTF-8 mixed with other bytes to UTF-8 (a filter).",
}

HELP = """Open XML feeds in the right charset, and show why.

SOURCE is an http(s) URL, a file, or - for standard input.

\b
Examples:
  feedcharset explain https://example.org/feed.xml
  feedcharset cat feed.xml | xmllint --noout -
  feedcharset check --content-type 'text/xml' feed.xml
  feedcharset detect *.xml
  feedcharset repair < mixed.xml > clean.xml

\b
Exit codes: 0 fine; 1 findings, or none detected; 2 usage, or a source that
cannot be read; 130 interrupted.
"""


class Commands(click.Group):
    """The commands, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of them."""
        if cmd_name not in COMMANDS:
            return None
        from importlib import import_module

        command: click.Command = getattr(import_module(f"feedcharset.cli.{cmd_name}"), cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a closed pipe is kept from click, which would exit with code 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise PipeClosed from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List them without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=Commands, help=HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="feedcharset")
def feedcharset() -> None:
    """The group."""
