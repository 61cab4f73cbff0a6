"""`feedcharset batch`: archives, Parquet files and folders to Parquet; runs that break off; hostile names."""

from __future__ import annotations

import errno
import gzip
import os
import re
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import click
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from making.archive import Exchange, archive
from support.command_line import close_folder
from support.each import each

from feedcharset import decode
from feedcharset.batch import decode_batch, read_warc
from feedcharset.batch.crawl_inputs import _read_parquet, find_inputs
from feedcharset.batch.crawl_run import failures_file, locked
from feedcharset.batch.row_selection import CrawlRow, parse_condition
from feedcharset.cli.batch import batch
from feedcharset.cli.check import files_of

RUSSIAN = "<?xml version='1.0' encoding='windows-1251'?><rss><title>Привет</title></rss>".encode("cp1251")
STALE = "<?xml version='1.0' encoding='windows-1251'?><rss><title>Привет, мир</title></rss>".encode()
PLAIN = b"<?xml version='1.0'?><a/>"
BOMB = gzip.compress(bytes(4 << 20))


def exchange(number: int, body: bytes = RUSSIAN, kind: str = "text/xml") -> Exchange:
    header = b"HTTP/1.1 200 OK\r\nContent-Type: " + kind.encode()
    return Exchange(f"https://h{number}.example/feed", header, body)


def write_archive(path: Path, *bodies: bytes) -> Path:
    path.write_bytes(archive(*(exchange(number, body) for number, body in enumerate(bodies))))
    return path


def run(*arguments: str | Path) -> Result:
    """Call the command; its exit code is what it returns."""

    @click.group()
    def group() -> None:
        pass

    group.add_command(batch)
    runner = CliRunner()
    found: list[int] = []
    group.result_callback()(found.append)
    jobs = [] if "--jobs" in arguments else ["--jobs", "1"]  # a pool takes half a second to start
    result = runner.invoke(group, ["batch", *jobs, *map(str, arguments)], standalone_mode=True)
    if result.exit_code == 0 and found:
        result.exit_code = found[0]
    return result


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def tree(folder: Path) -> list[str]:
    """The files below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def pages(path: Path, *bodies: bytes | None, **columns: list[Any]) -> Path:
    """A Parquet file with the columns id and body."""
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = {"id": [*range(len(bodies))], "body": list(bodies), **columns}
    with path.open("wb") as file:
        pq.write_table(pa.table(columns), file)
    return path


def test_an_archive_becomes_a_parquet_file_of_its_name(here: Path) -> None:
    source = write_archive(here / "crawl.warc.gz", RUSSIAN, STALE, BOMB, b"<html>")
    done = run(source, "-o", "out")
    assert (done.exit_code, done.stdout) == (0, "1 input, 0 made by an earlier run\n")
    assert done.stderr == f"1/1 {source}: 4 rows, 1 error\n"
    table = pq.read_table("out/crawl.parquet")
    assert table.equals(pa.Table.from_batches([decode_batch(one) for one in read_warc(source)]))
    assert table["error_code"].to_pylist() == [None, None, "gzip-ratio", None]
    assert tree(here) == ["crawl.warc.gz", "out/crawl.parquet"]


def test_gzip_that_breaks_off_is_an_error_of_its_row(here: Path) -> None:
    text = "".join(f"<a>{number}</a>" for number in range(900))
    body = gzip.compress(text.encode())[:-600]
    done = run(pages(here / "in.parquet", body, b"<a/>"), "-o", "out")
    assert (done.exit_code, done.stderr) == (0, f"1/1 {here / 'in.parquet'}: 2 rows, 1 error\n")
    (cut, whole) = pq.read_table("out/in.parquet").to_pylist()
    assert text.startswith(cut["text"])
    assert len(cut["text"]) > 1000
    assert (cut["error_code"], whole["error_code"]) == ("gzip-broken", None)


def test_a_document_that_breaks_off_is_an_error_of_its_row_alone(here: Path) -> None:
    """Whatever packed it, and wherever it stands: the input was read wholly."""
    text = "".join(f"<a>{number}</a>" for number in range(900))
    (here / "in").mkdir()
    (here / "in" / "a.xml.gz").write_bytes(gzip.compress(text.encode())[:-600])
    (here / "in" / "b.xml.gz").write_bytes(gzip.compress(text.encode())[:12])
    deflate = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: deflate"
    packed = zlib.compress(text.encode())
    cut = [Exchange("https://a.example", deflate, packed[:size]) for size in (-600, 3)]
    (here / "c.warc").write_bytes(archive(*cut))
    for name, code in (("in", "gzip-broken"), ("c.warc", "coding-broken")):
        done = run(name, "-o", "out")
        assert (done.exit_code, done.stderr) == (0, f"1/1 {name}: 2 rows, 2 errors\n")
        rows = pq.read_table(f"out/{name.partition('.')[0]}.parquet").to_pylist()
        assert [row["error_code"] for row in rows] == [code] * 2
        assert text.startswith(rows[0]["text"])
        assert (len(rows[0]["text"]) > 1000, rows[1]["text"]) == (True, None)
    assert not (here / "out.run").exists()


@pytest.mark.parametrize("output", [".", "./", "../in"])
def test_the_list_of_what_was_not_read_is_where_the_last_line_says(
    here: Path, monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    (here / "in").mkdir()
    cut = write_archive(here / "cut.warc.gz", RUSSIAN, STALE)
    Path(cut).write_bytes(Path(cut).read_bytes()[:-20])
    monkeypatch.chdir(here / "in")
    done = run("../cut.warc.gz", "-o", output)
    assert done.exit_code == 2
    assert Path(done.stdout.rstrip("\n").rpartition("not wholly read: ")[2]).is_file()


def test_a_folder_that_takes_no_output_is_named_before_anything_is_decoded(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages(here / "a.parquet", PLAIN)
    (here / "out").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "out" or mode != os.W_OK)
    done = run("a.parquet", "-o", "out")
    assert done.exit_code == 2
    assert done.stderr == f"feedcharset: {here / 'out'}: Permission denied\n"
    assert not (here / "out.run").exists()


@pytest.mark.parametrize("kind", ["xml", "parquet"])
def test_a_folder_that_cannot_be_read_costs_what_it_holds(
    here: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    for name in ("a", "b", "c"):
        path = pages(here / "in" / name / f"{name}.{kind}", PLAIN)
        if kind == "xml":
            path.write_bytes(PLAIN)
    close_folder(monkeypatch, "b")
    done = run("in", "-o", "out")
    assert done.exit_code == 2
    assert done.stderr.splitlines()[0] == "feedcharset: in/b: Permission denied"
    assert done.stdout.endswith(", 1 not wholly read: out.run/failures.tsv\n")
    assert (here / "out.run" / "failures.tsv").read_text() == "in\tin/b: Permission denied\n"
    assert ds.dataset("out").count_rows() == 2
    close_folder(monkeypatch, "in")  # the named one itself
    assert run("in", "-o", "out").stderr == "feedcharset: in: Permission denied\n"
    monkeypatch.undo()
    monkeypatch.chdir(here)
    done = run("in", "-o", "out")
    assert (done.exit_code, ds.dataset("out").count_rows()) == (0, 3)
    assert not (here / "out.run").exists()


def test_a_name_that_is_missing_costs_no_other(here: Path) -> None:
    """A file may go between the listing and the run."""
    names = [str(pages(here / f"{name}.parquet", PLAIN).name) for name in "ab"]
    (here / "link.parquet").symlink_to("nowhere")
    done = run(names[0], "gone.parquet", "link.parquet", names[1], "-o", "out")
    assert done.exit_code == 2
    gone = [f"{name}: No such file or directory" for name in ("gone.parquet", "link.parquet")]
    assert done.stderr.splitlines()[:2] == [f"feedcharset: {why}" for why in gone]
    assert done.stdout.endswith(", 2 not wholly read: out.run/failures.tsv\n")
    listed = (here / "out.run" / "failures.tsv").read_text()
    assert listed == "".join(f"{why.partition(':')[0]}\t{why}\n" for why in gone)
    assert ds.dataset("out").count_rows() == 2
    done = run("gone.parquet", "link.parquet", "-o", "none")
    assert (done.exit_code, done.stderr) == (2, f"feedcharset: {gone[0]}\n")
    assert not (here / "none").exists()


def test_a_folder_means_the_files_that_check_takes(here: Path) -> None:
    for name in (
        *("a.xml", "b.RSS.gz", "c/d.atom", "e.rdf", "f.opml", "g.feed", "declared"),
        *("h.html", "i.txt", "notes", "j.xml.bak", ".k.xml", ".git/l.xml"),
    ):
        path = here / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"just text" if name == "notes" else b"<?xml version='1.0'?><a/>")
    if hasattr(os, "mkfifo"):
        os.mkfifo(here / "in" / "pipe.xml")
    (found,) = find_inputs(["in"], "out", print)
    assert sorted(found.paths) == sorted(files_of("in"))
    assert len(found.paths) == 7


def test_outputs_stand_where_their_inputs_stand(here: Path) -> None:
    """Folders that are columns are kept above an input that is named itself, too."""
    for name in ("lang=fr/a.parquet", "lang=ru/deep/a.parquet", "b.parquet", "_c.parquet", ".d/e.parquet"):
        pages(here / "in" / name, PLAIN)
    pages(here / "date=7/x/lang=de/a.parquet", PLAIN)
    assert run("in", "date=7/x/lang=de/a.parquet", "-o", "in/out").exit_code == 0
    expected = ["b.parquet", "lang=de/a.parquet", "lang=fr/a.parquet", "lang=ru/deep/a.parquet"]
    assert tree(here / "in" / "out") == expected
    assert run("in/lang=ru", "-o", "two").exit_code == 0
    assert tree(here / "two") == ["lang=ru/deep/a.parquet"]
    found = ds.dataset("in/out", partitioning="hive").to_table()
    assert sorted(found["lang"].to_pylist(), key=str) == [None, "de", "fr", "ru"]
    again = run("in", "-o", "in/out")  # the output is no input
    assert again.stdout == "3 inputs, 3 made by an earlier run\n"


def test_parquet_with_its_columns_named(here: Path) -> None:
    bodies = [RUSSIAN, None, STALE] * 10
    table = pa.table(
        {"n": range(30), "payload": pa.array(bodies, pa.large_binary()), "mime": ["text/xml"] * 30}
    ).replace_schema_metadata({"crawl": "7"})
    pq.write_table(table, "pages.parquet", row_group_size=7)
    assert run("pages.parquet", "-o", "out", "--columns", "body=payload,content_type=mime").exit_code == 0
    found = pq.read_table("out/pages.parquet")
    assert found.equals(decode_batch(table, body="payload", content_type="mime"))
    assert found.schema.metadata[b"crawl"] == b"7"
    assert run("pages.parquet", "-o", "b", "--columns", "body=payload", "--keep-body").exit_code == 0
    assert pq.read_table("b/pages.parquet")["payload"].equals(table["payload"])


def test_empty_row_groups(here: Path) -> None:
    schema = pa.schema({"id": pa.int64(), "body": pa.binary()})
    with pq.ParquetWriter("pages.parquet", schema) as writer:
        for rows in ([], [{"id": 1, "body": RUSSIAN}], [], [{"id": 2, "body": STALE}], []):
            writer.write_table(pa.Table.from_pylist(rows, schema))
    pq.write_table(schema.empty_table(), "none.parquet")
    for where in ([], ["--where", "feed"]):
        done = run("pages.parquet", "none.parquet", "-o", "out", *where)
        assert (done.exit_code, done.stderr.count("\n")) == (0, 2)
        assert pq.read_table("out/pages.parquet")["id"].to_pylist() == [1, 2]
        assert pq.read_table("out/none.parquet").num_rows == 0


def test_a_folder_of_xml_files_becomes_one_file(here: Path) -> None:
    (here / "in" / "deep").mkdir(parents=True)
    (here / "in" / "b.xml").write_bytes(STALE)
    (here / "in" / "deep" / "a.rss").write_bytes(RUSSIAN)
    (here / "in" / "c.xml.gz").write_bytes(gzip.compress(STALE))
    (here / "in" / "notes.txt").write_bytes(b"no feed")
    (here / "in" / ".hidden.xml").write_bytes(PLAIN)
    assert run("in", "in/notes.txt", "-o", "out").exit_code == 0
    assert tree(here / "out") == ["in.parquet", "notes.txt.parquet"]
    table = pq.read_table("out/in.parquet")
    assert table["path"].to_pylist() == ["in/b.xml", "in/c.xml.gz", "in/deep/a.rss"]
    assert table["encoding"].to_pylist() == ["UTF-8", "UTF-8", "windows-1251"]
    (here / "in" / "deep" / "d.rss").write_bytes(STALE)
    assert run("in", "-o", "out").exit_code == 0
    assert pq.read_table("out/in.parquet").num_rows == 4
    (here / "in" / "deep" / "d.rss").rename(here / "in" / "deep" / "e.rss")
    assert run("in", "-o", "out").exit_code == 0
    assert pq.read_table("out/in.parquet")["path"][3].as_py() == "in/deep/e.rss"


def test_an_xml_file_that_cannot_be_read_costs_itself(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the files of a folder are more than one batch takes."""
    monkeypatch.setattr("feedcharset.batch.crawl_inputs.ROWS_BYTES", 100)
    (here / "in").mkdir()
    for name in "abcd":
        (here / "in" / f"{name}.xml").write_bytes(STALE)
    os.unlink("in/b.xml")
    os.symlink("b.xml", "in/b.xml")  # to itself: nobody can open it
    done = run("in", "-o", "out")
    assert (done.exit_code, done.stderr) == (
        2,
        "1/1 in: 3 rows, 0 errors; in/b.xml: Too many levels of symbolic links\n",
    )
    assert pq.read_table("out/in.parquet")["path"].to_pylist() == ["in/a.xml", "in/c.xml", "in/d.xml"]


