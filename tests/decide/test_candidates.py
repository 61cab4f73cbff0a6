"""Candidates, and the form of the bytes that they must fit."""

from __future__ import annotations

import pytest

from feedcharset.charsets.lookup import by_name
from feedcharset.decide.lenient_principles import byte_form, fits_form, in_order, named
from feedcharset.results.facts import Body, Facts


@pytest.mark.parametrize(
    ("bom", "guess", "pattern", "form"),
    [
        (None, None, None, None),
        (None, None, "UTF-16LE", "UTF-16LE"),
        (None, "UTF-8", None, None),
        ("UTF-8", None, None, "UTF-8"),
        ("UTF-8", "UTF-8", None, "UTF-8"),
        ("UTF-16LE", "UTF-8", None, "ASCII"),
        ("UTF-16LE", None, "ASCII", "ASCII"),
        ("UTF-8", "UTF-16BE", None, "UTF-16BE"),
        ("UTF-16BE", "UTF-16BE", None, "UTF-16BE"),
    ],
)
def test_the_form_of_the_bytes(
    bom: str | None, guess: str | None, pattern: str | None, form: str | None
) -> None:
    assert byte_form(Facts(bom=bom, guess=guess, body=Body(pattern=pattern))) == form


@pytest.mark.parametrize(
    ("charset", "form", "fits"),
    [
        ("UTF-8", None, True),
        ("windows-1251", "ASCII", True),
        ("Shift_JIS", None, True),
        ("UTF-16LE", None, False),
        ("UTF-16LE", "UTF-16LE", True),
        ("UTF-16LE", "UTF-16BE", False),
        ("IBM037", "EBCDIC", True),
        ("IBM037", None, False),
        ("UTF-8", "EBCDIC", False),
    ],
)
def test_which_charset_fits_a_form(charset: str, form: str | None, fits: bool) -> None:
    assert fits_form(by_name(charset), form) is fits


@pytest.mark.parametrize(
    ("label", "form", "name"),
    [
        ("utf-16", "UTF-16LE", "UTF-16LE"),
        ("utf-16", "UTF-32LE", "UTF-16"),
        ("utf-32", "UTF-32BE", "UTF-32BE"),
        ("iso-10646-ucs-4", "UCS-4-2143", "UCS-4-2143"),
        ("utf-16be", "UTF-16LE", "UTF-16BE"),
        ("koi8-r", "UTF-16LE", "KOI8-R"),
        ("utf-16", None, "UTF-16"),
    ],
)
def test_a_generic_name_takes_the_byte_order(label: str, form: str | None, name: str) -> None:
    candidate = named("L2", label, "declaration", form)
    assert candidate is not None
    assert candidate.charset is not None
    assert candidate.charset.name == name
    assert in_order(None, form) is None


def test_no_label_is_no_candidate() -> None:
    assert named("L2", None, "declaration", None) is None
    unknown = named("L2", "nope", "declaration", None)
    assert unknown is not None
    assert unknown.charset is None
