"""XmlReader.utf8(): the reader's text as octets."""

from __future__ import annotations

import gc
import io
import sys
import warnings
from functools import partial
from itertools import cycle, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each

from feedcharset import DecodeError, XmlReader
from feedcharset.reading.utf8_stream import READ_SIZE

BODY = "<?xml version='1.0' encoding='windows-1251'?>\r<r>Вести 漢 𝄞\x08\n\x0b\x00—\ufffe\r\n，</r>\n"
"""The label is stale: the document is UTF-8."""
BLANKED = BODY.replace(" encoding='windows-1251'", " " * 24)
MODES = {"keep": None, "replace": "\ufffd", "space": " ", "drop": ""}


def spelled(text: str, mode: str) -> bytes:
    became = MODES[mode]
    return text.translate({} if became is None else dict.fromkeys((0, 8, 11, 0xFFFE), became)).encode()


class Slow(io.RawIOBase):
    """Gives one piece for each read, and counts the reads."""

    def __init__(self, *pieces: bytes) -> None:
        self.left = list(pieces)
        self.reads = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        self.reads += 1
        return self.left.pop(0) if self.left else b""


def test_it_is_a_binary_stream_that_is_not_seekable() -> None:
    with XmlReader(BODY.encode()) as reader, reader.utf8() as stream:
        assert isinstance(stream, io.BufferedIOBase)
        assert stream.readable()
        assert not stream.seekable()
        assert not stream.writable()
        assert stream.name is None
        with pytest.raises(io.UnsupportedOperation):
            stream.tell()


@pytest.mark.parametrize("mode", MODES)
def test_all_at_once(mode) -> None:
    with XmlReader(BODY.encode()) as reader:
        assert reader.utf8(mode).read() == spelled(BLANKED, mode)
        assert dict(reader.repairs.kinds) == ({} if mode == "keep" else {"xml-chars": 4})
    with XmlReader(BODY.encode()) as reader:
        assert reader.utf8(mode).read(None) == spelled(BLANKED, mode)


@each("mode", MODES)
@each("size", [1, 2, 3, 4, 5, 7, 16, 1000])
def test_as_many_octets_as_asked(mode, size: int) -> None:
    expected = spelled(BLANKED, mode)
    for piece in (1, 5, 1000):
        body = BODY.encode()
        pieces = [body[at : at + piece] for at in range(0, len(body), piece)]
        with XmlReader(Slow(*pieces)) as reader:
            stream = reader.utf8(mode)
            got = list(iter(lambda: stream.read(size), b""))  # noqa: B023
            assert got == [expected[at : at + size] for at in range(0, len(expected), size)]
            assert dict(reader.repairs.kinds) == ({} if mode == "keep" else {"xml-chars": 4})


@pytest.mark.parametrize("mode", MODES)
def test_lines(mode) -> None:
    expected = spelled(BLANKED, mode)
    with XmlReader(BODY.encode()) as reader:
        assert list(reader.utf8(mode)) == io.BytesIO(expected).readlines()
    for size in (1, 2, 3, 7, 64):
        with XmlReader(BODY.encode()) as reader, reader.utf8(mode) as stream:
            lines = io.BytesIO(expected)
            while line := lines.readline(size):
                assert stream.readline(size) == line
            assert stream.readline(size) == stream.readline() == b""


def test_nothing_asked() -> None:
    with XmlReader(BODY.encode()) as reader, reader.utf8() as stream:
        assert stream.read(0) == stream.read1(0) == stream.readline(0) == b""
        assert stream.read() == spelled(BLANKED, "replace")
        assert stream.read() == stream.read(5) == stream.read1() == stream.readline() == b""


def test_readinto_and_what_is_built_on_it() -> None:
    expected = spelled(BLANKED, "replace")
    buffer = bytearray(1000)
    with XmlReader(BODY.encode()) as reader:
        assert reader.utf8().readinto(buffer) == len(expected)
        assert buffer[: len(expected)] == expected
    with XmlReader(BODY.encode()) as reader:
        count = reader.utf8().readinto1(memoryview(buffer))
        assert count > 0
        assert buffer[:count] == expected[:count]
    with XmlReader(BODY.encode()) as reader:
        text = io.TextIOWrapper(reader.utf8(), encoding="utf-8", newline="")
        assert text.read() == expected.decode()
        assert text.detach().closed is False


def test_read1_reads_the_source_once_at_the_most() -> None:
    source = Slow(b"<?xml version='1.0'?>", *([b"ab"] * 10))
    with XmlReader(source, gunzip=False) as reader, reader.utf8() as stream:
        got = b""
        while True:
            reads = source.reads
            piece = stream.read1(READ_SIZE)
            assert source.reads <= reads + 1
            if not piece:
                break
            got += piece
        assert got == b"<?xml version='1.0'?>" + b"ab" * 10


