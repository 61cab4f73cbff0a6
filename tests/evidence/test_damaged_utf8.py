"""Damaged UTF-8: the numbers of a window, bounds that are true, cut characters and surrogate pairs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cases import load
from support.each import each

from feedcharset import decode
from feedcharset.charsets.lookup import by_name
from feedcharset.decide.thresholds import tolerable_utf8
from feedcharset.evidence import damaged_utf8
from feedcharset.evidence.damaged_utf8 import (
    CONTEXT,
    CUT_BYTES,
    FEW_CUT_RUNS,
    FIRST_RUNS,
    bound_densely,
    bound_utf8,
    count_utf8,
    find_damage,
    measure_utf8,
    unfinished,
)
from feedcharset.results import Repairs
from feedcharset.text.byte_decoder import text_decoder
from feedcharset.text.source_positions import RepairLog

CASES = load("utf8_damage")
LINE = "Größe, café, naïve: seven sequences make a document UTF-8 – “sûr”.\n"


@each("case", CASES, ids=lambda case: case["why"])
def test_what_is_recognised(case: dict[str, Any]) -> None:
    before, damaged = case["before"], bytes.fromhex(case["bytes"])
    escaped = damaged.decode("utf-8", "surrogateescape") + case["after"]
    found = "".join(damage.characters for damage in find_damage(before + escaped))
    assert found == (case["read"] or "")
    assert [damage.characters for damage in find_damage(escaped, before)] == [
        damage.characters for damage in find_damage(before + escaped)
    ]


@each("case", CASES, ids=lambda case: case["why"])
def test_how_it_is_read(case: dict[str, Any]) -> None:
    """In a document that is UTF-8; what is not recognised is windows-1252."""
    damaged = bytes.fromhex(case["bytes"])
    document = (LINE + case["before"]).encode() + damaged + case["after"].encode()
    read = case["read"] or "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in damaged)
    text, resolution, repairs = decode(document)
    assert text == LINE + case["before"] + read + case["after"]
    assert resolution.encoding == "UTF-8"
    kind = "cesu-8" if case["read"] and len(damaged) > 3 else "bytes"
    assert dict(repairs.kinds) == {kind: len(read)}
    assert repairs.offsets[0] == len((LINE + case["before"]).encode())


@pytest.mark.parametrize("errors", ["replace", "space"])
def test_other_policies_take_the_bytes_as_they_are(errors: Any) -> None:
    """`errors="replace"` is that of the Encoding Standard."""
    document = LINE.encode() + b"arriv\xc3... \xed\xa0\xbd\xed\xb8\x8e"
    expected = "\ufffd" if errors == "replace" else " "
    assert decode(document, errors=errors).text == LINE + f"arriv{expected}... " + expected * 6


def in_pieces(pieces: list[bytes]) -> tuple[str, Repairs]:
    log = RepairLog()
    decoder = text_decoder(by_name("UTF-8"), "windows-1252", log, lenient=True)
    return "".join([decoder.decode(piece) for piece in pieces]) + decoder.decode(b"", True), log.repairs


PARTS = [
    *(b"a", b".", b"\xc3", b"\xe2\x80", b"\xe2", b"\xed\xa0\xbd", b"\xed\xb8\x8e", b"\xa9", b"\xff"),
    *(
        b"\xed\xa0\xbd\xed\xb8\x8e",
        b"\xf0\x9f\x98",
        b"\xc3\xa9",
        b"\xed",
        b"\xd0\x96",
        b"\xc9\xbb",
        b"x" * CONTEXT,
    ),
]


@given(st.lists(st.sampled_from(PARTS), max_size=9), st.integers(0, 60))
def test_the_same_in_any_pieces(parts: list[bytes], cut: int) -> None:
    """The incremental decoder gives the same text however the bytes are cut."""
    document = b"".join(parts)
    whole = in_pieces([document])
    assert in_pieces([document[:cut], document[cut:]]) == whole
    assert in_pieces([bytes([byte]) for byte in document]) == whole


@given(st.lists(st.sampled_from(PARTS), max_size=9))
def test_no_more_than_eight_bytes_are_held_back(parts: list[bytes]) -> None:
    escaped = b"".join(parts).decode("utf-8", "surrogateescape")
    assert 0 <= unfinished(escaped) <= 8


@given(
    st.text(st.sampled_from("aéÜ中😎\udc80\udcff"), max_size=20),
    st.integers(0, 6),
    st.sampled_from([None, 0, 99]),
)
def test_the_runs_are_those_of_the_whole_text(escaped: str, most: int, damaged: int | None) -> None:
    """However the text is searched part by part, and by whichever means."""
    expected = [match.span() for match in re.finditer("[\udc80-\udcff]+", escaped)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(damaged_utf8, "MARKED_PART", 3)
        found = damaged_utf8.escaped_runs(escaped, most, damaged)
    assert found == (expected if len(expected) <= most else None)


LEGACY = {
    "cp1251": "Ученики первого класса «впервые» увидели море — и лес. ",
    "cp1252": "Les élèves de première année ont été reçus à l’école où ils découvrent le château. ",
    "iso8859-2": "Zażółć gęślą jaźń, później pójdź w cień. ",
    "cp1253": "Οι μαθητές της πρώτης τάξης είδαν τη θάλασσα. ",
    "cp874": "นักเรียนชั้นหนึ่งเห็นทะเลเป็นครั้งแรกในชีวิต ",
    "cp932": "一年生の子供たちは初めて海を見て、森と古い城を訪れた。",
    "gbk": "新华社北京电：今年的经济增长超过预期，专家们认为明年会更好。",
    "big5": "一年級的學生第一次看到了大海、森林和古老的城堡。",
    "euc_kr": "일학년 학생들은 처음으로 바다와 숲과 오래된 성을 보았다. ",
    "utf-8": "Žluťoučký kůň 中文 😎 ",
}
FRAGMENTS = st.sampled_from(
    [
        *(bytes([byte]) for byte in b"\x80\x9f\xa0\xbf\xc0\xc2\xdf\xe0\xe9\xed\xef\xf0\xf4\xf5\xff"),
        *(text.encode() for text in ("é", "я", "中", "😎", " ", "a", ". ", "x" * 50)),
        *(b"\xed\xa0\xbd\xed\xb8\x8e", b"d\xc3.", b"caf\xe9s ", b"\xe9 "),
        *(text.encode(codec) for codec, text in LEGACY.items()),
    ]
)


@given(
    st.lists(FRAGMENTS, max_size=60).map(b"".join),
    st.sampled_from([1, 3, 40]),
    st.booleans(),
    st.integers(0, 5),
)
@settings(max_examples=600, deadline=None)
def test_bounds_are_true(part: bytes, times: int, ends: bool, cut: int) -> None:
    """All sequences are counted, and no more damaged runs and bytes than there are; and they prove it."""
    data = (part * times)[: len(part) * times - cut]
    share = measure_utf8(data, ends)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(damaged_utf8, "FIRST_RUNS", 7)
        in_parts = bound_utf8(data, share)
    exact = count_utf8(data, ends=ends)[0]
    assert (
        share[:3] == (exact.sequences or 0, exact.sequence_bytes, exact.damaged_bytes)
        or exact.sequences is None
    )
    dense = bound_densely(data)
    if dense is not None:
        assert dense.bounds
        assert dense.sequences is not None
        assert dense.sequences >= (exact.sequences or 0)
        assert dense.sequence_bytes >= exact.sequence_bytes
        assert 0 < dense.damaged <= exact.damaged
        assert 0 < dense.damaged_bytes <= exact.damaged_bytes
        assert not tolerable_utf8(dense)
        assert not tolerable_utf8(exact)
    for found in filter(None, (in_parts, bound_utf8(data, share))):
        assert found.bounds
        assert (found.sequences, found.sequence_bytes) == (exact.sequences or 0, exact.sequence_bytes)
        assert 0 < found.damaged <= exact.damaged - exact.cut or found.damaged == 1
        assert found.damaged_bytes in (0, exact.damaged_bytes)
        assert not tolerable_utf8(found)
        assert not tolerable_utf8(exact)


@each("codec", list(LEGACY)[:-1])
@each("times", [10, 40, 4000])
def test_legacy_text_is_proven(codec: str, times: int) -> None:
    data = (LEGACY[codec] * times).encode(codec)
    assert bound_utf8(data, measure_utf8(data, True)) is not None


@pytest.mark.parametrize(
    ("codec", "dense"), [("cp1251", True), ("cp1253", True), ("cp874", False), ("cp1252", False)]
)
def test_dense_text_is_proven_by_its_lack_of_continuation(codec: str, dense: bool) -> None:
    text = LEGACY[codec]
    assert (bound_densely((text * 200).encode(codec)) is not None) == dense
    assert bound_densely((text * 200).encode(codec) + "中文".encode() * 2000) is None
    assert bound_densely((text * 20 + "x" * 9000).encode(codec)) is None
    assert bound_densely(text[:9].encode(codec)) is None


@pytest.mark.parametrize("text", LEGACY.values())
def test_utf8_is_never_proven_to_be_none(text: str) -> None:
    for damage in (b"\xff", b"\xe9 ", b"\x80"):
        data = text.encode() * 40 + damage * 20
        assert bound_utf8(data, measure_utf8(data, True)) is None


def test_runs_prove_it_at_the_first_part_that_has_enough() -> None:
    """Text with few non-ASCII bytes, and sequences and surrogate pairs among them: all are counted."""
    words = "Un été, les enfants de la ville partent au bord de la mer et des lacs. ".encode("cp1252")
    for sequences in ("é".encode() * 30, b"\xed\xa0\xbd\xed\xb8\x8e " * 30):
        for data in (words * 20 + sequences * 5, sequences + b"x" * FIRST_RUNS + words * 80):
            share, exact = measure_utf8(data, True), count_utf8(data, ends=True)[0]
            found = bound_utf8(data, share)
            assert share.sequences == exact.sequences in (30, 150)
            assert found is None or exact.damaged >= found.damaged
    assert found is not None


@pytest.mark.parametrize("more", [0, 1])
def test_bytes_prove_it_from_the_first_that_no_cut_character_explains(more: int) -> None:
    """`d` C3 `.` is a cut character; sixteen of them, and as many damaged bytes as in sequences."""
    data = b"d\xf0\x9f\x98." * FEW_CUT_RUNS + b"\xc3\xa9" * 4 + b"\xff." * 8 + b"\xff." * more
    share = measure_utf8(data, True)
    assert share.damaged_bytes - share.sequence_bytes == CUT_BYTES * FEW_CUT_RUNS + more
    assert (bound_utf8(data, share) is not None) == bool(more)
