"""The differences between Python's codecs and the Encoding Standard: each is one, and none is missing."""

from __future__ import annotations

import pytest

from feedcharset.charsets.codec_differences import ADDITIONS, CODEC_REPLACEMENTS, SEQUENCES
from feedcharset.charsets.east_asian import standard_additions


@pytest.mark.parametrize("codec", CODEC_REPLACEMENTS)
def test_replacements_are_pairs_of_different_characters(codec: str) -> None:
    pairs = CODEC_REPLACEMENTS[codec]
    assert len(pairs) % 2 == 0
    for mine, standard in zip(pairs[::2], pairs[1::2], strict=True):
        assert mine != standard
        assert mine.encode(codec)  # the codec has it


@pytest.mark.parametrize(
    ("codec", "sequence", "characters"),
    [(codec, sequence, chars) for codec, rows in SEQUENCES.items() for sequence, chars in rows.items()],
)
def test_a_sequence_is_what_the_codec_reads(codec: str, sequence: str, characters: str) -> None:
    mine, standard = characters
    assert bytes.fromhex(sequence).decode(codec) == mine != standard


@pytest.mark.parametrize("codec", ADDITIONS)
def test_an_addition_is_unknown_to_the_codec(codec: str) -> None:
    for sequence, character in standard_additions(codec).items():
        assert len(character) == 1
        with pytest.raises(UnicodeDecodeError):
            sequence.decode(codec)
