"""XmlReader as a text stream."""

from __future__ import annotations

import gc
import gzip
import io
import itertools
import pickle
import random
import traceback
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each

from feedcharset import (
    DecodeError,
    EncodingConflict,
    FetchError,
    NotXmlMediaType,
    ResolutionError,
    TooLarge,
    TruncatedBody,
    UnknownEncoding,
    XmlReader,
    decode,
)

TEXT = "<?xml version='1.0'?>\n<rss>\r\n<title>Ünïcode 𝄞 – ok</title>\r<a/>\n\n</rss>"
BODY = TEXT.encode("utf-8")
CONFLICT = b'\xef\xbb\xbf<?xml version="1.0" encoding="windows-1251"?><a/>'


class Pieces(io.RawIOBase):
    """A stream that gives pieces of chosen sizes, and None now and then, as a non-blocking one does."""

    def __init__(self, data: bytes, sizes, nones: bool = False) -> None:
        self._data = data
        self._sizes = itertools.cycle(sizes)
        self._nones = nones
        self._turn = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1):
        self._turn += 1
        if self._nones and self._turn % 2:
            return None
        piece, self._data = self._data[: (n := next(self._sizes))], self._data[n:]
        return piece


def test_it_is_a_text_stream_that_is_not_seekable() -> None:
    with XmlReader(BODY) as reader:
        assert isinstance(reader, io.TextIOBase)
        assert reader.readable()
        assert not reader.seekable()
        assert not reader.writable()
        with pytest.raises(io.UnsupportedOperation):
            reader.seek(0)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_read_gives_as_many_characters_as_asked(size: int) -> None:
    with XmlReader(BODY) as reader:
        pieces = list(iter(lambda: reader.read(size), ""))
    assert "".join(pieces) == TEXT
    assert {len(piece) for piece in pieces[:-1]} <= {size}


def test_read_nothing_and_read_none() -> None:
    with XmlReader(BODY) as reader:
        assert reader.read(0) == ""
        assert reader.read(None) == TEXT
        assert reader.read() == reader.read(5) == reader.readline() == ""


LINES = ["<?xml version='1.0'?>\n", "<rss>\r\n", "<title>Ünïcode 𝄞 – ok</title>\r", "<a/>\n", "\n", "</rss>"]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 4096])
def test_lines_end_at_lf_crlf_and_cr_and_keep_their_ends(size: int) -> None:
    with XmlReader(Pieces(BODY, [size])) as reader:
        assert list(reader) == LINES
    with XmlReader(Pieces(BODY, [size])) as reader:
        assert reader.readlines(3) == LINES[:1]
        assert reader.readlines() == LINES[1:]


@given(st.text("ab\r\n", max_size=30), st.integers(1, 5), st.integers(0, 6))
def test_readline_never_cuts_a_line_end_but_at_its_size(middle: str, piece: int, size: int) -> None:
    """A line ends at LF, CRLF or CR; nothing is lost, nothing comes twice."""
    text = f"<a>{middle}</a>"
    expected = io.StringIO(text, newline="").read().splitlines(keepends=True)
    expected = [line for line in expected if line]
    with XmlReader(Pieces(text.encode(), [piece])) as reader:
        assert list(reader) == expected
    with XmlReader(Pieces(text.encode(), [piece])) as reader:
        limited = list(iter(lambda: reader.readline(size), "")) or [text]
    assert "".join(limited) == text


def test_reads_and_lines_mix() -> None:
    with XmlReader(Pieces(BODY, [5])) as reader:
        assert reader.read(3) + reader.readline() + reader.read(2) + next(reader) + reader.read() == TEXT


def test_a_stream_that_has_nothing_at_the_moment_is_not_at_its_end() -> None:
    with XmlReader(Pieces(BODY, [4], nones=True), gunzip=False) as reader:
        assert reader.read() == TEXT


def test_nothing_is_read_after_close() -> None:
    reader = XmlReader(BODY)
    reader.close()
    reader.close()
    assert reader.closed
    for call in (reader.read, reader.readline, reader.readlines, reader.utf8, lambda: next(iter(reader))):
        with pytest.raises(ValueError, match="closed"):
            call()
    assert "closed" in repr(reader)


def forget(*objects: object) -> None:
    """Let go of what only the caller's argument holds."""
    del objects
    gc.collect()


def test_a_reader_that_is_not_closed_gives_a_resource_warning() -> None:
    with pytest.warns(ResourceWarning, match="^unclosed XmlReader of a stream$"):
        forget(XmlReader(BODY))


def test_the_provisional_answer_becomes_final() -> None:
    body = b'<?xml version="1.0" encoding="ISO-8859-1"?><a>' + b"x" * 200_000 + "é".encode() + b"</a>"
    with XmlReader(body, lookahead=100) as reader:
        assert (reader.encoding, reader.resolution.steps[-1].verdict) == ("ISO-8859-1", "provisional")
        reader.read(1000)
        assert reader.encoding == "ISO-8859-1"
        assert "é" in reader.read()
        assert (reader.encoding, reader.resolution.steps[-1].verdict) == ("UTF-8", "answer")


