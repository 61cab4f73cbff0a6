"""`iterparse` needs no more memory for a document that is ten times as long, whatever is wanted of it.

What is remembered of tags takes memory for their own names, not for all that is open or bound around them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from feedcharset import parse
from feedcharset.parsing.markup_repair import DEEP, MarkupRepairer
from feedcharset.parsing.recovery_log import RecoveryLog
from feedcharset.text.source_positions import RepairLog

MEASURE = """
import io, sys
from feedcharset import iterparse

class Feed(io.RawIOBase):
    '''A feed of as many MiB as the second argument says, in windows-1251; every item is as {item} says.'''
    def __init__(self, mebibytes):
        self.item = {item!r}.encode("cp1251") * 100
        self.left = (mebibytes << 20) // len(self.item)
        self.head = b"<?xml version='1.0' encoding='windows-1251'?><rss><channel><title>x</title>"
    def readable(self):
        return True
    def read(self, size=-1):
        head, self.head = self.head, b""
        if head or self.left < 0:
            return head
        self.left -= 1
        return self.item if self.left >= 0 else b"</channel></rss>"

source = Feed(int(sys.argv[2]))
if path := sys.argv[3]:
    with open(path, "wb") as file:
        while piece := source.read():
            file.write(piece)
elements = iterparse(path or source, sys.argv[1])
count = sum(1 for _ in elements)
assert elements.reader.encoding == "windows-1251"
try:  # not ru_maxrss, which is never less than what the parent process needed
    peak = int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) >> 10
except OSError:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> (20 if sys.platform == "darwin" else 10)
print(count, peak)
"""
ITEM = "<item><title>Вести &nbsp; с полей</title><link>/a?b=1&amp;c=2</link><p>Погода</p></item>\n"
TEXT = "<!-- обычный --><?обработка x?><p>Вести</p>с полей\n"


def measured(item: str, tag: str, mebibytes: int, path: str = "") -> tuple[int, int]:
    """How many elements came, and how many MiB that took."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    script = MEASURE.replace("{item!r}", repr(item))
    command = [sys.executable, "-c", script, tag, str(mebibytes), path]
    count, size = subprocess.check_output(command, env=environment).split()
    return int(count), int(size)


CASES = [
    (ITEM, "item", True),
    (TEXT, "item", False),
    (ITEM, "{*}title", True),
    (ITEM, "nothing", False),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("item", "tag", "some", "mebibytes"),
    [
        *((*case, 7) for case in CASES[:1]),
        *(pytest.param(*case, 12, marks=pytest.mark.long) for case in CASES),
    ],
)
def test_memory_is_constant(item: str, tag: str, some: bool, mebibytes: int) -> None:
    small, least = measured(item, tag, 1)
    large, most = measured(item, tag, mebibytes)
    assert (large > (mebibytes - 2) * small > 0) if some else (large == small == 0)
    assert most - least < 4
    assert most < 64


@pytest.mark.long
@pytest.mark.parametrize("mebibytes", [12, 24])
def test_a_file_is_held_up_to_a_limit(mebibytes: int, tmp_path: Path) -> None:
    """Up to `IN_MEMORY` characters are held, and no more of a longer file; they are repaired in parts."""
    path = str(tmp_path / "feed.xml")
    _, least = measured(ITEM, "item", 5, path)
    count, most = measured(ITEM, "item", mebibytes, path)
    assert count > 8_000 * mebibytes
    assert most - least < 4
    assert most < 80


def repairing(text: str) -> int:
    """The most bytes that are used at once while a text is repaired."""
    repairer = MarkupRepairer(RecoveryLog(RepairLog()))
    tracemalloc.start()
    try:
        for _ in repairer.feed(text, True):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def with_prefixes(count: int) -> str:
    bound = "".join(f" xmlns:p{number}='u'" for number in range(count))
    return f"<a{bound}>" + "".join(f"<p1:b{number}></p1:b{number}>" for number in range(count)) + "</a>"


def test_bound_prefixes_are_not_copied_for_each_element() -> None:
    """Four times as many take four times the memory, not 16 times."""
    repairing(with_prefixes(10))  # what is made once is made now
    assert repairing(with_prefixes(1000)) < 6 * repairing(with_prefixes(250))


def test_names_of_open_elements_are_not_copied_for_each_element() -> None:
    """1,000 elements take no more memory within 220 open ones than within ten, but for those 220."""
    within = "".join(f"<b{number}></b{number}>" for number in range(1000))
    flat, deep = ("".join(f"<a{number}>" for number in range(depth)) for depth in (10, DEEP - 4))
    repairing(flat)
    assert repairing(deep + within) < 2 * repairing(flat + within)


def test_what_is_not_repaired_is_held_once() -> None:
    """Text with a character beyond U+FFFF takes four bytes a character: decoded, with LF as line end, and in
    parts behind that."""
    body = ("<rss>\U0001f600</rss><!-- " + "x\r\n" * 300_000).encode()
    parse(body[:100])
    tracemalloc.start()
    try:
        parse(body)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 13 * len(body)
