"""What is measured, against what, and how much of it should be reached."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import peers
from inputs import DATA, ascii_feed, feed, heads, large
from measuring import Measured, Run, calls, peak_of_interpreter, processes, run_process

__all__ = ["ROWS", "Row", "Size"]

HERE = Path(__file__).parent
MEDIA_TYPE = "application/atom+xml"
MEMORY = 16 << 20
"""Bytes above a bare interpreter that a stream of any length may need."""


class Size(NamedTuple):
    """How much is measured."""

    rounds: int
    processes: int
    """Rounds where each contestant is a process."""
    large: int
    """Mebibytes."""
    repair: int
    """Mebibytes."""
    judged: bool
    """It is the size that the targets are for."""

    @classmethod
    def full(cls) -> Size:
        """What the targets are for."""
        return cls(rounds=101, processes=7, large=512, repair=64, judged=True)

    @classmethod
    def quick(cls) -> Size:
        """A look, in half a minute. Start-up counts for more than it should."""
        return cls(rounds=15, processes=3, large=32, repair=4, judged=False)


class Row(NamedTuple):
    """One comparison."""

    what: str
    measured: list[Measured]
    reach: str = ""
    reached: bool | None = None
    absent: list[str] = []  # noqa: RUF012 - never changed
    notes: list[str] = []  # noqa: RUF012


def decode_rows(size: Size) -> Iterator[Row]:
    """A feed in memory, decided and decoded."""
    from feedcharset import decode

    for name, body in (("13 % not ASCII", feed()), ("ASCII", ascii_feed())):
        present, absent = peers.decoders(body)
        ours = {"feedcharset.decode": lambda body=body: decode(body, MEDIA_TYPE)}
        plain = {"bytes.decode": lambda body=body: body.decode("utf-8")}
        measured = calls({**ours, **plain, **present}, against="bytes.decode", rounds=size.rounds)
        share = sum(octet > 0x7F for octet in body) / len(body)
        what = f"decode: a feed of {len(body):,} octets, {share:.0%} of them not ASCII"
        if name == "ASCII":
            yield Row(what, measured, "at most 8 µs", measured[0].seconds <= 8e-6, absent)
        else:
            yield Row(what, measured, "at most 1.25x", measured[0].ratio <= 1.25, absent)


def resolve_rows(size: Size) -> Iterator[Row]:
    """The decision alone, for heads that are all different."""
    from feedcharset import resolve

    kilobytes = cycle(heads(512))
    contestants: dict[str, Callable[[], object]] = {
        "resolve, strict": lambda: resolve(next(kilobytes), MEDIA_TYPE, lenient=False),
        "resolve, lenient": lambda: resolve(next(kilobytes), MEDIA_TYPE),
        "bytes.decode": lambda: next(kilobytes).decode("utf-8"),
    }
    absent = []
    try:
        from w3lib.encoding import html_to_unicode

        contestants["w3lib html_to_unicode"] = lambda: html_to_unicode(MEDIA_TYPE, next(kilobytes))
    except ImportError:
        absent.append("w3lib html_to_unicode")
    measured = calls(contestants, against="bytes.decode", rounds=size.rounds)
    times = {one.name: one.seconds for one in measured}
    notes = []
    if not absent:
        overhead = times["w3lib html_to_unicode"] - times["bytes.decode"]
        notes.append(f"w3lib's overhead over its decode: {overhead * 1e6:.2f} µs")
    reached = times["resolve, strict"] <= 3e-6 and times["resolve, lenient"] <= 4.5e-6
    yield Row("resolve: heads of 1 KB", measured, "at most 3 µs strict, 4.5 lenient", reached, absent, notes)


def import_rows(size: Size) -> Iterator[Row]:
    """Start-up."""

    def python(code: str) -> Callable[[], Run]:
        return lambda: run_process([sys.executable, "-c", code])

    commands = {
        "a bare interpreter": python("pass"),
        "import feedcharset": python("import feedcharset"),
        "from feedcharset import decode": python("from feedcharset import decode"),
        "from feedcharset import XmlReader": python("from feedcharset import XmlReader"),
        "import feedparser": python("import warnings; warnings.simplefilter('ignore'); import feedparser"),
    }
    if not _runs("feedparser"):
        del commands["import feedparser"]
    measured = processes(commands, against="a bare interpreter", rounds=3 * size.processes)
    above = (measured[1].seconds - measured[0].seconds) * 1e3
    yield Row(
        "import",
        measured,
        "at most 25 ms above a bare interpreter",
        above <= 25,
        [] if _runs("feedparser") else ["import feedparser"],
        [f"import feedcharset: {above:.1f} ms above it"],
    )


def _runs(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


READER = """
import sys
from feedcharset import XmlReader
with XmlReader.from_path(sys.argv[1]) as reader:
    while reader.read(65536):
        pass
