"""East Asian charsets: clean text as the codec has it, damage byte by byte, in every cut."""

from __future__ import annotations

import subprocess
import sys
from copy import deepcopy

import pytest
from hypothesis import strategies as st
from support.each import each
from support.generated import generated

from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.east_asian import (
    DENSE,
    DENSE_BYTES,
    HANDLED_BYTES,
    HANDLER_PREFIX,
    EastAsianDecoder,
    sequences_of,
)
from feedcharset.charsets.lookup import by_name
from feedcharset.charsets.undecodable_bytes import as_surrogates

TEXTS = {
    "Windows-31J": ("日本語のニュース①～ｱ", "cp932"),
    "EUC-JP": ("日本語のニュース", "euc_jp"),
    "GB18030": ("新闻联播𠀀€", "gb18030"),
    "Big5-HKSCS": ("新聞報導", "big5hkscs"),
    "windows-949": ("새 소식 똠방", "cp949"),
}
NAMES = [*TEXTS, "GBK", "Shift_JIS", "EUC-KR", "Big5"]


def decode(name: str, pieces: list[bytes], lenient: bool = True) -> str:
    decoder = charset_decoder(by_name(name), lenient=lenient)
    return "".join(decoder.decode(piece) for piece in pieces) + decoder.decode(b"", True)


@each("name", TEXTS)
@each("lenient", [True, False])
def test_clean_text_cut_at_every_byte(name: str, lenient: bool) -> None:
    text, codec = TEXTS[name]
    data = f"<a>{text}</a>".encode(codec)
    for cut in range(len(data) + 1):
        assert decode(name, [data[:cut], data[cut:]], lenient) == f"<a>{text}</a>"


@generated(40, 200, st.binary(max_size=30), st.integers(0, 30), st.sampled_from(NAMES))
def test_damage_is_the_same_in_every_cut_and_counts_every_byte(data: bytes, cut: int, name: str) -> None:
    decoder = charset_decoder(by_name(name), lenient=True)
    whole = decoder.decode(data, True)
    assert decode(name, [data[:cut], data[cut:]]) == whole
    assert decode(name, [data[at : at + 1] for at in range(len(data))]) == whole
    counter = decoder.byte_counter()
    assert counter(len(whole)) == len(data)
    counts = [counter(index) for index in range(len(whole) + 1)]
    assert counts == sorted(counts)


@each("name", NAMES)
@each("sign", list("<>\"'&="))
def test_no_lead_byte_swallows_markup(name: str, sign: str) -> None:
    """Encoding Standard: an ASCII byte that completes no sequence is read again."""
    for lead in range(0x80, 0x100):
        text = decode(name, [bytes([lead]), sign.encode(), b"x"])
        assert text.endswith(f"{sign}x"), hex(lead)


@each("name", TEXTS)
def test_no_lead_byte_swallows_the_end_of_a_section(name: str) -> None:
    """Text that a program has cut by bytes: in half of these charsets the byte and a `]` are a character."""
    text, codec = TEXTS[name]
    last = next(char for char in reversed(text) if len(char.encode(codec)) == 2)
    lead = last.encode(codec)[:1]
    data = b"<t><![CDATA[" + f"{text}{last}".encode(codec)[:-1] + b"]]></t>"
    expected = f"<t><![CDATA[{text}{as_surrogates(lead)}]]></t>"
    decoder = charset_decoder(by_name(name), lenient=True)
    assert decoder.decode(data, True) == expected
    counter = decoder.byte_counter()
    assert [counter(at) for at in range(len(expected) - 8, len(expected) + 1)] == [
        *range(len(data) - 8, len(data) + 1)
    ]
    for cut in range(len(data) + 1):
        assert decode(name, [data[:cut], data[cut:]]) == expected
    for space in (b"\n", b" \r\n\t\t", b" " * 40):
        spaced = data.replace(b"]]></t>", b"]]>%b</t>" % space)
        for cut in range(len(data) - 9, len(spaced) + 1):
            assert decode(name, [spaced[:cut], spaced[cut:]]) == expected.replace(
                "]]></t>", f"]]>{space.decode()}</t>"
            )
    for other in (b"]</t>", b"]>x</t>", b"]]>", b"]]></t"):  # nothing else
        assert decode(name, [lead + other]) == decode(name, [lead + other[:1], other[1:]])
    far = data.replace(b"]]></t>", b"]]>" + b" " * 41 + b"</t>")  # one more than are looked at
    is_read = codec in ("cp932", "gb18030", "big5hkscs")
    assert (as_surrogates(lead) in decode(name, [far])) is not is_read
    if codec in ("gbk", "gb18030", "big5", "cp932"):
        assert decode(name, [lead + b"]>x</t>"]) == (lead + b"]>x</t>").decode(codec)


