"""What `feedcharset batch` is given: web archives, Parquet files, XML files and folders of them, as units."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["PARTS", "UNIT_BYTES", "Unit", "find_files", "kind_of", "split_units"]

Kind = Literal["warc", "parquet", "xml"]

UNIT_BYTES = 64 << 20
"""Bytes of row groups, or of XML files, in one unit of work: some thousand documents. An archive is one unit:
it can only be read from its beginning."""

PARTS = ".parts"
"""Ends the name of the folder beside the output that holds the parts of a run."""

SUFFIXES: tuple[tuple[str, Kind], ...] = (
    *((f".warc{packing}", "warc") for packing in ("", ".gz", ".zst", ".lz4")),
    (".parquet", "parquet"),
    *(
        (f".{name}{packing}", "xml")
        for name in ("xml", "rss", "atom", "rdf", "feed")
        for packing in ("", ".gz")
    ),
)
"""What is taken of a folder; a file that is named itself is XML where its name ends in none of these."""


class Unit(NamedTuple):
    """A piece of work: one archive, some row groups of a Parquet file, or some XML files."""

    kind: Kind
    paths: tuple[str, ...]
    row_groups: tuple[int, ...]
    """Of a Parquet file."""
    size: int
    """Bytes, for the progress bar."""
    key: str
    """A name that changes with the files (path, size, time of change) and with what is taken of them."""


def kind_of(name: str) -> Kind | None:
    """The kind of a file by its name."""
    lower = name.lower()
    return next((kind for suffix, kind in SUFFIXES if lower.endswith(suffix)), None)


def find_files(names: Sequence[str], output: str = "") -> Iterator[tuple[str, Kind]]:
    """The files that are named, and those below the folders that are named, in the order of their names.

    Of a folder neither the output is taken, nor its parts, nor what is hidden (`.name`, `_name`).

    Raises:
        OSError: a name that is no file and no folder.
    """
    for name in names:
        if os.path.isdir(name):
            left_out = {os.path.realpath(output + suffix) for suffix in ("", PARTS)} if output else set()
            yield from _walk(name, left_out)
        else:
            os.stat(name)
            yield name, kind_of(name) or "xml"


def _walk(top: str, left_out: set[str]) -> Iterator[tuple[str, Kind]]:
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if _counts(folder, name, left_out))
        for name in sorted(name for name in files if _counts(folder, name, left_out)):
            if kind := kind_of(name):
                yield os.path.join(folder, name), kind


def _counts(folder: str, name: str, left_out: set[str]) -> bool:
    return not name.startswith((".", "_")) and os.path.realpath(os.path.join(folder, name)) not in left_out


def split_units(files: Sequence[tuple[str, Kind]]) -> Iterator[Unit]:
    """The work, in the order of the files.

    Raises:
        OSError, ValueError: a Parquet file that cannot be read.
    """
    gathered: list[str] = []
    size = 0
    for path, kind in files:
        if kind == "warc":
            yield _unit(kind, (path,), (), os.path.getsize(path))
        elif kind == "parquet":
            yield from _row_groups(path)
        else:
            gathered.append(path)
            size += os.path.getsize(path)
            if size >= UNIT_BYTES:
                yield _unit(kind, tuple(gathered), (), size)
                gathered, size = [], 0
    if gathered:
        yield _unit("xml", tuple(gathered), (), size)


def _row_groups(path: str) -> Iterator[Unit]:
    try:
        metadata = pq.read_metadata(path)
    except (ValueError, pa.ArrowException) as error:
        raise ValueError(f"{path}: {error}") from None
    groups: list[int] = []
    size = 0
    for number in range(metadata.num_row_groups):
        groups.append(number)
        size += metadata.row_group(number).total_byte_size
        if size >= UNIT_BYTES:
            yield _unit("parquet", (path,), tuple(groups), size)
            groups, size = [], 0
    if groups:
        yield _unit("parquet", (path,), tuple(groups), size)


def _unit(kind: Kind, paths: tuple[str, ...], row_groups: tuple[int, ...], size: int) -> Unit:
    digest = hashlib.sha256(repr((kind, row_groups)).encode())
    for path in paths:
        state = os.stat(path)
        digest.update(repr((os.path.realpath(path), state.st_size, state.st_mtime_ns)).encode())
    name = "".join(char if char.isalnum() or char in "-." else "-" for char in Path(paths[0]).name[-60:])
    return Unit(kind, paths, row_groups, size, f"{name}-{digest.hexdigest()[:16]}")
