"""repair-utf8: well-formed UTF-8 kept, every other byte as the caller wants it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load, octets
from support.each import each

from feedcharset.reading.utf8_stream import CHUNK, repair_stream
from feedcharset.results import Repaired, Repairs
from feedcharset.text.byte_decoder import DECODED_PIECE
from feedcharset.text.utf8_repair import Utf8Repairer, repair

CASES = load("repairs")
CESU8 = load("cesu8")
POLICIES = ("windows-1252", "latin-1", "space", "replace")
# Octets among which well-formed, ill-formed and CESU-8 sequences turn up often.
MIXED = st.lists(
    st.sampled_from(
        [b"a", b" ", b"\xe9", b"\xc3\xa9", b"\xe2\x80", b"\x99", b"\xed\xa0\xbd", b"\xed\xb8\x80"]
    )
    | st.binary(max_size=3),
    max_size=30,
).map(b"".join)


def through(pieces: list[bytes], **options: Any) -> Repaired:
    """The pieces through one filter, with an empty one after each."""
    repairer = Utf8Repairer(**options)
    data = b"".join([repairer.feed(part) for piece in pieces for part in (piece, b"")])
    return Repaired(data + repairer.feed(b"", final=True), repairer.repairs)


def one_at_a_time(data: bytes) -> bytes:
    """The filter as it was in Perl: up to the first error, one byte as ISO-8859-1, and on."""
    out = []
    while data:
        try:
            data.decode("utf-8")
            good = len(data)
        except UnicodeDecodeError as error:
            good = error.start
        out += [data[:good], data[good : good + 1].decode("latin-1").encode()]
        data = data[good + 1 :]
    return b"".join(out)


@each("errors", POLICIES)
@each("case", CASES, ids=lambda case: case["why"])
def test_repair(case: dict[str, str], errors: Any) -> None:
    data, expected = octets(case["octets"]), octets(case[errors])
    whole = repair(data, errors=errors)
    assert whole.data == expected
    assert (whole.repairs.count > 0) == (data != expected)
    for cut in range(len(data) + 1):
        assert through([data[:cut], data[cut:]], errors=errors) == whole
    assert through([bytes([byte]) for byte in data], errors=errors) == whole


@each("case", CESU8, ids=lambda case: case["why"])
def test_cesu8(case: dict[str, Any]) -> None:
    data = octets(case["octets"])
    whole = repair(data, cesu8="join")
    assert whole.data == octets(case["joined"])
    assert whole.repairs == Repairs(
        sum(case["kinds"].values()), tuple(case["offsets"]), tuple(sorted(case["kinds"].items()))
    )
    for cut in range(len(data) + 1):
        assert through([data[:cut], data[cut:]], cesu8="join") == whole
    assert through([bytes([byte]) for byte in data], cesu8="join") == whole


def test_the_default_is_windows_1252_and_leaves_cesu8_and_mojibake() -> None:
    data = b"\x80" + "â€™".encode()
    assert repair(data).data == "€â€™".encode()
    assert repair(b"\xed\xa0\xbd\xed\xb8\x80").data == "í\xa0½í¸€".encode()


@given(MIXED)
def test_latin_1_is_the_perl_filter(data: bytes) -> None:
    """Each byte that begins no well-formed sequence is ISO-8859-1."""
    assert repair(data, errors="latin-1").data == one_at_a_time(data)


@given(MIXED, st.sampled_from(POLICIES))
def test_the_result_is_utf8_and_repairing_it_changes_nothing(data: bytes, errors: Any) -> None:
    repaired = repair(data, errors=errors).data
    repaired.decode("utf-8")
    assert repair(repaired) == Repaired(repaired, Repairs())


@given(MIXED, st.sampled_from(POLICIES), st.sampled_from(["keep", "join"]), st.data())
def test_the_pieces_do_not_matter(data: bytes, errors: Any, cesu8: Any, draw: st.DataObject) -> None:
    cut = draw.draw(st.integers(0, len(data)))
    whole = repair(data, errors=errors, cesu8=cesu8)
    assert through([data[:cut], data[cut:]], errors=errors, cesu8=cesu8) == whole
    assert through([bytes([byte]) for byte in data], errors=errors, cesu8=cesu8) == whole


@given(MIXED)
def test_offsets_are_those_of_the_ill_formed_bytes(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    at, bad = 0, []
    for character in text:
        if "\udc80" <= character <= "\udcff":
            bad.append(at)
        at += len(character.encode("utf-8", "surrogateescape"))
    assert repair(data).repairs == Repairs(len(bad), tuple(bad[:100]), (("bytes", len(bad)),) if bad else ())


@pytest.mark.parametrize("errors", POLICIES)
def test_around_the_ends_of_pieces_and_chunks(errors: Any) -> None:
    for size in (DECODED_PIECE, CHUNK):
        for before in range(4):
            data = b"." * (size - before) + "€\xe9".encode() + b"\xe9\xed\xa0\xbd\xed\xb8\x80" + b"." * size
            whole = repair(data, errors=errors)
            out = io.BytesIO()
            assert repair_stream(io.BytesIO(data), out, errors=errors) == whole.repairs
            assert out.getvalue() == whole.data


def test_a_stream_tells_its_progress() -> None:
    told: list[int] = []
    repair_stream(io.BytesIO(b"x" * (CHUNK + 5)), io.BytesIO(), progress=told.append)
    assert told == [CHUNK, 5]


def test_a_stream_that_gives_little_at_a_time() -> None:
    class Drops(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(1)

    out = io.BytesIO()
    repairs = repair_stream(Drops("é".encode() + b"\xe9\xe2\x82"), out)
    assert (out.getvalue(), repairs.count) == ("ééâ‚".encode(), 3)


def test_mojibake_with_damage_and_pairs() -> None:
    """Offsets are those of the input, whatever was joined or held back before."""
    data = b"<a>\xed\xa0\xbd\xed\xb8\x80\xe9 " + "itâ€™s".encode() + b"</a>\xe9"
    whole = repair(data, cesu8="join", mojibake="fix")
    assert whole.data == "<a>😀é it’s</a>é".encode()
    assert whole.repairs == Repairs(4, (3, 9, 13, 26), (("bytes", 2), ("cesu-8", 1), ("mojibake", 1)))
    for cut in range(len(data) + 1):
        assert through([data[:cut], data[cut:]], cesu8="join", mojibake="fix") == whole


@pytest.mark.parametrize("option", [{"errors": "strict"}, {"cesu8": "fix"}, {"mojibake": "join"}])
def test_other_values_are_refused_with_a_list(option: Any) -> None:
    with pytest.raises(ValueError, match="is not known; pass one of '"):
        repair(b"", **option)
    with pytest.raises(ValueError, match="is not known; pass one of '"):
        repair_stream(io.BytesIO(), io.BytesIO(), **option)


def test_a_text_stream_is_refused() -> None:
    with pytest.raises(TypeError, match=r"\.buffer"):
        repair_stream(io.StringIO("x"), io.BytesIO())  # type: ignore[arg-type]


def test_text_is_refused() -> None:
    text: Any = "x"
    with pytest.raises(TypeError, match="a str is decoded already"):
        repair(text)
