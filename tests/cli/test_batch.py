"""`feedcharset batch`: archives, Parquet files and folders to Parquet; runs that break off; hostile names."""

from __future__ import annotations

import errno
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import click
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from making.archive import Exchange, archive

from feedcharset.batch import decode_batch, read_warc
from feedcharset.batch.crawl_inputs import find_files, split_units
from feedcharset.batch.crawl_run import CrawlRun
from feedcharset.batch.crawl_tally import Tally
from feedcharset.batch.row_conditions import ConditionError, parse_condition
from feedcharset.batch.unit_rows import RunOptions
from feedcharset.batch.xml_selection import Candidate
from feedcharset.cli.batch import batch

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
    result = runner.invoke(group, ["batch", *map(str, arguments)], standalone_mode=True)
    if result.exit_code == 0 and found:
        result.exit_code = found[0]
    return result


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_an_archive_becomes_a_parquet_file(here: Path) -> None:
    source = write_archive(here / "crawl.warc.gz", RUSSIAN, STALE, b"<html>")
    done = run(source, "-o", "feeds.parquet")
    assert (done.exit_code, done.stderr) == (0, "")
    table = pq.read_table("feeds.parquet")
    expected = pa.Table.from_batches([decode_batch(one) for one in read_warc(source)])
    assert table.equals(expected)
    assert table["text"][1].as_py().count("Привет, мир") == 1
    assert names(here) == ["crawl.warc.gz", "feeds.parquet"]
    lines = done.stdout.splitlines()
    assert lines[0] == "documents: 3 (0.0 MB)"
    assert "encodings: windows-1251 1, UTF-8 2" not in lines
    assert "wrong labels: 1" in lines
    assert "  1 × declared windows-1251, is UTF-8" in lines


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_the_order_is_that_of_the_inputs(here: Path, jobs: str) -> None:
    (here / "in").mkdir()
    for number in range(5):
        write_archive(here / "in" / f"{number}.warc.gz", PLAIN + b"<!--%d-->" % number)
    assert run("in", "-o", "feeds.parquet", "--jobs", jobs).exit_code == 0
    texts = pq.read_table("feeds.parquet")["text"].to_pylist()
    assert [text[-4] for text in texts] == ["0", "1", "2", "3", "4"]
    file = pq.ParquetFile("feeds.parquet")
    assert file.metadata.num_row_groups == 5
    assert run("in", "-o", "other.parquet", "--jobs", jobs, "--unordered").exit_code == 0
    assert sorted(pq.read_table("other.parquet")["text"].to_pylist()) == sorted(texts)


def test_parquet_with_its_columns_named(here: Path) -> None:
    bodies = [RUSSIAN, None, STALE] * 10
    table = pa.table(
        {"n": range(30), "payload": pa.array(bodies, pa.large_binary()), "mime": ["text/xml"] * 30}
    ).replace_schema_metadata({"crawl": "7"})
    pq.write_table(table, "pages.parquet", row_group_size=7)
    done = run("pages.parquet", "-o", "out.parquet", "--columns", "body=payload,content_type=mime")
    assert (done.exit_code, done.stderr) == (0, "")
    found = pq.read_table("out.parquet")
    assert found.equals(decode_batch(table, body="payload", content_type="mime"))
    assert found.schema.metadata == {b"crawl": b"7"}
    assert "without a body: 10" in done.stdout
    kept = run("pages.parquet", "-o", "b.parquet", "--columns", "body=payload", "--keep-body")
    assert kept.exit_code == 0
    assert pq.read_table("b.parquet")["payload"].equals(table["payload"])


def test_a_folder_of_xml_files(here: Path) -> None:
    (here / "in" / "deep").mkdir(parents=True)
    (here / "in" / "b.xml").write_bytes(STALE)
    (here / "in" / "deep" / "a.rss").write_bytes(RUSSIAN)
    (here / "in" / "c.xml.gz").write_bytes(gzip.compress(STALE))
    (here / "in" / "notes.txt").write_bytes(b"no feed")
    (here / "in" / ".hidden.xml").write_bytes(PLAIN)
    assert run("in", "-o", "in/out.parquet").exit_code == 0
    assert run("in", "-o", "in/out.parquet").exit_code == 0  # the output is not taken for an input
    table = pq.read_table("in/out.parquet")
    assert table["path"].to_pylist() == ["in/b.xml", "in/c.xml.gz", "in/deep/a.rss"]
    assert table["encoding"].to_pylist() == ["UTF-8", "UTF-8", "windows-1251"]
    assert run("in/notes.txt", "-o", "one.parquet").exit_code == 0
    assert pq.read_table("one.parquet")["text"].to_pylist() == ["no feed"]


