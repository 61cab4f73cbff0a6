"""UTF-8, UTF-16, UTF-32 and the odd byte orders: against Python's codecs, cut at every byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedcharset.charsets.decoders import CERTAIN_BEHIND, charset_decoder
from feedcharset.charsets.lookup import by_name

TEXT = "<a>Žluť 日本 😎\u200b</a>"
FORMS = {
    "UTF-8": "utf-8",
    "UTF-16LE": "utf-16-le",
    "UTF-16BE": "utf-16-be",
    "UTF-32LE": "utf-32-le",
    "UTF-32BE": "utf-32-be",
}


def decode(name: str, pieces: list[bytes]) -> str:
    decoder = charset_decoder(by_name(name), lenient=True)
    return "".join(decoder.decode(piece) for piece in pieces) + decoder.decode(b"", True)


@pytest.mark.parametrize(("name", "codec"), FORMS.items())
def test_cut_at_every_byte(name: str, codec: str) -> None:
    data = TEXT.encode(codec)
    for cut in range(len(data) + 1):
        assert decode(name, [data[:cut], data[cut:]]) == TEXT


@pytest.mark.parametrize("name", ["UCS-4-2143", "UCS-4-3412"])
def test_the_odd_byte_orders(name: str) -> None:
    """XML 1.0 Appendix F.1: the bytes of a big-endian unit in the order 2143 or 3412."""
    order = [int(digit) - 1 for digit in name[-4:]]
    big = TEXT.encode("utf-32-be")
    data = b"".join(bytes(big[at + index] for index in order) for at in range(0, len(big), 4))
    assert decode(name, [data]) == TEXT
    assert decode(name, [data[at : at + 1] for at in range(len(data))]) == TEXT


@given(st.binary(max_size=40), st.integers(0, 40))
def test_damaged_utf_8_in_any_cut(data: bytes, cut: int) -> None:
    """An undecodable byte is the surrogate that Python's "surrogateescape" gives."""
    assert decode("UTF-8", [data[:cut], data[cut:]]) == data.decode("utf-8", "surrogateescape")


@given(st.binary(max_size=40), st.integers(0, 40), st.sampled_from([*FORMS][1:]))
def test_every_damaged_byte_is_counted(data: bytes, cut: int, name: str) -> None:
    """Text and surrogates together have as many bytes as the input, in any cut."""
    decoder = charset_decoder(by_name(name), lenient=True)
    whole = decoder.decode(data, True)
    assert decoder.byte_counter()(len(whole)) == len(data)
    assert decode(name, [data[:cut], data[cut:]]) == whole
    good = "".join(char for char in whole if not 0xDC00 <= ord(char) <= 0xDDFF)
    assert good.encode(FORMS[name]).decode(FORMS[name]) == good


@pytest.mark.parametrize(("name", "codec"), FORMS.items())
def test_offsets(name: str, codec: str) -> None:
    decoder = charset_decoder(by_name(name), lenient=True)
    text = decoder.decode(TEXT.encode(codec), True)
    counter = decoder.byte_counter()
    assert [counter(index) for index in range(len(text) + 1)] == [
        len(text[:index].encode(codec)) for index in range(len(text) + 1)
    ]


@given(st.sampled_from(sorted(FORMS)), st.text(max_size=30), st.lists(st.integers(0, 30), max_size=8))
def test_any_order_of_indexes_gives_the_same(name: str, text: str, indexes: list[int]) -> None:
    decoder = charset_decoder(by_name(name), lenient=True)
    text = decoder.decode(text.encode(FORMS[name], "ignore"), True)
    counter = decoder.byte_counter()
    for index in indexes:
        assert counter(index) == len(text[:index].encode(FORMS[name]))


