"""Peak memory: files larger than memory go through."""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path
from subprocess import check_output

import pytest

# Not ru_maxrss, where the system says more: that is never less than what the parent process needed.
MEASURE = """
import sys
{work}
try:
    status = open("/proc/self/status").read()
    print(int(status.split("VmHWM:")[1].split()[0]) * 1024)
except OSError:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(peak if sys.platform == "darwin" else peak * 1024)
"""
DETECT = "from feedcharset import detect\nassert detect(sys.argv[1]).encoding == sys.argv[2]"
REPAIR = """
from feedcharset import repair_stream
with open(sys.argv[1], "rb") as src, open(sys.argv[1] + ".out", "wb") as dst:
    repair_stream(src, dst)
"""
READ = """
from feedcharset import XmlReader
with XmlReader(sys.argv[1]) as reader:
    while reader.read(1 << 16):
        pass
    assert reader.encoding == sys.argv[2], reader.encoding
"""


@functools.cache
def peak_memory(work: str, *arguments: str) -> int:
    """Bytes that an interpreter needs at the most."""
    script = MEASURE.format(work=work)
    environment = {"PATH": os.defpath, "PYTHONPATH": os.pathsep.join(sys.path)}
    return int(check_output([sys.executable, "-c", script, *arguments], env=environment))


@pytest.mark.parametrize(
    ("line", "encoding"),
    [("déjà vu, l’été\n".encode(), "UTF-8"), (b"d\xe9j\xe0 vu\n", "ISO-8859-15")],
    ids=["UTF-8", "ISO-8859-15"],
)
def test_memory_is_constant(line: bytes, encoding: str, tmp_path: Path) -> None:
    """A file of 32 MiB, in at most 16 MiB more than a bare interpreter."""
    file = tmp_path / "large"
    file.write_bytes(line * (32 * 2**20 // len(line)))
    bare = peak_memory("")
    assert peak_memory(DETECT, str(file), encoding) - bare <= 16 * 2**20
    assert peak_memory(REPAIR, str(file)) - bare <= 16 * 2**20


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "encoding"),
    [
        pytest.param("<p>déjà vu, l’été</p>\n".encode(), "UTF-8", marks=pytest.mark.long),
        pytest.param(b"<p>plain</p>\n", "US-ASCII", marks=pytest.mark.long),
        pytest.param(b"<p>d\xe9j\xe0 vu</p>\n", "ISO-8859-15", marks=pytest.mark.long),
        ("<p>déjà vu</p>\n".encode() + b"<p>d\xe9j\xe0 vu</p>\n", "windows-1252"),
    ],
    ids=["UTF-8", "US-ASCII", "ISO-8859-15", "mixture"],
)
def test_a_reader_needs_constant_memory(line: bytes, encoding: str, tmp_path: Path) -> None:
    """A document of 32 MiB needs at most 4 MiB more than one of 2 MiB; what a window needs is the same."""
    file = tmp_path / "large"
    head = f'<?xml version="1.0" encoding="{encoding}"?>\n<log>'.encode()
    peaks = []
    for size in (2 * 2**20, 32 * 2**20):
        file.write_bytes(head + line * (size // len(line)))
        peaks.append(peak_memory(READ, str(file), encoding, str(size)))  # the size: each is measured
    assert peaks[1] - peaks[0] <= 4 * 2**20
    assert peaks[1] - peak_memory("") <= 24 * 2**20


@pytest.mark.long
@pytest.mark.parametrize("size", [1 << 18, pytest.param(1 << 20, marks=pytest.mark.long)])
def test_pieces_of_one_byte_need_no_object_each(size: int) -> None:
    """A source that gives its bytes one by one, read at once, in at most 24 bytes a byte."""
    work = f"""
from feedcharset import XmlReader
class Bytes:
    left = {size}
    def read(self, size=-1):
        self.left -= 1
        return b"x" if self.left >= 0 else b""
assert len(XmlReader(Bytes()).read()) == {size}
"""
    assert (
        peak_memory(work) - peak_memory("from feedcharset import XmlReader\nXmlReader(b'x').read()")
        <= 24 * size
    )
