"""`feedcharset batch`: web archives, Parquet files and folders of feeds to Parquet, by several processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from feedcharset.cli.output import output_file
from feedcharset.cli.shared_options import policy_option
from feedcharset.cli.terminal import EXIT_INTERRUPTED, EXIT_OK, EXIT_UNUSABLE, report_error
from feedcharset.results.explanation import visible

if TYPE_CHECKING:
    from feedcharset.batch.crawl_inputs import Unit
    from feedcharset.batch.crawl_run import Outcome
    from feedcharset.batch.unit_rows import RunOptions

__all__ = ["batch"]

HELP = """Decode the feeds of a crawl: web archives, Parquet files or folders to one Parquet file.

IN is a WARC file (.warc, .warc.gz, .warc.zst), a Parquet file with the columns body and content_type, an XML
file, or a folder of them. Of an archive the responses are taken whose type or first bytes look like XML. The
output has the columns of the input without the body, and text, encoding, rule, repairs and error.

Documents that cannot be decoded have an error, and are listed in OUT.bad.tsv. A run that broke off continues
where it stopped when the same command is given again. If OUT is a folder (or ends with /), it gets one file
for each piece of work.

\b
Examples:
  feedcharset batch crawl.warc.gz -o feeds.parquet
  feedcharset batch crawl/ -o feeds.parquet --where feed --jobs 8
  feedcharset batch pages.parquet -o out/ --columns body=payload,content_type=mime
  feedcharset batch *.warc.gz -o feeds.parquet --where host='*.fr' --summary feeds.html

