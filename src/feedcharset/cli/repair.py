"""`feedcharset repair`: the filter repair-utf8."""

from __future__ import annotations

import os
import stat
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import click

from feedcharset.cli.output import OutputError, PipeClosed, output_file, standard_output
from feedcharset.cli.terminal import EXIT_OK, EXIT_UNUSABLE, progress, report_error, standard_input
from feedcharset.results.explanation import visible
from feedcharset.text.options import CESU8, MOJIBAKE, REPAIR_ERRORS

if TYPE_CHECKING:
    from feedcharset.results import Repairs

__all__ = ["repair"]

HELP = """Convert UTF-8 that is mixed with other bytes to UTF-8.

Well-formed UTF-8 is kept byte for byte; every other byte becomes the character that it is in windows-1252,
or what --errors names. A filter: it reads each FILE, or standard input, and writes one after the other to
standard output. Files may be larger than memory. What is compressed is refused.

\b
Examples:
  feedcharset repair < mixed.xml > clean.xml
  feedcharset repair --report dump.csv -o dump.utf8.csv
  feedcharset repair --in-place feeds/*.xml
  feedcharset repair --errors replace --cesu8 join old.json | jq .

Exit codes: 0 fine; 2 usage, or a file that cannot be read or written.
"""

COMPRESSED = {
    # The first bytes of the formats that hold text compressed, and how they are unpacked.
    b"\x1f\x8b\x08": ("gzip", "gunzip -c"),
    b"\x28\xb5\x2f\xfd": ("zstd", "zstd -dc"),
    b"BZh": ("bzip2", "bunzip2 -c"),
    b"\xfd7zXZ\x00": ("xz", "xz -dc"),
    b"PK\x03\x04": ("zip", "unzip -p"),
}
LONGEST_MAGIC = max(map(len, COMPRESSED))  # bytes to read before the input is known not to be compressed


@click.command(help=HELP)
@click.argument("files", nargs=-1, metavar="[FILE...]")
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
@click.option("-i", "--in-place", is_flag=True, help="Write each FILE back under its own name.")
@click.option("-o", "--output", metavar="FILE", help="Write here instead of standard output.")
def repair(files: tuple[str, ...], output: str | None, in_place: bool, report: bool, **options: Any) -> int:
    """Run the command."""
    if in_place and (output is not None or not files or "-" in files):
        raise click.UsageError("--in-place takes files, and no --output")
    files = files or ("-",)
    if in_place:
        return max(_repair((file,), file, report, options, in_place=True) for file in files)
    return _repair(files, output, report, options)


def _repair(
    files: tuple[str, ...],
    output: str | None,
    report: bool,
    options: dict[str, Any],
    *,
    in_place: bool = False,
) -> int:
    """Repair files into one output. Nothing is written to a file where one of them cannot be read."""
    file = files[0]
    try:
        with ExitStack() as opened:
            sources = [_open(file := name, opened) for name in files]
            if output is None:
                target = standard_output()
                for source in sources:
                    _refuse_same(source, target)
            else:
                same = None if in_place or len(sources) > 1 else sources[0]
                target = opened.enter_context(output_file(output, not_onto=same))
            for file, source in zip(files, sources, strict=True):
                _report(_repair_one(source, target, file, options), file if len(files) > 1 else "", report)
    except (BrokenPipeError, PipeClosed, OutputError):
        raise
    except (OSError, ValueError) as error:
        report_error(file, error)
        return EXIT_UNUSABLE
    return EXIT_OK


def _open(file: str, opened: ExitStack) -> BinaryIO:
    if file != "-":
        return cast("BinaryIO", opened.enter_context(open(file, "rb", buffering=0)))
    return standard_input()


def _repair_one(source: BinaryIO, target: Any, file: str, options: dict[str, Any]) -> Repairs:
    from feedcharset.reading.byte_streams import CallerStream, PrefixedStream
    from feedcharset.reading.stream_repair import repair_stream

    with progress(source, file) as stream:
        waiting = CallerStream(stream)
        first = b""
        while len(first) < LONGEST_MAGIC and (piece := waiting.read(LONGEST_MAGIC - len(first))):
            first += piece
        for magic, (name, command) in COMPRESSED.items():
            if first.startswith(magic):
                raise ValueError(f"the file is {name}; unpack it first: {command} FILE | feedcharset repair")
        whole: Any = PrefixedStream(first, waiting)
        repairs = repair_stream(whole, target, **options)
    target.flush()
    return repairs


def _refuse_same(source: BinaryIO, target: Any) -> None:
    """`repair FILE > FILE` has emptied the file already; `>> FILE` would never end."""
    try:
        ends = os.fstat(source.fileno()), os.fstat(target.fileno())
    except (OSError, ValueError):
        return  # not a file of the operating system
    if os.path.samestat(*ends) and stat.S_ISREG(ends[0].st_mode):
        raise ValueError("standard output is the input; write with -o to another name")


def _report(repairs: Repairs, file: str, wanted: bool) -> None:
    if not wanted:
        return
    lines = [f"{kind}: {count}" for kind, count in repairs.kinds]
    if repairs.offsets:
        more = ", ..." if repairs.count > len(repairs.offsets) else ""
        lines.append("at bytes " + ", ".join(map(str, repairs.offsets)) + more)
    prefix = f"{visible(file)}: " if file else ""
    for line in lines or ["nothing to repair"]:
        click.echo(prefix + line, err=True)
