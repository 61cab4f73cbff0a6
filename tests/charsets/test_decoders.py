"""The decoders: every charset, strict and lenient, whole and in pieces, sound and damaged."""

from __future__ import annotations

import csv
import pickle
import re
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import strategies as st
from support.cases import DATA, load
from support.each import each
from support.effort import growth
from support.generated import generated

from feedcharset.charsets import decoders
from feedcharset.charsets.decoders import (
    CERTAIN_BEHIND,
    characters_in,
    charset_decoder,
    count_damage,
    decode_window,
)
from feedcharset.charsets.east_asian import DENSE, HANDLED_BYTES, SPARSE_BYTES, SPARSE_DAMAGE, sequences_of
from feedcharset.charsets.lookup import NAMES, by_name
from feedcharset.charsets.single_byte import byte_table
from feedcharset.charsets.undecodable_bytes import (
    SURROGATES,
    UNDECODABLE_BYTE,
    UNDECODABLE_SEQUENCE,
    CharsetDecoder,
    as_surrogates,
)
from feedcharset.errors import UnknownEncoding
from feedcharset.results import Damage
from feedcharset.text.xml_decoder import XmlDecoder

TEXTS = load("charset_texts")
DAMAGE = load("charset_damage")
READABLE = [case["charset"] for case in TEXTS]
CJK = [name for name in READABLE if by_name(name).family == "CJK"]
TWO_WAYS = each("lenient", [False, True])
# Charsets of one byte a character share one decoder: some of them do for what is tried at random.
BY_CHARSET = each(
    "name",
    [name for name in READABLE if by_name(name).family not in ("single", "EBCDIC")]
    + ["ISO-8859-1", "windows-1253", "TIS-620", "IBM864", "IBM424", "IBM1047"],
)


def new(name: str, lenient: bool) -> CharsetDecoder:
    return charset_decoder(by_name(name), lenient=lenient)


def whole(name: str, source: bytes, lenient: bool) -> str:
    return new(name, lenient).decode(source, True)


def in_pieces(decoder: CharsetDecoder, pieces: list[bytes]) -> str:
    parts = [decoder.decode(piece) for piece in pieces]
    return "".join([*parts, decoder.decode(b"", True)])


def expected_text(case: dict[str, Any], lenient: bool) -> str:
    text: str = case.get("lenient", case["text"]) if lenient else case["text"]
    return text


# Text


def test_every_charset_that_can_be_decoded_has_a_text() -> None:
    ordered = [name for name in NAMES if not by_name(name).refused and name not in ("UTF-16", "UTF-32")]
    assert ordered == READABLE


@each("lenient", [False, True])
@each("case", TEXTS, ids=lambda case: case["charset"])
def test_text_cut_at_every_byte(case: dict[str, Any], lenient: bool) -> None:
    source, expected = bytes.fromhex(case["bytes"]), expected_text(case, lenient)
    assert whole(case["charset"], source, lenient) == expected
    for cut in range(len(source) + 1):
        decoder = new(case["charset"], lenient)
        begin = decoder.decode(source[:cut])
        assert expected.startswith(begin)
        assert begin + decoder.decode(source[cut:], True) == expected
        assert decoder.pending == b""
    assert (
        in_pieces(new(case["charset"], lenient), [source[at : at + 1] for at in range(len(source))])
        == expected
    )


@each("lenient", [False, True])
@each("case", TEXTS, ids=lambda case: case["charset"])
def test_memoryviews_are_bytes_too(case: dict[str, Any], lenient: bool) -> None:
    source = memoryview(bytes.fromhex(case["bytes"]))
    decoder = new(case["charset"], lenient)
    pieces = [decoder.decode(source[:7]), decoder.decode(source[7:7]), decoder.decode(source[7:], True)]
    assert "".join(pieces) == expected_text(case, lenient)