@pytest.mark.parametrize(
    ("name", "data", "offsets"),
    [
        ("UTF-16BE", b"\0<\xd8\0\0a\0>\0!", [0, 2, 3, 4, 6, 8, 10]),
        ("UTF-16LE", b"<\0\0\xd8a\0>\0!\0", [0, 2, 3, 4, 6, 8, 10]),
        ("GBK", b"<\xc4\xff\xc4\xe3a", [0, 1, 2, 3, 5, 6]),
    ],
)
def test_an_index_within_an_undecodable_sequence(name: str, data: bytes, offsets: list[int]) -> None:
    """The bytes after it are counted from its end: one of its bytes may begin another character."""
    decoder = charset_decoder(by_name(name), lenient=True)
    assert len(decoder.decode(data, True)) + 1 == len(offsets)
    for within in range(len(offsets)):
        counter = decoder.byte_counter()
        for index in (max(within - 1, 0), within, *range(within, len(offsets))):
            assert counter(index) == offsets[index]


ITEMS = "".join(f"<entries>Новости {at}</entries>\n<item>News of {at}</item>\n" for at in range(9))
OUT_OF_STEP = [
    # order, the byte of ITEMS that is left out, or what is put before it, the text, the byte that is lost
    ("16LE", 2, b"", "<\udc00ntries>", 2),
    ("16LE", 3, b"", "<湥\udc00tries>", 4),
    ("16LE", 2, b"\r", "<攍\udc00ntries>", 4),
    ("16BE", 2, b"", "<\udc65ntries>", 2),
    ("16BE", 3, b"", "<\0\udc6etries>", 4),
    ("16BE", 2, b"\r", "<\udc0dentries>", 2),
    ("32LE", 4, b"", "<\udc00\udd00\udd00ntries>", 4),
    ("32LE", 5, b"", "<\udc65\udd00\udd00ntries>", 4),
    ("32LE", 7, b"", "<\udc65\udd00\udd00ntries>", 4),
    ("32LE", 4, b"\r", "<攍\udc00ntries>", 8),
    ("32LE", 4, b"\r\r", "<\udc0d\udd0dentries>", 4),
    ("32LE", 5, b"\r\r\r", "<\udc65\udd0d\udd0d\rntries>", 4),
    ("32LE", 5, b"\1\1\1", "<\udc65\udd01\udd01\udd01\udd00\udd00\udd00ntries>", 4),
    ("32LE", 6, b"\r", "<\U000d0065\udc00ntries>", 8),
    ("32BE", 4, b"", "<\udc00\udd00\udd65ntries>", 4),
    ("32BE", 5, b"", "<\udc00\udd00\udd65ntries>", 4),
    ("32BE", 7, b"", "<\0\udc00\udd00\udd6etries>", 8),
    ("32BE", 4, b"\r", "<\udc0dentries>", 4),
    ("32BE", 4, b"\r\r", "<\udc0d\udd0dentries>", 4),
    ("32BE", 5, b"\r\r\r", "<\U000d0d0d\udc00\udd00\udd65ntries>", 8),
    ("32BE", 7, b"\r", "<\r\udc65ntries>", 8),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("order", "at", "added", "begun", "offset"), OUT_OF_STEP)
def test_a_byte_that_is_lost_or_too_many(order: str, at: int, added: bytes, begun: str, offset: int) -> None:
    """All that follows would be other characters, or none."""
    name, source = f"UTF-{order}", ITEMS.encode(f"UTF-{order}")
    source = source[:at] + added + source[at + (not added) :]
    expected = begun + ITEMS.removeprefix("<entries>")
    for cut in (*range(at + 20), *range(at + 20, len(source), 7)):
        assert decode(name, [source[:cut], source[cut:]]) == expected
    assert decode(name, [source[cut : cut + 1] for cut in range(len(source))]) == expected
    decoder = charset_decoder(by_name(name), lenient=True)
    counter = (decoder.decode(source, True), decoder.byte_counter())[1]
    place = next(index for index, char in enumerate(expected) if "\udc00" <= char <= "\udcff")
    assert counter(place) == offset
    assert counter(len(expected)) == len(source)
    strict = charset_decoder(by_name(name), lenient=False)
    assert "Новости" not in strict.decode(source, True)


