"""Counts in English, and text from outside made visible."""

from __future__ import annotations

import unicodedata

import pytest

from feedcharset.decide.published_tables import RFC3023_HTTP, RFC3023_RAW, RFC7303
from feedcharset.results import explanation
from feedcharset.results.explanation import counted, visible


@pytest.mark.parametrize(("number", "expected"), [(0, "0 places"), (1, "1 place"), (2, "2 places")])
def test_counted(number: int, expected: str) -> None:
    assert counted(number, "place") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain – ж 𝄞\t", "plain – ж 𝄞\\x09"),
        ("\x1b[2J\r\n\x00", "\\x1b[2J\\x0d\\x0a\\x00"),
        ("\x85\x9b", "\\x85\\x9b"),
        ("\u202e\u2066\u200f", "\\u202e\\u2066\\u200f"),
        ("\ud800\udc80", "\\ud800\\udc80"),
        ("\U000e0001", "\\U000e0001"),
    ],
)
def test_visible(text: str, expected: str) -> None:
    assert visible(text) == expected


def test_no_control_character_stays_what_it_is() -> None:
    acting = [chr(n) for n in range(0x110000) if unicodedata.category(chr(n)) in ("Cc", "Cf", "Cs")]
    assert [char for char in acting if char in visible(char)] == []


def test_every_row_that_answers_with_a_label_is_known_to_the_sentence() -> None:
    """The sentence names a label that was not followed by the row that took it."""
    labels = {"the declared": "the declaration", "the charset": "the Content-Type"}
    rows = {row.id: row.then for row in (*RFC3023_RAW, *RFC3023_HTTP, *RFC7303)}
    taken = {id: labels[outcome] for id, outcome in rows.items() if outcome in labels}
    assert taken.items() <= explanation._LABEL_OF_ROW.items()
    assert explanation._LABEL_OF_ROW.keys() - rows.keys() == {"L2", "L3"}
