"""Every vector of UTF-8 validity: as CPython decodes it, whole and cut at every place."""

from __future__ import annotations

from itertools import product

import pytest
from support.cases import load, octets
from support.each import each

from feedcharset.charsets.lookup import by_name
from feedcharset.errors import DecodeError
from feedcharset.reading.xml_reader import XmlReader
from feedcharset.results import Repairs
from feedcharset.text.byte_decoder import DECODED_PIECE, LARGEST_PIECE, Utf8Decoder, text_decoder
from feedcharset.text.source_positions import RepairLog

# The bytes at which a row of Unicode's table 3-7 begins or ends, and one before and after all of them.
BOUNDARIES = bytes([0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2])
LEADS = range(0x80, 0x100)
VECTORS = [
    b"",
    *(bytes([a]) for a in range(0x100)),
    *(bytes([a, b]) for a, b in product(range(0x100), repeat=2)),
    *(bytes([a, b, c]) for a, b, c in product(LEADS, BOUNDARIES, BOUNDARIES)),
]
LONG = [bytes([a, *tail]) for a in LEADS for tail in product(BOUNDARIES, repeat=3)]
FEWER = VECTORS[::7] + LONG[::31]
POLICIES = ("replace", "space", "latin-1", "windows-1252")
WIDEST = 5
# A few of the vectors of each lead byte do for the quick tests, all of them follow.
SOME = pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.long)])


def decode(pieces: list[bytes], errors: str = "replace", offset: int = 0) -> tuple[str, Repairs]:
    log = RepairLog()
    decoder = Utf8Decoder(errors, log, offset=offset)
    text = "".join([decoder.decode(piece) for piece in pieces])
    return text + decoder.decode(b"", final=True), log.repairs


def repaired(document: bytes, errors: str) -> str:
    """What the policy says, spelled out."""
    if errors == "replace":
        return document.decode("utf-8", "replace")
    table = {0xDC00 + byte: replaced_byte(byte, errors) for byte in range(0x80, 0x100)}
    return document.decode("utf-8", "surrogateescape").translate(table)


def replaced_byte(byte: int, errors: str) -> str:
    if errors == "space":
        return " "
    if errors == "latin-1" or byte in b"\x81\x8d\x8f\x90\x9d":
        return chr(byte)
    return bytes([byte]).decode("cp1252")


@SOME
def test_each_vector_alone(step: int) -> None:
    """The end of the input is one more thing that can follow."""
    wrong = [
        vector.hex()
        for vector in (VECTORS + LONG)[::step]
        if text_decoder(by_name("UTF-8"), "replace", RepairLog(), lenient=False).decode(vector, True)
        != vector.decode("utf-8", "replace")
    ]
    assert wrong == []


@pytest.mark.sampled(2)
@SOME
@pytest.mark.parametrize(
    ("errors", "vectors"),
    [("replace", VECTORS), ("replace", LONG), *((errors, FEWER) for errors in POLICIES[1:])],
    ids=["short", "long", *POLICIES[1:]],
)
def test_vectors_cut_at_every_place(errors: str, vectors: list[bytes], step: int) -> None:
    """Vectors stand in fields of one width, so that pieces of that width cut each of them at one place."""
    document = b"".join([vector.ljust(WIDEST, b".") for vector in vectors[::step]])
    whole, repairs = decode([document], errors)
    assert whole == repaired(document, errors)
    for phase in range(WIDEST):
        pieces = [document[n : n + WIDEST] for n in range(phase, len(document), WIDEST)]
        assert decode([document[:phase], *pieces], errors) == (whole, repairs)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("errors", POLICIES)
def test_byte_by_byte_with_empty_pieces(errors: str) -> None:
    document = b"".join(FEWER)
    pieces = [piece for byte in document for piece in (bytes([byte]), b"")]
    assert decode(pieces, errors) == decode([document], errors)


@pytest.mark.long
@each("errors", POLICIES)
@each("filler", [b"x", "é".encode(), "€".encode(), "😀".encode(), b"\xe9", b"\xf0\x9f\x98"])
def test_around_the_end_of_a_piece(filler: bytes, errors: str) -> None:
    """The decoder's own pieces cut nothing either."""
    for shift in range(4):
        document = b"." * shift + filler * ((LARGEST_PIECE + DECODED_PIECE) // len(filler) + 1)
        assert decode([document], errors)[0] == repaired(document, errors)


@pytest.mark.parametrize("errors", POLICIES)
def test_counts_and_places(errors: str) -> None:
    document = "é€".encode() + b"\xe9\xe2\x82 \xff" + "€".encode() + b"\x80"
    offsets = (5, 6, 9, 13) if errors == "replace" else (5, 6, 7, 9, 13)
    _, repairs = decode([document], errors)
    assert repairs == Repairs(len(offsets), offsets, (("bytes", len(offsets)),))


def test_a_replacement_character_in_the_source_is_no_repair() -> None:
    assert decode(["a\ufffdb".encode() + b"\xff\xff"])[1].count == 2


def test_the_first_hundred_places() -> None:
    document = b"\xe9 " * 300
    _, repairs = decode([document[:7], document[7:]])
    assert repairs == Repairs(300, tuple(range(0, 200, 2)), (("bytes", 300),))


def test_through_a_reader() -> None:
    """The vectors of three bytes and fewer as the content of an element."""
    document = b"<a>" + b".".join(VECTORS)
    with XmlReader(document, encoding="UTF-8", errors="replace", declaration="keep") as reader:
        assert reader.read() == document.decode("utf-8", "replace")


@each("case", load("utf8_errors"), ids=lambda case: case["why"])
def test_strict(case: dict[str, object]) -> None:
    """The offset is absolute, lines and columns count from 1, columns in characters."""
    document = octets(str(case["octets"]))
    for cut in range(len(document) + 1):
        for skipped in (0, 3):
            with pytest.raises(DecodeError) as caught:
                decode([document[:cut], b"", document[cut:]], "strict", skipped)
            error = caught.value
            assert error.offset == case["offset"] + skipped  # type: ignore[operator]
            assert (error.line, error.column) == (case["line"], case["column"])
            assert error.end - error.start == case["end"] - case["offset"]  # type: ignore[operator]
            assert error.reason == case["reason"]
            bad = document[case["offset"] : case["end"]]  # type: ignore[misc]
            assert error.object[error.start : error.end] == bad
            assert error.encoding == "UTF-8"


def test_strict_far_into_a_document() -> None:
    lines = "é\r\n".encode() * 50_000
    with pytest.raises(DecodeError) as caught:
        decode([lines, b"ab\xff"], "strict")
    assert (caught.value.offset, caught.value.line, caught.value.column) == (200_002, 50_001, 3)


def test_strict_accepts_what_is_well_formed() -> None:
    assert decode(["\ufdd0\uffff é\r\n".encode()], "strict") == ("\ufdd0\uffff é\r\n", Repairs())


def test_unknown_policies_are_refused_with_the_list() -> None:
    with pytest.raises(ValueError, match="'strict', 'replace', 'space', 'latin-1', 'windows-1252'"):
        XmlReader(b"", errors="ignore")
