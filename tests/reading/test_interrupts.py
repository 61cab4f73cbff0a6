"""An exception of a signal's handler, at any line of the library: what was lost is never passed over."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import feedcharset
from feedcharset import XmlDecoder, XmlReader

LIBRARY = str(Path(feedcharset.__file__).parent)
TEXT = "<rss>" + "<i>\u017de</i>\n" * 9000 + "</rss>"


class Alarm(Exception):
    """Of the handler."""


WAYS: dict[str, Callable[[XmlReader], Callable[[], Any]]] = {
    "read": lambda reader: partial(reader.read, 20_000),
    "read all": lambda reader: reader.read,
    "readline": lambda reader: reader.readline,
    "utf8, read": lambda reader: partial(reader.utf8().read, 20_000),
    "utf8, read all": lambda reader: reader.utf8().read,
    "utf8, read1": lambda reader: partial(reader.utf8().read1, 20_000),
    "utf8, readline": lambda reader: reader.utf8().readline,
    "utf8, readline, kept": lambda reader: reader.utf8("keep").readline,
    "lines": lambda reader: partial(next, reader, ""),
}


def raising_at(number: int, error: type[Exception]) -> Callable[[FrameType, str, Any], Any]:
    """A trace function that raises, once, before the line of this number in the library."""
    lines = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        if not frame.f_code.co_filename.startswith(LIBRARY):
            return None
        # Python handles no signal between the last two lines of `not_interrupted`.
        ends = "found" in frame.f_locals or frame.f_code.co_name == "__del__"
        if event == "line" and not ends:
            lines += 1
            if lines == number:
                raise error
        return trace

    return trace


def read(way: str, number: int, error: type[Exception]) -> tuple[str, bool]:
    """What is read, and whether the call that was interrupted is followed by InterruptedError."""
    with XmlReader(io.BufferedReader(io.BytesIO(TEXT.encode()))) as reader:  # type: ignore[arg-type]
        call, parts, hit, before = WAYS[way](reader), [], False, sys.gettrace()
        sys.settrace(raising_at(number, error))
        try:
            while True:
                try:
                    part = call()
                except error:
                    hit = True
                    continue
                finally:
                    sys.settrace(before)  # that of coverage
                if not part:
                    break
                parts.append(part if isinstance(part, str) else part.decode())
                if not hit and len(parts) == 2:
                    sys.settrace(raising_at(number, error))  # the third call reads on
        except InterruptedError:
            return "", True
    return "".join(parts), hit


@pytest.mark.parametrize("error", [Alarm, TimeoutError])
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("way", WAYS)
def test_reading_on_never_passes_over_text(way: str, step: int, error: type[Exception]) -> None:
    told = 0
    for number in range(1, 400, step):
        text, hit = read(way, number, error)
        told += hit and not text
        assert text in ("", TEXT), number
    assert told > 5


@pytest.mark.parametrize("is_last", [False, True])
def test_a_detector_that_raises_has_interrupted_a_decoder(is_last: bool) -> None:
    """The text that was held is gone: the next call does not go on as if there was none."""
    body, answers = "<a>Погода на завтра</a>".encode("koi8-r"), iter([None, "koi8-r"])

    def detector(data: bytes) -> Any:
        if (answer := next(answers)) is None:
            raise Alarm
        return answer

    decoder = XmlDecoder(detector=detector, lookahead=8)
    before = decoder.decode(b"<r>" + b"x" * 30_000)
    with pytest.raises(Alarm):
        decoder.decode(body, is_last)
    for state in (None, decoder.getstate(), None):
        if state is not None:
            decoder.setstate(state)
        with pytest.raises(InterruptedError, match="reset"):
            decoder.decode(b"", True)
    decoder.reset()
    assert len(before) == 30_003
    assert decoder.decode(body, True) == body.decode("koi8-r")
    for _ in range(2):
        with pytest.raises(ValueError, match="has ended"):
            decoder.decode(b"")


def test_what_a_source_raises_is_no_interrupt() -> None:
    """Of a stream that does not wait, the next call reads on."""

    class Slow(io.RawIOBase):
        parts = iter([TEXT.encode()[:70_000], None, TEXT.encode()[70_000:], b""])

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> Any:
            part = next(self.parts, b"")
            if part is None:
                raise BlockingIOError(11, "nothing for now")
            return part

    reader, parts = XmlReader(Slow()), []
    while True:
        try:
            part = reader.read(30_000)
        except BlockingIOError:
            continue
        if not part:
            break
        parts.append(part)
    reader.close()
    assert "".join(parts) == TEXT