@each("lenient", [False, True])
@each("case", TEXTS, ids=lambda case: case["charset"])
def test_width_of_sound_text_at_every_cut(case: dict[str, Any], lenient: bool) -> None:
    """What is decoded and what is held back are the bytes that were given."""
    source, name = bytes.fromhex(case["bytes"]), case["charset"]
    decoder = new(name, lenient)
    for cut in range(len(source) + 1):
        piece = new(name, lenient)
        text = piece.decode(source[:cut])
        assert piece.byte_counter()(len(text)) + len(piece.pending) == cut
    text = decoder.decode(source, True)
    counter = decoder.byte_counter()
    offsets = [counter(index) for index in range(len(text) + 1)]
    assert offsets == sorted(offsets) == [decoder.byte_counter()(index) for index in range(len(text) + 1)]
    assert offsets[-1] == len(source)


@TWO_WAYS
@pytest.mark.parametrize("name", ["UTF-8", "EUC-JP", "ISO-2022-JP", "windows-1251"])
def test_a_copy_goes_on_alone(name: str, lenient: bool) -> None:
    """What the copy decodes does not change the decoder."""
    case = next(case for case in TEXTS if case["charset"] == name)
    source, expected = bytes.fromhex(case["bytes"]), expected_text(case, lenient)
    for cut in range(len(source) + 1):
        decoder = new(name, lenient)
        begin = decoder.decode(source[:cut])
        copy = deepcopy(decoder)
        assert (
            begin + copy.decode(source[cut:], True) == begin + decoder.decode(source[cut:], True) == expected
        )


# Damage


@each("case", DAMAGE, ids=lambda case: f"{case['charset']} {case['bytes']}")
def test_damage_by_the_table(case: dict[str, Any]) -> None:
    source, name, lenient = bytes.fromhex(case["bytes"]), case["charset"], not case.get("strict")
    assert whole(name, source, lenient) == case["text"]
    decoder = new(name, lenient)
    assert decoder.decode(source) == case.get("cut", case["text"])
    for cut in range(len(source) + 1):
        assert in_pieces(new(name, lenient), [source[:cut], b"", source[cut:]]) == case["text"]
    assert in_pieces(new(name, lenient), [source[at : at + 1] for at in range(len(source))]) == case["text"]


def _ascii_pieces() -> st.SearchStrategy[bytes]:
    return st.sampled_from([b"<", b">", b'"', b"a", b"0", b"\n", b"<b>", b"\\", b"@", b"x" * 1100])


def _bytes_of(name: str) -> st.SearchStrategy[bytes]:
    """Bytes in which a charset's text, damage and markup alternate."""
    sound = bytes.fromhex(next(case["bytes"] for case in TEXTS if case["charset"] == name))
    runs = st.builds(lambda at, size: sound[at : at + size], st.integers(0, len(sound)), st.integers(0, 12))
    escapes = st.sampled_from(
        [b"\x1b", b"\x1b(B", b"\x1b$B", b"\x1b(I", b"\x1b(J", b"\x1b$", b"\x1b&@", b'$"']
    )
    return st.lists(runs | _ascii_pieces() | escapes | st.binary(max_size=6), max_size=12).map(b"".join)


@TWO_WAYS
@BY_CHARSET
@generated(2, 15, data=st.data())
def test_any_bytes_in_any_pieces(name: str, lenient: bool, data: st.DataObject) -> None:
    """The incremental decoder gives the same text however the bytes are cut, empty pieces included."""
    source = data.draw(_bytes_of(name))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=6)))
    pieces = [source[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(source)], strict=True)]
    expected = whole(name, source, lenient)
    assert in_pieces(new(name, lenient), pieces) == expected

    decoder, given_bytes = new(name, lenient), 0
    for piece in pieces:
        pending = len(decoder.pending)
        text = decoder.decode(piece)
        given_bytes += len(piece)
        assert decoder.byte_counter()(len(text)) == pending + len(piece) - len(decoder.pending)
        held_back = {"UTF-16": 2 * CERTAIN_BEHIND, "UTF-32": 4 * CERTAIN_BEHIND}.get(name[:6], 0)
        assert len(decoder.pending) <= (held_back + 3 if lenient else 3)


