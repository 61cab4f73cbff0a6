"""The decoder of UTF-8: parts of damaged text, and a document that was read as UTF-8 for the decision."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st
from support.each import each
from support.generated import generated

from feedcharset.charsets.lookup import by_name
from feedcharset.evidence.window import Window
from feedcharset.text.byte_decoder import Utf8Decoder, text_decoder
from feedcharset.text.options import Errors
from feedcharset.text.source_positions import RepairLog
from feedcharset.text.utf8_repair import Utf8Repairer, repair

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


@generated(
    40, 150, DAMAGED, st.one_of(st.just(b""), DAMAGED), st.sampled_from(get_args(Errors)[1:]), st.booleans()
)
def test_a_window_that_was_read_is_not_decoded_again(
    data: bytes, rest: bytes, errors: str, mixture: bool
) -> None:
    """The text, and the offsets of the repairs, are those of the bytes; `rest` follows the window."""
    window = Window(b"\xe9" + data, ends=not rest)
    window.utf8()
    logs = RepairLog(), RepairLog()
    texts = []
    for log, known in zip(logs, (window, None), strict=True):
        before = text_decoder(by_name("UTF-8"), errors, log, lenient=True, offset=2)
        decoder = text_decoder(by_name("UTF-8"), errors, log, lenient=True, window=known)
        if mixture:
            escaped = known.escaped if known is not None and not rest else None
            decoder = Utf8Decoder(errors, log, page="windows-1252", escaped=escaped)
        text = before.decode(b"<a>")
        decoder.follow(before)
        texts.append(
            text + decoder.decode(window.data, not rest) + (decoder.decode(rest, True) if rest else "")
        )
    assert texts[0] == texts[1]
    assert logs[0].repairs == logs[1].repairs


@each("errors", ["replace", "space", "windows-1252"])
@each("label", ["GBK", "windows-874", "UTF-16LE"])
@each("rest", [b"", b"\xa1\x85\xff"])
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


QUOTATIONS = (
    # Bytes among UTF-8, and their text.
    (b"\xab\xa0qualit\xe9\xa0\xbb", "«\xa0qualité\xa0»"),
    (b"dit \xab la qualit\xe9\xa0\xbb, et", "dit « la qualité\xa0», et"),
    (b"\x93caf\xe9\x85\x94 \x93th\xe9\x85\x94 etc.", "“café…” “thé…” etc."),
    (b"\x93\xe8\x85\x94", "“è…”"),
    (b"\x84Caf\xe9\x85\x94", "„Café…”"),
    (b"\x84Caf\xe9\x85\x93", "„Café…“"),
    (b"\x91caf\xe9\x85\x92", "‘café…’"),
    (b"\x8bqualit\xe9\xa0\x9b", "‹qualité\xa0›"),
    (b"\xabCAF\xc9\xbb", "«CAFÉ»"),
    (b"\xab" + b"a" * 255 + b"\xe9\xa0\xbb", "«" + "a" * 255 + "é\xa0»"),
    # No quotation is open, or not by a byte of the page: the sequence is UTF-8.
    (b"\xab" + b"a" * 256 + b"\xe9\xa0\xbb", "«" + "a" * 256 + "頻"),
    (b"\xab a \xbb t\xe9\xa0\xbb", "« a » t頻"),
    (b"\xab a\nt\xe9\xa0\xbb", "« a\nt頻"),
    (b"\xab a<t\xe9\xa0\xbb", "« a<t頻"),
    (b"\xab a>t\xe9\xa0\xbb", "« a>t頻"),
    (b"\x93 t\xe9\xa0\xbb", "“ t頻"),
    ("« t頻 “ été”".encode(), "« t頻 “ été”"),
    (b"\xe9\xabt\xe9\xa0\xbb", "é«t頻"),
    (b"\xab t\xe9\xa0\xbb\xe9\xa0\xbb", "« t頻頻"),
    (b"\xab t\xe9\x85\x94", "« t酔"),
)


@each(("item", "text"), QUOTATIONS, ids=range(len(QUOTATIONS)), every=2)
def test_a_sequence_that_closes_a_quotation_of_windows_1252(item: bytes, text: str) -> None:
    """In UTF-8 that stands around it; cut at every byte."""
    around = "Les élèves de l’école\n"
    data, wanted = around.encode() + item + ("\n" + around).encode(), f"{around}{text}\n{around}"
    results = set()
    for cut in range(len(data) + 1):
        log = RepairLog()
        decoder = Utf8Decoder("windows-1252", log, known_damage=True)
        read = decoder.decode(data[:cut]) + decoder.decode(data[cut:], True)
        results.add((read, log.repairs))
        repairer = Utf8Repairer()
        repairer.decoder.expect_quotations()
        pieces = [repairer.feed(data[:cut]), repairer.feed(data[cut:], True)]
        results.add((b"".join(pieces).decode(), repairer.repairs))
    ((read, repairs),) = results
    assert read == wanted
    offsets, at = [], len(around.encode())
    for char in text:
        is_utf8 = data.startswith(char.encode(), at)
        offsets += [] if is_utf8 else [at]
        at += len(char.encode()) if is_utf8 else 1
    assert (repairs.count, list(repairs.offsets)) == (len(offsets), offsets)


def test_only_where_bytes_are_read_by_windows_1252() -> None:
    data = "été ".encode() + b"\xab qualit\xe9\xa0\xbb"
    for errors, text in ("latin-1", "été « qualit頻"), ("replace", "été \ufffd qualit頻"):
        assert Utf8Decoder(errors, RepairLog(), known_damage=errors == "latin-1").decode(data, True) == text
    assert repair(data).data.decode() == "été « qualit頻"  # byte for byte
