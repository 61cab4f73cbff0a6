"""Streams as callers have them: non-blocking, without close, with odd results; and what is refused."""

from __future__ import annotations

import array
import asyncio
import copy
import functools
import gzip
import io
import mmap
import os
import pickle
import select
import socket
import sys
import tarfile
import threading
import zipfile
import zlib
from collections.abc import Iterator
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support.each import each

from feedcharset import ResolutionError, XmlReader, check, detect, iterparse, parse, repair, repair_stream
from feedcharset.reading import byte_streams

BODY = "<?xml version='1.0' encoding='windows-1251'?><r>Вести с полей</r>".encode("cp1251")
TEXT = "<?xml version='1.0'                        ?><r>Вести с полей</r>"


class Drops:
    """Gives little, and None before each piece; has neither close nor readinto."""

    def __init__(self, data: bytes, size: int = 5) -> None:
        self._stream = io.BytesIO(data)
        self._size = size
        self._turn = False

    def read(self, size: int = -1) -> bytes | None:
        self._turn = not self._turn
        return None if self._turn else self._stream.read(self._size)


class Blocked(Drops):
    def read(self, size: int = -1) -> bytes | None:
        data = super().read(size)
        if data is None:
            raise BlockingIOError
        return data


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(byte_streams, "FIRST_WAIT", 0.00001)
    monkeypatch.setattr(byte_streams, "LONGEST_WAIT", 0.0001)


@pytest.mark.parametrize("kind", [Drops, Blocked])
def test_no_data_yet_is_not_the_end(kind: type[Drops]) -> None:
    with XmlReader(kind(BODY)) as reader:
        assert reader.read() == TEXT
    with XmlReader(kind(gzip.compress(BODY))) as reader:
        assert reader.read() == TEXT
    assert parse(kind(BODY)).getroot().text == "Вести с полей"
    assert [element.text for _, element in iterparse(kind(BODY), "r")] == ["Вести с полей"]
    assert check(kind(BODY)) == check(BODY)
    assert detect(kind(b"a\xe9" * 100)) == detect(b"a\xe9" * 100)
    out = io.BytesIO()
    assert repair_stream(kind(b"a\xe9" * 100), out).count == 100
    assert out.getvalue() == "aé".encode() * 100


def dripping(write: Any) -> threading.Thread:
    def drip() -> None:
        for at in range(0, len(BODY), 9):
            threading.Event().wait(0.002)
            write(BODY[at : at + 9])
        write(b"")

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    return thread


