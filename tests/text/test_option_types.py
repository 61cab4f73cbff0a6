"""The values of the options, for type checkers and at run time."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from feedcharset import XmlDecoder, decode
from feedcharset.text import option_types
from feedcharset.text.option_types import DecoderOptions, check_option


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        ("ERRORS", "Errors"),
        ("DECLARATION", "Declaration"),
        ("MOJIBAKE", "Mojibake"),
        ("XML_CHARS", "XmlChars"),
        ("REPAIR_ERRORS", "RepairErrors"),
        ("CESU8", "Cesu8"),
    ],
)
def test_the_values_are_those_of_the_type(values: str, type_: str) -> None:
    assert getattr(option_types, values) == get_args(getattr(option_types, type_))


@pytest.mark.parametrize("function", [decode, XmlDecoder.__init__])
def test_every_function_has_every_option(function) -> None:
    hints = get_type_hints(function)
    for name, type_ in get_type_hints(DecoderOptions).items():
        assert hints[name] == type_, name


def test_a_value_that_is_not_known_is_refused_with_those_that_are() -> None:
    check_option("xml_chars", "drop", option_types.XML_CHARS)
    with pytest.raises(
        ValueError, match="xml_chars='x' is not known; pass one of 'keep', 'replace', 'space', 'drop'"
    ):
        check_option("xml_chars", "x", option_types.XML_CHARS)
