"""What `feedcharset batch` is given: web archives, Parquet files and folders of XML files, and their rows."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import partial
from itertools import groupby, takewhile
from typing import Any, Literal, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from feedcharset.adapters.xml_responses import HEAD_BYTES, head_of
from feedcharset.batch.arrays import BODY, CONTENT_TYPE, bodies, strings_of, values_of
from feedcharset.batch.row_decoder import BODY_LIMIT
from feedcharset.batch.row_selection import NAMED_CONDITIONS, CrawlRow, all_of
from feedcharset.batch.warc import ROWS_BYTES, WARC_SCHEMA, read_warc, record_batches
from feedcharset.reading.sources import XML_SUFFIXES, files_below, is_xml_file

FILE_SCHEMA = pa.schema([pa.field("path", pa.string()), pa.field(BODY, pa.binary())])
"""The columns of XML files."""

READ_BUFFER = 1 << 20
"""Bytes of a Parquet column that are read at once: without it Arrow holds a row group's column whole."""

_NAME = re.compile(
    rf"(.*)\.(?:(?P<warc>warc(?:\.gz|\.zst|\.lz4)?)|(?P<parquet>parquet)|(?P<xml>{XML_SUFFIXES}))",
    re.IGNORECASE | re.DOTALL,
)
"""What is taken of a folder. A named file that ends otherwise, or as XML, is known by its first bytes."""


class CrawlInput(NamedTuple):
    """What becomes one Parquet file: an archive, a Parquet file, or the XML files of a folder."""

    kind: Literal["warc", "parquet", "xml"]
    name: str
    """The file or the folder, as it was named."""
    paths: tuple[str, ...]
    target: str
    """The Parquet file, below the output folder."""


class RunOptions(NamedTuple):
    """How each input is read and decoded. Picklable: it goes to the workers."""

    where: tuple[str, ...]
    """Conditions, all of which a row must meet. None: of an archive what looks like XML, else every row."""
    url: str
    """The column of Parquet files that the conditions on URLs are about."""
    decoding: dict[str, Any]
    """Arguments of `decode_batches` and `output_schema`."""


def find_inputs(names: Sequence[str], output: str, unread: Callable[[str, str], object]) -> list[CrawlInput]:
    """The inputs that are named, and those below the folders that are named, in the order of their names.

    A target has the name of its input, and stands as deep below the output folder as the input below the
    folder that was named. Folders like `lang=fr`, which engines read as a column, are kept above it. Neither
    the output folder is read, nor what is hidden (`.name`, `_name`).

    Args:
        names: of files and folders.
        output: the output folder.
        unread: called for each name, and each folder below one, that cannot be read, with the name and a
            sentence; the others are read.

    Raises:
        OSError: none of the names can be read.
        ValueError: there are none; they are of several kinds; two have one target; a target is an input.
    """
    if os.path.realpath(output) in map(os.path.realpath, names):
        raise ValueError(f"the output {output} is an input; give another folder")
    named: list[CrawlInput] = []
    first: OSError | None = None
    for name in names:
        try:
            named += _inputs(name, os.path.realpath(output), partial(unread, name))
        except OSError as error:
            first = first or error
            unread(name, f"{name}: {error.strerror}")
    if not named:
        raise first or ValueError(f"no archive, Parquet file or XML file in {', '.join(names)}")
    kinds = {one.kind: one.name for one in reversed(named)}
    if len(kinds) > 1:
        examples = ", ".join(f"{path} is {kind}" for kind, path in kinds.items())
        raise ValueError(f"inputs of several kinds, which have other columns ({examples}); give one kind")
    found: dict[str, CrawlInput] = {}
    for one in named:
        other = found.setdefault(one.target, one)
        if [*map(os.path.realpath, other.paths)] != [*map(os.path.realpath, one.paths)]:
            raise ValueError(
                f"{other.name} and {one.name} would both become {one.target}; give them other names, or "
                "another output folder"
            )
    targets = {os.path.realpath(os.path.join(output, target)) for target in found}
    if taken := [path for one in found.values() for path in one.paths if os.path.realpath(path) in targets]:
        raise ValueError(f"{taken[0]} would be overwritten by its output; give another output folder")
    return list(found.values())


