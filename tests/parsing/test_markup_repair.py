"""What is repaired in the text before the parser sees it."""

from __future__ import annotations

import html.entities
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support.cases import load

from feedcharset.parsing.doctype import LIMIT
from feedcharset.parsing.entity_references import FEW, LONGEST
from feedcharset.parsing.markup_repair import MarkupRepairer
from feedcharset.parsing.recovery_log import LISTED, RecoveryLog
from feedcharset.results import Recovery
from feedcharset.text.repair_log import RepairLog

CASES = load("markup_repairs")
PARTS = [
    *("&", "#", "x", "8", ";", "nbsp", "amp", "lt", "foo", "0", "D800", " ", "\n", "é", "漢"),
    *(
        "<",
        ">",
        "!",
        "?",
        "-",
        "--",
        "[",
        "]",
        "]]>",
        "<!--",
        "-->",
        "<![CDATA[",
        "<?",
        "?>",
        "<r>",
        "</r>",
        "/",
    ),
    *("<!DOCTYPE", "[<!ENTITY foo '", "'>]>", '"', "'"),
]
DOCUMENTS = st.lists(st.sampled_from(PARTS), max_size=30).map("".join)


def repaired(pieces: list[str]) -> tuple[str, tuple[Recovery, ...]]:
    log = RecoveryLog(RepairLog())
    repairer = MarkupRepairer(log)
    text = "".join([*[repairer.feed(piece) for piece in pieces], repairer.feed("", True)])
    return text, log.recovered


def in_tree(text: str) -> str:
    """What a parser finds in an element with this content."""
    found = etree.fromstring(repaired([f"<r>{text}</r>"])[0]).text
    assert found is not None
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_repairs(case) -> None:
    text, recovered = repaired([case["text"]])
    assert text == case["repaired"]
    assert recovered == tuple(Recovery(*entry) for entry in case["recovered"])
    for cut in range(len(case["text"]) + 1):
        assert repaired([case["text"][:cut], "", case["text"][cut:]]) == (text, recovered)
    assert repaired(list(case["text"])) == (text, recovered)


@given(DOCUMENTS, st.data())
def test_the_pieces_do_not_matter(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert repaired(pieces) == repaired([text]) == repaired(list(text))


@given(DOCUMENTS)
def test_repaired_text_needs_no_repair(text: str) -> None:
    once, _ = repaired([f"<r>{text}"])
    assert repaired([once])[0] == once


@given(st.integers(0, 0x120000), st.sampled_from(["&#{};", "&#x{:x};", "&#x{:X};", "&#00{};", "&#x0{:x};"]))
def test_legal_character(number: int, form: str) -> None:
    """WFC: Legal Character: Characters referred to using character references MUST match the production for
    Char."""
    legal = (
        number in (9, 10, 13)
        or 0x20 <= number <= 0xD7FF
        or 0xE000 <= number <= 0xFFFD
        or 0x10000 <= number <= 0x10FFFF
    )
    reference = form.format(number)
    text, recovered = repaired([f"<r>{reference}</r>"])
    assert text == f"<r>{reference if legal else chr(0xFFFD)}</r>"
    assert recovered == (() if legal else (Recovery("reference", reference, "\ufffd", 1, 4, 1),))


def test_numbers_around_the_limits() -> None:
    limits = (0x0, 0x9, 0xA, 0xD, 0x20, 0xD7FF, 0xE000, 0xFFFD, 0x10000, 0x10FFFF, 10**6, 10**7, 0x1000000)
    for limit in limits:
        for number in range(max(0, limit - 40), limit + 40):
            test_legal_character.hypothesis.inner_test(number, "&#{};")
            test_legal_character.hypothesis.inner_test(number, "&#x{:x};")


def test_every_entity_of_html() -> None:
    names = [name for name in html.entities.html5 if name.endswith(";")]
    assert len(names) > 2000
    assert max(map(len, names)) < LONGEST
    for name in names:
        assert in_tree(f"a&{name}b") == f"a{html.entities.html5[name]}b"
    text = "".join(f"&{name}" for name in names)
    assert len(names) > FEW
    assert in_tree(text) == "".join(html.entities.html5[name] for name in names)


def test_an_attribute_keeps_what_its_entities_mean() -> None:
    text, _ = repaired(["<r a='&Tab;&NewLine;&QUOT;&LT;&AMP;&nbsp;'/>"])
    assert etree.fromstring(text).get("a") == '\t\n"<&\xa0'


def test_an_entity_means_the_same_in_another_entity() -> None:
    document = "<!DOCTYPE r [<!ENTITY a 'x&nbsp;&LT;b&GT;&AMP;&#8;'>]><r>&a;</r>"
    text, _ = repaired([document])
    assert etree.fromstring(text).text == "x\xa0<b>&\ufffd"


def test_a_document_type_that_is_too_long_is_not_looked_into() -> None:
    start, end = "<!DOCTYPE r [<!--", "-->]>"
    fits = start + "x" * (LIMIT - len(start + end)) + end
    assert repaired([fits, "<r>&nbsp;</r>"])[0] == fits + "<r>&#160;</r>"
    longer = start + "x" + fits.removeprefix(start) + "<r>&nbsp;</r>"
    assert (
        repaired([longer])
        == repaired([longer[at : at + 65536] for at in range(0, len(longer), 65536)])
        == (longer, ())
    )


def test_what_is_listed_is_bounded() -> None:
    names = re.findall(r"'(\w+);'", repr(list(html.entities.html5)))[: LISTED + 50]
    _, recovered = repaired(["<r>\n", *[f"&{name};" for name in names], "</r>"])
    assert len(recovered) == LISTED + 1
    assert {entry.count for entry in recovered} == {
        1,
        len(names) - LISTED - sum(n in ("amp", "lt", "gt", "quot", "apos") for n in names),
    }


def test_the_end_of_cdata_in_a_value_is_well_formed() -> None:
    """XML 1.0 §2.4: it is not allowed in content only."""
    text = "<r a=']]>'>x<b c=\"x]]>\">]]</b>></r>"
    for size in (1, 2, 3, 5, 100):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        assert repaired(pieces) == (text, ())