@TWO_WAYS
@BY_CHARSET
@generated(2, 15, data=st.data())
def test_every_character_has_its_byte_offset(name: str, lenient: bool, data: st.DataObject) -> None:
    """A character begins at the byte up to which the bytes give the text before it."""
    source = data.draw(_bytes_of(name))
    decoder = new(name, lenient)
    text = decoder.decode(source)
    measure, held_back = decoder.byte_counter(), len(decoder.pending)
    decoder.decode(source)  # what comes later changes nothing
    assert measure(len(text)) == len(source) - held_back
    for cut in data.draw(st.lists(st.integers(0, len(source)), max_size=8)):
        begun = new(name, lenient)
        index = len(begun.decode(source[:cut]))
        at = cut - len(begun.pending)
        if index < len(text) and source[at : at + 1] != b"\x1b":  # a character begins behind its escapes
            assert measure(index) == at


@pytest.mark.sampled(4)
@pytest.mark.parametrize("xml_chars", ["drop", "replace"])
@pytest.mark.parametrize("name", [*CJK, "ISO-2022-JP", "UTF-8", "UTF-16LE", "UTF-32BE", "windows-1253"])
@generated(3, 10, data=st.data())
def test_a_state_can_be_copied_after_each_piece(name: str, xml_chars: Any, data: st.DataObject) -> None:
    """`getstate` of the decoder of a document, damaged or not, with what later stages hold back."""
    ends = st.sampled_from([b"", b"\x1b$B$", b"\x81", b"\xa4", b"\x81\x30\x81", b"\x00"])
    source = b"<a>\x00" + data.draw(_bytes_of(name)) + data.draw(ends)
    whole = XmlDecoder(encoding=name, xml_chars=xml_chars, mojibake="fix")
    text = whole.decode(source, True)
    size = data.draw(st.integers(1 + len(source) // 64, len(source)))  # a state is copied with all its text
    decoder = XmlDecoder(encoding=name, xml_chars=xml_chars, mojibake="fix")
    parts = []
    for at in range(0, len(source), size):
        parts.append(decoder.decode(source[at : at + size], at + size >= len(source)))
        state = pickle.loads(pickle.dumps(decoder.getstate()))
        decoder = XmlDecoder()
        decoder.setstate(state)
    assert ("".join(parts), decoder.repairs) == (text, whole.repairs)


@TWO_WAYS
@BY_CHARSET
@generated(4, 15, source=st.binary(max_size=40))
def test_each_undecodable_byte_is_its_surrogate(name: str, lenient: bool, source: bytes) -> None:
    """An undecodable byte n becomes the lone surrogate U+DC00 + n at the beginning of its sequence, else
    U+DD00 + n, in the order of the bytes."""
    text = whole(name, source, lenient)
    undecodable = UNDECODABLE_BYTE.findall(text)
    rest = iter(source)
    assert all(ord(character) & 0xFF in rest for character in undecodable)
    assert not re.search("[\ud800-\udbff\ude00-\udfff]", text)
    assert "".join(UNDECODABLE_SEQUENCE.findall(text)) == "".join(undecodable)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", CJK)
def test_no_damaged_character_takes_an_ascii_byte(name: str, step: int) -> None:
    """In strict decoding, too, an ASCII byte that makes no pair with the lead byte before it is read
    again."""
    codec = by_name(name).codec or ""
    own_readings = {bytes([byte]): chr(byte) for byte in range(0x80)} | sequences_of(codec, False).readings
    if codec == "cp932":
        own_readings |= {bytes([byte]): SURROGATES[byte] for byte in b"\xa0\xfd\xfe\xff"}
    for lead in range(0x80, 0x100, step):
        document = b"".join(bytes([lead, trail]) + b"\n<\n" for trail in range(0x100))
        texts = whole(name, document, False).split("\n<\n")
        assert len(texts) == 0x101
        for trail, text in enumerate(texts[:-1]):
            assert text in _readings(bytes([lead, trail]), codec, own_readings)


def _readings(pair: bytes, codec: str, own_readings: dict[bytes, str]) -> set[str]:
    """What two bytes may be read as: one character, two, or damage that leaves ASCII alone."""
    first, second = (_alone(pair[at : at + 1], codec, own_readings) for at in (0, 1))
    if first != SURROGATES[pair[0]] or pair[:1] in own_readings:
        return {first + second}
    together = _alone(pair, codec, own_readings)
    if together:
        return {together}
    return {first + second, as_surrogates(pair)} if pair[1] >= 0x80 else {first + chr(pair[1])}


def _alone(source: bytes, codec: str, own_readings: dict[bytes, str]) -> str:
    if source in own_readings:
        return own_readings[source]
    try:
        return source.decode(codec)
    except UnicodeDecodeError:
        return SURROGATES[source[0]] if len(source) == 1 else ""


@pytest.mark.long
@each("codec", sorted({by_name(name).codec or "" for name in CJK}))
def test_every_character_that_the_codec_knows_matches_its_sequences(codec: str) -> None:
    """Otherwise decoding sequence by sequence would differ from the codec."""
    sequences = sequences_of(codec, False)
    for source, _ in _characters_of(codec):
        for cut in range(1, len(source) + 1):
            beginning = source[:cut].decode("latin-1")
            assert sequences.sequence.findall(beginning) == [beginning]
        for cut in range(1, len(source)):
            assert sequences.beginning.fullmatch(source[:cut])


# Supersets


def _exceptions() -> dict[tuple[str, bytes], tuple[str, str]]:
    with open(DATA / "charset_supersets.tsv", encoding="utf-8", newline="") as lines:
        return {
            (row["charset"], bytes.fromhex(row["bytes"])): (
                _characters(row["named"]),
                _characters(row["lenient"]),
            )
            for row in csv.DictReader(lines, delimiter="\t")
        }


def _characters(numbers: str) -> str:
    return "".join(chr(int(number, 16)) for number in numbers.split())


@cache
def _characters_of(codec: str) -> list[tuple[bytes, str]]:
    """All characters of one byte beyond ASCII, of two and of three."""
    found = []
    for lead in range(0x80, 0x100):
        tails = [b""]
        if _alone(bytes([lead]), codec, {}) in SURROGATES:
            tails = [bytes([trail]) for trail in range(0x100)]
            if codec.startswith("euc_j") and lead == 0x8F:
                tails = [bytes([row, cell]) for row in range(0xA1, 0xFF) for cell in range(0xA1, 0xFF)]
        for tail in tails:
            character = _alone(bytes([lead]) + tail, codec, {})
            if character and character not in SURROGATES:
                found.append((bytes([lead]) + tail, character))
    return found


@pytest.mark.long
@each("name", CJK)
def test_a_superset_reads_every_character_as_the_charset_does(name: str) -> None:
    exceptions = {source: pair for (charset, source), pair in _exceptions().items() if charset == name}
    decoder = new(name, True)
    found = {}
    for source, character in _characters_of(by_name(name).codec or ""):
        lenient = decoder.decode(source, True)
        if lenient != character:
            found[source] = (character, lenient)
    assert found == exceptions


@each("name", [name for name in READABLE if by_name(name).family in ("single", "US-ASCII")])
def test_a_single_byte_superset_differs_in_the_c1_controls_only(name: str) -> None:
    strict, lenient = whole(name, bytes(range(256)), False), whole(name, bytes(range(256)), True)
    for byte in range(256):
        if name == "KOI8-U" and byte in (0xAE, 0xBE):
            assert strict[byte] + lenient[byte] in ("╝ў", "╬Ў")
        elif strict[byte] not in (lenient[byte], SURROGATES[byte]):
            assert 0x80 <= byte < 0xA0
            assert strict[byte] == chr(byte)
            assert by_name(name).lenient_differs or by_name(name).superset != name


@pytest.mark.long
@each("name", READABLE)
def test_charsets_that_lenient_decoding_reads_otherwise(name: str) -> None:
    """Of those that have no other superset: where a byte or a sequence of two differs, `lenient_differs` is
    set."""
    charset = by_name(name)
    if charset.superset != name or charset.lenient_differs:
        return
    strict, lenient = new(name, False), new(name, True)
    sources = [bytes([byte]) for byte in range(256)]
    if charset.family in ("CJK", "ISO-2022-JP"):
        prefix = b"\x1b$B" if charset.family == "ISO-2022-JP" else b""
        for lead in range(0x21, 0x100):
            pairs = [prefix + bytes([lead, trail]) for trail in range(0x21, 0x100)]
            sources += [b"\n".join(pairs), *pairs[::0x21]]
    assert all(strict.decode(source, True) == lenient.decode(source, True) for source in sources)


def test_gb18030_in_four_bytes() -> None:
    """All of Unicode; every character by itself and cut in the middle."""
    for start in range(0x80, 0x110000, 997):
        characters = [chr(at) for at in range(start, min(start + 997, 0x110000), 31)]
        text = "".join(one for one in characters if not "\ud800" <= one <= "\udfff")
        source = text.encode("gb18030")
        decoder = new("GB18030", False)
        assert decoder.decode(source[:5]) + decoder.decode(source[5:], True) == text
        counter = decoder.byte_counter()
        begun = len(source[:5].decode("gb18030", "ignore"))
        assert counter(len(text) - begun) == len(source) - len(text[:begun].encode("gb18030"))


@pytest.mark.long
@pytest.mark.parametrize("escape", [b"\x1b$@", b"\x1b$B"])
def test_jis_x_0208_pair_by_pair(escape: bytes) -> None:
    """Strictly, with damage around them, all pairs are read as Python's codec reads them."""
    for row in range(0x21, 0x7F):
        sound = b""
        for cell in range(0x21, 0x7F):
            pair = bytes([row, cell])
            text = whole("ISO-2022-JP", escape + pair + b"\xff", False)[:-1]
            try:
                expected = (escape + pair).decode("iso2022_jp")
            except UnicodeDecodeError:
                assert text == as_surrogates(pair)
            else:
                assert text == expected
                sound += pair
        assert whole("ISO-2022-JP", escape + sound, False) == (escape + sound).decode("iso2022_jp")


def test_jis_x_0213_in_euc_jp() -> None:
    """Rows 13 and 89-92 are Windows', though JIS X 0213 has other kanji in 89-92; what neither EUC-JP nor
    Windows has is JIS X 0213."""
    assert whole("EUC-JP", b"\xfc\xe2\xb6\xb6 \xf9\xa1 \xad\xa1", True) == "髙橋 纊 ①"
    assert whole("EUC-JP", b"\xa9\xa6 \x8f\xa1\xa1", True) == "© 𠂉"


@pytest.mark.parametrize("name", ["ISO-8859-2", "ISO-8859-5", "ISO-8859-15"])
def test_85_is_a_line_end_in_xml_1_1(name: str) -> None:
    """XML 1.1 §2.11: NEL is a line end. In XML 1.0 nobody writes it."""
    for version, text in ((False, "Š…"), (True, "Š\x85")):
        decoder = charset_decoder(by_name(name), lenient=True, xml_1_1=version)
        assert decoder.decode(b"\x8a\x85", True)[1] == text[1]
    assert whole(name, b"\x8a\x85", False) == "\x8a\x85"


# Widths


@pytest.mark.parametrize(
    ("name", "source", "text", "offsets"),
    [
        # ゾ, which may be the end of a section, is held back until the next byte
        ("Shift_JIS", b"\x0b\xff\x83]\x0bn", "\x0b\udcffゾ\x0bn", [0, 1, 2, 4, 5, 6]),
        ("GBK", b"\x1b\xff\x81]\x1b", "\x1b\udcff乚\x1b", [0, 1, 2, 4, 5]),
        ("GBK", b"\x80100", "€100", [0, 1, 2, 3, 4]),
        ("GBK", b"\xa2\xe3100", "€100", [0, 2, 3, 4, 5]),
        # © is JIS X 0213 in two bytes, or JIS X 0212 in three; the second character of か゚ has no bytes.
        ("EUC-JP", b"\xa9\xa6\xa4\xf7", "©か゚", [0, 2, 4, 4]),
        ("EUC-JP", b"\x8f\xa2\xed\xff\xad\xa1\x8f\xa2", "©\udcff①", [0, 3, 4, 6]),
        ("EUC-JP", b"\x8f\xa2\xee\x8f\xa1\xa1", "®𠂉", [0, 3, 6]),
        ("Big5", b"\xa3\xe1\x88\x62\xff", "€Ê̄\udcff", [0, 2, 4, 4, 5]),
        ("Big5", b"\x81\xff\x81<", "\udc81\uddff\udc81<", [0, 1, 2, 3, 4]),
        # With the escape sequences before a character.
        (
            "ISO-2022-JP",
            b'a\x1b$B$"\xff$$\x1b(Bb\x1b(J\\\x1b(B',
            "aあ\udcffいb¥",
            [0, 4, 6, 7, 12, 16, 20],
        ),
    ],
)
def test_the_bytes_before_each_character(name: str, source: bytes, text: str, offsets: list[int]) -> None:
    decoder = new(name, True)
    assert decoder.decode(source) == text
    counter = decoder.byte_counter()
    decoder.decode(source)  # what comes later changes nothing
    others = new(name, True).byte_counter(source[: offsets[-1]], text)  # that another one has read
    for indexes in (range(len(offsets)), range(len(offsets) - 1, -1, -1), [0, 2, 1, 1]):
        assert [counter(index) for index in indexes] == [offsets[index] for index in indexes]
        assert [others(index) for index in indexes] == [offsets[index] for index in indexes]


# Counting


@each(
    ("name", "source", "final", "expected"),
    [
        ("UTF-8", "61 62", False, (0, 0, 0)),
        ("UTF-8", "C3 A9 FF FE 61 FF E2 82", False, (1, 2, 0)),
        ("UTF-8", "C3 A9 FF FE 61 FF E2 82", True, (1, 2, 0)),
        ("UTF-8", "C3 A9 61 E2 82", True, (1, 1, 0)),
        ("UTF-8", "C2 80 C2 9F C2 A0", True, (3, 0, 2)),
        ("ISO-8859-1", "E9 80 81 9D", True, (4, 0, 2)),
        ("windows-1253", "E9 AA AA 80 61 D2", True, (2, 2, 0)),
        ("GB18030", "D6 D0 FF FF 80 C4", False, (2, 1, 0)),
        ("Shift_JIS", "93 FA A0 80 61 FD", True, (2, 2, 1)),
        ("UTF-16BE", "00 61 4E 2D D8 00 00 61 DC", True, (1, 2, 0)),
        ("ISO-2022-JP", "1B 24 42 24 22 1B 28 42 61", True, (1, 0, 0)),
        ("IBM037", "4C 51", True, (1, 0, 0)),
        # 80-9F are read as windows-1250, unless they are more frequent than letters.
        ("ISO-8859-2", "8A 6B E8 6B E9 96", True, (4, 0, 0)),
        ("ISO-8859-2", "93 61 94 E9", True, (3, 0, 2)),
    ],
)
def test_counts(name: str, source: str, final: bool, expected: tuple[int, int, int]) -> None:
    charset, data = by_name(name), bytes.fromhex(source)
    assert count_damage(charset, data, final=final) == Damage(name, *expected)
    text = new(name, True).decode(data, final)
    assert count_damage(charset, data, final=final, text=text) == Damage(name, *expected)


@BY_CHARSET
@generated(4, 10, source=st.binary(max_size=60))
def test_counts_are_those_of_the_text(name: str, source: bytes) -> None:
    text = whole(name, source, True)
    undecodable = UNDECODABLE_BYTE.findall(text)
    assert count_damage(by_name(name), source, final=True) == Damage(
        name,
        sum(not character.isascii() for character in text) - len(undecodable),
        len(re.findall("[\udc00-\uddff]+", text)),
        sum("\x80" <= character <= "\x9f" for character in text),
    )


# The rest


@pytest.mark.parametrize("name", ["UTF-16", "UTF-32", "ISO-2022-KR", "zlib", "x-user-defined", "replacement"])
@TWO_WAYS
def test_what_is_not_decoded(name: str, lenient: bool) -> None:
    with pytest.raises(UnknownEncoding, match=f"^{name} is not decoded: "):
        charset_decoder(by_name(name), lenient=lenient)


def test_the_refusal_pickles() -> None:
    with pytest.raises(UnknownEncoding) as caught:
        charset_decoder(by_name("UTF-7"), lenient=True)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_ibm1047_is_ibm037_but_for_eight_bytes() -> None:
    one, other = byte_table("IBM1047", False), byte_table("IBM037", False)
    assert [f"{byte:02X}" for byte in range(256) if one[byte] != other[byte]] == [
        "15", "25", "5F", "AD", "B0", "BA", "BB", "BD",
    ]  # fmt: skip
    assert sorted(one) == sorted(map(chr, range(256)))


@pytest.mark.long
@each("run", [b"\xff\xfe", b"\x81\x30", b"\xa4\xd4", b"\x8f\xa1", b"\x1b", b"\x1b$B\x21", b"\x00\xd8"])
@each(
    "name",
    [
        "UTF-8",
        "UTF-16LE",
        "UTF-32BE",
        "UCS-4-2143",
        "ISO-8859-7",
        "GB18030",
        "EUC-KR",
        "EUC-JP",
        "ISO-2022-JP",
    ],
)
def test_hostile_bytes_take_linear_time(name: str, run: bytes) -> None:
    """Eight times the bytes take about eight times as long: 64 would be quadratic."""
    short, long = run * (0x1000 // len(run)), run * (0x8000 // len(run))

    def read(source: bytes) -> None:
        whole(name, source, name != "EUC-KR")

    assert growth(read, short, long, most=32) < 32


EAST_ASIAN = ("EUC-JP", "Shift_JIS", "EUC-KR", "GB18030", "Big5")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", EAST_ASIAN)
@pytest.mark.parametrize("codec", ["cp1252", "cp1251", "cp874", "cp932", "euc_jp", "gb18030"])
@pytest.mark.parametrize("at_once", [decoders.WORDS_AT_ONCE, 40])
def test_dense_damage_is_counted_by_words(
    name: str, codec: str, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoders, "WORDS_AT_ONCE", at_once)
    charset = by_name(name)
    text = "Où est l’été ? Дождь и ветер, ветер\nฝนตก 雨が降る、風も。 ½\x81 €"
    data = text.encode(codec, "ignore") * 3 + b"\x810 \x81 0\x810\x81"
    for end in range(len(data) - 20, len(data)):
        for final in (True, False):
            expected = count_damage(charset, data[:end], final=final)
            words = characters_in(charset, data[:end], True, final)
            assert count_damage(charset, b"", final=final, text=words) == expected
        letters = charset_decoder(charset, lenient=True).decode(data[:end])
        for dense in (True, False):
            found = characters_in(charset, data[:end], dense)
            assert sorted(filter(_is_beyond, found)) == sorted(filter(_is_beyond, letters))


def _is_beyond(char: str) -> bool:
    return not char.isascii()


def test_dense_damage_is_not_decoded() -> None:
    """Nor the rest of the text; unless the damage is followed by more text that decodes."""
    charset = by_name("EUC-JP")
    damage, word = b"\xe9 " * DENSE, "雨".encode("euc_jp")
    begun = damage.ljust(HANDLED_BYTES, b".")
    most = SPARSE_BYTES // SPARSE_DAMAGE
    for number in (0, 1, most, most + 1):
        data = begun + (b"\xe9 " * number).ljust(SPARSE_BYTES, b".") + word
        decoder, text = decode_window(charset, data, final=True)
        assert (text is None) == (number > most), number
        assert decoder.decode(data, True).endswith("雨")
    assert decode_window(charset, begun[2:] + word, final=True)[1] is not None
    assert decode_window(charset, begun, final=True)[1] is not None