@pytest.fixture(params=["pipe", "buffered pipe", "socket"])
def non_blocking(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A real non-blocking stream into which somebody writes slowly."""
    if request.param == "socket":
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        stream: Any = socket.SocketIO(ours, "r")
        thread = dripping(lambda data: theirs.sendall(data) if data else theirs.close())
    else:
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        stream = os.fdopen(reading, "rb", buffering=-1 if "buffered" in request.param else 0)
        thread = dripping(lambda data: os.write(writing, data) if data else os.close(writing))
    with stream:
        yield stream
    thread.join()
    if request.param == "socket":
        ours.close()


def test_real_streams_are_waited_for(non_blocking: Any) -> None:
    with XmlReader(non_blocking) as reader:
        assert reader.read() == TEXT


def test_detect_waits_too(non_blocking: Any) -> None:
    assert detect(non_blocking) == detect(BODY)


class Sips(io.RawIOBase):
    """Takes three bytes of each write, and None before each."""

    def __init__(self) -> None:
        self.got = bytearray()
        self._turn = False

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int | None:
        self._turn = not self._turn
        self.got += b"" if self._turn else data[:3]
        return None if self._turn else len(data[:3])


class Plain:
    """Has only `write`, which takes all and returns anything."""

    def __init__(self, result: Any, most: int | None = None) -> None:
        self.got = bytearray()
        self._result, self._most = result, most

    def write(self, data: bytes) -> Any:
        self.got += data[: self._most]
        return self._result


@pytest.mark.parametrize(
    "target",
    [Sips(), Plain(3, 3), *map(Plain, (None, 0, True, -1, "x", 10**6))],
    ids=lambda target: f"{type(target).__name__} {getattr(target, '_result', '')}",
)
def test_all_is_written_whatever_a_write_returns(target: Any) -> None:
    repair_stream(io.BytesIO(b"a\xe9" * 100), target)
    assert target.got == "aé".encode() * 100


@pytest.mark.parametrize("buffering", [0, -1])
def test_a_pipe_that_does_not_block_is_waited_for(buffering: int) -> None:
    data = "aé".encode() * 100_000
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    got: list[bytes] = []

    def drain() -> None:
        with os.fdopen(reading, "rb") as stream:
            got.append(stream.read())

    thread = threading.Thread(target=drain, daemon=True)
    thread.start()
    with os.fdopen(writing, "wb", buffering) as target:
        repair_stream(io.BytesIO(data), target)
        os.set_blocking(writing, True)  # close() flushes a buffer, and waits for nothing
    thread.join()
    assert got == [data]


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
def test_a_file_that_takes_no_more_is_an_error(tmp_path: Path) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with open(tmp_path / "out", "wb", buffering=0) as target:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
        try:
            with pytest.raises(OSError, match="File too large"):
                repair_stream(io.BytesIO(b"x" * 2000), target)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize(
    ("src", "dst"),
    [
        *(("a.xml", io.BytesIO()), (b"<a/>", io.BytesIO()), (io.StringIO("x"), io.BytesIO())),
        *((io.BytesIO(b"x"), "a.xml"), (io.BytesIO(b"x"), io.StringIO())),
    ],
    ids=range(5),
)
def test_what_is_no_binary_stream_is_refused(src: Any, dst: Any) -> None:
    with pytest.raises(TypeError, match=r"is no binary stream; open the file with '[rw]b', .*\.buffer"):
        repair_stream(src, dst)


BEGUN = b"<?xml version='1.0'?>\n<rss>\n" + b"<item>text</item>\n" * 200


@pytest.fixture(params=["socket", "pipe", "raw pipe", "named pipe", "gzip"])
def begun(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """A source whose writer has begun, and waits."""
    if request.param == "named pipe":
        os.mkfifo(tmp_path / "feed.xml")
        writing = os.open(tmp_path / "feed.xml", os.O_RDWR)
        stream: Any = tmp_path / "feed.xml"
        close: Any = functools.partial(os.close, writing)
        os.write(writing, BEGUN)
    elif "pipe" in request.param:
        reading, writing = os.pipe()
        stream = os.fdopen(reading, "rb", -1 if request.param == "pipe" else 0)
        close = functools.partial(os.close, writing)
        os.write(writing, BEGUN)
    else:
        ours, theirs = socket.socketpair()
        ours.settimeout(20)
        packer = zlib.compressobj(wbits=31)
        packed = packer.compress(BEGUN) + packer.flush(zlib.Z_SYNC_FLUSH)
        theirs.sendall(packed if request.param == "gzip" else BEGUN)
        stream, close = ours.makefile("rb"), theirs.close
        ours.close()  # the file keeps it open
    yield stream
    close()


@pytest.mark.skipif(sys.platform == "win32", reason="only sockets can be asked there")
@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (lambda source: XmlReader(source).readline(), "<?xml version='1.0'?>\n"),
        (lambda source: XmlReader(source).utf8().read1(), BEGUN),
        (lambda source: XmlReader(source).utf8().readline(), b"<?xml version='1.0'?>\n"),
        (lambda source: next(iterparse(source, "item"))[1].text, "text"),
        (lambda source: next(iterparse(source))[1].text, "text"),
    ],
    ids=["readline", "utf8 read1", "utf8 readline", "iterparse item", "iterparse"],
)
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_what_has_arrived_is_given_while_the_rest_is_long_in_coming(
    begun: Any, read: Any, expected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(byte_streams, "PAUSE", 0.01)
    assert read(begun) == expected


class TimeLimit(Exception):
    """What the caller's own limit of time raises, by a signal or into the thread."""


@pytest.mark.skipif(sys.platform == "win32", reason="only sockets can be asked there")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_an_exception_from_outside_ends_the_wait(begun: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    real = select.select

    def interrupted(*arguments: Any) -> Any:
        if arguments[-1]:
            raise TimeLimit
        return real(*arguments)

    monkeypatch.setattr(byte_streams.select, "select", interrupted)
    if not isinstance(begun, io.RawIOBase):  # that gives its first piece at once
        with pytest.raises(TimeLimit):
            XmlReader(begun).utf8().read1()


def test_the_encoding_of_what_comes_in_a_row_is_final(non_blocking: Any) -> None:
    """Of a buffered stream: one without a buffer gives its first piece at once."""
    os.set_blocking(non_blocking.fileno(), True)
    is_raw = isinstance(non_blocking, io.RawIOBase)
    with XmlReader(io.BufferedReader(non_blocking) if is_raw else non_blocking) as reader:
        assert reader.resolution.steps[-1].verdict == "answer"
        assert reader.read() == TEXT


@pytest.mark.parametrize("on_instance", [True, False])
def test_a_read_of_its_own_is_not_passed_over(on_instance: bool, tmp_path: Path) -> None:
    """What inherits read1 from another class, or delegates it, may count or change bytes in its read."""

    class Own(io.BufferedReader):
        def read(self, size: int | None = -1, /) -> bytes:
            counted.append(size)
            return super().read(size)

    counted: list[Any] = []
    reading, writing = os.pipe()
    os.write(writing, BODY)
    os.close(writing)
    raw = io.FileIO(reading)
    stream: Any = io.BufferedReader(raw) if on_instance else Own(raw)
    if on_instance:
        plain = stream.read
        stream.read = lambda size: counted.append(size) or plain(size)
    with XmlReader(stream) as reader:
        assert reader.read() == TEXT
    assert len(counted) > 1


@pytest.mark.parametrize("wrap", [bytearray, memoryview, lambda data: memoryview(data + data)[: len(data)]])
def test_reads_that_return_something_like_bytes(wrap: Any) -> None:
    class Odd(io.BytesIO):
        def read(self, size: int | None = -1, /) -> Any:
            return wrap(super().read(7))

    with XmlReader(Odd(BODY)) as reader:
        assert reader.read() == TEXT
    with XmlReader(Odd(gzip.compress(BODY))) as reader:
        assert reader.read() == TEXT


@pytest.mark.parametrize("value", ["text", 5, [60], 0.5], ids=repr)
def test_reads_that_return_something_else(value: Any) -> None:
    class Odd:
        def read(self, size: int = -1) -> Any:
            return value

    with pytest.raises(TypeError, match=r"rb|not bytes"):
        XmlReader(Odd())


@pytest.mark.parametrize(
    "source",
    [
        memoryview(bytes(byte for pair in zip(BODY, BODY, strict=True) for byte in pair))[::2],
        memoryview(BODY[::-1])[::-1],
        array.array("B", BODY),
        array.array("b", [byte - 256 if byte > 127 else byte for byte in BODY]),
    ],
    ids=["every second byte", "backwards", "array of B", "array of b"],
)
def test_bytes_in_other_shapes(source: Any) -> None:
    with XmlReader(source) as reader:
        assert reader.read() == TEXT
    with XmlReader.from_bytes(source) as reader:
        assert reader.read() == TEXT
    assert detect(source) == detect(BODY)
    assert repair(source) == repair(BODY)


def test_memory_maps(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(BODY)
    with open(path, "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    with XmlReader.from_bytes(mapped) as reader:
        assert reader.read() == TEXT
    assert mapped.tell() == 0
    with XmlReader(mapped) as reader:
        assert reader.read() == TEXT
    assert mapped.closed


def test_paths_in_archives_and_packages(tmp_path: Path) -> None:
    archive = tmp_path / "feeds.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a/feed.xml", BODY)
    for source in (zipfile.Path(archive, "a/feed.xml"), zipfile.Path(archive) / "a" / "feed.xml"):
        with XmlReader(source) as reader:
            assert reader.read() == TEXT
            assert reader.name.endswith("feed.xml")
        with XmlReader.from_path(source) as reader:
            assert reader.read() == TEXT
    with XmlReader(files("feedcharset") / "py.typed") as reader:
        assert reader.read() == ""


@pytest.mark.parametrize("mode", ["r|", "r|gz", "r:gz"])
def test_members_of_archives(mode: str) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz" if "gz" in mode else "w") as writing:
        for name, body in (("a.xml", BODY), ("b.xml.gz", gzip.compress(BODY))):
            member = tarfile.TarInfo(name)
            member.size = len(body)
            writing.addfile(member, io.BytesIO(body))
    for read in (
        lambda stream: parse(stream).getroot().text,
        lambda stream: "".join(element.text for _, element in iterparse(stream)),
        lambda stream: check(stream).resolution.encoding.replace("windows-1251", "Вести с полей"),
    ):
        archive.seek(0)
        with tarfile.open(fileobj=archive, mode=mode) as reading:
            assert [read(reading.extractfile(member)) for member in reading] == ["Вести с полей"] * 2


class NoClose:
    def __init__(self) -> None:
        self.headers: Any = {"content-type": "text/xml;charset=koi8-r"}
        self._stream = io.BytesIO("<r>Вести</r>".encode("koi8-r"))

    def read(self, size: int = -1) -> bytes:
        return self._stream.read(size)


def test_a_source_without_close() -> None:
    with XmlReader(NoClose()) as reader:
        assert reader.read() == "<r>Вести</r>"
    assert reader.closed
    assert check(NoClose()).resolution.encoding == "KOI8-R"


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/xml;charset=koi8-r"},
        {"CONTENT-TYPE": "text/xml;charset=koi8-r"},
        {b"Content-type": b"text/xml;charset=koi8-r"},
        [("X-A", "b"), ("content-Type", "text/xml;charset=koi8-r")],
        [(b"content-type", b"text/xml;charset=koi8-r")],
        {"Content-Type": ["text/xml;charset=koi8-r"]},
        [("Content-Type", "text/xml"), ("Content-Type", "text/xml;charset=koi8-r")],
    ],
    ids=repr,
)
def test_headers_of_any_shape(headers: Any) -> None:
    source = NoClose()
    source.headers = headers
    with XmlReader(source) as reader:
        assert "charset=koi8-r" in reader.resolution.facts.content_type
        assert reader.resolution.facts.media_type == "text/xml"
        assert reader.read() == "<r>Вести</r>"


@pytest.mark.parametrize(
    "headers", [None, "text/xml", 5, object.__init__, [("a", "b", "c")], [5]], ids=range(6)
)
def test_an_attribute_that_is_no_header(headers: Any) -> None:
    source = NoClose()
    source.headers = headers
    with XmlReader(source) as reader:
        assert reader.resolution.facts.content_type == (None if headers is None else "")


class Failing(io.BytesIO):
    def close(self) -> None:
        super().close()
        raise OSError("no close today")


def test_a_close_that_fails_leaves_a_closed_reader() -> None:
    reader = XmlReader(Failing(BODY))
    with pytest.raises(OSError, match="no close today"):
        reader.close()
    assert reader.closed
    reader.close()
    with pytest.raises(ValueError, match="closed"):
        reader.read()


def test_readers_are_not_copied() -> None:
    with XmlReader(BODY) as reader:
        for function, one in product((copy.copy, copy.deepcopy, pickle.dumps), (reader, reader.utf8())):
            name = type(one).__name__
            with pytest.raises(TypeError, match=f"cannot copy or pickle {name}; open the source again"):
                function(one)
        assert reader.read() == TEXT


def test_asynchronous_streams_are_refused() -> None:
    async def refuse() -> None:
        stream = asyncio.StreamReader()
        with pytest.raises(TypeError, match=r"await source\.read\(\)"):
            XmlReader(stream)

    asyncio.run(refuse())


@each("gunzip", [True, False])
@each("packed", [True, False])
@each("size", [1, 3, 7, 10**6])
def test_a_refused_document_is_whole_in_the_stream_of_the_error(
    gunzip: bool, packed: bool, size: int
) -> None:
    body = b"\xff\xfe" + "<?xml version='1.0' encoding='utf-8'?><r/>".encode("utf-16-le")
    if packed:
        body = gzip.compress(body)
    options: Any = {"content_type": "text/plain"} if packed and not gunzip else {}
    with pytest.raises(ResolutionError) as caught:
        XmlReader(Drops(body, size), lenient=False, gunzip=gunzip, **options)
    with caught.value as error:
        assert error.stream.read() == (gzip.decompress(body) if packed and gunzip else body)


def test_the_stream_of_the_error_closes_the_source() -> None:
    for body in (b"<r/>", gzip.compress(b"<r/>")):
        source = io.BytesIO(body)
        with pytest.raises(ResolutionError) as caught:
            XmlReader(source, content_type="text/plain", lenient=False)
        assert not source.closed
        caught.value.close()
        assert source.closed
