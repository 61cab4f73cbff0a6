"""The values of the options, for type checkers and at run time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import get_args, get_type_hints

import pytest

from feedcharset import XmlDecoder, XmlReader, decode, repair
from feedcharset.text import options
from feedcharset.text.options import DecoderOptions, check_option


@pytest.mark.parametrize("type_", ["Errors", "Declaration", "Mojibake", "XmlChars", "RepairErrors", "Cesu8"])
def test_the_values_are_those_of_the_type(type_: str) -> None:
    kind = getattr(options, type_)
    for value in get_args(kind):
        check_option("errors", value, kind)
    with pytest.raises(ValueError, match=f"one of.*{get_args(kind)[0]}"):
        check_option("errors", "no value of it", kind)


@pytest.mark.parametrize("function", [decode, XmlDecoder.__init__])
def test_every_function_has_every_option(function) -> None:
    hints = get_type_hints(function)
    for name, type_ in get_type_hints(DecoderOptions).items():
        assert hints[name] == type_, name


def test_a_value_that_is_not_known_is_refused_with_those_that_are() -> None:
    check_option("xml_chars", "drop", options.XmlChars)
    with pytest.raises(
        ValueError, match="xml_chars='x' is not known; pass one of 'keep', 'replace', 'space', 'drop'"
    ):
        check_option("xml_chars", "x", options.XmlChars)


def test_an_empty_value_is_refused_like_any_other() -> None:
    known = "errors='' is not known; pass one of 'strict', 'replace', 'space', 'latin-1', 'windows-1252'"
    for lenient in (True, False):
        for call in (XmlDecoder, lambda **options: decode(b"<a>\xe9</a>", **options)):
            with pytest.raises(ValueError, match=known):
                call(errors="", lenient=lenient)


@pytest.mark.parametrize(
    "call",
    [
        lambda: decode("<a>Ã©</a>".encode(), mojibake="fix"),
        lambda: XmlDecoder(mojibake="fix"),
        lambda: XmlReader(b"<a/>", mojibake="fix"),
        lambda: repair(b"<a/>", mojibake="fix"),
    ],
    ids=["decode", "XmlDecoder", "XmlReader", "repair"],
)
@pytest.mark.parametrize("package", ["ftfy", "wcwidth"])
def test_without_ftfy_the_error_names_what_to_install(
    call: Callable[[], object], package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # ftfy brings wcwidth
    with pytest.raises(ImportError, match=r"mojibake='fix' needs ftfy: pip install ftfy"):
        call()
    assert decode("<a>â€™</a>".encode()).text == "<a>â€™</a>"
