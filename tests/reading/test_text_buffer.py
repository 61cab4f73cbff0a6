"""The buffer between a source's pieces and what is read."""

from __future__ import annotations

import io
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedcharset.reading import decoded_stream
from feedcharset.reading.decoded_stream import TextBuffer

TEXT = st.text("ab\r\n", max_size=8)
NAMES = st.sampled_from(["read", "read1", "readline", "next_line"])
CALLS = st.lists(st.tuples(NAMES, st.integers(-1, 9), st.integers(0, 9)), max_size=20)


def buffer(pieces: list[str]) -> TextBuffer:
    left = iter(pieces)
    return TextBuffer(lambda wanted: next(left, None))


@given(st.lists(TEXT, max_size=8), CALLS)
def test_whatever_is_called_the_text_comes_once_and_in_order(pieces: list[str], calls) -> None:
    """read, read1, readline and give_back share one position; nothing is lost, nothing comes twice."""
    waiting = buffer(pieces)
    got = ""
    for name, size, back in calls:
        if name == "read1":
            size = max(size, 1)
        text = waiting.next_line() if name == "next_line" else getattr(waiting, name)(size)
        got += text
        assert size < 0 or len(text) <= size or name == "next_line"
        if name != "read" and text:
            count = min(back, len(text))
            waiting.give_back(count)
            got = got[: len(got) - count]
    assert got + waiting.read(-1) == "".join(pieces)
    assert waiting.read(5) == waiting.read1(5) == waiting.readline() == ""


@given(st.lists(TEXT, max_size=8), CALLS)
def test_lines_are_those_of_the_standard_library(pieces: list[str], calls) -> None:
    """readline, with and without a size, and next_line: as io.StringIO with newline=""."""
    waiting, right = buffer(pieces), io.StringIO("".join(pieces), newline="")
    for name, size, _ in calls:
        if name == "readline":
            assert waiting.readline(size) == right.readline(size)
        else:
            assert waiting.next_line() == right.readline()
    assert waiting.next_line() == right.readline()


@pytest.mark.parametrize("pieces", [["a\rb", "c"], ["a\r\nb", "c"], ["a\nb", "c"]])
def test_a_line_that_is_whole_needs_no_further_piece(pieces: list[str]) -> None:
    """Of a CR at the end of a piece alone it is not known whether LF follows."""
    left = iter(pieces)
    waiting = TextBuffer(lambda wanted: next(left, None))
    assert (waiting.readline() + "b", next(left)) == tuple(pieces)
    left = iter(["a\r", "b", "c"])
    assert (TextBuffer(lambda wanted: next(left, None)).readline(), next(left)) == ("a\r", "c")


@pytest.mark.parametrize("lines", [1, 2, 3, 5, 8])
def test_lines_do_not_depend_on_how_many_are_divided_at_once(
    lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoded_stream, "LINES", lines)
    pieces = ["a\nbc\r\n", "\rdef\r", "\ng", "", "\n\nlast"]
    waiting = buffer(pieces)
    assert list(iter(waiting.next_line, "")) == list(io.StringIO("".join(pieces), newline=""))


@given(st.lists(TEXT, max_size=8), st.integers(1, 9))
def test_read_gives_less_than_asked_only_at_the_end(pieces: list[str], size: int) -> None:
    """As io.TextIOBase.read: fewer characters than `size` only at the end."""
    waiting = buffer(pieces)
    total = "".join(pieces)
    for at in range(0, len(total), size):
        assert waiting.read(size) == total[at : at + size]


def test_read1_gives_each_piece_as_it_comes() -> None:
    """It waits for no second piece once it has a character."""
    waiting = buffer(["", "a", "", "bc", "d"])
    assert [waiting.read1(9) for _ in range(4)] == ["a", "bc", "d", ""]


class Failing:
    """Pieces, with failures between them."""

    def __init__(self, *pieces: str | Exception) -> None:
        self.pieces = list(pieces)

    def __call__(self, wanted: int) -> str | None:
        piece = self.pieces.pop(0) if self.pieces else None
        if isinstance(piece, Exception):
            raise piece
        return piece


@pytest.mark.parametrize("call", [lambda b: b.read(6), lambda b: b.read(-1), lambda b: b.readline()])
def test_what_came_before_a_failure_is_kept(call) -> None:
    waiting = TextBuffer(Failing("ab", "cd", OSError("reset"), "ef\n"))
    with pytest.raises(OSError, match="reset"):
        call(waiting)
    assert waiting.read(4) == "abcd"
    assert waiting.read(-1) == "ef\n"


def test_a_long_line_takes_linear_time() -> None:
    """Pieces are joined once: the number of characters copied is a small multiple of the line's length."""
    pieces = ["x" * 1000] * 20_000 + ["\n"]
    assert len(buffer(pieces).readline()) == 20_000_001


def test_clear_ends_it() -> None:
    waiting = buffer(["abc"])
    assert waiting.read(1) == "a"
    waiting.clear()
    for read in (
        waiting.next_line,
        partial(waiting.read, -1),
        partial(waiting.read1, 1),
        partial(waiting.take, 1),
    ):
        with pytest.raises(ValueError, match="closed XmlReader"):
            read()


def test_a_line_is_read_no_further_than_its_size() -> None:
    """A source that has nothing more for now is not asked for it."""
    asked: list[int] = []
    pieces = iter(["a" * 8, "b"])

    def more(wanted: int) -> str | None:
        asked.append(wanted)
        return next(pieces, None)

    waiting = TextBuffer(more)
    assert [waiting.readline(4), waiting.readline(4)] == ["aaaa", "aaaa"]
    assert len(asked) == 1
    assert waiting.readline(4) == "b"
    assert len(asked) > 1
