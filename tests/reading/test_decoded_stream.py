"""A response of less than a piece is read to its end and decoded at once; a failure comes after its text."""

from __future__ import annotations

import gzip
import io

import pytest

from feedcharset import FetchError, Limits, XmlDecoder
from feedcharset.fetch.gunzip import PieceStream
from feedcharset.reading.decoded_stream import SOURCE_PIECE, DecodedStream

FEED = '<?xml version="1.0"?><rss><title>Погода é</title></rss>'.encode()


class Body(PieceStream):
    """The body of a response: 20 bytes at once, and perhaps a failure at the end."""

    def __init__(self, *, data: bytes = FEED, failure: Exception | None = None) -> None:
        super().__init__()
        self.limits = Limits()
        self.reads = 0
        self._data = io.BytesIO(data)
        self._last = failure

    def _piece(self, size: int) -> bytes:
        self.reads += 1
        piece = self._data.read(20)
        if not piece and self._last is not None:
            raise self._last
        return piece


def opened(body: Body, *, gunzip: bool = True, lenient: bool = True) -> tuple[DecodedStream, XmlDecoder]:
    decoder = XmlDecoder("text/xml", lenient=lenient)
    stream = DecodedStream(body, decoder, gunzip=gunzip, owned=True)
    return stream, decoder


@pytest.mark.parametrize("gunzip", [True, False])
def test_a_document_in_small_pieces(gunzip: bool) -> None:
    stream, decoder = opened(Body(), gunzip=gunzip)
    pieces = []
    while (piece := stream.more()) is not None:
        pieces.append(piece)
    assert "".join(pieces) == FEED.decode()
    assert (decoder.encoding, decoder.resolution.facts.body.complete) == ("UTF-8", True)


def test_a_short_response_is_decoded_at_once() -> None:
    stream, decoder = opened(Body())
    assert stream.never_waits
    assert not decoder.provisional
    assert stream.more() == FEED.decode()


def test_no_more_than_a_piece_is_read_of_a_long_body() -> None:
    body = Body(data=b"<a>" + b"x" * 3 * SOURCE_PIECE, failure=None)
    opened(body, lenient=False)
    assert body.reads <= SOURCE_PIECE // 20 + 2


def test_a_failure_is_raised_after_the_text_before_it() -> None:
    failure = FetchError("the server closed the connection", url="http://feeds.example/")
    arrived = b'<?xml version="1.0"?><rss>' + b"text " * 100
    stream, _ = opened(Body(data=arrived, failure=failure))
    assert stream.more() == arrived.decode()
    with pytest.raises(FetchError, match="closed the connection"):
        stream.more()


def test_a_source_that_goes_on_after_its_failure_is_read_behind_it() -> None:
    """The failure stays where it was, between the text before it and the text behind it."""
    arrived = b'<?xml version="1.0"?><rss>' + b"text " * 100
    reads = [arrived, OSError("the line went dead"), b"more</rss>", b""]

    class Source(Body):
        def read(self, size: int | None = -1, /) -> bytes:
            piece = reads.pop(0)
            if isinstance(piece, OSError):
                raise piece
            return piece

    stream, _ = opened(Source(), gunzip=False)
    assert stream.more() == arrived.decode()
    with pytest.raises(OSError, match="went dead"):
        stream.more()
    assert "".join(iter(stream.more, None)) == "more</rss>"


def test_a_failure_before_the_decision_is_raised_at_once() -> None:
    failure = FetchError("the server closed the connection", url="http://feeds.example/")
    with pytest.raises(FetchError, match="closed the connection"):
        opened(Body(data=b'<?xml version="1.0" ', failure=failure))


class Counted(bytes):
    """A piece that counts how often its length is taken."""

    looks = 0

    def __len__(self) -> int:
        Counted.looks += 1
        return super().__len__()


@pytest.mark.parametrize("size", [1, 7])
def test_small_pieces_take_linear_time(size: int) -> None:
    """Nothing is done with each piece that looks at all pieces before it."""
    data = b"<rss>" + b"text " * 2000 + "é".encode() * 1000
    pieces = [Counted(data[at : at + size]) for at in range(0, len(data), size)]

    class Source(Body):
        def read(self, size: int | None = -1, /) -> bytes:
            return pieces.pop(0) if pieces else b""

    Counted.looks, number = 0, len(pieces)
    stream, _ = opened(Source())
    text = "".join(iter(stream.more, None))
    assert text == data.decode()
    assert Counted.looks < 20 * number


def test_a_file_of_members_is_not_read_whole_before_the_first_character() -> None:
    """The first read is one piece of text, however small the members are."""
    item = gzip.compress(b"<item>text</item>", mtime=0)
    source = io.BytesIO(gzip.compress(b"<rss>") + item * 20_000)
    decoder = XmlDecoder()
    stream = DecodedStream(source, decoder, gunzip=True, owned=True)
    assert source.tell() <= 10 * SOURCE_PIECE < len(source.getvalue())
    first = stream.more()
    assert first is not None
    assert SOURCE_PIECE <= len(first) < 2 * SOURCE_PIECE