@pytest.mark.skipif(sys.platform != "linux", reason="a file name is any bytes")
def test_names_that_are_no_utf_8_stay_apart(here: Path) -> None:
    (here / "in").mkdir()
    for number in b"\xe8\xe9":
        (here / "in" / os.fsdecode(b"caf%c.xml" % number)).write_bytes(PLAIN)
    assert run("in", "-o", "out").exit_code == 0
    paths = pq.read_table("out/in.parquet")["path"].to_pylist()
    assert paths == ["in/caf\\udce8.xml", "in/caf\\udce9.xml"]


LATIN_1 = os.fsdecode(b"caf\xe9")


@pytest.mark.skipif(sys.platform != "linux", reason="a file name is any bytes")
@pytest.mark.parametrize("kind", ["archive", "parquet", "xml"])
@pytest.mark.parametrize("place", ["file", "folder", "here", "output"])
def test_the_same_command_with_names_that_are_no_utf_8(here: Path, place: str, kind: str) -> None:
    """A path is bytes, which Arrow and a note in UTF-8 need not hold."""
    work = here / (LATIN_1 if place == "here" else "work")
    work.mkdir()
    os.chdir(work)
    folder = work / (LATIN_1 if place == "folder" else "in")
    folder.mkdir()
    name, output = (LATIN_1 if place == "file" else "a"), (LATIN_1 if place == "output" else "out")
    if kind == "archive":
        write_archive(folder / f"{name}.warc.gz", RUSSIAN)
    elif kind == "parquet":
        pages(folder / f"{name}.parquet", RUSSIAN)
    else:
        (folder / f"{name}.xml").write_bytes(RUSSIAN)
    texts = []
    for kept in (0, 1):
        done = run(folder.name, "-o", output)
        assert (done.exit_code, done.stdout) == (0, f"1 input, {kept} made by an earlier run\n"), done.stderr
        (path,) = (path for path in (work / output).iterdir())
        with path.open("rb") as file:
            texts.append(pq.read_table(file)["text"].to_pylist())
    assert texts == [[decode(RUSSIAN).text]] * 2


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="a locale decides how a name is read")
def test_the_same_command_in_another_locale(here: Path) -> None:
    """In C without the UTF-8 mode Python reads the bytes of é as two surrogates."""
    for kind in ("archives", "files"):
        (here / f"été {kind}").mkdir()
    write_archive(here / "été archives" / f"né {LATIN_1}.warc.gz", RUSSIAN)
    (here / "été files" / f"né {LATIN_1}.xml").write_bytes(RUSSIAN)
    for kind, jobs in [("files", "1"), ("files", "2"), ("archives", "1"), ("archives", "2")]:
        for kept, more in enumerate(({"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONUTF8": "1"})):
            done = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "feedcharset",
                    "batch",
                    f"été {kind}",
                    "-o",
                    f"né{jobs}{kind}",
                    "-j",
                    jobs,
                ],
                env={**environment(), **more},
                capture_output=True,
                check=False,
            )
            assert (done.returncode, done.stdout.decode()) == (
                0,
                f"1 input, {kept} made by an earlier run\n",
            ), done.stderr
    assert pq.read_table("né1files")["path"].to_pylist() == ["été files/né caf\\udce9.xml"]


