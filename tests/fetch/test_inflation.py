"""Damaged gzip and deflate: everything before the damage is given, the same however the bytes come."""

from __future__ import annotations

import gzip
import io
import random
import zlib
from contextlib import suppress
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedcharset import TruncatedBody, XmlReader
from feedcharset.fetch.content_coding import decoded
from feedcharset.fetch.deadline import Deadline
from feedcharset.fetch.fetch_errors import FetchAbort
from feedcharset.fetch.inflation import GZIP, ZLIB, Inflater
from feedcharset.fetch.limits import Limits

SEED = 20261120
PIECES = [1, 2, 7, 1000, 10**6]
FEED = "".join(f"<item><title>Nachricht {n * n}, {n % 7}</title></item>\n" for n in range(2000)).encode()
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


WRONG_CRC = PACKED[:-8] + bytes(4) + PACKED[-4:]
DAMAGED = [
    *damaged(40),
    WRONG_CRC,
    PACKED[:-4],
    PACKED[:5000],
    PACKED[:-1] + b"\xff",
    b"\x1f\x8b\x08" + b"\xff" * 50,
]


def byte_by_byte(packed: bytes) -> bytes:
    """What zlib gives where each byte is a call of its own, so that little is dropped with the error."""
    engine = zlib.decompressobj(GZIP)
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


@pytest.mark.parametrize("packed", DAMAGED, ids=range(len(DAMAGED)))
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
    bodies = DAMAGED if coding == "gzip" else [packed[10:-8] for packed in DAMAGED[:20]]
    for body in bodies:
        results = set()
        for size in PIECES:
            pieces = (body[at : at + size] for at in range(0, len(body), size))
            out: list[bytes] = []
            with suppress(FetchAbort):
                out.extend(decoded(pieces, coding, Deadline(Limits(), "http://x/")))
            results.add(b"".join(out))
        assert len(results) == 1
        if coding == "gzip":
            assert len(results.pop()) >= len(byte_by_byte(body))


@given(
    st.integers(0, len(PACKED) - 1), st.integers(0, 7), st.lists(st.integers(1, 5000), min_size=1, max_size=4)
)
def test_the_pieces_do_not_matter(place: int, bit: int, sizes: list[int]) -> None:
    packed = bytearray(PACKED)
    packed[place] ^= 1 << bit

    def unpacked(sizes: list[int], most: int) -> tuple[bytes, str | None]:
        inflater, out, at, left = Inflater(GZIP), b"", 0, b""
        turns = (size for _ in repeat(None) for size in sizes)
        while not inflater.eof and inflater.error is None:
            if not left:
                size = next(turns)
                left, at = bytes(packed[at : at + size]), at + size
            piece = inflater.decompress(left, most)
            if not left and not piece:
                break
            out, left = out + piece, inflater.rest
        return out, inflater.error

    assert unpacked(sizes, 777) == unpacked([10**6], 10**6) == unpacked([1], 10**6)


def test_what_follows_the_end_is_left() -> None:
    inflater = Inflater(ZLIB)
    assert inflater.decompress(zlib.compress(b"abc") + b"rest", 100) == b"abc"
    assert (inflater.eof, inflater.rest, inflater.error) == (True, b"rest", None)
