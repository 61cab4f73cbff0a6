"""Byte order marks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load, octets

from feedcharset.evidence.bom import BOMS, sniff_bom

CASES = load("boms")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_table(case: dict[str, str | None]) -> None:
    head = octets(case["octets"] or "")
    length = len(octets(case["bom"] or ""))
    assert sniff_bom(head) == (case["expected"], length)
    assert sniff_bom(b"\xef\xbb" + head, 2) == (case["expected"], length)


@pytest.mark.parametrize(("encoding", "mark"), BOMS)
def test_a_mark_is_u_feff_in_its_encoding(encoding: str, mark: bytes) -> None:
    assert mark.decode(encoding) == "\ufeff"


@pytest.mark.parametrize(("encoding", "mark"), BOMS)
def test_a_mark_that_is_cut_short_is_none_or_a_shorter_one(encoding: str, mark: bytes) -> None:
    for cut in range(len(mark)):
        found, length = sniff_bom(mark[:cut])
        assert found != encoding
        assert (found, length) == (
            ("UTF-16LE", 2) if mark.startswith(b"\xff\xfe\0") and cut >= 2 else (None, 0)
        )


@given(st.binary(max_size=12), st.integers(0, 12))
def test_what_is_found_stands_there(head: bytes, at: int) -> None:
    """Unicode ch. 23.8: the BOM is the character U+FEFF at the very beginning."""
    encoding, length = sniff_bom(head, at)
    assert (encoding is None) == (length == 0)
    assert encoding is None or head[at : at + length].decode(encoding) == "\ufeff"
