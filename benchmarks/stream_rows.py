"""Files, URLs and processes: reading, lines, `iterparse`, `detect`, `repair`, start-up."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import peers
from inputs import DATA, KINDS, MIXED, feed, large
from measuring import Measured, Row, Run, calls, compare, peak_of_interpreter, processes, run_process
from size import Size

from feedcharset import XmlReader, decode

__all__ = [
    "detect_rows",
    "fetch_rows",
    "import_rows",
    "iterparse_rows",
    "line_rows",
    "read_rows",
    "repair_rows",
]

HERE = Path(__file__).parent
MEMORY = 16 << 20
"""Bytes above a bare interpreter that a stream of any length may need."""


def import_rows(size: Size) -> Iterator[Row]:
    """Start-up, above a bare interpreter."""

    def python(code: str) -> Callable[[], Run]:
        return lambda: run_process([sys.executable, "-c", code])

    commands = {
        "import feedcharset": python("import feedcharset"),
        "a bare interpreter": python("pass"),
        "from feedcharset import decode": python("from feedcharset import decode"),
        "decode of a document": python("from feedcharset import decode; decode(b'<a/>')"),
        "from feedcharset import XmlReader": python("from feedcharset import XmlReader"),
        "import feedparser": python("import warnings; warnings.simplefilter('ignore'); import feedparser"),
    }
    measured = processes(commands, rounds=7 * size.processes)
    above = {one.name: (one.seconds - measured[1].seconds) * 1e3 for one in measured}
    reached = above["import feedcharset"] <= 15 and above["from feedcharset import decode"] <= 25
    notes = tuple(f"{name}: {above[name]:.1f} ms above a bare interpreter" for name in list(commands)[::2])
    yield Row("import", measured, "at most 15 ms above it, with decode 25", reached, notes)


def line_rows(size: Size) -> Iterator[Row]:
    """Lines, of usual length and of one long line in parts."""
    body = feed(MIXED, 2_000_000)

    def ours() -> int:
        with XmlReader(body) as reader:
            return sum(1 for _ in reader)

    def theirs() -> int:
        return sum(1 for _ in io.TextIOWrapper(io.BytesIO(body), "utf-8", newline=""))

    contestants: dict[str, Callable[[], object]] = {"XmlReader": ours, "io.TextIOWrapper": theirs}
    yield compare("lines: 2 MB", contestants, most=2.5, seconds=size.seconds)

    def part_lines(length: int, utf8: bool = False) -> Callable[[], object]:
        long = b"<a>" + b"x" * length

        def read() -> None:
            with XmlReader(long) as reader:
                stream = reader.utf8() if utf8 else reader
                while stream.readline(10):
                    pass

        return read

    def wrapper_lines() -> None:
        stream = io.TextIOWrapper(io.BytesIO(b"<a>" + b"x" * 100_000), "utf-8", newline="")
        while stream.readline(10):
            pass

    for name, utf8, most in (("readline(10)", False, 3), ("utf8().readline(10)", True, None)):
        measured = calls(
            {
                f"XmlReader, {name}": part_lines(100_000, utf8),
                "io.TextIOWrapper, readline(10)": wrapper_lines,
                f"XmlReader, {name}, 400 KB": part_lines(400_000, utf8),
            },
            seconds=size.seconds,
        )
        growth = measured[2].seconds / measured[0].seconds
        reached = growth < 6 and (most is None or measured[0].ratio <= most)
        reach = "linear" if most is None else f"at most {most}x, linear"
        notes = (f"four times the length takes {growth:.1f} times as long",)
        yield Row(f"lines: one line of 100 KB, {name}", measured, reach, reached, notes)


READER = """
import sys
from feedcharset import XmlReader
with XmlReader.from_path(sys.argv[1]) as reader:
    while reader.read(65536):
        pass
"""
WRAPPER = """
import sys
with open(sys.argv[1], encoding="{codec}", newline="") as stream:
    while stream.read(65536):
        pass
"""
READ_BY = {
    "ascii": ("utf-8", 1.33),
    "utf8": ("utf-8", 1),
    "windows-1252": ("cp1252", 1.67),
    "gbk": ("gb18030", 1),
    "shift_jis": ("cp932", 1),
}
"""The codecs by which lenient reading takes each kind, and the ratio to reach: bytes behind the window may be
in another encoding, and are looked at before they are decoded."""


def read_rows(size: Size) -> Iterator[Row]:
    """A large file as text; the start of the process is taken off."""
    for kind, (codec, most) in READ_BY.items():
        path = large(kind, size.large)
        commands = {
            "XmlReader": _without_start(READER, path),
            f"io.TextIOWrapper, {codec}": _without_start(WRAPPER.format(codec=codec), path),
        }
        measured = processes(commands, rounds=size.processes)
        what = f"read: {size.large} MiB, {KINDS[kind][1]}, in pieces of 64 K characters"
        reach = f"at most {most:g}x, 16 MiB more memory"
        yield Row(what, measured, reach, _judged(size, measured[0], most))


def _without_start(code: str, path: Path, *arguments: str) -> Callable[[], Run]:
    tiny = DATA / "tiny.xml"
    tiny.write_bytes(b"<a/>")

    def run() -> Run:
        start = run_process([sys.executable, "-c", code, tiny, *arguments])
        whole = run_process([sys.executable, "-c", code, path, *arguments])
        return whole._replace(seconds=whole.seconds - start.seconds)

    return run


def _judged(size: Size, one: Measured, most: float) -> bool | None:
    """Whether it is fast and small enough, where that was measured."""
    if not size.judged:
        return None
    return one.ratio <= most and one.memory is not None and one.memory - peak_of_interpreter() <= MEMORY


ITERPARSE = """
import sys
from feedcharset import iterparse
for _, entry in iterparse(sys.argv[1], "{http://www.w3.org/2005/Atom}entry"):
    pass
