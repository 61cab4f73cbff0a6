"""The decoder of UTF-8: parts of damaged text, and a document that was read as UTF-8 for the decision."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from support.generated import generated

from feedcharset.charsets.lookup import by_name
from feedcharset.evidence.window import Window
from feedcharset.text.byte_decoder import text_decoder
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


DAMAGED = st.lists(PIECES, min_size=1, max_size=40).map(b"".join)


@generated(100, 300, DAMAGED, st.one_of(st.just(b""), DAMAGED), st.sampled_from(ERRORS[1:]), st.booleans())
def test_a_window_that_was_read_is_not_decoded_again(
    data: bytes, rest: bytes, errors: str, mixture: bool
) -> None:
    """The text, and the offsets of the repairs, are those of the bytes; `rest` follows the window."""
    window = Window(b"\xe9" + data, ends=not rest)
    window.utf8()
    logs = RepairLog(), RepairLog()
    page = "windows-1252" if mixture else None
    texts = []
    for log, known in zip(logs, (window, None), strict=True):
        before = text_decoder(by_name("UTF-8"), errors, log, lenient=True, offset=2)
        decoder = text_decoder(by_name("UTF-8"), errors, log, lenient=True, page=page, window=known)
        text = before.decode(b"<a>")
        decoder.follow(before)
        texts.append(
            text + decoder.decode(window.data, not rest) + (decoder.decode(rest, True) if rest else "")
        )
    assert texts[0] == texts[1]
    assert logs[0].repairs == logs[1].repairs


@pytest.mark.parametrize("errors", ["replace", "space", "windows-1252"])
@pytest.mark.parametrize("label", ["GBK", "windows-874", "UTF-16LE"])
@pytest.mark.parametrize("rest", [b"", b"\xa1\x85\xff"])
def test_a_window_that_was_decoded_by_its_charset_is_not_decoded_again(
    label: str, errors: str, rest: bytes
) -> None:
    data = b"\xb0\xa1\xff<\xdb b\xa1\xa1\x81"
    window = Window(data, ends=not rest)
    window.damage(by_name(label))
    found = []
    for known in (window, None):
        log = RepairLog()
        decoder = text_decoder(by_name(label), errors, log, lenient=True, window=known)
        text = decoder.decode(data, not rest)
        found.append((text + (decoder.decode(rest, True) if rest else ""), log.repairs))
    assert found[0] == found[1]


def test_what_was_decoded_for_the_decision_is_kept() -> None:
    window = Window(b"\xe9 \xc3\xa9 " * 20, ends=True)
    assert window.escaped is None
    window.utf8()
    assert window.escaped is not None
    assert window.decoded(by_name("GBK")) is None
    window.damage(by_name("GBK"))
    assert window.decoded(by_name("GBK")) is None  # the damage is dense
    window = Window("雨".encode("gbk") * 20 + b"\xff ", ends=True)
    window.damage(by_name("GBK"))
    assert window.decoded(by_name("GBK")) is not None
    assert window.decoded(by_name("Big5")) is None
