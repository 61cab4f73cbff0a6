"""Undecodable bytes as lone surrogates."""

from __future__ import annotations

import pytest

from feedcharset.charsets.undecodable_bytes import (
    JOINED_AT_ONCE,
    SURROGATES,
    UNDECODABLE_BYTE,
    UNDECODABLE_SEQUENCE,
    as_surrogates,
    join_parts,
)


def test_the_first_byte_is_written_as_surrogateescape_writes_it() -> None:
    for byte in range(0x80, 0x100):
        assert (
            as_surrogates(bytes([byte]))
            == SURROGATES[byte]
            == bytes([byte]).decode("ascii", "surrogateescape")
        )


@pytest.mark.parametrize("sequence", [b"\x81", b"\x81\x30", b"\x81\x30\x81\x30", b"\x1b$B"])
def test_a_sequence_is_one_match_and_each_byte_another(sequence: bytes) -> None:
    text = as_surrogates(sequence)
    assert len(UNDECODABLE_BYTE.findall(text)) == len(sequence)
    assert UNDECODABLE_SEQUENCE.findall(text + as_surrogates(sequence)) == [text, text]


def test_no_character_is_taken_for_one() -> None:
    assert not UNDECODABLE_BYTE.search("aé\ud7ff\ue000\U0001f60e\ud800\udbff\ude00")


@pytest.mark.parametrize("number", [0, 1, *range(JOINED_AT_ONCE - 1, JOINED_AT_ONCE + 2), 3 * JOINED_AT_ONCE])
def test_all_are_joined(number: int) -> None:
    texts = [str(at) if at % 3 else "" for at in range(number)]
    assert join_parts(iter(texts)) == "".join(texts)
    assert join_parts([*[""] * JOINED_AT_ONCE, "a"]) == "a"