def test_the_declaration_is_blanked_or_kept() -> None:
    body = b'<?xml version="1.0" encoding="utf-8"?><a/>'
    with XmlReader(body) as blank, XmlReader(body, declaration="keep") as kept:
        assert blank.read() == '<?xml version="1.0"                 ?><a/>'
        assert kept.read() == body.decode()


# -- strict -------------------------------------------------------------------------------------------------


def test_strict_raises_and_the_exception_owns_the_stream() -> None:
    stream = io.BytesIO(CONFLICT)
    with pytest.raises(EncodingConflict) as caught:
        XmlReader(stream, lenient=False)
    error = caught.value
    assert error.rule == "1.4"
    assert error.facts is not None
    assert error.facts.declared == "windows-1251"
    assert error.stream is not None
    assert error.stream.read() == CONFLICT
    with error:
        pass
    assert stream.closed


def test_the_exceptions_stream_leaves_a_borrowed_one_open() -> None:
    stream = io.BytesIO(CONFLICT)
    with pytest.raises(ResolutionError) as caught:
        XmlReader(stream, lenient=False, closefd=False)
    caught.value.close()
    assert not stream.closed


@pytest.mark.parametrize("sizes", [[1], [7], [100_000]])
def test_the_exceptions_stream_begins_at_the_first_byte_however_much_was_read(sizes) -> None:
    body = CONFLICT + b" " * 100_000
    with pytest.raises(ResolutionError) as caught:
        XmlReader(Pieces(body, sizes), lenient=False)
    with caught.value as error:
        assert error.stream is not None
        assert error.stream.read() == body


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        (b"<a/>", "text/html", NotXmlMediaType),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', None, UnknownEncoding),
        (b'<?xml version="1.0" encoding="utf-7"?><a/>', None, UnknownEncoding),
        (b'<?xml version="1.0" encoding="utf-16"?><a/>', None, EncodingConflict),
        ("<a/>".encode("utf-16-le"), None, EncodingConflict),
        (b"<a/>", "text/xml; charset=utf-16", EncodingConflict),
    ],
    ids=["media-type", "unknown", "refused", "unordered", "rule-1.0", "no-bom"],
)
def test_strict_refusals_and_their_pickles(body: bytes, content_type: str | None, kind) -> None:
    with pytest.raises(kind) as caught:
        XmlReader(body, content_type=content_type, lenient=False)
    with caught.value as error:
        copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert (str(copy), copy.facts, copy.rule, copy.steps, copy.stream) == (
        str(error),
        error.facts,
        error.rule,
        error.steps,
        None,
    )
    assert ";" in str(error), "what was seen; what to do"


def test_a_decode_error_says_where() -> None:
    body = "<?xml version='1.0'?>\n<a>\u00e9\u00e9".encode() + b"\xff</a>"
    with XmlReader(body, lenient=False) as reader, pytest.raises(DecodeError) as caught:
        reader.read()
    error = caught.value
    assert (error.offset, error.line, error.column) == (29, 2, 6)
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.offset, str(copy)) == (29, str(error))


def test_default_encoding_and_forced_encoding() -> None:
    body = "<a>да</a>".encode("koi8-r")
    with XmlReader(body, default_encoding="KOI8-R") as reader:
        assert (reader.read(), reader.resolution.rule) == ("<a>да</a>", "1.0")
    with XmlReader(body, encoding="koi8r", content_type="text/html; charset=utf-8") as reader:
        assert (reader.read(), reader.resolution.rule, reader.encoding) == ("<a>да</a>", "forced", "KOI8-R")


