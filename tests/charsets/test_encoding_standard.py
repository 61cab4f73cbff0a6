"""Lenient decoding against the Encoding Standard: its whole table, and damage by its prose.

The reference (support/encoding_standard.py) is slow and shares nothing with the library. 1,000,000 strings of
`damaged_strings` were compared once; these tests take the first of them.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from support.cases import FIXTURES
from support.each import each
from support.encoding_standard import ENCODINGS, Item, decode, gb18030_ranges, index, text_of

from feedcharset.charsets import codec_differences
from feedcharset.charsets.decoders import charset_decoder
from feedcharset.charsets.lookup import lookup
from feedcharset.charsets.undecodable_bytes import CharsetDecoder
from feedcharset.text.byte_replacement import replaced_unit

STRINGS = 150
"""Damaged strings for each encoding."""

MULTI_BYTE = ["gb18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR"]
MARKUP = b"<>\"'&="
BY_ENCODING = each("encoding", ENCODINGS)


def new(encoding: str) -> CharsetDecoder:
    charset = lookup(encoding, lenient=True)
    assert charset is not None
    return charset_decoder(charset, lenient=True)


def shown(encoding: str, text: str) -> str:
    """The text with U+FFFD for each undecodable sequence."""
    charset = lookup(encoding)
    assert charset is not None
    return replaced_unit(charset.family, "replace").sub("\ufffd", text)


def lenient(encoding: str, data: bytes) -> str:
    return shown(encoding, new(encoding).decode(data, True))


def in_pieces(encoding: str, *pieces: bytes) -> str:
    decoder = new(encoding)
    return shown(encoding, "".join([*map(decoder.decode, pieces), decoder.decode(b"", True)]))


# The table


def test_the_list_of_differences_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made from the table and the codecs of this Python."""
    monkeypatch.syspath_prepend(str(FIXTURES))
    script = importlib.import_module("make_codec_differences")
    assert Path(codec_differences.__file__).read_text(encoding="utf-8") == script.build()


def sequences(encoding: str) -> dict[bytes, str]:
    """The sequences of the table for an encoding; some pairs of single bytes are in it, too."""
    return index("gb18030" if encoding == "GBK" else encoding)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("encoding", ["GBK", *MULTI_BYTE])
def test_every_sequence_alone_and_before_ascii(encoding: str) -> None:
    decoder, wrong = new(encoding), []
    for sequence, text in sequences(encoding).items():
        if decoder.decode(sequence) + decoder.decode(b"<") != text + "<":
            wrong.append(sequence)
        if decoder.decode(sequence, True) != text:
            wrong.append(sequence)
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize("encoding", ["GBK", *MULTI_BYTE])
def test_all_sequences_as_one_document(encoding: str) -> None:
    for separator in (b"", b"<", b"\n"):
        document = separator.join(sequences(encoding))
        expected = separator.decode().join(sequences(encoding).values())
        assert lenient(encoding, document) == expected
        # One sequence that is not clean: the way around damage.
        assert lenient(encoding, document + b" \xff") == expected + " \ufffd"


@BY_ENCODING
def test_every_single_byte(encoding: str) -> None:
    for byte in range(256):
        for data in (bytes([byte]), bytes([byte]) + b"<", b"a" + bytes([byte, byte])):
            assert lenient(encoding, data) == text_of(decode(encoding, data))


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("encoding", MULTI_BYTE)
def test_every_pair(encoding: str, step: int) -> None:
    """A pair that is not in the table is damage: one U+FFFD, and an ASCII byte in it is read again."""
    for lead in range(0x80, 0x100, step):
        document = b"".join(bytes([lead, trail]) + b"\n<\n" for trail in range(0x100))
        assert lenient(encoding, document) == text_of(decode(encoding, document))


def pointers() -> Iterator[int]:
    """Of four-byte sequences: around each beginning and end of a range, and some within."""
    edges = {pointer for pointer, _ in gb18030_ranges()} | {7457, 39419, 189000, 1237575, 1259999}
    yield from sorted({edge + by for edge in edges for by in (-1, 0, 1)} - {-1, 1260000})
    yield from range(0, 1260000, 997)