def test_read_reads_no_further_than_it_must() -> None:
    source = Slow(b"<?xml version='1.0'?>", "é漢".encode() * 100, b"x" * 600, b"</a>")
    with XmlReader(source, gunzip=False, lookahead=1) as reader, reader.utf8() as stream:
        assert len(stream.read(521)) == 521
        assert source.left == [b"x" * 600, b"</a>"]


@given(
    st.lists(st.tuples(st.sampled_from("rRlL1tni"), st.integers(0, 9)), max_size=30),
    st.sampled_from(sorted(MODES)),
)
def test_the_position_is_shared(steps: list[tuple[str, int]], mode) -> None:
    """The same text as a binary stream, sharing the position: only the character that was begun is gone."""
    text = "<r>aé漢𝄞\nb\rc\r\n漢漢é</r>\n"
    with XmlReader(text.encode()) as reader:
        stream = reader.utf8(mode)
        seen = b""
        calls = {"r": stream.read, "l": stream.readline, "1": stream.read1, "t": lambda size: b""}
        for name, size in steps:
            if name in calls:
                seen += calls[name](size)
            elif name == "i":
                seen += next(stream, b"")
            elif name == "n" and not stream._text.rest:
                seen += next(reader, "").encode()
            elif not stream._text.rest:
                seen += (reader.read if name == "R" else reader.readline)(size).encode()
        assert seen + stream._text.rest + reader.read().encode() == text.encode()
        assert len(stream._text.rest) < 4


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 4099])
def test_streams_of_one_reader_share_a_character(size: int) -> None:
    text = "<r>" + "é漢𝄞x\n" * 2000 + "</r>"
    with XmlReader(text.encode()) as reader:
        streams = cycle([reader.utf8(), reader.utf8("keep")])
        pieces = iter(lambda: (reader.utf8() if size % 2 else next(streams)).read(size), b"")
        assert b"".join(pieces).decode() == text
        assert reader.repairs.count == 0


@pytest.mark.parametrize("size", [1, 4, 16, 30, 47, 60])
def test_reading_text_goes_on_where_the_octets_ended(size: int) -> None:
    with XmlReader(BODY.encode()) as reader:
        head = reader.utf8("keep").read(size)
        rest = reader.read()
    assert BLANKED.encode().startswith(head)
    assert BLANKED.endswith(rest)
    assert 0 <= len(BLANKED.encode()) - len(head) - len(rest.encode()) < 4


def test_a_long_document() -> None:
    body = ("<r>" + "Вести и ещё вести, 漢字; ascii and more ascii\n" * 20_000 + "</r>").encode()
    with XmlReader(body) as reader:
        stream = reader.utf8()
        assert b"".join(iter(lambda: stream.read(READ_SIZE), b"")) == body
    with XmlReader(body) as reader:
        assert b"".join(reader.utf8()) == body


@pytest.mark.parametrize("line", ["text\n", "Вести\r\n", "a\x0bb\n", "mac\r"])
def test_lines_are_encoded_without_many_calls(line: str) -> None:
    """What is split already is searched for forbidden characters at once; a bare CR ends no line of bytes."""
    calls: list[str] = []
    with XmlReader(line.encode() * 3000) as reader:
        stream = reader.utf8()
        sys.setprofile(lambda frame, event, argument: calls.append(event) if event == "call" else None)
        try:
            got = list(stream)
        finally:
            sys.setprofile(None)
    assert b"".join(got) == spelled(line * 3000, "replace")
    assert len(calls) < 3000 * (20 if "\x0b" in line else 8)


def test_the_name_is_the_documents(tmp_path) -> None:
    path = tmp_path / "feed.xml"
    path.write_text(BODY, encoding="utf-8")
    with XmlReader(path) as reader:
        assert reader.utf8().name == str(path)


def test_unknown_xml_chars() -> None:
    with (
        XmlReader(BODY.encode()) as reader,
        pytest.raises(ValueError, match="xml_chars='ignore' is not known"),
    ):
        reader.utf8("ignore")  # type: ignore[arg-type]


def test_closing_closes_the_reader_and_dropping_does_not() -> None:
    with XmlReader(BODY.encode()) as reader:
        head = reader.utf8("keep").read(5)
        gc.collect()
        assert head + reader.read().encode() == BLANKED.encode()
        stream = reader.utf8()
        stream.close()
        stream.close()
        assert stream.closed
        assert reader.closed
        for call in (stream.read, stream.read1, stream.readline, stream.__next__, stream.readable):
            with pytest.raises(ValueError, match="closed"):
                call()