# -- the same command again -------------------------------------------------------------------------------


def test_what_is_made_is_skipped_and_what_has_changed_is_made_anew(here: Path) -> None:
    """Rows of an earlier state of an input do not stay beside those of its new state."""
    pages(here / "in" / "a.parquet", RUSSIAN, STALE)
    pages(here / "in" / "b.parquet", PLAIN)
    assert run("in", "-o", "out").stdout == "2 inputs, 0 made by an earlier run\n"
    before = {path.name: path.stat().st_mtime_ns for path in (here / "out").iterdir()}
    assert run("in", "-o", "out").stdout == "2 inputs, 2 made by an earlier run\n"
    pages(here / "in" / "a.parquet", STALE, PLAIN, PLAIN)
    done = run("in", "-o", "out")
    assert (done.stdout, done.stderr) == (
        "2 inputs, 1 made by an earlier run\n",
        "1/1 in/a.parquet: 3 rows, 0 errors\n",
    )
    after = {path.name: path.stat().st_mtime_ns for path in (here / "out").iterdir()}
    assert before["b.parquet"] == after["b.parquet"]
    assert ds.dataset("out").to_table()["id"].to_pylist() == [0, 1, 2, 0]


def test_a_change_that_keeps_size_or_time_is_seen(here: Path) -> None:
    path = pages(here / "a.parquet", PLAIN)
    run("a.parquet", "-o", "out")
    os.utime(path, ns=(0, path.stat().st_mtime_ns - 5))  # older than its output
    assert "1 input, 0 made" in run("a.parquet", "-o", "out").stdout
    time_before = path.stat().st_mtime_ns
    path.write_bytes(path.read_bytes()[:-12] + b" " + path.read_bytes()[-12:])
    os.utime(path, ns=(0, time_before))
    assert "1 not wholly read" in run("a.parquet", "-o", "out").stdout
    assert pq.read_table("out/a.parquet").num_rows == 1  # what was made of it before is not destroyed


def test_other_options_make_the_outputs_anew(here: Path) -> None:
    pages(here / "a.parquet", PLAIN)
    for options in ([], ["--keep-body"], ["--strict"], ["--where", "all"], ["--max-bytes", "9"]):
        assert "1 input, 0 made" in run("a.parquet", "-o", "out", *options).stdout
        assert "1 input, 1 made" in run("a.parquet", "-o", "out", *options).stdout
    (here / "out" / "a.parquet").write_bytes(b"PAR1 of a disk that failed PAR1")
    assert "a.parquet is damaged, or not made by this command" in run("a.parquet", "-o", "out").stderr


def broken_page(path: Path) -> Path:
    """Three row groups of which the second has a page whose header is overwritten."""
    schema = pa.schema({"id": pa.int64(), "body": pa.binary()})
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        for number in range(3):
            writer.write_table(pa.table({"id": [number], "body": [STALE]}, schema=schema))
    at = pq.read_metadata(path).row_group(1).column(1).data_page_offset
    data = bytearray(path.read_bytes())
    data[at : at + 8] = b"\xff" * 8
    path.write_bytes(data)
    return path


def test_a_row_group_that_seems_to_be_empty_is_named(here: Path) -> None:
    """Arrow takes some damaged headers of a page for the end of the row group."""
    rows = {"id": range(40), "body": [STALE] * 40}
    pq.write_table(pa.table(rows), here / "whole.parquet", row_group_size=10, compression="none")
    whole = (here / "whole.parquet").read_bytes()
    column = pq.read_metadata(here / "whole.parquet").row_group(2).column(1)
    lost = 0
    for at, bit in product(range(column.data_page_offset, column.data_page_offset + 12), range(8)):
        data = bytearray(whole)
        data[at] ^= 1 << bit
        (here / "a.parquet").write_bytes(data)
        told: list[str] = []
        (one,) = find_inputs(["a.parquet"], "out", print)
        read = sum(batch.num_rows for batch in _read_parquet(one, told.append))
        assert read == 40 or told, (at, bit)
        lost += "hold no more" in "".join(told)
    assert lost


def test_what_cannot_be_read_is_named_and_the_rest_is_decoded(here: Path) -> None:
    pages(here / "in" / "a.parquet", RUSSIAN)
    broken_page(here / "in" / "b.parquet")
    (here / "in" / "c.parquet").write_bytes(b"PAR1 no PAR1")
    pages(here / "in" / "d.parquet").write_bytes(b"")
    for _ in range(2):  # it is tried again
        done = run("in", "-o", "out")
        assert done.exit_code == 2
        assert "in/b.parquet: 2 rows, 0 errors; row group 1, after 0 of 1 rows: " in done.stderr
        assert "3 not wholly read: out.run/failures.tsv" in done.stdout
        assert ds.dataset("out").to_table()["id"].to_pylist() == [0, 0, 2]
        assert tree(here / "out") == ["a.parquet", "b.parquet"]
        rows = (here / "out.run" / "failures.tsv").read_text(encoding="utf-8").splitlines()
        assert sorted(row.split("\t")[0] for row in rows) == [f"in/{name}.parquet" for name in "bcd"]
    assert "1 made" in done.stdout
    for name in "bcd":
        pages(here / "in" / f"{name}.parquet", STALE)
    assert run("in", "-o", "out").exit_code == 0
    assert sorted(names(here)) == ["in", "out"]


def state(path: Path) -> tuple[int, ...]:
    """What changes when a file is replaced or written; a link is not followed."""
    found = os.lstat(path)
    return found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns


@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_a_page_whose_checksum_fails_is_named(here: Path, compression: str) -> None:
    """Its bytes would be read as they are. Spark writes checksums by default."""
    (here / "in").mkdir()
    path = here / "in" / "a.parquet"
    options = {"compression": compression, "use_dictionary": False, "write_page_checksum": True}
    with pq.ParquetWriter(path, pa.schema({"body": pa.binary()}), **options) as writer:
        for number in range(3):
            body = RUSSIAN.replace(b"</title>", b" %d</title>" % number)
            writer.write_table(pa.table({"body": [body]}))
    assert run("in", "-o", "out").exit_code == 0
    column = pq.read_metadata(path).row_group(1).column(0)
    data = bytearray(path.read_bytes())
    data[column.data_page_offset + column.total_compressed_size - 20] ^= 4
    path.write_bytes(data)
    done = run("in", "-o", "out")
    assert done.exit_code == 2
    assert "a.parquet: 2 rows, 0 errors; row group 1, after 0 of 1 rows: " in done.stderr
    texts = pq.read_table("out/a.parquet")["text"].to_pylist()
    assert [text[-15:] for text in texts] == ["0</title></rss>", "2</title></rss>"]