@each(
    ("options", "says"),
    [
        ({"policy": "rfc1"}, "policy"),
        ({"encoding": "klingon"}, "encoding is 'klingon'"),
        ({"default_encoding": "utf-7"}, "default_encoding"),
        ({"errors": "ignore"}, "errors"),
        ({"declaration": "drop"}, "declaration"),
        ({"mojibake": "guess"}, "mojibake"),
        ({"xml_chars": "eat"}, "xml_chars"),
        ({"detector": "magic"}, "detector"),
        ({"lookahead": -1}, "lookahead"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_an_option_that_makes_no_sense_is_refused_before_anything_is_opened(options, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        XmlReader("no such file.xml", **options)


# -- gzip --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [[1], [2, 5], [100_000]])
def test_gzip_is_unpacked_member_by_member(sizes) -> None:
    half = len(BODY) // 2
    packed = gzip.compress(BODY[:half]) + gzip.compress(BODY[half:])
    with XmlReader(Pieces(packed, sizes)) as reader:
        assert reader.read() == TEXT
        assert reader.repairs.count == 0


def test_gunzip_can_be_left_alone() -> None:
    with XmlReader(gzip.compress(BODY), gunzip=False) as reader:
        assert reader.resolution.facts.body.kind == "gzip"


def test_what_follows_the_last_member_is_ignored() -> None:
    with XmlReader(gzip.compress(BODY) + b"\0\0trailer") as reader:
        assert reader.read() == TEXT


@pytest.mark.parametrize("where", [20, -9, -4])
def test_a_broken_member_ends_the_text_and_is_reported(where: int) -> None:
    random.seed(7)
    filler = "".join(chr(random.randrange(0x61, 0x7B)) for _ in range(50_000))
    body = f"<a>{filler}</a>".encode()
    packed = gzip.compress(body)[:where]
    with XmlReader(packed) as reader:
        assert body.decode().startswith(reader.read())
        assert dict(reader.repairs.kinds) == {"gzip": 1}
    with pytest.raises(TruncatedBody, match="member is cut off"), XmlReader(packed, lenient=False) as reader:
        reader.read()


def test_a_damaged_member_is_reported_too() -> None:
    packed = bytearray(gzip.compress(BODY * 100))
    packed[30:34] = b"\xff\xff\xff\xff"
    with XmlReader(packed) as reader:
        reader.read()
        assert dict(reader.repairs.kinds)["gzip"] == 1


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_gzip_that_is_cut_anywhere_is_told(size: int) -> None:
    data = gzip.compress(b"<rss>text</rss>")
    for cut in range(2, len(data)):
        with pytest.raises(TruncatedBody):
            XmlReader(Pieces(data[:cut], [size]), lenient=False).read()
        with XmlReader(Pieces(data[:cut], [size])) as reader:
            assert b"<rss>text</rss>".startswith(reader.read().encode())
            assert dict(reader.repairs.kinds) == {"gzip": 1}


def test_a_gzip_bomb_is_refused_after_the_first_mebibyte() -> None:
    fine = gzip.compress(b"<a>" + b" " * (1 << 20) + b"</a>")
    with XmlReader(fine) as reader:
        assert len(reader.read()) == (1 << 20) + 7
    bomb = gzip.compress(b"<a>" + b" " * (64 << 20))
    with XmlReader(bomb) as reader, pytest.raises(TooLarge, match="1000:1"):
        reader.read()


SMALL = [
    ("<?xml version='1.0'?><a>é</a>".encode(), "UTF-8"),
    ("<?xml version='1.0' encoding='windows-1252'?><a>Žižkov</a>".encode(), "UTF-8"),
    ("<a>café</a>".encode("cp1252"), "windows-1252"),
    ("<?xml version='1.0' encoding='windows-1251'?><a>да</a>".encode("cp1251"), "windows-1251"),
    (b"<?xml version='1.0'?><a>" + b"x" * 50_000 + "日本</a>".encode(), "UTF-8"),
]


@pytest.mark.parametrize(("body", "encoding"), SMALL)
def test_the_encoding_of_a_small_document_is_final_before_the_first_read(
    body: bytes, encoding: str, tmp_path: Path
) -> None:
    """What is in hand is judged at once."""
    path, packed = tmp_path / "feed.xml", tmp_path / "feed.xml.gz"
    path.write_bytes(body)
    packed.write_bytes(gzip.compress(body))
    sources = [lambda: body, lambda: io.BytesIO(body), lambda: path, lambda: packed, lambda: path.open("rb")]
    for source in sources:
        with XmlReader(source(), content_type="text/xml") as reader:
            before = reader.resolution
            assert before.encoding == encoding
            text = reader.read()
            assert reader.resolution == before
        assert text == decode(body, "text/xml").text


def test_a_stream_that_may_wait_is_not_read_further() -> None:
    class Slow:
        """A stream that gives a piece at a time."""

        def __init__(self) -> None:
            self.pieces = [b"<?xml version='1.0'?><rss><channel><title>" + b"x" * 64, "é".encode()]

        def read(self, size: int) -> bytes:
            return self.pieces.pop(0) if self.pieces else b""

    slow = Slow()
    with XmlReader(slow) as reader:
        assert len(slow.pieces) == 1
        assert reader.resolution.steps[-1].verdict == "provisional"
        assert reader.read().endswith("é")
        assert reader.resolution.steps[-1].verdict == "answer"


def test_a_reader_that_was_not_opened_has_a_representation() -> None:
    """It is in the traceback of its error, which is shown with the local variables."""
    for source, error in (("http://127.0.0.1:1/", FetchError), (object(), TypeError), ("no-file", OSError)):
        with pytest.raises(error) as caught:
            XmlReader(source)
        shown = "".join(
            traceback.TracebackException.from_exception(caught.value, capture_locals=True).format()
        )
        assert "<XmlReader: not opened>" in shown
