"""Bounds that prove that a window is not UTF-8: they hold, and they prove it for legacy text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedcharset.decide.thresholds import tolerable_utf8
from feedcharset.evidence.utf8_bounds import FEW_RUNS, PART, bound_utf8
from feedcharset.evidence.window import Window, count_utf8
from feedcharset.results.facts import Utf8Count

PIECES = st.sampled_from(
    [
        *(bytes([byte]) for byte in b"\x80\x9f\xa0\xbf\xc0\xc2\xdf\xe0\xe9\xed\xef\xf0\xf4\xf5\xff"),
        "é".encode(),
        "я".encode(),
        "中".encode(),
        "😎".encode(),
        b"\xed\xa0\xbd\xed\xb8\x8e",
        b" ",
        b"a",
    ]
)


@given(st.lists(PIECES, max_size=400).map(b"".join), st.integers(1, 30))
@settings(max_examples=400, deadline=None)
def test_what_is_proven_is_true(part: bytes, times: int) -> None:
    """There are at most so many sequences and at least so many damaged runs, and the window is not UTF-8."""
    data = part * times
    found = bound_utf8(data)
    if found is not None:
        exact = count_utf8(data, ends=True)
        assert found.bounds
        assert (exact.sequences or 0) <= (found.sequences or 0)
        assert exact.damaged >= found.damaged > (FEW_RUNS if found.sequences else 0)
        assert exact.sequence_bytes <= found.sequence_bytes or not found.sequence_bytes
        assert not tolerable_utf8(found)
        assert not tolerable_utf8(exact)


WORDS = {
    "cp1251": "Ученики первого класса «впервые» увидели море — и лес. ",
    "cp1252": "Les élèves de première année ont été reçus à l’école où ils découvrent le château. ",
    "iso8859-2": "Zażółć gęślą jaźń, później pójdź w cień. ",
    "cp1253": "Οι μαθητές της πρώτης τάξης είδαν τη θάλασσα. ",
    "cp874": "นักเรียนชั้นหนึ่งเห็นทะเลเป็นครั้งแรกในชีวิต ",
    "cp932": "一年生の子供たちは初めて海を見て、森と古い城を訪れた。",
    "gbk": "新华社北京电：今年的经济增长超过预期，专家们认为明年会更好。",
    "big5": "一年級的學生第一次看到了大海、森林和古老的城堡。",
    "euc_kr": "일학년 학생들은 처음으로 바다와 숲과 오래된 성을 보았다. ",
}


@pytest.mark.parametrize("codec", WORDS)
@pytest.mark.parametrize("times", [40, 400])
def test_legacy_text_is_proven(codec: str, times: int) -> None:
    assert bound_utf8((WORDS[codec] * times).encode(codec)) is not None


@pytest.mark.parametrize("text", WORDS.values())
def test_utf8_is_never_proven_to_be_none(text: str) -> None:
    for damage in (b"\xff", b"\xe9 ", b"\x80"):
        assert bound_utf8(text.encode() * 40 + damage * 20) is None


def test_a_window_counts_exactly_once_it_is_asked_to() -> None:
    window = Window((WORDS["cp1251"] * 40).encode("cp1251"), ends=True)
    assert window.utf8_bounds().bounds
    assert window.utf8_bounds() is window.utf8_bounds()
    assert not window.utf8().bounds
    assert window.utf8_bounds() is window.utf8()
    well_formed = Window(WORDS["cp1251"].encode(), ends=True)
    assert well_formed.utf8_bounds() == well_formed.utf8()


def test_long_text_with_few_sequences() -> None:
    """Text with few non-ASCII bytes, sequences and surrogate pairs among them: all are counted."""
    words = "Un été, les enfants de la ville partent au bord de la mer et des lacs. ".encode("cp1252") * 200
    assert bound_utf8(words) == Utf8Count(0, 1, bounds=True)
    for sequences in ("é".encode() * 3, b"\xed\xa0\xbd\xed\xb8\x8e " * 3):
        data = words + sequences
        found, exact = bound_utf8(data), count_utf8(data, ends=True)
        assert found is not None
        assert (found.sequences, exact.sequences) == (3, 3)
        assert FEW_RUNS < found.damaged <= exact.damaged


@pytest.mark.parametrize("size", [2 * PART, 2 * PART + 1, 3 * PART - 2])
def test_sequences_across_parts_are_counted(size: int) -> None:
    """The bounds hold where a sequence begins in one part and ends in the next."""
    data = (WORDS["gbk"].encode("gbk") * (size // 50))[: PART - 1] + "é中😎".encode() * (PART // 9)
    found, exact = bound_utf8(data), count_utf8(data, ends=True)
    assert found is None or (exact.sequences or 0) <= (found.sequences or 0)
    legacy = (WORDS["big5"].encode("big5") * (size // 40))[:size]
    found, exact = bound_utf8(legacy), count_utf8(legacy, ends=True)
    assert found is not None
    assert (exact.sequences or 0) <= (found.sequences or 0)
    assert (exact.sequence_bytes, found.damaged_bytes) <= (found.sequence_bytes, exact.damaged_bytes)


def test_surrogate_pairs_are_counted_in_sparse_text() -> None:
    """One non-ASCII byte in a hundred, and three sequences that Python's codec leaves out."""
    data = (b"caf\xe9 " + b"x" * 100) * 400 + b"\xed\xa0\xbd\xed\xb8\x8e " * 3
    found = bound_utf8(data)
    assert found is not None
    assert (found.sequences or 0) >= (count_utf8(data, ends=True).sequences or 0) == 3
