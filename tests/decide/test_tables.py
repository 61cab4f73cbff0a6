"""The tables are total, every row is needed, and every row cites: computed from the rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest
from support.each import each
from support.strict_cases import Case, strict_cases
from support.words import DOMAIN

from feedcharset.charsets.lookup import lookup
from feedcharset.decide.published_tables import (
    NOT_XML,
    POLICIES,
    RFC3023_HTTP,
    RFC3023_RAW,
    RFC7303,
    XML,
    Row,
)
from feedcharset.decide.strict_decision import (
    ERRORS,
    Words,
    fired_rows,
    first_fit,
    reduce_facts,
    tables,
)
from feedcharset.results import Facts

TABLES = {"RFC3023_RAW": RFC3023_RAW, "RFC3023_HTTP": RFC3023_HTTP, "RFC7303": RFC7303}
ROWS = [(table, row) for table, rows in TABLES.items() for row in rows]
MEDIA = {"APP-XML": "a/x+xml", "TEXT-XML": "text/xml", "HTML": "text/html", "OTHER": "a/b", "NONE": None}
BOMS = (None, "UTF-8", "UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE")
GUESSES = (*BOMS, "EBCDIC")
LABELS = (
    *(None, "", "UTF-8", "utf8", "UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32", "UTF-32BE", "UTF-32LE"),
    *("ISO-8859-1", "IBM037", "GBK", "utf-7", "nobody knows"),
)


def concrete_facts() -> Iterator[Facts]:
    """Every BOM, guess, declaration, charset and media type, in representative labels."""
    for bom, guess, declared in product(BOMS, GUESSES, LABELS):
        if declared is not None and guess is None:
            continue  # what stands in no declaration is not declared
        yield Facts(bom, guess, declared)
        for charset, (media_class, media_type) in product(LABELS, MEDIA.items()):
            yield Facts(bom, guess, declared, "some", media_type, media_class, charset)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def domain() -> dict[Words, Facts]:
    """The words that facts can come to, each with an example."""
    return {reduce_facts(facts): facts for facts in concrete_facts()}


def first_fitting(rows: tuple[Row, ...], words: Words) -> Row | None:
    """The first row whose words are these."""
    for row in rows:
        if all(getattr(words, column) in row.when[column] for column in row.when):
            return row
    return None


def test_the_words_are_the_closed_vocabulary(domain: dict[Words, Facts]) -> None:
    for column, allowed in DOMAIN.items():
        assert {getattr(words, column) for words in domain} == set(allowed)


def test_the_tables_are_total(domain: dict[Words, Facts]) -> None:
    """Exactly one row decides: the first that fits, and there is always one."""
    for words in domain:
        if words.transport == "raw":
            assert first_fitting(RFC3023_RAW, words)
        assert first_fitting(RFC3023_HTTP, words) or words.transport == "raw"
        assert first_fitting(RFC7303, words)
        for policy in POLICIES:
            rows = fired_rows(policy, words)
            assert rows[-1].then != "the raw rules"
            assert [row.then for row in rows[:-1]] == ["the raw rules"] * (len(rows) - 1)


def test_the_raw_rules_are_total_over_every_word() -> None:
    """Also where HTTP sends a document back to them, with whatever words."""
    for values in product(*DOMAIN.values()):
        words = Words(*values)  # type: ignore[arg-type]
        possible = (words.bom == "none") == (words.guess not in ("agrees", "contradicts"))
        possible &= words.bom != "none" or words.declared not in ("agrees", "contradicts")
        possible &= words.bom == "none" or words.declared not in ("generic", "other")
        if possible:
            assert first_fitting(RFC3023_RAW, words)
            assert first_fitting(RFC7303, words)


def test_what_was_looked_up_before_is_what_the_interpreter_says(domain: dict[Words, Facts]) -> None:
    for policy, words in product(POLICIES, domain):
        raw, http = tables(policy)
        row = first_fit(raw if words.transport == "raw" else http, words)
        expected = (row, first_fit(raw, words)) if row.then == "the raw rules" else (row,)
        assert fired_rows(policy, words) == expected
        assert fired_rows(policy, words) is fired_rows(policy, words)
    possible = 1
    for allowed in DOMAIN.values():
        possible *= len(allowed)
    assert fired_rows.cache_info().currsize <= len(POLICIES) * possible


def test_a_policy_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="policy is 'rfc2376'; pass 'rfc3023' or 'rfc7303'"):
        tables("rfc2376")


@each(("table", "row"), ROWS, ids=lambda value: getattr(value, "id", value))
def test_every_row_is_well_made(table: str, row: Row) -> None:
    """It asks for words of the closed vocabulary, gives a reason in one sentence, and cites."""
    for column, allowed in row.when.items():
        assert set(allowed) < set(DOMAIN[column])
        assert len(set(allowed)) == len(allowed)
    assert re.fullmatch(r"RFC (3023|7303) §[1-9](\.\d)?|XML 1\.0 (§\d(\.\d)*|Appendix F\.1)", row.spec)
    assert len(row.why) > 20
    assert row.why[-1] != "."
    assert [other.id for other in TABLES[table]].count(row.id) == 1


def test_ids_are_unique_within_a_policy() -> None:
    for policy in POLICIES:
        ids = [row.id for rows in {id(rows): rows for rows in tables(policy)}.values() for row in rows]
        assert len(set(ids)) == len(ids)


def test_xml_and_not_xml_share_out_the_media_types() -> None:
    assert sorted((*XML, *NOT_XML)) == sorted(DOMAIN["media"])


def test_every_outcome_of_an_error_has_its_exception() -> None:
    for _, row in ROWS:
        if row.then.endswith(("Conflict", "Type")):
            assert ERRORS[row.then].__name__ == row.then
        else:
            assert row.then not in ERRORS


def outcome(raw: tuple[Row, ...], http: tuple[Row, ...], facts: Facts, words: Words) -> str:
    """What two tables say: an encoding, "ERROR", or "no row". Written without the interpreter."""
    row = first_fitting(raw if words.transport == "raw" else http, words)
    if row and row.then == "the raw rules":
        row = first_fitting(raw, words)
    if not row:
        return "no row"
    then = row.then
    said: Mapping[str, str | None] = {
        "the declared": facts.declared,
        "the charset": facts.charset,
        "the BOM": facts.bom,
        "the guess": facts.guess,
    }
    if then in ("EncodingConflict", "NotXmlMediaType"):
        return then
    label = said.get(then, then)
    if label is None:
        return "nothing said"
    charset = lookup(label)
    return charset.name if charset else label


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """Every strict case of the tables, once for each combination of words and labels."""
    seen: dict[Any, Case] = {}
    for case in strict_cases():
        facts, expected = case.facts, case.expected
        said = (facts.bom, facts.guess, facts.declared, facts.charset)
        seen.setdefault((case.policy, case.words, said, expected), case)
    return list(seen.values())


def killed(policy: str, mutant: tuple[Row, ...], table: str, cases: list[Case]) -> bool:
    """Some case sees the difference."""
    raw, http = (mutant if TABLES[table] is rows else rows for rows in tables(policy))
    return any(
        not case.agrees(outcome(raw, http, case.facts, case.words)) for case in cases if case.policy == policy
    )


def test_the_cases_agree_with_the_tables(cases: list[Case]) -> None:
    for case in cases:
        raw, http = tables(case.policy)
        assert case.agrees(outcome(raw, http, case.facts, case.words)), case


def mutants() -> Iterator[Any]:
    """Each table without one row, with one condition of one row negated, and with one word of it missing."""
    for table, rows in TABLES.items():
        policy = "rfc7303" if table == "RFC7303" else "rfc3023"
        for at, row in enumerate(rows):
            without = (*rows[:at], *rows[at + 1 :])
            yield pytest.param(policy, table, without, id=f"{policy} without {row.id}")
            for column, allowed in row.when.items():
                negated = {**row.when, column: tuple(w for w in DOMAIN[column] if w not in allowed)}
                changes = {f"not {column}": negated}
                for word in allowed[: len(allowed) if len(allowed) > 1 else 0]:
                    narrowed = tuple(other for other in allowed if other != word)
                    changes[f"{column} not {word}"] = {**row.when, column: narrowed}
                for what, when in changes.items():
                    mutant = (*rows[:at], row._replace(when=when), *rows[at + 1 :])
                    yield pytest.param(policy, table, mutant, id=f"{policy} {row.id} {what}")


MUTANTS = list(mutants())


@each(
    ("policy", "table", "mutant"),
    [mutant.values for mutant in MUTANTS],
    ids=[mutant.id for mutant in MUTANTS],
    every=9,
)
def test_every_row_and_every_condition_is_killed_by_some_case(
    policy: str, table: str, mutant: tuple[Row, ...], cases: list[Case]
) -> None:
    assert killed(policy, mutant, table, cases)


@pytest.mark.parametrize("policy", POLICIES)
def test_every_row_is_reached_by_some_case(policy: str, cases: list[Case]) -> None:
    reached = {row.id for case in cases if case.policy == policy for row in fired_rows(policy, case.words)}
    assert reached == {row.id for rows in tables(policy) for row in rows}
