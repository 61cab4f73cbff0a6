"""Shared by the commands: exit codes, options, errors in one line, escaped output, sources, progress."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast

import click
from click.shell_completion import CompletionItem

from feedcharset.cli.output_file import OutputError, PipeClosed, StandardErrors, StandardOutput
from feedcharset.errors import (
    AddressRefused,
    DecodeError,
    FeedcharsetError,
    FetchError,
    HTTPStatusError,
    NotXmlMediaType,
    ResolutionError,
    TruncatedBody,
)
from feedcharset.results.explanation import visible

if TYPE_CHECKING:
    from feedcharset.reading.sources import ExpectedSource, OpenSource

EXIT_OK = 0
EXIT_FINDINGS = 1
EXIT_UNUSABLE = 2
EXIT_INTERRUPTED = 130

_LIKE_URL = re.compile(r"\s*+(?:https?:|[a-z][a-z0-9+.-]*+://)", re.IGNORECASE)

STYLES: dict[str, dict[str, Any]] = {
    "": {},
    "heading": {"bold": True},
    "key": {"dim": True},
    "answer": {"bold": True, "fg": "green"},
    "error": {"bold": True, "fg": "red"},
    "warning": {"fg": "yellow"},
    "info": {"fg": "cyan"},
    "place": {"bold": True, "fg": "magenta"},
}

TOO_LITTLE_MEMORY = "there is not enough memory for it"

EXCERPT = 80
"""Characters of an error page that are shown."""

LEAST_PROGRESS = 64 << 20
"""Bytes of a file that has a progress bar: smaller ones are read in a second."""

# -- options that several commands have ---------------------------------------------------------------

_Option = Callable[[Any], Any]


def complete_file(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The shell completes the name of a file."""
    return [CompletionItem(incomplete, type="file")]