def test_bad_records_are_listed_in_a_table_beside_the_output(here: Path) -> None:
    write_archive(here / "crawl.warc.gz", RUSSIAN, BOMB, STALE)
    done = run("crawl.warc.gz", "-o", "feeds.parquet")
    assert done.exit_code == 0
    assert "errors: 1\n  1 × gzip grows more than ... (... bytes in)" in done.stdout
    assert "bad records are listed in feeds.bad.tsv" in done.stdout
    head, row = (here / "feeds.bad.tsv").read_text(encoding="utf-8").splitlines()
    assert head.split("\t") == ["input", "row", "record", "url", "rule", "error"]
    record = "<urn:uuid:00000000-0000-4000-8000-000000000001>"
    expected = ["crawl.warc.gz", "1", record, "https://h1.example/feed", "", "gzip grows more than 100:1"]
    cells = row.split("\t")
    assert [*cells[:5], cells[5][:26]] == expected
    assert pq.read_table("feeds.parquet")["error"].null_count == 2
    write_archive(here / "crawl.warc.gz", RUSSIAN)
    assert run("crawl.warc.gz", "-o", "feeds.parquet").exit_code == 0
    assert names(here) == ["crawl.warc.gz", "feeds.parquet"]  # the table of the run before is gone


def test_what_cannot_be_read_is_named_and_the_rest_is_decoded(here: Path) -> None:
    write_archive(here / "a.warc.gz", RUSSIAN)
    (here / "b.warc.gz").write_bytes((here / "a.warc.gz").read_bytes()[:-50])
    (here / "c.warc").write_bytes(b"no archive at all")
    done = run("a.warc.gz", "b.warc.gz", "c.warc", "-o", "feeds.parquet", "--jobs", "2")
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 2
    assert "feedcharset: c.warc: " in done.stderr
    assert pq.read_table("feeds.parquet")["text"].to_pylist()[0].count("Привет") == 1
    assert "c.warc" in (here / "feeds.bad.tsv").read_text(encoding="utf-8")


USAGE: list[tuple[list[str], str]] = [
    (["none.warc", "-o", "x.parquet"], "No such file or directory"),
    (["empty", "-o", "x.parquet"], "no archive, Parquet file or XML file in empty"),
    (["a.xml", "a.warc", "-o", "x.parquet"], "a.warc is warc, a.xml is xml"),
    (["text.parquet", "-o", "x.parquet"], "decoded already"),
    (["other.parquet", "-o", "x.parquet"], "no column 'body'; there are data"),
    (["other.parquet", "bytes.parquet", "-o", "x.parquet", "--columns", "body=data"], "no column 'data'"),
    (["a.xml", "-o", "a.xml"], "the output is an input"),
    (["a.xml", "-o", "none/x.parquet"], "there is no folder"),
    (["a.xml", "-o", "x.parquet", "--where", "nix"], "'nix' is no condition"),
    (["a.xml", "-o", "x.parquet", "--columns", "text=x"], "write ROLE=NAME"),
    (["a.xml", "-o", "pipe"], "the output pipe is no file and no folder"),
    (["-", "-o", "x.parquet"], "- is no file; download it first"),
    (["https://example.org/a.warc", "-o", "x.parquet"], "https://example.org/a.warc is no file"),
    (["a.xml"], "Missing option"),
    (["bad.parquet", "-o", "x.parquet"], "bad.parquet"),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE)
def test_usage_that_makes_no_sense_is_one_line(arguments: list[str], message: str, here: Path) -> None:
    (here / "empty").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(here / "pipe")
    (here / "a.xml").write_bytes(PLAIN)
    (here / "bad.parquet").write_bytes(b"PAR1 no PAR1")
    write_archive(here / "a.warc", RUSSIAN)
    pq.write_table(pa.table({"body": ["<a/>"]}), "text.parquet")
    pq.write_table(pa.table({"data": [b"<a/>"]}), "other.parquet")
    pq.write_table(pa.table({"body": [b"<a/>"]}), "bytes.parquet")
    before = names(here)
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == (1 if "Missing" not in message else 4)
    assert names(here) == before


CANDIDATE = Candidate("https://News.Example.org/a/feed.xml", 200, "text/XML; charset=x", None, b"<rss>")


@pytest.mark.parametrize(
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
    ],
)
def test_conditions(condition: str, holds: bool) -> None:
    assert parse_condition(condition)(CANDIDATE) is holds


@pytest.mark.parametrize("condition", ["", "nix", "size=3", "host", "host~x", "=x", "HOST=x"])
def test_what_is_no_condition(condition: str) -> None:
    with pytest.raises(ConditionError, match="is no condition; write xml, feed, all, or FIELD=PATTERN"):
        parse_condition(condition)


