"""All stages, in their order, and the offset of every change."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each

from feedcharset import XmlDecoder, decode
from feedcharset.charsets.lookup import by_name
from feedcharset.errors import DecodeError
from feedcharset.results import Repairs
from feedcharset.text.byte_decoder import Utf8Decoder, text_decoder
from feedcharset.text.source_positions import OFFSETS, RepairLog
from feedcharset.text.xml_decoder import FILTERED_BYTES

DECLARATION = b'<?xml version="1.0" encoding="x"?>'
BLANKED = '<?xml version="1.0"             ?>'
PARTS = [
    "<a>",
    "</a>",
    "Ã©",
    "itâ€™s",
    "é",
    "€",
    "\0",
    "\x01",
    "\ufffe",
    "😀",
    " ",
    "\n",
    "&amp;",
    "'",
    '"',
    "x",
]


def run(
    pieces: list[bytes], charset: str = "UTF-8", errors: str = "windows-1252", **options: Any
) -> tuple[str, Repairs]:
    decoder = XmlDecoder(**{"encoding": charset, "errors": errors, **options})
    parts = [decoder.decode(piece) for piece in pieces]
    return "".join([*parts, decoder.decode(b"", True)]), decoder.repairs


def check_cuts(document: bytes, expected: tuple[str, Repairs], **options: Any) -> None:
    assert run([document], **options) == expected
    for cut in range(len(document) + 1):
        assert run([document[:cut], b"", document[cut:]], **options) == expected
    assert run([bytes([byte]) for byte in document], **options) == expected


def test_nothing_to_do() -> None:
    document = "<a>é\0Ã©</a>".encode()
    check_cuts(document, ("<a>é\0Ã©</a>", Repairs()))
    check_cuts(DECLARATION + document, (BLANKED + "<a>é\0Ã©</a>", Repairs()))
    kept = DECLARATION.decode() + "<a>é\0Ã©</a>"
    check_cuts(DECLARATION + document, (kept, Repairs()), declaration="keep")


def test_all_stages_with_their_places() -> None:
    """Octets first, then mojibake, then characters that XML forbids; offsets in bytes of the source."""
    document = (
        DECLARATION + b"<a \0b='\xe9" + "Ã©".encode() + b"'>\x01" + "itâ€™s\x02</a>\ufffe".encode() + b"\xff"
    )
    text = BLANKED + "<a \ufffdb='éé'>\ufffdit’s\ufffd</a>\ufffdÿ"
    kinds = (("bytes", 2), ("mojibake", 2), ("xml-chars", 4))
    offsets = (37, 41, 42, 48, 51, 60, 65, 68)
    expected = text, Repairs(8, tuple(sorted(offsets)), kinds)
    check_cuts(document, expected, mojibake="fix", xml_chars="replace")


@pytest.mark.parametrize(
    ("xml_chars", "text"), [("replace", "é\ufffdéé\ufffd"), ("space", "é éé "), ("drop", "ééé")]
)
def test_xml_chars(xml_chars: str, text: str) -> None:
    document = "é\0".encode() + b"\xe9" + "é\x01".encode()
    repairs = Repairs(3, (2, 3, 6), (("bytes", 1), ("xml-chars", 2)))
    check_cuts(document, (text, repairs), xml_chars=xml_chars)


def test_places_after_maximal_subparts() -> None:
    """What was one U+FFFD was two bytes."""
    document = b"\xe2\x82\xe2\x82\0" + "€".encode() + b"\xe2\x82\xf0\x9f\x98\0"
    repairs = Repairs(6, (0, 2, 4, 8, 10, 13), (("bytes", 4), ("xml-chars", 2)))
    check_cuts(document, ("\ufffd\ufffd €\ufffd\ufffd ", repairs), errors="replace", xml_chars="space")


@pytest.mark.parametrize(
    ("charset", "document", "text", "offsets"),
    [
        ("UTF-16LE", "<a>\0€\x01</a>".encode("utf-16-le") + b"x", "<a> € </a>\ufffd", (6, 10, 20)),
        (
            "UTF-16BE",
            "<a>\n<b/>\n</a>\n".encode("utf-16-be").replace(b"\n", b"\r\n"),
            "<a>\r\ufffd<b/>\r\ufffd</a>\r\ufffd",
            (8, 19, 30),
        ),
        ("UTF-16BE", b"\0a\xdc\0\xdc\0\0\0", "a\ufffd\ufffd ", (2, 4, 6)),
        ("UTF-32BE", "😀\0".encode("utf-32-be"), "😀 ", (4,)),
        ("Shift_JIS", b"\x82\xa0\xff\0\x82\xa0\0", "あ\ufffd あ ", (2, 3, 6)),
        ("ISO-8859-1", b"\x93\0\x94\0", "“ ” ", (1, 3)),
        ("IBM037", b"\x81\0\x82", "a b", (1,)),
    ],
)
def test_offsets_in_other_charsets(
    charset: str, document: bytes, text: str, offsets: tuple[int, ...]
) -> None:
    whole = run([document], charset, xml_chars="space")
    assert (whole[0], whole[1].offsets) == (text, offsets)
    for cut in range(len(document) + 1):
        assert run([document[:cut], document[cut:]], charset, xml_chars="space") == whole


def test_a_cut_character_of_several_bytes_has_one_offset() -> None:
    data = b"<a>" + "é".encode() * 10 + b"\xe2\x80 \xf0\x9f\x98 x</a>"
    text, _, repairs = decode(data)
    assert text == "<a>" + "é" * 10 + "\ufffd \ufffd x</a>"
    assert repairs == Repairs(2, (23, 26), (("bytes", 2),))


def test_offsets_in_and_after_what_was_mended() -> None:
    """ftfy's result may itself hold a character that XML forbids: its offset is that of the fixed run."""
    document = "a ï¿¾ b\0 c Ã©\0".encode()
    repairs = Repairs(5, (2, 2, 10, 14, 18), (("mojibake", 2), ("xml-chars", 3)))
    check_cuts(document, ("a ? b? c é?".replace("?", "\ufffd"), repairs), mojibake="fix", xml_chars="replace")


