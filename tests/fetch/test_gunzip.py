"""`Gunzip`: everything before damage or a limit is given, the same however the bytes come."""

from __future__ import annotations

import gzip
import io
import random
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each
from support.generated import generated

from feedcharset import TruncatedBody, XmlReader
from feedcharset.fetch.deadline import Deadline, FetchAbort
from feedcharset.fetch.gunzip import (
    GZIP_MAGIC,
    UNPACKED,
    BrokenGzip,
    Gunzip,
    OverLimit,
    _until_damage,
    gunzip,
)
from feedcharset.fetch.limits import Limits
from feedcharset.fetch.response_body import ReceivedPieces, decoded

SEED = 20261120
NO_LIMITS = Limits(decoded=None, ratio=None)
PIECES = [1, 7, 1000, 10**6]
FEED = "".join(f"<item><title>Nachricht {n * n}, {n % 7}</title></item>\n" for n in range(500)).encode()
PACKED = gzip.compress(FEED, mtime=0)


def damaged(count: int) -> list[bytes]:
    """The packed feed with one bit flipped, anywhere but in its header of ten bytes."""
    chance = random.Random(SEED)
    files = []
    for _ in range(count):
        file = bytearray(PACKED)
        file[chance.randrange(10, len(file))] ^= 1 << chance.randrange(8)
        files.append(bytes(file))
    return files


def damaged_in_a_match(place: int, bit: int) -> bytes:
    """A file of repetitions: the byte at which zlib fails still gives output."""
    file = bytearray(gzip.compress(b"<item>abc</item>" * 20_000, 9, mtime=0))
    file[place] ^= 1 << bit
    return bytes(file)


WRONG_CRC = PACKED[:-8] + bytes(4) + PACKED[-4:]
DAMAGED = [
    *damaged(12),
    damaged_in_a_match(40, 6),
    damaged_in_a_match(41, 0),
    WRONG_CRC,
    PACKED[:-4],
    PACKED[:2000],
    PACKED[:-1] + b"\xff",
    b"\x1f\x8b\x08" + b"\xff" * 50,
]


def byte_by_byte(packed: bytes) -> bytes:
    """What zlib gives where each byte is a call of its own, so that little is dropped with the error."""
    engine = zlib.decompressobj(31)
    out = b""
    try:
        for index in range(len(packed)):
            out += engine.decompress(packed[index : index + 1])
    except zlib.error:
        pass
    return out


