"""The cases of the lenient chain, and the chain without its short ways."""

from __future__ import annotations

from typing import Any

from support.cases import load

from feedcharset.decide.lenient_chain import decide
from feedcharset.decide.lenient_principles import WINDOWED
from feedcharset.decide.resolve import decide_window, resolve
from feedcharset.evidence.detector import LOOKAHEAD
from feedcharset.evidence.document_head import byte_form, first_non_ascii, gather_facts
from feedcharset.evidence.window import Window
from feedcharset.results import Resolution

__all__ = ["CASES", "decided", "decided_slowly", "document_of", "options_of"]

CASES = load("lenient")
DECIDING = ("policy", "default_encoding")


def document_of(case: dict[str, Any]) -> bytes:
    """The parts of a document, each in its own codec."""
    if "octets" in case:
        document: bytes = case["octets"]
        return document
    return b"".join(text.encode(codec) for text, codec in case["parts"])


def options_of(case: dict[str, Any]) -> dict[str, Any]:
    """What `resolve` is given."""
    options = {name: case[name] for name in (*DECIDING, "complete") if name in case}
    detector = case.get("detector")
    options["detector"] = detector if detector in (None, "letters") else lambda octets: detector
    return options


def decided(case: dict[str, Any]) -> Resolution:
    """What `resolve` answers."""
    return resolve(document_of(case), case["content_type"], **options_of(case))


def decided_slowly(case: dict[str, Any]) -> Resolution:
    """The same, step by step."""
    document, options = document_of(case), options_of(case)
    complete = options.get("complete", False)
    deciding = {name: options[name] for name in DECIDING if name in options}
    facts = gather_facts(document, case["content_type"], lenient=True, complete=complete)
    high = first_non_ascii(document[facts.body.start :])
    windowed = byte_form(facts) in WINDOWED
    if not windowed or high < 0:
        seen = facts.body._replace(complete=complete and windowed)
        return decide(facts._replace(body=seen), None, **deciding)
    high += facts.body.start
    window = Window(
        document[high : high + LOOKAHEAD],
        ends=complete and len(document) <= high + LOOKAHEAD,
        before=document[facts.body.start : high],
        beginning=document[facts.body.start : high],
        detector=options.get("detector"),
    )
    return decide_window(facts, high, window, **deciding)