@given(
    st.lists(st.sampled_from([part.encode() for part in PARTS] + [b"\xe9", b"\xe2\x82"]), max_size=20),
    st.data(),
)
def test_the_pieces_do_not_matter(parts: list[bytes], data: st.DataObject) -> None:
    document = data.draw(st.sampled_from([b"", DECLARATION])) + b"".join(parts)
    options = {"mojibake": data.draw(st.sampled_from(["keep", "fix"]))}
    options["xml_chars"] = data.draw(st.sampled_from(["keep", "replace", "drop"]))
    options["errors"] = data.draw(st.sampled_from(["replace", "space", "latin-1"]))
    cut = data.draw(st.integers(0, len(document)))
    whole = run([document], **options)
    assert run([document[:cut], document[cut:]], **options) == whole
    assert run([bytes([byte]) for byte in document], **options) == whole


def test_the_first_hundred_places_of_each_kind() -> None:
    document = b"\xe9\0" * 150
    _, repairs = run([document], xml_chars="space")
    assert repairs == Repairs(300, tuple(range(OFFSETS)), (("bytes", 150), ("xml-chars", 150)))


def test_another_charset_after_ascii() -> None:
    """Lines, offsets and what is held back go on."""
    decoder = XmlDecoder(mojibake="fix", xml_chars="space")
    parts = [decoder.decode(b"<?xml version='1.0' encoding='windows-1251'?><a>\0x")]
    parts += [decoder.decode(b"\xef\xf0\0</a>"), decoder.decode(b"", True)]
    assert "".join(parts) == "<?xml version='1.0'                        ?><a> xпр </a>"
    assert decoder.repairs == Repairs(2, (48, 52), (("xml-chars", 2),))


def test_a_mixture_is_read_by_its_page() -> None:
    log = RepairLog()
    before = text_decoder(by_name("US-ASCII"), "replace", log, lenient=True)
    assert before.decode(b"ab") == "ab"
    decoder = Utf8Decoder("replace", log, page="windows-1252")
    decoder.follow(before)
    assert decoder.decode(b"\x93", True) == "“"
    assert log.repairs.offsets == (2,)
    for page, read in (("ISO-8859-15", "€"), ("windows-1254", "¤")):
        decoder = Utf8Decoder("strict", log, page=page)
        assert decoder.decode(b"\xa4\xc3\xa9", True) == f"{read}é"


def test_strict_lines_go_on_in_another_charset() -> None:
    decoders = [
        text_decoder(by_name(name), "strict", RepairLog(), lenient=False)
        for name in ("UTF-8", "windows-1252")
    ]
    decoders[0].decode(b"a\nb\r")
    decoders[1].follow(decoders[0])
    decoders[1].decode(b"\nc")
    with pytest.raises(DecodeError) as caught:
        decoders[1].decode(b"d\x81")
    assert (caught.value.offset, caught.value.line, caught.value.column) == (7, 3, 3)


@pytest.mark.parametrize("option", ["errors", "declaration", "mojibake", "xml_chars"])
def test_other_values_are_refused_with_a_list(option: str) -> None:
    with pytest.raises(ValueError, match=f"^{option}='maybe' is not known; pass one of '"):
        run([], **{option: "maybe"})


