"""Shared by the commands: exit codes, errors in one line, escaped output, files, progress."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast

import click

from feedcharset.cli.output import STANDARD_OUTPUT, OutputError, PipeClosed, is_closed_pipe
from feedcharset.results.explanation import visible

if TYPE_CHECKING:
    from feedcharset.reading.sources import OpenSource
    from feedcharset.reading.xml_reader import XmlReader

__all__ = [
    "EXIT_FINDINGS",
    "EXIT_INTERRUPTED",
    "EXIT_OK",
    "EXIT_UNUSABLE",
    "open_argument",
    "open_bytes",
    "progress",
    "progress_of_parts",
    "report_error",
    "run",
    "show",
    "standard_input",
]

EXIT_OK = 0
EXIT_FINDINGS = 1
EXIT_UNUSABLE = 2
EXIT_INTERRUPTED = 130

STYLES = {
    "": "",
    "heading": "bold",
    "key": "dim",
    "answer": "bold green",
    "error": "bold red",
    "warning": "yellow",
    "info": "cyan",
    "place": "bold magenta",
}


def run(group: click.Group, arguments: list[str] | None = None) -> int:
    """Call the command line and return its exit code. A closed pipe is no error.

    click's own main runs, so shell completion works, and wildcards are expanded on Windows.
    """
    _prepare_output()
    try:
        code = group.main(arguments, prog_name="feedcharset", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return EXIT_UNUSABLE
    except (click.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except (PipeClosed, OutputError, OSError) as error:
        # What was printed and not written stays in the buffer and would raise again at exit.
        _discard_output()
        if isinstance(error, PipeClosed) or (isinstance(error, OSError) and is_closed_pipe(error)):
            return EXIT_OK
        report_error(error.name if isinstance(error, OutputError) else STANDARD_OUTPUT, error)
        return EXIT_UNUSABLE
    return code if isinstance(code, int) else EXIT_OK


class _ClosedOutput(io.RawIOBase):
    """Stands for a standard output that is closed: the first write fails."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def _prepare_output() -> None:
    """Let no character fail: one that the terminal's or the pipe's encoding does not have is escaped."""
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(_ClosedOutput(), encoding="utf-8", write_through=True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Send what is left in the buffer of standard output nowhere (Python's documentation, SIGPIPE)."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = io.TextIOWrapper(io.BytesIO())


def report_error(source: str, error: BaseException) -> None:
    """One line on stderr; nothing where stderr is closed or full."""
    if isinstance(error, OutputError):
        message = error.reason
    else:
        from feedcharset.cli.error_words import reason_of
        from feedcharset.fetch.urls import masked

        if source.lower().startswith(("http:", "https:")):
            source = masked(source)
        message = reason_of(source, error)
    with suppress(OSError):
        click.echo(f"feedcharset: {visible(source)}: {visible(message)}", err=True)


def show(*lines: list[tuple[str, str]]) -> None:
    """Print lines of (style, text): coloured on a terminal, plain in a pipe. Never read as markup."""
    if not sys.stdout.isatty():
        for line in lines:
            click.echo("".join(text for _, text in line))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*[(text, STYLES[style]) for style, text in line]))


@contextmanager
def open_argument(source: str, *, shown: bool, **options: Any) -> Iterator[XmlReader]:
    """A reader of what the command line names: an http(s) URL, a file, or - for standard input.

    Args:
        source: the argument.
        shown: show a progress bar for a large file.
        options: those of `XmlReader`.
    """
    from feedcharset.reading.xml_reader import XmlReader

    if source == "-":
        with XmlReader.from_stream(standard_input(), closefd=False, **options) as reader:
            yield reader
    elif source.lower().startswith(("http://", "https://")):
        with XmlReader.from_url(source, **options) as reader:
            yield reader
    elif shown:
        with (
            open(source, "rb", buffering=0) as file,
            progress(cast("BinaryIO", file), source) as stream,
            XmlReader.from_stream(stream, **options) as reader,
        ):
            yield reader
    else:
        with XmlReader.from_path(source, **options) as reader:
            yield reader


def standard_input() -> BinaryIO:
    """Standard input as bytes.

    Raises:
        ValueError: it is closed (`<&-`).
    """
    if sys.stdin is None:
        raise ValueError("standard input is closed")
    return sys.stdin.buffer


@contextmanager
def open_bytes(
    source: str, headers: dict[str, str] | None = None, timeout: float | None = None
) -> Iterator[OpenSource]:
    """The source that the command line names, open; it is closed if it was opened here.

    Args:
        source: the argument.
        headers: to send with a request for a URL.
        timeout: seconds for the whole download of a URL.
    """
    from feedcharset.fetch.limits import Limits
    from feedcharset.reading.sources import ExpectedSource, LiteralPath, SourceOptions, open_source

    if source == "-":
        expected = ExpectedSource("stream", standard_input())
    elif source.lower().startswith(("http://", "https://")):
        expected = ExpectedSource("url", source)
    else:
        expected = ExpectedSource("path", LiteralPath(source))
    limits = Limits() if timeout is None else Limits(total=timeout)
    opened = open_source(expected, SourceOptions(None, headers, limits))
    try:
        yield opened
    finally:
        if opened.owned:
            opened.stream.close()


@contextmanager
def progress(stream: BinaryIO, label: str, least: int = 64 << 20) -> Iterator[BinaryIO]:
    """A stream that shows a progress bar while it is read: on a terminal, for `least` bytes or more."""
    size = _size(stream)
    if sys.stderr is None or not sys.stderr.isatty() or size < least:
        yield stream
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    with bar, bar.wrap_file(stream, size, description=visible(label).replace("[", "\\[")) as wrapped:
        yield wrapped


@contextmanager
def progress_of_parts(size: int, label: str) -> Iterator[Callable[[int], object]]:
    """Show a progress bar on a terminal; give a function that is called with the bytes of each part."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda size: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(visible(label).replace("[", "\\["), total=size)
        yield lambda size: bar.advance(task, size)


def _size(stream: IO[bytes]) -> int:
    try:
        return os.fstat(stream.fileno()).st_size
    except (OSError, ValueError, AttributeError):
        return 0
