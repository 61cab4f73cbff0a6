"""`XmlReader` is a text stream as io.TextIOWrapper is one, and `XmlDecoder` an incremental decoder."""

from __future__ import annotations

import codecs
import io
import pickle
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import strategies as st
from support.each import each
from support.generated import generated

from feedcharset import DecodeError, EncodingConflict, XmlDecoder, XmlReader

TEXTS = st.lists(
    st.sampled_from(["a", "é", "漢", "\r", "\n", "\r\n", " ", "𝄞", "<b>", "x" * 50]), max_size=40
).map(lambda parts: "a" + "".join(parts))


class Size:
    """A number that is no int."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return f"Size({self.number})"


SIZES = st.one_of(st.integers(-2, 60), st.integers(-2, 60).map(Size), st.booleans())
CALLS = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(["read", "readline", "readlines"]), st.one_of(st.just(()), st.tuples(SIZES))
        ),
        st.tuples(st.sampled_from(["read", "readlines"]), st.just((None,))),
        st.tuples(st.just("__next__"), st.just(())),
    ),
    max_size=20,
)


class Pieces(io.BytesIO):
    """A stream that gives `most` bytes at once."""

    most = 1 << 20

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self.most)


def called(stream: Any, name: str, arguments: tuple[Any, ...]) -> Any:
    try:
        return getattr(stream, name)(*arguments)
    except StopIteration:
        return "the end"


@generated(24, 75, TEXTS, CALLS, st.integers(1, 100))
def test_the_same_calls_give_the_same(text: str, calls: list[tuple[str, tuple[Any, ...]]], most: int) -> None:
    """io.TextIOBase, with newline="": lines end at LF, CR or CRLF and are returned unchanged."""
    source = Pieces(text.encode())
    source.most = most
    expected = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8", newline="")
    with XmlReader(source, encoding="UTF-8", declaration="keep") as reader:
        for name, arguments in calls:
            assert called(reader, name, arguments) == called(expected, name, arguments), (name, arguments)


@pytest.mark.parametrize(
    "call",
    [
        *(
            lambda stream: stream.write("x"),
            lambda stream: stream.writelines(["x"]),
            lambda stream: stream.seek(0),
        ),
        *(
            lambda stream: stream.read("x"),
            lambda stream: stream.readline(1.5),
        ),
        *(lambda stream: stream.read(1.5), lambda stream: stream.readlines("x")),
    ],
)
def test_what_is_refused_is_refused_alike(call: Any) -> None:
    class NotSeekable(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def writable(self) -> bool:
            return False

    wrapper = io.TextIOWrapper(NotSeekable(b"abc"), encoding="utf-8", newline="")
    with pytest.raises((io.UnsupportedOperation, TypeError)) as expected:
        call(wrapper)
    with XmlReader(b"abc") as reader, pytest.raises(expected.type):
        call(reader)


@each(
    "name",
    ["read", "readline", "readlines", "__next__", "__iter__", "readable", "seekable", "writable", "isatty"],
)
def test_a_closed_reader_refuses(name: str) -> None:
    reader = XmlReader(b"<r/>")
    reader.close()
    with pytest.raises(ValueError, match="closed"):
        getattr(reader, name)()


# -- the text before an undecodable byte ------------------------------------------------------------------


def until_error(reader: XmlReader, calls: Any) -> tuple[list[str], str]:
    got = []
    try:
        while text := calls(reader):
            got.append(text)
    except DecodeError as error:
        return got, str(error)
    raise AssertionError("no error")


@each(
    ("body", "before", "options"),
    [
        ("<r>один\nдва\r".encode() + b"\xff\n</r>", "<r>один\nдва\r", {}),
        (
            "<?xml version='1.0' encoding='utf-8'?><r>é".encode() + b"\x80",
            "<?xml version='1.0'                 ?><r>é",
            {},
        ),
        ("<r>日本".encode("shift_jis") + b"\x81\x20</r>", "<r>日本", {"encoding": "Shift_JIS"}),
        ("<r>д".encode("cp1253", "replace") + b"\xd2</r>", "<r>?", {"encoding": "windows-1253"}),
        (b"x" * 70_000 + "é".encode() + b"\xe2\x82", "x" * 70_000 + "é", {}),
        (
            b"<r>" + b"a\x08" * 30 + b"\xff",
            "<r>" + "a\ufffd" * 30,
            {"xml_chars": "replace", "encoding": "UTF-8"},
        ),
        ("<r>Ã©".encode() + b"\xff", "<r>é", {"mojibake": "fix", "encoding": "UTF-8"}),
        (b"\xff", "", {"encoding": "UTF-8"}),
    ],
    ids=range(8),
)
@each("lenient", [True, False])
def test_the_text_before_is_the_same_in_every_cut(
    body: bytes, before: str, options: Any, lenient: bool
) -> None:
    errors = set()
    for most in (1, 2, 3, 5, 1000, 1 << 20) if len(body) < 1000 else (1000, 60 * 1024, 1 << 20):
        for call in (
            lambda reader: reader.read(7 if len(body) < 1000 else 7000),
            lambda reader: reader.read(1 << 20),
            lambda reader: reader.readline(),
            lambda reader: reader.readline(3 if len(body) < 1000 else 30_000),
            lambda reader: next(reader, ""),
        ):
            source = Pieces(body)
            source.most = most
            with XmlReader(source, lenient=lenient, errors="strict", **options) as reader:
                got, error = until_error(reader, call)
                assert "".join(got) == before
                errors.add(error)
                with pytest.raises(DecodeError):
                    reader.read(1)
    assert len(errors) == 1


def test_a_read_of_everything_raises_and_keeps_the_text() -> None:
    with XmlReader(b"<r>abc\xff", lenient=False) as reader:
        for _ in range(2):
            with pytest.raises(DecodeError):
                reader.read()
        assert reader.read(100) == "<r>abc"
        with pytest.raises(DecodeError):
            reader.read(100)


# -- XmlDecoder -------------------------------------------------------------------------------------------

DOCUMENTS = {
    "utf-8": ("<?xml version='1.0' encoding='utf-8'?><r>Ünïcödé " + "漢字" * 50 + "</r>").encode(),
    "koi8-r": ("<?xml version='1.0' encoding='koi8-r'?><r>" + "Вести " * 50 + "</r>").encode("koi8-r"),
    "shift_jis": ("<?xml version='1.0' encoding='shift_jis'?><r>" + "日本の" * 50 + "</r>").encode(
        "shift_jis"
    ),
    "iso-2022-jp": ("<?xml version='1.0' encoding='iso-2022-jp'?><r>" + "日本 a" * 50 + "</r>").encode(
        "iso2022_jp"
    ),
    "utf-16": ("\ufeff<?xml version='1.0'?><r>" + "日本 a" * 50 + "</r>").encode("utf-16-le"),
    "mixture": b"<r>" + b"caf\xe9 caf\xc3\xa9\xc3\xa8 " * 50 + b"</r>",
    "damage": b"<r>caf\xc3\xa9" + b"plain " * 50 + b"\xe9" * 5 + b"</r>",
    "a page": b"<?xml version='1.0' encoding='windows-1252'?><r>" + b"caf\xe9 " * 50 + b"caf\xc3\xa9 </r>",
    "ascii": b"<r>" + b"plain " * 50 + b"</r>",
}
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "all stages": {"mojibake": "fix", "xml_chars": "replace", "errors": "replace"},
    "small window": {"lookahead": 10},
}


@each("options", OPTIONS.values(), ids=OPTIONS)
@each("body", DOCUMENTS.values(), ids=DOCUMENTS, every=3)
def test_a_state_can_be_kept_and_set(body: bytes, options: dict[str, Any]) -> None:
    whole = XmlDecoder(**options)
    text = whole.decode(body, True)
    for cut in range(0, len(body), 71):
        decoder = XmlDecoder(**options)
        before = decoder.decode(body[:cut])
        state = decoder.getstate()
        assert isinstance(state[0], bytes)
        for other in (decoder, XmlDecoder(), decoder, None):
            if other is None:  # in another process
                state, other = pickle.loads(pickle.dumps(state)), XmlDecoder()
            other.setstate(state)
            assert before + other.decode(body[cut : cut + 40]) + other.decode(body[cut + 40 :], True) == text
            assert (other.resolution, other.repairs) == (whole.resolution, whole.repairs)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_reset_starts_anew(options: dict[str, Any]) -> None:
    decoder = XmlDecoder("text/xml;charset=koi8-r", **options)
    for cut in (0, 10, 60, None):
        for body in DOCUMENTS.values():
            with suppress(ValueError):
                decoder.decode(body[:cut])
            decoder.reset()
            assert not decoder.started
            fresh = XmlDecoder("text/xml;charset=koi8-r", **options)
            assert decoder.decode(body, True) == fresh.decode(body, True)
            assert (decoder.resolution, decoder.repairs) == (fresh.resolution, fresh.repairs)
            decoder.reset()


def test_after_the_end_there_is_an_error() -> None:
    decoder = XmlDecoder()
    decoder.decode(b"<r/>", True)
    assert decoder.decode(b"", True) == ""
    for data, final in ((b"<r/>", False), (b"x", True), (b"", False)):
        with pytest.raises(ValueError, match=r"the document has ended; call reset\(\)"):
            decoder.decode(data, final)
    assert decoder.encoding == "UTF-8"
    decoder.reset()
    assert decoder.decode(b"<r/>", True) == "<r/>"


def test_after_an_error_there_is_the_same_error() -> None:
    decoder = XmlDecoder(errors="strict", encoding="UTF-8")
    with pytest.raises(DecodeError) as caught:
        decoder.decode(b"<r>" + b"abc" * 3000 + "é".encode() + b"\xff")
    assert caught.value.partial == "<r>" + "abc" * 3000 + "é"
    for data in (b"more", b""):
        with pytest.raises(DecodeError) as again:
            decoder.decode(data)
        assert again.value is caught.value
    strict = XmlDecoder("text/xml; charset=utf-16", lenient=False)
    for _ in range(2):
        with pytest.raises(EncodingConflict):
            strict.decode(b"<r/>", True)
    strict.reset()
    assert strict.decode("<r/>".encode("utf-16"), True) == "<r/>"


def test_a_state_of_something_else_is_refused() -> None:
    for state in (None, (b"", 0), (b"",), codecs.getincrementaldecoder("utf-8")().getstate()):
        with pytest.raises(TypeError, match=r"setstate\(\) takes what getstate\(\)"):
            XmlDecoder().setstate(state)  # type: ignore[arg-type]


@each("name", ["ISO-2022-JP", "Shift_JIS", "GB18030", "UTF-16LE", "UTF-32BE"])
@each("options", [{"xml_chars": "drop"}, {"mojibake": "fix"}], ids=str)
def test_a_state_behind_a_cut_character(name: str, options: dict[str, Any]) -> None:
    decoder, other = XmlDecoder(encoding=name, **options), XmlDecoder()
    decoder.decode(b"<a>\x1b$B$\x81", True)
    other.setstate(pickle.loads(pickle.dumps(decoder.getstate())))
    assert other.repairs == decoder.repairs
    assert other.decode(b"", True) == ""


def test_a_detector_is_not_copied() -> None:
    class Detector:
        def __call__(self, data: bytes) -> str | None:
            return "koi8-r"

        def __deepcopy__(self, memo: object) -> None:
            raise AssertionError

    decoder = XmlDecoder(detector=Detector())
    decoder.decode(b"<r>")
    XmlDecoder().setstate(decoder.getstate())


def test_nothing_is_registered() -> None:
    XmlDecoder().decode(DOCUMENTS["koi8-r"], True)
    for name in ("feedcharset", "xml", "feedcharset-xml"):
        with pytest.raises(LookupError):
            codecs.lookup(name)
        with pytest.raises(LookupError):
            codecs.lookup_error(name)