def test_a_stream_whose_reader_was_closed() -> None:
    with XmlReader(BODY.encode()) as reader:
        stream = reader.utf8()
        assert not stream.closed
    assert stream.closed
    for call in (stream.read, stream.readable, stream.readlines, stream.__iter__):
        with pytest.raises(ValueError, match="closed"):
            call()
    stream.close()


def test_a_stream_that_outlives_its_reader_leaks_nothing_in_silence() -> None:
    streams = [XmlReader(BODY.encode()).utf8()]
    with pytest.warns(ResourceWarning, match="unclosed XmlReader"):
        streams.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        XmlReader(BODY.encode()).utf8().close()


def test_strict_raises_where_the_octet_stands() -> None:
    with XmlReader(b"<r>\n\xe9</r>", lenient=False) as reader, pytest.raises(DecodeError) as caught:
        reader.utf8().read()
    assert (caught.value.offset, caught.value.line, caught.value.column) == (4, 2, 1)


@each("forbidden", [*map(chr, [*range(9), 11, 12, *range(14, 32)]), "\ufffe", "\uffff"])
def test_each_forbidden_character_is_replaced(forbidden: str) -> None:
    """XML 1.0 §2.2, one character at a time: in all of the text, in a piece and in a line."""
    body = f"<r>a{forbidden}b\t\n\r\x7f\x85</r>".encode()
    expected = body.replace(forbidden.encode(), "\ufffd".encode())
    for read in (
        lambda s: s.read(),
        lambda s: s.read1(),
        lambda s: b"".join(s),
        lambda s: s.read(4) + s.read(),
    ):
        with XmlReader(body, detector=None) as reader:
            assert read(reader.utf8()) == expected
            assert dict(reader.repairs.kinds) == {"xml-chars": 1}


@each("name", ["read", "read1", "readline"])
@each(
    ("before", "size"),
    [
        *product(["<r>text", "<r>Вести 漢 𝄞\x0b"], [1, 700, 1 << 20]),
        *product(["<r>" + "long é\n " * 20_000], [700, 1 << 20]),
    ],
    ids=range(8),
)
def test_strict_the_text_before_an_undecodable_byte_stays_readable(before: str, size: int, name: str) -> None:
    """Reading all raises at once; what comes before can still be read by size, and then it raises again."""
    expected = before.replace("\x0b", "\ufffd").encode()
    for whole_first in (False, True):
        with XmlReader(before.encode() + b"\xff</r>", encoding="UTF-8", errors="strict") as reader:
            stream = reader.utf8()
            if whole_first:
                with pytest.raises(DecodeError):
                    stream.read()
            got: list[bytes] = []
            with pytest.raises(DecodeError) as caught:
                got.extend(iter(lambda: getattr(stream, name)(size), b""))  # noqa: B023
            assert b"".join(got) == expected
            assert caught.value.offset == len(before.encode())
            with pytest.raises(DecodeError):
                stream.read()


def test_ctrl_c_is_raised_at_once_and_nothing_is_read_behind_it() -> None:
    """Nobody knows what the call that it ended had read; see test_interrupts."""

    class Interrupted(Slow):
        def read(self, size: int = -1) -> bytes:
            if len(self.left) == 1 and not interrupts:
                interrupts.append(True)
                raise KeyboardInterrupt
            return super().read(size)

    interrupts: list[bool] = []
    text = "<r>Вести 漢 𝄞" * 2000
    with XmlReader(Interrupted(*[text.encode()] * 3), encoding="UTF-8") as reader:
        stream = reader.utf8()
        with pytest.raises(KeyboardInterrupt):
            stream.read(1 << 20)
        for read in (stream.read, stream.readline, reader.read, partial(stream.read1, 100)):
            with pytest.raises(InterruptedError, match="text may be missing"):
                read()


@pytest.mark.parametrize("name", ["read", "read1"])
def test_the_text_before_a_failure_of_the_source_is_read_first(name: str) -> None:
    class Failing(Slow):
        def read(self, size: int = -1) -> bytes:
            if not self.left:
                raise OSError("gone")
            return super().read(size)

    text = "<r>Вести 漢 𝄞" * 2000
    with XmlReader(Failing(text.encode()), encoding="UTF-8") as reader:
        got: list[bytes] = []
        with pytest.raises(OSError, match="gone"):
            got.extend(iter(lambda: getattr(reader.utf8(), name)(70_000), b""))
        assert b"".join(got) == text.encode()
