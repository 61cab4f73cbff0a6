"""The labels: each names one charset of the table, and no label of Python's that is no charset is there."""

from __future__ import annotations

import pytest

from feedcharset.charsets.labels import IANA, PYTHON
from feedcharset.charsets.lookup import NAMES, by_name, lookup


@pytest.mark.parametrize("labels", [IANA, PYTHON], ids=["IANA", "PYTHON"])
def test_each_label_names_the_charset_of_its_row(labels: dict[str, str]) -> None:
    for name, words in labels.items():
        for label in words.split():
            found = lookup(label)
            assert found is not None, label
            assert found == by_name(name), label
            assert label == label.lower()


def test_no_label_is_listed_for_two_charsets() -> None:
    seen: dict[str, str] = {}
    for name, words in [*IANA.items(), *PYTHON.items()]:
        for label in words.split():
            assert seen.setdefault(label, name) == name


def test_a_name_is_a_label_in_any_case() -> None:
    for name in NAMES:
        if not name.startswith("UCS-4"):  # the odd byte orders have no label
            assert lookup(name.lower()) == lookup(name.upper()) == by_name(name)


@pytest.mark.parametrize(
    "label",
    ["zlib", "rot13", "punycode", "idna", "unicode_escape", "hex", "bz2", "uu", "mbcs", "undefined"],
)
def test_a_codec_that_is_no_charset_cannot_be_read(label: str) -> None:
    found = lookup(label, lenient=True)
    assert found is None or found.refused
