"""The opening: what the head allows, and that it is remembered by nothing but what it depends on."""

from __future__ import annotations

import pytest

from feedcharset.decide.opening import as_bytes, conclude, open_document
from feedcharset.errors import EncodingConflict
from feedcharset.evidence.window import Window

DECLARED = b"<?xml version='1.0' encoding='utf-8'?>"


@pytest.mark.parametrize(
    ("head", "windowed", "if_utf8"),
    [
        (DECLARED + b"<a/>", True, True),
        (b"<a/>", True, True),
        (b"<?xml version='1.0' encoding='koi8-r'?><a/>", True, False),
        ("<a/>".encode("utf-16-le") * 40, False, False),
    ],
)
def test_what_the_head_allows(head: bytes, windowed: bool, if_utf8: bool) -> None:
    opening = open_document(head, None)
    assert (opening.windowed, opening.if_utf8 is not None) == (windowed, if_utf8)
    assert opening.decision.steps[-1].verdict == ("provisional" if windowed else "answer")
    assert opening.if_ascii.steps[-1].verdict == "answer"


@pytest.mark.parametrize("ends", [True, False])
def test_well_formed_is_what_the_chain_concludes(ends: bool) -> None:
    head, window = DECLARED + b"<a>", "žluťoučký kůň".encode()
    opening = open_document(head, "text/xml")
    short = opening.well_formed(len(head), ends)
    long = conclude(opening.decision.facts, len(head), Window(window, ends=ends))
    assert short.facts.body[:6] == long.facts.body[:6]
    assert (short.encoding, short.rule, short.codec) == (long.encoding, long.rule, long.codec)
    assert [step[:3] for step in short.steps] == [step[:3] for step in long.steps]


def test_strict_decides_at_once() -> None:
    opening = open_document(DECLARED + b"<a/>", None, lenient=False)
    assert opening.decision is opening.if_ascii
    assert (opening.windowed, opening.if_utf8) == (False, None)
    with pytest.raises(EncodingConflict):
        open_document(b"\xef\xbb\xbf<?xml version='1.0' encoding='gbk'?>", None, lenient=False)


def test_bytes_like_data() -> None:
    assert as_bytes(bytearray(b"ab")) == as_bytes(memoryview(b"ab")) == b"ab"
    with pytest.raises(TypeError, match="a str is decoded already"):
        as_bytes("ab")  # type: ignore[arg-type]


def test_what_is_not_bytes_like_is_refused() -> None:
    with pytest.raises(TypeError, match="pass the document's bytes, not int"):
        as_bytes(5)  # type: ignore[arg-type]