@pytest.mark.parametrize(
    ("order", "text", "expected"),
    [
        # The character behind the byte that is too many is larger than those that follow.
        ("BE", b"\0\0\0<\r", "<\udc0d日entries"),
        # One undecodable unit behind a character whose bytes may be those of ASCII.
        ("LE", b"\0\x65\0\0\xff\xff\xff\xff", "攀\udcff\uddff\uddff\uddff日entries"),
    ],
)
def test_what_stands_beside_bytes_without_a_character_stays(order: str, text: bytes, expected: str) -> None:
    source = text + "日entries".encode(f"utf-32-{order}")
    for cut in range(len(source)):
        assert decode(f"UTF-32{order}", [source[:cut], source[cut:]]) == expected


@given(st.lists(st.integers(0x20, 0xFF), min_size=9, max_size=40), st.sampled_from(["UTF-32LE", "UTF-32BE"]))
def test_text_behind_a_damaged_block(block: list[int], name: str) -> None:
    """Cyrillic would be planes without characters one byte further on."""
    text = "прізвище, не виходячи з дому"
    read = decode(name, ["<p>".encode(name) + bytes(block) + text.encode(name)])
    assert read.startswith("<p>")
    assert read.endswith(text[3:])


@pytest.mark.parametrize("order", ["LE", "BE"])
@pytest.mark.parametrize("distance", range(6, 40))
def test_two_lost_bytes_near_each_other(order: str, distance: int) -> None:
    """What is certain by its letters is so before a second damaged place, too."""
    source = bytearray("<item><title>News of this week</title></item>".encode(f"utf-32-{order}"))
    for at in (4 * (5 + distance), 4 * 5):
        source[at : at + (order == "BE")] = b"\r" if order == "LE" else b""
    read = decode(f"UTF-32{order}", [bytes(source)])
    assert sum(map(str.isascii, read)) >= 35, read


@pytest.mark.parametrize(("order", "added"), [("LE", b"\r\n\0"), ("BE", b"\0\r\n")])
def test_carriage_returns_of_one_byte(order: str, added: bytes) -> None:
    """As a program that knows bytes (FTP, git) adds them: each line would be out of step with the next."""
    source = ITEMS.encode(f"utf-16-{order}").replace("\n".encode(f"utf-16-{order}"), added)
    expected = ITEMS.replace("\n", "\udc0d\n" if order == "LE" else "\r\udc0a")
    for size in (1, 3, 64, 10_000):
        pieces = [source[at : at + size] for at in range(0, len(source), size)]
        assert decode(f"UTF-16{order}", pieces) == expected


@pytest.mark.parametrize(
    "text",
    [
        "攀攀攀攀攀攀攀攀",
        "稀 攀 㰀",
        "<p>It showed 㰀琀椀琀氀攀㸀一攀眀猀㰀⼀琀椀琀氀攀㸀 instead.</p>",
        "他攀上山頂，稀有的花",
        "e㰀",
    ],
)
def test_honest_text_with_such_characters(text: str) -> None:
    for name in ("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"):
        source = text.encode(FORMS[name])
        for cut in range(len(source)):
            assert decode(name, [source[:cut], source[cut:]]) == text


@pytest.mark.parametrize(("more", "changed"), [(0, False), (1, True)])
def test_how_much_text_beyond_ascii_is_certain(more: int, changed: bool) -> None:
    text = "攀㰀攀㰀攀" + "丁" * (CERTAIN_BEHIND - 6 + more) + "a丁"
    for name in ("UTF-16LE", "UTF-32LE"):
        assert (decode(name, [text.encode(name)]) != text) is changed


@given(
    st.lists(st.sampled_from(["<item>", "</item>\n", "новости", "日本", "攀", "\u0a0d", "😎", " the news "])),
    st.lists(st.tuples(st.integers(0, 300), st.sampled_from([b"", b"\r", b"\0"])), max_size=3),
    st.integers(1, 40),
    st.sampled_from(["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"]),
)
def test_lost_bytes_in_any_pieces(
    parts: list[str], changes: list[tuple[int, bytes]], size: int, name: str
) -> None:
    source = "".join(parts).encode(FORMS[name])
    for at, added in changes:
        source = source[:at] + added + source[at + (not added) :]
    decoder = charset_decoder(by_name(name), lenient=True)
    whole = decoder.decode(source, True)
    assert decoder.byte_counter()(len(whole)) == len(source)
    assert decode(name, [source[at : at + size] for at in range(0, len(source), size)]) == whole
