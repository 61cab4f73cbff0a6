"""Sizes of pieces, samples and caches cost time or memory: no result depends on them.

So a change of one by one behaves as the original: tests/data/equivalent_mutants.txt lists the same constants.
"""

from __future__ import annotations

import importlib
import sys

import pytest
from support.cases import DATA, TESTS
from support.module_files import module_at

making = module_at(TESTS / "making" / "record_results.py")
RECORDED = [row.split() for row in making.OUT.read_text(encoding="utf-8").splitlines()[1:]]

SIZES = {
    # Where a constant is, and another value.
    "charsets/decoders.py:WORDS_AT_ONCE": 64,
    "charsets/east_asian.py:ALONE_BYTES": 4,
    "charsets/east_asian.py:DENSE_BYTES": 64,
    "charsets/east_asian.py:HANDLED_BYTES": 4,
    "charsets/iso2022jp.py:_PAIR_SPAN": 16,
    "charsets/undecodable_bytes.py:FIRST_SEARCHED": 2,
    "charsets/undecodable_bytes.py:JOINED_AT_ONCE": 2,
    "charsets/undecodable_bytes.py:SEARCHED_PART": 64,
    "evidence/damaged_utf8.py:DENSE_DAMAGE": 2,
    "evidence/damaged_utf8.py:MARKED_PART": 16,
    "evidence/utf8_sequences.py:FIRST_CLASSED": 16,
    "evidence/utf8_sequences.py:MOST_CLASSED": 64,
    "parsing/markup_repair.py:FIRST_PART": 16,
    "parsing/markup_repair.py:LONGEST_KNOWN_TAG": 8,
    "parsing/markup_repair.py:PART_SIZE": 64,
    "parsing/references.py:REPAIRED_AT_ONCE": 16,
    "reading/utf8_stream.py:CHUNK": 64,
    "text/byte_decoder.py:DECODED_PIECE": 64,
    "text/byte_decoder.py:FEW_IN_A_PIECE": 2,
    "text/byte_decoder.py:LARGEST_PIECE": 64,
    "text/byte_decoder.py:SPARSE_RUNS": 4,
    "text/xml_decoder.py:FILTERED_BYTES": 64,
    "text/xml_decoder.py:HEAD_GROWTH": 2,
    "text/xml_text.py:CACHED_PART": 2,
    "text/xml_text.py:CLEANED_PART": 64,
    "validate/text_blocks.py:LEAST_TEXT": 256,
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("step", [1000, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize("constant", SIZES)
def test_no_result_depends_on_a_size(constant: str, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path, name = constant.split(":")
    home = importlib.import_module("feedcharset." + path.removesuffix(".py").replace("/", "."))
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("feedcharset.") and name in vars(module):
            monkeypatch.setattr(module, name, SIZES[constant])
    assert getattr(home, name) == SIZES[constant]
    numbers = range(list(SIZES).index(constant), making.DOCUMENTS, step)
    assert [making.line(number).split() for number in numbers] == [RECORDED[number] for number in numbers]


def test_they_are_listed_as_equivalent() -> None:
    lines = (DATA / "equivalent_mutants.txt").read_text(encoding="utf-8").splitlines()
    assert set(SIZES) <= {line.split("\t")[0] for line in lines}
