"""Characters cut by bytes, and surrogate pairs: what is recognised, and what honest words look like."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load

from feedcharset import decode
from feedcharset.charsets.lookup import by_name
from feedcharset.evidence import utf8_damage
from feedcharset.evidence.utf8_damage import CONTEXT, cut_characters, find_damage, unfinished
from feedcharset.results import Repairs
from feedcharset.text.byte_decoder import text_decoder
from feedcharset.text.repair_log import RepairLog

CASES = load("utf8_damage")
LINE = "Größe, café, naïve: seven sequences make a document UTF-8 – “sûr”.\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_what_is_recognised(case: dict[str, Any]) -> None:
    before, damaged = case["before"], bytes.fromhex(case["bytes"])
    escaped = damaged.decode("utf-8", "surrogateescape") + case["after"]
    found = "".join(damage.characters for damage in find_damage(before + escaped))
    assert found == (case["read"] or "")
    assert [damage.characters for damage in find_damage(escaped, before)] == [
        damage.characters for damage in find_damage(before + escaped)
    ]
    assert cut_characters(before + escaped) == (case["read"] == "\ufffd")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
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


@given(st.text(st.sampled_from("aé\udc80\udcff"), max_size=20), st.integers(0, 6))
def test_the_runs_are_those_of_the_whole_text(escaped: str, most: int) -> None:
    """However the text is searched part by part."""
    expected = [match.span() for match in re.finditer("[\udc80-\udcff]+", escaped)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(utf8_damage, "PART", 3)
        found = utf8_damage.escaped_runs(escaped, most)
    assert found == (expected if len(expected) <= most else None)


def test_a_run_that_crosses_two_parts_is_one() -> None:
    text = "x" * (utf8_damage.PART - 1) + "\udce9\udce8y\udce9"
    start = utf8_damage.PART - 1
    assert utf8_damage.escaped_runs(text, 10) == [(start, start + 2), (start + 3, start + 4)]


def test_escaped_runs_beside_characters_that_look_alike() -> None:
    """`Ü` is U+00DC: its UTF-16 has the byte by which escaped bytes are found."""
    for others in (5, 2 * utf8_damage.MOST_OTHERS):
        text = "Ü" * others + "\udce9\udc80" + "Ü" * others + "\udcff"
        expected = [(others, others + 2), (2 * others + 2, 2 * others + 3)]
        assert utf8_damage.escaped_runs(text, 10) == expected
        assert utf8_damage.escaped_runs(text + "😎", 10) == expected
    assert utf8_damage.escaped_runs("\udce9 " * 9, 5) is None
