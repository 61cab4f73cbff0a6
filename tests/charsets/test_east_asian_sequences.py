"""The sequences of the East Asian charsets: what is one, and what an undecodable one is."""

from __future__ import annotations

import pytest

from feedcharset.charsets.east_asian_sequences import (
    sequences_of,
    standard_additions,
    undecodable_sequence,
)
from feedcharset.charsets.undecodable_bytes import as_surrogates

CODECS = ["cp932", "euc_jp", "gb18030", "big5hkscs", "cp949"]


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("lenient", [True, False])
def test_the_sequences_of_a_codec_are_made_once(codec: str, lenient: bool) -> None:
    assert sequences_of(codec, lenient) == sequences_of(codec, lenient)


@pytest.mark.parametrize("codec", ["big5hkscs"])
def test_what_the_standard_adds_is_what_the_codec_does_not_know(codec: str) -> None:
    additions = standard_additions(codec)
    assert additions
    for sequence, character in additions.items():
        assert len(character) == 1
        with pytest.raises(UnicodeDecodeError):
            sequence.decode(codec)


@pytest.mark.parametrize(
    ("sequence", "text"),
    [
        (b"\x81", as_surrogates(b"\x81")),
        (b"\x81\xff", as_surrogates(b"\x81\xff")),
        (b"\x81<", as_surrogates(b"\x81") + "<"),
        (b"\xff", as_surrogates(b"\xff")),
    ],
)
def test_an_ascii_byte_is_given_back(sequence: bytes, text: str) -> None:
    """Encoding Standard: prepend an ASCII byte to the stream, and return an error."""
    assert undecodable_sequence(sequence) == text