def test_no_file_of_another_input_is_replaced(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`feed.xml` of two sites, in two runs; and a file that another program wrote."""
    for name in "ab":
        (here / name).mkdir()
        (here / name / "feed.xml").write_bytes(RUSSIAN if name == "a" else STALE)
    assert run("a/feed.xml", "-o", "out").exit_code == 0
    made = (here / "out" / "feed.parquet").read_bytes()
    done = run("b/feed.xml", "-o", "out")
    assert done.exit_code == 2
    assert f"feed.parquet is made of {here / 'a' / 'feed.xml'}; give another folder" in done.stderr
    assert (here / "out" / "feed.parquet").read_bytes() == made
    real = os.stat

    def stale(path: object, **options: bool) -> object:
        if str(path).endswith("feed.parquet") and options:  # its state as a link
            raise OSError(errno.ESTALE, os.strerror(errno.ESTALE), str(path))
        return real(path, **options)  # type: ignore[call-overload]

    with monkeypatch.context() as patch:  # once, on a network drive
        patch.setattr(os, "stat", stale)
        patch.setattr(os, "lstat", lambda path: stale(path, follow_symlinks=False))
        assert run("b/feed.xml", "-o", "out").exit_code == 2
    assert (here / "out" / "feed.parquet").read_bytes() == made
    assert "1 made by an earlier run" in run("a/feed.xml", "-o", "out").stdout
    assert run(f"{here}/b/../a/feed.xml", "-o", "out").exit_code == 0  # the same file
    (here / "other").mkdir()
    pq.write_table(pa.table({"precious": [1]}), here / "other" / "feed.parquet")
    done = run("b/feed.xml", "-o", "other")
    assert (done.exit_code, "not made by this command" in done.stderr) == (2, True)
    assert pq.read_table(here / "other" / "feed.parquet").column_names == ["precious"]
    for name, make in {
        "text": lambda path: path.write_text("my notes", encoding="utf-8"),
        "cut": lambda path: path.write_bytes(made[:-9]),
        "link": lambda path: path.symlink_to(here / "out" / "feed.parquet"),
        "dangling": lambda path: path.symlink_to(here / "nothing"),
        "folder": Path.mkdir,
    }.items():
        (here / name).mkdir()
        make(here / name / "feed.parquet")
        before = state(here / name / "feed.parquet")
        done = run("a/feed.xml", "-o", name)
        assert (done.exit_code, "is damaged, or not made by this command" in done.stderr) == (2, True), name
        assert state(here / name / "feed.parquet") == before, name
        assert not (here / f"{name}.run").exists(), name


def test_no_file_of_another_program_is_removed_beside_the_output(here: Path) -> None:
    (here / "out.run").mkdir()
    (here / "out.run" / "notes.txt").write_text("mine", encoding="utf-8")
    (here / "out.run" / "7.unfinished").write_bytes(b"PAR1")  # of a worker that was killed
    (here / "a.xml").write_bytes(STALE)
    assert run("a.xml", "-o", "out").exit_code == 0
    assert names(here / "out.run") == ["notes.txt"]


def test_damaged_archives(here: Path) -> None:
    whole = write_archive(here / "a.warc.gz", RUSSIAN, STALE).read_bytes()
    (here / "b.warc.gz").write_bytes(whole[:-50])
    (here / "c.warc").write_bytes(b"no archive at all")
    done = run("a.warc.gz", "b.warc.gz", "c.warc", "-o", "out")
    assert done.exit_code == 2
    assert done.stderr.splitlines()[2] == "3/3 c.warc: holds no WARC record"
    assert tree(here / "out") == ["a.parquet", "b.parquet"]
    assert pq.read_table("out/b.parquet")["text"][0].as_py().count("Привет") == 1


@pytest.mark.parametrize("count", [1, 2, 100, 101, 1_234])
@pytest.mark.parametrize("is_cut", [False, True])
def test_many_problems_of_one_input_are_counted(here: Path, count: int, is_cut: bool) -> None:
    header = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml"
    bad = [Exchange(f"https://h{number}.example/", b"", b"", kind="response") for number in range(count)]
    data = archive(Exchange("https://a.example/", header, PLAIN), *bad, packed=False)
    (here / "a.warc").write_bytes(data + b"WARC/1.0" * is_cut)
    count += is_cut
    for kept in (0, not is_cut):  # the problems of records alone last
        done = run("a.warc", "-o", "out")
        assert done.stdout.startswith(f"1 input, {kept:d} made by an earlier run, 1 not wholly read")
        more = f"; and {count - 1:,} more" if count > 1 else ""
        assert kept or done.stderr.endswith(f" has no HTTP header{more}\n")
        lines = (here / "out.run" / "failures.tsv").read_text(encoding="utf-8").splitlines()
        assert len(lines) == min(count, 101)
        assert count <= 100 or lines[-1] == f"a.warc\tand {count - 100:,} more"


def test_an_exception_is_listed_after_many_problems(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*arguments: object, on_error: Any, **options: object) -> Iterator[pa.RecordBatch]:
        for number in range(500):
            on_error(f"the record at byte {number} is damaged")
        raise ValueError("no case")
        yield

    monkeypatch.setattr("feedcharset.batch.crawl_inputs.read_warc", read)
    write_archive(here / "a.warc", PLAIN)
    assert run("a.warc", "-o", "out").stderr.endswith("byte 0 is damaged; and 500 more\n")
    lines = (here / "out.run" / "failures.tsv").read_text(encoding="utf-8").splitlines()
    assert (len(lines), lines[-2:]) == (101, ["a.warc\tno case", "a.warc\tand 401 more"])


def test_the_folder_holds_nothing_but_parquet_for_engines_that_read_all_of_it(here: Path) -> None:
    import polars as pl

    pages(here / "in" / "a.parquet", RUSSIAN, BOMB)
    broken_page(here / "in" / "b.parquet")
    assert run("in", "-o", "out").exit_code == 2
    assert pl.scan_parquet("out/").select("id").collect()["id"].to_list() == [0, 1, 0, 2]
    assert ds.dataset("out").count_rows() == 4


USAGE: list[tuple[list[str], str]] = [
    (["none.warc", "-o", "out"], "No such file or directory"),
    (["a.xml", "-o", ""], "a name is empty"),
    (["", "-o", "out"], "a name is empty"),
    (["two", "-o", "./two"], "the output ./two is an input"),
    (["empty", "-o", "out"], "no archive, Parquet file or XML file in empty"),
    (["a.xml", "a.warc", "-o", "out"], "a.warc is warc, a.xml is xml"),
    (["a.xml", "two/a.xml", "-o", "out"], "a.xml and two/a.xml would both become a.parquet"),
    (["bytes.parquet", "-o", "."], "bytes.parquet would be overwritten by its output"),
    (["a.xml", "-o", "x.parquet"], "the output x.parquet is no folder; name one"),
    (["a.xml", "-o", "pipe"], "the output pipe is no folder"),
    (["a.xml", "-o", "out", "--where", "nix"], "'nix' is no condition"),
    (["a.xml", "-o", "out", "--columns", "text=x"], "write ROLE=NAME"),
    (["a.xml", "-o", "out", "--columns", "body"], "write ROLE=NAME"),
    (["a.xml", "-o", "out", "--columns", "body=a,body=b"], "each role has one column"),
    (["a.xml", "-o", "out", "--columns", "body=a,content_type=a"], "each column one role"),
    (["-", "-o", "out"], "- is no file; download it first"),
    (["https://example.org/a.warc", "-o", "out"], "https://example.org/a.warc is no file"),
    (["pipe", "-o", "out"], "pipe is no file; download it first"),
    (["/dev/stdin", "-o", "out"], "/dev/stdin is no file; download it first"),
    (["a.xml"], "Missing option"),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE)
def test_usage_that_makes_no_sense_is_one_line(arguments: list[str], message: str, here: Path) -> None:
    (here / "empty").mkdir()
    (here / "two").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(here / "pipe")
    for name in ("a.xml", "two/a.xml"):
        (here / name).write_bytes(PLAIN)
    write_archive(here / "a.warc", RUSSIAN)
    pq.write_table(pa.table({"body": [b"<a/>"]}), "bytes.parquet")
    before = names(here)
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == (1 if "Missing" not in message else 4)
    assert names(here) == before


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"body": ["<a/>"]}, "the body is string: it was decoded already"),
        ({"data": [b"<a/>"]}, "no column 'body' for body=; there are data"),
        ({"body": [b"<a/>"], "text": [""]}, "a column 'text' exists already"),
    ],
)
def test_columns_that_make_no_sense_cost_their_file(
    columns: dict[str, list[Any]], reason: str, here: Path
) -> None:
    pq.write_table(pa.table(columns), "a.parquet")
    done = run("a.parquet", pages(here / "b.parquet", PLAIN), "-o", "out")
    assert (done.exit_code, names(here / "out")) == (2, ["b.parquet"])
    assert done.stderr.startswith(f"1/2 a.parquet: {reason}")


ROW = CrawlRow("https://News.Example.org/a/feed.xml", 200, "text/XML; charset=x", None, b"<rss>")


@each(
    ("condition", "holds"),
    [
        ("all", True),
        ("xml", True),
        ("feed", True),
        ("host=news.example.org", True),
        ("host=*.Example.org", True),
        ("host=example.org", False),
        ("host!=*.org", False),
        ("url=*/feed.xml", True),
        ("type=text/xml", True),
        ("type=text/*", True),
        ("type!=text/xml", False),
        ("status=200", True),
        ("status=4??", False),
        ("status!=4??", True),
        ("url=*/[f]eed.xml", False),  # a list in a query is written so: ?tag[a]=1
        ("url!=*/[!x]eed.xml", True),
    ],
)
def test_conditions(condition: str, holds: bool) -> None:
    assert parse_condition(condition)(ROW) is holds


def test_brackets_of_a_pattern_are_themselves() -> None:
    for pattern in ("tag[]=1", "tag[a]=1", "tag[!a]=1", "tag[", "tag]", "[[]"):
        row = ROW._replace(url=f"http://a.example/?{pattern}")
        assert parse_condition(f"url=*?{pattern}")(row)
        assert not parse_condition(f"url!=*?{pattern}")(row)
        assert not parse_condition(f"url=*?{pattern}")(row._replace(url="http://a.example/?taga=1"))


@pytest.mark.parametrize("condition", ["", "nix", "size=3", "host", "host~x", "=x", "HOST=x"])
def test_what_is_no_condition(condition: str) -> None:
    with pytest.raises(ValueError, match="is no condition; write xml, feed, all, or FIELD=PATTERN"):
        parse_condition(condition)


def test_conditions_choose_rows(here: Path) -> None:
    page = exchange(3, b"<html>", "text/html")
    feeds = (exchange(number, body) for number, body in enumerate((RUSSIAN, PLAIN, STALE)))
    (here / "crawl.warc.gz").write_bytes(archive(*feeds, page))
    for where, rows in (
        (["feed"], 2),
        (["xml"], 3),
        (["all", "host=h3.example"], 1),
        (["host=h?.example"], 3),  # without the HTML page
        (["host=h?.example", "host!=h0.*"], 2),
        (["host=h?.example", "all"], 4),
        (["status=404"], 0),
    ):
        options = [part for condition in where for part in ("--where", condition)]
        assert run("crawl.warc.gz", "-o", "x", *options).exit_code == 0
        assert pq.read_table("x/crawl.parquet").num_rows == rows


PAGES = [
    # A body and its Content-Type: 0 to 4 are feeds, 0 to 6 XML.
    (RUSSIAN, b"application/rss+xml"),
    (gzip.compress(RUSSIAN), b"application/rss+xml"),
    (gzip.compress(RUSSIAN * 500)[:2000], b"application/octet-stream"),
    (gzip.compress(STALE) + bytes(9), b"text/html"),
    (STALE, None),
    (PLAIN, b"text/html; charset=\xe9"),
    (gzip.compress(PLAIN), None),
    (None, None),
    (b"", b"text/plain"),
    (b"\xff\xd8\xff\xe0 JFIF", b"image/jpeg"),
    (b"PK\x03\x04", None),
    (gzip.compress(gzip.compress(RUSSIAN)), None),
    (BOMB, b"text/html"),
    (b"<html>", b"text/html"),
]


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        (["feed"], [0, 1, 2, 3, 4]),
        (["xml"], [0, 1, 2, 3, 4, 5, 6]),
        (["all"], [*range(14)]),
        (["host=h0.example"], [0, 3, 6, 9, 12]),  # whatever the content is
        (["host=h0.example", "feed"], [0, 3]),
        (["type=text/*", "status=200"], [5, 13]),
        (["type=text/*", "status!=200"], [3, 8, 12]),
        (["url!=*.example/1?"], [*range(10)]),
    ],
)
@pytest.mark.parametrize(
    ("kind", "status", "link"),
    [
        (pa.binary(), pa.int32(), pa.string()),
        (pa.large_binary(), pa.float64(), pa.binary()),  # pandas writes statuses so where one is missing
        (pa.dictionary(pa.int32(), pa.binary()), pa.string(), pa.large_string()),
        (pa.binary(), pa.decimal128(21, 2), pa.string()),
    ],
)
def test_conditions_choose_rows_of_a_parquet_file(
    where: list[str], ids: list[int], kind: pa.DataType, status: pa.DataType, link: pa.DataType, here: Path
) -> None:
    """gzip is looked into; columns may be bytes, or have other names."""
    numbers = range(len(PAGES))
    bodies, types = zip(*PAGES, strict=True)
    columns = {
        "id": [*numbers],
        "data": pa.array(bodies, pa.binary()).cast(kind),
        "mime": pa.array(types, pa.binary()),
        "link": pa.array([f"https://h{number % 3}.example/{number}" for number in numbers]).cast(link),
        "status": pa.array([200 if number % 4 == 1 else 404 for number in numbers]).cast(status),
    }
    pq.write_table(pa.table(columns), "p.parquet", row_group_size=5)
    options = [part for condition in where for part in ("--where", condition)]
    done = run("p.parquet", "-o", "x", "--columns", "body=data,content_type=mime,url=link", *options)
    assert (done.exit_code, pq.read_table("x/p.parquet")["id"].to_pylist()) == (0, ids)


def test_conditions_choose_files_of_a_folder(here: Path) -> None:
    (here / "xml").mkdir()
    for name, body in (
        ("a.xml", PLAIN),
        ("b.xml.gz", gzip.compress(RUSSIAN)),
        ("c.rss", gzip.compress(STALE)),
    ):
        (here / "xml" / name).write_bytes(body)
    for where, found in (
        ("feed", ["b.xml.gz", "c.rss"]),
        ("xml", ["a.xml", "b.xml.gz", "c.rss"]),
        ("url!=*.gz", ["a.xml", "c.rss"]),
    ):
        assert run("xml", "-o", "x", "--where", where).exit_code == 0
        paths = pq.read_table("x/xml.parquet")["path"].to_pylist()
        assert [Path(path).name for path in paths] == found


@pytest.mark.parametrize(
    ("where", "options", "name"),
    [
        ("url=*", [], "url"),
        ("host!=a.example", [], "url"),
        ("host=a.example", ["--columns", "url=nix"], "nix"),
        ("type=text/xml", [], "content_type"),
        ("type!=text/xml", ["--columns", "url=link"], "content_type"),
        ("status=200", [], "status"),
    ],
)
def test_a_condition_on_a_column_that_there_is_not_costs_the_file(
    where: str, options: list[str], name: str, here: Path
) -> None:
    pages(here / "p.parquet", RUSSIAN, link=["https://a.example"])
    done = run("p.parquet", "-o", "x", *options, "--where", "feed", "--where", where)
    assert (done.exit_code, names(here / "x")) == (2, [])
    assert f"p.parquet: no column {name!r} for --where {where}; there are id, body, link\n" in done.stderr


@each("statuses", [[[200]], [True], [{"code": 200}], [datetime(2026, 1, 1, tzinfo=UTC)]], ids=str)
def test_a_status_that_is_no_number_costs_the_file(statuses: list[object], here: Path) -> None:
    columns = {"body": [PLAIN] * 2, "status": [*statuses, None]}
    pq.write_table(pa.table(columns), "p.parquet")
    assert run("p.parquet", "-o", "x", "--where", "xml").exit_code == 0
    done = run("p.parquet", "-o", "x", "--where", "status=200")
    assert (done.exit_code, "; pass numbers" in done.stderr) == (2, True)


def test_a_condition_needs_no_other_column(here: Path) -> None:
    """A column of another type than strings is no fault where no condition is on it."""
    columns = {"body": [PLAIN], "content_type": ["text/xml"], "url": [5], "status": [200.0]}
    pq.write_table(pa.table(columns), "p.parquet")
    assert run("p.parquet", "-o", "x", "--where", "status=200").exit_code == 0
    assert pq.read_table("x/p.parquet").num_rows == 1
    done = run("p.parquet", "-o", "y", "--where", "host=a.example")
    assert (done.exit_code, "url is int64; pass strings" in done.stderr) == (2, True)


def test_conditions_choose_rows_with_columns_of_any_type(here: Path) -> None:
    """Arrow's own filter knows no views."""
    views = {
        "note": pa.array(["x", None, "z"], pa.string_view()),
        "list": pa.array([["x"], None, []], pa.list_(pa.string_view())),
        "kind": pa.array(["a", "b", "a"]).dictionary_encode(),
    }
    pq.write_table(pa.table({"body": [PLAIN, b"text", b"<feed/>"], **views}), "p.parquet")
    kept = pq.read_table("p.parquet").drop_columns("body")
    all_rows = kept.to_pylist()
    for where, rows in (("all", [0, 1, 2]), ("xml", [0, 2]), ("feed", [2])):
        assert run("p.parquet", "-o", where, "--where", where).exit_code == 0
        made = pq.read_table(f"{where}/p.parquet").select(list(views))
        assert made.schema.types == kept.schema.types
        assert made.to_pylist() == [all_rows[at] for at in rows]
    pq.write_table(pa.table({"body": [b"text"] * 3, **views}), "p.parquet")
    assert run("p.parquet", "-o", "none", "--where", "feed").exit_code == 0
    made = pq.read_table("none/p.parquet").select(list(views))
    assert (made.num_rows, made.schema.types) == (0, kept.schema.types)


def test_a_condition_on_the_host_of_a_path_is_refused(here: Path) -> None:
    (here / "a.xml").write_bytes(PLAIN)
    done = run("a.xml", "-o", "x", "--where", "host=a.example")
    assert (done.exit_code, names(here / "x")) == (2, [])
    assert "a.xml: no column 'url' for --where host=a.example; there are path, body\n" in done.stderr


FEED_NAME = r"\.(?:xml|rss|feed)(?:\.gz)?$"


def test_a_file_whose_name_does_not_say_it_is_known_by_its_first_bytes(here: Path) -> None:
    packed = write_archive(here / "a.warc.gz", RUSSIAN, STALE).read_bytes()
    for name, data in (
        ("crawl.warc.gz.1", packed),
        ("odd.gz", packed),
        ("crawl", gzip.decompress(packed)),
        ("PAGES", pages(here / "p.parquet", RUSSIAN, STALE).read_bytes()),
        ("a.xml", packed),
        ("b.rss", gzip.decompress(packed)),
        ("c.feed.gz", packed),
        ("d.xml", (here / "p.parquet").read_bytes()),
        ("feed.php", RUSSIAN),
        ("feed.gz", gzip.compress(STALE)),
        ("nothing", b""),
    ):
        (here / name).write_bytes(data)
        done = run(name, "-o", "x")
        table = pq.read_table(f"x/{re.sub(FEED_NAME, '', name)}.parquet")
        assert (done.exit_code, done.stderr) == (
            0,
            f"1/1 {name}: {len(table)} row{'s' * (len(table) > 1)}, 0 errors\n",
        )
        texts = [text and text.partition("title>")[2][:6] for text in table["text"].to_pylist()]
        rows = 1 if name in ("feed.php", "feed.gz", "nothing") else 2
        assert texts == ([None] if name == "nothing" else ["Привет"] * rows)


def test_strict_refusals_are_errors(here: Path) -> None:
    (here / "a.xml").write_bytes(b"\xef\xbb\xbf<?xml version='1.0' encoding='gbk'?><a/>")
    assert run("a.xml", "-o", "x", "--strict").exit_code == 0
    row = pq.read_table("x/a.parquet").to_pylist()[0]
    assert (row["rule"], row["text"], row["error_code"]) == ("1.4", None, "refused")


def test_nothing_hostile_reaches_the_terminal(here: Path) -> None:
    name = "\x1b[2J\u202e.xml"
    (here / name).write_bytes(PLAIN)
    (here / "c.warc").write_bytes(b"")
    done = run(name, "-o", "x")
    assert done.stderr == "1/1 \\x1b[2J\\u202e.xml: 1 row, 0 errors\n"


# -- runs that break off ----------------------------------------------------------------------------------

KILLED_AT_EACH_STEP = """
import os, pathlib, shutil, signal, sys
import click, pyarrow.parquet as pq
import feedcharset.batch.crawl_run
from feedcharset.cli.batch import batch

STEPS = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir")

def kill_before(step):
    # Each change of the file system, and each call of the writer of Parquet, is a step.
    count = 0
    def done(*arguments):
        nonlocal count
        count += 1
        if count == step:
            os.kill(os.getpid(), signal.SIGKILL)
    def hook(event, arguments):
        if event in STEPS and "out" in str(arguments[0]):
            done()
    sys.addaudithook(hook)
    for name in ("__init__", "write_table", "close"):
        def call(*arguments, method=getattr(pq.ParquetWriter, name), **options):
            done()
            method(*arguments, **options)
            done()
        setattr(pq.ParquetWriter, name, call)

def run(*folders, step=0):
    process = os.fork()
    if process:
        return os.waitpid(process, 0)[1]
    sys.stdout = sys.stderr = open(os.devnull, "w")
    if step:
        kill_before(step)
    for folder in folders:
        batch.main(["in", "-o", folder, "--jobs", "1"], standalone_mode=False)
    os._exit(0)

def rows(folder):
    paths = [path for path in pathlib.Path(folder).rglob("*") if path.is_file()]
    return {path.name: pq.read_table(path).to_pylist() for path in paths}

steps = 0
while (status := run(f"out{steps + 1}", step=steps + 1)) == 9:
    steps += 1
assert status == 0, status
folders = [f"out{step}" for step in range(1, steps + 2)]
expected = rows(folders[-1])
assert expected
for folder in folders:
    assert rows(folder).items() <= expected.items(), folder  # what is there is whole
assert run(*folders) == 0
for folder in folders:
    assert rows(folder) == expected, folder
assert sorted(os.listdir()) == sorted(["in", *folders])
print(steps)
"""


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="each step is tried in a process of its own")
def test_killed_before_any_step_the_same_command_gives_the_rows_of_an_undisturbed_run(
    here: Path,
) -> None:
    pages(here / "in" / "lang=fr" / "a.parquet", RUSSIAN, STALE, BOMB)
    command = [sys.executable, "-c", KILLED_AT_EACH_STEP]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment())
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 10