def _inputs(name: str, output: str, unread: Callable[[str], object]) -> Iterator[CrawlInput]:
    def on_error(error: OSError) -> None:
        if error.filename == name:
            raise error
        unread(f"{error.filename}: {error.strerror}")

    if not os.path.isdir(name):
        os.stat(name)
        folder, base = os.path.split(name)
        kind, target = _kind_and_target(base)
        if kind in ("xml", None):
            with open(name, "rb") as file:
                head = head_of(file.read(HEAD_BYTES))
            if head.startswith(b"filedesc:"):
                raise ValueError(f"{name} is an ARC file; convert it: warcio recompress {base} NAME.warc.gz")
            if base.lower().endswith(".wacz"):
                raise ValueError(f"{name} holds archives; take them out: unzip {base} 'archive/*'")
            kind = "warc" if head.startswith(b"WARC/") else "parquet" if head.startswith(b"PAR1") else "xml"
        yield CrawlInput(kind, name, (name,), os.path.join(_hive(folder), target))
        return
    files: list[str] = []
    for path in files_below(name, on_error, (".", "_"), output):
        kind, target = _kind_and_target(os.path.relpath(path, name))
        if kind in ("xml", None) and is_xml_file(path):
            files.append(path)
        elif kind in ("warc", "parquet"):
            yield CrawlInput(kind, path, (path,), os.path.join(_hive(name), target))
    if files:
        target = os.path.basename(os.path.abspath(name)) + ".parquet"
        yield CrawlInput("xml", name, tuple(files), os.path.join(_hive(name), target))


def _kind_and_target(path: str) -> tuple[Any, str]:
    """crawl.warc.gz becomes crawl.parquet."""
    found = _NAME.fullmatch(path)
    return (found.lastgroup, found[1] + ".parquet") if found else (None, path + ".parquet")


def _hive(folder: str) -> str:
    """The last parts of a folder's path that are `name=value`."""
    parts = reversed(os.path.abspath(folder).split(os.sep))
    return os.path.join("", *reversed([*takewhile(lambda part: "=" in part, parts)]))


def arrow_file(path: str | os.PathLike[str], mode: str = "rb") -> Any:
    """An open file. Arrow takes a path of any bytes as bytes only."""
    return pa.OSFile(os.fsencode(path), mode)


def in_utf8(path: str) -> str:
    """A path as it is where file names are UTF-8, whatever the locale. Other bytes are surrogates."""
    return os.fsencode(path).decode("utf-8", "surrogateescape")


