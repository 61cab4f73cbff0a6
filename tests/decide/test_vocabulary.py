"""Facts reduced to the words of the tables."""

from __future__ import annotations

import pytest

from feedcharset.decide.strict_decision import DOMAIN, Words, family_of, reduce_facts
from feedcharset.results.facts import Facts


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (Facts(), Words("raw", "NONE", "none", "none", "none", "none")),
        (Facts(content_type=""), Words("http", "NONE", "none", "none", "none", "none")),
        (
            Facts(charset="utf-16le", content_type="x"),
            Words("http", "NONE", "UTF-16BE/LE", "none", "none", "none"),
        ),
        (Facts(charset="", content_type="x"), Words("http", "NONE", "other", "none", "none", "none")),
        (
            Facts(charset="ucs-4", content_type="x"),
            Words("http", "NONE", "other", "none", "none", "none"),
        ),
        (
            Facts(bom="UTF-16LE", guess="UTF-16LE", declared="utf-16"),
            Words("raw", "NONE", "none", "UTF-16", "agrees", "agrees"),
        ),
        (
            Facts(bom="UTF-16LE", guess="UTF-8", declared="utf-16be"),
            Words("raw", "NONE", "none", "UTF-16", "contradicts", "contradicts"),
        ),
        (
            Facts(guess="UTF-16BE", declared="utf-16"),
            Words("raw", "NONE", "none", "none", "UTF-16", "generic"),
        ),
        (
            Facts(guess="UTF-8", declared="utf-16"),
            Words("raw", "NONE", "none", "none", "other", "other"),
        ),
        (
            Facts(guess="EBCDIC", declared="cp037"),
            Words("raw", "NONE", "none", "none", "other", "other"),
        ),
        (Facts(bom="UTF-8", declared="utf8"), Words("raw", "NONE", "none", "UTF-8", "none", "agrees")),
    ],
)
def test_the_words_of_facts(facts: Facts, expected: Words) -> None:
    assert reduce_facts(facts) == expected


def test_misspelt_labels_are_known_when_lenient_alone() -> None:
    facts = Facts(bom="UTF-8", declared="utf_8")
    assert reduce_facts(facts).declared == "contradicts"
    assert reduce_facts(facts, lenient=True).declared == "agrees"


def test_the_domain_names_every_word() -> None:
    assert set(DOMAIN) == set(Words._fields)


@pytest.mark.parametrize(
    ("encoding", "family"),
    [("UTF-16BE", "UTF-16"), ("UTF-32LE", "UTF-32"), ("UTF-8", "UTF-8"), ("GBK", "other")],
)
def test_the_family_of_an_encoding(encoding: str, family: str) -> None:
    assert family_of(encoding) == family
