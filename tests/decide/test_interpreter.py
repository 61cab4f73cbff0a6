"""The interpreter: the first row that fits, and what becomes of its outcome."""

from __future__ import annotations

import pytest

from feedcharset.decide.published_tables import Row
from feedcharset.decide.strict_decision import (
    apply_rules,
    fired_rows,
    first_fit,
    reduce_facts,
    refusal,
    steps_of,
)
from feedcharset.errors import EncodingConflict, NotXmlMediaType
from feedcharset.results.facts import Facts

RAW = reduce_facts(Facts())


def row(name: str, **when: tuple[str, ...]) -> Row:
    return Row(name, when, "UTF-8", "why", "spec")


def test_the_first_row_that_fits_decides() -> None:
    rows = [row("a", bom=("UTF-8",)), row("b", bom=("none",), declared=("other",)), row("c"), row("d")]
    assert first_fit(rows, RAW).id == "c"


def test_a_row_may_hand_over_to_the_raw_rules() -> None:
    words = reduce_facts(Facts(content_type="application/xml", media_class="APP-XML", declared="koi8-r"))
    assert [one.id for one in fired_rows("rfc3023", words)] == ["2.0", "1.2"]
    assert fired_rows("rfc3023", words) is fired_rows("rfc3023", words)


@pytest.mark.parametrize(
    ("facts", "source", "encoding"),
    [
        (Facts(), "default", "UTF-8"),
        (Facts(declared="latin1"), "declaration", "ISO-8859-1"),
        (Facts(declared="nope"), "declaration", "nope"),
        (Facts(bom="UTF-16LE"), "BOM", "UTF-16LE"),
        (Facts(guess="UTF-16BE", declared="utf-16"), "guess", "UTF-16BE"),
        (Facts(content_type="x", media_class="TEXT-XML", charset="gbk"), "charset", "GBK"),
        (Facts(content_type="x", media_class="OTHER"), "", None),
    ],
)
def test_what_names_the_answer(facts: Facts, source: str, encoding: str | None) -> None:
    answer = apply_rules(facts)
    assert (answer.source, answer.encoding) == (source, encoding)


def test_a_default_replaces_the_default_alone() -> None:
    assert apply_rules(Facts(), default_encoding="gbk").encoding == "GBK"
    assert apply_rules(Facts(declared="koi8-r"), default_encoding="gbk").encoding == "KOI8-R"


@pytest.mark.parametrize(
    ("facts", "kind", "rule"),
    [
        (Facts(bom="UTF-8", declared="gbk"), EncodingConflict, "1.4"),
        (Facts(content_type="text/plain", media_class="OTHER"), NotXmlMediaType, "2.6"),
    ],
)
def test_a_refusal_names_the_rule_what_was_seen_and_what_to_do(
    facts: Facts, kind: type[Exception], rule: str
) -> None:
    answer = apply_rules(facts)
    error = refusal(answer, facts)
    assert type(error) is kind
    assert (error.rule, error.facts, error.steps) == (rule, facts, steps_of(answer))
    message = str(error)
    assert message.startswith(f"rule {rule}: ")
    assert all(repr(value) in message for value in (facts.bom, facts.declared, facts.content_type) if value)
    assert message.endswith("or read with lenient=True")


def test_a_long_label_is_cut_in_a_refusal() -> None:
    facts = Facts(bom="UTF-8", declared="x" * 5000)
    assert len(str(refusal(apply_rules(facts), facts))) < 500
