"""References are repaired in bounded parts; where a text is cut changes nothing."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from feedcharset import XmlReader, iterparse, parse
from feedcharset.parsing import references
from feedcharset.parsing.references import Entities, repair_references

SPACES = dict.fromkeys(map(ord, "\t\n"), " ")
"""As a parser reads those of a value (XML 1.0 section 3.3.3)."""

TOKENS = [
    *("&lt;", "&amp;", "&nbsp;", "&foo;", "&#8;", "&#x1F600;", "&#55357;&#56846;", "&#55357;", "&#56846;"),
    *("&", "&&", "&#5", ";", ";;", "x", "a b", " ", "&copy", "&amp ", "&frac12\t"),
]


def repaired(text: str) -> tuple[str, dict[tuple[str, str, str], tuple[int, int]]]:
    """The text, and of each repair the index of the first and the number."""
    found: dict[tuple[str, str, str], tuple[int, int]] = {}

    def record(kind: str, old: str, new: str, index: int, times: int) -> None:
        first, number = found.get((kind, old, new), (index, 0))
        found[kind, old, new] = min(first, index), number + times

    return repair_references(text, Entities(), record), found


@given(st.lists(st.sampled_from(TOKENS), max_size=40).map("".join))
def test_the_size_of_the_parts_changes_nothing(text: str) -> None:
    whole = repaired(text)
    for size in (1, 4, 7, 11, 23):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(references, "REPAIRED_AT_ONCE", size)
            assert repaired(text) == whole


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("&copy 2026 &amp A &lt\nB", "© 2026 & A <\nB"),
        ("R&eacutesum&eacute x&frac12\t&sup1 ", "R&eacutesumé x½\t¹ "),
        ("BTC&ETH x &AMP y &GT z", "BTC&ETH x &AMP y &GT z"),
        ("AT&T x R&B y &notit z &trade u &ampx v", "AT&T x R&B y &notit z &trade u &ampx v"),
        ("?a=1&copy=2&reg=3 &copy\xa0x &copy.", "?a=1&copy=2&reg=3 &copy\xa0x &copy."),
    ],
)
def test_names_without_a_semicolon_are_those_of_html_before_a_space(text: str, meant: str) -> None:
    for body in (f"<r>{text}</r>", f"<r a='{text}'>& </r>"):
        root = parse(body.encode()).getroot()
        assert (root.text if "a" not in root.attrib else root.get("a")) in (meant, meant.translate(SPACES))
        pieces = iterparse(io.BytesIO(body.encode()), "r")
        assert [etree.tostring(one) for _, one in pieces] == [etree.tostring(root)]
    with XmlReader(f"<r>&#65;{text}</r>".encode()) as reader:
        parse(reader)
        kinds = {one.kind for one in reader.recovered}
    assert kinds <= {"entity", "ampersand"}
    assert ("entity" in kinds) is (text != meant)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("reference", ["&lt;", "&", "&nbsp;", "&#55357;&#56846;", "&#55357;", "&#8;"])
def test_a_text_without_spaces_is_cut(reference: str) -> None:
    """The parts of `re.split` take 100 bytes for each reference: they are made of a bounded text."""
    sizes = []

    class Recorded:
        def split(self, text: str) -> list[str]:
            sizes.append(len(text))
            return references_split(text)

    references_split = references._ANY_REFERENCE.split
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(references, "_ANY_REFERENCE", Recorded())
        for before in ("", "x" * 70_000, "&#55357;" + "x" * 70_000):
            repaired(before + reference * 100_000)
    assert max(sizes) <= 70_000 + len("&#55357;")


@pytest.mark.parametrize(
    ("reference", "is_character"),
    [
        *(("&#1114111;", True), ("&#x10FFFF;", True), ("&#00000000000065;", True), ("&#x0000000041;", True)),
        *(("&#1114112;", False), ("&#x110000;", False), ("&#10000065;", False), ("&#x41000000;", False)),
    ],
)
def test_the_largest_number(reference: str, is_character: bool) -> None:
    """Also of a number of which the first digits would be a character."""
    assert repaired(reference)[0] == (reference if is_character else "\ufffd")