def test_conditions_choose_rows(here: Path) -> None:
    write_archive(here / "crawl.warc.gz", RUSSIAN, PLAIN, STALE, b"<html>")
    for where, rows in (
        (["feed"], 2),
        (["xml"], 4),
        (["all", "host=h3.example"], 1),
        (["host=h[02].example"], 2),
        (["status=404"], 0),
    ):
        options = [part for condition in where for part in ("--where", condition)]
        assert run("crawl.warc.gz", "-o", "x.parquet", *options).exit_code == 0
        assert pq.read_table("x.parquet").num_rows == rows
    pq.write_table(pa.table({"url": ["https://a.example", None], "body": [RUSSIAN, PLAIN]}), "p.parquet")
    assert run("p.parquet", "-o", "x.parquet", "--where", "feed").exit_code == 0
    assert pq.read_table("x.parquet")["url"].to_pylist() == ["https://a.example"]


def test_strict_refusals_are_errors(here: Path) -> None:
    (here / "a.xml").write_bytes(b"\xef\xbb\xbf<?xml version='1.0' encoding='gbk'?><a/>")
    assert run("a.xml", "-o", "x.parquet", "--strict").exit_code == 0
    row = pq.read_table("x.parquet").to_pylist()[0]
    assert (row["rule"], row["text"]) == ("1.4", None)


# -- runs that break off ----------------------------------------------------------------------------------


def _killed(*arguments: object) -> None:
    """The work of a process that is out of memory."""
    os._exit(1)


class Break(KeyboardInterrupt):
    """Ctrl-C, at a moment that the test chooses."""


def crawl_run(folder: Path, jobs: int = 1, **options: Any) -> CrawlRun:
    units = list(split_units(list(find_files([str(folder)]))))
    return CrawlRun(units, RunOptions(**options), folder.parent / "x.parquet", jobs=jobs, ordered=True)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_broke_off_continues_where_it_stopped(here: Path, jobs: int) -> None:
    (here / "in").mkdir()
    for number in range(4):
        write_archive(here / "in" / f"{number}.warc.gz", RUSSIAN, BOMB, STALE)
    calls = []

    def advance(size: int) -> None:
        calls.append(size)
        if size and len(list((here / "x.parquet.parts").glob("_*.json"))) > 2:  # the options, and two parts
            raise Break

    with pytest.raises(Break):
        crawl_run(here / "in", jobs).run(advance)
    assert names(here) == ["in", "x.parquet.parts"]  # no half file
    parts = here / "x.parquet.parts"
    assert not [name for name in names(parts) if name.startswith(".")]
    (parts / ".0.warc.gz-0.parquet.999999999").write_bytes(b"of a run that was killed")
    outcome = crawl_run(here / "in", jobs).run(lambda size: None)
    assert outcome.kept >= 2
    assert names(here) == ["in", "x.bad.tsv", "x.parquet"]
    assert outcome.tally.documents == 12
    broken = pq.read_table("x.parquet")
    os.unlink("x.parquet")
    whole = crawl_run(here / "in").run(lambda size: None)
    assert whole.kept == 0
    assert whole.tally == outcome.tally
    assert pq.read_table("x.parquet").equals(broken)


def test_other_options_do_not_continue_a_run(here: Path) -> None:
    (here / "in").mkdir()
    write_archive(here / "in" / "a.warc", RUSSIAN)

    def advance(size: int) -> None:
        raise Break

    with pytest.raises(Break):
        crawl_run(here / "in").run(advance)
    with pytest.raises(ValueError, match="holds parts of a run with other options"):
        crawl_run(here / "in", keep_body=True).run(lambda size: None)