"""
WRAPPER = """
import sys
with open(sys.argv[1], encoding="{charset}", newline="") as stream:
    while stream.read(65536):
        pass
"""


def read_rows(size: Size) -> Iterator[Row]:
    """A large file as text; what the process needs before it reads is taken off."""
    for kind in ("utf8", "utf8-long", "english", "ascii", "latin1"):
        path = large(kind, size.large)
        charset = "cp1252" if kind == "latin1" else "utf-8"  # as documents labelled ISO-8859-1 are read
        commands = {
            "XmlReader": _reading(READER, path),
            "io.TextIOWrapper": _reading(WRAPPER.format(charset=charset), path),
        }
        measured = processes(commands, against="io.TextIOWrapper", rounds=size.processes)
        yield Row(
            f"read: {size.large} MiB, {kind}, in pieces of 64 K characters",
            measured,
            "at most 1x, and 16 MiB above a bare interpreter",
            _judge(size, measured[0], 1),
        )


def _reading(code: str, path: Path) -> Callable[[], Run]:
    tiny = DATA / "tiny.xml"
    tiny.write_bytes(b"<a/>")

    def run() -> Run:
        start_up = run_process([sys.executable, "-c", code, tiny])
        whole = run_process([sys.executable, "-c", code, path])
        return whole._replace(seconds=whole.seconds - start_up.seconds)

    return run


def _judge(size: Size, one: Measured, most: float) -> bool | None:
    """Whether it is fast and small enough, where that was measured."""
    if not size.judged:
        return None
    return one.ratio <= most and one.memory is not None and one.memory - peak_of_interpreter() <= MEMORY


def detect_rows(size: Size) -> Iterator[Row]:
    """The command, start-up included, beside a byte loop in C."""
    loop, file = peers.byteloop(), peers.program("file")
    for kind in ("utf8", "utf8-long", "russian", "english", "ascii", "latin1"):
        path = large(kind, size.large)
        commands = {"feedcharset detect": _command("detect", path)}
        if loop is not None:
            commands["a byte loop in C"] = lambda path=path: run_process([loop, path])
        if file is not None:
            commands["file (looks at the beginning)"] = lambda path=path: run_process([file, path])
        against = "a byte loop in C" if loop is not None else "feedcharset detect"
        measured = processes(commands, against=against, rounds=size.processes)
        absent = [name for name, there in (("a byte loop in C", loop), ("file", file)) if there is None]
        reached = None if loop is None else _judge(size, measured[0], 1 / 3)
        reach = "at most 0.33x, and 16 MiB above a bare interpreter"
        yield Row(f"detect: {size.large} MiB, {kind}", measured, reach, reached, absent)


def repair_rows(size: Size) -> Iterator[Row]:
    """The filter, start-up included, beside one in Perl."""
    perl, iconv = peers.program("perl"), peers.program("iconv")
    for kind, most in (("utf8", 1 / 10), ("utf8-long", 1 / 10), ("latin1", 1 / 50)):
        path = large(kind, size.repair)
        commands = {
            "feedcharset repair": _command("repair", path),
            "feedcharset repair --octets latin-1": _command("repair", "--octets", "latin-1", path),
        }
        if perl is not None:
            commands["perl"] = lambda path=path: run_process([perl, HERE / "repair.pl"], source=path)
        if iconv is not None:
            label = "ISO-8859-1" if kind == "latin1" else "UTF-8"
            command = [iconv, "-f", label, "-t", "UTF-8", path]
            commands[f"iconv -f {label} -t UTF-8"] = lambda command=command: run_process(command)
        against = "perl" if perl is not None else "feedcharset repair"
        measured = processes(commands, against=against, rounds=min(size.processes, 5))
        absent = [name for name, there in (("perl", perl), ("iconv", iconv)) if there is None]
        reached = None if perl is None else _judge(size, measured[0], most)
        reach = f"at most {most:.2f}x, and 16 MiB above a bare interpreter"
        yield Row(f"repair: {size.repair} MiB, {kind}", measured, reach, reached, absent)


def _command(*arguments: str | Path) -> Callable[[], Run]:
    return lambda: run_process([sys.executable, "-m", "feedcharset", *arguments])


ROWS: dict[str, Callable[[Size], Iterator[Row]]] = {
    "decode": decode_rows,
    "resolve": resolve_rows,
    "import": import_rows,
    "read": read_rows,
    "detect": detect_rows,
    "repair": repair_rows,
}
