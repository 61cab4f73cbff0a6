"""`feedcharset detect`: the encodings that are possible for a file without a label."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import click

from feedcharset.cli.terminal import (
    EXIT_FINDINGS,
    EXIT_OK,
    EXIT_UNUSABLE,
    progress,
    progress_of_parts,
    report_error,
    standard_input,
)
from feedcharset.results.explanation import visible

if TYPE_CHECKING:
    from feedcharset.reading.file_detection import DetectionPool
    from feedcharset.results import Detection

__all__ = ["detect"]

HELP = """Detect US-ASCII, UTF-8, ISO-8859-15 or windows-1252, one line for each FILE.

Each name is the first of these that is possible for all of the file; "unknown" where none is. No
declaration and no label is read. FILE is a path, or - for standard input.

\b
Examples:
  feedcharset detect *.xml
  feedcharset detect --offset dump.csv
  feedcharset detect --jobs 8 dump-of-50-GB.csv
  zcat feed.xml.gz | feedcharset detect -q -
  feedcharset detect --json *.txt | jq -r 'select(.encoding == null).file'

Exit codes: 0 all detected; 1 none possible for some file; 2 usage, or a file that cannot be read.
"""


@click.command(help=HELP)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--offset", is_flag=True, help="Show which byte ruled the last encoding out.")
@click.option("-q", "--quiet", is_flag=True, help="Only the encodings, without the files' names.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each file.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Processes, for files of 128 MiB or more.  [default: 1]",
)
def detect(files: tuple[str, ...], offset: bool, quiet: bool, as_json: bool, jobs: int) -> int:
    """Run the command."""
    code = EXIT_OK
    with _pool(jobs) as pool:
        for file in files:
            try:
                detection = _detect(file, pool)
            except (OSError, ValueError) as error:
                code = EXIT_UNUSABLE
                report_error(file, error)
                continue
            if detection.encoding is None:
                code = max(code, EXIT_FINDINGS)
            _print(file, detection, offset, quiet, as_json)
    return code


def _pool(jobs: int) -> AbstractContextManager[DetectionPool | None]:
    if jobs == 1:
        return nullcontext()
    from feedcharset.reading.file_detection import DetectionPool

    return DetectionPool(jobs)


def _print(file: str, detection: Detection, offset: bool, quiet: bool, as_json: bool) -> None:
    if as_json:
        import json

        click.echo(json.dumps({"file": file, **detection._asdict()}))
    else:
        click.echo(("" if quiet else f"{visible(file)}: ") + _spell(detection, offset))


def _detect(file: str, pool: DetectionPool | None) -> Detection:
    from feedcharset.reading.file_detection import detect_stream

    if file == "-":
        return detect_stream(standard_input())
    if pool is not None and pool.is_large(file):
        with progress_of_parts(os.path.getsize(file), file) as advance:
            return pool.detect(file, advance)
    with open(file, "rb", buffering=0) as source, progress(source, file) as stream:
        return detect_stream(stream)


def _spell(detection: Detection, offset: bool) -> str:
    if detection.encoding is not None:
        return detection.encoding
    return f"unknown (byte {detection.offset})" if offset else "unknown"
