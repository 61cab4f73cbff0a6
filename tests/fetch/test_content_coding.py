"""Content codings, however the octets are cut."""

from __future__ import annotations

import gzip
import random
import zlib
from typing import TYPE_CHECKING

import pytest
import urllib3
from hypothesis import given
from hypothesis import strategies as st
from support.faults import FEED
from support.faulty_server import Close, FaultyServer, Script, Send

from feedcharset import XmlReader
from feedcharset.errors import FetchError, TooLarge, TruncatedBody
from feedcharset.evidence.document_head import begins_as_text
from feedcharset.fetch.client import open_url
from feedcharset.fetch.deadline import Deadline, FetchAbort
from feedcharset.fetch.gunzip import PieceStream
from feedcharset.fetch.limits import MIB, Limits
from feedcharset.fetch.response_body import CODED_PART, ReceivedPieces, content_coding, decoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

URL = "https://feeds.example/"


def bare_deflate(octets: bytes) -> bytes:
    engine = zlib.compressobj(wbits=-15)
    return engine.compress(octets) + engine.flush()


PACK: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", lambda octets: gzip.compress(octets, mtime=0)),
    "gzip in two members": ("gzip", lambda octets: gzip.compress(octets[:9]) + gzip.compress(octets[9:])),
    "gzip with garbage": ("gzip", lambda octets: gzip.compress(octets) + b"\0\x1f\x8c\0"),
    "gzip with a name": ("gzip", lambda octets: named_gzip(octets)),
    "deflate": ("deflate", zlib.compress),
    "deflate, bare": ("deflate", bare_deflate),
    "deflate, stored": ("deflate", lambda octets: zlib.compress(octets, 0)),
    "none": ("", bytes),
}


def named_gzip(octets: bytes) -> bytes:
    """A gzip member with all of RFC 1952's optional fields but the checksum of its header."""
    header = b"\x1f\x8b\x08\x1c\0\0\0\0\0\x03" + b"\x04\0extr" + b"name\0" + b"comment\0"
    return header + bare_deflate(octets) + gzip.compress(octets)[-8:]


def decoded_pieces(pieces: Iterator[bytes], coding: str, deadline: Deadline) -> Iterator[bytes]:
    return decoded(ReceivedPieces(pieces, deadline), coding, deadline)


def unpack(pieces: list[bytes], coding: str, limits: Limits = Limits()) -> bytes:  # noqa: B008
    return b"".join(decoded_pieces(iter(pieces), coding, Deadline(limits, URL)))


@pytest.mark.parametrize("name", PACK)
def test_each_coding_is_removed_however_it_is_cut(name: str) -> None:
    coding, pack = PACK[name]
    packed = pack(FEED)
    assert unpack([packed], coding) == FEED
    assert unpack([packed[i : i + 1] for i in range(len(packed))], coding) == FEED
    for cut in range(len(packed) + 1):
        assert unpack([packed[:cut], b"", packed[cut:]], coding) == FEED


WBITS = {"gzip": 31, "gzip with a name": 31, "deflate": 15, "deflate, bare": -15, "deflate, stored": 15}
"""zlib's numbers of the formats."""


@pytest.mark.parametrize("name", WBITS)
def test_one_that_ends_early_is_truncated(name: str) -> None:
    """All that zlib can unpack of it is given."""
    coding, pack = PACK[name]
    packed = pack(FEED)
    engine = zlib.decompressobj(WBITS[name])
    unpacked = b""
    for cut in range(1, len(packed)):
        unpacked += engine.decompress(packed[cut - 1 : cut])
        got: list[bytes] = []
        with pytest.raises(FetchAbort) as caught:
            got.extend(decoded_pieces(iter([packed[:cut]]), coding, Deadline(Limits(), URL)))
        assert isinstance(caught.value.error, TruncatedBody)
        assert len(b"".join(got)) >= len(unpacked)
        assert FEED.startswith(b"".join(got))
    assert len(unpacked) > len(FEED) // 2


def test_what_zlib_holds_back_at_the_end_comes_too() -> None:
    # A long match that straddles the end of a piece, where no trailer follows to push it out.
    for size in range(65_500, 65_900, 3):
        assert unpack([bare_deflate(bytes(size))], "deflate") == bytes(size)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_nothing_is_an_empty_document(coding: str) -> None:
    if coding in urllib3.HTTPResponse.CONTENT_DECODERS or coding in ("gzip", "deflate"):
        assert unpack([], coding) == b""


