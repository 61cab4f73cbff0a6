"""After blanking, every declaration parses: in lxml, expat and ElementTree."""

from __future__ import annotations

from itertools import permutations, product
from xml.etree import ElementTree
from xml.parsers import expat

import pytest
from lxml import etree

from feedcharset import XmlReader, parse
from feedcharset.text.xml_text import blank_text

VERSIONS = [
    "",
    ' version="1.0"',
    "version='1.0'",
    ' version="1.1"',
    ' version = "1.0"',
    ' VERSION="1.0"',
    ' version="2.0"',
    " version=1.0",
    ' version="1>0"',
    ' version="1.0',
]
ENCODINGS = [
    "",
    ' encoding="windows-1251"',
    "encoding='koi8-r'",
    ' ENCODING="utf-16"',
    " encoding=utf-8",
    ' encoding="x y"',
    ' encoding=""',
    ' encoding="a" encoding="b"',
    ' encoding = \n "UTF-16"',
]
STANDALONE = ["", ' standalone="yes"', "standalone='no'", ' standalone="maybe"']
ENDS = ["?>", " ?>", "\n?>", ">", "", " ?"]


def declarations(end: str) -> set[str]:
    """Every combination, in every order."""
    chosen = product(VERSIONS, ENCODINGS, STANDALONE)
    inside = {"".join(order) for parts in chosen for order in permutations(parts)}
    return {f"<?xml{'' if text[:1] in ('', ' ') else ' '}{text}{end}" for text in inside}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("end", ENDS)
def test_every_parser_opens_what_was_blanked(end: str) -> None:
    for declaration in declarations(end):
        blanked = blank_text(f"{declaration}\n<a>\u0436</a>").encode()
        assert etree.fromstring(blanked).text == "\u0436", declaration
        assert ElementTree.fromstring(blanked).text == "\u0436", declaration
        expat.ParserCreate().Parse(blanked, True)


@pytest.mark.parametrize(
    "declaration",
    [
        '<?xml version="1.0"encoding="UTF-8"?>',
        '<?xml version="1.0" encoding="UTF-8"standalone="yes"?>',
        '<?xml version="1.0" encoding=" UTF-8"?>',
        '<?xml encoding="UTF-8"?>',
    ],
)
def test_a_strict_parser_still_refuses_it(declaration: str) -> None:
    """W3C conformance tests not-wf-sa-095, -096, -101 and -152."""
    document = f"{declaration}<doc></doc>".encode()
    with XmlReader(document, lenient=False, encoding="UTF-8") as reader:
        text = reader.read()
    assert text.startswith(declaration)
    with pytest.raises(expat.ExpatError):
        expat.ParserCreate().Parse(text.encode(), True)
    with pytest.raises(etree.XMLSyntaxError):
        parse(document, lenient=False, encoding="UTF-8")
    assert parse(document).getroot().tag == "doc"