class Pieces(io.BytesIO):
    """A stream that gives `size` bytes at once."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._size = size

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self._size)


@each("packed", DAMAGED, ids=range(len(DAMAGED)))
def test_a_file_gives_all_that_can_be_unpacked(packed: bytes) -> None:
    expected = byte_by_byte(packed)
    for size in PIECES:
        with XmlReader(Pieces(packed, size), encoding="ISO-8859-1", errors="latin-1", lenient=True) as reader:
            text = reader.read()
            assert dict(reader.repairs.kinds)["gzip"] == 1
        assert text.encode("windows-1252", "replace").startswith(expected[:100])
        assert len(text) >= len(expected), size
        if size == PIECES[0]:
            first = text
        assert text == first, size


def test_a_wrong_check_sum_loses_nothing() -> None:
    for size in PIECES:
        with XmlReader(Pieces(WRONG_CRC, size)) as reader:
            assert reader.read().encode() == FEED
        with XmlReader(Pieces(WRONG_CRC, size), lenient=False) as reader:
            assert reader.read(len(FEED.decode())).encode() == FEED
            with pytest.raises(TruncatedBody, match="incorrect data check"):
                reader.read()


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_a_response_gives_all_that_can_be_unpacked(coding: str) -> None:
    bodies = DAMAGED if coding == "gzip" else [packed[10:-8] for packed in DAMAGED]
    for body in bodies:
        results = set()
        for size in PIECES:
            pieces = (body[at : at + size] for at in range(0, len(body), size))
            out: list[bytes] = []
            with suppress(FetchAbort):
                deadline = Deadline(Limits(), "http://x/")
                out.extend(decoded(ReceivedPieces(pieces, deadline), coding, deadline))
            results.add(b"".join(out))
        assert len(results) == 1
        if coding == "gzip":
            assert len(results.pop()) >= len(byte_by_byte(body))


def cut(packed: bytes, sizes: list[int]) -> Iterator[bytes]:
    """The bytes in pieces of these sizes, again and again."""
    at = 0
    while at < len(packed):
        for size in sizes:
            yield packed[at : at + size]
            at += size


def result(pieces: Iterable[bytes], limits: Limits = NO_LIMITS, coding: str = "gzip") -> tuple[bytes, str]:
    """What is unpacked, and what ends it."""
    out: list[bytes] = []
    try:
        for piece in Gunzip(pieces, limits, coding=coding):
            assert 0 < len(piece) <= UNPACKED
            out.append(piece)
    except (BrokenGzip, OverLimit) as error:
        return b"".join(out), str(error)
    return b"".join(out), ""


SIZES = st.lists(st.integers(1, 5000), min_size=1, max_size=4)


@generated(15, 30, st.integers(0, len(PACKED) - 1), st.integers(0, 7), SIZES)
def test_the_pieces_do_not_matter_to_damage(place: int, bit: int, sizes: list[int]) -> None:
    packed = bytearray(PACKED)
    packed[place] ^= 1 << bit
    file = bytes(packed)
    assert result(cut(file, sizes)) == result([file]) == result(cut(file, [1]))


def member(data: bytes) -> bytes:
    return gzip.compress(data, 1, mtime=0)


MEMBERS = st.lists(st.sampled_from([b"", b"x", b"<a>\xe9</a>", bytes(70_000), FEED]).map(member), max_size=5)
ENDS = {
    b"": "",
    bytes(1): "",
    bytes(100_000): "",
    b"\n": "",
    b"garbage" * 20_000: "",
    b"\x1f\x8b\x09": "the gzip member is damaged: unknown compression method",
    b"\x1f\x8c\x08": "",
    b"\0\0\x1f": "the gzip member is cut off",
    b"\x1f\x8b": "the gzip member is cut off",
    b"\0" + PACKED[:2000]: "the gzip member is cut off",
    WRONG_CRC: "the gzip member is damaged: Error -3 while decompressing data: incorrect data check",
    GZIP_MAGIC
    + b"\xff" * 50: "the gzip member is damaged: Error -3 while decompressing data: unknown header flags set",
}
"""What may follow the last whole member, and what is said of it."""


@given(
    MEMBERS, st.sampled_from(sorted(ENDS)), st.binary(max_size=3).map(lambda zeros: bytes(len(zeros))), SIZES
)
def test_members_stand_one_after_the_other(
    members: list[bytes], end: bytes, zeros: bytes, sizes: list[int]
) -> None:
    """RFC 1952 section 2.2: a file is a row of members. Zeros between them are padding, as for gzip(1)."""
    members = [member(b"<rss>"), *members]
    file = zeros.join(members) + end
    text = b"".join(map(gzip.decompress, members))
    found, why = result(cut(file, sizes))
    assert (found, why) == result([file])
    assert why == ENDS[end]
    if end in (WRONG_CRC, bytes(1) + PACKED[:2000]):
        assert found.startswith(text)
        assert len(found) > len(text) + 5_000
    else:
        assert found == text


@given(st.integers(1, 90_000), st.integers(1, 400_000), SIZES)
def test_no_more_is_given_than_the_limits_allow(size: int, decoded: int, sizes: list[int]) -> None:
    """Exactly `decoded` bytes, or all; the ratio is looked at every 64 KiB from the first MiB on."""
    data = random.Random(size).randbytes(size) + bytes(100_000)
    file = gzip.compress(data[:50_000]) + gzip.compress(data[50_000:])
    found, why = result(cut(file, sizes), Limits(decoded=decoded, ratio=None))
    assert found == data[:decoded]
    assert why == ("" if len(data) <= decoded else f"gzip holds more than {decoded:,} bytes")


@pytest.mark.long
@each("zeros", [1 << 20, (1 << 20) + 1, 3 << 20])
@each("sizes", [[1], [7, 100], [10**6]])
def test_the_ratio_binds_after_the_first_mib(zeros: int, sizes: list[int]) -> None:
    found, why = result(cut(gzip.compress(bytes(zeros)), sizes), Limits(ratio=100))
    assert found == bytes(1 << 20)
    assert why == ("" if zeros == 1 << 20 else "gzip grows more than 100:1")
    noise = random.Random(SEED).randbytes(25_000)
    found, why = result(cut(gzip.compress(noise + bytes(zeros)), sizes), Limits(ratio=100))
    assert len(found) == len(noise) + zeros if not why else len(found) % UNPACKED == 0
    assert bool(why) == (zeros == 3 << 20)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("padding", [bytes(1), b"", bytes(40)], ids=len)
def test_small_members_take_linear_time_and_are_given_together(padding: bytes) -> None:
    """Each input is unpacked to its end before the next one is read: no output of one byte."""
    file = (member(b"x") + padding) * 20_000 + (member(b"") + padding) * 20_000
    inputs = list(cut(file, [UNPACKED]))
    pieces = list(Gunzip(inputs, NO_LIMITS))
    assert b"".join(pieces) == b"x" * 20_000
    assert len(pieces) <= len(inputs)
    calls = Counter[str]()

    class Input(bytes):
        """Counts the bytes that are copied out of an input."""

        def __getitem__(self, key: Any) -> Any:
            return self._counted(super().__getitem__(key))

        def __radd__(self, before: bytes) -> Any:
            return self._counted(before + bytes(self))

        def lstrip(self, *args: Any) -> Any:
            return self._counted(super().lstrip(*args))

        def _counted(self, found: Any) -> Any:
            calls["bytes"] += len(found) if isinstance(found, bytes) else 1
            return Input(found) if isinstance(found, bytes) else found

    assert b"".join(Gunzip([Input(file)], NO_LIMITS)) == b"x" * 20_000
    assert len(file) < calls["bytes"] < 20 * len(file)


def test_no_piece_waits_for_more_input_than_it_needs() -> None:
    read: list[int] = []

    def pieces() -> Iterator[bytes]:
        for index, piece in enumerate(
            [member(b"abc")[:-3], member(b"abc")[-3:] + member(b"d")[:2], member(b"d")[2:]]
        ):
            read.append(index)
            yield piece

    unpacked = Gunzip(pieces(), NO_LIMITS)
    assert (next(unpacked), read) == (b"abc", [0])
    assert (next(unpacked), read) == (b"d", [0, 1, 2])
    assert list(unpacked) == []
    assert list(unpacked) == []


def test_it_goes_on_after_an_exception_of_the_input() -> None:
    pieces = iter([PACKED[:100], OSError("gone"), PACKED[100:200], KeyboardInterrupt(), PACKED[200:]])

    def read() -> bytes:
        if isinstance(piece := next(pieces, b""), BaseException):
            raise piece
        return piece

    unpacked, out = Gunzip(iter(read, b""), NO_LIMITS), []
    for _ in range(3):
        with suppress(OSError, KeyboardInterrupt):
            out += list(unpacked)  # what an exception interrupts is kept for the next call
    assert b"".join(out).endswith(FEED[-9_000:])


def test_a_body_in_memory() -> None:
    assert gunzip(PACKED, NO_LIMITS) == (FEED, None, False)
    data, broken, has_rest = gunzip(WRONG_CRC, NO_LIMITS)
    assert (data, str(broken), has_rest) == (FEED, ENDS[WRONG_CRC], False)
    assert gunzip(PACKED + b"rest", NO_LIMITS) == (FEED, None, True)
    with pytest.raises(OverLimit) as over:
        gunzip(PACKED, Limits(decoded=10))
    assert over.value.name == "decoded"
    # The ratio is that of the whole body: what is unpacked first may be above it.
    packed = gzip.compress(bytes(2 << 20)) + gzip.compress(random.Random(SEED).randbytes(40_000))
    assert len(gunzip(packed, Limits(ratio=100))[0]) == (2 << 20) + 40_000
    with pytest.raises(OverLimit, match="more than 100:1"):
        b"".join(Gunzip([packed], Limits(ratio=100)))


@each("size", PIECES)
def test_the_first_member_alone(size: int) -> None:
    """Whatever follows it, and up to its damage where it has some."""
    for behind in (b"", b"\0\0", PACKED, PACKED[:-3], b"x", GZIP_MAGIC):
        data = PACKED + behind
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        unpacker = Gunzip(pieces, NO_LIMITS, members=False)
        assert (b"".join(unpacker), unpacker.used) == (FEED, len(PACKED))
    found = []
    with pytest.raises(BrokenGzip):
        found.extend(Gunzip([WRONG_CRC + PACKED], NO_LIMITS, members=False))
    assert b"".join(found) == FEED


class CountedEngine:
    """Fails at a byte, as zlib does; counts the calls of all copies."""

    calls = 0

    def __init__(self, until: int) -> None:
        self.until, self.unconsumed_tail = until, b""

    def copy(self) -> CountedEngine:
        return CountedEngine(self.until)

    def decompress(self, data: bytes, most: int = 0) -> bytes:
        CountedEngine.calls += 1
        if len(data) > self.until:
            raise zlib.error
        self.until -= len(data)
        return b""


@pytest.mark.parametrize("until", [0, 1, 255, 48_000, 65_534, 65_535])
def test_the_place_of_damage_is_searched_in_few_steps(until: int) -> None:
    """A name of 64 KiB in the header of each of 1,000 false members took 20 ms for each."""
    CountedEngine.calls = 0
    engine: Any = CountedEngine(until)
    assert _until_damage(engine, bytes(65_536)) == b""
    assert engine.until == 0
    assert CountedEngine.calls <= 20
