"""All documents whose strict decision is known: two Java readers', both RFCs', and a few of our own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from support.cases import load, octets, rfc_examples, rome_rows

from feedcharset.decide.strict_decision import Words, reduce_facts
from feedcharset.evidence.document_head import gather_facts
from feedcharset.results import Facts

__all__ = ["Case", "document_of", "strict_cases"]


class Case(NamedTuple):
    """One document and what is to be said of it."""

    name: str
    policy: str
    facts: Facts
    words: Words
    expected: str
    """An encoding in upper case; "ERROR" where it is not known which; or the error's name."""

    def agrees(self, answer: str) -> bool:
        """What was answered is what is expected."""
        if self.expected == "ERROR":
            return answer in ("EncodingConflict", "NotXmlMediaType")
        return answer.upper() == self.expected.upper()


def document_of(case: dict[str, Any]) -> bytes:
    """The octets of a case of tests/data: "octets", or "text" in "codec"."""
    if "octets" in case:
        return octets(case["octets"])
    document: bytes = case["text"].encode(case["codec"])
    return document


def strict_cases() -> Iterator[Case]:
    """Each of them."""
    for row in rome_rows():
        yield _case(row.id, "rfc3023", row.body, row.content_type, row.expected)
    for policy, part in (
        ("rfc3023", "examples"),
        ("rfc7303", "examples"),
        ("rfc7303", "derived_same_rule_other_media_types"),
        ("rfc7303", "extra_from_section_3"),
    ):
        for example, entity in rfc_examples(policy, part):
            yield _case(example["id"], policy, entity, example["content_type"], rfc_expected(example, entity))
    for case in load("decisions"):
        expected = case["error"] or case["encoding"]
        yield _case(case["why"], case["policy"], document_of(case), case["content_type"], expected)


def rfc_expected(example: dict[str, Any], entity: bytes) -> str:
    """The encoding with its byte order: both RFCs say "utf-16", and that the BOM orders it."""
    expected: str = example["expected_encoding"].split(" ")[0].replace("iso-10646-ucs-4", "utf-32")
    if expected in ("utf-16", "utf-32"):
        big = entity.startswith((b"\xfe\xff", b"\0"))
        return expected + ("be" if big else "le")
    return expected


def _case(name: str, policy: str, document: bytes, content_type: str | None, expected: str) -> Case:
    facts = gather_facts(document, content_type, lenient=False)
    return Case(name, policy, facts, reduce_facts(facts), expected)