@given(st.binary(max_size=3000), st.sampled_from(sorted(PACK)), st.randoms(use_true_random=False))
def test_removing_undoes_packing(octets: bytes, name: str, dice: random.Random) -> None:
    """RFC 9110 section 8.4: the coding is applied and removed without loss of information."""
    coding, pack = PACK[name]
    packed = pack(octets)
    cuts = sorted(dice.randrange(len(packed) + 1) for _ in range(5))
    pieces = [packed[start:end] for start, end in zip([0, *cuts], [*cuts, len(packed)], strict=True)]
    if octets or name != "gzip with garbage":
        assert unpack(pieces, coding) == octets
    else:  # a document that was not packed, perhaps
        with pytest.raises(FetchAbort):
            unpack(pieces, coding)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 40])
@pytest.mark.parametrize("rest", [b"<a/>", b"\0\0x", b"\xff" * 9, b"\r\n\r\n<a/>", b"\n"])
def test_nothing_in_gzip_and_other_bytes_behind_it_are_no_empty_document(rest: bytes, size: int) -> None:
    packed = gzip.compress(b"", mtime=0) * 2 + rest
    pieces = [packed[at : at + size] for at in range(0, len(packed), size)]
    with pytest.raises(FetchAbort) as caught:
        unpack(pieces, "gzip")
    assert "nothing is in it" in str(caught.value.error)
    assert unpack([gzip.compress(b""), bytes(9)], "gzip") == b""


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe"])
def test_a_bom_before_what_is_packed_is_no_text(mark: bytes) -> None:
    """A script wrote it before its server packed the rest."""
    for coding, packed in (("gzip", gzip.compress(FEED)), ("deflate", zlib.compress(FEED))):
        if coding == "gzip" or len(mark) == 3:
            with pytest.raises(FetchAbort):
                unpack([mark + packed], coding)
            assert unpack([mark + FEED], coding) == mark + FEED


@given(st.binary(max_size=200), st.sampled_from(["gzip", "deflate", "br", "zstd"]))
def test_garbage_is_a_fetch_error(octets: bytes, coding: str) -> None:
    """Whatever the octets are, they are read, or the error is one of ours or urllib3's."""
    if coding not in urllib3.HTTPResponse.CONTENT_DECODERS:
        return
    try:
        unpack([octets], coding)
    except FetchAbort as stop:
        found: object = stop.error
    except urllib3.exceptions.DecodeError as error:
        found = error
    else:
        return
    assert isinstance(found, FetchError) or coding in ("br", "zstd")


