"""`feedcharset check`: findings for publishers."""

from __future__ import annotations

import difflib
import io
import os
from collections.abc import Iterable, Iterator
from contextlib import nullcontext, redirect_stdout, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from feedcharset.cli.output_file import (
    MUST_RESOLVE,
    OutputError,
    PipeClosed,
    is_same_file,
    output_errors,
    output_file,
    refuse_onto_input,
    regular_file,
)
from feedcharset.cli.terminal import (
    EXIT_FINDINGS,
    EXIT_OK,
    EXIT_UNUSABLE,
    Seconds,
    Whole,
    choice_option,
    complete_file,
    content_type_option,
    note,
    open_bytes,
    output_option,
    policy_option,
    reason_of,
    report_error,
    show,
    shown_name,
)
from feedcharset.reading.sources import files_below, is_gzip_file, is_xml_file
from feedcharset.results.explanation import visible
from feedcharset.validate.finding_catalogue import CATALOGUE

if TYPE_CHECKING:
    from feedcharset.cli.report_formats import CheckedSource
    from feedcharset.results.report import Finding, Report, Severity

NO_FILES = "the folder has no XML files"

LINE_PIECE = 1 << 12
"""Characters of a line that are escaped and written together."""


class CheckOptions(NamedTuple):
    """The options of the command."""

    format: str
    output: str | None
    content_type: str | None
    policy: str
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    fail_on: Severity
    quiet: bool
    limit: int
    headers: dict[str, str] | None
    timeout: float | None
    diff: bool
    fix: bool
    backup: bool


def files_of(source: str) -> Iterator[str]:
    """The source itself; for a folder the XML files in it. One below it that cannot be read comes last, as
    a file that cannot be opened."""
    if source == "-" or "://" in source or not os.path.isdir(source):
        yield source
        return
    unread: list[str] = []
    yield from filter(is_xml_file, files_below(source, lambda error: unread.append(error.filename)))
    yield from unread


