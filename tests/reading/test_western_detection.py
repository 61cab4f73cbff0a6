"""What a file without a label can be."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load, octets
from support.each import each

from feedcharset.fetch.gunzip import PieceStream
from feedcharset.reading.western_detection import BLOCK, PIECE, detect
from feedcharset.results import Detection

CASES = load("detections")
UNDEFINED = b"\x81\x8d\x8f\x90\x9d"
CONTROLS = bytes(octet for octet in range(0x80) if octet == 0x7F or (octet < 0x20 and not 9 <= octet <= 13))
SOME = st.lists(
    st.sampled_from(
        [b"a", b"\n", b"\xe9", b"\xc3\xa9", b"\x93", b"\xe2\x80\x9d", b"\xf0\x9f", b"\x81", b"\x00"]
    )
    | st.binary(max_size=2),
    max_size=12,
).map(b"".join)


def fed(pieces: list[bytes]) -> Detection:
    """What is detected of a stream that gives these pieces."""
    left = [piece for piece in pieces if piece]
    stream: Any = PieceStream(lambda size: left.pop(0) if left else b"")
    return detect(stream)


def first(data: bytes, wanted: bytes) -> int:
    return len(data) - len(data.lstrip(bytes(set(range(256)) - set(wanted))))


def spelled_out(data: bytes) -> Detection:
    """The definition, one encoding after the other."""
    control = first(data, CONTROLS)
    try:
        data.decode("utf-8")
        utf8 = control
    except UnicodeDecodeError as error:
        utf8 = min(error.start, control)
    cp1252 = min(first(data, UNDEFINED), control)
    out = {
        "US-ASCII": min(first(data, bytes(range(0x80, 0x100))), control),
        "UTF-8": utf8,
        "ISO-8859-15": min(first(data, bytes(range(0x80, 0xA0))), control),
        "windows-1252": cp1252,
    }
    for name, offset in out.items():
        if offset == len(data):
            return Detection(name, None)
    return Detection(None, max(out.values()))


@each("case", CASES, ids=lambda case: case["why"])
def test_detection(case: dict[str, Any]) -> None:
    data = octets(case["octets"])
    expected = Detection(case["encoding"], case["offset"])
    assert spelled_out(data) == expected
    for cut in range(len(data) + 1):
        assert fed([data[:cut], b"", data[cut:]]) == expected
    assert fed([bytes([octet]) for octet in data]) == expected
    assert fed([data, b""]) == expected


@given(SOME)
def test_the_definition(data: bytes) -> None:
    assert fed([data]) == spelled_out(data)
    assert fed([bytes([octet]) for octet in data]) == spelled_out(data)


@given(st.sampled_from([BLOCK, PIECE]), st.integers(-4, 1), SOME)
def test_around_the_end_of_a_block(size: int, before: int, data: bytes) -> None:
    long = b"." * (size + before) + data
    assert detect(long) == spelled_out(long)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, io.BytesIO])
def test_sources_in_memory(kind: Any) -> None:
    assert detect(kind("é".encode())) == Detection("UTF-8", None)
    assert detect(kind(b"x" * BLOCK + b"\xe9")) == Detection("ISO-8859-15", None)
    assert detect(kind(b"\x81" + b"x" * 2 * BLOCK)) == Detection(None, 0)


@pytest.mark.parametrize("kind", [str, Path])
def test_paths(kind: Any, tmp_path: Path) -> None:
    file = tmp_path / "feed.xml"
    file.write_bytes(b"\x93x\x94")
    assert detect(kind(file)) == Detection("windows-1252", None)


def test_a_stream_is_read_from_where_it_stands_and_left_open(tmp_path: Path) -> None:
    file = tmp_path / "feed.xml"
    file.write_bytes(b"\xe9" + "é".encode() + b"\x00")
    with file.open("rb") as stream:
        stream.seek(1)
        assert detect(stream) == Detection(None, 2)
        assert not stream.closed


def test_a_stream_that_only_reads() -> None:
    class Reader:
        def __init__(self) -> None:
            self.parts = [b"\xc3", b"\xa9", b"\xe9"]

        def read(self, size: int) -> bytes:
            return self.parts.pop(0) if self.parts else b""

    assert detect(Reader()) == Detection("ISO-8859-15", None)  # type: ignore[arg-type]


def test_reading_ends_where_no_answer_is_left() -> None:
    stream = io.BytesIO(b"\x81\xff" + b"x" * 4 * BLOCK)
    assert detect(stream) == Detection(None, 0)
    assert stream.tell() == BLOCK


@pytest.mark.parametrize("source", [io.StringIO("x"), 3, None, ["x"]])
def test_other_sources_are_refused(source: Any) -> None:
    with pytest.raises(TypeError, match=r"detect\(\) reads|the stream gives str"):
        detect(source)


def test_a_missing_file() -> None:
    with pytest.raises(FileNotFoundError):
        detect("/no/such/file")
