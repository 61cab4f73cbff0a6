"""The rows of the published tables."""

from __future__ import annotations

import pytest
from support.each import each
from support.words import DOMAIN

from feedcharset.decide.published_tables import POLICIES, RFC3023_HTTP, RFC3023_RAW, RFC7303
from feedcharset.decide.strict_decision import tables


def test_the_published_rules_are_all_there() -> None:
    """RFC 3023: 1.0 to 1.7 and 2.0 to 2.6."""
    ids = {row.id.partition("-")[0] for row in (*RFC3023_RAW, *RFC3023_HTTP)}
    assert ids == {*(f"1.{number}" for number in range(8)), *(f"2.{number}" for number in range(7))}


@each("row", [*RFC3023_RAW, *RFC3023_HTTP, *RFC7303], ids=lambda row: row.id)
def test_a_row_uses_the_words_of_the_vocabulary(row) -> None:
    for column, words in row.when.items():
        assert set(words) <= set(DOMAIN[column])
        assert words
    assert row.why
    assert row.why[-1] != "."
    assert row.spec.startswith(("RFC ", "XML 1.0", "feedcharset"))


def test_ids_are_unique_within_a_policy() -> None:
    for policy in POLICIES:
        raw, http = tables(policy)
        ids = [row.id for row in {id(row): row for row in (*raw, *http)}.values()]
        assert len(ids) == len(set(ids))


def test_an_unknown_policy_has_no_tables() -> None:
    with pytest.raises(ValueError, match="rfc9999"):
        tables("rfc9999")
