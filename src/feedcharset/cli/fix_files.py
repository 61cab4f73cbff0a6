"""`feedcharset check --fix` and `--diff`: files with the fixes that are certain."""

from __future__ import annotations

import difflib
import io
from typing import TYPE_CHECKING

import click

from feedcharset.cli.checked_files import files_of
from feedcharset.cli.output import OutputError, back_up, output_file
from feedcharset.cli.terminal import note, report_error
from feedcharset.results.explanation import visible

if TYPE_CHECKING:
    from feedcharset.validate.document_check import FixedDocument

__all__ = ["fix_files"]

GZIP = b"\x1f\x8b"


def fix_files(sources: tuple[str, ...], content_type: str | None, *, write: bool, backup: bool) -> int:
    """Fix files, or show what would change.

    Args:
        sources: files and folders.
        content_type: with which the files are sent.
        write: write the files; else print the differences.
        backup: keep each changed file as it was, with .bak after its name.

    Returns:
        1 where a file changes, or would change; 2 where a source is not a readable file; else 0.
    """
    code = 0
    for file in (file for source in sources for file in files_of(source)):
        try:
            if file == "-" or "://" in file:
                raise ValueError("only files can be fixed")
            fixed = _fixed(file, content_type)
            if fixed is not None:
                code = max(code, 1)
                _write(file, fixed, backup) if write else _show(file, fixed)
        except OutputError as error:
            code = 2
            report_error(error.name, error)
        except (OSError, ValueError) as error:
            code = 2
            report_error(file, error)
    return code


def _fixed(file: str, content_type: str | None) -> FixedDocument | None:
    from feedcharset.validate.document_check import check_stream, fix_document

    with open(file, "rb") as stream:
        data = stream.read()
    if data.startswith(GZIP):
        return None
    report, comparison = check_stream(io.BytesIO(data), content_type)
    return fix_document(data, content_type, report, comparison) if report.resolution is not None else None


def _write(file: str, fixed: FixedDocument, backup: bool) -> None:
    if backup:
        back_up(file)
    with output_file(file) as target:
        target.write(fixed.data)
    note(f"fixed: {visible(file)}{_conversion(fixed)}")


def _show(file: str, fixed: FixedDocument) -> None:
    """Print a unified diff of the text."""
    before, after = fixed.before.splitlines(), fixed.after.splitlines()
    names = visible(file), f"{visible(file)}{_conversion(fixed)}"
    lines = list(difflib.unified_diff(before, after, *names, n=1, lineterm=""))
    for line in lines or [f"--- {names[0]}", f"+++ {names[1]}"]:
        click.echo(visible(line))


def _conversion(fixed: FixedDocument) -> str:
    return f" (converted from {fixed.converted_from} to UTF-8)" if fixed.converted_from else ""
