"""What the document's first bytes look like."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import load, octets
from support.each import each
from support.effort import growth

from feedcharset.evidence.bom import BOMS
from feedcharset.evidence.declaration import guess_family
from feedcharset.evidence.first_bytes import (
    EBCDIC_SPAN,
    PREFIX_LIMIT,
    best_code_page,
    document_kind,
    find_document,
    first_pattern,
    null_order,
)

CASES = load("documents")


@each("case", CASES, ids=lambda case: case["why"])
def test_table(case: dict[str, Any]) -> None:
    head, expected = octets(case["octets"]), case["expected"]
    bom, start, looked = find_document(head)
    assert (bom, start) == (expected.get("bom"), expected.get("start", 0))
    assert first_pattern(head, start, bom) == expected.get("pattern")
    assert guess_family(head, start) == expected.get("guess")
    assert document_kind(head, looked, complete=True) == expected.get("kind")


@pytest.mark.parametrize(("encoding", "mark"), BOMS)
@pytest.mark.parametrize("document", ["<?xml version='1.0'?>", "<rss/>"])
def test_every_mix_of_white_space_and_boms(encoding: str, mark: bytes, document: str) -> None:
    """Any mix of white space and BOMs before the XML declaration is skipped."""
    spaces = [text.encode(encoding) for text in ("", " ", "\r\n", "\t\n ")]
    for before in spaces:
        for between in spaces:
            for after in spaces:
                prefix = before + mark + between + mark
                whole = prefix + after + document.encode(encoding)
                declared = document.startswith("<?xml")
                start = len(prefix + after) if declared else len(prefix)
                assert find_document(whole)[:2] == (encoding, start)


def test_what_stands_before_a_document_is_bounded() -> None:
    assert PREFIX_LIMIT == 4096
    for document in (b"<?xml version='1.0'?>", b"\xef\xbb\xbf<rss/>"):
        inside = b"\n" * (PREFIX_LIMIT - 1) + document
        outside = b"\n" * PREFIX_LIMIT + b" " + document
        assert find_document(inside)[1] in (PREFIX_LIMIT - 1, PREFIX_LIMIT + 2)
        assert find_document(outside) == (None, 0, PREFIX_LIMIT)
    assert find_document(b"\n" * PREFIX_LIMIT + b"<?xml ")[1] == PREFIX_LIMIT
    assert find_document(b"\n" * PREFIX_LIMIT + b"\xef\xbb\xbf<rss/>") == (None, 0, PREFIX_LIMIT)
    wide = b"\n\0" * PREFIX_LIMIT + b"<\0?\0"
    assert find_document(wide) == (None, 0, PREFIX_LIMIT)


def test_ebcdic_is_looked_for_in_64_bytes() -> None:
    assert EBCDIC_SPAN == 64
    name = b"\x81" * (EBCDIC_SPAN - 2)
    assert first_pattern(b"\x4c" + name + b"\x6e", 0, None) == "EBCDIC"
    assert first_pattern(b"\x4c" + name + b"\x81\x6e", 0, None) is None
    tag = b"\x4c\x81\x6e".ljust(EBCDIC_SPAN, b"\x40")
    assert first_pattern(tag[:-1] + b"<", 0, None) is None
    assert first_pattern(tag + b"<", 0, None) == "EBCDIC"


@pytest.mark.parametrize("codec", ["cp037", "cp500", "cp273", "cp1140"])
@pytest.mark.parametrize("begin", ["<rss>", "<rdf:RDF ", "<feed ", "<!DOCTYPE rss>", "<?xml ", "<a-b.c_1>"])
def test_ebcdic_in_every_code_page(codec: str, begin: str) -> None:
    """XML 1.0 Appendix F.1: EBCDIC, in some flavour."""
    head = begin.replace("!DOCTYPE", "!DOCTYPE" if codec in ("cp037", "cp1140") else "DOCTYPE").encode(codec)
    assert first_pattern(head, 0, None) == "EBCDIC"
    assert first_pattern(b"\xef\xbb\xbf" + head, 3, "UTF-8") == "EBCDIC"


def test_the_code_page_with_most_printable_ascii() -> None:
    assert best_code_page((("A", "[x]"), ("B", "Ýx¨"))) == "A"
    assert best_code_page((("A", "Ýx¨"), ("B", "[x]"))) == "B"
    assert best_code_page((("A", "é\t\r\n "), ("B", "é\x00\x01\x7f "))) == "A"
    assert best_code_page((("B", "ab"), ("A", "cd"))) == "B"


def test_an_unfinished_document_is_not_empty() -> None:
    assert document_kind(b"\n", 1, complete=False) is None
    assert document_kind(b"\n", 1, complete=True) == "empty"


MADE_OF = st.sampled_from(
    [mark for _, mark in BOMS]
    + [
        b" ",
        b"\n",
        b"\0",
        b"<",
        b"\0 ",
        b" \0",
        b"\0\0\0\n",
        b"\n\0\0\0",
        b"<?xml",
        b"\x4c",
        b"\x40",
        b"\x6e",
        b"r",
    ]
)


@given(st.lists(MADE_OF, max_size=12).map(b"".join))
def test_any_bytes(head: bytes) -> None:
    """What is passed over holds white space and BOMs, and nothing else."""
    bom, start, looked = find_document(head)
    assert 0 <= start <= looked <= len(head)
    assert head[:start].translate(None, b"\xef\xbb\xbf\xfe\xff\0 \t\r\n\x40\x05\x15\x25") == b""
    assert bom is None or dict(BOMS)[bom] in head[:start]
    pattern = first_pattern(head, start, bom)
    assert pattern != "ASCII" or (bom or "").startswith(("UTF-16", "UTF-32"))
    assert document_kind(head, looked, complete=True) != "empty" or looked == len(head)


HOSTILE = {
    "white space": lambda n: b" " * n,
    "BOMs": lambda n: b"\xef\xbb\xbf" * n,
    "BOMs and white space": lambda n: b"\xef\xbb\xbf\n" * n,
    "wide white space": lambda n: b"\0 " * n,
    "wider white space": lambda n: b" \0\0\0" * n,
    "EBCDIC white space": lambda n: b"\x40" * n,
    "EBCDIC white space of ASCII": lambda n: b"\x40\x20" * n,
    "EBCDIC letters": lambda n: b"\x4c" + b"\x81" * n,
    "NULs": lambda n: b"\0" * n,
    "spaces and NULs": lambda n: b"   \0" * n,
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_beginnings_take_linear_time(shape: str) -> None:
    def look(head: bytes) -> None:
        bom, start, looked = find_document(head)
        first_pattern(head, start, bom)
        document_kind(head, looked, complete=True)

    small, large = HOSTILE[shape](300), HOSTILE[shape](3_000)
    assert growth(look, small, large, most=40) < 40
    assert growth(look, large, HOSTILE[shape](300_000), most=40) < 40


ORDERS = [
    ("UTF-16LE", "\u200b<?xml version='1.0'?>", "utf-16-le"),
    ("UTF-16BE", "\u200b<?xml version='1.0'?>", "utf-16-be"),
    ("UTF-32LE", "\u200b<?xml version='1.0'?>", "utf-32-le"),
    ("UTF-32BE", "\u200b<?xml version='1.0'?>", "utf-32-be"),
    ("UTF-16LE", "Ошибка\n<rss><channel>", "utf-16-le"),
    ("UTF-16BE", "Ошибка\n<rss><channel>", "utf-16-be"),
    ("UTF-16LE", "Notice: x", "utf-16-le"),
    (None, "新しい橋ができました", "utf-16-le"),
    (None, "<rss>\0</rss>" * 4, "ascii"),
    (None, "a\0\0b" * 8, "ascii"),
    (None, "abc", "utf-16-le"),
    (None, "<rss>", "utf-8"),
    (None, "", "ascii"),
]


@pytest.mark.parametrize(("order", "text", "codec"), ORDERS)
def test_the_order_that_nulls_show(order: str | None, text: str, codec: str) -> None:
    head = text.encode(codec)
    assert null_order(head, 0) == order
    assert null_order(b"\n" + head, 1) == order
