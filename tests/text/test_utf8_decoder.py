"""The decoder of UTF-8: parts of damaged text, and a document that was read as UTF-8 for the decision."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedcharset.charsets.lookup import by_name
from feedcharset.evidence.window import Window
from feedcharset.text import byte_decoder
from feedcharset.text.byte_decoder import Utf8Decoder, text_decoder
from feedcharset.text.options import ERRORS
from feedcharset.text.source_positions import RepairLog

PIECES = st.sampled_from(
    [
        "é".encode(),
        "中".encode(),
        "😎".encode(),
        b"\xe9",
        b"\xc3",
        b"\xe2\x80",
        b"\xed\xa0\xbd\xed\xb8\x8e",
        b"a",
        b" ",
    ]
)


def test_the_parts_of_damaged_text() -> None:
    assert byte_decoder._within(None, 0, 5) is None
    assert byte_decoder._within([(0, 2), (4, 6), (9, 10)], 1, 5) == [(0, 1), (3, 4)]
    decoder = Utf8Decoder("replace", RepairLog())
    assert [decoder._decode_part(text.encode(), text, 0, None) for text in ("", "abc")] == ["", "abc"]


@given(st.lists(PIECES, min_size=1, max_size=40).map(b"".join), st.sampled_from(ERRORS[1:]), st.booleans())
@settings(max_examples=300, deadline=None)
def test_a_window_that_was_read_is_not_decoded_again(data: bytes, errors: str, mixture: bool) -> None:
    """The text, and the offsets of the repairs, are those of the bytes."""
    window = Window(b"\xe9" + data, ends=True)
    window.utf8()
    logs = RepairLog(), RepairLog()
    page = "windows-1252" if mixture else None
    texts = []
    for log, known in zip(logs, (window, None), strict=True):
        before = text_decoder(by_name("UTF-8"), errors, log, lenient=True, offset=2)
        decoder = text_decoder(by_name("UTF-8"), errors, log, lenient=True, page=page, window=known)
        text = before.decode(b"<a>")
        decoder.follow(before)
        texts.append(text + decoder.decode(window.data, True))
    assert texts[0] == texts[1]
    assert logs[0].repairs == logs[1].repairs


@pytest.mark.parametrize("errors", ["replace", "space", "windows-1252"])
@pytest.mark.parametrize("label", ["GBK", "windows-874", "UTF-16LE"])
def test_a_window_that_was_decoded_by_its_charset_is_not_decoded_again(label: str, errors: str) -> None:
    data = b"\xb0\xa1\xff<\xdb b\xa1\xa1\x81"
    window = Window(data, ends=True)
    window.damage(by_name(label))
    found = []
    for known in (window, None):
        log = RepairLog()
        decoder = text_decoder(by_name(label), errors, log, lenient=True, window=known)
        found.append((decoder.decode(data, True), log.repairs))
    assert found[0] == found[1]


@pytest.mark.parametrize("ends", [True, False])
def test_only_the_rest_of_a_document_is_kept(ends: bool) -> None:
    window = Window(b"\xe9 \xc3\xa9 " * 20, ends=ends)
    assert window.escaped() is None
    window.utf8()
    assert (window.escaped() is not None) is ends
    assert window.decoded(by_name("GBK")) is None
    window.damage(by_name("GBK"))
    assert (window.decoded(by_name("GBK")) is not None) is ends
    assert window.decoded(by_name("Big5")) is None