def test_an_input_that_changed_is_decoded_again(here: Path) -> None:
    (here / "in").mkdir()
    (here / "out").mkdir()
    write_archive(here / "in" / "a.warc", RUSSIAN)
    assert run("in", "-o", "out/").exit_code == 0
    assert "kept from an earlier run: 1" in run("in", "-o", "out/").stdout
    write_archive(here / "in" / "b.warc", STALE)
    assert "kept from an earlier run: 1" in run("in", "-o", "out/").stdout
    assert pq.read_table("out").num_rows == 2
    assert len(list((here / "out").glob("*.parquet"))) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="a process group gets the signal")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_leaves_no_half_file_and_no_traceback(here: Path, jobs: str) -> None:
    (here / "in").mkdir()
    for number in range(24):
        write_archive(here / "in" / f"{number:02}.warc", *[STALE + b" " * 20_000] * 20)
    command = [sys.executable, "-m", "feedcharset", "batch", "in", "-o", "x.parquet", "--jobs", jobs]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # a shell with & ignores it
    )
    parts = here / "x.parquet.parts"
    while process.poll() is None and not (parts.exists() and any(parts.glob("*.parquet"))):
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate()
    assert process.returncode == 130
    assert stderr == "feedcharset: interrupted; the same command continues where it stopped\n"
    assert names(here) == ["in", "x.parquet.parts"]
    assert not [name for name in names(parts) if name.startswith(".")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "kept from an earlier run" in done.stdout
    assert pq.ParquetFile("x.parquet").metadata.num_rows == 480


def test_a_part_that_cannot_be_written_ends_the_run(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no fault of the input, and no later part can be written either."""

    def write_table(self: object, table: pa.Table) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(pq.ParquetWriter, "write_table", write_table)
    write_archive(here / "a.warc", RUSSIAN)
    done = run("a.warc", "-o", "x.parquet", "--jobs", "1")
    assert done.exit_code == 2
    assert done.stderr == f"feedcharset: batch: {here / 'x.parquet.parts'}: No space left on device\n"
    assert names(here) == ["a.warc", "x.parquet.parts"]
    assert names(here / "x.parquet.parts") == ["_run.json"]


def test_a_worker_that_is_killed_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.warc", "b.warc"):
        write_archive(here / name, RUSSIAN)
    monkeypatch.setattr("feedcharset.batch.crawl_run._work", _killed)
    done = run("a.warc", "b.warc", "-o", "x.parquet", "--jobs", "2")
    assert done.exit_code == 2
    assert "a worker process was killed, perhaps for want of memory" in done.stderr
    assert len(done.stderr.splitlines()) == 1


# -- the summary ------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words = ""
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "style", "onload")]

    def handle_data(self, data: str) -> None:
        self.words += data


HOSTILE = "</style><script>alert(1)</script>"


def test_the_summary_page_escapes_everything_and_loads_nothing(here: Path) -> None:
    label = HOSTILE[:39]
    body = f"<?xml version='1.0'?><a>{'é' * 9}</a>".encode()
    hostile = Exchange(
        "https://<script>.example/",
        b'HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset="' + label.encode() + b'"',
        body,
    )
    (here / "a.warc").write_bytes(archive(hostile, exchange(1, STALE), exchange(2, BOMB)))
    done = run("a.warc", "-o", f"{HOSTILE.replace('/', '_')}.parquet", "--summary", "s.html")
    assert done.exit_code == 0
    text = (here / "s.html").read_text(encoding="utf-8")
    page = Page(text)
    assert "script" not in page.tags
    assert page.tags.count("style") == 1
    assert [link for link in page.links if not link.startswith("max-width")] == []
    assert "<script>alert(1)" in page.words
    assert "url(" not in text
    assert "@import" not in text
    assert "prefers-color-scheme: dark" in text
    assert 'name="viewport"' in text
    assert page.tags.count("svg") == 3
    assert "h1.example" in page.words


def test_nothing_hostile_reaches_the_terminal(here: Path) -> None:
    error = "\x1b[2J\u202e"
    tally = Tally()
    row = {"error": error, "encoding": None, "rule": None, "repairs": None, "url": f"https://{error}/"}
    tally.add(row, (None, None), 1)
    tally.encodings[error] = 1
    from feedcharset.batch.crawl_page import summary_page
    from feedcharset.batch.crawl_summary import summary_lines

    assert "".join(summary_lines(tally)).isprintable()
    assert "\x1b" not in summary_page(tally, error)
    assert "\u202e" not in summary_page(tally, error)


def test_tallies_of_parts_add_up() -> None:
    def row(**values: Any) -> dict[str, Any]:
        return {"error": None, "encoding": "UTF-8", "rule": "L2", "repairs": 0, "url": None, **values}

    one, two, both = Tally(), Tally(), Tally()
    rows = [
        row(),
        row(repairs=3, url="https://a.example/"),
        row(error="byte 7: x", encoding=None, url="https://a.example/"),
        row(encoding=None, rule=None, repairs=None),
    ]
    for number, values in enumerate(rows):
        for tally in (both, (one, two)[number % 2]):
            tally.add(values, ("windows-1251", "utf8"), 10)
    one.merge(two)
    assert one == both == Tally.from_dict(json.loads(json.dumps(both.as_dict())))
    assert (both.documents, both.nulls, both.repaired, both.repairs) == (4, 1, 1, 3)
    assert both.wrong_labels == {"Content-Type windows-1251, is UTF-8": 2}
    assert both.hosts == {"a.example": [1, 1, 1]}
    assert both.host_labels == {"a.example": "Content-Type windows-1251, is UTF-8"}
    assert both.errors == {"byte ...: x": 1}


def test_hosts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feedcharset.batch.crawl_tally.HOST_LIMIT", 2)
    tally = Tally()
    for number in range(5):
        row = {
            "error": "x",
            "encoding": None,
            "rule": None,
            "repairs": None,
            "url": f"https://{number}.example/",
        }
        tally.add(row, (None, None), 0)
    assert tally.hosts == {"0.example": [0, 0, 1], "1.example": [0, 0, 1], "(other hosts)": [0, 0, 3]}