def known_codes(names: Iterable[str]) -> tuple[str, ...]:
    """The codes that the names select: a name is a code, or the first words of codes ("rule", "label")."""
    codes = []
    for name in names:
        found = [kind.code for kind in CATALOGUE if f"{kind.code}-".startswith(f"{name}-")]
        if not found:
            near = difflib.get_close_matches(name, [kind.code for kind in CATALOGUE], 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise click.BadParameter(f"no finding has the code {name!r}{hint}")
        codes += found
    return tuple(codes)


def _fix_files(found: list[tuple[str, list[str]]], options: CheckOptions) -> int:
    """Fix files with --fix, but none in a folder that was not named; else show what would change. Return the
    exit code: 1 where a file changes, or would change."""
    code = 0
    for source, files in found:
        if options.diff and not files:
            code = 2
            report_error(source, ValueError(NO_FILES))
    for source, file in ((source, file) for source, files in found for file in files):
        try:
            code = max(code, _fix_file(source, file, options))
        except OutputError as error:
            code = 2
            report_error(error.name, error)
        except (OSError, ValueError, MemoryError) as error:
            code = 2
            report_error(file, error)
    return code


def _fix_file(source: str, file: str, options: CheckOptions) -> int:
    """Fix one file of a source, or show what would change; return 1 where it changes, else 0."""
    from feedcharset.cli.repair import LABELS_WITHIN, refusal
    from feedcharset.fetch.gunzip import GZIP_BEGINNINGS
    from feedcharset.text.utf8_repair import PAIRS_OF_CESU8
    from feedcharset.validate.document_check import NotFixed, check_stream, fix_document
    from feedcharset.validate.file_charset import is_binary

    content_type = options.content_type
    try:
        if file == "-" or "://" in file:
            raise ValueError("only files can be fixed")
        state = regular_file(file)
        with open(file, "rb") as stream:
            report, comparison = check_stream(stream, content_type)
            wanted = partial(_wanted, options=options)
            if not any(finding.fix for finding in wanted(report)):
                return EXIT_OK
            stream.seek(0)
            data = stream.read()
        if data[:3] in GZIP_BEGINNINGS:
            raise NotFixed("it is compressed with gzip")
        fixed = fix_document(data, content_type, report, comparison, wanted)
        if fixed is None:
            return EXIT_OK
        if file != source:
            own = os.path.join(os.path.realpath(source, strict=MUST_RESOLVE), os.path.relpath(file, source))
            is_link = os.path.realpath(file, strict=MUST_RESOLVE) != own
            if is_link or not os.path.samestat(state, os.stat(own)):  # it may have been one when it was read
                raise NotFixed("it is a symbolic link in a folder, or behind one; give its own name")
        if comparison.main_charset.ascii_compatible and is_binary(data):
            raise NotFixed("it holds binary data")
        if comparison.main_charset.name == "UTF-8" and b"\x1b$" in data:
            raise NotFixed("it has text in ISO-2022-JP; convert it from its own encoding")
        name = visible(file)
        how = f" (converted from {fixed.converted_from} to UTF-8)" if fixed.converted_from else ""
        if fixed.converted_from and LABELS_WITHIN.search(fixed.data):
            how += "; labels of another encoding (meta) stayed in it"
        if options.fix:
            with output_file(file, replaces=state, backup=options.backup) as target:
                target.write(fixed.data)
            note(f"fixed: {name}{how}")
            return EXIT_FINDINGS
        codec = "utf-8" if comparison.main_charset.ascii_compatible else comparison.main_charset.codec
        skipped = data[: comparison.facts.body.start].decode(codec or "utf-8", "ignore")
        before = skipped.replace("\ufeff", "") + fixed.before  # white space is removed, too
        old, new = _first_lines(before, fixed.after)
        diff = difflib.unified_diff(old, new, name, name + how, n=1, lineterm="")
        for line in diff if old != new else (f"--- {name}", f"+++ {name}{how}"):
            for start in range(0, len(line), LINE_PIECE):  # a feed may be one line
                click.echo(visible(line[start : start + LINE_PIECE]), nl=False)
            click.echo()
        return EXIT_FINDINGS
    except NotFixed as error:
        instead = ""
        if error.stray:  # the document is UTF-8 with other bytes in it
            reason = refusal(data)
            has_pairs = PAIRS_OF_CESU8.search(data) is not None
            how = "repair --cesu8 join` converts surrogate pairs and" if has_pairs else "repair` converts"
            instead = f"; `feedcharset {how} stray bytes of windows-1252 in UTF-8"
            instead = f"; `feedcharset repair` refuses it, too: {reason}" if reason else instead
        note(f"not fixed: {visible(file)}: {error}{instead}")
        return EXIT_OK


def _first_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines with the declaration, and one more: only these can differ."""
    line = before.find("\n", before.find(">"))
    end = before.find("\n", line + 1) + 1 if line >= 0 else 0
    same = len(before) - end if end else 0
    return before[: len(before) - same].splitlines(), after[: len(after) - same].splitlines()


CHECK_HELP = """Find errors in the encoding and the media type of each SOURCE, with the position and the fix.

SOURCE is a URL, a file, a folder, or - for standard input, which is read where no SOURCE is named. Of a
folder the .xml, .rss, .atom, .rdf, .opml and .feed files are checked, also with .gz, and those without an
extension that begin with <?xml or a feed's root; hidden ones are not. Links in it to other folders are
followed; --fix writes nothing behind them.

Error: a consumer that follows the specifications gets no text, or the wrong text. Warning: consumers may
read different text, or the text is probably not what was meant. Info: what consumers in use read is
right, but it can be improved. Errors and warnings make the exit code 1; --fail-on changes that. Lines and
columns are characters of the text; offsets are bytes.

\b
Examples:
  feedcharset check https://example.org/feed.xml
  feedcharset check --content-type 'application/rss+xml' public/
  feedcharset check --policy rfc7303 --fail-on error feed.xml
  feedcharset check --select encoding,label --ignore label-unregistered feed.xml
  feedcharset check --format sarif -o report.sarif public/
  feedcharset check --diff public/
  feedcharset check --fix --backup public/
  feedcharset check --explain encoding-unnamed

Exit codes: 0 nothing found that fails; 1 findings (with --diff: there is something that --fix would write); 2
usage, or a source that cannot be read.
"""

FORMATS = ("text", "json", "sarif", "gitlab", "junit", "github", "html")


def _codes(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    names = [name.strip() for part in value for name in part.split(",") if name.strip()]
    if value and not names:
        raise click.BadParameter("no code is named; is a variable of the shell not set?")
    return known_codes(names)


def _headers(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> dict[str, str] | None:
    pairs = [one.partition(":") for one in value]
    if any(not colon or not name.strip() for name, colon, _ in pairs):
        raise click.BadParameter("a header is written 'Name: value'")
    fields = {name.strip().lower(): (name.strip(), text.strip()) for name, _, text in pairs}
    if len(fields) < len(pairs):
        raise click.BadParameter("a header is given once; join the values of two")
    return dict(fields.values()) or None


def _explain(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is None or ctx.resilient_parsing:
        return
    from feedcharset.cli.report_formats import explanation

    for code in known_codes([value]):
        show(*explanation(code))
    ctx.exit()


@click.command(help=CHECK_HELP)
@click.argument("sources", nargs=-1, metavar="[SOURCE...]", shell_complete=complete_file)
@choice_option("--format", FORMATS, "Format of the output.")
@output_option("Write the report into FILE.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json: one object a line.")
@content_type_option
@policy_option
@click.option(
    "--select",
    multiple=True,
    metavar="CODE",
    callback=_codes,
    help="Only these findings: codes or their first words, with commas between.",
)
@click.option("--ignore", multiple=True, metavar="CODE", callback=_codes, help="Not these findings.")
@choice_option(
    "--fail-on", ("error", "warning", "info"), "The least severity that makes the exit code 1.", "warning"
)
@click.option("-q", "--quiet", is_flag=True, help="Print the findings alone, without readings and summary.")
@click.option(
    "--limit",
    type=Whole(min=0),
    metavar="N",
    default=20,
    show_default=True,
    help="Different findings of one code that are shown; the others are counted.",
)
@click.option(
    "--header",
    "headers",
    multiple=True,
    metavar="'NAME: VALUE'",
    callback=_headers,
    help="Send this header with the request for a URL.",
)
@click.option(
    "--timeout",
    type=Seconds(0, 1_000_000, min_open=True),
    metavar="SECONDS",
    help="Seconds for the whole download of a URL.",
)
@click.option("--diff", is_flag=True, help="Show what --fix would change, and write nothing.")
@click.option("--fix", is_flag=True, help="Write the fixes that are certain into the files.")
@click.option("--backup", is_flag=True, help="With --fix: keep the file as it was as FILE.bak.")
@click.option(
    "--explain",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=_explain,
    help="Explain a finding, and exit.",
)
def check(sources: tuple[str, ...], as_json: bool, **values: Any) -> int:
    if as_json and values["format"] not in ("text", "json"):
        raise click.UsageError("--json is --format json; give one")
    values["format"] = "json" if as_json else values["format"]
    options = CheckOptions(**values)
    if options.diff and options.fix:
        raise click.UsageError("--diff only shows what --fix writes; give one")
    if options.diff and (options.format != "text" or options.output not in (None, "-")):
        raise click.UsageError("--diff prints a diff to standard output; it takes no --format, --json or -o")
    if options.backup and not options.fix:
        raise click.UsageError("--backup belongs to --fix")
    sources = sources or ("-",)
    found = [(source, list(files_of(source))) for source in sources]
    files = [file for _, below in found for file in below]
    refuse_onto_input(files)
    target = None if options.output == "-" else options.output
    if target is not None:
        if any(is_same_file(target, file) for file in files):
            raise click.UsageError(f"the output {target!r} is a source; give another name")
        with output_errors(target):
            backups = {os.path.realpath(f"{file}.bak") for file in files if options.backup}
            is_backup = bool(backups) and os.path.realpath(target) in backups
        if is_backup:
            raise click.UsageError(f"the output {target!r} is a backup; give another name")
    # It is opened before a file is fixed: that may fail.
    with nullcontext() if target is None else output_file(target) as file:
        if options.diff or options.fix:
            code = _fix_files(found, options)
            if options.diff or code == EXIT_UNUSABLE:
                if file is not None:
                    file.kept = True
                return code
        if file is None:
            return _check_all(found, options)
        text = io.TextIOWrapper(
            file, encoding="utf-8", errors="backslashreplace", newline="\n", write_through=True
        )
        try:
            with redirect_stdout(text):
                code = _check_all(found, options)
            file.kept = code == EXIT_UNUSABLE and file.is_empty  # nothing could be read
            return code
        finally:
            text.detach()


def _check_all(found: Iterable[tuple[str, list[str]]], options: CheckOptions) -> int:
    """Check the sources, each with its files, print the reports, and return the exit code."""
    from feedcharset.cli import report_formats as formats

    checked: list[CheckedSource] = []
    shown = False
    for one in _checked(found, options):
        checked.append(one)
        if one.report is None:
            note(f"feedcharset: {visible(one.source) or repr('')}: {visible(one.error)}")
        if options.format == "json":
            click.echo(formats.json_line(one))
        elif options.format == "github":
            for line in formats.annotation_lines(one):
                click.echo(line)
        elif options.format == "text" and (lines := list(formats.text_report(one, quiet=options.quiet))):
            show(*([[("", "")]] if shown else []), *lines)
            shown = True
    if options.format in ("text", "github"):
        if not options.quiet and any(one.report is not None for one in checked):
            click.echo(visible(formats.summary(checked)))
    elif options.format != "json":
        whole = {
            "gitlab": formats.gitlab_report,
            "html": formats.html_page,
            "junit": formats.junit_report,
            "sarif": formats.sarif_log,
        }
        with suppress(PipeClosed):
            click.echo(whole[options.format](checked, options.fail_on).encode())
    if any(one.report is None for one in checked):
        return EXIT_UNUSABLE
    return EXIT_FINDINGS if any(one.fails(options.fail_on) for one in checked) else EXIT_OK


def _checked(found: Iterable[tuple[str, list[str]]], options: CheckOptions) -> Iterator[CheckedSource]:
    from feedcharset.cli.report_formats import CheckedSource
    from feedcharset.validate.document_check import check_stream

    for source, files in found:
        if not files:
            yield CheckedSource(shown_name(source), None, NO_FILES)
        for file in files:
            name = shown_name(file)
            try:
                with open_bytes(file, options.content_type, options.headers, options.timeout) as opened:
                    stream, field, is_packed = opened.stream, opened.content_type, is_gzip_file(opened)
                    report, _ = check_stream(
                        stream, field, options.policy, options.limit, is_gzip_file=is_packed
                    )
            except (OSError, ValueError, TypeError, MemoryError) as error:
                yield CheckedSource(name, None, reason_of(file, error))
                continue
            report = report._replace(findings=_wanted(report, options))
            yield CheckedSource(name, report, sent_by=opened.url)


def _wanted(report: Report, options: CheckOptions) -> tuple[Finding, ...]:
    """The findings that --select and --ignore leave."""
    selected = options.select or {finding.code for finding in report.findings}
    return tuple(one for one in report.findings if one.code in selected and one.code not in options.ignore)