def test_four_bytes_of_gb18030() -> None:
    for pointer in pointers():
        first, rest = divmod(pointer, 12600)
        second, rest = divmod(rest, 1260)
        third, fourth = divmod(rest, 10)
        data = bytes([first + 0x81, second + 0x30, third + 0x81, fourth + 0x30])
        expected = text_of(decode("gb18030", data))
        assert lenient("gb18030", data) == lenient("GBK", data) == expected
        assert lenient("gb18030", b"\xff" + data + b"<") == f"\ufffd{expected}<"


# Damage


PIECES = {
    # What an encoding's strings are made of, besides its sequences.
    "ISO-2022-JP": [
        b"\x1b$B",
        b"\x1b$@",
        b"\x1b(B",
        b"\x1b(J",
        b"\x1b(I",
        b"\x1b",
        b"\x1b$",
        b"\x1b(",
        b"\x1b&@",
    ],
    "UTF-8": [b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"\xf0\x9f\x98", b"\xe2\x82"],
    "UTF-16LE": [b"\x00\xd8", b"\x3d\xd8", b"\x00\xde"],
    "UTF-16BE": [b"\xd8\x00", b"\xd8\x3d", b"\xde\x00"],
}
UNICODE = "aé中😎€\uffff\ud7ff\U0010ffff"


def pool(encoding: str) -> list[bytes]:
    """Sequences of an encoding."""
    if encoding.startswith("UTF"):
        codec = {"UTF-16LE": "utf-16-le", "UTF-16BE": "utf-16-be"}.get(encoding, "utf-8")
        return [char.encode(codec) for char in UNICODE]
    if encoding == "ISO-2022-JP":
        pairs = [data for data in index("EUC-JP") if len(data) == 2 and data[0] > 0xA0]
        return [bytes(byte & 0x7F for byte in pair) for pair in pairs]
    return list(sequences(encoding))


def damaged_strings(encoding: str, count: int) -> Iterator[bytes]:
    """Strings in which an encoding's sequences, parts of them, markup and any bytes alternate."""
    rng, known = random.Random(encoding), pool(encoding)
    ascii_bytes = [bytes([byte]) for byte in MARKUP + b"09a\n\r \\~@[\x0e\x7f"]
    own = PIECES.get(encoding) or [b"\x81\x30", b"\x84\x31\xa5\x30", b"\x8f", b"\x8e", b"\xf0\x40", b"\x80"]
    for _ in range(count):
        parts = []
        for _ in range(rng.randrange(1, 14)):
            whole = rng.choice(known)
            parts.append(
                rng.choice(
                    [
                        whole,
                        whole,
                        whole[: rng.randrange(len(whole) + 1)],
                        bytes([rng.randrange(0x100)]),
                        bytes([rng.randrange(0x80, 0x100)]),
                        rng.choice(ascii_bytes),
                        rng.choice(own),
                        rng.randbytes(rng.randrange(1, 5)),
                    ]
                )
            )
        yield b"".join(parts)


@pytest.mark.long
@BY_ENCODING
def test_random_damage(encoding: str) -> None:
    """The same characters, the same number of U+FFFD, the same byte after which reading continues."""
    for data in damaged_strings(encoding, STRINGS):
        expected = text_of(decode(encoding, data))
        assert lenient(encoding, data) == expected
        cut = len(data) // 2
        assert in_pieces(encoding, data[:cut], b"", data[cut:]) == expected