_PARTS = st.sampled_from([*b"\x81\x8f\x95\xb0\xfe]><a", b"/"[0]])


@generated(60, 300, st.lists(_PARTS, max_size=14), st.integers(0, 14), st.sampled_from(NAMES))
def test_ends_of_sections_are_the_same_in_every_cut(parts: list[int], cut: int, name: str) -> None:
    data = bytes(parts[:7]) + b"]></" + bytes(parts[7:])
    decoder = charset_decoder(by_name(name), lenient=True)
    whole = decoder.decode(data, True)
    assert decode(name, [data[:cut], data[cut:]]) == whole
    assert decode(name, [data[at : at + 1] for at in range(len(data))]) == whole
    counter = decoder.byte_counter()
    counts = [counter(index) for index in range(len(whole) + 1)]
    assert counts == sorted(counts)
    assert counts[-1] == len(data)


DAMAGE = {
    "GBK": (b"\xff", b"\x80", b"\x81\x30", b"\xa1"),
    "Shift_JIS": (b"\xff", b"\xa0", b"\x81\xa0", b"\xfd", b"\x82"),
    "EUC-JP": (b"\xff", b"\x8f\xa2\xb7", b"\xa4", b"\x8e"),
    "Big5": (b"\xff", b"\xa2\x41", b"\x80", b"\x81\x40"),
    "EUC-KR": (b"\xff", b"\xa4\xd4", b"\xc9\x20"),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", DAMAGE)
@pytest.mark.parametrize("near", [3, 40, 700, 5000])
@pytest.mark.parametrize("size", [1500, pytest.param(6000, marks=pytest.mark.long)])
def test_long_text_with_damage(name: str, near: int, size: int) -> None:
    """The text, and the number of bytes before each character, do not depend on the pieces."""
    text, codec = TEXTS[by_name(by_name(name).superset).name] if name != "GBK" else TEXTS["GB18030"]
    clean = f"<a>{text}</a> ".encode(codec)
    kinds = DAMAGE[name]
    data = b"".join(
        clean * max(1, near // len(clean)) + kinds[at % len(kinds)] for at in range(max(4, size // near))
    )
    decoder = charset_decoder(by_name(name), lenient=True)
    whole = decoder.decode(data, True)
    one = charset_decoder(by_name(name), lenient=True)
    begun, known = "", []
    for at in range(len(data)):
        begun += one.decode(data[at : at + 1])
        known.append((len(begun), at + 1 - len(one.pending)))
    assert begun + one.decode(b"", True) == whole
    counter = decoder.byte_counter()
    forwards = {index: counter(index) for index in range(0, len(whole) + 1, 7)}
    for index in list(forwards)[:: -(len(forwards) // 9)]:
        assert counter(index) == forwards[index]
    counter = decoder.byte_counter()
    assert [(index, counter(index)) for index, _ in known] == known


@pytest.mark.long
@each("name", NAMES)
@each("places", [DENSE - 1, DENSE, 400])
@each("more", [0, 1, DENSE_BYTES - 1, DENSE_BYTES, DENSE_BYTES + 1])
def test_dense_damage_is_decoded_as_in_every_cut(name: str, places: int, more: int) -> None:
    dense = b"\xff<\xa4" * places
    rest = ("語" * (more // 2)).encode(by_name(name).codec or "", "replace")
    for data in (
        dense + b" " * (HANDLED_BYTES - len(dense)) + rest,
        dense + rest + b"\xff\xb0",
        dense + b"\x8f",
    ):
        pieces = [data[at : at + 1] for at in range(len(data))]
        assert decode(name, [data]) == decode(name, pieces)


@each("name", NAMES)
def test_a_decoder_of_damage_can_be_copied(name: str) -> None:
    decoder = charset_decoder(by_name(name), lenient=True)
    first = decoder.decode(b"<a>\xff\xff\xb0")
    assert deepcopy(decoder).decode(b"\xa1\xff", True) == decoder.decode(b"\xa1\xff", True)
    assert first.startswith("<a>")


def test_more_damage_than_is_marked() -> None:
    """Byte offsets are right beyond the places that the decoder keeps."""
    data = (b"<a>" + "新闻".encode("gbk") * 20 + b"\xff") * 1200
    decoder = charset_decoder(by_name("GBK"), lenient=True)
    text = decoder.decode(data, True)
    assert text.count("\udcff") == 1200
    counter = decoder.byte_counter()
    for at in (1, 999, 1001, 1200):
        assert counter(44 * at - 1) == 84 * at - 1


@pytest.mark.parametrize(
    ("name", "lenient", "text", "damaged"),
    [
        # U+FF0F is also A1FE, so that the first of them is not the sequence that the codec reads otherwise.
        ("Big5", True, "／∕", b"\xa1\xfe\xa2\x41"),
        ("EUC-KR", False, "가\u3164", b"\xb0\xa1\xa4\xd4"),
        ("Shift_JIS", True, "あ\udca0ｱ", b"\x82\xa0\xa0\xb1"),
    ],
)
def test_sequences_that_the_codec_reads_otherwise_beside_damage(
    name: str, lenient: bool, text: str, damaged: bytes
) -> None:
    for before in ("", "<a>" * 40):
        assert decode(name, [before.encode() + damaged + b"\xff<"], lenient) == f"{before}{text}\udcff<"


@each("codec", ["cp932", "euc_jp", "gb18030", "big5hkscs", "cp949"])
@each("lenient", [True, False])
def test_the_sequences_of_a_codec_are_made_once(codec: str, lenient: bool) -> None:
    sequences = sequences_of(codec, lenient)
    assert sequences is sequences_of(codec, lenient)
    assert sequences.handler.startswith(HANDLER_PREFIX)


@pytest.mark.parametrize(
    ("sequence", "text"),
    [
        (b"\x81", as_surrogates(b"\x81")),
        (b"\x81\xff", as_surrogates(b"\x81\xff")),
        (b"\x81<", as_surrogates(b"\x81") + "<"),
        (b"\xff", as_surrogates(b"\xff")),
    ],
)
def test_an_ascii_byte_is_given_back(sequence: bytes, text: str) -> None:
    """Encoding Standard: prepend an ASCII byte to the stream, and return an error."""
    assert EastAsianDecoder("cp949", True).decode(sequence, True) == text


def test_importing_registers_nothing_and_decoding_two_handlers_for_each_codec() -> None:
    program = """
import codecs
added = []
codecs.register_error = lambda name, handler: added.append(name)
import feedcharset.charsets.east_asian as module
from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import by_name
assert not added
for name in ("GBK", "GB18030", "EUC-JP", "EUC-JP"):
    charset_decoder(by_name(name), lenient=True)
names = ("feedcharset.gb18030", "feedcharset.euc_jp")
assert added == [name + end for name in names for end in ("", ".sparse")], added
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("size", [100, 5000])
def test_more_sequences_than_are_remembered(size: int) -> None:
    """Damage of many kinds: the text of each is the same when it is made again."""
    data = b"".join(b"\xff" + chr(at).encode("gb18030") for at in range(0x3400, 0x3400 + size))
    assert decode("GB18030", [data]) == decode("GB18030", [data[:777], data[777:]])
    assert decode("GB18030", [data]).count("\udcff") == size


@pytest.mark.parametrize("pieces", [[b"a\x88b\xf0"], [b"a\x88", b"b\xf0"], [b"a\x88b\xf0", b""]])
def test_a_lead_byte_at_the_end_that_the_codec_knows_no_character_of(pieces: list[bytes]) -> None:
    """It is held back like any other, since the next byte decides how much is damage."""
    decoder = charset_decoder(by_name("Shift_JIS"), lenient=False)
    assert "".join(map(decoder.decode, pieces)) == "a\udc88b"
    assert decoder.pending == b"\xf0"
    assert deepcopy(decoder).decode(b"\xff<") == "\udcf0\uddff<"
    assert decoder.decode(b"<") == "\udcf0<"


def test_bytes_that_only_look_like_a_suspect() -> None:
    """A2 41 is no `∕` where A2 ends the character before it."""
    text = decode("Big5", [b"\xa4\xa2A \xa1\xfe \xa2A"])
    assert text == "卅A ／ ∕".replace("卅", b"\xa4\xa2".decode("big5"))


@pytest.mark.parametrize(
    ("text", "name", "lenient", "alike"),
    [
        ("新闻联播", "GBK", False, True),
        ("新闻联播", "GBK", True, False),  # GBK is read as GB18030 then
        ("新闻联播𠀀", "GBK", False, False),
        ("新闻联播", "windows-1251", False, False),
    ],
)
def test_two_charsets_that_read_the_last_piece_by_one_codec(
    text: str, name: str, lenient: bool, alike: bool
) -> None:
    first, other = (
        charset_decoder(by_name("GB18030"), lenient=True),
        charset_decoder(by_name(name), lenient=lenient),
    )
    assert first.decode(text.encode("gb18030")) == text
    assert first.reads_as(other) is alike
    assert other.reads_as(first) is False