def environment() -> dict[str, str]:
    """Children find the package where this process found it."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def _with_default_signals() -> None:
    """A shell with & ignores SIGINT, and nohup SIGHUP."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Command:
    """The command in a process group of its own, on archives of which the last is a pipe: it waits there."""

    def __init__(self, here: Path, *arguments: str) -> None:
        (here / "in").mkdir()
        for number in range(11):
            path = here / "in" / f"{number:02}.warc"
            path.write_bytes(archive(*[exchange(number, STALE + b"<b>caf\xe9</b>" * 200)] * 30))
        self.last = here / "in" / "11.warc"
        os.mkfifo(self.last)
        self.call = [sys.executable, "-m", "feedcharset", "batch", "in", "-o", "out", *arguments]
        self.process = subprocess.Popen(
            self.call,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            start_new_session=True,
            preexec_fn=_with_default_signals,
        )
        while self.process.poll() is None and not (here / "out" / "00.parquet").exists():
            time.sleep(0.01)

    def group(self) -> list[int]:
        """The processes that there are in the group (Linux)."""
        found = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                state, _, group = path.read_text().rpartition(")")[2].split()[:3]
                if int(group) == self.process.pid and state != "Z":
                    found.append(int(path.parent.name))
        return found

    def arrive(self) -> None:
        """The last archive has come."""
        self.last.unlink()
        self.last.write_bytes(archive(*[exchange(11, STALE)] * 30))

    def finish(self) -> str:
        """The same command again."""
        self.arrive()
        call = [*self.call[:-1], "1"]
        done = subprocess.run(call, capture_output=True, text=True, check=True, env=environment())
        return done.stdout


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="a terminal that closes sends it")
@pytest.mark.long
def test_a_terminal_that_closes_leaves_no_half_file_and_no_traceback(here: Path) -> None:
    command = Command(here, "--jobs", "2")
    os.killpg(command.process.pid, signal.SIGHUP)
    _, stderr = command.process.communicate()
    assert command.process.returncode == 129, stderr
    assert all("/12 in/" in line for line in stderr.splitlines())
    assert names(here) == ["in", "out"]
    assert ", 0 made" not in command.finish()
    assert ds.dataset("out").count_rows() == 360


