"""`feedcharset batch`: web archives, Parquet files and folders of feeds to Parquet, by several processes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from feedcharset.cli.output_file import signals_as_exceptions
from feedcharset.cli.terminal import (
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_UNUSABLE,
    Whole,
    complete_file,
    note,
    policy_option,
    reason_of,
    shown_name,
    text_options,
)
from feedcharset.results.explanation import counted, visible

if TYPE_CHECKING:
    from feedcharset.batch.crawl_inputs import RunOptions
    from feedcharset.batch.crawl_run import InputResult

BATCH_HELP = """Decode the feeds of a crawl: archives, Parquet files or folders to a folder of Parquet files.

IN is a WARC file (.warc, .warc.gz, .warc.zst), a Parquet file with the columns body and content_type, an XML
file, or a folder of them. Each becomes one Parquet file of its name in the folder OUT; the XML files of a
folder (the same that feedcharset check takes, without those named _NAME) become one together. Of an archive
the responses are taken whose type or first bytes look like XML. The output has the columns of the input
without the body, and text, encoding, declared, rule, repairs, error_code and error.

The same command again goes on where a run broke off: it skips what is there, and makes anew what was made of
another state of its input, or with other options. A file of another input is never replaced. An archive is
read by one process from its beginning to its end.

\b
Examples:
  feedcharset batch crawl.warc.gz -o feeds
  feedcharset batch crawl/ -o feeds --where feed --jobs 8
  feedcharset batch pages.parquet -o out --columns body=payload,content_type=mime
  ls *.warc.gz | xargs -P 8 -I IN feedcharset batch IN -o feeds/IN

Exit codes: 0 fine, also where rows have an error, as of a document whose gzip is cut off; 2 usage, or an
archive, a Parquet file, an XML file or a folder that cannot be read wholly (listed in OUT.run/failures.tsv;
the others are decoded); 130 interrupted, 143 by SIGTERM.
"""

ROLES = ("body", "content_type", "url")


@click.command(help=BATCH_HELP)
@click.argument("inputs", nargs=-1, required=True, metavar="IN...", shell_complete=complete_file)
@click.option("-o", "--output", required=True, metavar="OUT", help="The folder of the Parquet files.")
@click.option("-j", "--jobs", type=Whole(1), metavar="N", help="Processes.  [default: one for each core]")
@click.option(
    "--where",
    multiple=True,
    metavar="CONDITION",
    help="xml, feed, all, or FIELD=PATTERN with url, host, type or status (also !=). All must be met.",
)
@click.option("--columns", metavar="ROLE=NAME,...", help="Columns of Parquet files: body, content_type, url.")
@click.option("--keep-body", is_flag=True, help="Keep the column of the bytes.")
@click.option("--strict", is_flag=True, help="The rules as published; what they refuse is an error.")
@policy_option
@text_options
@click.option("--max-bytes", type=Whole(1), metavar="N", help="Bytes of one document.  [default: 64 MiB]")
def batch(inputs: tuple[str, ...], output: str, **options: Any) -> int:
    try:
        from feedcharset.batch.crawl_inputs import find_inputs
        from feedcharset.batch.crawl_run import run_crawl

        for name in inputs:
            is_address = name.lower().startswith(("http://", "https://", "s3://", "/dev/"))
            if name == "-" or is_address or Path(name).is_fifo():
                raise ValueError(
                    f"{shown_name(name)} is no file; download it first: a run that breaks off reads its input"
                    " again"
                )
        if "" in (output, *inputs):
            raise ValueError("a name is empty; is a variable of the shell not set?")
        folder = Path(output).absolute()
        # The lock is that of the folder itself; beside `.` stands no `..run`.
        if folder.is_symlink() or Path(output).name in ("", ".."):
            folder = Path(output := os.path.realpath(output))
        is_file = folder.suffix == ".parquet" or (folder.exists() and not folder.is_dir())
        if is_file or "://" in output:
            raise ValueError(
                f"the output {shown_name(output)} is no folder; name one: it gets a Parquet file for each"
                " input"
            )
        unread: dict[str, list[str]] = {shown_name(name): [] for name in inputs}

        def add(name: str, why: str) -> None:
            unread[shown_name(name)].append(why.replace(name, shown_name(name)))

        found = find_inputs(inputs, output, add)
        run_options = _run_options(options)
        for why in (why for some in unread.values() for why in some):
            note(f"feedcharset: {visible(why)}")
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        with signals_as_exceptions():  # the workers are ended, and nothing unfinished stays
            kept, failed = run_crawl(
                found, run_options, folder, jobs=options["jobs"] or cores, report=_show, unread=unread
            )
    except KeyboardInterrupt:
        note("feedcharset: interrupted; the same command continues where it stopped")
        return EXIT_INTERRUPTED
    except (ImportError, OSError, ValueError, TypeError, RuntimeError) as error:
        reason = reason_of("batch", error)
        for given in (output, *inputs, *options["where"], options["columns"] or ""):  # it may be a URL
            reason = reason.replace(given, shown_name(given)) if given else reason
        name = shown_name(getattr(error, "filename", None) or "batch")
        note(f"feedcharset: {visible(name)}: {visible(reason)}")
        return EXIT_UNUSABLE
    line = f"{counted(len(found), 'input')}, {kept} made by an earlier run"
    if failed:
        line += f", {failed} not wholly read: {visible(output.rstrip('/' + os.sep))}.run/failures.tsv"
    click.echo(line)
    return EXIT_UNUSABLE if failed else EXIT_OK


def _run_options(options: dict[str, Any]) -> RunOptions:
    """The options of the run.

    Raises:
        ValueError: an option that makes no sense.
    """
    from feedcharset.batch.crawl_inputs import RunOptions
    from feedcharset.batch.row_selection import all_of

    all_of(options["where"])
    columns: dict[str, str] = {}
    for part in options["columns"].split(",") if options["columns"] else ():
        role, _, name = part.partition("=")
        if role.strip() not in ROLES or not name.strip():
            raise ValueError(f"--columns {part!r}: write ROLE=NAME, where ROLE is one of {', '.join(ROLES)}")
        if role.strip() in columns or name.strip() in columns.values():
            raise ValueError(f"--columns {part!r}: each role has one column, and each column one role")
        columns[role.strip()] = name.strip()
    names = ("policy", "errors", "xml_chars", "mojibake", "max_bytes", "keep_body")
    given = {name: options[name] for name in names if options[name]}
    return RunOptions(
        where=options["where"],
        url=columns.pop("url", "url"),
        decoding={**columns, **given, "lenient": not options["strict"]},
    )


def _show(result: InputResult, number: int, count: int) -> None:
    """One line for each input."""
    parts = list(result.problems[:1])
    if result.problem_count > 1:
        parts.append(f"and {result.problem_count - 1:,} more")
    if result.rows or not parts:
        parts.insert(0, f"{counted(result.rows, 'row')}, {counted(result.errors, 'error')}")
    note(visible(f"{number}/{count} {result.name}: {'; '.join(parts)}"))
