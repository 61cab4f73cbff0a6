"""`feedcharset repair`: the filter repair-utf8."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from feedcharset.cli.terminal import EXIT_OK, EXIT_UNUSABLE, output_file, progress, report_error
from feedcharset.text.option_types import CESU8, MOJIBAKE, REPAIR_ERRORS

if TYPE_CHECKING:
    from feedcharset.results.repairs import Repairs

__all__ = ["repair"]

HELP = """Convert UTF-8 that is mixed with other bytes to UTF-8.

Well-formed UTF-8 is kept byte for byte; every other byte becomes the character that it is in windows-1252,
or what --errors names. A filter: it reads FILE, or standard input, and files may be larger than memory.

\b
Examples:
  feedcharset repair < mixed.xml > clean.xml
  feedcharset repair --report dump.csv -o dump.utf8.csv
  feedcharset repair --errors replace --cesu8 join old.json | jq .

Exit codes: 0 fine; 2 usage, or a file that cannot be read or written.
"""


@click.command(help=HELP)
@click.argument("file", default="-", metavar="[FILE]")
@click.option(
    "--errors",
    type=click.Choice(REPAIR_ERRORS),
    default=REPAIR_ERRORS[0],
    show_default=True,
    help="What other bytes become.",
)
@click.option(
    "--cesu8", type=click.Choice(CESU8), default="keep", show_default=True, help="For CESU-8 surrogate pairs."
)
@click.option(
    "--mojibake",
    type=click.Choice(MOJIBAKE),
    default="keep",
    show_default=True,
    help="For text that was decoded wrongly before.",
)
@click.option("--report", is_flag=True, help="List the changes on standard error.")
@click.option("-o", "--output", metavar="FILE", help="Write here instead of standard output.")
def repair(file: str, output: str | None, report: bool, **options: Any) -> int:
    """Run the command."""
    try:
        repairs = _repair(file, output, options)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        report_error(file, error)
        return EXIT_UNUSABLE
    if report:
        for line in _report(repairs):
            click.echo(line, err=True)
    return EXIT_OK


def _repair(file: str, output: str | None, options: dict[str, Any]) -> Repairs:
    from feedcharset.text.utf8_repair import repair_stream

    with ExitStack() as files:
        source: BinaryIO = sys.stdin.buffer
        if file != "-":
            source = files.enter_context(open(file, "rb", buffering=0))
        if output is None:
            target: BinaryIO = sys.stdout.buffer
            _refuse_same(source, target)
        else:
            target = files.enter_context(output_file(output, not_onto=source))
        repairs = repair_stream(files.enter_context(progress(source, file)), target, **options)
        target.flush()
    return repairs


def _refuse_same(source: BinaryIO, target: BinaryIO) -> None:
    """`repair FILE > FILE` has emptied the file already; `>> FILE` would never end."""
    try:
        ends = os.fstat(source.fileno()), os.fstat(target.fileno())
    except (OSError, ValueError):
        return  # not a file of the operating system
    if os.path.samestat(*ends) and stat.S_ISREG(ends[0].st_mode):
        raise ValueError("standard output is the input; write with -o to another name")


def _report(repairs: Repairs) -> list[str]:
    lines = [f"{kind}: {count}" for kind, count in repairs.kinds]
    if repairs.offsets:
        more = ", ..." if repairs.count > len(repairs.offsets) else ""
        lines.append("at bytes " + ", ".join(map(str, repairs.offsets)) + more)
    return lines or ["nothing to repair"]