"""
LXML_ITERPARSE = """
import sys
from lxml import etree
for _, entry in etree.iterparse(sys.argv[1], tag="{http://www.w3.org/2005/Atom}entry"):
    entry.clear()
    while entry.getprevious() is not None:
        del entry.getparent()[0]
"""


def iterparse_rows(size: Size) -> Iterator[Row]:
    """A feed that is too large to be held, entry by entry."""
    path = large("utf8", size.huge)
    commands = {
        "iterparse": _without_start(ITERPARSE, path),
        "lxml.etree.iterparse": _without_start(LXML_ITERPARSE, path),
    }
    measured = processes(commands, rounds=1 if size.judged else size.processes)
    path.unlink()
    yield Row(f"iterparse: {size.huge} MiB", measured, "at most 2.2x", measured[0].ratio <= 2.2)


SERVER = """
import socket, sys, threading
body = sys.stdin.buffer.read()
head = b"HTTP/1.1 200 OK\\r\\nContent-Type: application/atom+xml\\r\\nContent-Length: %d\\r\\n\\r\\n"
answer = head % len(body) + body
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
def serve(connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    asked = b""
    while data := connection.recv(65536):
        asked += data
        while b"\\r\\n\\r\\n" in asked:
            asked = asked.partition(b"\\r\\n\\r\\n")[2]
            connection.sendall(answer)
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
"""


def fetch_rows(size: Size) -> Iterator[Row]:
    """Feeds from a server on this machine, over one session."""
    import subprocess

    import requests

    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(feed(MIXED, 18_000))
        server.stdin.close()
        url = f"http://127.0.0.1:{server.stdout.readline().decode().strip()}/feed.xml"
        with requests.Session() as session, requests.Session() as bare:

            def ours() -> object:
                with XmlReader(url, session=session) as reader:
                    return reader.read()

            def theirs() -> object:
                response = bare.get(url, timeout=10)
                return decode(response.content, response.headers["Content-Type"])

            yield _fetched(size.fetched, ours, theirs)
        server.kill()


def _fetched(count: int, ours: Callable[[], object], theirs: Callable[[], object]) -> Row:
    times: list[list[float]] = [[], []]
    for _ in range(10):
        for number, fetch in enumerate((ours, theirs)):
            fetch()
            begun = process_time()
            for _ in range(count // 10):
                fetch()
            times[number].append((process_time() - begun) / (count // 10))
    one, other = min(times[0]), min(times[1])
    measured = [
        Measured("XmlReader(url, session)", one, one / other),
        Measured("Session.get, decode", other, 1.0),
    ]
    return Row(f"fetch: {count} feeds from 127.0.0.1", measured, "at most 1.15x", one / other <= 1.15)


def detect_rows(size: Size) -> Iterator[Row]:
    """The command, its start included, beside a byte loop in C."""
    loop = peers.byteloop()
    for kind in ("utf8", "latin1"):
        path = large(kind, size.large)
        commands = {"feedcharset detect": _command("detect", path)}
        if loop is not None:
            commands["a byte loop in C"] = lambda path=path: run_process([loop, path])
        measured = processes(commands, rounds=size.processes)
        reached = None if loop is None else _judged(size, measured[0], 1 / 3)
        yield Row(f"detect: {size.large} MiB, {kind}", measured, "at most 0.33x, 16 MiB more memory", reached)


def repair_rows(size: Size) -> Iterator[Row]:
    """The filter, its start included, beside one in Perl."""
    perl = peers.program("perl")
    for kind, most in (("utf8", 1 / 20), ("latin1", 1 / 40)):
        path = large(kind, size.repair)
        commands = {"feedcharset repair": _command("repair", path)}
        if perl is not None:
            commands["perl"] = lambda path=path: run_process([perl, HERE / "repair.pl"], source=path)
        measured = processes(commands, rounds=min(size.processes, 2))
        reached = None if perl is None else _judged(size, measured[0], most)
        reach = f"at most {most:g}x, 16 MiB more memory"
        yield Row(f"repair: {size.repair} MiB, {kind}", measured, reach, reached)


def _command(*arguments: str | Path) -> Callable[[], Run]:
    return lambda: run_process([sys.executable, "-m", "feedcharset", *arguments])