class TestLimits:
    BOMB = gzip.compress(bytes(40 * MIB), 1, mtime=0)

    def test_the_ratio_is_asked_after_the_first_mib(self) -> None:
        assert len(unpack([gzip.compress(bytes(MIB))], "gzip")) == MIB
        got = []
        with pytest.raises(FetchAbort) as caught:
            got.extend(decoded_pieces(iter([self.BOMB]), "gzip", Deadline(Limits(), URL)))
        assert isinstance(caught.value.error, TooLarge)
        assert caught.value.error.limit == "ratio"
        assert MIB - (64 << 10) <= sum(map(len, got)) <= MIB

    def test_no_piece_is_larger_than_it_may_be(self) -> None:
        largest = max(
            map(
                len,
                decoded_pieces(iter([self.BOMB]), "gzip", Deadline(Limits(ratio=None, decoded=None), URL)),
            )
        )
        assert largest == 64 << 10

    @pytest.mark.parametrize("steps", [(13, 1000), pytest.param((1, 7, 1000), marks=pytest.mark.long)])
    def test_the_ratio_does_not_depend_on_the_pieces(self, steps: tuple[int, ...]) -> None:
        sizes = set()
        for step in (*steps, len(self.BOMB)):
            got: list[bytes] = []
            pieces = (self.BOMB[i : i + step] for i in range(0, len(self.BOMB), step))
            with pytest.raises(FetchAbort):
                got.extend(decoded_pieces(pieces, "gzip", Deadline(Limits(ratio=1000), URL)))
            sizes.add(sum(map(len, got)) // MIB)
        assert max(sizes) - min(sizes) <= 1

    def test_decoded_is_exact(self) -> None:
        for most in (1, 63, len(FEED) - 1):
            got: list[bytes] = []
            with pytest.raises(FetchAbort) as caught:
                got.extend(
                    decoded_pieces(iter([gzip.compress(FEED)]), "gzip", Deadline(Limits(decoded=most), URL))
                )
            assert caught.value.error.limit == "decoded"
            assert b"".join(got) == FEED[:most]
        assert unpack([gzip.compress(FEED)], "gzip", Limits(decoded=len(FEED))) == FEED


@pytest.mark.parametrize(
    ("value", "coding"),
    [
        ("", ""),
        ("identity", ""),
        (" , Identity,", ""),
        ("GZIP", "gzip"),
        (" x-gzip ", "gzip"),
        ("deflate", "deflate"),
        ("identity, gzip", "gzip"),
    ],
)
def test_the_field_names_one_coding(value: str, coding: str) -> None:
    assert content_coding(value) == coding


@pytest.mark.parametrize("value", ["compress", "zlib", "x-br2", "sdch", "aws-chunked", "gzip, gzip"])
def test_the_field_names_none_that_can_be_removed(value: str) -> None:
    """What begins as text was not packed by any of them."""
    coding = content_coding(value)
    packed = b"\x1f\x9d\x90" + FEED
    for step in (1, 7, 10_000):
        assert unpack([FEED[at : at + step] for at in range(0, len(FEED), step)], coding) == FEED
        with pytest.raises(FetchAbort, match=f"Content-Encoding: {coding}.*Accept-Encoding"):
            unpack([packed[at : at + step] for at in range(0, len(packed), step)], coding)
    assert unpack([], coding) == b""


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_text_is_not_unpacked(coding: str) -> None:
    """However it is cut; `<` and white space can begin bare deflate, but what zlib can unpack is packed."""
    for text in (
        FEED,
        b"<r/>",
        b"\n" + FEED,
        b"<r>" + bytes(range(65, 91)) * 400,
        FEED.decode().encode("utf-16"),
    ):
        for step in (1, 7, 100_000):
            assert unpack([text[at : at + step] for at in range(0, len(text), step)], coding) == text


@pytest.mark.parametrize("step", [1, 3, 20])
def test_gzip_is_given_as_it_arrives(step: int) -> None:
    """Its magic number decides: a slow server's first item does not wait for 4,096 bytes."""
    engine = zlib.compressobj(wbits=31)
    arrived = engine.compress(FEED) + engine.flush(zlib.Z_SYNC_FLUSH)

    def pieces() -> Iterator[bytes]:
        yield from (arrived[at : at + step] for at in range(0, len(arrived), step))
        waits.append(True)

    waits: list[bool] = []

    unpacked, text = decoded_pieces(pieces(), "gzip", Deadline(Limits(), URL)), b""
    while text != FEED:
        text += next(unpacked)
    assert not waits


def test_packed_bytes_that_begin_as_text_are_unpacked() -> None:
    """A stored block of 60 bytes that is not the last one: 00 3C 00 C3 FF."""
    engine = zlib.compressobj(0, wbits=-15)
    stored = engine.compress(FEED[:60]) + engine.flush(zlib.Z_SYNC_FLUSH) + engine.compress(FEED[60:])
    stored += engine.flush()
    assert begins_as_text(stored)
    for step in (1, 7, 100_000):
        assert unpack([stored[at : at + step] for at in range(0, len(stored), step)], "deflate") == FEED


@given(st.binary(max_size=2000), st.integers(0, 9), st.sampled_from([9, 15, -9, -15]), st.integers(0, 4))
def test_deflate_is_always_unpacked(data: bytes, level: int, wbits: int, strategy: int) -> None:
    for octets in (data, b"<r>" + data):
        engine = zlib.compressobj(level, wbits=wbits, strategy=strategy)
        packed = engine.compress(octets[:60]) + engine.flush(zlib.Z_SYNC_FLUSH) + engine.compress(octets[60:])
        assert unpack([packed + engine.flush()], "deflate") == octets


class TestUrllib3:
    """br and zstd, where urllib3 has what they need."""

    @pytest.fixture(params=["br", "zstd"])
    def packed(self, request: pytest.FixtureRequest) -> tuple[str, bytes]:
        if request.param == "br":
            octets = pytest.importorskip("brotli").compress(FEED * 40)
        else:
            octets = pytest.importorskip("backports.zstd").compress(FEED * 40)
        return request.param, octets

    def test_it_is_removed_however_it_is_cut(self, packed: tuple[str, bytes]) -> None:
        coding, octets = packed
        assert content_coding(coding) == coding
        assert unpack([octets], coding) == FEED * 40
        assert unpack([octets[i : i + 1] for i in range(len(octets))], coding) == FEED * 40

    def test_the_limits_bind_it(self, packed: tuple[str, bytes]) -> None:
        coding, octets = packed
        with pytest.raises(FetchAbort) as caught:
            unpack([octets], coding, Limits(decoded=1000))
        assert caught.value.error.limit == "decoded"

    def test_a_bomb(self, packed: tuple[str, bytes]) -> None:
        coding, _ = packed
        pack = pytest.importorskip({"br": "brotli", "zstd": "backports.zstd"}[coding]).compress
        with pytest.raises(FetchAbort) as caught:
            unpack([pack(bytes(8 * MIB))], coding)
        assert caught.value.error.limit == "ratio"

    def test_one_that_ends_early_is_truncated(self, packed: tuple[str, bytes]) -> None:
        coding, octets = packed
        for missing in (1, 3, 10, len(octets) - 1):
            with pytest.raises(FetchAbort) as caught:
                unpack([octets[:-missing]], coding)
            assert isinstance(caught.value.error, TruncatedBody), missing

    @pytest.mark.parametrize("coding", ["br", "zstd"])
    def test_before_damage_little_is_lost(self, coding: str) -> None:
        """What the last `CODED_PART` bytes hold, and no more."""
        pack = pytest.importorskip({"br": "brotli", "zstd": "backports.zstd"}[coding]).compress
        noise = random.Random(1).randbytes(20_000)
        data = pack(noise)
        body = data + b"junk" if coding == "br" else data[:-1] + b"junk"
        head = f"HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\nContent-Length: {len(body)}\r\n\r\n"
        script = Script((Send(head.encode() + body), Close()))
        with FaultyServer(script) as server, pytest.raises(FetchError) as caught:
            open_url(server.url).readall()
        partial = caught.value.partial
        assert noise.startswith(partial)
        assert CODED_PART == 512
        assert len(noise) - 1024 <= len(partial)

    def test_one_that_urllib3_lacks_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(urllib3.HTTPResponse, "CONTENT_DECODERS", ["gzip", "deflate"])
        for coding in ("br", "zstd"):
            with pytest.raises(FetchAbort, match=f"Content-Encoding: {coding}"):
                unpack([b"\x8b"], coding)

    def test_a_brotli_that_knows_no_limit_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Old:
            def process(self, octets: bytes) -> bytes:
                return octets

        pytest.importorskip("brotli")
        monkeypatch.setattr(urllib3.response.brotli, "Decompressor", Old)
        with pytest.raises(FetchAbort, match="Content-Encoding: br"):
            unpack([b"\x8b"], "br")


def test_pieces_as_a_stream() -> None:
    closed: list[bool] = []
    pieces = iter([b"ab", b"c"])
    file = PieceStream(lambda size: next(pieces, None), lambda: closed.append(True), taken=b"x")
    assert [file.read(1), file.read1(1), file.read(5), file.read(1)] == [b"x", b"a", b"b", b"c"]
    assert [file.read(1), file.closed] == [b"", False]
    file.close()
    file.close()
    assert closed == [True]
    with pytest.raises(ValueError, match="read from a closed PieceStream"):
        file.read(1)
    pieces = iter([b"ab", b"c"])
    assert PieceStream(lambda size: next(pieces, None), taken=b"x").read() == b"xabc"
    file = PieceStream(lambda size: None, lambda: closed.append(True), taken=b"x", closes=True)
    assert [file.read(0), file.read(2), file.closed, file.read(2), file.closed] == [
        b"",
        b"x",
        False,
        b"",
        True,
    ]
    assert closed == [True, True]


def test_the_ratio_of_a_gzip_file_in_a_content_coding_is_that_to_what_was_received() -> None:
    """Each of the two codings alone stays below the limit."""
    document = b"<r>" + b"x" * 2400 * 1000 + b"</r>"
    file = b"".join(gzip.compress(document[at : at + 1200], mtime=0) for at in range(0, len(document), 1200))
    body = gzip.compress(file)
    assert len(document) < 100 * len(file)
    assert len(document) > 100 * len(body)
    for limits, fails in ((Limits(), True), (Limits(ratio=None), False)):
        head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
        script = Script((Send(head.encode() + body), Close()))
        with FaultyServer(script) as server, XmlReader(server.url, limits=limits) as reader:
            if fails:
                with pytest.raises(TooLarge, match="100 times its compressed size"):
                    reader.read()
            else:
                assert reader.read() == document.decode()
