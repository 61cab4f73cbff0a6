"""The engines with the caller's `errors=`: every charset, cut at every byte."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import strategies as st
from support.cases import load
from support.each import each
from support.generated import generated

from feedcharset import decode as decode_document
from feedcharset.charsets.lookup import by_name
from feedcharset.errors import DecodeError, UnknownEncoding
from feedcharset.results import Repairs
from feedcharset.text.byte_decoder import text_decoder
from feedcharset.text.options import Errors
from feedcharset.text.source_positions import RepairLog

TEXTS = load("charset_texts")
NAMES = [case["charset"] for case in TEXTS]
LENIENT = pytest.mark.parametrize("lenient", [False, True], ids=["strict", "lenient"])


def decode(
    name: str, pieces: list[bytes], errors: str, *, lenient: bool = False, offset: int = 0
) -> tuple[str, Repairs]:
    log = RepairLog()
    decoder = text_decoder(by_name(name), errors, log, lenient=lenient, offset=offset)
    parts = [decoder.decode(piece) for piece in pieces]
    return "".join([*parts, decoder.decode(b"", True)]), log.repairs


@pytest.mark.long
@LENIENT
@each("case", TEXTS, ids=lambda case: case["charset"])
def test_text_cut_at_every_byte(case: dict[str, Any], lenient: bool) -> None:
    document = bytes.fromhex(case["bytes"])
    text = case.get("lenient", case["text"]) if lenient else case["text"]
    for cut in range(len(document) + 1):
        pieces = [document[:cut], b"", document[cut:]]
        assert decode(case["charset"], pieces, "strict", lenient=lenient) == (text, Repairs())
    pieces = [bytes([byte]) for byte in document]
    assert decode(case["charset"], pieces, "windows-1252", lenient=lenient) == (text, Repairs())


@pytest.mark.long
@LENIENT
@each("name", NAMES)
@generated(1, 6, data=st.data())
def test_damage_cut_at_every_byte(name: str, lenient: bool, data: st.DataObject) -> None:
    """The same text, the same offsets, the same error."""
    document = data.draw(st.binary(max_size=12))
    for errors in get_args(Errors)[1:]:
        whole = decode(name, [document], errors, lenient=lenient)
        assert not any("\ud800" <= character <= "\udfff" for character in whole[0])
        for cut in range(len(document) + 1):
            assert decode(name, [document[:cut], document[cut:]], errors, lenient=lenient) == whole
    assert len({str(failure(name, document, cut, lenient)) for cut in range(len(document) + 1)}) == 1


def failure(name: str, document: bytes, cut: int, lenient: bool) -> DecodeError | None:
    try:
        decode(name, [document[:cut], document[cut:]], "strict", lenient=lenient)
    except DecodeError as error:
        return error
    return None


@each(
    ("name", "document", "replaced", "spaced", "offsets"),
    [
        ("US-ASCII", b"a\xe9\xe8b", "a\ufffd\ufffdb", "a  b", (1, 2)),
        ("windows-1252", b"a\x81b", "a\ufffdb", "a b", (1,)),
        ("Shift_JIS", b"\x82\xa0\x81.\xff", "あ\ufffd.\ufffd", "あ . ", (2, 4)),
        ("EUC-JP", b"\xa4\xa2\x8f\xa2\xa4\xa2", None, None, None),
        ("UTF-16BE", b"\0a\xd8\0\xd8\0\0b", "a\ufffd\ufffdb", "a    b", (2, 4)),
        ("UTF-16LE", b"a\0\0\xdcb\0c", "a\ufffdb\ufffd", "a  b ", (2, 6)),
        ("UTF-32BE", b"\0\0\0a\0\x11\0\0\0\0\xd8\0\0\0\0b", "a\ufffd\ufffdb", "a" + " " * 8 + "b", (4, 8)),
        ("UTF-32LE", b"a\0\0\0\0\0\x11\0b\0", "a\ufffd\ufffd", "a" + " " * 6, (4, 8)),
        ("UCS-4-2143", b"\0\0a\0\x11\0\0\0\0\0b\0", "a\ufffdb", "a    b", (4,)),
        ("IBM424", b"\x81\x41\x70", None, None, None),
    ],
)
def test_one_replacement_for_each_damaged_unit(
    name: str, document: bytes, replaced: str | None, spaced: str | None, offsets: tuple[int, ...] | None
) -> None:
    """UTF-16 and UTF-32: a code unit; others: a byte. `latin-1` and `windows-1252` mean `replace`."""
    text, repairs = decode(name, [document], "replace", offset=7)
    assert decode(name, [document], "latin-1", offset=7) == (text, repairs)
    assert decode(name, [document], "windows-1252", offset=7) == (text, repairs)
    assert text.count("\ufffd") == repairs.count == len(repairs.offsets)
    if replaced is not None and offsets is not None:
        assert text == replaced
        assert repairs.offsets == tuple(offset + 7 for offset in offsets)
        assert decode(name, [document], "space")[0] == spaced


@each(
    ("name", "document", "place", "bad", "reason"),
    [
        ("US-ASCII", b"a\r\nb\xe9", (4, 2, 2), b"\xe9", "ordinal not in range(128)"),
        ("windows-1252", b"\x80\n\x81", (2, 2, 1), b"\x81", "character maps to <undefined>"),
        ("Shift_JIS", b"\x82\xa0\x82", (2, 1, 2), b"\x82", "unexpected end of data"),
        ("GBK", b"\xc1\xaa\xff", (2, 1, 2), b"\xff", "illegal multibyte sequence"),
        ("UTF-16BE", b"\0\r\0\n\0a\xdc\0", (6, 2, 2), b"\xdc\0", "illegal UTF-16 surrogate"),
        ("UTF-16LE", b"a\0\r\0b", (4, 2, 1), b"b", "unexpected end of data"),
        ("UTF-32BE", b"\0\0\0a\0\x11\0\0", (4, 1, 2), b"\0\x11\0\0", "code point not in range"),
        ("UCS-4-2143", b"\0\0a\0\x11\0\0\0", (4, 1, 2), b"\x11\0\0\0", "code point not in range"),
        ("ISO-2022-JP", b'\x1b$B$"\xff', (5, 1, 2), b"\xff", "illegal multibyte sequence"),
    ],
)
def test_strict(name: str, document: bytes, place: tuple[int, int, int], bad: bytes, reason: str) -> None:
    for cut in range(len(document) + 1):
        with pytest.raises(DecodeError) as caught:
            decode(name, [document[:cut], document[cut:]], "strict", offset=10)
        error = caught.value
        assert (error.offset - 10, error.line, error.column) == place
        assert error.object[error.start : error.end] == bad
        assert error.encoding == name
        assert error.reason.startswith(reason)


@pytest.mark.parametrize("name", ["ISO-2022-KR", "UTF-16"])
def test_what_is_not_decoded(name: str) -> None:
    with pytest.raises(UnknownEncoding):
        text_decoder(by_name(name), "replace", RepairLog(), lenient=True)


def test_a_decode_error_in_a_large_piece_keeps_the_text_before_it() -> None:
    body = b"<a>" + "ž".encode() * 200_000 + b"\xff</a>"
    with pytest.raises(DecodeError) as caught:
        decode_document(body, encoding="utf-8", errors="strict", mojibake="fix")
    assert caught.value.offset == 400_003
    assert caught.value.partial.endswith("ž")
    kana = b"\x82\xa0" * 100_000
    with pytest.raises(DecodeError) as caught:
        decode_document(b"<a>" + kana + b"\xff\xff</a>", encoding="shift_jis", errors="strict")
    assert caught.value.offset == 200_003


@pytest.mark.parametrize("charset", ["shift_jis", "windows-874", "utf-16le"])
def test_a_decode_error_beside_filters_has_its_offset(charset: str) -> None:
    body = "<a>x".encode(charset if charset != "windows-874" else "cp874") + b"\xff\xdf\xff"
    with pytest.raises(DecodeError) as caught:
        decode_document(body, encoding=charset, errors="strict", mojibake="fix")
    assert caught.value.offset in range(4, len(body))