def state_of(one: CrawlInput, options: RunOptions) -> str:
    """A name for what is decoded: it changes with the files (size, time of change) and with the options."""
    digest = hashlib.sha256(repr((one.kind, options)).encode("utf-8", "surrogateescape"))
    for path in one.paths:
        shown = in_utf8(path) if one.kind == "xml" else ""  # the path of an XML file is a column
        with suppress(OSError):  # reading it will fail, too
            found = os.stat(path)
            state = (shown, found.st_size, found.st_mtime_ns)
            digest.update(repr(state).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


# -- rows -------------------------------------------------------------------------------------------------

ProblemHandler = Callable[[str], object]


def input_schema(one: CrawlInput) -> pa.Schema:
    """The columns of the rows of an input."""
    if one.kind == "warc":
        return WARC_SCHEMA
    if one.kind == "xml":
        return FILE_SCHEMA
    with arrow_file(one.paths[0]) as file:
        return pq.read_schema(file)


def read_rows(one: CrawlInput, options: RunOptions, on_error: ProblemHandler) -> Iterator[pa.RecordBatch]:
    """Read an input in record batches of about 32 MB. `on_error` is called with a sentence for each damaged
    place, each row group and each XML file that cannot be read; the rest is read.

    Raises:
        OSError, ValueError: the input cannot be read at all.
    """
    most = options.decoding.get("max_bytes", BODY_LIMIT)
    if one.kind == "warc":
        is_named = NAMED_CONDITIONS.keys() & options.where
        wanted = all_of(options.where if is_named else ("xml", *options.where))
        yield from read_warc(one.paths[0], wanted=wanted, max_bytes=most, on_error=on_error)
        return
    batches = _read_parquet(one, on_error)
    if one.kind == "xml":
        batches = record_batches(_read_files(one, most, on_error), FILE_SCHEMA)
    for batch in batches:
        yield from _taken(batch, options) if options.where else [batch]


def _read_files(one: CrawlInput, max_bytes: int, on_error: ProblemHandler) -> Iterator[dict[str, Any]]:
    for path in one.paths:
        try:
            with open(path, "rb") as file:
                data = file.read(max_bytes + 1)
        except OSError as error:
            on_error(f"{path}: {error.strerror}")
            continue
        yield {"path": in_utf8(path).encode("utf-8", "backslashreplace").decode(), BODY: data}


def _read_parquet(one: CrawlInput, on_error: ProblemHandler) -> Iterator[pa.RecordBatch]:
    with arrow_file(one.paths[0]) as source:
        file = pq.ParquetFile(
            source, buffer_size=READ_BUFFER, pre_buffer=False, page_checksum_verification=True
        )
        for number in range(file.num_row_groups):
            group = file.metadata.row_group(number)
            rows = max(1, group.num_rows * ROWS_BYTES // max(group.total_byte_size, 1))
            done, reason = 0, ""
            try:
                for batch in file.iter_batches(batch_size=min(rows, 1 << 16), row_groups=[number]):
                    yield batch
                    done += batch.num_rows
            except (OSError, pa.ArrowException) as error:
                reason = str(error)
            if reason or done < group.num_rows:
                reason = reason or "its pages hold no more"  # a damaged header of a page seemed to be the end
                on_error(f"row group {number}, after {done} of {group.num_rows} rows: {reason}")


_STATUSES = (int, float, Decimal, str, type(None))
"""What a status may be."""


def _taken(batch: pa.RecordBatch, options: RunOptions) -> list[pa.RecordBatch]:
    """The rows that meet the conditions. Of XML files, the URL is the path.

    Raises:
        ValueError: a condition on a column that there is not.
        TypeError: a column of another type.
    """
    wanted, there = all_of(options.where), batch.schema.names
    url = "path" if "path" in there and options.url not in there else options.url
    media = options.decoding.get("content_type", CONTENT_TYPE)
    columns = {"url": url, "host": options.url, "type": media, "status": "status"}
    needed = {media}  # `xml` is about the type, too
    for condition in options.where:
        name = columns.get(condition.partition("=")[0].rstrip("!"))
        if name is not None and name not in there:
            raise ValueError(f"no column {name!r} for --where {condition}; there are {', '.join(there)}")
        needed.add(name or media)
    values = bodies(batch[options.decoding.get("body", BODY)])
    heads = (b"" if value is None else head_of(value[:HEAD_BYTES].to_pybytes()) for value in values)
    needed &= set(there)
    texts = (strings_of(batch[name] if name in needed else None, len(batch), name) for name in (url, media))
    numbers = list(values_of(batch["status"] if "status" in there else pa.nulls(len(batch))))
    are_known = all(isinstance(one, _STATUSES) and not isinstance(one, bool) for one in numbers)
    if "status" in needed and not are_known:
        raise TypeError(f"status is {batch.schema.field('status').type}; pass numbers")
    # pandas writes numbers as floats where one is missing
    statuses = [int(one) if isinstance(one, float | Decimal) and one == one // 1 else one for one in numbers]
    mask = [
        wanted(CrawlRow(url, status, content_type or "", None, head))
        for url, content_type, status, head in zip(*texts, statuses, heads, strict=True)
    ]
    taken, at = [batch.slice(0, 0)], 0
    for is_wanted, rows in groupby(mask):  # Arrow's filter knows no string_view
        length = len(list(rows))
        taken += [batch.slice(at, length)] if is_wanted else []
        at += length
    return pa.Table.from_batches(taken).combine_chunks().to_batches() or taken
