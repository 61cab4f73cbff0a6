"""`mojibake=`, then `xml_chars=`: text, counts and offsets."""

from __future__ import annotations

import pytest
from support.each import each

from feedcharset import XmlDecoder
from feedcharset.text.text_filters import SLICE

BODY = "<a>naÃ¯ve \x08 cafÃ©</a>".encode()


@each(
    ("options", "text", "kinds", "offsets"),
    [
        ({}, "<a>naÃ¯ve \x08 cafÃ©</a>", (), ()),
        ({"mojibake": "fix"}, "<a>naïve \x08 café</a>", (("mojibake", 2),), (5, 17)),
        ({"xml_chars": "replace"}, "<a>naÃ¯ve \ufffd cafÃ©</a>", (("xml-chars", 1),), (12,)),
        ({"xml_chars": "space"}, "<a>naÃ¯ve   cafÃ©</a>", (("xml-chars", 1),), (12,)),
        (
            {"mojibake": "fix", "xml_chars": "drop"},
            "<a>naïve  café</a>",
            (("mojibake", 2), ("xml-chars", 1)),
            (5, 12, 17),
        ),
    ],
)
@each("size", [1, 2, 3, 7, 1000])
def test_the_filters(options: dict, text: str, kinds: tuple, offsets: tuple, size: int) -> None:
    decoder = XmlDecoder(**options)
    found = "".join(decoder.decode(BODY[at : at + size]) for at in range(0, len(BODY), size))
    found += decoder.decode(b"", True)
    assert found == text
    assert (decoder.repairs.kinds, decoder.repairs.offsets) == (kinds, offsets)


@pytest.mark.parametrize("length", [SLICE - 8, SLICE, SLICE + 1, 3 * SLICE])
def test_a_long_text_is_filtered_as_its_pieces_are(length: int) -> None:
    body = b"<a>" + (BODY[3:-4] * (length // 12))[:length] + b"</a>"
    whole, by_pieces = (XmlDecoder(mojibake="fix", xml_chars="replace") for _ in range(2))
    text = whole.decode(body, True)
    pieces = [by_pieces.decode(body[at : at + 1000]) for at in range(0, len(body), 1000)]
    assert text == "".join([*pieces, by_pieces.decode(b"", True)])
    assert whole.repairs == by_pieces.repairs
    assert whole.repairs.count > 1000


@each("before", range(SLICE - 6, SLICE + 3))
@each("size", [SLICE, SLICE + 6, 5 * SLICE])
def test_mojibake_at_the_end_of_a_slice(before: int, size: int) -> None:
    """A run that the end of a slice cuts is fixed whole, in a piece longer than a slice, too."""
    body = b"<a>" + b"x" * (before - 3) + "Ã©â€™".encode() + b"y" * SLICE + b"</a>"
    decoder = XmlDecoder(mojibake="fix")
    parts = [decoder.decode(body[at : at + size]) for at in range(0, len(body), size)]
    text = "".join([*parts, decoder.decode(b"", True)])
    assert text == "<a>" + "x" * (before - 3) + "é’" + "y" * SLICE + "</a>"
    assert decoder.repairs == (1, (before,), (("mojibake", 1),))
