"""Where the errors stand that the parser recovers from: in the document, whatever is repaired before them."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator

import pytest

from feedcharset import XmlReader, iterparse, parse
from feedcharset.results import Recovery

REPAIRED = (
    *("a & b", "a <1 b", "a &#8; b", "a </z> b", "&#x110000;", "&nbsp;", "]]>", "&#xd83d;&#xde00;", "é &é日"),
    *(
        "<br>",
        "<b x=1>c</b>",
        "<b x='1' x='2'/>",
        "<i>d</b></i>",
        "<![endif]>",
        "<!--e--->",
        '<x y="&&lt;\'"/>',
    ),
    *(
        "<media:group/>",
        "&amp;&lt;&quot;",
        "<![CDATA[ & ]]>",
        "<?php & ?>",
        "&am",
        "</ r>",
        "a=b</>",
        "<b\nc=d\n/>",
    ),
    *("<p a='x\"/>", "\n", "\n\n", "x", "日本", "<a>&", "</a>", "<item>", "</item>", "<title>", "<", ">"),
)
PREFIXES = (
    '<!DOCTYPE r [<!ENTITY e "f">\n<!ENTITY g "&#8;">]>',
    "<?xml version='1.0'?>\n ",
    "<br/>Notice: &\n",
)


class _Slow(io.RawIOBase):
    """A stream that returns a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data, self._size = io.BytesIO(data), size

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._data.read(self._size)


def errors_of(document: str, size: int = 0) -> list[list[Recovery]]:
    """What parse and iterparse recover from, where there is an element, at once or in pieces."""
    found = []
    for of in (lambda r: parse(r), lambda r: list(iterparse(r)), lambda r: list(iterparse(r, "item"))):
        data = document.encode()
        with XmlReader(_Slow(data, size) if size else data) as reader:
            try:
                of(reader)
            except SyntaxError:
                continue
            found.append([entry for entry in reader.recovered if entry.kind == "markup"])
    return found


def documents(count: int, seed: int) -> Iterator[str]:
    numbers = random.Random(seed)
    for _ in range(count):
        parts = []
        for at in range(numbers.randrange(1, 9)):
            parts += numbers.choices(REPAIRED, k=numbers.randrange(4)), [f"<q:n{at}/>"]
        before = numbers.choice(PREFIXES) if numbers.random() < 0.2 else ""
        root = numbers.choice(("r", "rss", "feed"))
        document = f"{before}<{root}>{''.join(map(''.join, parts))}</{root}>"
        yield (
            document[: numbers.randrange(len(before) + 9, len(document))]
            if numbers.random() < 0.4
            else document
        )


@pytest.mark.parametrize(
    ("document", "column"),
    [
        ("<r>a x b <p:q/></r>", 14),
        ("<r>a & b <p:q/></r>", 14),
        ("<r>a &&&&& b <p:q/></r>", 18),
        ("<r>a <1 b <p:q/></r>", 15),
        ("<r>a &#8; b <p:q/></r>", 17),
        ("<r>a &#x110000; b <p:q/></r>", 23),
        ("<r>a </z> b <p:q/></r>", 17),
        ("<r>a ]]> b <p:q x=y/></r>", 20),
        ("<?xml version='1.0'><r>& <p:q/></r>", 30),
        ('<r>\n<a b="c', 8),
        ("<doc a='asd\"/>\r\n", 1),
        ("<r>\n<a>x &am", 9),
        ("<r>x</r> & <x/>", 10),
    ],
)
def test_column_of_an_error(document: str, column: int) -> None:
    for entries in errors_of(document) + errors_of(document, 1):
        assert [entry.column for entry in entries] == [column]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_places_are_in_the_document(seed: int) -> None:
    """In each line, and those of prefixes that nothing binds at their tags."""
    placed = 0
    for number, document in enumerate(documents(150, seed)):
        lines = document.split("\n")
        for entries in errors_of(document, (0, 1, 7)[number % 3]):
            for entry in entries:
                assert entry.line is not None
                assert entry.column is not None
                assert entry.line <= len(lines), (document, entry)
                assert entry.column <= len(lines[entry.line - 1]) + 1, (document, entry)
                if name := re.fullmatch("Namespace prefix q on (n.) is not defined", entry.found):
                    placed += 1
                    before = lines[entry.line - 1][: entry.column - 1]
                    assert re.search(f"<q:{name[1]}/?$", before), (document, entry)
    assert placed > 300


@pytest.mark.long
def test_place_in_a_long_line() -> None:
    """Also where the repairs before it are no longer kept."""
    text = "<item>a & b</item>" * 40_000
    document = f"<rss>{text}<q:r/>{text}</rss>"
    assert [[entry.column for entry in entries] for entries in errors_of(document)] == [[len(text) + 10]] * 3


def test_an_error_in_an_entity_within_another_has_no_place() -> None:
    declared = '<!DOCTYPE r [<!ENTITY a "               <p:n/>"><!ENTITY b "x &a;">]>'
    for document in (f"{declared}<r>&a;</r>", f"{declared}\n<r>&b;</r>"):
        for (entry,) in errors_of(document):
            place = (1, len(declared) + 7) if "&a;</r>" in document else (None, None)
            assert (entry.line, entry.column) == place
    with XmlReader(f"{declared}<r>&a;</r>".encode()) as reader:
        assert parse(reader).docinfo.URL is None
