"""Documents for the hardest questions, honest and trapped, in every script (tests/data/hard_cases.jsonl)."""

from __future__ import annotations

import io
import json
import re
from collections import Counter

import pytest
from support.cases import DATA
from support.each import each
from support.field_reports import FieldReport, read_field_reports

from feedcharset import Resolution, XmlDecoder, XmlReader, decode, parse, resolve
from feedcharset.decide.lenient_chain import replay

CASES = list(read_field_reports("hard_cases"))
READ = [case for case in CASES if case.judge == "text"]
OPEN = [case for case in CASES if case.judge == "open"]
SMALL = 10_000


def in_pieces(case: FieldReport, size: int) -> tuple[str, Resolution]:
    decoder = XmlDecoder(case.content_type, declaration="keep")
    parts = [decoder.decode(case.body[at : at + size]) for at in range(0, len(case.body), size)]
    return "".join(parts) + decoder.decode(b"", True), decoder.resolution


def test_there_are_as_many_as_are_counted() -> None:
    rows = [json.loads(line) for line in (DATA / "hard_cases.jsonl").read_text(encoding="utf-8").splitlines()]
    assert max(Counter(case.id for case in CASES).values()) == 1
    assert Counter((row["kind"], row["judge"]) for row in rows) == {
        ("honest", "text"): 194,
        ("trap", "text"): 318,
        ("trap", "open"): 3,
    }


@each("case", READ, ids=lambda case: case.id, parts=2, every=12)
def test_the_right_text(case: FieldReport) -> None:
    """In memory, as a stream in any pieces and through `parse`; the decision replays."""
    text, resolution, _ = decode(case.body, case.content_type, declaration="keep")
    assert text == case.text
    assert resolution.steps
    assert resolve(case.body, case.content_type, complete=True) == resolution == replay(resolution.facts)
    for size in (1, 3, 4096) if len(case.body) < SMALL else (70_000,):
        assert in_pieces(case, size) == (text, resolution)
    with XmlReader(io.BytesIO(case.body), content_type=case.content_type, declaration="keep") as reader:
        if len(case.body) < SMALL and case.content_type is not None:
            assert reader.resolution == resolution
        assert reader.read() == text
    root = parse(case.body, content_type=case.content_type).getroot()
    assert "".join(root.itertext()).split() == re.sub("<[^>]*>", "", text[text.index("<") :]).split()


@pytest.mark.parametrize("case", [pytest.param(case, marks=pytest.mark.xfail, id=case.id) for case in OPEN])
def test_the_text_that_is_not_reached_yet(case: FieldReport) -> None:
    """Where one of these passes, its row has to become "text"."""
    assert decode(case.body, case.content_type, declaration="keep").text == case.text
