"""Damaged UTF-8: the numbers of a window, bounds that are true, cut characters and surrogate pairs."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load
from support.each import each
from support.generated import generated

from feedcharset import decode
from feedcharset.charsets.lookup import by_name
from feedcharset.decide.thresholds import tolerable_utf8
from feedcharset.evidence import damaged_utf8
from feedcharset.evidence.damaged_utf8 import (
    CONTEXT,
    CUT_BYTES,
    DENSE_SAMPLE,
    FEW_CUT_RUNS,
    FIRST_RUNS,
    LISTED_DAMAGE,
    LISTED_RUNS,
    MARKED_PART,
    Utf8Share,
    bound_densely,
    bound_utf8,
    count_utf8,
    find_damage,
    has_sequence,
    measure_utf8,
    unfinished,
)
from feedcharset.results import Repairs
from feedcharset.results.facts import Utf8Count
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
    st.text(st.sampled_from("aéÜ中😎\udc80\udcdc\udcff"), max_size=20),
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


@generated(
    24,
    300,
    st.lists(FRAGMENTS, max_size=60).map(b"".join),
    st.sampled_from([1, 3, 40]),
    st.booleans(),
    st.integers(0, 5),
)
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


@each("text", LEGACY.values())
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
    """Sixteen cut characters of three bytes, and as many damaged bytes as in sequences."""
    data = b"d\xf0\x90\x98." * FEW_CUT_RUNS + b"\xc3\xa9" * 4 + b"\xff." * 8 + b"\xff." * more
    share = measure_utf8(data, True)
    assert share.damaged_bytes - share.sequence_bytes == CUT_BYTES * FEW_CUT_RUNS + more
    assert (bound_utf8(data, share) is not None) == bool(more)


@pytest.mark.parametrize(
    ("text", "marks", "cut"),
    [
        (b"\xf0\x9f\x98", 1, 1),
        (b"cool \xf0\x9f\x98.", 1, 1),
        (b"cool\xf0\x9f ", 1, 1),
        (b"\xf0\x9f\x98a", 0, 0),
        (b"\xf0\x9f\x98\xe9 ", 0, 0),
        (b"\xe9\xf0\x9f\x98 ", 0, 0),
        (b"\xf0\x90\x98 ", 0, 1),
        (b"\xc3\xa9\xf0\x9f\x98 ", 0, 1),
        (b"cool \xf0\x9f\x98." * (FEW_CUT_RUNS + 1), FEW_CUT_RUNS + 1, FEW_CUT_RUNS + 1),
        (b"cool \xf0\x9f\x98." * 2000, 2000, 2000),
        (b"said \xe2\x80.", 1, 1),
        (b"5 \xe2\x82<", 1, 1),
        (b"\xe2\x9d \xe2\x9c ", 2, 2),
        (b"said \xe2\x80s", 0, 0),
        (b"said \xe2 ", 0, 0),
        (b"said \xe2\x81 ", 0, 1),
        (b"cool \xf0\x9f\x98." + b"\xe9." * (FEW_CUT_RUNS + 1), 0, 0),
    ],
)
def test_beginnings_of_marks_are_known(text: bytes, marks: int, cut: int) -> None:
    """Nothing else stands alone before ASCII like them, so many of them are cut characters, too."""
    found = count_utf8(text, ends=True)[0]
    assert (found.marks, found.cut) == (marks, cut)
    bounds = bound_utf8(text, measure_utf8(text, True))
    assert bounds is None or not marks


@pytest.mark.parametrize("more", [0, 1])
def test_bytes_prove_it_beside_marks(more: int) -> None:
    """Of each of them three bytes are not counted, and again as many, where they are most of the damage."""
    mark = b"d\xf0\x9f\x98."
    data = mark * 500 + b"\xff" * (CUT_BYTES * (FEW_CUT_RUNS + 500) + more)
    found = bound_utf8(data, measure_utf8(data, True))
    assert (found is not None) == bool(more)


@pytest.mark.parametrize("more", [0, 1])
def test_cut_characters_of_many_runs_are_sought_up_to_two_runs_a_sequence(more: int) -> None:
    sequences, cut = "€".encode() * FEW_CUT_RUNS, 2 * FEW_CUT_RUNS + more
    found, known = count_utf8(sequences + b"d\xc3." * cut, ends=True)
    assert (found.sequences, found.damaged, found.cut) == (FEW_CUT_RUNS, cut, 0 if more else cut)
    assert known is not None


@pytest.mark.parametrize(
    ("continuing", "others", "plain", "proven"),
    [
        # 3 bytes more than 16 cut characters have, beside a lead for each byte 80-BF and as much again.
        (0, 51, 0, False),
        (0, 52, 0, True),
        (10, 81, 0, False),
        (10, 82, 0, True),
        (0, 52, 156, True),  # a quarter of the bytes
        (0, 52, 157, False),
    ],
)
def test_dense_text_on_both_sides_of_its_bounds(
    continuing: int, others: int, plain: int, proven: bool
) -> None:
    data = b"\x80" * continuing + b"\xff" * others + b"a" * plain
    found = bound_densely(data)
    assert (found is not None) == proven
    if found is not None:
        assert found[:5] == (continuing, 1, 0, 2 * continuing, others - continuing - CUT_BYTES)
    assert bound_densely(b"a" * DENSE_SAMPLE + data * 99) is None
    assert (bound_densely(data + b"a" * DENSE_SAMPLE) is None) or len(data) > DENSE_SAMPLE


@pytest.mark.parametrize(
    ("share", "found"),
    [
        (Utf8Share(1, 2, 0, 0, 9), None),
        (Utf8Share(1, 2, 50, 0, 9), None),
        (Utf8Share(1, 2, 51, 0, 9), Utf8Count(1, 1, 0, 2, 51, bounds=True)),
        (Utf8Share(0, 0, 0, 0, 9), None),
        (Utf8Share(0, 0, 48, 0, 0), Utf8Count(0, 1, bounds=True)),
        (Utf8Share(0, 0, 49, 0, 0), Utf8Count(0, 1, 0, 0, 49, bounds=True)),
    ],
)
def test_more_bytes_in_damage_than_cut_characters_and_sequences_have(
    share: Utf8Share, found: Utf8Count | None
) -> None:
    assert bound_utf8(b"", share) == found


@pytest.mark.parametrize("first", [1, 2, 3, 5, 7, 1000])
@pytest.mark.parametrize(
    ("part", "times", "sequences", "ascii_bytes", "runs"),
    [
        # More than two, and more than one for three sequences; letters after subtracting the sequences.
        (b"\xe9a", 3, 1, 99, 0),
        (b"\xe9a", 4, 1, 99, 3),
        (b"\xe9a", 10, 8, 99, 0),
        (b"\xe9a", 11, 8, 99, 3),
        (b"\xe9a", 12, 9, 99, 0),
        (b"\xe9a", 13, 9, 99, 4),
        (b" \xe9Z", 13, 9, 99, 4),
        (b"\xe97", 13, 9, 99, 4),
        (b"\xe9.", 99, 9, 99, 0),
        (b"\xe9a", 13, 9, 9, 4),  # what is no stray letter is counted in any case
    ],
)
def test_runs_before_letters(
    part: bytes,
    times: int,
    sequences: int,
    ascii_bytes: int,
    runs: int,
    first: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(damaged_utf8, "FIRST_RUNS", first)
    assert damaged_utf8._uncut_runs(part * times, sequences, ascii_bytes) == runs


@each(
    ("part", "times", "sequences", "runs"),
    [
        (b"\x7f\x80", 2, 1, 0),  # 80-BF after an ASCII byte
        (b"\x7f\x80", 3, 1, 3),
        (b"\x7f\xbf", 3, 8, 3),
        (b"\x7f\xbf", 3, 9, 0),
        (b"\x7f\xbf", 4, 9, 4),
        (b".\xc0", 9, 1, 0),
        (b"\xc2\x80\x80", 3, 1, 3),  # after a sequence of two bytes
        (b"\xdf\x80\xbf", 3, 1, 3),
        (b"\xe0\x80\xbf", 9, 1, 0),
        (b"\xc1\x80\xbf", 9, 1, 0),
    ],
)
def test_runs_that_begin_with_no_lead(part: bytes, times: int, sequences: int, runs: int) -> None:
    assert damaged_utf8._uncut_runs(part * times, sequences, 0) == runs
    assert damaged_utf8._uncut_runs(b" " * (FIRST_RUNS - 1) + part * times, sequences, 0) in (0, runs)


@pytest.mark.parametrize(("before", "runs"), [(16_383, 3), (16_384, 0)])
def test_the_first_part_shows_what_is_counted(before: int, runs: int) -> None:
    """Where no stray stands in it, letters are counted from there on."""
    assert damaged_utf8._uncut_runs(b" " * before + b"\x7f\x80" * 3 + b" " * 99, 1, 0) == runs


@pytest.mark.parametrize("runs", [FEW_CUT_RUNS, FEW_CUT_RUNS + 1])
def test_runs_without_a_sequence(runs: int) -> None:
    """Beyond sixteen none is taken for a cut character."""
    count, text = count_utf8(b"d\xc3." * runs, ends=True)
    few = runs == FEW_CUT_RUNS
    assert count == Utf8Count(0, runs, runs if few else 0, 0, runs)
    assert (text is not None) == few
    assert count_utf8(b"d\xc3." * runs + b"\xe9", ends=False)[0] == count


@pytest.mark.parametrize(
    ("runs", "plain", "listed"),
    [
        (1, LISTED_DAMAGE - 2, True),
        (1, LISTED_DAMAGE - 3, False),
        (LISTED_RUNS, LISTED_DAMAGE - 1, True),
        (LISTED_RUNS + 1, LISTED_DAMAGE - 1, False),
    ],
)
def test_runs_that_are_listed(runs: int, plain: int, listed: bool) -> None:
    count, text = count_utf8("é".encode() + (b"\xff" + b"." * plain) * runs, ends=True)
    assert (count.sequences, count.damaged) == (1, runs)
    assert text is not None
    assert (text.runs is not None) == listed
    assert text.runs in (None, [(1 + at * (plain + 1), 2 + at * (plain + 1)) for at in range(runs)])


EMOJI = b"\xed\xa0\xbd\xed\xb8\x8e"
"""Two surrogates of three bytes each."""


@each("at", [0, 3, MARKED_PART - 3, MARKED_PART - 2, MARKED_PART - 1, MARKED_PART])
@each("sequence", ["é".encode(), "€".encode(), "😎".encode(), EMOJI])
def test_one_sequence_is_found(sequence: bytes, at: int) -> None:
    for behind in (b"", b"\xe9.", b"\xe9"):
        assert has_sequence(b"\xe9" * at + sequence + behind)
        assert has_sequence(sequence[:-1] + b"\xe9" * at + sequence + behind)
        assert not has_sequence(b"\xe9" * at + sequence[:-1] + behind)


@pytest.mark.parametrize("high", ["é" * 9, "é" * 9000])
@pytest.mark.parametrize(("part", "times"), [(b"\xff", 9), (b"\xff\xff", 600), (b"\xff", 1200), (EMOJI, 9)])
def test_few_damaged_runs_are_counted_as_many_are(high: str, part: bytes, times: int) -> None:
    """Where non-ASCII bytes are few, the damaged ones are listed before they are counted."""
    count, _ = count_utf8(high.encode() + (part + b"." * 200) * times, ends=True)
    pairs, damaged = (times, 0) if part == EMOJI else (0, times)
    assert count[:2] == (len(high) + pairs, damaged)
    assert count[3:5] == (2 * len(high) + 6 * pairs, damaged * len(part))


CONTEXTS = {
    # What stands before a lead byte: before how many of all leads and followers it is a cut character.
    "": {"": 137, " ": 106, ".": 107, "<": 107},
    "a": {"": 114, " ": 109, ".": 109, "<": 109},
    "Z": {"": 114, " ": 83, ".": 83, "<": 83},
    "7": {"": 131, " ": 100, ".": 100, "<": 100},
    " ": {"": 137, " ": 106, ".": 107, "<": 107},
    "x ": {"": 137, " ": 106, ".": 107, "<": 107},
    "(": {"": 137, " ": 106, ".": 107, "<": 107},
    "<b>": {"": 137, " ": 106, ".": 107, "<": 107},
    "m": {"": 114, " ": 109, ".": 109, "<": 109},
    "<b>M": {"": 114, " ": 83, ".": 83, "<": 83},
    "AM": {"": 114, " ": 82, ".": 82, "<": 82},
    "Ma": {"": 114, " ": 109, ".": 109, "<": 109},
    "é": {"": 186, " ": 186, ".": 186, "<": 186},
    "ÉM": {"": 186, " ": 186, ".": 186, "<": 186},
    "é ": {"": 137, " ": 106, ".": 107, "<": 107},
    "été, d": {"": 114, " ": 109, ".": 109, "<": 109},
    "š ": {"": 137, " ": 107, ".": 108, "<": 108},
    "š M": {"": 114, " ": 84, ".": 84, "<": 84},
    "Ж": {"": 186, " ": 186, ".": 186, "<": 186},
    "Ж ": {"": 152, " ": 107, ".": 148, "<": 148},
    "â ": {"": 137, " ": 106, ".": 107, "<": 107},
    "â a": {"": 114, " ": 109, ".": 109, "<": 109},
    "Ã": {"": 186, " ": 186, ".": 186, "<": 186},
    "ÃO M": {"": 114, " ": 82, ".": 82, "<": 82},
    "<b>ÃM": {"": 186, " ": 186, ".": 186, "<": 186},
    "Ü": {"": 186, " ": 186, ".": 186, "<": 186},
    "\xc3M\nM": {"": 114, " ": 83, ".": 83, "<": 83},
    "“x ": {"": 137, " ": 106, ".": 109, "<": 109},
    "“x” y": {"": 114, " ": 109, ".": 111, "<": 111},
    "“x” É": {"": 186, " ": 186, ".": 186, "<": 186},
    "\udce9": {},
}


@pytest.mark.long
@each("context", CONTEXTS)
def test_how_many_runs_are_cut_characters(context: str) -> None:
    runs = [bytes((lead,)) for lead in range(0x80, 0x100)]
    runs += [
        bytes((lead, byte))
        for lead in range(0xC2, 0xF5)
        for byte in (0x80, 0x8F, 0x90, 0x94, 0x9F, 0xA0, 0xBF)
    ]
    runs += [b"\xf0\x9f\x98", b"\xf0\x9f\xff", b"\xf4\x8f\xbf", b"\xf1\x80\x80\x80"]
    cut = Counter(
        after
        for run in runs
        for after in ("", " ", ".", "<", "a", "7", "é")
        for found in find_damage(run.decode("utf-8", "surrogateescape") + after, context)
        if found.characters == "\ufffd"
    )
    assert dict(cut) == CONTEXTS[context]


def test_a_letter_within_a_word_shows_western_text() -> None:
    """`冰 crème brûlée`: what closes a word there is a letter, whatever follows."""
    for words in ("cr\udce8me br\udcfbl", "d\udce9j\udce0 vu, b"):
        assert list(find_damage(f"冰 {words}\udce5.")) == []
        assert len(list(find_damage("冰 creme brul\udce5."))) == 1


@pytest.mark.parametrize("letters", range(CONTEXT - 3, CONTEXT + 3))
def test_a_character_counts_as_far_as_the_context(letters: int) -> None:
    """A letter that ends a word is the lead of that character, however runs are found."""
    text = " " * CONTEXT + "東" + "a" * letters + "\udce6."
    end = len(text) - 1
    for runs in (None, [(end - 1, end)]):
        found = [(damage.start, damage.end) for damage in find_damage(text, runs=runs)]
        assert found == [(end - 1, end)] * (letters < CONTEXT)


@pytest.mark.parametrize("times", [2, MARKED_PART // 5])
def test_cut_characters_are_found_in_their_order(times: int) -> None:
    """Those of both kinds of leads, in text of any length."""
    found = [damage.start for damage in find_damage("東b\udcc9.東b\udce6." * times)]
    assert found == list(range(2, 8 * times, 4))


def test_runs_are_counted_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(damaged_utf8, "RUNS_AT_ONCE", 7)
    rng = random.Random(7)
    for size in range(300):
        marks = bytes(rng.choices((0, 1), k=size % 40))
        assert damaged_utf8._count_runs(marks) == (b"\0" + marks).count(b"\0\1")