@pytest.mark.long
def test_memory_of_filtered_text_with_an_undecodable_byte_after_each_character() -> None:
    """At most 12 bytes for each byte of the document, its text included."""
    document = b"\xf0\x9f\x98\x80\xe9" * 60_000
    decoder = XmlDecoder(encoding="UTF-8", errors="windows-1252", xml_chars="replace")
    tracemalloc.start()
    text = decoder.decode(document, True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(text) == 120_000
    assert peak < 12 * len(document)


def test_a_large_piece_ends_within_a_character() -> None:
    """It is decoded in small pieces, and the last of them is not the end of the document."""
    document = "€".encode() * FILTERED_BYTES
    for cut in (FILTERED_BYTES + 1, FILTERED_BYTES + 2):
        decoder = XmlDecoder(xml_chars="replace", lookahead=1)
        pieces = [document[:100], document[100 : 100 + cut], document[100 + cut :]]
        text = "".join(decoder.decode(piece, piece is pieces[-1]) for piece in pieces)
        assert text == document.decode()
        assert not decoder.repairs


def test_the_text_before_an_undecodable_byte_far_behind() -> None:
    document = b"x" * (3 * FILTERED_BYTES) + b"\xff" + b"y" * FILTERED_BYTES
    decoder = XmlDecoder(encoding="UTF-8", errors="strict", xml_chars="replace")
    with pytest.raises(DecodeError) as caught:
        decoder.decode(document, True)
    assert caught.value.partial == "x" * (3 * FILTERED_BYTES)
    assert caught.value.offset == 3 * FILTERED_BYTES


BODY = "<a>naÃ¯ve \x08 cafÃ©</a>".encode()


@each(
    ("options", "text", "kinds", "offsets"),
    [
        ({}, "<a>naÃ¯ve \x08 cafÃ©</a>", (), ()),
        ({"mojibake": "fix"}, "<a>naïve \x08 café</a>", (("mojibake", 2),), (5, 17)),
        ({"xml_chars": "replace"}, "<a>naÃ¯ve \ufffd cafÃ©</a>", (("xml-chars", 1),), (12,)),
        ({"xml_chars": "space"}, "<a>naÃ¯ve   cafÃ©</a>", (("xml-chars", 1),), (12,)),
        (
            {"mojibake": "fix", "xml_chars": "drop"},
            "<a>naïve  café</a>",
            (("mojibake", 2), ("xml-chars", 1)),
            (5, 12, 17),
        ),
    ],
)
@each("size", [1, 2, 3, 7, 1000])
def test_the_filters(options: dict, text: str, kinds: tuple, offsets: tuple, size: int) -> None:
    decoder = XmlDecoder(**options)
    found = "".join(decoder.decode(BODY[at : at + size]) for at in range(0, len(BODY), size))
    found += decoder.decode(b"", True)
    assert found == text
    assert (decoder.repairs.kinds, decoder.repairs.offsets) == (kinds, offsets)


SLICE = 16 * 1024
"""Characters: more than a piece that is filtered at once."""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("length", [SLICE - 8, SLICE, SLICE + 1, 3 * SLICE])
def test_a_long_text_is_filtered_as_its_pieces_are(length: int) -> None:
    body = b"<a>" + (BODY[3:-4] * (length // 12))[:length] + b"</a>"
    whole, by_pieces = (XmlDecoder(mojibake="fix", xml_chars="replace") for _ in range(2))
    text = whole.decode(body, True)
    pieces = [by_pieces.decode(body[at : at + 1000]) for at in range(0, len(body), 1000)]
    assert text == "".join([*pieces, by_pieces.decode(b"", True)])
    assert whole.repairs == by_pieces.repairs
    assert whole.repairs.count > 1000


@pytest.mark.long
@each("before", range(SLICE - 6, SLICE + 3))
@each("size", [SLICE, SLICE + 6, 5 * SLICE])
def test_mojibake_at_the_end_of_a_slice(before: int, size: int) -> None:
    """A run that the end of a slice cuts is fixed whole, in a piece longer than a slice, too."""
    body = b"<a>" + b"x" * (before - 3) + "Ã©â€™".encode() + b"y" * SLICE + b"</a>"
    decoder = XmlDecoder(mojibake="fix")
    parts = [decoder.decode(body[at : at + size]) for at in range(0, len(body), size)]
    text = "".join([*parts, decoder.decode(b"", True)])
    assert text == "<a>" + "x" * (before - 3) + "é’" + "y" * SLICE + "</a>"
    assert decoder.repairs == (1, (before,), (("mojibake", 1),))