Exit codes: 0 fine; 2 usage, or an input that cannot be read (the others are decoded); 130 interrupted.
"""

ROLES = ("body", "content_type", "url")


@click.command(help=HELP)
@click.argument("inputs", nargs=-1, required=True, metavar="IN...")
@click.option("-o", "--output", required=True, metavar="OUT", help="A Parquet file, or a folder.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), metavar="N", help="Processes.  [default: one for each core]"
)
@click.option(
    "--where",
    multiple=True,
    metavar="CONDITION",
    help="xml, feed, all, or FIELD=PATTERN with url, host, type or status (also !=). All must be met.",
)
@click.option("--columns", metavar="ROLE=NAME,...", help="Columns of Parquet files: body, content_type, url.")
@click.option("--keep-body", is_flag=True, help="Keep the column of the bytes.")
@click.option("--unordered", is_flag=True, help="Rows in the order in which the work is finished.")
@click.option("--summary", metavar="FILE", help="Write the summary as an HTML page with plots.")
@click.option("--strict", is_flag=True, help="The rules as published; what they refuse is an error.")
@policy_option
@click.option(
    "--errors",
    type=click.Choice(["strict", "replace", "space", "latin-1", "windows-1252"]),
    help="For undecodable bytes.  [default: windows-1252; strict with --strict]",
)
@click.option(
    "--xml-chars",
    type=click.Choice(["keep", "replace", "space", "drop"]),
    default="keep",
    show_default=True,
    help="For characters that XML forbids.",
)
@click.option(
    "--mojibake",
    type=click.Choice(["keep", "fix"]),
    default="keep",
    show_default=True,
    help="For text that was decoded wrongly before it was published.",
)
@click.option(
    "--max-bytes", type=click.IntRange(1), metavar="N", help="Bytes of one document.  [default: 64 MiB]"
)
def batch(inputs: tuple[str, ...], output: str, **options: Any) -> int:
    """Run the command."""
    try:
        settings = _run_options(options)
        units = _units(inputs, output)
        target = _target(output, units)
        _check_columns(units, settings)
        outcome = _run(units, settings, target, options["jobs"], not options["unordered"])
    except KeyboardInterrupt:
        click.echo("feedcharset: interrupted; the same command continues where it stopped", err=True)
        return EXIT_INTERRUPTED
    except ImportError as error:
        report_error("batch", error)
        return EXIT_UNUSABLE
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        report_error(getattr(error, "filename", None) or "batch", error)
        return EXIT_UNUSABLE
    return _report(outcome, output, options["summary"])


def _run_options(options: dict[str, Any]) -> RunOptions:
    """The options of the run.

    Raises:
        ValueError: an option that makes no sense.
    """
    from feedcharset.batch.record_batches import BODY, CONTENT_TYPE
    from feedcharset.batch.row_conditions import parse_condition
    from feedcharset.batch.row_limits import MAX_BYTES
    from feedcharset.batch.unit_rows import RunOptions

    for condition in options["where"]:
        parse_condition(condition)
    columns = _columns(options["columns"])
    decoding = {
        name: options[name] for name in ("policy", "errors", "xml_chars", "mojibake") if options[name]
    }
    decoding["lenient"] = not options["strict"]
    return RunOptions(
        where=options["where"],
        keep_body=options["keep_body"],
        max_bytes=options["max_bytes"] or MAX_BYTES,
        decoding=tuple(sorted(decoding.items())),
        body=columns.get("body", BODY),
        content_type=columns.get("content_type", CONTENT_TYPE),
        url=columns.get("url", "url"),
    )


def _columns(text: str | None) -> dict[str, str]:
    columns = {}
    for part in text.split(",") if text else ():
        role, equals, name = part.partition("=")
        if role.strip() not in ROLES or not equals or not name.strip():
            raise ValueError(f"--columns {part!r}: write ROLE=NAME, where ROLE is one of {', '.join(ROLES)}")
        columns[role.strip()] = name.strip()
    return columns


def _units(inputs: tuple[str, ...], output: str) -> list[Unit]:
    """The work.

    Raises:
        OSError, ValueError: an input that there is not, or inputs of several kinds.
    """
    from feedcharset.batch.crawl_inputs import find_files, split_units

    for name in inputs:
        if name == "-" or name.lower().startswith(("http://", "https://", "s3://")):
            raise ValueError(
                f"{name} is no file; download it first: a run that breaks off reads its input again"
            )
    files = list(find_files(inputs, output))
    if not files:
        raise ValueError(f"no archive, Parquet file or XML file in {', '.join(inputs)}")
    kinds = {kind: path for path, kind in reversed(files)}
    if len(kinds) > 1:
        examples = ", ".join(f"{path} is {kind}" for kind, path in kinds.items())
        raise ValueError(f"inputs of several kinds, which have other columns ({examples}); give one kind")
    return list(split_units(files))


def _target(output: str, units: list[Unit]) -> Path:
    """The output, which is no input. A name that ends with / becomes a folder."""
    if output.endswith((os.sep, "/")):
        os.makedirs(output, exist_ok=True)
    target = Path(output).absolute()
    if any(
        os.path.exists(path) and target.exists() and os.path.samefile(path, target)
        for unit in units
        for path in unit.paths
    ):
        raise ValueError("the output is an input; give another name")
    if not target.parent.is_dir():
        raise ValueError(f"there is no folder {target.parent}")
    if target.exists() and not (target.is_file() or target.is_dir()):
        raise ValueError(f"the output {output} is no file and no folder; the parts of a run need one")
    return target


def _check_columns(units: list[Unit], settings: RunOptions) -> None:
    """Refuse Parquet files without the columns, or with other columns than the first, before the work."""
    from feedcharset.batch.record_batches import output_schema
    from feedcharset.batch.unit_rows import input_schema

    first = None
    for unit in {unit.paths[0]: unit for unit in units}.values():
        schema = input_schema(unit)
        try:
            output_schema(schema, body=settings.body, content_type=settings.content_type)
        except (ValueError, TypeError) as error:
            raise ValueError(f"{unit.paths[0]}: {error}; name the columns with --columns") from None
        first = first or schema
        if not schema.equals(first):
            raise ValueError(f"{unit.paths[0]}: its columns are others than those of {units[0].paths[0]}")


def _run(units: list[Unit], settings: RunOptions, target: Path, jobs: int | None, ordered: bool) -> Outcome:
    from feedcharset.batch.crawl_run import CrawlRun

    run = CrawlRun(units, settings, target, jobs=jobs or _cores(), ordered=ordered)
    with _progress(sum(unit.size for unit in units)) as advance:
        return run.run(advance)


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], object]]:
    """One bar for all inputs, on a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda size: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    bar = Progress(
        BarColumn(), DownloadColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    )
    with bar:
        task = bar.add_task("", total=total)
        yield lambda size: bar.advance(task, size)


def _report(outcome: Outcome, output: str, summary: str | None) -> int:
    from feedcharset.batch.crawl_page import summary_page
    from feedcharset.batch.crawl_summary import summary_lines

    for name, why in outcome.failures:
        report_error(name, ValueError(why))
    for line in summary_lines(outcome.tally):
        click.echo(line)
    if outcome.kept:
        click.echo(f"kept from an earlier run: {outcome.kept:,} pieces of work")
    if outcome.bad_table is not None:
        table = os.path.join(os.path.dirname(output), outcome.bad_table.name)
        click.echo(f"bad records are listed in {visible(table)}")
    if summary:
        with output_file(summary) as file:
            file.write(summary_page(outcome.tally, os.path.basename(output.rstrip("/"))).encode())
    return EXIT_UNUSABLE if outcome.failures else EXIT_OK
