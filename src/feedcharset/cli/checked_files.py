"""The files that `check` names: those of a folder, what --fix writes into them; and the codes of findings."""

from __future__ import annotations

import difflib
import io
import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from feedcharset.cli.output import OutputError, back_up, output_file
from feedcharset.cli.terminal import note, report_error
from feedcharset.evidence.document_head import gather_facts
from feedcharset.results.explanation import visible
from feedcharset.validate.findings import CATALOGUE

if TYPE_CHECKING:
    from feedcharset.validate.document_check import FixedDocument

__all__ = ["files_of", "fix_files", "known_codes"]

XML_SUFFIXES = (".xml", ".rss", ".atom", ".rdf", ".opml")
"""The files of a folder that are checked, by the end of their names."""

FILE_BEGINNING = 512
"""Bytes in which a file without an extension must begin as XML."""

_FEED_OPENING = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:rss|feed|opml|rdf:RDF)[\s/>]")


def files_of(source: str) -> Iterator[str]:
    """The source itself; for a folder the XML files in it, sorted, without hidden files and folders."""
    if source == "-" or "://" in source or not os.path.isdir(source):
        yield source
        return
    for folder, folders, files in os.walk(source):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = os.path.join(folder, name)
            wanted = name.lower().endswith(XML_SUFFIXES) and not name.startswith(".")
            if wanted or ("." not in name and _begins_as_xml(path)):
                yield path


def _begins_as_xml(path: str) -> bool:
    """Return True for a file that begins with an XML declaration, or with the root element of a feed."""
    if not os.path.isfile(path):
        return False  # to open a pipe would wait for its writer
    try:
        with open(path, "rb") as file:
            head = file.read(FILE_BEGINNING)
    except OSError:
        return False
    return _FEED_OPENING.match(head) is not None or gather_facts(head, None, lenient=True).guess is not None


def known_codes(names: Iterable[str]) -> tuple[str, ...]:
    """The codes that the names select: a name is a code, or the first words of codes ("rule", "label").

    Raises:
        ValueError: a name selects nothing.
    """
    codes = []
    for name in names:
        found = [kind.code for kind in CATALOGUE if f"{kind.code}-".startswith(f"{name}-")]
        if not found:
            near = difflib.get_close_matches(name, [kind.code for kind in CATALOGUE], 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"no finding has the code {name!r}{hint}")
        codes += found
    return tuple(codes)


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
    from feedcharset.fetch.gunzip import GZIP_MAGIC
    from feedcharset.validate.document_check import check_stream, fix_document

    with open(file, "rb") as stream:
        data = stream.read()
    if data.startswith(GZIP_MAGIC):
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
