"""The limits of the parser: what an error says, and what `huge` lifts."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from lxml import etree

from feedcharset import iterparse, parse
from feedcharset.parsing.libxml2 import DEEPEST

MANY = 11_000_000
DOCUMENTS = {
    "depth": (b"<a>" * 300 + b"</a>" * 300, f"more than {DEEPEST} elements are within one another"),
    "text": (b"<r>" + b"x" * MANY + b"</r>", "a text has more than 10,000,000 bytes"),
    "attribute": (b"<r a='" + b"x" * MANY + b"'/>", "more than 10,000,000 bytes"),
    "CDATA": (b"<r><![CDATA[" + b"x" * MANY + b"]]></r>", "more than 10,000,000 bytes"),
    "name": (b"<" + b"x" * 60_000 + b"/>", "a name has more than 50,000 bytes"),
}


def iterated(source: Any, **options: Any) -> None:
    for _ in iterparse(source, **options):
        pass


WAYS = list(product(DOCUMENTS, (parse, iterated), (True, False)))


@pytest.mark.long
@pytest.mark.parametrize(("document", "function", "lenient"), WAYS)
def test_the_error_names_the_limit_and_the_option(document: str, function: Any, lenient: bool) -> None:
    body, words = DOCUMENTS[document]
    with pytest.raises(etree.XMLSyntaxError) as caught:
        function(body, lenient=lenient)
    assert words in caught.value.msg
    assert "if you trust the source, pass huge=True (" in caught.value.msg
    assert "XML_PARSE" not in caught.value.msg
    assert caught.value.position[0] >= 1
    function(body, lenient=lenient, huge=True)


@pytest.mark.parametrize("function", [parse, iterated])
def test_entities_stay_limited(function: Any) -> None:
    body = f'<!DOCTYPE r [<!ENTITY a "{"x" * 100_000}">]><r>{"&a;" * 5000}</r>'.encode()
    for huge in (False, True):
        with pytest.raises(etree.XMLSyntaxError, match="entity amplification"):
            function(body, huge=huge)


@pytest.mark.parametrize("function", [parse, iterated])
def test_the_limits_of_huge(function: Any) -> None:
    with pytest.raises(
        etree.XMLSyntaxError, match=r"Excessive depth in document: 2048; .* to another parser, line 1"
    ):
        function(b"<a>" * 3000, huge=True)


@pytest.mark.parametrize("function", [parse, iterated])
def test_depth_behind_many_errors(function: Any) -> None:
    """libxml2 reports 100 errors; the tree shows that it stopped."""
    body = b"<r>" + b"<x:y/>" * 200 + b"<a>" * 300 + b"</a>" * 300 + b"</r>"
    with pytest.raises(etree.XMLSyntaxError, match=f"more than {DEEPEST} elements are within one another"):
        function(body)
    function(body, huge=True)