@pytest.mark.skipif(sys.platform == "win32", reason="a process group gets the signal")
@pytest.mark.long
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_leaves_no_half_file_and_no_traceback(here: Path, jobs: str) -> None:
    command = Command(here, "--jobs", jobs)
    os.killpg(command.process.pid, signal.SIGINT)
    _, stderr = command.process.communicate()
    assert command.process.returncode == 130, stderr
    assert stderr.splitlines()[-1] == "feedcharset: interrupted; the same command continues where it stopped"
    assert all("/12 in/" in line for line in stderr.splitlines()[:-1])
    assert names(here) == ["in", "out"]
    assert ", 0 made" not in command.finish()
    assert ds.dataset("out").count_rows() == 360


INTERRUPTED_WHILE_WORKERS_START = """
import os, signal, threading, time
from concurrent.futures import Future, ProcessPoolExecutor
from feedcharset.cli.batch import batch

signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored where a shell runs the tests with &

def interrupt_main():
    os.kill(os.getpid(), signal.SIGINT)

def interrupt_another():
    def other():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        time.sleep(0.5)  # mostly the main thread waits for results by then
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
    threading.Thread(target=other, daemon=True).start()

def submit(*arguments):
    interrupt_{}()
    return Future()  # never done

ProcessPoolExecutor.submit = submit
raise SystemExit(batch.main(["a.warc", "b.warc", "-o", "out", "--jobs", "2"], standalone_mode=False))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a signal there ends the process")
@pytest.mark.parametrize("thread", ["main", pytest.param("another", marks=pytest.mark.long)])
def test_ctrl_c_while_the_workers_start_ends_the_run(thread: str, here: Path) -> None:
    """It was ignored, as it is by the workers: the run went on. While the main thread blocks it, a thread of
    Arrow may be given it; that did not end the wait for results."""
    for name in "ab":
        write_archive(here / f"{name}.warc", PLAIN)
    command = [sys.executable, "-c", INTERRUPTED_WHILE_WORKERS_START.format(thread)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment(), timeout=60)
    assert (done.returncode, names(here)) == (130, ["a.warc", "b.warc", "out"])
    assert done.stderr == "feedcharset: interrupted; the same command continues where it stopped\n"


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are counted in /proc")
@pytest.mark.long
@pytest.mark.parametrize("number", ["SIGKILL", "SIGTERM"])
def test_the_workers_end_with_their_parent(here: Path, number: str) -> None:
    command = Command(here, "--jobs", "2")
    command.process.send_signal(getattr(signal, number))
    _, stderr = command.process.communicate()
    if number == "SIGTERM":
        assert command.process.returncode == 143
        assert all("/12 in/" in line for line in stderr.splitlines())
        assert names(here) == ["in", "out"]
    else:
        assert command.process.returncode < 0
    while command.group():  # a worker that does not end stops this test
        time.sleep(0.01)
    assert ", 0 made" not in command.finish()
    assert (names(here), ds.dataset("out").count_rows()) == (["in", "out"], 360)


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are found in /proc")
def test_what_a_worker_read_that_is_killed_is_read_again(here: Path) -> None:
    command = Command(here, "--jobs", "2")
    command.arrive()
    killed = 0
    for process in command.group():
        with suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes():
                os.kill(process, signal.SIGKILL)
                killed += 1
    assert killed
    stdout, _ = command.process.communicate(timeout=60)
    assert (command.process.returncode, stdout) == (0, "12 inputs, 0 made by an earlier run\n")
    assert names(here) == ["in", "out"]
    assert ds.dataset("out").count_rows() == 360


MOUNTED = next((path for path in ("/dev/shm", "/proc", "/sys") if os.path.ismount(path)), "")


@pytest.mark.skipif(not MOUNTED, reason="no file system is mounted where a test may look")
def test_a_folder_into_which_nothing_can_be_renamed_is_refused(here: Path) -> None:
    pages(here / "a.parquet", PLAIN)
    done = run("a.parquet", "-o", MOUNTED)
    assert done.exit_code == 2
    assert f"{MOUNTED} is a file system of its own; give a folder in it: {MOUNTED}/feeds" in done.stderr


def test_one_run_at_a_time(here: Path) -> None:
    pages(here / "a.parquet", PLAIN)
    with locked(failures_file(here / "out").parent):
        done = run("a.parquet", "-o", "out")
    assert done.stderr == "feedcharset: batch: another run writes to out; wait for its end\n"
    assert done.exit_code == 2
    (here / "out.run").mkdir()
    (here / "out.run" / "lock").write_bytes(b"")  # of a run that was killed
    assert run("a.parquet", "-o", "out").exit_code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="a link needs a right there")
def test_one_run_at_a_time_through_a_link(here: Path) -> None:
    write_archive(here / "a.warc.gz", RUSSIAN)
    (here / "out").mkdir()
    (here / "other" / "below").mkdir(parents=True)
    os.symlink("../out", "other/link")
    with locked(failures_file(here / "out").parent):
        done = run("a.warc.gz", "-o", "other/link")
        assert "another run writes to out; wait for its end" in done.stderr
    with locked(failures_file(here / "other").parent):
        assert "another run writes to other;" in run("a.warc.gz", "-o", "other/below/..").stderr
    assert run("a.warc.gz", "-o", "other/link/").exit_code == 0
    assert (names(here / "out"), names(here / "other")) == (["a.parquet"], ["below", "link"])


def test_an_output_that_cannot_be_written_ends_the_run(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no fault of the input, and no later output can be written either."""

    def write_table(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(pq.ParquetWriter, "write_table", write_table)
    write_archive(here / "a.warc", RUSSIAN)
    done = run("a.warc", "-o", "out")
    assert done.exit_code == 2
    assert done.stderr == f"feedcharset: {here / 'out' / 'a.parquet'}: No space left on device\n"
    assert (names(here), names(here / "out")) == (["a.warc", "out"], [])


@pytest.mark.parametrize("error", [MemoryError(), pa.ArrowMemoryError("malloc of size 4 failed")])
def test_want_of_memory_costs_its_input(
    here: Path, monkeypatch: pytest.MonkeyPatch, error: MemoryError
) -> None:
    def write_table(*arguments: object, method: Any = pq.ParquetWriter.write_table) -> None:
        if errors:
            raise errors.pop()
        method(*arguments)

    errors = [error]
    monkeypatch.setattr(pq.ParquetWriter, "write_table", write_table)
    for name in "ab":
        write_archive(here / f"{name}.warc", RUSSIAN)
    done = run("a.warc", "b.warc", "-o", "out")
    assert (done.exit_code, tree(here / "out")) == (2, ["b.parquet"])
    assert done.stderr.startswith("1/2 a.warc: there is not enough memory; fewer --jobs need less\n")
    assert run("a.warc", "b.warc", "-o", "out").stdout == "2 inputs, 1 made by an earlier run\n"
    assert tree(here / "out") == ["a.parquet", "b.parquet"]


def test_a_worker_that_is_killed_costs_its_input(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken: set[Any] = set()

    def submit(pool: Any, method: Any, one: Any, *arguments: object) -> Future[Any]:
        """What a pool does whose worker is killed when it reads one of the inputs."""
        future: Future[Any] = Future()
        if one.name == "b.warc" or pool in broken:
            broken.add(pool)
            future.set_exception(BrokenProcessPool())
        else:
            future.set_result(method(one, *arguments))
        return future

    for name in "abcde":
        write_archive(here / f"{name}.warc", PLAIN)
    inputs = [f"{name}.warc" for name in "abcde"]
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor.submit", submit)
    done = run(*inputs, "-o", "out", "--jobs", "2")
    killed = "the process that read it was killed, perhaps for want of memory"
    assert (done.exit_code, tree(here / "out")) == (2, [f"{name}.parquet" for name in "acde"])
    assert [line.partition(" ")[2] for line in done.stderr.splitlines()][1] == f"b.warc: {killed}"
    assert (here / "out.run" / "failures.tsv").read_text() == f"b.warc\t{killed}\n"
    assert len(broken) == 2  # with the others, and alone
    monkeypatch.undo()
    monkeypatch.chdir(here)
    assert run(*inputs, "-o", "out").stdout == "5 inputs, 4 made by an earlier run\n"


def test_a_defect_costs_its_input(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*arguments: object, **options: object) -> None:
        raise AssertionError("no such case")

    monkeypatch.setattr("feedcharset.batch.crawl_inputs.read_warc", read)
    write_archive(here / "a.warc", PLAIN)
    done = run("a.warc", "-o", "out")
    assert (done.exit_code, done.stderr) == (2, "1/1 a.warc: AssertionError: no such case\n")


@pytest.mark.parametrize("error", [ValueError("no case"), AssertionError("no case"), MemoryError()])
@pytest.mark.parametrize("rows", [0, 1])
def test_an_input_that_breaks_off_by_an_exception_is_tried_again_and_stops_no_other(
    here: Path, monkeypatch: pytest.MonkeyPatch, rows: int, error: Exception
) -> None:
    def read(path: str, **options: object) -> Iterator[pa.RecordBatch]:
        yield from [*read_warc(path)][: rows if "a.warc" in path else 1]
        if "a.warc" in path:
            raise error

    for name in "ab":
        write_archive(here / f"{name}.warc", PLAIN)
    monkeypatch.setattr("feedcharset.batch.crawl_inputs.read_warc", read)
    for kept in (0, 1):
        done = run("a.warc", "b.warc", "-o", "out")
        assert done.exit_code == 2
        assert done.stdout.startswith(f"2 inputs, {kept} made by an earlier run, 1 not wholly read")
        assert tree(here / "out") == ["a.parquet", "b.parquet"][1 - rows :]
    monkeypatch.undo()
    monkeypatch.chdir(here)
    assert run("a.warc", "b.warc", "-o", "out").exit_code == 0


def test_fastwarc_that_is_not_installed_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastwarc", None)
    write_archive(here / "a.warc", PLAIN)
    done = run("a.warc", "-o", "out")
    assert (done.exit_code, done.stderr.count("pip install 'feedcharset[warc]'")) == (2, 1)


def test_an_address_is_no_folder() -> None:
    Path("feed.xml").write_bytes(b"<rss/>")
    for output in ("http://user:s3cret@host/out", "s3://user:s3cret@bucket/out"):
        result = run("feed.xml", "-o", output)
        assert result.exit_code == 2
        assert "no folder" in result.output
        assert "s3cret" not in result.output
    assert [*map(str, Path().iterdir())] == ["feed.xml"]


@pytest.mark.parametrize(
    ("name", "values", "where"),
    [
        ("url", [b"https://a.example/\xff", b"https://b.example/"], "host=a.example"),
        ("content_type", [b"text/xml", b"\xff"], "type=text/xml"),
        ("status", [b"200", b"\xff"], "status=200"),
    ],
)
def test_a_string_that_is_not_utf8_costs_no_row(
    name: str, values: list[bytes], where: str, here: Path
) -> None:
    """Arrow does not check that a string is UTF-8."""
    strings = pa.Array.from_buffers(pa.string(), 2, pa.array(values).buffers())
    pq.write_table(pa.table({"body": [PLAIN, RUSSIAN], name: strings}), "p.parquet")
    assert run("p.parquet", "-o", "x", "--where", where).exit_code == 0
    assert pq.read_table("x/p.parquet").num_rows == 1


def test_damage_is_named_as_long_as_its_output_stays(here: Path) -> None:
    """A run that is interrupted and continued ends as one that is not; the archive is not read again: that
    would not help."""
    feed = Exchange("https://h.example/feed", b"HTTP/1.1 200 OK\r\nContent-Type: text/xml", PLAIN)
    Path("in").mkdir()
    for name, damaged in ("a", [Exchange("https://h.example/x", b"ICY 200 OK", PLAIN)] * 2), ("b", []):
        Path("in", f"{name}.warc.gz").write_bytes(archive(*damaged, feed))
    listed, states = Path("x.run", "failures.tsv"), []
    for lost in (None, "x/b.parquet", "x.run/failures.tsv", "x/a.parquet"):  # the last: it is made anew
        if lost:
            Path(lost).unlink()
        done = run("in", "-o", "x", "-j", "1")
        states.append((done.exit_code, listed.read_text(), done.stdout.partition(" by an earlier run")[2]))
    assert states == [(2, states[0][1], ", 1 not wholly read: x.run/failures.tsv\n")] * 4
    assert [line.partition("\t")[0] for line in states[0][1].splitlines()] == ["in/a.warc.gz"] * 2
    assert "has no HTTP header\n" in states[0][1]
    assert run("in", "-o", "x").stdout.startswith("2 inputs, 2 made by an earlier run, 1 not wholly read")
    assert pq.read_table("x/a.parquet").num_rows == 1
    Path("in/a.warc.gz").write_bytes(archive(feed))
    assert run("in", "-o", "x").exit_code == 0
    assert not listed.exists()


def test_an_arc_file_is_refused(here: Path) -> None:
    start = b"filedesc://x.arc 0.0.0.0 20050614070159 text/plain 77\n"
    for name, data in (("x.arc.gz", gzip.compress(start)), ("x.arc", start)):
        Path(name).write_bytes(data)
        done = run(name, "-o", "x")
        assert (done.exit_code, Path("x").exists()) == (2, False)
        assert f"{name} is an ARC file; convert it: warcio recompress {name} NAME.warc.gz" in done.stderr
    Path("x.wacz").write_bytes(b"PK\x03\x04")
    done = run("x.wacz", "-o", "x")
    assert (done.exit_code, Path("x").exists()) == (2, False)
    assert "x.wacz holds archives; take them out: unzip x.wacz 'archive/*'" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links")
def test_linked_folders_are_read_once(here: Path) -> None:
    for name in ("in/a", "disk/b/c", "in/out"):
        Path(name).mkdir(parents=True)
        Path(name, "feed.xml").write_bytes(PLAIN)
    for link, to in (
        ("in/a/up", ".."),
        ("in/z", "a"),
        ("in/all", "../.."),
        ("in/b", "../disk/b"),
        ("in/c", "b"),
    ):
        Path(link).symlink_to(to, target_is_directory=True)
    Path("disk/b/back").symlink_to("../../in", target_is_directory=True)
    assert run("in", "-o", "in/out").exit_code == 0
    assert sorted(pq.read_table("in/out/in.parquet")["path"].to_pylist()) == [
        "in/a/feed.xml",
        "in/b/c/feed.xml",
    ]


def test_a_run_over_other_inputs_keeps_what_was_listed(here: Path) -> None:
    """The output of the damaged one stays in the folder, too."""
    damaged = write_archive(here / "a.warc.gz", RUSSIAN, STALE)
    damaged.write_bytes(damaged.read_bytes()[:-9])
    whole = write_archive(here / "b.warc.gz", RUSSIAN)
    assert run(damaged, "-o", "out").exit_code == 2
    listed = Path("out.run", "failures.tsv")
    before = listed.read_text("utf-8")
    assert (run(whole, "-o", "out").exit_code, listed.read_text("utf-8")) == (0, before)
    assert (run(damaged, "-o", "out").exit_code, listed.read_text("utf-8")) == (2, before)
    write_archive(here / "a.warc.gz", RUSSIAN, STALE)
    assert (run(damaged, "-o", "out").exit_code, tree(here / "out")) == (0, ["a.parquet", "b.parquet"])
    assert not listed.exists()


def test_the_output_of_an_earlier_run_is_told(here: Path) -> None:
    source = write_archive(here / "a.warc.gz", RUSSIAN)
    assert run(source, "-o", "out").exit_code == 0
    source.write_bytes(b"")
    done = run(source, "-o", "out")
    assert (done.exit_code, tree(here / "out")) == (2, ["a.parquet"])
    assert "its output is that of an earlier run" in done.stderr