def output_option(help: str) -> _Option:
    """The option for the file that is written."""

    def named(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value == "":
            raise click.BadParameter("the name is empty; is a variable of the shell not set?")
        return value

    options: dict[str, Any] = {"metavar": "FILE", "shell_complete": complete_file, "callback": named}
    return click.option("-o", "--output", help=help, **options)


class Whole(click.IntRange):
    """An integer; messages about other values do not call it an "integer range"."""

    name = "whole number"


class Seconds(click.FloatRange):
    """Seconds; messages about other values do not call them a "float range"."""

    name = "number of seconds"


def choice_option(name: str, values: Sequence[str], help: str, default: str | None = None) -> _Option:
    """An option that takes one of some values, the first by default."""
    default = values[0] if default is None else default
    return click.option(name, type=click.Choice(values), default=default, show_default=True, help=help)


policy_option: _Option = choice_option(
    "--policy", ("rfc3023", "rfc7303"), "Whose rules: RFC 3023, or the RFC that replaced it in 2014."
)


def _field_value(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The value of the header, which may be given with its name."""
    named = value is not None and value[:13].lower() == "content-type:"
    return value[13:].strip() if value is not None and named else value


content_type_option: _Option = click.option(
    "--content-type",
    metavar="VALUE",
    callback=_field_value,
    help="The Content-Type to assume; '' for a missing one.",
)

mojibake_option: _Option = choice_option(
    "--mojibake", ("keep", "fix"), "For text that was decoded wrongly before it was published."
)


def text_options(command: Any) -> Any:
    """Add --errors, --xml-chars and --mojibake to a command."""
    for option in (
        mojibake_option,
        choice_option(
            "--xml-chars", ("keep", "replace", "space", "drop"), "For characters that XML forbids."
        ),
        click.option(
            "--errors",
            type=click.Choice(["strict", "replace", "space", "latin-1", "windows-1252"]),
            help="For undecodable bytes; a UTF-8 character that was cut off is U+FFFD under windows-1252 and "
            "latin-1, too.  [default: windows-1252; strict with --strict]",
        ),
    ):
        command = option(command)
    return command


# -- exit codes ---------------------------------------------------------------------------------------


def run(group: click.Group, arguments: list[str] | None = None) -> int:
    """Call the command line and return its exit code.

    click's own main runs, so shell completion works, and wildcards are expanded on Windows. The exit code is
    the same whether standard error is open, full or closed.
    """
    _prepare_output()
    output, errors = StandardOutput(sys.stdout), StandardErrors(sys.stderr)
    with redirect_stdout(cast("IO[str]", output)), redirect_stderr(cast("IO[str]", errors)):
        try:
            code = group.main(arguments, prog_name="feedcharset", standalone_mode=False)
            output.flush()
        except click.ClickException as error:
            from feedcharset.fetch.urls import without_userinfo

            if not isinstance(error, click.exceptions.NoArgsIsHelpError):
                vars(error)["message"] = visible(without_userinfo(error.message))
            error.show(file=cast("IO[str]", errors))
            code = EXIT_UNUSABLE
        except (click.Abort, KeyboardInterrupt):
            code = EXIT_INTERRUPTED
        except PipeClosed:
            code = EXIT_OK
        except OutputError as error:
            report_error(error.name, error)
            code = EXIT_UNUSABLE
        except MemoryError:  # of what is no one file's: a report about all of them
            note(f"feedcharset: {TOO_LITTLE_MEMORY}")
            code = EXIT_UNUSABLE
    # What was printed and not written stays in the buffer, and would raise at exit.
    for stream in (output.stream, errors.stream):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code if isinstance(code, int) else EXIT_OK


def _prepare_output() -> None:
    """Let no character fail: one that the terminal's or the pipe's encoding does not have is escaped.

    The numbers of closed standard streams are taken, so that no file that is opened gets one of them.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            # Reports are written as bytes of UTF-8. The mark of UTF-16 would stand before them.
            is_unfit = codecs.lookup(stream.encoding).name == "ascii" or "".encode(stream.encoding)
            stream.reconfigure(errors="backslashreplace", encoding="utf-8" if is_unfit else None)


# -- errors -------------------------------------------------------------------------------------------

DOWNLOAD = "download it, and give the file"
LATER = "try again later"
ADDRESS = "check the address"

ADVICE_BY_STATUS = {304: "leave the condition out", 401: DOWNLOAD, 403: DOWNLOAD, 408: LATER, 429: LATER}
ADVICE_BY_ADVICE = {"try later": f"{ADDRESS}, or {LATER}", "check the URL": ADDRESS}
ADVICE_BY_LIMIT = {"connect": LATER, "read": LATER, "https_to_http": "give that URL"}


def note(line: str) -> None:
    """Print a line on standard error."""
    click.echo(line, file=sys.stderr)


def report_error(source: str, error: BaseException) -> None:
    """One line on standard error."""
    reason = error.reason if isinstance(error, OutputError) else reason_of(source, error)
    note(f"feedcharset: {visible(shown_name(source)) or repr('')}: {visible(reason)}")


def shown_name(source: str) -> str:
    """Return what is shown of an argument: a URL, and what was meant as one, without its password."""
    from feedcharset.fetch.urls import masked, masked_path, target, unopened

    if not _LIKE_URL.match(source):
        return source if os.path.exists(source) else masked_path(source)
    if masked(source) == source:
        return source
    try:
        return unopened(target(source).url)
    except AddressRefused as error:
        return cast("str", error.url)


def reason_of(source: str, error: BaseException) -> str:
    """Return why a source could not be read, without its name, and what to do on the command line."""
    if isinstance(error, MemoryError):
        return TOO_LITTLE_MEMORY
    if isinstance(error, FileNotFoundError):
        if "://" in source:
            return "no such file, and no URL that is opened; give check, explain or cat an http or https URL"
        from feedcharset.fetch.urls import as_https

        if meant := as_https(shown_name(source)):
            return f"no such file; for the web address give {meant}"
    if isinstance(error, IsADirectoryError):
        return "it is a folder; name the files in it (FOLDER/*.xml)"
    if not isinstance(error, FeedcharsetError):
        return getattr(error, "strerror", None) or str(error)
    problem = error.problem.removeprefix(f"{source}: ")
    if isinstance(error, FetchError):
        from feedcharset.fetch.urls import shown, target, unopened

        try:
            ready = unopened(target(source).url)
        except AddressRefused:
            ready = shown_name(source)
        problem = problem.removeprefix(f"{shown(ready)}: ")  # it may be written otherwise than the argument
    advice = _advice(error)
    message = f"{problem}; {advice}" if advice else problem
    if isinstance(error, HTTPStatusError) and (excerpt := " ".join(error.excerpt.split())):
        message += f"; the page begins: {excerpt[:EXCERPT]}"
    return message


def _advice(error: FeedcharsetError) -> str:
    """What to do: options and commands, where `error.advice` names arguments and attributes."""
    if isinstance(error, HTTPStatusError):
        return ADVICE_BY_STATUS.get(error.status, LATER if error.status >= 500 else ADDRESS)
    if not error.advice or (isinstance(error, AddressRefused) and error.limit is None):
        return error.advice
    if isinstance(error, TruncatedBody):
        is_here = error.of_gzip or error.url is None
        return "leave out --strict to take what there is" if is_here else "try again"
    if isinstance(error, FetchError):
        if error.limit is not None and error.url is None:
            return "if you trust it, unpack it, and give that file"
        if error.limit is not None:
            return ADVICE_BY_LIMIT.get(error.limit, DOWNLOAD)
        return ADVICE_BY_ADVICE.get(error.advice, error.advice if "proxy" in error.advice else DOWNLOAD)
    if isinstance(error, DecodeError):
        return "correct the label, or give cat --errors replace"
    if isinstance(error, NotXmlMediaType):
        return "give the right --content-type, or leave out --strict"
    return "correct the label, or leave out --strict" if isinstance(error, ResolutionError) else error.advice


def show(*lines: list[tuple[str, str]]) -> None:
    """Print lines of (style, text): coloured on a terminal, plain in a pipe, with NO_COLOR and TERM=dumb."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    colored = sys.stdout.isatty() and not plain
    for line in lines:
        styled = [click.style(text, **STYLES[style]) if style and colored else text for style, text in line]
        click.echo("".join(styled))


# -- sources ------------------------------------------------------------------------------------------


def expected_source(source: str) -> ExpectedSource:
    """What the argument names, as `XmlReader` takes it."""
    from feedcharset.reading.sources import ExpectedSource

    if source == "-":
        return ExpectedSource("stream", standard_input())
    if source.lower().startswith(("http://", "https://")):
        return ExpectedSource("url", source)
    return ExpectedSource("path", source)


def standard_input() -> BinaryIO:
    """Standard input as bytes; a terminal is told that it is read.

    Raises:
        ValueError: it is closed (`<&-`), or `-` is given twice.
    """
    if sys.stdin is None:
        raise ValueError("standard input is closed")
    read = click.get_current_context().meta.setdefault("feedcharset.standard-input", [])
    if read:
        raise ValueError("standard input is read already; give - once")
    read.append(True)
    if sys.stdin.isatty():
        note("feedcharset: reading standard input")
        return io.BufferedReader(_TerminalInput(sys.stdin.buffer))
    return sys.stdin.buffer


class _TerminalInput(io.RawIOBase):
    """What is typed. Its end holds: to read behind it would wait for another Ctrl-D."""

    def __init__(self, source: Any) -> None:
        self._source = source
        self._ended = False

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return int(self._source.fileno())

    def readinto(self, buffer: Any) -> int:
        data = b"" if self._ended else self._source.read1(len(buffer))
        self._ended = not data
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def open_bytes(
    source: str,
    content_type: str | None = None,
    headers: dict[str, str] | None = None,
    timeout: float | None = None,
) -> Iterator[OpenSource]:
    """The source that the command line names, open, with a progress bar for a large file. What is
    opened here is closed. `content_type` overrides what it says; `timeout`: seconds of the whole download."""
    from feedcharset.fetch.limits import Limits
    from feedcharset.reading.sources import open_source

    limits = Limits() if timeout is None else Limits(total=timeout)
    opened = open_source(expected_source(source), None, headers, limits)
    try:
        with progress(opened.stream, shown_name(source)) as stream:
            field = opened.content_type if content_type is None else content_type
            yield opened._replace(stream=stream, content_type=field)
    finally:
        if opened.owned:
            opened.stream.close()


# -- progress -----------------------------------------------------------------------------------------


@contextmanager
def progress(stream: Any, label: str) -> Iterator[Any]:
    """A stream that shows a progress bar while it is read: on a terminal, for a large file.

    Its end is a ValueError where something was cut off the file meanwhile.
    """
    try:
        size = os.fstat(stream.fileno()).st_size
    except (OSError, ValueError, AttributeError):
        size = 0
    if size < LEAST_PROGRESS:
        yield stream
        return
    from feedcharset.fetch.gunzip import PieceStream

    options: Any = {"file": sys.stderr, "update_min_steps": 1 << 20, "hidden": not sys.stderr.isatty()}
    with click.progressbar(length=size, label=visible(label), **options) as bar:

        def read(wanted: int) -> bytes:
            piece: bytes = stream.read(wanted)
            if wanted and not piece and os.fstat(stream.fileno()).st_size < size:
                raise ValueError("the file became shorter while it was read; the rest of it is missing")
            bar.update(len(piece))
            return piece

        yield PieceStream(read)
