"""A kind of finding for each rule of the tables that is an error."""

from __future__ import annotations

from feedcharset.decide.published_tables import POLICIES, Row, tables
from feedcharset.decide.strict_decision import ERRORS
from feedcharset.validate.finding_kind import FindingKind

__all__ = ["AGREE", "STOPS", "rule_kinds"]

AGREE = "Make them name the same encoding, or remove the wrong one."
STOPS = "Strict consumers stop here: they must not guess the encoding."

_RULE_REMEDIES = {
    "2.2": "Remove the BOM, or send charset=UTF-16, which requires one.",
    "2.2-32": "Remove the BOM, or send charset=UTF-32, which requires one.",
    "2.4": "Begin the document with a BOM, or name the byte order in the charset.",
    "2.4-32": "Begin the document with a BOM, or name the byte order in the charset.",
    "3.2": "Begin the document with a BOM, or name the byte order in the charset.",
    "2.6": "Send an XML media type: application/rss+xml, application/atom+xml, application/xml.",
    "3.9": "Send an XML media type: application/rss+xml, application/atom+xml, application/xml.",
}


def rule_kinds() -> tuple[FindingKind, ...]:
    """A kind of finding for each row of the tables that is an error."""
    rows: dict[str, tuple[str, Row]] = {}
    for policy in POLICIES:
        for table in tables(policy):
            rows.update((row.id, (policy, row)) for row in table if row.then in ERRORS)
    return tuple(_rule_kind(policy, row) for policy, row in rows.values())


def _rule_kind(policy: str, row: Row) -> FindingKind:
    name = "RFC 3023" if policy == "rfc3023" else "RFC 7303"
    return FindingKind(
        f"rule-{row.id}",
        "error",
        "rule {rule} refuses the document: {why}",
        f"{row.why[0].upper()}{row.why[1:]}. Rule {row.id} of {name} is an error.",
        STOPS,
        _RULE_REMEDIES.get(row.id, AGREE),
        "The rules give no encoding, so there is no text.",
        row.spec,
    )