@BY_ENCODING
def test_random_damage_cut_at_every_byte(encoding: str) -> None:
    for data in damaged_strings(encoding, STRINGS // 10):
        expected = text_of(decode(encoding, data))
        for cut in range(len(data) + 1):
            assert in_pieces(encoding, data[:cut], data[cut:]) == expected
        assert in_pieces(encoding, *(data[at : at + 1] for at in range(len(data)))) == expected


@each("encoding", [name for name in ENCODINGS if name != "ISO-2022-JP"])
def test_offsets_of_random_damage(encoding: str) -> None:
    """Every character, and every undecodable sequence, begins at the byte where the reference has it."""
    for data in damaged_strings(encoding, STRINGS // 2):
        decoder = new(encoding)
        text = decoder.decode(data)
        ends = len(data) - len(decoder.pending)
        counter = decoder.byte_counter()
        items = [item for item in decode(encoding, data) if item.start < ends]
        assert [counter(at) for at in starts(encoding, text)] == list(expected_starts(items))


def starts(encoding: str, text: str) -> list[int]:
    """The indices of the characters and of the undecodable sequences of decoded text."""
    charset = lookup(encoding)
    assert charset is not None
    unit = replaced_unit(charset.family, "replace")
    inside = {at for match in unit.finditer(text) for at in range(match.start() + 1, match.end())}
    return [at for at in range(len(text)) if at not in inside]


def expected_starts(items: list[Item]) -> Iterator[int]:
    """Where they begin; the second one of two characters of a sequence has no bytes of its own."""
    for item in items:
        yield item.start
        yield from [item.end] * (len(item.text or ".") - 1)


@BY_ENCODING
def test_nothing_swallows_markup(encoding: str) -> None:
    """After any damage, `< > " ' & =` are read as themselves."""
    unit = {"UTF-16LE": "utf-16-le", "UTF-16BE": "utf-16-be"}.get(encoding, "ascii")
    in_ascii = b"\x1b(B" if encoding == "ISO-2022-JP" else b""
    for data in damaged_strings(encoding, STRINGS // 5):
        if unit != "ascii" and len(data) % 2:
            continue
        for character in map(chr, MARKUP):
            whole = lenient(encoding, data + in_ascii + character.encode(unit))
            assert whole.endswith(character)


# ISO-2022-JP


ALPHABET = [
    *(b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$B", b"\x1b$@", b"\x1b", b"\x1b(", b"\x1b$", b"\x1b$A"),
    *(b"$", b"\\", b"~", b"0", b"\n", b"\x0e", b"\x00", b"\x20", b"\x7f", b"\xa4"),
]


@pytest.mark.parametrize("length", [3, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize("first", ALPHABET, ids=ascii)
def test_states_of_iso_2022_jp(first: bytes, length: int) -> None:
    """All strings of some parts: escape sequences, whole, unknown and cut; bytes of every kind."""
    for rest in product(ALPHABET, repeat=length - 1):
        data = first + b"".join(rest)
        assert lenient("ISO-2022-JP", data) == text_of(decode("ISO-2022-JP", data))


@pytest.mark.parametrize("step", [31, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("escape", [b"", b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$B", b"\x1b$@"])
def test_every_two_bytes_in_every_set_of_iso_2022_jp(escape: bytes, step: int) -> None:
    for first in range(0, 0x100, step):
        parts = [bytes([first, second]) for second in range(0x100)]
        document = b"".join(escape + part + b"\x1b(Ba" for part in parts)
        assert lenient("ISO-2022-JP", document) == text_of(decode("ISO-2022-JP", document))


@pytest.mark.parametrize("first", [b"\x1b$B", b"\x1b(I"])
def test_states_of_iso_2022_jp_cut_at_every_byte(first: bytes) -> None:
    for rest in product(ALPHABET, repeat=2):
        data = first + b"".join(rest) + b"!!"
        expected = text_of(decode("ISO-2022-JP", data))
        for cut in range(len(data) + 1):
            assert in_pieces("ISO-2022-JP", data[:cut], data[cut:]) == expected


def test_the_two_exceptions_of_iso_2022_jp() -> None:
    """LF ends a line in every set; SO and SI stay controls. The Encoding Standard shows U+FFFD for them."""
    for data, ours, standard in (
        (b'\x1b$B$"\n$"', "あ\nあ", "あ\ufffdあ"),
        (b"\x1b$B$\n$", "\ufffd\n\ufffd", "\ufffd\ufffd"),
        (b"\x1b(I1\n1", "ｱ\nｱ", "ｱ\ufffdｱ"),
        (b"a\x0eb\x0f", "a\x0eb\x0f", "a\ufffdb\ufffd"),
    ):
        assert lenient("ISO-2022-JP", data) == ours
        assert text_of(decode("ISO-2022-JP", data, documented=False)) == standard
