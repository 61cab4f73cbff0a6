"""Shared by the commands: exit codes, errors in one line, escaped output, files, progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, BinaryIO

import click

from feedcharset.results.display import visible

if TYPE_CHECKING:
    from pathlib import Path

    from feedcharset.reading.sources import OpenSource
    from feedcharset.reading.xml_reader import XmlReader

__all__ = [
    "EXIT_FINDINGS",
    "EXIT_INTERRUPTED",
    "EXIT_OK",
    "EXIT_UNUSABLE",
    "open_argument",
    "open_bytes",
    "output_file",
    "progress",
    "report_error",
    "run",
    "show",
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
    """Call the command line and give its exit code. A closed pipe is no error."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        # Not group.main(): that turns a closed pipe into exit code 1.
        with group.make_context("feedcharset", arguments) as context:
            code = group.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as left:
        return left.exit_code
    except click.ClickException as error:
        error.show()
        return EXIT_UNUSABLE
    except (click.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The pipe is closed; buffered output must not raise again at exit (Python's own advice).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    return code if isinstance(code, int) else EXIT_OK


def report_error(source: str, error: BaseException) -> None:
    """One line on stderr."""
    message = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
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


def open_argument(source: str, **options: Any) -> XmlReader:
    """A reader of what the command line names: an http(s) URL, a file, or - for standard input."""
    from feedcharset.reading.xml_reader import XmlReader

    if source == "-":
        return XmlReader.from_stream(sys.stdin.buffer, closefd=False, **options)
    if source.lower().startswith(("http://", "https://")):
        return XmlReader.from_url(source, **options)
    return XmlReader.from_path(source, **options)


@contextmanager
def open_bytes(source: str) -> Iterator[OpenSource]:
    """The source that the command line names, open; it is closed if it was opened here."""
    from feedcharset.fetch.limits import Limits
    from feedcharset.reading.sources import ExpectedSource, LiteralPath, SourceOptions, open_source

    if source == "-":
        expected = ExpectedSource("stream", sys.stdin.buffer)
    elif source.lower().startswith(("http://", "https://")):
        expected = ExpectedSource("url", source)
    else:
        expected = ExpectedSource("path", LiteralPath(source))
    opened = open_source(expected, SourceOptions(None, None, Limits()))
    try:
        yield opened
    finally:
        if opened.owned:
            opened.stream.close()


@contextmanager
def output_file(path: str, *, not_onto: str | BinaryIO | None = None) -> Iterator[BinaryIO]:
    """A file that replaces the target only when it is complete; a device or a pipe is written directly.

    Raises:
        ValueError: it is the input file, possibly under another name.
    """
    import tempfile  # it and pathlib take longer to import than most commands run
    from pathlib import Path

    if _is_same(path, not_onto):
        raise ValueError(f"the output {path!r} is the input; give another name")
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as device:
            yield device
        return
    target = Path(path).resolve()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _is_same(path: str, source: str | BinaryIO | None) -> bool:
    if source is None:
        return False
    try:
        return os.path.samefile(path, source if isinstance(source, str) else source.fileno())
    except (OSError, ValueError):
        return False  # no such file, or a stream without a file number


def _mode(target: Path) -> int:
    """The mode of the existing file, or that of a new one."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextmanager
def progress(stream: BinaryIO, label: str, least: int = 64 << 20) -> Iterator[BinaryIO]:
    """A stream that shows a progress bar while it is read: on a terminal, for `least` bytes or more."""
    size = _size(stream)
    if not sys.stderr.isatty() or size < least:
        yield stream
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    with bar, bar.wrap_file(stream, size, description=visible(label).replace("[", "\\[")) as wrapped:
        yield wrapped


def _size(stream: IO[bytes]) -> int:
    try:
        return os.fstat(stream.fileno()).st_size
    except (OSError, ValueError, AttributeError):
        return 0
